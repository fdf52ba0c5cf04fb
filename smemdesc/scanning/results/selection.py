"""Selects instructions of a scan, and the architecture for which they are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import Judged
from smemdesc.kinds.archs import FAMILIES, RENAMED
from smemdesc.kinds.kind import kind_of
from smemdesc.rules.base import NOTE, Finding
from smemdesc.scanning.model import Function, Part, ScannedMma, TextValue, joined
from smemdesc.scanning.results.tensor_memory import tensor_memory_of

if TYPE_CHECKING:
    from smemdesc.scanning.inputs.files import ChunkResult

SEVERITIES = ("error", "warning", "note")


def rules_in(text: str) -> tuple[str, ...]:
    """Read names of rules and severities, separated by commas.

    :class:`smemdesc.engine.errors.SmemdescError` for an unknown one.
    """
    from difflib import get_close_matches

    from smemdesc.explanations.catalog import rule_names

    known = (*SEVERITIES, *rule_names())
    words = tuple(word.strip().lower() for word in text.split(",") if word.strip())
    for word in words:
        if word not in known:
            near = get_close_matches(word, known, 1)
            hint = f"did you mean {near[0]}?" if near else "smemdesc explain lists the rules"
            raise SmemdescError(f"unknown rule {word!r}", hint=hint, keyword="only")
    if not words:
        raise SmemdescError("no rule is named", hint="name a rule, or error, warning, note", keyword="only")
    return words


def place_in(text: str) -> tuple[str, int]:
    """Read a place in a function as compute-sanitizer (``gemm+0x100``) and cuda-gdb (``<gemm+256>``) print it: the
    name, and bytes from its start.

    :class:`smemdesc.engine.errors.SmemdescError` for other text.
    """
    name, _, offset = text.strip("<>").rpartition("+")
    try:
        return name, int(offset, 0) if name and "-" not in offset else int("")
    except ValueError:
        raise SmemdescError(f"{text!r} is not a place in a function", hint="for example gemm+0x100") from None


class Choice(NamedTuple):
    """The selection; by default everything, with the architectures of the dump."""

    kind: str | None = None
    """Only instructions with a descriptor of this kind."""
    only: frozenset[str] = frozenset()
    """Only instructions with findings of these rules (or severities)."""
    arch: str | None = None
    """The architecture of code that names none, or names a family that contains this one."""
    at: int | None = None
    """Only instructions at this offset from the start of their function, in bytes."""

    def of(self, function: Function, judge: Judge) -> tuple[Part, list[str]]:
        """Return the function with the selected instructions, if it has any; and contradicting architectures.

        :attr:`Part.looked` also counts instructions without findings of :attr:`only`: they passed the check.
        """
        mmas, against = [], []
        unversioned = is_unversioned(function)
        looked = known = partly = informed = 0
        for mma in function.mmas:
            arch = self.arch_of(mma)
            if arch is None:
                against.append(mma.arch or "")
            elif arch and arch != mma.arch:
                mma = mma._replace(arch=arch)
            if unversioned:
                mma = mma._replace(unversioned=True)
            if (self.kind is not None and not has_kind(mma, self.kind)) or self.at not in (None, mma.offset):
                continue
            looked += 1
            is_access = mma.instruction.accessed is not None  # its address is known, or it were not here
            informed += is_access or any(
                operand is not None and operand.known for operand in (mma.a, mma.b, mma.idesc, mma.mask)
            )
            if self.only:
                judged = judge.judge(mma.model)
                wholes = set(map(is_whole, judged.results.values()))
                known += is_access or wholes == {True}
                partly += wholes == {True, False}
                if not self.shown_findings(judged):
                    continue
            mmas.append(mma)
        function = function._replace(mmas=tuple(mmas))
        if function.allocations and not self.narrows:
            function = function._replace(tensor_memory=tensor_memory_of(function, judge))
        functions = (function,) if mmas else ()
        return Part(functions, looked=looked, known=known, partly=partly, informed=informed), against

    def arch_of(self, mma: ScannedMma) -> str | None:
        """Return the architecture that an instruction is checked for (empty if unknown); None if two contradict."""
        if self.arch is None or mma.arch is None:
            return self.arch or mma.arch or ""
        return self.arch if belongs(self.arch, mma.arch) else None

    def shown_findings(self, judged: Judged) -> tuple[tuple[str | None, Finding], ...]:
        """Return the findings that are shown and counted."""
        if not self.only:
            return judged.findings
        return tuple(
            finding for finding in judged.findings if finding[1].rule in self.only or finding[1].severity in self.only
        )

    def of_value(self, value: TextValue) -> tuple[Finding, ...]:
        """Return the findings of a value in other text that are shown and counted."""
        findings = value.result.findings
        if not self.only:
            return tuple(finding for finding in findings if finding.severity != NOTE)
        return tuple(finding for finding in findings if finding.rule in self.only or finding.severity in self.only)

    def fails(self, findings: Iterable[Finding], strict: bool) -> bool:
        """Whether findings have an error; ``strict``: or a warning."""
        return any(finding.severity in SEVERITIES[: 2 if strict else 1] for finding in findings)

    @property
    def narrows(self) -> bool:
        """Whether only some instructions are selected."""
        return bool(self.only) or self.at is not None or self.kind is not None

    def takes(self, value: TextValue) -> bool:
        """Whether a value in other text is selected."""
        return (
            self.at is None
            and (self.kind is None or any(reading.kind == self.kind for reading in value.readings))
            and (not self.only or bool(self.of_value(value)))
        )


WHOLE_DUMP = Choice()
"""The selection of every instruction."""


def select(
    results: Iterable[ChunkResult], choice: Choice, judge: Judge, report: Callable[[Exception, str], None]
) -> Iterator[ChunkResult]:
    """Yield the selected functions and values of ``results``.

    ``report`` is called with each problem (input that could not be read or checked; code for another architecture, once
    per file) and its place, which is empty if the message contains it.
    """
    from smemdesc.scanning.inputs.files import OTHERS

    reported: set[tuple[str, str]] = set()
    unread: set[str] = set()
    """Files and folders with parts that could not be read."""
    started = False
    for result in results:
        if result.problem is not None:
            unread.update((result.name, result.folder))
            report(result.problem, "")
            if result.last and not started:
                continue
        maps = () if choice.narrows else result.part.maps
        parts = [result.part._replace(functions=(), maps=maps, values=tuple(filter(choice.takes, result.part.values)))]
        for function in result.part.functions:
            try:
                part, against = choice.of(function, judge)
            except Exception as error:
                report(error, f"{result.name}:{function.line}")
                continue
            parts.append(part)
            for arch in against:
                if (result.name, arch) not in reported:
                    reported.add((result.name, arch))
                    message = f"{result.name}:{function.line}: code for {arch}, but --arch is {choice.arch}"
                    hint = f"it is checked for {arch}; choose functions with --function, or omit --arch"
                    report(SmemdescError(message, hint=hint), "")
        is_cut = result.name.removesuffix(OTHERS) in unread
        note = ", ".join(filter(None, (result.note, "parts could not be read (see the errors)" if is_cut else "")))
        started = not result.last
        yield result._replace(part=joined(parts), note=note)


def is_unversioned(function: Function) -> bool:
    """Whether the version is known in a tcgen05 descriptor of compiled code, and 0 in every one where it is known."""
    if function.is_source:
        return False
    version = kind_of("tcgen05").table.masks["version"]
    blackwell = (mma for mma in function.mmas if mma.instruction.family == "tcgen05")
    operands = [operand for mma in blackwell for operand in (mma.a, mma.b) if operand is not None]
    if any(operand.bits & operand.known & version for operand in operands):
        return False
    return any(operand.known & version == version for operand in operands)


def has_kind(mma: ScannedMma, kind: str) -> bool:
    """Whether an instruction has a descriptor of a kind, or an address of tensor memory."""
    if kind == "tmem":
        return bool(mma.tensor_memory)
    if kind in ("idesc", "mask"):
        return getattr(mma, kind) is not None
    matrix = "wgmma" if mma.instruction.family == "wgmma" else "tcgen05"
    return kind == matrix and (mma.a is not None or mma.b is not None)


def belongs(target: str, origin: str) -> bool:
    """Whether code for ``origin`` may be checked for ``target``: the same architecture, or a member of its family."""
    target, origin = (RENAMED.get(arch, arch) for arch in (target, origin))
    return target.rstrip("af") == origin.rstrip("af") or target in FAMILIES.get(origin, ())


def is_whole(result: Result | None) -> bool:
    """Whether swizzle and SBO of a shared-memory descriptor, or all bits of any other descriptor, are known."""
    if result is None:
        return False
    table = result.candidates[0].kind.table
    masks = table.masks
    mask = masks["swizzle"] | masks["stride_byte_offset"] if "swizzle" in masks else table.full
    return result.known & mask == mask
