"""The anatomy of a descriptor: every number in the picture is that of the layout, for each mode and major-ness."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import faults, shapes
from tables import every_row

from smemdesc import SmemdescError
from smemdesc.api.decoding import decode
from smemdesc.api.geometry import tile
from smemdesc.descriptors.result import Result
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import EVERY_ATOM
from smemdesc.layout.operand import operand_of
from smemdesc.render.anatomy import picture
from smemdesc.render.svg import FIELD_COLORS, SEVERITY_COLORS, STEP
from smemdesc.rules.base import ERROR, WARNING
from smemdesc.tiles.anatomy import LISTED_STEPS, anatomy_of
from smemdesc.tiles.tile import Tile

VALUE = "0x4000404000010040"
CASES = [
    (kind, swizzle, major, "tf32" if swizzle == "128B_32B" else dtype)
    for kind in SMEM_KINDS
    for swizzle, major in EVERY_ATOM
    for dtype in ("bf16", "e4m3")
    if not (kind == "wgmma" and (swizzle == "128B_32B" or (major, dtype) == ("MN", "e4m3")))
]


def texts(svg: str) -> list[str]:
    return [shape.text for shape in shapes(svg) if shape.tag == "text"]


def line(svg: str, begin: str) -> str:
    """Return the texts of the line that begins with a text."""
    found = next(shape for shape in shapes(svg) if shape.tag == "text" and shape.text.startswith(begin))
    same = [shape for shape in shapes(svg) if shape.tag == "text" and shape.number("y") == found.number("y")]
    return "".join(shape.text for shape in same)


def made(kind: str, swizzle: str, major: str, dtype: str) -> Tile:
    whole = "64x128" if kind == "wgmma" else "128x128"
    return tile(whole, kind=kind, dtype=dtype, major=major, swizzle=swizzle, start=1024)


def of_tile(kind: str, swizzle: str, major: str, dtype: str) -> Result:
    """Return the descriptor of the first step, decoded."""
    of = made(kind, swizzle, major, dtype)
    return decode(of.steps[0].value, kind=kind, dtype=dtype, major=major, tile=of.whole)


@pytest.mark.slow
@every_row(("kind", "swizzle", "major", "dtype"), CASES)
def test_each_unit_is_where_the_layout_has_it(kind: str, swizzle: str, major: str, dtype: str) -> None:
    result = of_tile(kind, swizzle, major, dtype)
    svg = picture(result)
    assert faults(svg) == []
    of = anatomy_of(result.candidates[0], result.context)
    assert of.atoms is not None
    tips = [re.match(r"mn (\d+), k (\d+): byte (\d+)", shape.tip) for shape in shapes(svg)]
    places = [tuple(map(int, tip.groups())) for tip in tips if tip]
    elements = of.atoms.elements
    first = min(address for *_, address in elements.unit_addresses())
    lowest = {(mn, k, at) for mn, k, at in elements.unit_addresses() if at < first - first % 128 + 1024}
    assert set(places) == lowest
    assert len(places) == len(lowest)


@pytest.mark.slow
@every_row(("kind", "swizzle", "major", "dtype"), CASES)
def test_the_steps_are_those_of_the_tile(kind: str, swizzle: str, major: str, dtype: str) -> None:
    of = made(kind, swizzle, major, dtype)
    along_k = [(step.k, step.start, step.value) for step in of.steps if not step.mn]
    result = of_tile(kind, swizzle, major, dtype)
    found = anatomy_of(result.candidates[0], result.context)
    assert [(step.k, step.start, step.value) for step in found.steps] == along_k[:LISTED_STEPS]
    assert [step.k for step in found.steps if step.here] == [0]
    assert found.more == len(along_k[LISTED_STEPS:])


@pytest.mark.slow
@every_row(("kind", "swizzle", "major", "dtype"), CASES)
def test_the_sum_of_one_element_is_its_address(kind: str, swizzle: str, major: str, dtype: str) -> None:
    result = of_tile(kind, swizzle, major, dtype)
    one = operand_of(dict(result.candidates[0].fields), anatomy_of(result.candidates[0], result.context).context)
    shown = line(picture(result), "element (")
    match = re.match(r"element \((\d+), (\d+)\) = (.*?) = (0x\w+)(?:   xor (0x\w+) = (0x\w+))?$", shown)
    assert match, shown
    mn, k = int(match[1]), int(match[2])
    before = eval(match[3].replace("×", "*"))
    assert before == int(match[4], 16) == one.start + one.linear(mn, k) // 8
    assert before ^ int(match[5] or "0", 16) == int(match[6] or match[4], 16) == one.address(mn, k)


def test_a_field_has_one_color() -> None:
    svg = picture(decode(VALUE, dtype="bf16", major="K", tile="128x64"))
    of = {shape.text: shape.attributes["fill"] for shape in shapes(svg) if shape.tag == "text"}
    colors = {
        name: FIELD_COLORS[key] for key, name in zip(FIELD_COLORS, ("start", "LBO", "SBO", "swizzle"), strict=True)
    }
    assert of["start 0x40 × 16 = 0x00400"] == of["0x00400"] == of["0x400"] == colors["start"]
    assert of["SBO 64 × 16 = 1024 B"] == of["SBO"] == of["1024"] == colors["SBO"]
    assert of["swizzle 128B"] == of["   xor bits 9-7 onto 6-4"] == colors["swizzle"]
    assert of["LBO 16 B: no effect here"] == of["LBO"] == colors["LBO"]
    boxes = [shape.attributes for shape in shapes(svg) if shape.tag == "rect"]
    dashed = [box["stroke"] for box in boxes if "stroke-dasharray" in box]
    assert dashed == [colors["LBO"]]


@every_row(
    ("value", "given", "shown", "absent"),
    [
        (VALUE, {}, "For the atoms in memory, give --dtype and --major.", "shared memory, by byte"),
        (VALUE, {"major": "K"}, "For the atoms in memory, give --dtype.", "MN-major"),
        (
            VALUE,
            {"dtype": "bf16", "major": "K"},
            "how many rows there are is not known",
            "tile 128",
        ),
        ("0x40004040", {"dtype": "bf16", "major": "K"}, "start: not known", "0x00400"),
        (
            "0x4000404000010000@smem:1024+0x20",
            {"dtype": "bf16", "major": "K"},
            "the start is not known: drawn 32 B past a multiple of 1024 B",
            "0x00400",
        ),
        ("0x6000404000010040", {"dtype": "bf16", "major": "K", "kind": "tcgen05"}, "swizzle undefined", "shared"),
        ("0x4006404000010040", {"dtype": "bf16", "major": "K", "kind": "tcgen05"}, "base offset 3", "tile 128"),
    ],
)
def test_as_much_as_is_known(value: str, given: dict[str, str], shown: str, absent: str) -> None:
    svg = picture(decode(value, **given))  # type: ignore[arg-type]
    assert faults(svg) == []
    found = texts(svg)
    assert any(text.startswith(shown) for text in found), found
    assert not [text for text in found if text.startswith(absent)]


@every_row(
    ("value", "severity", "field", "rule"),
    [
        ("0x4000401000010040", WARNING, "overlaps 768 B", "operand-overlap"),
        ("0x4000004000010040", WARNING, "version 0x0: not defined", "version-constant"),
        ("0x6000404000010040", ERROR, "swizzle undefined", "swizzle-code"),
    ],
)
def test_what_is_wrong_has_the_color_of_its_severity(value: str, severity: str, field: str, rule: str) -> None:
    svg = picture(decode(value, kind="tcgen05", dtype="bf16", major="K", shape="64x16"))
    color = SEVERITY_COLORS[severity]
    said = [shape.text for shape in shapes(svg) if shape.tag == "text" and shape.attributes["fill"] == color]
    assert field in said
    assert any(text.startswith(f"{severity} {rule}") for text in said)


def test_a_step_is_outlined() -> None:
    """The one that the value is of, in the tile, among the units and among the steps."""
    for more in ({"tile": "128x128"}, {"shape": "64x16"}, {}):
        svg = picture(decode("0x4000404000010044", dtype="bf16", major="K", **more))
        assert {"MMA step 2", "step 2"} <= {shape.text for shape in shapes(svg) if shape.attributes.get("fill") == STEP}


def test_other_values_are_drawn_as_text() -> None:
    assert "kind::f16" in "".join(texts(picture(decode("0x08200490", kind="idesc:f16"))))
    assert "start_address" in "".join(texts(picture(decode(VALUE), every=True)))


DTYPES = [dtype_of(name, None).name for name in ("bf16", "e4m3", "tf32", "e2m3")]


@pytest.mark.slow
@pytest.mark.property
@given(
    st.sampled_from(SMEM_KINDS),
    st.integers(0, 2**64 - 1),
    st.sampled_from([None, *DTYPES]),
    st.sampled_from([None, "K", "MN"]),
    st.sampled_from([None, "64x16", "8x8", "256x32"]),
    st.sampled_from([None, "128x64", "64x512"]),
)
def test_every_value_has_a_picture(
    kind: str, value: int, dtype: str | None, major: str | None, shape: str | None, whole: str | None
) -> None:
    try:
        result = decode(value, kind, dtype=dtype, major=major, shape=shape, tile=whole if dtype and major else None)
    except SmemdescError:
        return
    assert faults(picture(result)) == []
