"""What a shell offers behind an option or in place of an argument, by what its help calls it (its metavar).

Imported only when a shell asks (``_SMEMDESC_COMPLETE``).
"""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    _resolve_context,
    _resolve_incomplete,
    add_completion_class,
)

from smemdesc.cli.mask import CONV, Mask
from smemdesc.words import ARCHS, KINDS

FILES = ("FILE", "FILE...")


class Words(ShellComplete):
    """Adds to what click knows: choices that are no ``click.Choice``, files, and ``mask conv``."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what the word may become."""
        context = _resolve_context(self.cli, self.ctx_args, self.prog_name, args)
        asked, word = _resolve_incomplete(context, args, incomplete)
        found = asked.shell_complete(context, word)
        if not isinstance(asked, click.Parameter):
            return found
        if asked.metavar in FILES:
            return [CompletionItem(word, type="file")]
        if isinstance(context.command, Mask) and isinstance(asked, click.Argument):
            offered: Iterable[str] = () if context.params.get("values") else (CONV,)
        else:
            offered = words(asked.metavar or "")
        return found or [CompletionItem(each) for each in offered if each.lower().startswith(word.lower())]


def words(metavar: str) -> Iterable[str]:
    """Return the words that a metavar stands for; none for numbers, addresses and values."""
    from smemdesc.kinds.modes import MODE
    from smemdesc.kinds.types import NAMES

    known: dict[str, Iterable[str]] = {"KIND": KINDS, "[KIND]": KINDS, "ARCH": ARCHS, "MODE": MODE, "TYPE": NAMES}
    if metavar == "NAME":
        from smemdesc.kinds import ids, kind_of

        return dict.fromkeys(key for name in KINDS for each in ids(name) for key in kind_of(each).table.by_key)
    return known.get(metavar, metavar.split("|") if "|" in metavar else ())


def register() -> None:
    """Let click complete with these."""
    for shell in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(type(shell.__name__, (Words, shell), {}))
