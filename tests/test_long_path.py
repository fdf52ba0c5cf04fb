"""What the tests hold does not depend on where the checkout lies: messages wrap elsewhere after a long path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LENGTH = 120
"""Characters of the path of the checkout, at least."""
TESTS = (
    "api/test_scan.py",
    "cli/test_scan_agree.py",
    "integrations/compiled/test_triton.py",
)
"""Tests that print paths of the checkout: in views, in errors, in messages of other programs."""


@pytest.mark.corpus
def test_tests_pass_in_a_checkout_with_a_long_path(tmp_path: Path) -> None:
    checkout = tmp_path / "x".ljust(LENGTH - len(str(tmp_path)) - 1, "x")
    for name in ("smemdesc", "tests", "examples", "docs"):
        shutil.copytree(ROOT / name, checkout / name)
    shutil.copy(ROOT / "pyproject.toml", checkout)
    assert len(str(checkout)) >= LENGTH
    tests = [f"tests/{name}" for name in TESTS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
