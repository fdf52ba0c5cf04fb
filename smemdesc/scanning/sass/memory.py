"""What a function keeps in memory, as registers of the analysis: spilled registers, and the variables of code that is
not optimized (``-G``, ``-O0``) or of which the program takes the address.

``STL [R1+0x10], R5`` and ``LDL R5, [R1+0x10]``; ``IADD3 R8, P0, R4, 0x18, RZ``, ``IADD3.X R9, R3, RZ, RZ, P0, !PT``,
``ST.E desc[UR4][R8.64], R10``. Addresses are told apart by :mod:`smemdesc.scanning.sass.addresses`. A store by another
base, or by an address that cannot be followed, may write every byte; so may, but for the stack of a thread, what lets
other threads write: barriers, atomics, fences, copies, calls.

Where something is added to an address that is no number, as in ``a[i]``, the analysis of values says what it may be: a
load gives what is certain of all that may be meant, and a store leaves what is certain whether it wrote or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import known
from smemdesc.scanning.ir import CUT, GIVEN, Part, Results, inputs, replaced
from smemdesc.scanning.known import UNKNOWN, Value
from smemdesc.scanning.memory import Access, Effect, Slots
from smemdesc.scanning.sass.addresses import STACK, Addresses, Held, Near, NearUpper, Sum, Upper, reaches, rooted
from smemdesc.scanning.sass.branches import BRANCHES
from smemdesc.scanning.sass.lower import HARMLESS, KNOWN, Lowering
from smemdesc.scanning.sass.mma import NAMES
from smemdesc.scanning.sass.text import WIDTH, Line, parse
from smemdesc.scanning.ssa import Ssa

_MANY = 500_000
"""More reads and writes of words than so many are not followed."""
_MANY_NEAR = 5000
"""The same of those by addresses that may be one of several: each reads all of the stack."""
_ELSEWHERE = ("ATOMS", "ATOMG", "REDG", "REDAS", "ATOMAS", "REDUX")
"""They do not reach local memory."""
_NOTHING, _TOUCHES, _ANYTHING, _OTHERS = range(4)
_CACHED = 4096


class Memory(NamedTuple):
    """What lines do to words in memory."""

    meanings: dict[int, Lowering]
    """Of the lines that load or store such a word, or may store to any; all others mean what they say."""
    writes: dict[int, tuple[str, ...]]
    """The words that lines may write, and what else they tell."""


NONE = Memory({}, {})


class _Kinds(dict[bytes, int]):
    """What a mnemonic tells: that it loads or stores, may write anything, or lets other threads write."""

    def __missing__(self, mnemonic: bytes) -> int:
        if len(self) > _CACHED:
            self.clear()
        line = parse(mnemonic + b" R0")
        made = self[mnemonic] = _NOTHING if line is None or not line.operands else _kind(line)
        return made


def _kind(line: Line) -> int:
    name = line.name
    if reaches(line):
        return _TOUCHES
    generic = name.startswith(("ATOM", "RED")) and name not in _ELSEWHERE
    if generic or name in ("SETLMEMBASE", "CCTLL") or not (name in KNOWN or name in BRANCHES or name in NAMES):
        return _ANYTHING
    return _NOTHING if name in NAMES or _harmless(line) else _OTHERS


_KINDS = _Kinds()


def _mnemonic(line: bytes) -> bytes:
    """Return the mnemonic of a line; nothing of a label or a comment."""
    _, mark, rest = line.partition(b"*/")
    first = (rest if mark else line).split(None, 2)
    if not first:
        return b""
    found = first[1] if first[0][:1] == b"@" and len(first) > 1 else first[0]
    return found.partition(b";")[0]


def _harmless(line: Line) -> bool:
    """Whether a line writes no memory, and lets no other thread write."""
    return line.name in HARMLESS and not {"STRONG", "ACQUIRE", "MMIO", "SYS", "GPU"} & set(line.suffixes)


def concerns(line: Line | None) -> bool:
    """Whether what a line does hangs on what is in memory."""
    return line is not None and line.name in ("LD", "LDL")


def memory(
    lines: list[bytes],
    ssa: Ssa,
    take: Callable[[bytes], tuple[Line | None, Lowering | None]],
    writes: Callable[[int], tuple[str, ...]],
) -> Memory:
    """Find what a function keeps in memory and reads back.

    ``take`` parses a line and says what it does, ``writes`` returns the registers that a line writes.
    """
    kinds = {index: kind for index, line in enumerate(lines) if (kind := _KINDS[_mnemonic(line)])}
    touching = [index for index, kind in kinds.items() if kind == _TOUCHES]
    addresses = Addresses(lines, ssa, take, writes, touching)
    return _Made(addresses, kinds).memory()


class _Made:
    def __init__(self, addresses: Addresses, kinds: dict[int, int]) -> None:
        self.addresses = addresses
        self.kinds = kinds
        self.followed = {block.because for block in addresses.ssa.blocks if block.called}
        self.slots = slots = Slots(addresses.accesses.values())
        self.every = tuple(name for space in slots.spaces for name in slots.names(space))
        self.shared = tuple(name for space in slots.spaces if space != STACK for name in slots.names(space))
        self.others: dict[Hashable, tuple[str, ...]] = {STACK: self.shared}
        """What a store to a space may write of others, by which the same bytes may be meant."""
        near = sum(bool(access.near) for access in addresses.accesses.values())
        self.near = near * len(slots.names(STACK)) <= _MANY_NEAR

    def memory(self) -> Memory:
        """Return what lines do."""
        meanings: dict[int, Lowering] = {}
        if not self.every:
            return NONE
        near: dict[str, None] = {}
        done = 0
        for index, kind in self.kinds.items():
            access = self.addresses.accesses.get(index)
            made = None
            if access is not None and access.space in self.slots.spaces and (self.near or not access.near):
                made = Lowering(*self._effect(access))
                near.update(dict.fromkeys(access.near))
            else:
                line = self.addresses.touching.get(index)
                if kind == _ANYTHING or (line is not None and line.name in ("ST", "STL")):
                    made = self._forgotten(index, self.every)
                elif kind == _OTHERS or (line is not None and not _harmless(line)):
                    made = None if index in self.followed else self._forgotten(index, self.shared)
            if made is not None:
                meanings[index] = made
                done += len(made.reads) + len(made.writes)
            if done > _MANY:
                return NONE
        if not any(self.addresses.accesses[index].loads for index in meanings if index in self.addresses.accesses):
            return NONE
        meanings.update(_far(self.addresses, list(near)))
        return Memory(meanings, {index: made.writes for index, made in meanings.items()})

    def _effect(self, access: Access) -> Effect:
        near = tuple(map(_distance, access.near))
        if access.loads:
            return self.slots.load(access._replace(near=near))
        space = access.space
        if space not in self.others:
            self.others[space] = tuple(
                name for each in self.slots.spaces if each != space for name in self.slots.names(each)
            )
        return self.slots.store(access._replace(near=near), self.others[space])

    def _forgotten(self, index: int, names: tuple[str, ...]) -> Lowering | None:
        """Return what a line does that may write everything under these names."""
        return Lowering((*self.addresses.writes(index), *names)) if names else None


# ---- how far addresses are from the stack pointer ----


def _distance(name: str) -> str:
    """Return the register that tells how far one with an address is from the stack pointer."""
    return f"{name} from the stack pointer"


def _carried(index: int) -> str:
    return f"distance, carry {index}"


def _far(addresses: Addresses, wanted: list[str]) -> dict[int, Lowering]:
    """Return what lines do that put addresses of the stack into these registers: they tell how far from it, too.

    A sum that has an address of the stack for one of its terms is as far from the stack pointer as the same sum with
    the distance of that term in its place; so are the two words of a sum of 64 bits, with the carry between them.
    """
    made: dict[int, Lowering] = {}
    waiting = [index for name in wanted for index in addresses.ssa.code.writers(name)]
    while waiting:
        index = waiting.pop()
        values = None if index in made else addresses.made(index)
        means = addresses.taken(index)[1]
        if values is None or means is None or not all(map(rooted, values)):
            continue
        told = tuple(map(_distance, means.writes))
        if not any(isinstance(each, Near | NearUpper) for each in values):
            out = _telling(means, [_number(each) for each in values])
            made[index] = means._replace(writes=(*means.writes, *told), transfer=out)
            continue
        given = addresses.given(index)
        reads: list[object] = []
        for each in means.reads:
            held = given.get(each) if isinstance(each, str) else None
            if held is not None and rooted(held):
                near = isinstance(held, Near | NearUpper)
                reads.append(_distance(str(each)) if near else _number(held))
                waiting += addresses.ssa.code.writers(str(each)) if near else ()
            else:
                reads.append(each)
        at = addresses.carry(index)
        if at is not None:
            reads[-1] = _carried(at)
            waiting.append(at)
        if means.carry_out:
            told = (*told, _carried(index))
        writes, reads = (*means.writes, *told), [*reads, *means.reads]
        made[index] = means._replace(writes=writes, reads=tuple(reads), transfer=_twice(means))
    return made


def _number(held: Held) -> Value:
    """Return how far from the stack pointer a word is, of an address that is a number away from it."""
    assert isinstance(held, Sum | Upper)
    return known.const((held.plus >> WIDTH if isinstance(held, Upper) else held.plus) & ones(WIDTH), WIDTH)


def _parts(means: Lowering) -> tuple[Part, ...]:
    if isinstance(means.transfer, Results):
        return means.transfer.parts
    if means.transfer is None:
        return (((), GIVEN(UNKNOWN)),) * len(means.writes)
    return ((tuple(range(len(means.reads))), means.transfer),)


def _telling(means: Lowering, numbers: list[Value]) -> Results:
    """Return what does the same and gives these numbers, too."""
    parts, writes = _parts(means), len(means.writes)
    return Results((*parts[:writes], *[((), GIVEN(number)) for number in numbers], *parts[writes:]))


def _twice(means: Lowering) -> Results:
    """Return what does the same with twice as many values: the distances in the place of addresses come first."""
    parts, writes, reads = _parts(means), len(means.writes), len(means.reads)
    near = [(places, replaced(of, [CUT(each, WIDTH) for each in inputs(len(places))])) for places, of in parts]
    made = [(tuple([reads + place for place in places]), of) for places, of in parts]
    return Results((*made[:writes], *near, *made[writes:]))
