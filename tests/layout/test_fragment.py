"""The register fragments of wgmma, held against the formula of each shape's own figure."""

from __future__ import annotations

import pytest
from samples import split

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.instruction import N_FLOAT, N_INTEGER, legal_n
from smemdesc.layout.fragment import FIGURES, Cell, Fragment, Place, Shape, fragment, parse_shape, types

A = {
    # K: elements of a thread, row of element i past 16w + g, column of element i by thread t of the quad
    8: (4, lambda i: 8 * (i & 1), lambda t, i: t + 4 * (i >> 1)),
    16: (8, lambda i: 8 * ((i >> 1) & 1), lambda t, i: 2 * t + (i & 1) + 8 * (i >> 2)),
    32: (16, lambda i: 8 * ((i >> 2) & 1), lambda t, i: 4 * t + (i & 3) + 16 * (i >> 3)),
    256: (128, lambda i: 8 * ((i >> 5) & 1), lambda t, i: 32 * t + (i & 31) + 128 * (i >> 6)),
}
A_TYPES = {8: ["tf32"], 16: ["f16", "bf16"], 32: ["e4m3", "e5m2", "s8", "u8"], 256: ["b1"]}
D_TYPES = {8: ["f32"], 16: ["f16", "f32"], 32: ["f16", "f32", "s32"], 256: ["s32"]}
FLOAT = [8 * i for i in range(1, 33)]
INTEGER = [8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256]

A_CASES = [(k, dtype) for k, names in A_TYPES.items() for dtype in names]
D_CASES = [
    (n, k, dtype) for k, names in D_TYPES.items() for dtype in names for n in (INTEGER if dtype == "s32" else FLOAT)
]


