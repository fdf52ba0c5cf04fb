"""``smemdesc.scan(kernel)``: a scan from Python, of a kernel in any form; and PTX compared with its SASS."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from smemdesc.api.checking import operand_memory
from smemdesc.api.options import readers
from smemdesc.api.options.keywords import read_options
from smemdesc.engine.display import Immutable, shown
from smemdesc.engine.errors import SmemdescError, as_error, keywords_beside, named
from smemdesc.engine.fields import Frozen
from smemdesc.engine.wording import many
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import Judged, OperandTile
from smemdesc.kinds.names import NAME_STYLES
from smemdesc.reading.quantities import Shape
from smemdesc.rules.base import ERROR, RANK, Finding
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import files
from smemdesc.scanning.inputs.binaries.members import Ask
from smemdesc.scanning.inputs.binaries.programs import MissingError
from smemdesc.scanning.inputs.files import ChunkResult, Source
from smemdesc.scanning.inputs.spool import Spool
from smemdesc.scanning.model import (
    Function,
    MapChange,
    Part,
    ScannedMma,
    TextValue,
    UnknownInstruction,
    Unread,
    joined,
    maps_dict,
    unknown_dict,
    unread_dict,
)
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.results.forms import compare_forms, differing_form, group_stages
from smemdesc.scanning.results.report import Verdict, mma_dict
from smemdesc.scanning.results.selection import Choice, place_in, rules_in, select

if TYPE_CHECKING:
    from smemdesc.scanning.results.agreement import Agreement, CompiledFunction
    from smemdesc.tiles.tensor_map import CopiedBox, Map

_FORMS = ("cubin", "ptx", "llir", "ttgir")
"""The form of a compiled kernel that is scanned: the first that exists. The cubin is what runs."""


class Compiled(Protocol):
    """The interface of Triton's ``CompiledKernel``: its forms by name. The result of ``cute.compile`` is accepted,
    too."""

    @property
    def asm(self) -> Mapping[str, str | bytes]:
        """``cubin`` as bytes; ``ptx``, ``llir`` and ``ttgir`` as text."""
        ...


Kernel = str | bytes | bytearray | memoryview | os.PathLike[str] | Compiled


class Where(NamedTuple):
    """One tensor-core instruction that was found, with its descriptors decoded."""

    file: str
    function: Function
    mma: ScannedMma
    judged: Judged

    @property
    def line(self) -> int:
        """Its line in the file, or in the member of it that ``function.member`` names; from 1."""
        return self.mma.line

    def to_dict(self) -> dict[str, Any]:
        """Return the line of ``smemdesc scan --json``."""
        return mma_dict(self.file, self.function, self.mma, self.judged)


class FoundFinding(NamedTuple):
    """A finding of a rule, with its instruction."""

    where: Where
    operand: str | None
    """``a``, ``b``, ``idesc`` or ``mask``; None: in several."""
    finding: Finding

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return self.finding.severity

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.finding.rule

    @property
    def message(self) -> str:
        """What is wrong."""
        return self.finding.message

    def __str__(self) -> str:
        operand = f"{self.operand}: " if self.operand else ""
        place = f"{self.where.function.within(self.where.file)}:{self.where.line}"
        return f"{place}: {self.severity}: {self.rule}: {operand}{self.message}"


@shown()
class Scan(Immutable):
    """The result of scanning a kernel, a file or several."""

    files: tuple[ChunkResult, ...]
    """Each file with its :class:`~smemdesc.scanning.model.Part`."""
    choice: Choice
    failed: tuple[tuple[int, str], ...]
    """What could not be scanned, or contradicts ``arch``: its line (0 if it has none) and the reason."""
    names: str
    """How function names are shown."""
    memory: Mapping[str, OperandTile | CopiedBox]
    """The tiles and the tensor maps of every instruction."""

    def __init__(
        self,
        files: Iterable[ChunkResult],
        choice: Choice,
        failed: Iterable[tuple[int, str]],
        names: str,
        memory: Mapping[str, OperandTile | CopiedBox],
        judge: Judge,
    ) -> None:
        self.__dict__.update(
            files=tuple(files), choice=choice, failed=tuple(failed), names=names, memory=Frozen(memory), judge=judge
        )

    @property
    def _judge(self) -> Judge:
        judge: Judge = self.__dict__["judge"]
        return judge

    @cached_property
    def _whole(self) -> Part:
        return joined(file.part for file in self.files)

    @cached_property
    def kernels(self) -> tuple[ChunkResult, ...]:
        """What ``smemdesc scan`` shows and counts: the forms of a kernel in a folder are one function, the one with the
        most errors and warnings."""
        pieces: dict[str, list[Part]] = {}
        for piece in group_stages(self.files, self._judge, self.choice):
            pieces.setdefault(piece.name, []).append(piece.part)
        return tuple(ChunkResult(name, joined(parts), 0, True) for name, parts in pieces.items())

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions with tensor-core instructions that were selected."""
        return self._whole.functions

    @property
    def seen(self) -> int:
        """The number of functions, with tensor-core instructions or without."""
        return self._whole.seen

    @property
    def older(self) -> tuple[tuple[str, int], ...]:
        """Tensor-core instructions that take no descriptor (``HMMA``, ``mma.sync``): name and count."""
        return self._whole.older

    @property
    def values(self) -> tuple[TextValue, ...]:
        """Numbers in other text that may be descriptors."""
        return self._whole.values

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Tensor-core instructions that were seen but not read: line, text and reason; ``failed`` has them, too."""
        return self._whole.unread

    @property
    def maps(self) -> tuple[MapChange, ...]:
        """What instructions change in tensor maps: line, field and value."""
        return self._whole.maps

    @property
    def unknown_instructions(self) -> tuple[UnknownInstruction, ...]:
        """Instructions of SASS with unknown names, and how many descriptors and bits are unknown because of them."""
        return self._whole.unknown_instructions

    @cached_property
    def instructions(self) -> tuple[Where, ...]:
        """The tensor-core instructions that were selected, each with its descriptors decoded."""
        return tuple(
            Where(file.name, function, mma, self._judge.judge(mma.model))
            for file in self.files
            for function in file.part.functions
            for mma in function.mmas
        )

    @cached_property
    def findings(self) -> tuple[FoundFinding, ...]:
        """What is wrong with them."""
        return tuple(
            FoundFinding(where, operand, finding)
            for where in self.instructions
            for operand, finding in self.choice.shown_findings(where.judged)
        )

    @property
    def ok(self) -> bool:
        """Whether ``smemdesc scan --check`` exits with 0: all was read, there is an instruction, or a value that other
        text calls a descriptor, and none has an error.

        If ``only`` selects findings, no instruction has to have them.
        """
        if self.failed or not (self._whole.looked or any(value.named for value in self.values)):
            return False
        wrong = any(finding.severity == ERROR for finding in self.findings)
        return not wrong and not any(self.choice.fails(self.choice.of_value(value), False) for value in self.values)

    def __str__(self) -> str:
        counts = Counter(
            finding.severity
            for file in self.kernels
            for function in file.part.functions
            for mma in function.mmas
            for _, finding in self.choice.shown_findings(self._judge.judge(mma.model))
        )
        severities = ", ".join(many(counts[severity], severity) for severity in RANK if counts[severity])
        failed = f"; {many(len(self.failed), 'problem')}" if self.failed else ""
        return f"{joined(file.part for file in self.kernels)}{f', {severities}' if severities else ''}{failed}"

    def to_dict(self) -> dict[str, Any]:
        """Return the lines of ``smemdesc scan --json``, and what ``failed``."""
        return {
            "instructions": [instruction.to_dict() for instruction in self.instructions],
            "values": [value.to_dict(file.name) for file in self.files for value in file.part.values],
            "failed": [list(problem) for problem in self.failed],
            "unread": [unread_dict(file.name, file.part.unread) for file in self.files if file.part.unread],
            "shared_memory": [
                of for file in self.files for each in file.part.functions if (of := each.memory_dict(file.name))
            ],
            "tensor_maps": [maps_dict(file.name, file.part.maps) for file in self.files if file.part.maps],
            "unknown_instructions": [
                unknown_dict(file.name, names) for file in self.files if (names := file.part.unknown_instructions)
            ],
        }


@keywords_beside("kernels")
def scan(
    *kernels: Kernel,
    function: str | None = None,
    at: str | None = None,
    kind: str | None = None,
    only: str | Sequence[str] = (),
    arch: str | None = None,
    a_tile: Shape | None = None,
    b_tile: Shape | None = None,
    a_map: Map | None = None,
    b_map: Map | None = None,
    map: Mapping[str, Map] | None = None,
    names: str = NAME_STYLES[0],
    jobs: int = 1,
    cuda_bin: str | os.PathLike[str] | None = None,
) -> Scan:
    """Find every tensor-core instruction that reads descriptors, and what is known of them.

    Each of ``kernels`` is a path (a dump, a cubin, a library, a folder), text (a ``str`` with a newline in it), bytes
    (a dump, a cubin, a fat binary), or a kernel compiled by Triton or the CuTe DSL, whose cubin is scanned, or its PTX
    if nvdisasm is not found. ``function`` is a pattern for names of functions (``"*gemm*"``), ``at`` a place in one
    (``"gemm+0x100"``, in bytes), ``kind`` a kind of descriptor, ``only`` names of rules or severities: other
    instructions are left out. ``arch`` is the architecture of code that names none. ``a_tile``, ``b_tile``, ``a_map``
    and ``b_map`` are the tiles of A and B in every instruction, and the maps that write them, as in
    :func:`smemdesc.mma`; an instruction that cannot be compared with them has a note. ``map`` has the tensor maps in
    parameters of kernels, by the names or numbers that ``shared.maps`` of a function lists. ``names`` is the form of
    function names in the view: short, full or mangled. ``jobs`` is how many processes work (1: this one), ``cuda_bin``
    the folder of nvdisasm.

    ``failed`` has what could not be scanned. Raises :class:`smemdesc.SmemdescError` if nothing can be scanned, or no
    function has the name.
    """
    if not kernels:
        raise SmemdescError("nothing to scan", hint="give a path, text, bytes or a compiled kernel", keyword="kernels")
    pattern, choice = wanted(function, at, kind, only, arch)
    around = operand_memory(a_tile, b_tile, a_map, b_map, choice.arch)
    maps = given_maps(map)
    ask = _build_ask(pattern, jobs, cuda_bin, choice.arch)._replace(maps=maps)
    failed: list[tuple[int, str]] = []
    parts: dict[str, list[ChunkResult]] = {}
    verdict = Verdict(pattern, choice, check=False, strict=False, maps=maps)
    chunks = verdict.note_maps(chunk for kernel in kernels for chunk in _scan_kernel(kernel, ask))

    def report(error: Exception, where: str) -> None:
        failed.append((0, _problem_text(error, where)))

    judge = Judge(around)
    for chunk in named("kernels", list, select(compare_forms(chunks, judge), choice, judge, report)):
        parts.setdefault(chunk.name, []).append(chunk)
        inside = f"{chunk.name}: " if chunk.folder else ""
        failed += ((line, inside + reason) for line, reason in chunk.part.failed)
        verdict.add(chunk.part)
    unnamed = verdict.nothing_named()
    if unnamed is not None and not failed:
        raise unnamed
    whole = (same_file[-1]._replace(part=joined(chunk.part for chunk in same_file)) for same_file in parts.values())
    shown = readers.read_word("names", names, NAME_STYLES) or NAME_STYLES[0]
    return Scan(whole, choice, failed, shown, around, judge)


@keywords_beside("ptx", "sass")
def agree(
    ptx: Kernel,
    sass: Kernel | None = None,
    *,
    function: str | None = None,
    arch: str | None = None,
    jobs: int = 1,
    cuda_bin: str | os.PathLike[str] | None = None,
) -> Agreement:
    """Compare the MMAs of PTX with the machine code that ptxas generated from it, as ``smemdesc scan --agree`` does.

    Each is what :func:`scan` takes; in two folders, files with the same name without suffix belong together. Without
    ``sass``, the first is a compiled kernel, a folder or a file that has both. The keywords are those of :func:`scan`.

    ``failed`` has what could not be scanned. Raises :class:`smemdesc.SmemdescError` if a file cannot be scanned, only
    one of the two is there, or no function has the name.
    """
    from smemdesc.scanning.results.agreement import CompiledSide, compare_codes, missing_language

    pattern, choice = wanted(function, None, None, (), arch)
    ask = _build_ask(pattern, jobs, cuda_bin, choice.arch, all_ptx=True)
    forms = _forms(ptx) if sass is None else None
    given: list[Kernel] = [ptx] if sass is None else [ptx, sass]
    if forms and len(forms) > 1:
        given = list(forms.values())
    verdict = Verdict(pattern, choice, check=False, strict=False)
    failed: list[tuple[int, str]] = []
    sides: list[list[CompiledFunction]] = []
    for keyword, kernel in zip_longest(("ptx", "sass")[: len(given)], given, fillvalue="sass"):
        path = _path(keyword, kernel) if isinstance(kernel, str | os.PathLike) else ""
        side = CompiledSide(path)
        for chunk in named(keyword, _scan_kernel, kernel, ask):
            if chunk.problem is not None:
                chunk.problem.keywords = chunk.problem.keywords or (keyword,)
                raise chunk.problem
            verdict.add(chunk.part)
            failed += chunk.part.failed
            for of in chunk.part.functions:
                side.add(chunk.name, of)
            side.add_maps(chunk)
        sides.append(side.functions)
    problem = missing_language(sides) or verdict.nothing_named()
    if problem is not None and not failed:
        problem.keywords = problem.keywords or ("ptx", "sass")
        raise problem
    return compare_codes(code for codes in sides for code in codes)._replace(failed=tuple(failed))


def wanted(
    function: str | None, at: str | None, kind: str | None, only: str | Sequence[str], arch: str | None
) -> tuple[str | None, Choice]:
    """Read the options of a selection: return a pattern for names of functions, and the selection.

    :class:`smemdesc.engine.errors.SmemdescError` names the keyword.
    """
    given = {"function": function, "at": at, "kind": kind, "arch": arch}
    values, offset = read_options("scan", given), None
    pattern = values["function"]
    if at is not None:
        if function is not None:
            raise SmemdescError("--at and --function both name a function", hint="give one", keyword=("at", "function"))
        pattern, offset = named("at", place_in, values["at"])
    several = only if isinstance(only, list | tuple) else (only,)
    words = (word for text in several for word in rules_in(readers.read_text("only", text)))
    return pattern, Choice(values["kind"], frozenset(words), values["arch"], offset)


def given_maps(maps: Mapping[str, Map] | None) -> GivenMaps:
    """Return the tensor maps of parameters; :class:`smemdesc.engine.errors.SmemdescError` names the keyword."""
    if not isinstance(maps, Mapping | None):
        raise SmemdescError(f"{maps!r} has no names", hint='give {"k_param_0": its 128 bytes}', keyword="map")
    if not maps:
        return ()
    from smemdesc.tiles.tensor_map import read_map

    return tuple([(str(name), named("map", read_map, value)) for name, value in maps.items()])


def _build_ask(
    function: str | None, jobs: int, cuda_bin: str | os.PathLike[str] | None, arch: str | None, all_ptx: bool = False
) -> Ask:
    folder = None if cuda_bin is None else _path("cuda_bin", cuda_bin)
    return Ask(function, folder, readers.read_count("jobs", jobs) or 1, arch, all_ptx)


def _path(keyword: str, value: object) -> str:
    """Return a path that can be passed to the system."""
    try:
        path = os.fsdecode(value)  # type: ignore[arg-type]
        os.fsencode(path)
    except (TypeError, ValueError):
        path = "\0"
    if "\0" in path:
        raise SmemdescError(f"{value!r} is not a path", keyword=keyword)
    return path


def _problem_text(error: Exception, where: str) -> str:
    text = str(SmemdescError(as_error(error).option_message))  # without a hint, which is for one problem
    return f"{where}: {text}" if where else text


def _scan_kernel(kernel: Kernel, ask: Ask) -> list[ChunkResult]:
    if isinstance(kernel, str) and "\n" in kernel:
        return _data(kernel, "the text", ask)
    if isinstance(kernel, str | os.PathLike):
        return _file(_path("", kernel), ask)
    if isinstance(kernel, bytes | bytearray | memoryview):
        return _data(bytes(kernel), "the bytes", ask)
    asm = _forms(kernel)
    if asm is None:
        raise SmemdescError(
            f"{type(kernel).__name__} cannot be scanned",
            hint="give a path, text, bytes, or a compiled kernel with .asm, as Triton's",
        )
    missing: SmemdescError | None = None
    scanned: list[list[ChunkResult]] = []
    for form in filter(asm.__contains__, _FORMS):
        try:
            scanned.append(_data(asm[form], f"the {form}" if isinstance(asm[form], str) else "the bytes", ask))
        except MissingError as problem:
            missing = problem
    if not scanned:
        raise missing or SmemdescError("the compiled kernel has none of the forms " + ", ".join(_FORMS))
    return differing_form(scanned, Judge())


def _forms(kernel: object) -> Mapping[str, str | bytes] | None:
    """Return the forms of a kernel compiled by Triton, or by the CuTe DSL if it kept them; None for other objects."""
    try:
        asm, ptx, cubin = (getattr(kernel, name, None) for name in ("asm", "__ptx__", "__cubin__"))
        if isinstance(asm, Mapping):
            return {form: asm[form] for form in _FORMS if isinstance(asm.get(form), str | bytes)}
    except Exception:  # an object of another package may raise anything
        return None
    kept = {"ptx": ptx.rstrip("\0")} if isinstance(ptx, str) else {}
    return {**kept, "cubin": cubin} if isinstance(cubin, bytes) else kept or None


def _data(data: str | bytes, name: str, ask: Ask) -> list[ChunkResult]:
    if isinstance(data, str) or files.sort(data[: files.BEGINNING]).kind == files.TEXT:
        return [ChunkResult(name, scan_text(data, ask.wanted, ask.maps), len(data), True)]
    with closing(Spool()) as spool:
        with spool.new() as copy:
            copy.write(data)
        return _file(Source(name, copy.name), ask)


def _file(path: str | Source, ask: Ask) -> list[ChunkResult]:
    """Return the results for a file or a folder; raise the reason if there are none."""
    from smemdesc.scanning.inputs.workers import scan_files

    chunks = list(scan_files([path], ask))
    problems = [chunk.problem for chunk in chunks if chunk.problem is not None]
    missing = next((problem for problem in problems if isinstance(problem, MissingError)), None)
    if missing is not None:
        raise missing
    parts = [chunk.part for chunk in chunks]
    if problems and not any(part.functions or part.seen or part.values or part.older for part in parts):
        raise problems[0]
    return chunks
