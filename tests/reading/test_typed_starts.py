"""A start typed after a value: what is read, what is refused, and that it is shown as it was typed."""

from __future__ import annotations

import pytest
from tables import every_row

from smemdesc.descriptors.decoding import decode_value
from smemdesc.engine.errors import SmemdescError

VALUE = "0x4000404000010000"


@every_row(
    ("typed", "start", "known"),
    [
        ("@smem", ("smem", 0), 0),
        ("@smem+0x400", ("smem", 1024), 0),
        ("@smem:1024+0x420", ("smem", 1056), 0x3F),
        ("@smem:128-0x10", ("smem", -16), 0x7),
        ("@%r7:64", ("%r7", 0), 0x3),
        ("@UR16.2+16", ("UR16.2", 16), 0),
        ("@0x420", None, 0x3FFF),
    ],
)
def test_a_start(typed: str, start: tuple[str, int] | None, known: int) -> None:
    result = decode_value(VALUE + typed)
    assert (result.start and result.start[:2], result.candidates[0].fields["start_address"].known) == (start, known)
    if start is not None:
        assert str(result).partition("  ")[0] == (VALUE + typed).replace("+16", "+0x10")


@every_row(
    ("typed", "says", "column"),
    [
        (f"{VALUE}@", "not a start address", 19),
        (f"{VALUE}@smem-", "not a start address", 19),
        (f"{VALUE}@smem:17", "17 is not an alignment", 19),
        (f"{VALUE}@smem:-16", "the alignment is missing", 19),
        (f"{VALUE}@smem+8", "8 B is not a multiple of 16 B", 19),
        (f"{VALUE}@smem+0x40000", "0x40000 is beyond the window", 19),
        (f"{VALUE}@0x40000", "0x40000 is beyond the window", 19),
        ("0x4000404000010040@smem", "the start address is given twice: 0x00400", 19),
        ("0x40004040@smem", "goes with a 64-bit descriptor", 11),
    ],
)
def test_what_is_refused(typed: str, says: str, column: int) -> None:
    with pytest.raises(SmemdescError, match=says) as refused:
        decode_value(typed)
    assert (refused.value.span or (0, 0))[0] == column  # type: ignore[attr-defined]
