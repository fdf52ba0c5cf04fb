"""The table of each kind against PTX ISA 9.1 and 9.3: where its fields are, their codes, values of the documents."""

from __future__ import annotations

from typing import Any

import pytest
from samples import ALL
from tables import every_row

from smemdesc import Context, encode
from smemdesc.descriptors.decoding import decode_value
from smemdesc.engine.errors import KindError
from smemdesc.engine.fields import Enum
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import BLACKWELL, KINDS, MMA_KINDS
from smemdesc.rules import rules_for

WGMMA = [
    ("start_address", 13, 0),
    ("reserved_14", 15, 14),
    ("leading_byte_offset", 29, 16),
    ("reserved_30", 31, 30),
    ("stride_byte_offset", 45, 32),
    ("reserved_46", 48, 46),
    ("base_offset", 51, 49),
    ("reserved_52", 61, 52),
    ("swizzle", 63, 62),
]
"""PTX ISA 9.1, 9.7.15.5.1.2.2."""

TCGEN05 = [
    *WGMMA[:5],
    ("version", 48, 46),
    ("base_offset", 51, 49),
    ("lbo_mode", 52, 52),
    ("fixed_53", 60, 53),
    ("swizzle", 63, 61),
]
"""PTX ISA 9.1, Table 40, and 9.3 (its reserved rows)."""

MASK = [
    *((f"start_count_{i}", 8 * i + 7, 8 * i) for i in range(4)),
    *((f"first_span_{i}", 32 + i, 32 + i) for i in range(4)),
    ("reserved_36", 38, 36),
    ("non_zero_mask", 39, 39),
    ("skip_span", 47, 40),
    ("use_span", 55, 48),
    ("column_shift", 61, 56),
    ("reserved_62", 63, 62),
]
"""PTX ISA 9.1, 9.7.16.4.3."""

BOTH = [
    ("negate_a", 13, 13),
    ("negate_b", 14, 14),
    ("transpose_a", 15, 15),
    ("transpose_b", 16, 16),
    ("n", 22, 17),
]
"""What all instruction descriptors have alike."""

DENSE = [
    ("sparsity_selector", 1, 0),
    ("sparse", 2, 2),
    ("saturate", 3, 3),
    ("d_type", 5, 4),
    ("reserved_6", 6, 6),
    ("a_type", 9, 7),
    ("b_type", 12, 10),
    *BOTH,
    ("reserved_23", 23, 23),
    ("m", 28, 24),
    ("reserved_29", 29, 29),
    ("max_shift", 31, 30),
]
"""PTX ISA 9.3, Table 45."""

MXF8F6F4 = [
    ("reserved_0", 1, 0),
    ("sparse", 2, 2),
    ("reserved_3", 3, 3),
    ("b_scale_id", 5, 4),
    ("reserved_6", 6, 6),
    ("a_type", 9, 7),
    ("b_type", 12, 10),
    *BOTH,
    ("scale_type", 23, 23),
    ("reserved_24", 26, 24),
    ("m", 28, 27),
    ("a_scale_id", 30, 29),
    ("reserved_31", 31, 31),
]
"""Table 46."""

MXF4 = [*MXF8F6F4[:6], ("b_type", 11, 10), ("reserved_12", 12, 12), *MXF8F6F4[7:-1], ("k", 31, 31)]
"""Table 47."""

