"""The rule about MMAs that read one tile, step by step: they read it with the same descriptors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import join_and, many
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import Instruction
from smemdesc.layout.strides import LBO, NICK, lbo_has_no_effect
from smemdesc.rules.base import Finding, Problem, Repair, case_rule, explained, warning
from smemdesc.rules.findings import repair_text


class SiblingField(NamedTuple):
    """What other MMAs that read the same tile say in a field, where one MMA says something else."""

    operand: str | None
    """``a``, ``b`` or ``idesc``; None: the instruction itself, as the major-ness of a wgmma."""
    key: str
    theirs: int | str
    """The raw bits of the field; or the word of the instruction."""
    times: int
    """How many others say so."""
    outvoted: bool
    """Whether fewer MMAs say what this one says."""
    tile: str
    """``a`` or ``b``: the operand whose tile they all read."""


OfOperands = Mapping[str, Mapping[str, FieldReading] | None]
"""The fields of each operand."""


class _Said(NamedTuple):
    """A field in words: in the MMA, in the others, and what to write."""

    ours: str
    theirs: str
    repair: tuple[Repair, ...]


def _said(field: SiblingField, instruction: Instruction, readings: OfOperands) -> _Said | None:
    """Return a field that differs in words; None if it has no meaning in one of the MMAs."""
    if field.operand is None:
        return _Said(str(getattr(instruction, field.key)), str(field.theirs), ())
    reading = (readings[field.operand] or {}).get(field.key)
    if reading is None or reading.value is None or isinstance(field.theirs, str):
        return None
    theirs = reading.field.codec.decode(field.theirs, reading.by)
    if theirs is None:
        return None
    name, unit = NICK.get(field.key, field.key), " B" if field.key in NICK else ""
    repair = (Repair(field.key, theirs),) if field.outvoted else ()
    return _Said(f"{name} {_word(reading.value)}{unit}", f"{name} {_word(theirs)}{unit}", repair)


def _word(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


_PTX = """.version 8.7
.target sm_100a
.visible .entry k(.param .u32 q)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
.reg .pred %p<2>;
ld.param.u32 %r2, [q];
mov.b32 %r3, 0x8200490;
mov.b64 %d1, 0x4000404000010040;
mov.b64 %d2, 0x4000404000010440;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %d1, %d2, %r3, %p1;
mov.b64 %d3, 0x4000404000010042;
mov.b64 %d4, 0x4000404000010442;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %d3, %d4, %r3, %p1;
mov.b64 %d5, 0x4000404000010044;
mov.b64 %d6, 0x8000404000010444;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %d5, %d6, %r3, %p1;
ret;
}
"""


@explained(
    "MMAs that read the K steps of one tile differ in nothing but where they begin: the tile was written once, in one "
    "swizzle mode and with one stride. One that says something else reads other bytes than those of its step.",
    "smemdesc scan k.ptx",
    "0x4000404000010444 for 0x8000404000010444",
    _PTX,
)
@case_rule("PTX ISA 9.1, 9.7.15.5.1; CUTLASS DescriptorIterator: a step changes the start address only", "warning")
def odd_one_out(
    siblings: tuple[SiblingField, ...],
    instruction: Instruction,
    readings: OfOperands,
    contexts: tuple[Context, Context],
) -> Iterator[Problem]:
    """MMAs that read steps of one tile have the same swizzle mode, strides, types and major-ness."""
    for operand, fields in groupby(siblings, lambda field: field.operand):
        differing = [
            (field, said)
            for field in fields
            if not (field.key == LBO and lbo_has_no_effect(readings[operand or "a"] or {}, contexts[operand == "b"]))
            and (said := _said(field, instruction, readings)) is not None
        ]
        if not differing:
            continue
        first = differing[0][0]
        name = {"a": "A", "b": "B", "idesc": "the instruction descriptor"}.get(operand or "", "the instruction")
        others = "the other MMA that reads" if first.times == 1 else f"the {many(first.times, 'other MMA')} that read"
        has = "has" if first.times == 1 else "have"
        ours, theirs = (join_and(getattr(said, which) for _, said in differing) for which in ("ours", "theirs"))
        repair = tuple(each for _, said in differing for each in said.repair)
        yield warning(
            f"{name} has {ours}; {others} steps of the same tile of {first.tile.upper()} {has} {theirs}",
            fix=repair_text(repair) or "all of them must say the same",
            fields=tuple(field.key for field, _ in differing) if operand is not None else (),
            repair=repair,
            operand=operand,
        )


RULES = (odd_one_out,)


def judge_siblings(
    siblings: tuple[SiblingField, ...],
    instruction: Instruction,
    readings: OfOperands,
    contexts: tuple[Context, Context],
) -> list[Finding]:
    """Return what an MMA says about the tile that it reads, and most others that read it do not say."""
    return odd_one_out.apply(siblings, instruction, readings, contexts) if siblings else []
