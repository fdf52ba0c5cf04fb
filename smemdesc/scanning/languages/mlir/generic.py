"""Operations of MLIR in generic form, rewritten in the form that their dialects print.

``"llvm.icmp"(%a, %b) <{predicate = 6 : i64}> : (i32, i32) -> i1`` becomes ``llvm.icmp "ult" %a, %b : i32``, so that the
readers of an operation need to know one form. Passes and verifiers print the generic form, and operations without a
custom form have only that. For an operation that is not in the tables, the operands, attributes and types are written
in sequence; what it passes to other blocks is then unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from smemdesc.engine.brackets import closing, split
from smemdesc.scanning.languages.mnemonics import CUTE

_NAME = re.compile(r"\"([A-Za-z_][\w$.-]*+)\"\s*+\(")
GENERIC = re.compile(r"[ \t]*+" + _NAME.pattern)
"""The beginning of an operation in generic form, up to its operands."""
_LABEL = re.compile(r"\(\s*+\{\s*+\^[-\w$.]++\s*+(?:\((.*)\))?\s*+:\s*+$", re.S)
_NUMBER = re.compile(r"(?<![\w-])-?\d{1,10}(?!\w)")
_TYPE_NAME = re.compile(r"[^\s<]++")
_DYNAMIC = -(1 << 31)
"""Marks an index of a getelementptr that is an operand."""
FUNCTIONS = frozenset(("llvm.func", "func.func", "gpu.func", "tt.func", "cuda.kernel"))
CONSTANTS = frozenset(("llvm.mlir.constant", "arith.constant", "llvm.mlir.zero"))
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


class Generic(NamedTuple):
    """A parsed operation in generic form."""

    name: str
    operands: Sequence[str]
    successors: Sequence[str]
    attributes: dict[str, str]
    """An empty value: the attribute is present, without a value."""
    types: Sequence[str]
    """The types of the operands."""
    results: Sequence[str]
    """The types of the results."""
    arguments: Sequence[str]
    """The arguments of its first region: ``%x: i32``."""

    def numbers(self, *keys: str) -> list[int]:
        """Return the numbers of the first of these attributes that is present: ``array<i32: 1, 2>``, ``[1, 2]``."""
        text = next((self.attributes[key] for key in keys if key in self.attributes), "")
        return [int(number) for number in _NUMBER.findall(text.partition(":")[2] if "array<" in text else text)]

    def segments(self) -> list[Sequence[str]]:
        """Return the operands split into segments; empty if the sizes are unknown."""
        sizes = self.numbers("operandSegmentSizes", "operand_segment_sizes")
        return _cut(self.operands, sizes)


def _cut(values: Sequence[str], sizes: Sequence[int]) -> list[Sequence[str]]:
    """Split values into groups of these sizes; empty if the sizes do not add up to their number."""
    if sum(sizes) != len(values) or min(sizes, default=-1) < 0:
        return []
    return [values[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]


def read_generic(text: str) -> Generic | None:
    """Parse an operation; None if it is in another form, or cut off.

    ``text`` begins with its name, and ends with the operation, or after the arguments of its first region.
    """
    match = _NAME.match(text)
    end = closing(text, match.end() - 1) if match else -1
    if match is None or end < 0:
        return None
    # A printer that does not know a value, or a block, writes ``<<UNKNOWN SSA VALUE>>``.
    operands = [name if name[0] == "%" else "%-" for name in split(text[match.end() : end]) if name]
    successors: Sequence[str] = ()
    attributes: dict[str, str] = {}
    arguments: Sequence[str] = ()
    at = end + 1
    while at < len(text):
        mark = text[at]
        if mark.isspace():
            at += 1
            continue
        end = closing(text, at) if mark in "([{<" else -1
        if end < 0:
            label = _LABEL.match(text, at)
            arguments = split(label[1] or "") if label else ()
            break
        inside = text[at + 1 : end]
        if mark == "[":
            successors = [name if name[:1] == "^" else "^-" for name in split(inside)]
        elif mark != "(":
            attributes.update(map(_attribute, split(inside.strip()[1:-1] if mark == "<" else inside)))
        at = end + 1
    before, after = _signature(text[at + 1 :] if text[at : at + 1] == ":" else "")
    return Generic(match[1], operands, successors, attributes, before, after, arguments)


def _attribute(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip().strip('"'), value.strip()


def _signature(text: str) -> tuple[list[str], list[str]]:
    """Return the types of the operands and the results: ``(i32, i32) -> i1``."""
    text = text.strip()
    end = closing(text, 0) if text[:1] == "(" else -1
    if end < 0:
        return [], []
    after = text[end + 1 :].strip().removeprefix("->").strip()
    if after[:1] == "(":
        return split(text[1:end]), split(after[1 : closing(after, 0)])
    # Text after the type is not part of the operation: a verifier's dump continues with messages.
    name = _TYPE_NAME.match(after)
    last = name.end() if name else 0
    last = closing(after, last) + 1 if after[last : last + 1] == "<" else last
    return split(text[1:end]), [after[:last]] if last else []


def respelled(operation: Generic) -> str:
    """Return the text after the name of an operation, in the form of its dialect."""
    spell = _SPELLED.get(operation.name)
    text = spell(operation) if spell is not None else None
    return _plain(operation) if text is None else text


# ---- the forms ----


def _listed(operation: Generic) -> str:
    return ", ".join(operation.operands)


def _braces(operation: Generic) -> str:
    """Return the attributes."""
    attributes = ", ".join(f"{key} = {value}" if value else key for key, value in operation.attributes.items())
    return f" {{{attributes}}}" if attributes else ""


def _typed(operation: Generic) -> str:
    """Return the types of the operands, and of the results."""
    results = ", ".join(operation.results)
    if not operation.types:
        return f" : {results}" if results else ""
    results = f"({results})" if len(operation.results) > 1 else results
    return f" : ({', '.join(operation.types)})" + (f" -> {results}" if results else "")


def _plain(operation: Generic) -> str:
    successors = "".join(f" {name}" for name in operation.successors)
    introduced = f" ({', '.join(operation.arguments)})" if operation.arguments else ""
    return f"{_listed(operation)}{successors}{introduced}{_braces(operation)}{_typed(operation)}"


def _function(operation: Generic) -> str:
    name = operation.attributes.get("sym_name", "").strip('"')
    return f"@{name}({', '.join(operation.arguments)})"


def _constant(operation: Generic) -> str | None:
    if len(operation.results) != 1:
        return None
    value = operation.attributes.get("value")
    return f": {operation.results[0]}" if value is None else f"({value}) : {operation.results[0]}"


def _comparison(operation: Generic) -> str | None:
    (number,) = operation.numbers("predicate")[:1] or (-1,)
    if not 0 <= number < len(_PREDICATES) or len(operation.types) != 2:
        return None
    return f'"{_PREDICATES[number]}" {_listed(operation)} : {operation.types[0]}'


def _extracted(operation: Generic) -> str | None:
    if len(operation.operands) != 1:
        return None
    return f"{operation.operands[0]}{operation.numbers('position')} : {''.join(operation.types)}"


def _inserted(operation: Generic) -> str | None:
    if len(operation.operands) != 2 or len(operation.types) != 2:
        return None
    into, value = operation.operands
    return f"{value}, {into}{operation.numbers('position')} : {operation.types[0]}"


def _inserted_element(operation: Generic) -> str | None:
    if len(operation.operands) != 3 or len(operation.types) != 3:
        return None
    into, value, place = operation.operands
    return f"{value}, {into}[{place} : {operation.types[2]}] : {operation.types[0]}"


def _offset(operation: Generic) -> str | None:
    numbers = operation.numbers("rawConstantIndices", "structIndices")
    kind = operation.attributes.get("elem_type")
    base, *rest = operation.operands or ("",)
    if kind is None or len(rest) != numbers.count(_DYNAMIC):
        return None
    passed = iter(rest)
    indices = ", ".join(next(passed) if number == _DYNAMIC else str(number) for number in numbers)
    return f"{base}[{indices}]{_typed(operation)}, {kind}"


def _access(operation: Generic) -> str | None:
    """Return a load or store of the llvm dialect; None if it is volatile or atomic."""
    if "volatile_" in operation.attributes or operation.numbers("ordering")[:1] not in ([], [0]):
        return None
    if operation.results:
        return f"{_listed(operation)} : {''.join(operation.types)} -> {operation.results[0]}"
    return f"{_listed(operation)} : {', '.join(operation.types)}"


def _element(operation: Generic) -> str | None:
    """Return a load or store of a memref."""
    stored = operation.operands[: 0 if operation.results else 1]
    memory, *places = operation.operands[len(stored) :] or ("",)
    kind = operation.types[len(stored) : len(stored) + 1]
    return f"{', '.join((*stored, memory))}[{', '.join(places)}] : {''.join(kind)}"


def _assembly(operation: Generic) -> str | None:
    text, constraints = (operation.attributes.get(key) for key in ("asm_string", "constraints"))
    return (
        None
        if text is None or constraints is None
        else f"{text}, {constraints} {_listed(operation)}{_typed(operation)}"
    )


def _counted(operation: Generic) -> str | None:
    first, *carried = operation.arguments or ("",)
    if len(operation.operands) != 3 + len(carried) or not first:
        return None
    counter, _, kind = first.partition(":")
    start, end, step, *initial = operation.operands
    passed = ", ".join(f"{name.partition(':')[0]} = {value}" for name, value in zip(carried, initial, strict=True))
    return (
        f"{counter} = {start} to {end} step {step}" + (f" iter_args({passed})" if passed else "") + f" : {kind.strip()}"
    )


def _branch(operation: Generic) -> str | None:
    """Return a branch with the values that it passes to each block."""
    if len(operation.successors) == 1:
        chosen, passed = operation.operands[:0], [operation.operands]
    else:
        chosen, *passed = operation.segments() or [()]
        if cases := operation.numbers("case_operand_segments"):
            passed = [*passed[:1], *_cut(passed[-1] if passed else (), cases)]
    if len(passed) < len(operation.successors):
        return None
    blocks = (
        f"{name}({', '.join(values)})" if values else name
        for name, values in zip(operation.successors, passed, strict=False)
    )
    return ", ".join((*chosen, *blocks))


def _wgmma(operation: Generic) -> str | None:
    if len(operation.operands) != 3:
        return None
    attribute = operation.attributes.get
    accumulator, a, b = operation.operands
    a_words, b_words = (f"{attribute('type' + which, '')}, {attribute('layout' + which, '')}" for which in "AB")
    # The first form of the operation did not name the type of D.
    d_words = attribute("typeD", accumulator)
    return f"{a}, {b}, {accumulator}, {attribute('shape', '')}, D[{d_words}], A[{a_words}], B[{b_words}]"


_FORMATS = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "bf16", "fp16")
"""The types of Triton's scaled operands, by their numbers."""


