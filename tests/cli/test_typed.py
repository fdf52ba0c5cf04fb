"""What people type: done where it is plain what they mean, else answered with the command to type."""

from __future__ import annotations

import os
import re
import subprocess
from itertools import cycle
from pathlib import Path

import pytest
from run import PROGRAM, refused, smemdesc
from samples import split
from tables import every_row

from smemdesc import encode
from smemdesc.cli.shortcuts import expand_arguments
from smemdesc.cli.support.unknown import COMMAND_MEANT

V, W = "0x4000404000010040", "0x4000404000010042"
MMA = ["mma", "--a", V, "--b", W]
TILE = ["64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"]
DUMP = str(Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass")


@every_row(
    ("typed", "args"),
    [
        ([V], ["decode", V]),
        (["--json", V], ["decode", "--json", V]),
        (["--json", "--", "-1"], ["decode", "--json", "--", "-1"]),
        (["--color", "never", "scan", "--json", DUMP], ["scan", "--color", "never", "--json", DUMP]),
        (["--color=never", "scan", DUMP, "--all"], ["scan", DUMP, "--color=never", "--all"]),
        (["--color", "never", "layout", "atom", "--json"], ["layout", "atom", "--color", "never", "--json"]),
        (["--swizzle", "128B", "layout", "atom"], ["layout", "atom", "--swizzle", "128B"]),
        (["--json", "mask", "conv"], ["mask", "conv", "--json"]),
        (["--json", "encode", "-"], ["encode", "-", "--json"]),
        (["--json", "diff", V, W], ["decode", "--json", "--diff", V, W]),
        (["--color=never", "help", "plan"], ["plan", "--color=never", "--help"]),
        (["--function", "gemm*", DUMP], ["scan", DUMP, "--function", "gemm*"]),
        (["--json", "UMOV", "UR7,", "0x40000040"], ["decode", "--json", "UMOV", "UR7,", "0x40000040"]),
        (["--kind", "mask", V], ["decode", "--kind", "mask", V]),
        (["--kind", "mask", "mask", V], ["mask", V, "--kind", "mask"]),
        (["-"], ["decode", "-"]),
        (["diff", V, W], ["decode", "--diff", V, W]),
        (["diff", DUMP, "new.sass"], ["scan", "--diff", DUMP, "new.sass"]),
        (["-V"], ["-V"]),
        (["-h"], ["--help"]),
        (["decode", "-h"], ["decode", "--help"]),
        (["help"], ["--help"]),
        (["help", "decode"], ["decode", "--help"]),
        (["help", "layout", "atom"], ["layout", "atom", "--help"]),
        ([DUMP], ["scan", DUMP]),
        (["UMOV UR7, 0x40000040 ;"], ["decode", "UMOV UR7, 0x40000040 ;"]),
        (["UMOV", "UR7,", "0x40000040", "--json"], ["decode", "UMOV", "UR7,", "0x40000040", "--json"]),
        (["/* 0x000fe20000000000 */"], ["decode", "/* 0x000fe20000000000 */"]),
        (["--", "-1"], ["decode", "--", "-1"]),
        (["--version"], ["--version"]),
        (["decode", V], ["decode", V]),
    ],
)
def test_expand_arguments(typed: list[str], args: list[str]) -> None:
    assert expand_arguments(typed) == args


@pytest.mark.parametrize(
    ("option", "alias"),
    [
        (["--field", "stride_byte_offset"], ["--field", "sbo"]),
        (["--field", "leading_byte_offset"], ["--field", "LBO"]),
        (["--field", "stride_byte_offset.raw"], ["--field", "sbo.raw"]),
        (["--json", "--kind", "tcgen05"], ["--json", "--kind", "umma"]),
        (["--json", "--dtype", "f16", "--major", "K"], ["--json", "--dtype", "half", "--major", "K"]),
        (["--json", "--dtype", "e4m3", "--major", "K"], ["--json", "--dtype", "float8_e4m3fn", "--major", "K"]),
    ],
)
def test_an_alias_is_the_name(option: list[str], alias: list[str]) -> None:
    assert smemdesc("decode", V, *alias) == smemdesc("decode", V, *option)


KINDS_TYPED = {
    "wgmma": ("WGMMA", "gmma", "hopper", "h100", "H200", "sm90", "sm_90", "sm_90a", "GmmaDescriptor"),
    "tcgen05": ("umma", "blackwell", "b200", "GB300", "sm100", "sm_100", "sm_100a", "sm_103f", "UmmaDescriptor"),
}
ARCHS_TYPED = {
    "sm_90a": ("hopper", "H100", "gh200", "sm90a", "90a", "compute_90a"),
    "sm_100a": ("blackwell", "b200", "GB200", "sm100a"),
    "sm_103a": ("b300", "blackwell-ultra"),
}
MODES_TYPED = {
    "128B": (
        *("128", "128b", "SW128", "B128", "SWIZZLE_128B", "CU_TENSOR_MAP_SWIZZLE_128B", "Swizzle128B"),
        *("Sw<3,4,3>", "Swizzle<3, 4, 3>", "K_SW128", "Layout_K_SW128_Atom", "UMMA::Layout_MN_SW128_Atom<T>"),
    ),
    "none": ("INTERLEAVE", "SWIZZLE_NONE", "Layout_K_INTER_Atom", "0"),
    "64B": ("sw64", "Swizzle64B", "Sw<2,4,3>"),
    "32B": ("sw32", "Swizzle<1,4,3>"),
    "128B_32B": (
        "128B_BASE32B",
        "SWIZZLE_128B_BASE32B",
        "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B",
        "Layout_MN_SW128_32B_Atom",
    ),
}
TYPES_TYPED = {
    "f16": ("half", "fp16", "float16", "cutlass::half_t", "torch.float16"),
    "bf16": ("bfloat16", "BF16", "__nv_bfloat16", "torch.bfloat16"),
    "e4m3": ("float8_e4m3fn", "Float8E4M3FN"),
    "s8": ("int8", "i8"),
}
COMMANDS = [
    (
        KINDS_TYPED,
        [
            ["encode", "{}", "--start", "1KiB", "--sbo", "1KiB", "--swizzle", "128B"],
            ["decode", "--json", "--kind", "{}", V],
            ["fields", "{}"],
            ["scan", "--json", "--kind", "{}", DUMP],
            ["layout", "operand", "--kind", "{}", "--dtype", "bf16", "--major", "K", "--shape", "64x16", V],
            ["layout", "tile", "128x64", "--kind", "{}", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"],
            ["layout", "explain", "--kind", "{}", "--major", "K", "box=64x128,swizzle=128B,dtype=bf16"],
        ],
    ),
    (
        ARCHS_TYPED,
        [
            ["decode", "--json", "--arch", "{}", V],
            ["fields", "--arch", "{}"],
            ["scan", "--json", "--arch", "{}", DUMP],
            ["plan", "128x128x64", "--json", "--dtype", "bf16", "--arch", "{}"],
        ],
    ),
    (
        MODES_TYPED,
        [
            ["encode", "tcgen05", "--sbo", "512", "--lbo", "512", "--dtype", "tf32", "--swizzle", "{}"],
            ["layout", "atom", "--major", "MN", "--dtype", "tf32", "--swizzle", "{}"],
            ["layout", "tile", "64x64", "--dtype", "tf32", "--major", "K", "--swizzle", "{}"],
            ["plan", "64x64x64", "--json", "--dtype", "tf32", "--a-major", "MN", "--b-major", "MN", "--swizzle", "{}"],
        ],
    ),
    (
        TYPES_TYPED,
        [
            ["decode", "--json", "--dtype", "{}", "--major", "K", V],
            ["plan", "128x128x64", "--json", "--dtype", "{}"],
            ["plan", "128x128x64", "--json", "--arch", "sm_90a", "--dtype", "{}"],
            ["layout", "tile", "128x64", "--major", "K", "--swizzle", "128B", "--dtype", "{}"],
            ["layout", "tmem", "--m", "64", "--n", "128", "--operand", "a", "--dtype", "{}"],
            ["mma", "--inst", "m64n128k16", "--a", V, "--dtype", "{}"],
            ["encode", "tcgen05", "--tile", "128x64", "--major", "K", "--swizzle", "128B", "--dtype", "{}"],
        ],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "commands"),
    split(COMMANDS, lambda row: row[0] is not MODES_TYPED),
    ids=["kinds", "archs", "modes", "types"],
)
def test_a_name_by_any_other(names: dict[str, tuple[str, ...]], commands: list[list[str]]) -> None:
    """One table of names serves every command: each name is given to one, and each command takes one."""
    turns, tried = cycle(commands), set()
    for name, typed in ((name, typed) for name, many in names.items() for typed in many):
        for command in turns:
            tried.add(" ".join(command))
            own, other = (smemdesc(*(given if word == "{}" else word for word in command)) for given in (name, typed))
            if not own.status:  # not each mode is one of tf32
                break
        assert (typed, other) == (typed, own)
    assert len(tried) == len(commands)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["plan", "128x128x64", "--dtype", "bf16", "--arch", "sm_90"], "did you mean sm_90a?"),
        (["plan", "128x128x64", "--dtype", "bf16", "--arch", "sm_100"], "did you mean sm_100a or sm_100f?"),
        (["plan", "128x128x64", "--dtype", "bf16", "--arch", "hoper"], "did you mean hopper?"),
        (["plan", "128x128x64", "--dtype", "bfloat"], "did you mean bfloat16?"),
        (["decode", "--kind", "wgma", V], "did you mean wgmma?"),
        (["fields", "sm_107a"], "for an architecture, use --arch sm_107a"),
        (["fields", "rubin"], "for an architecture, use --arch sm_107a"),
        (["layout", "atom", "--major", "K", "--swizzle", "swizle_128b"], "did you mean swizzle_128b?"),
        (["diff"], "takes two values: smemdesc diff A B"),
        (["layout", "atm"], "did you mean atom?"),
        (["layout", "operand", V, "--dtpye", "bf16"], "no such option '--dtpye'; did you mean --dtype?\n"),
        (["layout", "address", V, "--at=0,0", "--mayor", "K"], "no such option '--mayor'; did you mean --major?\n"),
        (["decode", "--shrot", V], "no such option '--shrot'; did you mean --short?\n"),
        (["layout", "atom", "128B", "--quiet"], "no such option '--quiet'; decode, mma, scan have it\n"),
        (
            ["wgmma", "--start", "0x400"],
            "no such option '--start'; encode wgmma, encode tcgen05, layout tile and 3 more",
        ),
        (["plan", "128x128x64", "--warp", "3"], "no such option '--warp'\n"),
        (["plan", "128x128x64", "bf16", "--tensor"], "no such option '--tensor'; did you mean --tensor-map?\n"),
        (["encode", "wgmma", "--lbo", "1", "--sbo", "64"], "units of 16 bytes are written 1x16B"),
        (["encode", "wgma"], "did you mean wgmma?"),
        (["encode", V], f"smemdesc encode KIND --from {V}"),
        (["encode", "--from", "0x08200490", "--n", "256"], "idesc:f16 or idesc:f8f6f4; choose one with --mma-kind"),
        (["encode", "--from", "0x40004040", "--sbo", "512"], "fits tcgen05:high_word; give the kind as well"),
        (["encode", "--from", "0x4000c04000010040", "--sbo", "512"], "is no exact value of any kind"),
        (["encode", "--sbo", "512"], "the kind is missing: wgmma, tcgen05"),
        (["version"], "'version' is not a command: smemdesc --version\n"),
        (["man"], "'man' is not a command: smemdesc --help\n"),
        (["tma"], "smemdesc encode tensormap, or smemdesc explain - < LOG"),
        (["swizzle"], "smemdesc layout atom MODE"),
        (["conv"], "smemdesc mask conv"),
        (["expect_tx"], "smemdesc explain expect_tx"),
        (["mma", "--trans-b", "N", V, W], "--trans-b takes no value here: for N, leave --trans-b out (B is K-major)"),
        (["mma", "--trans-a=N", V, W], "--trans-a takes no value here: for N, give --trans-a alone (A is MN-major)"),
        (["mma", V, W, "--trans-b", "0"], "for 0, leave --trans-b out"),
    ],
)
def test_what_was_meant(typed: list[str], meant: str) -> None:
    refused(*typed, says=meant)


