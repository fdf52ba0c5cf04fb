"""Names and sentences for help texts."""

from smemdesc.kinds.chips import CHIPS

KINDS = ("wgmma", "tcgen05", "idesc", "mask", "tensormap", "tmem")
SCANNED = tuple(name for name in KINDS if name != "tensormap")
"""The kinds that instructions read."""
SMEM_KINDS = ("wgmma", "tcgen05")
"""The kinds that describe operands in shared memory."""
MMA_KINDS = ("tf32", "f16", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4", "ti16")
BLOCK_SCALED = ("mxf8f6f4", "mxf4", "mxf4nvf4")
PACKED_FP4 = ("mxf4", "mxf4nvf4")
LOAD_SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
"""Shapes of tcgen05.ld and tcgen05.st."""

HOPPER = tuple(name for chip in CHIPS if chip.reads == "wgmma" for name in chip.suffixed)
BLACKWELL = tuple(name for chip in CHIPS if chip.reads == "tcgen05" for name in chip.suffixed)
"""Those with tcgen05, Rubin's too."""
ARCHS = (*HOPPER, *BLACKWELL)
"""The architectures that have descriptors; :mod:`smemdesc.kinds.archs` lists what each has."""
WITHOUT_DESCRIPTORS = tuple(name for chip in CHIPS for name in (chip.name, *(() if chip.reads else chip.suffixed)))
"""Those that have no instruction that reads descriptors."""
SHORT_ARCHS = ", ".join(f"{chip.name}a/f" if chip.family else f"{chip.name}a" for chip in CHIPS if chip.reads)
MAJORS = ("K", "MN")
PTX_TYPE = r"(?i)(?:bf?|f|tf|u|s|i)\d{1,2}"
"""A type of PTX, also of registers (``.b32``)."""
SHORT = {"start_address": "start", "leading_byte_offset": "lbo", "stride_byte_offset": "sbo"}
"""The fields that have a short name as an option, too."""

FORMATS = ("text", "json", "short", "sarif", "github")
SCAN_ORDERS = ("line", "findings", "known", "name")
NAME_STYLES = ("short", "full", "mangled")
"""Output formats of scan, orders of functions, and styles of their names."""

VALUE_FORMS = (
    "0x4000404000010040, 0b..., 0o..., 4611756662049538112, -9223371899399045120, "
    "4000404000010040, 0x40004040:0x00010040, 0x40004040:?, 0x40004040????????"
)
"""The forms of a value, one example each."""

IDENTIFICATION = (
    "A requested kind (--kind, --mma-kind) is used.",
    "A reading fits if its reserved bits and constants are right, its codes are defined and no rule finds an error.",
    "Over 32 bits: tcgen05 fits if bits 46-48 are 0b001; wgmma if they and the other unused bits are 0; mask if bits "
    "36-38 and 62-63 are 0 and its counts make sense; with a low word of 0, an instruction descriptor in the high "
    "word (as CUTLASS passes it).",
    "A value with 0b001 in bits 46-48 is a tcgen05 descriptor, with its errors, unless it fits another kind with none. "
    "A mask with counts but bit 39 at 0 (no column zeroed) is never the first reading.",
    "At most 32 bits: an instruction descriptor of each MMA kind whose types, M and N are legal; the high word alone "
    "of a wgmma or tcgen05 descriptor, by the same bits; if no instruction descriptor fits, also a 64-bit value, with "
    "a warning: it is a low word. A tensor-memory address (tmem) is also shown if its lane is 16, 32, ... or 112; "
    "with lane 0 only as another fit.",
    "128 bytes: a tensor map, tiled or im2col by bit 64 and the rank. Rows of a memory dump are one if they have the "
    "period of a swizzle in its place and almost nothing above it.",
    "One reading fits: it is used. Several fit: all are shown, with the fields on which they agree. None fits: the "
    "nearest, by the share of wrong fixed bits.",
    "The tables of sm_107 (PTX ISA 9.4) are used only with --arch; without it a note shows how they read a value "
    "that fits no common table.",
    "A value that is not an ordinary descriptor of its kind (whole atoms for strides, base offset 0) is also tried "
    "with one bit flipped, its words swapped, two digits swapped, shifted by 4, and with one digit more or fewer: an "
    "ordinary result is reported, as an error if nothing fits the value itself, else as a warning.",
)
"""How ``decode`` identifies the kind of a value (implemented by ``smemdesc.descriptors.ranking``)."""

WHICH_KIND = (
    "Without --kind, every kind whose reserved bits, codes and rules fit is shown; if none fits, the nearest. Over 32 "
    "bits: tcgen05 has 0b001 in bits 46-48, wgmma 0, mask 0 in 36-38 and 62-63; else idesc or a high word."
)
"""The same as a paragraph."""

BLAS = {("a", "N"): "MN", ("a", "T"): "K", ("b", "N"): "K", ("b", "T"): "MN"}
"""The major-ness of A and B in a column-major BLAS, not transposed (N) and transposed (T).

A (M x K) is stored column by column, so m is contiguous; so is B (K x N), where k is. Transposing swaps that.
(The table of the PTX ISA has A the other way around, see docs/errata.md.)
"""
