"""``smemdesc probe``: what it says of an answer, its status, and what it says where nothing can be asked."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from probe.chip import Chip
from run import held, refused, smemdesc

from smemdesc import schema
from smemdesc.probe import every
from smemdesc.probe.questions import OperandQuestion

OPERAND = ["probe", "0x4000004000010040", "--dtype", "f16", "--major", "K"]
MAP = [
    *("tensormap", "--dtype", "bf16", "--address", "0", "--dim", "128,64", "--stride", "256"),
    *("--box", "64,16", "--swizzle", "128B"),
]


class WithDriver(Chip):
    """A chip in place of the driver."""

    def __enter__(self) -> WithDriver:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Callable[[Chip], None]:
    return lambda made: monkeypatch.setattr("smemdesc.probe.driver.Driver", lambda device: made)


def test_an_answer_that_is_the_models(chip: Callable[[Chip], None]) -> None:
    chip(WithDriver())
    ran = smemdesc(*OPERAND, "--check")
    assert ran.status == 0
    assert "1024 of 1024 elements are read where the model says" in ran.out


def test_an_answer_that_is_not_the_models(chip: Callable[[Chip], None]) -> None:
    chip(WithDriver(reads=lambda operand: operand._replace(sbo=2048) if operand.mode.name == "128B" else operand))
    ran = smemdesc(*OPERAND)
    assert ran.status == 0
    held("probe", "differs", ran.out)
    assert smemdesc(*OPERAND, "--check").status == 1
    data = json.loads(smemdesc(*OPERAND, "--json").out)
    assert (data["agree"], data["elements"], data["holds"]) == (128, 1024, False)
    assert data["nearest"]["differences"] == [{"field": "stride_byte_offset", "said": 1024, "found": 2048}]
    assert len(data["differ"]) == 896


def test_a_fault_is_an_answer(chip: Callable[[Chip], None]) -> None:
    chip(WithDriver(reads=lambda operand: operand._replace(start=0x3FFF0)))
    ran = smemdesc(*OPERAND, "--check")
    assert ran.status == 1
    assert "the instruction faulted: illegal address" in ran.out


def test_what_the_model_has_outside_faults(chip: Callable[[Chip], None]) -> None:
    chip(WithDriver())
    ran = smemdesc("probe", "0x400003ff00013800", "--dtype", "f16", "--major", "K", "--check")
    assert ran.status == 0
    assert "as the model says: it is beyond the memory of a block" in ran.out


BLACKWELL = [
    ("0x4000404000010040 --dtype bf16 --major K", "2048 of 2048 elements are read where the model says"),
    ("0x4000404000010040 --dtype bf16 --major K --operand b --shape 64x16", "1024 of 1024 elements"),
    ("0x4000404000010040 --dtype bf16 --major K --cta-group 2", "A of tcgen05.mma.cta_group::2.kind::f16 m256n16k16"),
    (
        "idesc 0x4040010 --mma-kind f16",
        "1024 of 1024 elements of D are what the model computes; nothing else is written",
    ),
    ("idesc 0x8820000 --mma-kind mxf8f6f4", "factors are read where the model says"),
    ("mask 0x0003028100000000 --m 64 --n 64", "1024 of 1024 elements are read where the model says"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "says"), BLACKWELL)
def test_questions_about_blackwell(chip: Callable[[Chip], None], words: str, says: str) -> None:
    chip(WithDriver("sm_100a"))
    ran = smemdesc("probe", *words.split(), "--check")
    assert (ran.err, ran.status) == ("", 0)
    assert says in ran.out


PTX = [
    ("0x4000004000010040 --dtype f16 --major K", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16"),
    ("0x4000404000010040 --dtype f16 --major K", "tcgen05.mma.cta_group::1.kind::f16 [tensor], a, b, idesc, q;"),
    ("0x4000404000010040 --dtype f16 --major K --arch sm_103a", ".target sm_103a"),
    ("idesc 0x8210490 --mma-kind f16 --arch sm_110a", ".target sm_110a"),
    ("mask 0x0003028100000000 --m 64 --n 64", "tcgen05.mma.ws.cta_group::1.kind::f16 [tensor], a, b, idesc, q, mask;"),
]


@pytest.mark.parametrize(("words", "says"), PTX)
def test_a_kernel_is_printed_without_a_gpu(words: str, says: str) -> None:
    ran = smemdesc("probe", *words.split(), "--ptx")
    assert (ran.err, ran.status) == ("", 0)
    assert says in ran.out


def test_the_kernel_of_a_copy_is_printed() -> None:
    value = smemdesc("encode", *MAP).out
    assert "cp.async.bulk.tensor.2d" in smemdesc("probe", "map", "-", "--ptx", stdin=value).out


NOT_ASKED = [
    ("sm_90a", "0x4000404000010040 --dtype bf16 --major K", ["sm_90a has no tcgen05", "sm_100a, sm_103a"]),
    ("sm_90a", "idesc 0x8210490 --mma-kind f16", ["has no tcgen05"]),
    ("sm_90a", "mask 0x0003028100000000 --m 64 --n 64", ["has no tcgen05"]),
    (
        "sm_90a",
        "0x4000004000010040 --dtype bf16 --major K --arch sm_100a",
        ["the GPU is a chip in Python", "not sm_100a"],
    ),
    ("sm_90a", "0x4000004000010040 --dtype b1 --major K --shape 64x256", ["no question is known for wgmma of b1"]),
    ("sm_90a", "0x4000004000010040 --dtype f16 --major K --shape 64x64", ["K = 64: one instruction has K = 16 of f16"]),
    ("sm_90a", "0x4000004000010040 --dtype f16 --major K --shape 128x16", ["A of wgmma has 64 rows, not 128"]),
    ("sm_90a", "0x4000004000010040 --dtype s8 --major MN --shape 64x32", ["wgmma has no MN-major s8"]),
    ("sm_90a", "map 0x1", ["error"]),
    ("sm_100a", "idesc 0x8210490", ["error"]),
    ("sm_100a", "idesc 0x40010 --mma-kind f16", ["M = 0, N = 16 is no shape"]),
    ("sm_100a", "0x4000404000010040 --dtype bf16 --major K --shape 100x16", ["has no A of 100 rows", "M is 64 or 128"]),
]


@pytest.mark.parametrize(("arch", "words", "says"), NOT_ASKED)
def test_what_cannot_be_asked_is_said(chip: Callable[[Chip], None], arch: str, words: str, says: list[str]) -> None:
    chip(WithDriver(arch))
    refused("probe", *words.split(), says=says)


def test_without_a_driver_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smemdesc.probe.driver._ON_LINUX", ("no-such-library.so",))
    refused(*OPERAND, says=["there is no NVIDIA driver (libcuda) here", "--ptx prints the kernel that would run"])


def test_every_question_is_summed_up_and_written(
    chip: Callable[[Chip], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = [each for each in every.every_question("sm_90a") if isinstance(each, OperandQuestion)]
    swizzled = [each for each in asked if each.claim == "base-offset" and each.operand.mode.name == "128B"]
    few = [*swizzled[::80], *asked[::400]]
    monkeypatch.setattr(every, "every_question", lambda arch: few)
    chip(WithDriver(reads=lambda operand: operand._replace(base_offset=0)))
    out = tmp_path / "answers.jsonl.gz"
    ran = smemdesc("probe", "--all", "--out", str(out), "--check")
    held("probe", "all", ran.out)
    assert (ran.err, ran.status) == ("", 1)
    head, *lines = map(json.loads, gzip.decompress(out.read_bytes()).splitlines())
    assert head["questions"] == len(lines) == len(few)
    printed = smemdesc("probe", "all", "--json").out
    assert described(printed) == []
    data = json.loads(printed)
    assert {each["claim"]: each["verdict"] for each in data["claims"]}["base-offset"] == "contradicted"


def described(text: str) -> list[str]:
    """What the schema has against lines of JSON."""
    checker = Draft202012Validator(schema("probe"))
    return [error.message for line in text.splitlines() for error in checker.iter_errors(json.loads(line))]


@pytest.mark.slow
@pytest.mark.parametrize("words", [words for words, _ in BLACKWELL])
def test_the_json_is_what_the_schema_says(chip: Callable[[Chip], None], words: str) -> None:
    chip(WithDriver("sm_100a"))
    assert described(smemdesc("probe", *words.split(), "--json").out) == []


def test_the_json_of_what_differs_is_what_the_schema_says(chip: Callable[[Chip], None]) -> None:
    chip(WithDriver(reads=lambda operand: operand._replace(sbo=2048) if operand.mode.name == "128B" else operand))
    assert described(smemdesc(*OPERAND, "--json").out) == []
