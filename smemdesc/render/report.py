"""The view of ``decode``: header and verdict, bit strip, one row per field, findings; or a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.descriptors.explain import QUIET, meaning
from smemdesc.descriptors.readings import HIGH_WORD, LEGAL, WHOLE, DescriptorReading
from smemdesc.descriptors.result import A_NUMBER, Result
from smemdesc.engine.fields import FieldReading, Fixed, Flag, Reserved, Upper
from smemdesc.engine.wording import many
from smemdesc.kinds.context import Context
from smemdesc.kinds.text import WIDEST, to_hex
from smemdesc.render.bits import MARKS, BitStrip, Diagram, field_styles, place, raw_text, value_text
from smemdesc.render.console import broken
from smemdesc.render.diagnostics import STYLES, diagnostics, known_spans, verdict_spans
from smemdesc.render.parts import Span, beside, labeled, line, table
from smemdesc.rules.base import AMBIGUOUS, ERROR, INVALID, Finding, verdict

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.difference import Difference, FieldDifference
    from smemdesc.instructions.convolution import CheckedMask

WIDE = 100
"""Terminal width from which a value is also shown in 16-byte units, if the rest fits."""


class Decoded:
    """A decoded value.

    ``bits``: with the large diagram of the bits. ``every``: each field has a row; otherwise, if lines have a width,
    expected or unused fields share one line. ``with_reason``: with the reason for the kind. ``origin``: how the
    value was computed.
    """

    def __init__(
        self, result: Result, *, bits: bool = False, every: bool = False, with_reason: bool = True, origin: str = ""
    ) -> None:
        self.result = result
        self.bits = bits
        self.every = every
        self.with_reason = with_reason
        self.origin = origin

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        result = self.result
        show = Detail(self.bits, self.every or not broken(options), options.max_width >= WIDE)
        yield _header(result)
        if self.origin:
            yield labeled("found", self.origin)
        if self.with_reason:
            yield from _reasons(result)
        if result.settled:
            yield from body(result.candidates[0], result, show)
        else:
            yield from _several(result, show)


def of_constant(constant: Constant) -> Decoded:
    """Return the view of a result of :func:`smemdesc.encode`."""
    return Decoded(constant.decoded, with_reason=False)


def of_mask(checked: CheckedMask) -> Decoded:
    """Return the view of a result of :func:`smemdesc.mask`."""
    return Decoded(checked.decoded, with_reason=False, origin=checked.found)


class Detail:
    """The detail of the fields. ``units``: offsets in 16-byte units, beside the bytes."""

    def __init__(self, bits: bool, every: bool, units: bool) -> None:
        self.every = every
        self.units = units
        self.gap = 2 if units else 1
        self.strip = Diagram if bits else BitStrip


def body(only: DescriptorReading, result: Result, show: Detail) -> Iterator[RenderableType]:
    """Yield the parts below the header of an unambiguous value: bits, fields, mask, findings."""
    context = result.context
    yield from _rows(only, result.findings, context, show)
    if only.kind.name == "tensormap":
        from smemdesc.descriptors.tensormap import in_words

        for label, text in in_words(only.fields):
            yield labeled(label, text)
    if only.kind.name == "mask" and context.m and context.n:
        from smemdesc.render.mask import expansion_of

        yield from expansion_of(result)
    if result.map_check is not None:
        yield labeled("tensor map", str(result.map_check))
    yield from _findings(result.findings)


def _header(result: Result) -> RenderableType:
    text = to_hex(result.value, result.known, result.width)
    is_map = result.width > WIDEST
    if is_map and result.settled:
        title = (result.candidates[0].kind.title, "heading")
        return line(title, "  ", *verdict_spans(result.findings, result.known, result.width))
    head = line(("tensor map (CUtensorMap)", "heading") if is_map else (text, "value"), "  ")
    if result.settled:
        title = (result.candidates[0].kind.title, "heading")
        return beside(head, title, "  ", *verdict_spans(result.findings, result.known, result.width))
    if result.ranking.fits:
        known = known_spans(result.known, result.width)
        return beside(head, (AMBIGUOUS, STYLES[AMBIGUOUS]), ": ", *_verdicts(result), *known)
    names = ", ".join(candidate.id for candidate in result.candidates)
    return beside(head, (INVALID, STYLES[INVALID]), f": fits no reading exactly; shown as {names}")


def _reasons(result: Result) -> Iterator[RenderableType]:
    text = to_hex(result.value, result.known, result.width)
    literal = result.literal
    if result.width > WIDEST:
        yield labeled("given", literal.form)
    elif literal.text.strip().lower() != text and literal.form != A_NUMBER:
        yield labeled("given", f"{literal.text.strip()} ({literal.form}){_view(result)}")
    for finding in result.findings:
        if finding.rule == "digits-without-prefix" and finding.severity == ERROR:
            yield labeled("instead", f"{finding.message}: {finding.fix}")
    yield labeled("read as", result.ranking.reason)
    for near_miss in result.ranking.near_misses:
        if near_miss.weight == LEGAL:
            yield labeled("one bit away", f"{near_miss.reading.id}, {near_miss.repair}")
    if result.others:
        yield labeled("also fits", (", ".join(reading.id for reading in result.others), "warning"))


def _verdicts(result: Result) -> Iterator[Span]:
    for index, candidate in enumerate(result.candidates):
        outcome = verdict(candidate.findings)
        yield f"{', ' if index else ''}{candidate.id} "
        yield outcome, STYLES[outcome]


def _view(result: Result) -> str:
    if result.view == HIGH_WORD:
        return ", only the high word"
    return "" if result.view == WHOLE else ", the high word of a 64-bit value"


def _rows(
    only: DescriptorReading, findings: tuple[Finding, ...], context: Context, show: Detail
) -> Iterator[RenderableType]:
    """Yield the bits and a row for each field; without ``every``, the unremarkable fields share a last line."""
    styles = field_styles(only.fields, findings)
    if only.kind.table.width <= WIDEST or show.strip is Diagram:
        yield show.strip(only.fields, styles)
    quiet = _quiet(only.fields, styles, show)
    loud = [key for key in only.fields if key not in quiet]
    yield table([_row(only, key, context, styles[key], show) for key in loud], gap=show.gap)
    yield from _fields_without_row(quiet)


def _beyond_rank(fields: Mapping[str, FieldReading]) -> set[str]:
    """Return the fields of dimensions above a tensor map's rank, if they are 0."""
    rank = fields["rank"].value if "rank" in fields else None
    if not isinstance(rank, int):
        return set()
    places = ((key, key.rpartition("_")[2]) for key in fields if key.startswith(_BY_DIMENSION))
    return {key for key, at in places if at.isdigit() and int(at) >= rank and not fields[key].bits}


