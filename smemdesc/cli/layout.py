"""``smemdesc layout``: commands about the addresses of elements, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.commands import LazyGroup
from smemdesc.cli.common import (
    Name,
    Values,
    case_options,
    color_option,
    mma_kind_option,
    options,
    svg_option,
)
from smemdesc.cli.help import missing
from smemdesc.cli.pasted import read_values
from smemdesc.kinds.names import SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand


COMMANDS = {
    "atom": "The swizzle atom as a grid.",
    "operand": "What a descriptor addresses.",
    "address": "The address of one element, step by step; or the element at a byte.",
    "tile": "A tile's atoms and the descriptor of each MMA step.",
    "fragment": "The register fragments of wgmma.",
    "tmem": "D and A in tensor memory: lane and column.",
    "scales": "Scale factors in shared and in tensor memory.",
    "canonical": "The canonical layouts, as PTX and as CUTLASS write them.",
    "linear": "The atom as Triton's linear layout.",
    "guess": "Find the layout of a matrix in a dump of shared memory.",
    "explain": "The descriptor of a layout of CuTe, Triton or TMA, or why it has none.",
}
_SHARED = {
    "address": "operand",
    "guess": "operand",
    "canonical": "atom",
    "linear": "atom",
    "scales": "tmem",
}
"""Commands in the module of another command."""


class Layouts(LazyGroup):
    """The commands, each loaded when it is run."""

    commands_help = COMMANDS

    def load(self, name: str) -> click.Command:
        module = import_module(f"smemdesc.cli.layout_{_SHARED.get(name, name)}")
        command: click.Command = getattr(module, name if name in _SHARED else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from smemdesc.kinds.aliases import mode
        from smemdesc.kinds.modes import MODE

        swizzle = mode(args[0])
        if swizzle.upper() in map(str.upper, MODE) and not args[0].isdigit():  # layout 128B
            major = "MN" if swizzle == "128B_32B" else "K"
            args = ["atom", "--swizzle", swizzle, *(() if "--major" in args else ("--major", major)), *args[1:]]
        elif args[0] not in COMMANDS and args[0][:1].isdigit():
            raise click.UsageError(
                f"{args[0]} is a value: smemdesc layout operand {args[0]} --dtype bf16 --major K --shape 64x16 shows "
                "what it addresses",
                ctx,
            )
        return super().resolve_command(ctx, args)


@click.command(cls=Layouts)
def command() -> None:
    """Show the address of each element.

    \b
    Examples:
      smemdesc layout 128B                short for the next line
      smemdesc layout atom --swizzle 128B --major K
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --at 17,9
      smemdesc layout tile 128x64 --dtype bf16 --major K --swizzle 128B
      smemdesc layout fragment --shape m64n128k16 --operand d --dtype f32
      smemdesc layout tmem --m 64 --n 128
      smemdesc layout scales 128x256 --mma-kind mxf8f6f4
    """


def output_options(json: str = "One JSON object.", *, svg: Any = svg_option) -> Callable[[Any], Any]:
    """Return ``--json`` (with this help), ``--svg`` if there are pictures, and ``--color``."""
    as_json = click.option("--json", "as_json", is_flag=True, help=json)
    return options(as_json, *([svg] if svg is not None else []), color_option)


def require(ctx: click.Context, params: dict[str, Any], example: str, *names: str) -> None:
    """Reject a command that lacks some of these options."""
    lacks = [f"--{name}" for name in names if not params[name]]
    if lacks:
        raise missing(ctx, *lacks, example=example)


class AOrD(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """The operand that registers or tensor memory may hold."""

    def __init__(self) -> None:
        super().__init__(("a", "d"), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).lower() == "b":
            raise click.UsageError(
                "B is always in shared memory, never in registers or tensor memory: smemdesc layout operand VALUE says "
                "what its descriptor addresses",
                ctx,
            )
        return super().convert(value, param, ctx)


smem_kind_option = click.option(
    "--kind",
    type=Name("kind", *SMEM_KINDS),
    metavar="KIND",
    help="wgmma or tcgen05, if both fit.",
)
operand_options = options(
    click.argument("value", metavar="VALUE", type=Values()), smem_kind_option, mma_kind_option, case_options
)
"""A descriptor that is pasted, and the case that shows what it addresses."""


def each_operand(value: str, params: dict[str, Any], show: Callable[[str, DescribedOperand], None]) -> None:
    """Show what a descriptor addresses, or that of each line of standard input, with its text."""
    for text, _ in read_values((value,)):
        show(text, described(text, params))


def described(value: str, params: Mapping[str, Any]) -> DescribedOperand:
    """Return what a descriptor addresses, by the options."""
    from smemdesc.api.geometry import operand

    names = ("kind", "mma_kind", "dtype", "major", "shape", "arch", "cta_group", "ws", "scale_vec")
    keywords: dict[str, Any] = {name: params.get(name) for name in names}
    return operand(value, **keywords)
