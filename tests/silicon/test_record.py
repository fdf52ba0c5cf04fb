"""The address model and the fragment formulas against what an H200 answered, element by element; an H100 agrees."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest
from silicon import cases, record
from silicon.compare import TABLE, mismatches
from silicon.record import Answer, Group

from smemdesc.kinds.modes import MODE

pytestmark = pytest.mark.corpus  # long: .ci/run has it

COUNTS = {
    "registers": 5,
    "accumulator": 21,
    "plain": 20,
    "canonical": 320,
    "strides": 800,
    "far": 211,
    "starts": 3584,
    "base-offsets": 1792,
    "reserved-bits": 496,
    "lbo-without-effect": 275,
    "lbo-beyond-the-atom": 25,
    "outside": 16,
}
"""Cases of each class: none may be lost on the way from the chip."""
MANY = 500
"""Classes with more cases are compared by the long run."""


@cache
def measured() -> record.Record:
    return record.read()


def of_class(cls: str) -> list[tuple[Group, int, Answer]]:
    """Every case of a class with its answer."""
    return [
        (group, descriptor, record.unpack(group, stored))
        for group, answers in measured().groups
        if group.cls == cls
        for descriptor, stored in zip(group.descriptors, answers, strict=True)
    ]


def by_all_but(cls: str, *varied: str) -> dict[tuple[object, ...], list[tuple[int, list[int]]]]:
    """The answers of a class, with their descriptors, by the form and by every field but those that are varied."""
    found: dict[tuple[object, ...], list[tuple[int, list[int]]]] = defaultdict(list)
    for group, descriptor, answer in of_class(cls):
        fixed = [reading.raw for key, reading in TABLE.read(descriptor).items() if key not in varied]
        swizzle = TABLE.read(descriptor)["swizzle"].value
        found[(swizzle, group.form, *fixed)].append((descriptor, answer.numbers))
    return found


def different(answers: list[tuple[int, list[int]]]) -> int:
    return len({tuple(numbers) for _, numbers in answers})


CHIPS = {"nvidia-h100-80gb-hbm3": "NVIDIA H100 80GB HBM3", "nvidia-h200": "NVIDIA H200"}


@pytest.mark.parametrize("path", sorted(record.RECORDS.iterdir()), ids=lambda path: str(path.name))
def test_the_record_says_where_it_comes_from(path: Path) -> None:
    header = record.read(path).header
    assert header["chip"] == CHIPS[path.name.removesuffix(".jsonl.gz")]
    assert header["compute_capability"] == "9.0"
    for key in ("date", "driver", "compiler", "ptx"):
        assert header[key] not in ("", "unknown")


def test_every_chip_gives_the_same_answers() -> None:
    """What holds for the record of the one holds for the others."""
    first, *others = (gzip.decompress(path.read_bytes()).split(b"\n", 1)[1] for path in record.RECORDS.iterdir())
    assert len(others) == len(CHIPS) - 1
    assert all(other == first for other in others)


def test_the_cases_are_those_that_the_library_makes() -> None:
    assert record.read_plan() == cases.make()


def test_every_case_was_answered() -> None:
    assert [group for group, _ in measured().groups] == record.read_plan().groups
    assert all(len(answers) == len(group.descriptors) for group, answers in measured().groups)


def test_no_class_lacks_a_case() -> None:
    assert Counter(group.cls for group, answers in measured().groups for _ in answers) == COUNTS


@pytest.mark.parametrize(
    "cls",
    [
        pytest.param(cls, marks=pytest.mark.corpus if count > MANY else ())
        for cls, count in COUNTS.items()
        if cls != "outside"
    ],
)
def test_every_element_is_where_the_model_says(cls: str) -> None:
    for group, descriptor, answer in of_class(cls):
        assert not mismatches(group, descriptor, answer)[:4], f"{group.form} 0x{descriptor:016x} {answer.fault}"


@pytest.mark.parametrize("cls", ["canonical", "strides", "far", "starts", "base-offsets"])
def test_every_form_is_asked_in_every_mode(cls: str) -> None:
    asked = defaultdict(set)
    for group, _ in measured().groups:
        if group.cls == cls and not group.form.endswith((".n8", ".n256")):
            modes = {str(TABLE.read(descriptor)["swizzle"].value) for descriptor in group.descriptors}
            asked[group.asked, group.sparse].add((group.dtype, group.major, len(modes)))
    pairs = {(dtype, "K") for dtype in cases.DTYPES} | {(dtype, "MN") for dtype in cases.FLOAT16}
    expected = {(*pair, len(cases.MODE_NAMES)) for pair in pairs}
    assert dict(asked) == {(operand, sparse): expected for operand in "AB" for sparse in (False, True)}


def test_the_base_offset_acts_in_as_many_bits_as_the_pattern_has_phases() -> None:
    for key, answers in by_all_but("base-offsets", "base_offset").items():
        assert len(answers) == 8
        assert different(answers) == MODE[str(key[0])].phases, key


def test_reserved_bits_are_ignored() -> None:
    seen = 0
    for key, answers in by_all_but("reserved-bits", *(row.key for row in TABLE.rows if "reserved" in row.key)).items():
        assert different(answers) == 1, key
        for descriptor, _ in answers:
            seen |= TABLE.wrong_constants(descriptor)
    assert seen == TABLE.must_mask


def test_lbo_has_no_effect_while_k_fits_the_atom() -> None:
    answers = by_all_but("lbo-without-effect", "leading_byte_offset")
    assert {(len(each), different(each)) for each in answers.values()} == {(5, 1)}


def test_lbo_is_the_step_to_the_next_atom_of_k() -> None:
    answers = by_all_but("lbo-beyond-the-atom", "leading_byte_offset")
    assert {(len(each), different(each)) for each in answers.values()} == {(5, 5)}
    assert {(key[0], str(key[1])[:3]) for key in answers} == {("32B", "spB")}


def test_an_address_past_the_window_faults_and_does_not_wrap() -> None:
    for group, descriptor, answer in of_class("outside"):
        assert answer.fault, f"{group.form} 0x{descriptor:016x} {answer.numbers[:8]}"


def test_a_packed_answer_is_unpacked_as_it_was() -> None:
    group = next(group for group in record.read_plan().groups if group.form == "A.f16.MN")
    scattered = [*range(0x400, 0x400 + 2 * group.size, 2)][::-1]
    assert record.unpack(group, record.pack(group, Answer(scattered))).numbers == scattered
    assert "numbers" in record.pack(group, Answer(scattered))
