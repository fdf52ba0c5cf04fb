"""The view of ``scan --diff``: the functions of two dumps that differ, and their different descriptors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import listed_words, many, printable
from smemdesc.instructions.model import OPERANDS
from smemdesc.layout.strides import NICK
from smemdesc.reading.text import digits
from smemdesc.render.descriptor import OPERAND_TITLES, fields_text, mode_texts
from smemdesc.render.parts import as_view, beside, line
from smemdesc.scanning.inputs import spool
from smemdesc.scanning.model import DescriptorBits
from smemdesc.scanning.results.comparison import (
    CHANGED,
    UNCLEAR,
    WITHOUT_EFFECT,
    DescriptorChange,
    FunctionComparison,
    MmaGroup,
    ScannedFunction,
    field_text,
)
from smemdesc.scanning.results.function_names import AS_THEY_ARE, Names

_STYLES = {"changed": "changed", "appeared": "good", "vanished": "error", UNCLEAR: "warning"}


@as_view
def diff_view(
    old: str,
    new: str,
    pairs: Sequence[FunctionComparison],
    unread: tuple[bool, bool] = (False, False),
    missing: bool = False,
    names: Names = AS_THEY_ARE,
) -> Iterator[RenderableType]:
    """Two dumps, function by function.

    ``unread``: whether parts of each dump could not be read. ``missing``: whether one dump could not be read at
    all, so that nothing was compared.
    """
    functions = _ByChange(pairs)
    old, new = (printable(spool.shown_name(name)) for name in (old, new))
    head = line((old, "value"), " -> ", (new, "value"), "  ")
    failed = " and ".join(name for name, wrong in zip((old, new), unread, strict=True) if wrong)
    if missing:
        yield beside(head, ("not compared", "heading"))
        yield line((f"  {failed} could not be read (see the errors)", "warning"))
        return
    yield beside(head, (functions.counts() + "; ignoring start addresses", "heading"))
    if failed:
        yield line((f"  parts of {failed} could not be read (see the errors)", "warning"))
    if not pairs:
        yield line(("  no tensor-core instruction in either", "warning"))
    elif functions.all_same:
        yield _same(functions.both, "that could be read " if failed else "")
    for pairs_alike in (*alike(functions.differ), *alike(functions.unclear), *alike(functions.quiet)):
        yield from _pairs_alike(pairs_alike, names)
    for pair in functions.ambiguous:
        yield from _ambiguous(pair, names)
    for title, places in (("only in the old one", functions.only_old), ("only in the new one", functions.only_new)):
        if places:
            yield Text()
            yield line((title, "heading"))
            for place in places:
                yield from _alone(place, names)


class _ByChange:
    """The functions of two dumps by what the comparison found."""

    def __init__(self, pairs: Sequence[FunctionComparison]) -> None:
        self.both = [pair for pair in pairs if pair.old and pair.new]
        self.differ = [pair for pair in self.both if pair.status == CHANGED]
        self.unclear = [pair for pair in self.both if pair.status == UNCLEAR]
        self.quiet = [pair for pair in self.both if pair.status == WITHOUT_EFFECT]
        self.ambiguous = [pair for pair in pairs if pair.is_ambiguous]
        self.only_old = [pair.old for pair in pairs if pair.old and not pair.new]
        self.only_new = [pair.new for pair in pairs if pair.new and not pair.old]

    @property
    def all_same(self) -> bool:
        """Whether the descriptors of all functions are the same, as far as they are known."""
        return not (self.differ or self.unclear or self.quiet or self.ambiguous or self.only_old or self.only_new)

    @property
    def unpaired(self) -> int:
        """How many functions of both are not paired since it is not clear which belong together."""
        return sum(len(places) for pair in self.ambiguous for places in pair.ambiguous)

    def counts(self) -> str:
        """Return how many there are of each."""
        counts = (
            f"{many(len(self.both), 'function')} with MMAs in both",
            f"{len(self.differ)} with different descriptors",
            f"{len(self.quiet)} with changes without effect" if self.quiet else "",
            f"{len(self.unclear)} not wholly known" if self.unclear else "",
            f"{self.unpaired} of which it is not clear which belong together" if self.ambiguous else "",
            f"{len(self.only_old)} only in the old one" if self.only_old else "",
            f"{len(self.only_new)} only in the new one" if self.only_new else "",
        )
        return ", ".join(filter(None, counts))


def _same(both: Sequence[FunctionComparison], which: str) -> RenderableType:
    """Say that the descriptors are the same, as far as they are known."""
    used = [use for pair in both if pair.new is not None for use in pair.new.used]
    every, partly = sum(use.times for use in used), sum(use.times for use in used if not use.whole)
    if not partly:
        return line((f"  the descriptors {which}are the same", "good"))
    far = f"as far as known: in {partly} of {many(every, 'instruction')} some bits are unknown"
    return line((f"  the descriptors {which}are the same, {far}", "heading"))


def alike(pairs: Iterable[FunctionComparison]) -> list[list[FunctionComparison]]:
    """Return the functions in groups with the same changes."""
    groups: dict[object, list[FunctionComparison]] = {}
    for pair in pairs:
        groups.setdefault((pair.maps, tuple(map(_change_key, pair.changes))), []).append(pair)
    return list(groups.values())


def _change_key(change: DescriptorChange) -> object:
    if change.fields:
        fields = tuple((field.operand, field.key, *field.texts) for field in change.fields)
        return change.what, change.has_effect, fields
    return change.what, *((side and (side.mnemonic, side.operands)) for side in (change.old, change.new))


def change_text(change: DescriptorChange) -> str:
    """Return what changed, in a few words: ``B LBO 16384 B -> 0 B, without effect``."""
    effect = "" if change.has_effect or change.what == UNCLEAR else ", without effect"
    there = change.new or change.old
    if change.fields:
        words = ", ".join(f"{OPERAND_TITLES[field.operand]} {field}" for field in change.fields if field.operand)
        return words + effect
    both = [printable(side.mnemonic) for side in (change.old, change.new) if side is not None]
    if len(both) > 1 and both[0] != both[1]:
        return " -> ".join(both)
    return f"{_count(there)}" if there is not None else ""


def comparison_text(pair: FunctionComparison) -> str:
    """Return what changed in a function, in a few words."""
    texts = [f"{change.what} {change_text(change)}" for change in pair.changes]
    return "; ".join(dict.fromkeys([*texts, *map(str, pair.maps)]))


def place_text(place: ScannedFunction) -> str:
    """Return the file and the line of a function; in a folder, the file's name there."""
    return f"{printable(place.path or spool.shown_name(place.file))}:{place.line}"


