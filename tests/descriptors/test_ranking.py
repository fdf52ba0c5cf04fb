"""Which descriptor a pasted value is taken for, and that nothing is chosen silently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operands.spoiled import instructions, operands
from samples import ALL, IDESC, SOUND, WIDE, kinds, realistic, some, values
from tables import every_row

from smemdesc.descriptors.ranking import Ranking, other_fits, rank
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import KindError, WidthError
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.reading.text import parse_value


def ids_of(text: str, kind: str | None = None, mma_kind: str | None = None, arch: str | None = None) -> list[str]:
    return names(rank(parse_value(text), kind, mma_kind, arch))


def names(ranking: Ranking) -> list[str]:
    return [each.id for each in ranking.readings]


IDS = [
    # 64 bits
    ("0x4000404000010040", ["tcgen05"]),
    ("0x4000004000010040", ["wgmma"]),
    ("0x0000000800100000", ["wgmma"]),
    ("0x0000400800100000", ["tcgen05"]),
    ("0xc000001000010000", ["wgmma"]),
    ("0xc000402000100000", ["tcgen05"]),
    ("0x8000404000200000", ["tcgen05"]),
    ("0x0003040000000000", ["mask"]),
    ("0x0003028000000000", ["mask"]),
    ("0x0003028100000000", ["mask"]),
    ("0x0203028301020100", ["mask"]),
    ("4611686293305294848", ["wgmma"]),
    ("-9223371899399045120", ["wgmma"]),
    # a part of 64 bits
    ("0x40004040:?", ["tcgen05"]),
    ("0x40000040????????", ["wgmma"]),
    # the high word alone
    ("0x40004040", ["tcgen05:high_word"]),
    ("1073758272", ["tcgen05:high_word"]),
    ("40004040", ["tcgen05:high_word"]),
    ("0x40000040", ["wgmma:high_word"]),
    # instruction descriptors, alone and in the high word as CUTLASS passes them
    ("0x8200010", ["idesc:f16", "idesc:f8f6f4"]),
    ("136314896", ["idesc:f16", "idesc:f8f6f4"]),
    ("0x08400010", ["idesc:f16", "idesc:f8f6f4"]),
    ("0x08200490", ["idesc:f16", "idesc:f8f6f4"]),
    ("0x08200910", ["idesc:tf32"]),
    ("0x0820049000000000", ["idesc:f16", "idesc:f8f6f4"]),
    ("0x0820091000000000", ["idesc:tf32"]),
    # a low word, or an address of tensor memory where a warp's lanes or the second half of them begin
    *((f"{lane << 16 | 511:#010x}", ["wgmma", "tmem"]) for lane in range(16, 128, 16)),
    ("0x00010040", ["wgmma"]),
    ("0x00800000", ["wgmma"]),
    ("0x00400200", ["wgmma"]),
    ("0x00000040", ["wgmma:high_word", "wgmma"]),
    # no reading fits: the bits are E2M1 x E2M1, with a D type or a scale type that is wrong
    ("0x082016a0", ["idesc:f8f6f4", "idesc:mxf8f6f4"]),
    # nothing is near
    ("0xdeadbeefdeadbeef", ["tcgen05", "wgmma", "mask"]),
]


@every_row(("text", "ids"), IDS)
def test_which_kind_a_value_is(text: str, ids: list[str]) -> None:
    ranking = rank(parse_value(text))
    assert names(ranking) == ids
    assert len(ids) == 1 or str(len(ids)) in ranking.reason or "no reading fits" in ranking.reason


@pytest.mark.parametrize(
    ("text", "view", "bits", "known"),
    [
        ("0x40004040", "high_word", 0x4000404000000000, 0xFFFFFFFF00000000),
        ("0x40004040:?", "whole", 0x4000404000000000, 0xFFFFFFFF00000000),
        ("0x0820091000000000", "in_high_word", 0x08200910, 0xFFFFFFFF),
        ("0x4000404?", "high_word", 0x4000404000000000, 0xFFFFFFF000000000),
        ("0x08200910", "whole", 0x08200910, 0xFFFFFFFF),
    ],
)
def test_view(text: str, view: str, bits: int, known: int) -> None:
    first = rank(parse_value(text)).readings[0]
    assert (first.view, first.bits, first.known) == (view, bits, known)


@every_row("kind", ALL)
def test_a_kind_that_is_asked_for_is_taken(kind: Kind) -> None:
    ranking = rank(parse_value(f"{SOUND[kind.id]:#x}"), kind.name, kind.mma_kind)
    assert names(ranking) == [kind.id]
    assert ranking.requested
    assert ranking.fits


@every_row(
    ("text", "kind", "ids", "fit"),
    [
        ("0x4000004000010040", "tcgen05", ["tcgen05"], False),
        ("0x4000404000010040", "wgmma", ["wgmma"], False),
        ("0x40004040", "tcgen05", ["tcgen05:high_word"], True),
        ("0x40000040", "wgmma", ["wgmma:high_word"], True),
        ("0x00010040", "wgmma", ["wgmma"], True),
        ("1073758272", "tcgen05", ["tcgen05"], False),
        ("0x08200490", "idesc", ["idesc:f16", "idesc:f8f6f4"], True),
        ("0x08200910", "idesc", ["idesc:tf32"], True),
        ("0x0820091000000000", "idesc", ["idesc:tf32"], True),
        ("0x08200490", "idesc:mxf4nvf4", ["idesc:mxf4nvf4"], False),
        ("0x7000000000", "mask", ["mask"], False),
    ],
)
def test_a_requested_kind_is_used(text: str, kind: str, ids: list[str], fit: bool) -> None:
    ranking = rank(parse_value(text), kind)
    assert names(ranking) == ids
    assert ranking.fits == fit


def test_an_mma_kind_alone_asks_for_an_instruction_descriptor() -> None:
    assert ids_of("0x0820049000000000", mma_kind="f16") == ["idesc:f16"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("0x4000404000010040", "idesc"), ("0x4000404000010040", "idesc:f16"), ("0x100000000:0", "wgmma")],
)
def test_too_wide_for_what_was_asked(text: str, kind: str) -> None:
    with pytest.raises(WidthError):
        rank(parse_value(text), kind)


@pytest.mark.parametrize("kind", ["imma", "idesc:f7", "wgmma:f16"])
def test_unknown_kind(kind: str) -> None:
    with pytest.raises(KindError):
        rank(parse_value("0x1"), kind)


@every_row(
    ("text", "arch", "ids"),
    [
        ("0x4000004000010040", "sm_90a", ["wgmma"]),
        ("0x40000040", "sm_90a", ["wgmma:high_word"]),
        ("0x08200420", "sm_100a", ["idesc:i8"]),
        ("0x08200490", "sm_103a", ["idesc:f16", "idesc:f8f6f4"]),
        ("0x00400000", "sm_90a", ["wgmma"]),
        ("0x00400000", "sm_100a", ["wgmma", "tmem"]),
        # the other generation's, judged as the architecture reads it
        ("0x4000404000010040", "sm_90a", ["wgmma"]),
        ("0x4000004000010040", "sm_100a", ["tcgen05"]),
        ("0x40004040", "sm_90a", ["wgmma:high_word"]),
        # of another architecture, and recognized
        ("0x4000404000010040", "sm_120a", ["tcgen05"]),
        ("0x08200420", "sm_90a", ["idesc:i8"]),
    ],
)
def test_architecture_narrows_the_choice(text: str, arch: str, ids: list[str]) -> None:
    assert ids_of(text, arch=arch) == ids


@every_row(
    ("text", "kind", "ids"),
    [
        ("0x08200490", "idesc:f16", ["idesc:f8f6f4"]),
        ("0x4000404000010040", None, []),
        ("0x4000404000010040", "wgmma", ["tcgen05"]),
        ("0x40004040", "wgmma", ["tcgen05:high_word"]),
        ("0x0820049000000000", "idesc:f16", ["idesc:f8f6f4"]),
        ("0x00000040", None, ["tmem"]),
        ("0x00400000", "wgmma", ["tmem"]),
        ("0x00010040", None, []),
    ],
)
def test_others_that_fit(text: str, kind: str | None, ids: list[str]) -> None:
    literal = parse_value(text)
    assert [each.id for each in other_fits(literal, rank(literal, kind))] == ids


def test_distance_grows_with_what_is_wrong() -> None:
    kind = kind_of("tcgen05")
    near, far = (
        DescriptorReading(kind, "whole", bits, kind.table.full) for bits in (0x4000404000014040, 0x7000FF4000014040)
    )
    assert 0 < near.distance < far.distance
    assert not near.fits


@pytest.mark.parametrize(
    ("marks", "ids"),
    [
        pytest.param(0b001 << 46, "tcgen05", id="bits 46-48 are 0b001"),
        pytest.param(0b000 << 46, "wgmma", id="bits 46-48 are 0"),
    ],
)
@pytest.mark.parametrize("rest", [0x4000004000010040, 0x4000004000014040, 0x400000400001C0C0])
def test_bits_46_to_48_tell_hopper_from_blackwell(marks: int, ids: str, rest: int) -> None:
    assert ids_of(f"{rest | marks:#018x}") == [ids]


@some(150)
@given(st.sampled_from(WIDE).flatmap(lambda kind: st.tuples(st.just(kind), realistic(kind))))
def test_a_sound_64_bit_value_is_among_what_it_is_taken_for(case: tuple[Kind, int]) -> None:
    kind, bits = case
    candidate = DescriptorReading(kind, "whole", bits, kind.table.full)
    if candidate.fits:
        assert kind.id in ids_of(f"{bits:#018x}")


@some(100)
@given(st.sampled_from(IDESC).flatmap(lambda kind: st.tuples(st.just(kind), realistic(kind))))
def test_a_sound_instruction_descriptor_is_among_what_it_is_taken_for(case: tuple[Kind, int]) -> None:
    kind, bits = case
    if DescriptorReading(kind, "whole", bits, kind.table.full).fits:
        assert kind.id in ids_of(f"{bits:#010x}")
        assert kind.id in [each.partition(":high")[0] for each in ids_of(f"{bits:#010x}00000000", "idesc")]


@pytest.mark.corpus
def test_only_low_words_become_addresses_of_tensor_memory() -> None:
    values = {**operands(), **instructions()}
    words = {bits >> shift & 0xFFFFFFFF for kind in ("wgmma", "tcgen05") for bits in values[kind] for shift in (0, 32)}
    taken = {bits for bits in words if "tmem" in ids_of(f"{bits:#010x}")}
    assert (len(taken), len(words)) == (15, 261)
    assert not any(bits & ~0x007001FF for bits in taken)
    masks = {"mask": (SOUND["mask"], 0x0203028301020100, 0x0003040000000000)}
    for kind, all_bits in {**values, **masks}.items():
        digits = kind_of(kind).table.width // 4
        assert not [bits for bits in all_bits if "tmem" in ids_of(f"0x{bits:0{digits}x}")]


@some(100)
@given(kinds.flatmap(values))
def test_what_fits_fits_and_what_does_not_says_so(bits: int) -> None:
    ranking = rank(parse_value(hex(bits)))
    assert ranking.readings
    assert ranking.reason
    if ranking.fits and ranking.reason != "its reserved bits are right, but its counts are unusual":
        assert all(each.fits for each in ranking.readings)
    if not ranking.fits:
        assert not any(each.fits for each in ranking.readings)
