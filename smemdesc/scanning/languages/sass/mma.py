"""The tensor-core instructions of SASS: the registers of their descriptors, and the meaning of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.mnemonics import COPY, TCGEN05, WGMMA
from smemdesc.scanning.languages.sass.text import SassInstruction
from smemdesc.scanning.model import OPERAND_TYPES, Instruction, is_shape

SHAPE = re.compile(r"64x(\d{1,3})x(\d{1,3})$")
_COPIED = re.compile(r"(?:[24]x)?(4|32|64|128)dp(128|256)bit(?:_lw\d\d_lw\d\d)?$")
_GDESC = re.compile(r"gdesc\[(UR(\d{1,3})|URZ)\]((?:\.\w+)*)$")
_IDESC = re.compile(r"idesc\[(UR\d{1,3}|URZ)\]")
_TMEM = re.compile(r"tmem\[(UR\d{1,3}|URZ)(?:\+(-?0x[0-9a-f]{1,8}))?\]$")
_D = 2
"""The index of D's address in ``UTCHMMA gdesc[A], gdesc[B], tmem[D], tmem[], idesc[]``."""
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


def tensor_memory(line: SassInstruction) -> tuple[TmemAddress, ...]:
    """Return the tensor memory addresses of a tensor-core instruction.

    ``tmem[UR12]`` before ``idesc[UR13]`` is the sparse metadata, which only a sparse instruction reads: it is omitted.
    ``tmem[UR8]`` after it names two registers: UR8 for the scale factors of A, UR9 for B.
    """
    operands = line.operands
    where = next((i for i, text in enumerate(operands) if _IDESC.match(text)), -1)
    if line.name == COPY:
        named = {"d": operands[0]} if operands else {}
    elif line.name in TCGEN05 and where > _D:
        named = {"d": operands[_D], "a": operands[0], "scale_a": "".join(operands[where + 1 : where + 2])}
    else:
        named = {}
    addresses = []
    for name, text in named.items():
        at = _TMEM.match(text)
        if at:
            addresses.append(TmemAddress(name, at[1], int(at[2] or "0", 0)))
            pair = _pair(at[1]) if name == "scale_a" else None
            if pair:
                addresses.append(TmemAddress("scale_b", pair[1], addresses[-1].plus))
    return tuple(addresses)


def _pair(text: str | None, plus: int = 0) -> tuple[str, ...] | None:
    if text == "URZ":
        return "URZ", "URZ"
    match = _UNIFORM.match(text or "")
    if not match:
        return None
    number = int(match[1]) + plus
    return f"UR{number}", f"UR{number + 1}"


def understand(line: SassInstruction) -> tuple[Instruction, OperandNames] | None:
    """Return the instruction and the registers of its descriptors; None if it has none."""
    if line.name in WGMMA:
        return _wgmma(line)
    if line.name == COPY:
        return _copy(line)
    return _tcgen05(line)


def _wgmma(line: SassInstruction) -> tuple[Instruction, OperandNames] | None:
    at, gdesc = next(((i, m) for i, text in enumerate(line.operands) if (m := _GDESC.match(text))), (0, None))
    shape = next((m for suffix in line.suffixes if (m := SHAPE.match(suffix))), None)
    if gdesc is None or shape is None or not is_shape(int(shape[1]), int(shape[2])):
        return None
    types = [*_UNSAID.get(line.name, ()), *(suffix.lower() for suffix in line.suffixes if suffix in _TYPES)]
    d_type = types[0] if types else None
    a_type, b_type = types[1:3] if len(types) > 2 else (None, None)
    if line.name == "HGMMA":
        a_type = b_type = types[1] if len(types) > 1 else "f16"
    if any(kind is not None and kind not in OPERAND_TYPES for kind in (a_type, b_type)):
        return None
    registers = at > 1  # D, A, gdesc[B]: gdesc is second if both are in shared memory
    marks = gdesc[3].split(".")
    instruction = Instruction(
        "wgmma",
        m=64,
        n=int(shape[1]),
        k=int(shape[2]),
        a_type=a_type,
        b_type=b_type,
        d_type=d_type,
        a_major=None if registers else "MN" if "tnspA" in marks else "K",
        b_major="MN" if "tnspB" in marks else "K",
        sparse="SP" in line.suffixes,
        a_from="registers" if registers else "shared",
    )
    # gdesc names four registers: A in the first pair (unused if A is in registers), B in the second.
    return instruction, OperandNames(None if registers else _pair(gdesc[1]), _pair(gdesc[1], 2))


def _copy(line: SassInstruction) -> tuple[Instruction, OperandNames] | None:
    gdesc = next((m for operand in line.operands if (m := _GDESC.match(operand))), None)
    if gdesc is None:
        return None
    group = 2 if "2CTA" in line.suffixes else 1
    shape = next((m for suffix in line.suffixes if (m := _COPIED.match(suffix))), None)
    # The default shape is 128x256b.
    copied = (int(shape[1]), int(shape[2])) if shape else (128, 256)
    return Instruction("tcgen05.cp", cta_group=group, copied=copied), OperandNames(_pair(gdesc[1]), None)


def _tcgen05(line: SassInstruction) -> tuple[Instruction, OperandNames] | None:
    operands = line.operands
    where, named = next(((i, m) for i, text in enumerate(operands) if (m := _IDESC.match(text))), (0, None))
    if named is None or len(operands) < 3:
        return None
    first, second = _GDESC.match(operands[0]), _GDESC.match(operands[1])
    after = operands[where + 1 :]
    scaled = bool(after) and after[0].startswith("tmem[")
    ws = "WS" in line.suffixes
    kinds = ("mxf8f6f4",) if scaled and line.name == "UTCQMMA" else _KINDS[line.name]
    scale_vec = 1 if scaled else None
    if line.name == "UTCOMMA":
        kinds, scale_vec = (("mxf4nvf4",), 4) if {"4X", "BLOCK16"} & set(line.suffixes) else (kinds, 2)
    mask_register = next((text for text in after if _UNIFORM.match(text)), None)
    instruction = Instruction(
        "tcgen05",
        mma_kind=kinds[0] if len(kinds) == 1 else None,
        mma_kinds=kinds,
        cta_group=2 if "2CTA" in line.suffixes else 1,
        ws=ws,
        scale_vec=scale_vec,
        a_from="shared" if first else "tmem",
        qualifiers=tuple(_qualifiers(line, second[3] if second else "", after)),
    )
    return instruction, OperandNames(
        _pair(first[1]) if first else None,
        _pair(second[1]) if second else None,
        (named[1],),
        _pair(mask_register) if ws and mask_register else None,
    )


def _qualifiers(line: SassInstruction, marks: str, after: tuple[str, ...]) -> Iterator[str]:
    """Yield the features that not every architecture has, by their keys in the table of architectures."""
    if "LUTB" in line.suffixes:
        yield "lut-b"
    if "WS" not in line.suffixes and {"B_KEEP", "B_REUSE"} & set(marks.split(".")):
        yield "collector-b"
    if after and _SCALE.match(after[-1]):
        yield "scale-input-d"
