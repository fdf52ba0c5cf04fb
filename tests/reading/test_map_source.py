"""The arguments of a tensor map in source: what the text says is read, what it does not say is asked for by name."""

from __future__ import annotations

import pytest
from printed_maps import PRINTERS, Arguments
from run import smemdesc
from samples import sampled
from tables import every_row

from smemdesc.reading.map_arguments import MapCall
from smemdesc.reading.map_source import calls

RIGHT = {
    "tensorDataType": 6,
    "tensorRank": 2,
    "globalDim": [1024, 512],
    "globalStrides": [2048],
    "boxDim": [64, 128],
    "elementStrides": [1, 1],
    "interleave": 0,
    "swizzle": 3,
    "l2Promotion": 2,
    "oobFill": 0,
}
ARRAYS = """
  cuuint64_t dims[2] = {1024, 512};
  cuuint64_t strides[1] = {1024 * sizeof(half)};
  cuuint32_t box[2] = {64, 128};
  cuuint32_t steps[2] = {1, 1};
"""
CALL = (
    "  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, ptr, dims, strides, box, steps,\n"
    "      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,\n"
    "      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
)
NAMED = """
  CUtensorMapDataType W_type = (CUtensorMapDataType)6;
  cuuint32_t W_tensorRank = 2;
  void *W_globalAddress = W;
  cuuint64_t W_globalDim[2] = {1024, 512};
  cuuint64_t W_globalStride[2] = {2, 2048};
  cuuint32_t W_boxDim[2] = {64, 128};
  cuuint32_t W_elementStrides[2] = {1, 1};
  CUtensorMapInterleave W_interleave = (CUtensorMapInterleave)0;
  CUtensorMapSwizzle W_swizzle = (CUtensorMapSwizzle)3;
  CUtensorMapL2promotion W_l2Promotion = (CUtensorMapL2promotion)2;
  CUtensorMapFloatOOBfill W_oobFill = (CUtensorMapFloatOOBfill)0;
"""
SOURCES = {
    "variables by name": NAMED,
    "variables by name, and the call": NAMED
    + "  CHECK(cuTensorMapEncodeTiled)(&W_desc, W_type, W_tensorRank, W_globalAddress, W_globalDim,\n"
    "      W_globalStride + 1, W_boxDim, W_elementStrides, W_interleave, W_swizzle, W_l2Promotion, W_oobFill);\n",
    "arrays and a call": ARRAYS + CALL,
    "a pointer to the function": ARRAYS + CALL.replace("cuTensorMapEncodeTiled", "cuTensorMapEncodeTiled_fn"),
    "a result": ARRAYS + CALL.replace("  cu", "  CUresult result = cu", 1),
    "comments": ARRAYS.replace(";", ";  // rows, columns") + CALL.replace(" 2,", " /* rank */ 2,"),
    "lists without =": ARRAYS.replace("] = {", "]{") + CALL,
    "other integer types": ARRAYS.replace("cuuint64_t", "const uint64_t").replace("cuuint32_t", "uint32_t") + CALL,
    "suffixes and casts": ARRAYS.replace("1024, 512", "1024ull, (uint64_t)512, ") + CALL,
    "padded arrays": ARRAYS.replace("[2] = {1024, 512}", "[5] = {1024, 512, 1, 1, 1}")
    .replace("[1] = {1024 * sizeof(half)}", "[5] = {sizeof(half), sizeof(half) * 1024, 0, 0, 0}")
    .replace("{64, 128}", "{64, 128, 1, 1, 1}")
    + CALL.replace("strides", "strides + 1"),
    "named constants": "  constexpr int N = 1024, M = 512;\n#define BOX 64\n  const int rank{2};\n"
    + ARRAYS.replace("1024, 512", "N, M").replace("1024 *", "N *").replace("{64, 128}", "{BOX, BOX * 2}")
    + CALL.replace(" 2,", " rank,"),
    "element by element": ARRAYS.replace(
        "cuuint64_t dims[2] = {1024, 512};", "cuuint64_t dims[2];\n dims[0] = 1024;\n dims[1] = 512;"
    )
    + CALL,
    "qualified enumerators": ARRAYS + CALL.replace("CU_TENSOR_MAP_SWIZZLE_128B", "static_cast<CUtensorMapSwizzle>(3)"),
    "containers": ARRAYS.replace("cuuint64_t dims[2]", "std::array<cuuint64_t, 2> dims").replace(
        "cuuint64_t strides[1] =", "std::vector<cuuint64_t> strides"
    )
    + CALL.replace(" 2,", " dims.size(),").replace("dims, strides", "dims.data(), strides.data()"),
    "lengths with names": "  constexpr int rank = 2;\n"
    + ARRAYS.replace("[2]", "[rank]").replace("[1]", "[rank - 1]")
    + CALL,
    "shifts": ARRAYS.replace("1024, 512", "1 << 10, 1 << 9") + CALL,
    "Python": """from cuda import cuda
N = 1024
err, tensor_map = cuda.cuTensorMapEncodeTiled(
    cuda.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    2,  # rank
    tensor.data_ptr(),
    [cuda.cuuint64_t(N), cuda.cuuint64_t(512)],
    [cuda.cuuint64_t(N * 2)],
    [cuda.cuuint32_t(64), cuda.cuuint32_t(128)],
    [cuda.cuuint32_t(1)] + [cuda.cuuint32_t(1)],
    cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
    cuda.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B,
    cuda.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    cuda.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
)
""",
}


