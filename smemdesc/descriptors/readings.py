"""The readings of a pasted value: its bits as one kind's descriptor, whole or in one word, and how well they fit.

A reading *fits* when no known bit contradicts its table (reserved bits, constants, undefined codes) and none of its
rules finds an error or a doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from smemdesc.engine.errors import FieldError, WidthError
from smemdesc.engine.fields import WORD, FieldReading, Frozen, join_words, ones, word_pair
from smemdesc.engine.wording import nearest
from smemdesc.kinds import aliases
from smemdesc.kinds.addresses import START, RelativeStart, typed_start
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.layout.strides import LBO, SBO, is_absolute
from smemdesc.reading.text import VALUE_BITS, Literal, by_words, to_hex
from smemdesc.rules.base import ERROR, Finding
from smemdesc.rules.judging import Answers, answers_of, judge, rules_for

T = TypeVar("T")
WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE = "whole", "high_word", "in_high_word", "in_high_word_alone"
READING_VIEWS = (WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE)
FITS, DOUBTFUL, FITS_NOT = 2, 1, 0
MATRIX_KINDS = ("tcgen05", "wgmma")
"""The kinds of shared-memory descriptors, in the order in which they are offered."""


class NamedFields(Frozen[str, T]):
    """The fields of a value by their keys; also by other names of them, as the command line takes them."""

    def __missing__(self, name: str) -> T:
        key = aliases.field_alias(name) if isinstance(name, str) else ""
        if key in self:
            return self[key]
        known = (*self, *(alias for alias, own in aliases.FIELD_ALIASES.items() if own in self))
        hint = nearest(str(name), known, f"its fields are {', '.join(self)}")
        raise FieldError(str(name), f"there is no field {name!r}", hint=hint)


class _Bits(NamedTuple):
    kind: Kind
    view: str
    bits: int
    known: int
    context: Context = NOTHING


class DescriptorReading(_Bits):
    """One way to read a value: its fields, findings and grade, each computed once, when needed.

    ``bits`` and ``known`` are the descriptor's, not the text's. ``view`` is ``whole``; ``high_word``: the text
    is the high word of the descriptor, the low word is unknown; ``in_high_word``: the descriptor is the high word of
    the text, the low word is 0; ``in_high_word_alone``: the same, and the low word is not known. ``context`` is what is
    known of the instruction: ``findings`` depend on it, how well the value fits does not.
    """

    @property
    def id(self) -> str:
        """The kind's id, with ``:high_word`` where only that word was given."""
        return f"{self.kind.id}:{HIGH_WORD}" if self.view == HIGH_WORD else self.kind.id

    @property
    def mma_kind(self) -> str | None:
        """The MMA kind of an instruction descriptor."""
        return self.kind.mma_kind

    @property
    def hex(self) -> str:
        """The descriptor in full width, ``?`` where digits are not known."""
        return to_hex(self.bits, self.known, self.kind.table.width)

    @cached_property
    def fields(self) -> Mapping[str, FieldReading]:
        """What each field holds."""
        return NamedFields(self.kind.table.read(self.bits, self.known))

    @cached_property
    def _answers(self) -> Answers:
        return answers_of(self.kind, self.bits, self.known, lambda: self.fields)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the descriptor, worst first."""
        return judge(self.kind, self.fields, self.context, self._answers)

    def in_context(self, context: Context) -> DescriptorReading:
        """Return this reading with the findings that ``context`` adds."""
        if context == self.context:
            return self
        reading = self._replace(context=context)
        reading.__dict__.update((name, value) for name, value in self.__dict__.items() if name != "findings")
        return reading

    @cached_property
    def wrong_constants(self) -> int:
        """The known bits, in place, that differ from what the format fixes."""
        return self.kind.table.wrong_constants(self.bits, self.known)

    @property
    def wrong_share(self) -> float:
        """The share of wrong bits among those that the format fixes, 0 to 1."""
        return self.wrong_constants.bit_count() / self.kind.table.must_count

    @property
    def has_mark(self) -> bool:
        """Whether the field that identifies a 64-bit kind best is known and right."""
        mark = mark_of(self.kind)
        return mark & self.known == mark and not self.wrong_constants & mark

    @property
    def has_legal_shape(self) -> bool:
        """Whether M and N of an instruction descriptor are legal, which distinguishes it from an address."""
        rules = (rule for rule in rules_for(self.kind) if rule.name == "shape")
        return not any(rule.apply(self.kind, self.fields, NOTHING) for rule in rules)

    @cached_property
    def _objections(self) -> tuple[int, int]:
        """How many errors, and how many doubts, contradict that the value is of this kind at all."""
        errors = doubts = 0
        rules = rules_for(self.kind)
        for place, findings in self._answers.items():
            wrong = sum(finding.severity == ERROR for finding in findings)
            errors += wrong
            doubts += (len(findings) - wrong) * rules[place].doubt
        return errors, doubts

    @cached_property
    def grade(self) -> int:
        """:data:`FITS`, :data:`DOUBTFUL` (possible, but only if nothing else fits) or :data:`FITS_NOT`."""
        if self.wrong_constants:
            return FITS_NOT
        errors, doubts = self._objections
        return FITS_NOT if errors else DOUBTFUL if doubts else FITS

    @property
    def fits(self) -> bool:
        """Whether no known bit contradicts this reading."""
        return self.grade == FITS

    @cached_property
    def is_ordinary(self) -> bool:
        """Whether this is a descriptor such as kernels have: it fits, and its strides are whole atoms.

        An ordinary descriptor of one kind is unlikely to be one slip away from another.
        """
        if self.kind.name not in MATRIX_KINDS:
            return self.kind.name == "idesc" and self.fits
        # The strides first: of what a slip could have been, they rule out almost all.
        return not self.wrong_constants and _are_whole_atoms(self.fields) and self.fits

    @property
    def distance(self) -> float:
        """How far the value is from fitting: the findings against it, then the share of wrong fixed bits."""
        return sum(self._objections) + self.wrong_share


def bare_value(reading: FieldReading, raw: bool = False) -> str:
    """Return a field's value, or the number in its bits, as :meth:`smemdesc.descriptors.result.Result.bare` does."""
    if raw:
        return "?" if reading.raw is None else str(reading.raw)
    if not reading.settled:
        return "?"
    if reading.value is None:
        return f"undefined:{reading.raw}"
    return str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)


