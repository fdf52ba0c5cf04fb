"""Every function can be read at once: none decides too much, none is too long."""

from __future__ import annotations

import ast
from pathlib import Path

import smemdesc

MOST_COMPLEX = 25
LONGEST = 60
"""Lines, from ``def`` to the end."""
DECISIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PACKAGE = Path(smemdesc.__file__).parent


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
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}: {decisions(node) + 1}, {lines(node)} lines"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, FUNCTIONS) and (decisions(node) + 1 > MOST_COMPLEX or lines(node) > LONGEST)
    ]
    assert not too_much
