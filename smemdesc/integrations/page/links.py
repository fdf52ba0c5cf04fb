"""The links of a report: a rule to its explanation, a descriptor and ``smemdesc mma`` to their views."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode

from smemdesc.explanations.catalog import rule_names

_VALUE = r"(?m)^ +(?:A|B|idesc|mask) +(?P<value>0x[0-9a-f?]{8}(?:[0-9a-f?]{8})?)(?![\w?])(?P<rest>.*)$"
_CASE = r"(?P<major>K|MN)-major (?P<dtype>\w+)(?: (?P<shape>\d+x\d+))?"
_PLANNED = r"(?P<operand>[AB])  (?P<tile>\d+x\d+) (?P<dtype>\w+), (?P<swizzle>\S+) (?P<major>K|MN)-major"
_BASE = r"(?m)^ +descriptor  .+$"
_MMA_KIND = r"idesc kind::(\w+)"
_COMMAND = r"(?m)^ *(?:the first alone: )?(?P<command>smemdesc mma .+)$"
_WGMMA = r"\b(?:[HIQB]GMMA|wgmma)"
_MMA = rf"{_WGMMA}|\b(?:UTC\w*MMA|tcgen05)"


FormFields = Sequence[dict[str, Any]]
"""Fields of a form, as the page receives them."""


def links(text: str, view: str, mma_fields: Callable[[], FormFields]) -> list[tuple[int, int, str]]:
    """Return the parts of a report that are links: where each begins and ends, in UTF-16, and its URL.

    ``view`` is the command that wrote the report: for ``scan`` and ``plan``, descriptors are links, too. ``mma_fields``
    returns the fields of the form of ``mma``, which a ``smemdesc mma`` command fills.
    """
    places = [(*match.span(), view_url("explain", names=match[0])) for match in _rules().finditer(text)]
    if view == "scan":
        places += [*_values(text), *_commands(text, mma_fields)]
    elif view == "plan":
        places += _planned(text)
    return [(_utf16(text, begin), _utf16(text, end), to) for begin, end, to in sorted(places)]


def view_url(view: str, **state: str | None) -> str:
    """Return the URL of a view; None values are omitted."""
    return f"#{view}?{urlencode({name.replace('_', '-'): value for name, value in state.items() if value is not None})}"


@cache
def _rules() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(rule_names(), key=len, reverse=True))})(?![\w-])")


def _values(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the descriptors in a report of ``scan`` as links to ``decode``, with the operand described in the line."""
    mmas = [(match.start(), re.match(_WGMMA, match[0]) is not None) for match in re.finditer(_MMA, text)]
    for match in re.finditer(_VALUE, text):
        wgmma = next((is_wgmma for at, is_wgmma in reversed(mmas) if at < match.start()), None)
        if idesc := re.search(_MMA_KIND, match["rest"]):
            state: dict[str, str | None] = {"kind": "idesc", "mma_kind": idesc[1]}
        elif case := re.search(_CASE, match["rest"]):
            kind = None if wgmma is None else "wgmma" if wgmma else "tcgen05"
            state = {"kind": kind, **case.groupdict()}
        else:
            state = {}
        yield *match.span("value"), view_url("decode", text=match["value"], **state)


def _planned(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the descriptors of a plan as links to ``decode``, with the tile above them."""
    kind = "wgmma" if re.search(_WGMMA, text) else "tcgen05"
    mma_kind = re.search(r"kind::(\w+)", text)
    operands = [match.groupdict() for match in re.finditer(_PLANNED, text)]
    line = re.search(_BASE, text)
    values = [*re.compile(r"0x[0-9a-f]{16}").finditer(text, *line.span())] if line else []
    # A heading that is broken into two lines is not read.
    for operand, value in zip(operands, values, strict=True) if len(operands) == len(values) else ():
        state = {name: operand[name] for name in ("dtype", "major", "tile")}
        yield *value.span(), view_url("decode", text=value[0], kind=kind, mma_kind=mma_kind and mma_kind[1], **state)


def _commands(text: str, mma_fields: Callable[[], FormFields]) -> Iterator[tuple[int, int, str]]:
    for match in re.finditer(_COMMAND, text):
        state = view_state(shlex.split(match["command"])[2:], mma_fields())
        if state is not None:
            yield *match.span("command"), view_url("mma", **state)


def view_state(words: Sequence[str], fields: FormFields) -> dict[str, str] | None:
    """Return the state of a view with these fields for a command line; None if it has no such option."""
    state = {
        field["name"]: "" for field in fields if field.get("start")
    }  # options that are not in the command line are empty
    rest = list(words)
    while rest:
        word = rest.pop(0)
        named = next((field for field in fields if word in field_words(field)), None)
        if named is None:
            return None
        state[named["name"]] = "1" if "flag" in named else word if "switch" in named else rest.pop(0)
    return state


def field_words(field: dict[str, Any]) -> Sequence[str]:
    """Return the words for a field in a command line."""
    if "switch" in field:
        return [word for word, _ in field["choices"] if word]
    return [field.get("option") or field.get("flag") or ""]


def _utf16(text: str, at: int) -> int:
    """Return an offset in a text as JavaScript counts it, in UTF-16 code units."""
    return at if text.isascii() else len(text[:at].encode("utf-16-le", "replace")) // 2
