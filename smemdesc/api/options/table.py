"""The table of options: how each is read, and what help, completions and the page say of it.

An option of the command line and the keyword of the same name (dashes are underscores) are one row. A row whose key
begins with a command is that command's own;
:func:`smemdesc.api.options.keywords.reads` makes a function of the API from one that takes what was
read, :mod:`smemdesc.cli.support.options` makes options of click.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from smemdesc.api.options import readers
from smemdesc.engine.wording import either
from smemdesc.kinds.modes import SWIZZLES, TMA_PREFIX, by_width
from smemdesc.kinds.names import (
    BLOCK_SCALED,
    KINDS,
    LOAD_SHAPES,
    MMA_KINDS,
    NAME_STYLES,
    SCANNED,
    SHORT_ARCHS,
    SMEM_KINDS,
)  # fmt: skip


class Option(NamedTuple):
    """One option."""

    help: str
    metavar: str = ""
    """By default its words, or N for a number."""
    read: Callable[..., Any] | None = None
    """Reads a value, from the keyword and what was given; None: it is used as it is given."""
    uses: tuple[str, ...] = ()
    """Other keywords that the reader takes, as they were read."""
    words: tuple[str | int, ...] = ()
    """All that it takes, in either case, if that is a list."""
    offers: tuple[str, ...] = ()
    """Names that completions and forms offer, if it also takes others; those of its metavar by default."""
    default: str | None = None
    """The default, if it is not None, or False of a flag."""
    flag: str = ""
    """Of a flag: its name, and after a slash the name of its opposite."""
    required: bool = False
    multiple: bool = False
    instead: tuple[str, ...] = ()
    """It is required unless one of these is given."""


def _words(help: str, *words: str | int, **others: Any) -> Option:
    return Option(help, words=words, read=partial(_one_of, words=words), **others)


def _one_of(keyword: str, value: object, words: Sequence[Any]) -> Any:
    return readers.read_word(keyword, value, words)


def _flag(help: str, flag: str = "", **others: Any) -> Option:
    return Option(help, read=readers.read_flag, flag=flag or "it", **others)


def _count(help: str, metavar: str = "N", least: int = 1, most: int | None = None, **others: Any) -> Option:
    return Option(help, metavar, partial(readers.read_count, least=least, most=most), **others)


def _dtype(help: str, **others: Any) -> Option:
    return Option(help, "TYPE", readers.read_operand_dtype, ("mma_kind",), **others)


def _mode(help: str, **others: Any) -> Option:
    return Option(help, "MODE", readers.read_swizzle, **others)


def _major(help: str, metavar: str = "K|MN", words: tuple[str, ...] = ("K", "MN", "M", "N"), **others: Any) -> Option:
    return Option(help, metavar, readers.read_major, words=words, **others)


def _mma_kind(help: str, metavar: str = "KIND", words: tuple[str, ...] = MMA_KINDS, **others: Any) -> Option:
    return Option(help, metavar, readers.read_mma_kind, words=words, **others)


def _place_of_a(**others: Any) -> Option:
    words = ("smem", "registers", "tmem")
    return Option("Where A is: smem, registers or tmem.", "WHERE", readers.read_place_of_a, words=words, **others)


_TYPE = "Element type by its PTX name: bf16, e4m3, ..."
_OWN_TYPE = "Element type, by its PTX name: bf16, e4m3, ..."
_MAJOR = "Major-ness of the operand."
_MODES = f"{either([mode.name for mode in by_width()])}."
_BLAS = "BLAS-style alternative to --major."
_AT = Option(
    "With a layout and --mma: only the operand there.",
    "MN,K",
    partial(readers.read_coordinates, form="MN,K in elements"),
)
_GEMM_BLAS = "In BLAS terms: N is MN-major A, or K-major B."

OPTIONS: Mapping[str, Option] = {
    # the kind of a value
    "kind": Option(f"{', '.join(KINDS)}.", "KIND", readers.read_kind),
    "mma_kind": _mma_kind(f"{', '.join(MMA_KINDS)}."),
    # the instruction, its operand and their tile
    "dtype": Option(_TYPE, "TYPE", readers.read_dtype, ("mma_kind",)),
    "major": _major(_MAJOR),
    "trans_a": _words(_BLAS, "N", "T"),
    "trans_b": _words(_BLAS, "N", "T"),
    "shape": Option("Operand of one instruction, in elements: 64x16.", "MNxK", readers.read_shape),
    "arch": Option(f"{SHORT_ARCHS}.", "ARCH", readers.read_arch),
    "cta_group": _words("cta_group of the instruction.", 1, 2),
    "ws": _flag("Whether the instruction is tcgen05.mma.ws.", "ws/no-ws"),
    "scale_vec": _words("scale_vec::NX of the instruction.", 1, 2, 4),
    "m": _count("M and N of the instruction of a mask or idesc.", "M"),
    "n": _count("M and N of the instruction of a mask or idesc.", "N"),
    "tile": Option("The tile in shared memory of the descriptor, in elements.", "MNxK", readers.read_shape),
    "order": _words("With --tile: the dimension along which atoms are contiguous.", "mn", "k"),
    "decode dtype": Option(
        "Element type: bf16, ...; of an idesc also e4m3,e5m2.",
        "TYPE",
        readers.read_dtype_or_two,
        ("mma_kind",),
    ),
    "decode shape": Option(
        "Operand of one instruction: 64x16; of an idesc MxN[xK].", "MNxK", readers.read_shape_or_three
    ),
    "tile_start": Option("With --diff: where the tile starts.", "ADDR", readers.read_start, ("arch",)),
    "backing": Option("Bytes mapped at the address of a tensor map.", "BYTES", readers.read_byte_size),
    "allocation_class": _words("Bit 85.", "auto", "small", "large"),
    "map": Option("The tensor map that writes it.", "MAP"),
    "swizzle": _mode(_MODES),
    "sparse": _flag("Whether the instruction has .sp.", "sparse/no-sparse"),
    "a_from": _place_of_a(),
    # encode
    "encode mma_kind": _mma_kind("With mxf4 and mxf4nvf4 e2m1 is packed."),
    "idesc mma_kind": _mma_kind(f"{'|'.join(MMA_KINDS)}.", required=True),
    "from_": Option("Start from this value; other fields stay.", "VALUE"),
    "raw": Option("Set the bits of any field, reserved ones too.", "KEY=RAW", multiple=True),
    "encode tile": Option("MMA steps of this tile; with --advance: its tile.", "MNxK", readers.read_shape),
    "encode mma": Option("With --tile: the operand of one instruction.", "MNxK", readers.read_shape),
    "encode order": _words("With --tile: order of the atoms; default: TMA's.", "mn", "k"),
    "encode tile_start": Option("With --advance: where the tile starts.", "ADDR", readers.read_start, ("arch",)),
    "layout": Option("MMA steps of this layout: CuTe, Triton; - reads lines.", "TEXT", readers.read_text),
    "tma": Option("box=64x128,swizzle=128B,dtype=bf16: what it writes.", "BOX", readers.read_text),
    "encode at": _AT,
    "encode swizzle": Option(_MODES, "MODE"),  # read as its field
    "stage": _count("With a layout: this stage, from 0.", least=0),
    "units": _words("The unit of a CuTe layout.", "elements", "16B"),
    "pattern_start": Option("Base offset, from where the pattern starts.", "ADDR"),
    "advance": Option("Step N elements along K; 32B: move the start by bytes.", "N"),
    "advance_mn": Option("Step N elements along MN.", "N"),
    "force": _flag("Encode even what the rules forbid."),
    # encode tensormap
    "tensormap dtype": Option("BFLOAT16 or bf16.", "TYPE", readers.read_text, required=True),
    "address": Option("First byte of the tensor.", "ADDR", readers.read_address, required=True),
    "dim": Option("Innermost first.", "N0,N1,..", readers.read_numbers, required=True),
    "stride": Option(
        "Bytes, for all dimensions but the innermost.", "B1,B2,..", partial(readers.read_numbers, of_bytes=True)
    ),
    "box": Option("Elements of one copy.", "N0,N1,..", readers.read_numbers),
    "element_stride": Option("Copy every Nth element; default: 1.", "N0,N1,..", readers.read_numbers),
    "interleave": _words("CU_TENSOR_MAP_INTERLEAVE_...", "none", "16B", "32B", default="none"),
    "tensormap swizzle": _words(f"{TMA_PREFIX}...", *SWIZZLES, default="none"),
    "l2_promotion": _words("L2 promotion.", "none", "64B", "128B", "256B", default="none"),
    "fill": _words("Values outside the tensor.", "zero", "nan", default="zero"),
    "lower_corner": Option("im2col: corner of the bounding box.", "N1,..", readers.read_numbers),
    "upper_corner": Option("im2col: the opposite corner.", "N1,..", readers.read_numbers),
    "channels": _count("im2col: channels per pixel.", least=0),
    "pixels": _count("im2col: pixels per column.", least=0),
    "tensormap arch": Option("The target of the copies: sm_90 and later.", "ARCH", readers.read_arch),
    "tensormap force": _flag("Encode even what the driver rejects."),
    # layout operand, address, tile, atom
    "operand kind": Option("wgmma or tcgen05, if both fit.", "KIND", readers.read_smem_kind, offers=SMEM_KINDS),
    "operand dtype": _dtype(_TYPE),
    "at": Option("Show the address of this element; repeatable.", "MN,K", multiple=True),
    "byte": Option("Show the elements at this byte; repeatable.", "ADDR", multiple=True),
    "tile major": _major("Major-ness of the operand; default: K (128B_32B: MN)."),
    "tile kind": Option(
        "wgmma or tcgen05; default: that of --arch.", "KIND", readers.read_smem_kind, offers=SMEM_KINDS
    ),
    "store kind": Option("wgmma or tcgen05 (default).", "KIND", readers.read_smem_kind, offers=SMEM_KINDS),
    "tile dtype": _dtype(_OWN_TYPE, instead=("mma_kind",)),
    "tile swizzle": _mode(_MODES, required=True),
    "tile mma": Option(
        "Operand of one instruction; default: all of MN (wgmma: 64), dense K.", "MNxK", readers.read_shape
    ),
    "tile order": _words("Dimension along which atoms are contiguous; default: as a TMA box writes them.", "mn", "k"),
    "tile start": Option(
        "Where the tile begins, in bytes.", "ADDR", readers.read_start, ("arch", "force"), default="0"
    ),
    "tile cta_group": _words("With 2, MNxK and --mma are those of both CTAs.", 1, 2, default="1"),
    "tile mma_kind": _mma_kind("mxf4 and mxf4nvf4 pack e2m1.", ""),
    "thread_layout": Option(
        "Only this assignment, row and 16-byte unit to thread: row, quarter, matrix, coalesced or (4,8):(8,1).",
        "LAYOUT",
        readers.read_text,
    ),
    "store thread": _count("With --thread-layout: list what this thread writes.", "T", least=0),
    "store at": Option("Show the byte of this element; repeatable.", "MN,K", multiple=True),
    "atom dtype": _dtype("Element type; default: bf16, tf32 under 128B_32B."),
    "elements": _flag("A cell is an element, or a 16-byte unit (default).", "elements/units"),
    "direction": _words("Only one of the two grids.", "to-physical", "to-logical"),
    "atom mma": Option(
        "Mark only the 8 x 2 units of this MMA step of a K-major atom.", "STEP", partial(_one_of, words=range(4))
    ),
    "start": Option("Where the atom begins, in bytes: 1024, 0x400, 1KiB.", "ADDR", readers.read_start, default="0"),
    "base_offset": Option("Base offset of the descriptor, 0..7.", "N", partial(_one_of, words=range(8)), default="0"),
    # layout fragment, tmem, scales
    "fragment shape": Option("Shape of the instruction, in elements: m64n128k16.", "mMnNkK", required=True),
    "fragment operand": Option("A in registers, or D.", "a|d", readers.read_register_operand, required=True),
    "fragment dtype": Option(
        "Type of that operand: bf16, e4m3, ... of A; f16, f32 or s32 of D.", "TYPE", readers.read_text
    ),
    "thread": Option(
        "List what this thread of the warpgroup (0..127) holds.", "T", partial(readers.read_drawn_number, letter="T")
    ),
    "fragment at": Option("Show which thread and register hold this element.", "ROW,COL"),
    "register": Option("Only this register.", "R", partial(readers.read_drawn_number, letter="r")),
    "tmem m": _count("M of the instruction: 32, 64, 128 or 256.", "M", required=True),
    "tmem n": _count("N of the instruction.", "N", required=True),
    "tmem cta_group": _words("cta_group of the instruction.", 1, 2, default="1"),
    "tmem ws": _flag("tcgen05.mma.ws."),
    "tmem sparse": _flag("tcgen05.mma.sp: matters with M 128 and two CTAs."),
    "tmem operand": Option("Default: d.", "a|d", readers.read_register_operand, default="d"),
    "tmem dtype": Option("Of D: f32, f16, s32. Of A: bf16, e4m3, ...", "TYPE", readers.read_text),
    "tmem k": _count("Columns of A; default: K of one MMA.", "K"),
    "tmem start": Option("Address of the matrix: lane << 16 | column; default: 0.", "ADDR"),
    "ld": Option(
        "Registers of tcgen05.ld, .st: " + ", ".join(LOAD_SHAPES) + ".",
        "SHAPE",
        readers.read_load_shape,
        offers=LOAD_SHAPES,
    ),
    "num": Option("Its repetitions, x1 to x128; default: the most that fit.", "xN", readers.read_repetitions),
    "pack": _words("Two 16-bit columns in a register: .pack::16b, .unpack::16b.", "16b"),
    "tmem at": Option("Show where this element is (M,K of A).", "M,N"),
    "lane": _count("Show what this lane holds.", "L", least=0),
    "column": _count("Show what this column holds.", "C", least=0),
    "scales mma_kind": _mma_kind(f"MMA: {', '.join(BLOCK_SCALED)}.", words=BLOCK_SCALED, required=True),
    "scales block": _count("Elements along K per factor; default for mxf4nvf4: 16.", "16|32"),
    "scales operand": Option("Default: a.", "", readers.read_text, words=("a", "b"), default="a"),
    "scales k": _count("K of one instruction; default: 32 or 64.", "K"),
    "scales sparse": _flag("tcgen05.mma.sp: MNxK and K are those before compression."),
    "show": _count("Draw this block; default: the first.", least=0, default="0"),
    "scales at": Option("Show where the factor of this element is.", "MN,K"),
    "scales byte": _count("Show the factor at this byte of shared memory.", "B", least=0),
    "scales lane": _count("With --column: show what is there in tensor memory.", "L", least=0),
    "scales column": _count("With --lane.", "C", least=0),
    # layout canonical, linear, guess, explain
    "canonical dtype": _dtype("Element type, by its PTX name; default: bf16.", default="bf16"),
    "canonical major": _major("Only this major-ness."),
    "canonical swizzle": _mode(f"Only this mode: {_MODES}"),
    "canonical shape": Option("Fill in the numbers of an operand of this shape.", "MNxK", readers.read_shape),
    "lbo": Option("Its leading dimension byte offset: 1024, 0x400, 1KiB or 64x16B.", "BYTES", readers.read_byte_offset),
    "sbo": Option("Its stride dimension byte offset.", "BYTES", readers.read_byte_offset),
    "linear swizzle": _mode(f"{either([mode.name for mode in by_width() if mode.triton is not None])}."),
    "linear dtype": _dtype(_OWN_TYPE),
    "linear shape": Option("Shape of the tensor, as Triton writes it.", "AxB", readers.read_shape),
    "linear at": Option("Show the offset of this element; repeatable.", "ROW,COL", multiple=True),
    "offset": Option("Show the element at this offset; repeatable.", "N", multiple=True),
    "guess expect": Option("The matrix, MN x K: .npy, or numbers as text.", "FILE", required=True),
    "guess dtype": _dtype("Element type: bf16, e4m3, ...", required=True),
    "desc": Option("The descriptor that reads it.", "VALUE"),
    "guess major": _major("Major-ness in the instruction; without --desc, the only one tried."),
    "first": Option(
        "Address of the first byte in shared memory (default 0).", "ADDR", readers.read_address, default="0"
    ),
    "explain kind": Option(
        "wgmma or tcgen05 (default).", "KIND", readers.read_smem_kind, offers=SMEM_KINDS, default="tcgen05"
    ),
    "explain dtype": _dtype("Element type: bf16, e4m3, ..."),
    "explain major": _major("Which dimension is contiguous.", "", ("K", "MN")),
    "explain swizzle": _mode("The mode, if the text does not give it."),
    "explain shape": Option("Shape of a Triton tensor; with a box: MNxK of the tile.", "AxB", readers.read_shape),
    "explain mma": Option("Operand of one instruction: a descriptor for each step.", "MNxK", readers.read_shape),
    "explain order": _words("Order of several boxes.", "mn", "k"),
    "explain at": _AT,
    "explain start": Option("Address in bytes, in place of the pointer.", "ADDR", readers.read_start, ("arch",)),
    # mask, mask conv
    "mask m": _words("M of the instruction.", 32, 64, 128, required=True),
    "mask n": _count("N of the instruction, 8 to 256: columns of the mask.", "N", 8, 256, required=True),
    "zero": Option("Find the descriptor that zeroes these columns: 0-2,7-9,16.", "COLUMNS"),
    "mask mask": Option("Find the descriptor of this mask: bit n for column n.", "MASK"),
    "shift": _count("With --zero or --mask: the column shift of the descriptor.", least=0),
    "q": _count("Output pixels per row.", required=True),
    "conv tile": _count("Number of the tile, from 0.", least=0, required=True),
    "left": _count("Pixels of padding on the left of a row.", least=0, required=True),
    "filter": _count("Columns of the filter.", required=True),
    "conv expect": Option(
        "Also compare this descriptor with the filter column of its column shift; repeatable.", "VALUE", multiple=True
    ),
    # mma
    "a": Option("Descriptor of A.", "VALUE"),
    "b": Option("Descriptor of B.", "VALUE"),
    "idesc": Option("Instruction descriptor (tcgen05).", "VALUE"),
    "mask": Option("Zero-column mask (tcgen05.mma.ws).", "VALUE"),
    "mma mma_kind": Option("MMA kinds, as f16,tf32; default: all that fit.", "KIND"),
    "mma cta_group": _words("cta_group; default: 1.", 1, 2),
    "mma ws": _flag("Whether it is tcgen05.mma.ws.", "ws/no-ws"),
    "mma scale_vec": _words("scale_vec::NX.", 1, 2, 4),
    "qualifier": Option("Qualifiers: lut-b,collector-b (see fields --arch).", "NAME"),
    "inst": Option("wgmma, in place of --idesc: its shape, m64n128k16.", "mMnNkK", readers.read_shape3),
    "mma dtype": Option("wgmma: type of A and B, or of each: e4m3,e5m2.", "TYPE"),
    "mma d_type": Option("wgmma: type of D.", "TYPE", readers.read_type_name),
    "mma trans_a": _flag("wgmma: A is MN-major (imm-trans-a 1)."),
    "mma trans_b": _flag("wgmma: B is MN-major (imm-trans-b 1)."),
    "a_tile": Option("Check against this tile of A (of both CTAs).", "MNxK[,KEY=...]"),
    "b_tile": Option("For B. KEYs: swizzle, major, order, at, dtype.", "MNxK[,KEY=...]"),
    "a_map": Option("The tensor map that writes A.", "MAP"),
    "b_map": Option("The tensor map that writes B.", "MAP"),
    # plan
    "plan shape": Option("The tile.", "MxNxK", readers.read_shape3),
    "plan dtype": Option(
        "Type of A, and of B: bf16, e4m3, nvfp4, mxfp8, ...", "TYPE", readers.read_plan_type, instead=("mma_kind",)
    ),
    "b_dtype": Option("Type of B, if it differs.", "TYPE", readers.read_plan_type),
    "d_type": Option("Type of D; default: f32, for integers s32.", "TYPE", readers.read_type_name),
    "plan arch": Option("sm_90a (wgmma), sm_100a (default), sm_103a, ...", "ARCH", readers.read_arch),
    "plan mma_kind": Option("f16, f8f6f4, mxf4, ...; default: by types and --scale.", "KIND", readers.read_mma_kind),
    "a_major": _major("Major-ness of A; default: K.", "", ("K", "MN")),
    "b_major": _major("Major-ness of B; default: K.", "", ("K", "MN")),
    "plan trans_a": _words(_GEMM_BLAS, "N", "T"),
    "plan trans_b": _words(_GEMM_BLAS, "N", "T"),
    "plan swizzle": _mode("For A and B; default: the widest that fits."),
    "plan order": _words("Order of the atoms; default: as a TMA box writes them.", "mn", "k"),
    "plan cta_group": _words("cta_group of the instruction.", 1, 2, default="1"),
    "plan mma": Option("Shape of one instruction; default: the largest.", "MxN[xK]", readers.read_instruction_shape),
    "stages": _count("Stages of the pipeline.", default="1"),
    "plan a_from": _place_of_a(default="smem"),
    "plan sparse": _flag("Structured sparsity of A."),
    "scale": Option(
        "Block-scaled: ue8m0, ue4m3, ue5m3.", "TYPE", readers.read_scale_type, offers=("ue8m0", "ue4m3", "ue5m3")
    ),
    "block": _words("Elements along K per scale factor.", 16, 32),
    "a_address": Option("Tensor map of A at this address.", "ADDR", readers.read_address),
    "b_address": Option("Tensor map of B at this address.", "ADDR", readers.read_address),
    "gemm": Option("Whole matrices, for the maps; default: the tile.", "MxNxK", readers.read_shape3),
    # scan
    "function": Option("Only functions whose name matches: '*gemm*'.", "GLOB", readers.read_text),
    "scan at": Option("Only the instruction there: 'gemm+0x100'.", "PLACE", readers.read_text),
    "scan kind": Option(f"Only those with {', '.join(SCANNED)}.", "KIND", readers.read_scanned_kind, offers=SCANNED),
    "only": Option("Only findings of these rules; or error, warning, note.", "RULE", multiple=True),
    "scan arch": Option("For dumps without one: sm_90a, sm_100a, ...", "ARCH", readers.read_arch),
    "scan a_tile": Option("The tile of A in memory, as in mma.", "TILE"),
    "scan b_tile": Option("The tile of B in memory, as in mma.", "TILE"),
    "scan map": Option("The map in a kernel's parameter; number or name.", "NAME=MAP", multiple=True),
    "names": Option(f"Form of function names: {', '.join(NAME_STYLES)}.", "NAMES", words=NAME_STYLES),
    "jobs": _count("Cores to use; default: all."),
    "cuda_bin": Option("The folder with nvdisasm and cuobjdump.", "DIR"),
    # probe
    "device": _count("Number of the GPU, from 0.", least=0, default="0"),
    "probe arch": Option("With --ptx: the target; else the GPU must be it.", "ARCH", readers.read_arch),
    "probe shape": Option("Operand of one instruction; default: the smallest.", "MNxK", readers.read_shape),
    "probe a_from": _words("Where A is; default: smem.", "smem", "tmem"),
    "probe operand": _words("Which operand it is; default: a.", "a", "b"),
    # fields
    "fields arch": Option("The table of ARCH; without KIND: all that ARCH has.", "ARCH", readers.read_arch),
}


_LIKE = {
    "ReadContext": "decode",
    "address": "operand",
    "guess": "operand",
    "probe": "operand",
    "conv": "mask",
    "store": "tile",
}
"""Commands that have rows of another one."""


def option_row(command: str, keyword: str) -> Option | None:
    """Return the row of a command's keyword, if there is one."""
    keys = (f"{command} {keyword}", f"{_LIKE.get(command)} {keyword}", keyword)
    return next((OPTIONS[key] for key in keys if key in OPTIONS), None)
