"""The writer of pictures: blocks below each other, as SVG on a light background, or on a dark one if the page is dark.

A view gives the blocks: paragraphs, keys of colors, and charts, which are grids of cells (:mod:`smemdesc.render.cells`)
with outlines, arrows and braces. The writer measures and places all of them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import NamedTuple, Protocol

from smemdesc.engine.wording import is_seen
from smemdesc.kinds.addresses import START
from smemdesc.layout.strides import LBO, NICK, SBO
from smemdesc.render.cells import Grid
from smemdesc.render.console import CHUNK_COLORS, CHUNK_INK, TEXT_COLORS
from smemdesc.rules.findings import ERROR, NOTE, WARNING

FONT = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
INK, FAINT, GROUND, EDGE, ABSENT = "#24292f", "#59636e", "#ffffff", "#d0d7de", "#f3f4f6"
BAD, GOOD = "#cf222e", "#1a7f37"
SEVERITY_COLORS = {ERROR: BAD, WARNING: TEXT_COLORS["truecolor"]["warning"].split()[-1], NOTE: FAINT}
FIELD_COLORS = {START: "#bc4c00", LBO: "#7d5600", SBO: "#0550ae", "swizzle": "#6639ba"}
"""The color of a field, and of what it sets."""
STRIDE_COLORS = {nick: FIELD_COLORS[key] for key, nick in NICK.items()}
STEP = FIELD_COLORS[START]
"""The outline of an MMA step: only the start differs from step to step."""
DARK = {
    INK: "#e6edf3",
    FAINT: "#9198a1",
    GROUND: "#0d1117",
    EDGE: "#3d444d",
    ABSENT: "#21262d",
    BAD: "#ff7b72",
    GOOD: "#56d364",
    "#bc4c00": "#ffa657",
    "#7d5600": "#e3b341",
    "#0550ae": "#79c0ff",
    "#6639ba": "#d2a8ff",
}
"""The same colors on a dark page. Text on a colored cell keeps its color."""
_TEXT_ON_DARK = {"faint": "#9198a1", "key": "#79c0ff", "good": "#56d364", "error": "#ff7b72", "warning": "#e3b341"}
DARK |= {style.split()[-1]: _TEXT_ON_DARK.get(name, "#d2a8ff") for name, style in TEXT_COLORS["truecolor"].items()}
DASHES = "4 3"
CORNER = 8
"""Corner radius of the picture, a card on a dark page."""
ADVANCE = 0.602
"""Width of a monospace character, relative to the font size."""
SAFE = 0.92
"""The usable share of a line: renderers round up the width of small characters."""
MARGIN = 28
WIDEST, NARROWEST = 1500, 600
"""The width up to which charts are placed side by side, and the least width of a picture."""
SMALL = 10.5
"""Size of small labels, and the least of any text."""
LONGEST_PICTURE = 250_000
"""The characters of a picture up to which each cell is a shape of its own."""
_DENSE = 14
"""The largest size of text of a dense row."""
_SWATCH = 16
_RULER = 48
"""The least width of a ruler on the left, so that charts side by side have equal ones."""
_LINE = 15
"""Height of a ruler above the columns."""
_GAP = 14
"""Space between the cells of a chart and what is beside them."""
_APART = 36
"""Space between charts side by side."""

Length = int | float
Color = str | tuple[str, str]
"""A color, or the two of a hatching."""
_MARKUP = re.compile('[&<>"]')


def escape(text: str) -> str:
    """Return text with markup characters escaped for SVG."""
    if not is_seen(text):
        text = "".join(char if is_seen(char) else "\ufffd" for char in text)
    if not _MARKUP.search(text):  # a picture has many thousands of texts
        return text
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def text_width(text: str, size: Length) -> float:
    """Return the approximate width of a text."""
    return len(text) * size * ADVANCE


class Document:
    """A picture that grows by one shape per call; its ``str()`` is the SVG.

    ``title`` is its name, ``description`` what it shows, for readers that do not see it.
    """

    def __init__(
        self, width: Length, height: Length = 0, *, title: str = "", description: str = "", dense: bool = False
    ) -> None:
        self.width = width
        self.height = height
        self.title = title
        self.description = description
        self.dense = dense
        """Whether cells are drawn together, without tooltips: of thousands, each alone would take a megabyte."""
        self._shapes: list[str] = []
        self._patterns: dict[str, str] = {}

    def fill_of(self, color: Color) -> str:
        """Return the fill of a color, or of a hatching."""
        return color if isinstance(color, str) else self.hatched(*color)

    def hatched(self, fill: str, stroke: str) -> str:
        """Return the fill of slanted lines on a color, which no lack of cones hides."""
        name = f"hatch-{fill}-{stroke}".replace("#", "")
        self._patterns[name] = (
            f'<pattern id="{name}" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse">'
            f'<rect width="6" height="6" fill="{fill}"/><path d="M0 0V6" stroke="{stroke}" stroke-width="3"/></pattern>'
        )
        return f"url(#{name})"

    def rect(
        self,
        x: Length,
        y: Length,
        width: Length,
        height: Length,
        *,
        fill: str = "none",
        stroke: str = "",
        stroke_width: Length = 1,
        radius: Length = 0,
        tip: str = "",
        dashed: bool = False,
        faded: bool = False,
    ) -> None:
        """Add a rectangle; ``tip`` is its tooltip in a browser. Text on a ``faded`` one has the page's color."""
        attributes: dict[str, Length | str] = {"x": x, "y": y, "width": width, "height": height, "fill": fill}
        if radius:
            attributes["rx"] = radius
        if stroke:
            attributes |= {"stroke": stroke, "stroke-width": stroke_width}
        if dashed:
            attributes["stroke-dasharray"] = DASHES
        if faded:
            attributes["fill-opacity"] = 0.35
        self._add("rect", attributes, f"<title>{escape(tip)}</title>" if tip else "")

    def line(
        self,
        x1: Length,
        y1: Length,
        x2: Length,
        y2: Length,
        *,
        stroke: str = FAINT,
        width: Length = 1,
        dashes: str = "",
    ) -> None:
        """Add a line; ``dashes`` are the lengths of its parts and gaps."""
        attributes: dict[str, Length | str] = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        attributes |= {"stroke": stroke, "stroke-width": width, **({"stroke-dasharray": dashes} if dashes else {})}
        self._add("line", attributes)

    def path(
        self,
        data: str,
        *,
        stroke: str = "",
        fill: str = "none",
        width: Length = 1,
        dashes: str = "",
    ) -> None:
        """Add a path, as SVG writes it."""
        attributes: dict[str, Length | str] = {"d": data, "fill": fill}
        attributes |= {"stroke": stroke, "stroke-width": width} if stroke else {}
        attributes |= {"stroke-dasharray": dashes} if dashes else {}
        self._add("path", attributes)

    def arrow(
        self, x1: Length, y1: Length, x2: Length, y2: Length, *, stroke: str, ticks: bool = True, dashes: str = ""
    ) -> None:
        """Add an arrow down or to the right; ``ticks``: with one at either end, as in a technical drawing."""
        down = x1 == x2
        head, tick = 7, 6
        self.line(x1, y1, x2, y2, stroke=stroke, width=1.6, dashes=dashes)
        across, along = (tick, 0) if down else (0, tick)
        for x, y in ((x1, y1), (x2, y2)) if ticks else ():
            self.line(x - across, y - along, x + across, y + along, stroke=stroke, width=1.4)
        corners = [(x2 + side, y2 - head) if down else (x2 - head, y2 + side) for side in (-head / 2, head / 2)]
        points = " ".join(f"{_attribute(x)} {_attribute(y)}" for x, y in (*corners, (x2, y2)))
        self.path(f"M{points}z", fill=stroke)

    def text(
        self,
        x: Length,
        y: Length,
        text: str,
        *,
        size: Length = 12,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
        wide: Length = 0,
    ) -> None:
        """Add a text, if there is any, whose baseline is at ``y``; ``anchor`` is start, middle or end.

        Without a ``size`` it has the size and the color of its group.
        ``wide``: the width to which any font spaces it.
        """
        if not text:
            return
        attributes: dict[str, Length | str] = {"x": x, "y": y}
        if size:
            attributes |= {"font-size": size, "fill": fill}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        if wide:
            attributes["textLength"] = wide
        self._add("text", attributes, escape(text))

    def texts(self, x: Length, y: Length, parts: Iterable[tuple[str, str, bool]], *, size: Length = 12) -> float:
        """Add texts in one line, each with its color, and whether it is bold; return the x behind them."""
        for text, fill, bold in parts:
            wide = len(text) * size * ADVANCE
            self.text(x, y, text, size=size, fill=fill, bold=bold, wide=wide)
            x += wide
        return x

    @contextmanager
    def group(self, **attributes: Length | str) -> Iterator[None]:
        """Draw shapes that share attributes."""
        shared = {name.replace("_", "-"): value for name, value in attributes.items() if value != ""}
        self._shapes.append(f"<g{_attributes(shared)}>")
        yield
        self._shapes.append("</g>")

    def rows(
        self,
        x: Length,
        texts: Iterable[tuple[Length, str]],
        *,
        size: Length,
        fill: str,
        wide: Length = 0,
        anchor: str = "start",
    ) -> None:
        """Add texts below each other, each with its baseline, as one shape."""
        more = f' textLength="{_attribute(round(wide, 1))}"' if wide else ""
        begin = f"<text{more} y="
        anchor = "" if anchor == "start" else anchor
        with self.group(font_size=size, fill=fill, text_anchor=anchor, **_moved(x, 0)):
            self._shapes += [f'{begin}"{_attribute(y)}">{escape(text)}</text>' for y, text in texts]

    def ruled(self, wide: Length, tall: Length) -> str:
        """Return the fill of the lines between cells of a size, the first of which is at (0, 0)."""
        name = f"ruled-{_attribute(wide)}-{_attribute(tall)}"
        size = f'width="{_attribute(wide)}" height="{_attribute(tall)}"'
        line = f'<path d="M0 0V{_attribute(tall)}M0 0H{_attribute(wide)}" stroke="{GROUND}" stroke-width="2"/>'
        self._patterns[name] = f'<pattern id="{name}" patternUnits="userSpaceOnUse" {size}>{line}</pattern>'
        return f"url(#{name})"

    def _add(self, name: str, attributes: Mapping[str, Length | str], inside: str = "") -> None:
        text = _attributes(attributes)
        self._shapes.append(f"<{name}{text}>{inside}</{name}>" if inside else f"<{name}{text}/>")

    def __str__(self) -> str:
        width, height = _attribute(self.width), _attribute(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}" xml:space="preserve">'
        )
        about = [
            f"<{name}>{escape(text)}</{name}>" for name, text in (("title", self.title), ("desc", self.description))
        ]
        rules = "".join(
            f'[{name}="{light}"]{{{name}:{dark}}}' for light, dark in DARK.items() for name in ("fill", "stroke")
        )
        # Browsers no longer heed xml:space: without the rule, blanks that align columns collapse.
        style = f"<style>text{{white-space:pre}}@media (prefers-color-scheme:dark){{{rules}}}</style>"
        patterns = [f"<defs>{''.join(self._patterns.values())}</defs>"] if self._patterns else []
        inner = f'width="{_attribute(self.width - 1.0)}" height="{_attribute(self.height - 1.0)}"'
        ground = f'<rect x="0.5" y="0.5" {inner} rx="{CORNER}" fill="{GROUND}" stroke="{EDGE}"/>'
        return "\n".join([head, *about, style, *patterns, ground, *self._shapes, "</svg>"]) + "\n"


