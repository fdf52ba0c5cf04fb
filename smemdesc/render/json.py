"""The JSON that scripts rely on, one object a line; and the same text made fast for streams.

:func:`as_dict` defines the object. :class:`Stream` writes the identical text without building it: every
field and every rule remembers its piece of text by the bits that it reads, so that a line is a handful
of look-ups. The caches are bounded, and tests hold the two against each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from smemdesc.context import NOTHING, Context
from smemdesc.decode import Disputed, Result, decode_literal
from smemdesc.encode import to_hex
from smemdesc.fields import WORD, Field, Reading, ones
from smemdesc.findings.base import ERROR, RANK, Finding, Rule, rules_for
from smemdesc.identify import WHOLE, fits_whole, settle, wide_kinds
from smemdesc.kinds import Kind, kind_of
from smemdesc.values import WIDEST, parse

if TYPE_CHECKING:
    from smemdesc.diff import Difference

dumps = json.dumps


def field_dict(reading: Reading | Disputed) -> dict[str, Any]:
    """Return the object of one field."""
    out: dict[str, Any] = {
        "hi": reading.hi,
        "lo": reading.lo,
        "raw": reading.raw,
        "value": reading.value,
    }
    if isinstance(reading, Reading) and not reading.complete:
        digits = (reading.field.width + 3) // 4
        out["known"] = f"0x{reading.known:0{digits}x}"
    return out


def finding_dict(finding: Finding) -> dict[str, Any]:
    """Return the object of one finding; ``likely`` and ``fix`` only where the rule says something."""
    out: dict[str, Any] = {
        "severity": finding.severity,
        "rule": finding.rule,
        "fields": list(finding.fields),
        "message": finding.message,
    }
    if finding.likely:
        out["likely"] = finding.likely
    if finding.fix:
        out["fix"] = finding.fix
    out["source"] = finding.source
    return out


def as_dict(result: Result) -> dict[str, Any]:
    """Return the object of one decoded value."""
    out: dict[str, Any] = {
        "input": result.text.strip(),
        "value": f"0x{result.value:0{result.width // 4}x}",
    }
    if result.known.bit_count() < result.width:
        out["known"] = f"0x{result.known:0{result.width // 4}x}"
    out["kind"] = result.kind
    out["mma_kind"] = result.mma_kind
    if result.view != WHOLE:
        out["view"] = result.view
    if not result.settled:
        out["candidates"] = [each.candidate.id for each in result.candidates]
    out["fields"] = {key: field_dict(reading) for key, reading in result.fields.items()}
    out["findings"] = [finding_dict(finding) for finding in result.findings]
    return out


def line(result: Result) -> str:
    """Return one decoded value as one line of JSON, without the newline."""
    return dumps(as_dict(result))


def diff_dict(difference: Difference) -> dict[str, Any]:
    """Return the object of two compared values: each field that differs, and the remarks."""
    return {
        "a": to_hex(difference.a.bits, difference.a.known, difference.kind.table.width),
        "b": to_hex(difference.b.bits, difference.b.known, difference.kind.table.width),
        "kind": difference.kind.name,
        "mma_kind": difference.kind.mma_kind,
        "same": difference.same,
        "fields": {
            row.key: {"a": field_dict(row.a), "b": field_dict(row.b), "delta": row.delta, "unit": row.unit or None}
            for row in difference.rows
            if row.changed
        },
        "remarks": list(difference.remarks),
    }


def says_error(text: str) -> bool:
    """Whether a line of JSON holds an error finding (quotes within strings are escaped, so this is exact)."""
    return f'"severity": "{ERROR}"' in text


_CAP = 16384
"""Entries that one cache holds before it begins anew: enough for every 14-bit field."""


class _Memory(dict[Any, Any]):
    """What a function returned, by its argument; bounded."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        if len(self) >= _CAP:
            self.clear()
        made = self[key] = self._make(key)
        return made


_WORTH_REMEMBERING = 14
"""A rule that reads more bits than this is asked each time: it would fill its memory and find nothing there."""
_BETWEEN = "\0"  # cannot stand in JSON text


