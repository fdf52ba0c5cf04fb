"""The command line: one file per command, which parses and prints without logic.

Commands are imported when they run, so ``--help`` and ``--version`` cost no more than click.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from itertools import chain, takewhile
from typing import Any

import click

from smemdesc._version import __version__

COMMANDS = {
    "decode": "Decode a value and check it",
    "encode": "Build a descriptor from named fields",
    "layout": "Show the address of each element",
    "mask": "Show the columns of B that a mask zeroes, or find the mask",
    "mma": "Check one instruction and its operands together",
    "plan": "Compute every constant of a GEMM tile",
    "scan": "Find and check every descriptor in a dump or a binary",
    "gdb": "Check the instruction at which cuda-gdb stopped",
    "fields": "Print the reference card of a kind",
    "explain": "Explain a rule, a term or a field",
    "web": "Open the page that does the same in a browser",
}
SHORT_FOR = {"diff": "Compare two values, or two dumps"}
"""Help of the words that are short for a command with an option."""
SECTIONS = {
    "Commands": ("decode", "encode", "layout", "mask"),
    "More commands": ("mma", "plan", "scan", "diff", "gdb", "fields", "explain", "web"),
}
ERROR_FOUND = 1
UNREADABLE = 2
INTERRUPTED = 130
SIGNALLED = 128

NUMBER = r"""(?x)
    ["'(\[{<]* [+-]? (?: \d | \?\s*: )        # begins as a number does
    | [a-fA-F?_']*+ \d [0-9a-fA-F?_':x]*+ $  # bare hexadecimal with a digit in it
    | (?: [0-9a-fA-F]{8} | [0-9a-fA-F]{16} ) $
    """


class HelpContext(click.Context):
    """Shows help in colour where standard output takes it."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if self.color is None and (os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"):
            self.color = False
        elif self.color is None and os.environ.get("FORCE_COLOR"):
            self.color = True

    def get_help(self) -> str:
        from smemdesc.cli.help import painted

        return painted(super().get_help())


