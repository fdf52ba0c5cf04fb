"""Scale factors, held to CUTLASS's layouts of shared and tensor memory, to Triton's, and to PTX's table of ids."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from samples import refusing
from tables import every_row

from smemdesc.descriptors.decoding import decode_value
from smemdesc.kinds.names import LOAD_SHAPES
from smemdesc.layout.scales import Factor, Scales, copy_descriptor, scale_layout

CASES = [
    # rows, K, MMA kind, block, K of an instruction, sparse
    (128, 128, "mxf8f6f4", 32, 32, False),
    (256, 256, "mxf8f6f4", 32, 32, False),
    (192, 256, "mxf8f6f4", 32, 64, True),
    (128, 256, "mxf8f6f4", 32, 64, False),
    (128, 512, "mxf8f6f4", 32, 128, True),
    (128, 256, "mxf4", 32, 64, False),
    (256, 512, "mxf4", 32, 128, True),
    (64, 768, "mxf4", 32, 96, False),
    (256, 768, "mxf4nvf4", 32, 96, False),
    (128, 768, "mxf4nvf4", 16, 96, False),
    (256, 256, "mxf4nvf4", 16, 64, False),
    (40, 64, "mxf4nvf4", 16, 64, False),
    (128, 256, "mxf4nvf4", 16, 128, False),
    (128, 256, "mxf4", 32, 128, False),
    (128, 384, "mxf4", 32, 192, True),
]


@pytest.fixture(params=CASES, ids=lambda case: "-".join(map(str, case)))
def shown(request: pytest.FixtureRequest) -> Scales:
    rows, k, kind, block, one_k, sparse = request.param
    return scale_layout(rows, k, kind, block=block, one_k=one_k, sparse=sparse)


@pytest.mark.slow
def test_every_factor_has_a_byte_and_leads_back(shown: Scales) -> None:
    seen = set()
    in_column = cache(shown.column_factors)
    for row in range(shown.rows):
        for index in range(shown.factors):
            place = shown.place(row, index)
            seen.add(place.byte)
            assert shown.at(place.byte) == Factor(row, index)
            for lane in place.lanes:
                assert in_column(lane, place.column)[place.sub] == Factor(row, index)
    assert len(seen) == shown.rows * shown.factors
    assert [shown.at(byte) for byte in set(range(shown.bytes)) - seen] == [None] * (shown.bytes - len(seen))


def test_shared_and_tensor_memory_are_cutlass_layouts(shown: Scales) -> None:
    """deduce_smem_layoutSFA: (((32,4),MN/128), 4, K/4) : (((16,4),512), 1, 512 MN/128), of bytes; tmem_sf_frg, tiled
    along K: lane + 128 bytes of columns of ((32, MN/32), 4) x (4, K/4), rows in whole blocks."""
    blocks = -(-shown.rows // 128)
    for row in range(shown.rows):
        for index in range(shown.factors):
            place = shown.place(row, index)
            byte = row % 32 * 16 + row // 32 % 4 * 4 + row // 128 * 512 + index % 4 + index // 4 * 512 * blocks
            assert place.byte == byte
            virtual = row % 32 + row // 32 * 512 + index % 4 * 128 + index // 4 * 2048 * blocks
            assert (place.lane, 4 * place.column + place.sub) == (virtual % 128, virtual // 128)
            assert place.lanes == tuple(virtual % 128 + 32 * copy for copy in range(4))


TRITON = json.loads((Path(__file__).parent / "triton_tmem.json").read_text())["scales"]


@pytest.mark.parametrize(
    "case", [each for each in TRITON if each["shape"][0] % 128 == 0], ids=lambda x: str(x["shape"])
)
def test_tensor_memory_is_tritons_linear_layout(case: dict[str, Any]) -> None:
    rows, factors = case["shape"]
    shown = scale_layout(rows, 32 * factors, "mxf8f6f4")
    for row in range(rows):
        for index in range(factors):
            place = shown.place(row, index)
            number, found = 4 * place.column + place.sub, [0, 0]
            for bases, bits in ((case["rows"], place.lane), (case["cols"], number)):
                for bit, base in enumerate(bases):
                    if bits >> bit & 1:
                        found = [at + by for at, by in zip(found, base, strict=True)]
            assert found == [row, index]


def test_the_copy_moves_bytes_to_where_they_lie(shown: Scales) -> None:
    """32x128b: line l of 16 B goes to lane l, four columns. One copy a block."""
    for block in shown.blocks:
        for line in range(0, 32, 5):
            for at in range(16):
                factor = shown.column_factors(line, block.columns[0] + at // 4)[at % 4]
                assert factor == shown.at(block.byte + 16 * line + at)


def test_a_step_names_its_first_factor(shown: Scales) -> None:
    steps = list(shown.steps)
    assert len(steps) == shown.k // shown.one_k
    for step in steps:
        first = shown.place(0, step.factors[0])
        assert (step.column, step.id) == (first.column, first.sub)
        assert step.factors[1] - step.factors[0] + 1 == shown.each
        for index in range(step.factors[0], step.factors[1] + 1):
            assert shown.step_of(index) == step


IDS = [
    # MMA kind, block, K of an instruction, the ids that SPEC's table (PTX ISA 9.3, Tables 47, 59, 60) names
    ("mxf8f6f4", 32, 32, {0, 1, 2, 3}, "scale_vec::1X"),
    ("mxf4", 32, 64, {0, 2}, "scale_vec::2X"),
    ("mxf4nvf4", 32, 64, {0, 2}, "scale_vec::2X"),
    ("mxf4nvf4", 16, 64, {0}, "scale_vec::4X"),
    ("mxf4", 32, 96, {0, 1, 2, 3}, "block32"),
    ("mxf4nvf4", 16, 96, {0, 2}, "block16"),
    ("mxf4nvf4", 16, 128, {0}, "block16"),
    ("mxf4nvf4", 32, 128, {0}, "block32"),
    ("mxf8f6f4", 32, 64, {0, 2}, "block32"),
]


@every_row(("kind", "block", "one_k", "ids", "qualifier"), IDS)
def test_ids_and_qualifiers_are_those_of_the_tables(
    kind: str, block: int, one_k: int, ids: set[int], qualifier: str
) -> None:
    shown = scale_layout(128, 8 * one_k, kind, block=block, one_k=one_k)
    assert ({step.id for step in shown.steps}, shown.qualifier) == (ids, qualifier)


def test_k_96_steps_as_cutlass_moves_through_them() -> None:
    """sm103_blockscaled_mma_warpspecialized.hpp: step i takes 3 (6 of blocks of 16) factors on from 3 i (6 i)."""
    for block, per in ((32, 3), (16, 6)):
        for step in scale_layout(256, 768, "mxf4nvf4", block=block, one_k=96).steps:
            first = per * step.number
            assert (step.column, step.id) == (first // 4 * 8, first % 4)


def test_the_descriptor_of_the_copy() -> None:
    assert copy_descriptor() == 0x0000400800000000
    assert copy_descriptor(1536) == 0x0000400800000060
    found = decode_value(f"0x{copy_descriptor(512):016x}", "tcgen05").findings
    assert [each.rule for each in found if each.severity != "note"] == []


@every_row(
    ("arguments", "words"),
    [
        ((128, 256, "f16"), ["kind::f16 has no scale factors", "mxf8f6f4"]),
        ((128, 256, "mxf4", 16), ["no blocks of 16", "blocks of 32"]),
        ((128, 250, "mxf4"), ["128x250", "multiple of 64"]),
        ((128, 256, "mxf4", 32, 32), ["no dense kind::mxf4 with K = 32", "64, 96 or 128"]),
        ((128, 256, "mxf8f6f4", 32, 128), ["no dense kind::mxf8f6f4 with K = 128", "32 or 64"]),
        ((0, 256, "mxf4"), ["0x256"]),
    ],
)
def test_what_there_is_not(arguments: tuple[Any, ...], words: list[str]) -> None:
    rows, k, kind, *more = arguments
    with refusing(*words):
        scale_layout(rows, k, kind, **dict(zip(("block", "one_k"), more, strict=False)))


@pytest.mark.parametrize("shape", LOAD_SHAPES)
def test_factors_are_loaded_by_every_warp(shape: str) -> None:
    shown = scale_layout(256, 512, "mxf8f6f4", ld=shape)
    assert shown.load is not None
    along = shown.load_count // (32 // shown.load.shape.lanes)
    for row in range(256):
        for factor in range(shown.factors):
            place = shown.place(row, factor)
            slot = shown.slot(place.lane, place.column)
            assert slot is not None
            part, number = divmod(slot.load, along)
            inside = place.lane - 16 * part, place.column - number * shown.load.columns
            assert shown.load.index_map.inverse.place(*inside) == (slot.lane, slot.register)
