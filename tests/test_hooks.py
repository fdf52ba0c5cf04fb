"""The workflow and the hooks of the examples: they are what GitHub and pre-commit take, and their commands run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from run import Ran, smemdesc

from smemdesc.integrations.serving import BUILT

ROOT = Path(__file__).parent.parent
SASS = (ROOT / "examples" / "data" / "gemm_sm90.sass").read_text()
WRONG = SASS.replace("0x40000080", "0x40004040")
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
(LOCAL,) = yaml.safe_load((ROOT / "examples" / "pre-commit-config.yaml").read_text())["repos"]
WORKFLOW = yaml.safe_load((ROOT / "examples" / "github-workflow.yml").read_text())


PAGE = yaml.safe_load((ROOT / "examples" / "page-workflow.yml").read_text())


def command(line: str) -> list[str]:
    program, *words = shlex.split(line)
    assert program == "smemdesc"
    return words


def steps(option: str) -> list[str]:
    """The commands of the workflow's steps with this option, without where their output goes."""
    runs = [step.get("run", "") for step in WORKFLOW["jobs"]["scan"]["steps"]]
    return [run.partition(" > ")[0] for run in runs if option in run]


def in_a_build(run: str, built: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    (folder / "baseline").mkdir()
    (folder / "baseline" / "kernel.sass").write_text(SASS)
    (folder / "kernel.sass").write_text(built)
    monkeypatch.chdir(folder)
    return smemdesc(*command(run))


def test_the_two_hooks_are_one() -> None:
    (hook,) = LOCAL["hooks"]
    assert LOCAL["repo"] == "local"
    assert {key: hook[key] for key in ("id", "name", "entry", "language", "files")} == {
        key: HOOK[key] for key in ("id", "name", "entry", "language", "files")
    }


@pytest.mark.parametrize(("name", "taken"), [("a/kernel.ptx", True), ("k.sass", True), ("k.cu", False), ("ptx", False)])
def test_which_files_the_hook_takes(name: str, taken: bool) -> None:
    assert bool(re.search(HOOK["files"], name)) == taken


def test_the_hook_fails_on_an_invalid_descriptor(tmp_path: Path) -> None:
    blackwell = (ROOT / "examples" / "data" / "gemm_sm100.sass").read_text()
    for name, text, status in (("a", blackwell, 0), ("b", blackwell.replace("0x8200490", "0x8200690"), 1)):
        file = tmp_path / f"{name}.sass"
        file.write_text(text)
        ran = smemdesc(*command(HOOK["entry"]), str(file))
        assert (ran.status, bool(ran.out), ran.err) == (status, bool(status), "")


def test_the_workflow_has_what_github_asks_for() -> None:
    # YAML 1.1 reads the key `on` as true.
    assert {"name", True, "jobs", "permissions"} == set(WORKFLOW)
    for step in WORKFLOW["jobs"]["scan"]["steps"]:
        assert len({"uses", "run"} & set(step)) == 1


@pytest.mark.parametrize(("option", "text", "status"), [
    ("--format github", SASS, 0),
    ("--format github", WRONG, 1),
    ("--diff", SASS, 0),
    ("--diff", WRONG, 1),
    ("--format sarif", WRONG, 0),
])  # fmt: skip
def test_the_steps_of_the_workflow(
    option: str, text: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run,) = steps(option)
    ran = in_a_build(run, text, tmp_path, monkeypatch)
    assert (ran.status, ran.err) == (status, "")
    if option == "--format sarif":
        log: Any = json.loads(ran.out)
        assert log["runs"][0]["results"]


def test_the_workflow_of_the_page_publishes_what_is_built() -> None:
    steps = PAGE["jobs"]["page"]["steps"]
    (built,) = [step["run"].split() for step in steps if "run" in step]
    assert (ROOT / built[1]).is_file()
    assert next(step["with"]["path"] for step in steps if "upload" in step.get("uses", "")) == BUILT.as_posix()
    assert PAGE["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
