"""By which layout does a piece of shared memory hold the matrix that should be there?

First the descriptor's own; then every layout that a descriptor can say (:mod:`smemdesc.layout.candidates`), verified on
every element; then what writers do that no descriptor says (:mod:`smemdesc.layout.written`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import LINE, START
from smemdesc.kinds.names import MAJORS
from smemdesc.kinds.types import DType
from smemdesc.layout.agreement import Agreement, Matrix, placer
from smemdesc.layout.candidates import absolutes, neighbors, operands, used
from smemdesc.layout.held import Memory
from smemdesc.layout.numbers import FORMATS
from smemdesc.layout.operand import Operand
from smemdesc.layout.strides import LBO, SBO
from smemdesc.layout.written import Way, ways

PART = 0.25
"""Share of the units that has to agree for a layout to be named at all."""
NOWHERE = range(0), range(0)
MOST = 8
"""Other layouts that are listed."""


class Difference(NamedTuple):
    """A field of the descriptor: what it says, and what would read the matrix. Offsets and addresses in bytes."""

    field: str
    """``swizzle``, ``major``, ``start_address``, ``leading_byte_offset``, ``stride_byte_offset``, ``base_offset``,
    ``lbo_mode``."""
    said: str | int
    found: str | int


class Answer(NamedTuple):
    """A layout under which memory holds the matrix, wholly or for the greatest part."""

    operand: Operand | None
    """What a descriptor has to say; None where none can say it, or where not the layout is other."""
    differences: tuple[Difference, ...]
    """Of the descriptor that was asked about; empty where none was."""
    agree: int
    """Elements that agree."""
    way: Way | None = None
    """How it was written, where no descriptor says it."""


class Recognition(NamedTuple):
    """What memory holds, compared with what should be there."""

    operand: Operand | None
    """The one that was asked about."""
    total: int
    """Elements of the matrix."""
    agree: int
    """Elements that are where the descriptor that was asked about has them; 0 where none was."""
    outside: int
    """Elements that its layout has outside of the memory that was given."""
    differ: tuple[range, range]
    """The rows and the k's between which all elements lie that do not agree with it; whole 16-byte units."""
    answer: Answer | None
    """The layout that does hold the matrix, or the greatest part; None where the descriptor's does, or none."""
    alike: tuple[Operand, ...]
    """Other layouts of the same bytes that hold it just as well: the data repeat, and cannot tell."""
    copies: tuple[Operand, ...]
    """The same layout elsewhere, where that holds all of the matrix, too."""
    uniform: bool = False
    """Whether most of the matrix's 16-byte units hold one value alone, and tell nothing."""
    majors: tuple[str, ...] = MAJORS
    """The major-nesses that were tried."""

    @property
    def right(self) -> bool:
        """Whether every element is where the descriptor has it."""
        return self.agree == self.total

    @property
    def best(self) -> Operand | None:
        """The operand that reads the whole matrix: the descriptor's own, or the answer's; None where none does."""
        if self.right:
            return self.operand
        return self.answer.operand if self.answer is not None and self.answer.agree == self.total else None

    @property
    def overlaps(self) -> bool:
        """Whether elements share bytes in the layout that was found: no tile is written so, only data that repeat let
        it hold the matrix."""
        if self.right or self.best is None:
            return False
        addresses = _addresses(self.best)
        return len(set(addresses)) < len(addresses)


def recognize(
    memory: Memory, expected: Sequence[Sequence[int]], operand: Operand, *, kind: str | None = None
) -> Recognition:
    """Return by which layout ``memory`` holds ``expected``, bit patterns of MN x K.

    ``operand`` is what the descriptor says, with the shape of ``expected`` (which may be a whole tile: K beyond one
    instruction lies in the same atom, or LBO further on). ``kind`` wgmma or tcgen05 tries that one's modes alone.
    :class:`smemdesc.engine.errors.SmemdescError` where the shapes differ.
    """
    shape = len(expected), len(expected[0]) if expected else 0
    if shape != operand.shape:
        turned = shape == operand.shape[::-1]
        raise SmemdescError(
            f"the matrix is {shape[0]}x{shape[1]}, the operand {operand.shape[0]}x{operand.shape[1]} (MN x K)",
            hint="transpose it: B is N x K here" if turned else "give the matrix that the descriptor addresses",
        )
    return _better(
        _recognized(memory, variant, operand.dtype, operand, kind, MAJORS)
        for variant in _variants(operand.dtype, expected)
    )