@every_row("command", sorted({*COMMAND_MEANT.values()}))
def test_the_command_that_is_meant_exists(command: str) -> None:
    for words in re.findall(r"smemdesc ([-a-z ]+?)(?= [A-Z-]|,|$)", command):
        assert smemdesc(*words.split(), "--help").status == 0, words


def test_what_the_names_of_commands_stand_for() -> None:
    atom = ("layout", "atom", "--swizzle", "128B", "--major")
    assert smemdesc("layout", "128B") == smemdesc(*atom, "K")
    assert smemdesc("-V") == smemdesc("--version")
    assert smemdesc("layout", "SW128", "--major", "MN") == smemdesc(*atom, "MN")


def test_what_cutlass_prints() -> None:
    text = f"GmmaDescriptor: {V}\n  start_addr :  0x0040\n  leading_off:  0x0001 (1)\n  layout_type:  0x1 (B128)\n"
    ran = smemdesc("decode", "--field", "start", "-", stdin=text * 2 + "b: line\n")
    assert ran.out == "1024\n1024\n"
    assert ran.err.startswith("error: line 9")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a full device")
@pytest.mark.parametrize("arguments", [["zzz"], ["decode", "--zzz"], ["mask", "1"], []])
def test_the_status_is_right_where_nobody_hears_what_is_wrong(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=full, check=False)
    assert (ran.stdout, ran.returncode) == (b"", 2)


