"""Arithmetic of compiler IR, and loops that count: no run contradicts what is claimed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from smemdesc.scanning import scan_text

from .rolling import OPERATIONS, Blocks, Llvm, Maker, Mlir, run

SHORT, LONG = 15, 240
RUNS = 6


Writer = Callable[[], Llvm | Mlir]
WRITERS: dict[str, Writer] = {
    "llvm": Llvm,
    "llvm, aggregates": partial(Llvm, packed=True),
    "scf": Mlir,
    "cf": Blocks,
    "llvm dialect": partial(Blocks, dialect="llvm"),
    "cf, aggregates": partial(Blocks, packed=True),
    "llvm dialect, aggregates": partial(Blocks, packed=True, dialect="llvm"),
}


def check(seed: int, writer: Writer, arithmetic: bool = False) -> float:
    """Hold a program to its runs; return the share of bits that is claimed."""
    written = writer()
    structured = type(written) is Mlir
    moving = not structured and seed % 2 == 1
    maker = Maker(
        random.Random(f"rounds {seed}"), structured, moving=moving, operations=tuple(OPERATIONS) if arithmetic else ()
    )
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


@pytest.mark.parametrize("name", WRITERS)
def test_claims_hold_in_a_few(name: str) -> None:
    known = [check(seed, WRITERS[name]) for seed in range(SHORT)]
    assert sum(known) / len(known) > 0.5


@pytest.mark.parametrize(("name", "count"), [("llvm", 4 * SHORT), ("scf", 2 * SHORT), ("llvm dialect", 2 * SHORT)])
def test_claims_of_arithmetic_hold_in_a_few(name: str, count: int) -> None:
    known = [check(seed, WRITERS[name], arithmetic=True) for seed in range(count)]
    assert sum(known) / len(known) > 0.4


@pytest.mark.corpus
@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("name", WRITERS)
def test_claims_hold(name: str, first: int) -> None:
    for seed in range(first, LONG, 4):
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
