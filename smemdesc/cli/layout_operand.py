"""``smemdesc layout operand`` and ``smemdesc layout address``: what a descriptor addresses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import answer, coordinates, present, svg_or_json_option, write_json, write_picture
from smemdesc.cli.layout import each_operand, operand_options, output_options
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from smemdesc.descriptors.readings import DescriptorReading
    from smemdesc.descriptors.result import Result
    from smemdesc.layout.operand import Operand


@click.command(context_settings={"ignore_unknown_options": True})
@operand_options
@click.option("--list", "each", is_flag=True, help="Every element's address, one per line.")
@output_options(svg=svg_or_json_option)
@click.pass_context
def command(ctx: click.Context, /, value: str, color: str, **chosen: Any) -> None:
    """Say what VALUE addresses: the canonical layout, the extent, the address of every 16-byte unit.

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
    answer(ctx, color, lambda: each_operand(value, chosen, partial(_show, chosen, color)))


def _show(
    chosen: dict[str, Any], color: str, value: str, operand: Operand, candidate: DescriptorReading, result: Result
) -> None:
    if chosen["svg"]:
        from smemdesc.render.operand import picture

        if write_picture(chosen["svg"], picture(operand, candidate)):
            return
    if chosen["as_json"]:
        from smemdesc.tiles.text import notation_dict

        of = {"value": candidate.hex, "kind": candidate.kind.name}
        write_json({**of, **operand.to_dict(), **notation_dict(operand)})
        return
    from smemdesc.render.operand import OperandView

    present(color, OperandView(operand, candidate, result.findings, each=chosen["each"]))


@click.command(context_settings={"ignore_unknown_options": True})
@operand_options
@click.option("--at", "places", metavar="MN,K", multiple=True, help="Where is this element? Repeatable.")
@click.option("--byte", "addresses", metavar="ADDR", multiple=True, help="What lies at this byte? Repeatable.")
@output_options("One JSON object per element.")
@click.pass_context
def address(ctx: click.Context, /, value: str, color: str, **chosen: Any) -> None:
    """Say where one element lies, with the numbers in the formula; or which element lies at a byte.

    \b
    Examples:
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --at 17,9
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --byte 0xc92
    """
    answer(ctx, color, lambda: each_operand(value, chosen, partial(_show_elements, chosen, color)))


def _show_elements(
    chosen: dict[str, Any], color: str, value: str, operand: Operand, candidate: DescriptorReading, result: Result
) -> None:
    from smemdesc.kinds.arguments import byte_address

    if not chosen["places"] and not chosen["addresses"]:
        raise SmemdescError("which element?", hint="give --at MN,K or --byte ADDR")
    places = [_place(text, operand) for text in chosen["places"]]
    addresses = [byte_address(text, "--byte") for text in chosen["addresses"]]
    if chosen["as_json"]:
        write_json(*(operand.element_dict(mn, k) for mn, k in places))
        for address in addresses:
            found = [operand.element_dict(mn, k) for mn, k in operand.at_byte(address)]
            write_json({"byte": address, "elements": found})
        return
    from smemdesc.render.operand import AddressView, ByteView, Header

    by_place = [AddressView(operand, mn, k) for mn, k in places]
    by_byte = [ByteView(operand, address) for address in addresses]
    present(color, Header(candidate, operand), *by_place, *by_byte, svg=chosen["svg"], title=value.strip())


def _place(text: str, operand: Operand) -> tuple[int, int]:
    mn, k = coordinates(text, "MN,K")
    if not (0 <= mn < operand.shape[0] and 0 <= k < operand.shape[1]):
        rows, columns = operand.shape
        raise SmemdescError(
            f"--at {text} is outside the operand", hint=f"MN is 0..{rows - 1} and K is 0..{columns - 1} (--shape)"
        )
    return mn, k
