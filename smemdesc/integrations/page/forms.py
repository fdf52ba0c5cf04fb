"""What the page has to know before anything is pasted: its forms, the colors, the version.

A form names which options of which command a view asks for. What an option takes, its default and its help are the
command line's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from smemdesc import __version__
from smemdesc.engine.fields import Enum
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.names import ARCHS, KINDS, MAJORS, MMA_KINDS
from smemdesc.kinds.types import NAMES
from smemdesc.render.console import CHUNK_INK, CHUNKS

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
    if name == "dtype" and command in ("layout fragment", "layout tmem"):
        return list(dict.fromkeys([*_types_of_d(), *NAMES]))
    lists: dict[str, Sequence[str]] = {
        "kind": [each for each in KINDS if command != "layout operand" or each in ("wgmma", "tcgen05")],
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
