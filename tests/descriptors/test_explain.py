"""What LBO, SBO and the other fields mean in a case, in words with the numbers in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, contexts, kinds, masks, some, values

from smemdesc.descriptors.explain import meaning, summary
from smemdesc.engine.fields import ones
from smemdesc.kinds.context import Context, context
from smemdesc.kinds.kind import Kind, kind_of

TCGEN05 = kind_of("tcgen05")
START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"


def explained(key: str, case: Context, kind: str = "tcgen05", **fields: int | str) -> str:
    table = kind_of(kind).table
    value = table.pack(table.encode(fields))
    return meaning(kind_of(kind), table.read(value), key, case)


K = context(dtype="bf16", major="K", shape="64x16")
K_WIDE = context(dtype="bf16", major="K", shape="64x64")
MN = context(dtype="bf16", major="MN", shape="64x16")


@pytest.mark.parametrize(
    ("fields", "case", "says"),
    [
        ({"swizzle": "128B", SBO: 1024}, K, "1024 B = 8 x 128 B: stride between 8-row groups; atoms are contiguous"),
        ({"swizzle": "128B", SBO: 2048}, K, "SBO 2048 B: stride between 8-row groups, 2 atoms"),
        ({"swizzle": "128B", SBO: 2048}, MN, "SBO 2048 B: stride between 8-k groups, 2 atoms"),
        ({"swizzle": "128B", SBO: 1152}, K, "SBO 1152 B: stride between 8-row groups, 128 B between atoms"),
        ({"swizzle": "128B", SBO: 256}, K, "smaller than an atom (1024 B): they overlap"),
        ({"swizzle": "128B", SBO: 0}, K, "are read from the same bytes"),
        ({"swizzle": "128B", SBO: 1000 // 16 * 16}, K, "is not a multiple of the 128-byte row"),
        ({"swizzle": "none", SBO: 128}, K, "SBO 128 B = 8 x 16 B: stride between 8-row groups; core matrices"),
        ({"swizzle": "none", SBO: 256}, MN, "stride between core matrices along MN, 2 core matrices"),
        ({"swizzle": "64B", SBO: 512}, MN, "SBO 512 B = 8 x 64 B: stride between 8-k groups"),
        ({"swizzle": "128B_32B", SBO: 512}, context(dtype="tf32", major="MN"), "4 x 128 B: stride between 4-k groups"),
        ({"swizzle": "128B", SBO: 1024}, context(), "stride between 8-row groups; MN-major: stride between 8-k"),
    ],
)
def test_sbo(fields: dict[str, int | str], case: Context, says: str) -> None:
    assert says in explained(SBO, case, **fields)


@pytest.mark.parametrize(
    ("fields", "case", "says"),
    [
        ({"swizzle": "128B", LBO: 16}, K, "LBO has no effect here: K fits one atom (128 B, 64 elements)"),
        ({"swizzle": "128B", LBO: 16}, context(major="K"), "no effect while K fits one atom (128 B); CUTLASS writes 1"),
        ({"swizzle": "none", LBO: 16}, context(major="K"), "stride between core matrices along K, smaller"),
        ({"swizzle": "32B", LBO: 16}, context(dtype="bf16", major="K", shape="64x32"), "multiple of the 32-byte row"),
        ({"swizzle": "128B", LBO: 16}, context(major="MN"), "is not a multiple of the 128-byte row"),
        ({"swizzle": "32B", LBO: 256}, context(dtype="bf16", major="K", shape="64x32"), "along K; they are"),
        ({"swizzle": "none", LBO: 128}, K, "LBO 128 B = 8 x 16 B: stride between core matrices along K"),
        ({"swizzle": "none", LBO: 128}, MN, "LBO 128 B = 8 x 16 B: stride between 8-k groups"),
        ({"swizzle": "64B", LBO: 512}, MN, "stride between atoms along MN; they are contiguous"),
        ({"swizzle": "128B", LBO: 16}, context(), "no effect while K fits one atom; MN-major: stride between atoms"),
        ({"swizzle": "none", LBO: 128}, context(), "K-major: stride between core matrices along K; MN-major: stride"),
        (
            {"lbo_mode": "absolute", "swizzle": "128B", LBO: 2048},
            K,
            "LBO has no effect here: K stays",
        ),
    ],
)
def test_lbo(fields: dict[str, int | str], case: Context, says: str) -> None:
    assert says in explained(LBO, case, **fields)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"swizzle": "128B"}, "the swizzle pattern is aligned to 1024 B"),
        ({"swizzle": "64B"}, "aligned to 512 B"),
        ({"swizzle": "32B"}, "aligned to 256 B"),
        ({"swizzle": "128B", "base_offset": 3}, "384 B past a multiple of 1024 B"),
        ({"swizzle": "none", "base_offset": 3}, "no effect without swizzle"),
    ],
)
def test_base_offset(fields: dict[str, int | str], says: str) -> None:
    assert says in explained("base_offset", context(), **fields)


@pytest.mark.parametrize(
    ("kind", "value", "key", "says"),
    [
        ("tcgen05", 2 << 61, "swizzle", "code 2 here; in the tensor map 2 is 64B, 128B is 3"),
        ("tcgen05", 3 << 61, "swizzle", "bits 61-63: undefined code"),
        ("wgmma", 3 << 62, "swizzle", "code 3 here; in the tensor map 3 is 128B, 32B is 1"),
        ("tcgen05", 1 << 46, "version", "ok"),
        ("tcgen05", 0, "version", "WRONG: must be 0b001"),
        ("tcgen05", 1 << 14, "reserved_14", "WRONG: must be 0"),
        ("wgmma", 1 << 14, "reserved_14", "WRONG: should be 0"),
        ("tcgen05", 1 << 52, "lbo_mode", "sm_103a"),
        ("idesc:f16", 1 << 2, "sparse", "sparse"),
        ("idesc:f16", 0, "transpose_a", "A is K-major"),
        ("idesc:f16", 1 << 15, "transpose_a", "A is M-major"),
        ("mask", 0, "non_zero_mask", "no column is zeroed"),
        ("mask", 0, "skip_span", "consecutive columns zeroed"),
    ],
)
def test_meaning(kind: str, value: int, key: str, says: str) -> None:
    own = kind_of(kind)
    assert says in meaning(own, own.table.read(value), key, context())


def test_unknown_bits_are_shown() -> None:
    readings = TCGEN05.table.read(0, TCGEN05.table.full ^ 1 << 61)
    assert "known bits: 0b00?" in meaning(TCGEN05, readings, "swizzle", context())


def test_k_of_unknown_sparsity_is_not_guessed() -> None:
    kind = kind_of("idesc:mxf4")
    readings = kind.table.read(0x88A00480, kind.table.full ^ 0b100)
    assert "96" not in meaning(kind, readings, "k", context())
    assert "K ?" in summary(kind, readings)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("tcgen05", SOUND["tcgen05"], "tcgen05: start 1024 B, LBO 16 B, SBO 1024 B, swizzle 128B"),
        ("wgmma", SOUND["wgmma"], "wgmma: start 1024 B, LBO 16 B, SBO 1024 B, swizzle 128B"),
        ("idesc:f16", SOUND["idesc:f16"], "idesc kind::f16: D f32, A bf16, B bf16, N 128, M 128"),
        ("tcgen05", SOUND["tcgen05"] | 1 << 61, "swizzle code 3"),
        ("tcgen05", SOUND["tcgen05"] | 1 << 14, "reserved_14 0b01"),
        ("idesc:f16", SOUND["idesc:f16"] | 1 << 2, "sparse"),
    ],
)
def test_summary(kind: str, value: int, text: str) -> None:
    own = kind_of(kind)
    assert text in summary(own, own.table.read(value))


def test_summary_of_a_partly_known_value() -> None:
    text = summary(TCGEN05, TCGEN05.table.read(0x4000404000000000, 0xFFFFFFFF00000000))
    assert text == "tcgen05: start ?, LBO ?, SBO 1024 B, swizzle 128B"


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_field_is_explained(kind: Kind) -> None:
    readings = kind.table.read(SOUND[kind.id])
    assert all(meaning(kind, readings, key, context()) for key in readings)


@some(150)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), contexts)
def test_no_value_is_beyond_words(case: tuple[Kind, int, int], about: Context) -> None:
    kind, bits, known = case
    readings = kind.table.read(bits & known, known & ones(kind.table.width))
    assert all(meaning(kind, readings, key, about) for key in readings)
    assert summary(kind, readings).startswith(kind.name)
