"""From a value to its fields, findings and, if several fit, all readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from smemdesc.descriptors.ranking import Ranking, in_sound_base, judge_ranking, judge_text, other_fits, rank, wrong_base
from smemdesc.descriptors.readings import WHOLE, DescriptorReading, NamedFields, bare_value, typed_from
from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError, SmemdescError, WidthError
from smemdesc.engine.fields import WORD, FieldReading, Table, ones
from smemdesc.kinds import aliases
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.reading.pasted import pasted_value, pasted_values, several
from smemdesc.reading.text import TENSOR_MAP_BITS, VALUE_BITS, Literal, to_hex
from smemdesc.rules.base import AMBIGUOUS, NOTE, Finding, fails, verdict
from smemdesc.rules.identification import error_in_every_reading, warning_in_every_reading
from smemdesc.rules.judging import ordered, rules_in_common, undecided

if TYPE_CHECKING:
    from typing import Protocol

    from smemdesc.descriptors.checks import Checks
    from smemdesc.kinds.addresses import RelativeStart
    from smemdesc.kinds.kind import Kind
    from smemdesc.layout.zero_columns import ColumnMask
    from smemdesc.rules.completions import Undecided

    class MapComparison(Protocol):
        """A tensor map compared with a descriptor (:mod:`smemdesc.tiles.tensor_map`)."""

        @property
        def swizzle(self) -> str:
            """The mode with which the map writes."""

        def to_dict(self) -> dict[str, Any]:
            """Return the object of JSON."""


@shown()
class Result(NamedTuple):
    """A decoded value.

    ``fields`` maps each key to its reading (``hi``, ``lo``, ``raw``, ``value``); if several readings
    fit, only fields that they agree on have a value, ``candidates`` holds them all and ``kind`` is what
    they have in common, or None.
    """

    literal: Literal
    value: int
    """The bits of the descriptor, unknown ones as 0."""
    known: int
    """The mask of known bits."""
    width: int
    kind: str | None
    mma_kind: str | None
    view: str
    """``whole``, ``high_word`` or ``in_high_word`` (see :class:`smemdesc.descriptors.readings.DescriptorReading`)."""
    fields: Mapping[str, FieldReading | AmbiguousField]
    findings: tuple[Finding, ...]
    candidates: tuple[DescriptorReading, ...]
    """The readings that fit, if no kind was requested; exactly one if the value is unambiguous."""
    ranking: Ranking
    context: Context = NOTHING
    """What was known about the instruction."""
    map_check: MapComparison | None = None
    """A tensor map that was compared with the descriptor."""

    def __getitem__(self, key: Any) -> Any:
        """Return the value of a field, by any of its names (None if it is not known); for a number, as of a tuple."""
        return self.fields[key].value if isinstance(key, str) else tuple.__getitem__(self, key)

    @property
    def text(self) -> str:
        """The value as it was pasted."""
        return self.literal.text

    @property
    def settled(self) -> bool:
        """Whether there is one reading."""
        return len(self.candidates) == 1

    @property
    def agreed(self) -> dict[str, FieldReading]:
        """The fields that all readings agree on."""
        return {key: field for key, field in self.fields.items() if isinstance(field, FieldReading)}

    @property
    def variant(self) -> str:
        """The name of the tables of all readings, if these are not the common ones."""
        return _same_of_all(candidate.kind.variant for candidate in self.candidates) or ""

    @property
    def others(self) -> tuple[DescriptorReading, ...]:
        """Every other reading that fits the value, whatever kind was requested."""
        return other_fits(self.literal, self.ranking, self.context.arch)

    @property
    def expansion(self) -> ColumnMask | None:
        """The columns that a mask zeroes; None without M and N, if a bit is not known, or if there is no such mask."""
        m, n = self.context.m, self.context.n
        if self.kind != "mask" or not m or not n or self.known != ones(self.width):
            return None
        from smemdesc.layout.zero_columns import expand

        try:
            return expand(self.value, m, n)
        except SmemdescError:
            return None  # the findings report why no such mask exists

    @property
    def start(self) -> RelativeStart | None:
        """The start address as a base and an offset, if it was given so."""
        return self.literal.start

    @property
    def undecided(self) -> tuple[Undecided, ...]:
        """What is found for some numbers that the unknown bits may be, and not for others; nothing where several
        readings fit."""
        reading = self.candidates[0]
        if not self.settled or reading.known == reading.kind.table.full:
            return ()
        return undecided(reading.kind, reading.fields, self.context)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of its readings."""
        return tuple(dict.fromkeys(candidate.kind for candidate in self.candidates))

    @property
    def checks(self) -> Checks:
        """What was judged, and what was not."""
        from smemdesc.descriptors.checks import checks

        return checks(self.kinds, self.context, self.map_check is not None)

    @property
    def verdict(self) -> str:
        """``valid``, ``suspicious``, ``invalid``, or ``ambiguous`` if several readings fit."""
        return AMBIGUOUS if not self.settled and self.ranking.fits else verdict(self.findings)

    def __str__(self) -> str:
        from smemdesc.descriptors.explain import one_line

        first = self.candidates[0].kind
        text = one_line(first, self.agreed)
        if not self.settled:
            same = all(candidate.kind.name == first.name for candidate in self.candidates)
            fields = text.partition(": ")[2] if same else ""
            text = " or ".join(candidate.id for candidate in self.candidates) + (f": {fields}" if fields else "")
        rules = dict.fromkeys(
            finding.rule for finding in self.findings if finding.severity != NOTE and not finding.because
        )
        why = f" ({', '.join(rules)})" if rules else ""
        return f"{self._typed}  {text}: {self.verdict}{why}"

    @property
    def _typed(self) -> str:
        """The value as it is typed, with its start as a base and an offset, if it was given so."""
        if self.start is None or not self.settled:
            return to_hex(self.value, self.known, self.width)
        return typed_from(self.start, self.value, self.known)

    @property
    def ok(self) -> bool:
        """Whether no error was found (``--check``)."""
        return not fails(self.findings)

    @property
    def has_error(self) -> bool:
        """Whether an error was found."""
        return not self.ok

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning (``--strict``)."""
        return fails(self.findings, strict)

    def bare(self, name: str) -> str:
        """Return the value of a field: a number (bytes, for offsets), a name, ``true`` or ``false``; its bits for
        ``NAME.raw``; of ``kind``, the kind; of ``verdict``, whether it is sound.

        ``?`` if it is not known, ``undefined:RAW`` for an undefined code. ``NAME.raw`` is the raw number, ``kind``
        the kind of the value.
        :class:`smemdesc.engine.errors.FieldError` if there is no such field, or the readings disagree on it.
        """
        name, dot, part = name.partition(".")
        raw = part == "raw"
        if dot and not raw:
            raise FieldError(
                name, f"{name} has no {part!r}", hint=f"{name} is its value, {name}.raw its bits as a number"
            )
        if name == "verdict" and not raw:
            return self.verdict
        if name == "kind" and not raw:
            return self.kind or self._depends(name, [candidate.id for candidate in self.candidates])
        name = name if name in self.fields else aliases.field_alias(name)
        reading = self.fields.get(name)
        if reading is None:
            first = self.candidates[0].kind.table
            first.row(name)  # the error lists the fields
            raise FieldError(name, f"no reading of {self.text} has a field {name!r}")
        if isinstance(reading, FieldReading):
            return bare_value(reading, raw)
        if raw and reading.raw is not None:
            return str(reading.raw)
        values = []
        for candidate in self.candidates:
            own = candidate.fields.get(name)
            values.append(f"{candidate.id}: {'no such field' if own is None else bare_value(own, raw)}")
        return self._depends(name, values)

    def _depends(self, name: str, readings: Sequence[str]) -> NoReturn:
        raise FieldError(
            name,
            f"{name} of {self.text} depends on the reading ({'; '.join(readings)})",
            hint="choose one with --kind or --mma-kind",
        )

    def to_dict(self, expand: bool = True) -> dict[str, Any]:
        """Return the JSON object. ``expand``: with the columns of a mask, if the context has M and N."""
        value = to_hex(self.value, ones(self.width), self.width)
        out: dict[str, Any] = {"input": self.text.strip(), "value": value}
        if self.known.bit_count() < self.width:
            out["known"] = to_hex(self.known, ones(self.width), self.width)
        out["kind"] = self.kind
        out["mma_kind"] = self.mma_kind
        if self.variant:
            out["variant"] = self.variant
        if self.view != WHOLE:
            out["view"] = self.view
        if not self.settled:
            out["candidates"] = [candidate.id for candidate in self.candidates]
        out["fields"] = {key: reading.to_dict() for key, reading in self.fields.items()}
        if self.start is not None:
            out["start"] = self._start_dict(self.start)
        out["verdict"] = self.verdict
        out["findings"] = [finding.to_dict() for finding in self.findings]
        out |= self.checks.to_dict()
        if self.ranking.near_misses:
            out["near"] = [near_miss.to_dict() for near_miss in self.ranking.near_misses]
        if of_some := self.undecided:
            out["undecided"] = [each.to_dict(self.candidates[0].kind.table.width) for each in of_some]
        if self.map_check is not None:
            out["map"] = self.map_check.to_dict()
        if expand and self.kind == "mask" and self.context.m and self.context.n:
            out["expansion"] = self.expansion and self.expansion.to_dict()
        return out

    def _start_dict(self, start: RelativeStart) -> dict[str, Any]:
        from smemdesc.kinds.addresses import START, alignment_of

        reading = self.candidates[0].fields[START]
        return {"base": start.base, "offset": start.offset, "alignment": alignment_of(start, reading)}


class AmbiguousField(NamedTuple):
    """A field on which the readings of a value disagree; None for what differs."""

    hi: int | None
    lo: int | None
    raw: int | None
    value: None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, as of a :class:`smemdesc.engine.fields.FieldReading`."""
        return {"hi": self.hi, "lo": self.lo, "raw": self.raw, "value": self.value}


