"""Compares the MMAs of two forms of a kernel, as PTX and its machine code: whether the compiler kept every descriptor.

Each MMA of the later form, the target, is aligned with one of the earlier form, the source, function by function; in a
pair, all bits known on both sides must be equal. ptxas repeats MMAs (unrolled loops), merges equal ends of branches,
moves blocks, inserts an empty wgmma to end a group and omits code that never runs. It does not change the order within
a block.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, starmap
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import many
from smemdesc.instructions.mma import mma_kinds
from smemdesc.instructions.model import OPERANDS, Mma
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.reading.text import VALUE_BITS
from smemdesc.scanning.inputs.files import ChunkResult
from smemdesc.scanning.model import DescriptorBits, Function, MapChange, ScannedMma, ScannedOperand
from smemdesc.scanning.results.alignment import BACK, MISMATCH, MISSING, SPLIT, SourceBlocks, align, disorder
from smemdesc.scanning.results.comparison import (
    STAGES,
    FieldChange,
    MapFieldChange,
    ScannedFunction,
    as_written,
    attributes,
    changed_maps,
    differing,
    match,
    scanned_function,
    written_to_maps,
)
from smemdesc.scanning.results.selection import belongs

KEYS_OF_FORMS = {"MLIR": "mlir", "LLVM IR": "llvm", "PTX": "ptx", "SASS": "sass"}
"""The keys of JSON for the forms."""
AGREES, DIFFERS, ADDED, ONLY_SOURCE, ONLY_TARGET = "agrees", "differs", "added", "only_source", "only_target"


class CompiledFunction(NamedTuple):
    """A function of the PTX or of the machine code."""

    place: ScannedFunction
    function: Function
    kernel: str = ""
    """A key that the files of one kernel share; only functions with the same key are compared."""


class MmaPair(NamedTuple):
    """An MMA of the earlier form and the MMA that it was compiled to; None if there is no such MMA."""

    status: str
    """``agrees``, ``differs``, ``added`` (an empty wgmma of ptxas), ``only_source``."""
    source: ScannedMma | None
    target: ScannedMma | None
    operands: tuple[tuple[DescriptorBits, DescriptorBits] | None, ...] = (None,) * len(OPERANDS)
    """A, B, instruction descriptor and mask, of both."""
    fields: tuple[FieldChange, ...] = ()
    """The fields and the attributes of the instructions that differ."""
    function: str | None = None
    """The function of the earlier form that this MMA was inlined from; None if it was not inlined."""

    def to_dict(self, keys: tuple[str, str] = ("ptx", "sass")) -> dict[str, Any]:
        """Return the JSON object; ``keys``: those of the two forms."""
        earlier, later = keys
        return {
            "status": f"only_{earlier}" if self.status == ONLY_SOURCE else self.status,
            earlier: self.source and {**self._side(self.source, 0), "function": self.function},
            later: self.target and {**self._side(self.target, 1), "offset": self.target.offset},
            "differences": [
                {"operand": change["operand"], "field": change["field"], earlier: change["old"], later: change["new"]}
                for change in map(FieldChange.to_dict, self.fields)
            ],
        }

    def _side(self, mma: ScannedMma, side: int) -> dict[str, Any]:
        operands = {name: pair and pair[side].to_dict() for name, pair in zip(OPERANDS, self.operands, strict=True)}
        return {"line": mma.line, "instruction": mma.text, **operands}


class Turned(NamedTuple):
    """The lines of two successive MMAs of the later form; in the earlier one the second comes before the first."""

    source: tuple[int, int]
    target: tuple[int, int]

    def to_dict(self, keys: tuple[str, str] = ("ptx", "sass")) -> dict[str, Any]:
        """Return the JSON object; ``keys``: those of the two forms."""
        return dict(zip(keys, (list(self.source), list(self.target)), strict=True))


class UnknownField(NamedTuple):
    """A field that is not completely known on both sides, and the number of MMAs with it."""

    operand: str
    key: str
    sides: tuple[str, ...]
    """The forms in which bits of it are unknown, by their keys: ``ptx``, ``sass``."""
    times: int

    def to_dict(self) -> dict[str, Any]:
        return {"operand": self.operand, "field": self.key, "not_known_in": list(self.sides), "count": self.times}


class FunctionPair(NamedTuple):
    """A function of two forms; None for a form that does not have it."""

    source: CompiledFunction | None
    target: CompiledFunction | None
    entries: tuple[MmaPair, ...] = ()
    order: tuple[Turned, ...] = ()
    """Pairs of MMAs of one block of the earlier form that are in reverse order in the later one."""
    forms: tuple[str, str] = ("PTX", "SASS")
    """The languages of the two forms."""
    maps: tuple[MapFieldChange, ...] = ()
    """Fields of tensor maps into which the two forms write other values."""

    @property
    def keys(self) -> tuple[str, str]:
        """The keys of the two forms in JSON."""
        earlier, later = (KEYS_OF_FORMS[form] for form in self.forms)
        return earlier, later

    @property
    def name(self) -> str | None:
        """The function's name in the later form; in the earlier one if only that has it."""
        there = self.target or self.source
        return there.function.name if there else None

    @property
    def differs(self) -> bool:
        """Whether anything that is known on both sides differs."""
        return bool(self.order or self.maps) or any(entry.status == DIFFERS for entry in self.entries)

    @property
    def lost(self) -> int:
        """The number of MMAs of the earlier form that the later one lacks."""
        return sum(entry.status == ONLY_SOURCE for entry in self.entries)

    @property
    def whole(self) -> bool:
        """Whether every MMA has a partner."""
        return None not in (self.source, self.target) and not self.lost

    @property
    def status(self) -> str:
        """``agrees``, ``differs``, ``only_source`` or ``only_target``."""
        if self.source is None or self.target is None:
            return ONLY_TARGET if self.source is None else ONLY_SOURCE
        return DIFFERS if self.differs else AGREES

    @property
    def bits(self) -> tuple[int, int]:
        """The number of descriptor bits that are known on both sides, and of all descriptor bits."""
        both = [operand for entry in self.entries for operand in entry.operands if operand is not None]
        known = sum((source.known & target.known).bit_count() for source, target in both)
        return known, sum(source.kind.table.width for source, _ in both)

    @property
    def unknown(self) -> tuple[UnknownField, ...]:
        """The fields that cannot be compared, without those that have a constant value."""
        counts: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        for entry in self.entries:
            for name, operand in zip(OPERANDS, entry.operands, strict=True):
                for key, mask in () if operand is None else operand[0].kind.table.masks.items():
                    sides = tuple(
                        side for side, bits in zip(self.keys, operand or (), strict=True) if mask & ~bits.known
                    )
                    if sides and not (operand and mask & operand[0].kind.table.must_mask):
                        counts[name, key, sides] += 1
        return tuple(UnknownField(*key, count) for key, count in counts.items())

    def to_dict(self) -> dict[str, Any]:
        known, total = self.bits
        earlier, later = self.keys
        status = {ONLY_SOURCE: f"only_{earlier}", ONLY_TARGET: f"only_{later}"}.get(self.status, self.status)
        out = {
            "function": self.name,
            "status": status,
            earlier: self.source and self.source.place.to_dict(),
            later: self.target and self.target.place.to_dict(),
            "bits": {"compared": known, "of": total},
            "mmas": [entry.to_dict(self.keys) for entry in self.entries],
            "order": [turned.to_dict(self.keys) for turned in self.order],
            "not_compared": [field.to_dict() for field in self.unknown],
        }
        return out | ({"tensor_maps": [field.to_dict() for field in self.maps]} if self.maps else {})


