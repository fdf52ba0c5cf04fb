"""Which architecture has what: one row per capability, one row per family of architectures.

A name with ``a`` is one architecture; one with ``f`` a family target, whose code runs on each member of the family.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either, nearest
from smemdesc.kinds import aliases
from smemdesc.kinds.chips import CHIP, CHIPS, Chip
from smemdesc.kinds.names import ARCHS, BLOCK_SCALED, PACKED_FP4, SMEM_KINDS, WITHOUT_DESCRIPTORS


class Capability(NamedTuple):
    """A feature of some architectures."""

    key: str
    what: str
    archs: tuple[str, ...]
    """The architectures (``a`` targets) that have it: of another one :attr:`Chip.source` says whether that is known."""
    family: bool
    """Whether a family target has what all its members have; else no family target has it."""
    source: str
    kinds: tuple[str, ...] = ()
    """The MMA kinds that it is for; empty: all of the architecture, or it does not depend on the kind."""
    qualifier: bool = False
    """Whether it is part of the instruction: then ``what`` is its PTX spelling."""
    about: str = "descriptors"
    """Also ``tma`` and ``mma.sync``: what reads no descriptor."""
    plain: bool = False
    """Whether the targets without a suffix have it, too."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that have it, family targets too, in the order of :data:`TARGETS`."""
        return tuple(filter(self.on, TARGETS))

    @property
    def chips(self) -> tuple[str, ...]:
        """All targets of the chips that have it, whether code for the target can use it or not."""
        return tuple(name for name in TARGETS if any(name.rstrip("af") == arch.rstrip("af") for arch in self.archs))

    def on(self, name: str) -> bool:
        """Whether code for a target can use it."""
        members = FAMILIES.get(name)
        if members is None:
            return name in self.archs or (self.plain and f"{name}a" in self.archs)
        described = [member for member in members if member in self.archs or _chip(member).source]
        return self.family and bool(described) and all(member in self.archs for member in described)


TARGETS = tuple(sorted((*ARCHS, *WITHOUT_DESCRIPTORS), key=lambda name: (len(name.rstrip("af")), name)))
"""The architectures that the rows below describe."""


RENAMED = {
    f"sm_{chip.former}{suffix}": f"{chip.name}{suffix}" for chip in CHIPS if chip.former for suffix in ("a", "f", "")
}
"""Old names, and the names of PTX ISA 9.0."""

FAMILIES = {
    f"{first.name}f": tuple(
        f"{chip.name}a" for chip in CHIPS if chip.family == first.family and chip.number >= first.number
    )
    for first in CHIPS
    if first.family
}
"""The members of each family target: the family's architectures from its own number on (ptxas 13.5)."""


def _chip(name: str) -> Chip:
    return CHIP[name.rstrip("af")]


class Variant(NamedTuple):
    """Tables that some architectures read instead of the common ones."""

    archs: tuple[str, ...]
    kinds: tuple[str, ...]
    """The ids of the kinds that have another table."""
    source: str


def _reading(tables: str) -> tuple[str, ...]:
    return tuple(name for chip in CHIPS if chip.tables == tables for name in chip.suffixed)


VARIANTS = {
    "sm_107": Variant(
        _reading("sm_107"),
        ("tcgen05", "idesc:f16", "idesc:f8f6f4", "idesc:mxf8f6f4", "idesc:mxf4", "idesc:mxf4nvf4"),
        "PTX ISA 9.4",
    )
}
"""By their names in JSON."""


def variant_of(arch: str | None, kind: str) -> str:
    """Return the name of the variant whose table an architecture reads for a kind (its id); empty: the common table."""
    name = RENAMED.get(arch or "", arch)
    return next((key for key, variant in VARIANTS.items() if name in variant.archs and kind in variant.kinds), "")


