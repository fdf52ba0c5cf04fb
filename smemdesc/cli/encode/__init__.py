"""``smemdesc encode``: one subcommand per kind, with an option for each row of its table."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.commands import LazyGroup
from smemdesc.cli.encode.constants import (
    FORCE,
    INCLUDES,
    constant_of,
    gate_options,
    gate_rejects,
    option_of,
    report_no_value,
    tile_constants,
)
from smemdesc.cli.shortcuts import NUMBER
from smemdesc.cli.support.common import Problems, json_asked, one_format, show_on_stderr
from smemdesc.cli.support.options import (
    CASE,
    STEP,
    Brief,
    FieldOption,
    case_options,
    color_option,
    format_option,
    json_option,
    options,
    takes,
)
from smemdesc.cli.support.standard_input import read_lines
from smemdesc.engine.errors import FieldError, IllegalError, SmemdescError
from smemdesc.engine.wording import either, join_and, quoted
from smemdesc.kinds.names import BLACKWELL, HOPPER, MAJORS, SHORT, SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.encoding import FromObject
    from smemdesc.engine.fields import Field
    from smemdesc.kinds.context import Context
    from smemdesc.kinds.kind import Kind
    from smemdesc.rules import Finding
    from smemdesc.tiles.tile import Tile

KIND_TITLES = {
    "wgmma": f"64-bit shared-memory descriptor of wgmma ({', '.join(HOPPER)}).",
    "tcgen05": f"64-bit shared-memory descriptor of tcgen05 ({BLACKWELL[0]} to {BLACKWELL[-1]}).",
    "idesc": "32-bit instruction descriptor of tcgen05.mma.",
    "mask": "64-bit zero-column mask descriptor of tcgen05.mma.ws.",
    "tmem": "32-bit address of tensor memory.",
    "tensormap": "128-byte tensor map (CUtensorMap) of TMA.",
    "-": "Objects of decode --json from standard input.",
}
EXAMPLES = {
    "wgmma": """\
  smemdesc encode wgmma --start 0x400 --sbo 1024 --swizzle 128B
  smemdesc encode wgmma --start 1KiB --lbo 64x16B --sbo 128 --format cuda
  smemdesc encode wgmma --from 0x4000008000400040 --advance 16 --dtype bf16 \\
      --major MN
  smemdesc encode wgmma --tile 128x64 --mma 64x16 --dtype bf16 --major K \\
      --swizzle 128B --start 1KiB --format cuda --name a_desc""",
    "tcgen05": """\
  smemdesc encode tcgen05 --start 0x400 --sbo 1024 --swizzle 128B
  smemdesc encode tcgen05 --layout '(64,(8,2)):(8,(1,512))' --dtype bf16
  smemdesc encode tcgen05 --from 0x4000404000010040 --advance 32B
  smemdesc encode tcgen05 --tile 128x64 --dtype bf16 --major MN --swizzle 128B""",
    "idesc": """\
  smemdesc encode idesc --mma-kind f16 --a-type f16 --b-type f16 --m 64 --n 8
  smemdesc encode idesc --mma-kind f16 --from 0x08200490 --n 256 --format c""",
    "mask": """\
  smemdesc encode mask --skip-span 3 --use-span 4
  smemdesc encode mask --skip-span 3 --use-span 4 --first-span-0 \\
      --column-shift 2 --format cuda --name czm
  smemdesc encode mask --skip-span 3 --use-span 4 --m 128 --n 64""",
    "tmem": """\
  smemdesc encode tmem --lane 64 --column 32
  smemdesc encode tmem --from 0x00400020 --column 96 --format cuda""",
}
STEPS = ("advance", "advance_mn")
SPAN_FIELDS = ("skip_span", "use_span")
WITHOUT_DEFAULT = ("a_type", "b_type", "m", "n")
"""The required fields of an instruction descriptor."""
Decorator = Callable[[Any], Any]
ENCODE_FORMATS = ("hex", "dec", "sdec", "words", "c", "cuda", "ptx", "python", "json")

_format_options = options(
    format_option(f"{', '.join(ENCODE_FORMATS)}.", *ENCODE_FORMATS),
    click.option("--name", default="desc", help="Name of the constant, if the format has one."),
)


class EncodeKinds(LazyGroup):
    """The kinds, each built when it is used."""

    commands_help = KIND_TITLES
    section = "Kinds"

    def load(self, name: str) -> click.Command:
        if name == "tensormap":
            from smemdesc.cli.encode.tensormap import command

            return command
        return from_json if name == "-" else _kind_command(name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("--") and "--help" not in args:
            args = [*_kind_words(ctx, args), *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from smemdesc.kinds.aliases import kind_alias

        word = args[0] if args[0] in KIND_TITLES else kind_alias(args[0])
        if word not in KIND_TITLES and re.match(NUMBER, word):
            value = quoted(word)
            raise click.UsageError(
                f"{word} is a value: smemdesc decode {value} reads it, smemdesc encode KIND --from {value} changes it",
                ctx,
            )
        return super().resolve_command(ctx, [word, *args[1:]])


def _option_value(args: list[str], name: str) -> str | None:
    """Return the value of an option."""
    words = [*chain.from_iterable(arg.split("=", 1) if arg.startswith("--") else [arg] for arg in args)]
    return next((value for word, value in pairwise(words) if word == name), None)


def _kind_words(ctx: click.Context, args: list[str]) -> list[str]:
    """Return the kind of the value of --from, and its MMA kind, as they are typed."""
    from smemdesc.api.encoding import kind_to_change
    from smemdesc.api.options.keywords import read_options

    value = _option_value(args, "--from")
    if value is None:
        names = either(KIND_TITLES)
        raise click.UsageError(f"the kind is missing: {names}; --from VALUE has one", ctx)
    typed = {name: _option_value(args, f"--{name.replace('_', '-')}") for name in ("mma_kind", "arch")}
    given = read_options("decode", typed)
    kind, mma_kind = kind_to_change(value, given["mma_kind"], given["arch"])
    return [kind, *(["--mma-kind", mma_kind] if mma_kind and not typed["mma_kind"] else [])]


@click.command(cls=EncodeKinds)
def command() -> None:
    """Pack fields into a descriptor, checked before and after.

    \b
    Examples:
      smemdesc encode tcgen05 --start 0x400 --sbo 1024 --swizzle 128B
      smemdesc encode idesc --mma-kind f16 --a-type f16 --b-type f16 --m 64 --n 8
      smemdesc encode --from 0x4000004000010040 --advance 32B --format cuda
      smemdesc decode --json - < values | smemdesc encode -

    Offsets and addresses are in bytes (1024, 0x400, 1KiB, 64x16B), never in
    16-byte units; types and modes are names.
    """


@click.command(short_help=KIND_TITLES["-"])
@_format_options
@gate_options
@color_option
@click.pass_context
def from_json(ctx: click.Context, /, style: str | None, color: str, **params: Any) -> None:
    """Encode objects as decode --json writes them, one per line, from standard input.

    \b
    Examples:
      smemdesc decode --json - < values | smemdesc encode -
      echo '{"kind": "idesc", "mma_kind": "f16", "fields": {"m": 128, "n": 64}}' \\
          | smemdesc encode -

    A field is its plain value or the object that decode writes; a missing
    field takes the kind's default. Any bits can be given: only --check and
    --strict check them.
    """
    from smemdesc.descriptors.encoding import from_object
    from smemdesc.kinds.context import NOTHING

    style = style or "hex"
    problems = Problems(color)

    def show() -> bool:
        failed, include = False, INCLUDES.get(style, "")
        for text, where in read_lines(comments=False):
            with problems.reporting(where):
                value = from_object(_parse_json(text))
                if (params["check"] or params["strict"]) and gate_rejects(_findings(value), params, problems, where):
                    failed = True
                elif style == "hex":
                    sys.stdout.write(value.text + "\n")
                else:
                    line = constant_of(value.encoded(), style, params["name"], NOTHING)
                    sys.stdout.write(f"{include}{line}\n")
                    include = ""
        return failed

    problems.leave(ctx, show)


def _parse_json(text: str) -> Any:
    """Return the value of a line of JSON; :class:`smemdesc.engine.errors.SmemdescError` points at the fault."""
    import json

    try:
        return json.loads(text, object_pairs_hook=_reject_duplicates)
    except RecursionError:
        raise SmemdescError("not readable JSON: the input is nested too deeply") from None
    except SmemdescError:
        raise
    except json.JSONDecodeError as error:
        raise SmemdescError(
            f"not JSON: {error.msg}",
            given=text,
            span=(error.pos, error.pos + 1),
            hint="one object per line, as decode --json writes them",
        ) from None
    except ValueError:
        raise SmemdescError("a number in it has more digits than any field") from None


def _findings(value: FromObject) -> tuple[Finding, ...]:
    """Return the findings of ``decode`` about a value, by the table of its kind."""
    from smemdesc.descriptors.decoding import decode_value
    from smemdesc.kinds.context import Context

    kind = value.kind
    arch = kind.archs[0] if kind and kind.variant else None
    return decode_value(value.text, kind and kind.id, context=Context(arch=arch)).findings


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; a duplicate key is an error, as its value would be ambiguous."""
    unique = dict(pairs)
    if len(unique) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise SmemdescError(f"the key {twice!r} is twice in one object", hint="remove one of the two")
    return unique


