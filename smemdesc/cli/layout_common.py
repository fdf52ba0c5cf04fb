"""What the layout commands that take a descriptor share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smemdesc.errors import SmemdescError

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


def write_svg(file: str, svg: str) -> None:
    """Write a picture where ``--svg`` says."""
    if file == "-":
        click.echo(svg.encode(), nl=False)  # UTF-8, as SVG says, whatever the terminal's encoding
        return
    try:
        with open(file, "w", encoding="utf-8") as out:
            out.write(svg)
    except OSError as error:
        raise SmemdescError(f"--svg {file}: cannot write it: {error.strerror}") from None
