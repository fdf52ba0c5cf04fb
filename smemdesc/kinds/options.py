"""The keywords that several functions of the API take, with the same spellings on the command line.

Each function reads one value; None is an option that was not given. Their error names the keyword.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import index
from typing import TypeVar

from smemdesc.engine.errors import SmemdescError, named, option
from smemdesc.engine.wording import either
from smemdesc.kinds import arguments
from smemdesc.kinds.archs import parse_arch
from smemdesc.kinds.kind import check_mma_kind
from smemdesc.kinds.names import MAJORS
from smemdesc.kinds.types import DType, dtype_of

T = TypeVar("T")
Word = TypeVar("Word", str, int)
Shape = str | tuple[int, int]
"""MN x K in elements: ``"64x16"`` or ``(64, 16)``."""
Shape3 = str | tuple[int, int, int]
"""M x N x K in elements: ``"128x128x64"``, ``"m64n128k16"`` or ``(128, 128, 64)``."""
Bytes = int | str
"""Bytes: ``1024``, ``"0x400"``, ``"1KiB"`` or ``"64x16B"``."""
Pair = str | tuple[int, int]
"""An element: ``(17, 9)`` or ``"17,9"``."""


def needed(keyword: str, value: T | None) -> T:
    """Return a value that is always needed."""
    if value is None:
        raise SmemdescError("it is missing", keyword=keyword)
    return value


def text(keyword: str, value: object) -> str:
    """Return a value that has to be text."""
    if not isinstance(value, str):
        raise SmemdescError(f"{value!r} is not a name", hint='write text, as in "bf16"', keyword=keyword)
    return value


def dtype(keyword: str, value: str | DType | None, mma_kind: str | None = None) -> DType | None:
    """Return an element type; ``mma_kind`` decides whether e2m1 is packed."""
    if value is None or isinstance(value, DType):
        return value
    return named(keyword, dtype_of, text(keyword, value), mma_kind)


def major_named(keyword: str, value: str | None) -> str | None:
    """Return ``K`` or ``MN``."""
    return None if value is None else named(keyword, major_of, text(keyword, value))


def major_of_operand(major: str | None, trans_a: str | None = None, trans_b: str | None = None) -> str | None:
    """Return the major-ness that one of these gives: two of them are an error."""
    majors = {"major": major, "trans_a": trans_a, "trans_b": trans_b}
    names = [name for name, value in majors.items() if value is not None]
    if len(names) > 1:
        raise SmemdescError(
            f"{' and '.join(map(option, names[:2]))} both set the major-ness of the operand: give one",
            keyword=names[1],
        )
    for operand in "ab":
        word = one_of(f"trans_{operand}", majors[f"trans_{operand}"], ("N", "T"))
        if word is not None:
            return BLAS[operand, word]
    return major_named("major", major)


def arch(keyword: str, value: str | None) -> str | None:
    """Return the name of an architecture."""
    return None if value is None else named(keyword, parse_arch, text(keyword, value))


def mma_kind(keyword: str, value: str | None) -> str | None:
    """Return an MMA kind."""
    if value is None:
        return None
    name = text(keyword, value).lower()
    named(keyword, check_mma_kind, name)
    return name


def swizzle(keyword: str, value: str | None) -> str | None:
    """Return the name of a swizzle mode."""
    return None if value is None else named(keyword, arguments.mode_name, text(keyword, value))


def flag(keyword: str, value: bool | None) -> bool | None:
    """Return a flag."""
    if value is None or isinstance(value, bool):
        return value
    raise SmemdescError(f"{value!r} is neither True nor False", keyword=keyword)


def one_of(keyword: str, value: Word | None, words: Sequence[Word]) -> Word | None:
    """Return one of some words, in any case, or of some numbers, which may be text."""
    if value is None:
        return None
    typed = str(value).lower() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    for word in words:
        if str(word).lower() == typed:
            return word
    raise SmemdescError(f"{value!r} is not {either(words)}", keyword=keyword)


def count(keyword: str, value: int | str | None, least: int = 1, most: int | None = None) -> int | None:
    """Return a whole number from ``least`` to ``most``."""
    if value is None:
        return None
    number = arguments.whole_number(value) if isinstance(value, str) else _integer(value)
    if number is None or number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise SmemdescError(f"{value!r} is not a whole number from {least}{to}", keyword=keyword)
    return number


def shape(keyword: str, value: Shape | None) -> tuple[int, int] | None:
    """Return MN x K in elements."""
    if value is None:
        return None
    if isinstance(value, str):
        return named(keyword, parse_shape, value)
    mn, k = _sizes(keyword, value, 2)
    return mn, k


def shape3(keyword: str, value: Shape3 | None) -> tuple[int, int, int] | None:
    """Return M x N x K in elements."""
    if value is None:
        return None
    if isinstance(value, str):
        return named(keyword, parse_mnk, value)
    m, n, k = _sizes(keyword, value, 3)
    return m, n, k


def address(keyword: str, value: Bytes | None) -> int | None:
    """Return an address in bytes."""
    return None if value is None else named(keyword, arguments.byte_address, _digits(value), option(keyword))


def byte_size(keyword: str, value: Bytes | None) -> int | None:
    """Return a size in bytes, at least 1."""
    if value is None:
        return None
    size = arguments.byte_count(_digits(value))
    if size is None or size < 1:
        hint = "write bytes, as in 131072 or 128KiB"
        raise SmemdescError(f"{option(keyword)} {value}: not a size", hint=hint, keyword=keyword)
    return size


def start(keyword: str, value: Bytes | None, *, within: bool = True, arch: str | None = None) -> int | None:
    """Return a start address in shared memory, in bytes; ``within`` the window of a descriptor."""
    if value is None:
        return None
    return named(keyword, arguments.start_address, _digits(value), option(keyword), within=within, arch=arch)


def coordinates(keyword: str, value: Pair, form: str) -> tuple[int, int]:
    """Return an element: two numbers, as text with or without parentheses. ``form`` names them: ``ROW,COL``."""
    typed = value if isinstance(value, str) else ",".join(map(_digits, value)) if isinstance(value, Sequence) else ""
    read = re.fullmatch(r"\(?\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\)?", typed.strip(), re.ASCII)
    if read is None:
        hint = f"write {form}, as in {option(keyword)} 17,3"
        raise SmemdescError(f"{option(keyword)} {value!r} is not an element", hint=hint, keyword=keyword)
    return int(read[1]), int(read[2])


def _digits(value: object) -> str:
    """Return a number as text; any other value unchanged."""
    if isinstance(value, str):
        return value
    number = _integer(value)
    return repr(value) if number is None else str(number)


def _integer(value: object) -> int | None:
    """Return an integer of any type, NumPy's as well; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _sizes(keyword: str, value: Sequence[object], count: int) -> list[int]:
    sizes = [_integer(size) for size in value] if isinstance(value, Sequence) else []
    whole = [size for size in sizes if size is not None and 1 <= size < 10**LONGEST]
    if len(whole) != count or len(sizes) != count:
        example = "(64, 16)" if count == 2 else "(128, 128, 64)"
        raise SmemdescError(f"{value!r} is not a shape", hint=f"write {example}, in elements", keyword=keyword)
    return whole


