"""Kernels of local memory: what a scan of their PTX claims, against what they compute."""

from __future__ import annotations

import pytest

from silicon.known_bits import frames, kernels
from smemdesc.scanning import scan_text

pytestmark = pytest.mark.corpus  # long: .ci/run has it

COUNT = 30


def test_no_claim_of_the_ptx_contradicts_the_program() -> None:
    programs = frames.make(COUNT)
    found = scan_text(kernels.module(programs)).functions
    assert len(found) == COUNT
    for program, function in zip(programs, found, strict=True):
        (mma,) = function.mmas
        for place, operand in enumerate((mma.a, mma.b)):
            assert operand is not None
            assert not any((values[place] ^ operand.bits) & operand.known for values in program.seen), function.name
