"""The arguments of ``cuTensorMapEncodeTiled``, and how programs print them where the driver refuses a tensor map.

What a library calls an argument is a row of :data:`LIBRARIES`; the reader knows no library. Arguments go by the
driver's names, with the driver's numbers: dimensions innermost first, strides in bytes of all but the innermost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import many
from smemdesc.kinds.modes import SWIZZLES
from smemdesc.kinds.tensormap import (
    DATA_TYPE,
    DIMENSIONS,
    FILLS,
    INTERLEAVES,
    PROMOTIONS,
    SWIZZLES_OF_BLACKWELL,
)


class MapArgument(NamedTuple):
    """An argument of the driver's functions."""

    name: str
    keyword: str = ""
    """Its name in :func:`smemdesc.descriptors.tensormap.encode_map` and its command; empty: it has none."""
    fields: tuple[str, ...] = ()
    """The fields of a map that it decides; of a list, one for each of its numbers."""
    names: tuple[str, ...] = ()
    """Our names of the codes of an enumeration, from 0 on."""
    enumeration: str = ""
    """What follows ``CU_TENSOR_MAP_`` in the names of its enumerators."""
    words: tuple[str, ...] = ()
    """The ends of these names; empty: ``names`` in capitals."""
    is_list: bool = False

    @property
    def codes(self) -> dict[str, int]:
        """The codes of the enumerators, by name."""
        words = self.words or map(str.upper, self.names)
        return {f"CU_TENSOR_MAP_{self.enumeration}_{word}": code for code, word in enumerate(words)}


def _list(name: str, keyword: str, first: int = 0) -> MapArgument:
    return MapArgument(name, keyword, tuple(f"{keyword}_{i}" for i in range(first, DIMENSIONS)), is_list=True)


_TYPES = tuple(data_type.name for data_type in sorted(DATA_TYPE.values(), key=lambda data_type: data_type.number))
_SWIZZLE_FIELDS = ("swizzle", "swizzle_atomicity", "swizzle_period")
_L2 = ("NONE", *(f"L2_{size}" for size in PROMOTIONS[1:]))
ARGUMENTS = (
    MapArgument("tensorMap"),
    MapArgument("tensorDataType", "dtype", ("data_type",), _TYPES, "DATA_TYPE", _TYPES),
    MapArgument("tensorRank", "", ("rank",)),
    MapArgument("globalAddress", "address", ("global_address",)),
    _list("globalDim", "dim"),
    _list("globalStrides", "stride", first=1),
    _list("boxDim", "box"),
    _list("pixelBoxLowerCorner", "lower_corner"),
    _list("pixelBoxUpperCorner", "upper_corner"),
    MapArgument("channelsPerPixel", "channels", ("channels_per_pixel",)),
    MapArgument("pixelsPerColumn", "pixels", ("pixels_per_column",)),
    _list("elementStrides", "element_stride"),
    MapArgument("interleave", "interleave", ("interleave",), INTERLEAVES, "INTERLEAVE"),
    MapArgument("swizzle", "swizzle", _SWIZZLE_FIELDS, (*SWIZZLES, *SWIZZLES_OF_BLACKWELL), "SWIZZLE"),
    MapArgument("l2Promotion", "l2_promotion", ("l2_promotion",), PROMOTIONS, "L2_PROMOTION", _L2),
    MapArgument("oobFill", "fill", ("fill",), FILLS, "FLOAT_OOB_FILL", ("NONE", "NAN_REQUEST_ZERO_FMA")),
)
"""The arguments in the driver's order, tiled and im2col together."""
ARGUMENT = {argument.name: argument for argument in ARGUMENTS}
TILED_ARGUMENTS = tuple(name for name in ARGUMENT if not name.startswith(("pixel", "channels")))
IM2COL_ARGUMENTS = tuple(name for name in ARGUMENT if name != "boxDim")
"""The arguments of the driver's two functions."""
ONLY_IM2COL = tuple(name for name in IM2COL_ARGUMENTS if name not in TILED_ARGUMENTS)
NEEDED_ARGUMENTS = ("tensorDataType", "tensorRank", "globalAddress", "globalDim", "globalStrides", "boxDim")

