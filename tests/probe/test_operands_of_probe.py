"""Questions about operands, against a GPU of our own making: one that reads by the model, and others that do not."""

from __future__ import annotations

import pytest
from probe.chip import Chip
from samples import split

from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import PACKED_E2M1, DType, dtype_of
from smemdesc.layout.operand import Operand, fields_of
from smemdesc.probe.masks import mask_question
from smemdesc.probe.questions import OperandQuestion, operand_case


def question(side: str, operand: Operand, arch: str = "sm_90a", mma_kind: str = "", **case: object) -> OperandQuestion:
    table = kind_of("tcgen05" if mma_kind else "wgmma", arch=arch).table
    value = table.pack(table.encode(fields_of(operand)))
    return OperandQuestion(value, operand, side, operand_case(operand, arch, side, mma_kind, **case))


def operand(mode: str, major: str, dtype: str | DType, shape: tuple[int, int], lbo: int, sbo: int, **others) -> Operand:
    dtype = dtype if isinstance(dtype, DType) else dtype_of(dtype)
    return Operand(mode, major, dtype, shape, lbo=lbo, sbo=sbo, **{"start": 0x2430, **others})


HOPPER_QUESTIONS = [
    ("a", operand("128B", "K", "f16", (64, 16), 16, 1024)),
    ("b", operand("128B", "MN", "f16", (128, 16), 4096, 1024)),
    ("b", operand("none", "K", "bf16", (64, 16), 1024, 128)),
    ("a", operand("64B", "K", "tf32", (64, 8), 16, 512, base_offset=1)),
    ("b", operand("32B", "K", "e4m3", (32, 64), 2048, 256)),
    ("b", operand("32B", "K", "tf32", (16, 16), 2048, 256)),
    ("a", operand("none", "K", "e5m2", (64, 32), 160, 512)),
    ("a", operand("128B", "K", "s8", (64, 32), 160, 512, base_offset=3)),
    ("b", operand("128B", "K", "u8", (32, 32), 160, 512)),
]
BLACKWELL_QUESTIONS = [
    ("a", operand("128B", "K", "f16", (128, 16), 16, 1024), "f16", {}),
    ("a", operand("128B", "MN", "bf16", (64, 16), 4096, 1024), "f16", {}),
    ("b", operand("64B", "MN", "f16", (64, 16), 4096, 1024), "f16", {"ws": True}),
    ("b", operand("128B_32B", "MN", "tf32", (64, 8), 4096, 512), "tf32", {}),
    ("a", operand("32B", "K", "e2m1", (128, 32), 16, 256), "f8f6f4", {}),
    ("b", operand("32B", "K", "e3m2", (64, 32), 16, 256), "f8f6f4", {}),
    ("b", operand("32B", "K", "e4m3", (64, 64), 4096, 256), "f8f6f4", {}),
    ("a", operand("none", "K", "s8", (64, 32), 1024, 128), "i8", {}),
    ("a", operand("128B", "K", "f16", (128, 16), 16, 1024), "f16", {"cta_group": 2}),
    ("a", operand("128B", "K", "f16", (64, 16), 16, 1024), "f16", {"cta_group": 2}),
    ("b", operand("128B", "K", "e4m3", (32, 32), 16, 1024), "f8f6f4", {"cta_group": 2}),
    ("a", operand("128B", "K", "e4m3", (128, 32), 16, 1024), "mxf8f6f4", {}),
    ("b", operand("128B", "K", PACKED_E2M1, (64, 64), 16, 1024), "mxf4", {}),
    ("a", operand("128B", "K", PACKED_E2M1, (128, 64), 16, 1024), "mxf4nvf4", {"cta_group": 2}),
]


FEW = BLACKWELL_QUESTIONS[::5]
"""Those of a plain run."""


@pytest.mark.slow
@pytest.mark.parametrize(("side", "asked"), HOPPER_QUESTIONS)
def test_a_chip_that_reads_by_the_model_agrees(side: str, asked: Operand) -> None:
    one = question(side, asked)
    answer = one.judge(Chip().ask(one.launch()))
    assert answer.holds, list(answer.differing())[:5]
    assert len(answer.seen) == asked.shape[0] * asked.shape[1]


@pytest.mark.parametrize(("side", "asked", "mma_kind", "case"), split(BLACKWELL_QUESTIONS, FEW.__contains__))
def test_a_blackwell_chip_that_reads_by_the_model_agrees(side: str, asked: Operand, mma_kind: str, case: dict) -> None:
    one = question(side, asked, "sm_100a", mma_kind, **case)
    answer = one.judge(Chip("sm_100a").ask(one.launch()))
    assert answer.holds, (answer.fault, answer.strays, list(answer.differing())[:5])
    assert len(answer.seen) == asked.shape[0] * asked.shape[1] * one.case.cta_group


@pytest.mark.parametrize(("value", "m", "n"), [(0x0003028000000000, 128, 64), (0x0203028301020100, 32, 64)])
def test_a_mask_is_asked(value: int, m: int, n: int) -> None:
    one = mask_question(value, m, n, "sm_100a", dtype_of("f16"))
    assert one.judge(Chip("sm_100a").ask(one.launch())).holds
