"""The command line for the page: forms of its options, and command lines run as in a shell.

A form names the options of a command that a view shows. Their values, defaults and help are the command line's.
The output of a command is an answer of the page, so the page has every view of the command line, and "copy as
command" is what was run.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from html import unescape
from io import BytesIO, TextIOWrapper
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

import click

from smemdesc._version import __version__
from smemdesc.cli.support.options import typed
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.engine.wording import quoted
from smemdesc.integrations.page.links import field_words, links
from smemdesc.kinds.formats import SCALED_FORMATS
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.names import ARCHS, MAJORS, MMA_KINDS, SCANNED
from smemdesc.kinds.types import DTYPE_NAMES
from smemdesc.render.console import CHUNK_COLORS, CHUNK_INK, PAGE, terminal_html

_NONE: Mapping[str, str] = MappingProxyType({})


class PageForm(NamedTuple):
    """One form: the options of a command, by their names without dashes, in order."""

    command: str
    title: str
    options: str
    place: str = ""
    """The name of the command's argument, if it is a field of the form."""
    start: Mapping[str, str] = _NONE
    """The initial values of fields."""
    more: str = ""
    """Options that are folded at first."""
    ask: str = ""
    """Options that ask for more: each adds an answer to the picture, or to the plan."""
    opened_from: str = ""
    """The command that has these options, if it is another one."""


_OPERAND = {"dtype": "bf16", "major": "K"}
DECODE = PageForm(
    "decode",
    "Instruction context",
    "kind mma-kind dtype major shape tile order arch cta-group scale-vec m n ws",
)
PICTURES = (
    PageForm("layout atom", "swizzle atom", "swizzle dtype major mma-kind start base-offset elements",
         start={"swizzle": "128B", **_OPERAND}),
    PageForm("layout operand", "operand of a descriptor", "kind dtype major shape mma-kind", "value",
         {**_OPERAND, "shape": "64x16"}, ask="at byte", opened_from="layout address"),
    PageForm("layout tile", "tile", "kind swizzle dtype major mma order cta-group mma-kind start", "tile",
         {"tile": "128x64", "swizzle": "128B", **_OPERAND}),
    PageForm("layout fragment", "register fragment of wgmma", "shape operand dtype register all",
         start={"shape": "m64n64k16", "operand": "d", "dtype": "f32"}, ask="at thread"),
    PageForm("layout tmem", "D or A in tensor memory",
         "m n operand dtype k mma-kind cta-group ws sparse start ld num pack",
         start={"m": "128", "n": "128"}, ask="at lane column"),
    PageForm("layout scales", "scale factors", "mma-kind block operand k sparse show ld num", "tile",
         {"tile": "128x256", "mma-kind": "mxf8f6f4"}, ask="at byte lane column"),
    PageForm("mask", "zero-column mask", "m n", "value", {"m": "128", "n": "128"}),
)  # fmt: skip
MMA_FORM = PageForm(
    "mma",
    "One instruction and its operands",
    "a b idesc mask mma-kind cta-group ws scale-vec qualifier inst dtype d-type trans-a trans-b sparse a-from arch "
    "a-tile b-tile",
    start={"a": "0x4000404000010040", "b": "0x4000404000010440", "idesc": "0x08200490", "mma-kind": "f16"},
)
PLAN = PageForm(
    "plan",
    "A tile of a GEMM",
    "dtype arch a-major b-major swizzle cta-group stages",
    "shape",
    {"shape": "128x128x64", "dtype": "bf16", "a-major": "K", "b-major": "K", "format": "cuda"},
    "b-dtype d-type mma-kind order mma a-from scale block sparse",
    "format",
)
SCAN = PageForm("scan", "What to list", "function only arch sort all")
EXPLAIN = PageForm("explain", "A rule, a cause, a term, a field", "", "names")

