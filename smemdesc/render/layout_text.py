"""A layout's text explained, and an operand in the notations of others: views, and their JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.case import Context
from smemdesc.layout.explaining import Explanation
from smemdesc.layout.operand import Operand
from smemdesc.layout.solving import Answer
from smemdesc.layout.text import cute_text, dsl_tensor_text, tma_box, triton_encoding, triton_shape
from smemdesc.layout.tile import Tile
from smemdesc.render.lines import Line, Span, columns, indented
from smemdesc.strides import strides_of


class Notation(NamedTuple):
    """A layout in one notation."""

    key: str
    name: str
    text: str


def notations(what: Tile | Operand) -> list[Notation]:
    """Return an operand or a tile as CuTe (C++ and DSL), Triton and TMA write it, as far as each of them can."""
    found = []
    texts = (("cute", "CuTe", cute_text(what)), ("cute_dsl", "CuTe DSL", dsl_tensor_text(what)))
    found += [Notation(key, name, text) for key, name, text in texts if text is not None]
    for side in ("a", "b"):
        encoding, shape = triton_encoding(what, side), triton_shape(what, side)
        if encoding is not None and shape is not None:
            words = f"{encoding} of {shape[0]}x{shape[1]}"
            found.append(Notation(f"triton_{side}", f"Triton {side.upper()}", words))
    box = tma_box(what)
    if box is not None:
        copies = f"{box.copies} cop{'ies' if box.copies > 1 else 'y'} of {box.bytes} B"
        found.append(Notation("tma", "TMA", f"{box} ({copies}, {box.tma_swizzle})"))
    return found


def notation_lines(what: Tile | Operand, width: int | None) -> Iterator[Line]:
    """Yield the notations, a line each."""
    for each in notations(what):
        yield from indented([(f"  {each.name}:".ljust(13), "dim")], each.text, "", width)


def notation_dict(what: Tile | Operand) -> dict[str, Any]:
    """Return the notations as an object; null where a notation has no word for it."""
    box = tma_box(what)
    tma = box and {
        "box": list(box.box),
        "swizzle": box.swizzle,
        "interleave": box.interleave,
        "copies": box.copies,
        "bytes": box.bytes,
        "data_type": box.data_type,
    }
    return {
        "cute": cute_text(what),
        "cute_dsl": dsl_tensor_text(what),
        "triton": {side: triton_encoding(what, side) for side in ("a", "b")},
        "tma": tma or None,
    }


def explanation_lines(found: Explanation, width: int | None) -> Iterator[Line]:
    """Yield what a text says and the descriptors of each reading, or why there is none."""
    source = found.source
    mn, k = source.readings[0].memory.shape
    yield [
        (source.notation, "heading"),
        (f" layout of {mn}x{k} {source.dtype.name} for {found.solution.kind.title}", ""),
    ]
    if found.refusal is not None:
        why = found.refusal
        yield from indented([("  no descriptor: ", "error")], why.reason, "", width)
        yield from _caret(source.text, why.span)
        if why.hint:
            yield from indented([("  hint: ", "dim")], why.hint, "", width)
        yield from indented([("  nearest: ", "dim")], why.nearest, "value", width)
    for answer in found.answers:
        yield from _answer(found, answer, width)
    if found.disputed:
        yield from indented([("  ", "")], found.disputed, "warning", width)
    for note in found.notes:
        yield from indented([("  note: ", "note")], note, "", width)


def _caret(text: str, span: tuple[int, int]) -> Iterator[Line]:
    if "\n" in text:
        return
    first, last = span
    yield [("    ", ""), (text, "")]
    yield [("    " + " " * first, ""), ("^" * max(1, last - first), "error")]


def _answer(found: Explanation, answer: Answer, width: int | None) -> Iterator[Line]:
    operand = answer.first.operand
    mode = f"{operand.major}-major, {operand.mode.name}"
    label = f" ({answer.reading.label})" if answer.reading.label else ""
    yield [("  mode: ".ljust(13), "dim"), (mode, "value"), (label, "dim")]
    if not operand.absolute:
        case = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
        pair = zip(strides_of(operand.mode.name, operand.major, case), (operand.lbo, operand.sbo), strict=True)
        for stride, size in pair:
            yield from indented([("  ".ljust(13), "")], stride.explain(size), "", width)
    yield from notation_lines(operand, width)
    several = len(answer.steps) > 1
    rows: list[list[Span]] = []
    for step in answer.steps:
        where = f"mn {step.mn}, k {step.k}" if several else "descriptor"
        rows.append(
            [
                ("  " + where, "dim"),
                (f"0x{step.fit.value:016x}", "value"),
                (f"at 0x{step.fit.operand.start:05x}", "raw"),
            ]
        )
    yield from columns(rows, width)
    for finding in answer.first.findings:
        if finding.severity != "note":
            text = f"{finding.message} [{finding.rule}]"
            yield from indented([(f"  {finding.severity}: ", finding.severity)], text, "", width)


def explanation_dict(found: Explanation) -> dict[str, Any]:
    """Return an explanation as an object: ``descriptor`` is null where there is none, or where several readings fit."""
    settled = found.settled
    answer = found.answers[0] if settled else None
    return {
        "text": found.source.text,
        "kind": found.solution.kind.name,
        "dtype": found.source.dtype.name,
        "descriptor": f"0x{answer.first.value:016x}" if answer else None,
        "mode": answer.first.operand.mode.name if answer else None,
        "major": answer.first.operand.major if answer else None,
        "reason": found.reason or None,
        "nearest": found.refusal.nearest if found.refusal else None,
        "readings": [_reading(each) for each in found.answers],
        "notes": list(found.notes),
    }


def _reading(answer: Answer) -> dict[str, Any]:
    operand = answer.first.operand
    return {
        "label": answer.reading.label or None,
        "mode": operand.mode.name,
        "major": operand.major,
        "legal": answer.legal,
        "leading_byte_offset": operand.lbo,
        "stride_byte_offset": operand.sbo,
        "steps": [{"mn": step.mn, "k": step.k, "descriptor": f"0x{step.fit.value:016x}"} for step in answer.steps],
    }
