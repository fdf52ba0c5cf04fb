"""SASS as ``nvdisasm -json`` prints it: its objects converted to the lines of a listing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from smemdesc.scanning.languages.sass.listing_rows import TENSOR_CORE_MARKS, Listed, cuobjdump_text
from smemdesc.scanning.languages.sass.text import INSTRUCTION_BYTES

_FUNCTION = re.compile(r'\{\s*+"function-name"\s*+:')
_OPCODE = re.compile(r'"opcode"\s*+:')
_ARCH = re.compile(r'"tki_toolOptions"\s*+:\s*+"[^"]*?-arch[ =]+(sm_\w+)')
_CALLED = re.compile(r"(?<![\w$`(])[$_]\w[\w$]*$")
"""A called function, which nvdisasm otherwise writes as `(name)."""
_DEEPEST = 500
"""Text nested too deeply for Python's JSON parser, or with too long a number, has more characters."""


def json_functions(data: bytes) -> Iterator[tuple[Listed, str | None]]:
    """Yield the functions of a text, with the architecture."""
    import json

    text = data.decode("utf-8", "replace")
    arch_option = _ARCH.search(text)
    arch = arch_option[1] if arch_option else None
    decoder = json.JSONDecoder()
    line, counted, read_to = 1, 0, 0
    for begin in _FUNCTION.finditer(text):
        if begin.start() < read_to:
            continue
        line += text.count("\n", counted, begin.start())
        counted = begin.start()
        try:
            function, end = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError) as wrong:
            # A function that begins before the position of the error is part of this one.
            read_to = wrong.pos if isinstance(wrong, json.JSONDecodeError) else begin.start() + _DEEPEST
            yield Listed("", line, read=False), arch
            continue
        read_to = end
        name = str(function["function-name"])
        instructions = function.get("sass-instructions")
        if not isinstance(instructions, list) or not all(_is_instruction(instruction) for instruction in instructions):
            yield Listed(name, line, read=False), arch
            continue
        if not any(mark in instruction["opcode"] for instruction in instructions for mark in TENSOR_CORE_MARKS):
            yield Listed(name, line), arch
            continue
        start = function.get("start")
        start = start if isinstance(start, int) else 0
        rows = tuple(
            _line(instruction, start + INSTRUCTION_BYTES * number) for number, instruction in enumerate(instructions)
        )
        places = _lines(text, begin.start(), end, line)
        if len(places) != len(instructions):
            places = [line] * len(instructions)
        yield Listed(name, line, rows, tuple(places), addressed=True), arch


def _is_instruction(instruction: Any) -> bool:
    return (
        isinstance(instruction, dict)
        and isinstance(instruction.get("opcode"), str)
        and all(
            isinstance(instruction.get(key, ""), str) and "\n" not in instruction.get(key, "")
            for key in ("predicate", "operands")
        )
    )


def _line(instruction: dict[str, str], address: int) -> str:
    operands = instruction.get("operands", "")
    if instruction["opcode"].startswith("CALL."):
        operands = _CALLED.sub(r"`(\g<0>)", operands)
    words = (instruction.get("predicate", ""), instruction["opcode"], operands)
    return cuobjdump_text(address, " ".join(filter(None, words)))


def _lines(text: str, start: int, end: int, line: int) -> list[int]:
    """Return the line of each instruction."""
    places = []
    at = start
    for match in _OPCODE.finditer(text, start, end):
        line += text.count("\n", at, match.start())
        at = match.start()
        places.append(line)
    return places
