"""A layout's text explained, with options as they are typed."""

from __future__ import annotations

from smemdesc.api.options.keywords import read_options
from smemdesc.tiles.explaining import Explanation, explain_text
from smemdesc.tiles.reading import Options


def explain_layout(text: str, kind: str = "tcgen05", **typed: object) -> Explanation:
    """Explain the text of a layout: ``smemdesc layout explain``, whose options are the keywords."""
    read_values = read_options("explain", {"kind": kind, **typed})
    values = {name: value for name, value in read_values.items() if value is not None and name != "mma_kind"}
    apart = {name: values.pop(name, None) for name in ("mma", "at", "arch")}
    return explain_text(text, values.pop("kind"), Options(**values), **apart)
