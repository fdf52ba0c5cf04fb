"""The questions of ``tests/tools/eval``: the program finds every mistake in them, and none where there is none."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from eval.score import CAUSES, FOLDER, asked, main, missed, questions
from run import smemdesc

QUESTIONS = questions()
KEY = [
    {name: question[name] for name in ("id", "verdict", "cause", "constant") if name in question}
    for question in QUESTIONS
]


def test_there_are_twenty_mistakes_and_ten_that_are_right() -> None:
    assert Counter(question["verdict"] for question in QUESTIONS) == {"wrong": 20, "right": 10}
    assert {question["cause"] for question in QUESTIONS if "cause" in question} == set(CAUSES)
    sources = {question["source"] for question in QUESTIONS if "source" in question}
    assert sources == {path.name for path in (FOLDER / "sources").iterdir()}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_the_program_answers_as_the_key(question: dict[str, Any]) -> None:
    source = FOLDER / "sources" / question.get("source", "")
    runs = [smemdesc(*check.format(source=source).split(), "--strict") for check in question["checks"]]
    if "prints" in question:
        assert [ran.out.strip() for ran in runs] == [question["prints"]]
    elif question["verdict"] == "wrong":
        assert f" {question['rule']}: " in "".join(ran.out for ran in runs)
        assert 1 in {ran.status for ran in runs}
    else:
        assert [(ran.status, ran.err) for ran in runs] == [(0, "")] * len(runs)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_does_not_tell_its_answer(question: dict[str, Any]) -> None:
    text = json.dumps([asked(question)[name] for name in ("context", "text")])
    assert not {"right", "wrong", question.get("cause")}.intersection(re.findall(r"[\w-]+", text))


def scored(answers: list[dict[str, Any]]) -> int:
    return len(QUESTIONS) - len(missed(answers))


def test_the_key_has_all_points_by_cause_and_by_constant() -> None:
    for left_out in ("cause", "constant"):
        answers = [{name: value for name, value in answer.items() if name != left_out} for answer in KEY]
        assert scored(answers) == 30
    for suffix in ("", "u", "ULL"):
        constants = [{**answer, "cause": None, "constant": f"{answer.get('constant', 0):#x}{suffix}"} for answer in KEY]
        assert scored(constants) == 30


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({"verdict": "right"}, 10),
        ({"verdict": "wrong"}, 20),
        ({"cause": "scale-id", "constant": "no number"}, 11),
        ({"cause": None, "constant": 1}, 10),
    ],
)
def test_other_answers_have_less(change: dict[str, Any], points: int) -> None:
    assert scored([{**answer, **change} for answer in KEY]) == points
    assert scored(KEY[1:]) == 29
    assert scored([]) == 0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"id": "value-99", "verdict": "right"}', "'value-99' is no question"),
        ('{"id": "value-1", "verdict": "maybe"}', "the verdict is 'right' or 'wrong', not 'maybe'"),
        ('{"id": "value-1", "verdict": "wrong", "cause": "typo"}', "'typo' is none of the causes"),
        ("[]", "has no attribute"),
        ('{"id": ["value-1"], "verdict": "right"}', "unhashable"),
        ("{", "Expecting"),
    ],
)
def test_a_file_that_cannot_be_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, says: str) -> None:
    (answers := tmp_path / "answers.jsonl").write_text(line)
    assert main([str(answers)]) == 2
    assert says in capsys.readouterr().err


def test_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (answers := tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, KEY[:-1])))
    assert main([str(answers)]) == 0
    assert capsys.readouterr().out == f"29 of 30\n  not correct: {KEY[-1]['id']}\n"
    assert main(["--questions"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 31
