"""Each option is a row of one table: for the command line, for the functions of the package, for the page."""

from __future__ import annotations

import inspect
from typing import Any

import click
from api.test_commands import EVERY, functions
from tables import every_row

import smemdesc
from smemdesc.api.options.keywords import read_options
from smemdesc.api.options.table import OPTIONS, option_row
from smemdesc.cli.support.options import FieldOption, TableOption
from smemdesc.kinds.kind import tables
from smemdesc.kinds.names import KINDS

OF_THE_OUTPUT = {
    *("as_json", "svg", "force", "color", "check", "strict", "style", "format", "name", "short", "bits", "every"),
    *("names", "parts", "diff", "agree", "annotate", "order", "elements", "everything", "rules", "quiet", "tensor_map"),
    *("allow_empty", "require_mma", "both_orders"),
    *("ptx", "out"),
}
"""Options that no function reads: what is printed, and the exit status."""
ELSEWHERE = ("gdb", "web", "schema", "lsp", "skill")
FIELDS = {key for name in KINDS for kind in tables(name) for key in kind.table.by_key}
ARGUMENTS = {
    "value",
    "a",
    "b",
    "context",
    "name",
    "command",
    "kernels",
    "ptx",
    "sass",
    "fields",
    "kind",
    "values",
    "typed",
}
"""Keywords that are arguments of the command, or no option at all."""


def of(path: str) -> list[click.Option]:
    return [each for each in EVERY[path].params if isinstance(each, click.Option)]


@every_row("path", [path for path in EVERY if path not in ELSEWHERE])
def test_every_option_is_in_the_table(path: str) -> None:
    others = {each.name for each in of(path) if not isinstance(each, TableOption)}
    assert others <= OF_THE_OUTPUT | (FIELDS if path.startswith("encode") else set())


@every_row("path", [path for path in EVERY if functions(path)])
def test_every_keyword_has_an_option_with_its_default(path: str) -> None:
    options = {each.name: each for each in of(path)}
    for name in functions(path):
        for keyword, parameter in inspect.signature(getattr(smemdesc, name)).parameters.items():
            if keyword in ARGUMENTS or not isinstance(options.get(keyword), TableOption):
                continue
            own = options[keyword].row  # type: ignore[union-attr]
            needed_by_one = (name, keyword) == ("encode", "mma_kind")  # idesc alone needs it
            assert own.required is (parameter.default is parameter.empty) or needed_by_one, (name, keyword)
            if own.default is not None and name != "atom":
                both = read_options(name, {keyword: own.default}), read_options(name, {keyword: parameter.default})
                assert both[0] == both[1], (name, keyword)


def test_every_row_is_an_option() -> None:
    taken = {id(each.row) for path in EVERY for each in of(path) if isinstance(each, TableOption)}
    # A field, whose option is made from the table of the kind, and an argument.
    assert [key for key, own in OPTIONS.items() if id(own) not in taken] == ["encode swizzle", "plan shape"]


def test_every_keyword_of_a_function_is_in_the_table() -> None:
    public: dict[str, Any] = {name: getattr(smemdesc, name) for path in EVERY for name in functions(path)}
    known = {(name, each) for name in public for each in inspect.signature(public[name]).parameters}
    assert {(name, each) for name, each in known if option_row(name, each) is None and each not in ARGUMENTS} == set()


def test_a_field_needed_unless_another_is_given_is_an_option_of_its_own() -> None:
    needed = [each.name for each in of("encode idesc") if isinstance(each, FieldOption)]
    assert needed == ["a_type", "b_type", "n", "m"]
