"""Strides that were not divided by 16, or that end inside a row of the mode, of every operand that an instruction
reads: each is a warning, and no stride of a tile that kernels have is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from samples import found, long_run, sampled
from tables import every_row

from smemdesc import Context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DTYPE_NAMES, dtype_of
from smemdesc.layout.atom import atom_tiling, exists, no_instruction
from smemdesc.layout.strides import LBO, SBO, strides_of
from smemdesc.rules import judge
from smemdesc.rules.strides import is_packed

Operand = tuple[str, str, str, str]
"""Kind, mode, major-ness and type."""
TILES = (1, 2, 4, 8)
"""K of a tile, in instructions."""
DIVIDED = {"lbo-not-divided", "sbo-not-divided"}
INSIDE = {"lbo-inside-row", "sbo-inside-row"}


def _operands() -> Iterator[Operand]:
    for kind, mode, major, name in product(("wgmma", "tcgen05"), MODE, ("K", "MN"), DTYPE_NAMES):
        dtype = dtype_of(name)
        read = dtype.wgmma if kind == "wgmma" else dtype.tcgen05
        held = kind == "tcgen05" or (mode != "128B_32B" and (major == "K" or dtype.storage == 16))
        if read and held and exists(mode, major) and not no_instruction(mode, major, dtype):
            yield kind, mode, major, name


OPERANDS = list(_operands())
BY_WIDTH = list({(*each[:3], dtype_of(each[3]).storage): each for each in OPERANDS}.values())
"""One type of each width."""


@cache
def _strides(mode: str, major: str, name: str, tile: tuple[int, int], order: str) -> tuple[int, int] | None:
    """Return LBO and SBO of a tile, if it is a whole number of atoms."""
    dtype = dtype_of(name)
    try:
        tiling = atom_tiling(mode, major, dtype, tile, order)
    except SmemdescError:
        return None
    lbo, sbo = strides_of(mode, major, Context(dtype=dtype, major=major, shape=tile))
    return tiling.stride(lbo.along), tiling.stride(sbo.along)


def _warnings(operand: Operand, shape: tuple[int, int], lbo: int, sbo: int) -> set[tuple[str, object]]:
    """Return the warnings of an operand of an instruction, each with the repair."""
    kind, mode, major, name = operand
    fields = {"start_address": 1024, LBO: lbo, SBO: sbo, "swizzle": mode}
    made = build(kind_of(kind), fields, force=True)
    context = Context(dtype=name, major=major, shape=shape)
    findings = judge(kind_of(kind), kind_of(kind).table.read(made.value), context)
    return {(each.rule, each.repair[0].value if each.repair else None) for each in findings if each.severity != "note"}


def _tiles(operand: Operand, mn: int) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
    _, mode, major, name = operand
    k = dtype_of(name).k
    for part, order in product(TILES, ("mn", "k")):
        strides = _strides(mode, major, name, (mn, part * k), order)
        if strides is not None:
            yield k, part, order, strides


@pytest.mark.slow
@pytest.mark.parametrize("operand", [each if each in BY_WIDTH else long_run(each) for each in OPERANDS], ids="-".join)
def test_a_stride_left_in_bytes_is_a_warning_with_the_repair(operand: Operand) -> None:
    _, mode, major, name = operand
    for mn in (64, 128):
        for k, part, order, strides in _tiles(operand, mn):
            used = strides_of(mode, major, Context(dtype=dtype_of(name), major=major, shape=(mn, k)))
            for place, stride in enumerate(used):
                wrong = [16 * size if at == place else size for at, size in enumerate(strides)]
                if not stride.used or max(wrong) >= 1 << 18:
                    continue  # without effect, or other fields are wrong, too
                said = _warnings(operand, (mn, k), *wrong)
                # A K of 512 or 1024 bytes, or rows of as many, which kernels have.
                common = order == "k" and part < 4 and (mode == "none" or major == "MN")
                assert said or common, (mn, part, order, strides, wrong)
                rules = {rule: repair for rule, repair in said if rule in DIVIDED}
                # Strides that no tile has may be wrong in another way.
                assert not rules or {strides[place], None} & {*rules.values()} or len(rules) == 2, (strides, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("operand", sampled(BY_WIDTH), ids="-".join)
def test_no_stride_of_a_tile_is_reported(operand: Operand) -> None:
    for mn in (8, 64, 96, 256):
        for k, _, _, strides in _tiles(operand, mn):
            for rows in (8, 64, 256):
                if rows <= mn and mn % rows == 0:
                    said = {rule for rule, _ in _warnings(operand, (rows, k), *strides)}
                    assert not said & (DIVIDED | INSIDE), (mn, k, strides)


@pytest.mark.slow
@pytest.mark.parametrize("operand", [each for each in BY_WIDTH if each[1] != "none"], ids="-".join)
def test_a_stride_that_ends_inside_a_row_is_a_warning_where_it_has_an_effect(operand: Operand) -> None:
    kind, mode, major, name = operand
    k, width = dtype_of(name).k, MODE[mode].width
    for mn in (8, 64, 128):
        strides = strides_of(mode, major, Context(dtype=dtype_of(name), major=major, shape=(mn, k)))
        sizes = [4 * each.packed for each in strides]
        for place, stride in enumerate(strides):
            for odd in range(16, width, 16):
                wrong = [size + odd if at == place else size for at, size in enumerate(sizes)]
                fields = {LBO: wrong[0], SBO: wrong[1], "swizzle": mode}
                rules = {rule for _, rule in found(kind, fields, dtype=name, major=major, shape=(mn, k))}
                assert bool(rules & INSIDE) == bool(stride.used), (mn, wrong)


@every_row(
    ("text", "case", "rules"),
    [
        ("0x40004400:?", {}, {"stride-not-divided", "sbo-not-divided"}),
        ("0x40004400????????", {"major": "K"}, {"stride-not-divided", "sbo-not-divided"}),
        ("0x40004400????????", {"major": "MN", "dtype": "bf16", "shape": "128x16"}, set()),  # LBO decides
        ("0x40004041:?", {}, {"sbo-inside-row"}),
        ("0x40004040:?", {}, set()),
        ("0x400044??00010040", {}, set()),
    ],
)
def test_of_a_word_alone(text: str, case: dict[str, str], rules: set[str]) -> None:
    found = decode_value(text, "tcgen05", context=Context(**case)).findings  # type: ignore[arg-type]
    assert {each.rule for each in found if each.severity == "warning"} == rules


@pytest.mark.parametrize(
    ("mode", "major", "shape", "lbo", "sbo", "packed"),
    [
        ("128B", "K", "64x16", 16, 1024, True),
        ("128B", "K", "64x16", 8192, 1024, True),
        ("128B", "K", "64x16", 16, 2048, False),
        ("128B", "K", "8x16", 16, 262128, True),
        ("128B", "K", "64x128", 8192, 1024, True),
        ("128B", "K", "64x128", 16384, 1024, False),
        ("128B", "K", None, 16, 1024, True),
        ("128B", "MN", "64x16", 16, 1024, True),
        ("128B", "MN", "128x16", 16, 1024, False),
        ("128B", "MN", "128x16", 1024, 1024, False),
        ("128B", "MN", "128x16", 1024, 2048, True),
        ("128B", "MN", "128x16", 2048, 1024, True),
        ("128B", "MN", "128x16", 8192, 1024, False),
        ("128B", "MN", None, 2048, 1024, True),
        ("none", "K", "64x16", 128, 256, True),
        ("none", "K", "64x16", 1024, 128, True),
        ("none", "K", "64x16", 2048, 128, False),
        ("128B", None, "64x16", 16, 1024, False),
    ],
)
def test_atoms_without_a_gap_are_packed(
    mode: str, major: str | None, shape: str | None, lbo: int, sbo: int, packed: bool
) -> None:
    """LBO counts only where the operand spans several atoms along its dimension."""
    table = kind_of("tcgen05").table
    fields = table.read(table.pack(table.encode({"swizzle": mode, LBO: lbo, SBO: sbo})))
    assert is_packed(Context(dtype="bf16", major=major, shape=shape), fields) is packed
