"""The field-table engine, on tables of its own and on every table of the package."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, kinds, masks, packed, realistic, some, values
from tables import every_row

from smemdesc.engine.errors import FieldError
from smemdesc.engine.fields import (
    Codec,
    CountMinusOne,
    Enum,
    EnumCode,
    Field,
    Fixed,
    Flag,
    Number,
    Reserved,
    Scalar,
    Scaled,
    Selected,
    Table,
    TableError,
    ones,
    signed,
    twos_complement,
)
from smemdesc.kinds.kind import Kind, kind_of


def field(key: str, hi: int, lo: int, codec: Codec | None = None) -> Field:
    return Field(key, hi, lo, codec or Number(), "doc", "source")


SMALL = Table(
    "small",
    16,
    (
        field("size", 3, 0, Scaled(16, "B")),
        field("flag", 4, 4, Flag("off", "on")),
        field("gap", 7, 5, Reserved()),
        field("mode", 9, 8, Enum(EnumCode(1, "one"), EnumCode(2, "two"), wrong={3: "two and one"})),
        field("mark", 11, 10, Fixed(1)),
        field("k", 12, 12, Selected(("flag",), {1: {0: 128, 1: None}}, EnumCode(0, 64), EnumCode(1, 96))),
        field("span", 15, 13, CountMinusOne()),
    ),
)


@every_row(
    ("codec", "raw", "value"),
    [
        (Number(), 5, 5),
        (Scaled(16, "B"), 64, 1024),
        (Scaled(8), 16, 128),
        (CountMinusOne(), 0, 1),
        (CountMinusOne(), 255, 256),
        (Flag("off", "on"), 0, False),
        (Flag("off", "on"), 1, True),
        (Enum(EnumCode(3, "32B")), 3, "32B"),
        (Fixed(1), 1, 1),
        (Reserved(), 0, 0),
    ],
)
def test_codec_both_ways(codec: Codec, raw: int, value: Scalar) -> None:
    assert codec.decode(raw) == value
    assert codec.encode(value) == raw


@every_row(
    ("codec", "value", "says"),
    [
        (Number(), "5", "an integer is needed, not '5'"),
        (Number(), True, "an integer is needed, not true"),
        (Number(), 1.5, "an integer is needed"),
        (Scaled(16, "B"), 1000, "1000 B is not a multiple of 16 B; the nearest are 992 and 1008"),
        (Scaled(8), 12, "12 is not a multiple of 8; the nearest are 8 and 16"),
        (CountMinusOne(), 0, "at least 1"),
        (Flag("off", "on"), 1, "true or false is needed, not 1"),
        (Enum(EnumCode(3, "32B"), EnumCode(2, "64B")), "96B", "'96B' is not one of 32B, 64B"),
        (Enum(EnumCode(3, "32B")), 3, "the code 3 is named 32B"),
        (Enum(EnumCode(0, 0), EnumCode(1, 8)), True, "true is not one of 0, 8"),
    ],
)
def test_codec_refuses(codec: Codec, value: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        codec.encode(value)


@every_row("value", [[1], {"a": 1}, None, 1.0, b"32B"])
@every_row(
    "codec", [Number(), Scaled(16), CountMinusOne(), Flag("", ""), Enum(EnumCode(0, "none")), Fixed(1), Reserved()]
)
def test_codec_refuses_what_is_no_scalar(codec: Codec, value: object) -> None:
    with pytest.raises(ValueError, match=r"needed|not one of"):
        codec.encode(value)


@every_row(
    ("codec", "raw", "text"),
    [
        (Number(), 7, "7"),
        (Scaled(16, "B"), 64, "1024 B = 64 x 16 B"),
        (Scaled(8), 16, "128"),
        (Flag("off", "on"), 1, "yes"),
        (Flag("off", "on"), 0, "no"),
        (Enum(EnumCode(3, "32B")), 3, "32B"),
        (Enum(EnumCode(3, "32B")), 2, "undefined"),
        (CountMinusOne(), 3, "4"),
    ],
)
def test_codec_text(codec: Codec, raw: int, text: str) -> None:
    assert codec.text(raw) == text


@every_row(
    ("codec", "width", "text"),
    [
        (Number(), 3, "0..7"),
        (Scaled(16, "B"), 14, "0..262128 B in steps of 16"),
        (CountMinusOne(), 8, "1..256"),
        (Flag("dense", "sparse"), 1, "0 dense, 1 sparse"),
        (Enum(EnumCode(0, "none"), EnumCode(3, "32B")), 2, "0 none, 3 32B"),
        (Fixed(1), 3, "always 0b001"),
        (Reserved(), 2, "must be 0"),
        (Reserved("somebody looked"), 2, "write 0"),
    ],
)
def test_codec_says_what_it_takes(codec: Codec, width: int, text: str) -> None:
    assert codec.describe(width) == text


@pytest.mark.parametrize(("by", "raw", "name"), [(0, 0, 64), (0, 1, 96), (1, 0, 128), (1, 1, None)])
def test_selected_by_another_field(by: int, raw: int, name: int | None) -> None:
    codec = SMALL.by_key["k"].codec
    assert codec.decode(raw, by) == name
    if name is not None:
        assert codec.encode(name, by) == raw


def test_selected_refuses_what_the_other_field_rules_out() -> None:
    with pytest.raises(ValueError, match=r"96 is not one of 128 \(with flag = 1\)"):
        SMALL.by_key["k"].codec.encode(96, 1)


@every_row(
    ("rows", "says"),
    [
        ([field("a", 7, 0), field("b", 15, 7)], "b begins at bit 7, the row before ends at 7"),
        ([field("a", 6, 0), field("b", 15, 8)], "b begins at bit 8, the row before ends at 6"),
        ([field("a", 15, 1)], "begins at bit 1"),
        ([field("a", 7, 0)], "cover 8 bits of 16"),
        ([field("a", 16, 0)], "cover 17 bits of 16"),
        ([], "cover 0 bits of 16"),
        ([field("a", 7, 0), field("a", 15, 8)], "a key is in two rows"),
        ([field("a", 7, 0), field("b", 3, 8)], "in the wrong order"),
        ([field("a", 15, 0, Fixed(1 << 16))], "the default does not fit 16 bits"),
        (
            [field("a", 14, 0), field("b", 15, 15, Enum(EnumCode(0, "x"), EnumCode(2, "y")))],
            "a code does not fit 1 bits",
        ),
        ([field("a", 15, 0, Selected(("z",), {}, EnumCode(0, 1)))], "depends on z, which is not a row"),
    ],
)
def test_wrong_table_is_refused(rows: list[Field], says: str) -> None:
    with pytest.raises(TableError, match=says):
        Table("wrong", 16, rows)


def test_rows_may_be_given_in_any_order() -> None:
    assert [row.key for row in Table("t", 16, [field("b", 15, 8), field("a", 7, 0)]).rows] == ["a", "b"]


@every_row("kind", ALL)
def test_every_row_says_what_it_is_and_who_says_so(kind: Kind) -> None:
    assert all(row.doc and row.source for row in kind.table.rows)


@every_row("kind", ALL)
def test_each_code_is_named_once(kind: Kind) -> None:
    for row in kind.table.rows:
        if isinstance(row.codec, Enum):
            assert len(row.codec.by_raw) == len(row.codec.by_name) == len(row.codec.codes)


@some(200)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind))))
def test_unpack_is_shift_and_mask(case: tuple[Kind, int]) -> None:
    kind, bits = case
    raws = kind.table.unpack(bits)
    assert raws == [bits >> row.lo & ones(row.width) for row in kind.table.rows]
    assert packed(kind, tuple(raws)) == bits
    assert kind.table.pack(dict(zip(kind.table.by_key, raws, strict=True))) == bits


@pytest.mark.slow
@some(200)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), realistic(kind))))
def test_values_encode_back_to_their_raw_numbers(case: tuple[Kind, int]) -> None:
    kind, bits = case
    readings = kind.table.read(bits)
    named = {key: reading.value for key, reading in readings.items() if reading.value is not None}
    rest = {key: reading.bits for key, reading in readings.items() if reading.value is None}
    assert kind.table.pack(kind.table.encode(named, rest)) == bits


@some(200)
@given(
    kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))),
)
def test_field_is_complete_if_its_bits_are_known(case: tuple[Kind, int, int]) -> None:
    kind, bits, known = case
    for row, reading in zip(kind.table.rows, kind.table.read(bits, known).values(), strict=True):
        full = ones(row.width)
        assert reading.known == known >> row.lo & full
        assert reading.complete == (reading.known == full)
        assert reading.bits == bits >> row.lo & reading.known
        assert (reading.raw is None) == (not reading.complete)
        if not reading.complete:
            assert reading.value is None


@some(100)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))))
def test_less_known_never_contradicts_more(case: tuple[Kind, int, int]) -> None:
    kind, bits, known = case
    wrong = {reading.field.key for reading in kind.table.misfits(bits)}
    assert {reading.field.key for reading in kind.table.misfits(bits & known, known)} <= wrong
    assert kind.table.wrong_constants(bits, known) == kind.table.wrong_constants(bits) & known


@every_row(
    ("bits", "known", "contradicts"),
    [
        (0b0000_0000_0010_0000, 0x0020, {"gap"}),
        (0b0000_0000_0010_0000, 0x0040, set()),
        (0b0000_0011_0000_0000, 0x0300, {"mode"}),
        (0b0000_0011_0000_0000, 0x0200, set()),
        (0b0000_0000_0000_0000, 0x0300, {"mode"}),
        (0b0000_1000_0000_0000, 0x0800, {"mark"}),
        (0b0000_0100_0000_0000, 0x0400, set()),
    ],
)
def test_contradictions_of_what_is_known(bits: int, known: int, contradicts: set[str]) -> None:
    assert {reading.field.key for reading in SMALL.misfits(bits & known, known)} == contradicts


def test_partly_known_field_shows_its_bits() -> None:
    reading = SMALL.read(0x000A, 0x000B)["size"]
    assert (reading.raw, reading.value, reading.binary()) == (None, None, "1?10")


def test_value_that_depends_on_an_unknown_field_is_unknown() -> None:
    flag = SMALL.masks["flag"]
    assert SMALL.read(0x1000, SMALL.full & ~flag)["k"].value is None
    assert SMALL.read(0x1000, SMALL.full)["k"].value == 96


@pytest.mark.parametrize(
    ("raws", "says"),
    [
        ({"sise": 1}, "has no field 'sise'; did you mean size"),
        ({"qqqqqq": 1}, "its fields: size, flag, gap"),
        ({"size": 16}, r"size: 16 does not fit 4 bits \(0..15\)"),
        ({"size": -1}, "size: -1 does not fit 4 bits"),
    ],
)
def test_pack_names_the_field_at_fault(raws: dict[str, int], says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        SMALL.pack(raws)
    assert caught.value.key == next(iter(raws))


@every_row(
    ("given_", "says"),
    [
        ({"size": 8}, r"size: 8 B is not a multiple of 16 B.*size takes 0..240 B in steps of 16"),
        ({"size": 256}, r"size: 256 does not fit 4 bits"),
        ({"size": -16}, r"size: -16 does not fit 4 bits"),
        ({"mode": "three"}, r"mode: 'three' is not one of one, two"),
        ({"flag": True, "k": 96}, r"k: 96 is not one of 128"),
        ({"span": 9}, r"span: 9 does not fit 3 bits; span takes 1..8"),
    ],
)
def test_encode_names_the_field_at_fault(given_: dict[str, Scalar], says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        SMALL.encode(given_)
    assert caught.value.key == list(given_)[-1]


def test_encode_reads_the_selecting_field_first() -> None:
    assert SMALL.encode({"k": 128, "flag": True}) == {"k": 0, "flag": 1}


def test_fields_left_out_get_their_default() -> None:
    assert SMALL.pack({}) == 1 << 10 | 1 << 8


def test_insert_replaces_one_field() -> None:
    assert SMALL.insert(0xFFFF, "mode", 1) == 0xFDFF
    with pytest.raises(FieldError, match="does not fit 2 bits"):
        SMALL.insert(0, "mode", 4)


def test_constants_of_a_table() -> None:
    assert (SMALL.must_mask, SMALL.must_value, SMALL.must_count) == (0x0CE0, 0x0400, 5)
    assert SMALL.wrong_constants(0x0820) == 0x0C20


def test_variant_that_covers_a_row_in_part_is_refused() -> None:
    with pytest.raises(TableError, match="reserved_15"):
        kind_of("tcgen05").table.variant("broken", field("reserved_15", 15, 15, Reserved()))


@every_row(
    ("number", "width", "bits"),
    [
        (-1, 8, 0xFF),
        (-128, 8, 0x80),
        (-129, 8, None),
        (255, 8, 0xFF),
        (256, 8, None),
        (-9223371899399045120, 64, 0x8000_0020_0100_0000),
    ],
)
def test_twos_complement(number: int, width: int, bits: int | None) -> None:
    assert twos_complement(number, width) == bits
    if bits is not None and number < 0:
        assert signed(bits, width) == number
