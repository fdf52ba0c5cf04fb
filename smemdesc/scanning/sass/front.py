"""One function of SASS: its blocks, and what its tensor-core instructions are given.

Nine lines of ten have nothing to do with descriptors. A line is therefore first judged by its *head*, the
mnemonic and the first operand, of which there are few: what it may write, or that it branches. From the
registers of the MMAs backwards the heads tell which lines matter, and only those are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from smemdesc.scanning.answers import CUT_OFF, Question, addresses, answers, assumed, both
from smemdesc.scanning.conditions import Condition, Holds, select
from smemdesc.scanning.conditions import guarded as decided
from smemdesc.scanning.flow import Block, Numbers, Step, Transfer, backwards
from smemdesc.scanning.ir import IN, XOR, results
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.model import Function, Instruction, Mma, Operand
from smemdesc.scanning.sass import tables
from smemdesc.scanning.sass.branches import BRANCHES, control_flow, may_branch
from smemdesc.scanning.sass.conditions import Before, condition, stays
from smemdesc.scanning.sass.guards import Guards
from smemdesc.scanning.sass.listing import listing
from smemdesc.scanning.sass.meaning import Meaning, meaning, one_result, written
from smemdesc.scanning.sass.memory import NONE, Memory, concerns, memory
from smemdesc.scanning.sass.mma import NAMES, InMemory, Reads, tensor_memory, understand
from smemdesc.scanning.sass.order import Lacking, missing
from smemdesc.scanning.sass.predicates import PREDICATES, decides, targets
from smemdesc.scanning.sass.text import WIDTH, ZERO, Line, code, follows, is_predicate, parse
from smemdesc.scanning.ssa import Exit

_CARRY = "carry "
"""What the name of the register begins with that holds the carry of the add in a line."""
_SHORT = 64
"""A head is no longer than this."""

_CACHED = 12_000


class _Head:
    """What the beginning of a line tells."""

    __slots__ = ("guarded", "writes")

    def __init__(self, writes: tuple[str, ...] = (), guarded: bool = False) -> None:
        self.writes = writes
        self.guarded = guarded


_BRANCH = _Head()
_MMA = _Head()
_ODD = _Head()
"""A line that is no instruction."""
_WHOLE = _Head()
"""The head does not tell what the line writes: look at all of it."""


class _Heads(dict[bytes, "_Head | None"]):
    """What the heads of lines tell; None: nothing that matters."""

    def __missing__(self, head: bytes) -> _Head | None:
        if len(self) > _CACHED:
            self.clear()
        made = self[head] = _judge(head)
        return made


def _judge(head: bytes) -> _Head | None:
    start, _, first = head.rstrip(b" ;").rpartition(b" ")
    policy = _POLICIES[start]
    if not isinstance(policy, int):
        return policy if policy is not _ODD else _slowly(head)
    return _RESULTS[first, policy, start[:1] == b"@"]


def _slowly(head: bytes) -> _Head | None:
    """Judge a head that is not simply a mnemonic and an operand."""
    if not head or head.isspace():
        return None
    line = parse(head)
    if line is None:
        return _ODD
    if line.name in NAMES:
        return _MMA
    if line.name in BRANCHES:
        return _BRANCH
    if may_branch(line.name):
        return _ODD
    if not one_result(line) or (line.operands and is_predicate(line.operands[0])):
        return _WHOLE
    registers = written(line)
    return _Head(registers, bool(line.guard)) if registers else None


class _Policies(dict[bytes, "_Head | int | None"]):
    """What a guard and a mnemonic tell: how many registers from the first operand on are written, or a head."""

    def __missing__(self, start: bytes) -> _Head | int | None:
        if len(self) > _CACHED:
            self.clear()
        made = self[start] = self._make(start)
        return made

    @staticmethod
    def _make(start: bytes) -> _Head | int | None:
        line = parse(start + b" R0")
        if line is None or line.operands != ("R0",):
            return _ODD
        if line.name in NAMES:
            return _MMA
        if line.name in BRANCHES:
            return _BRANCH
        if may_branch(line.name):
            return _ODD
        return (len(written(line)) or None) if one_result(line) else _WHOLE


_POLICIES = _Policies()


class _Results(dict[tuple[bytes, int, bool], "_Head | None"]):
    """What is written where so many registers are from this operand on, by an instruction that has a guard or not."""

    def __missing__(self, key: tuple[bytes, int, bool]) -> _Head | None:
        if len(self) > _CACHED:
            self.clear()
        first, count, guarded = key
        text = first.decode("latin-1")
        made: _Head | None
        if is_predicate(text):
            made = _WHOLE  # the register comes behind it
        else:
            registers = tuple(follows(text, count))
            made = _Head(registers, guarded) if registers else None
        self[key] = made
        return made


_RESULTS = _Results()
_HEADS = _Heads()


def _head(line: bytes) -> bytes:
    """Return the mnemonic, with its guard, and the first operand; nothing of a label or a comment."""
    _, mark, rest = line.partition(b"*/")
    if not mark:
        rest = b"" if line[-1:] == b":" or line[:1] == b"/" else line
    return rest.lstrip()[:_SHORT].partition(b",")[0]


class _Lines(dict[bytes, "tuple[Line | None, Meaning | None]"]):
    """Lines taken apart."""

    def __missing__(self, text: bytes) -> tuple[Line | None, Meaning | None]:
        if len(self) > _CACHED // 4:
            self.clear()
        line = parse(text)
        made = self[text] = (line, None if line is None else meaning(line))
        return made


_LINES = _Lines()


def analyse(
    text: bytes,
    first: int,
    name: str | None,
    arch: str | None,
    lacking: Lacking | None = None,
    never: Collection[int] = (),
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None where it has none.

    ``lacking``: a part of the function is not in the text.
    ``never``: where constant bank 4 has the addresses of functions that do not return.
    """
    symbols = text.lstrip().startswith(_CUOBJDUMP) or (name is None and b"/* 0x" in text)
    lines, unread, begins = listing(text, name is not None)
    if symbols:
        lines = [_NO_SYMBOL.sub(rb"\1 (or a symbol) ;", line) if b", 0x0 ;" in line else line for line in lines]
    heads = list(map(_HEADS.__getitem__, map(_head, lines) if begins is None else begins))
    # Those of which it is not plain what they write.
    special = [index for index, head in enumerate(heads) if head is not None and not head.writes]
    tensor = [index for index in special if heads[index] is _MMA]
    hidden = [*unread, *(index for index in special if heads[index] is _ODD)]
    if not tensor and not hidden:
        return None
    found: dict[int, Found] = {}
    odd = len(hidden)
    raw = text.split(b"\n") if hidden else []
    unknown = _unread([(first + index, raw[index]) for index in sorted(hidden) if b"gdesc[" in raw[index]])
    for index in tensor:
        line = _LINES[code(lines[index])][0]
        understood = understand(line) if line is not None else None
        if line is not None and understood is not None:
            found[index] = Found(line, *understood, tensor_memory(line))
        else:
            # It still writes what it may.
            heads[index] = _WHOLE
            odd += 1
            unknown.append((first + index, _text(lines[index])))
    if not found:
        return Function(name, first, "SASS", (), odd, unread=tuple(unknown)) if unknown else None
    if not lacking and not hidden and (told := missing(lines, name is not None)):
        lacking = told._replace(line=first + told.line)
    branches = [index for index in special if heads[index] is _BRANCH]
    if lacking:
        facts = _nothing(found, lacking[:2])
        if lacking.gap and not hidden:
            more = _answered(lines, heads, branches, found, first, False, never)
            facts = {index: list(map(assumed, parts, more[index])) for index, parts in facts.items()}
    elif hidden:
        # What is not understood may be an instruction, a branch or a label.
        facts = _nothing(found, (first + min(hidden), _text(raw[min(hidden)])))
    else:
        facts = _answered(lines, heads, branches, found, first, name is not None, never)
    noted, sources = _sources(lines) if b"//## File" in text else ([], [])
    mmas = []
    for index, each in found.items():
        a, b, idesc, mask, *words = facts[index]
        before = bisect_right(noted, index)
        source = sources[before - 1] if before else None
        offset = _offset(lines[index])
        placed = addresses(each.memory, words)
        mmas.append(
            Mma(first + index, shown(each.line), each.instruction, a, b, idesc, mask, source, arch, offset, placed)
        )
    return Function(name, first, "SASS", tuple(mmas), odd, unread=tuple(unknown))