WITH_INNERMOST = "with the stride of dimension 0"
IN_ELEMENTS = "in elements"
IN_BYTES = "a swizzle as its bytes"
ELEMENT_SIZE = "bytes of an element"


class Library(NamedTuple):
    """How a program prints the arguments."""

    name: str
    names: Mapping[str, str]
    """Its name of each argument."""
    forms: Mapping[str, str] = {}
    """How a printed number differs from the driver's, by the printed name."""
    passes: Mapping[str, int] = {}
    """What it passes but does not print."""
    mark: str = ""
    """What its text has and that of others lacks, as a pattern."""


def _tiled(*names: str) -> dict[str, str]:
    """Return the arguments by a library's names of them, which are in the driver's order; empty: it prints none."""
    return {name: argument for name, argument in zip(names, TILED_ARGUMENTS, strict=False) if name}


_DEEP_GEMM = Library(
    # csrc/jit_kernels/impls/runtime_utils.hpp, with DG_JIT_DEBUG=1
    "DeepGEMM",
    _tiled("", "", "", "pointer", "global memory", "outer stride", "shared memory", "", "", "swizzle")
    | {"elem size": ELEMENT_SIZE},
    {"outer stride": IN_ELEMENTS, "swizzle": IN_BYTES},
    {"interleave": 0, "l2Promotion": 3, "oobFill": 0},
)
LIBRARIES = (
    Library(
        # cute/atom/copy_traits_sm90_tma.hpp; tilelang src/cuda/runtime.cc; both print one stride more than they pass
        "CUTLASS and TileLang",
        {
            **{name: name for name in ARGUMENT},
            **_tiled("TMA Desc Addr", "format", "dim", "gmem_address"),
            **dict.fromkeys(("globalStridesRaw", "cudaGlobalStrides"), "globalStrides"),
            "smem_box_channel": "channelsPerPixel",
            "smem_box_pixel": "pixelsPerColumn",
        },
        dict.fromkeys(("globalStrides", "globalStridesRaw"), WITH_INNERMOST),
    ),
    Library(
        # flashinfer and TensorRT-LLM, buildNdTmaDescriptor; FMHA kernels print five numbers whatever the rank
        "FlashInfer and TensorRT-LLM",
        _tiled("", "tmaFormat", "dim", "gmem", "Shape", "Stride", "tileShapes", "tileStrides", "", "swizzleType"),
        passes={"interleave": 0, "l2Promotion": 2, "oobFill": 0},
    ),
    Library(
        # src/backend/cuda/runtime/cuda_device_api.cc
        "TVM",
        _tiled(
            *("TMA Desc Addr", "cu_dtype", "tensor rank", "", "global prob shape", "global prob stride"),
            *("smem box shape", "smem box stride", "TMA Interleave", "SMEM Swizzle", "TMA L2Promotion", "TMA OOBFill"),
        ),
    ),
    Library(
        # include/types/global/util.cuh
        "ThunderKittens",
        _tiled(
            *("tma_map", "tma_format", "tma_dim", "global_addr", "gmem_shape", "gmem_stride"),
            *("smem_shape", "smem_stride", "tma_interleave", "tma_swizzle", "tma_l2Promotion", "tma_oobFill"),
        ),
    ),
    Library(
        # third_party/nvidia/backend/driver.c
        "Triton",
        _tiled(
            *("", "elemType", "rank", "global_address", "shape", "strides", "blockSize", "elementStrides"),
            *("", "swizzle", "", "fill"),
        )
        | {"elemSize": ELEMENT_SIZE},
        passes={"interleave": 0, "l2Promotion": 2},
    ),
    _DEEP_GEMM._replace(name="a fork of DeepGEMM", forms={"swizzle": IN_BYTES}, mark=r"[^\s,][^\S\n]++elem size"),
    _DEEP_GEMM,
)
SOURCE_TEXT = Library("the source", {})
LEAST = 3
"""Names of one library that a text has where it prints the arguments."""
_BY_SIZE = {1: 0, 2: 9, 4: 7, 8: 8}
"""The assumed type for a size of elements if the type is not printed: UINT8, BFLOAT16, FLOAT32, FLOAT64."""