def find(
    memory: Memory,
    expected: Sequence[Sequence[int]],
    dtype: DType,
    *,
    majors: tuple[str, ...] = MAJORS,
    kind: str | None = None,
) -> Recognition:
    """Return by which layouts ``memory`` holds ``expected``, where no descriptor is known."""
    if not expected or not expected[0]:
        raise SmemdescError("the matrix has no elements")
    return _better(_recognized(memory, variant, dtype, None, kind, majors) for variant in _variants(dtype, expected))


def _variants(dtype: DType, expected: Sequence[Sequence[int]]) -> Iterator[Sequence[Sequence[int]]]:
    """The matrix; then, of tf32, as conversions round it: memory may hold f32 as well as tf32."""
    yield expected
    if dtype.name == "tf32":
        unread = FORMATS["tf32"].unread
        half = 1 << unread - 1
        if any(element & half for row in expected for element in row):
            yield [[(element + half >> unread) << unread for element in row] for row in expected]


def _better(each: Iterable[Recognition]) -> Recognition:
    found: Recognition | None = None
    for one in each:
        if found is None or _reached(one) > _reached(found):
            found = one
        if found.best is not None:
            break
    assert found is not None
    return found


def _reached(one: Recognition) -> int:
    return max(one.agree, one.answer.agree if one.answer is not None else 0)


def _recognized(
    memory: Memory,
    expected: Sequence[Sequence[int]],
    dtype: DType,
    asked: Operand | None,
    kind: str | None,
    majors: tuple[str, ...],
) -> Recognition:
    matrix = Matrix(dtype, expected, memory)
    said = matrix.of(asked) if asked is not None else Agreement(0, 0, 0)
    uniform = 2 * matrix.telling("K") <= len(matrix.units("K"))
    made = Recognition(asked, matrix.elements, said.elements, said.outside, NOWHERE, None, (), (), uniform, majors)
    if asked is not None and said.elements == matrix.elements:
        return made._replace(alike=_distinct(asked, _alike(matrix, asked, kind)))
    if asked is not None:
        made = made._replace(differ=matrix.box(asked))
    hint = asked.start if asked is not None else memory.first
    tried = _tried(matrix, hint, kind, majors, asked)
    whole = [operand for operand, agreement in tried if agreement.elements == matrix.elements]
    if whole:
        best = whole[0]
        touched = set(_addresses(best))
        apart = [operand for operand in whole[1:] if touched.isdisjoint(_addresses(operand))]
        same = [operand for operand in whole[1:] if operand not in apart]
        copies = tuple(each for each in apart if _moved(best, each))
        answer = Answer(best, differences(asked, best), matrix.elements)
        alike = _distinct(best, (*same, *_alike(matrix, best, kind)))
        return made._replace(answer=answer, alike=alike, copies=copies[:MOST])
    reached = said.units
    least = PART * max(matrix.telling("K"), 1)
    for operand, agreement in tried[:1]:
        if agreement.units > reached and agreement.units >= least:
            reached = agreement.units
            made = made._replace(answer=Answer(operand, differences(asked, operand), agreement.elements))
    for way in ways(matrix, hint, asked, majors, mostly=reached >= 2 * least):
        if way.agree == matrix.elements or (way.units > reached and way.units >= least):
            reached = way.units
            made = made._replace(answer=Answer(None, (), way.agree, way))
            if way.agree == matrix.elements:
                break
    return made


