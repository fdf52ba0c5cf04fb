"""``smemdesc encode``: options in people's units, refusals that name the option, formats, the way back."""

from __future__ import annotations

import json
import random

import pytest
from run import refused, smemdesc
from samples import long_run

from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.names import KINDS

TCGEN05 = ["encode", "tcgen05", "--start", "0x400", "--sbo", "1024", "--swizzle", "128B"]
IDESC = ["encode", "idesc", "--mma-kind", "f16", "--a-type", "bf16", "--b-type", "bf16", "--m", "128", "--n", "128"]


K = ["--from", "0x4000004000010040"]
MN = ["--from", "0x4000008000400040"]
NONE = ["--from", "0x0000000800100000"]
BF16_K = ["--dtype", "bf16", "--major", "K"]
ON_107 = ["encode", "tcgen05", "--arch", "sm_107a", "--start", "0x41000"]
TILE_107 = ["--tile", "64x64", "--tile-start", "260KiB"]


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (TCGEN05, "0x4000404000010040"),
        (["encode", "wgmma", "--start", "1KiB", "--sbo", "64x16B", "--swizzle", "128B"], "0x4000004000010040"),
        (["encode", "wgmma", "--lbo", "256", "--sbo", "128"], "0x0000000800100000"),
        (["encode", "tcgen05", "--lbo", "512", "--sbo", "1024", "--swizzle", "64B"], "0x8000404000200000"),
        (IDESC, "0x08200490"),
        (["encode", "mask", "--skip-span", "3", "--use-span", "4", "--first-span-0"], "0x0003028100000000"),
        (["encode", "wgmma", "--from", "0x4000004000010040", "--advance", "32B"], "0x4000004000010042"),
        (["encode", "wgmma", "--from", "0x4000004000010042", "--advance", "-32B"], "0x4000004000010040"),
        # The first three as the steps of `encode wgmma --tile`: K is the other direction in MN-major, and atoms end.
        (["encode", "wgmma", *MN, "--advance", "16", "--dtype", "bf16", "--major", "MN"], "0x4000008000400140"),
        (["encode", "wgmma", *NONE, "--advance", "16", "--dtype", "bf16", "--major", "MN"], "0x0000000800100020"),
        (
            ["encode", "wgmma", *K, "--advance", "64", *BF16_K, "--tile", "64x128", "--order", "mn"],
            "0x4000004000010240",
        ),
        (["encode", "wgmma", *K, "--advance", "16", *BF16_K], "0x4000004000010042"),
        (["encode", "wgmma", *K, "--advance", "16", "--advance-mn", "64", *BF16_K], "0x4000004000010242"),
        (["encode", "wgmma", *K, "--advance-mn", "8", *BF16_K, "--sbo", "2048"], "0x40000080000100c0"),
        (["encode", "wgmma", *K, "--advance", "32", "--dtype", "e4m3"], "0x4000004000010042"),
        (["encode", "wgmma", *K, "--advance", "0"], "0x4000004000010040"),
        (
            [*ON_107, "--sbo", "1024", "--swizzle", "128B", "--advance", "32", *BF16_K, *TILE_107],
            "0x4000404000014104",
        ),
        ([*ON_107, *BF16_K, "--layout", "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_16):(_64,_1)"], "0x4000404000014100"),
        (
            ["encode", "wgmma", *K, "--start", "1072", "--advance", "48", *BF16_K, "--tile-start", "1072"],
            "0x4000004000010049",
        ),
        (["encode", "wgmma", "--from", "0x40000040:?", "--sbo", "512", "--swizzle", "64B"], "0x80000020????????"),
        (["encode", "idesc", "--mma-kind", "f16", "--from", "0x08200490", "--n", "256"], "0x08400490"),
        ([*TCGEN05, "--raw", "version=0"], "0x4000004000010040"),
    ],
)
def test_value(arguments: list[str], value: str) -> None:
    ran = smemdesc(*arguments)
    assert (ran.out, ran.status) == (f"{value}\n", 0)


