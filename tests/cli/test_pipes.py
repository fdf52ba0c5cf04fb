"""A pipe is read wherever it comes, and a dump is scanned where a value was expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from reading.test_pasted import FORMS
from run import held, on_terminal, smemdesc

from cli.test_schemas import faults
from smemdesc.scanning.inputs import mentions

V = "0x4000404000010040"
NAMES = {name for names in mentions.MMA_NAMES.values() for name in names}
DUMP = Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass"
SCANNED = "standard input  1 function, 1 with MMAs: 4 MMAs"


@pytest.mark.parametrize("words", [[], ["-"], ["decode"], ["decode", "-"]])
def test_values_in_a_pipe(words: list[str]) -> None:
    assert smemdesc(*words, stdin=f"{V}\n") == smemdesc("decode", V)


@pytest.mark.parametrize("words", [[], ["-"], ["decode"], ["decode", "-"], ["scan"], ["scan", "-"]])
def test_a_dump_in_a_pipe(words: list[str]) -> None:
    ran = smemdesc(*words, stdin=DUMP.read_bytes())
    assert (ran.out.startswith(SCANNED), ran.err, ran.status) == (True, "", 0)


@pytest.mark.parametrize("name", ["gemm_sm90.sass", "matmul_sm90.ptx", "gemm_sm100.sass"])
def test_the_file_of_a_dump(name: str) -> None:
    file = str(DUMP.with_name(name))
    assert smemdesc("decode", "--json", "--check", file) == smemdesc("scan", "--json", "--check", file)


def test_the_lines_of_a_dump_as_one_argument() -> None:
    assert smemdesc(DUMP.read_text()).out.startswith(SCANNED)


@pytest.mark.parametrize(
    "line", ["HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT", "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR9]"]
)
def test_one_mma_is_a_dump(line: str) -> None:
    piped = smemdesc(stdin=line)
    assert line.partition(" ")[0] in piped.out + piped.err
    assert smemdesc(line) == smemdesc(*line.split()) == smemdesc("decode", line) == piped


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *(f"log of the run\n{line} %0, %1\n" for line in sorted({name.lower() for name in NAMES})),
        "k.mlir:12:9: error: 'ttng.tc_gen5_mma' op operand types do not agree\n",
        "#include <stdint.h>\nuint64_t f(int x) { return (x & 0x3FFFF) >> 4; }\n",
        "__device__ int f();\nauto x = f() | (1ull << 62);\n",
        "import torch\n\ndef f():\n    return g(1) << 62\n",
        "UMMA::SmemDescriptor d;\nd.version_ = 1;\nd.stride_byte_offset_ = 1024 >> 4;\nd.layout_type_ = 2;\n",
        "fn make_desc(addr: u64) -> u64 {\n    let mut desc = addr >> 4;\n    desc |= 1 << 46;\n    desc\n}\n",
        "#define SBO (64ull << 32)\nuint64_t desc = SBO | (1ull << 46) | (2ull << 61);\n",
        "x = 1;\ntl::initialize_wgmma_descriptor<1, 1, 64>(d, p);\n",
    ],
)
def test_what_names_an_mma_and_a_source_are_scanned_in_a_pipe(text: str) -> None:
    assert smemdesc(stdin=text) == smemdesc("scan", "-", stdin=text)


def test_a_tensor_map_beside_an_mma_is_explained_and_the_mma_is_scanned() -> None:
    source = "CUtensorMapDataType t = (CUtensorMapDataType)6;\ncuuint32_t tensorRank = 2;\n"
    arrays = {"globalDim": "500, 1024", "globalStride": "2, 1000", "boxDim": "32, 128", "elementStrides": "1, 1"}
    source += "".join(f"cuuint64_t {name}[2] = {{{numbers}}};\n" for name, numbers in arrays.items())
    assert smemdesc(stdin=source).out.startswith("cuTensorMapEncodeTiled")
    for words in ([], ["scan"]):
        ran = smemdesc(*words, stdin=source + "UTCHMMA gdesc[UR4], gdesc[UR6]\n")
        assert ("\ncuTensorMapEncodeTiled" in ran.out, ran.status) == (True, 2)
        assert "-:7: this tensor-core instruction is not understood" in ran.err


CALL = (
    "Making TMA desc: global memory: 7168 4096, shared memory: 64 128, outer stride: 7168, swizzle: 128 (base: 0), "
    "elem size: 2\n"
)
LAYOUT = "sA: Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))\n"
BAD = "desc_b=0x6000404000010440\n"
IN_SOURCE = (
    "#include <cuda.h>\nvoid f() { cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, dim, stride, "
    "box, es, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,\n"
    "  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); }\n"
)
ASM = 'asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;" :: "r"(d), "l"(a), "l"(b), "r"(i));\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (CALL + BAD, ["0x6000404000010440", "cuTensorMapEncodeTiled"]),
        (BAD + CALL, ["0x6000404000010440", "cuTensorMapEncodeTiled"]),
        (IN_SOURCE + ASM, ["tcgen05.mma", "cuTensorMapEncodeTiled"]),
        (LAYOUT + BAD, ["0x6000404000010440", "0x4000404000010000"]),
        ("hello\n" + BAD + LAYOUT, ["0x6000404000010440", "0x4000404000010000"]),
        ("hello\n" + LAYOUT, ["0x4000404000010000"]),
        (LAYOUT + CALL, ["0x4000404000010000", "cuTensorMapEncodeTiled"]),
    ],
)
def test_what_stands_beside_a_tensor_map_or_a_layout_is_shown(text: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "log").write_text(text)
    ways = [
        smemdesc(stdin=text),
        smemdesc(text),
        smemdesc(str(tmp_path / "log")),
        smemdesc("decode", str(tmp_path / "log")),
        smemdesc("scan", stdin=text),
    ]
    for ran in ways:
        assert [word for word in shown if word not in ran.out] == []
    as_json = {smemdesc(*words, "--json", "-", stdin=text).out for words in (["decode"], ["scan"])}
    assert len(as_json) == 1
    objects = [json.loads(line) for line in as_json.pop().splitlines()]
    assert len(objects) == len(shown)
    assert faults("scan", *objects) == []


@pytest.mark.slow
def test_nothing_is_lost_far_behind_a_tensor_map(tmp_path: Path) -> None:
    text = CALL + "step 3: loss 0.25\n" * 6000 + BAD + LAYOUT
    (tmp_path / "log").write_text(text)
    for ran in (smemdesc(stdin=text), smemdesc(str(tmp_path / "log"))):
        assert [word in ran.out for word in ("0x6000404000010440", "cuTensorMap", "0x4000404000010000")] == [True] * 3


def test_a_layout_and_a_map_that_a_format_has_no_place_for_are_noted() -> None:
    ran = smemdesc("scan", "--short", stdin=CALL + LAYOUT)
    assert ran.err.count("note: not in this format: ") == 2


@pytest.mark.parametrize("words", [["decode", "--short", "-"], ["--short"], ["scan", "--short", "-"]])
def test_short_lines_of_what_is_scanned(words: list[str]) -> None:
    source = "import torch\ndesc = 0x6000404000010440\n"
    assert smemdesc(*words, stdin=source) == smemdesc("scan", "--format", "short", "-", stdin=source)


@pytest.mark.parametrize("word", ["hello", "Channel 00 : 0 1 2", "0x4g00 is it", "the desc is 12g", "p = 0x1, 0x2"])
def test_a_line_that_cannot_be_read_is_an_error_beside_values(word: str) -> None:
    assert smemdesc("decode", "--short", "-", stdin=f"{word}\ndesc = {V}\n").status == 2


@pytest.mark.parametrize(
    "line", [CALL, "globalDim: 500 1024\n", "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0}, %a, %b;\n"]
)
def test_behind_a_value_a_line_for_scan_is_an_error_that_names_it(line: str) -> None:
    ran = smemdesc("decode", "--short", "-", stdin=f"{V}\n{line}")
    assert (ran.out.startswith(V), ran.status) == (True, 2)
    assert "smemdesc scan - reads the whole text" in ran.err


def test_a_layout_among_values_is_named_with_its_command() -> None:
    ran = smemdesc("decode", "--short", "-", stdin=f"{V}\n{LAYOUT}")
    assert (ran.out.startswith(V), ran.status) == (True, 2)
    assert "line 2: a layout, not a value" in ran.err
    assert "smemdesc layout explain 'sA: Sw<3,4,3>" in ran.err


CUTE = "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_64):(_64,_1)"
PRINTED = "(_8,_8):(_8,_1)\n      0   1\n    +---+---+\n 0  | 0 | 1 |\n"


@pytest.mark.parametrize("text", [CUTE, f"sA: {CUTE}\n", PRINTED], ids=["print", "with a name", "print_layout"])
def test_a_layout_is_explained_however_it_comes(text: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(text)
    explained = smemdesc("layout", "explain", text.splitlines()[0], "--dtype", "bf16").out
    assert "K-major" in explained
    assert smemdesc("decode", "--dtype", "bf16", "-", stdin=text).out == explained
    assert smemdesc("decode", "--dtype", "bf16", text).out == explained
    assert smemdesc(str(tmp_path / "log"), "--dtype", "bf16").out == explained


def test_lines_without_an_mma_are_values() -> None:
    assert (
        smemdesc("--field", "swizzle", stdin=f"# a comment\nUMOV UR4, 0x10040 ;\nUMOV UR5, 0x40004040 ;\n{V}\n").out
        == "128B\n128B\n"
    )


def test_an_option_that_scan_lacks_is_refused() -> None:
    ran = smemdesc("decode", "--dtype", "bf16", stdin=DUMP.read_bytes())
    assert (ran.out, ran.status) == ("", 2)
    assert "--dtype is for a value, but standard input is a dump: smemdesc scan -" in ran.err


@pytest.mark.parametrize(
    ("words", "says"), [([], "Usage: smemdesc"), (["decode"], "a value is missing"), (["scan"], "a file is missing")]
)
def test_an_empty_pipe_is_none(words: list[str], says: str) -> None:
    ran = smemdesc(*words, stdin="")
    assert says in ran.out + ran.err


def test_more_than_three_errors_of_one_sort_are_counted() -> None:
    lines = ["hello", "world", V, "0x4o", "some", "more", "text", "0x4g", V]
    ran = smemdesc("--short", "-", stdin="\n".join(lines))
    assert (ran.out.count(V), ran.status) == (2, 2)
    held("pipes", "counted_errors", ran.err)


SHORT = [V, "0x40004040", "0x8200490", "0x6000404000010040"]


def test_short() -> None:
    ran = smemdesc("decode", "--short", *SHORT)
    held("pipes", "short", ran.out)
    assert on_terminal("decode", *SHORT).out.replace("\r", "") == ran.out
    assert len(on_terminal("decode", *SHORT[:3]).out.splitlines()) > 3


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for _, text, _ in FORMS])
def test_three_ways_in_give_one_answer(text: str) -> None:
    argument = smemdesc("decode", "--json", text)
    assert argument.status == 0
    assert smemdesc(text, "--json") == smemdesc("--json", "-", stdin=text) == argument


def test_a_definition_is_no_comment() -> None:
    ran = smemdesc("--short", "-", stdin="# 0x1\n#define HI 0x40004040\n#define LO 0x10040\n")
    assert ran == smemdesc("--short", "0x40004040:0x10040")


def test_an_error_names_all_lines_of_a_statement() -> None:
    ran = smemdesc("decode", "--short", "-", stdin="0x1\ndesc = 0;\ndesc |= enc(addr);\n")
    assert ran.err.startswith("error: lines 2-3: an expression, and the value of enc is unknown\n")
    assert ran.status == 2
