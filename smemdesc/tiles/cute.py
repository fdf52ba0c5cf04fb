"""From the text of a CuTe layout, as C++ and the DSL print it, to a layout of shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.engine.wording import many
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.types import PACKED_E2M1, DType, dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.tiles.reading import (
    BY_WIDTH,
    TYPE_OF,
    Buffer,
    LayoutText,
    LayoutTokens,
    Options,
    TextReading,
    Token,
    allowed_majors,
    mode_of,
    stage_of,
)
from smemdesc.tiles.text import DSL_TYPE

SPACES = {"gmem": "global memory", "rmem": "registers", "tmem": "tensor memory", "generic": "generic memory"}
K_LEAST = 256
"""Bits of K of one instruction: a mode with fewer is not K."""


class _SmemPointer(NamedTuple):
    bits: int | None
    dtype: str | None
    address: int | None
    """Bytes; None if the pointer is unset or missing."""
    rest: int
    span: tuple[int, int]


class _Composed(NamedTuple):
    """The parts of a CuTe text."""

    swizzle: Swizzle | None
    swizzle_span: tuple[int, int]
    pointer: _SmemPointer | None
    pointer_first: bool
    """Whether the pointer is before the swizzle: then the swizzle is of offsets."""
    offset: int
    layout: Mode


_LABEL = re.compile(r"\s*+[A-Za-z_][\w. ]*+\s*+[:=]\s*+(?=Sw|S<|sw|smem|gmem|rmem|tmem|ptr|tensor|!|\(|_?[0-9])")


def read_cute(text: str, ask: Options) -> LayoutText:
    """Return the meaning of a CuTe text; see :func:`smemdesc.tiles.explaining.read_layout`."""
    label = _LABEL.match(text)
    words = LayoutTokens(text, label.end() if label else 0)
    composed = _composed(words)
    if words.peek().kind != "end":
        words.wrong(f"{words.peek().text!r} is unexpected after the layout")
    pointer = composed.pointer
    width = pointer.bits if pointer is not None else None
    units = ask.units == "16B" or width == 128
    dtype, assumed = _type(words, None if units else width, pointer, ask)
    swizzles, relative = _swizzles(words, composed, dtype, ask, units)
    mn, k, stages, mma = _roles(words, composed, dtype, units)
    start = (pointer.address if pointer is not None else None) or 0
    rest = pointer.rest if pointer is not None else 0
    if ask.start is not None:
        start, rest = ask.start, 0
    stage = stage_of(ask.stage, stages.size if stages is not None else 1)
    offset = composed.offset + (stages.offset(stage) if stages is not None else 0)
    low = start & ones(ask.address_bits)
    swizzle, stated = swizzles[0]
    span = composed.swizzle_span
    buffer = Buffer(text, mn, k, dtype.storage, swizzle, span, low, rest, offset, stated, relative)
    readings = [reading for swizzle in swizzles for reading in _readings(buffer, *swizzle, units, ask)]
    notes = []
    if stages is not None and stages.size > 1 and ask.stage is None:
        apart = (stages.offset(1) - stages.offset(0)) * (128 if units else dtype.storage) // 8
        notes.append(f"stage 0 of {stages.size}, {apart} B apart; choose another with --stage")
    if start != low:
        notes.append(f"only the low {ask.address_bits} bits of the address 0x{start:x} are used: 0x{low:x}")
    if units and mma is not None:
        mma = mma if "MN" in readings[0].majors else (mma[0], mma[1] * (128 // dtype.storage))
    kept = tuple(reading for reading in readings if reading.majors)
    return LayoutText(text, "CuTe", dtype, assumed, kept, mma, stages.size if stages else 1, stage, tuple(notes))


def _readings(buffer: Buffer, swizzle: Swizzle, stated: bool, units: bool, ask: Options) -> Iterator[TextReading]:
    """Yield what a buffer may be with a swizzle; ``units``: of 16 bytes, which lie along MN or along K."""
    label = [] if stated else [f"as {_mode_text(mode_of(swizzle) or str(swizzle))}"]
    swizzled = buffer._replace(swizzle=swizzle, stated=stated)
    if not units:
        yield TextReading(swizzled, allowed_majors(("K", "MN"), ask), ", ".join(label))
        return
    unit = 128 // buffer.bits
    for major in ("K", "MN"):
        if ask.major is None and major == "MN" and buffer.k.size * buffer.bits < K_LEAST:
            continue  # no instruction has so few k
        refined = swizzled._replace(
            mn=buffer.mn.refined(unit, contiguous=major == "MN"),
            k=buffer.k.refined(unit, contiguous=major == "K"),
            offset=buffer.offset * unit,
        )
        yield TextReading(refined, allowed_majors((major,), ask), ", ".join([*label, f"units along {major}"]))


def _mode_text(name: str) -> str:
    return "no swizzle" if name == "none" else name


def _type(words: LayoutTokens, width: int | None, pointer: _SmemPointer | None, ask: Options) -> tuple[DType, bool]:
    """Return the type, and whether only its width is known."""
    if pointer is not None and pointer.dtype is not None:
        named = dtype_of(TYPE_OF[pointer.dtype])
        own = PACKED_E2M1 if named.name == "e2m1" else named
        width = own.storage
    else:
        own = None
    dtype = ask.dtype
    if dtype is not None and width == 4 and dtype.name == "e2m1":
        dtype = PACKED_E2M1
    if dtype is None:
        if own is not None:
            return own, False
        if width is None:
            whole = 0, len(words.text.rstrip())
            words.wrong("the layout does not give the width of an element", whole, "give --dtype, as in --dtype bf16")
        if width not in BY_WIDTH:
            words.wrong(
                f"no operand has elements of {width} bits",
                Token("", f"[{width}b]", pointer.span[0] if pointer else 0),
                "they have 16, 8, 4 or 32 bits; 6- and 4-bit types in 8-bit containers are 8b",
            )
        return dtype_of(BY_WIDTH[width], "mxf4" if width == 4 else None), True
    if width is not None and width != dtype.storage:
        span = pointer.span if pointer is not None else (0, 1)
        what = f"{dtype.storage} bits" + (" in shared memory" if dtype.storage != dtype.bits else "")
        words.wrong(
            f"the text has elements of {width} bits, but {dtype.name} has {what}",
            span,
            "omit --dtype, or give a type of that width",
        )
    return dtype, False


def _swizzles(
    words: LayoutTokens, composed: _Composed, dtype: DType, ask: Options, units: bool
) -> tuple[list[tuple[Swizzle, bool]], bool]:
    """Return each swizzle of bytes that the text may mean and whether it is explicit; and whether it is of offsets."""
    bits = 128 if units else dtype.storage
    written = composed.swizzle
    if written is None and composed.pointer is not None:
        # A pointer without a swizzle prints none; a layout that had one would print it.
        written = Swizzle(0, 4, 3)
    if written is None:
        if ask.swizzle is not None:
            return [(Swizzle(*MODE[ask.swizzle].swizzle), True)], False
        return [(Swizzle(*mode.swizzle), False) for mode in MODES], False
    # CuTe swizzles a pointer by bytes and an offset by elements. No mode in bytes looks like one in elements.
    by_offset = composed.pointer is None and mode_of(written) is None and mode_of(written.recast(bits, 8)) is not None
    relative = bool(written.b) and (composed.pointer_first or by_offset)
    swizzle = written.recast(bits, 8) if relative else written
    if swizzle.m < 0:
        words.wrong(
            f"{written} of elements of {bits} bits moves parts of a byte, so it is not a mode",
            composed.swizzle_span,
            "a swizzle of elements is Sw<B,4-log2(bytes of an element),3>",
        )
    if ask.swizzle is not None and mode_of(swizzle) != ask.swizzle:
        text = _mode_text(mode_of(swizzle) or str(written))
        words.wrong(f"the text has {text}, but --swizzle is {ask.swizzle}", composed.swizzle_span, "omit --swizzle")
    return [(swizzle, True)], relative


def _roles(
    words: LayoutTokens, composed: _Composed, dtype: DType, units: bool
) -> tuple[Mode, Mode, Mode | None, tuple[int, int] | None]:
    """Return MN, K, stages and the MMA's shape from the modes of the text."""
    modes = composed.layout.modes
    parts = modes[0].modes
    if len(modes) in (3, 4) and len(parts) == 2:
        k_bits = modes[1].size * (128 if units else dtype.storage)
        if len(modes) == 4 or k_bits < K_LEAST:
            # ((MN,K) of one MMA, steps along MN, steps along K[, stages]): how a partitioned tensor prints.
            mn, k = (Mode(*part.leaves, *steps.leaves) for part, steps in zip(parts, modes[1:], strict=False))
            return mn, k, modes[3] if len(modes) == 4 else None, (parts[0].size, parts[1].size)
    if not 2 <= len(modes) <= 3:
        words.wrong(
            f"the layout has {many(len(modes), 'mode')}: an operand has MN and K "
            '(CUTLASS: "Descriptors can only be constructed on rank-2 tensors.")',
            words.tokens[0],
            "write (MN,K), (MN,K,stages) or ((MN,K),MN steps,K steps,stages)",
        )
    return modes[0], modes[1], modes[2] if len(modes) == 3 else None, None


