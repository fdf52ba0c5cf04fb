"""Numbers and lists in words; and foreign text made safe for a terminal and a shell.

Escape sequences, direction marks and newlines in foreign text are escaped: they could recolor, reorder or fake our
output.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def many(number: int, what: str, plural: str = "") -> str:
    """Return ``1 step``, ``2 steps``; ``plural``: an irregular plural."""
    return f"{number} {what}" if number == 1 else f"{number} {plural or what + 's'}"


def either(words: Iterable[object]) -> str:
    """Join words with "or": ``32, 64 or 128``."""
    *others, last = map(str, words)
    return f"{', '.join(others)} or {last}" if others else last


_ENOUGH = 3
"""Letters of a word that is completed."""


def nearest(word: str, known: Iterable[str], hint: str) -> str:
    """Return a hint, preceded by the word of ``known`` that is spelled most like ``word``, or begins with it."""
    from difflib import get_close_matches

    words = tuple(known)
    longer = sorted((name for name in words if name.startswith(word.lower())), key=len) if len(word) >= _ENOUGH else []
    near = get_close_matches(word.lower(), words, n=1, cutoff=0.8) or longer
    return f"did you mean {near[0]}? {hint[:1].upper()}{hint[1:]}" if near else hint


def join_and(words: Iterable[object]) -> str:
    """Join words with "and": ``A, B and D``."""
    *others, last = map(str, words)
    return f"{', '.join(others)} and {last}" if others else last


def listed_words(words: Sequence[object], most: int) -> str:
    """Return the first ``most`` of some words, and how many are left: ``0, 16, 32 and 5 more``."""
    return ", ".join(map(str, words[:most])) + more(len(words), most)


class CodeOffset(int):
    """The offset of an instruction in its function, in the place of its line: nobody has the text."""

    def __str__(self) -> str:
        return f"+{int(self)}"


def line_words(lines: Sequence[int], most: int) -> str:
    """Return where some instructions are: ``line 12``, ``lines 12, 16 and 2 more``, ``+368, +528``."""
    words = listed_words(lines, most)
    return words if isinstance(lines[0], CodeOffset) else f"line{'s' if len(lines) > 1 else ''} {words}"


def more(count: int, most: int) -> str:
    """Return how many of ``count`` are not listed if ``most`` are: `` and 5 more``; empty if all are."""
    return f" and {count - most} more" if count > most else ""


def span(first: int, last: int) -> str:
    """Return ``0..31``, or one number."""
    return str(first) if first == last else f"{first}..{last}"


def bit_ranges(mask: int) -> str:
    """Name the bits of a mask: ``bits 0-13``, ``bit 52``, ``bits 4-6 and 14``."""
    runs = []
    low = 0
    while mask >> low:
        low += (mask >> low & -(mask >> low)).bit_length() - 1
        high = low + (~(mask >> low) & (mask >> low) + 1).bit_length() - 2
        runs.append(str(low) if low == high else f"{low}-{high}")
        low = high + 1
    return f"bit{'s' if mask & mask - 1 else ''} {join_and(runs)}"


def show_value(value: object) -> str:
    """Return a given value as in JSON (``true``, ``null``), text quoted as in Python."""
    import json  # most runs need none

    return repr(value) if isinstance(value, str) else json.dumps(value, default=repr)


_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x34F, 0x34F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
"""What Python calls printable although nothing is seen: fillers, joiners and variation selectors (Unicode,
Default_Ignorable_Code_Point), and the blank of Braille."""


def is_seen(text: str) -> bool:
    """Whether every character of a text is seen, or is a space."""
    return text.isprintable() and (text.isascii() or _INVISIBLE.isdisjoint(text))


def printable(text: str) -> str:
    """Return a text with what is not seen written as Python writes it: ``\\n``, ``\\x1b``, ``\\u202e``."""
    if is_seen(text):
        return text
    return "".join(character if is_seen(character) else _escaped(character) for character in text)


def short(text: str) -> str:
    """Return a text without its middle if it is too long to read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - _END]} ... {text[-_END:]}"


_LONGEST = 1200
_END = 300


def _escaped(char: str) -> str:
    code = char.encode("unicode_escape", "surrogatepass").decode("ascii")
    # Of a file's name that is no UTF-8: the byte.
    return f"\\x{ord(char) - 0xDC00:02x}" if "\udc80" <= char <= "\udcff" else code


def quoted(text: str) -> str:
    """Return a word quoted for a shell, on one line and without unprintable characters."""
    if is_seen(text):
        from shlex import quote

        return quote(text)
    # $'...' knows the same escapes.
    return "$'" + "".join(_in_quotes(character) for character in text) + "'"


def _in_quotes(char: str) -> str:
    if char in "'\\":
        return "\\" + char
    return char if is_seen(char) else _escaped(char)
