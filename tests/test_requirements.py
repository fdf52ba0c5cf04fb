"""What pyproject.toml asks for: all that the tests import, with a lowest version each, which can be installed alone."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path

import pytest
from tables import every_row

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNTIME = PYPROJECT["project"]["dependencies"]
EXTRA = PYPROJECT["project"]["optional-dependencies"]["test"]
LONG = PYPROJECT["project"]["optional-dependencies"]["long"]
"""What some tests of the long run need beside that."""
PAGE = PYPROJECT["project"]["optional-dependencies"]["page"]
"""What the tests of the page need beside that, where there is a browser."""
BUILD = PYPROJECT["build-system"]["requires"]
NAME = re.compile(r"[\w-]+")
OURS = {"smemdesc", "pip"}
"""What is tested, and what installs it."""
WITH_A_GPU_OR_TRITON = [
    "tests/integrations/compiled/seeded.py",
    "tests/tools/evidence/triton_tmem.py",
    "tests/silicon/debugger/mm.py",
    *(f"tests/tools/corpus/{name}.py" for name in ("cute_kernels", "gluon_kernels", "triton_kernels", "triton_truth")),
]
"""They made what is stored in the repository; no test imports them."""
NOT_IMPORTED = {
    "pytest-xdist",
    "nvidia-cuda-nvdisasm",
    "nvidia-cuda-cuobjdump",
    "lz4",
    "demangle",
}
"""A plugin, whose options the test command has; what a scan of binaries uses."""


def names(requirements: list[str]) -> set[str]:
    return {match[0] for each in requirements if (match := NAME.match(each))}


def modules(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports, or runs by ``-m``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
        elif isinstance(node, ast.Call | ast.List | ast.Tuple):
            words = node.args if isinstance(node, ast.Call) else node.elts
            for option, word in pairwise(getattr(each, "value", None) for each in words):
                if option == "-m" and isinstance(word, str) and word.isidentifier():
                    yield word


def imported() -> set[str]:
    """Return the modules of other projects that the tests need."""
    here = [path for path in (ROOT / "tests").rglob("*.py") if str(path.relative_to(ROOT)) not in WITH_A_GPU_OR_TRITON]
    local = {path.stem for path in here} | {path.parent.name for path in here} | {"generate", "markdown_pages"}
    found = {name.partition(".")[0] for path in here for name in modules(ast.parse(path.read_text()))}
    return found - local - OURS - set(sys.stdlib_module_names)


@pytest.mark.slow
def test_the_test_extra_has_what_the_tests_import() -> None:
    owners = packages_distributions()
    needed = {owners.get(module, [module])[0] for module in imported()} - names(PAGE) - names(LONG)
    assert needed <= names(RUNTIME) | names(EXTRA)
    assert names(EXTRA) - needed == NOT_IMPORTED
    assert "pytest -n " in (ROOT / "README.md").read_text()


@every_row("requirement", [*RUNTIME, *EXTRA, *LONG[1:], *BUILD])
def test_a_requirement_has_a_lowest_version(requirement: str) -> None:
    assert re.fullmatch(r"[\w-]+>=\d+(\.\d+)*(,<[\d.]+)?", requirement)


@pytest.mark.parametrize("requirement", [*RUNTIME, *BUILD])
def test_what_users_install_has_an_upper_bound(requirement: str) -> None:
    assert re.search(r",<[\d.]+$", requirement)


def test_the_lowest_versions_come_from_the_bounds() -> None:
    done = subprocess.run([sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [each.partition(",")[0].replace(">=", "==") for each in [*RUNTIME, *EXTRA]]
