"""The view of a file in ``scan``: the overview, then functions; which ones, and their order.

The overview has the counts, the known share, the distinct descriptors, the findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import SEEK_END, StringIO
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed_words, many, printable
from smemdesc.instructions.mma import Judge
from smemdesc.kinds.archs import neither
from smemdesc.kinds.names import KINDS
from smemdesc.layout.strides import NICK
from smemdesc.render.console import broken, on, show
from smemdesc.render.descriptor import (
    OPERAND_TITLES,
    digits_of,
    fields_text,
    mma_kinds_text,
    mode_texts,
    stride_text,
    swizzle_of,
)
from smemdesc.render.parts import StyledText, apart, as_view, beside, fitted, labeled, line
from smemdesc.render.problem import problem_view
from smemdesc.render.scan import function_view, maps_view, text_values_view
from smemdesc.rules.base import INVALID, RANK, SUSPICIOUS
from smemdesc.rules.causes import CAUSES
from smemdesc.scanning.inputs import spool
from smemdesc.scanning.model import OF_LIBRARY, OF_TMA, Function, Part, UnknownInstruction, Unread
from smemdesc.scanning.results.function_names import AS_THEY_ARE, Names
from smemdesc.scanning.results.report import DescriptorUse, ReportLine, ReportRow, Tally, counted_instructions, fold
from smemdesc.scanning.results.selection import Choice

if TYPE_CHECKING:
    from smemdesc.api.scanning import Scan

MOST_DESCRIPTORS = 40
"""At most this many distinct descriptors are listed; the others are counted."""


class ReportSettings(NamedTuple):
    """The requested output."""

    every: bool = False
    """Whether to list each function and each instruction."""
    pattern: str | None = None
    """The pattern of function names."""
    order: str | None = None
    """One of :data:`smemdesc.kinds.names.SCAN_ORDERS`; None: the worst first."""
    choice: Choice = Choice()
    names: str = "short"
    """Form of function names, one of :data:`smemdesc.kinds.names.NAME_STYLES`."""

    @property
    def whole(self) -> bool:
        """Whether every function is listed, regardless of their number."""
        return self.every or self.pattern is not None or self.order is not None


SHOW_ALL = ReportSettings()


@as_view
def overview(
    name: str, tally: Tally, settings: ReportSettings = SHOW_ALL, note: str = "", names: Names = AS_THEY_ARE
) -> Iterator[RenderableType]:
    """The summary of one file. ``note``: what was read, if it was more than one dump."""
    name = spool.shown_name(name)
    head = line((printable(name), "value"), "  " if name else "")
    nothing = _nothing_selected(tally, settings)
    if nothing is not None:
        yield beside(head, nothing)
        return
    text = _summary(tally, " or ".join(sorted(settings.choice.only)) or "MMAs")
    if note:
        text = text.removesuffix(_NO_VALUE)  # binaries and folders are not searched for values
    yield beside(head, (text, "heading"))
    if note:
        yield labeled("read", note)
    yield from _not_judged(tally, _how_compiled(name))
    yield from _known(tally)
    if tally.forms:
        yield labeled("forms", many(tally.forms, "kernel"), " in several forms; ", _agreement(tally.differing))
    if tally.mmas or tally.others:
        yield _findings(tally)
    if tally.part.odd:
        yield labeled("not understood", (many(tally.part.odd, "line"), "warning"))
    if tally.part.unknown_instructions:
        yield labeled("unknown instructions", (_unknown(tally.part.unknown_instructions), "warning"))
    if tally.with_mmas > 1:
        yield from _descriptors(tally, settings.choice.kind, settings.every, names)
        yield from _places(tally, names)


@as_view
def total_view(files: int, total: Tally) -> Iterator[RenderableType]:
    """What several files have together."""
    counted = counted_instructions(total.mmas, total.others)
    yield Text()
    text = f"{many(files, 'file')}, {many(total.with_mmas, 'function')} with MMAs: {counted}"
    yield labeled("in all", (text, "heading"), indent=0)
    if total.mmas or total.others:
        yield _findings(total)


def _nothing_selected(tally: Tally, settings: ReportSettings) -> tuple[str, str] | None:
    """Return that no function, instruction or descriptor is what was asked for, and the style; None if some are."""
    pattern, only, kind = settings.pattern, sorted(settings.choice.only), settings.choice.kind
    if pattern is not None and not tally.part.seen:
        return f"no function is named {printable(pattern)}", "warning"
    if only and not tally.with_mmas and tally.part.looked:
        count, known = tally.part.looked, tally.part.known
        text = f"no {' or '.join(only)} in {many(count, 'instruction')}"
        text += "" if known == count else f"; the descriptors of {known} are known well enough to check"
        return text, "heading"
    if kind is not None and tally.part.seen and not tally.with_mmas and not tally.part.values:
        return f"no instruction with a {kind} descriptor", "heading"
    return None


def _not_judged(tally: Tally, compiled: str) -> Iterator[RenderableType]:
    """What a file has besides instructions that were judged: others, those that were not read, changes of maps."""
    if tally.part.older:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(tally.part.older))
        yield labeled("without descriptors", counts)
    if not tally.with_mmas:
        yield from (labeled("architecture", neither(arch)) for arch, _ in tally.part.bare)
    if tally.part.unknown:
        yield labeled("not known", (unread_dialects(dict(tally.part.unknown)), "warning"))
    if tally.part.unread:
        seen = ("seen", "note") if _only_named(tally) else ("seen, not read", "error")
        yield labeled(seen[0], (_unread(tally.part.unread, compiled), seen[1]))
    if tally.part.unevaluated:
        yield labeled("not evaluated", (_unevaluated(tally, compiled), "note"))
    if tally.part.maps:
        functions = len({change.function for change in tally.part.maps})
        yield labeled("tensor maps", f"changed or read in {many(functions, 'function')}, see below")


def unread_dialects(names: Iterable[str]) -> str:
    """Name the MLIR dialects that are not supported."""
    dialects = sorted(map(printable, names))
    several = len(dialects) > 1
    what = f"MLIR of dialect{'s' if several else ''} {', '.join(dialects)}"
    return f"{what}: {'their' if several else 'its'} tensor-core instructions are not supported"


_MOST_LINES = 8
"""The most lines listed for each reason."""


def _only_named(tally: Tally) -> bool:
    """Whether what was not read are names in comments or prose."""
    return all(instruction.only_named for instruction in tally.part.unread)


def _unevaluated(tally: Tally, compiled: str) -> str:
    """Return where a source makes descriptors of values that it does not give, and what to type to see them."""
    lines = sorted(tally.part.unevaluated)
    where = f"line{'s' if len(lines) > 1 else ''} {listed_words(lines, _MOST_LINES)}"
    return f"{many(len(lines), 'descriptor')} made of values that this text does not give ({where}); {compiled}"


def _how_compiled(name: str) -> str:
    """Return what to type to see what a source does not say, by the name of its file."""
    return _COMPILED if name.endswith((".py", ".rs", ".mojo", ".ipynb")) else _COMPILED_BY_NVCC


_COMPILED = "compile it, then scan its PTX: smemdesc scan k.ptx"
_COMPILED_BY_NVCC = "scan its PTX, of C++: nvcc -ptx -arch=sm_90a -o k.ptx k.cu (or sm_100a), then smemdesc scan k.ptx"


def _unread(instructions: Iterable[Unread], compiled: str) -> str:
    """Return the tensor-core instructions that were not read, the reasons, and their lines."""
    lines: dict[str, list[int]] = {}
    for instruction in instructions:
        lines.setdefault(instruction.reason, []).append(instruction.line)
    return "; ".join(
        f"{many(len(of), _noun(reason))}, {reason} ({'lines' if len(of) > 1 else 'line'} "
        f"{listed_words(sorted(of), _MOST_LINES)})" + (f"; {compiled}" if reason == OF_LIBRARY else "")
        for reason, of in lines.items()
    )


def _noun(reason: str) -> str:
    return "instruction" if reason == OF_TMA else "tensor-core instruction"


def _unknown(instructions: Iterable[UnknownInstruction]) -> str:
    """Return the unknown instruction names, and the parts of descriptors that are unknown because of each."""
    return "; ".join(
        f"{printable(name)} in {many(lines, 'line')}, "
        + (f"{many(bits, 'bit')} of {many(operands, 'descriptor')} lost" if bits else "nothing lost")
        for name, lines, operands, bits in instructions
    )


_NO_VALUE = ", and no value that looks like a descriptor"


def _summary(tally: Tally, what: str) -> str:
    if not tally.with_mmas and (not tally.part.seen or tally.part.values):
        is_there = any(instruction.reason == OF_LIBRARY for instruction in tally.part.unread)
        none = "no tensor-core instruction" + (" was read" if is_there or not _only_named(tally) else "")
        if tally.part.values:
            verdicts = Counter(value.result.verdict for value in tally.part.values)
            wrong = ", ".join(f"{verdicts[word]} {word}" for word in (INVALID, SUSPICIOUS) if verdicts[word])
            return f"{none}; {many(len(tally.part.values), 'value')} that may be a descriptor{wrong and ': ' + wrong}"
        return none + (_NO_VALUE if _only_named(tally) else "")
    counted = counted_instructions(tally.mmas, tally.others)
    text = f"{many(tally.part.seen, 'function')}, {tally.with_mmas} with {what}: {counted}"
    if tally.mmas or tally.others:
        text += f", {many(len(tally.descriptors), 'distinct descriptor')}"
    return text


def _agreement(differing: int) -> StyledText:
    return (f"in {differing} of them the descriptors differ", "error") if differing else ("they agree", "good")


def _known(tally: Tally) -> Iterator[RenderableType]:
    whole, of = tally.checked
    if of:
        bits, known = sum(tally.bits.values()), sum(tally.known.values())
        share = "" if known == bits else f", {_percent(100 * known / bits)} of the bits"
        kinds = [f"{kind} {tally.whole[kind]} of {tally.operands[kind]}" for kind in KINDS if tally.operands[kind]]
        each = f": {', '.join(kinds)}" if whole < of and len(kinds) > 1 else ""
        text = f"{whole} of {many(of, 'descriptor')} known{share} (start addresses apart){each}"
        yield _resolved(known / bits if bits else whole / of, text)
    if len(tally.archs) > 1:
        shares = (
            f"{arch or 'not known'} {many(share.times, 'instruction')}"
            + (f", {_percent(100 * share.known / share.bits)} of the bits" if share.known < share.bits else "")
            for arch, share in sorted(tally.archs.items(), key=lambda item: (len(item[0]), item[0]))
        )
        yield labeled("architectures", "; ".join(shares))


@fitted
def _resolved(console: Console, options: ConsoleOptions, share: float, text: str) -> Iterator[RenderableType]:
    """The line of what is known, on a terminal with a bar."""
    full, empty = "#-" if options.ascii_only else "█░"
    done = int(_BAR * share)
    bar = [full * done + empty * (_BAR - done), "  "] if broken(options) else []
    yield labeled("resolved", *bar, text)


_BAR = 10
"""Characters of a bar."""


def _percent(share: float) -> str:
    return "100%" if share == 100 else f"{min(share, 99.9):.1f}%"


def _findings(tally: Tally) -> RenderableType:
    """Return the findings, and the share of descriptors that was checked: unknown bits cannot be wrong."""
    checked, of = tally.checked
    share = "" if checked == of else f"{many(of, 'descriptor')} checked, {of - checked} only in part"
    if tally.rules:
        ordered = _by_cause(tally)
        texts = [f"{severity} {rule} x {tally.rules[severity, rule]}" for severity, rule in ordered]
        return labeled("findings", (", ".join(texts), ordered[0][0]), f"; {share}" if share else "")
    if not checked:
        return labeled("findings", ("nothing could be checked: too few bits of the descriptors are known", "warning"))
    if share:
        return labeled("findings", f"none; {share}")
    return labeled("findings", ("none", "good"))


def _by_cause(tally: Tally) -> list[tuple[str, str]]:
    """Return the severities and rules that were found: the worst first, causes before what follows from them, then the
    most frequent."""
    rules = {rule for _, rule in tally.rules}

    def order(key: tuple[str, str]) -> tuple[int, bool, int, str]:
        return RANK[key[0]], not rules.isdisjoint(CAUSES.get(key[1], ())), -tally.rules[key], key[1]

    return sorted(tally.rules, key=order)


def _descriptors(tally: Tally, kind: str | None, every: bool, names: Names) -> Iterator[RenderableType]:
    """Yield the distinct descriptors, the most frequent first."""
    order = {name: place for place, name in enumerate(KINDS)}
    listed = [
        (key[0].partition(":")[0], use)
        for key, use in sorted(
            tally.descriptors.items(), key=lambda item: (order[item[0][0].partition(":")[0]], -item[1].times)
        )
        if kind in (None, key[0].partition(":")[0])
    ]
    if not listed:
        return
    shown = listed if every else listed[:MOST_DESCRIPTORS]
    yield Text()
    yield line(("descriptors", "heading"))
    wide = max(len(name) for name, _ in shown)
    hex_wide = max(len(digits_of(use.result)) for _, use in shown)
    described = {
        kind: max(min(len(_describe(use)), _DESCRIBED) for name, use in shown if name == kind) for kind, _ in shown
    }
    times = max(len(str(use.times)) for _, use in shown)
    before = None
    for name, use in shown:
        label = line("  ", (f"{name:{wide}}  ", "key"), (f"{digits_of(use.result):{hex_wide}}  ", "value"))
        where = _where(use.functions, use.first, before, names)
        before = use.first
        yield beside(label, f"{_describe(use):{described[name]}}  {use.times:{times}} x in {where}")
    if len(shown) < len(listed):
        yield line((f"  and {len(listed) - len(shown)} more: --all lists them", "faint"))


_DESCRIBED = 64
"""The most characters of a descriptor that are a column; what is longer stands out."""


def _describe(use: DescriptorUse) -> str:
    """Return what a descriptor holds, without its use."""
    result = use.result
    if not result.settled:
        return mma_kinds_text(result)
    candidate = result.candidates[0]
    fields = result.candidates[0].fields
    if "swizzle" not in fields:
        return fields_text(candidate.kind, fields)
    cases = [case for case, _ in use.cases.most_common(_CASES) if case]
    read = " or ".join(cases) + (", ..." if len(use.cases) > _CASES else "")
    words = [" ".join(filter(None, (swizzle_of(fields["swizzle"]), read)))]
    words += [stride_text(key, fields[key]) for key in NICK]
    words += mode_texts(fields)
    return ", ".join(words)


_CASES = 3
"""The most cases (``K-major bf16``) that are listed."""


def _where(functions: int, first: ReportLine, before: ReportLine | None, names: Names) -> str:
    """Return the first place of something; the function is omitted if

    ``before`` (above) is in the same one.
    """
    member = f" of {printable(first.member)}" if first.member else ""
    text = f"{many(functions, 'function')}, {first.place}{member}"
    same = before is not None and (before.member, before.function) == (first.member, first.function)
    return f"{text} ({names(first.function)})" if first.function and not same else text


def _places(tally: Tally, names: Names) -> Iterator[RenderableType]:
    """Yield the findings by rule, each with its first place."""
    if not tally.rules:
        return
    yield Text()
    yield line(("findings", "heading"))
    before = None
    for key in _by_cause(tally):
        place = tally.places[key]
        label = line("  ", (f"{key[0]} {key[1]}", key[0]), ": ")
        operand = f"{OPERAND_TITLES[place.operand]}: " if place.operand else ""
        where = _where(tally.of_rule[key], place.first, before, names)
        before = place.first
        yield beside(label, f"{operand}{place.message}")
        yield beside("    ", f"{tally.rules[key]} x in {where}")


FEW = 4
"""The most functions with MMAs of a file that is shown in full."""
MOST_FUNCTIONS = 10
"""At most this many functions with errors or warnings are listed; the others are counted."""


class Key(NamedTuple):
    """The sort key of a function in the list."""

    number: int
    name: str
    errors: int
    warnings: int
    known: float
    """The known share of the descriptors' bits, without start addresses."""
    differs: bool = False
    """Whether its forms differ."""

    @property
    def grave(self) -> bool:
        """Whether an error or a warning was found, or a form differs."""
        return bool(self.errors or self.warnings or self.differs)


