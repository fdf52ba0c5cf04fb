"""The command line as the page has it: forms of its options, and command lines run as a shell would run them.

A form names which options of which command a view asks for. What an option takes, its default and its help are the
command line's own. What a command writes is an answer of the page, so that it has every view that the command line
has, and "copy as command" is what was run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from smemdesc import __version__
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.engine.wording import quoted
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.names import ARCHS, KINDS, MAJORS, MMA_KINDS
from smemdesc.kinds.types import NAMES
from smemdesc.render.console import CHUNK_INK, CHUNKS, PAGE, page

_NONE: Mapping[str, str] = MappingProxyType({})


class Form(NamedTuple):
    """One form: the options of a command, by their names without dashes, in the order in which they stand."""

    command: str
    title: str
    options: str
    place: str = ""
    """What the command's argument is called, where it is a field of the form."""
    start: Mapping[str, str] = _NONE
    """What fields hold at first."""
    ask: str = ""
    """Options that ask for one place: each adds an answer to the picture."""
    asked_by: str = ""
    """The command that has them, where it is another one."""


_OPERAND = {"dtype": "bf16", "major": "K"}
DECODE = Form(
    "decode",
    "What is known of the instruction",
    "kind mma-kind dtype major shape tile order arch cta-group scale-vec m n ws",
)
PICTURES = (
    Form("layout atom", "swizzle atom", "swizzle dtype major mma-kind start base-offset elements",
         start={"swizzle": "128B", **_OPERAND}),
    Form("layout operand", "operand of a descriptor", "kind dtype major shape mma-kind", "value",
         {**_OPERAND, "shape": "64x16"}, "at byte", "layout address"),
    Form("layout tile", "tile", "kind swizzle dtype major mma order cta-group mma-kind start", "tile",
         {"tile": "128x64", "swizzle": "128B", **_OPERAND}),
    Form("layout fragment", "register fragment of wgmma", "shape operand dtype register all",
         start={"shape": "m64n64k16", "operand": "d", "dtype": "f32"}, ask="at thread"),
    Form("layout tmem", "D or A in tensor memory", "m n operand dtype k mma-kind cta-group ws sparse start",
         start={"m": "128", "n": "128"}, ask="at lane column"),
    Form("layout scales", "scale factors", "mma-kind block operand k sparse show", "tile",
         {"tile": "128x256", "mma-kind": "mxf8f6f4"}, "at byte lane column"),
    Form("mask", "zero-column mask", "m n", "value", {"m": "128", "n": "128"}),
)  # fmt: skip
PLAN = Form(
    "plan",
    "A tile of a GEMM",
    "dtype b-dtype d-type arch mma-kind a-major b-major swizzle order cta-group mma stages a-from scale block sparse "
    "format",
    "shape",
    {"shape": "128x128x64", "dtype": "bf16", "format": "cuda"},
)
SCAN = Form("scan", "What to list", "function only arch sort all")

_LABELS = {
    "dtype": "type", "b-dtype": "type of B", "d-type": "type of D", "mma-kind": "MMA kind", "cta-group": "CTAs",
    "scale-vec": "scale_vec", "m": "M", "n": "N", "k": "K", "mma": "MMA", "a-major": "A major", "b-major": "B major",
    "a-from": "A from", "base-offset": "base offset", "all": "all of it", "format": "constants as", "show": "block no.",
    "block": "scale block",
}  # fmt: skip
_NAMES = {"elements": "by-element"}
"""A field of a form hides what a browser has by that name."""
_EXAMPLES = {
    "value": "0x4000404000010040", "shape": "64x16", "tile": "128x64", "mma": "128x16", "function": "*gemm*",
    "only": "error", "at": "17,9", "byte": "1024", "start": "0", "base-offset": "0", "m": "128", "n": "128",
    "k": "32", "stages": "1", "thread": "37", "register": "5", "lane": "37", "column": "5", "show": "0",
    "mask value": "0x0003028100000000", "layout scales byte": "300",
}  # fmt: skip


def about() -> dict[str, Any]:
    """Return the forms of the page, and the colors of fields and chunks."""
    return {"version": __version__, "forms": forms(), "ink": CHUNK_INK, "chunks": CHUNKS}


def forms() -> dict[str, Any]:
    """Return the forms of each view: one of decode, plan and scan, those of the pictures of layout."""
    return {
        "decode": form_dict(DECODE),
        "layout": {each.command.split()[-1]: form_dict(each) for each in PICTURES},
        "plan": form_dict(PLAN),
        "scan": form_dict(SCAN),
    }


def form_dict(form: Form) -> dict[str, Any]:
    """Return a form: the words of its command, its title, its fields and those that ask for a place."""
    command = command_of(form.command)
    fields = [_field(command, name, form) for name in form.options.split()]
    if form.place:
        given = {"start": form.start.get(form.place, ""), "example": _example(form.place, form)}
        fields.insert(0, {"name": form.place, "label": form.place, **given})
    asking = command_of(form.asked_by or form.command)
    return {
        "words": form.command.split(),
        "title": form.title,
        "place": form.place,
        "fields": fields,
        "ask": [_field(asking, name, form) for name in form.ask.split()],
        "asked": (form.asked_by or form.command).split(),
    }


