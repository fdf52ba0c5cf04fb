"""``smemdesc layout operand``, ``address`` and ``guess``: what a descriptor addresses, and a dump's layout."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import each_operand, operand_options, output_options
from smemdesc.cli.support.common import ValueCommand, answering, present, svg_or_json_option, write_json, write_result
from smemdesc.cli.support.options import takes, typed
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import MAJORS, SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand
    from smemdesc.kinds.elements import Memory
    from smemdesc.layout.recognize import Recognition


@click.command(cls=ValueCommand, context_settings={"ignore_unknown_options": True})
@operand_options
@click.option("--list", "elements", is_flag=True, help="Every element's address, one per line.")
@click.option("--all", "every", is_flag=True, help="Show the layout as PTX, CuTe and Triton write it, too.")
@output_options(svg=svg_or_json_option)
@answering
def command(ctx: click.Context, /, value: str, **params: Any) -> None:
    """Show what VALUE addresses: the address of every 16-byte unit, the extent, bank conflicts.

    \b
    Examples:
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16
      smemdesc layout operand 0xc000404000100000 --dtype bf16 --major MN \\
          --shape 64x16 --list
      smemdesc layout operand 0x4000404000010040 --dtype e2m1 \\
          --mma-kind mxf4 --major K --shape 128x64 --json
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --svg operand.svg
    """
    for _, what in each_operand(value, typed(ctx)):
        write_result(params, what, elements=params["elements"], every=params["every"])


@click.command(cls=ValueCommand, context_settings={"ignore_unknown_options": True})
@operand_options
@takes("address", "at byte")
@output_options("One JSON object per element.")
@answering
def address_command(ctx: click.Context, /, value: str, **params: Any) -> None:
    """Show the address of one element, with the numbers in the formula; or the element at a byte.

    \b
    Examples:
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --at 17,9
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --byte 0xc92
    """
    for text, what in each_operand(value, typed(ctx, "at", "byte")):
        _show_elements(params, text, what)


def _show_elements(params: dict[str, Any], value: str, what: DescribedOperand) -> None:
    if not params["at"] and not params["byte"]:
        raise SmemdescError("no element given", hint="give --at MN,K or --byte ADDR")
    located = [what.at(text) for text in params["at"]] + [what.at_byte(text) for text in params["byte"]]
    if params["as_json"]:
        write_json(*(place.to_dict() for place in located))
        return
    from smemdesc.render.operand import element, operand_header

    header = operand_header(what.reading, what.operand)
    present(params["color"], header, *map(element, located), svg=params["svg"], title=value.strip())


@click.command(context_settings={"max_content_width": 80})
@click.argument("file", metavar="BYTES")
@takes("guess", "expect dtype desc major trans_a trans_b first kind mma_kind")
@output_options(svg=None)
@answering
def guess_command(ctx: click.Context, /, **params: Any) -> None:
    """Find the layout of a matrix in a file with the bytes of shared memory.

    \b
    Examples:
      smemdesc layout guess BYTES.bin --expect A.npy --dtype bf16
      smemdesc layout guess BYTES.bin --expect A.npy --dtype bf16 \\
          --desc 0x4000004000010000 --major K
      smemdesc layout guess BYTES.bin --expect B.csv --dtype e4m3 --first 0x400

    With --desc: how many elements agree with the descriptor, and what to
    change: mode, major-ness, start, LBO, SBO, base offset; or what no descriptor
    expresses: no swizzle, padding, moved elements, another type. B is NxK.
    """
    from smemdesc.api.options.keywords import read_options
    from smemdesc.reading.matrices import dump, read_matrix
    from smemdesc.tiles.solving import descriptor_for

    given = read_options("guess", typed(ctx))
    dtype, major = given["dtype"], given["major"]
    expected = read_matrix(params["expect"], dtype)
    memory = dump(params["file"], given["first"])
    base = None
    if given["desc"] is None:
        from smemdesc.layout.recognize import find_layouts

        kinds = (given["kind"],) if given["kind"] else SMEM_KINDS
        recognition = find_layouts(memory, expected, dtype, majors=(major,) if major else MAJORS, kind=given["kind"])
    else:
        recognition, base, kind = _recognize(given, memory, expected)
        kinds = (kind,)
    descriptors = [fit for fit in (descriptor_for(recognition, kind, base) for kind in kinds) if fit is not None]
    data = partial(recognition.to_dict, {descriptor.kind.name: descriptor.hex for descriptor in descriptors})
    parts = recognition, params["file"], params["expect"], memory, descriptors
    write_result(params, *parts, view="layout_text:guess_view", data=data)


def _recognize(given: dict[str, Any], memory: Memory, expected: list[list[int]]) -> tuple[Recognition, int, str]:
    from smemdesc.api.geometry import operand
    from smemdesc.layout.recognize import recognize

    if given["major"] is None:
        raise SmemdescError(
            "--desc needs --major: the descriptor does not say which dimension is contiguous",
            hint="--major K or --major MN, as in the instruction (K without transpose bits)",
        )
    known = {name: given[name] for name in ("kind", "mma_kind", "dtype", "major")}
    what = operand(given["desc"], shape=(len(expected), len(expected[0])), **known)
    kind = what.reading.kind.name
    return recognize(memory, expected, what.operand, kind=kind), what.value, kind
