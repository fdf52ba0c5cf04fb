"""The mnemonics of nvdisasm, and what an instruction of an unknown name may write."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs.grammar import program
from samples import sampled

from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs.binaries.cubin import OLDER_OPCODES
from smemdesc.scanning.languages.mnemonics import SASS
from smemdesc.scanning.languages.sass.branches import BRANCHES, may_branch
from smemdesc.scanning.languages.sass.lower import KNOWN_NAMES, written_registers
from smemdesc.scanning.languages.sass.text import SassInstruction, code, parse_instruction

from .test_sass_forms import forms
from .test_sass_front import MMA, PUT, listing

MNEMONICS = {
    name: archs
    for block in (Path(__file__).parent / "mnemonics.txt").read_text().split("\nsm ")[1:]
    for archs, *names in [block.split("\n", 1)]
    for name in " ".join(names).split()
}
UNKNOWN = {"GATHER", "SCATTER", "SPMETADATA", "QADD4", "QFMA4", "QMUL4"}
"""Those of which nothing tells how many registers they write; so do all that begin with two underscores."""


def test_every_mnemonic_of_nvdisasm_is_known() -> None:
    assert len(MNEMONICS) > 300
    known = KNOWN_NAMES | SASS | BRANCHES
    assert {name for name in MNEMONICS if name not in known and name[:2] != "__"} == UNKNOWN


def test_no_mnemonic_of_nvdisasm_is_taken_for_an_unknown_branch() -> None:
    assert [name for name in MNEMONICS if may_branch(name)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(["UFROB", "FROB"]))
def test_an_unknown_name_writes_all_that_a_known_one_would(name: str) -> None:
    texts = [*forms().values(), *[program("any", seed).encode() for seed in range(40)]]
    lines = [line for text in texts for each in text.splitlines() if (line := parse_instruction(code(each)))]
    lines = [line for line in lines if line.name in KNOWN_NAMES and "SpillRefill" not in line.operands[-1:]]
    assert len(lines) > 500
    assert [
        line
        for line in lines
        if not set(written_registers(line)) <= set(written_registers(line._replace(mnemonic=name)))
    ] == []


@pytest.mark.parametrize(
    ("text", "count"),
    [("TEX R4, R8, R12, R3", 8), ("LDTM.x128 R4, tmem[UR4]", 128), ("LDCU.128 UR4, c[0x0][0x380]", 4)],
)
def test_the_widest_results(text: str, count: int) -> None:
    line = parse_instruction(text.encode())
    assert line is not None
    assert len(written_registers(line)) == count
    assert set(written_registers(line)) <= set(written_registers(line._replace(mnemonic="FROB")))


def test_unknown_names_are_counted_with_what_they_cost() -> None:
    lines = (PUT, "UMOV UR6, 0x10000", "UFROB UR7, UR8", "UFROB UR7, UR9", "FROB R1, R2", "LDC UR6, c[0x0][0x210]", MMA)
    part = scan_text(listing(*lines, "NOP"))
    assert part.unknown_instructions == (("UFROB", 2, 1, 32), ("FROB", 1, 0, 0))
    operand = part.functions[0].mmas[0].b
    assert operand is not None
    assert operand.lost_why == "unknown instruction"


def test_a_damaged_line_may_write_all_that_it_names() -> None:
    assert set(written_registers(SassInstruction("", "UMOV", ("UR4 UR6", "0x1")))) >= {"UR4", "UR6"}


def test_an_opcode_counts_where_its_instruction_exists() -> None:
    listed = {int(arch) for archs in MNEMONICS.values() for arch in archs.split()}
    for name in {opcode.name for opcode in OLDER_OPCODES.values()}:
        archs = {
            arch for arch in listed for opcode in OLDER_OPCODES.values() if opcode.name == name and opcode.is_of(arch)
        }
        assert archs == set(map(int, MNEMONICS[name].split())), name
