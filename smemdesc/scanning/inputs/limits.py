"""How much memory the scan of one function may take."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

from smemdesc.engine.errors import SmemdescError

MEMORY_BYTES = 300_000_000
"""The most bytes that the whole process may have while one function is scanned."""
_LEAST = MEMORY_BYTES // 3
"""The bytes that a function may take in any case, however much the process already has."""
_MAP_FROM = -3
"""``M_MMAP_THRESHOLD`` of glibc's malloc.h."""
_LARGE = 1 << 18
"""Blocks of at least this many bytes are mapped separately, and returned to the system when they are freed."""


class _MemoryStatus:
    limited = False
    """Whether there is a limit: only in a process of our own, since all of its threads share the limit."""


def limit() -> None:
    """Limit the memory that a function takes, in this process and in those that are forked from it later."""
    _MemoryStatus.limited = True
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        # By default glibc allocates larger and larger blocks, in the end whole cubins, between small blocks that live
        # longer, and cannot return the holes that they leave. Other C libraries have no mallopt.
        ctypes.CDLL(None).mallopt(_MAP_FROM, _LARGE)


def _most() -> int | None:
    """Return the most bytes of addresses that this process may have; None if the system does not report its size."""
    try:
        import resource

        with open("/proc/self/statm", "rb") as stream:
            addresses, resident = (int(pages) * resource.getpagesize() for pages in stream.read().split()[:2])
        return addresses + max(MEMORY_BYTES - resident, _LEAST)
    except (ImportError, OSError, ValueError):
        return None


@contextmanager
def bounded() -> Iterator[None]:
    """Scan one function in bounded memory, without garbage collection: all its objects are needed until the end.

    Raises :class:`SmemdescError` if it would take more than :data:`MEMORY_BYTES` bytes.
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
        raise SmemdescError(
            f"a function that takes more than {MEMORY_BYTES // 1_000_000} MB to scan is not scanned"
        ) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