_NAMES = "|".join(sorted({re.escape(name) for library in LIBRARIES for name in library.names}, key=len, reverse=True))
_PRINTED = rf"(?<![\w.])({_NAMES})(?!\w)['\"]?+[^\S\n]*+[:=]?+[^\S\n]*+['\"]?+(?=[-(\[{{?\d]|CU_)"
_IN_BRACKETS = r"[(\[{]([^)\]}\n]*+)([)\]}]?+)"
_NUMBER = r"-?+(?:0[xX][0-9a-fA-F]++|\d++)"
ENUMERATOR = r"CU_TENSOR_MAP_\w++"
_LIST = rf"(?:\s*+{_NUMBER}\s*+,?+)*+"
_NEXT_NUMBER = r"(?<=[\[(,])[ \t]*+\n[ \t]*+(?=-?\d++[ \t]*+[,\n])|(?<=\d)[ \t]*+\n[ \t]*+(?=\])"
"""The end of a line within a list, as JSON prints it."""
_ANSI = r"\x1b?+\[[\d;]*+m"


class CuResult(NamedTuple):
    """The result of a call, ``CUresult``, and its meaning."""

    code: int
    name: str
    text: str
    """The text of ``cuGetErrorString``."""
    cause: str = "a kernel that ran before failed, and every call returns this until the process ends: find that kernel"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {"code": self.code, "name": self.name, "text": self.text, "cause": self.cause}


