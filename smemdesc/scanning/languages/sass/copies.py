"""The copies of TMA by a tensor map, and where each map is: a pointer in constant memory, and an offset.

The map's address is in a pair of uniform registers. It is followed back to the line that loads its base; the analysis
of addresses (:mod:`smemdesc.scanning.languages.sass.addresses`) does not look through ``R2UR``, which is done here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.languages.sass.addresses import Addresses, AddressWord
from smemdesc.scanning.languages.sass.front import SassListing
from smemdesc.scanning.languages.sass.instructions import SassCode
from smemdesc.scanning.languages.sass.live_listing import live_functions
from smemdesc.scanning.languages.sass.text import SassInstruction, instruction_offset, parse_line, register_number

_COPY = re.compile(r"UTMA(?:LDG|STG|REDG|PF)\.(?:\w+\.)*?([1-5])D\b")
_MAP = re.compile(r"\[UR\d+\],? *\[(UR\d+)\]")
_CONSTANT = re.compile(r"c\[0x0\]\[0x([0-9a-f]+)\]$")
_MOST = 8
"""Moves between the load of a base and the copy."""


class MapCopy(NamedTuple):
    """A copy by a tensor map."""

    offset: int
    """Of the instruction in its function, in bytes."""
    mnemonic: str
    rank: int
    register: str
    """The first of the two registers with the address of the map."""
    pointer: int | None
    """The offset in constant bank 0 of a pointer from which the address is computed; None if unknown."""
    plus: int
    """The distance of the map from what the pointer points to, in bytes."""

    @property
    def is_load(self) -> bool:
        """Whether it writes shared memory."""
        return self.mnemonic.startswith("UTMALDG")

    @property
    def map_name(self) -> str:
        """The map's address as a scan names it: ``c[0x0][0x198]+0x70``; empty if it is unknown."""
        if self.pointer is None:
            return ""
        return f"c[0x0][{self.pointer:#x}]{f'+{self.plus:#x}' if self.plus else ''}"


def map_copies(text: str) -> tuple[MapCopy, ...]:
    """Return the copies in a function as cuda-gdb lists it."""
    copies: list[MapCopy] = []
    for function in live_functions(text.encode(), 1):
        listed = SassListing("\n".join(function.instructions).encode(), 1, True, (), None)
        parsed = [(index, parse_line(line)) for index, line in enumerate(listed.lines) if b"UTMA" in line]
        if not any(line is not None and _COPY.match(line.mnemonic) for _, line in parsed):
            continue
        ssa = SassCode(listed.lines, listed.heads, listed.mmas, listed.flow(listed.heads, True)()).versions()
        following = _Pointers(listed.lines, Addresses(listed.lines, ssa, ()))
        copies += [copy for index, line in parsed if line is not None and (copy := following.copy(index, line))]
    return tuple(copies)


class _Pointers:
    """The pointers in constant memory from which addresses are computed."""

    def __init__(self, lines: list[bytes], addresses: Addresses) -> None:
        self.lines = lines
        self.addresses = addresses

    def copy(self, index: int, line: SassInstruction) -> MapCopy | None:
        """Return the copy of a line; None if the line does not copy by a tensor map."""
        kind, named = _COPY.match(line.mnemonic), _MAP.match(",".join(line.operands))
        if kind is None or named is None:
            return None
        pointer, plus = self._pointer(named[1], index)
        offset = instruction_offset(self.lines[index]) or 0
        return MapCopy(offset, line.mnemonic, int(kind[1]), named[1], pointer, plus)

    def _pointer(self, name: str, index: int) -> tuple[int | None, int]:
        """Return the pointer to which the lower word of an address goes back, and the distance from it."""
        plus = 0
        for _ in range(_MOST):
            version = self.addresses.version(name, index)
            word = None if version is None else self.addresses.value_of(version)
            if not isinstance(word, AddressWord) or word.high or not isinstance(word.plus, int) or "@" not in word.base:
                break
            plus += word.plus
            written, _, at = word.base.partition("@")
            line, index = parse_line(self.lines[int(at)]), int(at)
            constant = None if line is None else _CONSTANT.match(line.operands[-1])
            if line is not None and constant and (first := register_number(line.operands[0])):
                return int(constant[1], 16) + 4 * (int(written.lstrip("UR")) - first[1]), plus
            if line is None or line.name != "R2UR":
                break
            name = line.operands[-1]
        return None, 0
