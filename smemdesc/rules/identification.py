"""Rules about a value as a whole: which kind of descriptor it is, its digits and its words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from smemdesc.engine.fields import WORD, FieldReading, ones, word_pair
from smemdesc.engine.wording import join_and, short
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.kind import Kind
from smemdesc.reading.text import VALUE_BITS, Literal
from smemdesc.rules.base import ERROR, NOTE, RANK, WARNING, Problem, case_rule, error, explained, note, warning
from smemdesc.rules.findings import Finding

Found = tuple[str, Sequence[Finding]]
"""The id of a reading that fits, and what is found in it."""
_ASK_MMA_KIND = "give --mma-kind; the instruction has it (.kind::f16; in SASS, the mnemonic)"


def _ask(ids: Sequence[str]) -> str:
    return _ASK_MMA_KIND if all(name.startswith("idesc") for name in ids) else "give --kind"


@explained(
    "Every kind has constant bits, codes and rules. A value that breaks them in every kind is not a descriptor, or "
    "was damaged in copying; the nearest kind shows what is wrong.",
    "smemdesc decode 0x6000404000010040",
    "swizzle=128B",
)
@case_rule()
def no_reading_fits(ids: Sequence[str], reason: str, close: bool) -> Problem:
    """Some kind fits the value. If none does, it is shown as the nearest kind: with a note if few of the fixed bits are
    wrong, else with an error."""
    if len(ids) > 1:
        return error(f"{reason}: {join_and(ids)}", next=_ask(ids))
    ask = "give the kind with --kind (and --mma-kind)"
    return note(reason, ask) if close else error(reason, next=ask)


@explained(
    "An instruction descriptor does not say its MMA kind: the instruction does. The same bits may be f16 under one "
    "kind and e4m3 under another, so no reading is chosen.",
    "smemdesc decode 0x08400010",
    "--mma-kind f16",
)
@case_rule()
def several_readings(ids: Sequence[str]) -> Problem | None:
    """Only one kind fits the value. If several do, all are shown."""
    return note(f"the value fits {join_and(ids)}", _ask(ids)) if len(ids) > 1 else None


@explained(
    "Where several readings fit and each has an error of its own, the value is wrong under each of them.",
    "smemdesc decode --cta-group 2 0x04200490",
    "--cta-group 1",
)
@case_rule()
def error_in_every_reading(readings: Sequence[Found]) -> Problem | None:
    """Of several readings that fit, at least one has no error."""
    message = _in_each(readings, ERROR)
    return error(message) if message else None


@explained(
    "Where several readings fit and each has a warning of its own, the value is suspicious under each of them.",
    "smemdesc decode 0x48140490",
    "max_shift=0",
)
@case_rule()
def warning_in_every_reading(readings: Sequence[Found]) -> Problem | None:
    """Of several readings that fit, at least one has neither an error nor a warning."""
    message = _in_each(readings, WARNING)
    return warning(message) if message and not _in_each(readings, ERROR) else None


def _in_each(readings: Sequence[Found], severity: str) -> str:
    """Name the worst finding of each reading if all have this severity, or a worse one; else return nothing."""
    if any(not findings or findings[0].rank > RANK[severity] for _, findings in readings):
        return ""
    return "; ".join(f"{name}: {findings[0].message}" for name, findings in readings)


@explained(
    "The tables of sm_107a and sm_107f have fields where the others have reserved bits. They are used only with "
    "--arch: a stray bit is more often a carry from the field below it.",
    "smemdesc decode --kind tcgen05 0x4000404000014040",
    "--arch sm_107a",
)
@case_rule("PTX ISA 9.4")
def other_arch(kind: Kind, names: Sequence[str]) -> Problem:
    """If no common table fits a value, no table of another architecture does."""
    here, other = join_and(kind.archs), " or ".join(names)
    return note(
        f"{here} read it as {other}: give --arch {kind.archs[0]} if the code is for one of them",
        source=VARIANTS[kind.variant].source if kind.variant else kind.arch_source,
    )


_D_TYPE = "d_type"


@explained(
    "The instruction descriptor does not encode its MMA kind. With the integer code of D, only kind::i8 defines it; "
    "if the instruction is kind::f16, the type of D is wrong.",
    "smemdesc decode 0x084004a0",
    "0x08400490",
)
@case_rule("PTX ISA 9.3, Table 45")
def other_mma_kind(bits: int, fields: Mapping[str, FieldReading], kinds: Sequence[Kind]) -> Problem | None:
    """If only one MMA kind fits an instruction descriptor, no other would fit but for the type of D."""
    code = fields.get(_D_TYPE)
    if code is None:
        return None
    near = []
    for kind in kinds:
        reading = kind.table.read(bits)
        if {row.key for row in kind.table.rows if reading[row.key].contradicts} == {_D_TYPE}:
            types = " x ".join(str(reading[key].value) for key in ("a_type", "b_type"))
            near.append(f"kind::{kind.mma_kind} ({types})")
    if not near:
        return None
    message = f"under {join_and(near)} D would be undefined: {_D_TYPE} code {code.raw} is {code.value}"
    return note(message, _ASK_MMA_KIND, fields=(_D_TYPE,), source=code.field.source)


@explained(
    "Eight or sixteen digits without a letter are a number in both bases. They are read as hexadecimal, as dumps "
    "print them; a prefix removes the doubt. In a line of code or of a debugger they are decimal.",
    "smemdesc decode 4000404000010040",
    "0x4000404000010040",
)
@case_rule("", ERROR, NOTE)
def digits_without_prefix(literal: Literal, value: str, ids: Sequence[str]) -> Problem:
    """Digits that could be decimal or hexadecimal have a prefix. An error if they are sound only in the base in which
    they were not read."""
    base = "decimal" if "+" in literal.other else "hexadecimal"
    message = f"only the {base} reading of {literal.text.strip()} is sound: {value}, {join_and(dict.fromkeys(ids))}"
    return error(message, fix=f"smemdesc {literal.other}")


@explained(
    "Values are found in lines of code, logs and debuggers. What else stands there is named, so that no number is "
    "left out unseen.",
    "smemdesc decode 'desc=0x4000404000010040;n=42'",
    "0x4000404000010040",
)
@case_rule()
def text_not_read(literal: Literal) -> Problem | None:
    """Every number and word around a pasted value is a part of it."""
    return note(f"not read: {short(literal.unread)}") if literal.unread else None


@explained(
    "Descriptors are printed with all their digits. With one digit too few or too many, every field above it is off "
    "by four bits.",
    "smemdesc decode 0x400040400001004",
    "0x4000404000010040",
)
@case_rule()
def digit_count(literal: Literal, kinds: Collection[str], fits: bool, requested: bool) -> Problem | None:
    """A hexadecimal value has 16 digits, or 8, or fewer where leading zeros were left out. 15 or 7 digits count as a
    lost digit unless the value fits, or --kind names an instruction descriptor or a mask; an error if nothing fits."""
    odd = _odd_count(literal)
    zeros = not literal.leading_zero and all(kind in ("idesc", "mask") for kind in kinds)
    if not odd or ((fits or requested) and zeros):
        return None
    return (warning if fits else error)(
        f"{literal.text.strip()} has {odd}",
        "a digit was lost or doubled when the value was pasted",
        "copy the value again",
    )


def _odd_count(literal: Literal) -> str:
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


@explained(
    "A value that fits nothing is often one slip away from a valid descriptor: words swapped, a digit lost, a bit "
    "flipped.",
    "smemdesc decode 0x0001004040004040",
    "0x4000404000010040",
)
@case_rule()
def other_reading(slips: Iterable[tuple[str, str, bool]]) -> Iterator[Problem]:
    """No slip of one bit, one digit or one word explains the value better: words in the wrong order, two digits
    swapped, a shift by 4, a digit lost or doubled. An error where nothing fits the value itself."""
    # Of each slip its repair, the intended descriptor, and whether it explains the value best.
    meant: dict[tuple[str, bool], list[str]] = {}
    for repair, descriptor, likely in slips:
        meant.setdefault((repair, likely), []).append(descriptor)
    for (repair, likely), listed in meant.items():
        message = f"{repair}, it is a valid descriptor: {', '.join(listed)}"
        if likely:
            yield error(message, fix="use that if you meant it")
        else:
            yield warning(message, fix="use that if you meant it, otherwise give --kind")


@explained(
    "The swizzle mode and SBO are in the high word. A register with the low word alone gives only the start address "
    "and LBO.",
    "smemdesc decode 0x00010040",
    "0x40004040:0x00010040",
)
@case_rule()
def low_word_alone(literal: Literal, whole: Iterable[tuple[int, int]]) -> Problem | None:
    """32 bits that fit neither an instruction descriptor nor a high word are only half of a 64-bit descriptor."""
    # The bits and the known bits of each reading as a whole shared-memory descriptor.
    low = (bits and not word_pair(bits)[0] and word_pair(known)[0] == ones(WORD) for bits, known in whole)
    if literal.width == VALUE_BITS or not any(low):
        return None
    return warning(
        "32 bits, read as a 64-bit descriptor whose high word is 0: no swizzle, SBO 0 B",
        "the low word of a descriptor; its mode and SBO are in the high word",
        "give both words as HI:LO, ? for an unknown one",
    )


@explained(
    "SASS moves a descriptor as two 32-bit registers, and often only the high word is constant. Write it as HI:? to "
    "decode it as a high word.",
    "smemdesc decode --kind tcgen05 1073758272",
    "0x40004040:?",
)
@case_rule()
def high_word(literal: Literal, bits: int, kind: str, is_valid: Callable[[], bool]) -> Problem | None:
    """Eight digits that --kind reads as a whole 64-bit descriptor are not a valid high word of one."""
    if literal.width or literal.number < 0 or literal.bit_length > WORD or not is_valid():
        return None
    return note(
        f"as the high word alone this is a valid {kind} descriptor",
        f"give 0x{bits:08x}:? if it is the value of one 32-bit register",
    )


RULES = (
    *(no_reading_fits, several_readings, error_in_every_reading, warning_in_every_reading, other_arch, other_mma_kind),
    *(digits_without_prefix, text_not_read, digit_count, other_reading, low_word_alone, high_word),
)
