"""One function of SASS at a time: what reaches an MMA, over which ways, in which tool's print."""

from __future__ import annotations

import re
import struct
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from tables import every_row

from smemdesc.instructions.mma import judge_mma
from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.sass.lower import parse_and_lower
from smemdesc.scanning.model import Function, ScannedMma
from smemdesc.scanning.model.causes import ARGUMENT, SPECIAL

from ..known_rows import headings, shown

HIGH = 0x40000040
FULL = 0xFFFFFFFF
MMA = "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24, gsb0"
PUT = "UMOV UR7, 0x40000040"


def listing(*lines: str, above: str = "") -> str:
    """Return a function as nvdisasm prints it; a line that ends in a colon is a label."""
    text = ["\t.target\tsm_90a", *above.splitlines(), '\t.section\t.text.k,"ax",@progbits']
    address = 0
    for line in lines:
        label = line.endswith(":")
        text.append(line if label else f"        /*{address:04x}*/                   {line} ;")
        address += 0 if label else 16
    return "\n".join(text) + "\n"


BARE = (
    "NOP YIELD ENDCOLLECTIVE FENCE.VIEW.ASYNC.S FENCE.VIEW.ASYNC.T FENCE.VIEW.ASYNC.G MEMBAR.ALL.CTA MEMBAR.SC.GPU "
    "CGAERRBAR WARPSYNC.ALL UTMACMDFLUSH CCTL.IVALL SYNCS.CCTL.IVALL ACQBULK UCGABAR_WAIT UCGABAR_ARV PREEXIT LDGDEPBAR"
)


@every_row("instruction", BARE.split())
def test_instructions_without_operands_write_nothing(instruction: str) -> None:
    (mma,) = scan_text(listing(PUT, instruction, MMA, "EXIT")).functions[0].mmas
    assert mma.b is not None
    assert mma.a is not None
    assert HIGH in (mma.a.bits >> 32 & mma.a.known >> 32, mma.b.bits >> 32 & mma.b.known >> 32)


def test_a_branch_that_is_always_taken_enters_no_loop_behind_it() -> None:
    before = ("ULDC UR4, c[0x0][0x228]", "ULOP3.LUT UR4, UR4, 0x3, URZ, 0xc0, !UPT")
    put = "ULOP3.LUT UR5, UR4, 0x40000040, URZ, 0xfc, !UPT"
    skip = (put, "ISETP.LE.U32.AND P0, PT, RZ, UR4, PT", "@P0 BRA `(.L_2)")
    loop = ("MOV R2, RZ", ".L_1:", "VIADD R2, R2, 0xfffffffe", "UIADD3 UR5, UR5, 0x1, URZ")
    back = ("ISETP.GT.U32.AND P0, PT, R2, UR4, PT", "@P0 BRA `(.L_1)", ".L_2:")
    (mma,) = scan_text(listing(*before, *skip, *loop, *back, MMA, "EXIT")).functions[0].mmas
    assert mma.a is not None
    assert (mma.a.bits >> 32, mma.a.known >> 32) == (HIGH, FULL & ~7)


def cuobjdump(text: str) -> str:
    """Return a function of nvdisasm as cuobjdump prints it: no labels, no tables, and each instruction in two lines."""
    at: dict[str, str] = {}
    lines = []
    for line in text.splitlines():
        label = re.match(r"(\.L_\w+):$", line)
        if label:
            at[label[1]] = f"{16 * len(lines):#x}"
        elif ";" in line:
            lines.append(f"        /*{16 * len(lines):04x}*/                   {line.partition('*/')[2].strip()}")
    joined = "".join(f"{line}   /* 0x0000000000007918 */\n{' ' * 52}/* 0x000fe20000000000 */\n" for line in lines)
    joined = re.sub(r' *\(\*"BRANCH_TARGETS[^;]*\*\)', "", joined)
    joined = re.sub(r"`\((\.L_\w+)\)", lambda found: at.get(found[1], found[0]), joined)
    return f"code for sm_90a\n\t\tFunction : k\n{joined}"


