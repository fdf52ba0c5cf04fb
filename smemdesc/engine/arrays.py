"""Arrays for Python's callers: NumPy's where it is installed, else lists."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def as_array(values: list[Any], of: str | None = None) -> Any:
    """Return a list, or a list of lists of one length, as NumPy's array if NumPy is installed; else the list itself.

    ``of`` is NumPy's type; by default that of the elements, if all are of one: NumPy would make numbers from 2^63 on
    floating-point ones, and names of numbers.
    """
    try:
        numpy = import_module("numpy")
    except ImportError:
        return values
    types = set(map(type, values))
    if len(types) > 1:
        of = "object"
    elif types == {int} and max(values).bit_length() > _SIGNED:
        of = of or ("uint64" if min(values) >= 0 and max(values).bit_length() <= _SIGNED + 1 else "object")
    return numpy.array(values, dtype=of)


_SIGNED = 63
"""Bits of the largest of NumPy's usual integers."""
