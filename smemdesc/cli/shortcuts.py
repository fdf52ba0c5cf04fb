"""A command line with its omitted command: a value is decoded, a file is scanned."""

from __future__ import annotations

import os
import re
from itertools import chain, takewhile

import click

from smemdesc.cli.commands import COMMANDS, SHORT_FOR, load, take_global_options

NUMBER = r"""(?x)
    ["'(\[{<]* [+-]? (?: \d | \?\s*: )        # begins as a number does
    | [a-fA-F?_']*+ \d [0-9a-fA-F?_':x]*+ $  # bare hexadecimal with a digit in it
    | (?: [0-9a-fA-F]{8} | [0-9a-fA-F]{16} ) $
    """


def expand_arguments(args: list[str]) -> list[str]:
    """Return a command line with its omitted command: a value is decoded, a file is scanned."""
    args = take_global_options(args)
    if not args:
        from smemdesc.cli.support.pasted import is_piped

        return ["decode"] if is_piped() else args
    if args[0] in COMMANDS:
        return args
    first = args[0]
    if first == "help":
        return [*(arg for arg in args[1:] if not arg.startswith("-")), "--help"]
    if first == "diff" and "--help" in args:
        return ["diff", "--help"]
    if first == "diff":
        files = any(os.path.exists(arg) for arg in args[1:])
        return ["scan" if files else "decode", "--diff", *args[1:]]
    if first == "-" or re.match(NUMBER, first):
        return ["decode", *args]
    if first in ("--help", "--version", "-V"):
        return args
    if _is_option(first):
        at = _first_word(args)
        if at is None:
            return ["decode", *args]
        words = expand_arguments(args[at:])
        end = next((end for end, word in enumerate(words) if _is_option(word)), len(words))
        return [*words[:end], *args[:at], *words[end:]]
    if os.path.exists(first) and not re.search(r"\s", first):
        from smemdesc.cli.support.pasted import text_instead_of_dump

        return ["decode" if os.path.isfile(first) and text_instead_of_dump(first) else "scan", *args]
    return ["decode", *args] if _is_pasted(args) else args


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-" and not re.match(NUMBER, word)


def _first_word(args: list[str]) -> int | None:
    """Return the index of the command, or of the file to scan, that follows leading options.

    None if there is neither: decode takes these options, and a value is decoded.
    """
    commands = {"decode", *COMMANDS.keys() & args, *(["scan"] if any(map(os.path.exists, args)) else [])}
    options = {name: [param for param in load(name).params if isinstance(param, click.Option)] for name in commands}
    with_value = {spelling for param in chain(*options.values()) if not param.is_flag for spelling in param.opts}
    words = [
        at
        for at, arg in enumerate(takewhile(lambda arg: arg != "--", args))
        if not _is_option(arg) and args[at - 1] not in with_value
    ]
    command = next((at for at in words if args[at] in (*COMMANDS, *SHORT_FOR, "help")), None)
    if command is not None:
        return command
    of_decode = {spelling for param in options["decode"] for spelling in (*param.opts, *param.secondary_opts)}
    if of_decode.issuperset(arg.partition("=")[0] for arg in args if _is_option(arg)):
        return None
    return next((at for at in words if os.path.exists(args[at])), None)


def _is_pasted(args: list[str]) -> bool:
    """Whether a command line begins with text that contains a value, or that is known to contain none."""
    from smemdesc.cli.support.pasted import begins_with_layout, looks_like_dump
    from smemdesc.engine.errors import SmemdescError
    from smemdesc.reading.code import sentence
    from smemdesc.reading.pasted import pasted_values
    from smemdesc.reading.text import UNKNOWN_TEXT

    if "\n" in args[0].strip():
        return True
    words = list(takewhile(lambda arg: not arg.startswith("--"), args))
    text = args[0] if re.search(r"\s", args[0]) else sentence(words) or args[0]
    try:
        pasted_values(text)
    except SmemdescError as problem:
        return problem.option_message != UNKNOWN_TEXT or looks_like_dump(text) or begins_with_layout(text)
    return True
