"""The picture of banks: each thread where its bytes land, and as many accesses as the wavefronts that are counted."""

from __future__ import annotations

import re

import pytest
from pictures import faults, shapes
from tables import every_row

from smemdesc.api.geometry import store
from smemdesc.layout.atom import EVERY_ATOM
from smemdesc.layout.store import StoredTile
from smemdesc.render.store import BankPanel, picture
from smemdesc.render.svg import BAD, GOOD


def stored(swizzle: str, major: str, threads: str | None = None) -> StoredTile:
    dtype = "tf32" if swizzle == "128B_32B" else "bf16"
    return store("128x64", dtype=dtype, major=major, swizzle=swizzle, thread_layout=threads)


@pytest.mark.slow
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_each_access_is_in_the_banks_of_its_bytes(swizzle: str, major: str) -> None:
    of = stored(swizzle, major)
    for threads in of.assignments:
        places = of.quarter(threads)
        for swizzled in (False, True):
            loads = BankPanel(of, [threads], swizzled).loads
            assert sum(loads) == len(places) == 8
            for thread, place in places.items():
                assert loads[of.unit_byte(*place, swizzled=swizzled) // 16 % 8] >= 1, thread
            # A warp is four quarters like this one.
            assert max(loads) <= of.wavefronts(threads, swizzled=swizzled).worst <= 4 * 8


@pytest.mark.slow
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_the_picture_has_every_thread_and_every_bar(swizzle: str, major: str) -> None:
    of = stored(swizzle, major, "quarter")
    svg = picture(of)
    assert faults(svg) == []
    panels = 2 if swizzle != "none" else 1
    drawn = [shape.text for shape in shapes(svg) if re.fullmatch(r"T\d", shape.text)]
    assert sorted(drawn) == sorted([f"T{thread}" for thread in range(8)] * panels)
    boxes = [shape for shape in shapes(svg) if shape.tag == "rect"]
    bars = [shape.number("height") for shape in boxes if shape.attributes["fill"] in (BAD, GOOD)]
    assert sum(bars) == 8 * 9 * panels


def test_the_128b_swizzle_takes_one_wavefront() -> None:
    texts = [shape.text for shape in shapes(picture(stored("128B", "K")))]
    assert "8 wavefronts for 8 threads, 32 for a warp" in texts
    assert "1 wavefront for 8 threads, 4 for a warp" in texts


def test_one_thread_is_drawn_as_text() -> None:
    assert "thread 5" in "".join(shape.text for shape in shapes(picture(stored("128B", "K", "row"), thread=5)))
