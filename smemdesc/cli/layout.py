"""``smemdesc layout``: a command a question about where elements live."""

from __future__ import annotations

from importlib import import_module

import click

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
    "guess": "By which layout bytes of shared memory hold a matrix.",
    "explain": "The descriptor of a layout that CuTe, Triton or TMA writes, or why not.",
}


class Layouts(click.Group):
    """The commands, each loaded when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        made: click.Command = import_module(f"smemdesc.cli.layout_{cmd_name}").command
        return made

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and args[0][:1].isdigit():
            raise click.UsageError(
                f"{args[0]} is a value: smemdesc layout operand {args[0]} --dtype bf16 --major K --shape 64x16 says "
                "what it addresses",
                ctx,
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Layouts)
def command() -> None:
    """Where does each element live?

    \b
    Examples:
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
