"""The tensor memory of one kernel as one picture: what it allocates, and what its instructions take of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from smemdesc.engine.wording import join_and, span
from smemdesc.instructions.mma import Judge
from smemdesc.rules.tensor_memory_use import tensor_memory_uses
from smemdesc.scanning.model import Function


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
        return join_and(_NAMES[operand] for operand in self.unknown)

    @property
    def used(self) -> int:
        """The columns that are taken; some of them, if there are :attr:`unknown` ones."""
        every = sorted(self.taken, key=lambda taken: taken.first)
        return sum(part.columns for part in _merged("", ((part.first, part.end) for part in every)))

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
            parts.setdefault(_NAMES[taken.operand], []).append(span(taken.first, taken.end - 1))
        where = "; ".join(f"{name} {', '.join(columns)}" for name, columns in parts.items())
        return f"{text}, used {'at least ' if self.unknown else ''}{self.used} ({where})"


_NAMES = {
    "d": "D",
    "a": "A",
    "scale_a": "scale factors of A",
    "scale_b": "scale factors of B",
    "at": "copies",
}


def tensor_memory_of(function: Function, judge: Judge) -> TensorMemoryPicture | None:
    """Return what a function allocates of tensor memory and takes of it; None if it allocates nothing."""
    if not function.allocations:
        return None
    taken: dict[str, set[tuple[int, int]]] = {}
    unknown = dict[str, None]()
    for mma in function.mmas:
        if mma.instruction.accessed is not None:
            continue
        judged = judge.judge(mma.model)
        idesc = None if judged.idesc is None else judged.idesc.fields
        for use in tensor_memory_uses(mma.instruction, idesc, judged.contexts[0], mma.model.tensor_memory):
            # With several allocations it is not known which one an address is counted from.
            if use.place is None or use.columns is None or len(function.allocations) > 1:
                unknown[use.operand] = None
            else:
                taken.setdefault(use.operand, set()).add((use.place, use.place + use.columns))
    parts = (part for operand in _NAMES for part in _merged(operand, sorted(taken.get(operand, ()))))
    return TensorMemoryPicture(function.allocations, tuple(parts), tuple(unknown))


def tensor_memory_dict(file: str, function: Function, picture: TensorMemoryPicture) -> dict[str, Any]:
    """Return the JSON object of the tensor memory of a function."""
    place = {"file": function.within(file), "line": function.line, "function": function.name}
    return {**place, "tensor_memory": picture.to_dict()}


def _merged(operand: str, spans: Iterable[tuple[int, int]]) -> Iterator[ColumnsTaken]:
    """Yield columns without overlaps; ``spans``: first columns and ends, in order."""
    first = end = None
    for start, after in spans:
        if end is not None and first is not None and start > end:
            yield ColumnsTaken(operand, first, end - first)
            first = None
        first, end = start if first is None else first, max(end or 0, after)
    if first is not None and end is not None:
        yield ColumnsTaken(operand, first, end - first)
