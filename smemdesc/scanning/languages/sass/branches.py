"""The basic blocks of a SASS function, and the edges between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from smemdesc.scanning.analysis.known import const
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.causes import NEVER_RETURN
from smemdesc.scanning.languages.sass import tables
from smemdesc.scanning.languages.sass.lower import COPY, lower
from smemdesc.scanning.languages.sass.tables import BranchTargets, TableInstruction
from smemdesc.scanning.languages.sass.text import (
    OFF,
    ON,
    WIDTH,
    address,
    code,
    follows,
    gaps,
    operand,
    padded,
    parse,
    stays,
)

_JUMPS = frozenset(["BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "LONGJMP"])
COMPUTED = tables.JUMPS | {"JMX", "JMXU"}
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


_STATEMENT = re.compile(rb"(@!?U?P\w++)?+\s*+((?:__)?+[A-Z]++)([.\w]*+)\s*+(.*)", re.S)
_CONDITION = re.compile(rb"(?<![\w.])!?U?P\d")
_LABEL = re.compile(rb"`\(([^()\s]+)\)")
_ADDRESS = re.compile(rb"(?<![-\w\[+])0x([0-9a-f]+)\s*$")
"""The target of a branch; not the offset of a computed one, ``BRX R2 -0x1b0``."""
_TRAP = re.compile(
    rb"`\((?:\$?(?:[\w$]+\$)?__cuda_sm\w+_guardrail_trap_\w+|%b)\)$" % b"|".join(map(str.encode, NEVER_RETURN))
)
"""The functions that compiled code calls on invalid operands of an instruction (``-G``), and those that do not return:
in unlinked code their bodies are elsewhere."""
_TABLE = re.compile(rb"\.L[\w.$]+")


class _Branch(NamedTuple):
    name: str
    never_taken: bool
    always: bool
    """Whether it is taken whenever control reaches it."""
    barrier: bytes
    """``B0`` of a BSSY or BSYNC."""
    targets: tuple[int, ...]
    """The lines to which it may go, as far as it names them."""
    named: bool
    """Whether it names its target."""
    complete: bool
    """Whether all its named targets are in the text."""

    @property
    def jumps(self) -> bool:
        """Whether it jumps and does not come back."""
        return not self.never_taken and self.name in _JUMPS


class _CallSite(NamedTuple):
    """A call: its line, and the entry blocks of the functions that it may call."""

    line: int
    to: list[int]
    sure: bool
    """Whether no others may be called."""


def control_flow(
    lines: list[bytes],
    branches: list[int],
    headed: bool,
    instruction: Callable[[int], TableInstruction | None],
    noreturn_slots: Collection[int] = (),
    assumed: bool = False,
) -> list[Block]:
    """Split a function into blocks at its labels and branches (``branches``: their lines), without steps.

    ``headed``: the text begins where the function does. ``instruction`` returns what a line writes and needs (None: not
    an instruction), for jumps through a table that the text does not show. ``noreturn_slots``: the offsets in constant
    bank 4 of the addresses of functions that do not return. ``assumed``: no missing code jumps here (no blocks: nothing
    is missing). A block that is entered because the function is cut off has the number of lines as its cause.
    """
    texts = {index: code(lines[index]) for index in branches}
    labels = {index for index, line in enumerate(lines) if line[-1:] == b":"}
    places = _places(lines, labels, [text for text in texts.values() if b"BPT." not in text])
    read = {index: _read(text, places) for index, text in texts.items()}
    wild = [(index, branch) for index, branch in read.items() if branch.jumps and not branch.complete]
    cut = headed and not _closed(lines, any(branch.named for _, branch in wild))
    whole = headed and not cut
    if assumed:
        if whole:
            return []
        wild = [(index, branch) for index, branch in wild if not branch.named]
    if whole and wild and all(branch.name in tables.JUMPS and not branch.named for _, branch in wild):
        inferred = tables.infer_jump_targets(_branch_targets(read), len(lines), instruction)
        for index, (targets, _) in inferred.items():
            read[index] = read[index]._replace(targets=targets, complete=True)
        wild = [] if inferred else wild
    else:
        inferred = {}
    starts = {0}
    after = {index: _line_after(lines, index) for index in branches}
    aimed = {target for branch in read.values() for target in branch.targets}
    # In a pasted fragment instructions may be missing.
    torn = set() if headed else {index for index, _, _ in gaps(map(address, lines))}
    starts.update(after.values(), aimed, torn)
    # A jump that names no target may go to any line, one to a missing target to any label; code that was cut off may
    # jump to any label or, where the dump has none, to any line.
    because = len(lines) if cut else wild[0][0] if wild else None
    lost = bool(wild) or (cut and not labels and not assumed)
    anywhere = lost and not (labels and all(branch.named for _, branch in wild))
    # A label to which nothing here jumps is the target of missing code. What follows a function that is cut off is its
    # own code; a pasted fragment is taken as it is.
    if lost or (cut and not assumed):
        entries = set(range(len(lines))) if anywhere else labels if cut else starts | labels
    else:
        entries = torn if whole else torn | (labels - aimed)
    starts |= entries
    ordered = sorted(start for start in starts if start < len(lines))
    number = {start: place for place, start in enumerate(ordered)}
    traps = {const(at, WIDTH) for at in noreturn_slots}
    for _ in range(_ROUNDS if traps else 0):
        # Nothing is reached through a call that does not return.
        calling = _Calls(lines, ordered, read, number, entries, instruction)
        indirect = [index for index, branch in read.items() if branch.name == "CALL" and not branch.named]
        trapping = [index for index in indirect if calling.called(index) in traps]
        read.update({index: read[index]._replace(name="BPT") for index in trapping})
        if not trapping:
            break
    blocks = [Block(start) for start in ordered]
    blocks[0].entry = True
    ends = {index: (number.get(after[index]) or len(blocks)) - 1 for index in read}
    calls: dict[int, _CallSite] = {}
    returns: set[int] = set()  # a return, a jump to an unknown target, or a call that may return
    ended: set[int] = set()
    for index, way in _branch_targets(read).items():
        here = ends[index]
        to = [number[target] for target in way.targets]
        if way.calls:
            # The arguments of a function are unknown.
            for target in to:
                blocks[target].entry = True
            calls[here] = _CallSite(index, to, read[index].complete)
        elif read[index].name != "BSYNC" or here + 1 not in to:
            # The threads continue where their BSSY says, in structured code right after the BSYNC.
            blocks[here].following += to
        if not way.falls:
            ended.add(here)
        if way.returns or way.computed or (way.calls and here + 1 < len(blocks)):
            returns.add(here)
    for index, (_, unwritten) in inferred.items():
        blocks[ends[index]].undefined_at_end = unwritten
    for place, block in enumerate(blocks):
        if place not in ended and place + 1 < len(blocks):
            block.following.append(place + 1)
        if block.at in entries and not block.entry:
            block.entry, block.entry_cause = True, because

    def following(here: int) -> list[int]:
        return blocks[here].following

    for here, (index, to, sure) in calls.items():
        # A function does not return if every path ends in a trap.
        if here + 1 < len(blocks) and (lost or not sure or not returns.isdisjoint(tables.reachable(to, following))):
            # What a function leaves in the registers is unknown, unless more is found.
            blocks[here + 1].entry = True
            blocks[here + 1].entry_cause = index
    reached: set[int] = set()
    first = {place for place, block in enumerate(blocks) if block.entry}
    for place in (*first, *range(len(blocks))):
        if place not in reached and (place in first or blocks[place].at in labels):
            # A label to which nothing seems to lead may be reached unseen (by a computed return).
            blocks[place].entry = True
            tables.reachable([place], following, reached)
    for here, (index, _, sure) in calls.items() if not lost else ():
        if here + 1 < len(blocks) and blocks[here + 1].entry and blocks[here + 1].entry_cause == index and sure:
            _call(lines, blocks, here, calls, instruction)
    return blocks


_CALL = re.compile(rb"CALL\.ABS\.NOINC +(R\d+)$")
_POINTER = re.compile(rb"LDC\.64 +(R\d+), +c\[0x4\]\[(\w+)\]$")
_RETURN = re.compile(rb"(?:@!?U?P\w++ +)?RET(?:\.(?:REL|ABS)\.NODEC +(R\d+) )?")
_ROUNDS = 4
"""How often calls are examined again after others turned out not to return."""
_MANY = 50
"""The most blocks over which a register is followed back."""
_LARGE = 20_000
"""A function of more lines is not searched."""


def _call(
    lines: list[bytes],
    blocks: list[Block],
    here: int,
    calls: Mapping[int, _CallSite],
    instruction: Callable[[int], TableInstruction | None],
) -> None:
    """Add an edge from a call to the code after it, if the called function returns there.

    It does if every return that it may reach goes to the address in one register, which held the address after the call
    before the call, and which nothing in the function writes. All other registers that nothing there writes keep their
    values.
    """
    index, targets, _ = calls[here]
    own, every = (_region(blocks, targets, calls, within) for within in (False, True))
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
                name, at = _value_at(lines, instruction, blocks[block].at, line, (back[1] or b"").decode())
                names.add(name if at is None else None)
    name = names.pop() if len(names) == 1 else None
    return_address = next((at for line in lines[blocks[here + 1].at :] if (at := address(line)) is not None), None)
    if return_address is None or _value_at(lines, instruction, blocks[here].at, index, name)[0] != const(
        return_address, WIDTH
    ):
        return
    for line in run:
        written = instruction(line) if b";" in lines[line] else None
        if written is not None and name in written.kills and not stays(lines[line]):
            return
    after = blocks[here + 1]
    after.entry = False
    after.callee_lines = tuple(run)
    if here + 1 not in blocks[here].following:
        blocks[here].following.append(here + 1)


class _Calls:
    """Traces the addresses of calls back to constant bank 4, over all paths that lead to a call."""

    def __init__(
        self,
        lines: list[bytes],
        starts: list[int],
        read: Mapping[int, _Branch],
        number: Mapping[int, int],
        entries: Collection[int],
        instruction: Callable[[int], TableInstruction | None],
    ) -> None:
        self.lines = lines
        self.starts = starts
        self.entries = entries
        self.instruction = instruction
        self.before: list[list[int]] = [[] for _ in starts]
        """The predecessors of each block; -1: unknown, as after a call."""
        ways = _branch_targets(read)
        last = {self.block(index): way for index, way in ways.items()}
        for place in range(len(starts)):
            way = last.get(place, BranchTargets())
            for target in way.targets:
                self.before[number[target]].append(-1 if way.calls else place)
            if place + 1 < len(starts) and (way.falls or way.calls):
                self.before[place + 1].append(-1 if way.calls or way.computed else place)

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
        return self.value_at(put, operand(loaded[2].decode()).register)[0]

    def value_at(self, index: int, what: object) -> tuple[object, int | None]:
        """Return what a register holds at a line, as :func:`_value_at` does, on all paths that lead there."""
        holders: set[tuple[object, int | None]] = set()
        seen: set[tuple[int, object]] = set()
        waiting = [(self.block(index), index, what)]
        while waiting and len(holders) < 2 and len(seen) < _MANY:
            block, index, what = waiting.pop()
            what, at = _value_at(self.lines, self.instruction, self.starts[block], index, what)
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


def _value_at(
    lines: list[bytes], instruction: Callable[[int], TableInstruction | None], start: int, index: int, what: object
) -> tuple[object, int | None]:
    """Return what a register holds at ``index``, followed back through copies to ``start``, and the line that wrote it.

    It is a number, or the register that held it after that line (None: at ``start``).
    """
    while isinstance(what, str):
        writers = (
            at for at in range(index - 1, start - 1, -1) if (written := instruction(at)) and what in written.kills
        )
        at = next(writers, None)
        line = None if at is None else parse(code(lines[at]))
        means = None if line is None or line.guard or line.name not in ("MOV", "IMAD") else lower(line)
        copies = means is not None and (means.transfer == COPY or b"MOV.64 " in lines[at or 0])
        if at is None or means is None or not copies or not means.reads:
            return what, at
        index, what = at, means.reads[means.writes.index(what)]
    return what, index


def _region(blocks: list[Block], first: list[int], calls: Mapping[int, _CallSite], within: bool) -> set[int] | None:
    """Return the blocks that a function may run, with ``within`` also in its callees; None if not all are found."""

    def following(here: int) -> list[int]:
        blocks_after = blocks[here].following
        if here not in calls or here + 1 >= len(blocks):
            return blocks_after
        return [*blocks_after, here + 1, *(calls[here].to if within else ())]

    run = tables.reachable(first, following)
    sure = all(calls[here].sure and here + 1 < len(blocks) for here in run if here in calls)
    return run if sure else None


def _branch_targets(read: Mapping[int, _Branch]) -> dict[int, BranchTargets]:
    """Return the targets of the branches that may be taken."""
    joins: dict[bytes, list[int]] = {}
    for branch in read.values():
        if branch.name == "BSSY":
            joins.setdefault(branch.barrier, []).extend(branch.targets)
    ways = {}
    for index, branch in read.items():
        if branch.never_taken:
            continue
        name, jumps = branch.name, branch.jumps
        if name in ("BSSY", "BPT"):
            trap = name == "BPT"
            ways[index] = BranchTargets(falls=not branch.always or not trap, ends=trap, traps=trap)
        elif name == "BSYNC":
            ways[index] = BranchTargets(tuple(joins.get(branch.barrier, ())))
        elif name == "WARPSYNC":
            ways[index] = BranchTargets(branch.targets)
        else:
            ways[index] = BranchTargets(
                branch.targets if jumps or name == "CALL" else (),
                falls=not branch.always,
                ends=not jumps or not branch.complete,
                computed=jumps and not branch.complete,
                calls=name == "CALL",
                returns=name == "RET",
            )
    return ways


def _closed(lines: list[bytes], leaves: bool) -> bool:
    """Whether the end of the function is present: a jump, which ptxas pads. Lines without ``*/`` or ``;`` are skipped.

    ``leaves``: jumps lead to missing targets. Then it is the end only if it is padded.
    """
    for line in reversed(lines):
        if b"*/" not in line and b";" not in line:
            continue
        parts = _STATEMENT.match(code(line))
        if parts:
            at = address(line)
            return not parts[1] and parts[2].decode() in _LAST and (at is None or padded(at) or not leaves)
    return True


def _line_after(lines: list[bytes], index: int) -> int:
    """Return the line after an instruction; cuobjdump breaks an encoding over two lines."""
    index += 1
    while index < len(lines) and lines[index].lstrip()[:4] == b"/* 0":
        index += 1
    return index


def _read(text: bytes, places: dict[bytes, int]) -> _Branch:
    parts = _STATEMENT.match(text)
    assert parts is not None
    guard, name, suffixes, rest = parts.groups()
    guard, name = (guard or b"").decode(), name.decode()
    on, never = guard in ON, guard in OFF
    traps = name == "CALL" and bool(_TRAP.search(rest))
    if traps or name == "BPT":
        # A trap ends the kernel; a breakpoint does not.
        return _Branch("BPT", never, on and (traps or b".TRAP" in suffixes), b"", (), False, False)
    if name in COMPUTED:
        # The address is computed: only its table, which nvdisasm prints and cuobjdump does not, has the targets.
        names = _TABLE.findall(rest.partition(b"BRANCH_TARGETS")[2])
    else:
        names = _LABEL.findall(rest)
        at = _ADDRESS.search(rest)
        if at and not names:
            names = [b"0x" + at[1].lstrip(b"0")]
    targets = tuple(places[name] for name in names if name in places)
    # A branch with an operand besides its target may depend on it, whatever it is.
    asks = bool(_CONDITION.search(rest)) or (name in ("BRA", "JMP", "EXIT") and b"," in rest)
    always = on and not asks and not suffixes.startswith((b".DIV", b".CONV"))
    complete = bool(names) and len(targets) == len(names)
    return _Branch(name, never, always, rest.partition(b",")[0].strip(), targets, bool(names), complete)


def _places(lines: list[bytes], labels: set[int], branches: Iterable[bytes]) -> dict[bytes, int]:
    """Return the line of every label; and of every address, if branches name addresses."""
    places = {lines[index].strip()[:-1]: index for index in sorted(labels)}
    if any(b"0x" in text and _ADDRESS.search(text) for text in branches):
        for index, line in enumerate(lines):
            before, mark, _ = line.partition(b"*/")
            _, opened, at = before.partition(b"/*")
            if mark and opened and not at.startswith(b" 0x"):
                places.setdefault(b"0x" + at.strip().lstrip(b"0"), index)
    return places