_BY_DIMENSION = ("dim_", "stride_", "element_stride_", "box_")


def _fields_without_row(quiet: Mapping[str, FieldReading]) -> Iterator[RenderableType]:
    """Yield the fields without a row: flags that are off, and constants and reserved bits with the right value."""
    off = ", ".join(
        key if isinstance(reading.field.codec, Flag) or not reading.value else f"{key} {reading.value}"
        for key, reading in quiet.items()
        if not reading.field.constant and not key.startswith(_BY_DIMENSION)
    )
    reserved, fixed = (
        " ".join(place(reading) for reading in quiet.values() if isinstance(reading.field.codec, codec))
        for codec in (Reserved, Fixed)
    )
    every = ("zero", off), ("reserved bits OK", reserved), ("constants OK", fixed)
    parts = [(label, text) for label, text in every if text]
    if parts:
        (first, text), *rest = parts
        yield labeled(first, (text, "faint"), *((f"; {label}: {text}", "faint") for label, text in rest))


def _quiet(fields: Mapping[str, FieldReading], styles: Mapping[str, str], show: Detail) -> dict[str, FieldReading]:
    """Return the fields that get no row: unremarkable ones, without a finding."""
    if show.every:
        return {}
    beyond = _beyond_rank(fields)
    return {
        key: reading
        for key, reading in fields.items()
        if styles[key] not in MARKS and (key in beyond or _is_unremarkable(key, reading))
    }


def _is_unremarkable(key: str, reading: FieldReading) -> bool:
    if reading.field.constant:
        return reading.complete and not reading.contradicts
    if isinstance(reading.field.codec, Upper):
        return reading.raw == 0
    return reading.raw == 0 and reading.settled and key in _OFF


_OFF = QUIET | {"saturate", "negate_a", "negate_b", "a_scale_id", "b_scale_id"}


