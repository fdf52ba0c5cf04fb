"""What ``scan`` shows: a summary of each file, then the distinct descriptors of each function.

A dump may have thousands of functions: lines beside labels, no tables, which cost twenty times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.case import Context
from smemdesc.decoding import Result
from smemdesc.explain import meaning, summary
from smemdesc.fields import Reading
from smemdesc.findings.base import RANK
from smemdesc.mma import OPERANDS, Judge, command
from smemdesc.printable import printable
from smemdesc.render.parts import Beside, beside, labelled, line, many
from smemdesc.scan.folding import Row, Said, Starts, Tally, fold
from smemdesc.scan.model import Function, Mma, Operand, Part, Value
from smemdesc.strides import NICK
from smemdesc.values import digits

_TITLES = {"a": "A", "b": "B", "idesc": "idesc", "mask": "mask"}
_MANY = 8
"""Lines, or starts, that are listed before the rest is counted."""


class Overview(NamedTuple):
    """The summary of one file; ``wanted`` is the pattern that functions' names were to fit."""

    name: str
    tally: Tally
    wanted: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        tally = self.tally
        name = "standard input" if self.name == "-" else self.name
        head = line((printable(name), "value"), "  " if name else "")
        if self.wanted is not None and not tally.functions:
            yield beside(head, (f"no function is named {printable(self.wanted)}", "warning"))
            return
        yield beside(head, (_summary(tally), "heading"))
        if tally.older:
            counts = ", ".join(f"{count} {name}" for name, count in sorted(tally.older.items()))
            yield labelled("without descriptors", counts)
        if tally.unknown:
            yield labelled("not known", (unread(tally.unknown), "warning"))
        if tally.operands:
            parts = []
            for kind in ("wgmma", "tcgen05", "idesc", "mask"):
                if tally.operands[kind]:
                    share = _percent(100 * tally.known[kind] / tally.bits[kind])
                    what = "swizzle and SBO" if kind in ("wgmma", "tcgen05") else "all"
                    parts.append(f"{kind} {what} in {tally.whole[kind]} of {tally.operands[kind]}, {share} of the bits")
            yield labelled("resolved", "; ".join(parts) + "; ignoring start addresses")
            if tally.rules:
                ordered = sorted(tally.rules.items(), key=lambda each: (RANK[each[0][0]], -each[1], each[0][1]))
                texts = [f"{severity} {rule} x {count}" for (severity, rule), count in ordered]
                yield labelled("findings", (", ".join(texts), ordered[0][0][0]))
            else:
                yield labelled("findings", ("none", "good"))
        if tally.odd:
            yield labelled("not understood", (many(tally.odd, "line"), "warning"))


def unread(names: Iterable[str]) -> str:
    """Say which dialects and operations of MLIR are not known here."""
    dialects = sorted(name for name in names if "." not in name)
    operations = sorted(name for name in names if "." in name)
    parts = []
    if dialects:
        said = ", ".join(map(clean, dialects))
        several = len(dialects) > 1
        what = f"MLIR of dialect{'s' if several else ''} {said}"
        parts.append(f"{what}: {'their' if several else 'its'} tensor-core instructions are not known here")
    if operations:
        parts.append(f"MLIR operations that are not known here: {', '.join(map(clean, operations))}")
    return "; ".join(parts)


def _summary(tally: Tally) -> str:
    if not tally.with_mmas and (not tally.functions or tally.values):
        if tally.values:
            return f"no tensor-core instruction; {many(tally.values, 'value')} that may be a descriptor"
        return "no tensor-core instruction, and no value that looks like a descriptor"
    text = f"{many(tally.functions, 'function')}, {tally.with_mmas} with MMAs: {many(tally.mmas, 'MMA')}"
    if tally.copies:
        text += f" and {tally.copies} tcgen05.cp"
    if tally.mmas or tally.copies:
        text += f", {many(len(tally.descriptors), 'distinct descriptor')}, ignoring start addresses"
    return text


def _percent(share: float) -> str:
    return "100%" if share == 100 else f"{min(share, 99.9):.1f}%"


