"""What LBO, SBO and the other fields mean in a case, in words with the numbers in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, contexts, kinds, masks, some, values
from tables import every_row

from smemdesc import Context, context
from smemdesc.descriptors.explain import meaning, one_line
from smemdesc.engine.fields import ones
from smemdesc.kinds.kind import Kind, kind_of

TCGEN05 = kind_of("tcgen05")
START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"

OPEN = context()
K_ANY = context(major="K")
K = context(dtype="bf16", major="K", shape="64x16")
K_32 = context(dtype="bf16", major="K", shape="64x32")
TF32_MN = context(dtype="tf32", major="MN")
MN = context(dtype="bf16", major="MN", shape="64x16")


@every_row(
    ("key", "fields", "case", "says"),
    [
        (
            SBO,
            {"swizzle": "128B", SBO: 1024},
            K,
            "1024 B = 8 x 128 B: stride between 8-row groups, atoms contiguous",
        ),
        (SBO, {"swizzle": "128B", SBO: 2048}, K, "SBO 2048 B: stride between 8-row groups, 2 atoms"),
        (SBO, {"swizzle": "128B", SBO: 2048}, MN, "SBO 2048 B: stride between 8-k groups, 2 atoms"),
        (SBO, {"swizzle": "128B", SBO: 1152}, K, "SBO 1152 B: stride between 8-row groups; 128 B between atoms"),
        (SBO, {"swizzle": "128B", SBO: 256}, K, "8-row groups, which overlap; an atom has 1024 B"),
        (SBO, {"swizzle": "128B", SBO: 0}, K, "are read from the same bytes"),
        (SBO, {"swizzle": "128B", SBO: 1000 // 16 * 16}, K, "is not a multiple of the 128-byte row"),
        (SBO, {"swizzle": "none", SBO: 128}, K, "SBO 128 B = 8 x 16 B: stride between 8-row groups, core matrices"),
        (SBO, {"swizzle": "none", SBO: 256}, MN, "stride between core matrices along MN, 2 core matrices"),
        (SBO, {"swizzle": "64B", SBO: 512}, MN, "SBO 512 B = 8 x 64 B: stride between 8-k groups"),
        (SBO, {"swizzle": "128B_32B", SBO: 512}, TF32_MN, "4 x 128 B: stride between 4-k groups"),
        (SBO, {"swizzle": "128B", SBO: 1024}, OPEN, "between 8-row groups (MN-major: 8-k); 8 x 128 B"),
        (LBO, {"swizzle": "128B", LBO: 16}, K, "LBO has no effect here: K fits one atom (128 B, 64 elements)"),
        (LBO, {"swizzle": "128B", LBO: 16}, K_ANY, "no effect while K fits one atom (128 B); CUTLASS writes 1"),
        (LBO, {"swizzle": "none", LBO: 16}, K_ANY, "stride between core matrices along K, which overlap"),
        (LBO, {"swizzle": "32B", LBO: 16}, K_32, "multiple of the 32-byte row"),
        (LBO, {"swizzle": "128B", LBO: 16}, context(major="MN"), "is not a multiple of the 128-byte row"),
        (LBO, {"swizzle": "32B", LBO: 256}, K_32, "along K, contiguous"),
        (LBO, {"swizzle": "none", LBO: 128}, K, "LBO 128 B = 8 x 16 B: stride between core matrices along K"),
        (LBO, {"swizzle": "none", LBO: 128}, MN, "LBO 128 B = 8 x 16 B: stride between 8-k groups"),
        (LBO, {"swizzle": "64B", LBO: 512}, MN, "stride between atoms along MN, contiguous"),
        (LBO, {"swizzle": "128B", LBO: 16}, OPEN, "between atoms along MN (not if K-major)"),
        (LBO, {"swizzle": "none", LBO: 128}, OPEN, "between core matrices along K (MN-major: 8-k groups)"),
        (LBO, {"lbo_mode": "absolute", "swizzle": "128B", LBO: 2048}, K, "LBO has no effect here: K stays"),
        (START, {"swizzle": "128B", START: 0x420}, OPEN, "32 B into the 128-byte row"),
        (START, {"swizzle": "64B", START: 0x460}, OPEN, "32 B into the 64-byte row"),
        (START, {"swizzle": "128B", START: 0x480}, OPEN, "aligned to 128 B"),
        (START, {"swizzle": "128B", START: 0}, OPEN, "aligned to 1024 B"),
        (START, {"swizzle": "none", START: 0x410}, OPEN, "aligned to 16 B"),
        ("base_offset", {"swizzle": "128B"}, OPEN, "the swizzle pattern is aligned to 1024 B"),
        ("base_offset", {"swizzle": "64B"}, OPEN, "aligned to 512 B"),
        ("base_offset", {"swizzle": "32B"}, OPEN, "aligned to 256 B"),
        ("base_offset", {"swizzle": "128B", "base_offset": 3}, OPEN, "384 B past a multiple of 1024 B"),
        ("base_offset", {"swizzle": "none", "base_offset": 3}, OPEN, "no effect without swizzle"),
    ],
)
def test_a_stride_or_the_base_offset(key: str, fields: dict[str, int | str], case: Context, says: str) -> None:
    table = TCGEN05.table
    assert says in meaning(TCGEN05, table.read(table.pack(table.encode(fields))), key, case)


@every_row(
    ("kind", "value", "key", "says"),
    [
        ("tcgen05", 2 << 61, "swizzle", "128-byte swizzle; encoded as 2 (3 in a tensor map)"),
        ("tcgen05", 3 << 61, "swizzle", "bits 61-63: undefined code"),
        ("wgmma", 3 << 62, "swizzle", "encoded as 3 (1 in a tensor map)"),
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
    assert "K ?" in one_line(kind, readings)


@every_row(
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
    assert text in one_line(own, own.table.read(value))


def test_summary_of_a_partly_known_value() -> None:
    text = one_line(TCGEN05, TCGEN05.table.read(0x4000404000000000, 0xFFFFFFFF00000000))
    assert text == "tcgen05: start ?, LBO ?, SBO 1024 B, swizzle 128B"


@every_row("kind", ALL)
def test_every_field_is_explained(kind: Kind) -> None:
    readings = kind.table.read(SOUND[kind.id])
    assert all(meaning(kind, readings, key, context()) for key in readings)


@some(150)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), contexts)
def test_no_value_is_beyond_words(case: tuple[Kind, int, int], about: Context) -> None:
    kind, bits, known = case
    readings = kind.table.read(bits & known, known & ones(kind.table.width))
    assert all(meaning(kind, readings, key, about) for key in readings)
    assert one_line(kind, readings).startswith(kind.name)
