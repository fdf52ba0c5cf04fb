"""The command line beside the API: each command is a function, each of its options a keyword."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click
from tables import every_row

import smemdesc
from smemdesc.cli import cli
from smemdesc.cli.mask import conv_command
from smemdesc.cli.probe import PROBE_COMMANDS
from smemdesc.engine.errors import option
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import MMA_KINDS

FUNCTIONS = {
    "decode": ("decode", "diff", "decode_many"),
    "layout linear": ("linear_layout",),
    "layout explain": ("explain_layout",),
    "scan": ("scan", "agree"),
    "encode wgmma": ("encode",),
    "encode tcgen05": ("encode",),
    "encode idesc": ("encode",),
    "encode mask": ("encode",),
    "encode -": ("encode_many",),
    "encode tmem": ("encode",),
}
"""Of commands that are not one function of the same name."""
NO_FUNCTION = {
    "skill": "a text for coding agents",
    "lsp": "serves an editor",
    "layout canonical": "a table to read, in notations of documents",
    "layout guess": "reads a listing of addresses; what it finds are arguments of operand",
    "fields": "a table to read; explain(name) has one field",
    "gdb": "prints a script for cuda-gdb",
    "web": "serves the page",
    **dict.fromkeys((f"probe {each}" for each in PROBE_COMMANDS), "runs on the GPU of this machine"),
}
"""Commands without a function, and why."""
SHOWN = {
    **dict.fromkeys(("json", "short", "format"), "to_dict(), str() and the object itself"),
    **dict.fromkeys(("svg", "color", "all", "bits", "list", "direction", "show", "sort", "name"), "of what is shown"),
    **dict.fromkeys(("check", "strict", "quiet"), "ok and findings"),
    "force": "overwrites a file; a keyword where it also forces a value",
}
"""Options about the output and the status of the program, and what is in their place."""
PLACES = "methods of the result"
OTHERWISE = {
    "decode": {"diff": "the function diff", "field": "fields of the result"},
    "encode mask": dict.fromkeys("mn", "keywords among the fields"),
    "mma": {"field": "bare() of the result"},
    "plan": {"tensor-map": "a, b: their map", "field": "bare() of the result"},
    "scan": {
        "agree": "the function agree",
        "diff": "compares texts of two scans",
        "annotate": "prints the dump",
        "field": "fields of each instruction",
        **dict.fromkeys(("allow-empty", "require-mma"), "of the exit status"),
    },
    "layout tile": {"both-orders": "two tiles in one picture"},
    "layout linear": dict.fromkeys(("at", "offset"), PLACES),
    "layout explain": dict.fromkeys(
        (
            "dtype",
            "mma-kind",
            "major",
            "swizzle",
            "shape",
            "mma",
            "order",
            "tma",
            "at",
            "stage",
            "units",
            "start",
            "arch",
        ),
        "keywords, read as the options",
    ),
    "layout store": dict.fromkeys(("at", "thread"), PLACES),
    "layout fragment": dict.fromkeys(("at", "thread", "register"), PLACES),
    "layout tmem": dict.fromkeys(("at", "lane", "column", "thread", "register"), PLACES),
    "layout scales": dict.fromkeys(("at", "byte", "lane", "column"), PLACES),
}
"""Other options without a keyword of one command, and what is in their place."""


def commands(command: click.Command = cli, path: str = "") -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None
            yield from commands(each, f"{path} {name}".strip())
    else:
        yield path, command
        if path == "mask":
            yield "mask conv", conv_command


EVERY = dict(commands())


def functions(path: str) -> tuple[str, ...]:
    return () if path in NO_FUNCTION else FUNCTIONS.get(path, (path.rpartition(" ")[2],))


def keywords(path: str) -> set[str]:
    """Return the keywords of a command's functions, as options."""
    names = {name for each in functions(path) for name in inspect.signature(getattr(smemdesc, each)).parameters}
    if functions(path) == ("encode",):
        kind = path.rpartition(" ")[2]
        kinds = [kind_of(kind, each) for each in (MMA_KINDS if kind == "idesc" else (None,))]
        names.update(*(each.table.by_key for of in kinds for each in (of, *of.variants)))
    return set(map(option, names))


def test_every_function_is_of_a_command_and_every_exception_of_one() -> None:
    """Names that are not functions are classes and ``context``, a class by its older name."""
    public = {name for name in smemdesc.__all__ if inspect.isfunction(getattr(smemdesc, name))}
    assert {each for path in EVERY for each in functions(path)} == public - {"context"}
    assert {*NO_FUNCTION, *OTHERWISE, *FUNCTIONS} <= {*EVERY}


@every_row("path", [path for path in EVERY if path not in NO_FUNCTION])
def test_every_option_is_a_keyword(path: str) -> None:
    otherwise = OTHERWISE.get(path, {})
    options = [each for each in EVERY[path].params if isinstance(each, click.Option)]
    known = keywords(path) | {f"--{name}" for name in (*SHOWN, *otherwise)}
    assert [each.opts for each in options if not known & {*each.opts, *each.secondary_opts}] == []
    assert {f"--{name}" for name in otherwise} <= {name for each in options for name in each.opts} - keywords(path)