_WIDEST_STRIDE = 64 * 1024
"""Bytes: no tile of a kernel has a larger distance between atoms."""


def _are_whole_atoms(fields: Mapping[str, FieldReading]) -> bool:
    swizzle, base = fields["swizzle"].value, fields["base_offset"].value
    if not isinstance(swizzle, str):
        return False
    mode = MODE[swizzle]
    if base:
        return False  # no known kernel writes one
    absolute = is_absolute(fields)
    for key in (LBO, SBO):
        size = fields[key].value
        if size is None and not fields[key].known:
            continue  # the whole word is not known
        if not isinstance(size, int):
            return False
        if key == LBO and (absolute or (swizzle != "none" and size in (0, 16))):
            continue
        if not size or size % mode.atom or size > _WIDEST_STRIDE:
            return False
    return True


@lru_cache(256)
def kinds_here(arch: str | None, *names: str) -> tuple[Kind, ...]:
    """Return the kinds of these ids that an architecture has, with its tables; without one, the common ones."""
    kinds = tuple(kind_of(name, arch=arch) for name in names)
    if arch is None:
        return tuple(kind for kind in kinds if not kind.newer)
    return tuple(kind for kind in kinds if kind.on(arch)) or kinds


def idescs(arch: str | None) -> tuple[Kind, ...]:
    """Return the instruction descriptors of all MMA kinds that an architecture has."""
    return kinds_here(arch, *ids("idesc"))


def as_word(literal: Literal) -> tuple[int, int] | None:
    """The 32 bits of a value that can be a single word, else None."""
    if literal.width >= VALUE_BITS:
        return None
    try:
        return literal.at(WORD)
    except WidthError:
        return None


def as_high_word(kind: Kind, bits: int, known: int) -> DescriptorReading:
    """Return the reading of 32 bits as the high word of a descriptor."""
    return DescriptorReading(kind, HIGH_WORD, join_words(bits, 0), join_words(known, 0))


_KEPT = 16
"""Values whose readings are kept: what asks for them again does so for the same value."""


@lru_cache(_KEPT)
def word_readings(bits: int, known: int, arch: str | None = None) -> tuple[DescriptorReading, ...]:
    """Return the readings of a 32-bit word."""
    whole = (DescriptorReading(kind, WHOLE, bits, known) for kind in idescs(arch))
    return (*whole, *(as_high_word(kind, bits, known) for kind in kinds_here(arch, *MATRIX_KINDS)))


@lru_cache(_KEPT)
def tmem_readings(bits: int, known: int, arch: str | None) -> tuple[DescriptorReading, ...]:
    """Return the reading of a 32-bit word as an address of tensor memory, if instructions may begin there."""
    reading = DescriptorReading(kind_of("tmem"), WHOLE, bits, known)
    begins = reading.kind.on(arch) and reading.fields["lane"].complete and not reading.findings
    return (reading,) if begins else ()


