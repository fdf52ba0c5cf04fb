"""From the text of a field on the command line to the value for the field's codec."""

from __future__ import annotations

import re

from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Enum, Field, Flag, Scalar, Scaled
from smemdesc.engine.wording import nearest
from smemdesc.kinds import aliases

_UNITS = {"": 1, "b": 1, "kb": 1024, "kib": 1024, "k": 1024, "mib": 1 << 20, "gib": 1 << 30}
_BYTES = re.compile(r"(?i)^(-?)(0x[0-9a-f_]{1,40}|[0-9][0-9_]{0,40})\s*(b|kb|[kmg]ib|k)?$")
_CHUNKS = re.compile(r"(?i)^(-?)(0x[0-9a-f]{1,40}|[0-9]{1,40})\s*[x*]\s*16\s*b?$")


_OFFSETS = ("leading_byte_offset", "stride_byte_offset")
"""Fields that people also give as what is in their bits."""


def _int(digits: str) -> int:
    return int(digits, 16 if digits[:2].lower() == "0x" else 10)


def byte_count(text: str) -> int | None:
    """Read ``1024``, ``0x400``, ``1024B``, ``1KiB``, ``2MiB`` or ``64x16B`` as bytes; None for anything else."""
    text = text.strip()
    chunks = _CHUNKS.match(text)
    if chunks:
        number = _int(chunks.group(2)) * 16
        return -number if chunks.group(1) else number
    match = _BYTES.match(text)
    if match is None:
        return None
    digits = match.group(2).replace("_", "")
    if digits.lower() == "0x":
        return None
    number = _int(digits) * _UNITS[(match.group(3) or "").lower()]
    return -number if match.group(1) else number


def whole_number(text: str) -> int | None:
    """Read a decimal, ``0x`` or ``0b`` number of 256 bits (a mask) or slightly more; None for anything else."""
    text = text.strip().replace("_", "")
    if re.fullmatch(r"-?[0-9]{1,80}", text):
        return int(text)
    if re.fullmatch(r"(?i)-?0x[0-9a-f]{1,80}", text):
        return int(text, 16)
    if re.fullmatch(r"(?i)-?0b[01]{1,320}", text):
        return int(text, 2)
    return None


def number_of(text: str, option: str, hint: str) -> int:
    """Read the number of an option. :class:`smemdesc.engine.errors.SmemdescError` with ``hint`` if it is not
    one."""
    number = whole_number(text)
    if number is None:
        raise SmemdescError(f"{option} {text!r} is not a whole number", hint=hint)
    return number


def byte_address(text: str, option: str) -> int:
    """Read an address in bytes. :class:`smemdesc.engine.errors.SmemdescError` if it is not one."""
    address = byte_count(text)
    if address is None or address < 0:
        raise SmemdescError(f"{option} {text}: not an address", hint="write bytes, as in 1024, 0x400 or 1KiB")
    return address


def own_name(row: Field, value: Scalar) -> Scalar:
    """Return a code's own name for an alias; anything else unchanged."""
    if not isinstance(row.codec, Enum) or not isinstance(value, str):
        return value
    names = {str(code.name).lower(): code.name for code in row.codec.codes}
    word = value.strip().lower().lstrip(".")
    if word not in names:
        # One enumeration holds modes, the other types: no name is in both.
        word = next(
            (spelling for spelling in (aliases.mode(word).lower(), aliases.dtype(word)) if spelling in names), word
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
        if own in {code.name for code in codec.codes}:
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


def mode_name(text: str) -> str:
    """Return the name of a swizzle mode, in any case. :class:`smemdesc.engine.errors.SmemdescError` lists the
    modes."""
    from smemdesc.kinds.modes import MODE

    mode = {name.lower(): name for name in MODE}.get(aliases.mode(text).strip().lower())
    if mode is None:
        raise SmemdescError(
            f"unknown swizzle mode {text!r}",
            hint=nearest(text, (*MODE, *aliases.MODES), f"the modes are {', '.join(MODE)}"),
        )
    return mode


def start_address(text: str, option: str = "--start", *, within: bool = True, arch: str | None = None) -> int:
    """Read a start address in bytes, a multiple of 16. :class:`smemdesc.engine.errors.SmemdescError` if it is not one.

    ``within``: an address above 18 bits (19 if ``arch`` is sm_107) is an error, too.
    """
    from smemdesc.kinds.addresses import beyond, too_high
    from smemdesc.kinds.kind import kind_of

    start = byte_address(text, option)
    row = kind_of("tcgen05", None, arch).table.row("start_address")
    if within and beyond(row, start):
        error = too_high(row, start, force=False)
        raise SmemdescError(f"{option} {text}{error.message.removeprefix(row.key)}", hint=error.hint)
    if start % 16:
        raise SmemdescError(f"{option} {text}: {start} B is not a multiple of 16 B", hint="use a multiple of 16")
    return start
