"""The expected matrix in shared memory, from a file: NumPy's ``.npy``, or numbers as text.

The format of ``.npy``: NumPy Enhancement Proposal 1 and ``numpy.lib.format`` (versions 1.0, 2.0 and 3.0). Read
without NumPy, which the program does not need.
"""

from __future__ import annotations

import ast
import re
import struct
from math import isfinite, isnan
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import printable
from smemdesc.kinds.elements import F32, NUMBER_FORMATS, Memory, bits_of, value_of
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.kinds.types import DType

_MAGIC = b"\x93NUMPY"
_ZIP = b"PK\x03\x04"
_PICKLE = b"\x80"
_LARGEST = 64 << 20
"""Bytes of a file: shared memory's largest matrix is 2,097,152 elements of b1, which as text is a few MiB."""
_NUMBERS = {
    "f2": "e",
    "f4": "f",
    "f8": "d",
    **{
        f"{kind}{size}": code
        for kind, codes in (("i", "bhiq"), ("u", "BHIQ"))
        for size, code in zip((1, 2, 4, 8), codes, strict=True)
    },
    "b1": "?",
}
"""The types of ``.npy`` that are numbers, as the struct module reads them."""
_RAW = {1: "B", 2: "H", 4: "I"}
"""Patterns without a type of NumPy's own, by their bytes: what ml_dtypes saves."""
_SAVE = "save one array with numpy.save('A.npy', a)"
_EXPECTED = "a matrix of MN x K: M x K of A, N x K of B (transpose a B of K x N)"


def read_matrix(path: str, dtype: DType) -> list[list[int]]:
    """Return the matrix in a file as bit patterns of ``dtype``, a list of K for each mn.

    Numbers become the nearest element; for tf32 they stay f32, as memory holds them. Unsigned integers of the size of
    an element are patterns if the type is floating-point, and so are ml_dtypes' raw types and, in text, numbers with
    0x. :class:`smemdesc.engine.errors.SmemdescError` says what the file is instead, or which number is
    invalid.
    """
    content = _content(path, _LARGEST + 1, "give a .npy file, or numbers as text")
    try:
        return parse_matrix(content, dtype)
    except SmemdescError as error:
        raise SmemdescError(
            f"{path}: {error.option_message}", given=error.given, span=error.span, hint=error.option_hint
        ) from None


