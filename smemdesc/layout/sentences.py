"""What was recognized, in words: what to change, in the field's terms."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.engine import wording as phrases
from smemdesc.kinds.addresses import LINE, START
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import Answer, Difference, Recognition, idle
from smemdesc.layout.strides import LBO, NICK, SBO
from smemdesc.layout.written import CHUNKS, MOVED, PATTERN, PITCH, ROWS, TYPE, Way, width_of

_LISTED = 4
"""Layouts, rows or chunks that a sentence lists."""


def sentences(found: Recognition, name: str = "the operand") -> list[str]:
    """Return what was recognized, a sentence each, the answer first; ``name`` is A, B, or what it is called."""
    return list(_sentences(found, name))


def _sentences(found: Recognition, name: str) -> Iterator[str]:
    whole = found.answer is not None and found.answer.agree == found.total
    if found.right:
        yield f"all {found.total} elements are where the descriptor says"
        if found.alike:
            others = _list(found.alike, found.operand)
            yield f"the data cannot tell this layout from others: they hold the matrix, too ({others}); {_REPEAT}"
        return
    if found.answer is not None and found.alike:
        assert found.best is not None
        yield f"several layouts hold all {found.total} elements, and the data cannot tell which it is: {_REPEAT}"
        which = "the nearest" if found.operand is not None else "one"
        yield f"{which} is {described(found.best)}; others: {_list(found.alike, found.best)}"
    elif found.answer is not None:
        agree = f"all {found.total}" if whole else f"{found.answer.agree} of {found.total}"
        yield f"{agree} elements agree {_as(found.answer, name)}"
        yield from changes(found.answer)
    if found.operand is not None:
        mns, ks = found.differ
        part = (len(mns), len(ks)) != found.operand.shape
        where = f"; the others are in mn {_extent(mns)} and k {_extent(ks)}" if found.agree and part else ""
        yield f"as the descriptor says, {found.agree} of {found.total} elements agree{where}"
        if found.outside:
            yield f"{found.outside} elements are outside of the memory that was given"
    if found.answer is None:
        more = "no other layout was found that holds more" if 4 * found.agree >= found.total else ""
        only = f" (only {found.majors[0]}-major layouts were tried)" if len(found.majors) == 1 else ""
        yield (
            f"{more or 'no layout was found that holds a quarter'} of the matrix: under no mode, major-ness{only}, "
            "base offset, stride or start, nor moved, without a swizzle, or as another type; probably the bytes are "
            "other data, not written yet, or overwritten"
        )
    if found.overlaps and not found.alike:
        yield f"elements share bytes there, so that the data cannot tell LBO and SBO; {_REPEAT}"
    if found.uniform and not found.best:
        yield f"most of the matrix is one value, which tells nothing of the layout; {_REPEAT}"
    if found.copies:
        places = ", ".join(f"at 0x{each.start:x}" for each in found.copies[:_LISTED])
        yield f"the matrix is in memory more than once: also {places}{phrases.more(len(found.copies), _LISTED)}"


_REPEAT = "use data that do not repeat"


def _extent(extent: range) -> str:
    return f"{extent[0]} to {extent[-1]}" if len(extent) > 1 else str(extent[0])


def _as(answer: Answer, name: str) -> str:
    if answer.way is not None:
        return _way(answer.way, name)
    operand = answer.operand
    assert operand is not None
    if not answer.differences:
        return f"with {described(operand)}"
    fields = {each.field: each for each in answer.differences}
    parts = []
    if "major" in fields:
        parts.append(f"as if {name} were {operand.major}-major")
    if "swizzle" in fields:
        how = "without swizzle" if operand.mode.name == "none" else f"with {operand.mode.name} swizzle"
        how = f"written {how}, SBO {operand.sbo} B"
        parts.append(how if parts else f"as if {how}")
    rest = [each for each in answer.differences if each.field not in ("major", "swizzle")]
    if parts:
        return " and ".join(parts)
    return f"if {' and '.join(_if(each, operand) for each in rest)}"


def _if(each: Difference, operand: Operand) -> str:
    if each.field == START:
        return f"the tile begins at 0x{each.found:x}"
    if each.field == "base_offset":
        return f"the base offset is {each.found}"
    if each.field == "lbo_mode":
        return f"the LBO mode is {each.found}"
    if each.field == LBO and operand.absolute:
        return f"the second part of K lies at 0x{each.found:x}"
    if idle(operand, each):
        return f"atoms along K are {each.found} B apart"
    return f"{NICK[each.field]} is {each.found} B"


def changes(answer: Answer) -> list[str]:
    """Return what to change in the descriptor that was asked about, a sentence for each field."""
    if answer.operand is None:
        return []
    return [_change(each, answer.operand) for each in answer.differences]


def _change(each: Difference, operand: Operand) -> str:
    said, found = each.said, each.found
    if each.field == "major":
        return f"the major-ness of the instruction must be {found}, not {said}: or write the tile {said}-major"
    if each.field == "swizzle":
        return f"the swizzle mode must be {found}, not {said}: or write the tile with {said} swizzle"
    if each.field == "lbo_mode":
        return f"the LBO mode must be {found}, not {said}"
    assert isinstance(said, int)
    assert isinstance(found, int)
    if each.field == START:
        way = "further on" if found > said else "before"
        return f"the tile lies {abs(found - said)} B {way}: at 0x{found:x}, not 0x{said:x}"
    if each.field == "base_offset":
        period = operand.mode.period
        text = f"the base offset must be {found}, not {said}"
        if found:
            text += f": the swizzle pattern begins {found * LINE} B behind a multiple of {period} B"
            aligned = operand.start % period == found * LINE
            text += f", where the tile does; or align the tile to {period} B" if aligned else ""
        else:
            text += f": the swizzle pattern begins at a multiple of {period} B"
        return text
    if each.field == LBO and operand.absolute:
        return f"the second part of K lies at 0x{found:x}, not 0x{said:x}: LBO is its address"
    if idle(operand, each):
        width = operand.mode.width
        return (
            f"atoms along K are {found} B apart: the K step beyond {width} B begins there (LBO has no effect within "
            f"one instruction)"
        )
    return f"{NICK[each.field]} must be {found} B, not {said} B"


def described(operand: Operand) -> str:
    """Return a layout in one line: ``128B, K-major, at 0x400, LBO 16 B, SBO 1024 B``."""
    base = f", base offset {operand.base_offset}" if operand.base_offset else ""
    return (
        f"{operand.mode.name if operand.mode.name != 'none' else 'no swizzle'}, {operand.major}-major, at "
        f"0x{operand.start:x}, LBO {operand.lbo} B, SBO {operand.sbo} B{base}"
    )


def _list(operands: tuple[Operand, ...], best: Operand | None) -> str:
    shown = [_unlike(each, best) for each in operands[:_LISTED]]
    return ", ".join(dict.fromkeys(shown)) + phrases.more(len(operands), _LISTED)


def _unlike(operand: Operand, best: Operand | None) -> str:
    """A layout by what it has otherwise than another."""
    if best is None:
        return described(operand)
    if operand.major != best.major or operand.mode != best.mode:
        return f"{operand.mode.name} {operand.major}-major"
    parts = [
        f"{NICK[key]} {size} B"
        for key, size, own in ((LBO, operand.lbo, best.lbo), (SBO, operand.sbo, best.sbo))
        if size != own
    ]
    if operand.base_offset != best.base_offset:
        parts.append(f"base offset {operand.base_offset}")
    return " and ".join(parts) or f"a start at 0x{operand.start:x}"


def _way(way: Way, name: str) -> str:
    noun = "row" if way.major == "K" else "k"
    how = "without swizzle" if way.swizzle == "none" else f"with {way.swizzle} swizzle"
    if way.how == PITCH:
        assert way.columns is not None
        text = f"as if written {way.major}-major {how}, {way.pitch} B from {noun} to {noun}, at 0x{way.start:x}"
        if way.across is not None:
            text += f", blocks of {way.columns * 16} B of {way.major} {way.across} B apart"
        plain = way.swizzle == "none" and way.pitch in (32, 64, 128)
        return f"{text}: no descriptor reads that" + (f"; write it with {way.pitch}B swizzle" if plain else "")
    if way.how == PATTERN:
        assert way.start is not None
        return (
            f"as if written {way.major}-major {how} of offsets from 0x{way.start:x}, and not of addresses: the base "
            f"offset counts in 128 B, so align the tile to 128 B, or better to {8 * width_of(way)} B"
        )
    if way.how == CHUNKS:
        order = "; ".join(f"{noun} {line}: {' '.join(map(str, row))}" for line, row in enumerate(way.order[:_LISTED]))
        return (
            f"as if the 16-byte chunks of each {way.pitch}-byte line were in an order of their own, at 0x{way.start:x} "
            f"({order}; ...): no descriptor reads that"
        )
    if way.how == MOVED:
        (down, along) = way.move
        there = f"(mn, k {along:+d})" if along else f"(mn {down:+d}, k)"
        size, axis = (along, "K") if along else (down, "MN")
        there = there.replace("+", "+ ").replace("-", "- ")
        return f"if it is moved along {axis} by {abs(size)}: element (mn, k) is where the descriptor has {there}"
    if way.how == ROWS:
        by = {along for _, along in way.lines}
        rows = ", ".join(str(row) for row, _ in way.lines[:_LISTED]) + phrases.more(len(way.lines), _LISTED)
        amount = f"by {by.pop()}" if len(by) == 1 else f"by {', '.join(str(each) for _, each in way.lines[:_LISTED])}"
        plural = "s" if len(way.lines) > 1 else ""
        verb = "are" if plural else "is"
        return f"if row{plural} {rows} {verb} moved along K {amount}"
    assert way.how == TYPE
    assert way.dtype is not None
    packed = " (packed)" if way.dtype.name == "e2m1" and way.dtype.storage == 4 else ""
    if way.operand is not None:
        return f"as if {name} were written as {way.dtype.name}{packed}: {described(way.operand)}"
    return (
        f"as if {name} were written as {way.dtype.name}{packed}: {way.major}-major {how}, {way.pitch} B from {noun} "
        f"to {noun}, at 0x{way.start:x}"
    )
