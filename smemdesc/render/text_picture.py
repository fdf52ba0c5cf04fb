"""A view as a picture: the text of a terminal of so many columns, on a light page or on a dark one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from rich.segment import Segment

from smemdesc.render.console import CHUNK_INK, PAGE, drawn
from smemdesc.render.svg import ADVANCE, INK, MARGIN, Document, PictureBlock, draw

SIZE = 13
_LINE = 18


class TerminalText(NamedTuple):
    """Lines of a terminal."""

    lines: Sequence[list[Segment]]

    def width(self) -> float:
        return max(map(Segment.get_line_length, self.lines), default=1) * SIZE * ADVANCE

    def draw(self, svg: Document, y: float) -> float:
        y += 20
        for line in self.lines:
            x: float = MARGIN
            for text, style, _ in line:
                wide = len(text) * SIZE * ADVANCE
                ground = style.bgcolor.get_truecolor().hex if style and style.bgcolor else ""
                ink = style.color.get_truecolor().hex if style and style.color and not style.color.is_default else INK
                if ground:
                    svg.rect(x, y, wide, _LINE, fill=ground)
                if text.strip():
                    bold = bool(style and style.bold)
                    svg.text(x, y + 13, text, size=SIZE, fill=ink, bold=bold, wide=wide)
                if style and style.underline:
                    svg.line(x, y + 15, x + wide, y + 15, stroke=CHUNK_INK)
                x += wide
            y += _LINE
        return y


def picture(views: Iterable[RenderableType], title: str, width: int = PAGE, above: Iterable[PictureBlock] = ()) -> str:
    """Return views as a picture of text, as wide as needed, at most ``width`` columns; ``above``: what is above it."""
    segments = [segment for view in views for segment in drawn(view, width).segments]
    blocks: list[PictureBlock] = [*above, TerminalText(list(Segment.split_lines(segments)))]
    return draw(" ".join(title.split()), "text as on a terminal", blocks)
