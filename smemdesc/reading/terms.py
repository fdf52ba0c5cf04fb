"""Whether a text is code, and a number in code a whole value, or a term of an expression and an argument of a call."""

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
_PART_BEFORE = re.compile(rb"(?:>>|(?<!&)&|~|\)[ \t]*+(?:(?<!\|)\||[\^+*/%%-]))[ \t(]*+(?:%s[ \t(]*+)?\Z" % CONVERSIONS)
"""With these before or after it, a number is a part of an expression. ``|`` alone separates columns, too."""
_PART_AFTER = re.compile(
    rb"[ \t)]*+(?:>>|&(?!&)|<<[ \t]*+\d|[<>!=]=(?!=)|(?:\|(?!\|)|[\^+*/%-])[ \t]*+"
    rb"(?:[(~!'-]|\w++[ \t]*+\(|\d++\.\d|\d\w*+[ \t]++(?:as|if|and|or)\b))"
)


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


_SOURCE = re.compile(
    rb"(?m)^[ \t]*+(?:#[ \t]*+(?:include[ \t]*+(?!<(?:stdint|stdalign)\.h>)|pragma[ \t])|template[ \t]*+<"
    rb"|namespace[ \t]++[\w:]++[ \t]*+\{|using[ \t]++(?:namespace[ \t]|\w++[ \t]*+=)"
    rb"|from[ \t]++[\w.]++[ \t]++import[ \t]|import[ \t]++[\w.]++(?:[ \t]++as[ \t]++\w++)?[ \t\r]*+$"
    rb"|(?:def|class)[ \t]++\w++[^\n:]*+:|[\w:<>*& \t]++\([^()\n]*+\)[ \t]*+\{)"
    rb"|\b__(?:global|device|host|forceinline)__\b|\b(?:__asm__|asm)[ \t\r\n]++(?:volatile|__volatile__)\b"
    rb"|\basm[ \t]*+\([ \t\r\n]*+\"|\b(?:tl::|T\.)initialize_(?:wgmma|tcgen05)_descriptor\b|\w\.bitfield\.\w+_\s*+="
    rb"|\w\.(?:version|stride_byte_offset|leading_byte_offset|layout_type|base_offset|lbo_mode)_\s*+="
)
"""What C++ and Python sources contain, and no dump does; ``encode --format c`` and ``cuda`` write the two headers."""
_MACROS = re.compile(rb"(?m)^[ \t]*+(?:(?:pub[ \t]++)?+fn[ \t]\w|#[ \t]*+define\s[^\n|<]*+(?:\||<<))")
"""A function of Rust, or a macro that is an expression: of a source, if statements around it make descriptors."""
_MADE = re.compile(
    rb"(?i)desc[\w.\])>-]{0,60}\s*(?:[|+^&]?=(?!=)|\{|:)[^;\n]{0,400}?(?:<<|[|(]|[ \t]\+[ \t])"
    rb"|desc\w{0,40}\s{0,4}\([^;{}()]{0,300}\)[^;{}()]{0,60}\{"
    rb"|(?:\btl::|\bT\.)(?:ptx_)?(?:wgmma|tcgen05_?mma)_|\bSM(?:90|120)_\d{1,3}x\d{1,3}x\d{1,3}_|\bSM100_MMA_"
    rb"|\.bitfield\.|_dim_\s*=|descriptor[ \t]*+[(<]|Descriptor\.create\["
)
"""What a text has in which a descriptor is made, or an MMA of a library stands."""
_SEARCHED = 100_000
"""Bytes in which it is searched for what only a source has."""


def is_source(text: bytes) -> bool:
    """Whether a text is C++, Rust or Python: its statements say what its numbers are. Other text is read in lines."""
    if _SOURCE.search(text, 0, _SEARCHED):
        return True
    return _MACROS.search(text, 0, _SEARCHED) is not None and makes_descriptors(text)


def makes_descriptors(text: bytes) -> bool:
    """Whether a text may have statements that make descriptors."""
    return _MADE.search(text) is not None
