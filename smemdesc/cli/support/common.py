"""Code that the commands share: options, the two streams, lossless batches."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from smemdesc.cli.commands import EMPTY_INPUT, ERROR_FOUND, UNREADABLE
from smemdesc.cli.support.options import F, options
from smemdesc.engine.errors import SmemdescError, as_error, named, option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smemdesc.tiles.tensor_map import CopiedBox


def copied_box(text: str | None, keyword: str) -> CopiedBox | None:
    """Return what the copies of an option's tensor map write; it is given as bytes, ``@FILE``, settings, or a call."""
    if text is None:
        return None
    from smemdesc.cli.support.pasted import file_bytes, names_file
    from smemdesc.tiles.tensor_map import read_map

    if names_file(text):
        text = named(keyword, partial(file_bytes, calls=True), text)
    return named(keyword, read_map, text)


class ValueType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A value, unparsed. Distinguishes a mistyped option from a negative number."""

    name = "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if ctx is not None and is_option(text):
            if text.partition("=")[0] in option_names(ctx.command):  # the parser leaves such a word only after --
                raise click.UsageError(f"everything after -- is a value: put {text} before it", ctx)
            raise click.NoSuchOption(text, ctx=ctx)
        return text


class ValueCommand(click.Command):
    """A command of one value, whose parser keeps unknown options, as a value may be negative: these are reported."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = args.copy()
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption:
            raise
        except click.UsageError:
            known = option_names(self)
            for word in words[: words.index("--")] if "--" in words else words:
                if is_option(word) and word.partition("=")[0] not in known:
                    raise click.NoSuchOption(word, ctx=ctx) from None
            raise


def is_option(word: str) -> bool:
    """Whether a word is an option, and not a negative number."""
    return re.match(r"-[^\d\s]", word) is not None


def option_names(command: click.Command) -> list[str]:
    """Return the names of all options of a command."""
    return [name for param in command.params for name in (*param.opts, *param.secondary_opts) if name[:2] == "--"]


def near_option(command: click.Command, word: str) -> str | None:
    """Return the option whose spelling is close to a word, or that begins with it; None if no option does."""
    from difflib import get_close_matches

    names = {name.lstrip("-"): name for name in (*option_names(command), "--help")}
    typed = word.partition("=")[0].lstrip("-").lower()
    near = [name for name in names if len(typed) > 2 and name.startswith(typed)]
    near += get_close_matches(typed, names, n=1, cutoff=ALIKE)
    return names[near[0]] if near else None


ALIKE = 0.7
"""How alike two names of options are that are taken for each other: dtpye and dtype are 0.8, quiet and bits 0.44."""


_MOST_MESSAGES = 100
_MOST_ALIKE = 3
_LINE = "line "
DEBUG = "SMEMDESC_DEBUG"
"""The environment variable that --debug sets."""


def debugging() -> bool:
    """Whether an internal error is shown with its traceback."""
    return os.environ.get(DEBUG, "") not in ("", "0")


def traceback(error: BaseException) -> None:
    """Print where an exception was raised, if standard error is open."""
    from traceback import format_exception

    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("".join(format_exception(error)))
        sys.stderr.flush()


def show_on_stderr(color: str, *views: RenderableType) -> None:
    """Show views about the data on standard error, after the data written so far."""
    from smemdesc.render.console import show, stderr

    with _writing_to_stderr():
        show(stderr(color), *views)


