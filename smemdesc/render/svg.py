"""A small writer of SVG: shapes and text on a light background, or on a dark one if the page is dark."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from smemdesc.render.cells import Cell
from smemdesc.render.console import CHUNK_INK, CHUNK_SMALL, CHUNKS

FONT = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
INK, FAINT, GROUND, EDGE, ABSENT = "#24292f", "#6e7781", "#ffffff", "#d0d7de", "#f3f4f6"
DARK = {INK: "#e6edf3", FAINT: "#8d96a0", GROUND: "#0d1117", EDGE: "#30363d", ABSENT: "#21262d"}
"""The same colors on a dark page. Text on a colored cell keeps its color."""
CORNER = 8
"""Corner radius of the picture, a card on a dark page."""
ADVANCE = 0.602
"""Width of a monospace character, relative to the font size."""
SAFE = 0.92
"""The usable share of a line: renderers round up the width of small characters."""
MARGIN, RULER, HEAD = 28, 96, 34
"""A grid picture: its margin, and the space for the rulers on the left and above the cells."""
SMALL = 10
"""Size of the labels of rulers."""

Number = int | float
_MARKUP = re.compile('[&<>"]')


def escape(text: str) -> str:
    """Return text with markup characters escaped for SVG."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    if not _MARKUP.search(text):  # a picture has many thousands of texts
        return text
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def wrapped(room: int, *texts: str) -> list[str]:
    """Return texts as lines of at most ``room`` characters, unless a word is longer."""
    return [
        line for text in texts for line in textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
    ]


def fitted(width: Number, *texts: str, size: int = 11) -> list[str]:
    """Return texts as lines that fit between the margins of a picture."""
    room = int((width - 2 * MARGIN) / (11 * ADVANCE) * SAFE)
    return wrapped(int(room * 11 / size), *texts)


def text_width(text: str, size: Number) -> float:
    """Return the approximate width of a text."""
    return len(text) * size * ADVANCE


