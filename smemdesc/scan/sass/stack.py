"""Words that a function keeps in local memory, at known offsets from its stack pointer, as registers of the analysis.

What is spilled is read back from where it was put: ``STL [R1+0x10], R5`` and ``LDL R5, [R1+0x10]``, with R1 as it was.
A store through any other address may hit every word, and so may whatever moves R1: then nothing is known of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from smemdesc.scan.known import UNKNOWN, Value
from smemdesc.scan.sass.meaning import Meaning
from smemdesc.scan.sass.text import Line, follows, operand

POINTER = "R1"
_PLACE = re.compile(r"\[R1(?:\+(-?0x[0-9a-f]{1,6}))?\]$")
_REMARK = re.compile(r"\s*\(\*.*\*\)\s*$")
_WORD = 4
"""Bytes."""
_WORDS = {"64": 2, "128": 4}
_NARROW = frozenset(("U8", "S8", "U16", "S16"))
_HARMLESS = frozenset(("E", "LU", "EL", "LT", "NA", "EF", "32"))
_MARKS = (b"STL", b"LDL", b"ST.", b"ST ", b"ATOM", b"RED", b"LMEMBASE", b"CCTLL")
_ELSEWHERE = ("ATOMS", "ATOMG", "REDG", "REDAS", "ATOMAS")
"""They do not reach local memory."""


class Stack(NamedTuple):
    """What lines do to words in local memory."""

    meanings: dict[int, Meaning]
    """Of the lines that load or store such a word, or may store to any; all others mean what they say."""
    writes: dict[int, tuple[str, ...]]
    """The words that lines may write."""


def both(first: Stack, second: Stack) -> Stack:
    """Return what lines do to words of two kinds, of which no line loads or stores both."""
    if not second.meanings or not first.meanings:
        return second if second.meanings else first
    meanings = {**first.meanings, **second.meanings}
    for index in first.meanings.keys() & second.meanings.keys():
        meanings[index] = _together(first.meanings[index], second.meanings[index])
    return Stack(
        meanings,
        {
            **first.writes,
            **second.writes,
            **{index: meanings[index].writes for index in first.writes.keys() & second.writes.keys()},
        },
    )


def _together(a: Meaning, b: Meaning) -> Meaning:
    """Return what a line does that loads or stores a word of one kind and may write those of the other."""
    if a.transfer is None:
        a, b = b, a
    more = tuple(each for each in b.writes if each not in a.writes)
    if a.transfer is None or b.transfer is not None or not more:
        return Meaning((*a.writes, *more))
    transfer, single = a.transfer, len(a.writes) == 1

    def joined(*values: Value) -> object:
        made = transfer(*values)
        return (*((made,) if single else made), *(UNKNOWN,) * len(more))  # type: ignore[misc]

    return Meaning((*a.writes, *more), a.reads, joined)


def stack(
    lines: list[bytes],
    take: Callable[[bytes], tuple[Line | None, Meaning | None]],
    writes: Callable[[int], tuple[str, ...]],
) -> Stack:
    """Find the words in local memory of a function.

    ``take`` parses a line and says what it does, ``writes`` returns the registers that a line writes.
    """
    found = Stack({}, {})
    if not any(b"LDL" in line for line in lines):
        return found
    touched = [
        index for index, line in enumerate(lines) if any(mark in line for mark in _MARKS) or POINTER in writes(index)
    ]
    anywhere: list[int] = []
    words: dict[str, None] = {}
    for index in touched:
        line, plain = take(lines[index])
        if line is None:
            continue
        if line.name == "LDL":
            meaning = _load(line)
        elif line.name == "STL":
            meaning = _store(line)
            if meaning is None:
                anywhere.append(index)
            else:
                found.writes[index] = meaning.writes
                words.update(dict.fromkeys(meaning.writes))
        else:
            if _may_reach(line.name) or plain is None or POINTER in writes(index):
                anywhere.append(index)
            continue
        if meaning is not None:
            found.meanings[index] = meaning
    every = tuple(words)
    for index in anywhere:
        found.writes[index] = every
        found.meanings[index] = Meaning((*writes(index), *every))
    return found


def concerns(line: Line, writes: tuple[str, ...]) -> bool:
    """Whether what a line means hangs on what is in local memory; ``writes`` are the registers that it writes."""
    return line.name in ("LDL", "STL") or _may_reach(line.name) or POINTER in writes


def _may_reach(name: str) -> bool:
    """Whether an instruction may write to local memory through an address of the whole address space."""
    return name in ("ST", "SETLMEMBASE", "CCTLL") or (
        name.startswith(("ATOM", "RED")) and name not in (*_ELSEWHERE, "REDUX")
    )


def _words(text: str, line: Line) -> tuple[str, ...] | None:
    """Return the words at an address; None where they are not known."""
    place = _PLACE.match(text)
    if place is None or set(line.suffixes) - _HARMLESS - _NARROW - _WORDS.keys():
        return None
    offset = int(place[1] or "0", 16)
    count = next((_WORDS[each] for each in line.suffixes if each in _WORDS), 1)
    if _NARROW & set(line.suffixes):
        offset -= offset % _WORD
    if offset % _WORD:
        return None
    return tuple(f"[{offset + _WORD * number:#x}]" for number in range(count))


def _load(line: Line) -> Meaning | None:
    if len(line.operands) != 2 or _NARROW & set(line.suffixes):
        return None
    words = _words(_REMARK.sub("", line.operands[1]), line)
    if words is None:
        return None
    writes = tuple(follows(line.operands[0], len(words)))
    return Meaning(writes, words, _one if len(words) == 1 else _many) if len(writes) == len(words) else None


def _store(line: Line) -> Meaning | None:
    if len(line.operands) != 2:
        return None
    words = _words(line.operands[0], line)
    if words is None:
        return None
    if _NARROW & set(line.suffixes):
        return Meaning(words)
    source = _REMARK.sub("", line.operands[1])
    reads: tuple[object, ...] = tuple(follows(source, len(words)))
    if len(words) == 1 and not reads:
        reads = (operand(source).register,)
    return Meaning(words, reads, _one if len(words) == 1 else _many) if len(reads) == len(words) else Meaning(words)


def _one(a: Value) -> Value:
    return a


def _many(*values: Value) -> tuple[Value, ...]:
    return values
