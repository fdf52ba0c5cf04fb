"""Cubins: ELF files of NVIDIA's machine code, of which the sections and the symbols of functions are read.

Own reading, since each of a library's thousands of cubins is looked at and a few numbers are all that is needed.
Source: the ELF-64 specification; what is NVIDIA's own, by comparison with readelf and nvdisasm 13.5.
"""

from __future__ import annotations

import struct
from collections import Counter
from itertools import compress
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.causes import NEVER_RETURN
from smemdesc.scanning.inputs.binaries.elf import HEADER, MAGIC, NOBITS, SECTION

_CUDA = 190
"""``e_machine``."""
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QII")
_PROGBITS, _SYMTAB, _RELA, _REL = 1, 2, 4, 9
_EXECUTABLE = 4
_FUNCTION = 2
_CODE = b".text."
_CALLED = b".nv.constant4"
"""Constant bank 4: through it functions are called that are elsewhere."""
_ADDRESS = 2
"""A relocation by a symbol's address of 64 bits."""
LARGEST = 1 << 30
"""Bytes of a cubin that are read."""
_OVERLAPPING = 2
"""The sections of a cubin come to less than so many times its bytes."""
_RELOCATABLE = 1
"""``e_type``."""
_NAME = 1 << 16
"""Bytes of a name that are read."""


class CodeSection(NamedTuple):
    """The section of a function (and of what it calls, where that was put into the same section)."""

    name: str
    symbol: int | None
    """The index of a symbol of a function in it, by which nvdisasm is asked for the section."""
    start: int
    size: int


class Cubin(NamedTuple):
    """What is read of a cubin."""

    sm: int
    """The number of its architecture."""
    functions: tuple[CodeSection, ...]
    relocatable: bool
    """Whether it is yet to be linked."""


def is_cubin(header: bytes) -> bool:
    """Whether a file begins as a cubin does (with at least :data:`HEADER` bytes)."""
    return (
        header.startswith(MAGIC)
        and len(header) >= HEADER
        and struct.unpack_from("<H", header, 18)[0] == _CUDA
        and struct.unpack_from("<H", header, 58)[0] == SECTION.size
    )


def _sections(data: bytes) -> list[tuple[int, ...]]:
    (table,) = struct.unpack_from("<Q", data, 40)
    many, names = struct.unpack_from("<HH", data, 60)
    if table + many * SECTION.size > len(data):
        raise SmemdescError("the cubin is cut off, or its header is damaged")
    sections = list(SECTION.iter_unpack(data[table : table + many * SECTION.size]))
    if names >= len(sections):
        raise SmemdescError("the cubin has no section names")
    filled = [(at, size) for _, kind, _, _, at, size, *_ in sections if kind not in NOBITS]
    if any(at + size > len(data) for at, size in filled):
        raise SmemdescError("the cubin is cut off: a section reaches beyond its end")
    if sum(size for _, size in filled) > _OVERLAPPING * len(data):
        raise SmemdescError("the header is damaged: its sections overlap")
    return sections


def read(data: bytes) -> Cubin:
    """Read a cubin. :class:`SmemdescError` where it contradicts itself."""
    if not is_cubin(data):
        raise SmemdescError("it is not a cubin")
    sections = _sections(data)
    (names,) = struct.unpack_from("<H", data, 62)
    symbols = _symbols(data, sections)
    functions = []
    left = len(data)
    for index, (name, kind, flags, _, at, size, *_) in enumerate(sections):
        if kind == _PROGBITS and flags & _EXECUTABLE and size:
            called = _text(data, sections[names], name).removeprefix(_CODE)
            left -= len(called)
            if left < 0:
                raise SmemdescError("the names of its sections are damaged")
            functions.append(CodeSection(called.decode("utf-8", "replace"), symbols.get(index), at, size))
    (kind,) = struct.unpack_from("<H", data, 16)
    return Cubin(_sm(data), tuple(functions), kind == _RELOCATABLE)


