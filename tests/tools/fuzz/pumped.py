"""Texts in which a regular expression has the most to do: beginnings of what it matches, again and again."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Pattern = re.Pattern[Any]
Run = Callable[[Any], object]
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CATEGORIES = {
    op.CATEGORY_DIGIT: "0",
    op.CATEGORY_NOT_DIGIT: "x.",
    op.CATEGORY_SPACE: " \n",
    op.CATEGORY_NOT_SPACE: "x0.",
    op.CATEGORY_WORD: "x0",
    op.CATEGORY_NOT_WORD: " .",
}
_SOME = " \nx0."
"""Letters that every text may have."""
_PAIRS = 3
"""Pairs of letters that are tried for each word."""
_NODES = 24
"""Parts of a pattern after which a text is cut off at the latest."""


class _CutError(Exception):
    """The text ends here."""


class Maker:
    """Makes beginnings of texts that a pattern matches."""

    def __init__(self, pattern: Pattern, seed: int) -> None:
        self.tree = parsed(pattern)
        self.random = random.Random(seed)
        self.letters = sorted({*_SOME, *_letters(self.tree)})
        self._left = 0

    def words(self, count: int) -> list[str]:
        """Return what is to be repeated: the pattern's letters, pairs of them, and beginnings of what it matches."""
        pairs = [one + other for one in self.letters for other in self.letters]
        pairs = self.random.sample(pairs, min(len(pairs), _PAIRS * count))
        return list(dict.fromkeys([*self.letters, *pairs, *filter(None, (self._word() for _ in range(count)))]))

    def _word(self) -> str:
        self._left = self.random.randrange(2, _NODES)
        out: list[str] = []
        with suppress(_CutError):
            self._sequence(self.tree, out)
        return "".join(out)

    def _sequence(self, sequence: Any, out: list[str]) -> None:
        for kind, what in sequence:
            self._left -= 1
            if not self._left:
                raise _CutError
            if kind in _REPEATS:
                least, most, inside = what
                for _ in range(min(max(least, self.random.randrange(3)), most)):
                    self._sequence(inside, out)
            elif kind is op.BRANCH:
                self._sequence(self.random.choice(what[1]), out)
            elif kind not in (op.ASSERT, op.ASSERT_NOT) and (inner := inside_of(kind, what)):
                self._sequence(inner[0], out)
            else:
                out.append(self._letter(kind, what))

    def _letter(self, kind: Any, what: Any) -> str:
        without: set[str] = set()
        if kind is op.LITERAL:
            return chr(what)
        if kind is op.NOT_LITERAL:
            without = {chr(what)}
        elif kind is op.ANY:
            without = {"\n"}
        elif kind is op.IN and what[0][0] is op.NEGATE:
            without = {each for item in what[1:] for each in _members(*item)}
        elif kind is op.IN:
            return self.random.choice([each for item in what for each in _members(*item)])
        else:
            return ""  # an anchor, or what stands around
        return self.random.choice([each for each in self.letters if each not in without] or ["~"])


def parsed(pattern: Pattern) -> Any:
    """Return a pattern as Python takes it apart."""
    text = pattern.pattern
    return parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(text, bytes) else pattern.flags)


def inside_of(kind: Any, what: Any) -> list[Any]:
    """Return the sequences inside of a part of a pattern."""
    if kind in _REPEATS:
        return [what[2]]
    if kind is op.SUBPATTERN:
        return [what[3]]
    if kind is op.ATOMIC_GROUP:
        return [what]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [what[1]]
    return list(what[1]) if kind is op.BRANCH else []


def _letters(sequence: Any) -> Iterator[str]:
    for kind, what in sequence:
        if kind in (op.LITERAL, op.NOT_LITERAL):
            yield chr(what)
        elif kind is op.IN:
            for item in what:
                yield from _members(*item)
        for each in inside_of(kind, what):
            yield from _letters(each)


def _members(kind: Any, what: Any) -> str:
    if kind is op.NEGATE:
        return ""
    if kind is op.LITERAL:
        return chr(what)
    return chr(what[0]) + chr(what[1]) if kind is op.RANGE else _CATEGORIES[what]


SHORT = (16, 200)
"""Lengths at which what takes the cube of the length, or doubles with each letter, already shows."""
LENGTHS = (1_000, 3_000, 9_000)
FAST = 150e-9
"""Seconds for a letter that need no second look: the square of a thousand letters takes more."""
SLOW = 10e-6
"""Seconds for a letter that no pattern may take."""
TIMES = 5.5
"""Three times the length may take so many times as long: the square of it is nine."""


def _taken(run: Run, text: Any, tries: int) -> float:
    def once() -> float:
        begin = time.thread_time()
        run(text)
        return time.thread_time() - begin

    return min(once() for _ in range(tries))


def grows(run: Run, text: Callable[[int], Any]) -> bool:
    """Whether a text takes longer than its length says, however long it is."""
    for length in SHORT:
        made = text(length)
        if _taken(run, made, 1) > SLOW * length and _taken(run, made, 2) > SLOW * length:
            return True
    return _grows(run, text, 1) and _grows(run, text, 3)


def _grows(run: Run, text: Callable[[int], Any], tries: int) -> bool:
    before = 0.0
    for length in LENGTHS:
        took = _taken(run, text(length), tries)
        if took <= FAST * length:
            return False
        if took > SLOW * length:
            return True
        if before and took <= TIMES * before:
            return False  # what is bounded grows at first only
        before = took
    return True


def slow(pattern: Pattern, runs: list[Run], count: int, seed: int = 0) -> tuple[str, str, str] | None:
    """Return a text that takes longer than its length says (before, what is repeated, behind); None: none is found."""
    maker = Maker(pattern, seed)
    words = maker.words(count)
    for word in words:
        for before, behind in (("", ""), ("", maker.random.choice(maker.letters)), (maker.random.choice(words), "\0")):

            def text(length: int, around: tuple[str, str, str] = (before, word, behind)) -> Any:
                made = around[0] + around[1] * (length // len(around[1]) + 1) + around[2]
                return made.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else made

            if any(grows(run, text) for run in runs):
                return before, word, behind
    return None
