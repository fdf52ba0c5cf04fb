"""What a scan no longer needs is freed, and given back to the system."""

from __future__ import annotations

import gc
import platform
import subprocess
import sys
from collections.abc import Callable

import pytest

from smemdesc.scanning.languages.ptx import analyse as ptx
from smemdesc.scanning.languages.sass.front import analyse as sass
from smemdesc.scanning.model import Function

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


@pytest.mark.slow
@pytest.mark.parametrize(("analyse", "text"), [(ptx, PTX), (sass, SASS)])
def test_a_scan_of_a_function_leaves_no_circles_of_references(analyse: Callable[..., Function], text: str) -> None:
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


LARGE = """
import os
import sys
from smemdesc.scanning.inputs.limits import limit

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

if sys.argv[1:] == ["limited"]:
    limit()
for _ in range(2):
    block = b"x" * 20_000_000  # malloc.h: from 32 MB on every block is mapped
    between = [b"y" * 1000 for _ in range(1000)]
    del block
print(resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or sys.platform != "linux", reason="glibc's malloc")
def test_large_blocks_go_back_to_the_system() -> None:
    free, limited = (
        int(subprocess.run([sys.executable, "-c", LARGE, *given], capture_output=True, check=True).stdout)
        for given in ([], ["limited"])
    )
    assert limited < free - 15_000_000
