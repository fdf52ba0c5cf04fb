"""Inline PTX in LLVM IR and MLIR: its operands are values of the function around it, and its outputs, too."""

from __future__ import annotations

import re

import pytest
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedMma, ScannedOperand

LLVM, MLIR = "LLVM IR", "MLIR"
HIGH = 1 << 30 | 1 << 14
FULL = ones(64)
ADDRESS = ones(14)
COPY = "tcgen05.cp.cta_group::1.128x256b [0], DESC;"


def call(form: str, to: str, asm: str, outputs: str, inputs: str) -> str:
    """A call of inline PTX; ``inputs``: "r i32 %a, l i64 %b"; ``outputs``: the constraint of each result."""
    given = [each.split() for each in inputs.split(", ") if each]
    constraints = ",".join((*(f"={each}" for each in outputs), *(letter for letter, _, _ in given)))
    kinds = [{"r": "i32", "l": "i64", "h": "i16"}[each] for each in outputs]
    result = f"{to} = " if to else ""
    if form == LLVM:
        kind = "void" if not kinds else kinds[0] if len(kinds) == 1 else "{ " + ", ".join(kinds) + " }"
        passed = ", ".join(f"{kind} {name}" for _, kind, name in given)
        return f'{result}call {kind} asm sideeffect "{asm}", "{constraints}"({passed})'
    kind = "" if not kinds else kinds[0] if len(kinds) == 1 else f"!llvm.struct<({', '.join(kinds)})>"
    asm = asm.replace("\\0A", "\\n")
    types, names = (", ".join(each[place] for each in given) for place in (1, 2))
    return f'{result}llvm.inline_asm has_side_effects "{asm}", "{constraints}" {names} : ({types}) -> {kind or "()"}'


def element(form: str, to: str, of: str, place: int) -> str:
    """An extraction of one of two words."""
    if form == LLVM:
        return f"{to} = extractvalue {{ i32, i32 }} {of}, {place}"
    return f"{to} = llvm.extractvalue {of}[{place}] : !llvm.struct<(i32, i32)>"


def mmas(form: str, *lines: str) -> tuple[ScannedMma, ...]:
    """The tensor-core instructions of a function of %x, %i, %j and %p."""
    if form == LLVM:
        head, end = "define void @f(i64 %x, i32 %i, i32 %j, i1 %p) {", "ret void"
    else:
        head, end = "llvm.func @f(%x: i64, %i: i32, %j: i32, %p: i1) {", "llvm.return"
    (function,) = scan_text("\n".join((head, *lines, end, "}", ""))).functions
    assert function.format == form
    assert function.odd == 0
    return function.mmas


def copied(form: str, *lines: str) -> ScannedOperand:
    """The descriptor %d behind the lines, as inline PTX copies by it."""
    (mma,) = mmas(form, *lines, call(form, "", COPY.replace("DESC", "$0"), "", "l i64 %d"))
    assert mma.a is not None
    return mma.a


