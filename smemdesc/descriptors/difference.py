"""Advancing a descriptor (by bytes, or by elements along K and MN), and comparing two: what differs, in bytes as well,
and which step or arithmetic mistake it looks like.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdesc.descriptors.ranking import newer_readings, rank, wrong_base
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.descriptors.result import literal_of
from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError, KindError, SmemdescError, named
from smemdesc.engine.fields import WORD, FieldReading, Scaled, ones, signed, word_pair
from smemdesc.kinds.addresses import START, address_bits, address_window, highest
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.layout.atom import second_chunk
from smemdesc.layout.operand import UNIT
from smemdesc.layout.steps import K_STEPS, OPTION, UNTILED, DescriptorSteps, Move, Tiling, possible
from smemdesc.layout.strides import LBO, SBO, is_absolute, strides_of
from smemdesc.reading.text import Literal
from smemdesc.rules.base import Finding, fails, worst_first


def advance_start(kind: Kind, value: int, by: int) -> int:
    """Return a shared-memory descriptor with its start address moved by ``by`` bytes.

    ``by`` is a multiple of 16 and may be negative. The start address stays within its window (18 bits, on sm_107 19):
    nothing carries into the bits above it (:class:`smemdesc.engine.errors.FieldError`).
    """
    table = kind.table
    if START not in table.by_key:
        raise FieldError(START, f"a {kind.name} descriptor has no start address to advance")
    now = table.row(START).codec.decode(table.unpack(value)[table.index(START)])
    assert isinstance(now, int)
    target = now + by
    try:
        raws = table.encode({START: target})
    except FieldError:
        if by % UNIT:
            low = by - by % UNIT
            raise FieldError(
                START,
                f"an advance of {by} B is not a multiple of 16 B",
                hint=f"the nearest are {low} B and {low + UNIT} B",
            ) from None
        row = table.row(START)
        where = f"the {address_bits(row)}-bit window of shared memory (0..0x{highest(row):x})"
        raise FieldError(
            START,
            f"{now} B advanced by {by} B is {target} B, outside {where}",
            hint=_carried(kind, value, by // UNIT),
        ) from None
    return table.insert(value, START, raws[START])


def _carried(kind: Kind, value: int, plus: int) -> str:
    """Say which fields an addition to the register would change besides the start address."""
    table = kind.table
    total = (value + plus) & table.full
    pairs = zip(table.rows, table.unpack(value), table.unpack(total), strict=True)
    changed = [row.key for row, before, after in pairs if before != after and row.key != START]
    return f"a sum in the register would {'carry into' if plus > 0 else 'borrow from'} {', '.join(changed)}"


def step(
    kind: Kind,
    value: int,
    *,
    k: int = 0,
    mn: int = 0,
    context: Context = NOTHING,
    known: int | None = None,
    tiling: Tiling = UNTILED,
) -> int:
    """Return a shared-memory descriptor moved by ``k`` elements along K and ``mn`` along MN (negative: back).

    The distance follows from mode, major-ness, type and strides, else from ``tiling``. In LBO mode absolute LBO
    moves, too. ``context`` has the type, and the major-ness unless both give the same result.
    :class:`smemdesc.engine.errors.FieldError` if there is no such step.
    """
    table = kind.table
    if START not in table.by_key:
        raise FieldError(START, f"a {kind.name} descriptor has no start address to advance")
    fields = table.read(value, table.full if known is None else known)
    majors = majors_of(kind, fields, context)
    moves: dict[str, Move] = {}
    wrong: list[SmemdescError] = []
    for major in majors:
        try:
            moves[major] = DescriptorSteps(fields, major, context, tiling).advance(mn=mn, k=k)
        except SmemdescError as error:
            if context.major or len(majors) == 1:
                raise
            wrong.append(error)
    if wrong or len(set(moves.values())) != 1:
        distances = [f"{major}-major: {move.by:+d} B" for major, move in moves.items()]
        raise FieldError(
            OPTION["K" if k else "MN"],
            f"the distance depends on the major-ness ({', '.join(distances) or 'it is unknown for both'})",
            hint="give --major K or --major MN",
        )
    move = next(iter(moves.values()))
    moved = advance_start(kind, value, move.by)
    return moved if move.lbo is None else table.insert(moved, LBO, table.encode({LBO: move.lbo})[LBO])


def majors_of(kind: Kind, fields: Mapping[str, FieldReading], context: Context) -> tuple[str, ...]:
    """Return the major-ness of the context, else those that the operand can have."""
    if context.major is None and is_absolute(fields):
        return ("K",)
    return (context.major,) if context.major else possible(kind.name, str(fields["swizzle"].value), context.dtype)


def byte_remark(kind: Kind, value: int, known: int, by: int, context: Context, tiling: Tiling = UNTILED) -> str:
    """Describe a move by ``by`` bytes that is not a whole number of MMA steps along K; empty if it is.

    If the major-ness is unknown, a K step in either counts. Also empty if the layout is unknown.
    """
    fields = kind.table.read(value, known)
    remarks = []
    for major in majors_of(kind, fields, context):
        try:
            names = DescriptorSteps(fields, major, context, tiling).name(by)
        except SmemdescError:
            continue
        if any(name.what == K_STEPS for name in names):
            return ""
        remarks.append(f"{major}-major: {'; '.join(name.text for name in names)}")
    return f"{by:+d} B is not a K step of this layout. {'. '.join(remarks)}" if remarks else ""


class FieldDifference(NamedTuple):
    """One field of both values."""

    key: str
    a: FieldReading
    b: FieldReading
    changed: bool
    delta: int | None
    """B minus A in the field's unit (bytes for offsets), where both are numbers that changed."""
    unit: str


