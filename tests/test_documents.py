"""What the README and the pages show is what the program prints and draws, and their links lead somewhere.

``UPDATE_GOLDEN=1 pytest`` writes the console blocks and the pictures anew; read the difference, look at the pictures.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from documents import DOCUMENTS, EXAMPLES, README, ROOT, Block, blocks, links, run, without_gpu
from run import smemdesc
from samples import split

NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


def played(block: Block) -> str:
    """Return a console block with the output that its commands have now."""
    return "".join(f"$ {command}\n{run(command).stdout}" for command in block.commands)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(each, id=each.name, marks=() if each.document.name == "README.md" else pytest.mark.corpus)
        for each in blocks()
    ],
)
def test_console_block(block: Block) -> None:
    if block.missing:
        pytest.skip(f"{', '.join(block.missing)}: not here")
    now = played(block)
    if os.environ.get("UPDATE_GOLDEN"):
        with block.document.open("r+") as page:  # other workers write other blocks of it
            flock(page, LOCK_EX)
            changed = page.read().replace(block.text, now)
            page.seek(0)
            page.truncate()
            page.write(changed)
        return
    assert now == block.text


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_python_blocks(document: Path) -> None:
    failed, tried = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert not failed
    assert bool(tried) == (">>>" in document.read_text())


@pytest.mark.parametrize("document", [*DOCUMENTS, *EXAMPLES], ids=lambda path: str(path.relative_to(ROOT)))
def test_links(document: Path) -> None:
    assert [link for link in links(document) if not (document.parent / link).exists()] == []


TEXT = README.read_text()
SECTION = TEXT.split("## What you have, what to type")[1].split("\n## ")[0]
ROWS = [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in SECTION.splitlines() if line.startswith("| ")][1:]
"""Cells of the table, without its head."""


@pytest.mark.parametrize(("what", "typed"), split(map(tuple, ROWS), lambda row: "scan tests" not in row[1]))
def test_what_to_type(what: str, typed: str) -> None:
    done = run(without_gpu(typed.strip("`").replace(r"\|", "|")))
    assert done.returncode == 0, f"{what}: {done.stdout}"
    assert done.stdout


def test_every_page_is_linked() -> None:
    index = README.parent / "docs" / "README.md"
    linked = {(page.parent / link).resolve() for page in (README, index) for link in links(page)}
    assert [str(path) for path in DOCUMENTS if path != README and path.resolve() not in linked] == []


def test_code_of_the_readme_is_not_wider_than_a_page() -> None:
    code = "".join(re.findall(r"(?ms)^```\w+\n(.*?)^```$", TEXT))
    assert [line for line in code.splitlines() if len(line) >= 95] == []


def test_the_two_commands_are_there() -> None:
    shell = re.findall(r"(?ms)^```sh\n(.*?)^```$", TEXT)
    assert any("pip install" in block and block.rstrip().endswith("smemdesc 0x4000404000010040") for block in shell)
    assert any("'.[test]'" in block and "/pytest -n auto" in block for block in shell)


PICTURES = ROOT / "docs" / "pictures"
LIST = PICTURES / "README.md"
COMMAND = re.compile(r"(?m)^smemdesc (?P<command>.* --svg) docs/pictures/(?P<name>.*)$")
DRAWN = [(match["name"], match["command"]) for match in COMMAND.finditer(LIST.read_text())]


@pytest.mark.parametrize(("name", "command"), DRAWN)
def test_picture_is_what_its_command_draws(name: str, command: str) -> None:
    drawn = smemdesc(*shlex.split(command), "-")
    assert (drawn.err, drawn.status) == ("", 0)
    if os.environ.get("UPDATE_GOLDEN"):
        (PICTURES / name).write_text(drawn.out)
    assert drawn.out == (PICTURES / name).read_text()


def test_every_picture_is_listed_and_shown() -> None:
    there = {path.name for path in PICTURES.glob("*.svg")}
    shown = {Path(link).name for document in DOCUMENTS for link in links(document) if link.endswith(".svg")}
    assert sorted(name for name, _ in DRAWN) == sorted(there) == sorted(shown)


REPLACED = re.compile(
    r"somebody took|if you say it|can only be a number is|which value says|instruction (?:judged )?whole"
    r"|widest there is|\d+ a stage:|in all\W.*; \d+ fit|with --arch which|turned over|\brooms of the|the rooms\b"
    r"|goes with --|all the same\W|what should be there|comes? out wrong|says? another|takes? no effect|belongs here"
    r"|\b(?:row|line|file|subcommand|command) a (?:command|field|kind|line|row|thread|value)\b|\bas asked\b(?! for)"
    r"|the wrong way round|\bare taken as\b|\bbehind the (?:layout|pointer)|by second hand|which instruction is it"
)
"""What colleagues would not say, and read otherwise now."""


def test_texts_are_written_as_a_colleague_would_say_it() -> None:
    texts = [*DOCUMENTS, *(README.parent / "smemdesc").rglob("*.py")]
    assert {str(path): found[0] for path in texts if (found := REPLACED.search(path.read_text().lower()))} == {}
