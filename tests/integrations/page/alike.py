"""Holds reports against notebooks, in a process of its own: ``python -m integrations.page.alike``.

rich keeps the codes of a style as they were first written, in however many colors.
"""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import smemdesc as library
from smemdesc.integrations.page.bridge import answer


def ask(what: str, **rest: Any) -> Any:
    """Ask the bridge as the page does."""
    return json.loads(answer(json.dumps({"do": what, **rest})))


def alike(value: str) -> None:
    """Hold the report of a value against what a notebook shows of it."""
    shown = ask("run", words=["decode", value], columns=100)["html"]
    notebook = library.decode(value)._repr_html_()  # type: ignore[attr-defined]
    assert "".join(ET.fromstring(shown).itertext()) == "".join(ET.fromstring(notebook).itertext())
    assert _styles(shown) <= _styles(notebook) | {""}


def _styles(html: str) -> set[str]:
    return {each.get("style", "") for each in ET.fromstring(html).iter()}


if __name__ == "__main__":
    for each in ("0x4000404000010040", "0x08200490", "0xdeadbeefdeadbeef", "0x0203028301020100"):
        alike(each)
