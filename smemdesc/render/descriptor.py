"""One descriptor of an instruction, in a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from smemdesc.descriptors.explain import meaning, one_line
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import more
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.layout.strides import LBO, NICK, lbo_has_no_effect
from smemdesc.reading.text import digits
from smemdesc.rules.strides import is_packed

if TYPE_CHECKING:
    from smemdesc.instructions.model import Judged
    from smemdesc.scanning.model import ScannedMma, ScannedOperand, TensorMemoryOperand

OPERAND_TITLES = {"a": "A", "b": "B", "idesc": "idesc", "mask": "mask"}
IN_TENSOR_MEMORY = {"d": "D", "a": "A", "scale_a": "SFA", "scale_b": "SFB", "at": "at"}


def descriptor_rows(mma: ScannedMma, judged: Judged) -> Iterator[tuple[str, ScannedOperand, Result]]:
    """Yield the descriptors of an instruction of a scan: the name, the text and the meaning of each."""
    for name, result in judged.results.items():
        operand: ScannedOperand | None = getattr(mma, name)
        if operand is not None:
            yield name, operand, result


def known_addresses(every: Iterable[TensorMemoryOperand], copied: bool) -> Iterator[tuple[str, str]]:
    """Yield the known tensor-memory addresses: the operand, its lane and column; ``copied``: of a tcgen05.cp."""
    known: dict[str, dict[str, None]] = {}
    registers: dict[str, dict[str, None]] = {}
    for address in every:
        if address.register:
            registers.setdefault(address.name, {})[f"address in {address.register}"] = None
        if not address.known:
            continue
        reading = address.reading
        lane, column = ("?" if (number := reading.fields[key].raw) is None else number for key in ("lane", "column"))
        amiss = "".join(f" ({finding.message})" for finding in reading.findings)
        known.setdefault(address.name, {})[f"lane {lane}, column {column}{amiss}"] = None
    for name in dict.fromkeys((*known, *registers)):
        places = known.get(name, {}) | registers.get(name, {})
        listed = "; ".join(list(places)[:_MANY]) + more(len(places), _MANY)
        yield "to" if copied else IN_TENSOR_MEMORY[name], f"tensor memory: {listed}"


_MANY = 4
"""At most this many places are listed; the others are counted."""


def digits_of(result: Result) -> str:
    """Return the digits of a descriptor without its start address."""
    only = result.candidates[0]
    start = only.kind.table.masks.get("start_address", 0)
    return digits(result.value & ~start, result.known & ~start, result.width)


def descriptor_text(name: str, result: Result, context: Context, copied: bool = False) -> str:
    """Return a descriptor in one line; A and B without their start address.

    ``copied``: for a copy, which has neither type nor major-ness.
    """
    return "; ".join([head_text(name, result, context, copied), *stride_texts(name, result, context)])


def head_text(name: str, result: Result, context: Context, copied: bool = False) -> str:
    """Return a descriptor in a few words; of A and B mode, major-ness, type, shape, and whether they are packed."""
    if not result.settled:
        return mma_kinds_text(result)
    candidate = result.candidates[0]
    fields = dict(candidate.fields)
    if name not in ("a", "b"):
        return fields_text(candidate.kind, fields)
    words = [swizzle_of(fields["swizzle"])]
    if not copied:
        words += [f"{context.major}-major"] if context.major else []
        words += [context.dtype.name] if context.dtype else []
        words += [f"{context.shape[0]}x{context.shape[1]}"] if context.shape else []
    parts = [" ".join(words), *mode_texts(fields)]
    if is_packed(context, fields):
        parts.append("packed")
    elif not context.major or not fields["swizzle"].complete:
        parts += [stride_text(key, fields[key]) for key in NICK]
    return ", ".join(parts)


_MODES = {"base_offset": "base offset", "lbo_mode": "LBO mode", "lut_k_offset": "LUT K offset"}
"""The fields of A and B that are 0 in most descriptors; each changes which bytes are read."""


def mode_texts(fields: Mapping[str, FieldReading]) -> list[str]:
    """Return the fields of A or B that are seldom set, where they are: ``base offset 1``, ``LBO mode absolute``."""
    return [f"{text} {fields[key].value}" for key, text in _MODES.items() if key in fields and fields[key].raw]


def fields_text(kind: Kind, fields: Mapping[str, FieldReading]) -> str:
    """Return the fields of an instruction descriptor or a mask in one line, without scale-factor ids that are 0."""
    if not any(reading.bits or reading.settled for reading in fields.values() if not reading.field.constant):
        return one_line(kind, {}).removesuffix(": ")  # nothing is known
    idle = {key for key, reading in fields.items() if key.endswith("_scale_id") and reading.raw == 0}
    return one_line(kind, {key: reading for key, reading in fields.items() if key not in idle})


def stride_texts(name: str, result: Result, context: Context) -> list[str]:
    """Explain the strides of A or B that have an effect, unless the operand is packed."""
    if name not in ("a", "b") or not result.settled or not context.major:
        return []
    candidate = result.candidates[0]
    fields = dict(candidate.fields)
    if is_packed(context, fields) or not fields["swizzle"].complete:
        return []
    without_effect = {LBO} if lbo_has_no_effect(fields, context) else set()
    texts = (
        meaning(candidate.kind, fields, key, context) if fields[key].settled else stride_text(key, fields[key])
        for key in NICK
        if key not in without_effect
    )
    return [text for text in texts if " no effect here" not in text]


def stride_text(key: str, reading: FieldReading) -> str:
    """Return a stride with its name: ``SBO 1024 B``."""
    return f"{NICK[key]} {reading.value} B" if reading.settled else f"{NICK[key]} ?"


def mma_kinds_text(result: Result) -> str:
    """Describe an instruction descriptor that may be of several MMA kinds."""
    names = " or ".join(f"kind::{candidate.mma_kind}" for candidate in result.candidates)
    known = {key: field for key, field in result.agreed.items() if field.settled}
    return f"{names}: {fields_text(result.candidates[0].kind, known).partition(': ')[2]}"


def swizzle_of(field: FieldReading) -> str:
    """Return the swizzle mode, as far as it is known and defined."""
    if not field.settled:
        return "swizzle ?"
    return f"undefined swizzle code {field.raw}" if field.value is None else mode_text(str(field.value))


def mode_text(mode: str) -> str:
    """Return a swizzle mode as it stands before a major-ness: ``128B K-major``, ``unswizzled K-major``."""
    return "unswizzled" if mode == "none" else mode
