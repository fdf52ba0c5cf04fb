"""The control flow of one function: its blocks, and what its instructions do to registers.

A front end cuts a function into :class:`Block` rows, and translates an instruction into a :class:`Step` when
:mod:`smemdesc.scanning.ssa` comes to it. Registers are whatever hashable names the front end uses; a constant operand
is its value, a pair, which is its own "register".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import compress
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


class Numbers(dict[Any, int]):
    """The places of names in tables, in the order in which they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.ordered: list[Any] = []
        """The names by their places."""

    def __missing__(self, name: Hashable) -> int:
        made = self[name] = len(self)
        self.ordered.append(name)
        return made

    def mask(self, names: Iterable[Hashable]) -> int:
        """Return a set of names as an integer: far smaller than a set where there are many."""
        out = 0
        for name in names:
            out |= 1 << self[name]
        return out

    def names(self, mask: int) -> set[Any]:
        """Return the names in a mask."""
        return set(compress(self, bin(mask)[:1:-1].encode().translate(_DIGITS)))


_DIGITS = bytes(max(0, code - ord("0")) for code in range(256))


def backwards(
    blocks: Sequence[Block],
    roots: Iterable[int],
    visit: Callable[[int, set[Register]], None],
    touched: Callable[[int], Iterable[Register]] | None = None,
    passes: Callable[[int, int, Numbers], bool] | None = None,
) -> tuple[Numbers, list[int]]:
    """Return the registers that matter where each block begins, as masks, from the blocks ``roots`` backwards.

    ``visit`` gets the number of a block and what matters behind it, and turns that into what matters before it.
    ``touched`` returns the registers that a block may write, for functions of very many: of others, which come through,
    ``visit`` is not told. ``passes`` tells of a block whether all that matters behind it, as a mask, comes through, and
    nothing else is to be said of it.
    """
    before: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for following in block.following:
            before[following].append(number)
    numbers = Numbers()
    behind = [0] * len(blocks)
    found = [-1] * len(blocks)
    waiting = sorted(set(roots))
    queued = set(waiting)
    while waiting:
        number = waiting.pop()
        queued.remove(number)
        mask = behind[number]
        if passes is None or not passes(number, mask, numbers):
            if touched is None or len(numbers) < _MANY:
                given = numbers.names(mask)
            else:
                given = {each for each in touched(number) if each in numbers and mask >> numbers[each] & 1}
            live = set(given)
            visit(number, live)
            mask = mask & ~numbers.mask(given - live) | numbers.mask(live - given)
        if mask == found[number]:
            continue
        found[number] = mask
        for each in before[number]:
            if mask & ~behind[each]:
                behind[each] |= mask
                if each not in queued:
                    queued.add(each)
                    waiting.append(each)
    return numbers, [max(mask, 0) for mask in found]


_MANY = 1000
"""So many registers are always told of."""


def order(blocks: Sequence[Block]) -> list[int]:
    """Return the blocks that can be reached, each before what follows it but for the way back of loops."""
    seen = set()
    done: list[int] = []
    for first, block in enumerate(blocks):
        if not block.entry or first in seen:
            continue
        seen.add(first)
        stack = [(first, iter(block.following))]
        while stack:
            index, following = stack[-1]
            for each in following:
                if each not in seen:
                    seen.add(each)
                    stack.append((each, iter(blocks[each].following)))
                    break
            else:
                done.append(index)
                stack.pop()
    done.reverse()
    return done
