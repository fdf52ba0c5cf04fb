"""What each instruction of LLVM IR makes of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import compiler_ir, integers, ir, known
from smemdesc.scanning.aggregates import Insertion, Path
from smemdesc.scanning.compiler_ir import Element, Way
from smemdesc.scanning.conditions import choose
from smemdesc.scanning.fixpoint import Definition
from smemdesc.scanning.inline_asm import Argument, InlineAsm
from smemdesc.scanning.ir import IN
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.llvm.module import Module
from smemdesc.scanning.llvm.text import POINTER, Call, call, constant, lanes_of, split, steps, typed, width_of
from smemdesc.scanning.memory import address

if TYPE_CHECKING:
    from smemdesc.scanning.llvm.flow import Lines

_FLAGS = r"(?:(?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*"
_OPERATION = re.compile(r"(?:(?:tail|musttail|notail) )?([a-z]+) " + _FLAGS + r"(?:inrange\(-?\d+, -?\d+\) )?")
_METADATA = re.compile(r", ![a-zA-Z_.]+ ![^,]*")
_INCOMING = re.compile(r"\[ *+([^\[\]]*), *+%([-\w.$]+|\"[^\"]*\") *\]")
_INDEX = re.compile(r"\d{1,9}$")
_INTRINSIC = re.compile(r"llvm\.(?P<name>umin|umax|smin|smax|fshl|fshr|ctpop|ctlz|cttz)\.i(?P<width>\d{1,3})$")
_SHUFFLE = "llvm.nvvm.shfl.sync."
_SPECIAL = "llvm.nvvm.read.ptx.sreg."


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
        special = _SPECIALS.get(name)
        if special is not None:
            return special(self, row.at, rest)
        if name in ("trunc", "zext", "sext"):
            return self._convert(row.at, name, rest)
        return self._binary(row.at, name, rest)

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
        if len(parts) < 3 or not all(_INDEX.match(part) for part in parts[2:]):
            return None
        into = typed(parts[0])[1]
        return Insertion(
            into if into.startswith("%") else None, tuple(int(part) for part in parts[2:]), self._typed(parts[1])[1]
        )

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

    def _typed(self, text: str) -> tuple[str, Any]:
        kind, value = typed(text)
        return kind, self.operand(kind, value) if kind else UNKNOWN

    def _binary(self, at: int, name: str, rest: str) -> Definition | None:
        parts = split(rest)
        if len(parts) != 2:
            return None
        kind, first = typed(parts[0])
        width = width_of(kind)
        if width is None or (kind.startswith("<") and name not in integers.BITWISE):
            return None
        transfer = integers.binary(name, width)
        if transfer is None:
            return None
        return Definition(at, (self.operand(kind, first), self.operand(kind, parts[1])), transfer)

    def _convert(self, at: int, name: str, rest: str) -> Definition | None:
        source, _, to = rest.rpartition(" to ")
        kind, value = self._typed(source)
        width, to_width = width_of(kind), width_of(to)
        if width is None or to_width is None or kind.startswith("<"):
            return None
        return Definition(at, (value,), integers.convert(name, width, to_width))

    def _same(self, at: int, rest: str) -> Definition | None:
        """Read freeze, and bitcast between integers and their vectors."""
        source, arrow, to = rest.rpartition(" to ")
        kind, value = self._typed(source if arrow else rest)
        width = width_of(kind)
        if width is None or (arrow and width_of(to) != width) or (arrow and kind.startswith("ptr")):
            return None
        return Definition(at, (value,), IN[0])

    def _pointer(self, at: int, rest: str) -> Definition | None:
        source, _, to = rest.rpartition(" to ")
        kind, value = self._typed(source)
        width, to_width = width_of(kind), width_of(to)
        if width is None or to_width is None or "<" in kind + to:
            return None
        return Definition(at, (value,), integers.pointer(width, to_width, POINTER))

    def _select(self, at: int, rest: str) -> Definition | None:
        parts = split(rest)
        if len(parts) != 3:
            return None
        (kind, chosen), (_, first), (_, second) = (self._typed(part) for part in parts)
        if kind != "i1":
            return Definition(at, (UNKNOWN, first, second), choose(0))
        return Definition(at, (chosen, first, second), choose(0), selects=True)

    def _compare(self, at: int, rest: str) -> Definition | None:
        name, _, rest = rest.partition(" ")
        parts = split(rest)
        kind, first = typed(parts[0]) if len(parts) == 2 else ("", "")
        width = width_of(kind)
        transfer = integers.compare(name, width) if width is not None and kind.startswith("i") else None
        if transfer is None:
            return None
        reads = (self.operand(kind, first), self.operand(kind, parts[1]))
        return Definition(at, reads, transfer, says=integers.condition(name, width or 0, *reads))

    def _offset(self, at: int, rest: str) -> Definition | None:
        """Read a getelementptr."""
        parts = split(rest)
        if len(parts) < 3:
            return None
        found = steps(parts[0], [typed(part)[1] for part in parts[2:]], self._module.types)
        (kind, base), *indices = (self._typed(part) for part in parts[1:])
        widths = [width_of(index) or 0 for index, _ in indices]
        if found is None or not kind.startswith("ptr") or not all(widths):
            return None
        counts = [
            count if field is None else known.const(field, width)
            for (_, field), (_, count), width in zip(found, indices, widths, strict=True)
        ]
        return Definition(at, (base, *counts), address([scale for scale, _ in found], widths))

    def _extract_element(self, at: int, rest: str) -> Definition | None:
        parts = split(rest)
        kind, vector = self._typed(parts[0]) if len(parts) == 2 else ("", UNKNOWN)
        lanes, index = lanes_of(kind), typed(parts[-1])[1] if parts else ""
        if lanes is None or not _INDEX.match(index) or int(index) >= lanes[0]:
            return None
        return Definition(at, (vector,), integers.element(int(index), lanes[1]))

    def _insert_element(self, at: int, rest: str) -> Definition | None:
        parts = split(rest)
        if len(parts) != 3:
            return None
        (kind, vector), (_, value) = self._typed(parts[0]), self._typed(parts[1])
        lanes, index, width = lanes_of(kind), typed(parts[2])[1], width_of(kind)
        if lanes is None or width is None or not _INDEX.match(index) or int(index) >= lanes[0]:
            return None
        return Definition(at, (vector, value), integers.with_element(int(index), lanes[1], width))

    def _shuffle(self, at: int, rest: str) -> Definition | None:
        parts = split(rest)
        if len(parts) != 3:
            return None
        (kind, first), (_, second), (mask_kind, mask) = self._typed(parts[0]), self._typed(parts[1]), typed(parts[2])
        lanes, made = lanes_of(kind), lanes_of(mask_kind)
        if lanes is None or made is None or made[0] * lanes[1] > integers.WIDEST or made[1] != 32:
            return None
        indices = constant(f"<{made[0]} x i32>", mask, {})
        count, width = lanes

        elements: list[Any] = [UNKNOWN] * made[0]
        for place in range(made[0]):
            index, whole = known.field(indices, 32 * place, 32)[:2]
            if whole == ones(32) and index < 2 * count:
                elements[place] = ir.FIELD(IN[index >= count], index % count * width, width)
        return Definition(at, (first, second), ir.CONCAT(*elements, width))

    def _extract_value(self, at: int, rest: str) -> Definition | None:
        parts = split(rest)
        if len(parts) < 2 or not all(_INDEX.match(part) for part in parts[1:]):
            return None
        _, value = typed(parts[0])
        if not value.startswith("%"):
            return None
        return Definition(at, (Element(value, tuple(int(part) for part in parts[1:])),), IN[0])

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
        values = [self.operand(*argument) for argument in called.arguments]
        if called.name.startswith(_SHUFFLE) and len(values) > 1:
            # Of every thread is known what is known of one.
            return Definition(row.at, (values[1],), ir.CUT(IN[0], 32))
        if called.name.startswith(_SPECIAL):
            limit = integers.THREAD_LIMITS.get(called.name[len(_SPECIAL) :])
            limit = called.limit - 1 if limit is None and called.limit else limit
            return None if limit is None else Definition(row.at, (), integers.at_most(limit, 32))
        found = _INTRINSIC.match(called.name)
        return self._intrinsic(row.at, found["name"], int(found["width"]), values) if found else None

    def _intrinsic(self, at: int, name: str, width: int, values: list[Any]) -> Definition | None:
        if not 0 < width <= integers.WIDEST:
            return None
        if name in ("fshl", "fshr") and len(values) == 3:
            return Definition(at, tuple(values), integers.funnel(name, width))
        if name in ("ctpop", "ctlz", "cttz") and values:
            return Definition(at, (), integers.at_most(width, width))
        transfer = integers.binary(name, width)
        return Definition(at, tuple(values), transfer) if transfer and len(values) == 2 else None


_SPECIALS: dict[str, Callable[[Definitions, int, str], Definition | None]] = {
    "bitcast": Definitions._same,
    "freeze": Definitions._same,
    "ptrtoint": Definitions._pointer,
    "inttoptr": Definitions._pointer,
    "select": Definitions._select,
    "icmp": Definitions._compare,
    "getelementptr": Definitions._offset,
    "extractelement": Definitions._extract_element,
    "insertelement": Definitions._insert_element,
    "shufflevector": Definitions._shuffle,
    "extractvalue": Definitions._extract_value,
}