def scanned(text: str) -> Function:
    (found,) = scan_text(text).functions
    return found


def only(*lines: str) -> ScannedMma:
    (mma,) = scanned(listing(*lines, "NOP")).mmas
    return mma


def high_of_b(*lines: str) -> tuple[int, int]:
    """What is known of UR7, the high word of B."""
    operand = only(*lines).b
    assert operand is not None
    return operand.bits >> 32, operand.known >> 32


def of_cuobjdump(*lines: str) -> ScannedMma:
    return scanned(cuobjdump(listing(*lines))).mmas[0]


KNOWN_BITS = headings(Path(__file__).parent / "known_bits.sass")


@pytest.mark.slow
@every_row("heading", KNOWN_BITS)
def test_known_bits(heading: str) -> None:
    for known, code in KNOWN_BITS[heading]:
        b = scanned(listing(*code.split("; "), "NOP")).mmas[-1].b
        assert b is not None
        assert shown(b.bits >> 32, b.known >> 32, known) == known, code


def test_functions_that_begin_at_labels() -> None:
    """What one puts into a register the next does not have."""
    code = listing("UMOV UR7, 0x40000040", MMA, "EXIT").partition("progbits\n")[2]
    text = f"\t.target\tsm_90a\n.text.first:\n{code}.text.second:\n{code.replace('UMOV UR7', 'UMOV UR8')}"
    first, second = scan_text(text).functions
    assert (first.name, second.name, first.line, second.line) == ("first", "second", 2, 6)
    known = [[mma.b and mma.b.known >> 32 for mma in each.mmas] for each in (first, second)]
    assert known == [[FULL], [0]]


def test_the_offset_of_a_computed_jump_is_no_place() -> None:
    """cuobjdump leaves out the jump table: any line may come next, and no label tells which."""
    mma = of_cuobjdump("BRX R4 -0x10", "NOP", PUT, "NOP", MMA, "EXIT")
    assert mma.b is not None
    assert (mma.b.known, mma.b.lost_text) == (0, "BRX R4 -0x10")


def test_a_zero_of_cuobjdump_may_be_the_address_of_a_symbol() -> None:
    mma = of_cuobjdump("UMOV UR6, 0x0", PUT, MMA, "EXIT")
    assert mma.b is not None
    assert (mma.b.known, mma.b.lost) == (FULL << 32, 3)
    assert high_of_b("UMOV UR7, 0x0", MMA) == (0, FULL)


def test_what_was_cut_off_may_jump_back() -> None:
    lines = (PUT, ".L_x_1:", MMA)
    mma = scanned(listing(*lines)).mmas[0]
    assert mma.b is not None
    assert mma.b.known == 0
    cut = of_cuobjdump(PUT, MMA).b
    assert cut is not None
    assert cut.known == 0


ASKED = ("ULDC UR9, c[0x0][0x210]", "UISETP.NE.AND UP0, UPT, UR9, 0x3, UPT")
RING = ("USEL UR8, UR8, URZ, UP0", "UIADD3 UR8, UR8, 0x1, URZ", "UMOV UR7, UR8", "@P0 BRA `(.L_x_1)")
BEHIND = {
    "a selection": ((*ASKED, "USEL UR7, UR5, 0x2, UP0"), "USEL", ARGUMENT),
    "a ring": (
        (ASKED[0], "UMOV UR8, URZ", ".L_x_1:", "UISETP.NE.AND UP0, UPT, UR8, UR9, UPT", *RING),
        "USEL",
        ARGUMENT,
    ),
    "a bit of one": ((*ASKED, "USEL UR8, URZ, 0x7, UP0", "ULOP3.LUT UR7, UR8, UR8, UR8, 0x96, !UPT"), "USEL", ARGUMENT),
    "what is skipped": (("UMOV UR7, 0x1", *ASKED, "@UP0 UIADD3 UR7, UR7, 0x4, URZ"), "@UP0 UIADD3", ARGUMENT),
    "another register": (("S2UR UR9, SR_CTAID.X", ASKED[1], "USEL UR7, URZ, 0x2, UP0"), "USEL", SPECIAL),
    "a loop": (("UMOV UR7, 0x1", ".L_x_1:", "UIADD3 UR7, UR7, 0x1, URZ", "@P0 BRA `(.L_x_1)"), "UIADD3", None),
    "a base": (("S2UR UR9, SR_CTAID.X", "UIADD3 UR7, UR9, 0x1, URZ"), "S2UR", SPECIAL),
}


