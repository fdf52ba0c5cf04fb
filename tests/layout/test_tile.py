"""A tile's descriptors: the rule of its strides, and every byte read exactly once."""

from __future__ import annotations

import itertools

import pytest

from smemdesc import IllegalError, SmemdescError
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import shape
from smemdesc.layout.tile import Tile, tile

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


@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), [each for each in COMBINATIONS if not legal(*each)])
def test_what_cannot_be_is_refused(kind: str, dtype: str, mode: str, major: str) -> None:
    with pytest.raises(SmemdescError) as caught:
        tile(kind, (256, 256), dtype_of(dtype), major, mode)
    if isinstance(caught.value, IllegalError):
        assert "PTX ISA" in caught.value.hint


@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), [each for each in COMBINATIONS if legal(*each)])
def test_strides_of_every_tile(kind: str, dtype: str, mode: str, major: str) -> None:
    """LBO and SBO by the rule, for tiles of 64 to 256 by 32 to 256, in both orders."""
    found = dtype_of(dtype)
    atom = shape(mode, major, found)
    size = atom.mn * atom.k * found.storage // 8
    for mn, k, order in itertools.product((64, 128, 192, 256), (32, 64, 128, 256), ("mn", "k")):
        if mn % atom.mn or k % atom.k:
            with pytest.raises(SmemdescError, match="multiple"):
                tile(kind, (mn, k), found, major, mode, order=order)
            continue
        made = tile(kind, (mn, k), found, major, mode, order=order)
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
@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), [each for each in COMBINATIONS if legal(*each)])
def test_the_steps_read_each_byte_once(kind: str, dtype: str, mode: str, major: str, order: str) -> None:
    made = tile(kind, (128, 128), dtype_of(dtype), major, mode, order=order, start=2048)
    read = bits_read(made)
    assert sorted(read) == list(range(2048 * 8, (2048 + made.size) * 8, made.dtype.bits))


def test_packed_fp4_is_read_once() -> None:
    made = tile("tcgen05", (128, 256), dtype_of("e2m1", "mxf4"), "K", "128B")
    assert sorted(bits_read(made)) == list(range(0, made.size * 8, 4))


def test_k_96_walks_three_lines_in_absolute_mode() -> None:
    """Eight MMAs of 48 bytes of K over three buffers of 128: (buffer, offset, buffer in LBO), as CUTLASS has it."""
    made = tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), arch="sm_103a")
    buffer = made.stride_k
    walk = [(step.start // buffer, step.start % 128, step.lbo // buffer) for step in made.steps]
    assert walk == [(0, 0, 0), (0, 48, 0), (0, 96, 1), (1, 16, 1), (1, 64, 1), (1, 112, 2), (2, 32, 2), (2, 80, 2)]
    assert sorted(bits_read(made)) == list(range(0, made.size * 8, 4))


def test_a_k_step_is_32_bytes() -> None:
    made = tile("wgmma", (128, 64), dtype_of("bf16"), "K", "128B", mma=(64, 16), start=1024)
    assert [(step.mn, step.k) for step in made.steps][:5] == [(0, 0), (0, 16), (0, 32), (0, 48), (64, 0)]
    assert [hex(step.value) for step in made.steps][:2] == ["0x4000004000010040", "0x4000004000010042"]


def test_sparse_b_uses_lbo_where_k_spans_atoms() -> None:
    made = tile("wgmma", (64, 64), dtype_of("f16"), "K", "32B", mma=(64, 32))
    assert made.lbo == made.stride_k
    assert sorted(bits_read(made)) == list(range(0, made.size * 8, 16))


def test_two_ctas_share_the_rows() -> None:
    made = tile("tcgen05", (128, 64), dtype_of("bf16"), "K", "128B", mma=(256, 16), cta_group=2)
    assert made.mma == (128, 16)
    assert len(made.steps) == 4


@pytest.mark.parametrize(
    ("arguments", "more", "words"),
    [
        (("idesc:f16", (64, 64)), {}, "no tile"),
        (("wgmma", (64, 64)), {"order": "x"}, "order"),
        (("wgmma", (60, 64)), {}, "multiple of 8"),
        (("wgmma", (64, 24)), {}, "multiple of 64"),
        (("wgmma", (64, 64)), {"mma": (48, 16)}, "multiple of 48"),
        (("wgmma", (64, 64)), {"cta_group": 2}, "cta_group"),
        (("tcgen05", (64, 64)), {"mma": (63, 16), "cta_group": 2}, "shared"),
        (("wgmma", (64, 64)), {"mma": (64, 24)}, "K = 24"),
        (("wgmma", (64, 64)), {"mma": (64, 8)}, "K = 8"),
        (("tcgen05", (512, 64)), {}, "M or N = 512"),
        (("tcgen05", (256, 1024)), {}, "262144"),
    ],
)
def test_bad_tiles(arguments: tuple[str, tuple[int, int]], more: dict[str, object], words: str) -> None:
    kind, size = arguments
    with pytest.raises(SmemdescError) as caught:
        tile(kind, size, dtype_of("bf16"), "K", "128B", **more)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_k_96_begins_on_a_line() -> None:
    with pytest.raises(SmemdescError, match="128-byte line"):
        tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), start=0x410)


def test_k_96_is_of_sm_103a() -> None:
    with pytest.raises(IllegalError, match="sm_103a"):
        tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), arch="sm_100a")


def test_a_tile_beyond_shared_memory_is_warned_of() -> None:
    made = tile("tcgen05", (128, 256), dtype_of("bf16"), "K", "128B", start=0x30000)
    assert [finding.rule for finding in made.findings] == ["outside-shared-memory"]
