"""Addresses as users have them: generic pointers, and where a swizzle pattern starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Field, FieldReading, Scaled, ones
from smemdesc.kinds.modes import MODE

LINE = 128
"""Unit of the base offset, in bytes."""
HIGHEST = 0x3FFF0
"""The largest address or offset of a 14-bit field, in bytes."""
START = "start_address"
ENCODE = "PTX ISA 9.1, 9.7.15.5.1.2.2 and 9.7.16.4.1: matrix-descriptor-encode(x) = (x & 0x3FFFF) >> 4"
_LONGEST = 19
"""Bits of an address on sm_107 (PTX ISA 9.4)."""
CONVERT = "__cvta_generic_to_shared(p) or cute::cast_smem_ptr_to_uint(p)"


class RelativeStart(NamedTuple):
    """A start address as a distance from a base: the difference of two starts of one base is known, whatever it is."""

    base: str
    """A symbol, a register, or a name that tells this base from others (``unknown 7``)."""
    offset: int = 0
    """Bytes, modulo the bytes that a start address can distinguish."""
    symbol: bool = False
    """Whether the base is the address of a variable."""
    undivided: bool = False
    """Whether the field holds that address itself: then the base is 16 times as far."""

    def plus(self, number: int, width: int) -> RelativeStart:
        """Return the address so much further on, modulo ``1 << width``."""
        return self._replace(offset=self.offset + number & ones(width))

    @property
    def name(self) -> str:
        """The base as it is typed."""
        return _NO_NAME.sub(".", self.base)

    @property
    def typed(self) -> str:
        """The base and the offset as they are typed: ``smem+0x400``."""
        return f"{self.name}{self.offset:+#x}" if self.offset else self.name

    def __str__(self) -> str:
        return f"{self.base}{self.offset:+#x}" if self.offset else self.base


_NO_NAME = re.compile(r"[^\w$.%]+", re.ASCII)


def from_base(fields: Mapping[str, FieldReading], start: RelativeStart | None) -> Mapping[str, FieldReading]:
    """Return the fields of a descriptor with its start as if its base were at 0, where only that is known."""
    reading = fields[START]
    if start is None or reading.value is not None:
        return fields
    return {**fields, START: with_address(reading, start.offset % address_window(reading.field))}


def with_address(reading: FieldReading, address: int) -> FieldReading:
    """Return the field of a start address with a number of bytes, which may be more than it holds."""
    assert isinstance(reading.field.codec, Scaled)
    raw = address // reading.field.codec.step
    return reading._replace(bits=raw, known=ones(reading.field.width), value=address, settled=True)


def low_bytes(reading: FieldReading, size: int) -> int | None:
    """Return a start address modulo ``size`` bytes, a power of two; None if that is not known."""
    assert isinstance(reading.field.codec, Scaled)
    low = size // reading.field.codec.step - 1
    return (reading.bits & low) * reading.field.codec.step if reading.known & low == low else None


def alignment_of(start: RelativeStart, reading: FieldReading) -> int:
    """Return the alignment of the base of a start in bytes, as far as the known low bits show it."""
    assert isinstance(reading.field.codec, Scaled)
    known = _known_modulo(reading)
    base = (reading.bits * reading.field.codec.step - start.offset) % known
    return base & -base or known


def _known_modulo(reading: FieldReading) -> int:
    """Return the bytes modulo which an address is known: the weight of its lowest unknown bit."""
    assert isinstance(reading.field.codec, Scaled)
    return (~reading.known & -~reading.known) * reading.field.codec.step


def typed_start(start: RelativeStart, reading: FieldReading) -> str:
    """Return a start as people type it after the ``@``: ``smem:1024+0x400``; an alignment of 16 is left out."""
    assert isinstance(reading.field.codec, Scaled)
    alignment = alignment_of(start, reading)
    base = start.name + (f":{alignment}" if alignment > reading.field.codec.step else "")
    return base + (f"{start.offset:+#x}" if start.offset else "")


def start_text(reading: FieldReading, start: RelativeStart | None = None) -> str:
    """Return a start address as far as it is known: ``0x00400``, ``smem+0x400``, ``0x00020 mod 0x400``; empty if
    nothing is."""
    if isinstance(reading.value, int):
        return f"0x{reading.value:05x}"
    assert isinstance(reading.field.codec, Scaled)
    step = reading.field.codec.step
    size = _known_modulo(reading)
    low = f"0x{reading.bits * step % size:05x} mod 0x{size:x}" if size > step else ""
    return f"{start}{f' ({low})' if low else ''}" if start is not None else low


def beyond(row: Field, value: object) -> bool:
    """Whether an address or offset in bytes has more bits than the shared-memory window; a field in two parts is
    global."""
    codec = row.codec
    if not isinstance(codec, Scaled) or codec.unit != "B" or codec.upper:
        return False
    return isinstance(value, int) and not isinstance(value, bool) and value >= address_window(row)


def address_window(row: Field) -> int:
    """Return the bytes that an address field can distinguish: 256 KiB, on sm_107 512 KiB."""
    assert isinstance(row.codec, Scaled)
    return (ones(row.width) + 1) * row.codec.step


def highest(row: Field) -> int:
    """Return the largest address or offset that a field holds, in bytes."""
    assert isinstance(row.codec, Scaled)
    return address_window(row) - row.codec.step


def address_bits(row: Field) -> int:
    """Return the bits of an address that an address field holds: 18, on sm_107 19."""
    return (address_window(row) - 1).bit_length()


def too_high(row: Field, value: int, *, force: bool = True) -> FieldError:
    """Return the error about an address or offset with too many bits: what it is, and what to pass.

    ``force``: whether a ``--force`` option masks it.
    """
    low = value % address_window(row)
    bits = address_bits(row)
    message = f"{row.key}: 0x{value:x} is above the {bits} bits of shared memory (0..0x{address_window(row) - 1:x})"
    if row.key == START:
        hint = f"a generic or 64-bit pointer: pass its low {bits} bits, 0x{low:x}, as {CONVERT} gives them"
        if value < 2 * address_window(row) and bits < _LONGEST:
            hint += f"; sm_107 has {_LONGEST} bits: --arch sm_107a"
    else:
        hint = f"multiplied by 16 again, or a pointer; it takes {row.codec.describe(row.width)}"
    return FieldError(row.key, message, hint=f"{hint}; --force uses the low {bits} bits" if force else hint)


def base_offset_of(pattern_start: int, swizzle: str, kind: str) -> int:
    """Return the base offset of data whose swizzle pattern starts at a byte address.

    For tcgen05 as in the PTX ISA: 0 if the pattern starts at a multiple in its table, else three bits in every
    mode. For wgmma only the bits that take effect, as measured on Hopper: two in 64B, one in 32B.
    :class:`smemdesc.engine.errors.SmemdescError` if there is no pattern, or if it starts within a line.
    """
    if swizzle == "none":
        raise SmemdescError("without swizzle there is no pattern", hint="omit the pattern's start, or give a mode")
    if pattern_start < 0 or pattern_start % LINE:
        low = pattern_start - pattern_start % LINE
        raise SmemdescError(
            f"a pattern starts at a multiple of {LINE} B, not at {pattern_start} B",
            hint=f"the nearest are {max(low, 0)} and {low + LINE}",
        )
    mode = MODE[swizzle]
    if kind == "wgmma":
        return pattern_start // LINE % mode.phases
    # The table has no row for 128B_32B.
    listed = swizzle != "128B_32B" and pattern_start % mode.period == 0
    return 0 if listed else pattern_start // LINE % 8
