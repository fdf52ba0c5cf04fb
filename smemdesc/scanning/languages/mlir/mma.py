"""The tensor-core operations of MLIR's nvvm and nvgpu dialects, and their operands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import modes
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.kinds.types import dtype_of
from smemdesc.rules.tensor_memory_use import ALLOCATIONS
from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types
from smemdesc.scanning.languages.mlir.text import Operation, named_values
from smemdesc.scanning.languages.mlir.tiles import ACCUMULATOR_TYPES, START, MmaAtom, Tiles
from smemdesc.scanning.languages.mma import OPERAND_TYPES, NotUnderstoodError, Understood, require_types, tcgen05, wgmma
from smemdesc.scanning.languages.mnemonics import NVVM_ACCESSES, NVVM_FORMS
from smemdesc.scanning.languages.tensor_memory import SHIFTED, access, allocation, move, repetitions
from smemdesc.scanning.model import Instruction, ScannedOperand
from smemdesc.tiles.reading import TYPE_OF

_SHAPE = re.compile(r"<\s*m = (\d{1,4}), n = (\d{1,4}), k = (\d{1,4})\s*>")
_PART = re.compile(r"\b([DAB])\s*\[([^\[\]]*)\]")
_IN_ANGLES = re.compile(r"<(\w+)>")
_KIND = re.compile(r"(?:tcgen05_mma(?:_block_scale)?_kind<|\bkind = <?)(\w+)")
_GROUP = re.compile(r"<?\bcta_([12])\b")
_COLLECTOR_B = re.compile(r"\bcollectorOpB\b(?! = [\w.#]*<discard>)")
_BLOCK = re.compile(r"\bblock(16|32)\b")
_TENSOR = re.compile(r"tensor\s*=\s*memref<(?:(\d{1,6})x)(?:(\d{1,6})x)(\w+)[,>]")
_ACCUMULATOR = re.compile(r"fragmented\s*=\s*vector<\d+x\d+x(\w+)>")
_SWIZZLE = re.compile(r"\bswizzle\s*=\s*swizzle_(\w+)")
_ASKED = (
    (1, "i64", "the descriptor of A"),
    (2, "i64", "the descriptor of B"),
    (3, "i32", "the instruction descriptor"),
)
_RENAMED = {"int8": "i8"}
_TRANSPOSED_A, _TRANSPOSED_B = re.compile(r"\btransposeA\b"), re.compile(r"\btransposeB\b")
_MODES = {mode.mlir: mode for mode in modes("wgmma") if mode.mlir}
_LARGEST_BOX = 256
"""The most elements of a tensor map's box along one dimension."""


def understand(operation: Operation) -> Understood | None:
    """Return the instruction of an operation, and its operands; None if it is not an MMA of the nvvm dialect.

    Raises :class:`NotUnderstoodError`.
    """
    text = operation.text
    if operation.name == "nvvm.wgmma.mma_async":
        return _wgmma(text)
    if operation.name == "nvvm.tcgen05.cp":
        operands = named_values(text)
        if len(operands) < 2:
            raise NotUnderstoodError(f"it has {_count(operands)}, but needs an address and a descriptor")
        instruction = Instruction("tcgen05.cp", cta_group=_group(text) or 1)
        return instruction, OperandNames(operands[1], None, memory=(TmemAddress("d", operands[0]),))
    if operation.name in NVVM_ACCESSES:
        return _access(operation.name.removeprefix("nvvm."), text)
    if operation.name.startswith("nvvm.tcgen05.mma") and operation.name[len("nvvm.tcgen05.mma") :] in NVVM_FORMS:
        return _tcgen05(operation.name[len("nvvm.tcgen05.mma") :].split("."), text)
    return None


def _access(name: str, text: str) -> Understood | None:
    """Return a load, a store, a shift or an allocation of tensor memory; None if operands are missing."""
    operands = named_values(text)
    if not operands or name in ALLOCATIONS:
        return allocation(operands[1], name) if len(operands) > 1 else None
    address = TmemAddress("at", operands[0])
    if name == "tcgen05.shift":
        return access(name, address, 1, SHIFTED)
    shape, moved = _MOVED.search(text), _VECTOR.search(text)
    if shape is None:
        return None
    registers = int(moved[1]) if moved else 1
    return move(name, address, (shape[1], f"x{repetitions(shape[1], registers)}"), pack=_PACK.search(text) is not None)


_MOVED = re.compile(r"\bshape_(\w+)")
_VECTOR = re.compile(r"\bvector<\s*(\d{1,3})\s*x\s*i32>")
_PACK = re.compile(r"\b(?:un)?pack\b")


def _count(operands: list[str]) -> str:
    return f"{len(operands) or 'no'} operand{'s' if len(operands) != 1 else ''}"


def _group(text: str) -> int | None:
    group = _GROUP.search(text)
    return int(group[1]) if group else None


def _wgmma(text: str) -> Understood:
    shape = _SHAPE.search(text)
    operands = named_values(text)
    parts = dict(_PART.findall(text))
    if shape is None:
        raise NotUnderstoodError("its shape (<m = 64, n = 128, k = 16>) is missing")
    a_words, b_words, d_words = (_IN_ANGLES.findall(parts.get(part, "")) for part in "ABD")
    a_type, b_type = (next((word for word in words if word in OPERAND_TYPES), None) for words in (a_words, b_words))
    d_type = next((word for word in d_words if word in ACCUMULATOR_TYPES.values()), None)
    # In the first form of the operation, which has the accumulator in D [...], the layout of B had the opposite
    # meaning.
    first_form = "%" in parts.get("D", "")
    majors = (_major(a_type, a_words, "row"), _major(b_type, b_words, None if first_form else "col"))
    instruction = wgmma(int(shape[2]), int(shape[3]), (d_type, a_type, b_type), majors, sparse=False)
    if instruction is None or int(shape[1]) != instruction.m:
        raise NotUnderstoodError(f"wgmma has no shape {shape[0]}")
    if len(operands) < 2:
        raise NotUnderstoodError(f"it has {_count(operands)}, but needs two descriptors")
    return instruction, OperandNames(operands[0], operands[1])


