"""Which instructions are wanted, for which architecture; which lines set what is wrong; how two dumps differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import every_row

from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines
from smemdesc.render.scan_diff import diff_view
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs.files import ChunkResult
from smemdesc.scanning.model import Part
from smemdesc.scanning.results.comparison import (
    FunctionComparison,
    ScannedFunction,
    compare_functions,
    scanned_function,
    used_in,
)
from smemdesc.scanning.results.report import Tally, describe_setters, fold, setters
from smemdesc.scanning.results.selection import Choice, belongs, select

DATA = Path(__file__).parents[2] / "examples" / "data"
HOPPER = (DATA / "gemm_sm90.sass").read_text()
BLACKWELL = (DATA / "gemm_sm100.sass").read_text()
BOTH = scan_text(HOPPER + BLACKWELL)
WRONG = scan_text(HOPPER.replace("0x40000080", "0x40004040"))  # B with the constant of a tcgen05 descriptor


def selected(choice: Choice, part: Part) -> tuple[Part, int, list[str]]:
    """Return what is wanted, how much was looked at, and what is said."""
    said: list[str] = []
    (found,) = select([ChunkResult("f", part, 0, True)], choice, Judge(), lambda error, where: said.append(str(error)))
    return found.part, found.part.looked, said


@every_row(
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
    part, seen, wrong = selected(choice, BOTH)
    assert (len(part.functions), seen, wrong) == (functions, looked, [])


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
    part, _, _ = selected(choice, WRONG)
    tally = Tally()
    for function in part.functions:
        tally.add(function, fold(function, Judge(), choice))
    assert ({rule for _, rule in tally.rules}, len(part.functions)) == (rules, bool(rules))


@every_row(
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
    part, _, wrong = selected(Choice(arch="sm_90a"), scan_text(bare))
    assert wrong == []
    assert {mma.arch for mma in part.functions[0].mmas} == {"sm_90a"}
    found = Judge().judge(part.functions[0].mmas[0].model).findings
    assert [(name, each.rule) for name, each in found] == [(None, "kind-arch")]


def test_what_the_dump_says_is_kept_where_it_contradicts() -> None:
    part, _, (wrong,) = selected(Choice(arch="sm_90a"), BOTH)
    assert wrong.startswith(f"f:{len(HOPPER.splitlines()) + 7}: code for sm_100a, but arch is sm_90a")
    assert [of.mmas[0].arch for of in part.functions] == ["sm_90a", "sm_100a"]


def test_a_finding_names_the_line_that_set_the_bits() -> None:
    mma = WRONG.functions[0].mmas[0]
    judged = Judge().judge(mma.model)
    (finding,) = [each for _, each in judged.findings if each.rule == "reserved-bits"]
    (line,) = setters(mma, judged, "b", finding)
    assert describe_setters((line,)) == f"line {line.line}: UMOV UR11, 0x40004040"
    assert "0x40000080" in HOPPER.splitlines()[line.line - 1]
    assert (setters(mma, judged, None, finding), describe_setters(())) == ((), "")


NAME = "gemm_f16_K_MN_128B"
FIRST = next(line for line in HOPPER.splitlines() if "HGMMA" in line)


def places(text: str) -> list[ScannedFunction]:
    judge = Judge()
    return [scanned_function("x", each, used_in(each, judge, Choice())) for each in scan_text(text).functions]


def differ(old: str, new: str) -> list[FunctionComparison]:
    return list(compare_functions(places(old), places(new)))


@pytest.mark.parametrize(
    "new",
    [
        HOPPER,
        HOPPER.replace("EXIT ;", "EXIT ;\n        NOP ;", 1),
        HOPPER.replace(FIRST, f"{FIRST}\n{FIRST.partition('*/')[2]}"),
        HOPPER.replace("0x2000, URZ", "0x4000, URZ"),  # another start address
        HOPPER.replace(NAME, "renamed"),  # one function on either side is the same one
    ],
)
def test_what_moved_or_is_there_more_often_is_no_change(new: str) -> None:
    (pair,) = differ(HOPPER, new)
    assert (pair.changes, pair.differs, pair.clear) == ((), False, True)


def test_a_field_that_changed_is_named() -> None:
    (pair,) = differ(HOPPER, HOPPER.replace("0x40000080", "0x40000100"))
    (change,) = pair.changes
    assert change.what == "changed"
    assert [(each.operand, each.key, each.old.value, each.new.value) for each in change.fields] == [
        ("b", "stride_byte_offset", 2048, 4096)
    ]


def test_what_is_not_known_is_no_change_and_is_said() -> None:
    (pair,) = differ(HOPPER, HOPPER.replace("UMOV UR11, 0x40000080", "LDCU UR11, c[0x0][0x210]"))
    (change,) = pair.changes
    assert (change.what, pair.differs, pair.clear) == ("unclear", False, False)
    assert {each.key for each in change.fields} == {"stride_byte_offset", "base_offset", "swizzle"}


UNKNOWN = """.version 8.7
.target sm_100a
.visible .entry k(.param .u64 a, .param .u32 i) {
 ld.param.b64 %rd1, [a]; ld.param.b32 %r2, [i];
 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, %r2, %p1;
}
"""


def test_descriptors_of_which_nothing_is_known_are_not_the_same() -> None:
    (pair,) = differ(UNKNOWN, UNKNOWN)
    assert [change.what for change in pair.changes] == ["unclear"]
    assert (pair.differs, pair.clear) == (False, False)
    shown = lines(diff_view("old", "new", [pair]))
    assert "the same" not in shown
    assert "A  0x????????????????  nothing is known of either" in shown


def test_the_same_as_far_as_they_are_known() -> None:
    lost = HOPPER.replace("UMOV UR11, 0x40000080", "ULOP3.LUT UR11, UR11, 0x40000080, URZ, 0xfc, !UPT")
    (pair,) = differ(lost, lost)
    assert pair.clear
    assert "the same, as far as known: in 4 of 4 instructions some bits are unknown" in lines(
        diff_view("old", "new", [pair])
    )


def test_what_appeared_and_vanished() -> None:
    without = HOPPER.replace("HGMMA.64x128x16.F32", "NOP.HGMMA")
    for old, new, what in ((without, HOPPER, "appeared"), (HOPPER, without, "vanished")):
        (pair,) = differ(old, new)
        assert [change.what for change in pair.changes] == [what]
        assert None in (pair.old, pair.new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_ZN12_GLOBAL__N__1a2b3c4d_7_gemm_cu", "_ZN12_GLOBAL__N__99887766_7_gemm_cu"),
        ("gemm.llvm.123456", "gemm.llvm.654321"),
        ("gemm_0123456789abcdef", "gemm_fedcba9876543210"),
    ],
)
def test_hashes_in_a_name_do_not_part_functions(old: str, new: str) -> None:
    before = HOPPER.replace(NAME, old) + BLACKWELL
    after = BLACKWELL.replace("gemm_bf16", "other_bf16") + HOPPER.replace(NAME, new)
    pairs = {pair.new.name: pair for pair in differ(before, after) if pair.new}
    assert pairs[new].old is not None
    assert pairs[new].old.name == old
    assert pairs[new].changes == ()


def test_namespaces_in_a_name_do_not_part_functions() -> None:
    """Descriptors decide between functions that differ in the namespace only."""
    wide = HOPPER.replace("0x40000080", "0x40000100")
    name = "_ZN{}4gemmIN7cutlass6half_tEEEvPT_".format
    before = HOPPER.replace(NAME, name("1a")) + wide.replace(NAME, name("1b")) + BLACKWELL
    after = wide.replace(NAME, name("3lib1c")) + BLACKWELL.replace("gemm_bf", "gemm2_bf") + HOPPER.replace(NAME, "x")
    after += HOPPER.replace(NAME, name("2v2"))
    pairs = [(pair.old.name, pair.new.name) for pair in differ(before, after) if pair.old and pair.new]
    assert pairs == [(name("1b"), name("3lib1c")), (name("1a"), name("2v2"))]


def test_a_name_of_two_architectures() -> None:
    twice = HOPPER + BLACKWELL.replace("gemm_bf16_K_K_128B", NAME)
    assert [(pair.old and pair.old.arch, pair.new and pair.new.arch) for pair in differ(twice, twice)] == [
        ("sm_90a", "sm_90a"),
        ("sm_100a", "sm_100a"),
    ]
    assert not any(pair.changes for pair in differ(twice, twice))
