"""The reference card of a kind: its table, its enumerations and its rules, printed from the data."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.fields import Enum, Field, Fixed, Reserved, Selected, ones
from smemdesc.explanations.catalog import Card
from smemdesc.kinds.archs import CAPABILITIES, TARGETS, VARIANTS, Capability, enumerated, lacks, neither, suffixed
from smemdesc.kinds.idesc import LEGAL_SHAPES
from smemdesc.kinds.instruction import WGMMA_M, WgmmaType, wgmma_rows
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS, SMEM_KINDS
from smemdesc.kinds.shapes import Offers, ranges
from smemdesc.kinds.types import types_of
from smemdesc.render.bits import bit_range
from smemdesc.render.parts import StyledText, as_view, beside, labeled, line, table
from smemdesc.rules.base import Rule
from smemdesc.rules.judging import rules_for


@as_view
def kind_index() -> Iterator[RenderableType]:
    """One line per kind."""
    rows: list[list[StyledText | Text]] = []
    for name in KINDS:
        for id in ids(name):
            kind = kind_of(id)
            archs = enumerated(kind.archs)
            rows.append([(id, "key"), f"{kind.table.width} bits", (archs, "faint"), kind.title])
    yield table(rows, wraps=2)


@as_view
def card_view(card: Card, with_rules: bool = False) -> Iterator[RenderableType]:
    """The card of one kind: its fields, codes and their sources; ``with_rules``: and its rules."""
    kind, arch = card
    title = f"{kind.title}, {kind.table.width} bits, {enumerated(kind.archs)}"
    yield beside(line((kind.id, "value"), "  "), (title, "heading"))
    if arch is not None and not kind.on(arch):
        yield Text(lacks(arch, kind.capability), "warning")
    yield Text()
    yield Text("fields", "heading")
    sources = list(dict.fromkeys(row.source for row in kind.table.rows))
    yield table([_row(row, sources.index(row.source) + 1) for row in kind.table.rows], wraps=2)
    coded = [row for row in kind.table.rows if isinstance(row.codec, Enum)]
    if coded:
        yield Text()
        yield Text("codes", "heading")
        yield table([code for row in coded for code in _codes(row)])
    yield Text()
    yield Text("sources", "heading")
    yield table([[f"[{number}]", (source, "faint")] for number, source in enumerate(sources, 1)])
    if not with_rules:
        return
    yield Text()
    yield Text("rules", "heading")
    for name, rules in _by_name(kind).items():
        yield labeled(name, _docs(rules))
        for source in dict.fromkeys(rule.source for rule in rules):
            yield labeled("source", (source, "faint"), indent=4)


@as_view
def arch_view(of: Offers) -> Iterator[RenderableType]:
    """What one architecture supports."""
    yield beside(line((of.arch, "value"), "  "), (_has(of), "heading"))
    if of.name != of.arch:
        yield Text(f"{of.arch} is the old name of {of.name} (PTX ISA 9.0)")
    if of.members:
        yield Text(f"a family target: its code runs on {', '.join(of.members)}, and it has what they all have")
    if near := suffixed(of.name, TARGETS):
        what = next(key for key in (*SMEM_KINDS, "mma-sync") if CAPABILITIES[key].on(near[0]))
        what = what if what in SMEM_KINDS else f"block-scaled {CAPABILITIES[what].about}"
        yield Text(f"{' and '.join(near)} {'have' if len(near) > 1 else 'has'} {what}")
    if of.shared_memory:
        yield Text(f"a CTA can have {of.shared_memory // 1024} KB of shared memory")
    elif of.unknown:
        yield Text("how much shared memory a CTA can have is not known")
    if of.wgmma:
        yield Text()
        yield Text("types", "heading")
        yield table([_wgmma(dtype) for dtype in wgmma_rows()], wraps=5)
    for name in of.tables:
        kinds = ", ".join(VARIANTS[name].kinds)
        yield labeled("tables", f"those of {name} for {kinds} ({VARIANTS[name].source})")
    sections = (
        ("kinds", _kinds(of), 5),
        ("M and N", _shapes(of), 1),
        ("qualifiers", _qualifiers(of), 2),
        ("mma.sync", [[(part.what, "key"), (part.source, "faint")] for part in of.mma_sync], 2),
        ("TMA", [[(part.what, "key"), (part.source, "faint")] for part in of.tma], 2),
        ("not here", list(map(_absence, of.absent)), 3),
        ("not known whether it exists here", [[(part.what, "key")] for part in of.unknown], 1),
    )
    for title, cells, wraps in sections:
        if cells:
            yield Text()
            yield Text(title, "heading")
            yield table(cells, wraps=wraps)


def _kinds(of: Offers) -> list[list[StyledText | Text]]:
    return [
        [
            (str(kind.kind.mma_kind), "key"),
            f"A, B {', '.join(types_of(kind.kind, 'a_type'))}",
            f"D {', '.join(types_of(kind.kind, 'd_type'))}",
            f"K {', '.join(map(str, kind.k_dense))}",
            f"sparse K {', '.join(map(str, kind.k_sparse))}" if kind.k_sparse else _dense_only(of),
            f"scales {', '.join(scales)}" if (scales := types_of(kind.kind, "scale_type")) else "",
        ]
        for kind in of.kinds
    ]


def _dense_only(of: Offers) -> str:
    return "sparse: not known" if CAPABILITIES["sparse-fp4"] in of.unknown else "dense only"


def _shapes(of: Offers) -> list[list[StyledText | Text]]:
    rows: list[list[StyledText | Text]] = []
    for shape in LEGAL_SHAPES:
        here = {str(kind.kind.mma_kind) for kind in of.kinds if shape in kind.shapes}
        kinds = [kind for kind in shape.kinds if kind in here]
        if kinds:
            which = "" if shape.sparse is None else "sparse" if shape.sparse else "dense"
            rows.append(
                [
                    (", ".join(kinds), "key"),
                    shape.label,
                    which,
                    f"M {', '.join(map(str, shape.m))}",
                    f"N {ranges(shape.n)}",
                ]
            )
    return rows


def _qualifiers(of: Offers) -> list[list[StyledText | Text]]:
    rows: list[list[StyledText | Text]] = []
    for capability in CAPABILITIES.values():
        kinds = [str(one.kind.mma_kind) for one in of.kinds if capability.key in one.qualifiers]
        if kinds:
            rows.append([(capability.what, "key"), ", ".join(kinds), (capability.source, "faint")])
    return rows


def _wgmma(dtype: WgmmaType) -> list[StyledText | Text]:
    return [
        (dtype.name, "key"),
        f"B {', '.join(dtype.with_b)}",
        f"D {', '.join(dtype.d_types)}",
        f"M {WGMMA_M}",
        f"N {ranges(dtype.n)}",
        f"K {dtype.k_dense}",
        f"sparse K {dtype.k_sparse}" if dtype.k_sparse else "dense only",
        "K-major or MN-major" if dtype.transposed else "K-major",
    ]


def _absence(part: Capability) -> list[StyledText | Text]:
    kinds = f" ({', '.join(part.kinds)})" if part.kinds else ""
    return [(part.what, "key"), f"on {enumerated(part.names)}{kinds}", (part.source, "faint")]


def _has(of: Offers) -> str:
    if of.tcgen05:
        return "tcgen05"
    return "wgmma" if of.wgmma else neither(of.name).removeprefix(f"{of.name} has ")


def _codes(row: Field) -> Iterator[list[StyledText | Text]]:
    assert isinstance(row.codec, Enum)
    for number, code in enumerate(row.codec.codes):
        doc = "; ".join(part for part in (code.doc, ", ".join(code.archs), code.source) if part)
        yield ["" if number else (row.key, "key"), str(code.raw), (str(code.name), "value"), doc]
    if isinstance(row.codec, Selected):
        for by, names in row.codec.names.items():
            when = f"with {' and '.join(row.codec.depends)} = {by}"
            for raw, name in names.items() if by else ():
                if name is not None:
                    yield ["", str(raw), (str(name), "value"), when]
    undefined = [str(raw) for raw in range(ones(row.width) + 1) if not row.codec.allows(raw)]
    if undefined:
        yield ["", (", ".join(undefined), "error"), ("undefined", "error"), ""]


def _row(row: Field, source: int) -> list[StyledText | Text]:
    constant = isinstance(row.codec, Fixed | Reserved)
    style = "faint" if constant else ""
    takes = "see codes" if isinstance(row.codec, Enum) else row.codec.describe(row.width)
    return [(bit_range(row), "faint"), (row.key, style or "key"), (takes, style), (f"{row.doc} [{source}]", style)]


def _by_name(kind: Kind) -> dict[str, list[Rule]]:
    named: dict[str, list[Rule]] = {}
    for rule in rules_for(kind, whole=True, tiled=True):
        named.setdefault(rule.name, []).append(rule)
    return named


def _docs(rules: list[Rule]) -> str:
    keys_of: dict[str, list[str]] = {}
    for rule in rules:
        keys_of.setdefault(rule.doc, []).extend(rule.reads if len(rules) > 1 else ())
    parts = []
    for doc, keys in keys_of.items():
        parts.append(f"{doc[:-1]} ({', '.join(dict.fromkeys(keys))})." if keys else doc)
    return " ".join(parts)
