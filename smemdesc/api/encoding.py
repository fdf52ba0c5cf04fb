"""``smemdesc.encode`` and ``smemdesc.tensormap``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from smemdesc.api.options import readers
from smemdesc.api.options.keywords import as_read, read_options, reads
from smemdesc.api.options.readers import required
from smemdesc.descriptors.constant import Constant
from smemdesc.descriptors.encoding import Encoded, RefusedError, build, check_table, legal, within
from smemdesc.engine.errors import FieldError, SmemdescError, about, named, option
from smemdesc.engine.fields import Scalar
from smemdesc.engine.wording import either
from smemdesc.kinds import aliases
from smemdesc.kinds.addresses import START, base_offset_of
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import BLAS, SMEM_KINDS
from smemdesc.reading import field_values
from smemdesc.reading.quantities import Bytes, Pair, Shape, byte_count, whole_number

P = ParamSpec("P")
T = TypeVar("T")
Numbers = str | int | Iterable[int]
"""Several numbers: ``(4096, 2048)`` or ``"4096,2048"``; or a single number."""

if TYPE_CHECKING:
    from typing import Literal

    from smemdesc.api.options.literals import KindName, MajorName, MmaKindName, ModeName, OrderName, TransName, TypeName
    from smemdesc.kinds.types import DType
    from smemdesc.rules.base import Finding


def _as_typed(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with errors that name a field as it was given: by its key or another name."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SmemdescError as error:
            typed = {aliases.field_alias(key): key for key in kwargs}
            error.keywords = tuple(
                dict.fromkeys(
                    keyword if keyword in kwargs else typed.get(aliases.field_alias(keyword), keyword)
                    for keyword in error.keywords
                )
            )
            raise

    return call


_OF_LAYOUT = ("layout", "tma", "mma", "at", "stage", "units", "mma_kind")
_OF_VALUE = ("from_", "raw", "pattern_start", "advance", "advance_mn", "tile", "order", "tile_start")


@_as_typed
@reads("tile", "order", "m", "n")
def encode(
    kind: KindName | None = None,
    *,
    mma_kind: MmaKindName | None = None,
    from_: int | str | None = None,
    raw: Mapping[str, int | str] | None = None,
    pattern_start: Bytes | None = None,
    advance: int | str | None = None,
    advance_mn: int | str | None = None,
    context: Context = NOTHING,
    dtype: TypeName | DType | None = None,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    shape: Shape | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    tile: Shape | None = None,
    order: OrderName | None = None,
    tile_start: Bytes | None = None,
    layout: str | None = None,
    tma: str | None = None,
    mma: Shape | None = None,
    at: Pair | None = None,
    stage: int | None = None,
    units: Literal["elements", "16B"] | None = None,
    swizzle: ModeName | None = None,
    force: bool = False,
    **fields: Scalar,
) -> Constant:
    """Return the descriptor with these field values, checked before and after: ``smemdesc encode``.

    ``fields`` of ``kind`` have the keys or short names of its table; a field left out gets the default, or the bits of
    ``from_``, an existing value, which also tells the kind if ``kind`` is not given. ``raw`` maps keys of any fields to
    their bits. ``pattern_start`` (bytes) computes the base offset. ``advance`` moves the start by elements along K
    (``"32B"``: by bytes), ``advance_mn`` along MN; the distance follows from the instruction (as in :func:`decode`), or
    from ``tile``, ``order`` and ``tile_start``.

    ``layout`` is a layout as CuTe or Triton print it, or a TMA box (also ``tma``): the result is the descriptor of the
    operand; ``mma`` (MN x K) and ``at`` (mn, k) select one of several, ``stage`` counts from 0, ``units`` are
    ``elements`` or ``16B``.

    :class:`smemdesc.engine.errors.FieldError` names a field that cannot be set;
    :class:`smemdesc.engine.errors.IllegalError` a forbidden combination (``force`` encodes it anyway).
    """
    if raw is not None and not (isinstance(raw, Mapping) and all(isinstance(key, str) for key in raw)):
        raise SmemdescError(f"{raw!r} is not a mapping", hint='write {"version": 0}', keyword="raw")
    of_layout = zip(_OF_LAYOUT, (layout, tma, mma, at, stage, units, mma_kind), strict=True)
    of_value = zip(_OF_VALUE, (from_, raw, pattern_start, advance, advance_mn, tile, order, tile_start), strict=True)
    given = {name: value for name, value in (*of_layout, *of_value) if value is not None}
    fields |= {} if swizzle is None else {"swizzle": swizzle}
    told = kind_to_change(from_, mma_kind, context.arch) if kind is None and from_ is not None else (kind, mma_kind)
    own = named("kind", kind_of, required("kind", told[0]), told[1], context.arch)
    if own.name == "idesc":
        fields = fields | _transposed(fields, trans_a, trans_b)
    encoded = _of_layout if layout is not None or tma is not None else _of_fields
    return encoded(own, given, context, fields, force)


def kind_to_change(typed: int | str, mma_kind: str | None = None, arch: str | None = None) -> tuple[str, str | None]:
    """Return the kind and the MMA kind of a value that is to be changed.

    :class:`smemdesc.engine.errors.SmemdescError` if it fits several, or none.
    """
    from smemdesc.descriptors.decoding import decode_value
    from smemdesc.descriptors.readings import WHOLE

    result = named("from_", decode_value, typed, mma_kind and "idesc", mma_kind, context=Context(arch=arch))
    typed_as, fits = result.text.strip(), [candidate.id for candidate in result.candidates]
    if not result.ranking.fits or result.kind is None or result.view != WHOLE:
        what = f"fits {either(fits)}" if result.ranking.fits else "is no exact value of any kind"
        raise SmemdescError(f"{typed_as} {what}", hint="give the kind as well", keyword="from_")
    if result.kind == "idesc" and result.mma_kind is None:
        raise SmemdescError(f"{typed_as} fits {either(fits)}", hint="choose one with --mma-kind", keyword="mma_kind")
    return result.kind, result.mma_kind


def _of_fields(own: Kind, given: Mapping[str, Any], context: Context, fields: dict[str, Any], force: bool) -> Constant:
    """Return the descriptor of fields, or of an existing value; ``given`` are the other keywords."""
    moved = "advance" in given or "advance_mn" in given
    if own.name == "mask":
        size: dict[str, Any] = {key: fields.pop(key) for key in ("m", "n") if key in fields}
        context = context._replace(**read_options("decode", size))
    values = values_of(own, fields, context)
    own, base = _base(own, given["from_"], context.arch, force) if "from_" in given else (own, None)
    raws = {key: _raw(own, key, number) for key, number in given.get("raw", {}).items()}
    if "pattern_start" in given:
        values["base_offset"] = _base_offset(own, given["pattern_start"], base, values)
    layout, around = (
        ("--layout", "give --layout TEXT as well"),
        ("--advance", "smemdesc.tile has the descriptors of a tile"),
    )
    needs = dict.fromkeys(("mma", "at", "stage", "units"), layout)
    needs |= {} if moved else dict.fromkeys(("tile", "order", "tile_start"), around)
    for name in (name for name in given if name in needs):
        raise SmemdescError(f"{option(name)} needs {needs[name][0]}", hint=needs[name][1], keyword=name)
    masked: Iterable[Finding] = ()
    remark = ""
    if moved:
        # A value may be illegal before it is moved, but its pointer must be legal before and after.
        inside, masked = within(own, values, force)
        before = build(own, inside, base=base, raws=raws, force=True)
        value, remark = _advanced(own, before, context, given)
        base, values, raws = (value, before.known), {}, {}  # they are in the moved value
    try:
        encoded = build(own, values, base=base, raws=raws, context=context, force=force)
    except RefusedError as refused:
        sources = [name for name in ("raw", "from_") if given.get(name)]
        refused.keywords = refused.keywords or (next(iter([*sources, *refused.finding.fields]), "kind"),)
        raise
    return Constant(encoded._replace(findings=(*masked, *encoded.findings)), context, remark)


def _base(own: Kind, typed: int | str, arch: str | None, force: bool) -> tuple[Kind, tuple[int, int]]:
    """Return the kind of the value to start from, its bits and which of them are known."""
    from smemdesc.descriptors.ranking import rank, wrong_base
    from smemdesc.descriptors.result import literal_of

    literal = named("from_", literal_of, typed)
    start = named("from_", rank, literal, own.id, arch=arch).readings[0]
    for finding in () if force or start.fits else wrong_base(literal, own.id, arch):
        raise SmemdescError(finding.message, hint=f"write {literal.other}", keyword="from_")
    return start.kind, (start.bits, start.known)


_LAYOUT = ("layout", "tma", "mma", "at", "stage", "units", "order")
_OPERAND = ("mma_kind", "dtype", "major", "shape", "arch")
"""The keywords of a layout, and those about the instruction that its text may leave open."""


def _of_layout(own: Kind, given: Mapping[str, Any], context: Context, fields: dict[str, Any], force: bool) -> Constant:
    """Return the descriptor of a layout's text, which describes one operand."""
    from smemdesc.api.layouts import explained_text, text_of_layout

    known = {name: value for name, value in context._asdict().items() if value is not None}
    values = {
        {"start_address": "start"}.get(key, key): fields[typed]
        for typed in fields
        for key in [aliases.field_alias(typed)]
    }
    allowed = (*_LAYOUT, *_OPERAND, "swizzle", "start")
    odd = [name for name in (*given, *known, *values) if name not in allowed] + ["tma"] * (
        "layout" in given and "tma" in given
    )
    if odd:
        message = f"{option(odd[0])} cannot be used with a layout"
        raise SmemdescError(message, hint="the layout contains it", keyword=odd[0])
    keyword = "layout" if "layout" in given else "tma"
    kind = readers.read_word("kind", own.name, SMEM_KINDS)
    asked = {name: value for name, value in given.items() if name not in ("layout", "tma")}
    text = named(keyword, text_of_layout, given[keyword])
    explanation = named(keyword, explained_text, text, kind, **asked, **known, **values)
    answer = named(keyword, explanation.one, force=force)
    if len(answer.steps) > 1:
        hint = "select one with --at MN,K, or take the steps of smemdesc.tile"
        raise SmemdescError(f"the layout has {len(answer.steps)} MMA steps", hint=hint, keyword=keyword)
    of = explanation.solution.kind
    encoded = Encoded(of, answer.first.value, of.table.full, explanation.findings(answer))
    return Constant(encoded, explanation.context(answer, context.arch), "; ".join(explanation.notes))


