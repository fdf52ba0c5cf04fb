"""The layout under which shared memory holds the expected matrix, and what to change.

First the descriptor's own; then every layout that a descriptor can express (:mod:`smemdesc.layout.matching`),
verified on every element; then mistakes in writing that no descriptor expresses (:mod:`smemdesc.layout.write_errors`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import more
from smemdesc.kinds.addresses import LINE, START
from smemdesc.kinds.elements import NUMBER_FORMATS, Memory
from smemdesc.kinds.modes import MODE, of_width
from smemdesc.kinds.names import MAJORS
from smemdesc.kinds.types import DType
from smemdesc.layout.matching import (
    MatchCount,
    MatrixUnit,
    SearchedMatrix,
    absolute_candidates,
    candidate_operands,
    effective_strides,
    neighbors,
)
from smemdesc.layout.operand import Operand
from smemdesc.layout.strides import LBO, NICK, SBO
from smemdesc.layout.write_errors import CHUNKS, MOVED, PATTERN, PITCH, ROWS, TYPE, WriteError, write_errors

PART = 0.25
"""Share of the units that has to agree for a layout to be named at all."""
NOWHERE = range(0), range(0)
MOST_LAYOUTS = 8
"""Other layouts that are listed."""


class FieldMismatch(NamedTuple):
    """A field of the descriptor: its value, and the value that reads the matrix. Offsets and addresses in bytes."""

    field: str
    """``swizzle``, ``major``, ``start_address``, ``leading_byte_offset``, ``stride_byte_offset``, ``base_offset``,
    ``lbo_mode``."""
    said: str | int
    """In the descriptor."""
    found: str | int
    """In the layout of memory."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"field": self.field, "said": self.said, "found": self.found}


