"""From fields to a value: checked before packing, and by the rules afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.readings import HIGH_WORD, READING_VIEWS, WHOLE, view_text
from smemdesc.engine.errors import FieldError, IllegalError, SmemdescError
from smemdesc.engine.fields import WORD, Enum, Field, Flag, Table, ones
from smemdesc.engine.wording import show_value
from smemdesc.kinds.addresses import address_window, beyond, too_high
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind, kind_of, with_variant
from smemdesc.kinds.names import KINDS
from smemdesc.reading.field_values import own_name
from smemdesc.reading.pasted import pasted_value
from smemdesc.reading.text import TENSOR_MAP_BITS, VALUE_BITS
from smemdesc.rules.base import ERROR, Finding
from smemdesc.rules.judging import judge, keywords_of


class Encoded(NamedTuple):
    """A packed descriptor and its findings. Unknown bits are 0 in ``value``."""

    kind: Kind
    value: int
    known: int
    findings: tuple[Finding, ...]


def check_table(kind: Kind, fields: Mapping[str, Any], arch: str | None) -> None:
    """Reject fields and values that the table of ``arch`` lacks and another table of the kind has.

    :class:`smemdesc.engine.errors.FieldError` names the architectures that have them.
    """
    newer = next((variant for variant in kind.variants if _has(variant.table, fields)), None)
    if newer is None or _has(kind.table, fields):
        return
    odd = next((key for key, value in fields.items() if not _has(kind.table, {key: value})), [*fields][-1])
    row = kind.table.by_key.get(odd)
    what = odd if row is None else f"{odd} = {fields[odd]}"
    hint = f"{odd} takes {row.codec.describe(row.width)}; or give" if row else "leave it out, or give"
    where = f", not on {arch}" if arch else ""
    raise FieldError(
        odd, f"{odd}: {what} exists on {', '.join(newer.archs)} only{where}", hint=f"{hint} --arch {newer.archs[0]}"
    )


def _has(table: Table, fields: Mapping[str, Any]) -> bool:
    if any(key not in table.by_key for key in fields):
        return False
    try:
        table.encode({key: value for key, value in fields.items() if isinstance(table.by_key[key].codec, Enum | Flag)})
    except FieldError:
        return False
    return True


def build(
    kind: Kind,
    fields: Mapping[str, Any],
    *,
    base: tuple[int, int] | None = None,
    raws: Mapping[str, int] | None = None,
    context: Context = NOTHING,
    force: bool = False,
) -> Encoded:
    """Pack ``fields`` (values) and ``raws`` (raw numbers) on top of ``base``, and check the result.

    ``base`` is (bits, known bits) of an existing value; without it every field left out gets its default.
    """
    table = kind.table
    known = table.full
    start: dict[str, int] = {}
    if base is not None:
        known = base[1]
        start = dict(zip((row.key for row in table.rows), table.unpack(base[0]), strict=True))
    numbers = {**(raws or {})}
    fields, masked = within(kind, fields, force)
    packed = _packed(kind, fields, {**start, **numbers}, context)
    value = table.pack(packed)
    for key in (*fields, *numbers):
        known |= table.masks[key]
    findings = (*masked, *judge(kind, table.read(value, known), context))
    errors = [finding for finding in findings if finding.severity == ERROR]
    if errors and not force:
        names = tuple(key for key in errors[0].fields if key in fields)
        names += keywords_of(kind, table.read(value, known), context, errors[0].rule)
        raise RefusedError(errors[0], value, findings, names)
    return Encoded(kind, value & known, known, findings)


def within(kind: Kind, fields: Mapping[str, Any], force: bool) -> tuple[Mapping[str, Any], list[Finding]]:
    """Reject addresses and offsets with too many bits; with ``force`` use their low bits, and report it."""
    rows = kind.table.by_key
    high = [key for key, value in fields.items() if key in rows and beyond(rows[key], value)]
    if not high:
        return fields, []
    if not force:
        raise too_high(rows[high[0]], fields[high[0]])
    from smemdesc.rules.arguments import address_masked

    low = {key: fields[key] % address_window(rows[key]) for key in high}
    masked = [finding for key in high for finding in address_masked.apply(rows[key], fields[key], low[key])]
    return {**fields, **low}, masked


def _packed(
    kind: Kind, values: Mapping[str, Any], raws: Mapping[str, int], context: Context = NOTHING
) -> dict[str, int]:
    """Return the raw numbers; where M or N has none, the error says which are legal, not what the bits hold."""
    try:
        return kind.table.encode(values, raws)
    except FieldError as error:
        raise legal(error, kind, values, raws, context) from None


def legal(
    error: FieldError, kind: Kind, values: Mapping[str, Any], raws: Mapping[str, int], context: Context
) -> FieldError:
    """Return the error about a field; for M and N with the values that are legal here."""
    key = error.key
    if kind.mma_kind is None or key not in ("m", "n"):
        return error
    from smemdesc.kinds.shapes import values_taken

    table = kind.table
    known = {field: table.by_key[field].codec.decode(raw) for field, raw in raws.items() if field in table.by_key}
    message = error.option_message
    if isinstance(values.get(key), int) and not isinstance(values[key], bool):
        message = f"{key}: there is no {key.upper()} = {values[key]}"
    return FieldError(key, message, hint=values_taken(kind, key, context, {**known, **values}))


class RefusedError(IllegalError):
    """The rules forbid the combination; ``finding`` is the first error, ``findings`` are all.

    ``keywords`` are the fields that were given, and what is known of the instruction.
    """

    def __init__(self, finding: Finding, value: int, findings: tuple[Finding, ...], keyword: tuple[str, ...]) -> None:
        hint = finding.fix or "change it, or force it"
        super().__init__(f"{finding.message} [{finding.rule}]", hint=f"{hint} ({finding.source})", keyword=keyword)
        self.finding = finding
        self.findings = findings
        self.value = value


class FromObject(NamedTuple):
    """A value read from an object of ``decode --json``."""

    text: str
    """The value as hexadecimal text of the width that was decoded: what ``decode`` was given."""
    value: int
    known: int
    width: int
    kind: Kind | None

    def encoded(self) -> Encoded:
        """Return the value with its kind; :class:`smemdesc.engine.errors.SmemdescError` if several fit."""
        if self.kind is None:
            raise SmemdescError(f"{self.text} fits several kinds", hint="replace candidates by one kind")
        return Encoded(self.kind, self.value, self.known, ())


def from_object(data: object) -> FromObject:
    """Return the value of an object, as ``decode --json`` writes it or with plain values in ``fields``.

    A field's ``raw`` is used unchanged; a field with neither ``raw`` nor ``value``, or a missing one, keeps the
    bits of the object's ``value``; without that, a missing field gets the kind's default.
    :class:`smemdesc.engine.errors.SmemdescError` names an unknown key, a value out of range, or a field that the
    object's ``value`` contradicts.
    """
    if not isinstance(data, dict):
        raise SmemdescError("an object is needed", hint='as in {"kind": "tcgen05", "fields": {"start_address": 1024}}')
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise SmemdescError(f"unknown key {unknown[0]!r}", hint=f"the keys are {', '.join(_KEYS)}")
    fields = data.get("fields", {})
    if not isinstance(fields, dict):
        raise SmemdescError("fields must be an object")
    view = data.get("view", WHOLE)
    if view not in READING_VIEWS:
        raise SmemdescError(f"there is no view {show_value(view)}", hint=f"it is one of {', '.join(READING_VIEWS)}")
    if data.get("candidates"):
        return _disputed(data, fields)
    kind = _kind(data)
    table = kind.table
    base, known = _base(data, table.width)
    if base is not None and "fields" not in data:
        mask = table.full if known is None else known
        return _finish(base & mask, mask, kind, table.width, view)
    raws, values, kept = _read_entries(table, fields, base)
    stale = {key: values.pop(key) for key in list(values) if key in raws}
    if base is not None:
        # What fields leave out is as value has it.
        own = zip(table.rows, table.unpack(base), strict=True)
        raws = {**{row.key: raw for row, raw in own if row.key not in fields}, **raws}
    packed = _packed(kind, within(kind, values, False)[0], raws)
    _agree(table.read(table.pack(packed)), stale)
    # A given field is known; of the others only the bits that the object has.
    mask = table.full if known is None else known
    if base is not None:
        _same(table.unpack(table.pack(packed)), table.unpack(base), table, mask, fields)
    for key in fields.keys() - kept:
        mask |= table.masks[key]
    return _finish(table.pack(packed) & mask, mask, kind, table.width, view)


def _read_entries(
    table: Table, fields: Mapping[str, Any], base: int | None
) -> tuple[dict[str, int], dict[str, Any], set[str]]:
    """Return the bits and the values that the fields of an object give, and the fields that keep the bits of ``base``.

    A field may give both; then they must agree.
    """
    raws: dict[str, int] = {}
    values: dict[str, Any] = {}
    kept: set[str] = set()
    for key, entry in fields.items():
        row = table.row(key)
        _place(row, entry)
        raw, value, from_base = _entry(key, entry)
        if from_base:
            if base is None:
                raise FieldError(
                    key, f"{key} has neither raw nor value", hint='and the object has no "value" to take it from'
                )
            kept.add(key)
            raws[key] = table.unpack(base)[table.index(key)]
        elif raw is not None:
            if not 0 <= raw <= ones(row.width):
                raise FieldError(key, f"{key}: raw {raw} does not fit {row.width} bits (0..{ones(row.width)})")
            raws[key] = raw
        if value is not None:
            values[key] = own_name(row, value)
    return raws, values, kept


_KEYS = (
    *("input", "value", "known", "kind", "mma_kind", "variant", "view", "fields", "verdict", "findings"),
    *("candidates", "near", "start", "undecided", "reading", "step", "expansion", "role", "major", "dtype", "shape"),
    *("checked", "not_checked"),
)


def _kind(data: Mapping[str, Any]) -> Kind:
    name = data.get("kind")
    if not isinstance(name, str):
        raise SmemdescError('the object has no "kind"', hint=f"it is one of {', '.join(KINDS)}")
    mma_kind = data.get("mma_kind")
    if mma_kind is not None and not isinstance(mma_kind, str):
        raise SmemdescError(f"mma_kind is a name, not {show_value(mma_kind)}")
    variant = data.get("variant", "")
    if not isinstance(variant, str):
        raise SmemdescError(f"variant is a name, not {show_value(variant)}")
    own = with_variant(kind_of(name, mma_kind), variant)
    return _form_of_map(data) if own.name == "tensormap" else own


def _form_of_map(data: Mapping[str, Any]) -> Kind:
    """Return the kind of tensor map that an object describes: from its value, else from its mode and rank."""
    from smemdesc.kinds.tensormap import IM2COL, MAP_BITS, table_of

    if data.get("value") is not None:
        return kind_of(table_of(pasted_value(str(data["value"])).at(MAP_BITS)[0]).name)
    fields = data.get("fields", {})
    plain = {key: entry.get("value") if isinstance(entry, dict) else entry for key, entry in fields.items()}
    rank = plain.get("rank")
    if plain.get("mode") != "im2col" or not isinstance(rank, int) or rank not in IM2COL:
        return kind_of("tensormap")
    return kind_of(IM2COL[rank].name)


def _base(data: Mapping[str, Any], width: int) -> tuple[int | None, int | None]:
    """The bits and the mask of known bits that the object gives as a whole."""
    value = data.get("value")
    if value is None:
        return None, None
    known = data.get("known")
    return _parse(value, width), None if known is None else _parse(known, width)


def _parse(value: object, width: int) -> int:
    # A number of JSON is decimal, whatever its digits.
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return pasted_value(value if isinstance(value, str) else f"{value:+d}" if is_number else show_value(value)).at(
        width
    )[0]


def _entry(key: str, entry: object) -> tuple[int | None, Any, bool]:
    """Return raw, value and whether the bits are to be taken from the object's value."""
    if entry is None:
        return None, None, True
    if not isinstance(entry, dict):
        return None, entry, False
    odd = [name for name in entry if name not in ("hi", "lo", "raw", "value", "known")]
    if odd:
        raise FieldError(key, f"{key}: unknown key {odd[0]!r}", hint="a field has hi, lo, raw, value, known")
    raw, value = entry.get("raw"), entry.get("value")
    if raw is not None and (isinstance(raw, bool) or not isinstance(raw, int)):
        raise FieldError(key, f"{key}: raw is a whole number, not {show_value(raw)}")
    return raw, value, raw is None and value is None


