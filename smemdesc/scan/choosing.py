"""Which of the instructions that a scan finds are wanted, and for which architecture they are judged."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.findings.base import Finding
from smemdesc.kinds.archs import FAMILIES, RENAMED
from smemdesc.mma import Judge, Judged
from smemdesc.scan.model import Function, Mma, Part, Value

SEVERITIES = ("error", "warning", "note")


class Conflict(NamedTuple):
    """Functions of an architecture for which they cannot be judged: that which was asked for is another."""

    line: int
    """Of the first."""
    arch: str
    """What the dump says."""


class Choice(NamedTuple):
    """What was asked for; nothing: everything, as the dump says."""

    kind: str | None = None
    """Only instructions with a descriptor of this kind."""
    only: frozenset[str] = frozenset()
    """Only instructions in which one of these rules (or severities) finds something."""
    arch: str | None = None
    """The architecture of code that does not say its own, or says a family that this one belongs to."""

    def part(self, part: Part, judge: Judge) -> tuple[Part, int, list[Conflict]]:
        """Return what is wanted of a part, how many instructions were looked at, and what is of another architecture.

        Looked at is what :attr:`only` was asked of: an instruction without these findings has passed.
        """
        if self == _ALL:
            return part, sum(len(of.mmas) for of in part.functions), []
        conflicts: dict[str, Conflict] = {}
        functions: list[Function] = []
        looked = 0
        for function in part.functions:
            mmas = []
            for mma in function.mmas:
                arch = self.arch_of(mma)
                if arch is None:
                    assert mma.arch is not None
                    conflicts.setdefault(mma.arch, Conflict(function.line, mma.arch))
                elif arch and arch != mma.arch:
                    mma = mma._replace(arch=arch)
                if self.kind is not None and not has_kind(mma, self.kind):
                    continue
                looked += 1
                if not self.only or self.told(judge.judge(mma.model)):
                    mmas.append(mma)
            if mmas:
                functions.append(function._replace(mmas=tuple(mmas)))
        values = tuple(each for each in part.values if self._takes(each))
        return part._replace(functions=tuple(functions), values=values), looked, list(conflicts.values())

    def arch_of(self, mma: Mma) -> str | None:
        """Return the architecture that an instruction is judged for (empty: not known); None where two contradict."""
        if self.arch is None or mma.arch is None:
            return self.arch or mma.arch or ""
        return self.arch if belongs(self.arch, mma.arch) else None

    def told(self, judged: Judged) -> tuple[tuple[str | None, Finding], ...]:
        """Return the findings that are shown and counted."""
        if not self.only:
            return judged.told
        return tuple(each for each in judged.told if each[1].rule in self.only or each[1].severity in self.only)

    def fails(self, judged: Judged, strict: bool) -> bool:
        """Whether an error is among them; ``strict``: or a warning."""
        grave = SEVERITIES[: 2 if strict else 1]
        return any(each.severity in grave for _, each in self.told(judged))

    def _takes(self, value: Value) -> bool:
        return not self.only and self.kind in (None, value.id.partition(":")[0])


_ALL = Choice()


def has_kind(mma: Mma, kind: str) -> bool:
    """Whether an instruction has a descriptor of a kind."""
    if kind in ("idesc", "mask"):
        return getattr(mma, kind) is not None
    matrix = "wgmma" if mma.instruction.family == "wgmma" else "tcgen05"
    return kind == matrix and (mma.a is not None or mma.b is not None)


def belongs(asked: str, said: str) -> bool:
    """Whether code that says an architecture may be judged for another: the same one, or a member of its family."""
    asked, said = (RENAMED.get(each, each) for each in (asked, said))
    return asked.rstrip("af") == said.rstrip("af") or asked in FAMILIES.get(said, ())