class RecognizedLayout(NamedTuple):
    """A layout under which memory holds the matrix, completely or mostly."""

    operand: Operand | None
    """The layout of a descriptor; None if no descriptor has it, and ``write_error`` describes it."""
    differences: tuple[FieldMismatch, ...]
    """Its differences from the given descriptor; empty without one."""
    agree: int
    """Elements that agree."""
    write_error: WriteError | None = None
    """How it was written, if no descriptor expresses it."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "layout": None if self.operand is None else self.operand.field_dict(),
            "agree": self.agree,
            "differences": [difference.to_dict() for difference in self.differences],
            "way": None if self.write_error is None else self.write_error.to_dict(),
        }


class Recognition(NamedTuple):
    """What memory holds, compared with the expected matrix."""

    dtype: DType
    """Of the matrix."""
    operand: Operand | None
    """The given operand; None without one."""
    total: int
    """Elements of the matrix."""
    agree: int
    """Elements that are where the given descriptor has them; 0 without one."""
    outside: int
    """Elements that its layout has outside of the given memory."""
    differ: tuple[range, range]
    """The rows and the k's between which all elements lie that do not agree with it; whole 16-byte units."""
    answer: RecognizedLayout | None
    """The layout that holds the matrix, or most of it; None if the descriptor's does, or none."""
    alike: tuple[Operand, ...]
    """Other layouts of the same bytes that also hold it: the data repeat."""
    copies: tuple[Operand, ...]
    """The same layout elsewhere, if it also holds all of the matrix."""
    uniform: bool = False
    """Whether most of the matrix's 16-byte units hold one value, and show nothing."""
    majors: tuple[str, ...] = MAJORS
    """The major-nesses that were tried."""
    misplaced: tuple[MatrixUnit, ...] = ()
    """The 16-byte units that are not where the given descriptor has them."""

    @property
    def right(self) -> bool:
        """Whether every element is where the descriptor has it."""
        return self.agree == self.total

    @property
    def best(self) -> Operand | None:
        """The operand that reads the complete matrix: the descriptor's own, or the answer's; None if none does."""
        if self.right:
            return self.operand
        return self.answer.operand if self.answer is not None and self.answer.agree == self.total else None

    @property
    def overlaps(self) -> bool:
        """Whether elements share bytes in the found layout: no tile is written so; only repeating data fit
        it."""
        if self.right or self.best is None:
            return False
        addresses = _addresses(self.best)
        return len(set(addresses)) < len(addresses)

    def sentences(self, name: str = "the operand") -> list[str]:
        """Return what was recognized in sentences, the answer first; ``name`` is A, B, or another name."""
        return list(_sentences(self, name))

    def to_dict(self, descriptors: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON object, numbers in bytes and elements; ``descriptors`` that read the matrix, by kind."""
        operand = self.operand
        mns, ks = self.differ
        return {
            "dtype": self.dtype.name,
            "total": self.total,
            "right": self.right,
            "asked": None if operand is None else operand.field_dict(),
            "agree": None if operand is None else self.agree,
            "outside": None if operand is None else self.outside,
            "differ": {"mn": [mns[0], mns[-1]], "k": [ks[0], ks[-1]]} if mns else None,
            "answer": None if self.answer is None else self.answer.to_dict(),
            "descriptors": dict(descriptors),
            "alike": [layout.field_dict() for layout in self.alike],
            "copies": [copy.field_dict() for copy in self.copies],
            "sentences": self.sentences(),
        }


def recognize(
    memory: Memory, expected: Sequence[Sequence[int]], operand: Operand, *, kind: str | None = None
) -> Recognition:
    """Return the layout under which ``memory`` holds ``expected``, bit patterns of MN x K.

    ``operand`` is the descriptor's, with the shape of ``expected`` (which may be a whole tile: K beyond one
    instruction is in the same atom, or LBO further on). ``kind`` wgmma or tcgen05 tries only its modes.
    :class:`smemdesc.engine.errors.SmemdescError` if the shapes differ.
    """
    shape = len(expected), len(expected[0]) if expected else 0
    if shape != operand.shape:
        turned = shape == operand.shape[::-1]
        raise SmemdescError(
            f"the matrix is {shape[0]}x{shape[1]}, the operand {operand.shape[0]}x{operand.shape[1]} (MN x K)",
            hint="transpose it: B is N x K here" if turned else "give the matrix that the descriptor addresses",
        )
    return _first_complete(
        _recognize(memory, variant, operand.dtype, operand, kind, MAJORS)
        for variant in _variants(operand.dtype, expected)
    )


def find_layouts(
    memory: Memory,
    expected: Sequence[Sequence[int]],
    dtype: DType,
    *,
    majors: tuple[str, ...] = MAJORS,
    kind: str | None = None,
) -> Recognition:
    """Return the layouts under which ``memory`` holds ``expected``, without a known descriptor."""
    if not expected or not expected[0]:
        raise SmemdescError("the matrix has no elements")
    return _first_complete(
        _recognize(memory, variant, dtype, None, kind, majors) for variant in _variants(dtype, expected)
    )


def _variants(dtype: DType, expected: Sequence[Sequence[int]]) -> Iterator[Sequence[Sequence[int]]]:
    """Yield the matrix; then, of tf32, as conversions round it: memory may hold f32 as well as tf32."""
    yield expected
    if dtype.name == "tf32":
        unread = NUMBER_FORMATS["tf32"].unread
        half = 1 << unread - 1
        if any(element & half for row in expected for element in row):
            yield [[(element + half >> unread) << unread for element in row] for row in expected]


def _first_complete(attempts: Iterable[Recognition]) -> Recognition:
    most: Recognition | None = None
    for one in attempts:
        if most is None or _agreeing_elements(one) > _agreeing_elements(most):
            most = one
        if most.best is not None:
            break
    assert most is not None
    return most


def _agreeing_elements(one: Recognition) -> int:
    return max(one.agree, one.answer.agree if one.answer is not None else 0)


def _recognize(
    memory: Memory,
    expected: Sequence[Sequence[int]],
    dtype: DType,
    described: Operand | None,
    kind: str | None,
    majors: tuple[str, ...],
) -> Recognition:
    matrix = SearchedMatrix(dtype, expected, memory)
    own = matrix.compare(described) if described is not None else MatchCount(0, 0, 0)
    uniform = 2 * matrix.count_distinctive("K") <= len(matrix.units("K"))
    result = Recognition(
        dtype, described, matrix.elements, own.elements, own.outside, NOWHERE, None, (), (), uniform, majors
    )
    if described is not None and own.elements == matrix.elements:
        return result._replace(alike=_distinct(described, _equivalent(matrix, described, kind)))
    if described is not None:
        result = result._replace(differ=matrix.box(described), misplaced=matrix.misplaced(described))
    hint = described.start if described is not None else memory.first
    tried = _best_candidates(matrix, hint, kind, majors, described)
    whole = [operand for operand, agreement in tried if agreement.elements == matrix.elements]
    if whole:
        best = whole[0]
        touched = set(_addresses(best))
        apart = [operand for operand in whole[1:] if touched.isdisjoint(_addresses(operand))]
        same = [operand for operand in whole[1:] if operand not in apart]
        copies = tuple(candidate for candidate in apart if _same_elsewhere(best, candidate))
        answer = RecognizedLayout(best, differences(described, best), matrix.elements)
        alike = _distinct(best, (*same, *_equivalent(matrix, best, kind)))
        return result._replace(answer=answer, alike=alike, copies=copies[:MOST_LAYOUTS])
    reached = own.units
    least = PART * max(matrix.count_distinctive("K"), 1)
    for operand, agreement in tried[:1]:
        if agreement.units > reached and agreement.units >= least:
            reached = agreement.units
            result = result._replace(
                answer=RecognizedLayout(operand, differences(described, operand), agreement.elements)
            )
    for way in write_errors(matrix, hint, described, majors, mostly=reached >= 2 * least):
        if way.agree == matrix.elements or (way.units > reached and way.units >= least):
            reached = way.units
            result = result._replace(answer=RecognizedLayout(None, (), way.agree, way))
            if way.agree == matrix.elements:
                break
    return result


def _best_candidates(
    matrix: SearchedMatrix, hint: int, kind: str | None, majors: tuple[str, ...], described: Operand | None
) -> list[tuple[Operand, MatchCount]]:
    """Return the layouts that hold the most, the nearest to the descriptor first: those that hold all, or else one."""
    near = neighbors(described, kind) if described is not None else ()
    absolute = (
        absolute_candidates(matrix, hint) if kind != "wgmma" and described is not None and described.absolute else ()
    )
    distinct = {
        _fields(operand): operand
        for operand in (*near, *absolute, *candidate_operands(matrix, hint, kind, majors, described))
        if operand.major in majors
    }
    ordered = sorted(distinct.values(), key=lambda operand: _distance(described, operand))
    matches = []
    for operand in ordered:
        if matrix.fits_sample(operand):
            agreement = matrix.compare(operand)
            if agreement.elements == matrix.elements:
                matches.append((operand, agreement))
                if len(matches) == _WHOLE:
                    break
    if matches:
        # Elements that share bytes are no tile; only data that repeat let them pass.
        return sorted(matches, key=lambda pair: len(set(_addresses(pair[0]))), reverse=True)
    scores = [matrix.sample(operand) for operand in ordered]
    likely = sorted(range(len(ordered)), key=lambda number: (-scores[number], number))[:MOST_LAYOUTS]
    matches = [(ordered[number], matrix.compare(ordered[number])) for number in likely if scores[number]]
    return sorted(matches, key=lambda pair: -pair[1].units)[:1]


_WHOLE = 32
"""Layouts that hold all of the matrix, after which no other is looked for: the data repeat."""


def _same_elsewhere(operand: Operand, candidate: Operand) -> bool:
    """Return whether two layouts differ in their start alone."""
    return _fields(operand)[:2] + _fields(operand)[3:] == _fields(candidate)[:2] + _fields(candidate)[3:]


def _fields(operand: Operand) -> tuple[object, ...]:
    """Return what decides where the operand's elements lie, fields without effect as None."""
    effective = effective_strides(operand)
    return (
        operand.mode.name,
        (operand.major, operand.absolute),
        operand.start,
        operand.base_offset % operand.mode.phases,
        operand.lbo if effective[LBO] else None,
        operand.sbo if effective[SBO] else None,
    )


