"""What a function keeps in memory, as registers of the analysis: spilled registers, the variables of unoptimized code
(``-G``, ``-O0``), and variables whose address the program takes.

``STL [R1+0x10], R5`` and ``LDL R5, [R1+0x10]``; ``IADD3 R8, P0, R4, 0x18, RZ``, ``IADD3.X R9, R3, RZ, RZ, P0, !PT``,
``ST.E desc[UR4][R8.64], R10``. Addresses are distinguished by :mod:`smemdesc.scanning.languages.sass.addresses`. A
store to another base, or to an address that cannot be followed, may write every byte; so may, except on the stack of a
thread, instructions that let other threads write: barriers, atomics, fences, copies, calls.

If a variable index is added to an address, as in ``a[i]``, the analysis of values determines its possible values: a
load returns what all possible elements have in common, and a store leaves what holds whether it wrote or not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from smemdesc.engine import known
from smemdesc.engine.known import UNKNOWN, Value
from smemdesc.scanning.analysis.conditions import unrefined
from smemdesc.scanning.analysis.ir import CUT, GIVEN, inputs, replaced
from smemdesc.scanning.analysis.memory import MadeOf, Slots, parts_of, step_effect
from smemdesc.scanning.analysis.ssa import Register, Ssa, SsaStep, Version
from smemdesc.scanning.languages.mnemonics import SASS
from smemdesc.scanning.languages.sass.addresses import (
    STACK,
    Addresses,
    AddressValue,
    AddressWord,
    is_near,
    reaches,
    rooted,
)
from smemdesc.scanning.languages.sass.branches import BRANCHES
from smemdesc.scanning.languages.sass.lower import HARMLESS, KNOWN_NAMES
from smemdesc.scanning.languages.sass.text import REGISTER_BITS, SassInstruction, parse_instruction

_MANY = 500_000
"""The most reads and writes of words that are followed."""
_MANY_NEAR = 5000
"""The same for addresses with several possible values: each access reads the whole stack."""
_ELSEWHERE = ("ATOMS", "ATOMG", "REDG", "REDAS", "ATOMAS", "REDUX")
"""They do not reach local memory."""
_NOTHING, _TOUCHES, _ANYTHING, _OTHERS = range(4)


@lru_cache(4096)
def _kind(mnemonic: bytes) -> int:
    """Return what a mnemonic does: it loads or stores, may write anything, or lets other threads write."""
    line = parse_instruction(mnemonic + b" R0")
    if line is None or not line.operands:
        return _NOTHING
    name = line.name
    if reaches(line):
        return _TOUCHES
    generic = name.startswith(("ATOM", "RED")) and name not in _ELSEWHERE
    if generic or name in ("SETLMEMBASE", "CCTLL") or not (name in KNOWN_NAMES or name in BRANCHES or name in SASS):
        return _ANYTHING
    return _NOTHING if name in SASS or _harmless(line) else _OTHERS


def _mnemonic(line: bytes) -> bytes:
    """Return the mnemonic of a line; empty for a label or a comment."""
    _, mark, rest = line.partition(b"*/")
    first = (rest if mark else line).split(None, 2)
    if not first:
        return b""
    word = first[1] if first[0][:1] == b"@" and len(first) > 1 else first[0]
    return word.partition(b";")[0]


def _harmless(line: SassInstruction) -> bool:
    """Whether a line writes no memory, and lets no other thread write."""
    return line.name in HARMLESS and not {"STRONG", "ACQUIRE", "MMIO", "SYS", "GPU"} & set(line.suffixes)


def sass_memory(lines: list[bytes], ssa: Ssa, writes: Callable[[int], tuple[str, ...]]) -> dict[int, SsaStep]:
    """Return the steps of lines that load or store words that a function keeps in memory and reads back, or may store
    to any; other lines are lowered as usual.

    ``writes`` returns the registers that a line writes.
    """
    kinds = {index: kind for index, line in enumerate(lines) if (kind := _kind(_mnemonic(line)))}
    addresses = Addresses(lines, ssa, [index for index, kind in kinds.items() if kind == _TOUCHES])
    slots = Slots(addresses.accesses.values())

    @cache
    def others(space: str) -> tuple[str, ...]:
        """Return the words of all spaces but one, which may alias the same bytes."""
        return tuple(name for other in slots.spaces if other != space for name in slots.names(other))

    every, shared = others(""), others(STACK)
    followed_calls = {block.entry_cause for block in ssa.blocks if block.callee_lines}
    many = len(slots.names(STACK)) * sum(bool(access.near) for access in addresses.accesses.values()) > _MANY_NEAR
    # The loads and stores of words that are followed.
    own = {
        index: access
        for index in kinds
        if (access := addresses.accesses.get(index)) is not None
        and access.space in slots.spaces
        and not (many and access.near)
    }

    def step(index: int, kind: int) -> SsaStep | None:
        """Return the step of a line that may load or store these words; None for another line."""
        if index in own:
            access = own[index]._replace(near=tuple(map(_distance, own[index].near)))
            return slots.load(access) if access.loads else slots.store(access, others(str(access.space)))
        line = addresses.touching.get(index)
        if kind == _ANYTHING or (line is not None and line.name in ("ST", "STL")):
            return SsaStep((*writes(index), *every))
        lets_others_write = kind == _OTHERS or (line is not None and not _harmless(line))
        return (
            SsaStep((*writes(index), *shared)) if lets_others_write and shared and index not in followed_calls else None
        )

    effects: dict[int, SsaStep] = {}
    left = _MANY if every else -1
    for index, kind in kinds.items():
        if (written := step(index, kind)) is None:
            continue
        effects[index] = written
        left -= len(written.reads) + len(written.writes)
        if left < 0:
            return {}
    effects.update(_far(addresses, [(name, index) for index, access in own.items() for name in access.near]))
    return effects if any(access.loads for access in own.values()) else {}


# ---- distances from the stack pointer ----


def _distance(name: Register) -> str:
    """Return the name of the register that holds the distance of an address register from the stack pointer."""
    return f"{name} from the stack pointer"


def _far(addresses: Addresses, uses: list[tuple[str, int]]) -> dict[int, SsaStep]:
    """Return the steps of lines that write stack addresses to the registers in ``uses``, with the distances added.

    The distance of a sum with a stack address as one of its terms is the same sum with that term's distance instead;
    the same holds for the two words of a 64-bit sum, with the carry between them.
    """
    parts_by_line: dict[int, list[MadeOf]] = {}
    waiting = [addresses.version(*use) for use in uses]
    seen = set[Version | None]([None])
    while waiting:
        version = waiting.pop()
        if version is None or version in seen:
            continue
        seen.add(version)
        if version.index < 0:
            waiting += addresses.needs(version)
            continue
        if version.index not in parts_by_line:
            parts_by_line[version.index] = parts_of(addresses.ssa.code.step(version.index, version.register))
        address, definition = addresses.value_of(version), addresses.define(version)
        reads: list[object] = []
        transfer = GIVEN(_number(address))
        if is_near(address) and definition is not None:
            for read in map(unrefined, definition.reads):
                value = addresses.value_of(read)
                if is_near(value):
                    reads.append(_distance(read.register))
                    waiting.append(read)
                else:
                    reads.append(_number(value) if rooted(value) else getattr(read, "register", read))
            transfer = replaced(definition.transfer, [CUT(node, REGISTER_BITS) for node in inputs(len(reads))])
        parts_by_line[version.index].append((_distance(version.register), tuple(reads), transfer))
    return {index: step_effect(parts) for index, parts in parts_by_line.items()}


def _number(word: AddressValue) -> Value:
    """Return the distance of a word from the stack pointer, if it is a number."""
    if not isinstance(word, AddressWord) or isinstance(word.plus, str):
        return UNKNOWN
    return known.const(word.plus >> REGISTER_BITS if word.high else word.plus, REGISTER_BITS)