def _major(kind: str | None, words: list[str], straight: str | None) -> str | None:
    layout = next((word for word in words if word in ("row", "col")), None)
    return None if kind is None or layout is None or straight is None else "K" if layout == straight else "MN"


def _tcgen05(form: list[str], text: str) -> Understood:
    operands = named_values(text)
    if len(operands) < 5:
        raise NotUnderstoodError(f"it has {_count(operands)}, but needs at least five")
    kinds = operation_types(text)
    if not kinds:
        raise NotUnderstoodError("the types of its operands are missing")
    if len(kinds) != len(operands):
        raise NotUnderstoodError("it has different numbers of operands and types")
    # A is a pointer to tensor memory, or a descriptor.
    in_tmem = kinds[1].startswith("!llvm.ptr")
    require_types(kinds, _ASKED[1:] if in_tmem else _ASKED, "operand")
    ws, sparse, scaled = "ws" in form, "sp" in form, "block_scale" in form
    named = _KIND.search(text)
    kind = _RENAMED.get(named[1], named[1]) if named else ""
    fits = kind in MMA_KINDS and kind.startswith("mx") == scaled
    words = (*form, *_words(form, text))
    instruction = tcgen05([kind] if fits else [], words, 1 if ws else _group(text), in_tmem, sparse)
    extra = operands[5 + sparse :]
    mask = extra[0] if ws and extra and kinds[-1] == "i64" else None
    memory = [TmemAddress("d", operands[0]), *([TmemAddress("a", operands[1])] if in_tmem else [])]
    if scaled and "decompress_b" not in form:
        memory += [TmemAddress(*scale) for scale in zip(("scale_a", "scale_b"), extra, strict=False)]
    return instruction, OperandNames(None if in_tmem else operands[1], operands[2], operands[3], mask, tuple(memory))


def _words(form: list[str], text: str) -> Iterator[str]:
    """Yield the words that PTX has for the attributes."""
    if "decompress_b" in form:
        yield "decompress::lut::b"
    if "ws" not in form and _COLLECTOR_B.search(text):
        yield "collector::b::"
    if block := _BLOCK.search(text):
        yield block[0]


def warpgroup(operation: Operation, aliases: Aliases) -> Tiles:
    """Read an ``nvgpu.warpgroup.mma``: several wgmma over whole tiles. Its types determine all but addresses and
    strides."""
    operands, text = named_values(operation.text), operation.text
    tensors = _TENSOR.findall(text)
    if len(operands) < 3:
        raise NotUnderstoodError(f"it has {_count(operands)}, but needs A, B and an accumulator")
    if len(tensors) < 2:
        raise NotUnderstoodError("the types of A and B are missing")
    a_type, b_type = (TYPE_OF.get(element) for _, _, element in tensors[:2])
    accumulator, n = _ACCUMULATOR.search(text), int(tensors[1][1])
    majors = ("MN" if _TRANSPOSED_A.search(text) else "K", "MN" if _TRANSPOSED_B.search(text) else "K")
    return MmaAtom(
        "wgmma",
        64,
        n if n <= 256 and n % 8 == 0 else None,
        256 // dtype_of(a_type).storage if a_type else None,
        (a_type, b_type, ACCUMULATOR_TYPES.get(accumulator[1]) if accumulator else None),
        majors,
        "shared",
    ).tiles([_viewed(operation, name, major) for name, major in zip(operands, majors, strict=False)])


def _viewed(operation: Operation, name: str, major: str) -> ScannedOperand:
    """Return the descriptor that an operation reads, if the operation that makes it is found."""
    value = operation.region.find(name)
    maker = None if value is None else value.operation
    descriptor = None if maker is None else generated(maker)
    if descriptor is None:
        return ScannedOperand(0, 0)
    # LBO has no effect in a K-major operand: what the compiler writes there is not a bug in the kernel.
    ignored = kind_of("wgmma").table.masks["leading_byte_offset"] if major == "K" else 0
    return ScannedOperand(descriptor.bits & ~ignored, descriptor.known & ~ignored)


def generated(operation: Operation) -> ScannedOperand | None:
    """Return the descriptor that MLIR generates for a tensor map, except the start address; None for another operation.

    SBO is 8 rows of the swizzle mode, and LBO as many rows as the tensor's first dimension has, used or not.
    """
    if operation.name != "nvgpu.warpgroup.generate.descriptor":
        return None
    swizzle, tensor = _SWIZZLE.search(operation.text), _TENSOR.search(operation.text)
    mode = _MODES.get(swizzle[1]) if swizzle else None
    if mode is None:
        return ScannedOperand(0, 0)
    table = kind_of("wgmma").table
    fields: dict[str, object] = {"swizzle": mode.name}
    known = table.masks["swizzle"]
    if mode.name != "none" and tensor and int(tensor[1]) <= _LARGEST_BOX:
        row = mode.width
        fields.update(leading_byte_offset=row * int(tensor[1]), stride_byte_offset=8 * row)
        known = table.full & ~table.masks[START]
    bits = sum(table.by_key[key].codec.encode(value) << table.by_key[key].lo for key, value in fields.items())
    return ScannedOperand(bits, known)
