"""What was found in a stretch of a file, counted from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from smemdesc.scanning.model import Function, Operand, Origin, Part

Place = Callable[[int, str], tuple[int, str]]
"""Turns the number of a line, and what is shown of it, into those that are told."""


def moved(part: Part, lines: int) -> Part:
    """Return what was found with every line number larger by ``lines``."""
    if not lines:
        return part
    return part._replace(
        functions=tuple(relined(of, of.line + lines, lambda line, text: (line + lines, text)) for of in part.functions),
        values=tuple(value._replace(line=value.line + lines) for value in part.values),
        failed=tuple((line + lines, reason) for line, reason in part.failed),
    )


def relined(of: Function, first: int, place: Place) -> Function:
    """Return a function that begins in the line ``first``, with its lines where ``place`` says."""
    # Those that are alike are one object, as the scan made them.
    moved: dict[int, tuple[Origin, ...]] = {}

    def operand(each: Operand | None) -> Operand | None:
        if each is None:
            return None
        origins = moved.get(id(each.origins))
        if origins is None:
            origins = tuple(Origin(line, mask, text, up) for line, mask, text, up in map(placed, each.origins))
            moved[id(each.origins)] = origins
        if each.provided is not None:
            additions = tuple(
                of._replace(line=line, text=text)
                for of in each.provided.additions
                for line, text in (place(of.line, of.text),)
            )
            each = each._replace(provided=each.provided._replace(additions=additions))
        if each.lost is None:
            return each._replace(origins=origins)
        lost, text = place(each.lost, each.lost_text)
        return each._replace(lost=lost, lost_text=text, origins=origins)

    def placed(each: Origin) -> tuple[int, int, str, int]:
        line, text = place(each.line, each.text)
        return line, each.mask, text, each.moved

    mmas = []
    for mma in of.mmas:
        line, text = place(mma.line, mma.text)
        made = mma._replace(line=line, text=text, a=operand(mma.a), b=operand(mma.b))
        mmas.append(made._replace(idesc=operand(mma.idesc), mask=operand(mma.mask)))
    return of._replace(line=first, mmas=tuple(mmas), unread=tuple(place(*each) for each in of.unread))
