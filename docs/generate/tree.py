"""The tree of commands, as click has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from smemdesc.cli import cli
from smemdesc.cli.diff import command as diff_command
from smemdesc.cli.mask import CONV, conv_command

COLUMNS = 78
"""Width of a help text: click leaves two of 80 columns free."""
HIDDEN = {"smemdesc mask": {f"mask {CONV}": conv_command}, "smemdesc decode": {"diff": diff_command}}
"""Commands that are not click subcommands: another command calls them, and they are listed beside it."""


class Node(NamedTuple):
    """A command with its place in the tree."""

    path: str
    """As it is typed: ``smemdesc encode wgmma``."""
    command: click.Command
    context: click.Context

    @property
    def help(self) -> str:
        """What ``--help`` prints."""
        return self.command.get_help(self.context) + "\n"


def walk() -> Iterator[Node]:
    """Yield every command, each before those below it."""
    return _below("smemdesc", cli, None)


def _below(name: str, command: click.Command, parent: click.Context | None) -> Iterator[Node]:
    context = click.Context(command, parent=parent, info_name=name, terminal_width=COLUMNS)
    yield Node(context.command_path, command, context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from _below(child, found, context)
    for child, found in HIDDEN.get(context.command_path, {}).items():
        yield from _below(child, found, parent)
