"""A progress bar on standard error, for long input on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smemdesc.scan.running import Found

_LONG = 16_000_000
"""Bytes from which on a scan takes long enough to say how far it is."""


def progress(found: Iterable[Found], files: Iterable[str], color: str = "auto") -> Iterator[Found]:
    """Pass on what is found; where standard error is a terminal and the files are long, draw how far it is."""
    size = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
    if size < _LONG or sys.stderr is None or not sys.stderr.isatty():
        yield from found
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from smemdesc.render.console import stderr

    # The scan starts its processes with its first answer; the bar draws in a thread, which they must not inherit.
    iterator = iter(found)
    first = next(iterator, None)
    if first is None:
        return
    columns = BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=stderr(color), transient=True) as bar:
        task = bar.add_task("scan", total=size)
        for each in chain((first,), iterator):
            bar.update(task, completed=each.done)
            yield each
