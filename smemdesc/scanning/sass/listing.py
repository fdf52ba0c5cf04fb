"""A function of SASS as lines that each say one thing: no comments, no blanks at their ends, nothing misread.

Whatever nvdisasm prints around the code (registers' lives, encodings, source lines), and what people add by hand,
must not change what a line means: a label with a comment behind it is a label. A line that is none of the forms
known here may hide an instruction or a label; then nothing is certain in its function. A dump that was edited, cut
short in the middle, or put together from two reads like any other: only the addresses tell that something is missing,
twice there, or elsewhere than it was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.causes import NEVER_RETURN
from smemdesc.scanning.sass.text import SIZE, address, gaps, padded

_USUAL = re.compile(
    rb"""(?mx) ^ (?:
      [ \t]*+ (?:
        /\*[0-9a-f]{4,8}\*/ [ \t]++
          ( (?:@!?U?P[T0-9]\b[ ]++)?+ (?:__)?+[A-Z][A-Z0-9_]*+ (?:\.\w++)*+ (?: [ ][^;,\n/"`\[]*+ | (?=;) ) )
          [^;\n/"`]*+ (?:`\([^\s()]++\) [^;\n/"`]*+)?+ (?:"(?:SpillRefill|BRANCH_TARGETS[ ][^;\n/"`]++)"\*\))?+ ;
          (?: [ ]*+ /\*[ ]0x[0-9a-f]{16}[ ]\*/ )?+
      | /\*[ ]0x[0-9a-f]{16}[ ]\*/
      )
      | [^\s:;/*"`]++:
      | [ \t]++ \.[a-z_]++ [ \t] [^\n;]*+
      | [ \t]*+ Function [ ]:[ ] [^\n]++
      | \t?+ //\#\#[ ]File[^\n*]*+
      | //-[^\n*]*+ |
    ) (?:\n|\Z) """
)
"""A line as nvdisasm and cuobjdump print it, and the head of an instruction: what is before a comma or a bracket."""
_REMARKS = (b'(*"SpillRefill"*)', b'(*"BRANCH_TARGETS ')
"""What nvdisasm puts behind an instruction, far to the right."""
_COMMENT = re.compile(rb"//[^\n]*|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")
_REST = re.compile(rb"//[^\n]*|/\*")
_SOURCE = b"//## File"
_ADDRESS = re.compile(rb"/\*[ \t]*([0-9a-f]{4,8})[ \t]*\*/$")
_LABEL = re.compile(rb"([^\s:;\"`/]+)[ \t]*:$")
_DIRECTIVE = re.compile(rb"\.[a-z_]+(?:\s|$)")
_INSTRUCTION = re.compile(
    rb"(?:@[ \t]*+(!?)[ \t]*+(U?P[T0-9])\b\s*+)?+((?:__)?+[A-Z][A-Z0-9_]*+(?:\.\w++)*+)(?:\s++([^;]*+)|(?=;)|$)(;?)$"
)
_BLANKS = re.compile(rb"\s+")
_FILLED = re.compile(rb"/\*([0-9a-f]{4,8})\*/ (?:NOP|BRA ([^;\s]+)) ;$")
"""What a function ends with: a jump to itself, and what fills it up."""
_END = re.compile(rb"(?m)^[ \t]*+\.{6,}+[ \t\r]*+$")
"""Behind a function cuobjdump prints dots, and then what the next file is."""
_TAIL = 4096
"""Bytes in which that has room."""


_CALLED = re.compile(rb"\n\.nv\.constant4:([^:]*)")
_POINTER = re.compile(rb"/\*([0-9a-f]{4,8})\*/[ \t]++\.dword[ \t]++([\w$]++)[ \t]*+$", re.M)


def never_returning(text: bytes) -> frozenset[int]:
    """Return where one cubin, as nvdisasm prints all of it, has the addresses of functions that do not return.

    They stand in constant bank 4, through which functions are called that are elsewhere.
    """
    sections = _CALLED.findall(text) if text.count(b"\t.elftype\t") == 1 else []
    if len(sections) != 1:
        return frozenset()
    return frozenset(int(at, 16) for at, name in _POINTER.findall(sections[0]) if name.decode() in NEVER_RETURN)


class Listing(NamedTuple):
    """The lines of a function, as many as the text has; ``odd``: the numbers of those that are not understood."""

    lines: list[bytes]
    odd: list[int]
    heads: list[bytes] | None
    """What each line begins with, behind its address: up to the first comma or bracket. None: not every line is as the
    tools print it."""


def listing(text: bytes, headed: bool) -> Listing:
    """Return the lines of a function, or (not ``headed``) of a fragment, around which other text may stand."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b" ")
    for remark in _REMARKS:
        if remark in text:
            *before, last = text.split(remark)
            text = (b" " + remark).join([*(each.rstrip(b" ") for each in before), last])
    # Looked for where it stands if it is there at all, before it is in all of the text.
    for stretch in (text[-_TAIL:], text):
        if b"......" in stretch and (dots := _END.search(text)):
            text = text[: dots.start()]
        lines, heads = text.split(b"\n"), _USUAL.findall(text)
        if len(heads) == len(lines):
            return Listing(lines, [], heads)
    return _carefully(text, headed)


def _carefully(text: bytes, headed: bool) -> Listing:
    def replaced(found: re.Match[bytes]) -> bytes:
        comment = found[0]
        if comment.startswith(b"//"):
            return comment if comment.startswith(_SOURCE) else b""
        if b"/*" in comment[2:] or comment == b"/*":
            return comment  # one that does not end where it should
        text = found.string
        if _ADDRESS.match(comment) and not text[text.rfind(b"\n", 0, found.start()) + 1 : found.start()].strip():
            return comment
        return b" " + b"\n" * comment.count(b"\n")

    # Behind the last end of a comment none begins: there is nothing to look for.
    closed = text.rfind(b"*/") + 2 if b"*/" in text else 0
    text = _COMMENT.sub(replaced, text[:closed]) + _REST.sub(replaced, text[closed:])
    lines = [line.strip() for line in text.split(b"\n")]
    ended = any(line.endswith(b";") for line in lines)
    out: list[bytes] = []
    odd: list[int] = []
    code: list[int] = []
    for number, line in enumerate(lines):
        made, kind = _line(line, ended)
        if kind is _ODD and number == _last(lines) and ended and not line.endswith(b";"):
            # A dump that was cut off within its last line.
            made, kind = _line(line, False)
            made = made if kind is _CODE and not text.endswith(b"\n") else b""
            kind = _CODE if made else _ODD
        if kind is _CODE or (kind is _LABELLED and made[:1] in b".$"):
            code.append(number)
        elif kind is _ODD:
            odd.append(number)
        out.append(made)
    if not headed and code:
        # Text before and behind a pasted fragment is no part of it.
        odd = [number for number in odd if code[0] < number < code[-1]]
    elif odd and code:
        last = next((number for number in reversed(code) if out[number][-1:] == b";"), code[-1])
        if _closes(out, last):
            # Nor is what comes behind the last instruction of a function: a prompt, the end of a quotation.
            odd = [number for number in odd if number < last]
    return Listing(out, odd, None)


def _closes(lines: list[bytes], last: int) -> bool:
    """Whether a function ends with a line: a jump to itself, or what fills it up."""
    found = _FILLED.match(lines[last])
    if found is None:
        return False
    here = {b"0x" + found[1].lstrip(b"0")}
    for line in reversed(lines[:last]):
        if line and line[-1:] != b":":
            break
        here.add(b"`(" + line[:-1] + b")")
    return found[2] in here or padded(int(found[1], 16))


_NOTHING, _CODE, _LABELLED, _ODD = range(4)


def _last(lines: list[bytes]) -> int:
    return next((number for number in range(len(lines) - 1, -1, -1) if lines[number]), -1)


def _line(line: bytes, ended: bool) -> tuple[bytes, int]:
    """Return a line as nvdisasm writes it, and what it is; ``ended``: instructions end with a semicolon."""
    if not line or line.startswith((b"//", b"Function :")):
        return line.replace(b"*/", b"") if line.startswith(_SOURCE) else b"", _NOTHING
    if b"/*" in line[2:]:
        return b"", _ODD  # a comment that does not end
    at, mark, rest = line.partition(b"*/") if line.startswith(b"/*") else (b"", b"", line)
    rest = rest.strip()
    if mark:
        place = _ADDRESS.match(at + mark)
        if place is None:
            return b"", _ODD
        at = place[1]
    if not rest:
        return b"", _NOTHING
    label = None if at else _LABEL.match(rest)
    if label:
        return label[1] + b":", _LABELLED
    if not at and _DIRECTIVE.match(rest):
        return b"", _NOTHING
    found = _INSTRUCTION.match(rest)
    if found is None or (ended and not found[5]):
        return b"", _ODD
    unless, predicate, mnemonic, operands, _ = found.groups()
    guard = b"@" + unless + predicate + b" " if predicate else b""
    operands = _BLANKS.sub(b" ", operands or b"").strip()
    written = guard + mnemonic + (b" " + operands if operands else b"") + b" ;"
    return (b"/*" + at + b"*/ " + written if at else written), _CODE


# ---- whether a function is in the text whole and once, as its addresses and labels say ----


_ADDRESSES = re.compile(rb"\n[ \t]*+/\*([0-9a-f]{4,8})\*/")
_EXPECTED: list[bytes] = []


class Lacking(NamedTuple):
    """Why nothing is known of a function."""

    line: int
    words: str
    gap: bool = False
    """Whether it is only that instructions are missing: the others are as they were."""


def missing(lines: list[bytes], headed: bool) -> Lacking | None:
    """Return a line before which something is missing or from which on something is there again, and words for that.

    ``headed``: the text begins where the function does; a pasted fragment may have gaps, but nothing twice.
    """
    found: list[bytes] = _ADDRESSES.findall(b"\n" + b"\n".join(lines))
    while len(_EXPECTED) < len(found):
        _EXPECTED.append(b"%04x" % (SIZE * len(_EXPECTED)))
    wrong = None
    if not (headed and found == _EXPECTED[: len(found)]):
        wrong = _wrong(lines, headed)
        if wrong is not None and not wrong.gap:
            return wrong
    seen: set[bytes] = set()
    for index, line in enumerate(lines):
        if line[-1:] == b":":
            label = line.strip()
            if label in seen:
                return Lacking(index, f"the label {label[:-1].decode('utf-8', 'replace')} occurs twice")
            seen.add(label)
    return wrong


def _wrong(lines: list[bytes], headed: bool) -> Lacking | None:
    places = list(map(address, lines))
    wanted = {index: expected for index, expected, _ in gaps(places, 0)} if headed else {}
    seen: set[int] = set()
    gap: Lacking | None = None
    for index, at in enumerate(places):
        if at is None:
            continue
        if at in seen:
            return Lacking(index, f"instructions occur twice: at {at:#06x}")
        seen.add(at)
        expected = wanted.get(index, at)
        if at > expected:
            gap = gap or Lacking(index, f"instructions are missing: from {expected:#06x} to {at:#06x}", True)
        if at < expected:
            return Lacking(index, f"instructions are not in order: {at:#06x} comes after {expected - SIZE:#06x}")
    return gap
