"""One kernel in the forms that a compiler writes, as in Triton's cache: whether they agree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations

from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.scanning.inputs.files import OTHERS, ChunkResult
from smemdesc.scanning.model import FormContradiction, Forms, Function, KernelForm, Part
from smemdesc.scanning.results.comparison import MmaGroup, used_in
from smemdesc.scanning.results.report import Tally, fold
from smemdesc.scanning.results.selection import Choice

ENDINGS = (".cubin", ".sass", ".ptx", ".llir", ".ttgir")
"""The endings of the files of the forms, the last stage first."""


def kernel_of(path: str) -> str:
    """Return the path of a form's file without its ending; any other path unchanged."""
    root, ending = os.path.splitext(path)
    return root if ending in ENDINGS else path


def combine(functions: Sequence[tuple[str, Function]], judge: Judge, choice: Choice) -> Function:
    """Return the form with the most errors and warnings, with :attr:`Function.forms`; each function has its path."""
    ranked = sorted(functions, key=lambda path_and_function: ENDINGS.index(os.path.splitext(path_and_function[0])[1]))
    forms = [_form(os.path.splitext(path)[1][1:], function, judge, choice) for path, function in ranked]
    worst = max(range(len(forms)), key=lambda place: (forms[place].errors, forms[place].warnings, -place))
    used = [(form.name, used_in(function, judge, choice)) for form, (_, function) in zip(forms, ranked, strict=True)]
    differences = tuple(
        contradiction
        for contradiction in map(partial(_operand, used), range(len(OPERANDS)))
        if _contradict(contradiction)
    )
    return ranked[worst][1]._replace(forms=Forms(tuple(forms), differences))


def _form(name: str, function: Function, judge: Judge, choice: Choice) -> KernelForm:
    tally = Tally()
    tally.add(function, fold(function, judge, choice))
    return KernelForm(name, *tally.checked, tally.failures(), tally.failures(strict=True) - tally.failures())


def _operand(forms: Sequence[tuple[str, Sequence[MmaGroup]]], number: int) -> FormContradiction:
    """Return the descriptors of operand ``number`` in the forms that have it."""
    descriptors = []
    for name, every in forms:
        bits = {operand for used in every if (operand := used.operands[number]) is not None}
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
                functions=() if number else tuple(function for _, function in functions), seen=seen
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
