"""What the copies of a tensor map write to shared memory, compared with what a descriptor reads there.

A copy writes consecutive lines of elements. With a swizzle their distance is its width, also if a line of the
box is narrower; the pattern depends on absolute addresses; the element stride of dimension 0 has no effect
(measured on an H100, ``tests/silicon/tensormap/copies.txt``). The map does not say where the copies go: it fits if
some placement of them puts every element where the descriptor reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, pairwise, product
from math import prod
from typing import Any, NamedTuple

from smemdesc.descriptors.result import Result, literal_of, matrix_reading
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import join_and, many
from smemdesc.kinds.addresses import START
from smemdesc.kinds.archs import MOST_SHARED, shared_memory
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, TMA_CODE
from smemdesc.kinds.tensormap import DATA_TYPE, DIMENSIONS, MAP_BITS, table_of
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import exists, no_instruction
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.operand import LINE, UNIT, Operand, operand_of
from smemdesc.layout.strides import LBO, NICK, SBO, Stride, strides_of
from smemdesc.rules.addresses import tile_start
from smemdesc.rules.base import NOTE, Finding, Repair, error, note, worst_first
from smemdesc.rules.copies import (
    READ_AS,
    map_interleave,
    map_line,
    map_major,
    map_start,
    map_strides,
    map_swizzle,
    map_tile,
    map_type,
)
from smemdesc.rules.strides import UNDIVIDED
from smemdesc.rules.tensor_map import MOST_BYTES
from smemdesc.tiles.box import TMA_TYPE, TmaBox
from smemdesc.tiles.tile import tma_order
from smemdesc.tiles.tma import map_mode, settings

COMPARED_ROWS = 64
"""Rows of the operand to compare if its shape is not given: M of wgmma, which every tile has."""


class CopiedBox(NamedTuple):
    """What one copy of a tensor map writes."""

    data_type: str
    """As the driver names it, without ``CU_TENSOR_MAP_DATA_TYPE_``."""
    swizzle: str
    """A mode, or a name that only the tensor map has."""
    interleave: str
    box: tuple[int, ...]
    """Elements that a copy writes, the contiguous dimension first."""

    @property
    def bits(self) -> int:
        """Bits of an element in shared memory."""
        return DATA_TYPE[self.data_type].bits

    @property
    def row(self) -> int:
        """Bytes that a copy writes of a line."""
        return self.box[0] * self.bits // 8

    @property
    def pitch(self) -> int:
        """Bytes from one line to the next."""
        width = {**{name: mode.width for name, mode in MODE.items()}, "none": 0, "96B": 96}
        return max(self.row, width.get(self.swizzle, LINE))

    @property
    def size(self) -> int:
        """Bytes from the start of the first line to the end of the last."""
        return self.pitch * prod(self.box[1:])

    @property
    def typed(self) -> str:
        """Its settings as they are typed."""
        layout = "" if self.interleave == "none" else f",interleave={self.interleave}"
        return f"box={'x'.join(map(str, self.box))},swizzle={self.swizzle},dtype={self.data_type}{layout}"

    def __str__(self) -> str:
        lines = prod(self.box[1:])
        padded = f" in every {self.pitch}" if self.pitch > self.row else ""
        return f"{many(lines, 'line')} of {self.box[0]} {self.data_type} ({self.row} B{padded}), swizzle {self.swizzle}"


Map = CopiedBox | int | str | bytes
"""A tensor map: its number, its bytes, or text, which is its bytes or its settings."""


def read_map(source: Map) -> CopiedBox:
    """Return what the copies of a map write, from its bytes in any form that ``decode`` reads, from its settings
    (``box=64x128,swizzle=128B,dtype=bf16``), or from the one call of a host that encodes it.
    :class:`smemdesc.engine.errors.SmemdescError` for anything else.
    """
    if isinstance(source, CopiedBox):
        return source
    if isinstance(source, str) and ENCODES in source:
        return _of_call(source)
    if isinstance(source, str) and "=" in source and "box" in source.lower():
        return _in_words(source)
    literal = literal_of(source)
    if literal.width != MAP_BITS:
        hint = "give its 128 bytes, @FILE, or its settings: box=64x128,swizzle=128B,dtype=bf16"
        raise SmemdescError(f"{literal.text.strip()[:40]} is not a tensor map", hint=hint)
    return copied(table_of(literal.number).read(literal.number))


def _of_call(text: str) -> CopiedBox:
    from smemdesc.descriptors.map_call import asked_arguments
    from smemdesc.reading.map_source import calls

    found = list(calls(text))
    if len(found) != 1:
        lines = [str(call.line) for call in found if not isinstance(call, SmemdescError)]
        where = f"{len(found)} calls make tensor maps (lines {', '.join(lines)})" if found else "no call is readable"
        raise SmemdescError(where, hint="give the text of one")
    (call,) = found
    if isinstance(call, SmemdescError):
        raise call
    unknown = [name for name in call.missing if name in _OF_A_COPY]
    if unknown:
        why = call.unknown.get(unknown[0])
        because = f"{unknown[0]} depends on {why}" if why else f"{unknown[0]} is missing"
        raise SmemdescError(f"what the map copies is not known: {because}", hint="give its settings: box=64x128,...")
    asked = asked_arguments(call)
    steps = [1, *asked.get("element_stride", ())[1:], *[1] * DIMENSIONS]
    box = tuple(-(-size // step) for size, step in zip(asked["box"], steps, strict=False))
    settled = f"box={'x'.join(map(str, box))},swizzle={asked['swizzle']},dtype={asked['dtype']}"
    return _in_words(settled)._replace(interleave=str(asked.get("interleave", "none")))


ENCODES = "ensorMapEncode"
"""In the names of the functions that encode a map."""
_OF_A_COPY = ("tensorDataType", "boxDim", "elementStrides", "swizzle", "interleave")


def _in_words(text: str) -> CopiedBox:
    words = {key: word for key, (word, _) in settings(text).items()}
    try:
        box = tuple(map(int, words["box"].lower().split("x")))
        name = words["dtype"]
        if not (1 <= len(box) <= DIMENSIONS and min(box) >= 1):
            raise ValueError
    except (KeyError, ValueError):
        raise SmemdescError(f"{text} is not a tensor map", hint="as in box=64x128,swizzle=128B,dtype=bf16") from None
    name = name.upper() if name.upper() in DATA_TYPE else TMA_TYPE.get(dtype_of(name).name, "UINT8")
    swizzle = words.get("swizzle", "none")
    return CopiedBox(name, swizzle if swizzle in TMA_CODE else map_mode(swizzle), words.get("interleave", "none"), box)


def copied(fields: Mapping[str, FieldReading]) -> CopiedBox:
    """Return what the copies of a map write.

    :class:`smemdesc.engine.errors.SmemdescError` if a code is undefined.
    """
    values = {key: fields[key].value for key in ("data_type", "swizzle", "swizzle_atomicity", "interleave", "rank")}
    for key, value in values.items():
        if value is None:
            raise SmemdescError(f"{key} of the map has no code {fields[key].raw}", hint="decode the map")
    name, swizzle, atom, interleave, rank = values.values()
    if swizzle == "128B" and atom != "16B":
        swizzle = "128B_32B" if atom == "32B" else f"128B_ATOM_{atom}"
    if "box_0" in fields:
        keys = [f"box_{i}" for i in range(int(str(rank)))]
        steps = [1, *(_number(fields, f"element_stride_{i}") for i in range(1, DIMENSIONS))]
    else:
        keys, steps = ["channels_per_pixel", "pixels_per_column"], [1, 1]
    box = tuple(-(-_number(fields, key) // step) for key, step in zip(keys, steps, strict=False))
    return CopiedBox(str(name), str(swizzle), str(interleave), box)


def _number(fields: Mapping[str, FieldReading], key: str) -> int:
    return int(str(fields[key].value))


class MapCheck(NamedTuple):
    """A map compared with a descriptor."""

    copied: CopiedBox
    shape: tuple[int, int]
    """MN x K of the compared operand, in elements."""
    findings: tuple[Finding, ...]
    assumed: tuple[str, ...] = ()
    """Conditions of the fit that the map does not contain."""

    @property
    def swizzle(self) -> str:
        """The mode with which the map writes."""
        return self.copied.swizzle

    @property
    def fits(self) -> bool:
        """Whether what the map writes can be what the descriptor reads."""
        return not any(finding.severity != NOTE for finding in self.findings)

    def __str__(self) -> str:
        rules = ", ".join(dict.fromkeys(finding.rule for finding in self.findings if finding.severity != NOTE))
        if rules:
            return f"{self.copied}: does not fit the descriptor ({rules})"
        mn, k = self.shape
        return f"{self.copied}: fits an operand of {mn}x{k}, {'; '.join(self.assumed)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        box = self.copied
        return {
            "fits": self.fits,
            "data_type": box.data_type,
            "swizzle": box.swizzle,
            "interleave": box.interleave,
            "box": list(box.box),
            "line": box.row,
            "pitch": box.pitch,
            "shape": list(self.shape),
            "assumed": list(self.assumed),
        }


def with_map(result: Result, box: CopiedBox, context: Context) -> Result:
    """Return a descriptor that was decoded without its tile, with the comparison of :func:`hold` with a map."""
    check = hold(result, context, box)
    findings = [*result.findings, *check.findings]
    if context.tiled:
        reading = matrix_reading(result)
        findings += tile_start.apply(reading.kind, reading.fields, context)
        if check.fits:  # copies that fill the tile determine every stride
            findings = [finding for finding in findings if finding.rule not in UNDIVIDED]
    return result._replace(findings=worst_first(findings), map_check=check)


def hold(result: Result, context: Context, box: CopiedBox) -> MapCheck:
    """Compare a descriptor with a map.

    ``context`` must have the major-ness, and the type if the map's fits no operand; without a shape some rows
    of one instruction are compared. With a tile, copies fill it and follow each other without a gap.
    :class:`smemdesc.engine.errors.SmemdescError` if they cannot be compared.
    """
    only = matrix_reading(result)
    kind, fields = only.kind, only.fields
    context = _completed(context, box)
    assert context.dtype is not None
    assert context.shape is not None
    if box.row * prod(box.box[1:]) > MOST_BYTES:
        raise SmemdescError(f"{box}: no box has more than {MOST_BYTES} B", hint="decode the map")
    findings = map_type.apply(context.dtype, box.data_type, TMA_TYPE.get(context.dtype.name, "UINT8"))
    swizzle = map_swizzle.apply(kind.name, fields["swizzle"], box.swizzle)
    if swizzle or box.interleave != "none":
        findings += swizzle or map_interleave.apply(box.interleave)
        return MapCheck(box, context.shape, tuple(findings))
    if box.row % UNIT:
        text = f"a line of the box has {box.box[0]} {box.data_type} = {box.row} B, not a multiple of {UNIT} B"
        return MapCheck(box, context.shape, (map_line.finding(error(text)), *findings))
    anywhere = fields[START].value is None
    if anywhere:
        fields = {**fields, START: fields[START]._replace(value=0)}
    operand = operand_of(fields, context)
    if operand.absolute:
        raise SmemdescError("LBO mode absolute is not compared with a map", hint="leave the map out")
    placed = _placed(_Case(kind.name, operand, context, box, anywhere))
    return MapCheck(box, context.shape, worst_first([*findings, *placed.findings]), placed.assumed)


class _Placed(NamedTuple):
    """What is assumed of the copies that write what a descriptor reads, and what is wrong with them."""

    assumed: tuple[str, ...]
    findings: tuple[Finding, ...]


@lru_cache(maxsize=256)
def _placed(case: _Case) -> _Placed:
    """Return where copies of the box go. The MMAs of a kernel, and what may be unknown of each, ask the same."""
    assumed = next(case.placements(), None)
    if assumed is None:
        return _Placed((), (_misplaced(case),))
    box = case.box
    if box.row < min(box.pitch, case.size):
        text = f"a line of the box has {box.row} B, and lines are {box.pitch} B apart: the rest is not written"
        return _Placed(assumed, (map_line.finding(note(text)),))
    return _Placed(assumed, ())


def fills(operand: Operand, box: TmaBox) -> bool:
    """Whether copies of a box write each element of an operand where it is read, as :func:`hold` finds."""
    copied_box = CopiedBox(box.data_type.removeprefix("CU_TENSOR_MAP_DATA_TYPE_"), box.swizzle, box.interleave, box.box)
    if copied_box.row % UNIT or copied_box.row * prod(copied_box.box[1:]) > MOST_BYTES:
        return False
    context = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
    return any(True for _ in _Case("tcgen05", operand, context, copied_box, anywhere=False).placements())


def _completed(context: Context, box: CopiedBox) -> Context:
    """Return the case with the type of the map and a shape that every instruction reads, if none is given."""
    if context.major is None:
        raise SmemdescError(
            "a map does not say which dimension is K", hint="give --major K if dimension 0 of the map is K, else MN"
        )
    if context.dtype is None:
        name = next((ours for ours, theirs in READ_AS.items() if box.data_type in theirs.split()), None)
        if name is None:
            raise SmemdescError(f"{box.data_type} of the map may be any type", hint="give --dtype")
        context = context._replace(dtype=dtype_of(name))
    if context.shape is None:
        assert context.dtype is not None
        rows = prod(box.box[1:]) if context.major == "K" else box.row * 8 // context.dtype.storage
        most = min(COMPARED_ROWS, context.tile[0]) if context.tile else COMPARED_ROWS
        context = context._replace(shape=(max(8, min(most, rows)), context.dtype.k))
    return context


# Where the copies go


class _MapAxis(NamedTuple):
    """One dimension of the operand: its lines, or the 16-byte units of a line."""

    name: str
    reads: list[int]
    """Bytes from the start to each in the descriptor, before the swizzle."""
    holds: list[int]
    """Bytes from the start of a box to each that it contains."""
    dims: tuple[int, ...]
    """The dimensions of the map, other than dimension 0."""

    def places(self) -> list[tuple[int, ...]]:
        """Return the distance of each box from the operand."""
        return _places(tuple(self.reads), tuple(self.holds))


@lru_cache(maxsize=256)
def _places(reads: tuple[int, ...], holds: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the distance of each box from the operand: of equivalent placements in a box the first and the last, since
    one of them may reach beyond shared memory. It is the same wherever the operand begins."""
    count, alike = len(holds), dict[tuple[int, ...], list[tuple[int, ...]]]()
    steps = {after - before for before, after in chain(pairwise(reads), pairwise(holds))}
    for first in range(count):
        begins: dict[int, int] = {}
        # Where both go on by equal steps, the first of each box decides.
        firsts = (0, *range(count - first, len(reads), count)) if len(steps) == 1 else range(len(reads))
        for at in firsts:
            box, inside = divmod(first + at, count)
            begin = reads[at] - holds[inside]
            if begins.setdefault(box, begin) != begin:
                break
        else:
            here, *others = begins.values()
            places = alike.setdefault((here % LINE, *(coordinate - here for coordinate in others)), [])
            places[1:] = [(here, *others)]
    return [place for places in alike.values() for place in places]


