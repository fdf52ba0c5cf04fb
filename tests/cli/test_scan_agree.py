"""``scan --agree``: what it prints, and its status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus.fake import OBJECTS, nvdisasm
from run import held, on_terminal, smemdesc

ROOT = Path(__file__).parents[2]
PTX, SASS = ((ROOT / "tests" / "scanning" / "agreeing" / f"kernels.{each}").read_text() for each in ("ptx", "sass"))
HEAD, *FUNCTIONS = SASS.split("//--------------------- .text.")
WRONG = "//--------------------- .text.".join(
    # The swizzle of B of every MMA, what the second one of a loop starts at, the N of one.
    (HEAD, *(each.replace("0x80004020", "0x40004020") if each.startswith("unrolled") else each for each in FUNCTIONS))
).replace("0x8100490", "0x8080490", 1)
FEWER = "//--------------------- .text.".join((HEAD, *(each for each in FUNCTIONS if not each.startswith("unrolled"))))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        "a.ptx": PTX,
        "a.sass": SASS,
        "wrong.sass": WRONG,
        "fewer.sass": FEWER,
        "b.txt": "no code\n",
    }.items():
        (tmp_path / name).write_text(text)
    for folder, names in {
        "ptx": ("a.ptx", "b.txt"),
        "sass": ("a.sass",),
        "both": ("a.ptx", "a.sass", "wrong.sass"),
    }.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text((tmp_path / name).read_text())
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("agree", ("a.ptx", "a.sass")),
        ("agree-all", ("--all", "a.ptx", "a.sass")),
        ("agree-wrong", ("a.ptx", "wrong.sass")),
        ("agree-json", ("--json", "--function", "dead", "a.ptx", "a.sass")),
        ("agree-nothing", ("a.ptx", "b.txt")),
        ("agree-folder", ("both",)),
    ],
)
def test_golden(name: str, arguments: tuple[str, ...]) -> None:
    ran = smemdesc("scan", "--agree", *arguments)
    held("scan", name, ran.out)
    assert (ran.err, ran.status) == ("", 1)


def test_golden_on_a_terminal() -> None:
    ran = on_terminal("scan", "--agree", "--no-pager", "a.ptx", "wrong.sass", NO_COLOR="1")
    held("scan", "agree-terminal-80-no-color", ran.out)
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("a.sass", "a.ptx"), 1),  # an MMA that never runs has no partner
        (("ptx", "sass"), 1),
        (("--function", "dead", "a.ptx", "a.sass"), 1),
        (("--function", "unrolled", "a.sass", "a.ptx"), 0),
        (("--function", "unrolled", "ptx", "sass"), 0),
        (("--strict", "--function", "unrolled", "a.ptx", "a.sass"), 0),
        (("--function", "[!d]*", "a.ptx", "fewer.sass"), 0),  # a function has none
        (("--strict", "--function", "[!d]*", "a.ptx", "fewer.sass"), 1),
        (("--json", "a.ptx", "wrong.sass"), 1),
        (("b.txt",), 1),
        (("a.ptx", "missing"), 2),
        (("--function", "other", "a.ptx", "a.sass"), 2),
    ],
)
def test_the_status(arguments: tuple[str, ...], status: int) -> None:
    ran = smemdesc("scan", "--agree", *arguments)
    assert ran.status == status, ran


def test_the_ptx_of_a_fat_binary_is_compared_with_its_own_machine_code(tmp_path: Path) -> None:
    tools = nvdisasm(tmp_path / "bin")
    ran = smemdesc("scan", "--agree", "--json", "--cuda-bin", tools, str(OBJECTS / "plain.fatbin"))
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 0
    assert [(each["function"], each["status"]) for each in found].count(("with_wgmma", "agrees")) == 2
    assert {each["bits"]["compared"] for each in found if each["status"] == "agrees"} == {128, 256}


@pytest.mark.parametrize(
    ("sass", "status", "says"),
    [("a.sass", 0, "the descriptors are the same"), ("wrong.sass", 1, "swizzle 64B -> 128B")],
)
def test_two_dumps_may_be_of_two_languages(sass: str, status: int, says: str) -> None:
    ran = smemdesc("scan", "--diff", "--check", "--function", "unrolled", "a.ptx", sass)
    assert says in ran.out
    assert ran.status == status
