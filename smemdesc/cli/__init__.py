"""The command line: one file per command, which parses and prints without logic.

Commands are imported when they run, so ``--help`` and ``--version`` cost no more than click.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from smemdesc._version import __version__
from smemdesc.cli.commands import COMMANDS, SHORT_FOR, UNREADABLE, LazyGroup, asks_for_json, load, take_global_options

if TYPE_CHECKING:
    from smemdesc.engine.errors import SmemdescError

SECTIONS = {
    "Commands": ("decode", "encode", "layout", "mask"),
    "More commands": ("mma", "plan", "scan", "diff", "gdb", "probe", "fields", "explain", "schema", "lsp", "skill"),
}
"""The commands that are listed: not ``web``, since an installed package has no page to open."""

INTERRUPTED = 130
SIGNALLED = 128


class Commands(LazyGroup):
    """The command tree; ``smemdesc VALUE`` is short for ``smemdesc decode VALUE``."""

    commands_help = COMMANDS

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, {**COMMANDS, **SHORT_FOR}[name]) for name in names])
        click.Command.format_options(self, ctx, formatter)

    def load(self, name: str) -> click.Command:
        return load(name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = take_global_options(args)
        if not args or args[0] not in COMMANDS:
            from smemdesc.cli.shortcuts import expand_arguments

            args = expand_arguments(args)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in SHORT_FOR:
            return args[0], load(args[0]), args[1:]  # for its help: it was replaced otherwise
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from smemdesc.cli.support.unknown import unknown_word

            raise click.UsageError(unknown_word(args[0], [*chain(*SECTIONS.values())]), ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **others: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **others)
        except BrokenPipeError:  # --help and --version write here
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None  # the reader of the pipe has exited: not an error


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

    `smemdesc VALUE` is `smemdesc decode VALUE`. No GPU or CUDA needed.
    """


def _show_usage(problem: click.ClickException, *, as_json: bool) -> None:
    """Report a usage error in the form of every other error: the fault, then what to type."""
    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        problem.show()
        return
    if isinstance(problem, click.MissingParameter) and problem.ctx is not None:
        from smemdesc.cli.support.help import missing_parameters

        problem = missing_parameters(problem.ctx)
    text = problem.format_message()
    if isinstance(problem, click.NoSuchOption):  # whose text differs between versions of click
        from smemdesc.cli.support.common import near_option
        from smemdesc.engine.wording import listed_words

        name = problem.option_name
        others = [" ".join(path) for path in _commands_with(name)]
        near = near_option(problem.ctx.command, name) if problem.ctx is not None and not others else None
        have = f"; {listed_words(others, 3)} {'has' if len(others) == 1 else 'have'} it" if others else ""
        text = f"no such option {name!r}{have}" + (f"; did you mean {near}?" if near else "")
    message = " ".join(text.split())
    begins = message[:1].lower() if message.partition(" ")[0][1:].islower() else message[:1]
    message = f"{begins}{message[1:].removesuffix('.')}"
    ctx = getattr(problem, "ctx", None)
    advice = []
    if ctx is not None:
        usage = " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])
        advice = [usage, f"{ctx.command_path} --help has examples"]
    from smemdesc.engine.errors import SmemdescError
    from smemdesc.engine.wording import printable, short

    text = "\n  ".join([f"error: {printable(short(message))}", *advice])
    _write_error(SmemdescError(message, hint="; ".join(advice)), text, as_json=as_json)


def _commands_with(option: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands that have an option, each as the words that are typed."""
    todo: list[tuple[tuple[str, ...], click.Command]] = [((name,), load(name)) for name in COMMANDS]
    while todo:
        path, command = todo.pop(0)
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            below = ((name, command.get_command(ctx, name)) for name in command.list_commands(ctx))
            todo[:0] = [((*path, name), found) for name, found in below if found is not None]
        if any(option in (*param.opts, *param.secondary_opts) for param in command.params):
            yield path


def _write_error(error: SmemdescError, text: str, *, as_json: bool) -> None:
    """Write an error that no command has shown as JSON, or as a text that is made without rich."""
    if as_json:
        from json import dumps

        from smemdesc.cli.support.common import message_dict

        text = dumps(message_dict(error))
    click.echo(text, err=True)


def main() -> None:
    """Run the program and end the process."""
    status = INTERRUPTED
    with suppress(KeyboardInterrupt):
        status = run()
    if "multiprocessing" in sys.modules:
        import gc

        gc.collect()  # frees what an exception still holds of a scan, which ends its workers
    if _ending_signal:
        status = SIGNALLED + _ending_signal[0]
    # Everything is written; shutting down the interpreter would only take time (a sixth of the whole run).
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    os._exit(status)


def run() -> int:
    """Run the program on the arguments of the process and return its exit status."""
    if sys.stdout is None:  # closed by the parent process: writing fails, and the exit status shows it
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal's encoding lacks is shown as its number, without a traceback.
        if getattr(stream, "errors", None) == "strict":
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    _stop_on_signals()
    if "_SMEMDESC_COMPLETE" in os.environ:
        from smemdesc.cli.support.completion import register_completions

        register_completions()
    return run_command_line(None)


def run_command_line(args: list[str] | None) -> int:
    """Run one command line (None: the process's), report errors, and return the exit status."""
    as_json = asks_for_json(sys.argv[1:] if args is None else args)
    try:
        try:
            return cli.main(args, prog_name="smemdesc", standalone_mode=False, obj=as_json) or 0
        finally:
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as problem:
        with suppress(OSError, ValueError, AttributeError):  # standard error is full
            _show_usage(problem, as_json=as_json)
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # the reader of the pipe has exited: not an error
    except Exception as problem:
        from smemdesc.engine.errors import SmemdescError, as_error

        system = _system_refusal(problem) if isinstance(problem, OSError) else ""
        error = SmemdescError(system) if system else as_error(problem)
        _report(error, problem, as_json=as_json)
    return UNREADABLE


_ending_signal: list[int] = []
"""The signal that ended the run."""


def _stop_on_signals() -> None:
    """End on SIGTERM and SIGHUP as on an interrupt: remove temporary files, show the cursor, end the workers."""
    try:
        # Not signal, which builds enumerations: that takes longer than any other import here.
        signal: Any = import_module("_signal")
    except ImportError:
        import signal

    def stop(number: int, frame: object) -> None:
        _ending_signal.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # The parent may have had it ignored (nohup); only the main thread may set a handler.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, stop)


def _report(error: SmemdescError, problem: Exception, *, as_json: bool) -> None:
    """Report on standard error what ended the run; with ``--debug``, also where."""
    from smemdesc.cli.support.common import debugging, traceback
    from smemdesc.engine.wording import printable, short

    with suppress(OSError, ValueError, AttributeError):
        _write_error(error, f"error: {printable(short(error.text))}", as_json=as_json)
    if debugging():
        traceback(problem)


_WRITING = frozenset((errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EROFS))


def _system_refusal(problem: OSError) -> str:
    """Return the message about a system error: writing failed, or files, processes or memory ran out."""
    why = (problem.strerror or str(problem)).lower()
    if problem.filename is not None:
        return f"{problem.filename}: {why}"
    if problem.errno == errno.EBADF:
        return "standard output is closed"
    return f"cannot write: {why}" if problem.errno in _WRITING else f"the system refused: {why}"
