"""Every shape of text that the benchmark of growth doubles is scanned in a moment, and short of any limit."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from smemdesc.scanning import scan_text

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import growth

pytestmark = pytest.mark.corpus  # long: .ci/run has it

SMALL = 4000
LENGTH = {"llvm elements": 1000, "sass stack": 16_000}
"""Phis over many elements are refused beyond a number of reads (``scan/limits.py``). What grew with the square of the
length in what is written in C shows only where that is large."""
SHORT = {"llvm elements": growth.COUNTED, "mlir types": 250}
"""Length from which steps are counted, to eight times that; of other shapes 125. The benchmark has longer ones."""
SECONDS = 4.0


@pytest.mark.parametrize("name", growth.SHAPES)
def test_a_shape_is_scanned_in_a_moment(name: str) -> None:
    text = growth.SHAPES[name](LENGTH.get(name, SMALL))
    begin = time.process_time()
    part = scan_text(text)
    assert time.process_time() - begin < SECONDS
    assert all("is not understood, and not checked" in reason for _, reason in part.failed)


@pytest.mark.parametrize("name", dict.fromkeys([*list(growth.SHAPES)[::3], *SHORT]))
def test_steps_grow_with_the_length(name: str) -> None:
    assert growth.more_steps(growth.SHAPES[name], SHORT.get(name, 125)) <= growth.LIMIT


@pytest.mark.parametrize(
    "text",
    [
        "HGMMA.64x100000000x16.F32 R24, gdesc[UR4], R24 ;",
        "HGMMA.64x12x16.F32 R24, gdesc[UR4], R24 ;",
        f"HGMMA.64x{'9' * 5000}x16.F32 R24, gdesc[UR4], R24 ;",
        f"HGMMA.64x8x16.F32 R24, gdesc[UR{'4' * 5000}], R24 ;",
        "QGMMA.64x8x32.F32.F32.F32 R24, gdesc[UR4], R24 ;",
        growth.MMA.replace("f32.f16.f16", "f32.f32.f16"),
        growth.MMA.replace("m64n8k16", "m64n9999k16"),
        growth.MMA.replace("m64n8k16", "m64n8k" + "9" * 5000),
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3;" + "9" * 5000,
        growth.function("").replace('"=f,l,l"', '"=f,²,l"'),
        growth.function("").replace("$1", "$" + "9" * 5000),
        f"mov.b64 %rd1, {'9' * 5000};\n{growth.MMA}",
        f".loc 1 {'9' * 5000} 3\n{growth.MMA}",
        f'//## File "x", line {"9" * 5000}\nHGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;',
        f"UMOV UR4, {'9' * 5000} ;\nHGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;",
        growth.operations("  %a:999 = foo.bar %x : i64\n" * 2000),
        f"desc = {'9' * 5000}; 0x{'9' * 5000}; 1ull << {'9' * 5000}",
    ],
)
def test_numbers_and_shapes_that_nothing_has_are_no_trouble(text: str) -> None:
    assert growth.taken(text) < SECONDS
    for whole in (text, f'.section .text.k,"ax"\n{text}'):
        assert all("is not understood, and not checked" in reason for _, reason in scan_text(whole).failed)
