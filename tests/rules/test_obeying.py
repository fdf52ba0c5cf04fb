"""Whoever obeys a repair ends at what was meant, or is told the alternatives: never at something else that is valid."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from eval.score import CAUSES
from hypothesis import given
from hypothesis import strategies as st
from operands.causes import INEXPRESSIBLE, Planned, mistakes, planned
from operands.obeying import NEVER, answers, questions, shown
from samples import some

CASES = st.integers(0, 1 << 32).map(lambda seed: planned(Random(seed)))


@pytest.mark.slow
@some(200, least=40)
@given(CASES, st.randoms(use_true_random=False))
def test_repairs_end_at_what_was_meant_or_name_the_alternatives(case: Planned, random: Random) -> None:
    mistake = random.choice(list(mistakes(case)))
    for question in random.sample(list(questions(case)), 5):
        for answer in answers(case, question, [mistake]):
            assert answer.outcome not in NEVER, "\n".join(shown(answer))


@pytest.mark.slow
@some(100, least=12)
@given(CASES)
def test_what_is_right_gets_no_advice(case: Planned) -> None:
    for question in questions(case):
        assert not list(answers(case, question, [])), question


@pytest.mark.slow
def test_the_plans_have_every_mistake_that_is_in_a_descriptor() -> None:
    random = Random(0)
    made = Counter(mistake.cause for _ in range(12) for mistake in mistakes(planned(random)))
    assert made.keys() == CAUSES.keys() - set(INEXPRESSIBLE)
