"""``smemdesc schema``."""

from __future__ import annotations

import json
import sys

import click

from smemdesc.cli.support.common import answering


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@answering
def command(ctx: click.Context, /, words: tuple[str, ...]) -> None:
    """Print the JSON schema of what COMMAND prints with --json. Without COMMAND, list the schemas.

    \b
    Examples:
      smemdesc schema                # list them
      smemdesc schema decode
      smemdesc schema scan --diff    # of a form of a command
      smemdesc schema errors         # of standard error with --json

    Each line of the output of COMMAND is one object that the schema (draft
    2020-12) describes, with the units of numbers. No key is left out of it.
    """
    from smemdesc.api.schemas import schema, schemas

    asked = [word for word in words if word not in ("--json", "-j")]
    if asked:
        text = json.dumps(schema(" ".join(asked)), indent=2)
    else:
        known = schemas()
        width = max(map(len, known))
        text = "\n".join(f"{name:{width}}  {each['description']}" for name, each in known.items())
    sys.stdout.write(text + "\n")
