"""What ``scan`` prints: a summary of each file, then the distinct descriptors of each function."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.case import Context
from smemdesc.decoding import Result
from smemdesc.explain import meaning, summary
from smemdesc.fields import Reading
from smemdesc.findings.base import RANK
from smemdesc.render.lines import Line, columns, indented
from smemdesc.scan.folding import Row, Said, Starts, Tally
from smemdesc.scan.judging import OPERANDS
from smemdesc.scan.model import Function, Mma, Operand, Value
from smemdesc.strides import NICK

_TITLES = {"a": "A", "b": "B", "idesc": "idesc", "mask": "mask"}
_MANY = 8
"""Lines, or starts, that are listed before the rest is counted."""


def overview(name: str, tally: Tally, wanted: str | None, width: int | None) -> Iterator[Line]:
    """Yield the summary of one file; ``wanted`` is the pattern that functions' names were to fit."""
    head: Line = [("standard input" if name == "-" else name, "value"), ("  ", "")]
    if wanted is not None and not tally.functions:
        yield from indented(head, f"no function is named {wanted}", "warning", width)
        return
    older = ", ".join(f"{count} {name}" for name, count in sorted(tally.older.items()))
    if not tally.with_mmas and (not tally.functions or tally.values):
        if tally.values:
            text = f"no tensor-core instruction; {_count(tally.values, 'value')} that may be a descriptor"
        else:
            text = "no tensor-core instruction, and no value that looks like a descriptor"
        yield from indented(head, text, "heading", width)
        yield from _older(older, width)
        return
    text = f"{_count(tally.functions, 'function')}, {tally.with_mmas} with MMAs: {_count(tally.mmas, 'MMA')}"
    if tally.copies:
        text += f" and {_count(tally.copies, 'tcgen05.cp')}"
    if tally.mmas or tally.copies:
        text += f", {_count(len(tally.descriptors), 'distinct descriptor')} (start addresses aside)"
    yield from indented(head, text, "heading", width)
    yield from _older(older, width)
    if tally.operands:
        parts = []
        for kind in ("wgmma", "tcgen05", "idesc", "mask"):
            if tally.operands[kind]:
                share = _percent(100 * tally.known[kind] / tally.bits[kind])
                what = "swizzle and SBO" if kind in ("wgmma", "tcgen05") else "all"
                parts.append(f"{kind} {what} in {tally.whole[kind]} of {tally.operands[kind]}, {share} of the bits")
        yield from indented([("  known: ", "dim")], "; ".join(parts) + " (start addresses aside)", "", width)
        if tally.rules:
            ordered = sorted(tally.rules.items(), key=lambda each: (RANK[each[0][0]], -each[1], each[0][1]))
            texts = [f"{severity} {rule} x {count}" for (severity, rule), count in ordered]
            style = ordered[0][0][0]
            yield from indented([("  findings: ", "dim")], ", ".join(texts), style, width)
        else:
            yield [("  findings: ", "dim"), ("none", "good")]
    if tally.odd:
        yield from indented([("  not understood: ", "dim")], _count(tally.odd, "line"), "warning", width)


def _older(text: str, width: int | None) -> Iterator[Line]:
    if text:
        yield from indented([("  without descriptors: ", "dim")], text, "", width)


def _percent(share: float) -> str:
    return "100%" if share == 100 else f"{min(share, 99.9):.1f}%"


def clean(text: str) -> str:
    """Return text of a dump with what would move the cursor replaced."""
    return (
        text
        if text.isprintable()
        else "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 or what.endswith(".cp") else f"{number} {what}s"


def function(of: Function, rows: list[Row], width: int | None, every: bool = False) -> Iterator[Line]:
    """Yield one function: its distinct sets of descriptors; ``every``: each instruction, too."""
    first = of.mmas[0]
    where = ", ".join(filter(None, (f"line {of.line}", of.format, first.arch, _count(len(of.mmas), "MMA"))))
    yield []
    yield from indented([], clean(of.name or "(no function header)"), "heading", None)
    yield [("  " + where, "dim")]
    if of.name is None:
        yield [("  The text has no beginning: what came before it, and what jumps into it, is not known.", "dim")]
    for row in rows:
        yield from _row(row, width)
        if every:
            for mma in row.mmas:
                yield from _instruction(mma, row, width)


def _row(row: Row, width: int | None) -> Iterator[Line]:
    lines = [str(mma.line) for mma in row.mmas]
    listed = ", ".join(lines if len(lines) <= _MANY else [*lines[: _MANY - 1], f"... {lines[-1]}"])
    title = f"{len(row.mmas)} x {clean(row.mnemonic)}"
    says = _says(row)
    yield [("  ", ""), (title, "key"), ("  " + says if says else "", "")]
    yield from indented(
        [("    ", "")], f"{'line' if len(lines) == 1 else 'lines'} {listed}{_source(row)}", "dim", width
    )
    table = []
    for name in OPERANDS:
        result: Result | None = getattr(row.judged, name)
        if result is None:
            continue
        context = row.judged.contexts[0 if name == "a" else 1] if name in ("a", "b") else Context()
        table.append(
            [("    " + _TITLES[name], "key"), (_hex(result), "value"), (_descriptor(name, result, context), "")]
        )
        starts: Starts | None = row.a if name == "a" else row.b if name == "b" else None
        if starts is not None:
            table.append([("", ""), ("", ""), (_start(starts), "")])
        operand: Operand | None = getattr(row.mmas[0], name)
        gone = _lost(name, result, operand)
        if gone:
            table.append([("", ""), ("", ""), (gone, "warning")])
    yield from columns(table, width)
    for said in sorted(row.findings, key=lambda each: RANK[each.finding.severity]):
        yield from _finding(said, len(row.mmas), width)


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


def digits(bits: int, known: int, width: int) -> str:
    """Write a value in hexadecimal of full width, ``?`` for each digit that is not wholly known."""
    count = width // 4
    pairs = zip(f"{bits:0{count}x}", f"{known:0{count}x}", strict=True)
    return "0x" + "".join(digit if mask == "f" else "?" for digit, mask in pairs)


def _descriptor(name: str, result: Result, context: Context) -> str:
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


def _finding(said: Said, of: int, width: int | None) -> Iterator[Line]:
    operand, finding, times = said
    text = f"{_TITLES[operand]}: {finding.message}" if operand else finding.message
    if finding.likely:
        text += f"; likely {finding.likely}"
    if finding.fix:
        text += f"; {finding.fix}"
    if times < of:
        text += f" (in {times} of {of})"
    prefix: Line = [("    ", ""), (f"{finding.severity} {finding.rule}", finding.severity), ("  ", "")]
    yield from indented(prefix, text, "", width)


def _instruction(mma: Mma, row: Row, width: int | None) -> Iterator[Line]:
    words = []
    for name in OPERANDS:
        operand: Operand | None = getattr(mma, name)
        result: Result | None = getattr(row.judged, name)
        if operand is not None and result is not None:
            words.append(f"{_TITLES[name]} {digits(operand.bits, operand.known, result.width)}")
    yield from indented([(f"      {mma.line}: ", "dim")], f"{clean(mma.text)}  {'  '.join(words)}", "", None)


def values(found: list[Value], width: int | None) -> Iterator[Line]:
    """Yield the values of other text that may be descriptors."""
    if not found:
        return
    yield []
    rows = [
        [
            (f"  {value.line}:{value.column}", "dim"),
            (clean(value.text), "value"),
            (value.id, "key"),
            (value.sure, ""),
            (value.why, ""),
        ]
        for value in found
    ]
    yield from columns(rows, width)