_PTXAS = "ptxas 13.5"
_P94 = "PTX ISA 9.4"
_TCGEN05 = ("sm_100a", "sm_103a", "sm_107a", "sm_110a")
_107 = ("sm_107a",)
_120 = ("sm_120a", "sm_121a")
_FLOATS = ("tf32", "f16", "f8f6f4")
_SCALED = BLOCK_SCALED
_COPY = "cp.async.bulk.tensor"
_FP4 = PACKED_FP4
_NEWER = (*_TCGEN05, *_120)


def _that_read(kind: str) -> tuple[str, ...]:
    return tuple(f"{chip.name}a" for chip in CHIPS if chip.reads == kind)


def _other(
    key: str, what: str, archs: tuple[str, ...], about: str = "tma", *, family: bool = True, plain: bool = False
) -> Capability:
    """Return a capability of what reads no descriptor."""
    return Capability(key, what, archs, family, _PTXAS, about=about, plain=plain)


CAPABILITIES = {
    arch.key: arch
    for arch in (
        Capability("wgmma", "wgmma", _that_read("wgmma"), False, f"PTX ISA 9.1, 9.7.15; {_PTXAS} rejects it elsewhere"),
        Capability(
            "tcgen05", "tcgen05", _that_read("tcgen05"), True, f"PTX ISA 9.3, 9.7.17; {_PTXAS} rejects it elsewhere"
        ),
        Capability(
            "i8",
            "kind::i8",
            ("sm_100a", "sm_110a"),
            False,
            f"{_PTXAS} rejects kind::i8 on sm_103a, sm_107a and on family targets",
        ),
        Capability("ti16", "kind::ti16", ("sm_107a",), True, f"PTX ISA 9.4; {_PTXAS} rejects it elsewhere"),
        Capability(
            "sparse-fp4",
            "sparse kind::mxf4 and kind::mxf4nvf4",
            _TCGEN05,
            False,
            f"{_PTXAS} rejects it on sm_100f, sm_103f, sm_107f and sm_110f",
        ),
        # The documents name sm_103a only. NVIDIA's libraries have both in machine code of the family sm_103f.
        Capability("k-96", "K = 96", ("sm_103a", "sm_107a"), True, "PTX ISA 9.3, Table 47; 9.4, 9.7.18.2.1.1; CUTLASS"),
        Capability(
            "absolute-lbo",
            "LBO mode absolute",
            ("sm_103a", "sm_107a"),
            True,
            "PTX ISA 9.1, 9.7.16.4.1.1 and 9.7.16.3.1.2; CUTLASS descriptors.py: sm_103 and later",
        ),
        Capability("sparsity-selector", "a sparsity selector", _TCGEN05, True, "PTX ISA 9.3, Table 45"),
        Capability("sparsity-version-1", "sparsity version 1 (2:4 by element)", _107, False, _P94, _FP4),
        Capability("k-64", "dense K = 64 (sparse 128 of kind::mxf8f6f4)", _107, True, _P94, ("f8f6f4", "mxf8f6f4")),
        Capability("k-128", "dense K = 128", _107, True, _P94, _FP4),
        Capability("k-192", "sparse K = 192", _107, False, _P94, _FP4),
        Capability("ue5m3", "scale type UE5M3", _107, True, _P94, ("mxf4nvf4",)),
        Capability("a-scale-layout", "scale factors of A in 128 lanes", _107, True, _P94, _SCALED),
        # What the instruction itself contains.
        Capability(
            "scale-vec", ".scale_vec::NX", _TCGEN05, False, f"{_PTXAS} rejects it on family targets", _SCALED, True
        ),
        Capability("block-size", ".block16, .block32", _TCGEN05, True, _PTXAS, _SCALED, True),
        Capability("collector-a", ".collector::a::*", _TCGEN05, True, _PTXAS, (), True),
        Capability(
            "collector-b",
            ".collector::b::*",
            _107,
            True,
            f"PTX ISA 9.4; {_PTXAS}",
            (*_FLOATS, "ti16", *_SCALED),
            True,
        ),
        Capability("ws", ".ws", _TCGEN05, True, _PTXAS, (*_FLOATS, "i8", "ti16"), True),
        Capability("ashift", ".ashift (A in tensor memory)", _TCGEN05, True, _PTXAS, (*_FLOATS, "i8", "ti16"), True),
        Capability(
            "lut-b", ".decompress::lut::b (dense)", _107, True, f"PTX ISA 9.4; {_PTXAS}", ("f8f6f4", "mxf8f6f4"), True
        ),
        Capability(
            "scale-input-d",
            "scale-input-d",
            ("sm_100a", "sm_103a", "sm_107a"),
            True,
            f"PTX ISA 9.3, 9.7.17.10.9; {_PTXAS} rejects it on sm_110a and sm_110f",
            ("f16", "tf32"),
            True,
        ),
        # What reads no descriptor: each asked for on every target (tests/evidence/ptxas.txt).
        _other("tma", f"{_COPY} (tile, im2col)", ("sm_90a", *_NEWER), plain=True),
        _other("tma-gather", "tile::gather4, im2col::w into .shared::cta", _NEWER, plain=True),
        _other(
            "tma-cluster-gather",
            "tile::gather4, im2col::w into .shared::cluster; tile::scatter4, im2col::w::128",
            _TCGEN05,
        ),
        _other("tma-cta-group", f".cta_group::2 of {_COPY}", _TCGEN05),
        _other("tensormap-replace", "tensormap.replace, tensormap.query", ("sm_90a", *_NEWER)),
        _other("map-atomicity", "tensormap.replace of 4- and 6-bit types, swizzle_atomicity", _NEWER),
        _other("map-96b", "tensormap.replace of swizzle_mode 96B", ("sm_103a", "sm_107a"), family=False),
        _other(
            "mma-sync",
            "mma.sync of kind::f8f6f4; block-scaled of kind::mxf8f6f4, kind::mxf4 and kind::mxf4nvf4",
            _120,
            "mma.sync",
        ),
        _other(
            "mma-sync-sparse-fp4", "sparse mma.sync of kind::mxf4 and kind::mxf4nvf4", _120, "mma.sync", family=False
        ),
    )
}

