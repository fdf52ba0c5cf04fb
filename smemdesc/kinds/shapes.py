"""The legal M, N, K, types and qualifiers of an instruction, by kind, case and architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdesc.engine.fields import Selected
from smemdesc.engine.wording import either
from smemdesc.kinds.archs import (
    CAPABILITIES,
    FAMILIES,
    RENAMED,
    RESERVED,
    VARIANTS,
    Capability,
    among,
    has,
    shared_memory,
)
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.idesc import K_DENSE, LEGAL_SHAPES, LegalShape
from smemdesc.kinds.instruction import wgmma_rows
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import MMA_KINDS, PACKED_FP4
from smemdesc.kinds.types import types_of

EIGHT_BIT_B = ("f8f6f4", "i8", "mxf8f6f4")


def ranges(numbers: tuple[int, ...]) -> str:
    """Abbreviate a list of N: ``8..256 step 8``."""
    if len(numbers) < 4:
        return ", ".join(map(str, numbers))
    step = numbers[-1] - numbers[-2]
    regular = len(numbers)
    while regular > 1 and numbers[regular - 1] - numbers[regular - 2] == step:
        regular -= 1
    head = [str(number) for number in numbers[: regular - 1]]
    return ", ".join([*head, f"{numbers[regular - 1]}..{numbers[-1]} step {step}"])


def allowed_rows(mma_kind: str, sparse: bool, context: Context) -> list[LegalShape]:
    """Return the rows of the table that the case allows."""
    return [
        shape
        for shape in LEGAL_SHAPES
        if mma_kind in shape.kinds
        and shape.sparse in (None, sparse)
        and context.cta_group in (None, shape.cta_group)
        and context.ws in (None, shape.ws)
    ]


def columns(mma_kind: str, shape: LegalShape, transpose_b: bool) -> tuple[int, ...]:
    """Return the legal N of a row; a transposed 8-bit B takes only multiples of 16 (32 with two CTAs)."""
    if not transpose_b or mma_kind not in EIGHT_BIT_B:
        return shape.n
    return tuple(n for n in shape.n if n % (16 * shape.cta_group) == 0)


def rows_of(rows: list[LegalShape]) -> list[int]:
    """Return every legal M of the rows."""
    return sorted({m for row in rows for m in row.m})


def legal_columns(mma_kind: str, rows: list[LegalShape], transpose_b: bool) -> str:
    """Describe the N of each row."""
    return "; ".join(f"{row.label}: {ranges(columns(mma_kind, row, transpose_b))}" for row in rows)


def with_qualifiers(context: Context) -> str:
    """Name the known qualifiers, since another combination may be legal."""
    parts = [f"cta_group::{context.cta_group}"] if context.cta_group else []
    if context.ws is not None:
        parts.append(".ws" if context.ws else "no .ws")
    return f" with {' and '.join(parts)}" if parts else ""


def values_taken(kind: Kind, key: str, context: Context = NOTHING, fields: Mapping[str, Any] | None = None) -> str:
    """Describe the values that a field takes: M and N of an instruction by the case, others by their row of the table.

    ``fields`` are the values of other fields as far as they are known (``m``, ``sparse``, ``transpose_b``).
    """
    row = kind.table.row(key)
    if kind.mma_kind is None or key not in ("m", "n"):
        return f"{key} takes {row.codec.describe(row.width)}"
    known = fields or {}
    sparse, transpose_b = known.get("sparse") is True, known.get("transpose_b") is True
    rows = allowed_rows(kind.mma_kind, sparse, context)
    where = f"{'sparse ' if sparse else ''}kind::{kind.mma_kind}{with_qualifiers(context)}"
    if not rows:
        return f"{where} does not exist"
    if key == "m":
        return f"M of {where} is {either(rows_of(rows))}"
    with_m = [row for row in rows if known.get("m") in row.m]
    of_m = f" with M = {known['m']}" if with_m else ""
    b = " and an 8-bit B that is transposed" if transpose_b and kind.mma_kind in EIGHT_BIT_B else ""
    return f"N of {where}{of_m}{b} is: {legal_columns(kind.mma_kind, with_m or rows, transpose_b)}"


class Offer(NamedTuple):
    """What an architecture supports of one MMA kind."""

    kind: Kind
    k_dense: tuple[int, ...]
    k_sparse: tuple[int, ...]
    """Empty if it has no sparse ones."""
    shapes: tuple[LegalShape, ...]
    qualifiers: tuple[str, ...]
    """Keys of :data:`smemdesc.kinds.archs.CAPABILITIES`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; D is f32 if the kind has no field for it."""
        return {
            "mma_kind": self.kind.mma_kind,
            "a_types": list(types_of(self.kind, "a_type")),
            "d_types": list(types_of(self.kind, "d_type")),
            "scale_types": list(types_of(self.kind, "scale_type")),
            "k": {"dense": list(self.k_dense), "sparse": list(self.k_sparse)},
            "shapes": [
                {
                    "cta_group": shape.cta_group,
                    "ws": shape.ws,
                    "sparse": shape.sparse,
                    "m": list(shape.m),
                    "n": list(shape.n),
                }
                for shape in self.shapes
            ],
            "qualifiers": list(self.qualifiers),
        }


class Offers(NamedTuple):
    """What an architecture supports."""

    arch: str
    name: str
    """Its name today."""
    wgmma: bool
    tcgen05: bool
    members: tuple[str, ...]
    """For a family target: the architectures that its code runs on."""
    tables: tuple[str, ...]
    """The names of the variants whose tables it reads."""
    kinds: tuple[Offer, ...]
    absent: tuple[Capability, ...]
    """What TMA and, if it has it, tcgen05 have on other architectures."""
    tma: tuple[Capability, ...]
    """What it has of TMA."""
    mma_sync: tuple[Capability, ...]
    """What it has in place of wgmma and tcgen05."""
    unknown: tuple[Capability, ...]
    """What it has or lacks: no row says it."""

    @property
    def shared_memory(self) -> int | None:
        """The bytes of shared memory that a CTA can have; None if it is not known."""
        of_sm = shared_memory(self.name) if self.tma or self.unknown else None
        return of_sm and of_sm - RESERVED

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "arch": self.arch,
            "name": self.name,
            "wgmma": self.wgmma,
            "tcgen05": self.tcgen05,
            "members": list(self.members),
            "variants": list(self.tables),
            "wgmma_types": [types.to_dict() for types in wgmma_rows()] if self.wgmma else [],
            "mma_kinds": [kind.to_dict() for kind in self.kinds],
            "absent": [
                {
                    "what": absent.what,
                    "archs": list(absent.names),
                    "mma_kinds": list(absent.kinds),
                    "source": absent.source,
                }
                for absent in self.absent
            ],
            "tma": [{"what": part.what, "source": part.source} for part in self.tma],
            "mma_sync": [{"what": part.what, "source": part.source} for part in self.mma_sync],
            "shared_memory": self.shared_memory,
            **({"unknown": [part.what for part in self.unknown]} if self.unknown else {}),
        }


def offers(arch: str) -> Offers:
    """Return what an architecture supports, by its name (:func:`smemdesc.kinds.archs.parse_arch`)."""
    name = RENAMED.get(arch, arch)
    tcgen05 = bool(has(arch, "tcgen05"))
    kinds = tuple(_offer(arch, kind_of("idesc", mma_kind, arch)) for mma_kind in MMA_KINDS) if tcgen05 else ()
    about: dict[str, list[Capability]] = {"descriptors": [], "tma": [], "mma.sync": []}
    absent, unknown = [], []
    for capability in CAPABILITIES.values():
        here = has(arch, capability.key)
        if here:
            about[capability.about].append(capability)
        elif here is None:
            unknown.append(capability)
        elif capability.key != "wgmma" and has(arch, "tma" if capability.about == "tma" else "tcgen05"):
            absent.append(capability)
    return Offers(
        arch,
        name,
        bool(has(arch, "wgmma")),
        tcgen05,
        FAMILIES.get(name, ()),
        tuple(key for key, variant in VARIANTS.items() if name in variant.archs),
        tuple(kind for kind in kinds if kind.kind.on(arch) and has(arch, kind.kind.capability)),
        tuple(absent),
        tuple(about["tma"]),
        tuple(about["mma.sync"]),
        tuple(unknown),
    )


def _offer(arch: str, kind: Kind) -> Offer:
    mma_kind = str(kind.mma_kind)
    sparse = mma_kind not in PACKED_FP4 or bool(has(arch, "sparse-fp4"))
    qualifiers = tuple(
        capability.key
        for capability in CAPABILITIES.values()
        if capability.qualifier and has(arch, capability.key) and (not capability.kinds or mma_kind in capability.kinds)
    )
    return Offer(
        kind,
        k_of(kind, False, arch),
        k_of(kind, True, arch) if sparse else (),
        tuple(shape for shape in LEGAL_SHAPES if mma_kind in shape.kinds and (sparse or shape.sparse is not True)),
        qualifiers,
    )


def k_of(kind: Kind, sparse: bool, arch: str | None = None) -> tuple[int, ...]:
    """Return the K for which an MMA kind's table has codes, the smallest first; else the only one.

    ``arch``: only those that it has.
    """
    assert kind.mma_kind is not None
    row = kind.table.by_key.get("k")
    if row is None or not isinstance(row.codec, Selected):
        return (K_DENSE[kind.mma_kind] * (2 if sparse else 1),)
    # The lowest of the bits that decide is the sparsity bit.
    sizes = {
        row.codec.decode(code.raw, by)
        for by in row.codec.cases
        if by % 2 == sparse
        for code in row.codec.codes
        if arch is None or not code.archs or among(arch, code.archs)
    }
    return tuple(sorted(size for size in sizes if isinstance(size, int)))
