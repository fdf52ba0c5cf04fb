"""By which layout memory holds a matrix: whatever it was written by, and whatever the descriptor says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operands.writing import matrix_of, noise, written
from operands.wrong import A128, BF16, WRONG, A, memory, operand
from operands.wrong import matrix as matrix_of_kernel
from run import GOLDENS, held
from samples import long_run, some, split

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.elements import F32, Memory, bits_of, value_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType, dtype_of
from smemdesc.layout.atom import EVERY_ATOM, atom_bytes, atom_shape
from smemdesc.layout.elements import elements
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import find_layouts, recognize

TYPES = [*DTYPES, PACKED_E2M1]


@pytest.mark.parametrize("name", WRONG)
def test_the_kernels_that_are_wrong_on_purpose(name: str) -> None:
    wrong = WRONG[name]
    found = recognize(memory(name), matrix_of_kernel(name), wrong.says, kind="wgmma")
    assert found.right is (name == "right")
    held("recognize", name.replace("_", "-"), "".join(f"{each}\n" for each in found.sentences(wrong.of)))


@st.composite
def layouts(draw: st.DrawFn, dtype=None, extent=None) -> Operand:
    """Any layout: two atoms or three in each direction, in any order, with or without space between them."""
    mode, major = draw(st.sampled_from(EVERY_ATOM))
    dtype = draw(st.sampled_from(TYPES)) if dtype is None else dtype
    atom = atom_shape(mode, major, dtype)
    size = atom_bytes(mode, major)
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


@some(30, least=4)
@given(layouts(), st.data(), st.integers(0, 2**32))
def test_whatever_was_written_is_read(layout: Operand, data: st.DataObject, seed: int) -> None:
    random = Random(seed)
    matrix = matrix_of(random, layout)
    there = written(layout, matrix, noise(random, 1 << 16))
    other = data.draw(layouts(layout.dtype, layout.shape))
    found = recognize(there, matrix, other)
    assert found.best is not None
    assert elements(found.best, there) == matrix
    without = find_layouts(there, matrix, layout.dtype)
    assert without.best is not None
    assert elements(without.best, there) == matrix


EVERY = [(mode, major, dtype) for mode, major in EVERY_ATOM for dtype in TYPES]


def by_every_base_offset(mode: str, major: str, dtype: DType, bases: Iterable[int]) -> None:
    random = Random(f"{mode} {major} {dtype}")
    atom, size = atom_shape(mode, major, dtype), atom_bytes(mode, major)
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


@pytest.mark.slow
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
    "rows without a swizzle": put(A, lambda m, k: 0x1000 + 128 * m + 2 * k),
    "columns without a swizzle": put(A, lambda m, k: 0x1000 + 128 * k + 2 * m),
    "padding of 16 bytes": put(A, lambda m, k: 0x1000 + 144 * m + 2 * k),
    "padding of 4 bytes": put(A, lambda m, k: 0x1002 + 132 * m + 2 * k),
    "blocks of 32 columns": put(A, lambda m, k: 0x1000 + 64 * m + k // 32 * 4096 + 2 * (k % 32)),
    "swizzled rows of 256 bytes": put(A, lambda m, k: A128.swizzle(0x1000 + 256 * m + 2 * k)),
    "a pattern that begins at the tile": put(A, lambda m, k: 0x1050 + A128.swizzle(128 * m + 2 * k)),
    "every second chunk exchanged": put(A, lambda m, k: 0x1000 + 128 * m + 2 * (k ^ 8)),
    "a swizzle of pairs of rows": put(A, lambda m, k: 0x1000 + 128 * m + (2 * k ^ m // 2 % 4 * 16)),
    "K moved by 1": written(A128, [turned(row, 1) for row in A], SPOT),
    "MN moved by 3": written(A128, A[3:] + A[:3], SPOT),
    "one row moved": written(A128, [turned(row, 1) if m == 17 else row for m, row in enumerate(A)], SPOT),
    "rows moved by as much as they are": written(
        A128, [turned(row, m % 4) if m % 4 else row for m, row in enumerate(A)], SPOT
    ),
    "f32": put(converted(F32), lambda m, k: 0x1000 + 256 * m + 4 * k, 4),
    "f16": written(Operand("128B", "K", F16, (64, 64), start=0x400, sbo=1024), converted(F16), SPOT),
    "a part overwritten": Memory(
        0, (there := written(W64, A, SPOT).data)[:0x1C00] + SPOT.data[0x1C00:0x2000] + there[0x2000:]
    ),
    "half of it": Memory(0, written(A128, A, SPOT).data[:4096] + SPOT.data[4096:]),
    "cut off": Memory(0, written(A128, A, SPOT).data[:4096]),
    "another stage": written(
        A128, [row[::-1] for row in A], written(operand("K", "128B", 64, 0x2400, 16, 1024), A, SPOT)
    ),
    "two stages": written(
        *(operand("K", "128B", 64, 0x8000, 16, 1024), A),
        written(operand("K", "128B", 64, 0x4000, 16, 1024), A, SPOT),
    ),
    "other data": SPOT,
}


@pytest.mark.parametrize("name", split(WRITTEN, list(WRITTEN)[::4].__contains__))
def test_what_else_can_be_wrong(name: str) -> None:
    found = recognize(WRITTEN[name], A, AT_50 if name == "a pattern that begins at the tile" else A128)
    assert not found.right
    held("recognize", name.replace(" ", "-"), "".join(f"{each}\n" for each in found.sentences()))


def test_every_golden_file_is_used() -> None:
    names = {name.replace(" ", "-").replace("_", "-") for name in (*WRONG, *WRITTEN)}
    assert {path.stem for path in (GOLDENS / "recognize").glob("*.txt")} == names


@pytest.mark.slow
def test_a_layout_in_which_elements_share_bytes_is_no_answer_that_looks_certain() -> None:
    """Every column is the same, and no stride between them can be told."""
    dtype = dtype_of("s8")
    matrix = [[row % 256] * 16 for row in range(512)]
    apart = Operand("128B", "MN", dtype, (512, 16), start=1104, lbo=3072, sbo=12288)
    found = find_layouts(written(apart, matrix, SPOT), matrix, dtype, majors=("MN",))
    assert found.best is not None
    assert found.best.sbo == 0
    assert "elements share bytes" in "\n".join(found.sentences())


def test_a_matrix_of_mostly_one_value_tells_nothing() -> None:
    matrix = [[int(row == column) for column in range(64)] for row in range(64)]
    found = recognize(SPOT, matrix, A128)
    assert "most of the matrix is one value" in found.sentences()[-1]


def test_only_the_majors_that_were_asked_for_are_said_to_be_tried() -> None:
    found = find_layouts(written(A128, A, SPOT), A, BF16, majors=("MN",))
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


@pytest.mark.parametrize("says", [A128, long_run(W64)], ids=["right", "wrong"])
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
    assert "the data cannot distinguish" in text
    assert "must be" not in text


@pytest.mark.slow
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
    return Operand("128B", "K", PACKED_E2M1, (128, 96), start=start, lbo=lbo, sbo=1024, absolute=True)


@pytest.mark.slow
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
    assert ("the second part of K is at 0x8400, not 0x4400: LBO" in "\n".join(said)) is crosses


def test_memory_that_does_not_begin_at_a_unit() -> None:
    there = written(W64, A, SPOT)
    cut = Memory(0xFF8, there.data[0xFF8:])
    assert elements(find_layouts(cut, A, BF16).best or A128, cut) == A


def test_a_matrix_of_another_shape_is_refused() -> None:
    with pytest.raises(SmemdescError, match="the matrix is 32x64, the operand 64x64"):
        recognize(SPOT, A[:32], A128)
    with pytest.raises(SmemdescError, match="transpose it"):
        recognize(SPOT, [list(row) for row in zip(*A[:32], strict=True)], operand("K", "128B", 32, 0, 16, 1024))
    with pytest.raises(SmemdescError, match="no elements"):
        find_layouts(SPOT, [], BF16)
