"""One function of MLIR: what its tensor-core instructions are given."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from smemdesc.engine.fields import WORD
from smemdesc.scanning import inline_asm
from smemdesc.scanning.induction import solve_with_loops
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.mlir import cute, triton
from smemdesc.scanning.mlir.aliases import Aliases
from smemdesc.scanning.mlir.loops import header_phis
from smemdesc.scanning.mlir.lower import Definitions, called
from smemdesc.scanning.mlir.memory import memory
from smemdesc.scanning.mlir.mma import NAMES, understand, warpgroup
from smemdesc.scanning.mlir.text import Operation, Source, parse, without_locations
from smemdesc.scanning.model import Function, Instruction, Mma, Operand
from smemdesc.scanning.operands import SymbolicValues, addresses, placed
from smemdesc.scanning.provenance import Provenance

_ON_TILES = {**dict.fromkeys(triton.NAMES, triton.read), **dict.fromkeys(cute.NAMES, cute.read)}
"""The operations on tiles, and what reads them."""
READ = NAMES | frozenset(_ON_TILES)
"""The operations that are MMAs, or copies that read a descriptor."""
_OTHERS = re.compile(
    r"(?:nvvm\.(?:tcgen05\.(?:mma|cp)|wgmma\.mma_async)\.[\w.]+|ttng\.tc_gen\w*mma\w*"
    r"|cute_nvgpu\.arch\.[\w.]*\.(?:umma|copy_s2t)\w*)\Z"
)
"""Operations of the same dialects that are MMAs, or such copies, too: not read."""
_MARKS = tuple(
    mark.encode() for mark in (*inline_asm.MARKS, "nvgpu.warpgroup.mma", "ttng.tc_gen", "umma", "copy_s2t", *_ON_TILES)
)
_COMMENT = re.compile(r"//[^\"]*$")
_LONGEST_TEXT = 300
_WIDTHS = (64, 64, 32, 64)
Wanted = tuple[tuple[Any, int], ...]
"""SymbolicValues, with their bits."""


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, aliases: Aliases | None = None
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None where it has none.

    ``aliases``: what the names of types and attributes stand for that are defined before it.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    source = parse(text.replace(b"\r", b"").decode("utf-8", "replace"))
    aliases = aliases or Aliases()
    definitions = Definitions(source, aliases)
    found = [(each, _wanted(each, definitions)) for each in source.operations if _is_mma(each)]
    if not found:
        return None
    wanted = [each for _, values in found for each in values if each[0].__class__ is not tuple]
    definitions.memory = kept = memory(source, definitions)
    known = solve_with_loops(
        [value for value, _ in wanted], definitions.define, partial(header_phis, source, definitions, kept)
    )
    facts = SymbolicValues(Provenance(known), wanted, called)
    place = partial(_place, source, first, definitions.arguments)
    mmas: list[Mma] = []
    unread: list[tuple[int, str]] = []
    odd = source.odd
    for operation, values in found:
        made, not_understood, not_read = _mmas(operation, values, facts, arch, aliases, definitions)
        odd += not_understood
        unread += [(first + operation.at, text) for text in not_read]
        location = aliases.source(operation.location)
        mmas += [
            mma._replace(
                line=first + operation.at,
                source=location,
                arch=arch,
                a=placed(mma.a, place),
                b=placed(mma.b, place),
                idesc=placed(mma.idesc, place),
                mask=placed(mma.mask, place),
            )
            for mma in made
        ]
    return Function(name, first, "MLIR", tuple(mmas), odd, unread=tuple(unread)) if mmas or unread else None


def _is_mma(operation: Operation) -> bool:
    if operation.name == "llvm.inline_asm":
        return any(mark in operation.text for mark in inline_asm.MARKS)
    return operation.name in READ or _OTHERS.match(operation.name) is not None


def _wanted(operation: Operation, definitions: Definitions) -> Wanted:
    """Return the values of the operands that may be descriptors."""
    if operation.name == "llvm.inline_asm":
        inline = definitions.inline(operation)
        return () if inline is None else tuple(inline.operands)
    understood = understand(operation)
    if not isinstance(understood, tuple):
        return ()
    *descriptors, memory = understood[1]
    return tuple(
        (UNKNOWN if each is None else definitions.operand(operation.region, each), width)
        for each, width in zip((*descriptors, *memory.values()), (*_WIDTHS, *[WORD] * len(memory)), strict=True)
    )


def _mmas(
    operation: Operation,
    values: Wanted,
    facts: SymbolicValues,
    arch: str | None,
    aliases: Aliases,
    definitions: Definitions,
) -> tuple[list[Mma], int, tuple[str, ...]]:
    """Return the MMAs of an operation, how many lines were not understood, and what is to be said of them."""
    text = f"{operation.name} {operation.text}".partition(" : ")[0].strip()
    text = text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."
    if operation.name == "llvm.inline_asm":
        inline = definitions.inline(operation)
        if inline is None:
            return [], 1, (inline_asm.unread(text, "its string and constraints cannot be read"),)
        return list(inline.mmas(facts)), inline.odd, inline.unread
    found = _read(operation, values, facts, arch, aliases)
    if isinstance(found, str):
        return [], 1, (inline_asm.unread(text, found),)
    if found is None:
        return [], 0, ()
    understood = understand(operation)
    memory = understood[1].memory if isinstance(understood, tuple) else {}
    words = [facts.held(*each).operand(WORD) for each in values[len(_WIDTHS) :]]
    placed = addresses(((name, "", 0) for name in memory), words)
    return [Mma(operation.at, text, *found, tensor_memory=placed)], 0, ()


def _read(
    operation: Operation, values: Wanted, facts: SymbolicValues, arch: str | None, aliases: Aliases
) -> tuple[Instruction, Operand | None, Operand | None, Operand | None, Operand | None] | str | None:
    """Return what an operation says, with its operands; None where it reads no descriptors, or why it is not known."""
    if operation.name in _ON_TILES:
        found = _ON_TILES[operation.name](operation, aliases, arch)
        if found is None or isinstance(found, str):
            return found
        a, b, idesc = (each and (each._replace(lost=operation.at) if each.lost_text else each) for each in found[1:])
        return found[0], a, b, idesc, None
    tiles = warpgroup(operation)
    if tiles is not None:
        return tiles if isinstance(tiles, str) else (*tiles, None, None)
    understood = understand(operation)
    if understood is None:
        return "this operation is not supported"
    if isinstance(understood, str):
        return understood
    instruction, reads = understood
    a, b, idesc, mask = (
        None if read is None else facts.held(value, width).operand(width, instruction.family if at < 2 else "")
        for at, (read, (value, width)) in enumerate(zip(reads[: len(_WIDTHS)], values, strict=False))
    )
    return instruction, a, b, idesc, mask


def _place(source: Source, first: int, arguments: list[tuple[int, str]], at: int) -> tuple[int, str] | None:
    """Return the number of a line in the text, and the line."""
    if len(source.lines) <= at < len(source.lines) + len(arguments):
        line, text = arguments[at - len(source.lines)]
        return first + line, text.strip()
    if not 0 <= at < len(source.lines):
        return None
    text = without_locations(_COMMENT.sub("", source.lines[at][: 4 * _LONGEST_TEXT]))[0].strip()
    return first + at, text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."
