"""Many descriptors at once, and the addresses of an operand as one array."""

from __future__ import annotations

import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import refusing

import smemdesc
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.names import KINDS

V = 0x4000404000010040
EVERY = [kind_id for name in KINDS for kind_id in ids(name)]


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


def test_addresses_are_those_of_each_element() -> None:
    operand = smemdesc.operand(V, kind="tcgen05", dtype="bf16", major="K", shape="16x16").operand
    addresses = operand.addresses()
    assert [[addresses[mn][k] for k in range(16)] for mn in range(16)] == operand.to_dict()["addresses"]


class FakeNumpy:
    def array(self, values: list[object], dtype: object = None) -> tuple[str, list[object], object]:
        return "array", values, dtype


def test_numpy_is_used_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", FakeNumpy())  # type: ignore[arg-type]
    assert smemdesc.decode_many([V], "tcgen05")["swizzle"] == ("array", ["128B"], None)
    assert smemdesc.decode_many([3 << 61], "tcgen05")["swizzle"] == ("array", [None], object)
