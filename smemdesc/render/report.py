"""The view of ``decode``: header and verdict, bit strip, one row per field, findings; or a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.descriptors.explain import QUIET_FIELDS, brief, meaning
from smemdesc.descriptors.readings import HIGH_WORD, LEGAL, WHOLE, DescriptorReading
from smemdesc.descriptors.result import A_NUMBER, Result
from smemdesc.engine.fields import FieldReading, Flag, Upper
from smemdesc.engine.wording import many
from smemdesc.kinds.addresses import START, start_text
from smemdesc.kinds.context import Context
from smemdesc.reading.text import VALUE_BITS, digits, to_hex
from smemdesc.render.bits import (
    MARKED_SEVERITIES,
    bit_range,
    bit_strip,
    compared_strip,
    diagram,
    field_styles,
    raw_text,
    value_text,
)
from smemdesc.render.console import broken
from smemdesc.render.diagnostics import STYLES, diagnostics, known_spans, undecided_lines, verdict_spans
from smemdesc.render.parts import DrawnParts, StyledText, TableRow, beside, fitted, labeled, line, natural_width, table
from smemdesc.rules.base import AMBIGUOUS, ERROR, INVALID, VALID, Finding, verdict

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.difference import Difference, FieldDifference
    from smemdesc.instructions.convolution import CheckedMask

WIDE = 100
"""Terminal width from which two values are also compared in 16-byte units."""


@fitted
def decoded_view(
    console: Console,
    options: ConsoleOptions,
    result: Result,
    *,
    bits: bool = False,
    every: bool = False,
    with_reason: bool = True,
    origin: str = "",
) -> Iterator[RenderableType]:
    """A decoded value.

    ``bits``: with the large diagram of the bits. ``every``: each field has a row, in full, and all readings that also
    fit are listed; otherwise fields that are as expected share a line. ``with_reason``: with the reason for the kind.
    ``origin``: how the value was computed.
    """
    show = Detail(bits, every, options.max_width)
    yield _header(result)
    if origin:
        yield labeled("found", origin)
    if with_reason:
        yield from _reasons(result, every)
    if result.settled:
        yield from body(result.candidates[0], result, show)
    else:
        yield from _several(result, show)


def constant_view(constant: Constant) -> DrawnParts:
    """Return the view of a result of :func:`smemdesc.encode`."""
    return decoded_view(constant.decoded, with_reason=False)


def of_mask(checked: CheckedMask) -> DrawnParts:
    """Return the view of a result of :func:`smemdesc.mask`."""
    return decoded_view(checked.decoded, with_reason=False, origin=checked.found)


class FieldColumns(NamedTuple):
    """What a table of fields shows beside their meaning."""

    gap: int = 2
    units: bool = False
    """Offsets also in 16-byte units, and raw numbers with all their digits."""
    raw: bool = True


_FIELD_COLUMNS = (
    FieldColumns(units=True),
    FieldColumns(),
    FieldColumns(gap=1),
    FieldColumns(raw=False),
    FieldColumns(gap=1, raw=False),
)
"""The widest first."""


class Detail:
    """The detail of the fields, in so many columns of a terminal; ``every``: a row for each, in full."""

    def __init__(self, bits: bool, every: bool, width: int) -> None:
        self.every = every
        self.width = width
        self.strip = diagram if bits else bit_strip

    def table(self, rows: Callable[[FieldColumns], Iterable[TableRow]]) -> RenderableType:
        """Return the table of fields; what it can do without goes before a row wraps."""
        for columns in _FIELD_COLUMNS:
            shown = _with_marks(list(rows(columns)))
            if natural_width(shown, columns.gap) <= self.width or (self.every and not columns.units):
                break
        return table(shown, gap=columns.gap)


def body(only: DescriptorReading, result: Result, show: Detail) -> Iterator[RenderableType]:
    """Yield the parts below the header of an unambiguous value: bits, fields, mask, findings."""
    context = result.context
    yield from _rows(only, result.findings, context, show)
    if only.kind.name == "tensormap":
        from smemdesc.descriptors.tensormap import copy_in_words

        for label, text in copy_in_words(only.fields):
            yield labeled(label, text)
    if only.kind.name == "mask" and context.m and context.n:
        from smemdesc.render.mask import expansion_of

        yield from expansion_of(result)
    if result.map_check is not None:
        yield labeled("tensor map", str(result.map_check))
    yield from _findings(result.findings)
    yield from _not_checked(result)
    if show.every:
        yield from undecided_lines(result)


def _header(result: Result) -> RenderableType:
    text = (to_hex if result.start is None else digits)(result.value, result.known, result.width)
    is_map = result.width > VALUE_BITS
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
    return beside(head, (INVALID, STYLES[INVALID]), f": shown as {', '.join(each.id for each in result.candidates)}")


def _reasons(result: Result, every: bool) -> Iterator[RenderableType]:
    literal, ranking = result.literal, result.ranking
    as_usual = ranking.requested and ranking.fits and not every
    if result.view != WHOLE or literal.form not in (*_USUAL_FORMS, A_NUMBER):
        text = "" if result.width > VALUE_BITS else f"{literal.text.strip()} "
        yield labeled("given", f"{text}({literal.form}){_view(result)}" if text else literal.form)
    if result.start is not None and result.settled:
        yield labeled("start", start_text(result.candidates[0].fields[START], result.start))
    for finding in result.findings:
        if finding.rule == "digits-without-prefix" and finding.severity == ERROR:
            yield labeled("instead", f"{finding.message}: {finding.fix}")
    if not as_usual and not any(finding.rule == "no-reading-fits" for finding in result.findings):
        yield labeled("read as", ranking.reason)
    for near_miss in ranking.near_misses if every or result.verdict != VALID else ():
        if near_miss.weight == LEGAL:
            yield labeled("one bit away", f"{near_miss.reading.id}, {near_miss.repair}")
    if result.others and not as_usual:
        yield labeled("also fits", (", ".join(reading.id for reading in result.others), "warning"))


_USUAL_FORMS = ("hexadecimal", "bytes in memory order")


def _verdicts(result: Result) -> Iterator[StyledText]:
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
    """Yield the bits and a row for each field; without ``every``, numbered fields share a row and what is as expected
    shares the last line."""
    fields = only.fields
    styles = field_styles(fields, findings)
    if only.kind.table.width <= VALUE_BITS or show.strip is diagram:
        yield show.strip(fields, styles)
    quiet = _quiet(fields, styles, show)

    def rows(columns: FieldColumns) -> Iterator[TableRow]:
        for run in _runs(key for key in fields if key not in quiet):
            if (
                show.every
                or len(run) == 1
                or any(styles[key] in MARKED_SEVERITIES or not fields[key].settled for key in run)
                or sum(len(_value(fields[key])) + 2 for key in run) > _MOST_OF_A_RUN
            ):
                yield from (_row(only, key, context, styles[key], show.every, columns) for key in run)
            else:
                yield _row_of_run([fields[key] for key in run], [styles[key] for key in run], columns)

    yield show.table(rows)
    yield from _fields_without_row(fields, quiet)


_MOST_OF_A_RUN = 26
"""FieldColumns of the values of numbered fields that share a row, each with a comma and a blank."""


def _value(reading: FieldReading) -> str:
    return value_text(reading).partition(" = ")[0]


def _with_marks(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return rows of which those with a warning or an error begin with ``!``, so that they are seen without color."""
    styles = [cell[1] if isinstance(cell, tuple) else "" for cell, *_ in rows]
    if not set(MARKED_SEVERITIES).intersection(styles):
        return list(rows)
    marks = [("!", style) if style in MARKED_SEVERITIES else ("", "") for style in styles]
    return [[mark, *row] for mark, row in zip(marks, rows, strict=True)]


