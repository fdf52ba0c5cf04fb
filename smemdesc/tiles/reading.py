"""The layout of shared memory in a text: common parts of the readers of CuTe, Triton and TMA boxes.

Options give what a text may lack: the width of an element, the swizzle of a bare layout, which dimension is K. Each way
to read it is a :class:`TextReading` with a :class:`Buffer`, a function from (MN, K) to bit addresses in which each
stride keeps its place in the text, so that errors can point to it. :class:`LayoutTokens` are the tokens of CuTe's and
Triton's texts. :mod:`smemdesc.tiles.solving` finds the readings that a descriptor expresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.types import DTYPE_NAMES, DType
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Mode, Span
from smemdesc.tiles.text import DSL_TYPE

LAYOUT_FORMS = (
    "CuTe: Sw<3,4,3>_smem_ptr[16b](0x400) o (_64,_16):(_64,_1), "
    "Triton: #ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}> or !ttg.memdesc<...>, TMA: box=64x128,swizzle=128B"
)
"""Examples of layouts, for messages."""

_TOKEN = re.compile(
    r"""\s*+(?:(?P<hex>0x[0-9A-Fa-f]+\b)
    |(?P<shaped>[0-9]+(?:x[0-9]+)*x[A-Za-z][A-Za-z0-9]*|[1-9][0-9]*(?:x[0-9]+)+)
    |(?P<width>[0-9]+b\b)
    |(?P<number>-?_?[0-9]+\b)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    |(?P<string>"[^"]*")
    |(?P<mark>[^\sA-Za-z0-9_]))""",
    re.VERBOSE | re.ASCII,
)


class Token(NamedTuple):
    """A word, its type, and its place."""

    kind: str
    text: str
    start: int

    @property
    def span(self) -> tuple[int, int]:
        """The half-open range of its characters."""
        return self.start, self.start + max(1, len(self.text))


class LayoutTokens:
    """The tokens of a text, read from left to right."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[Token] = []
        limit = len(text) if end is None else end
        place = start
        while place < limit:
            match = _TOKEN.match(text, place, limit)
            if match is None:
                break
            kind = match.lastgroup
            assert kind is not None
            self.tokens.append(Token(kind, match[kind], match.start(kind)))
            place = match.end()
        rest = text[place:limit]
        if rest.strip():
            begin = place + len(rest) - len(rest.lstrip())
            self.wrong(f"{text[begin]!r} is unexpected", Token("mark", text[begin], begin))
        self.end = Token("end", "", min(limit, len(text.rstrip())))

    def peek(self, ahead: int = 0) -> Token:
        """Return the next token, or a later one, without consuming it."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else self.end

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the next token if it is one of these texts."""
        return self.take() if self.peek().text in texts else None

    def expect(self, text: str, where: str = "") -> Token:
        """Take the next token, which must be this text."""
        token = self.peek()
        if token.text != text:
            problem = f"{token.text!r} is" if token.text else "the text ends"
            self.wrong(f"{problem} where {text!r} belongs{where}", token)
        return self.take()

    def number(self, what: str) -> int:
        """Take a whole number, with or without CuTe's ``_`` of static ones."""
        token = self.peek()
        if token.kind != "number":
            if token.text == "?":
                self.wrong(f"{what} is known only at run time", token, "replace it with the number")
            problem = f"{token.text!r} is not a number" if token.text else "the text ends"
            self.wrong(f"{problem}, but expected {what}", token)
        self.take()
        digits = token.text.replace("_", "")
        if len(digits) > 12:
            self.wrong(f"{what} {digits[:12]}... is larger than shared memory", token)
        return int(digits)

    def wrong(self, message: str, at: Token | Span | None = None, hint: str = "") -> NoReturn:
        """Raise :class:`smemdesc.engine.errors.SmemdescError` with a caret under a token (the next one) or a span."""
        at = at or self.peek()
        span = at.span if isinstance(at, Token) else at
        raise SmemdescError(message, given=self.text, span=span, hint=hint or f"forms: {LAYOUT_FORMS}")


ADDRESS_BITS = 18
"""The used bits of a pointer: the window of shared memory (19 on sm_107)."""
BYTES = {mode.swizzle: mode.name for mode in MODES}
"""The mode of a swizzle of byte addresses."""


