"""Compares two scans, function by function: which descriptors changed, appeared and vanished.

The distinct sets of descriptors of a function are compared, without start addresses: instructions that only moved, or
are repeated more often, are not a change. Two languages spell an instruction differently: then its shape, types and so
on are compared, as far as both specify them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.readings import bare_value
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import FieldReading
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.kinds.instruction import Instruction
from smemdesc.layout.strides import NICK, without_effect
from smemdesc.scanning.model import DescriptorBits, Function, compared_bits
from smemdesc.scanning.results.function_names import without_namespaces
from smemdesc.scanning.results.report import ReportRow, fold
from smemdesc.scanning.results.selection import WHOLE_DUMP, Choice

CHANGED, APPEARED, VANISHED, UNCLEAR = "changed", "appeared", "vanished", "unclear"


class MmaGroup(NamedTuple):
    """Instructions of a function with the same descriptors."""

    mnemonic: str
    instruction: Instruction
    operands: tuple[DescriptorBits | None, ...]
    """A, B, instruction descriptor and mask."""
    line: int
    """The line of the first instruction."""
    times: int
    format: str
    """The language of the mnemonic."""
    idle: tuple[tuple[str, ...], ...] = ((),) * len(OPERANDS)
    """The strides of each operand that have no effect: it never reaches a second step along them."""

    @property
    def whole(self) -> bool:
        """Whether every bit of its descriptors is known."""
        return all(operand is None or operand.whole for operand in self.operands)

    @property
    def is_empty(self) -> bool:
        """Whether it is the wgmma that ptxas inserts to end an empty group: m64n8k16, with descriptors of 0."""
        instruction, (a, b, *_) = self.instruction, self.operands
        if (instruction.family, instruction.n, instruction.a_type) != ("wgmma", 8, "f16"):
            return False
        return all(operand is not None and operand.whole and not operand.bits for operand in (a, b))

    def to_dict(self) -> dict[str, Any]:
        operands = {name: operand and operand.to_dict() for name, operand in zip(OPERANDS, self.operands, strict=True)}
        return {"instruction": self.mnemonic, "line": self.line, "count": self.times, **operands}


class ScannedFunction(NamedTuple):
    """A function of one of the two scans."""

    file: str
    name: str | None
    line: int
    arch: str | None
    times: int
    """The number of its instructions."""
    used: tuple[MmaGroup, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "function": self.name,
            "line": self.line,
            "arch": self.arch,
            "instructions": self.times,
        }


class FieldChange(NamedTuple):
    """A field that differs, or (without ``operand``) an attribute of the instruction: its shape, a type, where A is."""

    operand: str | None
    key: str
    old: Any
    """A :class:`~smemdesc.engine.fields.FieldReading`, or the value of the instruction's attribute."""
    new: Any

    @property
    def name(self) -> str:
        """The usual name of the field: ``SBO``."""
        return NICK.get(self.key, self.key)

    @property
    def texts(self) -> tuple[str, str]:
        """Both values in words; ``?`` for one of which nothing is known."""
        if self.operand is not None:
            return field_text(self.old), field_text(self.new)
        old, new = (
            " or ".join(map(str, side)) if isinstance(side, tuple) else str(side) for side in (self.old, self.new)
        )
        return old, new

    def __str__(self) -> str:
        return f"{self.name} {' -> '.join(self.texts)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; the value of a field is None if any bit of it is unknown."""
        old, new = self.old, self.new
        if self.operand is not None:
            old, new = (reading.value if reading.complete else None for reading in (old, new))
        return {"operand": self.operand, "field": self.key, "old": old, "new": new}


def field_text(reading: FieldReading) -> str:
    """Return a field's value, else its bits; ``?`` if nothing is known of it."""
    if not reading.complete:
        return "?" if not reading.known else f"0b{reading.binary()}"
    if reading.value is None:
        return f"0b{reading.binary()}"
    return bare_value(reading) + (" B" if reading.field.key in NICK else "")


_ATTRIBUTES = tuple(
    key for key in Instruction._fields if key not in ("mma_kind", "mma_kinds", "qualifiers", "other_group")
)
"""The attributes that every language specifies or leaves open; SASS does not have all qualifiers."""


def attributes(old: Instruction, new: Instruction) -> tuple[FieldChange, ...]:
    """Return the attributes that both instructions specify, with different values."""
    kinds = [instruction.mma_kinds or tuple(filter(None, (instruction.mma_kind,))) for instruction in (old, new)]
    changes = [FieldChange(None, "mma_kind", *kinds)] if all(kinds) and set(kinds[0]).isdisjoint(kinds[1]) else []
    for key in _ATTRIBUTES:
        old_value, new_value = getattr(old, key), getattr(new, key)
        if old_value != new_value and None not in (old_value, new_value):
            changes.append(FieldChange(None, key, old_value, new_value))
    return tuple(changes)


