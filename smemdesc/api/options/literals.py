"""The names that keywords of the API take, as types: a type checker sees ``major="X"``.

At run time every spelling of the command line is read, in either case; a name that is computed is ``cast`` to its type.
No module imports this one when it runs.
"""

from __future__ import annotations

from typing import Literal

KindName = Literal[
    "wgmma", "tcgen05", "idesc", "mask", "tensormap", "tmem",
    "idesc:tf32", "idesc:f16", "idesc:f8f6f4", "idesc:i8",
    "idesc:mxf8f6f4", "idesc:mxf4", "idesc:mxf4nvf4", "idesc:ti16",
    "tensormap:tiled", "tensormap:im2col-3d", "tensormap:im2col-4d", "tensormap:im2col-5d",
    "gmma", "umma", "hopper", "blackwell",
]  # fmt: skip
MmaKindName = Literal["tf32", "f16", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4", "ti16"]
MajorName = Literal["K", "MN", "M", "N", "k", "mn", "m", "n"]
OrderName = Literal["mn", "k", "MN", "K"]
TransName = Literal["N", "T", "n", "t"]
"""Of a BLAS."""
ModeName = Literal[
    "none", "32B", "64B", "128B", "128B_32B", "32b", "64b", "128b", "128b_32b",
    "INTERLEAVE", "SWIZZLE_NONE", "SWIZZLE_32B", "SWIZZLE_64B", "SWIZZLE_128B", "SWIZZLE_128B_BASE32B",
    "CU_TENSOR_MAP_SWIZZLE_NONE", "CU_TENSOR_MAP_SWIZZLE_32B", "CU_TENSOR_MAP_SWIZZLE_64B",
    "CU_TENSOR_MAP_SWIZZLE_128B", "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B",
]  # fmt: skip
PlaceName = Literal["smem", "shared", "registers", "tmem"]
"""Of A."""
TypeName = Literal[
    "f16", "half", "half_t", "fp16", "float16", "__half",
    "bf16", "bfloat16", "bfloat16_t", "nv_bfloat16", "__nv_bfloat16",
    "tf32", "tfloat32", "tfloat32_t",
    "e4m3", "float8_e4m3", "float8_e4m3fn", "float_e4m3_t", "f8e4m3fn", "e4m3fn", "fp8e4nv", "float8e4m3fn",
    "fp8_e4m3", "__nv_fp8_e4m3",
    "e5m2", "float8_e5m2", "float_e5m2_t", "f8e5m2", "fp8e5", "float8e5m2", "fp8_e5m2", "__nv_fp8_e5m2",
    "e2m3", "float6_e2m3", "float_e2m3_t", "f6e2m3fn",
    "e3m2", "float6_e3m2", "float_e3m2_t", "f6e3m2fn",
    "e2m1", "float4_e2m1", "float4_e2m1fn", "float_e2m1_t", "f4e2m1fn", "fp4",
    "s8", "i8", "int8", "int8_t", "u8", "ui8", "uint8", "uint8_t", "b1", "uint1b_t", "i1", "s1z4m11",
    "nvfp4", "mxfp4", "mxfp8", "mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e2m3", "mxfp6_e3m2",
]  # fmt: skip
"""Of elements of A and B, and of block-scaled formats."""
AccumulatorName = Literal["f32", "fp32", "float32", "float32_t", "float", "s32", "int32", "int"]
"""Of elements of D that no operand has."""
TypePair = Literal[
    "f16,f16", "f16,bf16", "bf16,f16", "bf16,bf16", "tf32,tf32", "s1z4m11,s1z4m11",
    "u8,u8", "u8,s8", "s8,u8", "s8,s8", "b1,b1",
    "e4m3,e4m3", "e4m3,e5m2", "e4m3,e2m3", "e4m3,e3m2", "e4m3,e2m1",
    "e5m2,e4m3", "e5m2,e5m2", "e5m2,e2m3", "e5m2,e3m2", "e5m2,e2m1",
    "e2m3,e4m3", "e2m3,e5m2", "e2m3,e2m3", "e2m3,e3m2", "e2m3,e2m1",
    "e3m2,e4m3", "e3m2,e5m2", "e3m2,e2m3", "e3m2,e3m2", "e3m2,e2m1",
    "e2m1,e4m3", "e2m1,e5m2", "e2m1,e2m3", "e2m1,e3m2", "e2m1,e2m1",
]  # fmt: skip
"""Of A and of B, which one instruction multiplies."""
