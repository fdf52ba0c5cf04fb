"""The keywords that several functions of the API take, with the same spellings on the command line.

Each function reads one value; None is an option that was not given. Their error names the keyword.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, TypeVar

from smemdesc.engine.errors import SmemdescError, named, option
from smemdesc.engine.wording import either
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import QUALIFIERS, parse_arch
from smemdesc.kinds.kind import check_mma_kind
from smemdesc.kinds.names import BLAS, LOAD_SHAPES, SCANNED, SMEM_KINDS
from smemdesc.reading.quantities import (
    SHAPE_DIGITS,
    Bytes,
    Pair,
    Shape,
    Shape3,
    byte_address,
    byte_count,
    major_of,
    mode_name,
    parse_mnk,
    parse_shape,
    start_address,
    whole_number,
)

if TYPE_CHECKING:
    from smemdesc.kinds.types import DType

T = TypeVar("T")
Word = TypeVar("Word", str, int)


def required(keyword: str, value: T | None) -> T:
    """Return a value that is always needed."""
    if value is None:
        raise SmemdescError("it is missing", keyword=keyword)
    return value


def read_text(keyword: str, value: object) -> str:
    """Return a value that has to be text."""
    if not isinstance(value, str):
        raise SmemdescError(f"{value!r} is not a name", hint='write text, as in "bf16"', keyword=keyword)
    return value


def read_dtype(keyword: str, value: str | DType, mma_kind: str | None = None) -> DType:
    """Return an element type; ``mma_kind`` decides whether e2m1 is packed."""
    from smemdesc.kinds.types import DType, dtype_of

    return value if isinstance(value, DType) else named(keyword, dtype_of, read_text(keyword, value), mma_kind)


def read_dtype_or_two(keyword: str, value: str | DType, mma_kind: str | None = None) -> DType | tuple[DType, DType]:
    """Return an element type, or for two with a comma those of A and B."""
    if not isinstance(value, str) or "," not in value:
        return read_dtype(keyword, value, mma_kind)
    a_type, b_type = (read_dtypes(keyword, value) * 2)[:2]
    return read_dtype(keyword, a_type, mma_kind), read_dtype(keyword, b_type, mma_kind)


def read_operand_dtype(keyword: str, value: str | DType, mma_kind: str | None = None) -> DType:
    """Return an element type that the MMA kind reads."""
    from smemdesc.kinds.types import operand_type

    element_type = read_dtype(keyword, value, mma_kind)
    if mma_kind is not None:
        named("mma_kind", operand_type, element_type.name, mma_kind)
    return element_type


def read_stored_dtype(keyword: str, value: str | DType, mma_kind: str | None = None) -> DType:
    """Return an element type that the MMA kind reads, or one of D."""
    from smemdesc.kinds.types import DType, stored_type

    return value if isinstance(value, DType) else named(keyword, stored_type, read_text(keyword, value), mma_kind)


def read_type_name(keyword: str, value: str) -> str:
    """Return the PTX name of any type."""
    return named(keyword, aliases.dtype_alias, read_text(keyword, value))


def read_plan_type(keyword: str, value: str) -> str:
    """Return the PTX name of any type, or the name of a block-scaled format."""
    from smemdesc.kinds.formats import format_of

    scaled = format_of(read_text(keyword, value))
    return read_type_name(keyword, value) if scaled is None else scaled.name


def read_scale_type(keyword: str, value: str) -> str:
    """Return the type of scale factors."""
    return read_word(keyword, read_type_name(keyword, value), ("ue8m0", "ue4m3", "ue5m3"))


def read_major(keyword: str, value: str) -> str:
    """Return ``K`` or ``MN``."""
    return named(keyword, major_of, read_text(keyword, value))


def major_of_operand(major: str | None, trans_a: str | None = None, trans_b: str | None = None) -> str | None:
    """Return the major-ness that one of these gives: two of them are an error."""
    majors = {"major": major, "trans_a": trans_a, "trans_b": trans_b}
    names = [name for name, value in majors.items() if value is not None]
    if len(names) > 1:
        raise SmemdescError(
            f"{' and '.join(map(option, names[:2]))} both set the major-ness of the operand: give one",
            keyword=names[1],
        )
    return BLAS["a", trans_a] if trans_a else BLAS["b", trans_b] if trans_b else major


def read_arch(keyword: str, value: str) -> str:
    """Return the name of an architecture."""
    return named(keyword, parse_arch, read_text(keyword, value))


def read_mma_kind(keyword: str, value: str) -> str:
    """Return an MMA kind."""
    name = read_text(keyword, value).lower()
    named(keyword, check_mma_kind, name)
    return name


def read_mma_kinds(keyword: str, value: str) -> tuple[str, ...]:
    """Return MMA kinds, separated by commas."""
    return tuple(read_mma_kind(keyword, word) for word in _separated(keyword, value))


def read_dtypes(keyword: str, value: str) -> tuple[str, ...]:
    """Return the names of the types of A and B, of both or of each: ``bf16``, ``e4m3,e5m2``."""
    from smemdesc.kinds.types import dtype_of

    names = tuple(named(keyword, dtype_of, word).name for word in _separated(keyword, value))
    if len(names) in (1, 2):
        return names
    hint = "one, or those of A and B: e4m3,e5m2"
    raise SmemdescError(f"{option(keyword)} {value}: {len(names)} types", hint=hint, keyword=keyword)


def read_qualifiers(keyword: str, value: str) -> tuple[str, ...]:
    """Return qualifiers of an instruction, separated by commas."""
    words = tuple(_separated(keyword, value))
    for odd in (word for word in words if word not in QUALIFIERS):
        raise SmemdescError(f"unknown qualifier {odd!r}", hint=f"use {', '.join(QUALIFIERS)}", keyword=keyword)
    return words


def _separated(keyword: str, value: str) -> list[str]:
    return [word.strip() for word in read_text(keyword, value).lower().split(",") if word.strip()]


def read_kind(keyword: str, value: str) -> str:
    """Return the name of a kind for its name in CUTLASS and elsewhere; others are as they were given."""
    return aliases.kind_alias(read_text(keyword, value))


def read_smem_kind(keyword: str, value: str) -> str:
    """Return a kind that describes operands in shared memory."""
    return read_word(keyword, read_kind(keyword, value), SMEM_KINDS)


def read_scanned_kind(keyword: str, value: str) -> str:
    """Return a kind that instructions read."""
    return read_word(keyword, read_kind(keyword, value), SCANNED)


def read_register_operand(keyword: str, value: str) -> str:
    """Return an operand that registers and tensor memory hold: ``a`` or ``d``."""
    if isinstance(value, str) and value.lower() == "b":
        hint = "smemdesc layout operand VALUE says what its descriptor addresses"
        raise SmemdescError(
            "B is always in shared memory, never in registers or tensor memory", hint=hint, keyword=keyword
        )
    return read_word(keyword, value, ("a", "d"))


def read_place_of_a(keyword: str, value: str) -> str:
    """Return where A is: ``shared``, ``registers`` or ``tmem``."""
    place = read_word(keyword, value, ("smem", "shared", "registers", "tmem"))
    return "shared" if place == "smem" else place


def read_swizzle(keyword: str, value: str) -> str:
    """Return the name of a swizzle mode."""
    return named(keyword, mode_name, read_text(keyword, value))


def read_flag(keyword: str, value: bool) -> bool:
    """Return a flag."""
    if isinstance(value, bool):
        return value
    raise SmemdescError(f"{value!r} is neither True nor False", keyword=keyword)


def read_word(keyword: str, value: object, words: Sequence[Word]) -> Word:
    """Return one of some words, in any case, or of some numbers, which may be text."""
    typed = str(value).lower() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    for word in words:
        if str(word).lower() == typed:
            return word
    raise SmemdescError(f"{value!r} is not {either(words)}", keyword=keyword)


def read_count(keyword: str, value: int | str, least: int = 1, most: int | None = None) -> int:
    """Return a whole number from ``least`` to ``most``."""
    number = whole_number(value) if isinstance(value, str) else _integer(value)
    if number is None or number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise SmemdescError(f"{value!r} is not a whole number from {least}{to}", keyword=keyword)
    return number


def read_shape(keyword: str, value: Shape) -> tuple[int, int]:
    """Return MN x K in elements."""
    if isinstance(value, str):
        return named(keyword, parse_shape, value)
    mn, k = _sizes(keyword, value, 2)
    return mn, k


def read_shape_or_three(keyword: str, value: Shape | Shape3) -> tuple[int, ...]:
    """Return MN x K of an operand, or M x N (x K) of an instruction."""
    if isinstance(value, str):
        three = value.lower().count("x") == 2 or value.strip().lower().startswith("m")
    else:
        three = isinstance(value, Sequence) and len(value) == 3
    return read_shape3(keyword, value) if three else read_shape(keyword, value)  # type: ignore[arg-type]


def read_shape3(keyword: str, value: Shape3) -> tuple[int, int, int]:
    """Return M x N x K in elements."""
    if isinstance(value, str):
        return named(keyword, parse_mnk, value)
    m, n, k = _sizes(keyword, value, 3)
    return m, n, k


def read_instruction_shape(keyword: str, value: Shape | Shape3) -> tuple[int, ...]:
    """Return M x N or M x N x K of one instruction."""
    try:
        return read_shape_or_three(keyword, value)
    except SmemdescError as error:
        error.option_hint = "write MxN or MxNxK of one instruction, as in 128x64 or 128x64x16"
        raise


def read_drawn_number(keyword: str, value: int | str, letter: str) -> int:
    """Return a number, alone or as drawings write it, after a letter: ``T5``, ``r2``."""
    digits = _digits(value)
    digits = digits.strip().lower().removeprefix(letter.lower()) if isinstance(digits, str) else ""
    if re.fullmatch(r"-?\d{1,9}", digits, re.ASCII) is None:
        hint = f"write {option(keyword)} 2 or {option(keyword)} {letter}2"
        raise SmemdescError(f"{option(keyword)} {value!r} is not a number", hint=hint, keyword=keyword)
    return int(digits)


def read_load_shape(keyword: str, value: str) -> str:
    """Return a shape of tcgen05.ld and .st by its name in PTX, with or without the dot, or in CUTLASS: ``16dp256b``."""
    name = read_text(keyword, value).strip().lower().removeprefix(".")
    return read_word(keyword, "16x32bx2" if name == "16dp32b" else name.replace("dp", "x"), LOAD_SHAPES)


def read_repetitions(keyword: str, value: int | str) -> int:
    """Return the repetitions of a load: ``x8``, ``.x8`` or ``8``."""
    return read_count(
        keyword, value.strip().lower().removeprefix(".").removeprefix("x") if isinstance(value, str) else value
    )


def read_address(keyword: str, value: Bytes) -> int:
    """Return an address in bytes."""
    return named(keyword, byte_address, _digits(value), option(keyword))


def read_start(keyword: str, value: Bytes, arch: str | None = None, force: bool | None = None) -> int:
    """Return a start address in shared memory, in bytes; without ``force`` within the window of a descriptor."""
    return named(keyword, start_address, _digits(value), option(keyword), within=not force, arch=arch)


def read_byte_offset(keyword: str, value: Bytes) -> int:
    """Return an offset in bytes."""
    size = byte_count(_digits(value))
    if size is None:
        hint = "write bytes, as in 1024, 0x400, 1KiB or 64x16B"
        raise SmemdescError(f"{option(keyword)} {value}: not an offset", hint=hint, keyword=keyword)
    return size


def read_byte_size(keyword: str, value: Bytes) -> int:
    """Return a size in bytes, at least 1."""
    size = byte_count(_digits(value))
    if size is None or size < 1:
        hint = "write bytes, as in 131072, 128KiB or 2MiB"
        raise SmemdescError(f"{option(keyword)} {value}: not a size", hint=hint, keyword=keyword)
    return size


def read_numbers(keyword: str, value: str | int | Iterable[int], *, of_bytes: bool = False) -> list[int]:
    """Return several numbers; text is split at commas and blanks."""
    is_several = isinstance(value, Iterable) and not isinstance(value, bytes | bytearray | memoryview)
    items: Iterable[object] = value if is_several else [value]  # type: ignore[assignment]
    if isinstance(value, str):
        items = [word for word in re.split(r"[,\s]+", value.strip("[](){} ")) if word]
    out = []
    for item in items:
        number = (byte_count if of_bytes else whole_number)(str(item))
        if number is None:
            hint = f"write them with commas, as in {option(keyword)} 64,128"
            raise SmemdescError(f"{option(keyword)}: {item!r} is not a number", hint=hint, keyword=keyword)
        out.append(number)
    return out


def read_coordinates(keyword: str, value: Pair, form: str) -> tuple[int, int]:
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
    whole = [size for size in sizes if size is not None and 1 <= size < 10**SHAPE_DIGITS]
    if len(whole) != count or len(sizes) != count:
        example = "(64, 16)" if count == 2 else "(128, 128, 64)"
        raise SmemdescError(f"{value!r} is not a shape", hint=f"write {example}, in elements", keyword=keyword)
    return whole
