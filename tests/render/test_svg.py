"""The writer of SVG: well-formed, escaped, short numbers."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from smemdesc.layout.zero_columns import conv, expand
from smemdesc.render.mask import conv_picture, mask_picture
from smemdesc.render.svg import EDGE, Document, text_width

SPACE = "{http://www.w3.org/2000/svg}"


def drawn() -> Document:
    svg = Document(100, 50.5, title="a < b & c")
    svg.rect(1, 2, 3.25, 4, fill="#fff", stroke="#000", radius=2, tip='say "this"')
    svg.line(0, 0, 10, 1 / 3)
    svg.text(5, 6, "x < y & z", anchor="middle", bold=True)
    return svg


def test_shapes() -> None:
    root = ET.fromstring(str(drawn()))
    title, style, ground, rect, line, text = root
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("100", "50.5", "0 0 100 50.5")
    assert title.text == "a < b & c"
    assert "prefers-color-scheme:dark" in (style.text or "")
    assert (ground.get("fill"), ground.get("stroke"), ground.get("rx")) == ("#ffffff", EDGE, "8")
    assert (ground.get("x"), ground.get("width"), ground.get("height")) == ("0.5", "99", "49.5")
    assert (rect.get("width"), rect.get("rx"), rect.get("stroke")) == ("3.25", "2", "#000")
    assert [each.text for each in rect] == ['say "this"']
    assert line.get("y2") == "0.33"
    assert (text.tag, text.text, text.get("text-anchor")) == (f"{SPACE}text", "x < y & z", "middle")


def test_control_characters_are_no_xml() -> None:
    svg = Document(10, 10)
    svg.text(0, 0, "a\x00b\x1bc")
    assert ET.fromstring(str(svg))[-1].text == "a\ufffdb\ufffdc"


def test_nothing_lies_outside() -> None:
    pictures = [mask_picture(expand(0x0203028301020100, m, n)) for m in (32, 64, 128) for n in (8, 64, 100, 256)]
    pictures.append(conv_picture(conv(255, 128, 128, 1, 2, 3), 255, 1, 2))
    for picture in pictures:
        root = ET.fromstring(picture)
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for rect in root.iter(f"{SPACE}rect"):
            assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= width
            assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= height
        for text in root.iter(f"{SPACE}text"):
            if text.get("text-anchor") is None:
                size = float(text.get("font-size", 0))
                assert float(text.get("x", 0)) + text_width(text.text or "", size) <= width
            assert float(text.get("y", 0)) < height
