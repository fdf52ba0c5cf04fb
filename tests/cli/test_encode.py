"""``smemdesc encode``: options in people's units, refusals that name the option, formats, the way back."""

from __future__ import annotations

import json
import random
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from run import smemdesc
from samples import long_run

from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.names import SCANNED

TCGEN05 = ["encode", "tcgen05", "--start", "0x400", "--sbo", "1024", "--swizzle", "128B"]


@pytest.mark.parametrize("style", ["dec", "sdec", "words"])
def test_bare_formats_read_back(style: str) -> None:
    text = smemdesc(*TCGEN05, "--format", style).out.strip()
    assert json.loads(smemdesc("decode", "--json", "--", text).out)["value"] == "0x4000404000010040"


@pytest.mark.parametrize("style", ["hex", "c", "cuda", "ptx", "python"])
def test_a_pipe_reads_every_format_of_code_back(style: str) -> None:
    text = smemdesc(*TCGEN05, "--format", style).out
    assert json.loads(smemdesc("--json", stdin=text).out)["value"] == "0x4000404000010040"


@pytest.mark.corpus
@pytest.mark.parametrize("kind", [each for name in SCANNED for each in ids(name)] + ["tensormap"])
@pytest.mark.parametrize("count", [200, long_run(500)])
def test_decode_and_back_is_the_identity(kind: str, count: int) -> None:
    rng = random.Random(kind)
    digits = kind_of(kind).table.width // 4
    values = [f"0x{rng.getrandbits(4 * digits):0{digits}x}" for _ in range(count)]
    values += ["0x" + "0" * digits, "0x" + "f" * digits]
    decoded = smemdesc("decode", "--json", "--kind", kind, "-", stdin="\n".join(values))
    assert decoded.status == 0
    assert smemdesc("encode", "-", stdin=decoded.out).out.split() == values


@pytest.mark.slow
def test_back_without_a_kind() -> None:
    rng = random.Random(0)
    values = [f"0x{rng.getrandbits(64):016x}" for _ in range(300)]
    values += [f"0x{rng.getrandbits(32):08x}" for _ in range(100)]
    values += ["0x40004040:?", "?:0x00010040", "0x40004040????????", "0x0820049000000000", "0x08200490"]
    decoded = smemdesc("decode", "--json", "-", stdin="\n".join(values))
    values[-5:-3] = ["0x40004040????????", "0x????????00010040"]
    back = smemdesc("encode", "-", stdin=decoded.out).out.split()
    # A word that only fits as a 64-bit value comes back with 16 digits.
    assert [text.replace("0x00000000", "0x") for text in back] == values


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"kind": "tcgen05", "fields": {"foo": 1}}', "foo"),
        ('{"kind": "tcgen05", "fields": {"stride_byte_offset": 7}}', "multiple of 16"),
        ('{"kind": "tcgen05", "fields": {"base_offset": {"raw": 8}}}', "base_offset"),
        ('{"kind": "tcgen05", "fields": {"swizzle": {"raw": 2, "value": "64B"}}}', "raw 2 says '128B'"),
        ('{"kind": "tcgen05", "fields": {"swizzle": true}}', "true is not one of none"),
        (
            '{"kind": "tcgen05", "fields": {"swizzle": {"raw": 2, "value": false}}}',
            "raw 2 says '128B', value says false",
        ),
        ('{"kind": "tcgen05", "value": true}', "\n  true\n"),
        ('{"kind": "tcgen05", "view": null}', "there is no view null"),
        ('{"kind": "idesc", "mma_kind": "f16", "fields": {"m": 128, "n": 512}}', "N of kind::f16 with M = 128 is: "),
        ('{"kind": "tcgen06"}', "tcgen06"),
        ('{"kind": "idesc", "fields": {}}', "MMA kind"),
        ('{"kind": "tcgen05", "feilds": {}}', "feilds"),
        ("{", "not JSON"),
        ("[]", "an object"),
    ],
)
def test_bad_object_is_reported_and_the_rest_goes_on(text: str, words: str) -> None:
    good = '{"kind": "idesc", "mma_kind": "f16", "fields": {"m": 128, "n": 64}}'
    ran = smemdesc("encode", "-", stdin=f"{text}\n{good}\n")
    assert ran.out == "0x08100010\n"
    assert "line 1: " in ran.err
    assert words in ran.err
    assert ran.status == 2


@pytest.mark.parametrize("value", ["68158608", '"0x04100490"', '"+68158608"'])
def test_a_number_of_json_is_decimal(value: str) -> None:
    ran = smemdesc("encode", "-", stdin=f'\ufeff{{"kind": "idesc", "mma_kind": "f16", "value": {value}}}')
    assert (ran.out, ran.status) == ("0x04100490\n", 0)


def test_digits_in_the_other_base_are_no_start() -> None:
    words = ("encode", "idesc", "--mma-kind", "f16", "--n", "128", "--from")
    ran = smemdesc(*words, "68158608")
    assert (ran.out, ran.status) == ("", 2)
    assert "only the decimal reading of 68158608 is sound: 0x04100490" in ran.err
    assert "+68158608" in ran.err
    assert smemdesc(*words, "+68158608").out == "0x04200490\n"


COMPILED = (
    "tcgen05 --start 0x400 --sbo 1024 --swizzle 128B",
    "idesc --mma-kind f16 --a-type bf16 --b-type bf16 --m 128 --n 128",
    "wgmma --tile 64x64 --mma 64x16 --dtype bf16 --major K --swizzle 128B",
    "wgmma --layout 'Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_64):(_64,_1)' --mma 64x16 --dtype bf16",
    "tensormap --dtype bf16 --address 0x1000 --dim 64,64 --stride 128 --box 64,64",
    "-",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "compiler", "suffix"),
    [("c", "gcc -std=c11", "c"), ("c", "g++", "cpp"), ("cuda", "g++ -std=c++11", "cpp")],
)
def test_constants_compile_alone(style: str, compiler: str, suffix: str, tmp_path: Path) -> None:
    program, *options = compiler.split()
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    decoded = smemdesc("decode", "--json", "0x4000404000010040").out
    names = [f"{number}.{suffix}" for number in range(len(COMPILED))]
    for command, name in zip(COMPILED, names, strict=True):
        form = "c" if command.startswith("tensormap") else style
        (tmp_path / name).write_text(smemdesc("encode", *shlex.split(command), "--format", form, stdin=decoded).out)
    options += ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused", "-fsyntax-only"]
    subprocess.run([program, *options, *names], cwd=tmp_path, check=True)