def read(text: str) -> MapCall:
    (call,) = calls(text)
    assert isinstance(call, MapCall)
    return call


@every_row("name", SOURCES)
def test_what_the_source_says_is_read(name: str) -> None:
    call = read(SOURCES[name])
    assert {key: call.values.get(key) for key in RIGHT} == RIGHT
    assert call.missing == ["globalAddress"]


UNKNOWN = [
    (("1024, 512", "N, 512"), "globalDim", "N"),
    (("1024, 512", "x.size(1), 512"), "globalDim", "x.size(1)"),
    (("1024 * sizeof(half)", "1024 * sizeof(T)"), "globalStrides", "sizeof(T)"),
    (("{64, 128}", "{BLOCK_K, BLOCK_N}"), "boxDim", "BLOCK_K, BLOCK_N"),
    (("CU_TENSOR_MAP_SWIZZLE_128B", "swizzle_mode"), "swizzle", "swizzle_mode"),
    (
        ("CU_TENSOR_MAP_SWIZZLE_128B", "wide ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B"),
        "swizzle",
        "wide",
    ),
    ((", 2, ptr", ", rank, ptr"), "tensorRank", "rank"),
    (("{1024, 512}", "{N, 512}; if (x) N = 4; else N = 8"), "globalDim", "N"),
    (("  cuuint64_t dims[2] = {1024,", "  int N = 4; N *= 2; cuuint64_t dims[2] = {N,"), "globalDim", "N"),
    (("  cuuint64_t dims[2] = {1024,", "void f(int N = 4) {  cuuint64_t dims[2] = {N,"), "globalDim", "N"),
    (("  cuuint64_t dims[2] = {1024,", "template <int N = 4> void f() { cuuint64_t dims[2] = {N,"), "globalDim", "N"),
    (("  cuuint64_t dims[2] = {1024,", "void f(const int N) {  cuuint64_t dims[2] = {N,"), "globalDim", "N"),
    (
        (
            "  cuuint64_t dims[2] = {1024,",
            "int main() { int N = 4; f(N); }\nvoid f(T x, int N) {  cuuint64_t dims[2] = {N,",
        ),
        "globalDim",
        "N",
    ),
    (("  cuuint64_t dims[2] = {1024,", "N = 4\ndef f(x, N):\n  cuuint64_t dims[2] = {N,"), "globalDim", "N"),
    *(
        (("{64, 128};", f"{{64, 128}};\n{change}"), "boxDim", "box")
        for change in (
            *("if (x) box[1] = 64;", "if (x) { box[1] = 64; }", "else box[1] = 32;", "while (x) box[1] = 5;"),
            *("box[1] /= 2;", "box[1] //= 2", "box[1]--;", "++box[1];", "box[i] = 3;", "box[0] >>= 1;"),
            *("std::swap(box[0], box[1]);", "memcpy(box, other, 8);", "std::fill_n(box, 2, 64);"),
            "auto& same = box; same[1] = 32;",
        )
    ),
    (("  cuuint64_t dims[2] = {1024,", "N = f(N=4)\n  cuuint64_t dims[2] = {N,"), "globalDim", "N"),
]


