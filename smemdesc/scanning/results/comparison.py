"""Compares two scans, function by function: which descriptors changed, appeared and vanished.

The distinct sets of descriptors of a function are compared, without start addresses: instructions that only moved, or
are repeated more often, are not a change. Two languages spell an instruction differently: then its shape, types and so
on are compared, as far as both specify them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.readings import bare_value
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import FieldReading
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.strides import NICK, without_effect
from smemdesc.scanning.inputs.files import ChunkResult
from smemdesc.scanning.model import DescriptorBits, Function, MapChange, ScannedOperand, TextValue, compared_bits
from smemdesc.scanning.results.pairing import Feature, Signature, bare_name, pair_kernels, unhashed_name
from smemdesc.scanning.results.report import ReportRow, fold
from smemdesc.scanning.results.selection import WHOLE_DUMP, Choice

CHANGED, APPEARED, VANISHED, UNCLEAR = "changed", "appeared", "vanished", "unclear"
WITHOUT_EFFECT, AMBIGUOUS_FUNCTIONS = "without_effect", "ambiguous"
STAGES = ("MLIR", "LLVM IR", "PTX", "SASS")
"""The forms of a kernel in the order in which a compiler writes them."""
ENDINGS = (".cubin", ".sass", ".ptx", ".llir", ".ll", ".ttgir", ".mlir")
"""The endings of the files of the forms, the last stage first."""


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
    path: str = ""
    """Its file within the named folder; empty if the file itself was named."""
    sources: tuple[int, ...] = ()
    """The lines of the source that its instructions are from."""
    maps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What it writes into each field of tensor maps, in words (:func:`written_to_maps`)."""
    format: str = ""
    """Its language."""

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

    @property
    def has_effect(self) -> bool:
        """Whether anything appeared, vanished, or changed in a field that an operand uses."""
        if self.old is None or self.new is None or self.what != CHANGED:
            return self.what != UNCLEAR
        if not self.fields or self.old.mnemonic != self.new.mnemonic:
            return True
        return any(has_effect(field, self.old, self.new) for field in self.fields)

    @property
    def form(self) -> str:
        """The language of the form that changed."""
        there = self.new or self.old
        return there.format if there else ""

    def to_dict(self) -> dict[str, Any]:
        old, new = (group and group.to_dict() for group in (self.old, self.new))
        fields = [field.to_dict() for field in self.fields]
        return {"change": self.what, "effect": self.has_effect, "old": old, "new": new, "fields": fields}


class MapFieldChange(NamedTuple):
    """A field of tensor maps with other values in the new build: all that a function writes into it, in words."""

    field: str
    old: tuple[str, ...]
    new: tuple[str, ...]

    def __str__(self) -> str:
        return f"tensor map {self.field} {' and '.join(self.old)} -> {' and '.join(self.new)}"

    def to_dict(self) -> dict[str, Any]:
        return {"field": self.field, "old": list(self.old), "new": list(self.new)}


class FunctionComparison(NamedTuple):
    """A function of both scans; None for a scan that does not have it."""

    old: ScannedFunction | None
    new: ScannedFunction | None
    changes: tuple[DescriptorChange, ...]
    maps: tuple[MapFieldChange, ...] = ()
    ambiguous: tuple[tuple[ScannedFunction, ...], tuple[ScannedFunction, ...]] = ((), ())
    """Functions of both scans of which it is not clear which belong together; then nothing is compared."""

    @property
    def is_ambiguous(self) -> bool:
        """Whether it stands for functions of which it is not clear which belong together."""
        return any(self.ambiguous)

    @property
    def name(self) -> str | None:
        """The name in the new scan; in the old one if only that has it."""
        there = self.new or self.old or next(iter((*self.ambiguous[1], *self.ambiguous[0])), None)
        return there and there.name

    @property
    def differs(self) -> bool:
        """Whether a descriptor changed with an effect, appeared or vanished, or a tensor map changed."""
        return bool(self.maps) or any(change.has_effect for change in self.changes)

    @property
    def clear(self) -> bool:
        """Whether everything could be compared, and nothing changed, with an effect or without."""
        return not self.is_ambiguous and not self.changes

    @property
    def status(self) -> str:
        """``same``, ``changed``, ``without_effect``, ``unclear``, ``ambiguous``, ``only_old`` or ``only_new``."""
        if self.is_ambiguous:
            return AMBIGUOUS_FUNCTIONS
        if self.old is None or self.new is None:
            return "only_new" if self.old is None else "only_old"
        if self.differs:
            return CHANGED
        if any(change.what == CHANGED for change in self.changes):
            return WITHOUT_EFFECT
        return UNCLEAR if self.changes else "same"

    def to_dict(self) -> dict[str, Any]:
        out = {
            "function": self.name,
            "status": self.status,
            "old": self.old and self.old.to_dict(),
            "new": self.new and self.new.to_dict(),
            "changes": [change.to_dict() for change in self.changes],
        }
        if self.maps:
            out["tensor_maps"] = [change.to_dict() for change in self.maps]
        if self.is_ambiguous:
            sides = zip(("old", "new"), self.ambiguous, strict=True)
            out["ambiguous"] = {side: [place.to_dict() for place in places] for side, places in sides}
        return out


