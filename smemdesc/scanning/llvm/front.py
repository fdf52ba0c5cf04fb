"""One function of LLVM IR: what its tensor-core instructions are given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from smemdesc.scanning import inline_asm
from smemdesc.scanning.induction import HeaderPhi, solve_with_loops
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.llvm.loops import Flow
from smemdesc.scanning.llvm.lower import Definitions, Element, Row
from smemdesc.scanning.llvm.memory import memory
from smemdesc.scanning.llvm.mma import TENSOR_POINTER, understand
from smemdesc.scanning.llvm.module import EMPTY, Module
from smemdesc.scanning.llvm.text import Call, call, closing, split, width_of
from smemdesc.scanning.model import Function, Mma, Operand
from smemdesc.scanning.operands import SymbolicValue, SymbolicValues, addresses, placed
from smemdesc.scanning.provenance import Provenance

_MARKS = tuple(mark.encode() for mark in inline_asm.MARKS)
_DEFINED = re.compile(rb"[ \t]*(%(?:[-\w.$]+|\"[^\"]*\")) ?= ?")
_CALL = re.compile(rb"[ \t]*(?:%(?:[-\w.$]+|\"[^\"]*\") ?= ?)?(?:(?:tail|musttail|notail) )?call ")
_NAMED = re.compile(
    rb"[ \t]*(?:%(?:[-\w.$]+|\"[^\"]*\") ?= ?)?(?:(?:tail|musttail|notail) )?(?:call|invoke|callbr) [^\n]*?"
    rb"(?:\basm\b|@llvm\.nvvm\.(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))\b(?!_))"
)
_STACK = re.compile(rb"= ?alloca ")
_LOCATION = re.compile(rb"!dbg !(\d{1,9})\b")
_UNDERSTOOD = re.compile(
    rb"""[ \t]* (?:
      $ | [;}\])] | \#dbg_ | (?:to|unwind)[ ]label | \] |
      (?: define | declare | source_filename | target | attributes | module | uselistorder | ![\w.] | @ | \$ ) |
      (?:[-\w.$]+|"[^"]*") : |
      %(?:[-\w.$]+|"[^"]*") [ ]?= |
      i\d+[ ]-?\d+,[ ]label |
      (?: store | br | ret | call | tail | musttail | notail | switch | unreachable | fence | indirectbr | resume |
          invoke | callbr | cleanupret | catchret ) \b
    )""",
    re.X,
)
_LONGEST_TEXT = 300


def analyse(text: bytes, first: int, name: str | None, arch: str | None, module: object = None) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None where it has none.

    ``module`` is what :func:`smemdesc.scanning.llvm.module.module` said of the file, if that was read.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    around = module if isinstance(module, Module) else EMPTY
    if b"\r" in text:
        text = text.replace(b"\r", b"")
    lines = _tidy(text).split(b"\n")
    _end(lines)
    _join(lines)
    found, wrong = _calls(lines)
    if not found and not wrong:
        return None
    rows = _rows(lines)
    head, said = _arguments(lines)
    # They stand behind the last line, to be told apart.
    places = {name: len(lines) + at for at, name in enumerate(said)}
    definitions = Definitions(rows.get, around.aligned, places, around.types)
    asked = [
        definitions.inline(index, called).operands
        if called.asm
        else [(_asked(definitions, each), _width(each)) for each in called.arguments]
        for index, called in found
    ]
    odd = len(wrong) + sum(not _UNDERSTOOD.match(line) for line in lines)

    @cache
    def flow() -> Flow:
        return Flow(lines, rows, definitions)

    def header_phis(merges: Sequence[Any]) -> Mapping[Any, HeaderPhi]:
        return {**({} if odd else flow().header_phis(merges)), **inline_asm.header_phis(merges)}

    if not odd and b"br i1 " in text and flow().graph is not None:
        definitions.blocks = flow()
    definitions.memory = None if odd or not _STACK.search(text) else memory(lines, rows, definitions, flow())
    wanted = [(name, width) for names in asked for name, width in names if name.__class__ is not tuple]
    names = Provenance(solve_with_loops([name for name, _ in wanted], definitions.define, header_phis))
    values = SymbolicValues(names, wanted, _called)
    place = partial(_place, lines, first, head, list(said.values()))
    mmas: list[Mma] = []
    unread = [(first + index, _said(lines[index], why)) for index, why in wrong]
    for (index, each), passed in zip(found, asked, strict=True):
        location = _LOCATION.search(lines[index], max(0, len(lines[index]) - _LONGEST_TEXT))
        source = around.places.get(int(location[1])) if location else None
        made = [] if each.asm else [_intrinsic(each, [values.held(*of) for of in passed], index)]
        if each.asm:
            inline = definitions.inline(index, each)
            made = list(inline.mmas(values))
            odd += inline.odd
            unread += [(first + index, text) for text in inline.unread]
        mmas += [
            mma._replace(
                line=first + index,
                source=source,
                arch=arch,
                a=placed(mma.a, place),
                b=placed(mma.b, place),
                idesc=placed(mma.idesc, place),
                mask=placed(mma.mask, place),
            )
            for mma in made
        ]
    if not mmas and not unread:
        return None
    return Function(name, first, "LLVM IR", tuple(mmas), odd, unread=tuple(sorted(unread)))


_APART = re.compile(rb"\"[^\"\n]*+\"?|[ \t]*+;[^\n]*+|[ \t]{2,}+|\t|[ ](?=\n|\Z)")


def _tidy(text: bytes) -> bytes:
    """Return text without comments, with one blank where there were several."""

    def made(found: re.Match[bytes]) -> bytes:
        what, start, end = found[0], found.start(), found.end()
        if what[:1] == b'"':
            return what
        if what.lstrip()[:1] == b";" or end == len(text) or text[end] == _NEWLINE:
            return b""
        return what if not start or text[start - 1] == _NEWLINE else b" "

    return _APART.sub(made, text)


_NEWLINE = 0x0A
_WHOLE_LINE = re.compile(rb"[ \t]*+(?:%(?:[-\w.$]+|\"[^\"]*\")[ ]?=|(?:(?:tail|musttail|notail) )?call )")
_BRACKETS = re.compile(rb"\"[^\"]*+\"|[(\[{<)\]}>]")


def _join(lines: list[bytes]) -> None:
    """Put the lines of an instruction that stands on several onto its first."""
    index = 0
    while index < len(lines):
        line = lines[index]
        first = index
        index += 1
        if not _WHOLE_LINE.match(line):
            continue
        opened = _opened(line)
        parts = [line]
        while index < len(lines) and (opened > 0 or parts[-1].endswith(b",") or _continues(lines[index])):
            if _WHOLE_LINE.match(lines[index]) or lines[index] == b"}":
                break  # a bracket is missing
            opened += _opened(lines[index])
            parts.append(lines[index].strip())
            lines[index] = b""
            index += 1
        if len(parts) > 1:
            lines[first] = b" ".join(part for part in parts if part)


def _continues(line: bytes) -> bool:
    return bool(line) and not _UNDERSTOOD.match(line)


def _opened(line: bytes) -> int:
    """Return how many more brackets a line opens than it closes."""
    return sum(1 if each in b"([{<" else -1 for each in _BRACKETS.findall(line) if len(each) == 1)


def _end(lines: list[bytes]) -> None:
    """Leave out what stands behind the function."""
    for index, line in enumerate(lines):
        if line == b"}":
            del lines[index + 1 :]
            return


def _calls(lines: list[bytes]) -> tuple[list[tuple[int, Call]], list[tuple[int, str]]]:
    """Return the calls that are MMAs, or hold some, and (with what is wrong) those that cannot be read."""
    found = []
    unread = []
    for index, line in enumerate(lines):
        if not any(mark in line for mark in _MARKS):
            continue
        start = _CALL.match(line)
        called = call(line[start.end() - 5 :].decode("utf-8", "replace")) if start else None
        understood = None if called is None or called.asm else understand(called)
        if called is not None and (called.asm or isinstance(understood, tuple)):
            if not called.asm or any(mark in called.asm for mark in inline_asm.MARKS):
                found.append((index, called))
        elif isinstance(understood, str):
            unread.append((index, understood))
        elif _NAMED.match(line):
            unread.append((index, "only a complete call is supported, no invoke or callbr"))
    return found, unread


def _rows(lines: list[bytes]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    twice = set()
    for index, line in enumerate(lines):
        found = _DEFINED.match(line)
        if found:
            name = found[1].decode("utf-8", "replace")
            if name in rows:
                twice.add(name)
            rows[name] = Row(index, line[found.end() :].decode("utf-8", "replace"))
    # No name is defined twice in one function: what looks like that is the text of several.
    for name in twice:
        rows[name] = Row(rows[name].at, "")
    return rows


def _arguments(lines: list[bytes]) -> tuple[int, dict[str, str]]:
    """Return where the head of the function ends, and what it says of each argument, by its name."""
    head = []
    for index, line in enumerate(lines if lines[0].startswith(b"define ") else ()):
        head.append(line.decode("utf-8", "replace"))
        if line.endswith(b"{"):
            text = " ".join(head)
            named = _HEAD.search(text)
            end = closing(text, named.end() - 1) if named else -1
            parts = split(text[named.end() : end]) if named and end >= 0 else []
            return index, {part.rpartition(" ")[2]: part for part in parts if " %" in part}
    return 0, {}


_HEAD = re.compile(r"@(?:[-\w.$]+|\"[^\"]*\")\(")


def _asked(definitions: Definitions, argument: tuple[str, str]) -> Any:
    """Return the name of an argument that may be a descriptor, a part of one or an address of tensor memory, or its
    value."""
    kind, value = argument
    if width_of(kind) is None or (kind.startswith("ptr") and kind != TENSOR_POINTER):
        return UNKNOWN
    return definitions.operand(kind, value)


def _width(argument: tuple[str, str]) -> int:
    return width_of(argument[0]) or 64


def _called(name: Any) -> str:
    """Return a value as it is written, and of an aggregate which part it is."""
    return f"{name.value}[{', '.join(map(str, name.path))}]" if isinstance(name, Element) else str(name)


def _intrinsic(called: Call, given: list[SymbolicValue], index: int) -> Mma:
    understood = understand(called)
    assert isinstance(understood, tuple)
    instruction, reads = understood
    operands: list[Operand | None] = []
    families = (instruction.family, instruction.family, *[""] * (2 + len(reads.memory)))
    for family, read in zip(families, (*reads[:4], *reads.memory.values()), strict=True):
        place = next((i for i, argument in enumerate(called.arguments) if argument is read), None)
        if read is None:
            operands.append(None)
        else:
            operands.append(given[place].operand(_width(read), family) if place is not None else Operand(0, 0))
    text = f"{called.name}({', '.join(value for _, value in called.arguments)})"
    a, b, idesc, mask, *words = operands
    placed = addresses(((name, "", 0) for name in reads.memory), words)
    return Mma(index, text, instruction, a, b, idesc, mask, tensor_memory=placed)


def _place(lines: list[bytes], first: int, head: int, arguments: list[str], at: int) -> tuple[int, str] | None:
    """Return the number of a line in the text, and the line."""
    if len(lines) <= at < len(lines) + len(arguments):
        return first + head, _shown(arguments[at - len(lines)].encode())
    if not 0 <= at < len(lines):
        return None
    return first + at, _shown(lines[at])


def _shown(line: bytes) -> str:
    text = line[: 4 * _LONGEST_TEXT].decode("utf-8", "replace").strip().partition(", !")[0]
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."


def _said(line: bytes, why: str) -> str:
    """Return what is said of a line that is not understood."""
    return inline_asm.unread(_shown(line), why)