def _runs(keys: Iterable[str]) -> list[list[str]]:
    """Return keys in order, those with consecutive numbers together: ``box_0`` and ``box_1``."""
    runs: list[list[str]] = []
    for key in keys:
        stem, _, number = key.rpartition("_")
        if runs and number.isdigit() and runs[-1][-1] == f"{stem}_{int(number) - 1}":
            runs[-1].append(key)
        else:
            runs.append([key])
    return runs


def _name(run: Sequence[str]) -> str:
    return run[0] if len(run) == 1 else f"{run[0]}..{run[-1].rpartition('_')[2]}"


def _row_of_run(run: Sequence[FieldReading], styles: Sequence[str], columns: FieldColumns) -> TableRow:
    """Return the row of numbered fields; each value has the color of its bits."""
    first, last = run[0].field, run[-1].field
    texts = map(_value, run)
    values = Text(", ").join(line((text, style)) for text, style in zip(texts, styles, strict=True))
    words = zip(first.doc.split(), last.doc.split(), strict=True)
    doc = " ".join(word if word == other else f"{word}..{other}" for word, other in words)
    what = first.codec.yes if isinstance(first.codec, Flag) else doc
    place_of_all = f"[{max(reading.hi for reading in run)}:{min(reading.lo for reading in run)}]"
    raw = [""] * columns.raw
    return [(place_of_all, styles[0]), (_name([first.key, last.key]), "key"), *raw, values, what.partition("; ")[0]]


