"""The tables of sm_107 against PTX ISA 9.4, and how they stand beside the usual ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import found, packed, place, some
from tables import every_row

from smemdesc import context, encode
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Enum, Upper
from smemdesc.kinds.archs import VARIANTS, variant_of
from smemdesc.kinds.kind import Kind, kind_of, tables
from smemdesc.kinds.names import ARCHS, BLACKWELL, KINDS
from smemdesc.rules import rules_for

VARIANT = [each for name in KINDS for each in tables(name) if each.variant]
FP4 = [
    ("k_upper", 3, 3),
    ("sparsity_version", 12, 12),
    ("scale_type", 24, 23),
    ("reserved_25", 25, 25),
    ("a_scale_layout", 26, 26),
    ("k", 31, 31),
]
OTHER = {
    # the rows that differ from the usual table
    "tcgen05": [
        ("start_address", 14, 0),
        ("reserved_15", 15, 15),
        ("leading_byte_offset", 30, 16),
        ("reserved_31", 31, 31),
        ("lut_k_offset", 53, 53),
        ("fixed_54", 60, 54),
    ],
    "idesc:f16": [("k_code", 29, 29)],
    "idesc:f8f6f4": [("k", 29, 29)],
    "idesc:mxf8f6f4": [("reserved_24", 25, 24), ("a_scale_layout", 26, 26), ("k", 31, 31)],
    "idesc:mxf4": FP4,
    "idesc:mxf4nvf4": FP4,
}
K = [
    # kind, sparse, K, the bits of its code
    ("f8f6f4", False, 32, 0),
    ("f8f6f4", False, 64, 1 << 29),
    ("f8f6f4", True, 64, 0),
    ("mxf8f6f4", False, 32, 0),
    ("mxf8f6f4", False, 64, 1 << 31),
    ("mxf8f6f4", True, 64, 0),
    ("mxf8f6f4", True, 128, 1 << 31),
    *((kind, False, 64, 0) for kind in ("mxf4", "mxf4nvf4")),
    *((kind, False, 96, 1 << 31) for kind in ("mxf4", "mxf4nvf4")),
    *((kind, False, 128, 1 << 3) for kind in ("mxf4", "mxf4nvf4")),
    *((kind, True, 128, 0) for kind in ("mxf4", "mxf4nvf4")),
    *((kind, True, 192, 1 << 31) for kind in ("mxf4", "mxf4nvf4")),
]


def on(value: int | str, kind: str | None, arch: str | None = "sm_107a", **case: Any) -> set[tuple[str, str]]:
    """Return (severity, rule) of each finding."""
    return {
        (each.severity, each.rule) for each in decode_value(value, kind, context=context(arch=arch, **case)).findings
    }


@pytest.mark.parametrize("kind", VARIANT, ids=lambda kind: kind.table.name)
def test_rows(kind: Kind) -> None:
    usual = {(row.key, row.hi, row.lo) for row in kind.usual.table.rows}
    assert [each for each in ((row.key, row.hi, row.lo) for row in kind.table.rows) if each not in usual] == [
        each for each in OTHER[kind.id] if each not in usual
    ]


@pytest.mark.parametrize("kind", VARIANT, ids=lambda kind: kind.table.name)
def test_what_the_usual_table_leaves_open_the_other_reads_alike(kind: Kind) -> None:
    """No value of the usual table changes its meaning: its reserved bits alone are used."""
    ours, usual = kind.table, kind.usual.table
    for row in usual.rows:
        if not row.constant:
            other = ours.by_key[row.key]
            assert other.lo == row.lo
            assert other.hi >= row.hi
            if isinstance(row.codec, Enum) and isinstance(other.codec, Enum):
                assert all(other.codec.decode(code.raw) == row.codec.decode(code.raw) for code in row.codec.codes)


@every_row("arch", ARCHS)
def test_which_architecture_reads_which(arch: str) -> None:
    expected = "sm_107" if arch in ("sm_107a", "sm_107f") else ""
    assert {variant_of(arch, kind.id) for kind in VARIANT} == {expected}
    assert all(kind_of(kind.id, arch=arch).variant == expected for kind in VARIANT)
    assert variant_of(arch, "idesc:tf32") == variant_of(arch, "wgmma") == ""


def test_a_table_is_named() -> None:
    assert kind_of("tcgen05@sm_107") is kind_of("tcgen05", arch="sm_107f")
    with pytest.raises(SmemdescError, match="wgmma has no table of its own for sm_107"):
        kind_of("wgmma@sm_107")


def test_every_variant_has_its_kinds_and_its_source() -> None:
    assert {(kind.id, kind.variant) for kind in VARIANT} == {(k, name) for name, v in VARIANTS.items() for k in v.kinds}
    assert all("PTX ISA" in each.source for each in VARIANTS.values())


@every_row(("mma_kind", "sparse", "k", "bits"), K)
def test_k(mma_kind: str, sparse: bool, k: int, bits: int) -> None:
    kind = kind_of("idesc", mma_kind, "sm_107a")
    base = kind.table.pack(kind.table.encode({"sparse": sparse}))
    assert kind.table.pack(kind.table.encode({"sparse": sparse, "k": k})) == base | bits
    assert kind.table.read(base | bits)["k"].value == k


@every_row(
    ("mma_kind", "sparse", "bits"),
    [
        ("f8f6f4", 1, 1 << 29),
        *((kind, sparse, 1 << 3 | 1 << 31) for kind in ("mxf4", "mxf4nvf4") for sparse in (0, 1)),
        *((kind, 1, 1 << 3) for kind in ("mxf4", "mxf4nvf4")),
    ],
)
def test_codes_of_no_k(mma_kind: str, sparse: int, bits: int) -> None:
    value = bits | sparse << 2 | 0x08A01480 if mma_kind.startswith("mxf4") else bits | sparse << 2 | 0x08200010
    assert ("error", "k-code") in on(value, f"idesc:{mma_kind}")


def test_a_k_that_is_none_is_refused() -> None:
    with pytest.raises(FieldError, match="96 is not one of 32, 64"):
        encode("idesc", mma_kind="f8f6f4", arch="sm_107a", k=96)


def test_the_upper_bit_of_k_follows_a_new_k() -> None:
    kind = kind_of("idesc", "mxf4", "sm_107a")
    long = build(kind, {"k": 128, "m": 128, "n": 128}).value
    again = build(kind, {"k": 96}, base=(long, kind.table.full)).value
    assert kind.table.read(again)["k"].value == 96
    assert kind.table.read(again)["k_upper"].raw == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", VARIANT, ids=lambda kind: kind.table.name)
@given(data=st.data())
@some(60)
def test_what_is_read_is_written_again(kind: Kind, data: st.DataObject) -> None:
    value = packed(kind, tuple(data.draw(place(row)) for row in kind.table.rows))
    readings = kind.table.read(value)
    assert kind.table.pack({key: each.bits for key, each in readings.items()}) == value
    known = {key: each.value for key, each in readings.items() if each.value is not None}
    if len(known) == len(readings):
        plain = {key: each for key, each in known.items() if not isinstance(kind.table.row(key).codec, Upper)}
        assert kind.table.pack(kind.table.encode(plain)) == value


ONLY_NEW = [
    # a value that no usual table fits, the kind, and a field of the other with its value
    (0x4000404000014040, "tcgen05", "start_address", 0x40400),
    (0x4000404040010040, "tcgen05", "leading_byte_offset", 0x40010),
    (0x4020404000010040, "tcgen05", "lut_k_offset", 24),
    (0x28200010, "idesc", "k", 64),
    (0x08A01488, "idesc", "k", 128),
    (0x09200480, "idesc", "scale_type", "ue5m3"),
    (0x0CA00480, "idesc", "a_scale_layout", 128),
    (0x08400DA0, "idesc", "a_type", "s1z4m11"),
]


@pytest.mark.parametrize(("value", "kind", "key", "said"), ONLY_NEW)
def test_what_only_the_new_tables_take(value: int, kind: str, key: str, said: object) -> None:
    """Without an architecture it is an error of the usual table, and a note says which architecture reads it."""
    result = decode_value(value)
    assert result.kind == kind
    assert not any(each.kind.newer for each in result.candidates)
    assert result.has_error
    (note,) = (each for each in result.findings if each.rule == "other-arch")
    assert note.severity == "note"
    assert f"{key} {said}" in note.message or "idesc:ti16" in note.message
    assert "--arch sm_107a" in note.message
    assert decode_value(value, context=context(arch="sm_107a")).verdict in ("valid", "ambiguous")
    assert decode_value(value, context=context(arch="sm_100a")).verdict in ("invalid", "suspicious")


@pytest.mark.parametrize(("value", "kind", "key", "said"), ONLY_NEW)
def test_json_goes_there_and_back(value: int, kind: str, key: str, said: object) -> None:
    from smemdesc.descriptors.encoding import from_object

    data = decode_value(value, context=context(arch="sm_107a")).to_dict()
    assert from_object(data).value == value
    if "candidates" not in data:
        data.pop("value")
        assert from_object(data).value == value


@pytest.mark.parametrize("text", ["0x4000404000010040", "0x08200490", "0x08200010", "0x88a00480", "0x08a00484"])
def test_what_both_take_is_read_by_the_usual_table(text: str) -> None:
    assert decode_value(text).variant == ""
    assert not {each.kind.variant for each in decode_value(text).candidates} - {""}


def test_where_the_two_tables_mean_something_else_a_note_says_so() -> None:
    """Sparse packed fp4 alone: its sparsity version is that of the usual architectures."""
    assert on(0x08A00484, "idesc:mxf4", None) == {("note", "sparsity-version")}
    assert on(0x08A00480, "idesc:mxf4", None) == set()


@pytest.mark.parametrize("text", ["0x0820????", "0x4000404?00010040", "0x4000????00010040", "0x????????00014040"])
def test_a_partly_known_value_is_read_by_the_usual_table(text: str) -> None:
    assert not {each.kind.variant for each in decode_value(text).candidates} - {""}


def test_what_only_the_new_tables_have_is_encoded_for_their_architecture_alone() -> None:
    assert encode("idesc", mma_kind="mxf4", m=128, n=128, k=128, arch="sm_107a") == 0x08A00488
    assert encode("tcgen05", lut_k_offset=24, arch="sm_107a") == 1 << 53 | encode("tcgen05")
    assert encode("idesc", mma_kind="mxf4", m=128, n=128, k=128, sparse=True) == 0x08A00484
    for arch, said in ((None, "only"), ("sm_100a", "only, not on sm_100a")):
        with pytest.raises(SmemdescError, match=f"k = 128 exists on sm_107a, sm_107f {said};"):
            encode("idesc", mma_kind="mxf4", arch=arch, m=128, n=128, k=128)


def test_addresses_of_19_bits() -> None:
    assert encode("tcgen05", arch="sm_107a", start_address=0x41000) == encode("tcgen05") | 0x4100
    with pytest.raises(FieldError, match="above the 18 bits"):
        encode("tcgen05", start_address=0x41000)
    with pytest.raises(FieldError, match="above the 19 bits"):
        encode("tcgen05", arch="sm_107a", start_address=0x81000)


@pytest.mark.parametrize(("arch", "said"), [("sm_107a", set()), (None, {"outside-shared-memory"})])
def test_sm_107_is_judged_by_its_shared_memory(arch: str | None, said: set[str]) -> None:
    case = context(dtype="bf16", major="K", shape="64x16", arch=arch)
    found = decode_value(0x4000404000013C40, context=case).findings
    assert {each.rule for each in found if each.severity != "note"} == said


@every_row(
    ("mma_kind", "value", "arch", "severity"),
    [
        *((kind, 0x18A80484 | 1 << 12, "sm_100a", "error") for kind in ("mxf4", "mxf4nvf4")),
        *((kind, 0x18A80484 | 1 << 12, "sm_103a", "error") for kind in ("mxf4", "mxf4nvf4")),
        *((kind, 0x18A80484, "sm_107a", "error") for kind in ("mxf4", "mxf4nvf4")),
        *((kind, 0x18A80484, "sm_100a", None) for kind in ("mxf4", "mxf4nvf4")),
        *((kind, 0x18A80484 | 1 << 12, "sm_107a", None) for kind in ("mxf4", "mxf4nvf4")),
        ("mxf4", 0x08A00480, "sm_107a", None),
        ("mxf4", 0x08A01480, "sm_107a", None),
    ],
)
def test_the_sparsity_version_is_that_of_the_architecture(
    mma_kind: str, value: int, arch: str, severity: str | None
) -> None:
    findings = {each for each in on(value, f"idesc:{mma_kind}", arch) if each[1] == "sparsity-version"}
    assert findings == ({(severity, "sparsity-version")} if severity else set())


F16 = (0x08200010, 0x08200490, 0x08200000, 0x08200014, 0x10218490)
"""kind::f16: f16 and bf16, into f16, sparse, with 256 rows and MN-major."""


@every_row(("value", "arch"), [(value, arch) for value in F16 for arch in BLACKWELL])
def test_bit_29_of_f16_is_no_error_on_the_architecture_that_has_it(value: int, arch: str) -> None:
    case = {"cta_group": 2} if value >> 24 == 0x10 else {}
    without = on(value, "idesc:f16", arch, **case)
    added = {("note", "k-code")} if arch in ("sm_107a", "sm_107f") else {("error", "reserved-bits")}
    assert on(value | 1 << 29, "idesc:f16", arch, **case) == without | added


@every_row("mma_kind", ["tf32", "ti16"])
def test_bit_29_of_the_other_dense_kinds_is_reserved_everywhere(mma_kind: str) -> None:
    value = {"tf32": 0x08200910, "ti16": 0x08400DA0}[mma_kind]
    assert ("error", "reserved-bits") in on(value | 1 << 29, f"idesc:{mma_kind}")
    assert on(value, f"idesc:{mma_kind}") == set()


TRIGGERS = [
    ("f8f6f4", 0x28208290, {}, "error", "transpose-k-64"),
    ("mxf8f6f4", 0x88A08280, {}, "error", "transpose-k-64"),
    ("mxf8f6f4", 0xA8A00000, {}, "warning", "scale-id-k-64"),
    ("mxf4", 0x28A01488, {}, "error", "scale-id"),
    ("mxf4", 0x28A01480, {}, "error", "scale-id"),
    ("mxf4nvf4", 0xA8A01480, {"scale_vec": 4}, "error", "scale-id"),
    ("mxf4nvf4", 0x48A01480, {"scale_vec": 4}, "error", "scale-id"),
    ("f8f6f4", 0x28200014, {}, "error", "k-code"),
    *(("f16", 1 << 29 | value, {}, "note", "k-code") for value in F16),
]


@every_row(("mma_kind", "value", "case", "severity", "rule"), TRIGGERS)
def test_rules_of_the_new_tables(mma_kind: str, value: int, case: dict[str, Any], severity: str, rule: str) -> None:
    assert (severity, rule) in on(value, f"idesc:{mma_kind}", **case)


@every_row(
    ("mma_kind", "value", "case"),
    [
        ("f8f6f4", 0x28200010, {}),
        ("mxf8f6f4", 0xC8A00000, {}),
        ("mxf4", 0x48A01480, {}),
        ("mxf4", 0xA8A01480, {}),
        ("mxf4nvf4", 0x08A01488, {"scale_vec": 4}),
        ("mxf4nvf4", 0xC8A01480, {"scale_vec": 4}),
        ("mxf4nvf4", 0x09201480, {"scale_vec": 2}),
    ],
)
def test_what_the_new_tables_allow(mma_kind: str, value: int, case: dict[str, Any]) -> None:
    assert on(value, f"idesc:{mma_kind}", **case) == set()


@every_row(("mma_kind", "value"), [("f8f6f4", 0x28208290), ("f8f6f4", 0x28218D90), ("mxf8f6f4", 0x88A08280)])
def test_where_the_sources_agree_no_note_says_that_they_do_not(mma_kind: str, value: int) -> None:
    assert {rule for _, rule in on(value, f"idesc:{mma_kind}")} == {"transpose-k-64"}


@pytest.mark.parametrize("kind", VARIANT, ids=lambda kind: kind.table.name)
def test_rules_read_fields_of_the_table(kind: Kind) -> None:
    for rule in rules_for(kind, whole=True, tiled=True):
        assert set(rule.reads) <= set(kind.table.by_key)


def test_the_usual_findings_do_not_change() -> None:
    assert found("tcgen05", 0x4000404000010040) == set()


@pytest.mark.parametrize(
    ("value", "kind", "mma_kind", "said"),
    [
        (0x4020404000010040, "tcgen05", None, "tcgen05 with lut_k_offset 24"),
        (0x08A01480, "idesc", "mxf4", "idesc:mxf4 with sparsity_version 1"),
        (0x08A00488, "idesc", "mxf4", "idesc:mxf4 with k 128"),
    ],
)
def test_a_kind_that_is_asked_for_is_read_by_the_usual_table(
    value: int, kind: str, mma_kind: str | None, said: str
) -> None:
    result = decode_value(value, kind, mma_kind)
    assert result.variant == ""
    assert result.fails(strict=True)
    assert [said in each.message for each in result.findings if each.rule == "other-arch"] == [True]
