"""Why each rule exists, and an example that breaks it: the data behind ``smemdesc explain`` and the page of rules.

An example is run when it is shown (:mod:`smemdesc.explanations.topics`), so its message and repair are the
program's output.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Values = Mapping[str, Any]


class DecodeExample(NamedTuple):
    """A value to decode. ``case``: keywords of :class:`smemdesc.kinds.context.Context`."""

    value: str
    kind: str = ""
    """A kind's id; empty: the value itself decides."""
    case: Mapping[str, Any] = {}
    fix: Mapping[str, Any] = {}
    """Fields to change; empty: the fields of the finding's repair."""
    then: Mapping[str, Any] = {}
    """The options to change."""
    text: str = ""
    """What to type instead, if no field is wrong."""


class Encode(NamedTuple):
    """Fields to encode with ``--force``."""

    kind: str
    fields: Values
    fix: Values


class TileExample(NamedTuple):
    """A tile to encode with ``--force``: the arguments of :func:`smemdesc.tiles.tile.tile`."""

    options: Values
    then: Values


class Padding(NamedTuple):
    """A mask to compare with the padding of a convolution: the arguments of ``layout.zero_columns.conv``."""

    convolution: Values
    value: str


class PlanExample(NamedTuple):
    """A GEMM's tile M x N x K to plan, the options of ``smemdesc plan``, and the tile that fits."""

    shape: str
    options: Values
    then: str


class MmaExample(NamedTuple):
    """One instruction to check with its operands: options of ``smemdesc mma``; ``then`` holds replacements."""

    options: Values
    then: Mapping[str, Any] = {}


class Dump(NamedTuple):
    """PTX to scan, in which the repair replaces ``wrong`` by ``right``."""

    text: str
    wrong: str = ""
    right: str = ""


class MapCallExample(NamedTuple):
    """Arguments of ``cuTensorMapEncodeTiled`` as CUTLASS prints them; ``right`` replaces ``wrong`` in them."""

    text: str
    wrong: str
    right: str


class RuleExample(NamedTuple):
    """The explanation of one rule."""

    why: str
    broken: DecodeExample | Encode | TileExample | Padding | PlanExample | MmaExample | Dump | MapCallExample
    also: tuple[str, ...] = ()
    """Other findings that the example inevitably has."""


START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"
_K: Values = {"dtype": "bf16", "major": "K", "shape": "64x16"}
_MXF4_MN: Values = {"dtype": "e2m1", "mma_kind": "mxf4", "major": "MN"}
_TILED: Values = {"dtype": "bf16", "major": "K", "tile": "128x64"}
_SM_103: Values = {"arch": "sm_103a"}
_SM_107: Values = {"arch": "sm_107a"}


def _ptx(idesc: str, *, a: str = "%rd1", b: str = "0x4000404000010440") -> str:
    return (
        ".version 9.0\n.target sm_100a\n.visible .entry k()\n{\n"
        f"mov.b64 %rd1, 0x4000404000010040;\nmov.b64 %rd2, {b};\nmov.b32 %r1, {idesc};\n"
        f"tcgen05.mma.cta_group::1.kind::f16 [%r2], {a}, %rd2, %r1, %p1;\n}}\n"
    )


_BF16: Values = {"dtype": "bf16", "major": "K", "swizzle": "128B"}
_TCGEN05: Values = {"a": "0x4000404000010040", "b": "0x4000404000010440", "idesc": "0x08200490", "mma_kind": "f16"}
_WGMMA: Values = {"inst": "m64n64k16", "dtype": "bf16", "a": "0x4000004000010040", "b": "0x4000004000010440"}


def _tcgen05(then: Values, **options: str | int | bool) -> MmaExample:
    """Return a valid tcgen05 instruction with some of its options replaced."""
    return MmaExample({**_TCGEN05, **options}, then)


_MAP = "box=64x128,swizzle=128B,dtype=bf16"


def _mapped(a_map: str, then: Values = {"a_map": _MAP}, **options: str) -> MmaExample:  # noqa: B006 (never changed)
    """Return an instruction of tcgen05 with a tensor map of A, and what is right."""
    return _tcgen05(then, a_map=a_map, **options)


