"""Where threads write a tile: the formulas against the address of every element, conflicts against the 32 banks."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from samples import refusing

import smemdesc
from smemdesc.kinds.modes import MODE
from smemdesc.layout.store import StoredTile

TILES = [
    # shape, keywords
    ("128x64", {"dtype": "bf16", "major": "K", "swizzle": "128B"}),
    ("16x256", {"dtype": "f16", "major": "K", "swizzle": "64B", "order": "k"}),
    ("64x96", {"dtype": "e4m3", "major": "K", "swizzle": "32B"}),
    ("64x32", {"dtype": "bf16", "major": "K", "swizzle": "none"}),
    ("64x32", {"dtype": "tf32", "major": "K", "swizzle": "128B", "kind": "wgmma"}),
    ("128x64", {"dtype": "bf16", "major": "MN", "swizzle": "128B"}),
    ("128x32", {"dtype": "bf16", "major": "MN", "swizzle": "64B", "order": "k"}),
    ("64x32", {"dtype": "e5m2", "major": "MN", "swizzle": "32B"}),
    ("64x32", {"dtype": "f16", "major": "MN", "swizzle": "none", "order": "mn"}),
    ("64x16", {"dtype": "tf32", "major": "MN", "swizzle": "128B_32B"}),
    ("16x256", {"dtype": "e2m1", "mma_kind": "mxf4", "major": "K", "swizzle": "128B"}),
    ("32x128", {"dtype": "e3m2", "major": "K", "swizzle": "64B"}),
    ("128x64", {"dtype": "e2m1", "major": "MN", "swizzle": "128B"}),
]


def of(case: tuple[str, dict[str, str]]) -> StoredTile:
    return smemdesc.store(case[0], **case[1])  # type: ignore[arg-type]


@pytest.fixture(params=TILES, ids=lambda case: "-".join((case[0], *case[1].values())))
def stored(request: pytest.FixtureRequest) -> StoredTile:
    return of(request.param)


@pytest.mark.slow
def test_the_formulas_are_the_address_of_every_element(stored: StoredTile) -> None:
    words = re.sub(r"(\d+) (?=\(|mn|k)", r"\1 * ", stored.formula())
    words = words.replace("div", "//").replace("mod", "%").replace("xor", "^")
    assert "/" not in words.replace("//", "")
    text, c = compile(words, "text", "eval"), compile(stored.formula("c").replace("/", "//"), "c", "eval")
    for mn, k in product(*map(range, stored.tiling.shape)):
        assert eval(text) == eval(c) == stored.element(mn, k), (mn, k)


def banks(stored: StoredTile, places: dict[int, tuple[int, int]], swizzled: bool) -> int:
    """Return the wavefronts of an access of one warp: for 8 threads at a time, the most words in one of 32 banks."""
    total = 0
    for quarter in range(4):
        words: dict[int, set[int]] = {}
        for thread in range(8 * quarter, 8 * quarter + 8):
            if thread in places:
                first = stored.unit_byte(*places[thread], swizzled=swizzled) // 4
                for word in range(first, first + 4):
                    words.setdefault(word % 32, set()).add(word)
        total += max(map(len, words.values()), default=0)
    return total


@pytest.mark.slow
def test_the_wavefronts_are_those_of_the_banks(stored: StoredTile) -> None:
    for threads in stored.usual:
        for swizzled in (True, False):
            counted = [banks(stored, places, swizzled) for places in stored.accesses(threads)]
            found = stored.wavefronts(threads, swizzled=swizzled)
            assert (found.total, found.accesses) == (sum(counted), len(counted))
            assert found.worst in counted


def test_every_unit_is_written_once(stored: StoredTile) -> None:
    rows, units = stored.extent
    for threads in stored.usual:
        written = [place for places in stored.accesses(threads) for place in places.values()]
        assert sorted(written) == list(product(range(rows), range(units)))


def test_some_usual_assignment_has_no_conflict(stored: StoredTile) -> None:
    assert 0 in {stored.wavefronts(threads).conflicts for threads in stored.usual}


def test_a_tile_of_128_bytes_a_row_has_no_conflict_and_eight_ways_without_the_swizzle() -> None:
    stored = of(TILES[0])
    found = {
        threads.name: (stored.wavefronts(threads).worst, stored.wavefronts(threads, swizzled=False).worst)
        for threads in stored.usual
    }
    assert found == {"row": (4, 32), "quarter": (4, 32), "matrix": (4, 32), "coalesced": (4, 4)}


def test_a_layout_of_cute_is_an_assignment() -> None:
    stored = smemdesc.store(
        "64x64", dtype="bf16", major="K", swizzle="none", thread_layout="((8,2),(4,2)):((1,8),(16,64))"
    )
    assert stored.thread_layout is not None
    assert stored.thread_layout.extent == (16, 8)
    assert stored.thread_layout.threads()[37] == (5, 2)
    assert stored.wavefronts(stored.thread_layout) == (4, 4, 64, 16)  # four warps, four times
    assert stored.thread_units(37) == [(5, 2), (21, 2), (37, 2), (53, 2)]


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ("(4,8)", "the text ends where ':' belongs"),
        ("32:1", "has not two modes"),
        ("(4,8):(0,1)", "thread 0 has several units"),
        ("(64,64):(64,1)", "has 4096 threads"),
        ("(2,2):(1,4000)", "thread 4000 does not exist"),
        ("(4,8):(-8,1)", "thread -8 does not exist"),
        ("rows", "is not a number"),
    ],
)
def test_what_is_no_assignment_is_an_error(layout: str, words: str) -> None:
    with refusing(words):
        smemdesc.store("64x64", dtype="bf16", major="K", swizzle="128B", thread_layout=layout)


@pytest.mark.slow
@pytest.mark.parametrize("swizzle", ["none", "32B", "64B", "128B"])
@pytest.mark.parametrize(("shape", "major"), [("64x64", "K"), ("16x128", "K"), ("128x16", "K"), ("64x64", "MN")])
def test_stmatrix_stores_the_fragment_of_wgmma(shape: str, major: str, swizzle: str) -> None:
    if MODE[swizzle].width > 2 * (int(shape.partition("x")[2]) if major == "K" else 64):
        pytest.skip("no whole atom")
    stored = smemdesc.store(shape, "f16", major=major, swizzle=swizzle, thread_layout="stmatrix")  # type: ignore[arg-type]
    assert stored.thread_layout is not None
    held = smemdesc.fragment(f"m64n{stored.tiling.shape.k}k16", operand="d", dtype="f32")
    written = {}
    for places in stored.accesses(stored.thread_layout):
        mn, k = stored.place(*places[0])
        for thread, matrix in product(places, range(4)):  # the PTX ISA: thread T has two elements of row T / 4
            warp, lane = divmod(thread, 32)
            row, pair = divmod(lane, 4)
            if major == "K":
                byte = stored.unit_byte(*places[32 * warp + 8 * matrix + row]) + 4 * pair
                bytes_of = byte, byte + 2
            else:  # .trans: a thread's address is that of a column
                bytes_of = tuple(
                    stored.unit_byte(*places[32 * warp + 8 * matrix + 2 * pair + at]) + 2 * row for at in (0, 1)
                )
            for at, byte in enumerate(bytes_of):
                cell = held.cell(thread, k // 2 + 2 * matrix + at)
                written[byte] = mn // 64 * 64 + cell.row, cell.column
    assert written == {stored.element(mn, k): (mn, k) for mn, k in product(*map(range, stored.tiling.shape))}


def test_a_stage_of_an_epilogue_has_the_types_of_d() -> None:
    f32 = smemdesc.store("128x32", "float", swizzle="128B")
    tf32 = smemdesc.store("128x32", "tf32", swizzle="128B")
    assert (str(f32), f32.formula()) == ("tile of 128x32 f32, K-major, swizzle 128B", tf32.formula())
    assert smemdesc.store("64x32", "s32", major="MN", swizzle="128B").element(1, 0) == 4  # no MMA reads this


@pytest.mark.parametrize(
    ("shape", "dtype", "words"),
    [("64x32", "f32", "stmatrix stores elements of 16 bits"), ("24x64", "bf16", "not a whole number of them")],
)
def test_what_stmatrix_does_not_store_is_an_error(shape: str, dtype: Any, words: str) -> None:
    with refusing(words):
        smemdesc.store(shape, dtype, swizzle="128B", thread_layout="stmatrix")


def test_what_is_not_in_the_tile_has_no_byte() -> None:
    stored = smemdesc.store("64x64", dtype="bf16", major="K", swizzle="128B")
    for mn, k, words in ((64, 0, "no mn 64"), (-1, 0, "no mn -1"), (0, 64, "no k 64")):
        for ask in (stored.element, stored.element_dict):
            with refusing(words):
                ask(mn, k)
    with refusing("no thread layout is given"):
        stored.thread_dict(0)


def test_a_thread_that_writes_nothing_names_those_that_write() -> None:
    stored = smemdesc.store("64x64", dtype="bf16", major="K", swizzle="128B", thread_layout="row")
    with refusing("thread 37 writes nothing", "use threads 0 to 31"):
        stored.thread_dict(37)