_LABELS = {
    "dtype": "type", "b-dtype": "type of B", "d-type": "type of D", "mma-kind": "MMA kind", "cta-group": "CTAs",
    "scale-vec": "scale_vec", "m": "M", "n": "N", "k": "K", "mma": "MMA", "a-major": "A major", "b-major": "B major",
    "a-from": "A from", "base-offset": "base offset", "all": "all of it", "format": "constants as", "show": "block no.",
    "ld": "tcgen05.ld", "num": "repetitions", "pack": "packed",
    "block": "scale block", "a": "A", "b": "B", "inst": "instruction (wgmma)", "trans-a": "A transposed (wgmma)",
    "trans-b": "B transposed (wgmma)", "a-tile": "tile of A", "b-tile": "tile of B", "names": "name",
}  # fmt: skip
_EXAMPLE_ONLY = ("a", "b", "idesc", "format")
"""Fields whose initial value is an example or a choice, and no assumption about the input."""
_NAMES = {"elements": "by-element"}
"""A field of a form hides what a browser has by that name."""
_EXAMPLES = {
    "value": "0x4000404000010040", "shape": "64x16", "tile": "128x64", "mma": "128x16", "function": "*gemm*",
    "only": "error", "at": "17,9", "byte": "1024", "start": "0", "base-offset": "0", "m": "128", "n": "128",
    "k": "32", "stages": "1", "thread": "37", "register": "5", "lane": "37", "column": "5", "show": "0", "num": "x8",
    "mask value": "0x0003028100000000", "layout scales byte": "300", "inst": "m64n128k16", "mma dtype": "bf16",
    "a-tile": "128x64", "b-tile": "128x64", "idesc": "0x08200490", "names": "swizzle atom", "a": "0x4000404000010040",
    "b": "0x4000404000010440", "mma mask": "0x0003028100000000",
}  # fmt: skip


_SASS = """\
UMOV UR5, 0x40000040 ;
UMOV UR7, 0x40000040 ;
HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24, gsb0 ;
"""
_PTX = """\
mov.b64 %rd1, 0x4000404000010040;
mov.b64 %rd2, 0x4000404000010440;
tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, 136316048, %p1;
"""
_MAP = (
    "00000000007f0000106500000002000000000000000000000000000000000000"
    "ff0f0000ff0700000000000000000000000000000000003f7f00000000000000"
    "00400000000000000004"
).ljust(256, "0")
"""A tensor map: 4096x2048 BF16 in boxes of 64x128, 128B swizzle."""
VIEW_EXAMPLES: Mapping[str, Sequence[tuple[str, Mapping[str, str]]]] = {
    "plan": (
        ("bf16 on Blackwell", {}),
        ("bf16 on Hopper, 4 stages", {"shape": "128x256x64", "arch": "sm_90a", "stages": "4"}),
        ("nvfp4", {"shape": "128x128x256", "dtype": "nvfp4"}),
        ("two CTAs", {"shape": "256x256x64", "cta-group": "2"}),
        ("B as stored row by row", {"b-major": "MN"}),
    ),
    "decode": (
        ("tcgen05 descriptor", {"text": "0x4000404000010040"}),
        ("suspicious: version = 0", {"text": "0x4000004000010040", "kind": "tcgen05"}),
        ("high word of SASS", {"text": "UMOV UR7, 0x40004040"}),
        ("instruction descriptor", {"text": "0x8200490"}),
        ("line of PTX", {"text": "or.b64 %rd72, %rd70, -9223371899399045120;"}),
        ("expression", {"text": "(2ull << 61) | (1ull << 46) | (64ull << 32) | (1 << 16) | 64"}),
        ("two words", {"text": "0x00010040, 0x40004040"}),
        ("bytes of memory", {"text": "40 00 01 00 40 40 00 40"}),
        ("tensor map", {"text": _MAP}),
    ),
    "mma": (
        ("tcgen05", {}),
        ("wgmma", {"a": "0x4000004000010040", "b": "0x4000004000010440", "idesc": "", "mma-kind": "",
                   "inst": "m64n128k16", "dtype": "bf16"}),
        ("suspicious: B is a wgmma descriptor", {"b": "0x4000004000010440"}),
    ),
    "scan": (("tcgen05 in PTX", {"dump": _PTX}), ("wgmma in SASS", {"dump": _SASS})),
    "explain": (("sbo-below-atom", {"names": "sbo-below-atom"}), ("swizzle atom", {"names": "swizzle atom"}),
                ("lbo", {"names": "lbo"}), ("desc", {"names": "desc"})),
}  # fmt: skip
"""Examples for some views, as states of their forms."""


