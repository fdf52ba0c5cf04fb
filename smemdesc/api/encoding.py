"""``smemdesc.encode`` and ``smemdesc.tensormap``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from smemdesc.api.decoding import known_of, major_of
from smemdesc.descriptors.constant import Constant
from smemdesc.descriptors.encoding import Encoded, RefusedError, build, check_table, legal, within
from smemdesc.engine.errors import FieldError, SmemdescError, about, keywords, named, option, together
from smemdesc.engine.fields import Scalar
from smemdesc.kinds import aliases, arguments, options
from smemdesc.kinds.addresses import START, base_offset_of
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import SMEM_KINDS

P = ParamSpec("P")
T = TypeVar("T")
Numbers = str | int | Iterable[int]
"""Several numbers: ``(4096, 2048)`` or ``"4096,2048"``; or a single number."""

if TYPE_CHECKING:
    from smemdesc.kinds.types import DType
    from smemdesc.layout.steps import Tiling
    from smemdesc.rules.base import Finding


def _as_typed(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with errors that name a field as it was given: by its key or another name."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SmemdescError as error:
            typed = {aliases.field(key): key for key in kwargs}
            error.keywords = tuple(
                keyword if keyword in kwargs else typed.get(aliases.field(keyword), keyword)
                for keyword in error.keywords
            )
            raise

    return call


@keywords
@together
@_as_typed
def encode(
    kind: str,
    *,
    mma_kind: str | None = None,
    from_: int | str | None = None,
    raw: Mapping[str, int | str] | None = None,
    pattern_start: options.Bytes | None = None,
    advance: int | str | None = None,
    advance_mn: int | str | None = None,
    context: Context = NOTHING,
    dtype: str | DType | None = None,
    major: str | None = None,
    trans_a: str | None = None,
    trans_b: str | None = None,
    shape: options.Shape | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    tile: options.Shape | None = None,
    order: str | None = None,
    tile_start: options.Bytes | None = None,
    layout: str | None = None,
    tma: str | None = None,
    mma: options.Shape | None = None,
    at: options.Pair | None = None,
    stage: int | None = None,
    units: str | None = None,
    force: bool = False,
    **fields: Scalar,
) -> Constant:
    """Return the descriptor with these field values, checked before and after: ``smemdesc encode``.

    ``kind`` is ``wgmma``, ``tcgen05``, ``idesc`` (with ``mma_kind``), ``mask`` or ``tmem``. ``fields`` are values by
    the keys or short names of its fields (``start``, ``lbo``, ``sbo``): offsets and addresses in bytes (``1024``,
    ``"1KiB"``), types and modes by name, M, N, K and spans as numbers, flags as bools. A field left out gets the kind's
    default, or the bits of ``from_``, an existing value; ``raw`` maps keys of any fields, reserved ones too, to their
    bits. ``pattern_start`` (bytes) computes the base offset. ``advance`` moves the start address by elements along K
    (``"32B"``: by bytes), ``advance_mn`` along MN; the distance follows from the mode, ``dtype``, ``major``, ``shape``
    and the strides, or from ``tile`` (MN x K in elements), ``order`` and ``tile_start`` (bytes). ``arch``,
    ``cta_group``, ``ws``, ``scale_vec`` and, for a mask, ``m`` and ``n`` describe the instruction for the rules
    (:class:`smemdesc.kinds.context.Context`); ``arch`` also selects the table.

    ``layout`` is the text of a layout as CuTe or Triton print it, or a TMA box (also ``tma``), and the result the
    descriptor of the operand; ``mma`` (MN x K) and ``at`` (mn, k) select one of several; ``stage`` counts from 0, and
    ``units`` (``elements`` or ``16B``) are the units of CuTe's text. ``start`` replaces its pointer.

    :class:`smemdesc.engine.errors.FieldError` names a field that does not exist, is misaligned or out of range;
    :class:`smemdesc.engine.errors.IllegalError` a combination that the rules forbid (``force`` encodes it anyway);
    :class:`smemdesc.engine.errors.SmemdescError` any other keyword.
    """
    mma_kind = options.mma_kind("mma_kind", mma_kind)
    fields = {key: value for key, value in fields.items() if value is not None}
    if not isinstance(raw, Mapping | None) or not all(isinstance(key, str) for key in raw or ()):
        raise SmemdescError(f"{raw!r} is not a mapping", hint='write {"version": 0}', keyword="raw")
    name = named("kind", kind_of, options.text("kind", kind), mma_kind).name
    if layout is not None or tma is not None:
        return _of_layout(locals())
    alone = {"mma": mma, "at": at, "stage": stage, "units": units}
    for keyword in (key for key, argument in alone.items() if argument is not None):
        raise SmemdescError(f"{option(keyword)} needs --layout", hint="give --layout TEXT as well", keyword=keyword)
    if name == "idesc":
        fields |= _transposed(fields, trans_a, trans_b)
        trans_a = trans_b = None
    size: dict[str, Any] = {key: fields.pop(key) for key in ("m", "n") if name == "mask" and key in fields}
    known = known_of({**locals(), "tile": None, "order": None, **size})
    own = kind_of(kind, mma_kind, known.arch)
    values = values_of(own, fields, known)
    base = None
    if from_ is not None:
        from smemdesc.descriptors.ranking import digits_without_prefix, rank
        from smemdesc.descriptors.result import literal_of

        literal = named("from_", literal_of, from_)
        start = named("from_", rank, literal, own.id, arch=known.arch).readings[0]
        for finding in () if force or start.fits else digits_without_prefix.apply(literal, own.id, known.arch):
            raise SmemdescError(finding.message, hint=f"write {literal.other}", keyword="from_")
        own, base = start.kind, (start.bits, start.known)
    raws = {key: _raw(own, key, number) for key, number in (raw or {}).items()}
    if pattern_start is not None:
        values["base_offset"] = _base_offset(own, pattern_start, base, values)
    force = bool(options.flag("force", force))
    moved = advance is not None or advance_mn is not None
    moving = {"tile": tile, "order": order, "tile_start": tile_start}
    for unused in (key for key, argument in moving.items() if argument is not None and not moved):
        hint = "smemdesc.tile has the descriptor of each MMA step of a tile"
        raise SmemdescError(f"{option(unused)} needs --advance", hint=hint, keyword=unused)
    masked: Iterable[Finding] = ()
    remark = ""
    if moved:
        from smemdesc.layout.steps import tiling_of

        # A value may be illegal before it is moved, but its pointer must be legal before and after.
        inside, masked = within(own, values, force)
        before = build(own, inside, base=base, raws=raws, force=True)
        tiling = tiling_of(tile, order, tile_start, known)
        value, remark = _advanced(own, before, known, tiling, advance, advance_mn)
        base = value, before.known
        values, raws = {}, {}  # they are already in the moved value
    try:
        encoded = build(own, values, base=base, raws=raws, context=known, force=force)
    except RefusedError as refused:
        of_base = "raw" if raw else "from_" if from_ is not None else next(iter(refused.finding.fields), "kind")
        refused.keywords = refused.keywords or (of_base,)
        raise
    return Constant(encoded._replace(findings=(*masked, *encoded.findings)), known, remark)


_WITH_LAYOUT = ("dtype", "mma_kind", "swizzle", "units", "shape", "stage", "order", "mma", "at", "arch")
_OF_LAYOUT = {*_WITH_LAYOUT, "start", "major", "trans_a", "trans_b", "force", "kind", "name", "fields", "layout", "tma"}


def _of_layout(typed: Mapping[str, Any]) -> Constant:
    """Return the descriptor of a layout's text, which describes one operand."""
    from smemdesc.tiles.explaining import explain_typed

    typed = {key: value for key, value in typed.items() if not any(value is empty for empty in (None, False, NOTHING))}
    fields = {aliases.field(key): value for key, value in typed["fields"].items()}
    used = {name: typed[name] for name in _WITH_LAYOUT if name in typed}
    used |= {{"start_address": "start"}.get(key, key): value for key, value in fields.items()}
    major = major_of(*(typed.get(name) for name in ("major", "trans_a", "trans_b")))
    odd = [key for key in (*typed, *used) if key not in _OF_LAYOUT] + ["tma"] * ("layout" in typed and "tma" in typed)
    if odd:
        message = f"{option(odd[0])} cannot be used with a layout"
        raise SmemdescError(message, hint="the layout contains it", keyword=odd[0])
    keyword = "layout" if "layout" in typed else "tma"
    text = options.text(keyword, typed[keyword])
    kind = options.needed("kind", options.one_of("kind", typed["name"], SMEM_KINDS))
    explanation = named(keyword, explain_typed, text, kind, major=major, **used)
    answer = named(keyword, explanation.one, force=bool(typed.get("force")))
    if len(answer.steps) > 1:
        hint = "select one with --at MN,K, or take the steps of smemdesc.tile"
        raise SmemdescError(f"the layout has {len(answer.steps)} MMA steps", hint=hint, keyword=keyword)
    of = explanation.solution.kind
    encoded = Encoded(of, answer.first.value, of.table.full, explanation.findings(answer))
    context = explanation.context(answer, options.arch("arch", typed.get("arch")))
    return Constant(encoded, context, "; ".join(explanation.notes))


