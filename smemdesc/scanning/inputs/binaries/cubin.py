"""Cubins: ELF files of NVIDIA's machine code, whose code sections and function symbols are read.

No ELF library is used: a library has thousands of cubins, and only a few numbers of each are needed.
Source: the ELF-64 specification; NVIDIA's extensions by comparison with readelf and nvdisasm 13.5.
"""

from __future__ import annotations

import struct
from collections import Counter
from itertools import compress
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries.elf import HEADER_BYTES, MAGIC, NOBITS, SECTION_HEADER
from smemdesc.scanning.model.causes import NEVER_RETURN

_CUDA = 190
"""``e_machine``."""
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QII")
_PROGBITS, _SYMTAB, _RELA, _REL = 1, 2, 4, 9
_EXECUTABLE = 4
_FUNCTION = 2
_CODE = b".text."
_CALLED = b".nv.constant4"
"""Constant bank 4: functions in other sections are called through it."""
_ADDRESS = 2
"""A relocation with the 64-bit address of a symbol."""
LARGEST = 1 << 30
"""The most bytes of a cubin that is read."""
_OVERLAPPING = 2
"""The sections of a cubin together have less than this many times its bytes."""
_RELOCATABLE = 1
"""``e_type``."""
_NAME = 1 << 16
"""The most bytes of a name that are read."""


class CodeSection(NamedTuple):
    """The section of a function, and of the functions it calls that are in the same section."""

    name: str
    symbol: int | None
    """The index of a function symbol in it, which selects the section in nvdisasm; None if it has none."""
    start: int
    size: int


class Cubin(NamedTuple):
    """The architecture and the functions of a cubin."""

    sm: int
    """The number of its architecture."""
    functions: tuple[CodeSection, ...]
    relocatable: bool
    """Whether it still has to be linked."""


def is_cubin(header: bytes) -> bool:
    """Whether ``header``, the first :data:`HEADER` bytes of a file or more, begins a cubin."""
    return (
        header.startswith(MAGIC)
        and len(header) >= HEADER_BYTES
        and struct.unpack_from("<H", header, 18)[0] == _CUDA
        and struct.unpack_from("<H", header, 58)[0] == SECTION_HEADER.size
    )


def _sections(data: bytes) -> list[tuple[int, ...]]:
    (table,) = struct.unpack_from("<Q", data, 40)
    many, names = struct.unpack_from("<HH", data, 60)
    if table + many * SECTION_HEADER.size > len(data):
        raise SmemdescError("the cubin is cut off, or its header is damaged")
    sections = list(SECTION_HEADER.iter_unpack(data[table : table + many * SECTION_HEADER.size]))
    if names >= len(sections):
        raise SmemdescError("the cubin has no section names")
    filled = [(at, size) for _, kind, _, _, at, size, *_ in sections if kind not in NOBITS]
    if any(at + size > len(data) for at, size in filled):
        raise SmemdescError("the cubin is cut off: a section reaches beyond its end")
    if sum(size for _, size in filled) > _OVERLAPPING * len(data):
        raise SmemdescError("the header is damaged: its sections overlap")
    return sections


def read_cubin(data: bytes) -> Cubin:
    """Read a cubin. :class:`SmemdescError` if it contradicts itself."""
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


def never_returning_offsets(data: bytes) -> frozenset[int]:
    """Return the offsets in constant bank 4 that hold addresses of functions that do not return."""
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
    """Return the architecture's number: the second byte of the flags from ABI version 8 on, the first byte before."""
    (flags,) = struct.unpack_from("<I", data, 48)
    return int(flags >> 8 & 0xFF if data[8] >= 8 else flags & 0xFF)


