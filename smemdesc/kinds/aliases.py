"""What else the field calls kinds, modes, types and fields: the names of CUTLASS, Triton and the tensor map.

Everything is looked up in lower case. A name that stands for several things is an error that lists them.
"""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError

KINDS = {
    "gmma": "wgmma",
    "hopper": "wgmma",
    "gmmadescriptor": "wgmma",
    "umma": "tcgen05",
    "blackwell": "tcgen05",
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
_WIDTHS = {"128": "128B", "64": "64B", "32": "32B"}
MODES = {
    **{
        f"{before}{width}{after}": name
        for width, name in _WIDTHS.items()
        for before in ("", "b", "sw", "swizzle_")
        for after in ("", "b")
    },
    **dict.fromkeys(
        ("0", "16", "16b", "inter", "interleave", "swizzle_none", "no_swizzle", "swizzle_interleave"), "none"
    ),
    **dict.fromkeys(
        ("128b_base32b", "128b_atom_32b", "sw128_32b", "swizzle_128b_base32b", "swizzle_128b_atom_32b"), "128B_32B"
    ),
}
DTYPES = {
    **dict.fromkeys(("half", "half_t", "fp16", "float16", "__half"), "f16"),
    **dict.fromkeys(("bfloat16", "bfloat16_t", "nv_bfloat16", "__nv_bfloat16"), "bf16"),
    **dict.fromkeys(("tfloat32", "tfloat32_t"), "tf32"),
    **dict.fromkeys(("float8_e4m3", "float8_e4m3fn", "float_e4m3_t", "f8e4m3fn", "e4m3fn", "fp8e4nv"), "e4m3"),
    **dict.fromkeys(("float8_e5m2", "float_e5m2_t", "f8e5m2", "fp8e5"), "e5m2"),
    **dict.fromkeys(("float6_e2m3", "float_e2m3_t", "f6e2m3fn"), "e2m3"),
    **dict.fromkeys(("float6_e3m2", "float_e3m2_t", "f6e3m2fn"), "e3m2"),
    **dict.fromkeys(("float4_e2m1", "float4_e2m1fn", "float_e2m1_t", "f4e2m1fn", "fp4"), "e2m1"),
    **dict.fromkeys(("i8", "int8", "int8_t"), "s8"),
    **dict.fromkeys(("ui8", "uint8", "uint8_t"), "u8"),
    **dict.fromkeys(("uint1b_t", "i1"), "b1"),
}
SEVERAL_DTYPES = {
    "fp8": ("e4m3", "e5m2"),
    "float8": ("e4m3", "e5m2"),
    "fp6": ("e2m3", "e3m2"),
    "float6": ("e2m3", "e3m2"),
}
FIELDS = {
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
    **dict.fromkeys(("a_major", "trans_a"), "transpose_a"),
    **dict.fromkeys(("b_major", "trans_b"), "transpose_b"),
    **dict.fromkeys(("a_negate", "neg_a"), "negate_a"),
    **dict.fromkeys(("b_negate", "neg_b"), "negate_b"),
    **dict.fromkeys(("m_dim",), "m"),
    **dict.fromkeys(("n_dim",), "n"),
    **dict.fromkeys(("k_size",), "k"),
    **dict.fromkeys(("a_sf_id", "sfa_id"), "a_scale_id"),
    **dict.fromkeys(("b_sf_id", "sfb_id"), "b_scale_id"),
    **dict.fromkeys(("scale_format",), "scale_type"),
    **dict.fromkeys(("sparse_flag",), "sparse"),
    **dict.fromkeys(("sparse_id2",), "sparsity_selector"),
    **dict.fromkeys(("nzm",), "non_zero_mask"),
    **dict.fromkeys(("shift",), "column_shift"),
}


def kind(name: str) -> str:
    """Return a kind's name in lower case, under its own name where an alias was given."""
    lower = name.strip().lower()
    return KINDS.get(lower, lower)


def mode(name: str) -> str:
    """Return a swizzle mode's own name for what CUTLASS, CuTe or the tensor map calls it; else the name as given."""
    lower = name.strip().lower().removeprefix("cu_tensor_map_")
    return MODES.get(lower, name)


def dtype(name: str) -> str:
    """Return a type's PTX name in lower case. :class:`SmemdescError` for a name that several types share."""
    lower = name.strip().lower().lstrip(".").rpartition("::")[2]
    several = SEVERAL_DTYPES.get(lower)
    if several:
        raise SmemdescError(f"{name} is {' or '.join(several)}", hint=f"say which: --dtype {several[0]}")
    return DTYPES.get(lower, lower)


def field(name: str) -> str:
    """Return a field's key for what CUTLASS, PTX or people call it; else the name as given."""
    return FIELDS.get(name.strip().lower().replace("-", "_"), name)
