"""The house: each room imports only rooms below it, and no module imports itself in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "smemdesc"
ROOMS = (
    {"errors", "words", "phrases", "_version", "shown", "printable", "serving"},
    {"fields", "aliases", "glossary"},
    {"kinds"},
    {"values", "units", "case", "addresses", "strides", "shapes", "slips", "instruction"},
    {"layout", "mask"},
    {"matrices"},
    {"findings"},
    {"candidates", "neighbors", "identify", "quick", "explain"},
    {"decoding", "encoding"},
    {"advancing", "comparing", "tiles"},
    {"mma", "mma_options", "planning", "topics"},
    {"scan"},
    {"debugger"},
    {"render"},
    {"cli", "__main__"},
    {"web"},
)
"""From the ground up; ``docs/contributing.md`` says what is in each."""
FLOOR = {name: floor for floor, names in enumerate(ROOMS) for name in names}
HIGHER = {
    # What a finding says of a whole value, a convolution or a dump is decoded there.
    ("findings.padding", "decoding"),
    # Lists the names of all findings, wherever they are made.
    ("findings.catalog", "tiles"),
    # Examples of the rules across operands are scanned, and views are drawn where they are asked for.
    ("topics", "scan"),
    ("shown", "render"),
}
"""Imports inside functions that point upward, each with its reason."""


def _imported(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """Yield the imports that are made when the module runs: not those for type checkers alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        elif not isinstance(node, ast.expr):  # no statement is inside an expression
            waiting += ast.iter_child_nodes(node)


def _paths() -> dict[str, Path]:
    """Return where every module is."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def modules() -> dict[str, set[str]]:
    """Return every module with what it imports of the package when it runs."""
    return {
        name: {
            target
            for node in _imported(ast.parse(path.read_text()))
            if node.module and node.module.partition(".")[0] == "smemdesc"
            for target in _targets(node)
        }
        for name, path in _paths().items()
    }


def _targets(node: ast.ImportFrom) -> set[str]:
    base = (node.module or "").removeprefix("smemdesc").lstrip(".")
    out = set()
    for alias in node.names:
        inner = f"{base}.{alias.name}".lstrip(".")
        place = PACKAGE.joinpath(*inner.split("."))
        out.add(inner if place.with_suffix(".py").exists() or place.is_dir() else base)
    return out - {""}


def test_imports_point_down() -> None:
    upward = {
        (module, target)
        for module, targets in modules().items()
        if module
        for target in (each.partition(".")[0] for each in targets)
        if FLOOR[target] > FLOOR[module.partition(".")[0]]
    }
    assert upward == HIGHER


def test_there_is_no_circle_below_the_command_line() -> None:
    graph = {
        name: targets for name, targets in modules().items() if name and FLOOR[name.partition(".")[0]] < FLOOR["cli"]
    }
    graph.pop("shown")  # asks for a view when one is drawn
    order = TopologicalSorter({name: targets - {"shown"} for name, targets in graph.items()}).static_order()
    assert set(graph) <= set(order)