def _answered(
    lines: list[bytes],
    heads: list[_Head | None],
    branches: list[int],
    found: dict[int, Found],
    first: int,
    headed: bool,
    never: Collection[int],
) -> dict[int, list[Operand | None]]:
    """Return what is known of each descriptor; of a function that is cut off, what would be, too."""

    def instruction(index: int) -> tables.Code | None:
        line = _taken(lines[index])
        if line is None:
            return None
        parts = found[index].reads[:_MASK] if index in found else ()
        kills = () if heads[index] is _BRANCH else written(line)
        return tables.instruction(line, kills, [each for part in parts if part for each in part])

    def place(index: int) -> tuple[int, str]:
        if index < len(lines):
            return first + index, _text(lines[index])
        return first + max(at for at, line in enumerate(lines) if line.strip()), CUT_OFF

    def facts(blocks: list[Block]) -> dict[int, list[Operand | None]]:
        asked = dict(found)
        marks, _ = _choose(lines, heads, blocks, asked)

        def again(ends: Collection[int]) -> tuple[set[int], dict[int, Exit]]:
            return _choose(lines, heads, blocks, dict(found), ends)

        questions = {index: _question(each) for index, each in asked.items()}
        return answers(blocks, questions, place, WIDTH, marks, again)

    return both(partial(control_flow, lines, branches, headed, instruction, never), facts)


