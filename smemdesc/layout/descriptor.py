"""From a decoded shared-memory descriptor and its case to the operand that it addresses."""

from __future__ import annotations

from collections.abc import Mapping

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Reading
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.layout.operand import Operand
from smemdesc.layout.strides import LBO, SBO, is_absolute, strides_of

WINDOW = 256 * 1024
"""Bytes that a descriptor can address."""


def operand_of(fields: Mapping[str, Reading], context: Context, text: str = "the descriptor") -> Operand:
    """Return the operand of a descriptor; ``context`` has to say dtype, major and shape.

    :class:`smemdesc.engine.errors.SmemdescError` names what is missing or not known.
    """
    missing = [name for name in ("dtype", "major", "shape") if getattr(context, name) is None]
    if missing:
        raise SmemdescError(
            f"where elements lie depends on {', '.join(missing)}",
            hint="for example --dtype bf16 --major K --shape 64x16",
        )
    assert context.dtype is not None
    assert context.major is not None
    assert context.shape is not None
    if context.shape[0] * context.shape[1] * context.dtype.storage // 8 > WINDOW:
        raise SmemdescError(
            f"an operand of {context.shape[0]}x{context.shape[1]} {context.dtype.name} is larger than shared memory",
            hint="give the shape of one instruction's operand",
        )
    swizzle = fields["swizzle"].value
    if not isinstance(swizzle, str):
        raise SmemdescError(
            f"the swizzle mode of {text} is {'undefined' if fields['swizzle'].complete else 'not known'}"
        )
    absolute = is_absolute(fields)
    used = {LBO: True, SBO: True}
    if not absolute:
        used = {stride.key: stride.used is not False for stride in strides_of(swizzle, context.major, context)}
    numbers = {}
    for key in (START, LBO, SBO, "base_offset"):
        value = fields[key].value
        if isinstance(value, int):
            numbers[key] = value
        elif used.get(key, True):
            raise SmemdescError(
                f"{key} of {text} is not known",
                hint="give the whole value, or both words as HI:LO (0x40004040:0x00010040)",
            )
    return Operand(
        swizzle,
        context.major,
        context.dtype,
        context.shape,
        start=numbers[START],
        lbo=numbers.get(LBO, 0),
        sbo=numbers.get(SBO, 0),
        base_offset=numbers["base_offset"],
        absolute=absolute,
    )


def fields_of(operand: Operand) -> dict[str, object]:
    """Return the fields of the descriptor of an operand: :func:`operand_of` the other way round."""
    fields: dict[str, object] = {
        START: operand.start,
        LBO: operand.lbo,
        SBO: operand.sbo,
        "base_offset": operand.base_offset,
        "swizzle": operand.mode.name,
    }
    return {**fields, "lbo_mode": "absolute"} if operand.absolute else fields
