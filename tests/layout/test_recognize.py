"""By which layout memory holds a matrix: whatever it was written by, and whatever the descriptor says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some, split
from writing import matrix_of, noise, written
from wrong import A128, BF16, WRONG, A, memory, operand
from wrong import matrix as matrix_of_kernel

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DTYPES, PACKED, DType, dtype_of
from smemdesc.layout.atom import ALL, byte_size, shape
from smemdesc.layout.elements import F32, Memory, bits_of, elements, value_of
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import find, recognize

TYPES = [*DTYPES, PACKED]
CAUSES = {
    "right": [],
    "wrong_mode": [
        "all 4096 elements agree as if written with 64B swizzle, SBO 512 B",
        "the swizzle mode must be 64B, not 128B",
        "SBO must be 512 B, not 1024 B",
        "atoms along K are 4096 B apart",
    ],
    "wrong_major": ["all 4096 elements agree as if A were MN-major", "must be MN, not K"],
    "wrong_lbo": ["LBO must be 8192 B, not 4096 B"],
    "wrong_base_offset": ["the base offset must be 2, not 0", "align the tile to 1024 B"],
    "wrong_stage": ["the tile lies 8192 B further on: at 0x2000, not 0x0"],
}


@pytest.mark.parametrize("name", WRONG)
def test_the_kernels_that_are_wrong_on_purpose(name: str) -> None:
    wrong = WRONG[name]
    found = recognize(memory(name), matrix_of_kernel(name), wrong.says, kind="wgmma")
    text = "\n".join(found.sentences(wrong.of))
    for words in CAUSES[name]:
        assert words in text
    assert found.right is (name == "right")
    assert len(text.splitlines()) == (len(found.answer.differences) + 2 if found.answer else 1)
    assert not found.alike
    assert not found.copies


@st.composite
def layouts(draw: st.DrawFn, dtype=None, extent=None) -> Operand:
    """Any layout: two atoms or three in each direction, in any order, with or without space between them."""
    mode, major = draw(st.sampled_from(ALL))
    dtype = draw(st.sampled_from(TYPES)) if dtype is None else dtype
    atom = shape(mode, major, dtype)
    size = byte_size(mode, major)
    across, down = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    room = draw(st.integers(0, 2)) * size
    inner, outer = size + room, (size + room) * 3
    first = draw(st.booleans())
    lbo, sbo = (inner, outer) if first else (outer, inner)
    return Operand(
        mode,
        major,
        dtype,
        (atom.mn * across, atom.k * down) if extent is None else extent,
        start=16 * draw(st.integers(0, 512)),
        lbo=lbo,
        sbo=sbo,
        base_offset=draw(st.integers(0, MODE[mode].phases - 1)),
    )


@some(30, least=10)
@given(layouts(), st.data(), st.integers(0, 2**32))
def test_whatever_was_written_is_read(layout: Operand, data: st.DataObject, seed: int) -> None:
    random = Random(seed)
    matrix = matrix_of(random, layout)
    there = written(layout, matrix, noise(random, 1 << 16))
    other = data.draw(layouts(layout.dtype, layout.shape))
    found = recognize(there, matrix, other)
    assert found.best is not None
    assert elements(found.best, there) == matrix
    without = find(there, matrix, layout.dtype)
    assert without.best is not None
    assert elements(without.best, there) == matrix


EVERY = [(mode, major, dtype) for mode, major in ALL for dtype in TYPES]


def by_every_base_offset(mode: str, major: str, dtype: DType, bases: Iterable[int]) -> None:
    random = Random(f"{mode} {major} {dtype}")
    atom, size = shape(mode, major, dtype), byte_size(mode, major)
    for base in bases:
        layout = Operand(
            *(mode, major, dtype, (2 * atom.mn, 2 * atom.k)), start=0x900, lbo=size, sbo=2 * size, base_offset=base
        )
        matrix = matrix_of(random, layout)
        there = written(layout, matrix, noise(random, 1 << 14))
        asked = Operand(*("128B", "K", dtype, layout.shape), start=0x400, lbo=16, sbo=1024)
        found = recognize(there, matrix, asked)
        assert found.best is not None
        assert elements(found.best, there) == matrix
        assert (found.best.mode.name, found.best.major, found.best.base_offset) == (mode, major, base)
        assert (found.best.start, found.best.lbo, found.best.sbo) == (0x900, size, 2 * size)


@pytest.mark.parametrize(("mode", "major", "dtype"), EVERY[::4], ids=str)
def test_modes_major_nesses_and_types(mode: str, major: str, dtype: DType) -> None:
    by_every_base_offset(mode, major, dtype, [MODE[mode].phases - 1])


@pytest.mark.corpus
@pytest.mark.parametrize(("mode", "major", "dtype"), EVERY, ids=str)
def test_every_base_offset(mode: str, major: str, dtype: DType) -> None:
    by_every_base_offset(mode, major, dtype, range(MODE[mode].phases))


RANDOM = Random(17)
SPOT = noise(RANDOM)
W64 = operand("K", "64B", 64, 0x1000, 4096, 512)
AT_50 = operand("K", "128B", 64, 0x1050, 16, 1024)


def put(matrix: list[list[int]], place: Callable[[int, int], int], size: int = 2) -> Memory:
    """Return memory with each element at an address of its own."""
    data = bytearray(SPOT.data)
    for mn, row in enumerate(matrix):
        for k, element in enumerate(row):
            data[place(mn, k) : place(mn, k) + size] = element.to_bytes(size, "little")
    return Memory(0, bytes(data))


def converted(dtype: DType) -> list[list[int]]:
    return [[bits_of(dtype, value_of(BF16, element)) for element in row] for row in A]


def turned(row: list[int], by: int) -> list[int]:
    return row[-by:] + row[:-by]


F16 = dtype_of("f16")
WRITTEN = {
    "rows without a swizzle": (
        put(A, lambda m, k: 0x1000 + 128 * m + 2 * k),
        "all 4096 elements agree as if written K-major without swizzle, 128 B from row to row, at 0x1000: no "
        "descriptor reads that; write it with 128B swizzle",
    ),
    "columns without a swizzle": (
        put(A, lambda m, k: 0x1000 + 128 * k + 2 * m),
        "all 4096 elements agree as if written MN-major without swizzle, 128 B from k to k, at 0x1000",
    ),
    "padding of 16 bytes": (put(A, lambda m, k: 0x1000 + 144 * m + 2 * k), "144 B from row to row, at 0x1000: no desc"),
    "padding of 4 bytes": (put(A, lambda m, k: 0x1002 + 132 * m + 2 * k), "132 B from row to row, at 0x1002: no desc"),
    "blocks of 32 columns": (
        put(A, lambda m, k: 0x1000 + 64 * m + k // 32 * 4096 + 2 * (k % 32)),
        "64 B from row to row, at 0x1000, blocks of 64 B of K 4096 B apart",
    ),
    "rows of 256 bytes, swizzled": (
        put(A, lambda m, k: A128.swizzle(0x1000 + 256 * m + 2 * k)),
        "as if written K-major with 128B swizzle, 256 B from row to row, at 0x1000: no descriptor reads that",
    ),
    "a pattern that begins at the tile": (
        put(A, lambda m, k: 0x1050 + A128.swizzle(128 * m + 2 * k)),
        "with 128B swizzle of offsets from 0x1050, and not of addresses",
    ),
    "every second chunk exchanged": (
        put(A, lambda m, k: 0x1000 + 128 * m + 2 * (k ^ 8)),
        "in an order of their own, at 0x1000 (row 0: 1 0 3 2 5 4 7 6; row 1: 1 0 3 2 5 4 7 6;",
    ),
    "a swizzle of pairs of rows": (
        put(A, lambda m, k: 0x1000 + 128 * m + (2 * k ^ m // 2 % 4 * 16)),
        "(row 0: 0 1 2 3 4 5 6 7; row 1: 0 1 2 3 4 5 6 7; row 2: 1 0 3 2 5 4 7 6; row 3: 1 0 3 2 5 4 7 6; ...): no",
    ),
    "K moved by 1": (
        written(A128, [turned(row, 1) for row in A], SPOT),
        "all 4096 elements agree if it is moved along K by 1: element (mn, k) is where the descriptor has (mn, k + 1)",
    ),
    "MN moved by 3": (
        written(A128, A[3:] + A[:3], SPOT),
        "if it is moved along MN by 3: element (mn, k) is where the descriptor has (mn - 3, k)",
    ),
    "one row moved": (
        written(A128, [turned(row, 1) if m == 17 else row for m, row in enumerate(A)], SPOT),
        "all 4096 elements agree if row 17 is moved along K by 1",
    ),
    "rows moved by as much as they are": (
        written(A128, [turned(row, m % 4) if m % 4 else row for m, row in enumerate(A)], SPOT),
        "all 4096 elements agree if rows 1, 2, 3, 5 and 44 more are moved along K by 1, 2, 3, 1",
    ),
    "f32": (
        put(converted(F32), lambda m, k: 0x1000 + 256 * m + 4 * k, 4),
        "as if the operand were written as f32: K-major without swizzle, 256 B from row to row, at 0x1000",
    ),
    "f16": (
        written(Operand("128B", "K", F16, (64, 64), start=0x400, sbo=1024), converted(F16), SPOT),
        "as if the operand were written as f16: 128B, K-major, at 0x400, LBO 16 B, SBO 1024 B",
    ),
    "a part overwritten": (
        Memory(0, (there := written(W64, A, SPOT).data)[:0x1C00] + SPOT.data[0x1C00:0x2000] + there[0x2000:]),
        "3584 of 4096 elements agree as if written with 64B swizzle, SBO 512 B",
    ),
    "half of it": (
        Memory(0, written(A128, A, SPOT).data[:4096] + SPOT.data[4096:]),
        "as the descriptor says, 2048 of 4096 elements agree; the others are in mn 32 to 63 and k 0 to 63",
    ),
    "cut off": (Memory(0, written(A128, A, SPOT).data[:4096]), "2048 elements are outside of the memory"),
    "another stage": (
        written(A128, [row[::-1] for row in A], written(operand("K", "128B", 64, 0x2400, 16, 1024), A, SPOT)),
        "the tile lies 9216 B further on: at 0x2400, not 0x0",
    ),
    "two stages": (
        written(
            *(operand("K", "128B", 64, 0x8000, 16, 1024), A),
            written(operand("K", "128B", 64, 0x4000, 16, 1024), A, SPOT),
        ),
        "the matrix is in memory more than once: also at 0x8000",
    ),
    "other data": (SPOT, "no layout was found that holds a quarter of the matrix"),
}


@pytest.mark.parametrize("name", split(WRITTEN, list(WRITTEN)[::2].__contains__))
def test_what_else_can_be_wrong(name: str) -> None:
    there, words = WRITTEN[name]
    found = recognize(there, A, AT_50 if name == "a pattern that begins at the tile" else A128)
    assert words in "\n".join(found.sentences())
    assert not found.right
    assert not found.alike


def test_a_layout_in_which_elements_share_bytes_is_no_answer_that_looks_certain() -> None:
    """Every column is the same, and no stride between them can be told."""
    dtype = dtype_of("s8")
    matrix = [[row % 256] * 16 for row in range(512)]
    apart = Operand("128B", "MN", dtype, (512, 16), start=1104, lbo=3072, sbo=12288)
    found = find(written(apart, matrix, SPOT), matrix, dtype, majors=("MN",))
    assert found.best is not None
    assert found.best.sbo == 0
    assert "elements share bytes there" in "\n".join(found.sentences())


def test_a_matrix_of_mostly_one_value_tells_nothing() -> None:
    matrix = [[int(row == column) for column in range(64)] for row in range(64)]
    found = recognize(SPOT, matrix, A128)
    assert "most of the matrix is one value" in found.sentences()[-1]


def test_only_the_majors_that_were_asked_for_are_said_to_be_tried() -> None:
    found = find(written(A128, A, SPOT), A, BF16, majors=("MN",))
    assert "major-ness (only MN-major layouts were tried)" in found.sentences()[-1]


def test_an_atom_along_k_that_the_descriptor_need_not_know() -> None:
    says = operand("K", "64B", 64, 0x1000, 16, 512)
    found = recognize(written(W64, A, SPOT), A, says)
    assert found.sentences()[:2] == [
        "all 4096 elements agree if atoms along K are 4096 B apart",
        "atoms along K are 4096 B apart: the K step beyond 64 B begins there (LBO has no effect within one "
        "instruction)",
    ]


REPEAT: dict[str, Callable[[int, int], int]] = {
    "zeros": lambda m, k: 0,
    "ones": lambda m, k: 1,
    "equal rows": lambda m, k: k,
    "equal columns": lambda m, k: m,
    "a diagonal": lambda m, k: int(m == k),
}


@pytest.mark.parametrize("says", [A128, W64], ids=["right", "wrong"])
@pytest.mark.parametrize("name", REPEAT)
def test_data_that_repeat_give_no_answer_that_looks_certain(name: str, says: Operand) -> None:
    matrix = [[bits_of(BF16, REPEAT[name](m, k)) for k in range(64)] for m in range(64)]
    there = written(A128, matrix, SPOT)
    found = recognize(there, matrix, says)
    assert found.alike
    assert found.best is not None
    for each in (found.best, *found.alike):
        assert elements(each, there) == matrix
    text = " ".join(found.sentences())
    assert "the data cannot tell" in text
    assert "must be" not in text


@pytest.mark.parametrize("rounded", [False, True])
def test_tf32_lies_in_memory_as_f32_or_rounded(rounded: bool) -> None:
    tf32 = dtype_of("tf32")
    layout = Operand("128B", "K", tf32, (32, 32), start=0x400, sbo=1024)
    matrix = [[bits_of(F32, 1 + RANDOM.random()) for _ in range(32)] for _ in range(32)]
    there = [[element + 0x1000 & ~0x1FFF for element in row] for row in matrix] if rounded else matrix
    says = Operand("64B", "K", tf32, (32, 32), start=0x400, sbo=512)
    found = recognize(written(layout, there, SPOT), matrix, says)
    assert found.best is not None
    assert found.best.mode.name == "128B"


def absolute(start: int, lbo: int) -> Operand:
    """Return an operand of mxf4 with K = 96, as CUTLASS walks through three buffers of 128 bytes of K."""
    return Operand("128B", "K", PACKED, (128, 96), start=start, lbo=lbo, sbo=1024, absolute=True)


@pytest.mark.parametrize("layout", [absolute(0x450, 0x8400), absolute(0x470, 0x8400), absolute(0x430, 0x8400)], ids=str)
def test_absolute_mode(layout: Operand) -> None:
    matrix = matrix_of(RANDOM, layout)
    there = written(layout, matrix, SPOT)
    assert recognize(there, matrix, layout).right
    for says in (absolute(0x450, 0x4400), absolute(0x2430, 0x8400)):
        found = recognize(there, matrix, says, kind="tcgen05")
        assert found.best is not None
        assert elements(found.best, there) == matrix
    crosses = 96 // 2 + layout.start % 128 > 128
    said = recognize(there, matrix, absolute(layout.start, 0x4400), kind="tcgen05").sentences()
    assert ("the second part of K lies at 0x8400, not 0x4400: LBO" in "\n".join(said)) is crosses


def test_memory_that_does_not_begin_at_a_unit() -> None:
    there = written(W64, A, SPOT)
    cut = Memory(0xFF8, there.data[0xFF8:])
    assert elements(find(cut, A, BF16).best or A128, cut) == A


def test_a_matrix_of_another_shape_is_refused() -> None:
    with pytest.raises(SmemdescError, match="the matrix is 32x64, the operand 64x64"):
        recognize(SPOT, A[:32], A128)
    with pytest.raises(SmemdescError, match="transpose it"):
        recognize(SPOT, [list(row) for row in zip(*A[:32], strict=True)], operand("K", "128B", 32, 0, 16, 1024))
    with pytest.raises(SmemdescError, match="no elements"):
        find(SPOT, [], BF16)