def _composed(words: LayoutTokens) -> _Composed:
    swizzle: Swizzle | None = None
    span = (words.peek().start, len(words.text.rstrip()))
    pointer: _SmemPointer | None = None
    first = False
    offset = 0
    if words.peek().text in ("!cute.memref", "!") or words.peek().text == "tensor":
        return _dsl_tensor(words)
    while True:
        token = words.peek()
        if token.text in ("Sw", "S", "Swizzle"):
            begin = token.start
            first = pointer is not None
            swizzle = _swizzle(words)
            span = (begin, words.tokens[words.at - 1].start + 1)
            if words.peek().kind == "name" and words.peek().text.startswith("_"):
                pointer = _pointer(words)
        elif token.kind == "name" and "ptr" in token.text:
            pointer = _pointer(words)
            if swizzle is None:
                span = pointer.span
        elif token.kind == "number" and words.peek(1).text == "o":
            offset = words.number("an offset")
        else:
            break
        words.expect("o", " between the parts of a layout")
    return _Composed(swizzle, span, pointer, first, offset, _layout(words))


def _swizzle(words: LayoutTokens) -> Swizzle:
    words.take()
    words.expect("<", " after Sw")
    numbers = []
    for place, name in enumerate("BMS"):
        if place:
            words.expect(",", " in Sw<B,M,S>")
        token = words.peek()
        numbers.append(words.number(f"{name} of Sw<B,M,S>"))
        if not 0 <= numbers[-1] < WORD:
            words.wrong(f"{name} of Sw<B,M,S> is a number of bits of an address, not {numbers[-1]}", token)
    words.expect(">", " after S of Sw<B,M,S>")
    return Swizzle(*numbers)


