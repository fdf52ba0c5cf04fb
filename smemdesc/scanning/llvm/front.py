"""One function of LLVM IR: what its tensor-core instructions are given."""

from __future__ import annotations

import re

from smemdesc.scanning import compiler_ir, inline_asm
from smemdesc.scanning.compiler_ir import Called, short
from smemdesc.scanning.inline_asm import InlineAsm
from smemdesc.scanning.llvm.flow import flow, memory
from smemdesc.scanning.llvm.lower import Definitions, Row
from smemdesc.scanning.llvm.mma import understand
from smemdesc.scanning.llvm.module import EMPTY, Module
from smemdesc.scanning.llvm.text import Call, call, closing, split
from smemdesc.scanning.model import Function

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
    definitions = Definitions(rows, places, around)
    calls = [_called(index, each, definitions) for index, each in found]
    odd = len(wrong) + sum(not _UNDERSTOOD.match(line) for line in lines)
    if not odd:
        definitions.flow = blocks = flow(lines, rows, definitions)
        if blocks is not None and _STACK.search(text):
            definitions.memory = memory(lines, rows, definitions, blocks)

    def shown(at: int) -> tuple[int, str] | None:
        if len(lines) <= at < len(lines) + len(said):
            return head, [*said.values()][at - len(lines)]
        return (at, _shown(lines[at])) if 0 <= at < len(lines) else None

    def source(at: int) -> tuple[str, int] | None:
        location = _LOCATION.search(lines[at], max(0, len(lines[at]) - _LONGEST_TEXT))
        return around.places.get(int(location[1])) if location else None

    unread = tuple((first + index, inline_asm.unread(short(_shown(lines[index])), why)) for index, why in wrong)
    function = Function(name, first, "LLVM IR", (), odd, unread=unread)
    return compiler_ir.analyse(function, arch, calls, definitions, shown, source)


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


def _called(index: int, called: Call, definitions: Definitions) -> Called | InlineAsm:
    """Return a call that is an MMA, or holds some."""
    if called.asm:
        return definitions.inline(index, called)
    understood = understand(called)
    assert isinstance(understood, tuple)
    text = f"{called.name}({', '.join(value for _, value in called.arguments)})"
    return Called(index, text, *understood, lambda argument: definitions.operand(*argument))


def _shown(line: bytes) -> str:
    return line[: 4 * _LONGEST_TEXT].decode("utf-8", "replace").strip().partition(", !")[0]
