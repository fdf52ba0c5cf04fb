"""Whether a number in code is a whole value, or a term of an expression and an argument of a call that computes."""

from __future__ import annotations

import re

from smemdesc.reading.naming import LONGEST_NAME

CONVERSIONS = (
    rb"(?:(?:std::|np\.|numpy\.|ctypes\.c_)?u?int(?:32|64)(?:_t)?|U?[Ii]nt(?:32|64)|static_cast<[\w: ]{1,30}>)"
)
LONGEST_EXPRESSION = 400
_CALLED = re.compile(rb"[\w>]\Z(?<!\breturn)(?<!\bif)(?<!\bwhile)")
"""What comes before the bracket of a call."""
_CASTED = re.compile(rb"%s\Z" % CONVERSIONS)
_PART_BEFORE = re.compile(rb"(?:>>|(?<!&)&|~)[ \t(]*+(?:%s[ \t(]*+)?\Z" % CONVERSIONS)
"""With these before or after it, a number is a part of an expression."""
_PART_AFTER = re.compile(rb"[ \t)]*+(?:>>|&(?!&)|<<[ \t]*+\d)")


def is_whole_value(text: bytes, start: int, end: int) -> bool:
    """Whether a number is a whole value: not a part of an expression, and not an argument of a call.

    A number of 16 hexadecimal digits is accepted as an argument of a call.
    """
    low = text.rfind(b"\n", max(0, start - LONGEST_NAME), start) + 1 or max(0, start - LONGEST_NAME)
    if _PART_BEFORE.search(text[low:start]) or _PART_AFTER.match(text, end):
        return False
    if end - start >= _WHOLE and b"<<" not in text[start:end]:
        return True
    depth, low = 0, max(0, start - LONGEST_EXPRESSION)
    for place in range(start - 1, low - 1, -1):
        char = text[place]
        if char in b";{}":
            return True
        depth += (char == 0x28) - (char == 0x29)
        if depth > 0:
            depth = 0
            before = text[max(0, place - _CASTING) : place].rstrip(b" \t")
            if _CALLED.search(before) and not _CASTED.search(before):
                return False
    return True


_WHOLE = 18
"""Characters of ``0x`` and 16 digits."""
_CASTING = 48
"""The most characters of a cast before its bracket."""
