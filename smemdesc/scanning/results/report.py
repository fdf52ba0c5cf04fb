"""MMAs grouped into rows: one row for MMAs that differ only in the start addresses of their operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import listed_words, many, more, printable
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS, Judged
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.kinds.archs import neither
from smemdesc.layout.strides import LBO, UNIT, lbo_has_no_effect
from smemdesc.reading.text import digits, to_hex
from smemdesc.rules.base import Finding
from smemdesc.scanning.model import START, Function, Part, ScannedMma, ScannedOperand, compared_bits, joined
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.results.selection import WHOLE_DUMP, Choice, is_whole

if TYPE_CHECKING:
    from smemdesc.scanning.inputs.files import ChunkResult


class Starts(NamedTuple):
    """The start addresses of an operand in a row, as far as they are known."""

    first: int
    """The first start, in bytes, modulo ``period``."""
    period: int
    """Starts are known modulo this many bytes; 0: completely; 1: not at all."""
    offsets: tuple[int, ...]
    """The distinct starts in the order of the MMAs, in bytes from the first (modulo ``period``)."""
    base: RelativeStart | None = None
    """The first start as a variable plus an offset, if all are: then the others are exact, too."""


class FoldedFinding(NamedTuple):
    """The first finding of a rule in an operand (None: in several), and the number of instructions that have it."""

    operand: str | None
    finding: Finding
    times: int
    mma: ScannedMma
    """The first of these instructions."""
    setters: tuple[Setter, ...] = ()
    """The lines that set the fields of the finding in the first instruction."""


class ReportRow(NamedTuple):
    """MMAs of one function with the same descriptors except for their start addresses."""

    mmas: tuple[ScannedMma, ...]
    judged: Judged
    """The first MMA, judged."""
    a: Starts | None
    b: Starts | None
    findings: tuple[FoldedFinding, ...]
    """The findings of all MMAs, equal ones once."""
    times: Counter[tuple[str, str]]
    """The number of findings, by severity and rule."""

    @property
    def mnemonic(self) -> str:
        """The instruction without operands."""
        text = self.mmas[0].text
        words = text.split()
        return words[1] if words and words[0].startswith("@") and len(words) > 1 else words[0] if words else ""


def fold(function: Function, judge: Judge, choice: Choice = WHOLE_DUMP) -> list[ReportRow]:
    """Return the rows of a function, in the order of their first MMA."""
    groups: dict[object, list[tuple[ScannedMma, Judged]]] = {}
    for mma in function.mmas:
        judged = judge.judge(mma.model)
        groups.setdefault(_key(mma, judged), []).append((mma, judged))
    return [_row(group, choice) for group in groups.values()]


def _key(mma: ScannedMma, judged: Judged) -> object:
    return (
        mma.instruction,
        mma.text.partition("(")[0].split(" ", 1)[0],
        *(_key_of(getattr(judged, name)) for name in OPERANDS),
    )


def _key_of(result: Result | None) -> tuple[int, int] | None:
    """Return the bits that distinguish two descriptors, and their known mask: without the start and constant bits."""
    if result is None:
        return None
    kind = result.candidates[0].kind
    rest = compared_bits(kind)
    return result.value & rest, result.known & rest & ~kind.table.must_mask


_Which = tuple[str | None, str, str, tuple[str, ...], int]
"""The key of equal findings in two instructions: operand, severity, rule, fields, and ordinal among these."""


def _row(group: list[tuple[ScannedMma, Judged]], choice: Choice) -> ReportRow:
    """Return the row of a group of equal instructions: each finding once, with how often and where it is first."""
    first: dict[_Which, tuple[Finding, ScannedMma, tuple[Setter, ...]]] = {}
    times = Counter[_Which]()
    every = Counter[tuple[str, str]]()
    for mma, judged in group:
        findings = choice.shown_findings(judged)
        every.update((finding.severity, finding.rule) for _, finding in findings)
        counts = Counter[_Which]()
        for name, finding in findings:
            key = (name, finding.severity, finding.rule, finding.fields, 0)
            counts[key] += 1
            key = (*key[:-1], counts[key])
            if key not in first:
                first[key] = finding, mma, setters(mma, judged, key[0], finding)
            times[key] += 1
    return ReportRow(
        tuple(mma for mma, _ in group),
        group[0][1],
        _starts([judged.a for _, judged in group], [mma.a for mma, _ in group]),
        _starts([judged.b for _, judged in group], [mma.b for mma, _ in group]),
        tuple(FoldedFinding(key[0], finding, times[key], mma, lines) for key, (finding, mma, lines) in first.items()),
        every,
    )


def _starts(results: list[Result | None], operands: Sequence[ScannedOperand | None]) -> Starts | None:
    """Return the start addresses of an operand in equal instructions, relative to the first; None if it has none."""
    readings = [result.fields[START] for result in results if result is not None]
    if not readings:
        return None
    known = ones(readings[0].field.width)  # type: ignore[union-attr]
    whole = known
    for reading in readings:
        known &= reading.known  # type: ignore[union-attr]
    starts = [operand.start for operand in operands if operand is not None and operand.start is not None]
    base = starts[0] if len(starts) == len(results) and starts[0].symbol else None
    if base is not None and any(start.base != base.base for start in starts):
        base = None
    # Only a run of known bits from the lowest bit on determines the distance of two starts.
    units = (~known & (known + 1)) if known != whole else 0
    mask = units - 1 if units else whole
    numbers = list(dict.fromkeys(reading.bits & mask for reading in readings))  # type: ignore[union-attr]
    period = units * UNIT if units > 1 else (0 if not units else 1)
    if base is not None:
        distances = dict.fromkeys(_signed(start.offset - base.offset, (whole + 1) * UNIT) for start in starts)
        return Starts(numbers[0] * UNIT, period, tuple(distances), base)
    if period == 1:
        return Starts(0, 1, (0,))
    offsets = tuple((number - numbers[0]) * UNIT for number in numbers)
    return Starts(numbers[0] * UNIT, period, tuple(offset % period if period else offset for offset in offsets))


def _signed(number: int, size: int) -> int:
    """Return a number modulo ``size`` as the one that is closest to 0."""
    return (number + size // 2) % size - size // 2


def _shown(result: Result) -> tuple[object, ...]:
    """Return what is shown for a descriptor: digits and field values. An unknown bit that must be 0 counts as 0."""
    table = result.candidates[0].kind.table
    rest = compared_bits(result.candidates[0].kind)
    fields = (field.value for key, field in result.fields.items() if key != START)
    return digits(result.value & rest, result.known | table.must_mask | ~rest & table.full, table.width), *fields


class ReportLine(NamedTuple):
    """A line of a function."""

    line: int
    function: str | None
    member: str
    """The member of the file that contains the function, if the file has several."""
    place: str
    """The line, or the offset of an instruction of a binary."""


class DescriptorUse:
    """Where a distinct descriptor is used: how often, and where first."""

    __slots__ = ("cases", "first", "functions", "result", "seen", "times")

    def __init__(self, result: Result, first: ReportLine) -> None:
        self.result = result
        """One of the descriptors that differ only in the start address."""
        self.first = first
        self.times = self.functions = 0
        self.seen = -1
        """The number of the function that was counted last."""
        self.cases = Counter[str]()
        """How often instructions read it with each major-ness and type: ``K-major bf16``."""


class RuleFirstUse(NamedTuple):
    """The first finding of a rule."""

    first: ReportLine
    operand: str | None
    message: str


def head_dict(file: str, function: Function, mma: ScannedMma) -> dict[str, Any]:
    """Return the first keys of an instruction's JSON object: where it is."""
    return {"file": function.within(file), "line": mma.line, "function": function.name, "instruction": mma.text}


