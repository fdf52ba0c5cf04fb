"""What becomes of a sound descriptor that was spoiled on its way: never a sound one of another kind.

The table in ``docs/spoiled.md`` is made here: ``UPDATE_GOLDEN=1 pytest -m corpus tests/descriptors/test_spoiled.py``.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from operands.spoiled import WRITES, hold, instructions, operands, spoiled
from tables import every_row

from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.ranking import other_fits
from smemdesc.engine.errors import SmemdescError
from smemdesc.rules.base import ERROR, WARNING

EVERY = {"wgmma": 7, "tcgen05": 7, "idesc": 97}
"""The page counts all descriptors; of so many, a run that holds it tries one."""
ITSELF_ERROR, ITSELF_WARNING, LEGAL, NAMED, UNNAMED, REFUSED, WRONG = (
    "itself, error",
    "itself, warning",
    "legal, same kind",
    "other, named",
    "other, not named",
    "refused",
    "valid as another",
)
OUTCOMES = (ITSELF_ERROR, ITSELF_WARNING, LEGAL, NAMED, UNNAMED, REFUSED, WRONG)


def outcome(family: str, text: str) -> str:
    """Say what the program makes of the text of a descriptor that was of one family."""
    try:
        result = decode_value(text)
    except SmemdescError:
        return REFUSED
    kinds = {each.kind.name for each in result.candidates}
    severities = {each.severity for each in result.findings}
    if family in kinds:
        if ERROR in severities:
            return ITSELF_ERROR
        if WARNING in severities:
            return ITSELF_WARNING
        return LEGAL if kinds == {family} else NAMED
    near = {each.reading.kind.name for each in result.ranking.near_misses}
    near |= {each.kind.name for each in other_fits(result.literal, result.ranking)}
    if family in near:
        return NAMED
    return UNNAMED if severities & {ERROR, WARNING} else WRONG


def counted(family: str, every: int) -> dict[str, Counter[str]]:
    """Count the outcomes of each slip over every so-many-th descriptor of a family."""
    values = {**operands(), **instructions()}
    found: dict[str, Counter[str]] = {}
    seen: dict[str, str] = {}
    for kind, all_bits in values.items():
        if kind.partition(":")[0] != family:
            continue
        for bits in all_bits[::every]:
            for what, text in dict.fromkeys(spoiled(kind, bits)):
                if re.fullmatch(r"0x[0-9a-f]+", text) and int(text, 16) == bits:
                    continue  # the slip changed nothing
                if text not in seen:
                    seen[text] = outcome(family, text)
                found.setdefault(what, Counter())[seen[text]] += 1
    return found


@pytest.mark.corpus
def test_a_spoiled_descriptor_is_never_sound_as_another() -> None:
    found = counted("tcgen05", 631)
    assert found
    assert not sum(counts[WRONG] for counts in found.values())


@pytest.mark.corpus
@pytest.mark.parametrize("family", EVERY)
def test_the_table(family: str) -> None:
    found = counted(family, 1 if WRITES else EVERY[family])
    assert not sum(counts[WRONG] for counts in found.values())
    hold(family, {what: [counts[each] for each in OUTCOMES] for what, counts in found.items()})


@every_row(
    ("text", "kind"),
    [
        *((f"{0x0000400800080040 | 1 << bit:#018x}", "tcgen05") for bit in range(54, 61)),
        ("0x2000008000400040", "wgmma"),
        *((f"{0x2010400000010040 | sbo << 32:#018x}", "tcgen05") for sbo in (0x20, 0x40, 0x80, 0x100, 0x200)),
    ],
)
def test_what_bears_a_mark_is_that_kind_with_its_errors(text: str, kind: str) -> None:
    result = decode_value(text)
    assert result.kind == kind
    assert {each.severity for each in result.findings} & {ERROR, WARNING}
    assert result.has_error == (kind == "tcgen05")  # Hopper ignores its unused bits


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("0x00010000:0x40000040", "0x40000040:0x00010000"),
        ("0x00010040:0x40004040", "0x40004040:0x00010040"),
        ("0x0001004040004040", "0x4000404000010040"),
        ("0x400040400001004", "0x400040400001004?"),
    ],
)
def test_a_slip_is_an_error_that_says_what_to_type(text: str, meant: str) -> None:
    result = decode_value(text)
    found = [each for each in result.findings if each.rule == "other-reading"]
    assert result.has_error
    assert any(meant in each.message for each in found)


@pytest.mark.parametrize("text", ["0x400040400001004", "0x400404000010040", "0x0820049"])
def test_a_number_of_digits_that_no_descriptor_has(text: str) -> None:
    assert "digit-count" in {each.rule for each in decode_value(text).findings}


@pytest.mark.parametrize(
    "text", ["0x8200490", "0x203028301020100", "0x400800100000", "0x4000404000010040", "0x40004040"]
)
def test_zeros_that_were_left_out_are_no_lost_digits(text: str) -> None:
    assert "digit-count" not in {each.rule for each in decode_value(text).findings}


def test_seven_digits_of_a_kind_that_was_asked_for_are_no_lost_digit() -> None:
    result = decode_value("0x8211c90", kind="idesc", mma_kind="f8f6f4")
    assert [each.rule for each in result.findings if each.severity == ERROR] == ["undefined-code"]


def test_a_mask_that_generates_nothing_and_has_counts_is_never_the_first() -> None:
    assert decode_value(0x0000000400000000 | 0x0020000000000101).candidates[0].kind.name != "mask"


@every_row("zeros", ["0x0", "0x00", "0X0", "0x0u", "0x0ull", "0x000000000", "0x000000000000000"])
def test_zeros_are_zero_however_many(zeros: str) -> None:
    assert "digit-count" not in {each.rule for each in decode_value(zeros, "mask").findings}
