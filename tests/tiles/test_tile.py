"""A tile's descriptors: the rule of its strides, and every byte read exactly once."""

from __future__ import annotations

import itertools
from math import lcm
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import long_run, refusing, some, split
from tables import every_row

from smemdesc import Context, IllegalError, SmemdescError
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.atom import atom_shape
from smemdesc.layout.operand import operand_of
from smemdesc.tiles.tile import Tile, _too_large, lay_out_tile

TYPES = ["e4m3", "s8", "f16", "bf16", "tf32"]
MODES = ["none", "32B", "64B", "128B", "128B_32B"]


def legal(kind: str, dtype: str, mode: str, major: str) -> bool:
    """Which combinations there are, as PTX's tables list them."""
    if mode == "128B_32B":
        return kind == "tcgen05" and major == "MN" and dtype == "tf32"
    if major == "K":
        return True
    if dtype == "tf32":
        return False
    return kind == "tcgen05" or dtype in ("f16", "bf16")


COMBINATIONS = list(itertools.product(["wgmma", "tcgen05"], TYPES, MODES, ["K", "MN"]))


LEGAL = [each for each in COMBINATIONS if legal(*each)]


@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), [each for each in COMBINATIONS if each not in LEGAL])
def test_what_cannot_be_is_refused(kind: str, dtype: str, mode: str, major: str) -> None:
    with pytest.raises(SmemdescError) as caught:
        lay_out_tile(kind, (256, 256), dtype_of(dtype), major, mode)
    if isinstance(caught.value, IllegalError):
        assert "PTX ISA" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), LEGAL)
@pytest.mark.parametrize(
    "sizes", [((64, 192), (32, 128)), long_run(((64, 128, 192, 256), (32, 64, 128, 256)))], ids=["few", "all"]
)
def test_strides_of_every_tile(
    kind: str, dtype: str, mode: str, major: str, sizes: tuple[tuple[int, ...], ...]
) -> None:
    """LBO and SBO by the rule, for tiles of 64 to 256 by 32 to 256, in both orders."""
    found = dtype_of(dtype)
    atom = atom_shape(mode, major, found)
    size = atom.mn * atom.k * found.storage // 8
    for mn, k, order in itertools.product(*sizes, ("mn", "k")):
        if mn % atom.mn or k % atom.k:
            with pytest.raises(SmemdescError, match="multiple"):
                lay_out_tile(kind, (mn, k), found, major, mode, order=order)
            continue
        made = lay_out_tile(kind, (mn, k), found, major, mode, order=order)
        atoms_mn, atoms_k = mn // atom.mn, k // atom.k
        along_mn, along_k = (size, size * atoms_mn) if order == "mn" else (size * atoms_k, size)
        if major == "K":
            want = (along_k if mode == "none" else 16, along_mn)
        else:
            want = (along_k, along_mn) if mode == "none" else (along_mn, along_k)
        assert (made.lbo, made.sbo) == want


def bits_read(made: Tile) -> list[int]:
    return [bit for step in made.steps for row in made.operand(step).grid for bit in row]


@pytest.mark.parametrize("order", ["mn", "k"])
@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), split(LEGAL, set(LEGAL[::4]).__contains__))
def test_the_steps_read_each_byte_once(kind: str, dtype: str, mode: str, major: str, order: str) -> None:
    made = lay_out_tile(kind, (128, 128), dtype_of(dtype), major, mode, order=order, start=2048)
    read = bits_read(made)
    assert sorted(read) == list(range(2048 * 8, (2048 + made.size) * 8, made.dtype.bits))


