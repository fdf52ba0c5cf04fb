"""``smemdesc skill``: a file by the conventions of agentskills.io, written but never over another file."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from documents import SKILL
from run import smemdesc

from smemdesc.explanations.catalog import causes

TEXT = SKILL.read_text()


def test_front_matter_and_length() -> None:
    _, front, body = TEXT.split("---\n", 2)
    fields = yaml.safe_load(front)
    assert list(fields) == ["name", "description"]
    assert fields["name"] == SKILL.parent.name
    assert 0 < len(fields["description"]) <= 1024
    assert body.count("```console\n") == 8
    assert len(TEXT.splitlines()) <= 160


def test_it_has_every_cause_by_its_name() -> None:
    assert re.findall("^- (`.+)", TEXT.split("## Causes\n")[1].split("## Rules\n")[0], re.M) == [
        f"`{cause.name}`: {cause.text}" for cause in causes().values()
    ]


def test_it_is_printed() -> None:
    assert smemdesc("skill") == (TEXT, "", 0)


def test_it_is_written_once_and_over_another_file_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "skills" / "smemdesc" / "SKILL.md"
    to = ("skill", "--to", str(tmp_path / "skills"))
    for _ in range(2):
        assert smemdesc(*to) == (f"{path}\n", "", 0)
        assert path.read_text() == TEXT
    path.write_text("mine")
    ran = smemdesc(*to)
    assert (ran.out, ran.status, path.read_text()) == ("", 2, "mine")
    assert "--force" in ran.err
    assert smemdesc(*to, "--force") == (f"{path}\n", "", 0)
    assert path.read_text() == TEXT


def test_a_folder_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = smemdesc("skill", "--to", str(tmp_path / "file"))
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("error: ")
