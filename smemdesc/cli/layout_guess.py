"""``smemdesc layout guess``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import Case, answer, major_options, mma_kind_option, present, write_json
from smemdesc.cli.layout import decode_one, output_options, smem_kind_option
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.layout.elements import Memory
    from smemdesc.layout.recognize import Recognition


@click.command(context_settings={"max_content_width": 80})
@click.argument("file", metavar="BYTES")
@click.option("--expect", metavar="FILE", required=True, help="The matrix, MN x K: .npy, or numbers as text.")
@click.option("--dtype", metavar="TYPE", required=True, help="Element type: bf16, e4m3, ...")
@click.option("--desc", "value", metavar="VALUE", help="The descriptor that reads it.")
@major_options("Major-ness that the instruction has; without --desc, the only one tried.")
@click.option("--first", metavar="ADDR", default="0", help="Address of the first byte in shared memory (default 0).")
@smem_kind_option
@mma_kind_option
@output_options(svg=None)
@click.pass_context
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    """Say by which layout the bytes of shared memory in a file hold a matrix.

    \b
    Examples:
      smemdesc layout guess BYTES.bin --expect A.npy --dtype bf16
      smemdesc layout guess BYTES.bin --expect A.npy --dtype bf16 \\
          --desc 0x4000004000010000 --major K
      smemdesc layout guess BYTES.bin --expect B.csv --dtype e4m3 --first 0x400

    With --desc: how much of it is where the descriptor says, and what has to
    change: mode, major-ness, start, LBO, SBO, base offset; or what no descriptor
    can say: no swizzle, padding, elements that are moved, another type. B is NxK.
    """
    answer(ctx, color, lambda: _show(chosen, color))


def _show(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import byte_address
    from smemdesc.kinds.names import MAJORS
    from smemdesc.kinds.types import operand_type
    from smemdesc.layout.matrices import dump, read
    from smemdesc.tiles.solving import descriptor_for

    dtype = operand_type(chosen["dtype"], chosen["mma_kind"])
    first = byte_address(chosen["first"], "--first")
    expected = read(chosen["expect"], dtype)
    memory = dump(chosen["file"], first)
    base = None
    if chosen["value"] is None:
        from smemdesc.layout.recognize import find

        kinds = (chosen["kind"],) if chosen["kind"] else SMEM_KINDS
        majors = (chosen["major"],) if chosen["major"] else MAJORS
        found = find(memory, expected, dtype, majors=majors, kind=chosen["kind"])
    else:
        found, base, kind = _recognize(chosen, memory, expected)
        kinds = (kind,)
    descriptors = [each for each in (descriptor_for(found, kind, base) for kind in kinds) if each is not None]
    if chosen["as_json"]:
        write_json(found.to_dict({each.kind.name: each.hex for each in descriptors}))
        return
    from smemdesc.render.layout_text import GuessView

    present(color, GuessView(chosen["file"], chosen["expect"], memory, found, descriptors))


def _recognize(chosen: dict[str, Any], memory: Memory, expected: list[list[int]]) -> tuple[Recognition, int, str]:
    from smemdesc.layout.operand import operand_of
    from smemdesc.layout.recognize import recognize

    if chosen["major"] is None:
        raise SmemdescError(
            "--desc needs --major: a descriptor does not say which dimension is contiguous",
            hint="--major K or --major MN, as the instruction has it (without trans bits K)",
        )
    shape = f"{len(expected)}x{len(expected[0])}"
    case = Case(chosen["dtype"], chosen["major"], shape, None, None, None, None)
    result, candidate, context = decode_one(chosen["value"], chosen["kind"], chosen["mma_kind"], case)
    operand = operand_of(result.candidates[0].fields, context, chosen["value"])
    return recognize(memory, expected, operand, kind=candidate.kind.name), candidate.bits, candidate.kind.name
