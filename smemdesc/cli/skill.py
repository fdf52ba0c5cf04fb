"""``smemdesc skill``."""

from __future__ import annotations

import os
import sys
from importlib.resources import files

import click

from smemdesc.cli.support.common import answering
from smemdesc.engine.errors import SmemdescError

FILE = os.path.join("smemdesc", "SKILL.md")


@click.command()
@click.option("--to", "folder", metavar="DIR", help="Write it as DIR/smemdesc/SKILL.md.")
@click.option("--force", is_flag=True, help="With --to: overwrite a different file.")
@answering
def command(ctx: click.Context, /, folder: str | None, force: bool) -> None:
    """Print the skill that tells a coding agent when and how to use smemdesc.

    \b
    Examples:
      smemdesc skill
      smemdesc skill --to .claude/skills

    It is one folder with the file SKILL.md, as agentskills.io describes it.
    """
    if force and folder is None:
        raise click.UsageError("--force needs --to DIR", ctx)
    text = (files("smemdesc") / "skills" / "smemdesc" / "SKILL.md").read_text("utf-8")
    if folder is None:
        sys.stdout.write(text)
        return
    from smemdesc.cli.support.files import write_file

    path = os.path.join(folder, FILE)
    if os.path.isfile(path) and not force:
        with open(path, "rb") as existing:
            if existing.read() != text.encode():
                raise SmemdescError(f"--to {folder}: {path} is another file", hint="--force replaces it")
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_file(path, text, "--to", force=force)
    sys.stdout.write(f"{path}\n")
