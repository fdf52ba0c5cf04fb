"""The rules that come from the tables: reserved bits, constants, undefined codes, architectures."""

from __future__ import annotations

import pytest
from samples import ALL, SOUND, found
from tables import every_row

from smemdesc import Context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import decode_literal, literal_of
from smemdesc.engine.fields import Enum, Selected
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS
from smemdesc.rules import judge


@every_row("kind", ALL)
def test_every_bit_that_the_format_fixes_is_watched(kind: Kind) -> None:
    for bit in range(kind.table.width):
        if kind.table.must_mask >> bit & 1:
            assert found(kind.id, SOUND[kind.id] ^ 1 << bit), f"bit {bit} may be wrong unnoticed"


@every_row(
    ("text", "kind", "rule"),
    [
        ("0x????????0000c040", "tcgen05", "reserved-bits"),
        ("0x4000c040:?", "tcgen05", "version-constant"),
        ("0x6000404?????????", "tcgen05", "undefined-code"),
        ("0b01??????" + "?" * 56, "wgmma", None),
        ("0b?11?????" + "?" * 56, "tcgen05", "undefined-code"),
        ("0b??1?????" + "?" * 56, "tcgen05", None),
        ("0b0?1?????" + "?" * 56, "tcgen05", None),
        ("0x?????????????0??", "mask", None),
    ],
)
def test_what_is_known_is_enough(text: str, kind: str, rule: str | None) -> None:
    rules = {finding.rule for finding in decode_value(text, kind).findings if finding.severity != "note"}
    assert rules == ({rule} if rule else set())


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (SOUND["tcgen05"] | 3 << 14, "bits 14-15 are reserved and must be 0, not 0b11"),
        (SOUND["tcgen05"] ^ 3 << 46, "bits 46-48 must be 0b001, not 0b010"),
        (SOUND["tcgen05"] ^ 1 << 46, "some shipped code writes 0"),
        (SOUND["tcgen05"] | 1 << 61, "swizzle has no code 3"),
    ],
)
def test_message_names_the_bits(value: int, says: str) -> None:
    assert any(says in finding.message for finding in decode_value(value, "tcgen05").findings)


def test_wrong_code_says_what_it_would_be_elsewhere() -> None:
    value = literal_of(SOUND["tcgen05"] | 1 << 61)
    finding = decode_literal(value, "tcgen05", context=Context(major="K")).findings[0]
    assert "code 3 is 32B in wgmma (6 here) and 128B in the tensor map (2 here)" in finding.likely


@every_row("kind", [kind_of(each) for name in KINDS for each in ids(name)])
def test_no_code_is_sound_that_has_no_name(kind: Kind) -> None:
    """Also not one that another field rules out, whatever else is found."""
    table = kind.table
    for row in table.rows:
        for by in (0, 1) if isinstance(row.codec, Selected) else (0,):
            for raw in range(1 << min(row.width, 4)) if isinstance(row.codec, Enum) else ():
                bits = table.insert(0, row.key, raw)
                for key in row.codec.depends[:1] if isinstance(row.codec, Selected) else ():
                    bits = table.insert(bits, key, by)
                readings = table.read(bits)
                if readings[row.key].value is None:
                    assert any(row.key in each.fields for each in judge(kind, readings)), (row.key, raw, by)