@shown()
class Difference(NamedTuple):
    """Two values read as the same kind."""

    kind: Kind
    a: DescriptorReading
    b: DescriptorReading
    reason: str
    candidates: tuple[str, ...]
    """The readings that fit both; more than one if the kind was not requested and the values do not decide it."""
    rows: tuple[FieldDifference, ...]
    remarks: tuple[str, ...]
    """What the difference looks like: a K advance, a carry, a wrap."""

    def __str__(self) -> str:
        changed = [row.key for row in self.rows if row.changed]
        text = f"{', '.join(changed)} differ" + ("s" if len(changed) == 1 else "")
        return f"{self.kind.id}: {text if changed else 'nothing differs'}"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with one of the values, or with both: they are compared nevertheless."""
        return worst_first(dict.fromkeys((*self.a.findings, *self.b.findings)))

    @property
    def ok(self) -> bool:
        """Whether neither value has an error."""
        return not fails(self.findings)

    @property
    def same(self) -> bool:
        """Whether all known bits are equal."""
        return not any(row.changed for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: each field that differs, and the remarks."""
        return {
            "a": self.a.hex,
            "b": self.b.hex,
            "kind": self.kind.name,
            "mma_kind": self.kind.mma_kind,
            "reason": self.reason,
            "candidates": list(self.candidates),
            "same": self.same,
            "fields": {
                row.key: {"a": row.a.to_dict(), "b": row.b.to_dict(), "delta": row.delta, "unit": row.unit or None}
                for row in self.rows
                if row.changed
            },
            "remarks": list(self.remarks),
        }


def difference_of(
    a: Literal | int | str,
    b: Literal | int | str,
    kind: str | None = None,
    mma_kind: str | None = None,
    context: Context = NOTHING,
    tiling: Tiling = UNTILED,
) -> Difference:
    """Compare two values (numbers, pasted text, or the result of ``parse``) field by field.

    Both are read as the requested kind, else as one that fits both, or at least one of them. A move of the start
    address is named by the steps of the layout: of the major-ness in ``context``, else of both; ``tiling`` has
    the distance to the next atom and the next stage.
    :class:`smemdesc.engine.errors.KindError` if no kind fits.
    """
    a_literal, b_literal = literal_of(a), literal_of(b)
    first, second, reason, candidates = _common(a_literal, b_literal, kind, mma_kind, context.arch)
    left, right = first.fields, second.fields
    rows = tuple(_row(key, left[key], right[key]) for key in left)
    remarks = _remarks(first, second, rows, context, tiling)
    if context.arch is None and not first.kind.variant:
        remarks += _of_newer((a_literal, b_literal), kind, mma_kind)
    return Difference(first.kind, first, second, reason, candidates, rows, tuple(remarks))


