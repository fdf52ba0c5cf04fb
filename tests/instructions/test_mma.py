"""One instruction as a whole: read from text, held against tiles, and written as the command that judges it."""

from __future__ import annotations

import pytest
from rules.test_operands import tcgen05, wgmma
from run import held
from tables import every_row

from smemdesc import SmemdescError
from smemdesc.api.checking import mma as check
from smemdesc.engine.fields import ones
from smemdesc.instructions.mma import command, judge_mma, read_operand
from smemdesc.instructions.model import Mma, MmaOperand, OperandTile
from smemdesc.kinds.instruction import Instruction, d_types_of, has_mn, k_sizes
from smemdesc.kinds.types import dtype_of
from smemdesc.reading.quantities import parse_mnk

A, B, IDESC = "0x4000404000010040", "0x4000404000010440", "0x08200490"


@every_row(
    ("text", "kind", "bits", "known"),
    [
        (A, "tcgen05", 0x4000404000010040, ones(64)),
        ("0x40004040:?", "tcgen05", 0x40004040 << 32, 0xFFFFFFFF << 32),
        ("0x40004040", "tcgen05", 0x40004040 << 32, 0xFFFFFFFF << 32),
        ("136314896", "idesc", 0x08200010, ones(32)),
        ("0x0820049000000000", "idesc", 0x08200490, ones(32)),
        ("0x0203028301020100", "mask", 0x0203028301020100, ones(64)),
    ],
)
def test_operands_are_read_as_decode_reads_values(text: str, kind: str, bits: int, known: int) -> None:
    assert read_operand(text, kind).operand._replace(wide=0) == MmaOperand(bits, known)


@every_row(
    ("text", "bits", "wide"),
    [
        ("0x0820049000000000", 0x08200490, 0x08200490 << 32),
        ("(uint32_t)0x0820049000000000", 0, 0x08200490 << 32),
        ("static_cast<std::uint32_t>(0x08200490ull << 32)", 0, 0x08200490 << 32),
        ("uint32_t(uint64_t(0x08200490) << 32 | 0x08200010)", 0x08200010, 0x0820049008200010),
        ("uint32_t(0x0820049000000000 >> 32)", 0x08200490, 0),
        ("(unsigned)0x08200490", 0x08200490, 0),
        ("uint64_t(0x0820049000000000)", 0x08200490, 0x08200490 << 32),
    ],
)
def test_a_conversion_to_32_bits_leaves_the_low_ones(text: str, bits: int, wide: int) -> None:
    assert read_operand(text, "idesc").operand == MmaOperand(bits, ones(32), wide=wide)


def test_the_kinds_of_an_instruction_descriptor() -> None:
    assert read_operand(IDESC, "idesc").mma_kinds == ("f16", "f8f6f4")
    assert read_operand(IDESC, "idesc", ("f16", "tf32")).mma_kinds == ("f16", "tf32")
    assert (
        judge_mma(tcgen05()._replace(instruction=Instruction("tcgen05", mma_kinds=("f16", "tf32")))).mma_kind == "f16"
    )


def test_an_open_kind_is_not_chosen() -> None:
    said = Instruction("tcgen05", mma_kinds=("f16", "f8f6f4"), cta_group=1)
    judged = judge_mma(tcgen05()._replace(instruction=said))
    assert judged.mma_kind is None
    assert judged.contexts[0].dtype is None


def test_two_ctas_have_half_the_rows_each() -> None:
    a, b = judge_mma(tcgen05(0x10410490, cta_group=2)).contexts
    assert (a.shape, b.shape) == ((128, 16), (128, 16))


def test_tiles_are_found_in_memory() -> None:
    mma = tcgen05()._replace(a_tile=OperandTile((128, 64)), b_tile=OperandTile((128, 32), swizzle="64B"))
    judged = judge_mma(mma)
    a, b = judged.tiles
    assert a is not None
    assert b is not None
    assert (a.agrees, a.start, b.agrees, b.key) == (True, 1024, False, "swizzle")
    assert [(name, finding.rule) for name, finding in judged.findings if name == "b"][-1] == (
        "b",
        "tile-and-descriptor",
    )
    assert judged.fails()


