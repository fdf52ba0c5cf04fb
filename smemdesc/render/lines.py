"""Lines of styled spans: one layout for terminal and pipe, painted or joined at the very end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Span = tuple[str, str]
"""Text and the name of its style (see ``smemdesc.render.terminal.STYLES``); empty for none."""
Line = list[Span]


def plain(lines: Iterable[Line]) -> str:
    """Join lines without styles, each ended by a newline and without trailing blanks."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def wrap(text: str, width: int | None) -> list[str]:
    """Break ``text`` at blanks so that no line is over ``width`` (None: no limit) unless a word is."""
    if width is None or len(text) <= width:
        return [text]
    out: list[str] = []
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            out.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*out, line]


def indented(prefix: Line, text: str, style: str, width: int | None) -> Iterator[Line]:
    """Yield ``prefix`` and ``text`` after it, continued under the text."""
    margin = sum(len(part) for part, _ in prefix)
    room = None if width is None else max(24, width - margin)
    for index, part in enumerate(wrap(text, room)):
        yield [*(prefix if not index else [(" " * margin, "")]), (part, style)]


def columns(rows: Sequence[Sequence[Span]], width: int | None, gap: int = 2) -> Iterator[Line]:
    """Align rows of cells; the last cell is text that wraps, under its row where little room is left."""
    if not rows:
        return
    count = len(rows[0])
    sizes = [max(len(row[i][0]) for row in rows) for i in range(count - 1)]
    left = sum(sizes) + gap * (count - 1)
    longest = max(len(row[-1][0]) for row in rows)
    narrow = width is not None and width - left < min(40, longest)
    for row in rows:
        cells: Line = []
        for size, (text, style) in zip(sizes, row, strict=False):
            cells += [(text, style), (" " * (size - len(text) + gap), "")]
        text, style = row[-1]
        if not narrow:
            yield from indented(cells, text, style, width)
        else:
            yield cells
            if text:
                yield from indented([(" " * (sizes[0] + gap), "")], text, style, width)
