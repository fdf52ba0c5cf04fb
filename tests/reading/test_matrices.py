"""Matrices out of files: every form of .npy that NumPy writes, text, and what is refused."""

from __future__ import annotations

import struct
from math import nan
from pathlib import Path

import pytest
from samples import refusing
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.reading.matrices import parse_matrix, read_matrix

BF16, F16, TF32, E4M3, S8, U8, B1, E2M1 = map(dtype_of, ("bf16", "f16", "tf32", "e4m3", "s8", "u8", "b1", "e2m1"))


def npy(descr: str, data: bytes, shape: str = "(2, 2)", fortran: bool = False, version: int = 1) -> bytes:
    """Return a file as numpy.save writes it."""
    head = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    size = 2 if version == 1 else 4
    head += b" " * (-(len(head) + 9 + size) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(head).to_bytes(size, "little") + head + data


FOUR = [1, -2, 3, 0]
BITS = [[0x3F80, 0xC000], [0x4040, 0]]


@every_row("version", [1, 2, 3])
@every_row(
    ("descr", "code"), [("f2", "e"), ("f4", "f"), ("f8", "d"), ("i1", "b"), ("i2", "h"), ("i4", "i"), ("i8", "q")]
)
@every_row("order", ["<", ">"])
def test_numbers_become_the_nearest_element(descr: str, code: str, order: str, version: int) -> None:
    assert parse_matrix(npy(f"'{order}{descr}'", struct.pack(f"{order}4{code}", *FOUR), version=version), BF16) == BITS


def test_fortran_order_has_columns() -> None:
    data = struct.pack("<6h", 1, 2, 3, 4, 5, 6)
    assert parse_matrix(npy("'<i2'", data, "(2, 3)", True), U8) == [[1, 3, 5], [2, 4, 6]]
    assert parse_matrix(npy("'<i2'", data, "(2, 3)"), U8) == [[1, 2, 3], [4, 5, 6]]


RAW_16, RAW_8 = struct.pack("<4H", 0x3F80, 0xC000, 0x7FC1, 0), b"\x38\x7f\x80\x00"
F16_PATTERNS, F32_PATTERNS = (0x7D01, 0x8000, 0x3C00, 1), (0x3F800001, 0x80000000, 0, 0x7F800001)


@every_row(
    ("descr", "data", "dtype", "elements"),
    [
        # raw types, and unsigned ones of the same size, are patterns
        ("<u2", RAW_16, BF16, [0x3F80, 0xC000, 0x7FC1, 0]),
        ("|V2", RAW_16, BF16, [0x3F80, 0xC000, 0x7FC1, 0]),
        ("<V2", RAW_16, BF16, [0x3F80, 0xC000, 0x7FC1, 0]),
        (">u2", b"\x3f\x80\xc0\x00\x40\x40\x00\x00", BF16, [0x3F80, 0xC000, 0x4040, 0]),
        ("|u1", RAW_8, E4M3, [0x38, 0x7F, 0x80, 0]),
        ("|V1", RAW_8, E4M3, [0x38, 0x7F, 0x80, 0]),
        ("<f1", RAW_8, E4M3, [0x38, 0x7F, 0x80, 0]),
        # unsigned integers of another size, and all of the integer types, are numbers
        ("|u1", bytes([1, 2, 3, 0]), BF16, [0x3F80, 0x4000, 0x4040, 0]),
        ("<u4", struct.pack("<4I", 1, 2, 3, 0), E4M3, [0x38, 0x40, 0x44, 0]),
        ("|u1", bytes([1, 255, 0, 7]), U8, [1, 255, 0, 7]),
        ("|i1", struct.pack("4b", *FOUR), S8, [1, 0xFE, 3, 0]),
        ("|b1", bytes([1, 0, 0, 1]), B1, [1, 0, 0, 1]),
        ("<f4", struct.pack("<4f", *FOUR), S8, [1, 0xFE, 3, 0]),
        # floating-point numbers of the same width keep their patterns
        ("<f2", struct.pack("<4H", *F16_PATTERNS), F16, [*F16_PATTERNS]),
        ("<f4", struct.pack("<4I", *F32_PATTERNS), TF32, [*F32_PATTERNS]),
    ],
)
def test_what_a_type_of_numpy_means(descr: str, data: bytes, dtype: DType, elements: list[int]) -> None:
    assert parse_matrix(npy(f"'{descr}'", data), dtype) == [elements[:2], elements[2:]]


@every_row(
    "text",
    [
        "1,-2\n3,0\n",
        "1 -2\n3 0",
        "# A\n1.0\t-2e0\n\n3. 0 # the last\n",
        "[[1, -2],\n [3, 0]]\n",
        "0x3f80;0xC000\r\n0x4040;0\r\n",
        "\ufeff1, -2\n3, 0\n",
    ],
)
def test_text(text: str) -> None:
    assert parse_matrix(text.encode(), BF16) == BITS


def test_zero_keeps_its_sign_and_nan_is_quiet() -> None:
    assert parse_matrix(b"-0 0 nan -inf\n", BF16) == [[0x8000, 0, 0x7FC0, 0xFF80]]
    assert parse_matrix(npy("'<f4'", struct.pack("<4f", -0.0, 0.0, nan, 1)), BF16)[0] == [0x8000, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy("'|O'", b"\x80\x04"), ["Python objects", "numpy.save"]),
        (npy("[('a', '<f4')]", bytes(16)), ["several fields"]),
        (npy("'<c8'", bytes(32)), ["c8"]),
        (npy("'<U4'", bytes(64)), ["U4"]),
        (npy("'<f16'", bytes(64)), ["f16"]),
        (npy("'<f4'", bytes(16), "(4,)"), ["its shape is 4", "2-dimensional"]),
        (npy("'<f4'", bytes(16), "()"), ["a single number"]),
        (npy("'<f4'", bytes(16), "(1, 2, 2)"), ["1x2x2"]),
        (npy("'<f4'", b"", "(0, 2)"), ["0x2", "no elements"]),
        (npy("'<f4'", bytes(15)), ["2x2 elements of 4 B are 16 B, and it has 15"]),
        (npy("'<f4'", bytes(4), "(4096, 4096)"), ["larger than shared memory"]),
        (npy("'<f4'", bytes(16), "(-1, 2)"), ["damaged"]),
        (npy("'<f4'", bytes(16), "(True, 2)"), ["damaged"]),
        (npy("__import__('os')", bytes(16)), ["damaged"]),
        (npy("'<f4'", bytes(16), version=9), ["version 9.0"]),
        (npy("'<f4'", bytes(16))[:40], ["damaged"]),
        (npy("'|V4'", bytes(16)), ["raw, of 4 B, and bf16 has 16 bits"]),
        (b"\x93NUMPY", ["version"]),
        (b"PK\x03\x04....", [".npz"]),
        (b"\x80\x04\x95", ["pickle"]),
        (b"\x00\xff\x01", ["neither .npy nor text"]),
        (b"", ["no numbers"]),
        (b"# nothing\n", ["no numbers"]),
        (b"1 2\n3\n", ["line 2 has 1 numbers, the first has 2"]),
        (b"1 x\n", ["line 1: 'x'", "not a number"]),
        (b"1 0x10000\n", ["line 1: 0x10000", "16 bits"]),
        (b"1 \x1b[31m\n", [r"\x1b"]),
        (b"1 " * 200_000, ["at least 1x131074", "larger than shared memory"]),
        (b"x " * 200_000, ["larger than shared memory"]),  # not one of the numbers is read
        (b"1 2\n" * 65536 + b"x x\n", ["at least 65537x2"]),
    ],
)
def test_what_is_refused(content: bytes, words: list[str]) -> None:
    with refusing(*words):
        parse_matrix(content, BF16)


