"""The tensor-core instructions of SASS: the registers of their descriptors, and the meaning of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.mma import SCALE_INPUT, Understood, tcgen05, wgmma
from smemdesc.scanning.languages.mnemonics import UTCCP, WGMMA_SASS
from smemdesc.scanning.languages.sass.text import SassInstruction
from smemdesc.scanning.languages.tensor_memory import SHIFTED, access, allocation, move
from smemdesc.scanning.model import Instruction

MMA_SHAPE = re.compile(r"64x(\d{1,3})x(\d{1,3})$")
_COPIED = re.compile(r"(?:[24]x)?(4|32|64|128)dp(128|256)bit(?:_lw\d\d_lw\d\d)?$")
_GDESC = re.compile(r"gdesc\[(UR(\d{1,3})|URZ)\]((?:\.\w+)*)$")
_IDESC = re.compile(r"idesc\[(UR\d{1,3}|URZ)\]")
_TMEM = re.compile(r"tmem\[(UR\d{1,3}|URZ)(?:\+(-?0x[0-9a-f]{1,8}))?\]$")
_NEVER = "!UPT"
"""The predicate by which an MMA does not add to what D holds."""
_UNIFORM = re.compile(r"UR(\d{1,3})$")
_TYPES = ("F16", "F32", "BF16", "TF32", "E4M3", "E5M2", "S8", "U8")
_UNSAID = {"IGMMA": ["s32"], "BGMMA": ["s32", "b1", "b1"]}
"""The types of D, A and B that the name alone determines."""
_SCALE = re.compile(r"0x[0-9a-f]$")
_KINDS = {
    "UTCHMMA": ("f16", "tf32", "ti16"),
    "UTCQMMA": ("f8f6f4",),
    "UTCIMMA": ("i8",),
    "UTCOMMA": ("mxf4", "mxf4nvf4"),
    "UTCMXQMMA": ("mxf8f6f4",),
}


def understand(line: SassInstruction) -> Understood | None:
    """Return the instruction and the registers of its operands; None if it has no descriptors."""
    if line.name in WGMMA_SASS:
        return _wgmma(line)
    return _copy(line) if line.name == UTCCP else _tcgen05(line)


_MOVES = {"LDTM": "tcgen05.ld", "STTM": "tcgen05.st"}
_SHIFT, _ALLOCATE = "UTCSHIFT", "UTCATOMSWS"
SASS_ACCESSES = tuple(name.encode() for name in (*_MOVES, _SHIFT, _ALLOCATE))
"""The instructions that access or allocate tensor memory and read no descriptor."""
_MOVED = re.compile(r"(16|32)dp(\d{2,3})bit(?:_t\d+_t\d+)?$")
_RETRY = b"NANOSLEEP"
"""What an allocation that failed waits with before the next attempt."""


def understand_access(line: SassInstruction, before: Sequence[bytes]) -> Understood | None:
    """Return a load, a store, a shift or an allocation of tensor memory; None for another, and for the repetition of an
    allocation that failed. ``before`` are the lines before it."""
    if line.name == _ALLOCATE:
        if "FIND_AND_SET" not in line.suffixes or any(_RETRY in text for text in before):
            return None
        return allocation(line.operands[-1]) if _UNIFORM.match(line.operands[-1]) else None
    address = next((found for text in line.operands for found in _tmem("at", text)), None)
    if address is None:
        return None
    if line.name == _SHIFT:
        return access("tcgen05.shift", address, 1, SHIFTED)
    shape = next((match for word in line.suffixes if (match := _MOVED.match(word))), None)
    # Of the two halves of .16x32bx2, each is an instruction of its own.
    name = "32x32b" if shape is None else "16x32bx2" if shape[2] == "32" else f"{shape[1]}x{shape[2]}b"
    times = next((word for word in line.suffixes if word[:1] == "x"), "x1")
    return move(_MOVES[line.name], address, (name, times))


def _tmem(name: str, text: str) -> Iterator[TmemAddress]:
    """Yield the address of tensor memory that an operand has."""
    match = _TMEM.match(text)
    if match:
        yield TmemAddress(name, match[1], int(match[2] or "0", 0))


def _scales(text: str) -> Iterator[TmemAddress]:
    """Yield the addresses of the scale factors: ``tmem[UR8]`` names two registers, UR8 for A and UR9 for B."""
    for scale_a in _tmem("scale_a", text):
        yield scale_a
        pair = _pair(scale_a.register)
        if pair:
            yield TmemAddress("scale_b", pair[1], scale_a.plus)


def _pair(text: str | None, plus: int = 0) -> tuple[str, ...] | None:
    if text == "URZ":
        return "URZ", "URZ"
    match = _UNIFORM.match(text or "")
    if not match:
        return None
    number = int(match[1]) + plus
    return f"UR{number}", f"UR{number + 1}"


def _wgmma(line: SassInstruction) -> Understood | None:
    at, gdesc = next(((i, m) for i, text in enumerate(line.operands) if (m := _GDESC.match(text))), (0, None))
    shape = next((m for suffix in line.suffixes if (m := MMA_SHAPE.match(suffix))), None)
    if gdesc is None or shape is None:
        return None
    types = [*_UNSAID.get(line.name, ()), *(suffix.lower() for suffix in line.suffixes if suffix in _TYPES)]
    d_type = types[0] if types else None
    a_type, b_type = types[1:3] if len(types) > 2 else (None, None)
    if line.name == "HGMMA":
        a_type = b_type = types[1] if len(types) > 1 else "f16"
    registers = at > 1  # D, A, gdesc[B]: gdesc is second if both are in shared memory
    a_major, b_major = ("MN" if f"tnsp{operand}" in gdesc[3].split(".") else "K" for operand in "AB")
    instruction = wgmma(
        int(shape[1]), int(shape[2]), (d_type, a_type, b_type), (a_major, b_major), "SP" in line.suffixes, registers
    )
    # gdesc names four registers: A in the first pair (unused if A is in registers), B in the second.
    operands = OperandNames(
        *(None if registers else _pair(gdesc[1]), _pair(gdesc[1], 2)),
        accumulator=line.operands[0],
        begins=_NEVER in line.operands,
    )
    return None if instruction is None else (instruction, operands)


def _group(line: SassInstruction) -> int:
    return 2 if "2CTA" in line.suffixes else 1


def _copy(line: SassInstruction) -> Understood | None:
    gdesc = next((m for operand in line.operands if (m := _GDESC.match(operand))), None)
    if gdesc is None:
        return None
    shape = next((m for suffix in line.suffixes if (m := _COPIED.match(suffix))), None)
    # The default shape is 128x256b.
    copied = (int(shape[1]), int(shape[2])) if shape else (128, 256)
    instruction = Instruction("tcgen05.cp", cta_group=_group(line), copied=copied)
    return instruction, OperandNames(_pair(gdesc[1]), None, memory=tuple(_tmem("d", line.operands[0])))


def _tcgen05(line: SassInstruction) -> Understood | None:
    """Read ``UTCHMMA A, B, tmem[D], tmem[metadata], idesc[], tmem[scales], mask, enable-D``.

    A is ``gdesc[]`` or ``tmem[]``, B is ``gdesc[]``. Only these and ``idesc[]`` are always there.
    """
    idesc_at, idesc = next(((at, m) for at, text in enumerate(line.operands) if (m := _IDESC.match(text))), (0, None))
    if idesc is None or idesc_at < len("AB"):
        return None
    a, b, *accumulator = line.operands[:idesc_at]
    after = line.operands[idesc_at + 1 :]
    a_descriptor, b_descriptor = _GDESC.match(a), _GDESC.match(b)
    if b_descriptor is None or (a_descriptor is None and not a.startswith("tmem[")):
        return None
    scales = after[0] if after and after[0].startswith("tmem[") else ""
    kinds, scale_vec = _kinds_and_scale_vec(line, bool(scales))
    words = tuple(_words(line, b_descriptor[3], after))
    mask_register = next((text for text in after if _UNIFORM.match(text)), None)
    memory: tuple[TmemAddress, ...] = ()
    if accumulator:
        # The sparse metadata, which only a sparse instruction reads, is omitted.
        memory = (*_tmem("d", accumulator[0]), *_tmem("a", a), *_scales(scales))
    return tcgen05(kinds, words, _group(line), a_descriptor is None, scale_vec=scale_vec), OperandNames(
        _pair(a_descriptor[1]) if a_descriptor else None,
        _pair(b_descriptor[1]),
        (idesc[1],),
        _pair(mask_register) if "ws" in words and mask_register else None,
        memory,
        begins=_NEVER in after,
    )


def _kinds_and_scale_vec(line: SassInstruction, has_scales: bool) -> tuple[tuple[str, ...], int | None]:
    """Return the possible MMA kinds, and the scale factors of a row (None: it has none)."""
    if line.name == "UTCOMMA":
        return (("mxf4nvf4",), 4) if {"4X", "BLOCK16"} & set(line.suffixes) else (_KINDS[line.name], 2)
    if not has_scales:
        return _KINDS[line.name], None
    return ("mxf8f6f4",) if line.name == "UTCQMMA" else _KINDS[line.name], 1


def _words(line: SassInstruction, marks: str, after: tuple[str, ...]) -> Iterator[str]:
    """Yield the words that PTX has for the suffixes and operands; ``marks`` are B's, ``after`` the operands after the
    instruction descriptor."""
    if "LUTB" in line.suffixes:
        yield "decompress::lut::b"
    if "WS" in line.suffixes:
        yield "ws"
    elif {"B_KEEP", "B_REUSE"} & set(marks.split(".")):
        yield "collector::b::"
    if after and _SCALE.match(after[-1]):
        yield SCALE_INPUT
