"""What ``scan`` shows of a file first: how much there is and is known, the distinct descriptors, the findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.descriptors.explain import summary
from smemdesc.engine.wording import many, printable
from smemdesc.kinds.names import KINDS, SMEM_KINDS
from smemdesc.render.descriptor import TITLES, digits_of, kinds_of, swizzle_of
from smemdesc.render.parts import Beside, beside, labelled, line
from smemdesc.rules.base import RANK
from smemdesc.scanning import sources
from smemdesc.scanning.folding import Place, Tally, Use

MOST = 40
"""Distinct descriptors that are listed before the rest is counted."""


class Overview(NamedTuple):
    """The summary of one file; ``wanted`` is the pattern that functions' names were to fit.

    ``only`` are the findings that were asked for, ``kind`` is the kind of descriptors.
    """

    name: str
    tally: Tally
    wanted: str | None = None
    every: bool = False
    only: tuple[str, ...] = ()
    kind: str | None = None
    note: str = ""
    """What was read, where that is more than one dump."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        tally = self.tally
        name = sources.shown(self.name)
        head = line((printable(name), "value"), "  " if name else "")
        if self.wanted is not None and not tally.functions:
            yield beside(head, (f"no function is named {printable(self.wanted)}", "warning"))
            return
        if self.only and not tally.with_mmas and tally.looked.instructions:
            count, known = tally.looked
            text = f"no {' or '.join(self.only)} in {many(count, 'instruction')}"
            text += "" if known == count else f", of which the descriptors of {known} are known well enough to check"
            yield beside(head, (text, "heading"))
            return
        if self.kind is not None and tally.functions and not tally.with_mmas and not tally.values:
            yield beside(head, (f"no instruction with a {self.kind} descriptor", "heading"))
            return
        text = _summary(tally, " or ".join(self.only) or "MMAs")
        if self.note:
            text = text.removesuffix(_NO_VALUE)  # in binaries and folders none is looked for
        yield beside(head, (text, "heading"))
        if self.note:
            yield labelled("read", self.note)
        if tally.older:
            counts = ", ".join(f"{count} {name}" for name, count in sorted(tally.older.items()))
            yield labelled("without descriptors", counts)
        if tally.unknown:
            yield labelled("not known", (unread(tally.unknown), "warning"))
        yield from _known(tally)
        if tally.mmas or tally.copies:
            yield _findings(tally)
        if tally.odd:
            yield labelled("not understood", (many(tally.odd, "line"), "warning"))
        if tally.with_mmas > 1:
            yield from _descriptors(tally, self.kind, self.every)
            yield from _places(tally)


def unread(names: Iterable[str]) -> str:
    """Say which dialects of MLIR are not known here."""
    dialects = sorted(map(printable, names))
    several = len(dialects) > 1
    what = f"MLIR of dialect{'s' if several else ''} {', '.join(dialects)}"
    return f"{what}: {'their' if several else 'its'} tensor-core instructions are not known here"


_NO_VALUE = ", and no value that looks like a descriptor"


def _summary(tally: Tally, wanted: str) -> str:
    if not tally.with_mmas and (not tally.functions or tally.values):
        if tally.values:
            return f"no tensor-core instruction; {many(tally.values, 'value')} that may be a descriptor"
        return f"no tensor-core instruction{_NO_VALUE}"
    text = f"{many(tally.functions, 'function')}, {tally.with_mmas} with {wanted}: {many(tally.mmas, 'MMA')}"
    if tally.copies:
        text += f" and {tally.copies} tcgen05.cp"
    if tally.mmas or tally.copies:
        text += f", {many(len(tally.descriptors), 'distinct descriptor')}, ignoring start addresses"
    return text


def _known(tally: Tally) -> Iterator[RenderableType]:
    parts = []
    for kind in KINDS:
        if tally.operands[kind]:
            share = _percent(100 * tally.known[kind] / tally.bits[kind])
            what = "swizzle and SBO" if kind in SMEM_KINDS else "all"
            parts.append(f"{kind} {what} in {tally.whole[kind]} of {tally.operands[kind]}, {share} of the bits")
    if parts:
        yield labelled("resolved", "; ".join(parts) + "; ignoring start addresses")