_RAW_ONLY = ("k_code",)
"""Fields without an option: ``--raw`` sets them, where somebody wants what no kernel needs."""


def _rows(kind: str) -> list[Field]:
    """Return the rows that get an option: all fields of all tables of the kind, except reserved bits and constants."""
    from smemdesc.engine.fields import Upper
    from smemdesc.kinds.kind import tables

    rows: dict[str, Field] = {}
    for table in tables(kind):
        for row in table.table.rows:
            if not row.constant and not isinstance(row.codec, Upper) and row.key not in _RAW_ONLY:
                rows.setdefault(row.key, row)
    return list(rows.values())


def _option(kind: str, row: Field) -> Decorator:
    """Return the option of a field."""
    from smemdesc.engine.fields import CountMinusOne, Enum, Flag, Scaled

    name = "--" + row.key.replace("_", "-")
    names = [name, option_of(row.key)] if row.key in SHORT else [name]
    codec = row.codec
    text = row.doc[0].upper() + row.doc[1:] + "."
    asked_for = kind == "idesc" and row.key in WITHOUT_DEFAULT
    needed: dict[str, Any] = {"cls": FieldOption, "instead": ("from_", "raw")} if asked_for else {}
    if isinstance(codec, Flag):
        return click.option(f"{name}/--no-{name[2:]}", row.key, default=None, help=text)
    if isinstance(codec, Enum):
        codes = _codes(kind, row.key)
        return click.option(*names, row.key, metavar="|".join(codes), help=text, **needed)
    unit = "BYTES" if isinstance(codec, Scaled) and codec.unit else "COUNT" if isinstance(codec, CountMinusOne) else "N"
    return click.option(*names, row.key, metavar=unit, help=text, **needed)


