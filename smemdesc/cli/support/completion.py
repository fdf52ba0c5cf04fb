"""The completions of an option or an argument in a shell, by its metavar.

Imported only when a shell asks (``_SMEMDESC_COMPLETE``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from smemdesc.cli.mask import CONV, Mask, conv_command
from smemdesc.cli.shortcuts import expand_arguments
from smemdesc.cli.support.options import TableOption
from smemdesc.kinds.names import ARCHS, KINDS

FILES = ("BYTES", "FILE", "FILE...", "PATH...")


class ChoiceCompletion(ShellComplete):
    """Adds to click's completion: choices without ``click.Choice``, files, and ``mask conv``."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return the completions of the word."""
        for parameter in named_command(self.cli, args).params:
            parameter.type = Offering(parameter.type)
        return super().get_completions(args, incomplete)


def named_command(command: click.Command, args: list[str]) -> click.Command:
    """Return the command that the words name: the group itself, or one below it."""
    for word in expand_arguments(args):
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), word) or command
        elif isinstance(command, Mask) and word == CONV:
            command = conv_command
    return command


class Offering(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """The type of a parameter, with its completions."""

    def __init__(self, own: click.ParamType[Any]) -> None:
        self.own = own
        self.name = own.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.own.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if param.metavar in FILES:
            return [CompletionItem(incomplete, type="file")]
        metavar = param.metavar or ""
        if isinstance(self.own, click.Choice) and "|" not in metavar:
            offered: Iterable[str] = map(str, self.own.choices)
        elif isinstance(param, TableOption) and param.row.offers:
            offered = param.row.offers
        elif isinstance(ctx.command, Mask) and isinstance(param, click.Argument):
            offered = () if ctx.params.get("values") else (CONV,)
        else:
            offered = metavar_words(metavar)
        return [CompletionItem(word) for word in offered if word.lower().startswith(incomplete.lower())]


def metavar_words(metavar: str) -> Iterable[str]:
    """Return the completions of a metavar; none for numbers, addresses and values."""
    from smemdesc.kinds.modes import MODE
    from smemdesc.kinds.types import DTYPE_NAMES

    known: dict[str, Iterable[str]] = {"KIND": KINDS, "[KIND]": KINDS, "ARCH": ARCHS, "MODE": MODE, "TYPE": DTYPE_NAMES}
    if metavar == "RULE":
        from smemdesc.explanations.catalog import rule_names
        from smemdesc.rules.base import RANK

        return (*RANK, *rule_names())
    if metavar == "[NAME]...":
        from smemdesc.explanations.topics import topics

        return dict.fromkeys(name for row in topics().rows() if " " not in (name := row["name"]))
    if metavar == "NAME":
        from smemdesc.kinds.kind import tables

        return dict.fromkeys(key for name in KINDS for table in tables(name) for key in table.table.by_key)
    return known.get(metavar, metavar.split("|") if "|" in metavar else ())


def register_completions() -> None:
    """Register these completions with click."""
    for shell in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(type(shell.__name__, (ChoiceCompletion, shell), {}))
