"""What each instruction of LLVM IR makes of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import integers, ir, known
from smemdesc.scanning.aggregates import Insertion, Insertions, Path
from smemdesc.scanning.conditions import Condition, Refined, bare, choose, refine
from smemdesc.scanning.fixpoint import Definition, define_refined
from smemdesc.scanning.inline_asm import Argument, InlineAsm, Inner
from smemdesc.scanning.ir import IN
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.llvm.text import (
    POINTER,
    Call,
    Types,
    call,
    closing,
    constant,
    lanes_of,
    split,
    steps,
    typed,
    width_of,
)
from smemdesc.scanning.memory import Locals, address

if TYPE_CHECKING:
    from smemdesc.scanning.llvm.loops import Flow

_FLAGS = r"(?:(?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*"
_OPERATION = re.compile(r"(?:(?:tail|musttail|notail) )?([a-z]+) " + _FLAGS + r"(?:inrange\(-?\d+, -?\d+\) )?")
_METADATA = re.compile(r", ![a-zA-Z_.]+ ![^,]*")
_INCOMING = re.compile(r"\[ *+([^\[\]]*), *+%([-\w.$]+|\"[^\"]*\") *\]")
_INDEX = re.compile(r"\d{1,9}$")
_INTRINSIC = re.compile(r"llvm\.(?P<name>umin|umax|smin|smax|fshl|fshr|ctpop|ctlz|cttz)\.i(?P<width>\d{1,3})$")
_SHUFFLE = "llvm.nvvm.shfl.sync."
_SPECIAL = "llvm.nvvm.read.ptx.sreg."


class Element(NamedTuple):
    """The part of an aggregate that its indices lead to: a name like that of a value."""

    value: str
    path: Path


class Row(NamedTuple):
    """An instruction that defines a value."""

    at: int
    text: str
    """What follows ``%name = ``."""


class Definitions:
    """The instructions of a function by the names that they define."""

    def __init__(
        self,
        rows: Callable[[str], Row | None],
        aligned: Mapping[str, int],
        arguments: Mapping[str, int] | None = None,
        types: Types | None = None,
    ) -> None:
        """``aligned``: the alignment of the module's variables. ``arguments``: where each of the function stands.

        ``types``: the module's types with a name.
        """
        self._types = types or {}
        self._rows = rows
        self._aligned = aligned
        self._arguments = arguments or {}
        self.memory: Locals | None = None
        """The local variables, where they are followed."""
        self.blocks: Flow | None = None
        """Where values are made and what branches tell there, where that is known."""
        self._insertions = Insertions(self._insertion)
        self._merged: dict[int, list[Any] | None] = {}
        """What comes into a merge of aggregates, by where that stands."""
        self._inline: dict[int, InlineAsm] = {}
        """The inline PTX, by where its call stands."""

    def define(self, name: Any) -> Definition | None:
        """Return how the value ``name`` follows from others."""
        inner = bare(name)
        if isinstance(inner, Inner):
            return inner.asm.define(name)
        if self.memory is not None and (loaded := self.memory.define(name)) is not None:
            return loaded
        if isinstance(name, Element):
            value = self._insertions.last(name.value, name.path)
            row = self._rows(value)
            if row is not None and value != name.value and row.text.startswith("phi "):
                # A merge at the head of a loop goes by one name.
                return Definition(row.at, (Element(value, name.path),), IN[0])
            return None if row is None else self._element(value, row, name.path)
        if isinstance(name, Refined):
            said, of = self.comparison(name.predicate), self._rows(name.predicate)
            return None if said is None or of is None else define_refined(name, said, of.at, 0)
        row = self._rows(name)
        if row is None:
            return Definition(self._arguments[name]) if name in self._arguments else None
        made = self._define(row)
        return Definition(row.at) if made is None else self._where(made)

    def comparison(self, name: str) -> Condition | None:
        """Return what a value compares."""
        row = self._rows(name)
        made = None if row is None else self._define(row)
        return None if made is None else made.says

    def _where(self, made: Definition) -> Definition:
        """Return a definition whose reads are what is known of them where it stands."""
        if self.blocks is None or made.merges or not made.reads:
            return made
        held = self.blocks.branches.holding(self.blocks.block(made.at))
        reads = tuple([refine(each, held, self.comparison) for each in made.reads]) if held else made.reads
        return made._replace(reads=reads)

    def operand(self, kind: str, text: str) -> Any:
        """Return the name, or the value of a constant."""
        if text.startswith("%"):
            return text
        return constant(kind, text, self._aligned)

    def _typed(self, text: str) -> tuple[str, Any]:
        kind, value = typed(text)
        return kind, self.operand(kind, value) if kind else UNKNOWN

    def _define(self, row: Row) -> Definition | None:
        found = _OPERATION.match(row.text)
        if found is None:
            return None
        name = found[1]
        if name == "call":
            return self._call(row)
        rest = _bare(row.text[found.end() :])
        special = _SPECIALS.get(name)
        if special is not None:
            return special(self, row.at, rest)
        if name in ("trunc", "zext", "sext"):
            return self._convert(row.at, name, rest)
        return self._binary(row.at, name, rest)

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

    def _phi(self, at: int, rest: str) -> Definition | None:
        incoming = self._incoming(rest)
        if incoming is None:
            return None
        blocks = self.blocks
        if blocks is None:
            return Definition(at, tuple(value for _, value in incoming), merges=True)
        to = blocks.block(at)
        held = [blocks.edge(blocks.number.get(label, 0), to) for label, _ in incoming]
        reads = [refine(value, each, self.comparison) for (_, value), each in zip(incoming, held, strict=True)]
        return Definition(at, tuple(reads), merges=True)

    def incoming(self, row: Row) -> list[tuple[str, Any]] | None:
        """Return what comes into a phi, with the block from which; None where that is not whole."""
        found = _OPERATION.match(row.text)
        return None if found is None else self._incoming(_bare(row.text[found.end() :]))

    def _incoming(self, rest: str) -> list[tuple[str, Any]] | None:
        kind, after = typed(rest)
        if not kind:
            return None
        after = rest[rest.find(kind) + len(kind) :].strip()
        found = split(after)
        values = []
        for part in found:
            pair = _INCOMING.fullmatch(part)
            if not pair:
                return None
            values.append((pair[2], self.operand(kind, pair[1].strip())))
        return values or None

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
        found = steps(parts[0], [typed(part)[1] for part in parts[2:]], self._types)
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

    def _element(self, value: str, row: Row, path: Path) -> Definition:
        """Return how a part of an aggregate follows from others."""
        made = None
        inserted = self._insertions[value]
        if inserted is not None:
            return self._inserted(row.at, inserted, path) or Definition(row.at)
        found = _OPERATION.match(row.text)
        name = found[1] if found else ""
        if found and name == "phi":
            if row.at not in self._merged:
                incoming = self._incoming(_bare(row.text[found.end() :]))
                self._merged[row.at] = None if incoming is None else [each for _, each in incoming]
            passed = self._merged[row.at]
            if passed:
                reads = tuple([Element(each, path) if each.__class__ is str else UNKNOWN for each in passed])
                made = Definition(row.at, reads, merges=True)
        elif found and name == "freeze":
            whole = typed(_bare(row.text[found.end() :]))[1]
            made = Definition(row.at, (Element(whole, path),), IN[0]) if whole.startswith("%") else None
        elif name == "call":
            made = self._call(row, path)
        return made if made is not None else Definition(row.at)

    def _insertion(self, value: str) -> Insertion | None:
        row = self._rows(value)
        found = None if row is None else _OPERATION.match(row.text)
        if row is None or found is None or found[1] != "insertvalue":
            return None
        parts = split(_bare(row.text[found.end() :]))
        if len(parts) < 3 or not all(_INDEX.match(part) for part in parts[2:]):
            return None
        into = typed(parts[0])[1]
        where = tuple(int(part) for part in parts[2:])
        return Insertion(into if into.startswith("%") else None, where, *typed(parts[1]))

    def _inserted(self, at: int, inserted: Insertion, path: Path) -> Definition | None:
        """Return what an insertion that concerns a part of an aggregate puts there."""
        where, value = inserted.where, inserted.value
        if where == path:
            return Definition(at, (self.operand(inserted.kind, value),), IN[0])
        if path[: len(where)] == where and value.startswith("%"):
            return Definition(at, (Element(value, path[len(where) :]),), IN[0])
        return None

    def inline(self, at: int, called: Call) -> InlineAsm:
        """Return the inline PTX of a call."""
        made = self._inline.get(at)
        if made is None:
            arguments = [
                Argument(text, UNKNOWN, 0) if (width := width_of(kind)) is None
                else Argument(text, self.operand(kind, text), width)
                for kind, text in called.arguments
            ]  # fmt: skip
            made = self._inline[at] = InlineAsm(called.asm, called.constraints, arguments, at)
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


def _bare(rest: str) -> str:
    """Return the operands without the metadata behind them."""
    return _METADATA.sub("", rest) if "!" in rest else rest


_SPECIALS: dict[str, Callable[[Definitions, int, str], Definition | None]] = {
    "bitcast": Definitions._same,
    "freeze": Definitions._same,
    "ptrtoint": Definitions._pointer,
    "inttoptr": Definitions._pointer,
    "select": Definitions._select,
    "phi": Definitions._phi,
    "icmp": Definitions._compare,
    "getelementptr": Definitions._offset,
    "extractelement": Definitions._extract_element,
    "insertelement": Definitions._insert_element,
    "shufflevector": Definitions._shuffle,
    "extractvalue": Definitions._extract_value,
}

__all__ = ["Definitions", "Element", "Row", "closing"]