def _of_newer(both: tuple[Literal, Literal], kind: str | None, mma_kind: str | None) -> list[str]:
    """Report which of two values, shown by the usual table, only a newer architecture's table reads."""
    for name, text in zip("AB", both, strict=True):
        readings = newer_readings(text, rank(text, kind, mma_kind))
        if readings:
            arch = readings[0].kind.archs[0]
            return [f"{name} is valid only by the table of {arch}: --arch {arch} compares both by it"]
    return []


def _common(
    a: Literal, b: Literal, kind: str | None, mma_kind: str | None, arch: str | None
) -> tuple[DescriptorReading, DescriptorReading, str, tuple[str, ...]]:
    """Return both values read the same way, the reason for it, and every possible way."""
    of_a, of_b = (named(name, rank, side, kind, mma_kind, arch) for name, side in (("a", a), ("b", b)))
    shared = [
        (first, second)
        for first in of_a.readings
        for second in of_b.readings
        if (first.kind.table.name, first.view) == (second.kind.table.name, second.view)
    ]
    if shared:
        names = tuple(first.id for first, _ in shared)
        if len(names) > 1:
            option = "--mma-kind" if all(first.kind.name == "idesc" for first, _ in shared) else "--kind"
            return (*shared[0], f"both fit {', '.join(names)}; shown as {names[0]}; choose one with {option}", names)
        return (*shared[0], of_a.reason if of_a.requested else f"both are {names[0]}", names)
    # One of the two is broken, as after a carry: the valid one decides the kind of both.
    for sound, odd, text in ((of_a, of_b, b), (of_b, of_a, a)):
        # A carry may leave a 64-bit value that fits something else by chance; a 32-bit one is another thing.
        wide = sound.readings[0].kind.table.width > WORD
        broken = text.bit_length > WORD if wide else not odd.fits
        if sound.fits and len(sound.readings) == 1 and broken:
            only = sound.readings[0]
            same_kind = rank(text, only.kind.id, None, arch).readings[0]
            if same_kind.view == only.view:
                pair = (only, same_kind) if sound is of_a else (same_kind, only)
                mine, its = ("A", "B") if sound is of_a else ("B", "A")
                alone = odd.readings[0].id if odd.fits else "nothing that fits"
                return (*pair, f"{only.id}, as {mine} is; {its} alone would read as {alone}", (only.id,))
    for name, text, ranking in (("a", a, of_a), ("b", b, of_b)):
        for finding in () if ranking.fits else wrong_base(text, None, arch):
            raise KindError(finding.message, hint=f"write {text.other}", keyword=name)
    raise KindError(
        f"A reads as {of_a.readings[0].id}, B as {of_b.readings[0].id}",
        hint="choose one with --kind (and --mma-kind)",
        keyword=("a", "b"),
    )


def _row(key: str, a: FieldReading, b: FieldReading) -> FieldDifference:
    changed = bool((a.bits ^ b.bits) & a.known & b.known)
    codec = a.field.codec
    unit = codec.unit if isinstance(codec, Scaled) else ""
    numbers = [
        side.value
        for side in (a, b)
        if side.complete and isinstance(side.value, int) and not isinstance(side.value, bool)
    ]
    delta = numbers[1] - numbers[0] if changed and len(numbers) == 2 else None
    return FieldDifference(key, a, b, changed, delta, unit)


def _remarks(
    a: DescriptorReading, b: DescriptorReading, rows: tuple[FieldDifference, ...], context: Context, tiling: Tiling
) -> list[str]:
    changed = [row for row in rows if row.changed]
    if not changed:
        full = a.known == b.known == a.kind.table.full
        return ["the values are equal" if full else "all known bits are equal"]
    if a.kind.name not in SMEM_KINDS:
        return []
    keys = [row.key for row in changed]
    by_key = {row.key: row for row in rows}
    if keys == [START] or (keys == [START, LBO] and is_absolute(a.fields)):
        return _moved(a, by_key, context, tiling)
    if a.known == b.known == a.kind.table.full:
        return _without_effect(a, keys, context) or _carry(a, b, changed)
    return []