def _row(only: DescriptorReading, key: str, context: Context, style: str, show: Detail) -> list[tuple[str, str]]:
    reading = only.fields[key]
    plain = style if style in (*MARKS, "faint") else ""
    value = value_text(reading)
    return [
        (place(reading), style),
        (key, plain or "key"),
        (raw_text(reading, padded=show.units), plain),
        (value if show.units else value.partition(" = ")[0], plain or "value"),
        (meaning(only.kind, dict(only.fields), key, context), plain),
    ]


def _several(result: Result, show: Detail) -> Iterator[RenderableType]:
    first = result.candidates[0]
    shape = [(reading.field.key, reading.hi, reading.lo) for reading in first.fields.values()]
    alike = all(
        [(reading.field.key, reading.hi, reading.lo) for reading in candidate.fields.values()] == shape
        and candidate.bits == first.bits
        for candidate in result.candidates
    )
    if alike:
        styles = field_styles(first.fields, result.findings)
        yield show.strip(first.fields, styles)
        quiet = _quiet(first.fields, styles, show)
        yield table(_merged(result, styles, quiet, show), gap=show.gap)
        yield from _fields_without_row(quiet)
    for candidate in result.candidates:
        own = tuple(finding for finding in candidate.findings if finding not in result.findings)
        if alike and not own:
            continue
        yield Text()
        yield line("as ", (candidate.id, "heading"), (f"  {candidate.kind.title}", "faint"))
        if not alike:
            yield from _rows(candidate, candidate.findings, result.context, show)
        yield diagnostics(own)
    yield from _findings(result.findings)


def _findings(findings: tuple[Finding, ...]) -> Iterator[RenderableType]:
    if findings:
        yield Text()
        yield diagnostics(findings)


def _merged(
    result: Result, styles: Mapping[str, str], quiet: Mapping[str, FieldReading], show: Detail
) -> list[list[tuple[str, str]]]:
    """Return one row per field; if the readings differ, a labeled row for each reading."""
    merged: list[list[tuple[str, str]]] = []
    first = result.candidates[0]
    for key in first.fields:
        if key in quiet:
            continue
        cells = [_row(candidate, key, result.context, styles[key], show) for candidate in result.candidates]
        if all(cell == cells[0] for cell in cells):
            merged.append(cells[0])
            continue
        for index, (alternative, cell) in enumerate(zip(result.candidates, cells, strict=True)):
            name = alternative.kind.mma_kind or alternative.id
            text, style = cell[-1]
            merged.append([*(cell[:3] if not index else [("", "")] * 3), cell[3], (f"as {name}: {text}", style)])
    return merged


class DifferenceView(NamedTuple):
    """Two values, field by field."""

    difference: Difference

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        of = self.difference
        size = of.kind.table.width
        yield line((of.kind.title, "heading"))
        yield labeled("A", (to_hex(of.a.bits, of.a.known, size), "value"))
        yield labeled("B", (to_hex(of.b.bits, of.b.known, size), "value"))
        yield labeled("read as", of.reason)
        units = options.max_width >= WIDE
        alike = [row for row in of.rows if not row.changed] if size > WIDEST and broken(options) else []
        yield table(
            [_compared_row(row, units) for row in of.rows if row not in alike],
            ("", "", "field", "A", "", "B", "", "B - A"),
        )
        if alike:
            shown = [row.key for row in alike if row.a.bits]
            yield labeled("the same", ", ".join([*shown, f"{many(len(alike) - len(shown), 'field')} of 0"]))
        for remark in of.remarks:
            yield beside(("=> ", "heading"), remark)


def _change(row: FieldDifference, units: bool) -> str:
    """Return by how much a field moved; ``units``: also in 16-byte units."""
    if row.delta is None:
        return ""
    change = f"{row.delta:+d} {row.unit}".rstrip()
    return f"{change} = {row.delta // 16:+d} x 16 B" if units and row.unit == "B" else change


def _compared_row(row: FieldDifference, units: bool) -> list[Span | Text]:
    style = "changed" if row.changed else "faint" if row.a.field.constant else ""
    return [
        ("*" if row.changed else "", "changed"),
        (place(row.a), "faint"),
        (row.key, style or "key"),
        *((text, style) for reading in (row.a, row.b) for text in (raw_text(reading, padded=units), _decoded(reading))),
        (_change(row, units), style),
    ]


def _decoded(reading: FieldReading) -> str:
    return value_text(reading).partition(" = ")[0] if reading.complete else ""
