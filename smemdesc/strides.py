"""What LBO and SBO mean: one row for each combination of mode and major-ness.

The two offsets change their roles with the major-ness and with the swizzle; findings, explanations
and layouts all ask here.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.case import Context
from smemdesc.kinds.modes import MODE, Mode

SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.1; CUTLASS mma_sm100_desc.hpp"
LBO, SBO = "leading_byte_offset", "stride_byte_offset"
NICK = {LBO: "LBO", SBO: "SBO"}
UNIT = 16
"""Bytes that the fields of offsets and addresses count in."""
_ENCODED_1 = UNIT
"""Bytes of an LBO that CUTLASS writes where LBO has no effect."""


class Stride(NamedTuple):
    """One of the two offsets, for a case."""

    key: str
    along: str
    """``K`` or ``MN``: the direction that it steps in."""
    step: str
    """What one step passes over, in words."""
    line: str
    """What lies in one line of ``width`` bytes, in the plural: rows, or k."""
    width: int
    """Bytes of one such line."""
    packed: int
    """Bytes of one step when atoms lie back to back: a smaller stride overlaps."""
    used: bool | None
    """Whether the operand reaches a second step; None where the shape is not known."""

    def explain(self, size: int) -> str:
        """Say what an offset of ``size`` bytes is here: ``SBO 2048 B: 8 k to the next 8 k, 2 x 1024 B apart``."""
        nick = NICK[self.key]
        if self.used is False:
            return f"{nick} has no effect here: the operand ends within {self.step}"
        if not size:
            return f"{nick} 0 B: {self.step} and the next are read from the same bytes"
        if self.used is None and size == _ENCODED_1 and self.key == LBO and self.along == "K" and self.width > size:
            return f"{nick} has no effect while K fits one atom ({self.width} B); CUTLASS writes 1 there"
        if size % self.width:
            return f"{nick} {size} B is not a whole number of {self.line} of {self.width} B; it steps over {self.step}"
        if size > self.packed:
            # Not counted in lines: those beyond the step are not the operand's, or are other atoms' lines.
            text = f"{nick} {size} B: {self.step} to the next {self.step.partition(' (')[0]}"
            if size % self.packed:
                return f"{text}, {size - self.packed} B between"
            return f"{text}, {size // self.packed} x {self.packed} B apart"
        text = f"{nick} {size} B = {size // self.width} {self.line} of {self.width} B: {self.step} to the next"
        if size == self.packed:
            return f"{text}, back to back"
        return f"{text}, which need {self.packed} B: they overlap"


def _exceeds(size: int | None, limit: int) -> bool | None:
    return None if size is None else size > limit


def strides(mode: Mode, major: str, context: Context) -> tuple[Stride, Stride]:
    """Return what LBO and SBO (in that order) mean for a mode and a major-ness."""
    bits = context.bits
    unit = f"{128 // bits} elements" if bits else "16 B"
    k_bytes = context.k * bits // 8 if context.k is not None and bits else None
    mn_bytes = context.mn * bits // 8 if context.mn is not None and bits else None
    width = mode.width
    if major == "K":
        column = f"{width} B of K" + (f" ({width * 8 // bits} elements)" if bits else "")
        rows = _exceeds(context.mn, 8)
        return (
            Stride(LBO, "K", column, "rows", width, 8 * width, _exceeds(k_bytes, width)),
            Stride(SBO, "MN", "8 rows", "rows", width, 8 * width, rows),
        )
    if mode.name == "none":
        return (
            Stride(LBO, "K", "8 k", "k", 16, 128, _exceeds(context.k, 8)),
            Stride(SBO, "MN", f"16 B of MN ({unit})" if bits else "16 B of MN", "k", 16, 128, _exceeds(mn_bytes, 16)),
        )
    group = f"{width} B of MN" + (f" ({width * 8 // bits} elements)" if bits else "")
    return (
        Stride(LBO, "MN", group, "k", width, mode.atom, _exceeds(mn_bytes, width)),
        Stride(SBO, "K", f"{mode.lines} k", "k", width, mode.atom, _exceeds(context.k, mode.lines)),
    )


def strides_of(swizzle: str, major: str, context: Context) -> tuple[Stride, Stride]:
    """Return :func:`strides` for a mode's name."""
    return strides(MODE[swizzle], major, context)
