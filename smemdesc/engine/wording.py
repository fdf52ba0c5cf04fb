"""Numbers and lists in words. Imports nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def many(number: int, what: str, plural: str = "") -> str:
    """Return ``1 step``, ``2 steps``; ``plural``: where that is not an s more."""
    return f"{number} {what}" if number == 1 else f"{number} {plural or what + 's'}"


def either(words: Iterable[object]) -> str:
    """Write a choice: ``32, 64 or 128``."""
    *others, last = map(str, words)
    return f"{', '.join(others)} or {last}" if others else last


def together(words: Iterable[object]) -> str:
    """Write what belongs together: ``A, B and D``."""
    *others, last = map(str, words)
    return f"{', '.join(others)} and {last}" if others else last


def listed(words: Sequence[object], most: int) -> str:
    """Return the first ``most`` of some words, and how many there are beside them: ``0, 16, 32 and 5 more``."""
    return ", ".join(map(str, words[:most])) + more(len(words), most)


def more(count: int, most: int) -> str:
    """Say how many of ``count`` are not listed, where ``most`` are: `` and 5 more``; empty where all are."""
    return f" and {count - most} more" if count > most else ""


def span(first: int, last: int) -> str:
    """Return ``0..31``, or one number."""
    return str(first) if first == last else f"{first}..{last}"
