"""``smemdesc layout store``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import looked_up, output_options
from smemdesc.cli.support.common import answering, write_result
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import Brief, given_as_words, takes, typed

if TYPE_CHECKING:
    from smemdesc.layout.store import StoredTile


@click.command(cls=Brief)
@click.argument("shape", metavar="MNxK")
@click.argument("type_name", metavar="[TYPE]", required=False)
@takes("store", "kind dtype major trans_a trans_b swizzle order mma_kind thread_layout thread at")
@output_options()
@answering
def command(ctx: click.Context, /, shape: str, type_name: str | None, **params: Any) -> None:
    """Show where threads write a tile in shared memory: the byte of an element, and the bank conflicts of a warp.

    \b
    Examples:
      smemdesc layout store 128x64 bf16 --swizzle 128B
      smemdesc layout store 128x64 bf16 --swizzle 64B --at 17,9
      smemdesc layout store 128x64 bf16 --swizzle 128B \\
          --thread-layout coalesced --thread 5
      smemdesc layout store 64x64 bf16 --swizzle 128B \\
          --thread-layout stmatrix          # an epilogue of wgmma
      smemdesc layout store 128x64 bf16 --major MN --swizzle 128B \\
          --thread-layout '(16,8):(8,1)'
    """
    given_as_words(ctx, params, dtype=type_name)
    if params["dtype"] is None and params["mma_kind"] is None:
        raise missing_parameters(ctx)
    if params["thread"] is not None and params["thread_layout"] is None:
        raise click.UsageError(
            "--thread needs --thread-layout: row, quarter, matrix, coalesced, stmatrix or a layout", ctx
        )
    if params["thread"] is not None and params["at"]:
        raise click.UsageError("--at is for elements, --thread for what a thread writes: give one", ctx)
    from smemdesc.api.geometry import store

    stored = store(shape, **typed(ctx, "thread", "at"))
    (thread,) = looked_up("store", params, "thread")
    if params["at"]:
        for text in params["at"]:
            element = _element(stored, text)
            data = partial(stored.element_dict, *element)
            write_result(params, stored, *element, view="store:element_view", data=data)
    elif thread is not None:
        write_result(params, stored, data=partial(stored.thread_dict, thread), thread=thread)
    else:
        write_result(params, stored)


def _element(stored: StoredTile, text: str) -> tuple[int, int]:
    from smemdesc.api.options.readers import read_coordinates
    from smemdesc.layout.index_map import check_index

    place = read_coordinates("at", text, "MN,K")
    for name, number, count in zip(("mn", "k"), place, stored.tiling.shape, strict=True):
        check_index(name, number, count)
    return place