def literal_of(value: Literal | int | str | bytes) -> Literal:
    """Return what :func:`smemdesc.reading.pasted.pasted_value` reads in a text; for a number, :func:`of_int`.

    The bytes of a tensor map are read as they lie in memory.
    """
    if isinstance(value, Literal):
        return value
    if isinstance(value, bytes):
        if len(value) != TENSOR_MAP_BITS // 8:
            raise SmemdescError(
                f"{len(value)} bytes are not a tensor map", hint=f"a tensor map has {TENSOR_MAP_BITS // 8}"
            )
        value = value.hex()
    return _of_words(value) if isinstance(value, str) else of_int(index_of(value))


def _of_words(text: str) -> Literal:
    """Return the value of a text, or of its two words, where only one order of them makes a descriptor."""
    literals = pasted_values(text)
    if len(literals) == 2:
        from smemdesc.descriptors.near_misses import are_words, join_two

        if (joined := join_two(*literals)) is not None:
            return joined
        if not are_words(*literals):
            raise several(literals, text)
    return pasted_value(text)


def index_of(value: object) -> int:
    """Return an integer of any type. :class:`smemdesc.engine.errors.SmemdescError` for anything else."""
    try:
        if not isinstance(value, bool):
            return index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise SmemdescError(f"{value!r} is not a value", hint="give a whole number, or text as it was pasted")


