"""The corpus itself: its truth is legal, its PTX asks for it when it runs, and its counts are those of the dumps."""

from __future__ import annotations

import re
from typing import Any

import pytest

import smemdesc
from scanning.corpus.dumps import SASS, TILE_LEVEL, dumps, truth
from scanning.corpus.running import Module
from smemdesc.kinds.modes import MODES

ARGUMENTS = ((0, 4, 0), (5, 7, 0), (1 << 20, 1, 128))
"""(p, n, thread): they take every branch and every buffer."""
MMA = re.compile(
    r"[HQIB]GMMA[. ]|UTC[HQIO]MMA[. ]|wgmma\.mma_async|tcgen05\.mma\.|ttng\.(?:warp_group_dot|tc_gen5_mma\w*) "
)
UNITS = [name for name in truth()["functions"] if name != "triton"]
DESCRIPTORS = ("a", "b", "idesc", "mask")


def number(text: str | None) -> int | None:
    return None if text is None else int(text, 16)


def operations(units: list[str] | None = None) -> list[tuple[str, dict[str, Any]]]:
    """(where, operation) of all functions of some units."""
    return [
        (f"{unit}: {name}", op)
        for unit, functions in truth()["functions"].items()
        if units is None or unit in units
        for name, function in functions.items()
        for op in function["ops"]
    ]


def kind_of(column: str, facts: dict[str, Any]) -> str:
    if column in ("a", "b"):
        return "wgmma" if facts["instruction"] == "wgmma" else "tcgen05"
    return column


@pytest.mark.parametrize("unit", UNITS)
def test_nothing_that_the_kernels_ask_for_is_illegal(unit: str) -> None:
    for where, op in operations([unit]):
        facts = op["facts"]
        for row in op["values"]:
            for column, text in zip(DESCRIPTORS, row, strict=True):
                if text is None:
                    continue
                bits = (
                    None
                    if column == "mask" or facts["instruction"] == "cp"
                    else facts[f"{'b' if column == 'idesc' else column}_type"]
                )
                context = smemdesc.context(
                    dtype=bits,
                    major=("MN" if facts[f"transpose_{column}"] else "K") if bits and column != "idesc" else None,
                    mma_kind=facts.get("mma_kind"),
                    cta_group=facts.get("cta_group"),
                    ws=facts.get("ws"),
                    m=facts.get("m"),
                    n=facts.get("n"),
                )
                mma_kind = facts["mma_kind"] if column == "idesc" else None
                read = smemdesc.decode(text, kind_of(column, facts), mma_kind=mma_kind, context=context)
                assert [each.rule for each in read.findings if each.severity == "error"] == [], (where, text)


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.startswith("tcgen05")])
def test_instruction_descriptors_say_what_the_facts_say(unit: str) -> None:
    for where, op in operations([unit]):
        facts = op["facts"]
        for row in op["values"]:
            if row[2] is None:
                continue
            fields = smemdesc.decode(row[2], "idesc", mma_kind=facts["mma_kind"]).fields
            for key in ("a_type", "b_type", "m", "n", "transpose_a", "transpose_b", "sparse"):
                read: Any = fields[key]
                assert read.value == facts[key], (where, key)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [name for name, each in truth()["dumps"].items() if each["form"] == "ptx" and each["unit"] != "triton"],
)
def test_ptx_that_runs_issues_the_descriptors_of_the_truth(name: str) -> None:
    ((text, entry),) = [(text, entry) for each, text, entry in dumps(name) if each == name]
    module = Module(text)
    for function, known in truth()["functions"][entry["unit"]].items():
        (op,) = known["ops"]
        free = [number(each) or 0 for each in op.get("free", ["0x0"] * 4)]
        wanted = {tuple(number(each) for each in row) for row in op["values"]}
        issued = {
            tuple(None if value is None else value & ~gap for value, gap in zip(row, free, strict=True))
            for p, n, thread in ARGUMENTS
            for row in module.run(function, (0, p, n, 0x1000), thread)
        }
        assert issued == wanted, function


@pytest.mark.corpus
def test_counts_are_those_of_the_mnemonics() -> None:
    for name, text, entry in dumps():
        counted = sum(each.get("mmas", 0) for each in entry["functions"].values())
        code = "\n".join(line.partition("//")[0] for line in text.splitlines()) if entry["form"] == "ptx" else text
        assert counted == len(MMA.findall(code)), name


def test_every_kernel_is_in_every_dump_of_its_unit() -> None:
    for name, entry in truth()["dumps"].items():
        if entry["unit"] != "triton":
            assert set(entry["functions"]) == set(truth()["functions"][entry["unit"]]), name


def test_unoptimized_sass_has_the_mmas_of_the_ptx_and_those_that_ptxas_adds() -> None:
    entries = truth()["dumps"].values()
    ptx = {
        (each["unit"], each["compiler"]): each
        for each in entries
        if each["form"] == "ptx" and each["optimization"] == "O3"
    }
    for entry in entries:
        if entry["form"] in SASS and entry["optimization"] == "O0":
            for function, counts in entry["functions"].items():
                wanted = ptx[entry["unit"], entry["compiler"]]["functions"][function]
                assert counts.get("mmas", 0) - counts.get("added", 0) == wanted.get("mmas", 0), function
                assert counts.get("copies") == wanted.get("copies"), function


def test_what_triton_writes_is_read_whole() -> None:
    for where, op in operations(["triton"]):
        known = [number(each) or 0 for each in op["known"]]
        needed = [row for row, text in zip(known[:3], op["values"][0][:3], strict=True) if text is not None]
        assert all(each >> 32 == 0xFFFFFFFF for each in needed[:2]), where
        assert op["values"][0][2] is None or known[2] == 0xFFFFFFFF, where


def test_the_corpus_has_what_a_scan_meets() -> None:
    every = operations()
    facts = [op["facts"] for _, op in every]
    modes: dict[str, set[Any]] = {"wgmma": set(), "tcgen05": set()}
    for _, op in operations(UNITS):
        kind = kind_of("b", op["facts"])
        read: Any = smemdesc.decode(op["values"][0][1], kind).fields["swizzle"]
        modes[kind].add(read.value)
    assert modes["tcgen05"] == {mode.name for mode in MODES}
    assert modes["wgmma"] == {mode.name for mode in MODES if mode.wgmma is not None}
    assert {each.get("mma_kind") for each in facts if each["instruction"] == "tcgen05"} == {
        "f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4",
    }  # fmt: skip
    wgmma = [each for each in facts if each["instruction"] == "wgmma"]
    assert {each["a_type"] for each in wgmma} == {"f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"}
    assert {each["a_in"] for each in facts if "a_in" in each} == {"shared", "registers", "tensor"}
    forms = {(each["form"], each["optimization"]) for each in truth()["dumps"].values()}
    assert {("nvdisasm", f"O{level}") for level in range(4)} | {("cuobjdump", "O3"), ("llir", "O3")} <= forms
    assert set(TILE_LEVEL) <= {form for form, _ in forms}
