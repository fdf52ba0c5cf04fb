"""A layout in, a descriptor out: by addresses, element by element, and never where no descriptor has them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdesc import Context
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType, dtype_of
from smemdesc.layout.atom import atom_shape, exists
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.operand import Operand, operand_of
from smemdesc.tiles.explaining import read_layout
from smemdesc.tiles.notation import tma_box
from smemdesc.tiles.reading import Options
from smemdesc.tiles.solving import LayoutSolution, Solution, fitting_operands, solve_layout
from smemdesc.tiles.text import cute_text, dsl_tensor_text, dsl_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import lay_out_tile

pytestmark = pytest.mark.corpus  # long: .ci/run has it

BF16 = dtype_of("bf16")
TYPES = [*DTYPES, PACKED_E2M1]


def solved(text: str, kind: str, ask: Options, **more: tuple[int, int]) -> Solution:
    return solve_layout(read_layout(text, ask), kind, **more)  # type: ignore[arg-type]


def only(found: Solution) -> LayoutSolution:
    """Return the one answer, whether an instruction reads it or not."""
    (answer,) = (*found.answers, *found.illegal)
    return answer


def decoded(kind: str, value: int, dtype: DType, major: str, extent: tuple[int, int]) -> Operand:
    """Return the operand of a value from its bits alone."""
    return operand_of(kind_of(kind).table.read(value), Context(dtype=dtype, major=major, shape=extent))


def tiles() -> list[tuple[str, DType, str, str, str, tuple[int, int]]]:
    """Every kind, type, major-ness, mode and order, with a tile of 2 x 2 atoms and one of a single atom's width."""
    cases = []
    for kind, dtype, major, mode, order in product(("wgmma", "tcgen05"), TYPES, ("K", "MN"), MODE, ("mn", "k")):
        row = kind_of(kind).table.row("swizzle").codec
        assert isinstance(row, Enum)
        if not getattr(dtype, kind) or not exists(mode, major) or mode not in [code.name for code in row.codes]:
            continue
        if dtype.name == "b1" and major == "MN":
            continue  # an operand of 64 would begin inside a 16-byte unit
        atom = atom_shape(mode, major, dtype)
        for times in (1, 2):
            mn = max(64, atom.mn * times)
            cases.append((kind, dtype, major, mode, order, (mn, max(dtype.k, atom.k * times))))
    return cases


@pytest.mark.parametrize("case", tiles(), ids=lambda case: f"{case[0]} {case[1].name}{case[1].storage} {case[2:]}")
def test_every_tile_comes_back_from_its_text(case: tuple[str, DType, str, str, str, tuple[int, int]]) -> None:
    kind, dtype, major, mode, order, extent = case
    made = lay_out_tile(kind, extent, dtype, major, mode, order=order, mma=(64, dtype.k), force=True)
    wanted = [made.operand(own).grid for own in made.steps]
    for text in (cute_text(made), dsl_text(made)):
        assert text is not None
        answer = only(solved(text, kind, Options(dtype=dtype), mma=(64, dtype.k)))
        assert [(step.mn, step.k) for step in answer.steps] == [(step.mn, step.k) for step in made.steps]
        values = [step.fit.value for step in answer.steps]
        assert [decoded(kind, value, dtype, major, (64, dtype.k)).grid for value in values] == wanted


@pytest.mark.parametrize("step", range(8))
def test_k_96_needs_lbo_as_an_address(step: int) -> None:
    made = lay_out_tile("tcgen05", (128, 768), PACKED_E2M1, "K", "128B", mma=(128, 96), arch="sm_103a")
    text = cute_text(made)
    assert text is not None
    answer = only(solved(text, "tcgen05", Options(dtype=PACKED_E2M1), mma=(128, 96)))
    assert answer.steps[step].fit.value == made.steps[step].value


