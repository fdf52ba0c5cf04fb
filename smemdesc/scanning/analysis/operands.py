"""What is known of the descriptors of a function, and from where: registers that hold them, turned into operands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones, word_pair
from smemdesc.engine.known import UNKNOWN, add, const
from smemdesc.instructions.model import OPERANDS
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.strides import LBO, UNIT
from smemdesc.scanning.analysis.assumptions import FieldsAboveStart, StepPlace
from smemdesc.scanning.analysis.conditions import unrefined
from smemdesc.scanning.analysis.fixpoint import Solved, solve
from smemdesc.scanning.analysis.induction import has_induction, solve_with_loops
from smemdesc.scanning.analysis.provenance import Provenance, Sources, merges
from smemdesc.scanning.analysis.ssa import Block, Ssa
from smemdesc.scanning.analysis.starts import RelativeStarts, Round, SymbolAt
from smemdesc.scanning.model import Instruction, Origin, Provided, ScannedMma, ScannedOperand, TensorMemoryOperand
from smemdesc.scanning.model.causes import FROM_CLUSTER, FROM_SHARED

CUT_OFF = "the function is cut off after this line: paste it up to its last line"
"""Shown instead of the text of a line if bits are lost because the text ends."""


OPERAND_BITS = (64, 64, 32, 64)
"""Bits of each operand of :class:`OperandNames`."""


class TmemAddress(NamedTuple):
    """An address of tensor memory: its operand, the register (or value) that holds it, and a number added to it."""

    name: str
    register: Any
    plus: int = 0


class OperandNames(NamedTuple):
    """The operands of a tensor-core instruction, by the names of the front end: its descriptors (None if it has none),
    and addresses of tensor memory."""

    a: Any
    b: Any
    idesc: Any = None
    mask: Any = None
    memory: tuple[TmemAddress, ...] = ()
    accumulator: str = ""
    """The first register of D, if it is in registers."""
    begins: bool = False
    """Whether it certainly does not add to what D holds."""

    @property
    def reads(self) -> tuple[Any, ...]:
        """All names in order, None for a descriptor that it does not have."""
        return (self.a, self.b, self.idesc, self.mask, *[address.register for address in self.memory])

    @property
    def widths(self) -> tuple[int, ...]:
        """The bits of each of :attr:`reads`."""
        return (*OPERAND_BITS, *[WORD] * len(self.memory))

    def converted(self, name: Callable[[Any, int], Any]) -> OperandNames:
        """Return the operands by other names; ``name`` takes one and its width in bits."""
        pairs = zip(self.reads, self.widths, strict=True)
        a, b, idesc, mask, *registers = (None if read is None else name(read, width) for read, width in pairs)
        memory = zip(self.memory, registers, strict=True)
        addresses = tuple([address._replace(register=register) for address, register in memory])
        return self._replace(a=a, b=b, idesc=idesc, mask=mask, memory=addresses)


ScannedOperands = dict[int, list[ScannedOperand | None]]
"""What is known of the operands of each instruction, by its number; None for an operand that it does not have."""


class Query(NamedTuple):
    """The operands of a tensor-core instruction: the registers of each, low word first; None if it has none.

    The descriptors come first, then addresses of tensor memory.
    """

    family: str
    parts: Sequence[tuple[Hashable, ...] | None]
    widths: Sequence[int]
    """Bits of each operand; if it has several registers, each holds a word."""


def tmem_addresses(
    named: Iterable[TmemAddress], operands: Iterable[ScannedOperand | None]
) -> tuple[TensorMemoryOperand, ...]:
    """Return the addresses of tensor memory of an instruction, with what is known of each."""
    tmem_operands = []
    for (name, register, plus), operand in zip(named, operands, strict=True):
        base = UNKNOWN if operand is None else (operand.bits, operand.known)
        start = None if operand is None or operand.start is None else operand.start.plus(plus, WORD)
        step = None if operand is None else operand.step
        pair = register if name.startswith("scale") and str(register).startswith("UR") else ""
        pair += f" + {plus}" if pair and plus else ""
        loaded = None if operand is None or operand.loaded is None else operand.loaded + plus
        number, known = add(base, const(plus, WORD), WORD)[0][:2]
        tmem_operands.append(TensorMemoryOperand(name, number, known, pair, start, step, loaded))
    return tuple(tmem_operands)


class OperandPart(NamedTuple):
    """A part of an operand, moved up by ``shift``."""

    name: Any
    """A version of a register, another value, or a constant."""
    width: int
    shift: int = 0


class Operands:
    """The operands of the tensor-core instructions of a function, from what is known of its values."""

    def __init__(
        self,
        names: Provenance,
        candidates: Iterable[tuple[Any, int]],
        place: StepPlace,
        cause: Callable[[int], str | None],
        symbol: SymbolAt | None,
        arch: str | None = None,
    ) -> None:
        """``candidates``: the values, with their bits, that may be descriptors or lower words of descriptors; ``cause``
        returns which source outside the text a step takes its result from; ``symbol`` is None if equal names may be
        different values."""
        self.names = names
        self.starts = None if symbol is None else RelativeStarts(names, symbol)
        self._start_bits = {family: _start_bits(family, arch) for family in ("wgmma", "tcgen05", "tcgen05.cp")}
        self._place = place
        self._cause = cause
        self._places: dict[int, tuple[int, str] | None] = {}
        self._causes: dict[int, str | None] = {}
        self._steps: dict[int, Any] = {}
        for name, definition in names.solved.definitions.items():
            if definition is not None and definition.reads and not merges(definition):
                self._steps.setdefault(definition.at, name)
        self._origins: dict[tuple[tuple[tuple[int, int], int], ...], tuple[Origin, ...]] = {}
        self._provided: dict[tuple[Any, int], Provided] = {}
        fields = fields_mask("wgmma") | fields_mask("tcgen05")
        distinct = dict.fromkeys(candidates)
        for width in (2 * WORD, WORD):
            incomplete = [
                name
                for name, bits in distinct
                if bits == width and name.__class__ is not tuple and fields & ones(width) & ~names.known(name)[1]
            ]
            if incomplete:
                low = kind_of("wgmma").table.masks["start_address"].bit_length()
                provided = FieldsAboveStart(names, low, width > WORD, self.place).above(incomplete)
                self._provided.update({(name, width): answer for name, answer in provided.items()})

    def operand(
        self, words: Sequence[OperandPart], width: int, use: OperandUse = "", round_: Round | None = None
    ) -> ScannedOperand:
        """Return the operand of ``width`` bits that values form; ``round_`` if it is in a loop of one block."""
        family = "" if use == ADDRESS else use
        operand = self._gathered(words, ones(width))
        lowest, unknown = words[0].name, ones(width) & ~operand.known
        start_bits = WORD if use == ADDRESS else self._start_bits.get(family, 0)
        if unknown & ones(start_bits) and self.starts is not None:
            unit = 1 if use == ADDRESS else UNIT
            step = None if round_ is None else self.starts.step(lowest, start_bits, round_)
            start = self.starts.start(lowest, start_bits, unit)
            operand = operand._replace(start=start, step=None if step is None else step * unit)
        if not unknown:
            return operand._replace(wide=self._wide(lowest)) if not operand.bits and width == WORD else operand
        if use == ADDRESS:
            operand = operand._replace(loaded=self._added_to_loaded(lowest))
        bit = ((unknown & fields_mask(family)) or unknown).bit_length() - 1
        lost = self._lost(words, bit)
        place = None if lost is None else self.place(lost)
        if lost is not None and place is not None:
            # All above LBO is known, and LBO is lost where an address in the cluster comes from.
            above_start = start_bits <= bit <= kind_of("tcgen05").table.row(LBO).hi and bool(family)
            carries = above_start and FROM_CLUSTER.search(place[1]) is not None
            operand = operand._replace(lost=place[0], lost_text=place[1], lost_why=self._why(lost), carries=carries)
        provided = self._provided.get((lowest, words[0].width)) if family else None
        return operand if provided is None else _with_provided(operand, provided, family)

    def _gathered(self, words: Sequence[OperandPart], full: int) -> ScannedOperand:
        """Return the known bits of an operand, as far as ``full`` has them, and the lines that wrote them."""
        bits = known = 0
        sources: Sources = {}
        for word in words:
            value = self.names.known(word.name)
            bits |= (value[0] & ones(word.width)) << word.shift
            known |= (value[1] & ones(word.width)) << word.shift
            for (at, moved), word_mask in self.names.sources(word.name).items():
                mask = word_mask << word.shift & full
                if mask:
                    key = (at, moved + word.shift)
                    sources[key] = sources.get(key, 0) | mask
        return ScannedOperand(bits, known, origins=self._written(sources))

    def _lost(self, words: Sequence[OperandPart], bit: int) -> int | None:
        """Return the step at which a bit of an operand was lost; None if it is not known."""
        word = next(word for word in reversed(words) if bit >= word.shift)
        lost = None if word.name.__class__ is tuple else self.names.lost(word.name, bit - word.shift)
        # A bit may be lost outside the text: at the start of a path without a predecessor.
        return self.names.solved.get(word.name, (0, 0, None))[2] if lost is None else lost

    def _wide(self, name: Any) -> int:
        """Return the known 64 bits whose low word is a word of 0; 0 if the word does not come from such a pair."""
        waiting = [name]
        for value in waiting:
            definition = None if value.__class__ is tuple else self.names.definition(value)
            for read in definition.reads if definition is not None and len(waiting) < _LOOKED_AT else ():
                bits, known = self.names.known(read)[:2]
                high, low = word_pair(bits)
                if not low and known & ones(2 * WORD) == ones(2 * WORD):
                    if high:
                        return bits & ones(2 * WORD)
                    waiting.append(read)
        return 0

    def _added_to_loaded(self, name: Any) -> int | None:
        """Return what is added to a word that was loaded from shared memory; None if that is not what a value is.

        ``tcgen05.alloc`` writes the address of the columns there.
        """
        single = None if self.starts is None else self.starts.single(name, WORD)
        definition = None if single is None else self.names.definition(single[0])
        if single is None or definition is None or definition.reads:
            return None
        shown = self.place(definition.at)
        return single[1] if shown is not None and FROM_SHARED.search(shown[1]) else None

    def place(self, at: int) -> tuple[int, str] | None:
        """Return the line and the text of a step; None if it has none."""
        if at not in self._places:
            self._places[at] = self._place(at)
        return self._places[at]

    def _written(self, sources: Sources) -> tuple[Origin, ...]:
        """Return the lines that wrote bits, in text order; equal results share one object."""
        key = tuple(sorted(sources.items()))
        if key not in self._origins:
            places = ((self.place(at), mask, moved) for (at, moved), mask in key)
            self._origins[key] = tuple(Origin(at[0], mask, at[1], moved) for at, mask, moved in places if at)
        return self._origins[key]

    def _why(self, at: int) -> str | None:
        """Return which source outside the text a line takes its result from, directly or through what it depends on."""
        if at not in self._causes:
            self._causes[at] = self._cause(at) or self._deciding_cause(at)
        return self._causes[at]

    def _deciding_cause(self, at: int) -> str | None:
        """Return the source outside the text of a value that decides a step's result: of a predicate that selects one
        of two values, or of what that predicate is computed from.

        The search goes from the step's result back through merges and reads, nearest first; words that are known are
        not followed.
        """
        # Values, and whether each decides.
        waiting: list[tuple[Any, bool]] = [(self._steps[at], False)] if at in self._steps else []
        seen = set(waiting)
        for name, decides in waiting:
            definition = self.names.definition(name)
            if definition is None:
                continue
            merged = merges(definition)
            if not merged and decides and (cause := self._cause(definition.at)) is not None:
                return cause
            before = [(value, decides) for value in merged] or [
                (read, decides or place in definition.deciding) for place, read in enumerate(definition.reads)
            ]
            for entry in before:
                is_known = self.names.known(entry[0])[1] in (ones(WORD), ones(2 * WORD))
                if entry not in seen and len(seen) < _LOOKED_AT and not is_known:
                    seen.add(entry)
                    waiting.append(entry)
        return None


_LOOKED_AT = 300
"""How many values are looked at to find a source."""


def operands_of(ssa: Ssa, queries: Mapping[int, Query], place: StepPlace, arch: str | None = None) -> ScannedOperands:
    """Return the operands of each instruction, by instruction number."""
    return followed_operands(ssa, queries, place, arch)[0]


def followed_operands(
    ssa: Ssa, queries: Mapping[int, Query], place: StepPlace, arch: str | None, further: Iterable[Any] = ()
) -> tuple[ScannedOperands, Operands]:
    """Return the operands of each instruction, by instruction number; and those of the function, which know the values
    ``further``, too."""
    parts = {index: _operand_parts(ssa, index, query) for index, query in queries.items()}
    every = [word.name for row in parts.values() for part in row if part for word in part[0]]
    every += further
    facts = solve(every, ssa.define)
    descriptors = [part for row in parts.values() for part in row[: len(OPERANDS)] if part]
    if (
        ssa.graph.circles()
        and any(_unknown_bits(facts, *part) for part in descriptors)
        and has_induction(facts, ssa.header_phis(facts.merged()))
    ):
        facts = solve_with_loops(facts, every, ssa.define, ssa.header_phis)
    candidates = []
    for words, width, family in descriptors:
        # A lower word alone does not show that it belongs to a descriptor: the upper word must.
        if family and 0 < _unknown_bits(facts, words, width, family) <= ones(words[0].width):
            candidates.append((words[0].name, words[0].width))
    operands = Operands(Provenance(facts), candidates, place, ssa.code.cause, ssa.code.symbol, arch)
    rounds = {at: _round(ssa, ssa.block_of(at)) for at in parts}
    scanned = {at: [part and operands.operand(*part, rounds[at]) for part in row] for at, row in parts.items()}
    return scanned, operands


def _operand_parts(ssa: Ssa, index: int, query: Query) -> list[tuple[list[OperandPart], int, OperandUse] | None]:
    """Return the values that form each operand of an instruction, its bits, and its use; None if it has none."""
    guard = ssa.code.guard(index)
    parts: list[tuple[list[OperandPart], int, OperandUse] | None] = []
    for number, (registers, width) in enumerate(zip(query.parts, query.widths, strict=True)):
        part_width = width if registers and len(registers) == 1 else WORD
        words = [
            OperandPart(ssa.value(register, index, guard), part_width, WORD * place)
            for place, register in enumerate(registers or ())
        ]
        parts.append((words, width, _use(query.family, number)) if words else None)
    return parts


def _round(ssa: Ssa, block: int) -> Round | None:
    """Return what each value is in the next iteration of a loop that is one block; None if the block is none."""
    if block not in ssa.blocks[block].following:
        return None

    def following(name: Any) -> Any:
        value = unrefined(name)
        if not ssa.is_defined_in(frozenset([block]), value):
            return name
        if value is not name or value.index >= 0:
            return None
        return next((read for before, read in ssa.incoming(value) if before == block), None)

    return following


_MATRICES = 2
"""The first operands are A and B."""
OperandUse = str
"""The family of the instruction, for A and B of an MMA; :data:`ADDRESS`; empty for any other operand."""
ADDRESS = "address of tensor memory"


def _use(family: str, place: int) -> OperandUse:
    """Return what the operand at a place is for."""
    return family if place < _MATRICES else ADDRESS if place >= len(OPERANDS) else ""


@lru_cache
def _start_bits(family: str, arch: str | None) -> int:
    """Return the bits of a start address, the lowest of a descriptor."""
    return kind_of("wgmma" if family == "wgmma" else "tcgen05", None, arch).table.masks["start_address"].bit_length()


def _unknown_bits(facts: Solved, words: Sequence[OperandPart], width: int, family: str) -> int:
    """Return the unknown bits of an operand, without its start address."""
    known = 0
    for word in words:
        fact = word.name if word.name.__class__ is tuple else facts[word.name]
        known |= (fact[1] & ones(word.width)) << word.shift
    return fields_mask(family) & ones(width) & ~known


def _with_provided(operand: ScannedOperand, extra: Provided, family: str) -> ScannedOperand:
    """Add to an operand of a ``family`` what would be known if additions changed its start address only."""
    gained = extra.known & ~operand.known
    masks = kind_of("wgmma" if family == "wgmma" else "tcgen05").table.masks
    mode = masks.get("lbo_mode", 0)
    if mode & ~(operand.known & ~operand.bits):
        # The field may be an address itself, which is stepped like the start address.
        gained &= ~masks["leading_byte_offset"]
    if not gained & fields_mask(family):
        return operand
    return operand._replace(
        provided=Provided(operand.bits | extra.bits & gained, operand.known | gained, extra.additions)
    )


def operands_with_cut(
    flow: Callable[[bool], list[Block]], facts: Callable[[list[Block]], ScannedOperands]
) -> ScannedOperands:
    """Return the operands of each instruction and, for a function that is cut off, what would be known of them, too.

    ``flow`` returns the blocks of the function or, if True is passed, the blocks without jumps from the missing part
    (empty if nothing is missing); ``facts`` returns the operands that :func:`operands_of` finds in blocks.
    """
    blocks = flow(False)
    entries = [block.at for block in blocks if block.entry]
    proven = facts(blocks)
    if all(block.entry_cause is None for block in blocks):
        return proven
    blocks = flow(True)
    if not blocks or entries == [block.at for block in blocks if block.entry]:
        return proven
    assumed = facts(blocks)
    return {at: list(map(assume_uncut, parts, assumed[at])) for at, parts in proven.items()}


def assume_uncut(proven: ScannedOperand | None, assumed: ScannedOperand | None) -> ScannedOperand | None:
    """Add to an operand of a function that is cut off what is known if nothing jumps from the missing part
    (``assumed``)."""
    if proven is None or assumed is None:
        return proven
    provided = assumed.provided or Provided(assumed.bits, assumed.known, ())
    if not provided.known & ~proven.known:
        # The bits are lost by a line that is there.
        return proven if assumed.lost is None else assumed._replace(start=proven.start)
    if proven.provided is not None and not provided.known & ~proven.provided.known:
        return proven
    return proven._replace(provided=provided._replace(cut=True))


def mma_of(values: Operands, at: int, text: str, instruction: Instruction, names: OperandNames) -> ScannedMma:
    """Return an instruction with its operands, whose names are values, or operands already."""
    operands = [
        name
        if name is None or isinstance(name, ScannedOperand)
        else values.operand([OperandPart(name, width)], width, _use(instruction.family, place))
        for place, (name, width) in enumerate(zip(names.reads, names.widths, strict=True))
    ]
    return scanned_mma(at, text, instruction, names, operands)


def scanned_mma(
    at: int,
    text: str,
    instruction: Instruction,
    names: OperandNames,
    operands: Iterable[ScannedOperand | None],
) -> ScannedMma:
    """Return an instruction with its operands: the descriptors, then the addresses in tensor memory."""
    a, b, idesc, mask, *words = operands
    memory = tmem_addresses(names.memory, words)
    return ScannedMma(
        *(at, text, instruction, a, b, idesc, mask),
        tensor_memory=memory,
        accumulator=names.accumulator,
        begins=names.begins,
    )


@lru_cache
def fields_mask(family: str) -> int:
    """Return the bits of a descriptor other than its start address; all, if it has none."""
    if not family:
        return ones(2 * WORD)
    masks = kind_of("wgmma" if family == "wgmma" else "tcgen05").table.masks
    return sum(
        mask for key, mask in masks.items() if key != "start_address" and not key.startswith(("reserved", "fixed"))
    )