class _Case(NamedTuple):
    """An operand and the map that fills it."""

    kind: str
    operand: Operand
    context: Context
    box: CopiedBox
    anywhere: bool
    """Whether the start of the operand is unknown."""
    bounded: bool = True
    """Whether a copy has to lie in shared memory as a whole."""

    @property
    def size(self) -> int:
        """Bytes of the operand along its contiguous dimension."""
        return self.operand.shape[self.operand.major == "K"] * self.operand.dtype.storage // 8

    def axes(self) -> Iterator[tuple[_MapAxis, _MapAxis]]:
        """Yield lines and units, for every assignment of the map's dimensions to them; first, all are lines."""
        lines, units = ([byte for _, byte in unit_offset] for unit_offset in self.operand.unit_offsets())
        major = self.operand.major
        outer = [at for at, size in enumerate(self.box.box) if at and size > 1]
        for chosen in sorted(product((False, True), repeat=len(outer)), key=sum):
            wide = tuple(dim for dim, is_wide in zip(outer, chosen, strict=True) if is_wide)
            down = tuple(dim for dim in outer if dim not in wide)
            yield (
                _MapAxis("MN" if major == "K" else "K", lines, self._holds(down, Leaf(1, 0)), down),
                _MapAxis(major, units, self._holds(wide, Leaf(-(-self.box.row // UNIT), UNIT)), wide),
            )

    def _holds(self, dims: tuple[int, ...], inside: Leaf) -> list[int]:
        """Return the distance of each index of some dimensions from the start of a box, the inner ones fastest."""
        box = self.box.box
        return Mode(inside, *(Leaf(box[dim], self.box.pitch * prod(box[1:dim])) for dim in dims)).offsets

    def placements(self) -> Iterator[tuple[str, ...]]:
        """Yield the placements in which copies write what the descriptor reads: the conditions of each, in words."""
        if self.operand.base_offset % self.operand.mode.phases:
            return
        for lines, units in self.axes():
            apart = self._apart(lines, units)
            for down, along in product(lines.places(), units.places()):
                begins = sorted(self.operand.start + row + column for row in down for column in along)
                first = begins[0] if self.anywhere else 0
                if self.bounded and not self.anywhere and not 0 <= begins[0] <= begins[-1] <= self.last:
                    continue
                if any((begin - first) % LINE for begin in begins):
                    continue  # a copy begins at a multiple of 128 B
                if any(after - before < self.box.size for before, after in pairwise(begins)):
                    continue
                if apart is None or any(_even(down, rows) and _even(along, columns) for rows, columns in apart):
                    yield tuple(self._assumed(lines, units, down, along))

    @property
    def last(self) -> int:
        """The last byte at which a copy may begin; of an operand that itself ends outside shared memory, any."""
        lines, units = ([byte for _, byte in unit_offset] for unit_offset in self.operand.unit_offsets())
        end = self.operand.start + max(lines) + max(units) + UNIT
        return max(shared_memory(self.context.arch) or MOST_SHARED, end) - self.box.size

    def boxes(self, lines: _MapAxis, units: _MapAxis) -> tuple[int, int] | None:
        """Return the number of boxes of the tile down and along; None if it is not whole or there is no tile."""
        down, wide = self.context.tile or (0, 0)
        if self.operand.major == "MN":
            down, wide = wide, down
        wide = wide * self.operand.dtype.storage // (8 * UNIT)
        rest = down % len(lines.holds) or wide % len(units.holds)
        return None if rest or not down else (down // len(lines.holds), wide // len(units.holds))

    def _apart(self, lines: _MapAxis, units: _MapAxis) -> list[tuple[int, int]] | None:
        """Return the possible distances of boxes that fill the tile, down and along; None if there is no tile."""
        if self.context.tile is None:
            return None
        count = self.boxes(lines, units)
        if count is None:
            return []
        near = tma_order(self.operand.major)  # along which lines follow each other
        orders = {near: (self.box.size, self.box.size * count[0])}
        orders["k" if near == "mn" else "mn"] = (self.box.size * count[1], self.box.size)
        return [pairs for order, pairs in orders.items() if self.context.order in (None, order)]

    def _assumed(
        self, lines: _MapAxis, units: _MapAxis, down: tuple[int, ...], along: tuple[int, ...]
    ) -> Iterator[str]:
        dims = f"s {join_and((0, *units.dims))} of the map are" if units.dims else " 0 of the map is"
        yield f"if dimension{dims} {self.operand.major}"
        for axis, begins in ((lines, down), (units, along)):
            if len(begins) > 1:
                yield f"the next copy along {axis.name} goes {begins[1] - begins[0]} B further"

    def reading(self, major: str = "", box: CopiedBox | None = None, **fields: Any) -> _Case:
        """Return the same with another major-ness, another box, or other fields of the descriptor."""
        operand = self.operand._replace(major=major or self.operand.major, **fields)
        return self._replace(operand=operand, box=box or self.box)

    @property
    def fits(self) -> bool:
        """Whether there is such a placement."""
        return next(self.placements(), None) is not None


def _even(begins: tuple[int, ...], apart: int) -> bool:
    return all(begin - begins[0] == at * apart for at, begin in enumerate(begins))


# What differs


def _misplaced(case: _Case) -> Finding:
    """Return why the copies do not match what is read: one change if one is enough."""
    operand, box, mode, tile = case.operand, case.box, case.operand.mode, case.context.tile
    if findings := map_line.apply(mode, box.pitch, box.box, box.data_type):
        return findings[0]
    turned = _turned(case)
    if tile is not None and turned is None and not any(case.boxes(*axis) for axis in case.axes()):
        return map_tile.apply(tile, operand.major, box.box)[0]
    if case.reading(base_offset=0).fits:
        where = f"TMA writes with a pattern that begins at multiples of {mode.period} B"
        message = f"base offset {operand.base_offset}: {where}"
        repair = Repair("base_offset", 0)
        return map_start.finding(error(message, fix=str(repair), fields=("base_offset",), repair=repair))
    wider = box._replace(box=(mode.width * 8 // box.bits, *box.box[1:]))
    if case.reading(box=wider).fits:
        line = f"a line of the box has {box.row} B ({box.box[0]} {box.data_type}) in every {box.pitch} B"
        fix = f"use a box of {'x'.join(map(str, wider.box))}"
        return map_line.finding(error(f"{line}, and the operand reads past them", fix=fix, fields=(START,)))
    used = [stride for stride in strides_of(mode.name, operand.major, case.context) if stride.used]
    sizes = {stride: getattr(operand, NICK[stride.key].lower()) for stride in used}
    wrong, need = next(((stride, need) for stride in used if (need := _stride(case, stride)) is not None), (None, 0))
    is_set = all(size > UNIT for size in sizes.values())
    if turned is not None and not (is_set and wrong):
        return map_major.apply(operand.major, turned, is_set)[0]
    if wrong is not None:
        return map_strides.apply(wrong, sizes[wrong], need, box.size, tile is not None)[0]
    outside = case._replace(bounded=False).fits
    if outside or case.reading(start=0).fits:
        return map_start.apply(operand.start, mode.width, box.size, outside)[0]
    strides = f"LBO {operand.lbo} B and SBO {operand.sbo} B"
    message = f"{strides}: no placement of the copies puts each element where it is read"
    return map_strides.finding(error(message, fields=(LBO, SBO)))


def _turned(case: _Case) -> str | None:
    """Return the other major-ness if copies of it write what is read."""
    other_major = "MN" if case.operand.major == "K" else "K"
    return other_major if _is_read(case, other_major) and case.reading(other_major).fits else None


def _is_read(case: _Case, major: str) -> bool:
    """Whether mode, type and start of the operand allow the other major-ness."""
    mode, dtype = case.operand.mode.name, case.operand.dtype
    if case.operand.start % (2 * UNIT) or (case.kind == "wgmma" and major == "MN" and dtype.storage != 16):
        return False
    return exists(mode, major) and not no_instruction(mode, major, dtype)


def _stride(case: _Case, stride: Stride) -> int | None:
    """Return the value of a stride that makes all fit; None if it is not the only wrong one."""
    box, name = case.box, NICK[stride.key].lower()
    counts = [count for axis in case.axes() for count in case.boxes(*axis) or ()]
    lines = [prod(box.box[1:dim]) for dim in range(2, len(box.box))]
    tried = (stride.packed, box.size, *(box.size * count for count in counts), *(box.pitch * count for count in lines))
    return next((size for size in sorted(set(tried)) if case.reading("", None, **{name: size}).fits), None)
