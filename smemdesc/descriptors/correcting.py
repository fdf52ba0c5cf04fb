"""A decoded value with what went wrong in it: its mistakes, and the whole constant of every repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from smemdesc.descriptors.readings import DescriptorReading, typed_from, view_text
from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.kinds.context import Context
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.layout.atom import ORDERS, atom_tiling
from smemdesc.layout.strides import without_effect
from smemdesc.reading.text import TENSOR_MAP_BITS
from smemdesc.rules.corrections import Outcome, corrections, with_mistakes
from smemdesc.rules.findings import ERROR, Finding, Repair
from smemdesc.rules.identification import RULES
from smemdesc.rules.judging import ordered
from smemdesc.rules.mistakes import Suspect


def mistakes_in(
    result: Result, context: Context, find: Callable[[DescriptorReading], Iterable[Finding]] | None
) -> Result:
    """Return :func:`smemdesc.descriptors.result.corrected` of a value in which something was found."""
    (reading,) = result.candidates

    def judge(finding: Finding) -> Outcome | None:
        other = with_repair(reading, finding.repair)
        if other is None:
            return None
        found = other.findings if find is None else find(other)
        return Outcome([(None, each) for each in found], _typed(other, result.start), effect_of(other))

    # What is wrong with the text is no mistake in the bits.
    of_text = [each for each in result.findings if {each.rule, each.because} & _OF_TEXT]
    if any(each.severity == ERROR for each in of_text):
        return result
    own = [(None, each) for each in result.findings if each not in of_text]
    strides = strides_of_tile(reading.fields, context)
    written = "" if result.map_check is None else result.map_check.swizzle
    types = zip(("a_type", "b_type"), (dtype.name for dtype in context.both_types or ()), strict=False)
    suspect = Suspect(reading.kind, reading.bits, reading.fields, context, strides, written)
    suspect = suspect._replace(types=dict(types), wide=result.literal.wide)
    every = with_mistakes(own, corrections(suspect, [each for _, each in own]), judge)
    return result._replace(findings=ordered((*of_text, *(finding for _, finding in every))))


_OF_TEXT = {rule.name for rule in RULES}


def with_repair(reading: DescriptorReading, repair: Iterable[Repair]) -> DescriptorReading | None:
    """Return a value with other values of some fields; None if these are not values of the fields."""
    table = reading.kind.table
    try:
        raws = table.encode({each.field: each.value for each in repair})
    except FieldError:
        return None
    known = reading.known | sum(table.masks[key] for key in raws)
    return DescriptorReading(reading.kind, reading.view, table.with_raws(reading.bits, raws), known, reading.context)


def _typed(reading: DescriptorReading, start: RelativeStart | None) -> str:
    """Return a value as one types it: a tensor map as its bytes in memory."""
    if start is not None:
        return typed_from(start, reading.bits, reading.known)
    table = reading.kind.table
    if table.width == TENSOR_MAP_BITS:
        return reading.bits.to_bytes(TENSOR_MAP_BITS // 8, "little").hex() if reading.known == table.full else ""
    return view_text(reading.bits, reading.known, table.width, reading.view)


def effect_of(reading: DescriptorReading) -> int:
    """Return what is equal for two descriptors that the hardware reads alike: the bits, without strides that have no
    effect."""
    unused = without_effect(reading.fields, reading.context) if reading.kind.name in SMEM_KINDS else ()
    return reading.bits & ~sum(reading.kind.table.masks[key] for key in unused)


def strides_of_tile(fields: Mapping[str, FieldReading], context: Context) -> tuple[tuple[int, int], ...]:
    """Return LBO and SBO in bytes of the tile around a descriptor, for each order of its atoms that it may have."""
    if not context.tiled or "swizzle" not in fields:
        return ()
    assert context.dtype is not None
    assert context.major is not None
    assert context.tile is not None
    swizzle, pairs = fields["swizzle"].value, []
    k = context.shape[1] if context.shape else context.dtype.k
    for order in [context.order] if context.order else ORDERS:
        try:
            tiling = atom_tiling(str(swizzle), context.major, context.dtype, context.tile, order)
        except (SmemdescError, KeyError):
            continue
        pairs.append(tiling.offsets(k))
    return tuple(dict.fromkeys(pairs))