@every_row(
    ("dtype", "content", "words"),
    [
        (S8, npy("'<i2'", struct.pack("<4h", 1, 2, 300, 4)), ["element 1,0", "300", "-128 to 127"]),
        (U8, b"1 -1\n", ["line 1", "0 to 255"]),
        (U8, b"1 1.5\n", ["1.5"]),
        (S8, b"nan 1\n", ["nan"]),
        (B1, b"1 2\n", ["2", "0 to 1"]),
        (E2M1, npy("'|u1'", bytes([1, 2, 16, 3])), ["element 1,0 is 0x10", "4 bits"]),
        (E4M3, npy("'<u2'", struct.pack("<4H", 1, 2, 0x3F80, 4)), ["u2", "element 1,0 is 16256", "448", "16 bits"]),
    ],
)
def test_numbers_that_the_type_does_not_hold(dtype: DType, content: bytes, words: list[str]) -> None:
    with refusing(*words):
        parse_matrix(content, dtype)


def test_the_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "A.npy"
    with pytest.raises(SmemdescError, match=r"A\.npy: No such file"):
        read_matrix(str(path), BF16)
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(SmemdescError, match=r"A\.npy: it is an archive"):
        read_matrix(str(path), BF16)
    path.write_bytes(npy("'<f4'", struct.pack("<4f", *FOUR)))
    assert read_matrix(str(path), BF16) == BITS
