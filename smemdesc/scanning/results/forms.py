"""One kernel in the forms that a compiler writes, as in Triton's cache: whether they agree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, permutations
from typing import NamedTuple

from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.rules.compiled_forms import FieldInForms, FormDifference
from smemdesc.scanning.inputs.files import OTHERS, ChunkResult
from smemdesc.scanning.model import FormContradiction, Forms, Function, KernelForm, Part
from smemdesc.scanning.results.comparison import (
    ENDINGS,
    STAGES,
    FieldChange,
    MmaGroup,
    as_written,
    changed_fields,
    group_of,
    has_effect,
    used_in,
)
from smemdesc.scanning.results.report import Tally, fold
from smemdesc.scanning.results.selection import Choice, belongs

_MOST_MMAS = 20_000
"""The most tensor-core instructions of the forms of one kernel that are kept to be compared."""


def kernel_of(path: str) -> str:
    """Return the path of a form's file without its ending; any other path unchanged."""
    root, ending = os.path.splitext(path)
    return root if ending in ENDINGS else path


class _FunctionPlace(NamedTuple):
    """A function in a list of results: the number of its result, and its number in that."""

    piece: int
    number: int


def compare_forms(pieces: Iterable[ChunkResult], judge: Judge) -> Iterator[ChunkResult]:
    """Yield the results with :attr:`smemdesc.scanning.model.ScannedMma.form_differences` set.

    The functions of one name in one text, and in neighboring files that differ only in their ending, are forms of one
    kernel, if they are in different languages.
    """
    waiting: list[ChunkResult] = []
    for piece in pieces:
        if waiting and kernel_of(waiting[-1].name) != kernel_of(piece.name):
            yield from _with_differences(waiting, judge)
            waiting.clear()
        if not _may_have_other_forms(piece.name):
            yield from _with_differences([piece], judge)  # it is shown before the next file is read
            continue
        waiting.append(piece)
        if sum(len(function.mmas) for waits in waiting for function in waits.part.functions) > _MOST_MMAS:
            yield from waiting
            waiting.clear()
    yield from _with_differences(waiting, judge)


def _may_have_other_forms(path: str) -> bool:
    """Whether other forms may follow a file: of a member of an archive, that is not known."""
    kernel = kernel_of(path)
    others = (kernel + ending for ending in ENDINGS if kernel + ending != path)
    return kernel != path and (not os.path.isfile(path) or any(map(os.path.exists, others)))


def differing_form(forms: Sequence[list[ChunkResult]], judge: Judge) -> list[ChunkResult]:
    """Return the first of the forms of a compiled kernel that contradicts an earlier one; else the first of all."""
    counts = [len(form) for form in forms]
    compared = iter(_with_differences([piece for form in forms for piece in form], judge))
    out = [list(islice(compared, count)) for count in counts]
    return next((form for form in out if any(map(_differs, form))), out[0])


def _differs(piece: ChunkResult) -> bool:
    return any(map(_contradicts, piece.part.functions))


def _contradicts(function: Function) -> bool:
    return any(mma.form_differences for mma in function.mmas)


def _with_differences(pieces: Sequence[ChunkResult], judge: Judge) -> list[ChunkResult]:
    """Compare each function with those of its name in earlier forms, the latest of them first."""
    named: dict[str | None, dict[str, list[_FunctionPlace]]] = {}
    for number, piece in enumerate(pieces):
        for index, function in enumerate(piece.part.functions):
            named.setdefault(function.name, {}).setdefault(function.format, []).append(_FunctionPlace(number, index))
    out = list(pieces)
    for places in named.values():
        stages = [stage for stage in STAGES if stage in places]
        for count, stage in enumerate(stages[1:], 1):
            for place in places[stage]:
                function = pieces[place.piece].part.functions[place.number]
                for earlier in reversed(stages[:count]):
                    sources = [
                        (out[of.piece].name, source)
                        for of in places[earlier]
                        if _may_become(source := out[of.piece].part.functions[of.number], function)
                    ]
                    if len(sources) != 1:
                        continue  # it is not known which of them it was compiled from
                    (name, source), *_ = sources
                    file = "" if name == pieces[place.piece].name else os.path.basename(name)
                    compared = _compared(function, source, file, judge)
                    if compared is not function:
                        out[place.piece] = _with_function(out[place.piece], place.number, compared)
                    if compared is not function or _contradicts(source):
                        break  # what contradicts an even earlier form is said of that one
    return out


def _with_function(piece: ChunkResult, number: int, function: Function) -> ChunkResult:
    functions = (*piece.part.functions[:number], function, *piece.part.functions[number + 1 :])
    return piece._replace(part=piece.part._replace(functions=functions))


def _may_become(source: Function, function: Function) -> bool:
    before, after = source.mmas[0].arch, function.mmas[0].arch
    return before is None or after is None or belongs(after, before)


