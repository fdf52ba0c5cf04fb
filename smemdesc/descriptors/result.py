"""From a value to its fields, findings and, if several fit, all readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import Any, NamedTuple, NoReturn, Protocol

from smemdesc.descriptors.ranking import Ranking, newer_readings, rank
from smemdesc.descriptors.readings import LEGAL, LIKELY, WHOLE, DescriptorReading, as_high_word, idescs
from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError, SmemdescError, WidthError
from smemdesc.engine.fields import WORD, FieldReading, Frozen, Table, ones, words
from smemdesc.engine.wording import short
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.kinds.pasted import several, values
from smemdesc.kinds.pasted import value as one_value
from smemdesc.kinds.text import MAP, WIDEST, Literal, parse, to_hex
from smemdesc.rules.base import AMBIGUOUS, ERROR, NOTE, RANK, WARNING, Finding, fails, verdict
from smemdesc.rules.judging import ordered, rules_in_common


class MapComparison(Protocol):
    """A tensor map compared with a descriptor (:mod:`smemdesc.tiles.tensor_map`)."""

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
    def verdict(self) -> str:
        """``valid``, ``suspicious``, ``invalid``, or ``ambiguous`` if several readings fit."""
        return AMBIGUOUS if not self.settled and self.ranking.fits else verdict(self.findings)

    def __str__(self) -> str:
        from smemdesc.descriptors.explain import summary

        first = self.candidates[0].kind
        text = summary(first, self.agreed)
        if not self.settled:
            same = all(candidate.kind.name == first.name for candidate in self.candidates)
            fields = text.partition(": ")[2] if same else ""
            text = " or ".join(candidate.id for candidate in self.candidates) + (f": {fields}" if fields else "")
        rules = dict.fromkeys(
            finding.rule for finding in self.findings if finding.severity != NOTE and not finding.because
        )
        why = f" ({', '.join(rules)})" if rules else ""
        return f"{to_hex(self.value, self.known, self.width)}  {text}: {self.verdict}{why}"

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
        ``NAME.raw``; of ``kind``, the kind.

        ``?`` if it is not known, ``undefined:RAW`` for an undefined code. ``NAME.raw`` is the raw number, ``kind``
        the kind of the value.
        :class:`smemdesc.engine.errors.FieldError` if there is no such field, or the readings disagree on it.
        """
        from smemdesc.kinds import aliases

        name, dot, part = name.partition(".")
        raw = part == "raw"
        if dot and not raw:
            raise FieldError(
                name, f"{name} has no {part!r}", hint=f"{name} is its value, {name}.raw its bits as a number"
            )
        if name == "kind" and not raw:
            return self.kind or self._depends(name, [candidate.id for candidate in self.candidates])
        name = name if name in self.fields else aliases.field(name)
        reading = self.fields.get(name)
        if reading is None:
            first = self.candidates[0].kind.table
            first.row(name)  # the error lists the fields
            raise FieldError(name, f"no reading of {self.text} has a field {name!r}")
        if isinstance(reading, FieldReading):
            return bare(reading, raw)
        if raw and reading.raw is not None:
            return str(reading.raw)
        values = []
        for candidate in self.candidates:
            own = candidate.fields.get(name)
            values.append(f"{candidate.id}: {'no such field' if own is None else bare(own, raw)}")
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
        out["findings"] = [finding.to_dict() for finding in self.findings]
        if self.ranking.near_misses:
            out["near"] = [near_miss.to_dict() for near_miss in self.ranking.near_misses]
        if self.map_check is not None:
            out["map"] = self.map_check.to_dict()
        if expand and self.kind == "mask" and self.context.m and self.context.n:
            out["expansion"] = self._expansion(self.context.m, self.context.n)
        return out

    def _expansion(self, m: int, n: int) -> dict[str, Any] | None:
        from smemdesc.layout.zero_columns import expand

        if self.known != ones(self.width):
            return None
        try:
            return expand(self.value, m, n).to_dict()
        except SmemdescError:
            return None  # the findings report why no such mask exists


def bare(reading: FieldReading, raw: bool = False) -> str:
    """Return a field's value, or the number in its bits, as :meth:`Result.bare` does."""
    if raw:
        return "?" if reading.raw is None else str(reading.raw)
    if not reading.settled:
        return "?"
    if reading.value is None:
        return f"undefined:{reading.raw}"
    return str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)


