"""How much memory the scan of one function may take."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

from smemdesc.engine.errors import SmemdescError

MOST = 300_000_000
"""Bytes of the process while one function is scanned, all told."""
_LEAST = MOST // 3
"""A function may take so many, whatever else the process holds."""
_MAP_FROM = -3
"""``M_MMAP_THRESHOLD`` of glibc's malloc.h."""
_LARGE = 1 << 18
"""Bytes from which on a block is mapped by itself, and goes back to the system when it is freed."""


class _MemoryStatus:
    limited = False
    """Whether there is a limit: only where the process is ours, for all of its threads share it."""


def limit() -> None:
    """Set a limit to the memory that a function takes, here and in processes that are forked from now on."""
    _MemoryStatus.limited = True
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        # Of its own accord glibc takes ever larger blocks, at last whole cubins, from between small ones that live
        # longer, and cannot give back the holes that they leave. Other C libraries have no mallopt.
        ctypes.CDLL(None).mallopt(_MAP_FROM, _LARGE)


def _most() -> int | None:
    """Return how many bytes of addresses this process may come to; None where the system does not say what it has."""
    try:
        import resource

        with open("/proc/self/statm", "rb") as stream:
            addresses, resident = (int(pages) * resource.getpagesize() for pages in stream.read().split()[:2])
        return addresses + max(MOST - resident, _LEAST)
    except (ImportError, OSError, ValueError):
        return None


@contextmanager
def bounded() -> Iterator[None]:
    """Scan one function in bounded memory, and look for no garbage: all that is made of it is needed to its end.

    Raises :class:`SmemdescError` where it would take more than :data:`MOST` bytes.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        most = _most() if _MemoryStatus.limited else None
        with nullcontext() if most is None else _limited(most):
            yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _limited(most: int) -> Iterator[None]:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= before[0] < most:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    except MemoryError:
        raise SmemdescError(f"a function that takes more than {MOST // 1_000_000} MB to scan is not scanned") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
