"""``smemdesc.decode``, ``smemdesc.diff``, ``smemdesc.mask`` and ``smemdesc.conv``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from smemdesc.api.options.keywords import as_read, reads
from smemdesc.descriptors.decoding import corrected
from smemdesc.descriptors.readings import WHOLE, DescriptorReading
from smemdesc.descriptors.result import Result, decode_literal, index_of, literal_of
from smemdesc.engine.errors import SmemdescError, named, option
from smemdesc.engine.fields import ones
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.reading.text import VALUE_BITS, Literal
from smemdesc.rules.base import NOTE, Finding
from smemdesc.rules.strides import refuted

if TYPE_CHECKING:
    from smemdesc.api.options.literals import KindName, MajorName, MmaKindName, OrderName, TransName, TypeName, TypePair
    from smemdesc.descriptors.difference import Difference
    from smemdesc.instructions.convolution import CheckedMask, Convolution
    from smemdesc.kinds.types import DType
    from smemdesc.reading.quantities import Bytes, Shape
    from smemdesc.tiles.tensor_map import CopiedBox, Map


@reads()
def decode(
    value: Literal | int | str,
    kind: KindName | None = None,
    mma_kind: MmaKindName | None = None,
    *,
    context: Context = NOTHING,
    dtype: TypeName | TypePair | DType | None = None,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    shape: Shape | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    m: int | None = None,
    n: int | None = None,
    tile: Shape | None = None,
    order: OrderName | None = None,
    backing: Bytes | None = None,
    map: Map | None = None,
) -> Result:
    """Decode ``value``, a number or text as people paste it, and check it: ``smemdesc decode``.

    ``kind`` is ``wgmma``, ``tcgen05``, ``idesc``, ``mask``, ``tensormap`` or ``tmem``, ``mma_kind`` the MMA kind of an
    instruction descriptor; without them the value decides (:mod:`smemdesc.descriptors.ranking`). The other keywords
    replace what ``context`` knows of the instruction (:class:`smemdesc.Context`). ``trans_a`` or ``trans_b`` (``N`` or
    ``T``) is ``major`` in the terms of a column-major BLAS. ``tile`` (MN x K in elements) and ``order`` describe the
    tile in shared memory, ``map`` is the tensor map that writes it: its bytes, its number, or its settings as text.
    ``backing``: bytes mapped at the address of a tensor map. An instruction descriptor is compared with ``dtype``
    (or those of A and B, ``"e4m3,e5m2"``), ``shape`` (M x N [x K]), ``m``, ``n``, ``trans_a`` and ``trans_b``.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, or says nothing about the ``kind``, with the
    keyword.
    """
    given = {
        "dtype": dtype,
        "major": major,
        "trans_a": trans_a,
        "trans_b": trans_b,
        "shape": shape,
        "cta_group": cta_group,
        "ws": ws,
        "scale_vec": scale_vec,
        "m": m,
        "n": n,
        "tile": tile,
        "order": order,
        "backing": backing,
        "map": map,
    }
    names = [name for name, value in given.items() if value is not None]
    return decode_in_context(value, kind, mma_kind, context, map, names)


def decode_in_context(
    value: Literal | int | str,
    kind: str | None,
    mma_kind: str | None,
    context: Context,
    map: Map | None,
    given: Iterable[str],
) -> Result:
    """Return :func:`decode` of what was read already; ``given`` names the keywords about the instruction."""
    if {"tile", "order"} & set(given):
        _check_tile(context)
    if type(value) is int and kind is None and mma_kind is None and -(1 << VALUE_BITS - 1) <= value < 0:
        value &= ones(VALUE_BITS)  # a negative number is two's complement of 64 bits, all of which are known
    read_as, literal = _mma_kind(kind, mma_kind), named("value", literal_of, value)
    names = [*given, *([] if mma_kind is None else ["mma_kind"])] if kind is not None or mma_kind is not None else []
    if map is None:
        result = corrected(named("value", decode_literal, literal, kind, read_as, context))
        if names:
            refuse_unused(result, names, mma_kind)
        if context.backing is not None and result.kind == "tensormap":
            _check_backing(context.backing, result)
        return _with_refuted(result, context)
    from smemdesc.tiles.tensor_map import read_map, with_map

    # A tile that copies fill is compared with them: boxes may be placed where no atom is.
    alone = context._replace(tile=None, order=None)
    result = named("value", decode_literal, literal, kind, read_as, alone)
    box = named("map", read_map, map)
    if names:
        refuse_unused(result, names, mma_kind)
    compared = named("map", with_map, result, box, context)
    compared = corrected(compared, context, lambda other: _findings(compared, other, context, box))
    return _with_refuted(compared, context, box)


def refuse_unused(result: Result, given: Iterable[str], mma_kind: str | None = None) -> None:
    """Raise an error for a keyword that says nothing about a value whose kind was requested.

    A value that may be of any kind is judged by what says something about it: :attr:`Result.checks` names the rest.
    """
    from smemdesc.descriptors.checks import NOUN, not_used

    kind, known = result.candidates[0].kind, set(given)
    if kind.name == "idesc" and known <= {"mma_kind"}:
        return
    why = not_used(result.kinds, result.context)
    if kind.name == "tcgen05" and mma_kind is not None and result.context.dtype is not None:
        from smemdesc.kinds.types import operand_type

        named("mma_kind", operand_type, result.context.dtype.name, mma_kind)
    elif kind.name != "idesc":
        needs = "--dtype: it says whether e2m1 is packed" if kind.name == "tcgen05" else ""
        why["mma_kind"] = f"it needs {needs}" if needs else f"it says nothing about {NOUN[kind.name]}"
    for name in sorted(
        known.intersection(why), key=lambda each: (each not in ("map", "tile", "order"), each != "major", each)
    ):
        raise SmemdescError(
            f"{option(name)} is not used: {why[name]}", hint="" if "give" in why[name] else "leave it out", keyword=name
        )


@reads("tile", "order")
def diff(
    a: Literal | int | str,
    b: Literal | int | str,
    kind: KindName | None = None,
    mma_kind: MmaKindName | None = None,
    *,
    context: Context = NOTHING,
    dtype: TypeName | TypePair | DType | None = None,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    shape: Shape | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    m: int | None = None,
    n: int | None = None,
    tile: Shape | None = None,
    order: OrderName | None = None,
    tile_start: Bytes | None = None,
) -> Difference:
    """Compare two values field by field: ``smemdesc diff``.

    Both are read as ``kind``, by default as a kind that fits both, or at least one of them. A move of the start address
    is described by the steps of the layout: ``dtype``, ``major``, ``shape`` and the others are as in :func:`decode`;
    ``tile`` (MN x K in elements, of both CTAs with ``cta_group`` 2), ``order`` and ``tile_start`` (bytes) determine the
    distance to the next atom and the next stage.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, with the keyword;
    :class:`smemdesc.engine.errors.KindError` for values of two kinds.
    """
    from smemdesc.descriptors.difference import difference_of
    from smemdesc.layout.steps import tiling_of

    tiling = tiling_of(as_read(tile), order, as_read(tile_start), context)
    first, second = named("a", literal_of, a), named("b", literal_of, b)
    return difference_of(first, second, kind, _mma_kind(kind, mma_kind), context, tiling)


@reads()
def mask(
    value: int | str | None = None,
    *,
    m: int,
    n: int,
    zero: str | Iterable[int] | None = None,
    mask: int | str | None = None,
    shift: int | None = None,
) -> CheckedMask:
    """Return the columns of B that a zero-column mask descriptor zeroes: ``smemdesc mask``.

    ``m`` (32, 64 or 128) and ``n`` (8 to 256 columns) are M and N of the instruction. With ``zero``, columns as in
    ``"0-2,7-9,16"`` or ``(0, 1, 2)``, or with ``mask``, bit n for column n, find the descriptor that zeroes exactly
    these, with ``shift`` as its column shift.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, or if no descriptor zeroes these columns.
    """
    from smemdesc.instructions.convolution import CheckedMask
    from smemdesc.layout.zero_columns import columns_text, expand, find_mask, parse_columns, parse_mask, whole_sub_masks

    names = [name for name, item in (("value", value), ("zero", zero), ("mask", mask)) if item is not None]
    if len(names) != 1:
        raise SmemdescError("give one of value, --zero and --mask", keyword=names[-1] if names else "value")
    context = Context(m=m, n=n)
    if value is not None:
        if shift is not None:
            raise SmemdescError("--shift needs --zero or --mask: a value has its own column shift", keyword="shift")
        value = value if isinstance(value, str) else named("value", index_of, value)
        return CheckedMask(named("value", expand, value, m, n), _as_mask(value, context))
    named("n", whole_sub_masks, m, n)
    if zero is not None:
        several = zero if isinstance(zero, Iterable) else (zero,)
        text = zero if isinstance(zero, str) else ",".join(map(str, several)) or "none"
        zeroed = named("zero", parse_columns, text, n)
    else:
        zeroed = named("mask", parse_mask, str(mask), n)
    column_mask = named(names[0], find_mask, zeroed, m, n, shift=shift or 0)
    how = "no column to zero: non_zero_mask is 0"
    if column_mask.generated:
        how = f"the smallest spans that zero {columns_text(column_mask.zeroed)} and no other column"
    return CheckedMask(column_mask, _as_mask(column_mask.hex, context), how)


@reads()
def conv(
    *,
    q: int,
    m: int,
    n: int,
    tile: int,
    left: int,
    filter: int,
    expect: int | str | Iterable[int | str] = (),
) -> Convolution:
    """Return the masks of a tile of a convolution, one for each filter column: ``smemdesc mask conv``.

    Each zeroes the columns of B that are padding. The stride is 1; rows have ``q`` output and as many input
    pixels, and ``left`` pixels of padding on their left; ``m`` and ``n`` are M and N of the instruction, ``tile`` is
    the number of the tile from 0, ``filter`` the number of filter columns.
    ``expect`` are descriptors to compare with the filter column of their column shift.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, or if no mask has that column shift.
    """
    from smemdesc.instructions.convolution import Convolution, expected
    from smemdesc.layout import zero_columns

    named("n", zero_columns.whole_sub_masks, m, n)
    masks = named("filter", zero_columns.column_masks, q=q, m=m, n=n, tile=tile, left=left, filter=filter)
    compared = (expect,) if isinstance(expect, str) or not isinstance(expect, Iterable) else tuple(expect)
    values = [item if isinstance(item, str) else named("expect", index_of, item) for item in compared]
    others = tuple(named("expect", expected, masks, value) for value in values)
    judged = tuple(_as_mask(column.mask.value, Context(m=m, n=n)).findings for column in masks)
    return Convolution(q, tile, left, masks, others, judged)


_LESS = [left_out for count in (1, 2, 3) for left_out in combinations(("map", "tile", "shape"), count)]
_LESS += [(*_LESS[-1], *names) for names in (("arch",), ("dtype",), ("major",), ("arch", "dtype", "major"))]
_LESS.append(("arch",))
"""What may be left out of the options of a descriptor; ``order`` goes with ``tile``."""


def _with_refuted(result: Result, context: Context, box: CopiedBox | None = None) -> Result:
    """Return a descriptor in which nothing is wrong with a note for each warning that an option took back."""
    if not result.settled or result.kind not in SMEM_KINDS or result.fails(strict=True):
        return result
    (reading,) = result.candidates
    given = {name for name in set().union(*_LESS) if (box if name == "map" else getattr(context, name)) is not None}
    noted, notes = {finding.rule for finding in result.findings}, dict[str, Finding]()
    tried = {frozenset(given)}
    for left_out in _LESS:
        kept = frozenset(given.difference(left_out))
        if kept in tried:
            continue
        tried.add(kept)
        unknown = [*(given - kept - {"map"}), *(() if "tile" in kept else ("order",))]
        lesser = context._replace(**dict.fromkeys(unknown))
        options = " and ".join(f"--{name}" for name in sorted(given - kept))
        for finding in _findings(result, reading, lesser, box if "map" in kept else None):
            if finding.severity != NOTE and finding.rule not in noted:
                notes.setdefault(finding.rule, refuted(finding, options))
    return result._replace(findings=(*result.findings, *notes.values())) if notes else result


def _findings(
    result: Result, reading: DescriptorReading, context: Context, box: CopiedBox | None
) -> tuple[Finding, ...]:
    from smemdesc.kinds.addresses import START

    if box is None and not context.whole and not context.tiled and reading.view == WHOLE:
        # Only who knows the operand's shape or its tile judges the start: the steps of a kernel are one value.
        start = reading.kind.table.masks[START]
        return _without_start(reading._replace(bits=reading.bits & ~start, context=context))
    if box is None:
        return reading.in_context(context).findings
    from smemdesc.tiles.tensor_map import with_map

    alone = reading.in_context(context._replace(tile=None, order=None))
    other = result._replace(candidates=(alone,), fields=alone.fields, findings=alone.findings)
    return with_map(other, box, context).findings


@lru_cache(maxsize=4096)
def _without_start(reading: DescriptorReading) -> tuple[Finding, ...]:
    return reading.findings


def _as_mask(value: int | str, context: Context) -> Result:
    return corrected(decode_literal(literal_of(value), "mask", None, context))


def _check_backing(backing: int, result: Result) -> None:
    from smemdesc.descriptors.tensormap import bytes_spanned, check_backing

    values = {key: reading.value for key, reading in result.fields.items()}
    if None not in values.values():
        check_backing(backing, bytes_spanned(values))


def _mma_kind(kind: str | None, mma_kind: str | None) -> str | None:
    """Return the MMA kind as which a value of a kind is read."""
    if kind is None:
        return mma_kind
    from smemdesc.kinds.kind import kind_of
    from smemdesc.kinds.names import KINDS

    if kind not in KINDS:
        named("kind", kind_of, kind, mma_kind)
    # For other kinds it says where the operand's elements are, not what the value is.
    return mma_kind if kind.partition(":")[0] in ("idesc", "tensormap") else None


def _check_tile(known: Context) -> None:
    if known.tile is None:
        raise SmemdescError("--order needs --tile", hint="give --tile MNxK as well", keyword="order")
    missing = [f"--{name}" for name in ("dtype", "major") if getattr(known, name) is None]
    if missing:
        hint = "as in --tile 128x64 --dtype bf16 --major MN"
        raise SmemdescError(f"--tile needs {' and '.join(missing)}", hint=hint, keyword="tile")
