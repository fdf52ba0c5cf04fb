"""Two descriptors side by side: what differs, in bytes as well, and which slip of arithmetic it looks like."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.context import NOTHING, Context
from smemdesc.decode import of_int
from smemdesc.errors import KindError
from smemdesc.fields import WORD, Reading, Scaled, ones, signed, words
from smemdesc.identify import Candidate, identify
from smemdesc.kinds import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.strides import LBO, SBO
from smemdesc.values import Literal, parse

START = "start_address"


class Row(NamedTuple):
    """One field of both values."""

    key: str
    a: Reading
    b: Reading
    changed: bool
    delta: int | None
    """B minus A in the field's unit (bytes for offsets), where both are numbers that changed."""
    unit: str


class Difference(NamedTuple):
    """Two values read as the same kind."""

    kind: Kind
    a: Candidate
    b: Candidate
    reason: str
    rows: tuple[Row, ...]
    remarks: tuple[str, ...]
    """What the difference looks like, in words: a K advance, a carry, a wrap."""

    @property
    def same(self) -> bool:
        """Whether nothing that is known differs."""
        return not any(row.changed for row in self.rows)


def diff(
    a: Literal | int | str,
    b: Literal | int | str,
    kind: str | None = None,
    mma_kind: str | None = None,
    context: Context = NOTHING,
) -> Difference:
    """Compare two values (numbers, pasted text, or what ``parse`` made of it) field by field.

    Both are read as the kind asked for, else as one that fits both, or at least one of them.
    :class:`smemdesc.errors.KindError` where there is none.
    """
    one, other = _literal(a), _literal(b)
    first, second, reason = _common(one, other, kind, mma_kind, context.arch)
    left, right = first.read(), second.read()
    rows = tuple(_row(key, left[key], right[key]) for key in left)
    return Difference(first.kind, first, second, reason, rows, tuple(_remarks(first, second, rows, context)))


def _literal(value: Literal | int | str) -> Literal:
    if isinstance(value, Literal):
        return value
    return parse(value) if isinstance(value, str) else of_int(value)


def _common(
    a: Literal, b: Literal, kind: str | None, mma_kind: str | None, arch: str | None
) -> tuple[Candidate, Candidate, str]:
    """Return both values read the same way, and why that way."""
    one, other = identify(a, kind, mma_kind, arch), identify(b, kind, mma_kind, arch)
    shared = [
        (first, second)
        for first in one.taken
        for second in other.taken
        if (first.kind.id, first.view) == (second.kind.id, second.view)
    ]
    if shared:
        if len(shared) > 1:
            names = ", ".join(first.id for first, _ in shared)
            return (*shared[0], f"both fit {names}; shown as {shared[0][0].id}")
        return (*shared[0], one.reason if one.asked else f"both are {shared[0][0].id}")
    # One of the two is broken, as after a carry: the sound one says what both are.
    for sound, odd, text in ((one, other, b), (other, one, a)):
        broken = not odd.fit or text.bit_length > WORD
        if sound.fit and len(sound.taken) == 1 and broken:
            only = sound.taken[0]
            asked = identify(text, only.kind.id, None, arch).taken[0]
            if asked.view == only.view:
                pair = (only, asked) if sound is one else (asked, only)
                return (
                    *pair,
                    f"{only.id}, by {'A' if sound is one else 'B'}; {'B' if sound is one else 'A'} fits less",
                )
    raise KindError(
        f"A reads as {one.taken[0].id}, B as {other.taken[0].id}", hint="say which with --kind (and --mma-kind)"
    )


def _row(key: str, a: Reading, b: Reading) -> Row:
    both = a.known & b.known
    changed = bool((a.bits ^ b.bits) & both)
    numbers = (
        changed
        and a.complete
        and b.complete
        and all(isinstance(each.value, int) and not isinstance(each.value, bool) for each in (a, b))
    )
    codec = a.field.codec
    unit = codec.unit if isinstance(codec, Scaled) else ""
    delta = b.value - a.value if numbers and isinstance(a.value, int) and isinstance(b.value, int) else None
    return Row(key, a, b, changed, delta, unit)


def _remarks(a: Candidate, b: Candidate, rows: tuple[Row, ...], context: Context) -> list[str]:
    changed = [row for row in rows if row.changed]
    if not changed:
        full = a.known == b.known == a.kind.table.full
        return ["the values are equal" if full else "what is known of both is equal"]
    if a.kind.name not in ("wgmma", "tcgen05"):
        return []
    by_key = {row.key: row for row in rows}
    if [row.key for row in changed] == [START]:
        return _advance(by_key, context)
    if a.known == b.known == a.kind.table.full:
        return _carry(a, b, changed)
    return []


def _advance(rows: dict[str, Row], context: Context) -> list[str]:
    delta = rows[START].delta
    if delta is None:
        return []
    plus = delta // 16
    size = rows[START].a.field.width
    window = ones(size) * 16 + 16
    sign = "+" if delta > 0 else "-"
    out = [f"only the start address moves: {delta:+d} B, that is {plus:+d} in the descriptor"]
    swizzle = rows["swizzle"].a.value
    width = MODE[swizzle].width if isinstance(swizzle, str) else 0
    step = 32
    if delta == step:
        out.append("a plain K advance: +2 = 32 B, one MMA step of K inside a swizzle atom")
    elif delta and abs(delta) < width and delta % step == 0:
        out.append(
            f"a plain K advance of {abs(delta) // step} MMA steps of 32 B ({sign}{abs(plus)}) inside a swizzle atom"
        )
    elif width and delta and delta % (8 * width) == 0:
        out.append(f"{abs(delta) // (8 * width)} atoms of {8 * width} B {'on' if delta > 0 else 'back'}")
    if abs(delta) > window // 2:
        wrapped = delta - window if delta > 0 else delta + window
        out.append(f"or {wrapped:+d} B that wrapped around at 256 KiB (the field holds 18 bits of address)")
    if context.bits and delta % max(1, context.bits // 8) == 0:
        out.append(f"{delta * 8 // context.bits:+d} elements of {context.dtype.name if context.dtype else ''}")
    return out


def _carry(a: Candidate, b: Candidate, changed: list[Row]) -> list[str]:
    """Name the addition that ran over the end of a field, if the change is a small sum on the whole value."""
    width = a.kind.table.width
    total = signed((b.bits - a.bits) & ones(width), width)
    keys = [row.key for row in changed]
    out = []
    high_changed = words(a.bits)[0] != words(b.bits)[0]
    if high_changed and abs(total) <= ones(WORD):
        high = ", ".join(row.key for row in changed if row.a.lo >= WORD)
        out.append(
            f"B = A {'+' if total > 0 else '-'} 0x{abs(total):x}: an addition to the 64-bit value that carried out of "
            f"the low word into {high}; add to the low word alone, masked"
        )
    elif START in keys and len(keys) > 1 and abs(total) <= ones(a.kind.table.row(START).width):
        into = ", ".join(key for key in keys if key != START)
        out.append(
            f"B = A {'+' if total > 0 else '-'} 0x{abs(total):x} ({total * 16:+d} B): the sum left the 14 bits of the "
            f"start address and carried into {into}"
        )
    if {LBO, SBO} <= set(keys):
        by_key = {row.key: row for row in changed}
        if (by_key[LBO].a.bits, by_key[SBO].a.bits) == (by_key[SBO].b.bits, by_key[LBO].b.bits):
            out.append("LBO and SBO have changed places")
    return out