EXAMPLES: dict[str, RuleExample] = {
    # Shared-memory descriptors
    "base-offset-beyond-mode": RuleExample(
        "The swizzle pattern repeats: 128B every 8 lines of 128 bytes, 64B and 128B_32B every 4, 32B every 2. Only "
        "that many base offsets differ; the formula of PTX gives three bits in every mode.",
        DecodeExample("0x8008402000010040", "tcgen05"),
    ),
    "base-offset-set": RuleExample(
        "The hardware XORs absolute shared-memory addresses, and so do TMA and CUTLASS when they write. For such data "
        "the base offset is 0, even if the matrix starts inside the pattern; any other value reads every row with the "
        "pattern of another row.",
        DecodeExample("0x4002404000010040", "tcgen05", fix={"base_offset": 0}),
    ),
    "base-offset-without-swizzle": RuleExample(
        "The base offset is the phase of the swizzle pattern. Without swizzle there is no pattern, and the base offset "
        "has no effect; Triton writes one for its copies of scale factors. If there is a pattern, the mode is wrong.",
        DecodeExample("0x0002404000080040", "tcgen05"),
    ),
    "lbo-absolute-base-offset": RuleExample(
        "LBO mode absolute exists for K = 96 of packed fp4, whose layout PTX defines for base offset 0 only.",
        DecodeExample("0x4012404000010040", "tcgen05", _SM_103),
        ("base-offset-set",),
    ),
    "lbo-absolute-k": RuleExample(
        "In LBO mode absolute, LBO is the address of the second part of a K of 48 bytes. Other operands take LBO as a "
        "byte offset.",
        DecodeExample("0x4010404000010040", "tcgen05", {**_K, **_SM_103}),
    ),
    "lbo-absolute-major": RuleExample(
        "LBO mode absolute splits K between two 128-byte lines; only K-major operands have K along the line.",
        DecodeExample(
            "0x4010404000010040", "tcgen05", {"major": "MN", **_SM_103}, fix={"lbo_mode": "relative", LBO: 1024}
        ),
    ),
    "lbo-absolute-swizzle": RuleExample(
        "LBO mode absolute is defined for the 128-byte swizzle with 16-byte atomicity (code 2) only.",
        DecodeExample("0x8010402000010040", "tcgen05", _SM_103, fix={"lbo_mode": "relative"}),
    ),
    "lbo-below-atom": RuleExample(
        "Where LBO takes effect, it is the stride from one atom (without swizzle, from one core matrix) to the next. A "
        "smaller one makes them overlap: elements are read twice, others never. The usual cause is the LBO of a "
        "K-major layout, encoded 1, in an MN-major one.",
        DecodeExample("0x4000404000010040", "tcgen05", {"dtype": "bf16", "major": "MN"}, fix={LBO: 1024}),
    ),
    "lbo-k-major-swizzled": RuleExample(
        "In a swizzled K-major layout LBO has no effect while K fits one atom, as in every dense MMA; CUTLASS writes 1 "
        "there. Another number does no harm: libraries write the step from one K atom to the next.",
        DecodeExample("0x4000004000400040", "wgmma", {"dtype": "f16", "major": "K"}),
    ),
    "lbo-zero": RuleExample(
        "With LBO 0 every step along its dimension reads the same bytes. That is legal as a broadcast, but usually the "
        "field was never set.",
        DecodeExample("0x0000004000000040", "wgmma", {"dtype": "bf16", "major": "K"}, fix={LBO: 128}),
    ),
    "sbo-below-atom": RuleExample(
        "SBO is the stride between 8-row groups (8-k groups if MN-major). If it is too small, the groups overlap: the "
        "MMA multiplies the same rows several times. Usual causes are a stride divided by 16 twice, or a swizzle "
        "code from another numbering.",
        DecodeExample("0x4000400400010040", "tcgen05"),
    ),
    "sbo-not-divided": RuleExample(
        "Fields hold byte offsets divided by 16. The packed stride of 128B is 1024 B, encoded 64; 1024 in the field is "
        "16384 B, which no tile of a kernel has.",
        DecodeExample("0x4000440000010040", "tcgen05"),
    ),
    "lbo-not-divided": RuleExample(
        "Fields hold byte offsets divided by 16. In an MN-major tile with atoms contiguous along K, LBO is the size of "
        "all atoms along K; 16 times as large, it is that of a tile that no kernel has. A stride that some have, as "
        "16384 B for K = 128 under 128B, is not reported.",
        DecodeExample("0x4000404020000040", "tcgen05", {"dtype": "bf16", "major": "MN", "shape": "128x16"}),
    ),
    "sbo-inside-row": RuleExample(
        "Groups of 8 rows (8 k if MN-major, 4 in 128B_32B) begin where a row of the swizzle mode does. A stride that "
        "is no multiple of the row reads across rows, and nothing writes a tile so.",
        DecodeExample("0x4000404100010040", "tcgen05", fix={SBO: 1024}),
    ),
    "lbo-inside-row": RuleExample(
        "Atoms along MN begin where a row of the swizzle mode does. A stride that is no multiple of the row reads "
        "across rows, and nothing writes a tile so.",
        DecodeExample(
            "0x4000404001010040", "tcgen05", {"dtype": "bf16", "major": "MN", "shape": "128x16"}, fix={LBO: 4096}
        ),
    ),
    "sbo-zero": RuleExample(
        "With SBO 0 every 8-row group is read from the same bytes. That is legal as a broadcast, but usually the field "
        "was never set.",
        DecodeExample("0x4000400000010040", "tcgen05", _K, fix={SBO: 1024}),
        ("operand-overlap",),
    ),
    "k-major-32b-atoms": RuleExample(
        "PTX gives no K-major atom for 128B_32B and CUTLASS rejects it. Code 1 usually comes from wgmma, where it is "
        "128B; tcgen05's code for 128B is 2.",
        DecodeExample("0x2000404000010040", "tcgen05", {"major": "K"}),
    ),
    "swizzle-32b-atoms": RuleExample(
        "128B_32B exchanges 32-byte units instead of 16-byte ones; only MN-major tf32 uses it. Code 1 usually comes "
        "from wgmma, where it is 128B; data written with 128B are then read in the wrong order.",
        DecodeExample("0x2000404000010040", "tcgen05", {"dtype": "bf16"}),
    ),
    "tf32-mn-major": RuleExample(
        "PTX lists MN-major operands of 32-bit types with 128B_32B only: the hardware transposes 32-byte units.",
        DecodeExample("0x4000404000400040", "tcgen05", {"dtype": "tf32", "major": "MN"}),
    ),
    "mn-major-type": RuleExample(
        "Packed 4-bit operands have no transpose: the transpose bits of kind::mxf4 and kind::mxf4nvf4 are 0.",
        DecodeExample("0x4000404000400040", "tcgen05", _MXF4_MN, fix={LBO: 16}, then={"major": "K"}),
    ),
    "wgmma-major": RuleExample(
        "wgmma has transpose immediates for f16 and bf16 only; operands of every other type are read K-major.",
        DecodeExample(
            "0x4000004000400040", "wgmma", {"dtype": "tf32", "major": "MN"}, fix={LBO: 16}, then={"major": "K"}
        ),
    ),
    "wgmma-type": RuleExample(
        "wgmma has no 6-bit and no 4-bit types; they exist on tcgen05.",
        DecodeExample("0x4000004000010040", "wgmma", {"dtype": "e2m1"}, then={"dtype": "e4m3"}),
    ),
    "tcgen05-type": RuleExample(
        "tcgen05.mma has no single-bit type; b1 exists on wgmma.",
        DecodeExample("0x4000404000010040", "tcgen05", {"dtype": "b1"}, then={"dtype": "s8"}),
    ),
    "one-instruction": RuleExample(
        "A descriptor is for the operand of one instruction: 32 bytes of K. With the shape of a whole tile, rules "
        "check addresses that the instruction never reads.",
        DecodeExample("0x4000404000010040", "tcgen05", {"dtype": "bf16", "shape": "128x64"}, then={"shape": "128x16"}),
    ),
    "tile-strides": RuleExample(
        "The strides of a descriptor are those of its tile: between atoms along MN and along K, one atom in the "
        "contiguous direction and a whole row of atoms in the other. Other strides read another tile.",
        DecodeExample(
            "0x4000404000400040", "tcgen05", {"dtype": "bf16", "major": "MN", "tile": "128x64"}, fix={SBO: 2048}
        ),
    ),
    "tile-base-offset": RuleExample(
        "The base offset says where the swizzle pattern begins, and a step of a tile begins in the first row of an "
        "atom. Together they determine the start address.",
        DecodeExample("0x4002404000010040", "tcgen05", _TILED, fix={"base_offset": 0}),
        ("base-offset-set",),
    ),
    "operand-overlap": RuleExample(
        "If two elements share an address, one of the two strides is too small, or both step over the same atoms. The "
        "result is wrong, without a fault.",
        DecodeExample("0x4000404000400040", "tcgen05", {**_K, "major": "MN", "shape": "128x16"}, fix={SBO: 2048}),
    ),
    "outside-shared-memory": RuleExample(
        "Addresses do not wrap around: a read beyond shared memory faults.",
        DecodeExample("0x4000404000013fc0", "tcgen05", _K, fix={START: 1024}),
        ("tile-and-box",),
    ),
    "row-crossing": RuleExample(
        "A K-major operand lies within one row of its swizzle atom. One that starts too far along the row runs into "
        "the next row, but the next K is in the next atom.",
        DecodeExample("0x4000404000010047", "tcgen05", _K, fix={START: 1024 + 96}),
    ),
    "tile-and-box": RuleExample(
        "The strides are those of a tile of whole atoms. The note names the tile, and the swizzle and box of the "
        "tensor map that writes it: compare them with the kernel's.",
        DecodeExample("0x4000404000010040", "tcgen05", _K),
    ),
    "reserved-bits": RuleExample(
        "Reserved bits are 0. A set bit is often a carry from an unmasked addition to the address, or an offset that "
        "was not divided by 16. On wgmma the hardware ignores them; on tcgen05 they are undefined.",
        DecodeExample("0x4000404000014040", "tcgen05", {"arch": "sm_100a"}),
    ),
    "version-constant": RuleExample(
        "Bits 46-48 of a tcgen05 descriptor are 0b001. A wgmma descriptor has 0 there, so 0 usually means that code "
        "for Hopper made the descriptor. Where every descriptor of a kernel has 0, as those of JAX's Mosaic GPU do, "
        "which run, scan says it in a note; one among others is a warning.",
        DecodeExample("0x4000004000010040", "tcgen05"),
    ),
    "fixed-53-constant": RuleExample(
        "Bits 53-60 are 0. The PTX ISA prints the constant as 0xb00000000, a typo for 0b00000000; copied literally "
        "it sets wrong bits.",
        DecodeExample("0x5600404000010040", "tcgen05"),
    ),
    "fixed-54-constant": RuleExample(
        "On sm_107a bit 53 says where K begins in a compressed B; bits 54-60 are 0.",
        DecodeExample("0x5600404000010040", "tcgen05", _SM_107),
    ),
    "undefined-code": RuleExample(
        "A code that the table does not define is undefined behavior. The usual cause is a number from another "
        "numbering: wgmma, tcgen05 and the tensor map number the swizzle modes differently, and the MMA kinds the "
        "types.",
        DecodeExample("0x6000404000010040", "tcgen05", fix={"swizzle": "128B"}),
    ),
    "needs-arch": RuleExample(
        "Some codes exist on one architecture only, such as LBO mode absolute and K = 96 on sm_103a. On another one "
        "they are reserved.",
        DecodeExample("0x4010404000010040", "tcgen05", {"arch": "sm_100a"}),
    ),
    "kind-arch": RuleExample(
        "wgmma exists on sm_90a only, tcgen05 on sm_100, sm_103 and sm_110 only. sm_120 and sm_121 have neither; their "
        "mma.sync takes no descriptors.",
        DecodeExample("0x4000404000010040", "tcgen05", {"arch": "sm_120a"}, then={"arch": "sm_100a"}),
    ),
    # Instruction descriptors
    "shape": RuleExample(
        "M and N are encoded in the instruction descriptor. A shape that the MMA kind does not have is an illegal "
        "instruction.",
        DecodeExample("0x0c200490", "idesc:f16", fix={"m": 128}),
    ),
    "i8-n-24": RuleExample(
        "PTX lists N = 24 for kind::i8, CUTLASS does not.",
        DecodeExample("0x08060020", "idesc:i8", fix={"n": 32}),
    ),
    "m-128-columns": RuleExample(
        "PTX lists N in steps of 8 for M = 128. TVM rejects N that is not a multiple of 16, and so does CUTLASS in "
        "some cases.",
        DecodeExample("0x08120490", "idesc:f16"),
    ),
    "two-cta-m-128": RuleExample(
        "With cta_group::2, M is that of both CTAs. PTX lists 128 for block-scaled MMAs; CUTLASS asserts 256.",
        DecodeExample("0x08a00000", "idesc:mxf8f6f4", {"cta_group": 2}, fix={"m": 256}),
    ),
    "k-96-two-cta-m-128": RuleExample(
        "PTX lists K = 96 with cta_group::2 for M = 256 only; CUTLASS has M = 128 as well.",
        DecodeExample("0x88a00480", "idesc:mxf4", {"cta_group": 2, **_SM_103}, fix={"m": 256}),
    ),
    "k-96-columns": RuleExample(
        "CUTLASS asserts that N is a multiple of 16 with K = 96; PTX does not say so.",
        DecodeExample("0x88a20480", "idesc:mxf4", _SM_103, fix={"n": 128}),
    ),
    "k-code": RuleExample(
        "The code of K depends on the sparsity, and on sm_107a it has two bits for packed fp4: 64, 96 and 128 dense, "
        "128 and 192 sparse. kind::f8f6f4 has K = 64 for dense MMAs only.",
        DecodeExample("0x28200014", "idesc:f8f6f4", _SM_107, fix={"k": 64}),
    ),
    "transpose-k-64": RuleExample(
        "With a dense K of 64 the 6- and 4-bit types lie without padding, and only K-major.",
        DecodeExample("0x28208290", "idesc:f8f6f4", _SM_107, fix={"transpose_a": False}),
        also=("transpose-narrow",),
    ),
    "transpose-ti16": RuleExample(
        "PTX ISA 9.4 says no transpose for kind::ti16 in one table and yes in another.",
        DecodeExample("0x08208da0", "idesc:ti16", _SM_107, fix={"transpose_a": False}),
    ),
    "scale-id-k-64": RuleExample(
        "With K = 64 an instruction reads two scale factors of each row, with K = 32 one.",
        DecodeExample("0xa8a00000", "idesc:mxf8f6f4", _SM_107, fix={"a_scale_id": 2}),
    ),
    "sparsity-version": RuleExample(
        "sm_107a keeps 2 of 4 elements, sm_100a, sm_103a and sm_110a keep 4 of 8 in pairs: the metadata differ, and so "
        "does bit 12. The wrong version is undefined behavior; kernels have shipped with it.",
        DecodeExample("0x08a00484", "idesc:mxf4", _SM_107),
    ),
    "sparse-k-96": RuleExample(
        "K = 96 is dense only. In a sparse descriptor bit 31 has no meaning.",
        DecodeExample("0x88a00484", "idesc:mxf4", _SM_103, fix={"k": 128}),
    ),
    "d-f16-types": RuleExample(
        "kind::f16 accumulates in f16 only if A and B are f16. The code of f16 is 0, so a D type that was never set "
        "reads as f16.",
        DecodeExample("0x08200480", "idesc:f16"),
    ),
    "f16-bf16-mix": RuleExample(
        "CUTLASS lists equal types for kind::f16. PTX does not rule out a mix, but usually one of the two types is "
        "wrong.",
        DecodeExample("0x08200410", "idesc:f16", fix={"a_type": "bf16"}),
    ),
    "saturate-float": RuleExample(
        "Saturation is for the s32 accumulator of kind::i8; in the other formats bit 3 is reserved.",
        DecodeExample("0x08200498", "idesc:f16"),
    ),
    "negate-integer": RuleExample(
        "kind::i8 cannot negate its operands; bits 13 and 14 are 0.",
        DecodeExample("0x08202020", "idesc:i8"),
    ),
    "sparsity-selector": RuleExample(
        "The sparsity selector picks a part of the metadata of a sparse MMA. kind::f8f6f4 and kind::i8 have none. Bits "
        "0-1 of a dense descriptor are often a scale-factor id that was not shifted to its place.",
        DecodeExample("0x08200011", "idesc:f8f6f4"),
    ),
    "transpose-packed-fp4": RuleExample(
        "Packed 4-bit operands are K-major: two elements along K share a byte.",
        DecodeExample("0x08a08480", "idesc:mxf4"),
    ),
    "transpose-narrow": RuleExample(
        "The sources disagree on whether MN-major fp4 and fp6 in 8-bit containers are legal. Test the result on the "
        "hardware, or lay the operand out K-major.",
        DecodeExample("0x08208290", "idesc:f8f6f4", fix={"transpose_a": False}),
    ),
    "max-shift-without-ws": RuleExample(
        "The maximum shift is for tcgen05.mma.ws. In other instructions bits 30-31 are often K or a scale-factor id "
        "from the block-scaled table.",
        DecodeExample("0x48200490", "idesc:f16", {"ws": False}),
    ),
    "max-shift-m-32": RuleExample(
        "With M = 32 B cannot shift by 32 columns: the column shift of a zero-column mask is at most 16 there. On a "
        "B200 the instruction trapped.",
        DecodeExample("0xc2200490", "idesc:f16", {"ws": True}, fix={"max_shift": 0}),
    ),
    "scale-id": RuleExample(
        "The scale-factor id picks the bytes of a tensor-memory word. Where one MMA uses two bytes, the id is 0 or 2; "
        "where it uses four, it is 0.",
        DecodeExample("0x28a00480", "idesc:mxf4", fix={"a_scale_id": 2}),
    ),
    "scale-vec": RuleExample(
        "scale_vec is the number of scale factors along K, which the block size of the MMA kind decides: 1X for "
        "mxf8f6f4, 2X for mxf4, 2X or 4X for mxf4nvf4.",
        DecodeExample("0x08a00480", "idesc:mxf4", {"scale_vec": 4}, then={"scale_vec": 2}),
    ),
    "sparse-family": RuleExample(
        "ptxas rejects sparse kind::mxf4 and kind::mxf4nvf4 on family targets (sm_100f, sm_103f, sm_110f).",
        DecodeExample("0x08a00484", "idesc:mxf4", {"arch": "sm_100f"}, then={"arch": "sm_100a"}),
    ),
    # Zero-column masks
    "column-shift": RuleExample(
        "Column n of the MMA reads column n + shift of B. The hardware shifts by at most 32 columns, with M = 32 by at "
        "most 16.",
        DecodeExample("0x2103028000000000", "mask", {"m": 64}, fix={"column_shift": 32}),
    ),
    "start-count-past-span": RuleExample(
        "The start count says how many columns of the first span are left out. What a count past the end of that span "
        "does is not documented.",
        DecodeExample("0x0003028000000004", "mask", fix={"start_count_0": 3}),
    ),
    "mask-off": RuleExample(
        "Bit 39 turns the mask on. Without it no column is zeroed and the spans have no effect; the column shift has.",
        DecodeExample("0x0003020000000000", "mask", fix={"non_zero_mask": True}),
    ),
    "mask-off-with-counts": RuleExample(
        "Start counts and first spans do nothing while bit 39 is 0. A value with such counts is a mask that lacks bit "
        "39, or not a mask.",
        DecodeExample("0x0003020000000001", "mask", fix={"non_zero_mask": True}),
    ),
    "mask-size": RuleExample(
        "M divides the N columns into 1, 2 or 4 sub-masks of equal width. Columns outside them are never zeroed.",
        DecodeExample("0x0003028000000000", "mask", {"m": 32, "n": 66}, then={"n": 64}),
    ),
    "unused-sub-mask": RuleExample(
        "M = 128 has one sub-mask, M = 64 two, M = 32 four. Start counts of the others have no effect: the descriptor "
        "was made for another M.",
        DecodeExample("0x0003028000000100", "mask", {"m": 128}, fix={"start_count_1": 0}),
    ),
    # Tensor maps
    "global-address": RuleExample(
        "A copy moves whole units of 16 bytes. A tensor that begins inside such a unit, as a slice of a larger one "
        "may, has no map.",
        DecodeExample(
            "08705634127f0000106500000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"global_address": 0x7F1234567000},
        ),
    ),
    "global-stride": RuleExample(
        "Interleave 32B reads units of 32 bytes in global memory, so lines begin at multiples of 32.",
        DecodeExample(
            "00705634127f00002035000041000000401000000000000000000000000000003f0000003f0000000700000000000000"
            "000000000000000f07030000000000000004000000000000000100000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"stride_1": 1024},
        ),
    ),
    "stride-below-row": RuleExample(
        "The strides of a tensor map are in bytes; frameworks give them in elements. The driver takes one that is "
        "smaller than a row, since rows that overlap are the sliding windows of a signal.",
        DecodeExample(
            "00705634127f0000106500000001000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "box-row": RuleExample(
        "A copy moves whole units of 16 bytes in shared memory, too.",
        DecodeExample(
            "00705634127f0000106500000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003b7f00000000000000003c000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "unmeasured-type": RuleExample(
        "The documented limits of a packed type are checked; what a driver writes for it was not measured.",
        DecodeExample(
            "00007056347f0000906500008000000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000007f3f000000000000000010000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "unmeasured-swizzle": RuleExample(
        "Only a driver of Blackwell makes such maps, and none was measured: the bits are known from ptxas.",
        DecodeExample(
            "00007056347f0000106508000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"swizzle_atomicity": "16B"},
        ),
    ),
    "beyond-rank": RuleExample(
        "The driver writes 0 for the dimensions that a map does not have.",
        DecodeExample(
            "00007056347f0000106500000002000000000000000000000000000000000000ff0f0000ff0700000900000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"dim_2": 1},
        ),
    ),
    "packed-type": RuleExample(
        "A copy of a packed type fills slots of 16 bytes, 16 values in each, and takes 128 values of a row at a time.",
        DecodeExample(
            "00007056347f0000106600008000000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f3f000000000000000010000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
        also=("unmeasured-type",),
    ),
    "box-row-swizzle": RuleExample(
        "The swizzle permutes units within one line of its atom. A wider box does not fit: copy several boxes.",
        DecodeExample(
            "00705634127f0000106500000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000007f7f000000000000000080000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"box_0": 64},
        ),
    ),
    "interleave-rank": RuleExample(
        "Interleave splits channels into slices, which need a dimension of their own.",
        DecodeExample(
            "00705634127f0000106d00000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "nan-fill": RuleExample(
        "Elements outside the tensor are filled with NaN, which integers do not have.",
        DecodeExample(
            "00705634127f000090e000000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "box-size": RuleExample(
        "A box has to fit shared memory, which is 228 KiB on Hopper.",
        DecodeExample(
            "00705634127f0000900300000008000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "00000000000000ffff000000000000000000020000000000100000000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"box_1": 128},
        ),
        also=("changed-map",),
    ),
    "bounding-box": RuleExample(
        "The corners cut off the border of an image, in pixels. They cannot cut off more than the image has.",
        DecodeExample(
            "00705634127f00003163000008000000000400000000020000000000000000003f0000007f0000007f00000007000000"
            "000000000000003f64ff9c013f0000000020000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"lower_corner_0": 0, "upper_corner_0": 0},
        ),
    ),
    "changed-map": RuleExample(
        "tensormap.replace changes a map in memory; the size of the box that the driver stored stays. Nothing is "
        "known to read it.",
        DecodeExample(
            "00705634127f0000106500000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000001f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    "allocation-class": RuleExample(
        "A large map lets TMA compute addresses up to 128 KiB from the start of the tensor. A driver of Blackwell "
        "chooses the class by the geometry and does not look at the allocation.",
        DecodeExample(
            "00705634127f00001065200008000000000000000000000000000000000000003f0000000f0000000000000000000000"
            "000000000000003f0f000000000000000008000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"allocation_class": "small"},
        ),
    ),
    "unknown-bits": RuleExample(
        "These bits were 0 in every map that was measured. A driver for a newer chip may set them.",
        DecodeExample(
            "00705634127f0000106580000002000000000000000000000000000000000000ff0f0000ff0700000000000000000000"
            "000000000000003f7f000000000000000040000000000000000400000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000",
            fix={"unknown_87": 0},
        ),
    ),
    # Tensor-memory addresses
    "lane-range": RuleExample(
        "The lane is in bits 31-16, the column in bits 15-0. A column shifted too far, or a carry out of the column, "
        "gives a lane that does not exist.",
        DecodeExample("0x01000000", "tmem", fix={"lane": 0, "column": 256}),
    ),
    "column-range": RuleExample(
        "Columns count words of 32 bits. A byte offset added to an address moves the column four times too far.",
        DecodeExample("0x00000400", "tmem", fix={"column": 256}),
    ),
    "lane-in-warp": RuleExample(
        "A warp reaches 32 lanes of tensor memory and moves 32 or 16 of them at once; D of M = 64 begins at lane 0 or "
        "16. The address of a single element may be anywhere.",
        DecodeExample("0x00010000", "tmem", fix={"lane": 16}),
    ),
    # One instruction as a whole
    "idesc-is-high-word": RuleExample(
        "Shared-memory descriptors and the instruction descriptor are in registers beside each other. Read as an "
        "instruction descriptor, the high word of a shared-memory descriptor has M = 0.",
        _tcgen05({"idesc": "0x08200490"}, idesc="0x40004040"),
    ),
    "sparse-and-instruction": RuleExample(
        "The sparsity bit and the instruction say the same thing. If they disagree, the MMA reads metadata that does "
        "not exist, or twice the K of A.",
        Dump(_ptx("0x08200494"), "0x08200494", "0x08200490"),
        ("tile-and-box",),
    ),
    "transposed-a-in-tmem": RuleExample(
        "A in tensor memory has a fixed layout, one row per lane; only operands in shared memory can be transposed.",
        Dump(_ptx("0x08208490", a="[%r3]"), "0x08208490", "0x08200490"),
        ("tile-and-box",),
    ),
    "kinds-differ": RuleExample(
        "Bits 46-48 are the version of the descriptor. If one operand has 0b001 and the other 0, two pieces of "
        "code build the descriptors, one of them for wgmma.",
        Dump(_ptx("0x08200490", b="0x4000004000010440"), "0x4000004000010440", "0x4000404000010440"),
        ("version-constant", "tile-and-box"),
    ),
    "empty-group": RuleExample(
        "ptxas -O0 adds a wgmma with two descriptors of 0 to close a group. It is not part of the kernel's source.",
        Dump(
            ".version 9.0\n.target sm_90a\n.visible .entry k()\n{\nmov.b64 %rd1, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd1, %p1, 1, 1, 0, 0;\n}\n"
        ),
    ),
    "a-from": RuleExample(
        "wgmma reads A from shared memory or from registers, tcgen05.mma from shared or from tensor memory.",
        MmaExample({"inst": "m64n64k16", "dtype": "bf16", "b": _WGMMA["b"], "a_from": "tmem"}, {"a_from": "registers"}),
    ),
    "wgmma-types": RuleExample(
        "A wgmma multiplies equal types, two of the fp8 types, or two 8-bit integer types, and accumulates in f16, f32 "
        "or s32.",
        MmaExample({**_WGMMA, "dtype": "f16,bf16"}, {"dtype": "bf16"}),
    ),
    "wgmma-transposed": RuleExample(
        "imm-trans-a and imm-trans-b exist for f16 and bf16 in shared memory. A in registers, and the other types, are "
        "K-major.",
        MmaExample({"inst": "m64n64k32", "dtype": "e4m3", "a": _WGMMA["a"], "trans_b": True}, {"trans_b": False}),
    ),
    "wgmma-shape": RuleExample(
        "M of a wgmma is 64, N is 8 to 256 in steps of 8 (16 above 32 for integers), and K is 32 bytes.",
        MmaExample({**_WGMMA, "inst": "m64n60k16"}, {"inst": "m64n64k16"}),
    ),
    "qualifier-arch": RuleExample(
        "Some qualifiers exist only on some architectures or for some kinds; smemdesc fields --arch lists them.",
        _tcgen05({"arch": "sm_107a"}, qualifier="collector-b", arch="sm_100a"),
    ),
    "instruction-arch": RuleExample(
        "Without --arch an instruction is checked by the tables that most architectures share. kind::ti16, "
        ".collector::b and .decompress::lut::b exist on sm_107 alone.",
        _tcgen05({"arch": "sm_107a"}, qualifier="collector-b"),
    ),
    "ashift": RuleExample(
        ".ashift shifts the rows of A in tensor memory; A in shared memory, and M of 32 and 64, have no such shift.",
        _tcgen05({"a": None, "a_from": "tmem"}, qualifier="ashift"),
    ),
    "compressed-b": RuleExample(
        "Bit 53 of B says whether K begins at byte 0 or 24 of its 48 bytes, if .decompress::lut::b reads B compressed.",
        _tcgen05({"b": "0x4000404000010440"}, b="0x4020404000010440", arch="sm_107a"),
    ),
    "scale-vec-kind": RuleExample(
        "scale_vec says how many scale factors a row of A has. Only the block-scaled kinds have scale factors.",
        _tcgen05({"scale_vec": None}, scale_vec=2),
    ),
    "mixed-cta-group": RuleExample(
        "A kernel works with single CTAs or with pairs: alloc, cp, mma and commit of tcgen05 have the same cta_group.",
        Dump(
            _ptx("0x08200490").replace("}\n", "tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%r4];\n}\n"),
            "commit.cta_group::2",
            "commit.cta_group::1",
        ),
    ),
    "mask-and-instruction": RuleExample(
        "Only tcgen05.mma.ws reads a zero-column mask; other instructions have no operand for it.",
        _tcgen05({"mask": None}, mask="0x0003028000000000", ws=False),
    ),
    "shift-beyond-max": RuleExample(
        "While B is reused, the instruction descriptor limits the columns by which it can be shifted (bits 30-31).",
        _tcgen05({"idesc": "0x48100490"}, idesc="0x08100490", mask="0x0803028000000000", ws=True),
    ),
    "transpose-and-strides": RuleExample(
        "LBO and SBO change their roles with the major-ness. The strides of a K-major tile with a transpose bit of 1 "
        "read other elements.",
        _tcgen05({"idesc": "0x08200490"}, idesc="0x08210490"),
        ("lbo-below-atom", "operand-overlap"),
    ),
    "k-steps-differ": RuleExample(
        "A and B of one instruction are read at the same K. One that begins 32 bytes further inside its atom row is "
        "the next K step of that operand only.",
        _tcgen05({"b": "0x4000404000010440"}, b="0x4000404000010442"),
    ),
    "scale-id-and-step": RuleExample(
        "An instruction reads the scale factors of its K from the byte that the id names: with one factor per 32 "
        "of K, each K step uses the next byte, for A and for B. Kernels with one factor per 128 of K keep the id for "
        "four steps.",
        _tcgen05({"idesc": "0x08a00000"}, idesc="0x28a00000", mma_kind="mxf8f6f4", a_tile="128x128,at=0x400"),
    ),
    "operands-share-memory": RuleExample(
        "A and B lie in different buffers. If their bytes overlap, the second load overwrites the first.",
        _tcgen05({"b": "0x4000404000010440"}, b="0x4000404000010080"),
    ),
    "tile-and-descriptor": RuleExample(
        "A valid descriptor can still read other bytes than those of its tile: the strides follow from the tile's size "
        "and the order of its atoms.",
        _tcgen05({"b": "0x4000404002000000"}, idesc="0x08210490", b="0x4000404004000000", b_tile="128x64"),
        ("operands-share-memory",),
    ),
    # The tensor map that writes an operand
    "map-swizzle": RuleExample(
        "The map, wgmma and tcgen05 number the swizzle modes differently: 128B is code 3 in the map, 1 in wgmma and 2 "
        "in tcgen05. If the modes differ, the MMA reads the 16-byte units of the tile in the wrong places.",
        _mapped("box=64x128,swizzle=64B,dtype=bf16"),
    ),
    "map-type": RuleExample(
        "The type of the map gives the size of an element, and with it the bytes of a box. Operand types of 8 bits "
        "have no name in the map; they are copied as UINT8.",
        _mapped("box=64x128,swizzle=128B,dtype=f16"),
    ),
    "map-line": RuleExample(
        "With a swizzle the distance of the lines that TMA writes is the width of the swizzle, so narrower lines of "
        "a box leave gaps. Without swizzle a descriptor reads lines of 16 bytes.",
        _mapped("box=32x128,swizzle=128B,dtype=bf16", a="0x4000404000010044", b="0x4000404000010444"),
    ),
    "map-strides": RuleExample(
        "The lines of a box follow each other, so 8 rows of a 128-byte swizzle take 1,024 bytes: SBO of a K-major "
        "operand. The next box begins after the last: LBO of an MN-major one.",
        _mapped(_MAP, {"a": "0x4000404000010040"}, a="0x4000402000010040"),
        ("sbo-below-atom", "operand-overlap"),
    ),
    "map-start": RuleExample(
        "Copies start at multiples of 128 bytes and swizzle absolute addresses, so the base offset of their data is 0. "
        "An operand starts so that all that it reads of a line is in one line of the box.",
        _mapped(_MAP, {"a": "0x4000404000010040"}, a="0x4008404000010040"),
        ("base-offset-set",),
    ),
    "map-major": RuleExample(
        "Dimension 0 of the map is contiguous: K of a K-major operand, else M or N. LBO and SBO change their roles "
        "with it.",
        _mapped("box=8x64,swizzle=none,dtype=bf16", {"idesc": "0x08208490"}, a="0x0000404000080040"),
    ),
    "map-tile": RuleExample(
        "Copies fill a tile if it is a whole number of boxes, with the contiguous dimension first in the box.",
        _mapped("box=64x96,swizzle=128B,dtype=bf16", a_tile="128x64"),
    ),
    "map-interleave": RuleExample(
        "Interleave is for tensors whose channels are in slices of 16 or 32 bytes (NC/8HWC8). The descriptor layout "
        "that CUTLASS calls INTERLEAVE has no swizzle, and its map has interleave none.",
        _mapped("box=64x128,swizzle=128B,interleave=16B,dtype=bf16"),
    ),
    # The value as a whole
    "no-reading-fits": RuleExample(
        "Every kind has constant bits, codes and rules. A value that breaks them in every kind is not a descriptor, "
        "or was damaged in copying; the nearest kind shows what is wrong.",
        DecodeExample("0x6000404000010040", fix={"swizzle": "128B"}),
        ("undefined-code",),
    ),
    "several-readings": RuleExample(
        "An instruction descriptor does not say its MMA kind: the instruction does. The same bits may be f16 under one "
        "kind and e4m3 under another, so no reading is chosen.",
        DecodeExample("0x08400010", then={"mma_kind": "f16"}),
    ),
    "error-in-every-reading": RuleExample(
        "Where several readings fit and each has an error of its own, the value is wrong under each of them.",
        DecodeExample("0x04200490", case={"cta_group": 2}, then={"cta_group": 1}),
        ("several-readings",),
    ),
    "warning-in-every-reading": RuleExample(
        "Where several readings fit and each has a warning of its own, the value is suspicious under each of them.",
        DecodeExample("0x48140490", fix={"max_shift": 0}),
        ("max-shift-without-ws", "several-readings"),
    ),
    "digits-without-prefix": RuleExample(
        "Eight or sixteen digits without a letter are a number in both bases. They are read as hexadecimal, as dumps "
        "print them; a prefix removes the doubt. In a line of code or of a debugger they are decimal.",
        DecodeExample("4000404000010040", text="0x4000404000010040"),
    ),
    "text-not-read": RuleExample(
        "Values are found in lines of code, logs and debuggers. What else stands there is named, so that no number is "
        "left out unseen.",
        DecodeExample("desc=0x4000404000010040;n=42", text="desc=0x4000404000010040"),
    ),
    "digit-count": RuleExample(
        "Descriptors are printed with all their digits. With one digit too few or too many, every field above it is "
        "off by four bits.",
        DecodeExample("0x400040400001004", text="0x4000404000010040"),
        ("reserved-bits", "lbo-zero", "no-reading-fits", "other-reading"),
    ),
    "other-reading": RuleExample(
        "A value that fits nothing is often one slip away from a valid descriptor: words swapped, a digit lost, a "
        "bit flipped.",
        DecodeExample("0x0001004040004040", text="0x4000404000010040"),
        ("reserved-bits", "lbo-zero", "no-reading-fits"),
    ),
    "low-word-alone": RuleExample(
        "The swizzle mode and SBO are in the high word. A register with the low word alone gives only the start "
        "address and LBO.",
        DecodeExample("0x00010040", text="0x40004040:0x00010040"),
        ("lbo-below-atom", "sbo-zero"),
    ),
    "other-arch": RuleExample(
        "The tables of sm_107a and sm_107f have fields where the others have reserved bits. They are used only with "
        "--arch: a stray bit is more often a carry from the field below it.",
        DecodeExample("0x4000404000014040", "tcgen05", then=_SM_107),
        ("reserved-bits",),
    ),
    "other-mma-kind": RuleExample(
        "The instruction descriptor does not encode its MMA kind. With the integer code of D, only kind::i8 defines "
        "it; if the instruction is kind::f16, the type of D is wrong.",
        DecodeExample("0x084004a0", text="0x08400490"),
    ),
    "high-word": RuleExample(
        "SASS moves a descriptor as two 32-bit registers, and often only the high word is constant. Write it as "
        "HI:? to decode it as a high word.",
        DecodeExample("1073758272", "tcgen05", text="0x40004040:?"),
        ("reserved-bits", "version-constant", "low-word-alone", "sbo-zero", "lbo-zero"),
    ),
    "argument-range": RuleExample(
        "The driver returns CUDA_ERROR_INVALID_VALUE and does not name the wrong argument.",
        MapCallExample(
            "format         9\ndim            2\ngmem_address   0x7f1234567000\nglobalDim      (4100,2048,1,1,1)\n"
            "globalStrides  (2,8200,0,0,0)\nboxDim         (64,128,1,1,1)\nswizzle        3\n",
            "(2,8200,0,0,0)",
            "(2,8208,0,0,0)",
        ),
    ),
    "address-masked": RuleExample(
        "Shared-memory addresses have 18 bits. A generic pointer has more; without conversion its low bits are not "
        "the address.",
        Encode("tcgen05", {START: 0x7F5C00000400, SBO: 1024, "swizzle": "128B"}, {START: 0x400}),
    ),
    "cta-group": RuleExample(
        "cta_group is a qualifier of tcgen05.mma with the values 1 and 2; wgmma has one CTA.",
        TileExample({"kind": "wgmma", "tile": "128x64", "mma": "128x16", **_BF16, "cta_group": 2}, {"cta_group": 1}),
    ),
    "no-instruction": RuleExample(
        "A tile is read by instructions of legal shape: 32 bytes of K (64 sparse, 48 for K = 96), and an M or N that "
        "exists. No instruction reads the whole tile at once.",
        TileExample({"kind": "tcgen05", "tile": "128x64", "mma": "128x64", **_BF16}, {"mma": "128x16"}),
        ("one-instruction",),
    ),
    "tensor-memory-columns": RuleExample(
        "D of all MMAs of the tile stays in tensor memory during the loop over K, beside A and the scale factors if "
        "they are there.",
        PlanExample("256x512x64", {"dtype": "bf16"}, "256x256x64"),
    ),
    "accumulator-registers": RuleExample(
        "D of a wgmma is in the registers of its warpgroups: 32 bits per element, 16 for f16.",
        PlanExample("512x256x64", {"dtype": "bf16", "arch": "sm_90a"}, "128x256x64"),
    ),
    "padding-not-zeroed": RuleExample(
        "A column that reads outside its row of pixels has to be zeroed: shared memory has a pixel of another row "
        "there.",
        Padding({"q": 255, "m": 128, "n": 128, "tile": 1, "left": 2, "filter": 3}, "0x00fc010000000000"),
        ("mask-off",),
    ),
    "data-zeroed": RuleExample(
        "A column that reads a pixel of its own row must not be zeroed: the convolution would lose it.",
        Padding({"q": 255, "m": 128, "n": 128, "tile": 1, "left": 2, "filter": 3}, "0x007d018000000000"),
    ),
}
"""One entry for each name that a finding can have."""
