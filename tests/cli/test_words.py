"""What the encoder says of values that are not legal, of pointers, and of transposed operands."""

from __future__ import annotations

import json

import pytest
from run import smemdesc

import smemdesc as library
from smemdesc.engine.errors import FieldError
from smemdesc.kinds.context import BLAS

F16 = ["encode", "idesc", "--mma-kind", "f16", "--a-type", "f16", "--b-type", "f16"]
I8 = ["encode", "idesc", "--mma-kind", "i8", "--a-type", "s8", "--b-type", "s8"]
MX = ["encode", "idesc", "--mma-kind", "mxf8f6f4", "--a-type", "e4m3", "--b-type", "e4m3"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            [*F16, "--m", "128", "--n", "512"],
            "N of kind::f16 with M = 128 is: cta_group::1: 8..256 step 8; cta_group::2",
        ),
        ([*F16, "--m", "64", "--n", "512"], "cta_group::1: 8..256 step 8; cta_group::1.ws: 64, 128, 256"),
        ([*F16, "--m", "64", "--n", "512", "--no-ws", "--cta-group", "1"], "is: cta_group::1: 8..256 step 8\n"),
        (
            [*F16, "--m", "128", "--n", "512", "--cta-group", "2"],
            "with cta_group::2 with M = 128 is: cta_group::2: 16..",
        ),
        ([*F16, "--m", "128", "--n", "512", "--ws"], "is: cta_group::1.ws: 64, 128, 256\n"),
        ([*F16, "--m", "128", "--n", "512", "--ws", "--sparse"], "is: cta_group::1.ws: 64, 128\n"),
        ([*F16, "--m", "100", "--n", "64"], "M of kind::f16 is 32, 64, 128 or 256"),
        ([*F16, "--m", "512", "--n", "64", "--cta-group", "2"], "M of kind::f16 with cta_group::2 is 128 or 256"),
        ([*F16, "--m", "128"], "N of kind::f16 with M = 128 is: "),
        ([*F16, "--n", "128"], "M of kind::f16 is 32, 64, 128 or 256"),
        ([*F16, "--m", "128", "--n", "many"], "8..256 step 8"),
        ([*I8, "--m", "64", "--n", "500"], "cta_group::1: 8, 16, 24, 32..256 step 16"),
        (
            [*I8, "--m", "64", "--n", "500", "--transpose-b"],
            "8-bit B that is transposed is: cta_group::1: 16..256 step 16",
        ),
        ([*MX, "--m", "64", "--n", "64"], "M of kind::mxf8f6f4 is 128 or 256"),
        ([*MX, "--m", "300", "--n", "64", "--sparse", "--cta-group", "2"], "with cta_group::2 is 256"),
        (["encode", "idesc", "--mma-kind", "f16", "--from", "0x08200490", "--n", "512"], "with M = 128 is: "),
    ],
)
def test_legal_m_and_n_are_those_of_the_case(arguments: list[str], says: str) -> None:
    ran = smemdesc(*arguments)
    assert ran.status == 2
    assert says in ran.err
    assert "504" not in ran.err
    assert "496" not in ran.err


def test_json_into_encode_says_the_same() -> None:
    ran = smemdesc("encode", "-", stdin='{"kind": "idesc", "mma_kind": "f16", "fields": {"m": 128, "n": 512}}')
    assert ran.status == 2
    assert "N of kind::f16 with M = 128 is: cta_group::1: 8..256 step 8" in ran.err


def test_the_library_says_the_same() -> None:
    with pytest.raises(FieldError, match="there is no N = 512; N of kind::tf32 with M = 64 is: cta_group::1: 8"):
        library.encode("idesc", mma_kind="tf32", m=64, n=512)


SMEM = ["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B"]


@pytest.mark.parametrize("start", ["0x7f5c00000400", "0x40400", "0x7f0000000400"])
def test_a_pointer_is_explained_and_masked_by_force(start: str) -> None:
    ran = smemdesc(*SMEM, "--start", start)
    assert (ran.status, ran.out) == (2, "")
    assert "is above the 18 bits of shared memory (0..0x3ffff)" in ran.err
    assert "pass its low 18 bits, 0x400, as __cvta_generic_to_shared(p) or cute::cast_smem_ptr_to_uint(p)" in ran.err
    forced = smemdesc(*SMEM, "--start", start, "--force")
    assert (forced.status, forced.out) == (0, "0x4000404000010040\n")
    assert "warning address-masked: start_address" in forced.err


