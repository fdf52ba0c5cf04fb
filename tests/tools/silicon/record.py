"""The record of what the hardware answered: lines of JSON, compressed. Needs nothing but the standard library.

The first line is the header; every other line is a group: cases of one class and one form, with the answers. An
answer is the byte address of each element, MN outside and K inside, stored without loss and briefly: where the
elements of each 16 bytes of the contiguous dimension do follow each other, the number of each such unit (address
/ 16), else each number for itself; then the difference of each from the one before.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
CASES = HERE / "cases.json"
RECORDS = HERE.parents[1] / "silicon" / "record"
UNIT = 16
OPERANDS = ("A", "B")


class Group(NamedTuple):
    """Cases of one class that differ in the descriptor alone."""

    cls: str
    """What is varied."""
    form: str
    """The probe's name of the instruction and of what is asked."""
    dtype: str
    asked: str
    """``A`` or ``B``: where its elements come from; ``registers`` or ``accumulator``: what they hold."""
    major: str
    shape: tuple[int, int]
    """MN x K of the operand; the matrix of a fragment."""
    bytes: int
    """Of one element."""
    sparse: bool
    d_type: str
    fixed: int
    """The descriptor of the operand that is not asked for, a plain one."""
    descriptors: tuple[int, ...]

    @property
    def size(self) -> int:
        """Numbers in one answer."""
        return self.shape[0] * self.shape[1]

    @property
    def addresses(self) -> bool:
        """Whether an answer is of addresses, not of names."""
        return self.asked in OPERANDS

    def to_json(self) -> dict[str, Any]:
        """Return an object of plain values, descriptors as hexadecimal strings."""
        hexadecimal = [f"0x{value:016x}" for value in self.descriptors]
        return {**self._asdict(), "fixed": f"0x{self.fixed:016x}", "descriptors": hexadecimal}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Group:
        """The other way round; keys that are no fields are left alone."""
        known = {name: data[name] for name in cls._fields}
        known["shape"] = tuple(known["shape"])
        known["fixed"] = int(known["fixed"], 16)
        known["descriptors"] = tuple(int(text, 16) for text in known["descriptors"])
        return cls(**known)


class Answer(NamedTuple):
    """What came back for one case: the numbers, or why there are none."""

    numbers: list[int]
    fault: str = ""


class Plan(NamedTuple):
    """All cases, and where the operands lie that are no question."""

    plain_a: int
    plain_b: int
    groups: list[Group]


def read_plan(path: Path = CASES) -> Plan:
    """Read the file of cases."""
    data = json.loads(path.read_text())
    return Plan(data["plain_a"], data["plain_b"], [Group.from_json(group) for group in data["groups"]])


def write_plan(plan: Plan, path: Path = CASES) -> None:
    """Write the file of cases, a group a line."""
    lines = ",\n".join(json.dumps(group.to_json()) for group in plan.groups)
    path.write_text(f'{{"plain_a": {plan.plain_a}, "plain_b": {plan.plain_b}, "groups": [\n{lines}\n]}}\n')


def _along_mn(group: Group) -> bool:
    return group.addresses and group.major == "MN"


def _transposed(numbers: list[int], rows: int, columns: int) -> list[int]:
    return [number for column in range(columns) for number in numbers[column : rows * columns : columns]]


def pack(group: Group, answer: Answer) -> dict[str, Any]:
    """Return an answer as it is stored."""
    if answer.fault:
        return {"fault": answer.fault}
    numbers = answer.numbers
    if len(numbers) != group.size:
        raise ValueError(f"{group.form}: {len(numbers)} numbers, not {group.size}")
    if group.addresses:
        mn, k = group.shape
        line = _transposed(numbers, mn, k) if _along_mn(group) else numbers
        per_unit = UNIT // group.bytes
        first = line[::per_unit]
        if line == list(_whole_units(first, group.bytes)) and not any(number % UNIT for number in first):
            return {"units": _differences(number // UNIT for number in first)}
    return {"numbers": _differences(numbers)}


def unpack(group: Group, stored: dict[str, Any]) -> Answer:
    """Return an answer as it was measured."""
    if "fault" in stored:
        return Answer([], stored["fault"])
    if "numbers" in stored:
        return Answer(list(accumulate(stored["numbers"])))
    line = list(_whole_units([UNIT * number for number in accumulate(stored["units"])], group.bytes))
    mn, k = group.shape
    return Answer(_transposed(line, k, mn) if _along_mn(group) else line)


def _whole_units(first: Iterable[int], size: int) -> Iterator[int]:
    return (number + byte for number in first for byte in range(0, UNIT, size))


def _differences(numbers: Iterable[int]) -> list[int]:
    every = list(numbers)
    return [*every[:1], *(after - before for before, after in pairwise(every))]


def write(path: Path, header: dict[str, Any], answered: Iterable[tuple[Group, list[Answer]]]) -> None:
    """Write a record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without a time and a name in it, the same answers make the same file.
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(f"{json.dumps(header)}\n".encode())
        for group, answers in answered:
            stored = [pack(group, answer) for answer in answers]
            packed.write(f"{json.dumps({**group.to_json(), 'answers': stored}, separators=(',', ':'))}\n".encode())


class Record(NamedTuple):
    """A whole record, answers still packed."""

    header: dict[str, Any]
    groups: list[tuple[Group, list[dict[str, Any]]]]

    def answers(self) -> Iterator[tuple[Group, list[Answer]]]:
        """Yield every group with its answers."""
        return ((group, [unpack(group, stored) for stored in answers]) for group, answers in self.groups)


def named(chip: str) -> str:
    """Return the name of a chip's record, without an ending: ``NVIDIA H200`` is ``nvidia-h200``."""
    return "-".join(chip.lower().split())


RECORD = RECORDS / f"{named('NVIDIA H200')}.jsonl.gz"


def read(path: Path = RECORD) -> Record:
    """Read a record."""
    with gzip.open(path, "rt") as file:
        header, *lines = (json.loads(line) for line in file)
    return Record(header, [(Group.from_json(line), line["answers"]) for line in lines])
