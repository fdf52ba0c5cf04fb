"""``smemdesc lsp``."""

from __future__ import annotations

import click

from smemdesc.cli.commands import STARTED


@click.command()
def command() -> None:
    """Serve an editor by the language server protocol, on standard input and output.

    \b
    Examples:
      smemdesc lsp

    The editor starts it: docs/editors.md has settings for VS Code and Neovim.
    A constant or an MMA below the pointer is decoded; findings of scan are
    marked, with their repairs. It needs pip install "smemdesc[lsp]".
    """
    STARTED["lsp"]()
