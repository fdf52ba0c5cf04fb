"""The blocks of a function of SASS, and which may follow which."""

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
"""Those whose last number is not where they lead."""
_ENDS = frozenset(["EXIT", "RET", "KILL", "RTT"])
_LAST = _JUMPS | _ENDS | {"NOP"}
BRANCHES = _JUMPS | _ENDS | frozenset(["BPT", "BSSY", "BSYNC", "CALL", "WARPSYNC"])
"""The names of the instructions after which something else may come than the next line."""
_STAYS = "BREAK"
"""Threads leave a barrier without waiting; they go on with the next line."""

_BRANCHING = re.compile(
    r"U?(?:BR(?!EV)|BS[SY]|J[CM]|P?CALL|P?RET|LONGJ|SSY|SYNC$|PBK|P?CNT|CONT|EXIT|KILL|RTT|WARPSYNC)"
)


def may_branch(name: str) -> bool:
    """Whether an instruction of a name that is not known here may be a branch, by what branches are called."""
    return name not in BRANCHES and name != _STAYS and bool(_BRANCHING.match(name))


_TAKEN_APART = re.compile(rb"(@!?U?P\w++)?+\s*+((?:__)?+[A-Z]++)([.\w]*+)\s*+(.*)", re.S)
_CONDITION = re.compile(rb"(?<![\w.])!?U?P\d")
_LABEL = re.compile(rb"`\(([^()\s]+)\)")
_ADDRESS = re.compile(rb"(?<![-\w\[+])0x([0-9a-f]+)\s*$")
"""The target of a branch; not the offset of a computed one, ``BRX R2 -0x1b0``."""
_TRAP = re.compile(
    rb"`\((?:\$?(?:[\w$]+\$)?__cuda_sm\w+_guardrail_trap_\w+|%b)\)$" % b"|".join(map(str.encode, NEVER_RETURN))
)
"""What the compiler has called where an instruction is given what it does not take (``-G``), and what does not return:
in code that is not linked its body is elsewhere."""
_TABLE = re.compile(rb"\.L[\w.$]+")


class _Branch(NamedTuple):
    name: str
    never: bool
    always: bool
    """Whether it is taken whenever it is reached."""
    barrier: bytes
    """``B0`` of a BSSY or BSYNC."""
    targets: tuple[int, ...]
    """The lines that it may go to, as far as it names them."""
    named: bool
    """Whether it names where it goes."""
    found: bool
    """Whether all of that is there."""

    @property
    def jumps(self) -> bool:
        """Whether it goes elsewhere for good."""
        return not self.never and self.name in _JUMPS


class _CallSite(NamedTuple):
    """A call: its line, and the blocks where functions begin that it may call."""

    line: int
    to: list[int]
    sure: bool
    """Whether these are all."""