def _moved(a: DescriptorReading, rows: dict[str, FieldDifference], context: Context, tiling: Tiling) -> list[str]:
    """Name a move of the start address, as it is and as one that wrapped around."""
    delta, lbo = rows[START].delta, rows[LBO]
    if delta is None:
        return []
    only = "only the start address moves" if not lbo.changed else "the start address and LBO (an address here) move"
    out = [f"{only}: {delta:+d} B, that is {delta // UNIT:+d} in the descriptor"]
    names = _named(a, delta, context, tiling)
    window = address_window(rows[START].a.field)
    if abs(delta) <= window // 2:
        out += [text for text, _ in names]
    else:
        wrapped = delta - window if delta > 0 else delta + window
        # A distance this large is seldom intended: if it is not a step, it is not reported.
        out += [text for text, what in names if what]
        out.append(
            f"or {wrapped:+d} B that wrapped around at {window >> 10} KiB (the field holds "
            f"{address_bits(rows[START].a.field)} bits of address)"
        )
        out += [f"then {text}" for text, _ in _named(a, wrapped, context, tiling)]
    if lbo.changed:
        out += _second_chunk(rows)
    return out


def _named(a: DescriptorReading, delta: int, context: Context, tiling: Tiling) -> list[tuple[str, str]]:
    """Name a distance in the layout of A, or in both that it may have: texts, and what each is."""
    fields = a.fields
    out: list[tuple[str, str]] = []
    wrong: list[SmemdescError] = []
    for major in majors_of(a.kind, fields, context):
        try:
            names = DescriptorSteps(fields, major, context, tiling).name(delta)
            out += [(f"{major}-major: {name.text}", name.what) for name in names]
        except SmemdescError as error:
            wrong.append(error)
            out.append((f"{major}-major: {error.text}", ""))
    if len(wrong) == len(out) and tiling != UNTILED:
        wrong[0].keywords = wrong[0].keywords or ("tile",)
        raise wrong[0]
    return out if isinstance(fields["swizzle"].value, str) else []


def _without_effect(a: DescriptorReading, keys: list[str], context: Context) -> list[str]:
    """Report that both address the same bytes, if only offsets without effect differ."""
    mode = a.fields["swizzle"].value
    if not set(keys) <= {LBO, SBO} or not context.major or not isinstance(mode, str) or is_absolute(a.fields):
        return []
    differ = [stride for stride in strides_of(mode, context.major, context) if stride.key in keys]
    if not all(stride.used is False for stride in differ):
        return []
    return ["both address the same bytes", *(stride.explain(UNIT) for stride in differ)]


def _second_chunk(rows: dict[str, FieldDifference]) -> list[str]:
    """Describe the line to which LBO in absolute mode points after a step."""
    start, lbo = rows[START].b.value, rows[LBO].b.value
    if not isinstance(start, int) or not isinstance(lbo, int):
        return []
    own = second_chunk(start, None)
    if own is None:
        return [f"LBO: the 48 B of K continue in the line at 0x{lbo:x}"]
    if lbo == own:
        return ["LBO: the 48 B of K stay in their line"]
    return [f"LBO is 0x{lbo:x}, but the 48 B of K stay in their line, 0x{own:x}"]


def _carry(a: DescriptorReading, b: DescriptorReading, changed: list[FieldDifference]) -> list[str]:
    """Name the addition that overflowed a field, if the change is a small sum on the whole value."""
    width = a.kind.table.width
    total = signed((b.bits - a.bits) & ones(width), width)
    keys = [row.key for row in changed]
    out = []
    high_changed = word_pair(a.bits)[0] != word_pair(b.bits)[0]
    if high_changed and abs(total) <= ones(WORD):
        high = ", ".join(row.key for row in changed if row.a.lo >= WORD)
        out.append(
            f"B = A {'+' if total > 0 else '-'} 0x{abs(total):x}: an addition to the 64-bit value that carried out of "
            f"the low word into {high}; add to the low word only, masked"
        )
    elif START in keys and len(keys) > 1 and abs(total) <= ones(a.kind.table.row(START).width):
        into = ", ".join(key for key in keys if key != START)
        out.append(
            f"B = A {'+' if total > 0 else '-'} 0x{abs(total):x} ({total * UNIT:+d} B): the sum left the "
            f"{a.kind.table.row(START).width} bits of the start address and "
            f"{'carried into' if total > 0 else 'borrowed from'} {into}"
        )
    if {LBO, SBO} <= set(keys):
        by_key = {row.key: row for row in changed}
        if (by_key[LBO].a.bits, by_key[SBO].a.bits) == (by_key[SBO].b.bits, by_key[LBO].b.bits):
            out.append("LBO and SBO are swapped")
    return out