@lru_cache(_KEPT)
def wide_readings(bits: int, known: int, arch: str | None) -> tuple[DescriptorReading, ...]:
    """Return the readings of a 64-bit value."""
    return tuple(DescriptorReading(kind, WHOLE, bits, known) for kind in kinds_here(arch, *MATRIX_KINDS, "mask"))


@lru_cache(_KEPT)
def high_word_readings(bits: int, known: int, arch: str | None) -> tuple[DescriptorReading, ...]:
    """Instruction descriptors in the high word; only where the low word is 0, or not known at all."""
    high, low = word_pair(bits)
    high_known, low_known = word_pair(known)
    if low or not high_known or low_known not in (0, ones(WORD)):
        return ()
    view = IN_HIGH_WORD if low_known else IN_HIGH_WORD_ALONE
    return tuple(DescriptorReading(kind, view, high, high_known) for kind in idescs(arch))


def view_text(bits: int, known: int, width: int, view: str) -> str:
    """Return a descriptor as the text that it was read from in this view, in full width, ``?`` where unknown."""
    if view == HIGH_WORD and width == VALUE_BITS and not word_pair(known)[1]:
        return to_hex(word_pair(bits)[0], word_pair(known)[0], WORD)
    if view in (IN_HIGH_WORD, IN_HIGH_WORD_ALONE) and width == WORD:
        return to_hex(join_words(bits, 0), join_words(known, ones(WORD) if view == IN_HIGH_WORD else 0), VALUE_BITS)
    return to_hex(bits, known, width)


_MARK = {"tcgen05": "version", "wgmma": "reserved_46", "mask": "reserved_36"}
"""The fixed field that identifies a 64-bit kind best."""


def mark_of(kind: Kind) -> int:
    """Return the bits of the field that identifies a 64-bit kind best."""
    return kind.table.masks[_MARK[kind.id]]


def is_one_bit(mask: int) -> bool:
    """Whether a mask has one bit."""
    return mask.bit_count() == 1


def is_small(kind: Kind, wrong: int) -> bool:
    """Whether the wrong constant bits are one bit, or all in the field that identifies the kind."""
    return is_one_bit(wrong) or bool(wrong and kind.name in _MARK and not wrong & ~mark_of(kind))


LEGAL, POSSIBLE, LIKELY = "legal", "possible", "likely"


class NearMiss(NamedTuple):
    """An ordinary descriptor that one slip turns into the value."""

    reading: DescriptorReading
    repair: str
    """What to do to the value: ``with bit 46 set``."""
    text: str
    """The intended value, as it is typed; empty if it is obvious."""
    weight: str
    """``legal``: the other generation, one bit away. ``possible``: the value fits its reading, or is one bit from it.
    ``likely``: it fits nothing, so the slip explains it best."""

    def to_dict(self) -> dict[str, str]:
        """Return the JSON object: the reading, the repair that leads to it and, for a slip, the value."""
        out = {"reading": self.reading.id, "repair": self.repair}
        return out if self.weight == LEGAL else out | {"value": self.text}


def typed_from(start: RelativeStart, bits: int, known: int) -> str:
    """Return a shared-memory descriptor as one types it, with its start as a base and an offset."""
    table = kind_of("tcgen05").table
    field = table.masks[START]
    value = by_words(bits & ~field, known | field, table.width)
    return f"{value}@{typed_start(start, table.read(bits, known)[START])}"


def flip(bits: int, wrong: int) -> str:
    """Describe how to repair wrong constants."""
    if not is_one_bit(wrong):
        return "with 0b001 in bits 46-48" if (bits ^ wrong) & wrong else "with 0 in bits 46-48"
    return f"with bit {wrong.bit_length() - 1} {'cleared' if bits & wrong else 'set'}"


def other_generation(reading: DescriptorReading, arch: str | None = None) -> NearMiss | None:
    """Return the reading in the other generation, which differs by bit 46 alone; None if it has none."""
    kind, bits, known = reading.kind, reading.bits, reading.known
    if kind.name not in MATRIX_KINDS:
        return None
    to = kind_of("wgmma" if kind.name == "tcgen05" else "tcgen05", arch=arch)
    if kind.variant or (arch is not None and arch not in to.archs):
        return None
    wrong = next((other.wrong_constants for other in wide_readings(bits, known, arch) if other.kind.id == to.id), 0)
    if wrong & ~mark_of(to) or not is_one_bit(wrong):
        return None
    moved = DescriptorReading(to, WHOLE, bits ^ wrong, known)
    return NearMiss(moved, flip(bits, wrong), view_text(moved.bits, known, VALUE_BITS, reading.view), LEGAL)
