"""Kernels for sm_107a with known descriptors: PTX, and SASS at -O3 and -O0."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from corpus.dumps import texts
from corpus.rubin import ARCHIVE, KERNELS
from corpus.rubin import Mma as Truth

from smemdesc.api.checking import mma as check
from smemdesc.instructions.mma import Judge, command
from smemdesc.instructions.model import Judged
from smemdesc.kinds.archs import variant_of
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedMma

DUMPS = dict(texts(ARCHIVE))
FACTS = {each.name: each for each in KERNELS}


@cache
def found(name: str) -> dict[str, tuple[tuple[ScannedMma, Judged], ...]]:
    """The MMAs of a dump by function, judged."""
    judge = Judge()
    part = scan_text(DUMPS[name])
    assert not part.failed
    return {str(each.name): tuple((mma, judge.judge(mma.model)) for mma in each.mmas) for each in part.functions}


def every(form: str = "") -> list[tuple[str, Truth, ScannedMma, Judged]]:
    return [
        (f"{name}: {function}", FACTS[function], mma, judged)
        for name in DUMPS
        if name.endswith(form)
        for function, mmas in found(name).items()
        for mma, judged in mmas
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", DUMPS)
def test_every_mma_is_found(name: str) -> None:
    expected = {each.name: each.steps for each in KERNELS if each.f or "107a" in name}
    assert {function: len(mmas) for function, mmas in found(name).items()} == expected


@pytest.mark.slow
def test_no_bit_is_wrong_and_none_is_missed() -> None:
    for where, truth, mma, _ in every():
        assert mma.idesc is not None, where
        assert (mma.idesc.bits, mma.idesc.known) == (truth.idesc, 0xFFFFFFFF), where
        assert (mma.a is None) == truth.tensor, where
        if truth.mask is not None:
            assert mma.mask is not None, where
            assert mma.mask.bits == truth.mask, where
        for name, operand in (("a", mma.a), ("b", mma.b)):
            if operand is not None:
                bits, known = truth.operand(name)
                assert not (operand.bits ^ bits) & operand.known & known, where
                # A step is added to 64 bits: the carry may reach the LBO.
                needed = known if truth.steps == 1 or truth.literal is not None else 0xFFFFFFFF << 32
                assert operand.known & needed == needed, where


def test_the_instruction_and_its_tables_are_those_of_the_architecture() -> None:
    for where, truth, mma, judged in every():
        assert mma.arch in ("sm_107a", "sm_107f"), where
        assert [str(each) for _, each in judged.findings] == [], where
        assert judged.idesc is not None, where
        assert truth.kind in [each.mma_kind for each in judged.idesc.candidates], where
        for each in judged.idesc.candidates:
            assert each.kind.variant == variant_of(mma.arch, each.kind.id), where
        assert judged.b is not None, where
        assert judged.b.candidates[0].kind.variant == "sm_107", where
        assert judged.b.fields["lut_k_offset"].value == 24 * truth.segment, where
        qualifiers = set(mma.instruction.qualifiers)
        assert ("lut-b" in qualifiers) == truth.lut, where
        assert ("collector-b" in qualifiers) == ("::b::" in truth.qualifier.replace("lut::b", "")), where
        assert (mma.instruction.ws, mma.instruction.cta_group) == (truth.ws, truth.group), where
        if "4X" in truth.qualifier or "block16" in truth.qualifier:
            assert mma.instruction.scale_vec == 4, where


def test_ptx_says_the_kind() -> None:
    for where, truth, mma, judged in every(".ptx"):
        assert judged.mma_kind == mma.instruction.mma_kind == truth.kind, where
        assert mma.instruction.sparse == truth.sparse, where


def test_sass_leaves_open_what_it_does_not_say() -> None:
    """UTCHMMA is f16, tf32 or ti16, UTCOMMA mxf4 or mxf4nvf4: the instruction descriptor decides, as far as it can."""
    for where, truth, _, judged in every(".sass"):
        if truth.kind not in ("mxf4", "mxf4nvf4"):
            assert judged.mma_kind == truth.kind, where
        elif truth.scale != 1 or "16" in truth.qualifier:
            assert judged.mma_kind == "mxf4nvf4", where


@pytest.mark.slow
def test_what_only_sm_107_has_is_an_error_where_the_same_code_says_sm_100a() -> None:
    judge = Judge()
    rules: dict[str, set[str]] = {each.name: set() for each in KERNELS}
    for function in scan_text(DUMPS["rubin.sm_107a.ptx"].replace("sm_107a", "sm_100a")).functions:
        for mma in function.mmas:
            findings = judge.judge(mma.model).findings
            rules[str(function.name)] |= {each.rule for _, each in findings if each.severity in ("error", "warning")}
    for truth in KERNELS:
        old = truth.kind in ("f16", "tf32") or (truth.kind == "f8f6f4" and not truth.k)
        plain = old and not truth.lut and "::b::" not in truth.qualifier
        assert bool(rules[truth.name]) == (not plain), truth.name
    assert "qualifier-arch" in rules["dense_tf32_b_fill"]
    assert "kind-arch" in rules["ti16"]
    assert "sparsity-version" in rules["mxf4_sparse"]


FLAGS = ("a", "b", "idesc", "mask", "mma-kind", "qualifier", "arch", "cta-group", "scale-vec", "a-from")


def test_the_command_that_judges_one_again() -> None:
    for where, truth, mma, judged in every(".ptx"):
        words = command(mma.model).split()
        given = {flag.removeprefix("--"): value for flag, value in pairwise(words)}
        options: dict[str, Any] = {flag.replace("-", "_"): given[flag] for flag in FLAGS if flag in given}
        assert ("lut-b" in str(options.get("qualifier", ""))) == truth.lut, where
        options |= {flag: f"--{flag}" in words for flag in ("ws", "sparse")}
        again = check(**options).judged
        assert {each.rule for _, each in again.findings} == {each.rule for _, each in judged.findings}, where
