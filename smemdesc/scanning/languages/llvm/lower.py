"""A function of LLVM IR: the meaning of its instructions, its blocks, and its local variables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.brackets import split
from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import IN
from smemdesc.scanning.analysis.memory import Locals
from smemdesc.scanning.languages import compiler_ir
from smemdesc.scanning.languages.compiler_ir import (
    POINTER_CASTS,
    AggregateElement,
    Flow,
    Insertion,
    MemoryUse,
    MergeInput,
    Path,
    local_variables,
)
from smemdesc.scanning.languages.inline_asm import Argument, InlineAsm
from smemdesc.scanning.languages.llvm.text import LlvmCall, LlvmModule, call, constant_bits, type_and_value
from smemdesc.scanning.languages.lowering import (
    CASTS,
    INTEGER_BITS,
    OUTSIDE,
    POINTER,
    lanes_of,
    lower_operation,
    number_at_most,
    offset,
    width_of,
)
from smemdesc.scanning.languages.ptx.text import is_special
from smemdesc.scanning.model.causes import ARGUMENT, CALL, MEMORY, SPECIAL

_NAME = r"(?:[-\w$.]+|\"[^\"]*\")"
_VALUE = re.compile(rf"%{_NAME}")
_LABEL = re.compile(rf"({_NAME}):")
_AIMS = re.compile(rf"label %({_NAME})")
_BRANCH = re.compile(rf"i1 (%{_NAME}), label %({_NAME}), label %({_NAME})")
_ENDS = frozenset(("br", "switch", "ret", "unreachable"))
_OTHER_ENDS = frozenset(("invoke", "callbr", "indirectbr", "resume", "cleanupret", "catchret", "catchswitch"))
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
_FLAGS = r"(?:(?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*"
_ROW = re.compile(
    rf"[ \t]*(?:(%{_NAME}) ?= ?)?(?:(?:tail|musttail|notail) )?([a-z_]++)\b ?+{_FLAGS}(?:inrange\(-?\d+, -?\d+\) )?"
)
_MADE = re.compile(rf"[ \t]*(%{_NAME}) ?=")
_METADATA = re.compile(r", ![a-zA-Z_.]+ ![^,]*")
_INCOMING = re.compile(r"\[ *+([^\[\]]*), *+%([-\w.$]+|\"[^\"]*\") *\]")
_INDEX = re.compile(r"\d{1,9}$")
_INTRINSIC = re.compile(r"llvm\.(\w+)\.(i\d{1,3})$")
_TYPED = frozenset(("select", "extractelement", "insertelement"))
"""The instructions whose operands each name a type; in others the first one's type holds for all."""


class LlvmLine(NamedTuple):
    """A line, with an instruction unless ``name`` is empty."""

    at: int
    text: str
    result: str = ""
    """The value that it defines, if any."""
    name: str = ""
    rest: str = ""
    """Its operands, or all the text after ``call``."""


def read_line(at: int, text: str) -> LlvmLine:
    """Parse a line."""
    row = _ROW.match(text)
    if row is None:
        definition = _MADE.match(text)
        return LlvmLine(at, text, definition[1] if definition else "")
    rest = text[row.end() :]
    if "!" in rest and row[2] != "call":
        rest = _METADATA.sub("", rest)  # it follows the operands
    return LlvmLine(at, text, row[1] or "", row[2], rest)


def cause(row: LlvmLine) -> str | None:
    """Return which source outside the text a line takes its result from; None if it could be known."""
    if row.name == "call":
        called = call(row.rest)
        if called is None:
            return None
        first = called.asm.replace(",", " ").split()[:3]
        special = called.name.startswith("llvm.nvvm.read.ptx.sreg.") or (
            first[1:2] == ["$0"] and first[0].startswith("mov.") and is_special(first[-1].rstrip(";"))
        )
        computed = row.result and (called.asm or called.name.startswith("llvm."))  # else it writes memory
        return SPECIAL if special else None if computed else CALL
    loads = row.name == "load" and any(type_and_value(part)[0] in OUTSIDE for part in split(row.rest)[1:2])
    return MEMORY if loads or row.name in ("atomicrmw", "cmpxchg") else None


_ADDRESS = re.compile(r"@(?:[-\w.$]+|\"[^\"]*\")")
_LINEAR = frozenset(
    ("ptr", "addrspace", "x", "to", "inbounds", "inrange", "nuw", "nusw", "nsw", "getelementptr", "add", *CASTS)
)
"""What may be written around the address of a variable in a constant that is the address plus a number."""