class AmbiguousField(NamedTuple):
    """A field on which the readings of a value disagree; None for what differs."""

    hi: int | None
    lo: int | None
    raw: int | None
    value: None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, as of a :class:`smemdesc.engine.fields.FieldReading`."""
        return {"hi": self.hi, "lo": self.lo, "raw": self.raw, "value": self.value}


def decode(
    value: int | str,
    kind: str | None = None,
    mma_kind: str | None = None,
    *,
    context: Context = NOTHING,
) -> Result:
    """Decode ``value``: a number, or text as people paste it.

    ``kind`` is ``wgmma``, ``tcgen05``, ``idesc``, ``mask`` or ``tmem``, ``mma_kind`` the MMA kind of an instruction
    descriptor; without them the value decides (:mod:`smemdesc.descriptors.ranking`). ``context`` is what is
    known about the instruction. Raises :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read.
    """
    return decode_literal(literal_of(value), kind, mma_kind, context)


def literal_of(value: Literal | int | str | bytes) -> Literal:
    """Return what :func:`smemdesc.kinds.pasted.value` reads in a text; for a number, :func:`of_int`.

    The bytes of a tensor map are read as they lie in memory.
    """
    if isinstance(value, Literal):
        return value
    if isinstance(value, bytes):
        if len(value) != MAP // 8:
            raise SmemdescError(f"{len(value)} bytes are not a tensor map", hint=f"a tensor map has {MAP // 8}")
        value = value.hex()
    return _of_words(value) if isinstance(value, str) else of_int(index_of(value))


def _of_words(text: str) -> Literal:
    """Return the value of a text, or of its two words, where only one order of them makes a descriptor."""
    literals = values(text)
    if len(literals) == 2:
        from smemdesc.descriptors.near_misses import are_words, join_two

        if (joined := join_two(*literals)) is not None:
            return joined
        if not are_words(*literals):
            raise several(literals, text)
    return one_value(text)


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
    if MAP >= literal.bit_length > MAP // 2 and number > 0:
        return one_value(number.to_bytes(MAP // 8, "little").hex())
    if literal.bit_length > WIDEST:
        raise WidthError(f"the value has {literal.bit_length} bits, the widest descriptor has {WIDEST}")
    return literal


def decode_literal(
    literal: Literal, kind: str | None = None, mma_kind: str | None = None, context: Context = NOTHING
) -> Result:
    """Decode what :func:`smemdesc.kinds.text.parse` has read."""
    return result_of(literal, rank(literal, kind, mma_kind, context.arch), context)


def result_of(literal: Literal, ranking: Ranking, context: Context = NOTHING) -> Result:
    """Return the result of the readings of a value, with the findings that ``context`` adds."""
    readings = tuple(reading.in_context(context) for reading in ranking.readings)
    findings = (*_of_text(literal, ranking), *_of_near_misses(ranking))
    base: tuple[Finding, ...] = ()
    if literal.other and not ranking.fits:
        base = of_digits(literal, ranking.readings[0].kind.id if ranking.requested else None, context.arch)
    if context.arch is None:
        findings += _of_newer(literal, ranking)
    first, *others = readings
    bits, known, width, view = first.bits, first.known, first.kind.table.width, first.view
    fields: Mapping[str, FieldReading | AmbiguousField] = first.fields
    if others:
        alike = all((candidate.view, candidate.bits, candidate.known) == (view, bits, known) for candidate in others)
        if not alike:
            width = WIDEST if literal.bit_length > WORD or literal.width == WIDEST else WORD
            (bits, known), view = literal.at(width), WHOLE
        fields = Frozen(_agreed(readings, alike))
        wrong = _all_wrong(readings) if ranking.fits else ()
        findings = (*base, *_in_all(readings, context), *wrong, _which(ranking, readings), *findings)
    else:
        own = tuple(_with_repaired_map(finding, first) for finding in first.findings)
        findings = (*base, *own, *_no_reading_fits(ranking), *findings, *_word_hint(literal, ranking))
        findings += _of_other_kinds(ranking, context)
    if base:
        findings = tuple(finding for finding in findings if finding.rule != base[0].rule or finding in base)
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


def _with_repaired_map(finding: Finding, reading: DescriptorReading) -> Finding:
    """Return the finding about the allocation class of a tensor map with the repaired map, as its bytes in memory."""
    table = reading.kind.table
    if finding.rule != "allocation-class" or finding.repair is None or reading.known != table.full:
        return finding
    key, value = finding.repair
    repaired = table.insert(reading.bits, key, table.by_key[key].codec.encode(value))
    return finding._replace(fix=f"{finding.fix}: {repaired.to_bytes(table.width // 8, 'little').hex()}")


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


def _no_reading_fits(ranking: Ranking) -> tuple[Finding, ...]:
    """Return the finding that a value was read as the nearest kind, if no kind fits it."""
    if ranking.fits or ranking.requested:
        return ()
    severity = NOTE if ranking.close else ERROR
    ask = "give the kind with --kind (and --mma-kind)"
    return (Finding(severity, "no-reading-fits", (), ranking.reason, next=ask),)


def _all_wrong(readings: Sequence[DescriptorReading]) -> tuple[Finding, ...]:
    """Return an error if every reading has one, else a warning if every reading has that or an error."""
    if message := _in_each(readings, ERROR):
        return (Finding(ERROR, "error-in-every-reading", (), message),)
    if message := _in_each(readings, WARNING):
        return (Finding(WARNING, "warning-in-every-reading", (), message),)
    return ()


def _in_each(readings: Sequence[DescriptorReading], severity: str) -> str:
    """Name the first finding of each reading with this severity, or a worse one; empty if one has none."""
    first = [
        next((finding for finding in one.findings if RANK[finding.severity] <= RANK[severity]), None)
        for one in readings
    ]
    if None in first:
        return ""
    return "; ".join(f"{one.id}: {finding.message}" for one, finding in zip(readings, first, strict=True) if finding)


def _together(words: Iterable[object]) -> str:
    from smemdesc.engine.wording import join_and  # most values need no list

    return join_and(words)


D_TYPE = "d_type"
_ASK_MMA_KIND = "give --mma-kind; the instruction has it (.kind::f16; in SASS, the mnemonic)"


def _which(ranking: Ranking, readings: Sequence[DescriptorReading]) -> Finding:
    names = [reading.id for reading in readings]
    ask = _ASK_MMA_KIND if all(reading.kind.name == "idesc" for reading in readings) else "give --kind"
    listed = _together(names)
    if ranking.fits:
        return Finding(NOTE, "several-readings", (), f"the value fits {listed}", next=ask)
    return Finding(ERROR, "no-reading-fits", (), f"{ranking.reason}: {listed}", next=ask)


def of_digits(literal: Literal, kind: str | None, arch: str | None) -> tuple[Finding, ...]:
    """Return the error that says what to type, for digits that are sound only in the base in which they were not read.

    ``kind``: the requested one.
    """
    if not literal.other:
        return ()
    try:
        readings = rank(parse(literal.other), kind, arch=arch).readings
    except WidthError:
        return ()
    sound = [reading for reading in readings if reading.fits]
    if not sound:
        return ()
    base = "decimal" if "+" in literal.other else "hexadecimal"
    names = _together(dict.fromkeys(reading.id for reading in sound))
    message = f"only the {base} reading of {literal.text.strip()} is sound: {sound[0].hex}, {names}"
    fix = f"smemdesc {literal.other}"
    return (Finding(ERROR, "digits-without-prefix", (), message, fix=fix),)


def with_text(result: Result, value: Literal | int | str, name: str) -> Result:
    """Return a result of the bits of a value with what :func:`decode` finds in its text.

    ``name``: of an operand, whose kind the instruction says; any MMA kind will do for an instruction descriptor.
    """
    if not isinstance(value, str):
        return result
    literal, kind = literal_of(value), result.candidates[0].kind
    base: tuple[Finding, ...] = ()
    if literal.other and result.has_error:
        base = of_digits(literal, "idesc" if kind.name == "idesc" else kind.id, result.context.arch)
        base = tuple(finding._replace(fix=f"--{name} {literal.other}") for finding in base)
    of_text = (finding for finding in _of_reading(literal) if finding.rule not in {known.rule for known in base})
    return result._replace(findings=ordered((*base, *result.findings, *of_text)))


def _of_reading(literal: Literal) -> Iterator[Finding]:
    """Yield findings about how a text was read."""
    if literal.note:
        yield Finding(NOTE, "digits-without-prefix", (), literal.note)
    if literal.unread:
        yield Finding(NOTE, "text-not-read", (), f"not read: {short(literal.unread)}")


def _of_text(literal: Literal, ranking: Ranking) -> Iterator[Finding]:
    """Yield findings about the text itself."""
    yield from _of_reading(literal)
    odd = _digit_count(literal)
    zeros = not literal.leading_zero and all(reading.kind.name in ("idesc", "mask") for reading in ranking.readings)
    if odd and not ((ranking.fits or ranking.requested) and zeros):
        yield Finding(
            WARNING if ranking.fits else ERROR,
            "digit-count",
            (),
            f"{literal.text.strip()} has {odd}",
            "a digit was lost or doubled when the value was pasted",
            "copy the value again",
        )
    if literal.width != WIDEST and any(_is_low_word(reading) for reading in ranking.readings):
        yield Finding(
            WARNING,
            "low-word-alone",
            (),
            "32 bits, read as a 64-bit descriptor whose high word is 0: no swizzle, SBO 0 B",
            "the low word of a descriptor; its mode and SBO are in the high word",
            "give both words as HI:LO, ? for an unknown one",
        )


def _digit_count(literal: Literal) -> str:
    """Describe what is odd about the number of hexadecimal digits; empty if it is 8 or 16, or zeros were left out.

    Zeros are 0, however many.
    """
    count = literal.digits
    if not count or count in (8, 16) or not (literal.number or literal.unknown):
        return ""
    padded = literal.leading_zero
    if count in (7, 15):
        return f"{count} hexadecimal digits, one fewer than {count + 1}"
    if padded and count in (9, 17):
        return f"{count} hexadecimal digits, one more than {count - 1}"
    return f"{count} hexadecimal digits; a descriptor has 16, an instruction descriptor or a word 8" if padded else ""


def _is_low_word(reading: DescriptorReading) -> bool:
    high = words(reading.known)[0]
    return (
        reading.kind.name in SMEM_KINDS
        and reading.view == WHOLE
        and bool(reading.bits)
        and high == ones(WORD)
        and not words(reading.bits)[0]
    )


def _of_near_misses(ranking: Ranking) -> Iterator[Finding]:
    """Yield what else the value may have been meant to be, if its reading has a fault."""
    repairs = dict.fromkeys(
        (near_miss.repair, near_miss.weight) for near_miss in ranking.near_misses if near_miss.weight != LEGAL
    )
    for repair, weight in repairs:
        meant = [
            near_miss for near_miss in ranking.near_misses if (near_miss.repair, near_miss.weight) == (repair, weight)
        ]
        listed = ", ".join(f"{miss.reading.id} {miss.text}" for miss in meant)
        yield Finding(
            ERROR if weight == LIKELY else WARNING,
            "other-reading",
            (),
            f"{repair}, it is a valid descriptor: {listed}",
            "",
            "use that if you meant it" if weight == LIKELY else "use that if you meant it, otherwise give --kind",
        )


def _of_newer(literal: Literal, ranking: Ranking) -> tuple[Finding, ...]:
    """Return the note that names the architecture whose table fits, if no usual one does."""
    newer = newer_readings(literal, ranking)
    if not newer:
        return ()
    kind = newer[0].kind
    archs = kind.archs
    source = VARIANTS[kind.variant].source if kind.variant else kind.arch_source
    names = " or ".join(map(_as_newer, newer))
    message = f"{_together(archs)} read it as {names}: give --arch {archs[0]} if the code is for one of them"
    return (Finding(NOTE, "other-arch", (), message, source=source),)


def _as_newer(reading: DescriptorReading) -> str:
    """Name a reading by another than the usual table, with the fields that the two read differently."""
    kind = reading.kind
    usual = kind.usual.table
    odd = sum(usual.masks[misfit.field.key] for misfit in usual.misfits(reading.bits, reading.known))
    fields = reading.fields
    upper = {getattr(row.codec, "upper", ""): row.key for row in kind.table.rows}
    changed = [upper.get(key, key) for key in fields if kind.table.masks[key] & odd & reading.bits]
    values = [f"{key} {bare(fields[key])}" for key in changed if not fields[key].field.constant]
    return f"{kind.id} with {_together(values)}" if values else kind.id


def _word_hint(literal: Literal, ranking: Ranking) -> tuple[Finding, ...]:
    """If a 64-bit kind was requested and only the high word may have been given, explain how to mark it."""
    only = ranking.readings[0]
    if not ranking.requested or ranking.fits or only.kind.name not in SMEM_KINDS or only.view != WHOLE:
        return ()
    if literal.width or literal.number < 0 or literal.bit_length > WORD:
        return ()
    if not as_high_word(only.kind, only.bits, ones(WORD)).fits:
        return ()
    return (
        Finding(
            NOTE,
            "high-word",
            (),
            f"as the high word alone this is a valid {only.kind.name} descriptor",
            next=f"give 0x{only.bits:08x}:? if it is the value of one 32-bit register",
        ),
    )


def _of_other_kinds(ranking: Ranking, context: Context) -> tuple[Finding, ...]:
    """Return the note that names the MMA kinds under which nothing but the type of D is wrong, if one kind fits."""
    only = ranking.readings[0]
    code = only.fields.get(D_TYPE)
    if code is None or ranking.requested or not ranking.fits or only.known != only.kind.table.full:
        return ()
    near = []
    for kind in idescs(context.arch):
        reading = kind.table.read(only.bits, only.known)
        if {row.key for row in kind.table.rows if reading[row.key].contradicts} == {D_TYPE}:
            types = " x ".join(str(reading[key].value) for key in ("a_type", "b_type"))
            near.append(f"kind::{kind.mma_kind} ({types})")
    if not near:
        return ()
    message = f"under {_together(near)} D would be undefined: {D_TYPE} code {code.raw} is {code.value}"
    return (Finding(NOTE, "other-mma-kind", (D_TYPE,), message, next=_ASK_MMA_KIND, source=code.field.source),)


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
