"""Matrix operations in Gluon on views of shared memory, compiled without a GPU; run by a Python that has Triton.

``python gluon_kernels.py FOLDER`` writes NAME.{ptx,ttgir,cubin} for each, and prints its name and target: slices,
transposed views, layouts given as linear bases, both CTAs of a pair, A in tensor memory.
"""

# ruff: noqa: N803 -- Triton kernels are written with such names
# mypy: ignore-errors
import sys
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    allocate_tensor_memory,
    tcgen05_mma,
)
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma


@gluon.jit
def views(a, b, SA: gl.constexpr, SB: gl.constexpr, TURNED: gl.constexpr):
    for dim in gl.static_range(2):
        if SA[dim][1]:
            a = a.slice(SA[dim][0], SA[dim][1], dim)
        if SB[dim][1]:
            b = b.slice(SB[dim][0], SB[dim][1], dim)
    if TURNED:
        b = b.permute((1, 0))
    return a, b


@gluon.jit
def blackwell(
    T: gl.constexpr, ACC: gl.constexpr, A: gl.constexpr, B: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    SA: gl.constexpr, SB: gl.constexpr, TURNED: gl.constexpr, LD: gl.constexpr, M: gl.constexpr, N: gl.constexpr,
):  # fmt: skip
    a = gl.allocate_shared_memory(T, A, LA)
    b = gl.allocate_shared_memory(T, B, LB)
    d = allocate_tensor_memory(ACC, [M, N], LD)
    a, b = views(a, b, SA, SB, TURNED)
    tcgen05_mma(a, b, d)


@gluon.jit
def from_tensor_memory(
    T: gl.constexpr, B: gl.constexpr, LB: gl.constexpr, LA: gl.constexpr, LD: gl.constexpr,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr,
):  # fmt: skip
    a = allocate_tensor_memory(T, [M, K], LA)
    b = gl.allocate_shared_memory(T, B, LB)
    d = allocate_tensor_memory(gl.float32, [M, N], LD)
    tcgen05_mma(a, b, d)


@gluon.jit
def hopper(
    out, T: gl.constexpr, ACC: gl.constexpr, A: gl.constexpr, B: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    SA: gl.constexpr, SB: gl.constexpr, TURNED: gl.constexpr, LD: gl.constexpr, M: gl.constexpr, N: gl.constexpr,
):  # fmt: skip
    a = gl.allocate_shared_memory(T, A, LA)
    b = gl.allocate_shared_memory(T, B, LB)
    a, b = views(a, b, SA, SB, TURNED)
    d = warpgroup_mma(a, b, gl.zeros([M, N], ACC, LD))
    rows = gl.arange(0, M, gl.SliceLayout(1, LD))
    columns = gl.arange(0, N, gl.SliceLayout(0, LD))
    gl.store(out + rows[:, None] * N + columns[None, :], d)


def packed(width, bits, transposed=False):
    """Return Triton's own layout of this swizzle width."""
    return gl.NVMMASharedLayout(width, bits, 2, transposed)


def bases(shape, width, bits):
    """Return the linear bases of a row-major tensor in blocks of ``width`` bytes, swizzled as by 128 bytes at most."""
    wide = width * 8 // bits
    unit = 128 // bits
    phases = (width // 16).bit_length() - 1
    found = [[0, 1 << bit] for bit in range(wide.bit_length() - 1)]
    for bit in range(shape[0].bit_length() - 1):
        # A line moves the 16-byte unit as well; 128 bytes are eight lines of 16 and one of 128.
        place = bit - (3 - phases)
        found.append([1 << bit, unit << place if 0 <= place < phases else 0])
    found += [[0, wide << bit] for bit in range((shape[1] // wide).bit_length() - 1)]
    return gl.SharedLinearLayout(found, alignment=1024)


ALL = ((0, 0), (0, 0))


def jobs():
    """(name, kernel, capability, constants, CTAs)."""
    half = gl.float16
    for name, sa, sb, turned, width in (
        ("slice_k", ((0, 0), (64, 64)), ((64, 64), (0, 0)), False, 128),
        ("slice_mn", ((128, 128), (0, 0)), ((0, 0), (128, 128)), False, 128),
        ("slice_both", ((128, 128), (128, 128)), ((128, 128), (128, 128)), False, 128),
        ("slice_turned", ((0, 0), (128, 64)), ((128, 128), (64, 64)), True, 128),
        ("slice_64", ((0, 0), (32, 32)), ((0, 32), (0, 0)), False, 64),
    ):
        a, b = [256, 256], [256, 256]
        m, k = (sa[0][1] or a[0]), (sa[1][1] or a[1])
        n = (sb[0][1] or b[0]) if turned else (sb[1][1] or b[1])
        sb = sb if turned else ((sb[0][0], k), sb[1])
        for cc in (90, 100):
            if m == 256 and cc == 100:
                sa, m = ((0, 128), sa[1]), 128
            layout = packed(width, 16)
            yield case(f"gluon_{cc}_{name}", cc, a, b, layout, layout, sa, sb, turned, m, n)
    for width in (32, 64, 128):
        for cc in (90, 100):
            a, b = [128, 64], [64, 128]
            layouts = bases(a, width, 16), bases(b, width, 16)
            yield case(f"gluon_{cc}_linear_{width}", cc, a, b, *layouts, ALL, ALL, False, 128, 128)
    two = TensorMemoryLayout((128, 128), 1, ((1, 0),), True)
    a = gl.NVMMASharedLayout(128, 16, 2, False, False, [[1, 0]])
    b = gl.NVMMASharedLayout(128, 16, 2, False, False, [[0, 1]])
    *_, constants, _ = case("", 100, [256, 64], [64, 128], a, b, ALL, ALL, False, 256, 128)
    yield "gluon_100_two", blackwell, 100, {**constants, "LD": two}, 2
    yield "gluon_100_tmem", from_tensor_memory, 100, {
        "T": half, "B": [64, 128], "LB": packed(128, 16), "LA": TensorMemoryLayout((128, 64), 1),
        "LD": TensorMemoryLayout((128, 128), 1), "M": 128, "N": 128, "K": 64,
    }, 1  # fmt: skip


def case(name, cc, a, b, la, lb, sa, sb, turned, m, n):
    """Return one job."""
    layout = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, min(n, 256), 16])
    if cc == 100:
        layout = TensorMemoryLayout((128, min(n, 256)), 1)
    constants = {"T": gl.float16, "ACC": gl.float32, "A": a, "B": b, "LA": la, "LB": lb, "SA": sa, "SB": sb,
                 "TURNED": turned, "LD": layout, "M": m, "N": n}  # fmt: skip
    return name, blackwell if cc == 100 else hopper, cc, constants, 1


def main(folder):
    """Compile what compiles."""
    only = sys.argv[2:]
    for name, kernel, cc, constants, ctas in jobs():
        if only and name not in only:
            continue
        signature = {each: "*fp32" if each == "out" else "constexpr" for each in kernel.arg_names}
        source = GluonASTSource(kernel, signature=signature, constexprs=constants)
        try:
            target = GPUTarget("cuda", cc, 32)
            made = triton.compile(source, target=target, options={"num_warps": 4, "num_ctas": ctas})
        except Exception as problem:
            print(f"# {name}: {type(problem).__name__} {' '.join(str(problem).split())[-300:]}")
            continue
        for form in ("ptx", "ttgir"):
            (folder / f"{name}.{form}").write_text(made.asm[form])
        (folder / f"{name}.cubin").write_bytes(made.asm["cubin"])
        print(name, cc)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