A_NUMBER = "a number"
"""The form of a value that was not pasted."""


def of_int(number: int) -> Literal:
    """Return a number as if it had been pasted as hexadecimal digits."""
    literal = Literal(hex(number), number, 0, 0, A_NUMBER)
    if TENSOR_MAP_BITS >= literal.bit_length > TENSOR_MAP_BITS // 2 and number > 0:
        return pasted_value(number.to_bytes(TENSOR_MAP_BITS // 8, "little").hex())
    if literal.bit_length > VALUE_BITS:
        raise WidthError(f"the value has {literal.bit_length} bits, the widest descriptor has {VALUE_BITS}")
    return literal


def decode_literal(
    literal: Literal, kind: str | None = None, mma_kind: str | None = None, context: Context = NOTHING
) -> Result:
    """Decode what :func:`smemdesc.reading.text.parse_value` has read."""
    literal = in_sound_base(literal, kind, mma_kind, context.arch)
    return result_of(literal, rank(literal, kind, mma_kind, context.arch), context)


def result_of(literal: Literal, ranking: Ranking, context: Context = NOTHING) -> Result:
    """Return the result of the readings of a value, with the findings that ``context`` adds."""
    readings = tuple(reading.in_context(context) for reading in ranking.readings)
    base: list[Finding] = []
    if literal.other and not ranking.fits:
        requested = ranking.readings[0].kind.id if ranking.requested else None
        base = wrong_base(literal, requested, context.arch)
    first, *others = readings
    bits, known, width, view = first.bits, first.known, first.kind.table.width, first.view
    fields: Mapping[str, FieldReading | AmbiguousField] = first.fields
    findings = [*base]
    if others:
        alike = all((candidate.view, candidate.bits, candidate.known) == (view, bits, known) for candidate in others)
        if not alike:
            width = VALUE_BITS if literal.bit_length > WORD or literal.width == VALUE_BITS else WORD
            (bits, known), view = literal.at(width), WHOLE
        fields = NamedFields(_agreed(readings, alike))
        findings += _in_all(readings, context)
        for rule in (error_in_every_reading, warning_in_every_reading) if ranking.fits else ():
            findings += rule.apply([(reading.id, reading.findings) for reading in readings])
    else:
        findings += first.findings
    findings += judge_ranking(literal, ranking, context.arch)
    if base:
        findings = [finding for finding in findings if finding.rule != base[0].rule or finding in base]
    return Result(
        literal,
        bits,
        known,
        width,
        _same_of_all(reading.kind.name for reading in readings),
        _same_of_all(reading.mma_kind for reading in readings),
        view,
        fields,
        ordered(findings),
        readings,
        ranking,
        context,
    )


def _same_of_all(names: Iterable[str | None]) -> str | None:
    """Return the value that all readings share, None if they differ."""
    different = set(names)
    return different.pop() if len(different) == 1 else None


def _in_all(readings: Sequence[DescriptorReading], context: Context) -> list[Finding]:
    """Return the findings that all readings have."""
    rules = rules_in_common(tuple(reading.kind for reading in readings), context)
    if not rules:
        return []
    first, *others = readings
    return [
        finding
        for finding in first.findings
        if finding.rule in rules and all(finding in table.findings for table in others)
    ]


def _agreed(readings: Sequence[DescriptorReading], alike: bool) -> dict[str, FieldReading | AmbiguousField]:
    """Return the fields of all readings; with a value where they agree on it."""
    fields: dict[str, FieldReading | AmbiguousField] = {}
    for key, (everywhere, open_field) in _places(tuple(reading.kind.table for reading in readings), alike).items():
        fields[key] = open_field
        if everywhere:
            first, *others = (reading.fields[key] for reading in readings)
            agree = all((row.value, row.known) == (first.value, first.known) for row in others)
            fields[key] = first if agree else open_field._replace(raw=first.raw)
    return fields


@lru_cache(256)
def _places(tables: tuple[Table, ...], alike: bool) -> dict[str, tuple[bool, AmbiguousField]]:
    """Return each field of several tables, without a value, and whether it has the same bits in all of them."""
    places = {}
    for key in dict.fromkeys(row.key for table in tables for row in table.rows):
        rows = [table.by_key[key] for table in tables if key in table.by_key]
        hi, lo = rows[0].hi, rows[0].lo
        same = alike and all((row.hi, row.lo) == (hi, lo) for row in rows)
        places[key] = (
            same and len(rows) == len(tables),
            AmbiguousField(hi if same else None, lo if same else None, None),
        )
    return places


def with_text(result: Result, value: Literal | int | str, name: str) -> Result:
    """Return a result of the bits of a value with what :func:`decode` finds in its text.

    ``name``: of an operand, whose kind the instruction says; any MMA kind will do for an instruction descriptor.
    """
    if not isinstance(value, str):
        return result
    literal, kind = literal_of(value), result.candidates[0].kind
    base: list[Finding] = []
    if literal.other and result.has_error:
        kind_id = "idesc" if kind.name == "idesc" else kind.id
        base = wrong_base(literal, kind_id, result.context.arch)
        base = [finding._replace(fix=f"--{name} {literal.other}") for finding in base]
    of_text = (finding for finding in judge_text(literal) if finding.rule not in {known.rule for known in base})
    return result._replace(findings=ordered((*base, *result.findings, *of_text)))


def matrix_reading(result: Result) -> DescriptorReading:
    """Return the only reading of a value, which must be a shared-memory descriptor.

    :class:`smemdesc.engine.errors.SmemdescError` if it is of another kind, or if several readings fit.
    """
    names = [candidate.id for candidate in result.candidates]
    if not result.settled:
        raise SmemdescError(f"{result.text} fits {', '.join(names)}", hint="give --kind")
    if result.kind not in SMEM_KINDS:
        raise SmemdescError(
            f"{result.text} is not a shared-memory descriptor but {names[0]}",
            hint="give --kind wgmma or tcgen05 to read it as one",
        )
    return result.candidates[0]
