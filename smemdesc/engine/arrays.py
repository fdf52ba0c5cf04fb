"""Arrays for Python's callers: NumPy's where it is installed, else lists."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def as_array(values: list[Any]) -> Any:
    """Return a list, or a list of lists of one length, as NumPy's array if NumPy is installed; else the list itself."""
    try:
        numpy = import_module("numpy")
    except ImportError:
        return values
    is_mixed = any(value is None for value in values)
    return numpy.array(values, dtype=object) if is_mixed else numpy.array(values)
