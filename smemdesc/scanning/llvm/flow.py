"""The blocks of a function of LLVM IR, and what it does with local variables: code that is not optimized."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from smemdesc.scanning.compiler_ir import POINTER_CASTS, Flow, Use, local_variables
from smemdesc.scanning.llvm.lower import Definitions, Row
from smemdesc.scanning.llvm.text import Call, call, typed
from smemdesc.scanning.lowering import split
from smemdesc.scanning.memory import Locals

_NAME = r"(?:[-\w$.]+|\"[^\"]*\")"
_VALUE = re.compile(rf"%{_NAME}")
_LABEL = re.compile(rf"({_NAME}):")
_AIMS = re.compile(rf"label %({_NAME})")
_ENDS = re.compile(r"\s*(br|switch|ret|unreachable)\b")
_OTHER = re.compile(
    rf"\s*(?:%{_NAME} ?= ?)?(?:tail )?(?:invoke|callbr|indirectbr|resume|cleanupret|catchret|catchswitch)\b"
)
_BRANCH = re.compile(rf"\s*br i1 (%{_NAME}), label %({_NAME}), label %({_NAME})")
_RESULT = re.compile(rf"[ \t]*(?:(%{_NAME}) ?= ?)?")
_WRITING = frozenset(("store", "call", "invoke", "callbr", "atomicrmw", "cmpxchg", "fence", "va_arg"))
_PURE = re.compile(
    r"llvm\.(?:dbg\.|assume|[us](?:min|max)|fsh[lr]|ctpop|ctlz|cttz|nvvm\.(?:read\.ptx\.sreg|elect|shfl))"
)
"""Intrinsics that write no memory."""
_DEBUG = re.compile(r"[ \t]*(?:#dbg_|(?:tail )?call void @llvm\.dbg\.)")
_INTRINSICS = {
    "llvm.lifetime.": "lifetime",
    "llvm.memcpy.": "memcpy",
    "llvm.memmove.": "memcpy",
    "llvm.memset.": "memset",
}


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
    texts = ((at, lines[at].decode("utf-8", "replace")) for at in range(flow.starts[0], len(lines)))
    uses = [_use(flow.block_at(at), at, text, rows, definitions) for at, text in texts if not _DEBUG.match(text)]
    return local_variables(definitions, flow.graph, uses)


def _use(block: int, at: int, line: str, rows: Mapping[str, Row], definitions: Definitions) -> Use:
    """Return what a line does with memory."""
    result = _RESULT.match(line)
    row = Row(at, line[result.end() :] if result else line)
    made = result[1] if result and result[1] and rows[result[1]].text else None
    name, rest = row.parts()
    use = Use(block, at, name, made, _VALUE.findall(row.text), name in _WRITING)
    if name == "call" and (found := call(row.text)) is not None and found.name.startswith("llvm."):
        return _called(use, found, definitions)
    if rest.startswith(("atomic ", "volatile ")):
        return use._replace(name="")
    if name in POINTER_CASTS:
        return use._replace(of=typed(rest)[1].partition(" ")[0])
    parts = split(rest) if name in ("getelementptr", "load", "store") else []
    if len(parts) < 2:
        return use
    kind, data = typed(parts[0])
    return use._replace(of=typed(parts[1])[1], kind=kind, data=definitions.operand(kind, data))


def _called(use: Use, found: Call, definitions: Definitions) -> Use:
    """Return what an intrinsic does with memory."""
    name = next((name for start, name in _INTRINSICS.items() if found.name.startswith(start)), "")
    use = use._replace(name=name, writes=_PURE.match(found.name) is None)
    if name == "lifetime":
        return use._replace(of=found.arguments[-1][1])
    if not name or len(found.arguments) != 4:
        return use
    (_, to), second, (_, size), (_, volatile) = found.arguments
    use = use._replace(of=to, size=int(size) if size.isdecimal() and volatile == "false" else 0)
    return use._replace(source=second[1]) if name == "memcpy" else use._replace(data=definitions.operand(*second))