@pytest.mark.parametrize(("lines", "lost", "cause"), BEHIND.values(), ids=list(BEHIND))
def test_an_argument_is_found_behind_what_it_decides(lines: tuple[str, ...], lost: str, cause: str | None) -> None:
    operand = only("UMOV UR5, 0x1", *lines, MMA).b
    assert operand is not None
    assert operand.lost_text.startswith(lost)
    assert operand.lost_why == cause


CUT = {
    "behind a jump forward": ((".text.k:", PUT, "@P0 BRA `(.L_x_1)", MMA), FULL, 0),
    "behind a label": ((PUT, "@P0 BRA `(.L_x_1)", "NOP", ".L_x_1:", MMA), 0, FULL),
    "in a loop": ((PUT, ".L_x_1:", MMA, "@P0 BRA `(.L_x_1)"), 0, FULL),
    "in a loop that changes it": ((PUT, ".L_x_1:", MMA, "UIADD3 UR7, UR7, 0x1, URZ", "@P0 BRA `(.L_x_1)"), 0, 0),
    "in a loop whose end is missing": ((PUT, ".L_x_1:", MMA), 0, 0),
    "behind a jump back": ((PUT, ".L_x_1:", "@P0 BRA `(.L_x_1)", "EXIT", ".L_x_2:", MMA), 0, 0),
    "behind an exit": ((PUT, "@P0 BRA `(.L_x_1)", ".L_x_2:", MMA, "@P1 BRA `(.L_x_2)", "EXIT"), 0, FULL),
    "by addresses": ((PUT, "@P0 BRA 0x100", MMA), 0, FULL),
    "behind a jump to anywhere": ((PUT, "@P0 BRX R4 -0x10", MMA), 0, 0),
}


@pytest.mark.parametrize(("lines", "known", "assumed"), CUT.values(), ids=list(CUT))
def test_of_a_function_that_is_cut_off_more_is_assumed_than_known(
    lines: tuple[str, ...], known: int, assumed: int
) -> None:
    mma = of_cuobjdump(*lines) if "0x100" in lines[1] else scanned(listing(*lines)).mmas[0]
    assert mma.b is not None
    assert (mma.b.known >> 32, mma.b.provided.known >> 32 if mma.b.provided else 0) == (known, assumed)
    if assumed:
        assert mma.b.provided == (HIGH << 32, FULL << 32, (), True)
        assert "the function is cut off after this line: paste it" in mma.b.lost_text


SUM = ("LDC R1, c[0x0][0x28]", "LDC.64 R2, c[0x0][0x20]", "MOV R10, 0x40000040", "IADD3 R8, P0, R1, R2, RZ")
PUT_THERE = ("IADD3.X R9, R3, RZ, RZ, P0, !PT", "ST.E desc[UR4][R8.64], R10", "LDL R5, [R1]")
ROUND = ("MOV R10, 0x40000040", ".L_x_1:", "LD.E.64 R2, desc[UR4][R14.64]", "ST.E desc[UR4][R2.64], R10")
KEPT = {
    "by a sum": ((*SUM, *PUT_THERE), FULL),
    "by a sum whose carry comes from the block before": ((*SUM, "BSSY B0, `(.L_x_1)", ".L_x_1:", *PUT_THERE), FULL),
    "by a carry that is another on one way": (
        (*SUM, "@P1 BRA `(.L_x_1)", "IADD3 R6, P0, R6, R7, RZ", ".L_x_1:", *PUT_THERE),
        0,
    ),
    "by the address of this round": ((*ROUND, "LD.E R5, desc[UR4][R2.64]", "@P0 BRA `(.L_x_1)"), FULL),
    "by the address of the round before": (
        (*ROUND, "LD.E R5, desc[UR4][R6.64]", "MOV R6, R2", "MOV R7, R3", "@P0 BRA `(.L_x_1)"),
        0,
    ),
}


