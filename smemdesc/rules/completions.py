"""Partly known fields: what a check finds whatever their unknown bits are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from smemdesc.engine.fields import FieldReading, ones
from smemdesc.rules.findings import Finding

Readings = Mapping[str, FieldReading]
Matters = Mapping[str, int]
"""The bits of a field that a check depends on, right-aligned, by its key; of a field that is left out, all."""
HOLDS = "; this holds whatever the unknown bits are (shown: all 0)"


def unknown_bits(fields: Readings, keys: Iterable[str], matters: Matters) -> list[tuple[str, int]]:
    """Return each unknown bit that a check of these fields depends on: the key of its field, and the bit."""
    every = dict.fromkeys(chain.from_iterable((key, *fields[key].field.codec.depends) for key in keys))
    bits = []
    for key in every:
        full = ones(fields[key].field.width)
        loose = full & ~fields[key].known & matters.get(key, full)
        bits += [(key, 1 << place) for place in range(loose.bit_length()) if loose >> place & 1]
    return bits


def completed(
    fields: Readings, keys: Sequence[str], bits: Sequence[tuple[str, int]], number: int
) -> list[FieldReading]:
    """Return fields with their unknown bits filled in from a number, lowest first; bits that do not matter are 0."""
    raws = {key: fields[key].bits for key in keys}
    for key in keys:
        raws.update((name, fields[name].bits) for name in fields[key].field.codec.depends)
    for place, (key, bit) in enumerate(bits):
        if number >> place & 1:
            raws[key] |= bit
    return [_whole(fields, key, raws) for key in keys]


def _whole(fields: Readings, key: str, raws: Mapping[str, int]) -> FieldReading:
    row = fields[key].field
    by = shift = 0
    for dependency in row.codec.depends:
        by |= raws[dependency] << shift
        shift += fields[dependency].field.width
    return FieldReading(row, raws[key], ones(row.width), row.codec.decode(raws[key], by), by, True)


def probes(count: int) -> Iterator[int]:
    """Yield a few numbers of ``count`` bits for which a check may answer differently: no bit set, all, one, all but
    one, some at random."""
    full, random = ones(count), Random(count)
    yield 0
    if count:
        yield full
        yield from (1 << place for place in range(count))
        yield from (full & ~(1 << place) for place in range(count))
        yield from (random.getrandbits(count) for _ in range(_AT_RANDOM))


_AT_RANDOM = 12
MOST_BITS = 14
"""With more unknown bits than one offset has, not every completion can be tried: nothing is claimed."""


def possible_dict(finding: Finding) -> dict[str, Any]:
    """Return the JSON object of a finding that some completions have: it has no severity, as nothing is found."""
    fields = list(finding.fields)
    return {"rule": finding.rule, "would_be": finding.severity, "fields": fields, "message": finding.message}


class Undecided(NamedTuple):
    """What is found for some numbers that the unknown bits may be, and not for others."""

    finding: Finding
    """One of them."""
    bits: int
    """The unknown bits of the value that decide."""

    def to_dict(self, width: int) -> dict[str, Any]:
        """Return the JSON object; ``width``: bits of the value."""
        return {**possible_dict(self.finding), "bits": f"0x{self.bits:0{width // 4}x}"}


def shared(check: Callable[[int], Sequence[Finding]], count: int, *, sample: bool = False) -> list[Finding]:
    """Return what a check finds for every number of ``count`` bits, with what all these findings have in common.

    ``sample``: the check looks at every address, which takes too long for every number; the numbers of
    :func:`probes` show whether it depends on the unknown bits.
    """
    if count > MOST_BITS and not sample:
        return []
    common: list[Finding] = []
    for place, number in enumerate(probes(count) if sample else chain(probes(count), range(1 << count))):
        found = check(number)
        common = _common(common, found) if place else list(found)
        if not common:
            break
    return common


def _common(findings: list[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Return the findings that have a counterpart among others: the only one of the rule, or one about the same
    fields."""
    common = []
    for finding in findings:
        alike = [other for other in others if (other.rule, other.operand) == (finding.rule, finding.operand)]
        same_fields = [other for other in alike if other.fields == finding.fields]
        if same_fields or len(alike) == 1:
            common.append(_merged(finding, *(same_fields or alike)[:1]))
    return common


_rank = attrgetter("rank")


def _merged(finding: Finding, other: Finding) -> Finding:
    if finding == other:
        return finding
    apart = {key: "" for key in ("likely", "fix", "next") if getattr(finding, key) != getattr(other, key)}
    message = finding.message
    if message.removesuffix(HOLDS) != other.message:
        message = message.removesuffix(HOLDS) + HOLDS
    return finding._replace(
        severity=max(finding, other, key=_rank).severity,
        fields=tuple(key for key in finding.fields if key in other.fields) or finding.fields,
        message=message,
        repair=finding.repair if finding.repair == other.repair else (),
        **apart,
    )
