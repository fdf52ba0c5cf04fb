"""Output longer than the terminal goes through a pager, as in git: LESS=FRX by default."""

from __future__ import annotations

import os
import sys

PAGER = "SMEMDESC_PAGER"
"""What stands before PAGER; --no-pager sets it to ``cat``."""


def pages() -> bool:
    """Whether there is a terminal, and the pager is not turned off."""
    pager = os.environ.get(PAGER, os.environ.get("PAGER", "less"))
    try:
        on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed
        return False
    return on_terminal and pager.strip() not in ("", "cat") and os.environ.get("TERM") not in ("dumb", "emacs")


def page(text: str, *, color: bool) -> None:
    """Show a text in the pager, in color if LESS (the default) or ``color`` allows it."""
    import click

    if PAGER in os.environ:
        os.environ["PAGER"] = os.environ[PAGER]
    less = os.environ.setdefault("LESS", "-FRX")
    sys.stdout.flush()
    click.echo_via_pager(text.removesuffix("\n"), color=color or "R" in less.upper())