@pytest.mark.parametrize(("lines", "known"), KEPT.values(), ids=list(KEPT))
def test_what_is_kept_in_memory_is_found_by_an_address(lines: tuple[str, ...], known: int) -> None:
    operand = only(*lines, "R2UR UR7, R5", MMA).b
    assert operand is not None
    assert operand.known >> 32 == known


NEVER = ("MOV R0, 0x8", "LDC.64 R2, c[0x4][R0]", "NOP", "CALL.ABS.NOINC R2")
BANK = "\t.elftype\t@x\n.nv.constant4:\n        /*0008*/ \t.dword\t__assertfail\n\t.align 8\n"
NAMED = {
    "by name": ("", ("CALL.ABS.NOINC `(__assertfail)",), FULL),
    "another": ("", ("CALL.ABS.NOINC `(__assertfine)",), 0),
    "through constant memory": (BANK, NEVER, FULL),
    "without an offset in a register": (BANK, ("LDC.64 R2, c[0x4][0x8]", "CALL.ABS.NOINC R2"), FULL),
    "through copies": (BANK, ("MOV R4, 0x8", "IMAD.MOV.U32 R0, RZ, RZ, R4", *NEVER[1:]), FULL),
    "through what may be a copy": (BANK, (NEVER[0], "@P1 MOV R0, R4", *NEVER[1:]), 0),
    "at another place": (BANK, ("MOV R0, 0x10", *NEVER[1:]), 0),
    "another in its place": (BANK.replace("fail", "fine"), NEVER, 0),
    "not named": ("", NEVER, 0),
    "of one of two cubins": (BANK * 2, NEVER, 0),
    "of one that is printed in full and another": (BANK + "\t.elftype\t@x\n", NEVER, 0),
    "perhaps": (BANK, (*NEVER[:2], "@P1 MOV R2, R8", NEVER[3]), 0),
    "of which only a part is read": (BANK, (*NEVER[:2], "MOV R3, R8", NEVER[3]), 0),
    "after a label": (BANK, (*NEVER[:3], ".L_x_2:", NEVER[3]), FULL),
    "through a copy of two words": (BANK, (*NEVER[:2], "MOV.64 R6, R2", "CALL.ABS.NOINC R6"), FULL),
    "in another block": (BANK, (*NEVER[:2], "@P2 EXIT", NEVER[3]), FULL),
    "on two ways": (BANK, (*NEVER[:2], "@P2 BRA `(.L_x_2)", "NOP", ".L_x_2:", NEVER[3]), FULL),
    "after another": (BANK, (*NEVER, *NEVER[:2], "CALL.ABS.NOINC R2"), FULL),
    "on one way of two": (
        BANK,
        ("@P2 BRA `(.L_x_2)", *NEVER[:2], "BRA `(.L_x_3)", ".L_x_2:", "NOP", ".L_x_3:", NEVER[3]),
        0,
    ),
    "after a call that may change it": (BANK, (*NEVER[:2], "CALL.ABS.NOINC `(f)", NEVER[3]), 0),
    "that is jumped to": (BANK, ("@P1 BRA `(.L_x_2)", *NEVER[:2], ".L_x_2:", NEVER[3]), 0),
}


