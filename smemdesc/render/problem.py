"""An error: the input, a caret at the place, what to type instead."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.errors import SmemdescError, marked_line
from smemdesc.engine.wording import printable, short
from smemdesc.render.parts import as_view, beside, line

_LONG = 100


@as_view
def problem_view(error: SmemdescError, where: str = "", severity: str = "error") -> Iterator[RenderableType]:
    """An error; ``where`` names the value of a batch. ``severity``: its label."""
    head = line((f"{severity}: ", severity), (f"{printable(where)}: " if where else "", "heading"))
    yield beside(head, printable(short(error.option_message)))
    if error.given is not None and error.given.strip():
        yield from _caret(error.given, error.span)
    if error.option_hint:
        yield beside("  ", (printable(short(error.option_hint)), "faint"))


def remark_view(text: str) -> RenderableType:
    """A remark that is not an error."""
    return beside(("note: ", "heading"), printable(text))


def _caret(source: str, span: tuple[int, int] | None) -> Iterator[Text]:
    """Yield the line of ``source`` in which the span begins, cut to a readable length, and carets under the span."""
    text, first, length = marked_line(source, span)
    cut = max(0, first - _LONG // 2)
    end = cut + _LONG
    shown, before, marked = map(printable, (text[cut:end], text[cut:first], text[first : min(first + length, end)]))
    lead = "..." if cut else ""
    tail = "..." if len(text) > end else ""
    blanks = " " * (2 + len(lead) + len(before))
    carets = "^" * max(1, len(marked))
    for row in (line("  ", (f"{lead}{shown}{tail}", "value")), line(blanks, (carets, "error"))):
        row.no_wrap, row.overflow = True, "ignore"
        yield row
