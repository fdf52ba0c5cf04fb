"""The questions of ``tests/tools/eval``: the program finds every mistake in them, and none where there is none; so
does the first command of the skill alone, of most."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from documents import SKILL
from eval.score import CAUSES, FOLDER, asked, first_says, main, missed, questions
from eval.symbols import START_FIELD
from run import smemdesc

from smemdesc.explanations import catalog

QUESTIONS = questions()
OF_SYMBOLS = questions(symbols=True)
KEY = [
    {name: question[name] for name in ("id", "verdict", "cause", "constant") if name in question}
    for question in QUESTIONS
]


def test_there_are_twenty_mistakes_and_ten_that_are_right() -> None:
    assert Counter(question["verdict"] for question in QUESTIONS) == {"wrong": 20, "right": 10}
    assert {question["cause"] for question in QUESTIONS if "cause" in question} == set(CAUSES)
    reports = {(question["rule"], question["cause"]) for question in QUESTIONS if "rule" in question}
    assert {pair for pair in reports if pair[0] not in catalog.causes()[pair[1]].rules} == set()
    sources = {question["source"] for question in QUESTIONS if "source" in question}
    assert sources == {path.name for path in (FOLDER / "sources").iterdir()}


@pytest.mark.slow
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


@pytest.mark.parametrize("question", [*QUESTIONS, *OF_SYMBOLS], ids=lambda question: question["id"])
def test_a_question_does_not_tell_its_answer(question: dict[str, Any]) -> None:
    text = json.dumps([asked(question)[name] for name in ("context", "text")])
    assert not {"right", "wrong", question.get("cause")}.intersection(re.findall(r"[\w-]+", text))


def test_a_symbol_is_in_place_of_every_address() -> None:
    texts = [new["context"] + new["text"] for old, new in zip(QUESTIONS, OF_SYMBOLS, strict=True) if old != new]
    assert len(texts) == 23
    assert [
        text
        for text in texts
        if "smem" not in text or re.search(r"\b0x(40|4?400|01004400|\w{12}0(040|400|440))\b", text)
    ] == []


def operands(question: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the value and the known bits of each operand of each MMA of a source."""
    lines = map(json.loads, smemdesc("scan", "--json", "-", stdin=question["text"]).out.splitlines())
    found = [line[name] for line in lines for name in ("a", "b", "idesc") if line[name]]
    return [(int(operand["value"], 16), int(operand["known"], 16)) for operand in found]


@pytest.mark.slow
@pytest.mark.parametrize("number", [n for n, question in enumerate(QUESTIONS) if question["id"].startswith("ptx")])
def test_with_a_symbol_only_the_start_is_another(number: int) -> None:
    pairs = list(zip(operands(QUESTIONS[number]), operands(OF_SYMBOLS[number]), strict=True))
    assert pairs
    assert [pair for pair in pairs if (pair[0][0] ^ pair[1][0]) & pair[1][1] & ~START_FIELD] == []


def test_a_first_command_is_one_of_the_skill() -> None:
    section = SKILL.read_text().split("## The first command\n")[1].split("\n## ")[0]
    forms = [set(re.findall(r"--[\w-]+|^\w+", form)) for form in re.findall(r"\| `smemdesc ([^`]+)`", section)]
    more = set(re.findall(r"--[\w-]+", section.split("\n- ", 1)[1]))
    for question in (*QUESTIONS, *OF_SYMBOLS):
        words = set(re.findall(r"--[\w-]+|^\w+", question["first"]))
        assert any(words - more <= form for form in forms), question["first"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asks", "named", "reported", "right"),
    [(QUESTIONS, 20, 20, 10), (OF_SYMBOLS, 20, 20, 10)],
    ids=["numbers", "symbols"],
)
def test_what_the_first_commands_find_at_least(
    asks: list[dict[str, Any]], named: int, reported: int, right: int
) -> None:
    said = Counter(map(first_says, asks))
    assert said["cause"] + said["constant"] >= named
    assert said["cause"] + said["constant"] + said["rule"] >= reported
    assert said["right"] >= right


def scored(answers: list[dict[str, Any]], asks: list[dict[str, Any]] = QUESTIONS) -> int:
    return len(asks) - len(missed(answers, asks))


def test_the_key_has_all_points_by_cause_and_by_constant() -> None:
    for left_out in ("cause", "constant"):
        answers = [{name: value for name, value in answer.items() if name != left_out} for answer in KEY]
        assert scored(answers) == 30
    for suffix in ("", "u", "ULL"):
        constants = [{**answer, "cause": None, "constant": f"{answer.get('constant', 0):#x}{suffix}"} for answer in KEY]
        assert scored(constants) == 30


def test_the_start_of_a_constant_does_not_count_where_it_is_a_symbol() -> None:
    answers = [
        {
            "id": question["id"],
            "verdict": question["verdict"],
            "constant": f"{question['constant'] & ~START_FIELD:#x}@smem:1024",
        }
        for question in OF_SYMBOLS
        if question.get("uncounted")
    ]
    assert scored(answers, OF_SYMBOLS) == len(answers) == 12
    assert scored(answers) == 0


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


@pytest.mark.slow
def test_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (answers := tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, KEY[:-1])))
    assert main([str(answers)]) == 0
    assert capsys.readouterr().out == f"29 of 30\n  not correct: {KEY[-1]['id']}\n"
    assert main(["--questions"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 31
    assert main(["--symbols", "--questions"]) == 0
    assert capsys.readouterr().out.count("smem:1024") == 7
    assert main(["--first"]) == 0
    assert capsys.readouterr().out.splitlines()[30].endswith(" of 10 that are right")
