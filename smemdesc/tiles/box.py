"""How TMA fills a tile: the copies of its tensor map, each with the element that it begins at and where it writes."""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.tiles.text import TmaBox, tma_box
from smemdesc.tiles.tile import Tile

SOURCE = "CUDA Driver API, cuTensorMapEncodeTiled"


class Copy(NamedTuple):
    """One TMA copy: the first element that it takes of the tile, and where it writes (bytes from the tile's start)."""

    mn: int
    k: int
    offset: int


class Filling(NamedTuple):
    """The tensor map of a tile, and the copies that fill one CTA's part of it."""

    map: TmaBox
    copies: tuple[Copy, ...]

    @property
    def bytes(self) -> int:
        """Bytes that all copies write, which the mbarrier is to expect."""
        return self.map.bytes * len(self.copies)

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON; ``bytes`` are those of one copy."""
        return {
            "data_type": self.map.data_type,
            "box": list(self.map.box),
            "swizzle": self.map.swizzle,
            "interleave": self.map.interleave,
            "copies": len(self.copies),
            "bytes": self.map.bytes,
            "at": [copy._asdict() for copy in self.copies],
        }


def filling_of(tile: Tile) -> Filling | None:
    """Return how TMA fills a tile; None where no box leaves the data as the descriptors read them."""
    found = tma_box(tile)
    if found is None:
        return None
    inner, rows = found.box
    k_major = tile.major == "K"
    lines, along = (tile.shape.mn, tile.shape.k) if k_major else (tile.shape.k, tile.shape.mn)
    copies = []
    for across in range(0, along, inner):
        for line in range(0, lines, rows):
            mn, k = (line, across) if k_major else (across, line)
            copies.append(Copy(mn, k, tile.atom_start(mn // tile.atom.mn, k // tile.atom.k) - tile.start))
    return Filling(found, tuple(copies))
