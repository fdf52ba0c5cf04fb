"""The rule about the steps of a loop over K: how A and B move from one MMA to the next on the same accumulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.layout.operand import Operand, operand_of
from smemdesc.layout.steps import DescriptorSteps
from smemdesc.layout.strides import UNIT, is_absolute
from smemdesc.rules.base import Finding, Problem, case_rule, explained, warning


class OperandMoves(NamedTuple):
    """How far A and B have moved since the MMA before this one that adds to the same accumulator.

    Nothing but the start addresses differs between the two, and nothing between them waits or writes memory.
    """

    a: int
    """Bytes."""
    b: int
    times: int = 1
    """How many MMAs in a row move so."""
    alike: bool = True
    """Whether the scale factors, too, are the same ones."""
    again: bool = False
    """Whether the MMA before is this one, in the iteration before of a loop."""


STAYS, STEP, MORE, LEAVES, ROWS, OVERLAPS, AWAY = (
    *("stays", "one K step", "another number of K steps", "past the end of its row", "to other rows"),
    *("onto most of what was read", "elsewhere"),
)
"""What a move of an operand is."""
_STEADY = 3
"""How often an operand must move by a stride while the other one stays: once or twice it may be another buffer."""


class _Moved(NamedTuple):
    """One operand and its move."""

    name: str
    by: int
    what: str
    inside: bool
    """Whether one K step stays in a row of the swizzle atom."""
    steps: DescriptorSteps
    k: int
    exchanged: bool
    """Whether it would be one K step if LBO and SBO were exchanged."""

    @property
    def text(self) -> str:
        """What the move is, in words."""
        if not self.by:
            return "does not move"
        return f"moves by {_bytes(self.by)}: {self.steps.name(self.by)[0].text.partition('; ')[0]}"

    @property
    def next(self) -> str:
        """The next K step."""
        try:
            return _bytes(self.steps.advance(k=self.k).by)
        except SmemdescError:
            return "in another swizzle atom"


def _of_both(texts: dict[str, str], both: str, each: str) -> str:
    """Return what is said of each operand; of A and B together if it is the same."""
    if len(texts) > 1 and len(set(texts.values())) == 1:
        return both.format(*texts.values())
    return "; ".join(each.format(name, text) for name, text in texts.items())


def _bytes(by: int) -> str:
    return f"{by:+d} B ({by // UNIT:+d} in the descriptor)"


@lru_cache(256)
def _units(operand: Operand) -> frozenset[int]:
    """Return the offsets of the 16-byte units of an operand, before the swizzle, which exchanges units only."""
    lines, units = operand.unit_offsets()
    return frozenset([line + unit for _, line in lines for _, unit in units])


@lru_cache(256)
def _rows(operand: Operand) -> frozenset[int]:
    """Return the offsets of the rows of an operand."""
    return frozenset([operand.linear(row, 0) // 8 for row in range(operand.shape[0])])


def _shared(operand: Operand, by: int) -> float:
    """Return how much of an operand is read again after a move."""
    units = _units(operand)
    return sum(unit + by in units for unit in units) / len(units)


def _what(operand: Operand, here: int | None, by: int) -> tuple[str, bool]:
    """Return what a move is, and whether a K step stays in a row of the atom.

    ``here``: where in its row of the atom the operand begins, in bytes; None if that is not known.
    """
    k = operand.shape[1]
    size, width = k * operand.dtype.storage // 8, operand.mode.width
    in_rows = operand.major == "K" and operand.mode.name != "none"
    inside = in_rows and size < width
    if not by:
        return STAYS, inside
    if inside and abs(by) < width:
        if here is None or 0 <= here + by <= width - size:
            if abs(by) >= size:
                return STEP if by == size else MORE, True
        elif by > 0:
            return LEAVES, True
    elif not in_rows and by == operand.linear(0, k) // 8 and not _shared(operand, by):
        return STEP, False
    if _shared(operand, by) < _MOST:
        return AWAY, inside
    # Each row may be a pixel of an image, and each tap of a filter the next K of the other operand.
    return ROWS if operand.major == "K" and by in _rows(operand) else OVERLAPS, inside


_MOST = 0.5
"""A move onto so much of what was read is no step."""


def _moved(name: str, by: int, fields: Mapping[str, FieldReading], context: Context) -> _Moved | None:
    """Return an operand with its move, given its fields after it; None if it cannot be judged."""
    start = fields[START]
    if not context.whole or context.major is None or context.shape is None or is_absolute(fields):
        return None
    try:
        operand = operand_of({**fields, START: start._replace(value=0)}, context)
        period = UNIT * (~start.known & start.known + 1)
        known = start.complete or period % operand.mode.width == 0
        here = (start.bits * UNIT - by) % operand.mode.width if known else None
        before = {**fields, START: start._replace(value=here or 0)}
        steps = DescriptorSteps(before, context.major, context)
    except SmemdescError:
        return None
    what, inside = _what(operand, here, by)
    other = operand._replace(lbo=operand.sbo, sbo=operand.lbo) if operand.mode.name == "none" else operand
    exchanged = what != STEP and _what(other, here, by)[0] == STEP
    return _Moved(name.upper(), by, what, inside, steps, context.shape[1], exchanged)


_PTX = """.version 8.7
.target sm_100a
.visible .entry k(.param .u32 q)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
.reg .pred %p<2>;
ld.param.u32 %r2, [q];
mov.b32 %r3, 0x8200490;
mov.b64 %d1, 0x4000404000010040;
mov.b64 %d2, 0x4000404000010440;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %d1, %d2, %r3, %p1;
mov.b64 %d5, 64;
add.s64 %d3, %d1, %d5;
add.s64 %d4, %d2, %d5;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %d3, %d4, %r3, %p1;
ret;
}
"""


@explained(
    "The MMAs of one tile add up over K on one accumulator, and each reads the next K of A and of B. Another step "
    "reads elements again, or multiplies elements of different K.",
    "smemdesc scan k.ptx",
    "%d5, 2 for %d5, 64",
    _PTX,
)
@case_rule("PTX ISA 9.1, 9.7.15.5.1; CUTLASS DescriptorIterator: one K step moves both by the same k", "warning")
def k_step(
    moves: OperandMoves,
    operands: tuple[tuple[Mapping[str, FieldReading], Context], tuple[Mapping[str, FieldReading], Context]],
) -> Iterator[Problem]:
    """From one MMA to the next on the same accumulator, A and B both move by one K step, or one of them elsewhere."""
    both = zip("ab", moves[:2], operands, strict=True)
    a, b = (_moved(name, by, *operand) for name, by, operand in both)
    if a is None or b is None:
        return
    for one, other in ((a, b), (b, a)):
        if one.what == STAYS and other.what == STEP and (other.inside or moves.times >= _STEADY):
            likely = f"{one.name} was not advanced with {other.name}"
            yield _problem(moves, a, b, likely, one)
        elif one.what == MORE and other.what == STEP:
            yield _problem(moves, a, b, f"{one.name} and {other.name} were advanced by different K", one)
        elif one.what == OVERLAPS and other.what == STEP:
            yield _problem(moves, a, b, "", one)
    if a.what == b.what == STAYS and moves.alike:
        yield _problem(moves, a, b, "neither was advanced: the same product is added again", a, b)
    elif a.what in _WRONG and b.what in _WRONG:
        problem = _problem(moves, a, b, "", a, b)
        if a.exchanged and b.exchanged:
            likely = "LBO and SBO are exchanged: the other way around, each moves by one K step"
            problem = problem._replace(likely=likely, fix="exchange LBO (bits 16-29) and SBO (bits 32-45) of both")
        yield problem


_WRONG = (LEAVES, ROWS, OVERLAPS)


def _problem(moves: OperandMoves, a: _Moved, b: _Moved, likely: str, *wrong: _Moved) -> Problem:
    since = "from one iteration to the next" if moves.again else "from the MMA before it on the same accumulator"
    return warning(
        f"{since}, " + _of_both({one.name: one.text for one in (a, b)}, "each of A and B {0}", "{0} {1}"),
        likely,
        _of_both(
            {one.name: one.next for one in wrong}, "the next K step of each is {0}", "the next K step of {0} is {1}"
        ),
        fields=(START,),
        operand=wrong[0].name.lower() if len(wrong) == 1 else None,
    )


RULES = (k_step,)


def judge_steps(
    moves: OperandMoves | None,
    a: Mapping[str, FieldReading] | None,
    b: Mapping[str, FieldReading] | None,
    contexts: tuple[Context, Context],
) -> list[Finding]:
    """Return the findings about how A and B have moved since the MMA before."""
    if moves is None or a is None or b is None:
        return []
    return k_step.apply(moves, ((a, contexts[0]), (b, contexts[1])))