def _unread(lines: list[tuple[int, bytes]]) -> list[tuple[int, str]]:
    """Return the first of the lines with a tensor-core instruction that are not as any tool prints them."""
    more = f" (and {len(lines) - 1} more lines like it)" if len(lines) > 1 else ""
    return [(line, text.strip().decode("utf-8", "replace")[: 2 * _SHORT] + more) for line, text in lines[:1]]


def _offset(line: bytes) -> int | None:
    found = _ADDRESS.match(line)
    return None if found is None else int(found[1], 16)


_ADDRESS = re.compile(rb"[ \t]*/\*([0-9a-f]{4,8})\*/")
_CUOBJDUMP = b"Function : "
_NO_SYMBOL = re.compile(rb"(MOV(?:\.\w{1,16}){0,4} U?R\d{1,3},(?: RZ, RZ,)? 0x0) ;")
"""Where an address is not known before a program is linked, cuobjdump prints 0 and nvdisasm the symbol."""


class Found(NamedTuple):
    """A tensor-core instruction."""

    line: Line
    instruction: Instruction
    reads: Reads
    memory: tuple[InMemory, ...]


def shown(line: Line) -> str:
    """Return an instruction as one text."""
    return " ".join(filter(None, (line.guard, line.mnemonic, ", ".join(line.operands))))


_SOURCE = re.compile(rb'//## File "([^"\n]*)", line (\d{1,9})')


def _sources(lines: list[bytes]) -> tuple[list[int], list[tuple[str, int]]]:
    """Return the lines in which a dump notes a source line, and the source lines."""
    noted, sources = [], []
    for index, line in enumerate(lines):
        found = _SOURCE.search(line) if b"//## File" in line and b"inlined at" not in line else None
        if found:
            noted.append(index)
            sources.append((found[1].decode("utf-8", "replace"), int(found[2])))
    return noted, sources


def _choose(
    lines: list[bytes],
    heads: list[_Head | None],
    blocks: list[Block],
    found: dict[int, Found],
    ends: Collection[int] = (),
) -> tuple[set[int], dict[int, Exit]]:
    """Put into the blocks the steps on which the descriptors depend, from the MMAs backwards.

    What is in memory is followed only where one of these steps reads it or tells of it: that takes longer than all
    else. Returns the numbers that predicates compare with, and the branches at the end of the blocks ``ends``, which
    the steps then tell of, too.
    """

    def writes(index: int) -> tuple[str, ...]:
        return _writes(lines, heads, found, index)

    def take(text: bytes) -> tuple[Line | None, Meaning | None]:
        return _LINES[code(text)]

    reads = dict(found)
    marks, asked, exits = _chosen(lines, list(heads), blocks, reads, NONE, ends)
    if any(concerns(_taken(lines[index])) for index in asked):
        kept = memory(lines, blocks, take, writes)
        if kept.meanings:
            reads = dict(found)
            marks, _, exits = _chosen(lines, list(heads), blocks, reads, kept, ends)
    found.update(reads)
    return marks, exits


