"""Which arguments of a call stand in a text, however it was pasted, and what is said of a text that has not all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from printed_maps import PRINTERS, Arguments, cutlass, deepgemm, deepgemm_fork, tensorrt, tilelang_im2col
from run import smemdesc
from tables import every_row

from smemdesc.descriptors.map_call import MapCallAnswer, answers
from smemdesc.engine.errors import SmemdescError
from smemdesc.reading.map_arguments import RESULTS, MapCall
from smemdesc.reading.map_source import calls

PLAIN = Arguments(9, 0x7F1234567000, [4096, 2048], [8192], [64, 128])
TEXT = cutlass(PLAIN)


def _read(text: str) -> list[MapCall]:
    found = list(calls(text))
    assert not [each for each in found if isinstance(each, SmemdescError)]
    return [each for each in found if isinstance(each, MapCall)]


@every_row("name", PRINTERS)
def test_the_same_arguments_by_any_library(name: str) -> None:
    (call,) = _read(PRINTERS[name](PLAIN))
    told = {key: call.values.get(key) for key in ("globalDim", "globalStrides", "boxDim", "elementStrides", "swizzle")}
    assert told == {
        "globalDim": [4096, 2048],
        "globalStrides": [8192],
        "boxDim": [64, 128],
        "elementStrides": [1, 1],
        "swizzle": 3,
    }
    assert call.missing == (["globalAddress"] if name == "tvm" else [])


@every_row("printer", [deepgemm, deepgemm_fork])
def test_a_stride_in_elements_and_in_bytes(printer: Callable[[Arguments], str]) -> None:
    (call,) = _read(printer(PLAIN))
    assert (call.values["globalStrides"], call.values["swizzle"]) == ([8192], 3)


def test_the_corners_that_a_text_lacks_are_named() -> None:
    im2col = Arguments(9, 1 << 40, [64, 32, 32, 8], [128, 4096, 131072], [0, 0, 0, 0, 64, 128], swizzle=1)
    text = "".join(line for line in tilelang_im2col(im2col).splitlines(keepends=True) if "Corner" not in line)
    (answer,) = answers(text)
    assert isinstance(answer, MapCallAnswer)
    assert answer.call.missing == ["pixelBoxLowerCorner", "pixelBoxUpperCorner"]
    assert [finding.rule for finding in answer.refused] == ["box-row-swizzle"]


@every_row("form", [[], ["--json"]])
def test_scan_and_decode_explain_the_same(form: list[str], tmp_path: Path) -> None:
    (tmp_path / "log").write_text(TEXT)
    explained = smemdesc("decode", *form, "-", stdin=TEXT).out
    assert explained.partition("\n")[2] in smemdesc("scan", *form, str(tmp_path / "log")).out
    assert smemdesc("scan", *form, "-", stdin=TEXT).out.endswith(explained)


@every_row(
    "text",
    [
        "\n".join(f"2026-05-01 18:52:10.969 | {line}" for line in TEXT.splitlines()),
        "\n".join(f"2026-05-01T18:52:10.969000000Z {line}" for line in TEXT.splitlines()),
        "\n".join(f"May 01 18:52:10 node7 python3[4242]: {line}" for line in TEXT.splitlines()),
        "\n".join(f"INFO 05-01 18:52:10 {line}" for line in TEXT.splitlines()),
        "\n".join(f"[rank0]: {line}" for line in TEXT.splitlines()),
        "\n".join(f"(Worker pid=7) ERROR [run.py:9] {line}" for line in TEXT.splitlines()),
        "\n".join(f"\x1b[36m(Worker pid=7)\x1b[0m {line}" for line in TEXT.splitlines()),
        f"RuntimeError: Kernel call failed: {TEXT}",
        repr(TEXT),
        f"head dim 128, format bf16, swizzle 2\n{TEXT}",
        TEXT.replace("\n", "\r\n"),
    ],
)
def test_behind_what_a_log_writes(text: str) -> None:
    (call,), (plain,) = _read(text), _read(TEXT)
    assert (call.values, call.result) == (plain.values, plain.result)


def test_enumerators_by_name_and_a_null_pointer() -> None:
    text = TEXT.replace("format         9", "format CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")
    text = text.replace("swizzle        3", "swizzle CU_TENSOR_MAP_SWIZZLE_128B").replace("0x7f1234567000", "(nil)")
    (call,) = _read(text)
    assert [call.values[key] for key in ("tensorDataType", "swizzle", "globalAddress")] == [9, 3, 0]


@every_row(
    ("text", "codes"),
    [
        (cutlass(PLAIN, 700) + cutlass(PLAIN), [700, 1]),
        ("Error: Failed to initialize the TMA descriptor 715\n" + cutlass(PLAIN) + cutlass(PLAIN, 201), [1, 201]),
        (tensorrt(PLAIN, 700) + tensorrt(PLAIN), [700, 1]),
        (tensorrt(PLAIN).replace("descriptor 1", "descriptor due to an illegal memory access was encountered"), [700]),
        (TEXT.replace("descriptor 1", "descriptor, error code: 999"), [999]),
        (TEXT.replace("descriptor 1", "descriptor A_desc"), [None]),
    ],
)
def test_each_call_has_its_own_result(text: str, codes: list[int | None]) -> None:
    assert [getattr(each.result, "code", None) for each in _read(text)] == codes


def test_results_are_told_apart_by_their_words() -> None:
    for each in RESULTS:
        (call,) = _read(TEXT.replace("descriptor 1", f"descriptor: {each.text}"))
        assert call.result == each


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("(4096,2048,1,1,1)", "(4096,20"), "the list of globalDim is cut"),
        (TEXT.replace("(64,128,1,1,1)", "(64)"), "boxDim has 1 number, but rank 2 needs 2"),
        (TEXT.replace("(4096,2048,1,1,1)", "0x7ffe0000"), "globalDim is an address"),
        (TEXT.replace("(64,128,1,1,1)", "(64,,1281,)1"), "boxDim is not a list of numbers"),
        (TEXT.replace("swizzle        3", "swizzle        (3)"), "swizzle is not a number"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, message: str) -> None:
    (problem,) = calls(text)
    assert isinstance(problem, SmemdescError)
    assert problem.message.startswith(message)
    assert problem.given
    assert problem.span
    assert problem.given[slice(*problem.span)].strip() in text


@pytest.mark.parametrize("text", ["", "128x128", "shape: 64\nrank: 2", "Sw<3,4,3> o (64,16):(64,1)", "format 9\ndim 2"])
def test_other_text_has_no_call(text: str) -> None:
    assert list(calls(text)) == []