def about_page() -> dict[str, Any]:
    """Return the forms of the page, its examples, and the colors of fields and chunks."""
    examples = {
        view: [[label, f"#{view}?{urlencode(state)}"] for label, state in some] for view, some in VIEW_EXAMPLES.items()
    }
    return {
        "version": __version__,
        "forms": page_forms(),
        "examples": examples,
        "ink": CHUNK_INK,
        "chunks": CHUNK_COLORS,
    }


def page_forms() -> dict[str, Any]:
    """Return the forms of each view: one each, but one per picture for layout."""
    return {
        "decode": form_dict(DECODE),
        "layout": {picture.command.split()[-1]: form_dict(picture) for picture in PICTURES},
        "mma": form_dict(MMA_FORM),
        "plan": form_dict(PLAN),
        "scan": form_dict(SCAN),
        "explain": form_dict(EXPLAIN),
    }


def form_dict(form: PageForm) -> dict[str, Any]:
    """Return a form: the words of its command, its title, its fields, and the fields that look up a place."""
    command = command_of(form.command)
    fields = [_field(command, name, form) for name in form.options.split()]
    if form.place:
        initial = {"start": form.start.get(form.place, ""), "example": _example(form.place, form)}
        fields.insert(0, {"name": form.place, "label": _LABELS.get(form.place, form.place), **initial})
    asking = command_of(form.opened_from or form.command)
    return {
        "words": form.command.split(),
        "title": form.title,
        "place": form.place,
        "fields": fields,
        "more": [_field(command, name, form) for name in form.more.split()],
        "ask": [_field(asking, name, form) for name in form.ask.split()],
        "asked": (form.opened_from or form.command).split(),
    }


def command_of(words: str) -> click.Command:
    """Return a command of the program by its words."""
    from smemdesc.cli import cli

    group: click.Command = cli
    for word in words.split():
        assert isinstance(group, click.Group)
        inner = group.get_command(click.Context(group), word)
        assert inner is not None, words
        group = inner
    return group


def _field(command: click.Command, name: str, form: PageForm) -> dict[str, Any]:
    """Return one option: ``choices`` are pairs of a value and its label, ``flag`` is the word of a flag."""
    option, word = _option(command, name)
    field: dict[str, Any] = {"name": _NAMES.get(name, name), "label": _LABELS.get(name, name), "help": option.help}
    if option.is_flag:
        if option.default is None:  # three answers: yes, no, not known
            choices = [["", "?"], [option.opts[0], "yes"], [option.secondary_opts[0], "no"]]
            return field | {"choices": choices, "switch": True}
        return field | {"flag": word}
    default = "" if not isinstance(option.default, str | int) else str(option.default)
    start = form.start.get(name, default)
    field["assumed"] = start not in ("", default) and name not in _EXAMPLE_ONLY
    field |= {"option": word, "default": default, "start": start}
    names = _names(form.command, option, name)
    if not names:
        return field | {"example": _example(name, form)}
    unsaid = [] if start else [["", "?"]]
    return field | {"choices": [*unsaid, *([name, name] for name in names)]}


def _option(command: click.Command, name: str) -> tuple[click.Option, str]:
    word = f"--{name}"
    for param in command.params:
        if isinstance(param, click.Option) and word in (*param.opts, *param.secondary_opts):
            return param, word
    raise LookupError(f"{command.name} has no {word}")


def _example(name: str, form: PageForm) -> str:
    return _EXAMPLES.get(f"{form.command} {name}", "") or form.start.get(name) or _EXAMPLES.get(name, "")


def _names(command: str, option: click.Option, name: str) -> Sequence[str]:
    """Return the names that an option takes; none if it takes other values, too."""
    if isinstance(option.type, click.Choice):
        return MAJORS if name == "major" else [str(choice) for choice in option.type.choices]
    if (row := getattr(option, "row", None)) and row.offers:
        return list(row.offers)
    if name == "dtype" and command == "mma":
        return ()  # or two
    if name == "dtype" and command in ("layout fragment", "layout tmem"):
        return list(dict.fromkeys([*_types_of_d(), *DTYPE_NAMES]))
    if name == "dtype" and command == "plan":
        return [*DTYPE_NAMES, *(each.name for each in SCALED_FORMATS)]
    lists: dict[str, Sequence[str]] = {
        "kind": [kind for kind in SCANNED if command != "layout operand" or kind in ("wgmma", "tcgen05")],
        "mma-kind": MMA_KINDS,
        "arch": ARCHS,
        "dtype": DTYPE_NAMES,
        "b-dtype": DTYPE_NAMES,
        "d-type": _types_of_d(),
        "swizzle": [mode.name for mode in MODES],
    }
    return lists.get(name, ())


