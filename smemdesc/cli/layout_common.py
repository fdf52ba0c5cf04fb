"""What the layout commands that take a descriptor share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import Case, KindName, Values, case_options, given, mma_kind_option, options
from smemdesc.kinds.names import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.descriptors.readings import DescriptorReading
    from smemdesc.descriptors.result import Result
    from smemdesc.kinds.context import Context
    from smemdesc.layout.operand import Operand

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
    from smemdesc.layout.descriptor import operand_of

    for text, _ in given([value]):
        result, candidate, context = described(text, chosen["kind"], chosen["mma_kind"], Case.of(chosen))
        show(text, operand_of(result.candidates[0].fields, context, text), candidate, result)


def described(
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
