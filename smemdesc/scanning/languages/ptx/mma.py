"""The tensor-core instructions of PTX: their descriptor operands, and the meaning of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.mma import OPERAND_TYPES, SCALE_INPUT, Understood, tcgen05, wgmma
from smemdesc.scanning.languages.ptx.lower import ACCESS, first_operands
from smemdesc.scanning.languages.ptx.text import PtxStatement, added, number
from smemdesc.scanning.languages.tensor_memory import SHIFTED, access, allocation, move
from smemdesc.scanning.model import Instruction

_SHAPE = re.compile(r"m64n(\d{1,4})k(\d{1,4})$")
_TYPES = OPERAND_TYPES | {"f32", "s32"}
_COPIED = re.compile(r"(4|32|64|128)x(128|256)b$")


def understand(line: PtxStatement) -> Understood | None:
    """Return the instruction and the names of its operands; None if operands are missing."""
    if line.name == "wgmma":
        return _wgmma(line)
    if line.role is ACCESS:
        return _access(line)
    return _copy(line) if line.mnemonic.startswith("tcgen05.cp.") else _tcgen05(line)


def _is_place(text: str) -> bool:
    return text.startswith("[")


def _memory(named: dict[str, str]) -> tuple[TmemAddress, ...]:
    """Return the addresses of tensor memory among operands."""
    return tuple(
        TmemAddress(name, *base_and_offset)
        for name, text in named.items()
        if _is_place(text) and (base_and_offset := added(text[1:].removesuffix("]").strip()))
    )


def _access(line: PtxStatement) -> Understood | None:
    """Return a load, a store, a shift or an allocation of tensor memory."""
    operation = line.suffixes[0]
    if operation in ("alloc", "dealloc"):
        return allocation(line.operands[1], f"tcgen05.{operation}") if len(line.operands) > 1 else None
    at, place = next(((at, text) for at, text in enumerate(line.operands) if _is_place(text)), (0, ""))
    address = next(iter(_memory({"at": place})), None)
    if address is None:
        return None
    if operation == "shift":
        return access("tcgen05.shift", address, 1, SHIFTED)
    split = number(line.operands[at + 1]) if at + 1 < len(line.operands) else None
    pack = any(word.endswith("pack::16b") for word in line.suffixes)
    return move(f"tcgen05.{operation}", address, line.suffixes, split, pack)


def _wgmma(line: PtxStatement) -> Understood | None:
    operands, suffixes = line.operands, line.suffixes
    shape = next((match for suffix in suffixes if (match := _SHAPE.match(suffix))), None)
    types = [suffix for suffix in suffixes if suffix in _TYPES]
    if shape is None or len(types) != 3 or len(operands) < 3 or not _plain(operands[2]):
        return None
    sparse, registers = "sp" in suffixes, operands[1].startswith("{")
    # After the descriptors: (metadata and selector, if sparse) scale-d, imm-scale-a, imm-scale-b, the transposes.
    last = operands[3 + 2 * sparse + 3 :]
    majors = _major(last, 0), _major(last, 0 if registers else 1)
    instruction = wgmma(int(shape[1]), int(shape[2]), types, majors, sparse, registers)
    names = OperandNames(
        *(None if registers else operands[1], operands[2]),
        accumulator=next(iter(first_operands(line.rest, line.scope)), ""),
        begins=_is_false(operands[3 + 2 * sparse :]),
    )
    return None if instruction is None else (instruction, names)


def _is_false(operands: Sequence[str]) -> bool:
    """Whether the first of these operands is a predicate that is a constant, 0."""
    return bool(operands) and operands[0][:1].isdigit() and number(operands[0]) == 0


def _major(transposes: tuple[str, ...], index: int) -> str | None:
    value = number(transposes[index]) if index < len(transposes) else None
    return None if value is None else "MN" if value & 1 else "K"


def _plain(text: str) -> bool:
    """Whether an operand is a register or a constant expression."""
    return text[:1] not in ("", "[", "{") and (text[:1] != "(" or number(text) is not None)


def _group(line: PtxStatement) -> int | None:
    suffix_found = next((suffix for suffix in line.suffixes if suffix.startswith("cta_group::")), "")
    return {"1": 1, "2": 2}.get(suffix_found.rpartition("::")[2])


def _copy(line: PtxStatement) -> Understood | None:
    if len(line.operands) < 2 or not _plain(line.operands[1]):
        return None
    shape = next((match for suffix in line.suffixes if (match := _COPIED.match(suffix))), None)
    copied = (int(shape[1]), int(shape[2])) if shape else None
    names = OperandNames(line.operands[1], None, memory=_memory({"d": line.operands[0]}))
    return Instruction("tcgen05.cp", cta_group=_group(line), copied=copied), names


def _tcgen05(line: PtxStatement) -> Understood | None:
    operands, words = line.operands, line.suffixes
    if len(operands) < 4 or not _is_place(operands[0]) or not _plain(operands[2]):
        return None
    in_tmem = _is_place(operands[1])
    # [metadata] precedes the instruction descriptor, the scale factors and the disabled lanes follow it.
    idesc, *after = [*dropwhile(_is_place, operands[3:])] or [""]
    if not _plain(idesc):
        return None
    memory = {"d": operands[0], "a": operands[1]}
    if "block_scale" in words:
        memory.update(zip(("scale_a", "scale_b"), filter(_is_place, after), strict=False))
    # The first operand after it is enable-input-d.
    more = [operand for operand in after if _plain(operand)][1:]
    mask = more[0] if "ws" in words and more else None
    kind = next((word for word in words if word.startswith("kind::")), "").rpartition("::")[2]
    instruction = tcgen05(
        [kind] if kind else [],
        (*words, SCALE_INPUT) if more and "ws" not in words else words,
        _group(line),
        in_tmem,
        "sp" in words,
    )
    descriptors = None if in_tmem else operands[1], operands[2], idesc, mask
    begins = _is_false([operand for operand in after if _plain(operand)])
    return instruction, OperandNames(*descriptors, _memory(memory), begins=begins)
