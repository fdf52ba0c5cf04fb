"""Ranges that are drawn with their first and last member, and numbers that must be within one."""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError


def span(first: int, count: int) -> tuple[int, int]:
    """Return first and last of so many."""
    return first, first + count - 1


def within(what: str, number: int, count: int) -> None:
    """Refuse a number outside ``0..count - 1``. :class:`SmemdescError`."""
    if not 0 <= number < count:
        there = f"it is {what} 0" if count == 1 else f"{what} is 0 to {count - 1}"
        raise SmemdescError(f"there is no {what} {number}", hint=there)
