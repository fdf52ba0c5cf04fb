"""``smemdesc layout``: commands about the addresses of elements."""

from __future__ import annotations

from importlib import import_module

import click

from smemdesc.cli.commands import LazyGroup

WHERE = {
    "operand": "What a descriptor addresses.",
    "address": "The address of one element, or the element at a byte.",
    "tile": "A tile's atoms and the descriptor of each MMA step.",
    "store": "Where threads write a tile, and bank conflicts.",
    "fragment": "The register fragments of wgmma.",
    "tmem": "D and A in tensor memory: lane and column.",
    "scales": "Scale factors in shared and in tensor memory.",
}
WHAT = {
    "atom": "The swizzle atom as a grid.",
    "canonical": "The canonical layouts, as PTX and as CUTLASS write them.",
    "linear": "The atom as Triton's linear layout.",
}
FIND = {
    "guess": "Find the layout of a matrix in a dump of shared memory.",
    "explain": "The descriptor of a layout of CuTe, Triton, TMA; or why none.",
}
COMMAND_GROUPS = {"Where an element is": WHERE, "What a swizzle mode is": WHAT, "Which layout it is": FIND}
LAYOUT_COMMANDS = {**WHERE, **WHAT, **FIND}
_SHARED = {
    "address": "operand",
    "guess": "operand",
    "canonical": "atom",
    "linear": "atom",
    "scales": "tmem",
}
"""Commands that are in the module of another command."""


class Layouts(LazyGroup):
    """The commands, each loaded when it is run."""

    commands_help = LAYOUT_COMMANDS

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, commands in COMMAND_GROUPS.items():
            with formatter.section(section):
                formatter.write_dl(list(commands.items()))

    def load(self, name: str) -> click.Command:
        module = import_module(f"smemdesc.cli.layout.{_SHARED.get(name, name)}")
        command: click.Command = getattr(module, f"{name}_command" if name in _SHARED else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from smemdesc.kinds.aliases import mode_alias
        from smemdesc.kinds.modes import MODE

        swizzle = mode_alias(args[0])
        if swizzle.upper() in map(str.upper, MODE) and not args[0].isdigit():  # layout 128B
            args = ["atom", *args]
        elif args[0] not in LAYOUT_COMMANDS and args[0][:1].isdigit():
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
      smemdesc layout 128B                # short for layout atom 128B
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16
      smemdesc layout address 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --at 17,9
      smemdesc layout tile 128x64 bf16 --swizzle 128B
      smemdesc layout store 128x64 bf16 --swizzle 128B
      smemdesc layout fragment --shape m64n128k16 --operand d --dtype f32
      smemdesc layout tmem --m 64 --n 128
      smemdesc layout scales 128x256 --mma-kind mxf8f6f4
    """
