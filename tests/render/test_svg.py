"""Pictures: the writer of SVG; every atom of a tile and every unit of an operand once; strides, overlaps, limits.

``tests/test_documents.py`` holds whole pictures, with their titles.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pictures import SPACE, faults
from run import smemdesc
from tables import every_row

from smemdesc.api.decoding import conv
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import matrix_reading
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import EVERY_ATOM, atom_shape
from smemdesc.layout.operand import Operand
from smemdesc.layout.zero_columns import expand
from smemdesc.render import operand as of_operand
from smemdesc.render import tile as of_tile
from smemdesc.render.mask import conv_picture, mask_picture
from smemdesc.render.svg import BAD, EDGE, INK, STEP, Document
from smemdesc.tiles.tile import Tile, lay_out_tile

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
BF16 = dtype_of("bf16", None)
CANDIDATE = matrix_reading(decode_value("0x4000404000010040", "tcgen05", None))


def picture(of: Tile | Operand) -> str:
    return of_operand.picture(of, CANDIDATE) if isinstance(of, Operand) else of_tile.picture(of)


def texts(svg: str) -> list[str]:
    """Return every text of a picture, in the order in which they are drawn."""
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SPACE}text")]


def test_shapes() -> None:
    svg = Document(100, 50.5, title="a < b & c", description="d")
    svg.rect(1, 2, 3.25, 4, fill="#fff", stroke="#000", radius=2, tip='say "this"')
    svg.line(0, 0, 10, 1 / 3)
    svg.text(5, 6, "x < y & z\x00\x1b", anchor="middle", bold=True)
    root = ET.fromstring(str(svg))
    title, description, style, ground, rect, line, text = root
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("100", "50.5", "0 0 100 50.5")
    assert (title.text, description.text, root.get("role")) == ("a < b & c", "d", "img")
    assert "prefers-color-scheme:dark" in (style.text or "")
    assert (ground.get("fill"), ground.get("stroke"), ground.get("rx")) == ("#ffffff", EDGE, "8")
    assert (ground.get("x"), ground.get("width"), ground.get("height")) == ("0.5", "99", "49.5")
    assert (rect.get("width"), rect.get("rx"), rect.get("stroke")) == ("3.25", "2", "#000")
    assert [each.text for each in rect] == ['say "this"']
    assert line.get("y2") == "0.33"
    # Control characters are no XML.
    assert (text.tag, text.text, text.get("text-anchor")) == (f"{SPACE}text", "x < y & z\ufffd\ufffd", "middle")


def test_nothing_is_cut_off() -> None:
    shown = [path.read_text() for path in PICTURES.glob("*.svg")]
    masks = [mask_picture(expand(0x0203028301020100, m, n)) for m in (32, 64, 128) for n in (8, 64, 100, 256)]
    conv_masks = conv_picture(conv(q=255, m=128, n=128, tile=1, left=2, filter=3))
    assert [fault for svg in (*shown, *masks, conv_masks) for fault in faults(svg)] == []


LARGEST = """\
decode 0x4000404000010040 --dtype bf16 --major K --tile 256x512
layout atom --swizzle 128B --dtype bf16 --major MN --elements
layout operand 0x4000404000010040 --dtype bf16 --major K --shape 256x64
layout tile 256x512 bf16 --swizzle none
layout fragment --shape m64n256k16 --operand d --dtype f32 --all
layout fragment --shape m64n256k16 --operand d --dtype f16 --all
layout store 128x256 bf16 --swizzle 128B
mask conv --q 255 --m 128 --n 256 --tile 1 --left 2 --filter 7
plan 256x256x512 nvfp4 --cta-group 2 --stages 2
scan examples/twenty_minutes/blackwell.ptx
fields tcgen05"""


@pytest.mark.slow
@every_row("line", LARGEST.splitlines())
def test_the_largest_have_a_name_keep_their_columns_and_stay_small(line: str) -> None:
    svg = smemdesc(*line.split(), "--svg", "-").out
    assert faults(svg) == []
    assert "text{white-space:pre}" in svg


def made(size: tuple[int, int], major: str = "K", swizzle: str = "128B", kind: str = "tcgen05", **more: Any) -> Tile:
    return lay_out_tile(kind, size, BF16, major, swizzle, **{"order": "mn", **more})


def operand(swizzle: str = "128B", major: str = "K", size: tuple[int, int] = (64, 16), **more: Any) -> Operand:
    dtype = dtype_of("e2m1", "mxf4") if "absolute" in more else BF16
    return Operand(swizzle, major, dtype, size, **{"start": 1024, "lbo": 16, "sbo": 1024, **more})


@every_row(
    ("of", "arrows", "idle"),
    [
        (made((128, 64)), {"SBO 1024 B": "mn 0 → 8"}, ["LBO"]),
        (made((128, 128)), {"SBO 1024 B": "mn 0 → 8", "stride 16384 B": "k 0 → 64"}, ["LBO"]),
        (made((128, 128), order="k"), {"SBO 2048 B": "mn 0 → 8", "stride 1024 B": "k 0 → 64"}, ["LBO"]),
        (made((128, 64), "MN"), {"LBO 1024 B": "mn 0 → 64", "SBO 2048 B": "k 0 → 8"}, []),
        (made((128, 64), "MN", order="k"), {"LBO 8192 B": "mn 0 → 64", "SBO 1024 B": "k 0 → 8"}, []),
        (made((128, 64), "K", "none"), {"LBO 2048 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (made((64, 64), "MN", kind="wgmma"), {"SBO 1024 B": "k 0 → 8"}, ["LBO"]),
        (operand(), {"SBO 1024 B": "mn 0 → 8"}, ["LBO"]),
        (operand("none", lbo=1024, sbo=128), {"LBO 1024 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (operand("32B", size=(64, 32), lbo=2048, sbo=256), {"LBO 2048 B": "k 0 → 16", "SBO 256 B": "mn 0 → 8"}, []),
        (operand("64B", "MN", lbo=4096, sbo=512), {"LBO 4096 B": "mn 0 → 32", "SBO 512 B": "k 0 → 8"}, []),
        (operand("none", "MN", lbo=1024, sbo=128), {"LBO 1024 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (operand("128B", "MN", (64, 8)), {}, ["LBO", "SBO"]),
    ],
)
def test_arrows_are_the_strides(of: Tile | Operand, arrows: dict[str, str], idle: list[str]) -> None:
    found = texts(picture(of))
    labels = [text for text in found if text.endswith(" B") and text.split(" ")[0] in ("LBO", "SBO", "stride")]
    assert {label: found[found.index(label) + 1] for label in labels} == arrows
    where = "on this shape" if isinstance(of, Operand) else "inside one MMA"
    assert [text for text in found if "has no effect" in text] == [f"{name}: has no effect {where}" for name in idle]


def test_start_and_base_offset_are_said() -> None:
    assert "16384 B from 0x00400, LBO 16 B" in " ".join(texts(picture(made((128, 64), start=1024))))
    assert "start 0x00400, LBO 16 B, SBO 1024 B, base offset 3" in texts(picture(operand(base_offset=3)))[2]


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


def outlines(drawn: str, stroke: str = STEP) -> list[ET.Element]:
    return [each for each in ET.fromstring(drawn).iter(f"{SPACE}rect") if each.get("stroke") == stroke]


@every_row("each", TILES)
def test_every_atom_is_drawn_once_with_its_offset_and_number(each: Tile) -> None:
    drawn = picture(each)
    found = texts(drawn)
    starts = [each.atom_start(mn, k) for mn in range(each.atoms.mn) for k in range(each.atoms.k)]
    order = sorted(starts)
    numbers = [text for text in found if text.startswith("#") and text[1:].isdigit()]
    offsets = [text for text in found if text.startswith("+") and text.endswith(" B")]
    cells = dict(zip(numbers, offsets, strict=True))
    assert cells == {f"#{order.index(start)}": f"+{start - each.start} B" for start in starts}
    assert order == [each.start + number * (each.size // len(order)) for number in range(len(order))]
    assert faults(drawn) == []


@every_row("each", TILES)
def test_steps_are_outlined_and_listed(each: Tile) -> None:
    drawn = picture(each)
    found = texts(drawn)
    tips = [rect[0].text or "" for rect in outlines(drawn)]
    assert sorted(tips) == sorted(
        f"MMA step at mn {step.mn}, k {step.k}: start 0x{step.start:05x}, 0x{step.value:016x}" for step in each.steps
    )
    for step in each.steps:
        assert any(f"0x{step.value:016x}" in text for text in found)
    area = sum(
        float(rect.get("width", 0)) + 5 for rect in outlines(drawn) if rect.get("y") == outlines(drawn)[0].get("y")
    )
    frame = max(
        float(rect.get("width", 0)) for rect in ET.fromstring(drawn).iter(f"{SPACE}rect") if rect.get("stroke") == INK
    )
    assert area == pytest.approx(frame, abs=0.1)


def test_steps_of_several_rows_are_named() -> None:
    found = texts(picture(made((128, 64), "MN", "64B", kind="wgmma", mma=(64, 16))))
    assert {"steps 0–3", "steps 4–7"} <= set(found)
    one = texts(picture(made((128, 16), "K", "32B", kind="wgmma", mma=(64, 16))))
    assert {"step 0", "step 1"} <= set(one)


def test_steps_that_run_over_an_atom() -> None:
    each = lay_out_tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), arch="sm_103a")
    drawn = picture(each)
    assert len(outlines(drawn)) == 8
    assert "LBO: an address (LBO mode absolute), that of the next atom, in which the step continues" in texts(drawn)
    assert faults(drawn) == []


@every_row(
    ("size", "major", "more", "sizes"),
    [
        ((128, 64), "MN", {}, ["order k: LBO 8192 B, SBO 1024 B", "order mn: LBO 1024 B, SBO 2048 B"]),
        ((256, 512), "K", {"swizzle": "none"}, ["order k: LBO 128 B, SBO 8192 B", "order mn: LBO 4096 B, SBO 128 B"]),
    ],
)
def test_both_orders_are_one_picture(size: tuple[int, int], major: str, more: dict[str, str], sizes: list[str]) -> None:
    tiles = [made(size, major, order=order, **more) for order in ("k", "mn")]
    drawn = of_tile.orders_picture(tiles)
    found = texts(drawn)
    assert [text for text in found if text.startswith("order ")] == sizes
    for each in tiles:
        assert all(any(f"{step.value:#018x}" in text for text in found) for step in each.steps[: of_tile.STEPS])
    assert faults(drawn) == []


def test_large_tiles_are_cut_and_say_so() -> None:
    drawn = picture(made((256, 512), "K", "none"))
    found = texts(drawn)
    assert "drawn: the first 32 × 16 atoms of 32 × 64" in found
    assert len([text for text in found if text.startswith("#") and text[1:].isdigit()]) == 32 * 16
    assert "and 16 more steps" in found
    assert len(outlines(drawn)) == 8
    assert faults(drawn) == []


TYPES = [("bf16", None), ("e4m3", None), ("tf32", None), ("e2m3", None), ("e2m1", "mxf4")]


def addresses(drawn: str) -> list[str]:
    """Return the texts of the cells: addresses of five digits."""
    return [text for text in texts(drawn) if text.startswith("0x") and len(text) == 7]


@pytest.mark.slow
@every_row(("dtype", "mma_kind"), TYPES)
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_every_unit_is_drawn_once_with_its_address(swizzle: str, major: str, dtype: str, mma_kind: str | None) -> None:
    given = dtype_of(dtype, mma_kind)
    atom = atom_shape(swizzle, major, given)
    of = Operand(swizzle, major, given, (2 * atom.mn, 2 * atom.k), start=2048, lbo=8192, sbo=4096, base_offset=1)
    drawn = picture(of)
    expected = [f"0x{of.address(mn, k):05x}" for mn, k, _ in of.unit_addresses()]
    assert Counter(addresses(drawn)) == Counter(expected)
    assert {"LBO 8192 B", "SBO 4096 B"} <= set(texts(drawn))
    assert faults(drawn) == []


def test_lbo_as_an_address() -> None:
    of = operand(size=(8, 96), start=96, lbo=4096, absolute=True)
    found = texts(picture(of))
    assert "LBO 0x01000" in found
    assert "k 0 → 64: the address of the second chunk" in found
    assert Counter(addresses(picture(of))) == Counter(f"0x{each:05x}" for *_, each in of.unit_addresses())


def test_overlapping_units_are_marked() -> None:
    of = operand(sbo=256)
    drawn = picture(of)
    count = Counter(address for *_, address in of.unit_addresses())
    marks = Counter(text for text in texts(drawn) if text.startswith("×"))
    assert marks == Counter(f"×{count[address]}" for *_, address in of.unit_addresses() if count[address] > 1)
    assert f"red: {marks.total()} of 128 units overlap (×2: two units at this address)" in texts(drawn)
    assert len(outlines(drawn, BAD)) == marks.total()
    assert outlines(picture(operand()), BAD) == []
    assert faults(drawn) == []


def test_large_operands_are_cut_and_say_so() -> None:
    drawn = picture(operand(size=(256, 512), lbo=32768))
    assert len(addresses(drawn)) == 32 * 32
    assert "drawn: 32 × 256 elements of 256 × 512" in texts(drawn)
    assert faults(drawn) == []
    whole = picture(operand(size=(256, 16)))
    assert len(addresses(whole)) == 512
    assert not [text for text in texts(whole) if text.startswith("drawn")]
    assert faults(whole) == []
