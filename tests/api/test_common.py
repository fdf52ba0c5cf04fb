"""What all functions of the API have in common: the spellings of keywords, errors that name them, results."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import click
import pytest
from run import smemdesc as program

import smemdesc
from smemdesc.cli import cli
from smemdesc.engine.errors import option
from smemdesc.kinds.context import Context

VALUE = 0x4000404000010040
CASE: dict[str, Any] = {"dtype": "bf16", "major": "K", "shape": "64x16"}
CALLS: dict[str, Callable[..., Any]] = {
    "Context": smemdesc.Context,
    "decode": lambda **more: smemdesc.decode(VALUE, **more),
    "diff": lambda **more: smemdesc.diff(VALUE, VALUE + 2, **more),
}
"""Each function with what it needs."""
COMMANDS = {"decode": ["decode", hex(VALUE)], "diff": ["diff", hex(VALUE), hex(VALUE + 2)]}
"""The command line of each, without options."""
WRONG: dict[str, list[Any]] = {
    "dtype": ["bf61", "fp8", "", 16],
    "major": ["L", 0],
    "trans_a": ["X", True],
    "shape": ["64", "64x0", "m64n128k16", (64,), (64, 16, 8), (64, 0), (64, "16"), 64],
    "arch": ["sm_42", 100],
    "cta_group": [0, 3, True, "two"],
    "ws": [1, "yes"],
    "scale_vec": [3, "X"],
    "mma_kind": ["f61", 16],
    "kind": ["wgma"],
    "m": [0, -1, True, "many", 1.5],
    "n": [0],
    "tile": ["64", (0, 0)],
    "order": ["nm"],
    "tile_start": [-1, "1000", 1000],
    "map": ["0x40"],
}
"""Values that a keyword does not take."""
SPELLINGS = [
    ({"dtype": "torch.bfloat16"}, {"dtype": "bf16"}),
    ({"shape": (64, 16)}, {"shape": "64x16"}),
    ({"shape": [64, 16]}, {"shape": "64x16"}),
    ({"major": "m"}, {"major": "MN"}),
    ({"arch": "B200"}, {"arch": "sm_100a"}),
    ({"arch": "100a"}, {"arch": "sm_100a"}),
    ({"cta_group": "2"}, {"cta_group": 2}),
    ({"order": "MN"}, {"order": "mn"}),
]


PATH = {"decode": ["decode"], "diff": ["decode"]}
"""Where each is in the tree of commands."""
OUTPUT = {"json", "svg", "color", "short", "bits", "all", "field", "check", "strict", "force", "help", "diff"}
"""Options about the output and the status of the program."""
OF_THE_OTHER = {"decode": {"--tile-start"}, "diff": {"--map"}}
"""Options of a command that is two functions, which one of them does not take."""


def options_of(call: str) -> list[set[str]]:
    """Return the names of each option of a command."""
    command: click.Command = cli
    for word in PATH[call]:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word) or command
    every = [set(each.opts) for each in command.params if isinstance(each, click.Option)]
    left_out = {option(name) for name in OUTPUT} | OF_THE_OTHER.get(call, set())
    return [names for names in every if not names & left_out]


def keywords(call: str) -> list[str]:
    return [name for name in inspect.signature(getattr(smemdesc, call)).parameters if name in WRONG]


@pytest.mark.parametrize(
    ("call", "keyword", "value"),
    [(call, keyword, value) for call in CALLS for keyword in keywords(call) for value in WRONG[keyword]],
)
def test_error_names_the_keyword(call: str, keyword: str, value: object) -> None:
    with pytest.raises(smemdesc.SmemdescError) as caught:
        CALLS[call](**{keyword: value})
    assert caught.value.keyword == keyword
    assert keyword in str(caught.value)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "keyword"),
    [(call, keyword) for call in COMMANDS for keyword in keywords(call) if isinstance(WRONG[keyword][0], str)],
)
def test_the_command_names_the_option(call: str, keyword: str) -> None:
    ran = program(*COMMANDS[call], option(keyword), WRONG[keyword][0])
    assert ran.status == 2
    assert option(keyword) in ran.err


@pytest.mark.parametrize("call", CALLS)
def test_unknown_keyword_is_a_type_error_with_the_near_one(call: str) -> None:
    near = next(iter(keywords(call)))
    with pytest.raises(TypeError, match=rf"has no keyword '{near}s'; did you mean {near}\?"):
        CALLS[call](**{f"{near}s": 1})


@pytest.mark.parametrize(("given", "plain"), SPELLINGS)
def test_spellings(given: dict[str, Any], plain: dict[str, Any]) -> None:
    assert Context(**given) == Context(**plain) != Context()


@pytest.mark.parametrize("call", COMMANDS)
def test_every_option_of_the_command_is_a_keyword(call: str) -> None:
    """All but those about the output, which are methods of the result."""
    ours = {option(name) for name in inspect.signature(getattr(smemdesc, call)).parameters}
    assert [names for names in options_of(call) if not names & ours] == []


@pytest.mark.parametrize("call", [name for name in CALLS if name != "Context"])
def test_result(call: str) -> None:
    result = CALLS[call](**CASE)
    assert result.ok is not any(each.severity == "error" for each in result.findings)
    assert isinstance(result.findings, tuple)
    assert isinstance(result.to_dict(), dict)
    assert "\n" not in str(result)
    with pytest.raises(AttributeError):
        result.ok = False


def test_a_context_is_made_by_keywords_only() -> None:
    with pytest.raises(TypeError):
        Context("bf16")  # type: ignore[misc]


def test_context_is_copied_and_pickled() -> None:
    context = Context(**CASE)
    assert pickle.loads(pickle.dumps(context)) == copy.copy(context) == context
    assert repr(context) == "Context(dtype='bf16', major='K', shape=(64, 16))"


def test_keywords_replace_what_a_context_has() -> None:
    context = Context(dtype="bf16", major="MN", shape="128x16")
    decoded = smemdesc.decode(VALUE, context=context, **CASE)
    assert decoded.context == Context(**CASE)
