"""Options that several commands of ``smemdesc layout`` take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.common import (
    Name,
    ValueType,
    case_options,
    color_option,
    mma_kind_option,
    options,
    svg_option,
)
from smemdesc.cli.support.help import missing
from smemdesc.cli.support.pasted import read_values
from smemdesc.kinds.names import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand


def output_options(json: str = "One JSON object.", *, svg: Any = svg_option) -> Callable[[Any], Any]:
    """Return ``--json`` (with this help), ``--svg`` if there are pictures, and ``--color``."""
    as_json = click.option("--json", "as_json", is_flag=True, help=json)
    return options(as_json, *([svg] if svg is not None else []), color_option)


def require(ctx: click.Context, params: dict[str, Any], example: str, *names: str) -> None:
    """Reject a command that lacks some of these options."""
    lacks = [f"--{name}" for name in names if not params[name]]
    if lacks:
        raise missing(ctx, *lacks, example=example)


class AOrD(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """The operand that registers or tensor memory may hold."""

    def __init__(self) -> None:
        super().__init__(("a", "d"), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).lower() == "b":
            raise click.UsageError(
                "B is always in shared memory, never in registers or tensor memory: smemdesc layout operand VALUE says "
                "what its descriptor addresses",
                ctx,
            )
        return super().convert(value, param, ctx)


smem_kind_option = click.option(
    "--kind",
    type=Name("kind", *SMEM_KINDS),
    metavar="KIND",
    help="wgmma or tcgen05, if both fit.",
)
operand_options = options(
    click.argument("value", metavar="VALUE", type=ValueType()), smem_kind_option, mma_kind_option, case_options
)
"""The options for a pasted descriptor and its case, which determine what it addresses."""


def each_operand(value: str, params: dict[str, Any], show: Callable[[str, DescribedOperand], None]) -> None:
    """Show what a descriptor addresses, or each descriptor of standard input, with its text."""
    for text, _ in read_values((value,)):
        show(text, described(text, params))


def described(value: str, params: Mapping[str, Any]) -> DescribedOperand:
    """Return what a descriptor addresses, according to the options."""
    from smemdesc.api.geometry import operand

    names = ("kind", "mma_kind", "dtype", "major", "shape", "arch", "cta_group", "ws", "scale_vec")
    keywords: dict[str, Any] = {name: params.get(name) for name in names}
    return operand(value, **keywords)