@pytest.mark.parametrize(
    ("style", "out"),
    [
        ("hex", "0x8000402000010040"),
        ("dec", "9223442543037972544"),
        ("sdec", "-9223301530671579072"),
        ("words", "0x80004020:0x00010040"),
        ("c", "static const uint64_t b0 = UINT64_C(0x8000402000010040); /* tcgen05: start 1024 B, "),
        ("cuda", "constexpr uint64_t b0 = 0x8000402000010040ull; // tcgen05: start 1024 B, LBO 16 B, SBO 512 B, "),
        ("ptx", "mov.b64 b0, 0x8000402000010040; // tcgen05: "),
        ("python", "b0 = 0x8000402000010040  # tcgen05: "),
        ("json", '{"input": "0x8000402000010040", "value": "0x8000402000010040", "kind": "tcgen05", '),
    ],
)
def test_format(style: str, out: str) -> None:
    base = ["encode", "tcgen05", "--start", "1024", "--sbo", "512", "--swizzle", "64B"]
    ran = smemdesc(*base, "--format", style, "--name", "b0")
    assert ran.out.startswith(out)
    assert ran.out.count("\n") == 1


@pytest.mark.parametrize("style", ["dec", "sdec", "words"])
def test_bare_formats_read_back(style: str) -> None:
    text = smemdesc(*TCGEN05, "--format", style).out.strip()
    assert json.loads(smemdesc("decode", "--json", "--", text).out)["value"] == "0x4000404000010040"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tcgen05", "--sbo", "1000"], ["--sbo 1000", "16", "992", "1008"]),
        (["tcgen05", "--sbo", "256KiB"], ["--sbo 256KiB", "0..262128"]),
        (["tcgen05", "--start", "-16"], ["--start"]),
        (["tcgen05", "--start", "64u"], ["--start 64u", "bytes"]),
        (["tcgen05", "--swizzle", "2"], ["--swizzle 2", "code 2 is named 128B"]),
        (["tcgen05", "--base-offset", "8"], ["--base-offset 8", "3 bits"]),
        (["tcgen05", "--sbo", "1024", "--swizzle", "64B", "--lbo-mode", "absolute"], ["--lbo-mode absolute", "128B"]),
        (["idesc", "--mma-kind", "f16"], ["--a-type", "--m", "--n"]),
        ([*IDESC[1:-3], "96", "--n", "128"], ["--m 96", "32, 64, 128 or 256", "Table 42"]),
        ([*IDESC[1:-1], "20"], ["--n 20", "8"]),
        ([*IDESC[1:], "--k", "96"], ["--k 96", "k"]),
        ([*IDESC[1:], "--a-type", "s8"], ["--a-type s8", "bf16"]),
        (["mask", "--column-shift", "40"], ["--column-shift 40", "32"]),
        (["mask", "--skip-span", "0"], ["--skip-span 0", "at least 1"]),
        (["wgmma", "--from", "0x4000004000013fff", "--advance", "32B"], ["--advance", "18-bit", "reserved_14"]),
        (["wgmma", "--from", "0x4000004000010040", "--advance", "16"], ["--dtype", "16B"]),
        (["wgmma", "--from", "0x4000004000010040", "--advance", "8B"], ["multiple of 16"]),
        (["wgmma", *K, "--advance", "64", *BF16_K], ["--advance 64", "leaves the swizzle atom", "--tile MNxK"]),
        (["wgmma", *K, "--advance", "64", *BF16_K, "--tile", "64x64"], ["leave the tile of 64x64", "--advance 8192B"]),
        (["wgmma", *K, "--advance", "16", "--dtype", "bf16"], ["depends on the major-ness", "--major"]),
        (["wgmma", *K, "--advance-mn", "16B", *BF16_K], ["--advance-mn 16B", "--advance 16B"]),
        (["wgmma", *K, "--advance-mn", "16"], ["--advance-mn 16", "--dtype"]),
        (["wgmma", *K, "--advance", "16", *BF16_K, "--order", "k"], ["--order goes with --tile"]),
        (["wgmma", *K, "--advance", "16", *BF16_K, "--tile", "64x64", "--mma", "64x16"], ["--mma", "--shape"]),
        (["wgmma", *K, "--tile-start", "0"], ["--tile-start goes with --advance"]),
        (["wgmma", *K, "--advance", "16", *BF16_K, "--tile-start", "8"], ["--tile-start 8", "multiple of 16"]),
        (["wgmma", "--from", "0x40000040:?", "--advance", "16", *BF16_K], ["start address", "--start"]),
        (["tcgen05", "--lut-k-offset", "24", "--arch", "sm_103a"], ["--lut-k-offset 24", "sm_107a, sm_107f only"]),
        (
            ["idesc", "--mma-kind", "mxf4", "--m", "128", "--n", "128", "--k", "128", "--arch", "100a"],
            ["--k 128", "only, not on sm_100a"],
        ),
        (["tcgen05", "--start", "260KiB"], ["18 bits", "sm_107 has 19 bits: --arch sm_107a"]),
        (["wgmma", "--from", "UR4"], ["register"]),
        (["wgmma", "--raw", "reserved_99=1"], ["reserved_99"]),
        ([*TCGEN05[1:], "--format", "cuda", "--name", "9x"], ["--name: '9x'", "CUDA C++", "no digit first"]),
    ],
)
def test_refusal_names_the_option_and_the_rule(arguments: list[str], words: list[str]) -> None:
    refused("encode", *arguments, says=words)


