"""Removes the colors of a terminal from a dump, and the prefix that a log or a pager adds to each line.

The prefix of the first line of code is, with other digits, the prefix of all of them. A line without it is unchanged:
it is not a line of the dump, and its function is refused like any other with foreign text in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from smemdesc.scanning.languages.units import first_header

BOM = b"\xef\xbb\xbf"
"""The byte order mark with which PowerShell begins a file."""
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;:?]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)|[()][0-9A-Z])")
"""A sequence for a terminal: a color, a link, a character set."""
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r") + b"\x7f"
_BLANK = bytes.maketrans(b"\v\f", b"  ")
_UNSEEN = re.compile(
    rb"\xc2(?:[\x80-\x84\x86-\x9f]|\xad)|\xcd\x8f|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf"
)
"""UTF-8 of characters that are not seen: controls, soft hyphen, blanks without width, marks of direction and order."""
_ENDS = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
"""Ends of lines that no tool writes between two lines of a dump."""
_SIGNS = {
    b"\xc2\xa0": b" ",
    b"&nbsp;": b" ",
    b"&lt;": b"<",
    b"&gt;": b">",
    b"&quot;": b'"',
    b"&#39;": b"'",
    b"&#91;": b"[",
    b"&#93;": b"]",
    b"&amp;": b"&",
}
"""HTML entities and the characters they represent; ``&amp;`` is replaced last."""
_BARE = re.compile(rb"(?:@!?U?P\w++[ ]++)?+(?:UTC|[HQIB]GMMA)[\w.]{0,200}+[ \t]")
"""SASS without addresses."""
_ADDRESS = re.compile(rb"[<*]|[0-9a-f]{4}")
_CODE: tuple[tuple[tuple[bytes, ...], re.Pattern[bytes]], ...] = (
    ((b"*/",), re.compile(rb"/\*[0-9a-f]{4,8}\*/[ \t]++(?:@!?U?P\w++[ ]++)?+[A-Z][A-Z0-9_.]++[ ;]")),
    (
        (b">:",),
        re.compile(
            rb"(?:[=*]>[ \t]*+)?+0x[0-9a-f]{6,16}[ \t]++<[^<>\n]++>:[ \t]++(?:(?:[0-9a-f]{2}[ \t]++)++)?+[@A-Z_]"
        ),
    ),
    ((b"Address ",), re.compile(rb"0x[0-9a-f]{6,16}[ ]{2,}(?:@!?U?P\w++[ ]++)?+[A-Z][A-Z0-9_.]++[ ]")),
    ((b".section",), re.compile(rb"\.section[ \t]++\.text\.")),
    ((b"Function : ",), re.compile(rb"Function : \S")),
    ((b".entry",), re.compile(rb"\.entry[ \t(]")),
    ((b".func",), re.compile(rb"\.func[ \t(]")),
    (
        (b"wgmma.mma_async.", b"tcgen05."),
        re.compile(rb"(?<![\w\"'`])(?:@!?%\w++[ \t]++)?+(?:wgmma\.mma_async\.|tcgen05\.(?:mma|cp)\.)"),
    ),
    ((b"define ",), re.compile(rb"define [^\n#]{0,400}@[\w.\"]")),
    ((b"gdesc[",), _BARE),
    ((b"@llvm.nvvm.",), re.compile(rb"(?:%[\w.]++ = )?+(?:tail )?+call [^\n]{0,200}@llvm\.nvvm\.(?:wgmma|tcgen05)")),
    ((b'"(',), re.compile(rb"(?:%[\w#:]++ = )?+\"[a-z_]\w*+\.[\w.]++\"\(")),
    ((b"asm",), re.compile(rb"\b(?:__asm__|__asm|asm)[ \t]*+(?:(?:volatile|__volatile__)[ \t]*+)?+\(")),
)
"""The beginnings of lines of a dump, each with texts that it needs to match: these are found far faster."""
_WORDS = re.compile(rb"(?:(?:\.(?:visible|extern|weak|common)[ \t]{1,8}){1,4}|\b(?:llvm|func|gpu|tt))$")
"""Words that may come before ``.entry`` or ``.func``."""
_COMMENTS = (b"//", b"/*", b"#", b";", b"*", b"!", b"--", b'"', b"'")
"""The beginnings of comments, of code that is commented out, and of strings."""
_LOOKED, _AROUND = 8, 8_000
"""Lines above and below that must have the same prefix, and bytes in which they are searched for."""
_PLACES = 50
"""Lines that are tried."""
_LONGEST = 400
"""The most bytes of a prefix: a longer one is other text that quotes code."""
_NUMBER = re.compile(rb"(\b(?:0x[0-9a-f]+|[0-9a-f]{8,16})\b)|\d+")
"""A hexadecimal number, or digits."""
_GREP = re.compile(rb"[:-]\d+[:-]$")
"""The end of a file and a line, as grep -n prints them: with hyphens for the lines around."""
_BLANKS = re.compile(rb"[ \t]+")


def cleaner(head: bytes) -> Callable[[bytes], bytes]:
    """Return a function that removes the colors and the prefixes from the lines of a text that begins with ``head``."""
    head = uncolored(head)
    prefix = None if first_header(head) else before(head)
    return uncolored if prefix is None else lambda text: prefix(uncolored(text))


def before(text: bytes) -> Callable[[bytes], bytes] | None:
    """Return a function that removes the prefix of each line of a dump; None if the lines have no prefix."""
    tried = 0
    patterns = [pattern for marks, pattern in _CODE if any(mark in text for mark in marks)]
    for pattern, match in ((code, match) for code in patterns for match in code.finditer(text)):
        start = max(0, match.start() - _LONGEST - 1)
        prefix = text[start : match.start()].rpartition(b"\n")[2]
        if len(prefix) > _LONGEST:
            continue
        if match[0][1:2] in b"ef":
            prefix = _WORDS.sub(b"", prefix)
        if not prefix.strip() or prefix.lstrip().startswith(_COMMENTS):
            continue
        if pattern is _BARE and _ADDRESS.search(prefix):
            continue
        tried += 1
        if tried > _PLACES:
            break
        same = _pattern(prefix)
        begin = match.start() - len(prefix)
        above = text[max(0, begin - _AROUND) : begin].split(b"\n")[1 if begin > _AROUND else 0 :]
        below = text[match.end() : match.end() + _AROUND].split(b"\n")[1:]
        lines = [line for line in above if line.strip()][-_LOOKED:] + [line for line in below if line.strip()][:_LOOKED]
        if lines and 2 * sum(same.match(line) is not None for line in lines) >= len(lines):
            return partial(same.sub, b"")
    return None


def _pattern(prefix: bytes) -> re.Pattern[bytes]:
    """Return a pattern that matches the prefix of a line with any digits and any number of blanks."""
    text = prefix.strip()
    out = _NUMBER.sub(lambda number: rb"(?:0x)?+[0-9a-f]++" if number[1] else rb"\d++", re.escape(text))
    out = re.sub(rb"(?:\\[ \t])+", rb"[ \\t]++", out)
    if _NUMBER.fullmatch(text.rstrip(b":-")) is not None:
        out = out.removesuffix(b":").removesuffix(rb"\-") + rb"[:-]?"  # grep -n writes - before lines around
    elif _GREP.search(text):
        out = re.sub(rb"(?::|\\-)(\\d\+\+)(?::|\\-)$", rb"[:-]\1[:-]", out)
    ended = rb"(?!\w)" if text[-1:].isalnum() else b""
    return re.compile(rb"(?m)^[ \t]*+" + out + ended + rb"[ \t]?")


def uncolored(text: bytes) -> bytes:
    """Return a text without colors and what else is not seen, and with HTML entities replaced by their characters."""
    text = text.removeprefix(BOM)
    text = _ESCAPE.sub(b"", text) if b"\x1b" in text else text
    text = text.translate(_BLANK, _CONTROLS)
    if not text.isascii():
        text = _ENDS.sub(b" ", _UNSEEN.sub(b"", text))
    for sign, plain in _SIGNS.items():
        if sign[:1] in text:  # one byte is found far faster
            text = text.replace(sign, plain)
    return text
