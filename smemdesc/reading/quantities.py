"""Numbers, sizes and shapes as people write them: ``1KiB``, ``0x400``, ``64x16``, ``m64n128k16``; names of modes."""

from __future__ import annotations

import re

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import nearest
from smemdesc.kinds import aliases
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import MAJORS

Shape = str | tuple[int, int]
"""MN x K in elements: ``"64x16"`` or ``(64, 16)``."""
Shape3 = str | tuple[int, int, int]
"""M x N x K in elements: ``"128x128x64"``, ``"m64n128k16"`` or ``(128, 128, 64)``."""
Bytes = int | str
"""Bytes: ``1024``, ``"0x400"``, ``"1KiB"`` or ``"64x16B"``."""
Pair = str | tuple[int, int]
"""An element: ``(17, 9)`` or ``"17,9"``."""
SHAPE_DIGITS = 6
"""Digits of a dimension: shared memory holds fewer than a million elements."""


def major_of(text: str) -> str:
    """Return ``K`` or ``MN``; M and N are accepted for MN. :class:`smemdesc.engine.errors.SmemdescError` for anything
    else."""
    major = text.upper()
    if major in ("M", "N"):
        return "MN"
    if major not in MAJORS:
        raise SmemdescError(f"unknown major-ness {text!r}", hint="use K or MN")
    return major


def parse_shape(text: str) -> tuple[int, int]:
    """Read ``64x16`` as (MN, K), both at least 1."""
    whole = re.fullmatch(r"(?i)m(\d{1,6})n(\d{1,6})k(\d{1,6})", text.strip())
    if whole:
        m, n, k = whole.groups()
        raise SmemdescError(
            f"{text} is the shape of an instruction: A is {m}x{k}, B is {n}x{k}",
            hint=f"choose the operand: --shape {m}x{k} for A, --shape {n}x{k} for B",
        )
    first, cross, second = text.lower().partition("x")
    if not cross or not first.isascii() or not first.isdigit() or not second.isascii() or not second.isdigit():
        raise SmemdescError(f"{text!r} is not a shape", hint="write MNxK in elements, as in 64x16")
    if max(len(first), len(second)) > SHAPE_DIGITS:
        raise SmemdescError(f"{text!r}: no operand is that large", hint="write MNxK in elements, as in 64x16")
    shape = int(first), int(second)
    if min(shape) < 1:
        raise SmemdescError(f"{text!r}: a shape has at least one row and one column", hint="write MNxK, as in 64x16")
    return shape


def parse_mnk(text: str) -> tuple[int, int, int]:
    """Read ``m64n128k16`` (or ``64x128x16``) as M, N, K."""
    match = re.fullmatch(r"(?ai)m(\d+)n(\d+)k(\d+)", text.strip()) or re.fullmatch(
        r"(?ai)(\d+)x(\d+)x(\d+)", text.strip()
    )
    hint = "write M x N x K, as in m64n128k16 or 64x128x16"
    if match is None:
        raise SmemdescError(f"{text!r} is not a shape", hint=hint)
    if max(map(len, match.groups())) > SHAPE_DIGITS:
        raise SmemdescError(f"{text!r}: no tile is that large", hint=hint)
    m, n, k = map(int, match.groups())
    if min(m, n, k) < 1:
        raise SmemdescError(f"{text!r}: a tile has at least one row and one column", hint=hint)
    return m, n, k


_UNITS = {"": 1, "b": 1, "kb": 1024, "kib": 1024, "k": 1024, "mib": 1 << 20, "gib": 1 << 30}
_BYTES = re.compile(r"(?i)^(-?)(0x[0-9a-f_]{1,40}|[0-9][0-9_]{0,40})\s*(b|kb|[kmg]ib|k)?$")
_CHUNKS = re.compile(r"(?i)^(-?)(0x[0-9a-f]{1,40}|[0-9]{1,40})\s*[x*]\s*16\s*b?$")


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


def start_address(text: str, option: str = "--start", *, within: bool = True, arch: str | None = None) -> int:
    """Read a start address in bytes, a multiple of 16. :class:`smemdesc.engine.errors.SmemdescError` if it is not one.

    ``within``: an address above 18 bits (19 if ``arch`` is sm_107) is an error, too.
    """
    from smemdesc.kinds.addresses import beyond, too_high

    start = byte_address(text, option)
    row = kind_of("tcgen05", None, arch).table.row("start_address")
    if within and beyond(row, start):
        error = too_high(row, start, force=False)
        raise SmemdescError(f"{option} {text}{error.option_message.removeprefix(row.key)}", hint=error.option_hint)
    if start % 16:
        raise SmemdescError(f"{option} {text}: {start} B is not a multiple of 16 B", hint="use a multiple of 16")
    return start


def mode_name(text: str) -> str:
    """Return the name of a swizzle mode, in any case. :class:`smemdesc.engine.errors.SmemdescError` lists the
    modes."""
    mode = {name.lower(): name for name in MODE}.get(aliases.mode_alias(text).strip().lower())
    if mode is None:
        raise SmemdescError(
            f"unknown swizzle mode {text!r}",
            hint=nearest(text, (*MODE, *aliases.MODE_ALIASES), f"the modes are {', '.join(MODE)}"),
        )
    return mode
