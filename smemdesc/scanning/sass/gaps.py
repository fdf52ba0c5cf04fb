"""Whether a function is in the text whole and once, as its addresses and labels say.

A dump that was edited, cut short in the middle, or put together from two reads like any other: only the addresses tell
that something is missing, twice there, or elsewhere than it was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.sass.text import SIZE

_ADDRESSES = re.compile(rb"\n[ \t]*+/\*([0-9a-f]{4,8})\*/")
_ADDRESS = re.compile(rb"[ \t]*+/\*([0-9a-f]{4,8})\*/")
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
    expected = 0
    seen: set[int] = set()
    gap: Lacking | None = None
    for index, line in enumerate(lines):
        address = _ADDRESS.match(line)
        if address is None:
            continue
        at = int(address[1], 16)
        if at in seen:
            return Lacking(index, f"instructions occur twice: at {at:#06x}")
        seen.add(at)
        if headed and at > expected:
            gap = gap or Lacking(index, f"instructions are missing: from {expected:#06x} to {at:#06x}", True)
        if headed and at < expected:
            return Lacking(index, f"instructions are not in order: {at:#06x} comes after {expected - SIZE:#06x}")
        expected = at + SIZE
    return gap
