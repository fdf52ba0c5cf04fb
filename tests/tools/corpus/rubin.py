"""The kernels for sm_107a: PTX written by hand with descriptors that are known, compiled and disassembled.

No compiler for CUDA C++ that has these instructions was at hand: the PTX is the source. ``python -m corpus.rubin`` (in
``tests/tools``) compiles and dumps it anew into ``rubin.tar.xz`` (ptxas and nvdisasm 13.5, in PATH or
named by PTXAS and NVDISASM). The numbers are packed here by shifts, not by the tables that are tested.
"""

from __future__ import annotations

from typing import NamedTuple

from .dumps import DUMPS, compile_texts

ARCHIVE = DUMPS / "rubin.tar.xz"
ARCHS = ("sm_107a", "sm_107f")
SCALED = ("mxf8f6f4", "mxf4", "mxf4nvf4")
DENSE = {"f16": (1, 1), "tf32": (1, 2), "f8f6f4": (1, 0), "ti16": (2, 3)}
"""Codes of D and of A and B."""
START = 0x7FFF
"""The bits of the start address: arguments decide them."""


class Mma(NamedTuple):
    """One instruction, and what its descriptors are."""

    name: str
    kind: str
    qualifier: str = ""
    group: int = 1
    ws: bool = False
    sparse: bool = False
    tensor: bool = False
    lut: bool = False
    mask: int | None = None
    m: int = 128
    n: int = 128
    k: int = 0
    """The code of K: two bits of packed fp4, one of the others."""
    scale: int = 1
    wide: bool = False
    """Scale factors of A in 128 lanes."""
    ids: tuple[int, int] = (0, 0)
    lbo: int = 1
    sbo: int = 64
    swizzle: int = 2
    segment: int = 0
    """Bit 53 of B."""
    literal: int | None = None
    """The start of both operands in 16 bytes; None: an argument."""
    steps: int = 1
    step: int = 2
    """What an MMA reads along K, in 16 bytes."""
    f: bool = True
    """Whether sm_107f takes it, too."""

    @property
    def idesc(self) -> int:
        """The instruction descriptor."""
        bits = int(self.sparse) << 2 | (self.n >> 3) << 17
        if self.kind not in SCALED:
            d, operand = DENSE[self.kind]
            bits |= d << 4 | operand << 7 | operand << 10 | (self.m >> 4) << 24 | self.k << 29
            return bits
        bits |= self.ids[1] << 4 | self.ids[0] << 29 | self.scale << 23 | int(self.wide) << 26 | (self.m >> 7) << 27
        if self.kind == "mxf8f6f4":
            return bits | self.k << 31
        return bits | 1 << 7 | 1 << 10 | 1 << 12 | (self.k >> 1) << 3 | (self.k & 1) << 31

    def operand(self, name: str) -> tuple[int, int]:
        """The bits of a descriptor, and which do not depend on arguments; of every step, as far as they are equal."""
        bits = self.lbo << 16 | self.sbo << 32 | 1 << 46 | self.swizzle << 61
        if name == "b":
            bits |= self.segment << 53
        whole = (1 << 64) - 1
        if self.literal is None:
            return bits, whole ^ START
        return bits | self.literal, whole

    @property
    def text(self) -> str:
        """The instruction."""
        mnemonic = "tcgen05.mma" + (".ws" if self.ws else "") + (".sp" if self.sparse else "")
        mnemonic += f".cta_group::{self.group}.kind::{self.kind}{'.block_scale' if self.kind in SCALED else ''}"
        words = ["[d]", "[t]" if self.tensor else "a", "b", *(["[s]"] if self.sparse else [])]
        words += ["[t]"] if self.lut else []
        words += ["i", *(["[s]", "[t]"] if self.kind in SCALED else []), "p", *(["z"] if self.mask is not None else [])]
        return f"{mnemonic}{self.qualifier} {', '.join(words)};"

    @property
    def ptx(self) -> str:
        """The kernel."""
        lines = [
            f".visible .entry {self.name}(.param .b32 where, .param .b32 into) {{",
            "  .reg .b32 d, i, s, t, x, lo, ha, hb; .reg .b64 a, b, z; .reg .pred p, q;",
            "  ld.param.b32 x, [where]; ld.param.b32 d, [into]; add.s32 s, d, 256; add.s32 t, d, 300;",
            "  mov.u32 lo, %tid.x; setp.ne.b32 q, lo, 0; @q bra END; setp.ne.b32 p, d, 0;",
            f"  mov.b32 i, {self.idesc:#010x};" + (f" mov.b64 z, {self.mask:#018x};" if self.mask is not None else ""),
        ]
        a, b = self.operand("a")[0], self.operand("b")[0]
        if self.literal is not None:
            lines.append(f"  mov.b64 a, {a:#018x}; mov.b64 b, {b:#018x};")
        else:
            for name, bits, offset in (("a", a, 0), ("b", b, 16384)):
                lines.append(
                    f"  add.s32 lo, x, {offset}; shr.u32 lo, lo, 4; and.b32 lo, lo, {START:#x}; "
                    f"or.b32 lo, lo, {bits & 0xFFFFFFFF:#x}; mov.b32 h{name}, {bits >> 32:#x}; "
                    f"mov.b64 {name}, {{lo, h{name}}};"
                )
        for step in range(self.steps):
            if step:
                lines.append(f"  add.s64 a, a, {self.step}; add.s64 b, b, {self.step};")
            lines.append(f"  {self.text}")
        return "\n".join([*lines, "END:", "  ret;", "}"])


