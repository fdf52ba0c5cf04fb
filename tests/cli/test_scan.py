"""``smemdesc scan``: whole outputs, JSON, statuses, several files, input that is broken."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from run import PROGRAM, environment, held, on_terminal, smemdesc
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import mentions, text, workers
from smemdesc.scanning.inputs.binaries.members import Ask

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
HOPPER = (DATA / "gemm_sm90.sass").read_text()
BLACKWELL = (DATA / "gemm_sm100.sass").read_text()
KEYS = ["file", "line", "function", "instruction", "kind", "mma_kind", "a", "b", "idesc", "mask", "verdict"]
KEYS += ["findings"]
WRONG = HOPPER.replace("0x40000080", "0x40004040")  # B with the constant of a tcgen05 descriptor
LOST = HOPPER.replace("UMOV UR11, 0x40000080", "LDCU UR11, c[0x0][0x210]")

IN_A_PIPE = {
    "sm90": (["-"], HOPPER),
    "sm100": (["-"], BLACKWELL),
    "all": (["--all", "-"], HOPPER),
    "json": (["--json", "-"], BLACKWELL),
    "wrong": (["-"], WRONG),
    "nothing": (["-"], "void f() {}\n"),
}


@pytest.mark.parametrize("name", IN_A_PIPE)
def test_in_a_pipe(name: str) -> None:
    arguments, text = IN_A_PIPE[name]
    ran = smemdesc("scan", *arguments, stdin=text)
    held("scan", name, ran.out)
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize(("columns", "more"), [(80, {}), (200, {}), (80, {"NO_COLOR": "1"})])
def test_on_a_terminal(columns: int, more: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)  # a whole path would move the line breaks, elsewhere to other places
    ran = on_terminal("scan", "gemm_sm100.sass", columns=columns, **more)
    held("scan", f"terminal-{columns}{'-no-color' if more else ''}", ran.out)
    assert ran.status == 0


def test_json_has_the_promised_keys() -> None:
    objects = [json.loads(line) for line in smemdesc("scan", "--json", "-", stdin=BLACKWELL).out.splitlines()]
    assert len(objects) == 4
    for each in objects:
        assert list(each)[: len(KEYS)] == KEYS
        assert each["a"]["kind"] == each["b"]["kind"] == each["kind"] == "tcgen05"
        assert (each["idesc"]["value"], each["mma_kind"], each["mask"]) == ("0x08200490", "f16", None)


def test_a_descriptor_in_the_json_goes_back_into_encode() -> None:
    line = smemdesc("scan", "--json", "-", stdin=BLACKWELL).out.splitlines()[0]
    operand = json.loads(line)["b"]
    assert smemdesc("encode", "-", stdin=json.dumps(operand)).out.strip() == operand["value"]


def test_what_was_lost_is_named() -> None:
    line = json.loads(smemdesc("scan", "--json", "-", stdin=LOST).out.splitlines()[0])
    assert line["b"]["known"].startswith("0x00000000")
    assert line["lost"]["b"]["instruction"] == "LDCU UR11, c[0x0][0x210]"
    assert LOST.splitlines()[line["lost"]["b"]["line"] - 1].split("*/")[1].strip().startswith("LDCU UR11")


def test_function_takes_a_pattern() -> None:
    both = HOPPER + BLACKWELL
    assert "gemm_bf16" not in smemdesc("scan", "--function", "*f16_K_MN*", "-", stdin=both).out
    assert "no function is named nosuch" in smemdesc("scan", "--function", "nosuch", "-", stdin=both).out


def test_files_keep_their_order_and_their_names() -> None:
    names = [str(DATA / "gemm_sm100.sass"), str(DATA / "gemm_sm90.sass")]
    found = [json.loads(line)["file"] for line in smemdesc("scan", "--json", *names, *names).out.splitlines()]
    assert found == [name for name in (*names, *names) for _ in range(4)]


def test_a_file_that_is_missing_does_not_hide_the_others(tmp_path: Path) -> None:
    ran = smemdesc("scan", str(tmp_path / "none"), str(tmp_path), str(DATA / "gemm_sm90.sass"))
    assert ran.status == 2
    assert "no such file" in ran.err
    assert "nothing to scan" in ran.err
    assert "gemm_f16_K_MN_128B" in ran.out


@pytest.mark.parametrize(
    ("beginning", "command"),
    [
        ("UTCHMMA".encode("utf-16"), "iconv -f UTF-16 -t UTF-8"),
        (b"BC\xc0\xde", "llvm-dis -o -"),
    ],
)
def test_what_is_no_text_is_sent_to_the_tool_that_prints_it(beginning: bytes, command: str, tmp_path: Path) -> None:
    (tmp_path / "k").write_bytes(beginning)
    ran = smemdesc("scan", str(tmp_path / "k"))
    assert (ran.out, ran.status) == ("", 2)
    assert f"{command} {tmp_path}/k | smemdesc scan -" in ran.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF\x02\x01", "holds no device code"),
        (bytes.fromhex("50ed55ba"), "holds no device code"),
        (b"!<arch>\n", "holds no device code"),
        (b"PK\x03\x04", "it cannot be unpacked (File is not a zip file)"),
        (b"\x1f\x8b\x08\x07", "cannot be unpacked"),
    ],
    ids=["elf", "fat binary", "archive", "zip", "gzip of 4 bytes"],
)
def test_what_holds_nothing_or_is_damaged_is_said(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "k").write_bytes(content)
    ran = smemdesc("scan", str(tmp_path / "k"))
    assert (ran.out, ran.status) == ("", 2)
    assert message in ran.err


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_compressed_is_unpacked(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "k").write_bytes(pack(HOPPER.encode()))
    (tmp_path / "plain").write_text(HOPPER)
    ran = smemdesc("scan", str(tmp_path / "k"))
    assert ran == smemdesc("scan", str(tmp_path / "plain"))._replace(out=ran.out)
    assert ran.out.partition("\n\n")[2] == smemdesc("scan", str(tmp_path / "plain")).out.partition("\n\n")[2]


def test_standard_input_is_read_once() -> None:
    ran = smemdesc("scan", "-", "-", stdin=HOPPER)
    assert ran.status == 2
    assert "gemm_f16" in ran.out
    assert "only once" in ran.err


@pytest.mark.corpus
def test_processes_do_not_change_the_answer(tmp_path: Path) -> None:
    long = tmp_path / "long.sass"
    long.write_text((HOPPER + BLACKWELL) * 120)
    assert long.stat().st_size > 4_000_000
    one = smemdesc("scan", "--json", "--jobs", "1", str(long))
    many = smemdesc("scan", "--json", "--jobs", "3", str(long))
    assert one.out.count("\n") == 8 * 120
    assert one == many
    lines = long.read_text().splitlines()
    for line in map(json.loads, one.out.splitlines()):
        assert line["instruction"].split(",")[0] in lines[line["line"] - 1]


def test_a_pipe_can_be_named() -> None:
    command = f"{' '.join(PROGRAM[:1])} -m smemdesc scan <(cat {DATA / 'gemm_sm90.sass'})"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment(), check=True)
    assert "gemm_f16_K_MN_128B" in done.stdout


@every_row("cut", [0, 1, 100, 2000, 9000, 12000])
def test_a_file_that_is_cut_off(cut: int) -> None:
    part = scan_text(HOPPER[:cut])
    assert sum(len(each.mmas) for each in part.functions) == HOPPER[:cut].count("HGMMA")


def test_windows_line_ends_change_nothing() -> None:
    assert scan_text(HOPPER.replace("\n", "\r\n")).functions == scan_text(HOPPER).functions


@pytest.mark.slow
def test_junk_is_survived_and_the_rest_is_found() -> None:
    generator = random.Random(1)
    for _ in range(30):
        lines = HOPPER.splitlines()
        for _ in range(20):
            junk = generator.randbytes(generator.randrange(200)).decode("latin-1").replace("\n", " ")
            lines.insert(generator.randrange(len(lines)), junk)
        part = scan_text("\n".join(lines).encode("utf-8", "replace"))
        assert sum(len(each.mmas) for each in part.functions) == 4


def test_a_line_of_a_megabyte() -> None:
    part = scan_text(HOPPER.replace("NOP ;", "x" * 1_000_000, 1) + "y" * 1_000_000)
    assert len(part.functions[0].mmas) == 4


def test_an_unknown_instruction_may_have_written_what_it_names_first() -> None:
    line = next(line for line in HOPPER.splitlines() if "HGMMA" in line)
    odd = "                   UFROB.X2 UR8, UR5 ;"
    found = scan_text(HOPPER.replace(line, f"{odd}\n{line}"))
    first = found.functions[0].mmas[0]
    assert first.a is not None
    assert first.a.lost_text == "UFROB.X2 UR8, UR5"
    assert first.a.known < 1 << 32


def test_no_color_in_a_pipe_unless_forced() -> None:
    assert "\x1b[" not in smemdesc("scan", "-", stdin=HOPPER).out
    assert "\x1b[" in smemdesc("scan", "--color", "always", "-", stdin=HOPPER).out


@pytest.mark.slow
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    long = tmp_path / "long.sass"
    long.write_text((HOPPER + f"// {'-' * 30_000}\n") * 60)  # so long that several processes read it
    command = f"{PROGRAM[0]} -m smemdesc scan --json {long} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment(), check=True)
    assert done.stderr == ""
    assert os.path.exists(long)


def test_what_the_terminal_lacks_and_what_would_move_its_cursor() -> None:
    odd = HOPPER.replace("gemm_f16_K_MN_128B", "g\u00e9mm\x1b[2J")
    ran = smemdesc("scan", "-", stdin=odd, PYTHONIOENCODING="ascii")
    assert ran.status == 0
    assert "g\\xe9mm" in ran.out
    assert "[2J" not in ran.out


@pytest.mark.corpus
def test_a_bar_on_a_terminal_says_how_far_a_long_scan_is(tmp_path: Path) -> None:
    long = tmp_path / "long.sass"
    long.write_text(HOPPER * 900)
    assert long.stat().st_size > 16_000_000
    ran = on_terminal("scan", "--function", "nosuch", str(long))
    assert "MB" in ran.out
    assert "MB" not in smemdesc("scan", "--function", "nosuch", str(long)).err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a full device")
@pytest.mark.parametrize("how", ["2>&-", "2>/dev/full"])
def test_data_come_out_where_nobody_hears_the_errors(how: str) -> None:
    program, dump = shlex.quote(sys.executable), shlex.quote(str(DATA / "gemm_sm90.sass"))
    command = f"{program} -m smemdesc scan --json /nonexistent {dump} {how}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert ran.returncode == 2
    assert len(ran.stdout.splitlines()) > 3


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="a pipe has a name")
@pytest.mark.parametrize(("first", "second"), [("-", "-"), ("-", "/dev/stdin"), ("/dev/stdin", "/dev/stdin")])
def test_a_pipe_that_is_named_twice_is_not_empty_the_second_time(first: str, second: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -m smemdesc scan --json {first} {second}"
    ran = subprocess.run(["sh", "-c", command], input=HOPPER, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "can be read only once" in ran.stderr
    assert len(ran.stdout.splitlines()) == 4


def test_a_file_that_changes_is_told_of_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "long.sass"
    file.write_text(HOPPER * 20)
    monkeypatch.setattr(text, "PIECE_BYTES", 20_000)
    whole = workers.scan_files([str(file)], Ask(jobs=1))
    next(whole)
    file.write_text(HOPPER)
    told = [found.problem.message for found in whole if found.problem]
    assert told == [f"{file} changed while it was read"]


STEPPED = """\
.version 8.5
.target sm_90a
.visible .entry k(.param .u32 stage, .param .u32 place)
{
.reg .b32 %r<4>;
.reg .b64 %d<4>;
.reg .f32 %f<5>;
ld.param.u32 %r1, [stage];
ld.param.u32 %r2, [place];
and.b32 %r2, %r2, 0x1fff;
cvt.u64.u32 %d1, %r2;
or.b64 %d1, %d1, 0x4000004002000000;
mad.wide.u32 %d2, %r1, 512, %d1;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d2, %d1, 1, 1, 1, 0, 0;
ret;
}
"""


@pytest.mark.parametrize("name", ["gemm_sm90.sass", "gemm_sm100.sass", "matmul_sm100.ptx"])
def test_every_operand_in_json_says_which_bits_are_known(name: str) -> None:
    lines = [json.loads(line) for line in smemdesc("scan", "--json", str(DATA / name)).out.splitlines()]
    operands = [line[key] for line in lines for key in ("a", "b", "idesc", "mask") if line[key]]
    assert operands
    for operand in operands:
        assert len(operand["known"]) == len(operand["value"])
        whole = int(operand["known"], 16) == (1 << 4 * (len(operand["value"]) - 2)) - 1
        assert whole == all(field["raw"] is not None for field in operand["fields"].values())


def test_what_is_not_proven_is_said_apart() -> None:
    found = smemdesc("scan", "-", stdin=STEPPED).out
    assert "resolved: 1 of 2 descriptors known, " in found
    assert "not known: LBO, SBO: lost in line 8: ld.param.u32 %r1, [stage], an argument" in found
    assert (
        "not proven: LBO 8192 B, SBO 1024 B, if line 13: mad.wide.u32 %d2, %r1, 512, %d1 changes the start address only"
    ) in found
    (line,) = map(json.loads, smemdesc("scan", "--json", "-", stdin=STEPPED).out.splitlines())
    assert line["lost"]["a"]["why"] == "argument"
    assert line["provided"] == {
        "a": {
            "value": "0x4000004002000000",
            "known": "0xffffffffffffc000",
            "that": "the additions change only the start address",
            "additions": [{"line": 13, "instruction": "mad.wide.u32 %d2, %r1, 512, %d1", "keeps": "%d1"}],
        }
    }
    assert line["a"]["fields"]["leading_byte_offset"]["value"] is None


CUT = """\
.version 9.0
.target sm_100a
.visible .entry k()
{
mov.b32 %i, 0x08200490;
@%p bra $L;
mov.b32 %d, 4;
$L:
tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %i, %p;
"""


def test_many_fields_that_are_not_proven_are_those_that_say_something() -> None:
    said = smemdesc("scan", "-", stdin=CUT).out
    assert "not proven: d type f32, a type bf16, b type bf16, n 128, m 128, all others 0" in said
    assert "not known: every field: lost in line" in said


UNREAD = "#include <x>\nkernel.cu:12:HGMMA a, b\n"


@pytest.mark.parametrize(
    "options",
    ["", "--check", "--strict", "--json", "--format short", "--format sarif", "--format github", "--annotate", "--all"],
)
def test_an_instruction_that_was_seen_and_not_read_is_an_error_in_every_format(options: str) -> None:
    ran = smemdesc("scan", *options.split(), "-", stdin=UNREAD)
    assert ran.status == 2
    assert (
        f"-:2: this tensor-core instruction was seen, not read ({mentions.PROSE}): kernel.cu:12:HGMMA a, b" in ran.err
    )


@pytest.mark.parametrize("option", ["--diff", "--agree"])
def test_it_is_an_error_of_a_comparison(option: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(UNREAD)
    assert smemdesc("scan", option, str(path), str(path)).status == 2


def test_the_json_has_it() -> None:
    ran = smemdesc("scan", "--json", "-", stdin=UNREAD)
    assert json.loads(ran.out) == {
        "file": "-",
        "unread": [{"line": 2, "text": "kernel.cu:12:HGMMA a, b", "reason": mentions.PROSE}],
    }


def test_a_comment_is_a_note_in_every_format() -> None:
    for options in ((), ("--json",), ("--format", "github"), ("--all",)):
        ran = smemdesc("scan", *options, "-", stdin="#include <x>\n// HGMMA\n")
        assert (ran.status, ran.err) == (0, "")


def test_in_a_folder_names_count_only_where_nothing_is_read(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(UNREAD)
    assert smemdesc("scan", str(tmp_path)).status == 2
    (tmp_path / "gemm.sass").write_text(HOPPER)
    assert smemdesc("scan", str(tmp_path)).status == 0


LOG = DATA / "run.log"


def test_what_a_log_calls_a_descriptor_is_listed_with_its_verdict() -> None:
    ran = smemdesc("scan", str(LOG.relative_to(ROOT)))
    held("scan", "log", ran.out)
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        (LOG.read_text(), (1, 1)),
        ("desc_a = 0x4000402000010040\n", (0, 1)),
        ("desc_a = 0x4000404000010040\n", (0, 0)),
        ("x = 0x4000404000010040\n", (1, 1)),  # nothing that the text calls a descriptor was checked
    ],
)
def test_a_named_value_of_a_text_is_checked(text: str, statuses: tuple[int, int]) -> None:
    for form in ("text", "json", "short", "github", "sarif"):
        ran = [smemdesc("scan", option, "--format", form, "-", stdin=text).status for option in ("--check", "--strict")]
        assert tuple(ran) == statuses


def test_findings_of_values_are_selected_by_their_rules() -> None:
    ran = smemdesc("scan", "--only", "swizzle-code", "--json", str(LOG))
    assert [json.loads(line)["text"] for line in ran.out.splitlines()] == ["0x6000404000010442"]


def test_sarif_has_the_findings_of_values() -> None:
    results = json.loads(smemdesc("scan", "--format", "sarif", str(LOG)).out)["runs"][0]["results"]
    assert [result["ruleId"] for result in results][:3] == ["version-constant", "other-reading", "sbo-below-atom"]
    assert results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_several_files_have_a_total(tmp_path: Path) -> None:
    for name in ("a.sass", "b.sass"):
        (tmp_path / name).write_text(HOPPER)
    shown = smemdesc("scan", str(tmp_path / "a.sass"), str(tmp_path / "b.sass")).out
    alone = smemdesc("scan", str(tmp_path / "a.sass")).out
    count = int(re.search(r"with MMAs: (\d+) MMA", alone)[1])  # type: ignore[index]
    assert f"in all: 2 files, 2 functions with MMAs: {2 * count} MMAs\n" in shown
    assert "in all" not in alone


def test_fields_of_each_instruction() -> None:
    ran = smemdesc("scan", "--field", "verdict", "--field", "a.swizzle", "--field", "idesc.m", "-", stdin=HOPPER)
    lines = [line.split("\t") for line in ran.out.splitlines()]
    assert (ran.err, ran.status) == ("", 0)
    assert {tuple(values) for _, *values in lines} == {("valid", "128B", "-")}  # a wgmma has no such descriptor
    first = lines[0][0].removeprefix("<stdin>:")
    assert "HGMMA" in HOPPER.splitlines()[int(first) - 1]


def test_a_field_that_no_instruction_has() -> None:
    ran = smemdesc("scan", "--field", "swizzle", "-", stdin=HOPPER)
    assert (ran.out, ran.status) == ("", 2)
    assert "write verdict, a.NAME or b.NAME" in ran.err
