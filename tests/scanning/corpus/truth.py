"""What is known of a kernel before it is compiled: the descriptors its source asks for.

There is one row of values for each different MMA that the source issues at run time; a value is
None where the MMA has no such descriptor. ``known`` has the bits of each that the source settles,
``free`` those that depend on the kernel's arguments: nobody can know these.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """The descriptors of one MMA, or a mask of bits for each."""

    a: int | None
    b: int | None
    idesc: int | None
    mask: int | None

    def texts(self) -> list[str | None]:
        """Hexadecimal, as in the truth file."""
        return [None if value is None else f"{value:#x}" for value in self]


ALL = Row((1 << 64) - 1, (1 << 64) - 1, (1 << 32) - 1, (1 << 64) - 1)
NONE = Row(0, 0, 0, 0)


class Op(NamedTuple):
    """One instruction of the source, perhaps issued many times."""

    facts: dict[str, Any]
    """``instruction`` (wgmma, tcgen05 or cp), types, shape, transposes and so on."""
    values: tuple[Row, ...]
    known: Row = ALL
    free: Row = NONE

    def json(self) -> dict[str, Any]:
        """The object that stands in the truth file."""
        masks = {"known": (self.known, ALL), "free": (self.free, NONE)}
        more = {key: row.texts() for key, (row, usual) in masks.items() if row != usual}
        return {"facts": self.facts, "values": [row.texts() for row in self.values], **more}


class Function(NamedTuple):
    """A kernel: its operations, and whether an analysis of one function may fail to see the descriptors."""

    ops: tuple[Op, ...]
    lost: str = ""
    """Why descriptors may be lost; empty: nothing should be."""

    def json(self) -> dict[str, Any]:
        """The object that stands in the truth file."""
        return {"lost": self.lost, "ops": [op.json() for op in self.ops]}
