"""The blocks of a function of LLVM IR, and what it keeps in local variables (``alloca``): code that is not optimized.

A pointer is followed from where the variable is made through getelementptr and casts. Where it goes anywhere else than
to a load, a store or an intrinsic that is known, the variable has escaped: every call and every store through a pointer
that is not followed may write it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from smemdesc.scanning.compiler_ir import Flow
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.llvm.lower import Definitions, Row
from smemdesc.scanning.llvm.text import call, size_of, split, typed, width_of
from smemdesc.scanning.memory import Access, Copy, Forget, Locals, Pointer

_NAME = r"(?:[-\w$.]+|\"[^\"]*\")"
_VALUE = re.compile(rf"%{_NAME}")
_LABEL = re.compile(rf"({_NAME}):")
_AIMS = re.compile(rf"label %({_NAME})")
_ENDS = re.compile(r"\s*(br|switch|ret|unreachable)\b")
_OTHER = re.compile(
    rf"\s*(?:%{_NAME} ?= ?)?(?:tail )?(?:invoke|callbr|indirectbr|resume|cleanupret|catchret|catchswitch)\b"
)
_BRANCH = re.compile(rf"\s*br i1 (%{_NAME}), label %({_NAME}), label %({_NAME})")
_MADE = re.compile(r"alloca |getelementptr |addrspacecast |bitcast ")
_MOVED = re.compile(r"(?:addrspacecast|bitcast) (ptr[^,%]*%(?:[-\w.$]+|\"[^\"]*\")) to ptr")
_ACCESS = re.compile(r"[ \t]*(?:(%(?:[-\w.$]+|\"[^\"]*\")) ?= ?)?(load|store) (?!atomic|volatile)")
_WRITES = re.compile(
    r"[ \t]*(?:%(?:[-\w.$]+|\"[^\"]*\") ?= ?)?"
    r"(?:store|(?:(?:tail|musttail|notail) )?call|invoke|callbr|atomicrmw|cmpxchg|fence|va_arg)\b"
)
_PURE = re.compile(
    r"llvm\.(?:dbg\.|assume|[us](?:min|max)|fsh[lr]|ctpop|ctlz|cttz|nvvm\.(?:read\.ptx\.sreg|elect|shfl))"
)
"""Intrinsics that write no memory."""
_DEBUG = re.compile(r"[ \t]*(?:#dbg_|(?:tail )?call void @llvm\.dbg\.)")
_LIFE, _COPIES, _SETS = "llvm.lifetime.", ("llvm.memcpy.", "llvm.memmove."), "llvm.memset."
_BYTE = re.compile(r"-?\d{1,3}$")
_POINTER = 8
"""Bytes of a pointer; of one that has fewer (into shared memory, perhaps) too much is taken to be stored."""


class Lines(Flow):
    """The blocks of a function, by the lines in which they begin."""

    definitions: Definitions

    def __init__(
        self,
        rows: Mapping[str, Row],
        definitions: Definitions,
        starts: Sequence[int],
        number: Mapping[str, int],
        aims: Sequence[Sequence[str]],
        tests: Mapping[int, tuple[str, str, str]],
    ) -> None:
        """``number`` is that of each label; ``aims`` and ``tests`` name where each block leads to."""
        self._rows = rows
        self.starts = starts
        self.number = number
        self._phis: dict[int, list[str]] = {}
        for name, row in rows.items():
            if row.text.startswith("phi "):
                self._phis.setdefault(self.block_at(row.at), []).append(name)
        following = [list(dict.fromkeys(number[each] for each in aimed)) for aimed in aims]
        tested = {at: (name, number[to], number[other]) for at, (name, to, other) in tests.items()}
        super().__init__(definitions, following, tested)

    def block_at(self, at: int) -> int:
        """Return the block of a line."""
        return bisect_right(self.starts, at) - 1

    def block_of(self, value: Any) -> int | None:
        """Return the block in which a value, or what is in a line, stands: -1 for none, None: in several places."""
        if isinstance(value, int):
            return self.block_at(value)
        row = self._rows.get(value)
        return -1 if row is None else self.block_at(row.at) if row.text else None

    def merging(self, block: int) -> Sequence[str]:
        """Return the phis of a block."""
        return self._phis.get(block, ())


def flow(lines: Sequence[bytes], rows: Mapping[str, Row], definitions: Definitions) -> Lines | None:
    """Cut a function into blocks; None where not all of it is understood."""
    first = next((at for at, line in enumerate(lines) if line.startswith(b"define ")), len(lines))
    first = next((at for at in range(first, len(lines)) if lines[at].rstrip().endswith(b"{")), len(lines))
    starts: list[int] = []
    number: dict[str, int] = {}
    aims: list[list[str]] = []
    tests: dict[int, tuple[str, str, str]] = {}
    ended = True
    for at in range(first + 1, len(lines)):
        line = lines[at].decode("utf-8", "replace")
        if not line or line.isspace():
            continue
        label = _LABEL.match(line)
        if label or not aims:
            name = label[1] if label else ""
            if not ended or name in number:
                return None
            number[name] = len(aims)
            starts.append(at)
            aims.append([])
            ended = False
            if label:
                continue
        if line.startswith("}"):
            break
        if ended:
            # The cases of a switch; else nothing stands behind what ends a block.
            aims[-1] += _AIMS.findall(line)
            continue
        if _OTHER.match(line):
            return None
        if _ENDS.match(line):
            ended = True
            aims[-1] += _AIMS.findall(line)
            branch = _BRANCH.match(line)
            if branch:
                tests[len(aims) - 1] = (branch[1], branch[2], branch[3])
    if not ended or not aims or any(each not in number for aimed in aims for each in aimed):
        return None
    return Lines(rows, definitions, starts, number, aims, tests)


def memory(lines: Sequence[bytes], rows: Mapping[str, Row], definitions: Definitions, flow: Lines) -> Locals | None:
    """Return what a function keeps in its local variables; None where it has none, or not all of it is understood."""
    if not any(row.text.startswith("alloca ") for row in rows.values()):
        return None
    reader = _Reader(rows, definitions, Locals(flow.graph))
    for at in range(flow.starts[0], len(lines)):
        reader.read(flow.block_at(at), at, lines[at].decode("utf-8", "replace"))
    return reader.locals.finish()


class _Reader:
    def __init__(self, rows: Mapping[str, Row], definitions: Definitions, made: Locals) -> None:
        self.definitions = definitions
        self.locals = made
        self.pointers: dict[str, Pointer] = {}
        for name, row in rows.items():
            if _MADE.match(row.text):
                pointer = self._made(name, row)
                if pointer is not None:
                    self.pointers[name] = pointer

    def _made(self, name: str, row: Row) -> Pointer | None:
        """Return the address that an instruction makes."""
        if row.text.startswith("alloca "):
            return Pointer(name)
        moved = _MOVED.match(row.text)
        if moved:
            return self.pointers.get(typed(moved[1])[1])
        of = self.pointers.get(typed(split(row.text)[1])[1]) if row.text.startswith("getelementptr ") else None
        return None if of is None else self.locals.move(name, of, self.definitions.define(name))

    def read(self, block: int, at: int, line: str) -> None:
        """Tell what a line does."""
        named = [name for name in _VALUE.findall(line) if name in self.pointers]
        made = line.partition("=")[0].strip()
        if made in self.pointers or _DEBUG.match(line):
            return
        access = _ACCESS.match(line)
        handled = self._access(block, at, line, access) if access else self._called(block, at, line)
        for each in handled:
            named.remove(each)
        self.locals.escaped.update(self.pointers[name].space for name in named)
        if not handled and _WRITES.match(line) and not _PURE.match(line.partition("@")[2]):
            self.locals.tell(block, at, Forget())

    def _access(self, block: int, at: int, line: str, found: re.Match[str]) -> tuple[str, ...]:
        """Tell of a load or store; return the pointers that it uses and does not hand on."""
        loads = found[2] == "load"
        parts = split(line[found.end() :])
        name = typed(parts[1])[1] if len(parts) > 1 else ""
        to = self.pointers.get(name)
        if to is None:
            return ()
        kind, value = (parts[0], "") if loads else typed(parts[0])
        width = width_of(kind) or 0
        size = width // 8 if width % 8 == 0 else 0
        if not width or (kind.startswith("ptr") and not loads):
            size = size_of(kind) or 0 if not width else _POINTER
        data = found[1] if loads else self.definitions.operand(kind, value) if width else UNKNOWN
        if size and (width or not loads):
            self.locals.tell(block, at, Access(loads, to.space, to.offset, size, (data,), width, near=to.near))
        elif not loads:
            self.locals.tell(block, at, Forget(to.space))
        return (name,)

    def _called(self, block: int, at: int, line: str) -> tuple[str, ...]:
        """Tell of an intrinsic that is known; return the pointers that it uses."""
        found = call(line) if "@llvm." in line and "call " in line else None
        if found is None or not found.name.startswith((_LIFE, *_COPIES, _SETS)):
            return ()
        names = tuple(value for kind, value in found.arguments if kind.startswith("ptr"))
        to = self.pointers.get(names[0]) if names else None
        if to is None:
            return ()
        of = self.pointers.get(names[1]) if len(names) == 2 else None
        *_, byte, size, volatile = ("", "", *(value for _, value in found.arguments))
        plain = size.isdecimal() and volatile == "false" and not to.near
        if plain and found.name.startswith(_SETS) and _BYTE.match(byte):
            self.locals.tell(block, at, Copy(to.space, to.offset, int(size), None, int(byte) & 0xFF))
        elif plain and found.name.startswith(_COPIES) and of is not None and not of.near:
            self.locals.tell(block, at, Copy(to.space, to.offset, int(size), of.space, of.offset))
        else:
            self.locals.tell(block, at, Forget(to.space))
        return tuple(name for name in names if name in self.pointers)