def key_of(number: int, function: Function, rows: Sequence[ReportRow]) -> Key:
    """Return the key of a function."""
    counts = {"error": 0, "warning": 0, "note": 0}
    for row in rows:
        for (severity, _), times in row.times.items():
            counts[severity] += times
    alone = Tally()
    alone.add(function, rows)
    bits = sum(alone.bits.values())
    known = sum(alone.known.values()) / bits if bits else 0.0
    return Key(number, function.name or "", counts["error"], counts["warning"], known, bool(alone.differing))


def listed_functions(keys: Sequence[Key], settings: ReportSettings) -> list[int]:
    """Return the indices in ``keys`` of the functions to list, in order."""
    places = range(len(keys))
    if settings.whole or len(keys) <= FEW:
        return sorted(places, key=lambda place: _rank(keys[place], settings.order or "findings"))
    grave = [place for place in places if keys[place].grave]
    return sorted(grave, key=lambda place: _rank(keys[place], "findings"))[:MOST_FUNCTIONS]


def _rank(key: Key, order: str) -> tuple[int | float | str, ...]:
    if order == "findings":
        return -key.errors, -key.warnings, key.number
    if order == "known":
        return key.known, key.number
    return (key.name, key.number) if order == "name" else (key.number,)


@as_view
def rest_summary(keys: Sequence[Key], shown: int) -> Iterator[RenderableType]:
    """The summary of the functions that are not listed."""
    left = len(keys) - shown
    if not left:
        return
    grave = sum(key.grave for key in keys) - shown
    parts = [f"{many(grave, 'function')} with errors or warnings"] if grave else []
    if left > grave:
        parts.append(f"{many(left - grave, 'function')} without errors and warnings")
    yield Text()
    yield beside("not listed: ", f"{' and '.join(parts)}; --function '*' lists them, --all each instruction")


