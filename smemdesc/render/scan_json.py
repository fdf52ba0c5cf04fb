"""The lines of JSON of ``scan``: one for each tensor-core instruction."""

from __future__ import annotations

from json import dumps

from smemdesc.instructions.mma import Judged
from smemdesc.scanning.model import Function, Mma

_CAP = 1_000
"""As many as a judge remembers: a library has thousands, but those next to each other are alike."""


class Lines:
    """Writes instructions as lines; what they share is written once and kept."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Judged, str]] = {}

    def mma(self, file: str, function: Function, mma: Mma, judged: Judged) -> str:
        """Return the line of one instruction, without the newline."""
        head = dumps(
            {"file": function.within(file), "line": mma.line, "function": function.name, "instruction": mma.text}
        )
        return f"{head[:-1]}, {self._shared(judged)}, {dumps(mma.place_dict())[1:]}"

    def _shared(self, judged: Judged) -> str:
        kept = self._kept.get(id(judged))
        if kept is not None:
            return kept[1]
        if len(self._kept) >= _CAP:
            self._kept.clear()
        kind = "wgmma" if judged.instruction.family == "wgmma" else "tcgen05"
        text = dumps({"kind": kind, "mma_kind": judged.mma_kind, **judged.operands_dict()})[1:-1]
        # The judged object is kept with its text: as long as it lives, no other one has its id.
        self._kept[id(judged)] = (judged, text)
        return text
