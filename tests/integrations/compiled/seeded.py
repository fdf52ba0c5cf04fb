"""Kernels with mistakes in inline PTX, compiled by Triton without a GPU; run by a Python that has Triton.

``python seeded.py FOLDER`` compiles them with a check on, which writes what it finds to standard error, and writes
FOLDER/NAME.ptx and NAME.sass for the tests. A comment on a line names the rule that has to find its mistake.
"""

# ruff: noqa: N803 -- Triton kernels are written with such names
# mypy: ignore-errors
import os
import sys
import tempfile
from pathlib import Path

os.environ |= {"TRITON_CACHE_DIR": tempfile.mkdtemp(), "TRITON_DEFAULT_FP_FUSION": "1"}

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.runtime.jit import MockTensor

from smemdesc.integrations import compiled
from smemdesc.integrations.triton import check


class Driver:
    """What Triton asks of a GPU in order to compile for it."""

    def __init__(self, arch):
        self.target = GPUTarget("cuda", arch, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_current_target(self):
        return self.target


def wgmma(a, b, n=8, kind="f32.bf16.bf16", last="1, 1, 1, 0, 0"):
    """Return PTX of one wgmma on these descriptors."""
    regs = [f"d{i}" for i in range(n // 2)]
    return tl.constexpr(
        f"{{ .reg .b64 a, b; .reg .f32 {', '.join(regs)};\n"
        + "".join(f"mov.f32 {each}, 0f00000000; " for each in regs)
        + f"\nmov.b64 a, {a:#x};\nmov.b64 b, {b:#x};\nwgmma.fence.sync.aligned;\n"
        f"wgmma.mma_async.sync.aligned.m64n{n}k16.{kind} {{ {', '.join(regs)} }}, a, b, {last};\n"
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\ncvt.rzi.s32.f32 $0, d0; }"
    )


def tcgen05(a, b, idesc):
    """Return PTX of one tcgen05.mma on these descriptors."""
    return tl.constexpr(
        f"{{ .reg .b64 a, b; .reg .b32 i; .reg .pred p;\nmov.b64 a, {a:#x};\nmov.b64 b, {b:#x};\n"
        f"mov.b32 i, {idesc:#x};\n"
        "setp.ne.b32 p, $1, 0;\ntcgen05.mma.cta_group::1.kind::f16 [$1], a, b, i, p;\nmov.b32 $0, $1; }"
    )


@triton.jit
def call(x, ASM: tl.constexpr):
    return tl.inline_asm_elementwise(ASM, "=r,r", [x], dtype=tl.int32, is_pure=False, pack=1)  # reserved-bits


RIGHT = wgmma(0x4000004000010040, 0x4000004000010440)
RESERVED = wgmma(0x6000004000010040, 0x4000004000010440)
SBO = wgmma(0x4000000400010040, 0x4000004000010440)
LBO = wgmma(0x4000004000010040, 0x4000004000200440, 128, last="1, 1, 1, 0, 1")
VERSION = wgmma(0x4000404000010040, 0x4000004000010440)
STEP = wgmma(0x4000004000010042, 0x4000004000010440)


@triton.jit
def hopper(out):
    i = tl.arange(0, 128)
    x = tl.inline_asm_elementwise(RIGHT, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)
    x += tl.inline_asm_elementwise(RESERVED, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # reserved-bits
    x += tl.inline_asm_elementwise(SBO, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # sbo-below-atom
    x += tl.inline_asm_elementwise(LBO, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # transpose-and-strides
    x += tl.inline_asm_elementwise(STEP, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # k-steps-differ
    x += call(i, VERSION)
    tl.store(out + i, x)


RIGHT_100 = tcgen05(0x4000404000010040, 0x4000404000010440, 0x08040490)
SWIZZLE = tcgen05(0x6000404000010040, 0x4000404000010440, 0x08040490)
NO_VERSION = tcgen05(0x4000004000010040, 0x4000404000010440, 0x08040490)
M_192 = tcgen05(0x4000404000010040, 0x4000404000010440, 0x0C040490)
A_TYPE = tcgen05(0x4000404000010040, 0x4000404000010440, 0x08040690)
N_0 = tcgen05(0x4000404000010040, 0x4000404000010440, 0x08000490)


@triton.jit
def blackwell(out):
    i = tl.arange(0, 128)
    x = tl.inline_asm_elementwise(RIGHT_100, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)
    x += tl.inline_asm_elementwise(SWIZZLE, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # undefined-code
    x += tl.inline_asm_elementwise(NO_VERSION, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # version-constant
    x += tl.inline_asm_elementwise(M_192, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # shape
    x += tl.inline_asm_elementwise(A_TYPE, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # undefined-code
    x += tl.inline_asm_elementwise(N_0, "=r,r", [i], dtype=tl.int32, is_pure=False, pack=1)  # shape
    tl.store(out + i, x)


def main(folder):
    for arch, kernel in ((90, hopper), (100, blackwell)):
        triton.runtime.driver.set_active(Driver(arch))
        with check() as made:
            asm = kernel.warmup(MockTensor(tl.int32), grid=(1,)).asm
        print(made)
        nvdisasm = triton.knobs.nvidia.nvdisasm.path
        for form, text in (("ptx", asm["ptx"]), ("sass", compiled.sass_of(asm["cubin"], nvdisasm))):
            text = text.partition("\t.section\t.debug")[0].replace(__file__, Path(__file__).name)
            (folder / f"{kernel.__name__}.{form}").write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
