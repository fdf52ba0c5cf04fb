"""The valid answers of the debugger's script to each question; others are rejected."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

from smemdesc.engine.errors import SmemdescError

QuestionDict = Mapping[str, Any]
Test = Callable[[Any, QuestionDict], bool]
_SHOWN = 60


def _number(answer: Any, question: QuestionDict) -> bool:
    return isinstance(answer, int) and not isinstance(answer, bool)


def _text(answer: Any, question: QuestionDict) -> bool:
    return isinstance(answer, str)


def _or_nothing(test: Test) -> Test:
    return lambda answer, question: answer is None or test(answer, question)


def _numbers(answers: Any, question: QuestionDict) -> bool:
    one = _or_nothing(_number)
    count = len(question["expressions"])
    return isinstance(answers, list) and len(answers) == count and all(one(number, question) for number in answers)


def _bytes(answer: Any, question: QuestionDict) -> bool:
    try:
        return isinstance(answer, str) and len(base64.b64decode(answer, validate=True)) == question["count"]
    except (binascii.Error, ValueError):
        return False


_BASE64 = (_bytes, "as many bytes as requested")
ANSWERS: dict[str, dict[str, tuple[Test, str]]] = {
    "where": {
        "pc": (_number, "an address"),
        "errorpc": (_or_nothing(_number), "an address or null"),
        "function": (_or_nothing(_text), "a text or null"),
        "thread": (_text, "a text"),
        "arch": (_text, "a text"),
    },
    "listing": {"text": (_text, "a text")},
    "values": {"values": (_numbers, "a number or null for each expression")},
    "find": {
        "address": (_number, "an address"),
        "size": (_or_nothing(_number), "a number or null"),
        "pointer": (_text, "a text"),
    },
    "memory": {"base64": _BASE64},
    "host": {"base64": _BASE64},
    "stop_at": {},
    "run_to": {},
    "run_to_launch": {},
}
"""The parts of the answer to each question, and their types."""


def read_answer(line: str, question: QuestionDict) -> Mapping[str, Any]:
    """Return the answer that a line holds to a question (as :meth:`QuestionDict.to_json` writes it).

    :class:`smemdesc.engine.errors.SmemdescError` names the answer, and what is wrong with it.
    """
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _wrong(question, line, "is not JSON") from None
    if not isinstance(answer, dict):
        raise _wrong(question, line, "is not an object")
    if "error" in answer:
        return {"error": str(answer["error"])}
    for part, (test, expected) in ANSWERS[question["ask"]].items():
        if part not in answer:
            raise _wrong(question, line, f'has no "{part}"')
        if not test(answer[part], question):
            raise _wrong(question, line, f'has a "{part}" that is not {expected}')
    return answer


def _wrong(question: QuestionDict, line: str, what: str) -> SmemdescError:
    line = line.strip()
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    return SmemdescError(
        f'the debugger\'s answer to "{question["ask"]}" {what}: {shown}',
        hint="source the script of this version: smemdesc gdb prints its path",
    )