def _symbols(data: bytes, sections: list[tuple[int, ...]]) -> dict[int, int]:
    """Return the index of the first function symbol of each section that has one, by the section's index."""
    first_symbols: dict[int, int] = {}
    for _, kind, _, _, at, size, *_ in sections:
        if kind != _SYMTAB:
            continue
        table = data[at : at + size // _SYMBOL.size * _SYMBOL.size]
        for index, (_, info, _, section, _, _) in enumerate(_SYMBOL.iter_unpack(table)):
            if info & 0xF == _FUNCTION:
                first_symbols.setdefault(section, index)
    return first_symbols


INSTRUCTION_BYTES = 16
"""Bytes of an instruction, from sm_70 on."""
FIRST_ARCH = 70
"""The first architecture with instructions of this form."""
_OPCODE = 0x1FF
"""Bits 0 to 8 are the operation, 9 to 11 the form of the operands, 12 to 15 the guard predicate."""


ANY_ARCH = (range(FIRST_ARCH, 1_000),)


class Opcode(NamedTuple):
    """The mnemonic of an opcode, and whether the instruction reads descriptors."""

    bits: int
    name: str
    descriptors: bool
    archs: tuple[range, ...] = ANY_ARCH
    """The architectures that have the instruction; on others the opcode is another instruction, or none."""

    def is_of(self, sm: int) -> bool:
        """Whether an architecture has the instruction."""
        return any(sm in archs for archs in self.archs)


OPCODES = (
    Opcode(0x1F0, "HGMMA", True),
    Opcode(0x1F1, "IGMMA", True),
    Opcode(0x1F2, "BGMMA", True),
    Opcode(0x1F3, "QGMMA", True),
    # UTCHMMA, UTCIMMA, UTCQMMA and UTCOMMA have one opcode.
    Opcode(0x1EA, "UTC*MMA", True),
    Opcode(0x1E7, "UTCCP", True),
    Opcode(0x037, "IMMA", False),
    # Of sm_70 and sm_75; later it is VIADD.
    Opcode(0x036, "HMMA", False, (range(70, 80),)),
    Opcode(0x03C, "HMMA", False),
    # On sm_107a it is spcompress.
    Opcode(0x03D, "BMMA", False, (range(75, 91),)),
    Opcode(0x03F, "DMMA", False, (range(80, 1_000),)),
    Opcode(0x07A, "QMMA", False, (range(89, 90), range(120, 1_000))),
    Opcode(0x07F, "OMMA", False, (range(120, 1_000),)),
)
"""Source: what nvdisasm 13.5.37 prints with -c -hex, compared in ``tests/tools/evidence/opcodes.py``."""
DESCRIPTORS = frozenset(opcode.bits for opcode in OPCODES if opcode.descriptors)
OLDER_OPCODES = {opcode.bits: opcode for opcode in OPCODES if not opcode.descriptors}
_FIRST_BYTES = bytes({bits & 0xFF for bits in (*DESCRIPTORS, *OLDER_OPCODES)})
_OTHERS = bytes(set(range(256)) - set(_FIRST_BYTES))
_MARKED = bytes(int(byte in _FIRST_BYTES) for byte in range(256))


class MmaOpcodes(NamedTuple):
    """The tensor-core instructions of some code."""

    descriptors: bool
    """Whether one reads descriptors."""
    older: Counter[str]
    """The number of instructions that do not, by name."""


def used(code: bytes, sm: int) -> MmaOpcodes:
    """Return the tensor-core instructions in the code of a function; ``sm`` is the architecture, 90 for sm_90a."""
    whole = len(code) // INSTRUCTION_BYTES * INSTRUCTION_BYTES
    # A library has very many instructions: no object is created for those that the first byte rules out.
    low = code[:whole:INSTRUCTION_BYTES]
    if not low.translate(None, _OTHERS):
        return MmaOpcodes(False, Counter())
    marks = low.translate(_MARKED)
    pairs = Counter(zip(compress(low, marks), compress(code[1:whole:INSTRUCTION_BYTES], marks), strict=True))
    counts: Counter[int] = Counter()
    for (first, second), count in pairs.items():
        counts[int.from_bytes((first, second), "little") & _OPCODE] += count
    older = Counter[str]()
    for bits, opcode in OLDER_OPCODES.items():
        if counts[bits] and opcode.is_of(sm):
            older[opcode.name] += counts[bits]
    return MmaOpcodes(not DESCRIPTORS.isdisjoint(counts), older)
