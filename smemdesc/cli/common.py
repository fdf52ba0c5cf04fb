"""What the commands share: options, the two streams, batches that lose nothing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, cast

import click

from smemdesc.cli import ERROR_FOUND, UNREADABLE
from smemdesc.cli.help import CaseOption, StepOption, TileOption
from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.engine.wording import quoted
from smemdesc.kinds.names import KINDS, MAJORS, MMA_KINDS, SHORT_ARCHS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smemdesc.kinds.context import Context
    from smemdesc.layout.steps import Tiling

F = TypeVar("F", bound=Callable[..., Any])


def options(*made: Callable[[F], F]) -> Callable[[F], F]:
    """Put several options on a command, listed in this order."""

    def put(command: F) -> F:
        for each in reversed(made):
            command = each(command)
        return command

    return put


color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    metavar="WHEN",
    help="always, never, auto (as NO_COLOR, FORCE_COLOR say).",
)


class KindName(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A kind by its name, or by what CUTLASS and others call it."""

    name = "kind"

    def __init__(self, *only: str) -> None:
        self.only = only

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from smemdesc.kinds.aliases import kind

        found = kind(str(value))
        if self.only and found not in self.only:
            self.fail(f"{value!r} is not one of {', '.join(self.only)}.", param, ctx)
        return found


kind_option = click.option("--kind", type=KindName(), metavar="KIND", help=f"Descriptor kind: {', '.join(KINDS)}.")
mma_kind_option = click.option(
    "--mma-kind",
    type=click.Choice(MMA_KINDS, case_sensitive=False),
    metavar="KIND",
    help=f"{', '.join(MMA_KINDS)}.",
)
check_options = options(
    click.option("--check", is_flag=True, help="Exit with 1 if an error is found."),
    click.option("--strict", is_flag=True, help="Exit with 1 if a warning is found, too."),
)


def major_options(text: str = "Major-ness of the operand.", *, required: bool = False) -> Callable[[F], F]:
    """Put ``--major`` on a command, and ``--trans-a``, ``--trans-b`` that say the same as a column-major BLAS does.

    The command is given ``major`` alone, ``K``, ``MN`` or None; one that has the flags of the instruction descriptor
    is given these.
    """

    def put(command: F) -> F:
        @wraps(command)
        def resolved(*arguments: Any, **chosen: Any) -> Any:
            said = {each: chosen.pop(f"trans_{each}") for each in ("a", "b")}
            if "transpose_a" in chosen:
                chosen.update(_transposed(chosen, said))
            else:
                chosen["major"] = _major(chosen["major"], said)
            if required and chosen["major"] is None:
                raise click.UsageError(
                    "--major is missing: K or MN, or --trans-a, --trans-b", click.get_current_context()
                )
            return command(*arguments, **chosen)

        names = [*MAJORS, "M", "N"]
        both: dict[str, Any] = {
            "cls": CaseOption,
            "type": click.Choice(["N", "T"], case_sensitive=False),
            "metavar": "N|T",
            "help": "The same, in the terms of a column-major BLAS.",
        }
        return options(
            click.option(
                "--major", cls=CaseOption, type=click.Choice(names, case_sensitive=False), metavar="K|MN", help=text
            ),
            click.option("--trans-a", **both),
            click.option("--trans-b", **both),
        )(cast(F, resolved))

    return put


def _major(major: str | None, said: dict[str, str | None]) -> str | None:
    """Return the major-ness that one of ``--major``, ``--trans-a`` and ``--trans-b`` says."""
    from smemdesc.kinds.context import BLAS, major_of

    transposed = [(operand, word) for operand, word in said.items() if word]
    if len(transposed) + (major is not None) > 1:
        given = [*(["--major"] if major else []), *(f"--trans-{operand}" for operand, _ in transposed)]
        raise click.UsageError(
            f"{' and '.join(given)} both say the major-ness of the operand: give one", click.get_current_context()
        )
    return BLAS[transposed[0]] if transposed else major_of(major) if major else None


