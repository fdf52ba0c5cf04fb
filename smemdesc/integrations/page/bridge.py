"""The entry point of the page: a question as JSON, its answer as JSON; a decoded value, and a value after one change.

``{"do": "decode", ...}`` names one of :data:`QUESTIONS`; the other keys are the arguments of that function. An error
is ``{"problem": {...}}``, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from smemdesc.api.decoding import decode_in_context
from smemdesc.cli import decode
from smemdesc.cli.decode import decode_keywords
from smemdesc.cli.support.pasted import looks_like_dump
from smemdesc.descriptors.batch import BatchLine, read_batch
from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.explain import meaning
from smemdesc.descriptors.ranking import rank
from smemdesc.descriptors.readings import WHOLE, DescriptorReading, NearMiss, view_text
from smemdesc.descriptors.result import Result
from smemdesc.descriptors.tensormap import copy_in_words
from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.engine.fields import WORD, Address, Enum, FieldReading, Fixed, Flag, Reserved
from smemdesc.integrations.page.commands import about_page, command, parsed, run_words, worded
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.reading.field_values import field_value
from smemdesc.reading.pasted import pasted_value
from smemdesc.reading.text import VALUE_BITS, Literal, parse_value, to_hex
from smemdesc.render.bits import MARKED_SEVERITIES, bit_range, field_styles, raw_text, value_text
from smemdesc.rules.base import Finding, verdict

MOST_VALUES = 64
"""The most values that are offered."""
DRAWN_AS = (("bf16", "K"), ("bf16", "MN"), ("tf32", "MN"))
"""Types and major-nesses for pictures of descriptors of which they are not known, the likeliest first."""
LINES = 1000
"""Lines of pasted text that are searched for values; longer text is a dump."""


def values_on_page(text: str) -> list[str]:
    """Return the texts of the values in ``text``, as :func:`smemdesc.reading.pasted.pasted_values` reads them.

    Two words that make one descriptor come first as ``HI:LO``. A pasted list is unchanged; in other text the likeliest
    value comes first. :class:`smemdesc.engine.errors.SmemdescError`, with the place, for text without a value.
    """
    stripped = (line.strip() for line in text.splitlines())
    lines = [BatchLine(line) for line in islice(filter(None, stripped), LINES)] or [BatchLine(text)]
    items = list(read_batch(lines))
    literals = [item.literal for item in items if item.literal is not None]
    if not literals:
        raise next(item.problem for item in items if item.problem is not None)
    if any(item.literal is None or item.literal.text != item.line.text for item in items):
        literals.sort(key=_unlikely)
    return list(dict.fromkeys(map(_retyped, literals)))[:MOST_VALUES]


def _unlikely(literal: Literal) -> tuple[bool, int]:
    """Return a sort key: values that fit a descriptor come first, of these the longest."""
    try:
        return not rank(literal).fits, -literal.bit_length
    except SmemdescError:
        return True, 0


def _retyped(literal: Literal) -> str:
    """Return a value as a text that is read the same way wherever it is typed."""
    if literal.width > VALUE_BITS:
        return literal.text.strip()  # a tensor map, whose digits are in the order of memory
    try:
        again = parse_value(literal.text)
    except SmemdescError:
        again = literal._replace(number=-1)
    same = (again.number, again.unknown) == (literal.number, literal.unknown)
    width = literal.width or (WORD if literal.bit_length <= WORD else VALUE_BITS)
    return literal.text.strip() if same else to_hex(*literal.at(width), width)


def decode_for_page(text: str, options: Sequence[str] = (), pick: int = 0) -> dict[str, Any]:
    """Return the complete result for the value in ``text``, or for the ``pick``-th of several.

    ``options`` are options of ``smemdesc decode``; ``json`` is the object of its ``--json``.
    """
    dump = looks_like_dump(text)
    try:
        values = values_on_page(text)
    except SmemdescError as problem:
        return {"dump": dump, "problem": problem_dict(problem)}
    value = values[pick] if 0 <= pick < len(values) else values[0]
    # What stands around a single value is reported with it, as on the command line.
    pasted = text.strip() if len(values) == 1 and "\n" not in text.strip() else value
    result = _decoded(pasted, [*options, "--", value])
    return {
        "dump": dump,
        "values": values,
        "value": value,
        **command(["decode", value, *options]),
        "verdict": result.verdict,
        "settled": result.settled,
        "fit": result.ranking.fits,
        "reason": result.ranking.reason,
        "readings": [
            {**reading_dict(candidate, result), "assumed": assumed_of(candidate, result, options)}
            for candidate in result.candidates
        ],
        "findings": [] if result.settled else [_finding(finding) for finding in result.findings],
        "near": [_near(near_miss) for near_miss in result.ranking.near_misses],
        "json": result.to_dict(),
    }


def _decoded(text: str, words: Sequence[str]) -> Result:
    """Return the result for a text with the options of a command line."""
    given = parsed(decode.command, words)
    of_tile = [name for name in ("tile", "order") if given[name] is not None]
    return decode_in_context(text, map=None, given=of_tile, **decode_keywords(given))


def assumed_of(reading: DescriptorReading, result: Result, options: Sequence[str]) -> dict[str, str]:
    """Return the type and the major-ness, as far as they are not given, with which a descriptor is drawn.

    They add no warning and no error; empty if all do.
    """
    known = {"dtype": result.context.dtype, "major": result.context.major}
    if reading.kind.name not in SMEM_KINDS or all(known.values()):
        return {}
    own = _marked(result.findings if result.settled else reading.findings)
    value = _text(reading)
    for dtype, major in DRAWN_AS:
        assumed = {name: text for name, text in (("dtype", dtype), ("major", major)) if not known[name]}
        more = [word for name, text in assumed.items() for word in (f"--{name}", text)]
        try:
            drawn = _decoded(value, [*options, "--kind", reading.kind.name, *more, "--", value])
        except SmemdescError:  # the other options exclude it
            continue
        if _marked(drawn.findings) <= own:
            return assumed
    return {}


def _marked(findings: Sequence[Finding]) -> set[tuple[str, str]]:
    return {(finding.severity, finding.rule) for finding in findings if finding.severity in MARKED_SEVERITIES}


def reading_dict(reading: DescriptorReading, result: Result) -> dict[str, Any]:
    """Return one reading of a value. ``bits`` is the descriptor, ``value`` the text to paste for it."""
    findings = result.findings if result.settled else reading.findings
    styles = field_styles(reading.fields, findings)
    width = reading.kind.table.width
    return {
        "id": reading.id,
        "kind": reading.kind.id,
        "view": reading.view,
        "title": reading.kind.title,
        "bits": to_hex(reading.bits, reading.known, width),
        "value": _text(reading),
        "width": width,
        "verdict": verdict(findings),
        "fields": [_field(key, field, reading, result.context, styles[key]) for key, field in reading.fields.items()],
        "findings": [_finding(finding) for finding in findings],
        "words": list(copy_in_words(reading.fields)) if reading.kind.name == "tensormap" else [],
    }


def _text(reading: DescriptorReading) -> str:
    return view_text(reading.bits, reading.known, reading.kind.table.width, reading.view)


def _field(key: str, field: FieldReading, reading: DescriptorReading, context: Context, style: str) -> dict[str, Any]:
    return {
        "key": key,
        **field.to_dict(),
        "place": bit_range(field),
        "bits": field.binary(),
        "raw_text": raw_text(field),
        "text": value_text(field),
        "meaning": meaning(reading.kind, dict(reading.fields), key, context),
        "style": style,
        "wrong": field.contradicts and style in MARKED_SEVERITIES,
        "takes": field.field.codec.describe(field.field.width),
        "source": field.field.source,
        "input": _input(field),
    }


def _input(reading: FieldReading) -> dict[str, Any] | None:
    """Return how a field can be edited: by a choice of names, or as a number; None for constant bits."""
    codec = reading.field.codec
    if isinstance(codec, Reserved | Fixed):
        return None
    now = "" if reading.value is None else str(reading.value).lower() if isinstance(codec, Flag) else str(reading.value)
    if isinstance(codec, Address) and now:
        now = codec.text(reading.bits)
    if isinstance(codec, Flag):
        return {"now": now, "choices": [["false", f"no: {codec.no}"], ["true", f"yes: {codec.yes}"]]}
    if isinstance(codec, Enum):
        named = [(code, codec.decode(code.raw, reading.by)) for code in codec.codes]
        names = [[str(name), f"{codec.text(code.raw, reading.by)}"] for code, name in named if name is not None]
        return {"now": now, "choices": names}
    return {"now": now, "unit": getattr(codec, "unit", "")}


def _finding(finding: Finding) -> dict[str, Any]:
    return {name: worded(value) if isinstance(value, str) else value for name, value in finding.to_dict().items()}


def _near(near_miss: NearMiss) -> dict[str, Any]:
    return {
        "reading": near_miss.reading.id,
        "repair": near_miss.repair,
        "value": near_miss.text or _text(near_miss.reading),
    }


def edit(
    bits: str, kind: str, view: str = WHOLE, *, bit: int | None = None, field: str = "", to: str = ""
) -> dict[str, Any]:
    """Return the value to paste after one change.

    ``bits`` is the descriptor as :func:`reading_dict` writes it, ``kind`` its id.
    ``bit`` is flipped (an unknown one becomes 0); or ``field`` becomes ``to``, in bytes or by name, as in
    ``encode``.
    """
    chosen = kind_of(kind)
    table = chosen.table
    number, known = pasted_value(bits).at(table.width)
    if bit is not None:
        mask = 1 << bit
        number, known = number ^ mask if known & mask else number & ~mask, known | mask
    else:
        encoded = build(chosen, {field: field_value(table.row(field), to)}, base=(number, known), force=True)
        number, known = encoded.value, encoded.known
    return {"value": view_text(number, known, table.width, view), "bits": to_hex(number, known, table.width)}


QUESTIONS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "about": about_page,
    "decode": decode_for_page,
    "edit": edit,
    "command": command,
    "run": run_words,
}


def answer_page(question: str) -> str:
    """Answer one question of the page."""
    try:
        query = json.loads(question)
        return json.dumps(QUESTIONS[query.pop("do")](**query))
    except Exception as problem:
        return json.dumps({"problem": problem_dict(as_error(problem))})


def problem_dict(problem: SmemdescError) -> dict[str, Any]:
    """Return an error of the input as an object."""
    return {
        "message": worded(problem.option_message) or problem.option_message,
        "given": problem.given,
        "span": list(problem.span) if problem.span else None,
        "hint": worded(problem.option_hint),
    }