def command_of(words: str) -> click.Command:
    """Return a command of the program by its words."""
    from smemdesc.cli import cli

    found: click.Command = cli
    for word in words.split():
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), word)
        assert inner is not None, words
        found = inner
    return found


def _field(command: click.Command, name: str, form: Form) -> dict[str, Any]:
    """Return one option: ``choices`` are pairs of what is given and what is read, ``flags`` the words of a switch."""
    option, word = _option(command, name)
    field: dict[str, Any] = {"name": _NAMES.get(name, name), "label": _LABELS.get(name, name), "help": option.help}
    if option.is_flag:
        if option.default is None:  # three answers: yes, no, not known
            choices = [["", "?"], [option.opts[0], "yes"], [option.secondary_opts[0], "no"]]
            return field | {"choices": choices, "switch": True}
        return field | {"flag": word}
    default = "" if not isinstance(option.default, str | int) else str(option.default)
    start = form.start.get(name, default)
    names = _names(form.command, option, name)
    if not names:
        return field | {"option": word, "default": default, "start": start, "example": _example(name, form)}
    unsaid = [] if start else [["", "?"]]
    return field | {
        "option": word,
        "default": default,
        "start": start,
        "choices": [*unsaid, *([each, each] for each in names)],
    }


def _option(command: click.Command, name: str) -> tuple[click.Option, str]:
    word = f"--{name}"
    for each in command.params:
        if isinstance(each, click.Option) and word in (*each.opts, *each.secondary_opts):
            return each, word
    raise LookupError(f"{command.name} has no {word}")


def _example(name: str, form: Form) -> str:
    return _EXAMPLES.get(f"{form.command} {name}", "") or form.start.get(name) or _EXAMPLES.get(name, "")


def _names(command: str, option: click.Option, name: str) -> Sequence[str]:
    """Return the names that an option takes, none where it takes what is not a name."""
    if isinstance(option.type, click.Choice):
        return MAJORS if name == "major" else [str(each) for each in option.type.choices]
    if only := getattr(option.type, "only", ()):
        return [str(each) for each in only]
    if name == "dtype" and command in ("layout fragment", "layout tmem"):
        return list(dict.fromkeys([*_types_of_d(), *NAMES]))
    lists: dict[str, Sequence[str]] = {
        "kind": KINDS,
        "mma-kind": MMA_KINDS,
        "arch": ARCHS,
        "dtype": NAMES,
        "b-dtype": NAMES,
        "d-type": _types_of_d(),
        "swizzle": [mode.name for mode in MODES],
    }
    return lists.get(name, ())


def _types_of_d() -> list[str]:
    """Return the types of D that any instruction descriptor has a code for."""
    rows = (row for each in ids("idesc") for row in kind_of(each).table.rows if row.key == "d_type")
    codecs = (row.codec for row in rows if isinstance(row.codec, Enum))
    return list(dict.fromkeys(str(codec.decode(code.raw)) for codec in codecs for code in codec.codes))


PROGRAM = "smemdesc"
_TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
_DECIDING = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES", *_TERMINAL)
"""What of the environment decides how views look."""


class _Stream(TextIOWrapper):
    """A standard stream that is kept; ``columns``: it is a terminal so wide."""

    def __init__(self, columns: int | None) -> None:
        super().__init__(BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True)
        self.columns = columns

    def isatty(self) -> bool:
        return self.columns is not None

    def text(self) -> str:
        """Return what was written."""
        buffer = self.buffer
        assert isinstance(buffer, BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


def command(words: Sequence[str]) -> dict[str, Any]:
    """Return a command line as text for a shell."""
    return {"command": " ".join([PROGRAM, *(quoted(word) for word in words)])}


def run(words: Sequence[str], *, folder: str = "", columns: int = PAGE, plain: bool = False) -> dict[str, Any]:
    """Run ``smemdesc`` with these words, in ``folder``, so that files are named as they were dropped.

    ``html`` is the report as a piece of a page ``columns`` wide; with ``plain``, ``out`` is what a pipe gets. ``err``
    is what went to standard error, ``status`` the exit status.
    """
    from smemdesc.cli import run_command_line

    out, err = _Stream(None if plain else columns), _Stream(None)
    # One process answers here: others can be started in no browser.
    alone = ["--jobs", "1"] if words[:1] == ["scan"] else []
    terminal = {} if plain else {**_TERMINAL, "COLUMNS": str(columns)}
    with chdir(folder or "."), _environment(terminal), redirect_stdout(out), redirect_stderr(err):
        status = run_command_line([*words, *alone])
    answer: dict[str, Any] = {"status": status, "err": err.text(), **command(words)}
    text = out.text()
    # A picture and JSON are no report, and stand as they are.
    return {**answer, "out": text} if plain or text[:1] in "<{" else {**answer, "html": page(text)}


def parsed(name: click.Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the options and arguments of a command line as its command gets them."""
    try:
        with name.make_context(name.name, list(words)) as ctx:
            return dict(ctx.params)
    except click.ClickException as problem:
        raise SmemdescError(problem.format_message()) from None


@contextmanager
def _environment(chosen: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.pop(name) for name in _DECIDING if name in os.environ}
    os.environ.update(chosen)
    try:
        yield
    finally:
        for name in chosen:
            os.environ.pop(name, None)
        os.environ.update(before)
        sys.stdout.flush()
