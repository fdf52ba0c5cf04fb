"""What people do to a right descriptor, as rules: each mistake undone, as far as the value that it leaves shows it.

A mistake leaves several fields wrong, or one that looks like another fault. These rules give what the value may have
been made of; they find nothing by themselves: :mod:`smemdesc.rules.corrections` judges what they give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from smemdesc.engine.fields import FieldReading, Scalar, Table, ones, word_pair
from smemdesc.kinds.addresses import ENCODE, START, address_window
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, MODES_SOURCE, SwizzleMode, modes
from smemdesc.kinds.shapes import allowed_rows, columns
from smemdesc.layout.strides import LBO, NICK, SBO, UNIT, atom_of
from smemdesc.rules.base import (
    CERTAIN,
    ERROR,
    NOTE,
    POSSIBLE,
    UNCERTAIN,
    WARNING,
    Answer,
    CaseRule,
    Example,
    Problem,
    Repair,
    case_rule,
    error,
)
from smemdesc.rules.named_causes import NAMED_CAUSES

_CORE = 128
"""Bytes of a core matrix, the smallest stride of a layout."""
_H200 = "the address formula, measured on an H200"


def _mistake(source: str, *more: str) -> Callable[[Callable[..., Answer]], CaseRule]:
    """Make a rule of a mistake, which is explained under its name; ``more``: severities of what is none yet."""

    def rule_of(check: Callable[..., Answer]) -> CaseRule:
        rule = case_rule(source, ERROR, WARNING, *more)(check)
        cause = NAMED_CAUSES[rule.name]
        return rule._replace(example=Example(f"{cause.bits} {cause.symptom}", cause.run))

    return rule_of


class Suspect(NamedTuple):
    """A descriptor in which something is wrong, and what is known around it."""

    kind: Kind
    bits: int
    fields: Mapping[str, FieldReading]
    context: Context
    tile_strides: tuple[tuple[int, int], ...] = ()
    """LBO and SBO of the tile in bytes, for each order of its atoms that it may have."""
    swizzle: str = ""
    """The mode with which the tile was written, if that is told."""
    tile_start: int | None = None
    """The first byte of the tile."""
    step_starts: tuple[int, ...] = ()
    """The start addresses of the MMA steps of the tile, in bytes."""
    first_starts: tuple[int, ...] = ()
    """Those of its steps at k = 0."""
    from_base: bool = False
    """Whether the start address is a distance from a base."""
    likely_starts: tuple[int, ...] = ()
    """Of these the ones at the k of the other operand."""
    types: Mapping[str, str] = {}
    """The element types that lie in memory, as far as they are told, by ``a_type`` and ``b_type``."""
    wide: int = 0
    """The 64 bits of which an instruction descriptor is the low word, 0 if not known."""

    def number(self, key: str) -> int | None:
        """Return the number of a field, None if it is not known or absent."""
        value = self.fields[key].value if key in self.fields else None
        return value if isinstance(value, int) else None


@_mistake(_H200)
def lbo_sbo_swapped(suspect: Suspect) -> Iterator[Problem]:
    """LBO and SBO stand in their own fields."""
    lbo, sbo = suspect.number(LBO), suspect.number(SBO)
    if lbo is None or sbo is None or lbo == sbo:
        return
    # Less than a core matrix is what CUTLASS writes into an LBO without effect.
    is_atom = lbo == _atom(suspect)
    weight = CERTAIN if (0 < sbo < _CORE and atom_of(lbo)) or (is_atom and sbo > lbo) else UNCERTAIN
    yield _undone(f"LBO {lbo} B and SBO {sbo} B are swapped", "swap them", {LBO: sbo, SBO: lbo}, weight)


@_mistake(ENCODE)
def stride_not_divided(suspect: Suspect) -> Iterator[Problem]:
    """LBO and SBO are divided by 16."""
    for strides in _some_strides(suspect, lambda size: not size % (UNIT * _CORE)):
        right = {key: size // UNIT for key, size in strides.items()}
        texts = (f"{NICK[key]} {size} B is {right[key]} B not divided by 16" for key, size in strides.items())
        yield _undone(" and ".join(texts), "divide by 16", right)


@_mistake(ENCODE)
def stride_divided_twice(suspect: Suspect) -> Iterator[Problem]:
    """LBO and SBO are divided by 16 once."""
    lbo = suspect.number(LBO) or 0
    # An LBO that no layout has was divided as SBO was.
    is_odd = lbo % _CORE != 0 and lbo != UNIT
    for strides in _some_strides(suspect, lambda size: size * UNIT < address_window(suspect.fields[SBO].field)):
        if len(strides) > 1 and not is_odd:
            continue
        right = {key: size * UNIT for key, size in strides.items()}
        texts = (f"{NICK[key]} {size} B is {right[key]} B divided by 16 twice" for key, size in strides.items())
        certain = right.get(SBO) == _atom(suspect) > _CORE and is_odd == (LBO in right)
        yield _undone(" and ".join(texts), "divide by 16 once", right, CERTAIN if certain else UNCERTAIN)


def _atom(suspect: Suspect) -> int:
    """Return the bytes of an atom of the mode of a descriptor, 0 if it has none."""
    mode = MODE.get(str(suspect.fields["swizzle"].value))
    return 0 if mode is None else mode.atom


def _some_strides(suspect: Suspect, fits: Callable[[int], bool]) -> Iterator[dict[str, int]]:
    """Yield SBO, LBO, and both, where their sizes fit."""
    # A swizzled mode has no LBO of 16 B but where it has no effect.
    unused = UNIT if suspect.fields["swizzle"].raw else None
    sizes = {key: size for key in (SBO, LBO) if (size := suspect.number(key)) and fits(size)}
    if LBO in sizes and sizes[LBO] == unused:
        del sizes[LBO]
    for keys in chain.from_iterable(combinations(sizes, count) for count in (1, 2)):
        yield {key: sizes[key] for key in keys}


@_mistake(MODES_SOURCE)
def swizzle_missing(suspect: Suspect) -> Iterator[Problem]:
    """A descriptor with the strides of a swizzle mode has the mode."""
    if suspect.fields["swizzle"].raw == 0:
        for mode in modes(suspect.kind.name):
            sbo = suspect.number(SBO)
            if mode.name == "none" or suspect.swizzle not in ("", mode.name):
                continue
            if sbo == mode.atom or suspect.tile_strides:
                message = f"the swizzle bits are 0, and SBO {sbo} B may be that of {mode.name}"
                weight = UNCERTAIN
                if sbo == mode.atom:
                    message = f"the swizzle bits are 0, but SBO {sbo} B is an atom of {mode.name}"
                    # Into an LBO without effect CUTLASS writes 16 B: no layout without swizzle has such a stride.
                    certain = suspect.number(LBO) == UNIT or suspect.context.major == "MN"
                    weight = CERTAIN if certain else UNCERTAIN
                yield _undone(message, "", {"swizzle": mode.name}, weight)


@_mistake(MODES_SOURCE)
def swizzle_code(suspect: Suspect) -> Iterator[Problem]:
    """The code of the swizzle mode is that of this kind of descriptor, and the mode that of the tile."""
    reading, own = suspect.fields["swizzle"], suspect.kind.name
    others = [mode for mode in modes(own) if mode.name != reading.value and suspect.swizzle in ("", mode.name)]
    here = f"{reading.value or 'undefined'} in {own}"
    for mode, numberings in _elsewhere(suspect, others).items() if reading.raw else ():
        message = f"code {reading.raw} is {here}; the strides may be those of {mode.name}"
        if numberings:
            message = f"code {reading.raw} is {mode.name} in {' and in '.join(numberings)}, {here}"
        yield _undone(message, "", {"swizzle": mode.name})
    for mode in others:
        if mode.name == suspect.swizzle:
            message = f"the tile is written with {mode.name}, the descriptor has {here} and its strides"
            for strides in suspect.tile_strides or ((suspect.number(LBO), mode.atom),):
                yield _undone(message, "", {"swizzle": mode.name, **_wrong_strides(suspect, strides)})


def _elsewhere(suspect: Suspect, others: Sequence[SwizzleMode]) -> dict[SwizzleMode, list[str]]:
    """Return the modes that a code may mean, each with what numbers it so.

    Where the tile is not told, SBO is: of what the code may mean, it is an atom.
    """
    code = suspect.fields["swizzle"].raw
    kinds = [kind for kind in ("wgmma", "tcgen05") if kind != suspect.kind.name]
    meant = {
        mode: [
            *(["the tensor map"] if mode.tma_code == code else ()),
            *(kind for kind in kinds if mode.code(kind) == code),
        ]
        for mode in others
    }
    if suspect.tile_strides:
        return meant
    of_atom = {mode: names for mode, names in meant.items() if suspect.number(SBO) == mode.atom}
    return of_atom or {mode: names for mode, names in meant.items() if names}


def _wrong_strides(suspect: Suspect, strides: tuple[int | None, int]) -> dict[str, int]:
    """Return LBO and SBO of a layout, in bytes, where the descriptor has others."""
    right = dict(zip((LBO, SBO), strides, strict=True))
    return {key: size for key, size in right.items() if size is not None and size != suspect.number(key)}


@_mistake("CUTLASS make_gmma_desc, make_umma_desc")
def wrong_stride(suspect: Suspect) -> Iterator[Problem]:
    """LBO and SBO are those of the tile."""
    for strides in suspect.tile_strides:
        wrong = _wrong_strides(suspect, strides)
        for changed in (*({key: size} for key, size in wrong.items()), *([wrong] if len(wrong) > 1 else [])):
            texts = (f"{NICK[key]} is {suspect.number(key)} B, {size} B in the tile" for key, size in changed.items())
            yield _undone("; ".join(texts), "", changed)
    sbo, atom = suspect.number(SBO), _atom(suspect)
    if not suspect.tile_strides and sbo and atom_of(sbo) and sbo < atom:
        name = suspect.fields["swizzle"].value
        yield _undone(f"SBO {sbo} B is an atom of another swizzle mode, not of {name}", "", {SBO: atom})


@_mistake(ENCODE)
def start_address_not_divided(suspect: Suspect) -> Iterator[Problem]:
    """The start address is divided by 16."""
    start = suspect.number(START)
    reserved = suspect.number("reserved_14") or 0
    if start is None or suspect.from_base:
        return
    size, lbo = address_window(suspect.fields[START].field), suspect.number(LBO) or 0
    lbos = dict.fromkeys(each for each, _ in suspect.tile_strides) or (lbo,)
    # The address has 18 bits, the field 14 and the reserved bits 2: its upper 2 run into LBO.
    for upper, right in product(range(4) if reserved or suspect.tile_start is not None else (0,), lbos):
        address = start + (reserved + 4 * upper) * size
        if address and not address % (UNIT * UNIT) and address // UNIT < size:
            message = f"the field holds the byte address 0x{address // UNIT:05x}"
            cleared = {"reserved_14": 0} if reserved else {}
            cleared |= {LBO: right} if upper and right != lbo else {}
            weight = UNCERTAIN if suspect.tile_start is None else CERTAIN
            yield _undone(message, "divide by 16", {START: address // UNIT, **cleared}, weight)


@_mistake(ENCODE)
def start_address_carry(suspect: Suspect) -> Iterator[Problem]:
    """Only the 18 bits of an address of shared memory are encoded."""
    lbo = suspect.number(LBO)
    if lbo is None:
        return
    reserved = {"reserved_14": 0} if suspect.number("reserved_14") else {}
    for right in dict.fromkeys(lbo for lbo, _ in suspect.tile_strides) or (UNIT, lbo):
        changed = {**reserved, **({LBO: right} if right != lbo else {})}
        # More than the bits that an LBO of this size leaves free cannot have come from an address.
        if changed and right <= lbo < 2 * right:
            where = " and ".join(NICK.get(key, "bits 14-15") for key in changed)
            yield _undone(f"upper bits of an address run into {where}", "mask the address with 0x3ffff", changed)


@_mistake("CUTLASS DescriptorIterator")
def k_advance(suspect: Suspect) -> Iterator[Problem]:
    """A step adds its bytes, divided by 16, to the start address."""
    start, begin, bits = suspect.number(START), suspect.tile_start, suspect.context.bits
    if start is None or begin is None or bits is None:
        return
    units = (("bytes", 1, UNIT), ("elements", bits, 128), ("elements divided by 16", bits, 8))
    for first, (what, times, by) in product(suspect.first_starts, units):
        step, rest = divmod((start - first) * times, by)
        if not rest and 0 < step != start - first and first + step in suspect.step_starts:
            message = f"a step of {step} B was added in {what}, not in 16-byte units: {start - first} B"
            yield _undone(message, "", {START: first + step})
    for right in suspect.step_starts:
        if right != start:
            message = f"no MMA step begins {start - begin} B into the tile; one begins at {right - begin} B"
            yield _undone(message, "", {START: right}, UNCERTAIN if right in suspect.likely_starts else POSSIBLE)


@_mistake("CUTLASS make_runtime_instr_desc", NOTE)
def idesc_half(suspect: Suspect) -> Iterator[Problem]:
    """The instruction descriptor is in the 32 bits that the instruction takes."""
    high, low = word_pair(suspect.wide)
    if high and suspect.bits == low:
        table = suspect.kind.table
        right = {key: field.value for key, field in table.read(high).items() if field.bits != suspect.fields[key].bits}
        yield _undone(f"only the low 32 bits of 0x{suspect.wide:016x} are taken", _SHIFT, right, CERTAIN)


_SHIFT = "shift right by 32 before the conversion"


class Transposition(NamedTuple):
    """The major-ness of an operand by its instruction."""

    name: str
    """``a`` or ``b``."""
    major: str
    bit: str
    """The field, or the immediate of wgmma, that says it: ``transpose_a``, ``trans_a``."""


@_mistake("PTX ISA 9.1, 9.7.15.5.1.2.1")
def transpose_bit(operand: Transposition) -> Problem:
    """The instruction reads each operand with the major-ness of its tile."""
    other = "MN" if operand.major == "K" else "K"
    message = f"{operand.name.upper()} is read as {operand.major}-major, but its tile is {other}-major"
    return _undone(message, "", {operand.bit: other == "MN"})


@_mistake("PTX ISA 9.3, Table 45")
def type_code(suspect: Suspect) -> Iterator[Problem]:
    """The codes of the element types are those of the types that lie in memory."""
    same = (dict.fromkeys(("a_type", "b_type"), name) for name in suspect.types.values())
    for types in (suspect.types, *same):
        read = {key: suspect.fields[key].value for key in types}
        right = {key: name for key, name in types.items() if name != read[key]}
        if right:
            texts = (f"{key} is the code of {read[key] or 'no type'}, not of {name}" for key, name in right.items())
            yield _undone("; ".join(texts), "", right, CERTAIN)


@_mistake("PTX ISA 9.3, Table 45")
def m_code(suspect: Suspect) -> Iterator[Problem]:
    """M is divided by 16, or by 128, in its field."""
    yield from _shape_codes(suspect, "m", (1, 8, 16))


@_mistake("PTX ISA 9.3, Table 45")
def n_code(suspect: Suspect) -> Iterator[Problem]:
    """N is divided by 8 in its field."""
    yield from _shape_codes(suspect, "n", (1,))


def _shape_codes(suspect: Suspect, key: str, divisors: tuple[int, ...]) -> Iterator[Problem]:
    """Yield the legal descriptors that become this one if M or N is divided by one of these numbers in its field."""
    table, kind = suspect.kind.table, suspect.kind.mma_kind
    if kind is None or not all(reading.complete for reading in suspect.fields.values()):
        return
    sparse = "sparse" in suspect.fields and suspect.fields["sparse"].value is True
    pairs = {
        (m, n)
        for shape in allowed_rows(kind, sparse, suspect.context)
        for m in shape.m
        for n in columns(kind, shape, False)
    }
    for m, n in sorted(pairs):
        if key == "m" and n != suspect.fields["n"].value:
            continue  # M is above N: nothing of it runs into N
        encoded, number = table.encode({"m": m, "n": n}), m if key == "m" else n
        for code in dict.fromkeys(number // divisor for divisor in divisors):
            # Twice the M may be that of both CTAs.
            if code == encoded[key] or (code == 2 * encoded[key] and suspect.context.cta_group != 1):
                continue
            for right in dict.fromkeys(_before_overflow(table, suspect.bits, encoded, key, code)):
                read = table.read(right)
                changed = {each: read[each].value for each in read if read[each].bits != suspect.fields[each].bits}
                message = f"{key.upper()} = {number} is in its field as {code}, not as {encoded[key]}"
                # A number that left no trace is also one that was never set.
                traced = suspect.bits != table.with_raws(right, {key: 0})
                yield _undone(message, "", changed, CERTAIN if code == number and traced else UNCERTAIN)


def _before_overflow(table: Table, bits: int, encoded: Mapping[str, int], key: str, code: int) -> Iterator[int]:
    """Yield the descriptors with this M and N that become ``bits`` if a number is written over a field of theirs."""
    row = table.row(key)
    above = {each.key: each.codec.default for each in table.rows if each.lo > row.hi and each.key != "m"}
    right = table.with_raws(table.with_constants(bits), encoded)
    for each in (right, table.with_raws(right, above)):
        if table.overwritten(each, key, code) == bits:
            yield each
    before = table.plus(bits, key, encoded[key] - code)
    # What was added is still there: nothing was borrowed from the bits above.
    if (before < bits) == (code > encoded[key]) and table.with_raws(table.with_constants(before), encoded) == before:
        yield before
    cut = table.insert(right, key, code % (ones(row.width) + 1))
    if cut == bits:
        yield right


def _undone(message: str, fix: str, right: Mapping[str, Scalar | None], weight: int = UNCERTAIN) -> Problem:
    repair = tuple(Repair(key, value) for key, value in right.items() if value is not None)
    return error(message, fix=fix, fields=tuple(right), repair=repair, weight=weight)


OF_OPERANDS = (
    *(lbo_sbo_swapped, stride_not_divided, stride_divided_twice, swizzle_missing, swizzle_code, wrong_stride),
    *(start_address_not_divided, start_address_carry, k_advance),
)
"""The mistakes of shared-memory descriptors."""
OF_INSTRUCTIONS = (m_code, n_code, type_code, idesc_half)
"""Those of instruction descriptors."""
RULES = (*OF_OPERANDS, *OF_INSTRUCTIONS, transpose_bit)
