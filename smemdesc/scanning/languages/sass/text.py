"""The parser of one line of SASS: guard, mnemonic, operands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.known import UNKNOWN, Value, const

REGISTER_BITS = 32
"""Bits of a register."""
INSTRUCTION_BYTES = 16
"""Bytes of an instruction."""
ALIGNED = 128
"""The length of a function is a multiple of these bytes."""
ALWAYS, NEVER = ("PT", "UPT"), ("!PT", "!UPT")
"""The predicates that are always true, and their complements."""
ON, OFF = ("", "@PT", "@UPT"), ("@!PT", "@!UPT")
"""The guards of lines that are always executed, and of those that never are."""

UNREAD = "__UNREAD"
"""The name of an instruction that is not understood: it may write the registers that it names, or all."""

_LINE = re.compile(
    rb"[ \t]*+(?:(@!?U?P[T0-9]++)[ \t]++)?+((?:__)?+[A-Z][A-Z0-9_]*+(?:\.[A-Za-z0-9_]++)*+)(?![^\s;])"
    rb"[ \t]*+([^;\n]*+)(?:;|$)"
)
HEAD = rb"""(?x:
    (?:@!?U?P[T0-9]\b[ ]++)?+ (?:__)?+[A-Z][A-Z0-9_]*+ (?:\.\w++)*+
    (?:
      [ ] U?P[T0-9] (?:[ ]*+,[ ]*+!?U?P[T0-9]\b)*+ (?:[ ]*+,[ ]*+(?:U?R[Z0-9]++|\[[^;,\n/"`\[\]]*+\]))?+ (?=[ ]*+[,;])
    | [ ] [^;,\n/"`\[]*+ (?:,[ ]*+!?U?P[T0-9]\b[ ]*+)*+
    | (?=;)
    )
)"""
"""The head of an instruction, which determines what it writes: the first operand that is not a predicate, and the
predicates around it."""
_OPERAND = re.compile(r"(?:^|,)((?:[^,\[\]()]++|[\[(][^\[\]()]*+[\])]|[\[\]()])*+)")
"""The text between commas outside brackets."""
_REGISTER = re.compile(r"([-~!|]*)(U?R)(\d{1,3}|Z)(\.reuse|\.64)*\|?$")
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$")
_PREDICATE = re.compile(r"!?U?P(?:\d|T)$")


class SassInstruction(NamedTuple):
    """An instruction: ``guard`` is ``@P0`` or the like, or empty; ``mnemonic`` with all its suffixes."""

    guard: str
    mnemonic: str
    operands: tuple[str, ...]

    @property
    def name(self) -> str:
        """The mnemonic without suffixes."""
        return self.mnemonic.partition(".")[0]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The parts of the mnemonic after the name."""
        return tuple(self.mnemonic.split(".")[1:])


def parse_instruction(line: bytes) -> SassInstruction | None:
    """Parse a line; None if it is not an instruction. Address and comments are not part of it."""
    match = _LINE.match(line)
    if match is None:
        return None
    guard, mnemonic, rest = match.groups()
    text = rest.decode("latin-1").strip()
    operands = tuple(map(str.strip, _OPERAND.findall(text))) if text else ()
    return SassInstruction((guard or b"").decode(), mnemonic.decode(), operands)


_ADDRESS = re.compile(rb"[ \t]*+/\*([0-9a-f]{4,8})\*/")


def instruction_offset(line: bytes) -> int | None:
    """Return the offset of an instruction in its function, in bytes; None if the line has none."""
    match = _ADDRESS.match(line)
    return None if match is None else int(match[1], 16)


def gaps(addresses: Iterable[int | None], expected: int | None = None) -> Iterator[tuple[int, int, int]]:
    """Yield the index of each address that does not follow the previous one, the expected address, and the address."""
    for number, at in enumerate(addresses):
        if at is not None and expected is not None and at != expected:
            yield number, expected, at
        expected = expected if at is None else at + INSTRUCTION_BYTES


def padded(at: int) -> bool:
    """Whether a function may end with the instruction at an address: ptxas pads functions with NOP."""
    return (at + INSTRUCTION_BYTES) % ALIGNED == 0


def code(line: bytes) -> bytes:
    """Return a line without its address and without the text after the instruction."""
    before, mark, after = line.partition(b"*/")
    return (after if mark else before).partition(b";")[0].strip()


_parse = lru_cache(3000)(parse_instruction)


def parse_line(line: bytes) -> SassInstruction | None:
    """Parse a line with its address; None if it is not an instruction."""
    return _parse(code(line))


_SAME = re.compile(rb"(?:^|[ \t])(?:U?MOV|IMAD\.MOV\.U32)[ \t]+(U?R\d+),[ \t]*(?:RZ,[ \t]*RZ,[ \t]*)?\1[ \t]*$")


def stays(line: bytes) -> bool:
    """Whether a line moves a register to itself, which is common at -O0."""
    return b"MOV" in line and _SAME.search(code(line)) is not None


class SassOperand(NamedTuple):
    """A source: ``register`` is its name or, for a constant, its value; ``sign`` is applied before use."""

    register: object
    sign: str = ""
    """``-``, ``~``, both, or empty."""


NOT_READ = SassOperand(UNKNOWN)
"""An unknown operand (constant memory, a float, a part of a register)."""
ZERO: Value = const(0, REGISTER_BITS)


def source_operand(text: str) -> SassOperand:
    """Read a source operand."""
    match = _REGISTER.match(text)
    if match:
        sign, file, number, _ = match.groups()
        if "|" in sign or "!" in sign:
            return NOT_READ
        return SassOperand(ZERO if number == "Z" else f"{file}{number}", sign)
    if _NUMBER.match(text):
        return SassOperand(const(int(text, 0), REGISTER_BITS))
    return NOT_READ


def register_number(text: str) -> tuple[str, int] | None:
    """Return file and number of a plain register (``R4`` is ``("R", 4)``; number -1 for the zero register)."""
    match = _REGISTER.match(text)
    if not match or match[1]:
        return None
    return match[2], -1 if match[3] == "Z" else int(match[3])


def is_predicate(text: str) -> bool:
    """Whether an operand is a predicate, perhaps negated."""
    return bool(_PREDICATE.match(text))


def follows(text: str, count: int) -> list[str]:
    """Return ``count`` registers from ``text`` on (none for the zero register or other text)."""
    parts = register_number(text)
    if not parts or parts[1] < 0:
        return []
    return [f"{parts[0]}{number}" for number in range(parts[1], parts[1] + count)]
