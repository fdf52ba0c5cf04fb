"""From the text of a field on the command line to the value for the field's codec."""

from __future__ import annotations

from smemdesc.engine.errors import FieldError
from smemdesc.engine.fields import Enum, Field, Flag, Scalar, Scaled
from smemdesc.kinds import aliases
from smemdesc.reading.quantities import byte_count, whole_number

_OFFSETS = ("leading_byte_offset", "stride_byte_offset")
"""Fields that people also give as what is in their bits."""


def own_name(row: Field, value: Scalar) -> Scalar:
    """Return a code's own name for an alias; anything else unchanged."""
    if not isinstance(row.codec, Enum) or not isinstance(value, str):
        return value
    names = {str(name).lower(): name for name in row.codec.code_names}
    word = value.strip().lower().lstrip(".")
    if word not in names:
        # One enumeration holds modes, the other types: no name is in both.
        word = next(
            (
                spelling
                for spelling in (aliases.mode_alias(word).lower(), aliases.dtype_alias(word))
                if spelling in names
            ),
            word,
        )
    own = names.get(word)
    return value if own is None else own


def field_value(row: Field, text: str) -> Scalar:
    """Read the text of a field: bytes for offsets, names for types and modes, numbers, true or false.

    :class:`smemdesc.engine.errors.FieldError` says what the field takes.
    """
    codec = row.codec
    takes = f"{row.key} takes {codec.describe(row.width)}"
    if isinstance(codec, Flag):
        word = text.strip().lower()
        if word in ("true", "yes", "1", "on"):
            return True
        if word in ("false", "no", "0", "off"):
            return False
        raise FieldError(row.key, f"{row.key}: {text!r} is neither true nor false", hint=takes)
    if isinstance(codec, Enum):
        own = own_name(row, text)
        if own in codec.code_names:
            return own
        named = whole_number(text)
        if all(isinstance(code.name, int) for code in codec.codes) and named is not None:
            return named
        also = codec.by_raw.get(named) if named is not None else None
        hint = f"{takes}; code {named} is named {also.name}" if also else takes
        raise FieldError(row.key, f"{row.key}: {text!r} is not one of its names", hint=hint)
    number = byte_count(text) if isinstance(codec, Scaled) and codec.unit == "B" else whole_number(text)
    if number is None:
        unit = "bytes, as in 1024, 0x400, 1KiB or 64x16B" if getattr(codec, "unit", "") == "B" else "a whole number"
        raise FieldError(row.key, f"{row.key}: {text!r} is not {unit}", hint=takes)
    if row.key in _OFFSETS and isinstance(codec, Scaled) and number % codec.step:
        hint = f"{takes}; units of {codec.step} bytes are written {number}x{codec.step}B"
        try:
            codec.encode(number)
        except ValueError as problem:
            raise FieldError(row.key, f"{row.key}: {problem}", hint=hint) from None
    return number


def advance_of(text: str, bits: int | None, along: str = "K") -> tuple[int, int]:
    """Read an advance as (elements, bytes), one of them 0: ``32B`` (or KiB, or ``2x16B``) is in bytes, a plain number
    in elements ``along`` K or MN, whose storage ``bits`` must be known.

    :class:`smemdesc.engine.errors.FieldError` if it is neither, or if a dimension is given in bytes.
    """
    key = "advance" if along == "K" else "advance_mn"
    plain = whole_number(text)
    if plain is None:
        number = byte_count(text)
        if number is None:
            raise FieldError(key, f"{key}: {text!r} is not a distance", hint="write elements (and --dtype), or 32B")
        if along != "K":
            raise FieldError(key, f"{key}: it is in elements", hint=f"bytes need no direction: --advance {text}")
        return 0, number
    if plain and bits is None:
        hint = f"write {text}B for bytes, or give --dtype for elements" if along == "K" else "give --dtype"
        what = f"is {text} in bytes or in elements?" if along == "K" else "the element type is missing"
        raise FieldError(key, f"{key}: {what}", hint=hint)
    return plain, 0
