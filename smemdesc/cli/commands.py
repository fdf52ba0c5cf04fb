"""The names of the commands, how each is loaded, their shared context and group, and exit statuses."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import pairwise
from typing import Any

import click

COMMANDS = {
    "decode": "Decode a value and check it",
    "encode": "Build a descriptor from named fields",
    "layout": "Show the address of each element",
    "mask": "Show the columns of B that a mask zeroes, or find the mask",
    "mma": "Check one instruction and its operands together",
    "plan": "Compute every constant of a GEMM tile",
    "scan": "Find and check every descriptor in a dump or a binary",
    "gdb": "Check the instruction at which cuda-gdb stopped",
    "probe": "Ask the GPU: does it do what smemdesc says?",
    "fields": "Print the reference card of a kind",
    "explain": "Explain a rule, a cause, a term or a field",
    "web": "Open the browser version",
    "schema": "Print the JSON schema of what a command prints",
    "lsp": "Serve an editor",
    "skill": "Print the skill for coding agents",
}
SHORT_FOR = {"diff": "Compare two values, or two dumps"}
"""Help of the words that abbreviate a command with an option."""
STARTED: dict[str, Callable[[], None]] = {}
"""What commands start that is above this room, by their names: the program puts it here."""
EMPTY_INPUT = "smemdesc.empty"
"""The key in the context of whether standard input had no line."""
ERROR_FOUND = 1
UNREADABLE = 2


def load(name: str) -> click.Command:
    """Import the module of a command, and return the command."""
    command: click.Command = import_module(f"smemdesc.cli.{name}").command
    return command


_GLOBAL = {"--debug": ("SMEMDESC_DEBUG", "1"), "--no-pager": ("SMEMDESC_PAGER", "cat")}
"""Options of every command, with the variable that each sets."""


def take_global_options(args: list[str]) -> list[str]:
    """Return the arguments with ``-h`` as ``--help`` (no value begins like this), without those that set a variable."""
    end = args.index("--") if "--" in args else len(args)
    os.environ.update(_GLOBAL[arg] for arg in args[:end] if arg in _GLOBAL)
    return ["--help" if arg == "-h" else arg for arg in args[:end] if arg not in _GLOBAL] + args[end:]


def asks_for_json(args: list[str]) -> bool:
    """Whether a command line asks for JSON; then messages on standard error are JSON, too."""
    words = args[: args.index("--")] if "--" in args else args
    flags = {flag for word in words if word[:1] == "-" and word[1:].isalpha() for flag in word[1:]}
    return "j" in flags or not {"--json", "--format=json"}.isdisjoint(words) or ("--format", "json") in pairwise(words)


class HelpContext(click.Context):
    """Shows help in color if standard output allows it."""

    def __init__(self, *arguments: Any, **others: Any) -> None:
        super().__init__(*arguments, **others)
        if self.color is None and (os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"):
            self.color = False
        elif self.color is None and os.environ.get("FORCE_COLOR"):
            self.color = True

    def get_help(self) -> str:
        from smemdesc.cli.support.help import painted

        return painted(super().get_help())


class LazyGroup(click.Group):
    """A group that imports, or builds, a command when it is run."""

    context_class = HelpContext
    commands_help: Mapping[str, str]
    """The help of each command."""
    section = "Commands"

    def load(self, name: str) -> click.Command:
        """Return the command of a name."""
        raise NotImplementedError

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands_help)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands_help:
            return None
        command = self.load(cmd_name)
        command.context_class = HelpContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands_help and not args[0].startswith("-"):
            from smemdesc.engine.wording import nearest

            near = nearest(args[0], self.commands_help, f"the commands are {', '.join(self.commands_help)}")
            raise click.UsageError(f"no such command {args[0]!r}: {near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self.section):
            formatter.write_dl(list(self.commands_help.items()))