def _pointer(words: LayoutTokens) -> _SmemPointer:
    token = words.take()
    name = token.text.lstrip("_")
    space = name.partition("_")[0]
    if space in SPACES:
        words.wrong(
            f"the tensor is in {SPACES[space]}, but a descriptor addresses shared memory "
            '(CUTLASS: "Descriptors can only be constructed on smem.")',
            token,
            "print the shared-memory tensor: smem_ptr[...]",
        )
    if "sparse" in name:
        words.wrong(
            "the pointer is to sparse elements, each of which represents several",
            token,
            "recast the tensor to its storage type and print it again",
        )
    if name not in ("smem_ptr", "smem_subptr", "ptr", "subptr"):
        words.wrong(f"{token.text!r} is not a pointer", token)
    words.expect("[", " after the pointer")
    width = words.take()
    if width.kind != "width":
        words.wrong("expected the width of an element, as in [16b]", width)
    words.expect("]", " after the width")
    words.expect("(", " before the address")
    nested = words.accept("(")
    place = words.take()
    address: int | None = None
    rest = 0
    if place.kind == "hex":
        if len(place.text) > 18:
            words.wrong("an address has at most 16 digits", place)
        address = int(place.text, 16)
    elif place.text in ("nil", "nullptr"):
        address = 0
    elif place.text not in ("unset",):
        words.wrong(f"{place.text!r} is not an address", place, "write (0x400), ((nil)) or (unset)")
    if nested:
        words.expect(")", " after nil")
    if words.accept("."):
        rest = words.number("the bit of the address")
    end = words.expect(")", " after the address")
    return _SmemPointer(int(width.text[:-1]), None, address, rest, (token.start, end.start + 1))


