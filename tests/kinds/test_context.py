"""What is known about the instruction around a descriptor."""

from __future__ import annotations

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import NOTHING, Context, context, parse_shape


def test_nothing_is_known_at_first() -> None:
    assert context() == NOTHING
    assert (NOTHING.mn, NOTHING.k, NOTHING.bits) == (None, None, None)


def test_names_become_what_they_stand_for() -> None:
    case = context(dtype="bf16", major="mn", shape="64x16", arch="sm_90a", cta_group=1, ws=False, scale_vec=2)
    assert case.dtype is not None
    assert (case.dtype.name, case.major, case.shape, case.mn, case.k, case.bits) == ("bf16", "MN", (64, 16), 64, 16, 16)
    assert (case.arch, case.cta_group, case.ws, case.scale_vec) == ("sm_90a", 1, False, 2)


def test_a_context_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        context().major = "K"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("dtype", "k"), [("f16", 16), ("tf32", 8), ("e4m3", 32), ("s8", 32), ("b1", 256), ("e2m1", 32)]
)
def test_k_without_a_shape_is_that_of_the_dense_instruction(dtype: str, k: int) -> None:
    assert context(dtype=dtype).k == k


def test_k_of_a_shape_wins() -> None:
    assert context(dtype="f16", shape=(64, 32)).k == 32


@pytest.mark.parametrize(("mma_kind", "bits"), [("mxf4", 4), ("mxf4nvf4", 4), ("f8f6f4", 8), (None, 8)])
def test_the_mma_kind_says_whether_e2m1_is_packed(mma_kind: str | None, bits: int) -> None:
    assert context(dtype="e2m1", mma_kind=mma_kind).bits == bits


@pytest.mark.parametrize(
    ("text", "shape"), [("64x16", (64, 16)), ("64X16", (64, 16)), ("1x1", (1, 1)), ("256x8", (256, 8))]
)
def test_shape(text: str, shape: tuple[int, int]) -> None:
    assert parse_shape(text) == shape


@pytest.mark.parametrize(
    "text", ["64", "64x", "x16", "64x16x2", "ax16", "64*16", "-64x16", "6 4x16", "0x16", "64x0", ""]
)
def test_no_shape(text: str) -> None:
    with pytest.raises(SmemdescError, match="shape"):
        parse_shape(text)


def test_a_shape_is_not_cut() -> None:
    try:
        shape = parse_shape("12345678901x16")
    except SmemdescError:
        return
    assert shape == (12345678901, 16)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"dtype": "f64"}, "there is no operand type 'f64'"),
        ({"major": "J"}, "there is no major-ness 'J'; it is K or MN"),
        ({"arch": "sm_42"}, "unknown architecture 'sm_42'"),
        ({"shape": "64"}, "'64' is not a shape"),
    ],
)
def test_what_does_not_exist(wrong: dict[str, str], says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        context(**wrong)  # type: ignore[arg-type]


def test_a_context_is_a_plain_tuple_of_values() -> None:
    assert Context(major="K") == context(major="K")
