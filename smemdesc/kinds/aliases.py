"""Other names of kinds, architectures, modes, types and fields, from CUTLASS, Triton and the tensor map.

Everything is looked up in lower case. An ambiguous name is an error that lists its meanings.
"""

from __future__ import annotations

import re

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds import modes
from smemdesc.kinds.chips import CHIPS

ARCH_ALIASES = {name: f"{chip.name}a" for chip in CHIPS for name in chip.gpus}
"""Names of GPUs and their families; other spellings of a number are read by :mod:`smemdesc.kinds.archs`."""
_SM = ("sm_", "sm", "compute_")
_NUMBERS = {
    str(number): chip.reads
    for chip in CHIPS
    if chip.reads and not chip.tables
    for number in (chip.number, chip.former)
    if number
}
"""The kind that an architecture's name means; one that has its own tables is selected by --arch."""
KIND_ALIASES = {
    **{f"{sm}{number}{suffix}": kind for number, kind in _NUMBERS.items() for sm in _SM for suffix in ("", "a", "f")},
    **{name: _NUMBERS[arch[3:-1]] for name, arch in ARCH_ALIASES.items() if arch[3:-1] in _NUMBERS},
    "gmma": "wgmma",
    "gmmadescriptor": "wgmma",
    "umma": "tcgen05",
    "smemdescriptor": "tcgen05",
    "ummadescriptor": "tcgen05",
    "instrdescriptor": "idesc",
    "i-desc": "idesc",
    "instruction": "idesc",
    "maskandshiftb": "mask",
    "czm": "mask",
    "zero-column-mask": "mask",
    "taddr": "tmem",
    "tmem_ptr": "tmem",
    "tensor-memory": "tmem",
}
MODE_ALIASES = {
    **{
        f"{before}{mode.width}{after}": mode.name
        for mode in modes.MODES
        if mode.name == f"{mode.width}B"
        for before in ("", "b", "sw", "swizzle_", "swizzle")
        for after in ("", "b")
    },
    **{f"{sw}<{','.join(map(str, mode.swizzle))}>": mode.name for mode in modes.MODES for sw in ("sw", "swizzle", "s")},
    **{name: mode.name for mode in modes.MODES for name in mode.also},
}
_ATOM = r"(?:layout_)?(?:mn|k)_(sw\w+?|inter)(?:_atom)?(?:_bits)?(?:<\w*>)?"
"""An atom of CUTLASS: ``Layout_K_SW128_Atom``, ``K_SW128``."""
_BARE = r"b?\d+b?"
"""A name of a mode that means other things, too, unless it stands alone or in one of these."""
_ENUMS = ("layouttype", "layout_type", "swizzlemode", "swizzle_mode", "swizzle")
DTYPE_ALIASES = {
    **dict.fromkeys(("half", "half_t", "fp16", "float16", "__half"), "f16"),
    **dict.fromkeys(("bfloat16", "bfloat16_t", "nv_bfloat16", "__nv_bfloat16"), "bf16"),
    **dict.fromkeys(("tfloat32", "tfloat32_t"), "tf32"),
    **dict.fromkeys(("float", "fp32", "float32", "float32_t"), "f32"),
    **dict.fromkeys(("float8_e4m3", "float8_e4m3fn", "float_e4m3_t", "f8e4m3fn", "e4m3fn", "fp8e4nv"), "e4m3"),
    **dict.fromkeys(("float8e4m3fn", "fp8_e4m3", "__nv_fp8_e4m3"), "e4m3"),
    **dict.fromkeys(("float8_e5m2", "float_e5m2_t", "f8e5m2", "fp8e5", "float8e5m2"), "e5m2"),
    **dict.fromkeys(("fp8_e5m2", "__nv_fp8_e5m2"), "e5m2"),
    **dict.fromkeys(("float6_e2m3", "float_e2m3_t", "f6e2m3fn"), "e2m3"),
    **dict.fromkeys(("float6_e3m2", "float_e3m2_t", "f6e3m2fn"), "e3m2"),
    **dict.fromkeys(("float4_e2m1", "float4_e2m1fn", "float_e2m1_t", "f4e2m1fn", "fp4"), "e2m1"),
    **dict.fromkeys(("i8", "int8", "int8_t"), "s8"),
    **dict.fromkeys(("ui8", "uint8", "uint8_t"), "u8"),
    **dict.fromkeys(("i32", "int", "int32", "int32_t"), "s32"),
    **dict.fromkeys(("uint1b_t", "i1"), "b1"),
    **dict.fromkeys(("e8m0", "float_ue8m0_t", "float8_e8m0fnu", "f8e8m0fnu"), "ue8m0"),
    **dict.fromkeys(("float_ue4m3_t",), "ue4m3"),
}
SEVERAL_DTYPES = {
    "fp8": ("e4m3", "e5m2"),
    "float8": ("e4m3", "e5m2"),
    "fp6": ("e2m3", "e3m2"),
    "float6": ("e2m3", "e3m2"),
}
FIELD_ALIASES = {
    **dict.fromkeys(("start", "start_addr", "addr", "address", "matrix_start_address"), "start_address"),
    **dict.fromkeys(
        ("lbo", "leading_off", "leading_dim_byte_offset", "leading_dimension_byte_offset"), "leading_byte_offset"
    ),
    **dict.fromkeys(
        ("sbo", "stride_off", "stride_dim_byte_offset", "stride_dimension_byte_offset"), "stride_byte_offset"
    ),
    **dict.fromkeys(("layout_type", "swizzle_mode", "mode"), "swizzle"),
    **dict.fromkeys(("base", "matrix_base_offset"), "base_offset"),
    **dict.fromkeys(("a_format", "atype"), "a_type"),
    **dict.fromkeys(("b_format", "btype"), "b_type"),
    **dict.fromkeys(("c_format", "dtype"), "d_type"),
    **dict.fromkeys(("a_major", "trans_a", "transpose_a_matrix"), "transpose_a"),
    **dict.fromkeys(("b_major", "trans_b", "transpose_b_matrix"), "transpose_b"),
    **dict.fromkeys(("a_negate", "neg_a", "negate_a_matrix"), "negate_a"),
    **dict.fromkeys(("b_negate", "neg_b", "negate_b_matrix"), "negate_b"),
    **dict.fromkeys(("m_dim",), "m"),
    **dict.fromkeys(("n_dim",), "n"),
    **dict.fromkeys(("k_size", "k_dimension"), "k"),
    **dict.fromkeys(("a_sf_id", "sfa_id", "matrix_a_scale_factor_data_id"), "a_scale_id"),
    **dict.fromkeys(("b_sf_id", "sfb_id", "matrix_b_scale_factor_data_id"), "b_scale_id"),
    **dict.fromkeys(("scale_format", "scale_matrix_type"), "scale_type"),
    **dict.fromkeys(("sparse_flag", "sparsity"), "sparse"),
    **dict.fromkeys(("leading_dimension_stride_mode",), "lbo_mode"),
    **dict.fromkeys(("sparse_id2",), "sparsity_selector"),
    **dict.fromkeys(("nzm",), "non_zero_mask"),
    **dict.fromkeys(("shift",), "column_shift"),
}


