"""``smemdesc decode``: batches, statuses, what goes where."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from run import PROGRAM, environment, refused, smemdesc
from samples import ALL, SOUND
from tables import every_row

from smemdesc.descriptors.decoding import decode_value
from smemdesc.kinds.kind import Kind

GOOD = "0x4000404000010040"
BAD = "0x6000404000010040"


def test_a_first_word_that_is_a_number_is_decoded() -> None:
    assert smemdesc(GOOD).out == smemdesc("decode", GOOD).out


@pytest.mark.parametrize(
    "value", ["-9223371899399045120", "0x40004040:?", "c000404000010040", "deadbeef", "'0x40'", "?:0x40"]
)
def test_numbers_that_a_first_word_can_be(value: str) -> None:
    assert smemdesc(value).out == smemdesc("decode", value).out != ""


def test_options_may_stand_on_either_side_of_a_negative_number() -> None:
    before = smemdesc("decode", "--json", "-9223371899399045120")
    assert before.out == smemdesc("decode", "-9223371899399045120", "--json").out
    assert json.loads(before.out)["value"] == "0x8000002001000000"


def test_nothing_is_lost_of_a_batch() -> None:
    ran = smemdesc("decode", "--json", "-", stdin=f"# first\n\n{GOOD}\nUR4\n0x40004040 # high word\n0x4000g\n{BAD}\n")
    assert [json.loads(line)["input"] for line in ran.out.splitlines()] == [GOOD, "0x40004040", BAD]
    places = [(each["line"], each["place"]) for each in map(json.loads, ran.err.splitlines())]
    assert places == [
        (4, {"text": "UR4", "column": 1, "length": 3}),
        (6, {"text": "0x4000g", "column": 7, "length": 1}),
    ]
    assert ran.status == 2


def test_unreadable_beats_check() -> None:
    assert smemdesc("decode", "--check", BAD, "UR4").status == 2


def test_several_values_are_numbered_in_errors() -> None:
    ran = smemdesc("decode", "--field", "swizzle", GOOD, "UR4")
    assert ran.out == "128B\n"
    assert "value 2: " in ran.err


@pytest.mark.parametrize(
    ("value", "fields", "out"),
    [
        (GOOD, ["stride_byte_offset"], "1024\n"),
        (GOOD, ["swizzle", "lbo_mode"], "128B\trelative\n"),
        (GOOD, ["verdict"], "valid\n"),
        ("0x4000402000010040", ["kind", "verdict"], "tcgen05\tsuspicious\n"),
        ("0x4000404000010041".replace("4040", "c040"), ["verdict"], "invalid\n"),
        ("0x08200490", ["verdict"], "ambiguous\n"),
        ("0x40004040", ["start_address"], "?\n"),
        (BAD, ["swizzle"], "undefined:3\n"),
        ("0x08200490", ["m", "sparse"], "128\tfalse\n"),
        (GOOD, ["kind", "swizzle.raw", "sbo.raw"], "tcgen05\t2\t64\n"),
        ("0x08200490", ["kind", "a_type.raw"], "idesc\t1\n"),  # of several MMA kinds: the bits are the same
        ("0x40004040", ["start_address.raw", "swizzle.raw"], "?\t2\n"),
    ],
)
def test_field(value: str, fields: list[str], out: str) -> None:
    options = [part for field in fields for part in ("--field", field)]
    assert smemdesc("decode", *options, value).out == out


@every_row("kind", ALL)
def test_kind_and_the_bits_of_every_field(kind: Kind) -> None:
    result = decode_value(SOUND[kind.id], kind.id)
    assert result.bare("kind") == kind.name
    assert [result.bare(f"{key}.raw") for key in result.fields] == [str(each.raw) for each in result.fields.values()]


@every_row(
    ("value", "field", "says"),
    [
        (GOOD, "swizzle.bits", ["swizzle has no 'bits'", "swizzle.raw"]),
        (GOOD, "swizzle.", ["swizzle has no ''"]),
        (GOOD, "nonsense.raw", ["has no field 'nonsense'"]),
        (GOOD, "kind.raw", ["has no field 'kind'"]),
        ("0x9829044149403490", "kind", ["kind of 0x9829044149403490 depends on the reading"]),
        ("0x9829044149403490", "swizzle.raw", ["swizzle of", "depends on the reading", "no such field"]),
        ("0xe441bca4", "d_type", ["idesc:f16: undefined:2"]),
    ],
)
def test_a_field_that_is_none_is_an_error(value: str, field: str, says: list[str]) -> None:
    refused("decode", "--field", field, value, says=says)


def test_binary_junk_on_standard_input() -> None:
    ran = smemdesc("decode", "-", stdin=b"\xff\xfe\x00junk\n\x80\n" + GOOD.encode() + b"\n")
    assert ran.status == 2
    assert GOOD in ran.out
    assert "Traceback" not in ran.err


def test_carriage_returns_do_not_matter() -> None:
    assert smemdesc("decode", "--field", "swizzle", "-", stdin=f"{GOOD}\r\n{GOOD}\r\n").out == "128B\n128B\n"


def test_a_closed_pipe_ends_quietly() -> None:
    command = " ".join(f"'{part}'" for part in [*PROGRAM, "decode", "--json", "-"])
    done = subprocess.run(
        f"yes {GOOD} | {command} | head -n 1", shell=True, capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_full_disk_is_an_error_and_no_traceback() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, "decode", GOOD], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write")


def test_python_m() -> None:
    done = subprocess.run([sys.executable, "-m", "smemdesc", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("smemdesc, version ")


SASS = Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass"


def test_a_file_among_values_belongs_to_scan() -> None:
    ran = smemdesc("decode", "--field", "swizzle", GOOD, str(SASS))
    assert (ran.out, ran.status) == ("128B\n", 2)
    assert f"smemdesc scan {SASS}" in ran.err


@pytest.mark.parametrize("options", [("--short",), ("--field", "sbo")])
def test_a_short_answer_says_what_was_not_read_beside_it(options: tuple[str, ...]) -> None:
    ran = smemdesc(*options, "-", stdin="%r4 = 65600; %r5 = 1073758272\n")
    assert (ran.status, ran.err) == (0, "note: line 1: not read: 65600\n")
    assert "65600" not in ran.out
