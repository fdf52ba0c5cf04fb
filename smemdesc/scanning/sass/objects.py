"""SASS as ``nvdisasm -json`` prints it: its objects turned into the lines of a listing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from smemdesc.scanning.model import Function
from smemdesc.scanning.moving import relined

_FUNCTION = re.compile(r'\{\s*+"function-name"\s*+:')
_OPCODE = re.compile(r'"opcode"\s*+:')
_ARCH = re.compile(r'"tki_toolOptions"\s*+:\s*+"[^"]*?-arch[ =]+(sm_\w+)')
_CALLED = re.compile(r"(?<![\w$`(])[$_]\w[\w$]*$")
"""A function that is called, which nvdisasm otherwise writes as `(name)."""
_MARKS = ("GMMA", "UTC")
_SIZE = 16
"""Bytes of an instruction."""


def functions(data: bytes) -> Iterator[tuple[str, Function | None, bool]]:
    """Yield the name of each function, its MMAs (None: it has none), and whether it could be read.

    Lines are those of the file; where it is one line, what tells the instructions apart is the address, which
    stands behind each.
    """
    import json

    from smemdesc.scanning.sass.front import analyse

    text = data.decode("utf-8", "replace")
    found = _ARCH.search(text)
    arch = found[1] if found else None
    decoder = json.JSONDecoder()
    line, counted = 1, 0
    for begin in _FUNCTION.finditer(text):
        if begin.start() < counted:
            continue
        line += text.count("\n", counted, begin.start())
        counted = begin.start()
        try:
            made, end = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            yield "", None, False
            continue
        name = str(made["function-name"])
        instructions = made.get("sass-instructions")
        if not isinstance(instructions, list) or not all(_is_instruction(each) for each in instructions):
            yield name, None, False
            continue
        if not any(mark in each["opcode"] for each in instructions for mark in _MARKS):
            yield name, None, True
            continue
        start = made.get("start")
        start = start if isinstance(start, int) else 0
        listed = "\n".join(_line(each, start + _SIZE * number) for number, each in enumerate(instructions))
        places = _lines(text, begin.start(), end, line)
        if len(places) != len(instructions):
            places = [line] * len(instructions)
        of = analyse(listed.encode("utf-8", "replace"), 1, name, arch)
        yield name, None if of is None else relined(of, line, _Places(places, start)), True


class _Places:
    """Says the line of an instruction and, behind its text, its address."""

    def __init__(self, lines: list[int], start: int) -> None:
        self.lines = lines
        self.start = start

    def __call__(self, number: int, text: str) -> tuple[int, str]:
        return self.lines[number - 1], f"{text} /*{self.start + _SIZE * (number - 1):04x}*/"


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
