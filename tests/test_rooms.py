"""The house: each module imports only modules below it, and no module imports itself in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "smemdesc"
ROOMS = (
    "engine",
    "kinds",
    "layout",
    "rules",
    "descriptors",
    "tiles",
    "instructions",
    "scanning",
    "explanations",
    "api",
    "integrations.debugger",
    "integrations.serving",
    "render",
    "integrations.pytest_plugin",
    "cli",
    "integrations.page",
    "integrations.compiled",
    "integrations.triton",
    "integrations.cute",
)
"""From the ground up; ``docs/contributing.md`` says what is in each."""
ABOVE = {"", "__main__", "_version", "integrations"}
"""Those that stand beside them: the API, the program, the version, a package that holds modules."""


def _imported(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """Yield every import but those for type checkers alone; inside functions, too."""
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
    return out - ABOVE


def _floor(module: str) -> int:
    return next(floor for floor, room in enumerate(ROOMS) if f"{module}.".startswith(f"{room}."))


def test_every_module_is_in_a_room() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py", "_version.py"}
    assert {room.partition(".")[0] for room in ROOMS} == {
        path.name
        for path in PACKAGE.iterdir()
        if any(path.rglob("*.py"))  # a folder that was left may hold what was compiled
    }


def test_imports_point_down() -> None:
    upward = {
        (module, target)
        for module, targets in modules().items()
        if module not in ABOVE
        for target in targets
        if _floor(target) > _floor(module)
    }
    assert not upward


def test_there_is_no_circle_below_the_command_line() -> None:
    below = {name: targets for name, targets in modules().items() if name not in ABOVE and _floor(name) < _floor("cli")}
    assert set(below) <= set(TopologicalSorter(below).static_order())