class LazyGroup(click.Group):
    """A group that imports, or makes, a command when it is run."""

    context_class = HelpContext
    commands_help: Mapping[str, str]
    """The help of each command."""
    section = "Commands"

    def load(self, name: str) -> click.Command:
        """Return the command of a name."""
        raise NotImplementedError

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands_help)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands_help:
            return None
        command = self.load(cmd_name)
        command.context_class = HelpContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands_help and not args[0].startswith("-"):
            from smemdesc.engine.wording import nearest

            near = nearest(args[0], self.commands_help, f"the commands are {', '.join(self.commands_help)}")
            raise click.UsageError(f"no such command {args[0]!r}: {near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self.section):
            formatter.write_dl(list(self.commands_help.items()))


class Commands(LazyGroup):
    """The command tree; ``smemdesc VALUE`` is short for ``smemdesc decode VALUE``."""

    commands_help = COMMANDS

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, {**COMMANDS, **SHORT_FOR}[name]) for name in names])
        click.Command.format_options(self, ctx, formatter)

    def load(self, name: str) -> click.Command:
        command: click.Command = import_module(f"smemdesc.cli.{name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, expand_arguments(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_unknown_word(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **more)
        except BrokenPipeError:  # --help and --version write here
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None  # whoever read us has what it wanted


def expand_arguments(args: list[str]) -> list[str]:
    """Return a command line with its omitted command: a value is decoded, a file is scanned."""
    args = _take_global_options(args)
    if not args:
        from smemdesc.cli.pasted import is_piped

        return ["decode"] if is_piped() else args
    if args[0] in COMMANDS:
        return args
    first = args[0]
    if first == "help":
        return [*(each for each in args[1:] if not each.startswith("-")), "--help"]
    if first == "diff":
        files = any(os.path.exists(each) for each in args[1:])
        return ["scan" if files else "decode", "--diff", *args[1:]]
    if first == "-" or re.match(NUMBER, first):
        return ["decode", *args]
    if first in ("--help", "--version", "-V"):
        return args
    if _is_option(first):
        at = _first_word(args)
        if at is None:
            return ["decode", *args]
        words = expand_arguments(args[at:])
        end = next((end for end, each in enumerate(words) if _is_option(each)), len(words))
        return [*words[:end], *args[:at], *words[end:]]
    if os.path.exists(first) and not re.search(r"\s", first):
        return ["scan", *args]
    return ["decode", *args] if _is_pasted(args) else args


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-" and not re.match(NUMBER, word)


def _first_word(args: list[str]) -> int | None:
    """Return where a command, or a file to scan, is behind options that come before it; None: they are decode's."""
    names = {"decode", *COMMANDS.keys() & args, *(["scan"] if any(map(os.path.exists, args)) else [])}
    options = {name: [each for each in cli.load(name).params if isinstance(each, click.Option)] for name in names}
    taking = {name for each in chain(*options.values()) if not each.is_flag for name in each.opts}
    words = [
        at
        for at, each in enumerate(takewhile(lambda each: each != "--", args))
        if not _is_option(each) and args[at - 1] not in taking
    ]
    named = next((at for at in words if args[at] in (*COMMANDS, *SHORT_FOR, "help")), None)
    own = {name for each in options["decode"] for name in (*each.opts, *each.secondary_opts)}
    if named is not None or own.issuperset(each.partition("=")[0] for each in args if _is_option(each)):
        return named
    return next((at for at in words if os.path.exists(args[at])), None)


def _is_pasted(args: list[str]) -> bool:
    """Whether a command line begins with text that has a value in it, or that is known to have none."""
    from smemdesc.cli.pasted import looks_like_dump
    from smemdesc.engine.errors import SmemdescError
    from smemdesc.kinds.pasted import sentence, values
    from smemdesc.kinds.text import UNKNOWN_TEXT

    if "\n" in args[0].strip():
        return True
    words = list(takewhile(lambda each: not each.startswith("--"), args))
    text = args[0] if re.search(r"\s", args[0]) else sentence(words) or args[0]
    try:
        values(text)
    except SmemdescError as problem:
        return problem.message != UNKNOWN_TEXT or looks_like_dump(text)
    return True


_GLOBAL = {"--debug": ("SMEMDESC_DEBUG", "1"), "--no-pager": ("SMEMDESC_PAGER", "cat")}
"""Options of every command, and what they set."""


def _take_global_options(args: list[str]) -> list[str]:
    """Return the arguments with ``-h`` as ``--help`` (no value begins so), without those that set a variable."""
    end = args.index("--") if "--" in args else len(args)
    os.environ.update(_GLOBAL[each] for each in args[:end] if each in _GLOBAL)
    return ["--help" if each == "-h" else each for each in args[:end] if each not in _GLOBAL] + args[end:]


def _unknown_word(word: str) -> str:
    """Say what a first word is not, and what may have been meant."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), (*COMMANDS, *SHORT_FOR), n=1)
    if near:
        return f"{word!r} is not a command; did you mean {near[0]}?"
    if re.match(r"(?i)https?://", word):
        return f"{word!r} is a URL: download it, then smemdesc scan FILE"
    if re.search(r"[/\\]|\.\w{1,6}$", word):
        return f"{word!r}: no such file"
    return f"{word!r} is neither a command nor a value; commands are {', '.join(chain(*SECTIONS.values()))}"


@click.command(
    cls=Commands,
    context_settings={"max_content_width": 80},
    epilog="Exit status: 0 done; 1 --check found an error (--strict: or a warning), or nothing to check; 2 usage, or "
    "something that could not be read.",
)
@click.version_option(__version__, "-V", "--version", prog_name="smemdesc")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where an internal error happened.")
@click.option("--no-pager", is_flag=True, expose_value=False, help="Do not use a pager for long output.")
def cli() -> None:
    """Decode and encode NVIDIA tensor-core matrix descriptors: wgmma and tcgen05.

    \b
    Examples:
      smemdesc decode 0x4000404000010040
      smemdesc encode tcgen05 --start 1KiB --sbo 1KiB --swizzle 128B
      smemdesc layout atom --swizzle 128B --major K
      smemdesc mask 0x0003028100000000 --m 64 --n 128
      cuobjdump -sass k.cubin | smemdesc scan

    `smemdesc VALUE` is short for `smemdesc decode VALUE`. No GPU or CUDA needed.
    """


def _show_usage(problem: click.ClickException) -> None:
    """Say what is wrong with the usage, as every other error is said: that first, then what to type."""
    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        problem.show()
        return
    from smemdesc.engine.wording import printable, short

    if isinstance(problem, click.MissingParameter) and problem.ctx is not None:
        from smemdesc.cli.help import missing

        problem = missing(problem.ctx)
    text = problem.format_message()
    if isinstance(problem, click.NoSuchOption):  # whose words are others in each version of click
        near = f"; did you mean {' or '.join(problem.possibilities[:2])}?" if problem.possibilities else ""
        text = f"no such option {problem.option_name!r}{near}"
    message = printable(short(" ".join(text.split())))
    begins = message[:1].lower() if message.partition(" ")[0][1:].islower() else message[:1]
    click.echo(f"error: {begins}{message[1:].removesuffix('.')}", err=True)
    ctx = getattr(problem, "ctx", None)
    if ctx is not None:
        usage = " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])
        click.echo(f"  {usage}\n  {ctx.command_path} --help has examples", err=True)


def main() -> None:
    """Run the program and end the process."""
    status = INTERRUPTED
    with suppress(KeyboardInterrupt):
        status = run()
    if "multiprocessing" in sys.modules:
        import gc

        gc.collect()  # what an exception still holds of a scan ends its workers
    if _ending_signal:
        status = SIGNALLED + _ending_signal[0]
    # Everything is written; tearing the interpreter down would only cost time (a sixth of the whole run).
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    os._exit(status)


def run() -> int:
    """Run the program on the arguments of the process and return its exit status."""
    if sys.stdout is None:  # closed by whoever started us: what is written fails, and the status says so
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # What the terminal's encoding lacks is shown as its number, not a traceback.
        if getattr(stream, "errors", None) == "strict":
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    _stop_on_signals()
    if "_SMEMDESC_COMPLETE" in os.environ:
        from smemdesc.cli.completion import register

        register()
    return run_command_line(None)


def run_command_line(args: list[str] | None) -> int:
    """Run one command line (None: that of the process), report errors, and return the exit status."""
    try:
        try:
            return cli.main(args, prog_name="smemdesc", standalone_mode=False) or 0
        finally:
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as problem:
        with suppress(OSError, ValueError, AttributeError):  # standard error is full
            _show_usage(problem)
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # whoever read us has what it wanted
    except OSError as problem:
        _report(_system_refusal(problem), problem)
    except Exception as problem:
        from smemdesc.engine.errors import as_error

        _report(as_error(problem).text, problem)
    return UNREADABLE


_ending_signal: list[int] = []
"""The signal that ended the run."""


def _stop_on_signals() -> None:
    """End on SIGTERM and SIGHUP as on an interrupt: temporary files go, the cursor and the workers, too."""
    try:
        # What signal makes enumerations of, which takes longer than any other import here.
        signal: Any = import_module("_signal")
    except ImportError:
        import signal

    def stop(number: int, frame: object) -> None:
        _ending_signal.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Whoever started us may have asked that it be ignored (nohup); another thread may not ask at all.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, stop)


def _report(text: str, problem: Exception) -> None:
    """Say on standard error what ended the run; ``--debug``: and where."""
    from smemdesc.cli.common import debugging, traceback
    from smemdesc.engine.wording import printable, short

    with suppress(OSError, ValueError, AttributeError):
        click.echo(f"error: {printable(short(text))}", err=True)
    if debugging():
        traceback(problem)


_WRITING = frozenset((errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EROFS))


def _system_refusal(problem: OSError) -> str:
    """Say what the system refused: to write, or files, processes and memory that it has too few of."""
    why = (problem.strerror or str(problem)).lower()
    if problem.filename is not None:
        return f"{problem.filename}: {why}"
    if problem.errno == errno.EBADF:
        return "standard output is closed"
    return f"cannot write: {why}" if problem.errno in _WRITING else f"the system refused: {why}"