def judged_dict(judged: Judged) -> dict[str, Any]:
    """Return the JSON keys of an instruction's descriptors; each has its ``known`` mask, even if all bits are known."""
    kind = "wgmma" if judged.instruction.family == "wgmma" else "tcgen05"
    operands = judged.operands_dict()
    for name, result in judged.results.items():
        operands[name]["known"] = to_hex(result.known, ones(result.width), result.width)
    return {"kind": kind, "mma_kind": judged.mma_kind, **operands}


def mma_dict(file: str, function: Function, mma: ScannedMma, judged: Judged) -> dict[str, Any]:
    """Return the JSON object of one instruction."""
    return {**head_dict(file, function, mma), **judged_dict(judged), **mma.place_dict()}


class Share:
    """The instructions for one architecture: their number, and the total and known bits of their descriptors."""

    __slots__ = ("bits", "known", "times")

    def __init__(self) -> None:
        self.times = self.bits = self.known = 0


def counted_instructions(mmas: int, others: Mapping[str, int]) -> str:
    """Return ``1 MMA and 2 tcgen05.cp``: MMAs, and the other instructions by name."""
    return many(mmas, "MMA") + "".join(f" and {count} {name}" for name, count in others.items())


class Tally:
    """The totals of a dump: the numbers of a summary."""

    def __init__(self) -> None:
        self.part = Part()
        """The contents of the dump without its functions."""
        self.with_mmas = 0
        self.mmas = 0
        self.others = Counter[str]()
        """Instructions that are no MMAs: copies, and accesses of tensor memory, by name."""
        self.accesses = 0
        """The accesses of tensor memory with a wrong address."""
        self.descriptors: dict[tuple[Any, ...], DescriptorUse] = {}
        """By the kind and the shown digits and fields."""
        self.bits = Counter[str]()
        self.known = Counter[str]()
        self.archs: dict[str, Share] = {}
        """The share of each architecture; an empty name if it is unknown."""
        self.operands = Counter[str]()
        self.whole = Counter[str]()
        """Operands whose swizzle and SBO (shared-memory descriptors) or whose bits (others) are all known."""
        self.forms = self.differing = 0
        """Kernels in several forms, and the number of these whose forms differ."""
        self.rules = Counter[tuple[str, str]]()
        """The number of findings, by severity and rule."""
        self.places: dict[tuple[str, str], RuleFirstUse] = {}
        """The first finding of each severity and rule."""
        self.of_rule = Counter[tuple[str, str]]()
        """The number of functions with a finding of each severity and rule."""

    def include(self, other: Tally) -> None:
        """Count the instructions and findings of another dump, too."""
        self.with_mmas += other.with_mmas
        self.mmas += other.mmas
        for name in ("others", "operands", "whole", "bits", "known", "rules"):
            getattr(self, name).update(getattr(other, name))

    def take(self, part: Part) -> None:
        """Count the contents of a stretch of the dump, without its functions."""
        self.part = joined((self.part, part._replace(functions=())))

    def add(self, function: Function, rows: Sequence[ReportRow]) -> None:
        """Count one function."""
        self.with_mmas += 1
        self.forms += function.forms is not None
        self.differing += function.forms is not None and function.forms.differ
        for row in rows:
            times = len(row.mmas)
            if row.mmas[0].instruction.is_mma:
                self.mmas += times
            else:
                self.others[row.mmas[0].instruction.family] += times
                self.accesses += times * (row.mmas[0].instruction.accessed is not None)
            share = self.archs.setdefault(row.mmas[0].arch or "", Share())
            share.times += times
            for name, result in row.judged.results.items():
                descriptor_kind = result.candidates[0].kind
                full = compared_bits(descriptor_kind)
                known = result.known & full
                kind = result.kind or name
                self._use((kind, *_shown(result)), name, row, result, function)
                lbo = descriptor_kind.table.masks.get(LBO, 0)
                if lbo & ~known and lbo_has_no_effect(result.candidates[0].fields, row.judged.context(name)):
                    full, known = full & ~lbo, known & ~lbo
                self.operands[kind] += times
                self.bits[kind] += full.bit_count() * times
                self.known[kind] += known.bit_count() * times
                share.bits += full.bit_count() * times
                share.known += known.bit_count() * times
                self.whole[kind] += times * is_whole(result)
            self.rules.update(row.times)
            for folded in row.findings:
                key = folded.finding.severity, folded.finding.rule
                place = ReportLine(folded.mma.line, function.name, function.member, folded.mma.place)
                known_first = self.places.get(key)
                if known_first is None or (
                    known_first.first[1:3] == place[1:3] and place.line < known_first.first.line
                ):
                    self.places[key] = RuleFirstUse(place, folded.operand, folded.finding.message)
        self.of_rule.update({key for row in rows for key in row.times})

    def _use(self, key: tuple[Any, ...], name: str, row: ReportRow, result: Result, function: Function) -> None:
        use = self.descriptors.get(key)
        if use is None:
            use = self.descriptors[key] = DescriptorUse(
                result, ReportLine(row.mmas[0].line, function.name, function.member, row.mmas[0].place)
            )
        if use.result.known.bit_count() < result.known.bit_count():
            use.result = result
        use.times += len(row.mmas)
        use.functions += use.seen != self.with_mmas
        use.seen = self.with_mmas
        if name in ("a", "b") and row.mmas[0].instruction.copied is None:
            context = row.judged.contexts[name == "b"]
            words = (f"{context.major}-major" if context.major else "", context.dtype.name if context.dtype else "")
            use.cases[" ".join(filter(None, words))] += len(row.mmas)

    @property
    def checked(self) -> tuple[int, int]:
        """The number of descriptors that are known well enough for most rules (:attr:`whole`), and of all."""
        return sum(self.whole.values()), sum(self.operands.values())

    def failures(self, strict: bool = False) -> int:
        """Return the number of errors; ``strict``: of errors and warnings."""
        grave = ("error", "warning") if strict else ("error",)
        return sum(count for (severity, _), count in self.rules.items() if severity in grave)


