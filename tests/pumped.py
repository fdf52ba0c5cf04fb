"""Texts in which a regular expression has the most to do: what it matches, cut off anywhere, again and again."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Pattern = re.Pattern[Any]
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CATEGORIES = {
    op.CATEGORY_DIGIT: "0",
    op.CATEGORY_NOT_DIGIT: "x.",
    op.CATEGORY_SPACE: " \n",
    op.CATEGORY_NOT_SPACE: "x0.",
    op.CATEGORY_WORD: "x0",
    op.CATEGORY_NOT_WORD: " .",
}


class Cut(Exception):
    """The text ends here."""


class Maker:
    """Makes texts that a pattern matches, or the beginnings of such texts."""

    def __init__(self, pattern: Pattern, seed: int) -> None:
        text = pattern.pattern
        self.tree = parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(text, bytes) else pattern.flags)
        self.random = random.Random(seed)
        self.left = 1 << 30
        self.letters = sorted({*" \nx0.", *_letters(self.tree)})

    def words(self, count: int) -> list[str]:
        """Return what is to be repeated: each letter of the pattern, and random beginnings of what it matches."""
        found = dict.fromkeys(self.letters)
        for _ in range(count):
            self.left = self.random.randrange(2, 24)
            out: list[str] = []
            try:
                self._sequence(self.tree, out)
            except Cut:
                pass
            found["".join(out)] = None
        return [word for word in found if word]

    def _sequence(self, sequence: Any, out: list[str]) -> None:
        for kind, what in sequence:
            self.left -= 1
            if not self.left:
                raise Cut
            self._node(kind, what, out)

    def _node(self, kind: Any, what: Any, out: list[str]) -> None:
        if kind is op.LITERAL:
            out.append(chr(what))
        elif kind is op.NOT_LITERAL:
            out.append(self.random.choice([each for each in self.letters if each != chr(what)]))
        elif kind is op.ANY:
            out.append(self.random.choice([each for each in self.letters if each != "\n"]))
        elif kind is op.IN:
            out.append(self._one_of(what))
        elif kind in _REPEATS:
            least, most, inside = what
            for _ in range(min(max(least, self.random.randrange(3)), most)):
                self._sequence(inside, out)
        elif kind is op.SUBPATTERN:
            self._sequence(what[3], out)
        elif kind is op.ATOMIC_GROUP:
            self._sequence(what, out)
        elif kind is op.BRANCH:
            self._sequence(self.random.choice(what[1]), out)

    def _one_of(self, items: Any) -> str:
        if items[0][0] is op.NEGATE:
            without = {each for item in items[1:] for each in _members(*item)}
            return self.random.choice([each for each in self.letters if each not in without] or ["~"])
        return self.random.choice([each for item in items for each in _members(*item)])


def _members(kind: Any, what: Any) -> str:
    if kind is op.LITERAL:
        return chr(what)
    if kind is op.RANGE:
        return chr(what[0]) + chr(what[1])
    return _CATEGORIES[what]


def _letters(tree: Any) -> Iterator[str]:
    for kind, what in tree:
        if kind in (op.LITERAL, op.NOT_LITERAL):
            yield chr(what)
        elif kind is op.IN:
            for item in what:
                if item[0] is not op.NEGATE:
                    yield from _members(*item)
        elif kind in _REPEATS:
            yield from _letters(what[2])
        elif kind is op.SUBPATTERN:
            yield from _letters(what[3])
        elif kind in (op.ATOMIC_GROUP,):
            yield from _letters(what)
        elif kind is op.BRANCH:
            for each in what[1]:
                yield from _letters(each)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _letters(what[1])


def ways(pattern: Pattern, searched: bool) -> list[Callable[[Any], object]]:
    """Return what is done with a text: a search for all of it, or only a look at its beginning."""
    every: list[Callable[[Any], object]] = [pattern.match, pattern.fullmatch]
    return [lambda text: sum(1 for _ in pattern.finditer(text))] if searched else every


def taken(run: Callable[[Any], object], text: Any) -> float:
    begin = time.thread_time()
    run(text)
    return time.thread_time() - begin


SHORT, LONG = 2_000, 32_000


def growth(pattern: Pattern, run: Callable[[Any], object], head: str, word: str, tail: str) -> float:
    """Return how many seconds a long text takes, where that is more than its length says; 0 elsewhere."""

    def text(length: int) -> Any:
        made = head + word * (length // len(word) + 1) + tail
        return made.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else made

    short = text(SHORT)
    few = min(taken(run, short) for _ in range(1))
    if few < 100e-9 * SHORT:
        return 0.0
    few = min(taken(run, short) for _ in range(3))
    if few < 100e-9 * SHORT:
        return 0.0
    many = taken(run, text(LONG // 4))
    return many if many > 2.5 * (LONG / 4 / SHORT) * few / 1.25 or many > 5e-6 * LONG / 4 else 0.0


def worst(pattern: Pattern, searched: bool, count: int = 60, seed: int = 0) -> tuple[float, tuple[str, str, str]]:
    """Return the seconds of the text that takes longer than its length says, and the text: what is repeated."""
    maker = Maker(pattern, seed)
    words = maker.words(count)
    found = (0.0, ("", "", ""))
    for word in words:
        for head in ("", maker.random.choice(words)):
            for tail in ("", "\n", "\0"):
                for run in ways(pattern, searched):
                    found = max(found, (growth(pattern, run, head, word, tail), (head, word, tail)))
        if found[0]:
            break
    return found
