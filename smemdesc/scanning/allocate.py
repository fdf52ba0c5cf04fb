"""How memory is given back to the system: the C library keeps what was freed, and each of many processes does."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""``mallopt``'s parameters. Source: glibc's malloc.h."""
_LARGE = 1 << 18
"""Bytes from which on a block is a mapping of its own, which goes back as soon as it is freed."""


def _library() -> Any:
    """Return the C library; None where that is not glibc."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        found = ctypes.CDLL(None)
        if found.mallopt and found.malloc_trim:
            return found
    return None


def sparingly() -> None:
    """Map large blocks one by one: between small ones that live longer they would leave holes."""
    library = _library()
    if library is not None:
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_M_TRIM_THRESHOLD, _LARGE)


def free() -> None:
    """Give back what is free."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
