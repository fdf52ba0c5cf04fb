"""``--check`` and ``--strict``: what fails a build, and what cannot be passed by having nothing to check."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from fuzz.lines import commands
from run import smemdesc

DATA = Path(__file__).parents[2] / "examples" / "data"
SASS, PTX = str(DATA / "gemm_sm90.sass"), (DATA / "matmul_sm100.ptx").read_text()
SOUND, DOUBTFUL, WRONG = "0x4000404000010040", "0x4000401000010040", "0x6000404000010040"
CARRIED = "0x4000404000014040"
README = ["--dtype", "bf16", "--major", "MN", "--shape", "128x16", SOUND]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"], ["--field", "swizzle"]])
@pytest.mark.parametrize(
    ("value", "check", "strict"),
    [
        (SOUND, 0, 0),
        (DOUBTFUL, 0, 1),
        (WRONG, 1, 1),
        (CARRIED, 1, 1),
        ("0x08200490", 0, 0),
        ("0x4000004000014040", 0, 1),
    ],
)
def test_decode(value: str, check: int, strict: int, more: list[str]) -> None:
    more = [] if value == "0x08200490" and "--field" in more else more
    assert smemdesc("decode", *more, value).status == 0
    assert smemdesc("decode", "--check", *more, value).status == check
    assert smemdesc("decode", "--strict", *more, value).status == strict
    assert smemdesc("decode", "--check", "--strict", *more, value).status == strict


_A, _B = ("--a", SOUND), ("--b", "0x4000404000010440")
QUIET = [
    (["decode", SOUND], 0, 0),
    (["decode", DOUBTFUL], 0, 1),
    (["decode", WRONG], 1, 1),
    (["decode", SOUND, WRONG], 1, 1),
    (["mma", *_A, *_B, "--idesc", "0x08200490", "--mma-kind", "f16"], 0, 0),
    (["mma", *_A, *_B, "--idesc", "0x08210490", "--mma-kind", "f16"], 0, 1),
    (["scan", SASS], 0, 0),
    ([SASS], 0, 0),
    (["scan", "--at", "nowhere", SASS], 2, 2),
]


@pytest.mark.parametrize(("words", "check", "strict"), QUIET, ids=lambda words: str(words)[:50])
def test_quietly_the_status_answers(words: list[str], check: int, strict: int) -> None:
    ran = smemdesc(*words, "-q")
    assert (ran.out, ran.status) == ("", check)
    assert smemdesc(*words, "--quiet", "--strict").status == strict


def test_what_is_wrong_with_the_command_is_printed_all_the_same() -> None:
    ran = smemdesc("decode", "-q", "zz")
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("error: not a value")
    for flags in (["-q", "-j"], ["-qj"]):
        both = smemdesc("decode", *flags, SOUND)
        assert (both.out, both.status) == ("", 2)
        assert json.loads(both.err)["message"] == "--json and --quiet cannot be given together"


@pytest.mark.parametrize(
    "words",
    ["decode zz", "zz", "mask zz --m 64 --n 128", "mma zz", "scan nowhere", "plan 1x1x1 bf16", "layout operand zz"],
)
def test_the_short_name_of_json_has_messages_in_json_too(words: str) -> None:
    short, long = (smemdesc(*words.split(), option) for option in ("-j", "--json"))
    assert short == long
    assert json.loads(short.err.splitlines()[0])["severity"] == "error"


DESC = ["--start", "1KiB", "--swizzle", "128B", "--sbo"]
TILE = ["--tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--mma", "64x16", "--start"]
LAYOUT = ["--layout", "Sw<3,4,3> o smem_ptr[16b](unset) o (64,16):(64,1)", "--dtype", "bf16", "--major", "K"]
IDESC = ["--mma-kind", "f16", "--a-type", "f16", "--b-type", "f16", "--m"]
_SIZES = ["--dim", "4096,2048", "--stride", "8192", "--swizzle", "128B", "--box"]
MAP = ["tensormap", "--dtype", "bf16", "--address", "0x7f1234567000", *_SIZES]
ENCODED = [
    # what is encoded, and the status with --check and with --strict
    (["tcgen05", *DESC, "1024"], 0, 0),
    (["tcgen05", *DESC, "512"], 0, 1),
    (["wgmma", *DESC, "512"], 0, 1),
    (["tcgen05", *DESC, "1024", "--raw", "fixed_53=1"], 1, 1),
    (["tcgen05", *DESC, "1024", "--raw", "fixed_53=1", "--force"], 1, 1),
    (["tcgen05", *DESC, "1024", "--raw", "fixed_53=1", "--json", "--force"], 1, 1),
    (["tcgen05", *TILE, "1KiB"], 0, 0),
    (["tcgen05", *TILE, "227KiB"], 0, 1),
    (["tcgen05", "--tile", "64x64", "--dtype", "tf32", "--major", "MN", "--swizzle", "128B"], 1, 1),
    (["tcgen05", *LAYOUT, "--start", "1KiB"], 0, 0),
    (["tcgen05", *LAYOUT, "--start", "227KiB"], 0, 1),
    (["wgmma", "--from", "0x4000404000010040", "--advance", "32B"], 0, 1),
    (["idesc", *IDESC, "128", "--n", "64"], 0, 0),
    (["idesc", *IDESC, "128", "--n", "64", "--sparsity-selector", "2"], 0, 1),
    (["idesc", *IDESC, "128", "--n", "64", "--saturate"], 1, 1),
    ([*MAP, "64,128"], 0, 0),
    ([*MAP, "128,64"], 1, 1),
    ([*MAP, "128,64", "--force"], 1, 1),
    ([*MAP, "128,128", "--dtype", "16U4_ALIGN16B"], 0, 0),
    (["mask", "--skip-span", "3", "--use-span", "4"], 0, 0),
    (["mask", "--skip-span", "3", "--use-span", "4", "--start-count-0", "9"], 0, 1),
]


@pytest.mark.parametrize(("arguments", "check", "strict"), ENCODED)
def test_no_constant_is_printed_that_a_gate_rejects(arguments: list[str], check: int, strict: int) -> None:
    for gate, status in (("--check", check), ("--strict", strict)):
        ran = smemdesc("encode", *arguments, gate)
        assert (ran.status, bool(ran.out)) == (status, not status)
        assert bool(ran.err) or not status


def test_a_batch_of_objects_loses_only_what_a_gate_rejects() -> None:
    said = [json.loads(smemdesc("decode", "--json", each).out) for each in (SOUND, DOUBTFUL, WRONG)]
    text = "".join(json.dumps({"kind": each["kind"], "value": each["value"]}) + "\n" for each in said)
    for gate, lines in (([], 3), (["--check"], 2), (["--strict"], 1)):
        ran = smemdesc("encode", "-", *gate, stdin=text)
        assert (ran.status, len(ran.out.split())) == (1 if gate else 0, lines)
    assert "line 3" in ran.err
    assert smemdesc("encode", "-", "--check", stdin=text + "nonsense").status == 2


def test_the_opening_case_of_the_readme() -> None:
    assert smemdesc("decode", "--check", *README).status == 0
    assert smemdesc("decode", "--strict", *README).status == 1


def test_a_warning_in_every_reading_fails_strict() -> None:
    # f16 x bf16, or e4m3 x e5m2 with M = 128: each reading doubts a maximum shift
    value = "0x48120010"
    ran = smemdesc("decode", "--strict", value)
    assert ran.status == 1
    assert "warning-in-every-reading" in ran.out
    assert smemdesc("decode", "--check", value).status == 0


MASK = "0x0203028301020100"
CONV = "conv --q 255 --n 128 --m 128 --tile 1 --left 2 --filter 3"


@pytest.mark.parametrize(
    ("arguments", "check", "strict"),
    [
        ("0x0003028100000000 --m 64 --n 128", 0, 0),
        ("0x0003028100000003 --m 64 --n 128", 0, 1),
        ("0x2103028100000000 --m 64 --n 128", 1, 1),
        (f"{MASK} --m 32 --n 64", 0, 0),
        ("0x1303028301020100 --m 32 --n 64", 1, 1),
        (f"{MASK} --m 32 --n 66", 1, 1),
        (f"{MASK} UR4 --m 32 --n 66", 2, 2),
        (CONV, 0, 0),
        (f"{CONV} --expect 0x007e008000000000", 0, 0),
        (f"{CONV} --expect 0x00fc010000000000", 1, 1),
        (f"{CONV} --expect 0x3f7e008000000000", 2, 2),
    ],
)
def test_mask(arguments: str, check: int, strict: int) -> None:
    for more in ([], ["--json"]):
        assert smemdesc("mask", *arguments.split(), "--check", *more).status == check
        assert smemdesc("mask", *arguments.split(), "--strict", *more).status == strict


@pytest.mark.parametrize("gate", ["--check", "--strict"])
@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize("text", ["", "no descriptors here\n", f"auto x = {SOUND}ull;\n"])
def test_a_scan_that_found_nothing_has_checked_nothing(gate: str, more: list[str], text: str) -> None:
    ran = smemdesc("scan", gate, *more, "-", stdin=text)
    assert ran.status == 1
    assert "nothing was checked: no tensor-core instruction was found" in ran.err.splitlines()[0]
    assert smemdesc("scan", *more, "-", stdin=text).status == 0


EMPTY = ["", "\n", "# a comment\n\n  \n"]
READERS = [
    *("decode -", "decode --json -", "mask - --m 32 --n 64", "encode -"),
    "encode wgmma --dtype bf16 --major K --layout -",
]


@pytest.mark.parametrize("gate", ["--check", "--strict"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", EMPTY)
def test_an_empty_standard_input_is_not_sound(reader: str, text: str, gate: str) -> None:
    ran = smemdesc(*shlex.split(reader), gate, stdin=text)
    assert (ran.status, ran.out) == (1, "")
    assert "nothing of standard input was checked: it is empty" in ran.err.splitlines()[0]
    ran = smemdesc(*shlex.split(reader), stdin=text)
    assert (ran.status, ran.out) == (0, "")
    assert "standard input has no value" in ran.err


CHECKING = [" ".join(words) for words, of in commands() if any(each.name == "check" for each in of.params)]


@pytest.mark.parametrize("command", CHECKING)
def test_no_check_is_passed_by_an_empty_standard_input(command: str) -> None:
    assert smemdesc(*command.split(), "-", "--check", stdin="\n").status != 0


def test_a_value_beside_an_empty_standard_input() -> None:
    assert smemdesc("decode", "--strict", SOUND, stdin="").status == 0
    assert smemdesc("decode", "--strict", SOUND, "-", stdin="").status == 1
    assert smemdesc("decode", "--strict", "-", "-", stdin=SOUND).status == 0


def test_one_file_with_instructions_is_enough(tmp_path: Path) -> None:
    (tmp_path / "empty.sass").write_text("nothing\n")
    assert smemdesc("scan", "--strict", SASS, str(tmp_path / "empty.sass")).status == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("was", "now", "check", "strict"),
    [("136381584", "136381584", 0, 0), ("136381584", str(0x48140490), 0, 1), ("sm_100a", "sm_120a", 1, 1)],
)
def test_scan(was: str, now: str, check: int, strict: int) -> None:
    assert was in PTX
    text = PTX.replace(was, now)
    for more in ([], ["--json"]):
        assert smemdesc("scan", "--check", *more, "-", stdin=text).status == check
        assert smemdesc("scan", "--strict", *more, "-", stdin=text).status == strict


@pytest.mark.parametrize("more", [[], ["--json"], ["--check"]])
def test_a_function_that_is_not_there_is_an_error(more: list[str]) -> None:
    ran = smemdesc("scan", *more, "--function", "nothing_of_that_name", SASS)
    assert ran.status == 2
    assert "--function: no function is named nothing_of_that_name" in ran.err
    assert smemdesc("scan", *more, "--function", "gemm_*", SASS).status == 0


@pytest.mark.parametrize(
    ("arch", "says", "status"),
    [
        ("sm_100", "error kind-arch: sm_100 has no tcgen05; did you mean sm_100a or sm_100f?", 1),
        ("sm_120a", "error kind-arch: sm_120a has neither wgmma nor tcgen05", 1),
        ("sm_121a", "error kind-arch: sm_121a has neither wgmma nor tcgen05", 1),
        ("sm_90a", "error kind-arch: sm_90a has no tcgen05; it exists on sm_100a", 1),
        ("sm_101a", "note kind-arch: sm_101a is the old name of sm_110a", 0),
        ("sm_42", "warning kind-arch: sm_42 is not a known architecture", 0),
        ("sm_103f", "PTX, sm_103f, 1 MMA", 0),
        ("sm_110f", "PTX, sm_110f, 1 MMA", 0),
    ],
)
def test_the_architecture_of_a_dump_is_never_dropped(arch: str, says: str, status: int) -> None:
    ran = smemdesc("scan", "--check", "-", stdin=PTX.replace("sm_100a", arch))
    assert says in ran.out
    assert ran.status == status


def test_machine_code_of_a_family_target_is_named_by_its_number() -> None:
    text = (DATA / "gemm_sm100.sass").read_text()
    ran = smemdesc("scan", "--strict", "-", stdin=text.replace("sm_100a", "sm_100"))
    assert ran.status == 0
    assert "SASS, sm_100f" in ran.out


@pytest.mark.parametrize("arch", ["sm_100", "100", "sm_120a", "sm_90"])
def test_an_architecture_that_lacks_it_is_a_finding(arch: str) -> None:
    ran = smemdesc("decode", "--check", "--arch", arch, SOUND)
    assert ran.status == 1
    assert "error kind-arch: sm_" in ran.out