def _distance(described: Operand | None, operand: Operand) -> tuple[object, ...]:
    """Return a sort key: fewest fields that differ, then smallest differences; without a descriptor the plainest."""
    if described is None:
        return (operand.base_offset, operand.start, operand.major, operand.mode.width)
    mismatches = differences(described, operand)
    sizes = sum(
        abs(mismatch.found - mismatch.said)
        for mismatch in mismatches
        if isinstance(mismatch.found, int) and isinstance(mismatch.said, int)
    )
    return (sum(not idle(operand, mismatch) for mismatch in mismatches), sizes, operand.mode.width)


def idle(operand: Operand, difference: FieldMismatch) -> bool:
    """Whether a difference is not a fault of the descriptor: LBO of K-major swizzled operands has no effect within
    the K of one instruction, and matters only for steps beyond the atom."""
    return (
        difference.field == LBO
        and operand.major == "K"
        and operand.mode.name != "none"
        and not isinstance(difference.said, str)
        and difference.said <= LINE // 8
    )


def differences(described: Operand | None, operand: Operand) -> tuple[FieldMismatch, ...]:
    """Return the fields that differ in the operand, only those that have an effect in it."""
    if described is None:
        return ()
    effective = effective_strides(operand)
    phases = operand.mode.phases
    pairs: list[tuple[str, str | int, str | int, bool]] = [
        ("major", described.major, operand.major, True),
        ("swizzle", described.mode.name, operand.mode.name, True),
        ("lbo_mode", _mode(described), _mode(operand), True),
        (START, described.start, operand.start, True),
        (LBO, described.lbo, operand.lbo, effective[LBO]),
        (SBO, described.sbo, operand.sbo, effective[SBO]),
        ("base_offset", described.base_offset % phases, operand.base_offset % phases, True),
    ]
    return tuple(FieldMismatch(field, one, right) for field, one, right, matters in pairs if matters and one != right)


