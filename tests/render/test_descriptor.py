"""The line of one descriptor shows every field that changes which bytes are read."""

from __future__ import annotations

import pytest

from smemdesc import Context, decode
from smemdesc.kinds.context import NOTHING
from smemdesc.render.descriptor import descriptor_text

PACKED = Context(dtype="bf16", major="K", shape=(64, 16))
"""LBO has no effect here, so that the line need not show it."""


@pytest.mark.parametrize(
    ("value", "arch"),
    [(0x4000004000010040, "sm_90a"), (0x4000404000010040, "sm_103a"), (0x4000404000010040, "sm_107a")],
)
@pytest.mark.parametrize("context", [NOTHING, PACKED], ids=["alone", "packed"])
def test_no_field_that_is_set_is_hidden(value: int, arch: str, context: Context) -> None:
    kind = "wgmma" if arch == "sm_90a" else "tcgen05"
    context = context._replace(arch=arch)

    def text(bits: int) -> str:
        return descriptor_text("a", decode(bits, kind, context=context), context)

    hidden = {
        key
        for key, reading in decode(value, kind, context=context).candidates[0].fields.items()
        if not reading.field.constant and text(value ^ 1 << reading.field.lo) == text(value)
    }
    idle = {"leading_byte_offset"} if context.major else set()
    assert hidden == {"start_address"} | idle


def test_without_a_swizzle_an_operand_is_unswizzled() -> None:
    context = PACKED._replace(arch="sm_90a")
    result = decode(0x0000001000080040, "wgmma", context=context)
    assert descriptor_text("a", result, context) == "unswizzled K-major bf16 64x16, packed"
