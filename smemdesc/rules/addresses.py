"""Rules for shared-memory descriptors of known type, major-ness and shape, or of a known tile: what the strides do to
every address, and whether they fit the tile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from math import gcd
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import many
from smemdesc.kinds.addresses import START
from smemdesc.kinds.archs import MOST_SHARED, shared_memory
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import k_sizes
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import ORDERS, atom_bytes, atom_shape, atom_tiling, exists
from smemdesc.layout.operand import LINE, UNIT, Operand
from smemdesc.layout.strides import (
    LBO,
    NICK,
    SBO,
    Stride,
    atom_of,
    contiguous_along,
    in_atoms,
    strides_of,
    without_effect,
)
from smemdesc.rules.asks import NEEDS_ADDRESSES, TILE
from smemdesc.rules.base import Problem, Repair, Rule, error, explained, note, rule, warning
from smemdesc.rules.completions import Matters, Readings

_FORMULA = "the address formula, measured on an H200"
_IN_ROW = LINE // UNIT - 1
"""The bits of a start address, in 16-byte units, that tell where it is in a row of a swizzle mode."""
_IN_PATTERN = 1024 // UNIT - 1
"""Those that tell where it is in the pattern of a swizzle mode."""
_READS = (START, LBO, SBO, "base_offset", "swizzle")


def operand_bytes(context: Context) -> int:
    """Return the bytes of the operand's elements."""
    assert context.shape is not None
    assert context.bits is not None
    return context.shape[0] * context.shape[1] * context.bits // 8


class _Walk(NamedTuple):
    """What one pass over the 16-byte units of an operand finds."""

    twice: int
    """Units that begin where another does."""
    first: str
    """The first two elements that share an address, or empty."""
    size: int
    """Bytes from the start address to the byte after the last one, before the swizzle, which moves units within a line
    of 128 bytes."""


def _walk(
    context: Context, swizzle: str, lbo_mode: str, lbo: int, sbo: int, start: int = 0, base_offset: int = 0
) -> _Walk | None:
    """Look at every unit; None if the operand is too large to, or cannot be (another rule says why).

    The start address and the base offset matter only where LBO is an address: the swizzle moves no two units to one.
    """
    assert context.dtype is not None
    assert context.major is not None
    assert context.shape is not None
    if operand_bytes(context) > 2 * (shared_memory(context.arch) or MOST_SHARED):
        return None
    if lbo_mode != "absolute":
        lbo, sbo = (
            0 if stride.used is False else size
            for stride, size in zip(strides_of(swizzle, context.major, context), (lbo, sbo), strict=True)
        )
        start = base_offset = 0
    return _walk_units(context.dtype, context.major, context.shape, swizzle, lbo_mode, start, lbo, sbo, base_offset)


@lru_cache(maxsize=256)
def _walk_units(
    dtype: DType, major: str, shape: tuple[int, int], swizzle: str, lbo_mode: str, *numbers: int
) -> _Walk | None:
    # Cached: two rules ask in sequence, and a plan asks for the same operand of several tiles.
    places = dict(zip(("start", "lbo", "sbo", "base_offset"), numbers, strict=True))
    try:
        operand = Operand(swizzle, major, dtype, shape, absolute=lbo_mode == "absolute", **places)
    except SmemdescError:
        return None
    units = list(operand.unit_addresses())
    apart = {address for _, _, address in units}
    lines, rows = operand.unit_offsets()
    size = max(offset for _, offset in lines) + max(offset for _, offset in rows) + UNIT
    if len(apart) == len(units):
        return _Walk(0, "", size)
    seen: dict[int, tuple[int, int]] = {}
    twice = 0
    first = ""
    for row, column, address in units:
        if address in seen:
            twice += 1
            first = first or f"{seen[address]} and ({row}, {column})"
        else:
            seen[address] = (row, column)
    return _Walk(twice, first, size)


def _effective(context: Context, fields: Readings) -> Matters:
    """Return 0 for the fields that change no overlap: strides without effect and, unless LBO is an address, the start
    and the base offset."""
    unused = dict.fromkeys(without_effect(fields, context), 0)
    relative = "lbo_mode" not in fields or fields["lbo_mode"].value == "relative"
    return {**unused, START: 0, "base_offset": 0} if relative else unused


