"""Two descriptors side by side: what differs, in bytes as well, and which slip of arithmetic it looks like."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.case import NOTHING, Context
from smemdesc.decoding import of_int
from smemdesc.errors import KindError
from smemdesc.fields import WORD, Reading, Scaled, ones, signed, words
from smemdesc.identify import Candidate, identify
from smemdesc.kinds import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.shown import shown
from smemdesc.strides import LBO, SBO
from smemdesc.values import Literal, parse

START = "start_address"
K_STEP = 32
"""Bytes of K that one dense MMA reads."""


class Row(NamedTuple):
    """One field of both values."""

    key: str
    a: Reading
    b: Reading
    changed: bool
    delta: int | None
    """B minus A in the field's unit (bytes for offsets), where both are numbers that changed."""
    unit: str


@shown("difference:Compared")
class Difference(NamedTuple):
    """Two values read as the same kind."""

    kind: Kind
    a: Candidate
    b: Candidate
    reason: str
    candidates: tuple[str, ...]
    """The readings that fit both; more than one where the kind was not asked for and the values leave it open."""
    rows: tuple[Row, ...]
    remarks: tuple[str, ...]
    """What the difference looks like, in words: a K advance, a carry, a wrap."""

    def __str__(self) -> str:
        changed = [row.key for row in self.rows if row.changed]
        said = f"{', '.join(changed)} differ" + ("s" if len(changed) == 1 else "")
        return f"{self.kind.id}: {said if changed else 'nothing differs'}"

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
    first, second, reason, candidates = _common(one, other, kind, mma_kind, context.arch)
    left, right = first.read(), second.read()
    rows = tuple(_row(key, left[key], right[key]) for key in left)
    return Difference(
        first.kind, first, second, reason, candidates, rows, tuple(_remarks(first, second, rows, context))
    )


def _literal(value: Literal | int | str) -> Literal:
    if isinstance(value, Literal):
        return value
    return parse(value) if isinstance(value, str) else of_int(value)


def _common(
    a: Literal, b: Literal, kind: str | None, mma_kind: str | None, arch: str | None
) -> tuple[Candidate, Candidate, str, tuple[str, ...]]:
    """Return both values read the same way, why that way, and every way that there was."""
    one, other = identify(a, kind, mma_kind, arch), identify(b, kind, mma_kind, arch)
    shared = [
        (first, second)
        for first in one.taken
        for second in other.taken
        if (first.kind.id, first.view) == (second.kind.id, second.view)
    ]
    if shared:
        names = tuple(first.id for first, _ in shared)
        if len(names) > 1:
            return (*shared[0], f"both fit {', '.join(names)}; shown as {names[0]}, say which with --mma-kind", names)
        return (*shared[0], one.reason if one.asked else f"both are {names[0]}", names)
    # One of the two is broken, as after a carry: the sound one says what both are.
    for sound, odd, text in ((one, other, b), (other, one, a)):
        # A carry may leave a 64-bit value that fits something else by chance; a 32-bit one is another thing.
        wide = sound.taken[0].kind.table.width > WORD
        broken = text.bit_length > WORD if wide else not odd.fit
        if sound.fit and len(sound.taken) == 1 and broken:
            only = sound.taken[0]
            asked = identify(text, only.kind.id, None, arch).taken[0]
            if asked.view == only.view:
                pair = (only, asked) if sound is one else (asked, only)
                mine, its = ("A", "B") if sound is one else ("B", "A")
                alone = odd.taken[0].id if odd.fit else "nothing that fits"
                return (*pair, f"{only.id}, as {mine} is; {its} alone would read as {alone}", (only.id,))
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
    out = [f"only the start address moves: {delta:+d} B, that is {plus:+d} in the descriptor"]
    out += _steps(rows, delta)
    window = ones(rows[START].a.field.width) * 16 + 16
    if abs(delta) > window // 2:
        wrapped = delta - window if delta > 0 else delta + window
        out.append(f"or {wrapped:+d} B that wrapped around at 256 KiB (the field holds 18 bits of address)")
    if context.dtype and delta * 8 % context.dtype.storage == 0:
        out.append(f"{delta * 8 // context.dtype.storage:+d} elements of {context.dtype.name}")
    return out


def _steps(rows: dict[str, Row], delta: int) -> list[str]:
    """Name a move of the start address by the steps that kernels make."""
    swizzle, start = rows["swizzle"].a.value, rows[START].a.value
    if not isinstance(swizzle, str) or not isinstance(start, int):
        return []
    mode = MODE[swizzle]
    back = " back" if delta < 0 else ""
    if swizzle != "none" and delta % K_STEP == 0 and 0 <= start % mode.width + delta < mode.width:
        steps = abs(delta) // K_STEP
        what = "one MMA step" if steps == 1 else f"{steps} MMA steps"
        return [f"a plain K advance{back}: {delta // 16:+d} = {what} of 32 B of K inside a K-major swizzle atom"]
    out = []
    lbo, sbo = rows[LBO].a.value, rows[SBO].a.value
    if swizzle == "none" and isinstance(lbo, int) and lbo and abs(delta) == 2 * lbo:
        out.append(f"a K advance{back} of 2 x LBO: one MMA step of 32 B of K, K-major without swizzle")
    elif isinstance(sbo, int) and sbo and abs(delta) == sbo:
        out.append(f"one SBO{back}: 8 rows in a K-major layout, {mode.lines} k in an MN-major swizzled one")
    if swizzle != "none" and delta % mode.atom == 0:
        atoms = abs(delta) // mode.atom
        out.append(f"{atoms} swizzle atom{'s' if atoms > 1 else ''} of {mode.atom} B{back or ' on'}")
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
