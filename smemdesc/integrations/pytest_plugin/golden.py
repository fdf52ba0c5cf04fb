"""The golden file of a kernel: the properties of its descriptors that do not change between compilations.

It holds the distinct sets of descriptors of each function, with the fields that have an effect. It does not hold the
number and the order of the instructions, line numbers, registers and start addresses: a compiler may change these.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from smemdesc.descriptors.explain import QUIET_FIELDS
from smemdesc.descriptors.result import AmbiguousField, Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading, Flag, Scalar, Upper
from smemdesc.engine.wording import printable
from smemdesc.kinds.context import Context
from smemdesc.layout.strides import LBO, NICK, is_absolute, strides_of
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.scanning.model import START
from smemdesc.scanning.results.comparison import ScannedFunction, match
from smemdesc.scanning.results.function_names import NO_NAME
from smemdesc.scanning.results.report import ReportRow

_FORMAT = 1
_INSTRUCTION = {
    "wgmma": ("m", "n", "k", "a_type", "b_type", "d_type", "sparse"),
    "tcgen05": ("cta_group", "ws", "scale_vec"),
    "tcgen05.cp": ("cta_group", "copied"),
}
"""The properties that only the instruction specifies, by its family."""
_SPANS = ("start_count_", "first_span_", "skip_span", "use_span")
GoldenMma = dict[str, Any]
"""An instruction in a golden file: its own properties, and the fields of each operand."""
FieldDifferences = tuple[tuple[str, str, str], ...]
"""Operand (empty: the instruction itself), field, and both values in words."""


class GoldenFunction(NamedTuple):
    """A function, as a golden file holds it."""

    name: str | None
    arch: str | None
    mmas: list[GoldenMma]
    maps: dict[str, list[str]]
    """What it writes into each field of tensor maps, in words."""


class GoldenChange(NamedTuple):
    """An instruction that differs; ``old`` is None if it is not in the file, ``new`` if it is only in the file."""

    function: str | None
    old: GoldenMma | None
    new: GoldenMma | None
    fields: FieldDifferences = ()
    """The fields that differ; if ``old`` is None, from the nearest instruction in the file."""


class Goldens(NamedTuple):
    """Where the golden files of a test are."""

    folder: Path
    """The folder of relative names."""
    written: Callable[[str], object] | None = None
    """A callback for the name of each file that is written; None: the files are read."""


def describe(row: ReportRow) -> GoldenMma:
    """Return an instruction as a golden file holds it; unknown values are None."""
    instruction = row.mmas[0].instruction
    out: GoldenMma = {"kind": instruction.family}
    for key in _INSTRUCTION.get(instruction.family, ()):
        value = getattr(instruction, key)
        if value:
            out[key] = list(value) if isinstance(value, tuple) else value
    if instruction.a_from != "shared":
        out["a_from"] = instruction.a_from
    fields = {name: _fields(row, name, result) for name, result in row.judged.results.items()}
    return out | {name: values for name, values in fields.items() if values}


def _fields(row: ReportRow, name: str, result: Result) -> dict[str, Any]:
    out: dict[str, Any] = {}
    left_out: set[str] = set()
    if name in ("a", "b"):
        context = row.judged.context(name)
        left_out = _without_effect(result.agreed, context)
        if row.judged.instruction.copied is None:
            shape = None if context.shape is None else list(context.shape)
            out = {"dtype": context.dtype and context.dtype.name, "major": context.major, "shape": shape}
    elif name == "mask" and result.fields["non_zero_mask"].raw == 0:
        left_out = {key for key in result.fields if key.startswith(_SPANS)}  # no column is zeroed, whatever they are
    for key, reading in result.fields.items():
        if key not in left_out and _says_something(key, reading):
            out[key] = golden_value(reading)
    return out


def _without_effect(fields: Mapping[str, FieldReading], context: Context) -> set[str]:
    """Return the addresses, and the strides that the operand does not reach, whatever they are."""
    swizzle = fields["swizzle"].value
    if is_absolute(fields):
        return {START, LBO}
    if not isinstance(swizzle, str) or context.major is None:
        return {START}
    return {START} | {stride.key for stride in strides_of(swizzle, context.major, context) if stride.used is False}


def _says_something(key: str, reading: FieldReading | AmbiguousField) -> bool:
    """Whether a field is worth recording: not one that is 0, or constant, in nearly every descriptor."""
    if isinstance(reading, AmbiguousField):
        return reading.raw != 0
    if reading.field.constant:
        return reading.contradicts
    if isinstance(reading.field.codec, Upper):
        return False  # the field whose upper bits they are includes them
    return reading.raw != 0 or not (key in QUIET_FIELDS or isinstance(reading.field.codec, Flag))


def golden_value(reading: FieldReading | AmbiguousField) -> Scalar | None:
    """Return the value of a field, ``code 3`` for an undefined code, None if it is not known."""
    if reading.value is not None or reading.raw is None:
        return reading.value
    return f"code {reading.raw}"


def unknown(mma: GoldenMma) -> dict[str, list[str]]:
    """Return the fields of each operand that are not known."""
    fields = {
        name: [key for key, value in operand_fields.items() if value is None] for name, operand_fields in _operands(mma)
    }
    return {name: keys for name, keys in fields.items() if keys}


def _operands(mma: GoldenMma) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((name, fields) for name, fields in mma.items() if isinstance(fields, dict))


def write(path: Path, functions: Iterable[GoldenFunction]) -> None:
    """Write a golden file, and create its folder."""
    texts = []
    for function in functions:
        head = json.dumps({"function": function.name, "arch": function.arch})[:-1]
        maps = f', "tensor_maps": {json.dumps(function.maps)}' if function.maps else ""
        texts.append(f' {head}, "mmas": [\n' + ",\n".join(map(_text, function.mmas)) + f"\n ]{maps}}}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"format": {_FORMAT}, "functions": [\n' + ",\n".join(texts) + "\n]}\n", encoding="utf-8")


def _text(mma: GoldenMma) -> str:
    """Return an instruction with each operand on a line of its own."""
    operands = dict(_operands(mma))
    lines = [json.dumps({key: value for key, value in mma.items() if key not in operands})[:-1]]
    lines += [f"   {json.dumps(name)}: {json.dumps(fields)}" for name, fields in operands.items()]
    return "  " + ",\n".join(lines) + "}"


def read(path: Path) -> list[GoldenFunction]:
    """Read a golden file. :class:`smemdesc.engine.errors.SmemdescError` for any other file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise ValueError
        return [
            GoldenFunction(
                function["function"],
                function["arch"],
                [{"kind": mma["kind"], **mma} for mma in function["mmas"]],
                {field: list(values) for field, values in function.get("tensor_maps", {}).items()},
            )
            for function in content["functions"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SmemdescError(
            f"{os.path.relpath(path)} is not a golden file of this version of smemdesc",
            hint="write it anew: pytest --smemdesc-update",
        ) from None


def compare(old: Sequence[GoldenFunction], new: Sequence[GoldenFunction]) -> Iterator[GoldenChange]:
    """Yield every difference between the functions of a golden file and the current ones."""
    before, after = (
        [ScannedFunction("", function.name, 0, function.arch, 0) for function in side] for side in (old, new)
    )
    partner = match(before, after)
    for number, function in enumerate(new):
        yield from _changes(old[partner[number]] if number in partner else function._replace(mmas=[]), function.mmas)
    for number, function in enumerate(old):
        if number not in partner.values():
            yield from _changes(function, [])


def changed_fields_of_maps(old: Sequence[GoldenFunction], new: Sequence[GoldenFunction]) -> Iterator[str]:
    """Yield the fields of tensor maps that differ, in the functions of both."""
    before = {(function.name, function.arch): function.maps for function in old}
    for function in new:
        maps = before.get((function.name, function.arch), function.maps)
        for field in dict.fromkeys((*maps, *function.maps)):
            values = [" and ".join(side.get(field, ["not written"])) for side in (maps, function.maps)]
            if values[0] != values[1]:
                yield f"{printable(function.name or NO_NAME)}: tensor map {field}: {' -> '.join(values)}"


def _changes(old: GoldenFunction, new: Sequence[GoldenMma]) -> Iterator[GoldenChange]:
    """Pair the instructions that only one side has, those with the fewest differences first."""
    before, after = [mma for mma in old.mmas if mma not in new], [mma for mma in new if mma not in old.mmas]
    pairs = [(_differences(a, b), a, b) for a, b in product(old.mmas, after) if a["kind"] == b["kind"]]
    pairs.sort(key=lambda pair: len(pair[0]))
    for fields, a, b in pairs:
        if a in before and b in after:
            before.remove(a)
            after.remove(b)
            yield GoldenChange(old.name, a, b, fields)
    yield from (GoldenChange(old.name, mma, None) for mma in before)
    for mma in after:
        yield GoldenChange(old.name, None, mma, next((fields for fields, _, b in pairs if b is mma), ()))


def _differences(old: GoldenMma, new: GoldenMma) -> FieldDifferences:
    a, b = _leaves(old), _leaves(new)
    differences = []
    for place in (*a, *(leaf for leaf in b if leaf not in a)):
        if place not in a or place not in b or a[place] != b[place]:
            absent = _left_out(place[1], a.get(place, b.get(place)))
            values = [in_words(place[1], leaves[place]) if place in leaves else absent for leaves in (a, b)]
            differences.append((*place, " -> ".join(values)))
    return tuple(differences)


def _left_out(key: str, other: Any) -> str:
    """Return what a field is that is not in a golden file, given the other side's value."""
    if key in NICK:
        return "no effect"
    if key == "version" or key.startswith("fixed"):
        return "as required"
    return "false" if isinstance(other, bool) else "0" if isinstance(other, int) else "not set"


def _leaves(mma: GoldenMma) -> dict[tuple[str, str], Any]:
    operands = dict(_operands(mma))
    own = {("", key): value for key, value in mma.items() if key not in operands}
    return own | {(name, key): value for name, fields in operands.items() for key, value in fields.items()}


def in_words(key: str, value: Any) -> str:
    """Return a value as it is shown: ``1024 B``, ``128x16``, ``not known``."""
    if value is None:
        return "not known"
    if isinstance(value, list | tuple):
        return "x".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value} B" if key in NICK and isinstance(value, int) else str(value)


def field_name(operand: str, key: str) -> str:
    """Return the name of a field in a message: ``B SBO``."""
    return f"{OPERAND_TITLES[operand]} {NICK.get(key, key)}" if operand in OPERAND_TITLES else key


def summary(mma: GoldenMma) -> str:
    """Return an instruction of a golden file in a line."""
    return ", ".join(f"{field_name(*place)} {in_words(place[1], value)}" for place, value in _leaves(mma).items())