def _content(path: str, most: int, hint: str) -> bytes:
    """Return the first ``most`` bytes of a file."""
    try:
        with open(path, "rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise SmemdescError(f"{path}: {error.strerror}", hint=hint) from None


def dump(path: str, first: int = 0) -> Memory:
    """Return the bytes of a file as shared memory from a byte address on.

    :class:`smemdesc.engine.errors.SmemdescError` if it cannot be read, is empty, or reaches beyond the window of
    256 KiB.
    """
    hint = "give a file with the bytes of shared memory"
    data = _content(path, WINDOW + 1, hint)
    if not data:
        raise SmemdescError(f"{path}: it is empty", hint=hint)
    if first + len(data) > WINDOW:
        amount = f"more than {WINDOW}" if len(data) > WINDOW else str(len(data))
        raise SmemdescError(
            f"{path}: {amount} B from 0x{first:x} on are more than shared memory",
            hint="cut the tile out of the dump, and give the address of its first byte with --first",
        )
    return Memory(first, data)


def parse_matrix(content: bytes, dtype: DType) -> list[list[int]]:
    """Return the matrix in the content of a file; see :func:`read_matrix`."""
    if len(content) > _LARGEST:
        raise SmemdescError(f"it has more than {_LARGEST >> 20} MiB", hint=f"give {_EXPECTED}, no larger than a tile")
    if content.startswith(_MAGIC):
        return _npy(content, dtype)
    if content.startswith(_ZIP):
        raise SmemdescError("it is an archive (.npz, or a file of torch.save)", hint=_SAVE)
    if content.startswith(_PICKLE):
        raise SmemdescError("it is a pickle, which is never loaded", hint=_SAVE)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise SmemdescError("it is neither .npy nor text", hint=f"{_SAVE}, or write numbers, a line for each row")
    return _lines(text, dtype)


class _Header(NamedTuple):
    order: str
    """``<`` or ``>``."""
    kind: str
    size: int
    fortran: bool
    shape: tuple[int, int]
    at: int
    """Where the numbers begin."""

    @property
    def name(self) -> str:
        return f"{self.kind}{self.size}"


def _npy(content: bytes, dtype: DType) -> list[list[int]]:
    head = _header(content)
    rows, columns = head.shape
    _fits(rows, columns, dtype)
    code = _NUMBERS.get(head.name)
    raw = code is None
    if head.kind == "V" or head.name == "f1":
        code = _RAW.get(head.size)
    if code is None:
        raise SmemdescError(f"its elements are {head.name}, which is not a number of up to 64 bits", hint=_TAKES)
    if len(content) - head.at != rows * columns * head.size:
        raise SmemdescError(
            f"{rows}x{columns} elements of {head.size} B are {rows * columns * head.size} B, and it has "
            f"{len(content) - head.at}",
            hint="the file is cut off, or was written in text mode: save it again",
        )
    numbers = struct.unpack(f"{head.order}{rows * columns}{code}", content[head.at :])
    # A number of the element's own type, or of its size without a type, is taken bit by bit: nan keeps its pattern.
    unsigned = head.kind == "u" and 8 * head.size == dtype.storage and dtype.name in NUMBER_FORMATS
    own = (head.name, dtype.name) in (("f2", "f16"), ("f4", "tf32"))
    if raw or unsigned or own:
        if 8 * head.size != max(dtype.storage, 8):
            raise SmemdescError(
                f"its elements are raw, of {head.size} B, and {dtype.name} has {dtype.bits} bits", hint=_TAKES
            )
        if own:
            numbers = struct.unpack(f"{head.order}{rows * columns}{_RAW[head.size]}", content[head.at :])
        patterns = [_pattern(number, dtype, place, columns) for place, number in enumerate(numbers)]
    else:
        if head.kind == "u" and dtype.name in NUMBER_FORMATS:
            _refuse_patterns(dtype, numbers, head, columns)
        patterns = _convert(numbers, dtype, columns)
    if head.fortran:
        return [patterns[row::rows] for row in range(rows)]
    return [patterns[row * columns : (row + 1) * columns] for row in range(rows)]


def _refuse_patterns(dtype: DType, numbers: tuple[int, ...], head: _Header, columns: int) -> None:
    """Refuse unsigned integers that are larger than any number of the type: they must be bit patterns.

    Bit patterns are taken only from integers that have the size of an element.
    """
    form = NUMBER_FORMATS[dtype.name]
    most = value_of(dtype, form.top << form.unread)
    place = next((place for place, number in enumerate(numbers) if number > most), None)
    if place is not None:
        raise SmemdescError(
            f"its elements are {head.name} numbers, not bit patterns of {dtype.name}, and element "
            f"{place // columns},{place % columns} is {numbers[place]}: the largest of {dtype.name} is {most:g}",
            hint=f"bit patterns of {8 * head.size} bits are those of a type of {8 * head.size} bits (--dtype)",
        )


_TAKES = "use f2, f4 or f8, integers, bool, or unsigned integers of the element's size for bit patterns"


def _header(content: bytes) -> _Header:
    version = tuple(content[6:8])
    if version not in ((1, 0), (2, 0), (3, 0)):
        number = ".".join(map(str, version))
        raise SmemdescError(f".npy of version {number} is not known", hint="versions 1.0, 2.0 and 3.0 are read")
    size = 2 if version == (1, 0) else 4
    begin = 8 + size
    length = int.from_bytes(content[8:begin], "little")
    text = content[begin : begin + length]
    damaged = SmemdescError("the header of the .npy file is damaged", hint="save it again with numpy.save")
    if len(text) < length or length > _LONGEST:
        raise damaged
    try:
        header = ast.literal_eval(text.decode("utf-8" if version == (3, 0) else "latin-1").strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise damaged from None
    if not isinstance(header, dict) or set(header) != {"descr", "fortran_order", "shape"}:
        raise damaged
    descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
    if not isinstance(descr, str):
        raise SmemdescError("its elements have several fields", hint=f"save one of them: {_EXPECTED}")
    match = re.fullmatch(r"([<>|=]?)([a-zA-Z])(\d{0,3})", descr)
    if match is None or not isinstance(fortran, bool):
        raise damaged
    if match[2] == "O":
        raise SmemdescError("it holds Python objects (a pickle), which are never loaded", hint=_SAVE)
    if not isinstance(shape, tuple) or not all(type(size) is int and size >= 0 for size in shape):
        raise damaged
    if len(shape) != 2:
        dims = "x".join(map(str, shape)) or "a single number"
        raise SmemdescError(f"its shape is {dims}, not 2-dimensional", hint=f"give {_EXPECTED}")
    return _Header(">" if match[1] == ">" else "<", match[2], int(match[3] or 0), fortran, shape, begin + length)


_LONGEST = 10_000


def _fits(rows: int, columns: int, dtype: DType, known: str = "") -> None:
    if not rows or not columns:
        raise SmemdescError(f"the matrix is {rows}x{columns}: it has no elements", hint=f"give {_EXPECTED}")
    if rows * columns * dtype.storage // 8 > WINDOW:
        raise SmemdescError(
            f"a matrix of {known}{rows}x{columns} {dtype.name} is larger than shared memory",
            hint="give the tile's part of it",
        )


def _pattern(number: int, dtype: DType, place: int, columns: int) -> int:
    if number >= 2**dtype.bits:
        raise SmemdescError(
            f"element {place // columns},{place % columns} is 0x{number:x}: a bit pattern of {dtype.name} has "
            f"{dtype.bits} bits",
            hint="one element in each byte, without scale; save floating-point numbers to have them converted",
        )
    return number


def _convert(numbers: tuple[float, ...], dtype: DType, columns: int) -> list[int]:
    known: dict[float, int] = {}
    patterns = []
    for place, number in enumerate(numbers):
        pattern = known.get(number) if number else None  # 0 and -0 are equal
        if pattern is None:
            try:
                pattern = _element(number, dtype)
            except SmemdescError as error:
                where = f"element {place // columns},{place % columns}"
                raise SmemdescError(f"{where}: {error.option_message}", hint=error.option_hint) from None
            known[number] = pattern
        patterns.append(pattern)
    return patterns


def _element(number: float, dtype: DType) -> int:
    if dtype.name in NUMBER_FORMATS:
        return bits_of(F32 if dtype.name == "tf32" else dtype, number)
    low, high = (-128, 127) if dtype.name == "s8" else (0, 2**dtype.bits - 1)
    if isnan(number) or not isfinite(number) or number != int(number) or not low <= number <= high:
        raise SmemdescError(f"{number} is not an element of {dtype.name}", hint=f"it holds {low} to {high}")
    return bits_of(dtype, int(number))


_SPLIT = re.compile(r"[\s,;]+").split


def _lines(text: str, dtype: DType) -> list[list[int]]:
    matrix: list[list[int]] = []
    most = 8 * WINDOW // dtype.storage + 1
    for number, line in enumerate(text.splitlines(), 1):
        words = [word for word in _SPLIT(line.partition("#")[0].strip("[]() \t,;"), most) if word]
        if not words:
            continue
        _fits(len(matrix) + 1, len(words), dtype, "at least ")  # before the numbers are read: there may be millions
        row = [_word(word, dtype, number) for word in words]
        if matrix and len(row) != len(matrix[0]):
            raise SmemdescError(
                f"line {number} has {len(row)} numbers, the first has {len(matrix[0])}",
                hint=f"write one line per row of {_EXPECTED}",
            )
        matrix.append(row)
    if not matrix:
        raise SmemdescError("it contains no numbers", hint=f"write one line per row of {_EXPECTED}")
    return matrix


_NUMBER = re.compile(r"(?i)[-+]?(\d{1,400}+\.?\d{0,400}+|\.\d{1,400}+)(e[-+]?\d{1,6})?|[-+]?(inf|infinity|nan)")


def _word(word: str, dtype: DType, line: int) -> int:
    try:
        if re.fullmatch(r"(?i)0x[0-9a-f]{1,16}", word):
            pattern = int(word, 16)
            if pattern >= 2**dtype.bits:
                raise SmemdescError(f"{word} is not a bit pattern of {dtype.name}", hint=f"it has {dtype.bits} bits")
            return pattern
        if _NUMBER.fullmatch(word):
            whole = re.fullmatch(r"[-+]?\d{1,18}", word)
            return _element(float(word) if whole is None or word[0] == "-" else int(word), dtype)
    except SmemdescError as error:
        raise SmemdescError(f"line {line}: {error.option_message}", hint=error.option_hint) from None
    raise SmemdescError(
        f"line {line}: {printable(word[:40])!r} is not a number",
        hint="write numbers, or bit patterns with the prefix 0x",
    )