MOST_LINES = 3
"""The most lines that are named."""
_MOST_PARAMETERS = 8
"""At most this many parameters are listed."""


_WHOLE = ("error-in-every-reading", "warning-in-every-reading")
"""Rules whose findings name different fields in each reading."""


class Setter(NamedTuple):
    """A line that set bits of an operand."""

    line: int
    text: str


def setters(mma: ScannedMma, judged: Judged, operand: str | None, finding: Finding) -> tuple[Setter, ...]:
    """Return the lines that set the fields of a finding, in the order of the text; empty if unknown.

    For a finding across operands, the fields of the instruction descriptor and of the mask are searched.
    """
    names = (operand,) if operand is not None else ("idesc", "mask")
    texts: dict[int, str] = {}
    for name in names:
        operand_bits = getattr(mma, name)
        result = getattr(judged, name)
        if operand_bits is None or result is None:
            continue
        masks = result.candidates[0].kind.table.masks
        mask = 0
        for key in finding.fields:
            mask |= masks.get(key, 0)
        if finding.rule in _WHOLE:
            mask = operand_bits.known
        texts |= dict(of_bits(operand_bits, mask))
    return tuple(Setter(line, texts[line]) for line in sorted(texts))


def of_bits(operand: ScannedOperand, mask: int) -> tuple[Setter, ...]:
    """Return the lines that set the bits of ``mask`` in an operand, in the order of the text."""
    return tuple(sorted({Setter(origin.line, origin.text) for origin in operand.origins if origin.mask & mask}))


