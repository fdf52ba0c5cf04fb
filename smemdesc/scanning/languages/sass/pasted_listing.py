"""A SASS function as people paste it: quoted, numbered, with remarks, columns and broken lines.

A statement is an address, a guard, a mnemonic and operands, and in most texts a semicolon. Text before a statement is
skipped if it is not words (quotation marks, numbers, arrows, control codes), text after it if it is not code. A
statement continues on the next line if its operands do not end on its own.

Any other text may hide an instruction. It becomes a line that no tool prints (``text.UNREAD``), which writes the
registers that it names, or all registers if it names none and takes the place of an instruction. If the addresses
before and after it leave no room, it hides none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from smemdesc.scanning.languages.mnemonics import SASS
from smemdesc.scanning.languages.sass.branches import BRANCHES, may_branch
from smemdesc.scanning.languages.sass.lower import KNOWN_NAMES, NO_RESULT
from smemdesc.scanning.languages.sass.text import INSTRUCTION_BYTES, UNREAD, instruction_offset, padded

_MNEMONIC = rb"(?:__)?+[A-Z][A-Z0-9_]*+(?:\.\w++)*+"
_PLAIN = re.compile(
    rb"[ \t]*+(?:/\*[ \t]*+([0-9a-f]{4,8})[ \t]*+\*/[ \t]*+)?+(?:@[ \t]*+(!?)[ \t]*+(U?P[T0-9])\b[ \t]*+)?+"
    rb"(%s)(?:[ \t]++([^;]*+)|(?=;));[ \t]*+$" % _MNEMONIC
)
_START_TEXT = (
    rb"(?:/\*[ \t]*+([0-9a-f]{4,8})[ \t]*+\*/[ \t]*+)?+(?:@[ \t]*+(!?)[ \t]*+(U?P[T0-9])\b[ \t]*+)?+"
    rb"(%s)(?=[\s;,`\"'|\\]|$)" % _MNEMONIC
)
_START = re.compile(_START_TEXT)
_ADDRESS = re.compile(rb"/\*[ \t]*([0-9a-f]{4,8})[ \t]*\*/$")
_BEFORE = re.compile(
    rb"""(?x) [ \t]++
    | "(?:0x)?[0-9a-fA-F ]{0,20}"[,;] | (?:0x[0-9a-f]{1,16}|\d{1,9}),(?=["\d])  # numbers of CSV
    | \[?B?[-0-9]{2,6}:R?[-0-7]:W?[-0-7]:[-YN]:S?\d{1,2}\]?  # what an assembler notes for the scheduler
    | [>|*+\-=~`'"\x80-\xff\[\](){}] | &(?:gt|lt|amp|nbsp);
    | \d{4}-\d\d-\d\dT[\d:.]++Z? | [a-z][\w-]{0,99}+[>$](?=[ \t])
    | (?:0x)?[0-9a-fA-F]{4,16}\b:?  | \d++(?:[.,]\d++)*+%? [:.|]?
    | [^\s:;,"`]{1,255}+:\d++[:-]  # a file, not longer: any "<" of a line may begin one
    | [^\s:;,"`-]{1,255}+(?:-[^\s:;,"`\d-][^\s:;,"`-]{0,255}+){0,30}+-\d++-
    | <[^<>\n;]*+>:? | [\w$.]++\+(?:0x)?[0-9a-f]++(?::|(?=[ ]{2})) | \.[\w$.]++:(?:0x)?[0-9a-fA-F]{4,16}:?(?=[ \t])
    """
)
"""What may precede a statement: no words."""
_OPERAND = (
    rb"(?!(?!gsb|pr\b)[a-z]++(?![a-z\d]*+\[|\d))"
    rb"(?:[^\s,;<>#\[\](){}`\"|\\]++|\|[-~!]*+U?R\w++(?:\.\w++)*+\||(?<=\])[ \t]++(?=\[)"
    rb"|\[[^\[\];]*+\]|\{[^{};]*+\}|`?+\([^()\s;]*+\))++"
)
_OPERANDS = re.compile(rb"[ \t]*+((?:%s(?:[ \t]*+,[ \t]*+%s)*+)?+)[ \t]*+" % (_OPERAND, _OPERAND))
_BRANCHING_TEXT = rb"[ \t]*+((?:%s(?:(?:[ \t]*+,[ \t]*+|[ \t]++(?=-?0x[0-9a-f]|`\())%s)*+)?+)[ \t]*+" % (
    _OPERAND,
    _OPERAND,
)
_BRANCHING = re.compile(_BRANCHING_TEXT)
"""The operands of branches; the last one may follow a blank."""
_CONTINUED = re.compile(rb"[ \t>|]*+(?:[^\s:;,\"`]++:\d++[:-][ \t]*+|\d++[ \t]*+[:|][ \t]*+)?+")
_OPERAND_LIKE = re.compile(rb"[-~!|+]*+(?:[A-Z0-9`\[({]|[a-z]*+\[|gsb\d)|[,;\])}]")
_LABEL = re.compile(rb"([^\s:;\"`/]+)[ \t]*:[ \t]*+$")
_PLACE = re.compile(rb"([.$][\w.$]++)[ \t]*+:(?![\w:])[ \t]*+")
_JUMPED = re.compile(rb"`\(([^()\s]+)\)")
_DIRECTIVE = re.compile(rb"\.[a-z_]+(?:\s|$)")
_GUARD = re.compile(rb"@[ \t]*+!?[ \t]*+U?P[T0-9]$")
_BLANKS = re.compile(rb"\s+")
_APART = re.compile(rb"(?<=\[)[ \t]++|(?<![ \t])[ \t]++(?=\])|(?<=\])[ \t]++(?=\[)")
_REGISTERS = re.compile(rb"(?<![\w.])U?[RP]\d{1,3}\b")
_COLUMN = re.compile(rb"(?:[ \t]{2,}|\t|[ \t]*[|#])")
_DAMAGED = re.compile(rb"[-~!|@]*+(?:U?[RP](?:\d|Z|T\b)|0x|\d)|,")
_MENTION = re.compile(rb"(?<![\w.])(%s)[ \t]++[-~!|]*+(?:U?[RP][\dZT]|\[)" % _MNEMONIC)
_REMARK = (b"//", b"#", b"/*", b"<", b"--", b"\xe2\x86\x90", b";", b"(*")
"""The beginnings of remarks."""
_ELIDED = re.compile(rb"(?i)\.\.\.|\xe2\x80\xa6|\xe2\x8b\xae|^[?:.\s]++$|\b(?:snip|omitted|elided|skipped|truncated)\b")
"""Words and marks for omitted code."""
_ENDED = re.compile(rb"(?<![\w.])(%s)(?:[ \t][^;\n]*+)?;" % _MNEMONIC)
_SOURCE = b"//## File"
_FILLED = re.compile(rb"/\*([0-9a-f]{4,8})\*/ (?:NOP|BRA ([^;\s]+)) ;$")
"""The end of a function: a jump to itself, and padding."""
_NARROW = 40
"""The columns of the narrowest terminal."""
_LONGEST = 1000
"""The most bytes of a statement joined from several lines."""
_ALL = KNOWN_NAMES | SASS | BRANCHES
_BRACKETS = ((b"[", b"]"), (b"(", b")"), (b"{", b"}"))


class Listing(NamedTuple):
    """The lines of a function, one per statement."""

    lines: list[bytes]
    heads: list[bytes] | None = None
    """The beginning of each line after its address, up to the first comma or bracket. None: not every line is as the
    tools print it."""
    numbers: Sequence[int] | None = None
    """The number of each line in the text, from 0; None: the same."""
    unread: Mapping[int, bytes] = MappingProxyType({})
    """The original text of the lines that were not understood, by their numbers here."""
    hidden: tuple[int, ...] = ()
    """The numbers of those that may be branches."""


class _Statement(NamedTuple):
    line: int
    text: bytes
    at: bytes
    """The address; empty if there is none."""


class _PastedReader:
    """Reads line by line; each statement becomes one line of the result."""

    def __init__(self, ended: bool, headed: bool, jumped: frozenset[bytes]) -> None:
        self.ended = ended
        """Whether statements end with semicolons."""
        self.headed = headed
        self.jumped = jumped
        """The labels that branches name."""
        self.lines: list[bytes] = []
        self.numbers: list[int] = []
        self.code: list[int] = []
        self.unread: dict[int, bytes] = {}
        self.hidden: list[int] = []
        self.beside: dict[int, bool] = {}
        """Lines that were not understood and have no address, and whether they are words: between two consecutive
        instructions they are not code."""
        self.guard = b""
        """A guard on its own line, before its instruction."""
        self.wide = False
        """Whether the last line was as long as the longest."""
        self.open: _Statement | None = None
        """A statement that may continue on the next line."""

    # ---- output ----

    def put(self, number: int, text: bytes, code: bool = True) -> None:
        if code:
            self.code.append(len(self.lines))
        self.lines.append(text)
        self.numbers.append(number)

    def put_code(self, number: int, at: bytes, start: re.Match[bytes], operands: bytes) -> None:
        guard = b"@" + start[2] + start[3] + b" " if start[3] else b""
        operands = _APART.sub(b"", _BLANKS.sub(b" ", operands).strip())
        text = guard + start[4] + (b" " + operands if operands else b"") + b" ;"
        self.put(number, b"/*" + at + b"*/ " + text if at else text)

    def put_unread(self, number: int, raw: bytes, at: bytes = b"", every: bool = False, beside: bool = True) -> None:
        """Add a line that is not understood.

        ``every``: it may write any register if it names none. ``beside``: it has its own line.
        """
        start = _begin(raw, True)
        # An instruction names its destination first, if that operand is not cut off.
        whole = not at if start is None else b"," in raw
        named = list(dict.fromkeys(_REGISTERS.findall(raw))) if whole else []
        every = every or (start is not None and not whole)
        name = b"" if start is None else start[4].partition(b".")[0]
        branches = b"`(" in raw or bool(at if start is None else name.decode() in BRANCHES or may_branch(name.decode()))
        if not (named or every or branches or at):
            self.put(number, b"", False)
            return
        place = len(self.lines)
        self.unread[place] = raw.strip() or b"/*" + at + b"*/"
        if branches:
            self.hidden.append(place)
        if beside and not at:
            self.beside[place] = start is None
        text = UNREAD.encode() + (b" " + b", ".join(named) if named else b"") + b" ;"
        self.put(number, b"/*" + at + b"*/ " + text if at else text, bool(at))

    # ---- input ----

    def take(self, number: int, line: bytes) -> None:
        """Read a line of the text."""
        line = line.rstrip(b" \t\\")
        if line and self.guard:
            self.guard, line = b"", self.guard + b" " + line
        if self.open is None:
            plain = _PLAIN.match(line)
            if plain is not None and (plain[1] or _is_known(plain[4])):
                self.put_code(number, plain[1] or b"", plain, plain[5] or b"")
                return
        elif self._goes_on(self.open, line):
            return
        self.close()
        self._read(number, line)

    def close(self, cut: bool = False) -> None:
        """End the open statement as it is; ``cut``: the text ends within its line."""
        if self.open is not None:
            statement, self.open = self.open, None
            self._end(statement, last=True, cut=cut)

    def _goes_on(self, statement: _Statement, line: bytes) -> bool:
        """Append a line to the open statement if it continues it; return whether it does."""
        before = statement.text
        after = line[_CONTINUED.match(line).end() :].strip()  # type: ignore[union-attr]
        if not after or len(before) > _LONGEST or _begin(line) is not None or _PLACE.match(after):
            return False
        mnemonic = _START.fullmatch(before)  # it has no operands yet
        broken = before.endswith(b",") or any(before.count(a) > before.count(b) for a, b in _BRACKETS)
        ends = self.ended and b";" in after
        if not (ends or ((mnemonic or broken or after[:1] in b",;") and _OPERAND_LIKE.match(after))):
            return self._is_broken_word(statement, after)
        whole = mnemonic is not None and _is_known(mnemonic[4])
        if whole and not broken and not _ONE_OPERAND.match(after):
            return False
        self.open = None
        joined = statement._replace(text=before + (b"" if not whole and _is_torn(before, after) else b" ") + after)
        if ends and not _WHOLE.match(joined.text):
            self.put_unread(joined.line, joined.text, joined.at, True)
        else:
            self._end(joined)
        return True

    def _is_broken_word(self, statement: _Statement, after: bytes) -> bool:
        """Give up the open statement if a terminal may have broken it within a word that a line continues; return
        whether it may."""
        if not self.wide or self.ended or not _TORN.match(after):
            return False
        self.open = None
        self.put_unread(statement.line, statement.text, statement.at, True)
        self.put(statement.line, b"", False)
        return True

    def _read(self, number: int, line: bytes) -> None:
        if not line or line.startswith((b"//", b"Function :", b"#")):
            self.put(number, line.replace(b"*/", b"") if line.startswith(_SOURCE) else b"", False)
            return
        begin = _begin(line, self.ended)
        if begin is not None:
            self._end(
                _Statement(number, line[begin.end(1) + 2 if begin[1] else begin.start() :].strip(), begin[1] or b"")
            )
            return
        rest = line[_passed(line) :]
        if _GUARD.match(rest):
            self.guard = rest
            self.put(number, b"", False)
            return
        label = _PLACE.match(rest) or _LABEL.match(rest)
        if label is not None and (label[1][:1] in b".$" or self.headed or label[1] in self.jumped):
            self.put(number, label[1] + b":", label[1][:1] in b".$")
            self._after(number, rest[label.end() :])
        elif label is not None or _DIRECTIVE.match(rest):
            self.put(number, b"", False)
        elif at := _SLOT.match(rest):
            self.put_unread(number, rest[at.end() :], at[1], True)
        elif b"/*" in rest:
            self.put_unread(number, rest, every=True)  # an unterminated comment
        else:
            self.put_unread(number, line, every=bool(_ELIDED.search(line) or _MENTION.search(line)))

    def _end(self, statement: _Statement, last: bool = False, cut: bool = False) -> None:
        """Add a statement, and read the text after it; ``last``: the next line does not continue it."""
        self._after(statement.line, self._statement(statement, last, cut))

    def _statement(self, statement: _Statement, last: bool = False, cut: bool = False) -> bytes:
        """Add a statement, and return the text after its semicolon."""
        number, text, at = statement
        start = _START.match(text)
        if start is None:
            self.put_unread(number, text, at, True)
            return b""
        name = _name(start)
        operand_text = _match_operands(text, start)
        operands, tail = operand_text[1], text[operand_text.end() :]
        if tail[:1] == b";":
            self.put_code(number, at, start, operands)
            return tail[1:]
        if self.ended and b";" in tail:
            whole, _, tail = text[start.end() :].partition(b";")
            self.put_code(number, at, start, whole)
            return tail
        if not last and (not tail or not operands or tail == b"," or _is_open(tail)):
            self.open = statement
        elif tail == b"," or _is_open(tail) or (not operands and name not in NO_RESULT | BRANCHES):
            self.put_unread(number, text, at, True)
        elif self.ended and not cut and not (name in SASS and _FINAL.search(operands)):
            # It may continue where the text was cut off.
            self.put_unread(number, text, at, True)
        elif tail and operands and _DAMAGED.match(tail.lstrip()) and not _is_column(text, operand_text.end(1)):
            self.put_unread(number, text, at, True)
        else:
            self.put_code(number, at, start, operands)
        return b""

    def _after(self, number: int, tail: bytes) -> None:
        """Read the text after a semicolon or a label: other statements, or a remark."""
        while tail := (raw := tail.lstrip()).strip(b" \t|<>\"'`\\"):
            begin = _START.match(tail)
            if begin is not None and raw.startswith((b"|", b"<", b">")):
                self.put_unread(number, tail, beside=False)  # another column of text
                return
            if begin is not None and (begin[1] or (_is_known(begin[4]) and not _is_prose(tail, begin))):
                text = tail[begin.end(1) + 2 if begin[1] else 0 :].strip()
                tail = self._statement(_Statement(number, text, begin[1] or b""))
            elif label := _PLACE.match(tail):
                self.put(number, label[1] + b":")
                tail = tail[label.end() :]
            else:
                if not tail.startswith(_REMARK) and any(_is_known(word[1]) for word in _MENTION.finditer(tail)):
                    self.put_unread(number, tail, beside=False)
                return


_SLOT = re.compile(rb"/\*[ \t]*+([0-9a-f]{4,8})[ \t]*+\*/[ \t]*+")
_ONE_OPERAND = re.compile(_OPERAND + rb"[ \t]*+(?:[,;]|$)")
_TORN = re.compile(rb"[\w.\])}]++(?:[ \t]*+,[ \t]*+%s)*+,?+$" % _OPERAND)
_WHOLE = re.compile(_START_TEXT + _BRANCHING_TEXT + b";")
_FINAL = re.compile(rb",[ \t]*(?:!?U?P[T0-9]|gsb\d)$")
"""The last operand of a tensor-core instruction."""


def _is_known(mnemonic: bytes) -> bool:
    return mnemonic.partition(b".")[0].decode() in _ALL


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"


def _is_torn(before: bytes, after: bytes) -> bool:
    """Whether two lines are one broken word: ``UTCHMMA`` and ``.2CTA``, ``R1`` and ``2``, ``gdesc`` and ``[``."""
    return after[:1] == b"." or (_is_word(before[-1:]) and (_is_word(after[:1]) or after[:1] == b"["))


def _is_prose(text: bytes, start: re.Match[bytes]) -> bool:
    """Whether words, not operands, follow a mnemonic."""
    rest = text[start.end() :].strip()
    return rest[:1].isalpha() and not _OPERAND_LIKE.match(rest)


def _is_open(tail: bytes) -> bool:
    """Whether the text after the complete operands begins with an unclosed bracket, or a comma."""
    return tail.startswith((b"[", b"(", b"{", b"`(", b","))


def _is_column(text: bytes, at: int) -> bool:
    """Whether the text after the operands is another column of a table: numbers."""
    return bool(_COLUMN.match(text, at)) and not _REGISTERS.search(text, at)


def _name(start: re.Match[bytes]) -> str:
    """Return the name of a statement, without suffixes, by the match of its start."""
    return start[4].partition(b".")[0].decode()


def _match_operands(text: bytes, start: re.Match[bytes]) -> re.Match[bytes]:
    """Return the operands of a statement, which may be none, by the match of its start."""
    at = start.end()
    operands = _BRANCHING.match(text, at) if _name(start) in BRANCHES else _OPERANDS.match(text, at)
    assert operands is not None
    return operands


def without_remark(text: str) -> str:
    """Return an instruction without the words after it, if it does not end with a semicolon."""
    line = text.encode()
    start = _START.match(line)
    if start is None:
        return text
    operand_text = _match_operands(line, start)
    tail = line[operand_text.end() :]
    if not tail or _is_open(tail) or (_DAMAGED.match(tail) and not _is_column(line, operand_text.end(1))):
        return text
    return line[: operand_text.end(1)].decode().rstrip()


def _passed(line: bytes) -> int:
    """Return the offset of the first word of a line, after quotation marks, numbers, arrows and the like."""
    at = 0
    while match := _BEFORE.match(line, at):
        at = match.end()
    return at


def _begin(line: bytes, unknown: bool = False) -> re.Match[bytes] | None:
    """Return the beginning of the statement in a line; None if words precede it, or there is no statement.

    ``unknown``: also one with an unknown name, if it ends with a semicolon.
    """
    at = 0
    while True:
        start = _START.match(line, at)
        if start is not None and (start[1] or not _is_prose(line, start)):
            if start[1] or _is_known(start[4]):
                return start
            if unknown and b";" in line[start.end() :]:
                return start
        before = _BEFORE.match(line, at)
        if before is None:
            return None
        at = before.end()


# ---- a text ----

_CHANGED = tuple(re.compile(rb"(?m)^%s[ \t]*+(?:/\*|@|%s[ ;])" % (sign, _MNEMONIC)) for sign in (rb"\+", b"-"))
"""The lines of each side in a diff."""
_COMMENT = re.compile(rb"//[^\n]*|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")
_REST = re.compile(rb"//[^\n]*|/\*")
_DOTS = re.compile(rb"[/*\s]*(?:\.\.\.+|\xe2\x80\xa6)[/*\s]*$")
_SPACES = re.compile(rb"\xc2\xa0|\xe2\x80[\x80-\x8b\xaf]|\xef\xbb\xbf")
_LOWER = re.compile(rb"\b(?:utc[a-z]{1,4}mma|utccp|[hqib]gmma)[.\s]")
_UPPER = re.compile(rb"\b(?:UTC[A-Z]{1,4}MMA|UTCCP|[HQIB]GMMA)[.\s]")
_RAISED = re.compile(
    rb"\b(?:GDESC|DESC|TMEM|IDESC|CX?|GSB)(?=[\[\d])|\b0X[0-9A-F]+|(?<=/\*)[0-9A-F]+(?=\*/)|\.REUSE\b|\.TNSP(?=[AB])"
    rb"|(?<=\.)\d*X\d+(?:X\d+)*\b|(?<=\.)(?:\d+X)?\d+DP\w+"
)
"""The parts that tools print in lower case."""


def read_pasted(text: bytes, headed: bool) -> Listing:
    """Return the lines of a function, or (not ``headed``) of a fragment that may be surrounded by other text."""
    text = _canonical(text)
    # After the last end of a comment only line comments are complete: the search for ends would be in vain.
    closed = text.rfind(b"*/") + 2 if b"*/" in text else 0
    text = _COMMENT.sub(_uncommented, text[:closed]) + _REST.sub(_uncommented, text[closed:])
    lines = text.split(b"\n")
    # Behind the last semicolon of a line nothing ends: the search for it would be in vain, at each name again.
    ends = ((line, line.rfind(b";") + 1) for line in lines)
    ended = any(_is_known(match[1]) for line, end in ends for match in _ENDED.finditer(line, 0, end))
    reader = _PastedReader(ended, headed, frozenset(_JUMPED.findall(text)))
    changed = all(sign.search(text) for sign in _CHANGED)
    longest = max(map(len, lines))
    for number, line in enumerate(lines):
        if changed and line[:1] in (b"+", b"-"):
            reader.close()
            reader.put_unread(number, line, beside=False)
        else:
            reader.take(number, line.strip())
            reader.wide = len(line) == longest >= _NARROW
    reader.close(cut=not text.endswith(b"\n"))
    return _trimmed(reader, headed)


def _canonical(text: bytes) -> bytes:
    """Return a text with blanks and letter case as tools print them."""
    if _LOWER.search(text) and not _UPPER.search(text):
        text = _RAISED.sub(lambda match: match[0].lower(), text.upper())
    return _SPACES.sub(b" ", text)


def has_mma(before: bytes, line: bytes) -> bool:
    """Return whether a tensor-core instruction begins in a line of text, or in the line before it that it continues."""
    for text in (line, before):
        for part in _canonical(text).split(b";"):
            begin = _begin(part.strip())
            if begin is not None and _name(begin) in SASS:
                return True
    return False


def _uncommented(match: re.Match[bytes]) -> bytes:
    """Return the replacement of a comment: an address, a source line, or the mark of omitted code."""
    comment, text = match[0], match.string
    start = text.rfind(b"\n", 0, match.start()) + 1
    before = text[start : match.start()]
    if _DOTS.match(comment) and not before.strip():
        return b"..."
    if comment.startswith(b"//"):
        return comment if comment.startswith(_SOURCE) else b""
    if b"/*" in comment[2:] or comment == b"/*":
        return comment  # not terminated where it should be
    if _ADDRESS.match(comment) and (b";" in before or _passed(before) == len(before)):
        return comment
    return b" " + b"\n" * comment.count(b"\n")


def _trimmed(reader: _PastedReader, headed: bool) -> Listing:
    """Return the lines without text that cannot be code: around a fragment, and between lines without a gap."""
    lines, code = reader.lines, reader.code
    first, end = (code[0], code[-1]) if code and not headed else (-1, len(lines))
    if headed and code:
        last = next((place for place in reversed(code) if lines[place][-1:] == b";"), code[-1])
        end = last if _closes(lines, last) else end
    instructions = [place for place in code if lines[place][-1:] == b";"]
    for place, words in reader.beside.items():
        if (words and not first < place < end) or _leaves_no_room(lines, instructions, place):
            lines[place] = b""
            del reader.unread[place]
    hidden = tuple(place for place in reader.hidden if place in reader.unread)
    return Listing(lines, None, reader.numbers, reader.unread, hidden)


def _leaves_no_room(lines: list[bytes], instructions: list[int], place: int) -> bool:
    """Whether the instructions before and after a line are consecutive."""
    after = bisect_left(instructions, place)
    if not 0 < after < len(instructions):
        return False
    at, to = (instruction_offset(lines[instructions[number]]) for number in (after - 1, after))
    return at is not None and to == at + INSTRUCTION_BYTES


def _closes(lines: list[bytes], last: int) -> bool:
    """Whether a function ends with a line: a jump to itself, or padding."""
    match = _FILLED.match(lines[last])
    if match is None:
        return False
    here = {b"0x" + match[1].lstrip(b"0")}
    for line in reversed(lines[:last]):
        if line and line[-1:] != b":":
            break
        here.add(b"`(" + line[:-1] + b")")
    return match[2] in here or padded(int(match[1], 16))
