"""Every form of a scan shows every result that there can be, and all say the same of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from fuzz.lines import run
from hypothesis import given
from hypothesis import strategies as st
from samples import masks, some, values

from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.kinds.kind import kind_of
from smemdesc.render.annotated import LineComment, annotated_view, note_lines
from smemdesc.render.console import lines, on, show, stdout
from smemdesc.render.scan_json import JsonLines, Sarif
from smemdesc.render.scan_lines import github, short_lines
from smemdesc.render.scan_report import Report, ReportSettings, of_part
from smemdesc.render.text_picture import picture
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Addition, Function, Origin, Part, Provided, ScannedMma, ScannedOperand
from smemdesc.scanning.results.report import fold
from smemdesc.scanning.results.selection import Choice

DATA = Path(__file__).parents[2] / "examples" / "data"
DUMPS = ("gemm_sm90.sass", "gemm_sm100.sass", "matmul_sm90.ptx", "matmul_sm100.ptx")
MMAS = [mma for name in DUMPS for of in scan_text((DATA / name).read_text()).functions for mma in of.mmas]
LINES = st.integers(1, 9)
TEXTS = st.sampled_from(["", "UMOV UR4, 0x40 ;", "add.s64 %rd1, %rd2, %rd3;", "[odd] \x1b[2J \u202e"])
ADDITIONS = st.lists(
    st.builds(Addition, LINES, TEXTS, st.sampled_from(["UR4", "%rd1"]), st.sampled_from([0, 1 << 32])),
    min_size=1,
    max_size=3,
).map(tuple)


@st.composite
def operands(draw: st.DrawFn, kind: str) -> ScannedOperand:
    table = kind_of(kind).table
    bits, known, more = (draw(each) for each in (values(kind_of(kind)), masks(table.width), masks(table.width)))
    origins = st.lists(st.builds(Origin, LINES, masks(table.width), TEXTS), max_size=2).map(tuple)
    provided = draw(st.none() | st.builds(Provided, st.just(bits & (known | more)), st.just(known | more), ADDITIONS))
    return ScannedOperand(bits & known, known, draw(st.none() | LINES), draw(TEXTS), draw(origins), provided)


@st.composite
def mmas(draw: st.DrawFn) -> ScannedMma:
    mma = draw(st.sampled_from(MMAS))
    of = mma.instruction
    kinds = {"a": of.family, "b": of.family, "idesc": f"idesc:{(of.mma_kinds or ('f16',))[0]}", "mask": "mask"}
    mine = {name: draw(st.none() | operands(kinds[name])) for name in OPERANDS if of.family != "wgmma" or name in "ab"}
    arch = draw(st.sampled_from([mma.arch, None, "sm_103a", "sm_107a", "sm_999"]))
    return mma._replace(line=draw(LINES), arch=arch, source=draw(st.sampled_from([None, ("k.cu", 3)])), **mine)


functions = st.builds(
    lambda *fields: Function(*fields),  # by the class, its optional fields would be drawn, too
    st.sampled_from([None, "k", "[bold]\x1b"]),
    LINES,
    st.sampled_from(["SASS", "PTX", "LLVM IR", "MLIR"]),
    st.lists(mmas(), min_size=1, max_size=3).map(tuple),
    st.integers(0, 2),
    st.sampled_from(["", "cubin 3"]),
)
Told = Counter[tuple[str, str]]


def in_text(of: Function) -> Told:
    out = StringIO()
    report = Report(ReportSettings(every=True))
    report.add(Part((of,), 1, looked=len(of.mmas)))
    report.function(of)
    show(on(out, stdout("never")), *report.views("k"))
    (line,) = re.findall(r"^ *findings: .*", out.getvalue(), re.M)
    return Counter({(each[0], each[1]): int(each[2]) for each in re.findall(r"(\w+) ([a-z0-9-]+) x (\d+)", line)})


def in_json(of: Function) -> Told:
    judge, form, told = Judge(), JsonLines(), Told()
    for mma in of.mmas:
        data = json.loads(form.mma("k", of, mma, judge.judge(mma.model)))
        told.update((each["severity"], each["rule"]) for each in data["findings"])
        own = Counter(each["rule"] for name in OPERANDS for each in (data[name] or {"findings": []})["findings"])
        assert own == Counter(each["rule"] for each in data["findings"] if each["operand"])
    return told


def in_short(of: Function) -> Told:
    found = [
        re.match(r"k(?::cubin 3)?:\d+: (\w+): ([a-z0-9-]+): ", each) for each in short_lines("k", of, Judge(), Choice())
    ]
    return Counter((each[1], each[2]) for each in found if each)


def in_sarif(of: Function) -> Told:
    out: list[str] = []
    sarif = Sarif(out.append)
    sarif.function("k", of, fold(of, Judge()))
    sarif.end([])
    told = Told()
    for each in json.loads("".join(out))["runs"][0]["results"]:
        told[each["level"], each["ruleId"]] += each["occurrenceCount"]
    return told


def in_github(of: Function) -> Told:
    told = Told()
    for row in fold(of, Judge()):
        for text in github("k", of, [row]):
            severity, rule = re.match(r"::(\w+) .*title=smemdesc ([a-z0-9-]+)::", text).groups()  # type: ignore[union-attr]
            times = re.search(r" \((\d+) of \d+ instructions\)$", text)
            told["note" if severity == "notice" else severity, rule] += int(times[1]) if times else 1
    return told


def in_comments(of: Function) -> Told:
    notes: dict[int, LineComment] = {}
    note_lines(of, Judge(), Choice(), notes)
    assert lines(annotated_view([""] * 9, notes)).count("\n") == 9
    parts = [text for each in notes.values() for text, style in each.parts if style in ("error", "warning", "note")]
    return Counter((text.split()[0], text.split()[1].rstrip(":")) for text in parts)


FORMS: dict[str, Callable[[Function], Told]] = {
    "text": in_text,
    "short": in_short,
    "sarif": in_sarif,
    "github": in_github,
    "annotate": in_comments,
}


@pytest.mark.slow
@some(100)
@given(functions)
def test_every_form_says_what_the_json_says(of: Function) -> None:
    told = in_json(of)
    assert {name: form(of) for name, form in FORMS.items()} == dict.fromkeys(FORMS, told)


@pytest.mark.slow
@some(40)
@given(functions)
def test_every_result_can_be_drawn(of: Function) -> None:
    assert "</svg>" in picture([of_part(Part((of,), 1), "k", ReportSettings(every=True))], "k")


NAME = "gemm_f16_K_MN_128B"
SASS = (DATA / "gemm_sm90.sass").read_text().replace("0x40000080", "0x40004040")  # of B a tcgen05 descriptor: a finding
FAULTS: dict[str, tuple[str, list[str]]] = {
    "text": ("smemdesc.render.scan._row", []),
    "json": ("smemdesc.render.scan_json.JsonLines.mma", ["--json"]),
    "short": ("smemdesc.render.scan_lines.setters", ["--format", "short"]),
    "github": ("smemdesc.scanning.results.report.setters", ["--format", "github"]),
    "sarif": ("smemdesc.scanning.results.report.setters", ["--format", "sarif"]),
    "annotate": ("smemdesc.render.annotated._origins", ["--annotate"]),
    "svg": ("smemdesc.render.scan._row", []),
    "overview": ("smemdesc.render.scan_report._places", []),
    "judge": ("smemdesc.instructions.mma.Judge.judge", ["--format", "short"]),
    "only": ("smemdesc.instructions.mma.Judge.judge", ["--only", "warning", "--json"]),
}
"""What stumbles over the function ``broken``, of which the MMAs have another shape, or over a file of three."""


@pytest.mark.slow
@pytest.mark.parametrize("form", FAULTS)
def test_a_fault_in_one_function_is_one_line_and_the_rest_is_there(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, arguments = FAULTS[form]
    original = resolve_name(place)

    def stumble(*given: Any, **more: Any) -> Any:
        if "n=64" in repr(given) or getattr(given[0], "with_mmas", 0) == 3:
            raise KeyError(0)
        return original(*given, **more)

    monkeypatch.setattr(place, stumble)
    monkeypatch.delenv("SMEMDESC_DEBUG", raising=False)
    dump, other, svg = (tmp_path / each for each in ("k.sass", "other.sass", "k.svg"))
    broken = SASS.replace(NAME, "broken").replace("64x128x16", "64x64x16")
    text = SASS.replace(NAME, "before") + broken + SASS.replace(NAME, "after")
    dump.write_text(text)
    other.write_text(SASS.replace(NAME, "other"))
    ran = run(["scan", *(["--svg", str(svg)] if form == "svg" else arguments), str(dump), str(other)])
    said = [each for each in ran.err.splitlines() if each.startswith(("error: ", '{"severity": "error"'))]
    assert (len(said), ran.status) == (1, 2), ran.err
    assert "an error in smemdesc itself (KeyError: 0)" in said[0]
    out = svg.read_text() if form == "svg" else ran.out
    lines_of = [str(number) for number, line in enumerate(text.splitlines(), 1) if "x128x16" in line]
    wanted = (("before", lines_of[0]), ("after", lines_of[4]), ("other",))
    assert [each for each in wanted if not any(map(out.__contains__, each))] == []
