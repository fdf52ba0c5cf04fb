"""``smemdesc probe``: the model's answers, put to the GPU that is there."""

from __future__ import annotations

from importlib import import_module

import click

from smemdesc.cli.commands import LazyGroup

PROBE_COMMANDS = {
    "operand": "Of which byte is each element of an operand read?",
    "idesc": "Is M x N computed, of A and B of these types? Where are scale factors read?",
    "mask": "Are these columns of B zero?",
    "map": "What does the copy of a tensor map write, and where?",
    "all": "Every question for this GPU.",
}


class Probes(LazyGroup):
    """The commands, each loaded when it is run."""

    commands_help = PROBE_COMMANDS

    def load(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module("smemdesc.cli.probe.questions"), f"{name}_command")
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["--all"]:
            args = ["all", *args[1:]]
        elif args and args[0] not in PROBE_COMMANDS and args[0] != "--help":
            args = ["operand", *args]
        return super().parse_args(ctx, args)


@click.command(cls=Probes)
def command() -> None:
    """Ask the GPU: does it do what smemdesc says?

    \b
    Examples:
      smemdesc probe 0x4000004000010040 --dtype bf16 --major K
      smemdesc probe 0x4000404000010040 --dtype bf16 --major K --ptx
      smemdesc probe idesc 0x8210490 --mma-kind f16
      smemdesc probe mask 0x0003028100000000 --m 64 --n 128
      smemdesc probe map @a.map
      smemdesc probe --all --out answers.jsonl.gz

    `smemdesc probe VALUE` is `smemdesc probe operand VALUE`. Needs a GPU with wgmma
    or tcgen05 and its driver, no CUDA toolkit. A second process uses the GPU, with
    a time limit: a fault or a hang is an answer.
    """
