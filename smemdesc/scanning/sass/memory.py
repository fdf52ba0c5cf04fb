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

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import known
from smemdesc.scanning.flow import Block
from smemdesc.scanning.known import UNKNOWN, Value
from smemdesc.scanning.ranges import whole
from smemdesc.scanning.sass.addresses import (
    STACK,
    Access,
    Addresses,
    Held,
    Near,
    NearUpper,
    Sum,
    Upper,
    reaches,
    rooted,
)
from smemdesc.scanning.sass.branches import BRANCHES
from smemdesc.scanning.sass.meaning import HARMLESS, KNOWN, Meaning
from smemdesc.scanning.sass.mma import NAMES
from smemdesc.scanning.sass.text import WIDTH, ZERO, Line, follows, parse

_WORD = 4
"""Bytes."""
_BYTE = 8
_MANY = 500_000
"""More reads and writes of words than so many are not followed."""
_MANY_NEAR = 5000
"""The same of those by addresses that may be one of several: each reads all of the stack."""
_PLACES = 64
"""So many addresses that may be meant are looked at."""
_ELSEWHERE = ("ATOMS", "ATOMG", "REDG", "REDAS", "ATOMAS", "REDUX")
"""They do not reach local memory."""
_NOTHING, _TOUCHES, _ANYTHING, _OTHERS = range(4)
_CACHED = 4096


class Memory(NamedTuple):
    """What lines do to words in memory."""

    meanings: dict[int, Meaning]
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
    blocks: Sequence[Block],
    take: Callable[[bytes], tuple[Line | None, Meaning | None]],
    writes: Callable[[int], tuple[str, ...]],
) -> Memory:
    """Find what a function keeps in memory and reads back.

    ``take`` parses a line and says what it does, ``writes`` returns the registers that a line writes.
    """
    kinds = {index: kind for index, line in enumerate(lines) if (kind := _KINDS[_mnemonic(line)])}
    touching = [index for index, kind in kinds.items() if kind == _TOUCHES]
    addresses = Addresses(lines, blocks, take, writes, touching)
    return _Made(addresses, kinds).memory()


class _Piece(NamedTuple):
    """A part of a space that every access at a known place has wholly or not at all: of one to four bytes."""

    start: int
    size: int
    name: str


class _Space(NamedTuple):
    pieces: list[_Piece]
    starts: list[int]

    def within(self, offset: int, size: int) -> list[_Piece]:
        """Return the pieces from one byte to another."""
        return self.pieces[bisect_left(self.starts, offset) : bisect_left(self.starts, offset + size)]


