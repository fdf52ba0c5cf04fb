"""MMAs that read one tile step by step: the one that says something else is named, and nothing of right kernels."""

from __future__ import annotations

from itertools import product

import pytest
from tables import every_row

from rules.test_steps import CASES, DEEP, KERNELS, LANGUAGES, STARTS, WRITERS, K, Loop, loop
from smemdesc.instructions.mma import Judge
from smemdesc.rules.base import Finding
from smemdesc.scanning import scan_text

STEPS = DEEP // K
CHANGED = {
    "swizzle": {"wgmma": 3 << 62, "tcgen05": 6 << 61},
    "stride_byte_offset": dict.fromkeys(("wgmma", "tcgen05"), 3 << 40),
    "leading_byte_offset": dict.fromkeys(("wgmma", "tcgen05"), 3 << 24),
}
"""The bits of a field that are turned."""


def odd_ones(text: str) -> dict[int, list[Finding]]:
    """Return what is said of each MMA that is odd, by its number in the text."""
    judge = Judge()
    mmas = [mma for function in scan_text(text).functions for mma in function.mmas]
    found = {
        number: [finding for _, finding in judge.judge(mma.model).findings if finding.rule == "odd-one-out"]
        for number, mma in enumerate(mmas)
    }
    return {number: findings for number, findings in found.items() if findings}


