"""The tensor-core intrinsics of LLVM: the meaning of their names and arguments.

``tcgen05.mma``: D, A, B, instruction descriptor, enable-input-d; then, depending on the name, the sparsity metadata, a
scale, the disabled lanes, the zero-column mask, the scale factors; then immediate numbers (LLVM, NVPTXUsage and
IntrinsicsNVVM.td).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from smemdesc.scanning.languages.compiler_ir import OperationOperands
from smemdesc.scanning.languages.llvm.text import LlvmCall
from smemdesc.scanning.model import OPERAND_TYPES, Instruction, is_shape, scale_of

_INTRINSIC = re.compile(r"llvm\.nvvm\.(tcgen05\.mma|tcgen05\.cp|wgmma\.mma_async)(?:\.|$)")
# ti16 is in the enumeration of NVVM (CUTLASS's Python DSL 4.8.1), and not yet in LLVM's own sources.
KINDS = {0: "f16", 1: "tf32", 2: "f8f6f4", 3: "i8", 7: "ti16"}
_GROUP = re.compile(r"\.cg([12])(?:\.|$)")
_SHAPE = re.compile(r"\.m64n(\d{1,3})k(\d{1,3})\.(\w+)\.(\w+)\.(\w+)")
_NUMBER = re.compile(r"\d{1,9}$")
_BLOCKS = {"block16", "block32"}
_FIXED = 5
"""The number of leading arguments that every tcgen05.mma has."""


TENSOR_POINTER = "ptr addrspace(6)"


def understand(call: LlvmCall) -> tuple[Instruction, OperationOperands] | str | None:
    """Return the instruction of an intrinsic, and its operands.

    None if it does not read descriptors; a string, the reason, if it is not understood.
    """
    intrinsic = _INTRINSIC.match(call.name)
    if intrinsic is None:
        return None
    return _FORMS[intrinsic[1]](call, call.name[intrinsic.end() :])


def _copy(call: LlvmCall, name: str) -> tuple[Instruction, OperationOperands] | str:
    wrong = wrong_types([kind for kind, _ in call.arguments], ((1, "i64", "the descriptor"),), "argument")
    if wrong:
        return wrong
    group = _GROUP.search(call.name)
    return Instruction("tcgen05.cp", cta_group=int(group[1]) if group else None), OperationOperands(
        call.arguments[1], None, memory={"d": call.arguments[0]}
    )


def wrong_types(kinds: Sequence[str], expected: Sequence[tuple[int, str, str]], what: str) -> str:
    """Return a message about the first operand that is missing or has another type; empty if all are right."""
    for place, kind, name in expected:
        if place >= len(kinds):
            return f"{what} {place + 1}, {name}, is missing"
        if kinds[place] != kind and (kind[0] == "i" or not kinds[place].startswith(kind)):
            return f"{what} {place + 1}, {name}, must be {kind}, not {kinds[place] or 'of an unknown type'}"
    return ""


def _wgmma(call: LlvmCall, name: str) -> tuple[Instruction, OperationOperands] | str:
    """No release of LLVM documents these: only the name is used."""
    shape = _SHAPE.search(call.name)
    if not shape:
        return "its name has no shape and types (m64n128k16.f32.f16.f16)"
    if not {shape[4], shape[5]} <= OPERAND_TYPES or not is_shape(int(shape[1]), int(shape[2])):
        return f"wgmma has no shape and types {shape[0][1:]}"
    instruction = Instruction(
        "wgmma", m=64, n=int(shape[1]), k=int(shape[2]), d_type=shape[3], a_type=shape[4], b_type=shape[5]
    )
    return instruction, OperationOperands(("i64", "poison"), ("i64", "poison"))  # their arguments are unknown


def _tcgen05(call: LlvmCall, name: str) -> tuple[Instruction, OperationOperands] | str:
    words = name.split(".")
    arguments = call.arguments
    if len({"shared", "tensor"} & set(words)) != 1:
        return "its name does not contain the place of A (shared or tensor)"
    of_a = (1, "ptr", "A in tensor memory") if "tensor" in words else (1, "i64", "the descriptor of A")
    needed = (of_a, (2, "i64", "the descriptor of B"), (3, "i32", "the instruction descriptor"), (4, "i1", "enable-d"))
    wrong = wrong_types([kind for kind, _ in arguments], needed, "argument")
    if wrong:
        return wrong
    after = arguments[_FIXED:]
    ws, sparse, scaled = "ws" in words, "sp" in words, "block_scale" in words
    masked = "zero_col_mask" in words
    mask = next((argument for argument in after if argument[0] == "i64"), None) if masked else None
    if masked and mask is None:
        return "no argument after the first five has type i64, the type of a zero-column mask"
    numbers = [int(value) for kind, value in after if kind == "i32" and _NUMBER.match(value)]
    kind: str | None = None
    group: int | None = None
    scale_vec: int | None = None
    if scaled:
        kind = next((word for word in words if word.startswith("mxf")), None)
        group = numbers[0] if numbers else None
        scale_vec = scale_of(kind, words)
    elif words[0] not in ("shared", "tensor") and not (ws or sparse):
        return f"{words[0]} is an unknown form of it"
    else:
        extra = {"scale_d", "disable_output_lane", "ashift", "zero_col_mask"}
        plain = all(word in extra or word in ("shared", "tensor", "ws", "sp", "cg1", "cg2") for word in words)
        named = _GROUP.search(call.name)
        kind = KINDS.get(numbers[0]) if plain and numbers else None
        if ws:
            group = 1
        elif named:
            group = int(named[1])
        else:
            group = numbers[1] if plain and len(numbers) > 1 else None
    instruction = Instruction(
        "tcgen05",
        mma_kind=kind,
        mma_kinds=(kind,) if kind else (),
        cta_group=group if group in (1, 2) else None,
        ws=ws,
        sparse=sparse,
        scale_vec=scale_vec,
        a_from="tmem" if "tensor" in words else "shared",
        qualifiers=(
            *(["block-size"] if scaled and _BLOCKS & set(words) else []),
            *(["scale-input-d"] if "scale_d" in words else []),
        ),
    )
    memory = {"d": arguments[0]}
    if "tensor" in words:
        memory["a"] = arguments[1]
    scales = [argument for argument in after if argument[0] == TENSOR_POINTER][sparse:] if scaled else []
    memory.update(zip(("scale_a", "scale_b"), scales, strict=False))
    return instruction, OperationOperands(
        None if "tensor" in words else arguments[1], arguments[2], arguments[3], mask, memory
    )


_FORMS: dict[str, Callable[[LlvmCall, str], tuple[Instruction, OperationOperands] | str]] = {
    "tcgen05.mma": _tcgen05,
    "tcgen05.cp": _copy,
    "wgmma.mma_async": _wgmma,
}
