"""The arguments of ``cuTensorMapEncodeTiled`` as each library prints them, made from the driver's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

SIZES = {0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 5: 8, 6: 2, 7: 4, 8: 8, 9: 2, 10: 4, 11: 4, 12: 4, 13: 1, 14: 1, 15: 1}
"""Bytes of an element, by the driver's number of the type."""
DESTINATION = 0x7FFE00001000


class Arguments(NamedTuple):
    """What is passed, in the driver's numbers; strides without that of dimension 0."""

    dtype: int
    address: int
    dims: Sequence[int]
    strides: Sequence[int]
    box: Sequence[int]
    swizzle: int = 3
    l2: int = 2
    steps: Sequence[int] = ()
    interleave: int = 0
    fill: int = 0

    @property
    def element_strides(self) -> Sequence[int]:
        return self.steps or [1] * len(self.dims)


def _tuple(numbers: Sequence[int]) -> str:
    return f"({','.join(map(str, numbers))})"


def _list(numbers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _blanks(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) + " "


def _five(numbers: Sequence[int], more: int) -> str:
    return _tuple([*numbers, *[more] * (5 - len(numbers))])


def cutlass(of: Arguments, result: int = 1) -> str:
    return (
        f"TMA Desc Addr:   0x{DESTINATION:x}\nformat         {of.dtype}\ndim            {len(of.dims)}\n"
        f"gmem_address   {f'0x{of.address:x}' if of.address else 0}\nglobalDim      {_five(of.dims, 1)}\n"
        f"globalStrides  {_five([SIZES[of.dtype], *of.strides], 0)}\nboxDim         {_five(of.box, 1)}\n"
        f"elementStrides {_five(of.element_strides, 1)}\ninterleave     {of.interleave}\n"
        f"swizzle        {of.swizzle}\nl2Promotion    {of.l2}\noobFill        {of.fill}\n"
        f"Error: Failed to initialize the TMA descriptor {result}\n"
    )


def _tilelang(of: Arguments, result: int, middle: str) -> str:
    raw = [SIZES[of.dtype], *of.strides]
    return (
        f"Failed to initialize the TMA descriptor {result} (CUDA_ERROR_INVALID_VALUE: invalid argument)\n"
        f"TMA Desc Addr:   0x{DESTINATION:x} (mod64=0)\nformat         {of.dtype} (CU_TENSOR_MAP_DATA_TYPE_...)\n"
        f"dim            {len(of.dims)}\n"
        f"gmem_address   0x{of.address:x} (mod16={of.address % 16}, mod32={of.address % 32})\n"
        f"globalDim      {_list(of.dims)}\nglobalStridesRaw {_list(raw)}\ncudaGlobalStrides {_list(of.strides)}\n"
        f"{middle}elementStrides {_list(of.element_strides)}\n"
        f"interleave     {of.interleave} (CU_TENSOR_MAP_INTERLEAVE_...)\n"
        f"swizzle        {of.swizzle} (CU_TENSOR_MAP_SWIZZLE_...)\n"
        f"l2Promotion    {of.l2} (CU_TENSOR_MAP_L2_PROMOTION_...)\n"
        f"oobFill        {of.fill} (CU_TENSOR_MAP_FLOAT_OOB_FILL_...)\n"
    )


def tilelang(of: Arguments, result: int = 1) -> str:
    return _tilelang(of, result, f"boxDim         {_list(of.box)}\n")


def tilelang_im2col(of: Arguments, result: int = 1) -> str:
    """``of.box``: lower corner, upper corner, channels, pixels."""
    *corners, channels, pixels = of.box
    half = len(corners) // 2
    middle = (
        f"smem_box_pixel {pixels}\nsmem_box_channel {channels}\n"
        f"pixelBoxLowerCorner  {_list(corners[:half])}\npixelBoxUpperCorner  {_list(corners[half:])}\n"
    )
    return _tilelang(of, result, middle)


def tensorrt(of: Arguments, result: int = 1) -> str:
    return (
        f"Error: Failed to initialize the TMA descriptor {result}\n"
        f"tmaFormat: {of.dtype} dim: {len(of.dims)} gmem: 0x{of.address:x}\nShape: {_blanks(of.dims)}\n"
        f"Stride: {_blanks(of.strides)}\ntileShapes: {_blanks(of.box)}\ntileStrides: {_blanks(of.element_strides)}\n"
        f"swizzleType: {of.swizzle}\n"
    )


def tvm(of: Arguments, result: int = 1) -> str:
    return (
        f"Error in cuTensorMapEncodeTiled: invalid argument\ncu_dtype: {of.dtype}\n"
        f"TMA Desc Addr:   0x{DESTINATION:x}\nTMA Interleave:  {of.interleave}\nTMA L2Promotion: {of.l2}\n"
        f"TMA OOBFill:     {of.fill}\nSMEM Swizzle:    {of.swizzle}\ntensor rank: {len(of.dims)}\n"
        f"global prob shape: {_blanks(of.dims)}\nglobal prob stride: {_blanks(of.strides)}\n"
        f"smem box shape: {_blanks(of.box)}\nsmem box stride: {_blanks(of.element_strides)}\n"
    )


def thunderkittens(of: Arguments, result: int = 1) -> str:
    rows = (("gmem_shape", of.dims), ("gmem_stride", of.strides), ("smem_shape", of.box))
    lists = "".join(f"    {name}: {DESTINATION} {_list(numbers)}\n" for name, numbers in rows)
    return (
        f"Error in TMA descriptor creation (tile): invalid argument\nParameters:\n    batch: 1\n    rows: 64\n"
        f"cuTensorMapEncodeTiled arguments:\n    tma_map: {DESTINATION}\n    tma_format: {of.dtype}\n"
        f"    tma_dim: {len(of.dims)}\n    global_addr: {of.address}\n"
        f"    global_addr memory type: valid device memory\n{lists}"
        f"    smem_stride: {DESTINATION} {_list(of.element_strides)}\n    tma_interleave: {of.interleave}\n"
        f"    tma_swizzle: {of.swizzle}\n    tma_l2Promotion: {of.l2}\n    tma_oobFill: {of.fill}\n"
    )


def triton(of: Arguments, result: int = 1) -> str:
    return (
        f"RuntimeError: Triton Error [CUDA]: Failed to create tensor map descriptor: invalid argument\n"
        f"elemType={of.dtype} rank={len(of.dims)} global_address=0x{of.address:x} elemSize={SIZES[of.dtype]} "
        f"swizzle={of.swizzle} padding=0\nshape={_list(of.dims)}\nstrides={_list(of.strides)}\n"
        f"blockSize={_list(of.box)} elementStrides={_list(of.element_strides)} fill={of.fill}\n"
    )


def deepgemm(of: Arguments, result: int = 1) -> str:
    """Of two dimensions: strides in elements, the swizzle in bytes, no type."""
    size = SIZES[of.dtype]
    return (
        f"Making TMA desc: global memory: {of.dims[0]} {of.dims[1]}, shared memory: {of.box[0]} {of.box[1]}, "
        f"outer stride: {of.strides[0] // size}, swizzle: {(0, 32, 64, 128)[of.swizzle]} (base: 0), "
        f"elem size: {size}, pointer: {of.address}\n"
    )


def deepgemm_fork(of: Arguments, result: int = 1) -> str:
    """As DeepGEMM, but the stride in bytes, and no comma before the size."""
    return (
        f"Making TMA desc: global memory: {of.dims[0]} {of.dims[1]}, shared memory: {of.box[0]} {of.box[1]}, "
        f"outer stride: {of.strides[0]}, swizzle: {(0, 32, 64, 128)[of.swizzle]} elem size: {SIZES[of.dtype]}\n"
    )


def _dict(of: Arguments) -> dict[str, object]:
    return {
        "format": of.dtype,
        "dim": len(of.dims),
        "gmem_address": of.address,
        "globalDim": of.dims,
        "globalStrides": [SIZES[of.dtype], *of.strides],
        "boxDim": of.box,
        "elementStrides": of.element_strides,
        "swizzle": of.swizzle,
    }


PRINTERS: dict[str, Callable[..., str]] = {
    "a dict": lambda of, result=1: f"INFO: {_dict(of)}\n",
    "JSON": lambda of, result=1: json.dumps(_dict(of), indent=2),
    "cutlass": cutlass,
    "tilelang": tilelang,
    "tensorrt": tensorrt,
    "tvm": tvm,
    "thunderkittens": thunderkittens,
    "triton": triton,
}
"""Those that print whatever is passed."""