LONGEST = 6
"""Digits of a dimension: shared memory holds fewer than a million elements."""


def major_of(text: str) -> str:
    """Return ``K`` or ``MN``; M and N are accepted for MN. :class:`smemdesc.engine.errors.SmemdescError` for anything
    else."""
    major = text.upper()
    if major in ("M", "N"):
        return "MN"
    if major not in MAJORS:
        raise SmemdescError(f"unknown major-ness {text!r}", hint="use K or MN")
    return major


BLAS = {("a", "N"): "MN", ("a", "T"): "K", ("b", "N"): "K", ("b", "T"): "MN"}
"""The major-ness of A and B in a column-major BLAS, not transposed (N) and transposed (T).

A (M x K) is stored column by column, so m is contiguous; so is B (K x N), where k is. Transposing swaps that.
(The table of the PTX ISA has A the other way around, see docs/errata.md.)
"""


def parse_shape(text: str) -> tuple[int, int]:
    """Read ``64x16`` as (MN, K), both at least 1."""
    whole = re.fullmatch(r"(?i)m(\d{1,6})n(\d{1,6})k(\d{1,6})", text.strip())
    if whole:
        m, n, k = whole.groups()
        raise SmemdescError(
            f"{text} is the shape of an instruction: A is {m}x{k}, B is {n}x{k}",
            hint=f"choose the operand: --shape {m}x{k} for A, --shape {n}x{k} for B",
        )
    first, cross, second = text.lower().partition("x")
    if not cross or not first.isascii() or not first.isdigit() or not second.isascii() or not second.isdigit():
        raise SmemdescError(f"{text!r} is not a shape", hint="write MNxK in elements, as in 64x16")
    if max(len(first), len(second)) > LONGEST:
        raise SmemdescError(f"{text!r}: no operand is that large", hint="write MNxK in elements, as in 64x16")
    shape = int(first), int(second)
    if min(shape) < 1:
        raise SmemdescError(f"{text!r}: a shape has at least one row and one column", hint="write MNxK, as in 64x16")
    return shape


def parse_mnk(text: str) -> tuple[int, int, int]:
    """Read ``m64n128k16`` (or ``64x128x16``) as M, N, K."""
    match = re.fullmatch(r"(?i)m(\d{1,4})n(\d{1,4})k(\d{1,4})", text.strip()) or re.fullmatch(
        r"(\d{1,6})[xX](\d{1,6})[xX](\d{1,6})", text.strip()
    )
    numbers = tuple(int(group) for group in match.groups()) if match else (0, 0, 0)
    if min(numbers) < 1:
        raise SmemdescError(f"{text!r} is not a shape", hint="write M x N x K, as in m64n128k16 or 64x128x16")
    return numbers[0], numbers[1], numbers[2]