def _percent(share: float) -> str:
    return "100%" if share == 100 else f"{min(share, 99.9):.1f}%"


def _findings(tally: Tally) -> RenderableType:
    """Say what was found, and of how much: what is not known cannot be wrong."""
    checked, of = tally.checked
    share = "" if checked == of else f"{checked} of {many(of, 'descriptor')} could be checked"
    if tally.rules:
        ordered = sorted(tally.rules.items(), key=lambda each: (RANK[each[0][0]], -each[1], each[0][1]))
        texts = [f"{severity} {rule} x {count}" for (severity, rule), count in ordered]
        return labelled("findings", (", ".join(texts), ordered[0][0][0]), f"; {share}" if share else "")
    if not checked:
        return labelled("findings", ("nothing could be checked: too little of the descriptors is known", "warning"))
    if share:
        return labelled("findings", f"none, but only {share}")
    return labelled("findings", ("none", "good"))


def _descriptors(tally: Tally, kind: str | None, every: bool) -> Iterator[RenderableType]:
    """List the distinct descriptors, those that are used most first."""
    order = {name: place for place, name in enumerate(KINDS)}
    listed = [
        (key[0].partition(":")[0], use)
        for key, use in sorted(
            tally.descriptors.items(), key=lambda each: (order[each[0][0].partition(":")[0]], -each[1].times)
        )
        if kind in (None, key[0].partition(":")[0])
    ]
    if not listed:
        return
    shown = listed if every else listed[:MOST]
    yield Text()
    yield line(("descriptors", "heading"))
    wide = max(len(name) for name, _ in shown)
    hex_wide = max(len(digits_of(use.result)) for _, use in shown)
    before = None
    for name, use in shown:
        label = line("  ", (f"{name:{wide}}  ", "key"), (f"{digits_of(use.result):{hex_wide}}  ", "value"))
        where = _where(use.functions, use.first, before)
        before = use.first
        yield Beside(label, Text(f"{_says(use)}; {use.times} x in {where}"))
    if len(shown) < len(listed):
        yield line((f"  and {len(listed) - len(shown)} more: --all lists them", "faint"))


def _says(use: Use) -> str:
    """Say what a descriptor holds, whatever it is used for."""
    result = use.result
    if not result.settled:
        return kinds_of(result)
    candidate = result.candidates[0]
    fields = result.candidates[0].fields
    if "swizzle" not in fields:
        return summary(candidate.kind, dict(fields))
    words = [swizzle_of(fields["swizzle"])]
    for key, nick in (("leading_byte_offset", "LBO"), ("stride_byte_offset", "SBO")):
        words.append(f"{nick} {fields[key].value} B" if fields[key].complete else f"{nick} ?")
    if fields["base_offset"].raw:
        words.append(f"base offset {fields['base_offset'].raw}")
    cases = [case for case, _ in use.cases.most_common(_CASES) if case]
    if cases:
        words.append(", ".join(cases) + (", ..." if len(use.cases) > _CASES else ""))
    return "; ".join(words)


_CASES = 3
"""Readings (``K-major bf16``) that are named."""


def _where(functions: int, first: Place, before: Place | None) -> str:
    """Say where something is first; ``before``: what was said above, of which the function is not said again."""
    member = f" of {printable(first.member)}" if first.member else ""
    text = f"{many(functions, 'function')}, first in line {first.line}{member}"
    same = before is not None and (before.member, before.function) == (first.member, first.function)
    return f"{text} ({printable(first.function)})" if first.function and not same else text


def _places(tally: Tally) -> Iterator[RenderableType]:
    """List the findings by rule, each with its first place."""
    if not tally.rules:
        return
    yield Text()
    yield line(("findings", "heading"))
    before = None
    for key in sorted(tally.places, key=lambda key: (RANK[key[0]], -tally.rules[key], key[1])):
        place = tally.places[key]
        label = line("  ", (f"{key[0]} {key[1]}", key[0]), "  ")
        operand = f"{TITLES[place.operand]}: " if place.operand else ""
        where = _where(tally.of_rule[key], place.first, before)
        before = place.first
        yield Beside(label, Text(f"{operand}{place.message}; {tally.rules[key]} x in {where}"))