def _scaled(operation: Generic) -> str | None:
    """Return Triton's operation on scaled operands: the types of the operands, except the token, and the formats."""
    segments = operation.segments()
    formats = [operation.numbers(key)[:1] for key in ("a_type", "b_type")]
    if len(segments) < 6 or len(operation.types) != len(operation.operands):
        return None
    a, b, d, token = map(len, segments[:4])
    kinds = [*operation.types[: a + b + d], *operation.types[a + b + d + token :]]
    words = [
        f"{side} = {_FORMATS[number[0]]}"
        for side, number in zip(("lhs", "rhs"), formats, strict=True)
        if number and 0 <= number[0] < len(_FORMATS)
    ]
    return f"{_listed(operation)} {' '.join(words)}{_braces(operation)} : {', '.join(kinds)}"


def _fragment(operation: Generic) -> str | None:
    (which,) = operation.numbers("operand_id")[:1] or (-1,)
    return f"{'ABC'[which]} ({_listed(operation)}){_typed(operation)}" if 0 <= which < 3 else None


def _grouped(operation: Generic) -> str | None:
    """Return an operation of the CuTe DSL, whose operands may be lists: ``[%a, %scale_factors]``."""
    lists = [", ".join(values) for values in operation.segments() if values]
    passed = ", ".join(f"[{values}]" if "," in values else values for values in lists) or _listed(operation)
    return f"({passed}){_typed(operation)}"


_SPELLED: dict[str, Callable[[Generic], str | None]] = {
    **dict.fromkeys(FUNCTIONS, _function),
    **dict.fromkeys(CONSTANTS, _constant),
    **dict.fromkeys(("llvm.icmp", "arith.cmpi"), _comparison),
    **dict.fromkeys(("llvm.load", "llvm.store"), _access),
    **dict.fromkeys(("memref.load", "memref.store"), _element),
    **dict.fromkeys(("cf.br", "llvm.br", "cf.cond_br", "llvm.cond_br", "cf.switch", "llvm.switch"), _branch),
    "llvm.extractvalue": _extracted,
    "llvm.insertvalue": _inserted,
    "llvm.insertelement": _inserted_element,
    "llvm.getelementptr": _offset,
    "llvm.inline_asm": _assembly,
    **dict.fromkeys(CUTE, _grouped),
    "cute.mma.make_fragment": _fragment,
    "scf.for": _counted,
    "nvvm.wgmma.mma_async": _wgmma,
    "ttng.tc_gen5_mma_scaled": _scaled,
}