@contextmanager
def _writing_to_stderr() -> Iterator[None]:
    sys.stdout.flush()
    try:
        yield
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        # Closed or full: the data are still written, and the status shows it. Buffered text must not fail again.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def json_asked() -> bool:
    """Whether the command line asks for JSON: messages on standard error are JSON then, too."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.obj)


def message_dict(error: SmemdescError, where: str = "", severity: str = "error") -> dict[str, Any]:
    """Return the JSON object of a message; ``where`` is ``value 2``, ``line 2``, or ``FILE:LINE``."""
    line = re.search(r"(?:^line |:)(\d+)$", where)
    origin = {"where": where or None, "line": int(line[1]) if line else None}
    return {"severity": severity, **origin, **error.to_dict()}


def write_to_stderr(*objects: Mapping[str, Any]) -> None:
    """Write JSON objects on standard error, one per line, after the data written so far."""
    import json

    with _writing_to_stderr():
        sys.stderr.writelines(json.dumps(value) + "\n" for value in objects)


class Problems:
    """Reports unreadable input on standard error; the batch goes on, and the exit status shows it at the end."""

    def __init__(self, color: str) -> None:
        self.color = color
        self.count = 0
        self.alike: dict[str, list[str]] = {}
        """For each kind of problem of a line, its lines."""
        self.messages: list[SmemdescError] = []
        """The first problems, for formats that include them."""

    def report(self, error: Exception, where: str = "") -> None:
        """Print one problem: an error of the input, or an unexpected one.

        Errors of usage or output are not problems of one input, and are raised again.
        """
        if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, OSError)):
            try:
                raise error
            finally:
                del error  # its traceback refers to this frame: the cycle would keep the workers' generator open
        self.count += 1
        if self.count <= _MOST_MESSAGES:
            self.messages.append(as_error(error))
        if self._is_repeated(as_error(error), where):
            return
        self.show(as_error(error), where)
        if debugging() and not isinstance(error, SmemdescError):
            traceback(error)

    def _is_repeated(self, error: SmemdescError, where: str) -> bool:
        """Whether the same was reported for three lines; then this line is counted for :meth:`sum_up`."""
        if not where.startswith(_LINE):
            return False
        places = self.alike.setdefault(re.sub(r"'[^']*'|\d+", "...", error.option_message), [])
        places.append(where.removeprefix(_LINE))
        return len(places) > _MOST_ALIKE

    def sum_up(self) -> None:
        """Print the further lines with the same error, one line per error."""
        for message, places in self.alike.items():
            rest = [int(place) for place in places[_MOST_ALIKE:]]
            if rest:
                from smemdesc.engine.wording import many

                text = f"{many(len(rest), 'more line')} with the same error: {message}"
                self.show(SmemdescError(text, hint=f"{'lines' if rest[1:] else 'line'} {_runs(rest)}"))
        self.alike.clear()

    def show(self, error: SmemdescError, where: str = "", *, severity: str = "error") -> None:
        """Print what alone does not change the status: what --check or --strict rejects, or what is doubtful."""
        error = with_option(error)
        if json_asked():
            write_to_stderr(message_dict(error, where, severity))
            return
        from smemdesc.render.problem import problem_view

        show_on_stderr(self.color, problem_view(error, where, severity=severity))

    def note(self, text: str) -> None:
        """Print a note, which is not a problem."""
        if json_asked():
            write_to_stderr(message_dict(SmemdescError(text), severity="note"))
            return
        from smemdesc.render.problem import remark_view

        show_on_stderr(self.color, remark_view(text))

    @contextmanager
    def reporting(self, where: str = "") -> Iterator[None]:
        """Report the error of one of many inputs, and continue with the others."""
        try:
            yield
        except Exception as error:
            self.report(error, where)

    def status(self) -> int:
        """Return the exit status after the problems."""
        return UNREADABLE if self.count else 0

    def leave(self, ctx: click.Context, show: Callable[[], bool | None]) -> NoReturn:
        """Run the output of a command; report errors, and exit with the resulting status.

        ``show`` returns whether ``--check`` or ``--strict`` rejects its output.
        """
        failed = False
        with self.reporting():
            failed = bool(show())
        self.sum_up()
        checked = ctx.params.get("check") or ctx.params.get("strict")
        empty = ctx.meta.get(EMPTY_INPUT) and not self.count
        if empty and checked:
            failed = True
            option = "--strict" if ctx.params.get("strict") else "--check"
            hint = f"{option} needs at least one line that is neither blank nor a comment"
            self.show(SmemdescError("nothing of standard input was checked: it is empty", hint=hint))
        elif empty:
            self.note("standard input has no value: it is empty, or has only comments")
        ctx.exit(self.status() or (ERROR_FOUND if failed and checked else 0))


def with_option(error: SmemdescError) -> SmemdescError:
    """Return an error whose message names the option of its keyword, if the command has that option."""
    ctx, name = click.get_current_context(silent=True), option(error.keyword)
    if not error.named and ctx is not None and any(name in param.opts for param in ctx.command.params):
        error.option_message = f"{name}: {error.option_message}"
    return error


def _runs(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ``4, 6-9``."""
    out: list[list[int]] = []
    for number in numbers:
        if out and number == out[-1][-1] + 1:
            out[-1][1:] = [number]
        else:
            out.append([number])
    return ", ".join("-".join(map(str, run)) for run in out)


def answering(command: Callable[..., bool | None]) -> Callable[..., NoReturn]:
    """Return a command that reports the error of its function, and exits, as :meth:`Problems.leave` does.

    The function takes the context and the parameters; like ``show``, it returns whether an option rejects its output.
    """

    @click.pass_context
    @wraps(command)
    def run(ctx: click.Context, /, **params: Any) -> NoReturn:
        Problems(params.get("color", "auto")).leave(ctx, lambda: command(ctx, **params))

    return run


def write_json(*objects: Mapping[str, Any]) -> None:
    """Write JSON objects, one per line."""
    import json

    for value in objects:
        sys.stdout.write(json.dumps(value) + "\n")


def spelled(ctx: click.Context, name: str) -> str:
    """Return the option of a parameter of a command, by its long name."""
    return next(max(param.opts, key=len) for param in ctx.command.params if param.name == name)


def one_output(ctx: click.Context, *names: str) -> None:
    """Reject two options that both select the output: one would be ignored."""
    options_given = [spelled(ctx, name) for name in names if ctx.params.get(name)]
    if len(options_given) > 1:
        raise click.UsageError(f"{options_given[0]} and {options_given[1]} cannot be given together", ctx)