@explained(
    "If two elements share an address, one of the two strides is too small, or both step over the same atoms. The "
    "result is wrong, without a fault.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major MN --shape 128x16 0x4000404000400040",
    "sbo=2048",
)
@rule(
    *_READS,
    source="the address formula, measured on an H200",
    tcgen05="the address formula, measured on an H200 for wgmma; CUTLASS has one for both",
    matters=_effective,
    sampled=True,
    asks=(NEEDS_ADDRESSES,),
)
def operand_overlap(
    context: Context, start: int, lbo: int, sbo: int, base_offset: int, swizzle: str, lbo_mode: str = "relative"
) -> Problem | None:
    """No two elements of the operand have the same address."""
    walk = _walk(context, swizzle, lbo_mode, lbo, sbo, start, base_offset)
    if walk is None or not walk.twice:
        return None
    small = _used(context, lbo, sbo, swizzle, lambda size, packed: size < packed)
    named = " and ".join(f"{NICK[stride.key]} {size} B" for stride, size in small)
    repair = None
    if len(small) == 1 and small[0][1] * UNIT == small[0][0].packed:
        repair = Repair(small[0][0].key, small[0][0].packed)
    return warning(
        f"elements overlap{f' ({named})' if named else ''}: (mn, k) = {walk.first} have one address"
        + (f", and so have {many(walk.twice - 1, 'more 16-byte unit')}" if walk.twice > 1 else ""),
        "LBO or SBO is too small (unless a broadcast is meant)",
        fields=tuple(stride.key for stride, _ in small) or (LBO, SBO),
        repair=repair,
    )


def _used(
    context: Context, lbo: int, sbo: int, swizzle: str, wrong: Callable[[int, int], bool]
) -> list[tuple[Stride, int]]:
    """Return the strides that the operand steps over and that are wrong by ``wrong(size, packed)``, with their size."""
    assert context.major is not None
    pairs = zip(strides_of(swizzle, context.major, context), (lbo, sbo), strict=True)
    return [(stride, size) for stride, size in pairs if stride.used is not False and wrong(size, stride.packed)]


@explained(
    "Addresses do not wrap around: a read beyond shared memory faults.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --shape 64x16 0x4000404000013fc0",
    "start=0x400",
)
@rule(
    *_READS,
    source="CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0",
    matters=lambda context, fields: dict.fromkeys((*without_effect(fields, context), "base_offset"), 0),
    sampled=True,
    asks=(NEEDS_ADDRESSES,),
)
def outside_shared_memory(
    context: Context, start: int, lbo: int, sbo: int, base_offset: int, swizzle: str, lbo_mode: str = "relative"
) -> Problem | None:
    """Every byte of the operand lies within shared memory: 228 KB, on sm_107 328 KB."""
    limit = shared_memory(context.arch)
    if limit is None:
        return None
    there = f"the {limit} B ({limit // 1024} KB) of shared memory"
    walk = _walk(context, swizzle, lbo_mode, lbo, sbo, start, base_offset)
    if walk is None or operand_bytes(context) > limit or start + walk.size <= limit:
        return None
    fits = start + operand_bytes(context) <= limit
    line = (start + walk.size - 1) // LINE * LINE
    return warning(
        f"the last 128-byte line of the operand is at 0x{line:05x}, beyond {there}",
        "a stride or start address that was not divided by 16; addresses do not wrap, a read past the end faults",
        # From a start that leaves room for a packed operand, only a stride leads out.
        fields=(LBO, SBO) if fits else ("start_address", LBO, SBO),
    )


@rule(
    source="CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0",
    name="outside-shared-memory",
    asks=(NEEDS_ADDRESSES,),
)
def larger_than_shared_memory(context: Context) -> Problem | None:
    """The operand is not larger than shared memory."""
    limit = shared_memory(context.arch)
    if limit is None or operand_bytes(context) <= limit:
        return None
    return warning(
        f"the operand is {operand_bytes(context)} B, larger than the {limit} B ({limit // 1024} KB) of shared memory",
        "the shape of a whole matrix, not of one instruction's operand",
        fields=(),
    )