class Narrow(NamedTuple):
    """A tile of 4- or 6-bit elements."""

    dtype: DType
    major: str
    mode: str
    order: str
    shape: tuple[int, int]
    mma: tuple[int, int]
    start: int

    @property
    def packed(self) -> bool:
        """Whether elements lie bit by bit (kind::mxf4); else 16 of them in a container of 16 bytes."""
        return self.dtype.storage == 4

    def bit(self, mn: int, k: int) -> int:
        """Where an element lies: counted in lines, columns and atoms, without the formula of the package."""
        width = {"none": 16, "32B": 32, "64B": 64, "128B": 128}[self.mode]
        line, along = (mn, k) if self.major == "K" else (k, mn)
        lines, extent = self.shape if self.major == "K" else self.shape[::-1]
        bit, end = (
            4 * each if self.packed else each // 16 * 128 + each % 16 * self.dtype.bits for each in (along, extent)
        )
        column, rest = divmod(bit, 8 * width)
        down, across = lines // 8, end // (8 * width)
        lines_are_near = (self.order == "mn") is (self.major == "K")
        atom = line // 8 + column * down if lines_are_near else line // 8 * across + column
        byte, inside = divmod(8 * (self.start + 8 * width * atom + line % 8 * width) + rest, 8)
        return (byte ^ (byte >> 7 & width // 16 - 1) << 4) * 8 + inside


@st.composite
def narrow(draw: st.DrawFn, dtype: DType) -> Narrow:
    """Return a tile whose MMA steps are whole: dense or sparse B, in any mode and order, anywhere in memory."""
    major = "K" if dtype.storage == 4 else draw(st.sampled_from(["K", "MN"]))
    mode = draw(st.sampled_from(["none", "32B", "64B", "128B"]))
    atom = atom_shape(mode, major, dtype)
    whole = [mn for mn in (16, 32, 48, 64, 128) if not mn % atom.mn or not atom.mn % mn]
    mma = draw(st.sampled_from(whole)), dtype.k * draw(st.sampled_from([1, 2]))
    size = lcm(atom.mn, mma[0]) * draw(st.integers(1, 2)), lcm(atom.k, mma[1]) * draw(st.integers(1, 2))
    return Narrow(dtype, major, mode, draw(st.sampled_from(["mn", "k"])), size, mma, 16 * draw(st.integers(0, 256)))


@pytest.mark.corpus
@some(60)
@given(
    st.sampled_from([("e2m1", "mxf4"), ("e2m1", "f8f6f4"), ("e2m3", "f8f6f4"), ("e3m2", "mxf8f6f4")]).flatmap(
        lambda names: narrow(dtype_of(*names))
    )
)
def test_descriptors_of_narrow_types_address_the_tile(case: Narrow) -> None:
    """Each step's value, read back, has each element where the tile has it: all of them, each once."""
    made = lay_out_tile(
        "tcgen05", case.shape, case.dtype, case.major, case.mode, mma=case.mma, order=case.order, start=case.start
    )
    context = Context(dtype=case.dtype, major=case.major, shape=case.mma)
    read = []
    for step in made.steps:
        grid = operand_of(made.kind.table.read(step.value), context).grid
        assert grid == [[case.bit(step.mn + mn, step.k + k) for k in range(case.mma[1])] for mn in range(case.mma[0])]
        read += [bit for row in grid for bit in row]
    assert len(set(read)) == len(read) == case.shape[0] * case.shape[1]
    assert made.size == len(read) * case.dtype.storage // 8


def test_k_96_walks_three_lines_in_absolute_mode() -> None:
    """Eight MMAs of 48 bytes of K over three buffers of 128: (buffer, offset, buffer in LBO), as CUTLASS has it."""
    made = lay_out_tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), arch="sm_103a")
    buffer = made.stride_k
    walk = [(step.start // buffer, step.start % 128, step.lbo // buffer) for step in made.steps]
    assert walk == [(0, 0, 0), (0, 48, 0), (0, 96, 1), (1, 16, 1), (1, 64, 1), (1, 112, 2), (2, 32, 2), (2, 80, 2)]
    assert sorted(bits_read(made)) == list(range(0, made.size * 8, 4))


def test_sparse_b_uses_lbo_where_k_spans_atoms() -> None:
    made = lay_out_tile("wgmma", (64, 64), dtype_of("f16"), "K", "32B", mma=(64, 32))
    assert made.lbo == made.stride_k
    assert sorted(bits_read(made)) == list(range(0, made.size * 8, 16))


def test_two_ctas_share_the_rows() -> None:
    """The tile is the pair's: each CTA holds half of it, and its descriptors are those of a tile of that half."""
    made = lay_out_tile("tcgen05", (256, 64), dtype_of("bf16"), "K", "128B", mma=(256, 16), cta_group=2)
    half = lay_out_tile("tcgen05", (128, 64), dtype_of("bf16"), "K", "128B", mma=(128, 16))
    assert (made.whole, made.shape, made.mma) == ((256, 64), (128, 64), (128, 16))
    assert (made.steps, made.size) == (half.steps, half.size)


@pytest.mark.parametrize(("major", "order"), [("K", "mn"), ("MN", "k")])
def test_the_order_left_out_is_that_of_a_tma_box(major: str, order: str) -> None:
    arguments = "tcgen05", (128, 128), dtype_of("bf16"), major, "64B"
    assert lay_out_tile(*arguments) == lay_out_tile(*arguments, order=order)


UNITS = {"major": "MN", "swizzle": "32B", "force": True}
PACKED_128 = {"dtype": dtype_of("e2m1", "mxf4"), "mma": (128, 96)}


@every_row(
    ("kind", "size", "more", "words"),
    [
        ("idesc:f16", (64, 64), {}, "no tile"),
        ("wgmma", (64, 64), {"order": "x"}, "order"),
        ("wgmma", (60, 64), {}, "multiple of 8"),
        ("wgmma", (64, 24), {}, "multiple of 64"),
        ("wgmma", (64, 64), {"mma": (48, 16)}, "multiple of 48"),
        ("wgmma", (64, 64), {"cta_group": 2}, "cta_group"),
        ("tcgen05", (64, 64), {"mma": (63, 16), "cta_group": 2}, "does not divide by"),
        ("tcgen05", (128, 64), {"mma": (256, 16), "cta_group": 2}, "of both CTAs"),
        ("tcgen05", (255, 64), {"mma": (256, 16), "cta_group": 2}, "of both CTAs"),
        ("wgmma", (64, 64), {"mma": (64, 24)}, "K = 24"),
        ("wgmma", (64, 64), {"mma": (64, 8)}, "K = 8"),
        ("tcgen05", (512, 64), {}, "M or N = 512"),
        ("tcgen05", (256, 1024), {}, "262144"),
        ("tcgen05", (256, 1024), {"force": True}, "262144"),
        ("tcgen05", (96, 64), {"swizzle": "32B", "mma": (96, 4), "force": True}, "K steps of 4 bf16"),
        ("tcgen05", (96, 64), {**UNITS, "dtype": dtype_of("e4m3"), "mma": (24, 32)}, "inside a 16-byte unit of 16"),
        ("tcgen05", (96, 64), {**UNITS, "dtype": dtype_of("e2m1"), "mma": (8, 32)}, "MN steps of 8 e2m1"),
        ("tcgen05", (128, 768), {**PACKED_128, "start": 0x410}, "128-byte line"),
        ("tcgen05", (128, 768), {**PACKED_128, "arch": "sm_100a"}, "sm_103a"),
    ],
)
def test_bad_tiles(kind: str, size: tuple[int, int], more: dict[str, Any], words: str) -> None:
    with refusing(words):
        lay_out_tile(kind, size, **{"dtype": dtype_of("bf16"), "major": "K", "swizzle": "128B", **more})


@every_row(("mn", "right"), [(8, True), (16, True), (24, False), (32, True), (48, False), (96, True)])
def test_steps_do_not_leave_the_atom_that_they_begin_within(mn: int, right: bool) -> None:
    """Atoms of 32 bf16 along MN; 24 would run from 24 to 48, 48 from 48 to 96."""
    arguments = "tcgen05", (96, 32), dtype_of("bf16"), "MN", "64B"
    if right:
        made = lay_out_tile(*arguments, mma=(mn, 16))
        assert sorted(bits_read(made)) == list(range(0, made.size * 8, 16))
        return
    with pytest.raises(SmemdescError, match=f"MN steps of {mn} bf16 elements run past the end of the atom of 32"):
        lay_out_tile(*arguments, mma=(mn, 16), force=True)


@pytest.mark.parametrize(
    ("kind", "dtype", "major", "more", "rule"),
    [
        ("wgmma", "e4m3", "MN", {}, "wgmma-major"),
        ("tcgen05", "tf32", "MN", {}, "tf32-mn-major"),
        ("wgmma", "bf16", "K", {"cta_group": 2}, "cta-group"),
        ("wgmma", "bf16", "K", {"mma": (64, 8)}, "no-instruction"),
        ("tcgen05", "bf16", "K", {"mma": (4, 16)}, "no-instruction"),
    ],
)
def test_what_the_rules_forbid_is_forced_into_a_finding(
    kind: str, dtype: str, major: str, more: dict[str, object], rule: str
) -> None:
    arguments = kind, (128, 128), dtype_of(dtype), major, "128B"
    with pytest.raises(IllegalError, match=rf"\[{rule}\]"):
        lay_out_tile(*arguments, **more)  # type: ignore[arg-type]
    made = lay_out_tile(*arguments, force=True, **more)  # type: ignore[arg-type]
    assert [finding.rule for finding in made.findings].count(rule) == 1
    assert len(made.steps) == made.shape.mn // made.mma.mn * (128 // made.mma.k)


def test_force_changes_nothing_that_is_legal() -> None:
    plain = lay_out_tile("tcgen05", (128, 128), dtype_of("bf16"), "K", "128B", mma=(64, 16))
    assert lay_out_tile("tcgen05", (128, 128), dtype_of("bf16"), "K", "128B", mma=(64, 16), force=True) == plain


def test_a_tile_beyond_shared_memory_is_warned_of() -> None:
    made = lay_out_tile("tcgen05", (128, 256), dtype_of("bf16"), "K", "128B", start=0x30000)
    assert [finding.rule for finding in made.findings] == ["outside-shared-memory"]
    assert [len(_too_large(made, arch)) for arch in ("sm_100a", "sm_107a", "sm_130a", None)] == [1, 0, 0, 1]


@pytest.mark.parametrize(("swizzle", "start"), [("128B", 0x410), ("128B", 0x470), ("64B", 0x430), ("32B", 0x410)])
def test_a_tile_that_does_not_begin_with_a_row_is_warned_of(swizzle: str, start: int) -> None:
    for at, expected in ((start, 1), (start & ~0x7F, 0)):
        findings = lay_out_tile("tcgen05", (64, 64), dtype_of("bf16"), "K", swizzle, start=at).findings
        assert [finding.rule for finding in findings].count("row-crossing") == expected