def kind_alias(name: str) -> str:
    """Return a kind's name in lower case, for an alias the kind's own name."""
    lower = name.strip().lower()
    return KIND_ALIASES.get(lower, lower)


def arch_alias(name: str) -> str:
    """Return the architecture of a GPU or of a family of them; else the name as given."""
    return ARCH_ALIASES.get(name.strip().lower().replace("-", "_").replace(" ", "_"), name)


def mode_alias(name: str) -> str:
    """Return a swizzle mode's own name for its name in CUTLASS, CuTe or the tensor map; else the name as given."""
    *scopes, lower = _pieces(name.replace(" ", ""))
    if scopes and re.fullmatch(_BARE, lower) and scopes[-1] not in _ENUMS:
        return name  # a qualifier of PTX (.b32), a decimal number
    lower = lower.removeprefix("cu_tensor_map_")
    atom = re.fullmatch(_ATOM, lower)
    return MODE_ALIASES.get(atom[1] if atom else lower, name)


def dtype_alias(name: str) -> str:
    """Return a type's PTX name in lower case; for a block-scaled format, the type of its elements.

    :class:`SmemdescError` for a name that several types share.
    """
    from smemdesc.kinds.formats import format_of  # decoding needs none

    scaled = format_of(name)
    if scaled is not None:
        return scaled.dtype
    lower = _pieces(name)[-1]
    several = SEVERAL_DTYPES.get(lower)
    if several:
        raise SmemdescError(f"{name} is {' or '.join(several)}", hint=f"choose one, e.g. --dtype {several[0]}")
    return DTYPE_ALIASES.get(lower, lower)


def field_alias(name: str) -> str:
    """Return a field's key for its name in CUTLASS or PTX or a common alias; else the name as given."""
    return FIELD_ALIASES.get(re.sub(r"[-\s]+", "_", name.strip().lower()), name)


def _pieces(name: str) -> list[str]:
    """Return a name in lower case with what it is in: ``cutlass::half_t``, ``torch.bfloat16``, ``.bf16``."""
    return re.split(r"::|\.", name.strip().lower())
