"""The view of ``scan --agree``: the MMAs of a kernel in one form, and as they were compiled to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, printable
from smemdesc.instructions.model import OPERANDS
from smemdesc.layout.strides import NICK
from smemdesc.reading.text import digits
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.render.parts import as_view, beside, line
from smemdesc.render.scan_diff import names_line, operand_line
from smemdesc.scanning.model import START, ScannedMma
from smemdesc.scanning.results.agreement import (
    ADDED,
    AGREES,
    DIFFERS,
    KEYS_OF_FORMS,
    ONLY_SOURCE,
    Agreement,
    CompiledFunction,
    FunctionPair,
    MmaPair,
)
from smemdesc.scanning.results.function_names import AS_THEY_ARE, Names

_SIDES = {key: f"the {form}" for form, key in KEYS_OF_FORMS.items()}


@as_view
def agreement_view(
    agreement: Agreement, title: str, every: bool, unread: bool, names: Names = AS_THEY_ARE
) -> Iterator[RenderableType]:
    """Two forms of kernels, function by function.

    ``every``: whether functions that agree are listed, too. ``unread``: whether parts of either could not be
    read.
    """
    pairs = agreement.pairs
    both = [pair for pair in pairs if pair.source and pair.target]
    differ = sum(pair.differs for pair in both)
    head = line((printable(title), "value"), "  ")
    count = f"{many(len(both), 'function')} with MMAs in both, "
    if not agreement.compared:
        yield beside(head, ("no function with MMAs in both: nothing was compared", "error"))
    elif differ:
        yield beside(head, count, (f"{differ} in which they differ", "error"))
    elif lost := sum(pair.lost for pair in both):
        only = f"; {many(lost, 'MMA')} only in the {_earlier(both)}"
        yield beside(head, count, ("they agree", "good"), (only, "error"))
    elif agreement.whole:
        yield beside(head, count, ("they agree", "good"))
    else:
        yield beside(head, count, ("they agree; some have no partner", "warning"))
    if unread:
        yield line(("  parts could not be read (see the errors)", "warning"))
    forms = list(dict.fromkeys(pair.forms for pair in pairs))
    for earlier, later in forms:
        compared = [pair for pair in both if pair.forms == (earlier, later)]
        if len(forms) > 1:
            yield line((f"  {earlier} -> {later}", "heading"), f"  {many(len(compared), 'function')}")
        if compared:
            yield from _summary(compared)
    for pair in both:
        if pair.differs or not pair.whole or every:
            yield Text()
            yield from _pair(pair, names)
    for form, codes in _alone(pairs).items():
        yield Text()
        yield line((f"only in the {form}", "heading"))
        for code in codes:
            where = f"{printable(code.place.file)}:{code.function.line}, {many(len(code.function.mmas), 'MMA')}"
            yield beside(f"  {names(code.function.name)}  ", where)


def _alone(pairs: Sequence[FunctionPair]) -> dict[str, list[CompiledFunction]]:
    """Return the functions that only one of two forms has, by the form."""
    alone: dict[str, list[CompiledFunction]] = {}
    for pair in pairs:
        for code, other, form in zip((pair.source, pair.target), (pair.target, pair.source), pair.forms, strict=True):
            if code is not None and other is None:
                alone.setdefault(form, []).append(code)
    return alone


def _earlier(pairs: Sequence[FunctionPair]) -> str:
    return " or ".join(dict.fromkeys(pair.forms[0] for pair in pairs if pair.lost))


def of_agreement(agreement: Agreement) -> RenderableType:
    """Return the view of a result of the Python function."""
    return agreement_view(agreement, _title(agreement), False, bool(agreement.failed))


def _title(agreement: Agreement) -> str:
    forms = list(dict.fromkeys(form for pair in agreement.pairs for form in pair.forms))
    return " -> ".join(forms)


def _summary(pairs: Sequence[FunctionPair]) -> Iterator[RenderableType]:
    """Yield how many MMAs were paired, and how many pairs differ."""
    earlier, later = pairs[0].forms
    compiler = "ptxas" if later == "SASS" else "the compiler"
    entries = [(number, entry) for number, pair in enumerate(pairs) for entry in pair.entries]
    status = Counter(entry.status for _, entry in entries)
    of_source = Counter((number, entry.source.line) for number, entry in entries if entry.source and entry.target)
    of_target = Counter((number, entry.target.line) for number, entry in entries if entry.source and entry.target)
    out = [f"{len(of_source)} of the {earlier} paired with {len(of_target)} of the {later}"]
    out += [f"{status[DIFFERS]} of {many(status[AGREES] + status[DIFFERS], 'pair')} differ"] if status[DIFFERS] else []
    for count, what in (
        (sum(times > 1 for times in of_source.values()), f"repeated by {compiler}"),
        (sum(times > 1 for times in of_target.values()), f"made of several by {compiler}"),
        (status[ADDED], "added by ptxas: empty, to end a group"),
        (status[ONLY_SOURCE], f"only in the {earlier}"),
    ):
        out += [f"{count} {what}"] if count else []
    yield beside(("  MMAs: ", "label"), "; ".join(out))
    known, of = (sum(numbers) for numbers in zip(*(pair.bits for pair in pairs), strict=True))
    yield beside(("  compared: ", "label"), f"shapes, types, order, and {known:,} of {of:,} bits of descriptors")
    unknown: dict[tuple[str, ...], dict[str, dict[str, None]]] = {}
    for pair in pairs:
        for field in pair.unknown:
            unknown.setdefault(field.sides, {}).setdefault(field.key, {})[field.operand] = None
    for sides, fields in unknown.items():
        where = " and ".join(_SIDES[side] for side in sides)
        yield beside((f"  not always known in {where}: ", "label"), "; ".join(_fields(fields)))


def _fields(unknown: dict[str, dict[str, None]]) -> Iterator[str]:
    """Yield fields grouped by their operands: ``A and B start_address, LBO``."""
    by: dict[tuple[str, ...], list[str]] = {}
    for key, operands in unknown.items():
        by.setdefault(tuple(name for name in OPERANDS if name in operands), []).append(NICK.get(key, key))
    for names, keys in by.items():
        yield f"{' and '.join(OPERAND_TITLES[name] for name in names)} {', '.join(keys)}"


def _pair(pair: FunctionPair, names: Names) -> Iterator[RenderableType]:
    assert pair.source is not None
    assert pair.target is not None
    earlier, later = pair.forms
    yield names_line(pair.source.function.name, pair.target.function.name, names)
    arch = f", {pair.target.place.arch}" if pair.target.place.arch else ""
    count, alike = (sum(entry.status in of for entry in pair.entries) for of in ((AGREES, DIFFERS), (AGREES,)))
    where = f"  line {pair.source.function.line} -> line {pair.target.function.line}{arch}, "
    yield line((where, "faint"), (f"{alike} of {many(count, 'pair')} agree", "faint"))
    groups: dict[object, list[MmaPair]] = {}
    for entry in pair.entries:
        if entry.status == DIFFERS:
            groups.setdefault(_alike(entry), []).append(entry)
    for group in groups.values():
        yield from _difference(group, pair.forms)
    for turned in pair.order:
        (first, second), (low, high) = turned.source, turned.target
        text = f"{later} lines {low}, {high} are lines {first}, {second} of the {earlier}: the order is changed"
        yield beside(line("  ", ("differs  ", "error")), text)
    for field in pair.maps:
        yield beside(line("  ", ("differs  ", "error")), str(field))
    for entry in pair.entries:
        if entry.status == ONLY_SOURCE and entry.source is not None:
            yield beside(line("  ", (f"only in the {earlier}  ", "error")), _shown(entry.source))


def _alike(entry: MmaPair) -> object:
    """Return a key equal for differences that are shown as one: they may differ in start addresses only."""
    fields = [
        (field.operand, field.key, *(() if field.key == START else (field.old, field.new))) for field in entry.fields
    ]
    return tuple(fields), entry.function


def _difference(group: Sequence[MmaPair], forms: tuple[str, str]) -> Iterator[RenderableType]:
    """Yield the first of several differences with equal keys."""
    entry = group[0]
    assert entry.source is not None
    assert entry.target is not None
    times = f"{len(group)} x, first " if len(group) > 1 else ""
    of = f" in {printable(entry.function)}" if entry.function else ""
    yield beside(line("  ", ("differs  ", "error")), f"{times}{forms[0]} {_shown(entry.source)}{of}")
    yield beside(" " * len("  differs  "), f"{forms[1]} {_shown(entry.target)}")
    for change in entry.fields:
        if change.operand is None:
            yield beside(line("    ", (f"{change.key}  ", "key")), " -> ".join(change.texts))
    for name, operand in zip(OPERANDS, entry.operands, strict=True):
        fields = [field for field in entry.fields if field.operand == name]
        if fields and operand is not None:
            both = (digits(bits.bits, bits.known, bits.kind.table.width) for bits in operand)
            yield operand_line(name, " -> ".join(both), "; ".join(map(str, fields)))


def _shown(mma: ScannedMma) -> str:
    return f"line {mma.line}: {printable(mma.text)}"