def one_format(ctx: click.Context, default: str) -> str:
    """Return the format of ``--format``, or that which ``--json`` or ``--short`` is the name of."""
    style = ctx.params["style"]
    own = [name for name, param in (("json", "as_json"), ("short", "short")) if ctx.params.get(param)]
    others = [f"--format {style}"] if style and style not in own else []
    if len(own) + len(others) > 1:
        raise click.UsageError(
            f"{' and '.join([*(f'--{name}' for name in own), *others])} cannot be given together", ctx
        )
    return own[0] if own else style or default


def picture_option(
    text: str, *, beside_json: bool = False, force: str = "With --svg: overwrite the file."
) -> Callable[[F], F]:
    """Add ``--svg`` to a command, and the ``--force`` of :func:`write_picture`.

    ``beside_json``: the command can write JSON to standard output and the picture to a file. ``force``: the help of
    ``--force``.
    """

    def checked(command: F) -> F:
        @wraps(command)
        def run(*args: Any, **kwargs: Any) -> Any:
            ctx = click.get_current_context()
            if kwargs["svg"] == "-" or not beside_json:
                one_output(ctx, "as_json", "svg")
            if kwargs["svg"]:
                try:
                    _check_picture(kwargs["svg"])
                except SmemdescError as error:
                    Problems(kwargs["color"]).report(error)
                    ctx.exit(UNREADABLE)
            return command(*args, **kwargs)

        return cast(F, run)

    return options(
        checked,
        click.option("--svg", metavar="FILE", callback=_check_name, help=text),
        click.option("--force", is_flag=True, expose_value=False, callback=_store_force, help=force),
    )


def _check_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise click.UsageError("--svg: the file name is empty; give one that ends in .svg, or -", ctx)
    return value


def _store_force(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[_FORCE] = value


def force_given() -> bool:
    """Whether ``--force`` was given."""
    return bool(click.get_current_context().meta.get(_FORCE))


_FORCE = "smemdesc.force"
_PICTURE = "Write a picture to FILE (- for standard output)."
svg_option = picture_option(_PICTURE)
svg_or_json_option = picture_option(_PICTURE, beside_json=True)


def present(color: str, *views: RenderableType, svg: str | None = None, title: str = "smemdesc") -> None:
    """Show views; ``svg``: also write a picture of them, or only the picture if it goes to standard output."""
    from smemdesc.cli.support.paging import paging
    from smemdesc.render.console import show, stdout

    if svg:
        from smemdesc.render.text_picture import picture

        if write_picture(svg, picture(views, title)):
            return
    with paging(color):
        show(stdout(color), *views)


_OTHER_PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "pdf", "eps", "ps", "bmp", "tif", "tiff", "html", "txt")


def _check_picture(file: str) -> None:
    """Reject a file to which no SVG can be written, before any work is done."""
    ending = file.rpartition(".")[2].lower() if "." in file else ""
    if ending in _OTHER_PICTURES:
        from smemdesc.engine.wording import quoted

        raise SmemdescError(
            f"--svg {file}: the output is SVG, not .{ending}",
            hint=f"name it {quoted(file[: -len(ending)] + 'svg')}; convert it with rsvg-convert or a browser",
        )
    if file != "-":
        from smemdesc.cli.support.files import check_writable

        check_writable(file, "--svg", force=force_given())


def write_picture(file: str, svg: str) -> bool:
    """Write an SVG to a file, or for ``-`` to standard output; return whether standard output is then taken."""
    if file == "-":
        click.echo(svg.encode(), nl=False)  # UTF-8, as the SVG declares, whatever the terminal's encoding
        return True
    from smemdesc.cli.support.files import write_file

    write_file(file, svg, "--svg", force=force_given())
    return False


def write_result(
    params: dict[str, Any],
    result: Any,
    *parts: Any,
    view: str = "",
    data: Callable[[], Mapping[str, Any] | Iterable[Mapping[str, Any]]] | None = None,
    title: str = "",
    **settings: Any,
) -> None:
    """Write a result in the form of the options: as JSON, as text or as a picture.

    ``data`` returns its JSON, one object or one for each line; by default ``to_dict`` does. Its view and its picture
    are those of :mod:`smemdesc.render.views`, with ``settings``; the view of a part of it is ``view``, a function of
    ``smemdesc.render``, ``module:name``, which also takes ``parts``. A result without a picture has one of its text,
    with ``title``, by default its own. A picture in a file leaves standard output free.
    """
    svg = params.get("svg")
    if svg and not view:
        from smemdesc.render import views

        if views.has_picture(result):
            if write_picture(svg, views.picture(result, **settings)):
                return
            svg = None
    if params["as_json"]:
        objects = (data or result.to_dict)()
        write_json(*((objects,) if isinstance(objects, Mapping) else objects))
        return
    from smemdesc.render import views

    renderable = views.function_at(view)(result, *parts, **settings) if view else views.view(result, **settings)
    present(params["color"], renderable, svg=svg, title=title or str(result))
