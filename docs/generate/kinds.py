"""The page of the kinds: every field and every code, from the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generate.markdown import GENERATED, code, codes, link, table, text
from smemdesc.engine.fields import Enum, Field, Selected, ones
from smemdesc.explanations.catalog import every_kind as every
from smemdesc.kinds.archs import enumerated
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODES, MODES_SOURCE
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType
from smemdesc.kinds.types import TYPES_SOURCE as TYPE_SOURCE

INTRODUCTION = """\
# Descriptor kinds

Every descriptor kind with its fields, their codes and their sources. The program decodes, encodes and checks with
the same rows; `smemdesc fields KIND` prints them on a terminal, `smemdesc fields --json` as
objects.

Bits are counted from the least significant one. A field is stored as an unsigned number: byte offsets and addresses
without their low four bits, M and N without the bits that are always 0. In encoding, a missing field gets the number
in the column *default*. [rules.md](rules.md) lists the findings of each kind.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([GENERATED, INTRODUCTION, _index(), *map(_kind, every()), _modes(), _types()])


def _archs(kind: Kind) -> str:
    return re.sub(r"sm_\w+", lambda name: code(name[0]), enumerated(kind.archs))


def _index() -> str:
    rows = [[link(kind.table.name), str(kind.table.width), _archs(kind), text(kind.title)] for kind in every()]
    return table(["kind", "bits", "architectures", "what it is"], rows)


def _kind(kind: Kind) -> str:
    head = f"## {kind.table.name}\n\n{text(kind.title)}, {kind.table.width} bits. Exists on {_archs(kind)}"
    head += f" ({text(kind.arch_source)}).\n" if kind.arch_source else ".\n"
    fields = table(
        ["bits", "field", "meaning", "takes", "default", "source"],
        [
            [
                _bits(row),
                code(row.key),
                text(row.doc),
                text(_takes(row)),
                str(row.codec.default),
                text(row.source),
            ]
            for row in reversed(kind.table.rows)
        ],
    )
    coded = [line for row in kind.table.rows for line in _codes(row)]
    names = ["field", "code", "name", "meaning", "architectures", "source"]
    parts = [head, fields, f"Codes of {code(kind.table.name)}:\n", table(names, coded)] if coded else [head, fields]
    return "\n".join(parts)


def _bits(row: Field) -> str:
    return str(row.lo) if row.hi == row.lo else f"{row.hi}-{row.lo}"


def _takes(row: Field) -> str:
    if isinstance(row.codec, Enum) and not isinstance(row.codec, Selected):
        return "a code, see below"
    return row.codec.describe(row.width)


def _codes(row: Field) -> Iterator[list[str]]:
    codec = row.codec
    if not isinstance(codec, Enum):
        return
    by_others = codec.names.items() if isinstance(codec, Selected) else ()
    depends = " and ".join(codec.depends)
    for each in codec.codes:
        others = [
            f"{'undefined' if names[each.raw] is None else text(str(names[each.raw]))} with {code(f'{depends} = {by}')}"
            for by, names in by_others
            if each.raw in names
        ]
        name = "; ".join([code(each.name), *others])
        yield [code(row.key), str(each.raw), name, text(each.doc), codes(each.archs), text(each.source)]
    for raw in range(ones(row.width) + 1):
        if not codec.allows(raw):
            yield [code(row.key), str(raw), "undefined", text(codec.wrong.get(raw, "")), "", ""]


def _modes() -> str:
    rows = [
        [
            code(mode.name),
            "-" if mode.wgmma is None else str(mode.wgmma),
            "-" if mode.tcgen05 is None else str(mode.tcgen05),
            f"{mode.tma_code} {code(mode.tma)}" if mode.tma else "-",
            f"{mode.width} B",
            f"8 x {mode.width} B" if not mode.wide else "none",
            f"{mode.lines} x {mode.width} B",
            f"Swizzle<{','.join(map(str, mode.swizzle))}>".replace("<", r"\<").replace(">", r"\>"),
            f"{mode.period} B" if mode.phases > 1 else "-",
            str(mode.phases),
        ]
        for mode in MODES
    ]
    return (
        "## Swizzle modes\n\n"
        "Descriptors and the TMA tensor map number the same modes differently. The swizzle acts on absolute byte "
        "addresses; the pattern repeats at multiples of its period, and the base offset has an effect modulo the "
        f"number of phases. Source: {text(MODES_SOURCE)}.\n\n"
        + table(
            [
                "mode",
                "code in wgmma",
                "code in tcgen05",
                "code in the tensor map",
                "row",
                "atom, K-major",
                "atom, MN-major",
                "swizzle",
                "period",
                "phases",
            ],
            rows,
        )
    )


def _types() -> str:
    def row(dtype: DType, packed: bool = False) -> list[str]:
        name = code(dtype.name) + (", packed (kind::mxf4, kind::mxf4nvf4)" if packed else "")
        return [
            name,
            str(dtype.bits),
            str(dtype.storage),
            "yes" if dtype.wgmma else "no",
            "yes" if dtype.tcgen05 else "no",
            str(dtype.k),
        ]

    return (
        "## Operand types\n\n"
        "Bits of one element, its bits in shared memory, and K of the dense instruction. Source: "
        f"{text(TYPE_SOURCE)}.\n\n"
        + table(
            ["type", "bits", "in shared memory", "wgmma", "tcgen05", "K"],
            [*map(row, DTYPES), row(PACKED_E2M1, packed=True)],
        )
    )
