"""Loops of compiler IR that count: no run contradicts what is claimed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from smemdesc.scan import scan_text

from .rolling import Blocks, Llvm, Maker, Mlir, run

SHORT, LONG = 40, 600
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


def check(seed: int, writer: Writer) -> float:
    """Hold a program to its runs; return the share of bits that is claimed."""
    written = writer()
    structured = type(written) is Mlir
    maker = Maker(random.Random(f"rounds {seed}"), structured, moving=not structured and seed % 2 == 1)
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


@pytest.mark.corpus
@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("name", WRITERS)
def test_claims_hold(name: str, first: int) -> None:
    for seed in range(first, LONG, 4):
        check(seed, WRITERS[name])
