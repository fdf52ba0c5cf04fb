"""Why the driver rejects a call of ``cuTensorMapEncodeTiled``, from the arguments printed by a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.encoding import Encoded, build
from smemdesc.descriptors.tensormap import encode_map, map_fields, map_text
from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.wording import join_and
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.tensormap import (
    DATA_TYPE,
    DIMENSIONS,
    DRIVER,
    PACKED_TYPES,
    SWIZZLES_OF_BLACKWELL,
)
from smemdesc.reading.map_arguments import (
    ARGUMENT,
    ARGUMENTS,
    CU_RESULT_SOURCE,
    NEEDED_ARGUMENTS,
    ONLY_IM2COL,
    SOURCE_TEXT,
    CuResult,
    MapCall,
)
from smemdesc.reading.map_source import calls
from smemdesc.rules.arguments import ARGUMENT_OF, argument_range, valid_stride
from smemdesc.rules.base import ERROR, WARNING, Finding, error, fails

MOST_OF_A_BOX = 256


@shown()
class MapCallAnswer(NamedTuple):
    """The driver's answer to a call, and the right arguments."""

    call: MapCall
    refused: tuple[Finding, ...]
    """The reasons for rejection, each with the driver's name of the argument; empty if there are none."""
    newer: tuple[str, ...]
    """What Hopper's driver rejects because only Blackwell has it."""
    notes: tuple[str, ...]
    made: Encoded | None
    """The map that the driver makes from the arguments or, if some are rejected, of the repaired ones."""
    command: str
    """The command that encodes this map; empty without a map."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The reasons for rejection."""
        return self.refused

    @property
    def ok(self) -> bool:
        """Whether the driver takes the arguments."""
        return not fails(self.refused)

    def __str__(self) -> str:
        why = ", ".join(dict.fromkeys(finding.rule for finding in self.refused))
        where = "in the source" if self.call.library is SOURCE_TEXT else f"as {self.call.library.name} prints it"
        return f"a tensor map {where}: {f'rejected ({why})' if why else 'not rejected'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        result = self.call.result
        return {
            "printed_by": self.call.library.name,
            "line": self.call.line,
            "arguments": dict(described(self.call)),
            "result": result.to_dict() if isinstance(result, CuResult) else result,
            "refused": [finding.to_dict() for finding in self.refused],
            "refused_on_hopper": list(self.newer),
            "notes": list(self.notes),
            "value": map_text(self.made, "bytes") if self.made else None,
            "command": self.command or None,
        }


def answers(text: str) -> Iterator[MapCallAnswer | SmemdescError]:
    """Yield the answer to each call in a text, and an error for one that cannot be read."""
    for call in calls(text):
        try:
            yield call if isinstance(call, SmemdescError) else answer(call)
        except SmemdescError as problem:  # half of the arguments of im2col are missing
            yield problem


def answer(call: MapCall) -> MapCallAnswer:
    """Return the driver's answer to a call."""
    rank = call.values.get("tensorRank", 1)
    if isinstance(rank, int) and not 1 <= rank <= DIMENSIONS:  # measured: 0 and 6 are rejected
        message = f"tensorRank: {rank} is not in 1..{DIMENSIONS}"
        wrong = argument_range.finding(error(message, fields=("rank",)))
        return MapCallAnswer(call, (wrong,), (), (), None, "")
    arguments = asked_arguments(call)
    lacking = call.missing
    refused = tuple(finding for finding in _judged(arguments, lacking) if finding.severity == ERROR)
    newer = tuple(_of_blackwell(arguments))
    repaired = _repaired(arguments, refused)
    built = None
    if not lacking and repaired is not None and arguments.get("swizzle") not in SWIZZLES_OF_BLACKWELL:
        built = encode_map(**repaired)
    doubted = (
        () if repaired is None else (finding for finding in _judged(repaired, lacking) if finding.severity == WARNING)
    )
    notes = (
        *(f"{finding.message} ({finding.likely}): {finding.fix}" for finding in doubted),
        *_notes(call, refused, newer),
    )
    return MapCallAnswer(call, refused, newer, notes, built, _command(repaired) if built and repaired else "")


