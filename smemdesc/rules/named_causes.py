"""The mistakes that recur in descriptors, by name: what goes wrong, how it looks, which rules report it.

Below the rules, so that a rule of the same name can say why in these words.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class NamedCause(NamedTuple):
    """One mistake."""

    name: str
    text: str
    """What is wrong, in one sentence."""
    bits: str
    """Which bits have what in place of what."""
    symptom: str
    """What a kernel does, and what the value looks like."""
    run: str
    """A command that shows the mistake, or the number that is right."""
    rules: tuple[str, ...]
    """The rules that report it, beside one of its own name."""
    repair: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return self._asdict()


_MMA_A = "smemdesc mma --inst m64n128k16 --dtype bf16 --a"
_UMMA_A = "smemdesc mma --mma-kind f16 --idesc 0x08200490 --a"
_IDESC = "smemdesc decode --mma-kind f16 --cta-group 1 --dtype bf16 --shape"
_PLAN = "smemdesc plan 128x128x64 bf16 --field idesc prints the right one"
_TILE = "tile-and-descriptor"
_STRIDES = "with the strides of smemdesc layout tile; encode --from VALUE changes one"

_EVERY = (
    NamedCause(
        "base-offset",
        "The base offset is not that of the tile.",
        "Bits 49-51 count rows of 128 B by which the swizzle pattern begins late. TMA, and code that swizzles absolute "
        "addresses, write the pattern from a multiple of its size on: 0.",
        "The 16-byte units of every row change places.",
        f"{_UMMA_A} 0x4002404000010040 --a-tile 128x64,at=0x400",
        (_TILE, "base-offset-set"),
        "write 0; another number only for data swizzled from a start that is no multiple of the pattern",
    ),
    NamedCause(
        "expect-tx",
        "The mbarrier expects other bytes than TMA writes.",
        "mbarrier.arrive.expect_tx takes bytes: the elements of all boxes of a stage, times the bytes of one. No "
        "descriptor has this number: scan compares it where the copies are in the file (barrier-bytes, equal-bytes).",
        "Too many: the wait never ends. Too few: the MMA reads a stage that is not full.",
        "smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --field tma_stage_bytes",
        (),
        "expect the number that plan prints",
    ),
    NamedCause(
        "idesc-half",
        "The instruction descriptor is in the other half of its 64 bits.",
        "CUTLASS passes it in bits 32-63 of 64; the operand of tcgen05.mma has 32. A conversion to 32 bits leaves the "
        "low word, 0.",
        "The descriptor is 0: M = 0, N = 0.",
        "smemdesc mma --mma-kind f16 --idesc 'uint32_t(0x0820049000000000)'",
        ("shape",),
        "shift right by 32 before the conversion",
    ),
    NamedCause(
        "k-advance",
        "A step along K adds the wrong number to the descriptor.",
        "The start, bits 0-13, counts 16 B. Inside a swizzled K-major row the next K = 16 of bf16 is 32 B: +2, not "
        "+16 or +32. In other layouts a step is a stride.",
        "The first step is right; the next read other rows, or the same k again.",
        f"{_UMMA_A} '0x4000404000010040 + 96' --a-tile 128x64,at=0x400",
        ("k-step", "k-steps-differ", "row-crossing", _TILE),
        "smemdesc encode --tile MNxK prints the descriptor of each step; encode --advance steps one",
    ),
    NamedCause(
        "lbo-sbo-swapped",
        "The leading and the stride byte offset are swapped.",
        "Bits 16-29 (LBO) and 32-45 (SBO) have each other's number. Without swizzle, K-major: LBO goes along K, SBO "
        "along MN; MN-major it is the other way round.",
        "Blocks of 8 rows by 16 B come from one another's places: element (0, 8) reads (8, 0).",
        f"{_MMA_A} 0x4000000100400040 --a-tile 64x64,at=0x400",
        (_TILE, "tile-strides", "transpose-and-strides"),
        f"exchange them, {_STRIDES}",
    ),
    NamedCause(
        "m-code",
        "M is not divided as its field needs it.",
        "The field m has M >> 4 (bits 24-28), in kind::mxf4 and kind::mxf4nvf4 M >> 7 (bits 27-28).",
        "The instruction has a multiple or a part of M, legal at best with another cta_group.",
        f"{_IDESC} 128x128x16 0x10200490",
        ("shape", "shape-given", _TILE),
        _PLAN,
    ),
    NamedCause(
        "map-swizzle",
        "The tensor map and the descriptor have different swizzle modes.",
        "The mode in bits 62-63 (wgmma) or 61-63 (tcgen05) is not the one with which TMA wrote the tile.",
        "The first row may be right; the 16-byte units of the others change places.",
        f"{_MMA_A} 0x4000004000010040 --a-map box=32x64,swizzle=64B,dtype=bf16",
        (_TILE,),
        "take one mode for both; with the mode of the descriptor its strides change",
    ),
    NamedCause(
        "n-code",
        "N is not divided as its field needs it.",
        "The field n, bits 17-22, has N >> 3.",
        "The instruction has a multiple or a part of N: it writes other columns than D has.",
        f"{_IDESC} 128x32x16 0x08400490",
        ("shape", "shape-given", _TILE),
        _PLAN,
    ),
    NamedCause(
        "scale-id",
        "The id of the scale factors is not one that the instruction takes.",
        "a_scale_id and b_scale_id are the byte of a tensor-memory word at which the factors of a step begin. A step "
        "of two factors takes 0 or 2, of four only 0.",
        "Blocks are scaled by the factors of others.",
        "smemdesc decode --mma-kind mxf4 0x08a00490",
        (),
        "smemdesc plan 128x128x256 mxfp4 prints the instruction descriptor of each step",
    ),
    NamedCause(
        "start-address-carry",
        "Upper bits of the address run into other fields.",
        "The start field takes bits 4-17 of the address, in bits 0-13. What is above, in an address of the cluster "
        "(mapa) or a generic pointer, lands in bits 14-15 and in LBO.",
        "LBO has a few bits more than it should; with one layout it has no effect, with the next all is wrong.",
        "smemdesc mma --mma-kind f16 --idesc 0x08210490 --b '0x4000404002000000 | (0x01004400 >> 4)' "
        "--b-tile 128x64,major=MN,at=0x4400",
        ("address-masked", _TILE),
        "mask it: (address & 0x3ffff) >> 4",
    ),
    NamedCause(
        "start-address-not-divided",
        "The start address is in bytes.",
        "Bits 0-13 count 16 B: the address goes in as address >> 4.",
        "The MMA reads from 16 times the address: other operands, or beyond shared memory.",
        f"{_UMMA_A} 0x4000404000010400 --a-tile 128x64,at=0x400",
        (_TILE, "outside-shared-memory"),
        "divide by 16: (address & 0x3ffff) >> 4",
    ),
    NamedCause(
        "stride-divided-twice",
        "A byte offset is divided by 16 twice.",
        "LBO and SBO count 16 B: 1024 B are 64. Given to a function that divides, 64 becomes 4, which is 64 B.",
        "Rows overlap: the stride is smaller than one atom.",
        f"{_MMA_A} 0x4000000400010040 --a-tile 64x64,at=0x400",
        ("sbo-below-atom", "lbo-below-atom", "tile-strides", _TILE),
        "divide once; encode takes bytes",
    ),
    NamedCause(
        "stride-not-divided",
        "A byte offset is not divided by 16.",
        "LBO and SBO count 16 B: 1024 in the field is 16384 B.",
        "The MMA reads every sixteenth block, and leaves the tile.",
        "smemdesc decode --kind wgmma --major K --dtype bf16 --shape 64x16 0x4000040000010040",
        ("sbo-not-divided", "lbo-not-divided", "outside-shared-memory", "tile-strides", _TILE),
        "divide by 16; encode takes bytes",
    ),
    NamedCause(
        "swizzle-code",
        "The swizzle mode has the code that it has in another kind of descriptor, or in a map.",
        "128B is 1 in wgmma, 2 in tcgen05, 3 in a tensor map; 64B is 2, 4, 2; 32B is 3, 6, 1.",
        "The descriptor has another mode than the tile: the first row may be right, the others are permuted.",
        f"{_MMA_A} 0xc000004000010040 --a-map box=64x64,swizzle=128B,dtype=bf16",
        ("map-swizzle", _TILE),
        "encode takes the name, --swizzle 128B",
    ),
    NamedCause(
        "swizzle-missing",
        "The swizzle mode is missing.",
        "The highest two bits (wgmma) or three (tcgen05) are 0, no swizzle; SBO is an atom of a mode, and LBO is 16 B, "
        "which CUTLASS writes where LBO has no effect.",
        "The tile is read as core matrices: only the first 16 B of each row are right.",
        "smemdesc decode --dtype bf16 --major K --tile 128x64 0x0000404000010040",
        ("lbo-below-atom", "tile-strides", _TILE),
        "write the mode of the tile; encode takes the name, --swizzle 128B",
    ),
    NamedCause(
        "transpose-bit",
        "The instruction reads the other major-ness than the tile has.",
        "transpose_a and transpose_b, bits 15 and 16 of the instruction descriptor, or imm-trans-a and imm-trans-b of "
        "wgmma, are 1 for MN-major.",
        "Elements come from other rows and other k; the first one may be right.",
        "smemdesc mma --mma-kind f16 --idesc 0x08100490 --b 0x4000404000010440 --b-tile 64x64,major=MN,at=0x4400",
        ("transpose-and-strides", "map-major", _TILE),
        "change the bit, or write the tile with the other major-ness",
    ),
    NamedCause(
        "type-code",
        "The code of an element type is another type's.",
        "a_type and b_type count anew in every MMA kind: 1 is bf16 in kind::f16, e5m2 in kind::f8f6f4, e2m1 in "
        "kind::mxf4.",
        "Bits are read as numbers of another type: D has the right shape and other magnitudes.",
        f"{_IDESC} 128x128x16 0x08200010",
        ("types-given", _TILE, "map-type"),
        _PLAN,
    ),
    NamedCause(
        "version-bits",
        "The version of the descriptor is missing.",
        "tcgen05 needs 0b001 in bits 46-48; the descriptor of wgmma has 0 there.",
        "The value is that of a Hopper kernel, often with its code of the swizzle mode, too.",
        "smemdesc decode --kind tcgen05 0x4000004000010040",
        ("version-constant",),
        "set bit 46; encode tcgen05 does",
    ),
    NamedCause(
        "wrong-stride",
        "LBO or SBO is that of another layout.",
        "SBO of a swizzled K-major tile is 8 rows of its mode: 1024 B in 128B, 512 in 64B, 256 in 32B. LBO of an "
        "MN-major tile is the distance of its atoms along MN.",
        "The first 8 rows, or the first atom, are right.",
        f"{_MMA_A} 0x8000004000010040 --a-tile 64x32,swizzle=64B,at=0x400",
        ("tile-strides", "map-strides", "sbo-below-atom", "lbo-below-atom", _TILE),
        f"write what the finding says, or compute it {_STRIDES}",
    ),
)
NAMED_CAUSES = {cause.name: cause for cause in _EVERY}
"""Each mistake by its name, in alphabetical order."""