_WITHOUT = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89)
"""Numbers of other architectures, which no row above describes."""
KNOWN_ARCHS = frozenset((*TARGETS, *RENAMED, *(f"sm_{number}" for number in _WITHOUT)))


_COMMON = 228
"""KB of shared memory of most SMs."""
MOST_SHARED = max(chip.shared or 0 for chip in CHIPS) * 1024
"""Bytes of the architecture that has most."""
SHARED_SOURCE = "CUDA C++ Programming Guide, compute capabilities"
RESERVED = 1024
"""Bytes of it that a CTA cannot use."""


def shared_memory(name: str | None = None) -> int | None:
    """Return the bytes of shared memory of an SM; a CTA can have 1 KB less. No name: the common size; None if no
    table has that of the architecture."""
    if name is None:
        return _COMMON * 1024
    chip = CHIP.get(RENAMED.get(name, name).rstrip("af"))
    return chip.shared * 1024 if chip and chip.shared else None


def arch_name(text: str) -> str | None:
    """Return ``sm_100a`` for ``100a``, ``sm100a`` or ``compute_100a``; None if ``text`` is not such a name."""
    match = re.fullmatch(r"(?i)(?:sm_?|compute_?)?(\d{2,3})([af]?)", text.strip())
    return f"sm_{match[1]}{match[2].lower()}" if match else None


def parse_arch(text: str) -> str:
    """Return the architecture of a typed name or GPU; :class:`smemdesc.engine.errors.SmemdescError` if unknown."""
    name = arch_name(aliases.arch_alias(text))
    if name is None or name not in KNOWN_ARCHS:
        near = nearest(text, (*ARCHS, *aliases.ARCH_ALIASES), f"use one of {', '.join(ARCHS)}")
        raise SmemdescError(f"unknown architecture {text!r}", hint=near)
    return name


