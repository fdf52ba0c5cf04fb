"""The rules that every table has: reserved bits, constants, undefined codes, codes by architecture."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.case import Context
from smemdesc.fields import Code, Enum, Field, Fixed, Reading, Reserved, ones
from smemdesc.findings.base import Problem, Rule, error, note, warning
from smemdesc.kinds import Kind


def rules(kind: Kind) -> Iterator[Rule]:
    """Yield the rules that a kind and the rows of its table ask for."""
    doc = f"It exists on {', '.join(kind.archs)}."
    yield Rule("kind-arch", (), kind.arch_source or kind.table.rows[0].source, doc, _kind_arch, partial=True)
    for row in kind.table.rows:
        codec = row.codec
        if isinstance(codec, Reserved):
            doc = "Reserved bits are 0." if not codec.ignored else "Unused bits are 0 (they have no effect)."
            yield Rule("reserved-bits", (row.key,), row.source, doc, _reserved, partial=True, doubt=True)
        elif isinstance(codec, Fixed):
            doc = f"The constant is 0b{codec.default:0{row.width}b}."
            yield Rule(
                f"{row.key.replace('_', '-')}-constant",
                (row.key,),
                row.source,
                doc,
                _constant,
                partial=True,
                doubt=True,
            )
        elif isinstance(codec, Enum):
            if len(codec.codes) <= ones(row.width):
                doc = f"The code is one of {codec.describe(row.width)}."
                yield Rule("undefined-code", (row.key,), row.source, doc, _undefined, partial=True, doubt=True)
            if any(code.archs for code in codec.codes):
                doc = "; ".join(
                    f"{code.name} exists on {', '.join(code.archs)} only" for code in codec.codes if code.archs
                )
                yield Rule("needs-arch", (row.key,), row.source, doc + ".", _arch, partial=True)


def place(row: Field) -> str:
    """Return ``bit 52`` or ``bits 46-48``."""
    return f"bit {row.lo}" if row.lo == row.hi else f"bits {row.lo}-{row.hi}"


def _verb(row: Field) -> str:
    return "is" if row.lo == row.hi else "are"


def _reserved(context: Context, kind: Kind, reading: Reading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Reserved)
    if codec.ignored:
        return warning(
            f"{place(row)} {_verb(row)} unused and should be 0, not 0b{reading.binary()} ({codec.ignored})",
            row.hint,
            "write 0 there",
        )
    return error(
        f"{place(row)} {_verb(row)} reserved and must be 0, not 0b{reading.binary()}", row.hint, "write 0 there"
    )


def _constant(context: Context, kind: Kind, reading: Reading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Fixed)
    message = f"{place(row)} must be 0b{codec.default:0{row.width}b}, not 0b{reading.binary()}"
    fix = f"write 0b{codec.default:0{row.width}b} there"
    reason = codec.tolerated.get(reading.bits) if reading.complete else None
    if reason:
        return warning(f"{message}; {reason}", row.hint, fix)
    return error(message, row.hint, fix)


def _undefined(context: Context, kind: Kind, reading: Reading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Enum)
    given = str(reading.raw) if reading.complete else f"0b{reading.binary()}"
    return error(
        f"{row.key} has no code {given}",
        codec.wrong.get(reading.bits, row.hint) if reading.complete else row.hint,
        f"use one of {codec.describe(row.width)}",
    )


def _arch(context: Context, kind: Kind, reading: Reading) -> Problem | None:
    codec = reading.field.codec
    assert isinstance(codec, Enum)
    code: Code | None = codec.by_raw.get(reading.bits) if reading.complete else None
    if code is None or not code.archs or reading.value is None or context.arch in code.archs:
        return None
    only = f"{reading.field.key} = {code.name} exists on {', '.join(code.archs)} only"
    if context.arch is None:
        return note(only, fix="say which architecture with --arch", source=code.source)
    return error(f"{only}, not on {context.arch}", source=code.source)


def _kind_arch(context: Context, kind: Kind) -> Problem | None:
    if context.arch is None or context.arch in kind.archs:
        return None
    return error(f"{context.arch} has no {kind.title}; it exists on {', '.join(kind.archs)}", fields=())
