"""A SASS function as one statement per line: no comments, no trailing blanks, nothing misread.

Whatever nvdisasm prints around the code (register live ranges, encodings, source lines), and what people add by hand,
must not change the meaning of a line: a label with a comment after it is a label. A line in an unknown form may hide an
instruction or a label; then nothing is certain in its function. A dump that was edited, cut short in the middle, or
assembled from two reads like any other: only the addresses show that something is missing, duplicated, or moved.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.languages.sass.pasted_listing import Listing, read_pasted
from smemdesc.scanning.languages.sass.text import HEAD, INSTRUCTION_BYTES, gaps, instruction_offset
from smemdesc.scanning.model.causes import NEVER_RETURN

_USUAL = re.compile(
    rb"""(?mx) ^ (?:
      [ \t]*+ (?:
        /\*[0-9a-f]{4,8}\*/ [ \t]++
          (%s)
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
    % HEAD
)
"""A line as nvdisasm and cuobjdump print it, with the head of an instruction."""
_REMARKS = (b'(*"SpillRefill"*)', b'(*"BRANCH_TARGETS ')
"""What nvdisasm prints after an instruction, far to the right."""
_END = re.compile(rb"(?m)^[ \t]*+\.{6,}+[ \t\r]*+$")
"""After a function cuobjdump prints dots, and then the header of the next file."""


_CALLED = re.compile(rb"\n\.nv\.constant4:([^:]*)")
_POINTER = re.compile(rb"/\*([0-9a-f]{4,8})\*/[ \t]++\.dword[ \t]++([\w$]++)[ \t]*+$", re.M)


def never_returning(text: bytes) -> frozenset[int]:
    """Return the offsets of the addresses of functions that do not return, from nvdisasm's full dump of one cubin.

    They are in constant bank 4, through which external functions are called.
    """
    sections = _CALLED.findall(text) if text.count(b"\t.elftype\t") == 1 else []
    if len(sections) != 1:
        return frozenset()
    return frozenset(int(at, 16) for at, name in _POINTER.findall(sections[0]) if name.decode() in NEVER_RETURN)


def listing(text: bytes, headed: bool) -> Listing:
    """Return the lines of a function, or (not ``headed``) of a fragment that may be surrounded by other text."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b" ")
    for remark in _REMARKS:
        if remark in text:
            *before, last = text.split(remark)
            text = (b" " + remark).join([*(part.rstrip(b" ") for part in before), last])
    if b"[{" in text:
        text = _PAIR.sub(_joined, text)
    if b"[ " in text and _APART.search(text):
        return read_pasted(text, headed)
    if b"......" in text and (dots := _END.search(text)):
        text = text[: dots.start()]
    lines, heads = text.split(b"\n"), _USUAL.findall(text)
    return Listing(lines, heads) if len(heads) == len(lines) else read_pasted(text, headed)


_PAIR = re.compile(rb"\[\{[ \t]*+UR(\d{1,3})((?:[ \t]*+,[ \t]*+UR\d{1,3})++)[ \t]*+\}\]")
"""The registers of a descriptor, all of them named."""


_APART = re.compile(rb"\w\[[ \t]+U?R\d")


def _joined(pair: re.Match[bytes]) -> bytes:
    first, *others = map(int, re.findall(rb"\d+", pair[0]))
    return b"[UR%d]" % first if others == [first + 1 + place for place in range(len(others))] else pair[0]


# ---- whether a function is complete and unduplicated, judged by its addresses and labels ----


class MissingPart(NamedTuple):
    """Why nothing is known about a function."""

    line: int
    words: str
    gap: bool = False
    """Whether instructions are only missing, and the others unchanged."""


def missing_line(lines: list[bytes], headed: bool) -> MissingPart | None:
    """Return the first line after a gap, or the first duplicated one, and a message about it.

    ``headed``: the text begins where the function does; a pasted fragment may have gaps, but no duplicates.
    """
    places = list(map(instruction_offset, lines))
    gap: MissingPart | None = None
    seen: set[int | bytes] = set()
    unlike = {index: expected for index, expected, _ in gaps(places, 0)}  # empty for a function that is whole
    for index, at in enumerate(places) if unlike else ():
        if at is None:
            continue
        if at in seen:
            return MissingPart(index, f"instructions occur twice: at {at:#06x}")
        seen.add(at)
        expected = unlike.get(index, at) if headed else at
        if at > expected:
            gap = gap or MissingPart(index, f"instructions are missing: from {expected:#06x} to {at:#06x}", True)
        if at < expected:
            return MissingPart(
                index, f"instructions are not in order: {at:#06x} comes after {expected - INSTRUCTION_BYTES:#06x}"
            )
    for index, line in enumerate(lines):
        if line[-1:] == b":":
            label = line.strip()
            if label in seen:
                return MissingPart(index, f"the label {label[:-1].decode('utf-8', 'replace')} occurs twice")
            seen.add(label)
    return gap
