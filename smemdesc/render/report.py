"""What ``decode`` prints: header, bit diagram, one row a field, findings, verdict."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.case import Context
from smemdesc.decoding import Reported, Result
from smemdesc.explain import meaning
from smemdesc.fields import WORD, Fixed, Reading, Reserved
from smemdesc.findings.base import ERROR, NOTE, RANK, WARNING, Finding
from smemdesc.identify import HIGH_WORD, LEGAL, WHOLE, Candidate
from smemdesc.kinds import Kind
from smemdesc.render.lines import Line, Span, columns, indented
from smemdesc.values import to_hex


def report(
    result: Result,
    context: Context,
    others: tuple[Candidate, ...],
    *,
    bits: bool,
    width: int | None,
    boxes: bool = False,
) -> Iterator[Line]:
    """Yield the lines of one decoded value. ``others`` are the readings that fit but were not taken."""
    yield from _header(result, others, width)
    if result.settled:
        yield from body(result, context, bits=bits, width=width, boxes=boxes)
        return
    yield from _several(result, context, bits, width, boxes)


def body(result: Result, context: Context, *, bits: bool, width: int | None, boxes: bool = False) -> Iterator[Line]:
    """Yield the lines of a settled value after its header: bits, fields, mask, findings, verdict."""
    only = result.candidates[0]
    if bits:
        yield from diagram(only.candidate.kind, dict(only.fields), boxes)
    yield from columns([_row(only, key, context) for key in only.fields], width)
    if only.kind == "mask" and context.m and context.n:
        from smemdesc.render.mask import expansion_of

        yield from expansion_of(result, context, width, boxes)
    yield from finding_lines(result.findings, width)
    yield [("verdict: ", "heading"), *verdict(result.findings, result.known, result.width)]


def _header(result: Result, others: tuple[Candidate, ...], width: int | None) -> Iterator[Line]:
    text = to_hex(result.value, result.known, result.width)
    if result.settled:
        kind = result.candidates[0].candidate.kind
        yield [(text, "value"), ("  ", ""), (kind.title, "heading")]
    else:
        names = ", ".join(each.candidate.id for each in result.candidates)
        how = "fits" if result.identified.fit else "fits none exactly; shown as"
        yield from indented([(text, "value"), ("  ", "")], f"{how} {names}", "heading", width)
    given = result.literal
    if given.text.strip().lower() != text:
        yield from indented([("  given: ", "dim")], f"{given.text.strip()} ({given.form}){_view(result)}", "", width)
    yield from indented([("  taken: ", "dim")], result.identified.reason, "", width)
    for each in result.identified.neighbors:
        if each.weight == LEGAL:
            yield from indented([("  one bit away: ", "dim")], f"{each.candidate.id}, {each.repair}", "", width)
    if others:
        names = ", ".join(candidate.id for candidate in others)
        yield from indented([("  also fits: ", "dim")], names, "warning", width)


def _view(result: Result) -> str:
    if result.view == HIGH_WORD:
        return ", the high word alone"
    if result.view != WHOLE:
        return ", the high word of a 64-bit value"
    return ""


def place(reading: Reading) -> str:
    """Return ``[hi:lo]``, or ``[bit]`` for a single one."""
    return f"[{reading.hi}]" if reading.hi == reading.lo else f"[{reading.hi}:{reading.lo}]"


def raw_text(reading: Reading) -> str:
    """Return the raw number in hexadecimal of the field's width; binary with ``?`` where it is partly known."""
    if not reading.complete:
        return f"0b{reading.binary()}" if reading.known else "?"
    return f"0x{reading.bits:0{(reading.field.width + 3) // 4}x}"


def value_text(reading: Reading) -> str:
    """Return the value with its unit, ``?`` where it is not known; nothing for reserved bits and constants."""
    codec = reading.field.codec
    if isinstance(codec, Reserved | Fixed):
        return ""
    return codec.text(reading.bits, reading.by) if reading.settled else "?"


def _row(reported: Reported, key: str, context: Context) -> list[Span]:
    reading = reported.fields[key]
    constant = reading.field.constant
    style = "error" if reading.contradicts else "dim" if constant else ""
    return [
        (place(reading), "dim"),
        (key, style or "key"),
        (raw_text(reading), style or "raw"),
        (value_text(reading), style or "value"),
        (meaning(reported.candidate.kind, dict(reported.fields), key, context), style),
    ]


