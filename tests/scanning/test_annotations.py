"""Blanks, comments and line breaks at every place where a language allows them change no result."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from . import annotating
from .annotating import claims
from .corpus.dumps import dumps

ROUNDS = 3
DUMPS: dict[str, Callable[[str, random.Random], str]] = {
    "wgmma_styles.O3.13.5.sass": annotating.sass,
    "tcgen05_styles.O1.13.5.sass": annotating.sass,
    "wgmma_styles.O3.13.5.ptx": annotating.ptx,
    "tcgen05_styles.O3.13.5.ptx": annotating.ptx,
    "tcgen05_copies.O3.13.0.ptx": annotating.ptx,
    "triton_90_bf16_tma.ptx": annotating.ptx,
    "triton_100_fp8e5_tma.llir": annotating.llvm,
    "triton_90_bf16_ptr_t.llir": annotating.llvm,
}
MLIR = """llvm.func @k(%n: i64, %p: i1) {
  %0 = llvm.mlir.constant(4611686293305294912 : i64) : i64
  %1 = llvm.mlir.constant(2 : i64) : i64
  %i = llvm.mlir.constant(268959888 : i32) : i32
  %t = llvm.mlir.constant(0 : i32) : i32
  cf.br ^bb1(%0, %n : i64, i64)
^bb1(%d: i64, %j: i64):
  %2 = llvm.or %d, %1 : i64
  nvvm.tcgen05.mma %t, %2, %2, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  %3 = llvm.add %2, %1 : i64
  cf.cond_br %p, ^bb1(%3, %j : i64, i64), ^bb2
^bb2:
  llvm.return
}
"""  # noqa: E501


@pytest.mark.corpus
@pytest.mark.parametrize("name", DUMPS)
def test_what_stands_beside_the_code_changes_nothing(name: str) -> None:
    ((text, said),) = [(text, claims(text)) for found, text, _ in dumps(name) if found == name]
    assert said
    for seed in range(ROUNDS):
        assert claims(DUMPS[name](text, random.Random(seed))) == said, seed


@pytest.mark.parametrize("seed", range(20))
def test_mlir(seed: int) -> None:
    said = claims(MLIR)
    assert [each[2][1] for each in said] != [0]
    changed = annotating.mlir(MLIR, random.Random(seed))
    assert [each[2:] for each in claims(changed)] == [each[2:] for each in said], changed
