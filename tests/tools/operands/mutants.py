"""Right instructions with their tiles, what people change in them, and what a model of addresses says of the change.

The model is written from the documents alone and shares nothing with the package but the table that reads the types,
M and N out of an instruction descriptor: an instruction is right where there is a place (mn, k) in each tile from which
on every element is read from where the tile holds it, with the same k in A and in B.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import gcd
from typing import Any, NamedTuple

from operands.writing import MODES
from smemdesc.descriptors.encoding import build
from smemdesc.instructions.model import Mma, MmaOperand, OperandTile
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import BLOCK_SCALED, PACKED_FP4

CODES = {
    "wgmma": {"none": 0, "128B": 1, "64B": 2, "32B": 3},
    "tcgen05": {"none": 0, "128B_32B": 1, "128B": 2, "64B": 4, "32B": 6},
    "TMA": {"none": 0, "32B": 1, "64B": 2, "128B": 3},
}
FIXED = 7 << 46 | 3 << 14 | 3 << 30 | 0xFF << 53
"""Bits of a tcgen05 descriptor that are always the same: the version, and reserved ones."""
BITS = {"tf32": 32, "f16": 16, "bf16": 16, "b1": 1}
"""Bits that an element takes up in shared memory; of the others 8, packed e2m1 4."""
K = {"tf32": 8, "f16": 16, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
"""K of a dense tcgen05.mma."""


class Tile(NamedTuple):
    """What lies in the shared memory of one CTA."""

    mn: int
    k: int
    dtype: str
    bits: int
    major: str
    mode: str
    order: str
    at: int

    @property
    def atom(self) -> tuple[int, int]:
        """MN and K of an atom."""
        width, *_, lines = MODES[self.mode]
        row = width * 8 // self.bits
        return (8, row) if self.major == "K" else (row, lines)

    @property
    def strides(self) -> tuple[int, int]:
        """Bytes from one atom to the next along MN and along K."""
        mn, k = self.atom
        size = mn * k * self.bits // 8
        return (size, size * (self.mn // mn)) if self.order == "mn" else (size * (self.k // k), size)

    @property
    def size(self) -> int:
        return self.mn * self.k * self.bits // 8

    def offset(self, mn: int, k: int) -> int:
        """Return the bit of an element, from the beginning of the tile and before the swizzle."""
        width = MODES[self.mode][0]
        (atom_mn, atom_k), (by_mn, by_k) = self.atom, self.strides
        line, along = (mn % atom_mn, k % atom_k) if self.major == "K" else (k % atom_k, mn % atom_mn)
        return 8 * (mn // atom_mn * by_mn + k // atom_k * by_k + line * width) + along * self.bits


def swizzled(mode: str, bit: int, base_offset: int = 0) -> int:
    """Return the bit that lies at a bit address after the swizzle."""
    _, count, base, shift, _ = MODES[mode]
    moved = (bit // 8 - 128 * base_offset) >> (base + shift) & (1 << count) - 1
    return bit ^ moved << base + 3


@lru_cache(maxsize=16)
def units(tile: Tile) -> set[int]:
    """Return the 16-byte units that the tile lies in."""
    return {bit // 128 for bit in lies(tile)}


@lru_cache(maxsize=16)
def lies(tile: Tile) -> dict[int, tuple[int, int]]:
    """Return which element of the tile lies at each bit."""
    return {
        swizzled(tile.mode, 8 * tile.at + tile.offset(mn, k)): (mn, k)
        for mn, k in itertools.product(range(tile.mn), range(tile.k))
    }


class Descriptor(NamedTuple):
    """The raw fields; a number that is too large for its field carries into the next."""

    start: int
    lbo: int
    sbo: int
    swizzle: int
    version: int
    base_offset: int = 0
    absolute: int = 0

    def value(self, family: str) -> int:
        lo = {"start": 0, "lbo": 16, "sbo": 32, "version": 46, "base_offset": 49, "absolute": 52}
        lo["swizzle"] = 61 if family == "tcgen05" else 62
        return sum(raw << lo[key] for key, raw in self._asdict().items()) & (1 << 64) - 1


@cache
def _built(kind: str | None, says: tuple[tuple[str, Any], ...]) -> int:
    return build(kind_of("idesc", kind), dict(says), force=True).value


class Case(NamedTuple):
    """One instruction: what its descriptors say, and what lies in memory."""

    family: str
    kind: str | None
    group: int
    says: dict[str, Any]
    """M, N, types, major-nesses and sparsity, by the fields of the instruction descriptor."""
    a: Descriptor
    b: Descriptor
    a_tile: Tile
    b_tile: Tile
    sparse: bool = False
    """Whether the instruction is .sp: its descriptor should say so, too."""
    vec: int | None = None
    """Scale factors of a row, as in ``.scale_vec::2X``."""
    raws: Mapping[str, int] = {}
    """Raw numbers of fields of the instruction descriptor that no name stands for."""
    raw: int | None = None
    """The instruction descriptor that was made for another kind."""

    @property
    def absolute(self) -> bool:
        return self.says.get("k") == 96

    @property
    def idesc(self) -> int:
        if self.raw is not None:
            return self.raw
        table = kind_of("idesc", self.kind).table
        value = _built(self.kind, tuple(self.says.items()))
        for key, raw in self.raws.items():
            value = table.insert(value, key, raw)
        return value

    @property
    def mma(self) -> Mma:
        """The same for the package."""
        full = (1 << 64) - 1
        both = [MmaOperand(each.value(self.family), full) for each in (self.a, self.b)]
        tiles = [
            OperandTile((each.mn * self.group, each.k), each.mode, each.major, each.order, each.at, each.dtype)
            for each in (self.a_tile, self.b_tile)
        ]
        if self.family == "wgmma":
            said = Instruction("wgmma", sparse=self.sparse, **self.says)
            return Mma(said, *both, a_tile=tiles[0], b_tile=tiles[1])
        assert self.kind is not None
        said = Instruction(
            "tcgen05",
            mma_kind=self.kind,
            mma_kinds=(self.kind,),
            cta_group=self.group,
            ws=False,
            sparse=self.sparse,
            scale_vec=self.vec,
        )
        idesc = MmaOperand(self.idesc, (1 << 32) - 1)
        arch = "sm_103a" if self.absolute else None
        return Mma(said, *both, idesc, arch=arch, a_tile=tiles[0], b_tile=tiles[1])


# The model


def read(case: Case) -> dict[str, Any]:
    """Return what the instruction says, a descriptor of it as the table of its kind reads it."""
    if case.family == "wgmma":
        return {**case.says, "sparse": case.sparse}
    found = kind_of("idesc", case.kind).table.read(case.idesc)
    says: dict[str, Any] = {key: each.value for key, each in found.items()}
    for name in "ab":
        says[f"{name}_major"] = "MN" if says.get(f"transpose_{name}") else "K"
    k = K[str(case.kind)] * (2 if says["sparse"] else 1)
    return {**says, "k": says.get("k") or k}


def bits_of(dtype: str, kind: str | None) -> int:
    return BITS.get(dtype, 4 if kind in PACKED_FP4 else 8)


def addresses(case: Case, name: str, says: dict[str, Any]) -> Iterator[tuple[int, int, int]] | None:
    """Yield (mn, k, bit) of each element that the instruction reads; None where no descriptor says it."""
    value = getattr(case, name).value(case.family)
    family = case.family
    modes = {code: mode for mode, code in CODES[family].items()}
    mode = modes.get(value >> 61 if family == "tcgen05" else value >> 62)
    major, dtype = says[f"{name}_major"], says[f"{name}_type"]
    start, lbo, sbo = ((value >> lo & 0x3FFF) << 4 for lo in (0, 16, 32))
    base, absolute = value >> 49 & 7, family == "tcgen05" and value >> 52 & 1
    if mode is None or (family == "tcgen05" and value & FIXED != 1 << 46) or (mode == "128B_32B" and major == "K"):
        return None
    if absolute and (mode != "128B" or major == "MN"):
        return None
    bits = bits_of(dtype, case.kind)
    rows, k = says["m" if name == "a" else "n"] // case.group, says["k"]
    width, *_, lines = MODES[mode]

    def linear(mn: int, k: int) -> int:
        if absolute:
            byte, inside = k * bits // 8, start % 128
            line = start if inside + byte < 128 else lbo - 128 + inside
            return 8 * (line - start + mn % 8 * 128 + mn // 8 * sbo) + k * bits
        across, line = (k, mn) if major == "K" else (mn, k)
        atom, rest = divmod(across * bits, 8 * width)
        group, line = divmod(line, 8 if major == "K" else lines)
        by_atom, by_group = (sbo, lbo) if major == "MN" and mode == "none" else (lbo, sbo)
        return 8 * (atom * by_atom + group * by_group + line * width) + rest

    return (
        (row, column, swizzled(mode, 8 * start + linear(row, column), base))
        for row in range(rows)
        for column in range(k // 2 if name == "a" and says["sparse"] else k)
    )


def wrong(case: Case) -> str:
    """Say what is wrong with an instruction, empty where nothing is."""
    says = read(case)
    if case.sparse != says["sparse"]:
        return "sparsity"
    begins = []
    for name, tile in (("a", case.a_tile), ("b", case.b_tile)):
        dtype = says[f"{name}_type"]
        if dtype != tile.dtype or bits_of(dtype, case.kind) != tile.bits:
            return "type"
        places = addresses(case, name, says)
        if places is None or not says["m"] or not says["n"]:
            return "no such operand"
        there = lies(tile)
        moved = {(at[0] - mn, at[1] - k) if (at := there.get(bit)) else None for mn, k, bit in places}
        if len(moved) != 1 or None in moved:
            return "elements"
        mn, k = moved.pop()
        if mn % gcd(says["m" if name == "a" else "n"] // case.group, tile.mn):
            return "MN step"
        begins.append(k)
    a, b = begins
    a *= 2 if case.sparse else 1
    if a != b:
        return "K"
    if units(case.a_tile) & units(case.b_tile) and not parts(case.a_tile, case.b_tile):
        return "overlap"
    if case.vec and any(says.get(f"{name}_scale_id") != scale_id(case, a) for name in "ab"):
        return "scale factors"
    return ""


def parts(one: Tile, other: Tile) -> bool:
    """Whether all of one tile is rows of the other, as in the product of a matrix with itself."""
    small, large = sorted((lies(one), lies(other)), key=len)
    moved = {(at[0] - mn, at[1] - k) if (at := large.get(bit)) else None for bit, (mn, k) in small.items()}
    return None not in moved and len(moved) == 1 and moved.pop()[1] == 0


def scale_id(case: Case, k: int) -> int:
    """Return the byte of the first scale factor for a k of the tile, factors one after another."""
    block = K[str(case.kind)] // (case.vec or 1) * (2 if case.sparse else 1)
    return k // block % 4


# Right instructions


def start_of(tile: Tile, mn: int, k: int) -> int:
    return tile.at + tile.offset(mn, k) // 8


def described(family: str, tile: Tile, mn: int, k: int, one_k: int) -> Descriptor:
    """Return the descriptor of the instruction that begins at an element of a tile."""
    by_mn, by_k = tile.strides
    width, used = MODES[tile.mode][0], one_k * tile.bits // 8
    start = start_of(tile, mn, k)
    if tile.major == "K":
        lbo, sbo = (by_k if tile.mode == "none" or used > width else 16), by_mn
    else:
        lbo, sbo = (by_k, by_mn) if tile.mode == "none" else (by_mn, by_k)
    absolute = used == 48
    if absolute:
        lbo = start - start % 128 + (by_k if start % 128 + 48 > 128 else 0)
    version = int(family == "tcgen05")
    return Descriptor(start >> 4, lbo >> 4, sbo >> 4, CODES[family][tile.mode], version, 0, int(absolute))


def right(
    family: str,
    kind: str | None,
    types: tuple[str, str],
    majors: tuple[str, str] = ("K", "K"),
    modes: tuple[str, str] = ("128B", "128B"),
    orders: tuple[str, str] = ("mn", "mn"),
    *,
    group: int = 1,
    sparse: bool = False,
    k: int | None = None,
    vec: int | None = None,
    step: tuple[int, int] = (0, 0),
) -> Case:
    """Return a right instruction: the ``step``-th along M, and along K; the last one for -1."""
    bits = [bits_of(each, kind) for each in types]
    one_k = k or (K[kind] if kind else 256 // bits[1]) * (2 if sparse else 1)
    m = 64 if family == "wgmma" else 128 * group if kind and kind.startswith("mx") else 64 * group
    n = 64 * group
    # Two atoms along K of the operand that has the widest, and two instructions at least.
    whole_k = max(2 * one_k, *(16 * MODES[mode][0] // each for mode, each in zip(modes, bits, strict=True)))
    whole_k *= 2 if sparse or one_k * bits[1] == 48 * 8 else 1
    whole_k = -(-whole_k // one_k) * one_k if k != 96 else 768
    tiles = []
    at = 0x400
    for name, rows in (("a", 2 * m // group), ("b", n // group)):
        which = int(name == "b")
        deep = whole_k // 2 if sparse and not which else whole_k
        made = Tile(rows, deep, types[which], bits[which], majors[which], modes[which], orders[which], at)
        tiles.append(made)
        at += -(-made.size // 1024) * 1024
    steps = whole_k // one_k
    mn, deep = step[0] % 2 * m // group, step[1] % steps * one_k
    a = described(family, tiles[0], mn, deep // 2 if sparse else deep, one_k // 2 if sparse else one_k)
    b = described(family, tiles[1], 0, deep, one_k)
    if family == "wgmma":
        d = "s32" if types[0] in ("s8", "u8", "b1") else "f32"
        says = {"m": m, "n": n, "k": one_k, "d_type": d}
        says |= {f"{name}_type": each for name, each in zip("ab", types, strict=True)}
        says |= {f"{name}_major": each for name, each in zip("ab", majors, strict=True)}
        return Case(family, None, 1, says, a, b, tiles[0], tiles[1], sparse)
    says = {"m": m, "n": n, "sparse": sparse, "a_type": types[0], "b_type": types[1]}
    says |= {f"transpose_{name}": each == "MN" for name, each in zip("ab", majors, strict=True)}
    if kind in PACKED_FP4:
        says["k"] = one_k
    if kind == "mxf4nvf4":
        says["scale_type"] = "ue4m3" if vec == 4 else "ue8m0"
    made = Case(family, kind, group, says, a, b, tiles[0], tiles[1], sparse, vec)
    ids = dict.fromkeys(("a_scale_id", "b_scale_id"), scale_id(made, deep)) if vec else {}
    return made._replace(says={**says, **ids})


BOTH = [("K", "K"), ("K", "MN"), ("MN", "K"), ("MN", "MN")]
STEPS = ((0, 0), (1, 1), (1, -1))


@cache
def rights() -> dict[str, list[Case]]:
    """Right instructions of both generations, by family and kind."""
    found: dict[str, list[Case]] = {}

    def add(family: str, kind: str | None, *about: Any, **more: Any) -> None:
        for step in more.pop("steps", STEPS):
            found.setdefault(kind or family, []).append(right(family, kind, *about, step=step, **more))

    modes = ["none", "32B", "64B", "128B"]
    for family, kind in (("wgmma", None), ("tcgen05", "f16")):
        for number, ((a, b), majors) in enumerate(itertools.product(itertools.pairwise([*modes, "none"]), BOTH)):
            dtype = ("bf16", "f16")[number % 2]
            order = ("mn", "k")[number // 2 % 2]
            add(family, kind, (dtype, dtype), majors, (a, b), (order, "mn"), steps=STEPS[number % 3 :][:1])
        for majors in BOTH:
            add(family, kind, ("bf16", "bf16"), majors, ("128B", "128B"), ("k", "k"), steps=((1, 1),))
            add(family, kind, ("f16", "f16"), majors, ("64B", "128B"), sparse=True, steps=((1, 1),))
        add(family, kind, ("bf16", "bf16"), ("K", "K"), ("32B", "32B"), sparse=True, steps=((0, 1),))
    for a, b in (("tf32", "tf32"), ("e4m3", "e4m3"), ("e5m2", "e4m3"), ("s8", "s8"), ("u8", "s8"), ("b1", "b1")):
        add("wgmma", None, (a, b), steps=STEPS[1:])
        add("wgmma", None, (a, b), ("K", "K"), ("32B", "none"), ("k", "mn"), steps=((0, 1),))
    add("wgmma", None, ("e4m3", "e4m3"), sparse=True, steps=((1, 1),))
    add("tcgen05", "f16", ("bf16", "bf16"), group=2)
    add("tcgen05", "f16", ("bf16", "bf16"), ("MN", "MN"), ("128B", "64B"), ("k", "k"), group=2)
    add("tcgen05", "tf32", ("tf32", "tf32"))
    add("tcgen05", "tf32", ("tf32", "tf32"), ("MN", "MN"), ("128B_32B", "128B_32B"), ("mn", "k"))
    add("tcgen05", "tf32", ("tf32", "tf32"), ("K", "MN"), ("64B", "128B_32B"), sparse=True, steps=((1, 1),))
    for a, b in (("e4m3", "e4m3"), ("e5m2", "e2m1"), ("e3m2", "e2m3")):
        for kind, vec in (("f8f6f4", None), ("mxf8f6f4", 1)):
            add("tcgen05", kind, (a, b), vec=vec, steps=STEPS[1:])
            add("tcgen05", kind, (a, b), ("K", "K"), ("none", "32B"), ("k", "mn"), vec=vec, steps=((0, 1),))
    for kind, vec in (("f8f6f4", None), ("mxf8f6f4", 1)):
        add("tcgen05", kind, ("e4m3", "e5m2"), ("MN", "MN"), ("128B", "64B"), ("k", "mn"), vec=vec)
        add("tcgen05", kind, ("e4m3", "e4m3"), sparse=True, vec=vec, steps=((1, 1),))
        add("tcgen05", kind, ("e4m3", "e4m3"), group=2, vec=vec, steps=((1, 1),))
    add("tcgen05", "i8", ("u8", "s8"))
    add("tcgen05", "i8", ("s8", "s8"), ("MN", "MN"), ("64B", "none"), group=2)
    for kind, vec in (("mxf4", 2), ("mxf4nvf4", 2), ("mxf4nvf4", 4)):
        add("tcgen05", kind, ("e2m1", "e2m1"), vec=vec)
        add("tcgen05", kind, ("e2m1", "e2m1"), ("K", "K"), ("32B", "none"), group=2, vec=vec, steps=((0, 1),))
        add("tcgen05", kind, ("e2m1", "e2m1"), sparse=True, vec=vec, steps=((1, 1),))
        add("tcgen05", kind, ("e2m1", "e2m1"), k=96, vec=vec, steps=((0, 0), (1, 2)))
    return found


# What people change


def mutants(case: Case) -> Iterator[tuple[str, Case]]:
    """Yield (what was done, the instruction then) for one that is right: those that are another."""
    before = case.mma
    seen = set()
    for what, mutant in _changed(case):
        whole = all(not tile.mn % tile.atom[0] and not tile.k % tile.atom[1] for tile in (mutant.a_tile, mutant.b_tile))
        if whole and (after := mutant.mma) != before and after not in seen:
            seen.add(after)
            yield what, mutant


def _changed(case: Case) -> Iterator[tuple[str, Case]]:
    for name in "ab":
        for what, changed in _descriptors(case, name):
            yield what, case._replace(**{name: changed})
    a, b = case.a, case.b
    yield "A and B swapped", case._replace(a=b, b=a)
    yield "A and B swapped, with their tiles", case._replace(a=b, b=a, a_tile=case.b_tile, b_tile=case.a_tile)
    yield from _instructions(case)
    for name in ("a_tile", "b_tile"):
        for what, changed in _tiles(case, name):
            yield what, case._replace(**{name: changed})
    yield from _overlapping(case)


def _descriptors(case: Case, name: str) -> Iterator[tuple[str, Descriptor]]:
    said: Descriptor = getattr(case, name)
    other: Descriptor = case.b if name == "a" else case.a
    tile: Tile = getattr(case, f"{name}_tile")
    beside: Tile = case.b_tile if name == "a" else case.a_tile
    start, lbo, sbo = (each << 4 for each in (said.start, said.lbo, said.sbo))

    def at(byte: int) -> Descriptor:
        return said._replace(start=byte >> 4)

    yield "start: not divided by 16", at(start << 4)
    yield "start: carries into the next field", at(start + (1 << 18))
    yield "start: that of the other operand", at(other.start << 4)
    yield "start: the step of the other operand", at(tile.at + (other.start << 4) - beside.at)
    yield "start: without the address of the tile", at(start - tile.at)
    yield "start: the next stage", at(start + tile.size)
    for step in (1, 2, 4, 8, 16, 64, 128, 512):
        yield "start: some units too far", at(start + 16 * step)
        if start >= 16 * step:
            yield "start: some units too low", at(start - 16 * step)
    for mn, k in itertools.product(range(0, tile.mn, tile.mn // 2), range(0, tile.k, 256 // tile.bits)):
        what = "start: another step along K" if k else "start: another step along MN, or the first of all"
        yield what, at(start_of(tile, mn, k))
    for key, stride in (("lbo", lbo), ("sbo", sbo)):
        nick = key.upper()
        yield f"{nick}: not divided by 16", said._replace(**{key: stride})
        yield f"{nick}: not divided by 16, and cut", said._replace(**{key: stride & 0x3FFF})
        yield f"{nick}: divided by 16 twice", said._replace(**{key: stride >> 8})
        yield f"{nick}: in elements", said._replace(**{key: stride * 8 // tile.bits >> 4})
        yield f"{nick}: 0", said._replace(**{key: 0})
        yield f"{nick}: 1", said._replace(**{key: 1})
        yield f"{nick}: twice or half as much", said._replace(**{key: stride >> 3})
        yield f"{nick}: twice or half as much", said._replace(**{key: stride >> 5})
    yield "LBO and SBO swapped", said._replace(lbo=said.sbo, sbo=said.lbo)
    yield "strides: those of the other operand", said._replace(lbo=other.lbo, sbo=other.sbo)
    for mode in CODES[case.family]:
        if mode != "128B_32B" or tile.major == "MN":
            yield "strides: of another mode", _strides(case, said, tile._replace(mode=mode))
    yield "strides: of the other order of atoms", _strides(case, said, tile._replace(order=_other_order(tile)))
    if tile.mode != "128B_32B":
        yield "strides: of the other major-ness", _strides(case, said, tile._replace(major=_other_major(tile)))
    codes = {family: code[tile.mode] for family, code in CODES.items() if tile.mode in code}
    for code in range(8 if case.family == "tcgen05" else 4):
        made_for = [family for family, each in codes.items() if each == code and family != case.family]
        yield (
            f"swizzle: the code of {made_for[0]}" if made_for else "swizzle: another code",
            said._replace(swizzle=code),
        )
    for number in range(8):
        yield "base offset", said._replace(base_offset=number)
        yield "version", said._replace(version=number)
    if case.family == "tcgen05":
        yield "LBO mode", said._replace(absolute=1 - said.absolute)


def _strides(case: Case, said: Descriptor, tile: Tile) -> Descriptor:
    made = described(case.family, tile, 0, 0, 0)
    return said._replace(lbo=made.lbo, sbo=made.sbo)


def _other_order(tile: Tile) -> str:
    return "k" if tile.order == "mn" else "mn"


def _other_major(tile: Tile) -> str:
    return "MN" if tile.major == "K" else "K"


def _instructions(case: Case) -> Iterator[tuple[str, Case]]:
    def say(**more: Any) -> Case:
        return case._replace(says={**case.says, **more})

    m, n = case.says["m"], case.says["n"]
    a, b = case.says["a_type"], case.says["b_type"]
    if case.family == "wgmma":
        for number in (0, 8, 20, 48, 72, n // 2, n * 2, 256, 264):
            yield "N", say(n=number)
        yield "M", say(m=128)
        for name, dtype in itertools.product("ab", ("f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1")):
            yield "type of A or B", say(**{f"{name}_type": dtype})
            yield "types of A and B", say(a_type=dtype, b_type=dtype)
        yield "types swapped", say(a_type=b, b_type=a)
        for name in "ab":
            yield "transpose", say(**{f"{name}_major": "MN" if case.says[f"{name}_major"] == "K" else "K"})
        yield "sparsity", case._replace(sparse=not case.sparse)
        yield "K of the other sparsity", say(k=case.says["k"] // 2 if case.sparse else case.says["k"] * 2)
        return
    table = kind_of("idesc", case.kind).table
    for key in ("m", "n"):
        row = table.row(key)
        raw = case.idesc >> row.lo & (1 << row.width) - 1
        for number in {0, 1, 3, raw - 1, raw + 1, raw // 2, raw * 2, 16, 32, 34}:
            if 0 <= number < 1 << row.width:
                yield key.upper(), case._replace(raws={key: number})
    yield "M and N swapped", case._replace(raws={"m": n >> (7 if case.vec else 4), "n": m >> 3})
    for key in ("a_type", "b_type"):
        for raw in range(1 << table.row(key).width):
            yield "type of A or B", case._replace(raws={key: raw})
    yield "types swapped", say(a_type=b, b_type=a)
    for key in ("transpose_a", "transpose_b"):
        yield "transpose", case._replace(raws={key: 1 - case.says[key]})
    yield "sparsity", case._replace(raws={"sparse": int(not case.sparse)})
    yield "sparsity of the instruction", case._replace(sparse=not case.sparse)
    yield "cta_group", case._replace(group=3 - case.group)
    for kind in K:
        yield (
            "another MMA kind",
            case._replace(kind=kind, vec=case.vec if kind in BLOCK_SCALED else None, raw=case.idesc),
        )
    if case.vec:
        for key, number in itertools.product(("a_scale_id", "b_scale_id"), range(4)):
            yield "scale-factor id of A or B", say(**{key: number})
        for number in range(4):
            yield "scale-factor ids of another step", say(a_scale_id=number, b_scale_id=number)
    if "k" in case.says:
        yield "K", case._replace(raws={"k": int(not case.absolute)})


def _tiles(case: Case, name: str) -> Iterator[tuple[str, Tile]]:
    tile: Tile = getattr(case, name)
    for step in (16, 64, 128, 512, 1024, 8192):
        yield "tile: elsewhere", tile._replace(at=tile.at + step)
        yield "tile: elsewhere", tile._replace(at=max(0, tile.at - step))
    yield "tile: the other order of atoms", tile._replace(order=_other_order(tile))
    for mode in CODES[case.family]:
        if mode != "128B_32B" or tile.major == "MN":
            yield "tile: another swizzle mode", tile._replace(mode=mode)
    if tile.mode != "128B_32B":
        yield "tile: the other major-ness", tile._replace(major=_other_major(tile))
    yield "tile: another shape", tile._replace(mn=tile.mn * 2)
    yield "tile: another shape", tile._replace(mn=tile.mn // 2)
    yield "tile: another shape", tile._replace(k=tile.k * 2)
    yield "tile: another shape", tile._replace(k=tile.k // 2)
    yield "tile: another shape", tile._replace(mn=tile.k, k=tile.mn)
    for dtype in ("f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8"):
        yield "tile: another type", tile._replace(dtype=dtype, bits=bits_of(dtype, case.kind))


def _overlapping(case: Case) -> Iterator[tuple[str, Case]]:
    a, b = case.a_tile, case.b_tile
    for at in (a.at, a.at + a.size // 2, a.at + a.size - 1024, a.at + a.size * 8 // a.bits // 16):
        at = at // 1024 * 1024
        by = at - b.at >> 4
        moved = case.b._replace(start=case.b.start + by, lbo=case.b.lbo + by * case.b.absolute)
        yield "tiles overlap", case._replace(b=moved, b_tile=b._replace(at=at))
