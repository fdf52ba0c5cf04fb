"""The descriptor kinds, their names and their architectures."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from smemdesc.engine.errors import KindError
from smemdesc.engine.fields import Table
from smemdesc.engine.wording import nearest
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import CAPABILITIES, KNOWN_ARCHS, VARIANTS, among, arch_name, has, variant_of
from smemdesc.kinds.names import KINDS, MMA_KINDS, SMEM_KINDS


class Kind(NamedTuple):
    """A descriptor kind with its table. ``id`` is ``wgmma``, ``tcgen05``, ``mask``, ``tmem`` or
    ``idesc:MMA_KIND``."""

    id: str
    name: str
    mma_kind: str | None
    title: str
    table: Table
    capability: str
    """What it requires of an architecture (:data:`smemdesc.kinds.archs.CAPABILITIES`)."""
    variant: str = ""
    """The table's name if it is not the common one (:data:`smemdesc.kinds.archs.VARIANTS`)."""

    def __reduce__(self) -> tuple[object, ...]:
        return _cached, (self.id, self.variant)  # there is one of each

    @property
    def archs(self) -> tuple[str, ...]:
        """The architectures that have it, with this table."""
        return _archs(self.capability, self.id, self.variant)

    @property
    def newer(self) -> bool:
        """Whether only the architectures of a variant have it: used only if one of them is given."""
        return any(set(self.archs) <= set(variant.archs) for variant in VARIANTS.values())

    @property
    def variants(self) -> tuple[Kind, ...]:
        """The same kind with its other tables."""
        names = (name for name, variant in VARIANTS.items() if self.id in variant.kinds and name != self.variant)
        return tuple(_cached(self.id, name) for name in names)

    @property
    def usual(self) -> Kind:
        """The same kind with the common table."""
        return _cached(self.id, "")

    @property
    def arch_source(self) -> str:
        """The source for why only these have it."""
        return CAPABILITIES[self.capability].source

    def on(self, arch: str | None) -> bool:
        """Whether an architecture has it, or may have it (no or unknown architecture)."""
        return arch is None or (among(arch, self.archs) is not False and has(arch, self.capability) is not False)


@cache
def _archs(capability: str, kind: str, variant: str) -> tuple[str, ...]:
    return tuple(name for name in CAPABILITIES[capability].names if variant_of(name, kind) == variant)


_CACHE: dict[tuple[str, str], Kind] = {}


def check_mma_kind(name: str) -> None:
    """Raise :class:`KindError` for what is not an MMA kind."""
    if name not in MMA_KINDS:
        from smemdesc.kinds.formats import format_of  # decoding needs none

        scaled, hint = format_of(name), f"the kinds are {', '.join(MMA_KINDS)}"
        hint = f"for {name} use {scaled.mma_kind}; {hint}" if scaled else hint
        raise KindError(f"unknown MMA kind {name!r}", hint=hint)


def kind_of(name: str, mma_kind: str | None = None, arch: str | None = None) -> Kind:
    """Return a kind by its name or id, with the table of ``arch`` or of the name's suffix.

    ``tcgen05@sm_107`` names a variant. :class:`KindError` if the kind is unknown.
    """
    name, at, variant = name.partition("@")
    if at:
        return with_variant(kind_of(name, mma_kind), variant)
    head, _, tail = aliases.kind_alias(name).partition(":")
    if head == "tensormap":
        return _tensormap(tail)
    if head not in KINDS or (tail and head != "idesc"):
        arch = arch_name(aliases.arch_alias(name))
        hint = nearest(name, (*KINDS, *aliases.KIND_ALIASES), f"the kinds are {', '.join(KINDS)}")
        hint = f"for an architecture, use --arch {arch}" if arch in KNOWN_ARCHS else hint
        raise KindError(f"unknown descriptor kind {name!r}", hint=hint)
    if head == "idesc":
        if tail and mma_kind and tail != mma_kind:
            raise KindError(f"{name} and the MMA kind {mma_kind} contradict each other")
        mma_kind = tail or mma_kind
        if mma_kind is None:
            raise KindError(
                "an instruction descriptor does not say its MMA kind",
                hint=f"give one of {', '.join(MMA_KINDS)}",
                keyword="mma_kind",
            )
        check_mma_kind(mma_kind)
        key = f"idesc:{mma_kind}"
    else:
        key = head
    return _cached(key, variant_of(arch, key) if arch else "")


def _tensormap(form: str) -> Kind:
    """Return the kind of a tensor map; the tiled one if its form is not given."""
    forms = [kind_id.partition(":")[2] for kind_id in ids("tensormap")]
    if form and form not in forms:
        raise KindError(f"unknown form of tensor map {form!r}", hint=f"use {', '.join(forms)}")
    return _cached(f"tensormap:{form or forms[0]}", "")


def with_variant(kind: Kind, name: str) -> Kind:
    """Return a kind with the table of this name. :class:`KindError` if it has none."""
    if name and (name not in VARIANTS or kind.id not in VARIANTS[name].kinds):
        raise KindError(f"{kind.id} has no table of its own for {name}")
    return _cached(kind.id, name)


def _cached(key: str, variant: str) -> Kind:
    kind = _CACHE.get((key, variant))
    if kind is None:
        kind = _CACHE[key, variant] = _load(key, variant)
    return kind


def _load(key: str, variant: str) -> Kind:
    # Each table is built on first use: most runs need one of them.
    if key in SMEM_KINDS:
        from smemdesc.kinds import shared_memory

        if key == "wgmma":
            return Kind(key, key, None, "wgmma shared-memory descriptor (Hopper)", shared_memory.WGMMA, key)
        table = shared_memory.SMEM_VARIANTS[variant] if variant else shared_memory.TCGEN05
        return Kind(key, key, None, f"tcgen05 shared-memory descriptor ({variant or 'Blackwell'})", table, key, variant)
    if key == "mask":
        from smemdesc.kinds import mask

        return Kind(key, key, None, "tcgen05 zero-column mask descriptor", mask.MASK, "tcgen05")
    if key == "tmem":
        from smemdesc.kinds import tmem

        return Kind(key, key, None, "tensor-memory address", tmem.TMEM_ADDRESS, "tcgen05")
    if key.startswith("tensormap:"):
        from smemdesc.kinds import tensormap

        form = key.partition(":")[2]
        return Kind(key, "tensormap", None, f"tensor map (CUtensorMap), {form}", tensormap.MAP_TABLES[key], "tma")
    from smemdesc.kinds import idesc

    mma_kind = key.partition(":")[2]
    return Kind(
        key,
        "idesc",
        mma_kind,
        f"tcgen05 instruction descriptor, kind::{mma_kind}" + (f" ({variant})" if variant else ""),
        idesc.IDESC_VARIANTS[variant][mma_kind] if variant else idesc.IDESC_TABLES[mma_kind],
        mma_kind if mma_kind in CAPABILITIES else "tcgen05",
        variant,
    )


def tables(name: str) -> tuple[Kind, ...]:
    """Return every table of a kind's name, the common ones first."""
    usual = [kind_of(kind_id) for kind_id in ids(name)]
    return (*usual, *(variant for kind in usual for variant in kind.variants))


def ids(name: str) -> tuple[str, ...]:
    """Return the ids of a kind's name (eight for ``idesc``, four for ``tensormap``)."""
    name = aliases.kind_alias(name)
    if name == "tensormap":
        from smemdesc.kinds import tensormap

        return tuple(tensormap.MAP_TABLES)
    return tuple(f"idesc:{mma}" for mma in MMA_KINDS) if name == "idesc" else (name,)
