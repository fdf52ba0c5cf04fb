"""Rules for the shared-memory descriptors of wgmma and tcgen05."""

from __future__ import annotations

from smemdesc.kinds.archs import variant_of
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.layout.strides import LBO, NICK, SBO, UNIT, Stride, meant_by, strides_of
from smemdesc.rules.asks import MAJOR, NEEDS_SHAPE, NEEDS_STRIDES, TYPE
from smemdesc.rules.base import Problem, Repair, Rule, error, explained, note, rule, warning
from smemdesc.rules.strides import (
    ABSOLUTE,
    RELATIVE,
    lbo_inside_row,
    lbo_not_divided,
    sbo_inside_row,
    sbo_not_divided,
)

_H200 = "measured on an H200"
_ASSUMED = "assumed for tcgen05 from wgmma, where it was measured"
_LBO_9_1 = "PTX ISA 9.1, 9.7.15.5.1.2.1.1"
_SBO_9_1 = "PTX ISA 9.1, 9.7.15.5.1.2.1.2"
_STRIDES_9_3 = "PTX ISA 9.3, 9.7.17.3.2"
_ZEROS = "CUTLASS, DeepGEMM and TVM always write 0"

UNUSED_LBO = (0, 16)
"""What is written where LBO has no effect: CUTLASS writes 1 (16 B), DeepGEMM 0."""


@explained(
    "The base offset is the phase of the swizzle pattern. Without swizzle there is no pattern, and the base offset "
    "has no effect; Triton writes one for its copies of scale factors. If there is a pattern, the mode is wrong.",
    "smemdesc decode --kind tcgen05 0x0002404000080040",
)
@rule(
    "base_offset",
    "swizzle",
    source=f"PTX ISA 9.1, 9.7.15.5.1.2.2; {_H200}",
    tcgen05=f"PTX ISA 9.1, 9.7.16.4.1; {_ASSUMED}",
)
def base_offset_without_swizzle(_: Context, base_offset: int, swizzle: str, lbo_mode: str = "") -> Problem | None:
    """Without swizzle the base offset is 0."""
    if not base_offset or swizzle != "none":
        return None
    message = f"base offset {base_offset} without swizzle has no effect"
    # Only tcgen05 has the LBO mode: Triton writes a base offset into its copies of scale factors.
    if lbo_mode:
        return note(message, fields=("base_offset", "swizzle"))
    return warning(message, repair=Repair("base_offset", 0))


@explained(
    "The swizzle pattern repeats: 128B every 8 lines of 128 bytes, 64B and 128B_32B every 4, 32B every 2. Only that "
    "many base offsets differ; the formula of PTX gives three bits in every mode.",
    "smemdesc decode --kind tcgen05 0x8008402000010040",
)
@rule(
    "base_offset",
    "swizzle",
    source=f"{_H200}: 128B uses 3 bits of it, 64B 2, 32B 1",
    tcgen05=f"PTX ISA 9.1, Table 41; {_ASSUMED}",
)
def base_offset_beyond_mode(_: Context, base_offset: int, swizzle: str) -> Problem | None:
    """The base offset has only bits that take effect: it is below 8 in 128B, 4 in 64B, 2 in 32B."""
    mode = MODE[swizzle]
    if swizzle == "none" or base_offset < mode.phases:
        return None
    # The document's own formula gives such a value, so there is nothing to repair.
    bits = (mode.phases - 1).bit_length()
    how = "bit takes effect" if bits == 1 else "bits take effect"
    where = "assumed from the period, not measured" if mode.wgmma is None else "measured on Hopper"
    return note(
        f"base offset {base_offset} with {swizzle}: {bits} {how} (the pattern repeats every {mode.period} B), so it "
        f"acts as {base_offset % mode.phases} ({where}); (pattern start >> 7) & 7 gives 3 bits in every mode",
    )