def _transposed(chosen: dict[str, Any], said: dict[str, str | None]) -> dict[str, Any]:
    """Return the transpose flags of an instruction descriptor that ``--trans-a`` and ``--trans-b`` ask for."""
    from smemdesc.kinds.context import BLAS, major_of

    made: dict[str, Any] = {"major": major_of(chosen["major"]) if chosen["major"] else None}
    for operand, word in said.items():
        if not word:
            continue
        key = f"transpose_{operand}"
        if chosen[key] is not None:
            raise click.UsageError(
                f"--trans-{operand} and --transpose-{operand} say the same: give one", click.get_current_context()
            )
        made[key] = BLAS[operand, word] == "MN"
    return made


case_options = options(
    click.option("--dtype", cls=CaseOption, metavar="TYPE", help="Element type by its PTX name: bf16, e4m3, ..."),
    major_options(),
    click.option("--shape", cls=CaseOption, metavar="MNxK", help="Operand of one instruction, in elements: 64x16."),
    click.option("--arch", cls=CaseOption, metavar="ARCH", help=f"{SHORT_ARCHS}."),
    click.option(
        "--cta-group",
        cls=CaseOption,
        type=click.Choice(["1", "2"]),
        metavar="1|2",
        help="cta_group of the instruction.",
    ),
    click.option("--ws/--no-ws", cls=CaseOption, default=None, help="Whether the instruction is tcgen05.mma.ws."),
    click.option(
        "--scale-vec",
        cls=CaseOption,
        type=click.Choice(["1", "2", "4"]),
        metavar="1|2|4",
        help="scale_vec::NX of the instruction.",
    ),
)
mask_options = options(
    click.option("--m", "instruction_m", type=click.IntRange(1), metavar="M", help="M and N of a mask's instruction."),
    click.option("--n", "instruction_n", type=click.IntRange(1), metavar="N", help="M and N of a mask's instruction."),
)


tile_options = options(
    click.option(
        "--tile",
        cls=TileOption,
        metavar="MNxK",
        help="The tile in shared memory that the descriptor walks in, in elements.",
    ),
    click.option(
        "--order",
        cls=TileOption,
        type=click.Choice(["mn", "k"], case_sensitive=False),
        metavar="mn|k",
        help="With --tile: the dimension along which atoms are contiguous.",
    ),
    click.option("--tile-start", cls=TileOption, metavar="ADDR", help="With --diff: where the tile starts."),
)


def tile_start_option() -> click.Option:
    """Return the option that says where the tile of a step begins."""
    return StepOption(["--tile-start"], metavar="ADDR", help="With --advance: where the tile starts.")


def tiling_of(chosen: dict[str, Any]) -> Tiling:
    """Return what --tile, --order and --tile-start say of the tile around a descriptor; with two CTAs it is theirs."""
    from smemdesc.kinds.arguments import start_address
    from smemdesc.kinds.context import parse_shape
    from smemdesc.layout.atom import in_one_cta
    from smemdesc.layout.steps import Tiling

    text, start = chosen["tile"], chosen["tile_start"]
    return Tiling(
        in_one_cta(parse_shape(text), int(chosen.get("cta_group") or 1)) if text is not None else None,
        chosen["order"],
        start_address(start, "--tile-start", arch=chosen.get("arch")) if start is not None else None,
    )


