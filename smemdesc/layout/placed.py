"""Where each 16-byte unit, or each element, of a swizzle atom lies before and after the swizzle."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.layout.atom import Atom
from smemdesc.layout.operand import LINE, UNIT

CHUNKS = LINE // UNIT


class Placed(NamedTuple):
    """One unit or element: its coordinate in elements, and its bit address before and after the swizzle."""

    mn: int
    k: int
    before: int
    after: int

    @property
    def line(self) -> int:
        """The 128-byte line of shared memory that it lies in."""
        return self.after // (8 * LINE)

    @property
    def chunk(self) -> int:
        """The 16-byte chunk of that line."""
        return _chunk(self.after)

    @property
    def home(self) -> int:
        """The chunk that it would lie in without the swizzle."""
        return _chunk(self.before)


def _chunk(bit: int) -> int:
    return bit // 8 % LINE // UNIT


def placed(atom: Atom, *, elements: bool) -> list[list[Placed]]:
    """Return the places of an atom, MN down and K across: every 16-byte unit, or every element."""
    step_mn, step_k = _steps(atom, elements)
    operand = atom.operand
    return [
        [
            Placed(mn, k, 8 * atom.start + operand.linear(mn, k), operand.bit_address(mn, k))
            for k in range(0, atom.shape.k, step_k)
        ]
        for mn in range(0, atom.shape.mn, step_mn)
    ]


def _steps(atom: Atom, elements: bool) -> tuple[int, int]:
    if elements:
        return 1, 1
    return (1, atom.operand.unit) if atom.major == "K" else (atom.operand.unit, 1)


def by_line(atom: Atom, step: int) -> list[list[int | None]]:
    """Return the units of an MMA step as they lie, line by line and chunk by chunk; None where none of them does."""
    every = [each for row in placed(atom, elements=False) for each in row]
    first, last = min(each.line for each in every), max(each.line for each in every)
    found: list[list[int | None]] = [[None] * CHUNKS for _ in range(first, last + 1)]
    for each in every:
        if in_step(atom, each, step):
            found[each.line - first][each.chunk] = number(atom, each)
    return found


def in_step(atom: Atom, each: Placed, step: int | None) -> bool:
    """Whether a unit belongs to this MMA step of a K-major atom (None: to any)."""
    return step is None or each.k // atom.operand.unit // 2 == step


def number(atom: Atom, each: Placed) -> int:
    """Return ``2 * row + column`` of a unit in its MMA step."""
    return 2 * each.mn + each.k // atom.operand.unit % 2


def check(atom: Atom, *, elements: bool, step: int | None) -> None:
    """Refuse an MMA step that the atom does not have. :class:`smemdesc.engine.errors.SmemdescError`."""
    if step is None:
        return
    if elements:
        raise SmemdescError("an MMA step is marked in 16-byte units, not in elements", hint="leave out --elements")
    if atom.major != "K":
        raise SmemdescError(
            "an MN-major atom has no MMA steps inside along K", hint="one step reads whole atoms; use --major K"
        )
    steps = atom.units.k // 2
    if not steps:
        raise SmemdescError("without swizzle the two units of an MMA lie in two atoms", hint="use 32B, 64B or 128B")
    if not 0 <= step < steps:
        raise SmemdescError(f"step {step} is outside the atom", hint=f"an atom of {atom.swizzle} holds {steps}")
