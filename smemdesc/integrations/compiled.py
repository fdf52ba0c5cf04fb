"""A kernel as a Python compiler holds it in memory, checked: the findings, each with its line of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import many, printable

if TYPE_CHECKING:
    from smemdesc.scanning.model import ScannedMma
    from smemdesc.scanning.results.report import FoldedFinding, ReportRow

_MARKS = ("wgmma.mma_async", "tcgen05.mma", "tcgen05.cp", "gdesc[", "UTCCP")


class DescriptorError(SmemdescError):
    """A compiled kernel has findings, and the check is strict."""


class PythonLine(NamedTuple):
    """A line of Python."""

    file: str
    line: int
    caller: PythonLine | None = None
    """Where the function of this line was called, if it was inlined there."""

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}"


class CompiledFinding(NamedTuple):
    """An error or a warning; as text it is what a compiler prints, with lines of advice."""

    place: PythonLine | None
    message: str
    """``severity: rule: message``."""
    details: tuple[str, ...]

    def __str__(self) -> str:
        return "\n  ".join((f"{self.place or 'smemdesc'}: {self.message}", *self.details))


class Checked(NamedTuple):
    """The result of checking a kernel."""

    mmas: int = 0
    """How many tensor-core instructions were checked."""
    known: int = 0
    """How many of them have descriptors that are all known well enough for most rules."""
    findings: tuple[CompiledFinding, ...] = ()
    unread: tuple[str, ...] = ()
    """Tensor-core instructions that were not understood, and so not checked."""


def has_mmas(text: str) -> bool:
    """Whether PTX or SASS may have a tensor-core instruction that reads a descriptor."""
    return any(mark in text for mark in _MARKS)


def check(text: str, name: str, defined: PythonLine | None = None) -> Checked:
    """Check a kernel's PTX, or its SASS as ``nvdisasm -g -c`` prints it.

    ``name`` is the name of the kernel, ``defined`` its definition: the place of findings without line information.
    """
    if not has_mmas(text):
        return Checked()
    from smemdesc.api.scanning import scan
    from smemdesc.instructions.mma import Judge
    from smemdesc.scanning.results.report import fold
    from smemdesc.scanning.results.selection import Choice, is_whole

    part = scan(text + "\n")
    places = [place or defined for place in _places(text)]
    judge, choice = Judge(), Choice(only=frozenset(("error", "warning")))
    mmas = known = 0
    findings: dict[CompiledFinding, None] = {}
    for function in part.functions:
        at: dict[PythonLine | None, list[ScannedMma]] = {}
        for mma in function.mmas:
            at.setdefault(places[mma.line - 1], []).append(mma)
        for place, group in at.items():
            for row in fold(function._replace(mmas=tuple(group)), judge, choice):
                mmas += len(row.mmas)
                known += len(row.mmas) * all(map(is_whole, row.judged.results.values()))
                for folded in row.findings:
                    message, *details = _lines_of(folded, row, places, name)
                    findings[CompiledFinding(place, message, tuple(details))] = None
    unread = (f"{places[line - 1] or 'smemdesc'}: {reason} (kernel {name})" for line, reason in part.failed)
    return Checked(mmas, known, tuple(findings), tuple(unread))


def findings_error(name: str, checked: Checked) -> DescriptorError:
    """Return the findings of a kernel as an error."""
    count = many(len(checked.findings), "finding")
    return DescriptorError("\n".join((f"{count} in the descriptors of the kernel {name}", *map(str, checked.findings))))


def sass_of(cubin: bytes, nvdisasm: str) -> str:
    """Return the SASS of a cubin, with its lines of source."""
    from smemdesc.scanning.inputs.binaries import programs

    return b"".join(programs.disassembled(nvdisasm, cubin, (), ("-g",))).decode("utf-8", "replace")


def _lines_of(folded: FoldedFinding, row: ReportRow, places: list[PythonLine | None], name: str) -> Iterator[str]:
    from smemdesc.render.scan_lines import message

    finding, mma = folded.finding, folded.mma
    place = places[mma.line - 1]
    yield f"{finding.severity}: {finding.rule}: {message(folded.operand, finding)}"
    for label, advice in finding.advice:
        yield f"{label}: {printable(advice)}"
    for setter in folded.setters:
        by = places[setter.line - 1]
        yield f"set in: {f'{by}: ' if by and by != place else ''}{printable(setter.text)}"
    if place and place.caller:
        yield f"called from: {place.caller}"
    many = f", {folded.times} of {len(row.mmas)} instructions" if len(row.mmas) > 1 else ""
    yield f"in: kernel {name}{f', {mma.arch}' if mma.arch else ''}{many}: {printable(row.mnemonic)}"


_LOC = re.compile(r"\s*+\.loc\s++(\d{1,9})\s++(\d{1,9})")
_CALLER = re.compile(r"inlined_at\s++(\d{1,9})\s++(\d{1,9})")
_FILE = re.compile(r'\s*+//## File "([^"]*+)", line (\d{1,9})')
_BEGINS = (".entry", ".func", ".section")


def _places(text: str) -> Iterator[PythonLine | None]:
    """Yield for each line of PTX or SASS the line of Python that it was compiled from: for inlined code, the innermost.

    Inline assembly is from the line of its call: LLVM counts its lines on from there, wherever its text is written.
    """
    from smemdesc.scanning.languages.ptx.text import read_declarations

    files = read_declarations(text.encode()).files

    def python_line(match: re.Match[str] | None, caller: PythonLine | None = None) -> PythonLine | None:
        file, line = (files.get(int(match[1])), int(match[2])) if match else (None, 0)
        return PythonLine(file, line, caller) if file and line else None

    place = None
    inline = False
    for line in text.split("\n"):
        if "inline asm" in line:
            inline = "// begin" in line
        elif ".loc" in line and (match := _LOC.match(line)):
            if not inline:
                place = python_line(match, python_line(_CALLER.search(line)))
        elif "//##" in line and (match := _FILE.match(line)):
            place = PythonLine(match[1], int(match[2]))
        elif any(begin in line for begin in _BEGINS):
            place = None
        yield place
    yield place
