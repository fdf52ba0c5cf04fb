"""What is read of a cubin without a disassembler: its functions, and which have tensor-core instructions."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, opcodes, tools

from .fake import OBJECTS

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


def test_all_opcodes_of_a_name_are_counted_together() -> None:
    words = (0x7236, 0x723C, 0x7237, 0x723C)
    assert opcodes.used(b"".join(word.to_bytes(opcodes.SIZE, "little") for word in words), 75).older == {
        "HMMA": 3,
        "IMMA": 1,
    }


def test_the_architecture_of_an_older_cubin_stands_elsewhere() -> None:
    data = bytearray(READ["wgmma"])
    data[8], data[48:52] = 7, (0x5A0D5A).to_bytes(4, "little")
    assert cubin.read(bytes(data)).sm == 90


def test_a_spoiled_cubin_is_refused_or_read() -> None:
    generator = random.Random(1)
    for data in READ.values():
        for _ in range(500):
            spoiled = bytearray(data[: generator.choice((len(data), generator.randrange(len(data))))])
            for _ in range(generator.choice((0, 1, 20))):
                place = generator.choice((generator.randrange(64), generator.randrange(len(data))))
                if place < len(spoiled):
                    spoiled[place] = generator.randrange(256)
            try:
                of = cubin.read(bytes(spoiled))
            except SmemdescError:
                continue
            assert all(code.start + code.size <= len(spoiled) for code in of.functions)


HEX = re.compile(r"/\*[0-9a-f]{4,8}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_]*)[^\n]*?/\* 0x([0-9a-f]{16}) \*/")


@pytest.mark.parametrize("name", READ)
def test_opcodes_are_those_of_nvdisasm(name: str) -> None:
    try:
        program = tools.find(tools.NVDISASM)
    except SmemdescError:
        pytest.skip("needs nvdisasm")
    command = [program, "-c", "-hex", str(OBJECTS / f"{name}.cubin")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {each.bits: each.name for each in opcodes.TABLE}
    seen = HEX.findall(text)
    assert len(seen) > 50
    for mnemonic, word in seen:
        known = names.get(int(word, 16) & 0x1FF)
        generic = "UTC*MMA" if re.fullmatch("UTC[A-Z]MMA", mnemonic) else mnemonic
        assert known == (generic if generic in names.values() else None)


@pytest.mark.parametrize(("sm", "found"), [(75, {"HMMA": 1}), (80, {}), (100, {})])
def test_an_addition_of_later_architectures_is_no_hmma(sm: int, found: dict[str, int]) -> None:
    viadd = (0x836).to_bytes(opcodes.SIZE, "little")
    assert opcodes.used(viadd, sm).older == found