class Case(NamedTuple):
    """The options of :data:`case_options`, and of :data:`mask_options` where a command has them, as given."""

    dtype: str | None
    major: str | None
    shape: str | None
    arch: str | None
    cta_group: str | None
    ws: bool | None
    scale_vec: str | None
    instruction_m: int | None = None
    instruction_n: int | None = None

    @classmethod
    def of(cls, chosen: dict[str, Any]) -> Case:
        """Take them out of all options of a command."""
        return cls(**{name: chosen[name] for name in cls._fields if name in chosen})

    def context(self, mma_kind: str | None) -> Context:
        """Return what they say about the instruction."""
        from smemdesc.kinds.context import NOTHING, context

        if self == _NO_CASE:
            return NOTHING
        return context(
            dtype=self.dtype,
            major=self.major,
            shape=self.shape,
            arch=self.arch,
            cta_group=int(self.cta_group) if self.cta_group else None,
            ws=self.ws,
            scale_vec=int(self.scale_vec) if self.scale_vec else None,
            mma_kind=mma_kind,
            m=self.instruction_m,
            n=self.instruction_n,
        )


_NO_CASE = Case(None, None, None, None, None, None, None)


class Values(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A value, left as it was typed. Knows a mistyped option from a negative number."""

    name = "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if ctx is not None and text.startswith("-") and len(text) > 1 and not text[1:2].isdigit():
            from difflib import get_close_matches

            known = [name for each in ctx.command.params for name in each.opts if name.startswith("--")]
            if text.partition("=")[0] in known:  # what the parser left: only -- in front of it does that
                raise click.UsageError(f"everything after -- is a value: put {text} before it", ctx)
            raise click.NoSuchOption(text, possibilities=get_close_matches(text, known), ctx=ctx)
        return text


class Given(NamedTuple):
    """One value of a batch and where it stood."""

    text: str
    where: str


def given(values: Iterable[str], stdin: IO[str] | None = None) -> Iterator[Given]:
    """Yield the values of a command line; ``-`` stands for the lines of standard input."""
    values = tuple(values)
    for number, value in enumerate(values, 1):
        if value == "-":
            yield from printed(lines(stdin))
        else:
            yield Given(value, f"value {number}" if len(values) > 1 else "")


def pointed(error: Exception, text: str) -> Exception:
    """Return the error about a value, or, where the value is a file's name or several lines, one that names scan."""
    if not isinstance(error, SmemdescError):
        return error
    if "\n" in text.strip():
        return SmemdescError(
            f"this is {len(text.strip().splitlines())} lines, not a value",
            hint="a dump goes into scan: smemdesc scan FILE, or smemdesc scan - and paste",
        )
    if len(text) < _LONGEST_NAME and os.path.isfile(text):
        return SmemdescError(f"{text} is a file, not a value", hint=f"smemdesc scan {quoted(text)}")
    return error


_LONGEST_NAME = 4096


def lines(stdin: IO[str] | None = None, *, comments: bool = True) -> Iterator[Given]:
    """Yield the lines of standard input that are neither blank nor comments.

    ``comments``: a comment behind a value is cut off, too (JSON may hold a ``#`` of its own).
    """
    stream = standard_input() if stdin is None else stdin
    for number, line in enumerate(stream, 1):
        text = line.strip()
        if "#" in text and (comments or text[0] == "#"):
            text = text.partition("#")[0].rstrip()
        if text:
            yield Given(text, f"line {number}")


def printed(batch: Iterable[Given]) -> Iterator[Given]:
    """Take the value out of what CUTLASS's ``print`` writes of a descriptor, and pass its lines of fields over."""
    inside = False
    for each in batch:
        if not inside and "esc" not in each.text:
            yield each  # no descriptor is named: most lines of a stream
            continue
        head = _descriptor(each.text)
        if head:
            yield Given(head[1], each.where)
        elif not (inside and _field_of_it(each.text)):
            yield each
            inside = False
            continue
        inside = True


def _descriptor(line: str) -> re.Match[str] | None:
    # Compiled when it is needed: most runs have no such line.
    return re.fullmatch(r"\w*(?:Descriptor|desc)_?\s*[:=]\s*(0x[0-9a-fA-F]{1,16})", line)


def _field_of_it(line: str) -> bool:
    found = re.fullmatch(
        r"(?:start_addr|leading_off|stride_off|base_offset|layout_type|version|lbo_mode|[abc]_format|[ab]_major"
        r"|[ab]_negate|[mnk]_(?:dim|size)|sparse_\w+|max_shift|saturate|scale_format|[ab]_sf_id)\s*:.*",
        line,
    )
    return found is not None


def standard_input() -> IO[str]:
    """Return standard input; bytes that are no text are kept as something that is no value."""
    if sys.stdin is None:
        raise SmemdescError("standard input is closed", hint="pipe values into it, or give them as arguments")
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return sys.stdin


_KEPT = 100
DEBUG = "SMEMDESC_DEBUG"
"""What --debug sets."""


def debugging() -> bool:
    """Whether an error in the program itself is shown with its traceback."""
    return os.environ.get(DEBUG, "") not in ("", "0")


def traceback(error: BaseException) -> None:
    """Print where an exception was raised, if there is somewhere to print it."""
    from traceback import format_exception

    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("".join(format_exception(error)))
        sys.stderr.flush()


def beside(color: str, *views: RenderableType) -> None:
    """Show on standard error what goes with the data, after those that were written before."""
    from smemdesc.render.console import show, stderr

    sys.stdout.flush()
    try:
        show(stderr(color), *views)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        # Closed or full: the data still come out, and the status tells. What is buffered must not fail again.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class Problems:
    """Reports what could not be read on standard error; the batch goes on, the status says so at the end."""

    def __init__(self, color: str) -> None:
        self.color = color
        self.count = 0
        self.messages: list[SmemdescError] = []
        """The first of them, for formats that hold them."""

    def report(self, error: Exception, where: str = "") -> None:
        """Print one problem: what is wrong with the input, or what nobody thought of.

        What is about the program's own usage or its output is no problem of one input, and is raised again.
        """
        if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, OSError)):
            try:
                raise error
            finally:
                del error  # its traceback holds this frame: a circle, in which the workers' generator would stay open
        from smemdesc.render.problem import Wrong

        self.count += 1
        if self.count <= _KEPT:
            self.messages.append(as_error(error))
        beside(self.color, Wrong(as_error(error), where))
        if debugging() and not isinstance(error, SmemdescError):
            traceback(error)

    def reject(self, error: SmemdescError, where: str = "") -> None:
        """Print what --check or --strict finds wrong: it could be read, so that it is no problem of a batch."""
        from smemdesc.render.problem import Wrong

        beside(self.color, Wrong(error, where))

    def warn(self, error: SmemdescError) -> None:
        """Print what is doubtful and changes no status."""
        from smemdesc.render.problem import Wrong

        beside(self.color, Wrong(error, severity="warning"))

    def note(self, text: str) -> None:
        """Print what is worth knowing and no problem."""
        from smemdesc.render.problem import Note

        beside(self.color, Note(text))

    @contextmanager
    def reporting(self, where: str = "") -> Iterator[None]:
        """Report what goes wrong with one input of many; the others go on."""
        try:
            yield
        except Exception as error:
            self.report(error, where)

    def guard(self, batch: Iterable[Given]) -> Iterator[Given]:
        """Yield a batch; report what keeps it from being read at all."""
        with self.reporting():
            yield from batch

    def status(self) -> int:
        """Return the exit status that the problems ask for."""
        return UNREADABLE if self.count else 0

    def leave(self, ctx: click.Context, show: Callable[[], bool | None]) -> NoReturn:
        """Run what a command shows; report what goes wrong, and leave with the status that it asks for.

        ``show`` returns whether ``--check``, or ``--strict``, finds fault with what it showed.
        """
        failed = False
        with self.reporting():
            failed = bool(show())
        checked = ctx.params.get("check") or ctx.params.get("strict")
        ctx.exit(self.status() or (ERROR_FOUND if failed and checked else 0))


