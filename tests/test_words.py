"""One vocabulary: no name means two things; and every function can be read at once: none is a knot, none too long."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import smemdesc

MOST_COMPLEX = 25
LONGEST = 60
"""Lines, from ``def`` to the end."""
DECISIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PACKAGE = Path(smemdesc.__file__).parent
ROLES = {
    *("command", "picture", "view", "title", "main"),  # one in a file of commands or of views
    *("analyse", "cause", "lower", "symbol", "understand"),  # one for each language that is scanned
    *("check", "element_view"),  # one for each compiler that is hooked; one for each geometry
}
"""Functions that are one thing in several places."""
CONSTANTS_OF_A_ROLE = {"EXAMPLES", "RULES"}


@cache
def trees() -> dict[str, ast.Module]:
    return {str(path.relative_to(PACKAGE)): ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


def repeated(names: Iterator[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return the names that stand in several files with several meanings: (name, file, what it is)."""
    files, meanings = defaultdict(set), defaultdict(set)
    for name, file, meaning in names:
        files[name].add(file)
        meanings[name].add(meaning)
    return {name: sorted(files[name]) for name in files if len(files[name]) > 1 and len(meanings[name]) > 1}


def assigned() -> Iterator[tuple[str, str, str]]:
    """Yield what modules assign: the name, the file, the value."""
    for file, tree in trees().items():
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) and node.value else targets
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, file, ast.dump(node.value)  # type: ignore[attr-defined]


def test_a_class_or_alias_has_a_name_of_its_own() -> None:
    """With and without an underscore is one name."""
    classes = (
        (node.name.lstrip("_"), file, f"{file} {node.name}")
        for file, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    )
    aliases = ((name.lstrip("_"), file, file) for name, file, _ in assigned() if re.fullmatch(r"_?[A-Z][a-z]\w*", name))
    assert not repeated(item for names in (classes, aliases) for item in names)


def test_a_public_function_has_a_name_of_its_own() -> None:
    functions = (
        (node.name, file, file)
        for file, tree in trees().items()
        for node in tree.body
        if isinstance(node, FUNCTIONS) and not node.name.startswith("_") and node.name not in ROLES
    )
    assert not repeated(functions)


def test_a_constant_has_one_value() -> None:
    names = (item for item in assigned() if re.fullmatch(r"[A-Z][A-Z0-9_]*", item[0]))
    assert not repeated(item for item in names if item[0] not in CONSTANTS_OF_A_ROLE)


def test_no_import_renames_what_is_ours() -> None:
    renamed = [
        f"{file}: {name.name} as {name.asname}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "smemdesc"
        for name in node.names
        if name.asname not in (None, name.name)
    ]
    assert not renamed


def decisions(node: ast.AST) -> int:
    """Return how often a node decides; ``a and b and c`` does twice, a comprehension for each ``for`` and ``if``.

    What functions, lambdas and classes within it decide is their own.
    """
    own = int(isinstance(node, DECISIONS))
    if isinstance(node, ast.BoolOp):
        own = len(node.values) - 1
    elif isinstance(node, ast.comprehension):
        own = 1 + len(node.ifs)
    apart = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
    inner = (child for child in ast.iter_child_nodes(node) if not isinstance(child, apart))
    return own + sum(map(decisions, inner))


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def test_no_function_is_a_knot_or_too_long() -> None:
    """The cyclomatic complexity of a function is one more than what it decides."""
    too_much = [
        f"{file}:{node.lineno} {node.name}: {decisions(node) + 1}, {lines(node)} lines"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, FUNCTIONS) and (decisions(node) + 1 > MOST_COMPLEX or lines(node) > LONGEST)
    ]
    assert not too_much
