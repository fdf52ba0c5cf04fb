"""The meaning of the operations of the llvm and arith dialects, and of merges."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN, Value, const
from smemdesc.kinds.kind import kind_of
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.conditions import choose
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.induction import ExitTest, Offset, add_offset, trip_count
from smemdesc.scanning.analysis.ir import IN, Node
from smemdesc.scanning.languages import compiler_ir
from smemdesc.scanning.languages.compiler_ir import AggregateElement, Insertion, MergeInput, Path
from smemdesc.scanning.languages.inline_asm import Argument, InlineAsm
from smemdesc.scanning.languages.lowering import OUTSIDE, POINTER, lanes_of, lower_operation, offset, width_of
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types, parts
from smemdesc.scanning.languages.mlir.cute import known_descriptor
from smemdesc.scanning.languages.mlir.generic import CONSTANTS, FUNCTIONS
from smemdesc.scanning.languages.mlir.mma import generated
from smemdesc.scanning.languages.mlir.text import (
    VALUE_NAME,
    MlirFunction,
    MlirRegion,
    MlirValue,
    Operation,
    named_values,
)
from smemdesc.scanning.model.causes import ARGUMENT, CALL, MEMORY, SPECIAL

_CONSTANT = re.compile(r"\(?\s*+(dense<)?\[?([-\w,\s]{1,400}+|(?<=\s))\]?>?\s*+(?:[:)]|$)")
_OFFSET = re.compile(
    rf"(?:inbounds |nuw |nusw )*({VALUE_NAME})\[([^\[\]]*)\]\s*+(?:\{{[^{{}}]*+\}}\s*+)?+"
    r": \(!llvm\.ptr(?:<\d+>)?((?:, i\d+)*)\) -> !llvm\.ptr(?:<\d+>)?, (.+)$"
)
_INDEX = re.compile(r"-?\d{1,9}$")
_INDICES = re.compile(r"\[([\d,\s]{1,60})\]")
_COUNTER = re.compile(rf"({VALUE_NAME}) *= *({VALUE_NAME}) +to +({VALUE_NAME}) +step +({VALUE_NAME})")
_COUNTED = re.compile(r"(?:^|[\s)>])(?:: {0,99}(\w{1,99}))? {0,99}(?:\{ {0,99})?$")
_STRING = r"\"((?:[^\"\\]|\\.)*+)\""
_ASM = re.compile(rf"(?:[^\"]++|{_STRING}(?!\s*+,\s*+\"))*+{_STRING}\s*+,\s*+\"([^\"]*+)\"(.*)", re.S)
"""The string of inline assembly, its constraints, and the rest: the operands and their types."""
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)")
_PREDICATE = re.compile(r"\"?([a-z]+)\b")
_TYPE = re.compile(
    r"vector<(?P<count>\d{1,4}) ?x ?[su]?(?P<element>\w+)>|!llvm\.ptr(?:<(?P<space>\d+)>)?(?![\w<])"
    r"|\b[su](?P<integer>i\d+)"
    r"|(?P<open>(?:!llvm\.)?(?:struct<(?:\"[^\"]*\", )?\(|array<))|(?P<close>\)?>)|\b(?:b?f(?:16|32|64)|index)\b"
)
# An index has 64 bits, unless a data layout says otherwise.
_TYPES = {")>": "}", ">": "]", "index": "i64", "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}
_NAMES = {
    **{f"arith.{name}i": name for name in ("and", "or", "xor", "add", "sub", "mul", "trunc")},
    **{f"arith.{name}{sign}i": f"{sign}{name[:3]}" for name in ("min", "max") for sign in "us"},
    "arith.shli": "shl",
    "arith.shrui": "lshr",
    "arith.shrsi": "ashr",
    "arith.divui": "udiv",
    "arith.remui": "urem",
    "arith.extui": "zext",
    "arith.extsi": "sext",
    "arith.cmpi": "icmp",
    "arith.select": "select",
    "arith.index_cast": "sext",
    "arith.index_castui": "zext",
    "arith.bitcast": "bitcast",
    "builtin.unrealized_conversion_cast": "bitcast",
}
"""The LLVM names of operations, where they differ."""
_DESCRIPTORS = ("!cute_nvgpu.smem_desc", "!nvgpu.warpgroup.descriptor<")
_PARAMETER = re.compile(r"(%[-\w$.]+: ?[^,(){}]{0,80}+)")


@lru_cache(maxsize=1024)
def type_of(kind: str) -> str:
    """Return a type as LLVM IR writes it."""
    return _TYPE.sub(_renamed, kind.strip())


def _renamed(match: re.Match[str]) -> str:
    if match["count"]:
        return f"<{match['count']} x {match['element']}>"
    if match["open"]:
        return "[" if "array" in match["open"] else "{"
    if match[0].startswith("!llvm.ptr"):
        return f"ptr addrspace({match['space']})" if match["space"] else "ptr"
    return match["integer"] or _TYPES[match[0]]


_SYMBOL = re.compile(r"\s*(@[-\w.$]+)")
_SPECIAL = ("nvvm.read.ptx.sreg.", "gpu.cluster_")
_INDICES_OF_GPU = frozenset(f"gpu.{name}" for name in ("thread_id", "block_id", "block_dim", "grid_dim", "lane_id"))
_CALLS = frozenset(("llvm.call", "func.call", "tt.call"))


def cause(operation: Operation) -> str | None:
    """Return which source outside the text an operation takes its result from; None if it could be known."""
    name, text = operation.name, operation.text.lstrip()
    if name.startswith(_SPECIAL) or name in _INDICES_OF_GPU:
        return SPECIAL
    if name in _CALLS:
        return None if text.startswith(("@llvm.", '@"llvm.')) else CALL
    pointer = type_of(text.rpartition(" : ")[2].partition(" -> ")[0])
    return MEMORY if name == "llvm.load" and pointer in OUTSIDE else None


class MlirDefinitions(compiler_ir.Definitions):
    """How the values of a function follow from each other."""

    flow: compiler_ir.Flow | None

    def __init__(self, source: MlirFunction, aliases: Aliases) -> None:
        super().__init__()
        self._operations = {operation.at: operation for operation in reversed(source.operations)}
        """The first operation of each line."""
        self._aliases = aliases
        self._end = len(source.lines)
        self.arguments: list[tuple[int, str]] = []
        """The function's arguments, once requested: the line at which it begins, and the text of each."""
        self._parameters: dict[str, int] = {}
        self._inline: dict[int, InlineAsm | None] = {}
        """The inline PTX of each call, by the id of the operation."""

    def at(self, value: MlirValue) -> int | None:
        """Return the line that defines a value; None if unknown."""
        if value.operation is not None:
            return value.operation.at
        if value.block is None or self.flow is None:
            return None
        owner = value.region.owner
        if value.block or owner is None:
            return -1
        return self._parameter(owner, value.name) if owner.name in FUNCTIONS else owner.at

    def cause(self, at: int) -> str | None:
        """Return which source outside the text a line, or an argument, takes its result from."""
        return ARGUMENT if at >= self._end else cause(self._operations[at]) if at in self._operations else None

    def symbol(self, at: int) -> tuple[str, int] | None:
        """Return the variable whose address an operation returns."""
        operation = self._operations.get(at)
        named = _SYMBOL.match(operation.text) if operation and operation.name == "llvm.mlir.addressof" else None
        return (named[1], 0) if named else None

    def definition_of(self, value: MlirValue) -> Definition | None:
        """Return how a value that is not a merge follows from others; None if unknown."""
        if value.operation is not None:
            return self._define(value.operation, value.index)
        owner = value.region.owner
        counter = _COUNTER.match(owner.text) if owner is not None and owner.name == "scf.for" else None
        if owner is None or counter is None or value is not value.region.values.get(counter[1]):
            return None
        counted = self.counted(owner)
        if counted is None:
            return None
        start, by, end, width = counted
        return Definition(owner.at, (start, end), _COUNTED_BY(IN[0], IN[1], by, width))

    def incoming(self, value: MlirValue) -> list[MergeInput] | None:
        """Return what a value merges; None if it is not a merge."""
        return None if self.flow is None else self.flow.ways(value)

    def insertion(self, value: MlirValue) -> Insertion | None:
        """Return the insertion whose result is an aggregate."""
        operation = value.operation
        if operation is None or operation.name != "llvm.insertvalue":
            return None
        operands, where = named_values(operation.text), _path(operation.text)
        if len(operands) != 2 or where is None:
            return None
        put, into = (self.operand(operation.region, name) for name in operands)
        return Insertion(into if isinstance(into, MlirValue) else None, where, put)

    def part(self, value: MlirValue, path: Path) -> Definition | None:
        """Return how a part of a value that is neither an insertion nor a merge follows from others."""
        asm = None if value.operation is None else self.inline(value.operation)
        return None if asm is None else asm.result(path)

    def operand(self, region: MlirRegion, name: str) -> Any:
        """Return the value called ``name`` in ``region``, or the bits of a constant."""
        value = region.find(name)
        if value is None:
            return UNKNOWN
        definition = value.operation
        return constant_value(definition.text) if definition is not None and definition.name in CONSTANTS else value

    def inline(self, operation: Operation) -> InlineAsm | None:
        """Return the inline PTX of an operation; None if it has none, or cannot be read."""
        if operation.name != "llvm.inline_asm":
            return None
        if id(operation) not in self._inline:
            self._inline[id(operation)] = self._read_inline(operation)
        return self._inline[id(operation)]

    def _read_inline(self, operation: Operation) -> InlineAsm | None:
        match = _ASM.match(operation.text)
        if match is None:
            return None
        passed = named_values(match[4].partition(":")[0])
        kinds = operation_types(match[4])
        if len(kinds) < len(passed):
            kinds = ["i64"] * len(passed)
        widths = [width_of(type_of(kind)) for kind in kinds[: len(passed)]]
        arguments = [
            Argument(operand, self.operand(operation.region, operand) if width else UNKNOWN, width or 0)
            for operand, width in zip(passed, widths, strict=True)
        ]
        return InlineAsm(_ESCAPE.sub(_unescaped, match[2]), match[3], arguments, operation.at, operation)

    def _parameter(self, function: Operation, name: str) -> int | None:
        """Return the number of a function's argument: from the last line on, so that it differs from lines."""
        if not self.arguments:
            self.arguments = [(function.at, parameter) for parameter in _PARAMETER.findall(function.text)]
            self._parameters = {text.partition(":")[0]: at for at, (_, text) in enumerate(self.arguments)}
        place = self._parameters.get(name)
        return None if place is None else self._end + place

    def counted(self, loop: Operation) -> tuple[Any, int, Any, int] | None:
        """Return a loop's start, step, exclusive end, and the width of these in bits; None if unknown."""
        counter, kind = _COUNTER.match(loop.text), _COUNTED.search(loop.text)
        width = width_of(type_of(kind[1] or "index")) if kind else None
        if counter is None or kind is None or width is None or width == 1:
            return None
        start, end, step = (self.operand(loop.region, group) for group in counter.groups()[1:])
        full = ones(width)
        if step.__class__ is not tuple or step[1] & full != full:
            return None
        by = step[0] & full
        return (start, by, end, width) if 0 < by < 1 << width - 1 else None

    def _define(self, operation: Operation, index: int) -> Definition | None:
        name, text, at = operation.name, operation.text, operation.at
        if name == "scf.if":
            return self._chosen(operation, index)
        if name == "llvm.extractvalue":
            value, path = operation.region.find(next(iter(named_values(text)), "")), _path(text)
            return None if value is None or path is None else Definition(at, (AggregateElement(value, path),), IN[0])
        if name == "llvm.inline_asm":
            asm = self.inline(operation)
            return None if asm is None else asm.result(())
        if name == "llvm.getelementptr":
            return self._offset(operation)
        if name == "llvm.mlir.addressof":
            return Definition(at, (UNKNOWN,), IN[0])
        operands, _, kinds = text.rpartition(":")
        reads = tuple([self.operand(operation.region, name) for name in named_values(operands)])
        if name in _PACKED and len(reads) == len(_PACKED[name]):
            return Definition(at, reads, _descriptor(name, text))
        kind, to = map(type_of, _signature(kinds))
        if kind.startswith(_DESCRIPTORS):
            return self._made_descriptor(reads) if to == "i64" else None
        name, how = _NAMES.get(name) or name.removeprefix("llvm.").removeprefix("intr."), ""
        if name == "icmp":
            how = match[1] if (match := _PREDICATE.match(text)) else ""
        elif name == "select":
            kind = "i1" if "vector<" not in kinds else ""
        elif name == "insertelement" and len(reads) == 3:
            reads = (reads[1], reads[0], reads[2])
        return lower_operation(at, name, kind, reads, to, how)

    def _made_descriptor(self, reads: tuple[Any, ...]) -> Definition | None:
        """Return the known bits of a descriptor as a number, if the operation that makes it is found."""
        maker = reads[0].operation if len(reads) == 1 and isinstance(reads[0], MlirValue) else None
        generated_bits = None if maker is None else generated(maker) or known_descriptor(maker, self._aliases)
        return (
            None
            if maker is None or generated_bits is None
            else Definition(maker.at, (), ir.GIVEN((generated_bits.bits, generated_bits.known)))
        )

    def _offset(self, operation: Operation) -> Definition | None:
        match = _OFFSET.match(operation.text)
        if match is None:
            return None
        kinds, indices = iter(match[3].split(", ")[1:]), []
        for text in map(str.strip, match[2].split(",")):
            if _INDEX.match(text):
                indices.append(("i32", text, const(int(text), POINTER)))
            else:
                indices.append((next(kinds, ""), text, self.operand(operation.region, text)))
        return offset(operation.at, self.operand(operation.region, match[1]), type_of(match[4]), indices)

    def _chosen(self, operation: Operation, index: int) -> Definition | None:
        """Return how a result of an ``scf.if`` follows from what its regions yield."""
        regions = operation.inner
        if self.flow is None or len(regions) != 2 or any(len(region.yields) != 1 for region in regions):
            return None
        passed = [region.yields[0] for region in regions]
        if any(len(yielded) != len(operation.results) for yielded in passed):
            return None
        reads = tuple(self.operand(region, yielded[index]) for region, yielded in zip(regions, passed, strict=True))
        chosen = self.operand(operation.region, next(iter(named_values(operation.text)), ""))
        return Definition(operation.at, (chosen, *reads), choose(0), selects=True)