def _beyond_rank(fields: Mapping[str, FieldReading]) -> set[str]:
    """Return the fields of dimensions above a tensor map's rank, if they are 0."""
    rank = fields["rank"].value if "rank" in fields else None
    if not isinstance(rank, int):
        return set()
    places = ((key, key.rpartition("_")[2]) for key in fields if key.startswith(_BY_DIMENSION))
    return {key for key, at in places if at.isdigit() and int(at) >= rank and not fields[key].bits}


_BY_DIMENSION = ("dim_", "stride_", "element_stride_", "box_")


def _quiet(fields: Mapping[str, FieldReading], styles: Mapping[str, str], show: Detail) -> set[str]:
    """Return the fields that get no row: those as expected, without a finding."""
    if show.every:
        return set()
    apart = _beyond_rank(fields) | _derived(fields)
    return {
        key
        for key, reading in fields.items()
        if styles[key] not in MARKED_SEVERITIES and (key in apart or _is_unremarkable(key, reading))
    }


def _derived(fields: Mapping[str, FieldReading]) -> set[str]:
    """Return the fields of a tensor map that follow from others, if the words about its copies say the same."""
    if "rank" not in fields:
        return set()
    from smemdesc.descriptors.tensormap import copy_in_words

    return {key for key in ("box_bytes", "swizzle_period") if fields[key].settled and any(copy_in_words(fields))}


def _is_unremarkable(key: str, reading: FieldReading) -> bool:
    if reading.field.constant:
        return not reading.contradicts
    if isinstance(reading.field.codec, Upper):
        return reading.raw == 0
    return reading.raw == 0 and reading.settled and key.rstrip("_0123456789") in _OFF


_OFF = {key.rstrip("_0123456789") for key in QUIET_FIELDS} | {
    *("sparse", "saturate", "negate_a", "negate_b", "a_scale_id", "b_scale_id", "first_span"),
    *("mode", "interleave", "fill", "l2_promotion", "swizzle_atomicity", "allocation_class", "element_stride"),
}
"""Fields of no interest if they are 0, without their numbers."""


