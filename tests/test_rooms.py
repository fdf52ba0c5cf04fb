"""The house: each module imports only modules below it, and no module imports itself in a circle."""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "smemdesc"
ROOMS = (
    "engine",
    "kinds",
    "reading",
    "layout",
    "rules",
    "descriptors",
    "tiles",
    "instructions",
    "probe",
    "explanations",
    "scanning.model",
    "scanning.analysis",
    "scanning.shared_memory",
    "scanning.languages",
    "scanning.inputs",
    "scanning.results",
    "scanning",
    "api",
    "debugger",
    "render",
    "cli",
    "integrations",
)
"""From the ground up; ``docs/contributing.md`` says what is in each."""
ABOVE = {"", "__main__", "_version"}
"""Those that stand beside them: the package's names, the program, the version."""


@cache
def _paths() -> dict[str, Path]:
    """Return where every module is."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def _nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def modules() -> dict[str, set[str]]:
    """Return every module with what it imports of the package, also for types alone and inside functions."""
    return {
        name: {
            target
            for node in _nodes(path)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "smemdesc"
            for target in _targets(node)
        }
        - {name}
        for name, path in _paths().items()
    }


def _targets(node: ast.ImportFrom) -> set[str]:
    base = (node.module or "").removeprefix("smemdesc").lstrip(".")
    out = set()
    for alias in node.names:
        inner = f"{base}.{alias.name}".lstrip(".")
        out.add(inner if inner in _paths() or (PACKAGE / inner.replace(".", "/")).is_dir() else base)
    return out - ABOVE


def _floor(module: str) -> int:
    return next(floor for floor, room in enumerate(ROOMS) if f"{module}.".startswith(f"{room}."))


def test_every_module_is_in_a_room() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py", "_version.py"}
    assert all((PACKAGE / room.replace(".", "/")).is_dir() for room in ROOMS)
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


def test_no_module_imports_the_package_itself() -> None:
    plain = [
        (name, alias.name)
        for name, path in _paths().items()
        for node in _nodes(path)
        if isinstance(node, ast.Import) and name != "__main__"
        for alias in node.names
        if alias.name.partition(".")[0] == "smemdesc"
    ]
    assert plain == []


def test_no_module_imports_itself_in_a_circle() -> None:
    assert set(modules()) <= set(TopologicalSorter(modules()).static_order())


def test_a_class_name_stands_once_in_the_package() -> None:
    defined: dict[str, list[str]] = {}
    for module, path in _paths().items():
        for node in _nodes(path):
            if isinstance(node, ast.ClassDef):
                defined.setdefault(node.name, []).append(module)
    assert not {name: modules for name, modules in defined.items() if len(modules) > 1}


def test_every_rule_is_in_the_room_of_rules() -> None:
    rooms = {
        module.partition(".")[0]
        for module, path in _paths().items()
        for node in _nodes(path)
        for mark in getattr(node, "decorator_list", ())
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).rpartition(".")[2] in ("rule", "case_rule")
    }
    assert rooms == {"rules"}


def test_no_room_names_a_room_above_it_in_a_string() -> None:
    named = set()
    for module, path in _paths().items():
        if module in ABOVE:
            continue
        prose = {id(node.value) for node in _nodes(path) if isinstance(node, ast.Expr)}
        for text in _nodes(path):
            if not isinstance(text, ast.Constant) or "smemdesc." not in str(text.value) or id(text) in prose:
                continue
            for target in re.findall(r"smemdesc\.([\w.]*\w)", str(text.value)):
                if any(f"{target}.".startswith(f"{room}.") for room in ROOMS) and _floor(target) > _floor(module):
                    named.add((module, target))
    assert not named
