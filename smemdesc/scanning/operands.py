"""What is known of the descriptors of a function, and from where: the registers that hold them, made into operands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.instructions.mma import OPERANDS
from smemdesc.kinds.kind import kind_of
from smemdesc.scanning.assumptions import AssumedBits, Fields
from smemdesc.scanning.blocks import Block
from smemdesc.scanning.causes import why
from smemdesc.scanning.dependence import Sources
from smemdesc.scanning.fixpoint import Solved, solve
from smemdesc.scanning.induction import has_induction, solve_with_loops
from smemdesc.scanning.known import UNKNOWN, add, const
from smemdesc.scanning.model import Addition, Address, Instruction, Mma, Operand, Origin, Provided
from smemdesc.scanning.provenance import Provenance, merges
from smemdesc.scanning.ssa import Ssa

Place = Callable[[int], tuple[int, str]]
"""Turns where a step stands into a line of the text and what is to be shown of it."""


CUT_OFF = "the function is cut off after this line: paste it up to its last line"
"""What is said in place of the text of a line where bits are lost because the text ends."""


class Query(NamedTuple):
    """The operands of a tensor-core instruction: the registers of each, low word first; None: it has none.

    The descriptors come first; addresses of tensor memory behind them are only looked at.
    """

    family: str
    parts: Sequence[tuple[Hashable, ...] | None]
    widths: Sequence[int]
    """Bits of each operand; where it has several registers, each holds a word."""


def addresses(named: Iterable[tuple[str, str, int]], operands: Iterable[Operand | None]) -> tuple[Address, ...]:
    """Return the addresses of tensor memory of an instruction: name, register and what is added to it of each."""
    found = []
    for (name, _, plus), operand in zip(named, operands, strict=True):
        base = UNKNOWN if operand is None else (operand.bits, operand.known)
        found.append(Address(name, *add(base, const(plus, WORD), WORD)[0][:2]))
    return tuple(found)


class _Word(NamedTuple):
    name: Any
    """A version of a register, or a constant."""
    shift: int
    width: int


_Parts = dict[int, list[list[_Word] | None]]
"""The words of the operands of each instruction."""


def _parts(ssa: Ssa, queries: Mapping[int, Query]) -> _Parts:
    return {
        index: [
            None
            if part is None
            else [
                _Word(ssa.value(register, index, ssa.code.guard(index)), WORD * at, width if len(part) == 1 else WORD)
                for at, register in enumerate(part)
            ]
            for part, width in zip(asked.parts, asked.widths, strict=True)
        ]
        for index, asked in queries.items()
    }


def operands_of(ssa: Ssa, queries: Mapping[int, Query], place: Place) -> dict[int, list[Operand | None]]:
    """Return the operands of each instruction, by its number."""
    parts = _parts(ssa, queries)
    words = [word.name for each in parts.values() for part in each for word in part or ()]
    found = solve(words, ssa.define)
    if (
        ssa.graph.circles()
        and _lacking(parts, queries, found)
        and has_induction(found, ssa.header_phis(_merged(found)))
    ):
        found = solve_with_loops(words, ssa.define, ssa.header_phis)
    names = Provenance(found)
    placed = _Placed(place, names)
    stepped = _assumed_bits(names, parts, queries)
    return {
        at: [
            None
            if words is None
            else provided(
                _operand(names, words, width, queries[at].family if number < 2 else "", placed),
                _said(stepped.get((at, number)), placed.__getitem__, str),
                queries[at].family,
            )
            for number, (words, width) in enumerate(zip(each, queries[at].widths, strict=True))
        ]
        for at, each in parts.items()
    }


def _merged(found: Solved) -> list[Any]:
    return [name for name, each in found.definitions.items() if each is not None and each.merges]


def _known(words: Sequence[_Word], found: Mapping[Any, Any]) -> int:
    """Return which bits of an operand are known."""
    known = 0
    for word in words:
        fact = word.name if word.name.__class__ is tuple else found[word.name]
        known |= (fact[1] & ones(word.width)) << word.shift
    return known


def _lacking(parts: _Parts, queries: Mapping[int, Query], found: Solved) -> bool:
    """Whether something is not known of an operand that is more than where it starts."""
    for at, each in parts.items():
        family = queries[at].family
        for number, words in enumerate(each[: len(OPERANDS)]):
            if words is not None:
                wanted = fields_mask(family if number < 2 else "") & ones(queries[at].widths[number])
                if wanted & ~_known(words, found):
                    return True
    return False


_LBO, _LBO_MODE, _START = "leading_byte_offset", "lbo_mode", "start_address"


def _assumed_bits(names: Provenance, parts: _Parts, queries: Mapping[int, Query]) -> dict[tuple[int, int], AssumedBits]:
    """Return what is known above start addresses that additions change, of A (0) and B (1) of each instruction."""
    asked: dict[bool, dict[tuple[int, int], Any]] = {False: {}, True: {}}
    for at, each in parts.items():
        wanted = fields_mask(queries[at].family)
        for number, words in enumerate(each[:2]):
            if words is None:
                continue
            known = _known(words, names.solved)
            wide = len(words) == 1
            # Of a lower word alone nothing tells that it is one of a descriptor: the upper one has to.
            if wanted & ~known and (wide or not wanted & ~known & ~ones(WORD)):
                name = words[0].name
                asked[wide][at, number] = None if name.__class__ is tuple else name
    out: dict[tuple[int, int], AssumedBits] = {}
    for wide, of in asked.items():
        if of:
            found = Fields(names, _start_bits(), wide).above(list(of.values()))
            out.update({key: made for key, made in zip(of, found, strict=True) if made is not None})
    return out


def _start_bits() -> int:
    return kind_of("wgmma").table.masks[_START].bit_length()


def provided(operand: Operand, said: Provided | None, family: str) -> Operand:
    """Add to an operand of a ``family`` what would be known if additions change its start address only."""
    if said is None:
        return operand
    more = said.known & ~operand.known
    masks = kind_of("wgmma" if family == "wgmma" else "tcgen05").table.masks
    mode = masks.get(_LBO_MODE, 0)
    if mode & ~(operand.known & ~operand.bits):
        # It may be an address itself, which is stepped like the start.
        more &= ~masks[_LBO]
    if not more & fields_mask(family):
        return operand
    return operand._replace(provided=Provided(operand.bits | said.bits & more, operand.known | more, said.additions))


def operands_with_cut(
    flow: Callable[[bool], list[Block]], facts: Callable[[list[Block]], dict[int, list[Operand | None]]]
) -> dict[int, list[Operand | None]]:
    """Return the operands of each instruction and, of a function that is cut off, what would be known of them, too.

    ``flow`` returns the blocks of the function and (true) those in which nothing that is missing jumps to what is
    there, none where nothing is missing; ``facts`` the operands that :func:`answers` finds in blocks.
    """
    blocks = flow(False)
    entries = [block.at for block in blocks if block.entry]
    proven = facts(blocks)
    if all(block.because is None for block in blocks):
        return proven
    blocks = flow(True)
    if not blocks or entries == [block.at for block in blocks if block.entry]:
        return proven
    more = facts(blocks)
    return {at: list(map(assume_uncut, parts, more[at])) for at, parts in proven.items()}


def assume_uncut(proven: Operand | None, more: Operand | None) -> Operand | None:
    """Add to an operand of a function that is cut off what ``more`` says, for which nothing missing jumps back."""
    if proven is None or more is None:
        return proven
    said = more.provided or Provided(more.bits, more.known, ())
    if not said.known & ~proven.known:
        return proven if more.lost is None else more  # what is lost is lost by something that is there
    if proven.provided is not None and not said.known & ~proven.provided.known:
        return proven
    return proven._replace(provided=said._replace(cut=True))


def _said(
    stepped: AssumedBits | None, placed: Callable[[int], tuple[int, str]], called: Callable[[Any], str]
) -> Provided | None:
    """Return what was found in the words of people; ``called`` tells the name of a register or a value."""
    if stepped is None or not stepped.additions:  # what nothing has to hold for is proven, or not known
        return None
    additions = sorted(Addition(*placed(each.at), called(each.term), each.plus) for each in stepped.additions)
    return Provided(stepped.bits, stepped.known, tuple(additions))


class _Placed(dict[int, tuple[int, str]]):
    def __init__(self, place: Place, names: Provenance) -> None:
        self.place = place
        self.names = names
        self.causes: dict[int, str | None] = {}
        self.steps: dict[int, Any] = {}
        for name, each in names.solved.definitions.items():
            if each is not None and each.reads and not merges(each):
                self.steps.setdefault(each.at, name)
        self.tuples: dict[tuple[tuple[tuple[int, int], int], ...], tuple[Origin, ...]] = {}

    def __missing__(self, at: int) -> tuple[int, str]:
        made = self[at] = self.place(at)
        return made

    def why(self, at: int) -> str | None:
        """Return what a line takes from where no text of a kernel tells it: itself, or what its result hangs on."""
        if at not in self.causes:
            self.causes[at] = why(self[at][1]) or self._behind(at)
        return self.causes[at]

    def _behind(self, at: int) -> str | None:
        """Follow what a step reads to where its result was chosen, and what decides that to where it is taken from."""
        waiting: list[tuple[Any, bool]] = [(self.steps[at], False)] if at in self.steps else []
        seen = set(waiting)
        for name, decides in waiting:
            definition = self.names.definition(name)
            if definition is None:
                continue
            found = [(each, decides) for each in merges(definition)]
            if not found:
                cause = why(self[definition.at][1]) if decides else None
                if cause is not None:
                    return cause
                found = [(read, decides or at in definition.deciding) for at, read in enumerate(definition.reads)]
            for each in found:
                if each not in seen and len(seen) < _LOOKED_AT and not self._settled(each[0]):
                    seen.add(each)
                    waiting.append(each)
        return None

    def _settled(self, name: Any) -> bool:
        return self.names.known(name)[1] in (ones(WORD), ones(2 * WORD))

    def origins(self, sources: Sources) -> tuple[Origin, ...]:
        """Return the lines that wrote bits, in the order of the text; those that are alike share one object."""
        key = tuple(sorted(sources.items()))
        found = self.tuples.get(key)
        if found is None:
            found = tuple(Origin(self[at][0], mask, self[at][1], moved) for (at, moved), mask in key)
            self.tuples[key] = found
        return found


_LOOKED_AT = 300
"""So many places are looked at to find where something is from."""


def _operand(names: Provenance, words: list[_Word], width: int, family: str, placed: _Placed) -> Operand:
    bits = known = 0
    sources: Sources = {}
    full = ones(width)
    for word in words:
        value = names.known(word.name)
        bits |= (value[0] & ones(word.width)) << word.shift
        known |= (value[1] & ones(word.width)) << word.shift
        for (at, moved), mask in names.sources(word.name).items():
            mask = mask << word.shift & full
            if mask:
                key = (at, moved + word.shift)
                sources[key] = sources.get(key, 0) | mask
    origins = placed.origins(sources)
    loose = ones(width) & ~known
    if not loose:
        return Operand(bits, known, origins=origins)
    bit = _first(loose, family)
    word = next(each for each in reversed(words) if bit >= each.shift)
    lost = None if word.name.__class__ is tuple else names.lost(word.name, bit - word.shift)
    if lost is None:
        # It was lost before anything that can be seen: where a way begins that nothing leads to.
        lost = names.solved.get(word.name, (0, 0, None))[2]
    if lost is None:
        return Operand(bits, known, origins=origins)
    return Operand(bits, known, *placed[lost], origins, lost_why=placed.why(lost))


class SymbolicValue(NamedTuple):
    """What is known of a value, where (a line) the rest was lost, and where the known bits came from."""

    bits: int = 0
    known: int = 0
    lost: int | None = None
    sources: Sources = {}  # noqa: RUF012 - never written to
    provided: Provided | None = None
    """What would be known if it is a descriptor, or the lower word of one, and additions change its start address."""

    def operand(self, width: int, family: str = "") -> Operand:
        """Return it as an operand, of ``family`` A or B; lines count as they do here, and have no text yet."""
        full = ones(width)
        origins = tuple(
            Origin(at, mask & full, "", moved) for (at, moved), mask in sorted(self.sources.items()) if mask & full
        )
        lost = None if self.known & full == full else self.lost
        made = Operand(self.bits & full, self.known & full, lost, "", origins)
        return provided(made, self.provided, family) if family else made


class SymbolicValues:
    """What is known of the values of a function in SSA form that its tensor-core instructions are given."""

    def __init__(self, names: Provenance, asked: Iterable[tuple[Any, int]]) -> None:
        """``asked``: the values, with their bits, that may be descriptors or words of one."""
        self._names = names
        self._provided: dict[tuple[Any, int], Provided] = {}
        fields = fields_mask("wgmma") | fields_mask("tcgen05")
        each = list(dict.fromkeys(asked))
        for width in (2 * WORD, WORD):
            lacking = [
                (name, of)
                for name, of in each
                if of == width and name.__class__ is not tuple and fields & ones(width) & ~names.known(name)[1]
            ]
            if lacking:
                found = Fields(names, _start_bits(), width > WORD).above([name for name, _ in lacking])
                made = [_said(stepped, lambda at: (at, ""), str) for stepped in found]
                self._provided.update({of: said for of, said in zip(lacking, made, strict=True) if said is not None})

    def held(self, value: Any, width: int) -> SymbolicValue:
        """Return what is known of a value; a pair is a constant."""
        full = ones(width)
        if value.__class__ is tuple:
            return SymbolicValue(value[0] & full, value[1] & full)
        names = self._names
        bits, known = (each & full for each in names.known(value)[:2])
        loose = full & ~known
        lost = names.lost(value, _first(loose, "tcgen05" if width == 2 * WORD else "")) if loose else None
        sources = {key: mask & full for key, mask in names.sources(value).items() if mask & full and key[0] >= 0}
        lost = lost if lost is not None and lost >= 0 else None
        return SymbolicValue(bits, known, lost, sources, self._provided.get((value, width)))


def mma_of(
    values: SymbolicValues,
    at: int,
    text: str,
    instruction: Instruction,
    given: Iterable[tuple[Any, int] | Operand | None],
    named: Iterable[tuple[str, str, int]],
) -> Mma:
    """Return an instruction of these operands, or of these values with their bits; the last are ``named`` addresses."""
    a, b, idesc, mask, *words = (
        each
        if each is None or isinstance(each, Operand)
        else values.held(*each).operand(each[1], instruction.family if place < 2 else "")
        for place, each in enumerate(given)
    )
    return Mma(at, text, instruction, a, b, idesc, mask, tensor_memory=addresses(named, words))


def placed(operand: Operand | None, place: Callable[[int], tuple[int, str] | None]) -> Operand | None:
    """Number the lines of an operand as the text does, and add them."""
    if operand is None:
        return None
    origins = []
    for each in operand.origins:
        found = place(each.line)
        if found is not None:
            origins.append(each._replace(line=found[0], text=found[1]))
    lost = None if operand.lost is None else place(operand.lost)
    said = operand.provided
    if said is not None:
        additions = [each._replace(line=at[0], text=at[1]) for each in said.additions if (at := place(each.line))]
        # What has to hold is told in full, or what would follow from it is not.
        said = said._replace(additions=tuple(additions)) if len(additions) == len(said.additions) else None
    return operand._replace(
        provided=said,
        origins=tuple(origins),
        lost=None if lost is None else lost[0],
        lost_text="" if lost is None else operand.lost_text or lost[1],
    )


def _first(loose: int, family: str) -> int:
    """Return the unknown bit that matters most: one of a field, from the top, before one of where it starts."""
    return ((loose & fields_mask(family)) or loose).bit_length() - 1


@lru_cache
def fields_mask(family: str) -> int:
    """Return the bits of a descriptor that say more than where it starts; all, where there is no start."""
    if not family:
        return ones(2 * WORD)
    masks = kind_of("wgmma" if family == "wgmma" else "tcgen05").table.masks
    return sum(
        mask for key, mask in masks.items() if key != "start_address" and not key.startswith(("reserved", "fixed"))
    )