@pytest.mark.parametrize(("k", "dtype"), A_CASES)
def test_a_is_as_the_figure_of_its_shape_says(k: int, dtype: str) -> None:
    shown = fragment(f"m64n64k{k}", "a", dtype)
    count, row, column = A[k]
    assert (shown.registers, shown.elements, shown.columns) == (4, count, k)
    for thread in range(128):
        w, g, t = thread // 32, thread % 32 // 4, thread % 4
        for i in range(count):
            expected = (16 * w + g + row(i), column(t, i))
            assert shown.cell(thread, *divmod(i, count // 4)) == expected


@pytest.mark.parametrize(("n", "k", "dtype"), [case for case in D_CASES if case[0] in (8, 24, 48, 64, 256)])
def test_d_is_as_its_figures_say(n: int, k: int, dtype: str) -> None:
    shown = fragment(f"m64n{n}k{k}", "d", dtype)
    assert shown.registers == (n // 4 if dtype == "f16" else n // 2)
    for thread in range(128):
        w, g, t = thread // 32, thread % 32 // 4, thread % 4
        for i in range(n // 2):
            place = (i >> 1, i & 1) if dtype == "f16" else (i, 0)
            expected = (16 * w + g + 8 * ((i >> 1) & 1), 8 * (i >> 2) + 2 * t + (i & 1))
            assert shown.cell(thread, *place) == expected


def both_ways(shown: Fragment) -> None:
    """Every register of every thread holds one element of the matrix, and every element is held once."""
    seen = set()
    for row, places in enumerate(shown.rows()):
        for column, place in enumerate(places):
            assert shown.cell(*place) == (row, column)
            seen.add(place)
    everything = {
        (thread, register, element)
        for thread in range(128)
        for register in range(shown.registers)
        for element in range(32 // shown.bits)
    }
    assert seen == everything


@pytest.mark.parametrize(("k", "dtype"), A_CASES)
@pytest.mark.parametrize("n", [8, 256])
def test_a_is_a_bijection(n: int, k: int, dtype: str) -> None:
    both_ways(fragment(f"m64n{n}k{k}", "a", dtype))


@pytest.mark.parametrize(
    ("n", "k", "dtype"),
    split([case for case in D_CASES if case[1] in (16, 256)], lambda case: case[0] in (8, 24, 64, 256)),
)
def test_d_is_a_bijection(n: int, k: int, dtype: str) -> None:
    both_ways(fragment(f"m64n{n}k{k}", "d", dtype))


@pytest.mark.corpus
@pytest.mark.parametrize(("n", "k", "dtype"), [case for case in D_CASES if case[1] not in (16, 256)])
def test_d_does_not_depend_on_k(n: int, k: int, dtype: str) -> None:
    other = fragment(Shape(64, n, 256 if dtype == "s32" else 16), "d", dtype)
    assert list(fragment(Shape(64, n, k), "d", dtype).rows()) == list(other.rows())


def test_a_of_16_columns_is_that_of_the_warp_level_mma() -> None:
    # mma.m16n8k16 holds a0, a1 in row g, a2, a3 in g + 8, a4, a5 in g eight columns on.
    shown = fragment("m64n8k16", "a", "f16")
    assert [shown.cell(0, register) for register in range(4)] == [(0, 0), (8, 0), (0, 8), (8, 8)]


@pytest.mark.parametrize(
    ("of", "cell", "place"),
    [
        (("m64n64k16", "d", "f32"), (17, 3), (37, 1, 0)),
        (("m64n64k16", "d", "f32"), (0, 63), (3, 29, 0)),
        (("m64n64k16", "d", "f16"), (63, 63), (127, 15, 1)),
        (("m64n64k16", "a", "bf16"), (17, 3), (37, 0, 1)),
        (("m64n64k8", "a", None), (17, 3), (39, 0, 0)),
        (("m64n64k32", "a", "s8"), (8, 31), (3, 3, 3)),
        (("m64n64k256", "a", "b1"), (1, 255), (7, 2, 31)),
    ],
)
def test_elements_by_hand(of: tuple[str, str, str | None], cell: tuple[int, int], place: tuple[int, int, int]) -> None:
    shown = fragment(*of)
    assert shown.place(*cell) == place
    assert shown.cell(*place) == cell


def test_held_lists_a_thread_in_the_order_of_its_registers() -> None:
    shown = fragment("m64n16k32", "d", "f16")
    held = shown.thread_elements(77)
    assert [place[1:] for place, _ in held] == [(r, e) for r in range(4) for e in range(2)]
    assert all(shown.cell(*place) == cell and place.thread == 77 for place, cell in held)


def test_parts_of_a_place() -> None:
    place = Place(118, 2, 1)
    assert (place.warp, place.lane, place.group, place.quad) == (3, 22, 5, 2)
    assert fragment("m64n8k16", "a", "f16").number(place) == 5


def test_everything_is_immutable() -> None:
    for thing in (fragment("m64n8k8", "a"), Place(1, 2), Cell(1, 2), Shape(64, 8, 8)):
        with pytest.raises(AttributeError):
            thing.row = 1  # type: ignore[union-attr,misc]


@pytest.mark.parametrize("text", ["m64n128k16", ".m64n128k16", " M64N128K16 "])
def test_shape_as_it_is_written(text: str) -> None:
    assert parse_shape(text) == (64, 128, 16)
    assert str(parse_shape(text)) == "m64n128k16"


@pytest.mark.parametrize("operand", ["a", "A"])
def test_names_in_either_case(operand: str) -> None:
    assert fragment("m64n8k16", operand, ".BF16") == fragment(Shape(64, 8, 16), "a", "bf16")


def test_types_and_n_are_those_of_the_tables() -> None:
    for k in (8, 16, 32, 256):
        shape = Shape(64, 64, k)
        assert set(types(shape, "a")) == set(A_TYPES[k])
        assert set(types(shape, "d")) == set(D_TYPES[k])
    assert list(N_FLOAT) == FLOAT
    assert list(N_INTEGER) == INTEGER
    assert {dtype for _, dtype in A_CASES if legal_n(dtype) == N_INTEGER} == {"s8", "u8", "b1"}


@pytest.mark.parametrize(("k", "names"), [(8, "a d"), (256, "a d")])
def test_the_only_type_need_not_be_said(k: int, names: str) -> None:
    for operand in names.split():
        assert fragment(f"m64n64k{k}", operand).dtype == types(Shape(64, 64, k), operand)[0]


@pytest.mark.parametrize("k", [8, 16, 32, 256])
@pytest.mark.parametrize("operand", ["a", "d"])
def test_only_legal_n(k: int, operand: str) -> None:
    for dtype in types(Shape(64, 64, k), operand):
        legal = INTEGER if dtype in ("s8", "u8", "b1", "s32") else FLOAT
        for n in range(270):
            if n in legal:
                assert fragment(Shape(64, n, k), operand, dtype).shape.n == n
            else:
                with pytest.raises(SmemdescError, match=f"N {n} is not legal with {dtype}"):
                    fragment(Shape(64, n, k), operand, dtype)


def test_figures() -> None:
    assert sorted(FIGURES.values()) == list(range(148, 156))
    assert fragment("m64n64k32", "d", "s32").source == "PTX ISA 9.1, 9.7.15.5.1.1, Figure 153"


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (("64x16", "a", "f16"), ["'64x16' is not a wgmma shape", "m64n128k16"]),
        (("m64nNk16", "a", "f16"), ["'m64nNk16' is not a wgmma shape"]),
        (("m128n64k16", "a", "f16"), ["no wgmma with M 128", "m64n64k16"]),
        (("m64n64k24", "a", "f16"), ["no wgmma with K 24", "8 (tf32), 16 (f16, bf16)"]),
        (("m64n64k64", "d", "f32"), ["sparse", "m64n64k32"]),
        (("m64n64k16", "b", "f16"), ["operand 'b'", "shared memory"]),
        (("m64n64k16", "a", None), ["type of A is missing", "f16 or bf16"]),
        (("m64n64k16", "d", None), ["type of D is missing", "f16 or f32"]),
        (("m64n64k16", "a", "e4m3"), ["A of m64n64k16 is never 'e4m3'", "f16 or bf16", "m64n64k32"]),
        (("m64n64k32", "a", "f99"), ["never 'f99'", "e4m3, e5m2, s8 or u8"]),
        (("m64n64k16", "d", "bf16"), ["never 'bf16'", "f16 or f32", "D's own"]),
        (("m64n64k8", "d", "f16"), ["never 'f16'", "it is f32"]),
        (("m64n60k16", "d", "f32"), ["N 60", "in steps of 8", "m64n56k16 or m64n64k16"]),
        (("m64n40k32", "a", "s8"), ["N 40", "steps of 16", "m64n32k32 or m64n48k32"]),
        (("m64n264k16", "d", "f32"), ["N 264", "m64n248k16 or m64n256k16"]),
    ],
)
def test_what_cannot_be_says_what_to_write(of: tuple[str, str, str | None], words: list[str]) -> None:
    with pytest.raises(SmemdescError) as raised:
        fragment(*of)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ((128, 0, 0), ["no thread 128", "0 to 127", "modulo 128"]),
        ((-1, 0, 0), ["no thread -1"]),
        ((0, 4, 0), ["no register 4", "A of m64n64k16 in f16", "0 to 3"]),
        ((0, 0, 2), ["no element 2", "0 to 1"]),
    ],
)
def test_places_out_of_range(place: tuple[int, int, int], words: list[str]) -> None:
    with pytest.raises(SmemdescError) as raised:
        fragment("m64n64k16", "a", "f16").cell(*place)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    ("cell", "words"),
    [((64, 0), ["no row 64", "0 to 63"]), ((0, 16), ["no column 16", "0 to 15"]), ((0, -1), ["no column -1"])],
)
def test_cells_out_of_range(cell: tuple[int, int], words: list[str]) -> None:
    with pytest.raises(SmemdescError) as raised:
        fragment("m64n64k16", "a", "f16").place(*cell)
    for word in words:
        assert word in str(raised.value)


def test_a_thread_out_of_range_holds_nothing() -> None:
    with pytest.raises(SmemdescError, match="no thread 128"):
        fragment("m64n64k16", "a", "f16").thread_elements(128)
    with pytest.raises(SmemdescError, match="element 0 only"):
        fragment("m64n64k8", "a").cell(0, 0, 1)