def describe_setters(lines: tuple[Setter, ...], printed: bool = False) -> str:
    """Return ``line 204: UMOV UR7, 0x60004040``, several separated by commas; empty if there are no lines.

    Lines that were ``printed`` for this scan have no number.
    """
    if printed:
        texts = list(dict.fromkeys(line.text for line in lines))
        return "; ".join(texts[:MOST_LINES]) + more(len(texts), MOST_LINES)
    return f"line {listed_words([f'{line.line}: {line.text}' for line in lines], MOST_LINES)}" if lines else ""


class Verdict:
    """Counts the results that ``--check`` and ``--strict`` examine, over all files of a run, for the exit status."""

    def __init__(
        self,
        wanted: str | None,
        choice: Choice,
        *,
        check: bool,
        strict: bool,
        agree: bool = False,
        allow_empty: bool = False,
        require_mma: bool = False,
        maps: GivenMaps = (),
    ) -> None:
        self.wanted = wanted
        self.choice = choice
        self.strict = strict
        self.requested = check or strict or agree or require_mma
        self.allow_empty = allow_empty
        """Whether no instruction at all is no failure."""
        self.require_mma = require_mma
        """Whether each input has to have an instruction."""
        self.unused_maps = dict.fromkeys(name for name, _ in maps)
        """The names for which maps were given, without those that a function uses."""
        self.parameters: dict[str, None] = {}
        """The maps in parameters, as they are listed."""
        self.empty_inputs: list[str] = []
        """The inputs without one."""
        self.functions = 0
        """Functions that were examined: those that match ``wanted``, if it was given."""
        self.instructions = 0
        self.left = 0
        """Instructions with findings of ``choice``, or all if it selects none."""
        self.whole = 0
        """Instructions of which every descriptor is known well enough, if ``choice`` selects findings."""
        self.failures = 0
        """Errors, with ``strict`` also warnings; in a comparison differing functions, with ``strict`` also unclear."""
        self.some = False
        """Whether any descriptor is known well enough to check it."""
        self.known = False
        """Whether any bit of any descriptor is known."""
        self.bare: set[str] = set()
        """Architectures without such instructions (:attr:`Part.bare`)."""
        self.named = False
        """Whether other text calls a value a descriptor."""

    def add(self, part: Part) -> None:
        """Count the functions and instructions of one stretch of a file."""
        self.functions += part.seen
        self.bare.update(arch for arch, _ in part.bare)
        self.instructions += part.looked
        self.left += sum(len(function.mmas) for function in part.functions)
        self.whole += part.known
        self.some = self.some or bool(part.known or part.partly)
        self.known = self.known or bool(part.informed)
        self.named = self.named or any(value.named for value in part.values)
        self.failures += sum(self.choice.fails(self.choice.of_value(value), self.strict) for value in part.values)

    def note_maps(self, results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
        """Yield results, and note which tensor maps their copies use."""
        for result in results:
            pictures = [function.shared for function in result.part.functions if function.shared is not None]
            for number, each in [pair for picture in pictures for pair in enumerate(picture.maps)]:
                self.parameters[f"{each.name} ({number})"] = None
                for key in (each.name, str(number)):
                    self.unused_maps.pop(key, None)
            yield result

    def judged(self, judged: Judged) -> None:
        """Count the findings in one instruction."""
        findings = (finding for _, finding in self.choice.shown_findings(judged))
        self.failures += self.choice.fails(findings, self.strict)
        if not self.some:
            self.some = any(map(is_whole, judged.results.values())) or judged.instruction.accessed is not None

    def count(self, tally: Tally) -> None:
        """Count the totals of one file."""
        self.add(tally.part)
        self.left += tally.mmas + tally.others.total()
        self.failures += tally.failures(self.strict)
        self.some = self.some or any(tally.whole.values()) or bool(tally.accesses)

    def count_comparison(self, failures: int) -> None:
        """Count the differences between two files, or two forms of one kernel."""
        self.failures += failures
        self.some = self.known = True

    def nothing_named(self) -> SmemdescError | None:
        """Return the error about a function, an offset in it or a parameter that no file has; None if it was found."""
        if self.wanted is None or self.functions:
            for name in self.unused_maps:
                used = listed_words(list(self.parameters), _MOST_PARAMETERS)
                hint = f"copies use {used}" if used else "no copy uses a map that is a parameter"
                return SmemdescError(f"no copy uses a map at {name!r}", hint=hint, keyword="map")
        if self.wanted is None:
            return None
        if self.functions:
            if self.choice.at is None or self.instructions:
                return None
            return SmemdescError(
                f"no tensor-core instruction that reads a descriptor at {self.wanted}+{self.choice.at:#x}",
                hint="an offset is in bytes from the start of the function, as in SASS: /*0100*/ is +0x100; PTX "
                "has none: scan the cubin",
                keyword="at",
            )
        return SmemdescError(
            f"no function is named {self.wanted}",
            hint="* and ? match any characters: --function '*gemm*'; names are those of --names mangled",
            keyword="function" if self.choice.at is None else "at",
        )

    def nothing_checked(self) -> SmemdescError | None:
        """Return the error that there was nothing to check, or that only parts were in which nothing was found; None
        if there was."""
        if not self.requested or (self.named and not self.instructions):
            return None
        if self.empty_inputs:
            names = listed_words([printable(name) for name in self.empty_inputs], MOST_LINES)
            return SmemdescError(f"no tensor-core instruction in {names}", hint="--require-mma asks for one in each")
        if self.allow_empty and not self.instructions:
            return None
        if self.instructions and self.some:
            return self._found_nothing_in_part()
        if self.instructions and self.nothing_known:
            return SmemdescError(
                "nothing was checked: not one bit of any descriptor is known",
                hint="scan --all names the instruction that lost the bits",
            )
        if self.instructions:
            return SmemdescError(
                "nothing was checked: too few bits of the descriptors are known; the exit status does not cover them",
                hint="scan --all names the instruction that lost the bits",
            )
        return SmemdescError(
            "nothing was checked: no tensor-core instruction was found",
            hint="; ".join(map(neither, sorted(self.bare)))
            or "a check needs at least one; is this the dump of the right kernel?",
        )

    def _found_nothing_in_part(self) -> SmemdescError | None:
        """Return the error that the selected findings are not in what was checked, if that was not all; else None."""
        parts = self.instructions - self.whole
        if not self.choice.only or self.left or not parts:
            return None
        findings = " or ".join(sorted(self.choice.only))
        return SmemdescError(
            f"no {findings} in {many(self.instructions, 'instruction')}, {parts} of which "
            f"{'was' if parts == 1 else 'were'} checked only in part; the exit status does not cover the rest",
            hint="scan --all names the instruction that lost the bits",
        )

    @property
    def closed(self) -> bool:
        """Whether the check fails."""
        empty = not (self.instructions or self.named or self.allow_empty)
        return self.requested and bool(self.failures or empty or self.empty_inputs or self.nothing_known)

    @property
    def nothing_known(self) -> bool:
        """Whether ``--strict`` has descriptors without any known bit."""
        return self.strict and bool(self.instructions) and not self.known
