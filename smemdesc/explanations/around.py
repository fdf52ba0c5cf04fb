"""What stands around descriptors in a kernel: instructions, arguments of the tensor map, symptoms of what is wrong.

Each row is a name, what it means with the command that narrows it, and other names.
"""

from __future__ import annotations

AROUND = (
    (
        "multicast",
        "One TMA copy that writes its box to several CTAs of a cluster, at the same offset in each; each destination's "
        "mbarrier at the same offset gets the bytes, so each CTA expects all that arrive there. tcgen05.commit has a "
        "multicast of its arrival.",
        (".multicast::cluster", "tma multicast"),
    ),
    (
        "warpx4",
        "tcgen05.cp.32x128b.warpx4 copies 32 rows of 16 bytes to the same lanes of all four warps' quarters of tensor "
        "memory, as scale factors need. The places: smemdesc layout scales MNxK --mma-kind KIND.",
        (".warpx4", "32x128b", "warpx2", ".warpx2"),
    ),
    (
        "tcgen05.alloc",
        "Allocates columns of tensor memory, 32, 64, 128, 256 or 512, and writes their address (lane << 16 | column) "
        "to shared memory. One warp executes it, and tcgen05.dealloc frees them. How many D and the scale factors "
        "need: smemdesc plan MxNxK TYPE; scan compares.",
        (
            *("tcgen05.dealloc", "tcgen05.relinquish_alloc_permit", "tmem allocation"),
            *("alloc", "dealloc", "allocate", "allocated"),
        ),
    ),
    (
        "tcgen05.commit",
        "Makes an mbarrier arrive when all asynchronous tcgen05 instructions that the thread has issued are complete: "
        "whoever reads D, or overwrites A and B, waits on that mbarrier. Its cta_group is the MMA's.",
        ("commit", "tcgen05.commit_arrive", "umma_arrive"),
    ),
    (
        "stmatrix",
        "Stores 8x8 matrices of 16-bit elements from the registers of a warp, a row of 16 bytes at each thread's "
        "address; ldmatrix loads them. Where the rows are in a swizzled tile, and bank conflicts: smemdesc layout "
        "store MNxK TYPE --swizzle MODE.",
        (),
    ),
    (
        "cuTensorMapEncodeTiled",
        "The driver's function that makes a tensor map. What it rejects, and why: smemdesc explain - < LOG with the "
        "arguments as a library prints them; the same map without a driver: smemdesc encode tensormap.",
        ("cutensormapencodeim2col", "cutensormapencode", "encode tiled"),
    ),
    (
        "globalDim",
        "Argument of cuTensorMapEncodeTiled: elements of each dimension of the tensor, the innermost first; fields "
        "dim_0 to dim_4 of the map, encode tensormap --dim.",
        ("globaldims", "global dim"),
    ),
    (
        "globalStrides",
        "Argument of cuTensorMapEncodeTiled: bytes from one index to the next of each dimension but the innermost, "
        "multiples of 16; fields stride_1 to stride_4, encode tensormap --stride. A rank of 2 has one stride.",
        ("globalstride", "global strides"),
    ),
    (
        "elementStrides",
        "Argument of cuTensorMapEncodeTiled: the step through each dimension, 1 for every element; fields "
        "element_stride_0 to element_stride_4.",
        ("elementstride", "traversal stride"),
    ),
    (
        "oobFill",
        "Argument of cuTensorMapEncodeTiled: what a box gets for elements outside the tensor, zeros or NaN "
        "(NAN_REQUEST_ZERO_FMA); field fill, bit 79. They count as bytes on the mbarrier, too.",
        ("oob fill", "out-of-bounds fill"),
    ),
    (
        "tensorRank",
        "Argument of cuTensorMapEncodeTiled: the number of dimensions, 1 to 5 (from 3 on with an interleave); field "
        "rank of the map.",
        ("tensor rank",),
    ),
    (
        "UTMALDG",
        "SASS of a TMA copy from global to shared memory (cp.async.bulk.tensor); UTMASTG stores, UTMAREDG reduces, "
        "UTMAPF prefetches. smemdesc map in cuda-gdb shows the tensor map of the one at which it stopped.",
        ("utmastg", "utmaredg", "utmapf", "cp.async.bulk.tensor"),
    ),
    (
        "R2UR",
        "SASS: copies a register to a uniform register, which gdesc[UR4] and idesc[UR6] name. Where it copies a "
        "descriptor that the program computed, smemdesc scan follows it to the constants.",
        (),
    ),
    (
        "make_smem_desc",
        "The usual name in kernels of the function that packs a shared-memory descriptor: start, LBO and SBO, each "
        "divided by 16, and the swizzle mode. CuTe has make_gmma_desc and make_umma_desc. What it should return: "
        "smemdesc encode wgmma, or encode tcgen05; what a printed one says: smemdesc decode VALUE.",
        (
            "make_smem_descriptor",
            "make_umma_desc",
            "make_gmma_desc",
            "matrix_descriptor_encode",
            "desc_encode",
            "smem_desc",
        ),
    ),
    (
        "proxy fence",
        "fence.proxy.async makes what threads wrote to shared memory visible to the instructions that read it by "
        "descriptor or by TMA: wgmma, tcgen05.mma, tcgen05.cp, a TMA store. Each thread that wrote executes it, then a "
        "barrier, then one thread starts the instruction. Data that TMA copied need none: its mbarrier is enough.",
        ("fence", "fence.proxy.async", "fence.proxy.async.shared::cta", "async proxy", "generic proxy", "proxy"),
    ),
    (
        "wgmma.wait_group",
        "wgmma runs asynchronously: wgmma.fence before the first one orders earlier uses of the registers of D and A, "
        "wgmma.commit_group ends a group, wgmma.wait_group N waits until at most N groups run. Until then D must not "
        "be read, nor A and B in shared memory be overwritten.",
        ("wgmma.fence", "wgmma.commit_group", "warpgroup.arrive", "warpgroup.depbar", "warpgroup_wait", "wait_group"),
    ),
    (
        "tcgen05.fence",
        "Orders asynchronous tcgen05 instructions with a barrier: ::after_thread_sync behind the wait, "
        "::before_thread_sync before the arrival. tcgen05.wait::ld and ::st wait for the loads and stores of the own "
        "thread, tcgen05.commit makes an mbarrier wait for MMAs and tcgen05.cp.",
        ("tcgen05.wait", "tcgen05.wait::ld", "tcgen05.wait::st", "tcgen05.fence::after_thread_sync"),
    ),
    (
        "tmem epilogue",
        "Reading D from tensor memory: wait on the mbarrier of tcgen05.commit, tcgen05.fence::after_thread_sync, "
        "tcgen05.ld (each warp reaches the 32 lanes of its quarter), tcgen05.wait::ld, then store. Which register has "
        "which element: smemdesc layout tmem --m M --n N --ld 32x32b.",
        ("epilogue", "tensor memory epilogue"),
    ),
    (
        "illegal instruction",
        "A symptom (CUDA error 715, CUDA_EXCEPTION_4): the hardware refuses an instruction, often an MMA whose "
        "instruction descriptor contradicts it: a type or shape that its kind does not have. smemdesc mma A B IDESC "
        "--mma-kind KIND checks one, smemdesc scan KERNEL all. Or the code is for another architecture: fields --arch.",
        (
            *("cuda_error_illegal_instruction", "cudaerrorillegalinstruction", "cuda_exception_4", "error 715"),
            *("launch failure", "cudaerrorlaunchfailure", "unspecified launch failure"),
        ),
    ),
    (
        "CUDA_EXCEPTION_27",
        "Warp Illegal Instruction Parameter, a symptom in cuda-gdb: an instruction got an operand that it cannot take: "
        "a descriptor, a tensor map, a coordinate, an address of tensor memory. smemdesc next in cuda-gdb decodes the "
        "MMA there, smemdesc map the tensor map; from values: smemdesc mma A B IDESC.",
        ("warp illegal instruction parameter", "illegal instruction parameter"),
    ),
    (
        "misaligned address",
        "A symptom (CUDA error 716, CUDA_EXCEPTION_6): a shared address that is not a multiple of what the instruction "
        "moves: 16 bytes for rows of ldmatrix and stmatrix, 128 for the destination of a TMA copy, 8 for an mbarrier. "
        "A descriptor's start is always a multiple of 16: a tile that begins off its swizzle pattern gives wrong "
        "numbers (smemdesc decode VALUE --tile MNxK). Sizes and offsets of a stage: smemdesc plan MxNxK TYPE.",
        ("misaligned", "cuda_error_misaligned_address", "cudaerrormisalignedaddress", "cuda_exception_6", "error 716"),
    ),
    (
        "hang",
        "A symptom: a barrier never completes. An mbarrier expects more bytes than its copies write (smemdesc plan "
        "MxNxK TYPE has the number), waits for the wrong phase, or misses the arrival of tcgen05.commit, of the other "
        "CTA of a pair or of an empty stage. Whether the descriptors are sound: smemdesc scan KERNEL.",
        ("deadlock", "kernel hangs", "hangs", "timeout"),
    ),
    (
        "CUDA_ERROR_INVALID_VALUE",
        "A symptom: cuTensorMapEncodeTiled rejects its arguments (the launch of a kernel may give it, too). Which "
        "argument, and why: smemdesc explain - < LOG with the arguments as they are printed, or smemdesc encode "
        "tensormap with them.",
        ("invalid value", "cudaerrorinvalidvalue"),
    ),
    (
        "wrong every other column",
        "A symptom: D is right in some columns and wrong in others, or in rows. The period says what to look at: 8, "
        "the stride between 8-row groups (SBO); 16 bytes of elements, the swizzle mode that TMA wrote and the one that "
        "is read; a whole atom, the stride between atoms; single elements, the packing of 16-bit D in registers. "
        "smemdesc mma A B IDESC --b-tile MNxK compares strides, smemdesc layout guess BYTES --expect B.npy finds how "
        "the memory is laid out.",
        (
            "wrong columns",
            "every other column",
            "wrong rows",
            "wrong results",
            "wrong numbers",
            "garbage",
            "nan",
        ),
    ),
)
