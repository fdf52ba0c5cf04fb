"""Which of the instructions that a scan finds are wanted, and for which architecture they are judged."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.descriptors.result import Result
from smemdesc.instructions.mma import OPERANDS, Judge, Judged
from smemdesc.kinds.archs import FAMILIES, RENAMED
from smemdesc.rules.base import Finding
from smemdesc.scanning.model import Function, Mma, Part, Value

SEVERITIES = ("error", "warning", "note")


class Conflict(NamedTuple):
    """Functions of an architecture for which they cannot be judged: that which was asked for is another."""

    line: int
    """Of the first."""
    arch: str
    """What the dump says."""


class Looked(NamedTuple):
    """Instructions that were looked at, with or without findings."""

    instructions: int = 0
    known: int = 0
    """Of how many all descriptors are known well enough for the rules, where only some findings are wanted."""

    def __add__(self, other: Looked) -> Looked:  # type: ignore[override]
        return Looked(self.instructions + other.instructions, self.known + other.known)


class Choice(NamedTuple):
    """What was asked for; nothing: everything, as the dump says."""

    kind: str | None = None
    """Only instructions with a descriptor of this kind."""
    only: frozenset[str] = frozenset()
    """Only instructions in which one of these rules (or severities) finds something."""
    arch: str | None = None
    """The architecture of code that does not say its own, or says a family that this one belongs to."""
    at: int | None = None
    """Only instructions so many bytes behind the start of their function."""

    def part(self, part: Part, judge: Judge) -> tuple[Part, Looked, list[Conflict]]:
        """Return what is wanted of a part, what was looked at for it, and what is of another architecture.

        Looked at is what :attr:`only` was asked of: an instruction without these findings has passed.
        """
        if self == _ALL:
            return part, Looked(sum(len(of.mmas) for of in part.functions)), []
        conflicts: dict[str, Conflict] = {}
        functions: list[Function] = []
        looked = known = 0
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
                if self.at is not None and mma.offset != self.at:
                    continue
                looked += 1
                if not self.only:
                    mmas.append(mma)
                    continue
                judged = judge.judge(mma.model)
                operands = [result for name in OPERANDS if (result := getattr(judged, name)) is not None]
                known += bool(operands) and all(map(is_whole, operands))
                if self.told(judged):
                    mmas.append(mma)
            if mmas:
                functions.append(function._replace(mmas=tuple(mmas)))
        values = tuple(each for each in part.values if self._takes(each))
        return part._replace(functions=tuple(functions), values=values), Looked(looked, known), list(conflicts.values())

    def arch_of(self, mma: Mma) -> str | None:
        """Return the architecture that an instruction is judged for (empty: not known); None where two contradict."""
        if self.arch is None or mma.arch is None:
            return self.arch or mma.arch or ""
        return self.arch if belongs(self.arch, mma.arch) else None

    def told(self, judged: Judged) -> tuple[tuple[str | None, Finding], ...]:
        """Return the findings that are shown and counted."""
        if not self.only:
            return judged.findings
        return tuple(each for each in judged.findings if each[1].rule in self.only or each[1].severity in self.only)

    def fails(self, judged: Judged, strict: bool) -> bool:
        """Whether an error is among them; ``strict``: or a warning."""
        grave = SEVERITIES[: 2 if strict else 1]
        return any(each.severity in grave for _, each in self.told(judged))

    def _takes(self, value: Value) -> bool:
        return not self.only and self.at is None and self.kind in (None, value.id.partition("@")[0].partition(":")[0])


_ALL = Choice()


def has_kind(mma: Mma, kind: str) -> bool:
    """Whether an instruction has a descriptor of a kind, or an address of tensor memory."""
    if kind == "tmem":
        return bool(mma.tensor_memory)
    if kind in ("idesc", "mask"):
        return getattr(mma, kind) is not None
    matrix = "wgmma" if mma.instruction.family == "wgmma" else "tcgen05"
    return kind == matrix and (mma.a is not None or mma.b is not None)


def belongs(asked: str, said: str) -> bool:
    """Whether code that says an architecture may be judged for another: the same one, or a member of its family."""
    asked, said = (RENAMED.get(each, each) for each in (asked, said))
    return asked.rstrip("af") == said.rstrip("af") or asked in FAMILIES.get(said, ())


def is_whole(result: Result | None) -> bool:
    """Whether swizzle and SBO of a shared-memory descriptor are known, all bits of another one."""
    if result is None:
        return False
    table = result.candidates[0].kind.table
    masks = table.masks
    wanted = masks["swizzle"] | masks["stride_byte_offset"] if "swizzle" in masks else table.full
    return result.known & wanted == wanted