@pytest.mark.parametrize("arguments", [[], ["layout"], ["encode"]])
def test_nothing_asked_shows_the_help(arguments: list[str]) -> None:
    ran = smemdesc(*arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("Usage: ")
    assert "Examples:" in ran.err


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("plan", "MxNxK and --dtype are missing; for example: smemdesc plan 128x128x64 bf16"),
        ("plan 128x128x64", "--dtype is missing"),
        ("layout tile", "MNxK, --dtype and --swizzle are missing; for example: smemdesc layout tile 128x64"),
        ("layout tile 128x64 --trans-a N", "--dtype and --swizzle are missing"),
        ("layout tmem", "--m and --n are missing"),
        (
            "layout fragment",
            "--shape and --operand are missing; for example: smemdesc layout fragment",
        ),
        ("layout atom --mma 1", "--swizzle is missing"),
        ("layout linear", "--swizzle and --dtype are missing"),
        ("layout scales", "MNxK and --mma-kind are missing"),
        ("layout guess --dtype bf16", "BYTES and --expect are missing"),
        ("mask", "VALUE (or --zero, --mask), --m and --n are missing; for example: smemdesc mask 0x"),
        ("mask --zero 0", "--m and --n are missing; for example: smemdesc mask --zero 0-2,7-9,14-15 --m 128 --n 16"),
        ("mask conv --n 64", "--q, --m, --tile, --left and --filter are missing"),
        ("encode idesc", "--mma-kind, --a-type, --b-type, --n and --m are missing; for example: smemdesc encode idesc"),
        ("encode idesc --from 0x8200490", "--mma-kind is missing"),
        ("encode idesc --mma-kind f16", "--a-type, --b-type, --m and --n are missing"),
        ("encode mask", "for example: smemdesc encode mask --skip-span"),
        ("layout fragment --shape m64n8k16 --operand b", "B is always in shared memory"),
        ("layout tmem --m 64 --n 8 --operand B", "B is always in shared memory"),
    ],
)
def test_all_that_is_missing_is_named_together(typed: str, says: str) -> None:
    refused(*typed.split(), says=says)


