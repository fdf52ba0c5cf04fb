"""Dumps with bytes changed, cut out and put in: what is understood is reported, nothing is raised."""

from __future__ import annotations

import random

import pytest
from corpus.dumps import dumps
from fuzz.damage import damaged

from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines as drawn
from smemdesc.render.scan import function_view, text_values_view
from smemdesc.render.scan_json import JsonLines
from smemdesc.render.scan_report import overview
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.report import Tally, fold
from smemdesc.scanning.results.selection import Choice

NAMES = (
    "wgmma_styles.O3.13.5.sass",
    "wgmma_forms.O3.13.0.ptx",
    "tcgen05_forms.O1.13.5.sass",
    "tcgen05_scaled.O3.13.0.ptx",
    "triton_100_fp16_ptr_t.llir",
    "triton_90_bf16_ptr_t.ptx",
)
ROUNDS = 20


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
            assert drawn(function_view(of, rows, every=True), 80)
            for mma in of.mmas:
                assert lines.mma("x", of, mma, judge.judge(mma.model))
        assert drawn(overview("x", tally), 80)
        assert bool(drawn(text_values_view(part.values, Choice()), 80)) is bool(part.values)
        for value in part.values:
            assert value.to_dict("x")
