"""Rules about arguments that do not fit their fields: those to encode, and those of ``cuTensorMapEncodeTiled``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smemdesc.engine.errors import FieldError
from smemdesc.engine.fields import CountMinusOne, Field
from smemdesc.kinds.addresses import CONVERT, ENCODE, address_bits
from smemdesc.kinds.tensormap import DATA_TYPE, STRIDES
from smemdesc.reading.map_arguments import ARGUMENTS
from smemdesc.rules.base import Problem, case_rule, error, explained, warning
from smemdesc.rules.tensor_map import HELD

ARGUMENT_OF = {
    field: f"{argument.name}[{at}]" if argument.is_list else argument.name
    for argument in ARGUMENTS
    for at, field in enumerate(argument.fields)
}
"""The driver's name of the argument in a field."""


@explained(
    "Shared-memory addresses have 18 bits. A generic pointer has more; without conversion its low bits are not the "
    "address.",
    "smemdesc encode tcgen05 --start 0x7f5c00000400 --sbo 1024 --swizzle 128B --force",
    "--start 0x400",
)
@case_rule(ENCODE)
def address_masked(row: Field, value: int, low: int) -> Problem:
    """An address or offset to encode has at most 18 bits; more is an error without --force."""
    return warning(
        f"{row.key} 0x{value:x} is above the {address_bits(row)} bits of shared memory: its low bits, 0x{low:x}, "
        "are used",
        "a generic or 64-bit pointer",
        f"pass what {CONVERT} gives",
        fields=(row.key,),
    )


@explained(
    "The driver returns CUDA_ERROR_INVALID_VALUE and does not name the wrong argument.",
    "smemdesc explain - < log",
    "(2,8208,0,0,0) for (2,8200,0,0,0)",
    (
        "format         9\ndim            2\ngmem_address   0x7f1234567000\nglobalDim      (4100,2048,1,1,1)\n"
        "globalStrides  (2,8200,0,0,0)\nboxDim         (64,128,1,1,1)\nswizzle        3\n"
    ),
)
@case_rule(HELD)
def argument_range(problem: FieldError, arguments: Mapping[str, Any], row: Field | None = None) -> Problem:
    """Each argument of cuTensorMapEncodeTiled is in its range, strides are multiples of 16 bytes (explain -)."""
    key = problem.key
    argument = ARGUMENT_OF.get(key) or next((argument.name for argument in ARGUMENTS if argument.keyword == key), key)
    message = problem.option_message.removeprefix(f"{key}: ").partition(";")[0]
    name, _, number = key.rpartition("_")
    if row is not None and isinstance(row.codec, CountMinusOne):
        value = arguments[name][int(number)] if number.isdigit() else arguments[name.partition("_")[0]]
        message = f"{value} is not in {row.codec.describe(row.width)}"
    elif name == "stride" and arguments[name][int(number) - 1] >= STRIDES:
        message = f"{arguments[name][int(number) - 1]} B is not below 2^40"
    return error(f"{argument}: {message}", fix=_fix(key, arguments), fields=(key,))


def _fix(key: str, arguments: Mapping[str, Any]) -> str:
    name, _, number = key.rpartition("_")
    if name == "dim":
        return "do not make a map for an empty tensor"
    if name != "stride":
        return ""
    right = valid_stride(key, arguments)
    if arguments["dim"][int(number)] == 1:
        return f"dimension {number} has one element, but its stride is still checked: write {right}"
    return f"pad the rows, or copy the tensor: the next valid stride is {right}"


def valid_stride(key: str, arguments: Mapping[str, Any]) -> int:
    """Return a stride that the driver accepts: any if the dimension has one element, else the next larger."""
    at = int(key.rpartition("_")[2]) - 1
    unit = 32 if arguments.get("interleave") == "32B" else DATA_TYPE[arguments["dtype"]].unit
    least: int = arguments["stride"][at]
    if at == 0 and arguments.get("interleave", "none") == "none":
        least = max(least, DATA_TYPE[arguments["dtype"]].row_bytes(arguments["dim"][0]))
    if arguments["dim"][at + 1] == 1:
        count = arguments["dim"][at]
        least = arguments["stride"][at - 1] * count if at else DATA_TYPE[arguments["dtype"]].row_bytes(count)
    return -(-least // unit) * unit


RULES = (address_masked, argument_range)
