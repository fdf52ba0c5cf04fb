"""The text of :func:`smemdesc.render.json.line` made fast for streams.

:class:`Stream` writes it without building the object: every field and every rule remembers its piece of text by the
bits that it reads, so that a line is a handful of look-ups. The caches are bounded, and tests hold the two against each
other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from functools import partial
from operator import itemgetter

from smemdesc.descriptors.decoding import decode_literal, nearest
from smemdesc.descriptors.near_misses import generation
from smemdesc.descriptors.quick import (
    CAP,
    SHARED,
    Memory,
    Ordered,
    Parted,
    deciding,
    freed,
    grader,
    near_test,
    settle_test,
    slip_test,
)
from smemdesc.descriptors.ranking import near_whole, settle, wide_kinds
from smemdesc.descriptors.readings import FITS, FITS_NOT, WHOLE, Candidate
from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.text import WIDEST, parse
from smemdesc.render.json import dumps, line, neighbor_dict
from smemdesc.rules.base import ERROR, RANK, WARNING, Finding, worst_first
from smemdesc.rules.causes import CAUSES, of_one_value

quoted = json.encoder.encode_basestring_ascii


def says_failure(text: str, strict: bool) -> bool:
    """Whether a line of JSON holds an error finding; ``strict``: or a warning.

    Quotes within strings are escaped, so this is exact.
    """
    return f'"severity": "{ERROR}"' in text or (strict and f'"severity": "{WARNING}"' in text)


_LINES = 2048
"""Entries of a memory of whole lines, which are long and, in real streams, few."""
_RULES = 1000  # more than there are
_LAST = _RULES - 1
Ranked = tuple[int, str, Finding]
"""A number to sort by, a finding as text, and itself."""


class _Kind:
    """The JSON text of whole, wholly known values of one kind, in pieces that are remembered by their bits."""

    def __init__(self, kind: Kind, context: Context, near: bool = False) -> None:
        """``near``: name the other generation."""
        self.near = near
        table = kind.table
        self.more: list[Ranked] = []
        self.kind = kind
        self.table = table
        self.context = context
        variant = f'"variant": {dumps(kind.variant)}, ' if kind.variant else ""
        self.head = f'"kind": {dumps(kind.name)}, "mma_kind": {dumps(kind.mma_kind)}, {variant}"fields": {{'
        self.digits = table.width // 4
        self.freed = freed(kind) if context.arch is None else 0
        self.rules = Parted(kind, context)
        # The first field, where no rule reads it, changes nothing else: the K steps of a kernel are one look-up.
        first = table.rows[0].key
        self.free = 0 if self.rules.reads & table.masks[first] else table.masks[first]
        self.rest = table.full & ~self.free
        self.first = Memory(partial(self._fields, [first])).__getitem__
        keys = [row.key for row in table.rows]
        self.fields = self._shared([[key] for key in (keys[1:] if self.free else keys)])
        self.remembered = self.rules.remembered(self._found)
        self.after = Memory(self._after, _LINES).__getitem__
        self.grade = Memory(grader(self.rules if context == NOTHING else Parted(kind)), _LINES).__getitem__
        self.ordinary = Memory(self._ordinary, _LINES).__getitem__

    def but(self, more: tuple[Finding, ...]) -> _Kind:
        """Return the same for values that have these findings, beside those of the rules."""
        other = copy(self)
        other.near = False
        other.more = _ranked(list(more), _LAST)
        other.after = Memory(other._after, _LINES).__getitem__
        return other

    def _ordinary(self, bits: int) -> bool:
        return Candidate(self.kind, WHOLE, bits, self.table.full).ordinary()

    def _shared(self, groups: list[list[str]]) -> list[tuple[Callable[[int], str], int]]:
        """Join neighbouring groups of fields while they have few bits, each with one memory."""
        joined: list[list[str]] = []
        for group in groups:
            if joined and deciding(self.kind, [*joined[-1], *group]).bit_count() <= SHARED:
                joined[-1] += group
            else:
                joined.append(list(group))
        return [(Memory(partial(self._fields, keys)).__getitem__, deciding(self.kind, keys)) for keys in joined]

    def _fields(self, keys: list[str], bits: int) -> str:
        texts = []
        for key in keys:
            row, value = self.table.by_key[key], self.table.value(key, bits)
            said = value if value.__class__ is int else dumps(value)
            texts.append(
                f'"{key}": {{"hi": {row.hi}, "lo": {row.lo}, "raw": {self.table.raw(key, bits)}, "value": {said}}}'
            )
        return ", ".join(texts)

    def _found(self, rules: list[Ordered], bits: int) -> list[Ranked]:
        readings = self.table.read(bits)
        return [each for order, rule in rules for each in _ranked(rule.ask(self.kind, readings, self.context), order)]

    def _after(self, bits: int) -> str:
        """Return the text after the free field: the other fields and the findings."""
        texts = [text(bits & mask) for text, mask in self.fields]
        found = [*self.more]
        for said, mask in self.remembered:
            found += said(bits & mask)
        for each, answer in self.rules.answers(bits):
            found += _ranked(each.rule.dress(answer), each.order)
        found.sort(key=_RANK)
        written = [text for _, text, _ in found]
        if not _FOLLOWING.isdisjoint([each.rule for *_, each in found]):
            followed = worst_first(of_one_value(each for *_, each in found))
            alone = {each: text for _, text, each in found}
            written = [alone.get(each) or _finding(each) for each in followed]
        end = self._other(bits) if self.near else ""
        return f'{", ".join(texts)}}}, "findings": [{", ".join(written)}]{end}}}'

    def _other(self, bits: int) -> str:
        other = generation(self.kind, bits, self.table.full, self.context.arch)
        return f', "near": {dumps([neighbor_dict(other)])}' if other else ""

    def text(self, given: str, bits: int) -> str:
        """Return the line of one value; ``given`` is what was typed."""
        head = f'{{"input": "{given}", "value": "0x{bits:0{self.digits}x}", {self.head}'
        if not self.free:
            return head + str(self.after(bits))
        return f"{head}{self.first(bits & self.free)}, {self.after(bits & self.rest)}"


def _ranked(findings: list[Finding], order: int) -> list[Ranked]:
    """Return findings as text: worst first, then in the order of the rules."""
    return [(RANK[each.severity] * _RULES + order, _finding(each), each) for each in findings]


def _finding(each: Finding) -> str:
    """Return a finding as :func:`dumps` writes :func:`finding_dict`, which sets up an encoder for each."""
    text = (
        f'{{"severity": "{each.severity}", "rule": "{each.rule}", "fields": {_NAMES[each.fields]}, '
        f'"message": {quoted(each.message)}'
    )
    if each.likely:
        text += f', "likely": {quoted(each.likely)}'
    if each.fix:
        text += f', "fix": {quoted(each.fix)}'
    if each.repair:
        value = each.repair.value
        text += f', "repair": {{"{each.repair.field}": {value if value.__class__ is int else dumps(value)}}}'
    if each.next:
        text += f', "next": {quoted(each.next)}'
    if each.because:
        text += f', "because": "{each.because}"'
    return f'{text}, "source": {quoted(each.source)}}}'


class _Names(dict[tuple[str, ...], str]):
    """Names of fields as lists."""

    def __missing__(self, names: tuple[str, ...]) -> str:
        made = self[names] = dumps(list(names))
        return made


_NAMES = _Names()
_FOLLOWING = frozenset(CAUSES)
_RANK = itemgetter(0)
_PLAIN = re.compile(r"0[xX](?:[1-9a-fA-F][0-9a-fA-F]{0,15}|[0-9a-fA-F]{8}|[0-9a-fA-F]{16})").fullmatch
"""Hexadecimal numbers about whose count of digits there is nothing to say, but for those of 7 and 15."""
_ODD = (2 + 7, 2 + 15)
_WRITTEN_WIDE = 2 + WIDEST // 4


class Stream:
    """Texts into lines of JSON; the same text as :func:`line`, with what can be remembered remembered.

    ``kind``, ``mma_kind`` and ``context`` are those of :func:`smemdesc.decode`.
    """

    def __init__(self, kind: str | None = None, mma_kind: str | None = None, context: Context = NOTHING) -> None:
        if kind is None and mma_kind is not None:
            kind = "idesc"
        kind = kind.lower() if kind else None
        self._asked = kind
        self._mma_kind = mma_kind
        self._context = context
        self._expands = bool(context.m and context.n)
        self._known: dict[str, _Kind] = {}
        self._one: _Kind | None = None
        if kind is not None and (mma_kind or kind != "idesc"):
            self._one = self._of(kind_of(kind, mma_kind, context.arch))
        self._wide = wide_kinds(context.arch)
        self._slip: Callable[[int], bool] | None = None
        self._is_near = near_test(tuple(kind for kind in self._wide if kind.name != "mask"))
        self._most, self._all = ones(WORD), ones(WIDEST)
        self._after_input = Memory(self._without_input, _LINES).__getitem__
        self._settled = settle_test(self._wide)
        self._far = ""
        self._near = {kind.id: Memory(partial(self._nearest, kind)) for kind in self._wide}
        self._steady = ~min(self._of(kind).free or 0 for kind in self._wide if kind.name != "mask")
        self._taken: dict[int, _Kind] = {}
        self._freed = [
            (kind.table.must_mask, kind.table.must_value, kind.table.must_mask & ~self._of(kind).freed)
            for kind in self._wide
            if self._of(kind).freed
        ]

    def _of(self, kind: Kind) -> _Kind:
        if kind.id not in self._known:
            self._known[kind.id] = _Kind(kind, self._context, near=self._asked is None)
        return self._known[kind.id]

    def line(self, text: str) -> str:
        """Return the line of JSON of one pasted value, without the newline. Raises what decoding raises."""
        if _PLAIN(text) is None or self._expands or len(text) == _ODD[1]:
            return self._slow(text)
        bits = int(text, 16)
        one = self._one
        if one is not None and len(text) != _ODD[0]:
            if bits > self._most if one.table.width > WORD else bits <= self._most:
                if one.freed and one.freed & (bits ^ one.table.must_value):
                    return self._slow(text)  # a newer table may fit it
                return one.text(text, bits)
            return self._slow(text)
        if self._asked is None and (bits > self._most or len(text) == _WRITTEN_WIDE):
            return self._whole(text, bits)
        # A word has many readings to weigh, and a dump repeats its instruction descriptors.
        return f'{{"input": "{text}{self._after_input(text.lower())}'

    def _without_input(self, text: str) -> str:
        return self._slow(text).removeprefix(f'{{"input": "{text}')

    def _slow(self, text: str) -> str:
        return line(decode_literal(parse(text), self._asked, self._mma_kind, self._context), self._context)

    def _whole(self, text: str, bits: int) -> str:
        if not bits & self._most:
            return self._slow(text)  # an instruction descriptor may stand in the high word
        taken = self._taken.get(bits & self._steady)
        if taken is not None:
            return taken.text(text, bits)
        kinds = self._settled(bits)
        slip = self._slip or self._slip_test()
        if kinds == ():
            if len(text) != _WRITTEN_WIDE or self._context.arch is not None or slip(bits):
                return self._slow(text)
            return f'{{"input": "{text}", "value": "0x{bits:016x}"{self._far or self._learn_far(text, bits)}'
        grade = FITS_NOT
        if kinds is None:
            kinds, grade = settle(self._wide, bits, self._all, self._grade)
        if not grade and (self._context.arch is not None or self._may_be_newer(bits)):
            return self._slow(text)  # it may fit another architecture
        if len(kinds) > 1:
            if grade or len(kinds) < len(self._wide) or len(text) != _WRITTEN_WIDE or slip(bits) or self._is_near(bits):
                return self._slow(text)
            return f'{{"input": "{text}", "value": "0x{bits:016x}"{self._far or self._learn_far(text, bits)}'
        only = self._of(kinds[0])
        ordinary = grade == FITS and only.ordinary(bits & only.rest)
        if not ordinary and (len(text) != _WRITTEN_WIDE or slip(bits) or self._is_near(bits)):
            return self._slow(text)
        # What the others rule out by their constants holds for every start address.
        if ordinary and only.free and all(kind is only.kind or kind.table.wrong_constants(bits) for kind in self._wide):
            if len(self._taken) >= CAP:
                self._taken.clear()
            self._taken[bits & self._steady] = only
        if not grade:
            table = only.table
            only = self._near[kinds[0].id][(bits ^ table.must_value) & table.must_mask]
        return only.text(text, bits)

    def _slip_test(self) -> Callable[[int], bool]:
        # Made for the first value that asks: ordinary descriptors do not.
        self._slip = slip_test(tuple(kind for kind in self._wide if kind.name != "mask"))
        return self._slip

    def _learn_far(self, text: str, bits: int) -> str:
        # Nothing is near: all kinds have no field in common, so that nothing after the value depends on it.
        self._far = self._slow(text).partition(f'"value": "0x{bits:016x}"')[2]
        return self._far

    def _may_be_newer(self, bits: int) -> bool:
        """Whether what is wrong with a value is only in bits that a newer table reads otherwise."""
        for mask, value, kept in self._freed:  # noqa: SIM110 (a call less for every value of a stream)
            if not (bits ^ value) & kept and (bits ^ value) & mask:
                return True
        return False

    def _nearest(self, kind: Kind, amiss: int) -> _Kind:
        """Return the pieces for values that fit nothing and are nearest to a kind, by what is wrong with its constants:
        nothing else decides what is said of how near they are."""
        identified = near_whole([Candidate(kind, WHOLE, kind.table.must_value ^ amiss, kind.table.full)])
        key = f"{identified.reason}, {identified.near}"
        if key not in self._known:
            self._known[key] = self._of(kind).but(nearest(identified))
        return self._known[key]

    def _grade(self, kind: Kind, bits: int, known: int) -> int:
        own = self._of(kind)
        return int(own.grade(bits & own.rest))
