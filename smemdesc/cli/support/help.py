"""The help of a command with many options: one line per option, so that it fits a screen of 80 x 40."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

OPTION_COLUMNS = 26
"""Columns for the name of an option."""
CHOICE_CHARACTERS = 6
"""Characters of ``a|b|c`` after a name; longer ones are in the text."""
UNBROKEN_CHOICES = 40
"""Characters of ``a|b|c`` in the text, where a line may not break; longer ones are a list with commas."""
ONE_LINE = 54
"""Characters of a text."""


def missing_parameters(ctx: click.Context, *names: str, example: str = "") -> click.UsageError:
    """Return the error that names all missing parameters, with the first example of the help.

    ``names``: the missing parameters; by default the required ones that were not given.
    """
    from smemdesc.engine.wording import join_and

    lacks = names or tuple(
        _label(param, ctx)
        for param in ctx.command.params
        if (param.required or _instead(param)) and not any(_given(ctx, name) for name in (param.name, *_instead(param)))
    )
    lines = (line.strip() for line in re.sub(r"\\\s*\n\s*", "", ctx.command.help or "").splitlines())
    examples = [re.split(r"\s{2,}", line)[0] for line in lines if line.startswith("smemdesc ")]
    typed = [param.opts[0] for param in ctx.command.params if param.name and _given(ctx, param.name)]
    example = example or max(examples, key=lambda shown: sum(f"{name} " in shown for name in typed), default="")
    message = f"{join_and(lacks)} {'are' if len(lacks) > 1 else 'is'} missing"
    return click.UsageError(f"{message}; for example: {example}" if example else message, ctx)


def _instead(parameter: click.Parameter) -> tuple[str, ...]:
    """Return the parameters that may be given instead of a required one."""
    instead: tuple[str, ...] = getattr(getattr(parameter, "row", parameter), "instead", ())
    return instead


def _given(ctx: click.Context, name: str | None) -> bool:
    typed = name is not None and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    return typed and ctx.params.get(name or "") not in (None, ())


def _label(parameter: click.Parameter, ctx: click.Context) -> str:
    if isinstance(parameter, click.Option):
        return min((opt for opt in parameter.opts if opt.startswith("--")), key=len)
    name = (parameter.metavar or "").removesuffix("...")
    others = [_label(param, ctx) for param in ctx.command.params if param.name in _instead(parameter)]
    return f"{name} (or {', '.join(others)})" if others else name


_STYLES: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "name": {"fg": 63},
    "comment": {"fg": 243},
}
"""The colors of :data:`smemdesc.render.console.TEXT_COLORS` for 256 colors, without an import of rich."""
_PARTS = re.compile(
    r"""(?mx)
    ^(?P<heading>Usage:|\ *Examples:$|[A-Z].*:$)           # a section
    | ^\ \ (?P<name>[-a-z]\S*(?:\ \S+)*)(?=\ \ |\n\ {6})  # followed by its explanation, or with it below
    | ^\ {4}.*?\S(?P<comment>\ {2,}\S.*)$                # after an example
    """
)


def painted(text: str) -> str:
    """Return a help text with its headings, names and comments in color."""

    def paint(match: re.Match[str]) -> str:
        part = str(match.lastgroup)
        return match[0].replace(match[part], click.style(match[part], **_STYLES[part]))

    return _PARTS.sub(paint, text)


def required_options(command: click.Command, ctx: click.Context) -> list[str]:
    """Return the required options of a command, as its usage names them."""
    return [
        _name(param, record[0])
        for param in command.get_params(ctx)
        if isinstance(param, click.Option) and param.required and (record := param.get_help_record(ctx))
    ]


def write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter, *, case_by_name: bool
) -> None:
    """Write each option by its shortest name, options that differ in a number once, and other names at the end."""
    records: list[tuple[str, str]] = []
    grouped: dict[str, list[tuple[str, str]]] = {"case": [], "tile": [], "step": []}
    others: list[str] = []
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is None or not isinstance(param, click.Option):
            continue
        name, group = _name(param, record[0]), getattr(param, "group", "")
        if group and (case_by_name or group != "case"):
            grouped[group].append((name, record[1]))
        else:
            records.append(_move_words(name, record[1].removesuffix("  [required]")))
        others += [name for name in param.opts if name not in _names(param)]
    with formatter.section("Options"):
        formatter.write_dl(list(_join_numbers(_join_equal(records))), col_max=OPTION_COLUMNS)
    case, tile, step = ("  ".join(name for name, _ in records) for records in grouped.values())
    if tile:
        formatter.write_text(f"The tile in shared memory:  {tile}")
    if step:
        formatter.write_text(f"Steps of a tile or a layout:  {step}")
    if case:
        with formatter.section("The instruction, for the rules (see decode --help)"):
            formatter.write_text(case)
    if others:
        formatter.write_text(f"Also spelled: {', '.join(others)}.")


def _names(option: click.Option) -> list[str]:
    """Return the names that are listed: a letter and a word, else the shortest."""
    return option.opts if any(len(name) == len("-q") for name in option.opts) else [min(option.opts, key=len)]


def _name(option: click.Option, record: str) -> str:
    """Return how an option is typed: ``--ws / --no-ws`` is ``--[no-]ws``; of several names the shortest."""
    if len(option.opts) > 1:
        record = record.replace(", ".join(option.opts), ", ".join(_names(option)))
    return re.sub(r"^--(\S+) / --no-\1$", r"--[no-]\1", record)


def _move_words(name: str, text: str) -> tuple[str, str]:
    """Move a long list of words after the name into the text; it replaces the text if both need more than a line."""
    option, _, words = name.partition(" ")
    if "|" not in words or len(words) <= CHOICE_CHARACTERS:
        return name, text
    both = f"{text.removesuffix('.')}: {words}."
    if len(both) > ONE_LINE:
        both = f"{words}." if len(words) < UNBROKEN_CHOICES else f"{words.replace('|', ', ')}."
    return f"{option} {'N' if words[0].isdigit() else 'NAME'}", both


def _join_equal(records: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the records, neighbors with the same text merged: ``--m M, --n N``.

    Of an option of A and the same of B, the text of the first names the second.
    """
    joined: list[tuple[str, str]] = []
    for name, text in records:
        last, last_text = joined[-1] if joined else ("", "")
        if last and text in (last_text, _about_b(last_text)):
            of_b = name.partition(" ")[0]
            pair = re.sub(r"\bb\b", "a", of_b) == last.partition(" ")[0]
            joined[-1] = (last, f"{last_text.removesuffix('.')} ({of_b} for B).") if pair else (f"{last}, {name}", text)
        else:
            joined.append((name, text))
    return joined


def _about_b(text: str) -> str:
    """Return a text about the operand A as a text about B."""
    return re.sub(r"\bA\b", "B", text)


def _join_numbers(records: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the records; records that differ only in a number, ``--first-span-0`` to ``-3``, as one, ``0..3``."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for record in records:
        groups.setdefault(re.sub(r"(?<=[- ])\d\b", "", "\n".join(record)), []).append(record)
    for (name, text), *others in groups.values():
        if others:
            first, last = _last_digit(name), _last_digit(others[-1][0])
            name, text = (part.replace(first, f"{first}..{last}") for part in (name, text))
        yield name, text


def _last_digit(text: str) -> str:
    digits: list[str] = re.findall(r"(?<=[- ])\d\b", text)
    return digits[-1]
