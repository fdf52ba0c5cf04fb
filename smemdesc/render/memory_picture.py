"""Shared memory to scale, and one stage of it opened: what writes each tile, what reads it, which barrier waits.

The same drawing for a plan and for a kernel that was scanned: both say what the parts of the memory are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdesc.render.console import CHUNK_COLORS, CHUNK_INK
from smemdesc.render.svg import (
    ABSENT,
    BAD,
    EDGE,
    FAINT,
    FIELD_COLORS,
    INK,
    MARGIN,
    SAFE,
    SMALL,
    STEP,
    STRIDE_COLORS,
    Document,
    text_width,
)

ColoredSpan = tuple[str, str, bool]
"""A text, its color, and whether it is bold."""
PICTURE_WIDTH = 1124
PART_COLORS = {
    "a": CHUNK_COLORS[0],
    "b": CHUNK_COLORS[6],
    "a factors": CHUNK_COLORS[1],
    "b factors": CHUNK_COLORS[7],
    "barriers": BAD,
    "slot": CHUNK_COLORS[4],
}
"""The color of what lies in a part of shared memory."""
_BAR = 54
_SIDE, _CARD = 160, 246
"""Widths of the boxes on the left and on the right of an opened stage."""
_LEFT, _MIDDLE = 222, 590
"""Where the opened tiles begin, from the left, and their width."""
_CELLS = 16
"""The most atoms of a tile that are drawn."""
_ROW = 18
_ARROW = 16
_VALUES = 4
"""How many descriptors stand beside each other."""


class MemoryPart(NamedTuple):
    """A part of shared memory."""

    kind: str
    """A key of :data:`PART_COLORS`."""
    name: str
    begin: int
    """Bytes from the first address that is drawn."""
    size: int
    note: str = ""
    opened: bool = True
    """Whether it is drawn in its full color."""


class MemoryBar(NamedTuple):
    """Parts of shared memory in the order of their addresses, to scale."""

    parts: Sequence[MemoryPart]
    end: int
    """The end of the bar, in bytes."""
    free: str = ""
    """What is written where nothing lies."""
    limit: int | None = None
    """Where shared memory ends, if the parts go beyond it."""
    first: int = 0
    """The address at which the bar begins, in bytes."""

    def width(self) -> float:
        return PICTURE_WIDTH

    def at(self, byte: int) -> float:
        """Return where a byte begins, from the left."""
        return MARGIN + byte / self.end * PICTURE_WIDTH

    def draw(self, svg: Document, y: float) -> float:
        y += 14
        last = 0
        for part in [*self.parts, None]:
            begin = self.end if part is None else part.begin
            if begin > last:
                room = self.at(begin) - self.at(last)
                svg.rect(self.at(last), y, room, _BAR, fill=svg.hatched(ABSENT, EDGE), stroke=EDGE)
            last = last if part is None else max(last, part.begin + part.size)
        room = self.at(self.end) - self.at(last)
        if text_width(self.free, 12) / SAFE < room:
            svg.text(self.at(last) + room / 2, y + 32, self.free, fill=FAINT, anchor="middle")
        labeled = 0.0
        for part in self.parts:
            left = self.at(part.begin)
            self._draw_part(svg, part, left, y)
            if part.kind == "slot":
                continue
            ink, text = FAINT, f"0x{self.first + part.begin:05x}"
            if part.kind == "barriers":
                ink, text = BAD, f"{text} {part.name}, {part.note}"
            end = left + text_width(text, SMALL) / SAFE
            if left >= labeled and end <= MARGIN + PICTURE_WIDTH:
                svg.text(left, y + _BAR + 16, text, size=SMALL, fill=ink, bold=ink == BAD)
                labeled = end + 8
        if labeled + 60 < MARGIN + PICTURE_WIDTH:
            right = MARGIN + PICTURE_WIDTH
            svg.text(right, y + _BAR + 16, f"0x{self.first + self.end:05x}", size=SMALL, fill=FAINT, anchor="end")
        if self.limit is not None:
            left = self.at(self.limit)
            svg.line(left, y - 8, left, y + _BAR + 4, stroke=BAD, width=2.4)
            svg.text(left - 6, y - 4, f"a CTA has {self.limit} B", size=SMALL, fill=BAD, anchor="end", bold=True)
        return y + _BAR + 24

    def _draw_part(self, svg: Document, part: MemoryPart, left: float, y: float) -> None:
        wide = self.at(part.begin + part.size) - left
        tip = f"{part.name}: {part.size} B from byte {part.begin}"
        if part.kind in ("barriers", "slot"):
            svg.rect(left, y - 4, max(wide, 3), _BAR + 8, fill=PART_COLORS[part.kind], tip=tip)
            return
        svg.rect(
            *(left, y, max(wide - 1.5, 1), _BAR),
            fill=PART_COLORS[part.kind],
            radius=2,
            tip=tip,
            faded=not part.opened,
        )
        ink = CHUNK_INK if part.opened else INK
        if text_width(part.name, 12) / SAFE < wide:
            svg.text(left + wide / 2, y + 24, part.name, fill=ink, anchor="middle", bold=True)
            if text_width(part.note, SMALL) / SAFE < wide:
                svg.text(left + wide / 2, y + 41, part.note, size=SMALL, fill=ink, anchor="middle")


class StrideArrow(NamedTuple):
    """A distance from the first atom, in atoms."""

    nick: str
    """``LBO`` or ``SBO``."""
    atoms: float
    text: str


class OpenTile(NamedTuple):
    """One tile of the opened stage."""

    kind: str
    name: str
    about: str
    atoms: int
    """How many there are; 0: not known."""
    read: frozenset[int]
    """The atoms of which the first step reads something, by their number in memory."""
    arrows: Sequence[StrideArrow]
    values: Sequence[Sequence[ColoredSpan]]
    """What the steps read it with."""
    writer: Sequence[str]
    """What writes it: a title, and what is known of it."""

    @property
    def partly_read(self) -> bool:
        """Whether the first step reads some of the atoms only."""
        return len(self.read) < self.atoms

    @property
    def tall(self) -> float:
        """The height of its box."""
        cells = 48 if self.atoms else 0
        values = _ROW * -(-len(self.values) // _VALUES)
        texts = _ARROW * (len(self.arrows) + self.partly_read)
        return max(38 + cells + texts + values, 20 + _ROW * len(self.writer))


class MemoryReader(NamedTuple):
    """What reads the opened stage."""

    title: str
    lines: Sequence[ColoredSpan]
    columns: Sequence[tuple[str, str, int, int]]
    """Of tensor memory: a name, a color, the first column and their number."""
    of_columns: int
    """All columns that there are; 0: nothing is said of tensor memory."""
    after: Sequence[Sequence[ColoredSpan]]
    """What follows the last one."""


class OpenStage(NamedTuple):
    """One stage: the tiles below each other, between what writes them and what reads them."""

    tiles: Sequence[OpenTile]
    reader: MemoryReader
    above: tuple[float, float] | None
    """Where the first tile lies in the bar above, from the left."""

    def width(self) -> float:
        return PICTURE_WIDTH

    def draw(self, svg: Document, y: float) -> float:
        left = MARGIN + _LEFT
        if self.above is not None:
            for begin, end in zip(self.above, (left, left + _MIDDLE), strict=True):
                svg.line(begin, y, end, y + 38, stroke=FAINT, dashes="3 3")
        y += 40
        top = y
        for tile in self.tiles:
            self._draw_writer(svg, tile, y)
            self._draw_tile(svg, tile, left, y)
            middle = y + tile.tall / 2
            svg.arrow(MARGIN + _SIDE + 4, middle, left - 4, middle, stroke=FIELD_COLORS["swizzle"], ticks=False)
            right = left + _MIDDLE
            svg.arrow(right + 4, middle, MARGIN + PICTURE_WIDTH - _CARD - 4, middle, stroke=STEP, ticks=False)
            y += tile.tall + 24
        bottom = self._draw_reader(svg, top, y - 24)
        return max(y - 24, bottom) + 6

    def _draw_writer(self, svg: Document, tile: OpenTile, y: float) -> None:
        color = FIELD_COLORS["swizzle"]
        tall = 20 + _ROW * len(tile.writer)
        y += (tile.tall - tall) / 2
        svg.rect(MARGIN, y, _SIDE, tall, stroke=color, stroke_width=1.4, radius=6)
        for number, text in enumerate(tile.writer):
            ink, size = (INK, 11) if number else (color, 12)
            shown = _cut(text, _SIDE - 20)
            svg.text(MARGIN + 12, y + 22 + _ROW * number, shown, size=size, fill=ink, bold=not number)

    def _draw_tile(self, svg: Document, tile: OpenTile, x: float, y: float) -> None:
        svg.rect(x, y, _MIDDLE, tile.tall, stroke=INK, stroke_width=1.4, radius=4)
        svg.texts(x + 12, y + 21, [(tile.name, INK, True)])
        beside = 24 + text_width(tile.name, 12)
        svg.text(x + beside, y + 21, _cut(tile.about, _MIDDLE - beside - 12), size=11, fill=FAINT)
        y += 32
        if tile.atoms:
            self._draw_atoms(svg, tile, x + 12, y)
            y += 48 + _ARROW * (len(tile.arrows) + tile.partly_read)
        for number, spans in enumerate(tile.values):
            column, row = number % _VALUES, number // _VALUES
            svg.texts(x + 12 + column * (_MIDDLE - 24) / _VALUES, y + 12 + _ROW * row, spans, size=11)

    def _draw_atoms(self, svg: Document, tile: OpenTile, x: float, y: float) -> None:
        """Draw the atoms in the order of memory: those that fit, and the last."""
        wide = (_MIDDLE - 24) / min(tile.atoms, _CELLS)
        shown = range(tile.atoms) if tile.atoms <= _CELLS else [*range(_CELLS - 2), -1, tile.atoms - 1]
        for place, number in enumerate(shown):
            left = x + place * wide
            if number < 0:
                svg.text(left + wide / 2, y + 24, "…", fill=FAINT, anchor="middle")
                continue
            read = number in tile.read
            svg.rect(left, y, wide - 1.5, 40, fill=PART_COLORS[tile.kind], radius=2, faded=not read)
            ink = CHUNK_INK if read else INK
            svg.text(left + wide / 2, y + 24, str(number), size=SMALL, fill=ink, anchor="middle")
        if tile.partly_read:
            below = y + 54 + _ARROW * len(tile.arrows)
            svg.text(x, below, "in full color: what the first MMA reads", size=SMALL, fill=FAINT)
        for number, arrow in enumerate(tile.arrows):
            places = [place for place, atom in enumerate(shown) if atom == arrow.atoms]
            top = y + 50 + _ARROW * number
            color = STRIDE_COLORS[arrow.nick]
            if places:
                end = x + places[0] * wide
                svg.arrow(x, top, end, top, stroke=color, ticks=False)
                svg.text(end + 6, top + 4, f"{arrow.nick} {arrow.text}", size=SMALL, fill=color, bold=True)
            else:
                svg.text(x, top + 4, f"{arrow.nick} {arrow.text}", size=SMALL, fill=color, bold=True)

    def _draw_reader(self, svg: Document, top: float, bottom: float) -> float:
        """Draw what reads the tiles, from their top to their bottom at least; return the y below it."""
        reader = self.reader
        x = MARGIN + PICTURE_WIDTH - _CARD
        inside, y = x + 16, top + 26
        svg.text(inside, y, reader.title, fill=STEP, bold=True)
        for text, ink, bold in reader.lines:
            y += _ROW
            svg.text(inside, y, _cut(text, _CARD - 24), size=11, fill=ink, bold=bold)
        if reader.of_columns:
            y = self._draw_columns(svg, inside, y + 34)
        y += 10
        for spans in reader.after:
            y += _ROW
            svg.texts(inside, y, spans, size=11)
        bottom = max(bottom, y + 16)
        svg.rect(x, top, _CARD, bottom - top, stroke=STEP, stroke_width=1.4, radius=6)
        return bottom

    def _draw_columns(self, svg: Document, x: float, y: float) -> float:
        """Draw tensor memory to scale; return the y of the last line below it."""
        wide = _CARD - 32
        svg.text(x, y, "tensor memory", bold=True)
        y += 12
        svg.rect(x, y, wide, 26, fill=svg.hatched(ABSENT, EDGE), stroke=EDGE)
        below = y + 26
        for name, color, first, count in self.reader.columns:
            left = x + first / self.reader.of_columns * wide
            svg.rect(left, y, max(count / self.reader.of_columns * wide, 2), 26, fill=color, tip=name)
            below += _ROW - 2
            svg.text(x, below, f"{name}: {count} of {self.reader.of_columns} columns", size=SMALL, fill=FAINT)
        return below


def _cut(text: str, room: float) -> str:
    """Return a text, cut where the names of a kernel are too long for its place."""
    most = int(room / text_width("x", 11))
    return text if len(text) <= most else text[: most - 1] + "…"


class WaitingList(NamedTuple):
    """Which barrier waits for what, and what moves from stage to stage."""

    waits: Sequence[tuple[str, str]]
    """A barrier, and what completes it and who waits."""
    steps: Sequence[str] = ()

    def width(self) -> float:
        return PICTURE_WIDTH

    def draw(self, svg: Document, y: float) -> float:
        lines = [*self.waits, *(("", step) for step in self.steps)]
        y += 8
        svg.rect(MARGIN, y, PICTURE_WIDTH, 16 + 20 * len(lines), fill=ABSENT, radius=6)
        for number, (name, text) in enumerate(lines):
            at = y + 22 + 20 * number
            svg.text(MARGIN + 16, at, name, fill=BAD, bold=True)
            beside = MARGIN + 28 + max(text_width(each, 12) for each, _ in self.waits) if name else MARGIN + 16
            room = MARGIN + PICTURE_WIDTH - beside - 12
            svg.text(beside, at, _cut(text, room), size=11, fill=INK if name else STEP, bold=not name)
        return y + 24 + 20 * len(lines)