class _Kind:
    """The JSON text of whole, wholly known values of one kind, in pieces that are remembered."""

    def __init__(self, kind: Kind, context: Context) -> None:
        table = kind.table
        rules = rules_for(kind)
        self.kind = kind
        self.table = table
        self.context = context
        self.head = f'"kind": {dumps(kind.name)}, "mma_kind": {dumps(kind.mma_kind)}, "fields": {{'
        self.digits = table.width // 4
        self.fields = [_Memory(self._field(row)).__getitem__ for row in table.rows]
        self.depends = [
            (index, table.index(row.codec.depends)) for index, row in enumerate(table.rows) if row.codec.depends
        ]
        self.remembered: list[tuple[Callable[[int], str], int]] = []
        self.asked: list[tuple[Rule, int, list[int]]] = []
        read = 0
        for order, each in enumerate(rules):
            mask = sum(table.masks[key] for key in self._decisive(each))
            read |= mask
            if not mask:
                continue
            if each.partial or mask.bit_count() <= _WORTH_REMEMBERING:
                self.remembered.append((_Memory(self._found(each, order)).__getitem__, mask))
            else:
                self.asked.append((each, order, [table.index(key) for key in each.reads]))
        self.always = "".join(self._found(each, order)(0) for order, each in enumerate(rules) if not each.reads)
        # The first field, where no rule reads it, changes nothing else: the K steps of a kernel are one look-up.
        first = table.masks[table.rows[0].key]
        self.free = 0 if read & first else first
        self.rest = table.full & ~self.free
        self.after = _Memory(self._after).__getitem__
        self.fits = _Memory(lambda bits: fits_whole(kind, bits, table.full)).__getitem__

    def _decisive(self, rule: Rule) -> set[str]:
        """The fields whose bits decide what a rule finds: those it reads, and those their meaning depends on."""
        depends = (self.table.by_key[key].codec.depends for key in rule.reads)
        return {*rule.reads, *filter(None, depends)}

    @staticmethod
    def _field(row: Field) -> Callable[[Any], tuple[str, Any]]:
        start = f'{dumps(row.key)}: {{"hi": {row.hi}, "lo": {row.lo}, "raw": '
        decode_raw = row.codec.decode

        def make(raw: Any) -> tuple[str, Any]:
            own, by = raw if isinstance(raw, tuple) else (raw, 0)
            value = decode_raw(own, by)
            return f'{start}{own}, "value": {dumps(value)}}}', value

        return make

    def _found(self, rule: Rule, order: int) -> Callable[[int], str]:
        """Return the findings of a rule as text (see :func:`_ranked`), by the bits that decide them."""

        def make(bits: int) -> str:
            return _ranked(rule.ask(self.kind, self.table.read(bits), self.context), order)

        return make

    def _after(self, bits: int) -> str:
        """Return the text after the free field: the other fields and the findings."""
        raws: list[Any] = self.table.unpack(bits)
        for index, on in self.depends:
            raws[index] = (raws[index], raws[on])
        pairs = [field(raw) for field, raw in zip(self.fields, raws, strict=True)]
        texts = [text for text, _ in (pairs[1:] if self.free else pairs)]
        found = self.always + "".join([ask(bits & mask) for ask, mask in self.remembered])
        for rule, order, indices in self.asked:
            values = [pairs[index][1] for index in indices]
            if None not in values:
                answer = rule.check(self.context, *values)
                if answer is not None:
                    found += _ranked(rule.dress(answer), order)
        if not found:
            return f'{", ".join(texts)}}}, "findings": []}}'
        pieces = found.split(_BETWEEN)
        pieces.pop()
        pieces.sort(key=_RANKED)
        return f'{", ".join(texts)}}}, "findings": [{", ".join([piece[2:] for piece in pieces])}]}}'

    def text(self, given: str, bits: int) -> str:
        """Return the line of one value; ``given`` is what was typed."""
        head = f'{{"input": "{given}", "value": "0x{bits:0{self.digits}x}", {self.head}'
        if not self.free:
            return head + str(self.after(bits))
        return f"{head}{self.fields[0](bits & self.free)[0]}, {self.after(bits & self.rest)}"


