"""A descriptor moved to another step: by bytes, or by elements along K and MN."""

from __future__ import annotations

from collections.abc import Mapping

from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Reading
from smemdesc.kinds.addresses import START, window
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.layout.operand import UNIT
from smemdesc.layout.steps import K_STEPS, OPTION, UNTILED, Move, Steps, Tiling, possible
from smemdesc.layout.strides import LBO, is_absolute


def advance(kind: Kind, value: int, by: int) -> int:
    """Return a shared-memory descriptor with its start address moved by ``by`` bytes.

    ``by`` is a multiple of 16 and may be negative. The start address stays within its window (18 bits, of sm_107 19):
    nothing is carried into the bits above it (:class:`smemdesc.engine.errors.FieldError`).
    """
    table = kind.table
    if START not in table.by_key:
        raise FieldError(START, f"a {kind.name} descriptor has no start address to advance")
    now = table.row(START).codec.decode(table.unpack(value)[table.index(START)])
    assert isinstance(now, int)
    target = now + by
    try:
        raws = table.encode({START: target})
    except FieldError:
        if by % UNIT:
            low = by - by % UNIT
            raise FieldError(
                START,
                f"an advance of {by} B is not a multiple of 16 B",
                hint=f"the nearest are {low} B and {low + UNIT} B",
            ) from None
        raise FieldError(
            START,
            f"{now} B advanced by {by} B is {target} B, outside {_window(kind)}",
            hint=_carried(kind, value, by // UNIT),
        ) from None
    return table.insert(value, START, raws[START])


def _window(kind: Kind) -> str:
    reach = window(kind.table.row(START))
    return f"the {(reach - 1).bit_length()}-bit window of shared memory (0..0x{reach - UNIT:x})"


def _carried(kind: Kind, value: int, plus: int) -> str:
    """Say which fields an addition to the register would change besides the start address."""
    table = kind.table
    total = (value + plus) & table.full
    pairs = zip(table.rows, table.unpack(value), table.unpack(total), strict=True)
    changed = [row.key for row, before, after in pairs if before != after and row.key != START]
    return f"a sum in the register would {'carry into' if plus > 0 else 'borrow from'} {', '.join(changed)}"


def step(
    kind: Kind,
    value: int,
    *,
    k: int = 0,
    mn: int = 0,
    context: Context = NOTHING,
    known: int | None = None,
    tiling: Tiling = UNTILED,
) -> int:
    """Return a shared-memory descriptor moved by ``k`` elements along K and ``mn`` along MN (negative: back).

    How far that is its mode, major-ness, type and strides say; where they do not, ``tiling`` has to. In LBO mode
    absolute LBO moves, too. ``context`` says the type, and the major-ness unless both give the same.
    :class:`smemdesc.engine.errors.FieldError` where there is no such step.
    """
    table = kind.table
    if START not in table.by_key:
        raise FieldError(START, f"a {kind.name} descriptor has no start address to advance")
    fields = table.read(value, table.full if known is None else known)
    majors = majors_of(kind, fields, context)
    moves: dict[str, Move] = {}
    wrong: list[SmemdescError] = []
    for major in majors:
        try:
            moves[major] = Steps(fields, major, context, tiling).advance(mn=mn, k=k)
        except SmemdescError as error:
            if context.major or len(majors) == 1:
                raise
            wrong.append(error)
    if wrong or len(set(moves.values())) != 1:
        said = [f"{major}-major: {move.by:+d} B" for major, move in moves.items()]
        raise FieldError(
            OPTION["K" if k else "MN"],
            f"how far that is depends on the major-ness ({', '.join(said) or 'it is not known in either'})",
            hint="give --major K or --major MN",
        )
    move = next(iter(moves.values()))
    moved = advance(kind, value, move.by)
    return moved if move.lbo is None else table.insert(moved, LBO, table.encode({LBO: move.lbo})[LBO])


def majors_of(kind: Kind, fields: Mapping[str, Reading], context: Context) -> tuple[str, ...]:
    """Return the major-ness that the case says, else those that the operand can have."""
    if context.major is None and is_absolute(fields):
        return ("K",)
    return (context.major,) if context.major else possible(kind.name, str(fields["swizzle"].value), context.dtype)


def byte_remark(kind: Kind, value: int, known: int, by: int, context: Context, tiling: Tiling = UNTILED) -> str:
    """Say what a move by ``by`` bytes is where it is no whole number of MMA steps along K; empty where it is.

    Where the major-ness is not known, a K step in either will do. Empty, too, where the layout is not known.
    """
    fields = kind.table.read(value, known)
    said = []
    for major in majors_of(kind, fields, context):
        try:
            names = Steps(fields, major, context, tiling).name(by)
        except SmemdescError:
            continue
        if any(name.what == K_STEPS for name in names):
            return ""
        said.append(f"{major}-major: {'; '.join(name.text for name in names)}")
    return f"{by:+d} B is not a K step of this layout. {'. '.join(said)}" if said else ""