POSITIONS = {
    "wgmma": WGMMA,
    "tcgen05": TCGEN05,
    "mask": MASK,
    "tmem": [("column", 15, 0), ("lane", 31, 16)],
    **{f"idesc:{each}": DENSE for each in ("tf32", "f16", "f8f6f4", "i8", "ti16")},
    "idesc:mxf8f6f4": MXF8F6F4,
    **{f"idesc:{each}": MXF4 for each in ("mxf4", "mxf4nvf4")},
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
OF_SMEM = {
    "wgmma": {"swizzle": {0: "none", 1: "128B", 2: "64B", 3: "32B"}},
    "tcgen05": {
        "lbo_mode": {0: "relative", 1: "absolute"},
        "swizzle": {0: "none", 1: "128B_32B", 2: "128B", 4: "64B", 6: "32B"},
    },
    "mask": {},
    "tmem": {},
}

START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"
FIGURES = [
    # PTX ISA 9.1, Figures 166-170 (wgmma), with the operand at address 0: value, value of tcgen05, LBO, SBO, swizzle
    (0x0000000800100000, 0x0000400800100000, 256, 128, "none"),
    (0xC000001000010000, 0xC000401000010000, 16, 256, "32B"),
    (0xC000002000100000, 0xC000402000100000, 256, 512, "32B"),
    (0x8000004000200000, 0x8000404000200000, 512, 1024, "64B"),
]
K_MAJOR = {START: 1024, SBO: 1024, "swizzle": "128B"}
M_128: dict[str, Any] = {"m": 128, "n": 128}
M_256: dict[str, Any] = {"m": 256, "n": 256}
VALUES: list[tuple[int, str, dict[str, Any]]] = [
    *((value, "wgmma", {LBO: lbo, SBO: sbo, "swizzle": mode}) for value, _, lbo, sbo, mode in FIGURES),
    *((value, "tcgen05", {LBO: lbo, SBO: sbo, "swizzle": mode}) for _, value, lbo, sbo, mode in FIGURES),
    (0x4000004000010040, "wgmma", K_MAJOR),
    (0x4000404000010040, "tcgen05", K_MAJOR),
    (1 << 16, "wgmma", {}),
    (1 << 46 | 1 << 16, "tcgen05", {}),
    (1 << 39, "mask", {}),
    # The examples of the section on masks.
    (0x0003040000000000, "mask", {"non_zero_mask": False, "skip_span": 5, "use_span": 4}),
    (0x0003028000000000, "mask", {"skip_span": 3, "use_span": 4}),
    (0x0003028100000000, "mask", {"skip_span": 3, "use_span": 4, "first_span_0": True}),
    (
        0x0203028301020100,
        "mask",
        {"skip_span": 3, "use_span": 4, "column_shift": 2}
        | {"first_span_0": True, "first_span_1": True}
        | {"start_count_1": 1, "start_count_2": 2, "start_count_3": 1},
    ),
    (0, "tmem", {}),
    (0x007F01FF, "tmem", {"lane": 127, "column": 511}),
    (0x08200490, "idesc:f16", {"a_type": "bf16", "b_type": "bf16", "d_type": "f32", **M_128}),
    (0x08200010, "idesc:f16", {"a_type": "f16", "b_type": "f16", "d_type": "f32", **M_128}),
    (0x08400010, "idesc:f16", {"a_type": "f16", "b_type": "f16", "d_type": "f32", "m": 128, "n": 256}),
    (0x08400010, "idesc:f8f6f4", {"a_type": "e4m3", "b_type": "e4m3", "d_type": "f32", "m": 128, "n": 256}),
    (0x04200910, "idesc:tf32", {"m": 64, "n": 128}),
    (0x082004A8, "idesc:i8", {"saturate": True, "a_type": "s8", "b_type": "s8", "d_type": "s32", **M_128}),
    (0x08200DA0, "idesc:ti16", {"a_type": "s1z4m11", "b_type": "s1z4m11", "d_type": "s32", **M_128}),
    (0x08A01680, "idesc:mxf8f6f4", {"a_type": "e2m1", "b_type": "e2m1", **M_128}),
    (0x48A00020, "idesc:mxf8f6f4", {"a_scale_id": 2, "b_scale_id": 2, "scale_type": "ue8m0", **M_128}),
    (0x90C00480, "idesc:mxf4", {"k": 96, "scale_type": "ue8m0", **M_256}),
    (0x10C00484, "idesc:mxf4", {"k": 128, "sparse": True, **M_256}),
    (0x08200480, "idesc:mxf4nvf4", {"k": 64, "scale_type": "ue4m3", **M_128}),
]
DENSE_K = {"tf32": 8, "f16": 16, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64, "ti16": 16}


def test_there_are_twelve_kinds() -> None:
    assert {kind.id for kind in ALL} == POSITIONS.keys()
    assert len(ALL) == 12
    assert all(kind_of(each).name == name for name in KINDS for each in ids(name))


@every_row("kind", ALL)
def test_positions(kind: Kind) -> None:
    assert kind.table.width == (32 if kind.mma_kind or kind.id == "tmem" else 64)
    assert [(row.key, row.hi, row.lo) for row in kind.table.rows] == POSITIONS[kind.id]
    assert kind_of(kind.id) is kind_of(kind.name, kind.mma_kind) is kind


@every_row("kind", ALL)
def test_codes(kind: Kind) -> None:
    rows = kind.table.rows
    codes = {row.key: {code.raw: code.name for code in row.codec.codes} for row in rows if isinstance(row.codec, Enum)}
    codes.pop("k", None)
    assert codes == (CODES[kind.mma_kind] if kind.mma_kind else OF_SMEM[kind.id])


@every_row(("value", "kind", "fields"), VALUES)
def test_values(value: int, kind: str, fields: dict[str, Any]) -> None:
    assert encode(kind, **fields) == value
    result = decode_value(value, kind)
    assert {key: result.fields[key].value for key in fields} == fields
    assert not result.has_error


def test_k_of_the_dense_instruction() -> None:
    assert K_DENSE == DENSE_K


@every_row(("sparse", "bit_31", "k"), [(0, 0, 64), (0, 1, 96), (1, 0, 128), (1, 1, None)])
@every_row("mma_kind", ["mxf4", "mxf4nvf4"])
def test_k_depends_on_sparsity(mma_kind: str, sparse: int, bit_31: int, k: int | None) -> None:
    table = kind_of("idesc", mma_kind).table
    assert table.read(bit_31 << 31 | sparse << 2)["k"].value == k


@every_row("mma_kind", MMA_KINDS)
def test_architectures(mma_kind: str) -> None:
    usual = tuple(arch for arch in BLACKWELL if "107" not in arch)
    archs = {"i8": ("sm_100a", "sm_110a"), "ti16": ("sm_107a", "sm_107f"), "tf32": BLACKWELL}
    assert kind_of("idesc", mma_kind).archs == archs.get(mma_kind, usual)


@every_row(
    ("name", "mma_kind", "says"),
    [
        ("imma", None, "unknown descriptor kind 'imma'; the kinds are wgmma, tcgen05, idesc, mask"),
        ("wgmma:f16", None, "unknown descriptor kind 'wgmma:f16'"),
        ("idesc", None, "does not say its MMA kind; give one of tf32, f16"),
        ("idesc", "f32", "unknown MMA kind 'f32'"),
        ("idesc:f8", None, "unknown MMA kind 'f8'"),
        ("idesc:f16", "i8", "contradict"),
    ],
)
def test_wrong_names(name: str, mma_kind: str | None, says: str) -> None:
    with pytest.raises(KindError, match=says):
        kind_of(name, mma_kind)


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
