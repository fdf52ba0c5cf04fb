"""The JSON of a matrix in tensor memory."""

from __future__ import annotations

from typing import Any

from smemdesc.layout.tmem import Element, Place, Region, Tmem


def tmem_dict(tmem: Tmem, lane: int | None = None, column: int | None = None) -> dict[str, Any]:
    """Return the object of a matrix; ``regions`` are blocks of it, first and last of each range inclusive.

    ``lane``, ``column``: only what lies there.
    """
    return {
        **_case(tmem),
        "columns": tmem.columns,
        "copies": tmem.copies,
        "packed": tmem.packed,
        "regions": [_region(tmem, each) for each in tmem.regions(lane, column)],
        "source": tmem.source,
    }


def element_dict(tmem: Tmem, element: Element) -> dict[str, Any]:
    """Return where one element is: a place for each copy."""
    return {
        **_case(tmem),
        "at": list(element),
        "places": [_place(tmem, each) for each in tmem.places(*element)],
        "source": tmem.source,
    }


def _case(tmem: Tmem) -> dict[str, Any]:
    return {
        "operand": tmem.operand,
        "dtype": tmem.dtype,
        "m": tmem.m,
        "n": tmem.n,
        "k": tmem.width if tmem.operand == "a" else None,
        "cta_group": tmem.cta_group,
        "ws": tmem.ws,
        "sparse": tmem.sparse,
        "layout": tmem.path.name,
        "organization": tmem.path.organization,
        "start": f"0x{tmem.start:08x}",
    }


def _region(tmem: Tmem, region: Region) -> dict[str, Any]:
    return {
        "cta": region.cta,
        "lanes": list(region.lanes),
        "columns": list(region.columns),
        "m": list(region.rows),
        tmem.letter: list(region.across),
    }


def _place(tmem: Tmem, place: Place) -> dict[str, Any]:
    return {
        "cta": place.cta,
        "lane": place.lane,
        "column": place.column,
        "bit": place.bit,
        "bits": tmem.bits if tmem.operand == "a" else 16 if tmem.dtype == "f16" else 32,
        "address": f"0x{place.address:08x}",
        "warp": place.warp,
    }
