"""Kernels of which every descriptor is known: nothing that a scan claims is wrong, and hardly anything is missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from corpus.dumps import dumps, texts, truth
from corpus.dumps import scanned as functions
from samples import long_run, split

from smemdesc.instructions.mma import Judge
from smemdesc.kinds.kind import kind_of
from smemdesc.rules.base import Finding
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand

FAMILIES = ("wgmma", "tcgen05", "triton")
SPLIT = [("triton", 3), *(long_run((family, 1)) for family in FAMILIES)]
"""Families of kernels, and of how many dumps one is scanned."""
ENOUGH = 0.95


def functions_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the truth of a dump's functions by their name in the dump."""
    known = truth()["functions"]
    if entry["unit"] == "triton":
        return dict.fromkeys(entry["functions"], known["triton"][entry["kernel"]])
    return {name: known[entry["unit"]][name] for name in entry["functions"]}


def agrees(operand: ScannedOperand | None, value: str | None, sure: str | None, free: str | None) -> bool:
    """Whether nothing that is claimed of an operand contradicts the truth."""
    if operand is None:
        return value is None
    if value is None:
        return not operand.bits  # ptxas -O0 writes an absent mask out as zeros
    mask = operand.known & int(sure or "-1", 16)
    return not (operand.bits ^ int(value, 16)) & mask and not operand.known & int(free or "0", 16)


def operands(mma: ScannedMma) -> tuple[ScannedOperand | None, ...]:
    if mma.instruction.family == "tcgen05.cp":
        return (None, mma.a, None, None)
    return (mma.a, mma.b, mma.idesc, mma.mask)


def added(mma: ScannedMma) -> bool:
    """Whether ptxas may have put this MMA in, to close an empty group: both of its descriptors are 0."""
    return mma.instruction.family == "wgmma" and all(
        each is not None and not each.bits and each.known == (1 << 64) - 1 for each in (mma.a, mma.b)
    )


def matches(mma: ScannedMma, ops: list[dict[str, Any]]) -> bool:
    """Whether one row of the truth as a whole agrees with what is claimed of an MMA."""
    mine = operands(mma)
    none = [None] * 4
    for op in ops:
        sure, free = op.get("known") or none, op.get("free") or none
        for row in op["values"]:
            if all(agrees(*each) for each in zip(mine, row, sure, free, strict=True)):
                return True
    return False


def whole(operand: ScannedOperand | None, kind: str) -> bool:
    """Whether swizzle and SBO, or all of an instruction descriptor, are known."""
    if operand is None:
        return True
    if kind == "idesc":
        return operand.known == (1 << 32) - 1
    masks = kind_of(kind).table.masks
    wanted = masks["swizzle"] | masks["stride_byte_offset"]
    return operand.known & wanted == wanted


def complete(mma: ScannedMma) -> bool:
    kind = "wgmma" if mma.instruction.family == "wgmma" else "tcgen05"
    return whole(mma.a, kind) and whole(mma.b, kind) and whole(mma.idesc, "idesc")


Scanned = list[tuple[str, dict[str, Any], dict[str, Function]]]
"""The dumps of a family: name, truth, functions by name."""
FORMS = ("nvdisasm", "cuobjdump", "ptx", "llir")


@pytest.fixture(scope="module", params=SPLIT)
def scanned(request: pytest.FixtureRequest) -> Scanned:
    """Scan a family once: the tests of one family run one after the other."""
    family, step = request.param
    chosen = [each for each in dumps(family) if each[2]["form"] in FORMS][::step]
    return [(name, entry, {each.name or "": each for each in functions(text)}) for name, text, entry in chosen]


def wrong(scanned: Scanned, of: Callable[[ScannedMma], ScannedMma]) -> list[tuple[str, str, ScannedMma]]:
    """Return the instructions of which something is claimed that is not the truth."""
    return [
        (name, function_name, mma)
        for name, entry, found in scanned
        for function_name, function in found.items()
        for mma in map(of, function.mmas)
        if not added(mma) and not matches(mma, functions_of(entry)[function_name]["ops"])
    ]


@pytest.mark.slow
def test_every_known_bit_is_the_truth(scanned: Scanned) -> None:
    assert wrong(scanned, lambda mma: mma) == []


