"""Inline PTX in C++ and Python sources: each ``asm`` statement is scanned as a function of its own.

The PTX of its strings keeps its position in the source, so that a line number of the PTX is one of the source. An
operand (``%0``) is a register that nothing sets: nothing is claimed about values from C++.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.reading.text import VALUE_BITS
from smemdesc.scanning.inputs.mentions import with_unread
from smemdesc.scanning.languages import mnemonics
from smemdesc.scanning.model import Function, Part, Unread, joined, with_lines

if TYPE_CHECKING:
    from smemdesc.reading.source_records import GivenOperand

_ASM = re.compile(
    rb"(?<![\w$.@])(?P<c>(?:__asm__|__asm|asm)(?:[\s\\]++(?:volatile|__volatile__|inline|goto)\b)*+)[\s\\]*+\("
    rb"|(?P<python>\b\w*(?:inline_asm|inline_ptx)\w{0,40}+)[ \t]*+\("
)
_TOKEN = re.compile(
    rb"(?P<blank>(?:\s|\\\r?\n)++)|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+)|(?P<condition>#[^\n]*+)"
    rb"|(?P<raw>(?:u8|[A-Za-z]{0,2})R)\"(?P<mark>[^\s()\\\"]{0,16}+)\("
    rb"|(?:u8|[A-Za-z]{0,2})(?:(?P<quotes>\"\"\"|''')(?P<long>(?:(?!(?P=quotes))(?:[^\\]|\\.))*+)(?P=quotes)"
    rb"|(?P<quote>\\?\")(?P<text>(?:(?!(?P=quote))(?:[^\\\n]|\\\r?\n|\\[^\n]))*+)(?P=quote)"
    rb"|'(?P<single>(?:[^'\\\n]|\\[^\n])*+)')|(?P<open>[\"'][^\n]*+)|(?P<word>\d(?:[\w$]|'(?=\w))*+|[\w$]++)|(?P<sign>.)",
    re.DOTALL,
)
_KEYWORDS = (b"asm", b"__asm__", b"__asm")
_PYTHON = (b"def",)
_LONGEST = 200_000
"""Bytes of an asm statement that are read."""
_ESCAPE = re.compile(rb"\\+(\n|\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b" ", b"v": b" ", b"f": b" "}
_LINE = b"\x01"
"""A mark for the end of a line of the source."""
_COMMENTS = re.compile(rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_PLACEHOLDER = re.compile(r"[%$](\d{1,3})(?![\w])")
_NAMED_OPERAND = re.compile(rb"(?<!%)%\[(\w++)\]")
_GIVEN = re.compile(rb"[%$]\d{1,3}(?!\w)")
_MMAS = tuple(mark.encode() for mark in mnemonics.PTX)
_MARKS = (*_MMAS, *(mark.encode() for mark in mnemonics.MAPS))
_NAMED = re.compile(rb"([\w.\[\]>:-]{1,40}(?:\(\))?)[ \t]*\)")
"""An operand that is a short name, up to the bracket that closes it."""
_MACRO = "a macro in its string"
_CONDITION = "a preprocessor condition in its string"


class Asm(NamedTuple):
    """An asm statement: where it is in the text, and its PTX with as many lines."""

    start: int
    end: int
    ptx: bytes
    operands: tuple[str, ...]
    """The expressions of its operands, in order; empty where one is no short name."""
    problem: str = ""
    """Why its string is incomplete."""

    def definition(self, placeholder: bytes, known: Sequence[GivenOperand]) -> bytes:
        """Return PTX that sets an operand: to a number, or to an argument of which some bits are known."""
        number = int(placeholder[1:])
        terms = known[number].terms if number < len(known) else ()
        made = []
        for at, (bits, mask) in enumerate(terms or ((0, 0),)):
            register = placeholder if not at else b"%%term%d_%d" % (number, at)
            if mask == ones(VALUE_BITS):
                made.append(b"mov.b64 %s, %d;" % (register, bits))
                continue
            made.append(b"ld.param.b64 %s, [%s];" % (register, placeholder))
            if mask:
                made.append(b"and.b64 %s, %s, %d;" % (register, register, ~mask & ones(VALUE_BITS)))
            if bits:
                made.append(b"or.b64 %s, %s, %d;" % (register, register, bits))
        made += (
            b"add.s64 %s, %s, %%term%d_%d;" % (placeholder, placeholder, number, at) for at in range(1, len(terms))
        )
        return b"".join(made)


def may_set_operands(text: bytes) -> bool:
    """Whether a source has inline assembly with an MMA, whose operands its statements may set."""
    return any(mark in text for mark in _MMAS) and _ASM.search(text) is not None


def statements(text: bytes) -> Iterator[Asm]:
    """Yield the asm statements that name an MMA, or change a tensor map."""
    end = 0
    for match in _ASM.finditer(text):
        if match.start() < end:
            continue
        statement = _statement(text, match)
        if statement is not None:
            end = statement.end
            yield statement


def _statement(text: bytes, match: re.Match[bytes]) -> Asm | None:
    """Read the strings of one statement; None where they name no MMA and change no tensor map."""
    reader = _StatementReader(text, match)
    end = reader.read()
    lead = _LINE * text.count(b"\n", match.start(), match.end())
    whole = lead + b"".join(reader.pieces)
    if not _names(whole):
        return None
    whole = _NAMED_OPERAND.sub(
        lambda name: b"%%%d" % reader.names[name[1]] if name[1] in reader.names else name[0], whole
    )
    return Asm(match.start(), end, _plain(whole), tuple(reader.operands), reader.problem)


class _StatementReader:
    """Reads one statement token by token.

    In C++ its PTX is all strings up to a colon; in Python, where it is a call, all strings of the first argument that
    names an MMA.
    """

    def __init__(self, text: bytes, match: re.Match[bytes]) -> None:
        self.text = text
        self.begin = match.end()
        self.limit = min(len(text), match.end() + _LONGEST)
        self.in_c = match["c"] is not None
        self.pieces: list[bytes] = []
        """Its strings, with the line ends between them."""
        self.operands: list[str] = []
        self.names: dict[bytes, int] = {}
        """The numbers of operands that have names: ``[desc] "l"(x)``."""
        self.bracket = b""
        """The last bracket that was opened."""
        self.problem = ""
        self.depth = 1
        """The number of open brackets."""
        self.complete = False
        """Whether all strings of its PTX have been read."""

    def read(self) -> int:
        """Read up to the bracket that closes the statement, or to where it is cut off; return the offset."""
        at = self.begin
        while at < self.limit and self.depth:
            token = _TOKEN.match(self.text, at, self.limit)
            if token is None or token["sign"] == b";" or token["word"] in (_KEYWORDS if self.in_c else _PYTHON):
                break
            string, at = _string(self.text, token, self.limit)
            if string is None:
                self._other(token, at)
                if not self.complete:
                    self.pieces.append(_LINE * token[0].count(b"\n"))
            elif not self.complete and self.depth == 1:
                self.pieces.append(string)
        return at

    def _other(self, token: re.Match[bytes], end: int) -> None:
        """Read a token that is no string."""
        sign = token["sign"]
        if sign in (b"(", b"[", b"{"):
            self.depth += 1
            self.bracket = sign
            if self.in_c and self.complete and self.depth == 2 and sign == b"(":
                self.operands.append(_name(self.text, end, self.limit))
        elif sign in (b")", b"]", b"}"):
            self.depth -= 1
        elif self.complete and self.in_c and self.depth == 2 and self.bracket == b"[" and token["word"]:
            self.names[token["word"]] = len(self.operands)
        elif not self.in_c:
            if sign == b"," and self.depth == 1:
                self._end_argument(end)
        elif sign == b":" and self.depth == 1:
            self.complete = True
        elif not self.complete and (token["word"] or token["open"] or sign):
            self.problem = self.problem or _MACRO
        elif not self.complete and token["condition"]:
            self.problem = self.problem or _CONDITION

    def _end_argument(self, end: int) -> None:
        """End an argument in Python: if it does not name an MMA, only its line ends are kept."""
        self.complete = self.complete or _names(b"".join(self.pieces))
        if not self.complete:
            self.pieces = [_LINE * self.text.count(b"\n", self.begin, end)]


def _names(string: bytes) -> bool:
    return any(mark in string for mark in _MARKS)


def _string(text: bytes, token: re.Match[bytes], limit: int) -> tuple[bytes | None, int]:
    """Return the contents of a string, with a mark where a line of the source ends, and where a token ends.

    The contents are None for another token.
    """
    if token["raw"] is not None:
        end = text.find(b')%s"' % token["mark"], token.end(), limit)
        if end < 0:
            return None, token.end("raw")  # Python's, which is read from its quotation mark on
        return text[token.end() : end].replace(b"\n", b"\n" + _LINE), end + len(token["mark"]) + 2
    for group in ("long", "text", "single"):
        if token[group] is not None:
            return _ESCAPE.sub(_unescaped, token[group].replace(b"\n", b"\n" + _LINE)), token.end()
    return None, token.end()


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code in (b"\n", b"\r\n"):
        return b""
    number = int(code[1:], 16) if code[:1] == b"x" and code[1:] else None
    number = int(code, 8) & 0xFF if code[:1] in b"01234567" else number
    if number is not None:
        return bytes((number,)) if number >= ord(" ") else b"\n" if number == ord("\n") else b" "
    return _ESCAPED.get(code, code)


def _plain(string: bytes) -> bytes:
    """Return PTX without comments, with the line ends of the source and the operands of the statement."""
    string = _COMMENTS.sub(lambda comment: b" " + _LINE * comment[0].count(_LINE), string)
    if b"{{" in string and b"}}" in string:
        string = string.replace(b"{{", b"{").replace(b"}}", b"}")  # a format of Python
    return string.replace(b"%%", b"%").replace(b"\n", b" ").replace(_LINE, b"\n")


def _name(text: bytes, begin: int, limit: int) -> str:
    """Return the expression of an operand if it is a short name, else an empty text."""
    match = _NAMED.match(text, begin, limit)
    return match[1].decode() if match else ""


Analysis = Callable[[], list[Function]]


def part_of(
    text: bytes, first: int, scanned: Callable[[int, Analysis], Part], operands: Mapping[int, Sequence[GivenOperand]]
) -> tuple[Part, list[tuple[int, int]]]:
    """Return the MMAs of the asm statements of a text, and where these statements are.

    ``first`` is the number of the first line of the text; ``scanned`` returns what an analysis finds, or why it failed
    at a line; ``operands`` are those of each statement, by where it begins, as far as the source gives them.
    """
    parts: list[Part] = []
    unread: list[Unread] = []
    places: list[tuple[int, int]] = []
    line, counted = first, 0
    for asm in statements(text):
        line += text.count(b"\n", counted, asm.start)
        counted = asm.start
        places.append((asm.start, asm.end))
        if asm.problem:
            unread += _unread(asm, line)
        else:
            given = operands.get(asm.start, ())
            parts.append(scanned(line, partial(_functions, asm, line, given, partial(_set_at, text, first))))
    return with_unread(joined(parts), unread), places


def _unread(asm: Asm, line: int) -> Iterator[Unread]:
    """Yield the instructions of a statement whose string is incomplete."""
    for at, ptx_line in enumerate(asm.ptx.split(b"\n"), line):
        if any(mark in ptx_line for mark in _MMAS):
            yield Unread(at, " ".join(ptx_line.decode("utf-8", "replace").split()), asm.problem)


def _set_at(text: bytes, first: int, place: int) -> tuple[int, str]:
    """Return the line of a statement, and its text."""
    end = text.find(b";", place)
    shown = text[place : end if end >= 0 else len(text)].decode("utf-8", "replace")
    return first + text.count(b"\n", 0, place), " ".join(shown.split())


def _functions(
    asm: Asm, line: int, given: Sequence[GivenOperand], set_at: Callable[[int], tuple[int, str]]
) -> list[Function]:
    from smemdesc.scanning.languages import ptx

    placeholders = sorted(set(_GIVEN.findall(asm.ptx)))
    code = b".entry asm(){" + b"".join(asm.definition(placeholder, given) for placeholder in placeholders)
    code += b"$L__tmp: " + asm.ptx + b" ;}"
    name = f"asm statement, line {line}"
    operands = tuple(
        shown or (given[at].text if at < len(given) and len(given[at].text) <= _SHORT else "")
        for at, shown in enumerate(asm.operands)
    )

    def named(at: int, shown: str) -> tuple[int, str]:
        made = _MADE.match(shown)
        number = int(made[1]) if made else len(given)
        if number < len(given) and given[number].place >= 0 and not shown.startswith("ld."):
            return set_at(given[number].place)
        if made:
            return at, _operand(made[0].split()[-1], number, operands) + " of the asm statement"
        return at, _PLACEHOLDER.sub(lambda match: _operand(match[0], int(match[1]), operands), shown)

    functions = [with_lines(function, line, named) for function in ptx.ptx_functions(code, line, name, None)]
    return [
        function._replace(
            name=name,
            maps=tuple(change._replace(map=named(0, change.map)[1]) for change in function.maps),
            is_source=True,
        )
        for function in functions
    ]


_MADE = re.compile(r"(?:ld\.param\.b64|mov\.b64|and\.b64|or\.b64|add\.s64) (?:%term|[%$])(\d{1,3})(?![\w])")
"""What sets an operand before the statement."""
_SHORT = 40


def _operand(placeholder: str, number: int, operands: tuple[str, ...]) -> str:
    """Return a placeholder with the expression of its operand: ``%0 (desc_a)``."""
    if number < len(operands) and operands[number]:
        return f"{placeholder} ({operands[number]})"
    return placeholder
