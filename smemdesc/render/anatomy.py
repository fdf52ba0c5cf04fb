"""A shared-memory descriptor as a picture: its bits, and what each field sets in memory, in the color of the field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import listed_words, many, span
from smemdesc.kinds.addresses import START
from smemdesc.kinds.modes import SwizzleMode
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.layout.operand import LINE, UNIT, Operand, bank, moves
from smemdesc.layout.store import row_byte_formula
from smemdesc.layout.strides import LBO, NICK, Stride, is_absolute
from smemdesc.render import text_picture
from smemdesc.render.bits import bit_range, field_styles, raw_text, value_text
from smemdesc.render.console import CHUNK_COLORS, CHUNK_INK
from smemdesc.render.operand import segments_text
from smemdesc.render.report import decoded_view
from smemdesc.render.svg import (
    ABSENT,
    EDGE,
    FAINT,
    FIELD_COLORS,
    GROUND,
    INK,
    MARGIN,
    SEVERITY_COLORS,
    SMALL,
    STEP,
    STRIDE_COLORS,
    Document,
    Paragraph,
    PictureBlock,
    draw,
    heading,
    text_width,
)
from smemdesc.rules.base import NOTE, WARNING
from smemdesc.tiles.anatomy import Anatomy, KStep, PlacedAtoms, anatomy_of

ColoredText = tuple[str, str, bool]
"""A text, its color, and whether it is bold."""
WIDTH = 1124
_BIT = 17.2
_TALL = 44
"""Height of an atom."""
_LABELS = 4
_CARD = 268


def picture(result: Result, *, bits: bool = False, every: bool = False) -> str:
    """Return the SVG of a decoded value: the anatomy of a shared-memory descriptor, the text of any other."""
    if bits or every or not result.settled or result.kind not in SMEM_KINDS:
        return text_picture.picture([decoded_view(result, bits=bits, every=every)], result.text.strip())
    return anatomy_picture(result)


def anatomy_picture(result: Result) -> str:
    """Return the SVG of a shared-memory descriptor with one reading."""
    reading = result.candidates[0]
    of = anatomy_of(reading, result.context)
    details = " · ".join(_details(of))
    blocks: list[PictureBlock] = [*heading(reading.hex, f"{details} · {result.verdict}"), _BitBoxes(of)]
    if of.atoms is not None:
        blocks.append(_Places(of, of.atoms))
        blocks += [_Cards(of.steps, of, of.atoms)] if len(of.steps) > 1 else []
        blocks.append(_Sums(of, of.atoms.one))
    else:
        blocks.append(Paragraph([*_meanings(of)], 12, INK, space=8))
        blocks += [_Pattern(of.mode)] if of.mode and of.mode.swizzle[0] else []
    for severity, color in SEVERITY_COLORS.items():
        found = [f"{severity} {each.rule}: {each.message}" for each in result.findings if each.severity == severity]
        blocks += [Paragraph(found, 11, color, bold=severity != NOTE, space=10)] if found else []
    blocks.append(Paragraph([*_remarks(of)], space=4))
    parts = (f"{NICK.get(key, key.partition('_')[0])} {value_text(reading.fields[key])}" for key in FIELD_COLORS)
    described = f"{details}. Each field has the color of what it sets: {', '.join(parts)}."
    return draw(f"Anatomy of descriptor {reading.hex}", described, blocks)


def _details(of: Anatomy) -> Iterator[str]:
    """Yield what is known: kind, mode, type, major-ness, tile."""
    yield of.reading.kind.name
    yield (
        "swizzle not known"
        if of.mode is None
        else "no swizzle"
        if of.mode.name == "none"
        else f"{of.mode.name} swizzle"
    )
    if of.context.dtype is not None:
        yield of.context.dtype.name
    yield f"{of.context.major}-major" if of.context.major else "K-major or MN-major: not given"
    if of.atoms is None:
        return
    if of.tile is not None:
        yield f"tile {_times(of.tile.whole)} at {_address(of, of.atoms.elements.start)}"
    if of.atoms.given:
        yield f"one MMA reads {_times(of.atoms.one.shape)}"


def _times(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _address(of: Anatomy, byte: int) -> str:
    """Return an address, or the distance from a start that is not known."""
    if of.located or of.atoms is None:
        return f"0x{byte:05x}"
    return f"start{byte - of.atoms.one.start:+#x}"


def _meanings(of: Anatomy) -> Iterator[str]:
    """Yield what the strides mean, where the addresses of the elements are not known."""
    if of.mode is None:
        yield "No mode has this swizzle code: what LBO and SBO mean depends on it."
        return
    for major in [of.context.major] if of.context.major else ["K", "MN"]:
        strides = [each for each in of.strides if not of.context.major or each.along]
        for stride in strides[:2] if major == "K" or of.context.major else strides[-2:]:
            size = of.reading.fields[stride.key].value
            if isinstance(size, int):
                yield f"{major}-major: {stride.explain(size)}"
    missing = [name for name in ("dtype", "major") if getattr(of.context, name) is None]
    if missing:
        yield f"For the atoms in memory, give {' and '.join(f'--{name}' for name in missing)}."


def _remarks(of: Anatomy) -> Iterator[str]:
    """Yield what is to be said of the fields, and of what was not given."""
    if of.atoms is None:
        return
    if of.atoms.one.absolute:
        yield f"LBO is an address: K lies in {segments_text(of.atoms.one)}"
    elif of.context.major == "K" and of.mode is not None and of.mode.name != "none":
        if of.context.tile is None:
            yield f"the next {of.atoms.shape.k} of K are in another column of atoms: the tile says how far, not LBO"
        elif of.tile and of.atoms.counts.k > 1:
            far = f"{of.tile.stride_k} B further"
            yield f"the next {of.atoms.shape.k} of K are in another column of atoms, {far}: LBO does not say it"
    if of.atoms.one.base_offset:
        yield f"base offset {of.atoms.one.base_offset}: the pattern begins {of.atoms.one.phase} B further on"
    if not of.located:
        period = of.atoms.one.mode.period
        known = "as" if of.low is None else f"{of.low} B past"
        yield f"the start is not known: drawn {known} a multiple of {period} B, where the pattern begins"
    if not of.atoms.given:
        yield "how many rows there are is not known: give --tile or --shape"


class _BitBoxes(NamedTuple):
    """The bits in their fields; those that set something in its color, dashed without effect."""

    of: Anatomy

    def width(self) -> float:
        return WIDTH

    def draw(self, svg: Document, y: float) -> float:
        x: float = MARGIN
        y += 22
        fields, idle = self.of.reading.fields, _idle(self.of)
        styles = field_styles(fields, self.of.reading.findings)
        for key, reading in reversed(list(fields.items())):
            wide = reading.field.width * _BIT + 1
            color = SEVERITY_COLORS[styles[key]] if reading.contradicts else FIELD_COLORS.get(key, "")
            own = color or (INK if reading.bits and not reading.field.constant else "")
            fill, stroke, thick = ("none", own, 2) if own else (ABSENT, EDGE, 1)
            tip = f"bits {bit_range(reading)}: {key}, {reading.field.doc}"
            svg.text(x + 1, y - 5, str(reading.hi), size=SMALL, fill=FAINT)
            svg.rect(
                *(x, y, wide - 2, 24),
                fill=fill,
                stroke=stroke,
                stroke_width=thick,
                radius=4,
                tip=tip,
                dashed=key in idle,
            )
            with svg.group(text_anchor="middle", font_size=12, fill=own or FAINT, font_weight="bold" if own else ""):
                for number, digit in enumerate(reading.binary()):
                    svg.text(x + (number + 0.5) * _BIT, y + 17, digit, size=0)
            if own:
                self._label(svg, key, reading, own, x + wide / 2, y)
            x += wide
        return y + (76 if any(self._below(key, reading) for key, reading in fields.items()) else 58)

    def _below(self, key: str, reading: FieldReading) -> bool:
        """Whether the label of a field is on the second line: it may be wider than its bits."""
        return key not in FIELD_COLORS and (reading.contradicts or bool(reading.bits and not reading.field.constant))

    def _label(self, svg: Document, key: str, reading: FieldReading, color: str, middle: float, y: float) -> None:
        text = _field_text(self.of, key, reading)
        half = text_width(text, 12) / 2
        middle = min(max(middle, MARGIN + half), svg.width - MARGIN - half)
        svg.text(middle, y + (58 if self._below(key, reading) else 41), text, fill=color, anchor="middle", bold=True)


def _idle(of: Anatomy) -> tuple[str, ...]:
    """Return the strides that have no effect."""
    if is_absolute(of.reading.fields) or not of.context.major:
        return ()
    return tuple(stride.key for stride in of.strides if stride.used is False)


def _field_text(of: Anatomy, key: str, reading: FieldReading) -> str:
    if key == "swizzle":
        return f"swizzle {value_text(reading) or raw_text(reading)}"
    if reading.contradicts:
        return f"{key.replace('_', ' ')} {raw_text(reading, padded=False)}: not defined"
    if key not in FIELD_COLORS:
        return f"{key.replace('_', ' ')} {value_text(reading)}"
    name = "start" if key == START else NICK[key]
    if not isinstance(reading.value, int):
        return f"{name}: not known"
    if key in _idle(of):
        return f"{name} {reading.value} B: no effect here"
    if key == LBO and is_absolute(of.reading.fields):
        return f"LBO 0x{reading.value:05x}: an address"
    if key == START:
        return f"start 0x{reading.bits:x} × {UNIT} = 0x{reading.value:05x}"
    return f"{name} {reading.bits} × {UNIT} = {reading.value} B"


class _Places(NamedTuple):
    """The atoms of the tile, as the matrix has them and in memory, and the units inside one."""

    of: Anatomy
    atoms: PlacedAtoms

    def width(self) -> float:
        return WIDTH

    def draw(self, svg: Document, y: float) -> float:
        title, top = y + 12, y + 46
        rule = _rule_in_words(self.atoms.one.mode, "mn" if self.atoms.one.major == "K" else "k")
        svg.text(MARGIN, title, "the tile, as the matrix sees it", bold=True)
        svg.text(360, title, "shared memory, by byte", bold=True)
        svg.text(686, title, rule, fill=FIELD_COLORS["swizzle"], bold=True)
        starts = self._starts()
        order = {start: number for number, start in enumerate(sorted(set(starts.values())))}
        rows, right = self._draw_tile(svg, 84, top, starts, order)
        bottom, boxes = self._draw_memory(svg, 430, top, starts, order)
        for atom, middle in rows.items():
            if self.atoms.counts.k == 1 and atom in boxes and boxes[atom] + _TALL / 2 == middle:
                svg.line(right + 4, middle, 366, middle, dashes="1 4")
        below = self._draw_units(svg, 720, top, boxes[0, 0])
        tall = (min(self.atoms.counts.mn, _LABELS + 2)) * _TALL + 40
        return max(bottom, below, top + tall) + 6

    def _starts(self) -> dict[tuple[int, int], int]:
        """Return the first byte of each atom."""
        count = self.atoms.counts
        return {(mn, k): self.atoms.start(mn, k) for mn in range(count.mn) for k in range(count.k)}

    def _draw_tile(
        self, svg: Document, x: float, y: float, starts: dict[tuple[int, int], int], order: dict[int, int]
    ) -> tuple[dict[tuple[int, int], float], float]:
        """Draw the atoms with the operand of the MMA; return the middle of each row, and the x of their ends."""
        atoms = self.atoms
        down, across = _Drawn(atoms.counts.mn, _TALL, y), _Drawn(atoms.counts.k, 0, x, 220)
        middles = {}
        for mn, top in down.places():
            svg.text(x - 8, top + 16, f"mn {mn * atoms.shape.mn}", size=SMALL, fill=FAINT, anchor="end")
            for k, left in across.places():
                svg.rect(left, top, across.size, down.size, fill=ABSENT, stroke=INK, stroke_width=1.2)
                number = order[starts[mn, k]]
                text = f"atom {number}" if across.size > 150 else f"#{number}"
                svg.text(left + across.size - 5, top + 28, text, size=11, anchor="end", bold=True)
                for begin in range(atoms.one.shape[1], atoms.shape.k, atoms.one.shape[1]):
                    inside = left + begin / atoms.shape.k * across.size
                    svg.line(inside, top, inside, top + down.size, dashes="2 3")
            middles[mn, 0] = top + down.size / 2
        for k, left in across.places():
            every = atoms.one.shape[1] if atoms.shape.k > atoms.one.shape[1] and across.size > 150 else atoms.shape.k
            for begin in range(0, atoms.shape.k, every):
                at = left + (begin + every / 2) / atoms.shape.k * across.size
                svg.text(at, y - 8, f"k {k * atoms.shape.k + begin}", size=SMALL, fill=FAINT, anchor="middle")
        for skipped in down.gaps():
            svg.text(x + across.end / 2 - x / 2, skipped + 26, "⋮", fill=FAINT, anchor="middle")
        for skipped in across.gaps():
            svg.text(skipped + 10, y + 26, "…", fill=FAINT, anchor="middle")
        self._outline(svg, down, across)
        return middles, across.end

    def _outline(self, svg: Document, down: _Drawn, across: _Drawn) -> None:
        """Draw what one MMA reads."""
        atoms, (mn, k) = self.atoms, self.atoms.first
        top, bottom = (down.at(each / atoms.shape.mn) for each in (mn, mn + atoms.one.shape[0]))
        left, right = (across.at(each / atoms.shape.k) for each in (k, k + atoms.one.shape[1]))
        svg.rect(left - 3, top - 3, right - left + 6, bottom - top + 6, stroke=STEP, stroke_width=2.4, radius=5)
        step = k // atoms.one.shape[1]
        size = atoms.one.shape[1] * atoms.one.dtype.storage // 8
        middle = max((left + right) / 2, MARGIN + 42)
        svg.text(middle, down.end + 20, f"MMA step {step}", size=SMALL, fill=STEP, anchor="middle", bold=True)
        svg.text(middle, down.end + 34, f"{size} B of K", size=SMALL, fill=STEP, anchor="middle")

    def _draw_memory(
        self, svg: Document, x: float, y: float, starts: dict[tuple[int, int], int], order: dict[int, int]
    ) -> tuple[float, dict[tuple[int, int], float]]:
        """Draw atoms in the order of their addresses; return the y below them, and the top of each."""
        of, wide, size = self.of, 96, self.atoms.size
        by_start: dict[int, tuple[int, int]] = {}
        for atom, start in starts.items():
            by_start.setdefault(start, atom)
        first, end = starts[0, 0], 0
        shown, tops = _chosen(starts, [self._next(stride) for stride in self._used()]), {}
        empty, warning = svg.hatched(ABSENT, EDGE), SEVERITY_COLORS[WARNING]
        if min(shown) and of.located:
            svg.rect(x, y - 22, wide, 22, fill=empty, stroke=EDGE)
            svg.text(x - 8, y - 8, "0x00000", size=SMALL, fill=FAINT, anchor="end")
        before = None
        for start in shown:
            between = before is not None and order[start] - order[before] > 1
            if before is not None and (start > end or between):
                svg.rect(x, y, wide, 26, fill="none" if between else empty, stroke="" if between else EDGE)
                text = f"⋮ {order[start] - order[before] - 1} more" if between else f"{start - end} B"
                svg.text(x + wide / 2, y + 17, text, size=SMALL, fill=FAINT, anchor="middle")
                y += 26
            over = before is not None and start < end and not between
            svg.rect(x, y, wide, _TALL, fill=ABSENT, stroke=warning if over else INK, stroke_width=1.2)
            svg.text(x + wide / 2, y + 20, f"atom {order[start]}", anchor="middle", bold=True)
            note, ink = (f"overlaps {end - start} B", warning) if over else (f"{size} B", FAINT)
            svg.text(x + wide / 2, y + 35, note, size=SMALL, fill=ink, anchor="middle")
            is_first = start == first
            ink = FIELD_COLORS[START] if is_first else INK
            svg.text(x - 8, y + 11, _address(of, start), size=SMALL, fill=ink, anchor="end", bold=is_first)
            tops[by_start[start]] = y
            before, end, y = start, start + size, y + _TALL
        svg.rect(x, y, wide, 22, fill=empty, stroke=EDGE)
        svg.text(x - 8, y + 11, _address(of, end), size=SMALL, fill=FAINT, anchor="end")
        for number, stride in enumerate(self._used()):
            self._draw_stride(svg, stride, x + wide + 12 + 74 * number, tops)
        return y + 22, tops

    def _used(self) -> list[Stride]:
        """Return the strides that the operand steps by, SBO first."""
        strides = [each for each in self.of.strides if each.used is not False and not self.atoms.one.absolute]
        counts = {"MN": self.atoms.counts.mn, "K": self.atoms.counts.k}
        return sorted((each for each in strides if counts[each.along] > 1), key=lambda each: each.key == LBO)

    def _next(self, stride: Stride) -> tuple[int, int]:
        """Return the atom one stride from the first."""
        return (1, 0) if stride.along == "MN" else (0, 1)

    def _draw_stride(self, svg: Document, stride: Stride, x: float, tops: dict[tuple[int, int], float]) -> None:
        to = tops.get(self._next(stride))
        if to is None:
            return
        color = FIELD_COLORS[stride.key]
        top = tops[0, 0] + 1
        svg.arrow(x, top, x, to - 1 if to > top else top + 1, stroke=color, ticks=False)
        size = self.of.reading.fields[stride.key].value
        svg.text(x + 9, top + 13, NICK[stride.key], fill=color, bold=True)
        svg.text(x + 9, top + 26, f"{size} B", size=SMALL, fill=color)
        svg.text(x + 9, top + 38, f"{stride.elements} of {stride.along}", size=SMALL, fill=color)

    def _draw_units(self, svg: Document, x: float, y: float, box: float) -> float:
        """Draw the lines of memory from the first atom on; return the y below them."""
        elements = self.atoms.elements
        first = self.atoms.start(0, 0)
        first -= first % LINE
        held = {address: (mn, k) for mn, k, address in elements.unit_addresses()}
        read = {address for *_, address in self.atoms.one.unit_addresses()}
        last = max((address for address in held if address < first + _LINES * LINE), default=first)
        lines = []
        for line in range(first, last + 1, LINE):
            units = range(line, line + LINE, UNIT)
            lines.append(
                [_unit_cell(self.of, elements, at, held[at], at in read) if at in held else None for at in units]
            )
        bottom = _draw_lines(svg, x, y, lines)
        for (left, top), (right, below) in (((526, box), (692, y)), ((526, box + _TALL), (692, bottom))):
            svg.path(f"M{left} {top}C{right} {top} {left + 60} {below} {right} {below}", stroke=FAINT, dashes="3 3")
        what = "first mn,k of 16 B" if elements.mode.width < LINE else f"first {elements.major.lower()} of 16 B"
        svg.text(x, bottom + 18, f"in a cell: {what}; outlined: read by the MMA", size=SMALL, fill=FAINT)
        return bottom + 20


class _Unit(NamedTuple):
    """A cell of 16 bytes: its text, the chunk where it lies without the swizzle, and whether the MMA reads it."""

    text: str
    home: int
    read: bool
    tip: str


_LINES = 8
"""The most 128-byte lines of memory."""
_WIDE, _HIGH = 52, 33


def _unit_cell(of: Anatomy, elements: Operand, address: int, place: tuple[int, int], read: bool) -> _Unit:
    mn, k = place
    before = elements.start + elements.linear(mn, k) // 8
    name = f"{mn},{k}" if elements.mode.width < LINE else f"k{k}" if elements.major == "K" else f"mn{mn}"
    where = f"byte {address}, bank {bank(address)}" if of.located else _address(of, address)
    moved = f", moved from {before if of.located else _address(of, before)}" if before != address else ""
    return _Unit(name, before % LINE // UNIT, read, f"mn {mn}, k {k}: {where}{moved}")


def _draw_lines(
    svg: Document, x: float, y: float, lines: Sequence[Sequence[_Unit | None]], *, outlined: bool = True
) -> float:
    """Draw 128-byte lines of memory; return the y below them."""
    for chunk in range(LINE // UNIT):
        svg.text(x + (chunk + 0.5) * _WIDE, y - 8, f"+{chunk * UNIT}", size=SMALL, fill=FAINT, anchor="middle")
    for row, line in enumerate(lines):
        top = y + row * _HIGH
        svg.text(x - 8, top + 20, str(row * LINE), size=SMALL, fill=FAINT, anchor="end")
        for chunk, unit in enumerate(line):
            left = x + chunk * _WIDE
            if unit is None:
                svg.rect(left, top, _WIDE, _HIGH, fill=svg.hatched(ABSENT, EDGE), stroke=GROUND)
                continue
            fill, ink = CHUNK_COLORS[unit.home], CHUNK_INK if unit.read else INK
            svg.rect(left, top, _WIDE, _HIGH, fill=fill, stroke=GROUND, tip=unit.tip, faded=not unit.read)
            svg.text(left + _WIDE / 2, top + 21, unit.text, size=11, fill=ink, anchor="middle", bold=unit.read)
    flags = [[unit is not None and unit.read for unit in line] for line in lines]
    whole = list(_runs_of([all(line) for line in flags]))
    boxes = [(0, LINE // UNIT, begin, end) for begin, end in whole]
    boxes += [(*run, row, row + 1) for row, line in enumerate(flags) if not all(line) for run in _runs_of(line)]
    for left, right, begin, end in boxes if outlined else ():
        wide, tall = (right - left) * _WIDE - 3, (end - begin) * _HIGH - 3
        svg.rect(x + left * _WIDE + 1.5, y + begin * _HIGH + 1.5, wide, tall, stroke=STEP, stroke_width=2, radius=4)
    bottom = y + len(lines) * _HIGH
    svg.rect(x, y, 8 * _WIDE, len(lines) * _HIGH, stroke=INK, stroke_width=1.4)
    return bottom


class _Pattern(NamedTuple):
    """Where a mode moves the units of its rows, whatever they hold."""

    mode: SwizzleMode

    def width(self) -> float:
        return WIDTH

    def draw(self, svg: Document, y: float) -> float:
        mode = self.mode
        lines: list[list[_Unit | None]] = []
        moved = moves(mode, 0)
        svg.text(MARGIN, y + 24, _rule_in_words(mode), fill=FIELD_COLORS["swizzle"], bold=True)
        for line in range(0, _LINES * LINE, LINE):
            lines.append([])
            for address in range(line, line + LINE, UNIT):
                # What lies here is what the swizzle moves here: twice the XOR is nothing.
                before = address + moved[address // UNIT % len(moved)]
                row, unit = before // mode.width, before % mode.width // mode.unit
                text = f"u{unit}" if mode.width == LINE else f"r{row} u{unit}"
                lines[-1].append(_Unit(text, before % LINE // UNIT, True, f"row {row}, unit {unit}: byte {address}"))
        bottom = _draw_lines(svg, MARGIN + 40, y + 58, lines, outlined=False)
        return bottom + 4


def _rule_in_words(mode: SwizzleMode, row: str = "") -> str:
    """Return where the swizzle moves a unit; ``row``: the coordinate of the rows."""
    if not mode.swizzle[0]:
        return "an atom is 8 rows of 16 B in order: no swizzle"
    by = "r" if mode.width == LINE else f"(r div {LINE // mode.width})"
    unit = "32-byte unit" if mode.wide else "unit"
    return f"inside each atom: {unit} u of row r{row and f' ({row})'} lies at u xor {by}"


class _Drawn:
    """The atoms that are drawn along a dimension: the first ones and the last, with a gap between."""

    def __init__(self, count: int, size: float, begin: float, room: float = 0) -> None:
        shown = range(count) if count <= _LABELS + 1 else [*range(_LABELS), count - 1]
        self.shown, self.count, self.begin = list(shown), count, begin
        self.gap = (_TALL if size else 20) if count > len(self.shown) else 0
        self.size = size or min(176, (room - self.gap) / len(self.shown))

    def places(self) -> Iterator[tuple[int, float]]:
        """Yield each atom that is drawn, with the place of its first edge."""
        for place, number in enumerate(self.shown):
            yield number, self.begin + place * self.size + (self.gap if place == _LABELS else 0)

    def gaps(self) -> Iterator[float]:
        if self.gap:
            yield self.begin + _LABELS * self.size

    @property
    def end(self) -> float:
        return self.begin + len(self.shown) * self.size + self.gap

    def at(self, edge: float) -> float:
        """Return the place of an edge, in atoms from the first; in the gap, its middle."""
        if not self.gap or edge <= _LABELS:
            return self.begin + min(edge, len(self.shown)) * self.size
        inside = edge - (self.count - 1)
        return (
            self.end - self.size + min(inside, 1) * self.size
            if inside >= 0
            else self.begin + _LABELS * self.size + self.gap / 2
        )


def _chosen(starts: dict[tuple[int, int], int], also: Iterable[tuple[int, int]]) -> list[int]:
    """Return the addresses of the atoms that are drawn: the first ones, the last, and those of the strides."""
    every = sorted(set(starts.values()))
    kept = {*every[:_LABELS], *every[-1:], starts[0, 0], *(starts[atom] for atom in also)}
    return sorted(kept if len(every) > _LABELS + 1 else every)


def _runs_of(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of each run of true ones."""
    begin = None
    for at, flag in enumerate([*flags, False]):
        if flag and begin is None:
            begin = at
        elif not flag and begin is not None:
            yield begin, at
            begin = None


