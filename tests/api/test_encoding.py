"""``smemdesc.encode``: an int that knows what it is."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from run import smemdesc as program

import smemdesc

VALUE = smemdesc.encode("wgmma", start="1KiB", sbo=1024, swizzle="128B")
MAP = smemdesc.tensormap(dtype="bf16", address=0x7F1234567000, dim=(64, 64), stride=128, box="64,8", swizzle="128B")
LAYOUT = "(64,(8,2)):(8,(1,512))"


def test_it_is_the_number() -> None:
    assert isinstance(VALUE, int)
    assert VALUE == 0x4000004000010040
    assert (str(VALUE), json.dumps(VALUE), f"{VALUE:x}") == (str(int(VALUE)), str(int(VALUE)), "4000004000010040")
    again = pickle.loads(pickle.dumps(VALUE))
    assert (again, again.findings, type(again)) == (VALUE, VALUE.findings, type(VALUE))


def test_it_shows_itself_as_what_is_pasted() -> None:
    assert repr(VALUE) == "0x4000004000010040"
    assert repr(smemdesc.encode("wgmma", from_="0x40000040:?", swizzle="64B")) == "0x80000040????????"


def test_it_knows_what_it_is() -> None:
    assert VALUE.fields["swizzle"].value == "128B"
    assert VALUE.to_dict() == smemdesc.decode(int(VALUE), "wgmma").to_dict() | {"input": repr(VALUE)}
    forced = smemdesc.encode("idesc", mma_kind="f16", m=64, n=256, cta_group=2, force=True)
    assert (forced.ok, forced.findings[0].rule) == (False, "shape")


@pytest.mark.parametrize("given", [MAP, int(MAP), MAP.to_bytes(128, "little"), repr(MAP)], ids=lambda each: type(each))
def test_a_tensor_map_is_read_in_any_form(given: Any) -> None:
    assert smemdesc.decode(given).fields["box_1"].value == 8
    case = {"dtype": "bf16", "major": "K", "shape": "8x16"}
    held = smemdesc.decode(0x4000404000010040, map=given, **case)
    assert held.map_check is not None
    assert held.map_check.copied.box == (64, 8)


@pytest.mark.parametrize(
    ("keywords", "typed"),
    [
        ({"start": 1024, "sbo": "1KiB", "swizzle": "128b"}, ["--start", "1024", "--sbo", "1KiB", "--swizzle", "128b"]),
        ({"from_": VALUE, "advance": "32B"}, ["--from", hex(VALUE), "--advance", "32B"]),
        ({"from_": VALUE, "raw": {"base_offset": 1}}, ["--from", hex(VALUE), "--raw", "base_offset=1"]),
        (
            {"from_": VALUE, "advance": 16, "dtype": "bf16", "trans_b": "N"},
            ["--from", hex(VALUE), "--advance", "16", "--dtype", "bf16", "--trans-b", "N"],
        ),
        (
            {"layout": "(64,(8,2)):(8,(1,512))", "dtype": "bf16"},
            ["--layout", "(64,(8,2)):(8,(1,512))", "--dtype", "bf16"],
        ),
    ],
)
def test_the_command_gives_the_same(keywords: dict[str, Any], typed: list[str]) -> None:
    assert program("encode", "wgmma", *typed).out == f"{smemdesc.encode('wgmma', **keywords)!r}\n"


@pytest.mark.parametrize(("dtype", "mma_kind"), [("bf16", "i8"), ("tf32", "f16"), ("e4m3", "mxf4"), ("s8", "tf32")])
def test_a_type_that_the_mma_kind_does_not_read_has_no_descriptor_of_a_layout(dtype: str, mma_kind: str) -> None:
    bits = {"bf16": 16, "tf32": 32}.get(dtype, 8)
    layout = f"Sw<3,4,3> o smem_ptr[{bits}b](0x400) o (64,{1024 // bits}):({1024 // bits},1)"
    assert smemdesc.encode("tcgen05", layout=layout, dtype=dtype, major="K") == 0x4000404000010040
    with pytest.raises(smemdesc.SmemdescError, match=f"kind::{mma_kind} reads no {dtype} operands"):
        smemdesc.encode("tcgen05", layout=layout, dtype=dtype, major="K", mma_kind=mma_kind)
