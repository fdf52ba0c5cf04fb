"""What instructions and intrinsics of LLVM IR do to shared memory (LLVM, NVPTXUsage and IntrinsicsNVVM.td)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.brackets import split
from smemdesc.scanning.languages.inline_asm import InlineAsm
from smemdesc.scanning.languages.ir_shared_memory import (
    PER_LINE,
    IrAccess,
    IrSharedMemory,
    accesses_of_asm,
    may_access,
    of_value,
)
from smemdesc.scanning.languages.llvm.lower import LlvmDefinitions, LlvmLine, symbol_in
from smemdesc.scanning.languages.llvm.text import LlvmCall, call, type_and_value
from smemdesc.scanning.languages.mma import IntrinsicMma
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
    SharedItem,
    copied_boxes,
)


class _Form(NamedTuple):
    """What an intrinsic does, and which of its arguments are its operands."""

    action: str
    size: int | None = None
    barrier: int | None = None
    map: int | None = None

    @property
    def has_operands(self) -> bool:
        """Whether its operands matter; the first is the place in shared memory."""
        return self.action not in (WAIT, WRITE, COMPLETE)


_FORMS = tuple(
    (re.compile(r"llvm\.nvvm\." + name), form)
    for name, form in (
        (r"cp\.async\.bulk\.tensor\.g2s\.", _Form(COPY, barrier=1, map=2)),
        (r"cp\.async\.bulk\.global\.to\.shared\.", _Form(COPY, size=3, barrier=1)),
        (r"mbarrier\.init\b", _Form(SET_UP, size=1)),
        (r"mbarrier\.(?:arrive\.(?:drop\.)?)?(?:relaxed\.)?expect\.tx\b", _Form(EXPECT, size=1)),
        (r"mbarrier\.(?:test|try)\.wait\b", _Form(WAIT)),
        (r"tcgen05\.alloc\b", _Form(SLOT)),
        (r"stmatrix\b|cp\.async\.c[ag]\b", _Form(WRITE)),
        (r"cp\.async\.bulk\.shared\.cta\.to\.cluster\b|mbarrier\.complete\.tx\b|clusterlaunchcontrol", _Form(COMPLETE)),
    )
)
_CALLING = ("call", "invoke", "callbr")
_WRITING = ("store", "atomicrmw", "cmpxchg")
_FILLING = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_SHARED = re.compile(r"ptr(?: addrspace\((?:3|7)\))?(?! addrspace)")
"""A pointer to shared memory, or one that may be."""


def llvm_shared_memory(
    rows: Sequence[LlvmLine], definitions: LlvmDefinitions, maps: GivenMaps
) -> IrSharedMemory | None:
    """Return what a function does to shared memory; None if its blocks are not known. ``maps``: those of its
    parameters."""
    flow = definitions.flow
    if flow is None:
        return None

    def accesses() -> Iterator[IrAccess]:
        for row in rows:
            called = call(row.rest) if row.name in _CALLING else None
            block = flow.block_at(row.at)
            if called is not None and called.asm:
                if not may_access(called.asm):
                    continue
                yield from accesses_of_asm(definitions.inline(row.at, called), block, symbol_in)
            elif (item := _item(row, called, definitions)) is not None:
                text = (
                    row.text.strip()
                    if called is None
                    else f"{called.name}({', '.join(v for _, v in called.arguments)})"
                )
                yield IrAccess(item, text, block)

    def block(instruction: IntrinsicMma | InlineAsm) -> int:
        return flow.block_at(instruction.at)

    return IrSharedMemory(definitions, accesses(), block, maps)


def _item(row: LlvmLine, called: LlvmCall | None, definitions: LlvmDefinitions) -> SharedItem | None:
    """Return what an instruction or an intrinsic does to shared memory; None if that does not matter."""
    number = row.at * PER_LINE
    if called is None and row.name not in _CALLING:
        pointers = [type_and_value(part)[0] for part in split(row.rest)] if row.name in _WRITING else []
        to_shared = any(map(_SHARED.fullmatch, pointers[row.name == "store" :]))
        return SharedItem(number, WRITE, UNKNOWN_PLACE) if to_shared else None
    if called is None or not called.name.startswith("llvm."):
        return SharedItem(number, COMPLETE, UNKNOWN_PLACE)
    if called.name.startswith(_FILLING):
        to_shared = any(_SHARED.fullmatch(kind) for kind, _ in called.arguments[:1])
        return SharedItem(number, WRITE, UNKNOWN_PLACE) if to_shared else None
    form = next((form for pattern, form in _FORMS if pattern.match(called.name)), None)
    return None if form is None else _intrinsic(number, form, called, definitions)


def _intrinsic(number: int, form: _Form, called: LlvmCall, definitions: LlvmDefinitions) -> SharedItem:
    """Return what an intrinsic does, with its operands; if some are missing, it may complete on any barrier."""
    places = [place for place in form[1:] if place is not None]
    if not form.has_operands:
        return SharedItem(number, form.action, UNKNOWN_PLACE)
    if len(called.arguments) <= max(places, default=0):
        return SharedItem(number, COMPLETE, UNKNOWN_PLACE)
    operands = [of_value(definitions.operand(*argument), argument[1], symbol_in) for argument in called.arguments]
    size, barrier, of_map = [None if place is None else operands[place] for place in form[1:]]
    flags = [text for kind, text in called.arguments if kind == "i1"]
    return SharedItem(
        *(number, form.action, operands[0], size, barrier, of_map, of_map is not None),
        multicast=form.action == COPY and len(flags) > 1 and flags[0] != "false",
        boxes=copied_boxes(called.name),
    )