@shown()
class Agreement(NamedTuple):
    """The comparison of two forms of kernels, function by function."""

    pairs: tuple[FunctionPair, ...]
    failed: tuple[tuple[int, str], ...] = ()
    """Code that could not be scanned: its line (0 if unknown) and the reason."""

    @property
    def compared(self) -> bool:
        """Whether any function is in both."""
        return any(pair.source and pair.target for pair in self.pairs)

    @property
    def ok(self) -> bool:
        """Whether everything was read, a function is in both, the later form has all MMAs of the earlier one, and all
        that is known on both sides is equal."""
        return self.compared and not self.failed and not any(pair.differs or pair.lost for pair in self.pairs)

    @property
    def whole(self) -> bool:
        """Whether every function and every MMA has a partner."""
        return all(pair.whole for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON: ``functions`` has what ``scan --agree --json`` prints in one line each."""
        functions = [pair.to_dict() for pair in self.pairs]
        return {"ok": self.ok, "functions": functions, "failed": [list(failure) for failure in self.failed]}

    def __str__(self) -> str:
        both = sum(pair.source is not None and pair.target is not None for pair in self.pairs)
        differ, lost = sum(pair.differs for pair in self.pairs), sum(pair.lost for pair in self.pairs)
        out = [f"{many(both, 'function')} in both, {differ or 'none'} that differ{'s' if differ == 1 else ''}"]
        earlier = " or ".join(dict.fromkeys(pair.forms[0] for pair in self.pairs if pair.lost))
        out += [f"{many(lost, 'MMA')} only in the {earlier}"] if lost else []
        out += [many(len(self.failed), "problem")] if self.failed else []
        return "; ".join(out)


def compare_codes(codes: Iterable[CompiledFunction]) -> Agreement:
    """Compare the functions of each form of a kernel with those of the form before it.

    One function of PTX may be compiled for several architectures of its family.
    """
    kernels: dict[str, dict[str, list[CompiledFunction]]] = {}
    for code in codes:
        kernels.setdefault(code.kernel, {}).setdefault(code.function.format, []).append(code)
    return Agreement(
        tuple(
            pair
            for by_form in kernels.values()
            for earlier, later in _compared_forms(by_form)
            for pair in _pairs(by_form.get(earlier, []), by_form.get(later, []), (earlier, later))
        )
    )


def _compared_forms(forms: Iterable[str]) -> list[tuple[str, str]]:
    """Return the forms to compare: each with the next one; one alone with what it is compiled to, or from."""
    stages = [stage for stage in STAGES if stage in forms]
    if len(stages) == 1:
        at = min(STAGES.index(stages[0]), len(STAGES) - 2)
        return [(STAGES[at], STAGES[at + 1])]
    return list(pairwise(stages))


class CompiledSide:
    """The functions of one of the inputs."""

    def __init__(self, within: str) -> None:
        """``within``: the file or the folder that was named."""
        self._within = within
        self._codes: list[CompiledFunction] = []
        self._maps: dict[tuple[str, str | None], list[MapChange]] = {}

    def add(self, file: str, function: Function) -> None:
        """Add a function of a file."""
        self._codes.append(code_of(self._within, file, function))

    def add_maps(self, result: ChunkResult) -> None:
        """Add the tensor maps of a stretch of a file."""
        for change in result.part.maps:
            self._maps.setdefault((result.name, change.function), []).append(change)

    @property
    def functions(self) -> list[CompiledFunction]:
        """The functions, each with what it writes into tensor maps."""
        out = []
        for code in self._codes:
            maps = written_to_maps(self._maps.get((code.place.file, code.function.name), ()))
            out.append(code._replace(place=code.place._replace(maps=maps)))
        return out


def code_of(path: str, file: str, function: Function) -> CompiledFunction:
    """Return a function of a file; ``path`` is the named input: the file itself, or a folder that contains it.

    In a folder, files with the same name without suffix belong to one kernel. Accesses of tensor memory are left out:
    only those with a wrong address are known, which may be known in one language only.
    """
    mmas = tuple([mma for mma in function.mmas if mma.instruction.accessed is None])
    function = as_written(function._replace(mmas=mmas or function.mmas))
    kernel = os.path.splitext(os.path.relpath(file, path))[0] if os.path.isdir(path) else ""
    return CompiledFunction(scanned_function(file, function), function, kernel)


def missing_language(sides: Sequence[Sequence[CompiledFunction]]) -> SmemdescError | None:
    """Return an error if all functions are in one language, else None."""
    languages = {code.function.format for codes in sides for code in codes}
    if len(languages) != 1 or not all(sides):
        return None
    (language,) = languages
    message = f"all MMAs are in {language}: there is no other form to compare with"
    if len(sides) > 1:
        return SmemdescError(message, hint="two builds are compared by smemdesc diff OLD NEW")
    return SmemdescError(message, hint="give two forms, as kernel.ptx and kernel.cubin")


def _pairs(
    source: Sequence[CompiledFunction], target: Sequence[CompiledFunction], forms: tuple[str, str]
) -> Iterator[FunctionPair]:
    """Yield each function of the later form with that it was compiled from, then what of the earlier form is left."""
    candidates = list(_candidates(source, target))
    used = {id(one) for _, sources, _ in candidates for one in sources}
    left = [one for one in source if id(one) not in used]
    inlined: set[tuple[str | None, int]] = set()
    for code, sources, is_extra in candidates:
        pair = _best(code, sources, left, is_extra)
        inlined.update((entry.function, entry.source.line) for entry in pair.entries if entry.source and entry.function)
        both = pair.source is not None and pair.target is not None
        maps = tuple(changed_maps(pair.source.place, code.place)) if both and pair.source is not None else ()
        yield pair._replace(forms=forms, maps=maps)
    for one in left:
        if any((one.function.name, mma.line) not in inlined for mma in one.function.mmas):
            yield FunctionPair(one, None, forms=forms)


def _candidates(
    ptx: Sequence[CompiledFunction], sass: Sequence[CompiledFunction]
) -> Iterator[tuple[CompiledFunction, list[CompiledFunction], bool]]:
    """Yield each function of machine code with the functions of PTX that it may have been compiled from, the likeliest
    first, and whether more machine code than PTX has its name."""
    groups: dict[tuple[str, str | None], list[CompiledFunction]] = {}
    for code in sass:
        groups.setdefault((code.place.file, code.place.arch), []).append(code)
    for (_, arch), group in groups.items():
        fitting = [
            source for source in ptx if arch is None or source.place.arch is None or belongs(arch, source.place.arch)
        ]
        partner = match([code.place for code in fitting], [code.place for code in group], renamed=False)
        names = Counter(code.function.name for code in group)
        names.subtract(source.function.name for source in fitting)
        for number, code in enumerate(group):
            # Functions with the same name are from several files, or copies for several architectures of a family.
            first = fitting[partner[number]] if number in partner else None
            sources = [source for source in fitting if source is first or source.function.name == code.function.name]
            sources.sort(key=lambda source: source is not first)
            yield code, sources, names[code.function.name] > 0


def _best(
    sass: CompiledFunction, sources: Sequence[CompiledFunction], inlinable: Sequence[CompiledFunction], is_extra: bool
) -> FunctionPair:
    """Pair machine code with the first function of PTX that agrees with it, else with the first one.

    ``sources``: the functions from which it may have been compiled, judged by names; ``inlinable``: functions that may
    have been inlined into it. ``is_extra``: more machine code than PTX has this name; then machine code that agrees
    with no source stays alone, since it was compiled from other PTX.
    """
    first = None
    for source in sources:
        pair = _pair(source, sass, inlinable)
        if not pair.differs:
            return pair
        first = first or pair
    return FunctionPair(None, sass) if first is None or is_extra else first


def _pair(ptx: CompiledFunction, sass: CompiledFunction, inlinable: Sequence[CompiledFunction]) -> FunctionPair:
    """Compare a function with its machine code; ``inlinable``: functions that may have been inlined into it."""
    source = _PtxMmas((mma, None) for mma in ptx.function.mmas)
    machine: list[ScannedMma] = []
    added: list[ScannedMma] = []
    for mma in sass.function.mmas:
        is_added = _is_empty(mma) and all(source.wrong(place, mma) for place in range(len(source.mmas)))
        (added if is_added else machine).append(mma)
    best = min(_explanations(source, machine), key=lambda explanation: explanation.cost)
    if best.cost and inlinable:
        inlined = [(mma, function.function.name) for function in inlinable for mma in function.function.mmas]
        with_inlined = _PtxMmas([*zip(source.mmas, source.functions, strict=True), *inlined])
        best = min((best, *_explanations(with_inlined, machine)), key=lambda explanation: explanation.cost)
    entries = (*best.entries, *(MmaPair(ADDED, None, mma) for mma in added))
    return FunctionPair(ptx, sass, entries, best.order)


def _is_empty(mma: ScannedMma) -> bool:
    """Whether it is the wgmma that ptxas inserts to end an empty group: m64n8k16, with descriptors of 0."""
    if (mma.instruction.family, mma.instruction.n, mma.instruction.a_type) != ("wgmma", 8, "f16"):
        return False
    return all(
        operand is not None and (operand.bits, operand.known) == (0, ones(VALUE_BITS)) for operand in (mma.a, mma.b)
    )


def guard_of(mma: ScannedMma) -> str:
    """Return the predicate of an MMA; empty if it has none."""
    return mma.text.split(" ", 1)[0] if mma.text.startswith("@") else ""


class _PtxMmas:
    """The MMAs of a function of PTX, for comparison with MMAs of machine code; equal pairs are compared once."""

    def __init__(self, mmas: Iterable[tuple[ScannedMma, str | None]]) -> None:
        """``mmas``: each with the function that it was inlined from, or None."""
        mmas_with_origin = list(mmas)
        self.mmas = [mma for mma, _ in mmas_with_origin]
        self.functions = [function for _, function in mmas_with_origin]
        self.walked = SourceBlocks(
            [
                (function, (at,) if mma.block is None else mma.block)  # of other forms than PTX no blocks are known
                for at, (mma, function) in enumerate(mmas_with_origin)
            ],
            [guard_of(mma) for mma, _ in mmas_with_origin],
        )
        self.own = [place for place, function in enumerate(self.functions) if function is None]
        self._numbers: dict[Mma, int] = {}
        self._models = [self._number(mma) for mma in self.mmas]
        self._compared_pairs: dict[tuple[int, int], MmaPair] = {}

    def _number(self, mma: ScannedMma) -> int:
        return self._numbers.setdefault(mma.model, len(self._numbers))

    def _compared(self, place: int, mma: ScannedMma) -> MmaPair:
        key = self._models[place], self._number(mma)
        pair = self._compared_pairs.get(key)
        if pair is None:
            pair = self._compared_pairs[key] = _compare(self.mmas[place], mma)
        return pair

    def entry(self, place: int, mma: ScannedMma) -> MmaPair:
        """Return the comparison of the MMA with index ``place`` and an MMA of the machine code."""
        return self._compared(place, mma)._replace(source=self.mmas[place], target=mma, function=self.functions[place])

    def wrong(self, place: int, mma: ScannedMma) -> int:
        """Return how much the two MMAs differ: 1 for each field, 3 for each attribute of the instruction."""
        return sum(3 if field.operand is None else 1 for field in self._compared(place, mma).fields)


class _Assignment(NamedTuple):
    """An assignment of the MMAs of the machine code to MMAs of the PTX, and the cost of its differences."""

    cost: int
    entries: tuple[MmaPair, ...]
    order: tuple[Turned, ...]


def _explanations(source: _PtxMmas, machine: Sequence[ScannedMma]) -> Iterator[_Assignment]:
    """Yield the assignment by position if the numbers of MMAs are equal; unless it is perfect, also cheapest walks."""
    if len(machine) == len(source.mmas):
        first = _explain(source, machine, range(len(machine)))
        yield first
        if not first.cost:
            return
    if machine:
        every = range(len(source.mmas))
        yield _explain(source, machine, _walk(source, machine, every))
        # An MMA that is nowhere in the machine code was changed or removed.
        there = [place for place in every if not all(source.wrong(place, mma) for mma in machine)]
        if 0 < len(there) < len(every):
            yield _explain(source, machine, _walk(source, machine, there))


def _walk(source: _PtxMmas, machine: Sequence[ScannedMma], places: Sequence[int]) -> list[int]:
    """Return the cheapest walk over some of the MMAs of the PTX."""
    blocks, guards = source.walked
    walked = SourceBlocks([blocks[place] for place in places], [guards[place] for place in places])
    guarded = [bool(guard_of(mma)) for mma in machine]
    return [
        places[index] for index in align(walked, guarded, lambda place, at: source.wrong(places[place], machine[at]))
    ]


def _explain(source: _PtxMmas, machine: Sequence[ScannedMma], walk: Sequence[int]) -> _Assignment:
    entries = [source.entry(place, mma) for place, mma in zip(walk, machine, strict=True)]
    cost = sum(MISMATCH + far for place, mma in zip(walk, machine, strict=True) if (far := source.wrong(place, mma)))
    back, splits = disorder(source.walked, [bool(guard_of(mma)) for mma in machine], walk)
    cost += SPLIT * splits
    blocks = source.walked.blocks
    for place in sorted(set(source.own) - set(walk)):
        # Equal ends of branches are merged; two MMAs of one block are not.
        apart = (mma for mma, walked_place in zip(machine, walk, strict=True) if blocks[walked_place] != blocks[place])
        merged = next((mma for mma in apart if not source.wrong(place, mma)), None)
        cost += MISSING * (merged is None or len(machine) >= len(source.own))
        entries.append(
            MmaPair(ONLY_SOURCE, source.mmas[place], None) if merged is None else source.entry(place, merged)
        )
    order = [
        Turned((source.mmas[walk[at]].line, source.mmas[walk[at + 1]].line), (machine[at].line, machine[at + 1].line))
        for at in back
    ]
    return _Assignment(cost + BACK * len(order), tuple(entries), tuple(order))


def _compare(ptx: ScannedMma, sass: ScannedMma) -> MmaPair:
    kinds = _kinds(ptx)
    operands = tuple(
        _both(getattr(ptx, name), getattr(sass, name), kind) for name, kind in zip(OPERANDS, kinds, strict=True)
    )
    both = [(name, *operand) for name, operand in zip(OPERANDS, operands, strict=True) if operand is not None]
    fields = [*attributes(ptx.instruction, sass.instruction), *chain.from_iterable(starmap(differing, both))]
    return MmaPair(DIFFERS if fields else AGREES, ptx, sass, operands, tuple(fields))


def _kinds(mma: ScannedMma) -> tuple[Kind | None, ...]:
    """Return the kinds of the descriptors of an MMA of PTX; machine code does not specify all of them."""
    matrix = kind_of("wgmma" if mma.instruction.family == "wgmma" else "tcgen05", arch=mma.arch)
    kinds = mma_kinds(mma.model)
    return matrix, matrix, kind_of("idesc", kinds[0], mma.arch) if kinds else None, kind_of("mask", arch=mma.arch)


def _both(
    ptx: ScannedOperand | None, sass: ScannedOperand | None, kind: Kind | None
) -> tuple[DescriptorBits, DescriptorBits] | None:
    """Return the bits of an operand on both sides; a missing mask is a mask of zeros, as ptxas -O0 writes it."""
    if kind is None or (ptx is None and sass is None):
        return None
    if kind.name != "mask" and (ptx is None or sass is None):
        return None
    full = kind.table.full
    ptx_bits, sass_bits = (
        (0, full) if operand is None else (operand.bits & full, operand.known & full) for operand in (ptx, sass)
    )
    return DescriptorBits(kind, *ptx_bits), DescriptorBits(kind, *sass_bits)