def test_force_encodes_and_says_what_is_wrong() -> None:
    ran = smemdesc(*IDESC[:-3], "96", "--n", "128", "--force")
    assert ran.out == "0x06200490\n"
    assert ran.err.startswith("error shape: ")
    assert ran.status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([*K, "--advance", "32B"], ""),
        ([*K, "--advance", "32B", "--major", "K"], ""),
        ([*MN, "--advance", "32B", "--major", "MN"], "note: --advance 32B: +32 B is not a K step of this layout."),
        ([*K, "--advance", "128B", "--major", "K"], "past the end of the row of 128 B"),
    ],
)
def test_bytes_stay_bytes_with_a_remark(arguments: list[str], says: str) -> None:
    ran = smemdesc("encode", "wgmma", *arguments)
    assert int(ran.out, 16) - int(arguments[1], 16) == int(arguments[3][:-1]) // 16
    assert ran.status == 0
    assert says in ran.err if says else not ran.err


def test_a_warning_does_not_stop_encoding() -> None:
    ran = smemdesc("encode", "tcgen05", "--sbo", "256", "--swizzle", "128B")
    assert ran.out == "0x4000401000010000\n"
    assert "warning sbo-below-atom" in ran.err


@pytest.mark.corpus
@pytest.mark.parametrize("kind", [each for name in KINDS for each in ids(name)])
@pytest.mark.parametrize("count", [200, long_run(2000)])
def test_decode_and_back_is_the_identity(kind: str, count: int) -> None:
    rng = random.Random(kind)
    digits = kind_of(kind).table.width // 4
    values = [f"0x{rng.getrandbits(4 * digits):0{digits}x}" for _ in range(count)]
    values += ["0x" + "0" * digits, "0x" + "f" * digits]
    decoded = smemdesc("decode", "--json", "--kind", kind, "-", stdin="\n".join(values))
    assert decoded.status == 0
    assert smemdesc("encode", "-", stdin=decoded.out).out.split() == values


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
        ('{"kind": "tcgen05", "fields": {"swizzle": {"raw": 2, "value": "64B"}}}', "raw 2 says 128B"),
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


@pytest.mark.parametrize("kind", ["wgmma", "tcgen05"])
@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["--swizzle", "none"], ["K-major it is the stride between core matrices along K", "MN-major"]),
        ([], ["K-major", "MN-major"]),
        (["--major", "MN"], ["MN-major it is the stride between 8-k groups"]),
        (["--raw", "swizzle=0"], ["K-major"]),
        (["--advance", "32B"], ["K-major"]),
    ],
)
def test_without_swizzle_lbo_has_to_be_said(kind: str, arguments: list[str], meant: list[str]) -> None:
    ran = smemdesc("encode", kind, "--start", "0", "--sbo", "128", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert [each for each in ["--lbo", *meant] if each not in ran.err] == []
    assert smemdesc("encode", kind, "--start", "0", "--sbo", "128", *arguments, "--lbo", "256").status == 0
