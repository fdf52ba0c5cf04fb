"""What follows from what: the cause stands first and alone says what to do; no two repairs contradict each other."""

from __future__ import annotations

import itertools
import re
from functools import cache
from graphlib import TopologicalSorter

import pytest
from operands.spoiled import operands, spoiled
from run import smemdesc
from samples import long_run
from tables import every_row

from rules.test_operands import IDESC, descriptor, shift, tcgen05, wgmma
from smemdesc import Context, context, explain
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.explanations import catalog
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.model import Mma, OperandTile
from smemdesc.kinds.kind import kind_of
from smemdesc.render.console import lines
from smemdesc.render.mma import mma_view
from smemdesc.rules.base import NOTE, WARNING, Finding
from smemdesc.rules.causes import CAUSES, grouped

FIELDS = {"LBO": "leading_byte_offset", "SBO": "stride_byte_offset"}


@pytest.mark.slow
@every_row("name", catalog.rule_names())
def test_a_note_says_nothing_of_what_is_wrong_or_to_be_changed(name: str) -> None:
    for finding in explain(name).rule.broken.findings:
        if finding.severity == NOTE:
            assert (finding.likely, finding.fix, finding.repair) == ("", "", ())


def test_causes_are_rules_and_no_rule_follows_from_itself() -> None:
    assert {*CAUSES, *itertools.chain(*CAUSES.values())} <= set(catalog.rule_names())
    tuple(TopologicalSorter(CAUSES).static_order())


@every_row(
    ("mma", "cause", "follows"),
    [
        (tcgen05(IDESC | 1 << 16), "transpose-and-strides", {("b", "lbo-below-atom"), ("b", "operand-overlap")}),
        (wgmma(b={"start": 0x8000}), "transpose-and-strides", {("b", "lbo-below-atom"), ("b", "operand-overlap")}),
        (
            tcgen05(IDESC | 1 << 16)._replace(b_tile=OperandTile((128, 64), major="MN")),
            "wrong-stride",
            {("b", "lbo-below-atom"), ("b", "operand-overlap"), ("b", "tile-and-descriptor")},
        ),
        *(
            (
                tcgen05(IDESC | 1 << 16)._replace(b_tile=OperandTile((128, 64), major=major)),
                cause,
                {(None, "transpose-and-strides"), ("b", "lbo-below-atom"), ("b", "operand-overlap"), *follows},
            )
            for major, cause, follows in (
                ("K", "transpose-bit", {("b", "tile-and-descriptor")}),
                (None, "tile-and-descriptor", set[tuple[str | None, str]]()),
            )
        ),
        (
            tcgen05(IDESC | 1 << 30, mask=shift(9)),
            "mask-and-instruction",
            {("idesc", "max-shift-without-ws"), (None, "shift-beyond-max")},
        ),
        (
            tcgen05(IDESC | 1, sparse=True),
            "sparse-and-instruction",
            {("idesc", "sparsity-selector")},
        ),
        (tcgen05()._replace(a=descriptor("wgmma")), "version-constant", {(None, "kinds-differ")}),
    ],
)
def test_what_follows_from_an_instruction(mma: Mma, cause: str, follows: set[tuple[str | None, str]]) -> None:
    judged = judge_mma(mma)
    assert {(name, each.rule) for name, each in judged.findings if each.because} == follows
    assert {each.because for _, each in judged.findings} == {"", cause}
    assert [each.rule for _, each in judged.findings if each.fix or each.alternatives] == [cause]


def test_of_two_operands_that_are_alike_each_has_its_own() -> None:
    wrong = descriptor("wgmma", sbo=512)
    mma = wgmma(b_major="K", n=64)._replace(a=wrong, b=wrong)
    printed = [line.split(": ")[:2] for line in lines(mma_view(mma, judge_mma(mma))).splitlines()]
    of_a, of_b = (printed.index(["warning sbo-below-atom", name]) for name in "AB")
    assert printed[of_a + 1] == printed[of_b + 1] == ["  which also causes", "warning operand-overlap"]


def test_no_finding_is_left_out_where_a_cause_has_a_cause() -> None:
    first, second, third, other = (
        Finding(WARNING, rule, (), "", because=because)
        for rule, because in (("a", ""), ("b", "a"), ("c", "b"), ("d", "of-what-is-not-shown"))
    )
    roots = [
        (root, [each for _, each in after])
        for (_, root), after in grouped((None, e) for e in (third, first, second, other))
    ]
    assert roots == [(first, [third, second]), (other, [])]


STEPS = [50, long_run(33)]


