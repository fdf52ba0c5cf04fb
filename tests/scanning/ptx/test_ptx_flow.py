"""Control flow, scopes, and text that is odd or cut off."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.ptx import analyse

from .asking import HEAD, function, low, mma, probe

FULL = 0xFFFFFFFF
SEVEN = (7, FULL)
NOTHING = (0, 0)

FLOWS = {
    "branch over": ("mov.b32 %x, 7; @%p1 bra A; mov.b32 %x, 5; A:", (5, FULL & ~2)),
    "branch always": ("mov.b32 %x, 7; bra.uni A; mov.b32 %x, 5; A:", SEVEN),
    "two ways": ("@%p1 bra A; mov.b32 %x, 7; bra B; A: mov.b32 %x, 23; B:", (7, FULL & ~16)),
    "a way that ends": ("mov.b32 %x, 7; @%p1 bra A; mov.b32 %x, 5; ret; A:", SEVEN),
    "a way that perhaps ends": ("mov.b32 %x, 7; @%p1 bra A; mov.b32 %x, 5; @%p2 exit; A:", (5, FULL & ~2)),
    "loop": ("mov.b32 %x, 0; A: add.s32 %x, %x, 4; @%p1 bra A;", (0, 3)),
    "loop that keeps it": ("mov.b32 %x, 7; A: add.s32 %y, %y, 4; @%p1 bra A;", SEVEN),
    "written behind the loop's use": (
        "mov.b32 %z, 7; A: mov.b32 %x, %z; @%p1 bra B; mov.b32 %z, 5; bra A; B:",
        (5, FULL & ~2),
    ),
    "table": (
        "mov.b32 %x, 7; brx.idx %i, T; T: .branchtargets A, B; A: mov.b32 %x, 5; B:",
        (5, FULL & ~2),
    ),
    "table that is not there": ("mov.b32 %x, 7; @%p1 brx.idx %i, T; A:", NOTHING),
    "label that is not there": ("mov.b32 %x, 7; @%p1 bra A; B:", NOTHING),
    "debugger's labels": ("mov.b32 %x, 7; $L__tmp1: \n$L__tmp2:", SEVEN),
    "register of a block": ("mov.b32 %x, 7; { .reg .b32 %x; mov.b32 %x, 5; }", SEVEN),
    "range of a block": ("mov.b32 %x1, 7; { .reg .b32 %x<2>; mov.b32 %x1, 5; } mov.b32 %x, %x1;", SEVEN),
    "out of a block": ("{ .reg .b32 lo, hi; mov.b32 lo, 7; mov.b32 %x, lo; }", SEVEN),
    "the same name in two blocks": (
        "{ .reg .b32 lo; mov.b32 lo, 7; mov.b32 %x, lo; }"
        "{ .reg .b32 lo; mov.b32 lo, 5; { .reg .b32 hi; mov.b32 lo, 6; } }",
        SEVEN,
    ),
    "the same label in two blocks": (
        "mov.b32 %x, 5; { W: @%p1 bra W; mov.b32 %x, 7; } mov.b32 %x, 5; { @%p1 bra W; mov.b32 %x, 7; W: } ",
        (5, FULL & ~2),
    ),
    "comments": ("mov.b32 /* %y, */ %x, // 3;\n /* mov.b32 %x,\n 5; // */ 7; // mov.b32 %x, 4;", SEVEN),
    "several lines": ("mov.b32\n\n %x,\n 7\n;", SEVEN),
    "a line that was cut": ("mov.b32 %x, 7;\nmov.b32 %y, 5\nadd.s32 %z, %x, %y;", NOTHING),
    "a label twice": ("mov.b32 %x, 7; A:\n@%p1 bra B; A: B:", NOTHING),
    "a label that is not there": ("mov.b32 %x, 7; @%p1 bra A;", NOTHING),
    "junk": ("mov.b32 %x, 7;\n<<< what is this? >>>\n\"so\" 1 2 3 ; ... ; ]) ;", NOTHING),
    "junk that names it": ("mov.b32 %x, 7; foo.bar [%x] ;", NOTHING),
    "carriage returns": ("mov.b32 %x, 7;\r\n", SEVEN),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), FLOWS.values(), ids=list(FLOWS))
def test_flow(code: str, expected: tuple[int, int]) -> None:
    assert low(code) == expected


def test_each_mma_sees_what_holds_at_it() -> None:
    first, second = function(f"mov.b32 %x, 1;\n{probe('%x')} mov.b32 %x, 2;\n{probe('%x')}").mmas
    assert first.b
    assert second.b
    assert (first.line, first.b.bits, second.line, second.b.bits) == (4, 1, 5, 2)


def test_accumulators_are_written() -> None:
    assert low(f"mov.b32 %f3, 7; {probe('%u')} mov.b32 %x, %f3;".replace(probe("%u"), "")) == SEVEN
    last = function(f"mov.b32 %f3, 7; {probe('%u')} mov.b32 %x, %f3; {probe('%x')}").mmas[-1]
    assert last.b is not None
    assert last.b.known == 0


FRAGMENTS = {
    "no header": (f"mov.b32 %x, 7;\n{probe('%x')}", FULL),
    "no end": (f"{HEAD} mov.b32 %x, 7;\n{probe('%x')}", FULL),
    "no semicolon": (f"mov.b32 %x, 7;\n{probe('%x')}".removesuffix(";"), FULL),
    "a branch out of it": (f"mov.b32 %x, 7; @%p1 bra OUT;\n{probe('%x')}", FULL),
    "what was cut off may jump to a label": (f"mov.b32 %x, 7; A:\n{probe('%x')}", 0),
    "braces too many": (f"}} }} mov.b32 %x, 7;\n{probe('%x')} }}", FULL),
}


@pytest.mark.parametrize(("text", "known"), FRAGMENTS.values(), ids=list(FRAGMENTS))
def test_fragment(text: str, known: int) -> None:
    found = mma(text).b
    assert found is not None
    assert found.known == known


def test_text_cut_anywhere_is_read() -> None:
    text = f"{HEAD}{{ .reg .b64 d; A: mov.b64 d, {{%r1, %r2}}; /* c */ @%p1 bra A;\n{probe('d')} }}\n}}\n".encode()
    counts = [len(found.mmas) for end in range(len(text)) if (found := analyse(text[:end], 1, None, None))]
    assert counts[-1] == 1
    for start in range(len(text)):
        analyse(text[start:], 1, None, None)


LONG = {
    "one long line": "mov.b32 %r1, 2; " * 60_000,
    "one long operand": "mov.b32 %r1, " + "9" * 1_000_000,
    "long list": "mov.b64 {" + "%r, " * 250_000 + "}, %rd1;",
    "no semicolons": "mov.b32 %r1, 2\n" * 60_000,
    "empty lines": "\n" * 1_000_000,
    "dots": "." * 1_000_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=list(LONG))
def test_long_text_is_read_in_linear_time(text: str) -> None:
    assert mma(f"{text}\nmov.b32 %x, 7;\n{probe('%x')}").b is not None


def test_what_is_not_understood_is_counted() -> None:
    assert function(f"somenew.b32 %y, 1; ??? ;\n{probe('%x')}").odd == 2
    assert function(f"mov.b32 %y, 1; {{ }} ret;\n{probe('%x')}").odd == 0


def test_without_an_mma_there_is_no_function() -> None:
    assert analyse(b".entry k() { ret; }", 1, "k", None) is None
    assert analyse(b".entry k() { // wgmma.mma_async\n ret; }", 1, "k", None) is None


LOOP = """\
.target sm_100a
.visible .entry k(.param .u32 n)
{
mov.b64 %rd1, 0x4000404000010040;
$L1:
tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd1, %rd1, %r2, %p3;
add.s64 %rd1, %rd1, 0x1000000000;
@%p1 bra $L1;
ret;
}
"""


@pytest.mark.parametrize(
    "line",
    ["$L1:", "tcgen05", "add", "@%p1", "ret"],
)
def test_a_brace_too_many_ends_no_loop(line: str) -> None:
    """Code behind the end of a function is part of it."""
    text = LOOP.replace(f"\n{line}", f"\n}}\n{line}")
    known = [each.a.known >> 32 for of in scan_text(text).functions for each in of.mmas if each.a]
    assert known in ([0xF], [0])