@pytest.mark.parametrize("case", tiles()[::5], ids=lambda case: f"{case[0]} {case[1].name}{case[1].storage} {case[2:]}")
def test_a_text_of_a_descriptor_gives_it_back(case: tuple[str, DType, str, str, str, tuple[int, int]]) -> None:
    kind, dtype, major, mode, order, extent = case
    made = lay_out_tile(kind, extent, dtype, major, mode, order=order, mma=(64, dtype.k), start=2048, force=True)
    for step in made.steps[:4]:
        operand = made.operand(step)
        text = cute_text(operand)
        assert text is not None
        again = only(solved(text, kind, Options(dtype=dtype))).first.operand
        assert cute_text(again) == text
        tensor = dsl_tensor_text(operand)
        assert tensor is not None
        if dtype.bits == dtype.storage:
            moved = only(solved(tensor, kind, Options(dtype=dtype, start=operand.start))).first.operand
            assert moved.grid == operand.grid


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["32B", "64B", "128B"]),
    st.integers(0, 7),
    st.integers(0, 600).map(lambda unit: unit * 16),
    st.sampled_from(["K", "MN"]),
)
def test_text_and_descriptor_agree_whatever_the_phase(mode: str, phase: int, start: int, major: str) -> None:
    base = phase % MODE[mode].phases
    made = Operand(mode, major, BF16, (64, 16), start=start, lbo=4096, sbo=2048, base_offset=base)
    text = cute_text(made)
    if text is None:
        return  # the pattern begins before address 0
    again = only(solved(text, "wgmma", Options())).first.operand
    assert again.grid == made.grid
    assert cute_text(again) == text


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("case", tiles()[::3], ids=lambda case: f"{case[0]} {case[1].name}{case[1].storage} {case[2:]}")
def test_the_triton_encoding_and_the_box_mean_the_same(
    case: tuple[str, DType, str, str, str, tuple[int, int]], side: str
) -> None:
    kind, dtype, major, mode, order, extent = case
    made = lay_out_tile(kind, extent, dtype, major, mode, order=order, mma=(64, dtype.k), force=True)
    wanted = [made.operand(step).grid for step in made.steps]
    encoding = triton_encoding(made, side)
    box = tma_box(made)
    if encoding is not None:
        ask = Options(dtype=dtype, major=major, shape=triton_shape(made, side))
        assert found(encoding, kind, ask, dtype) == wanted
    if box is not None:
        lines = made.shape.mn if major == "K" else made.shape.k
        lines_first = (major == "K") == (box.box[1] == lines)
        ask = Options(dtype=dtype, major=major, shape=tuple(made.shape), order="mn" if lines_first else "k")
        assert found(str(box), kind, ask, dtype) == wanted


def found(text: str, kind: str, ask: Options, dtype: DType) -> list[list[list[int]]]:
    answer = only(solved(text, kind, ask, mma=(64, dtype.k)))
    return [step.fit.operand.grid for step in answer.steps]


# Layouts small enough to try every descriptor.


def brute(kind: str, grid: list[list[int]], dtype: DType, extent: tuple[int, int]) -> bool:
    """Whether any descriptor has these addresses: each stride that two elements could be apart is tried for both."""
    for major, (name, mode) in product(("K", "MN"), MODE.items()):
        if getattr(mode, kind) is None or not exists(name, major):
            continue
        back = Swizzle(*mode.swizzle)
        start = back(grid[0][0] // 8)
        apart = {back(bit // 8) - start for row in grid for bit in row}
        sizes = sorted(size for size in apart if size >= 0 and not size % 16)
        for lbo, sbo in product(sizes, sizes):
            made = Operand(name, major, dtype, extent, start=start, lbo=lbo, sbo=sbo)
            some = all(made.bit_address(mn, k) == grid[mn][k] for mn, k in ((0, 1), (1, 0), (8, 0), (0, 8)))
            if some and made.grid == grid:
                return True
    return False


LEAF = st.sampled_from([0, 1, 2, 4, 8, 16, 32, 64, 72, 128, 256])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["Sw<0,4,3>", "Sw<1,4,3>", "Sw<2,4,3>", "Sw<3,4,3>"]),
    st.tuples(LEAF, LEAF),
    st.tuples(LEAF, LEAF),
    st.booleans(),
)
def test_a_descriptor_is_given_exactly_where_there_is_one(
    swizzle: str, mn: tuple[int, int], k: tuple[int, int], lucky: bool
) -> None:
    if lucky:  # strides of an atom, so that about half of the layouts have a descriptor
        width = 8 << int(swizzle[3])
        mn, k = (width, mn[1] * 32), (1, 8 if width > 8 else k[1] * 32)
    text = f"{swizzle} o smem_ptr[16b](unset) o ((8,2),(8,2)):(({mn[0]},{mn[1]}),({k[0]},{k[1]}))"
    source = read_layout(text)
    memory = source.readings[0].buffer
    made = list(fitting_operands(memory, BF16, kind_of("wgmma")))
    assert all(operand.grid == list(memory.rows()) for operand in made)
    assert bool(made) == brute("wgmma", list(memory.rows()), BF16, (16, 16))


def test_where_two_modes_fit_both_are_found() -> None:
    found = solved("(_64,_16):(_1,_64)", "tcgen05", Options(dtype=BF16))
    assert [answer.first.operand.mode.name for answer in found.answers] == ["128B"]
    assert [answer.first.operand.mode.name for answer in found.illegal] == ["128B_32B"]
    both = solved("(_64,_2):(_8,_1)", "tcgen05", Options(dtype=dtype_of("tf32"), units="16B"))
    assert len(both.answers) == 1


def test_a_slice_of_a_larger_buffer() -> None:
    text = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_2)):((_64,_512),(_1,_8192))"
    found = solved(text, "tcgen05", Options(start=1024), mma=(64, 16), at=(64, 80))
    assert only(found).first.operand.start == 1024 + 8192 + 16384 + 32


def test_steps_have_to_divide() -> None:
    with pytest.raises(SmemdescError, match="not a whole number"):
        solved("Sw<3,4,3> o 0 o (64,64):(64,1)", "wgmma", Options(dtype=BF16), mma=(64, 24))