def clean(text: str) -> str:
    """Return text of a dump with what would move the cursor replaced."""
    return (
        text
        if text.isprintable()
        else "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    )


class FunctionView(NamedTuple):
    """One function: its distinct sets of descriptors; ``every``: each instruction, too."""

    function: Function
    rows: list[Row]
    every: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        of = self.function
        first = of.mmas[0]
        where = ", ".join(filter(None, (f"line {of.line}", of.format, first.arch, many(len(of.mmas), "MMA"))))
        yield Text()
        yield Text(clean(of.name or "(no function header)"), "heading", no_wrap=True, overflow="ignore")
        yield line(("  " + where, "faint"))
        if of.name is None:
            yield line(
                ("  The text has no beginning: what came before it, and what jumps into it, is not known.", "faint")
            )
        for row in self.rows:
            yield from _row(row)
            if self.every:
                for mma in row.mmas:
                    yield _instruction(mma, row)
                    typed = command(mma.model)
                    if typed:
                        yield _typed("        ", typed)


def _row(row: Row) -> Iterator[RenderableType]:
    lines = [str(mma.line) for mma in row.mmas]
    listed = ", ".join(lines if len(lines) <= _MANY else [*lines[: _MANY - 1], f"... {lines[-1]}"])
    title = f"{len(row.mmas)} x {clean(row.mnemonic)}"
    says = _says(row)
    yield line("  ", (title, "key"), "  " + says if says else "")
    yield beside("    ", (f"{'line' if len(lines) == 1 else 'lines'} {listed}{_source(row)}", "faint"))
    results = {name: result for name in OPERANDS if (result := getattr(row.judged, name)) is not None}
    wide = max(map(len, results), default=0)
    hex_wide = max((len(_hex(result)) for result in results.values()), default=0)
    for name, result in results.items():
        context = row.judged.contexts[0 if name == "a" else 1] if name in ("a", "b") else Context()
        label = line("    ", (f"{_TITLES[name]:{wide}}  ", "key"), (f"{_hex(result):{hex_wide}}  ", "value"))
        yield Beside(label, Text(descriptor_text(name, result, context)))
        below = Text(" " * label.cell_len)
        starts: Starts | None = row.a if name == "a" else row.b if name == "b" else None
        if starts is not None:
            yield Beside(below, Text(_start(starts)))
        operand: Operand | None = getattr(row.mmas[0], name)
        gone = _lost(name, result, operand)
        if gone:
            yield Beside(below, Text(gone, "warning"))
    for said in sorted(row.findings, key=lambda each: RANK[each.finding.severity]):
        yield _finding(said, len(row.mmas))
    typed = command(row.mmas[0].model)
    if typed:
        yield _typed("    ", typed)


def _typed(margin: str, command: str) -> Text:
    """Return a command in one piece, so that it can be copied."""
    return Text(margin + command, "faint", no_wrap=True, overflow="ignore")


def _says(row: Row) -> str:
    """Return what the instruction and its descriptor say of the MMA."""
    instruction = row.mmas[0].instruction
    if instruction.family == "wgmma":
        if instruction.a_from == "registers":
            return "A in registers"
        return ""
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


def _source(row: Row) -> str:
    places = list(dict.fromkeys(mma.source for mma in row.mmas if mma.source))
    if not places:
        return ""
    file, line = places[0]
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"; from {clean(file)}:{line}{more}"


def _hex(result: Result) -> str:
    only = result.candidates[0].candidate
    start = only.kind.table.masks.get("start_address", 0)
    return digits(result.value & ~start, result.known & ~start, result.width)


def descriptor_text(name: str, result: Result, context: Context) -> str:
    """Return what a descriptor says in one line; A and B without their start address."""
    if not result.settled:
        names = " or ".join(f"kind::{each.mma_kind}" for each in result.candidates)
        return f"{names}: {_fields(result)}"
    candidate = result.candidates[0].candidate
    fields = dict(result.candidates[0].fields)
    if name not in ("a", "b"):
        return summary(candidate.kind, fields)
    words = [_swizzle(fields["swizzle"])]
    words += [f"{context.major}-major"] if context.major else []
    words += [context.dtype.name] if context.dtype else []
    words += [f"{context.shape[0]}x{context.shape[1]}"] if context.shape else []
    if fields["base_offset"].raw:
        words.append(f"base offset {fields['base_offset'].raw}")
    parts = [" ".join(words)]
    for key, nick in (("leading_byte_offset", "LBO"), ("stride_byte_offset", "SBO")):
        said = meaning(candidate.kind, fields, key, context) if fields[key].settled else f"{nick} ?"
        if said.startswith(f"{nick} has no effect here"):
            said = f"{nick} {fields[key].value} B, no effect"
        parts.append(said if said.startswith(nick) else f"{nick} {fields[key].value} B: {said}")
    return "; ".join(parts)


def _swizzle(field: Reading) -> str:
    if not field.settled:
        return "swizzle ?"
    return f"undefined swizzle code {field.raw}" if field.value is None else str(field.value)


def _fields(result: Result) -> str:
    return ", ".join(
        f"{key} {field.value}" for key, field in result.fields.items() if field.value not in (None, False, 0)
    )


def _start(starts: Starts) -> str:
    if starts.period == 1:
        return "start not known"
    if starts.period:
        text = (
            f"start {starts.first} B past a multiple of {starts.period} B"
            if starts.first
            else (f"start at a multiple of {starts.period} B")
        )
    else:
        text = f"start {starts.first} B"
    if len(starts.offsets) == 1:
        return text
    shown = [f"+{each // 16}" for each in starts.offsets[:_MANY]]
    if len(starts.offsets) > _MANY:
        shown.append(f"... +{starts.offsets[-1] // 16}")
    step = f": {starts.step} B each" if starts.step else " x 16 B"
    return f"{text}, {', '.join(shown)}{step}"


def _lost(name: str, result: Result, operand: Operand | None) -> str:
    """Say which fields are not known, and which instruction lost them."""
    gone = [
        NICK.get(key, key)
        for key, field in result.fields.items()
        if key != "start_address" and isinstance(field, Reading) and not field.complete and not field.field.constant
    ]
    if not gone:
        return ""
    if operand is not None and operand.lost:
        where = f": lost in line {operand.lost}: {clean(operand.lost_text)}"
    else:
        where = ": nothing in this text sets it" if operand is not None and not operand.known else ""
    return f"not known: {', '.join(gone)}{where}"


def _finding(said: Said, of: int) -> RenderableType:
    operand, finding, times = said
    text = f"{_TITLES[operand]}: {finding.message}" if operand else finding.message
    if finding.likely:
        text += f"; probably: {finding.likely}"
    if finding.fix:
        text += f"; fix: {finding.fix}"
    if times < of:
        text += f" (in {times} of {of})"
    return beside(line("    ", (f"{finding.severity} {finding.rule}", finding.severity), "  "), text)


def _instruction(mma: Mma, row: Row) -> RenderableType:
    words = []
    for name in OPERANDS:
        operand: Operand | None = getattr(mma, name)
        result: Result | None = getattr(row.judged, name)
        if operand is not None and result is not None:
            words.append(f"{_TITLES[name]} {digits(operand.bits, operand.known, result.width)}")
    return beside((f"      {mma.line}: ", "label"), f"{clean(mma.text)}  {'  '.join(words)}")


class Values(NamedTuple):
    """The values of other text that may be descriptors."""

    found: Sequence[Value]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if not self.found:
            return
        yield Text()
        cells = [(f"{each.line}:{each.column}", clean(each.text), each.id, each.sure) for each in self.found]
        wide = [max(len(row[at]) for row in cells) for at in range(4)]
        styles = ("faint", "value", "key", "")
        for row, each in zip(cells, self.found, strict=True):
            label = Text("  ")
            for cell, width, style in zip(row, wide, styles, strict=True):
                label.append(f"{cell:{width}}  ", style)
            yield Beside(label, Text(each.why))


class PartView:
    """A scanned file: its summary and its functions, with what else may be a descriptor."""

    def __init__(self, part: Part, name: str = "", wanted: str | None = None, every: bool = False) -> None:
        judge = Judge()
        self.tally = Tally()
        self.tally.take(part)
        functions = []
        for function in part.functions:
            rows = fold(function, judge)
            self.tally.add(function, rows)
            functions.append(FunctionView(function, rows, every))
        self.views: tuple[RenderableType, ...] = (Overview(name, self.tally, wanted), *functions, Values(part.values))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from self.views
