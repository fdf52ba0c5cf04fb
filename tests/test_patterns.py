"""The regular expressions of the package take linear time: no repeat competes with another for the same characters."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import smemdesc

ROOT = Path(smemdesc.__file__).parent
ALL = (1 << 256) - 1
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


def parts(node: tuple[Any, Any]) -> list[Any]:
    """The sequences inside of a node."""
    kind, what = node
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [what[2]]
    if kind is op.SUBPATTERN:
        return [what[3]]
    if kind is op.ATOMIC_GROUP:
        return [what]
    if kind is op.BRANCH:
        return list(what[1])
    return []


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
    return union(characters(each) for inside in parts(node) for each in inside)


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
    inside = parts(node)
    return bool(inside) and any(all(map(optional, each)) for each in inside)


def firsts(sequence: Any) -> int:
    """The characters that a sequence may begin with."""
    found = 0
    for node in sequence:
        kind, _ = node
        if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
            continue
        inside = parts(node)
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
            found |= union(tails(each) for each in parts(node))
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
            found |= union(leading(each) for each in parts(node))
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
        for each in parts(node):
            yield from faults(each)


def patterns() -> dict[str, re.Pattern[Any]]:
    """All of the package: those that modules keep, and those written where they are used."""
    found: dict[str, re.Pattern[Any]] = {}

    def keep(name: str, thing: Any) -> None:
        if isinstance(thing, re.Pattern):
            found[name] = thing
        elif isinstance(thing, dict):
            for key, each in thing.items():
                keep(f"{name}[{key}]", each)
        elif isinstance(thing, (tuple, list)):
            for place, each in enumerate(thing):
                keep(f"{name}[{place}]", each)

    for module in pkgutil.walk_packages(smemdesc.__path__, "smemdesc."):
        if module.name.endswith(("__main__", ".cuda_gdb")):  # that one runs within the debugger
            continue
        for name, thing in vars(importlib.import_module(module.name)).items():
            keep(f"{module.name}.{name}", thing)
    for file in ROOT.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and isinstance(call.func.value, ast.Name)
                and call.func.value.id == "re"
                and call.args
                and isinstance(call.args[0], ast.Constant)
            ):
                found[f"{file.relative_to(ROOT)}:{call.lineno}"] = re.compile(call.args[0].value)
    return found


def judged(pattern: re.Pattern[Any]) -> list[str]:
    text = pattern.pattern
    flags = pattern.flags
    return sorted(set(faults(parser.parse(text, flags & ~re.UNICODE if isinstance(text, bytes) else flags))))


@pytest.mark.parametrize("bad", [r"(a+)+", r"(?:\w+\s*)*x", r"\s*a?\s*", r"\d+[0-9]*", r"(?:ab*)*b*", r"(x|\w+)*y"])
def test_what_takes_long_is_told(bad: str) -> None:
    assert judged(re.compile(bad))


@pytest.mark.parametrize(
    "good", [r"(?:\.\w+)*", r"\s*+\s*", r"(?>a+)a*", r"\d+:\d+", r"(?:[^,]++|,)*", r"a+b+", "a{1,5}a*"]
)
def test_what_does_not_is_not(good: str) -> None:
    assert judged(re.compile(good)) == []


@pytest.mark.corpus
def test_no_repeat_competes_with_another() -> None:
    every = patterns()
    assert len(every) > 100
    assert {name: found for name, each in every.items() if (found := judged(each))} == {}
