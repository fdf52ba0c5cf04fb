"""Texts that name an MMA which was not read: "seen, not read", with the line and the reason.

A scan that finds nothing has to be right. So the text is searched for the names of all MMAs that the front ends know,
in upper or lower case, and each name that neither an MMA nor an error accounts for is reported. A name in a comment, in
prose, or in code of another language than the code around it (source between the lines of a listing) may be about MMAs
that were read; it is reported only if the file has none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Container, Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from smemdesc.engine.wording import many
from smemdesc.scanning.languages import mnemonics
from smemdesc.scanning.languages.units import FUNCTION_HEADER, LLVM, MLIR, PTX, SASS, places_of
from smemdesc.scanning.model import IN_COMMENT, IN_PROSE, IN_SYNTAX, OF_LIBRARY, Part, Unread

_MARKS = (b"gmma", b"utc", b"tcgen05", b"ttng.", b"warpgroup", b"cute.", b"_gpu.")
"""Every name contains one of these, in lower case: they are found far faster than names are matched."""
_NEAR = 64
"""The most bytes of a name before and after its mark."""
_QUALIFIERS = re.compile(rb"(?:\.\w++(?:::\w++)*+)++")
_LONGEST = 2_000
"""Bytes of a line that are examined before and after a name."""
_QUALIFIED = 3
"""Dots in the name of a PTX instruction with its qualifiers: ``wgmma.mma_async.sync.aligned``."""
_SHOWN = 120
"""Characters of a line that are shown."""
_MOST = 3
"""Names that are reported as one error each; further ones are counted."""
_MOST_OF_LINE = 64
"""Names on one line that are examined, which takes the whole line each time; further ones are treated like the last."""
_DATA = re.compile(
    rb"[ \t]*+(?:#loc\w*+[ \t]*+=|!\w++[ \t]*+=|attributes[ \t]++#|source_filename[ \t]*+=|//##"
    rb"|declare[ \t]++(?:void|i\d++|float|ptr|dso_local|noundef|[{<%])|\.[A-Za-z_]|loc\((?![^\n]*\): ))"
)
"""Lines of debug information, declarations and directives: a name in them is not an instruction."""
_CODE = re.compile(rb"[;{}:][ \t]*+(?:@!?%?\w++[ \t]++)?$")
"""What comes before an instruction on the same line as a directive."""
_COMMENT = re.compile(
    rb"//|/\*|^[ \t]*+(?:#(?![ \t]*+define\b)|\*|;|--|<(?:!--|title>|desc>|text\b))|(?<=[ \t])#(?=[ \t])|;[^\";]*+$"
)
_CLOSED = re.compile(rb"/\*[^*]*+\*/|\(\*[^*]*+\*\)")
"""Comments that end before the name: addresses and encodings of SASS."""
_NEWLINE = re.compile(rb"\\n|\\0[Aa]")
"""The end of a line within a string."""
_OPERANDS = re.compile(rb"[ \t]*+(?:\\t|[ \t])*+[\[{%(<a-zA-Z$]")
_MESSAGE = re.compile(rb"\b(?:error|warning|remark|note)[ \t]*+: [^']{0,200}+'$|\bptxas\b[^\n]{0,40} : ")
_HEADING = re.compile(rb"[ \t]*+[a-z]++[ \t]++$")
_HAS_OPERANDS = re.compile(
    rb"(?i)[\s\"',:;|.`*]*+(?:\\[tn])*+(?:U?[RP]\d|%|\$\d|[\[({<]|g?desc\b|tmem\b|!|[a-z_]\w*+[ \t]*+,|[a-z]\w?;)"
)
"""What follows a name that is an instruction; a sentence or a heading goes on with other text."""
_CARET = re.compile(rb"[^\n]*+\n[ \t]*+\^[~ \t\r]*+(?:\n|\Z)")
"""The rest of a line that a message quotes, and the next line, which has a caret."""
_ASM = re.compile(rb"(?i:asm|inline_ptx)\b")

STRING = "in a string: no inline assembly that is read"
NO_OPERANDS = "its operands are missing"
MESSAGE = "in a message about it"
PROSE = "no line of SASS, PTX, LLVM IR or MLIR"


MMA_NAMES: dict[str, Collection[str]] = {
    SASS: mnemonics.SASS,
    PTX: mnemonics.PTX,
    LLVM: mnemonics.LLVM,
    # Most copies of the CuTe DSL read no descriptor; the front end knows which ones do.
    MLIR: mnemonics.NVVM | {mnemonics.NVGPU} | mnemonics.TRITON | mnemonics.CUTE_MMAS | mnemonics.OTHER_DIALECTS,
}
"""Names of each language, without the qualifiers that may follow after a dot."""


def _escaped(word: str) -> str:
    """Return what fits a name, in Markdown, too."""
    return re.escape(word).replace("_", r"\\?_")


_NEWER = "|UTC[A-Z]{1,8}MMA"
"""MMAs of SASS that are not known yet."""


@cache
def _pattern() -> re.Pattern[bytes]:
    groups = (
        f"(?P<{language.replace(' ', '_')}>{'|'.join(sorted(map(_escaped, words), key=len, reverse=True))}{newer})"
        for language, words in MMA_NAMES.items()
        for newer in (_NEWER if language == SASS else "",)
    )
    begins = r"(?:(?<![\w$.])(?<!\w::)|(?<=\\[nrtv])|(?<=\\0[9Aa]))"
    return re.compile(rf"{begins}@?(?:{'|'.join(groups)})(?![\w$]|::\w)".encode(), re.IGNORECASE)


def names_mma(text: bytes) -> bool:
    """Whether a text names an MMA that the front ends know."""
    return any(True for _ in _mentions(text, 0, len(text)))


class _Mention(NamedTuple):
    start: int
    end: int
    language: str


def _mentions(text: bytes, low: int, high: int) -> Iterator[_Mention]:
    """Yield the names of MMAs that are whole words between the offsets ``low`` and ``high``, in order."""
    end = 0
    for place in places_of(_MARKS, text.lower(), low, high):
        match = _pattern().search(text, max(end, place - _NEAR), place + _NEAR) if place >= end else None
        if match is not None and match.lastgroup is not None:
            qualifiers = _QUALIFIERS.match(text, match.end())
            end = qualifiers.end() if qualifiers else match.end()
            yield _Mention(match.start(), end, match.lastgroup.replace("_", " "))


class Stretch(NamedTuple):
    """A stretch of text that was read as code of one language; ``language`` None: not as code."""

    start: int
    language: str | None
    ignored: bool = False
    """Whether names in it are not reported."""


def missed(
    text: bytes, first: int, covered: Container[int], stretches: list[Stretch], low: int, high: int
) -> tuple[list[Unread], list[Unread]]:
    """Return the unaccounted names of MMAs between two offsets: certain ones, and ones that may be about other MMAs.

    ``first`` is the number of the first line, ``covered`` are the lines of the MMAs that were read or reported.
    """
    certain: list[Unread] = []
    others: list[Unread] = []
    starts = [stretch.start for stretch in stretches]
    for line, mentions in groupby(_with_lines(text, first, _mentions(text, low, high)), key=itemgetter(0)):
        if line in covered:
            continue
        for number, (_, mention) in enumerate(mentions):
            if number > _MOST_OF_LINE:
                for names in (certain, others):
                    names += names[-1:] if names and names[-1].line == line else []
                continue
            at = bisect_right(starts, mention.start) - 1
            stretch = stretches[at] if at >= 0 else None
            if stretch is None or stretch.ignored or _is_read(text, mention, stretch):
                continue
            before, after = _line_around(text, mention)
            if _is_data(text, mention.start - len(before), before):
                continue
            reason, is_certain = _reason(text, mention, before, after, stretch.language)
            shown = " ".join((before + text[mention.start : mention.end] + after).decode("utf-8", "replace").split())
            short = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 3] + "..."
            (certain if is_certain else others).append(Unread(line, short, reason))
    return certain, others


def _with_lines(text: bytes, first: int, mentions: Iterable[_Mention]) -> Iterator[tuple[int, _Mention]]:
    """Yield mentions, each after the number of its line."""
    line, counted = first, 0
    for mention in mentions:
        line += text.count(b"\n", counted, mention.start)
        counted = mention.start
        yield line, mention


def _line_around(text: bytes, mention: _Mention) -> tuple[bytes, bytes]:
    """Return the rest of the line before and after a mention, as far as it is examined."""
    first, last = max(0, mention.start - _LONGEST), min(len(text), mention.end + _LONGEST)
    start = max(first, text.rfind(b"\n", first, mention.start) + 1)
    end = text.find(b"\n", mention.end, last)
    return text[start : mention.start], text[mention.end : last if end < 0 else end]


def _is_read(text: bytes, mention: _Mention, stretch: Stretch) -> bool:
    """Whether the front end has read a name that is an MMA or not depending on types (the CuTe DSL)."""
    return stretch.language == MLIR and text.startswith(b"cute.", mention.start) and b"!cute" in text


def _is_data(text: bytes, start: int, before: bytes) -> bool:
    """Whether a line has no instruction, or is the header of a function."""
    if _CODE.search(before):
        return False
    return _DATA.match(before) is not None or FUNCTION_HEADER.match(text, start) is not None


def _reason(text: bytes, mention: _Mention, before: bytes, after: bytes, language: str | None) -> tuple[str, bool]:
    """Return why a name was not read, and whether it is certainly an instruction of the code around it.

    ``before`` and ``after``: the rest of its line; ``language``: the language of the code, None if it is not code.
    """
    if _MESSAGE.search(before) or _CARET.match(text, mention.end):
        return MESSAGE, False
    named, name = mention.language, text[mention.start : mention.end]
    plain = _CLOSED.sub(b"", before)
    quoted = plain.count(b'"') % 2 == 1
    if _COMMENT.search(_NEWLINE.split(plain)[-1]) if quoted else _COMMENT.search(plain):
        return IN_COMMENT, False
    if re.search(mnemonics.SYNTAX_OPERAND.encode(), _statement(text, mention.end)):
        return IN_SYNTAX, False
    if _is_prose(text, mention, before, after, quoted, language):
        return IN_PROSE, False
    if language is None:
        return (STRING, name.count(b".") >= _QUALIFIED) if quoted else (PROSE, False)
    inline = named == PTX and language in (LLVM, MLIR) and _ASM.search(plain) is not None
    own = (named == language and (language in (LLVM, MLIR) or not quoted)) or (named == LLVM and language == MLIR)
    if not _OPERANDS.match(after) and not quoted:
        return NO_OPERANDS, own
    return f"not understood as {language}", own or inline


def _is_prose(text: bytes, mention: _Mention, before: bytes, after: bytes, quoted: bool, language: str | None) -> bool:
    """Whether a name is part of a sentence, the value of a heading, or a string of its own: no operands follow."""
    if _HAS_OPERANDS.match(text, mention.end):
        return False
    if quoted:
        return after[:1] == b'"'
    if _HEADING.match(before) and not _OPERANDS.match(after):
        return True
    return mention.language != language and (language is None or not _OPERANDS.match(after))


def _statement(text: bytes, at: int) -> bytes:
    """Return what follows a name, up to the end of its statement or paragraph."""
    end = min((end for end in (text.find(b";", at), text.find(b"\n\n", at)) if end >= 0), default=len(text))
    return text[at : min(end, at + _LONGEST)]


def covered_by(part: Part) -> set[int]:
    """Return the lines of a part that an MMA or an error accounts for."""
    lines = {mma.line for function in part.functions for mma in function.mmas}
    return lines | {line for line, _ in part.failed} | {mention.line for mention in part.unread}


def with_unread(part: Part, unread: Iterable[Unread]) -> Part:
    """Return a part with an error for each instruction that was seen, not read."""
    mentions = tuple(unread)
    failed = [
        (mention.line, f"this tensor-core instruction was seen, not read ({mention.reason}): {mention.text}")
        for mention in mentions[:_MOST]
    ]
    if more := mentions[_MOST:]:
        failed.append((more[0].line, f"{many(len(more), 'more tensor-core instruction')} seen, not read, from here on"))
    return part._replace(unread=tuple(sorted((*part.unread, *mentions))), failed=part.failed + tuple(failed))


def settled_file(part: Part) -> Part:
    """Return the result of a whole file: names that may be about other MMAs are reported if it has none.

    They are errors, unless all of them stand in comments or prose.
    """
    mentions = () if part.functions else part.mentions
    of_library = tuple(mention for mention in mentions if mention.reason == OF_LIBRARY)
    mentions = tuple(mention for mention in mentions if mention.reason != OF_LIBRARY)
    part = part._replace(unread=tuple(sorted((*part.unread, *of_library))), mentions=())
    if all(mention.only_named for mention in (*part.unread, *mentions)):
        return part._replace(unread=tuple(sorted((*part.unread, *mentions))))
    return with_unread(part, mentions)
