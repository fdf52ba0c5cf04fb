"""The table of tensor maps, and what is refused, against what the driver of two Hopper chips answered.

``probe.py`` asked; every map of the record is made again from its arguments, bit for bit, and read back into them.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from silicon.tensormap.probe import IM2COL, TILED, WIDE, Request

from smemdesc.descriptors.tensormap import encode_map
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import signed
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.tensormap import (
    DATA_TYPES,
    FILLS,
    INTERLEAVES,
    MAP_TABLES,
    PACKED_TYPES,
    PROMOTIONS,
    SWIZZLES,
    table_of,
)
from smemdesc.rules import judge

RECORDS = sorted((Path(__file__).parent / "record").glob("*.jsonl.xz"))
TYPE = {each.number: each.name for each in DATA_TYPES}
EVERY = 47
"""The default run takes one request of so many, a prime: no argument is varied in such steps."""
ASKED, MADE = 42_016, 27_200


class Answer(NamedTuple):
    """What the driver answered."""

    request: Request
    status: int
    map: int


def _lines(path: Path) -> Iterator[Any]:
    with lzma.open(path, "rt", encoding="ascii") as record:
        yield from map(json.loads, record)


@cache
def _answers(step: int) -> list[Answer]:
    lines = islice(_lines(RECORDS[0]), 1, None, step)
    return [Answer(_passed(Request(*line[:-2])), line[-2], _number(line[-1])) for line in lines]


def _number(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def _passed(request: Request) -> Request:
    """Return the request as it came to the driver, which takes the numbers of a box as 32 bits."""
    low = [each % 2**32 for each in request.box]
    return request._replace(box=low if request.form == TILED else [*(signed(each, 32) for each in low[:-2]), *low[-2:]])


def _name(names: tuple[str, ...], code: int) -> str:
    return names[code] if code < len(names) else f"code {code}"


def _arguments(request: Request) -> dict[str, Any]:
    """Return a request in names, as :func:`tensormap` takes it."""
    arguments: dict[str, Any] = {
        "dtype": TYPE.get(request.dtype, f"code {request.dtype}"),
        "address": request.address,
        "dim": request.dims,
        "stride": request.strides,
        "element_stride": request.element_strides,
        "interleave": _name(INTERLEAVES, request.interleave),
        "swizzle": _name(SWIZZLES, request.swizzle),
        "l2_promotion": _name(PROMOTIONS, request.l2_promotion),
        "fill": _name(FILLS, request.fill),
    }
    if request.form == TILED:
        return arguments | {"box": request.box}
    *corners, channels, pixels = request.box
    half = len(corners) // 2
    return arguments | {
        "lower_corner": corners[:half],
        "upper_corner": corners[half:],
        "channels": channels,
        "pixels": pixels,
    }


def _read(bits: int) -> dict[str, Any]:
    """Return the arguments that a map was made of, from its bits."""
    fields = table_of(bits).read(bits)
    value = {key: field.value for key, field in fields.items()}
    rank = fields["rank"].value
    assert isinstance(rank, int)

    def numbers(key: str, first: int = 0, count: int = rank) -> list[Any]:
        return [value[f"{key}_{i}"] for i in range(first, count)]

    arguments = {
        "dtype": value["data_type"],
        "address": value["global_address"],
        "dim": numbers("dim"),
        "stride": numbers("stride", 1),
        "element_stride": numbers("element_stride"),
        **{key: value[key] for key in ("interleave", "swizzle", "l2_promotion", "fill")},
    }
    if value["mode"] == "tiled":
        return arguments | {"box": numbers("box")}
    corners = {key: numbers(key, count=rank - 2) for key in ("lower_corner", "upper_corner")}
    return arguments | corners | {"channels": value["channels_per_pixel"], "pixels": value["pixels_per_column"]}


def _refusal(request: Request) -> str:
    """Return why a map is refused, and that of a mode of im2col wide that there is not; empty where it is made."""
    if request.form == WIDE and request.mode > 1:
        return "mode"  # no bit says it
    try:
        encode_map(**_arguments(request))
    except SmemdescError as error:
        return error.message
    return ""


RUNS = [pytest.param(EVERY, id="few"), pytest.param(5, id="many", marks=pytest.mark.corpus)]


@pytest.mark.slow
@pytest.mark.parametrize("step", RUNS)
def test_every_bit_of_every_map_is_predicted(step: int) -> None:
    made = [each for each in _answers(step) if not each.status]
    wrong = [each.request for each in made if encode_map(**_arguments(each.request)).value != each.map]
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("step", RUNS)
def test_the_arguments_of_every_map_are_read_from_its_bits(step: int) -> None:
    for each in _answers(step):
        if each.status:
            continue
        asked, read = _arguments(each.request), _read(each.map)
        if each.request.form == WIDE:  # one coordinate a corner; the bits of the others are 0
            for key in ("lower_corner", "upper_corner"):
                assert not any(read[key][1:])
                read[key] = read[key][:1]
        assert read == asked


@pytest.mark.slow
@pytest.mark.parametrize("step", RUNS)
def test_what_the_driver_refuses_is_refused_and_nothing_else(step: int) -> None:
    answers = _answers(step)
    assert [each.request for each in answers if bool(each.status) != bool(_refusal(each.request))] == []


@pytest.mark.corpus
def test_hopper_refuses_every_packed_type() -> None:
    every = _answers(1)
    assert (len(every), sum(not each.status for each in every)) == (ASKED, MADE)
    packed = [each for each in every if each.request.dtype >= len(TYPE)]
    assert {each.request.dtype for each in packed} == {each.number for each in PACKED_TYPES}
    assert all(each.status for each in packed)


@pytest.mark.parametrize("step", RUNS)
def test_nothing_is_found_in_a_map_that_the_driver_made(step: int) -> None:
    for each in _answers(step):
        if not each.status:
            table = table_of(each.map)
            found = {finding.rule for finding in judge(kind_of(table.name), table.read(each.map))}
            assert found <= {"stride-below-row"}, each.request  # the probe's strides are random


@pytest.mark.corpus
def test_both_chips_answer_the_same() -> None:
    first, second = (_lines(path) for path in RECORDS)
    heads = next(first), next(second)
    assert {head["chip"] for head in heads} == {"NVIDIA H100 80GB HBM3", "NVIDIA H200"}
    assert list(first) == list(second)


def test_both_records_begin_alike() -> None:
    first, second = (list(islice(_lines(path), 1, 2000)) for path in RECORDS)
    assert first == second


def test_a_bit_that_no_map_had_is_named() -> None:
    bits = next(each.map for each in _answers(EVERY) if not each.status)
    for name, table in MAP_TABLES.items():
        for row in table.rows:
            if row.key.startswith("unknown"):
                found = judge(kind_of(name), table.read(table.insert(bits, row.key, 1)))
                named = next(each.message for each in found if each.fields == (row.key,))
                assert named.startswith(f"bit {row.lo} is")


@pytest.mark.corpus
def test_a_bit_that_no_map_of_the_form_had_is_never_passed_over() -> None:
    seen: dict[str, int] = {}
    some: dict[str, int] = {}
    for each in _answers(1):
        if not each.status:
            name = table_of(each.map).name
            seen[name] = seen.get(name, 0) | each.map
            some[name] = each.map
    for name, bits in seen.items():
        for bit in range(1024):
            changed = some[name] | 1 << bit
            # Of the allocation class ptxas is the witness, and a large map of a long tensor is sound.
            known = bit == MAP_TABLES[name].row("allocation_class").lo
            if not bits >> bit & 1 and not known and table_of(changed).name == name:
                found = judge(kind_of(name), MAP_TABLES[name].read(changed))
                assert found, (name, bit)
                noted = ("box_bytes",), ("unknown_65",)  # a map replaced in memory; bit 65 of cuBLASLt's maps
                assert found[0].severity != "note" or found[0].fields in noted, (name, bit, found)


def test_forms_are_told_apart() -> None:
    told = {(each.request.form, table_of(each.map).name) for each in _answers(EVERY) if not each.status}
    ranks = range(3, 6)
    assert told == {
        (TILED, "tensormap:tiled"),
        *((form, f"tensormap:im2col-{rank}d") for form in (IM2COL, WIDE) for rank in ranks),
    }