def control_flow(
    lines: list[bytes],
    branches: list[int],
    headed: bool,
    instruction: Callable[[int], TableInstruction | None],
    never: Collection[int] = (),
    assumed: bool = False,
) -> list[Block]:
    """Cut a function into blocks at its labels and branches (``branches``: their lines), without steps.

    ``headed``: the text begins where the function does. ``instruction`` tells of a line what it writes and needs (None:
    it is no instruction), for jumps through a table that the text does not show. ``never``: where constant bank 4
    has the addresses of functions that do not return. ``assumed``: no jump comes from what is missing (no blocks:
    nothing is missing). A block that is entered because the function is cut off says so by the number of lines.
    """
    texts = {index: code(lines[index]) for index in branches}
    labels = {index for index, line in enumerate(lines) if line[-1:] == b":"}
    places = _places(lines, labels, [text for text in texts.values() if b"BPT." not in text])
    read = {index: _read(text, places) for index, text in texts.items()}
    wild = [(index, branch) for index, branch in read.items() if branch.jumps and not branch.found]
    cut = headed and not _closed(lines, any(branch.named for _, branch in wild))
    whole = headed and not cut
    if assumed:
        if whole:
            return []
        wild = [(index, branch) for index, branch in wild if not branch.named]
    if whole and wild and all(branch.name in tables.JUMPS and not branch.named for _, branch in wild):
        inferred = tables.infer_jump_targets(_ways(read), len(lines), instruction)
        for index, (targets, _) in inferred.items():
            read[index] = read[index]._replace(targets=targets, found=True)
        wild = [] if inferred else wild
    else:
        inferred = {}
    starts = {0}
    behind = {index: _behind(lines, index) for index in branches}
    aimed = {target for branch in read.values() for target in branch.targets}
    # In a pasted fragment instructions may be missing.
    torn = set() if headed else {index for index, _, _ in gaps(map(address, lines))}
    starts.update(behind.values(), aimed, torn)
    # A jump that names no place may lead to any line, one to a place that is not there to any label; what is cut
    # off may jump to any label or, where the dump has none, to any line.
    because = len(lines) if cut else wild[0][0] if wild else None
    lost = bool(wild) or (cut and not labels and not assumed)
    anywhere = lost and not (labels and all(branch.named for _, branch in wild))
    # To a label to which nothing here jumps something does that is missing. What follows a function that is cut off is
    # its own code; a pasted fragment is taken for what it shows.
    if lost or (cut and not assumed):
        entries = set(range(len(lines))) if anywhere else labels if cut else starts | labels
    else:
        entries = torn if whole else torn | (labels - aimed)
    starts |= entries
    ordered = sorted(start for start in starts if start < len(lines))
    number = {start: place for place, start in enumerate(ordered)}
    traps = {const(at, WIDTH) for at in never}
    for _ in range(_ROUNDS if traps else 0):
        # A call that does not return is no way by which others are reached.
        calling = _Calls(lines, ordered, read, number, entries, instruction)
        indirect = [index for index, branch in read.items() if branch.name == "CALL" and not branch.named]
        trapping = [index for index in indirect if calling.called(index) in traps]
        read.update({index: read[index]._replace(name="BPT") for index in trapping})
        if not trapping:
            break
    blocks = [Block(start) for start in ordered]
    blocks[0].entry = True
    ends = {index: (number.get(behind[index]) or len(blocks)) - 1 for index in read}
    calls: dict[int, _CallSite] = {}
    returns: set[int] = set()  # a return, a jump to an unknown place, or a call that may come back
    ended: set[int] = set()
    for index, way in _ways(read).items():
        here = ends[index]
        to = [number[target] for target in way.targets]
        if way.calls:
            # What a function is called with is not known.
            for target in to:
                blocks[target].entry = True
            calls[here] = _CallSite(index, to, read[index].found)
        elif read[index].name != "BSYNC" or here + 1 not in to:
            # The threads go on where their BSSY says, in structured code right behind the BSYNC.
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
        # A function does not come back where every way ends in a trap.
        if here + 1 < len(blocks) and (lost or not sure or not returns.isdisjoint(tables.reached(to, following))):
            # What a function leaves in the registers is not known, if nothing more is found.
            blocks[here + 1].entry = True
            blocks[here + 1].entry_cause = index
    reached: set[int] = set()
    first = {place for place, block in enumerate(blocks) if block.entry}
    for place in (*first, *range(len(blocks))):
        if place not in reached and (place in first or blocks[place].at in labels):
            # To a label to which nothing seems to lead something may that is not seen (a computed return).
            blocks[place].entry = True
            tables.reached([place], following, reached)
    for here, (index, _, sure) in calls.items() if not lost else ():
        if here + 1 < len(blocks) and blocks[here + 1].entry and blocks[here + 1].entry_cause == index and sure:
            _call(lines, blocks, here, calls, instruction)
    return blocks


_CALL = re.compile(rb"CALL\.ABS\.NOINC +(R\d+)$")
_POINTER = re.compile(rb"LDC\.64 +(R\d+), +c\[0x4\]\[(\w+)\]$")
_RETURN = re.compile(rb"(?:@!?U?P\w++ +)?RET(?:\.(?:REL|ABS)\.NODEC +(R\d+) )?")
_ROUNDS = 4
"""How often calls are looked at again after others turned out not to return."""
_MANY = 50
"""Over so many blocks a register is followed back."""
_LARGE = 20_000
"""A function of more lines is not looked through."""


