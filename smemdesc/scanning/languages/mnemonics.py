"""The names of the instructions that read descriptors (MMAs, and copies to tensor memory) in each language.

Used by the front ends, and by the search for names that no front end reads.
"""

from __future__ import annotations

WGMMA_SASS = frozenset(("HGMMA", "QGMMA", "IGMMA", "BGMMA"))
TCGEN05_SASS = frozenset(("UTCHMMA", "UTCQMMA", "UTCIMMA", "UTCOMMA", "UTCMXQMMA"))
UTCCP = "UTCCP"
SASS = WGMMA_SASS | TCGEN05_SASS | {UTCCP}

PTX = ("wgmma.mma_async", "tcgen05.mma", "tcgen05.cp")
"""The beginnings of the names; qualifiers follow."""
ACCESSES = ("tcgen05.ld", "tcgen05.st", "tcgen05.shift", "tcgen05.alloc", "tcgen05.dealloc")
"""The instructions of PTX that access or allocate tensor memory and read no descriptor."""
MAPS = ("tensormap.replace", "tensormap.query")
"""The instructions of PTX that change a tensor map, or read one."""
LLVM = tuple(f"llvm.nvvm.{name}" for name in PTX)

NVVM_FORMS = (
    "",
    ".sp",
    ".ws",
    ".ws.sp",
    ".block_scale",
    ".sp.block_scale",
    ".decompress_b",
    ".block_scale.decompress_b",
)
"""What follows ``nvvm.tcgen05.mma``."""
NVVM = frozenset(("nvvm.wgmma.mma_async", "nvvm.tcgen05.cp", *(f"nvvm.tcgen05.mma{form}" for form in NVVM_FORMS)))
NVVM_ACCESSES = frozenset(f"nvvm.{name}" for name in ACCESSES)
NVVM_COPIES = ("nvvm.cp.async.bulk.tensor.shared.cluster.global", "nvvm.cp.async.bulk.shared.cluster.global")
"""The copies to shared memory from global memory."""
NVGPU = "nvgpu.warpgroup.mma"
TRITON = frozenset(("ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.tmem_copy"))
CUTE_MMAS = frozenset(("cute.gemm", "cute.mma_atom_call"))
CUTE = CUTE_MMAS | {"cute.copy", "cute.copy_atom_call"}
"""Those that may read descriptors: it depends on their types."""
OTHER_DIALECTS = frozenset(
    (
        *("mosaic_gpu.wgmma", "mosaic_gpu.tcgen05_mma"),
        *(f"triton_nvidia_gpu.{name}" for name in ("warp_group_dot", "dot_async", "tc_gen5_mma", "tc_gen5_mma_scaled")),
    )
)
"""MMAs of dialects of MLIR that no front end reads."""
SYNTAX_OPERAND = r"(?<![\w%$.-])[a-z]+(?:-[A-Za-z]+)*-(?:desc|tmem|lane|meta|[abd])(?![\w-])"
"""A word that stands for an operand where a document gives the syntax: ``a-desc``, ``d-tmem``, ``enable-input-d``."""