class _Made:
    def __init__(self, addresses: Addresses, kinds: dict[int, int]) -> None:
        self.addresses = addresses
        self.kinds = kinds
        self.followed = {block.because for block in addresses.blocks if block.called}
        self.spaces = _spaces(addresses.accesses.values())
        self.every = tuple(piece.name for space in self.spaces.values() for piece in space.pieces)
        self.shared = tuple(
            piece.name for name, space in self.spaces.items() if name != STACK for piece in space.pieces
        )
        self.others: dict[str, tuple[str, ...]] = {}
        self.done = 0
        near = sum(bool(access.near) for access in addresses.accesses.values())
        stack = self.spaces.get(STACK)
        self.near = stack is not None and near * len(stack.pieces) <= _MANY_NEAR

    def memory(self) -> Memory:
        """Return what lines do."""
        meanings: dict[int, Meaning] = {}
        if not self.every:
            return NONE
        near: dict[str, None] = {}
        for index, kind in self.kinds.items():
            access = self.addresses.accesses.get(index)
            made = None
            if access is not None and access.space in self.spaces and (self.near or not access.near):
                made = self._loaded(access) if access.loads else self._stored(access)
                near.update(dict.fromkeys(access.near) if made is not None else {})
            if made is None:
                line = self.addresses.touching.get(index)
                if kind == _ANYTHING or (line is not None and line.name in ("ST", "STL")):
                    made = self._forgotten(index, self.every)
                elif kind == _OTHERS or (line is not None and not _harmless(line)):
                    made = None if index in self.followed else self._forgotten(index, self.shared)
            if made is not None:
                meanings[index] = made
                self.done += len(made.reads) + len(made.writes)
            if self.done > _MANY:
                return NONE
        if not any(self.addresses.accesses[index].loads for index in meanings if index in self.addresses.accesses):
            return NONE
        meanings.update(_far(self.addresses, list(near)))
        return Memory(meanings, {index: made.writes for index, made in meanings.items()})

    def _forgotten(self, index: int, names: tuple[str, ...]) -> Meaning | None:
        """Return what a line does that may write everything under these names."""
        return Meaning((*self.addresses.writes(index), *names)) if names else None

    def _others(self, space: str) -> tuple[str, ...]:
        """Return what a store to a space may write of others, by which the same bytes may be meant."""
        if space == STACK:
            return self.shared
        if space not in self.others:
            own = {piece.name for piece in self.spaces[space].pieces}
            self.others[space] = tuple(name for name in self.every if name not in own)
        return self.others[space]

    def _loaded(self, access: Access) -> Meaning | None:
        words = _words(access.size)
        writes = tuple(follows(access.data, words))
        if len(writes) != words:
            return None
        signed = bool({"S8", "S16"} & set(access.line.suffixes))
        space = self.spaces[access.space]
        if access.near:
            shape = tuple((piece.start - access.offset, piece.size) for piece in space.pieces)
            reads = (*_apart(access), *(piece.name for piece in space.pieces))
            return Meaning(writes, reads, _loading_near(len(access.near), shape, access.size, signed))
        pieces = space.within(access.offset, access.size)
        shape = tuple((piece.start - access.offset, piece.size) for piece in pieces)
        return Meaning(writes, tuple(piece.name for piece in pieces), _loading(shape, access.size, signed))

    def _stored(self, access: Access) -> Meaning | None:
        words = _words(access.size)
        source = access.data.removesuffix(".reuse")
        data: tuple[object, ...] = (ZERO,) * words if source == "RZ" else tuple(follows(source, words))
        if len(data) != words:
            return None
        space = self.spaces[access.space]
        more = self._others(access.space)
        if access.near:
            shape = tuple((piece.start - access.offset, piece.size) for piece in space.pieces)
            names = tuple(piece.name for piece in space.pieces)
            transfer = _storing_near(len(access.near), shape, access.size, len(more))
            return Meaning((*names, *more), (*_apart(access), *data, *names), transfer)
        pieces = space.within(access.offset, access.size)
        shape = tuple((piece.start - access.offset, piece.size) for piece in pieces)
        names = tuple(piece.name for piece in pieces)
        return Meaning((*names, *more), data, _storing(shape, len(more)))


