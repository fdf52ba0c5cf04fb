"""A layout's text explained: the descriptor of each step, or why it has none and what works."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START, address_bits
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.rules.base import Finding
from smemdesc.tiles.cute import read_cute
from smemdesc.tiles.reading import LAYOUT_FORMS, LayoutText, Options
from smemdesc.tiles.refusing import Refusal, refusal, remarks, unwritten_swizzle
from smemdesc.tiles.solving import LayoutSolution, Solution, solve_layout
from smemdesc.tiles.tile import forbids, illegal_error
from smemdesc.tiles.tma import read_tma
from smemdesc.tiles.triton import read_triton


class Explanation(NamedTuple):
    """The meaning of a text, and its descriptors."""

    solution: Solution
    refusal: Refusal | None
    """Why there is no descriptor; None if there is one."""
    notes: tuple[str, ...]

    @property
    def source(self) -> LayoutText:
        """The text and its readings."""
        return self.solution.source

    @property
    def answers(self) -> tuple[LayoutSolution, ...]:
        """The readings that have descriptors: those that an instruction reads, else the others."""
        return self.solution.answers or self.solution.illegal

    @property
    def settled(self) -> bool:
        """Whether all readings have the same descriptors."""
        return len({tuple(step.fit.value for step in answer.steps) for answer in self.answers}) == 1

    @property
    def disputed(self) -> str:
        """The options that would leave one reading; empty if there is one."""
        if self.settled or not self.answers:
            return ""
        modes = {answer.first.operand.mode.name for answer in self.answers}
        majors = {answer.first.operand.major for answer in self.answers}
        readings = ", ".join(
            f"{answer.first.operand.major}-major {answer.first.operand.mode.name} 0x{answer.first.value:016x}"
            + (f" ({answer.reading.label})" if answer.reading.label else "")
            for answer in self.answers
        )
        options = [f"--swizzle {'|'.join(sorted(modes))}"] * (len(modes) > 1)
        options += ["--major K|MN"] * (len(majors) > 1)
        return f"{len(self.answers)} readings fit: {readings}; choose one with {' and '.join(options)}"

    @property
    def warning(self) -> str:
        """What has to hold for the descriptors of a text without a swizzle; empty if it has one."""
        modes = list(dict.fromkeys(filter(None, map(unwritten_swizzle, self.answers))))
        swizzle = f"the {modes[0]} swizzle" if len(modes) == 1 else "the swizzle of the descriptor"
        return (
            f"the text has no swizzle: it has a descriptor only if the data are written with {swizzle}" if modes else ""
        )

    @property
    def reason(self) -> str:
        """Why there is no descriptor, or not one; empty if there is."""
        return self.refusal.reason if self.refusal is not None else self.disputed

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: ``descriptor`` is null if none exists, or if several readings fit."""
        answer = self.answers[0] if self.settled else None
        return {
            "text": self.source.text,
            "kind": self.solution.kind.name,
            "dtype": self.source.dtype.name,
            "descriptor": f"0x{answer.first.value:016x}" if answer else None,
            "mode": answer.first.operand.mode.name if answer else None,
            "major": answer.first.operand.major if answer else None,
            "reason": self.reason or None,
            "nearest": self.refusal.nearest if self.refusal else None,
            "readings": [answer.to_dict() for answer in self.answers],
            "notes": [*filter(None, [self.warning]), *self.notes],
        }

    def findings(self, answer: LayoutSolution) -> tuple[Finding, ...]:
        """Return the findings about the steps, each once; that a whole is no single operand is reported elsewhere."""
        quiet = ("tile-and-box", "one-instruction")
        return tuple(
            dict.fromkeys(
                finding for step in answer.steps for finding in step.fit.findings if finding.rule not in quiet
            )
        )

    def context(self, answer: LayoutSolution, arch: str | None = None) -> Context:
        """Return the case of one of the steps."""
        first = answer.first.operand
        return NOTHING._replace(dtype=self.source.dtype, major=first.major, shape=first.shape, arch=arch)

    def one(self, *, force: bool = False) -> LayoutSolution:
        """Return the one reading. :class:`smemdesc.engine.errors.SmemdescError` says why none fits, or that
        several fit.

        :class:`smemdesc.engine.errors.IllegalError` if no instruction reads it, unless ``force``.
        """
        if self.refusal is not None:
            raise self.refusal.error(self.source.text)
        if not self.settled:
            message, _, hint = self.disputed.rpartition("; ")
            raise SmemdescError(message, hint=hint)
        answer = self.answers[0]
        if not answer.legal and not force:
            first = next(finding for step in answer.steps for finding in step.fit.findings if forbids(finding))
            raise illegal_error(first, "", "; --force encodes it anyway")
        return answer


def explain_text(
    text: str,
    kind: str = "tcgen05",
    ask: Options = Options(),  # noqa: B008 (a NamedTuple is immutable)
    *,
    mma: tuple[int, int] | None = None,
    at: tuple[int, int] | None = None,
    arch: str | None = None,
) -> Explanation:
    """Return the descriptors of ``kind`` for a layout's text (CuTe, Triton, a TMA box).

    ``mma``: MN x K of one operand, a descriptor for each step of it; ``at``: (mn, k) of a single operand; both in
    elements. :class:`smemdesc.engine.errors.SmemdescError` points at what cannot be read.
    """
    row = kind_of(kind, arch=arch).table.row(START)
    solution = solve_layout(
        read_layout(text, ask._replace(address_bits=address_bits(row))), kind, mma=mma, at=at, arch=arch
    )
    why = None if solution.answers or solution.illegal else refusal(solution, at)
    return Explanation(solution, why, remarks(solution))


def read_layout(text: str, ask: Options = Options()) -> LayoutText:  # noqa: B008 (a NamedTuple is immutable)
    """Return a layout's meaning. :class:`smemdesc.engine.errors.SmemdescError` points at what cannot be read."""
    source = _read(text, ask)
    for reading in source.readings:
        memory = reading.buffer
        size = memory.mn.size * memory.k.size * memory.bits // 8
        if size > WINDOW:
            raise SmemdescError(
                f"a layout of {memory.mn.size}x{memory.k.size} elements has {size} B, more than shared memory",
                given=text,
                span=(0, len(text.rstrip())),
                hint="print the shared-memory tensor, one stage or all of them",
            )
    return source


def _read(text: str, ask: Options) -> LayoutText:
    if not text.strip():
        raise SmemdescError("an empty text is not a layout", hint=f"forms: {LAYOUT_FORMS}")
    if re.match(r"\s*(?:box|swizzle|dtype|interleave)\s*=", text):
        return read_tma(text, ask)
    if re.search("nvmma_shared|shared_linear|memdesc|NVMMASharedLayout|SharedLinearLayout|offset *= *\\d+ *->", text):
        return read_triton(text, ask)
    encoding = re.search(r"#(?:ttg|triton_gpu)\.(\w+)", text)
    if encoding is not None:
        raise SmemdescError(
            f"{encoding[1]} is not a layout that an MMA reads from shared memory",
            given=text,
            span=encoding.span(),
            hint="tcgen05 and wgmma read #ttg.nvmma_shared",
        )
    return read_cute(text, ask)
