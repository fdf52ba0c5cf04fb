"""``smemdesc decode``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.common import Problems, ValueType, copied_box, one_output, svg_option, write_result
from smemdesc.cli.support.options import (
    TILE,
    Brief,
    case_options,
    check_options,
    color_option,
    json_option,
    quiet_option,
    takes,
    typed,
)
from smemdesc.cli.support.pasted import (
    SCAN,
    STDIN,
    command_for_input,
    dump_given,
    file_bytes,
    is_for_another_command,
    is_piped,
    names_file,
    point_to_scan,
    read_values,
    run_instead,
)
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import many
from smemdesc.kinds.names import WHICH_KIND

if TYPE_CHECKING:
    from smemdesc.descriptors.batch import Item
    from smemdesc.descriptors.result import Result

EXAMPLES = """\
Examples:
  smemdesc decode 0x4000404000010040
  smemdesc decode --bits 0x40004040           # a high word from SASS
  smemdesc decode --dtype bf16 --major K --shape 64x16 0x4000404000010040
  grep -o '0x40[0-9a-f]*' k.ptx | smemdesc decode --strict --json -
"""


class DecodeCommand(Brief):
    """Adds to the help how the kind of a value is recognized."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(WHICH_KIND)


@click.command(
    cls=DecodeCommand,
    context_settings={"ignore_unknown_options": True},
    help="Decode VALUE and check it (-: values on standard input).\n\n\b\n" + EXAMPLES,
)
@click.argument("values", metavar="VALUE...", nargs=-1, type=ValueType())
@takes("decode", "kind mma_kind")
@case_options("decode")
@takes("decode", "m n")
@click.option("--short", is_flag=True, help="One line per value.")
@click.option("--bits", is_flag=True, help="Draw the bits with the names of the fields.")
@click.option("--all", "every", is_flag=True, help="Show a row for every field, and other readings.")
@json_option("One JSON object per line.")
@click.option(
    "--field", "names", metavar="NAME", multiple=True, help="Only a field, NAME.raw, kind or verdict; repeatable."
)
@check_options
@quiet_option
@click.option("--diff", is_flag=True, help="Compare two values field by field.")
@takes("decode", "tile order tile_start map backing", TILE)
@svg_option
@color_option
@click.pass_context
def command(ctx: click.Context, /, values: tuple[str, ...], **params: Any) -> None:
    if not values and not params["diff"] and is_piped():
        values = (STDIN,)
    if not values and not params["diff"]:
        raise click.UsageError("a value is missing; for example: smemdesc decode 0x4000404000010040", ctx)
    path = _dump(values)
    command = command_for_input() if path == STDIN else SCAN
    if path and command:
        run_instead(ctx, command, path, "standard input" if path == STDIN else path)
    if params["svg"] and not params["diff"] and (len(values) > 1 or "-" in values):
        raise click.UsageError("--svg draws one value", ctx)
    for drawn in ("svg", "bits"):
        one_output(ctx, "as_json", "names", "short", drawn, "quiet")
    problems = Problems(params["color"])
    problems.leave(ctx, lambda: _show(ctx, values, params, problems))


def _show(ctx: click.Context, values: tuple[str, ...], params: dict[str, Any], problems: Problems) -> bool:
    from smemdesc.api.decoding import decode_in_context, diff
    from smemdesc.descriptors.batch import only_meant, read_batch
    from smemdesc.descriptors.ranking import is_without_base

    given = typed(ctx, "map", "tile_start")
    of = copied_box(params["map"], "map")
    if params["diff"]:
        keywords = decode_keywords(given, "diff")
        _reject_with_diff(ctx, values)
        a, b = (file_bytes(value) if names_file(value) else value for value in values)
        difference = diff(a, b, tile_start=params["tile_start"], **keywords)
        title = " ".join(values)
        write_result(params, difference, title=title)
        return False
    if params["tile_start"] is not None:
        raise SmemdescError("--tile-start needs --diff", hint="omit it: strides are the same everywhere")
    known = decode_keywords(given)
    names = [name for name, value in typed(ctx, "kind", "mma_kind").items() if value is not None]

    def decoded(item: Item) -> Result:
        if item.literal is None:
            raise point_to_scan(item)
        result = decode_in_context(item.literal, map=of, given=names, **known)
        if bare and is_without_base(result.literal) and not names:
            _refuse_either_base(result)
        return result

    bare = params["short"] or params["as_json"] or bool(params["names"])
    at_once = params["kind"] is not None or _is_typed(values)
    arch = known["context"].arch
    items: Iterable[Item] = read_batch(read_values(values), arch, at_once=at_once)
    if not at_once:
        items = only_meant(items, arch)
    params = {**params, "typed": at_once}
    if params["as_json"]:
        return _write_each(items, decoded, problems, params)
    from smemdesc.cli.support.paging import paging

    short, items = _is_short(items, values, params)
    with paging(problems.color, unless=STDIN in values):
        return _write_each(items, decoded, problems, {**params, "short": short})