class Report:
    """A scanned file: its overview, its functions, and other possible descriptors.

    The overview is shown first but is known last, so functions are stored as ``draw`` returns their views.
    """

    def __init__(
        self,
        settings: ReportSettings = SHOW_ALL,
        names: Names | None = None,
        judge: Judge | None = None,
        draw: Callable[[RenderableType], Any] = lambda view: view,
    ) -> None:
        self.settings = settings
        self.names = names or Names(settings.names)
        self.judge = judge or Judge()
        self.draw = draw
        self.tally = Tally()
        self._keys: list[Key] = []
        self._values: list[RenderableType] = []
        self._drawn: dict[int, Any] = {}

    def add(self, part: Part) -> None:
        """Add a part of the file to the counts, without its functions."""
        self.tally.take(part)
        if part.values:
            self._values.append(text_values_view(part.values, self.settings.choice))

    def function(self, function: Function) -> None:
        """Add a function; draw it if it may be listed. One that cannot be drawn is counted but not listed."""
        rows = fold(function, self.judge, self.settings.choice)
        self.tally.add(function, rows)
        key = key_of(len(self._keys), function, rows)
        if self.settings.whole or key.grave or key.number < FEW:
            self._drawn[key.number] = self.draw(
                function_view(function, rows, self.settings.every, self.names, self.judge)
            )
        self._keys.append(key)

    def views(self, name: str, note: str = "") -> Iterator[Any]:
        """Yield the views of the file; ``note`` says what was read."""
        places = listed_functions(self._keys, self.settings)
        yield overview(name, self.tally, self.settings, note, self.names)
        yield from (self._drawn[place] for place in places)
        yield rest_summary(self._keys, len(places))
        yield maps_view(self.tally.part.maps, self.names)
        yield from self._values