@explained(
    "The hardware XORs absolute shared-memory addresses, and so do TMA and CUTLASS when they write. For such data the "
    "base offset is 0, even if the matrix starts inside the pattern; any other value reads every row with the pattern "
    "of another row.",
    "smemdesc decode --kind tcgen05 0x4002404000010040",
    "base_offset=0",
)
@rule(
    "base_offset",
    "swizzle",
    source=f"PTX ISA 9.1, 9.7.15.5.1.2.2; {_ZEROS}",
    tcgen05=f"PTX ISA 9.1, 9.7.16.4.1; {_ZEROS}",
)
def base_offset_set(_: Context, base_offset: int, swizzle: str) -> Problem | None:
    """The base offset is 0 for data written by TMA or by code that swizzles absolute addresses."""
    phase = base_offset % MODE[swizzle].phases
    if not phase:
        return None
    return note(
        f"base offset {base_offset}: the swizzle pattern starts {phase * 128} B past a multiple of "
        f"{MODE[swizzle].period} B: the data were swizzled relative to a buffer that is 128-byte but not "
        f"{MODE[swizzle].period}-byte aligned (what TMA writes has base offset 0)",
    )


@explained(
    "LBO mode absolute is defined for the 128-byte swizzle with 16-byte atomicity (code 2) only.",
    "smemdesc decode --kind tcgen05 --arch sm_103a 0x8010402000010040",
    "lbo_mode=relative",
)
@rule("lbo_mode", "swizzle", source="PTX ISA 9.1, 9.7.16.3.1.2")
def lbo_absolute_swizzle(_: Context, lbo_mode: str, swizzle: str) -> Problem | None:
    """LBO mode absolute requires 128B swizzle (code 2)."""
    if lbo_mode != ABSOLUTE or swizzle == "128B":
        return None
    return error(
        f"LBO mode absolute requires swizzle 128B, not {swizzle}", fix="write lbo_mode relative, or swizzle 128B"
    )


@explained(
    "LBO mode absolute exists for K = 96 of packed fp4, whose layout PTX defines for base offset 0 only.",
    "smemdesc decode --kind tcgen05 --arch sm_103a 0x4012404000010040",
)
@rule("lbo_mode", "base_offset", source="PTX ISA 9.1, 9.7.16.3.1.2.1")
def lbo_absolute_base_offset(_: Context, lbo_mode: str, base_offset: int) -> Problem | None:
    """LBO mode absolute requires base offset 0."""
    if lbo_mode != ABSOLUTE or not base_offset:
        return None
    return error(f"LBO mode absolute requires base offset 0, not {base_offset}", repair=Repair("base_offset", 0))


@explained(
    "LBO mode absolute splits K between two 128-byte lines; only K-major operands have K along the line.",
    "smemdesc decode --kind tcgen05 --major MN --arch sm_103a 0x4010404000010040",
    "lbo_mode=relative lbo=1024",
)
@rule("lbo_mode", source="PTX ISA 9.1, 9.7.16.3.1.2", asks=(MAJOR,))
def lbo_absolute_major(context: Context, lbo_mode: str) -> Problem | None:
    """LBO mode absolute is for K-major operands only."""
    if lbo_mode != ABSOLUTE or context.major != "MN":
        return None
    fix = "write lbo_mode relative and LBO as an offset, or read the operand K-major"
    return error("LBO mode absolute is for K-major operands, not MN-major ones", fix=fix)


_NARROWEST = 16
"""Bytes of a row that every operand reads."""