def _refuse_either_base(result: Result) -> None:
    """Raise an error for digits without a prefix that are sound in both bases, or in none."""
    from smemdesc.api.decoding import decode

    literal = result.literal
    if decode(literal.other).ranking.fits == result.ranking.fits:
        sound = "both bases" if result.ranking.fits else "neither base"
        digits = literal.text.replace("+", "").split(":")
        raise SmemdescError(
            f"{':'.join(digits)} has no prefix, and is a sound value in {sound}",
            hint=f"write {literal.other}, or {':'.join(f'+{word.strip()}' for word in digits)} for decimal digits",
        )


def decode_keywords(given: Mapping[str, Any], command: str = "decode") -> dict[str, Any]:
    """Return the keywords of :func:`smemdesc.decode` and :func:`smemdesc.diff`, read once for all values."""
    from smemdesc.api.options.keywords import knowing, read_options
    from smemdesc.kinds.context import NOTHING, Context

    values = read_options(command, given)
    of_tile = ("tile", "order") if command == "diff" else ()
    apart = {name: values.pop(name) for name in ("kind", "mma_kind", *of_tile)}
    known = {name: value for name, value in values.items() if name in (*Context._fields, "trans_a", "trans_b")}
    return {"context": knowing(NOTHING, **known), **apart}


def _dump(values: tuple[str, ...]) -> str | None:
    """Return a file or ``-``, given instead of values, that may be a dump or the arguments of a tensor map."""
    if values == (STDIN,):
        return STDIN
    if len(values) == 1:
        return dump_given(values[0])
    from smemdesc.reading.code import sentence

    text = sentence(values)
    return None if text is None else dump_given(text)


def _write_each(
    items: Iterable[Item], decode: Callable[[Item], Result], problems: Problems, params: dict[str, Any]
) -> bool:
    """Write each value in the form of the options; return whether --check or --strict rejects one."""
    from smemdesc.descriptors.ranking import ONLY_BASE

    failed = False
    first = True
    is_read = False
    skipped: list[Item] = []
    for item in items:
        if not params["typed"] and _is_of_log(item):
            skipped.append(item)
            continue
        with problems.reporting(item.line.where):
            result = decode(item)
            if params["short"]:
                sys.stdout.write(f"{result}\n")
            elif params["names"]:
                sys.stdout.write("\t".join(result.bare(name) for name in params["names"]) + "\n")
            else:
                if not first and not params["as_json"]:
                    sys.stdout.write("\n")
                first = False
                shown = {"bits": params["bits"], "every": params["every"]}
                write_result(params, result, title=result.text.strip(), **shown)
            for finding in result.findings if params["short"] or params["names"] else ():
                is_base = result.literal.form == ONLY_BASE and finding.message == result.literal.note
                if finding.rule == "text-not-read" or is_base:
                    problems.note(f"{item.line.where}: {finding.message}".removeprefix(": "))
            failed = failed or (result.fails(params["strict"]) and not item.is_word)
            is_read = True
    for item in () if is_read else skipped:
        with problems.reporting(item.line.where):
            raise point_to_scan(item)
    if is_read and skipped:
        problems.note(f"{many(len(skipped), 'line')} without a descriptor, the first is {skipped[0].line.where}")
    return failed


def _is_of_log(item: Item) -> bool:
    """Whether a line of several is text of a log without anything like a descriptor, as ``scan`` passes over."""
    from smemdesc.reading.text import UNKNOWN_TEXT

    if item.problem is None or not item.line.where.startswith("line"):
        return False
    message, text = item.problem.option_message, item.line.text
    is_text = message == UNKNOWN_TEXT and " " in text.strip() and not re.search(r"(?i)0x|desc", text)
    return (is_text and not is_for_another_command(text)) or message.startswith(f"{UNKNOWN_TEXT}: nothing calls ")


def _is_typed(values: tuple[str, ...]) -> bool:
    """Whether values are read from standard input, which is a terminal."""
    if STDIN not in values:
        return False
    from smemdesc.cli.support.standard_input import standard_input

    return standard_input().isatty()


_FEW = 3
"""The most values that a terminal shows in full."""


def _is_short(items: Iterable[Item], values: tuple[str, ...], params: dict[str, Any]) -> tuple[bool, Iterable[Item]]:
    """Return whether each value gets one line, as requested or as a terminal would be filled; and the values."""
    if any(params[name] for name in ("short", "names", "bits", "every")) or not sys.stdout.isatty():
        return params["short"], items
    if _is_typed(values):
        return False, items  # typed one by one: each result is shown at once
    items = iter(items)
    first = list(islice(items, _FEW + 1))
    return len(first) > _FEW, chain(first, items)


def _reject_with_diff(ctx: click.Context, values: tuple[str, ...]) -> None:
    if len(values) != 2 or "-" in values:
        raise click.UsageError("--diff takes two values: smemdesc diff A B", ctx)
    if ctx.params["map"]:
        raise click.UsageError("--map is compared with one value at a time: leave --diff out", ctx)
    if ctx.params["check"] or ctx.params["strict"] or ctx.params["names"]:
        raise click.UsageError(
            "--diff compares two values; --check, --strict, --quiet and --field are for single values", ctx
        )