@pytest.mark.parametrize(("above", "call", "known"), NAMED.values(), ids=list(NAMED))
def test_a_call_does_not_return_where_it_is_named(above: str, call: tuple[str, ...], known: int) -> None:
    lines = (PUT, "@P0 BRA `(.L_x_1)", "UMOV UR7, 0x1", *call, ".L_x_1:", MMA)
    (mma,) = scanned(listing(*lines, "NOP", above=f'\t.section\t.nv.info,""\n{above}')).mmas
    assert mma.b
    assert mma.b.known >> 32 == known


def test_a_call_may_leave_anything() -> None:
    mma = only(PUT, "CALL.REL.NOINC `($k$sub)", MMA, "EXIT", "$k$sub:", "RET.REL.NODEC R20 `(k)")
    assert mma.b is not None
    assert (mma.b.known, mma.b.lost_text) == (0, "CALL.REL.NOINC `($k$sub)")


def test_two_lines_an_instruction_as_cuobjdump_prints_them() -> None:
    mma = of_cuobjdump("BSSY B0, 0x30", PUT, "BSYNC B0", MMA, "EXIT")
    assert mma.b is not None
    assert mma.b.bits >> 32 == HIGH
    assert mma.line == 9


def test_the_loss_names_line_and_instruction() -> None:
    mma = only(PUT, "ULDC UR7, c[0x0][0x210]", "UMOV UR8, UR7", "UMOV UR7, UR8", MMA)
    assert mma.b is not None
    assert (mma.b.lost, mma.b.lost_text) == (4, "ULDC UR7, c[0x0][0x210]")


def test_source_lines() -> None:
    text = (
        '\t.section\t.text.k,"ax"\n\t//## File "/a/b.cu", line 12\n        /*0000*/                   ' + MMA + " ;\n"
    )
    (found,) = scan_text(text).functions
    assert found.mmas[0].source == ("/a/b.cu", 12)


FACTS = {
    "HGMMA.64x8x16.F16 R24, gdesc[UR4].tnspA, R24": ("f16", "f16", "MN", "K", 8, 16, False, "shared"),
    "HGMMA.64x16x8.F32.TF32 R24, gdesc[UR4], R24": ("tf32", "tf32", "K", "K", 16, 8, False, "shared"),
    "QGMMA.64x24x32.F32.E5M2.E4M3 R24, gdesc[UR4], R24": ("e5m2", "e4m3", "K", "K", 24, 32, False, "shared"),
    "IGMMA.64x32x32.U8.S8.SAT R24, gdesc[UR4], R24": ("u8", "s8", "K", "K", 32, 32, False, "shared"),
    "BGMMA.64x8x256.AND.POPC R24, gdesc[UR4], R24": ("b1", "b1", "K", "K", 8, 256, False, "shared"),
    "HGMMA.SP.64x8x32.F32.BF16 R24, gdesc[UR4].tnspA.tnspB, R24, UP0, R28, 0x1": (
        "bf16", "bf16", "MN", "MN", 8, 32, True, "shared",
    ),
    "HGMMA.64x8x16.F32.BF16 R24, R28, gdesc[UR8].tnspB, R24, UP0": (
        "bf16", "bf16", None, "MN", 8, 16, False, "registers",
    ),
}  # fmt: skip


@every_row("text", FACTS)
def test_wgmma_instructions(text: str) -> None:
    found = only(text).instruction
    assert (
        found.a_type, found.b_type, found.a_major, found.b_major, found.n, found.k, found.sparse, found.a_from,
    ) == FACTS[text]  # fmt: skip


TCGEN05 = {
    "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0": (
        ("f16", "tf32", "ti16"), 1, False, None,
    ),
    "UTCQMMA.2CTA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0": (("f8f6f4",), 2, False, None),
    "UTCQMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], tmem[UR12], UP0": (
        ("mxf8f6f4",), 1, False, 1,
    ),
    "UTCOMMA.4X gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], tmem[UR12], UP0": (
        ("mxf4nvf4",), 1, False, 4,
    ),
    "UTCOMMA.2CTA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], tmem[UR12], UP0": (
        ("mxf4", "mxf4nvf4"), 2, False, 2,
    ),
    "UTCIMMA.WS gdesc[UR4], gdesc[UR6].B_KEEP.BUFFER1, tmem[UR8], tmem[UR10], idesc[UR11], UR14, UP0": (
        ("i8",), 1, True, None,
    ),
}  # fmt: skip


