"""The terms of the field: their names in PTX, CUTLASS and Triton, and one sentence each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.engine.wording import either, join_and, many
from smemdesc.explanations.around import AROUND
from smemdesc.kinds import aliases
from smemdesc.kinds.formats import SCALED_FORMATS, ScaledFormat
from smemdesc.kinds.guardrails import GUARDRAILS, Guardrail
from smemdesc.kinds.modes import ENCODINGS, SwizzleMode, by_width
from smemdesc.kinds.names import BLOCK_SCALED, MMA_KINDS
from smemdesc.kinds.types import DTYPES, DType, kinds_of_format, read_by


class GlossaryTerm(NamedTuple):
    """One term. A name is empty if a project has none of its own."""

    name: str
    text: str
    ptx: str = ""
    cutlass: str = ""
    triton: str = ""
    also: tuple[str, ...] = ()
    """Other names of the term."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; null if a project has no name of its own."""
        return {
            "name": self.name,
            "text": self.text,
            "ptx": self.ptx or None,
            "cutlass": self.cutlass or None,
            "triton": self.triton or None,
            "also": self.also,
        }


def _of_guardrail(guardrail: Guardrail) -> GlossaryTerm:
    text = f"A trap of compute-sanitizer's guardrails. {guardrail.meaning} Check: {guardrail.check}"
    return GlossaryTerm(guardrail.name, text, also=(f"guardrail_trap_{guardrail.name}",))


def _other_names(name: str) -> tuple[str, ...]:
    """Return the other names of a type, without the MMA kind i8."""
    return tuple(alias for alias, own in aliases.DTYPE_ALIASES.items() if own == name and alias not in MMA_KINDS)


def _of_type(dtype: DType) -> GlossaryTerm:
    name = dtype.name
    parts = re.fullmatch(r"e(\d)m(\d)", name)
    bits = f" (sign 1, exponent {parts[1]}, mantissa {parts[2]})" if parts else ""
    stored = f" that takes {dtype.storage} bits of shared memory" if dtype.storage != dtype.bits else ""
    packed = ", 4 (K = 64) in kind::mxf4 and kind::mxf4nvf4" if name == "e2m1" else ""
    kinds = ["wgmma"] * dtype.wgmma + [f"kind::{kind}" for kind in MMA_KINDS if name in read_by(kind)]
    text = f"Element type of {many(dtype.bits, 'bit')}{bits}{stored}{packed}; K of one dense MMA is usually {dtype.k}."
    return GlossaryTerm(name, f"{text} Read by {join_and(kinds)}.", also=_other_names(name))


def _units() -> str:
    """Return what each mode moves: ``16 in 32B, 64B and 128B, 32 in 128B_32B``."""
    swizzled = [mode for mode in by_width() if mode.name != "none"]
    units = sorted({mode.unit for mode in swizzled})
    return ", ".join(f"{unit} in {join_and([mode.name for mode in swizzled if mode.unit == unit])}" for unit in units)


def _of_mode(mode: SwizzleMode) -> GlossaryTerm:
    """Return the term of a swizzle mode: its codes, and where it has none."""
    if mode.name == "none":
        text = "No swizzle: core matrices of 128 contiguous bytes."
    elif mode.about:
        text = f"Swizzle<{','.join(map(str, mode.swizzle))}> on bytes: {mode.about}."
    else:
        text = f"Swizzle<{','.join(map(str, mode.swizzle))}> on bytes, pattern of {mode.period} B."
    alike = len({mode.code(name) for name in ENCODINGS}) == 1
    codes = f"{mode.wgmma} {join_and([f'in {name}' for name in ENCODINGS])}" if alike else mode.codes()
    lacking = [name for name in ENCODINGS if mode.code(name) is None]
    lacks = f"; {join_and(lacking)} {'do' if len(lacking) > 1 else 'does'} not have it" if lacking else ""
    triton = "" if mode.triton is None else f"swizzlingByteWidth = {mode.triton}"
    return GlossaryTerm(
        mode.name,
        f"{text} Code {codes}{lacks}.",
        mode.ptx,
        mode.cutlass,
        triton,
        (*mode.words, f"{mode.name.lower()} swizzle"),
    )


def _of_format(scaled: ScaledFormat) -> GlossaryTerm:
    same = [row for row in SCALED_FORMATS if row.name.startswith(scaled.name)]
    kinds = [f"kind::{kind}" for kind in kinds_of_format(scaled)]
    text = (
        f"Block-scaled format: {scaled.text}. Multiplied by {either(kinds)}: --dtype {scaled.name} is --dtype "
        f"{scaled.dtype} --mma-kind {scaled.mma_kind} --scale {scaled.scale} --block {scaled.block}."
    )
    text += "".join(f" For {row.dtype} write {row.name}." for row in same if row.dtype != scaled.dtype)
    names = dict.fromkeys(name.lower() for row in same for name in (row.name, row.cutlass) if name != scaled.name)
    return GlossaryTerm(scaled.name, text, f".kind::{scaled.mma_kind}", scaled.cutlass, also=tuple(names))


