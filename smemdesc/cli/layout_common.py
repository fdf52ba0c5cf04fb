"""What the layout commands that take a descriptor share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smemdesc.cli.common import KindName
from smemdesc.words import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.candidates import Candidate
    from smemdesc.case import Context
    from smemdesc.cli.common import Case
    from smemdesc.decoding import Result

smem_kind_option = click.option(
    "--kind",
    type=KindName(*SMEM_KINDS),
    metavar="KIND",
    help="wgmma or tcgen05, where both fit.",
)


def described(value: str, kind: str | None, mma_kind: str | None, case: Case) -> tuple[Result, Candidate, Context]:
    """Return a pasted value as one shared-memory descriptor, and its case."""
    from smemdesc.decoding import candidate_of, decode
    from smemdesc.kinds.types import operand_type

    context = case.context(mma_kind)
    if case.dtype:
        operand_type(case.dtype, mma_kind)
    result = decode(value, kind, None, context=context)
    return result, candidate_of(result), context
