"""The basic blocks of a SASS function, and the edges between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from smemdesc.engine.known import Value, const
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.languages.sass.lower import COPIES_SOURCE, lower
from smemdesc.scanning.languages.sass.text import (
    INSTRUCTION_BYTES,
    OFF,
    ON,
    REGISTER_BITS,
    SassInstruction,
    code,
    follows,
    gaps,
    instruction_offset,
    padded,
    parse_line,
    source_operand,
    stays,
)
from smemdesc.scanning.model.causes import NEVER_RETURN

_JUMPS = frozenset(["BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "LONGJMP"])
COMPUTED = frozenset(["BRX", "BRXU", "JMX", "JMXU"])
"""Those whose last number is not their target."""
_ENDS = frozenset(["EXIT", "RET", "KILL", "RTT"])
_LAST = _JUMPS | _ENDS | {"NOP"}
BRANCHES = _JUMPS | _ENDS | frozenset(["BPT", "BSSY", "BSYNC", "CALL", "WARPSYNC"])
"""The names of the instructions after which control may go elsewhere than to the next line."""
_STAYS = "BREAK"
"""Threads leave a barrier without waiting and continue with the next line."""

_BRANCHING = re.compile(
    r"U?(?:BR(?!EV)|BS[SY]|J[CM]|P?CALL|P?RET|LONGJ|SSY|SYNC$|PBK|P?CNT|CONT|EXIT|KILL|RTT|WARPSYNC)"
)


def may_branch(name: str) -> bool:
    """Whether an instruction with an unknown name may be a branch, judged by the names of branches."""
    return name not in BRANCHES and name != _STAYS and bool(_BRANCHING.match(name))


_CONDITION = re.compile(r"(?<![\w.])!?U?P\d")
_LABEL = re.compile(r"`\(([^()\s]+)\)")
_ADDRESS = re.compile(r"(?<![-\w\[+])0x([0-9a-f]+)$")
"""The target of a branch; not the offset of a computed one, ``BRX R2 -0x1b0``."""
_TRAP = re.compile(rf"`\((?:\$?(?:[\w$]+\$)?__cuda_sm\w+_guardrail_trap_\w+|{'|'.join(NEVER_RETURN)})\)$")
"""The functions that compiled code calls on invalid operands of an instruction (``-G``), and those that do not return:
in unlinked code their bodies are elsewhere."""
_TABLE = re.compile(r"\.L[\w.$]+")


class Edges(NamedTuple):
    """Where control goes from a branch."""

    targets: tuple[int, ...] = ()
    """The lines to which it may go, as far as they are known."""
    falls: bool = True
    """Whether it may go on to the next line."""
    calls: bool = False
    """Whether the targets are functions."""
    leaves: bool = False
    """Whether it may return from a function, or go to an unknown line."""


class _Branch(NamedTuple):
    name: str
    never_taken: bool
    always: bool
    """Whether it is taken whenever control reaches it."""
    barrier: str
    """``B0`` of a BSSY or BSYNC."""
    targets: tuple[int, ...]
    """The lines to which it may go, as far as it names them."""
    named: bool
    """Whether it names its target."""
    complete: bool
    """Whether all its named targets are in the text."""

    @property
    def is_wild(self) -> bool:
        """Whether it jumps to a line that is not known."""
        return not self.never_taken and self.name in _JUMPS and not self.complete


_Joins = Mapping[str, list[int]]
"""The lines where threads meet again, by their barriers."""


_EDGES: dict[str, Callable[[_Branch, _Joins], Edges]] = {
    **dict.fromkeys(
        _JUMPS, lambda branch, joins: Edges(branch.targets, falls=not branch.always, leaves=not branch.complete)
    ),
    **dict.fromkeys((*_ENDS, "BPT"), lambda branch, joins: Edges(falls=not branch.always, leaves=branch.name == "RET")),
    "BSSY": lambda branch, joins: Edges(),
    "BSYNC": lambda branch, joins: Edges(tuple(joins.get(branch.barrier, ()))),
    "WARPSYNC": lambda branch, joins: Edges(branch.targets),
    "CALL": lambda branch, joins: Edges(branch.targets, falls=not branch.always, calls=True),
}
"""The edges of each branch that may be taken, by its name."""


def _edges(branches: Mapping[int, _Branch]) -> dict[int, Edges]:
    joins: dict[str, list[int]] = {}
    for branch in branches.values():
        if branch.name == "BSSY":
            joins.setdefault(branch.barrier, []).extend(branch.targets)
    return {index: _EDGES[branch.name](branch, joins) for index, branch in branches.items() if not branch.never_taken}


def _reachable(first: Iterable[int], following: Callable[[int], Iterable[int]], seen: set[int]) -> set[int]:
    """Add ``first`` and all that is reachable from it to ``seen``, which is not followed again; return that."""
    waiting = list(first)
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += following(here)
    return seen


class _CallSite(NamedTuple):
    """A call: its line, and the entry blocks of the functions that it may call."""

    line: int
    to: list[int]
    sure: bool
    """Whether no others may be called."""


Written = Callable[[int], tuple[str, ...]]
"""Returns the registers that a line may write."""


def sass_control_flow(
    lines: list[bytes],
    branches: list[int],
    headed: bool,
    written: Written,
    noreturn_slots: Collection[int] = (),
    assumed: bool = False,
) -> list[Block]:
    """Split a function into blocks at its labels and branches (``branches``: their lines), without steps.

    ``headed``: the text begins where the function does. ``noreturn_slots``: the offsets in constant bank 4 of the
    addresses of functions that do not return. ``assumed``: no missing code jumps here (no blocks: nothing is missing).
    A block that is entered because the function is cut off has the number of lines as its cause.
    """
    flow = _ControlFlow(lines, branches, headed, written, assumed)
    return [] if assumed and flow.whole else flow.build({const(at, REGISTER_BITS) for at in noreturn_slots})


class _ControlFlow:
    """A function while it is split into blocks."""

    def __init__(self, lines: list[bytes], branches: list[int], headed: bool, written: Written, assumed: bool) -> None:
        self.lines = lines
        self.written = written
        self.labels = {index for index, line in enumerate(lines) if line[-1:] == b":"}
        self.branches = _read_branches(lines, branches, self.labels)
        self.after = {index: _line_after(lines, index) for index in branches}
        self._find_missing(headed, assumed)
        self._find_starts(headed, assumed)

    def _find_missing(self, headed: bool, assumed: bool) -> None:
        """Find out whether code is missing, and whether control may come from it, or go there, to an unknown line."""
        wild = {index: branch for index, branch in self.branches.items() if branch.is_wild}
        named = {index for index, branch in wild.items() if branch.named}
        self.cut = headed and not _closed(self.lines, bool(named))
        """Whether the end of the function is missing."""
        self.whole = headed and not self.cut
        self.jumps_anywhere = len(wild) > len(named)
        lost_jumps = [index for index in wild if not assumed or index not in named]
        self.lost = bool(lost_jumps) or (self.cut and not self.labels and not assumed)
        """Whether a jump may go to any label, or to any line."""
        self.entry_cause = len(self.lines) if self.cut else next(iter(lost_jumps), None)

    def _find_starts(self, headed: bool, assumed: bool) -> None:
        """Find the first lines of the blocks, and those at which control may enter unseen."""
        count = len(self.lines)
        aimed = {target for branch in self.branches.values() for target in branch.targets}
        # In a pasted fragment instructions may be missing.
        places = () if headed else gaps(map(instruction_offset, self.lines))
        torn = {index for index, expected, at in places if not 0 < expected - at < INSTRUCTION_BYTES}  # no room between
        starts = {0, *self.after.values(), *aimed, *torn}
        if self.lost and (self.jumps_anywhere or not self.labels):
            # A jump that names no target (its table is not in the text) may go to any line; so may code that was cut
            # off, where the dump has no labels.
            self.entries = set(range(count))
        elif self.lost or (self.cut and not assumed):
            # A jump to a missing target may go to any label; so may code that was cut off. What follows a function
            # that is cut off is its own code; a pasted fragment is taken as it is.
            self.entries = self.labels if self.cut else starts | self.labels
        else:
            # A label to which nothing here jumps is the target of missing code.
            self.entries = torn if self.whole else torn | (self.labels - aimed)
        self.starts = sorted(start for start in starts | self.entries if start < count)
        self.number = {start: place for place, start in enumerate(self.starts)}

    def build(self, traps: Collection[Value]) -> list[Block]:
        """Return the blocks; ``traps``: the offsets in constant bank 4 of functions that do not return."""
        self._find_traps(traps)
        self.blocks = [Block(start) for start in self.starts]
        self.blocks[0].entry = True
        self.calls: dict[int, _CallSite] = {}
        returns = self._connect()
        for block in self.blocks:
            if block.at in self.entries and not block.entry:
                block.entry, block.entry_cause = True, self.entry_cause
        self._enter_after_calls(returns)
        self._enter_unreached()
        for here, (index, _, sure) in self.calls.items() if not self.lost else ():
            after = self._next(here)
            if after is not None and after.entry and after.entry_cause == index and sure:
                self._return(here)
        return self.blocks

    def _find_traps(self, traps: Collection[Value]) -> None:
        """Find the calls that do not return: nothing is reached through them, so that others may turn out, too."""
        indirect = [index for index, branch in self.branches.items() if branch.name == "CALL" and not branch.named]
        for _ in range(_ROUNDS if traps else 0):
            calling = _Calls(self)
            trapping = [index for index in indirect if calling.called(index) in traps]
            self.branches.update({index: self.branches[index]._replace(name="BPT") for index in trapping})
            indirect = [index for index in indirect if index not in trapping]
            if not trapping:
                break

    def _connect(self) -> set[int]:
        """Add the edges; return the blocks with a return, a jump to an unknown target, or a call that may return."""
        ends = {index: (self.number.get(after) or len(self.blocks)) - 1 for index, after in self.after.items()}
        returns: set[int] = set()
        ended: set[int] = set()
        for index, edges in _edges(self.branches).items():
            here = ends[index]
            to = [self.number[target] for target in edges.targets]
            if edges.calls:
                # The arguments of a function are unknown.
                for target in to:
                    self.blocks[target].entry = True
                self.calls[here] = _CallSite(index, to, self.branches[index].complete)
            elif self.branches[index].name != "BSYNC" or here + 1 not in to:
                # The threads continue where their BSSY says, in structured code right after the BSYNC.
                self.blocks[here].following += to
            if not edges.falls:
                ended.add(here)
            if edges.leaves or (edges.calls and self._next(here)):
                returns.add(here)
        for place, block in enumerate(self.blocks[:-1]):
            if place not in ended:
                block.following.append(place + 1)
        return returns

    def _next(self, here: int) -> Block | None:
        return self.blocks[here + 1] if here + 1 < len(self.blocks) else None

    def _following(self, here: int) -> list[int]:
        return self.blocks[here].following

    def _enter_after_calls(self, returns: set[int]) -> None:
        for here, (index, to, sure) in self.calls.items():
            after = self._next(here)
            # A function does not return if every path ends in a trap.
            if after and (self.lost or not sure or not returns.isdisjoint(_reachable(to, self._following, set()))):
                # What a function leaves in the registers is unknown, unless more is found.
                after.entry, after.entry_cause = True, index

    def _enter_unreached(self) -> None:
        """Enter the labels to which nothing seems to lead: they may be reached unseen (by a computed return)."""
        first = [place for place, block in enumerate(self.blocks) if block.entry]
        reached = _reachable(first, self._following, set())
        for place, block in enumerate(self.blocks):
            if place not in reached and block.at in self.labels:
                block.entry = True
                _reachable([place], self._following, reached)

    def _return(self, here: int) -> None:
        """Add an edge from a call to the code after it, if the called function returns there.

        It does if every return that it may reach goes to the address in one register, which held the address after the
        call before the call, and which nothing in the function writes. All other registers that nothing there writes
        keep their values.
        """
        lines, blocks = self.lines, self.blocks
        own, every = (self._region(here, within) for within in (False, True))
        if own is None or every is None:
            return
        ends = [*(block.at for block in blocks[1:]), len(lines)]
        run = [line for block in sorted(every) for line in range(blocks[block].at, ends[block])]
        if len(run) > _LARGE:
            return
        names: set[object] = set()
        for block in own:
            for line in range(blocks[block].at, ends[block]):
                if b"RET" in lines[line] and (back := _RETURN.match(code(lines[line]))):
                    name, at = _value_at(lines, self.written, blocks[block].at, line, (back[1] or b"").decode())
                    names.add(name if at is None else None)
        name = names.pop() if len(names) == 1 else None
        after = blocks[here + 1]
        return_address = next((at for line in lines[after.at :] if (at := instruction_offset(line)) is not None), None)
        value, _ = _value_at(lines, self.written, blocks[here].at, self.calls[here].line, name)
        if return_address is None or value != const(return_address, REGISTER_BITS):
            return
        for line in run:
            if b";" in lines[line] and name in self.written(line) and not stays(lines[line]):
                return
        after.entry = False
        after.callee_lines = tuple(run)
        if here + 1 not in blocks[here].following:
            blocks[here].following.append(here + 1)

    def _region(self, call: int, within: bool) -> set[int] | None:
        """Return the blocks that a called function may run, with ``within`` also in its callees; None if not all are
        found."""

        def following(here: int) -> list[int]:
            if here not in self.calls or not self._next(here):
                return self.blocks[here].following
            return [*self.blocks[here].following, here + 1, *(self.calls[here].to if within else ())]

        run = _reachable(self.calls[call].to, following, set())
        return run if all(self.calls[here].sure and self._next(here) for here in run if here in self.calls) else None


_CALL = re.compile(rb"CALL\.ABS\.NOINC +(R\d+)$")
_POINTER = re.compile(rb"LDC\.64 +(R\d+), +c\[0x4\]\[(\w+)\]$")
_RETURN = re.compile(rb"(?:@!?U?P\w++ +)?RET(?:\.(?:REL|ABS)\.NODEC +(R\d+) )?")
_ROUNDS = 4
"""How often calls are examined again after others turned out not to return."""
_MANY = 50
"""The most blocks over which a register is followed back."""
_LARGE = 20_000
"""A function of more lines is not searched."""


class _Calls:
    """Traces the addresses of calls back to constant bank 4, over all paths that lead to a call."""

    def __init__(self, flow: _ControlFlow) -> None:
        self.lines = flow.lines
        self.starts = flow.starts
        self.entries = flow.entries
        self.written = flow.written
        self.before: list[list[int]] = [[] for _ in self.starts]
        """The predecessors of each block; -1: unknown, as after a call."""
        last = {self.block(index): edges for index, edges in _edges(flow.branches).items()}
        for place in range(len(self.starts)):
            edges = last.get(place, Edges())
            for target in edges.targets:
                self.before[flow.number[target]].append(-1 if edges.calls else place)
            if place + 1 < len(self.starts) and (edges.falls or edges.calls):
                self.before[place + 1].append(-1 if edges.calls or edges.leaves else place)

    def block(self, index: int) -> int:
        return bisect_right(self.starts, index) - 1

    def called(self, index: int) -> object:
        """Return where constant bank 4 has the address that a line calls; None if unknown."""
        call = _CALL.match(code(self.lines[index]))
        words = [self.value_at(index, word) for word in follows(call[1].decode(), 2)] if call else []
        put = words[0][1] if words else None
        loaded = None if put is None else _POINTER.match(code(self.lines[put]))
        if put is None or loaded is None or words != [(word, put) for word in follows(loaded[1].decode(), 2)]:
            return None
        return self.value_at(put, source_operand(loaded[2].decode()).register)[0]

    def value_at(self, index: int, what: object) -> tuple[object, int | None]:
        """Return what a register holds at a line, as :func:`_value_at` does, on all paths that lead there."""
        holders: set[tuple[object, int | None]] = set()
        seen: set[tuple[int, object]] = set()
        waiting = [(self.block(index), index, what)]
        while waiting and len(holders) < 2 and len(seen) < _MANY:
            block, index, what = waiting.pop()
            what, at = _value_at(self.lines, self.written, self.starts[block], index, what)
            if at is not None or not isinstance(what, str):
                holders.add((what, at))
            elif not self.before[block] or -1 in self.before[block] or self.starts[block] in self.entries or not block:
                return None, None
            elif (block, what) not in seen:
                seen.add((block, what))
                waiting += [(before, self.end(before), what) for before in self.before[block]]
        return holders.pop() if len(holders) == 1 and not waiting else (None, None)

    def end(self, block: int) -> int:
        return self.starts[block + 1] if block + 1 < len(self.starts) else len(self.lines)


def _value_at(lines: list[bytes], written: Written, start: int, index: int, what: object) -> tuple[object, int | None]:
    """Return what a register holds at ``index``, followed back through copies to ``start``, and the line that wrote it.

    It is a number, or the register that held it after that line (None: at ``start``).
    """
    while isinstance(what, str):
        at = next((at for at in range(index - 1, start - 1, -1) if what in written(at)), None)
        line = None if at is None else parse_line(lines[at])
        means = None if line is None or line.guard or line.name not in ("MOV", "IMAD") else lower(line)
        copies = means is not None and (means.transfer == COPIES_SOURCE or b"MOV.64 " in lines[at or 0])
        if at is None or means is None or not copies or not means.reads:
            return what, at
        index, what = at, means.reads[means.writes.index(what)]
    return what, index


def _closed(lines: list[bytes], leaves: bool) -> bool:
    """Whether the end of the function is present: a jump, which ptxas pads. Lines without ``*/`` or ``;`` are skipped.

    ``leaves``: jumps lead to missing targets. Then it is the end only if it is padded.
    """
    for line in reversed(lines):
        if b"*/" not in line and b";" not in line:
            continue
        last = parse_line(line)
        if last is not None:
            at = instruction_offset(line)
            return not last.guard and last.name in _LAST and (at is None or padded(at) or not leaves)
    return True


def _line_after(lines: list[bytes], index: int) -> int:
    """Return the line after an instruction and what may follow it: blank lines, the second half of an encoding."""
    index += 1
    while index < len(lines) and lines[index].lstrip()[:4] in (b"", b"/* 0"):
        index += 1
    return index


def _read_branches(lines: list[bytes], indices: Iterable[int], labels: set[int]) -> dict[int, _Branch]:
    """Return the branches at some lines, without those that cannot be read."""
    parsed = {index: line for index in indices if (line := parse_line(lines[index])) is not None}
    places = _places(lines, labels, parsed.values())
    return {index: _read(line, places) for index, line in parsed.items()}


def _read(line: SassInstruction, places: dict[bytes, int]) -> _Branch:
    name, operands = line.name, ",".join(line.operands)
    on, never = line.guard in ON, line.guard in OFF
    traps = name == "CALL" and bool(_TRAP.search(operands))
    if traps or name == "BPT":
        # A trap ends the kernel; a breakpoint does not.
        return _Branch("BPT", never, on and (traps or "TRAP" in line.suffixes), "", (), False, False)
    if name in COMPUTED:
        # The address is computed: only its table, which nvdisasm prints and cuobjdump does not, has the targets.
        names = _TABLE.findall(operands.partition("BRANCH_TARGETS")[2])
    else:
        names = _LABEL.findall(operands)
        at = _ADDRESS.search(operands)
        if at and not names:
            names = ["0x" + at[1].lstrip("0")]
    targets = tuple(places[name.encode("latin-1")] for name in names if name.encode("latin-1") in places)
    # A branch with an operand besides its target may depend on it, whatever it is.
    asks = bool(_CONDITION.search(operands)) or (name in ("BRA", "JMP", "EXIT") and len(line.operands) > 1)
    always = on and not asks and not line.mnemonic.partition(".")[2].startswith(("DIV", "CONV"))
    complete = bool(names) and len(targets) == len(names)
    return _Branch(name, never, always, "".join(line.operands[:1]), targets, bool(names), complete)


def _places(lines: list[bytes], labels: set[int], branches: Iterable[SassInstruction]) -> dict[bytes, int]:
    """Return the line of every label; and of every address, if branches name addresses."""
    places = {lines[index].strip()[:-1]: index for index in sorted(labels)}
    if any(_ADDRESS.search(line.operands[-1]) for line in branches if line.name != "BPT" and line.operands):
        for index, line in enumerate(lines):
            before, mark, _ = line.partition(b"*/")
            _, opened, at = before.partition(b"/*")
            if mark and opened and not at.startswith(b" 0x"):
                places.setdefault(b"0x" + at.strip().lstrip(b"0"), index)
    return places
