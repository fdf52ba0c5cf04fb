"""What each operation of the llvm and arith dialects makes of its operands, and what the merge points merge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.kind import kind_of
from smemdesc.scanning import compiler_ir, integers, ir
from smemdesc.scanning.aggregates import Insertion, Path
from smemdesc.scanning.compiler_ir import Element, Way
from smemdesc.scanning.conditions import choose
from smemdesc.scanning.fixpoint import Definition
from smemdesc.scanning.induction import ExitTest, Offset, add_offset, trip_count
from smemdesc.scanning.inline_asm import Argument, InlineAsm
from smemdesc.scanning.ir import IN, Node
from smemdesc.scanning.known import UNKNOWN, const
from smemdesc.scanning.known import Value as Bits
from smemdesc.scanning.mlir.aliases import Aliases, types
from smemdesc.scanning.mlir.descriptors import descriptor
from smemdesc.scanning.mlir.text import NAME, Operation, Region, Source, Value, names

if TYPE_CHECKING:
    from smemdesc.scanning.mlir.flow import Regions

INDEX = 32
"""Bits of an ``index`` that are followed, whatever its width is."""

_INTEGER = re.compile(r"[su]?i(\d{1,4})$")
_VECTOR = re.compile(r"vector<(\d{1,4}) ?x ?i(\d{1,4})>$")
_CONSTANT = re.compile(r"\(?\s*(-?\d{1,40}|0x[0-9A-Fa-f]{1,40}|true|false)\s*(?:[:)]|$)")
_DENSE = re.compile(r"\(?\s*dense<\[?([-\dx\sA-Fa-f,]{1,400})\]?>\s*:\s*(vector<[^<>]{1,40}>)")
_INDICES = re.compile(r"\[([\d,\s]{1,60})\]")
_AT = re.compile(r"\[\s*(%[-\w$.]+(?:#\d+)?)\s*:\s*\w+\s*\]")
_ITER_ARGS = re.compile(r"iter_args\(([^()]*+)\)")
_PASSED = re.compile(r"(%[-\w$.]+)\s*=\s*(%[-\w$.]+(?:#\d+)?)")
_COUNTER = re.compile(rf"({NAME}) *= *({NAME}) +to +({NAME}) +step +({NAME})")
_COUNTED = re.compile(r"(?:^|[\s)>])(?:: {0,99}(\w{1,99}))? {0,99}(?:\{ {0,99})?$")
_SMALL = re.compile(r"\(?\s*(-?\d{1,10})\s*[:)]")
_STRING = r"\"((?:[^\"\\]|\\.)*+)\""
_ASM = re.compile(rf"(?:[^\"]++|{_STRING}(?!\s*+,\s*+\"))*+{_STRING}\s*+,\s*+\"([^\"]*+)\"(.*)", re.S)
"""The string of inline assembly, its constraints, and what follows: the operands and their types."""
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)")
_PREDICATE = re.compile(r"\"?(eq|ne|[us](?:lt|le|gt|ge))\b")
_BINARY = {
    **{
        f"llvm.{name}": name
        for name in ("and", "or", "xor", "add", "sub", "mul", "shl", "lshr", "ashr", "udiv", "urem")
    },
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.shli": "shl",
    "arith.shrui": "lshr",
    "arith.shrsi": "ashr",
    "arith.divui": "udiv",
    "arith.remui": "urem",
    **{f"arith.{name}{sign}i": f"{sign}{name[:3]}" for name in ("min", "max") for sign in "us"},
    **{f"llvm.intr.{name}": name for name in ("umin", "umax", "smin", "smax")},
}
_CONVERT = {
    "llvm.trunc": "trunc",
    "llvm.zext": "zext",
    "llvm.sext": "sext",
    "arith.trunci": "trunc",
    "arith.extui": "zext",
    "arith.extsi": "sext",
}
_CAST = "builtin.unrealized_conversion_cast"
_SAME = frozenset(("llvm.bitcast", "llvm.freeze", "arith.bitcast", _CAST))
_DESCRIPTOR = "!cute_nvgpu.smem_desc"
_CONSTANTS = frozenset(("llvm.mlir.constant", "arith.constant", "llvm.mlir.zero"))
_SPECIAL = "nvvm.read.ptx.sreg."


_PARAMETER = re.compile(r"(%[-\w$.]+: ?[^,(){}]{0,80}+)")
FUNCTIONS = frozenset(("llvm.func", "func.func", "gpu.func", "tt.func", "cuda.kernel"))


def width_of(kind: str) -> int | None:
    """Return the bits of an integer, of a vector of integers or of a pointer into tensor memory; None for others."""
    kind = kind.strip()
    if kind == "index":
        return INDEX
    if kind == "!llvm.ptr<6>":
        return WORD
    found = _INTEGER.match(kind)
    if found:
        width = int(found[1])
        return width if 0 < width <= integers.WIDEST else None
    lanes = lanes_of(kind)
    return lanes[0] * lanes[1] if lanes and lanes[0] * lanes[1] <= integers.WIDEST else None


def lanes_of(kind: str) -> tuple[int, int] | None:
    """Return count and bits of the elements of a vector of integers."""
    found = _VECTOR.match(kind.strip())
    return (int(found[1]), int(found[2])) if found and int(found[1]) and int(found[2]) else None


class Definitions(compiler_ir.Definitions):
    """How the values of a function follow from each other."""

    flow: Regions | None

    def __init__(self, source: Source, aliases: Aliases) -> None:
        super().__init__()
        self._aliases = aliases
        self._carried_by: dict[int, list[tuple[str, str]]] = {}
        self._yielded: dict[int, list[str]] = {}
        """What was read of a loop or a region, by its address: the source keeps them."""
        self._carried: dict[Value, int] = {}
        """Of what loops carry which it is."""
        self._end = len(source.lines)
        self.arguments: list[tuple[int, str]] = []
        """Those of the function, as far as they were asked for: where it begins, and what it says of them."""
        self._parameters: dict[str, int] = {}
        self._inline: dict[int, InlineAsm | None] = {}
        """The inline PTX of each call, by its address."""

    def at(self, value: Value) -> int | None:
        """Return where a value is made (a line); None for one of which nothing is known."""
        if value.operation is not None:
            return value.operation.at
        if value.block is None or self.flow is None:
            return None
        owner = value.region.owner
        if value.block or owner is None:
            return -1
        return self._parameter(owner, value.name) if owner.name in FUNCTIONS else owner.at

    def made(self, value: Value) -> Definition | None:
        """Return how a value that is no merge follows from others; None: nothing is known of it."""
        if value.operation is not None:
            return self._define(value.operation, value.index)
        owner = value.region.owner
        said = _COUNTER.match(owner.text) if owner is not None and owner.name == "scf.for" else None
        if owner is None or said is None or value is not value.region.values.get(said[1]):
            return None
        return self._counter(owner)

    def incoming(self, value: Value) -> list[Way] | None:
        """Return what comes together in a value; None of one that merges nothing."""
        if self.flow is None:
            return None
        if value.block:
            return self.flow.passed(value)
        loop, index = value.operation, value.index
        if loop is None and value in self._carried:
            loop, index = value.region.owner, self._carried[value]
        turn = self._round(loop, index) if loop is not None and loop.name == "scf.for" else None
        return None if loop is None or turn is None else self.flow.turn(loop, turn)

    def insertion(self, value: Value) -> Insertion | None:
        """Return the insertion that makes an aggregate."""
        operation = value.operation
        if operation is None or operation.name != "llvm.insertvalue":
            return None
        found, where = names(operation.text), _path(operation.text)
        if len(found) != 2 or where is None:
            return None
        put, into = (self.operand(operation.region, name) for name in found)
        return Insertion(into if isinstance(into, Value) else None, where, put)

    def part(self, value: Value, path: Path) -> Definition | None:
        """Return how a part of what is neither inserted nor merged follows from others."""
        made = None if value.operation is None else self.inline(value.operation)
        return None if made is None else made.result(path)

    def operand(self, region: Region, name: str) -> Any:
        """Return the value that ``name`` stands for in ``region``, or what is known of it if that needs no others."""
        found = region.find(name)
        if found is None:
            return UNKNOWN
        made = found.operation
        if made is not None and made.name in _CONSTANTS:
            value = constant(made.name, made.text)
            return UNKNOWN if value is None else value
        return found

    def inline(self, operation: Operation) -> InlineAsm | None:
        """Return the inline PTX of an operation; None where it has none, or that cannot be read."""
        if operation.name != "llvm.inline_asm":
            return None
        if id(operation) not in self._inline:
            self._inline[id(operation)] = self._read_inline(operation)
        return self._inline[id(operation)]

    def _read_inline(self, operation: Operation) -> InlineAsm | None:
        found = _ASM.match(operation.text)
        if found is None:
            return None
        passed = names(found[4].partition(":")[0])
        kinds = types(found[4])
        if len(kinds) < len(passed):
            kinds = ["i64"] * len(passed)
        widths = [width_of(kind) for kind in kinds[: len(passed)]]
        arguments = [
            Argument(each, self.operand(operation.region, each) if width else UNKNOWN, width or 0)
            for each, width in zip(passed, widths, strict=True)
        ]
        return InlineAsm(_ESCAPE.sub(_unescaped, found[2]), found[3], arguments, operation.at, operation)

    def _parameter(self, function: Operation, name: str) -> int | None:
        """Return where an argument of a function stands: behind the last line, to be told apart."""
        if not self.arguments:
            self.arguments = [(function.at, found) for found in _PARAMETER.findall(function.text)]
            self._parameters = {text.partition(":")[0]: at for at, (_, text) in enumerate(self.arguments)}
        place = self._parameters.get(name)
        return None if place is None else self._end + place

    def _round(self, loop: Operation, index: int) -> tuple[Any, Any] | None:
        """Return what a loop starts a carried value with, and what each turn of it yields."""
        carries = self._carries(loop)
        if len(loop.inner) != 1 or len(loop.inner[0].yields) != 1 or index >= len(carries):
            return None
        region = loop.inner[0]
        passed = self._yields(region)
        if len(passed) != len(carries):
            return None
        return self.operand(loop.region, carries[index][1]), self.operand(region, passed[index])

    def _counter(self, loop: Operation) -> Definition | None:
        """Return what a loop counts with, in any of its rounds."""
        made = self.counted(loop)
        if made is None:
            return None
        start, by, end, width = made

        return Definition(loop.at, (start, end), _COUNTED_BY(IN[0], IN[1], by, width))

    def counted(self, loop: Operation) -> tuple[Any, int, Any, int] | None:
        """Return where a loop starts to count, by what, what it has to be less than, and the bits of these numbers."""
        said, kind = _COUNTER.match(loop.text), _COUNTED.search(loop.text)
        width = width_of(kind[1] or "index") if kind else None
        if said is None or kind is None or width is None or width == 1:
            return None
        names = said.groups()[1:]
        if kind[1] in (None, "index") and not all(self._small(loop.region, each) for each in names):
            return None  # of an index only some bits are followed
        start, end, step = (self.operand(loop.region, each) for each in names)
        full = ones(width)
        if step.__class__ is not tuple or step[1] & full != full:
            return None
        by = step[0] & full
        return (start, by, end, width) if 0 < by < 1 << width - 1 else None

    @staticmethod
    def _small(region: Region, name: str) -> bool:
        value = region.find(name)
        made = None if value is None else value.operation
        found = _SMALL.match(made.text) if made is not None and made.name == "arith.constant" else None
        return found is not None and abs(int(found[1])) < 1 << INDEX - 1

    def carried(self, loop: Operation) -> list[Value]:
        """Return what a loop carries, in its body."""
        values = loop.inner[0].values
        found = [values[name] for name, _ in self._carries(loop) if name in values]
        for index, each in enumerate(found):
            self._carried.setdefault(each, index)
        return found

    def _carries(self, loop: Operation) -> list[tuple[str, str]]:
        """Return what a loop carries, and what it starts with."""
        found = self._carried_by.get(id(loop))
        if found is None:
            said = _ITER_ARGS.search(loop.text)
            found = self._carried_by[id(loop)] = _PASSED.findall(said[1]) if said else []
        return found

    def _yields(self, region: Region) -> list[str]:
        """Return what a region with one yield yields."""
        found = self._yielded.get(id(region))
        if found is None:
            found = self._yielded[id(region)] = names(region.yields[0].text)
        return found

    def _define(self, operation: Operation, index: int) -> Definition | None:
        name, text, at = operation.name, operation.text, operation.at
        if name.startswith(_SPECIAL):
            limit = integers.THREAD_LIMITS.get(name[len(_SPECIAL) :])
            return None if limit is None else Definition(at, (), integers.at_most(limit, 32))
        if name == "scf.if":
            return self._chosen(operation, index)
        if name == "llvm.extractvalue":
            return self._extract_value(operation)
        if name == "llvm.inline_asm":
            made = self.inline(operation)
            return None if made is None else made.result(())
        operands, _, kinds = text.rpartition(":")
        reads = tuple(self.operand(operation.region, each) for each in names(operands))
        kinds = kinds.strip()
        if name in _BINARY or name.startswith("llvm.intr."):
            return self._arithmetic(at, name, reads, kinds)
        if name in _CONVERT or name in _SAME or name in _SAME_BITS:
            return self._convert(at, name, reads, kinds)
        if name in ("llvm.icmp", "arith.cmpi") and len(reads) == 2:
            width, predicate = width_of(kinds), _PREDICATE.match(text)
            transfer = integers.compare(predicate[1], width) if width and predicate and not lanes_of(kinds) else None
            if transfer is None or predicate is None or width is None:
                return None
            return Definition(at, reads, transfer, says=integers.condition(predicate[1], width, *reads))
        if name in ("llvm.select", "arith.select") and len(reads) == 3:
            if "vector<" in kinds:
                return Definition(at, (UNKNOWN, *reads[1:]), choose(0))
            return Definition(at, reads, choose(0), selects=True)
        if name in ("llvm.extractelement", "llvm.insertelement"):
            return self._vector(operation, name, reads, kinds)
        if name == "nvvm.shfl.sync" and len(reads) == 4:
            return Definition(at, (reads[1],), ir.CUT(IN[0], 32))
        if name in _PACKED and len(reads) == len(_PACKED[name]):
            return Definition(at, reads, _descriptor(name, text))
        return None

    def _arithmetic(self, at: int, name: str, reads: tuple[Any, ...], kinds: str) -> Definition | None:
        width = width_of(kinds.rpartition("->")[2])
        if width is None:
            return None
        if name in ("llvm.intr.fshl", "llvm.intr.fshr"):
            return Definition(at, reads, integers.funnel(name[-4:], width)) if len(reads) == 3 else None
        if name == "llvm.intr.ctpop":
            return None if lanes_of(kinds) else Definition(at, (), integers.at_most(width, width))
        operation = _BINARY.get(name, "")
        if len(reads) != 2 or ("vector<" in kinds and operation not in integers.BITWISE):
            return None
        if kinds == "index" and operation in ("lshr", "ashr", "udiv", "urem", "umin", "umax", "smin", "smax"):
            return None  # bits that are not followed would come in
        transfer = integers.binary(operation, width)
        return None if transfer is None else Definition(at, reads, transfer)

    def _convert(self, at: int, name: str, reads: tuple[Any, ...], kinds: str) -> Definition | None:
        source, arrow, to = kinds.partition(" to ")
        if name == _CAST and source.strip() == _DESCRIPTOR and to.strip() == "i64":
            return self._made_descriptor(reads)
        if not arrow and name == "llvm.freeze":
            to = source
        width, to_width = width_of(source), width_of(to)
        if len(reads) != 1 or width is None or to_width is None:
            return None
        if name in _SAME:
            return Definition(at, reads, IN[0]) if width == to_width else None
        if "vector<" in kinds:
            return None
        if name in _SAME_BITS:
            # The bits that both have; an index and most pointers have more than are followed.
            # What is known of the size of an index is known of so many bits only: it may be negative.
            return Definition(at, reads, ir.LOW(IN[0], width) if to_width > width else ir.CUT(IN[0], to_width))
        return Definition(at, reads, integers.convert(_CONVERT.get(name, ""), width, to_width))

    def _made_descriptor(self, reads: tuple[Any, ...]) -> Definition | None:
        """Return what is known of a descriptor as a number, where the operation that makes it is in sight."""
        made = reads[0].operation if len(reads) == 1 and isinstance(reads[0], Value) else None
        found = None if made is None else descriptor(made, self._aliases)
        return None if made is None or found is None else Definition(made.at, (), ir.GIVEN((found.bits, found.known)))

    def _vector(self, operation: Operation, name: str, reads: tuple[Any, ...], kinds: str) -> Definition | None:
        lanes = lanes_of(kinds)
        at = _AT.search(operation.text)
        index = operation.region.find(at[1]) if at else None
        number = None
        if index is not None and index.operation is not None and index.operation.name in _CONSTANTS:
            number = constant(index.operation.name, index.operation.text)
        if lanes is None or number is None or number[0] >= lanes[0]:
            return None
        if name == "llvm.extractelement" and len(reads) == 2:
            return Definition(operation.at, (reads[0],), integers.element(number[0], lanes[1]))
        if name == "llvm.insertelement" and len(reads) == 3:
            transfer = integers.with_element(number[0], lanes[1], lanes[0] * lanes[1])
            return Definition(operation.at, (reads[1], reads[0]), transfer)
        return None

    def _extract_value(self, operation: Operation) -> Definition | None:
        found, path = names(operation.text), _path(operation.text)
        value = operation.region.find(found[0]) if found else None
        if value is None or path is None:
            return None
        return Definition(operation.at, (Element(value, path),), IN[0])

    def _chosen(self, operation: Operation, index: int) -> Definition | None:
        """Return which result of a choice it is."""
        regions = operation.inner
        if self.flow is None or len(regions) != 2 or any(len(region.yields) != 1 for region in regions):
            return None
        passed = [self._yields(region) for region in regions]
        if any(len(each) != len(operation.results) for each in passed):
            return None
        reads = tuple(self.operand(region, each[index]) for region, each in zip(regions, passed, strict=True))
        chosen = self.operand(operation.region, next(iter(names(operation.text)), ""))
        return Definition(operation.at, (chosen, *reads), choose(0), selects=True)


def _counted(start: Bits, end: Bits, by: int, width: int) -> Bits:
    """Return what a loop counts with in any round."""
    rounds = trip_count(ExitTest(start, by, "LT", end, width, True, True))
    zeros = (by & -by).bit_length() - 1
    return UNKNOWN if rounds is None else add_offset(start, Offset(0, by * max(0, rounds - 1), zeros), width)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 2:
        return chr(int(code, 16))
    return {"n": "\n", "t": "\t"}.get(code, code)


_COUNTED_BY = ir.Row("count", _counted, lambda by, width: width, ir.equal, ir.highest)
"""``(start, end; by, width)``: the start and some steps."""
_SAME_BITS = frozenset(("arith.index_cast", "arith.index_castui", "llvm.inttoptr", "llvm.ptrtoint"))


def _path(text: str) -> tuple[int, ...] | None:
    found = _INDICES.search(text)
    if not found:
        return None
    parts = [part.strip() for part in found[1].split(",")]
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else None


def constant(name: str, text: str) -> Bits | None:
    """Return the value of a constant operation; None where it is none of integers."""
    if text.strip() in ("true", "false"):  # an i1 is written without its type
        return const(text.startswith("true"), 1)
    width = width_of(text.rpartition(":")[2])
    if width is None:
        return None
    if name == "llvm.mlir.zero":
        return const(0, width)
    lanes = lanes_of(text.rpartition(":")[2])
    dense = _DENSE.match(text)
    if lanes and dense:
        return _dense(dense[1], *lanes)
    found = _CONSTANT.match(text)
    if lanes or not found:
        return None
    return const({"true": 1, "false": 0}[found[1]] if found[1] in ("true", "false") else int(found[1], 0), width)


def _dense(text: str, count: int, width: int) -> Bits | None:
    try:
        numbers = [int(part, 0) for part in text.split(",")]
    except ValueError:
        return None
    if len(numbers) == 1:
        numbers *= count
    if len(numbers) != count:
        return None
    bits = mask = 0
    for place, number in enumerate(numbers):
        each = const(number, width)
        bits, mask = bits | each[0] << place * width, mask | each[1] << place * width
    return bits, mask


_PACKED: dict[str, tuple[str, ...]] = {
    "nvvm.tcgen05.mma_smem_desc": (
        "start_address",
        "leading_byte_offset",
        "stride_byte_offset",
        "base_offset",
        "lbo_mode",
        "swizzle",
    ),
    "nvvm.tcgen05_mma_smem_desc_v2": (
        "start_address",
        "leading_byte_offset",
        "stride_byte_offset",
        "version",
        "base_offset",
        "lbo_mode",
        "lut_k_offset",
        "swizzle",
    ),
    "nvvm.mma_smem_desc": ("start_address", "leading_byte_offset", "stride_byte_offset", "base_offset", "swizzle"),
}
"""The operations that put a descriptor together: the field of each operand (as the CuTe DSL 4.8 compiles them)."""
_NO_VERSION = re.compile(r"\bmmaDescVersion = 0\b")


def _descriptor(name: str, text: str) -> Node:
    """Return what puts a tcgen05 descriptor together as an operation does: each operand is cut to its field."""
    # The second form makes descriptors of sm_107, too: it cuts the fields as that has them.
    table = kind_of("tcgen05@sm_107" if name.endswith("_v2") else "tcgen05").table
    fields = _PACKED[name]
    fixed = 0 if "version" in fields or _NO_VERSION.search(text) else table.must_value
    places = [(table.by_key[key].lo, table.by_key[key].width) for key in fields]
    taken = sum(ones(width) << low for low, width in places)

    made: Any = (fixed & ~taken, table.full & ~taken)
    for place, (low, width) in enumerate(places):
        made = ir.INSERT(IN[place], made, const(low, 8), const(width, 8), table.width)
    return cast(Node, made)
