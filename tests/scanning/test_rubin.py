"""Kernels for sm_107a with known descriptors: PTX, and SASS at -O3 and -O0."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from smemdesc.instructions.mma import Judge, Judged, command
from smemdesc.instructions.options import mma_of
from smemdesc.kinds.archs import variant_of
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Mma

from .corpus.rubin import KERNELS, dumps, facts
from .corpus.rubin import Mma as Truth

NAMES = tuple(name for name, _, _ in dumps())


@cache
def found(name: str) -> dict[str, tuple[tuple[Mma, Judged], ...]]:
    """The MMAs of a dump by function, judged."""
    text = next(text for each, _, text in dumps() if each == name)
    judge = Judge()
    part = scan_text(text)
    assert not part.failed
    return {str(each.name): tuple((mma, judge.judge(mma.model)) for mma in each.mmas) for each in part.functions}


def every(form: str = "") -> list[tuple[str, Truth, Mma, Judged]]:
    return [
        (f"{name}: {function}", facts(function), mma, judged)
        for name in NAMES
        if name.endswith(form)
        for function, mmas in found(name).items()
        for mma, judged in mmas
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_mma_is_found(name: str) -> None:
    expected = {each.name: each.steps for each in KERNELS if each.f or "107a" in name}
    assert {function: len(mmas) for function, mmas in found(name).items()} == expected


def test_no_bit_is_wrong_and_none_is_missed() -> None:
    for where, truth, mma, _ in every():
        assert mma.idesc is not None, where
        assert (mma.idesc.bits, mma.idesc.known) == (truth.idesc, 0xFFFFFFFF), where
        assert (mma.a is None) == truth.tensor, where
        for name, operand in (("a", mma.a), ("b", mma.b)):
            if operand is not None:
                bits, known = truth.operand(name)
                assert not (operand.bits ^ bits) & operand.known & known, where
                # A step is added to 64 bits: the carry may reach the LBO.
                needed = known if truth.steps == 1 or truth.literal is not None else 0xFFFFFFFF << 32
                assert operand.known & needed == needed, where


def test_masks() -> None:
    for where, truth, mma, _ in every():
        if truth.mask is not None:
            assert mma.mask is not None, where
            assert mma.mask.bits == truth.mask, where


def test_the_kind_and_the_tables_are_those_of_the_architecture() -> None:
    for where, truth, mma, judged in every():
        assert mma.arch in ("sm_107a", "sm_107f"), where
        assert judged.idesc is not None, where
        kinds = [each.mma_kind for each in judged.idesc.candidates]
        assert truth.kind in kinds, where
        for each in judged.idesc.candidates:
            assert each.kind.variant == variant_of(mma.arch, each.kind.id), where
        assert judged.b is not None, where
        assert judged.b.candidates[0].kind.variant == "sm_107", where
        assert judged.b.fields["lut_k_offset"].value == 24 * truth.segment, where


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


def test_qualifiers() -> None:
    for where, truth, mma, _ in every():
        said = set(mma.instruction.qualifiers)
        assert ("lut-b" in said) == truth.lut, where
        assert ("collector-b" in said) == ("::b::" in truth.qualifier.replace("lut::b", "")), where
        assert mma.instruction.ws == truth.ws, where
        assert mma.instruction.cta_group == truth.group, where
        if "4X" in truth.qualifier or "block16" in truth.qualifier:
            assert mma.instruction.scale_vec == 4, where


def test_nothing_is_wrong_with_them() -> None:
    for where, _, _, judged in every():
        assert [str(each) for _, each in judged.findings] == [], where


def test_for_another_architecture_something_is() -> None:
    """What only sm_107 has is an error where the same code says sm_100a."""
    text = next(text for each, _, text in dumps() if each == "rubin.sm_107a.ptx")
    judge = Judge()
    said: dict[str, set[str]] = {}
    for function in scan_text(text.replace("sm_107a", "sm_100a")).functions:
        for mma in function.mmas:
            rules = {each.rule for _, each in judge.judge(mma.model).findings if each.severity in ("error", "warning")}
            said.setdefault(str(function.name), set()).update(rules)
    for truth in KERNELS:
        old = truth.kind in ("f16", "tf32") or (truth.kind == "f8f6f4" and not truth.k)
        plain = old and not truth.lut and "::b::" not in truth.qualifier
        assert bool(said[truth.name]) == (not plain), truth.name
    assert "qualifier-arch" in said["dense_tf32_b_fill"]
    assert "kind-arch" in said["ti16"]
    assert "sparsity-version" in said["mxf4_sparse"]


def test_the_command_that_judges_one_again() -> None:
    for where, truth, mma, judged in every(".ptx"):
        words = command(mma.model).split()
        options: dict[str, object] = {}
        for flag, value in pairwise(words):
            if flag in (
                "--a",
                "--b",
                "--idesc",
                "--mask",
                "--mma-kind",
                "--qualifier",
                "--arch",
                "--cta-group",
                "--scale-vec",
                "--a-from",
            ):
                options[flag[2:].replace("-", "_")] = value
        options["ws"] = "--ws" in words
        assert ("lut-b" in str(options.get("qualifier", ""))) == truth.lut, where
        options["sparse"] = "--sparse" in words
        again = Judge().judge(mma_of(options))
        assert {each.rule for _, each in again.findings} == {each.rule for _, each in judged.findings}, where
