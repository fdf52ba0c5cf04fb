"""Requests to the debugger, and values to show."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, join_words, ones

AnswerDict = Mapping[str, Any]


class Question(NamedTuple):
    """A request to the debugger: a method of ``Debugger`` in ``cuda_gdb.py``, and its arguments."""

    what: str
    arguments: tuple[tuple[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the message for the pipe."""
        return {"ask": self.what, **dict(self.arguments)}


Session = Generator[Any, AnswerDict, None]


class DecodeQuestion(NamedTuple):
    """A value for ``smemdesc decode``, with its options."""

    value: str
    options: tuple[str, ...]


class PlainLine(NamedTuple):
    """A line to print as it is."""

    text: str


def ask(what: str, **arguments: Any) -> Generator[Any, AnswerDict, Any]:
    """Ask; :class:`smemdesc.engine.errors.SmemdescError` if the debugger returns an error."""
    answer = yield Question(what, tuple(arguments.items()))
    if "error" in answer:
        raise SmemdescError(f"the debugger says: {answer['error']}")
    return answer


def pair(register: str, number: int) -> Generator[Any, AnswerDict, int | None]:
    """Return the 64 bits of two registers, ``$UR8`` and ``$UR9``; None if they have no value."""
    names = [f"${register}{index}" for index in (number, number + 1)]
    low, high = (yield from ask("values", expressions=names))["values"]
    return None if None in (low, high) else join_words(high & ones(WORD), low & ones(WORD))
