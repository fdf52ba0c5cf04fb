"""Which descriptor a pasted value is: the readings that fit it, and why; and what is to be said of that.

The rules, in words, are :data:`smemdesc.kinds.names.IDENTIFICATION`; nothing is chosen without its reason, and several
readings that fit are all returned. Of what is known of the instruction, only the architecture affects the choice. A
value that is not an ordinary descriptor of its kind is also compared with what one slip turns an ordinary one into
(:class:`smemdesc.descriptors.readings.NearMiss`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdesc.descriptors.readings import (
    DOUBTFUL,
    FITS,
    FITS_NOT,
    HIGH_WORD,
    IN_HIGH_WORD,
    LEGAL,
    LIKELY,
    MATRIX_KINDS,
    WHOLE,
    DescriptorReading,
    NearMiss,
    as_high_word,
    as_word,
    bare_value,
    high_word_readings,
    idescs,
    is_small,
    other_generation,
    tmem_readings,
    wide_readings,
    word_readings,
)
from smemdesc.engine.errors import WidthError
from smemdesc.engine.fields import WORD, ones, word_pair
from smemdesc.engine.wording import join_and
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.kind import kind_of, with_variant
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.reading.naming import INSTRUCTION
from smemdesc.reading.text import TENSOR_MAP_BITS, VALUE_BITS, Literal, parse_value
from smemdesc.rules.base import Finding, note
from smemdesc.rules.identification import (
    digit_count,
    digits_without_prefix,
    high_word,
    low_word_alone,
    no_reading_fits,
    other_arch,
    other_mma_kind,
    other_reading,
    several_readings,
    text_not_read,
)


class Ranking(NamedTuple):
    """The kinds that a value is read as."""

    readings: tuple[DescriptorReading, ...]
    """One reading, or, if no kind was requested, all that fit (or that are equally near)."""
    reason: str
    fits: bool
    requested: bool
    """Whether the kind was requested."""
    close: bool = True
    """If nothing fits: whether the reading shown is at least near."""
    near_misses: tuple[NearMiss, ...] = ()
    """What else the value could have been meant to be, if no kind was requested."""


FAR_SHARE = 0.25
"""If more than this share of the fixed bits is wrong in every kind, no reading is near."""


def rank(literal: Literal, kind: str | None = None, mma_kind: str | None = None, arch: str | None = None) -> Ranking:
    """Return the kinds of ``literal``. ``kind`` (a name or an id) and ``mma_kind`` are used as requested.

    :class:`smemdesc.engine.errors.WidthError` if the value has more bits than the requested kind.
    """
    ranking, is_final = _without_near_misses(literal, kind, mma_kind, arch)
    return ranking if is_final else ranking._replace(near_misses=_near_misses(literal, ranking, arch))


def ranked_readings(
    literal: Literal, kind: str | None = None, arch: str | None = None
) -> tuple[DescriptorReading, ...]:
    """Return the readings of :func:`rank` alone: what else a value may have been meant to be takes longest to find."""
    return _without_near_misses(literal, kind, None, arch)[0].readings


def _without_near_misses(
    literal: Literal, kind: str | None, mma_kind: str | None, arch: str | None
) -> tuple[Ranking, bool]:
    """Return the kinds of a value, and whether that is all: its kind was requested, or another architecture has it."""
    if kind is None and mma_kind is not None:
        kind = "idesc"
    ranking = _rank(literal, kind, mma_kind, arch)
    if arch is not None and not (ranking.requested or ranking.fits):
        # Another architecture's descriptor is better named, and found illegal here, than not recognized.
        anywhere = _rank(literal, kind, mma_kind, None)
        if anywhere.fits:
            return _of_the_arch(ranking, anywhere, arch) or anywhere, True
    return ranking, ranking.requested


def _of_the_arch(here: Ranking, anywhere: Ranking, arch: str) -> Ranking | None:
    """Return the reading as the only kind of shared-memory descriptor that the architecture has, if the value is one of
    the other kind."""
    kinds = {reading.kind.name for reading in here.readings}
    if len(here.readings) > 1 or not {*kinds, *(reading.kind.name for reading in anywhere.readings)} <= {*SMEM_KINDS}:
        return None
    reason = f"{kinds.pop()}, the shared-memory descriptor that {arch} has"
    return here._replace(reason=reason, requested=True)


def _near_misses(literal: Literal, ranking: Ranking, arch: str | None) -> tuple[NearMiss, ...]:
    newer = other_generation(ranking.readings[0], arch) if ranking.fits and len(ranking.readings) == 1 else None
    misses = (newer,) if newer else ()
    if literal.form == "decimal" and not any(reading.kind.name == "idesc" for reading in ranking.readings):
        from smemdesc.descriptors.near_misses import without_prefix

        misses = (*misses, *without_prefix(literal, arch))
    if literal.width == TENSOR_MAP_BITS or all(reading.is_ordinary for reading in ranking.readings):
        return misses
    from smemdesc.descriptors.near_misses import near_misses

    return (*misses, *near_misses(literal, ranking.readings, arch, fit=ranking.fits, close=ranking.close))


def _rank(literal: Literal, kind: str | None, mma_kind: str | None, arch: str | None) -> Ranking:
    if kind is not None:
        return _rank_requested(literal, aliases.kind_alias(kind), mma_kind, arch)
    if literal.width == TENSOR_MAP_BITS:
        readings = _map_readings(literal)
        reason = "128 bytes are a tensor map" if len(readings) == 1 else _why(readings)
        return Ranking(readings, reason, True, False)
    word = as_word(literal)
    return _rank_wide(*literal.at(VALUE_BITS), arch) if word is None else _rank_word(literal, word, arch)


def _map_readings(literal: Literal, kind: str = "tensormap") -> tuple[DescriptorReading, ...]:
    """Return the readings of a tensor map, by the forms that its bits allow if ``kind`` does not name one."""
    from smemdesc.kinds.tensormap import tables_of

    bits, known = literal.at(TENSOR_MAP_BITS)
    names = [table.name for table in tables_of(bits, known)] if kind == "tensormap" else [kind]
    return tuple(DescriptorReading(kind_of(name), WHOLE, bits, known) for name in names)


def _rank_wide(bits: int, known: int, arch: str | None) -> Ranking:
    whole = wide_readings(bits, known, arch)
    best, grade = _best(whole)
    inside = high_word_readings(bits, known, arch) if word_pair(known)[1] == ones(WORD) else ()
    fitting = [*(best if grade == FITS else ()), *(reading for reading in inside if reading.fits)]
    if fitting:
        return Ranking(tuple(fitting), _why(fitting), True, False)
    near = [reading for reading in inside if reading.has_legal_shape]
    if near and best[0].kind.id != "tcgen05":
        return _nearest(near, True)
    if grade == DOUBTFUL:
        return Ranking(tuple(best), "its reserved bits are right, but its counts are unusual", True, False)
    if len(best) == len(whole) > 1:
        return Ranking(tuple(best), "no reading fits, and none is near", False, False, False)
    return _equally_near(best, best[0].wrong_share <= FAR_SHARE)


def _best(whole: Sequence[DescriptorReading]) -> tuple[Sequence[DescriptorReading], int]:
    """Return the readings of a whole 64-bit value that fit best, or else the nearest; and their grade."""
    grade = max(reading.grade for reading in whole)
    fitting = [reading for reading in whole if reading.grade == grade]
    # What bears the mark of tcgen05, or is one bit from an ordinary descriptor, is no mask by chance.
    chance = bool(grade) and fitting[0].kind.id == "mask" and _is_mask_by_chance(whole, grade)
    if grade and not chance:
        return fitting, grade
    considered = [
        reading
        for reading in whole
        if len(whole) == 1
        or reading.kind.id != "mask"
        or reading.wrong_constants
        or not (chance or _generates_nothing(reading))  # unlikely, and never the first
    ]
    marked = {reading.kind.id: reading for reading in considered if reading.has_mark}
    if "tcgen05" in marked:
        return [marked["tcgen05"]], FITS_NOT
    if "wgmma" in marked:
        considered = [reading for reading in considered if reading.kind.id != "mask"]
    least = min((reading.wrong_share for reading in considered), default=1.0)
    if least > FAR_SHARE and len(whole) > 1:
        return whole, FITS_NOT
    return [reading for reading in considered if reading.wrong_share == least], FITS_NOT


def _is_mask_by_chance(whole: Sequence[DescriptorReading], grade: int) -> bool:
    """Whether a value that fits a mask is more likely one of the other kinds with an error."""
    for reading in whole:
        if reading.kind.id == "tcgen05":
            if reading.has_mark:
                return True
        elif grade == FITS:
            continue
        elif reading.kind.id == "mask":
            if _generates_nothing(reading):
                return True
        elif is_small(reading.kind, reading.wrong_constants):
            repaired = DescriptorReading(reading.kind, WHOLE, reading.bits ^ reading.wrong_constants, reading.known)
            if repaired.is_ordinary:
                return True
    return False


def _generates_nothing(mask: DescriptorReading) -> bool:
    generates = mask.kind.table.masks["non_zero_mask"]
    return bool(mask.known & generates) and not mask.bits & generates


def _rank_word(literal: Literal, word: tuple[int, int], arch: str | None) -> Ranking:
    readings = word_readings(*word, arch)
    fitting = [reading for reading in readings if reading.fits]
    if not any(reading.kind.name == "idesc" for reading in fitting):
        near = [reading for reading in readings if reading.kind.name == "idesc" and reading.has_legal_shape]
        if literal.called == INSTRUCTION:
            return _nearest([reading for reading in readings if reading.kind.name == "idesc"], True)
        if not fitting and near:
            return _nearest(near, True)
        best, grade = _best(wide_readings(*literal.at(VALUE_BITS), arch))
        fitting += best if grade == FITS else ()
        if fitting:
            # Small numbers are addresses of lane 0 by chance.
            fitting += [
                tmem_reading for tmem_reading in tmem_readings(*word, arch) if tmem_reading.fields["lane"].value
            ]
    if fitting:
        return Ranking(tuple(fitting), _why(fitting), True, False)
    return _nearest(readings, False)


def _nearest(readings: Sequence[DescriptorReading], close: bool) -> Ranking:
    """Return the least distant readings; ``close``: whether they are instruction descriptors by their shape."""
    least = min(reading.distance for reading in readings)
    return _equally_near([reading for reading in readings if reading.distance == least], close)


def _equally_near(readings: Sequence[DescriptorReading], close: bool) -> Ranking:
    if len(readings) > 1:
        return Ranking(tuple(readings), "no reading fits exactly; these are equally near", False, False, close)
    only = readings[0]
    mark = ": version field [48:46] = 0b001" if only.kind.id == "tcgen05" and only.has_mark else ""
    return Ranking((only,), f"no reading fits exactly; the nearest is {only.id}{mark}", False, False, close)


_SIGN = {
    ("tcgen05", WHOLE): "version field [48:46] = 0b001: tcgen05",
    ("wgmma", WHOLE): "bits [48:46] = 0b000, no version: wgmma",
    ("mask", WHOLE): "reserved bits as in a zero-column mask, plausible counts: mask",
    ("tcgen05", HIGH_WORD): "a 32-bit high word, version field [48:46] = 0b001: tcgen05",
    ("wgmma", HIGH_WORD): "a 32-bit high word, bits [48:46] = 0b000, no version: wgmma",
    ("idesc", WHOLE): "32 bits with legal types, M and N: instruction descriptor",
    ("idesc", IN_HIGH_WORD): "the low word is 0 and the high word is an instruction descriptor",
}


def _why(fitting: Sequence[DescriptorReading]) -> str:
    if len(fitting) == 1:
        only = fitting[0]
        return _SIGN[only.kind.name, only.view]
    if all(reading.kind.name == "idesc" for reading in fitting):
        where = " in the high word" if fitting[0].view != WHOLE else ""
        return (
            f"32 bits{where} that are legal under {len(fitting)} MMA kinds; the instruction has the kind, "
            "not the descriptor"
        )
    return f"{len(fitting)} readings fit"


def _rank_requested(literal: Literal, kind: str, mma_kind: str | None, arch: str | None) -> Ranking:
    if kind.partition(":")[0] == "idesc":
        return _rank_idesc(literal, kind, mma_kind, arch)
    own = kind_of(kind, arch=arch)
    is_map = literal.width == TENSOR_MAP_BITS
    if is_map != (own.name == "tensormap"):
        raise WidthError(
            f"128 bytes, the {own.title} has {own.table.width} bits" if is_map else "a tensor map has 128 bytes",
            given=literal.text,
            span=(0, len(literal.text)),
            hint="omit --kind" if is_map else "give 256 hexadecimal digits, or the output of x/32wx",
        )
    if is_map:
        return Ranking(_map_readings(literal, kind), f"{own.name} as requested", True, True)
    whole = DescriptorReading(own, WHOLE, *literal.at(own.table.width, own.title))
    if literal.width == WORD and literal.form.startswith("hexadecimal") and kind in MATRIX_KINDS:
        # Eight hexadecimal digits are a register's worth: UMOV UR5, 0x40004040.
        high = as_high_word(own, *literal.at(WORD))
        if not whole.fits and high.fits:
            return Ranking((high,), f"{own.id} as requested; 8 digits are its high word alone", True, True)
    return Ranking((whole,), f"{own.id} as requested", whole.fits, True)


def _rank_idesc(literal: Literal, kind: str, mma_kind: str | None, arch: str | None) -> Ranking:
    mma_kind = kind.partition(":")[2] or mma_kind
    kinds = (kind_of(kind, mma_kind, arch),) if mma_kind else idescs(arch)
    try:
        bits, known = literal.at(kinds[0].table.width, "instruction descriptor")
        view = WHOLE
    except WidthError:
        inside = high_word_readings(*literal.at(VALUE_BITS), arch)
        if not inside:
            raise
        _, view, bits, known, _ = inside[0]
    readings = [DescriptorReading(kind, view, bits, known) for kind in kinds]
    where = ", in the high word of a 64-bit value" if view != WHOLE else ""
    if mma_kind:
        return Ranking(tuple(readings), f"{kinds[0].id} as requested{where}", readings[0].fits, True)
    fitting = [reading for reading in readings if reading.fits]
    if len(fitting) == 1:
        return Ranking(tuple(fitting), f"idesc as requested{where}; it is legal only under this MMA kind", True, False)
    if fitting:
        return Ranking(tuple(fitting), f"idesc as requested; {_why(fitting)}", True, False)
    return _nearest(readings, any(reading.has_legal_shape for reading in readings))


def newer_readings(literal: Literal, ranking: Ranking) -> tuple[DescriptorReading, ...]:
    """Return how an architecture with its own tables reads a value that fits no common table.

    These readings are only reported: to use them, give the architecture.
    """
    for name, variant in VARIANTS.items():
        if ranking.requested:
            usual = (
                reading for reading in ranking.readings if reading.kind.id in variant.kinds and not reading.kind.variant
            )
            readings = tuple(reading._replace(kind=with_variant(reading.kind, name)) for reading in usual)
        else:
            readings = () if ranking.fits else _rank(literal, None, None, variant.archs[0]).readings
        if readings and all(reading.fits and reading.kind.newer and _is_beyond_usual(reading) for reading in readings):
            return readings
    return ()


def _is_beyond_usual(reading: DescriptorReading) -> bool:
    """Whether the usual table itself, not only a rule, contradicts the value."""
    kind = reading.kind
    return not kind.variant or any(kind.usual.table.misfits(reading.bits, reading.known))


def other_fits(literal: Literal, ranking: Ranking, arch: str | None = None) -> tuple[DescriptorReading, ...]:
    """Return every other reading that fits the value, whatever kind was requested."""
    if literal.width == TENSOR_MAP_BITS:
        return ()
    known_ids = {(reading.kind.id, reading.view) for reading in ranking.readings}
    word = as_word(literal)
    if word is not None:
        readings = word_readings(*word, arch) + tmem_readings(*word, arch)
    else:
        bits, known = literal.at(VALUE_BITS)
        inside = high_word_readings(bits, known, arch) if word_pair(known)[1] == ones(WORD) else ()
        readings = wide_readings(bits, known, arch) + inside
    return tuple(reading for reading in readings if reading.fits and (reading.kind.id, reading.view) not in known_ids)


def _as_newer(reading: DescriptorReading) -> str:
    """Name a reading by another than the usual table, with the fields that the two read differently."""
    kind = reading.kind
    usual = kind.usual.table
    odd = sum(usual.masks[misfit.field.key] for misfit in usual.misfits(reading.bits, reading.known))
    fields = reading.fields
    upper = {getattr(row.codec, "upper", ""): row.key for row in kind.table.rows}
    changed = [upper.get(key, key) for key in fields if kind.table.masks[key] & odd & reading.bits]
    values = [f"{key} {bare_value(fields[key])}" for key in changed if not fields[key].field.constant]
    return f"{kind.id} with {join_and(values)}" if values else kind.id


def wrong_base(literal: Literal, kind: str | None, arch: str | None) -> list[Finding]:
    """Return what the rule says of a value that does not fit as it was read, if its digits do in the other base.

    ``kind`` is the requested one.
    """
    if not literal.other:
        return []
    try:
        readings = rank(parse_value(literal.other), kind, arch=arch).readings
    except WidthError:
        return []
    sound = [reading for reading in readings if reading.fits]
    return digits_without_prefix.apply(literal, sound[0].hex, [reading.id for reading in sound]) if sound else []


def in_sound_base(literal: Literal, kind: str | None, mma_kind: str | None, arch: str | None) -> Literal:
    """Return a number of a text that has no prefix as hexadecimal digits, if only these are sound (``%llx``)."""
    if not is_without_base(literal) or rank(literal, kind, mma_kind, arch).fits:
        return literal
    if not rank(parse_value(literal.other), kind, mma_kind, arch).fits:
        return literal
    said = f"digits without a prefix are read as hexadecimal, since only {literal.other} is sound"
    return _in_other_base(literal)._replace(form=ONLY_BASE, note=said)


def as_hexadecimal(literal: Literal) -> Literal:
    """Return a number of a text that has no prefix as hexadecimal digits, as those of its neighbor are."""
    if not is_without_base(literal):
        return literal
    said = f"digits without a prefix are read as hexadecimal, as those beside them: {literal.other}"
    return _in_other_base(literal)._replace(form="hexadecimal, no prefix: as the digits beside it", note=said)


def _in_other_base(literal: Literal) -> Literal:
    kept = {name: getattr(literal, name) for name in ("register", "unread", "called", "begin")}
    return parse_value(literal.other)._replace(text=literal.text.replace("+", ""), **kept)


def is_without_base(literal: Literal) -> bool:
    """Whether digits of a text, read as decimal, may have been printed by ``%llx``."""
    return literal.other.startswith("0x") and not literal.form.startswith("two ")


def is_sound_in_no_base(literal: Literal, arch: str | None) -> bool:
    """Whether digits of a text without a prefix are a sound value neither as decimal nor as hexadecimal ones."""
    return is_without_base(literal) and not any(
        rank(each, arch=arch).fits for each in (literal, parse_value(literal.other))
    )


ONLY_BASE = "hexadecimal, no prefix: the only sound base"
"""The form of a number that is sound in this base only."""


def judge_text(literal: Literal) -> list[Finding]:
    """Return what is to be said of how a text was read."""
    digits = [digits_without_prefix.finding(note(literal.note))] if literal.note else []
    return digits + text_not_read.apply(literal)


def judge_ranking(literal: Literal, ranking: Ranking, arch: str | None) -> list[Finding]:
    """Return what is to be said of a value as a whole: of its kinds, of the text around it, of its digits and words."""
    only, *others = readings = ranking.readings
    ids, fits, kind, bits = [reading.id for reading in readings], ranking.fits, only.kind, only.bits
    findings = several_readings.apply(ids) if fits else []
    if not fits and not ranking.requested:
        findings = no_reading_fits.apply(ids, ranking.reason, ranking.close)
    findings += judge_text(literal)
    findings += digit_count.apply(literal, {reading.kind.name for reading in readings}, fits, ranking.requested)
    whole = [reading for reading in readings if reading.kind.name in SMEM_KINDS and reading.view == WHOLE]
    findings += low_word_alone.apply(literal, [(reading.bits, reading.known) for reading in whole])
    slips = [miss for miss in ranking.near_misses if miss.weight != LEGAL]
    findings += other_reading.apply(
        (slip.repair, f"{slip.reading.id} {slip.text}", slip.weight == LIKELY) for slip in slips
    )
    if arch is None and (newer := newer_readings(literal, ranking)):
        findings += other_arch.apply(newer[0].kind, [_as_newer(reading) for reading in newer])
    if others:
        return findings
    if whole and ranking.requested and not fits:
        findings += high_word.apply(literal, bits, kind.name, lambda: as_high_word(kind, bits, ones(WORD)).fits)
    if kind.name == "idesc" and fits and not ranking.requested and only.known == kind.table.full:
        findings += other_mma_kind.apply(bits, only.fields, idescs(arch))
    return findings