def _mode(operand: Operand) -> str:
    return "absolute" if operand.absolute else "relative"


def _addresses(operand: Operand) -> list[int]:
    return [address for _, _, address in operand.unit_addresses()]


def _equivalent(matrix: SearchedMatrix, operand: Operand, kind: str | None) -> Iterator[Operand]:
    """Yield other layouts than the operand's own that also hold all of the matrix."""
    for neighbor in neighbors(operand, kind):
        if matrix.fits_sample(neighbor) and matrix.compare(neighbor).elements == matrix.elements:
            yield neighbor


def _distinct(operand: Operand, others: Iterable[Operand]) -> tuple[Operand, ...]:
    """Return the other operands whose elements do not all lie at the operand's addresses."""
    grids = [operand.grid]
    distinct = []
    for candidate in others:
        if candidate.grid not in grids:
            grids.append(candidate.grid)
            distinct.append(candidate)
            if len(distinct) == MOST_LAYOUTS:
                break
    return tuple(distinct)


_LISTED = 4
"""Layouts, rows or chunks that a sentence lists."""


def _sentences(result: Recognition, name: str) -> Iterator[str]:
    whole = result.answer is not None and result.answer.agree == result.total
    if result.right:
        yield f"all {result.total} elements are where the descriptor says"
        if result.alike:
            others = _list_layouts(result.alike, result.operand)
            yield f"the data cannot distinguish this layout from others that also hold the matrix ({others}); {_REPEAT}"
        return
    if result.answer is not None and result.alike:
        assert result.best is not None
        yield f"several layouts hold all {result.total} elements; the data cannot distinguish them: {_REPEAT}"
        which = "the nearest" if result.operand is not None else "one"
        yield f"{which} is {layout_in_words(result.best)}; others: {_list_layouts(result.alike, result.best)}"
    elif result.answer is not None:
        agree = f"all {result.total}" if whole else f"{result.answer.agree} of {result.total}"
        yield f"{agree} elements agree {_agreement_clause(result.answer, name)}"
        yield from field_changes(result.answer)
    if result.operand is not None:
        mns, ks = result.differ
        part = (len(mns), len(ks)) != result.operand.shape
        where = f"; the others are in mn {_range_text(mns)} and k {_range_text(ks)}" if result.agree and part else ""
        yield f"as the descriptor says, {result.agree} of {result.total} elements agree{where}"
        if result.outside:
            yield f"{result.outside} elements are outside the given memory"
    if result.answer is None:
        best = "no other layout found holds more" if 4 * result.agree >= result.total else ""
        only = f" (only {result.majors[0]}-major layouts were tried)" if len(result.majors) == 1 else ""
        yield (
            f"{best or 'no layout found holds a quarter'} of the matrix, under any mode, "
            f"major-ness{only}, base offset, stride or start, moved, without a swizzle, or as another type; "
            "probably the bytes are other data, not written yet, or overwritten"
        )
    if result.overlaps and not result.alike:
        yield f"elements share bytes, so the data do not determine LBO and SBO; {_REPEAT}"
    if result.uniform and not result.best:
        yield f"most of the matrix is one value, which does not determine the layout; {_REPEAT}"
    if result.copies:
        places = ", ".join(f"at 0x{copy.start:x}" for copy in result.copies[:_LISTED])
        yield f"the matrix is in memory more than once: also {places}{more(len(result.copies), _LISTED)}"


