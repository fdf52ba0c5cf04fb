"""What one architecture has: its kinds with their K, M and N, and what its instructions may be written with."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import Enum, Selected
from smemdesc.kinds.archs import CAPABILITIES, FAMILIES, RENAMED, VARIANTS, Capability, among, has
from smemdesc.kinds.idesc import K_DENSE, SHAPES, Shape
from smemdesc.kinds.kind import MMA_KINDS, Kind, kind_of
from smemdesc.kinds.names import PACKED_FP4


class Offer(NamedTuple):
    """What an architecture has of one MMA kind."""

    kind: Kind
    k_dense: tuple[int, ...]
    k_sparse: tuple[int, ...]
    """Empty where it has no sparse ones."""
    shapes: tuple[Shape, ...]
    qualifiers: tuple[str, ...]
    """Keys of :data:`smemdesc.kinds.archs.CAPABILITIES`."""


class Offers(NamedTuple):
    """What an architecture has."""

    arch: str
    name: str
    """Its name today."""
    wgmma: bool
    tcgen05: bool
    members: tuple[str, ...]
    """Of a family target: the architectures that its code runs on."""
    tables: tuple[str, ...]
    """The names of the variants whose tables it reads."""
    kinds: tuple[Offer, ...]
    absent: tuple[Capability, ...]
    """What tcgen05 has elsewhere."""


def offers(arch: str) -> Offers:
    """Return what an architecture has, by its name (:func:`smemdesc.kinds.archs.named`)."""
    name = RENAMED.get(arch, arch)
    tcgen05 = bool(has(arch, "tcgen05"))
    kinds = tuple(_offer(arch, kind_of("idesc", each, arch)) for each in MMA_KINDS) if tcgen05 else ()
    absent = [each for each in CAPABILITIES.values() if tcgen05 and each.key != "wgmma" and not has(arch, each.key)]
    return Offers(
        arch,
        name,
        bool(has(arch, "wgmma")),
        tcgen05,
        FAMILIES.get(name, ()),
        tuple(key for key, each in VARIANTS.items() if name in each.archs),
        tuple(each for each in kinds if each.kind.on(arch)),
        tuple(absent),
    )


def _offer(arch: str, kind: Kind) -> Offer:
    mma_kind = str(kind.mma_kind)
    sparse = mma_kind not in PACKED_FP4 or bool(has(arch, "sparse-fp4"))
    qualifiers = tuple(
        each.key
        for each in CAPABILITIES.values()
        if each.qualifier and has(arch, each.key) and (not each.kinds or mma_kind in each.kinds)
    )
    return Offer(
        kind,
        k_of(kind, False, arch),
        k_of(kind, True, arch) if sparse else (),
        tuple(each for each in SHAPES if mma_kind in each.kinds and (sparse or each.sparse is not True)),
        qualifiers,
    )


def k_of(kind: Kind, sparse: bool, arch: str | None = None) -> tuple[int, ...]:
    """Return the K that an MMA kind's table has codes for, the smallest first; else the only one.

    ``arch``: those alone that it has.
    """
    assert kind.mma_kind is not None
    row = kind.table.by_key.get("k")
    if row is None or not isinstance(row.codec, Selected):
        return (K_DENSE[kind.mma_kind] * (2 if sparse else 1),)
    # The lowest of the bits that decide is that of sparsity.
    found = {
        row.codec.decode(code.raw, by)
        for by in row.codec.cases
        if by % 2 == sparse
        for code in row.codec.codes
        if arch is None or not code.archs or among(arch, code.archs)
    }
    return tuple(sorted(each for each in found if isinstance(each, int)))


def types_of(kind: Kind, key: str) -> tuple[str, ...]:
    """Return the names of the types that a field of a kind has codes for; none where it has no such field."""
    row = kind.table.by_key.get(key)
    return tuple(str(code.name) for code in row.codec.codes) if row and isinstance(row.codec, Enum) else ()
