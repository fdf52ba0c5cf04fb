"""What a scan of a function makes of it is freed with it: in a function's scan no garbage is looked for."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from smemdesc.scanning.model import Function
from smemdesc.scanning.ptx import analyse as ptx
from smemdesc.scanning.sass.front import analyse as sass

PTX = """\
.visible .entry k(.param .b64 p) {
  ld.param.b64 %rd1, [p];
  and.b64 %rd2, %rd1, 16383;
L:
  add.s64 %rd2, %rd2, %rd1;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0,%r1,%r2,%r3}, %rd2, %rd2, 1, 1, 1, 0, 0;
  @%p1 bra L;
  ret;
}
"""
SASS = """\
        /*0000*/                   ULDC.64 UR4, c[0x0][0x210] ;
        /*0010*/                   UIADD3 UR4, UR4, 0x2, URZ ;
        /*0020*/                   HGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;
        /*0030*/              @!P0 BRA 0x10 ;
        /*0040*/                   EXIT ;
"""


@pytest.mark.parametrize(("analyse", "text"), [(ptx, PTX), (sass, SASS)])
def test_no_circles_of_references_are_left(analyse: Callable[..., Function], text: str) -> None:
    for _ in range(2):
        gc.collect()
        gc.disable()
        try:
            function = analyse(text.encode(), 1, "k", "sm_90a")
        finally:
            gc.enable()
        assert function.mmas[0].a is not None
        assert function.mmas[0].a.lost is not None
        left = gc.collect()
    assert left == 0
