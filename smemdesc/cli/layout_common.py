"""What the layout commands that take a descriptor share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from smemdesc.case import Context
    from smemdesc.cli.common import Case
    from smemdesc.decoding import Result
    from smemdesc.identify import Candidate

svg_option = click.option("--svg", metavar="FILE", help="Write a picture to FILE (- for standard output).")


def described(value: str, kind: str | None, mma_kind: str | None, case: Case) -> tuple[Result, Candidate, Context]:
    """Return a pasted value as one shared-memory descriptor, and its case."""
    from smemdesc.decoding import decode
    from smemdesc.layout.descriptor import candidate_of

    context = case.context(mma_kind)
    result = decode(value, kind.lower() if kind else None, None, context=context)
    return result, candidate_of(result), context
