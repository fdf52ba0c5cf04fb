"""All swizzle modes side by side: what ``layout atom`` shows without options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.kinds.types import DType
from smemdesc.layout.atom import SOURCE
from smemdesc.render.explanation_json import mode_dicts
from smemdesc.render.parts import Span, labelled, line, table

HEADS = ("mode", "major", "atom", "elements", "bytes", "swizzle", "period", "wgmma", "tcgen05", "TMA", "")


class ModesView(NamedTuple):
    """A row for each mode and major-ness, with the atom of a type (None: of bf16 or tf32)."""

    dtype: DType | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield line(("Swizzle modes", "heading"), ", atoms MN x K in 16-byte units and in elements")
        rows: list[list[Span | Text]] = []
        for each in mode_dicts(self.dtype):
            codes = each["codes"]
            rows.append(
                [
                    (each["swizzle"], "value"),
                    each["major"],
                    "x".join(map(str, each["units"])),
                    ("x".join(map(str, each["elements"])) + f" {each['dtype']}", "value"),
                    f"{each['bytes']} B",
                    each["function"],
                    f"{each['period']} B" if each["swizzle"] != "none" else "-",
                    *("-" if code is None else str(code) for code in (codes["wgmma"], codes["tcgen05"], codes["tma"])),
                    (each["unread"], "faint"),
                ]
            )
        yield table(rows, HEADS)
        yield Text("  one of them drawn: smemdesc layout atom --swizzle 128B --major K", "faint")
        yield labelled("source", (SOURCE, "faint"), indent=0)
