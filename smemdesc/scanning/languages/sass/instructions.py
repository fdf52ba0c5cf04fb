"""The instructions of a SASS function, each lowered when something depends on it.

Nine of ten lines have nothing to do with descriptors. A line is therefore first judged by its *head*, the mnemonic with
the operands that it may write, since there are few different ones: what it may write, or whether it branches. Only the
lines that a descriptor depends on are fully parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any
from weakref import proxy

from smemdesc.engine.known import TRUE
from smemdesc.scanning.analysis.conditions import unrefined
from smemdesc.scanning.analysis.ir import IN, Node
from smemdesc.scanning.analysis.ssa import Block, PredicateLiteral, Register, Ssa, SsaStep, Version
from smemdesc.scanning.languages import mnemonics
from smemdesc.scanning.languages.mma import ParsedMma
from smemdesc.scanning.languages.sass.branches import BRANCHES, may_branch
from smemdesc.scanning.languages.sass.lower import (
    KNOWN_NAMES,
    PREDICATES,
    PREDICATES_ONLY,
    REGROUPING,
    VOTES,
    cause,
    one_result,
    parse_and_lower,
    predicate_of,
    symbol,
    written_predicates,
    written_registers,
)
from smemdesc.scanning.languages.sass.memory import sass_memory
from smemdesc.scanning.languages.sass.text import (
    ALWAYS,
    HEAD,
    OFF,
    ON,
    REGISTER_BITS,
    UNREAD,
    SassInstruction,
    is_predicate,
    parse_instruction,
    parse_line,
    stays,
)
from smemdesc.scanning.model.causes import UNKNOWN

_CACHED = 12_000


class Head:
    """What the beginning of a line implies."""

    __slots__ = ("moves", "names", "registers")

    def __init__(self, registers: tuple[str, ...] = (), predicates: tuple[str, ...] = (), moves: bool = False) -> None:
        self.registers = registers
        self.names = registers + predicates
        """The registers and predicates that the line writes."""
        self.moves = moves
        """Whether it may move a register to itself."""


BRANCH_HEAD = Head()
MMA_HEAD = Head()
ODD = Head()
"""A line that is not an instruction."""
UNNAMED = Head()
"""An instruction with an unknown name: the whole line determines what it writes."""
WHOLE = Head()
"""The head does not determine what the line writes: the whole line does."""
UNDETERMINED = frozenset((BRANCH_HEAD, MMA_HEAD, ODD, UNNAMED, WHOLE))


@lru_cache(_CACHED)
def judge_head(head: bytes) -> Head | None:
    """Return what the head of a line implies; None: nothing relevant."""
    line = parse_instruction(head)
    if line is None:
        return ODD if head.strip() else None
    name = line.name
    if name in mnemonics.SASS:
        return MMA_HEAD
    if name in BRANCHES:
        return BRANCH_HEAD
    if may_branch(name):
        return ODD
    if line.guard in OFF:
        return None
    if name not in KNOWN_NAMES and not (name == UNREAD and not line.operands):
        return UNNAMED
    if name in VOTES or not one_result(line) or (name not in PREDICATES_ONLY and _only_predicates(line)):
        return WHOLE
    registers, predicates = written_registers(line), written_predicates(line)
    return _writes(registers, predicates, "MOV" in line.mnemonic) if registers or predicates else None


def _only_predicates(line: SassInstruction) -> bool:
    return bool(line.operands) and all(map(is_predicate, line.operands))


_TOGETHER = (KNOWN_NAMES | BRANCHES) - REGROUPING


@lru_cache(_CACHED)
def regroups(head: bytes) -> bool:
    """Whether the active threads may differ after a line, judged by its head: some may wait for others there."""
    line = parse_instruction(head)
    return line is not None and line.name not in _TOGETHER


_writes = lru_cache(_CACHED)(Head)
"""Heads that write the same registers are shared."""


_HEAD = re.compile(HEAD + rb"(?=[ ]*+(?:[,;\[`]|$))")


def head(line: bytes) -> bytes:
    """Return the head of a line (:data:`HEAD`); empty for a label or a comment."""
    _, mark, rest = line.partition(b"*/")
    if not mark:
        rest = b"" if line[-1:] == b":" or line[:1] == b"/" else line
    rest = rest.lstrip()
    match = _HEAD.match(rest)
    return rest.partition(b";")[0] if match is None else match[0]


class SassCode:
    """The instructions of a function, by their line numbers
    (:class:`smemdesc.scanning.analysis.ssa.FunctionCode`)."""

    def __init__(
        self,
        lines: list[bytes],
        heads: list[Head | None],
        mmas: Mapping[int, ParsedMma[SassInstruction]],
        blocks: Sequence[Block],
    ) -> None:
        self.lines = lines
        self.heads = heads
        self.mmas = mmas
        self.blocks = blocks
        self.ends = [*(block.at for block in blocks[1:]), len(lines)]
        self._guards: dict[int, PredicateLiteral | None] = {}
        self._regrouping: dict[int, list[int]] = {}
        self._groups: dict[int, int] = {}
        self._elections: dict[tuple[Any, Hashable], bool] = {}
        self._memory: dict[int, SsaStep] | None = None
        self._called = {
            block.entry_cause: block.callee_lines
            for block in blocks
            if block.entry_cause is not None and block.callee_lines
        }
        self.calls = {
            call: tuple({name for index in lines for name in self._changed(index)})
            for call, lines in self._called.items()
        }
        self.ssa: Ssa

    def versions(self) -> Ssa:
        """Return the versions of the registers."""
        ssa = Ssa(self.blocks, self, len(self.lines))
        self.ssa = proxy(ssa)  # no reference cycle: the garbage collector need not run
        return ssa

    def writes(self, index: int) -> tuple[str, ...]:
        """Return the registers that a line may write."""
        if index in self.mmas:
            return written_registers(self.mmas[index].line)  # the accumulators
        head = self.heads[index]
        if head is WHOLE or head is UNNAMED:
            line = parse_line(self.lines[index])
            return () if line is None else written_registers(line)
        return () if head is None else head.registers

    def _changed(self, index: int) -> tuple[str, ...]:
        """Return the registers and predicates that a line may change."""
        line = parse_line(self.lines[index])
        if line is None or stays(self.lines[index]) or self.heads[index] is BRANCH_HEAD:  # the register of RET is read
            return ()
        return (*self.writes(index), *written_registers(line), *written_predicates(line))

    # ---- writers of a register ----

    def writers(self, register: Register) -> Sequence[int]:
        """Return the lines that may write a register, in order."""
        return self._writing.get(register, ())

    @cached_property
    def _writing(self) -> defaultdict[Register, list[int]]:
        """The lines that may write each register, or word in memory."""
        writers: defaultdict[Register, list[int]] = defaultdict(list)
        for index, head in enumerate(self.heads):
            if head is None or (head.moves and stays(self.lines[index])):
                continue
            for name in self._names(index) if head in UNDETERMINED else head.names:
                lines = writers[name]
                if not lines or lines[-1] != index:
                    lines.append(index)
        return writers

    def _names(self, index: int) -> Sequence[Register]:
        """Return the registers, predicates and words in memory that a line may write whose head does not tell."""
        if self.heads[index] is BRANCH_HEAD:
            return self.calls.get(index, ())
        line = parse_line(self.lines[index])
        return (*self.writes(index), *(() if line is None else written_predicates(line)))

    # ---- what an instruction does ----

    def width(self, register: Register) -> int:
        """Return the width of a register in bits; 0 for a predicate."""
        return 0 if register in PREDICATES else REGISTER_BITS

    def guard(self, index: int) -> PredicateLiteral | None:
        """Return the predicate under which a line is executed; None: always."""
        if b"@" not in self.lines[index]:
            return None
        if index not in self._guards:
            line = parse_line(self.lines[index])
            self._guards[index] = None
            if line is not None and line.guard not in ON + OFF:
                self._guards[index] = predicate_of(line.guard[1:])
        return self._guards[index]

    def cause(self, index: int) -> str | None:
        """Return which source outside the text a line takes its result from, or that its name is unknown."""
        line = parse_line(self.lines[index]) if index < len(self.lines) else None
        if line is None:
            return None
        return UNKNOWN if self.heads[index] is UNNAMED else cause(line)

    def symbol(self, index: int) -> tuple[str, int] | None:
        """Return the constant from outside the text that a line reads, and the number added to it."""
        line = parse_line(self.lines[index])
        return None if line is None else symbol(line)

    def selects(self, index: int) -> bool:
        """Return whether a line may be a select."""
        return b"SEL" in self.lines[index]

    def step(self, index: int, register: Register) -> SsaStep:
        """Translate what a line writes into a register."""
        if index in self.calls:
            return SsaStep(self.calls[index])
        line, means = parse_and_lower(self.lines[index])
        if line is None or means is None or index in self.mmas:
            return SsaStep((register,))
        if self._memory is not None or line.name in ("LD", "LDL"):
            means = self.memory.get(index, means)
        if register in means.writes:
            return means
        if register in PREDICATES:
            return SsaStep((register,))
        return SsaStep((register,), (register,), IN[0])  # by the form of the line, it may be written

    @property
    def memory(self) -> dict[int, SsaStep]:
        """The steps of lines on words in memory; computed when something depends on a load, as it is slow."""
        if self._memory is None:
            self._memory = {}  # no address depends on a word in memory
            self._memory = sass_memory(self.lines, self.ssa, self.writes)
            words: dict[int, list[str]] = {}
            for index, step in self._memory.items():
                registers = PREDICATES.union(self.writes(index))
                words[index] = [name for name in step.writes if name not in registers]
            for call, lines in self._called.items():
                words[call] = list(set[str]().union(*(words.get(index, ()) for index in lines)))
                self.calls[call] = (*self.calls[call], *words[call])
            for index, changed in sorted(words.items()):
                for word in changed:
                    self._writing[word].append(index)
        return self._memory

    # ---- predicates on edges ----

    def edge(self, block: int, to: int) -> Sequence[tuple[int, PredicateLiteral]]:
        """Return the predicates that the branch at the end of a block implies on an edge."""
        index, line = self._last(block), self._branch(block)
        if line is None:
            return []
        texts = [line.guard[1:]] if line.guard not in ON else []
        if line.name == "BRA":
            if len(set(self.blocks[block].following)) < 2 or set(line.suffixes) - {"U"} or len(line.operands) > 2:
                return []
            others = [operand for operand in line.operands[:-1] if operand not in ALWAYS]
            if not all(map(is_predicate, others)):
                return []
            texts += others
        elif line.name != "EXIT" or line.operands:
            return []
        falls = to == block + 1
        if falls and len(texts) != 1:
            return []
        literals = map(predicate_of, texts)
        return [
            (index, condition._replace(holds=condition.holds != falls))
            for condition in literals
            if condition.predicate in PREDICATES
        ]

    def _branch(self, block: int) -> SassInstruction | None:
        """Return the branch at the end of a block; None if it does not end with one."""
        index = self._last(block)
        return None if index < 0 or self.heads[index] is not BRANCH_HEAD else parse_line(self.lines[index])

    def _last(self, block: int) -> int:
        """Return the line of the last instruction of a block; -1 for none."""
        lines = range(self.ends[block] - 1, self.blocks[block].at - 1, -1)
        return next((at for at in lines if b";" in self.lines[at]), -1)

    def shared(self, register: Register, predicate: Register) -> bool:
        """Return whether other threads may write a register when this thread's predicate is false, or take what it
        has from another register of theirs."""
        return str(register).startswith("U") and not str(predicate).startswith("U")

    # ---- divergent threads ----

    def group(self, index: int) -> int:
        """Return the last line before ``index`` after which the threads that execute it converged."""
        block = self.ssa.block_of(index)
        regroups = self._regroups(block)
        place = bisect_left(regroups, index)
        return regroups[place - 1] if place else self._gathered(block)

    def _gathered(self, block: int) -> int:
        """Return the line after which the threads that enter a block converged."""
        passed_blocks: dict[int, None] = {}
        while block not in self._groups:
            passed_blocks[block] = None
            before = self.ssa.before[block]
            if len(before) != 1 or self.blocks[block].entry or before[0] in passed_blocks or not self._stay(before[0]):
                self._groups[block] = ~self.blocks[block].at
            elif regroups := self._regroups(before[0]):
                self._groups[block] = regroups[-1]
            else:
                block = before[0]
        for passed in passed_blocks:
            self._groups[passed] = self._groups[block]
        return self._groups[block]

    def _stay(self, block: int) -> bool:
        """Whether the active threads all take the same edge at the end of a block."""
        line = self._branch(block)
        if line is None or line.name == "BSSY":
            return True
        uniform = line.guard.startswith(("@U", "@!U")) or line.guard in ON
        predicates = filter(is_predicate, line.operands)
        return (
            line.name == "BRA"
            and uniform
            and not set(line.suffixes) - {"U"}
            and all("UP" in name for name in predicates)
        )

    def _regroups(self, block: int) -> list[int]:
        """Return the lines of a block after which the active threads may differ."""
        if block not in self._regrouping:
            lines = range(self.blocks[block].at, self.ends[block])
            self._regrouping[block] = [at for at in lines if regroups(head(self.lines[at]))]
        return self._regrouping[block]

    def elected(self, predicate: Any, group: Hashable) -> bool:
        """Return whether a predicate is true in at least one thread of a group, one elected from it."""
        key = predicate, group
        if key not in self._elections:
            self._elections[key] = self._holds_in_some_thread(predicate, group)
        return self._elections[key]

    def _holds_in_some_thread(self, predicate: Any, group: Hashable, steps: int = 2) -> bool:
        """Find :meth:`elected`; ``steps``: the depth of the search.

        If each thread has its own operands, they take turns: ``@P0 ELECT P1``, ``@P1 R2UR.BROADCAST UR4, R6``, the
        instruction, and ``@P0 BRA.U.ANY`` back as long as P0 is true in any thread. P0 is first true in all threads, or
        in one elected.
        """
        if not isinstance(predicate, Version):
            return bool(predicate == TRUE)
        if predicate.index < 0:
            here, before = self.blocks[predicate.block], self.ssa.before[predicate.block]
            if not steps or here.entry or here.entry_cause is not None or group != ~here.at:
                return False
            ways = list(self.ssa.incoming(predicate))
            return len(ways) == len(before) > 0 and all(self._holds_on_edge(predicate, *way) for way in ways)
        if self._holds_in_all_threads(predicate):
            return True
        line = parse_line(self.lines[predicate.index])
        if line is None or line.name != "ELECT" or line.operands[-1] not in ALWAYS:
            return False
        if line.guard in ON or self.group(predicate.index) != group:
            return self.group(predicate.index) == group
        return steps > 1 and self._holds_in_some_thread(
            self.ssa.read(line.guard[1:], predicate.index), group, steps - 1
        )

    def _holds_on_edge(self, to: Version, before: int, came: Any) -> bool:
        """Whether a predicate is true in at least one of the threads that take an edge."""
        line = self._branch(before)
        if line is not None and line.name == "BRA" and line.guard == f"@{to.register}":
            # An edge that is taken if it is true.
            return to.block != before + 1 and len(line.operands) == 1 and set(line.suffixes) in (set(), {"U", "ANY"})
        name, holds = self.ssa.original(unrefined(came), True)
        regroups = self._regroups(before)
        group = regroups[-1] if regroups else self._gathered(before)
        return holds and self._holds_in_some_thread(name, group if self._stay(before) else None, 0)

    def _holds_in_all_threads(self, version: Any) -> bool:
        """Whether a predicate is true in all threads after the line that wrote it."""
        if not isinstance(version, Version) or version.index < 0:
            return False
        line, means = parse_and_lower(self.lines[version.index])
        if line is None or means is None or line.guard or means.writes != (version.register,):
            return False
        constants = [read for read in means.reads if isinstance(read, tuple)]
        if not isinstance(means.transfer, Node) or len(constants) < len(means.reads):
            return False
        return means.transfer(*constants) == TRUE