class _Cards(NamedTuple):
    """The steps along K: each its start, its value, and the units of a row that it reads."""

    steps: Sequence[KStep]
    of: Anatomy
    atoms: PlacedAtoms

    def width(self) -> float:
        return WIDTH

    def draw(self, svg: Document, y: float) -> float:
        moves = {after.start - step.start for step, after in zip(self.steps, self.steps[1:], strict=False)}
        by = f", by {moves.pop()} B" if len(moves) == 1 else ""
        svg.text(MARGIN, y + 14, f"K steps: only the start moves{by}", bold=True)
        y += 28
        texts = [f"0x{step.value:016x}" for step in self.steps]
        moving = [len(set(digits)) > 1 for digits in zip(*texts, strict=True)]
        for number, (step, text) in enumerate(zip(self.steps, texts, strict=True)):
            column, row = number % 4, number // 4
            self._draw_card(svg, MARGIN + column * (_CARD + 17), y + row * 90, number, step, text, moving)
        y += -(-len(self.steps) // 4) * 90
        if self.of.more:
            svg.text(MARGIN, y + 6, f"and {many(self.of.more, 'more step')}", size=11, fill=FAINT)
            y += 16
        return y

    def _draw_card(
        self, svg: Document, x: float, y: float, number: int, step: KStep, text: str, moving: Sequence[bool]
    ) -> None:
        one = self.atoms.one
        svg.rect(x, y, _CARD, 74, stroke=STEP if step.here else EDGE, stroke_width=2 if step.here else 1.4, radius=6)
        name = f"step {number}"
        svg.text(x + 12, y + 19, name, fill=STEP if step.here else INK, bold=True)
        where = f"start 0x{step.start:05x}  k {step.k}..{step.k + one.shape[1] - 1}"
        svg.text(x + 24 + text_width(name, 12), y + 19, where, size=SMALL, fill=FAINT)
        svg.texts(
            x + 12, y + 38, [(digit, STEP if moves else INK, moves) for digit, moves in zip(text, moving, strict=True)]
        )
        if number % 4 < 3 and number + 1 < len(self.steps):
            svg.arrow(x + _CARD + 1, y + 37, x + _CARD + 16, y + 37, stroke=STEP, ticks=False)
        begin = step.k - step.k % self.atoms.shape.k
        units = range(begin, max(begin + self.atoms.shape.k, step.k + one.shape[1]), one.unit)
        if one.major == "K" and one.swizzle.b and len(units) <= LINE // UNIT:
            self._draw_strip(svg, x + 12, y + 48, step, units)
        else:
            svg.text(x + 12, y + 60, f"atoms {self._numbers(step)}", size=SMALL, fill=FAINT)

    def _numbers(self, step: KStep) -> str:
        """Return the numbers, in the order of memory, of the atoms that a step reads."""
        atoms, one = self.atoms, self.atoms.one
        size = atoms.size
        starts = sorted({atoms.start(mn, k) for mn in range(atoms.counts.mn) for k in range(atoms.counts.k)})
        rows = range(-(-one.shape[0] // atoms.shape.mn))
        columns = range(step.k // atoms.shape.k, -(-(step.k + one.shape[1]) // atoms.shape.k))
        read = sorted(atoms.start(mn, k) for mn in rows for k in columns)
        numbers = [starts.index(each) if each in starts else (each - starts[0]) // size for each in read]
        runs = groupby(enumerate(numbers), key=lambda each: each[1] - each[0])
        whole = [[number for _, number in run] for _, run in runs]
        return listed_words([span(run[0], run[-1]) if run[1:] else str(run[0]) for run in whole], 3)

    def _draw_strip(self, svg: Document, x: float, y: float, step: KStep, units: Sequence[int]) -> None:
        """Draw the units of K that lie beside each other in the first row."""
        elements, one = self.atoms.elements, self.atoms.one
        for place, k in enumerate(units):
            read = step.k <= k < step.k + one.shape[1]
            before = elements.start + elements.linear(0, k) // 8 if k < elements.shape[1] else UNIT * place
            svg.rect(x + place * 30.5, y, 29.5, 16, fill=CHUNK_COLORS[before % LINE // UNIT] if read else ABSENT)
            ink = CHUNK_INK if read else FAINT
            svg.text(x + (place + 0.5) * 30.5, y + 12, f"k{k}", size=SMALL, fill=ink, anchor="middle")


class _Sums(NamedTuple):
    """The formula of an address, and one element in numbers."""

    of: Anatomy
    one: Operand

    def width(self) -> float:
        return WIDTH

    def draw(self, svg: Document, y: float) -> float:
        lines = [*self._lines()]
        y += 8
        svg.rect(MARGIN, y, WIDTH, 14 + 26 * len(lines), fill=ABSENT, radius=6)
        for number, spans in enumerate(lines):
            svg.texts(MARGIN + 16, y + 25 + 26 * number, spans)
        return y + 20 + 26 * len(lines)

    def _lines(self) -> Iterator[list[ColoredText]]:
        one = self.one
        swizzle = FIELD_COLORS["swizzle"]
        if not one.absolute:
            moved = []
            if one.swizzle.b:
                low, high, count = one.swizzle.m, one.swizzle.m + one.swizzle.s, one.swizzle.b
                bits = f"   xor bits {high + count - 1}-{high} onto {low + count - 1}-{low}"
                moved = [(bits if count > 1 else f"   xor bit {high} onto {low}", swizzle, True)]
            yield [("byte(mn, k) = ", INK, True), *_formula(one), *moved]
        mn, k = (min(number, extent - 1) for number, extent in zip((17, 9), one.shape, strict=True))
        before, after = one.start + one.linear(mn, k) // 8, one.address(mn, k)
        spans: list[ColoredText] = [(f"element ({mn}, {k})", INK, True), (" = ", INK, False)]
        spans.append((f"0x{one.start:x}", FIELD_COLORS[START], True) if self.of.located else ("start", STEP, True))
        for term in sorted(one.terms(mn, k), key=lambda each: each.name not in STRIDE_COLORS):
            if term.bits:
                spans.append((" + ", INK, False))
                spans += _counted(term.name, term.times, term.size)
        spans.append((f" = {_address(self.of, before)}", INK, False))
        if before != after:
            spans.append((f"   xor 0x{before ^ after:02x} = {_address(self.of, after)}", swizzle, True))
        yield spans
        for stride in self.of.strides:
            if stride.key in _idle(self.of):
                why = f" has no effect: {stride.unused}. Write {stride.idle} B ({stride.idle // UNIT})."
                yield [(NICK[stride.key], FIELD_COLORS[stride.key], True), (why, FAINT, False)]


def _counted(name: str, times: int, size: int) -> list[ColoredText]:
    """Return a summand in numbers: a number of steps of a size, in bits."""
    if size % 8:
        return [(f"{times * size} bits", INK, False)]
    if size == 8:
        return [(str(times), INK, False)]
    color = STRIDE_COLORS.get(name, "")
    return [(f"{times} × ", INK, False), (str(size // 8), color or INK, bool(color))]


def _formula(one: Operand) -> Iterator[ColoredText]:
    """Yield the byte of an element before the swizzle, with the names of the fields."""
    row, column = ("mn", "k") if one.major == "K" else ("k", "mn")
    rows, columns = one.extents
    by_row, by_column = (NICK[key] for key in one.keys)
    yield "start", FIELD_COLORS[START], True
    if rows > one.lines:
        yield f" + {row} div {one.lines} × ", INK, False
        yield by_row, STRIDE_COLORS[by_row], True
    yield f" + {row}{f' mod {one.lines}' if rows > one.lines else ''} × {one.mode.width}", INK, False
    if columns > one.group:
        yield f" + {column} div {one.group} × ", INK, False
        yield by_column, STRIDE_COLORS[by_column], True
    inside = row_byte_formula(one.dtype, column, one.group if columns > one.group else 0)
    yield f" + {inside}", INK, False