def with_provided(mma: ScannedMma) -> ScannedMma:
    """Take what would be known if additions change start addresses only for known: in these kernels they do."""
    a, b = (
        each
        if each is None or each.provided is None
        else each._replace(bits=each.provided.bits, known=each.provided.known)
        for each in (mma.a, mma.b)
    )
    return mma._replace(a=a, b=b)


@pytest.mark.slow
def test_what_is_provided_is_the_truth(scanned: Scanned) -> None:
    assert wrong(scanned, with_provided) == []


def test_every_mma_is_listed(scanned: Scanned) -> None:
    for name, entry, found in scanned:
        for function_name, count in entry["functions"].items():
            copies = Counter(mma.instruction.family == "tcgen05.cp" for mma in found[function_name].mmas)
            listed = {"mmas": copies[False], "copies": copies[True]}
            assert listed == {key: count.get(key, 0) for key in listed}, (name, function_name)


def test_swizzle_sbo_and_idesc_are_known(scanned: Scanned) -> None:
    """At every level of optimization, also where the kernel gives one instruction several descriptors."""
    every: Counter[tuple[str, str]] = Counter()
    known: Counter[tuple[str, str]] = Counter()
    for _, entry, found in scanned:
        if entry["lost"]:
            continue
        truths = functions_of(entry)
        key = (entry["form"], entry["optimization"])
        for function_name, function in found.items():
            if not truths[function_name]["lost"]:
                every[key] += len(function.mmas)
                known[key] += sum(complete(mma) for mma in function.mmas)
    assert every
    assert {key: known[key] / every[key] for key in every if known[key] < ENOUGH * every[key]} == {}


def test_what_is_not_known_names_the_instruction_that_lost_it(scanned: Scanned) -> None:
    for name, _, found in scanned:
        for function in found.values():
            for mma in function.mmas:
                for operand in operands(mma):
                    if operand is not None and not complete(mma) and not operand.known:
                        assert operand.lost_text, (name, mma)


MASKS = {"shift-beyond-max", "start-count-past-span"}
"""What is found in masks that were made to differ, not to be right (:func:`corpus.blackwell._masks`)."""


def proposed(functions: Iterable[Function]) -> list[tuple[str | None, str, Finding]]:
    """Return what ``mma`` says is probably wrong with, or to be changed in, the instructions of functions."""
    judge = Judge()
    return [
        (function.name, rule, finding)
        for function in functions
        for mma in function.mmas
        for _, finding in judge.judge(mma.model).findings
        if (rule := finding.rule) not in MASKS and (finding.likely or finding.fix or finding.repair)
    ]


@pytest.mark.slow
def test_no_change_of_a_right_instruction_is_proposed(scanned: Scanned) -> None:
    assert proposed(function for _, _, found in scanned for function in found.values()) == []


_TILED = "kernel_cutlass_kernel_TiledMMA_ThrLayoutVMNK21111000_PermutationMNK____MMAAtom_ThrID21_ShapeMNK"
MIXED = {
    (f"{_TILED}{shape}", "mixed-cta-group")
    for shape in (
        "25625664_TVLayoutA2128641281256_TVLayoutB2128641281256_TVLayoutC21282561281256_S343o0o128641_0",
        "25612816_TVLayoutA2128161281256_TVLayoutB26416641128_TVLayoutC21281281281256_S343o0o12816142_0",
    )
}
"""Kernels of the CuTe DSL that allocate with cta_group::1 and multiply with cta_group::2, which ptxas rejects."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("archive", "expected"),
    split(
        [
            # Listings of a program that multiplies parts of one matrix, and sessions of right kernels.
            ("sass/forms.tar.xz", {("loop", "operands-share-memory")}),
            ("sass/loaded.tar.xz", set()),
            ("corpus/rubin.tar.xz", set()),
            # Copies of a descriptor whose fields were each set to another number.
            (
                "corpus/ir.tar.xz",
                {("kernel_cutlass_kernel__0", "k-major-32b-atoms"), ("kernel_cutlass_kernel__0", "sbo-zero"), *MIXED},
            ),
        ],
        lambda case: case[0].startswith("sass"),
    ),
)
def test_no_change_of_what_a_library_has_is_proposed(archive: str, expected: set[tuple[str, str]]) -> None:
    found = {
        (str(name), rule)
        for _, text in texts(Path(__file__).parent / archive)
        for name, rule, _ in proposed(scan_text(text).functions)
    }
    assert found == expected