class DescriptorChange(NamedTuple):
    """The change of one set of descriptors: ``changed``, ``appeared``, ``vanished``, or ``unclear``: the bits that are
    known in both are equal, but one has more known bits than the other, or an operand has none."""

    what: str
    old: MmaGroup | None
    new: MmaGroup | None
    fields: tuple[FieldChange, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        old, new = (group and group.to_dict() for group in (self.old, self.new))
        return {"change": self.what, "old": old, "new": new, "fields": [field.to_dict() for field in self.fields]}


class FunctionComparison(NamedTuple):
    """A function of both scans; None for a scan that does not have it."""

    old: ScannedFunction | None
    new: ScannedFunction | None
    changes: tuple[DescriptorChange, ...]

    @property
    def differs(self) -> bool:
        """Whether a descriptor changed, appeared or vanished."""
        return any(change.what != UNCLEAR for change in self.changes)

    @property
    def clear(self) -> bool:
        """Whether everything could be compared."""
        return all(change.what != UNCLEAR for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        there = self.new or self.old
        if self.old is None or self.new is None:
            status = "only_new" if self.old is None else "only_old"
        else:
            status = "changed" if self.differs else "same" if self.clear else "unclear"
        return {
            "function": there and there.name,
            "status": status,
            "old": self.old and self.old.to_dict(),
            "new": self.new and self.new.to_dict(),
            "changes": [change.to_dict() for change in self.changes],
        }


def scanned_function(file: str, function: Function, used: tuple[MmaGroup, ...] = ()) -> ScannedFunction:
    """Return a function for comparison; ``used`` is the result of :func:`used_in`."""
    return ScannedFunction(
        function.within(file), function.name, function.line, function.mmas[0].arch, len(function.mmas), used
    )


def used_in(function: Function, judge: Judge, choice: Choice = WHOLE_DUMP) -> tuple[MmaGroup, ...]:
    """Return the distinct descriptors of a function."""
    return tuple(group_of(row, function.format) for row in fold(function, judge, choice))


def group_of(row: ReportRow, language: str) -> MmaGroup:
    """Return the descriptors of a row of a function in a language."""
    operands = tuple(_bits(getattr(row.judged, name)) for name in OPERANDS)
    first = row.mmas[0]
    idle = tuple(_idle(row, name) for name in OPERANDS)
    return MmaGroup(row.mnemonic, first.instruction, operands, first.line, len(row.mmas), language, idle)


def _idle(row: ReportRow, name: str) -> tuple[str, ...]:
    result = getattr(row.judged, name)
    if result is None or name not in ("a", "b"):
        return ()
    return without_effect(result.candidates[0].fields, row.judged.context(name))


def _bits(result: Result | None) -> DescriptorBits | None:
    if result is None:
        return None
    kind = result.candidates[0].kind
    return DescriptorBits(kind, result.value & compared_bits(kind), result.known & compared_bits(kind))


def compare_functions(old: Iterable[ScannedFunction], new: Iterable[ScannedFunction]) -> Iterator[FunctionComparison]:
    """Yield a comparison for every function of the new scan, in order, then for those that only the old one has."""
    before, after = list(old), list(new)
    partner = match(before, after)
    for number, place in enumerate(after):
        earlier = before[partner[number]] if number in partner else None
        yield FunctionComparison(earlier, place, tuple(_changes(() if earlier is None else earlier.used, place.used)))
    taken = set(partner.values())
    for number, place in enumerate(before):
        if number not in taken:
            yield FunctionComparison(place, None, tuple(_changes(place.used, ())))


def match(old: Sequence[ScannedFunction], new: Sequence[ScannedFunction], renamed: bool = True) -> dict[int, int]:
    """Return the index of the old function for the index of each new one that has a partner.

    Functions are matched by name and architecture; then by name; then by the name without the hashes that a compiler
    adds; then without namespaces, those with the same descriptors first. If one function is left on each side, these
    two are matched (not ``renamed``: only if they are the only functions).
    """
    partner: dict[int, int] = {}
    free = set(range(len(old)))
    for key in _KEYS:
        waiting: dict[object, deque[int]] = {}
        for number in sorted(free):
            waiting.setdefault(key(old[number]), deque()).append(number)
        for number, place in enumerate(new):
            if number not in partner and (mine := waiting.get(key(place))):
                partner[number] = mine.popleft()
        free -= set(partner.values())
    left = [number for number in range(len(new)) if number not in partner]
    if len(left) == len(free) == 1 and (renamed or len(old) == len(new) == 1):
        partner[left[0]] = free.pop()
    return partner


_HASH = re.compile(r"(?<![0-9a-zA-Z])(?=[a-f]*[0-9])[0-9a-f]{7,}(?![0-9a-zA-Z])|\.llvm\.[0-9]+")


def _unhashed(place: ScannedFunction) -> object:
    return None if place.name is None else _HASH.sub("#", place.name)


def _bare(place: ScannedFunction) -> object:
    return None if place.name is None else _HASH.sub("#", without_namespaces(place.name))


_KEYS: tuple[Callable[[ScannedFunction], object], ...] = (
    lambda place: (place.name, place.arch),
    lambda place: place.name,
    _unhashed,
    lambda place: (_bare(place), frozenset((used.mnemonic, used.operands) for used in place.used)),
    _bare,
)


def _changes(old: Sequence[MmaGroup], new: Sequence[MmaGroup]) -> Iterator[DescriptorChange]:
    before, after = list(old), list(new)
    # Sets of the same instruction that are left after the exact matches have changed; they are paired in order.
    for test, what in ((_same, ""), (_agree, UNCLEAR), (_like, CHANGED), (_related, CHANGED)):
        for mine in list(after):
            earlier = next((group for group in before if test(group, mine)), None)
            if earlier is not None:
                before.remove(earlier)
                after.remove(mine)
                if what:
                    yield DescriptorChange(what, earlier, mine, tuple(_fields(earlier, mine, what == UNCLEAR)))
    yield from (DescriptorChange(APPEARED, None, group) for group in after)
    yield from (DescriptorChange(VANISHED, group, None) for group in before)


def _same(old: MmaGroup, new: MmaGroup) -> bool:
    """Whether two groups have equal descriptors, with the same known bits and at least one in each."""
    both = [(a, b) for a, b in zip(old.operands, new.operands, strict=True) if a is not None and b is not None]
    return _agree(old, new) and all(a.known and a.known == b.known for a, b in both)


def _agree(old: MmaGroup, new: MmaGroup) -> bool:
    """Whether all bits that are known in both groups are equal."""
    if not _alike(old, new):
        return False
    exact = old.format == new.format  # SASS does not specify all of an MMA's kind
    for a, b in zip(old.operands, new.operands, strict=True):
        if a is None or b is None:
            # ptxas -O0 writes a missing mask as zeros.
            mask = a or b
            if mask is not None and (mask.kind.name != "mask" or not mask.whole or mask.bits):
                return False
        elif a.kind.name != b.kind.name or (exact and a.kind != b.kind) or (a.bits ^ b.bits) & a.known & b.known:
            return False
    return True


def _alike(old: MmaGroup, new: MmaGroup) -> bool:
    """Whether it is the same instruction."""
    if old.format == new.format:
        return old.mnemonic == new.mnemonic
    return not attributes(old.instruction, new.instruction)


def changed_fields(old: MmaGroup, new: MmaGroup) -> tuple[FieldChange, ...]:
    """Return what is known of both groups and differs, in the instruction and in the descriptors of both."""
    return (*attributes(old.instruction, new.instruction), *_fields(old, new))


def has_effect(change: FieldChange, old: MmaGroup, new: MmaGroup) -> bool:
    """Whether a field that differs has an effect in one of the two groups."""
    if change.operand is None:
        return True
    place = OPERANDS.index(change.operand)
    return change.key not in old.idle[place] or change.key not in new.idle[place]


def _like(old: MmaGroup, new: MmaGroup) -> bool:
    return _alike(old, new) and old.instruction.family == new.instruction.family


def _related(old: MmaGroup, new: MmaGroup) -> bool:
    """Whether it is the same sort of instruction, of another shape or type."""
    if old.format == new.format and old.mnemonic.partition(".")[0] != new.mnemonic.partition(".")[0]:
        return False
    return old.instruction.family == new.instruction.family


def _fields(old: MmaGroup, new: MmaGroup, partly: bool = False) -> Iterator[FieldChange]:
    """Yield the fields that differ; ``partly``: the fields whose known bits differ."""
    for name, a, b in zip(OPERANDS, old.operands, new.operands, strict=True):
        if a is not None and b is not None and a.kind.name == b.kind.name:
            yield from differing(name, a, b, partly)


def differing(operand: str, old: DescriptorBits, new: DescriptorBits, partly: bool = False) -> Iterator[FieldChange]:
    """Yield the fields of two descriptors that differ; ``partly``: the fields whose known bits differ."""
    after = new.read()
    for key, reading in old.read().items():
        if key not in after:
            continue
        differs = bool((reading.bits ^ after[key].bits) & reading.known & after[key].known)
        if partly:
            differs = reading.known != after[key].known and not reading.field.constant
        if differs:
            yield FieldChange(operand, key, reading, after[key])
