"""The regular expressions of the package take linear time: no repeat competes with another for the same characters."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest
from fuzz import pumped
from fuzz.pumped import inside_of, parsed
from samples import long_run
from tables import every_row

import smemdesc
from smemdesc.reading import code, map_arguments, map_source
from smemdesc.render import constants
from smemdesc.scanning.inputs import literals, mentions, strip

ROOT = Path(smemdesc.__file__).parent
ALL = (1 << 256) - 1
WORDS = 30
"""Beginnings of what a pattern matches that are repeated."""
_CLASSES = {
    op.CATEGORY_DIGIT: re.compile(rb"\d"),
    op.CATEGORY_NOT_DIGIT: re.compile(rb"\D"),
    op.CATEGORY_SPACE: re.compile(rb"\s"),
    op.CATEGORY_NOT_SPACE: re.compile(rb"\S"),
    op.CATEGORY_WORD: re.compile(rb"\w"),
    op.CATEGORY_NOT_WORD: re.compile(rb"\W"),
}


def category(name: Any) -> int:
    return sum(1 << code for code in range(256) if _CLASSES[name].match(bytes([code])))


def one_of(items: Any) -> int:
    """The characters of a class, as bits (all beyond 255 stand for none)."""
    found, negated = 0, False
    for kind, what in items:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.LITERAL:
            found |= 1 << what if what < 256 else 0
        elif kind is op.RANGE:
            found |= sum(1 << code for code in range(what[0], min(what[1], 255) + 1))
        elif kind is op.CATEGORY:
            found |= category(what)
    return ALL & ~found if negated else found


def characters(node: tuple[Any, Any]) -> int:
    """The characters that a node may match, anywhere in it."""
    kind, what = node
    if kind is op.LITERAL:
        return 1 << what if what < 256 else 0
    if kind is op.NOT_LITERAL:
        return ALL & ~(1 << what if what < 256 else 0)
    if kind is op.ANY:
        return ALL & ~(1 << 10)
    if kind is op.IN:
        return one_of(what)
    return union(characters(each) for inside in inside_of(*node) for each in inside)


def union(sets: Iterator[int]) -> int:
    found = 0
    for each in sets:
        found |= each
    return found


def optional(node: tuple[Any, Any]) -> bool:
    kind, what = node
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return what[0] == 0 or all(map(optional, what[2]))
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return True
    inside = inside_of(*node)
    return bool(inside) and any(all(map(optional, each)) for each in inside)


def firsts(sequence: Any) -> int:
    """The characters that a sequence may begin with."""
    found = 0
    for node in sequence:
        kind, _ = node
        if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
            continue
        inside = inside_of(*node)
        found |= union(firsts(each) for each in inside) if inside else characters(node)
        if not optional(node):
            break
    return found


def tails(sequence: Any) -> int:
    """The characters of the unbounded repeats that may give back at the end of a sequence."""
    found = 0
    for node in reversed(list(sequence)):
        kind, what = node
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            found |= tails(what[2]) | (firsts(what[2]) if what[1] is op.MAXREPEAT else 0)
        elif kind in (op.SUBPATTERN, op.BRANCH):
            found |= union(tails(each) for each in inside_of(*node))
        if not optional(node):
            break
    return found


def leading(sequence: Any) -> int:
    """The characters of the unbounded repeats at the beginning of a sequence."""
    found = 0
    for node in sequence:
        kind, what = node
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and what[1] is op.MAXREPEAT:
            found |= firsts(what[2])
        else:
            found |= union(leading(each) for each in inside_of(*node))
        if not optional(node):
            break
    return found


def faults(sequence: Any) -> Iterator[str]:
    """Say where a repeat competes with another."""
    nodes = list(sequence)
    for place, node in enumerate(nodes):
        kind, what = node
        loose = tails([node])
        if loose & leading(nodes[place + 1 :]):
            yield "adjacent repeats"
        # Where what is repeated ends in a repeat, nothing else may tell where the next round begins.
        repeats = kind in (op.MAX_REPEAT, op.MIN_REPEAT) and what[1] is op.MAXREPEAT
        if repeats and tails(what[2]) & firsts(what[2]):
            yield "nested repeats"
        for each in inside_of(*node):
            yield from faults(each)


class Use(NamedTuple):
    """A pattern, and by which methods it is used; empty: not known, so by all."""

    pattern: re.Pattern[Any]
    methods: frozenset[str]

    def runs(self) -> list[Callable[[Any], object]]:
        """What is done with a text: it is searched all through, taken apart from its beginning, or looked at once."""
        if not self.methods or self.methods - {"match", "fullmatch", AT}:
            return [lambda text: sum(1 for _ in self.pattern.finditer(text))]
        runs = {"match": self.pattern.match, "fullmatch": self.pattern.fullmatch, AT: self._taken_apart}
        return [runs[method] for method in sorted(self.methods)]

    def _taken_apart(self, text: Any) -> None:
        at = 0
        while (found := self.pattern.match(text, at)) is not None and found.end() > at:
            at = found.end()


AT = "match at"
"""A match at a place within a text."""
MADE = {
    ("scanning/inputs/strip.py", "_pattern"): [
        strip._pattern(each) for each in (b"[12:34] INFO 7: ", b"12-", b"a\t b  c|")
    ],
    ("scanning/inputs/literals.py", "_change_of"): [literals._change_of(b"desc")],
    ("scanning/inputs/mentions.py", "_pattern"): [mentions._pattern()],
    ("reading/code.py", "_blanked"): [re.compile(code._COMMENT)],
    ("reading/code.py", "word_name"): [re.compile(pattern) for pattern in code._NAMES_OF_WORDS],
    ("reading/map_arguments.py", "printed_calls"): [re.compile(each.mark) for each in map_arguments.LIBRARIES],
    ("reading/map_source.py", "value"): [re.compile(pattern) for pattern, _ in map_source._CASTS],
    ("render/constants.py", "check_name"): [
        re.compile(each) for names in constants._NAMES.values() for each in (names.pattern, names.reserved)
    ],
}
"""Patterns that a function is given or makes, by the function."""


def kept() -> Iterator[tuple[str, str, re.Pattern[Any]]]:
    """Yield the patterns that modules keep, whatever they keep them in: where, by what name, and the pattern."""

    def held(thing: Any) -> Iterator[re.Pattern[Any]]:
        thing = getattr(thing, "__self__", thing)  # a method of a pattern
        if isinstance(thing, re.Pattern):
            yield thing
        for each in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (tuple, list)) else ():
            yield from held(each)

    for module in pkgutil.walk_packages(smemdesc.__path__, "smemdesc."):
        if module.name.endswith(("__main__", ".cuda_gdb", ".server")):
            continue  # the second runs within the debugger, the third with pygls
        for name, thing in vars(importlib.import_module(module.name)).items():
            for each in held(thing):
                yield module.name, name, each


def walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str | None]]:
    """Yield all nodes, each with the function that it stands in."""
    left: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while left:
        node, within = left.pop()
        yield node, within
        within = node.name if isinstance(node, ast.FunctionDef) else within
        left += [(child, within) for child in ast.iter_child_nodes(node)]


def used(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield a name (the last part of it) and the attribute that is asked of it."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
        of = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
        yield of, node.attr
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1:
        yield getattr(node.func.value, "id", ""), AT if node.func.attr in ("match", "fullmatch") else ""


@cache
def patterns() -> dict[str, Use]:
    """All of the package, each with how it is used: those that modules keep, and those written where they are used."""
    methods: dict[tuple[str, str], set[str]] = {}
    found: dict[str, Use] = {}
    keeping = list(kept())
    modules = {module for module, *_ in keeping}
    for file in ROOT.rglob("*.py"):
        path = file.relative_to(ROOT)
        module = ".".join(("smemdesc", *path.with_suffix("").parts)).removesuffix(".__init__")
        text = file.read_text(encoding="utf-8")
        for node, within in walk(ast.parse(text)) if module in modules or "re." in text else ():
            for name, method in used(node):
                methods.setdefault((module, name), set()).add(method)
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and getattr(node.func.value, "id", "") == "re"
                and node.func.attr != "escape"
            ):
                found |= written(node, within, f"{path}:{node.lineno}", module)
    every: dict[int, tuple[str, re.Pattern[Any], set[str]]] = {}
    for module, name, each in keeping:
        _, _, by = every.setdefault(id(each), (f"{module}.{name}", each, set()))
        by |= methods.get((module, name), set()) & {*dir(each), AT}
    return found | {name: Use(each, frozenset(by)) for name, each, by in every.values()}


def written(call: ast.Call, within: str | None, where: str, module: str) -> dict[str, Use]:
    """Return the patterns of a call of ``re``; :class:`AssertionError` where they cannot be told."""
    method = call.func.attr  # type: ignore[attr-defined]
    path = where.partition(":")[0]
    if method == "compile" and within is None:
        return {}  # the module keeps it
    if (path, within) in MADE:
        used = frozenset({method} - {"compile"})
        return {f"{where}[{n}]": Use(each, used) for n, each in enumerate(MADE[path, within])}
    first = call.args[0]
    try:
        text = ast.literal_eval(first)
    except ValueError:
        names = vars(importlib.import_module(module)) if module != "smemdesc.debugger.cuda_gdb" else {}
        text = eval(ast.unparse(first), dict(names))
    flags = next((eval(ast.unparse(each)) for each in call.args[4 if method in ("sub", "subn") else 2 :]), 0)
    return {where: Use(re.compile(text, flags), frozenset({method}))}


def judged(pattern: re.Pattern[Any]) -> list[str]:
    return sorted(set(faults(parsed(pattern))))


@every_row("bad", [r"(a+)+", r"(?:\w+\s*)*x", r"\s*a?\s*", r"\d+[0-9]*", r"(?:ab*)*b*", r"(x|\w+)*y"])
def test_what_takes_long_is_told(bad: str) -> None:
    assert judged(re.compile(bad))


@every_row("good", [r"(?:\.\w+)*", r"\s*+\s*", r"(?>a+)a*", r"\d+:\d+", r"(?:[^,]++|,)*", r"a+b+", "a{1,5}a*"])
def test_what_does_not_is_not(good: str) -> None:
    assert judged(re.compile(good)) == []


@pytest.mark.slow
def test_no_repeat_competes_with_another() -> None:
    every = patterns()
    assert len(every) > 300
    assert {name: found for name, each in every.items() if (found := judged(each.pattern))} == {}


@pytest.mark.parametrize(
    "bad",
    [
        r"(a+)+b",
        *map(long_run, (r"\s*,", r"call .*wgmma", r"<[^>]*>", r"\w+=", r"(?m)^\s*x", r"(?:a b)*c")),
        long_run(r"\"(?:[^\"\\]|\\.)*\""),
    ],
)
def test_a_search_that_looks_far_from_every_place_is_told(bad: str) -> None:
    # Times are measured: on a busy machine one of them may hide what the others show.
    runs = Use(re.compile(bad), frozenset()).runs()
    assert any(pumped.slow(re.compile(bad), runs, 20, seed) for seed in range(3))


@pytest.mark.parametrize("good", [r"(?<!\s)\s*+,", r"call [^\n]{0,99}wgmma", r"<[^<>]*>", r"\b\w++=", r"(?m)^[ \t]*x"])
def test_a_search_that_does_not_is_not(good: str) -> None:
    assert pumped.slow(re.compile(good), Use(re.compile(good), frozenset()).runs(), 20) is None


YET = {
    "smemdesc.scanning.languages.sass.pasted_listing._ENDED",  # linear up to the last semicolon, where its search ends
}
"""Patterns that take more than linear time on some text: none may join them."""


@pytest.mark.corpus
def test_time_grows_with_the_length_of_the_text() -> None:
    every = sorted(patterns().items())
    slow = {name: found for name, each in every if (found := pumped.slow(each.pattern, each.runs(), WORDS))}
    assert {name: found for name, found in slow.items() if name not in YET} == {}
