"""The page about the names of the package: signatures, docstrings and what an object has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import smemdesc
from generate.markdown import GENERATED

INTRODUCTION = """
# The names of the package

`import smemdesc`; the names are imported on first use. [Python](../python.md) shows each function with its output.
`context` is `Context` by its older name.

`KindName`, `ModeName`, `TypeName` and other types of keywords are `Literal` (`smemdesc.api.options.literals`): a type
checker sees a name that does not exist, as in `major="X"`. When the program runs, every spelling of the command line is
read; a name that the program computes is given its type with `typing.cast`.
"""


def page() -> str:
    """Return the page."""
    made = dict(zip(smemdesc.__all__, _public(), strict=True))
    functions = {name: each for name, each in made.items() if inspect.isfunction(each)}
    classes = {name: each for name, each in made.items() if inspect.isclass(each) and name != "context"}
    errors = {name: each for name, each in classes.items() if issubclass(each, Exception)}
    parts = [GENERATED, INTRODUCTION.lstrip("\n"), "## Functions\n"]
    parts += [_section(name, each) for name, each in functions.items()]
    parts += ["## Classes\n", *(_section(name, classes[name]) for name in classes if name not in errors)]
    parts += ["## Errors\n", *(_section(name, each) for name, each in errors.items())]
    return "\n".join(parts)


def _public() -> list[Any]:
    return [getattr(smemdesc, name) for name in smemdesc.__all__]


def _section(name: str, what: Any) -> str:
    members = "\n".join(_members(what)) if inspect.isclass(what) else ""
    signature = (
        f"### {'class ' * inspect.isclass(what)}{name}\n\n```python\n{_head(name, what)}\n```\n\n{_text(what)}\n"
    )
    return f"{signature}\n{members}\n" if members else signature


def _head(name: str, what: Any) -> str:
    """Return how a function is called, or a class is made if the class says how."""
    if not inspect.isclass(what):
        return _call(name, inspect.signature(what))
    if hasattr(what.__new__, "__wrapped__"):  # by keywords
        made_with = inspect.signature(what).replace(return_annotation=inspect.Signature.empty)
        return f"class {_call(name, made_with)}"
    bases = ", ".join(base.__name__ for base in what.__bases__ if base is not tuple)
    return f"class {name}" + (f"({bases})" if bases else "")


def _call(name: str, signature: inspect.Signature) -> str:
    """Return a call with types and defaults, a parameter a line where one line is too short."""
    inner = []
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not any(shown.startswith("*") for shown in inner):
            inner.append("*")
        star = "**" if each.kind is each.VAR_KEYWORD else "*" if each.kind is each.VAR_POSITIONAL else ""
        default = "" if each.default is each.empty else f" = {each.default!r}"
        inner.append(
            f"{star}{each.name}" + (f": {each.annotation}" if each.annotation is not each.empty else "") + default
        )
    returned = "" if signature.return_annotation is signature.empty else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(inner)}){returned}"
    lines = "".join(f"    {each},\n" for each in inner)
    return line if len(line) <= 100 else f"{name}(\n{lines}){returned}"


def _text(what: Any) -> str:
    """Return a docstring as Markdown."""
    doc = inspect.cleandoc(what.__doc__ or "")
    doc = re.sub(r":\w+:`~?[\w.]*?(\w+)`", r"`\1`", doc)
    return re.sub(r"``([^`]*)``", r"`\1`", doc)


def _members(what: type) -> Iterator[str]:
    """Yield what an object of a class has: its fields, properties and methods."""
    fields = getattr(what, "_fields", ())
    if fields:
        yield f"Fields: {', '.join(f'`{each}`' for each in fields)}.\n"
    inner = (base for base in what.__mro__ if base.__module__.startswith("smemdesc") and base not in _public())
    for name, member in (item for base in (what, *inner) for item in vars(base).items()):
        if name.startswith("_") or name in fields:
            continue
        doc = _first(member.fget if isinstance(member, property) else member)
        if isinstance(member, property):
            yield f"- `{name}`: {doc}"
        elif inspect.isfunction(member):
            signature = inspect.signature(member)
            without_self = signature.replace(parameters=list(signature.parameters.values())[1:])
            yield f"- `{_call(name, without_self)}`: {doc}"


def _first(what: Any) -> str:
    return " ".join(_text(what).split("\n\n")[0].split())
