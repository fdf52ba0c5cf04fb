"""Rules for the strides of shared-memory descriptors: those that end inside a row of the swizzle mode, and those that
were not divided by 16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.layout.strides import LBO, NICK, SBO, UNIT, Stride, contiguous_along, in_atoms, is_absolute, strides_of
from smemdesc.rules.asks import NEEDS_STRIDES
from smemdesc.rules.base import ERROR, NOTE, Finding, Problem, Repair, explained, note, rule, warning

RELATIVE, ABSOLUTE = "relative", "absolute"
_ENCODE = "matrix-descriptor-encode(x) = (x & 0x3FFFF) >> 4"
_WGMMA, _TCGEN05 = f"PTX ISA 9.1, 9.7.15.5.1.2.2: {_ENCODE}", f"PTX ISA 9.1, 9.7.16.4.1: {_ENCODE}"
_ATOMS = "PTX ISA 9.1, Table 38; the address formula, measured on an H200"
_COMMON_MN, _MOST_MN = 256, 512
"""Elements of MN of the tiles that kernels have: a TMA box, and an MMA, have at most 256."""
_MOST_K = 1024
"""Bytes of K of such tiles."""


@explained(
    "Groups of 8 rows (8 k if MN-major, 4 in 128B_32B) begin where a row of the swizzle mode does. A stride that is "
    "no multiple of the row reads across rows, and nothing writes a tile so.",
    "smemdesc decode --kind tcgen05 0x4000404100010040",
    "sbo=1024",
)
@rule(SBO, "swizzle", source=_ATOMS, asks=(NEEDS_STRIDES,))
def sbo_inside_row(context: Context, sbo: int, swizzle: str) -> Problem | None:
    """With swizzle, SBO is a multiple of the row of the mode: 128, 64 or 32 bytes."""
    strides = [strides_of(swizzle, major, context)[1] for major in _majors(swizzle, context)]
    return _inside_row(sbo, strides, swizzle, context)


@explained(
    "Atoms along MN begin where a row of the swizzle mode does. A stride that is no multiple of the row reads across "
    "rows, and nothing writes a tile so.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major MN --shape 128x16 0x4000404001010040",
    "lbo=4096",
)
@rule(LBO, "swizzle", source=_ATOMS, asks=(NEEDS_STRIDES,))
def lbo_inside_row(context: Context, lbo: int, swizzle: str, lbo_mode: str = RELATIVE) -> Problem | None:
    """With swizzle, LBO is a multiple of the row of the mode where it has an effect."""
    if lbo_mode == ABSOLUTE or not context.major:
        return None
    stride = strides_of(swizzle, context.major, context)[0]
    if context.major == "K" and stride.used is not True:
        return None
    return _inside_row(lbo, [stride], swizzle, context)


def _majors(swizzle: str, context: Context) -> tuple[str, ...]:
    if context.major:
        return (context.major,)
    if MODE[swizzle].wide:
        return ("MN",)
    if context.dtype is None:
        return "K", "MN"
    # Imported where a type is given: most values come without one.
    from smemdesc.layout.atom import no_instruction

    return tuple(major for major in ("K", "MN") if not no_instruction(swizzle, major, context.dtype))


def _inside_row(size: int, strides: list[Stride], swizzle: str, context: Context) -> Problem | None:
    width = MODE[swizzle].width
    # Below an atom other rules report the fault: rows narrower than the atom may lie side by side.
    if size % width == 0 or any(size < stride.packed or stride.used is False for stride in strides):
        return None
    stride = strides[0]
    nick, between = NICK[stride.key], stride.between if context.major else stride.pieces
    return warning(
        f"{nick} {size} B is not a multiple of the {width}-byte row of {swizzle}: {between} begin inside a row",
        fix=f"write a multiple of {width} B: contiguous {stride.pieces} need {stride.packed} B",
        fields=(stride.key,),
    )


UNDIVIDED = ("lbo-not-divided", "sbo-not-divided")
"""Rules that guess at the tile: if it is known, the strides are compared with it instead."""


def refuted(finding: Finding, by: str) -> Finding:
    """Return a fault that more knowledge refutes as a note, which names that knowledge."""
    fault = "an error" if finding.severity == ERROR else "a warning"
    message = f"without {by} this would be {fault}: {finding.message}"
    return finding._replace(severity=NOTE, message=message, likely="", fix="", repair=(), because="")


class _Undivided(NamedTuple):
    """A stride that is 16 times as large as one that fits a tile."""

    right: int | None
    """Bytes that it should be; None if LBO or SBO is wrong, and it is not known which."""
    why: str
    certain: bool
    """Whether no tile that kernels have would need the stride as it is."""
    extent: str = ""
    """What a tile that needs it has; empty if no tile does."""


@explained(
    "Fields hold byte offsets divided by 16. In an MN-major tile with atoms contiguous along K, LBO is the size of "
    "all atoms along K; 16 times as large, it is that of a tile that no kernel has. A stride that some have, as 16384 "
    "B for K = 128 under 128B, is not reported.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major MN --shape 128x16 0x4000404020000040",
)
@rule(LBO, SBO, "swizzle", source=_WGMMA, tcgen05=_TCGEN05, partial=True, asks=(NEEDS_STRIDES,))
def lbo_not_divided(context: Context, _: Kind, *readings: FieldReading) -> Problem | None:
    """The field holds LBO divided by 16: it is not 16 times as large as in a tile."""
    return _say(LBO, readings[0], _undivided(context, *readings))


@explained(
    "Fields hold byte offsets divided by 16. The packed stride of 128B is 1024 B, encoded 64; 1024 in the field is "
    "16384 B, which hardly any tile has: 16 atoms along K, one after another. If the tile is given, "
    "the stride is compared with it instead.",
    "smemdesc decode --kind tcgen05 0x4000440000010040",
)
@rule(LBO, SBO, "swizzle", source=_WGMMA, tcgen05=_TCGEN05, partial=True, asks=(NEEDS_STRIDES,))
def sbo_not_divided(context: Context, _: Kind, *readings: FieldReading) -> Problem | None:
    """The field holds SBO divided by 16: it is not 16 times as large as in a tile."""
    return _say(SBO, readings[1], _undivided(context, *readings))


def _say(key: str, reading: FieldReading, undivided: dict[str, _Undivided]) -> Problem | None:
    wrong, size = undivided.get(key), reading.value
    if wrong is None or not isinstance(size, int):
        return None
    message = f"{NICK[key]} {size} B is 16 x {size // UNIT} B, and {wrong.why}"
    if not wrong.certain:
        return note(f"{message}; or it was not divided by 16", fields=(key,))
    # Strides that no tile has may be wrong in another way.
    repair = Repair(key, wrong.right) if wrong.right and wrong.extent else None
    fix = str(repair) if repair else f"divide {NICK[key] if wrong.right else 'LBO or SBO'} by 16"
    return warning(
        message,
        "a stride in bytes in the field, which holds it divided by 16",
        f"{fix}; or give the tile, if it has {wrong.extent}" if wrong.extent else fix,
        fields=(key,),
        repair=repair,
    )


def _undivided(
    context: Context, lbo: FieldReading, sbo: FieldReading, swizzle: FieldReading, lbo_mode: FieldReading | None = None
) -> dict[str, _Undivided]:
    """Return the strides that are 16 times too large, by their field, of every major-ness if it is not known."""
    mode, relative = swizzle.value, lbo_mode is None or lbo_mode.value == RELATIVE
    if not isinstance(mode, str) or not relative or context.tiled:  # the strides of a known tile are compared with it
        return {}
    readings = [_undivided_as(major, context, lbo, sbo, mode) for major in _majors(mode, context)]
    first, *others = readings
    return {
        key: wrong._replace(certain=all(reading[key].certain for reading in readings))
        for key, wrong in first.items()
        if all(key in failures and failures[key].right == wrong.right for failures in others)
    }


def _undivided_as(
    major: str, context: Context, lbo: FieldReading, sbo: FieldReading, swizzle: str
) -> dict[str, _Undivided]:
    pairs = zip(strides_of(swizzle, major, context), (lbo, sbo), strict=True)
    used = [(stride, reading.value) for stride, reading in pairs if _steps(stride, swizzle)]
    counts = in_atoms(used)
    if counts is None:
        return {}
    needed = _pieces(major, context, swizzle)
    near = contiguous_along(counts, needed)
    if near is None:
        return _of_no_tile(counts, needed, [stride for stride, _ in used])
    large = [stride for stride, _ in used if counts[stride.along] > 1 and counts[stride.along] % UNIT == 0]
    if not large:
        return {}
    count, least = counts[large[0].along], needed.get(near, 1)
    extent, common = _extent(near, count, major, context, swizzle)
    # A tile is a whole number of operands.
    if (common and (count < UNIT * least or not context.whole)) or (count > UNIT * least and count // UNIT % least):
        return {}
    right = max(count // UNIT, least) * large[0].packed
    return {large[0].key: _Undivided(right, f"a tile with it has {extent}", not common, extent)}


def _steps(stride: Stride, swizzle: str) -> bool:
    """Whether an operand steps over a stride, as far as is known: over LBO of a swizzled mode only if it is certain."""
    return stride.used is not False if stride.key == SBO or swizzle == "none" else stride.used is True


def is_packed(context: Context, fields: Mapping[str, FieldReading]) -> bool:
    """Whether the atoms that an operand reads are known to follow each other without a gap and without an overlap."""
    swizzle = fields["swizzle"].value
    if not isinstance(swizzle, str) or not context.major or is_absolute(fields):
        return False
    strides = strides_of(swizzle, context.major, context)
    counts = in_atoms((stride, fields[stride.key].value) for stride in strides if _steps(stride, swizzle))
    if counts is None:
        return False
    needed = _pieces(context.major, context, swizzle)
    near = contiguous_along(counts, needed)
    return near is not None and all(count in (1, needed.get(near)) for count in counts.values())


def _pieces(major: str, context: Context, swizzle: str) -> dict[str, int]:
    """Return how many atoms an operand has along MN and K at least."""
    if context.bits is None:
        return {}
    return {stride.along: stride.atoms for stride in strides_of(swizzle, major, context) if stride.atoms is not None}


def _of_no_tile(counts: dict[str, int], needed: dict[str, int], used: list[Stride]) -> dict[str, _Undivided]:
    """Return the strides that make a tile if divided by 16; both if only both together do."""
    large = [stride for stride in used if counts[stride.along] % UNIT == 0]
    fitting = []
    for group in ([large] if len(large) > 1 else []) + [[stride] for stride in large]:
        divided = counts | {stride.along: counts[stride.along] // UNIT for stride in group}
        if contiguous_along(divided, needed) is not None:
            fitting.append(group)
    if not fitting:
        return {}
    why = "no tile has such an LBO and SBO"
    if len(fitting[0]) == 1 and len(fitting) > 1:
        return {stride.key: _Undivided(None, why, True) for stride in large}
    return {stride.key: _Undivided(counts[stride.along] // UNIT * stride.packed, why, True) for stride in fitting[0]}


def _extent(near: str, count: int, major: str, context: Context, swizzle: str) -> tuple[str, bool]:
    """Describe this many contiguous atoms along a dimension, and return whether kernels have such tiles."""
    mode, bits = MODE[swizzle], context.bits or 16
    if near == "MN":
        elements = count * (8 if major == "K" else mode.width * 8 // bits)
        common = elements <= _COMMON_MN or (elements <= _MOST_MN and elements < UNIT * (context.mn or _MOST_MN))
        return f"{elements} elements of MN", common
    if major == "K":
        size = count * mode.width
        # One box of TMA for each atom would write it.
        return f"{size} B of K", size <= _MOST_K and swizzle == "none"
    size = count * mode.lines * bits // 8
    return f"{count * mode.lines} elements of K", size <= _MOST_K