def _writes(lines: list[bytes], heads: list[_Head | None], found: dict[int, Found], index: int) -> tuple[str, ...]:
    head = heads[index]
    if head is _MMA:
        return written(found[index].line)
    if head is _WHOLE:
        head = heads[index] = _by_line(lines[index])
    return () if head is None else head.writes


def _chosen(
    lines: list[bytes],
    heads: list[_Head | None],
    blocks: list[Block],
    found: dict[int, Found],
    memory: Memory,
    asked_ends: Collection[int],
) -> tuple[set[int], set[int], dict[int, Exit]]:
    """Choose the steps, where ``memory`` says what lines do to memory.

    Returns the numbers that predicates compare with, the lines of which it was asked what they mean, and the branches
    at the end of the blocks ``asked_ends``.
    """
    at = [block.at for block in blocks]
    ends = [*at[1:], len(lines)]
    chosen: dict[int, Step] = {}
    deciding: dict[int, Step] = {}
    marks: set[int] = set()
    looked: set[int] = set()
    for index in memory.writes:
        heads[index] = _Head(memory.meanings[index].writes, b"@" in lines[index])

    def writes(index: int) -> tuple[str, ...]:
        return _writes(lines, heads, found, index)

    meanings = dict(memory.meanings)
    for block in blocks:
        if block.called and block.because is not None:
            call = block.because
            changed = {each for index in block.called for each in _changed(index, lines, writes)}
            changed.update(writes(call) if heads[call] is not _BRANCH else ())
            meanings[call] = Meaning(tuple(sorted(changed)))
            heads[call] = _Head(meanings[call].writes, b"@" in lines[call])
    memory = Memory(meanings, memory.writes)
    before = Before(lines, blocks, _taken, writes)

    def conditions(index: int, start: int, predicate: str, guard: str = "") -> Condition | Holds:
        said = condition(lines, index, start, predicate, _taken, writes, guard) or before.condition(index, predicate)
        if said is None:
            return Holds(predicate.lstrip("!"), predicate.startswith("!"))
        marks.update(said.constants)
        return said

    def made(guards: Guards, number: int, index: int) -> Step | None:
        looked.add(index)
        line, means = _LINES[code(lines[index])]
        means = memory.meanings.get(index, means)
        if line is None or means is None or means.carry_in or means.carry_out:
            return None
        return Step(index, means.writes, guards.resolved(number, index, means.reads, line.guard), means.transfer)

    exits: dict[int, Exit] = {}
    counted: dict[int, tuple[str, ...]] = {}
    for number in asked_ends:
        branch = max((line for line in range(at[number], ends[number]) if heads[line] is _BRANCH), default=-1)
        predicate = _asks(_taken(lines[branch])) if branch >= 0 else None
        said = None if predicate is None else conditions(branch, at[number], predicate)
        if isinstance(said, Condition) and blocks[number].following[1:] == [number + 1]:
            exits[number] = Exit(said, *blocks[number].following)
            counted[branch] = tuple(each for each in said.reads if isinstance(each, str))
    different = set(heads)
    unsure = {register for head in different if head is not None and head.guarded for register in head.writes}
    if _WHOLE in different:
        whole = [index for index, head in enumerate(heads) if head is _WHOLE and b"@" in lines[index]]
        unsure.update(register for index in whole for register in writes(index))
    unsure.update(register for index in found if b"@" in lines[index] for register in writes(index))
    guards = Guards(lines, blocks, _taken, unsure, writes, made)
    for index, of in found.items():
        number = bisect_right(at, index) - 1
        found[index] = of._replace(reads=guards.parts(number, index, of.reads, of.line.guard))

    def decide(index: int, start: int, live: set[object], asked: dict[str, bytes]) -> None:
        """Choose what a line leaves in predicates that matter behind it."""
        step = deciding.get(index)
        if step is None:
            line = _taken(lines[index])
            made = None if line is None else decides(line)
            if line is None or made is None or not made.writes:
                return
            if asked.keys().isdisjoint(made.writes):
                return
            step = deciding[index] = _under(line, index, start, made.writes, made.reads, made.transfer, conditions)
        if asked.keys().isdisjoint(step.writes):
            return
        if not step.guarded:
            for each in step.writes:
                asked.pop(str(each), None)
                live.discard(each)
        ask(step, live, asked)

    def ask(step: Step, live: set[object], asked: dict[str, bytes]) -> None:
        for read in step.reads:
            if isinstance(read, str):
                live.add(read)
                if read in PREDICATES:
                    asked[read] = PREDICATES[read]

    def choose(index: int, start: int, live: set[object], asked: dict[str, bytes], carries: dict[int, str]) -> None:
        """Choose what a line leaves in registers that matter behind it."""
        head = heads[index]
        if index in counted:
            live.update(counted[index])
        if head is _MMA:
            each = found[index]
            # The accumulators.
            if not live.isdisjoint(spoiled := written(each.line)):
                chosen[index] = Step(index, spoiled, (), None)
                live.difference_update(spoiled)
            live.update(register for part in each.reads if part for register in part)
            live.update(of.register for of in each.memory)
            return
        if head is _WHOLE:
            head = heads[index] = _by_line(lines[index])
        if head is None or (index not in carries and live.isdisjoint(head.writes)):
            return
        step = chosen.get(index)
        if step is None:
            looked.add(index)
            step = chosen[index] = _step(lines, index, start, conditions, guards, memory)
        if not step.guarded:
            live.difference_update(step.writes)
        for read in step.reads:
            if isinstance(read, str) and read.startswith(_CARRY):
                carries[int(read.removeprefix(_CARRY))] = read
        ask(step, live, asked)

    def visit(number: int, live: set[object]) -> None:
        start = at[number]
        # Carries live within a block only: the add that makes one is chosen when its reader is.
        carries: dict[int, str] = {}
        asked = {name: mark for name, mark in PREDICATES.items() if name in live}
        for index in range(ends[number] - 1, start - 1, -1):
            head = heads[index]
            if head is not None and (not head.writes or index in carries or not live.isdisjoint(head.writes)):
                choose(index, start, live, asked, carries)
            if asked:
                line = lines[index]
                for mark in asked.values():
                    if mark in line or b"PR," in line:
                        decide(index, start, live, asked)
                        break
            if index in guards.steps:
                guards.before(index, live)

    own: list[set[str] | None] = [None] * len(blocks)
    masks = [(0, 0)] * len(blocks)

    def passes(number: int, mask: int, numbers: Numbers) -> bool:
        """Whether a block has no line that writes what matters behind it."""
        registers = own[number]
        if registers is None:
            inside = set(heads[at[number] : ends[number]])
            registers = own[number] = {each for head in inside if head is not None for each in head.writes}
            if _WHOLE in inside or _MMA in inside:
                for index in range(at[number], ends[number]):
                    if heads[index] is _WHOLE or heads[index] is _MMA:
                        registers.update(writes(index))
            if _MMA in inside:
                registers.add("")
        if number in guards.blocks or number in exits or "" in registers:
            return False
        told, may_write = masks[number]
        if told < len(numbers):
            # Only of those that matter somewhere it has to be known.
            fresh = numbers.ordered[told:]
            if len(fresh) < len(registers):
                for place, each in enumerate(fresh, told):
                    may_write |= (each in registers) << place
            else:
                may_write |= numbers.mask(each for each in registers if each in numbers)
            if predicates := [each for each in fresh if each in PREDICATES]:
                text = b"\n".join(lines[at[number] : ends[number]])
                every = b"PR," in text
                may_write |= numbers.mask(each for each in predicates if every or PREDICATES[each] in text)
            masks[number] = len(numbers), may_write
        return not mask & may_write

    def touched(number: int) -> Iterable[str]:
        registers = (own[number] or set()).union(PREDICATES)
        if number in guards.blocks:
            steps = (guards.steps[index] for index in range(at[number], ends[number]) if index in guards.steps)
            return registers.union(*(map(str, step.writes) for step in steps))
        return registers

    backwards(blocks, (bisect_right(at, index) - 1 for index in (*found, *counted)), visit, touched, passes)
    for block in blocks:
        block.steps = []
    for index in sorted({*chosen, *found, *deciding, *guards.used}):
        block = blocks[bisect_right(at, index) - 1]
        if index in guards.used:
            block.steps.append(guards.steps[index])
        if index in deciding:
            # It reads what the line reads, before that writes.
            block.steps.append(deciding[index])
        if index in found:
            block.steps.append(Step(index, (), (), None, watched=True))
        if index in chosen:
            block.steps.append(chosen[index])
    for block in blocks:
        if len(block.steps) >= _SWAP:
            block.steps = list(_swapped(block.steps))
    return marks, looked, exits