def values_of(kind: Kind, fields: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Return the values of fields by key, with aliases replaced by keys; values that are text are parsed.

    :class:`smemdesc.engine.errors.FieldError` names the architecture whose table has a field that this one lacks.
    """
    typed_by_key: dict[str, Any] = {}
    for key, typed in fields.items():
        own = key if any(key in variant.table.by_key for variant in (kind, *kind.variants)) else aliases.field(key)
        if own in typed_by_key:
            raise FieldError(key, f"{key} and {own} are the same field: give one")
        typed_by_key[own] = typed
    first: FieldError | None = None
    for variant in (kind, *kind.variants):
        values: dict[str, Any] = {}
        try:
            for key, typed in typed_by_key.items():
                row = variant.table.row(key)
                values[key] = named(key, arguments.field_value, row, typed) if isinstance(typed, str) else typed
        except FieldError as error:
            first = first or legal(error, variant, values, {}, context)
            continue
        check_table(kind, values, context.arch)
        return values
    assert first is not None
    raise first


def _transposed(fields: Mapping[str, Any], trans_a: str | None, trans_b: str | None) -> dict[str, bool]:
    """Return the transpose flags of an instruction descriptor, in the terms of a column-major BLAS."""
    flags = {}
    for operand, flag in (("a", trans_a), ("b", trans_b)):
        name, key = f"trans_{operand}", f"transpose_{operand}"
        word = options.one_of(name, flag, ("N", "T"))
        if word is None:
            continue
        if key in fields:
            raise SmemdescError(f"{option(name)} and {option(key)} are the same: give one", keyword=name)
        flags[key] = options.BLAS[operand, word] == "MN"
    return flags


def _raw(kind: Kind, key: str, typed: int | str) -> int:
    """Return the bits of a field."""
    with about("raw", f"{key}={typed}"):
        number = arguments.whole_number(str(typed))
        if number is None:
            raise SmemdescError(f"{typed!r} is not a number", hint="write KEY=RAW, as in version=0")
        kind.table.insert(0, key, number)
        return number


def _base_offset(kind: Kind, typed: options.Bytes, base: tuple[int, int] | None, values: Mapping[str, Any]) -> int:
    """Return the base offset of data whose swizzle pattern starts at an address."""
    with about("pattern_start", str(typed)):
        if "base_offset" in values:
            raise SmemdescError("it computes the base offset", hint="omit --base-offset")
        kind.table.row("base_offset")
        address = arguments.byte_count(str(typed))
        if address is None:
            raise SmemdescError("not an address", hint="write bytes, as in 1024, 0x480 or 1KiB")
        swizzle = values.get("swizzle", "none")
        if "swizzle" not in values and base is not None:
            swizzle = kind.table.read(*base)["swizzle"].value
        if not isinstance(swizzle, str):
            raise SmemdescError("the swizzle mode is not known", hint="give it with --swizzle")
        return base_offset_of(address, swizzle, kind.name)


def _advanced(
    kind: Kind,
    encoded: Encoded,
    context: Context,
    tiling: Tiling,
    advance: int | str | None,
    advance_mn: int | str | None,
) -> tuple[int, str]:
    """Return the moved value, and a remark if bytes are not a K step; errors name the distance."""
    from smemdesc.descriptors import difference

    if kind.table.masks.get(START, 0) & ~encoded.known:
        raise FieldError(START, "the start address to advance is not known", hint="give it with --start")
    value, moved = encoded.value, "advance_mn" if advance is None else "advance"
    try:
        k, by = arguments.advance_of("0B" if advance is None else str(advance), context.bits)
        mn = arguments.advance_of("0" if advance_mn is None else str(advance_mn), context.bits, along="MN")[0]
        if k or mn:
            value = difference.step(kind, value, k=k, mn=mn, context=context, known=encoded.known, tiling=tiling)
        after = difference.advance(kind, value, by)
        remark = difference.byte_remark(kind, value, encoded.known, by, context, tiling) if by else ""
        return after, f"--advance {advance}: {remark}" if remark else ""
    except FieldError as error:
        key = error.key if error.key in ("advance", "advance_mn") else moved
        raise FieldError(key, error.message, hint=error.hint) from None
    except SmemdescError as error:
        error.keywords = error.keywords or (moved,)
        raise


@keywords
@together
def tensormap(
    *,
    dtype: str,
    address: options.Bytes,
    dim: Numbers,
    stride: Numbers = (),
    box: Numbers = (),
    element_stride: Numbers = (),
    interleave: str = "none",
    swizzle: str = "none",
    l2_promotion: str = "none",
    fill: str = "zero",
    lower_corner: Numbers = (),
    upper_corner: Numbers = (),
    channels: int | None = None,
    pixels: int | None = None,
    force: bool = False,
) -> Constant:
    """Return the tensor map (CUtensorMap) that the driver encodes from these arguments: ``smemdesc encode tensormap``.

    A type is named as the driver (``BFLOAT16``) or PTX does; dimensions are in elements, innermost first, ``stride`` in
    bytes of all but the innermost, as ``(4096, 2048)`` or ``"4096,2048"``. im2col: ``lower_corner``, ``upper_corner``,
    ``channels`` and ``pixels`` instead of ``box``; one number per corner at rank 4 and 5 is im2col wide. The result
    equals a Hopper driver's bit for bit; its ``to_bytes(128, "little")`` is the map as it lies in memory.

    :class:`smemdesc.engine.errors.FieldError` names an argument that the driver rejects;
    :class:`smemdesc.engine.errors.IllegalError` a combination (``force`` encodes it anyway).
    """
    from smemdesc.descriptors import tensormap as maps

    byte = options.needed("address", options.address("address", address))
    words: dict[str, Any] = {
        "interleave": options.one_of("interleave", interleave, ("none", "16B", "32B")),
        "swizzle": options.one_of("swizzle", swizzle, ("none", "32B", "64B", "128B")),
        "l2_promotion": options.one_of("l2_promotion", l2_promotion, ("none", "64B", "128B", "256B")),
        "fill": options.one_of("fill", fill, ("zero", "nan")),
        "stride": _numbers("stride", stride, arguments.byte_count),
        "box": _numbers("box", box),
        "element_stride": _numbers("element_stride", element_stride),
        "lower_corner": _numbers("lower_corner", lower_corner),
        "upper_corner": _numbers("upper_corner", upper_corner),
        "channels": options.count("channels", channels, 0),
        "pixels": options.count("pixels", pixels, 0),
        "force": bool(options.flag("force", force)),
    }
    try:
        named("dtype", maps.data_type, options.text("dtype", dtype))
        return Constant(maps.tensormap(dtype, byte, _numbers("dim", dim), **words))
    except RefusedError as refused:
        key = next((field for field in refused.finding.fields if field not in ("data_type", "rank")), "data_type")
        refused.keywords = (_argument(key)[0],)
        raise
    except FieldError as error:
        key, number = _argument(error.key)
        where = f" of dimension {number}" if number else ""
        message = error.message.removeprefix(f"{error.key}: ")
        raise FieldError(key, f"{option(key)}{where}: {message}", hint=error.hint) from None


_ARGUMENT = {
    "global_address": "address",
    "data_type": "dtype",
    "channels_per_pixel": "channels",
    "pixels_per_column": "pixels",
}
"""The argument of a field of a tensor map, if it has another name."""


def _argument(field: str) -> tuple[str, str]:
    """Return the argument that a field of the map comes from, and the index if the argument has several numbers."""
    key, _, number = field.rpartition("_")
    key, number = (key, number) if number.isdigit() else (field, "")
    return _ARGUMENT.get(key, key), number


def _numbers(keyword: str, typed: Numbers | None, read: Any = arguments.whole_number) -> list[int]:
    """Return numbers; text is split at commas and blanks."""
    is_several = isinstance(typed, Iterable) and not isinstance(typed, bytes | bytearray | memoryview)
    every: Iterable[Any] = () if typed is None else typed if is_several else [typed]  # type: ignore[assignment]
    if isinstance(typed, str):
        every = [word for word in re.split(r"[,\s]+", typed.strip("[](){} ")) if word]
    numbers = []
    for item in every:
        number = read(str(item))
        if number is None:
            hint = f"write them with commas, as in {option(keyword)} 64,128"
            raise SmemdescError(f"{option(keyword)}: {item!r} is not a number", hint=hint, keyword=keyword)
        numbers.append(number)
    return numbers
