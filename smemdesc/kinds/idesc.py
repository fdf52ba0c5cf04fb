"""The 32-bit instruction descriptor of ``tcgen05.mma``: eight MMA kinds, three formats.

A format is a function of its enumerations; each kind passes its own. The descriptor does not say which
kind it belongs to: the instruction does.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import Codec, Enum, EnumCode, Field, Flag, Reserved, Scaled, Selected, Table, Upper
from smemdesc.kinds.archs import CAPABILITIES

DENSE = "PTX ISA 9.3, Table 45"
MXF8 = "PTX ISA 9.3, Table 46"
MXF4 = "PTX ISA 9.3, Table 47"

_F8F6F4 = (
    EnumCode(0, "e4m3"),
    EnumCode(1, "e5m2"),
    EnumCode(3, "e2m3"),
    EnumCode(4, "e3m2"),
    EnumCode(5, "e2m1"),
)
_F8_WRONG = {2: "2 is TF32 under kind::tf32", 6: "the last type is 5, E2M1", 7: "the last type is 5, E2M1"}
_MAX_SHIFT = Enum(
    EnumCode(0, 0, "no shift"),
    EnumCode(1, 8, "maximum shift of 8"),
    EnumCode(2, 16, "maximum shift of 16"),
    EnumCode(3, 32, "maximum shift of 32"),
)


class Dense(NamedTuple):
    """The enumerations of one kind of the dense format (Table 45)."""

    kind: str
    d_type: Enum
    operands: Enum


_F16_F32 = (EnumCode(0, "f16"), EnumCode(1, "f32"))

_DENSE = (
    Dense(
        "tf32",
        Enum(EnumCode(1, "f32"), wrong={0: "F16 accumulates only under kind::f16 and kind::f8f6f4"}),
        Enum(EnumCode(2, "tf32"), wrong={0: "0 is F16 under kind::f16", 1: "1 is BF16 under kind::f16"}),
    ),
    Dense(
        "f16",
        Enum(*_F16_F32, default=1, wrong={2: "2 is S32, for kind::i8"}),
        Enum(EnumCode(0, "f16"), EnumCode(1, "bf16"), wrong={2: "2 is TF32, for kind::tf32"}),
    ),
    Dense("f8f6f4", Enum(*_F16_F32, default=1, wrong={2: "2 is S32, for kind::i8"}), Enum(*_F8F6F4, wrong=_F8_WRONG)),
    Dense(
        "i8",
        Enum(EnumCode(2, "s32"), wrong={0: "0 is F16", 1: "1 is F32, for the floating-point kinds"}),
        Enum(EnumCode(0, "u8"), EnumCode(1, "s8")),
    ),
    Dense(
        "ti16",
        Enum(EnumCode(2, "s32"), wrong={0: "0 is F16", 1: "1 is F32, for the floating-point kinds"}),
        Enum(EnumCode(3, "s1z4m11")),
    ),
)


def _common(source: str, a_type: Codec, b_type: Codec, b_hi: int) -> tuple[Field, ...]:
    """The rows at the same bits in all three formats."""
    return (
        Field("sparse", 2, 2, Flag("dense", "sparse"), "structured sparsity of A", source),
        Field("reserved_6", 6, 6, Reserved(), "reserved", source),
        Field("a_type", 9, 7, a_type, "element type of A", source),
        Field("b_type", b_hi, 10, b_type, "element type of B", source),
        Field("negate_a", 13, 13, Flag("A as is", "-A"), "negate A", source),
        Field("negate_b", 14, 14, Flag("B as is", "-B"), "negate B", source),
        Field("transpose_a", 15, 15, Flag("A is K-major", "A is M-major"), "transpose A", source),
        Field("transpose_b", 16, 16, Flag("B is K-major", "B is N-major"), "transpose B", source),
        Field("n", 22, 17, Scaled(8), "N, columns of B and D (stored as N >> 3)", source),
    )


_SELECTOR = Enum(*(EnumCode(code, code) for code in range(4)))
_METADATA = "which part of the metadata is used, if sparse"
_SCALE_ID = "a scale-factor id that was not shifted into place ends up here"
_SCALE_TYPE = "bit 23 is the scale type of a block-scaled descriptor; or N is over 256"
_A_SCALE_ID = "bits 29-30 are the scale-factor id of A in a block-scaled descriptor"


def _dense(row: Dense) -> Table:
    return Table(
        f"idesc:{row.kind}",
        32,
        (
            Field("sparsity_selector", 1, 0, _SELECTOR, _METADATA, DENSE, _SCALE_ID),
            Field("saturate", 3, 3, Flag("wrap around", "saturate"), "saturate an integer D", DENSE),
            Field("d_type", 5, 4, row.d_type, "element type of D and C", DENSE),
            *_common(DENSE, row.operands, row.operands, 12),
            Field("reserved_23", 23, 23, Reserved(), "reserved", DENSE, _SCALE_TYPE),
            Field("m", 28, 24, Scaled(16), "M, rows of A and D (stored as M >> 4)", DENSE),
            Field("reserved_29", 29, 29, Reserved(), "reserved", DENSE, _A_SCALE_ID),
            Field("max_shift", 31, 30, _MAX_SHIFT, "largest column shift when .ws reuses B", DENSE),
        ),
    )


_SCALE_IDS = Enum(*(EnumCode(byte, byte, f"byte {byte} of the scale factors' tensor-memory word") for byte in range(4)))
_SMALL_M = "M = 64 encoded as in the dense table (M >> 4 from bit 24) sets bit 26; block-scaled M is 128 or 256"
_UNSHIFTED = "a scale-factor id that was not shifted into place (4 for B, 29 for A) ends up here"


def _block_scaled(
    kind: str, source: str, types: tuple[Codec, Codec, int], scale: Enum, tail: tuple[Field, ...]
) -> Table:
    a_type, b_type, b_hi = types
    return Table(
        f"idesc:{kind}",
        32,
        (
            Field("reserved_0", 1, 0, Reserved(), "reserved", source, _UNSHIFTED),
            Field("reserved_3", 3, 3, Reserved(), "reserved", source),
            Field("b_scale_id", 5, 4, _SCALE_IDS, "scale factor data id of B", source),
            *_common(source, a_type, b_type, b_hi),
            Field("scale_type", 23, 23, scale, "type of the scale factors of A and B", source),
            Field("reserved_24", 26, 24, Reserved(), "reserved", source, _SMALL_M),
            Field("m", 28, 27, Scaled(128), "M, rows of A and D (stored as M >> 7)", source),
            Field("a_scale_id", 30, 29, _SCALE_IDS, "scale factor data id of A", source),
            *tail,
        ),
    )


_E2M1 = Enum(
    EnumCode(1, "e2m1"), wrong={5: "5 is E2M1 under kind::f8f6f4 and kind::mxf8f6f4; here it is 1", 0: "E2M1 is 1 here"}
)
_K = Selected(
    ("sparse",),
    {1: {0: 128, 1: None}},
    EnumCode(0, 64, "dense K = 64, sparse K = 128"),
    EnumCode(1, 96, "dense K = 96", CAPABILITIES["k-96"].names, CAPABILITIES["k-96"].source),
)


_VERSION = Reserved("PTX ISA 9.4: the sparsity version; CUTLASS's Python DSL writes 1 in dense ones, too")
_B_TYPE = "the type of B has only 2 bits here; E2M1 is 1, not 5"


def _mxf4(kind: str, scale: Enum) -> Table:
    return _block_scaled(
        kind,
        MXF4,
        (_E2M1, _E2M1, 11),
        scale,
        (
            Field("reserved_12", 12, 12, _VERSION, "reserved", MXF4, _B_TYPE),
            Field("k", 31, 31, _K, "K of the instruction", MXF4),
        ),
    )


_UE8M0 = EnumCode(1, "ue8m0", "8-bit exponent")
_UE4M3 = EnumCode(0, "ue4m3", "4-bit exponent, 3-bit mantissa")
_UE8M0_ONLY = Enum(_UE8M0, wrong={0: "UE4M3 is a scale type of kind::mxf4nvf4 only"})
_F8 = Enum(*_F8F6F4, wrong=_F8_WRONG)
_31 = (Field("reserved_31", 31, 31, Reserved(), "reserved", MXF8),)

IDESC_TABLES = {
    **{row.kind: _dense(row) for row in _DENSE},
    "mxf8f6f4": _block_scaled("mxf8f6f4", MXF8, (_F8, _F8, 12), _UE8M0_ONLY, _31),
    "mxf4": _mxf4("mxf4", _UE8M0_ONLY),
    "mxf4nvf4": _mxf4("mxf4nvf4", Enum(_UE4M3, _UE8M0._replace(source="PTX ISA 9.3, Table 47 (9.1 lists UE4M3 only)"))),
}
"""The common table of each MMA kind."""

_SM_107 = "PTX ISA 9.4; CUTLASS descriptors.py"
_JAX = f"{_SM_107}; JAX #39927"
_UE5M3 = EnumCode(2, "ue5m3", "5-bit exponent, 3-bit mantissa")
_A_SCALE_LAYOUT = Field(
    "a_scale_layout",
    26,
    26,
    Enum(
        EnumCode(0, 32, "the scale factors of A are in 32 lanes"),
        EnumCode(1, 128, "the scale factors of A are in 128 lanes"),
    ),
    "lanes that hold the scale factors of A",
    _SM_107,
)


_K_WITH_BIT_3 = "K of the instruction; with bit 3: 0 dense 64, sparse 128; 1 dense 96, sparse 192; 2 dense 128"
_K_MXF4_107 = Selected(
    ("sparse", "k_upper"),
    {0: {0: 64, 1: 96}, 1: {0: 128, 1: 192}, 2: {0: 128, 1: None}, 3: {0: None, 1: None}},
    EnumCode(0, 64, _K_WITH_BIT_3),
    EnumCode(1, 96, _K_WITH_BIT_3),
    upper="k_upper",
)
_K_32 = EnumCode(0, 32, "dense K = 32, sparse K = 64")
_K_F8_107 = Selected(("sparse",), {1: {0: 64, 1: None}}, _K_32, EnumCode(1, 64, "dense K = 64"))
_K_MXF8_107 = Selected(("sparse",), {1: {0: 64, 1: 128}}, _K_32, EnumCode(1, 64, "dense K = 64, sparse K = 128"))


def _mxf4_107(kind: str, scale: Enum) -> Table:
    return IDESC_TABLES[kind].variant(
        f"idesc:{kind}@sm_107",
        Field("k_upper", 3, 3, Upper(), "upper bit of the code of K (bit 31 is the lower)", _JAX),
        Field(
            "sparsity_version",
            12,
            12,
            Enum(EnumCode(0, 0, "4:8 in pairs, as on sm_100a"), EnumCode(1, 1, "2:4 by element")),
            "which elements of a sparse A are kept",
            _JAX,
        ),
        Field("scale_type", 24, 23, scale, "type of the scale factors of A and B", _SM_107),
        Field("reserved_25", 25, 25, Reserved(), "reserved", _SM_107),
        _A_SCALE_LAYOUT,
        Field("k", 31, 31, _K_MXF4_107, "K of the instruction", _JAX),
    )


K_CODE_F16 = "PTX ISA 9.4: K of kind::f8f6f4; nvidia-cudnn-frontend 1.32.0 sets it with kind::f16 and K = 16"

IDESC_VARIANTS = {
    "sm_107": {
        "f16": IDESC_TABLES["f16"].variant(
            "idesc:f16@sm_107",
            Field(
                "k_code",
                29,
                29,
                Enum(
                    EnumCode(0, 0, "K = 16, sparse 32"),
                    EnumCode(1, 1, "the code of K = 64 of kind::f8f6f4", (), K_CODE_F16),
                ),
                "the bit that is K of kind::f8f6f4",
                K_CODE_F16,
            ),
        ),
        "f8f6f4": IDESC_TABLES["f8f6f4"].variant(
            "idesc:f8f6f4@sm_107", Field("k", 29, 29, _K_F8_107, "K of the instruction", _SM_107)
        ),
        "mxf8f6f4": IDESC_TABLES["mxf8f6f4"].variant(
            "idesc:mxf8f6f4@sm_107",
            Field("reserved_24", 25, 24, Reserved(), "reserved", _SM_107),
            _A_SCALE_LAYOUT,
            Field("k", 31, 31, _K_MXF8_107, "K of the instruction", _SM_107),
        ),
        "mxf4": _mxf4_107("mxf4", _UE8M0_ONLY),
        "mxf4nvf4": _mxf4_107("mxf4nvf4", Enum(_UE4M3, _UE8M0, _UE5M3, wrong={3: "the last scale type is 2, UE5M3"})),
    }
}
"""The tables of architectures with another one, by name of the variant."""


class LegalShape(NamedTuple):
    """A legal combination of M and N (PTX ISA 9.3, Table 42)."""

    kinds: tuple[str, ...]
    cta_group: int
    ws: bool
    m: tuple[int, ...]
    n: tuple[int, ...]
    sparse: bool | None = None
    """None: dense and sparse alike."""

    @property
    def label(self) -> str:
        """The instruction's qualifiers, in words."""
        return f"cta_group::{self.cta_group}" + (".ws" if self.ws else "")