def _codes(kind: str, key: str) -> list[str]:
    from smemdesc.engine.fields import Enum, Selected
    from smemdesc.kinds.kind import tables

    names: dict[str, None] = {}
    for table in tables(kind):
        row = table.table.by_key.get(key)
        if row is not None and isinstance(row.codec, Enum):
            cases = row.codec.cases if isinstance(row.codec, Selected) else (0,)
            names.update(dict.fromkeys(str(row.codec.decode(code.raw, by)) for by in cases for code in row.codec.codes))
    names.pop("None", None)
    return list(names)


@cache
def _kind_command(kind: str) -> click.Command:
    rows = _rows(kind)
    mask_only: Decorator = takes("decode", "m n") if kind == "mask" else options()

    @click.command(
        kind,
        cls=Brief,
        case_by_name=True,
        context_settings={"max_content_width": 80},
        help=f"Encode the {KIND_TITLES[kind]}\n\n\b\nExamples:\n{EXAMPLES[kind]}",
        short_help=KIND_TITLES[kind],
    )
    @options(*_own_options(kind, rows))
    @takes("encode", "from_ raw")
    @case_options("encode")
    @mask_only
    @json_option("The same as --format json.")
    @takes("encode", "force")
    @gate_options
    @_format_options
    @color_option
    @click.pass_context
    def encode_kind(ctx: click.Context, /, color: str, **params: Any) -> None:
        problems = Problems(color)
        params["style"] = one_format(ctx, "hex")
        problems.leave(ctx, lambda: _write(kind, rows, params, problems))

    return encode_kind


