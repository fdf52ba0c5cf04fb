"""Options of click: from the table (:mod:`smemdesc.api.options.table`), and for the output."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, TypeVar

import click

from smemdesc.api.options.table import Option, option_row
from smemdesc.engine.errors import option

F = TypeVar("F", bound=Callable[..., Any])
CASE, TILE, STEP = "case", "tile", "step"
"""Groups of options: about the instruction, the tile around a descriptor, a step or a layout."""


class TableOption(click.Option):
    """An option of the table, which :class:`Brief` lists in its group."""

    def __init__(self, *names: Any, row: Option, group: str = "", **others: Any) -> None:
        super().__init__(*names, **others)
        self.row = row
        self.group = group


class FieldOption(click.Option):
    """An option of a field; it is required unless one of ``instead`` is given."""

    def __init__(self, *names: Any, instead: tuple[str, ...] = (), **others: Any) -> None:
        super().__init__(*names, **others)
        self.instead = instead


class Brief(click.Command):
    """A command with many options: its help has one line for each, so that it fits a screen of 80 x 40.

    ``case_by_name``: the options about the instruction get one paragraph of names instead of a line each.
    """

    def __init__(self, *args: Any, case_by_name: bool = False, **others: Any) -> None:
        super().__init__(*args, **others)
        self.case_by_name = case_by_name

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        from smemdesc.cli.support.help import required_options

        return [*required_options(self, ctx), *super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from smemdesc.cli.support.help import write_options

        write_options(self, ctx, formatter, case_by_name=self.case_by_name)


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options to a command, listed in this order."""

    def decorate(command: F) -> F:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def takes(command: str, names: str, group: str = "") -> Callable[[F], F]:
    """Return a decorator that adds options of the table to a command, by their keywords, in this order."""
    return options(*(_table_option(command, name, group) for name in names.split()))


def _table_option(command: str, keyword: str, group: str) -> Callable[[F], F]:
    own = option_row(command, keyword)
    assert own is not None, keyword
    attributes: dict[str, Any] = {"required": own.required, "multiple": own.multiple}
    if own.default is not None:  # from click 8.3 on, a default of None is one
        attributes["default"] = own.default
    name, _, opposite = own.flag.partition("/")
    names = option(keyword) + (f"/--{opposite}" if opposite else "")
    if name:
        attributes |= {"is_flag": True, "default": None if opposite.startswith("no-") else False}
    else:
        attributes["metavar"] = own.metavar or "|".join(map(str, own.words))
    if own.words:
        attributes["type"] = click.Choice(list(map(str, own.words)), case_sensitive=False)
    return click.option(names, keyword, cls=TableOption, row=own, group=group, help=own.help, **attributes)


def typed(ctx: click.Context, *apart: str) -> dict[str, Any]:
    """Return the options of the table as they were typed, as keywords, except those ``apart``."""
    names = {param.name for param in ctx.command.params if isinstance(param, TableOption)} - {*apart}
    return {name: value for name, value in ctx.params.items() if name in names}


def given_as_words(ctx: click.Context, params: dict[str, Any], **words: str | None) -> None:
    """Set options that were given as words without their names; both is an error."""
    for name, word in words.items():
        if word is None:
            continue
        if params[name] is not None:
            what = {"dtype": "the type", "swizzle": "the mode"}.get(name, name)
            raise click.UsageError(f"{word} and {option(name)} {params[name]} both give {what}: give one", ctx)
        ctx.params[name] = params[name] = word


_INSTRUCTION = "dtype major trans_a trans_b shape arch cta_group ws scale_vec"


def case_options(command: str) -> Callable[[F], F]:
    """Return the options about the instruction."""
    return takes(command, _INSTRUCTION, CASE)


def _check(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    return value or bool(ctx.params.get("quiet"))


check_options = options(
    click.option("--check", is_flag=True, callback=_check, help="Exit with 1 on an error (--strict: or a warning)."),
    click.option("--strict", is_flag=True, help="Exit with 1 on an error (--strict: or a warning)."),
)


def _quiet(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    if value:
        nowhere = ctx.with_resource(open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        ctx.with_resource(redirect_stdout(nowhere))
    return value


quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    is_eager=True,  # before --check
    callback=_quiet,
    help="Print nothing; the status answers (--check).",
)


def _color_help(ctx: click.Context, param: click.Parameter, value: str) -> str:
    ctx.color = {"always": True, "never": False}.get(value, ctx.color)
    return value


color_option = click.option(
    "--color",
    is_eager=True,  # before --help
    callback=_color_help,
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    metavar="WHEN",
    help="always, never, auto (uses NO_COLOR, FORCE_COLOR).",
)


def json_option(text: str = "One JSON object.") -> Callable[[F], F]:
    """Return ``--json``."""
    return click.option("-j", "--json", "as_json", is_flag=True, help=text)


def format_option(text: str, *formats: str, **others: Any) -> Callable[[F], F]:
    """Return ``--format``."""
    return click.option("--format", "style", type=click.Choice(formats), metavar="FORMAT", help=text, **others)
