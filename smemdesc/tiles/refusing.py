"""Why no descriptor expresses a layout: the first wrong stride, in its own numbers, and the nearest layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import many
from smemdesc.kinds.addresses import START, highest
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, SwizzleMode, modes, of_width
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import exists, no_instruction
from smemdesc.layout.mode import Mode
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.layout.strides import NICK, keys_of
from smemdesc.rules.base import ERROR
from smemdesc.tiles.cutlass import Assertion, failed_assertion
from smemdesc.tiles.reading import Buffer, LayoutText
from smemdesc.tiles.solving import LayoutSolution, Solution, fitting_operands, steps_of
from smemdesc.tiles.text import packed_text

K_OF_INSTRUCTIONS = (32, 48, 64)
"""Bytes of K that one instruction reads: dense, K = 96 of packed e2m1, B of a sparse one."""


class Refusal(NamedTuple):
    """The first property of a layout that no descriptor expresses."""

    message: str
    """Which stride, what it is, what it must be."""
    span: tuple[int, int]
    """Its place in the text."""
    hint: str
    nearest: str
    """A layout of the same elements that has a descriptor, as CuTe text."""
    cutlass: Assertion | None
    """The message of CUTLASS's static assertion."""

    @property
    def reason(self) -> str:
        """The message with CUTLASS's words."""
        return " ".join(part for part in (self.message, quote(self.cutlass)) if part)

    def error(self, text: str) -> SmemdescError:
        """Return it as the error that replaces a descriptor."""
        hint = "; ".join(part for part in (self.hint, f"nearest: {self.nearest}" if self.nearest else "") if part)
        message = f"no descriptor expresses this layout: {self.reason}"
        return SmemdescError(message, given=text, span=self.span, hint=hint)


def quote(verdict: Assertion | None) -> str:
    """Return CUTLASS's message in brackets, for searching."""
    if verdict is None:
        return ""
    newer = f', in 4.x "{verdict.newer}"' if verdict.newer else ""
    return f'(CUTLASS: "{verdict.words}"{newer})'


class _Trouble(NamedTuple):
    rank: int
    """How far the layout agrees with the mode: larger is further."""
    message: str
    span: tuple[int, int]
    hint: str


def refusal(solution: Solution, at: tuple[int, int] | None = None) -> Refusal:
    """Return why no reading of a text has a descriptor, for the nearest reading."""
    source, kind = solution.source, solution.kind
    best: tuple[tuple[int, int, int], _Trouble, Buffer, str] | None = None
    for reading in source.readings:
        for major in reading.majors:
            part = _failing(reading.buffer, solution.mma, source.dtype, kind, major, at)
            if part is None or (not part.stated and part.mode and no_instruction(part.mode, major, source.dtype)):
                continue
            trouble = next(_troubles(part, source.dtype, kind, major))
            # Of bare layouts the reading that agrees longest is meant, of equals the widest mode; the contiguous
            # dimension is the one with the smaller stride.
            along = _first_stride(part.k if major == "K" else part.mn, 1)
            score = trouble.rank, MODE[part.mode].width if part.mode else 0, -abs(along)
            if best is None or score > best[0]:
                best = score, trouble, part, major
    if best is None:
        raise SmemdescError("the layout has a descriptor")
    _, trouble, part, major = best
    verdict = cutlass_says(source, part, kind, major)
    nearest = _nearest(part, source.dtype, kind, major)
    return Refusal(trouble.message, trouble.span, trouble.hint, nearest, verdict)


def cutlass_says(source: LayoutText, part: Buffer, kind: Kind, major: str) -> Assertion | None:
    """Return CUTLASS's message for one operand; None if it accepts it, or if the text is not CuTe's."""
    if source.notation != "CuTe" or part.relative:
        return None
    return failed_assertion(part.mn, part.k, part.bits, part.swizzle, kind.name, major)


def _failing(
    memory: Buffer, mma: tuple[int, int], dtype: DType, kind: Kind, major: str, at: tuple[int, int] | None
) -> Buffer | None:
    """Return the first step that has no descriptor."""
    for place in [at] if at is not None else steps_of(memory.shape, mma):
        part = memory.slice(place, mma)
        if next(fitting_operands(part, dtype, kind, (major,)), None) is None:
            return part
    return None


