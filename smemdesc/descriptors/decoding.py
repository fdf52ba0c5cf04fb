"""From a value to what it says: the fields, the findings, and every reading where several fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from smemdesc.descriptors.near_misses import LEGAL, LIKELY
from smemdesc.descriptors.ranking import Identified, by_variants, identify
from smemdesc.descriptors.readings import HIGH_WORD, WHOLE, Candidate
from smemdesc.descriptors.slips import miscounted
from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError, WidthError
from smemdesc.engine.fields import WORD, Reading, join_words, ones, words
from smemdesc.engine.wording import together
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.kinds.text import WIDEST, Literal, parse, to_hex
from smemdesc.rules.base import ERROR, NOTE, RANK, WARNING, Finding, fails, worst_first
from smemdesc.rules.causes import of_one_value
from smemdesc.rules.judging import judge
from smemdesc.rules.verdict import AMBIGUOUS, verdict


class Reported(NamedTuple):
    """One reading of a value, read and judged."""

    candidate: Candidate
    fields: Mapping[str, Reading]
    findings: tuple[Finding, ...]

    @property
    def kind(self) -> str:
        """``wgmma``, ``tcgen05``, ``idesc`` or ``mask``."""
        return self.candidate.kind.name

    @property
    def mma_kind(self) -> str | None:
        """The MMA kind of an instruction descriptor."""
        return self.candidate.kind.mma_kind


@shown("report:Decoded")
class Result(NamedTuple):
    """What a value says.

    ``fields`` maps each key to its reading (``hi``, ``lo``, ``raw``, ``value``); where several readings
    fit, only what they agree on has a value, ``candidates`` holds them all and ``kind`` is what they
    have in common, or None.
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
    """``whole``, ``high_word`` or ``in_high_word`` (see :class:`smemdesc.descriptors.readings.Candidate`)."""
    fields: Mapping[str, Reading | Disputed]
    findings: tuple[Finding, ...]
    candidates: tuple[Reported, ...]
    """The readings that fit where none was asked for; exactly one where the value was settled."""
    identified: Identified
    context: Context = NOTHING
    """What was known about the instruction."""

    @property
    def text(self) -> str:
        """The value as it was pasted."""
        return self.literal.text

    @property
    def settled(self) -> bool:
        """Whether there is one reading."""
        return len(self.candidates) == 1

    @property
    def variant(self) -> str:
        """The name of the tables that all readings are by, where these are not the usual ones."""
        names = {each.candidate.kind.variant for each in self.candidates}
        return names.pop() if len(names) == 1 else ""

    @property
    def verdict(self) -> str:
        """``valid``, ``suspicious``, ``invalid``, or ``ambiguous`` where several readings fit."""
        return AMBIGUOUS if not self.settled and self.identified.fit else verdict(self.findings)

    def __str__(self) -> str:
        from smemdesc.descriptors.explain import summary

        said = " or ".join(each.candidate.id for each in self.candidates)
        if self.settled:
            only = self.candidates[0]
            said = summary(only.candidate.kind, dict(only.fields))
        return f"{to_hex(self.value, self.known, self.width)}  {said}: {self.verdict}"

    @property
    def has_error(self) -> bool:
        """Whether an error was found (``--check``)."""
        return fails(self.findings)

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning (``--strict``)."""
        return fails(self.findings, strict)


class Disputed(NamedTuple):
    """A field that the readings of a value do not agree on; None for what differs."""

    hi: int | None
    lo: int | None
    raw: int | None
    value: None = None


def decode(
    value: int | str,
    kind: str | None = None,
    mma_kind: str | None = None,
    *,
    context: Context = NOTHING,
) -> Result:
    """Decode ``value``: a number, or text as people paste it.

    ``kind`` is ``wgmma``, ``tcgen05``, ``idesc`` or ``mask``, ``mma_kind`` the MMA kind of an instruction
    descriptor; without them the value itself decides (:mod:`smemdesc.descriptors.ranking`). ``context`` is what is
    known about the instruction. Raises a :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read.
    """
    literal = parse(value) if isinstance(value, str) else of_int(value)
    return decode_literal(literal, kind, mma_kind, context)


A_NUMBER = "a number"
"""The form of a value that was not pasted."""


def of_int(number: int) -> Literal:
    """Return a plain number as if it had been pasted in hexadecimal of its own width."""
    literal = Literal(hex(number), number, 0, 0, A_NUMBER)
    if literal.bit_length > WIDEST:
        raise WidthError(f"the value has {literal.bit_length} bits, the widest descriptor has {WIDEST}")
    return literal


def decode_literal(
    literal: Literal, kind: str | None = None, mma_kind: str | None = None, context: Context = NOTHING
) -> Result:
    """Decode what :func:`smemdesc.kinds.text.parse` has read."""
    identified = identify(literal, kind, mma_kind, context.arch)
    return report(literal, identified, context)


def report(literal: Literal, identified: Identified, context: Context = NOTHING) -> Result:
    """Read and judge the readings that a value was taken for."""
    reported = []
    for candidate in identified.taken:
        fields = candidate.read()
        found = judge(candidate.kind, fields, context)
        reported.append(Reported(candidate, MappingProxyType(fields), found))
    common = (*_of_text(literal, identified), *_of_neighbors(identified))
    if context.arch is None:
        common += _of_variants(literal, identified)
    if len(reported) == 1:
        only = reported[0]
        findings = (*only.findings, *nearest(identified), *common, *_word_hint(literal, identified))
        return Result(
            literal,
            only.candidate.bits,
            only.candidate.known,
            only.candidate.kind.table.width,
            only.kind,
            only.mma_kind,
            only.candidate.view,
            only.fields,
            worst_first(of_one_value(findings)),
            (only,),
            identified,
            context,
        )
    return _several(literal, identified, tuple(reported), common, context)


def _several(
    literal: Literal,
    identified: Identified,
    reported: tuple[Reported, ...],
    common: tuple[Finding, ...],
    context: Context,
) -> Result:
    first = reported[0].candidate
    alike = all(
        (each.candidate.view, each.candidate.bits, each.candidate.known) == (first.view, first.bits, first.known)
        for each in reported
    )
    names = {each.kind for each in reported}
    mma_kinds = {each.mma_kind for each in reported}
    if alike:
        bits, known, width, view = first.bits, first.known, first.kind.table.width, first.view
    else:
        width = WIDEST if literal.bit_length > WORD or literal.width == WIDEST else WORD
        (bits, known), view = literal.at(width), "whole"
    shared = [finding for finding in reported[0].findings if all(finding in each.findings for each in reported[1:])]
    every = _all_wrong(reported) if identified.fit else ()
    findings = (*shared, *every, _which(identified, reported), *common)
    return Result(
        literal,
        bits,
        known,
        width,
        names.pop() if len(names) == 1 else None,
        mma_kinds.pop() if len(mma_kinds) == 1 else None,
        view,
        MappingProxyType(_agreed(reported, alike)),
        worst_first(of_one_value(findings)),
        reported,
        identified,
        context,
    )


def _agreed(reported: tuple[Reported, ...], alike: bool) -> dict[str, Reading | Disputed]:
    fields: dict[str, Reading | Disputed] = {}
    for key in dict.fromkeys(key for each in reported for key in each.fields):
        found = [each.fields.get(key) for each in reported]
        present = [reading for reading in found if reading is not None]
        first = present[0]
        same_place = alike and all((r.hi, r.lo) == (first.hi, first.lo) for r in present)
        everywhere = len(present) == len(reported)
        if same_place and everywhere and all((r.value, r.known) == (first.value, first.known) for r in present):
            fields[key] = first
        else:
            raw = first.raw if same_place and everywhere else None
            fields[key] = Disputed(first.hi if same_place else None, first.lo if same_place else None, raw)
    return fields


def nearest(identified: Identified) -> tuple[Finding, ...]:
    """Return the finding that says that a value was taken for what is nearest, where nothing fits it."""
    if identified.fit or identified.asked:
        return ()
    severity = NOTE if identified.near else ERROR
    ask = "give the kind with --kind (and --mma-kind)"
    return (Finding(severity, "no-reading-fits", (), identified.reason, next=ask),)


def _all_wrong(reported: tuple[Reported, ...]) -> tuple[Finding, ...]:
    """Return an error if every reading has one, else a warning if every reading has that or an error."""
    if said := _in_each(reported, ERROR):
        return (Finding(ERROR, "error-in-every-reading", (), said),)
    if said := _in_each(reported, WARNING):
        return (Finding(WARNING, "warning-in-every-reading", (), said),)
    return ()


def _in_each(reported: tuple[Reported, ...], severity: str) -> str:
    """Name the first finding of each reading that is so grave, or graver; empty where one has none."""
    first = [next((each for each in one.findings if RANK[each.severity] <= RANK[severity]), None) for one in reported]
    if None in first:
        return ""
    return "; ".join(
        f"{one.candidate.id}: {finding.message}" for one, finding in zip(reported, first, strict=True) if finding
    )


def _which(identified: Identified, reported: tuple[Reported, ...]) -> Finding:
    names = [each.candidate.id for each in reported]
    if all(each.kind == "idesc" for each in reported):
        ask = "give --mma-kind; the instruction says which (.kind::f16; in SASS, the mnemonic)"
    else:
        ask = "give --kind"
    listed = together(names)
    if identified.fit:
        return Finding(NOTE, "several-readings", (), f"the value fits {listed}", next=ask)
    return Finding(ERROR, "no-reading-fits", (), f"{identified.reason}: {listed}", next=ask)


def _of_text(literal: Literal, identified: Identified) -> Iterator[Finding]:
    """Yield what is odd about the text itself."""
    if literal.note:
        yield Finding(NOTE, "digits-without-prefix", (), literal.note)
    odd = miscounted(literal)
    zeros = not literal.leading_zero and all(each.kind.name in ("idesc", "mask") for each in identified.taken)
    if odd and not ((identified.fit or identified.asked) and zeros):
        yield Finding(
            WARNING if identified.fit else ERROR,
            "digit-count",
            (),
            f"{literal.text.strip()} has {odd}",
            "a digit was lost or doubled when the value was pasted",
            "copy the value again",
        )
    if literal.width != WIDEST and any(_is_low_word(literal, each) for each in identified.taken):
        yield Finding(
            WARNING,
            "low-word-alone",
            (),
            "32 bits, read as a 64-bit descriptor whose high word is 0: no swizzle, SBO 0 B",
            "the low word of a descriptor; its mode and SBO are in the high word",
            "give both words as HI:LO, ? for one that is not known",
        )


def _is_low_word(literal: Literal, candidate: Candidate) -> bool:
    high = words(candidate.known)[0]
    return (
        candidate.kind.name in SMEM_KINDS
        and candidate.view == WHOLE
        and bool(candidate.bits)
        and high == ones(WORD)
        and not words(candidate.bits)[0]
    )


def _of_neighbors(identified: Identified) -> Iterator[Finding]:
    """Yield what else the value could have been meant to be, where something is wrong with what it is taken for."""
    repairs = dict.fromkeys((each.repair, each.weight) for each in identified.neighbors if each.weight != LEGAL)
    for repair, weight in repairs:
        meant = [each for each in identified.neighbors if (each.repair, each.weight) == (repair, weight)]
        listed = ", ".join(f"{each.candidate.id} {each.text}" for each in meant)
        yield Finding(
            ERROR if weight == LIKELY else WARNING,
            "other-reading",
            (),
            f"{repair}, it is a valid descriptor: {listed}",
            "",
            "use that if it was meant" if weight == LIKELY else "use that if it was meant, otherwise give --kind",
        )


def _of_variants(literal: Literal, identified: Identified) -> tuple[Finding, ...]:
    """Return the note that says which architecture has a table that fits, where no usual one does."""
    found = by_variants(literal, identified)
    if not found:
        return ()
    kind = found[0].kind
    archs = kind.archs
    source = VARIANTS[kind.variant].source if kind.variant else kind.arch_source
    said = " or ".join(map(_by_variant, found))
    message = f"{together(archs)} read it as {said}: give --arch {archs[0]} if it is for one of them"
    return (Finding(NOTE, "other-arch", (), message, source=source),)


def _by_variant(candidate: Candidate) -> str:
    """Name a reading by another than the usual table, with the fields that the two read differently."""
    kind = candidate.kind
    usual = kind.usual.table
    odd = sum(usual.masks[each.field.key] for each in usual.misfits(candidate.bits, candidate.known))
    fields = candidate.read()
    upper = {getattr(row.codec, "upper", ""): row.key for row in kind.table.rows}
    changed = [upper.get(key, key) for key in fields if kind.table.masks[key] & odd & candidate.bits]
    said = [f"{key} {fields[key].value}" for key in changed if not fields[key].field.constant]
    return f"{kind.id} with {together(said)}" if said else kind.id


def _word_hint(literal: Literal, identified: Identified) -> tuple[Finding, ...]:
    """Where a 64-bit kind was asked for and only the high word may have been given, say how to say so."""
    only = identified.taken[0]
    if not identified.asked or identified.fit or only.kind.name not in SMEM_KINDS or only.view != "whole":
        return ()
    if literal.width or literal.number < 0 or literal.bit_length > WORD:
        return ()
    high = Candidate(only.kind, HIGH_WORD, join_words(only.bits, 0), join_words(ones(WORD), 0))
    if not high.fits():
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


def candidate_of(result: Result) -> Candidate:
    """Return the one reading of a value, which has to be a shared-memory descriptor.

    :class:`smemdesc.engine.errors.SmemdescError` where it is none, or where several readings fit.
    """
    names = [each.candidate.id for each in result.candidates]
    if not result.settled:
        raise SmemdescError(f"{result.text} fits {', '.join(names)}", hint="give --kind")
    if result.kind not in SMEM_KINDS:
        raise SmemdescError(
            f"{result.text} is not a shared-memory descriptor but {names[0]}",
            hint="give --kind wgmma or tcgen05 to read it as one",
        )
    return result.candidates[0].candidate
