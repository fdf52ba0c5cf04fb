"""Arithmetic of compiler IR, loops that count, and local variables: no run contradicts what is claimed, or provided."""

from __future__ import annotations

import random

import pytest
from programs.rolling import OPERATIONS, WRITERS, Llvm, Maker, Mlir, Writer, run
from samples import long_run, sampled
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis.assumptions import FieldsAboveStart, _PreservedTerm
from smemdesc.scanning.analysis.fixpoint import Solved
from smemdesc.scanning.analysis.provenance import Provenance

SHORT, LONG = 8, 60
RUNS = 6


def check(seed: int, writer: Writer, arithmetic: bool = False) -> float:
    """Hold a program to its runs; return the share of bits that is claimed."""
    written = writer()
    structured = type(written) is Mlir
    moving = not structured and seed % 2 == 1
    operations = tuple(OPERATIONS) if arithmetic else ()
    maker = Maker(random.Random(f"rounds {seed}"), structured, False, moving, operations, written.memory)
    start, program = maker.program()
    text = written.text(start, program)
    (function,) = scan_text(text).functions
    assert function.odd == 0, text
    claims = {}
    for place, mma in zip(written.uses, function.mmas, strict=True):
        assert mma.b is not None
        claims[place] = mma.b
    for each in range(RUNS):
        for place, value in run(start, program, random.Random(f"{seed} {each}")):
            claim = claims[place]
            assert not (claim.bits ^ value) & claim.known, f"seed {seed}: {value:#x} is not {claim}\n{text}"
    return sum(each.known.bit_count() for each in claims.values()) / 64 / len(claims)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WRITERS))
def test_claims_hold_in_a_few(name: str) -> None:
    known = [check(seed, WRITERS[name]) for seed in range(SHORT)]
    assert sum(known) / len(known) > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("llvm", 4 * SHORT), ("scf", 2 * SHORT), ("llvm dialect", 2 * SHORT)])
def test_claims_of_arithmetic_hold_in_a_few(name: str, count: int) -> None:
    known = [check(seed, WRITERS[name], arithmetic=True) for seed in range(count)]
    assert sum(known) / len(known) > 0.4


@pytest.mark.corpus
@pytest.mark.parametrize("name", WRITERS)
def test_claims_hold(name: str) -> None:
    for seed in range(LONG):
        check(seed, WRITERS[name])
        check(seed, WRITERS[name], arithmetic=True)


PACKED = """define void @k(i1 %p) {
entry:
  %one = insertvalue { i64, i32 } poison, i64 4611756662049538048, 0
  %all = insertvalue { i64, i32 } %one, i32 0, 1
  br label %head
head:
  %s = phi { i64, i32 } [ %all, %entry ], [ %w, %head ]
  %d = extractvalue { i64, i32 } %s, 0
  call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) null, i64 %d)
  %n = extractvalue { i64, i32 } %s, 1
  %m = add i32 %n, 1
  %v = insertvalue { i64, i32 } %s, i32 %m, 1
  %e = extractvalue { i64, i32 } %v, 0
  %f = add i64 %e, 64
  %w = insertvalue { i64, i32 } %v, i64 %f, 0
  %c = icmp ult i32 %m, 8
  br i1 %c, label %head, label %out
out:
  ret void
}
"""


def test_a_part_of_an_aggregate_that_others_have_changed_is_what_it_was() -> None:
    (function,) = scan_text(PACKED).functions
    (mma,) = function.mmas
    assert mma.a is not None
    assert (hex(mma.a.bits), hex(mma.a.known)) == ("0x4000404000010000", hex((1 << 64) - 1 & ~0x1C0))


MISSED = {
    "llvm": (
        "%m, 8",
        """define void @k() {
entry:
  br label %head
head:
  %n = phi i32 [ 0, %entry ], [ %m, %head ]
  %d = phi i64 [ 4611756662049538048, %entry ], [ %e, %head ]
  call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) null, i64 %d)
  %e = add i64 %d, 2
  %m = add i32 %n, 1
  %x = xor i32 %m, 1
  %y = and i32 %x, 7
  %b = or i32 %y, 8
  %c = icmp ne i32 %m, %b
  br i1 %c, label %head, label %out
out:
  ret void
}
""",
    ),
    "cf": (
        "%m, %eight",
        """func.func @k() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %two = arith.constant 2 : i64
  %first = arith.constant 4611756662049538048 : i64
  cf.br ^head(%zero, %first : i32, i64)
^head(%n: i32, %d: i64):
  nvvm.tcgen05.cp %t, %d
  %e = arith.addi %d, %two : i64
  %m = arith.addi %n, %one : i32
  %x = arith.xori %m, %one : i32
  %y = arith.andi %x, %seven : i32
  %b = arith.ori %y, %eight : i32
  %c = arith.cmpi ne, %m, %b : i32
  cf.cond_br %c, ^head(%m, %e : i32, i64), ^out
^out:
  return
}
""",
    ),
}


