"""A function of which a part is missing, or there twice, tells nothing: what is known would be that of another code."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text

MMA = "HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24, gsb0"
CODE = [
    "        /*0000*/ UMOV UR7, 0x40000040 ;",
    "        /*0010*/ UMOV UR7, UR8 ;",
    ".L_x_1:",
    f"        /*0020*/ {MMA} ;",
    "        /*0030*/ EXIT ;",
]
HEADER = '.section .text.k,"ax",@progbits'


def lost(*lines: str) -> tuple[int, int | None, str]:
    (of,) = scan_text("\n".join(lines) + "\n").functions
    b = of.mmas[0].b
    assert b is not None
    return b.known, b.lost, b.lost_text


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        ((CODE[0], *CODE[2:]), 4, "instructions are missing: from 0x0010 to 0x0020"),
        (CODE[1:], 2, "instructions are missing: from 0x0000 to 0x0010"),
        ((*CODE[:2], *CODE), 4, "instructions occur twice: at 0x0000"),
        ((CODE[1].replace("1", "0", 1), CODE[0].replace("00*", "10*"), *CODE[3:], CODE[2], CODE[2]), 7, "the label"),
    ],
)
def test_a_function_has_each_instruction_once_and_in_order(lines: list[str], line: int, why: str) -> None:
    known, at, text = lost(HEADER, *lines)
    assert (known, at) == (0, line)
    assert text.startswith(why)


def test_behind_what_is_missing_more_is_assumed_than_known() -> None:
    part = scan_text("\n".join((HEADER, CODE[0].replace("00*", "10*"), *CODE[3:])))
    operand = part.functions[0].mmas[0].b
    assert operand is not None
    assert operand.known == 0
    assert operand.provided is not None
    assert (operand.provided.known >> 32, operand.provided.cut) == (0xFFFFFFFF, True)


def test_out_of_order() -> None:
    assert (
        lost(HEADER, CODE[0], CODE[2], CODE[3], CODE[1])[2]
        == "instructions are not in order: 0x0010 comes after 0x0020"
    )


def test_a_fragment_may_begin_anywhere_but_has_nothing_twice() -> None:
    assert lost(*CODE[2:])[2] == ""
    assert lost(*CODE[3:], *CODE[3:])[2] == "instructions occur twice: at 0x0020"


def test_the_whole_function_is_known() -> None:
    assert lost(HEADER, CODE[0], CODE[3].replace("20*", "10*"), CODE[4].replace("30*", "20*"))[0] >> 32 == 0xFFFFFFFF