def _moved(x: Length, y: Length) -> dict[str, str]:
    """Return the attribute of a group whose (0, 0) is at (x, y)."""
    return {"transform": f"translate({_attribute(x)} {_attribute(y)})"} if x or y else {}


def _attributes(attributes: Mapping[str, Length | str]) -> str:
    return "".join([f' {key}="{_attribute(value)}"' for key, value in attributes.items()])


@lru_cache(1024)  # the same coordinates, colors and sizes occur in each row and column
def _attribute(value: Length | str) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(value) if isinstance(value, str) else str(value)


class PictureBlock(Protocol):
    """A part of a picture."""

    def width(self) -> float:
        """Return the width that the block needs between the margins."""
        ...

    def draw(self, svg: Document, y: float) -> float:
        """Draw the block below ``y``; return the y below it."""
        ...


def draw(title: str, description: str, blocks: Iterable[PictureBlock]) -> str:
    """Return blocks below each other as SVG; its name and description are for readers that do not see it."""
    blocks = list(blocks)
    wide = max(NARROWEST, *(2 * MARGIN + block.width() for block in blocks))
    drawn = ""
    for dense in (False, True):
        svg = Document(wide, title=title, description=description, dense=dense)
        y: float = 0
        for block in blocks:
            y = block.draw(svg, y)
        svg.height = y + MARGIN - 8
        drawn = str(svg)
        if len(drawn) <= LONGEST_PICTURE:
            break
    return drawn


