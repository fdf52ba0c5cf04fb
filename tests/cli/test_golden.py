"""Whole outputs of the commands in ``golden/commands.txt``; ``UPDATE_GOLDEN=1 pytest`` writes them anew."""

from __future__ import annotations

import json
import re

import pytest
from goldens import COMMANDS
from run import GOLDENS, held, on_terminal, smemdesc
from samples import sampled

from smemdesc.explanations.catalog import causes, rule_names
from smemdesc.explanations.glossary import TERMS


@pytest.mark.parametrize("name", COMMANDS)
def test_whole_output(name: str) -> None:
    command = COMMANDS[name]
    if command.columns:
        ran = on_terminal(*command.words, columns=command.columns, **({} if command.color else {"NO_COLOR": "1"}))
    else:
        ran = smemdesc(*command.words)
        assert (ran.err, ran.status) == ("", 0)
    held(command.view, command.name, ran.out)


@pytest.mark.parametrize("name", sampled(name for name, command in COMMANDS.items() if command.fits))
def test_a_terminal_is_never_overrun(name: str) -> None:
    lines = on_terminal(*COMMANDS[name].words, columns=80, NO_COLOR="1").out.splitlines()
    # A command to type stays on one line.
    assert [line for line in lines if len(line) > 80 and "smemdesc " not in line] == []


def test_every_file_is_used() -> None:
    views = {command.view for command in COMMANDS.values()}
    files = (path for view in views for path in (GOLDENS / view).iterdir())
    assert {f"{path.parent.name}/{path.stem}" for path in files} == set(COMMANDS)


def test_no_view_says_what_only_python_says() -> None:
    said = {path: re.findall(r"\b(?:True|False|None)\b", path.read_text()) for path in GOLDENS.glob("*/*.txt")}
    assert {path: words for path, words in said.items() if words and path.parent.name != "debugger"} == {}


def test_without_a_name_every_rule_cause_and_term_is_a_line() -> None:
    lines = smemdesc("explain").out.splitlines()
    assert len(lines) == len(rule_names()) + len(causes()) + len(TERMS) + 5
    listed = [json.loads(line)["name"] for line in smemdesc("explain", "--json").out.splitlines()]
    assert listed == [*rule_names(), *causes(), *(term.name for term in TERMS)]