def test_a_pointer_as_the_start_of_a_tile() -> None:
    tile = ["encode", "wgmma", "--tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"]
    pointer = ["--start", "0x7f5c00000400"]
    ran = smemdesc(*tile, *pointer)
    assert (ran.status, ran.out) == (2, "")
    assert "low 18 bits, 0x400" in ran.err
    forced = smemdesc(*tile, *pointer, "--force")
    assert forced.out == smemdesc(*tile, "--start", "0x400").out
    assert "warning address-masked" in forced.err


@pytest.mark.parametrize("command", [["layout", "tile", "64x64", "--dtype", "bf16"], ["layout", "atom"]])
def test_a_pointer_in_layouts(command: list[str]) -> None:
    ran = smemdesc(*command, "--major", "K", "--swizzle", "128B", "--start", "0x7f5c00000400")
    assert (ran.status, ran.out) == (2, "")
    assert "low 18 bits, 0x400" in ran.err
    assert "--force" not in ran.err


def test_an_offset_of_256_kib_is_refused_and_masked_by_force() -> None:
    ran = smemdesc("encode", "wgmma", "--swizzle", "128B", "--sbo", "0x40400")
    assert (ran.status, ran.out) == (2, "")
    assert "it takes 0..262128 B in steps of 16" in ran.err
    assert (
        json.loads(smemdesc("encode", "wgmma", "--swizzle", "128B", "--sbo", "0x40400", "--force", "--json").out)[
            "fields"
        ]["stride_byte_offset"]["value"]
        == 0x400
    )


