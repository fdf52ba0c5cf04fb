"""SASS as ``nvdisasm -json`` prints it: its objects turned into the lines of a listing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.scanning.model import Function, relined
from smemdesc.scanning.sass.front import analyse
from smemdesc.scanning.sass.text import SIZE

_FUNCTION = re.compile(r'\{\s*+"function-name"\s*+:')
_OPCODE = re.compile(r'"opcode"\s*+:')
_ARCH = re.compile(r'"tki_toolOptions"\s*+:\s*+"[^"]*?-arch[ =]+(sm_\w+)')
_CALLED = re.compile(r"(?<![\w$`(])[$_]\w[\w$]*$")
"""A function that is called, which nvdisasm otherwise writes as `(name)."""
_MARKS = ("GMMA", "UTC")
_DEEPEST = 500
"""What nests too deeply for Python's reader of JSON, or holds too long a number, has more characters."""


class Listed(NamedTuple):
    """A function as it is listed."""

    name: str
    line: int
    read: bool = True
    """Whether it could be read."""
    text: str = ""
    """Its instructions in the form of a disassembly; empty where none is an MMA."""
    lines: tuple[int, ...] = ()
    """The line of each."""
    start: int = 0
    arch: str | None = None

    def analysed(self) -> list[Function]:
        """Return it with its MMAs; nothing where it has none.

        Lines are those of the file; where it is one line, what tells the instructions apart is the address, which
        stands behind each.
        """
        of = analyse(self.text.encode("utf-8", "replace"), 1, self.name, self.arch) if self.text else None
        return [] if of is None else [relined(of, self.line, self._place)]

    def _place(self, number: int, text: str) -> tuple[int, str]:
        return self.lines[number - 1], f"{text} /*{self.start + SIZE * (number - 1):04x}*/"


def functions(data: bytes) -> Iterator[Listed]:
    """Yield the functions of a text."""
    import json

    text = data.decode("utf-8", "replace")
    found = _ARCH.search(text)
    arch = found[1] if found else None
    decoder = json.JSONDecoder()
    line, counted, behind = 1, 0, 0
    for begin in _FUNCTION.finditer(text):
        if begin.start() < behind:
            continue
        line += text.count("\n", counted, begin.start())
        counted = begin.start()
        try:
            made, end = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError) as wrong:
            # What begins before the place that it cannot be read beyond is a part of this one.
            behind = wrong.pos if isinstance(wrong, json.JSONDecodeError) else begin.start() + _DEEPEST
            yield Listed("", line, False)
            continue
        behind = end
        name = str(made["function-name"])
        instructions = made.get("sass-instructions")
        if not isinstance(instructions, list) or not all(_is_instruction(each) for each in instructions):
            yield Listed(name, line, False)
            continue
        if not any(mark in each["opcode"] for each in instructions for mark in _MARKS):
            yield Listed(name, line)
            continue
        start = made.get("start")
        start = start if isinstance(start, int) else 0
        listed = "\n".join(_line(each, start + SIZE * number) for number, each in enumerate(instructions))
        places = _lines(text, begin.start(), end, line)
        if len(places) != len(instructions):
            places = [line] * len(instructions)
        yield Listed(name, line, True, listed, tuple(places), start, arch)


def _is_instruction(each: Any) -> bool:
    return (
        isinstance(each, dict)
        and isinstance(each.get("opcode"), str)
        and all(
            isinstance(each.get(key, ""), str) and "\n" not in each.get(key, "") for key in ("predicate", "operands")
        )
    )


def _line(each: dict[str, str], address: int) -> str:
    operands = each.get("operands", "")
    if each["opcode"].startswith("CALL."):
        operands = _CALLED.sub(r"`(\g<0>)", operands)
    words = (each.get("predicate", ""), each["opcode"], operands)
    return f"        /*{address:04x}*/                   {' '.join(filter(None, words))} ;"


def _lines(text: str, start: int, end: int, line: int) -> list[int]:
    """Return the line of each instruction."""
    places = []
    at = start
    for found in _OPCODE.finditer(text, start, end):
        line += text.count("\n", at, found.start())
        at = found.start()
        places.append(line)
    return places
