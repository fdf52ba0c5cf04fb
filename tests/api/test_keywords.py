"""What errors say of the arguments: whatever is given to a function, alone or together with other arguments."""

from __future__ import annotations

import inspect
from itertools import combinations
from random import Random
from typing import Any

import pytest
from samples import long_run

import smemdesc
from api.test_common import NEEDED, VALUE, refused, wrong

GOOD: dict[str, list[Any]] = {
    "value": [VALUE, 0x8200490, "0x4000404000010040", 0],
    "a": [VALUE, 0x4000004000010040, "0x40004040:?"],
    "b": [VALUE + 2, 0x8200490],
    "idesc": [0x8200490, 0],
    "kind": ["wgmma", "tcgen05", "idesc", "mask", "tmem", "tensormap", "idesc:f16"],
    "mma_kind": ["f16", "tf32", "f8f6f4", "i8", "mxf4", "mxf4nvf4"],
    "dtype": ["bf16", "tf32", "e4m3", "e2m1", "s8", "b1", "f32"],
    "d_type": ["f32", "f16", "s32"],
    "b_dtype": ["e5m2", "f16", "u8"],
    "shape": ["64x16", "128x64", "128x128x64", "m64n64k16", "256x256"],
    "inst": ["m64n128k16", "m64n10k16"],
    "qualifier": ["ws", "lut-a"],
    "a_from": ["smem", "registers", "tmem"],
    "operand": ["a", "b", "d"],
    "arch": ["sm_90a", "sm_100a", "sm_103a", "sm_120a"],
    "swizzle": ["none", "32B", "128B", "128B_32B"],
    "cta_group": [1, 2],
    "scale_vec": [1, 4],
    "scale": ["ue8m0", "ue4m3"],
    "block": [16, 32],
    "order": ["mn", "k"],
    "tile": ["128x64", "100x64", 1],
    "a_tile": ["128x64", "64x64,swizzle=64B", "100x64"],
    "map": ["dtype=BFLOAT16,address=0,dim=64:64,stride=128,box=64:8"],
    "mma": ["64x16", "128x256", "64x64x16", (512, 16), 1],
    "m": [32, 64, 128, 48],
    "n": [8, 64, 256, 24],
    "k": [16, 64],
    "gemm": ["128x128x64", "256x256x256"],
    "stages": [4, 100],
    "from_": [VALUE, "0x????404000010040", 0x8200490, "0x6000404000010040"],
    "layout": ["(64,16):(64,1)", "Sw<3,4,3>_smem_ptr[16b](0x400) o (64,16):(64,1)"],
    "tma": ["box=64,8 swizzle=128B"],
    "units": ["elements"],
    "raw": [{"swizzle": 3}, {"version": 0}],
    "advance": [16, "32B"],
    "advance_mn": [8],
    "dim": [(64, 64), (64,), (1, 2, 3, 4, 5, 6)],
    "stride": [(100,), (128, 8192, 32768)],
    "box": [(512, 1), ()],
    "interleave": ["16B"],
    "fill": ["nan"],
    "zero": ["0-2", (1, 2), "none"],
    "at": [(0, 0), (17, 9), (500, 0)],
    "q": [1, 16],
    **{name: [True, False] for name in ("ws", "sparse", "force", "elements")},
    **{name: ["N", "T"] for name in ("trans_a", "trans_b")},
    **{name: ["K", "MN"] for name in ("major", "a_major", "b_major")},
    **{name: [0, 1024, "1KiB", 1040] for name in ("start", "tile_start", "pattern_start", "byte")},
    **{name: [0, 16, 8] for name in ("address", "a_address", "b_address")},
    **{name: [(0,), (-1, -1)] for name in ("lower_corner", "upper_corner")},
    **{name: [0, 1, 9] for name in ("channels", "pixels", "shift", "base_offset", "left", "filter", "stage")},
}
"""Values that a keyword takes, each in some company."""
FIELDS: dict[str, list[Any]] = {
    "start_address": [1024, 1000],
    "sbo": [1024, 512, 1 << 20],
    "lbo": [1, 16],
    "swizzle": ["128B", "3B"],
    "a_type": ["bf16", "s8"],
    "transpose_a": [True],
    "lane": [64],
}
"""Those of ``encode``."""
ALWAYS = {"value", "a", "b", "dtype", "major", "shape", "kind", "swizzle", "m", "n"}
"""Some function always needs these."""


def pool(name: str, of: dict[str, list[Any]]) -> dict[str, list[Any]]:
    known = {key: of[key] for key in inspect.signature(getattr(smemdesc, name)).parameters if key in of}
    return known | FIELDS if name == "encode" else known


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [60, long_run(200)])
@pytest.mark.parametrize("name", NEEDED)
def test_every_error_names_a_keyword(name: str, rounds: int) -> None:
    random, errors = Random(name), 0
    values = pool(name, GOOD)
    for _ in range(rounds):
        given = dict(NEEDED[name])
        for key in random.sample(sorted(values), min(len(values), random.randint(1, 4))):
            given[key] = random.choice([*values[key] * 3, *wrong(name, key)])
        if random.random() < 0.1:
            given[random.choice(sorted(given))] = None
        error = refused(name, given)
        if error is not None:
            errors += 1
            assert error.keyword, (given, str(error))
            assert error.keyword in str(error), given
            assert name == "encode" or {*error.keywords} <= {*inspect.signature(getattr(smemdesc, name)).parameters}
    assert errors > rounds // 10 or name == "explain"


@pytest.mark.slow
@pytest.mark.parametrize("most", [100, long_run(10**6)])
@pytest.mark.parametrize("name", [name for name in NEEDED if name not in ("Context", "explain")])
def test_an_error_names_all_keywords_that_take_part(name: str, most: int) -> None:
    """Of every two values that are good, each without the other, but not together."""
    values = [(key, value) for key, every in pool(name, GOOD).items() if key not in ALWAYS for value in every]
    good = [(key, value) for key, value in values if refused(name, NEEDED[name] | {key: value}) is None]
    pairs = list(combinations(good, 2))
    for one, other in Random(name).sample(pairs, min(most, len(pairs))):
        error = refused(name, NEEDED[name] | dict((one, other))) if one[0] != other[0] else None
        assert error is None or {one[0], other[0]} <= {*error.keywords}, (one, other, str(error))
