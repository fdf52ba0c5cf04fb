"""What operations of the nvvm and llvm dialects do to shared memory (MLIR, NVVMOps.td)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from smemdesc.scanning.analysis.ssa import PredicateLiteral
from smemdesc.scanning.languages.inline_asm import InlineAsm
from smemdesc.scanning.languages.ir_shared_memory import PER_LINE, IrAccess, IrSharedMemory, accesses_of_asm, may_access
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions
from smemdesc.scanning.languages.mlir.text import MlirFunction, Operation, named_values
from smemdesc.scanning.languages.mma import IntrinsicMma
from smemdesc.scanning.languages.mnemonics import NVVM_COPIES
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.shared_memory.facts import (
    COMPLETE,
    COPY,
    EXPECT,
    SET_UP,
    SLOT,
    UNKNOWN_PLACE,
    WAIT,
    WRITE,
    NamedAddress,
    SharedItem,
    copied_boxes,
)

_BY_MAP, _ = NVVM_COPIES
_ACTIONS = (
    (re.compile(r"nvvm\.mbarrier\.init\b"), SET_UP),
    (re.compile(r"nvvm\.mbarrier\.(?:arrive(?:_drop)?\.)?expect_tx\b"), EXPECT),
    (re.compile(r"nvvm\.mbarrier\.(?:test|try)[_.]wait\b"), WAIT),
    (re.compile(r"nvvm\.tcgen05\.alloc\b"), SLOT),
    (re.compile(r"nvvm\.(?:stmatrix\b|cp\.async\.shared\.global\b)|llvm\.(?:intr\.mem|atomicrmw|cmpxchg)"), WRITE),
    (re.compile(r"nvvm\.(?:cp\.async\.bulk\.shared\.cluster\.shared|mbarrier\.complete_tx|clusterlaunch)"), COMPLETE),
    (re.compile(r"(?:llvm|func)\.(?:call|invoke)\b"), COMPLETE),
)
_DIALECTS = frozenset(("arith", "builtin", "cf", "func", "gpu", "index", "llvm", "math", "nvvm", "scf", "ub"))
"""Those of which all that writes shared memory is read here."""
_GROUPS = re.compile(r"\boperandSegmentSizes = array<i32: 1, ?1, ?(\d+),")
_PREDICATE = re.compile(r"\bpredicate = (%[\w$.-]+(?:#\d+)?)")
_OTHER_SPACE = re.compile(r"!llvm\.ptr<(?![37]>)\d+>")


def nvvm_shared_memory(source: MlirFunction, definitions: MlirDefinitions, maps: GivenMaps) -> IrSharedMemory | None:
    """Return what a function does to shared memory; None if its blocks, or what its operations write, are not known.

    ``maps``: those of its parameters.
    """
    flow = definitions.flow
    dialects = {operation.name.partition(".")[0] for operation in source.operations if "." in operation.name}
    if flow is None or not dialects <= _DIALECTS:
        return None
    blocks = {operation.at: flow.block_of(operation) or 0 for operation in source.operations}

    def accesses() -> Iterator[IrAccess]:
        for operation in source.operations:
            asm = definitions.inline(operation) if may_access(operation.text) else None
            if asm is not None:
                yield from accesses_of_asm(asm, blocks[operation.at], lambda _: None)
            elif (item := _item(operation, definitions)) is not None:
                named = _PREDICATE.search(operation.text)
                holds = named and PredicateLiteral(definitions.operand(operation.region, named[1]), True)
                text = f"{operation.name} {operation.text}".partition(" : ")[0].strip()
                yield IrAccess(item, text, blocks[operation.at], holds or None)

    def block(instruction: IntrinsicMma | InlineAsm) -> int:
        return blocks[instruction.at]

    return IrSharedMemory(definitions, accesses(), block, maps)


def _item(operation: Operation, definitions: MlirDefinitions) -> SharedItem | None:
    """Return what an operation does to shared memory; None if that does not matter."""
    name, text, number = operation.name, operation.text, operation.at * PER_LINE
    if name == "llvm.store":
        return None if _OTHER_SPACE.search(text.rpartition(":")[2]) else SharedItem(number, WRITE, UNKNOWN_PLACE)
    operands: list[Any] = [
        NamedAddress(definitions.operand(operation.region, value)) for value in named_values(text.partition(" : ")[0])
    ]
    if name in NVVM_COPIES and len(operands) > _barrier_of(text):
        barrier = operands[_barrier_of(text)]
        size, of_map = (None, operands[1]) if name == _BY_MAP else (operands[-1], None)
        return SharedItem(
            *(number, COPY, operands[0], size, barrier, of_map, name == _BY_MAP),
            multicast="multicast" in text or "i16" in text.rpartition(" : ")[2],
            boxes=copied_boxes(text),
        )
    action = next((action for pattern, action in _ACTIONS if pattern.match(name)), None)
    if action in (SET_UP, EXPECT, SLOT) and len(operands) > 1:
        return SharedItem(number, action, operands[0], None if action == SLOT else operands[1])
    return None if action is None else SharedItem(number, action, UNKNOWN_PLACE)


def _barrier_of(text: str) -> int:
    """Return which operand of a copy is its barrier: in the generic form the coordinates come before it."""
    groups = _GROUPS.search(text)
    return 2 if groups is None else 2 + int(groups[1])
