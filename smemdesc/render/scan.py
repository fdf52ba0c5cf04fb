"""The view of a function in ``scan``: its distinct descriptors, and what is wrong with them.

A dump may have thousands of functions, so the view uses lines beside labels: tables take twenty times as long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from smemdesc.descriptors.readings import bare_value
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import listed_words, many, more, printable
from smemdesc.instructions.mma import Judge, command
from smemdesc.layout.strides import NICK
from smemdesc.reading.text import digits
from smemdesc.render.descriptor import (
    OPERAND_TITLES,
    descriptor_rows,
    digits_of,
    head_text,
    known_addresses,
    stride_texts,
)
from smemdesc.render.diagnostics import STYLES
from smemdesc.render.parts import as_view, beside, labeled, line
from smemdesc.render.scan_lines import lost, message
from smemdesc.scanning.model import Forms, Function, MapChange, Provided, ScannedMma, ScannedOperand, TextValue
from smemdesc.scanning.model.shared_memory import SharedMemoryPicture
from smemdesc.scanning.results.function_names import AS_THEY_ARE, Names
from smemdesc.scanning.results.report import FoldedFinding, ReportRow, Starts, counted_instructions, describe_setters
from smemdesc.scanning.results.selection import Choice

_START = "start_address"
_MANY = 8
"""At most this many lines are listed; the others are counted."""
_PAIR = 2
"""At most this many lines are listed of what a row of the shared memory says."""
_FEW = 4
"""At most this many start addresses are listed, the last of them in any case."""


@as_view
def function_view(
    function: Function,
    rows: list[ReportRow],
    every: bool = False,
    names: Names = AS_THEY_ARE,
    judge: Judge | None = None,
) -> Iterator[RenderableType]:
    """One function: its distinct sets of descriptors; ``every``: also each instruction."""
    of = function
    first = of.mmas[0]
    others = Counter(mma.instruction.family for mma in of.mmas if not mma.instruction.is_mma)
    counts = [counted_instructions(len(of.mmas) - others.total(), others)]
    line_of = () if first.printed else (f"line {of.line}",)
    where = ", ".join(filter(None, (printable(of.member), *line_of, of.format, first.arch, *counts)))
    yield Text()
    yield Text(names(of.name), "heading", no_wrap=True, overflow="ignore")
    yield line(("  " + where, "faint"))
    if of.name is None:
        yield line(
            (
                "  The function may begin earlier: code above the text and jumps into it are unknown. Paste all of it.",
                "faint",
            )
        )
    if of.forms is not None:
        yield from _forms(of.forms)
    if of.tensor_memory is not None:
        yield labeled("tensor memory", str(of.tensor_memory))
        if every and of.tensor_memory.unknown:
            yield labeled("not judged", f"the place or size in tensor memory of {of.tensor_memory.not_judged}")
    if of.shared is not None:
        yield from _shared_memory(of.shared, every)
    judge = judge or Judge()
    for row in rows:
        yield from _row(row, judge)
        if every:
            for mma in row.mmas:
                yield _instruction(mma, row)
                typed = command(mma.model, judge if row.findings else None)
                if typed:
                    yield _typed("        ", typed)


def _shared_memory(memory: SharedMemoryPicture, every: bool) -> Iterator[RenderableType]:
    """Yield where the tiles lie, what writes and what reads each, and the barriers; not ``every``: in a few lines."""
    rows = [
        *(
            (
                tile.operand.upper(),
                f"{tile.at}, {tile.size} B",
                _written(tile.copies, tile.box),
                f"read {_in(tile.reads)}",
            )
            for tile in memory.tiles
        ),
        *(
            (
                "barrier",
                f"{barrier.at}, expects {' or '.join(map(str, barrier.expected)) or '?'} B",
                _in(barrier.lines),
                f"copies {_in(barrier.copies)}" if barrier.copies else "no copy is known to name it",
            )
            for barrier in memory.barriers
        ),
        *(("slot", f"{slot.at}, of tcgen05.alloc", _in((slot.line,))) for slot in memory.slots),
        *(("not judged", reason) for reason in memory.not_judged),
        *(
            (f"map {number}", each.name, each.box or "a parameter: --map gives it")
            for number, each in enumerate(memory.maps)
        ),
    ]
    yield line(("  shared memory", "heading"))
    shown = rows if every or len(rows) < _MANY else rows[: _MANY - 2]
    wide = max(len(label) for label, *_ in rows)
    for label, *texts in shown:
        yield beside(line("    ", (f"{label:{wide}}  ", "key")), printable("; ".join(texts)))
    if len(shown) < len(rows):
        yield line((f"    and {len(rows) - len(shown)} more: --all lists them", "faint"))


def _written(lines: Sequence[int], box: str) -> str:
    """Return which lines copy a tile, and what each copies."""
    if not lines:
        return "no copy of it is known"
    return f"copied {_in(lines)}{f': {box}' if box else ''}"


def _in(lines: Sequence[int]) -> str:
    return f"in line{'s' if len(lines) > 1 else ''} {listed_words(list(map(str, lines)), _PAIR)}"


def _forms(forms: Forms) -> Iterator[RenderableType]:
    """Yield what is known in each form of a kernel, and where the forms differ."""
    texts = []
    for form in forms.forms:
        wrong = ((form.errors, "error"), (form.warnings, "warning"))
        counts = [many(count, what) for count, what in wrong if count]
        texts.append(", ".join([f"{form.name} {form.known} of {form.operands}", *counts]))
    text = "descriptors known in " + "; ".join(texts) + ("" if forms.differ else "; they agree")
    yield labeled("forms", (text, "" if forms.differ else "good"))
    for operand, fields in forms.differences:
        by_digits: dict[str, list[str]] = {}
        for name, several in fields:
            shown = ", ".join(digits(reading.bits, reading.known, reading.kind.table.width) for reading in several)
            by_digits.setdefault(shown, []).append(name)
        text = "; ".join(f"{shown} in {', '.join(names)}" for shown, names in by_digits.items())
        yield labeled(f"{OPERAND_TITLES[operand]} differs", (text, "error"), indent=4)


def _row(row: ReportRow, judge: Judge) -> Iterator[RenderableType]:
    places = [mma.exact_place or str(mma.line) for mma in row.mmas]
    listed = ", ".join(places if len(places) <= _MANY else [*places[: _MANY - 1], f"... {places[-1]}"])
    noun = "at" if row.mmas[0].exact_place else "line" if len(places) == 1 else "lines"
    title = f"{len(row.mmas)} x {printable(row.mnemonic)}"
    says = _describe(row)
    yield line("  ", (title, "key"), "  " + says if says else "")
    yield beside("    ", (f"{noun} {listed}{_source(row)}", "faint"))
    results = row.judged.results
    wide = max(map(len, results), default=0)
    hex_wide = max((len(digits_of(result)) for result in results.values()), default=0)
    for name, result in results.items():
        label = line(
            "    ", (f"{OPERAND_TITLES[name]:{wide}}  ", "key"), (f"{digits_of(result):{hex_wide}}  ", "value")
        )
        context = row.judged.context(name)
        starts: Starts | None = row.a if name == "a" else row.b if name == "b" else None
        start = "" if starts is None else f", {_start(starts)}"
        yield beside(label, head_text(name, result, context, row.mmas[0].instruction.copied is not None) + start)
        below = Text(" " * label.cell_len)
        for stride in stride_texts(name, result, context):
            yield beside(below, stride)
        operand: ScannedOperand | None = getattr(row.mmas[0], name)
        unknown = _unknown(result, operand, row.mmas[0].printed)
        if unknown:
            yield beside(below, (unknown, "warning"))
            provided = _provided(name, result, row.mmas)
            if provided:
                yield beside(below, provided)
    in_memory = (address for mma in row.mmas for address in mma.tensor_memory)
    for title, text in known_addresses(in_memory, row.mmas[0].instruction.copied is not None):
        yield beside(line("    ", (f"{title:{wide}}  ", "key")), text)
    findings = sorted(row.findings, key=lambda folded: folded.finding.rank)
    for folded in findings:
        yield from _finding(folded, len(row.mmas))
    # Findings about the starts may be those of another instruction of the row.
    for typed in dict.fromkeys(command(folded.mma.model, judge) for folded in findings):
        if typed:
            yield _typed("    ", typed)


def _typed(margin: str, command: str) -> Text:
    """Return a command as one line, so that it can be copied."""
    return Text(margin + command, "faint", no_wrap=True, overflow="ignore")


def _describe(row: ReportRow) -> str:
    """Return the properties of the MMA that the instruction and its descriptor determine."""
    instruction = row.mmas[0].instruction
    if instruction.family == "wgmma":
        return "A in registers" if instruction.a_from == "registers" else ""
    parts = []
    if row.judged.mma_kind:
        parts.append(f"kind::{row.judged.mma_kind}")
    if instruction.cta_group:
        parts.append(f"cta_group::{instruction.cta_group}")
    if instruction.copied:
        parts.append(f"reads {instruction.copied[0]} rows of {instruction.copied[1] // 8} B")
    if instruction.a_from == "tmem":
        parts.append("A in tensor memory")
    return ", ".join(parts)


def _source(row: ReportRow) -> str:
    places = list(dict.fromkeys(mma.source for mma in row.mmas if mma.source))
    if not places:
        return ""
    file, line = places[0]
    return f"; from {printable(file)}:{line}{more(len(places), 1)}"


def _start(starts: Starts) -> str:
    if starts.base is None and starts.period == 1:
        return "start not known"
    text = f"0x{starts.first:05x}" + (f" mod 0x{starts.period:x}" if starts.period else "")
    if starts.base is not None:
        text = str(starts.base) + (f" ({text})" if starts.period > 1 else "")
    text = f"start {text}"
    if len(starts.offsets) == 1:
        return text
    shown = [str(offset) for offset in starts.offsets]
    if len(shown) > _FEW:
        shown = [*shown[: _FEW - 1], "...", shown[-1]]
    return f"{text} + {{{', '.join(shown)}}} B"


def _unknown(result: Result, operand: ScannedOperand | None, printed: bool) -> str:
    """Return the unknown fields, and the instruction that lost each."""
    fields = {
        NICK.get(key, key): field.complete
        for key, field in result.fields.items()
        if key != "start_address" and isinstance(field, FieldReading) and not field.field.constant
    }
    unknown = [name for name, complete in fields.items() if not complete]
    if not unknown:
        return ""
    where = "" if operand is None else lost(operand, printed)
    names = "every field" if _MANY < len(unknown) == len(fields) else ", ".join(unknown)
    return f"not known: {names}{f': {where}' if where else ''}"


def _provided(name: str, result: Result, mmas: Sequence[ScannedMma]) -> str:
    """Return the fields of the operand ``name`` that would be known, and under which assumption."""
    operands: list[ScannedOperand | None] = [getattr(mma, name) for mma in mmas]
    assumptions = [operand.provided for operand in operands if operand is not None and operand.provided is not None]
    if not assumptions:
        return ""
    texts = list(dict.fromkeys(_provided_fields(result, assumption) for assumption in assumptions))
    lines = {addition.line: addition.text for of in assumptions for addition in of.additions}
    conditions = ["no jump comes from the missing part"] if any(of.cut for of in assumptions) else []
    if lines:
        first = min(lines)
        change = "change" if len(lines) > 1 else "changes"
        only = f"line {first}: {printable(lines[first])}{more(len(lines), 1)} {change} the start address only"
        conditions.append(only)
    return f"not proven: {' or '.join(filter(None, texts))}, if {' and '.join(conditions)}"


def _provided_fields(result: Result, provided: Provided) -> str:
    """Return the fields that would be known; of many only those that say something, and that all others are 0."""
    texts: dict[str, bool] = {}
    for key, reading in result.candidates[0].kind.table.read(provided.bits, provided.known).items():
        before = result.fields[key]
        if reading.settled and before.value is None and key != _START and not reading.field.constant:
            text = f"{NICK.get(key, key.replace('_', ' '))} {_value(key, reading)}"
            texts[text] = bool(reading.bits) or isinstance(reading.value, str)
    if len(texts) <= _MANY:
        return ", ".join(texts)
    return ", ".join([*(text for text, is_said in texts.items() if is_said), "all others 0"])


def _value(key: str, reading: FieldReading) -> str:
    if reading.value is None:
        return f"code {reading.raw}"
    return f"{bare_value(reading)} B" if key in NICK else bare_value(reading)


def _finding(folded: FoldedFinding, of: int) -> Iterator[RenderableType]:
    finding = folded.finding
    times = f" (in {folded.times} of {of})" if folded.times < of else ""
    name = (f"{finding.severity} {finding.rule}", finding.severity)
    yield beside("    ", name, f": {message(folded.operand, finding)}{times}")
    for label, advice in finding.advice:
        yield labeled(label, printable(advice), indent=6)
    if folded.setters:
        yield labeled("set in", printable(describe_setters(folded.setters, folded.mma.printed)), indent=6)


def _instruction(mma: ScannedMma, row: ReportRow) -> RenderableType:
    words = [
        f"{OPERAND_TITLES[name]} {digits(operand.bits, operand.known, result.width)}"
        for name, operand, result in descriptor_rows(mma, row.judged)
    ]
    return beside((f"      {mma.exact_place or mma.line}: ", "label"), f"{printable(mma.text)}  {'  '.join(words)}")


@as_view
def maps_view(changes: Sequence[MapChange], names: Names = AS_THEY_ARE) -> Iterator[RenderableType]:
    """What instructions change in tensor maps: the fields of each map of a function."""
    if not changes:
        return
    yield Text()
    yield line(("tensor maps", "heading"))
    maps: dict[tuple[str, str | None, str], list[MapChange]] = {}
    for change in changes:
        maps.setdefault((change.member, change.function, change.map), []).append(change)
    for (member, function, address), of in maps.items():
        lines = sorted({change.line for change in of})
        where = f"{'lines' if len(lines) > 1 else 'line'} {listed_words(lines, _MANY)}"
        name = "".join(f"{part}, " for part in (printable(member), names(function) if function else "") if part)
        yield line("  ", (name + printable(address), "key"), (f"  {where}", "faint"))
        yield beside("    ", "; ".join(dict.fromkeys(map(str, of))))


@as_view
def text_values_view(values: Sequence[TextValue], choice: Choice) -> Iterator[RenderableType]:
    """Values in other text that may be descriptors, each with what is found in it."""
    if not values:
        return
    yield Text()
    cells = [(f"{value.line}:{value.column}", printable(value.text)) for value in values]
    wide = [max(len(row[at]) for row in cells) for at in range(2)]
    styles = ("faint", "value")
    for row, possible in zip(cells, values, strict=True):
        label = Text("  ")
        for cell, width, style in zip(row, wide, styles, strict=True):
            label.append(f"{cell:{width}}  ", style)
        meanings: dict[str, list[str]] = {}
        for reading in possible.readings:
            meanings.setdefault(reading.says, []).append(reading.id)
        texts = "; or ".join(f"{' or '.join(ids)}: {says}" for says, ids in meanings.items())
        verdict = possible.result.verdict
        yield beside(label, f"{texts}: ", (verdict, STYLES[verdict]))
        for finding in choice.of_value(possible):
            if finding.because:
                continue
            name = (f"{finding.severity} {finding.rule}", finding.severity)
            yield beside(" " * (label.cell_len + 2), name, f": {message(None, finding)}")