def _several(result: Result, context: Context, bits: bool, width: int | None, boxes: bool) -> Iterator[Line]:
    first = result.candidates[0]
    shape = [(reading.field.key, reading.hi, reading.lo) for reading in first.fields.values()]
    alike = all(
        [(reading.field.key, reading.hi, reading.lo) for reading in each.fields.values()] == shape
        and each.candidate.bits == first.candidate.bits
        for each in result.candidates
    )
    if alike:
        if bits:
            yield from diagram(first.candidate.kind, dict(first.fields), boxes)
        yield from columns(_merged(result, context), width)
    for each in result.candidates:
        own = [finding for finding in each.findings if finding not in result.findings]
        if alike and not own:
            continue
        yield []
        yield [("as ", ""), (each.candidate.id, "heading"), (f"  {each.candidate.kind.title}", "dim")]
        if not alike:
            if bits:
                yield from diagram(each.candidate.kind, dict(each.fields), boxes)
            yield from columns([_row(each, key, context) for key in each.fields], width)
        yield from finding_lines(tuple(own), width)
    if not alike:
        yield []
    yield from finding_lines(result.findings, width)
    yield [("verdict: ", "heading"), *_open_verdict(result)]


def _merged(result: Result, context: Context) -> list[list[Span]]:
    """One row a field; where the readings differ, one row a reading, labelled."""
    rows = []
    for key in result.candidates[0].fields:
        cells = [_row(each, key, context) for each in result.candidates]
        if all(cell == cells[0] for cell in cells):
            rows.append(cells[0])
            continue
        for index, (each, cell) in enumerate(zip(result.candidates, cells, strict=True)):
            name = each.candidate.kind.mma_kind or each.candidate.id
            cell[-1] = (f"as {name}: {cell[-1][0]}", cell[-1][1])
            rows.append(cell if not index else [("", ""), ("", ""), ("", ""), *cell[3:]])
    return rows


def finding_lines(findings: tuple[Finding, ...], width: int | None) -> Iterator[Line]:
    """Yield what the rules found: each with its name, what it probably means, what to do and the source."""
    for finding in findings:
        prefix: Line = [(finding.severity, finding.severity), (" ", ""), (finding.rule, "heading"), (": ", "")]
        yield from indented(prefix, finding.message, "", width)
        for label, text in (("likely", finding.likely), ("do", finding.fix), ("source", finding.source)):
            if text:
                yield from indented([(f"  {label}: ", "dim")], text, "dim" if label == "source" else "", width)


def counted(findings: tuple[Finding, ...]) -> str:
    """Return ``1 error, 2 warnings``; empty for none."""
    parts = []
    for severity in RANK:
        count = sum(finding.severity == severity for finding in findings)
        if count:
            parts.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(parts)


def verdict(findings: tuple[Finding, ...], known: int, width: int) -> Line:
    """Return what the findings come to, in words."""
    severities = {finding.severity for finding in findings}
    if ERROR in severities:
        line = [("not sound", "error"), (f": {counted(findings)}", "")]
    elif WARNING in severities:
        line = [("doubtful", "warning"), (f": {counted(findings)}", "")]
    elif NOTE in severities:
        line = [("sound", "good"), (f": {counted(findings)}", "")]
    else:
        line = [("sound", "good"), (": nothing found", "")]
    if known.bit_count() < width:
        line.append((f" in the {known.bit_count()} of {width} bits that are known", ""))
    return line


def _open_verdict(result: Result) -> Line:
    if not result.identified.fit:
        return [("not sound", "error"), (" in any reading", "")]
    parts: Line = [("open", "warning"), (": ", "")]
    for index, each in enumerate(result.candidates):
        findings = tuple(finding for finding in each.findings)
        parts += [(", " if index else "", ""), (f"{each.candidate.id} ", "")]
        parts += verdict(findings, result.known, result.width)[:1]
    return parts


def diagram(kind: Kind, fields: dict[str, Reading], boxes: bool = False) -> Iterator[Line]:
    """Yield the bits of each 32-bit word, most significant left, with flags to the field names."""
    bar, corner, dash = "│└─" if boxes else "|`-"
    for top in range(kind.table.width - 1, 0, -WORD):
        low = top - WORD + 1
        here = [reading for reading in reversed(fields.values()) if low <= reading.lo <= top]
        groups = [reading.binary() for reading in here]
        yield [(f"bits {top}..{low}", "dim")]
        bits: Line = [("  ", "")]
        starts = []
        at = 2
        for reading, group in zip(here, groups, strict=True):
            starts.append(at)
            bits += [(group, _paint(reading)), (" ", "")]
            at += len(group) + 1
        yield bits
        end = at + 1
        for index in range(len(here) - 1, -1, -1):
            line: Line = []
            position = 0
            for start in starts[:index]:
                line.append((" " * (start - position) + bar, "dim"))
                position = start + 1
            line.append((" " * (starts[index] - position), ""))
            line.append((corner + dash * (end - starts[index]), "dim"))
            line += [(" ", ""), (here[index].field.key, _paint(here[index])), (f" {raw_text(here[index])}", "raw")]
            yield line
    yield []


def _paint(reading: Reading) -> str:
    if reading.contradicts:
        return "error"
    return "dim" if reading.field.constant else "key"
