"""The instructions of :mod:`evidence.ptxas` that read no descriptor: those of TMA, and ``mma.sync`` on registers.

Registers are those of :func:`evidence.ptxas.source`; addresses in shared memory have 32 bits.
"""

from __future__ import annotations

from collections.abc import Iterator

LOADS = {
    # mode: its rank, the coordinates, what follows the barrier
    "tile": (2, 2, ""),
    "tile::gather4": (2, 5, ""),
    "im2col": (4, 4, ", {h, h}"),
    "im2col::w": (4, 4, ", {h, h}"),
    "im2col::w::128": (4, 4, ", {h, h}"),
}
STORES = {"tile": (2, 2), "tile::scatter4": (2, 5), "im2col_no_offs": (4, 4)}
BARRIER = "mbarrier::complete_tx::bytes"
FIELDS = {
    # of tensormap.replace: the new value, and its size; the ordinal of the dimension stands before it
    "global_address": ("a", 64),
    "rank": ("d", 32),
    "box_dim": ("0, d", 32),
    "global_dim": ("0, d", 32),
    "global_stride": ("0, a", 64),
    "element_stride": ("0, d", 32),
}
CODES = {"elemtype": 16, "interleave_layout": 3, "swizzle_mode": 5, "swizzle_atomicity": 4, "fill_mode": 2}
"""The fields of tensormap.replace that take a code, and how many there are."""
BLOCK_SCALED = {
    # qualifiers: K of a dense one, the types of A, B and the scale factors
    "kind::mxf8f6f4.block_scale.scale_vec::1X": (32, "e4m3", "ue8m0"),
    "kind::mxf4.block_scale.scale_vec::2X": (64, "e2m1", "ue8m0"),
    "kind::mxf4nvf4.block_scale.scale_vec::2X": (64, "e2m1", "ue8m0"),
    "kind::mxf4nvf4.block_scale.scale_vec::4X": (64, "e2m1", "ue4m3"),
    "kind::f8f6f4": (32, "e3m2", ""),
}


def _at(count: int) -> str:
    return f"[a, {{{', '.join(['i'] * count)}}}]"


def instructions() -> Iterator[tuple[str, str, str, str]]:
    """Yield family, kind, qualifier and text of each instruction."""
    name = "cp.async.bulk.tensor"
    for mode, (rank, count, after) in LOADS.items():
        for target in ("shared::cluster", "shared::cta"):
            text = f"{name}.{rank}d.{target}.global.{mode}.{BARRIER}%s [d], {_at(count)}, [t]{after}%s;"
            yield name, mode, target, text % ("", "")
            yield name, mode, f"{target} .cta_group::2", text % (".cta_group::2", "")
        text = (
            f"{name}.{rank}d.shared::cluster.global.{mode}.{BARRIER}.multicast::cluster [d], {_at(count)}, [t]{after}"
        )
        yield name, mode, ".multicast::cluster", f"{text}, h;"
        yield name, mode, "prefetch", f"cp.async.bulk.prefetch.tensor.{rank}d.L2.global.{mode} {_at(count)}{after};"
    for mode, (rank, count) in STORES.items():
        yield name, mode, "store", f"{name}.{rank}d.global.shared::cta.{mode}.bulk_group {_at(count)}, [d];"
    yield (
        name,
        "tile",
        "reduce",
        f"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group {_at(2)}, [d];",
    )
    yield from _maps()
    for kind, (k, dtype, scale) in BLOCK_SCALED.items():
        for sparse in (False, True):
            yield "mma.sync", kind, "sparse" if sparse else "dense", _mma_sync(kind, k, dtype, scale, sparse)


def _maps() -> Iterator[tuple[str, str, str, str]]:
    name = "tensormap.replace"
    for field, (value, size) in FIELDS.items():
        yield name, field, "-", f"{name}.tile.{field}.global.b1024.b{size} [a], {value};"
    for field, count in CODES.items():
        for code in range(count):
            yield name, field, str(code), f"{name}.tile.{field}.global.b1024.b32 [a], {code};"
    for size in ("large", "small", "same"):
        yield (
            name,
            "global_address",
            f".alloc_{size}",
            f"{name}.tile.global_address.alloc_{size}.global.b1024.b64 [a], a;",
        )
        if size != "same":
            yield name, f"alloc_{size}", "-", f"{name}.tile.alloc_{size}.global.b1024 [a];"
    yield "tensormap.query", "alloc_class_large", "-", "tensormap.query.alloc_class_large.global.b1024 p, [a];"


def _mma_sync(kind: str, k: int, dtype: str, scale: str, sparse: bool) -> str:
    floats, two, four = (f"{{{', '.join(['r0'] * count)}}}" for count in (4, 2, 4))
    name = "mma.sp::ordered_metadata.sync" if sparse else "mma.sync"
    types = ".".join(part for part in ("f32", dtype, dtype, "f32", scale) if part)
    words = [floats, four, four if sparse else two, floats, *(["i", "0"] if sparse else [])]
    words += ["i", "{h, h}", "i", "{h, h}"] if scale else []
    return f"{name}.aligned.m16n8k{2 * k if sparse else k}.row.col.{kind}.{types} {', '.join(words)};"
