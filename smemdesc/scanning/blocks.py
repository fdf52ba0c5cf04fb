"""The control flow of one function: its blocks, and what its instructions do to registers.

A front end cuts a function into :class:`Block` rows, and translates an instruction into a :class:`Step` when
:mod:`smemdesc.scanning.ssa` comes to it. Registers are whatever hashable names the front end uses; a constant operand
is its value, a pair, which is its own "register".
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from smemdesc.scanning.conditions import Condition

from smemdesc.scanning.ir import Node, Results

Register = Hashable


class Literal(NamedTuple):
    """A predicate, and whether it holds."""

    predicate: Any
    """The register that holds it, or a constant."""
    holds: bool


class Copied(NamedTuple):
    """A predicate that is another one, or (not ``holds``) the opposite."""

    predicate: Register
    holds: bool


class Result(NamedTuple):
    """What an instruction compares if that is what it writes itself into a register."""

    register: Register


class Step(NamedTuple):
    """One instruction where it is carried out: ``writes`` gets what ``transfer`` makes of the values of ``reads``."""

    at: int
    """Where it stands, for the front end to find it again (a line)."""
    writes: tuple[Register, ...]
    reads: tuple[Register, ...] = ()
    transfer: Node | Results | None = None
    """What makes of ``reads`` what is written, or each of what is. None: that is not known."""
    selects: Literal | None = None
    """The predicate by which it is the first of two ``reads``, else the second."""
    width: int = 0
    """Bits of what it selects, where the register does not tell them."""
    says: Condition | Copied | None = None
    """What the predicate tells that it writes: the comparison (of registers) that made it."""


class Block:
    """Instructions without a branch between them, and the blocks that may follow."""

    __slots__ = ("at", "because", "called", "entry", "following", "unwritten")

    def __init__(self, at: int = 0) -> None:
        self.at = at
        """Where it begins."""
        self.following: list[int] = []
        self.entry = False
        """Whether it can be reached from where nothing is known."""
        self.because: int | None = None
        """What makes it an entry, or comes before it with all that it does (the line of a call)."""
        self.called: tuple[int, ...] = ()
        """The lines that such a call may run, where it is known that it comes back here."""
        self.unwritten: frozenset[Register] = frozenset()
        """Registers into which nothing was ever put when it ends: what is read behind it is none of them."""
