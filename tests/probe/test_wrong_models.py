"""A model that is wrong is contradicted, and the descriptor that explains what was read is found."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from probe.chip import Chip

from smemdesc.probe.asking import ask_gpu, nearest_descriptor
from smemdesc.probe.every import every_question, random_questions
from smemdesc.probe.questions import OperandAnswer, OperandQuestion

QUESTIONS = [each for each in every_question("sm_90a") if isinstance(each, OperandQuestion) and not each.outside]
CHANGES: list[dict[str, Any]] = [{"sbo": 16}, {"lbo": 16}, {"start": 16}, {"base_offset": 1}, {"swizzle": "32B"}]


def wrong(question: OperandQuestion, change: dict[str, Any]) -> OperandQuestion:
    """The same question with another model."""
    operand = question.operand
    (name, value), *_ = change.items()
    other = value if isinstance(value, str) else getattr(operand, name) + value
    return question._replace(operand=operand._replace(**{name: other}))


def asked(question: OperandQuestion, chip: Chip | None = None) -> OperandAnswer:
    return question.judge((chip or Chip()).ask(question.launch()))


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_a_wrong_model_is_contradicted(change: dict[str, Any]) -> None:
    contradicted = 0
    for question in random.Random(0).sample(QUESTIONS, 12):
        other = wrong(question, change)
        answer = asked(other)
        assert answer.holds == (other.expected == question.expected), question
        contradicted += not answer.holds
    assert contradicted >= 3


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_any_question_is_answered_by_the_model(seed: int) -> None:
    question = next(random_questions("sm_90a", seed))
    assert asked(question).holds


def test_the_descriptor_that_explains_what_was_read_is_named() -> None:
    question = next(each for each in QUESTIONS if each.operand.mode.name == "128B" and each.operand.base_offset == 0)
    chip = Chip(reads=lambda operand: operand._replace(sbo=2048) if operand.mode.name == "128B" else operand)
    answer = asked(question, chip)
    found = nearest_descriptor(answer)
    assert found is not None
    assert found.operand.sbo == 2048
    assert found.agreeing == len(answer.seen)
    assert ask_gpu(chip, question).to_dict()["nearest"]["value"] == f"0x{found.value:016x}"


class Adding(Chip):
    """It adds what it should not: D has other numbers where the other operand is zero."""

    def matrix(self, case: Any, block: Any, side: str) -> list[list[float]]:
        rows = super().matrix(case, block, side)
        return rows if side == "a" else [*rows[:-1], [1.0] * len(rows[-1])]


def test_a_sum_is_no_element() -> None:
    question = QUESTIONS[0]
    answer = asked(question, Adding())
    assert not answer.holds
    assert None in answer.seen
