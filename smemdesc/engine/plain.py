"""Arguments as plain values: NumPy's numbers become numbers, values of other types become markers.

So no foreign object is compared, searched or printed, which some objects refuse.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import index
from typing import Any

_PLAIN = frozenset((type(None), bool, float, complex, bytes, bytearray, memoryview, range))
_WIDEST = 10_000
"""Bits of the largest number whose digits Python prints."""
_LONGEST = 10_000
"""Elements of an argument."""
_DEEPEST = 8
"""How deep containers are nested in each other."""
OURS = __name__.partition(".")[0]


class Foreign:
    """A placeholder for a value of a type that no function takes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


def plain(value: Any, depth: int = 0) -> Any:
    """Return an argument as a value of Python's own types, or of this package."""
    kind = type(value)
    if kind in _PLAIN or kind is str:
        return value
    try:
        if kind is int:
            return value if value.bit_length() <= _WIDEST else Foreign(f"a number of {value.bit_length()} bits")
        return _converted(value, kind, depth)
    except Exception:  # an object of another package may raise anything
        return Foreign(f"{kind.__module__}.{kind.__qualname__}")


def _converted(value: Any, kind: type, depth: int) -> Any:
    class_ = value if issubclass(kind, type) else kind
    if class_.__module__.partition(".")[0] == OURS:
        return value
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, os.PathLike):
        return os.fspath(value)
    if hasattr(kind, "__index__"):
        return plain(index(value))
    is_map = issubclass(kind, Mapping)
    if not issubclass(kind, Iterable) or not (is_map or issubclass(kind, (list, tuple, set, frozenset, Iterator))):
        raise TypeError
    elements = list(islice(value.items() if is_map else value, _LONGEST + 1))
    if depth == _DEEPEST or len(elements) > _LONGEST:
        raise ValueError
    if is_map:
        return {plain(key, depth + 1): plain(element, depth + 1) for key, element in elements}
    converted = [plain(element, depth + 1) for element in elements]
    return tuple(converted) if issubclass(kind, tuple) else converted
