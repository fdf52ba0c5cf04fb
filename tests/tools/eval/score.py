"""Thirty questions about descriptors, and the score of a list of answers. No model is called.

    python -m eval.score --questions > questions.jsonl        (from the folder tests/tools)
    python -m eval.score ANSWERS
    python -m eval.score --first

With ``--symbols`` in front each address is a symbol (:mod:`eval.symbols`). ``--first`` scores the command that
``smemdesc skill`` says to run first: what it says of the mistake, alone.

ANSWERS is a file of JSON lines, one for each question, in any order (these are not the key):

    {"id": "value-1", "verdict": "wrong", "cause": "scale-id"}
    {"id": "value-2", "verdict": "wrong", "constant": "0x0123456789abcdef"}
    {"id": "value-3", "verdict": "right"}

An answer counts if its verdict is the key's and, where that is ``wrong``, it names the cause, as one of :data:`CAUSES`,
or the constant that is right in place of the wrong one, as a number or as text in the notation of C or of smemdesc. Of
a start that is a symbol its bits do not count. What is not answered does not count.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from eval.symbols import with_symbols
from smemdesc.cli import cli
from smemdesc.explanations import catalog

FOLDER = Path(__file__).parent
CAUSES = {name: cause.text for name, cause in catalog.causes().items()}
ASKED = (
    "Is this right for what it is to do? If not, name the cause, one of the causes given, or the constant that is "
    "right in place of the wrong one."
)


def questions(*, symbols: bool = False) -> list[dict[str, Any]]:
    """Return the questions with their answers; a source by its text."""
    made = []
    for question in tomllib.loads((FOLDER / "questions.toml").read_text())["question"]:
        if "source" in question:
            question["text"] = (FOLDER / "sources" / question["source"]).read_text()
        made.append(with_symbols(question, question["text"]) if symbols else question)
    return made


def asked(question: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked, without the answer."""
    return {"id": question["id"], "question": ASKED, "context": question.get("context", ""), "text": question["text"]}


def number(constant: object) -> int | None:
    """Return a constant as a number, from text of C with or without its suffix (``0x40ull``), or with a start that is
    not known (``0x40000000@smem``, ``0x4000????``: 0); None for what is none."""
    try:
        text = re.sub(r"(?i)@.*|[ul]{1,3}$", "", constant).replace("?", "0") if isinstance(constant, str) else ""
        return int(text, 0) if text else constant if isinstance(constant, int) else None
    except ValueError:
        return None


def is_correct(question: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer is the key's."""
    if answer.get("verdict") != question["verdict"]:
        return False
    if question["verdict"] == "right":
        return True
    return answer.get("cause") in causes_of(question) or is_constant(question, answer.get("constant"))


def causes_of(question: dict[str, Any]) -> tuple[str, ...]:
    """Return the causes that are a correct answer."""
    return (question["cause"], *question.get("also", ()))


def is_constant(question: dict[str, Any], constant: object) -> bool:
    """Whether a constant is the key's, apart from a start that is a symbol."""
    given, uncounted = number(constant), question.get("uncounted", 0)
    return given is not None and given | uncounted == question["constant"] | uncounted


def first_says(question: dict[str, Any]) -> str:
    """Return what the first command says.

    Of a mistake: ``cause``, it names it, by a rule that reports no other or as an alternative; ``constant``, it prints
    the one that is right; ``rule``, it has a finding of a rule that reports several causes; nothing otherwise. Of what
    is right: ``right``, no error and no warning, and the number is the one that it prints.
    """
    words = [part.format(source="-") for part in shlex.split(question["first"])]
    printed = "--field" in words
    ran = CliRunner().invoke(cli, words if printed else [*words, "--json"], input=question["text"])
    found = [] if printed else [part for line in ran.stdout.splitlines() for part in _findings(json.loads(line))]
    if question["verdict"] == "right":
        numbers = map(number, re.findall(r"\b(?:0x[\da-f]+|\d+)\b", question["text"]))
        known = number(ran.stdout.strip()) in numbers if printed else (ran.exit_code, ran.stderr, found) == (0, "", [])
        return "right" if known else ""
    causes, constants = set(), {ran.stdout.strip()} if printed else set()
    for finding in found:
        for named in (finding, *(finding.get("alternatives") or ())):
            causes.add(named.get("cause", named.get("rule")))
            constants.add(named.get("repaired"))
    reports = {name: {name, *cause.rules} for name, cause in catalog.causes().items()}
    several = Counter(rule for rules in reports.values() for rule in rules)
    own = set().union(*(reports[name] for name in causes_of(question)))
    if causes & {*causes_of(question), *(rule for rule in own if several[rule] == 1)}:
        return "cause"
    if any(is_constant(question, constant) for constant in constants):
        return "constant"
    return "rule" if causes & own else ""


def _findings(part: object) -> Iterator[dict[str, Any]]:
    """Yield the errors and warnings in a JSON object, at any depth."""
    if isinstance(part, dict):
        if "rule" in part and part.get("severity") in ("error", "warning"):
            yield part
        for name, each in part.items():
            if name != "undecided":
                yield from _findings(each)
    elif isinstance(part, list):
        for each in part:
            yield from _findings(each)


def missed(answers: Iterable[dict[str, Any]], every: list[dict[str, Any]]) -> list[str]:
    """Return the ids of the questions without a correct answer.

    ``ValueError`` for an answer to no question, a second one to the same, an unknown verdict or an unknown cause.
    """
    by_id: dict[str, dict[str, Any]] = {}
    known = {question["id"]: question for question in every}
    for answer in answers:
        name = answer.get("id")
        if name not in known or name in by_id:
            raise ValueError(f"{name!r} is {'answered twice' if name in by_id else 'no question'}")
        if answer.get("verdict") not in ("right", "wrong"):
            raise ValueError(f"{name}: the verdict is 'right' or 'wrong', not {answer.get('verdict')!r}")
        if answer.get("cause") not in (None, *CAUSES):
            raise ValueError(f"{name}: {answer['cause']!r} is none of the causes: {', '.join(CAUSES)}")
        by_id[name] = answer
    return [name for name, question in known.items() if not is_correct(question, by_id.get(name, {}))]


def main(arguments: list[str]) -> int:
    """Print the questions, the score of the first commands, or of a file; return the exit status: 2 for a file that
    cannot be scored."""
    symbols = arguments[:1] == ["--symbols"]
    arguments = arguments[symbols:]
    every = questions(symbols=symbols)
    if arguments == ["--questions"]:
        print(json.dumps({"causes": CAUSES}))
        for question in every:
            print(json.dumps(asked(question)))
        return 0
    if arguments == ["--first"]:
        said = Counter()
        for question in every:
            said[says := first_says(question)] += 1
            print(f"{question['id']:8}  {says or '-':8}  smemdesc {question['first']}")
        named = said["cause"] + said["constant"]
        print(f"{named} of 20 mistakes named, {said['rule']} more reported; {said['right']} of 10 that are right")
        return 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        lines = Path(arguments[0]).read_text().splitlines()
        wrong = missed((json.loads(line) for line in lines if line.strip()), every)
    except (OSError, TypeError, ValueError, AttributeError) as problem:
        print(f"{arguments[0]}: {problem}", file=sys.stderr)
        return 2
    print(f"{len(every) - len(wrong)} of {len(every)}")
    for name in wrong:
        print(f"  not correct: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
