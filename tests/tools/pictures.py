"""The shapes of a picture, with what they inherit from their groups."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.render.svg import text_width

SPACE = "{http://www.w3.org/2000/svg}"


class Shape(NamedTuple):
    """A shape: its kind, its attributes, those of its groups included, its text, and its tooltip."""

    tag: str
    attributes: dict[str, str]
    text: str
    tip: str = ""

    def number(self, name: str) -> float:
        return float(self.attributes.get(name, 0))


def shapes(svg: str) -> list[Shape]:
    """Return the shapes of a picture; not those of patterns."""
    return list(_inside(ET.fromstring(svg), {}))


def _inside(element: ET.Element, inherited: dict[str, str], at: tuple[float, float] = (0, 0)) -> Iterator[Shape]:
    for child in element:
        tag = child.tag.removeprefix(SPACE)
        attributes = {**inherited, **child.attrib}
        if tag == "g":
            x, y = map(float, re.findall(r"[\d.]+", attributes.pop("transform", "0 0")))
            yield from _inside(child, attributes, (at[0] + x, at[1] + y))
        elif tag != "defs":
            for names, moved in zip((("x", "x1", "x2"), ("y", "y1", "y2")), at, strict=True):
                attributes |= {name: str(float(attributes.get(name, 0)) + moved) for name in names if moved}
            yield Shape(tag, attributes, child.text or "", child.findtext(f"{SPACE}title") or "")


def faults(svg: str) -> list[str]:
    """Return what is wrong with a picture: cut off by its edges, too small to read, too large, or without a name."""
    root = ET.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    shares = {"start": 0.0, "middle": 0.5, "end": 1.0}
    found = []
    for shape in shapes(svg):
        if shape.tag == "rect":
            x, y, across, down = map(shape.number, ("x", "y", "width", "height"))
            if min(x, y, across, down) < 0 or x + across > width or y + down > height:
                found.append(f"cut off: {shape}")
        elif shape.tag == "line":
            if not all(0 <= shape.number(name) <= (width if name < "y" else height) for name in ("x1", "x2", "y1")):
                found.append(f"cut off: {shape}")
        elif shape.tag == "text":
            size = shape.number("font-size")
            long = text_width(shape.text.strip(), size)
            left = shape.number("x") - shares[shape.attributes.get("text-anchor", "start")] * long
            if left < 0 or left + long > width or not 0 < shape.number("y") < height:
                found.append(f"cut off: {shape}")
            if size < 10.5:
                found.append(f"too small: {shape}")
    if len(svg) > 250_000:
        found.append(f"{len(svg)} characters")
    if not all(root.findtext(f"{SPACE}{name}") for name in ("title", "desc")) or root.get("role") != "img":
        found.append("no name")
    return found