def _asks(line: Line | None) -> str | None:
    """Return the predicate under which a line branches: its guard or an operand; None where it has both or none."""
    if line is None or line.name != "BRA" or set(line.suffixes) - {"U"}:
        return None
    asked = [line.guard[1:]] if line.guard not in ("", "@PT", "@UPT") else []
    asked += [each for each in line.operands[:-1] if each not in ("PT", "UPT")]
    return asked[0] if len(asked) == 1 and is_predicate(asked[0]) else None


_EXCLUSIVE = XOR(*IN[:2], WIDTH)
_SWAP = 3
"""Steps that exchange two registers."""


def _swapped(steps: list[Step]) -> Iterator[Step]:
    """Take three exclusive ors that exchange two registers for what they do: bit by bit nothing is lost.

    What stands between them may read ``b``, which the second has changed for good; not ``a``, which holds both until
    the third; and write neither.
    """
    gone: set[int] = set()
    last: dict[int, Step] = {}
    for index, step in enumerate(steps):
        if step.transfer is _EXCLUSIVE and not step.guarded and index not in gone and index not in last:
            a, b = step.writes[0], step.reads[1] if step.reads[0] == step.writes[0] else step.reads[0]
            second = _exclusive(steps, index, b, a, b)
            third = None if second is None else _exclusive(steps, second, a, a, b)
            if a in step.reads and a != b and isinstance(b, str) and second is not None and third is not None:
                gone.update((index, third))
                last[second] = Step(steps[second].at, (a, b), (b, a), results(*IN[:2]))
    for index, step in enumerate(steps):
        if index not in gone:
            yield last.get(index, step)