def _types_of_d() -> list[str]:
    """Return the types of D that any instruction descriptor has a code for."""
    rows = (row for kind_id in ids("idesc") for row in kind_of(kind_id).table.rows if row.key == "d_type")
    codecs = (row.codec for row in rows if isinstance(row.codec, Enum))
    return list(dict.fromkeys(str(codec.decode(code.raw)) for codec in codecs for code in codec.codes))


PROGRAM = "smemdesc"
_TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
_DECIDING = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES", *_TERMINAL)
"""Environment variables that affect how views look."""


class _Stream(TextIOWrapper):
    """A standard stream that stores its output; ``columns``: the width of a terminal, None if it is not one."""

    def __init__(self, columns: int | None) -> None:
        super().__init__(BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True)
        self.columns = columns

    def isatty(self) -> bool:
        return self.columns is not None

    def text(self) -> str:
        """Return the output."""
        buffer = self.buffer
        assert isinstance(buffer, BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


def command(words: Sequence[str]) -> dict[str, Any]:
    """Return a command line as text for a shell."""
    return {"command": " ".join([PROGRAM, *(quoted(word) for word in words)])}


def run_words(words: Sequence[str], *, folder: str = "", columns: int = PAGE, plain: bool = False) -> dict[str, Any]:
    """Run ``smemdesc`` with these words in ``folder``, so files have the names under which they were dropped.

    ``html`` is the report as HTML, ``columns`` wide; with ``plain``, ``out`` is the output for a pipe. ``err``
    is the standard error, ``status`` the exit status.
    """
    from smemdesc.cli import run_command_line

    out, err = _Stream(None if plain else columns), _Stream(None)
    # One process only: a browser cannot start others.
    alone = ["--jobs", "1"] if words[:1] == ["scan"] else []
    terminal = {} if plain else {**_TERMINAL, "COLUMNS": str(columns)}
    with chdir(folder or "."), _environment(terminal), redirect_stdout(out), redirect_stderr(err):
        status = run_command_line([*words, *alone])
    messages = "\n".join(line for line in map(worded, err.text().splitlines()) if line)
    answer: dict[str, Any] = {"status": status, "err": messages, **command(words)}
    text = out.text()
    # A picture and JSON are not reports, and are returned unchanged.
    if plain or text[:1] in "<{":
        return {**answer, "out": text}
    html = terminal_html(text)
    text = unescape(re.sub("<[^<>]*+>", "", html))
    return {**answer, "html": html, "links": links(text, words[0], lambda: form_dict(MMA_FORM)["fields"])}


def worded(text: str) -> str:
    """Return a message with the labels of the page's fields instead of options.

    Empty if it is about an option that the page lacks, or about typing a command; a command line to run is
    unchanged.
    """
    text = text.partition(f"; for example: {PROGRAM} ")[0]
    labels = _labels()
    usage = text.lstrip().startswith(PROGRAM) and ("[OPTIONS]" in text or "--help" in text)
    if f"{PROGRAM} " in text and not usage:
        return text
    if usage or any(option not in labels for option in re.findall(_OPTION, text)):
        return ""
    return re.sub(_OPTION, lambda match: labels[match[0]], text)


_OPTION = r"(?<![\w-])--[a-z][a-z-]*"


@cache
def _labels() -> dict[str, str]:
    """Return the label of each option of a form on the page."""
    every = [field for form in (DECODE, MMA_FORM, PLAN, SCAN, *PICTURES) for field in _fields(form)]
    labels = {word: field["label"] for field in every for word in field_words(field) if word.startswith("--")}
    switches = [field for field in every if "switch" in field]
    return labels | {word: f"{field['label']} {text}" for field in switches for word, text in field["choices"] if word}


def _fields(form: PageForm) -> list[dict[str, Any]]:
    parts = form_dict(form)
    return [*parts["fields"], *parts["more"], *parts["ask"]]


def parsed(name: click.Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the options of a command line that are keywords."""
    try:
        with name.make_context(name.name, list(words)) as ctx:
            return typed(ctx)
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