@explained(
    "A K-major operand lies within one row of its swizzle atom, and so does each part of MN of an MN-major one. One "
    "that starts too far along the row runs into the next row, but what follows is in the next atom.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --shape 64x16 0x4000404000010047",
    "start=0x460",
)
@rule(
    *(START, "swizzle"),
    source=f"{_FORMULA}: an operand that leaves its row continues linearly",
    matters=lambda context, fields: {START: _IN_ROW},
    asks=(NEEDS_ADDRESSES,),
)
def row_crossing(context: Context, start: int, swizzle: str, lbo_mode: str = "relative") -> Problem | None:
    """A swizzled operand does not run past the end of its row of the swizzle atom."""
    if not crosses(context, start, swizzle, lbo_mode):
        return None
    assert context.bits is not None
    width = MODE[swizzle].width
    begin = start % width
    if context.major == "K":
        return warning(
            f"the operand starts at byte {begin} of a {width}-byte row and runs past its end into the next row",
            "a K step that left the swizzle atom; the next atom is a stride away",
            "start at a multiple of the K step within the row, or at the next atom",
            fields=(START,),
        )
    return warning(
        f"the operand starts at byte {begin} of a {width}-byte row of MN and runs past its end: mn "
        f"{(width - begin) * 8 // context.bits} of k 0 is read from the row of k 1",
        "a K step of a K-major operand, or a step along MN that ends inside an atom; a K step of an MN-major operand "
        "is a number of rows",
        "start at the beginning of a row",
        fields=(START,),
    )


