"""The JSON of ``scan``: one object for each tensor-core instruction, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import ones
from smemdesc.instructions.mma import OPERANDS, Judged
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.text import to_hex
from smemdesc.render.json import as_dict, dumps
from smemdesc.render.mma_json import judged_dict
from smemdesc.render.provided import provided_dict
from smemdesc.scanning.causes import why
from smemdesc.scanning.model import Function, Mma, Operand, Value

_CAP = 1_000
"""As many as a judge remembers: a library has thousands, but those next to each other are alike."""


class Lines:
    """Writes objects as lines; what instructions share is written once and kept."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Judged, str]] = {}

    def mma(self, file: str, function: Function, mma: Mma, judged: Judged) -> str:
        """Return the line of one instruction, without the newline."""
        head = dumps(
            {"file": function.within(file), "line": mma.line, "function": function.name, "instruction": mma.text}
        )
        more: dict[str, Any] = {"source": list(mma.source) if mma.source else None, "arch": mma.arch}
        told: dict[str, dict[str, Any]] = {"from": {}, "lost": {}, "provided": {}}
        for name in OPERANDS:
            operand: Operand | None = getattr(mma, name)
            if operand is not None:
                for key, said in _of(name, operand):
                    told[key][name] = said
        more.update((key, each) for key, each in told.items() if each)
        return f"{head[:-1]}, {self._shared(mma, judged)}, {dumps(more)[1:]}"

    def _shared(self, mma: Mma, judged: Judged) -> str:
        kept = self._kept.get(id(judged))
        if kept is not None:
            return kept[1]
        if len(self._kept) >= _CAP:
            self._kept.clear()
        family = mma.instruction.family
        kind = "wgmma" if family == "wgmma" else "tcgen05"
        said = judged_dict(judged, family)
        text = dumps({"kind": kind, "mma_kind": judged.mma_kind, **said})[1:-1]
        # The judged object is kept with its text: as long as it lives, no other one has its id.
        self._kept[id(judged)] = (judged, text)
        return text


def _of(name: str, operand: Operand) -> Iterator[tuple[str, Any]]:
    """Yield what is told of an operand beside its bits: which lines wrote it, which one lost it, what it is made of."""
    width = 32 if name == "idesc" else 64
    if operand.origins:
        yield "from", _from(operand, width)
    if operand.lost is not None:
        cause = operand.lost_why or why(operand.lost_text)
        yield "lost", {"line": operand.lost, "instruction": operand.lost_text, "why": cause}
    if operand.provided is not None:
        yield "provided", provided_dict(operand.provided, width)


def _from(operand: Operand, width: int) -> list[dict[str, Any]]:
    """Return the lines that wrote bits of an operand, each once."""
    masks: dict[tuple[int, str], int] = {}
    for each in operand.origins:
        key = (each.line, each.text)
        masks[key] = masks.get(key, 0) | each.mask
    return [
        {"line": line, "instruction": text, "mask": to_hex(mask, ones(width), width)}
        for (line, text), mask in masks.items()
    ]


def value_line(file: str, value: Value) -> str:
    """Return the line of a value found in other text."""
    reading, _, variant = value.id.partition("@")
    kind, _, rest = reading.partition(":")
    case = Context(arch=VARIANTS[variant].archs[0]) if variant else NOTHING
    decoded = decode(f"0x{value.bits:0{value.width // 4}x}", kind, rest if kind == "idesc" else None, context=case)
    return dumps(
        {
            "file": file,
            "line": value.line,
            "column": value.column,
            "text": value.text,
            "reading": value.id,
            "sure": value.sure,
            "why": value.why,
            "value": as_dict(decoded),
        }
    )
