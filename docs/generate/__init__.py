"""The documents that are made from the program: tables, rules, glossary, help texts, man page, completion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from generate import api, commands, completion, glossary, kinds, man, rules

__all__ = ["pages"]


def pages() -> dict[str, Callable[[], str]]:
    """Return what makes the text of every generated file, by the file's path under ``docs/``."""
    return {
        "reference/kinds.md": kinds.page,
        "reference/commands.md": commands.page,
        "reference/python.md": api.page,
        "glossary.md": glossary.page,
        "reference/rules.md": rules.page,
        "man/smemdesc.1": man.page,
        **{f"completions/{shell.file}": partial(completion.script, shell) for shell in completion.SHELLS},
    }