MASKED = "and.b32 m, $1, 16383;"
OUTPUTS: dict[str, tuple[str, str, tuple[int, int]]] = {
    "words": (f"mov.b64 $0, {{$1, {HIGH}}};", "r i32 %i", (HIGH << 32, FULL & ~ones(32))),
    "masked": (
        f"{{.reg .b32 m; {MASKED} mov.b64 $0, {{m, {HIGH}}};}}", "r i32 %i", (HIGH << 32, FULL & ~ADDRESS)),
    "sum": ("add.s64 $0, $1, 5;", "n i64 7", (12, FULL)),
    "special register": ("cvt.u64.u32 $0, %laneid;", "", (0, FULL & ~31)),
    "expression": ("mov.b64 $0, ($1 << 4) | -1 >> 62 & $1 % 4;", "n i32 7", (7 << 4 | 3, FULL)),
    "expression of a negative number": ("mov.b64 $0, 1 -$1 - -$1;", "n i32 -7", (1, FULL)),
    "immediate": ("mov.b64 $0, $1;", "n i32 -1", (FULL, FULL)),
    "tied": ("add.s64 $0, $0, 1;", "0 i64 7", (8, FULL)),
    "guarded": ("mov.b64 $0, 8; @p mov.b64 $0, 12;", "", (8, FULL & ~4)),
    "guard that holds": (
        "{.reg .pred p; setp.eq.s32 p, $1, 3; mov.b64 $0, 4; @p mov.b64 $0, 9;}", "n i32 3", (9, FULL)),
    "selected": (
        "{.reg .pred p; setp.ne.b32 p, $1, 0; selp.b64 $0, 8, 12, p;}", "r i32 %i", (8, FULL & ~4)),
    "branch": (
        "{.reg .pred p; setp.ne.b32 p, $1, 0; mov.b64 $0, 8;\\0A@p bra L${:uid};\\0Amov.b64 $0, 12;\\0AL${:uid}:\\0A}",
        "r i32 %i", (8, FULL & ~4)),
    "loop": (
        "{.reg .pred p; .reg .b32 n; mov.b32 n, 0; mov.b64 $0, 16;\\0AL_${:uid}:\\0Aadd.s64 $0, $0, 2;"
        " add.s32 n, n, 1; setp.lt.s32 p, n, 4; @p bra L_${:uid};}", "", (16, FULL & ~14)),
    "half word": ("{.reg .b32 w; mov.b32 w, {$1, 3}; cvt.u64.u32 $0, w;}", "h i16 %h", (3 << 16, FULL & ~ones(16))),
    "a narrow value": ("cvt.u64.u32 $0, $1;", "r i16 %h", (0, FULL & ~ones(32))),
    "not written": ("// mov.b64 $0, 5;", "", (0, 0)),
    "written out of sight": ("mov.b64 $0, 5; }} ; mov ((", "", (0, 0)),
    "not known": ("frobnicate.b64 $0, 5;", "", (0, 0)),
    "jump to nowhere": ("mov.b64 $0, 5; bra OUT;", "", (0, 0)),
}  # fmt: skip
FORMS = (LLVM, MLIR)


@every_row("form", FORMS)
@every_row("name", OUTPUTS)
def test_what_is_known_behind_the_call(form: str, name: str) -> None:
    asm, passed, expected = OUTPUTS[name]
    lines = ["%h = trunc i32 %i to i16" if form == LLVM else "%h = llvm.trunc %i : i32 to i16"]
    for number, (kind, value) in enumerate(re.findall(r"(i\d\d) (-?\d+)", passed)):
        if form == MLIR:
            passed = passed.replace(f"{kind} {value}", f"{kind} %c{number}")
            lines.append(f"%c{number} = llvm.mlir.constant({value} : {kind}) : {kind}")
    found = copied(form, *lines, call(form, "%d", asm, "l", passed))
    assert tuple(map(hex, found[:2])) == tuple(map(hex, expected))


@every_row("form", FORMS)
@every_row(("register", "bits"), [("tid.x", 10), ("ctaid.y", 16), ("cluster_ctarank", 4)])
def test_a_special_register_holds_as_much_in_every_language(form: str, register: str, bits: int) -> None:
    name = f"nvvm.read.ptx.sreg.{register.replace('_', '.')}"
    read, wide = f"call i32 @llvm.{name}()", "zext i32 %s to i64"
    if form == MLIR:
        read, wide = f"{name} : i32", "llvm.zext %s : i32 to i64"
    for lines in ([call(form, "%d", f"cvt.u64.u32 $0, %{register};", "l", "")], [f"%s = {read}", f"%d = {wide}"]):
        assert copied(form, *lines)[:2] == (0, FULL & ~ones(bits))


@pytest.mark.parametrize("form", FORMS)
def test_each_of_several_results_is_known(form: str) -> None:
    words = call(form, "%r", f"mov.b32 $0, {HIGH}; and.b32 $1, $2, 16383;", "rr", "r i32 %i")
    joined = call(form, "%d", "mov.b64 $0, {$1, $2};", "l", "r i32 %low, r i32 %high")
    found = copied(form, words, element(form, "%low", "%r", 1), element(form, "%high", "%r", 0), joined)
    assert (found.bits, found.known) == (HIGH << 32, FULL & ~ADDRESS)
    assert {each.line for each in found.origins} == {2}
    assert found.lost_text == ("i32 %i" if form == LLVM else "%i: i32")


