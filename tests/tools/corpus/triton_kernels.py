"""Matrix multiplications in Triton, compiled for sm_90 and sm_100 without a GPU; run by a Python that has Triton.

``python triton_kernels.py FOLDER`` writes NAME.{ptx,llir,ttgir,cubin} for each, and prints its name and target.
"""

# ruff: noqa: N803, N806 -- Triton kernels are written with such names
# mypy: ignore-errors
from __future__ import annotations

import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def pointers(
    a, b, c, M, N, K, sa, sb, sc,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TB: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    pa = a + om[:, None] * sa + ok[None, :]
    pb = b + on[None, :] * sb + ok[:, None] if TB else b + ok[:, None] * sb + on[None, :]
    acc = tl.zeros((BM, BN), ACC)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc, out_dtype=ACC)
        pa += BK
        pb += BK if TB else BK * sb
    tl.store(c + om[:, None] * sc + on[None, :], acc)


@triton.jit
def tma(
    a, b, c, M, N, K, sa, sb, sc,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TB: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    om = tl.program_id(0) * BM
    on = tl.program_id(1) * BN
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    if TB:
        db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    else:
        db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        x = da.load([om, k])
        y = db.load([on, k]).T if TB else db.load([k, on])
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    rm = om + tl.arange(0, BM)
    rn = on + tl.arange(0, BN)
    tl.store(c + rm[:, None] * sc + rn[None, :], acc)


@triton.jit
def scaled(
    a, xa, b, xb, c, M, N, K, sa, sb, sc,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr,
):  # fmt: skip
    PA: tl.constexpr = 2 if FA == "e2m1" else 1
    PB: tl.constexpr = 2 if FB == "e2m1" else 1
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ka = tl.arange(0, BK // PA)
    kb = tl.arange(0, BK // PB)
    ks = tl.arange(0, BK // 32)
    pa = a + om[:, None] * sa + ka[None, :]
    pb = b + on[None, :] * sb + kb[:, None]
    qa = xa + om[:, None] * (K // 32) + ks[None, :]
    qb = xb + on[:, None] * (K // 32) + ks[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot_scaled(tl.load(pa), tl.load(qa), FA, tl.load(pb), tl.load(qb), FB, acc)
        pa += BK // PA
        pb += BK // PB
        qa += BK // 32
        qb += BK // 32
    tl.store(c + om[:, None] * sc + on[None, :], acc)


def jobs():
    """(name, kernel, capability, pointer types, constants, options)."""
    elements = ("fp16", "bf16", "fp32", "fp8e4nv", "fp8e5", "i8")
    for cc in (90, 100):
        for name in elements:
            out, acc = ("*i32", tl.int32) if name == "i8" else ("*fp32", tl.float32)
            for label, kernel, block, turned, stages, warps in (
                ("ptr", pointers, (128, 128, 64), False, 3, 4),
                ("ptr_t", pointers, (64, 64, 64), True, 1, 4),
                ("tma", tma, (128, 64, 64), False, 3, 4),
                ("tma_t", tma, (128, 256, 32), True, 3, 8),
                ("wide", pointers, (128, 128, 128), True, 2, 8),
            ):
                sizes = dict(zip(("BM", "BN", "BK"), block, strict=True))
                constants = {**sizes, "TB": turned, "ACC": acc}
                options = {"num_stages": stages, "num_warps": warps}
                yield f"{cc}_{name}_{label}", kernel, cc, (f"*{name}", f"*{name}", out), constants, options
    for label, fa, fb, ta, tb in (
        ("mxfp8", "e4m3", "e4m3", "fp8e4nv", "fp8e4nv"),
        ("mxfp8_e5", "e5m2", "e4m3", "fp8e5", "fp8e4nv"),
        ("mxfp4", "e2m1", "e2m1", "u8", "u8"),
        ("mxfp8_fp4", "e4m3", "e2m1", "fp8e4nv", "u8"),
    ):
        for block in ((128, 128, 128), (128, 64, 256)):
            constants = {**dict(zip(("BM", "BN", "BK"), block, strict=True)), "FA": fa, "FB": fb}
            options = {"num_stages": 2, "num_warps": 4}
            types = (f"*{ta}", "*u8", f"*{tb}", "*u8", "*fp32")
            yield f"100_{label}_{block[1]}", scaled, 100, types, constants, options


def main(folder: Path) -> None:
    """Compile what compiles."""
    for name, kernel, cc, types, constants, options in jobs():
        names = [each for each in kernel.arg_names if each not in constants]
        signature = dict(zip(names, types, strict=False))
        signature.update(dict.fromkeys(names[len(types) :], "i32"))
        signature.update(dict.fromkeys(constants, "constexpr"))
        attrs = {(i,): [["tt.divisibility", 16]] for i in range(len(names))}
        source = ASTSource(kernel, signature=signature, constexprs=constants, attrs=attrs)
        try:
            made = triton.compile(source, target=GPUTarget("cuda", cc, 32), options=options)
        except Exception as error:  # a type that the architecture has no tensor core for, by Triton's word
            print("no", name, str(error).strip().splitlines()[-1][:120], file=sys.stderr)
            continue
        for form in ("ptx", "llir", "ttgir"):
            (folder / f"{name}.{form}").write_text(made.asm[form])
        (folder / f"{name}.cubin").write_bytes(made.asm["cubin"])
        print(name, cc, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
