"""A progress bar on standard error, for long input on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from smemdesc.scanning.inputs.files import ChunkResult

T = TypeVar("T")
_LONG = 2.0
"""Seconds after which a scan shows its progress."""
_LARGE = 16_000_000
"""Bytes of input that probably take that long."""
_OFTEN = 0.1
"""Seconds between updates."""
_NAME = 40
"""The most characters of a file's name that are shown."""


def counted(items: Sequence[T], color: str = "auto") -> Iterator[T]:
    """Yield the items of a long list; draw how many are done if standard error is a terminal."""
    terminal = sys.stderr
    if terminal is None or not terminal.isatty():
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from smemdesc.render.console import stderr

    bar = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=stderr(color), transient=True)
    with bar:
        yield from bar.track(items)


def progress(results: Iterable[ChunkResult], color: str = "auto") -> Generator[ChunkResult]:
    """Yield the results unchanged; draw the progress if standard error is a terminal and the scan is long."""
    terminal = sys.stderr
    if terminal is None or not terminal.isatty():
        yield from results
        return
    iterator = iter(results)
    begin = monotonic()
    for result in iterator:
        yield result
        if sys.stderr is terminal and (result.total > _LARGE or monotonic() - begin > _LONG):
            break
    else:
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from smemdesc.engine.wording import printable
    from smemdesc.render.console import stderr

    columns = BarColumn(), DownloadColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False)
    # Not drawn by a thread: the worker processes of the scan must not inherit one.
    console = stderr(color)
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
    try:
        bar.start()
        task = bar.add_task(printable(result.name)[-_NAME:], total=result.total, completed=result.done)
        drawn = 0.0
        for result in iterator:
            if monotonic() - drawn > _OFTEN:
                drawn = monotonic()
                bar.update(task, completed=result.done, description=printable(result.name)[-_NAME:], refresh=True)
            if result.last:
                # The output about this file must not be mixed with the progress bar.
                bar.stop()
            yield result
            if sys.stderr is not terminal:  # a pager has the screen
                break
            if result.last:
                bar.start()
    finally:
        # An interrupt may arrive while the bar starts, after the cursor was hidden.
        with suppress(IndexError):
            bar.stop()
        console.show_cursor()
    yield from iterator
