"""The tensor-core instructions of PTX: their descriptor operands, and the meaning of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.ptx.text import PtxStatement, added, number
from smemdesc.scanning.model import OPERAND_TYPES, TRANSPOSED, Instruction, is_shape, scale_of

_SHAPE = re.compile(r"m64n(\d{1,4})k(\d{1,4})$")
_TYPES = OPERAND_TYPES | {"f32", "s32"}
_COPIED = re.compile(r"(4|32|64|128)x(128|256)b$")
_QUALIFIERS = {
    "scale_vec::": "scale-vec",
    "block16": "block-size",
    "block32": "block-size",
    "collector::b::": "collector-b",
    "decompress::lut::b": "lut-b",
}


def tensor_memory(line: PtxStatement) -> tuple[TmemAddress, ...]:
    """Return the tensor memory addresses of a tensor-core instruction, except sparse metadata and lookup tables."""
    operands = line.operands
    named = {"d": operands[0]}
    if line.mnemonic.startswith("tcgen05.mma"):
        named["a"] = operands[1]
        if "block_scale" in line.suffixes:
            after = dropwhile(_is_place, operands[3:])
            named.update(zip(("scale_a", "scale_b"), filter(_is_place, after), strict=False))
    return tuple(
        TmemAddress(name, *base_and_offset)
        for name, text in named.items()
        if _is_place(text) and (base_and_offset := added(text[1:].removesuffix("]").strip()))
    )


def _is_place(text: str) -> bool:
    return text.startswith("[")


def understand(line: PtxStatement) -> tuple[Instruction, OperandNames] | None:
    """Return the instruction and its descriptor operands; None if operands are missing."""
    if line.name == "wgmma":
        return _wgmma(line)
    if line.mnemonic.startswith("tcgen05.cp."):
        return _copy(line)
    return _tcgen05(line)


def _wgmma(line: PtxStatement) -> tuple[Instruction, OperandNames] | None:
    operands, suffixes = line.operands, line.suffixes
    shape = next((match for suffix in suffixes if (match := _SHAPE.match(suffix))), None)
    types = [suffix for suffix in suffixes if suffix in _TYPES]
    if shape is None or len(types) != 3 or len(operands) < 3 or not _plain(operands[2]):
        return None
    d_type, a_type, b_type = types
    n, k = int(shape[1]), int(shape[2])
    if not {a_type, b_type} <= OPERAND_TYPES or not is_shape(n, k):
        return None
    sparse = "sp" in suffixes
    registers = operands[1].startswith("{")
    # After the descriptors: (metadata and selector, if sparse) scale-d, imm-scale-a, imm-scale-b, the transposes.
    last = operands[3 + 2 * sparse + 3 :]
    a_major: str | None = "K"
    b_major: str | None = "K"
    if a_type in TRANSPOSED:
        a_major = _major(last, 0)
        b_major = _major(last, 0 if registers else 1)
    instruction = Instruction(
        "wgmma",
        m=64,
        n=n,
        k=k,
        a_type=a_type,
        b_type=b_type,
        d_type=d_type,
        a_major=None if registers else a_major,
        b_major=b_major,
        sparse=sparse,
        a_from="registers" if registers else "shared",
    )
    return instruction, OperandNames(None if registers else operands[1], operands[2])


def _major(transposes: tuple[str, ...], index: int) -> str | None:
    value = number(transposes[index]) if index < len(transposes) else None
    return None if value is None else "MN" if value & 1 else "K"


def _plain(text: str) -> bool:
    """Whether an operand is a register or a constant expression."""
    return text[:1] not in ("", "[", "{") and (text[:1] != "(" or number(text) is not None)


def _group(line: PtxStatement) -> int | None:
    suffix_found = next((suffix for suffix in line.suffixes if suffix.startswith("cta_group::")), "")
    return {"1": 1, "2": 2}.get(suffix_found.rpartition("::")[2])


def _copy(line: PtxStatement) -> tuple[Instruction, OperandNames] | None:
    if len(line.operands) < 2 or not _plain(line.operands[1]):
        return None
    shape = next((match for suffix in line.suffixes if (match := _COPIED.match(suffix))), None)
    copied = (int(shape[1]), int(shape[2])) if shape else None
    return Instruction("tcgen05.cp", cta_group=_group(line), copied=copied), OperandNames(line.operands[1], None)


def _tcgen05(line: PtxStatement) -> tuple[Instruction, OperandNames] | None:
    operands, suffixes = line.operands, line.suffixes
    if len(operands) < 4 or not operands[0].startswith("[") or not _plain(operands[2]):
        return None
    sparse, ws = "sp" in suffixes, "ws" in suffixes
    memory = operands[1].startswith("[")
    # [metadata] precedes the instruction descriptor, the scale factors and the disabled lanes follow it.
    rest = list(dropwhile(_is_place, operands[3:]))
    if not rest or not _plain(rest[0]):
        return None
    idesc = rest[0]
    after = [operand for operand in rest[1:] if _plain(operand)]
    named = next((suffix for suffix in suffixes if suffix.startswith("kind::")), "")
    kind = named.rpartition("::")[2] or None
    instruction = Instruction(
        "tcgen05",
        mma_kind=kind,
        mma_kinds=(kind,) if kind else (),
        cta_group=_group(line),
        ws=ws,
        sparse=sparse,
        scale_vec=_scale_vec(suffixes, kind or ""),
        a_from="tmem" if memory else "shared",
        qualifiers=(*_qualifiers(suffixes), *(["scale-input-d"] if not ws and len(after) > 1 else [])),
    )
    # The first operand after it is enable-input-d.
    mask = after[1] if ws and len(after) > 1 else None
    return instruction, OperandNames(None if memory else operands[1], operands[2], idesc, mask)


def _qualifiers(suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the features that not every architecture has, by their keys in the table of architectures."""
    for suffix in suffixes:
        for start, key in _QUALIFIERS.items():
            if suffix.startswith(start):
                yield key


def _scale_vec(suffixes: tuple[str, ...], kind: str) -> int | None:
    named = next((suffix for suffix in suffixes if suffix.startswith("scale_vec::")), None)
    if named and kind in BLOCK_SCALED:
        return {"1X": 1, "2X": 2, "4X": 4}.get(named.rpartition("::")[2])
    return scale_of(kind, suffixes)
