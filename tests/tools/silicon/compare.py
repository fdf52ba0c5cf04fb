"""The model's answer to every case, and how many elements of a record differ from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from silicon.record import Answer, Group, Record
from smemdesc import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.fragment import THREADS, Fragment, M, RegisterSlot, WgmmaShape, fragment_layout
from smemdesc.layout.operand import operand_of

TABLE = kind_of("wgmma").table


def expected(group: Group, descriptor: int) -> list[int]:
    """Return the number that the model has for each element, in the order of the answers."""
    if group.asked == "registers":
        return _names_of_a(group)
    if group.asked == "accumulator":
        return _names_in_d(group)
    context = Context(dtype=dtype_of(group.dtype), major=group.major, shape=group.shape)
    grid = operand_of(TABLE.read(descriptor), context).grid
    return [bit // 8 for row in grid for bit in row]


def _fragment(group: Group) -> Fragment:
    k = dtype_of(group.dtype).k
    n = group.shape[1] if group.asked == "accumulator" else 8
    return fragment_layout(
        WgmmaShape(M, n, k), *(("a", group.dtype) if group.asked == "registers" else ("d", group.d_type))
    )


def _names_of_a(group: Group) -> list[int]:
    """For each (row, k) of A the name (thread, register, element), counted through."""
    shown = _fragment(group)

    def name(place: RegisterSlot) -> int:
        return (place.thread * shown.registers + place.register) * shown.packed + place.element

    return [name(shown.place(row, k)) for row in range(group.shape[0]) for k in range(group.shape[1])]


def _names_in_d(group: Group) -> list[int]:
    """For each (thread, register, element) of D the name row + 64 * column."""
    shown = _fragment(group)
    return [cell.row + M * cell.column for thread in range(THREADS) for _, cell in shown.thread_elements(thread)]


class Line(NamedTuple):
    """One class of cases, compared."""

    cls: str
    cases: int
    elements: int
    mismatches: int
    faults: int


def mismatches(group: Group, descriptor: int, answer: Answer) -> list[tuple[int, int]]:
    """Return where (number of the element, what was measured) the hardware does not do what the model says."""
    model = expected(group, descriptor)
    if len(model) != len(answer.numbers):
        return [(place, -1) for place in range(len(model))]
    if model == answer.numbers:
        return []
    return [(place, seen) for place, (seen, own) in enumerate(zip(answer.numbers, model, strict=True)) if seen != own]


def summary(record: Record) -> Iterator[Line]:
    """Yield a line for each class, in the order of the record. A case that faulted has no elements to compare."""
    lines: dict[str, Line] = {}
    for group, answers in record.answers():
        line = lines.get(group.cls, Line(group.cls, 0, 0, 0, 0))
        read = [pair for pair in zip(group.descriptors, answers, strict=True) if not pair[1].fault]
        wrong = sum(len(mismatches(group, descriptor, answer)) for descriptor, answer in read)
        lines[group.cls] = Line(
            group.cls,
            line.cases + len(answers),
            line.elements + len(read) * group.size,
            line.mismatches + wrong,
            line.faults + len(answers) - len(read),
        )
    return iter(lines.values())