@pytest.mark.parametrize("form", FORMS)
def test_each_of_several_instructions_of_a_string_has_its_operands(form: str) -> None:
    second = COPY.replace("DESC", "d")
    asm = f"{{.reg .b64 d; {COPY.replace('DESC', '$0')} add.s64 d, $0, 2; {second} {second}}}"
    made = call(form, "%d", "mov.b64 $0, 64;", "l", "")
    found = [mma.a.bits for mma in mmas(form, made, call(form, "", asm, "", "l i64 %d")) if mma.a]
    assert found == [64, 66, 66]


@pytest.mark.parametrize("asm", ["add.s64 $0, $1, 2;", "{.reg .b64 t; mov.b64 t, 2; add.s64 $0, $1, t;}"])
def test_what_a_loop_adds_by_inline_ptx_grows_by_that(asm: str) -> None:
    lines = (
        "br label %head", "head:", "%g = phi i64 [ 4611686018427387904, %0 ], [ %h, %head ]",
        "%n = phi i32 [ 0, %0 ], [ %m, %head ]", call(LLVM, "", COPY.replace("DESC", "$0"), "", "l i64 %g"),
        call(LLVM, "%h", asm, "l", "l i64 %g"), "%m = add i32 %n, 1", "%c = icmp ult i32 %m, 4",
        "br i1 %c, label %head, label %out", "out:",
    )  # fmt: skip
    (mma,) = mmas(LLVM, *lines)
    assert mma.a is not None
    assert (mma.a.bits, mma.a.known) == (1 << 62, FULL & ~6)


def test_what_a_counted_loop_of_mlir_adds_by_inline_ptx_grows_by_that() -> None:
    lines = (
        "%c0 = arith.constant 0 : i32", "%c1 = arith.constant 1 : i32", "%c4 = arith.constant 4 : i32",
        "%d = llvm.mlir.constant(4611686018427387904 : i64) : i64",
        "%r = scf.for %k = %c0 to %c4 step %c1 iter_args(%g = %d) -> (i64) : i32 {",
        call(MLIR, "", COPY.replace("DESC", "$0"), "", "l i64 %g"),
        call(MLIR, "%h", "add.s64 $0, $1, 2;", "l", "l i64 %g"), "scf.yield %h : i64", "}",
    )  # fmt: skip
    (mma,) = mmas(MLIR, *lines)
    assert mma.a is not None
    assert (mma.a.bits, mma.a.known) == (1 << 62, FULL & ~6)


def test_a_loop_may_carry_a_local_variable_around_a_string_with_more_blocks_than_the_function() -> None:
    chosen = "setp.eq.b32 p, $2, 0; @p bra N; mov.b64 x, $1; N: "
    asm = "".join(("{.reg .pred p; .reg .b64 x; mov.b64 x, $0; ", *(chosen.replace("N", f"L{at}") for at in range(4))))
    lines = (
        "%v = alloca i64", "store i64 16, ptr %v", "br label %head", "head:", "%n = phi i32 [ 0, %0 ], [ %m, %head ]",
        "%g = load i64, ptr %v", "%h = add i64 %g, 2", "store i64 %h, ptr %v",
        call(LLVM, "", asm + COPY.replace("DESC", "x") + "}", "", "l i64 %g, l i64 %h, r i32 %i"), "%m = add i32 %n, 1",
        "%c = icmp ult i32 %m, 4", "br i1 %c, label %head, label %out", "out:",
    )  # fmt: skip
    (mma,) = mmas(LLVM, *lines)
    assert mma.a is not None
    assert (mma.a.bits, mma.a.known) == (16, FULL & ~14)


@pytest.mark.parametrize("form", FORMS)
def test_an_addition_that_is_taken_to_change_the_address_only_may_be_in_the_string(form: str) -> None:
    based = call(form, "%b", "and.b64 $0, $1, 16383; or.b64 $0, $0, 4611756387171565568;", "l", "l i64 %x")
    found = copied(form, based, call(form, "%d", "add.s64 $0, $1, $2;", "l", "l i64 %b, l i64 %x"))
    assert found.provided is not None
    assert [(each.line, each.term) for each in found.provided.additions] == [(3, "%b")]
    assert found.provided.bits >> 32 == 4611756387171565568 >> 32