def _own_options(kind: str, rows: list[Field]) -> list[Decorator]:
    """Return the options of the fields of a kind, and the other sources of its value."""
    fields = [_option(kind, row) for row in rows]
    if kind == "idesc":
        return [takes("idesc", "mma_kind"), *fields]
    if not any(row.key == "start_address" for row in rows):
        return fields
    return [
        *fields,
        takes("encode", "tile mma order"),
        takes("encode", "tile_start", STEP),
        takes("encode", "mma_kind", CASE),
        takes("encode", "layout"),
        takes("encode", "tma at stage units", STEP),
        takes("encode", "pattern_start advance"),
        takes("encode", "advance_mn", STEP),
    ]


def _write(kind: str, rows: list[Field], params: dict[str, Any], problems: Problems) -> bool:
    """Write the steps of a layout or of a tile, or one value; return whether --check or --strict rejects it."""
    keys = [row.key for row in rows]
    if any(params.get(option) is not None for option in ("layout", "tma")):
        from smemdesc.cli.layout.explain import layout_constants

        return layout_constants(kind, keys, params, problems)
    _check_tile_options(params)
    try:
        if params.get("tile") is not None and not any(params.get(option) is not None for option in STEPS):
            tile = tile_constants(kind, keys, params, problems)
            if tile is not None:
                _show_box(tile, problems)
            return tile is None
        return _encode(kind, rows, params, problems)
    except FieldError as error:
        raise _with_option(error, params) from None
    except IllegalError as error:
        return report_no_value(error, params, problems)


def _check_tile_options(params: dict[str, Any]) -> None:
    """Reject options of a tile without --tile, or with the wrong one of its two uses."""
    steps = any(params.get(option) is not None for option in STEPS)
    alone = [f"--{name}" for name in ("at", "stage", "units") if params.get(name) is not None]
    if alone:
        raise SmemdescError(f"{', '.join(alone)} needs a layout", hint="give --layout TEXT as well")
    lone = [f"--{name}" for name in ("mma", "order") if params.get(name) is not None]
    if lone and params.get("tile") is None:
        raise SmemdescError(f"{', '.join(lone)} needs --tile", hint="give --tile MNxK as well")
    if steps and params["mma"] is not None:
        raise SmemdescError("--mma does not work with --advance", hint="the operand of the instruction is --shape MNxK")
    if params.get("tile_start") is not None and not steps:
        raise SmemdescError("--tile-start needs --advance", hint="--start sets where the tile of --tile begins")


def _encode(name: str, rows: list[Field], params: dict[str, Any], problems: Problems) -> bool:
    from smemdesc.api.encoding import encode, values_of
    from smemdesc.api.options.keywords import read_options
    from smemdesc.descriptors.encoding import RefusedError
    from smemdesc.kinds.context import NOTHING
    from smemdesc.kinds.kind import kind_of

    names = "mma_kind dtype major trans_a trans_b shape arch cta_group ws scale_vec" + (
        " m n" if name == "mask" else ""
    )
    known = {keyword: params.get(keyword) for keyword in names.split()}
    values = read_options("decode", {"kind": name, **known})
    mma_kind = values["mma_kind"]
    context = NOTHING._replace(**{keyword: values[keyword] for keyword in NOTHING._fields if keyword in values})
    fields = {row.key: params[row.key] for row in rows if params.get(row.key) is not None}
    raws = dict(text.partition("=")[::2] for text in params["raw"])
    if params["from_"] is None:
        kind = kind_of(name, mma_kind, context.arch)
        keys = {**fields, **({} if params.get("pattern_start") is None else {"base_offset": ""})}
        _require_fields(kind, keys, values_of(kind, fields, context), raws, context)
    others = ("from_", "pattern_start", *STEPS, "tile", "order", "tile_start", "force")
    given: dict[str, Any] = {"kind": name, **known} | {
        keyword: params[keyword] for keyword in others if params.get(keyword) is not None
    }
    try:
        encoded = encode(raw=raws, **given, **fields)
    except RefusedError as refused:
        named = _options_text(refused.finding.fields, params)
        message = f"{named}: {refused.text}" if named else refused.text
        raise IllegalError(f"refused: {message}", hint=FORCE) from None
    if encoded.remark:
        problems.note(encoded.remark)
    typed = (*fields, *raws)
    if params["from_"] is None:
        _require_lbo(encoded, typed, context)
    if gate_rejects(encoded.findings, params, problems):
        return True
    if name == "mask":
        _note_spans(encoded, typed, problems)
        if context.m and context.n and params["style"] != "json":
            _show_mask(encoded, context, problems)
    line = constant_of(encoded, params["style"], params["name"], context)
    sys.stdout.write(f"{INCLUDES.get(params['style'], '')}{line}\n")
    return False


