"""From a value or a text to its result, with what went wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.descriptors.result import Result, decode_literal, literal_of
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.rules.base import NOTE, Finding


def decode_value(
    value: int | str,
    kind: str | None = None,
    mma_kind: str | None = None,
    *,
    context: Context = NOTHING,
) -> Result:
    """Decode ``value``: a number, or text as people paste it.

    ``kind`` is ``wgmma``, ``tcgen05``, ``idesc``, ``mask`` or ``tmem``, ``mma_kind`` the MMA kind of an instruction
    descriptor; without them the value decides (:mod:`smemdesc.descriptors.ranking`). ``context`` is what is
    known about the instruction. Raises :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read.
    """
    return corrected(decode_literal(literal_of(value), kind, mma_kind, context))


def corrected(
    result: Result,
    context: Context | None = None,
    find: Callable[[DescriptorReading], Iterable[Finding]] | None = None,
) -> Result:
    """Return a value of one reading with the mistakes that explain what was found, and with whole constants.

    ``context`` is what is known, if it is more than the result was judged for; ``find`` returns what is found in
    another value in the same case, by default what its reading finds.
    """
    if all(finding.severity == NOTE for finding in result.findings):
        return result
    if result.settled:
        # Imported where something is wrong: most values are right.
        from smemdesc.descriptors.correcting import mistakes_in

        result = mistakes_in(result, context or result.context, find)
    return result._replace(findings=tuple(finding.without_advice for finding in result.findings))