@every_row("text", TCGEN05)
def test_tcgen05_instructions(text: str) -> None:
    mma = only("UMOV UR11, 0x8200490", text)
    found = mma.instruction
    assert (found.mma_kinds, found.cta_group, found.ws, found.scale_vec) == TCGEN05[text]
    assert mma.idesc is not None
    assert (mma.idesc.bits, mma.idesc.known) == (0x08200490, FULL)
    assert (mma.mask is not None) == bool(re.search(r"UR14", text))


@every_row(
    ("idesc", "kind", "types", "rules"),
    [
        ("0x30200010", "f16", ("f16", "f16"), {"k-code"}),
        ("0x30200490", "f16", ("bf16", "bf16"), {"k-code"}),
        ("0x10200490", "f16", ("bf16", "bf16"), set()),
        ("0x30200910", None, None, {"error-in-every-reading"}),
    ],
)
def test_bit_29_of_sm_107_leaves_the_kind(idesc: str, kind: str, types: tuple[str, str], rules: set[str]) -> None:
    """cuDNN's front end sets the bit with kind::f16; kind::tf32 has no such code."""
    put = (
        "UMOV UR4, 0x10400",
        "UMOV UR5, 0x40004040",
        "UMOV UR6, 0x10800",
        "UMOV UR7, 0x40004040",
        f"UMOV UR11, {idesc}",
    )
    text = "UTCHMMA.2CTA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0"
    found = {}
    for arch in ("sm_107a", "sm_100a"):
        mma = scan_text(listing(*put, text, "NOP").replace("sm_90a", arch)).functions[0].mmas[0]
        judged = found[arch] = judge_mma(mma.model)
        assert judged.arch == arch
    assert {finding.rule for _, finding in found["sm_107a"].findings} == rules
    assert found["sm_107a"].mma_kind == kind
    if types:
        assert tuple(context.dtype and context.dtype.name for context in found["sm_107a"].contexts) == types
    assert found["sm_100a"].fails() == bool(rules)


HALVES = [bits for bits in range(1 << 16) if not bits & 0x7FFF or bits % 997 == 0 or bits & 0x3FF in (0, 1, 0x3FF)]


@every_row(
    ("name", "zeros", "negative"),
    [
        (name, zeros, zeros.count("-") % 2)
        for name, count in (("HFMA2", 2), ("HFMA2.MMA", 2), ("HFMA2.BF16_V2", 2), ("HADD2", 1), ("HADD2.BF16_V2", 1))
        for zeros in map(", ".join, product(("RZ", "-RZ"), repeat=count))
    ],
)
def test_every_half_that_is_moved(name: str, zeros: str, negative: int) -> None:
    """The sum of a zero and a number, by the arithmetic of Python, for all kinds of numbers."""
    brain = "BF16" in name
    for bits in HALVES:
        word = bits << 16 if brain else bits
        number = struct.unpack("<f" if brain else "<e", struct.pack("<I" if brain else "<H", word))[0]
        text = f"{number:+}".upper().replace("NAN", "QNAN") if number - number else f"{Decimal(number)}"
        total = (-0.0 if negative else 0.0) + number
        expected = struct.pack("<f" if brain else "<e", total)[-2:]
        expected = b"\xff\x7f" if number != number else expected
        _, step = parse_and_lower(f"        /*0000*/                   {name} R5, {zeros}, 1, {text} ;".encode())
        assert step is not None
        assert step.transfer is not None, text
        made = step.transfer()
        assert (made[0] & 0xFFFF, made[1] & 0xFFFF) == (int.from_bytes(expected, "little"), 0xFFFF), (text, hex(bits))


