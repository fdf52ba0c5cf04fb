"""The forms of the page: each option is the command's, each picture is drawn as the form stands at first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
import pytest

from smemdesc.integrations.page.bridge import answer
from smemdesc.integrations.page.commands import DECODE, PICTURES, PLAN, SCAN, Form, command_of, form_dict, forms

FORMS = [DECODE, *PICTURES, PLAN, SCAN]
OWN = {"elements", "name", "action", "method", "target", "submit", "reset", "length", "title", "id", "style", "hidden"}
"""What a form of a browser has by these names."""


def fields(form: Form) -> Iterator[dict[str, Any]]:
    """Yield the fields of a form."""
    made = form_dict(form)
    yield from [*made["fields"], *made["ask"]]


def words(form: Form, asked: tuple[str, ...] = ()) -> list[str]:
    """Return the command line of a form as it stands at first, and of some of what asks for a place."""
    made = form_dict(form)
    given = [made["fields"][0]["start"] or made["fields"][0]["example"]] if form.place else []
    said = [(each["option"], each["start"]) for each in made["fields"] if each.get("start") and "option" in each]
    said += [(each["option"], each["example"]) for each in made["ask"] if each["name"] in asked]
    return [*made["asked" if asked else "words"], *given, *(word for pair in said for word in pair)]


def ran(line: list[str], *more: str) -> Any:
    """Run a command line as the page does."""
    return json.loads(answer(json.dumps({"do": "run", "words": [*line, *more], "plain": True})))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.command)
def test_a_field_is_an_option_of_the_command(form: Form) -> None:
    for each in fields(form):
        assert each["name"] not in OWN
        if "option" not in each:
            continue
        commands = [command_of(form.command), *([command_of(form.asked_by)] if form.asked_by else [])]
        named = {name: option for command in commands for option in command.params for name in option.opts}
        kind = named[each["option"]].type
        if isinstance(kind, click.Choice) and each["name"] != "major":
            assert {value for value, _ in each["choices"]} - {""} == set(kind.choices)


@pytest.mark.parametrize("form", [*PICTURES, PLAN], ids=lambda form: form.command)
def test_what_a_form_holds_at_first_is_drawn(form: Form) -> None:
    drawn = ran([word for word in words(form) if word not in ("--format", "cuda")], "--svg", "-")
    assert (drawn["status"], drawn["out"][:4]) == (0, "<svg"), drawn["err"]


ASKED = [(form, ask) for form in PICTURES for ask in form.ask.split()]
ASKED += [(form, "lane column") for form in PICTURES if "lane" in form.ask]


@pytest.mark.parametrize(("form", "ask"), ASKED, ids=lambda each: getattr(each, "command", each))
def test_a_place_is_asked_for(form: Form, ask: str) -> None:
    said = ran(words(form, tuple(ask.split())))
    if form.command == "layout scales" and ask in ("lane", "column"):
        assert "--lane" in said["err"]  # they go together, and it says so
    else:
        assert (said["status"], said["err"]) == (0, "")


def test_the_page_knows_every_form() -> None:
    assert list(forms()) == ["decode", "layout", "plan", "scan"]
    assert json.loads(answer('{"do": "about"}'))["forms"] == forms()
