"""An error as lines: what was given, a caret at the place, what to type instead."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.errors import SmemdescError
from smemdesc.render.lines import Line, indented

_LONG = 100


def problem(error: SmemdescError, where: str = "", width: int | None = None) -> Iterator[Line]:
    """Yield the lines of an error; ``where`` says which value of a batch it is about."""
    prefix: Line = [("error: ", "error")]
    if where:
        prefix.append((f"{where}: ", "heading"))
    yield from indented(prefix, error.message, "", width)
    if error.given is not None and error.given.strip():
        yield from _caret(error.given, error.span or (0, len(error.given)))
    if error.hint:
        yield from indented([("  ", "")], error.hint, "dim", width)


def _caret(given: str, span: tuple[int, int]) -> Iterator[Line]:
    """Yield the line of ``given`` that the span begins in, cut to what can be read, and carets under the span."""
    begin = given.rfind("\n", 0, span[0]) + 1
    end = given.find("\n", begin)
    line = given[begin:] if end < 0 else given[begin:end]
    first = span[0] - begin
    last = max(first + 1, min(span[1] - begin, len(line)))
    cut = max(0, first - _LONG // 2)
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line[cut : cut + _LONG])
    lead = "..." if cut else ""
    tail = "..." if len(line) > cut + _LONG else ""
    yield [("  ", ""), (f"{lead}{shown}{tail}", "value")]
    blanks = " " * (2 + len(lead) + first - cut)
    yield [(blanks, ""), ("^" * max(1, min(last - first, len(shown) - (first - cut))), "error")]