class Paragraph(NamedTuple):
    """Lines of text, wrapped at the width of the picture; one that ``stands`` is not wrapped, and widens it.

    ``space`` is left above them.
    """

    texts: Sequence[str]
    size: Length = 11
    fill: str = FAINT
    bold: bool = False
    stands: bool = False
    space: Length = 0

    def width(self) -> float:
        return max((text_width(text, self.size) for text in self.texts), default=0) / SAFE if self.stands else 0

    def draw(self, svg: Document, y: float) -> float:
        room = int((svg.width - 2 * MARGIN) / (self.size * ADVANCE) * SAFE)
        y += self.space
        for text in self.texts:
            wrapped = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
            for line in [text] if self.stands else wrapped:
                svg.text(MARGIN, y + 1.1 * self.size, line, size=self.size, fill=self.fill, bold=self.bold)
                y += 1.5 * self.size
        return y


def heading(name: str, *details: str) -> list[PictureBlock]:
    """Return the head of a picture: its name, and lines of description."""
    return [Paragraph([name], 16, INK, bold=True, stands=True, space=20), Paragraph(details, 12)]


def notes(*texts: str) -> Paragraph:
    """Return the lines at the end of a picture."""
    return Paragraph(texts, space=12)


class Swatch(NamedTuple):
    """A color, or several with their numbers, and the label."""

    fills: Sequence[Color]
    label: str

    @property
    def width(self) -> float:
        return _SWATCH * len(self.fills) + text_width(self.label, 11) / SAFE + 26