def values_of(kind: Kind, fields: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Return the values of fields by key, with aliases replaced by keys; values that are text are parsed.

    :class:`smemdesc.engine.errors.FieldError` names the architecture whose table has a field that this one lacks.
    """
    typed_by_key: dict[str, Any] = {}
    for key, typed in fields.items():
        own = (
            key if any(key in variant.table.by_key for variant in (kind, *kind.variants)) else aliases.field_alias(key)
        )
        if own in typed_by_key:
            raise FieldError(key, f"{key} and {own} are the same field: give one")
        typed_by_key[own] = typed
    first: FieldError | None = None
    for variant in (kind, *kind.variants):
        values: dict[str, Any] = {}
        try:
            for key, typed in typed_by_key.items():
                row = variant.table.row(key)
                values[key] = named(key, field_values.field_value, row, typed) if isinstance(typed, str) else typed
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
    for operand, word in (("a", trans_a), ("b", trans_b)):
        name, key = f"trans_{operand}", f"transpose_{operand}"
        if word is None:
            continue
        if key in fields:
            raise SmemdescError(f"{option(name)} and {option(key)} are the same: give one", keyword=name)
        flags[key] = BLAS[operand, word] == "MN"
    return flags


def _raw(kind: Kind, key: str, typed: int | str) -> int:
    """Return the bits of a field."""
    with about("raw", f"{key}={typed}"):
        number = whole_number(str(typed))
        if number is None:
            raise SmemdescError(f"{typed!r} is not a number", hint="write KEY=RAW, as in version=0")
        kind.table.insert(0, key, number)
        return number


def _base_offset(kind: Kind, typed: Bytes, base: tuple[int, int] | None, values: Mapping[str, Any]) -> int:
    """Return the base offset of data whose swizzle pattern starts at an address."""
    with about("pattern_start", str(typed)):
        if "base_offset" in values:
            raise SmemdescError("it computes the base offset", hint="omit --base-offset")
        kind.table.row("base_offset")
        address = byte_count(str(typed))
        if address is None:
            raise SmemdescError("not an address", hint="write bytes, as in 1024, 0x480 or 1KiB")
        swizzle = values.get("swizzle", "none")
        if "swizzle" not in values and base is not None:
            swizzle = kind.table.read(*base)["swizzle"].value
        if not isinstance(swizzle, str):
            raise SmemdescError("the swizzle mode is not known", hint="give it with --swizzle")
        return base_offset_of(address, swizzle, kind.name)


def _advanced(kind: Kind, encoded: Encoded, context: Context, given: Mapping[str, Any]) -> tuple[int, str]:
    """Return the moved value, and a remark if bytes are not a K step; errors name the distance."""
    from smemdesc.layout.steps import tiling_of

    advance, advance_mn = given.get("advance"), given.get("advance_mn")
    tiling = tiling_of(given.get("tile"), given.get("order"), given.get("tile_start"), context)
    from smemdesc.descriptors import difference

    if kind.table.masks.get(START, 0) & ~encoded.known:
        raise FieldError(START, "the start address to advance is not known", hint="give it with --start")
    value, moved = encoded.value, "advance_mn" if advance is None else "advance"
    try:
        k, by = field_values.advance_of("0B" if advance is None else str(advance), context.bits)
        mn = field_values.advance_of("0" if advance_mn is None else str(advance_mn), context.bits, along="MN")[0]
        if k or mn:
            value = difference.step(kind, value, k=k, mn=mn, context=context, known=encoded.known, tiling=tiling)
        after = difference.advance_start(kind, value, by)
        remark = difference.byte_remark(kind, value, encoded.known, by, context, tiling) if by else ""
        return after, f"--advance {advance}: {remark}" if remark else ""
    except FieldError as error:
        key = error.key if error.key in ("advance", "advance_mn") else moved
        raise FieldError(key, error.option_message, hint=error.option_hint) from None
    except SmemdescError as error:
        error.keywords = error.keywords or (moved,)
        raise


@reads()
def tensormap(
    *,
    dtype: str,
    address: Bytes,
    dim: Numbers,
    stride: Numbers = (),
    box: Numbers = (),
    element_stride: Numbers = (),
    interleave: Literal["none", "16B", "32B"] = "none",
    swizzle: Literal["none", "32B", "64B", "128B"] = "none",
    l2_promotion: Literal["none", "64B", "128B", "256B"] = "none",
    fill: Literal["zero", "nan"] = "zero",
    lower_corner: Numbers = (),
    upper_corner: Numbers = (),
    channels: int | None = None,
    pixels: int | None = None,
    allocation_class: Literal["auto", "small", "large"] | None = None,
    backing: Bytes | None = None,
    arch: str | None = None,
    force: bool = False,
) -> Constant:
    """Return the tensor map (CUtensorMap) that the driver encodes from these arguments: ``smemdesc encode tensormap``.

    A type is named as the driver (``BFLOAT16``) or PTX does; dimensions are in elements, innermost first, ``stride`` in
    bytes of all but the innermost, as ``(4096, 2048)`` or ``"4096,2048"``. im2col: ``lower_corner``, ``upper_corner``,
    ``channels`` and ``pixels`` instead of ``box``; one number per corner at rank 4 and 5 is im2col wide.
    ``allocation_class`` is ``small`` (the default), ``large``, or ``auto``, which is small, with a note; ``backing``
    is how many bytes are mapped, starting at the address: large needs 128 KiB. ``arch`` is the target of the copies:
    what its chip lacks is an error. The result equals a Hopper driver's bit for bit; its ``to_bytes(128, "little")`` is
    the map as it lies in memory.

    :class:`smemdesc.engine.errors.FieldError` names an argument that the driver rejects;
    :class:`smemdesc.engine.errors.IllegalError` a combination (``force`` encodes it anyway).
    """
    from smemdesc.descriptors.tensormap import data_type, encode_map

    with _arguments_named():
        named("dtype", data_type, dtype)
        encoded = encode_map(
            dtype,
            as_read(address),
            as_read(dim),
            as_read(stride),
            box=as_read(box),
            element_stride=as_read(element_stride),
            interleave=interleave,
            swizzle=swizzle,
            l2_promotion=l2_promotion,
            fill=fill,
            lower_corner=as_read(lower_corner),
            upper_corner=as_read(upper_corner),
            channels=channels,
            pixels=pixels,
            allocation_class=allocation_class,
            backing=as_read(backing),
            arch=arch,
            force=force,
        )
        return Constant(encoded)


@contextmanager
def _arguments_named() -> Iterator[None]:
    """Make errors about fields of a tensor map errors about the arguments that they come from."""
    try:
        yield
    except RefusedError as refused:
        key = next((field for field in refused.finding.fields if field not in ("data_type", "rank")), "data_type")
        refused.keywords = ("arch",) if refused.finding.rule == "kind-arch" else (_argument(key)[0],)
        raise
    except FieldError as error:
        key, number = _argument(error.key)
        where = f" of dimension {number}" if number else ""
        message = error.option_message.removeprefix(f"{error.key}: ")
        raise FieldError(key, f"{option(key)}{where}: {message}", hint=error.option_hint) from None


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
