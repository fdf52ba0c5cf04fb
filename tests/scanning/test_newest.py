"""Instructions of PTX 9.3 to 9.5 beside a tensor-core instruction: its descriptors are known as without them."""

from __future__ import annotations

import pytest
from corpus.dumps import texts
from corpus.newest import ARCHIVE, ARCHS, INSTRUCTIONS
from samples import sampled
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.ptx.lower import role
from smemdesc.scanning.languages.sass.lower import written_registers
from smemdesc.scanning.languages.sass.text import parse_instruction
from smemdesc.scanning.model import Function, ScannedOperand

DUMPS = dict(texts(ARCHIVE))


def known(function: Function) -> list[tuple[int, int] | None]:
    """What is known of the descriptors."""
    *_, mma = function.mmas  # at -O0 ptxas puts empty ones before it
    operands: list[ScannedOperand | None] = [mma.a, mma.b, mma.idesc]
    return [operand and (operand.bits, operand.known) for operand in operands]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(DUMPS))
def test_no_instruction_costs_a_bit(name: str) -> None:
    part = scan_text(DUMPS[name])
    functions = {function.name: function for function in part.functions}
    assert set(functions) == {of for of, (archs, _) in INSTRUCTIONS.items() if name.split(".")[1] in archs}
    plain = known(functions["plain"])
    assert all(operand is not None and operand[1] | 0x3FFF == (1 << 64) - 1 for operand in plain[:2])
    assert {of: known(function) for of, function in functions.items()} == dict.fromkeys(functions, plain)
    assert (part.odd, part.unknown_instructions, part.older, part.failed) == (0, (), (), ())


def test_every_dump_is_there() -> None:
    forms = ("O0.sass", "O3.sass", "ptx")
    assert set(DUMPS) == {f"newest.{arch}.{form}" for arch in ARCHS for form in forms}


@every_row(
    ("text", "registers"),
    [
        ("LDTM R5, tmem[UR4]", "R5"),
        ("LDTM.x2 R4, tmem[UR4]", "R4 R5"),
        ("LDTM.16dp256bit R4, tmem[UR4]", "R4 R5 R6 R7"),
        ("LDTM.16dp128bit.x2.PACK16BIT R4, tmem[UR4]", "R4 R5 R6 R7"),
        ("LDTM.STAT.x2.MAX.F32 R7, R4, tmem[UR4]", "R7 R4 R5"),
        ("LDTM.SPARSIFY.U2.2TO4.x4.MAX.F32 R7, R4, tmem[UR4]", "R7 R4 R5"),
        ("LDTM.STAT.SPARSIFY.U2.2TO4.x4.MAX.F32 R6, R4, tmem[UR4]", "R6 R7 R4 R5"),
        ("__HIR0X1C0.8.U4.2TO4.X4 R16, R12, R2, UR6", "R16 R17 R12 R13 R14 R15"),
        ("__HIR0X1C0.16.U2.2TO4.X1 R9, R7, R4, UR6", "R9 R7"),
        ("__HIR0X1D0.8.U2.N2.M4.X4 R7, R5, R0", "R7 R8 R9 R10"),
    ],
)
def test_the_registers_that_a_vector_takes(text: str, registers: str) -> None:
    line = parse_instruction(text.encode())
    assert line is not None
    assert written_registers(line) == tuple(registers.split())


def test_an_instruction_without_a_name_may_write_many_registers() -> None:
    line = parse_instruction(b"__HIR0X160 R7, R4, R2")
    assert line is not None
    assert {f"R{number}" for number in range(4, 100)} <= set(written_registers(line))


def test_every_new_instruction_of_ptx_has_a_role() -> None:
    names = {text.partition(" ")[0].strip(";") for _, text in INSTRUCTIONS.values() if text}
    assert [name for name in names if "not known" in str(role(name))] == []
    assert role("tensormap.query.alloc_class_large.global.b1024") is not None  # it writes a predicate
