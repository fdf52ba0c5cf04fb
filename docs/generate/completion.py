"""The completion scripts, as click makes them: they ask the program itself, which is therefore never out of step."""

from __future__ import annotations

from typing import NamedTuple

from click.shell_completion import get_completion_class

from smemdesc.cli import cli

VARIABLE = "_SMEMDESC_COMPLETE"


class Shell(NamedTuple):
    """A shell, and how the file is called that it loads by itself."""

    name: str
    file: str


SHELLS = (Shell("bash", "smemdesc"), Shell("zsh", "_smemdesc"), Shell("fish", "smemdesc.fish"))


def script(shell: Shell) -> str:
    """Return what ``_SMEMDESC_COMPLETE=SHELL_source smemdesc`` prints, made fit for the file that a shell loads."""
    made = get_completion_class(shell.name)
    assert made is not None
    # Not source(), which asks the bash of this machine for its version first.
    completion = made(cli, {}, "smemdesc", VARIABLE)
    names = completion.source_vars()
    if shell.name == "zsh":
        # zsh loads the file as a function of its name. Unless that defines itself anew, the second word that is
        # completed is lost: click's script then only registers the function that it should have called.
        names["complete_func"] = shell.file
    return completion.source_template % names + "\n"
