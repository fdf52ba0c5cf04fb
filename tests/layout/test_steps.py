"""Steps: what an advance gives is what the tile says, for every kind, mode, major-ness, type, order and tile."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import cache
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import long_run, some
from tables import every_row
from tiles.test_tile import COMBINATIONS, Narrow, legal, narrow

from smemdesc import Context, SmemdescError, context
from smemdesc.descriptors.difference import advance_start, byte_remark, step
from smemdesc.engine.errors import FieldError
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import AtomShape, AtomTiling, atom_shape
from smemdesc.layout.steps import K_STEPS, UNTILED, DescriptorSteps, DistanceName, Tiling, possible
from smemdesc.tiles.tile import Tile, TileStep, lay_out_tile

LEGAL = [each for each in COMBINATIONS if legal(*each)]
SHAPES = list(itertools.product((64, 128, 192, 256), (32, 64, 128, 256)))


def case_of(made: Tile, *, shaped: bool = False) -> Context:
    return Context(dtype=made.dtype, major=made.major, shape=made.mma if shaped else None)


def tiling_of(made: Tile, *, start: bool = False) -> Tiling:
    return Tiling(made.shape, made.order, made.start if start else None)


def stepped(made: Tile, one: TileStep, other: TileStep, case: Context, tiling: Tiling) -> int:
    return step(made.kind, one.value, k=other.k - one.k, mn=other.mn - one.mn, context=case, tiling=tiling)


def agrees(made: Tile, case: Context, tiling: Tiling) -> None:
    """Hold every step, from the first one, to the tile."""
    for one in made.steps:
        assert stepped(made, made.steps[0], one, case, tiling) == one.value


def agrees_from_each(made: Tile, case: Context, tiling: Tiling) -> None:
    """Hold every step, from the ones before and after it, to the tile."""
    for one, other in itertools.pairwise(made.steps):
        assert stepped(made, one, other, case, tiling) == other.value
        assert stepped(made, other, one, case, tiling) == one.value


def by_tiles(kind: str, dtype: str, mode: str, major: str, shapes: Iterable[tuple[int, int]]) -> None:
    found = dtype_of(dtype)
    atom = atom_shape(mode, major, found)
    for whole, order in itertools.product(shapes, ("mn", "k")):
        if whole[0] % atom.mn or whole[1] % atom.k:
            continue
        made = lay_out_tile(kind, whole, found, major, mode, order=order, start=1024)
        shaped = order == "k"
        agrees(made, case_of(made, shaped=shaped), tiling_of(made, start=shaped))
        if whole == (128, 128):
            agrees_from_each(made, case_of(made, shaped=not shaped), tiling_of(made, start=not shaped))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(LEGAL), 4))
def test_an_advance_is_a_step_of_the_tile(number: int) -> None:
    """A fourth of the cases, each with every third shape, not the same ones."""
    by_tiles(*LEGAL[number], [(128, 128), *SHAPES[number // 4 % 3 :: 3]])


@pytest.mark.corpus
@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), LEGAL)
def test_an_advance_is_a_step_of_every_tile(kind: str, dtype: str, mode: str, major: str) -> None:
    by_tiles(kind, dtype, mode, major, SHAPES)


@pytest.mark.slow
@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("mode", ["none", "32B", "64B", "128B"])
@pytest.mark.parametrize("shapes", [SHAPES[::3], long_run(SHAPES)], ids=["some", "all"])
def test_the_strides_of_the_descriptor_say_the_order(mode: str, major: str, shapes: Iterable[tuple[int, int]]) -> None:
    for whole, order in itertools.product(shapes, ("mn", "k")):
        atom = atom_shape(mode, major, dtype_of("bf16"))
        if whole[0] % atom.mn or whole[1] % atom.k:
            continue
        made = lay_out_tile("tcgen05", whole, dtype_of("bf16"), major, mode, order=order, start=1024)
        agrees(made, case_of(made), Tiling(made.shape))


@pytest.mark.slow
@every_row(("kind", "dtype", "mode", "major"), LEGAL)
def test_without_a_tile_the_step_is_the_same_or_refused(kind: str, dtype: str, mode: str, major: str) -> None:
    """Only a K-major swizzled descriptor does not say how far the next atom along K is."""
    for order in ("mn", "k"):
        made = lay_out_tile(kind, (128, 256), dtype_of(dtype), major, mode, order=order, start=1024)
        first = made.steps[0]
        for one in made.steps:
            if major == "K" and mode != "none" and one.k >= made.atom.k:
                with pytest.raises(FieldError, match="leaves the swizzle atom") as caught:
                    stepped(made, first, one, case_of(made), UNTILED)
                assert "--tile MNxK and --order" in caught.value.option_hint
            else:
                assert stepped(made, first, one, case_of(made), UNTILED) == one.value


@some(50)
@given(
    st.sampled_from([("e2m1", "mxf4"), ("e2m1", "f8f6f4"), ("e2m3", "f8f6f4"), ("e3m2", "mxf8f6f4")]).flatmap(
        lambda names: narrow(dtype_of(*names))
    )
)
def test_narrow_types_anywhere_in_memory(case: Narrow) -> None:
    """Packed and in containers, dense and sparse; where the tile begins inside a pattern is said."""
    made = lay_out_tile(
        "tcgen05", case.shape, case.dtype, case.major, case.mode, mma=case.mma, order=case.order, start=case.start
    )
    agrees(made, case_of(made), tiling_of(made, start=True))
    agrees_from_each(made, case_of(made, shaped=True), tiling_of(made, start=True))


@some(150)
@given(st.sampled_from(LEGAL), st.sampled_from(["mn", "k"]), st.integers(0, 256), st.data())
def test_any_start_and_any_step(case: tuple[str, str, str, str], order: str, units: int, data: st.DataObject) -> None:
    kind, dtype, mode, major = case
    made = lay_out_tile(kind, (256, 128), dtype_of(dtype), major, mode, order=order, start=16 * units)
    one, other = (data.draw(st.sampled_from(made.steps)) for _ in range(2))
    assert stepped(made, one, other, case_of(made), tiling_of(made, start=True)) == other.value
    try:
        got = stepped(made, one, other, case_of(made), tiling_of(made))
    except FieldError as refused:
        said = refused.option_hint
    else:
        said = "--tile-start" if got == other.value else ""
    # Without --tile-start rows begin at multiples of their width; a start that is no step of such rows is refused.
    assert "--tile-start" in said or made.start % MODE[mode].width


@every_row("base_offset", range(8))
def test_a_base_offset_stays(base_offset: int) -> None:
    made = lay_out_tile("wgmma", (128, 128), dtype_of("bf16"), "K", "128B", start=1024 + 128 * base_offset)
    table = made.kind.table
    moved = [table.insert(each.value, "base_offset", base_offset) for each in made.steps]
    for one, value in zip(made.steps, moved, strict=True):
        got = step(made.kind, moved[0], k=one.k, mn=one.mn, context=case_of(made), tiling=tiling_of(made))
        assert got == value


@every_row("order", ["mn", "k"])
@every_row("start", [0, 0x480, 0x8000])
def test_absolute_mode_moves_lbo_too(order: str, start: int) -> None:
    """K = 96: 48 bytes of K a step, LBO the line that they run over into."""
    made = lay_out_tile(
        "tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), order=order, start=start
    )
    agrees(made, case_of(made), tiling_of(made))
    agrees_from_each(made, case_of(made, shaped=True), tiling_of(made, start=True))


def test_absolute_mode_without_a_tile() -> None:
    """LBO says where the next line is only where the step runs over into it."""
    made = lay_out_tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96))
    said = []
    for one, other in itertools.pairwise(made.steps):
        try:
            said.append("the step" if stepped(made, one, other, case_of(made), UNTILED) == other.value else "another")
        except FieldError as refused:
            said.append(refused.option_hint)
    refusal = "give the tile: --tile MNxK and --order mn|k"
    assert said == [refusal if number in (1, 4) else "the step" for number in range(7)]


def test_absolute_mode_along_mn_without_a_tile() -> None:
    made = lay_out_tile("tcgen05", (256, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96))
    for one in made.steps[:8]:
        (other,) = (each for each in made.steps if (each.mn, each.k) == (128, one.k))
        assert stepped(made, one, other, case_of(made), UNTILED) == other.value


def test_sparse_b_says_the_next_atom_in_lbo() -> None:
    made = lay_out_tile("wgmma", (64, 128), dtype_of("f16"), "K", "32B", mma=(64, 32))
    agrees(made, case_of(made, shaped=True), UNTILED)


@some(100)
@given(st.sampled_from(LEGAL), st.sampled_from(["mn", "k"]), st.data())
def test_what_a_distance_is_called_is_what_the_advance_was(
    case: tuple[str, str, str, str], order: str, data: st.DataObject
) -> None:
    """A K step of the tile is named as so many MMA steps; another step never is by the same number."""
    kind, dtype, mode, major = case
    made = lay_out_tile(kind, (128, 256), dtype_of(dtype), major, mode, order=order, start=1024)
    one, other = (data.draw(st.sampled_from(made.steps)) for _ in range(2))
    steps = DescriptorSteps(made.kind.table.read(one.value), major, case_of(made), tiling_of(made))
    names = steps.name(other.start - one.start)
    k = (other.k - one.k) // made.mma.k
    if other.mn == one.mn and k:
        wanted = f"{abs(k)} MMA step{'' if abs(k) == 1 else 's'} along K{' back' if k < 0 else ''}: "
        assert next(name.text for name in names if name.what == K_STEPS).startswith(wanted)
    elif other.mn != one.mn and not k:
        assert any("along MN" in name.text for name in names)


@cache
def coordinates(parts: AtomTiling) -> dict[int, tuple[int, int]]:
    """Return the element (mn, k) that begins at each offset at which a descriptor can start."""
    unit = 128 // parts.dtype.storage
    step_mn, step_k = (1, unit) if parts.major == "K" else (unit, 1)
    rows = range(0, parts.shape.mn, step_mn)
    whole = parts.operand()
    return {whole.linear(mn, k) // 8: (mn, k) for mn in rows for k in range(0, parts.shape.k, step_k)}


def holds(name: DistanceName, made: Tile, parts: AtomTiling, offset: int, delta: int) -> bool:
    """Whether what a move is called is true, if the first descriptor is at ``offset`` in the tile."""
    text = re.split(r": a step along MN|; one MMA|; the next MMA|; give --tile", name.text)[0]
    claim = re.match(r"(?:(\d+) pipeline stages?( back)?(?:; and )?)?", text)
    assert claim is not None
    stages = int(claim[1] or 0) * (-1 if claim[2] else 1)
    mn, k = coordinates(parts)[offset]
    there = coordinates(parts).get(offset + delta - stages * parts.size)
    if there is None:
        return False
    steps = re.search(r"(\d+) MMA steps? along K( back)?", text)
    moved = int(steps[1]) * made.mma.k * (-1 if steps[2] else 1) if steps else None
    if moved is not None and there[1] - k != moved:
        return False
    along_mn = re.search(r"along MN|MN step", text) is not None
    return (there[0] != mn) == along_mn and (there[1] != k) == ("along K" in text)


def outside(text: str) -> str:
    return next((end for end in ("past the end of the tile", "before the beginning of the tile") if end in text), "")


@pytest.mark.slow
@some(400)
@given(
    st.sampled_from(LEGAL),
    st.sampled_from(["mn", "k"]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([1, 2, 3]),
    st.booleans(),
    st.booleans(),
    st.data(),
)
def test_a_distance_is_called_a_step_of_the_tile_only_where_both_are_in_it(
    case: tuple[str, str, str, str],
    order: str,
    across: int,
    along: int,
    shaped: bool,
    started: bool,
    data: st.DataObject,
) -> None:
    """Every name against the elements at both addresses: where the tile begins, or wherever it may begin."""
    kind, dtype, mode, major = case
    atom = atom_shape(mode, major, dtype_of(dtype))
    least = lay_out_tile(kind, (256, 256), dtype_of(dtype), major, mode).mma
    whole = AtomShape(lcm(atom.mn, 64) * across, lcm(atom.k, least.k) * along)
    made = lay_out_tile(kind, whole, dtype_of(dtype), major, mode, order=order, start=1024, force=True)
    parts = AtomTiling(mode, major, made.dtype, whole, order, atom)
    one = data.draw(st.sampled_from(made.steps))
    others = [other.start - one.start for other in made.steps]
    apart = st.sampled_from([*others, parts.size, parts.stride_k, parts.stride_mn, 32, -32])
    delta = data.draw(apart) + data.draw(apart) if data.draw(st.booleans()) else data.draw(apart)
    steps = DescriptorSteps(
        made.kind.table.read(one.value), major, case_of(made, shaped=shaped), tiling_of(made, start=started)
    )
    if not delta:
        return
    offset = one.start - 1024
    width = MODE[mode].width
    offsets = [offset] if started else [at for at in coordinates(parts) if at % width == offset % width]
    for name in steps.name(delta):
        if name.what:
            assert any(holds(name, made, parts, at, delta) for at in offsets), name
        elif said := outside(name.text):
            beyond = {at + delta >= parts.size if said[0] == "p" else at + delta < 0 for at in offsets}
            assert beyond == {True}, name
        elif started:
            assert parts.holds(offset + delta), name


@some(200)
@given(
    st.sampled_from([("K", mode) for mode in ("none", "32B", "64B", "128B")] + [("MN", m) for m in ("none", "128B")]),
    st.sampled_from(["mn", "k"]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(0, 1 << 16),
)
def test_a_position_in_a_tile_is_the_inverse_of_its_offset(
    form: tuple[str, str], order: str, across: int, along: int, number: int
) -> None:
    major, mode = form
    dtype = dtype_of("bf16")
    atom = atom_shape(mode, major, dtype)
    parts = AtomTiling(mode, major, dtype, AtomShape(atom.mn * across, atom.k * along), order, atom)
    step_mn, step_k = (1, 8) if major == "K" else (8, 1)
    mn = number % (parts.shape.mn // step_mn) * step_mn
    k = number // 7 % (parts.shape.k // step_k) * step_k
    offset = parts.operand().linear(mn, k) // 8
    assert parts.holds(offset)
    for name, amount in (("MN", mn), ("K", k)):
        step = 2 if name == major else MODE[mode].width
        assert parts.position(offset, name) == amount * step


# value, options, elements along K, along MN, tile, what is said
REFUSED = [
    (0x4000004000010040, "K", 64, 0, UNTILED, "64 elements.* the descriptor does not give the distance"),
    (0x4000004000010040, "K", 64, 0, Tiling((64, 64)), "leave the tile of 64x64; .*--advance 8192B"),
    (0x4000004000010040, "K", -16, 0, Tiling((64, 64), None, 0x400), "leave the tile"),
    (0x4000004000010040, "K", 16, 0, Tiling((64, 64), None, 0x800), "0x400 is not in a tile of 64x64 from 0x800"),
    (0x4000004000010040, "K", 16, 0, Tiling((64, 128), "k"), "SBO is 1024 B, .* 2048 B apart.*with --order mn"),
    (0x4000004000010040, "K", 16, 0, Tiling((64, 96)), "K = 96 is not a multiple of 64"),
    (0x4000004000010040, "K", 16, 0, Tiling(None, "k"), "--order needs --tile"),
    (0x4000004000010040, "K", 4, 0, UNTILED, "not a multiple of 16 B.*8 elements.*nearest are 0 and 8"),
    (0x4000004000010040, "K", -4, 0, UNTILED, "nearest are -8 and 0"),
    (0x4000004000010043, "K", 32, 0, UNTILED, "0x430 is not an MMA step of rows .*--tile-start"),
    (0x4000008000010040, "K", 0, 4, UNTILED, "4 is not a multiple of 8: a descriptor counts 8 rows from its start"),
    (0x4000008000400040, "MN", 4, 0, UNTILED, "4 is not a multiple of 8: a descriptor counts 8 k from its start"),
    (0x4000008000010040, "MN", 0, 64, UNTILED, "LBO is 16 B, which is not a distance between atoms"),
    (0x0000000800000040, "K", 16, 0, UNTILED, "leaves the atom, 16 B.*LBO is 0 B, which is not a distance"),
    (0x4000004000010000, "K", -16, 0, UNTILED, "leaves the swizzle atom"),
    (0x0000000800100000, "K", -16, 0, UNTILED, "outside the 18-bit window.*borrow from reserved_14"),
    (0x0000000800103FE0, "K", 16, 0, UNTILED, "outside the 18-bit window.*carry into reserved_14"),
    (0x4000008000400040, None, 16, 0, UNTILED, "depends on the major-ness .K-major: .32 B, MN-major: .4096 B.*--major"),
]


@every_row(("value", "major", "k", "mn", "tiling", "says"), REFUSED)
def test_no_such_step(value: int, major: str | None, k: int, mn: int, tiling: Tiling, says: str) -> None:
    with pytest.raises(SmemdescError) as caught:
        step(kind_of("wgmma"), value, k=k, mn=mn, context=context(dtype="bf16", major=major), tiling=tiling)
    assert re.search(says, caught.value.text)


@every_row(
    ("value", "major", "k", "mn", "result"),
    [
        (0x4000008000400040, "MN", 16, 0, 0x4000008000400140),
        (0x0000000800100000, "MN", 16, 0, 0x0000000800100020),
        (0x0000000800100000, "K", 16, 0, 0x0000000800100020),
        (0x4000004000010040, "K", 0, 64, 0x4000004000010240),
        (0x4000004000010040, "K", 0, 4, 0x4000004000010060),
        (0x4000004000010046, "K", -48, 0, 0x4000004000010040),
        (0x4000008000400040, "MN", 0, 32, 0x4000008000400044),
        (0x4000008000400040, "MN", 0, 64, 0x4000008000400080),
        (0x4000008000400044, "MN", 0, 32, 0x4000008000400080),
        (0x4000008000400080, "MN", 0, -32, 0x4000008000400044),
    ],
)
def test_a_step(value: int, major: str, k: int, mn: int, result: int) -> None:
    assert step(kind_of("wgmma"), value, k=k, mn=mn, context=context(dtype="bf16", major=major)) == result


@every_row(
    ("kind", "mode", "dtype", "majors"),
    [
        ("wgmma", "128B", "bf16", ("K", "MN")),
        ("wgmma", "128B", "e4m3", ("K",)),
        ("tcgen05", "128B", "e4m3", ("K", "MN")),
        ("tcgen05", "128B", "tf32", ("K",)),
        ("tcgen05", "128B_32B", "tf32", ("MN",)),
        ("tcgen05", "128B_32B", None, ("MN",)),
        ("tcgen05", "none", None, ("K", "MN")),
    ],
)
def test_major_nesses_that_there_are(kind: str, mode: str, dtype: str | None, majors: tuple[str, ...]) -> None:
    assert possible(kind, mode, dtype_of(dtype) if dtype else None) == majors


def test_a_type_with_one_major_ness_needs_none_said() -> None:
    made = lay_out_tile("wgmma", (128, 128), dtype_of("e4m3"), "K", "128B", mma=(64, 32))
    assert step(made.kind, made.steps[0].value, k=32, context=context(dtype="e4m3")) == made.steps[1].value


@every_row(
    ("value", "by", "case", "says"),
    [
        (0x4000004000010040, 32, {}, ""),
        (0x4000004000010040, 32, {"major": "K"}, ""),
        (0x4000004000010040, 96, {"major": "K", "dtype": "bf16"}, ""),
        (0x4000008000400040, 4096, {"major": "MN", "dtype": "bf16"}, ""),
        (0x4000008000400040, 32, {"major": "MN", "dtype": "bf16"}, "one MMA step along K is \\+4096 B"),
        (0x4000004000010040, 16, {"major": "K"}, "not a multiple of the MMA step of 32 B"),
        (0x4000004000010040, 128, {"major": "K"}, "past the end of the row of 128 B"),
        (0x4000004000010040, 1024, {"major": "K"}, "8 rows along MN.*--tile to check"),
        (0x4000004000010040, 128, {}, "K-major: past the end.*MN-major: 1 k along K"),
    ],
)
def test_bytes_that_are_no_k_step(value: int, by: int, case: dict[str, str], says: str) -> None:
    kind = kind_of("wgmma")
    remark = byte_remark(kind, value, kind.table.full, by, context(**case))  # type: ignore[arg-type]
    assert bool(remark) == bool(says)
    assert re.search(says, remark)
    assert advance_start(kind, value, by) == value + by // 16
