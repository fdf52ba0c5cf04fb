"""Shared memory as a picture: each part where its bytes are, to scale, and what reads the opened stage."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pictures import Shape, faults, shapes

from render.test_header import plans
from smemdesc.api.planning import plan
from smemdesc.instructions.plan import Plan
from smemdesc.layout.strides import LBO, UNIT
from smemdesc.render.memory_picture import PICTURE_WIDTH
from smemdesc.render.plan_picture import picture
from smemdesc.render.svg import MARGIN

STAGES = 3
BYTES = re.compile(r"(\w+): (\d+) B from byte (\d+)")


def parts_of(drawn: list[Shape]) -> dict[str, tuple[int, int, float]]:
    """Each part of the bar: its first byte, its size, and where it is drawn."""
    found = [(BYTES.fullmatch(shape.tip), shape) for shape in drawn]
    return {match[1]: (int(match[3]), int(match[2]), shape.number("x")) for match, shape in found if match}


def check(made: Plan) -> None:
    svg = picture(made)
    assert faults(svg) == []
    drawn = shapes(svg)
    parts = parts_of(drawn)
    memory = made.memory
    end = memory.total if memory.limit is None or memory.total > memory.limit else memory.limit
    at = 0
    for begin, size, x in parts.values():
        assert begin >= at
        assert x == pytest.approx(MARGIN + begin / end * PICTURE_WIDTH, abs=0.01)
        at = begin + size
    assert at == memory.total
    texts = "".join(shape.text for shape in drawn)
    opened = min(1, made.stages - 1)
    for operand in made.operands:
        begin = parts[f"{operand.name.upper()}{opened}"][0]
        for value in [value for row in operand.descriptors for value in row][:7]:
            moved = begin // UNIT
            lbo = moved << operand.tile.kind.table.row(LBO).lo if operand.tile.absolute else 0
            assert f"0x{value + moved + lbo:016x}" in texts


@pytest.mark.parametrize("made", plans()[::5], ids=str)
def test_a_plan_is_drawn_to_scale(made: Plan) -> None:
    check(made)


CHOSEN: dict[str, dict[str, Any]] = {
    "pair": {"cta_group": 2, "b_major": "MN"},
    "one stage": {"stages": 1},
    "many": {"stages": 6, "arch": "sm_100a"},
    "registers": {"arch": "sm_90a", "a_from": "registers"},
}


@pytest.mark.parametrize("name", CHOSEN)
def test_stages_are_drawn_to_scale(name: str) -> None:
    check(plan((256, 128, 64), **{"dtype": "bf16", "stages": STAGES, **CHOSEN[name]}))


def test_what_does_not_fit_is_drawn_with_the_limit() -> None:
    made = plan((128, 256, 64), dtype="bf16", stages=5)
    assert not made.ok
    check(made)
    assert f"a CTA has {made.memory.limit} B" in [shape.text for shape in shapes(picture(made))]