def _collide(size: int, swizzle: str, major: str, context: Context) -> bool:
    """Whether groups of 8 rows (8 k; MN-major without swizzle 16-byte units of MN) ``size`` bytes apart share bytes.

    An operand narrower than the atom leaves room in its rows, where the next group may lie. Where the shape is not
    known, the narrowest operand with two groups is looked at: what collides then, collides in any.
    """
    mode = MODE[swizzle]
    lines = mode.rows(major)
    used, groups = _NARROWEST, 2
    if context.whole:
        assert context.shape is not None
        assert context.bits is not None
        used = min(context.shape[major == "K"] * context.bits // 8, mode.width)
        groups = strides_of(swizzle, major, context)[1].atoms or 1
    return any(abs(group * size - line * mode.width) < used for group in range(1, groups) for line in range(lines))


def _overlaps(size: int, stride: Stride, swizzle: str, major: str | None) -> Problem | None:
    if not 0 < size < stride.packed or stride.used is False:
        return None
    nick = NICK[stride.key]
    between = stride.between if major else stride.pieces
    count = f"{stride.packed // stride.width} x {stride.width} B"
    piece = stride.piece if swizzle == "none" else f"{swizzle} swizzle atom"
    if size * UNIT == stride.packed:
        return warning(
            f"{nick} {size} B: {stride.packed} B divided by 16 twice (a {piece} is {count})",
            f"{stride.packed // UNIT}, already in 16-byte units, was divided by 16 again",
            fields=(stride.key,),
            repair=Repair(stride.key, stride.packed),
        )
    # A stride that is right in another mode leaves open which of the two is wrong.
    if stride.key == SBO:
        likely = meant_by(size)
        fields = (SBO, "swizzle") if likely else (SBO,)
    else:
        fields = (LBO, "swizzle") if size >= _SMALLEST else (LBO,)
        likely = ""
        if size in UNUSED_LBO:
            likely = "16 B (encoded 1) is for swizzled K-major layouts, where LBO has no effect; here it has one"
    return warning(
        f"{nick} ({size} B) is smaller than a {piece} ({count} = {stride.packed} B): adjacent {between} overlap",
        likely or "a stride in elements or in 16-byte units, not in bytes",
        f"write {nick} {stride.packed} B or more, or check the swizzle mode",
        fields=fields,
    )


_SMALLEST = 8 * UNIT
"""Bytes of the smallest atom: the core matrix, without swizzle."""


@explained(
    "SBO is the stride between 8-row groups (8-k groups if MN-major). If it is too small, the groups overlap: the MMA "
    "multiplies the same rows several times. Usual causes are a stride divided by 16 twice, or a swizzle code from "
    "another numbering.",
    "smemdesc decode --kind tcgen05 0x4000400400010040",
)
@rule(SBO, "swizzle", source=_SBO_9_1, tcgen05=_STRIDES_9_3, asks=(NEEDS_STRIDES,))
def sbo_below_atom(context: Context, sbo: int, swizzle: str) -> Problem | None:
    """SBO is at least the size of a swizzle atom (8 rows; 4 k in 128B_32B) or, without swizzle, of a core matrix.

    If the operand is narrower than the atom, the next rows may lie beside it; then a smaller SBO is right.
    """
    if sbo >= 8 * MODE[swizzle].width:
        return None
    # Where the major-ness is not known, the smaller need counts: no finding that could be false.
    majors = (context.major,) if context.major else ("K", "MN")
    least = min((strides_of(swizzle, major, context)[1] for major in majors), key=lambda stride: stride.packed)
    collide = all(_collide(sbo, swizzle, major, context) for major in majors)
    if collide or (sbo * UNIT == least.packed and not context.whole) or least.used is False:
        return _overlaps(sbo, least, swizzle, context.major)
    if context.whole or not 0 < sbo < least.packed:
        return None
    return note(
        f"SBO ({sbo} B) is smaller than a {swizzle} swizzle atom ({least.packed} B): right only for operands narrower "
        "than its rows",
        fields=(SBO,),
    )


@explained(
    "Where LBO takes effect, it is the stride from one atom (without swizzle, from one core matrix) to the next. A "
    "smaller one makes them overlap: elements are read twice, others never. The usual cause is the LBO of a K-major "
    "layout, encoded 1, in an MN-major one.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major MN 0x4000404000010040",
    "lbo=1024",
)
@rule(LBO, "swizzle", source=_LBO_9_1, tcgen05=_STRIDES_9_3, asks=(NEEDS_STRIDES,))
def lbo_below_atom(context: Context, lbo: int, swizzle: str, lbo_mode: str = RELATIVE) -> Problem | None:
    """LBO, where it has an effect, is at least the size of a swizzle atom or, without swizzle, of a core matrix."""
    if lbo >= 8 * MODE[swizzle].width or lbo_mode == ABSOLUTE or (context.major is None and swizzle != "none"):
        return None
    stride = strides_of(swizzle, context.major or "K", context)[0]
    if context.major == "K" and swizzle != "none" and stride.used is not True:
        return None
    return _overlaps(lbo, stride, swizzle, context.major)


@explained(
    "With SBO 0 every 8-row group is read from the same bytes. That is legal as a broadcast, but usually the field "
    "was never set.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --major K --shape 64x16 0x4000400000010040",
    "sbo=1024",
)
@rule(
    SBO,
    "swizzle",
    source=f"{_SBO_9_1}; legal as a broadcast ({_H200})",
    tcgen05=f"{_STRIDES_9_3}; {_ASSUMED}",
    asks=(NEEDS_STRIDES,),
)
def sbo_zero(context: Context, sbo: int, swizzle: str) -> Problem | None:
    """SBO is not 0 where it has an effect."""
    return _broadcast(context, sbo, swizzle, 1)


@explained(
    "With LBO 0 every step along its dimension reads the same bytes. That is legal as a broadcast, but usually the "
    "field was never set.",
    "smemdesc decode --kind wgmma --dtype bf16 --major K 0x0000004000000040",
    "lbo=128",
)
@rule(
    LBO,
    "swizzle",
    source=f"{_LBO_9_1}; legal as a broadcast ({_H200})",
    tcgen05=f"{_STRIDES_9_3}; {_ASSUMED}",
    asks=(NEEDS_STRIDES,),
)
def lbo_zero(context: Context, lbo: int, swizzle: str, lbo_mode: str = RELATIVE) -> Problem | None:
    """LBO is not 0 where it has an effect."""
    if lbo or lbo_mode == ABSOLUTE or (context.major is None and swizzle != "none"):
        return None
    return _broadcast(context, lbo, swizzle, 0)


def _broadcast(context: Context, size: int, swizzle: str, which: int) -> Problem | None:
    if size:
        return None
    stride = strides_of(swizzle, context.major or "K", context)[which]
    nick = NICK[stride.key]
    if context.major and stride.used:
        return warning(
            f"{nick} 0 B: all {stride.between} are read from the same bytes",
            "the offset was never set (unless a broadcast is meant)",
            f"contiguous {stride.pieces} need {stride.packed} B",
            repair=Repair(stride.key, stride.packed),
        )
    # Where one atom holds all of a row CUTLASS writes 0: in a swizzled mode that alone is no evidence.
    if (context.major and stride.used is False) or (which == 0 and swizzle != "none"):
        return None
    return note(
        f"{nick} 0 B: if it has an effect, the same bytes are read again, as in a broadcast",
    )


@explained(
    "In a swizzled K-major layout LBO has no effect while K fits one atom, as in every dense MMA; CUTLASS writes 1 "
    "there. Another number does no harm: libraries write the step from one K atom to the next.",
    "smemdesc decode --kind wgmma --dtype f16 --major K 0x4000004000400040",
)
@rule(
    LBO,
    "swizzle",
    source=f'{_LBO_9_1} ("not used, assumed to be 1"); {_H200}',
    tcgen05=f"{_STRIDES_9_3}; CUTLASS writes 1; {_ASSUMED}",
    asks=(NEEDS_STRIDES,),
)
def lbo_k_major_swizzled(context: Context, lbo: int, swizzle: str, lbo_mode: str = RELATIVE) -> Problem | None:
    """In swizzled K-major layouts LBO is 16 B (encoded 1) or 0, unless K spans more than one atom."""
    if context.major != "K" or swizzle == "none" or lbo_mode == ABSOLUTE or lbo in UNUSED_LBO:
        return None
    stride = strides_of(swizzle, "K", context)[0]
    if stride.used:
        return None
    # Libraries write a true stride there, which does no harm.
    return note(
        f"LBO {lbo} B has no effect here: K-major {swizzle} uses LBO only if K spans more than {stride.width} B"
    )


@explained(
    "PTX gives no K-major atom for 128B_32B and CUTLASS rejects it. Code 1 usually comes from wgmma, where it is "
    "128B; tcgen05's code for 128B is 2.",
    "smemdesc decode --kind tcgen05 --major K 0x2000404000010040",
)
@rule(
    "swizzle",
    source="PTX ISA 9.3, Table 58 (no K-major atom); CUTLASS: SWIZZLE_128B_BASE32B is invalid for Major-K",
    asks=(MAJOR,),
)
def k_major_32b_atoms(context: Context, swizzle: str) -> Problem | None:
    """128B_32B is for MN-major operands."""
    if swizzle != "128B_32B" or context.major != "K":
        return None
    return warning(
        "K-major with 128B_32B: PTX ISA 9.3 Table 57 allows every mode, but Table 58 gives no such atom and "
        "CUTLASS rejects it",
        "code 1 is 128B in wgmma; in tcgen05 128B is code 2",
        "write swizzle 128B (code 2)",
        repair=Repair("swizzle", "128B"),
    )


@explained(
    "128B_32B exchanges 32-byte units instead of 16-byte ones; only MN-major tf32 uses it. Code 1 usually comes from "
    "wgmma, where it is 128B; data written with 128B are then read in the wrong order.",
    "smemdesc decode --kind tcgen05 --dtype bf16 0x2000404000010040",
)
@rule("swizzle", source="PTX ISA 9.3, Table 57", asks=(MAJOR,))
def swizzle_32b_atoms(context: Context, swizzle: str) -> Problem | None:
    """128B_32B is for MN-major tf32; 128B has another code."""
    if swizzle != "128B_32B" or context.major is not None:
        return None
    if context.bits not in (None, 32):
        assert context.dtype is not None
        return warning(
            f"128B_32B (code 1) with {context.dtype.name}: the mode is for MN-major 32-bit operands",
            "code 1 is 128B in wgmma; in tcgen05 128B is code 2",
            "write swizzle 128B (code 2)",
            repair=Repair("swizzle", "128B"),
        )
    return note(
        "128B_32B (code 1; in wgmma code 1 is 128B, which is 2 here) is for MN-major tf32 operands (for K-major the "
        "sources disagree)",
        "give --major and --dtype",
    )


@explained(
    "PTX lists MN-major operands of 32-bit types with 128B_32B only: the hardware transposes 32-byte units.",
    "smemdesc decode --kind tcgen05 --dtype tf32 --major MN 0x4000404000400040",
)
@rule("swizzle", source="PTX ISA 9.3, Table 57; CUTLASS sm100_smem_selector", asks=(MAJOR,))
def tf32_mn_major(context: Context, swizzle: str) -> Problem | None:
    """MN-major tf32 uses 128B_32B on tcgen05."""
    if context.major != "MN" or context.bits != 32 or swizzle == "128B_32B":
        return None
    return warning(
        f"MN-major tf32 with swizzle {swizzle}: only 128B_32B (code 1) is listed for 32-bit MN-major operands",
        fix="write swizzle 128B_32B, and write the data with CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B",
        repair=Repair("swizzle", "128B_32B"),
    )


@explained(
    "Packed 4-bit operands have no transpose: the transpose bits of kind::mxf4 and kind::mxf4nvf4 are 0.",
    "smemdesc decode --kind tcgen05 --mma-kind mxf4 --dtype e2m1 --major MN 0x4000404000400040",
    "--major K lbo=16",
)
@rule("swizzle", source="PTX ISA 9.3, Table 57", asks=(MAJOR,))
def mn_major_type(context: Context, swizzle: str) -> Problem | None:
    """MN-major operands are of 8, 16 or 32 bits; packed 4-bit ones are K-major."""
    dtype = context.dtype
    if context.major != "MN" or dtype is None:
        return None
    if dtype.storage == 4:
        return error(
            "packed e2m1 (kind::mxf4, kind::mxf4nvf4) is K-major only", fix="lay the operand out K-major", fields=()
        )
    if swizzle == "128B_32B" and dtype.storage != 32:
        return error(
            f"swizzle 128B_32B is for 32-bit operands, not {dtype.name}",
            fix="write swizzle 128B (code 2)",
            repair=Repair("swizzle", "128B"),
        )
    if dtype.bits < 8:
        # Of an instruction transpose-narrow says it.
        return note(
            f"MN-major {dtype.name}: the sources disagree. PTX ISA 9.3 Table 57 lists 8, 16 and 32 bits only and "
            "CUTLASS's instruction descriptor names neither fp4 nor fp6; Table 54 and CUTLASS's functionality tables "
            "allow it, PTX ISA 9.4 except with K = 64"
        )
    return None


@explained(
    "wgmma has transpose immediates for f16 and bf16 only; operands of every other type are read K-major.",
    "smemdesc decode --kind wgmma --dtype tf32 --major MN 0x4000004000400040",
    "--major K lbo=16",
)
@rule("swizzle", source="PTX ISA 9.1, 9.7.15.5.1.2; 9.4, 9.7.17.5.2", asks=(MAJOR,))
def wgmma_major(context: Context, swizzle: str) -> Problem | None:
    """MN-major operands of wgmma are f16 or bf16: the other types have no transpose immediates."""
    if context.major != "MN" or context.dtype is None or context.dtype.storage == 16 or not context.dtype.wgmma:
        return None
    return error(
        f"wgmma reads {context.dtype.name} K-major only (imm-trans exists for f16 and bf16)",
        fix="lay the operand out K-major",
    )


@explained(
    "wgmma has no 6-bit and no 4-bit types; they exist on tcgen05.",
    "smemdesc decode --kind wgmma --dtype e2m1 0x4000004000010040",
    "--dtype e4m3",
)
@rule("swizzle", source="PTX ISA 9.1, 9.7.15.2", asks=(TYPE,))
def wgmma_type(context: Context, swizzle: str) -> Problem | None:
    """The operand type is one of wgmma's."""
    if context.dtype is None or context.dtype.wgmma:
        return None
    # Imported where a type is given: most values come without one.
    from smemdesc.kinds.types import DTYPES

    types = ", ".join(dtype.name for dtype in DTYPES if dtype.wgmma)
    return error(f"wgmma has no operand type {context.dtype.name}", fix=f"its types: {types}", fields=())


@explained(
    "tcgen05.mma has no single-bit type; b1 exists on wgmma.",
    "smemdesc decode --kind tcgen05 --dtype b1 0x4000404000010040",
    "--dtype s8",
)
@rule("swizzle", source="PTX ISA 9.1, 9.7.16.2", asks=(TYPE,))
def tcgen05_type(context: Context, swizzle: str) -> Problem | None:
    """The operand type is one of tcgen05's."""
    if context.dtype is None or context.dtype.tcgen05:
        return None
    from smemdesc.kinds.types import DTYPES

    types = ", ".join(dtype.name for dtype in DTYPES if dtype.tcgen05)
    return error(f"tcgen05.mma has no operand type {context.dtype.name}", fix=f"its types: {types}", fields=())


@explained(
    "A descriptor is for the operand of one instruction: 32 bytes of K. With the shape of a whole tile, rules check "
    "addresses that the instruction never reads.",
    "smemdesc decode --kind tcgen05 --dtype bf16 --shape 128x64 0x4000404000010040",
    "--shape 128x16",
)
@rule("swizzle", source="PTX ISA 9.1, 9.7.15.2 and 9.7.16.2", asks=(NEEDS_SHAPE,))
def one_instruction(context: Context, swizzle: str) -> Problem | None:
    """The shape is the operand of one instruction: 32 bytes of K (48 for K = 96; 64 for B of a sparse MMA)."""
    if context.shape is None or context.bits is None or context.dtype is None:
        return None
    # Imported where a shape is given: most values come without one.
    from smemdesc.kinds.instruction import k_sizes

    # On sm_107 8-bit types have twice that, too, and a sparse K of 192 has 96 bytes of B.
    newer = bool(variant_of(context.arch, "tcgen05"))
    sizes = (*k_sizes(context.dtype, longer=newer), *([192] if newer and context.bits == 4 else []))
    if context.shape[1] in sizes:
        return None
    k_bytes = context.shape[1] * context.bits // 8
    return note(
        f"K = {context.shape[1]} of {context.dtype.name} is {k_bytes} B; one instruction reads 32 B of K "
        "(48 B with K = 96, 64 B for B of a sparse MMA)",
        f"give --shape {context.shape[0]}x{context.dtype.k}",
        fields=(),
    )


_BOTH = (
    base_offset_beyond_mode,
    base_offset_set,
    sbo_below_atom,
    sbo_zero,
    sbo_inside_row,
    one_instruction,
)
_LBO = (lbo_below_atom, lbo_zero, lbo_k_major_swizzled, lbo_inside_row, lbo_not_divided, sbo_not_divided)
_TCGEN05 = (
    lbo_absolute_swizzle,
    lbo_absolute_base_offset,
    lbo_absolute_major,
    k_major_32b_atoms,
    swizzle_32b_atoms,
    tf32_mn_major,
    mn_major_type,
    tcgen05_type,
)
_WGMMA = (wgmma_major, wgmma_type)


def smem_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of a shared-memory descriptor kind."""
    if kind.name == "wgmma":
        return (base_offset_without_swizzle, *_BOTH, *_LBO, *_WGMMA)
    # The tcgen05 table has an LBO mode, without which its LBO cannot be judged.
    base_offset, *lbo = (
        rule._replace(reads=(*rule.reads, "lbo_mode")) for rule in (base_offset_without_swizzle, *_LBO)
    )
    return (*map(_on_tcgen05, (base_offset, *_BOTH, *lbo)), *_TCGEN05)


def _on_tcgen05(rule: Rule) -> Rule:
    return rule._replace(source=rule.tcgen05 or rule.source)