def with_other_b(text: str, language: str, right: Loop, number: int, bits: int, where: str) -> str:
    """Return a loop of which the MMA with this number has other bits in the descriptor of B."""
    lines = text.split("\n")
    high = f"UMOV UR7, {right.b >> 32:#x}"
    if language == "SASS":
        low = f"{(right.b | right.starts[number][1] >> 4) & 0xFFFFFFFF:#x}" if where == "constant" else "0x"
        marks = [at for at, line in enumerate(lines) if high in line]
        at = marks[number]
        lines[at] = lines[at].replace(f"{right.b >> 32:#x}", f"{(right.b ^ bits) >> 32:#x}")
        for before in range(at - 4, at):
            for name in ("UMOV UR6, ", "ULOP3.LUT UR6, UR6, "):
                word = lines[before].partition(name)[2].partition(" ")[0].rstrip(",")
                if word not in ("", "0x3fff") and word.startswith(low[:2]):
                    changed = f"{int(word, 16) ^ (bits & 0xFFFFFFFF):#x}"
                    lines[before] = lines[before].replace(f"{name}{word}", f"{name}{changed}")
        return "\n".join(lines)
    register = f"%d{12 + 4 * number}"
    name = f"mov.b64 {register}, " if where == "constant" else f"or.b64 {register}, {register}, "
    at = next(at for at, line in enumerate(lines) if line.startswith(name))
    lines[at] = f"{name}{int(lines[at][len(name) :].rstrip(';'), 16) ^ bits:#x};"
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(("family", "mode", "major", "language", "where"), CASES)
def test_a_right_loop_is_silent(family: str, mode: str, major: str, language: str, where: str) -> None:
    right = loop(family, mode, major)
    assert odd_ones(WRITERS[language](right, right.starts, where)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("field", CHANGED)
@pytest.mark.parametrize(("family", "mode", "major", "language", "where"), CASES)
def test_the_odd_one_out_is_named(family: str, mode: str, major: str, language: str, where: str, field: str) -> None:
    right = loop(family, mode, major)
    text = WRITERS[language](right, right.starts, where)
    unused = field == "leading_byte_offset" and (family, mode, major) in WITHOUT_LBO
    for number in range(STEPS):
        changed = with_other_b(text, language, right, number, CHANGED[field][family], where)
        assert changed != text
        found = {at: [(each.operand, each.fields) for each in every] for at, every in odd_ones(changed).items()}
        assert found == ({} if unused else {number: [("b", (field,))]})


WITHOUT_LBO = {("wgmma", "128B", "MN"), *product(("wgmma", "tcgen05"), ("32B", "64B", "128B"), ("K",))}
"""Where an operand never reaches a second step along LBO: 64 columns are one row of 128 bytes."""


@pytest.mark.slow
@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", KERNELS)
def test_a_right_kernel_is_silent(name: str, language: str, where: str) -> None:
    right = loop("wgmma", "128B", "K")
    assert odd_ones(WRITERS[language](right, KERNELS[name](right), where)) == {}


HEAD = """.version 8.7
.target sm_100a
.visible .entry k(.param .u32 q)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
.reg .pred %p<2>;
ld.param.u32 %r2, [q];
add.u32 %r4, %r2, 128;
"""
PRODUCT = """mov.b32 %r3, {idesc:#x};
mov.b64 %d1, {a:#x};
mov.b64 %d2, {b:#x};
tcgen05.mma.cta_group::1.kind::f16 [%r{d}], %d1, %d2, %r3, %p1;
"""
A128, A64, IDESC = 0x4000404000010040, 0x8000402000010040, 0x8200490
B128, B64 = A128 + 0x400, A64 + 0x400
TRANSPOSED, NEGATED, N64 = IDESC | 1 << 16, IDESC | 1 << 13, IDESC & ~(0x3F << 17) | 8 << 17


def products(*rows: tuple[int, int, int, int]) -> str:
    """Return PTX with an MMA for each idesc, A, B and accumulator."""
    return HEAD + "".join(PRODUCT.format(idesc=i, a=a, b=b, d=d) for i, a, b, d in rows) + "ret;\n}\n"


def steps(a: int, b: int, d: int = 2, times: int = 4, idesc: int = IDESC) -> list[tuple[int, int, int, int]]:
    return [(idesc, a + 2 * step, b + 2 * step, d) for step in range(times)]


def replaced(rows: list[tuple[int, int, int, int]], at: int, idesc: int) -> list[tuple[int, int, int, int]]:
    return [(idesc, *row[1:]) if number == at else row for number, row in enumerate(rows)]


RIGHT_KERNELS = {
    "two products of other layouts": [*steps(A128, B128), *steps(A64 + 0x800, B64 + 0x1000, 4)],
    "on one accumulator": [*steps(A128, B128), *steps(A64 + 0x800, B64 + 0x1000)],
    "a rest of K of another shape": [*steps(A128, B128), *steps(A64 + 0x800, B64 + 0x1000, times=1)],
    "a tile that is used again": [*steps(A128, B128), *steps(A64, B64, times=2)],
    "the rest of K first": [*steps(A64 + 0x800, B64 + 0x1000, times=2), *steps(A128, B128)],
    "A transposed in another product": [*steps(A128, B128), *steps(A128, B128 + 0x400, idesc=TRANSPOSED)],
    "a part that is subtracted": replaced(steps(A128, B128), 3, NEGATED),
    "a triangle": replaced(steps(A128, B128), 3, N64),
    "N steps": [row for step in range(4) for row in (*steps(A128 + 2 * step, B128 + 2 * step, times=1),
                                                     *steps(A128 + 2 * step, B128 + 0x400 + 2 * step, 4, 1))],
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT_KERNELS)
def test_other_tiles_may_have_other_layouts(name: str) -> None:
    assert odd_ones(products(*RIGHT_KERNELS[name])) == {}


@every_row(
    ("rows", "said"),
    [
        (replaced(steps(A128, B128), 0, TRANSPOSED), {0: ("idesc", ("transpose_b",))}),
        (replaced(steps(A128, B128), 1, N64), {1: ("idesc", ("n",))}),
        (replaced(steps(A128, B128), 3, IDESC ^ 1 << 7), {3: ("idesc", ("a_type",))}),
        ([*steps(A128, B128, times=1), (IDESC, A128 + 2, B64 + 2, 2)], {1: ("b", ("swizzle", "stride_byte_offset"))}),
        ([(IDESC, A64, B128, 2), *steps(A128, B128)[1:]], {0: ("a", ("swizzle", "stride_byte_offset"))}),
    ],
)
def test_what_the_others_do_not_say_is_named(
    rows: list[tuple[int, int, int, int]], said: dict[int, tuple[str, tuple[str, ...]]]
) -> None:
    found = odd_ones(products(*rows))
    assert {at: (each.operand, each.fields) for at, (each,) in found.items()} == said


def test_a_majority_has_a_repair_and_two_that_contradict_each_other_have_none() -> None:
    ((odd,),) = odd_ones(products(*steps(A128, B128)[:3], (IDESC, A128 + 6, B64 + 6, 2))).values()
    assert [str(each) for each in odd.repair] == ["write swizzle 128B", "write SBO 1024 B (encoded 64)"]
    ((one,),) = odd_ones(products(*steps(A128, B128, times=1), (IDESC, A128 + 2, B64 + 2, 2))).values()
    assert (one.repair, one.fix) == ((), "all of them must say the same")


@every_row(
    ("language", "head", "call", "tail"),
    [
        (
            "LLVM IR",
            "define ptx_kernel void @k(ptr addrspace(6) %t) {\n",
            "  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %t, i64 {a}, i64 {b}, i32 {i}, i1 true, "
            "i32 0, i32 1, i32 0)\n",
            "  ret void\n}\n",
        ),
        (
            "MLIR",
            "llvm.func @k(%t: !llvm.ptr<6>) attributes {nvvm.kernel} {\n  %e = llvm.mlir.constant(true) : i1\n",
            "  %a{n} = llvm.mlir.constant({a} : i64) : i64\n  %b{n} = llvm.mlir.constant({b} : i64) : i64\n"
            "  %i{n} = llvm.mlir.constant({i} : i32) : i32\n"
            "  nvvm.tcgen05.mma %t, %a{n}, %b{n}, %i{n}, %e {{kind = #nvvm.tcgen05_mma_kind<f16>, "
            "ctaGroup = #nvvm.cta_group<cta_1>}} : (!llvm.ptr<6>, i64, i64, i32, i1)\n",
            "  llvm.return\n}\n",
        ),
    ],
)
def test_every_language(language: str, head: str, call: str, tail: str) -> None:
    rows = steps(A128, B128)
    rows[2] = (IDESC, A128 + 4, 0x8000404000010444, 2)
    text = head + "".join(call.format(a=a, b=b, i=i, n=n) for n, (i, a, b, _) in enumerate(rows)) + tail
    assert scan_text(text).functions[0].format == language
    assert list(odd_ones(text)) == [2]