def _of_blackwell(arguments: Mapping[str, Any]) -> Iterator[str]:
    if arguments["dtype"] in {data_type.name for data_type in PACKED_TYPES}:
        yield f"tensorDataType {arguments['dtype']}"
    if arguments.get("swizzle") in SWIZZLES_OF_BLACKWELL:
        yield f"swizzle {arguments['swizzle']}"


def described(call: MapCall) -> Iterator[tuple[str, str]]:
    """Yield the arguments in the driver's order with its names, and mark those that were not printed."""
    for name in ARGUMENT:
        value = call.values.get(name)
        if isinstance(value, list):
            text = ", ".join(map(str, value)) or "none"
        elif value is None:
            continue
        elif ARGUMENT[name].names:
            text = f"{_name(name, value)} ({value})"
        else:
            text = f"0x{value:x}" if name in ("tensorMap", "globalAddress") else str(value)
        yield name, f"{text}, {call.assumed[name]}" if name in call.assumed else text


def _name(argument: str, code: int) -> str:
    names = ARGUMENT[argument].names
    return names[code] if 0 <= code < len(names) else f"code {code}"


_STAND_IN: Mapping[str, Any] = {"dtype": "UINT8", "address": 0, "channels": 16, "pixels": 1}


def asked_arguments(call: MapCall) -> dict[str, Any]:
    """Return the arguments for :func:`tensormap`; a missing one gets a legal value."""
    arguments: dict[str, Any] = {}
    for argument in ARGUMENTS:
        value = call.values.get(argument.name)
        if argument.keyword and value is not None:
            code = value if argument.names and isinstance(value, int) else None
            arguments[argument.keyword] = value if code is None else _name(argument.name, code)
    lengths = [len(arguments[key]) for key in ("dim", "box") if key in arguments]
    is_im2col = not set(ONLY_IM2COL).isdisjoint((*call.values, *call.unknown))
    rank = call.values.get("tensorRank", min(lengths, default=3 if is_im2col else 1))
    assert isinstance(rank, int)
    for argument in (ARGUMENT[name] for name in call.missing if name in (*NEEDED_ARGUMENTS, *ONLY_IM2COL)):
        if argument.keyword:
            count = rank - {"stride": 1, "lower_corner": 2, "upper_corner": 2}.get(argument.keyword, 0)
            # Of a dimension with one element the stride is another matter.
            legal = {"dim": 2, "box": 1, "element_stride": 1}.get(argument.keyword, 0)
            arguments[argument.keyword] = [legal] * count if argument.is_list else _STAND_IN[argument.keyword]
    return arguments


def _judged(arguments: Mapping[str, Any], lacking: Sequence[str]) -> Iterator[Finding]:
    """Yield what is wrong with arguments: values that fit no field, then the findings of the rules on the others."""
    swizzle = arguments.get("swizzle")
    if swizzle in SWIZZLES_OF_BLACKWELL:  # those of 128 bytes have the same limits on the box, of others none is known
        arguments = {**arguments, "swizzle": "128B" if swizzle.startswith("128B") else "none"}
    try:
        kind, fields = map_fields(**arguments)
    except FieldError as problem:
        yield from argument_range.apply(problem, arguments)
        return
    unknown = {key + upper for name in lacking for key in ARGUMENT[name].fields for upper in ("", "_upper")}
    for key in list(fields):
        try:
            kind.table.encode({key: fields[key]})
        except FieldError as problem:
            yield from argument_range.apply(problem, arguments, kind.table.by_key[key])
            unknown |= {key, f"{key}_upper"} & kind.table.by_key.keys()
    known = kind.table.full & ~sum(kind.table.masks[key] for key in {*unknown, "box_bytes"} & kind.table.by_key.keys())
    good = {key: value for key, value in fields.items() if key not in unknown}
    for finding in build(kind, good, base=(0, known), force=True).findings:
        yield _named(finding, kind)


def _named(finding: Finding, kind: Kind) -> Finding:
    """Return a finding of the rules with the driver's names of the wrong arguments."""
    names = list(dict.fromkeys(ARGUMENT_OF.get(key, key) for key in finding.fields if key in kind.table.by_key))
    return finding._replace(message=f"{join_and(names[:2])}: {finding.message}")