def _counted(start: Value, end: Value, by: int, width: int) -> Value:
    """Return the known bits of a loop counter, in any iteration."""
    rounds = trip_count(ExitTest(start, by, "LT", end, width, True, True))
    zeros = (by & -by).bit_length() - 1
    return UNKNOWN if rounds is None else add_offset(start, Offset(0, by * max(0, rounds - 1), zeros), width)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 2:
        return chr(int(code, 16))
    return {"n": "\n", "t": "\t"}.get(code, code)


_COUNTED_BY = ir.IrOperation("count", _counted, lambda by, width: width, ir.sum_handed, ir.highest_unknown)
"""``(start, end; by, width)``: the start plus some number of steps."""


def _signature(kinds: str) -> tuple[str, str]:
    """Return the type of the first operand, and of the result if it differs: ``i32 to i64``, ``(i32) -> i64``."""
    before, _, after = kinds.rpartition("->")
    operand_type = next(iter(parts(before.strip()[1:-1])), "")
    return (operand_type, after) if operand_type else (after.partition(" to ")[0], after.partition(" to ")[2])


def _path(text: str) -> tuple[int, ...] | None:
    match = _INDICES.search(text)
    if not match:
        return None
    parts = [part.strip() for part in match[1].split(",")]
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else None


def constant_value(text: str) -> Value:
    """Return the value of a constant: ``5 : i32``, ``(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>``, ``true``."""
    text = text if ":" in text else f"{text}: i1"
    value, _, kind = text.rpartition(":")
    kind = type_of(kind)
    width, lanes, match = width_of(kind), lanes_of(kind), _CONSTANT.match(text)
    if width is None:
        return UNKNOWN
    if not value.strip():  # llvm.mlir.zero
        return const(0, width)
    if match is None or bool(lanes) != bool(match[1]):
        return UNKNOWN
    count, element_width = lanes or (1, width)
    try:
        numbers = [int(_WORDS.get(part.strip(), part), 0) for part in match[2].split(",")]
    except ValueError:
        return UNKNOWN
    numbers *= count if len(numbers) == 1 else 1
    return (
        ir.CONCAT(*(const(number, element_width) for number in numbers), element_width)()
        if len(numbers) == count
        else UNKNOWN
    )


_WORDS = {"true": "1", "false": "0"}
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
"""The operations that build a descriptor: the field of each operand (as the CuTe DSL 4.8 compiles them)."""
_NO_VERSION = re.compile(r"\bmmaDescVersion = 0\b")


def _descriptor(name: str, text: str) -> Node:
    """Return the function that builds a tcgen05 descriptor: each operand is truncated to its field."""
    # The second form also builds descriptors of sm_107: it has the field widths of that architecture.
    table = kind_of("tcgen05@sm_107" if name.endswith("_v2") else "tcgen05").table
    fields = _PACKED[name]
    fixed = 0 if "version" in fields or _NO_VERSION.search(text) else table.must_value
    places = [(table.by_key[key].lo, table.by_key[key].width) for key in fields]
    taken = sum(ones(width) << low for low, width in places)

    word: Any = (fixed & ~taken, table.full & ~taken)
    for place, (low, width) in enumerate(places):
        word = ir.INSERT(IN[place], word, const(low, 8), const(width, 8), table.width)
    return cast(Node, word)