def never_returning(data: bytes) -> frozenset[int]:
    """Return where a cubin has, in constant bank 4, the addresses of functions that do not return."""
    sections = _sections(data)
    (names,) = struct.unpack_from("<H", data, 62)
    offsets = set()
    for _, kind, _, _, at, size, link, target, _, entry_size in sections:
        known = kind in (_RELA, _REL) and target < len(sections) and link < len(sections)
        known = known and sections[link][1] == _SYMTAB and sections[link][6] < len(sections)
        if not known or entry_size < _RELOCATION.size or _text(data, sections[names], sections[target][0]) != _CALLED:
            continue
        symbols = sections[link]
        for entry in range(at, at + size // entry_size * entry_size, entry_size):
            offset, how, symbol = _RELOCATION.unpack_from(data, entry)
            place = sections[target][4] + offset
            plus = data[entry + _RELOCATION.size : entry + entry_size] or data[place : place + 8]
            if how != _ADDRESS or any(plus) or (symbol + 1) * _SYMBOL.size > symbols[5]:
                continue
            (name, *_) = _SYMBOL.unpack_from(data, symbols[4] + symbol * _SYMBOL.size)
            if _text(data, sections[symbols[6]], name).decode("latin-1") in NEVER_RETURN:
                offsets.add(offset)
    return frozenset(offsets)


def _text(data: bytes, section: tuple[int, ...], at: int) -> bytes:
    start = section[4] + at
    limit = min(start + _NAME, section[4] + section[5])
    end = data.find(b"\0", start, limit)
    return data[start : end if end >= 0 else limit]


def _sm(data: bytes) -> int:
    """Return the architecture's number: in the second byte of the flags from ABI version 8 on, before in the first."""
    (flags,) = struct.unpack_from("<I", data, 48)
    return int(flags >> 8 & 0xFF if data[8] >= 8 else flags & 0xFF)


def _symbols(data: bytes, sections: list[tuple[int, ...]]) -> dict[int, int]:
    """Return for each section the first symbol of a function in it."""
    first_symbols: dict[int, int] = {}
    for _, kind, _, _, at, size, *_ in sections:
        if kind != _SYMTAB:
            continue
        table = data[at : at + size // _SYMBOL.size * _SYMBOL.size]
        for index, (_, info, _, section, _, _) in enumerate(_SYMBOL.iter_unpack(table)):
            if info & 0xF == _FUNCTION:
                first_symbols.setdefault(section, index)
    return first_symbols


SIZE = 16
"""Bytes of an instruction, from sm_70 on."""
FIRST = 70
"""The first architecture with instructions of this form."""
_OPCODE = 0x1FF
"""Bits 0 to 8 say what an instruction does, 9 to 11 where its operands are, 12 to 15 what guards it."""


class Opcode(NamedTuple):
    """What an opcode is called, and whether such an instruction reads descriptors."""

    bits: int
    name: str
    descriptors: bool
    before: int = 1_000
    """The architecture from which on it is something else."""


TABLE = (
    Opcode(0x1F0, "HGMMA", True),
    Opcode(0x1F1, "IGMMA", True),
    Opcode(0x1F2, "BGMMA", True),
    Opcode(0x1F3, "QGMMA", True),
    # UTCHMMA, UTCIMMA, UTCQMMA and UTCOMMA have one opcode.
    Opcode(0x1EA, "UTC*MMA", True),
    Opcode(0x1E7, "UTCCP", True),
    Opcode(0x037, "IMMA", False),
    # Of sm_70 and sm_75; later it is VIADD.
    Opcode(0x036, "HMMA", False, 80),
    Opcode(0x03C, "HMMA", False),
    Opcode(0x03D, "BMMA", False),
    Opcode(0x03F, "DMMA", False),
    Opcode(0x07A, "QMMA", False),
    Opcode(0x07F, "OMMA", False),
)
"""Source: what nvdisasm 13.5.37 prints with -c -hex, compared in ``tests/scanning/binaries/opcodes.py``."""
DESCRIPTORS = frozenset(opcode.bits for opcode in TABLE if opcode.descriptors)
OLDER = {opcode.bits: opcode for opcode in TABLE if not opcode.descriptors}
_FIRST_BYTES = bytes({bits & 0xFF for bits in (*DESCRIPTORS, *OLDER)})
_OTHERS = bytes(set(range(256)) - set(_FIRST_BYTES))
_MARKED = bytes(int(byte in _FIRST_BYTES) for byte in range(256))


class MmaOpcodes(NamedTuple):
    """The tensor-core instructions of some code."""

    descriptors: bool
    """Whether one reads descriptors."""
    older: Counter[str]
    """How many there are that do not, by name."""


def used(code: bytes, sm: int) -> MmaOpcodes:
    """Tell which tensor-core instructions there are in the code of a function for an architecture, 90 for sm_90a."""
    whole = len(code) // SIZE * SIZE
    # Bytes of all instructions in a library: nothing is made of those that the first byte rules out.
    low = code[:whole:SIZE]
    if not low.translate(None, _OTHERS):
        return MmaOpcodes(False, Counter())
    marks = low.translate(_MARKED)
    pairs = Counter(zip(compress(low, marks), compress(code[1:whole:SIZE], marks), strict=True))
    counts: Counter[int] = Counter()
    for (first, second), count in pairs.items():
        counts[int.from_bytes((first, second), "little") & _OPCODE] += count
    older = Counter[str]()
    for bits, opcode in OLDER.items():
        if counts[bits] and sm < opcode.before:
            older[opcode.name] += counts[bits]
    return MmaOpcodes(not DESCRIPTORS.isdisjoint(counts), older)