def scanned_function(file: str, function: Function, used: tuple[MmaGroup, ...] = (), path: str = "") -> ScannedFunction:
    """Return a function for comparison; ``used`` is the result of :func:`used_in`."""
    first = function.mmas[0]
    sources = tuple(sorted({mma.source[1] for mma in function.mmas if mma.source}))
    place = (function.within(file), function.name, function.line, first.arch, len(function.mmas))
    return ScannedFunction(*place, used, path, sources, (), function.format)


def as_written(function: Function) -> Function:
    """Return a function of MLIR without the version of its descriptors: the text does not say it, and Triton before 3.4
    wrote another one than later."""
    if function.format != STAGES[0]:
        return function
    version = kind_of("tcgen05").table.masks["version"]

    def without(operand: ScannedOperand | None) -> ScannedOperand | None:
        return operand and operand._replace(bits=operand.bits & ~version, known=operand.known & ~version)

    mmas = (
        mma._replace(a=without(mma.a), b=without(mma.b)) if mma.instruction.family == "tcgen05" else mma
        for mma in function.mmas
    )
    return function._replace(mmas=tuple(mmas))


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
    """Yield a comparison for every kernel of the new scan, in order, then for those that only the old one has, then for
    those of which it is not clear which belong together. The forms of a kernel are one."""
    before, after = _kernels(old), _kernels(new)
    pairs = pair_kernels([_signature(forms) for forms in before], [_signature(forms) for forms in after])
    unclear_old = {number for numbers, _ in pairs.ambiguous for number in numbers}
    unclear_new = {number for _, numbers in pairs.ambiguous for number in numbers}
    for number, forms in enumerate(after):
        if number in pairs.partner:
            yield _compare_forms(before[pairs.partner[number]], forms)
        elif number not in unclear_new:
            yield FunctionComparison(None, forms[0], tuple(_changes((), forms[0].used)))
    taken = set(pairs.partner.values())
    for number, forms in enumerate(before):
        if number not in taken and number not in unclear_old:
            yield FunctionComparison(forms[0], None, tuple(_changes(forms[0].used, ())))
    for old_numbers, new_numbers in pairs.ambiguous:
        sides = (tuple(before[one][0] for one in old_numbers), tuple(after[one][0] for one in new_numbers))
        yield FunctionComparison(None, None, (), ambiguous=sides)


_FormsOfKernel = tuple[ScannedFunction, ...]


def _kernels(functions: Iterable[ScannedFunction]) -> list[_FormsOfKernel]:
    """Return the functions with the forms of one kernel together, the last stage first."""
    kernels: dict[tuple[str, str | None], list[ScannedFunction]] = {}
    out: list[_FormsOfKernel] = []
    for function in functions:
        root, ending = os.path.splitext(function.path)
        if ending not in ENDINGS:
            out.append((function,))
            continue
        kernels.setdefault((root, function.name), []).append(function)
    for forms in kernels.values():
        if len({form.format for form in forms}) == len(forms):
            out.append(tuple(sorted(forms, key=lambda form: -_stage(form))))
        else:
            out += [(form,) for form in forms]
    return out


def _stage(function: ScannedFunction) -> int:
    return STAGES.index(function.format) if function.format in STAGES else 0


def _signature(forms: _FormsOfKernel) -> Signature:
    first = forms[0]
    root, ending = os.path.splitext(first.path)
    mmas = [(group, group.instruction) for group in first.used]
    sort = frozenset((of.family, of.a_type, of.b_type, of.d_type, of.a_from, of.sparse) for _, of in mmas)
    features = {Feature(4, ("arch", first.arch)), Feature(2, ("count", first.times))}
    features.update(Feature(6, ("shape", of.m, of.n, of.k, of.a_major, of.b_major)) for _, of in mmas)
    features.update(Feature(3, ("source", line)) for line in first.sources)
    features.update(Feature(2, ("map", *item)) for item in first.maps)
    for group, _ in mmas:
        features.add(Feature(1, ("group", group.mnemonic, group.times)))
        for name, bits in zip(OPERANDS, group.operands, strict=True):
            fields = bits.read() if bits is not None else {}
            features.update(Feature(0.5, (name, key, of.raw)) for key, of in fields.items() if of.complete)
    return Signature(root if ending in ENDINGS else first.path, first.name, first.arch, sort, frozenset(features))


