"""What people lose days to: each wrong value is pasted, and the sentence that would have helped is found."""

from __future__ import annotations

import pytest
from run import smemdesc

PASTED = {
    "LBO and SBO: what each means here": (
        ["0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "64x16"],
        ["stride between 8-row groups, atoms contiguous", "no effect here"],
    ),
    "bytes and 16-byte units: both are printed": (["0x4000404000010040"], ["1024 B = 64 x 16 B"]),
    "a stride that was divided by 16 twice": (
        ["encode", "wgmma", "--sbo", "64", "--swizzle", "128B"],
        ["1024 B divided by 16 twice (a 128B swizzle atom is 8 x 128 B)"],
    ),
    "a stride that is not a multiple of 16": (
        ["encode", "wgmma", "--sbo", "1001"],
        ["1001 B is not a multiple of 16 B; the nearest are 992 and 1008"],
    ),
    "the swizzle code of TMA": (
        ["decode", "--all", "--kind", "wgmma", "0xc000004000010040"],
        ["encoded as 3 (1 in a tensor map)"],
    ),
    "an SBO of another mode's atoms gives the swizzle code of TMA away": (
        ["decode", "--kind", "wgmma", "0xc000004000010040", "--dtype", "bf16", "--major", "K", "--shape", "64x16"],
        ["one box per atom", "SBO 1024 B is one atom of 128B (code 1 in wgmma, 2 in tcgen05, 3 in the tensor map)"],
    ),
    "an SBO that gives the wrong swizzle away": (
        ["0x4000401000010040"],
        ["256 B is 8 rows of 32 B: the swizzle mode may be 32B"],
    ),
    "the swizzle that the data must be written with": (
        ["0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "64x64"],
        ["CU_TENSOR_MAP_SWIZZLE_128B"],
    ),
    "MN-major without swizzle: LBO steps along K": (
        ["0x0000400800100000", "--dtype", "f16", "--major", "MN", "--shape", "64x16"],
        ["stride between 8-k groups", "stride between core matrices along MN"],
    ),
    "an instruction descriptor does not say its kind": (
        ["0x08400010"],
        ["ambiguous: idesc:f16 valid, idesc:f8f6f4 valid", "(.kind::f16; in SASS, the mnemonic)"],
    ),
    "a value that two tables nearly fit": (["0x082016a0"], ["as idesc:f8f6f4", "as idesc:mxf8f6f4"]),
    "a scale-factor id that was not shifted": (
        ["decode", "--mma-kind", "mxf8f6f4", "0x08a00003"],
        ["a scale-factor id that was not shifted into place"],
    ),
    "M = 64 in a block-scaled descriptor": (
        ["decode", "--mma-kind", "mxf8f6f4", "0x04a00000"],
        ["bit 26", "M = 64"],
    ),
    "a wgmma descriptor given to tcgen05": (
        ["decode", "--kind", "tcgen05", "0x4000004000010040"],
        ["warning version-constant", "a wgmma descriptor has 0 here", "(Blackwell)  suspicious"],
    ),
    "an offset that carried": (
        ["decode", "--diff", "0x40004040000100c0", "0x4000404000014040"],
        ["left the 14 bits of the start address and carried into reserved_14"],
    ),
    "a K step inside an atom is normal": (["0x4000404000010042"], ["(Blackwell)  valid"]),
}


@pytest.mark.parametrize("pain", PASTED)
def test_the_sentence_that_helps(pain: str) -> None:
    arguments, sentences = PASTED[pain]
    ran = smemdesc(*arguments)
    for sentence in sentences:
        assert sentence in ran.out + ran.err


def test_a_k_step_has_no_finding_at_all() -> None:
    for step in range(8):
        ran = smemdesc(f"0x{0x4000404000010040 + 2 * step:x}", "--check")
        assert "warning" not in ran.out
        assert ran.status == 0