def test_encoding_a_mask_says_which_numbers_it_stores() -> None:
    made = smemdesc("encode", "mask", "--skip-span", "2", "--use-span", "4")
    assert "skip_span 2 is stored as 1, use_span 4 is stored as 3" in made.err
    assert smemdesc("encode", "mask", "--from", made.out.strip(), "--column-shift", "1").err == ""


def test_python_and_json_take_the_same_names() -> None:
    assert encode("umma", start_address=1024, stride_byte_offset=1024, swizzle="SW128") == int(V, 16)
    half = encode("idesc", mma_kind="f16", a_type="half", b_type="bfloat16", m=64, n=8)
    assert half == encode("idesc", mma_kind="f16", a_type="f16", b_type="bf16", m=64, n=8)
    fields = '{"start_address": 1024, "stride_byte_offset": 1024, "swizzle": "SWIZZLE_128B"}'
    assert smemdesc("encode", "-", stdin=f'{{"kind": "b200", "fields": {fields}}}').out.strip() == V


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["plan", "128x128x64", "bf16"], ["plan", "128x128x64", "--dtype", "bf16"]),
        (["layout", "tile", "64x64", "bf16", "--swizzle", "128B"], ["layout", "tile", *TILE]),
        (["layout", "store", "64x64", "bf16", "--swizzle", "128B"], ["layout", "store", *TILE]),
        (["encode", "--from", V, "--sbo", "2KiB"], ["encode", "tcgen05", "--from", V, "--sbo", "2KiB"]),
        (["encode", f"--from={V}", "--advance=32B"], ["encode", "tcgen05", "--from", V, "--advance", "32B"]),
        (
            ["encode", "--n", "256", "--mma-kind", "f16", "--from", "0x08200490"],
            ["encode", "idesc", "--n", "256", "--mma-kind", "f16", "--from", "0x08200490"],
        ),
        (["layout", "atom", "128B"], ["layout", "atom", "--swizzle", "128B", "--major", "K"]),
        (["layout", "64B", "--trans-a", "N"], ["layout", "atom", "--swizzle", "64B", "--major", "MN"]),
        (["layout", "atom", "128B_32B"], ["layout", "atom", "--swizzle", "128B_32B", "--major", "MN"]),
        (["mma", V, W, "0x08200490", "--mma-kind", "f16"], [*MMA, "--idesc", "0x08200490", "--mma-kind", "f16"]),
        (["mma", V, W, "--inst", "m64n128k16", "--dtype=bf16"], [*MMA, "--inst", "m64n128k16", "--dtype", "bf16"]),
        (
            ["layout", "tile", *TILE, "--arch", "hopper"],
            ["layout", "tile", *TILE, "--kind", "wgmma"],
        ),
    ],
)
def test_bare_words_are_the_operands(words: list[str], options: list[str]) -> None:
    assert smemdesc(*words) == smemdesc(*options)
    assert smemdesc(*options).status == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["plan", "128x128x64", "bf16", "--dtype", "f16"], "bf16 and --dtype f16 both give the type"),
        (["layout", "tile", "64x64", "f16", *TILE[1:]], "f16 and --dtype bf16 both give the type"),
        (["layout", "atom", "128B", "--swizzle", "64B"], "128B and --swizzle 64B both give the mode"),
        (["mma", V, "--a", W], f"{V} and --a {W} both give a"),
        (["mma", V, W, "0x08200490", V], "4 values: A, B and an instruction descriptor are at most three"),
    ],
)
def test_a_bare_word_and_its_option_are_not_given_together(words: list[str], says: str) -> None:
    refused(*words, says=says)


def test_a_tile_says_which_kind_it_assumed() -> None:
    assert (
        "kind:     tcgen05; assumed, as neither --kind nor --arch is given\n" in smemdesc("layout", "tile", *TILE).out
    )
    assert "kind:     wgmma\n" in smemdesc("layout", "tile", *TILE, "--arch", "sm_90a").out