class ColorKey(NamedTuple):
    """The colors with their meanings, in as many lines as they need."""

    swatches: Sequence[Swatch]

    def width(self) -> float:
        return max(swatch.width for swatch in self.swatches)

    def draw(self, svg: Document, y: float) -> float:
        x: float = MARGIN
        y += 6
        for swatch in self.swatches:
            if x + swatch.width > svg.width - MARGIN + 20 and x > MARGIN:
                x, y = MARGIN, y + 20
            for number, fill in enumerate(swatch.fills):
                left = x + _SWATCH * number
                svg.rect(left, y, _SWATCH, 13, fill=svg.fill_of(fill), stroke=FAINT, stroke_width=0.5)
                if len(swatch.fills) > 1:
                    svg.text(left + 8, y + 10.5, str(number), size=SMALL, fill=CHUNK_INK, anchor="middle")
            svg.text(x + _SWATCH * len(swatch.fills) + 8, y + 10.5, swatch.label, size=11, fill=FAINT)
            x += swatch.width
        return y + 19


def chunk_key(legend: str) -> ColorKey:
    """Return the colors of the eight chunks with their numbers, and what they mean."""
    return ColorKey([Swatch(CHUNK_COLORS, legend)])


class Outline(NamedTuple):
    """A rectangle around cells; its places and sizes are in cells."""

    column: float
    row: float
    columns: float
    rows: float
    stroke: str
    width: Length = 1.5
    inset: Length = 1.5
    radius: Length = 0
    tip: str = ""


class Arrow(NamedTuple):
    """The distance of a number of cells, from the first column to the right or from the first row down."""

    cells: int
    label: str
    where: str
    stroke: str = INK

    @property
    def room(self) -> float:
        """The width of its label below the arrow."""
        return 2 * _GAP + max(text_width(self.label, 12), text_width(self.where, SMALL)) / SAFE


class Braces(NamedTuple):
    """Lines along columns or rows, each from one cell to another, with its text."""

    spans: Sequence[tuple[float, float, str]]
    stroke: str = INK
    name: str = ""


