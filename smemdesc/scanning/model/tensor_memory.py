"""The tensor memory of one kernel as one picture: what it allocates, and what its instructions take of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from smemdesc.engine.wording import join_and, span


class ColumnsTaken(NamedTuple):
    """Columns of tensor memory that an operand of one or more instructions takes."""

    operand: str
    """``d``, ``a``, ``scale_a``, ``scale_b``; ``at``: where a copy writes."""
    first: int
    """Columns after the first allocated one."""
    columns: int

    @property
    def end(self) -> int:
        """The column after the last one."""
        return self.first + self.columns

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {"operand": self.operand, "first_column": self.first, "columns": self.columns}


class TensorMemoryPicture(NamedTuple):
    """What a function allocates of tensor memory, and what its MMAs and copies take of it."""

    allocated: tuple[int | None, ...]
    """The columns of each ``tcgen05.alloc``; None if they are not known."""
    taken: tuple[ColumnsTaken, ...]
    """Without overlaps of the same operand; by operand, then by column."""
    unknown: tuple[str, ...]
    """The operands of which a place, or the number of columns, is not known."""

    @property
    def not_judged(self) -> str:
        """What is not known, in words; empty if all is."""
        return join_and(TAKERS[operand] for operand in self.unknown)

    @property
    def used(self) -> int:
        """The columns that are taken; some of them, if there are :attr:`unknown` ones."""
        return sum(part.columns for part in merged_columns("", ((part.first, part.end) for part in self.taken)))

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {
            "allocated": list(self.allocated),
            "used": None if self.unknown else self.used,
            "taken": [taken.to_dict() for taken in self.taken],
            "not_known": list(self.unknown),
        }

    def __str__(self) -> str:
        sizes = ["an unknown number of" if size is None else str(size) for size in self.allocated]
        text = f"allocated {join_and(sizes)} column{'' if sizes[-1] == '1' else 's'}"
        if not self.taken:
            return text
        parts: dict[str, list[str]] = {}
        for taken in self.taken:
            parts.setdefault(TAKERS[taken.operand], []).append(span(taken.first, taken.end - 1))
        where = "; ".join(f"{name} {', '.join(columns)}" for name, columns in parts.items())
        return f"{text}, used {'at least ' if self.unknown else ''}{self.used} ({where})"


TAKERS = {
    "d": "D",
    "a": "A",
    "scale_a": "scale factors of A",
    "scale_b": "scale factors of B",
    "at": "copies",
}
"""The operands, in the order in which they are listed."""


def merged_columns(operand: str, spans: Iterable[tuple[int, int]]) -> Iterator[ColumnsTaken]:
    """Yield the columns that an operand takes, without overlaps; ``spans``: first columns and ends, in any order."""
    first = end = None
    for start, after in sorted(spans):
        if end is not None and first is not None and start > end:
            yield ColumnsTaken(operand, first, end - first)
            first = None
        first, end = start if first is None else first, max(end or 0, after)
    if first is not None and end is not None:
        yield ColumnsTaken(operand, first, end - first)