def suffixed(name: str, names: tuple[str, ...] = ARCHS) -> list[str]:
    """Return the names that are this architecture's number with a suffix: sm_90a for sm_90."""
    return [arch for arch in names if arch[:-1] == RENAMED.get(name, name)]


def of_machine_code(name: str) -> str:
    """Return the architecture of machine code: disassemblers print a family target without its suffix.

    Code compiled for sm_100f is shown as sm_100 (nvdisasm, cuobjdump 13.5); code compiled for sm_100 has no such
    instruction, since ptxas rejects them.
    """
    return next((f"{name}{suffix}" for suffix in ("f", "a") if f"{name}{suffix}" in (*ARCHS, *RENAMED)), name)


QUALIFIERS = tuple(capability.key for capability in CAPABILITIES.values() if capability.qualifier)
"""The qualifiers of instructions, by the keys of the table."""


def has(name: str, key: str) -> bool | None:
    """Whether an architecture has a capability; None for an unknown architecture, or where no row says it."""
    if name not in KNOWN_ARCHS:
        return None
    name, capability = RENAMED.get(name, name), CAPABILITIES[key]
    told = key in SMEM_KINDS or _described(name) or (name in FAMILIES and not capability.family)
    return capability.on(name) or (False if told else None)


def undescribed(name: str | None) -> bool:
    """Whether an architecture has a row, but what it has besides what reads its descriptors is not known."""
    return name in TARGETS and not _described(name)


def _described(name: str) -> bool:
    """Whether an architecture lacks every capability that no row gives it: the rows are about it."""
    return name not in TARGETS or bool(_chip(name).source)


def without(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members of a family target that are not among ``names``; empty if no member is among them."""
    members = FAMILIES.get(RENAMED.get(name, name), ())
    others = tuple(member for member in members if member not in names and _described(member))
    return others if any(member in names for member in members) else ()


def among(name: str, names: tuple[str, ...]) -> bool | None:
    """Whether an architecture, under any of its names, is one of ``names``; None where that is not known."""
    if name not in KNOWN_ARCHS:
        return None
    name = RENAMED.get(name, name)
    return name in names or (False if _described(name) else None)


_DESCRIBED = tuple(filter(_described, TARGETS))
_SUFFIXED = tuple(name for name in _DESCRIBED if name.endswith(("a", "f")))


def enumerated(names: tuple[str, ...]) -> str:
    """Return names of architectures as text."""
    # Of an architecture that no row describes nothing is said.
    later = "and later" if _DESCRIBED == TARGETS else f"to {names[-1]}"
    if names == _DESCRIBED[-len(names) :]:
        return f"{names[0]} {later}"
    if names == _SUFFIXED[-len(names) :]:
        return f"{names[0]} {later}, with a suffix"
    return ", ".join(names)


@cache
def in_place(name: str) -> bool:
    """Whether the chips of an architecture have block-scaled mma.sync instead of wgmma and tcgen05."""
    return name in CAPABILITIES["mma-sync"].chips


def neither(name: str) -> str:
    """Say that an architecture has no instruction that reads descriptors, and what it has in their place."""
    text = f"{name} has neither wgmma nor tcgen05"
    return f"{text}; its block-scaled mma.sync takes registers, not descriptors" if in_place(name) else text


def lacks(name: str, key: str) -> str:
    """Describe a capability that an architecture lacks, and the architectures that have it."""
    capability = CAPABILITIES[key]
    if capability.about == "descriptors" and not any(has(name, smem_kind) for smem_kind in SMEM_KINDS):
        if near := suffixed(name, capability.names):
            return f"{name} has no {capability.what}; did you mean {either(near)}?"
        if not suffixed(name):
            return neither(name)
    return f"{name} has no {capability.what}; it exists on {enumerated(capability.names)}"
