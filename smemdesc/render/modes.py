"""All swizzle modes side by side: what ``layout atom`` shows without options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.atom import ALL, SOURCE, byte_size, shape, shape_in_units
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.forms import ORDER, remark
from smemdesc.render.lines import Line, Span, columns, indented

HEADS = ("mode", "major", "atom", "elements", "bytes", "swizzle", "period", "wgmma", "tcgen05", "TMA", "")


def modes_lines(dtype: DType | None, width: int | None) -> Iterator[Line]:
    """Yield a row for each mode and major-ness, with the atom of a type (left out: of bf16 or tf32)."""
    yield [("Swizzle modes", "heading"), (", atoms MN x K in 16-byte units and in elements", "")]
    rows: list[list[Span]] = [[(head, "dim") for head in HEADS]]
    for each in mode_dicts(dtype):
        codes = each["codes"]
        rows.append(
            [
                (each["swizzle"], "value"),
                (each["major"], ""),
                ("x".join(map(str, each["units"])), ""),
                ("x".join(map(str, each["elements"])) + f" {each['dtype']}", "value"),
                (f"{each['bytes']} B", ""),
                (each["function"], "raw"),
                (f"{each['period']} B" if each["swizzle"] != "none" else "-", ""),
                (_code(codes["wgmma"]), "raw"),
                (_code(codes["tcgen05"]), "raw"),
                (_code(codes["tma"]), "raw"),
                (each["unread"], "dim"),
            ]
        )
    yield from columns(rows, width)
    text = "one of them drawn: smemdesc layout atom --swizzle 128B --major K"
    yield from indented([("  ", "")], text, "dim", width)
    yield from indented([("source: ", "dim")], SOURCE, "dim", width)


def _code(code: int | None) -> str:
    return "-" if code is None else str(code)


def mode_dicts(asked: DType | None) -> list[dict[str, Any]]:
    """Return an object for each mode and major-ness, in the order of PTX's table.

    Left out, the type is bf16, and tf32 under 128B_32B.
    """
    made = []
    for name, major in sorted(ALL, key=lambda each: (ORDER.index(each[0]), each[1])):
        mode = MODE[name]
        dtype = asked or dtype_of("tf32" if name == "128B_32B" else "bf16")
        made.append(
            {
                "swizzle": name,
                "major": major,
                "dtype": dtype.name,
                "units": list(shape_in_units(name, major)),
                "elements": list(shape(name, major, dtype)),
                "bytes": byte_size(name, major),
                "function": str(Swizzle(*mode.swizzle)),
                "period": mode.period,
                "codes": {"wgmma": mode.wgmma, "tcgen05": mode.tcgen05, "tma": mode.tma_code},
                "unread": remark(name, major, dtype).partition(":")[0].partition(";")[0],
            }
        )
    return made