class _Stored(NamedTuple):
    """Position and size of a view's text, in bytes."""

    at: int
    size: int


class Store:
    """Draws views for a console; the text is kept in a temporary file, to save memory."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self._file = SpooledTemporaryFile(_SPOOL, mode="w+b")  # noqa: SIM115
        self.close = self._file.close

    def draw(self, view: RenderableType) -> _Stored:
        """Draw a view, and return the position of its text for :meth:`write`."""
        drawn = StringIO()
        show(on(drawn, self.out), view)
        at = self._file.seek(0, SEEK_END)
        return _Stored(at, self._file.write(drawn.getvalue().encode("utf-8", "surrogatepass")))

    def clear(self) -> None:
        """Delete the text of all views."""
        self._file.seek(0)
        self._file.truncate()

    def write(self, view: RenderableType | _Stored) -> None:
        """Write a view."""
        if isinstance(view, _Stored):
            self._file.seek(view.at)
            self.out.file.write(self._file.read(view.size).decode("utf-8", "surrogatepass"))
        else:
            show(self.out, view)


_SPOOL = 4_000_000


def of_scan(scan: Scan) -> RenderableType:
    """Return the view of a scan from Python: each of its files."""
    settings = ReportSettings(choice=scan.choice, names=scan.names)
    shown = [of_part(file.part, file.name, settings) for file in scan.kernels]
    failed = [problem_view(SmemdescError(reason), f"line {line}" if line else "") for line, reason in scan.failed]
    return Group(*apart([*shown, *([Group(*failed)] if failed else [])]))


def of_part(part: Part, name: str, settings: ReportSettings = SHOW_ALL) -> RenderableType:
    """Return the view of a scanned file."""
    report = Report(settings)
    report.add(part)
    for function in part.functions:
        report.function(function)
    return Group(*report.views(name))