def _fields_without_row(fields: Mapping[str, FieldReading], quiet: set[str]) -> Iterator[RenderableType]:
    """Yield the line of the fields without a row: those that are 0, then constants and reserved bits."""
    constants = [key for key, reading in fields.items() if reading.field.constant]
    expected = quiet.intersection(constants)
    upper = (key for key, reading in fields.items() if isinstance(reading.field.codec, Upper))
    zero = quiet.difference(constants, upper, _beyond_rank(fields), _derived(fields))
    spans: list[StyledText] = []
    if zero:
        names = ((_name(run), fields[run[0]].value) for run in _runs(key for key in fields if key in zero))
        spans.append(("zero: ", "label"))
        spans.append((", ".join(f"{name} {value}" if value else name for name, value in names), "faint"))
    if expected:
        outcome = "ok" if all(fields[key].complete for key in expected) else "ok as far as known"
        other = "other " if len(expected) < len(constants) else ""
        spans += [("; ", "faint")] if zero else []
        spans += [(f"{other}reserved and constant bits: ", "label"), (outcome, "faint")]
    if spans:
        yield beside("  ", *spans)


def _row(
    only: DescriptorReading, key: str, context: Context, style: str, every: bool, columns: FieldColumns
) -> list[tuple[str, str]]:
    reading = only.fields[key]
    plain = style if style in (*MARKED_SEVERITIES, "faint") else ""
    return [
        (bit_range(reading), style),
        (key, plain or "key"),
        *([(raw_text(reading, padded=columns.units), plain)] if columns.raw else []),
        (value_text(reading) if columns.units else _value(reading), plain or "value"),
        ((meaning if every else brief)(only.kind, dict(only.fields), key, context), plain),
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
        yield show.table(lambda columns: _merged(result, styles, quiet, show.every, columns))
        yield from _fields_without_row(first.fields, quiet)
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
    yield from _not_checked(result)


def _findings(findings: tuple[Finding, ...]) -> Iterator[RenderableType]:
    if findings:
        yield Text()
        yield diagnostics(findings)


def _not_checked(result: Result) -> Iterator[RenderableType]:
    """Yield a line of what the lack of findings leaves open, and one of each option that was not used."""
    from smemdesc.descriptors.checks import advice

    if not result.findings and result.settled and (text := advice(result.checks)):
        yield labeled("not checked", text)
    for each in result.checks.not_checked:
        if each.why:
            yield labeled("not used", f"{each.what}: {each.why}")


def _merged(
    result: Result, styles: Mapping[str, str], quiet: set[str], every: bool, columns: FieldColumns
) -> Iterator[TableRow]:
    """Yield one row per field; if the readings differ, a labeled row for each reading."""
    for key in result.candidates[0].fields:
        if key in quiet:
            continue
        cells = [_row(candidate, key, result.context, styles[key], every, columns) for candidate in result.candidates]
        if all(cell == cells[0] for cell in cells):
            yield cells[0]
            continue
        for index, (alternative, cell) in enumerate(zip(result.candidates, cells, strict=True)):
            *numbers, value, (text, style) = cell
            name = alternative.kind.mma_kind or alternative.id
            yield [*([("", "")] * len(numbers) if index else numbers), value, (f"as {name}: {text}", style)]


@fitted
def difference_view(console: Console, options: ConsoleOptions, of: Difference) -> Iterator[RenderableType]:
    """Two values, field by field."""
    size = of.kind.table.width
    yield line((of.kind.title, "heading"))
    yield labeled("A", (to_hex(of.a.bits, of.a.known, size), "value"))
    yield labeled("B", (to_hex(of.b.bits, of.b.known, size), "value"))
    yield labeled("read as", of.reason)
    if size <= VALUE_BITS and not of.same:
        yield compared_strip(of.a.fields, of.b.fields)
    units = options.max_width >= WIDE
    alike = [row for row in of.rows if not row.changed] if size > VALUE_BITS and broken(options) else []
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


def _compared_row(row: FieldDifference, units: bool) -> list[StyledText | Text]:
    style = "changed" if row.changed else "faint" if row.a.field.constant else ""
    return [
        ("*" if row.changed else "", "changed"),
        (bit_range(row.a), "faint"),
        (row.key, style or "key"),
        *((text, style) for reading in (row.a, row.b) for text in (raw_text(reading, padded=units), _decoded(reading))),
        (_change(row, units), style),
    ]


def _decoded(reading: FieldReading) -> str:
    return value_text(reading).partition(" = ")[0] if reading.complete else ""
