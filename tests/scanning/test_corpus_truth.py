"""The corpus itself: its truth is legal, its PTX asks for it when it runs, and it has what a scan meets."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from corpus.dumps import TILE_LEVEL, dumps, truth
from corpus.running import Module
from samples import long_run

import smemdesc
from smemdesc.kinds.modes import MODES

ARGUMENTS = ((0, 4, 0), (5, 7, 0), (1 << 20, 1, 128))
"""(p, n, thread): they take every branch and every buffer."""
UNITS = [name for name in truth()["functions"] if name != "triton"]
DESCRIPTORS = ("a", "b", "idesc", "mask")


def number(text: str | None) -> int | None:
    return None if text is None else int(text, 16)


def operations(*units: str) -> list[tuple[str, dict[str, Any]]]:
    """(where, operation) of all functions of some units."""
    return [
        (f"{unit}: {name}", op)
        for unit in units
        for name, function in truth()["functions"][unit].items()
        for op in function["ops"]
    ]


def kind_of(column: str, facts: dict[str, Any]) -> str:
    return (str(facts["instruction"]) if column in "ab" else column).replace("cp", "tcgen05")


@pytest.mark.slow
@pytest.mark.parametrize("step", [5, long_run(1)])
@pytest.mark.parametrize("unit", UNITS)
def test_what_the_kernels_ask_for_is_legal_and_what_the_facts_say(unit: str, step: int) -> None:
    for where, op in islice(operations(unit), 0, None, step):
        facts = op["facts"]
        for row in op["values"]:
            for column, text in zip(DESCRIPTORS, row, strict=True):
                if text is None:
                    continue
                typed = column != "mask" and facts["instruction"] != "cp"
                context = smemdesc.context(
                    dtype=facts[f"{column}_type"] if typed and column != "idesc" else None,
                    major=("K", "MN")[facts[f"transpose_{column}"]] if typed and column in "ab" else None,
                    **{key: facts.get(key) for key in ("mma_kind", "cta_group", "ws", "m", "n")},
                )
                mma_kind = facts["mma_kind"] if column == "idesc" else None
                read = smemdesc.decode(text, kind_of(column, facts), mma_kind=mma_kind, context=context)
                assert [each.rule for each in read.findings if each.severity == "error"] == [], (where, text)
                fields: Any = read.fields
                for key in ("a_type", "b_type", "m", "n", "transpose_a", "transpose_b", "sparse"):
                    assert column != "idesc" or fields[key].value == facts[key], (where, key)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, each in truth()["dumps"].items()
        if each["form"] == "ptx" and each["unit"] != "triton" and each["compiler"] != "13.0"  # hardly another text
    ],
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


def test_the_corpus_has_what_a_scan_meets() -> None:
    facts = [op["facts"] for _, op in operations(*truth()["functions"])]
    modes: dict[str, set[Any]] = {"wgmma": set(), "tcgen05": set()}
    for _, op in operations(*UNITS):
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
