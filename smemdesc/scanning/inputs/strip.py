"""A dump as it was before a terminal colored it, or a log or a pager put something before each line.

What stands before the first line of code stands, with other digits, before all of them. Where a line lacks it the line
is left as it is: then it is no line of the dump, and its function is refused like any other that something is in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

_COLOR = re.compile(rb"\x1b\[[0-9;:]*+[mK]")
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
"""What a web page has in place of signs, the last of them last."""
_BARE = re.compile(rb"(?:@!?U?P\w++[ ]++)?+(?:UTC|[HQIB]GMMA)[\w.]*+[ \t]")
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
"""What a line of a dump begins with, and texts without which there is none: these are found far faster."""
_WORDS = re.compile(rb"(?:(?:\.(?:visible|extern|weak|common)[ \t]{1,8}){1,4}|\b(?:llvm|func|gpu|tt))$")
"""What may stand before ``.entry`` or ``.func``."""
_COMMENTS = (b"//", b"/*", b"#", b";", b"*", b"!", b"--", b'"', b"'")
"""With what something begins that is commented out, a comment itself, or a string."""
_LOOKED, _AROUND = 8, 8_000
"""Lines above and below that tell whether the same stands before all, and bytes in which they are looked for."""
_PLACES = 50
"""Lines that are tried."""
_LONGEST = 400
"""Bytes of what stands before a line: what has more is a line of something else, that quotes code."""
_NUMBER = re.compile(rb"(\b(?:0x[0-9a-f]+|[0-9a-f]{8,16})\b)|\d+")
"""A hexadecimal number, or digits."""
_BLANKS = re.compile(rb"[ \t]+")


def is_colored(text: bytes) -> bool:
    """Return whether a terminal's colors are in a text, or what a web page writes for a sign."""
    return (b"\x1b[" in text and _COLOR.search(text) is not None) or any(sign in text for sign in _SIGNS)


def before(text: bytes) -> Callable[[bytes], bytes] | None:
    """Return what takes away what stands before each line of the dump in a text; None where nothing does."""
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
    """Return what fits something that stands before a line, with other digits and as many blanks as there are."""
    text = prefix.strip()
    out = _NUMBER.sub(lambda number: rb"(?:0x)?+[0-9a-f]++" if number[1] else rb"\d++", re.escape(text))
    out = re.sub(rb"(?:\\[ \t])+", rb"[ \\t]++", out)
    if _NUMBER.fullmatch(text.rstrip(b":-")) is not None or re.search(rb":\d+[:-]$", text):
        out = out.removesuffix(b":").removesuffix(rb"\-") + rb"[:-]?"  # grep -n writes - before lines around
    ended = rb"(?!\w)" if text[-1:].isalnum() else b""
    return re.compile(rb"(?m)^[ \t]*+" + out + ended + rb"[ \t]?")


def uncolored(text: bytes) -> bytes:
    """Return a text without colors, and with the signs that a web page has others for."""
    text = _COLOR.sub(b"", text)
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    return text