def _compare_forms(old: _FormsOfKernel, new: _FormsOfKernel) -> FunctionComparison:
    """Compare the forms that both have, the last stage first; a change that is in several is one."""
    both = [(a, b) for b in new for a in old if a.format == b.format] or [(old[0], new[0])]
    changes: dict[object, DescriptorChange] = {}
    maps: dict[str, MapFieldChange] = {}
    for a, b in both:
        for change in _changes(a.used, b.used):
            key = change.what, tuple((field.operand, field.key, field.texts) for field in change.fields)
            if change.fields and key in changes and changes[key].form != change.form:
                continue
            changes[key if change.fields else change] = change
        for field in changed_maps(a, b):
            maps.setdefault(field.field, field)
    return FunctionComparison(*both[0], tuple(changes.values()), tuple(maps.values()))


def written_to_maps(changes: Iterable[MapChange]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what is written into each field of tensor maps, in words; not the addresses, and nothing unknown."""
    values: dict[str, set[str]] = {}
    unknown: set[str] = set()
    for change in changes:
        if not change.reads and change.field != "global_address":
            values.setdefault(change.place, set()).add(change.says)
            unknown.update({change.place} if change.value is None else ())
    return _in_order({place: several for place, several in values.items() if place not in unknown})


def fields_of_maps(values: Iterable[TextValue]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what tensor maps in a text have in each field, in words; not the addresses, and nothing unknown."""
    several: dict[str, set[str]] = {}
    for value in values:
        for key, reading in value.result.candidates[0].fields.items():
            if reading.complete and key != "global_address":
                several.setdefault(key, set()).add(field_text(reading))
    return _in_order(several)


def _in_order(values: Mapping[str, Iterable[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((field, tuple(sorted(several))) for field, several in values.items())


def changed_maps(old: ScannedFunction, new: ScannedFunction) -> Iterator[MapFieldChange]:
    """Yield the fields of tensor maps that both have, and not with the same values."""
    before, after = dict(old.maps), dict(new.maps)
    for field, values in before.items():
        if field in after and after[field] != values:
            yield MapFieldChange(field, values, after[field])


class ScannedSide:
    """The functions of one of two scans, and the tensor maps that they change or that a text has."""

    def __init__(self, within: str, judge: Judge, choice: Choice) -> None:
        """``within``: the file or the folder that was named."""
        self._within, self._judge, self._choice = within, judge, choice
        self._functions: list[ScannedFunction] = []
        self._maps: dict[tuple[str, str | None], list[MapChange]] = {}
        self._values: dict[str, list[TextValue]] = {}

    def add(self, file: str, function: Function) -> None:
        """Add a function of a file."""
        used = used_in(function, self._judge, self._choice)
        self._functions.append(scanned_function(file, function, used, self._path(file)))

    def add_maps(self, result: ChunkResult) -> None:
        """Add the tensor maps of a stretch of a file."""
        for change in result.part.maps:
            self._maps.setdefault((result.name, change.function), []).append(change)
        maps = [value for value in result.part.values if any(each.kind == "tensormap" for each in value.readings)]
        if maps:
            self._values.setdefault(result.name, []).extend(maps)

    def _path(self, file: str) -> str:
        return file.removeprefix(self._within).lstrip("/:")

    @property
    def functions(self) -> list[ScannedFunction]:
        """The functions, those without tensor-core instructions last, and each text with tensor maps as one."""
        left = dict(self._maps)
        out = []
        for function in self._functions:
            changes = left.pop((function.file, function.name), ())
            out.append(function._replace(maps=written_to_maps(changes)))
        for (file, name), changes in left.items():
            place = (file, name, changes[0].line, None, 0, (), self._path(file), ())
            out.append(ScannedFunction(*place, written_to_maps(changes)))
        for file, values in self._values.items():
            place = (file, None, values[0].line, None, 0, (), self._path(file), ())
            out.append(ScannedFunction(*place, fields_of_maps(values)))
        return out


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


_KEYS: tuple[Callable[[ScannedFunction], object], ...] = (
    lambda place: (place.name, place.arch),
    lambda place: place.name,
    lambda place: unhashed_name(place.name),
    lambda place: (bare_name(place.name), frozenset((used.mnemonic, used.operands) for used in place.used)),
    lambda place: bare_name(place.name),
)


def _changes(old: Sequence[MmaGroup], new: Sequence[MmaGroup]) -> Iterator[DescriptorChange]:
    before, after = list(old), list(new)
    # Sets of the same instruction that are left after the exact matches have changed; the nearest are paired.
    for test, what in ((_same, ""), (_agree, UNCLEAR), (_like, CHANGED), (_related, CHANGED)):
        for mine in list(after):
            like = [group for group in before if test(group, mine)]
            earlier = min(like, key=lambda group: len(changed_fields(group, mine)), default=None)
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
