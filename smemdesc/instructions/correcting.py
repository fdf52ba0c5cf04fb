"""One instruction with what went wrong in its operands: the mistakes, and the whole constant of every repair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from smemdesc.descriptors.correcting import effect_of, with_repair
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD
from smemdesc.instructions.model import OF_THE_FUNCTION, Judged, Mma, MmaOperand, OperandTile, typed_operand
from smemdesc.kinds.addresses import START, from_base
from smemdesc.reading.text import VALUE_BITS
from smemdesc.rules.base import NOTE, UNCERTAIN
from smemdesc.rules.corrections import Correction, Outcome, corrections, with_mistakes
from smemdesc.rules.findings import Finding
from smemdesc.rules.mistakes import Suspect, Transposition, transpose_bit
from smemdesc.rules.tiles import SHAPE
from smemdesc.tiles.tile import InTile

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import CopiedBox


def corrected_mma(mma: Mma, judged: Judged, judge: Callable[[Mma], Judged]) -> Judged:
    """Return an instruction in which something was found with the mistakes that explain it.

    ``judge`` returns what is found in another instruction.
    """

    def outcome(finding: Finding) -> Outcome | None:
        other = _with_repair(mma, judged, finding)
        if other is None:
            return None
        try:
            after = judge(other)
        except SmemdescError:
            return None  # its tile cannot be compared with it
        name = finding.operand or ""
        operand: MmaOperand | None = getattr(other, name, None)
        constant = operand is not None and operand != getattr(mma, name)
        repaired = (
            typed_operand(operand, WORD if name == "idesc" else VALUE_BITS) if operand is not None and constant else ""
        )
        return Outcome(after.findings, repaired, _effects(after))

    # What is wrong with other instructions, too, is not mended by a value of this one.
    mma = mma._replace(moves=None, siblings=(), tensor_memory=(), allocated=None)
    apart = [pair for pair in judged.findings if pair[1].rule in OF_THE_FUNCTION]
    alone = [pair for pair in judged.findings if pair not in apart]
    return judged.with_findings([*with_mistakes(alone, _candidates(mma, judged, alone), outcome), *apart])


def _effects(judged: Judged) -> object:
    readings = ((name, result.candidates[0]) for name, result in judged.results.items())
    return judged.contexts, tuple(effect_of(reading.in_context(judged.context(name))) for name, reading in readings)


def _candidates(mma: Mma, judged: Judged, findings: Sequence[tuple[str | None, Finding]]) -> Iterator[Correction]:
    """Yield what may be wrong with the operands of an instruction, and with what it says of A and B."""
    for name, result in judged.results.items():
        reading = result.candidates[0]
        about = [finding for of, finding in findings if name in _operands_of(of, finding, reading)]
        faulty = any(finding.severity != NOTE for finding in about)
        fields = from_base(reading.fields, result.start) if name in ("a", "b") else reading.fields
        suspect = Suspect(reading.kind, reading.bits, fields, judged.context(name), from_base=result.start is not None)
        if name == "idesc":
            types = _types(mma)
            if faulty or types or any(tile is not None and tile.key == SHAPE for tile in judged.tiles):
                wide = 0 if mma.idesc is None else mma.idesc.wide
                suspect = suspect._replace(types=types, context=result.context, wide=wide)
                yield from corrections(suspect, about, name)
        elif faulty:
            yield from corrections(_in_memory(suspect, mma, judged, name), about, name)
            yield from _transposed(mma, judged, name)


def _operands_of(name: str | None, finding: Finding, reading: DescriptorReading) -> tuple[str, ...]:
    """Return the operands that a finding is about: of one across operands, those with the fields of its repair."""
    if name or finding.operand:
        return (finding.operand or name or "",)
    keys = {each.field for each in finding.repair}
    every = ("idesc",) if reading.kind.name == "idesc" else ("a", "b")
    return every if keys and keys <= reading.fields.keys() else ()


def _transposed(mma: Mma, judged: Judged, name: str) -> Iterator[Correction]:
    major = judged.context(name).major
    wgmma = mma.instruction.family == "wgmma"
    if name in ("a", "b") and major is not None and (wgmma or judged.idesc is not None):
        case = Transposition(name, major, f"trans_{name}" if wgmma else f"transpose_{name}")
        for problem in transpose_bit.problems(case):
            told: OperandTile | None = getattr(mma, f"{name}_tile")
            finding = transpose_bit.finding(problem._replace(operand=name if wgmma else "idesc"))
            yield Correction(finding, UNCERTAIN, told is not None)


def _types(mma: Mma) -> dict[str, str]:
    told = {f"{name}_type": tile for name, tile in (("a", mma.a_tile), ("b", mma.b_tile)) if tile is not None}
    return {key: tile.dtype for key, tile in told.items() if tile.dtype is not None}


def _in_memory(suspect: Suspect, mma: Mma, judged: Judged, name: str) -> Suspect:
    """Return an operand with what is known of its tile."""
    if name not in ("a", "b"):
        return suspect
    told: OperandTile | None = getattr(mma, f"{name}_tile")
    box: CopiedBox | None = getattr(mma, f"{name}_map")
    written = (told and told.swizzle) or (box.swizzle if box is not None else "")
    suspect = suspect._replace(swizzle=written or "")
    match = _of(judged, name)
    if match is None:
        return suspect
    tile = match.tile
    suspect = suspect._replace(tile_strides=((match.step.lbo if tile.absolute else tile.lbo, tile.sbo),))
    if told is None or told.start is None:
        return suspect
    starts = [(step.k, match.start + step.start - tile.start) for step in tile.steps]
    other = "b" if name == "a" else "a"
    tile_of_other: OperandTile | None = getattr(mma, f"{other}_tile")
    beside = _of(judged, other)
    is_known = beside is not None and beside.agrees and tile_of_other is not None and tile_of_other.start is not None
    return suspect._replace(
        tile_start=match.start,
        step_starts=tuple(start for _, start in starts),
        first_starts=tuple(start for k, start in starts if not k),
        likely_starts=tuple(start for k, start in starts if is_known and beside is not None and k == beside.step.k),
    )


def _of(judged: Judged, name: str) -> InTile | None:
    return judged.tiles[name == "b"] if name in ("a", "b") else None


def _with_repair(mma: Mma, judged: Judged, finding: Finding) -> Mma | None:
    """Return the instruction with a repair; None if it cannot be made."""
    name = finding.operand or ""
    if finding.rule == transpose_bit.name and name != "idesc":
        ((_, transposed),) = finding.repair
        majors: dict[str, Any] = {f"{name}_major": "MN" if transposed else "K"}
        return mma._replace(instruction=mma.instruction._replace(**majors))
    result, operand = judged.results.get(name), getattr(mma, name, None)
    if result is None or operand is None:
        return None
    reading = with_repair(result.candidates[0], finding.repair)
    if reading is None:
        return None
    repaired = operand._replace(bits=reading.bits, known=reading.known, wide=0)
    address = next((each.value for each in finding.repair if each.field == START), None)
    if operand.start is not None and isinstance(address, int):
        # Of a start from a base only the low bits are known.
        table = reading.kind.table
        known = operand.known | table.full & ~table.masks[START]
        start = operand.start._replace(offset=address)
        repaired = MmaOperand(reading.bits & known, reading.known & known, start)
    operands: dict[str, Any] = {name: repaired}
    return mma._replace(**operands)
