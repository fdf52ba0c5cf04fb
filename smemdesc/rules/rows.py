"""The rules of every table: reserved bits, constants, undefined codes, codes by architecture."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smemdesc.engine.fields import Enum, EnumCode, Field, FieldReading, Fixed, Reserved, Selected, UnknownBits, ones
from smemdesc.engine.wording import join_and, listed_words
from smemdesc.kinds.archs import CAPABILITIES, RENAMED, TARGETS, among, enumerated, has, lacks, undescribed, without
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import HOPPER
from smemdesc.reading.text import TENSOR_MAP_BITS
from smemdesc.rules.asks import ARCH
from smemdesc.rules.base import Example, Problem, Repair, Rule, error, note, warning


def row_rules(kind: Kind) -> Iterator[Rule]:
    """Yield the rules that follow from a kind and the rows of its table."""
    return (rule._replace(example=ROW_EXAMPLES.get(rule.name)) for rule in _rules(kind))


def _rules(kind: Kind) -> Iterator[Rule]:
    doc = f"It exists on {enumerated(kind.archs)}."
    yield Rule("kind-arch", (), kind.arch_source, doc, _kind_arch, partial=True, asks=(ARCH,))
    for row in kind.table.rows:
        codec = row.codec
        if isinstance(codec, UnknownBits):
            doc = "Bits without a known meaning are 0, as in every map that was measured."
            yield Rule("unknown-bits", (row.key,), row.source, doc, _unknown, partial=True)
        elif isinstance(codec, Reserved):
            doc = "Reserved bits are 0." if not codec.ignored else "Unused bits are 0 (they have no effect)."
            yield Rule("reserved-bits", (row.key,), row.source, doc, _reserved, partial=True, doubt=True)
        elif isinstance(codec, Fixed):
            doc = f"The constant is 0b{codec.default:0{row.width}b}."
            name = f"{row.key.replace('_', '-')}-constant"
            yield Rule(name, (row.key,), row.source, doc, _constant, partial=True, doubt=True)
        elif isinstance(codec, Enum):
            if len(codec.codes) <= ones(row.width):
                doc = f"The code is one of {codec.describe(row.width)}."
                yield Rule("undefined-code", (row.key,), row.source, doc, _undefined, partial=True, doubt=True)
            if isinstance(codec, Selected) and codec.depends == (codec.upper,):
                doc = f"The code exists together with {codec.upper}: {codec.describe(row.width)}."
                reads = (row.key, codec.upper)
                yield Rule("undefined-code", reads, row.source, doc, _undefined_together, partial=True)
            if any(code.archs for code in codec.codes):
                only = (f"{code.name} exists only on {', '.join(code.archs)}" for code in codec.codes if code.archs)
                yield Rule(
                    "needs-arch", (row.key,), row.source, "; ".join(only) + ".", _arch, partial=True, asks=(ARCH,)
                )


def decode_map(*lines: str) -> str:
    """Return the command that decodes a tensor map, given in lines of 32 bytes without the zeros at their ends."""
    return "smemdesc decode " + "".join(f"{line:0<64}" for line in lines).ljust(TENSOR_MAP_BITS // 4, "0")


def _chips(key: str) -> str:
    """Return the chips that have a capability, in words."""
    return join_and(list(dict.fromkeys(name.rstrip("af") for name in CAPABILITIES[key].chips)))


def _with_tma() -> str:
    first, *_ = names = CAPABILITIES["tma"].chips
    return f"from {first} on" if names[-1] == TARGETS[-1] else f"from {first} to {names[-1].rstrip('af')}"


ROW_EXAMPLES = {
    "kind-arch": Example(
        f"wgmma exists on {join_and(HOPPER)} only, tcgen05 on {_chips('tcgen05')} only. {_chips('mma-sync')} have "
        f"neither; their mma.sync takes no descriptors. All {_with_tma()} have tensor maps.",
        "smemdesc decode --kind tcgen05 --arch sm_120a 0x4000404000010040",
        "--arch sm_100a",
    ),
    "unknown-bits": Example(
        "These bits were 0 in every map that was measured. A driver for a newer chip may set them.",
        decode_map(
            "00705634127f0000106580000002", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
        ),
        "unknown_87=0",
    ),
    "reserved-bits": Example(
        "Reserved bits are 0. A set bit is often a carry from an unmasked addition to the address, or an offset that "
        "was not divided by 16. On wgmma the hardware ignores them; on tcgen05 they are undefined.",
        "smemdesc decode --kind tcgen05 --arch sm_100a 0x4000404000014040",
        "reserved_14=0",
    ),
    "version-constant": Example(
        "Bits 46-48 of a tcgen05 descriptor are 0b001. A wgmma descriptor has 0 there, so 0 usually means that code "
        "for Hopper made the descriptor. Where every descriptor of a kernel has 0, as those of JAX's Mosaic GPU do, "
        "which run, scan says it in a note; one among others is a warning.",
        "smemdesc decode --kind tcgen05 0x4000004000010040",
    ),
    "fixed-53-constant": Example(
        "Bits 53-60 are 0. The PTX ISA prints the constant as 0xb00000000, a typo for 0b00000000; copied literally it "
        "sets wrong bits.",
        "smemdesc decode --kind tcgen05 0x5600404000010040",
    ),
    "fixed-54-constant": Example(
        "On sm_107a bit 53 says where K begins in a compressed B; bits 54-60 are 0.",
        "smemdesc decode --kind tcgen05 --arch sm_107a 0x5600404000010040",
    ),
    "undefined-code": Example(
        "A code that the table does not define is undefined behavior. The usual cause is a number from another "
        "numbering: wgmma, tcgen05 and the tensor map number the swizzle modes differently, and the MMA kinds the "
        "types.",
        "smemdesc decode --kind tcgen05 0x6000404000010040",
        "swizzle=128B",
    ),
    "needs-arch": Example(
        "Some codes exist on one architecture only, such as LBO mode absolute and K = 96 on sm_103a. On another one "
        "they are reserved.",
        "smemdesc decode --kind tcgen05 --arch sm_100a 0x4010404000010040",
    ),
}
"""Of the rules that rows share, by their names."""


def bits_of_row(row: Field) -> str:
    """Return ``bit 52`` or ``bits 46-48``."""
    return f"bit {row.lo}" if row.lo == row.hi else f"bits {row.lo}-{row.hi}"


def verb(row: Field) -> str:
    """Return ``is`` or ``are``."""
    return "is" if row.lo == row.hi else "are"


def _reserved(_: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Reserved)
    must_be, because = ("unused and should", f" ({codec.ignored})") if codec.ignored else ("reserved and must", "")
    message = f"{bits_of_row(row)} {verb(row)} {must_be} be 0, not 0b{reading.binary()}{because}"
    return (warning if codec.ignored else error)(message, row.hint, "write 0", repair=Repair(row.key, 0))


def _unknown(_: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    if not reading.contradicts:
        return None
    row = reading.field
    ones_at = re.finditer("1+", reading.binary()[::-1])
    runs = [bits_of_row(row._replace(lo=row.lo + run.start(), hi=row.lo + run.end() - 1)).split()[1] for run in ones_at]
    are = "bit {} is" if reading.bits.bit_count() == 1 else "bits {} are"
    bits = are.format(join_and(runs) if len(runs) <= _RUNS else listed_words(runs, _RUNS))
    assert isinstance(row.codec, UnknownBits)
    if reading.complete and reading.bits in row.codec.tolerated:
        return note(f"{bits} set: {row.codec.tolerated[reading.bits]}")
    return warning(f"{bits} set: {row.codec.describe(row.width)}", "a newer driver or chip, or not a tensor map")


_RUNS = 4
"""The most runs of bits that a message lists."""


def _constant(_: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Fixed)
    message = f"{bits_of_row(row)} must be 0b{codec.default:0{row.width}b}, not 0b{reading.binary()}"
    fix = f"write 0b{codec.default:0{row.width}b}"
    repair = Repair(row.key, codec.default)
    # Partly known bits are judged as the best that they may be.
    reason = next((why for raw, why in codec.tolerated.items() if not (raw ^ reading.bits) & reading.known), None)
    give, message = (warning, f"{message}; {reason}") if reason else (error, message)
    return give(message, codec.wrong.get(reading.bits, row.hint), fix, repair=repair)


def _undefined(_: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    if not reading.contradicts:
        return None
    row, codec = reading.field, reading.field.codec
    assert isinstance(codec, Enum)
    only = codec.codes[0] if len(codec.codes) == 1 else None
    bits = str(reading.raw) if reading.complete else f"0b{reading.binary()}"
    return error(
        f"{row.key} has no code {bits}",
        codec.wrong.get(reading.bits, row.hint) if reading.complete else row.hint,
        f"write {only.name} (code {only.raw})" if only else f"use one of {codec.describe(row.width)}",
        repair=Repair(row.key, only.name) if only else None,
    )


def _undefined_together(_: Context, kind: Kind, reading: FieldReading, upper: FieldReading) -> Problem | None:
    if not reading.settled or reading.value is not None or reading.contradicts:
        return None
    key = upper.field.key
    return warning(f"{reading.field.key} has no code {reading.raw} if {key} is {upper.raw}", upper.field.hint)


def _arch(context: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    codec = reading.field.codec
    assert isinstance(codec, Enum)
    code: EnumCode | None = codec.by_raw.get(reading.bits) if reading.complete else None
    if code is None or not code.archs or reading.value is None:
        return None
    only = f"{reading.field.key} = {code.name} exists only on {', '.join(code.archs)}"
    if context.arch is None:
        return note(only, "give the architecture with --arch", source=code.source)
    if among(context.arch, code.archs) is not False or has(context.arch, kind.capability) is False:
        return None  # it has the code, is unknown, or lacks the kind, which kind-arch reports
    others_of_family = without(context.arch, code.archs)
    if others_of_family:
        return warning(f"{only}; {context.arch} code also runs on {', '.join(others_of_family)}", source=code.source)
    # The codes that the architecture has: if there is only one, it is the repair.
    others = [code for code in codec.codes if not code.archs or among(context.arch, code.archs)]
    repair = Repair(reading.field.key, others[0].name) if len(others) == 1 else None
    return error(f"{only}, not on {context.arch}", source=code.source, repair=repair)


def _kind_arch(context: Context, kind: Kind) -> Problem | None:
    arch = context.arch
    if arch is None:
        return None
    here = has(arch, kind.capability)
    if here is None:
        if undescribed(arch):
            what = CAPABILITIES[kind.capability].what
            return note(f"it is not known whether {arch} has {what}", fields=())
        return warning(
            f"{arch} is not a known architecture: rules that depend on it are not checked",
            fix=f"known: {', '.join(TARGETS)}",
            fields=(),
        )
    if not here:
        return error(lacks(arch, kind.capability), fields=())
    if undescribed(arch):
        return note(
            f"what {arch} has besides {kind.capability} is not known: rules that depend on it are not checked",
            fields=(),
        )
    if arch in RENAMED:
        return note(f"{arch} is the old name of {RENAMED[arch]}", source="PTX ISA 9.0, release notes", fields=())
    return None