@every_row(("change", "argument", "name"), UNKNOWN)
def test_what_it_does_not_say_is_asked_for_by_name(change: tuple[str, str], argument: str, name: str) -> None:
    call = read((ARRAYS + CALL).replace(*change))
    assert argument not in call.values
    assert argument in call.missing
    assert name in call.unknown[argument]


def test_nothing_is_claimed_of_what_depends_on_an_unknown_swizzle() -> None:
    wide = ARRAYS.replace("{64, 128}", "{128, 128}")
    assert "rejected" in smemdesc("explain", "-", stdin=wide + CALL).out
    asked = smemdesc("explain", "-", stdin=wide + CALL.replace("CU_TENSOR_MAP_SWIZZLE_128B", "mode")).out
    assert "nothing rejected in the text" in asked
    assert "swizzle (mode)" in asked


def test_a_declaration_of_the_function_is_no_call() -> None:
    declared = (
        "CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType type, cuuint32_t tensorRank,\n"
        " void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,\n"
        " const cuuint32_t* boxDim, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,\n"
        " CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);\n"
    )
    assert list(calls(declared)) == []
    assert read(declared + ARRAYS + CALL).values["globalDim"] == [1024, 512]


def test_a_list_that_is_too_short_is_an_error() -> None:
    (problem,) = calls(ARRAYS.replace("{64, 128}", "{64}") + CALL)
    assert "boxDim has 1 number, but rank 2 needs 2" in str(problem)


@every_row(
    ("left_out", "missing"),
    [
        ("CU_TENSOR_MAP_DATA_TYPE_FLOAT16, ", ": tensorDataType, tensorRank or globalAddress is missing"),
        (" box,", ": tensorRank, globalAddress, globalDim, globalStrides, boxDim or elementStrides is missing"),
        ("CU_TENSOR_MAP_SWIZZLE_128B, ", ": swizzle is missing"),
        ("CU_TENSOR_MAP_L2_PROMOTION_L2_128B,", ": l2Promotion is missing"),
        (",\n      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE", ": oobFill is missing"),
        (" box, steps,", ""),
    ],
)
def test_a_call_in_c_that_lacks_an_argument_is_not_read_as_one_of_python(left_out: str, missing: str) -> None:
    (problem,) = calls(ARRAYS + CALL.replace(left_out, ""))
    assert f"cuTensorMapEncodeTiled takes 12 arguments, not {11 if missing else 10}{missing};" in str(problem)


MAP = Arguments(9, 0x7F1234567000, [4096, 2048], [8200], [64, 128])


@pytest.mark.slow
@pytest.mark.parametrize("text", sampled([*(printer(MAP) for printer in PRINTERS.values()), *SOURCES.values()], 4))
def test_a_pipe_needs_no_command(text: str) -> None:
    explained = smemdesc("explain", "-", stdin=text)
    assert explained.out
    for arguments in ((), ("decode",), ("decode", "-")):
        ran = smemdesc(*arguments, stdin=text)
        assert (ran.out, ran.status) == (explained.out, explained.status)
    assert smemdesc("decode", text).out == explained.out
