"""The instruction descriptor of each MMA kind against PTX ISA 9.3, Tables 42, 45, 46, 47 and 55."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.encoding import encode
from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import Enum, Scalar
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import BLACKWELL, MMA_KINDS
from smemdesc.rules import rules_for

DENSE = [
    ("sparsity_selector", 1, 0),
    ("sparse", 2, 2),
    ("saturate", 3, 3),
    ("d_type", 5, 4),
    ("reserved_6", 6, 6),
    ("a_type", 9, 7),
    ("b_type", 12, 10),
    ("negate_a", 13, 13),
    ("negate_b", 14, 14),
    ("transpose_a", 15, 15),
    ("transpose_b", 16, 16),
    ("n", 22, 17),
    ("reserved_23", 23, 23),
    ("m", 28, 24),
    ("reserved_29", 29, 29),
    ("max_shift", 31, 30),
]
"""Table 45."""

MXF8F6F4 = [
    ("reserved_0", 1, 0),
    ("sparse", 2, 2),
    ("reserved_3", 3, 3),
    ("b_scale_id", 5, 4),
    ("reserved_6", 6, 6),
    ("a_type", 9, 7),
    ("b_type", 12, 10),
    ("negate_a", 13, 13),
    ("negate_b", 14, 14),
    ("transpose_a", 15, 15),
    ("transpose_b", 16, 16),
    ("n", 22, 17),
    ("scale_type", 23, 23),
    ("reserved_24", 26, 24),
    ("m", 28, 27),
    ("a_scale_id", 30, 29),
    ("reserved_31", 31, 31),
]
"""Table 46."""

MXF4 = [
    ("reserved_0", 1, 0),
    ("sparse", 2, 2),
    ("reserved_3", 3, 3),
    ("b_scale_id", 5, 4),
    ("reserved_6", 6, 6),
    ("a_type", 9, 7),
    ("b_type", 11, 10),
    ("reserved_12", 12, 12),
    ("negate_a", 13, 13),
    ("negate_b", 14, 14),
    ("transpose_a", 15, 15),
    ("transpose_b", 16, 16),
    ("n", 22, 17),
    ("scale_type", 23, 23),
    ("reserved_24", 26, 24),
    ("m", 28, 27),
    ("a_scale_id", 30, 29),
    ("k", 31, 31),
]
"""Table 47."""

POSITIONS = {
    **dict.fromkeys(("tf32", "f16", "f8f6f4", "i8", "ti16"), DENSE),
    "mxf8f6f4": MXF8F6F4,
    **dict.fromkeys(("mxf4", "mxf4nvf4"), MXF4),
}

F8F6F4 = {0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1"}
IDS = {0: 0, 1: 1, 2: 2, 3: 3}
SHIFTS = {0: 0, 1: 8, 2: 16, 3: 32}
FLOATS = {0: "f16", 1: "f32"}
CODES = {
    "tf32": {"d_type": {1: "f32"}, "a_type": {2: "tf32"}, "b_type": {2: "tf32"}},
    "f16": {"d_type": FLOATS, "a_type": {0: "f16", 1: "bf16"}, "b_type": {0: "f16", 1: "bf16"}},
    "f8f6f4": {"d_type": FLOATS, "a_type": F8F6F4, "b_type": F8F6F4},
    "i8": {"d_type": {2: "s32"}, "a_type": {0: "u8", 1: "s8"}, "b_type": {0: "u8", 1: "s8"}},
    "mxf8f6f4": {"a_type": F8F6F4, "b_type": F8F6F4, "scale_type": {1: "ue8m0"}},
    "mxf4": {"a_type": {1: "e2m1"}, "b_type": {1: "e2m1"}, "scale_type": {1: "ue8m0"}},
    "mxf4nvf4": {"a_type": {1: "e2m1"}, "b_type": {1: "e2m1"}, "scale_type": {0: "ue4m3", 1: "ue8m0"}},
    "ti16": {"d_type": {2: "s32"}, "a_type": {3: "s1z4m11"}, "b_type": {3: "s1z4m11"}},
}
for mma_kind, by_key in CODES.items():
    if mma_kind.startswith("mx"):
        by_key |= {"a_scale_id": IDS, "b_scale_id": IDS}
    else:
        by_key |= {"sparsity_selector": IDS, "max_shift": SHIFTS}

ENCODINGS = [
    pytest.param(
        0x08200490,
        "f16",
        {"a_type": "bf16", "b_type": "bf16", "d_type": "f32", "m": 128, "n": 128},
        id="bf16 x bf16 -> f32, 128 x 128",
    ),
    pytest.param(
        0x08200010, "f16", {"a_type": "f16", "b_type": "f16", "d_type": "f32", "m": 128, "n": 128}, id="f16 by Triton"
    ),
    pytest.param(
        0x08400010, "f16", {"a_type": "f16", "b_type": "f16", "d_type": "f32", "m": 128, "n": 256}, id="f16, N 256"
    ),
    pytest.param(
        0x08400010,
        "f8f6f4",
        {"a_type": "e4m3", "b_type": "e4m3", "d_type": "f32", "m": 128, "n": 256},
        id="the same bits as e4m3",
    ),
    pytest.param(0x04200910, "tf32", {"m": 64, "n": 128}, id="tf32"),
    pytest.param(
        0x082004A8,
        "i8",
        {"saturate": True, "a_type": "s8", "b_type": "s8", "d_type": "s32", "m": 128, "n": 128},
        id="s8, saturating",
    ),
    pytest.param(
        0x08A01680, "mxf8f6f4", {"a_type": "e2m1", "b_type": "e2m1", "m": 128, "n": 128}, id="mxf8f6f4, e2m1 x e2m1"
    ),
    pytest.param(
        0x48A00020,
        "mxf8f6f4",
        {"m": 128, "n": 128, "a_scale_id": 2, "b_scale_id": 2, "scale_type": "ue8m0"},
        id="mxf8f6f4, ids 2",
    ),
    pytest.param(0x90C00480, "mxf4", {"m": 256, "n": 256, "k": 96, "scale_type": "ue8m0"}, id="mxf4, K 96"),
    pytest.param(0x10C00484, "mxf4", {"m": 256, "n": 256, "k": 128, "sparse": True}, id="mxf4, sparse K 128"),
    pytest.param(0x08200480, "mxf4nvf4", {"m": 128, "n": 128, "k": 64, "scale_type": "ue4m3"}, id="mxf4nvf4"),
]


@pytest.mark.parametrize("mma_kind", MMA_KINDS)
def test_positions(mma_kind: str) -> None:
    table = kind_of("idesc", mma_kind).table
    assert table.width == 32
    assert [(row.key, row.hi, row.lo) for row in table.rows] == POSITIONS[mma_kind]


@pytest.mark.parametrize("mma_kind", MMA_KINDS)
def test_codes(mma_kind: str) -> None:
    rows = kind_of("idesc", mma_kind).table.rows
    codes = {row.key: {code.raw: code.name for code in row.codec.codes} for row in rows if isinstance(row.codec, Enum)}
    codes.pop("k", None)
    assert codes == CODES[mma_kind]


@pytest.mark.parametrize(("value", "mma_kind", "fields"), ENCODINGS)
def test_encoding(value: int, mma_kind: str, fields: dict[str, Scalar]) -> None:
    assert encode("idesc", mma_kind=mma_kind, **fields) == value


@pytest.mark.parametrize(("value", "mma_kind", "fields"), ENCODINGS)
def test_decoding(value: int, mma_kind: str, fields: dict[str, Scalar]) -> None:
    result = decode(value, mma_kind=mma_kind)
    assert {key: result.fields[key].value for key in fields} == fields
    assert not result.has_error


@pytest.mark.parametrize(("sparse", "bit_31", "k"), [(0, 0, 64), (0, 1, 96), (1, 0, 128), (1, 1, None)])
@pytest.mark.parametrize("mma_kind", ["mxf4", "mxf4nvf4"])
def test_k_depends_on_sparsity(mma_kind: str, sparse: int, bit_31: int, k: int | None) -> None:
    table = kind_of("idesc", mma_kind).table
    assert table.read(bit_31 << 31 | sparse << 2)["k"].value == k


@pytest.mark.parametrize("mma_kind", MMA_KINDS)
def test_m_and_n_are_stored_in_units(mma_kind: str) -> None:
    value = encode("idesc", mma_kind=mma_kind, m=128, n=256)
    assert value >> 24 & 0x1F == 128 >> 4
    assert value >> 17 & 0x3F == 256 >> 3


@pytest.mark.parametrize("mma_kind", MMA_KINDS)
def test_architectures(mma_kind: str) -> None:
    usual = tuple(arch for arch in BLACKWELL if "107" not in arch)
    archs = {"i8": ("sm_100a", "sm_110a"), "ti16": ("sm_107a", "sm_107f"), "f16": BLACKWELL, "tf32": BLACKWELL}
    assert kind_of("idesc", mma_kind).archs == archs.get(mma_kind, usual)


def test_k_of_the_dense_instruction() -> None:
    assert K_DENSE == {
        "tf32": 8,
        "f16": 16,
        "f8f6f4": 32,
        "i8": 32,
        "mxf8f6f4": 32,
        "mxf4": 64,
        "mxf4nvf4": 64,
        "ti16": 16,
    }


def legal_here(mma_kind: str, m: int, n: int, sparse: bool, transpose_b: bool, cta_group: int, ws: bool) -> bool:
    """Say whether Tables 42 and 55 have M and N for one form of the instruction."""
    block_scaled = mma_kind.startswith("mx")
    if ws:
        columns = (64, 128) if sparse else (64, 128, 256)
        return cta_group == 1 and not block_scaled and m in (32, 64, 128) and n in columns
    if not 0 < n <= 256:
        return False
    if transpose_b and mma_kind in ("f8f6f4", "i8", "mxf8f6f4") and n % (16 * cta_group):
        return False
    if cta_group == 1:
        if mma_kind == "i8" and n != 8 and n != 24 and n % 16:
            return False
        return m in ((128,) if block_scaled else (64, 128)) and n % 8 == 0
    if block_scaled and sparse and m != 256:
        return False
    return m in (128, 256) and n % (32 if mma_kind == "i8" else 16) == 0


@pytest.mark.corpus
@pytest.mark.parametrize("cta_group", [None, 1, 2])
@pytest.mark.parametrize("ws", [None, False, True])
@pytest.mark.parametrize("mma_kind", MMA_KINDS)
def test_shapes_by_brute_force(mma_kind: str, ws: bool | None, cta_group: int | None) -> None:
    kind = kind_of("idesc", mma_kind)
    check = next(rule.check for rule in rules_for(kind) if rule.name == "shape")
    row = kind.table.row("m")
    rows = [raw * (128 if mma_kind.startswith("mx") else 16) for raw in range(1 << row.width)]
    forms = [(c, w) for c in (1, 2) if cta_group in (None, c) for w in (False, True) if ws in (None, w)]
    context = Context(cta_group=cta_group, ws=ws)
    for sparse, transpose_b in ((False, False), (False, True), (True, False), (True, True)):
        for m in rows:
            for n in range(0, 512, 8):
                wanted = any(legal_here(mma_kind, m, n, sparse, transpose_b, *form) for form in forms)
                problem = check(context, m, n, sparse, transpose_b)
                assert (problem is None) == wanted, (m, n, sparse, transpose_b)
                assert problem is None or problem.severity == "error"
