"""Rules for shared-memory descriptors whose whole case is known: what the strides do to every address."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.case import Context
from smemdesc.errors import SmemdescError
from smemdesc.findings.base import Problem, Rule, note, rule, warning
from smemdesc.kinds import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.layout.atom import exists, shape
from smemdesc.layout.operand import UNIT, Operand
from smemdesc.strides import LBO, SBO, strides_of

SHARED_MEMORY = 228 * 1024
"""Bytes of shared memory of one SM (sm_90, sm_100, sm_103); a CTA can have 227 KB of it."""
_FORMULA = "the address formula, measured on an H200"
_READS = ("start_address", LBO, SBO, "base_offset", "swizzle")


def _operand(
    context: Context, start: int, lbo: int, sbo: int, base_offset: int, swizzle: str, lbo_mode: str
) -> Operand | None:
    assert context.dtype is not None
    assert context.major is not None
    assert context.shape is not None
    try:
        return Operand(
            swizzle,
            context.major,
            context.dtype,
            context.shape,
            start=start,
            lbo=lbo,
            sbo=sbo,
            base_offset=base_offset,
            absolute=lbo_mode == "absolute",
        )
    except SmemdescError:  # another rule says why this cannot be
        return None


@rule(
    *_READS,
    source="the address formula, measured on an H200",
    tcgen05="the address formula, measured on an H200 for wgmma; CUTLASS has one for both",
)
def operand_overlap(
    context: Context, start: int, lbo: int, sbo: int, base_offset: int, swizzle: str, lbo_mode: str = "relative"
) -> Problem | None:
    """No two elements of the operand lie at the same address."""
    operand = _operand(context, start, lbo, sbo, base_offset, swizzle, lbo_mode)
    if operand is None:
        return None
    seen: dict[int, tuple[int, int]] = {}
    twice = 0
    first = ""
    for mn, k, address in operand.unit_addresses():
        if address in seen:
            twice += 1
            if not first:
                other = seen[address]
                first = f"({other[0]}, {other[1]}) and ({mn}, {k}) at 0x{address:05x}"
        else:
            seen[address] = (mn, k)
    if not twice:
        return None
    return warning(
        f"the strides lay elements over each other: (mn, k) = {first}"
        + (f", and {twice - 1} more units of 16 B" if twice > 1 else ""),
        "legal as a broadcast, else a stride that is too small",
        fields=(LBO, SBO),
    )


@rule(*_READS, source="CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0")
def outside_shared_memory(
    context: Context, start: int, lbo: int, sbo: int, base_offset: int, swizzle: str, lbo_mode: str = "relative"
) -> Problem | None:
    """Every byte of the operand lies within the 228 KB of shared memory."""
    operand = _operand(context, start, lbo, sbo, base_offset, swizzle, lbo_mode)
    if operand is None:
        return None
    end = max(address for _, _, address in operand.unit_addresses()) + UNIT
    if end <= SHARED_MEMORY:
        return None
    return warning(
        f"the operand ends at byte {end}, beyond the {SHARED_MEMORY} B (228 KB) of shared memory",
        "a stride or a start address that was not divided by 16; an address past the window faults, nothing wraps",
        fields=("start_address", LBO, SBO),
    )


@rule(LBO, SBO, "swizzle", source="PTX ISA 9.1, Table 38; CUTLASS make_gmma_desc, make_umma_desc")
def tile_and_box(context: Context, lbo: int, sbo: int, swizzle: str, lbo_mode: str = "relative") -> Iterator[Problem]:
    """The strides are those of a tile of whole atoms; the note names it, and the TMA swizzle and box that write it."""
    assert context.dtype is not None
    assert context.major is not None
    mode, major = MODE[swizzle], context.major
    if not exists(swizzle, major) or lbo_mode == "absolute":
        return
    strides = dict(zip((LBO, SBO), strides_of(swizzle, major, context), strict=True))
    atom = shape(swizzle, major, context.dtype)
    counts = {}
    for key, size in ((LBO, lbo), (SBO, sbo)):
        stride = strides[key]
        if stride.used:
            if not size or size % stride.packed:
                return
            counts[stride.along] = size // stride.packed
    inner = mode.width * 8 // context.dtype.storage
    along, across = ("K", "MN") if major == "K" else ("MN", "K")
    assert context.shape is not None
    order = _order(counts, {"MN": -(-context.shape[0] // atom.mn), "K": -(-context.shape[1] // atom.k)})
    if not order:
        return
    yield note(
        f"fits a tile of {atom} atoms{order}; TMA writes it with {mode.tma} ({mode.tma_code}) and a box of "
        f"{inner} elements of {along} ({mode.width} B) by the tile's {across}",
        fields=(LBO, SBO),
    )


def _order(counts: dict[str, int], needed: dict[str, int]) -> str:
    """Say how atoms follow each other, from their distances along K and MN in atoms; empty: not as a tile's.

    ``needed`` is how many atoms the operand has along each: so many fit before the next ones at least.
    """
    if len(counts) == 2 and (min(counts.values()) != 1 or max(counts.values()) == 1):
        return ""
    near = [along for along, count in counts.items() if count == 1]
    far = [(along, count) for along, count in counts.items() if count != 1]
    if not counts:
        return " (it is read within one)"
    if not far:
        return f" back to back along {' and '.join(near)}"
    along, count = far[0]
    other = "MN" if along == "K" else "K"
    if count < needed[other]:
        return ""
    return f", {count} of them along {other} before the next along {along}"


_ALL = (operand_overlap, outside_shared_memory, tile_and_box)


def rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of a shared-memory descriptor kind."""
    if kind.name == "wgmma":
        return _ALL
    return tuple(each._replace(reads=(*each.reads, "lbo_mode"), source=each.tcgen05 or each.source) for each in _ALL)