def symbol(row: LlvmLine) -> tuple[str, int] | None:
    """Return the variable whose address a line reads as a constant, and the number added to it; None if there is not
    one."""
    names = _ADDRESS.findall(row.rest)
    if len(names) != 1 or row.name == "call":
        return None
    rest = row.rest.rpartition(" to ")[0] if row.name in CASTS else row.rest
    kind, text = next(type_and_value(part) for part in split(rest) if names[0] in part)
    return symbol_in(text, kind or "i64")


def symbol_in(text: str, kind: str = "i64") -> tuple[str, int] | None:
    """Return the variable whose address a constant is, and the number added to it; None if it is none."""
    names = _ADDRESS.findall(text)
    if len(names) != 1 or not _LINEAR.issuperset(word for word in _WORD.findall(text) if not _INTEGER.fullmatch(word)):
        return None
    # Its value if the address of the variable is 0.
    plus = constant_bits(kind, text, {names[0]: 1 << POINTER})
    return (names[0], plus[0]) if plus[1] & ones(POINTER) == ones(POINTER) else None


_WORD = re.compile(r"(?<![@\w.$-])[a-z]\w*")
_INTEGER = re.compile(r"i\d+")


class LlvmDefinitions(compiler_ir.Definitions):
    """The instructions of a function by the names of their results."""

    flow: LlvmBlocks | None

    def __init__(self, rows: Sequence[LlvmLine], arguments: Mapping[str, int], module: LlvmModule) -> None:
        """``arguments``: the line number given to each argument of the function."""
        super().__init__()
        self._lines = rows
        self.rows: dict[str, LlvmLine] = {}
        for row in rows:
            if row.result:
                # No name is defined twice in one function: a text that does so has several.
                again = row.result in self.rows
                self.renamed |= again
                self.rows[row.result] = LlvmLine(row.at, row.text) if again else row
        self._arguments = arguments
        self._module = module
        self._inline: dict[int, InlineAsm] = {}
        """The inline PTX, by the line of its call."""

    def at(self, value: str) -> int | None:
        """Return the line that defines a value; None if unknown."""
        row = self.rows.get(value)
        return self._arguments.get(value) if row is None else row.at

    def cause(self, at: int) -> str | None:
        """Return which source outside the text a line, or an argument, takes its result from."""
        return ARGUMENT if at >= len(self._lines) else cause(self._lines[at])

    def symbol(self, at: int) -> tuple[str, int] | None:
        """Return the variable whose address a line reads as a constant, and the number added to it."""
        return None if at >= len(self._lines) else symbol(self._lines[at])

    def definition_of(self, value: str) -> Definition | None:
        """Return how a value that is not a merge follows from others; None if unknown."""
        row = self.rows.get(value)
        if row is None or not row.name:
            return None
        name, rest = row.name, row.rest
        if name == "call":
            return self._call(row)
        how, _, rest = rest.partition(" ") if name == "icmp" else ("", "", rest)
        rest, _, to = rest.rpartition(" to ") if name in CASTS else (rest, "", "")
        parts = split(rest)
        kind, first = type_and_value(parts[0]) if parts else ("", "")
        if name == "getelementptr":
            return self._offset(row.at, parts)
        if name == "shufflevector":
            return self._shuffle(row.at, parts)
        if name == "extractvalue":
            path = _path(parts[1:])
            return (
                Definition(row.at, (AggregateElement(first, path),), IN[0]) if path and first.startswith("%") else None
            )
        others = [type_and_value(part) if name in _TYPED else (kind, part) for part in parts[1:]]
        reads = tuple([self.operand(*operand) for operand in ((kind, first), *others)])
        return lower_operation(row.at, name, kind, reads, to, how)

    def incoming(self, value: str) -> list[MergeInput] | None:
        """Return the incoming values of a phi; None for any other value, and if the phi is incomplete."""
        row = self.rows.get(value)
        if row is None or row.name != "phi":
            return None
        rest, kind = row.rest, type_and_value(row.rest)[0]
        inputs, flow = [], self.flow
        for part in split(rest[rest.find(kind) + len(kind) :].strip()) if kind else ():
            pair = _INCOMING.fullmatch(part)
            if not pair:
                return None
            block = -1 if flow is None else flow.number.get(pair[2], 0)
            predicates = {} if flow is None else flow.edge(block, flow.block_at(row.at))
            inputs.append(MergeInput(block, self.operand(kind, pair[1].strip()), predicates))
        return inputs or None

    def insertion(self, value: str) -> Insertion | None:
        """Return the insertion whose result is an aggregate."""
        row = self.rows.get(value)
        parts = split(row.rest) if row is not None and row.name == "insertvalue" else []
        path = _path(parts[2:])
        if not path:
            return None
        into = type_and_value(parts[0])[1]
        return Insertion(into if into.startswith("%") else None, path, self.operand(*type_and_value(parts[1])))

    def part(self, value: str, path: Path) -> Definition | None:
        """Return how a part of a value that is neither an insertion nor a merge follows from others."""
        row = self.rows.get(value)
        if row is not None and row.name == "call":
            return self._call(row, path)
        whole = type_and_value(row.rest)[1] if row is not None and row.name == "freeze" else ""
        return Definition(row.at, (AggregateElement(whole, path),), IN[0]) if row and whole.startswith("%") else None

    def operand(self, kind: str, text: str) -> Any:
        """Return the name of an operand, or the value of a constant."""
        if text.startswith("%"):
            return text
        return constant_bits(kind, text, self._module.aligned)

    def _offset(self, at: int, parts: Sequence[str]) -> Definition | None:
        """Read a getelementptr."""
        (kind, base), *indices = [type_and_value(part) for part in parts[1:]] or [("", "")]
        counts = [(index_type, text, self.operand(index_type, text)) for index_type, text in indices]
        return offset(at, self.operand(kind, base), parts[0], counts, self._module.types)

    def _shuffle(self, at: int, parts: Sequence[str]) -> Definition | None:
        if len(parts) != 3:
            return None
        (kind, first), (_, second), (mask_kind, mask) = (type_and_value(part) for part in parts)
        lanes, result = lanes_of(kind), lanes_of(mask_kind)
        if lanes is None or result is None or result[0] * lanes[1] > INTEGER_BITS or result[1] != 32:
            return None
        indices = constant_bits(mask_kind, mask, {})
        count, width = lanes
        elements: list[Any] = [UNKNOWN] * result[0]
        for place in range(result[0]):
            index, whole = known.bit_field(indices, 32 * place, 32)[:2]
            if whole == ones(32) and index < 2 * count:
                elements[place] = ir.FIELD(IN[index >= count], index % count * width, width)
        reads = self.operand(kind, first), self.operand(kind, second)
        return Definition(at, reads, ir.CONCAT(*elements, width))

    def inline(self, at: int, called: LlvmCall) -> InlineAsm:
        """Return the inline PTX of a call."""
        asm = self._inline.get(at)
        if asm is None:
            arguments = [
                Argument(text, UNKNOWN, 0) if (width := width_of(kind)) is None
                else Argument(text, self.operand(kind, text), width)
                for kind, text in called.arguments
            ]  # fmt: skip
            asm = self._inline[at] = InlineAsm(called.asm, called.constraints, arguments, at, at)
        return asm

    def _call(self, row: LlvmLine, path: Path = ()) -> Definition | None:
        asm = self._inline.get(row.at)
        called = call(row.rest) if asm is None else None
        if called is not None and called.asm:
            asm = self.inline(row.at, called)
        if asm is not None:
            return asm.result(path)
        if called is None or path not in ((), (0,)):
            return None
        values = tuple([self.operand(*argument) for argument in called.arguments])
        intrinsic = _INTRINSIC.match(called.name)
        name, kind = (intrinsic[1], intrinsic[2]) if intrinsic else (called.name.removeprefix("llvm."), "")
        most = called.limit - 1 if called.limit else ones(32)
        made_of = lower_operation(row.at, name, kind, values, most=most) if called.name.startswith("llvm.") else None
        return Definition(row.at, (), number_at_most(most, 32)) if made_of is None and called.limit else made_of