def crosses(context: Context, start: int, swizzle: str, lbo_mode: str) -> bool:
    """Whether an operand runs past the end of a row of the atom, having begun inside that row."""
    extent = context.k if context.major == "K" else context.mn
    if not context.major or swizzle == "none" or lbo_mode != "relative" or extent is None:
        return False
    assert context.bits is not None
    width = MODE[swizzle].width
    return start % width + min(extent * context.bits // 8, width) > width


@explained(
    "In LBO mode absolute, LBO is the address of the second part of a K of 48 bytes. Other operands take LBO as a "
    "byte offset.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --shape 64x16 --arch sm_103a 0x4010404000010040",
)
@rule("lbo_mode", source="PTX ISA 9.1, 9.7.16.3.1.2; CUTLASS sm103 mainloops", asks=(NEEDS_ADDRESSES,))
def lbo_absolute_k(context: Context, lbo_mode: str) -> Problem | None:
    """LBO mode absolute is for K = 96 of packed e2m1 (48 bytes of K)."""
    assert context.bits is not None
    assert context.k is not None
    size = context.k * context.bits // 8
    if lbo_mode != "absolute" or (context.bits == 4 and size == 48):
        return None
    return warning(
        f"LBO mode absolute with {size} B of K: it is for K = 96 of packed e2m1 (48 B)",
        repair=Repair("lbo_mode", "relative"),
    )


@explained(
    "The strides are those of a tile of whole atoms. The note names the tile, and the swizzle and box of the tensor "
    "map that writes it: compare them with the kernel's.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --shape 64x16 0x4000404000010040",
)
@rule(
    *_READS,
    source="PTX ISA 9.1, Table 38; CUTLASS make_gmma_desc, make_umma_desc",
    sampled=True,
    asks=(NEEDS_ADDRESSES,),
)
def tile_and_box(
    kind: str,
    context: Context,
    start: int,
    lbo: int,
    sbo: int,
    base_offset: int,
    swizzle: str,
    lbo_mode: str = "relative",
) -> Problem | None:
    """The strides are those of a tile of whole atoms; the note names it, and the TMA swizzle and box that write it."""
    assert context.dtype is not None
    assert context.major is not None
    assert context.shape is not None
    mode, major = MODE[swizzle], context.major
    if not _written_by_tma(kind, context, swizzle) or lbo_mode == "absolute":
        return None
    if base_offset % mode.phases or not _ends_in_row(context, start, swizzle):
        return None
    walk = _walk(context, swizzle, lbo_mode, lbo, sbo, start, base_offset)
    if walk is None or start + walk.size > (shared_memory(context.arch) or MOST_SHARED):
        return None
    atom = atom_shape(swizzle, major, context.dtype)
    strides = strides_of(swizzle, major, context)
    counts = in_atoms(pair for pair in zip(strides, (lbo, sbo), strict=True) if pair[0].used)
    if counts is None:
        return None
    needed = {stride.along: stride.atoms or 1 for stride in strides}
    across = "MN" if major == "K" else "K"
    if start % atom_bytes(swizzle, major) >= mode.width:  # in another row of the atom: it ends in one atom more
        needed[across] += 1
        if counts.setdefault(across, 1) != 1:
            return None
    order = _order(counts, needed)
    if order is None:
        return None
    near, words = order
    inner = mode.width * 8 // context.dtype.storage
    # The rows of a box are contiguous: several atoms of a box follow each other across its inner dimension only.
    other_major = (
        f"the tile's {across}" if near == across else f"{getattr(atom, across.lower())} of {across}, one box per atom"
    )
    # Such a tile is rare, and what a wrong swizzle code makes of a common one.
    mode_of_sbo = atom_of(sbo) if near == major == "K" else ""
    return note(
        f"fits a tile of {atom} atoms{words}; TMA writes it with {mode.tma} ({mode.tma_code}) and a box of "
        f"{inner} elements of {major} ({mode.width} B) by {other_major}"
        + (f"; SBO {sbo} B is one atom of {mode_of_sbo}" if mode_of_sbo else ""),
        fields=(LBO, SBO),
    )


def _ends_in_row(context: Context, start: int, swizzle: str) -> bool:
    """Whether what an operand reads of a row ends in it."""
    assert context.bits is not None
    assert context.shape is not None
    width = MODE[swizzle].width
    size = context.shape[context.major == "K"] * context.bits // 8
    return start % width + min(size, width) <= width


def _written_by_tma(kind: str, context: Context, swizzle: str) -> bool:
    """Whether the type, the mode and the major-ness go together; other rules say why not."""
    assert context.dtype is not None
    bits = context.dtype.storage
    if not MODE[swizzle].tma:
        return False
    if context.major == "K":
        return exists(swizzle, "K") and bits > 1
    if kind == "wgmma":
        return bits == 16
    return MODE[swizzle].wide if bits == 32 else bits >= 8 and not MODE[swizzle].wide


def _order(counts: dict[str, int], needed: dict[str, int]) -> tuple[str, str] | None:
    """Say how atoms follow each other, from :func:`contiguous_along`'s arguments; None: not as a tile's.

    The first word of the answer is the dimension along which atoms are contiguous, or empty.
    """
    near = contiguous_along(counts, needed)
    if not near:
        return None if near is None else ("", " (the operand is within one)")
    far = next(((along, count) for along, count in counts.items() if count != 1), None)
    if far is None:
        return near, f", contiguous along {near}"
    return near, f", {far[1]} of them along {near} before the next along {far[0]}"


_FIRST = {"mn": "MN first", "k": "K first"}


@explained(
    "The strides of a descriptor are those of its tile: between atoms along MN and along K, one atom in the "
    "contiguous direction and a whole row of atoms in the other. Other strides read another tile.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major MN --tile 128x64 0x4000404000400040",
    "sbo=2048",
)
@rule(LBO, SBO, "swizzle", source="CUTLASS tile_to_shape, make_gmma_desc, make_umma_desc", asks=(TILE,))
def tile_strides(context: Context, lbo: int, sbo: int, swizzle: str, lbo_mode: str = "relative") -> Problem | None:
    """The strides that the operand uses are those of the given tile, with atoms contiguous along MN or along K."""
    assert context.dtype is not None
    assert context.major is not None
    assert context.tile is not None
    if lbo_mode == "absolute" or not exists(swizzle, context.major):
        return None
    tile = f"a tile of {context.tile[0]}x{context.tile[1]} {context.dtype.name}"
    orders = [context.order] if context.order else list(ORDERS)
    try:
        tilings = [atom_tiling(swizzle, context.major, context.dtype, context.tile, order) for order in orders]
    except SmemdescError as problem:
        return error(problem.option_message, fix=problem.option_hint, fields=("swizzle",))
    # Without the instruction's shape, one that reads all of MN.
    shape = context.shape or (context.tile[0], context.dtype.k)
    pair = strides_of(swizzle, context.major, context._replace(shape=shape))
    sizes = [(stride, size) for stride, size in zip(pair, (lbo, sbo), strict=True) if stride.used]
    wrong: list[list[tuple[Stride, int]]] = [
        [
            (stride, size)
            for stride, size in sizes
            if tiling.count(stride.along) > 1 and size != tiling.stride(stride.along)
        ]
        for tiling in tilings
    ]
    if not all(wrong):
        return None
    stride, size = min(wrong, key=len)[0]
    need = {_FIRST[tiling.order]: tiling.stride(stride.along) for tiling in tilings}
    strides = " or ".join(
        f"{there} B" + (f" ({order})" if len(set(need.values())) > 1 else "")
        for order, there in (need.items() if len(set(need.values())) > 1 else list(need.items())[:1])
    )
    nick = NICK[stride.key]
    best = tilings[wrong.index(min(wrong, key=len))]
    return error(
        f"{nick} {size} B: in {tile} the stride between {stride.between} is {strides}",
        "the stride of another tile" if size > 0 else "an offset that was never set",
        f"write {best.stride(stride.along)} B ({nick} {best.stride(stride.along) // 16:#x} in the field)",
        fields=(stride.key,),
        repair=Repair(stride.key, best.stride(stride.along)),
    )


@explained(
    "The base offset says where the swizzle pattern begins, and a step of a tile begins in the first row of an atom. "
    "Together they determine the start address.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --tile 128x64 0x4002404000010040",
    "base_offset=0",
)
@rule(
    *(START, "base_offset", "swizzle"),
    matters=lambda context, fields: {START: _IN_PATTERN},
    source="PTX ISA 9.1, 9.7.15.5.1.2.2; measured on an H200",
    tcgen05="PTX ISA 9.1, 9.7.16.4.1; assumed for tcgen05 from wgmma, where it was measured",
    asks=(TILE,),
)
def tile_base_offset(context: Context, start: int, base_offset: int, swizzle: str) -> Problem | None:
    """A base offset that takes effect fits a pattern in which a step of the tile begins at the start address."""
    assert context.major is not None
    mode = MODE[swizzle]
    phase = base_offset % mode.phases
    # A step begins in the first row of an atom: as far after the start of the pattern as it is in this row.
    if not phase or not exists(swizzle, context.major) or 0 <= start % mode.period - phase * LINE < mode.width:
        return None
    return error(
        f"base offset {base_offset}: the swizzle pattern starts {phase * LINE} B past a multiple of {mode.period} B, "
        f"and no step of this tile starts at 0x{start:05x}",
        fix="write base offset 0 for data written by TMA",
        repair=Repair("base_offset", 0),
        fields=("base_offset",),
    )


@explained(
    "A tile begins with the swizzle pattern, so each of its MMA steps starts in the first row of an atom, a whole "
    "number of steps into it. A start in another row reads other rows, a start within a step the halves of two steps.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --tile 128x64 0x4000404000010041",
    "start=0x400",
)
@rule(START, "base_offset", "swizzle", source="CUTLASS tile_to_shape, make_gmma_desc, make_umma_desc", asks=(TILE,))
def tile_start(context: Context, start: int, base_offset: int, swizzle: str) -> Problem | None:
    """The start address is that of a step of the tile, if the tile begins with the swizzle pattern: a warning where
    only a tile that begins inside the pattern has a step there, an error where none has."""
    assert context.dtype is not None
    assert context.major is not None
    mode = MODE[swizzle]
    # Without swizzle a tile begins at any multiple of 16 B; another rule is about a base offset.
    if swizzle == "none" or base_offset % mode.phases or not exists(swizzle, context.major):
        return None
    row, inside = divmod(start % mode.period, mode.width)
    step = gcd(mode.width, *_step_bytes(context))
    if inside % step:
        return error(
            f"the operand begins {inside} B into a {mode.width}-byte row: the steps of a tile begin at multiples of "
            f"{step} B",
            fix=f"start at a multiple of {step} B in the row",
            fields=(START,),
        )
    if not row:
        return None
    return warning(
        f"the operand begins in row {row} of the {swizzle} pattern: the steps of a tile that begins at a multiple of "
        f"{mode.period} B begin in row 0",
        "a K step that left the swizzle atom, or a tile that begins inside the pattern",
        f"start in row 0, and begin the tile at a multiple of {mode.period} B",
        fields=(START,),
    )


def _step_bytes(context: Context) -> tuple[int, ...]:
    """Return the bytes of a step along the contiguous dimension: of each instruction that there is, without a shape."""
    assert context.dtype is not None
    if context.shape is not None:
        extents = [context.shape[context.major == "K"]]
    else:
        extents = list(k_sizes(context.dtype)) if context.major == "K" else [128 // context.dtype.storage]
    return tuple(extent * context.dtype.storage // 8 for extent in extents)


def address_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of a shared-memory descriptor kind."""
    box = tile_and_box._replace(check=partial(tile_and_box.check, kind.name))
    both = (operand_overlap, outside_shared_memory, row_crossing, box)
    if kind.name == "wgmma":
        return (larger_than_shared_memory, *both)
    return (larger_than_shared_memory, *map(_with_lbo_mode, both), lbo_absolute_k)


def tile_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules that compare a shared-memory descriptor with the tile around it."""
    if kind.name == "wgmma":
        return (tile_strides, tile_base_offset, tile_start)
    base_offset = tile_base_offset._replace(source=tile_base_offset.tcgen05)
    return (_with_lbo_mode(tile_strides), base_offset, tile_start)


def _with_lbo_mode(rule: Rule) -> Rule:
    """Return a rule for the table of tcgen05."""
    return rule._replace(reads=(*rule.reads, "lbo_mode"), source=rule.tcgen05 or rule.source)
