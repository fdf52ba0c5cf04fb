"""The one door of the page: a question as JSON, its answer as JSON.

``{"do": "decode", ...}`` names one of :data:`QUESTIONS`; the other keys are what that function takes. What cannot be
answered is ``{"problem": {...}}``, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.integrations.page.commands import command, run
from smemdesc.integrations.page.forms import about
from smemdesc.integrations.page.values import decode, edit

QUESTIONS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "about": about,
    "decode": decode,
    "edit": edit,
    "command": command,
    "run": run,
}


def answer(question: str) -> str:
    """Answer one question of the page."""
    try:
        query = json.loads(question)
        return json.dumps(QUESTIONS[query.pop("do")](**query))
    except Exception as problem:
        return json.dumps({"problem": problem_dict(as_error(problem))})


def problem_dict(problem: SmemdescError) -> dict[str, Any]:
    """Return what is wrong with something typed, as an object."""
    return {
        "message": problem.message,
        "given": problem.given,
        "span": list(problem.span) if problem.span else None,
        "hint": problem.hint,
    }
