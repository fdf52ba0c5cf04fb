"""One kernel in the forms that a compiler leaves of it, as Triton's cache has them: whether they agree."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from itertools import permutations
from typing import NamedTuple

from smemdesc.instructions.mma import OPERANDS, Judge
from smemdesc.scanning.choosing import Choice, is_whole
from smemdesc.scanning.differing import Bits, Place, place_of
from smemdesc.scanning.model import Function

ENDINGS = (".cubin", ".sass", ".ptx", ".llir", ".ttgir")
"""How the files of the forms end, the last first."""


class Form(NamedTuple):
    """A form of a kernel: what is known of its descriptors, and what is wrong with them."""

    name: str
    known: int
    """Operands of which swizzle and SBO, or all bits, are known."""
    operands: int
    errors: int
    warnings: int


class Difference(NamedTuple):
    """An operand that has a descriptor in one form that contradicts all of another form."""

    operand: str
    forms: tuple[tuple[str, tuple[Bits, ...]], ...]
    """Its distinct descriptors in each form, without their start addresses."""


class Forms(NamedTuple):
    """What the forms of one kernel say."""

    forms: tuple[Form, ...]
    differences: tuple[Difference, ...]


def kernel_of(path: str) -> str:
    """Return the path of a form's file without its ending; another path as it is."""
    root, ending = os.path.splitext(path)
    return root if ending in ENDINGS else path


def combine(functions: Sequence[tuple[str, Function]], judge: Judge, choice: Choice) -> Function:
    """Return the form with the most to be said of it, with :attr:`Function.forms`; given are their paths, too."""
    ranked = sorted(functions, key=lambda each: ENDINGS.index(os.path.splitext(each[0])[1]))
    forms = [_form(os.path.splitext(path)[1][1:], of, judge, choice) for path, of in ranked]
    worst = max(range(len(forms)), key=lambda place: (forms[place].errors, forms[place].warnings, -place))
    places = [(form.name, place_of("", of, judge, choice)) for form, (_, of) in zip(forms, ranked, strict=True)]
    differences = tuple(found for found in map(partial(_operand, places), range(len(OPERANDS))) if _contradict(found))
    return ranked[worst][1]._replace(forms=Forms(tuple(forms), differences))


def _form(name: str, of: Function, judge: Judge, choice: Choice) -> Form:
    known = operands = errors = warnings = 0
    for mma in of.mmas:
        judged = judge.judge(mma.model)
        known += sum(map(is_whole, judged.results.values()))
        operands += len(judged.results)
        severities = [finding.severity for _, finding in choice.told(judged)]
        errors += severities.count("error")
        warnings += severities.count("warning")
    return Form(name, known, operands, errors, warnings)


def _operand(places: Sequence[tuple[str, Place]], number: int) -> Difference:
    """Return the descriptors of an operand in the forms that have it."""
    said = []
    for name, place in places:
        bits = {each for used in place.used if (each := used.operands[number]) is not None}
        if bits:
            said.append((name, tuple(sorted(bits, key=lambda each: (each.bits, each.known)))))
    return Difference(OPERANDS[number], tuple(said))


def _contradict(found: Difference) -> bool:
    return any(
        all((one.bits ^ other.bits) & one.known & other.known for other in theirs)
        for (_, mine), (_, theirs) in permutations(found.forms, 2)
        for one in mine
    )
