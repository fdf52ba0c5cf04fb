"""Registers that grow in loops, where a bound hangs on what the loop does."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text

LOOP = """\
.section .text.k,"ax",@progbits
.text.k:
        /*0000*/ UMOV UR4, 0x00010000 ;
        /*0010*/ UMOV UR5, 0x40000040 ;
        /*0020*/ MOV R5, 0xffffffff ;
        /*0030*/ {before} ;
        /*0040*/ LOP3.LUT R6, R6, 0x7, RZ, 0xc0, !PT ;
.L_x_0:
        /*0050*/ {inside} ;
        /*0060*/ LOP3.LUT R6, R6, 0x7, RZ, 0xc0, !PT ;
        /*0070*/ HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, !UPT, gsb0 ;
        /*0080*/ UIADD3 UR4, UP0, UR4, 0x2, URZ ;
        /*0090*/ UIADD3.X UR5, UR5, URZ, URZ, UP0, !UPT ;
        /*00a0*/ IADD3 R5, R5, 0x1, RZ ;
        /*00b0*/ ISETP.NE.AND P0, PT, R5, {bound}, PT ;
        /*00c0*/ {between} ;
        /*00d0*/ @P0 BRA `(.L_x_0) ;
        /*00e0*/ EXIT ;
"""
LOAD = "LDG.E R6, desc[UR20][R22.64]"


@pytest.mark.parametrize(
    ("before", "inside", "bound", "between", "known"),
    [
        (LOAD, "NOP", "0x7", "NOP", True),
        ("NOP", "NOP", "0x7", "MOV R5, R5", True),
        ("NOP", LOAD, "R6", "NOP", False),  # another bound in each round may be passed
        ("NOP", "IADD3 R5, R5, R6, RZ", "0x7", "NOP", False),
        ("NOP", "@P1 IADD3 R5, R5, 0x1, RZ", "0x7", "NOP", False),
        ("NOP", "NOP", "0x7", "ISETP.NE.AND P0, PT, R7, RZ, PT", False),
    ],
)
def test_upper_words(before: str, inside: str, bound: str, between: str, known: bool) -> None:
    text = LOOP.format(before=before, inside=inside, bound=bound, between=between)
    (mma,) = scan_text(text).functions[0].mmas
    assert mma.a is not None
    assert (mma.a.known >> 32 == 0xFFFFFFFF) is known