def _repaired(arguments: dict[str, Any], refused: Sequence[Finding]) -> dict[str, Any] | None:
    """Return arguments that the driver accepts, repaired by the findings; None if these do not repair all."""
    repaired = {key: list(value) if isinstance(value, list) else value for key, value in arguments.items()}
    for finding in refused:
        changed = _change(finding, repaired)
        if changed is None:
            return None
        key, value = changed
        name, _, number = key.rpartition("_")
        if number.isdigit():
            repaired[name][int(number) - (name == "stride")] = value
        else:
            repaired[key] = value
    return None if refused and any(finding.severity == ERROR for finding in _judged(repaired, ())) else repaired


def _change(finding: Finding, arguments: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the field to change for a finding, and what to write there."""
    for field, right in finding.repair:
        return {"channels_per_pixel": "channels"}.get(field, field), right
    key = finding.fields[0]
    if key.startswith("stride_"):
        return key, valid_stride(key, arguments)
    if key.startswith("box_") and finding.rule == "argument-range" and arguments["box"][int(key[-1])] > MOST_OF_A_BOX:
        return key, MOST_OF_A_BOX
    if finding.rule == "box-row-swizzle":
        most = int(arguments["swizzle"].partition("B")[0]) * 8 // DATA_TYPE[arguments["dtype"]].bits
        return ("channels" if key == "channels_per_pixel" else key), most
    return None


def _notes(call: MapCall, refused: Sequence[Finding], newer: Sequence[str]) -> Iterator[str]:
    """Yield further notes: missing arguments, the meaning of the result, what else the driver rejects."""
    missing, values, result = call.missing, call.values, call.result
    if missing:
        named = (f"{name} ({call.unknown[name]})" if call.unknown.get(name) else name for name in missing)
        yield f"not in the text: {', '.join(named)}; what depends on it is not checked"
    place = values.get("tensorMap", 0)
    misplaced = isinstance(place, int) and place % _ALIGNED != 0
    if misplaced:
        yield f"tensorMap is at 0x{place:x}, not at a multiple of {_ALIGNED} bytes ({DRIVER}); {_UNCHECKED}"
    if values.get("globalAddress") == 0:
        yield "globalAddress is 0, as for an empty tensor: the measured driver accepts it, others may not"
    if newer:
        yield f"{join_and(newer)}: Hopper's driver rejects it; {_OF_BLACKWELL}"
    code = result.code if isinstance(result, CuResult) else result
    if code in (None, 1):
        if not (refused or newer):
            yield _ELSE
    elif not isinstance(result, CuResult):
        yield f"result {code}: see {CU_RESULT_SOURCE}"
    elif not (misplaced and code == _MISALIGNED):
        yield f"result {code} is {result.name}: {result.cause} ({CU_RESULT_SOURCE})"


_ALIGNED = 64
_MISALIGNED = 716
_UNCHECKED = f"the measured driver does not check it, another may return {_MISALIGNED}"
_OF_BLACKWELL = "the documented limits of Blackwell were checked, none was measured"
_ELSE = (
    "CUDA_ERROR_INVALID_VALUE can have causes that are not in the text: a null tensorMap (measured), or an argument "
    "that is passed with another value than printed"
)


def _command(arguments: Mapping[str, Any]) -> str:
    words = ["smemdesc encode tensormap"]
    for keyword, value in arguments.items():
        if value == _DEFAULTS.get(keyword):
            continue
        if keyword == "element_stride" and set(value) == {1}:
            continue
        if isinstance(value, list):
            if not value:
                continue
            value = ",".join(map(str, value))
        elif keyword == "address":
            value = f"0x{value:x}"
        glue = "=" if str(value).startswith("-") else " "
        words.append(f"--{keyword.replace('_', '-')}{glue}{value}")
    return " ".join(words)


_DEFAULTS = {
    argument.keyword: argument.names[0]
    for argument in ARGUMENTS
    if argument.names and argument.name not in NEEDED_ARGUMENTS
}
