"""Which instructions are wanted, for which architecture, and which lines set what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdesc.instructions.mma import Judge
from smemdesc.scanning import scan_text
from smemdesc.scanning.blame import said, setters
from smemdesc.scanning.choosing import Choice, belongs
from smemdesc.scanning.folding import Tally, fold

DATA = Path(__file__).parents[2] / "examples" / "data"
HOPPER = (DATA / "gemm_sm90.sass").read_text()
BLACKWELL = (DATA / "gemm_sm100.sass").read_text()
BOTH = scan_text(HOPPER + BLACKWELL)
WRONG = scan_text(HOPPER.replace("0x40000080", "0x40004040"))  # B with the constant of a tcgen05 descriptor


@pytest.mark.parametrize(
    ("choice", "functions", "looked"),
    [
        (Choice(), 2, 8),
        (Choice(kind="wgmma"), 1, 4),
        (Choice(kind="tcgen05"), 1, 4),
        (Choice(kind="idesc"), 1, 4),
        (Choice(kind="mask"), 0, 0),
        (Choice(only=frozenset(("reserved-bits",))), 0, 8),
        (Choice(only=frozenset(("reserved-bits",)), kind="wgmma"), 0, 4),
    ],
)
def test_what_is_wanted(choice: Choice, functions: int, looked: int) -> None:
    part, seen, conflicts = choice.part(BOTH, Judge())
    assert (len(part.functions), seen.instructions, conflicts) == (functions, looked, [])


@pytest.mark.parametrize(
    ("only", "rules"),
    [
        ({"reserved-bits"}, {"reserved-bits"}),
        ({"warning"}, {"reserved-bits", "operand-overlap"}),
        ({"error"}, set()),
        ({"error", "operand-overlap"}, {"operand-overlap"}),
    ],
)
def test_only_some_findings_are_shown_and_counted(only: set[str], rules: set[str]) -> None:
    choice = Choice(only=frozenset(only))
    part, _, _ = choice.part(WRONG, Judge())
    tally = Tally()
    for function in part.functions:
        tally.add(function, fold(function, Judge(), choice))
    assert ({rule for _, rule in tally.rules}, len(part.functions)) == (rules, bool(rules))


@pytest.mark.parametrize(
    ("asked", "said", "may"),
    [
        ("sm_100a", "sm_100a", True),
        ("sm_103a", "sm_100f", True),
        ("sm_100a", "sm_103f", False),
        ("sm_100a", "sm_100", True),
        ("sm_100f", "sm_100a", True),
        ("sm_110a", "sm_101a", True),
        ("sm_100a", "sm_90a", False),
        ("sm_110a", "sm_100f", False),
    ],
)
def test_code_may_be_judged_for_members_of_its_family(asked: str, said: str, may: bool) -> None:
    assert belongs(asked, said) == may


def test_the_architecture_of_code_that_says_none() -> None:
    bare = "\n".join(line for line in BLACKWELL.splitlines() if ".target" not in line)
    part, _, conflicts = Choice(arch="sm_90a").part(scan_text(bare), Judge())
    assert conflicts == []
    assert {mma.arch for mma in part.functions[0].mmas} == {"sm_90a"}
    found = Judge().judge(part.functions[0].mmas[0].model).findings
    assert [(name, each.rule) for name, each in found] == [(None, "kind-arch")]


def test_what_the_dump_says_is_kept_where_it_contradicts() -> None:
    part, _, conflicts = Choice(arch="sm_90a").part(BOTH, Judge())
    assert [(each.arch, each.line) for each in conflicts] == [("sm_100a", len(HOPPER.splitlines()) + 7)]
    assert [of.mmas[0].arch for of in part.functions] == ["sm_90a", "sm_100a"]


def test_a_finding_names_the_line_that_set_the_bits() -> None:
    mma = WRONG.functions[0].mmas[0]
    judged = Judge().judge(mma.model)
    (finding,) = [each for _, each in judged.findings if each.rule == "reserved-bits"]
    (line,) = setters(mma, judged, "b", finding)
    assert said((line,)) == f"line {line.line}: UMOV UR11, 0x40004040"
    assert "0x40000080" in HOPPER.splitlines()[line.line - 1]
    assert (setters(mma, judged, None, finding), said(())) == ((), "")
