"""Options that several commands of ``smemdesc layout`` take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.common import ValueType, svg_option
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import case_options, color_option, json_option, options, takes
from smemdesc.cli.support.pasted import read_values

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand


def output_options(json: str = "One JSON object.", *, svg: Any = svg_option) -> Callable[[Any], Any]:
    """Return ``--json`` (with this help), ``--svg`` if there are pictures, and ``--color``."""
    return options(json_option(json), *([svg] if svg is not None else []), color_option)


def require(ctx: click.Context, params: dict[str, Any], example: str, *names: str) -> None:
    """Reject a command that lacks some of these options."""
    lacks = [f"--{name}" for name in names if not params[name]]
    if lacks:
        raise missing_parameters(ctx, *lacks, example=example)


operand_options = options(
    click.argument("value", metavar="VALUE", type=ValueType()),
    takes("operand", "kind mma_kind"),
    case_options("operand"),
)
"""The options for a pasted descriptor and its case, which determine what it addresses."""


def each_operand(value: str, keywords: Mapping[str, Any]) -> Iterator[tuple[str, DescribedOperand]]:
    """Yield the text of a descriptor, or of each of standard input, with what it addresses."""
    from smemdesc.api.geometry import operand

    for line in read_values((value,)):
        yield line.text, operand(line.text, **keywords)


def looked_up(command: str, params: dict[str, Any], *names: str) -> list[Any]:
    """Return the numbers of a place that is looked up; None for those that were not given."""
    from smemdesc.api.options.keywords import read_options

    return list(read_options(command, {name: params[name] for name in names}).values())
