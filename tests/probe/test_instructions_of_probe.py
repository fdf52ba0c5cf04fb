"""The questions about instruction descriptors and scale factors, against a GPU of our own making."""

from __future__ import annotations

import pytest
from probe.chip import Chip
from samples import split

from smemdesc.kinds.kind import kind_of
from smemdesc.probe.products import product_question
from smemdesc.probe.scales import scale_question


def idesc(mma_kind: str, **fields: object) -> int:
    table = kind_of("idesc", mma_kind).table
    return table.pack(table.encode(fields))


PRODUCTS = [
    ("f16", {"a_type": "bf16", "b_type": "bf16", "m": 64, "n": 16}, {}),
    ("f16", {"a_type": "f16", "b_type": "f16", "m": 64, "n": 16, "d_type": "f16", "negate_a": True}, {}),
    (
        "f16",
        {"a_type": "f16", "b_type": "f16", "m": 128, "n": 32, "sparse": True, "transpose_b": True},
        {"cta_group": 2},
    ),
    ("tf32", {"a_type": "tf32", "b_type": "tf32", "m": 32, "n": 64, "transpose_a": True}, {"ws": True}),
    ("f8f6f4", {"a_type": "e4m3", "b_type": "e2m1", "m": 64, "n": 16}, {}),
    ("i8", {"a_type": "s8", "b_type": "u8", "m": 64, "n": 16}, {}),
    ("mxf4", {"a_type": "e2m1", "b_type": "e2m1", "m": 128, "n": 8, "scale_type": "ue8m0"}, {}),
    ("f16", {"a_type": "f16", "b_type": "f16", "m": 64, "n": 16}, {"a_from": "tmem"}),
    ("f8f6f4", {"a_type": "e4m3", "b_type": "e4m3", "m": 32, "n": 64}, {"ws": True, "a_from": "tmem"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mma_kind", "fields", "case"), PRODUCTS)
def test_a_product_is_what_the_descriptor_says(mma_kind: str, fields: dict, case: dict) -> None:
    one = product_question(idesc(mma_kind, **fields), mma_kind, "sm_100a", **case)
    answer = one.judge(Chip("sm_100a").ask(one.launch()))
    assert answer.holds, (answer.agreeing, answer.beside, list(answer.differing())[:4])
    assert len(answer.found) == fields["m"] * fields["n"]


SCALED = [
    ("mxf8f6f4", {"a_type": "e4m3", "b_type": "e4m3", "a_scale_id": 2, "b_scale_id": 3, "m": 128, "n": 40}, {}),
    ("mxf4", {"a_type": "e2m1", "b_type": "e2m1", "a_scale_id": 2, "m": 128, "n": 160}, {}),
    ("mxf4nvf4", {"a_type": "e2m1", "b_type": "e2m1", "m": 256, "n": 16}, {"cta_group": 2}),
]


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize(("mma_kind", "fields", "case"), split(SCALED, SCALED[:1].__contains__))
def test_scale_factors_are_read_where_the_model_says(mma_kind: str, fields: dict, case: dict, side: str) -> None:
    scale_type = "ue4m3" if mma_kind == "mxf4nvf4" else "ue8m0"
    value = idesc(mma_kind, scale_type=scale_type, **fields)
    one = scale_question(value, mma_kind, "sm_100a", side, **case)
    answer = one.judge(Chip("sm_100a").ask(one.launch()))
    assert answer.holds, (answer.agreeing, len(answer.found), list(answer.differing())[:4])
    assert answer.parts == {warp: (warp,) for warp in range(4)}