def _pairs_alike(pairs: Sequence[FunctionComparison], names: Names) -> Iterator[RenderableType]:
    """Functions of both dumps with the same changes: the first of them, and how many there are."""
    pair = pairs[0]
    assert pair.old is not None
    assert pair.new is not None
    yield Text()
    if len(pairs) > 1:
        yield beside(line((f"{many(len(pairs), 'function')}: ", "heading")), comparison_text(pair))
        yield beside("  the first: ", names_line(pair.old.name, pair.new.name, names).plain)
    else:
        yield names_line(pair.old.name, pair.new.name, names)
    old, new = pair.old, pair.new
    archs = f", {old.arch} -> {new.arch}" if old.arch and new.arch and old.arch != new.arch else ""
    yield beside("  ", (f"{place_text(old)} -> {place_text(new)}{archs}", "faint"))
    for change in pair.changes:
        yield from _change(change)
    for field in pair.maps:
        yield beside(line("  ", ("changed  ", _STYLES["changed"])), str(field))


def _ambiguous(pair: FunctionComparison, names: Names) -> Iterator[RenderableType]:
    """Functions of which it is not clear which belong together."""
    count = max(map(len, pair.ambiguous))
    yield Text()
    head = line((f"ambiguous: {many(count, 'function')} named ", "warning"), (names(pair.name), "heading"))
    yield beside(head, "; not compared: several pairings are equally likely")
    for title, places in zip(("old", "new"), pair.ambiguous, strict=True):
        yield beside(f"  {title}  ", listed_words([place_text(place) for place in places], _MOST_PLACES))


_MOST_PLACES = 3
"""The most places of functions that are listed."""


def names_line(old: str | None, new: str | None, names: Names) -> Text:
    """Return the name of a function on both sides."""
    before, after = names(old), names(new)
    text = before if before == after else f"{before} -> {after}"
    return Text(text, "heading", no_wrap=True, overflow="ignore")


def _change(change: DescriptorChange) -> Iterator[RenderableType]:
    old, new = change.old, change.new
    head = line("  ", (f"{change.what}  ", _STYLES[change.what]))
    if old is None or new is None:
        used = new or old
        assert used is not None
        yield beside(head, f"{_count(used)}, first in line {used.line}")
        for name, bits in _operands(used):
            yield operand_line(name, _digits(bits), _describe(bits))
        return
    count = _count(old) if _count(old) == _count(new) else f"{_count(old)} -> {_count(new)}"
    effect = "" if change.has_effect or change.what == UNCLEAR else ", without effect"
    yield beside(head, f"{count}, first in line {old.line} -> {new.line}{effect}")
    for name, before, after in zip(OPERANDS, old.operands, new.operands, strict=True):
        if before == after:
            if change.what == UNCLEAR and before is not None and not before.known:
                yield operand_line(name, _digits(before), "nothing is known of either")
            continue
        fields = [field for field in change.fields if field.operand == name]
        yield operand_line(name, f"{_digits(before)} -> {_digits(after)}", "; ".join(map(str, fields)))


def operand_line(name: str, digits: str, text: str) -> RenderableType:
    """Return the line of one operand: its name, its digits and what they mean."""
    return beside(line("    ", (f"{OPERAND_TITLES[name]}  ", "key"), (digits, "value"), "  "), text)


def _alone(place: ScannedFunction, names: Names) -> Iterator[RenderableType]:
    times = sum(used.times for used in place.used)
    yield beside(f"  {names(place.name)}  ", f"{place_text(place)}, {many(times, 'MMA')}")


def _operands(used: MmaGroup) -> Iterator[tuple[str, DescriptorBits]]:
    for name, bits in zip(OPERANDS, used.operands, strict=True):
        if bits is not None:
            yield name, bits


def _count(used: MmaGroup) -> str:
    return f"{used.times} x {printable(used.mnemonic)}"


def _digits(bits: DescriptorBits | None) -> str:
    return "none" if bits is None else digits(bits.bits, bits.known, bits.kind.table.width)


def _describe(bits: DescriptorBits) -> str:
    fields = bits.read()
    if "swizzle" not in fields:
        return fields_text(bits.kind, fields)
    words = [f"{NICK.get(key, key)} {field_text(fields[key])}" for key in ("swizzle", *NICK)]
    return "; ".join(words + mode_texts(fields))
