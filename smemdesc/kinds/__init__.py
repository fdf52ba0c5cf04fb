"""The descriptor kinds: which there are, what they are called, where they exist."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc import aliases
from smemdesc.errors import KindError
from smemdesc.fields import Table
from smemdesc.kinds.archs import CAPABILITIES, among
from smemdesc.words import ARCHS, BLOCK_SCALED, KINDS, MMA_KINDS, PACKED_FP4

__all__ = ["ARCHS", "BLOCK_SCALED", "KINDS", "MMA_KINDS", "PACKED_FP4", "Kind", "ids", "kind_of"]


class Kind(NamedTuple):
    """A descriptor kind with its table. ``id`` is ``wgmma``, ``tcgen05``, ``mask`` or ``idesc:MMA_KIND``."""

    id: str
    name: str
    mma_kind: str | None
    title: str
    table: Table
    capability: str
    """What an architecture has to have for it (:data:`smemdesc.kinds.archs.CAPABILITIES`)."""

    @property
    def archs(self) -> tuple[str, ...]:
        """The architectures that have it."""
        return CAPABILITIES[self.capability].names

    @property
    def arch_source(self) -> str:
        """Who says that only these have it."""
        return CAPABILITIES[self.capability].source

    def on(self, arch: str | None) -> bool:
        """Whether an architecture has it, or may have it (it is not given, or not known here)."""
        return arch is None or among(arch, self.archs) is not False


_CACHE: dict[str, Kind] = {}


def kind_of(name: str, mma_kind: str | None = None) -> Kind:
    """Return a kind by its name, or by its id. :class:`KindError` where there is none."""
    head, _, tail = aliases.kind(name).partition(":")
    if head not in KINDS or (tail and head != "idesc"):
        raise KindError(f"there is no descriptor kind {name!r}", hint=f"the kinds are {', '.join(KINDS)}")
    if head == "idesc":
        if tail and mma_kind and tail != mma_kind:
            raise KindError(f"{name} and the MMA kind {mma_kind} contradict each other")
        mma_kind = tail or mma_kind
        if mma_kind is None:
            raise KindError(
                "an instruction descriptor does not say its MMA kind", hint=f"give one of {', '.join(MMA_KINDS)}"
            )
        if mma_kind not in MMA_KINDS:
            raise KindError(f"there is no MMA kind {mma_kind!r}", hint=f"the kinds are {', '.join(MMA_KINDS)}")
        key = f"idesc:{mma_kind}"
    else:
        key = head
    kind = _CACHE.get(key)
    if kind is None:
        kind = _CACHE[key] = _load(key)
    return kind


def _load(key: str) -> Kind:
    # Each table is built on first use: most runs need one of the ten.
    if key == "wgmma":
        from smemdesc.kinds import wgmma

        return Kind(key, key, None, "wgmma shared-memory descriptor (Hopper)", wgmma.TABLE, key)
    if key == "tcgen05":
        from smemdesc.kinds import tcgen05

        return Kind(key, key, None, "tcgen05 shared-memory descriptor (Blackwell)", tcgen05.TABLE, key)
    if key == "mask":
        from smemdesc.kinds import mask

        return Kind(key, key, None, "tcgen05 zero-column mask descriptor", mask.TABLE, "tcgen05")
    from smemdesc.kinds import idesc

    mma_kind = key.partition(":")[2]
    return Kind(
        key,
        "idesc",
        mma_kind,
        f"tcgen05 instruction descriptor, kind::{mma_kind}",
        idesc.TABLES[mma_kind],
        mma_kind if mma_kind in CAPABILITIES else "tcgen05",
    )


def ids(name: str) -> tuple[str, ...]:
    """Return the ids that a kind's name stands for (seven for ``idesc``)."""
    return tuple(f"idesc:{mma}" for mma in MMA_KINDS) if name == "idesc" else (name,)
