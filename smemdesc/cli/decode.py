"""``smemdesc decode``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    Case,
    Problems,
    Values,
    case_options,
    check_options,
    color_option,
    kind_option,
    mask_options,
    mma_kind_option,
    one_output,
    present,
    svg_option,
    tile_options,
    tiling_of,
    write_json,
)
from smemdesc.cli.help import Brief
from smemdesc.cli.pasted import STDIN, dump_given, given, is_dump, is_piped, pointed, scan_instead
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import WHICH_KIND

if TYPE_CHECKING:
    from smemdesc.descriptors.batch import Item
    from smemdesc.descriptors.result import Result
    from smemdesc.kinds.context import Context

_TILE = {"tile": "--tile", "order": "--order", "tile_start": "--tile-start"}
TOGETHER = 16
"""Lines of JSON that are written at once."""

EXAMPLES = """\
Examples:
  smemdesc decode 0x4000404000010040
  smemdesc decode --bits 0x40004040           a high word from SASS
  smemdesc decode --dtype bf16 --major K --shape 64x16 0x4000404000010040
  grep -o '0x40[0-9a-f]*' k.ptx | smemdesc decode --strict --json -
"""


class Decode(Brief):
    """Adds how the kind of a value is told to the help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(WHICH_KIND)


@click.command(
    cls=Decode,
    context_settings={"ignore_unknown_options": True},
    help="Say what VALUE means and whether it is valid (-: values on standard input).\n\n\b\n" + EXAMPLES,
)
@click.argument("values", metavar="VALUE...", nargs=-1, type=Values())
@kind_option
@mma_kind_option
@case_options
@mask_options
@click.option("--short", is_flag=True, help="One line a value.")
@click.option("--bits", is_flag=True, help="Draw the bits with the names of the fields.")
@click.option("--all", "every", is_flag=True, help="A row for every field, also on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.option("--field", "names", metavar="NAME", multiple=True, help="Print this field's value alone; repeatable.")
@check_options
@click.option("--diff", is_flag=True, help="Compare two values field by field.")
@tile_options
@svg_option
@color_option
@click.pass_context
def command(ctx: click.Context, /, values: tuple[str, ...], color: str, **chosen: Any) -> None:
    if not values and not chosen["diff"] and is_piped():
        values = (STDIN,)
    if not values:
        raise click.UsageError("a value is missing; for example: smemdesc decode 0x4000404000010040", ctx)
    dump = _dump(values)
    if dump:
        scan_instead(ctx, dump, "standard input" if dump == STDIN else dump)
    if chosen["svg"] and not chosen["diff"] and (len(values) > 1 or "-" in values):
        raise click.UsageError("--svg draws one value", ctx)
    one_output(ctx, "as_json", "names", "short", "svg")
    one_output(ctx, "as_json", "names", "short", "bits")
    problems = Problems(color)
    problems.leave(ctx, lambda: _show(ctx, values, {**chosen, "values": values}, problems))


def _show(ctx: click.Context, values: tuple[str, ...], chosen: dict[str, Any], problems: Problems) -> bool:
    kind, mma_kind, context = parse_options(chosen)
    found = False
    if chosen["diff"]:
        _diff(ctx, values, kind, mma_kind, context, chosen, problems.color)
        return False
    from smemdesc.descriptors.batch import read

    items = read(given(values), context.arch)
    if chosen["as_json"]:
        found = _json(items, kind, mma_kind, context, problems, chosen["strict"])
    else:
        found = _text(items, kind, mma_kind, context, problems, chosen)
    _together(values, kind, problems)
    return found


def parse_options(chosen: dict[str, Any]) -> tuple[str | None, str | None, Context]:
    """Return the kind, the MMA kind and the case that the options say."""
    mma_kind = chosen["mma_kind"]
    kind = chosen["kind"]
    context = Case.of(chosen).context(mma_kind)
    if kind in ("wgmma", "tcgen05", "mask") and mma_kind:
        mma_kind = None  # it says how the operand's elements lie, not what the value is
    lone = [_TILE[name] for name in _TILE if chosen[name] is not None]
    if lone and not chosen["diff"]:
        context = _tiled(context, lone, chosen)
    return kind, mma_kind, context


def _tiled(context: Context, given: list[str], chosen: dict[str, Any]) -> Context:
    """Return the case with the tile around the descriptor, which its strides are judged against."""
    from smemdesc.kinds.context import parse_shape

    if chosen["tile"] is None:
        raise SmemdescError(f"{', '.join(given)} goes with --tile", hint="give --tile MNxK as well")
    if chosen["tile_start"] is not None:
        raise SmemdescError("--tile-start goes with --diff", hint="leave it out: strides are the same everywhere")
    missing = [f"--{name}" for name in ("dtype", "major") if getattr(context, name) is None]
    if missing:
        raise SmemdescError(f"--tile needs {' and '.join(missing)}", hint="as in --tile 128x64 --dtype bf16 --major MN")
    return context._replace(tile=parse_shape(chosen["tile"]), order=chosen["order"])


def _dump(values: tuple[str, ...]) -> str | None:
    """Return what is to be scanned, where a dump stands in the place of values: a file, or ``-``."""
    if values == (STDIN,):
        return STDIN if is_dump() else None
    return dump_given(values[0]) if len(values) == 1 else None


def _together(values: tuple[str, ...], kind: str | None, problems: Problems) -> None:
    """Say so where two values are the two words of one descriptor."""
    if len(values) != 2 or STDIN in values or kind is not None or problems.count:
        return
    from smemdesc.descriptors.batch import read
    from smemdesc.descriptors.near_misses import of_two_words

    literals = [each.literal for each in read(given(values)) if each.literal is not None]
    if len(literals) != 2:
        return
    for found in of_two_words(literals[0], literals[1]):
        problems.note(f"{found.repair}, the two are one valid {found.reading.id} descriptor: smemdesc {found.text}")


def _result(item: Item, kind: str | None, mma_kind: str | None, context: Context) -> Result:
    from smemdesc.descriptors.result import decode_literal

    if item.literal is None:
        raise pointed(item)
    return decode_literal(item.literal, kind, mma_kind, context)


def _json(
    items: Iterable[Item], kind: str | None, mma_kind: str | None, context: Context, problems: Problems, strict: bool
) -> bool:
    from json import dumps

    found = False
    ready: list[str] = []
    for item in items:
        try:
            result = _result(item, kind, mma_kind, context)
            ready.append(dumps(result.to_dict()))
        except Exception as error:
            _write(ready)
            problems.report(error, item.line.where)
            continue
        found = found or result.fails(strict)
        if len(ready) == TOGETHER:
            _write(ready)
    _write(ready)
    return found


def _write(ready: list[str]) -> None:
    if ready:
        sys.stdout.write("\n".join(ready) + "\n")
        ready.clear()


def _text(
    items: Iterable[Item],
    kind: str | None,
    mma_kind: str | None,
    context: Context,
    problems: Problems,
    chosen: dict[str, Any],
) -> bool:
    found = False
    shown = False
    short, items = _is_short(items, chosen)
    for item in items:
        with problems.reporting(item.line.where):
            result = _result(item, kind, mma_kind, context)
            if short:
                sys.stdout.write(f"{result}\n")
            elif chosen["names"]:
                sys.stdout.write("\t".join(result.bare(name) for name in chosen["names"]) + "\n")
            else:
                from smemdesc.render.report import Decoded

                if shown:
                    sys.stdout.write("\n")
                view = Decoded(result, bits=chosen["bits"], every=chosen["every"])
                present(problems.color, view, svg=chosen["svg"], title=result.text.strip())
                shown = True
            found = found or result.fails(chosen["strict"])
    return found


_FEW = 3
"""Values that a terminal shows in full."""


def _is_short(items: Iterable[Item], chosen: dict[str, Any]) -> tuple[bool, Iterable[Item]]:
    """Return whether each value is one line: as asked, or where a terminal would be filled; and the values."""
    if chosen["short"] or chosen["names"] or chosen["bits"] or chosen["every"] or not sys.stdout.isatty():
        return chosen["short"], items
    if sys.stdin.isatty() and STDIN in chosen["values"]:
        return False, items  # typed one by one: each is answered at once
    items = iter(items)
    first = list(islice(items, _FEW + 1))
    return len(first) > _FEW, chain(first, items)


def _diff(
    ctx: click.Context,
    values: tuple[str, ...],
    kind: str | None,
    mma_kind: str | None,
    context: Context,
    chosen: dict[str, Any],
    color: str,
) -> None:
    if len(values) != 2 or "-" in values:
        raise click.UsageError("--diff takes two values, A and B", ctx)
    if ctx.params["check"] or ctx.params["strict"] or ctx.params["names"]:
        raise click.UsageError(
            "--diff compares; --check, --strict and --field judge and print one value at a time", ctx
        )
    from smemdesc.descriptors.difference import diff
    from smemdesc.kinds.pasted import value

    difference = diff(value(values[0]), value(values[1]), kind, mma_kind, context, tiling_of(chosen))
    if chosen["as_json"]:
        write_json(difference.to_dict())
        return
    from smemdesc.render.report import Compared

    present(color, Compared(difference), svg=ctx.params["svg"], title=" ".join(values))