SHAPE_SOURCE = "PTX ISA 9.3, Table 42"

_BY_8, _BY_16, _BY_32 = (tuple(range(step, 257, step)) for step in (8, 16, 32))
_I8_N = (8, 16, 24, *range(32, 257, 16))
_PLAIN = ("f16", "tf32", "f8f6f4", "ti16")
_MX = ("mxf8f6f4", "mxf4", "mxf4nvf4")

LEGAL_SHAPES = (
    LegalShape(_PLAIN, 1, False, (64, 128), _BY_8),
    LegalShape(_PLAIN, 2, False, (128, 256), _BY_16),
    LegalShape(("i8",), 1, False, (64, 128), _I8_N),
    LegalShape(("i8",), 2, False, (128, 256), _BY_32),
    LegalShape((*_PLAIN, "i8"), 1, True, (32, 64, 128), (64, 128, 256), sparse=False),
    LegalShape((*_PLAIN, "i8"), 1, True, (32, 64, 128), (64, 128), sparse=True),
    LegalShape(_MX, 1, False, (128,), _BY_8),
    LegalShape(_MX, 2, False, (128, 256), _BY_16, sparse=False),
    LegalShape(_MX, 2, False, (256,), _BY_16, sparse=True),
)
"""Every legal combination of the table."""

SELECTORS = {"tf32": (0, 1, 2, 3), "f16": (0, 1, 2, 3), "f8f6f4": (0,), "i8": (0,), "ti16": (0,)}
"""The sparsity selectors of each MMA kind that has the field."""

K_DENSE = {"tf32": 8, "f16": 16, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64, "ti16": 16}
"""K of the dense instruction, in elements; a sparse one has twice that."""
