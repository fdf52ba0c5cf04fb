"""The steps of a loop over K: mistakes in right kernels are found, right kernels stay silent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import pytest
from tables import every_row

import smemdesc
from smemdesc.instructions.mma import Judge
from smemdesc.kinds.types import dtype_of
from smemdesc.scanning import scan_text
from smemdesc.tiles.tile import lay_out_tile

MN, K, DEEP = 128, 16, 64
A_START, B_START = 0x400, 0x8400
FAMILIES = ("wgmma", "tcgen05")
MODES = ("none", "32B", "64B", "128B")
MAJORS = ("K", "MN")
LANGUAGES = ("PTX", "SASS")
STARTS = ("constant", "symbol")


class Loop(NamedTuple):
    """The right descriptors of each K step: their upper bits, and the starts of A and B in bytes."""

    family: str
    mode: str
    major: str
    a: int
    b: int
    starts: tuple[tuple[int, int], ...]

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(a - self.starts[0][0] for a, _ in self.starts)


def loop(family: str, mode: str, major: str) -> Loop:
    """Return the K steps of a tile of 128 (wgmma: 64) x 64 of bf16."""
    dtype = dtype_of("bf16")
    assert dtype is not None
    rows = 64 if family == "wgmma" else MN
    both = [
        lay_out_tile(family, (mn, DEEP), dtype, major, mode, mma=(mn, K), start=start, order="mn").steps
        for mn, start in ((rows, A_START), (rows, B_START))
    ]
    a, b = ([step.value & ~0x3FFF for step in steps] for steps in both)
    assert len({*a}) == len({*b}) == 1
    starts = tuple((one.start, other.start) for one, other in zip(*both, strict=True))
    return Loop(family, mode, major, a[0], b[0], starts)


Starts = Sequence[tuple[int, int]]


def _each(loop: Loop, a: Sequence[int], b: Sequence[int]) -> Starts:
    return [(A_START + x, B_START + y) for x, y in zip(a, b, strict=True)]


def _multiples(by: int) -> list[int]:
    return [by * step for step in range(DEEP // K)]


MISTAKES: dict[str, Callable[[Loop], Starts]] = {
    "A not advanced": lambda right: _each(right, _multiples(0), right.steps),
    "B not advanced": lambda right: _each(right, right.steps, _multiples(0)),
    "neither advanced": lambda right: _each(right, _multiples(0), _multiples(0)),
    "by 32 B": lambda right: _each(right, _multiples(32), _multiples(32)),
    "A by a row": lambda right: _each(right, _multiples(_row(right)), right.steps),
    "both by a row": lambda right: _each(right, _multiples(_row(right)), _multiples(_row(right))),
    "half a step": lambda right: _each(right, [x // 2 for x in right.steps], [x // 2 for x in right.steps]),
    "A half a step": lambda right: _each(right, [x // 2 for x in right.steps], right.steps),
    "twice a step": lambda right: _each(right, [2 * x for x in right.steps], [2 * x for x in right.steps]),
    "A twice a step": lambda right: _each(right, [2 * x for x in right.steps], right.steps),
}


def _row(right: Loop) -> int:
    return 16 if right.mode == "none" else int(right.mode[:-1])


def ptx(right: Loop, starts: Starts, where: str) -> str:
    lines = [
        ".version 8.7", f".target {'sm_90a' if right.family == 'wgmma' else 'sm_100a'}", ".address_size 64",
        ".visible .entry k(.param .u32 q)", "{", ".reg .b32 %r<99>;", ".reg .b64 %d<99>;", ".reg .f32 %f<99>;",
        ".reg .pred %p<2>;", ".shared .align 1024 .b8 sm[65536];", "ld.param.u32 %r2, [q];",
        "setp.eq.u32 %p1, %r2, 0;", "mov.b32 %r3, " + hex(idesc(right)) + ";", "mov.u32 %r1, sm;",
    ]  # fmt: skip
    for step, pair in enumerate(starts):
        for name, start, upper in zip("ab", pair, (right.a, right.b), strict=True):
            at = 10 + 4 * step + 2 * (name == "b")
            if where == "constant":
                lines.append(f"mov.b64 %d{at}, {upper | start >> 4:#x};")
            else:
                lines += [f"add.u32 %r{at}, %r1, {start};", f"shr.u32 %r{at + 1}, %r{at}, 4;",
                          f"and.b32 %r{at + 1}, %r{at + 1}, 16383;", f"cvt.u64.u32 %d{at}, %r{at + 1};",
                          f"or.b64 %d{at}, %d{at}, {upper:#x};"]  # fmt: skip
        a, b = f"%d{10 + 4 * step}", f"%d{12 + 4 * step}"
        if right.family == "wgmma":
            registers = ", ".join(f"%f{number}" for number in range(32))
            trans = int(right.major == "MN")
            lines.append(f"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{registers}}}, {a}, {b}, 1, 1, 1, "
                         f"{trans}, {trans};")  # fmt: skip
        else:
            lines.append(f"tcgen05.mma.cta_group::1.kind::f16 [%r2], {a}, {b}, %r3, %p1;")
    return "\n".join([*lines, "ret;", "}", ""])


def sass(right: Loop, starts: Starts, where: str) -> str:
    lines = ["S2UR UR21, SR_CTAID.X", "USHF.L.U32 UR21, UR21, 0xa, URZ"]
    for pair in starts:
        for number, (start, upper) in enumerate(zip(pair, (right.a, right.b), strict=True)):
            low, high = 4 + 2 * number, upper >> 32
            if where == "constant":
                lines.append(f"UMOV UR{low}, {upper & 0xFFFFFFFF | start >> 4:#x}")
            else:
                lines += [f"UIADD3 UR{low}, UR21, {start:#x}, URZ", f"USHF.R.U32.HI UR{low}, URZ, 0x4, UR{low}",
                          f"ULOP3.LUT UR{low}, UR{low}, 0x3fff, URZ, 0xc0, !UPT",
                          f"ULOP3.LUT UR{low}, UR{low}, {upper & 0xFFFFFFFF:#x}, URZ, 0xfc, !UPT"]  # fmt: skip
            lines.append(f"UMOV UR{low + 1}, {high:#x}")
        if right.family == "wgmma":
            turned = ".tnspA.tnspB" if right.major == "MN" else ""
            lines.append(f"HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4]{turned}, R24")
        else:
            lines += [f"UMOV UR11, {idesc(right):#x}"]
            lines.append("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UPT")
    lines.append("EXIT")
    body = "\n".join(f"        /*{16 * at:04x}*/                   {line} ;" for at, line in enumerate(lines))
    return f'.section .text.k,"ax",@progbits\n.text.k:\n{body}\n'


def idesc(right: Loop) -> int:
    return 0x08200490 | (0x18000 if right.major == "MN" else 0)


WRITERS = {"PTX": ptx, "SASS": sass}


def warnings(text: str) -> list[str]:
    """Return what is said of the steps, one for each MMA; everything else about them must be right, or of K."""
    (function,) = scan_text(text).functions
    judge = Judge()
    return [
        finding.message
        for mma in function.mmas
        for _, finding in judge.judge(mma.model).findings
        if finding.rule == "k-step"
    ]


CASES = list(product(FAMILIES, MODES, MAJORS, LANGUAGES, STARTS))


@pytest.mark.slow
@pytest.mark.parametrize(("family", "mode", "major", "language", "where"), CASES)
def test_a_right_loop_is_silent(family: str, mode: str, major: str, language: str, where: str) -> None:
    right = loop(family, mode, major)
    text = WRITERS[language](right, right.starts, where)
    assert warnings(text) == []
    (function,) = scan_text(text).functions
    found = [mma.moves and mma.moves[:2] for mma in function.mmas]
    expected = [(a - x, b - y) for (x, y), (a, b) in zip(right.starts, right.starts[1:], strict=False)]
    assert found == [None, *expected]


NOT_SAID = {
    "A not advanced": ("K 32B",),
    "B not advanced": ("K 32B",),
    "A by a row": ("K 32B", "K 64B", "K 128B", "K none"),
    "A half a step": ("K 32B",),
    "twice a step": ("K 32B", "K none", *(f"MN {mode}" for mode in MODES)),
    "A twice a step": ("K 32B", "K 64B", "K none", *(f"MN {mode}" for mode in MODES)),
}
"""Where the next K step is another atom, of which the descriptor does not say where it is, another buffer may be there.
A window of pixels, each in a row of its own, moves by rows. Two accumulators may take turns."""
RIGHT = {("by 32 B", "K", "128B")}


@pytest.mark.slow
@pytest.mark.parametrize(("family", "mode", "major", "language", "where"), CASES)
def test_a_mistake_is_found(family: str, mode: str, major: str, language: str, where: str) -> None:
    right = loop(family, mode, major)
    found = {name for name, wrong in MISTAKES.items() if warnings(WRITERS[language](right, wrong(right), where))}
    said = {name for name in MISTAKES if f"{major} {mode}" not in NOT_SAID.get(name, ())}
    assert found == {name for name in said if (name, major, mode) not in RIGHT}


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("mode", MODES)
def test_exchanged_strides_are_said_to_be_exchanged(family: str, mode: str) -> None:
    """Without swizzle; with one, a K-major operand has one stride."""
    right = loop(family, mode, "K")
    a, b = (
        upper & ~0x3FFF3FFF0000 | (upper >> 16 & 0x3FFF) << 32 | (upper >> 32 & 0x3FFF) << 16 for upper in right[3:5]
    )
    (function,) = scan_text(ptx(right._replace(a=a, b=b), right.starts, "constant")).functions
    judge = Judge()
    said = [finding.likely for mma in function.mmas for _, finding in judge.judge(mma.model).findings]
    assert any("LBO and SBO are exchanged" in each for each in said) == (mode == "none")


SYMBOL = ("wgmma", "128B", "K", "PTX", "symbol")
BETWEEN = "wgmma.mma_async"
OTHERS = {
    "A waits for other data": ("A not advanced", ("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r9], 0;", 1)),
    "a barrier": ("neither advanced", ("bar.sync 0;", 1)),
    "new data are written": ("neither advanced", ("st.shared.b32 [%r9], %r2;", 1)),
    "a new sum": ("neither advanced", (", 1, 1, 1, 0, 0;", ", 0, 1, 1, 0, 0;")),
    "a branch": ("both by a row", ("@%p1 bra $L__end;", 1)),
    "a label": ("both by a row", ("$L_a:", 1)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_is_said_of_mmas_that_may_not_follow_each_other(name: str) -> None:
    """Data may be new, the sum may be new, or the one may be reached without the other."""
    mistake, (line, to) = OTHERS[name]
    family, mode, major, language, where = SYMBOL
    right = loop(family, mode, major)
    text = WRITERS[language](right, MISTAKES[mistake](right), where)
    assert warnings(text)
    changed = text.replace(line, str(to)) if to != 1 else text.replace(BETWEEN, f"{line}\n{BETWEEN}")
    if "bra" in line:
        changed = changed.replace("ret;", "$L__end:\nret;")
    if line.endswith(":"):
        for number in range(4):
            changed = changed.replace(line, f"$L_{number}:", 1)
        jumps = "".join(f"@%p1 bra $L_{number};\n" for number in range(4))
        changed = changed.replace("setp.eq.u32 %p1, %r2, 0;", f"setp.eq.u32 %p1, %r2, 0;\n{jumps}")
    assert warnings(changed) == []


KERNELS: dict[str, Callable[[Loop], Starts]] = {
    "three products": lambda right: [
        (A_START + x + a, B_START + x + b) for x in (0, 32) for a, b in ((0, 0), (0, 0x4000), (0x2000, 0))
    ],
    "a window of pixels": lambda right: _each(right, _multiples(128), _multiples(0x2000)),
    "taps of a filter": lambda right: _each(right, _multiples(0), _multiples(0x2000)),
    "another order": lambda right: _each(right, (0, 64, 32, 96), (0, 64, 32, 96)),
    "stages that wrap around": lambda right: _each(
        right, (0, 32, 0x2000, 0x2020, 0, 32), (0, 32, 0x2000, 0x2020, 0, 32)
    ),
    "every second step": lambda right: _each(right, (0, 64), (0, 64)),
}


@pytest.mark.slow
@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", KERNELS)
def test_a_right_kernel_is_silent(name: str, language: str, where: str) -> None:
    right = loop("wgmma", "128B", "K")
    assert warnings(WRITERS[language](right, KERNELS[name](right), where)) == []


HEAD = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry k(.param .u32 q)
{
.reg .b32 %r<19>;
.reg .b64 %d<29>;
.reg .pred %p<4>;
.shared .align 1024 .b8 sm[65536];
ld.param.u32 %r2, [q];
mov.b32 %r3, 0x8200490;
mov.u32 %r1, sm;
shr.u32 %r4, %r1, 4;
and.b32 %r4, %r4, 16383;
cvt.u64.u32 %d1, %r4;
or.b64 %d2, %d1, 0x4000404000010000;
add.s64 %d4, %d2, 1024;
mov.u32 %r5, 0;
mov.b64 %d6, %d2;
$L_1:
"""
MMA = "tcgen05.mma.cta_group::1.kind::f16 [%r2], %d2, %d4, %r3, %p1;"
TAIL = "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 4;\n@%p2 bra $L_1;\nret;\n}\n"
ROUNDS: dict[str, tuple[str, tuple[int, int] | None, bool]] = {
    "right": (f"{MMA}\nadd.s64 %d2, %d2, 2;\nadd.s64 %d4, %d4, 2;", (32, 32), False),
    "A stays": (f"{MMA}\nadd.s64 %d4, %d4, 2;", (0, 32), True),
    "B stays": (f"{MMA}\nadd.s64 %d2, %d2, 2;", (32, 0), True),
    "by rows": (f"{MMA}\nadd.s64 %d2, %d2, 8;\nadd.s64 %d4, %d4, 8;", (128, 128), True),
    "A by two steps": (f"{MMA}\nadd.s64 %d2, %d2, 4;\nadd.s64 %d4, %d4, 2;", (64, 32), True),
    "in two sums": (f"add.s64 %d2, %d2, 1;\n{MMA}\nadd.s64 %d2, %d2, 1;\nadd.s64 %d4, %d4, 2;", (32, 32), False),
    "of a counter": (
        "shl.b32 %r6, %r5, 5;\nadd.u32 %r7, %r1, %r6;\nshr.u32 %r8, %r7, 4;\nand.b32 %r8, %r8, 16383;\n"
        f"cvt.u64.u32 %d7, %r8;\nor.b64 %d2, %d7, 0x4000404000010000;\n{MMA}\nadd.s64 %d4, %d4, 2;",
        (32, 32),
        False,
    ),
    "neither": (MMA, None, False),
    "by an unknown number": (
        f"{MMA}\nadd.s64 %d4, %d4, 2;\nld.shared.u64 %d8, [%r2];\nadd.s64 %d2, %d2, %d8;", None, False,
    ),
    "a choice": (f"{MMA}\nadd.s64 %d4, %d4, 2;\nselp.b64 %d2, %d2, %d6, %p3;", None, False),
    "data that are new": (f"{MMA}\nadd.s64 %d4, %d4, 2;\nbar.sync 0;", None, False),
    "another accumulator": (f"{MMA}\nadd.s64 %d4, %d4, 2;\nadd.u32 %r2, %r2, 128;", None, False),
    "two MMAs": (f"{MMA}\nadd.s64 %d4, %d4, 2;\n{MMA.replace('%r2', '%r9')}", None, False),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_an_mma_in_a_loop(name: str) -> None:
    body, moves, wrong = ROUNDS[name]
    text = f"{HEAD}{body}\n{TAIL}"
    mma = scan_text(text).functions[0].mmas[0]
    assert (mma.moves and mma.moves[:2]) == moves
    assert bool(warnings(text)) == wrong


def test_threads_that_take_turns_are_no_loop_over_k() -> None:
    right = loop("tcgen05", "128B", "K")
    lines = WRITERS["SASS"](right, right.starts[:1], "symbol").split("\n")
    at = next(number for number, line in enumerate(lines) if "UTCHMMA" in line)
    turns = [*lines[:at], ".L_x_0:", lines[at], "@P0 BRA.U.ANY `(.L_x_0) ;".rjust(70), *lines[at + 1 :]]
    assert warnings("\n".join(turns)) == []


START_FORMS = {"constant": "mov.u32 %r1, 1024;", "symbol": "mov.u32 %r1, sm;", "argument": "ld.param.u32 %r1, [p];"}


def by_additions(form: str, high: int, idesc: int, b_step: int) -> str:
    """Return PTX in which A stays and B moves by additions to its descriptor, which may carry out of the start."""
    calls = "".join(
        f"add.s64 %d3, %d2, {step * b_step};\ntcgen05.mma.cta_group::1.kind::f16 [%r2], %d1, %d3, %r3, %p1;\n"
        for step in range(4)
    )
    half = "shr.u32 %r{0}, %r{0}, 4;\nand.b32 %r{0}, %r{0}, 16383;\n"
    half += "cvt.u64.u32 %d{1}, %r{0};\nor.b64 %d{1}, %d{1}, {2:#x};"
    return (
        ".version 8.7\n.target sm_100a\n.visible .entry k(.param .u32 q, .param .u32 p)\n{\n.reg .b32 %r<9>;\n"
        ".reg .b64 %d<9>;\n.reg .pred %p<2>;\n.shared .align 1024 .b8 sm[131072];\nld.param.u32 %r2, [q];\n"
        f"setp.eq.u32 %p1, %r2, 0;\nmov.b32 %r3, {idesc:#x};\n{START_FORMS[form]}\nmov.u32 %r4, %r1;\n"
        f"add.u32 %r5, %r1, 65536;\n{half.format(4, 1, high)}\n{half.format(5, 2, high)}\n{calls}ret;\n}}\n"
    )


@every_row(
    ("high", "idesc", "b_step"),
    [
        (0x4000404002000000, 0x08218490, 128),  # MN-major, two groups of 8 k
        (0x0000400800800000, 0x08200490, 256),  # K-major without swizzle, two core matrices
    ],
)
def test_a_step_that_may_carry_is_found_whatever_the_start_is(high: int, idesc: int, b_step: int) -> None:
    for form in START_FORMS:
        rules = [each.rule for each in smemdesc.scan(by_additions(form, high, idesc, b_step)).findings]
        assert rules.count("k-step") == 3, form
