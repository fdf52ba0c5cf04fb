"""The action, the workflows and the hooks: they are what GitHub and pre-commit take, and their commands run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from run import Ran, smemdesc
from samples import long_run

from smemdesc.cli.support.serving import BUILT

ROOT = Path(__file__).parent.parent
SASS = (ROOT / "examples" / "data" / "gemm_sm90.sass").read_text()
WRONG = SASS.replace("0x40000080", "0x40004040")
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
(LOCAL,) = yaml.safe_load((ROOT / "examples" / "pre-commit-config.yaml").read_text())["repos"]
WORKFLOW = yaml.safe_load((ROOT / "examples" / "github-workflow.yml").read_text())
PAGE = yaml.safe_load((ROOT / "examples" / "page-workflow.yml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
USES_ACTION = yaml.safe_load((ROOT / "examples" / "action-workflow.yml").read_text())
CI, RELEASE = (
    yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text()) for name in ("ci", "release")
)


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


def action(name: str) -> tuple[str, dict[str, str]]:
    """The script of a step of the action, and its environment with the defaults of the inputs."""
    (step,) = (step for step in ACTION["runs"]["steps"] if step.get("name") == name)
    inputs = {key: value.get("default", "") for key, value in ACTION["inputs"].items()}
    environment = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) }}", lambda match: inputs[match[1]], value)
        for key, value in step["env"].items()
    }
    return step["run"], environment


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "strict", "status", "paths"),
    [
        long_run(SASS, "true", 0, "a.sass b.sass"),
        long_run(WRONG, "false", 0, "a.sass\nb.sass\n"),
        (WRONG, "true", 1, "a.sass b.sass"),
    ],
)
def test_the_action_fails_as_its_option_says_and_writes_sarif(
    text: str, strict: str, status: int, paths: str, tmp_path: Path
) -> None:
    for name in ("a.sass", "b.sass"):
        (tmp_path / name).write_text(text)
    scripts = tmp_path / "smemdesc" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "smemdesc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m smemdesc "$@"\n')
    (scripts / "smemdesc").chmod(0o755)
    script, environment = action("Scan")
    environment |= {"FILES": paths, "STRICT": strict, "RUNNER_TEMP": str(tmp_path)}
    ran = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (status, "")
    results = json.loads((tmp_path / "smemdesc.sarif").read_text())["runs"][0]["results"]
    assert bool(results) == ("file=a.sass" in ran.stdout) == ("file=b.sass" in ran.stdout) == (text == WRONG)


def test_the_example_uses_inputs_and_outputs_that_the_action_has() -> None:
    (step,) = (step for step in USES_ACTION["jobs"]["scan"]["steps"] if "smemdesc" in step.get("uses", ""))
    assert set(step["with"]) <= set(ACTION["inputs"])
    used = re.findall(r"steps\.smemdesc\.outputs\.(\w+)", str(USES_ACTION))
    assert used
    assert set(used) <= set(ACTION["outputs"])


def test_our_ci_runs_every_part_of_the_script_that_everybody_runs() -> None:
    checks = [step["run"] for step in CI["jobs"]["test"]["steps"] if step.get("name") == "Check"]
    assert checks == [".ci/run ${{ matrix.part }}"]
    matrix = CI["jobs"]["test"]["strategy"]["matrix"]
    (parts,) = re.findall(r"^parts=\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert matrix["part"] == parts.split()
    tested = matrix["python"]
    stated = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert (tested[0], tested[-1]) == (stated[0], stated[-1])


def test_the_release_is_built_as_the_document_says() -> None:
    (build,) = (step["run"] for step in RELEASE["jobs"]["build"]["steps"] if step.get("name") == "Build")
    (block,) = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "releasing.md").read_text(), re.DOTALL)
    assert build == block
    # Only the job that publishes may ask PyPI for a token, and it runs nothing of the repository.
    assert RELEASE["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert all("run" not in step for step in RELEASE["jobs"]["publish"]["steps"])


@pytest.mark.corpus
def test_pre_commit_itself_runs_the_hook(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    hooks, project = tmp_path / "hooks", tmp_path / "project"
    for name in ("smemdesc", "docs/man", "docs/completions"):
        shutil.copytree(ROOT / name, hooks / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, hooks / name)
    project.mkdir()

    def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        author = {
            f"GIT_{role}_{what}": "nobody@localhost" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        places = {"PRE_COMMIT_HOME": str(tmp_path / "cache"), "GIT_CONFIG_GLOBAL": os.devnull}
        return subprocess.run(
            words, cwd=folder, env={**os.environ, **author, **places}, capture_output=True, text=True, check=False
        )

    def committed(folder: Path) -> str:
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
            assert run(folder, "git", *words).returncode == 0
        return run(folder, "git", "rev-parse", "HEAD").stdout.strip()

    hook = {"repo": str(hooks), "rev": committed(hooks), "hooks": [{"id": HOOK["id"]}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [hook]}))
    (project / "right.sass").write_text(SASS)
    committed(project)
    check = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    ran = run(project, *check)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    blackwell = (ROOT / "examples" / "data" / "gemm_sm100.sass").read_text()
    (project / "wrong.sass").write_text(blackwell.replace("0x8200490", "0x8200690"))
    run(project, "git", "add", "-A")
    ran = run(project, *check)
    assert ran.returncode == 1
    assert "wrong.sass:" in ran.stdout
    assert "right.sass" not in ran.stdout
