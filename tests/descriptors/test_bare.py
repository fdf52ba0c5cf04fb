"""One field's value and nothing else."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.result import decode
from smemdesc.engine.errors import FieldError


@pytest.mark.parametrize(
    ("text", "kind", "name", "value"),
    [
        ("0x4000404000010040", None, "start_address", "1024"),
        ("0x4000404000010040", None, "swizzle", "128B"),
        ("0x4000404000010040", None, "lbo_mode", "relative"),
        ("0x4000404000010040", None, "version", "1"),
        ("0x08200490", "idesc:f16", "a_type", "bf16"),
        ("0x08200490", "idesc:f16", "m", "128"),
        ("0x08200490", "idesc:f16", "sparse", "false"),
        ("0x08200494", "idesc:f16", "sparse", "true"),
        ("0x08200490", None, "m", "128"),
        ("0x0003028000000000", None, "skip_span", "3"),
        ("0x6000404000010040", "tcgen05", "swizzle", "undefined:3"),
        ("0x40004040:?", None, "start_address", "?"),
        ("0x40004040:?", None, "swizzle", "128B"),
        ("0x88a0048?", "idesc:mxf4", "k", "?"),
        ("0x88a00484", "idesc:mxf4", "k", "undefined:1"),
    ],
)
def test_value(text: str, kind: str | None, name: str, value: str) -> None:
    assert decode(text, kind).bare(name) == value


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("0x4000404000010040", "swizle", "tcgen05 has no field 'swizle'; did you mean swizzle"),
        ("0x08200490", "a_type", r"depends on the reading \(idesc:f16: bf16; idesc:f8f6f4: e5m2\); say which"),
        ("0x0000000000000000", "skip_span", "depends on the reading|has no field|no such field"),
    ],
)
def test_no_value(text: str, name: str, says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        decode(text).bare(name)
    assert caught.value.key == name
