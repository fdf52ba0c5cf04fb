"""The register fragments of wgmma, held against the formula of each shape's own figure."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from samples import refusing
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.instruction import N_FLOAT, N_INTEGER, legal_n
from smemdesc.layout.fragment import (
    FRAGMENT_FIGURES,
    Fragment,
    RegisterSlot,
    WgmmaShape,
    fragment_layout,
    fragment_types,
    parse_wgmma_shape,
)

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


def check(shown: Fragment, place: tuple[int, int, int], cell: tuple[int, int]) -> None:
    """Hold the way from a register to an element, and the way back."""
    assert shown.cell(*place) == cell
    assert shown.place(*cell) == place


@pytest.mark.parametrize(("k", "dtype"), A_CASES)
def test_a_is_as_the_figure_of_its_shape_says(k: int, dtype: str) -> None:
    shown = fragment_layout(f"m64n64k{k}", "a", dtype)
    count, row, column = A[k]
    assert (shown.registers, shown.elements, shown.columns) == (4, count, k)
    for thread in range(128):
        w, g, t = thread // 32, thread % 32 // 4, thread % 4
        for i in range(count):
            cell = (16 * w + g + row(i), column(t, i))
            check(shown, (thread, *divmod(i, count // 4)), cell)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "operand", "dtype"),
    [(f"m64n8k{k}", "a", dtype) for k, dtype in A_CASES]
    + [(f"m64n{n}k{k}", "d", dtype) for (n, dtype), k in {(n, dtype): k for n, k, dtype in D_CASES}.items()],
)
def test_the_columns_that_repeat_say_all_the_others(shape: str, operand: str, dtype: str) -> None:
    shown = fragment_layout(shape, operand, dtype)
    wide, further = shown.repeat() or (shown.columns, 0)
    assert (wide < shown.columns) == (shown.columns > 4 * shown.run)
    for row in (row for first in range(0, 64, 7) for row in shown.rows(first, first + 1)):
        for column, place in enumerate(row):
            times, inside = divmod(column, wide)
            assert place == row[inside]._replace(register=row[inside].register + times * further)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "k", "dtype"), [case for case in D_CASES if case[0] in (8, 24, 64)])
def test_d_is_as_its_figures_say(n: int, k: int, dtype: str) -> None:
    shown = fragment_layout(f"m64n{n}k{k}", "d", dtype)
    assert shown.registers == (n // 4 if dtype == "f16" else n // 2)
    for thread in range(128):
        w, g, t = thread // 32, thread % 32 // 4, thread % 4
        for i in range(n // 2):
            place = (i >> 1, i & 1) if dtype == "f16" else (i, 0)
            check(shown, (thread, *place), (16 * w + g + 8 * ((i >> 1) & 1), 8 * (i >> 2) + 2 * t + (i & 1)))


def test_a_threads_elements_are_in_the_order_of_its_registers_and_rows_in_that_of_the_matrix() -> None:
    shown = fragment_layout("m64n16k32", "d", "f16")
    elements = shown.thread_elements(77)
    assert [place[1:] for place, _ in elements] == [(r, e) for r in range(4) for e in range(2)]
    assert all(shown.cell(*place) == cell and place.thread == 77 for place, cell in elements)
    assert list(map(list, shown.rows())) == [[shown.place(m, n) for n in range(16)] for m in range(64)]


def test_parts_of_a_place() -> None:
    place = RegisterSlot(118, 2, 1)
    assert (place.warp, place.lane, place.group, place.quad) == (3, 22, 5, 2)
    assert fragment_layout("m64n8k16", "a", "f16").number(place) == 5


@pytest.mark.parametrize("text", ["m64n128k16", ".m64n128k16", " M64N128K16 "])
def test_shape_as_it_is_written(text: str) -> None:
    assert parse_wgmma_shape(text) == (64, 128, 16)
    assert str(parse_wgmma_shape(text)) == "m64n128k16"


@pytest.mark.parametrize("operand", ["a", "A"])
def test_names_in_either_case(operand: str) -> None:
    assert fragment_layout("m64n8k16", operand, ".BF16") == fragment_layout(WgmmaShape(64, 8, 16), "a", "bf16")


def test_types_and_n_are_those_of_the_tables() -> None:
    for k in (8, 16, 32, 256):
        shape = WgmmaShape(64, 64, k)
        assert set(fragment_types(shape, "a")) == set(A_TYPES[k])
        assert set(fragment_types(shape, "d")) == set(D_TYPES[k])
        for operand in "ad" if k in (8, 256) else "":  # the only type need not be said
            assert fragment_layout(shape, operand).dtype == fragment_types(shape, operand)[0]
    assert list(N_FLOAT) == FLOAT
    assert list(N_INTEGER) == INTEGER
    assert {dtype for _, dtype in A_CASES if legal_n(dtype) == N_INTEGER} == {"s8", "u8", "b1"}


@pytest.mark.slow
@pytest.mark.parametrize("k", [8, 16, 32, 256])
@pytest.mark.parametrize("operand", ["a", "d"])
def test_only_legal_n(k: int, operand: str) -> None:
    for dtype in fragment_types(WgmmaShape(64, 64, k), operand):
        legal = INTEGER if dtype in ("s8", "u8", "b1", "s32") else FLOAT
        for n in range(270):
            if n in legal:
                assert fragment_layout(WgmmaShape(64, n, k), operand, dtype).shape.n == n
            else:
                with pytest.raises(SmemdescError, match=f"N {n} is not legal with {dtype}"):
                    fragment_layout(WgmmaShape(64, n, k), operand, dtype)


def test_figures() -> None:
    assert sorted(FRAGMENT_FIGURES.values()) == list(range(148, 156))
    assert fragment_layout("m64n64k32", "d", "s32").source == "PTX ISA 9.1, 9.7.15.5.1.1, Figure 153"


def a_of_64x16() -> Fragment:
    return fragment_layout("m64n64k16", "a", "f16")


@every_row(
    ("refused", "words"),
    [
        (lambda: fragment_layout("64x16", "a", "f16"), ["'64x16' is not a wgmma shape", "m64n128k16"]),
        (lambda: fragment_layout("m64nNk16", "a", "f16"), ["'m64nNk16' is not a wgmma shape"]),
        (lambda: fragment_layout("m128n64k16", "a", "f16"), ["wgmma has no M = 128", "m64n64k16"]),
        (lambda: fragment_layout("m64n64k24", "a", "f16"), ["wgmma has no K = 24", "8 (tf32), 16 (f16, bf16)"]),
        (lambda: fragment_layout("m64n64k64", "d", "f32"), ["sparse", "m64n64k32"]),
        (lambda: fragment_layout("m64n64k16", "b", "f16"), ["a fragment: 'b'", "shared memory"]),
        (lambda: fragment_layout("m64n64k16", "a", None), ["type of A is missing", "f16 or bf16"]),
        (lambda: fragment_layout("m64n64k16", "d", None), ["type of D is missing", "f16 or f32"]),
        (
            lambda: fragment_layout("m64n64k16", "a", "e4m3"),
            ["A of m64n64k16 is never 'e4m3'", "f16 or bf16", "m64n64k32"],
        ),
        (lambda: fragment_layout("m64n64k32", "a", "f99"), ["never 'f99'", "e4m3, e5m2, s8 or u8"]),
        (lambda: fragment_layout("m64n64k16", "d", "bf16"), ["never 'bf16'", "f16 or f32", "D's own"]),
        (lambda: fragment_layout("m64n64k8", "d", "f16"), ["never 'f16'", "it is f32"]),
        (lambda: fragment_layout("m64n60k16", "d", "f32"), ["N 60", "in steps of 8", "m64n56k16 or m64n64k16"]),
        (lambda: fragment_layout("m64n40k32", "a", "s8"), ["N 40", "steps of 16", "m64n32k32 or m64n48k32"]),
        (lambda: fragment_layout("m64n264k16", "d", "f32"), ["N 264", "m64n248k16 or m64n256k16"]),
        (lambda: a_of_64x16().cell(128, 0, 0), ["no thread 128", "use thread 0 to 127"]),
        (lambda: a_of_64x16().cell(-1, 0, 0), ["no thread -1"]),
        (lambda: a_of_64x16().cell(0, 4, 0), ["no register 4", "use register 0 to 3"]),
        (lambda: a_of_64x16().cell(0, 0, 2), ["no element 2", "0 to 1"]),
        (lambda: fragment_layout("m64n64k8", "a").cell(0, 0, 1), ["no element 1", "use element 0"]),
        (lambda: a_of_64x16().place(64, 0), ["no row 64", "0 to 63"]),
        (lambda: a_of_64x16().place(0, 16), ["no column 16", "0 to 15"]),
        (lambda: a_of_64x16().place(0, -1), ["no column -1"]),
        (lambda: a_of_64x16().thread_elements(128), ["no thread 128"]),
    ],
)
def test_what_is_refused_says_what_to_write(refused: Callable[[], object], words: list[str]) -> None:
    with refusing(*words):
        refused()