_REPEAT = "use data that do not repeat"


def _range_text(extent: range) -> str:
    return f"{extent[0]} to {extent[-1]}" if len(extent) > 1 else str(extent[0])


def _agreement_clause(answer: RecognizedLayout, name: str) -> str:
    if answer.write_error is not None:
        return _write_error_clause(answer.write_error, name)
    operand = answer.operand
    assert operand is not None
    if not answer.differences:
        return f"with {layout_in_words(operand)}"
    fields = {difference.field: difference for difference in answer.differences}
    parts = []
    if "major" in fields:
        parts.append(f"as if {name} were {operand.major}-major")
    if "swizzle" in fields:
        how = "without swizzle" if operand.mode.name == "none" else f"with {operand.mode.name} swizzle"
        how = f"written {how}, SBO {operand.sbo} B"
        parts.append(how if parts else f"as if {how}")
    rest = [difference for difference in answer.differences if difference.field not in ("major", "swizzle")]
    if parts:
        return " and ".join(parts)
    return f"if {' and '.join(_difference_clause(difference, operand) for difference in rest)}"


def _difference_clause(mismatch: FieldMismatch, operand: Operand) -> str:
    if mismatch.field == START:
        return f"the tile begins at 0x{mismatch.found:x}"
    if mismatch.field == "base_offset":
        return f"the base offset is {mismatch.found}"
    if mismatch.field == "lbo_mode":
        return f"the LBO mode is {mismatch.found}"
    if mismatch.field == LBO and operand.absolute:
        return f"the second part of K is at 0x{mismatch.found:x}"
    if idle(operand, mismatch):
        return f"atoms along K are {mismatch.found} B apart"
    return f"{NICK[mismatch.field]} is {mismatch.found} B"


def field_changes(answer: RecognizedLayout) -> list[str]:
    """Return what to change in the given descriptor, one sentence per field."""
    if answer.operand is None:
        return []
    return [_change(difference, answer.operand) for difference in answer.differences]


def _change(mismatch: FieldMismatch, operand: Operand) -> str:
    now, right = mismatch.said, mismatch.found
    if mismatch.field == "major":
        return f"the major-ness of the instruction must be {right}, not {now}: or write the tile {now}-major"
    if mismatch.field == "swizzle":
        return f"the swizzle mode must be {right}, not {now}: or write the tile with {now} swizzle"
    if mismatch.field == "lbo_mode":
        return f"the LBO mode must be {right}, not {now}"
    assert isinstance(now, int)
    assert isinstance(right, int)
    if mismatch.field == START:
        way = "further on" if right > now else "before"
        return f"the tile lies {abs(right - now)} B {way}: at 0x{right:x}, not 0x{now:x}"
    if mismatch.field == "base_offset":
        period = operand.mode.period
        text = f"the base offset must be {right}, not {now}"
        if right:
            text += f": the swizzle pattern begins {right * LINE} B past a multiple of {period} B"
            aligned = operand.start % period == right * LINE
            text += f", like the tile; or align the tile to {period} B" if aligned else ""
        else:
            text += f": the swizzle pattern begins at a multiple of {period} B"
        return text
    if mismatch.field == LBO and operand.absolute:
        return f"the second part of K is at 0x{right:x}, not 0x{now:x}: LBO is its address"
    if idle(operand, mismatch):
        width = operand.mode.width
        return (
            f"atoms along K are {right} B apart: the K step beyond {width} B begins there (LBO has no effect within "
            f"one instruction)"
        )
    return f"{NICK[mismatch.field]} must be {right} B, not {now} B"