def _tried(
    matrix: Matrix, hint: int, kind: str | None, majors: tuple[str, ...], asked: Operand | None
) -> list[tuple[Operand, Agreement]]:
    """Return the layouts that hold the most, the nearest to the descriptor first: those that hold all, or else one."""
    near = neighbors(asked, kind) if asked is not None else ()
    absolute = absolutes(matrix, hint, asked) if kind != "wgmma" and asked is not None and asked.absolute else ()
    each = {
        _fields(operand): operand
        for operand in (*near, *absolute, *operands(matrix, hint, kind, majors, asked))
        if operand.major in majors
    }
    ordered = sorted(each.values(), key=lambda operand: _distance(asked, operand))
    found = []
    for operand in ordered:
        if matrix.sampled(operand.major, placer(operand)):
            agreement = matrix.of(operand)
            if agreement.elements == matrix.elements:
                found.append((operand, agreement))
                if len(found) == _WHOLE:
                    break
    if found:
        # Elements that share bytes are no tile; only data that repeat let them pass.
        return sorted(found, key=lambda pair: len(set(_addresses(pair[0]))), reverse=True)
    scores = [matrix.sample(operand.major, placer(operand)) for operand in ordered]
    likely = sorted(range(len(ordered)), key=lambda number: (-scores[number], number))[:MOST]
    found = [(ordered[number], matrix.of(ordered[number])) for number in likely if scores[number]]
    return sorted(found, key=lambda pair: -pair[1].units)[:1]


_WHOLE = 32
"""Layouts that hold all of the matrix, after which no other is looked for: the data repeat."""


def _moved(operand: Operand, other: Operand) -> bool:
    """Whether another layout is the same one elsewhere."""
    return _fields(operand)[:2] + _fields(operand)[3:] == _fields(other)[:2] + _fields(other)[3:]


def _fields(operand: Operand) -> tuple[object, ...]:
    """What decides where the operand's elements lie."""
    effective = used(operand)
    return (
        operand.mode.name,
        (operand.major, operand.absolute),
        operand.start,
        operand.base_offset % operand.mode.phases,
        operand.lbo if effective[LBO] else None,
        operand.sbo if effective[SBO] else None,
    )


def _distance(asked: Operand | None, operand: Operand) -> tuple[object, ...]:
    """Fewest fields first, then the smallest differences; without a descriptor the plainest first."""
    if asked is None:
        return (operand.base_offset, operand.start, operand.major, operand.mode.width)
    found = differences(asked, operand)
    sizes = sum(
        abs(each.found - each.said) for each in found if isinstance(each.found, int) and isinstance(each.said, int)
    )
    return (sum(not idle(operand, each) for each in found), sizes, operand.mode.width)


def idle(operand: Operand, difference: Difference) -> bool:
    """Whether a difference is no fault of the descriptor: LBO of K-major swizzled operands has no effect within the
    K of one instruction, and only the steps beyond the atom have to know it."""
    return (
        difference.field == LBO
        and operand.major == "K"
        and operand.mode.name != "none"
        and not isinstance(difference.said, str)
        and difference.said <= LINE // 8
    )


def differences(asked: Operand | None, operand: Operand) -> tuple[Difference, ...]:
    """Return the fields that the operand has otherwise, those alone that have an effect in it."""
    if asked is None:
        return ()
    effective = used(operand)
    phases = operand.mode.phases
    pairs: list[tuple[str, str | int, str | int, bool]] = [
        ("major", asked.major, operand.major, True),
        ("swizzle", asked.mode.name, operand.mode.name, True),
        ("lbo_mode", _mode(asked), _mode(operand), True),
        (START, asked.start, operand.start, True),
        (LBO, asked.lbo, operand.lbo, effective[LBO]),
        (SBO, asked.sbo, operand.sbo, effective[SBO]),
        ("base_offset", asked.base_offset % phases, operand.base_offset % phases, True),
    ]
    return tuple(Difference(field, one, other) for field, one, other, matters in pairs if matters and one != other)


def _mode(operand: Operand) -> str:
    return "absolute" if operand.absolute else "relative"


def _addresses(operand: Operand) -> list[int]:
    return [address for _, _, address in operand.unit_addresses()]


def _alike(matrix: Matrix, operand: Operand, kind: str | None) -> Iterator[Operand]:
    """Yield other layouts beside an operand's own that hold all of the matrix, too."""
    for other in neighbors(operand, kind):
        if matrix.sampled(other.major, placer(other)) and matrix.of(other).elements == matrix.elements:
            yield other


def _distinct(operand: Operand, others: Iterable[Operand]) -> tuple[Operand, ...]:
    """Return the others whose elements do not all lie where the operand's do."""
    grids = [operand.grid]
    found = []
    for other in others:
        if other.grid not in grids:
            grids.append(other.grid)
            found.append(other)
            if len(found) == MOST:
                break
    return tuple(found)