class Buffer(NamedTuple):
    """A buffer in shared memory as in a text: MN x K elements of ``bits``."""

    text: str
    mn: Mode
    k: Mode
    bits: int
    swizzle: Swizzle
    """Of byte addresses, or of byte offsets where ``relative``."""
    span: tuple[int, int]
    """The place of the swizzle in the text, or the whole text."""
    start: int = 0
    """The byte of the pointer."""
    rest: int = 0
    """Bits that it points past that byte."""
    offset: int = 0
    """Elements between the pointer and the first element, before the swizzle."""
    stated: bool = True
    """Whether the text, or an option, gives the swizzle."""
    relative: bool = False
    """Whether the swizzle is of offsets from the pointer (position independent) instead of addresses."""

    @property
    def shape(self) -> tuple[int, int]:
        """MN x K in elements."""
        return self.mn.extent, self.k.extent

    def slice(self, at: tuple[int, int], shape: tuple[int, int]) -> Buffer:
        """Return MN x K elements from (mn, k) on. :class:`smemdesc.engine.errors.SmemdescError` if they do not
        exist."""
        for name, first, extent, whole in zip(("MN", "K"), at, shape, self.shape, strict=True):
            if first < 0 or first + extent > whole:
                raise SmemdescError(
                    f"{shape[0]}x{shape[1]} at {at[0]},{at[1]} is outside the layout: {name} {first} to "
                    f"{first + extent - 1}, but it has {whole}",
                    hint=f"the layout is {self.shape[0]}x{self.shape[1]} elements (MN x K)",
                )
        mn, k = self.mn.slice(at[0], shape[0]), self.k.slice(at[1], shape[1])
        return self._replace(mn=mn, k=k, offset=self.offset + self.mn.offset(at[0]) + self.k.offset(at[1]))

    def linear(self, mn: int, k: int) -> int:
        """Return the bits from the pointer to an element of the slice, before the swizzle."""
        return (self.offset + self.mn.offsets[mn] + self.k.offsets[k]) * self.bits

    def bit_address(self, mn: int, k: int) -> int:
        """Return the bit address of an element of the slice."""
        return self._address(self.linear(mn, k))

    def _address(self, linear: int) -> int:
        if self.relative:
            byte, rest = divmod(linear, 8)
            return (self.start + self.swizzle(byte)) * 8 + self.rest + rest
        byte, rest = divmod(self.start * 8 + self.rest + linear, 8)
        return self.swizzle(byte) * 8 + rest

    def rows(self) -> Iterator[list[int]]:
        """Yield the bit addresses of each mn, one for each k."""
        base = self.offset * self.bits
        across = [offset * self.bits for offset in self.k.offsets]
        for offset in self.mn.offsets:
            down = base + offset * self.bits
            yield [self._address(down + column) for column in across]

    @property
    def mode(self) -> str | None:
        """The mode of the swizzle; None if no mode has it."""
        return mode_of(self.swizzle)


def mode_of(swizzle: Swizzle) -> str | None:
    """Return the name of the mode with this swizzle of byte addresses; None if no mode has it."""
    if not swizzle.b:
        return "none"
    return BYTES.get((swizzle.b, swizzle.m, swizzle.s))


TYPE_OF = {
    **{dsl: ours for ours, dsl in DSL_TYPE.items()},
    **{name: name for name in DTYPE_NAMES},
    "f32": "tf32",
    "i32": "tf32",
    "f8E4M3": "e4m3",
    "f8E4M3FNUZ": "e4m3",
    "si8": "s8",
    "u1": "b1",
    "f4E2M1": "e2m1",
}
"""Names of types in the DSL, MLIR and Triton, and ours."""
BY_WIDTH = {1: "b1", 4: "e2m1", 8: "e4m3", 16: "bf16", 32: "tf32"}
"""The type for a width without more information; addresses do not depend on it."""


class Options(NamedTuple):
    """The options beside the text."""

    dtype: DType | None = None
    major: str | None = None
    swizzle: str | None = None
    units: str = "elements"
    """``elements``, or ``16B``: the unit of a bare CuTe layout."""
    shape: tuple[int, int] | None = None
    """For a Triton tensor, as in Triton; for a tile of several boxes, MN x K."""
    start: int | None = None
    """Replaces the pointer of the text, in bytes."""
    stage: int | None = None
    order: str | None = None
    """``mn`` or ``k``: the dimension of consecutive boxes."""
    address_bits: int = ADDRESS_BITS
    """The used bits of a pointer."""


class TextReading(NamedTuple):
    """One way to read a text."""

    buffer: Buffer
    majors: tuple[str, ...]
    """Its possible major-nesses."""
    label: str
    """The assumptions, or empty."""


class LayoutText(NamedTuple):
    """A text and every way to read it."""

    text: str
    notation: str
    """``CuTe``, ``Triton`` or ``TMA``."""
    dtype: DType
    assumed: bool
    """Whether the type is known only by its width."""
    readings: tuple[TextReading, ...]
    mma: tuple[int, int] | None
    """MN x K of one instruction, if the text has it (a partitioned tensor)."""
    stages: int
    stage: int
    notes: tuple[str, ...]


def allowed_majors(majors: Iterable[str], ask: Options) -> tuple[str, ...]:
    """Return the requested ones of the major-nesses."""
    return tuple(major for major in majors if ask.major in (None, major))


def stage_of(requested: int | None, count: int) -> int:
    """Return the requested stage, 0 by default. :class:`SmemdescError` if the layout has fewer."""
    stage = requested or 0
    if not 0 <= stage < count:
        raise SmemdescError(
            f"there is no stage {stage}: the layout has {count}" if count > 1 else "the layout has no stages",
            hint=f"--stage is 0 to {count - 1}" if count > 1 else "omit --stage",
        )
    return stage
