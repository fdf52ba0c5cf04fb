"""The picture of a scanned kernel: its tiles, stages, barriers and slots, and the descriptors that read them."""

from __future__ import annotations

import re

import pytest
from documents import ROOT
from pictures import faults, shapes
from run import smemdesc
from scanning.test_shared_memory import BY_HAND, TILELANG, TRITON, kernel

from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines
from smemdesc.render.scan import function_view
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.report import fold

PARTS = {
    # kernel, the stages of A and of B, the barriers and the slots that are named
    TRITON: (3, 3, 3, 1),
    BY_HAND: (3, 3, 1, 1),
    TILELANG: (3, 1, 3, 0),
}


def drawn(text: str) -> str:
    ran = smemdesc("scan", "--svg", "-", "-", stdin=text)
    assert (ran.err, ran.status) == ("", 0)
    return ran.out


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_each_stage_and_each_barrier_is_drawn(name: str) -> None:
    svg = drawn(kernel(name))
    assert faults(svg) == []
    texts = [shape.text for shape in shapes(svg)]
    tips = [shape.tip.partition(":")[0] for shape in shapes(svg)]
    of_a, of_b, barriers, slots = PARTS[name]
    assert [tip for tip in tips if re.fullmatch("[AB][0-9]+", tip)] == [
        *(f"A{stage}" for stage in range(of_a)),
        *(f"B{stage}" for stage in range(of_b)),
    ]
    assert sum(bool(re.fullmatch("barrier [0-9]+", text)) for text in texts) == barriers
    assert sum("of tcgen05.alloc in line" in text for text in texts) == slots


def test_places_of_machine_code_without_a_listing_are_offsets() -> None:
    text = (ROOT / "examples" / "data" / "gemm_sm90_tma.sass").read_text()
    (listed,) = scan_text(text.replace("R2, RZ, RZ, 0x6000", "R2, RZ, RZ, 0x7000")).functions
    printed = listed._replace(mmas=tuple(mma._replace(printed=True) for mma in listed.mmas))
    assert printed.shared is not None
    offsets = [f"/*{text.splitlines()[line - 1].partition('/*')[2][:4]}*/" for line in printed.shared.tiles[0].copies]
    shown = lines(function_view(printed, fold(printed, Judge())))
    assert f"copied at {', '.join(offsets)}; read at /*" in shown
    assert re.search(r"the copies that name it write \(at /\*[0-9a-f]{4}\*/, /\*", shown)
    assert not re.search(r"\blines? \d", shown)
    assert "copied in line" in lines(function_view(listed, fold(listed, Judge())))


def test_the_picture_has_what_the_kernel_of_the_page_has() -> None:
    svg = drawn((ROOT / "examples" / "twenty_minutes" / "blackwell.ptx").read_text())
    tips = {shape.tip for shape in shapes(svg)}
    for stage in range(3):
        assert f"A{stage}: 16384 B from byte {16384 * stage}" in tips
        assert f"B{stage}: 16384 B from byte {16384 * (3 + stage)}" in tips
    assert "barriers: 24 B from byte 98304" in tips
    texts = [shape.text for shape in shapes(svg)]
    for step in range(4):
        assert f"0x400040400001???{2 * step}" in texts
    assert "D: 128 of 512 columns" in texts


def test_a_kernel_without_known_tiles_is_text() -> None:
    svg = drawn((ROOT / "examples" / "data" / "gemm_sm90.sass").read_text())
    assert faults(svg) == []
    assert "shared memory to scale" not in svg
