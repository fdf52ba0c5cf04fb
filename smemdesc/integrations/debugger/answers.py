"""What the debugger's script may answer to each question, so that nothing else gets any further."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

from smemdesc.engine.errors import SmemdescError

Asked = Mapping[str, Any]
Test = Callable[[Any, Asked], bool]
_SHOWN = 60


def _number(given: Any, asked: Asked) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _text(given: Any, asked: Asked) -> bool:
    return isinstance(given, str)


def _or_nothing(test: Test) -> Test:
    return lambda given, asked: given is None or test(given, asked)


def _numbers(given: Any, asked: Asked) -> bool:
    one = _or_nothing(_number)
    wanted = len(asked["expressions"])
    return isinstance(given, list) and len(given) == wanted and all(one(each, asked) for each in given)


def _bytes(given: Any, asked: Asked) -> bool:
    try:
        return isinstance(given, str) and len(base64.b64decode(given, validate=True)) == asked["count"]
    except (binascii.Error, ValueError):
        return False


_WHERE: dict[str, tuple[Test, str]] = {
    "pc": (_number, "an address"),
    "errorpc": (_or_nothing(_number), "an address or null"),
    "function": (_or_nothing(_text), "a text or null"),
    "thread": (_text, "a text"),
    "arch": (_text, "a text"),
}
_BYTES: dict[str, tuple[Test, str]] = {"base64": (_bytes, "as many bytes as were asked for")}
ANSWERS: dict[str, dict[str, tuple[Test, str]]] = {
    "where": _WHERE,
    "listing": {"text": (_text, "a text")},
    "values": {"values": (_numbers, "a number or null for each expression")},
    "memory": _BYTES,
    "host": _BYTES,
    "stop_at": {},
    "run_to": {},
}
"""The parts of the answer to each question, and what each must be."""


def read(line: str, asked: Asked) -> Mapping[str, Any]:
    """Return the answer that a line holds to a question (as :meth:`Ask.to_json` writes it).

    :class:`smemdesc.engine.errors.SmemdescError` names the answer, and what is not as it should be.
    """
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _wrong(asked, line, "is not JSON") from None
    if not isinstance(answer, dict):
        raise _wrong(asked, line, "is not an object")
    if "error" in answer:
        return {"error": str(answer["error"])}
    for part, (test, wanted) in ANSWERS[asked["ask"]].items():
        if part not in answer:
            raise _wrong(asked, line, f'has no "{part}"')
        if not test(answer[part], asked):
            raise _wrong(asked, line, f'has a "{part}" that is not {wanted}')
    return answer


def _wrong(asked: Asked, line: str, what: str) -> SmemdescError:
    line = line.strip()
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    return SmemdescError(
        f'the debugger\'s answer to "{asked["ask"]}" {what}: {shown}',
        hint="source the script of this version: smemdesc gdb prints its path",
    )
