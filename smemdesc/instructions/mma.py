"""One tensor-core instruction: its operands, and what is wrong with each and between them.

:class:`Mma` is what ``scan`` finds in a dump and the input of ``smemdesc mma``; :func:`judge_mma` decodes its
descriptors in the context of the instruction, and applies the rules of each and those across them.
"""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.descriptors.ranking import Ranking, rank
from smemdesc.descriptors.readings import FITS_NOT, IN_HIGH_WORD, WHOLE, DescriptorReading
from smemdesc.descriptors.result import Result, literal_of, result_of
from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError, SmemdescError, about, option
from smemdesc.engine.fields import WORD, FieldReading, ones, word_pair
from smemdesc.engine.wording import either
from smemdesc.instructions.model import (
    OF_THE_FUNCTION,
    OPERANDS,
    Judged,
    Mma,
    MmaOperand,
    OperandTile,
    typed_operand,
    with_causes,
)
from smemdesc.kinds.addresses import START, RelativeStart, from_base
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.instruction import INSTRUCTION_SOURCE, Fields, Instruction, contexts, field_number, of
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import ARCHS, MMA_KINDS, SMEM_KINDS
from smemdesc.kinds.shapes import allowed_rows
from smemdesc.layout.strides import LBO, lbo_has_no_effect
from smemdesc.reading.text import VALUE_BITS, Literal, to_hex, whole_digits
from smemdesc.rules.base import NOTE, WARNING, Finding, Repair, error, fails, note, warning, worst_first
from smemdesc.rules.compiled_forms import forms_differ
from smemdesc.rules.completions import HOLDS, possible_dict, probes, shared
from smemdesc.rules.identification import several_readings
from smemdesc.rules.operands import DecodedMma, TileOperand, is_empty, judge_operands, transpose_and_strides
from smemdesc.rules.shared_memory_use import judge_shared_memory
from smemdesc.rules.siblings import judge_siblings, odd_one_out
from smemdesc.rules.steps import judge_steps, k_step
from smemdesc.rules.strides import UNDIVIDED, refuted
from smemdesc.rules.tensor_memory_use import judge_tensor_memory

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import CopiedBox, MapCheck
    from smemdesc.tiles.tile import InTile

QUIET_RULES = ("tile-and-box", "swizzle-32b-atoms", "mn-major-type", *UNDIVIDED)
"""Rules whose notes are omitted for instructions, in every form: they would repeat for every operand, or ask for, or
repeat, what the instruction already says."""


