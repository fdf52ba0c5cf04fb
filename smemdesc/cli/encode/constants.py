"""Constants for ``encode``: of a value, or of each MMA step of a tile or a layout."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.common import Problems, json_asked, show_on_stderr, write_to_stderr
from smemdesc.cli.support.options import options
from smemdesc.engine.errors import IllegalError, SmemdescError, option
from smemdesc.kinds.names import SHORT

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.encoding import Encoded
    from smemdesc.kinds.context import Context
    from smemdesc.kinds.kind import Kind
    from smemdesc.rules import Finding
    from smemdesc.tiles.tile import Tile


_REJECTED = "On an error (a warning) print nothing; exit with 1."
gate_options = options(
    click.option("--check", is_flag=True, help=_REJECTED), click.option("--strict", is_flag=True, help=_REJECTED)
)


def option_of(key: str) -> str:
    """Return the option of a field, or of a parameter of the command."""
    return option(SHORT.get(key, key))


def refuse(keys: Iterable[str], params: dict[str, Any], what: str, hint: str) -> None:
    """Reject the options of ``keys`` that were given, as they cannot be used with ``what``."""
    odd = [option_of(key) for key in (*keys, "raw") if params.get(key) not in (None, ())]
    if odd:
        raise SmemdescError(f"{', '.join(odd)} cannot be used with {what}", hint=hint)


INCLUDES = dict.fromkeys(("c", "cuda"), "#include <stdint.h>\n")
"""What the first constant of an output needs before it, by the format."""


def constant_of(encoded: Encoded | Constant, style: str, name: str, context: Context) -> str:
    """Return a value in a format, without the line of :data:`INCLUDES`."""
    if style == "json":
        import json

        from smemdesc.descriptors.decoding import decode_value
        from smemdesc.reading.text import to_hex

        kind = encoded.kind
        text = to_hex(encoded.value, encoded.known, kind.table.width)
        return json.dumps(decode_value(text, kind.name, kind.mma_kind, context=context).to_dict())
    from smemdesc.render.constants import constant_text

    return constant_text(encoded, style, name)


def write_steps(
    kind: Kind, steps: Iterable[tuple[int, int, int]], params: dict[str, Any], context: Context, *, number: bool = True
) -> None:
    """Write a constant for each step: its place along MN and K, and its descriptor. ``number`` is part of the name."""
    import json

    from smemdesc.descriptors.encoding import Encoded

    include = INCLUDES.get(params["style"], "")
    for mn, k, value in steps:
        name = f"{params['name']}_mn{mn}_k{k}" if number else params["name"]
        line = constant_of(Encoded(kind, value, kind.table.full, ()), params["style"], name, context)
        if params["style"] == "json":
            line = json.dumps({**json.loads(line), "step": {"mn": mn, "k": k}})
        sys.stdout.write(f"{include}{line}\n")
        include = ""


def gate_rejects(findings: tuple[Finding, ...], params: dict[str, Any], problems: Problems, where: str = "") -> bool:
    """Show the findings on standard error; return whether --check or --strict prevents a value from being printed."""
    from smemdesc.rules.base import fails

    show_findings(findings, problems)
    gate = "--strict" if params["strict"] else "--check"
    if not (params["check"] or params["strict"]) or not fails(findings, params["strict"]):
        return False
    problems.show(SmemdescError(f"not printed: {gate} rejects it"), where)
    return True


FORCE = "--force encodes it anyway"


def report_no_value(error: Exception, params: dict[str, Any], problems: Problems, where: str = "") -> bool:
    """Report why no value was encoded; return whether --check or --strict rejects it, as they do if it is illegal."""
    if isinstance(error, IllegalError) and (params["check"] or params["strict"]):
        problems.show(
            SmemdescError(error.option_message, hint=error.option_hint.removesuffix(FORCE).rstrip("; ")), where
        )
        return True
    problems.report(error, where)
    return False


def show_findings(findings: tuple[Finding, ...], problems: Problems) -> None:
    """Show the findings on standard error, beside the values on standard output."""
    if json_asked():
        write_to_stderr(*(finding.to_dict() for finding in findings))
    elif findings:
        from smemdesc.render.diagnostics import diagnostics

        show_on_stderr(problems.color, diagnostics(findings))


NEEDED_OPTIONS = ("dtype", "major", "swizzle")
_ALLOWED = ("start_address", "swizzle")
_OTHERS = ("from_", "advance", "pattern_start", "shape", "ws", "scale_vec")


def tile_constants(kind: str, keys: list[str], params: dict[str, Any], problems: Problems) -> Tile | None:
    """Print the constant of each step, in order of MN, then K; return the tile, or None if it is rejected.

    ``keys`` are the field options of the kind; a tile takes only the start address and the swizzle.
    """
    from smemdesc.kinds.context import Context

    majors = ("major", "trans_a", "trans_b")
    absent = [
        name
        for name in NEEDED_OPTIONS
        if all(params[given] is None for given in (majors if name == "major" else (name,)))
    ]
    missing = [f"--{name}" for name in absent]
    if missing:
        raise SmemdescError(f"--tile needs {', '.join(missing)}", hint="as in --dtype bf16 --major K --swizzle 128B")
    hint = "it follows from the tile; otherwise encode the steps one by one"
    refuse((*(key for key in keys if key not in _ALLOWED), *_OTHERS), params, "--tile", hint)
    tile = _tile(kind, params)
    if gate_rejects(tile.findings, params, problems):
        return None
    context = Context(dtype=tile.dtype, major=tile.major, shape=tile.mma, arch=params["arch"])
    steps = ((step.mn // tile.mma.mn, step.k // tile.mma.k, step.value) for step in tile.steps)
    write_steps(tile.kind, steps, params, context)
    return tile


def _tile(kind: str, params: dict[str, Any]) -> Tile:
    """Return the tile; an error says whether --force would encode it, or has no effect."""
    from smemdesc.api.geometry import tile

    names = "dtype major trans_a trans_b swizzle mma order cta_group mma_kind arch"
    keywords = {"kind": kind, "start": params["start_address"], **{name: params[name] for name in names.split()}}
    try:
        return tile(params["tile"], **keywords, force=params["force"])
    except SmemdescError as error:
        if params["force"]:
            hint = "--force has no effect here: no value is encoded"
            raise SmemdescError(
                error.option_message, hint=f"{error.option_hint}; {hint}" if error.option_hint else hint
            ) from None
        error.keywords = tuple({"shape": "tile"}.get(keyword, keyword) for keyword in error.keywords)
        with suppress(SmemdescError):
            tile(params["tile"], **keywords, force=True)
            error.option_hint = f"{error.option_hint}; {FORCE}"
        raise