def _call(
    lines: list[bytes],
    blocks: list[Block],
    here: int,
    calls: Mapping[int, _CallSite],
    instruction: Callable[[int], TableInstruction | None],
) -> None:
    """Lead from a call to what comes behind it, if the function that is called comes back there.

    It does where every return that it may come to goes where a register says, into which the address behind the call
    was put before it, and which nothing in the function writes. All other registers that nothing there writes are as
    they were.
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
                name, at = _held(lines, instruction, blocks[block].at, line, (back[1] or b"").decode())
                names.add(name if at is None else None)
    name = names.pop() if len(names) == 1 else None
    behind = next((at for line in lines[blocks[here + 1].at :] if (at := address(line)) is not None), None)
    if behind is None or _held(lines, instruction, blocks[here].at, index, name)[0] != const(behind, WIDTH):
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
    """Follows the addresses that are called back to constant bank 4, over all ways that lead to a call."""

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
        """The blocks from which each is entered; -1: where nothing is known, as after a call."""
        ways = _ways(read)
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
        """Return where constant bank 4 has the address that is called in a line; None where that is not known."""
        call = _CALL.match(code(self.lines[index]))
        words = [self.held(index, word) for word in follows(call[1].decode(), 2)] if call else []
        put = words[0][1] if words else None
        loaded = None if put is None else _POINTER.match(code(self.lines[put]))
        if put is None or loaded is None or words != [(word, put) for word in follows(loaded[1].decode(), 2)]:
            return None
        return self.held(put, operand(loaded[2].decode()).register)[0]

    def held(self, index: int, what: object) -> tuple[object, int | None]:
        """Return what a register holds at a line, as :func:`_held` does, on whichever way control comes there."""
        holders: set[tuple[object, int | None]] = set()
        seen: set[tuple[int, object]] = set()
        waiting = [(self.block(index), index, what)]
        while waiting and len(holders) < 2 and len(seen) < _MANY:
            block, index, what = waiting.pop()
            what, at = _held(self.lines, self.instruction, self.starts[block], index, what)
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


def _held(
    lines: list[bytes], instruction: Callable[[int], TableInstruction | None], start: int, index: int, what: object
) -> tuple[object, int | None]:
    """Return what a register holds at ``index`` that only copies since ``start`` lead to, and the line that wrote it.

    That is a number, or what a register held where that line had written it (None: at ``start``).
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
    """Return the blocks that a function may run, of those that it calls, too (``within``); None: not all are found."""

    def following(here: int) -> list[int]:
        blocks_after = blocks[here].following
        if here not in calls or here + 1 >= len(blocks):
            return blocks_after
        return [*blocks_after, here + 1, *(calls[here].to if within else ())]

    run = tables.reached(first, following)
    sure = all(calls[here].sure and here + 1 < len(blocks) for here in run if here in calls)
    return run if sure else None


def _ways(read: Mapping[int, _Branch]) -> dict[int, BranchTargets]:
    """Return where branches lead that may be taken."""
    joins: dict[bytes, list[int]] = {}
    for branch in read.values():
        if branch.name == "BSSY":
            joins.setdefault(branch.barrier, []).extend(branch.targets)
    ways = {}
    for index, branch in read.items():
        if branch.never:
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
                ends=not jumps or not branch.found,
                computed=jumps and not branch.found,
                calls=name == "CALL",
                returns=name == "RET",
            )
    return ways


def _closed(lines: list[bytes], leaves: bool) -> bool:
    """Whether the end of the function is there: a jump, which ptxas pads. Of lines without a mark it is not asked.

    ``leaves``: jumps lead to places that are not there. Then it is the end only where it is padded.
    """
    for line in reversed(lines):
        if b"*/" not in line and b";" not in line:
            continue
        parts = _TAKEN_APART.match(code(line))
        if parts:
            at = address(line)
            return not parts[1] and parts[2].decode() in _LAST and (at is None or padded(at) or not leaves)
    return True


def _behind(lines: list[bytes], index: int) -> int:
    """Return the line after an instruction; cuobjdump breaks an encoding over two lines."""
    index += 1
    while index < len(lines) and lines[index].lstrip()[:4] == b"/* 0":
        index += 1
    return index


def _read(text: bytes, places: dict[bytes, int]) -> _Branch:
    parts = _TAKEN_APART.match(text)
    assert parts is not None
    guard, name, suffixes, rest = parts.groups()
    guard, name = (guard or b"").decode(), name.decode()
    on, never = guard in ON, guard in OFF
    traps = name == "CALL" and bool(_TRAP.search(rest))
    if traps or name == "BPT":
        # A trap ends the kernel; a breakpoint does not.
        return _Branch("BPT", never, on and (traps or b".TRAP" in suffixes), b"", (), False, False)
    if name in COMPUTED:
        # The address is computed: only its table, which nvdisasm prints and cuobjdump does not, tells the places.
        names = _TABLE.findall(rest.partition(b"BRANCH_TARGETS")[2])
    else:
        names = _LABEL.findall(rest)
        at = _ADDRESS.search(rest)
        if at and not names:
            names = [b"0x" + at[1].lstrip(b"0")]
    targets = tuple(places[name] for name in names if name in places)
    # A branch with another operand than its target may ask it for leave, whatever it is.
    asks = bool(_CONDITION.search(rest)) or (name in ("BRA", "JMP", "EXIT") and b"," in rest)
    always = on and not asks and not suffixes.startswith((b".DIV", b".CONV"))
    complete = bool(names) and len(targets) == len(names)
    return _Branch(name, never, always, rest.partition(b",")[0].strip(), targets, bool(names), complete)


def _places(lines: list[bytes], labels: set[int], branches: Iterable[bytes]) -> dict[bytes, int]:
    """Return the line of every label; and of every address, where branches name addresses."""
    places = {lines[index].strip()[:-1]: index for index in sorted(labels)}
    if any(b"0x" in text and _ADDRESS.search(text) for text in branches):
        for index, line in enumerate(lines):
            before, mark, _ = line.partition(b"*/")
            _, opened, at = before.partition(b"/*")
            if mark and opened and not at.startswith(b" 0x"):
                places.setdefault(b"0x" + at.strip().lstrip(b"0"), index)
    return places
