"""The picture of a tile: every atom once with its offset and number, the steps, the strides, and the limit."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from render.pictures import SPACE, all_inside, texts
from smemdesc.kinds.types import dtype_of
from smemdesc.render.svg import INK
from smemdesc.render.tile import STEP, picture
from smemdesc.tiles.tile import Tile, tile

BF16 = dtype_of("bf16", None)


def made(
    size: tuple[int, int],
    major: str = "K",
    swizzle: str = "128B",
    *,
    order: str = "mn",
    kind: str = "tcgen05",
    mma: tuple[int, int] | None = None,
    start: int = 0,
) -> Tile:
    return tile(kind, size, BF16, major, swizzle, order=order, mma=mma, start=start)


TILES = [
    made((128, 64)),
    made((128, 64), start=1024),
    made((128, 64), order="k"),
    made((128, 128), order="k", kind="wgmma", mma=(64, 16)),
    made((128, 128), order="mn", kind="wgmma", mma=(64, 16)),
    made((128, 64), "MN"),
    made((128, 64), "MN", "64B", order="k", kind="wgmma", mma=(64, 16)),
    made((64, 64), "MN", "none"),
    made((64, 64), "K", "none"),
    made((64, 32), "K", "32B", order="k"),
]


def outlines(drawn: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(drawn).iter(f"{SPACE}rect") if each.get("stroke") == STEP]


@pytest.mark.parametrize("each", TILES)
def test_every_atom_is_drawn_once_with_its_offset_and_number(each: Tile) -> None:
    drawn = picture(each)
    found = texts(drawn)
    starts = [each.atom_start(mn, k) for mn in range(each.atoms.mn) for k in range(each.atoms.k)]
    order = sorted(starts)
    cells = {text: found[at + 1] for at, text in enumerate(found) if text.startswith("#") and text[1:].isdigit()}
    assert cells == {f"#{order.index(start)}": f"+{start - each.start} B" for start in starts}
    assert order == [each.start + number * (each.size // len(order)) for number in range(len(order))]
    assert all_inside(drawn)


@pytest.mark.parametrize("each", TILES)
def test_steps_are_outlined_and_listed(each: Tile) -> None:
    drawn = picture(each)
    found = texts(drawn)
    tips = [rect[0].text or "" for rect in outlines(drawn)]
    assert sorted(tips) == sorted(
        f"MMA step at mn {step.mn}, k {step.k}: start 0x{step.start:05x}, 0x{step.value:016x}" for step in each.steps
    )
    for step in each.steps:
        assert f"0x{step.value:016x}" in found
    area = sum(
        float(rect.get("width", 0)) + 5 for rect in outlines(drawn) if rect.get("y") == outlines(drawn)[0].get("y")
    )
    frame = max(
        float(rect.get("width", 0)) for rect in ET.fromstring(drawn).iter(f"{SPACE}rect") if rect.get("stroke") == INK
    )
    assert area == pytest.approx(frame, abs=0.1)


@pytest.mark.parametrize(
    ("each", "arrows", "idle"),
    [
        (made((128, 64)), {"SBO 1024 B": "mn 0 → 8"}, ["LBO"]),
        (made((128, 128)), {"SBO 1024 B": "mn 0 → 8", "stride 16384 B": "k 0 → 64"}, ["LBO"]),
        (made((128, 128), order="k"), {"SBO 2048 B": "mn 0 → 8", "stride 1024 B": "k 0 → 64"}, ["LBO"]),
        (made((128, 64), "MN"), {"LBO 1024 B": "mn 0 → 64", "SBO 2048 B": "k 0 → 8"}, []),
        (made((128, 64), "MN", order="k"), {"LBO 8192 B": "mn 0 → 64", "SBO 1024 B": "k 0 → 8"}, []),
        (made((128, 64), "K", "none"), {"LBO 2048 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (made((64, 64), "MN", kind="wgmma"), {"SBO 1024 B": "k 0 → 8"}, ["LBO"]),
    ],
)
def test_arrows_are_the_strides(each: Tile, arrows: dict[str, str], idle: list[str]) -> None:
    found = texts(picture(each))
    labels = [text for text in found if text.endswith(" B") and text.split(" ")[0] in ("LBO", "SBO", "stride")]
    assert sorted(labels) == sorted(arrows)
    for label, where in arrows.items():
        assert found[found.index(label) + 1] == where
    assert [text for text in found if "takes no effect" in text] == [
        f"{name}: takes no effect inside one MMA" for name in idle
    ]


def test_title_and_case() -> None:
    found = texts(picture(made((128, 64), start=1024)))
    assert found[0] == "Tile under 128B swizzle, K-major, Swizzle<3,4,3>"
    assert (
        "tcgen05, bf16: 128 × 64 elements = 16 × 1 atoms of 8 × 64, 1024 B each, next to each other along MN "
        "16384 B from 0x00400, LBO 16 B, SBO 1024 B; MMA operand 128 × 16, 4 steps"
    ) in " ".join(found)
    assert texts(picture(made((64, 64), "MN", "none")))[0] == "Tile without swizzle, MN-major, Swizzle<0,4,3>"


def test_steps_of_several_rows_are_named() -> None:
    found = texts(picture(made((128, 64), "MN", "64B", kind="wgmma", mma=(64, 16))))
    assert {"steps 0–3", "steps 4–7"} <= set(found)
    one = texts(picture(made((128, 16), "K", "32B", kind="wgmma", mma=(64, 16))))
    assert {"step 0", "step 1"} <= set(one)


def test_steps_that_run_over_an_atom() -> None:
    each = tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), arch="sm_103a")
    drawn = picture(each)
    assert len(outlines(drawn)) == 8
    assert "LBO: an address (LBO mode absolute), that of the atom that the step runs over into" in texts(drawn)
    assert all_inside(drawn)


def test_large_tiles_are_cut_and_say_so() -> None:
    drawn = picture(made((256, 512), "K", "none"))
    found = texts(drawn)
    assert "drawn: the first 32 × 16 atoms of 32 × 64" in found
    assert len([text for text in found if text.startswith("#") and text[1:].isdigit()]) == 32 * 16
    assert "and 16 more steps" in found
    assert len(outlines(drawn)) == 8
    assert all_inside(drawn)
