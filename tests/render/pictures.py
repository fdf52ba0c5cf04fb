"""Reading a picture back: its texts, and whether everything lies inside it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from smemdesc.render.svg import text_width

SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """Return every text of a picture, in the order in which they are drawn."""
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SPACE}text")]


def all_inside(svg: str) -> bool:
    """Whether no shape and no text is cut off by the picture's edges."""
    root = ET.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    shares = {"start": 0.0, "middle": 0.5, "end": 1.0}
    for rect in root.iter(f"{SPACE}rect"):
        x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
        across, down = float(rect.get("width", 0)), float(rect.get("height", 0))
        if min(x, y, across, down) < 0 or x + across > width or y + down > height:
            return False
    for line in root.iter(f"{SPACE}line"):
        if not all(0 <= float(line.get(name, 0)) <= (width if name < "y" else height) for name in ("x1", "x2", "y1")):
            return False
    for text in root.iter(f"{SPACE}text"):
        long = text_width(text.text or "", float(text.get("font-size", 0)))
        left = float(text.get("x", 0)) - shares[text.get("text-anchor", "start")] * long
        if left < 0 or left + long > width or not 0 < float(text.get("y", 0)) < height:
            return False
    return True
