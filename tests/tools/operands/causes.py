"""Right constants of random plans, and what comes out of each mistake in them, by its cause."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from eval.score import CAUSES

from operands.contexts import other_strides
from smemdesc.api.planning import plan
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.instructions.plan import OperandPlan, Plan
from smemdesc.kinds.addresses import START
from smemdesc.kinds.instruction import TRANSPOSED
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import BLACKWELL, MMA_KINDS
from smemdesc.kinds.types import read_by
from smemdesc.layout.operand import operand_of
from smemdesc.layout.strides import LBO, SBO
from smemdesc.tiles.tile import TileStep

PERIOD = 1024
INEXPRESSIBLE = ("expect-tx", "map-swizzle")
"""Causes that are in no descriptor: of an mbarrier, and of the map, where the descriptor is right."""
Constants = dict[str, int | bool]
"""The constants of an instruction: ``a``, ``b`` and ``idesc``, of wgmma ``trans_a`` and ``trans_b``."""


class Mistake(NamedTuple):
    """One constant as it should not be."""

    cause: str
    """One of :data:`eval.score.CAUSES`."""
    what: str
    name: str
    """Of the constant."""
    value: int | bool


class Planned(NamedTuple):
    """One MMA step of a plan, with its operands in shared memory."""

    plan: Plan
    starts: dict[str, int]
    """Where the tiles begin, in bytes, by the name of the operand."""
    mn: dict[str, int]
    """The number of the step along MN."""
    k: int
    """The number of the step along K."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a constant that is no immediate."""
        return self.operand(name).tile.kind if name in ("a", "b") else kind_of("idesc", self.mma_kind, self.plan.arch)

    @property
    def mma_kind(self) -> str | None:
        return self.plan.mma.instruction.mma_kind

    def operand(self, name: str) -> OperandPlan:
        return next(operand for operand in self.plan.operands if operand.name == name)

    def step(self, name: str, k: int | None = None) -> TileStep:
        """Return the step of an operand, or another one along K, in a tile that begins at byte 0."""
        tile = self.operand(name).tile
        return tile.steps[self.mn[name] * (tile.shape.k // tile.mma.k) + (self.k if k is None else k)]

    def descriptor(self, name: str) -> int:
        """Return the right descriptor of an operand."""
        tile, step, table = self.operand(name).tile, self.step(name), self.kind(name).table
        value = table.insert(step.value, START, (step.start + self.starts[name]) // 16)
        return table.insert(value, LBO, (step.lbo + self.starts[name]) // 16) if tile.absolute else value

    @property
    def right(self) -> Constants:
        """The right constants."""
        constants: Constants = {name: self.descriptor(name) for name in self.starts}
        scale = self.plan.scale
        if self.plan.idesc is not None:
            constants["idesc"] = scale.idescs[self.k] if scale else self.plan.idesc
            return constants
        return constants | {f"trans_{name}": self.operand(name).tile.major == "MN" for name in self.starts}

    def same(self, name: str, value: int | bool) -> bool:
        """Whether a constant is the right one, or a descriptor that reads the same bytes."""
        right = self.right[name]
        if name not in ("a", "b") or value == right:
            return value == right
        table, tile = self.kind(name).table, self.operand(name).tile
        fixed = sum(table.masks[row.key] for row in table.rows if row.constant)
        if (value ^ right) & fixed:
            return False
        fields, context = table.read(value), _context(tile)
        try:
            return operand_of(fields, context).grid == operand_of(table.read(int(right)), context).grid
        except SmemdescError:
            return False


def _context(tile: Any) -> Any:
    from smemdesc import Context

    return Context(dtype=tile.dtype, major=tile.major, shape=tile.mma)


# Right ones


def planned(random: Random) -> Planned:
    """Return a step of a random plan of either generation, in which nothing is wrong."""
    while True:
        try:
            made = plan(**_request(random))
        except SmemdescError:
            continue
        if made.findings:
            continue
        at, starts = PERIOD * random.randrange(24), {}
        for operand in made.operands:
            starts[operand.name] = at
            at += -(-operand.bytes // PERIOD) * PERIOD + PERIOD * random.randrange(2)
        _, _, k_steps = made.steps
        mn = {operand.name: random.randrange(len(operand.descriptors)) for operand in made.operands}
        return Planned(made, starts, mn, random.choice((0, random.randrange(k_steps))))


def _request(random: Random) -> dict[str, Any]:
    wgmma = random.random() < 0.5
    types: dict[str, Any]
    if wgmma:
        dtype = random.choice(("bf16", "f16", "tf32", "e4m3", "e5m2", "s8", "u8"))
        types, narrow = {"arch": "sm_90a", "dtype": dtype}, dtype not in TRANSPOSED
    else:
        arch, mma_kind = random.choice(BLACKWELL[:3:2]), random.choice(MMA_KINDS[:-1])
        both = [random.choice(read_by(mma_kind)) for _ in "ab"]
        if mma_kind in ("f16", "i8"):
            both[1] = both[0]
        types = {"arch": arch, "mma_kind": mma_kind, "dtype": both[0], "b_dtype": both[1]}
        narrow = mma_kind in ("mxf4", "mxf4nvf4")
        types["cta_group"] = random.choice((1, 1, 2))
    types["a_major"], types["b_major"] = ("K", "K") if narrow else (random.choice(("K", "MN")) for _ in "ab")
    types["sparse"] = random.random() < 0.15
    if not types["sparse"] and random.random() < 0.1:
        types |= {"a_from": "registers" if wgmma else "tmem", "a_major": "K"}
    packed = types.get("mma_kind") in ("mxf4", "mxf4nvf4")
    size = 4 if packed else {"tf32": 32, "f16": 16, "bf16": 16}.get(types["dtype"], 8)
    # Small ones, which are compared faster.
    shape = random.choice((64, 64, 128, 128, 256)), random.choice((8, 16, 32, 64, 96, 128))
    k = random.choice((1, 2, 2, 4, 4, 8)) * 256 // size * (2 if types["sparse"] else 1)
    # 128B_32B is what tf32 that is MN-major has without a request.
    swizzle = random.choice((None, None, "none", "32B", "64B", "128B"))
    if packed and types["arch"] == "sm_103a" and not types["sparse"] and random.random() < 0.3:
        shape, k, swizzle, types["mma"] = (128, shape[1]), 768, "128B", (128, shape[1], 96)
    return {**types, "shape": (*shape, k), "swizzle": swizzle, "order": random.choice((None, "mn", "k"))}


# Mistakes


def mistakes(case: Planned) -> Iterator[Mistake]:
    """Yield each mistake that makes another constant, which reads other bytes; each constant once for a cause."""
    seen = set()
    for mistake in _every(case):
        assert mistake.cause in CAUSES
        key = mistake.cause, mistake.name, mistake.value
        if key not in seen and not case.same(mistake.name, mistake.value):
            seen.add(key)
            yield mistake


def _every(case: Planned) -> Iterator[Mistake]:
    for name in case.starts:
        for cause, what, value in _of_descriptor(case, name):
            yield Mistake(cause, what, name, value)
    right = case.right
    if "idesc" in right:
        for cause, what, value in _of_instruction(case, int(right["idesc"])):
            yield Mistake(cause, what, "idesc", value)
    elif case.plan.mma.instruction.b_type in TRANSPOSED:
        for name in case.starts:
            yield Mistake(
                "transpose-bit", _transposed(bool(right[f"trans_{name}"])), f"trans_{name}", not right[f"trans_{name}"]
            )


def _transposed(right: bool) -> str:
    return "forgotten" if right else "set"


Changed = Iterator[tuple[str, str, int]]
"""Cause, what was done, and the constant then."""


def _put(kind: Kind, value: int, key: str, raw: int) -> Iterator[tuple[str, int]]:
    """Yield a constant with a number in a field: cut to it, and running into the bits above."""
    row, table = kind.table.row(key), kind.table
    cut = table.insert(value, key, raw & (1 << row.width) - 1)
    yield "", cut
    if raw >> row.width:
        rest = value & ~table.masks[key]
        yield ", not cut, |", (rest | raw << row.lo) & table.full
        yield ", not cut, +", rest + (raw << row.lo) & table.full


def _of_descriptor(case: Planned, name: str) -> Changed:
    kind, tile, value = case.kind(name), case.operand(name).tile, case.descriptor(name)
    table = kind.table
    raw = {key: reading.bits for key, reading in table.read(value).items()}
    lbo, sbo, start = raw[LBO], raw[SBO], raw[START]

    def put(key: str, number: int, what: str, cause: str) -> Changed:
        for how, changed in _put(kind, value, key, number):
            yield cause, what + how, changed

    def strides(lbo_is: int, sbo_is: int) -> int:
        return next(_put(kind, next(_put(kind, value, LBO, lbo_is))[1], SBO, sbo_is))[1]

    yield "lbo-sbo-swapped", "swapped", strides(sbo, lbo)
    for nick, key in (("LBO", LBO), ("SBO", SBO)):
        yield from put(key, raw[key] * 16, nick, "stride-not-divided")
        yield from put(key, raw[key] // 16, nick, "stride-divided-twice")
        for what, number in (("0", 0), ("half", raw[key] // 2), ("double", raw[key] * 2)):
            yield from put(key, number, f"{nick} {what}", "wrong-stride")
    for how, with_lbo in _put(kind, value, LBO, lbo * 16):
        for _, both in _put(kind, with_lbo, SBO, sbo * 16):
            yield "stride-not-divided", f"both{how}", both
    yield "stride-divided-twice", "both", strides(lbo // 16, sbo // 16)
    if not tile.absolute:
        for what, other in other_strides(tile):
            yield "wrong-stride", f"of the other {what}", strides(other[LBO], other[SBO])
            for key in (LBO, SBO):
                yield from put(key, other[key], f"of the other {what}, one", "wrong-stride")
    yield from _swizzles(kind, tile.swizzle, value)
    if kind.name == "tcgen05":
        yield "version-bits", "missing", table.insert(value, "version", 0)
    for number in {1, start * 16 // 128 % 8, 7} - {raw["base_offset"]}:
        yield "base-offset", "set", table.insert(value, "base_offset", number)
    yield from put(START, start * 16, "in bytes", "start-address-not-divided")
    for base in (0x40000, 0x1000000, 0x7F5C00000000):
        rest, pointer = value & ~table.masks[START], base >> 4 | start
        yield "start-address-carry", f"0x{base:x}, |", rest | pointer
        yield "start-address-carry", f"0x{base:x}, +", rest + pointer & table.full
    first, here = case.step(name, 0).start, case.step(name).start
    elements = case.step(name).k - case.step(name, 0).k
    for what, units in (
        ("in bytes", here - first),
        ("in elements", elements),
        ("in elements / 16", elements // 16),
        ("doubled", (here - first) // 8),
        ("half", (here - first) // 32),
    ):
        if case.k:
            yield "k-advance", what, next(_put(kind, value, START, start - (here - first) // 16 + units))[1]


def _swizzles(kind: Kind, swizzle: str, value: int) -> Changed:
    mode, row = MODE[swizzle], kind.table.row("swizzle")
    assert isinstance(row.codec, Enum)
    codes = {"the map": mode.tma_code, "wgmma": mode.wgmma, "tcgen05": mode.tcgen05}
    for of, code in codes.items():
        if of != kind.name and code is not None and code < 1 << row.width:
            legal = "" if code in row.codec.by_raw else ", undefined here"
            yield "swizzle-code", f"of {of}{legal}", kind.table.insert(value, "swizzle", code)
    yield "swizzle-missing", "0", kind.table.insert(value, "swizzle", 0)


def _of_instruction(case: Planned, value: int) -> Changed:
    kind = case.kind("idesc")
    table = kind.table
    read = table.read(value)

    def put(key: str, number: int, what: str, cause: str) -> Changed:
        for how, changed in _put(kind, value, key, number):
            yield cause, what + how, changed

    for key, shifts in (("m", (0, 3, 4, 6)), ("n", (0, 4))):
        size = int(read[key].value or 0)
        for shift in shifts:
            yield from put(key, size >> shift, f"{size >> shift}", f"{key}-code")
    for key in ("a_type", "b_type"):
        row = table.row(key)
        assert isinstance(row.codec, Enum)
        for code in range(1 << row.width):
            legal = "" if code in row.codec.by_raw else ", undefined here"
            yield "type-code", f"of {key[0].upper()}{legal}", table.insert(value, key, code)
    for name in "ab":
        bit = read.get(f"transpose_{name}")
        if bit is not None:
            yield "transpose-bit", _transposed(bool(bit.bits)), table.insert(value, f"transpose_{name}", 1 - bit.bits)
    yield "idesc-half", "the low half is 0", 0
    for key in ("a_scale_id", "b_scale_id"):
        for number in range(4) if key in read else ():
            yield "scale-id", key[0].upper(), table.insert(value, key, number)
