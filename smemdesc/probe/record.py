"""The answers of a GPU to every question: summed up by claim, and written as lines of JSON."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

from smemdesc._version import __version__
from smemdesc.engine.errors import SmemdescError
from smemdesc.probe.asking import Asker, ask_gpu
from smemdesc.probe.driver import Gpu
from smemdesc.probe.every import CLAIMS, Claim

_MOST_IN_RECORD = 64
"""Elements that differ, of one answer, that are written."""


class ClaimCount(NamedTuple):
    """What came of the questions about a claim."""

    claim: Claim
    holding: int = 0
    contradicted: int = 0
    not_asked: int = 0
    example: str = ""
    """The first question whose answer is not the model's, or why one was not asked."""

    @property
    def verdict(self) -> str:
        """``holds``, ``contradicted`` or ``not asked``."""
        return "contradicted" if self.contradicted else "holds" if self.holding else "not asked"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        claim = {"claim": self.claim.key, "text": self.claim.text, "assumed": self.claim.assumed}
        counts = {"holds": self.holding, "contradicted": self.contradicted, "not_asked": self.not_asked}
        return {**claim, "verdict": self.verdict, **counts, "example": self.example or None}


class Survey:
    """The answers of one GPU so far."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self.lines: list[dict[str, Any]] = []
        """One JSON object for each question."""
        self._counts = {claim.key: ClaimCount(claim) for claim in CLAIMS}

    @property
    def counts(self) -> list[ClaimCount]:
        """One for each claim."""
        return list(self._counts.values())

    @property
    def ok(self) -> bool:
        """Whether no answer contradicts the model."""
        return not any(count.contradicted for count in self.counts)

    def add(self, question: Any, asker: Asker) -> None:
        """Ask a question and count its answer; one that cannot be put is counted as such."""
        own = self._counts[question.claim]
        try:
            answer = ask_gpu(asker, question).answer
        except SmemdescError as error:
            self._counts[question.claim] = own._replace(
                not_asked=own.not_asked + 1, example=own.example or error.option_message
            )
            self.lines.append(
                {"claim": question.claim, "instruction": str(question), "not_asked": error.option_message}
            )
            return
        if answer.holds:
            own = own._replace(holding=own.holding + 1)
        else:
            why = f": {answer.fault.why}" if answer.fault is not None else ""
            own = own._replace(contradicted=own.contradicted + 1, example=own.example or f"{question}{why}")
        self._counts[question.claim] = own
        line = answer.to_dict()
        self.lines.append({"claim": question.claim, **line, "differ": line["differ"][:_MOST_IN_RECORD]})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the GPU and, for each claim, what came of it."""
        return {**self.gpu.to_dict(), "questions": len(self.lines), "claims": [each.to_dict() for each in self.counts]}


def write_record(path: str, survey: Survey) -> None:
    """Write what was asked of a GPU and what it answered: a line about it, then one for each question."""
    head = {**survey.gpu.to_dict(), "smemdesc": __version__, "questions": len(survey.lines)}
    # Without a time and a name in it, the same answers make the same file.
    with Path(path).open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.writelines(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in (head, *survey.lines))


def read_record(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the line about the GPU, and those of the questions. :class:`SmemdescError` for another file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head, *lines = (json.loads(line) for line in file)
    except (OSError, EOFError, ValueError) as problem:
        raise SmemdescError(f"{path}: no record of smemdesc probe --all", hint=str(problem)) from None
    if "chip" not in head or len(lines) != head.get("questions"):
        raise SmemdescError(f"{path}: no complete record of smemdesc probe --all")
    return head, lines