def _require_fields(
    kind: Kind, typed: Collection[str], values: dict[str, Any], raws: Collection[str], context: Context
) -> None:
    """Raise an error if types, M or N are missing, which have no sensible default."""
    from smemdesc.engine.fields import Enum

    if kind.name != "idesc":
        if not typed and not raws:
            named = {"mask": "--skip-span and --use-span", "tmem": "--lane and --column"}
            raise SmemdescError(
                f"{named.get(kind.name, '--sbo and --swizzle (and --start, --lbo)')} are missing",
                hint=f"start from a value with --from, or for example: {EXAMPLES[kind.name].splitlines()[0].strip()}",
            )
        return
    missing = []
    for key in WITHOUT_DEFAULT:
        codec = kind.table.row(key).codec
        settled = isinstance(codec, Enum) and len(codec.codes) == 1
        if not settled and key not in values and key not in raws:
            missing.append(key)
    if missing:
        names = join_and("--" + key.replace("_", "-") for key in missing)
        from smemdesc.kinds.shapes import values_taken

        hint = values_taken(kind, missing[0], context, values)
        raise SmemdescError(
            f"{names} {'are' if missing[1:] else 'is'} missing", hint=f"{hint}; or start from a value with --from"
        )


def _require_lbo(encoded: Constant, typed: Iterable[str], context: Context) -> None:
    """Raise an error if LBO is needed but missing, with its meaning in this major-ness: it has no sensible default."""
    from smemdesc.layout.strides import LBO, strides_of

    if LBO in typed or encoded.kind.name not in SMEM_KINDS:
        return
    if encoded.kind.table.read(encoded.value)["swizzle"].value != "none":
        return
    majors = [context.major] if context.major else MAJORS
    meant = [
        f"{major}-major it is the stride between {strides_of('none', major, context)[0].between}" for major in majors
    ]
    hint = f"{', '.join(meant)}: give it in bytes, as in --lbo 128, or a mode with --swizzle"
    raise SmemdescError("--lbo is missing: without swizzle LBO always has an effect", hint=hint)


def _show_box(tile: Tile, problems: Problems) -> None:
    """Note on standard error which TMA box fills a tile."""
    from smemdesc.render.parts import line
    from smemdesc.render.tile import box_text

    whose = f"each CTA's half {tile.shape} of the tile" if tile.cta_group > 1 else "the tile"
    text = f" fills {whose} with {box_text(tile)}"
    if json_asked():
        problems.note(f"TMA{text}")
    else:
        show_on_stderr(problems.color, line(("TMA", "heading"), text))


def _note_spans(encoded: Constant, typed: Iterable[str], problems: Problems) -> None:
    """Note the stored numbers of spans, which the examples of the PTX ISA use."""
    fields = encoded.kind.table.read(encoded.value)
    spans = [f"{key} {fields[key].value} is stored as {fields[key].raw}" for key in SPAN_FIELDS if key in typed]
    if spans:
        problems.note(f"{', '.join(spans)} (count - 1); the examples of the PTX ISA write the stored number")


def _show_mask(encoded: Constant, context: Context, problems: Problems) -> None:
    """Show the expansion of a mask on standard error: standard output gets the value only."""
    from smemdesc.descriptors.decoding import decode_value
    from smemdesc.reading.text import to_hex
    from smemdesc.render.mask import expansion_of

    result = decode_value(to_hex(encoded.value, encoded.known, encoded.kind.table.width), "mask", context=context)
    show_on_stderr(problems.color, *expansion_of(result))


def _options_text(keys: tuple[str, ...], params: dict[str, Any]) -> str:
    """Return the options that a finding is about, with their values."""
    parts = []
    for key in keys:
        if key in params:
            typed = params[key]
            if typed is not None:
                parts.append(option_of(key) + ("" if isinstance(typed, bool) else f" {typed}"))
    return ", ".join(parts)


def _with_option(error: FieldError, params: dict[str, Any]) -> SmemdescError:
    """Return a field's error with the name of its option."""
    option = option_of(error.key)
    typed = params.get(error.key)
    rest = error.option_message.removeprefix(f"{error.key}: ")
    prefix = f"{option} {typed}" if isinstance(typed, str) else option
    return SmemdescError(f"{prefix}: {rest}", hint=error.option_hint)