def _path(indices: Sequence[str]) -> Path:
    """Return the indices of a part of an aggregate; empty if they are not numbers."""
    return tuple(map(int, indices)) if all(_INDEX.match(index) for index in indices) else ()


# ---- blocks and local variables ----


class LlvmBlocks(Flow):
    """The blocks of a function, by the lines at which they begin."""

    definitions: LlvmDefinitions

    def __init__(
        self,
        definitions: LlvmDefinitions,
        starts: Sequence[int],
        number: Mapping[str, int],
        aims: Sequence[Sequence[str]],
        tests: Mapping[int, tuple[str, str, str]],
    ) -> None:
        """``number``: the block of each label; ``aims`` and ``tests`` name the labels that each block branches to."""
        self.starts = starts
        self.number = number
        self._phis: dict[int, list[str]] = {}
        for name, row in definitions.rows.items():
            if row.name == "phi":
                self._phis.setdefault(self.block_at(row.at), []).append(name)
        following = [list(dict.fromkeys(number[label] for label in aimed)) for aimed in aims]
        tested = {at: (name, number[to], number[otherwise]) for at, (name, to, otherwise) in tests.items()}
        super().__init__(definitions, following, tested)

    def block_at(self, at: int) -> int:
        """Return the block of a line."""
        return bisect_right(self.starts, at) - 1

    def block_of(self, value: Any) -> int | None:
        """Return the block of a value, or of a line: -1 for none, None if the value has several."""
        if isinstance(value, int):
            return self.block_at(value)
        row = self.definitions.rows.get(value)
        return -1 if row is None else self.block_at(row.at) if row.name else None

    def merging(self, block: int) -> Sequence[str]:
        """Return the phis of a block."""
        return self._phis.get(block, ())


