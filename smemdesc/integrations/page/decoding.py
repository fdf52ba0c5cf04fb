"""What the page shows of a value: each reading with its bits, fields, findings and repairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smemdesc.cli.decode import asked
from smemdesc.cli.decode import command as decode_command
from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.explain import meaning
from smemdesc.descriptors.readings import DescriptorReading, NearMiss, text_of
from smemdesc.descriptors.result import Result, decode_literal
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum, Fixed, Flag, Reading, Reserved
from smemdesc.integrations.page.commands import command, parsed
from smemdesc.integrations.page.pasted import values_in
from smemdesc.kinds.context import Context
from smemdesc.kinds.text import parse, to_hex
from smemdesc.render.bits import colours, place, raw_text, value_text
from smemdesc.rules.base import Finding, verdict


def decode(text: str, options: Sequence[str] = (), pick: int = 0) -> dict[str, Any]:
    """Return everything that is said of the value in ``text``, of the ``pick``-th where there are several.

    ``options`` are those of ``smemdesc decode``; ``json`` is the object that its ``--json`` writes.
    """
    values = values_in(text)
    value = values[pick] if 0 <= pick < len(values) else values[0]
    kind, mma_kind, context = asked(parsed(decode_command, [*options, "--", value]))
    result = decode_literal(parse(value), kind, mma_kind, context)
    return {
        "values": values,
        "value": value,
        **command(_words(value, options)),
        "verdict": result.verdict,
        "settled": result.settled,
        "fit": result.ranking.fits,
        "reason": result.ranking.reason,
        "readings": [reading_dict(each, result) for each in result.candidates],
        "findings": [] if result.settled else [each.to_dict() for each in result.findings],
        "near": [_near(each) for each in result.ranking.near_misses],
        "json": result.to_dict(),
    }


def _words(value: str, options: Sequence[str]) -> list[str]:
    # A value that begins with a sign is told from an option by the option's parser.
    return ["decode", value, *options]


def reading_dict(reading: DescriptorReading, result: Result) -> dict[str, Any]:
    """Return one reading of a value. ``bits`` is the descriptor, ``value`` what is to be pasted for it."""
    styles = colours(reading.fields)
    found = result.findings if result.settled else reading.findings
    width = reading.kind.table.width
    return {
        "id": reading.id,
        "kind": reading.kind.id,
        "view": reading.view,
        "title": reading.kind.title,
        "bits": to_hex(reading.bits, reading.known, width),
        "value": _text(reading),
        "width": width,
        "verdict": verdict(found),
        "fields": [_field(key, field, reading, result.context, styles[key]) for key, field in reading.fields.items()],
        "findings": [_finding(each, reading) for each in found],
    }


def _text(reading: DescriptorReading) -> str:
    return text_of(reading.bits, reading.known, reading.kind.table.width, reading.view)


def _field(key: str, field: Reading, reading: DescriptorReading, context: Context, style: str) -> dict[str, Any]:
    return {
        "key": key,
        **field.to_dict(),
        "place": place(field),
        "bits": field.binary(),
        "raw_text": raw_text(field),
        "text": value_text(field),
        "meaning": meaning(reading.kind, dict(reading.fields), key, context),
        "style": style,
        "wrong": field.contradicts,
        "takes": field.field.codec.describe(field.field.width),
        "source": field.field.source,
        "input": _input(field),
    }


def _input(reading: Reading) -> dict[str, Any] | None:
    """Return how a field can be edited: by one of some names, or as a number; None for bits that are fixed."""
    codec = reading.field.codec
    if isinstance(codec, Reserved | Fixed):
        return None
    now = "" if reading.value is None else str(reading.value).lower() if isinstance(codec, Flag) else str(reading.value)
    if isinstance(codec, Flag):
        return {"now": now, "choices": [["false", f"no: {codec.no}"], ["true", f"yes: {codec.yes}"]]}
    if isinstance(codec, Enum):
        named = [(code, codec.decode(code.raw, reading.by)) for code in codec.codes]
        names = [[str(name), f"{codec.text(code.raw, reading.by)}"] for code, name in named if name is not None]
        return {"now": now, "choices": names}
    return {"now": now, "unit": getattr(codec, "unit", "")}


def _finding(finding: Finding, reading: DescriptorReading) -> dict[str, Any]:
    return {**finding.to_dict(), "repaired": _repaired(finding, reading)}


def _repaired(finding: Finding, reading: DescriptorReading) -> str | None:
    """Return the value with a finding's repair, to be pasted."""
    if finding.repair is None:
        return None
    change = {finding.repair.field: finding.repair.value}
    try:
        made = build(reading.kind, change, base=(reading.bits, reading.known), force=True)
    except SmemdescError:
        return None
    return _text(reading._replace(bits=made.value, known=made.known))


def _near(near_miss: NearMiss) -> dict[str, Any]:
    return {
        "reading": near_miss.reading.id,
        "repair": near_miss.repair,
        "value": near_miss.text or _text(near_miss.reading),
    }
