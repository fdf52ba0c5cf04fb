"""Triton's matrix operations on shared memory (TTGIR): their types say the layouts of A and B.

One operation becomes several instructions, which differ in where their operands start; it is read as the first.
"""

from __future__ import annotations

import re
from functools import lru_cache

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.scanning.mlir.aliases import Aliases, types
from smemdesc.scanning.mlir.text import Operation
from smemdesc.scanning.mlir.tiles import Tiles, instruction_descriptor, major_name, operand
from smemdesc.scanning.model import Instruction, Operand
from smemdesc.tiles.reading import TYPE_OF
from smemdesc.tiles.triton import parse_triton

NAMES = frozenset(("ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.tmem_copy"))
_MEMDESC = re.compile(r"!(?:ttg|triton_gpu)\.memdesc<\s*(\d[\dx]*?)x([A-Za-z]\w*)\s*,")
_INSTRUCTION = re.compile(r"\binstrShape = \[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_BLOCK = re.compile(r"\bblockM = (\d+)\s*,\s*blockN = (\d+)")
_RESULT = re.compile(r"tensor<(?:\d{1,9}x)*([A-Za-z]\w*)\s*,")
_TWO = re.compile(r"\btwo_?ctas\b(?!\s*=\s*false)|\btwoCTAs = true", re.I)
_FORMAT = re.compile(r"\b(lhs|rhs) = (\w+)")
_D_TYPES = {"f16": "f16", "f32": "f32", "i32": "s32"}
_KINDS = {"f16": "f16", "bf16": "f16", "tf32": "tf32", "s8": "i8", "u8": "i8", "e4m3": "f8f6f4", "e5m2": "f8f6f4"}
_K_BYTES = 32
_SCALES = ("a_scale_id", "b_scale_id")


class _Memory:
    """A ``memdesc`` type, or what stands in its place."""

    def __init__(self, text: str) -> None:
        found = _MEMDESC.search(text)
        self.text = text
        self.in_tmem = "tensor_memory" in text
        self.shared = found is not None and not self.in_tmem
        self.type = TYPE_OF.get(found[2]) if found else None
        found_out = _transposed(text) if self.shared else None
        self.transposed = None if isinstance(found_out, str) else found_out
        self.problem = found_out if isinstance(found_out, str) else ""


@lru_cache(maxsize=1024)
def _transposed(text: str) -> bool | str:
    """Whether dimension 0 is contiguous; or why the text does not tell."""
    try:
        return parse_triton(text).encoding.transposed
    except SmemdescError as problem:
        return problem.message


def read(operation: Operation, aliases: Aliases, arch: str | None) -> Tiles | str:
    """Return what an operation says; why not, where its types are not there."""
    given = [aliases.expand(each) for each in types(operation.text)]
    if operation.name == "ttng.tmem_copy" and given:
        return Instruction("tcgen05.cp"), Operand(0, 0), None, None
    if len(given) < 3:
        return "the types of its operands are missing"
    return _wgmma(given) if operation.name == "ttng.warp_group_dot" else _tcgen05(operation, given)


def _wgmma(given: list[str]) -> Tiles:
    a, b = _Memory(given[0]), _Memory(given[1])
    shape = _INSTRUCTION.search(given[-1])
    n, k = (int(shape[2]), int(shape[3])) if shape else (None, None)
    result = _RESULT.search(given[-1])
    registers = _RESULT.search(given[0]) if not a.shared else None
    a_type = a.type if a.shared else TYPE_OF.get(registers[1]) if registers else None
    a_major = None if a.transposed is None else major_name(a.transposed)
    b_major = None if b.transposed is None else major_name(not b.transposed)
    instruction = Instruction(
        "wgmma",
        m=64,
        n=n,
        k=k,
        a_type=a_type,
        b_type=b.type,
        d_type=_D_TYPES.get(result[1]) if result else None,
        a_major=a_major if a.shared else "K",
        b_major=b_major,
        sparse=False,
        a_from="shared" if a.shared else "registers",
    )
    of_a = _operand(a, "wgmma", a_major, _dtype(a.type), 64, k) if a.shared else None
    return instruction, of_a, _operand(b, "wgmma", b_major, _dtype(b.type), n, k), None


def _dtype(name: str | None, mma_kind: str | None = None) -> DType | None:
    return None if name is None else dtype_of(name, mma_kind)


def _tcgen05(operation: Operation, given: list[str]) -> Tiles:
    scaled = operation.name.endswith("_scaled")
    a, b = _Memory(given[0]), _Memory(given[1])
    formats = dict(_FORMAT.findall(operation.text))
    a_type, b_type = (formats.get("lhs"), formats.get("rhs")) if scaled else (a.type, b.type)
    if scaled and not {a_type, b_type} <= {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"}:
        a_type = b_type = None
    mma_kind = _scaled_kind(a_type, b_type, given) if scaled else _KINDS.get(a_type or "")
    group = 2 if _TWO.search(operation.text) or _TWO.search(given[2]) else 1
    block = _BLOCK.search(given[2])
    m, n = (int(block[1]) * group, int(block[2])) if block else (None, None)
    a_major = None if a.transposed is None else major_name(a.transposed)
    b_major = None if b.transposed is None else major_name(not b.transposed)
    instruction = Instruction(
        "tcgen05",
        mma_kind=mma_kind,
        mma_kinds=(mma_kind,) if mma_kind else (),
        cta_group=group,
        ws=False,
        sparse=False,
        a_from="tmem" if a.in_tmem else "shared",
    )
    types_of = _dtype(a_type, mma_kind), _dtype(b_type, mma_kind)
    k = next((_K_BYTES * 8 // each.storage for each in types_of if each), None)
    of_a = None
    if not a.in_tmem:
        of_a = _operand(a, "tcgen05", a_major, types_of[0], m // group if m else None, k)
    of_b = _operand(b, "tcgen05", b_major, types_of[1], n // group if n else None, k)
    idesc: Operand | None = Operand(0, 0)
    if mma_kind and m and n and b_major and (a_major or a.in_tmem):
        fields = {
            "d_type": _d_type(given[2]),
            "a_type": a_type,
            "b_type": b_type,
            "m": m,
            "n": n,
            "transpose_a": a_major == "MN",
            "transpose_b": b_major == "MN",
            "scale_type": "ue8m0" if mma_kind != "mxf4nvf4" or "f8E4M3" not in given[3] else "ue4m3",
        }
        if None not in fields.values():
            idesc = instruction_descriptor(mma_kind, fields, _SCALES if scaled else (), group)
    return instruction, of_a, of_b, idesc


def _d_type(text: str) -> str | None:
    found = _MEMDESC.search(text)
    return _D_TYPES.get(found[2]) if found else None


def _scaled_kind(a_type: str | None, b_type: str | None, given: list[str]) -> str | None:
    if a_type is None:
        return None
    if a_type != "e2m1" or b_type != "e2m1":
        return "mxf8f6f4"
    scales = _MEMDESC.search(given[3]) if len(given) > 3 else None
    if scales is None:
        return None
    return "mxf4nvf4" if scales[2].startswith("f8E4M3") else "mxf4"


def _operand(
    memory: _Memory, kind: str, major: str | None, dtype: DType | None, rows: int | None, k: int | None
) -> Operand:
    if memory.problem:
        return Operand(0, 0, None, memory.problem)
    shape = None if rows is None or k is None else (rows, k)
    return operand(memory.text, kind, dtype, major, shape)