def flow(rows: Sequence[LlvmLine], definitions: LlvmDefinitions) -> LlvmBlocks | None:
    """Split a function into blocks; None if not all of it is understood."""
    head = next((row.at for row in rows if row.name == "define"), len(rows))
    head = next((row.at for row in rows[head:] if row.text.rstrip().endswith("{")), len(rows))
    starts: list[int] = []
    number: dict[str, int] = {}
    aims: list[list[str]] = []
    tests: dict[int, tuple[str, str, str]] = {}
    ended = True
    for row in rows[head + 1 :]:
        if not row.text or row.text.isspace():
            continue
        label = _LABEL.match(row.text)
        if label or not aims:
            name = label[1] if label else ""
            if not ended or name in number:
                return None
            number[name] = len(aims)
            starts.append(row.at)
            aims.append([])
            ended = False
            if label:
                continue
        if row.text.startswith("}"):
            break
        if ended:
            # The cases of a switch; otherwise nothing follows a terminator.
            aims[-1] += _AIMS.findall(row.text)
        elif row.name in _OTHER_ENDS:
            return None
        elif row.name in _ENDS:
            ended = True
            aims[-1] += _AIMS.findall(row.text)
            branch = _BRANCH.match(row.rest)
            if row.name == "br" and branch:
                tests[len(aims) - 1] = (branch[1], branch[2], branch[3])
    if not ended or not aims or any(label not in number for aimed in aims for label in aimed):
        return None
    return LlvmBlocks(definitions, starts, number, aims, tests)


def llvm_memory(rows: Sequence[LlvmLine], definitions: LlvmDefinitions, flow: LlvmBlocks) -> Locals | None:
    """Return what a function keeps in its local variables; None if it has none, or is not fully understood."""
    if not any(row.name == "alloca" for row in definitions.rows.values()):
        return None
    body = (row for row in rows[flow.starts[0] :] if not _DEBUG.match(row.text))
    uses = [_use(flow.block_at(row.at), row, definitions) for row in body]
    return local_variables(definitions, flow.graph, uses)


def _use(block: int, row: LlvmLine, definitions: LlvmDefinitions) -> MemoryUse:
    """Return what a line does with memory."""
    name, rest = row.name, row.rest
    value = row.result if row.result and definitions.rows[row.result].name else None
    use = MemoryUse(block, row.at, name, value, _VALUE.findall(row.text), name in _WRITING)
    if name == "call" and (called := call(rest)) is not None and called.name.startswith("llvm."):
        return _called(use, called, definitions)
    if rest.startswith(("atomic ", "volatile ")):
        return use._replace(name="")
    if name in POINTER_CASTS:
        return use._replace(of=type_and_value(rest)[1].partition(" ")[0])
    parts = split(rest) if name in ("getelementptr", "load", "store") else []
    if len(parts) < 2:
        return use
    kind, data = type_and_value(parts[0])
    return use._replace(of=type_and_value(parts[1])[1], kind=kind, data=definitions.operand(kind, data))


def _called(use: MemoryUse, called: LlvmCall, definitions: LlvmDefinitions) -> MemoryUse:
    """Return what an intrinsic does with memory."""
    name = next((name for start, name in _INTRINSICS.items() if called.name.startswith(start)), "")
    use = use._replace(name=name, writes=_PURE.match(called.name) is None)
    if name == "lifetime" and called.arguments:
        return use._replace(of=called.arguments[-1][1])
    if not name or len(called.arguments) != 4:
        return use
    (_, to), second, (_, size), (_, volatile) = called.arguments
    use = use._replace(of=to, size=int(size) if _INDEX.match(size) and volatile == "false" else 0)
    return use._replace(source=second[1]) if name == "memcpy" else use._replace(data=definitions.operand(*second))