def _words(size: int) -> int:
    return max(1, size // _WORD)


def _spaces(accesses: Iterable[Access]) -> dict[str, _Space]:
    """Return the spaces that are both stored to and loaded from, in pieces."""
    cuts: dict[str, dict[int, None]] = {}
    covered: dict[str, dict[int, None]] = {}
    stored: set[str] = set()
    loaded: set[str] = set()
    for access in accesses:
        (loaded if access.loads else stored).add(access.space)
        if access.near:
            continue
        for start in range(access.offset, access.offset + access.size, _WORD):
            end = min(start + _WORD, access.offset + access.size)
            cuts.setdefault(access.space, {}).update({start: None, end: None})
            covered.setdefault(access.space, {}).update(dict.fromkeys(range(start, end)))
    found = {}
    for space in sorted(stored & loaded & cuts.keys()):
        edges = sorted(cuts[space])
        pieces = [
            _Piece(start, end - start, f"[{space} {start:#x}]")
            for start, end in pairwise(edges)
            if start in covered[space]
        ]
        found[space] = _Space(pieces, [piece.start for piece in pieces])
    return found


# ---- what loads and stores do to values ----


def _assembled(values: Sequence[Value], shape: Sequence[tuple[int, int]], size: int) -> list[Value]:
    """Return words of pieces that stand at places of them; what no piece has is not known."""
    bits = mask = 0
    for value, (start, count) in zip(values, shape, strict=True):
        part, of = known.cut(value, _BYTE * count)[:2]
        if start < 0:
            part, of = part >> -_BYTE * start, of >> -_BYTE * start
        else:
            part, of = part << _BYTE * start, of << _BYTE * start
        bits |= part & of
        mask |= of
    return [known.field((bits, mask & ones(_BYTE * size)), _BYTE * at, WIDTH) for at in range(0, size, _WORD)]


@lru_cache(_CACHED)
def _loading(shape: tuple[tuple[int, int], ...], size: int, signed: bool) -> Callable[..., object]:
    """Return what loads so many bytes out of pieces that stand at places of them."""
    if shape == ((0, _WORD),):
        return _one
    simple = shape == tuple((at, _WORD) for at in range(0, size, _WORD))

    def transfer(*values: Value) -> object:
        if simple:
            return tuple(whole(each, WIDTH) for each in values)
        return _extended(_assembled(values, shape, size), size, signed)

    return transfer


def _one(value: Value) -> Value:
    return whole(value, WIDTH)


def _extended(words: list[Value], size: int, signed: bool) -> object:
    if size < _WORD:
        return known.extend(known.cut(words[0], _BYTE * size), _BYTE * size, WIDTH, signed)
    return words[0] if len(words) == 1 else tuple(words)


@lru_cache(_CACHED)
def _loading_near(registers: int, shape: tuple[tuple[int, int], ...], size: int, signed: bool) -> Callable[..., object]:
    """Return what loads so many bytes from an address that is perhaps one of several."""

    def transfer(*values: Value) -> object:
        places = _places(values[:registers])
        words = [UNKNOWN] * _words(size)
        if places is not None:
            found = [_at(values[registers:], shape, place, size) for place in places]
            words = [known.meet_all([each[word] for each in found]) for word in range(len(words))]
        return _extended(words, size, signed)

    return transfer


def _at(values: Sequence[Value], shape: Sequence[tuple[int, int]], place: int, size: int) -> list[Value]:
    """Return the words that stand at a place."""
    inside = [
        (value, (start - place, count))
        for value, (start, count) in zip(values, shape, strict=True)
        if start < place + size and place < start + count
    ]
    return _assembled([value for value, _ in inside], [each for _, each in inside], size)


def _places(apart: Sequence[Value]) -> list[int] | None:
    """Return how far from the stack pointer an address may be; None: too many."""
    width = WIDTH * len(apart)
    low = apart[0]
    if len(apart) == 1:
        value: Value = whole(low, WIDTH)
    elif apart[1][1] & ones(WIDTH) == ones(WIDTH):
        value = known.join(low, apart[1], WIDTH)
        if len(low) == 5:
            above = (apart[1][0] & ones(WIDTH)) << WIDTH
            value = (*value, None, above | low[3], above | low[4])
    else:
        return None
    found = known.choices(value, width)
    if found is None or len(found) > _PLACES:
        return None
    return [number - (number >> width - 1 << width) for number in found]


@lru_cache(_CACHED)
def _storing(shape: tuple[tuple[int, int], ...], more: int) -> Callable[..., object]:
    """Return what stores words into pieces that stand at places of them, and leaves ``more`` others not known."""
    unknown = (UNKNOWN,) * more

    def transfer(*values: Value) -> object:
        out = (*(_part(values, start, count) for start, count in shape), *unknown)
        return out[0] if len(out) == 1 else out

    return transfer


def _part(words: Sequence[Value], start: int, count: int) -> Value:
    """Return bytes of words; a piece has no more than a word, and does not reach over two."""
    word = words[start // _WORD]
    return whole(word, WIDTH) if count == _WORD else known.field(word, _BYTE * (start % _WORD), _BYTE * count)


@lru_cache(_CACHED)
def _storing_near(registers: int, shape: tuple[tuple[int, int], ...], size: int, more: int) -> Callable[..., object]:
    """Return what stores words at an address that is perhaps one of several."""
    unknown = (UNKNOWN,) * more

    def transfer(*values: Value) -> object:
        places = _places(values[:registers])
        words, old = values[registers : registers + _words(size)], values[registers + _words(size) :]
        out: list[Value] = []
        for value, (start, count) in zip(old, shape, strict=True):
            if places is None:
                out.append(UNKNOWN)
                continue
            near = [place for place in places if start < place + size and place < start + count]
            made = [_over(value, start, count, words, place, size) for place in near]
            out.append(known.meet_all(made if len(near) == len(places) else [*made, value]))
        made_of = (*out, *unknown)
        return made_of[0] if len(made_of) == 1 else made_of

    return transfer


def _over(value: Value, start: int, count: int, words: Sequence[Value], place: int, size: int) -> Value:
    """Return a piece of which a store at a place writes bytes."""
    bits, mask = known.cut(value, _BYTE * count)[:2]
    for byte in range(count):
        at = start + byte - place
        if 0 <= at < size:
            new = known.field(words[at // _WORD], _BYTE * (at % _WORD), _BYTE)
            full = ones(_BYTE) << _BYTE * byte
            bits = bits & ~full | new[0] << _BYTE * byte
            mask = mask & ~full | new[1] << _BYTE * byte
    return bits & mask, mask


# ---- how far addresses are from the stack pointer ----


def _apart(access: Access) -> tuple[str, ...]:
    """Return the registers that tell how far those with an address are from the stack pointer."""
    return tuple(map(_distance, access.near))


def _distance(name: str) -> str:
    return f"{name} from the stack pointer"


def _carried(index: int) -> str:
    return f"distance, carry {index}"


def _far(addresses: Addresses, wanted: list[str]) -> dict[int, Meaning]:
    """Return what lines do that put addresses of the stack into these registers: they tell how far from it, too.

    A sum that has an address of the stack for one of its terms is as far from the stack pointer as the same sum with
    the distance of that term in its place; so are the two words of a sum of 64 bits, with the carry between them.
    """
    made: dict[int, Meaning] = {}
    waiting = [index for name in wanted for index in addresses.writers.get(name, ())]
    while waiting:
        index = waiting.pop()
        values = addresses.made.get(index)
        if values is None or index in made or not all(map(rooted, values)):
            continue
        means = addresses.take(addresses.lines[index])[1]
        if means is None:
            continue
        told = tuple(map(_distance, means.writes))
        given = addresses.given.get(index)
        if given is None:
            numbers = tuple(map(_number, values))
            out = _telling(means.transfer, len(means.writes), numbers)
            made[index] = means._replace(writes=(*means.writes, *told), transfer=out)
            continue
        reads: list[object] = []
        for each in means.reads:
            held = given.get(each) if isinstance(each, str) else None
            if held is not None and rooted(held):
                near = isinstance(held, Near | NearUpper)
                reads.append(_distance(str(each)) if near else _number(held))
                waiting += addresses.writers.get(str(each), ()) if near else ()
            else:
                reads.append(each)
        if means.carry_in:
            reads[-1] = _carried(addresses.carried[index])
            waiting.append(addresses.carried[index])
        if means.carry_out:
            told = (*told, _carried(index))
        assert means.transfer is not None
        transfer = _twice(means.transfer, len(means.writes), bool(means.carry_out))
        made[index] = means._replace(writes=(*means.writes, *told), reads=(*reads, *means.reads), transfer=transfer)
    return made


def _number(held: Held) -> Value:
    """Return how far from the stack pointer a word is, of an address that is a number away from it."""
    assert isinstance(held, Sum | Upper)
    return known.const((held.plus >> WIDTH if isinstance(held, Upper) else held.plus) & ones(WIDTH), WIDTH)


@lru_cache(_CACHED)
def _telling(transfer: Callable[..., object] | None, writes: int, numbers: tuple[Value, ...]) -> Callable[..., object]:
    """Return what does the same and gives these numbers, too."""

    def telling(*values: Value) -> object:
        made = (UNKNOWN,) * writes if transfer is None else transfer(*values)
        out: tuple[Value, ...] = made if isinstance(made, tuple) and isinstance(made[0], tuple) else (made,)
        return (*out[:writes], *numbers, *out[writes:])

    return telling


@lru_cache(_CACHED)
def _twice(transfer: Callable[..., object], writes: int, carries: bool) -> Callable[..., object]:
    """Return what does the same with twice as many values: the distances in the place of addresses come first."""

    def twice(*values: Value) -> object:
        half = len(values) // 2
        near, made = transfer(*(whole(each, WIDTH) for each in values[:half])), transfer(*values[half:])
        if writes + carries == 1:
            return made, near
        return (*made[:writes], *near, *made[writes:])  # type: ignore[index,misc]

    return twice
