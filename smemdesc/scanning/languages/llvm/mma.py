"""The tensor-core intrinsics of LLVM: the meaning of their names and arguments.

``tcgen05.mma``: D, A, B, instruction descriptor, enable-input-d; then, depending on the name, the sparsity metadata, a
scale, the disabled lanes, the zero-column mask, the scale factors; then immediate numbers (LLVM, NVPTXUsage and
IntrinsicsNVVM.td).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.languages.llvm.text import LlvmCall
from smemdesc.scanning.languages.mma import SCALE_INPUT, NotUnderstoodError, Understood, require_types, tcgen05, wgmma
from smemdesc.scanning.languages.mnemonics import ACCESSES
from smemdesc.scanning.languages.tensor_memory import SHIFTED, access, allocation, move
from smemdesc.scanning.model import Instruction

_INTRINSIC = re.compile(r"llvm\.nvvm\.(tcgen05\.(?:mma|cp|ld|st|shift|alloc|dealloc)|wgmma\.mma_async)(?:\.|$)")
# ti16 is in the enumeration of NVVM (CUTLASS's Python DSL 4.8.1), and not yet in LLVM's own sources.
_KINDS = {0: "f16", 1: "tf32", 2: "f8f6f4", 3: "i8", 7: "ti16"}
_GROUP = re.compile(r"\.cg([12])(?:\.|$)")
_SHAPE = re.compile(r"\.m64n(\d{1,3})k(\d{1,3})\.(\w+)\.(\w+)\.(\w+)")
_NUMBER = re.compile(r"\d{1,9}$")
_FIXED = 5
"""The number of leading arguments that every tcgen05.mma has."""
_PLAIN = frozenset(
    ("scale_d", "disable_output_lane", "ashift", "zero_col_mask", "shared", "tensor", "ws", "sp", "cg1", "cg2")
)
"""The words of an intrinsic whose first immediate numbers are its kind and cta_group."""

_TENSOR_POINTER = "ptr addrspace(6)"


def understand(call: LlvmCall) -> Understood | None:
    """Return the instruction of an intrinsic, and its operands; None if it does not read descriptors.

    Raises :class:`NotUnderstoodError`.
    """
    intrinsic = _INTRINSIC.match(call.name)
    if intrinsic is None:
        return None
    return _FORMS[intrinsic[1]](call, call.name[intrinsic.end() :])


def _group(call: LlvmCall) -> int | None:
    group = _GROUP.search(call.name)
    return int(group[1]) if group else None


def _copy(call: LlvmCall, name: str) -> Understood:
    require_types([kind for kind, _ in call.arguments], ((1, "i64", "the descriptor"),), "argument")
    names = OperandNames(call.arguments[1], None, memory=(TmemAddress("d", call.arguments[0]),))
    return Instruction("tcgen05.cp", cta_group=_group(call)), names


def _wgmma(call: LlvmCall, name: str) -> Understood:
    """No release of LLVM documents these: only the name is used."""
    shape = _SHAPE.search(call.name)
    if not shape:
        raise NotUnderstoodError("its name has no shape and types (m64n128k16.f32.f16.f16)")
    instruction = wgmma(int(shape[1]), int(shape[2]), shape.groups()[2:])
    if instruction is None:
        raise NotUnderstoodError(f"wgmma has no shape and types {shape[0][1:]}")
    return instruction, OperandNames(("i64", "poison"), ("i64", "poison"))  # their arguments are unknown


def _tcgen05(call: LlvmCall, name: str) -> Understood:
    words, arguments = name.split("."), call.arguments
    if len({"shared", "tensor"} & set(words)) != 1:
        raise NotUnderstoodError("its name does not contain the place of A (shared or tensor)")
    in_tmem, sparse = "tensor" in words, "sp" in words
    of_a = (1, "ptr", "A in tensor memory") if in_tmem else (1, "i64", "the descriptor of A")
    needed = (of_a, (2, "i64", "the descriptor of B"), (3, "i32", "the instruction descriptor"), (4, "i1", "enable-d"))
    require_types([kind for kind, _ in arguments], needed, "argument")
    mask = _zero_column_mask(call) if "zero_col_mask" in words else None
    if words[0] not in ("shared", "tensor") and {"block_scale", "sp", "ws"}.isdisjoint(words):
        raise NotUnderstoodError(f"{words[0]} is an unknown form of it")
    kind, group = _kind_and_group(call, words)
    instruction = tcgen05(
        [kind] if kind else [],
        (*words, SCALE_INPUT) if "scale_d" in words else words,
        group if group in (1, 2) else None,
        in_tmem,
        sparse,
    )
    memory = [TmemAddress("d", arguments[0]), *([TmemAddress("a", arguments[1])] if in_tmem else [])]
    if "block_scale" in words:
        # The sparsity metadata comes before the scale factors.
        scales = [argument for argument in arguments[_FIXED:] if argument[0] == _TENSOR_POINTER][sparse:]
        memory += [TmemAddress(*scale) for scale in zip(("scale_a", "scale_b"), scales, strict=False)]
    names = OperandNames(None if in_tmem else arguments[1], arguments[2], arguments[3], mask, tuple(memory))
    return instruction, names


def _zero_column_mask(call: LlvmCall) -> tuple[str, str]:
    """Return the argument of a ``tcgen05.mma.ws`` that is its zero-column mask descriptor."""
    mask = next((argument for argument in call.arguments[_FIXED:] if argument[0] == "i64"), None)
    if mask is None:
        raise NotUnderstoodError("no argument after the first five has type i64, the type of a zero-column mask")
    return mask


def _kind_and_group(call: LlvmCall, words: list[str]) -> tuple[str | None, int | None]:
    """Return the MMA kind and the cta_group, which are in the name or the first immediate numbers."""
    numbers = [int(value) for kind, value in call.arguments[_FIXED:] if kind == "i32" and _NUMBER.match(value)]
    if "block_scale" in words:
        return next((word for word in words if word.startswith("mxf")), None), numbers[0] if numbers else None
    if not _PLAIN.issuperset(words):
        numbers = []
    named = 1 if "ws" in words else _group(call)
    return _KINDS.get(numbers[0]) if numbers else None, named or (numbers[1] if len(numbers) > 1 else None)


def _access(call: LlvmCall, name: str) -> Understood | None:
    """Return a load, a store, a shift or an allocation of tensor memory; None if arguments are missing."""
    operation, arguments = call.name.split(".")[3], call.arguments
    if operation in ("alloc", "dealloc"):
        return allocation(arguments[1], f"tcgen05.{operation}") if len(arguments) > 1 else None
    if not arguments:
        return None
    address = TmemAddress("at", arguments[0])
    if operation == "shift":
        return access("tcgen05.shift", address, 1, SHIFTED)
    split = next((int(value) for kind, value in arguments if kind == "i64" and _NUMBER.match(value)), None)
    return move(f"tcgen05.{operation}", address, name.split("."), split, arguments[-1][1] in ("true", "1"))


_FORMS: dict[str, Callable[[LlvmCall, str], Understood | None]] = {
    "tcgen05.mma": _tcgen05,
    "tcgen05.cp": _copy,
    **dict.fromkeys(ACCESSES, _access),
    "wgmma.mma_async": _wgmma,
}
