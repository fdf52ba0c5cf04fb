"""The object of the fixture ``descriptors``: questions and assertions about the descriptors of a kernel."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NoReturn

from smemdesc.api.scanning import Kernel, Scan, scan
from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Scalar
from smemdesc.engine.wording import either, join_and, many, more, nearest, printable
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.integrations.pytest_plugin import golden
from smemdesc.kinds import aliases
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import PLACES_OF_A
from smemdesc.layout.strides import LBO, NICK, SBO
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.render.scan_lines import counted_text, lost
from smemdesc.rules.base import ERROR, WARNING
from smemdesc.scanning.model import Function, ScannedOperand
from smemdesc.scanning.results.comparison import written_to_maps
from smemdesc.scanning.results.function_names import NO_NAME
from smemdesc.scanning.results.report import ReportRow, describe_setters, fold, of_bits

COPY_OPERAND = "copy"
"""The operand of a tcgen05.cp."""
_MOST = 20
"""The most lines of a message; further ones are counted."""
_EMPTY = "empty-group"
"""The rule that finds the MMAs that ptxas -O0 adds: they multiply nothing, and are omitted."""
_FROM_IDESC = {
    ("a", "dtype"): "a_type",
    ("b", "dtype"): "b_type",
    ("a", "major"): "transpose_a",
    ("b", "major"): "transpose_b",
    ("a", "shape"): "m",
    ("b", "shape"): "n",
}
"""The fields of tcgen05's instruction descriptor for properties of A and B."""


class Uses:
    """Instructions of a function with the same descriptors except for their start addresses."""

    def __init__(self, name: str, function: Function, row: ReportRow) -> None:
        self.function = function
        self.row = row
        self.copies = row.judged.instruction.copied is not None
        self.multiplies = row.judged.instruction.is_mma
        first = row.mmas[0]
        source = f", from {printable(first.source[0])}:{first.source[1]}" if first.source else ""
        self.place = f"{function.within(name)}:{first.line}: {printable(row.mnemonic)}{source}"
        """The first instruction: file, line, mnemonic, line of the source."""

    def set_in(self, name: str, key: str) -> str:
        """Return where a field is set: `` (set in line 204: UMOV UR7, 0x60004040)``; empty if that is not known."""
        name, key, operand = self._operand(name, key)
        result = self.row.judged.results.get(name)
        if operand is None or result is None:
            return ""
        lines = describe_setters(of_bits(operand, result.candidates[0].kind.table.masks.get(key, 0)))
        return f" (set in {printable(lines)})" if lines else ""

    def lost(self, name: str, keys: Sequence[str]) -> str:
        """Return a message with the fields of an operand that are not known, and the line that lost them."""
        keys_of: dict[str, list[str]] = {}
        for key in keys:
            operand = self._operand(name, key)[2]
            why = lost(operand) if operand is not None else "the instruction does not say it"
            keys_of.setdefault(why, []).append(NICK.get(key, key))
        texts = (", ".join(names) + (f": {why}" if why else "") for why, names in keys_of.items())
        return f"{self.place}: {OPERAND_TITLES.get(name, name)}: not known: {'; '.join(texts)}"

    def _operand(self, name: str, key: str) -> tuple[str, str, ScannedOperand | None]:
        """Return the operand and the field that specify a property, and the operand in the first instruction."""
        if self.row.judged.idesc is not None and (name, key) in _FROM_IDESC:
            name, key = "idesc", _FROM_IDESC[name, key]
        name = "a" if name == COPY_OPERAND else name
        return name, key, getattr(self.row.mmas[0], name, None)


class _LocatedText(str):
    """A text with the place that it comes from, which pytest shows with a failed comparison."""

    smemdesc_where: str


class _GoldenNumber(int):
    """A number with the place that it comes from."""

    smemdesc_where: str


def _with(value: Any, where: str) -> Any:
    """Return a value with the place that it comes from; ``true`` and ``false`` have none."""
    kind = {str: _LocatedText, int: _GoldenNumber}.get(type(value))
    if kind is None:
        return value
    located = kind(value)
    located.smemdesc_where = where
    return located


