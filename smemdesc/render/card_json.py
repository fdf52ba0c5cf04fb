"""The reference card of a kind as an object for JSON."""

from __future__ import annotations

from typing import Any

from smemdesc.engine.fields import Enum, Field, Flag
from smemdesc.kinds.instruction import WGMMA_M, wgmma_types
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.offers import Offers, types_of
from smemdesc.rules.judging import rules_for


def card_dict(kind: Kind) -> dict[str, Any]:
    """Return the card as an object for JSON."""
    return {
        "kind": kind.name,
        "mma_kind": kind.mma_kind,
        "title": kind.title,
        "width": kind.table.width,
        "archs": list(kind.archs),
        **({"variant": kind.variant} if kind.variant else {}),
        "fields": [_field_dict(row) for row in kind.table.rows],
        "rules": [
            {"rule": rule.name, "fields": list(rule.reads), "says": rule.doc, "source": rule.source}
            for rule in rules_for(kind, whole=True)
        ],
    }


def arch_dict(of: Offers) -> dict[str, Any]:
    """Return what an architecture has as an object for JSON."""
    return {
        "arch": of.arch,
        "name": of.name,
        "wgmma": of.wgmma,
        "tcgen05": of.tcgen05,
        "members": list(of.members),
        "variants": list(of.tables),
        "wgmma_types": [
            {
                "type": each.name,
                "b_types": list(each.with_b),
                "d_types": list(each.d_types),
                "m": [WGMMA_M],
                "n": list(each.n),
                "k": {"dense": [each.k_dense], "sparse": [each.k_sparse] if each.k_sparse else []},
                "majors": ["K", "MN"] if each.transposed else ["K"],
            }
            for each in (wgmma_types() if of.wgmma else ())
        ],
        "mma_kinds": [
            {
                "mma_kind": each.kind.mma_kind,
                "a_types": list(types_of(each.kind, "a_type")),
                "d_types": list(types_of(each.kind, "d_type")) or ["f32"],
                "scale_types": list(types_of(each.kind, "scale_type")),
                "k": {"dense": list(each.k_dense), "sparse": list(each.k_sparse)},
                "shapes": [
                    {
                        "cta_group": shape.cta_group,
                        "ws": shape.ws,
                        "sparse": shape.sparse,
                        "m": list(shape.m),
                        "n": list(shape.n),
                    }
                    for shape in each.shapes
                ],
                "qualifiers": list(each.qualifiers),
            }
            for each in of.kinds
        ],
        "absent": [
            {"what": each.what, "archs": list(each.names), "mma_kinds": list(each.kinds), "source": each.source}
            for each in of.absent
        ],
    }


def _field_dict(row: Field) -> dict[str, Any]:
    codec = row.codec
    out: dict[str, Any] = {
        "key": row.key,
        "hi": row.hi,
        "lo": row.lo,
        "type": type(codec).__name__.lower(),
        "takes": codec.describe(row.width),
        "default": codec.default,
        "doc": row.doc,
        "source": row.source,
    }
    if isinstance(codec, Enum):
        out["codes"] = [
            {"raw": code.raw, "name": code.name, "doc": code.doc, "archs": list(code.archs)} for code in codec.codes
        ]
    if isinstance(codec, Flag):
        out["codes"] = [{"raw": 0, "name": False, "doc": codec.no}, {"raw": 1, "name": True, "doc": codec.yes}]
    return out