FILL, USE, LAST = (f".collector::b::{use}" for use in ("fill", "use", "lastuse"))
KERNELS = (
    Mma("dense_f16", "f16", steps=2),
    Mma("dense_tf32_b_fill", "tf32", FILL),
    Mma("ti16", "ti16", n=256),
    Mma("ti16_two", "ti16", FILL, group=2, m=256, n=256),
    Mma("ti16_tensor", "ti16", USE, tensor=True),
    Mma("ti16_ws", "ti16", ".collector::b2::fill", ws=True, m=64, mask=0x0003028000000000),
    Mma("ti16_sparse", "ti16", sparse=True),
    Mma("fp8_k32", "f8f6f4", steps=4),
    Mma("fp8_k64", "f8f6f4", k=1, steps=2, step=4),
    Mma("fp8_k64_high", "f8f6f4", LAST, k=1, literal=0x4100),
    Mma("fp8_lut_0", "f8f6f4", ".decompress::lut::b", lut=True),
    Mma("fp8_lut_24", "f8f6f4", f".decompress::lut::b{FILL}", lut=True, segment=1, group=2, m=256),
    Mma("mxf8_k64", "mxf8f6f4", ".block32", k=1, ids=(2, 2)),
    Mma("mxf8_k128_sparse", "mxf8f6f4", k=1, sparse=True, wide=True),
    Mma("mxf8_lut", "mxf8f6f4", f".block32.decompress::lut::b{USE}", lut=True, segment=1, tensor=True),
    Mma("mxf4_k64", "mxf4", ids=(2, 0)),
    Mma("mxf4_k96", "mxf4", ".block32", k=1),
    Mma("mxf4_k128", "mxf4", FILL, k=2, wide=True, steps=2, step=4),
    Mma("mxf4_sparse", "mxf4", ".scale_vec::2X", sparse=True, f=False),
    Mma("mxf4_sparse_k192", "mxf4", k=1, sparse=True, group=2, m=256, f=False),
    Mma("nvf4_16_k64", "mxf4nvf4", ".block16", scale=0),
    Mma("nvf4_16_k128", "mxf4nvf4", f".block16{FILL}", k=2, scale=2),
    Mma("nvf4_32_k128", "mxf4nvf4", ".block32", k=2, scale=0, group=2, m=256),
    Mma("nvf4_16_high", "mxf4nvf4", ".scale_vec::4X", k=2, scale=0, literal=0x4C00, f=False),
)


def source(arch: str) -> str:
    """Return the module for one architecture."""
    here = [each for each in KERNELS if each.f or arch.endswith("a")]
    return "\n\n".join([f".version 9.4\n.target {arch}\n.address_size 64", *(each.ptx for each in here)]) + "\n"


if __name__ == "__main__":
    compile_texts(ARCHIVE, ARCHS, source)