def _exclusive(steps: list[Step], index: int, to: object, a: object, b: object) -> int | None:
    """Return the next step that writes ``a`` or ``b`` or reads ``a``, if it puts their exclusive or into ``to``."""
    for at in range(index + 1, len(steps)):
        step = steps[at]
        if step.watched:
            return None
        if a in step.reads or not {a, b}.isdisjoint(step.writes):
            exclusive = step.transfer is _EXCLUSIVE and not step.guarded
            return at if exclusive and step.writes == (to,) and set(step.reads) == {a, b} else None
    return None


def _changed(index: int, lines: list[bytes], writes: Callable[[int], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the registers and predicates that a line may change."""
    line = _taken(lines[index])
    return (
        ()
        if line is None or (line.name in ("MOV", "UMOV") and stays(lines[index]))
        else (*writes(index), *written(line), *targets(line))
    )


class _ByLine(dict[bytes, "_Head | None"]):
    """What lines write, by all of them."""

    def __missing__(self, text: bytes) -> _Head | None:
        if len(self) > _CACHED // 4:
            self.clear()
        line = parse(text)
        registers = () if line is None else written(line)
        made = self[text] = _Head(registers, b"@" in text) if registers else None
        return made


_BY_LINE = _ByLine()


def _by_line(text: bytes) -> _Head | None:
    """Judge a line by all of it."""
    return _BY_LINE[code(text)]


def _taken(text: bytes) -> Line | None:
    return _LINES[code(text)][0]


def _step(
    lines: list[bytes],
    index: int,
    start: int,
    conditions: Callable[..., Condition | Holds],
    guards: Guards,
    memory: Memory,
) -> Step:
    line, means = _LINES[code(lines[index])]
    means = memory.meanings.get(index, means)
    assert line is not None
    assert means is not None
    writes: tuple[object, ...] = means.writes
    reads: tuple[object, ...] = means.reads
    transfer = means.transfer
    deciding: tuple[int, ...] = ()
    number = bisect_right(guards.at, index) - 1
    reads = guards.resolved(number, index, reads, line.guard)
    if means.carry_in:
        reads = (*reads[:-1], _carry(lines, index, start, means.carry_in))
    if means.carry_out:
        writes = (*writes, f"{_CARRY}{index}")
    elif means.selects:
        said = conditions(index, start, means.selects, line.guard)
        deciding = tuple(range(len(reads), len(reads) + len(said.reads)))
        reads, transfer = (*reads, *said.reads), select(said, reads[0], reads[1], WIDTH)
    if guards.always(number, index, line):
        return Step(index, writes, reads, transfer, deciding=deciding)
    return _under(line, index, start, writes, reads, transfer, conditions, deciding)


def _under(
    line: Line,
    index: int,
    start: int,
    writes: tuple[object, ...],
    reads: tuple[object, ...],
    transfer: Transfer | None,
    conditions: Callable[..., Condition | Holds],
    deciding: tuple[int, ...] = (),
) -> Step:
    """Return the step of an instruction under its guard."""
    guarded = bool(line.guard) and line.guard not in ("@PT", "@UPT")
    if guarded and transfer is not None and len(writes) == 1:
        said = conditions(index, start, line.guard[1:])
        if isinstance(said, Holds) and said.register in targets(line) and writes[0] not in PREDICATES:
            # The line decides the predicate anew, in a step before this one.
            return Step(index, writes, reads, transfer, guarded)
        return decided(index, writes, reads, transfer, said, 0 if writes[0] in PREDICATES else WIDTH, deciding)
    return Step(index, writes, reads, transfer, guarded, deciding=deciding)


def _carry(lines: list[bytes], index: int, start: int, predicate: str) -> object:
    """Return the register of the carry that a predicate holds, if the add that made it stands in the same block."""
    mark = predicate.encode()
    for before in range(index - 1, start - 1, -1):
        if b"PR," in lines[before] and (b"2P " in lines[before] or b"2UP " in lines[before]):
            return UNKNOWN  # R2P and UR2UP write all predicates
        if mark not in lines[before]:
            continue
        line, means = _LINES[code(lines[before])]
        if line is None or means is None:
            continue
        if means.carry_out == predicate and not line.guard:
            return f"{_CARRY}{before}"
        if predicate in line.operands and not _only_reads(line, predicate):
            return UNKNOWN
    return UNKNOWN


_READERS = frozenset(("SEL", "USEL", "BRA", "IADD3", "UIADD3", "LEA", "ULEA", "IMAD"))


def _only_reads(line: Line, predicate: str) -> bool:
    """Whether a line surely leaves a predicate alone."""
    if line.name in ("SEL", "USEL", "BRA"):
        return True
    return line.name in _READERS and predicate not in line.operands[1:3]


def _nothing(found: dict[int, Found], because: tuple[int, str]) -> dict[int, list[Operand | None]]:
    """Return for each descriptor that nothing is known of it, and the line because of which."""
    return {
        index: [None if part is None else Operand(0, 0, *because) for part in (*each.reads, *each.memory)]
        for index, each in found.items()
    }


def _question(found: Found) -> Question:
    parts = [None if part is None else tuple(ZERO if each == "URZ" else each for each in part) for part in found.reads]
    memory = [(ZERO if each.register == "URZ" else each.register,) for each in found.memory]
    return Question(found.instruction.family, [*parts, *memory], [*_WIDTHS, *(WIDTH for _ in memory)])


_MASK = 3
"""The mask's place in :class:`~smemdesc.scanning.sass.mma.Reads`: an instruction may name one and not use it."""
_WIDTHS = (2 * WIDTH, 2 * WIDTH, WIDTH, 2 * WIDTH)
"""Bits of each operand of :class:`~smemdesc.scanning.sass.mma.Reads`."""


def _text(line: bytes) -> str:
    """Return what is shown of a line."""
    taken = parse(code(line))
    return shown(taken) if taken is not None else code(line).decode("utf-8", "replace")[:_SHORT]