@shown()
class CheckedMma(NamedTuple):
    """One instruction and its operands, checked together."""

    mma: Mma
    judged: Judged

    @property
    def a(self) -> Result | None:
        """The descriptor of A, decoded; None if it has none."""
        return self.judged.a

    @property
    def b(self) -> Result | None:
        """The descriptor of B, decoded; None if it has none."""
        return self.judged.b

    @property
    def idesc(self) -> Result | None:
        """The instruction descriptor, decoded; wgmma has none."""
        return self.judged.idesc

    @property
    def mask(self) -> Result | None:
        """The zero-column mask, decoded; None if it has none."""
        return self.judged.mask

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with each operand and between them; ``operand`` is the one that it is about (None: several)."""
        return worst_first(finding._replace(operand=name) for name, finding in self.judged.findings)

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not self.fails()

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return self.judged.fails(strict)

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """What is found across the operands for some numbers that unknown bits may be, and not for others.

        What the bits of one operand decide is in its own ``undecided``.
        """
        mma = self.mma
        bases = {operand.start.base for operand in (mma.a, mma.b) if operand is not None and operand.start is not None}
        bits = _unknown_bits(mma, least=0 if bases else VALUE_BITS)
        said = {(name, finding.rule) for name, finding in self.judged.findings}
        said |= {(name, open_.finding.rule) for name, of in self.judged.results.items() for open_ in of.undecided}
        judge, possible = Judge(), dict[Any, Finding]()
        for probe in probes(len(bits)) if bits else ():
            for name, finding in judge.judge(with_bits(mma, bits, probe)).findings:
                if (name, finding.rule) not in said:
                    possible.setdefault((name, finding.rule), finding._replace(operand=name))
        return tuple(possible.values())

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        some = [{"operand": finding.operand, **possible_dict(finding)} for finding in self.undecided]
        return self.judged.to_dict() | ({"undecided": some} if some else {})

    def bare(self, name: str) -> str:
        """Return ``verdict``, or the value of an operand's field: ``a.swizzle``, ``idesc.m.raw``.

        As :meth:`smemdesc.descriptors.result.Result.bare`; :class:`smemdesc.engine.errors.FieldError` for others.
        """
        operand, _, field = name.strip().partition(".")
        results = self.judged.results
        if name.strip() == "verdict":
            return self.judged.verdict or "?"
        if operand not in results or not field:
            names = either(["verdict", *(f"{each}.NAME" for each in results)])
            raise FieldError(name, f"this instruction has no {name!r}", hint=f"write {names}")
        return results[operand].bare(field)

    def __str__(self) -> str:
        kind = self.judged.mma_kind
        name = "wgmma" if self.mma.instruction.family == "wgmma" else "tcgen05.mma" + (f" kind::{kind}" if kind else "")
        rules = dict.fromkeys(
            finding.rule for finding in self.findings if finding.severity != NOTE and not finding.because
        )
        why = f" ({', '.join(rules)})" if rules else ""
        return f"{name} with {', '.join(self.judged.results) or 'no descriptor'}: {self.judged.verdict}{why}"


def _of(result: Result | None) -> tuple[Finding, ...]:
    return () if result is None else result.findings


def _fields(result: Result | None) -> Mapping[str, FieldReading] | None:
    return None if result is None else result.candidates[0].fields


def _without(result: Result, rules: Container[str]) -> Result:
    """Return a result without the findings of some rules."""
    return result._replace(findings=tuple(finding for finding in result.findings if finding.rule not in rules))


def _without_version(result: Result) -> Result:
    """Return a descriptor of a kernel in which none has a version: a kernel that runs may be such a one."""
    bits = result.candidates[0].fields["version"].binary()
    message = (
        f"bits 46-48 are 0b{bits} in every descriptor of this kernel, as in those of Mosaic GPU, which run; PTX ISA "
        "and CUTLASS require 0b001"
    )
    findings = (
        finding._replace(severity=NOTE, message=message, likely="", fix="", repair=())
        if finding.rule == "version-constant" and finding.severity == WARNING
        else finding
        for finding in result.findings
    )
    return result._replace(findings=worst_first(findings))


OF_AN_MMA = ("one-instruction",)
"""Rules that do not hold for a copy: one column of 16 bytes is what some of its shapes read."""


def _take_rule_out(rule: str, *results: Result | None) -> tuple[tuple[Finding, ...], list[Result | None]]:
    """Take the findings of a rule out of the operands and return the first of them, and the operands without it."""
    findings = [finding for result in results for finding in _of(result) if finding.rule == rule]
    if not findings:
        return (), list(results)
    return (findings[0],), [result and _without(result, (rule,)) for result in results]


class Judge:
    """Decodes MMAs, each distinct set of descriptors once."""

    def __init__(self, memory: Mapping[str, OperandTile | CopiedBox] | None = None, most: int = 1_000) -> None:
        """``memory``: the tiles and tensor maps of every MMA, by the names that they have in one. An MMA that cannot be
        compared with these has a note that says why."""
        self._memory = memory or {}
        self._made: dict[Mma, Judged] = {}
        self._results: dict[object, Result] = {}
        self._most = most

    @property
    def knows_memory(self) -> bool:
        """Whether a tile or a tensor map of every MMA was given."""
        return bool(self._memory)

    def judge(self, mma: Mma) -> Judged:
        """Return the decoded descriptors of an MMA."""
        mma = self.in_memory(mma)
        judged = self._made.get(mma)
        if judged is None:
            if len(self._made) >= self._most:
                self._made.clear()
                self._results.clear()
            judged = self.found(mma)
            if judged.fails(strict=True):
                from smemdesc.instructions.correcting import corrected_mma

                judged = corrected_mma(mma, judged, self.found)
            if mma.form_differences:  # no other value of this form is judged against them
                found = [finding for each in mma.form_differences for finding in forms_differ.apply(each)]
                of_operands = tuple((finding.operand, finding) for finding in found if finding.operand)
                across = tuple(finding for finding in found if not finding.operand)
                judged = judged._replace(across=(*judged.across, *across), of_tiles=(*judged.of_tiles, *of_operands))
            self._made[mma] = judged
        return judged

    def found(self, mma: Mma) -> Judged:
        """Return the decoded descriptors of an MMA with what is found, and nothing of what led to it."""
        return self._shared(mma, self._judge(mma))

    def in_memory(self, mma: Mma) -> Mma:
        """Return an MMA with the tiles and tensor maps of every MMA."""
        if not self._memory or mma.instruction.copied is not None:
            return mma
        around: dict[str, Any] = {
            name: told for name, told in self._memory.items() if getattr(mma, name.partition("_")[0]) is not None
        }
        given = any(name.endswith("_map") for name in around)
        return mma._replace(**around, maps_found=mma.maps_found and not given)

    def _shared(self, mma: Mma, judged: Judged) -> Judged:
        """Return an instruction with what is found whatever its unknown bits are, if these are few."""
        bits = _open_bits(mma)
        if not bits:
            return judged
        said = {(name, finding.rule): finding for name, finding in judged.findings}
        # How the operands have moved is known, and not of every start that the bits may be.
        alone = mma._replace(moves=None, siblings=())
        between = (k_step.name, odd_one_out.name)
        moved = [(finding.operand, finding) for _, finding in judged.findings if finding.rule in between]

        def findings(number: int) -> list[Finding]:
            try:
                every = self._judge(with_bits(alone, bits, number)).findings
            except SmemdescError:
                return []  # no tile can be compared with it
            return [finding._replace(operand=name or finding.operand) for name, finding in every]

        found = moved
        for finding in shared(findings, len(bits)):
            known = said.get((finding.operand, finding.rule)) or said.get((None, finding.rule))
            # What is known without the unknown bits has no made-up numbers.
            best = known if known is not None and finding.message.endswith(HOLDS) else finding
            found.append((finding.operand, best))
        return judged.with_findings(found)

    def _judge(self, mma: Mma) -> Judged:
        instruction = mma.instruction
        idesc, mma_kind = self._idesc(mma)
        # Where the bits leave two kinds (mxf4 and mxf4nvf4), both read the same types.
        kind = mma_kind or (idesc.candidates[0].mma_kind if idesc is not None else None)
        high_words = _high_words(mma) if idesc is not None and fails(idesc.findings) else ()
        if high_words and idesc is not None:
            idesc = idesc._replace(findings=())
        fields = None if idesc is None or high_words else idesc.fields
        both = contexts(instruction, fields, kind, mma.arch)
        a, b = (self._matrix(mma, operand, context) for operand, context in zip((mma.a, mma.b), both, strict=True))
        m, n = (field_number(fields, key) for key in ("m", "n"))
        mask = self._result(mma.mask, "mask", NOTHING._replace(m=m, n=n, arch=mma.arch))
        # The architecture has the instruction or lacks it: that is reported once, not for every operand.
        of_arch, (a, b, idesc, mask) = _take_rule_out("kind-arch", a, b, idesc, mask)
        matrices = [_InMemory(*pair, mma) for pair in zip("ab", (a, b), both, strict=True)]
        of_operands = _of_operands(mma, matrices, idesc, fields)
        a, b = (matrix.judged_alone for matrix in matrices)
        placed = {matrix.name: matrix.placed for matrix in matrices if matrix.placed is not None}
        case = DecodedMma(
            *(instruction, mma_kind, _fields(a), _fields(b), fields, _fields(mask), both),
            *((_of(a), _of(b)), placed, high_words, _starts(mma)),
        )
        if is_empty(case):
            a, b = (None if result is None else result._replace(findings=()) for result in (a, b))
        across = [
            *_across(case, matrices),
            *judge_tensor_memory(instruction, fields, both[0], mma.tensor_memory, mma.allocated),
            *judge_steps(mma.moves, case.a, case.b, both),
            *judge_siblings(mma.siblings, instruction, {"a": case.a, "b": case.b, "idesc": _fields(idesc)}, both),
            *judge_shared_memory(mma.shared),
        ]
        in_tiles, maps = (matrices[0].in_tile, matrices[1].in_tile), (matrices[0].check, matrices[1].check)
        judged = Judged(
            *(instruction, mma.arch, mma_kind, a, b, idesc, mask, both, (*of_arch, *across)),
            *(in_tiles, tuple(of_operands), maps),
        )
        # If the instruction is wrong, no tile can be compared with it.
        refused = [refusal for matrix in matrices for refusal in matrix.refused]
        if refused and not self._memory and not judged.fails(strict=True):
            raise refused[0]
        return with_causes(judged)

    def _matrix(self, mma: Mma, operand: MmaOperand | None, context: Context) -> Result | None:
        """Decode the descriptor of A or of B."""
        result = self._result(operand, "wgmma" if mma.instruction.family == "wgmma" else "tcgen05", context)
        if result is not None and operand is not None and operand.start is not None:
            result = result._replace(literal=result.literal._replace(start=operand.start))
        if result is not None and mma.instruction.copied is not None:
            result = _without(result, OF_AN_MMA)
        return result and _without_version(result) if mma.unversioned else result

    def _result(self, operand: MmaOperand | None, kind: str, context: Context) -> Result | None:
        if operand is None:
            return None
        key = (operand._replace(start=None), kind, context)
        result = self._results.get(key)
        if result is None:
            reading = DescriptorReading(kind_of(kind, arch=context.arch), WHOLE, operand.bits, operand.known)
            result = _decoded((reading,), context)
            findings = tuple(
                finding for finding in result.findings if finding.rule not in QUIET_RULES or finding.severity != NOTE
            )
            result = self._results[key] = result._replace(findings=findings)
        return result

    def _idesc(self, mma: Mma) -> tuple[Result | None, str | None]:
        """Decode the instruction descriptor; where the instruction leaves the kind open, its bits may tell."""
        instruction = mma.instruction
        kinds = mma_kinds(mma)
        operand = mma.idesc
        if operand is None or not kinds:
            return None, kinds[0] if len(kinds) == 1 else None
        candidates = [
            DescriptorReading(kind_of("idesc", kind, mma.arch), WHOLE, operand.bits, operand.known) for kind in kinds
        ]
        if len(candidates) > 1:
            best = max(candidate.grade for candidate in candidates)
            if best > FITS_NOT:
                candidates = [candidate for candidate in candidates if candidate.grade == best]
        context = NOTHING._replace(
            arch=mma.arch, cta_group=instruction.cta_group, ws=instruction.ws, scale_vec=instruction.scale_vec
        )
        key = (operand, tuple(candidate.kind.id for candidate in candidates), context)
        result = self._results.get(key)
        if result is None:
            result = _decoded(tuple(candidates), context)
            # That the instruction does not determine which of two kinds it is, is no fault of the descriptor.
            result = self._results[key] = _without(result, (several_readings.name,))
        return result, candidates[0].kind.mma_kind if len(candidates) == 1 else None


def _in_upper_half(idesc: MmaOperand | None) -> Iterator[tuple[str, Finding]]:
    """Yield a note on an instruction descriptor that was given in the upper half of 64 bits."""
    if idesc is not None and idesc.wide and idesc.bits:
        from smemdesc.rules.mistakes import idesc_half

        message = (
            f"read in the upper half of 0x{idesc.wide:016x}; the instruction takes the low 32 bits, 0: right if the "
            "code shifts it down, as CUTLASS does"
        )
        yield "idesc", idesc_half.finding(note(message, source=INSTRUCTION_SOURCE))


def _start(
    name: str, operand: MmaOperand | None, result: Result | None, context: Context
) -> Iterator[tuple[str, Finding]]:
    """Yield what the code shows of how the start address was encoded."""
    if operand is None or result is None or not (operand.carries or (operand.start and operand.start.undivided)):
        return
    from smemdesc.rules.mistakes import start_address_carry, start_address_not_divided

    if operand.carries and context.whole and not lbo_has_no_effect(result.candidates[0].fields, context):
        message = "upper bits of the address in the cluster, which say the block, run into LBO"
        problem = warning(message, fix="mask the address with 0x3ffff", fields=(LBO,))
        yield name, start_address_carry.finding(problem)
    if operand.start is not None and operand.start.undivided:
        message = f"the field holds the address itself, so that the start is {operand.start}"
        problem = warning(message, fix="divide the address by 16", fields=(START,))
        yield name, start_address_not_divided.finding(problem)


def _of_operands(
    mma: Mma, matrices: Sequence[_InMemory], idesc: Result | None, fields: Fields | None
) -> list[tuple[str, Finding]]:
    """Return what is wrong with single operands in their tiles and maps, and with how the code made them."""
    in_tiles = [finding for matrix in matrices for finding in matrix.compare_tile()]
    findings = [*_tiles_and_shape(matrices, mma.instruction, idesc, fields), *in_tiles]
    for matrix in matrices:
        findings += matrix.compare_map()
    for matrix, operand in zip(matrices, (mma.a, mma.b), strict=True):
        findings += _start(matrix.name, operand, matrix.result, matrix.context)
    return [*findings, *_in_upper_half(mma.idesc)]


def _tiles_and_shape(
    matrices: Iterable[_InMemory], instruction: Instruction, idesc: Result | None, fields: Fields | None
) -> Iterator[tuple[str, Finding]]:
    """Yield what is wrong with M and N for the tiles: a finding about the instruction descriptor, if there is one."""
    if idesc is not None and any(finding.rule == "shape" for finding in idesc.findings):
        return  # there is no such instruction
    for matrix, key in zip(matrices, ("m", "n"), strict=True):
        size = getattr(instruction, key) or field_number(fields, key)
        if matrix.tile is None or not size or matrix.refused:
            continue
        from smemdesc.rules.tiles import tile_and_shape

        rows, repair = matrix.tile.shape[0], None
        if idesc is not None and idesc.settled:
            shapes = allowed_rows(str(idesc.mma_kind), bool(of(fields, "sparse")), idesc.context)
            repair = Repair(key, rows) if any(rows in getattr(shape, key) for shape in shapes) else None
        about, at_fault = (matrix.name, ()) if fields is None else ("idesc", (key,))
        yield from ((about, finding) for finding in tile_and_shape.apply(matrix.name, size, rows, at_fault, repair))


def _across(case: DecodedMma, matrices: Iterable[_InMemory]) -> Iterator[Finding]:
    """Yield the findings across operands; if a tile has the major-ness of the instruction, the strides are wrong."""
    denied = {(transpose_and_strides.name, matrix.name): matrix for matrix in matrices if matrix.has_major}
    for finding in judge_operands(case):
        matrix = denied.get((finding.rule, finding.operand or ""))
        yield from [finding] if matrix is None else matrix.in_its_tile([finding])


class _InMemory:
    """A or B, compared with its tile in shared memory and with the tensor map that writes it."""

    def __init__(self, name: str, result: Result | None, context: Context, mma: Mma) -> None:
        self.name = name
        self.result = result
        self.context = context
        self.arch = mma.arch
        self.tile: OperandTile | None = getattr(mma, f"{name}_tile")
        self.box: CopiedBox | None = getattr(mma, f"{name}_map")
        self.found = mma.maps_found
        self.in_tile: InTile | None = None
        self.placed: TileOperand | None = None
        self.check: MapCheck | None = None
        self.refused: list[SmemdescError] = []
        """Why the operand cannot be compared."""

    def compare_tile(self) -> Iterator[tuple[str, Finding]]:
        """Yield what is wrong with the descriptor in its tile."""
        tile, dtype = self.tile, self.context.dtype
        if tile is None:
            return
        from smemdesc.rules.tiles import tile_and_descriptor

        if dtype is not None and tile.dtype not in (None, dtype.name):
            message = f"the instruction reads {dtype.name}, but the tile holds {tile.dtype}"
            yield self.name, tile_and_descriptor.finding(error(message, source=INSTRUCTION_SOURCE))
            return
        try:
            with about(f"{self.name}_tile"):
                match = self.in_tile = _in_tile(self.name, self.arch, self.result, tile, self.context)
            yield from ((self.name, finding) for finding in match.findings)
            if tile.start is not None:
                step = match.step.k if match.agrees else None
                self.placed = TileOperand(match.tile.buffer(match.start), step, match.base)
        except SmemdescError as refusal:
            self.refused.append(refusal)
            yield (
                self.name,
                tile_and_descriptor.finding(note(f"not compared: {refusal.option_message}", source=INSTRUCTION_SOURCE)),
            )

    def compare_map(self) -> Iterator[tuple[str, Finding]]:
        """Yield what is wrong with the descriptor if the map writes what it reads."""
        if self.box is None:
            return
        from smemdesc.rules.copies import map_line

        try:
            with about(f"{self.name}_map"):
                self.check = _held(self.name, self.result, self.box, self.context, self.tile)
            yield from ((self.name, each) for each in self.check.findings if not self.found or each.severity != NOTE)
        except SmemdescError as refusal:
            if self.found:
                return
            self.refused.append(refusal)
            yield (
                self.name,
                map_line.finding(note(f"the map is not compared: {refusal.option_message}", source=INSTRUCTION_SOURCE)),
            )

    @property
    def judged_alone(self) -> Result | None:
        """The descriptor; its strides are not guessed at if the tile is known. A map leaves open where boxes go."""
        result = self.result
        if result is None or self.in_tile is None:
            return result
        guesses = [finding for finding in result.findings if finding.rule in UNDIVIDED]
        rest = _without(result, UNDIVIDED)
        return rest._replace(findings=(*rest.findings, *self.in_its_tile(guesses))) if guesses else rest

    def in_its_tile(self, guesses: Iterable[Finding]) -> list[Finding]:
        """Return what the comparison with the tile leaves of findings that guess at it: notes if the operand fits."""
        if self.in_tile is None or not self.in_tile.agrees:
            return []
        return [refuted(finding, f"the tile {self.in_tile.tile.whole}") for finding in guesses]

    @property
    def has_major(self) -> bool:
        """Whether the tile is given with the major-ness of the instruction."""
        return self.tile is not None and self.tile.major == self.context.major


_MOST_OPEN = 8
"""Unknown bits of which every completion is judged."""
_MOST_OF_START = 4
_DECIDING = ("version", "lbo_mode", "swizzle")
"""The fields of A and B on which rules about the instruction depend."""


def _open_bits(mma: Mma) -> list[tuple[str, int]]:
    """Return the unknown bits of an instruction that are tried; none if there are too many.

    The bits of a start that is hardly known are left out: rules about starts use what is known.
    """
    for keys in ((), _DECIDING):
        bits = _unknown_bits(mma, keys)
        if len(bits) <= _MOST_OPEN:
            return bits
    return []


def _unknown_bits(mma: Mma, keys: tuple[str, ...] = (), least: int = _MOST_OF_START) -> list[tuple[str, int]]:
    """Return the unknown bits of an instruction, each with the name of its operand.

    ``keys``: only these fields of A and B count; empty: all, but a start only if at most ``least`` of its bits are
    unknown.
    """
    bits = []
    for name in OPERANDS:
        operand: MmaOperand | None = getattr(mma, name)
        if operand is None:
            continue
        loose = ones(WORD if name == "idesc" else VALUE_BITS) & ~operand.known
        if name in ("a", "b"):
            masks = kind_of("wgmma" if mma.instruction.family == "wgmma" else "tcgen05", arch=mma.arch).table.masks
            if keys:
                loose &= sum(masks.get(key, 0) for key in keys)
            elif (loose & masks[START]).bit_count() > least:
                loose &= ~masks[START]
        bits += [(name, 1 << place) for place in range(loose.bit_length()) if loose >> place & 1]
    return bits


def with_bits(mma: Mma, bits: Sequence[tuple[str, int]], number: int) -> Mma:
    """Return an instruction with its unknown bits filled in from a number, lowest first."""
    operands: dict[str, Any] = {}
    for place, (name, bit) in enumerate(bits):
        operand = operands.get(name) or getattr(mma, name)
        set_bit = bit if number >> place & 1 else 0
        operands[name] = operand._replace(bits=operand.bits | set_bit, known=operand.known | bit)
    return mma._replace(**operands)


def _starts(mma: Mma) -> dict[str, RelativeStart]:
    pairs = (("a", mma.a), ("b", mma.b))
    return {name: operand.start for name, operand in pairs if operand is not None and operand.start is not None}


def _high_words(mma: Mma) -> tuple[str, ...]:
    """Return the operands whose high word equals the given instruction descriptor, with all bits known."""
    word = mma.idesc
    if word is None or word.known != ones(WORD) or not word.bits:
        return ()
    pairs = ((name, getattr(mma, name)) for name in ("a", "b"))
    return tuple(
        name
        for name, operand in pairs
        if operand is not None and word_pair(operand.known)[0] == ones(WORD) and word_pair(operand.bits)[0] == word.bits
    )


def judge_mma(mma: Mma) -> Judged:
    """Return the decoded descriptors of an MMA, and what is wrong with each and between them.

    :class:`smemdesc.engine.errors.SmemdescError` if a tile is given that no instruction reads, or whose descriptor
    is not known.
    """
    return Judge().judge(mma)


def _decoded(candidates: tuple[DescriptorReading, ...], context: Context) -> Result:
    first = candidates[0]
    width = first.kind.table.width
    text = to_hex(first.bits, first.known, width)
    literal = Literal(text, first.bits, 0, width, "an operand")
    ranking = Ranking(candidates, "the instruction says so", True, len(candidates) == 1)
    return result_of(literal, ranking, context)


def _in_tile(name: str, arch: str | None, result: Result | None, described: OperandTile, context: Context) -> InTile:
    if result is None or context.dtype is None or context.shape is None or context.major is None:
        raise _unknown(name, f"--{name}-tile", result)
    reading, start, base = result.candidates[0], described.start, result.start
    swizzle = described.swizzle or reading.fields["swizzle"].value
    if not isinstance(swizzle, str):
        raise SmemdescError("the swizzle mode is not known", hint=f"give it, as in --{name}-tile 128x64,swizzle=128B")
    if start is not None and (start.name if isinstance(start, RelativeStart) else None) != (base and base.name):
        hint = f"give both as numbers, or from one base, as in --{name}-tile 128x64,at=smem+0x400"
        raise SmemdescError(f"how far the operand begins from the start of its tile, {start}, is not known", hint=hint)
    return _compared(reading, base, described, context, arch, swizzle)


@lru_cache(maxsize=64)
def _compared(
    reading: DescriptorReading,
    base: RelativeStart | None,
    described: OperandTile,
    context: Context,
    arch: str | None,
    swizzle: str,
) -> InTile:
    from smemdesc.tiles.tile import compare_with_tile, lay_out_tile

    # The same for each candidate of what is wrong with the other operand.
    assert context.dtype is not None
    assert context.shape is not None
    assert context.major is not None
    group = context.cta_group or 1
    mn, k = context.shape
    expected = lay_out_tile(
        reading.kind.name,
        described.shape,
        context.dtype,
        described.major or context.major,
        swizzle,
        # An instruction may read some rows of the tile only: it begins at any multiple of their number.
        mma=(gcd(mn * group, described.shape[0]), k),
        order=described.order,
        cta_group=group,
        arch=arch,
        force=True,
    )
    start = described.start.offset if isinstance(described.start, RelativeStart) else described.start
    match = compare_with_tile(from_base(reading.fields, base), context, expected, start)
    return match if base is None else match._replace(base=base.base)


def _unknown(name: str, option: str, result: Result | None) -> SmemdescError:
    """Return what is unknown about an operand that an option compares with its tile or map."""
    if result is None:
        return SmemdescError(f"{name.upper()} has no descriptor", hint=f"give --{name}, or leave {option} out")
    return SmemdescError(
        f"type, major-ness or shape of {name.upper()} is not known",
        hint="give the instruction: --idesc, --mma-kind and --cta-group, or --inst and --dtype",
    )


def _held(name: str, result: Result | None, box: CopiedBox, context: Context, tile: OperandTile | None) -> MapCheck:
    from smemdesc.layout.atom import AtomShape, in_one_cta
    from smemdesc.tiles.tensor_map import hold

    if result is None or not context.whole:
        raise _unknown(name, f"--{name}-map", result)
    if tile is not None:
        whole = in_one_cta(AtomShape(*tile.shape), context.cta_group or 1)
        context = context._replace(tile=whole, order=tile.order)
    return hold(result, context, box)


class ReadOperand(NamedTuple):
    """A descriptor operand read from text."""

    operand: MmaOperand
    literal: Literal
    mma_kinds: tuple[str, ...] = ()
    """Of an instruction descriptor: the MMA kinds that its bits fit, or that were requested."""


def read_operand(
    value: Literal | int | str, kind: str, mma_kinds: tuple[str, ...] = (), arch: str | None = None
) -> ReadOperand:
    """Read a value as an operand of this kind, as :func:`smemdesc.decode` reads it.

    ``mma_kinds``: the possible ones of an instruction descriptor; empty: those that fit. Eight digits that are
    not a valid 64-bit descriptor are its high word. :class:`smemdesc.engine.errors.SmemdescError` gives the place of
    an error.
    """
    literal = literal_of(value)
    if kind != "idesc":
        reading = rank(literal, kind).readings[0]
        return ReadOperand(MmaOperand(reading.bits, reading.known, literal.start), literal)
    only = mma_kinds[0] if len(mma_kinds) == 1 else None
    readings = rank(literal, kind, only, None if mma_kinds else arch).readings
    kinds = mma_kinds or tuple(reading.kind.mma_kind for reading in readings if reading.kind.mma_kind is not None)
    wide = literal.number if readings[0].view == IN_HIGH_WORD else literal.wide
    return ReadOperand(MmaOperand(readings[0].bits, readings[0].known, wide=wide), literal, kinds)


def mma_kinds(mma: Mma) -> tuple[str, ...]:
    """Return the possible MMA kinds of an instruction: of several, those that its architecture has."""
    kinds = mma.instruction.mma_kinds or ((mma.instruction.mma_kind,) if mma.instruction.mma_kind else ())
    known = tuple(kind for kind in kinds if kind in MMA_KINDS)
    tables = {mma_kind: kind_of("idesc", mma_kind, mma.arch) for mma_kind in known}
    here = tuple(mma_kind for mma_kind, kind in tables.items() if (kind.on(mma.arch) if mma.arch else not kind.newer))
    return here or known


def command(mma: Mma, judge: Judge | None = None) -> str:
    """Return the ``smemdesc mma`` command for this instruction; empty if no command expresses it, or what is wrong.

    An operand without a known bit is omitted. Bits of digits that are not fully known, and that a tcgen05.mma has no
    ``.sp``, are in the command only if its findings, as ``judge`` finds them, depend on it.
    """
    if mma.instruction.family not in SMEM_KINDS:
        return ""
    if judge is None:
        return _command(_shortened(mma))
    mma = judge.in_memory(mma)
    without: dict[str, Any] = dict.fromkeys(_not_compared(judge.judge(mma)))
    mma = mma._replace(**without)
    short = _shortened(mma)
    every = [judge.judge(each).findings for each in (mma, short)]
    found, found_short = ({(name, finding.severity, finding.rule) for name, finding in each} for each in every)
    if found and all(rule in OF_THE_FUNCTION for _, _, rule in found):
        return ""
    return _command(short if found == found_short else mma)


def _not_compared(judged: Judged) -> Iterator[str]:
    """Yield the tiles and the maps with which an instruction cannot be compared: a command of it alone refuses them."""
    for name, tile, check in zip("ab", judged.tiles, judged.maps, strict=True):
        notes = (finding for of, finding in judged.of_tiles if of == name and finding.severity == NOTE)
        if tile is None and any(finding.rule == "tile-and-descriptor" for finding in notes):
            yield f"{name}_tile"
        if check is None:
            yield f"{name}_map"


def _shortened(mma: Mma) -> Mma:
    """Return an instruction without what makes its command long: see :func:`command`."""
    operands: dict[str, Any] = {}
    for name in OPERANDS:
        operand: MmaOperand | None = getattr(mma, name)
        known = 0 if operand is None else whole_digits(operand.known, _width(name))
        based = operand is not None and operand.start is not None and getattr(mma, f"{name}_tile") is not None
        if operand is not None and known and not based:
            operands[name] = operand._replace(bits=operand.bits & known, known=known, start=None)
    instruction = mma.instruction
    if instruction.family == "tcgen05" and instruction.sparse is False:
        instruction = instruction._replace(sparse=None)
    return mma._replace(instruction=instruction, **operands)


def _width(operand: str) -> int:
    return WORD if operand == "idesc" else 2 * WORD


def _command(mma: Mma) -> str:
    instruction = mma.instruction
    words = ["smemdesc", "mma"]
    for name in OPERANDS:
        operand: MmaOperand | None = getattr(mma, name)
        if operand is not None and operand.known:
            words += [f"--{name}", typed_operand(operand, _width(name))]
    words += _wgmma_words(instruction) if instruction.family == "wgmma" else _tcgen05_words(mma)
    if instruction.a_from != "shared":
        words += ["--a-from", instruction.a_from]
    if instruction.sparse or (instruction.sparse is False and instruction.family == "tcgen05"):
        words.append("--sparse" if instruction.sparse else "--no-sparse")
    if mma.arch in ARCHS:  # the command line refuses one that it does not know
        words += ["--arch", mma.arch]
    for name in ("a_tile", "b_tile", "a_map", "b_map"):
        told: OperandTile | CopiedBox | None = getattr(mma, name)
        if told is not None:
            words += [option(name), told.typed]
    return shlex.join(words)


def _wgmma_words(inst: Instruction) -> Iterator[str]:
    if inst.m and inst.n and inst.k:
        yield from ("--inst", f"m{inst.m}n{inst.n}k{inst.k}")
    if inst.a_type and inst.b_type:
        yield from ("--dtype", inst.a_type if inst.a_type == inst.b_type else f"{inst.a_type},{inst.b_type}")
    if inst.d_type:
        yield from ("--d-type", inst.d_type)
    if inst.a_major == "MN":
        yield "--trans-a"
    if inst.b_major == "MN":
        yield "--trans-b"


def _tcgen05_words(mma: Mma) -> Iterator[str]:
    instruction = mma.instruction
    kinds = mma_kinds(mma)
    if kinds:
        yield from ("--mma-kind", ",".join(kinds))
    if instruction.qualifiers:
        yield from ("--qualifier", ",".join(instruction.qualifiers))
    if instruction.cta_group:
        yield from ("--cta-group", str(instruction.cta_group))
    if instruction.ws is not None:
        yield "--ws" if instruction.ws else "--no-ws"
    if instruction.scale_vec:
        yield from ("--scale-vec", str(instruction.scale_vec))