def _ranked(findings: list[Finding], order: int) -> str:
    """Return findings as text, each with two characters to sort it by before it and a mark after it."""
    return "".join([f"{RANK[each.severity]}{chr(order + 1)}{dumps(finding_dict(each))}{_BETWEEN}" for each in findings])


_RANKED = itemgetter(slice(2))
_PLAIN = re.compile(r"0[xX][0-9a-fA-F]{1,16}").fullmatch
_WRITTEN_WIDE = 2 + WIDEST // 4


class Stream:
    """Texts into lines of JSON; the same text as :func:`line`, with what can be remembered remembered.

    ``kind``, ``mma_kind`` and ``context`` are those of :func:`smemdesc.decode.decode`.
    """

    def __init__(self, kind: str | None = None, mma_kind: str | None = None, context: Context = NOTHING) -> None:
        if kind is None and mma_kind is not None:
            kind = "idesc"
        self._asked = kind
        self._mma_kind = mma_kind
        self._context = context
        self._known: dict[str, _Kind] = {}
        self._one: _Kind | None = None
        if kind is not None and (mma_kind or kind != "idesc"):
            self._one = self._of(kind_of(kind, mma_kind))
        self._wide = wide_kinds(context.arch)
        self._most = ones(WORD)
        self._after_input = _Memory(self._without_input).__getitem__
        self._unsettled: dict[tuple[Kind, ...], str] = {}
        self._steady = ~min(self._of(kind).free or 0 for kind in self._wide if kind.name != "mask")
        self._taken: dict[int, _Kind] = {}

    def _of(self, kind: Kind) -> _Kind:
        if kind.id not in self._known:
            self._known[kind.id] = _Kind(kind, self._context)
        return self._known[kind.id]

    def line(self, text: str) -> str:
        """Return the line of JSON of one pasted value, without the newline. Raises what decoding raises."""
        if _PLAIN(text) is None:
            return line(decode_literal(parse(text), self._asked, self._mma_kind, self._context))
        bits = int(text, 16)
        one = self._one
        if one is not None:
            if bits > self._most if one.table.width > WORD else bits <= self._most:
                return one.text(text, bits)
            return self._slow(text)
        if self._asked is None and (bits > self._most or len(text) == _WRITTEN_WIDE):
            return self._whole(text, bits)
        # A word has many readings to weigh, and a dump repeats its instruction descriptors.
        return f'{{"input": "{text}{self._after_input(text.lower())}'

    def _without_input(self, text: str) -> str:
        return self._slow(text).removeprefix(f'{{"input": "{text}')

    def _slow(self, text: str) -> str:
        return line(decode_literal(parse(text), self._asked, self._mma_kind, self._context))

    def _whole(self, text: str, bits: int) -> str:
        if not bits & self._most:
            return self._slow(text)  # an instruction descriptor may stand in the high word
        taken = self._taken.get(bits & self._steady)
        if taken is not None:
            return taken.text(text, bits)
        kinds, fit = settle(self._wide, bits, -1, self._fits)
        if len(kinds) == 1:
            only = self._of(kinds[0])
            # What the others rule out by their constants holds for every start address.
            if only.free and all(kind is only.kind or kind.table.wrong_constants(bits) for kind in self._wide):
                if len(self._taken) >= _CAP:
                    self._taken.clear()
                self._taken[bits & self._steady] = only
            return only.text(text, bits)
        if fit or len(kinds) < len(self._wide):
            return self._slow(text)
        if kinds not in self._unsettled:
            # Nothing is near: these kinds have no field in common, so that nothing after the value depends on it.
            self._unsettled[kinds] = self._slow(text).partition(f'"value": "0x{bits:016x}"')[2]
        return f'{{"input": "{text}", "value": "0x{bits:016x}"{self._unsettled[kinds]}'

    def _fits(self, kind: Kind, bits: int, known: int) -> bool:
        own = self._of(kind)
        return bool(own.fits(bits & own.rest))