RESULTS = (
    CuResult(1, "CUDA_ERROR_INVALID_VALUE", "invalid argument", "an argument is rejected"),
    CuResult(2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory", "out of memory or another resource; not an argument"),
    CuResult(3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error", "cuInit was not called (measured)"),
    CuResult(4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down", "the driver is shutting down"),
    CuResult(
        201,
        "CUDA_ERROR_INVALID_CONTEXT",
        "invalid device context",
        "no context is current in this thread (measured): call cudaFree(0) or cuCtxSetCurrent first",
    ),
    CuResult(700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"),
    CuResult(702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"),
    CuResult(710, "CUDA_ERROR_ASSERT", "device-side assert triggered"),
    CuResult(714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"),
    CuResult(715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"),
    CuResult(716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"),
    CuResult(717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on global/shared address space"),
    CuResult(718, "CUDA_ERROR_INVALID_PC", "invalid program counter"),
    CuResult(719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"),
    CuResult(
        801,
        "CUDA_ERROR_NOT_SUPPORTED",
        "operation not supported",
        "tensor maps exist on compute capability 9.0 and higher",
    ),
    CuResult(
        999,
        "CUDA_ERROR_UNKNOWN",
        "unknown error",
        "an internal error, or, from CUTLASS, a driver that has no cuTensorMapEncodeTiled (before CUDA 12.0)",
    ),
)
CU_RESULT_SOURCE = "CUDA Driver API, CUresult"
_FAILED = r"(?i)(?:TMA descriptor|tensor map|cuTensorMapEncode)[^\n]*+"
_CODE = r"(?i)(?:descriptor|code:|map:)\s++(\d{1,3})(?![\w.])"


MapArguments = dict[str, Any]
"""Numbers and lists of numbers, by the driver's names of the arguments."""


class MapCall(NamedTuple):
    """The arguments of one call, and its result if the text has it."""

    library: Library
    line: int
    values: MapArguments
    """By the driver's names. Enumerators are numbers; lists have as many numbers as the driver reads."""
    result: CuResult | int | None
    assumed: Mapping[str, str]
    """The arguments that are known but not in the text, each with the reason."""
    unknown: Mapping[str, str] = {}
    """The arguments whose value depends on something that the text does not define, and what that is."""

    @property
    def missing(self) -> list[str]:
        """The arguments that the driver needs and the text lacks."""
        is_im2col = any(name in self.values or name in self.unknown for name in ONLY_IM2COL)
        every = (*NEEDED_ARGUMENTS[:-1], *ONLY_IM2COL) if is_im2col else NEEDED_ARGUMENTS
        needed = [name for name in every if name not in self.values]
        return [*needed, *(parameter for parameter in self.unknown if parameter not in needed)]


def printed_calls(text: str) -> Iterator[MapCall | SmemdescError]:
    """Yield the calls whose arguments a text prints, and an error for each that cannot be read."""
    if all(sum(name in text for name in library.names) < LEAST for library in LIBRARIES):
        return  # found far faster than the names with what follows them
    lines = re.sub(_ANSI, "", text.replace("\\n", "\n"))
    text = re.sub(_NEXT_NUMBER, lambda match: match[0].replace("\n", " "), lines)
    matches = list(re.finditer(_PRINTED, text))
    printers = [library for library in LIBRARIES if re.search(library.mark, text)]
    library = max(printers, key=lambda candidate: len({match[1] for match in matches} & candidate.names.keys()))
    matches = [at_beginning for at_beginning in _at_beginnings(text, matches) if at_beginning[1] in library.names]
    if len({match[1] for match in matches}) < LEAST:
        return
    groups = list(_apart(matches))
    ends = [group[0].start() for group in groups[1:]] + [len(text)]
    results = [(match.start(), _result(match[0])) for match in re.finditer(_FAILED, text)]
    results = [result for result in results if result[1] is not None]
    first = bool(results) and results[0][0] < groups[0][0].start() and len(results) <= len(groups)
    for number, (group, end) in enumerate(zip(groups, ends, strict=True)):
        begin = groups[number - 1][-1].end() if number else 0
        window = (begin, group[-1].end()) if first else (group[0].start(), end)
        answered = [result for at, result in results if window[0] <= at < window[1]]
        try:
            values = _values(text, group, end, library)
            line = lines.count("\n", 0, group[0].start()) + 1
            yield MapCall(library, line, values, answered[-1] if answered else None, _assumed(group, library, values))
        except SmemdescError as problem:
            yield problem


_BEFORE_A_NAME = "|])>:'\"{("
"""The characters that can end the prefix of a line in a log."""
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d++)?+(?:Z|[+-]\d\d:?\d\d)?+$"
"""A time, which may end it, too."""


_LONGEST_TIME = 32


def _at_beginnings(text: str, matches: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Yield the names that begin a line, after the prefix of a log, or follow another name."""
    line = -1
    for match in matches:
        begin = text.rfind("\n", 0, match.start()) + 1
        before = text[begin : match.start()].rstrip()
        if line == begin or before[-1:] in _BEFORE_A_NAME or re.search(_TIME, before[-_LONGEST_TIME:]):
            line = begin
            yield match


def _apart(matches: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the names of each call: it ends before a repeated name."""
    group: list[re.Match[str]] = []
    for match in matches:
        if match[1] in {earlier[1] for earlier in group}:
            yield group
            group = []
        group.append(match)
    yield group


def _result(line: str) -> CuResult | int | None:
    for result in RESULTS:
        if result.name in line or result.text in line.lower():
            return result
    number = re.search(_CODE, line)
    code = int(number[1]) if number else None
    return next((result for result in RESULTS if result.code == code), code)


def _values(text: str, group: list[re.Match[str]], end: int, library: Library) -> MapArguments:
    values: MapArguments = dict(library.passes)
    forms: dict[str, str] = {}
    places: dict[str, tuple[int, int]] = {}
    for match, after in zip(group, [*(later.start() for later in group[1:]), end], strict=True):
        name = library.names[match[1]]
        stop = text.find("\n", match.end())
        place = match.end(), min(after, stop if stop >= 0 else len(text))
        is_list = name in ARGUMENT and ARGUMENT[name].is_list
        if is_list and (name not in values or forms.get(name)):
            values[name] = _numbers(text, place, match[1])
        elif not is_list:
            values[name] = _number(text, place, match[1], name)
        forms[name] = library.forms.get(match[1], "")
        places[name] = place
    _in_the_drivers_units(values, forms)
    to_rank(text, library, values, forms, places)
    return values


def _assumed(group: list[re.Match[str]], library: Library, values: MapArguments) -> dict[str, str]:
    printed = {library.names[match[1]] for match in group}
    why = {"tensorDataType": "by the size of an element", "tensorRank": "the number of printed dimensions"}
    return {value: why.get(value, "not printed, always passed") for value in values if value not in printed}


def _in_the_drivers_units(values: MapArguments, forms: Mapping[str, str]) -> None:
    size = values.pop(ELEMENT_SIZE, None)
    if size is not None:
        if forms.get("globalStrides") == IN_ELEMENTS:
            values["globalStrides"] = [size * stride for stride in values["globalStrides"]]
        if "tensorDataType" not in values and size in _BY_SIZE:
            values["tensorDataType"] = _BY_SIZE[size]
    if forms.get("swizzle") == IN_BYTES:
        values["swizzle"] = {16: 0, 32: 1, 64: 2, 128: 3}.get(values["swizzle"], values["swizzle"])


def to_rank(
    text: str, library: Library, values: MapArguments, forms: Mapping[str, str], places: Mapping[str, tuple[int, int]]
) -> None:
    """Cut lists to the length that the driver reads; too short a list is an error."""
    rank = values.get("tensorRank")
    if rank is None:
        lengths = [len(values[name]) for name in ("globalDim", "boxDim") if name in values]
        if not lengths:
            return
        rank = min(lengths)
        if "tensorRank" not in library.names.values():
            values["tensorRank"] = rank
    if not 1 <= rank <= DIMENSIONS:
        return
    if rank == 1:
        values.setdefault("globalStrides", [])
    for name in [name for name in values if ARGUMENT[name].is_list]:
        numbers = values[name]
        if forms.get(name) == WITH_INNERMOST and len(numbers) >= rank:
            numbers = numbers[1:]
        count = rank - 1 if name == "globalStrides" else rank - 2 if name.startswith("pixelBox") else rank
        if len(numbers) < count:
            raise SmemdescError(
                f"{name} has {many(len(numbers), 'number')}, but rank {rank} needs {count}",
                given=text,
                span=places[name],
                hint="the list is cut off, or is of another call: paste the whole text",
            )
        values[name] = numbers[:count]


def _numbers(text: str, place: tuple[int, int], name: str) -> list[int]:
    part = text[slice(*place)]
    bracket = re.search(_IN_BRACKETS, part)
    if bracket is not None and not bracket[2]:
        raise SmemdescError(f"the list of {name} is cut off", given=text, span=place, hint="paste the whole text")
    inside = bracket[1] if bracket else part.partition("]")[0].rstrip(", ")
    if not re.fullmatch(_LIST, inside.strip()):
        raise SmemdescError(
            f"{name} is not a list of numbers",
            given=text,
            span=place,
            hint="processes that print at once mix their lines: let only one print",
        )
    numbers = [_int(digits) for digits in re.findall(_NUMBER, inside)]
    if bracket is None and len(numbers) == 1 and "0x" in inside:
        raise SmemdescError(
            f"{name} is an address: the program printed the pointer, not the numbers",
            given=text,
            span=place,
            hint="print each element of the array",
        )
    return numbers


def _number(text: str, place: tuple[int, int], printed: str, name: str) -> int:
    part = text[slice(*place)]
    number = re.match(_NUMBER, part)
    if number is not None:
        return _int(number[0])
    if part.startswith("(nil)"):
        return 0
    word = re.match(ENUMERATOR, part)
    code = ARGUMENT[name].codes.get(word[0]) if word and name in ARGUMENT else None
    if code is None:
        raise SmemdescError(f"{printed} is not a number", given=text, span=place, hint="paste the whole text")
    return code


def _int(digits: str) -> int:
    return int(digits, 16 if "x" in digits.lower() else 10)
