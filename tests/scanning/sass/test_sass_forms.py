"""The forms in which a function of SASS is printed, and what people write beside it: none changes a result."""

from __future__ import annotations

import json
import random
import tarfile
from functools import cache
from pathlib import Path

import pytest
from programs import annotating
from programs.annotating import claims
from programs.grammar import program
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.sass.instructions import UNDETERMINED, head, judge_head
from smemdesc.scanning.languages.sass.lower import written_predicates, written_registers
from smemdesc.scanning.languages.sass.text import OFF, code, parse_instruction

from .test_sass_front import MMA, PUT, high_of_b

ROUNDS = 8


@cache
def forms() -> dict[str, bytes]:
    """One kernel with loops (``loop.ptx``), printed with each option of nvdisasm 13.5, and by cuobjdump."""
    with tarfile.open(Path(__file__).parent / "forms.tar.xz", "r:xz") as box:
        return {member.name: box.extractfile(member).read() for member in box if member.name.endswith(".txt")}  # type: ignore[union-attr]


def test_the_kernel_has_what_a_form_could_hide() -> None:
    found = claims(forms()["nvdisasm-c.txt"])
    assert len(found) == 9
    known = [each[3][1] for each in found]
    assert 0 < min(known) < max(known)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in forms() if name != "nvdisasm-c.txt"])
def test_every_form_says_the_same(name: str) -> None:
    part = scan_text(forms()[name])
    assert claims(forms()[name]) == claims(forms()["nvdisasm-c.txt"])
    assert (part.seen, part.odd) == (1, 0)


def test_objects_name_the_address() -> None:
    (of,) = scan_text(forms()["nvdisasm-json.txt"]).functions
    assert (of.mmas[0].line, of.mmas[0].arch) == (1, "sm_90a")
    assert of.mmas[0].text == "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0 /*0140*/"
    lost = of.mmas[0].b
    assert lost is None or lost.lost is None or lost.lost_text.endswith("*/")


@pytest.mark.slow
def test_the_head_of_a_line_tells_what_it_writes() -> None:
    both = b"LOP3.LUT P0, R4, R5, R6, RZ, 0xc0, !PT ;\nATOMG.E.ADD P1, R8, desc[UR4][R2.64], R3 ;\n"
    texts = [both, *forms().values(), *[program("any", seed).encode() for seed in range(40)]]
    spaced = [text.replace(b", ", separator) for text in texts for separator in (b", ", b",", b" , ")]
    lines = {line for text in spaced for line in text.splitlines() if parse_instruction(code(line)) is not None}
    heads = {line: judge_head(head(line)) for line in lines}
    determined = {line: each for line, each in heads.items() if each not in UNDETERMINED}
    for line, each in determined.items():
        instruction = parse_instruction(code(line))
        assert instruction is not None
        registers, predicates = written_registers(instruction), written_predicates(instruction)
        expected = ((), ()) if instruction.guard in OFF else (registers, registers + predicates)
        assert (((), ()) if each is None else (each.registers, each.names)) == expected, line
    assert len(determined) > len(lines) / 2
    assert len({each and each.names[len(each.registers) :] for each in determined.values()}) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_stands_beside_the_code_changes_nothing(seed: int) -> None:
    generator = random.Random(seed)
    for text in (forms()["nvdisasm-c.txt"].decode(), program("any", seed), program("any", seed + 1000)):
        assert claims(annotating.sass(text, generator)) == claims(text)


@every_row("mark", [" ", "\t", "   // | 26 : :", " /* a loop */", "// x", "\r"])
def test_a_label_with_something_behind_it_is_a_label(mark: str) -> None:
    lines = (PUT, f".L_x_1:{mark}", MMA, "UIADD3 UR7, UR7, 0x1, URZ", "@P0 BRA `(.L_x_1)", "EXIT")
    text = '.section .text.k,"ax"\n' + "\n".join(
        line if line.startswith(".L") else f"        /*{16 * place:04x}*/                   {line} ;"
        for place, line in enumerate(lines)
    )
    ((*_, b, _, _),) = claims(text)
    assert b[1] >> 32 == 0