def _compared(function: Function, source: Function, file: str, judge: Judge) -> Function:
    """Return a function with what its instructions contradict in all of those of an earlier form; the same function if
    they contradict nothing. An earlier form may have more: code that never runs is dropped."""
    before = [group for group in used_in(as_written(source), judge) if group.instruction.accessed is None]
    differing: dict[int, tuple[FormDifference, ...]] = {}
    for row in fold(function, judge):
        group = group_of(row, function.format)
        near = [earlier for earlier in before if earlier.instruction.family == group.instruction.family]
        if not near or group.is_empty or group.instruction.accessed is not None:
            continue
        pairs = (([each for each in changed_fields(one, group) if has_effect(each, one, group)], one) for one in near)
        changes, nearest = min(pairs, key=lambda pair: len(pair[0]))
        if changes:
            place = ", ".join(filter(None, (file, f"line {nearest.line}")))
            found = tuple(_differences(changes, function.format, source.format, place))
            differing.update((id(mma), found) for mma in row.mmas)
    if not differing:
        return function
    mmas = (mma._replace(form_differences=differing.get(id(mma), ())) for mma in function.mmas)
    return function._replace(mmas=tuple(mmas))


def _differences(changes: Iterable[FieldChange], form: str, earlier: str, place: str) -> Iterator[FormDifference]:
    """Yield what differs in each operand."""
    of: dict[str | None, list[FieldInForms]] = {}
    for change in changes:
        before, here = change.texts
        of.setdefault(change.operand, []).append(FieldInForms(change.key, change.name, here, before))
    for operand, fields in of.items():
        yield FormDifference(operand, form, earlier, place, tuple(fields))


def combine(functions: Sequence[tuple[str, Function]], judge: Judge, choice: Choice) -> Function:
    """Return the form with the most errors and warnings, with :attr:`Function.forms`; each function has its path."""
    ranked = sorted(functions, key=lambda path_and_function: ENDINGS.index(os.path.splitext(path_and_function[0])[1]))
    forms = [_form(os.path.splitext(path)[1][1:], function, judge, choice) for path, function in ranked]
    worst = max(range(len(forms)), key=lambda place: (forms[place].errors, forms[place].warnings, -place))
    groups = [(form.name, used_in(function, judge, choice)) for form, (_, function) in zip(forms, ranked, strict=True)]
    differences = tuple(
        contradiction
        for contradiction in map(partial(_operand, groups), range(len(OPERANDS)))
        if _contradict(contradiction)
    )
    differ = any(_contradicts(function) for _, function in ranked)
    return ranked[worst][1]._replace(forms=Forms(tuple(forms), differences if differ else (), differ))


def _form(name: str, function: Function, judge: Judge, choice: Choice) -> KernelForm:
    tally = Tally()
    tally.add(function, fold(function, judge, choice))
    return KernelForm(name, *tally.checked, tally.failures(), tally.failures(strict=True) - tally.failures())


def _operand(forms: Sequence[tuple[str, Sequence[MmaGroup]]], number: int) -> FormContradiction:
    """Return the descriptors of operand ``number`` in the forms that have it."""
    descriptors = []
    for name, every in forms:
        bits = {operand for group in every if (operand := group.operands[number]) is not None}
        if bits:
            descriptors.append((name, tuple(sorted(bits, key=lambda operand: (operand.bits, operand.known)))))
    return FormContradiction(OPERANDS[number], tuple(descriptors))


def _contradict(contradiction: FormContradiction) -> bool:
    return any(
        all((one.bits ^ theirs_bits.bits) & one.known & theirs_bits.known for theirs_bits in theirs)
        for (_, mine), (_, theirs) in permutations(contradiction.forms, 2)
        for one in mine
    )


def group_stages(pieces: Iterable[ChunkResult], judge: Judge, choice: Choice) -> Iterator[ChunkResult]:
    """Yield the single kernels of a folder as members of one file with the name of the folder.

    Files that differ only in their ending hold the forms of one kernel, if its name is the same in all of them.
    """
    waiting: list[ChunkResult] = []  # files of at most one kernel each, which may be forms of the same
    several = ""  # a file with several kernels
    folders: dict[str, None] = {}

    def members() -> Iterator[ChunkResult]:
        functions = [
            (piece.name, function._replace(member=":".join(filter(None, (_inside(piece), function.member)))))
            for piece in waiting
            for function in piece.part.functions
        ]
        forms = len(functions) > 1 and len({function.name for _, function in functions}) == 1
        if forms:
            functions = [("", combine(functions, judge, choice))]
        for number, piece in enumerate(waiting):
            folders[piece.folder] = None
            seen = 0 if forms and number else piece.part.seen
            part = piece.part._replace(
                functions=() if number else tuple(function for _, function in functions),
                seen=seen,
                maps=tuple(change._replace(member=_inside(piece)) for change in piece.part.maps),
            )
            yield piece._replace(name=piece.folder, part=part, last=False)
        waiting.clear()

    for piece in pieces:
        if waiting and (waiting[-1].folder, kernel_of(waiting[-1].name)) != (piece.folder, kernel_of(piece.name)):
            yield from members()
        if not piece.folder:
            folder = piece.name.removesuffix(OTHERS)
            yield piece._replace(name=folder) if folder in folders else piece
            folders.pop(folder, None)
            continue
        mine = [member for member in waiting if member.name == piece.name]
        if piece.name == several or sum(len(member.part.functions) for member in (*mine, piece)) > 1:
            several = piece.name
            waiting[:] = [member for member in waiting if member.name != piece.name]
            yield from (*mine, piece)
        else:
            waiting.append(piece)
    yield from members()
    for folder in folders:
        yield ChunkResult(folder, Part(), 0, True)


def _inside(piece: ChunkResult) -> str:
    """Return the name of a file in its folder."""
    return piece.name.removeprefix(piece.folder).lstrip("/:")
