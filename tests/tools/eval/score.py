"""Thirty questions about descriptors, and the score of a list of answers. No model is called.

    python -m eval.score --questions > questions.jsonl        (from the folder tests/tools)
    python -m eval.score ANSWERS

ANSWERS is a file of JSON lines, one for each question, in any order (these are not the key):

    {"id": "value-1", "verdict": "wrong", "cause": "scale-id"}
    {"id": "value-2", "verdict": "wrong", "constant": "0x0123456789abcdef"}
    {"id": "value-3", "verdict": "right"}

An answer counts if its verdict is the key's and, where that is ``wrong``, it names the cause, as one of :data:`CAUSES`,
or the constant that is right in place of the wrong one, as a number or as text in the notation of C. What is not
answered does not count.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CAUSES = {
    "base-offset": "the base offset is not that of the tile",
    "expect-tx": "the mbarrier expects other bytes than TMA writes",
    "idesc-half": "the instruction descriptor is in the other half of its 64 bits",
    "k-advance": "a step along K adds the wrong number to the descriptor",
    "lbo-sbo-swapped": "the leading and the stride byte offset are swapped",
    "m-code": "M is not divided as its field needs it",
    "map-swizzle": "the tensor map and the descriptor have different swizzle modes",
    "n-code": "N is not divided as its field needs it",
    "scale-id": "the id of the scale factors is not one that the instruction takes",
    "start-address-carry": "upper bits of the address run into other fields",
    "start-address-not-divided": "the start address is in bytes",
    "stride-divided-twice": "a byte offset is divided by 16 twice",
    "stride-not-divided": "a byte offset is not divided by 16",
    "swizzle-code": "the swizzle mode has the code that it has in another kind of descriptor, or in a map",
    "transpose-bit": "the instruction reads the other major-ness than the tile has",
    "type-code": "the code of an element type is another type's",
    "version-bits": "the version of the descriptor is missing",
    "wrong-stride": "LBO or SBO is that of another layout",
}
ASKED = (
    "Is this right for what it is to do? If not, name the cause, one of the causes given, or the constant that is "
    "right in place of the wrong one."
)


def questions() -> list[dict[str, Any]]:
    """Return the questions with their answers."""
    return list(tomllib.loads((FOLDER / "questions.toml").read_text())["question"])


def asked(question: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked, without the answer; a source by its text."""
    source = question.get("source")
    text = question["text"] if source is None else (FOLDER / "sources" / source).read_text()
    return {"id": question["id"], "question": ASKED, "context": question.get("context", ""), "text": text}


def number(constant: object) -> int | None:
    """Return a constant as a number, from text of C with or without its suffix (``0x40ull``); None for what is none."""
    try:
        text = re.sub(r"(?i)[ul]{1,3}$", "", constant) if isinstance(constant, str) else ""
        return int(text, 0) if text else constant if isinstance(constant, int) else None
    except ValueError:
        return None


def is_correct(question: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer is the key's."""
    if answer.get("verdict") != question["verdict"]:
        return False
    if question["verdict"] == "right":
        return True
    causes = (question["cause"], *question.get("also", ()))
    return answer.get("cause") in causes or number(answer.get("constant")) == question["constant"]


def missed(answers: Iterable[dict[str, Any]]) -> list[str]:
    """Return the ids of the questions without a correct answer.

    ``ValueError`` for an answer to no question, a second one to the same, an unknown verdict or an unknown cause.
    """
    by_id: dict[str, dict[str, Any]] = {}
    known = {question["id"]: question for question in questions()}
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
    """Print the questions, or the score of a file; return the exit status: 2 for a file that cannot be scored."""
    if arguments == ["--questions"]:
        print(json.dumps({"causes": CAUSES}))
        for question in questions():
            print(json.dumps(asked(question)))
        return 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        lines = Path(arguments[0]).read_text().splitlines()
        wrong = missed(json.loads(line) for line in lines if line.strip())
    except (OSError, TypeError, ValueError, AttributeError) as problem:
        print(f"{arguments[0]}: {problem}", file=sys.stderr)
        return 2
    total = len(questions())
    print(f"{total - len(wrong)} of {total}")
    for name in wrong:
        print(f"  not correct: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