@pytest.mark.parametrize(
    ("swizzle", "start", "base_offset"),
    [
        ("128B", "0x280", 5),
        ("64B", "0x280", 1),
        ("32B", "0x280", 1),
        ("64B", "0x200", 0),
        ("32B", "0x100", 0),
        ("128B", "0x400", 0),
        ("32B", "0x180", 1),
    ],
)
def test_the_base_offset_of_a_pattern_has_the_bits_that_act_on_hopper(
    swizzle: str, start: str, base_offset: int
) -> None:
    ran = smemdesc("encode", "wgmma", "--sbo", "1024", "--swizzle", swizzle, "--pattern-start", start, "--json")
    assert json.loads(ran.out)["fields"]["base_offset"]["value"] == base_offset
    value = json.loads(ran.out)["value"]
    assert smemdesc("encode", "wgmma", "--from", value, "--pattern-start", start).out == f"{value}\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--swizzle", "64B", "--pattern-start", "0x290"], "a pattern starts at a multiple of 128 B"),
        (["--pattern-start", "0x280"], "without swizzle there is no pattern"),
        (["--swizzle", "64B", "--pattern-start", "here"], "not an address"),
        (["--swizzle", "64B", "--pattern-start", "0x280", "--base-offset", "1"], "leave --base-offset out"),
        (["--from", "0x????404000010040", "--pattern-start", "0x280"], "--swizzle"),
    ],
)
def test_no_base_offset(arguments: list[str], says: str) -> None:
    ran = smemdesc("encode", "tcgen05", "--sbo", "1024", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert says in ran.err


@pytest.mark.parametrize(
    ("swizzle", "start", "base_offset"),
    [
        ("128B", "0x280", 5),
        ("64B", "0x280", 5),
        ("32B", "0x180", 3),
        ("64B", "0x200", 0),
        ("32B", "0x100", 0),
        ("128B", "0x400", 0),
        ("128B_32B", "0x280", 5),
        ("128B_32B", "0x400", 0),
    ],
)
def test_the_base_offset_of_tcgen05_is_that_of_the_document(swizzle: str, start: str, base_offset: int) -> None:
    ran = smemdesc("encode", "tcgen05", "--sbo", "1024", "--swizzle", swizzle, "--pattern-start", start, "--json")
    assert json.loads(ran.out)["fields"]["base_offset"]["value"] == base_offset


@pytest.mark.parametrize("value", ["0x800a002000010028", "0x800a402000010028", "0xc006401000010018"])
def test_the_formula_of_the_document_is_no_fault(value: str) -> None:
    ran = smemdesc("decode", "--strict", "--json", value)
    (found,) = (each for each in json.loads(ran.out)["findings"] if each["rule"] == "base-offset-beyond-mode")
    assert "as if it were 1 (measured on Hopper)" in found["message"]
    assert not {"fix", "repair"} & set(found)
    assert ran.status == 0


def contiguous(operand: str, transposed: bool) -> str:
    """Which index moves by one element in a column-major matrix of 4 rows."""
    rows = 4
    index = {"a": ("MN", "K"), "b": ("K", "MN")}[operand]  # row, column of A (M x K) and B (K x N)
    row, column = index[::-1] if transposed else index
    steps = {row: 1, column: rows}
    return min(steps, key=steps.__getitem__)


@pytest.mark.parametrize(("operand", "word"), BLAS)
def test_major_ness_as_a_column_major_blas_says_it(operand: str, word: str) -> None:
    assert BLAS[operand, word] == contiguous(operand, word == "T")


VALUE = "0x4000404000010040"
ASKING = [
    ["decode", "--dtype", "bf16", "--shape", "64x16", VALUE],
    ["encode", "tcgen05", "--from", VALUE, "--dtype", "bf16", "--shape", "64x16", "--json"],
    ["encode", "tcgen05", "--tile", "128x64", "--dtype", "bf16", "--swizzle", "128B"],
    ["layout", "operand", "--dtype", "bf16", "--shape", "64x16", VALUE],
    ["layout", "address", "--dtype", "bf16", "--shape", "64x16", "--at", "8,3", VALUE],
    ["layout", "tile", "128x64", "--dtype", "bf16", "--swizzle", "128B"],
    ["layout", "atom", "--swizzle", "128B"],
    ["layout", "canonical"],
]


@pytest.mark.corpus
@pytest.mark.parametrize("command", ASKING, ids=lambda each: " ".join(each[:2]))
def test_trans_is_accepted_wherever_a_major_ness_is_asked(command: list[str]) -> None:
    by_major = {major: smemdesc(*command, "--major", major) for major in ("K", "MN", "M", "N", "m")}
    assert by_major["M"].out == by_major["N"].out == by_major["m"].out == by_major["MN"].out != by_major["K"].out
    for (operand, word), major in BLAS.items():
        ran = smemdesc(*command, f"--trans-{operand}", word)
        assert (ran.out, ran.status) == (by_major[major].out, 0)


@pytest.mark.parametrize("more", [["--major", "K", "--trans-a", "T"], ["--trans-a", "T", "--trans-b", "N"]])
def test_a_major_ness_is_said_once(more: list[str]) -> None:
    ran = smemdesc("layout", "atom", "--swizzle", "128B", *more)
    assert (ran.status, ran.out) == (2, "")
    assert "both say the major-ness of the operand: give one" in ran.err


@pytest.mark.parametrize(
    ("a", "b", "flags"), [("N", "N", (True, False)), ("T", "N", (False, False)), ("N", "T", (True, True))]
)
def test_both_are_flags_of_an_instruction_descriptor(a: str, b: str, flags: tuple[bool, bool]) -> None:
    ran = smemdesc(*F16, "--m", "128", "--n", "64", "--trans-a", a, "--trans-b", b, "--json")
    fields = json.loads(ran.out)["fields"]
    assert (fields["transpose_a"]["value"], fields["transpose_b"]["value"]) == flags


@pytest.mark.parametrize(
    ("shape", "whose"),
    [
        (["--major", "K", "--swizzle", "128B", "--shape", "64x16"], True),
        (["--major", "K", "--swizzle", "128B", "--shape", "64x64"], False),
        (["--major", "K", "--swizzle", "32B", "--shape", "64x32", "--lbo", "2048"], False),
        (["--major", "K", "--swizzle", "none", "--shape", "64x64", "--lbo", "1024"], False),
        (["--major", "MN", "--swizzle", "128B", "--shape", "64x16"], True),
        (["--major", "MN", "--swizzle", "128B", "--shape", "64x64"], False),
    ],
)
def test_a_layout_is_attributed_to_cutlass_only_if_cutlass_writes_it(shape: list[str], whose: bool) -> None:
    command = ["layout", "canonical", *shape, "--sbo", "1024"]
    exact = json.loads(smemdesc(*command, "--json").out)["exact"]
    assert (exact["cutlass"] == exact["formula"]) == whose
    assert (exact["cutlass"] is None) != whose
    assert ("  CUTLASS  none: its form" in smemdesc(*command).out) != whose