class Document:
    """A picture that grows by one shape per call; its ``str()`` is the SVG."""

    def __init__(
        self, width: Number, height: Number, *, title: str = "", dark: Mapping[str, str] | None = None
    ) -> None:
        self.width = width
        self.height = height
        self.title = title
        self.dark = dict(dark or {})
        self._shapes: list[str] = []

    def rect(
        self,
        x: Number,
        y: Number,
        width: Number,
        height: Number,
        *,
        fill: str = "none",
        stroke: str = "",
        stroke_width: Number = 1,
        radius: Number = 0,
        tip: str = "",
    ) -> None:
        """Add a rectangle; ``tip`` is its tooltip in a browser."""
        attributes: dict[str, Number | str] = {"x": x, "y": y, "width": width, "height": height, "fill": fill}
        if radius:
            attributes["rx"] = radius
        if stroke:
            attributes |= {"stroke": stroke, "stroke-width": stroke_width}
        self._add("rect", attributes, f"<title>{escape(tip)}</title>" if tip else "")

    def line(self, x1: Number, y1: Number, x2: Number, y2: Number, *, stroke: str = FAINT, width: Number = 1) -> None:
        """Add a line."""
        self._add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": stroke, "stroke-width": width})

    def arrow(self, x1: Number, y1: Number, x2: Number, y2: Number, *, stroke: str = INK, width: Number = 1.4) -> None:
        """Add an arrow down or to the right, with a tick at either end.

        A dimension line, as in technical drawings.
        """
        down = x1 == x2
        head, tick = 5, 6
        self.line(x1, y1, x2, y2, stroke=stroke, width=width)
        for x, y in ((x1, y1), (x2, y2)):
            if down:
                self.line(x - tick, y, x + tick, y, stroke=stroke, width=width)
            else:
                self.line(x, y - tick, x, y + tick, stroke=stroke, width=width)
        for side in (-head, head):
            left, right = (x2 + side, y2 - head) if down else (x2 - head, y2 + side)
            self.line(left, right, x2, y2, stroke=stroke, width=width)

    def text(
        self,
        x: Number,
        y: Number,
        text: str,
        *,
        size: Number = 12,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Add a text whose baseline is at ``y``; ``anchor`` is start, middle or end."""
        attributes: dict[str, Number | str] = {"x": x, "y": y, "font-size": size, "fill": fill}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        self._add("text", attributes, escape(text))

    def lines(
        self,
        x: Number,
        y: Number,
        texts: Iterable[str],
        *,
        step: Number,
        size: Number = 12,
        fill: str = INK,
        bold: bool = False,
    ) -> Number:
        """Add texts below each other, the first with its baseline at ``y``; return the baseline of the next line."""
        for text in texts:
            self.text(x, y, text, size=size, fill=fill, bold=bold)
            y += step
        return y

    def place(self, x: Number, y: Number, document: Document) -> None:
        """Add another picture with its top left corner at (x, y)."""
        self._shapes.append(f'<g transform="translate({_attribute(x)},{_attribute(y)})">')
        self._shapes += document.shapes()
        self._shapes.append("</g>")

    def shapes(self) -> list[str]:
        """Return the background and the shapes, without the head."""
        inner = f'width="{_attribute(self.width - 1.0)}" height="{_attribute(self.height - 1.0)}"'
        ground = f'<rect x="0.5" y="0.5" {inner} rx="{CORNER}" fill="{GROUND}" stroke="{EDGE}"/>'
        return [ground, *self._shapes]

    def _add(self, name: str, attributes: Mapping[str, Number | str], inside: str = "") -> None:
        text = "".join([f' {key}="{_attribute(value)}"' for key, value in attributes.items()])
        self._shapes.append(f"<{name}{text}>{inside}</{name}>" if inside else f"<{name}{text}/>")

    def __str__(self) -> str:
        width, height = _attribute(self.width), _attribute(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}" xml:space="preserve">'
        )
        title = [f"<title>{escape(self.title)}</title>"] if self.title else []
        return "\n".join([head, *title, self._style(), *self.shapes(), "</svg>"]) + "\n"

    def _style(self) -> str:
        rules = "".join(
            f'[{name}="{light}"]{{{name}:{dark}}}'
            for light, dark in (DARK | self.dark).items()
            for name in ("fill", "stroke")
        )
        return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"


@lru_cache(1024)  # the same coordinates, colors and sizes occur in each row and column
def _attribute(value: Number | str) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(value) if isinstance(value, str) else str(value)


def headed(
    width: Number,
    height: Number,
    name: str,
    details: Sequence[str],
    *,
    title: str,
    dark: Mapping[str, str] | None = None,
) -> Document:
    """Return a picture with its name and, below it, lines of description."""
    svg = Document(width, height, title=title, dark=dark)
    svg.text(MARGIN, 38, name, size=16, bold=True)
    svg.lines(MARGIN, 60, details, step=18, fill=FAINT)
    return svg


def draw_cell(
    svg: Document,
    cell: Cell,
    box: tuple[float, float, float, float],
    size: Number,
    *,
    base: Number | None = None,
    edge: Number = 1,
    free: float = 0,
    note: bool = False,
) -> None:
    """Draw a cell of a grid into (x, y, width, height): its color, and its text with or without the note below it.

    The text is centered in the cell minus ``free``, a strip on the right; ``base`` is the distance from the top to
    its baseline.
    """
    x, y, wide, tall = box
    if cell.chunk is None:
        svg.rect(x, y, wide, tall, fill=ABSENT, stroke=GROUND, stroke_width=edge)
        return
    svg.rect(x, y, wide, tall, fill=CHUNKS[cell.chunk], stroke=GROUND, stroke_width=edge, tip=cell.tip)
    middle = x + (wide - free) / 2
    base = tall / 2 + (-1 if note else 4) if base is None else base
    svg.text(middle, y + base, cell.text, size=size, fill=CHUNK_INK, anchor="middle", bold=note)
    if note:
        svg.text(middle, y + base + 14, cell.note, size=SMALL, fill=CHUNK_SMALL, anchor="middle")


def color_key(svg: Document, x: float, y: float, chunk: int, text: str) -> float:
    """Draw a color with its label; return x of the next one."""
    svg.rect(x, y, 20, 14, fill=CHUNKS[chunk], stroke=FAINT, stroke_width=0.5)
    svg.text(x + 27, y + 11, text, size=11)
    return x + 27 + text_width(text, 11) + 22


def chunk_legend(svg: Document, y: float, legend: str) -> None:
    """Draw the colors with their numbers, and their meaning."""
    x: float = MARGIN
    for chunk, fill in enumerate(CHUNKS):
        svg.rect(x, y - 9, 16, 13, fill=fill, stroke=FAINT, stroke_width=0.5)
        svg.text(x + 8, y + 1.5, str(chunk), size=9, fill=CHUNK_INK, anchor="middle")
        x += 16
    # After the swatches: the width of the sentence depends on the font.
    svg.text(x + 10, y + 1, legend, size=11, fill=FAINT)


def ruled_rows(
    svg: Document,
    above: Iterable[tuple[str, Iterable[object]]],
    left: str,
    rows: Sequence[tuple[object, object]],
    corner: tuple[float, float],
    wide: float,
    tall: float,
) -> Iterator[float]:
    """Draw the rulers of a grid; after the labels of each row, yield its y.

    ``above``: the name and the labels of each ruler over the columns, empty ones left out; ``rows``: the two labels of
    each row. The rulers begin at ``corner``, the cells :data:`HEAD` below it.
    """
    x, y = corner
    for number, (name, labels) in enumerate(above):
        base = y + 12 + 15 * number
        svg.text(x - 10, base, name, size=SMALL, fill=FAINT, anchor="end")
        for index, label in enumerate(labels):
            if label != "":
                svg.text(x + (index + 0.5) * wide, base, str(label), size=SMALL, fill=FAINT, anchor="middle")
    svg.text(x - RULER + 24, y + 27, left, size=SMALL, fill=FAINT, anchor="end")
    for row, (label, offset) in enumerate(rows):
        at = y + HEAD + row * tall
        svg.text(x - RULER + 24, at + tall / 2 + 4, str(label), size=SMALL + 1, anchor="end")
        svg.text(x - 10, at + tall / 2 + 4, str(offset), size=SMALL, fill=FAINT, anchor="end")
        yield at
