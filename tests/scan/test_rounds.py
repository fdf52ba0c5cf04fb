"""Loops of compiler IR that count: no run contradicts what is claimed."""

from __future__ import annotations

import random

import pytest

from smemdesc.scan import scan_text

from .rolling import Llvm, Maker, Mlir, run

SHORT, LONG = 40, 600
RUNS = 6


def check(seed: int, writer: type[Llvm | Mlir]) -> float:
    """Hold a program to its runs; return the share of bits that is claimed."""
    maker = Maker(random.Random(f"rounds {seed}"), writer is Mlir)
    start, program = maker.program()
    written = writer()
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


@pytest.mark.parametrize("writer", [Llvm, Mlir])
def test_claims_hold_in_a_few(writer: type[Llvm | Mlir]) -> None:
    known = [check(seed, writer) for seed in range(SHORT)]
    assert sum(known) / len(known) > 0.5


@pytest.mark.corpus
@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("writer", [Llvm, Mlir])
def test_claims_hold(writer: type[Llvm | Mlir], first: int) -> None:
    for seed in range(first, LONG, 4):
        check(seed, writer)
