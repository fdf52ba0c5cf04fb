"""``smemdesc layout address``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    Case,
    Values,
    answer,
    case_options,
    color_option,
    given,
    mma_kind_option,
    present,
    svg_option,
)
from smemdesc.cli.layout_common import described, smem_kind_option
from smemdesc.errors import SmemdescError

if TYPE_CHECKING:
    from smemdesc.layout.operand import Operand


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("value", metavar="VALUE", type=Values())
@smem_kind_option
@mma_kind_option
@case_options
@click.option("--at", "places", metavar="MN,K", multiple=True, help="The element, in the operand; repeatable.")
@click.option("--byte", "addresses", metavar="ADDR", multiple=True, help="What lies at this byte? Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an element.")
@svg_option
@color_option
@click.pass_context
def command(ctx: click.Context, /, value: str, color: str, **chosen: Any) -> None:
    """Say where one element lies, with the numbers in the formula; or which element lies at a byte.

    \b
    Examples:
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --at 17,9
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --byte 0xc92
    """

    def show() -> None:
        for each in given([value]):
            _show(each.text, chosen, color)

    answer(ctx, color, show)


def _show(value: str, chosen: dict[str, Any], color: str) -> None:
    from smemdesc.layout.descriptor import operand_of

    if not chosen["places"] and not chosen["addresses"]:
        raise SmemdescError("which element?", hint="give --at MN,K or --byte ADDR")
    result, candidate, context = described(value, chosen["kind"], chosen["mma_kind"], Case.of(chosen))
    operand = operand_of(result.candidates[0].fields, context, value)
    places = [_place(text, operand) for text in chosen["places"]]
    addresses = [_address(text) for text in chosen["addresses"]]
    if chosen["as_json"]:
        from smemdesc.render.json import dumps
        from smemdesc.render.layout_json import address_dict

        for mn, k in places:
            sys.stdout.write(dumps(address_dict(operand, mn, k)) + "\n")
        for address in addresses:
            found = [address_dict(operand, mn, k) for mn, k in operand.at_byte(address)]
            sys.stdout.write(dumps({"byte": address, "elements": found}) + "\n")
        return
    from smemdesc.render.operand import AddressView, ByteView, Header

    asked = [AddressView(operand, mn, k) for mn, k in places]
    bytes_asked = [ByteView(operand, address) for address in addresses]
    present(color, Header(candidate, operand), *asked, *bytes_asked, svg=chosen["svg"], title=value.strip())


def _place(text: str, operand: Operand) -> tuple[int, int]:
    first, comma, second = text.partition(",")
    if not comma or not first.strip().isdecimal() or not second.strip().isdecimal():
        raise SmemdescError(f"--at {text}: not an element", hint="write MN,K as in --at 17,9")
    mn, k = int(first), int(second)
    if mn >= operand.shape[0] or k >= operand.shape[1]:
        rows, columns = operand.shape
        raise SmemdescError(
            f"--at {text} is outside the operand", hint=f"MN is 0..{rows - 1} and K is 0..{columns - 1} (--shape)"
        )
    return mn, k


def _address(text: str) -> int:
    from smemdesc.units import byte_count

    address = byte_count(text)
    if address is None or address < 0:
        raise SmemdescError(f"--byte {text}: not an address", hint="write a byte address, as in 0xc92")
    return address