def answer(ctx: click.Context, color: str, show: Callable[[], bool | None]) -> NoReturn:
    """Run what a command shows, and leave, as :meth:`Problems.leave` does."""
    Problems(color).leave(ctx, show)


def write_json(*objects: Mapping[str, Any]) -> None:
    """Write objects of JSON, a line each."""
    import json

    for each in objects:
        sys.stdout.write(json.dumps(each) + "\n")


def coordinates(text: str, form: str) -> tuple[int, int]:
    """Read what ``--at`` says: two numbers, in parentheses or not. ``form`` names them: ``ROW,COL``."""
    read = re.fullmatch(r"\(?\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\)?", text.strip(), re.ASCII)
    if read is None:
        raise SmemdescError(f"--at {text!r} is not an element", hint=f"write {form}, as in --at 17,3")
    return int(read[1]), int(read[2])


_OUTPUTS = {"as_json": "--json", "names": "--field", "bits": "--bits", "svg": "--svg"}


def one_output(ctx: click.Context, *names: str) -> None:
    """Refuse two options that each set the output: one of them would be ignored."""
    given = [_OUTPUTS[name] for name in names if ctx.params.get(name)]
    if len(given) > 1:
        raise click.UsageError(f"{given[0]} and {given[1]} cannot be given together", ctx)