def scanned(kernel: Kernel, function: str | None, cuda_bin: str | None, goldens: golden.Goldens) -> Descriptors:
    """Return the descriptors of a kernel. :class:`smemdesc.engine.errors.SmemdescError` if it cannot be scanned."""
    if isinstance(kernel, str | os.PathLike):
        path = os.fspath(kernel)
        name = "<text>" if "\n" in path else printable(path)
    elif isinstance(kernel, bytes | bytearray | memoryview):
        name = "<bytes>"
    else:
        name = str(getattr(kernel, "name", "") or type(kernel).__name__)
    __tracebackhide__ = True
    try:
        result = scan(kernel, function=function, cuda_bin=cuda_bin)
    except SmemdescError as problem:
        raise problem.with_traceback(None) from None
    judge = Judge()
    every = [Uses(name, function, row) for function in result.functions for row in fold(function, judge)]
    real = [use for use in every if all(folded.finding.rule != _EMPTY for folded in use.row.findings)]
    return Descriptors(name, result, real, goldens)


class Descriptors:
    """The tensor-core instructions of a kernel, and the values of their descriptors.

    Operands are ``a``, ``b``, ``idesc``, ``mask`` and, of tcgen05.cp, ``copy``. A question that the instructions answer
    differently, or whose answer is not known, fails the test: the message names the instructions.
    """

    def __init__(self, name: str, scan_result: Scan, every: Sequence[Uses], goldens: golden.Goldens) -> None:
        self._name = name
        self._scan = scan_result
        self._every = every
        self._goldens = goldens

    def __repr__(self) -> str:
        return f"<{self._name}: {many(self.count, 'MMA')}>"

    @property
    def count(self) -> int:
        """The number of MMAs, without tcgen05.cp."""
        return sum(len(use.row.mmas) for use in self._every if use.multiplies)

    @property
    def groups(self) -> tuple[Descriptors, ...]:
        """The instructions by their descriptors (without start addresses), in the order of the text."""
        return tuple(Descriptors(self._name, self._scan, [use], self._goldens) for use in self._every)

    @property
    def kind(self) -> str:
        """``wgmma`` or ``tcgen05``."""
        __tracebackhide__ = True
        kind: str = self._ask("the kind", self._instructions(False), lambda uses: uses.row.judged.instruction.family)
        return kind

    @property
    def mma_kind(self) -> str:
        """The MMA kind of tcgen05: ``f16``, ``mxf4``; ``mxf4 or mxf4nvf4`` where the bits fit both."""
        __tracebackhide__ = True
        kind: str = self._ask("the MMA kind", self._instructions(False), _mma_kind)
        return kind

    def swizzle(self, operand: str) -> str:
        """Return the swizzle mode: ``none``, ``32B``, ``64B``, ``128B``, ``128B_32B``."""
        __tracebackhide__ = True
        mode: str = self.field(operand, "swizzle")
        return mode

    def strides(self, operand: str) -> tuple[int, int]:
        """Return LBO and SBO, in bytes."""
        __tracebackhide__ = True
        return self.field(operand, LBO), self.field(operand, SBO)

    def major(self, operand: str) -> str:
        """Return the major-ness of A or B: ``K`` or ``MN``."""
        __tracebackhide__ = True
        major: str = self._ask_matrix(operand, "major", lambda context: context.major)
        return major

    def dtype(self, operand: str) -> str:
        """Return the type of A or B, as PTX names it: ``bf16``."""
        __tracebackhide__ = True
        dtype: str = self._ask_matrix(operand, "dtype", lambda context: context.dtype and context.dtype.name)
        return dtype

    def shape(self, operand: str) -> tuple[int, int]:
        """Return the shape of A or B in one instruction, MN x K in elements."""
        __tracebackhide__ = True
        shape: tuple[int, int] = self._ask_matrix(operand, "shape", lambda context: context.shape)
        return shape

    def field(self, operand: str, name: str) -> Any:
        """Return a field of a descriptor by its name in JSON (``stride_byte_offset``) or a usual one (``sbo``).

        Offsets are in bytes; an undefined code is ``code 3``.
        """
        __tracebackhide__ = True
        operand = _operand_of(operand, (*OPERANDS, COPY_OPERAND))
        source = "a" if operand == COPY_OPERAND else operand
        mine = [
            instruction
            for instruction in self._instructions(operand == COPY_OPERAND)
            if source in instruction.row.judged.results
        ]
        if not mine:
            places = {use.row.judged.instruction.a_from for use in self._every if source == "a"} & set(PLACES_OF_A)
            where = (
                f"A is in {either(sorted(PLACES_OF_A[place] for place in places))}"
                if places
                else "no instruction has it"
            )
            _fail(f"{self._name}: there is no descriptor of {OPERAND_TITLES[operand]}: {where}")
        key = name if name in mine[0].row.judged.results[source].fields else aliases.field_alias(name)

        def value(uses: Uses) -> Scalar | None:
            __tracebackhide__ = True
            result = uses.row.judged.results[source]
            try:
                result.candidates[0].kind.table.row(key)
            except FieldError as problem:
                raise problem.with_traceback(None) from None
            return golden.golden_value(result.fields[key])

        return self._ask(key, mine, value, operand)

    def assert_valid(self, *, strict: bool = True, allow_unknown: bool = False) -> None:
        """Fail on an error or a warning of any rule, and on an unknown field that has an effect.

        ``strict=False``: not on a warning. ``allow_unknown=True``: not on what is not known.
        """
        __tracebackhide__ = True
        every = self._instructions()
        lines_of: dict[str, list[str]] = {severity: [] for severity in ((ERROR, WARNING) if strict else (ERROR,))}
        for use in every:
            for folded in sorted(use.row.findings, key=lambda folded: folded.finding.because):  # causes first
                rule, severity = folded.finding.rule, folded.finding.severity
                if severity in lines_of:
                    lines_of[severity].append(f"{use.place}: {severity}: {rule}: {counted_text(folded, use.row)}")
        if any(lines_of.values()):
            counts = join_and(many(len(lines), severity) for severity, lines in lines_of.items() if lines)
            _fail(f"{self._name}: {counts}", [line for lines in lines_of.values() for line in lines])
        if not allow_unknown:
            self._fail_on_unknown(every)

    def same_as(self, golden_file: str | os.PathLike[str], *, allow_unknown: bool = False) -> None:
        """Fail where the descriptors differ from those in a golden file; ``pytest --smemdesc-update`` writes it.

        A relative name is one in the folder of the test. ``allow_unknown=True``: what is not known is held as such.
        """
        __tracebackhide__ = True
        every = self._instructions()
        if not allow_unknown:
            self._fail_on_unknown(every)
        path = self._goldens.folder / golden_file
        shown = os.path.relpath(path)
        functions, uses = self.describe()
        if self._goldens.written is not None:
            golden.write(path, functions)
            self._goldens.written(shown)
            return
        if not path.exists():
            _fail(f"{self._name}: there is no golden file {shown}; pytest --smemdesc-update writes it")
        lines: list[str] = []
        old = golden.read(path)
        lines += golden.changed_fields_of_maps(old, functions)
        for change in golden.compare(old, functions):
            if change.new is None:
                function = printable(change.function or NO_NAME)
                lines.append(f"{function}: only in {shown}: {golden.summary(change.old or {})}")
                continue
            now = uses[id(change.new)]
            like = "differs from the nearest there" if change.fields else golden.summary(change.new)
            lines.append(f"{now.place}:" + (f" not in {shown}: {like}" if change.old is None else ""))
            for operand, key, values in change.fields:
                lines.append(f"  {golden.field_name(operand, key)}: {values}{now.set_in(operand, key)}")
        if lines:
            lines.append("if that is meant: pytest --smemdesc-update")
            _fail(f"{self._name}: the descriptors are not those of {shown}", lines)

    def describe(self) -> tuple[list[golden.GoldenFunction], dict[int, Uses]]:
        """Return the functions for a golden file, and the instructions of each object in them, by the object's id."""
        functions, uses = [], {}
        for _, group in groupby(self._every, key=lambda use: id(use.function)):
            mmas: dict[str, golden.GoldenMma] = {}
            for use in group:
                mma = golden.describe(use.row)
                if mmas.setdefault(golden.summary(mma), mma) is mma:
                    uses[id(mma)] = use
            function = use.function
            in_order = [mma for _, mma in sorted(mmas.items())]
            changes = (change for change in self._scan.maps if change.function == function.name)
            maps = {field: list(values) for field, values in written_to_maps(changes)}
            functions.append(golden.GoldenFunction(function.name, function.mmas[0].arch, in_order, maps))
        return sorted(
            functions, key=lambda golden_function: (golden_function.name or "", golden_function.arch or "")
        ), uses

    def _instructions(self, copies: bool | None = None) -> Sequence[Uses]:
        """Return the instructions (``copies``: only tcgen05.cp, or only the others). The test fails if there are none,
        or not all of them are understood."""
        __tracebackhide__ = True
        if self._scan.failed:
            lines = [f"{self._name}:{f'{line}:' if line else ''} {printable(text)}" for line, text in self._scan.failed]
            _fail(f"{self._name}: not all of it could be scanned", lines)
        mine = [use for use in self._every if copies is None or (use.copies if copies else use.multiplies)]
        if not mine:
            what = "tcgen05.cp" if copies else "tensor-core instruction that reads descriptors"
            others = [many(self._scan.seen, "function"), *(f"{times} {name}" for name, times in self._scan.older)]
            _fail(f"{self._name}: there is no {what} in {join_and(others)}")
        return mine

    def _ask_matrix(self, operand: str, what: str, read: Callable[[Context], Any]) -> Any:
        """Return a property of A or B that all instructions agree on."""
        __tracebackhide__ = True
        operand = _operand_of(operand, ("a", "b"))
        return self._ask(what, self._instructions(False), lambda uses: read(uses.row.judged.context(operand)), operand)

    def _ask(self, what: str, every: Sequence[Uses], read: Callable[[Uses], Any], operand: str = "") -> Any:
        """Return the answer that all instructions give to a question about an operand (empty: themselves)."""
        __tracebackhide__ = True
        title = f"{NICK.get(what, what)} of {OPERAND_TITLES.get(operand, operand)}" if operand else what
        answers: dict[Any, list[Uses]] = {}
        for use in every:
            answers.setdefault(read(use), []).append(use)
        if None in answers:
            _fail(f"{self._name}: {title} is not known", [use.lost(operand, [what]) for use in answers[None]])
        if len(answers) > 1:
            lines = []
            for answer, several in answers.items():
                count = many(sum(len(use.row.mmas) for use in several), "instruction")
                first = several[0].place + several[0].set_in(operand, what)
                lines.append(f"{golden.in_words(what, answer)} in {count}, first {first}")
            lines.append("descriptors(kernel, function=...) takes one function, .groups[0] its first instructions")
            _fail(f"{self._name}: {title} differs", lines)
        (answer,) = answers
        where = f"{title}: {every[0].place}{every[0].set_in(operand, what)}"
        return tuple(_with(item, where) for item in answer) if isinstance(answer, tuple) else _with(answer, where)

    def _fail_on_unknown(self, every: Sequence[Uses]) -> None:
        __tracebackhide__ = True
        lines = []
        for use in every:
            lines += [use.lost(name, keys) for name, keys in golden.unknown(golden.describe(use.row)).items()]
        if lines:
            lines.append("allow_unknown=True accepts that")
            _fail(f"{self._name}: not everything that matters is known", lines)


def _mma_kind(uses: Uses) -> str | None:
    judged = uses.row.judged
    return judged.mma_kind or " or ".join(judged.mma_kinds) or None


def _operand_of(name: str, known: Sequence[str]) -> str:
    __tracebackhide__ = True
    lower = name.lower()
    if lower not in known:
        raise SmemdescError(f"unknown operand {name!r}", hint=nearest(name, known, f"use {either(known)}"))
    return lower


def _fail(head: str, lines: Sequence[str] = ()) -> NoReturn:
    __tracebackhide__ = True
    rest = [f"...{more(len(lines), _MOST)}"] if len(lines) > _MOST else []
    raise AssertionError("\n".join([head, *(f"  {line}" for line in (*lines[:_MOST], *rest))]))
