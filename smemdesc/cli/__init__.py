"""The command line: a file a command, each parses and prints and holds no logic.

Commands are imported when they are run, so that ``--help`` and ``--version`` cost what click costs.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import Any

import click

from smemdesc._version import __version__

COMMANDS = {
    "decode": "What does this value say, and is it valid?",
    "encode": "Which value says this?",
    "layout": "Where does each element live?",
    "mask": "Which columns of B are zeroed, and which descriptor zeroes these?",
    "mma": "Is this instruction right as a whole?",
    "plan": "What are all the constants of this GEMM?",
    "scan": "Which descriptors does this dump use, instruction by instruction?",
    "fields": "What is the table? A reference card from the data.",
    "explain": "What does this rule, or this term, mean?",
}
UNUSABLE = 2
INTERRUPTED = 130

_NUMBER = r"""(?x)
    ["'(\[{<]* [+-]? (?: \d | \?\s*: )        # begins as a number does
    | [0-9a-fA-F?_']* \d [0-9a-fA-F?_':x]* $  # bare hexadecimal with a digit in it
    | (?: [0-9a-fA-F]{8} | [0-9a-fA-F]{16} ) $
    """


class Commands(click.Group):
    """The command tree, loaded lazily; a first word that can only be a number is decoded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"smemdesc.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, meant(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_neither(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None  # whoever read us has what it wanted


def meant(args: list[str]) -> list[str]:
    """Return a command line with the command that it leaves out: what is a value is decoded, a file is scanned."""
    args = _help_asked(args)
    if not args or args[0] in COMMANDS:
        return args
    first = args[0]
    if first == "help":
        return [*(each for each in args[1:] if not each.startswith("-")), "--help"]
    if first == "diff":
        return ["decode", "--diff", *args[1:]]
    if first == "-" or re.match(_NUMBER, first):
        return ["decode", *args]
    if first.startswith("-") and first not in ("--help", "--version", "--"):
        return ["decode", *args]  # options before the value
    if os.path.exists(first) and not re.search(r"\s", first):
        return ["scan", *args]
    if re.search(r"\s", first):
        from smemdesc.values import inside

        found = inside(first)
        if found:
            return ["decode", *args[1:], "--", *found]
    return args


def _help_asked(args: list[str]) -> list[str]:
    """Return the arguments with ``-h`` as ``--help``; no value begins with ``-h``."""
    end = args.index("--") if "--" in args else len(args)
    return ["--help" if each == "-h" else each for each in args[:end]] + args[end:]


def _neither(word: str) -> str:
    """Say what a first word is not, and what may have been meant."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), COMMANDS, n=1)
    if near:
        return f"{word!r} is not a command; did you mean {near[0]}?"
    if re.match(r"(?i)https?://", word):
        return f"{word!r} is an address: download it, then smemdesc scan FILE"
    if re.search(r"[/\\]|\.\w{1,6}$", word):
        return f"{word!r}: there is no such file"
    return f"{word!r} is neither a command nor a value; commands are {', '.join(COMMANDS)}"


@click.command(cls=Commands, context_settings={"max_content_width": 80})
@click.version_option(__version__, prog_name="smemdesc")
def cli() -> None:
    """Decode and encode NVIDIA tensor-core matrix descriptors: wgmma and tcgen05.

    \b
    Examples:
      smemdesc 0x4000404000010040            what does it say?
      smemdesc decode --bits 0x40004040      the high word of a SASS dump
      smemdesc encode tcgen05 --start 1KiB --sbo 1KiB --swizzle 128B
      cuobjdump -sass k.cubin | smemdesc scan -
      smemdesc fields wgmma                  the table, its codes and its rules

    A first word that can only be a number is decoded. No GPU and no CUDA needed.

    Exit status: 0 done; 1 --check found an error (--strict: or a warning), or
    nothing to check; 2 usage, or something that could not be read.
    """


def _show(problem: click.ClickException) -> None:
    """Say what is wrong with the usage, as every other error is said: that first, then what to type."""
    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        problem.show()
        return
    said = problem.format_message()
    if isinstance(problem, click.NoSuchOption):  # whose words are others in each version of click
        near = f"; did you mean {' or '.join(problem.possibilities[:2])}?" if problem.possibilities else ""
        said = f"no such option {problem.option_name!r}{near}"
    message = " ".join(said.split())
    click.echo(f"error: {message[:1].lower()}{message[1:].removesuffix('.')}", err=True)
    ctx = getattr(problem, "ctx", None)
    if ctx is not None:
        usage = " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])
        click.echo(f"  {usage}\n  {ctx.command_path} --help has examples", err=True)


def main() -> None:
    """Run the program; the entry point."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # What the terminal's encoding lacks is shown as its number, not a traceback.
        if getattr(stream, "errors", None) == "strict":
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if "_SMEMDESC_COMPLETE" in os.environ:
        from smemdesc.cli.completion import register

        register()
    try:
        try:
            status = cli.main(prog_name="smemdesc", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as problem:
        _show(problem)
        status = problem.exit_code
    except (click.Abort, KeyboardInterrupt) as problem:
        status = getattr(problem.__cause__ or problem, "status", INTERRUPTED)
    except BrokenPipeError:
        status = 0  # whoever read us has what it wanted
    except OSError as problem:
        click.echo(f"error: cannot write: {problem.strerror}", err=True)
        status = UNUSABLE
    # Everything is written; tearing the interpreter down would only cost time (a sixth of the whole run).
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status or 0)
