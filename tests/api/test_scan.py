"""``smemdesc.scan``: the selection of the command, its JSON, and what ``ok`` promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from run import smemdesc as program
from tables import every_row

import smemdesc

DATA = Path(__file__).parents[2] / "examples" / "data"
SASS, PTX = str(DATA / "gemm_sm100.sass"), str(DATA / "matmul_sm90.ptx")
NO_WGMMA = Path(PTX).read_text().replace("sm_90a", "sm_120a")
SMALL_SBO = Path(PTX).read_text().replace("4611686293305294848", "0x4000002000000000")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, []),
        ({"function": "*gemm*"}, ["--function", "*gemm*"]),
        ({"kind": "idesc", "arch": "B200"}, ["--kind", "idesc", "--arch", "B200"]),
        ({"kind": "wgmma"}, ["--kind", "wgmma"]),
        ({"only": ("error", "warning,note")}, ["--only", "error,warning,note"]),
    ],
)
def test_to_dict_has_the_lines_of_the_command(more: dict[str, Any], words: list[str]) -> None:
    lines = [json.loads(line) for line in program("scan", SASS, *words, "--json").out.splitlines()]
    found = smemdesc.scan(SASS, **more).to_dict()
    assert json.loads(json.dumps(found["instructions"])) == lines
    assert (found["values"], found["failed"]) == ([], [])


@pytest.mark.slow
def test_several_kernels_at_once() -> None:
    both = smemdesc.scan(SASS, SMALL_SBO)
    assert [each.name for each in both.files] == [SASS, "the text"]
    assert len(both.instructions) == len(smemdesc.scan(SASS).instructions) + 1


def test_one_instruction_by_its_place() -> None:
    offset = smemdesc.scan(SASS).instructions[1].mma.offset
    name = smemdesc.scan(SASS).functions[0].name
    (found,) = smemdesc.scan(SASS, at=f"{name}+{offset:#x}").instructions
    assert found.mma.offset == offset


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "more", "ok"),
    [
        (SASS, {}, True),
        (SMALL_SBO, {}, True),  # a warning
        (NO_WGMMA, {}, False),
        (NO_WGMMA, {"only": "sbo-below-atom"}, True),
        (str(DATA / "kernel.cu"), {}, False),  # no instruction
        ("desc = 0x4000404000010040\n", {}, True),
        ("desc = 0x6000404000010040\n", {}, False),
        (SASS, {"arch": "sm_90a"}, False),  # contradicts
    ],
)
def test_ok_is_what_check_says(kernel: str, more: dict[str, Any], ok: bool) -> None:
    assert smemdesc.scan(kernel, **more).ok is ok
    words = [word for name, value in more.items() for word in (f"--{name}", value)]
    name, text = ("-", kernel) if "\n" in kernel else (kernel, "")
    assert (program("scan", "--check", *words, name, stdin=text).status == 0) is ok


def test_a_finding_says_where() -> None:
    first, overlap, second, _ = smemdesc.scan(SMALL_SBO).findings
    assert (first.rule, first.severity, first.operand, first.where.line) == ("sbo-below-atom", "warning", "a", 19)
    assert (overlap.rule, overlap.finding.because) == ("operand-overlap", "sbo-below-atom")
    assert second.operand == "b"
    assert str(first).startswith("the text:19: warning: sbo-below-atom: a: SBO (512 B)")


def test_what_a_scan_consists_of_prints_as_a_line() -> None:
    scan = smemdesc.scan(SMALL_SBO)
    (where,) = {found.where for found in scan.findings}
    assert repr(scan.findings[0]) == str(scan.findings[0])
    assert repr(where).startswith("the text:19: wgmma.mma_async")
    assert repr(where.function) == "Function(None, line=1, format='PTX', 1 instruction)"


@pytest.mark.slow
def test_a_scan_is_immutable_and_shows_itself() -> None:
    found = smemdesc.scan(SMALL_SBO)
    with pytest.raises(AttributeError):
        found.files = ()  # type: ignore[misc]
    assert str(found) == repr(found) == "1 function, 1 with MMAs: 1 MMA, 4 warnings"
    assert "sbo-below-atom" in found._repr_html_()


@every_row(
    ("keyword", "value"),
    [
        ("function", "nothing"),
        ("function", 3),
        ("at", "gemm"),
        ("at", "nothing+0x10"),
        ("kind", "tensormap"),
        ("only", "sbo-bellow-atom"),
        ("only", ","),
        ("only", ["error", "no"]),
        ("arch", "sm_42"),
        ("names", "long"),
        ("jobs", 0),
    ],
)
def test_error_names_the_keyword(keyword: str, value: object) -> None:
    with pytest.raises(smemdesc.SmemdescError) as caught:
        smemdesc.scan(SASS, **{keyword: value})  # type: ignore[arg-type]
    assert caught.value.keyword == keyword
    assert keyword in str(caught.value)
    assert "--" not in str(caught.value)


def test_the_view_says_what_could_not_be_scanned() -> None:
    page = smemdesc.scan(SASS, arch="sm_90a")._repr_html_()
    assert "code for sm_100a, but arch is sm_90a" in " ".join(page.split())  # it wraps after a long path


def test_two_keywords_that_name_a_function() -> None:
    with pytest.raises(smemdesc.SmemdescError, match="at and function both name a function; give one"):
        smemdesc.scan(SASS, at="gemm+0x10", function="gemm")


@pytest.mark.parametrize("kernel", ["nosuch.ptx", b"\x7fELF", 3])
def test_an_error_about_what_is_scanned_names_it(kernel: Any) -> None:
    for keyword, function in {"kernels": smemdesc.scan, "ptx": smemdesc.agree}.items():
        with pytest.raises(smemdesc.SmemdescError) as caught:
            function(kernel)
        assert caught.value.keyword == keyword


def test_a_file_name_with_dashes_is_no_keyword() -> None:
    with pytest.raises(smemdesc.SmemdescError, match=r"^kernels: no--such-file\.ptx: "):
        smemdesc.scan("no--such-file.ptx")
