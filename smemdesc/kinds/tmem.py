"""The 32-bit address of tensor memory."""

from __future__ import annotations

from smemdesc.engine.fields import Field, Number, Table

TMEM_SOURCE = "PTX ISA 9.1, 9.7.16.1"
LANES, COLUMNS = 128, 512
"""Lanes and 32-bit columns of one CTA's tensor memory."""
ALLOCATION_SIZES = (32, 64, 128, 256, 512)
"""The numbers of columns that ``tcgen05.alloc`` takes."""
HALF_WARP = 16
"""A warp reaches 32 lanes; instructions begin at the first of them or in the middle."""

TMEM_ADDRESS = Table(
    "tmem",
    32,
    (
        Field("lane", 31, 16, Number(LANES - 1), "lane (row) of tensor memory", TMEM_SOURCE),
        Field("column", 15, 0, Number(COLUMNS - 1), "column of tensor memory, of 32 bits", TMEM_SOURCE),
    ),
)


def columns_to_allocate(columns: int) -> int | None:
    """Return the fewest columns to allocate where so many are used; None if a CTA has fewer."""
    return next((size for size in ALLOCATION_SIZES if size >= columns), None)
