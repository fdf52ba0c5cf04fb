"""The README: what a fresh machine runs, the table of what to type, and a link to every page."""

from __future__ import annotations

import re

import pytest
from documents import DOCUMENTS, README, links, run
from samples import split

TEXT = README.read_text()
SECTION = TEXT.split("## What you have, what to type")[1].split("\n## ")[0]
ROWS = [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in SECTION.splitlines() if line.startswith("| ")][1:]
"""Cells of the table, without its head."""


@pytest.mark.parametrize(("what", "typed"), split(map(tuple, ROWS), lambda row: "scan tests" not in row[1]))
def test_what_to_type(what: str, typed: str) -> None:
    done = run(typed.strip("`").replace(r"\|", "|"))
    assert done.returncode == 0, f"{what}: {done.stdout}"
    assert done.stdout


def test_every_page_is_linked() -> None:
    linked = {(README.parent / link).resolve() for link in links(README)}
    assert [str(path) for path in DOCUMENTS if path != README and path.resolve() not in linked] == []


def test_the_two_commands_are_there() -> None:
    shell = re.findall(r"(?ms)^```sh\n(.*?)^```$", TEXT)
    assert any("pip install" in block and block.rstrip().endswith("smemdesc 0x4000404000010040") for block in shell)
    assert any("'.[test]'" in block and "/pytest -n auto" in block for block in shell)
