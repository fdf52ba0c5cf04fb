"""Control flow, scopes, and text that is odd or cut off."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis.operands import CUT_OFF
from smemdesc.scanning.languages.ptx import analyse

from .asking import HEAD, function, mma, probe

FULL = 0xFFFFFFFF


def test_each_mma_sees_what_holds_at_it() -> None:
    first, second = function(f"mov.b32 %x, 1;\n{probe('%x')} mov.b32 %x, 2;\n{probe('%x')}").mmas
    assert first.b
    assert second.b
    assert (first.line, first.b.bits, second.line, second.b.bits) == (4, 1, 5, 2)


def test_accumulators_are_written() -> None:
    last = function(f"mov.b32 %f3, 7; {probe('%u')} mov.b32 %x, %f3; {probe('%x')}").mmas[-1]
    assert last.b is not None
    assert last.b.known == 0


def test_a_selection_is_the_branch_that_the_use_implies() -> None:
    lines = "setp.ne.b32 %p1, %u, 0; selp.b32 %x, 7, %v, %p1; @!%p1 bra A;"
    of = mma(f"{HEAD} {lines}\n{probe('%x')} A: ret; }}").b
    assert of is not None
    assert (of.bits, of.known) == (7, FULL)
    other = mma(f"{HEAD} {lines.replace('@!', '@')}\n{probe('%x')} A: ret; }}").b
    assert other is not None
    assert other.known == 0


TABLES = {
    "may lead to the next statement": "@%p1 brx.idx %i, T; A: @%p1 mov.b32 %x, 5; B:",
    "of two branches": "@%p1 brx.idx %i, T; mov.b32 %x, 5; brx.idx %i, T; A: B:",
}


@pytest.mark.parametrize("code", TABLES.values(), ids=list(TABLES))
def test_branches_through_a_table(code: str) -> None:
    of = mma(f"{HEAD} T: .branchtargets A, B; mov.b32 %x, 7; {code}\n{probe('%x')} ret; }}").b
    assert of is not None
    assert (of.bits, of.known) == (5, FULL & ~2)


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


CUT = {
    "no jump": (f"mov.b32 %x, 7;\n{probe('%x')}", FULL, 0),
    "a loop": (f"mov.b32 %x, 7; A:\n{probe('%x')} @%p1 bra A;", 0, FULL),
    "a loop that changes it": (f"mov.b32 %x, 7; A:\n{probe('%x')} mov.b32 %x, 5; @%p1 bra A;", 0, FULL & ~2),
}


@pytest.mark.parametrize(("text", "known", "assumed"), CUT.values(), ids=list(CUT))
def test_of_a_function_that_is_cut_off_more_is_assumed_than_known(text: str, known: int, assumed: int) -> None:
    found = mma(f"{HEAD}{text}\n").b
    assert found is not None
    assert (found.known, found.provided.known if found.provided else 0) == (known, assumed)
    if assumed:
        assert (found.lost, found.lost_text) == (4, CUT_OFF)


def test_text_cut_anywhere_is_read() -> None:
    text = f"{HEAD}{{ .reg .b64 d; A: mov.b64 d, {{%r1, %r2}}; /* c */ @%p1 bra A;\n{probe('d')} }}\n}}\n".encode()
    counts = [len(found.mmas) for end in range(len(text)) if (found := analyse(text[:end], 1, None, None))]
    assert counts[-1] == 1
    for start in range(len(text)):
        analyse(text[start:], 1, None, None)


LONG = {
    "one long line": "mov.b32 %r1, 2; " * 20_000,
    "one long operand": "mov.b32 %r1, " + "9" * 300_000,
    "long list": "mov.b64 {" + "%r, " * 80_000 + "}, %rd1;",
    "no semicolons": "mov.b32 %r1, 2\n" * 20_000,
    "empty lines": "\n" * 300_000,
    "dots": "." * 300_000,
}


@pytest.mark.slow
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
