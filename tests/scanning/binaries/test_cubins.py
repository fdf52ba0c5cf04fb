"""What is read of a cubin without a disassembler: its functions, and which have tensor-core instructions."""

from __future__ import annotations

import random
import subprocess
from collections import Counter

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, opcodes, tools

from .fake import OBJECTS
from .opcodes import mnemonics, wrong

READ = {name: (OBJECTS / f"{name}.cubin").read_bytes() for name in ("wgmma", "tcgen05")}


@pytest.mark.parametrize(
    ("name", "sm", "with_descriptors"), [("wgmma", 90, {"with_wgmma", "second"}), ("tcgen05", 100, {"with_tcgen05"})]
)
def test_functions_with_descriptors_are_told_by_their_opcodes(name: str, sm: int, with_descriptors: set[str]) -> None:
    data = READ[name]
    of = cubin.read(data)
    used = {code.name: opcodes.used(data[code.start : code.start + code.size], of.sm) for code in of.functions}
    assert of.sm == sm
    assert {code for code in used if used[code].descriptors} == with_descriptors
    assert used["plain"] == (False, Counter())
    if name == "wgmma":
        assert used["with_mma"] == (False, Counter(HMMA=2))


@pytest.mark.parametrize(
    ("words", "sm", "older"),
    [
        ((0x7236, 0x723C, 0x7237, 0x723C), 75, {"HMMA": 3, "IMMA": 1}),
        ((0x836,), 75, {"HMMA": 1}),
        ((0x836,), 80, {}),  # an addition of later architectures
        ((0x836,), 100, {}),
    ],
)
def test_all_opcodes_of_a_name_are_counted_together(words: tuple[int, ...], sm: int, older: dict[str, int]) -> None:
    assert opcodes.used(b"".join(word.to_bytes(opcodes.SIZE, "little") for word in words), sm).older == older


def test_the_architecture_of_an_older_cubin_stands_elsewhere() -> None:
    data = bytearray(READ["wgmma"])
    data[8], data[48:52] = 7, (0x5A0D5A).to_bytes(4, "little")
    assert cubin.read(bytes(data)).sm == 90


ASSERTS = (OBJECTS / "asserts.cubin").read_bytes()


def test_constant_memory_tells_which_functions_never_return() -> None:
    assert cubin.never_returning(ASSERTS) == {0}
    assert cubin.never_returning(ASSERTS.replace(b"__assertfail", b"__assertfine")) == set()


def test_a_spoiled_cubin_is_refused_or_read() -> None:
    generator = random.Random(1)
    for data in (*READ.values(), ASSERTS):
        for _ in range(500):
            spoiled = bytearray(data[: generator.choice((len(data), generator.randrange(len(data))))])
            for _ in range(generator.choice((0, 1, 20))):
                place = generator.choice((generator.randrange(64), generator.randrange(len(data))))
                if place < len(spoiled):
                    spoiled[place] = generator.randrange(256)
            try:
                of = cubin.read(bytes(spoiled))
                cubin.never_returning(bytes(spoiled))
            except SmemdescError:
                continue
            assert all(code.start + code.size <= len(spoiled) for code in of.functions)


@pytest.mark.parametrize("name", READ)
def test_opcodes_are_those_of_nvdisasm(name: str) -> None:
    try:
        program = tools.find(tools.NVDISASM)
    except SmemdescError:
        pytest.skip("needs nvdisasm")
    command = [program, "-c", "-hex", str(OBJECTS / f"{name}.cubin")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seen = mnemonics(text)
    assert seen.total() > 50
    assert [each for each in seen if wrong(*each)] == []