def test_a_in_tensor_memory_has_no_descriptor() -> None:
    mma = only("UTCHMMA tmem[UR6], gdesc[UR4], tmem[UR7], tmem[UR8], idesc[UR9], UP0")
    assert (mma.a, mma.instruction.a_from) == (None, "tmem")


TENSOR_MEMORY = {
    "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0": {"d": (16, 32)},
    "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[URZ], tmem[UR10], idesc[UR11], UP0": {"d": (0, 0)},
    "UTCHMMA tmem[UR8+0x40], gdesc[UR6], tmem[UR8+-0x10], tmem[UR10], idesc[UR11], UP0": {
        "d": (16, 16), "a": (16, 96),
    },
    # As ptxas 13.5 makes it of tcgen05.mma [d], a, b, idesc, [d + 300], [d + 308].
    "UTCOMMA.BLOCK16 gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR10], idesc[UR11], tmem[UR12], UP0": {
        "d": None, "scale_a": (0, 300), "scale_b": (0, 308),
    },
    "UTCCP.T.S tmem[UR8+0x4], gdesc[UR4]": {"d": (16, 36)},
    "HGMMA.64x8x16.F32.BF16 R24, gdesc[UR8], R24, UP0": {},
}  # fmt: skip


@every_row("text", TENSOR_MEMORY)
def test_addresses_of_tensor_memory(text: str) -> None:
    mma = only("UMOV UR8, 0x100020", "UMOV UR12, 0x12c", "UMOV UR13, 0x134", text)
    found = {each.name: each.to_dict() for each in mma.tensor_memory}
    assert {name: each and (each["lane"], each["column"]) for name, each in found.items()} == TENSOR_MEMORY[text]


def test_lanes_that_are_off_are_no_mask() -> None:
    assert only("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UR12, UP0").mask is None


def test_a_copy_has_one_descriptor() -> None:
    mma = only("UMOV UR5, 0x4000", "UTCCP.T.S.2CTA.4x32dp128bit tmem[UR6], gdesc[UR4]")
    assert mma.a is not None
    assert (mma.instruction.family, mma.a.bits >> 32, mma.b) == ("tcgen05.cp", 0x4000, None)


@pytest.mark.parametrize("before", [(), ("@P0 BRA `(.L_x_1)", ".L_x_2:")])
def test_lines_missing_from_a_fragment_may_have_written_anything(before: tuple[str, ...]) -> None:
    """Whatever else is missing: a place to which a line jumps."""
    fragment = [f"        /*{at:04x}*/                   {line} ;" for at, line in ((32, PUT), (48, "NOP"), (64, MMA))]
    begin = [f"/*0010*/ {before[0]} ;", *before[1:]] if before else []
    whole, grepped = (scan_text("\n".join((*begin, *lines))) for lines in (fragment, (fragment[0], fragment[2])))
    for part, known in ((whole, FULL), (grepped, 0)):
        operand = part.functions[0].mmas[0].b
        assert operand is not None
        assert operand.known >> 32 == known


def test_a_predicate_that_an_address_carries_into_has_its_other_writers_too() -> None:
    put = ("LDC R1, c[0x0][0x28]", "LOP3.LUT R2, R2, 0x1c, RZ, 0xc0, !PT", "IADD3 R3, P0, R2, R1, RZ")
    stores = (f"STL [R1+{4 * word:#x}], R2" for word in range(8))
    load = ("LDL R4, [R3]", "ISETP.EQ.U32.AND P0, PT, RZ, RZ, PT")
    choose = ("SEL R6, R4, 0x40, P0", "SEL R7, R4, 0x40, !P0", "R2UR UR6, R6", "R2UR UR7, R7")
    mma = only(*put, *stores, *load, *choose, MMA, "EXIT")
    assert mma.b is not None
    assert (mma.b.bits >> 32, mma.b.known >> 32) == (0x40, FULL)