def layout_in_words(operand: Operand) -> str:
    """Return a layout in one line: ``128B, K-major, at 0x400, LBO 16 B, SBO 1024 B``."""
    base = f", base offset {operand.base_offset}" if operand.base_offset else ""
    return (
        f"{operand.mode.name if operand.mode.name != 'none' else 'no swizzle'}, {operand.major}-major, at "
        f"0x{operand.start:x}, LBO {operand.lbo} B, SBO {operand.sbo} B{base}"
    )


def _list_layouts(operands: tuple[Operand, ...], best: Operand | None) -> str:
    layouts = [_differing_fields(operand, best) for operand in operands[:_LISTED]]
    return ", ".join(dict.fromkeys(layouts)) + more(len(operands), _LISTED)


def _differing_fields(operand: Operand, best: Operand | None) -> str:
    """A layout by its differences from another."""
    if best is None:
        return layout_in_words(operand)
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


def _write_error_clause(way: WriteError, name: str) -> str:
    return _CLAUSES[way.how](way, name)


def _pitch_clause(way: WriteError, name: str) -> str:
    assert way.columns is not None
    text = f"as if written {_written(way)}, {_apart(way)}"
    if way.across is not None:
        text += f", blocks of {way.columns * 16} B of {way.major} {way.across} B apart"
    plain = of_width(way.pitch) if way.swizzle == "none" else ""
    return f"{text}: no descriptor reads that" + (f"; write it with {plain} swizzle" if plain else "")


def _pattern_clause(way: WriteError, name: str) -> str:
    assert way.start is not None
    return (
        f"as if written {_written(way)} of offsets from 0x{way.start:x} instead of addresses: the base "
        f"offset is in units of 128 B, so align the tile to 128 B, or better to {8 * MODE[way.swizzle].width} B"
    )


def _chunks_clause(way: WriteError, name: str) -> str:
    lines = (f"{_line_noun(way)} {line}: {' '.join(map(str, row))}" for line, row in enumerate(way.order[:_LISTED]))
    return (
        f"as if the 16-byte chunks of each {way.pitch}-byte line were in an order of their own, at 0x{way.start:x} "
        f"({'; '.join(lines)}; ...): no descriptor reads that"
    )


def _moved_clause(way: WriteError, name: str) -> str:
    (down, along) = way.move
    there = f"(mn, k {along:+d})" if along else f"(mn {down:+d}, k)"
    size, axis = (along, "K") if along else (down, "MN")
    there = there.replace("+", "+ ").replace("-", "- ")
    return f"if it is moved along {axis} by {abs(size)}: element (mn, k) is where the descriptor has {there}"


def _rows_clause(way: WriteError, name: str) -> str:
    by = {along for _, along in way.lines}
    rows = ", ".join(str(row) for row, _ in way.lines[:_LISTED]) + more(len(way.lines), _LISTED)
    amount = f"by {by.pop()}" if len(by) == 1 else f"by {', '.join(str(along) for _, along in way.lines[:_LISTED])}"
    plural = "s" if len(way.lines) > 1 else ""
    return f"if row{plural} {rows} {'are' if plural else 'is'} moved along K {amount}"


def _type_clause(way: WriteError, name: str) -> str:
    assert way.dtype is not None
    packed = " (packed)" if way.dtype.name == "e2m1" and way.dtype.storage == 4 else ""
    where = f"{_written(way)}, {_apart(way)}" if way.operand is None else layout_in_words(way.operand)
    return f"as if {name} were written as {way.dtype.name}{packed}: {where}"


_CLAUSES: dict[str, Callable[[WriteError, str], str]] = {
    PITCH: _pitch_clause,
    PATTERN: _pattern_clause,
    CHUNKS: _chunks_clause,
    MOVED: _moved_clause,
    ROWS: _rows_clause,
    TYPE: _type_clause,
}
"""What each way of writing a matrix means, in words; the second argument is the matrix's name."""


def _line_noun(way: WriteError) -> str:
    return "row" if way.major == "K" else "k"


def _written(way: WriteError) -> str:
    return f"{way.major}-major " + ("without swizzle" if way.swizzle == "none" else f"with {way.swizzle} swizzle")


def _apart(way: WriteError) -> str:
    """Say how far apart the lines are, and where the first is."""
    return f"{way.pitch} B from {_line_noun(way)} to {_line_noun(way)}, at 0x{way.start:x}"