def _place(row: Field, entry: object) -> None:
    """Reject an object whose fields have other bits: it was written for another kind."""
    if isinstance(entry, dict):
        for name, own in (("hi", row.hi), ("lo", row.lo)):
            if entry.get(name, own) not in (own, None):
                raise FieldError(row.key, f"{row.key}: {name} is {own} in this kind, not {show_value(entry[name])}")


def _agree(readings: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        reading = readings[key]
        if reading.value != value or isinstance(reading.value, bool) != isinstance(value, bool):
            raise FieldError(
                key,
                f"{key}: raw {reading.raw} says {show_value(reading.value)}, value says {show_value(value)}",
                hint="remove one of the two from the object",
            )


def _same(own: Sequence[int], whole: Sequence[int], table: Table, known: int, fields: Mapping[str, Any]) -> None:
    """Reject fields that differ from the object's value, where its bits are known."""
    for row, of_fields, of_value in zip(table.rows, own, whole, strict=True):
        if row.key in fields and known & table.masks[row.key] == table.masks[row.key] and of_fields != of_value:
            raise FieldError(
                row.key,
                f"{row.key} is {of_fields} in the bits of fields, but {of_value} in value",
                hint='remove "value" or the field from the object',
            )


def _disputed(data: Mapping[str, Any], fields: Mapping[str, Any]) -> FromObject:
    """An object with several readings: the value itself, with what its settled fields say."""
    candidates = data["candidates"]
    if not isinstance(candidates, list) or not all(isinstance(name, str) for name in candidates):
        raise SmemdescError("candidates must be a list of kinds")
    value = data.get("value")
    if not isinstance(value, str):
        raise SmemdescError('an object with candidates needs its "value"', hint="or replace candidates by one kind")
    width = 4 * len(value.removeprefix("0x"))
    if width not in (WORD, VALUE_BITS, TENSOR_MAP_BITS):
        raise SmemdescError(f"the value {value!r} has neither 8 nor 16 digits, nor the 256 of a tensor map")
    bits = _parse(value, width)
    known = ones(width) if data.get("known") is None else _parse(data["known"], width)
    for key, entry in fields.items():
        raw, expected, _ = _entry(key, entry)
        if raw is None and expected is not None:
            raise FieldError(key, f"{key}: a plain value is ambiguous: several readings fit", hint="give one kind")
        if raw is None or expected is None:
            continue
        seen = _bits_at(data, key, bits, width)
        if seen is not None and seen != raw:
            raise FieldError(key, f"{key}: raw {raw} contradicts the value ({seen})", hint="give one kind")
    return _finish(bits & known, known, None, width, data.get("view", WHOLE))


def _bits_at(data: Mapping[str, Any], key: str, bits: int, width: int) -> int | None:
    for name in data["candidates"]:
        try:
            table = kind_of(str(name).removesuffix(f":{HIGH_WORD}")).table
        except SmemdescError:
            raise SmemdescError(f"there is no candidate {name!r}") from None
        if table.width == width and key in table.by_key:
            return table.unpack(bits)[table.index(key)]
    return None


def _finish(bits: int, known: int, kind: Kind | None, width: int, view: str) -> FromObject:
    return FromObject(view_text(bits, known, width, view), bits, known, width, kind)