def one_format(ctx: click.Context, default: str) -> str:
    """Return what ``--format`` or ``--json`` (which is short for the format json) asks for."""
    style, as_json = ctx.params["style"], ctx.params["as_json"]
    if as_json and style not in (None, "json"):
        raise click.UsageError(f"--json and --format {style} cannot be given together", ctx)
    return "json" if as_json else style or default


def picture_option(
    text: str, *, beside_json: bool = False, force: str = "With --svg: overwrite the file."
) -> Callable[[F], F]:
    """Put ``--svg`` on a command, and the ``--force`` that :func:`write_picture` asks about.

    ``beside_json``: the command writes JSON to standard output and the picture to a file, where both are asked for.
    ``force``: what the help says that ``--force`` does.
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
        click.option("--svg", metavar="FILE", callback=_named, help=text),
        click.option("--force", is_flag=True, expose_value=False, callback=_forced, help=force),
    )


def _named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise click.UsageError("--svg: the name of the file is empty: give one that ends in .svg, or -", ctx)
    return value


def _forced(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[_FORCE] = value


def forced() -> bool:
    """Whether ``--force`` was given."""
    return bool(click.get_current_context().meta.get(_FORCE))


_FORCE = "smemdesc.force"
_PICTURE = "Write a picture to FILE (- for standard output)."
svg_option = picture_option(_PICTURE)
svg_or_json_option = picture_option(_PICTURE, beside_json=True)


def present(color: str, *views: RenderableType, svg: str | None = None, title: str = "smemdesc") -> None:
    """Show views; ``svg``: write a picture of them, too, and where it goes to standard output, that alone."""
    from smemdesc.render.console import picture, show, stdout

    if not svg or not write_picture(svg, picture(views, title)):
        show(stdout(color), *views)


_OTHER_PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "pdf", "eps", "ps", "bmp", "tif", "tiff", "html", "txt")


def _check_picture(file: str) -> None:
    """Refuse a file that no SVG can be written to, before anything is worked out."""
    ending = file.rpartition(".")[2].lower() if "." in file else ""
    if ending in _OTHER_PICTURES:
        raise SmemdescError(
            f"--svg {file}: an SVG is written, not a .{ending}",
            hint=f"name it {quoted(file[: -len(ending)] + 'svg')}; rsvg-convert or a browser makes a .{ending} of it",
        )
    if file != "-":
        from smemdesc.cli.files import check

        check(file, "--svg", force=forced())


def write_picture(file: str, svg: str) -> bool:
    """Write an SVG to a file, or for ``-`` to standard output; whether it is there, and nothing else is to be."""
    if file == "-":
        click.echo(svg.encode(), nl=False)  # UTF-8, as SVG says, whatever the terminal's encoding
        return True
    from smemdesc.cli.files import write

    write(file, svg, "--svg", force=forced())
    return False
