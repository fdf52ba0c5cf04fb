"""An answer of the debugger that is not as it should be is named in the error."""

from __future__ import annotations

import io
import json
import sys

import pytest

from integrations.debugger.recorded import sessions
from smemdesc.cli.gdb import command as gdb
from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations.debugger.answers import ANSWERS, read

WHERE = {"pc": 16, "errorpc": None, "function": "k", "thread": "", "arch": "sm_90"}
WRONG = {
    "where": ("", "[]", "null", "{", "[" * 100_000, "9" * 5000, *(json.dumps({**WHERE, key: []}) for key in WHERE)),
    "listing": ('{"text": null}', "{}"),
    "values": ('{"values": null}', '{"values": [1]}', '{"values": [1, "2"]}', '{"values": [1, true]}'),
    "memory": ('{"base64": 3}', '{"base64": "AAA"}', '{"base64": "AAAA"}', '{"base64": "\u00e9"}'),
}
"""What is no answer to a question."""
ASKED = {"expressions": ["$UR4", "$UR5"], "count": 2}


@pytest.mark.parametrize(("question", "line"), [(name, line) for name, lines in WRONG.items() for line in lines])
def test_an_answer_of_another_shape(question: str, line: str) -> None:
    with pytest.raises(SmemdescError, match=f'the debugger\'s answer to "{question}" (is|has)') as raised:
        read(line, {"ask": question, **ASKED})
    assert line.strip()[:50] in raised.value.message


def test_every_recorded_answer_is_one() -> None:
    asked = [each for commands in sessions().values() for command in commands for each in command.asked]
    for question, answer in asked:
        assert read(json.dumps(answer), question) == answer
    assert {question["ask"] for question, _ in asked} <= ANSWERS.keys()


def test_it_is_said_in_the_debugger(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    start = {"command": "", "columns": 100, "color": False}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(start) + '\n{"pc": "\\u001b[2J"}\n'))
    gdb.main(["--session"], standalone_mode=False)
    said = json.loads(capsys.readouterr().out.splitlines()[-1])["say"]
    assert said.startswith(
        'error: the debugger\'s answer to "where" has a "pc" that is not an address: {"pc": "\\u001b[2J'
    )
