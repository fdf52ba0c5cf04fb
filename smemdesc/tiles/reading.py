"""What the text of a layout says of shared memory: what the readers of CuTe, Triton and TMA boxes share.

A text may leave open what options say: the width of an element, the swizzle of a bare layout, which dimension is K.
Each way to read it is a :class:`Reading`; :mod:`smemdesc.tiles.solving` says which of them a descriptor expresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import NAMES, DType
from smemdesc.layout.memory import ADDRESS_BITS, Memory
from smemdesc.tiles.text import DSL_TYPE

TYPE_OF = {
    **{dsl: ours for ours, dsl in DSL_TYPE.items()},
    **{name: name for name in NAMES},
    "f32": "tf32",
    "i32": "tf32",
    "f8E4M3": "e4m3",
    "f8E4M3FNUZ": "e4m3",
    "si8": "s8",
    "u1": "b1",
    "f4E2M1": "e2m1",
}
"""What the DSL, MLIR and Triton call the types, and ours."""
BY_WIDTH = {1: "b1", 4: "e2m1", 8: "e4m3", 16: "bf16", 32: "tf32"}
"""The type that stands for a width, where a text says no more: it decides nothing about addresses."""


class Ask(NamedTuple):
    """What options say beside the text."""

    dtype: DType | None = None
    major: str | None = None
    swizzle: str | None = None
    units: str = "elements"
    """``elements``, or ``16B``: what a bare CuTe layout counts in."""
    shape: tuple[int, int] | None = None
    """Of a Triton tensor, as Triton writes it; of a tile of several boxes, MN x K."""
    start: int | None = None
    """Replaces the pointer of the text, in bytes."""
    stage: int | None = None
    order: str | None = None
    """``mn`` or ``k``: along which dimension boxes follow each other."""
    address_bits: int = ADDRESS_BITS
    """The bits of a pointer that count."""


class Reading(NamedTuple):
    """One way to read a text."""

    memory: Memory
    majors: tuple[str, ...]
    """The major-nesses that go with it."""
    label: str
    """What was taken to be so, or empty."""


class Source(NamedTuple):
    """A text and every way to read it."""

    text: str
    notation: str
    """``CuTe``, ``Triton`` or ``TMA``."""
    dtype: DType
    assumed: bool
    """Whether the type only stands for its width."""
    readings: tuple[Reading, ...]
    mma: tuple[int, int] | None
    """MN x K of one instruction, where the text says it (a partitioned tensor)."""
    stages: int
    stage: int
    notes: tuple[str, ...]


def asked(majors: Iterable[str], ask: Ask) -> tuple[str, ...]:
    """Return those major-nesses that were asked for."""
    return tuple(major for major in majors if ask.major in (None, major))


def stage_of(asked: int | None, count: int) -> int:
    """Return the stage that was asked for, 0 by default. :class:`SmemdescError` where the layout has fewer."""
    stage = asked or 0
    if not 0 <= stage < count:
        raise SmemdescError(
            f"there is no stage {stage}: the layout has {count}" if count > 1 else "the layout has no stages",
            hint=f"--stage is 0 to {count - 1}" if count > 1 else "leave --stage out",
        )
    return stage