TERMS = (
    GlossaryTerm(
        "shared-memory descriptor",
        "Tells a tensor-core instruction where the elements of an operand lie in shared memory, as one 64-bit value: "
        "start address, two strides, base offset, swizzle mode. SASS names the uniform registers that hold it: "
        "gdesc[UR8].",
        ptx="matrix-descriptor (wgmma), shared memory descriptor (tcgen05)",
        cutlass="GmmaDescriptor, SmemDescriptor, UmmaDescriptor",
        triton="SMEM descriptor (smemLoad, MMAv5 DotOpMmaSmemLoader)",
        also=("descriptor", "matrix descriptor", "smem descriptor", "gdesc", "gmma descriptor", "umma descriptor"),
    ),
    GlossaryTerm(
        "instruction descriptor",
        "Tells tcgen05.mma what it multiplies, as one 32-bit value: types, shape, major-ness, negation and sparsity; "
        "it does not contain its MMA kind.",
        ptx="instruction descriptor, idesc",
        cutlass="InstrDescriptor, InstrDescriptorBlockScaled",
        triton="instruction descriptor (MMAv5.cpp)",
        also=("idesc", "i-desc", "instr descriptor"),
    ),
    GlossaryTerm(
        "zero-column mask",
        "The 64-bit value of tcgen05.mma.ws with the columns of B that count as zero, and the number of columns by "
        "which B is shifted.",
        ptx="zero-column mask descriptor",
        cutlass="MaskAndShiftB",
        also=("mask", "zero column", "zero-column", "zero column mask", "zero-column mask descriptor", "czm", "zeroed"),
    ),
    GlossaryTerm(
        "MMA",
        "What tensor cores do: D = A x B + D, of M x K and K x N elements, in one instruction: wgmma on Hopper, "
        "tcgen05.mma on Blackwell. A matrix multiply-accumulate.",
        ptx="matrix multiply-accumulate",
        cutlass="MMA_Atom, TiledMMA",
        triton="tt.dot",
        also=("tensor core", "tensor-core", "instruction", "matrix", "matrix multiply"),
    ),
    GlossaryTerm(
        "MN",
        "One word for the rows of either operand: M of A and N of B. The other dimension, along which an MMA adds, is "
        "K.",
        also=("m", "k", "n", "mn x k", "m x n x k"),
    ),
    GlossaryTerm(
        "row-major",
        "The elements of a row are beside each other in memory; column-major: those of a column. A is row-major M x K "
        "where it is K-major, B column-major K x N.",
        also=("column-major", "row major", "column major"),
    ),
    GlossaryTerm(
        "element",
        "One number of a matrix. (mn, k) is its place in an operand or a tile: row mn, and k along the sum.",
        also=("coordinate", "type", "element type"),
    ),
    GlossaryTerm(
        "shape",
        "How many elements there are in each dimension: MN x K of an operand, M x N x K of an MMA, boxes in the order "
        "of the tensor map, innermost first.",
        also=("size", "dimension", "dims", "mnxk", "mxn", "mxnxk", "mn-size"),
    ),
    GlossaryTerm(
        "K-major",
        "K is the contiguous dimension of the operand in shared memory. For A that is row-major M x K, for B "
        "column-major K x N.",
        ptx="K-major, transpose bit 0",
        cutlass="Major::K",
        triton="order [1, 0] for A, [0, 1] for B; transposed = false for A",
        also=("k major", "kmajor", "major", "major-ness"),
    ),
    GlossaryTerm(
        "MN-major",
        "M (of A) or N (of B) is the contiguous dimension of the operand in shared memory.",
        ptx="M-major, N-major, transpose bit 1",
        cutlass="Major::MN",
        triton="order [0, 1] for A, [1, 0] for B; transposed = true for A",
        also=("mn major", "m major", "n major", "m-major", "n-major", "mnmajor", "transpose", "transposed"),
    ),
    GlossaryTerm(
        "16-byte unit",
        "The 16 bytes that swizzling moves as a unit, and the unit of addresses and strides in descriptors: "
        "8 elements of 16 bits.",
        ptx="16-byte chunk; 128-bit element",
        cutlass="uint128_t",
        triton="vec (perPhase, maxPhase)",
        also=("unit", "chunk", "16-byte chunk", "uint128_t", "128b element"),
    ),
    GlossaryTerm(
        "shared memory",
        "Holds the operands of MMAs and what the threads of a CTA share: at most 227 KB of a CTA on Hopper, in 32 "
        "banks. Its addresses begin at 0 in each CTA; global memory is the GPU's DRAM, from which TMA copies.",
        ptx=".shared::cta",
        cutlass="smem",
        also=("smem", "shared", "memory", "shared-memory", "global memory", "global"),
    ),
    GlossaryTerm(
        "physical",
        "Where something lies in shared memory, after the swizzle. Logical: its place in the matrix, (mn, k).",
        also=("logical", "to-physical", "to-logical"),
    ),
    GlossaryTerm(
        "row",
        "Of an operand: one m of A, or n of B, with all its k. Of an atom: the 16, 32, 64 or 128 bytes that are beside "
        "each other, along K if K-major, along MN if MN-major.",
    ),
    GlossaryTerm(
        "mantissa",
        "The bits of a number behind its point; the exponent says where the point is. e4m3 has a sign, 4 bits of "
        "exponent and 3 of mantissa.",
        also=("exponent", "sign"),
    ),
    GlossaryTerm(
        "line",
        "What the 32 banks of shared memory give at once: 128 bytes from a multiple of 128, in eight chunks of 16.",
        also=("128-byte line",),
    ),
    GlossaryTerm(
        "aligned",
        "Where something may begin: a start aligned to 1024 B is a multiple of 1024. The pattern of a swizzle mode "
        "repeats at multiples of its period; a tile that begins elsewhere needs a base offset, or is read wrong.",
        also=("align", "alignment", "period", "pattern"),
    ),
    GlossaryTerm(
        "packed",
        "Nothing lies between: atoms of which each begins where the one before ends, strides of that size, and "
        "elements of 4 bits of which two share a byte.",
        also=("contiguous",),
    ),
    GlossaryTerm(
        "padding",
        "Bytes that hold no element: types of 4 and 6 bits of kind::f8f6f4 have containers of 16 bytes for 16 "
        "elements, of which 8 or 12 are used.",
        also=("container", "padded"),
    ),
    GlossaryTerm(
        "overlap",
        "A fault: two elements with one address, since a stride is smaller than what it steps over.",
    ),
    GlossaryTerm(
        "core matrix",
        "A deprecated term (PTX now defines LBO and SBO by swizzle atoms): 8 rows of 16 bytes, 128 B. Without swizzle "
        "it is the atom, contiguous; with swizzle its rows are one atom row apart.",
        ptx="core matrix",
        cutlass="8 x 1 uint128_t of the canonical layouts",
        triton="core matrix (getCoreMatrixLinearLayout)",
        also=("core matrices",),
    ),
    GlossaryTerm(
        "8-row group",
        "What SBO steps over in a K-major operand: eight consecutive rows, that is m of A or n of B.",
        ptx="8 rows",
        also=("8 rows", "row group"),
    ),
    GlossaryTerm(
        "8-k group",
        "What SBO steps over in an MN-major operand under a swizzle, and LBO without one: eight consecutive k (four "
        "in 128B_32B).",
        ptx="8 columns",
        also=("4-k group", "k group"),
    ),
    GlossaryTerm(
        "bank conflict",
        "Shared memory has 32 banks of 4 bytes: address bits 2 to 6. Threads that access different words of one bank "
        "take a wavefront each. If each thread accesses 16 bytes, the 8 threads of a quarter-warp need 8 different "
        "chunks, address bits 4 to 6: smemdesc layout store counts.",
        also=("bank", "banks", "bank conflicts"),
    ),
    GlossaryTerm(
        "wavefront",
        "One pass of a warp's access through shared memory, at most 128 bytes. 16 bytes of each thread take at least "
        "4; Nsight Compute counts them per request.",
        also=("wavefronts", "shared-memory wavefront"),
    ),
    GlossaryTerm(
        "swizzle atom",
        "What tiles are built of, so that two strides describe them: 8 rows (4 in 128B_32B, MN-major) of 16, 32, 64 or "
        "128 bytes, one after the other in memory; only units of the same row change places in it.",
        ptx="swizzle atom (Tables 38 and 58)",
        cutlass="Layout_K_SW128_Atom, Layout_MN_SW64_Atom, ...",
        triton="swizzled core matrix",
        also=("atom", "swizzle layout atom", "swizzle atom layout"),
    ),
    GlossaryTerm(
        "swizzle mode",
        "Spreads what is read together over the banks of shared memory: the number of a 128-byte line is XORed into "
        "the number of each 16-byte unit in it (under 128B, unit u of row r lies at u xor r). The mode says how many "
        "bits are XORed; whoever writes the tile and the descriptor that reads it must have the same.",
        ptx="swizzling mode, swizzle-mode",
        cutlass="LayoutType; Swizzle<B,M,S>",
        triton="swizzlingByteWidth",
        also=("swizzle", "swizzling", "swizzled", "unswizzled", "swizzle pattern", "layout type", "xor", "mode"),
    ),
    GlossaryTerm(
        "swizzle atomicity",
        f"How many bytes the swizzle moves as a unit: {_units()}. The tensor map has others that no descriptor has.",
        ptx="swizzle-atomicity, 16B atomicity, 32B atomicity, 128-Byte with 32B atomic swizzling",
        cutlass="BASE32B",
        also=("atomicity",),
    ),
    *map(_of_mode, by_width()),
    GlossaryTerm(
        "matrix-descriptor-encode",
        "How a descriptor stores an address or a byte offset: x is written as (x & 0x3FFFF) >> 4, in 16-byte units.",
        ptx="matrix-descriptor-encode(x)",
        cutlass="cute::cast_smem_ptr_to_uint(ptr) >> 4",
        also=("encode", ">> 4"),
    ),
    GlossaryTerm(
        "start address",
        "Bits 13-0: the address of the operand's first byte in shared memory, divided by 16. Only the low 18 bits of a "
        "shared-memory address count.",
        ptx="matrix start address",
        cutlass="start_address_",
        triton="baseAddress",
        also=("start", "address", "start_address", "matrix-start-address"),
    ),
    GlossaryTerm(
        "leading dimension byte offset",
        "LBO, bits 29-16, in 16-byte units. Without swizzle: the stride between core matrices along K. MN-major with "
        "swizzle: the stride between atoms along MN. K-major with swizzle: no effect while K fits one atom. Not the "
        "leading dimension of BLAS, which is a stride in global memory, in elements.",
        ptx="leading dimension byte offset",
        cutlass="leading_byte_offset_",
        triton="leadDimensionBaseOffset",
        also=(
            *("lbo", "leading dimension", "leading_byte_offset", "leading byte offset"),
            "leading dimension byte offset relative",
        ),
    ),
    GlossaryTerm(
        "stride dimension byte offset",
        "SBO, bits 45-32, in 16-byte units. K-major: the stride between 8-row groups. MN-major with swizzle: the "
        "stride between 8-k groups (4 k in 128B_32B). MN-major without swizzle: the stride between 16-byte columns "
        "along MN.",
        ptx="stride dimension byte offset",
        cutlass="stride_byte_offset_",
        triton="strideDimensionBaseOffset",
        also=("sbo", "stride_byte_offset", "stride byte offset", "strided dimension byte offset"),
    ),
    GlossaryTerm(
        "base offset",
        "Bits 51-49: where the swizzle pattern begins relative to the pattern's alignment, in 128-byte lines. 0 for "
        "data written by TMA or by code that swizzles absolute addresses.",
        ptx="matrix base offset",
        cutlass="base_offset_",
        triton="matrixBaseOffset",
        also=("base_offset", "matrix-base-offset", "phase", "repeating pattern", "pattern start addr"),
    ),
    GlossaryTerm(
        "reserved bits",
        "Bits of a descriptor that mean nothing and must be 0: a set one is often a carry of an addition to the "
        "address.",
        also=("reserved", "constant bits", "bit", "field"),
    ),
    GlossaryTerm(
        "stride",
        "Bytes from one thing to the next: of a descriptor from atom to atom (LBO and SBO), of a tensor map from row "
        "to row in global memory. Pitch is another word for it; an offset is the bytes from the beginning.",
        also=("pitch", "offset"),
    ),
    GlossaryTerm(
        "version",
        "Bits 46-48 of a tcgen05 shared-memory descriptor: 0b001. A wgmma descriptor has 0 there.",
        ptx="fixed constant 0b001",
        cutlass="version_ = 1",
        triton="1 << 46",
        also=("fixed constant value", "fixed constant value of 0b001", "descriptor version"),
    ),
    GlossaryTerm(
        "LBO mode",
        "Bit 52 of a tcgen05 descriptor: whether LBO is a byte offset (relative) or the address of the second part of "
        "a K of 48 bytes (absolute).",
        ptx="leading dimension stride mode",
        cutlass="lbo_mode_",
        also=(
            *("lbo_mode", "absolute mode", "absolute", "relative", "byte offset relative", "byte address absolute"),
            "leading dimension byte address absolute",
        ),
    ),
    GlossaryTerm(
        "canonical layout",
        "The layouts that a descriptor can express: core matrices or atoms with two free strides, LBO and SBO.",
        ptx="canonical layout",
        cutlass="canonical GMMA/UMMA layout (make_gmma_desc, make_umma_desc)",
        triton="nvmma_shared",
        also=("layout", "canonical layouts", "canonical"),
    ),
    GlossaryTerm(
        "linear layout",
        "How Triton writes a layout: the coordinates at offsets 1, 2, 4, ...; those at any other offset are their XOR.",
        triton="LinearLayout",
        also=("linearlayout", "linear"),
    ),
    GlossaryTerm(
        "tile",
        "What a CTA copies to shared memory at once, M x K or N x K elements; several instructions read it, each its "
        "part.",
        cutlass="CTA tile, smem layout (tile_to_shape)",
        triton="memdesc",
        also=("cta tile", "tiled"),
    ),
    GlossaryTerm(
        "operand",
        "The part of a tile that one instruction reads: MN of the instruction by 32 bytes of K (48 with K = 96, 64 "
        "for B of a sparse MMA).",
        ptx="matrix A, matrix B",
        cutlass="tCrA, tCrB",
        also=("a", "b"),
    ),
    GlossaryTerm(
        "K step",
        "From one instruction's operand to the next along K: in a swizzled K-major tile the start address advances by "
        "32 bytes, descriptor + 2.",
        cutlass="DescriptorIterator + k_block",
        triton="K loop of the MMA",
        also=("step", "advance", "advanced", "k advance", "descriptor advance"),
    ),
    GlossaryTerm(
        "descriptor iterator",
        "CuTe's operand of an MMA: a tensor of descriptors. Its strides are added to the start address and so count "
        "16-byte units: 2 is the K step of 32 bytes, 1024 is 16384 bytes.",
        "",
        "GMMA::DescriptorIterator, UMMA::DescriptorIterator, tCrA",
        "",
        ("descriptoriterator",),
    ),
    GlossaryTerm(
        "stage",
        "One of several copies of a tile in shared memory, between which the pipeline of loads and MMAs rotates.",
        cutlass="PipelineTmaAsync stage",
        triton="num_stages, buffer",
        also=("pipeline stage", "pipeline"),
    ),
    GlossaryTerm(
        "warpgroup",
        "Four consecutive warps, 128 threads, that execute one wgmma together; each warp holds 16 of the 64 rows of D.",
        ptx="warpgroup",
        cutlass="warp group",
        triton="warp group",
    ),
    GlossaryTerm(
        "warp",
        "The 32 threads that one instruction is issued for. A quarter-warp, 8 of them, moves 128 bytes of shared "
        "memory at once if each has 16; a quad, 4 of them, holds neighboring columns of a row of D.",
        ptx="warp",
        also=("quarter-warp", "quarter", "quad", "thread", "groupid", "threadid_in_group"),
    ),
    GlossaryTerm(
        "CTA",
        "The threads that share one shared memory, at most 1024: a cooperative thread array, or block. Two CTAs of a "
        "cluster can share one tcgen05.mma.",
        ptx="CTA",
        also=("block", "cluster", "thread block"),
    ),
    GlossaryTerm(
        "register",
        "32 bits that one thread has (R4), or that a warp shares: uniform registers (UR4) hold descriptors. RZ and URZ "
        "are zero, PT and UPT true.",
        also=("ur", "uniform register", "rz", "urz", "pt", "upt", "predicate", "predicated"),
    ),
    GlossaryTerm(
        "coalesced",
        "Neighboring threads access neighboring bytes, along the row: how global memory is read best, and in the banks "
        "of shared memory without conflicts only if the rows are as long as the access.",
    ),
    GlossaryTerm(
        "ldmatrix",
        "Loads matrices of 8 rows of 16 bytes from shared memory into registers. The 8 threads of a quarter-warp give "
        "the addresses of the rows.",
        ptx="ldmatrix",
    ),
    GlossaryTerm(
        "fragment",
        "The registers that hold a thread's part of A or D of wgmma.",
        ptx="register fragment",
        cutlass="ALayout, CLayout of MMA_Traits",
        triton="NvidiaMmaEncoding",
        also=("register fragment",),
    ),
    GlossaryTerm(
        "tensor memory",
        "The memory of 128 lanes by 512 columns of 32 bits in which tcgen05.mma keeps D, and optionally A.",
        ptx="Tensor Memory, tmem",
        cutlass="tmem_ptr",
        triton="ttng.tmem_alloc",
        also=("tmem", "lane", "column"),
    ),
    GlossaryTerm(
        "tensor-memory address",
        "A 32-bit location in tensor memory: the lane (0 to 127) in bits 31-16, the column (0 to 511) in bits "
        "15-0. 0x00400020 is lane 64, column 32: 64 << 16 | 32. To step a column add 1, to step a lane 0x10000.",
        ptx="taddr, [d-tmem], [a-tmem]",
        cutlass="tmem_ptr",
        also=("tmem address", "tensor memory address", "taddr", "tmem_ptr"),
    ),
    GlossaryTerm(
        "data path layout",
        "Says which lanes and columns of tensor memory hold D of a tcgen05.mma: A to G, by M, cta_group and .ws.",
        ptx="Data Path Layout Organization, Layout A to G",
        cutlass="tmem_frg_1sm, tmem_frg_2sm, tmem_frg_ws_1sm",
        triton="#ttng.tensor_memory_encoding",
        also=("datapath", "data path", *(f"layout {letter}" for letter in "abcdefg")),
    ),
    GlossaryTerm(
        "tcgen05.ld",
        "The load of a warp from its 32 lanes of tensor memory into registers; tcgen05.st is the way back. The shape "
        "says which lanes and which word of 32 bits a register of a thread holds: smemdesc layout tmem --ld.",
        ptx=".32x32b, .16x64b, .16x128b, .16x256b, .16x32bx2",
        cutlass="SM100_TMEM_LOAD_32dp32b32x, ..., tmem_ptr",
        triton="ttng.tmem_load",
        also=("tcgen05.st", "tmem load", "tmem_load", "tmem_store", "ldtm", "sttm"),
    ),
    *(
        GlossaryTerm(shape, text, ptx=f".{shape}", cutlass=f"SM100_TMEM_LOAD_{also[0]}*", also=also)
        for shape, also, text in (
            ("32x32b", ("32dp32b",), "Thread T of the warp has lane T of its 32, register r column r."),
            ("16x64b", ("16dp64b",), "Four threads share a lane and the lane 8 further on, each one word of two."),
            (
                "16x128b",
                ("16dp128b",),
                "Four threads share a lane, each one word of four; odd registers are 8 lanes on.",
            ),
            (
                "16x256b",
                ("16dp256b",),
                "Four threads share a lane, each two neighboring words of eight; registers 2 and 3 of each four are 8 "
                "lanes further on: as the registers of D of wgmma.",
            ),
            (
                "16x32bx2",
                ("16dp32b", "immhalfsplitoff"),
                "Threads 0 to 15 have a lane each, threads 16 to 31 the same lanes immHalfSplitoff columns further on.",
            ),
        )
    ),
    GlossaryTerm(
        "pack::16b",
        "tcgen05.ld puts the low 16 bits of two neighboring columns into one register; tcgen05.st takes them apart "
        "with unpack::16b: smemdesc layout tmem --pack 16b.",
        ptx=".pack::16b, .unpack::16b",
        cutlass="SM100_TMEM_LOAD_32dp32b32x_16b, ...",
        also=("unpack::16b",),
    ),
    GlossaryTerm(
        "tensor map",
        "Tells a copy where a tensor lies in global memory, and which box of it to write in which swizzle: 128 bytes. "
        "Its swizzle must be that of the descriptor, though the codes differ.",
        ptx="tensor-map",
        cutlass="TmaDescriptor, CUtensorMap",
        triton="TMA descriptor",
        also=("map", "tensor", "tma descriptor", "tensormap", "cutensormap"),
    ),
    GlossaryTerm(
        "TMA",
        "Copies a box between global and shared memory while threads do other work, and tells an mbarrier when it is "
        "there: the Tensor Memory Accelerator, from Hopper on. One thread starts it: UTMALDG loads, UTMASTG stores.",
        ptx="cp.async.bulk.tensor",
        cutlass="SM90_TMA_LOAD",
        triton="ttng.async_tma_copy_global_to_local",
        also=("tensor memory accelerator",),
    ),
    GlossaryTerm(
        "mbarrier",
        "Lets threads wait until copies are there, or until MMAs have read them: 8 bytes of shared memory that count "
        "arrivals and bytes. A TMA copy completes on it, and tcgen05.commit arrives on it when MMAs are done. What it "
        "must expect for a stage: smemdesc plan MxNxK TYPE (smemdesc explain expect_tx).",
        ptx="mbarrier",
        cutlass="ClusterTransactionBarrier",
        triton="ttng.init_barrier",
        also=("barrier", "transaction barrier", "mbarrier.arrive", "mbarrier.try_wait", "syncs", "parity"),
    ),
    GlossaryTerm(
        "box",
        "The part of a tensor that one TMA copy moves. Swizzled, its inner dimension is at most the mode's width.",
        cutlass="boxDim, smem_box",
        triton="TMA block",
        also=("tma box", "boxdim"),
    ),
    GlossaryTerm(
        "MMA kind",
        "The family of types of tcgen05.mma: tf32, f16, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4. It is part of "
        "the instruction, not of the instruction descriptor.",
        ptx=".kind",
        cutlass="SM100_MMA_F16BF16_SS and its siblings",
        triton="mxfpKind",
        also=("kind", "mma-kind", "mma_kind", *(kind for kind in MMA_KINDS if kind not in ("f16", "tf32"))),
    ),
    GlossaryTerm(
        "cta_group",
        "How many CTAs share one tcgen05.mma. With 2, the instruction descriptor has M and N of the pair, and each "
        "CTA's descriptors cover half of A's rows and of B's columns; one thread of the leader, the CTA of the even "
        "rank, issues it.",
        ptx=".cta_group::1, .cta_group::2",
        cutlass="1SM, 2SM",
        triton="two_ctas",
        also=("cta group", "2cta", "2sm", "pair", "leader", "leader cta", "cta_pair", "peer"),
    ),
    GlossaryTerm(
        "weight stationary",
        "tcgen05.mma.ws: B is kept and reused over several instructions; M is 32, 64 or 128.",
        ptx=".ws",
        cutlass="SM100_MMA_*_WS",
        also=("ws", ".ws"),
    ),
    GlossaryTerm(
        "maximum shift",
        "Bits 30-31 of the instruction descriptor under .ws: how many columns B may be shifted by while it is reused.",
        ptx="maximum shift while attempting B matrix reuse",
        cutlass="max_shift_",
        also=("max_shift", "max shift"),
    ),
    GlossaryTerm(
        "scale factor id",
        "Which byte or half word of a tensor-memory word holds the scale factors that one block-scaled MMA uses.",
        ptx="SFA_ID, SFB_ID",
        cutlass="a_sf_id_, b_sf_id_",
        triton="scaleFactorA/B sub-column",
        also=("a_scale_id", "b_scale_id", "sf id", "scale factor data id"),
    ),
    GlossaryTerm(
        "scale factor",
        "A byte by which a block-scaled MMA multiplies 16 or 32 elements of K of a row of A, or of a column of B. In "
        "shared memory they are in blocks of 128 rows by 4 factors, 512 B, which tcgen05.cp copies to tensor memory.",
        ptx="scale_A, scale_B; .block16, .block32, .scale_vec::2X",
        cutlass="SFA, SFB; SfAtom; tmem_sf_frg",
        triton="#ttng.tensor_memory_scales_encoding",
        also=(
            "factor",
            "scale",
            "block-scaled",
            "block scaled",
            "sfa",
            "sfb",
            "scale_vec",
            "block16",
            "block32",
            "scale_vec::1x",
            "scale_vec::2x",
            "scale_vec::4x",
        ),
    ),
    GlossaryTerm(
        "UE8M0",
        "Type of scale factors: 8 bits of exponent, no sign and no mantissa, that is 2^(x - 127). "
        f"For {', '.join(f'kind::{kind}' for kind in BLOCK_SCALED)}.",
        also=_other_names("ue8m0"),
    ),
    GlossaryTerm(
        "UE4M3",
        "Type of scale factors: E4M3 without a sign, for kind::mxf4nvf4. sm_107 has UE5M3, one bit of exponent more.",
        also=(*_other_names("ue4m3"), "ue5m3"),
    ),
    GlossaryTerm(
        "scale type",
        "Bit 23 of a block-scaled instruction descriptor: the type of the scale factors of A and of B.",
        ptx="Scale Matrix Type",
        cutlass="scale_format_",
        also=("scale_type",),
    ),
    GlossaryTerm(
        "dense",
        "Every element of A is stored; the opposite is sparse. A dense MMA reads 32 bytes of K of each row (of packed "
        "e2m1 also 48).",
    ),
    GlossaryTerm(
        "sparsity",
        "Structured sparsity of A: half of its elements along K are stored, metadata tell which, and K of "
        "the instruction is twice that of the dense one.",
        ptx=".sp, Sparsity",
        also=("sparse", "structured sparsity", "metadata"),
    ),
    GlossaryTerm(
        "allocation class",
        "Bit 85 of a tensor map: how far from the tensor TMA may compute addresses. small is safe for any allocation; "
        "large, for Blackwell, needs 128 KiB mapped, starting at the address, or copies fault sporadically. On "
        "Hopper it has no effect. CUDA 13.5: cuTensorMapSetAllocationClass.",
        ptx="alloc_large, alloc_small, alloc_same",
        also=("allocation_class", "bit 85"),
    ),
    GlossaryTerm(
        "sparsity selector",
        "Which part of the metadata a sparse MMA uses.",
        ptx="sparsity selector",
        cutlass="sparse_id2_",
        also=("sparsity_selector", "selector"),
    ),
    GlossaryTerm(
        "skip span",
        "The number of consecutive columns that a zero-column mask zeroes; the field, and the examples of the PTX ISA, "
        "hold the number - 1.",
        ptx="skip span",
        cutlass="skip_span_",
        also=("skip_span", "span"),
    ),
    GlossaryTerm(
        "use span",
        "The number of consecutive columns between two skip spans, where B is used; the field holds the number - 1.",
        ptx="use span",
        cutlass="use_span_",
        also=("use_span",),
    ),
    GlossaryTerm(
        "sub-mask",
        "One of the 1, 2 or 4 parts into which M = 128, 64 or 32 divides the N columns of a zero-column mask. Each has "
        "its own start count and first span.",
        ptx="sub-mask",
        also=("sub_mask", "mask0", "mask1", "mask2", "mask3"),
    ),
    GlossaryTerm(
        "first span",
        "Bits 32-35 of a zero-column mask, one for each sub-mask: whether it begins with zeroed columns (1).",
        ptx="First Span",
        also=("first_span", "fs0", "fs1", "fs2", "fs3"),
    ),
    GlossaryTerm(
        "start count",
        "Bits 0-31 of a zero-column mask, a byte for each sub-mask: how many columns of its pattern are skipped first.",
        ptx="Start Count, Start Column",
        also=("start_count", "sc0", "sc1", "sc2", "sc3"),
    ),
    GlossaryTerm(
        "non-zero mask",
        "Bit 39 of a zero-column mask: 0, no column is zeroed, whatever the spans are; 1, the mask is generated.",
        ptx="Non-Zero Mask",
        also=("non_zero_mask",),
    ),
    GlossaryTerm(
        "column shift",
        "By how many columns B is shifted: column n of the MMA reads column n + shift of B.",
        ptx="column shift",
        cutlass="column_shift_",
        also=("column_shift",),
    ),
    GlossaryTerm(
        "high word",
        "Bits 63-32 of a 64-bit descriptor, as one 32-bit register holds them: swizzle mode, SBO, version, base "
        "offset.",
        cutlass="desc.hi",
        also=("low word", "word"),
    ),
    GlossaryTerm(
        "HGMMA",
        "SASS of wgmma: HGMMA for 16-bit types and tf32, QGMMA for fp8, IGMMA for integers, BGMMA for b1. gdesc[UR4] "
        "names four uniform registers: A in UR4 and UR5, B in UR6 and UR7.",
        ptx="wgmma.mma_async",
        cutlass="SM90_64x128x16_F32F16F16_SS and its siblings",
        triton="ttng.warp_group_dot",
        also=("wgmma", "gmma", "qgmma", "igmma", "bgmma"),
    ),
    GlossaryTerm(
        "imm-trans-a",
        "Immediate operands of wgmma.mma_async, imm-trans-a and imm-trans-b: 0, the operand is K-major; 1, MN-major. "
        "Only f16 and bf16 in shared memory have them.",
        ptx="imm-trans-a, imm-trans-b",
        cutlass="GMMA::Major tnspA, tnspB",
        also=("imm-trans-b",),
    ),
    GlossaryTerm(
        "D",
        "The result of an MMA, and its accumulator (C): f32, f16 or s32, in registers (wgmma) or in tensor memory "
        "(tcgen05).",
        ptx="matrix D",
        also=("accumulator", "c", *("f32", *_other_names("f32"), "s32", *_other_names("s32"))),
    ),
    GlossaryTerm(
        "UTCHMMA",
        "SASS of tcgen05.mma: UTCHMMA for f16 and tf32, UTCQMMA for f8f6f4 and mxf8f6f4, UTCIMMA for i8, UTCOMMA for "
        "mxf4 and mxf4nvf4; .2CTA is cta_group::2.",
        ptx="tcgen05.mma",
        cutlass="SM100_MMA_F16BF16_SS and its siblings",
        triton="ttng.tc_gen5_mma",
        also=("tcgen05", "utcqmma", "utcimma", "utcomma", "umma"),
    ),
    GlossaryTerm(
        "UTCCP",
        "SASS of tcgen05.cp, which copies from shared to tensor memory through a shared-memory descriptor.",
        ptx="tcgen05.cp",
        cutlass="SM100_UTCCP_*",
        triton="ttng.tmem_copy",
        also=("tcgen05.cp",),
    ),
    GlossaryTerm(
        "SASS",
        "The machine code of NVIDIA's GPUs, as nvdisasm and cuobjdump print it from a cubin, and Nsight Compute shows "
        "it. UMOV, ULEA, ULOP3 and R2UR write the uniform registers that hold descriptors; LDCU and ULDC load "
        "constants.",
        also=("cubin", "machine code", "umov", "ulea", "ldcu", "uldc", "isetp", "ulop3"),
    ),
    GlossaryTerm(
        "PTX",
        "The portable code that compilers write and ptxas turns into SASS; its manual, the PTX ISA, defines the "
        "descriptors.",
        also=("ptx isa", "ptxas", "isa", "mov"),
    ),
    GlossaryTerm(
        "CUTLASS",
        "NVIDIA's templates for GEMMs. CuTe is its notation: a layout is shape:stride, and a descriptor is made of a "
        "layout by make_gmma_desc or make_umma_desc. Its Python form is the CuTe DSL.",
        also=("cute", "cute dsl", "dsl"),
    ),
    GlossaryTerm(
        "Triton",
        "A compiler of kernels written in Python, which writes descriptors itself; layout explain reads its "
        "#ttg.nvmma_shared, and scan its MLIR and LLVM IR.",
        also=("mlir", "llvm", "llvm ir", "ir", "nvvm"),
    ),
    GlossaryTerm(
        "GEMM",
        "The product of two matrices, as a kernel that copies tiles to shared memory and multiplies them, stage by "
        "stage.",
        also=("kernel", "matrix product"),
    ),
    GlossaryTerm(
        "Hopper",
        "The GPUs of architecture sm_90a: H100, H200. Their tensor cores run wgmma.",
        also=("sm_90", "sm_90a"),
    ),
    GlossaryTerm(
        "Blackwell",
        "The GPUs of architectures sm_100a, sm_103a and sm_110a (tcgen05.mma), and of sm_120a and sm_121a (mma.sync, "
        "without descriptors).",
        also=("architecture", "arch", "target"),
    ),
    GlossaryTerm(
        "memory descriptor",
        "SASS: desc[UR4][R2.64] is an address in global memory, in R2 and R3, with a descriptor of that memory, which "
        "the compiler loads from the constant bank into UR4 and UR5; its bits are not public. It describes no matrix: "
        "gdesc[UR8] is the shared-memory descriptor of an MMA, idesc[UR12] its instruction descriptor.",
        also=("desc",),
    ),
    GlossaryTerm(
        "verdict",
        "The first word of an answer. valid: no error and no warning. suspicious: a warning. invalid: an error. "
        "ambiguous: several readings fit; choose one with --kind or --mma-kind.",
        also=("valid", "suspicious", "invalid", "ambiguous", "reading"),
    ),
    GlossaryTerm(
        "severity",
        "How serious a finding is. error: forbidden or broken; --check fails. warning: allowed, but rarely meant; "
        "--strict fails, too. note: worth knowing, not a fault.",
        also=("error", "warning", "note", "finding", "rule", "wrong"),
    ),
    *(GlossaryTerm(name, text, also=also) for name, text, also in AROUND),
    *map(_of_type, DTYPES),
    *(_of_format(scaled) for scaled in SCALED_FORMATS if not scaled.name.startswith("mxfp8_")),
    *map(_of_guardrail, GUARDRAILS.values()),
)


def term(name: str) -> GlossaryTerm | None:
    """Return the term that a word names, in upper or lower case; None if unknown."""
    word = " ".join(name.lower().split())
    return _BY_WORD.get(word) or _BY_SPELLING.get(word)


def spellings(term: GlossaryTerm) -> Iterator[str]:
    """Yield the names of a term in PTX, CUTLASS and Triton, without remarks."""
    for column in (term.ptx, term.cutlass, term.triton):
        for name in re.split(r"[,;] ", re.sub(r" and its siblings| ?\([^()]*+\)", "", column)):
            if re.fullmatch(r"[\w.:#>*-][\w.:#> *-]*", name):
                yield name


_BY_WORD: dict[str, GlossaryTerm] = {}
_BY_SPELLING: dict[str, GlossaryTerm] = {}
for _each in TERMS:
    for _word in (_each.name.lower(), *_each.also):
        _BY_WORD[_word] = _each
    for _word in spellings(_each):
        _BY_SPELLING.setdefault(_word.lower(), _each)
TERM_WORDS = tuple(_BY_WORD)
"""Every name of a term."""
