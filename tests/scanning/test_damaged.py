"""Dumps with bytes changed, cut out and put in: what is understood is reported, nothing is raised."""

from __future__ import annotations

import random

import pytest

from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines as drawn
from smemdesc.render.scan import FunctionView, TextValuesView
from smemdesc.render.scan_json import JsonLines
from smemdesc.render.scan_report import Overview
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.report import Tally, fold

from .corpus.dumps import dumps

LONGEST = 40_000
PUT_IN = (b"(", b")", b"{", b"}", b"[", b'"', b"\r\n", b"\0", b"@", b"gdesc[", b",", b";;", b"0x", b"\xff" * 20)
NAMES = (
    "wgmma_styles.O3.13.5.sass",
    "wgmma_forms.O3.13.0.ptx",
    "tcgen05_forms.O1.13.5.sass",
    "tcgen05_scaled.O3.13.0.ptx",
    "triton_100_fp16_ptr_t.llir",
    "triton_90_bf16_ptr_t.ptx",
)
ROUNDS = 60


def damaged(text: bytes, generator: random.Random) -> bytes:
    start = generator.randrange(len(text))
    out = bytearray(text[start : start + generator.randrange(LONGEST)])
    for _ in range(generator.randrange(30)):
        place = generator.randrange(len(out) + 1)
        how = generator.randrange(4)
        if how == 0 and place < len(out):
            out[place] = generator.randrange(256)
        elif how == 1:
            del out[place : place + generator.randrange(200)]
        elif how == 2:
            other = generator.randrange(len(out) + 1)
            out[place:place] = out[other : other + generator.randrange(300)]
        else:
            out[place:place] = generator.choice(PUT_IN)
    return bytes(out)


@pytest.mark.corpus
@pytest.mark.parametrize("name", NAMES)
def test_damage_is_survived(name: str) -> None:
    texts = [text for found, text, _ in dumps(name) if found == name]
    assert len(texts) == 1
    generator = random.Random(name)
    judge, lines = Judge(), JsonLines()
    for _ in range(ROUNDS):
        part = scan_text(damaged(texts[0].encode(), generator))
        tally = Tally()
        for of in part.functions:
            rows = fold(of, judge)
            tally.add(of, rows)
            assert drawn(FunctionView(of, rows, every=True), 80)
            for mma in of.mmas:
                assert lines.mma("x", of, mma, judge.judge(mma.model))
        assert drawn(Overview("x", tally), 80)
        assert bool(drawn(TextValuesView(part.values), 80)) is bool(part.values)
        for value in part.values:
            assert value.to_dict("x")