def test_a_tile_of_two_ctas_is_the_pairs() -> None:
    mma = tcgen05(0x10410490, cta_group=2)._replace(a_tile=OperandTile((256, 64)))
    (a, _) = judge_mma(mma).tiles
    assert a is not None
    assert (a.agrees, a.tile.whole, a.tile.shape) == (True, (256, 64), (128, 64))


@pytest.mark.parametrize(
    ("mma", "words"),
    [
        (tcgen05(a_from="tmem")._replace(a_tile=OperandTile((128, 64))), "no descriptor"),
        (
            tcgen05()._replace(
                instruction=Instruction("tcgen05", mma_kinds=("f16", "f8f6f4")), a_tile=OperandTile((128, 64))
            ),
            "is not known",
        ),
        (tcgen05()._replace(a_tile=OperandTile((100, 64))), "100x64"),
        (tcgen05()._replace(a=MmaOperand(0, 0), a_tile=OperandTile((128, 64))), "swizzle mode is not known"),
    ],
)
def test_a_tile_that_cannot_be_held_against(mma: Mma, words: str) -> None:
    with pytest.raises(SmemdescError, match=words):
        judge_mma(mma)


def test_the_command_of_an_instruction() -> None:
    unknown = MmaOperand(0x40004040 << 32, 0xFFFFFFFF << 32)
    mmas = [
        tcgen05(),
        wgmma(sparse=True, k=32)._replace(arch="sm_90a"),
        wgmma(a_type="e4m3", b_type="e5m2", a_from="registers", b_major="K", k=32),
        tcgen05()._replace(a=unknown, b=MmaOperand(0, 0), idesc=None),
    ]
    held("instructions", "commands", "".join(f"{command(mma)}\n" for mma in mmas))
    assert not command(Mma(Instruction("tcgen05.cp"), MmaOperand(0, 0)))


def test_shapes() -> None:
    assert [parse_mnk(text) for text in ("m64n128k16", "128x256x64")] == [(64, 128, 16), (128, 256, 64)]
    assert parse_mnk("M64N8K8") == (64, 8, 8)
    for text in ("64x128", "m64n128", "m64x128x16", "axbxc", "64x128x16x2", ""):
        with pytest.raises(SmemdescError, match="not a shape"):
            parse_mnk(text)
    for text, message in (("m64n0k16", "at least one row"), ("1000000x128x64", "no tile is that large")):
        with pytest.raises(SmemdescError, match=message):
            parse_mnk(text)


def test_what_goes_together() -> None:
    assert d_types_of("f16", "f16") == ("f32", "f16")
    assert d_types_of("bf16", "f16") == ()
    assert d_types_of("e4m3", "e2m1") == ("f32", "f16")
    assert d_types_of("s8", "u8") == ("s32",)
    assert k_sizes(dtype_of("e2m1", "mxf4")) == (64, 128, 96)
    assert not has_mn(dtype_of("s8"), 40)
    assert has_mn(dtype_of("f16"), 40)


@pytest.mark.parametrize(
    ("a", "idesc", "kind"),
    [("0x4000404000014040", "0x08200490", "f16"), ("0x4000404000013c40", "0x28200010", "f8f6f4")],
)
def test_a_descriptor_that_only_sm_107_reads_is_an_error_without_that_architecture(
    a: str, idesc: str, kind: str
) -> None:
    mma = check(a=a, b="0x4000404000010440", idesc=idesc, mma_kind=kind).mma
    assert judge_mma(mma).fails()
    assert {each.severity for _, each in judge_mma(mma).findings if each.rule == "other-arch"} == {"note"}
    assert not {each.rule for _, each in judge_mma(mma._replace(arch="sm_107a")).findings if each.severity != "note"}
    assert judge_mma(mma._replace(arch="sm_100a")).fails()


def test_the_qualifier_ws_is_the_option() -> None:
    given = {"b": "0x4000404000010440", "a": "0x4000404000010040", "idesc": "0x08200490", "qualifier": "ws"}
    assert check(**given).mma.instruction.ws is True  # type: ignore[arg-type]
    with pytest.raises(SmemdescError, match="contradict"):
        check(**given, ws=False)  # type: ignore[arg-type]