class _View(NamedTuple):
    """An operand as one mode and major-ness see it."""

    kind: Kind
    part: Buffer
    mode: SwizzleMode
    major: str
    bits: int

    @property
    def along(self) -> tuple[str, Mode]:
        """The contiguous dimension."""
        return ("K", self.part.k) if self.major == "K" else ("MN", self.part.mn)

    @property
    def down(self) -> tuple[str, Mode]:
        """The other one, across the lines."""
        return ("MN", self.part.mn) if self.major == "K" else ("K", self.part.k)

    @property
    def width(self) -> int:
        """Elements of one line of the atom."""
        return self.mode.width * 8 // self.bits

    @property
    def lines(self) -> int:
        """Lines of one atom."""
        return self.mode.rows(self.major)

    @property
    def under(self) -> str:
        """The mode in words."""
        return "without swizzle" if self.mode.name == "none" else f"under {self.mode.name}"

    def size(self, count: int) -> str:
        """Return a number of elements with its bytes."""
        bits = count * self.bits
        text = f"{bits // 8} B" if bits % 8 == 0 else f"{bits} bits"
        return f"{many(count, 'element')} ({text})"


def _troubles(part: Buffer, dtype: DType, kind: Kind, major: str) -> Iterator[_Trouble]:
    """Yield what is wrong with an operand read under its mode, the most basic first."""
    name = part.mode
    view = _View(kind, part, MODE[name or "none"], major, dtype.storage)
    yield from _contiguous(view, 128 // dtype.storage, "a 16-byte unit", 0)
    if name is None:
        known = ", ".join(f"Sw<{','.join(map(str, mode.swizzle))}> is {mode.name}" for mode in modes(kind.name))
        yield _Trouble(1, f"{part.swizzle} of byte addresses is not a mode of {kind.name}", part.span, known)
        return
    if view.mode.code(kind.name) is None:
        where = "is for MN-major tf32 on tcgen05" if view.mode.wide else f"is code {view.mode.codes()}"
        yield _Trouble(1, f"{kind.name} has no swizzle {name}", part.span, f"{name} {where}")
        return
    if not exists(name, major):
        hint = f"{name} is for MN-major tf32; use 128B, Sw<3,4,3>"
        yield _Trouble(2, f"{name} has no K-major operand", part.span, hint)
        return
    left = view.width - view.along[1].first % view.width
    yield from _contiguous(view, left, f"a line of {view.mode.width} B {view.under}", 3)
    yield from _pitch(view)
    row = "rows" if major == "K" else "k"
    yield from _groups(view, *view.down, view.lines, view.width, f"{view.lines} {row}", 5)
    x = view.along[0]
    yield from _groups(view, *view.along, view.width, 1, f"{view.mode.width} B of {x} ({view.width} elements)", 6)
    yield from _place(view)
    yield _Trouble(9, f"its elements are where no descriptor {view.under} has them", part.span, "")


def _contiguous(view: _View, count: int, what: str, rank: int) -> Iterator[_Trouble]:
    """Check that this many elements along the contiguous dimension are neighbors."""
    name, mode = view.along
    for i in range(1, min(count, mode.extent)):
        if mode.offsets[i] == i:
            continue
        leaf, passed = mode.leaf_at(i)
        must = view.size(passed)
        down, lines = view.down
        hint = ""
        if i == 1 and lines.extent > 1 and lines.offsets[1] == 1:
            hint = f"{down} is contiguous here: --major {down}"
        yield _Trouble(
            rank,
            f"stride {view.size(leaf.stride)} of {name}: {what} holds neighbors along {name} ({view.major}-major), so "
            f"that from {name.lower()} = {mode.first + i} on it must be {must}",
            leaf.span,
            hint,
        )
        return


def _pitch(view: _View) -> Iterator[_Trouble]:
    """Check that lines within an atom are the width of the mode apart, which no field can change."""
    name, mode = view.down
    row = "row" if view.major == "K" else "k"
    for i in range(1, min(view.lines, mode.extent)):
        gap = mode.offsets[i]
        if gap == i * view.width:
            continue
        leaf, _ = mode.leaf_at(i)
        size = gap * view.bits // 8
        if i > 1:
            message = (
                f"stride {view.size(leaf.stride)} of {name}: {row} {mode.first + i} is {view.size(gap)} from the "
                f"first, and {view.under} it must be {view.size(i * view.width)}"
            )
            yield _Trouble(4, message, leaf.span, f"the {view.lines} lines of an atom are {view.mode.width} B apart")
            return
        message = f"{row} stride {view.size(gap)}: {view.under} it must be {view.size(view.width)}"
        same = of_width(size)
        hint = ""
        if same:
            hint = f"lines of {size} B are those of {same}: write the data with that swizzle"
        elif size > view.mode.width:
            whole = view.along[1].extent * view.bits // 8
            if size <= whole:
                hint = f"write blocks of {view.mode.width} B of {view.along[0]} one after the other"
            else:
                message += "; padding cannot be expressed"
                own = view.part.stated and view.mode.width == MODE["128B"].width
                hint = "" if own else "use 128B swizzle, which needs no padding"
        yield _Trouble(4, message, leaf.span, hint)
        return


def _groups(view: _View, name: str, mode: Mode, inner: int, step: int, what: str, rank: int) -> Iterator[_Trouble]:
    """Check that atoms are one stride apart, a multiple of 16 bytes that fits its field."""
    if mode.extent <= inner:
        if mode.first % inner and step == 1:
            yield from _crossing(view, name, mode, inner, what, rank)
        return
    field = view.kind.table.row(keys_of(view.mode.name, view.major)[name == view.major])
    nick, most = NICK[field.key], highest(field)
    stride = mode.offsets[inner]
    leaf, _ = mode.leaf_at(inner)
    lead = f"stride {view.size(stride)} of {name} ({what} to the next, {nick})"
    if mode.first % inner and step == 1:
        yield from _crossing(view, name, mode, inner, what, rank)
    elif stride < 0:
        yield _Trouble(rank, f"{lead}: it must be 0 or more", leaf.span, f"{nick} is 0 to {most} B")
        return
    elif stride * view.bits % 128:
        unit = view.size(128 // view.bits)
        yield _Trouble(rank, f"{lead}: it must be a multiple of {unit}", leaf.span, f"{nick} counts 16-byte units")
        return
    elif stride * view.bits // 8 > most:
        yield _Trouble(rank, f"{lead}: it must be at most {most} B", leaf.span, f"{nick} has {field.width} bits")
        return
    for i in range(1, mode.extent):
        want = i // inner * stride + i % inner * step
        there = mode.offsets[i]
        if there == want:
            continue
        leaf, _ = mode.leaf_at(i)
        message = (
            f"stride {view.size(leaf.stride)} of {name}: {name.lower()} = {mode.first + i} is {view.size(there)} from "
            f"the first and must be {view.size(want)}, because the stride from {what} to the next ({nick}) "
            f"is {view.size(stride)} here"
        )
        yield _Trouble(rank, message, leaf.span, "")
        return


def _crossing(view: _View, name: str, mode: Mode, inner: int, what: str, rank: int) -> Iterator[_Trouble]:
    """Check that an operand that begins within an atom ends within it: strides count from its start."""
    into = mode.first % inner
    edge = inner - into
    if edge >= mode.extent:
        return
    there = mode.offsets[edge]
    if there == edge:
        return
    leaf, _ = mode.leaf_at(edge)
    message = (
        f"the operand begins {into} elements into {what} and runs over its end: {name.lower()} = {mode.first + edge} "
        f"is {view.size(there)} from its start and must be {view.size(edge)}"
    )
    yield _Trouble(rank, message, leaf.span, f"begin at a multiple of {inner} along {name}, or end within it")


def _place(view: _View) -> Iterator[_Trouble]:
    """Check that it begins at 16 bytes, within the window, with a pattern that a base offset can express."""
    part = view.part
    bit = part.start * 8 + part.rest + part.linear(0, 0)
    byte, rest = divmod(bit, 8)
    most = highest(view.kind.table.row(START))
    if bit % (UNIT * 8):
        unit = 128 // part.bits
        place = f"byte {byte}" + (f" bit {rest}" if rest else "")
        message = f"it begins at {place}, but a start address must be a multiple of 16 B ({unit} elements)"
        yield _Trouble(7, message, part.span, f"begin at a multiple of {unit} elements")
    elif not 0 <= byte <= most:
        message = f"it begins at byte {byte}, but a start address must be at most {most}"
        yield _Trouble(7, message, part.span, "print the shared-memory pointer, or give --start")
    elif part.relative and view.mode.name != "none" and part.start % LINE:
        message = (
            f"the swizzle applies to offsets from byte {part.start}, but the hardware swizzles addresses; the buffer "
            f"must begin at a multiple of {view.mode.period} B, or of {LINE} B with a base offset"
        )
        yield _Trouble(8, message, part.span, f"align the buffer to {view.mode.period} B")


def _nearest(part: Buffer, dtype: DType, kind: Kind, major: str) -> str:
    """Return the layout of the same elements that works: under the text's mode, else the widest that fits."""
    plain = dtype._replace(bits=dtype.storage)
    if major == "MN" and not (dtype.storage == 16 if kind.name == "wgmma" else dtype.storage >= 8):
        major = "K"
    lines, units = (part.mn, part.k) if major == "K" else (part.k, part.mn)
    names = [mode.name for mode in sorted(modes(kind.name), key=lambda mode: -mode.width)]
    read = [name for name in names if exists(name, major) and not no_instruction(name, major, dtype)]
    size, line = units.extent * dtype.storage // 8, _first_stride(lines, 1) * dtype.storage // 8
    whole = [name for name in read if size < MODE[name].width or size % MODE[name].width == 0]
    # The mode of the text, else the widest one whose lines fit into the layout's, else the widest.
    fitting = [name for name in whole if name != "none" and MODE[name].width <= max(line, size)]
    own = [part.mode] if part.mode in whole and part.mode != "none" else []
    swizzle = (*own, *fitting, *whole, *read)[0]
    width = MODE[swizzle].width * 8 // dtype.storage
    near = _first_stride(units, width) == width or _first_stride(lines, 8) <= _first_stride(units, width)
    # Neighbors along the dimension of the lines, as one TMA box writes them, unless the layout differs.
    order = "mn" if near == (major == "K") else "k"
    return packed_text(swizzle, major, plain, part.shape, order)


def _first_stride(mode: Mode, inner: int) -> int:
    return mode.offsets[inner] if mode.extent > inner else 0


def unwritten_swizzle(answer: LayoutSolution) -> str:
    """Return the mode of a descriptor if the layout's text has no swizzle: nothing says that the data have it."""
    mode = answer.first.operand.mode.name
    return "" if answer.reading.buffer.stated or mode == "none" else mode


def remarks(solution: Solution) -> tuple[str, ...]:
    """Return the remarks on the descriptors: assumptions, and what CUTLASS rejects."""
    source = solution.source
    lines = list(source.notes)
    if source.assumed:
        lines.append(
            f"elements of {source.dtype.storage} bits are read as {source.dtype.name}; choose another type with --dtype"
        )
    findings = (*solution.answers, *solution.illegal)
    mn, k = solution.mma
    size = k * source.dtype.storage // 8
    if findings and size not in K_OF_INSTRUCTIONS:
        one = f"{mn}x{source.dtype.k}"
        lines.append(
            f"K = {k} is {size} B, but one instruction reads 32 B: --mma {one} gives the descriptor of each step"
        )
    for answer in solution.illegal if solution.answers else ():
        first = answer.first
        why = next(
            (finding.message for finding in first.findings if finding.severity == ERROR), "no instruction reads it"
        )
        name = f"{first.operand.major}-major {first.operand.mode.name}"
        lines.append(f"{name} (0x{first.value:016x}) has the same elements there, but: {why}")
    for answer in findings[:1]:
        step = answer.steps[0]
        part = answer.reading.buffer.slice((step.mn, step.k), solution.mma)
        verdict = cutlass_says(source, part, solution.kind, answer.first.operand.major)
        if verdict is not None and not unwritten_swizzle(answer):
            what = " only because of its size" if verdict.size else ""
            lines.append(f"the descriptor is right, but CUTLASS rejects the layout{what} {quote(verdict)}")
    return tuple(lines)