def _dsl_tensor(words: LayoutTokens) -> _Composed:
    """Read ``tensor<ptr<bf16, smem, align<128>, S<1,4,3>> o (64,16):(16,1)>`` or ``!cute.memref<bf16, smem, ...>``."""
    words.accept("!")
    opening = words.take()
    words.expect("<", f" after {opening.text}")
    memref = opening.text != "tensor"
    begin = words.peek()
    if not memref:
        if begin.text != "ptr":
            words.wrong(
                f"{begin.text!r} is not a pointer to shared memory", begin, "write tensor<ptr<bf16, smem, ...> o ...>"
            )
        words.take()
        words.expect("<", " after ptr")
    name = words.take()
    if name.text not in TYPE_OF:
        words.wrong(f"{name.text!r} is not an operand type", name, f"the DSL's are {', '.join(DSL_TYPE.values())}")
    swizzle: Swizzle | None = None
    span = begin.span
    layout: Mode | None = None
    space = ""
    while words.accept(","):
        token = words.peek()
        if token.text == "align":
            words.take()
            words.expect("<")
            words.number("an alignment")
            words.expect(">")
        elif token.text == "S":
            swizzle = _swizzle(words)
            span = (token.start, words.tokens[words.at - 1].start + 1)
        elif token.kind == "string":
            words.take()
            layout = _layout(LayoutTokens(words.text, token.start + 1, token.start + len(token.text) - 1), whole=True)
        else:
            space = words.take().text
            if space != "smem":
                words.wrong(
                    f"the tensor is in {SPACES.get(space, space)}, but a descriptor addresses shared memory",
                    token,
                    "print the shared-memory tensor (smem)",
                )
    words.expect(">", " after the pointer")
    if not memref:
        words.expect("o", " between pointer and layout")
        layout = _layout(words)
        words.expect(">", " after the layout")
    if layout is None:
        words.wrong("the layout is missing", hint='as in !cute.memref<bf16, smem, "(64,16):(64,1)">')
    pointer = _SmemPointer(None, name.text, None, 0, name.span)
    return _Composed(swizzle, span, pointer, False, 0, layout)


class _TupleText(NamedTuple):
    """An integer or a tuple of a shape or a stride, with its places."""

    value: int | None
    parts: tuple[_TupleText, ...]
    span: tuple[int, int]


def read_cute_layout(text: str) -> Mode:
    """Return a layout ``shape:stride`` with neither swizzle nor pointer; :class:`SmemdescError` with a caret."""
    return _layout(LayoutTokens(text), whole=True)


def _layout(words: LayoutTokens, *, whole: bool = False) -> Mode:
    shape = _tuple(words, "an extent", 0)
    words.expect(":", " between shape and stride")
    stride = _tuple(words, "a stride", 0)
    if whole and words.peek().kind != "end":
        words.wrong(f"{words.peek().text!r} is unexpected after the layout")
    layout = _paired(words, shape, stride)
    return Mode(layout) if isinstance(layout, Leaf) else layout


def _tuple(words: LayoutTokens, what: str, depth: int) -> _TupleText:
    opening = words.peek()
    if depth > 8:
        words.wrong("the layout is nested too deeply", opening)
    if opening.text != "(":
        value = words.number(what)
        if what == "an extent" and value < 1:
            words.wrong(f"an extent must be at least 1, not {value}", opening)
        return _TupleText(value, (), opening.span)
    words.take()
    parts = [_tuple(words, what, depth + 1)]
    while words.accept(","):
        parts.append(_tuple(words, what, depth + 1))
    closing = words.expect(")", " at the end of the tuple")
    return _TupleText(None, tuple(parts), (opening.start, closing.start + 1))


def _paired(words: LayoutTokens, shape: _TupleText, stride: _TupleText) -> Leaf | Mode:
    if shape.value is not None and stride.value is not None:
        return Leaf(shape.value, stride.value, stride.span)
    if len(shape.parts) != len(stride.parts):
        words.wrong(
            "shape and stride are not congruent",
            stride.span,
            "each extent needs its stride: ((8,2),(4,2)):((8,64),(1,4))",
        )
    return Mode(*(_paired(words, one, step) for one, step in zip(shape.parts, stride.parts, strict=True)))
