"""What is said of calls that people asked about, and of those that are cut."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from printed_maps import Arguments, cutlass, deepgemm, tensorrt, tilelang, tvm
from run import smemdesc

from smemdesc.descriptors.map_call import MapCallAnswer, answers
from smemdesc.descriptors.tensormap import map_text


class Asked(NamedTuple):
    """A call in a public report: what was printed, what is refused, a word of what is said besides."""

    where: str
    text: str
    refused: tuple[str, ...] = ()
    note: str = ""
    repaired: str = ""
    """What stands in the command that is offered."""


EMPTY = Arguments(9, 0, [512, 64, 0], [1024, 65536], [64, 64, 1])
NVFP4 = Arguments(13, 0x2B12B98000, [5120, 16384, 1], [2560, 0], [128, 128, 1], 2)
ASKED = [
    Asked(
        "github.com/NVIDIA/cutlass/issues/947",
        cutlass(Arguments(6, 0, [1024, 1024, 1], [2048, 2097152], [64, 128, 1], l2=0)),
        note="globalAddress is 0",
        repaired="--dim 1024,1024,1 --stride 2048,2097152 --box 64,128,1 --swizzle 128B",
    ),
    Asked(
        "github.com/flashinfer-ai/flashinfer/issues/2150",
        cutlass(Arguments(9, 0x7F4C49E08800, [128, 1, 32], [2, 256], [64, 128, 1])),
        ("globalStrides[0]: 2 B is not a multiple of 16 B",),
        repaired="--stride 256,256",
    ),
    Asked(
        "github.com/flashinfer-ai/flashinfer/issues/2232",
        tensorrt(
            Arguments(
                9, 0xF64D740000, [64, 16, 1, 7721128, 7149852580857340533], [128, 2, 4096, 337], [64, 16, 1, 1, 1024]
            )
        ).replace("dim: 5", "dim: 4"),
        ("globalStrides[1]: 2 B is not a multiple of 16 B",),
        repaired="--stride 128,2048,4096",
    ),
    Asked(
        "github.com/sgl-project/sglang/issues/13775",
        tensorrt(
            Arguments(9, 0x7B4CC0000000, [192, 131072, 128, 1], [49152, 384, 2305843007066210304], [64, 128, 1, 1])
        ),
        ("globalStrides[2]: 2305843007066210304 B is not below 2^40",),
        repaired="--stride 49152,384,49152",
    ),
    Asked(
        "github.com/flashinfer-ai/flashinfer/issues/2274",
        tensorrt(Arguments(9, 0xC903C15000, [128, 7, 2, 24], [256, 1792, 3584], [64, 8, 1, 1])).replace(
            "descriptor 1", "descriptor due to an illegal memory access was encountered"
        ),
        note="result 700 is CUDA_ERROR_ILLEGAL_ADDRESS: a kernel that ran before failed",
    ),
    Asked(
        "github.com/vllm-project/vllm/issues/13961",
        cutlass(Arguments(6, 0x40167E202000, [64, 1, 32, 1], [12288, 128, 0], [64, 192, 1, 1]), 715),
        note="result 715 is CUDA_ERROR_ILLEGAL_INSTRUCTION: a kernel that ran before failed",
    ),
    Asked(
        "github.com/guoqingbao/xinfer/pull/302",
        "\n".join(
            f"svc1  | {line}"
            for line in cutlass(Arguments(0, 0x3786D36200, [4096, 1216, 1], [4096, 0], [128, 128, 1]), 700).splitlines()
        ),
        note="result 700 is CUDA_ERROR_ILLEGAL_ADDRESS",
    ),
    Asked(
        "github.com/Soul-AILab/SoulX-FlashTalk/issues/9",
        cutlass(Arguments(9, 0x7EEC91200000, [128, 257, 40, 1], [10240, 256, 0], [64, 176, 1, 1]), 999),
        note="a driver that has no cuTensorMapEncodeTiled",
    ),
    Asked(
        "github.com/Dao-AILab/flash-attention/issues/1706",  # a chip of compute capability 8.7
        cutlass(Arguments(9, 0xD86CD7000, [128, 1, 8, 282843], [2048, 256, 2048], [64, 128, 1, 1]), 801),
        note="tensor maps exist on compute capability 9.0 and higher",
    ),
    Asked(
        "github.com/Dao-AILab/flash-attention/issues/1296",  # the first four lines are missing
        cutlass(Arguments(7, 0, [32, 49152, 16, 1], [128, 6291456, 100663296], [32, 384, 1, 1])).split("\n", 4)[4],
        ("boxDim[1]: 384 is not in 1..256",),
        note="not in the text: tensorDataType, tensorRank, globalAddress",
    ),
    Asked(
        "github.com/sgl-project/DeepGEMM/pull/39",
        deepgemm(Arguments(7, 134754319020544, [1024, 4], [4096], [128, 1], 0)),
        repaired="--dtype FLOAT32",
    ),
    Asked(  # found in logs: FlashMLA with no queries, FlashInfer's fp4_gemm, TileLang on a GB10
        "no queries",
        cutlass(EMPTY),
        ("globalDim[2]: 0 is not in 1..4294967296",),
        note="globalAddress is 0",
    ),
    Asked("fp4_gemm", cutlass(NVFP4, 2), note="Hopper's driver rejects it", repaired="--dtype 16U4_ALIGN8B"),
    Asked(
        "GB10",
        tilelang(Arguments(7, 0x32EE1EA00, [128, 4, 1], [512, 2048], [16, 1, 1], 0), 716)
        .replace("(CUDA_ERROR_INVALID_VALUE: invalid argument)", "(CUDA_ERROR_MISALIGNED_ADDRESS: misaligned address)")
        .replace("0x7ffe00001000 (mod64=0)", "0xffffe26eb138 (mod64=56)"),
        note="not at a multiple of 64 bytes",
    ),
]


def answer(text: str) -> MapCallAnswer:
    (only,) = answers(text)
    assert isinstance(only, MapCallAnswer)
    return only


@pytest.mark.parametrize("asked", ASKED, ids=[each.where for each in ASKED])
def test_what_people_asked_about(asked: Asked) -> None:
    told = answer(asked.text)
    assert tuple(each.message for each in told.refused) == asked.refused
    assert asked.note in " ".join(told.notes)
    assert asked.repaired in told.command


PLAIN = Arguments(9, 0x7F1234567000, [4096, 2048], [8192], [64, 128])
REPAIRED = [
    (PLAIN._replace(strides=[8200]), "--stride 8208 "),
    (PLAIN._replace(dtype=14, box=[128, 64], strides=[8208]), "--stride 8224 "),
    (PLAIN._replace(box=[64, 300]), "--box 64,256 "),
    (PLAIN._replace(box=[128, 64]), "--box 64,64 "),
    (PLAIN._replace(box=[60, 64]), "--box 64,64 "),
    (PLAIN._replace(dtype=0, fill=1), "--box 64,128 --swizzle 128B"),
    (PLAIN._replace(interleave=1), "--box 64,128 --swizzle 128B"),
    (PLAIN._replace(dtype=14, box=[64, 128], dims=[4096, 2048]), "--box 128,128 "),
]


@pytest.mark.parametrize(("arguments", "words"), REPAIRED)
def test_the_command_encodes_what_the_driver_takes(arguments: Arguments, words: str) -> None:
    told = answer(cutlass(arguments))
    assert told.refused
    assert words in told.command
    assert told.made is not None
    assert smemdesc(*told.command.split()[1:], "--format", "bytes").out == f"{map_text(told.made, 'bytes')}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        PLAIN._replace(address=0x7F1234567008),  # a pointer is nothing that can be written otherwise
        PLAIN._replace(dims=[4096, 0]),
        PLAIN._replace(steps=[1, 9]),
        PLAIN._replace(swizzle=9),
    ],
)
def test_what_has_no_repair_has_no_command(arguments: Arguments) -> None:
    told = answer(cutlass(arguments))
    assert told.refused
    assert (told.command, told.made) == ("", None)


def test_all_that_is_refused_is_told_at_once() -> None:
    told = answer(cutlass(PLAIN._replace(strides=[8200], box=[64, 300], address=0x7F1234567008)))
    assert [each.message.split(":")[0] for each in told.refused] == ["globalStrides[0]", "boxDim[1]", "globalAddress"]


@pytest.mark.parametrize("rank", [0, 6, 1 << 40])
def test_a_rank_that_no_map_has(rank: int) -> None:
    told = answer(cutlass(PLAIN).replace("dim            2", f"dim            {rank}"))
    assert [each.message for each in told.refused] == [f"tensorRank: {rank} is not in 1..5"]


def test_the_command_line() -> None:
    two = cutlass(PLAIN) + cutlass(PLAIN._replace(strides=[8200]))
    ran = smemdesc("explain", "-", stdin=two)
    assert ran.status == 0
    assert ran.out.count("cuTensorMapEncodeTiled") == 2 + ran.out.count("cuTensorMapEncodeTiled;")
    assert smemdesc("explain", two).out == ran.out
    cut = smemdesc("explain", "-", stdin=two.replace("(4096,2048,1,1,1)", "(4096,20", 1))
    assert (cut.status, cut.out.count("globalDim ")) == (2, 1)
    assert "the list of globalDim is cut" in cut.err
    assert (
        smemdesc("explain", "-", stdin="lbo\nsbo-below-atom\n").out == smemdesc("explain", "lbo", "sbo-below-atom").out
    )
    assert (
        '"refused_on_hopper": ["tensorDataType 16U4_ALIGN8B"]'
        in smemdesc("explain", "--json", "-", stdin=cutlass(NVFP4)).out
    )
    assert "TVM" in smemdesc("explain", "-", stdin=tvm(PLAIN)).out


@pytest.mark.parametrize("log", ["", "\n \n"])
def test_an_empty_log_is_an_error(log: str) -> None:
    ran = smemdesc("explain", "-", stdin=log)
    assert (ran.out, ran.status) == ("", 2)
    assert "standard input is empty" in ran.err


def test_a_stride_in_elements_that_the_driver_took_is_named() -> None:
    told = answer(cutlass(PLAIN._replace(strides=[4096])))
    assert "a stride of 4096 elements; strides are in bytes): write stride_1 8192" in told.notes[0]


def test_a_stride_in_elements_is_named_in_a_source_without_the_address() -> None:
    source = """
    uint64_t dims[2] = {4096, 2048}, strides[1] = {%d};
    uint32_t box[2] = {64, 128}, steps[2] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, pointer, dims, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    """
    half, whole, odd = (answer(source % stride) for stride in (4096, 8192, 1001))
    assert "write stride_1 8192" in half.notes[0]
    assert "stride" not in whole.notes[0]
    assert odd.refused[0].fix.endswith("the next valid stride is 8192")
    variable = answer(source.replace("{4096, 2048}", "{4096, rows}") % 1001)
    assert variable.refused[0].fix.endswith("the next valid stride is 1008")


def test_an_im2col_call_whose_rank_is_unknown_is_not_rejected() -> None:
    source = """
    cuTensorMapEncodeIm2col(&map, format, rank, pointer, dims, strides, lower, upper, channels, pixels, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, mode, promotion, fill);"""
    (found,) = answers(source)
    assert isinstance(found, MapCallAnswer)
    assert found.refused == ()