@cache
def cases(step: int) -> list[tuple[str, Context, Result]]:
    """Spoiled descriptors for each type and major-ness, with and without the tile: one of so many."""
    contexts = [
        context(dtype=dtype, major=major, shape=(128, k), tile=tile)
        for (dtype, k), major, tile in itertools.product(
            (("bf16", 16), ("e4m3", 32), ("tf32", 8)), ("K", "MN"), (None, (128, 64))
        )
    ]
    found = []
    for kind, values in operands().items():
        texts = [text for bits in values[::37] for _, text in dict.fromkeys(spoiled(kind, bits))]
        for text, case in itertools.product(texts[::step], contexts):
            try:
                found.append((text, case, decode_value(text, kind, context=case)))
            except SmemdescError:
                continue  # more than 64 bits
    return found


def repairs(finding: Finding) -> list[tuple[str, int | str]]:
    """The fields that a finding says how to write, as it is read."""
    if finding.repair:
        return [(field, value) for field, value in finding.repair if isinstance(value, int | str)]
    return [(FIELDS[nick], int(size)) for nick, size in re.findall(r"write (LBO|SBO) (\d+) B", finding.fix)]


def written(result: Result, case: Context, *repaired: tuple[str, int | str]) -> tuple[Finding, ...]:
    """What is found once repairs are written."""
    kind = result.candidates[0].kind
    return build(kind, dict(repaired), base=(result.value, result.known), context=case, force=True).findings


@pytest.mark.corpus
def test_no_two_repairs_contradict_and_the_first_one_repairs() -> None:
    count = 0
    for text, case, result in cases(33):
        roots = [each for each in result.findings if not each.because]
        values: dict[str, int | str] = {}
        for key, value in (each for finding in roots for each in repairs(finding)):
            assert values.setdefault(key, value) == value, (text, case, roots)
        first = next((each for each in roots if repairs(each)), None)
        if first is None:
            continue
        (key, value), *_ = repairs(first)
        after = [each for each in written(result, case, (key, value)) if not each.because]
        assert (first.rule, first.fields) not in [(each.rule, each.fields) for each in after], (text, case, first)
        assert {again for each in after for field, again in repairs(each) if field == key} <= {value}
        count += 1
    assert count > 70


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_what_follows_has_a_cause_and_says_nothing_of_what_to_do(step: int) -> None:
    followed = [(each, result.findings) for _, _, result in cases(step) for each in result.findings if each.because]
    assert {each.rule for each, _ in followed} > {"operand-overlap", "lbo-below-atom", "sbo-below-atom"}
    for each, findings in followed:
        assert any(other.rule == each.because and not other.because for other in findings)
        assert (each.likely, each.fix, each.repair) == ("", "", ())


CHANGED = {
    ("tile-strides", "sbo-below-atom"),  # of two wrong strides the tile's rule names the other one next
    ("tf32-mn-major", "lbo-zero"),  # the atom of the right mode is of another size
}


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_what_follows_goes_or_changes_with_its_cause(step: int) -> None:
    count = 0
    for text, case, result in cases(step):
        for each in (each for each in result.findings if each.because):
            cause = next(other for other in result.findings if other.rule == each.because)
            if not repairs(cause):
                continue
            after = written(result, case, *repairs(cause))
            again = (each.rule, each.message) in [(other.rule, other.message) for other in after]
            assert not again or (cause.rule, each.rule) in CHANGED, (text, case, cause, each)
            count += 1
    assert count > 20


@pytest.mark.parametrize("lbo", [16, 64, 112, 128, 256, 512, 768])
@pytest.mark.parametrize("sbo", [256, 512])
def test_two_small_strides_have_one_cause_if_there_is_a_mode_for_both(lbo: int, sbo: int) -> None:
    found = context(dtype="bf16", major="MN", shape=(128, 16))

    def rules(swizzle: str) -> dict[str, str]:
        fields = {"swizzle": swizzle, "leading_byte_offset": lbo, "stride_byte_offset": sbo}
        findings = build(kind_of("wgmma"), fields, context=found, force=True).findings
        return {each.rule: each.because for each in findings if each.rule in ("sbo-below-atom", "lbo-below-atom")}

    explained = rules("128B")["lbo-below-atom"] == "sbo-below-atom"
    assert explained == any(not rules(mode) for mode in ("none", "32B", "64B"))


CUBLASLT = ("--a", "0x4000004002000042", "--b", "0x4000004002000842", "--inst", "m64n128k16", "--dtype", "bf16")


def test_nothing_is_proposed_for_a_right_kernel() -> None:
    ran = smemdesc("mma", *CUBLASLT, "--strict")
    assert ran.status == 0
    assert not re.search("fix:|probably:|trans", ran.out)