@pytest.mark.parametrize("name", MISSED)
def test_a_bound_that_moves_may_be_missed(name: str) -> None:
    fixed, text = MISSED[name]
    moving, still = (scan_text(each).functions[0].mmas[0].a for each in (text, text.replace("%m, %b", fixed)))
    assert moving is not None
    assert still is not None
    assert (moving.known, still.known >> 32) == (1, 0xFFFFFFFF)


FEW, MANY = 40, 100
TURNS = 8
ADDRESS = ones(14)


class Count:
    """How often what is provided could be looked at."""

    provided = checked = 0


def check_steps(seed: int, writer: type[Llvm | Mlir], count: Count, inline: bool = False) -> None:
    """Hold what is provided of a program to its runs in which the additions did what they are taken to do."""
    rng = random.Random(f"stepped names {seed}")
    start, program = Maker(rng, writer is Mlir, stepped=True).program()
    written = writer(direct=rng.random() < 0.5, inline=inline)
    text = written.text(start, program)
    (function,) = scan_text(text).functions
    lines = text.splitlines()
    operands = {
        place: mma.a if mma.b is None else mma.b for place, mma in zip(written.uses, function.mmas, strict=True)
    }
    at = {what: each for each, (what, *_) in written.adds.items()}
    watched: dict[int, set[tuple[str, int]]] = {}
    for operand in operands.values():
        for each in operand.provided.additions if operand is not None and operand.provided is not None else ():
            assert each.text == lines[each.line - 1].strip()
            watched.setdefault(at[each.text], set()).add((each.term, each.plus))
    for turn in range(TURNS):
        broken: set[int] = set()

        def watch(which: int, of: int, by: int, made: int, broken: set[int] = broken) -> None:
            what, first, second = written.adds[which]
            upper = ones(32 if "32" in what else 64) & ~ADDRESS
            for term, plus in watched.get(which, ()):
                assert term in (first, second)
                if (made ^ ((of if term == first else by) & upper) + plus) & upper:
                    broken.add(which)

        def read(place: int, value: int, broken: set[int] = broken) -> None:
            operand = operands[place]
            provided = None if operand is None else operand.provided
            if provided is not None:
                count.provided += 1
                if broken.isdisjoint(at[each.text] for each in provided.additions):
                    count.checked += 1
                    assert not (provided.bits ^ value) & provided.known, f"seed {seed}: {value:#x}\n{text}"

        run(start, program, random.Random(f"{seed} {turn}"), watch, read)


@pytest.mark.slow
@pytest.mark.parametrize("inline", [long_run(False), True])
@pytest.mark.parametrize("writer", [Llvm, Mlir])
def test_no_run_contradicts_a_few(writer: type[Llvm | Mlir], inline: bool) -> None:
    count = Count()
    for seed in range(FEW):
        check_steps(seed, writer, count, inline)
    assert count.checked >= 0.3 * count.provided >= 100


@pytest.mark.corpus
@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("writer", [Llvm, Mlir])
def test_no_run_contradicts_what_is_said(writer: type[Llvm | Mlir], inline: bool) -> None:
    for seed in range(MANY):
        check_steps(seed, writer, Count(), inline)


HIGH, LBO = 0x4000404000010000, 0x3FFF0000
DESCRIPTOR = (f"%s = and i64 %x, {ADDRESS}", f"%d = or disjoint i64 %s, {HIGH}")
LOW = ("%s = and i32 %i, 16383", "%d = or i32 %s, 65536")
COPY = "call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) %t, i64 %e)"
INLINE = 'call void asm sideeffect "tcgen05.cp.cta_group::1.128x256b [$0], $1;", "r,l"(i32 0, i64 %e)'
WORDS = (
    'call void asm sideeffect "{\\0A.reg .b64 d;\\0Amov.b64 d, {$1, $2};\\0A'
    'tcgen05.cp.cta_group::1.128x256b [$0], d;\\0A}", '
    '"r,r,r"(i32 0, i32 %e, i32 1073758272)'
)
OF_WGMMA = (
    'call void asm sideeffect "{\\0A.reg .b64 d;\\0Amov.b64 d, {$4, $5};\\0A'
    'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, d, d, 1, 1, 1, 0, 0;\\0A}", "f,f,f,f,r,r"'
    f"({', '.join(['float 0.0'] * 4)}, i32 %e, i32 HIGH)"
)
ROUND = (
    "br label %head", "head:", "%g = phi i64 [ %d, %0 ], [ %h, %head ]", "%n = phi i32 [ 0, %0 ], [ %m, %head ]",
    "{copy}", "%h = add i64 %g, {by}", "%m = add i32 %n, 1", "%c = icmp ult i32 %m, {most}",
    "br i1 %c, label %head, label %out", "out:",
)  # fmt: skip


def rolled(by: object, most: object) -> tuple[str, ...]:
    return tuple(each.format(by=by, most=most, copy=COPY.replace("%e", "%g")) for each in ROUND)


