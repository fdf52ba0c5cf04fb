"""Every TMA box that is named for a descriptor writes what it reads: ``decode --map`` accepts it."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

import smemdesc
from smemdesc import Context, SmemdescError
from smemdesc.descriptors.encoding import build
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE, modes
from smemdesc.kinds.types import DTYPE_NAMES, dtype_of
from smemdesc.layout.operand import operand_of
from smemdesc.layout.strides import LBO, SBO, strides_of
from smemdesc.rules import judge
from smemdesc.tiles.notation import tma_box

BOX = re.compile(r"a box of (\d+) elements of \w+ \(\d+ B\) by (?:the tile's \w+|(\d+) of)")
Case = tuple[int, str, Context]


def some_descriptor(random: Random) -> Case:
    """Return a descriptor with strides and a start that fit some tile, or none; its kind, and what reads it."""
    kind = random.choice(("wgmma", "tcgen05"))
    mode, major = random.choice(modes(kind)).name, random.choice(("K", "MN"))
    dtype = dtype_of(random.choice(DTYPE_NAMES), random.choice((None, "mxf4")) if kind == "tcgen05" else None)
    context = Context(
        dtype=dtype, major=major, shape=(8 * random.choice((1, 2, 3, 8, 12, 32)), dtype.k * random.choice((1, 2, 4)))
    )
    sizes = [
        stride.packed * random.choice((1, 1, 1, 2, 3, 4, 8, 17)) + random.choice((0, 0, 0, 16))
        for stride in strides_of(mode, major, context)
    ]
    start = 1024 * random.randrange(20) + random.choice((0, 0, 32, 64, 96, 128, 256, 512, 16))
    fields = {"start_address": start, LBO: sizes[0], SBO: sizes[1], "swizzle": mode}
    return build(kind_of(kind), fields, force=True).value, kind, context


def accepts(case: Case, box: str) -> bool:
    """Whether the box is found to write what the descriptor reads."""
    value, kind, context = case
    assert context.dtype is not None
    packed: dict[str, Any] = {"mma_kind": "mxf4"} if context.dtype.storage == 4 else {}
    made = smemdesc.decode(
        value, kind=kind, dtype=context.dtype.name, major=context.major, shape=context.shape, map=box, **packed
    )
    return not any(each.rule.startswith("map-") and each.severity != "note" for each in made.findings)


@pytest.mark.slow
@some(800, least=60)
@given(st.integers(0, 1 << 32).map(lambda seed: some_descriptor(Random(seed))))
def test_layout_operand_names_no_box_that_does_not_fill_the_operand(case: Case) -> None:
    value, kind, context = case
    try:
        box = tma_box(operand_of(kind_of(kind).table.read(value), context))
    except SmemdescError:
        return
    assert box is None or accepts(case, str(box)), (hex(value), context, str(box))


@some(800, least=60)
@given(st.integers(0, 1 << 32).map(lambda seed: some_descriptor(Random(seed))))
def test_a_note_names_no_box_that_does_not_fill_the_operand(case: Case) -> None:
    value, kind, context = case
    fields = kind_of(kind).table.read(value)
    for note in (each.message for each in judge(kind_of(kind), fields, context) if each.rule == "tile-and-box"):
        assert context.shape is not None
        assert context.dtype is not None
        mode = MODE[str(fields["swizzle"].value)]
        lines = 8 if context.major == "K" else mode.lines
        match = BOX.search(note)
        assert match is not None
        far = re.search(r", (\d+) of them", note)
        rows = lines * int(far[1]) if far else -(-context.shape[context.major == "MN"] // lines) * lines
        rows = int(match[2] or rows)
        high = max(size for size in range(lines, 257, lines) if rows % size == 0)
        name = "16U4_ALIGN8B" if context.dtype.storage == 4 else context.dtype.name
        assert accepts(case, f"box={match[1]}x{high},swizzle={mode.name},dtype={name}"), (hex(value), context, note)
