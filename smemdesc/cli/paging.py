"""What is longer than a terminal goes through a pager there, as git does it: LESS=FRX where nobody has set it."""

from __future__ import annotations

import os
import sys

PAGER = "SMEMDESC_PAGER"
"""What stands before PAGER; --no-pager sets it to ``cat``."""


def pages() -> bool:
    """Whether somebody can turn pages, and has not said that there be none."""
    pager = os.environ.get(PAGER, os.environ.get("PAGER", "less"))
    try:
        on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed
        return False
    return on_terminal and pager.strip() not in ("", "cat") and os.environ.get("TERM") not in ("dumb", "emacs")


def page(text: str, *, color: bool) -> None:
    """Show a text in the pager, in color where LESS (as it is by default) or ``color`` asks for it."""
    import click

    if PAGER in os.environ:
        os.environ["PAGER"] = os.environ[PAGER]
    less = os.environ.setdefault("LESS", "-FRX")
    sys.stdout.flush()
    click.echo_via_pager(text.removesuffix("\n"), color=color or "R" in less.upper())