HIDDEN = ("label :x", "UBRA `(.L_x_1)", "?", "/* UMOV UR7, 0x1")


@pytest.mark.parametrize("line", HIDDEN)
def test_an_instruction_that_is_not_understood_may_be_a_branch(line: str) -> None:
    assert high_of_b(PUT, line, MMA)[1] == 0
    assert high_of_b(PUT, MMA, line)[1] == 0


def test_an_unknown_instruction_may_write_what_it_names() -> None:
    assert high_of_b(PUT, "U MOV UR7, 0x1", MMA)[1] == 0


def test_what_a_line_that_is_not_understood_writes_is_lost_and_the_reason_is_that_line() -> None:
    part = scan_text(f"{PUT} ;\n  and UR7 what\n{MMA} ;\n")
    operand = part.functions[0].mmas[0].b
    assert operand is not None
    assert (operand.known, operand.lost, operand.lost_text) == (0, 2, "and UR7 what")
    assert part.odd == 1


def test_between_two_instructions_without_a_gap_there_is_none() -> None:
    part = scan_text(f'.section .text.k,"ax"\n/*0000*/ {PUT} ;\n  and UR7 what\n/*0010*/ {MMA} ;\n/*0020*/ EXIT ;\n')
    assert part.functions[0].mmas[0].b[1] >> 32 == 0xFFFFFFFF  # type: ignore[index]
    assert part.odd == 0


def test_text_around_a_pasted_fragment_hides_nothing() -> None:
    code = f"        /*0000*/ {PUT} ;\n        /*0010*/ {MMA} ;\n"
    ((_, _, _, b, _, _),) = claims(f"it prints this:\n{code}\nwhy?\n")
    assert b[1] >> 32 == 0xFFFFFFFF


def test_without_semicolons() -> None:
    """As a profiler copies it."""
    ((_, _, _, b, _, _),) = claims(f"{PUT}\n{MMA}\n")
    assert b[1] >> 32 == 0xFFFFFFFF


def test_a_line_that_a_terminal_broke_is_one() -> None:
    broken = MMA.replace(", R24, gsb0", ",\n  R24, gsb0")
    text = f"/*0000*/ {PUT} ;\n/*0010*/ {broken} ;\n/*0020*/ {MMA} ;\n"
    assert claims(text) == claims(text.replace(",\n ", ","))
    assert len(claims(text)) == 2


def test_a_trap_that_is_called_by_its_bare_name() -> None:
    """As nvdisasm -json prints it; the trap does not come back, so that what it would leave does not matter."""
    name = "$__internal_1_$__cuda_sm10x_tcgen05_guardrail_trap_phase_invalid_during_alloc"
    rows = [("UMOV", "UR7,0x40000040"), ("BRA", "0x40"), ("EXIT", ""), ("CALL.REL.NOINC", name)]
    mnemonic, operands = MMA.split(" ", 1)
    made = [
        {"opcode": opcode, "operands": operands} for opcode, operands in [*rows, (mnemonic, operands), ("EXIT", "")]
    ]
    made[1]["predicate"] = "@P0"
    text = json.dumps([{"ELF": {}}, [{"function-name": "k", "start": 0, "sass-instructions": made}]])
    ((*_, b, _, _),) = claims(text.replace('": ', '":'))
    assert b[1] >> 32 == 0xFFFFFFFF


def test_what_is_damaged_in_json_hides_no_other_function() -> None:
    mnemonic, operands = MMA.split(" ", 1)
    whole = {"function-name": "k", "sass-instructions": [{"opcode": mnemonic, "operands": operands}]}
    damaged = '{"function-name": "a", "sass-instructions": [{"function-name": "b"'
    for wrong in (damaged, damaged + ": [" * 2000, damaged + ": " + "9" * 5000):
        part = scan_text(f'[{{"ELF": {{}}}}, [{wrong}, {json.dumps(whole)}]]')
        assert [function.name for function in part.functions] == ["k"]