STEPPED = {
    "a sum": ((*DESCRIPTOR, "%e = add i64 %d, %y", COPY), {(4, "%d", 0)}),
    "exchanged": ((*DESCRIPTOR, "%e = add nuw i64 %y, %d", COPY), {(4, "%d", 0)}),
    "a difference": ((*DESCRIPTOR, "%e = sub i64 %d, %y", COPY), {(4, "%d", 0)}),
    "two": ((*DESCRIPTOR, "%f = add i64 %d, %y", "%e = add i64 %f, 2", COPY), {(4, "%d", 0), (5, "%f", 0)}),
    "one way": ((*DESCRIPTOR, "%f = add i64 %d, %y", "%e = select i1 %p, i64 %f, i64 %d", COPY), {(4, "%d", 0)}),
    "more": (
        (f"%s = and i64 %x, {ADDRESS}", "%f = add i64 %s, %y", f"%g = and i64 %f, {HIGH | ADDRESS}",
         f"%e = add i64 %d, {HIGH}", f"%d = or i64 %f, {HIGH}", COPY),
        None,
    ),
    "inline": ((*DESCRIPTOR, "%e = add i64 %d, %y", INLINE), {(4, "%d", 0)}),
    "words": ((*LOW, "%e = add i32 %d, %i", WORDS), {(4, "%d", 0)}),
    "a loop": ((*DESCRIPTOR, *rolled("%y", "%i")), {(9, "%g", 0)}),
    "a loop of few rounds": (("%z = and i64 %y, 16383", *DESCRIPTOR, *rolled("%z", 9)), {(10, "%g", 0)}),
    "a loop that stays": ((*DESCRIPTOR, *rolled(512, 4)), None),
    "a number above": ((*DESCRIPTOR, "%f = add i64 %d, %y", "%e = add i64 %f, 1099511627776", COPY),
                       {(4, "%d", 0), (5, "%f", 1 << 40)}),
    "aggregate": (
        (*DESCRIPTOR, "%a = insertvalue { i64, i64 } poison, i64 %d, 0", "%b = extractvalue { i64, i64 } %a, 0",
         "%e = add i64 %b, %y", COPY),
        {(6, "%b", 0)},
    ),
    "product": ((*DESCRIPTOR, "%e = mul i64 %d, %y", COPY), None),
    "shift": ((*DESCRIPTOR, "%f = add i64 %d, %y", "%e = shl i64 %f, 1", COPY), None),
    "two addresses": (("%e = add i64 %x, %y", COPY), None),
    "no more is lacking": ((*DESCRIPTOR, "%e = add i64 %d, 2", COPY), None),
    "proven": ((*DESCRIPTOR, "%f = and i64 %x, 63", f"%e = or i64 %f, {HIGH}", COPY), None),
    "words of wgmma": ((*LOW, "%e = add i32 %d, %i", OF_WGMMA.replace("HIGH", "1073758272")), {(4, "%d", 0)}),
    "the lower word alone": ((*LOW, "%e = add i32 %d, %i", OF_WGMMA.replace("HIGH", "%i")), {(4, "%d", 0)}),
    "a word that is none": ((*LOW, "%e = add i32 %d, %i", WORDS.replace("i32 1073758272", "i32 %i")), None),
}  # fmt: skip


@every_row("name", STEPPED)
def test_an_address_that_steps(name: str) -> None:
    lines, additions = STEPPED[name]
    text = "\n".join(("define void @f(i64 %x, i64 %y, i32 %i, i1 %p) {", *lines, "ret void", "}", ""))
    (function,) = scan_text(text).functions
    (mma,) = function.mmas
    assert mma.a is not None
    provided = mma.a.provided
    if additions is None:
        assert provided is None
        return
    assert provided is not None
    assert {(each.line, each.term, each.plus) for each in provided.additions} == additions
    # Where the LBO mode is not proven LBO may be an address, too, which is stepped.
    upper = ones(32 if "alone" in name else 64) & ~ADDRESS & ~(0 if "word" in name or "few" in name else LBO)
    value = HIGH + sum(plus for *_, plus in additions)
    assert (hex(provided.bits & upper), hex(provided.known & ~ADDRESS)) == (hex(value & upper), hex(upper))


PLACES = {"both": {1: (6, "add"), 2: (7, "add")}, "one": {1: (6, "add")}, "none": {}}
KEPT = {"%d": _PreservedTerm(1, "%e", 0), "%e": _PreservedTerm(2, "%f", 0)}


@pytest.mark.parametrize(("name", "kept"), [*[(name, KEPT) for name in PLACES], ("both", {})])
def test_what_would_have_to_hold_is_told_in_full_or_nothing_is(name: str, kept: dict[str, _PreservedTerm]) -> None:
    fields = FieldsAboveStart(Provenance(Solved({}, [])), 14, True, PLACES[name].get)
    fields.reads, fields.preserved, fields.facts = {"%d": [("%e", 0)], "%e": []}, dict(kept), {"%d": (0, 1 << 61)}
    found = fields._answer("%d")
    told = [(each.line, each.term) for each in found.additions] if found else []
    assert told == ([(6, "%e"), (7, "%f")] if name == "both" and kept else [])
