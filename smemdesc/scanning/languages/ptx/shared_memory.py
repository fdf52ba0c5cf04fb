"""The instructions of PTX that write shared memory by TMA, set up its barriers, or wait for bytes (PTX ISA 9.7.9)."""

from __future__ import annotations

import re

from smemdesc.scanning.analysis.starts import Symbol
from smemdesc.scanning.languages.ptx.lower import ACCESS, source_bits
from smemdesc.scanning.languages.ptx.text import PtxStatement, added
from smemdesc.scanning.shared_memory.facts import (
    ARRIVE,
    CHANGE,
    COMPLETE,
    COPY,
    EXPECT,
    LOAD,
    MAP,
    SET_UP,
    SLOT,
    UNKNOWN_PLACE,
    WAIT,
    WRITE,
    NamedAddress,
    SharedItem,
    copied_boxes,
)

_TO_SHARED = re.compile(
    r"cp\.async\.bulk\.(?:tensor\.[1-5]d\.)?(?:cta_group::[12]\.)?shared::(?:cluster|cta)\.global\."
)
_COMPLETING = ("cp.", "st.async.", "red.async.", "mbarrier.", "clusterlaunch", "call")
_COMPLETES = re.compile(r"complete_tx|^call")
"""What completes bytes on a barrier and is no copy from global memory; a call may."""
_HARMLESS = re.compile(r"(?:^|[\s,)])(?:__assertfail|vprintf)\b")
"""The functions of the runtime that a call of assert or printf becomes."""
_WRITING = ("st", "stmatrix", "red", "atom")
_ELSEWHERE = {"global", "local", "param"}
_COMMITS, _ARRIVES = "tcgen05.commit.", "cp.async.mbarrier.arrive."
_BY_THREADS = ("cp.async.ca.", "cp.async.cg.")
_BITS = 32


def shared_item(index: int, statement: PtxStatement) -> SharedItem | None:
    """Return what a statement does to shared memory; None if that does not matter, or an operand is missing."""
    name, operands = statement.mnemonic, statement.operands
    try:
        if _TO_SHARED.match(name):
            return _copy(index, statement)
        if name.startswith(_COMPLETING) and _COMPLETES.search(name):
            return None if _HARMLESS.search(statement.rest) else SharedItem(index, COMPLETE, UNKNOWN_PLACE)
        if (statement.name in _WRITING and not _ELSEWHERE & set(statement.suffixes)) or name.startswith(_BY_THREADS):
            return SharedItem(index, WRITE, UNKNOWN_PLACE)
        if name.startswith("mbarrier."):
            return _of_barrier(index, statement)
        if name.startswith(_COMMITS):
            is_alone = "multicast" not in name and "::2" not in name
            return SharedItem(index, ARRIVE, _address(operands[0], statement) if is_alone else UNKNOWN_PLACE)
        if name.startswith(_ARRIVES):
            return SharedItem(index, ARRIVE, _address(operands[0], statement), arrivals=None)
        if name.startswith("tensormap.replace."):
            return SharedItem(index, CHANGE, _address(operands[0], statement))
        if statement.role is ACCESS and name.startswith("tcgen05.alloc."):
            return SharedItem(index, SLOT, _address(operands[0], statement))
        if name.startswith("ld.shared"):
            return SharedItem(index, LOAD, _address(operands[1], statement))
        if name.startswith("tensormap.cp_fenceproxy."):
            return SharedItem(index, MAP, _address(operands[0], statement), map=_address(operands[1], statement))
    except (IndexError, ValueError):
        if _COMPLETES.search(name):
            return SharedItem(index, COMPLETE, UNKNOWN_PLACE)
        return SharedItem(index, ARRIVE, UNKNOWN_PLACE) if "arrive" in name else None
    return None


def _copy(index: int, statement: PtxStatement) -> SharedItem:
    operands, multicast = statement.operands, ".multicast" in statement.mnemonic
    at = _address(operands[0], statement)
    if ".tensor." in statement.mnemonic:
        return SharedItem(
            *(index, COPY, at, None, _address(operands[2], statement), _address(operands[1], statement)),
            by_map=True,
            multicast=multicast,
            boxes=copied_boxes(statement.mnemonic),
        )
    size = _number(operands[2], statement)
    return SharedItem(index, COPY, at, size, _address(operands[3], statement), multicast=multicast)


def _of_barrier(index: int, statement: PtxStatement) -> SharedItem | None:
    suffixes, operands = statement.suffixes, statement.operands
    if "expect_tx" in suffixes:
        # The state of an arrival comes first.
        barrier, size = operands[-2:]
        is_arrival = int(suffixes[0] != "expect_tx")
        at = _address(barrier, statement)
        return SharedItem(index, EXPECT, at, _number(size, statement), arrivals=is_arrival)
    if suffixes[0] in ("arrive", "arrive_drop"):
        (at, *_) = [_address(text, statement) for text in operands if text[:1] == "["]
        return SharedItem(index, ARRIVE, at, arrivals=None)
    if suffixes[0] in ("try_wait", "test_wait"):
        return SharedItem(index, WAIT, UNKNOWN_PLACE)
    if suffixes[0] == "init":
        return SharedItem(index, SET_UP, _address(operands[0], statement), _number(operands[1], statement))
    return None


def _address(operand: str, statement: PtxStatement) -> NamedAddress:
    """Return the address in brackets; of a map, without the coordinates."""
    if operand[:1] != "[":
        raise ValueError(operand)
    sum_of = added(operand.strip("[] ").partition(",")[0].strip())
    if sum_of is None:
        raise ValueError(operand)
    name, plus = sum_of
    if statement.scope.alignment(name) is not None:
        return NamedAddress(Symbol(name), plus)
    return NamedAddress(source_bits(name, _BITS, statement.scope), plus)


def _number(operand: str, statement: PtxStatement) -> NamedAddress:
    return NamedAddress(source_bits(operand, _BITS, statement.scope))
