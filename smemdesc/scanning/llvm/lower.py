"""What each instruction of LLVM IR makes of its operands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import compiler_ir, ir, known
from smemdesc.scanning.aggregates import Insertion, Path
from smemdesc.scanning.compiler_ir import Element, Way
from smemdesc.scanning.fixpoint import Definition
from smemdesc.scanning.inline_asm import Argument, InlineAsm
from smemdesc.scanning.ir import IN
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.llvm.text import Call, Module, call, constant, typed
from smemdesc.scanning.lowering import CASTS, WIDEST, at_most, lanes_of, lower, offset, split, width_of

if TYPE_CHECKING:
    from smemdesc.scanning.llvm.flow import Lines

_FLAGS = r"(?:(?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*"
_OPERATION = re.compile(r"(?:(?:tail|musttail|notail) )?([a-z]+) " + _FLAGS + r"(?:inrange\(-?\d+, -?\d+\) )?")
_METADATA = re.compile(r", ![a-zA-Z_.]+ ![^,]*")
_INCOMING = re.compile(r"\[ *+([^\[\]]*), *+%([-\w.$]+|\"[^\"]*\") *\]")
_INDEX = re.compile(r"\d{1,9}$")
_INTRINSIC = re.compile(r"llvm\.(\w+)\.(i\d{1,3})$")
_TYPED = frozenset(("select", "extractelement", "insertelement"))
"""The instructions whose operands have a type each: those of others have that of the first."""


class Row(NamedTuple):
    """An instruction that defines a value."""

    at: int
    text: str
    """What follows ``%name = ``."""

    def parts(self) -> tuple[str, str]:
        """Return the name of the instruction, and its operands."""
        found = _OPERATION.match(self.text)
        if found is None:
            return "", ""
        rest = self.text[found.end() :]
        # Metadata stands behind the operands.
        return found[1], _METADATA.sub("", rest) if "!" in rest and found[1] != "call" else rest


class Definitions(compiler_ir.Definitions):
    """The instructions of a function by the names that they define."""

    flow: Lines | None

    def __init__(self, rows: Mapping[str, Row], arguments: Mapping[str, int], module: Module) -> None:
        """``arguments``: where each of the function stands."""
        super().__init__()
        self._rows = rows
        self._arguments = arguments
        self._module = module
        self._inline: dict[int, InlineAsm] = {}
        """The inline PTX, by where its call stands."""

    def at(self, value: str) -> int | None:
        """Return where a value is made (a line); None for one of which nothing is known."""
        row = self._rows.get(value)
        return self._arguments.get(value) if row is None else row.at

    def made(self, value: str) -> Definition | None:
        """Return how a value that is no merge follows from others; None: nothing is known of it."""
        row = self._rows.get(value)
        name, rest = ("", "") if row is None else row.parts()
        if row is None or not name:
            return None
        if name == "call":
            return self._call(row)
        how, _, rest = rest.partition(" ") if name == "icmp" else ("", "", rest)
        rest, _, to = rest.rpartition(" to ") if name in CASTS else (rest, "", "")
        parts = split(rest)
        kind, first = typed(parts[0]) if parts else ("", "")
        if name == "getelementptr":
            return self._offset(row.at, parts)
        if name == "shufflevector":
            return self._shuffle(row.at, parts)
        if name == "extractvalue":
            path = _path(parts[1:])
            return Definition(row.at, (Element(first, path),), IN[0]) if path and first.startswith("%") else None
        others = [typed(part) if name in _TYPED else (kind, part) for part in parts[1:]]
        reads = tuple([self.operand(*each) for each in ((kind, first), *others)])
        return lower(row.at, name, kind, reads, to, how)

    def incoming(self, value: str) -> list[Way] | None:
        """Return what comes together in a phi; None of any other value, and where that is not whole."""
        row = self._rows.get(value)
        if row is None or not row.text.startswith("phi "):
            return None
        rest = row.parts()[1]
        kind = typed(rest)[0]
        found, flow = [], self.flow
        for part in split(rest[rest.find(kind) + len(kind) :].strip()) if kind else ():
            pair = _INCOMING.fullmatch(part)
            if not pair:
                return None
            block = -1 if flow is None else flow.number.get(pair[2], 0)
            held = {} if flow is None else flow.edge(block, flow.block_at(row.at))
            found.append(Way(block, self.operand(kind, pair[1].strip()), held))
        return found or None

    def insertion(self, value: str) -> Insertion | None:
        """Return the insertion that makes an aggregate."""
        row = self._rows.get(value)
        name, rest = ("", "") if row is None else row.parts()
        parts = split(rest) if name == "insertvalue" else []
        path = _path(parts[2:])
        if not path:
            return None
        into = typed(parts[0])[1]
        return Insertion(into if into.startswith("%") else None, path, self.operand(*typed(parts[1])))

    def part(self, value: str, path: Path) -> Definition | None:
        """Return how a part of what is neither inserted nor merged follows from others."""
        row = self._rows.get(value)
        name, rest = ("", "") if row is None else row.parts()
        if row is not None and name == "call":
            return self._call(row, path)
        whole = typed(rest)[1]
        return (
            Definition(row.at, (Element(whole, path),), IN[0])
            if row and name == "freeze" and whole[:1] == "%"
            else None
        )

    def operand(self, kind: str, text: str) -> Any:
        """Return the name, or the value of a constant."""
        if text.startswith("%"):
            return text
        return constant(kind, text, self._module.aligned)

    def _offset(self, at: int, parts: Sequence[str]) -> Definition | None:
        """Read a getelementptr."""
        (kind, base), *indices = [typed(part) for part in parts[1:]] or [("", "")]
        counts = [(each, text, self.operand(each, text)) for each, text in indices]
        return offset(at, self.operand(kind, base), parts[0], counts, self._module.types)

    def _shuffle(self, at: int, parts: Sequence[str]) -> Definition | None:
        if len(parts) != 3:
            return None
        (kind, first), (_, second), (mask_kind, mask) = (typed(part) for part in parts)
        lanes, made = lanes_of(kind), lanes_of(mask_kind)
        if lanes is None or made is None or made[0] * lanes[1] > WIDEST or made[1] != 32:
            return None
        indices = constant(mask_kind, mask, {})
        count, width = lanes
        elements: list[Any] = [UNKNOWN] * made[0]
        for place in range(made[0]):
            index, whole = known.field(indices, 32 * place, 32)[:2]
            if whole == ones(32) and index < 2 * count:
                elements[place] = ir.FIELD(IN[index >= count], index % count * width, width)
        reads = self.operand(kind, first), self.operand(kind, second)
        return Definition(at, reads, ir.CONCAT(*elements, width))

    def inline(self, at: int, called: Call) -> InlineAsm:
        """Return the inline PTX of a call."""
        made = self._inline.get(at)
        if made is None:
            arguments = [
                Argument(text, UNKNOWN, 0) if (width := width_of(kind)) is None
                else Argument(text, self.operand(kind, text), width)
                for kind, text in called.arguments
            ]  # fmt: skip
            made = self._inline[at] = InlineAsm(called.asm, called.constraints, arguments, at, at)
        return made

    def _call(self, row: Row, path: Path = ()) -> Definition | None:
        made = self._inline.get(row.at)
        called = call(row.text) if made is None else None
        if called is not None and called.asm:
            made = self.inline(row.at, called)
        if made is not None:
            return made.result(path)
        if called is None or path not in ((), (0,)):
            return None
        values = tuple([self.operand(*argument) for argument in called.arguments])
        found = _INTRINSIC.match(called.name)
        name, kind = (found[1], found[2]) if found else (called.name.removeprefix("llvm."), "")
        made_of = lower(row.at, name, kind, values) if called.name.startswith("llvm.") else None
        if made_of is None and called.limit:
            return Definition(row.at, (), at_most(called.limit - 1, 32))
        return made_of


def _path(indices: Sequence[str]) -> Path:
    """Return the indices of a part of an aggregate; none where they are no numbers."""
    return tuple(map(int, indices)) if all(_INDEX.match(each) for each in indices) else ()
