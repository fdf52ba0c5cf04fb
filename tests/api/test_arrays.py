"""Many descriptors at once, and the addresses of an operand as one array."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import refusing
from tables import every_row

import smemdesc
from smemdesc.engine.arrays import as_array
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.names import KINDS

V = 0x4000404000010040
EVERY = [kind_id for name in KINDS for kind_id in ids(name)]


@pytest.mark.slow
@pytest.mark.parametrize("kind_id", EVERY)
@given(data=st.data())
def test_the_same_as_one_by_one(kind_id: str, data: st.DataObject) -> None:
    name, _, rest = kind_id.partition(":")
    kind = kind_of(name, rest or None)
    values = data.draw(st.lists(st.integers(0, kind.table.full), min_size=1, max_size=4))
    many = smemdesc.decode_many(values, name, rest or None)
    for place, value in enumerate(values):
        one = kind.table.read(value, kind.table.full)
        assert {key: column[place] for key, column in many.items()} == {key: field.value for key, field in one.items()}


@pytest.mark.slow
@pytest.mark.parametrize("kind_id", EVERY)
@given(data=st.data())
def test_encoding_is_the_inverse(kind_id: str, data: st.DataObject) -> None:
    name, _, rest = kind_id.partition(":")
    bits = st.integers(0, kind_of(name, rest or None).table.full)
    values = data.draw(st.lists(bits, min_size=1, max_size=4))
    many = smemdesc.decode_many(values, name, rest or None)  # type: ignore[arg-type]
    defined = [place for place in range(len(values)) if all(column[place] is not None for column in many.values())]
    fields = {key: [column[place] for place in defined] for key, column in many.items()}
    again = smemdesc.encode_many(name, rest or None, **fields)  # type: ignore[arg-type]
    assert list(again) == [values[place] for place in defined]


def test_each_as_one_descriptor_alone() -> None:
    starts, modes = [0, 16, 1024], ["128B", "SWIZZLE_64B", "none"]
    many = smemdesc.encode_many("tcgen05", start=starts, swizzle=modes, sbo="1KiB")
    alone = [
        smemdesc.encode("tcgen05", start_address=start, swizzle=mode, sbo=1024, force=True)  # type: ignore[arg-type]
        for start, mode in zip(starts, modes, strict=True)
    ]
    assert list(many) == alone


REFUSED: list[tuple[str, dict[str, object]]] = [
    ("stride_byte_offset: value 1: 1025 B is not a multiple", {"sbo": [1024, 1025]}),
    ("swizzle: 'x' is not one of its names", {"swizzle": ["128B", "x"]}),
    ("lbo: 3 values, where sbo has 2", {"sbo": [16, 16], "lbo": [16, 16, 16]}),
    ("stride_byte_offset is given twice", {"sbo": 16, "stride_byte_offset": 16}),
    ("did you mean swizzle", {"swizle": "128B"}),
    ("value 0: an integer is needed", {"sbo": [True, 16]}),
    ("an integer is needed", {"sbo": object()}),
]


@every_row(("message", "fields"), REFUSED)
def test_what_a_field_does_not_take_is_named(message: str, fields: dict[str, object]) -> None:
    with refusing(message):
        smemdesc.encode_many("tcgen05", **fields)  # type: ignore[arg-type]


def test_it_is_ten_times_as_fast_as_a_loop() -> None:
    values = [V + (number << 16) % (1 << 30) + number % 64 for number in range(2000)]
    start = process_time()
    many = smemdesc.decode_many(values, "tcgen05")
    at_once = process_time() - start
    start = process_time()
    for value in values[:200]:
        smemdesc.decode(value, "tcgen05")
    assert 10 * at_once < 10 * (process_time() - start)
    assert len(many["swizzle"]) == len(values)


def seconds(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start


def test_encoding_and_addresses_are_ten_times_as_fast_as_a_loop() -> None:
    starts = [16 * number for number in range(2000)]
    at_once = seconds(lambda: smemdesc.encode_many("wgmma", start_address=starts, sbo=1024, swizzle="128B"))
    some = seconds(lambda: [smemdesc.encode("wgmma", start=at, sbo=1024, swizzle="128B") for at in starts[:200]])
    assert at_once < some
    operand = smemdesc.operand(V, kind="tcgen05", dtype="bf16", major="K", shape="128x64").operand
    at_once = min(seconds(operand.addresses) for _ in range(5))
    one_by_one = seconds(lambda: [operand.address(mn, k) for mn in range(128) for k in range(64)])
    assert 10 * at_once < one_by_one


def test_what_does_not_fit_is_refused() -> None:
    with refusing("value 1 has more than 64 bits"):
        smemdesc.decode_many([0, 1 << 64], "wgmma")
    with refusing("is not a value"):
        smemdesc.decode_many([0.5], "wgmma")  # type: ignore[list-item]


def test_a_negative_number_is_all_known() -> None:
    assert smemdesc.decode(-1).to_dict()["value"] == "0x" + "f" * 16
    assert smemdesc.decode(-1).known == smemdesc.decode((1 << 64) - 1).known
    assert (
        smemdesc.decode_many([-1], "tcgen05")["swizzle"][0]
        == smemdesc.decode((1 << 64) - 1, "tcgen05").fields["swizzle"].value
    )


CASES: list[tuple[str, int, dict[str, str]]] = [
    ("K-major", V, {"dtype": "bf16", "major": "K", "shape": "16x16"}),
    ("K-major with base offset", V | 3 << 49, {"dtype": "bf16", "major": "K", "shape": "64x16"}),
    ("MN-major", V, {"dtype": "f16", "major": "MN", "shape": "128x16"}),
    ("nibbles", V, {"dtype": "e2m1", "major": "K", "shape": "16x64", "mma_kind": "mxf4"}),
    ("containers", V, {"dtype": "e2m3", "major": "MN", "shape": "128x32"}),
]


@every_row(("name", "value", "told"), CASES)
def test_addresses_are_those_of_each_element(name: str, value: int, told: dict[str, str]) -> None:
    operand = smemdesc.operand(value, kind="tcgen05", **told).operand  # type: ignore[arg-type]
    addresses, (rows, columns) = operand.addresses(), operand.shape
    one_by_one = [[operand.bit_address(mn, k) / 8 for k in range(columns)] for mn in range(rows)]
    assert [[addresses[mn][k] for k in range(columns)] for mn in range(rows)] == one_by_one
    assert operand.to_dict()["addresses"] == one_by_one


class FakeNumpy:
    def array(self, values: list[object], dtype: object = None) -> tuple[str, list[object], object]:
        return "array", values, dtype


def test_numpy_is_used_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", FakeNumpy())  # type: ignore[arg-type]
    assert smemdesc.decode_many([V], "tcgen05")["swizzle"] == ("array", ["128B"], None)
    assert smemdesc.decode_many([V, 3 << 61], "tcgen05")["swizzle"] == ("array", ["128B", None], "object")
    assert smemdesc.encode_many("tcgen05", sbo=16)[2] == "uint64"


def test_large_numbers_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy itself makes floating-point numbers of 1 and 2^63 together."""
    monkeypatch.setitem(sys.modules, "numpy", FakeNumpy())  # type: ignore[arg-type]
    for numbers, of in {
        (1, 1 << 62): None,
        (1, 1 << 63): "uint64",
        (-1, 1 << 63): "object",
        (0, 1 << 64): "object",
    }.items():
        assert as_array(list(numbers)) == ("array", list(numbers), of)
