"""The JSON that scripts rely on, one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from smemdesc.descriptors.readings import LEGAL, WHOLE, NearMiss
from smemdesc.descriptors.result import AmbiguousField, Result
from smemdesc.engine.fields import Reading, ones
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.rules.base import Finding

if TYPE_CHECKING:
    from smemdesc.descriptors.difference import Difference
    from smemdesc.instructions.convolution import Expected
    from smemdesc.layout.zero_columns import ColumnMask, FilterColumn

dumps = json.dumps


def field_dict(reading: Reading | AmbiguousField) -> dict[str, Any]:
    """Return the object of one field."""
    out: dict[str, Any] = {
        "hi": reading.hi,
        "lo": reading.lo,
        "raw": reading.raw,
        "value": reading.value,
    }
    if isinstance(reading, Reading) and not reading.complete:
        digits = (reading.field.width + 3) // 4
        out["known"] = f"0x{reading.known:0{digits}x}"
    return out


def finding_dict(finding: Finding) -> dict[str, Any]:
    """Return the object of one finding; what people read of it besides only where there is some."""
    out: dict[str, Any] = {
        "severity": finding.severity,
        "rule": finding.rule,
        "fields": list(finding.fields),
        "message": finding.message,
    }
    if finding.likely:
        out["likely"] = finding.likely
    if finding.fix:
        out["fix"] = finding.fix
    if finding.repair:
        out["repair"] = {finding.repair.field: finding.repair.value}
    if finding.next:
        out["next"] = finding.next
    if finding.because:
        out["because"] = finding.because
    out["source"] = finding.source
    return out


def as_dict(result: Result, context: Context = NOTHING) -> dict[str, Any]:
    """Return the object of one decoded value; with M and N in ``context``, what a mask expands to."""
    out: dict[str, Any] = {
        "input": result.text.strip(),
        "value": f"0x{result.value:0{result.width // 4}x}",
    }
    if result.known.bit_count() < result.width:
        out["known"] = f"0x{result.known:0{result.width // 4}x}"
    out["kind"] = result.kind
    out["mma_kind"] = result.mma_kind
    if result.variant:
        out["variant"] = result.variant
    if result.view != WHOLE:
        out["view"] = result.view
    if not result.settled:
        out["candidates"] = [each.id for each in result.candidates]
    out["fields"] = {key: field_dict(reading) for key, reading in result.fields.items()}
    out["findings"] = [finding_dict(finding) for finding in result.findings]
    if result.ranking.near_misses:
        out["near"] = [near_miss_dict(each) for each in result.ranking.near_misses]
    if result.kind == "mask" and context.m and context.n:
        out["expansion"] = _expansion(result, context.m, context.n)
    return out


def near_miss_dict(near_miss: NearMiss) -> dict[str, Any]:
    """Return the object of another reading: its kind, the repair that leads to it and, if that is a slip, the value."""
    out = {"reading": near_miss.reading.id, "repair": near_miss.repair}
    if near_miss.weight != LEGAL:
        out["value"] = near_miss.text
    return out


def _expansion(result: Result, m: int, n: int) -> dict[str, Any] | None:
    from smemdesc.engine.errors import SmemdescError
    from smemdesc.layout.zero_columns import expand

    if result.known != ones(result.width):
        return None
    try:
        return expand(result.value, m, n).to_dict()
    except SmemdescError:
        return None  # the findings say why there is no such mask


def mask_dict(mask: ColumnMask, findings: Iterable[Finding]) -> dict[str, Any]:
    """Return the object of a mask descriptor with what it expands to."""
    return {
        "value": mask.hex,
        **mask.to_dict(),
        "findings": [finding_dict(finding) for finding in findings],
    }


def filter_column_dict(column: FilterColumn, findings: Iterable[Finding], others: Iterable[Expected]) -> dict[str, Any]:
    """Return the object of one filter column of a convolution, with the descriptors that were compared with it."""
    out = {
        "s": column.s,
        **mask_dict(column.mask, findings),
        "padding": f"0x{column.padding:0{column.mask.digits}x}",
        "agrees": column.agrees,
    }
    compared = [
        {
            **mask_dict(other.comparison.other, other.findings),
            "unmasked": [list(run) for run in other.comparison.unmasked],
            "overmasked": [list(run) for run in other.comparison.overmasked],
            "same": other.comparison.same,
        }
        for other in others
    ]
    if compared:
        out["expected"] = compared
    return out


def line(result: Result, context: Context = NOTHING) -> str:
    """Return one decoded value as one line of JSON, without the newline."""
    return dumps(as_dict(result, context))


def diff_dict(difference: Difference) -> dict[str, Any]:
    """Return the object of two compared values: each field that differs, and the remarks."""
    return {
        "a": difference.a.hex,
        "b": difference.b.hex,
        "kind": difference.kind.name,
        "mma_kind": difference.kind.mma_kind,
        "reason": difference.reason,
        "candidates": list(difference.candidates),
        "same": difference.same,
        "fields": {
            row.key: {"a": field_dict(row.a), "b": field_dict(row.b), "delta": row.delta, "unit": row.unit or None}
            for row in difference.rows
            if row.changed
        },
        "remarks": list(difference.remarks),
    }
