"""What ``scan`` shows of a file: the overview, then functions; which of them, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.engine.wording import many
from smemdesc.instructions.mma import Judge
from smemdesc.render.console import on, show
from smemdesc.render.parts import beside
from smemdesc.render.scan import FunctionView, Values
from smemdesc.render.scan_overview import Overview
from smemdesc.scanning.choosing import Choice, Looked
from smemdesc.scanning.folding import Row, Tally, fold
from smemdesc.scanning.model import Function, Part

FEW = 4
"""Functions with MMAs up to which a file is shown whole."""
LISTED = 10
"""Functions with errors or warnings that are listed before the rest is counted."""


class Asked(NamedTuple):
    """What was asked to be shown."""

    every: bool = False
    """Each function and each instruction."""
    wanted: str | None = None
    """The pattern that functions' names were to fit."""
    order: str | None = None
    """One of :data:`smemdesc.kinds.names.ORDERS`; None: as in the file, or, where not all are listed, the worst
    first."""
    choice: Choice = Choice()

    @property
    def whole(self) -> bool:
        """Whether every function is listed, however many there are."""
        return self.every or self.wanted is not None or self.order is not None


ALL = Asked()
NONE = Looked()


class Key(NamedTuple):
    """What decides whether and where a function is listed."""

    number: int
    name: str
    errors: int
    warnings: int
    known: float
    """The share of the descriptors' bits that is known, but for start addresses."""

    @property
    def grave(self) -> bool:
        """Whether an error or a warning was found."""
        return bool(self.errors or self.warnings)


def key_of(number: int, function: Function, rows: Sequence[Row]) -> Key:
    """Return the key of a function."""
    counts = {"error": 0, "warning": 0, "note": 0}
    for row in rows:
        for (severity, _), times in row.times.items():
            counts[severity] += times
    alone = Tally()
    alone.add(function, rows)
    bits = sum(alone.bits.values())
    known = sum(alone.known.values()) / bits if bits else 0.0
    return Key(number, function.name or "", counts["error"], counts["warning"], known)


def listed(keys: Sequence[Key], asked: Asked) -> list[int]:
    """Return the places (in ``keys``) of the functions that are listed, in their order."""
    places = range(len(keys))
    if asked.whole or len(keys) <= FEW:
        return sorted(places, key=lambda place: _rank(keys[place], asked.order or "line"))
    grave = [place for place in places if keys[place].grave]
    return sorted(grave, key=lambda place: _rank(keys[place], "findings"))[:LISTED]


def _rank(key: Key, order: str) -> tuple[int | float | str, ...]:
    if order == "findings":
        return -key.errors, -key.warnings, key.number
    if order == "known":
        return key.known, key.number
    return (key.name, key.number) if order == "name" else (key.number,)


class Rest(NamedTuple):
    """What is said of the functions that are not listed."""

    keys: Sequence[Key]
    shown: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        left = len(self.keys) - self.shown
        if not left:
            return
        grave = sum(key.grave for key in self.keys) - self.shown
        parts = [f"{many(grave, 'function')} with errors or warnings"] if grave else []
        if left > grave:
            parts.append(f"{many(left - grave, 'function')} without errors and warnings")
        yield Text()
        yield beside("not listed: ", f"{' and '.join(parts)}; --function '*' lists them, --all each instruction, too")


class Report:
    """Writes what is shown of each file. The overview stands first and is known last: functions wait in a file."""

    def __init__(self, out: Console, judge: Judge, asked: Asked) -> None:
        self.out = out
        self.judge = judge
        self.asked = asked
        self.tally = Tally()
        self._files = 0
        self._open()

    def _open(self) -> None:
        self.tally = Tally()
        self._keys: list[Key] = []
        self._values: list[Values] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._body: SpooledTemporaryFile[bytes] | None = None
        self._end = 0

    def add(self, part: Part, looked: Looked) -> None:
        """Count what a stretch of the file holds, but for its functions."""
        self.tally.take(part, looked)
        if part.values:
            self._values.append(Values(part.values))

    def function(self, function: Function) -> None:
        """Take a function; one that may be listed is drawn."""
        rows = fold(function, self.judge, self.asked.choice)
        self.tally.add(function, rows)
        key = key_of(len(self._keys), function, rows)
        self._keys.append(key)
        if self.asked.whole or key.grave or key.number < FEW:
            drawn = StringIO()
            show(on(drawn, self.out), FunctionView(function, rows, self.asked.every))
            text = drawn.getvalue().encode("utf-8", "surrogatepass")
            if self._body is None:
                self._body = SpooledTemporaryFile(_SPOOL, mode="w+b")  # noqa: SIM115
            self._body.write(text)
            self._places[key.number] = self._end, len(text)
            self._end += len(text)

    def end(self, name: str, note: str = "") -> Tally:
        """Write the file's overview and functions, and return what was counted; ``note`` says what was read."""
        out, asked = self.out, self.asked
        if self._files:
            out.file.write("\n")
        self._files += 1
        choice = asked.choice
        only = tuple(sorted(choice.only))
        show(out, Overview(name, self.tally, asked.wanted, asked.every, only, choice.kind, note))
        places = listed(self._keys, asked)
        for place in places:
            at, size = self._places[place]
            assert self._body is not None
            self._body.seek(at)
            out.file.write(self._body.read(size).decode("utf-8", "surrogatepass"))
        show(out, Rest(self._keys, len(places)), *self._values)
        self.close()
        tally = self.tally
        self._open()
        return tally

    def close(self) -> None:
        """Give up what waits."""
        if self._body is not None:
            self._body.close()


_SPOOL = 4_000_000


class PartView:
    """A scanned file: its overview and its functions, with what else may be a descriptor."""

    def __init__(self, part: Part, name: str = "", asked: Asked = ALL, looked: Looked = NONE) -> None:
        judge = Judge()
        self.tally = tally = Tally()
        tally.take(part, looked)
        keys: list[Key] = []
        views: list[FunctionView] = []
        for function in part.functions:
            rows = fold(function, judge, asked.choice)
            tally.add(function, rows)
            keys.append(key_of(len(keys), function, rows))
            views.append(FunctionView(function, rows, asked.every))
        places = listed(keys, asked)
        choice = asked.choice
        self.views: tuple[RenderableType, ...] = (
            Overview(name, tally, asked.wanted, asked.every, tuple(sorted(choice.only)), choice.kind),
            *(views[place] for place in places),
            Rest(keys, len(places)),
            Values(part.values),
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from self.views