class Chart(NamedTuple):
    """A grid as it is drawn: cells with their rulers; lines between groups of cells.

    Without sizes a cell is as large as its texts need; ``size`` is that of the font.
    """

    grid: Grid
    wide: float = 0
    tall: float = 0
    size: Length = 0
    title: str = ""
    colors: Sequence[Color] = CHUNK_COLORS
    """The fill of a cell, by the number of its color."""
    lines: tuple[Sequence[int], Sequence[int]] = ((), ())
    """The columns and the rows that begin with a line, beside those of the grid's groups."""
    outlines: Sequence[Outline] = ()
    across: Arrow | None = None
    down: Arrow | None = None
    above: Braces = Braces(())
    below: Braces = Braces(())
    beside: Braces = Braces(())
    middles: Sequence[float] = ()
    """Where in each column the texts are centered, in cells; without them, in the middle."""

    def sized(self, least: float = 30) -> Chart:
        """Return the chart with the sizes that its texts need; ``least`` is the minimum width of a cell."""
        noted = any(cell.note for row in self.grid.cells for cell in row)
        size = self.size or (13 if noted else 11)
        texts = max(text_width(cell.text, size) for row in self.grid.cells for cell in row) + 12
        rest = [cell.note for row in self.grid.cells for cell in row]
        rest += [label for column in self.grid.columns for label in column]
        wide = self.wide or max(texts, *(text_width(text, SMALL) + 8 for text in rest), least)
        # In whole characters, so that the texts of a row can also be one text.
        wide = ceil(wide / (size * ADVANCE)) * size * ADVANCE
        return self._replace(wide=wide, tall=self.tall or (38 if noted else 24), size=size)

    def parts(self, rows: int, columns: int) -> list[Chart]:
        """Return the chart in parts of at most ``rows`` x ``columns`` cells; the first has the arrows."""
        chart, count = self.sized(), (len(self.grid.rows), len(self.grid.columns))
        parts = []
        for at in range(0, count[1], columns):
            for top in range(0, count[0], rows):
                lines = [line - at for line in self.lines[0]], [line - top for line in self.lines[1]]
                outlines = [
                    outline._replace(column=outline.column - at, row=outline.row - top)
                    for outline in self.outlines
                    if at <= outline.column < at + columns and top <= outline.row < top + rows
                ]
                grid = self.grid.part(slice(top, top + rows), slice(at, at + columns))
                part = chart._replace(grid=grid, lines=lines, outlines=outlines)
                across = self.across and Arrow(0, "", "")  # the parts side by side begin at the same height
                parts.append(part if not (at or top) else part._replace(across=across, down=None))
        return parts

    @property
    def left(self) -> float:
        """The width of the rulers on the left."""
        return sum(self._rulers)

    @property
    def _rulers(self) -> list[float]:
        longest = [max(map(len, labels)) for labels in zip(*self.grid.rows, self.grid.left, strict=True)]
        return [max(_RULER, text_width("0" * count, SMALL + 1) + _GAP) if count else 0 for count in longest]

    def width(self) -> float:
        right = self.down.room if self.down else 0
        right += max((2 * _GAP + text_width(text, 11) / SAFE for *_, text in self.beside.spans), default=0)
        return max(self.left + self.wide * len(self.grid.columns) + right, text_width(self.title, 12) / SAFE)

    def draw(self, svg: Document, y: float) -> float:
        return self.draw_at(svg, MARGIN, y)

    def draw_at(self, svg: Document, x: float, y: float) -> float:
        """Draw the chart with its top left corner at (x, y); return the y below it."""
        if self.title:
            svg.text(x, y + 20, self.title, size=12, bold=True)
            y += 20
        left, y = x + self.left, y + 8
        if self.across and self.across.cells:
            svg.text(left, y + 12, self.across.label, fill=self.across.stroke, bold=True)
            beside = left + text_width(self.across.label, 12) + 16
            svg.text(beside, y + 12, self.across.where, size=SMALL, fill=FAINT)
            svg.arrow(left, y + 24, left + self.across.cells * self.wide, y + 24, stroke=self.across.stroke)
        y += 34 if self.across else 0
        y = self._draw_braces(svg, self.above, left, y)
        top = self._draw_rulers(svg, left, y)
        self._draw_cells(svg, left, top)
        right, bottom = left + self.wide * len(self.grid.columns), top + self.tall * len(self.grid.rows)
        if self.down:
            end = top + self.down.cells * self.tall
            svg.arrow(right + _GAP, top, right + _GAP, end, stroke=self.down.stroke)
            middle = max(top + 12, (top + end) / 2)
            svg.text(right + 2 * _GAP, middle, self.down.label, fill=self.down.stroke, bold=True)
            svg.text(right + 2 * _GAP, middle + 14, self.down.where, size=SMALL, fill=FAINT)
            right += self.down.room
        for first, last, text in self.beside.spans:
            begin, end = top + first * self.tall, top + last * self.tall
            svg.line(right + _GAP, begin + 3, right + _GAP, end - 3, stroke=self.beside.stroke, width=1.4)
            svg.text(right + _GAP + 8, (begin + end) / 2 + 4, text, size=11, fill=self.beside.stroke)
        return self._draw_braces(svg, self.below, left, bottom, under=True) + 10

    def _draw_braces(self, svg: Document, braces: Braces, left: float, y: float, *, under: bool = False) -> float:
        """Draw braces along columns, with their texts above or under them; return the y below them."""
        if not braces.spans:
            return y
        svg.text(left - 10, y + 12, braces.name, size=SMALL, fill=braces.stroke, anchor="end")
        for first, last, text in braces.spans:
            begin, end = left + first * self.wide, left + last * self.wide
            text_y, line_y = (y + 17, y + 5) if under else (y + 12, y + 18)
            svg.text((begin + end) / 2, text_y, text, size=11, fill=braces.stroke, anchor="middle")
            svg.line(begin + 2, line_y, end - 2, line_y, stroke=braces.stroke, width=1.4)
        return y + 24

    def _draw_rulers(self, svg: Document, left: float, y: float) -> float:
        """Draw the rulers above and on the left; return the y of the cells."""
        edges = [left - 10]
        for room in reversed(self._rulers[1:]):
            edges.insert(0, edges[0] - room)
        for names, labels in self.grid.heads(slice(None)):
            y += _LINE
            for edge, name in zip(edges, names, strict=True):
                svg.text(edge, y - 3, name, size=SMALL, fill=FAINT, anchor="end")
            if svg.dense:
                self._write_rows(svg, [labels], left, y - 3, FAINT)
                continue
            for first, count, label in _runs(labels, self.grid.group):
                x = left + (first + count / 2) * self.wide
                svg.text(x, y - 3, label, size=SMALL, fill=FAINT, anchor="middle")
        y += 3
        for edge, ruler in zip(edges, zip(*self.grid.rows, strict=True), strict=True):
            size, fill = (SMALL + 1, INK) if edge == edges[0] else (SMALL, FAINT)
            if svg.dense:
                beside = [(y + (at + count / 2) * self.tall + 4, text) for at, count, text in _runs(ruler, len(ruler))]
                svg.rows(edge, beside, size=size, fill=fill, anchor="end")
                continue
            for first, count, label in _runs(ruler, len(ruler)):
                svg.text(edge, y + (first + count / 2) * self.tall + 4, label, size=size, fill=fill, anchor="end")
        return y

    def _draw_cells(self, svg: Document, left: float, top: float) -> None:
        grid, wide, tall = self.grid, self.wide, self.tall
        if svg.dense:  # beginning at (0, 0), numbers are shorter, and charts of one size share their lines
            with svg.group(**_moved(left, top)):
                self._fill_runs(svg)
                self._draw_lines(svg, 0, 0)
                self._write_cells(svg, 0, 0)
            return
        with svg.group(stroke=GROUND, stroke_width=min(1, wide / 30)):
            for row, cells in enumerate(grid.cells):
                for column, cell in enumerate(cells):
                    fill = svg.fill_of(ABSENT if cell.chunk is None else self.colors[cell.chunk])
                    svg.rect(left + column * wide, top + row * tall, wide, tall, fill=fill, tip=cell.tip)
        self._draw_lines(svg, left, top)
        self._write_cells(svg, left, top)

    def _draw_lines(self, svg: Document, left: float, top: float) -> None:
        """Draw the lines between groups of cells, and the outlines."""
        grid, wide, tall = self.grid, self.wide, self.tall
        count, rows = len(grid.columns), len(grid.rows)
        right, bottom = left + wide * count, top + tall * rows
        groups = range(grid.group, count, grid.group) if grid.group > 1 else ()
        for column in {*groups, *self.lines[0]}.intersection(range(1, count)):
            svg.line(left + column * wide, top, left + column * wide, bottom, stroke=INK)
        for row in set(self.lines[1]).intersection(range(1, rows)):
            svg.line(left, top + row * tall, right, top + row * tall, stroke=INK)
        svg.rect(left, top, right - left, bottom - top, stroke=INK, stroke_width=1.4)
        for outline in self.outlines:
            inset = outline.inset
            svg.rect(
                left + outline.column * wide + inset,
                top + outline.row * tall + inset,
                outline.columns * wide - 2 * inset,
                outline.rows * tall - 2 * inset,
                stroke=outline.stroke,
                stroke_width=outline.width,
                radius=outline.radius,
                tip=outline.tip,
            )

    def _write_cells(self, svg: Document, left: float, top: float) -> None:
        """Write the texts of the cells."""
        grid, wide, tall = self.grid, self.wide, self.tall
        if svg.dense:
            texts = [["" if cell.chunk is None else cell.text for cell in row] for row in grid.cells]
            noted = any(cell.note for row in grid.cells for cell in row)
            self._write_rows(svg, texts, left, top + tall / 2 + (-1 if noted else 5))
            if noted:
                self._write_rows(svg, [[cell.note for cell in row] for row in grid.cells], left, top + tall / 2 + 14)
            return
        noted = any(cell.note for row in grid.cells for cell in row)
        shares = self.middles or [column + 0.5 for column in range(len(grid.columns))]
        with svg.group(font_size=self.size, fill=CHUNK_INK, text_anchor="middle", font_weight="bold" if noted else ""):
            for row, cells in enumerate(grid.cells):
                for share, cell in zip(shares, cells, strict=True):
                    below = -1 if cell.note else 0.36 * self.size
                    text = "" if cell.chunk is None else cell.text
                    svg.text(left + share * wide, top + (row + 0.5) * tall + below, text, size=0)
        with svg.group(font_size=SMALL, fill=CHUNK_INK, text_anchor="middle"):
            for row, cells in enumerate(grid.cells if noted else ()):
                for share, cell in zip(shares, cells, strict=True):
                    svg.text(left + share * wide, top + (row + 0.5) * tall + 13, cell.note, size=0)

    def _fill_runs(self, svg: Document) -> None:
        """Draw the cells of each color as one shape, with the lines between columns and rows."""
        runs: dict[tuple[int | None, int], list[str]] = {}
        row = 0
        for chunks, alike in groupby(self.grid.cells, key=lambda cells: [cell.chunk for cell in cells]):
            rows, column = len(list(alike)), 0
            for chunk, run in groupby(chunks):
                columns = len(list(run))
                x, wide = (_attribute(round(number * self.wide, 1)) for number in (column, columns))
                middle = _attribute((row + rows / 2) * self.tall)
                runs.setdefault((chunk, rows), []).append(f"M{x} {middle}h{wide}")
                column += columns
            row += rows
        for (chunk, rows), parts in runs.items():
            fill = svg.fill_of(ABSENT if chunk is None else self.colors[chunk])
            svg.path("".join(parts), stroke=fill, width=rows * self.tall)
        across, down = len(self.grid.columns) * self.wide, len(self.grid.rows) * self.tall
        svg.rect(0, 0, across, down, fill=svg.ruled(self.wide, self.tall))

    def _write_rows(
        self, svg: Document, lines: Sequence[Sequence[str]], left: float, y: float, ink: str = CHUNK_INK
    ) -> None:
        """Write the texts of cells, a text for each row; ``y`` is the baseline of the first."""
        longest = max((len(text) for line in lines for text in line), default=0)
        count = max(longest, ceil(self.wide / (_DENSE * ADVANCE)))
        texts = [(y + row * self.tall, "".join(text.center(count) for text in line)) for row, line in enumerate(lines)]
        size, across = self.wide / count / ADVANCE, self.wide * len(self.grid.columns)
        svg.rows(left, [each for each in texts if each[1].strip()], size=size, fill=ink, wide=across)


def _runs(labels: Sequence[str], group: int) -> Iterator[tuple[int, int, str]]:
    """Yield the first cell of each label, and the cells that share it: neighbors in a group; no empty labels."""
    cells = enumerate(labels)
    for (label, _), run in groupby(cells, key=lambda cell: (cell[1], cell[0] // group)):
        places = [place for place, _ in run]
        if label:
            yield places[0], len(places), label


class SideBySide(NamedTuple):
    """Charts beside each other as far as they fit; the others continue below, each below one of the first line."""

    charts: Sequence[Chart]

    def width(self) -> float:
        return self._edges()[-1] - _APART

    def draw(self, svg: Document, y: float) -> float:
        edges = self._edges()[:-1]
        end = y
        for number, chart in enumerate(self.charts):
            place = number % len(edges)
            y = end if not place else y
            end = max(end, chart.draw_at(svg, MARGIN + edges[place], y))
        return end

    def _edges(self) -> list[float]:
        """Return where each chart of the first line begins, and where one more would."""
        edges = [0.0]
        for chart in self.charts:
            following = edges[-1] + chart.width() + _APART
            if following - _APART > WIDEST - 2 * MARGIN and len(edges) > 1:
                break
            edges.append(following)
        return edges
