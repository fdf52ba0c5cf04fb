"""What the layout commands share: how they write what they found, and the descriptor that some of them take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    Case,
    KindName,
    Values,
    case_options,
    color_option,
    given,
    mma_kind_option,
    options,
    present,
    svg_option,
    write_json,
    write_picture,
)
from smemdesc.kinds.names import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.descriptors.readings import DescriptorReading
    from smemdesc.descriptors.result import Result
    from smemdesc.kinds.context import Context
    from smemdesc.layout.operand import Operand


def output_options(json: str = "One JSON object.", *, svg: Any = svg_option) -> Callable[[Any], Any]:
    """Return ``--json`` (with this help), ``--svg`` where there are pictures, and ``--color``."""
    as_json = click.option("--json", "as_json", is_flag=True, help=json)
    return options(as_json, *([svg] if svg is not None else []), color_option)


def require(ctx: click.Context, chosen: dict[str, Any], example: str, *names: str) -> None:
    """Refuse a command that lacks one of these options."""
    for name in names:
        if not chosen[name]:
            raise click.UsageError(f"--{name} is missing; for example: {example}", ctx)


def write(
    chosen: dict[str, Any],
    color: str,
    data: Callable[[], Mapping[str, Any]],
    view: str,
    *parts: Any,
    picture: bool = False,
    title: str = "smemdesc",
    **settings: Any,
) -> None:
    """Write a result as the options ask: its ``data`` as JSON, or a view, as text or as a picture.

    ``view`` is a class of ``smemdesc.render``, ``module:name``, made of ``parts`` and ``settings``; with ``picture``
    the module draws a picture of the same, else a picture is the text. One in a file leaves the output to the others.
    """
    module, _, name = view.partition(":")
    if picture and chosen["svg"]:
        drawn = import_module(f"smemdesc.render.{module}").picture(*parts, **settings)
        if write_picture(chosen["svg"], drawn):
            return
    if chosen["as_json"]:
        write_json(data())
        return
    made = getattr(import_module(f"smemdesc.render.{module}"), name)(*parts, **settings)
    present(color, made, svg=None if picture else chosen["svg"], title=title)


smem_kind_option = click.option(
    "--kind",
    type=KindName(*SMEM_KINDS),
    metavar="KIND",
    help="wgmma or tcgen05, where both fit.",
)
operand_options = options(
    click.argument("value", metavar="VALUE", type=Values()), smem_kind_option, mma_kind_option, case_options
)
"""A descriptor that is pasted, and the case that says what it addresses."""


def each_operand(
    value: str, chosen: dict[str, Any], show: Callable[[str, Operand, DescriptorReading, Result], None]
) -> None:
    """Show the operand of a descriptor, or of each on the lines of standard input, with the text of it."""
    from smemdesc.layout.operand import operand_of

    for text, _ in given([value]):
        result, candidate, context = decode_one(text, chosen["kind"], chosen["mma_kind"], Case.of(chosen))
        show(text, operand_of(result.candidates[0].fields, context, text), candidate, result)


def decode_one(
    value: str, kind: str | None, mma_kind: str | None, case: Case
) -> tuple[Result, DescriptorReading, Context]:
    """Return a pasted value as one shared-memory descriptor, and its case."""
    from smemdesc.descriptors.result import decode, matrix_reading
    from smemdesc.kinds.types import operand_type

    context = case.context(mma_kind)
    if case.dtype:
        operand_type(case.dtype, mma_kind)
    result = decode(value, kind, None, context=context)
    return result, matrix_reading(result), context
