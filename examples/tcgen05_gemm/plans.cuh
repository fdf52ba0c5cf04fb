// Written by plans.sh; do not edit.
#pragma once

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major K --swizzle none --order mn
#ifndef SMEMDESC_E2BE42A2_F16_K_K_NONE
#define SMEMDESC_E2BE42A2_F16_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major K --swizzle none --order mn
#ifndef SMEMDESC_8CA4A933_BF16_K_K_NONE
#define SMEMDESC_8CA4A933_BF16_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major MN --swizzle none --order mn
#ifndef SMEMDESC_71DA3DF0_F16_K_MN_NONE
#define SMEMDESC_71DA3DF0_F16_K_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_MN_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major MN --swizzle none --order mn
#ifndef SMEMDESC_F8BCDCD3_BF16_K_MN_NONE
#define SMEMDESC_F8BCDCD3_BF16_K_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_MN_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major K --b-major K --swizzle none --order mn
#ifndef SMEMDESC_A207649A_E4M3_K_K_NONE
#define SMEMDESC_A207649A_E4M3_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_K_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 16 * 2048 + k % 16;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}, {0, 64, 8192}, {0, 80, 10240}, {0, 96, 12288}, {0, 112, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 16 * 2048 + k % 16;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}, {0, 64, 8192}, {0, 80, 10240}, {0, 96, 12288}, {0, 112, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major K --swizzle none --order mn
#ifndef SMEMDESC_46C93C35_F16_MN_K_NONE
#define SMEMDESC_46C93C35_F16_MN_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major K --swizzle none --order mn
#ifndef SMEMDESC_1C8C92D7_BF16_MN_K_NONE
#define SMEMDESC_1C8C92D7_BF16_MN_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 2048 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major MN --swizzle none --order mn
#ifndef SMEMDESC_E2B27C13_F16_MN_MN_NONE
#define SMEMDESC_E2B27C13_F16_MN_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_MN_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major MN --swizzle none --order mn
#ifndef SMEMDESC_7AEF1E57_BF16_MN_MN_NONE
#define SMEMDESC_7AEF1E57_BF16_MN_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_MN_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 16 + mn / 8 * 128 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {8, 0, 128}, {8, 8, 2176}, {8, 16, 4224}, {8, 24, 6272}, {8, 32, 8320}, {8, 40, 10368}, {8, 48, 12416}, {8, 56, 14464}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {24, 0, 384}, {24, 8, 2432}, {24, 16, 4480}, {24, 24, 6528}, {24, 32, 8576}, {24, 40, 10624}, {24, 48, 12672}, {24, 56, 14720}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {40, 0, 640}, {40, 8, 2688}, {40, 16, 4736}, {40, 24, 6784}, {40, 32, 8832}, {40, 40, 10880}, {40, 48, 12928}, {40, 56, 14976}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {56, 0, 896}, {56, 8, 2944}, {56, 16, 4992}, {56, 24, 7040}, {56, 32, 9088}, {56, 40, 11136}, {56, 48, 13184}, {56, 56, 15232}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {72, 0, 1152}, {72, 8, 3200}, {72, 16, 5248}, {72, 24, 7296}, {72, 32, 9344}, {72, 40, 11392}, {72, 48, 13440}, {72, 56, 15488}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {88, 0, 1408}, {88, 8, 3456}, {88, 16, 5504}, {88, 24, 7552}, {88, 32, 9600}, {88, 40, 11648}, {88, 48, 13696}, {88, 56, 15744}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {104, 0, 1664}, {104, 8, 3712}, {104, 16, 5760}, {104, 24, 7808}, {104, 32, 9856}, {104, 40, 11904}, {104, 48, 13952}, {104, 56, 16000}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}, {120, 0, 1920}, {120, 8, 3968}, {120, 16, 6016}, {120, 24, 8064}, {120, 32, 10112}, {120, 40, 12160}, {120, 48, 14208}, {120, 56, 16256}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major MN --b-major MN --swizzle none --order mn
#ifndef SMEMDESC_30B3B24E_E4M3_MN_MN_NONE
#define SMEMDESC_30B3B24E_E4M3_MN_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_MN_MN_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 16 + mn / 16 * 128 + mn % 16;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {16, 0, 128}, {16, 8, 1152}, {16, 16, 2176}, {16, 24, 3200}, {16, 32, 4224}, {16, 40, 5248}, {16, 48, 6272}, {16, 56, 7296}, {16, 64, 8320}, {16, 72, 9344}, {16, 80, 10368}, {16, 88, 11392}, {16, 96, 12416}, {16, 104, 13440}, {16, 112, 14464}, {16, 120, 15488}, {32, 0, 256}, {32, 8, 1280}, {32, 16, 2304}, {32, 24, 3328}, {32, 32, 4352}, {32, 40, 5376}, {32, 48, 6400}, {32, 56, 7424}, {32, 64, 8448}, {32, 72, 9472}, {32, 80, 10496}, {32, 88, 11520}, {32, 96, 12544}, {32, 104, 13568}, {32, 112, 14592}, {32, 120, 15616}, {48, 0, 384}, {48, 8, 1408}, {48, 16, 2432}, {48, 24, 3456}, {48, 32, 4480}, {48, 40, 5504}, {48, 48, 6528}, {48, 56, 7552}, {48, 64, 8576}, {48, 72, 9600}, {48, 80, 10624}, {48, 88, 11648}, {48, 96, 12672}, {48, 104, 13696}, {48, 112, 14720}, {48, 120, 15744}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}, {80, 0, 640}, {80, 8, 1664}, {80, 16, 2688}, {80, 24, 3712}, {80, 32, 4736}, {80, 40, 5760}, {80, 48, 6784}, {80, 56, 7808}, {80, 64, 8832}, {80, 72, 9856}, {80, 80, 10880}, {80, 88, 11904}, {80, 96, 12928}, {80, 104, 13952}, {80, 112, 14976}, {80, 120, 16000}, {96, 0, 768}, {96, 8, 1792}, {96, 16, 2816}, {96, 24, 3840}, {96, 32, 4864}, {96, 40, 5888}, {96, 48, 6912}, {96, 56, 7936}, {96, 64, 8960}, {96, 72, 9984}, {96, 80, 11008}, {96, 88, 12032}, {96, 96, 13056}, {96, 104, 14080}, {96, 112, 15104}, {96, 120, 16128}, {112, 0, 896}, {112, 8, 1920}, {112, 16, 2944}, {112, 24, 3968}, {112, 32, 4992}, {112, 40, 6016}, {112, 48, 7040}, {112, 56, 8064}, {112, 64, 9088}, {112, 72, 10112}, {112, 80, 11136}, {112, 88, 12160}, {112, 96, 13184}, {112, 104, 14208}, {112, 112, 15232}, {112, 120, 16256}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 128;  // of one copy
        static constexpr int tma_copies = 128;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 16 + mn / 16 * 128 + mn % 16;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[128] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {16, 0, 128}, {16, 8, 1152}, {16, 16, 2176}, {16, 24, 3200}, {16, 32, 4224}, {16, 40, 5248}, {16, 48, 6272}, {16, 56, 7296}, {16, 64, 8320}, {16, 72, 9344}, {16, 80, 10368}, {16, 88, 11392}, {16, 96, 12416}, {16, 104, 13440}, {16, 112, 14464}, {16, 120, 15488}, {32, 0, 256}, {32, 8, 1280}, {32, 16, 2304}, {32, 24, 3328}, {32, 32, 4352}, {32, 40, 5376}, {32, 48, 6400}, {32, 56, 7424}, {32, 64, 8448}, {32, 72, 9472}, {32, 80, 10496}, {32, 88, 11520}, {32, 96, 12544}, {32, 104, 13568}, {32, 112, 14592}, {32, 120, 15616}, {48, 0, 384}, {48, 8, 1408}, {48, 16, 2432}, {48, 24, 3456}, {48, 32, 4480}, {48, 40, 5504}, {48, 48, 6528}, {48, 56, 7552}, {48, 64, 8576}, {48, 72, 9600}, {48, 80, 10624}, {48, 88, 11648}, {48, 96, 12672}, {48, 104, 13696}, {48, 112, 14720}, {48, 120, 15744}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}, {80, 0, 640}, {80, 8, 1664}, {80, 16, 2688}, {80, 24, 3712}, {80, 32, 4736}, {80, 40, 5760}, {80, 48, 6784}, {80, 56, 7808}, {80, 64, 8832}, {80, 72, 9856}, {80, 80, 10880}, {80, 88, 11904}, {80, 96, 12928}, {80, 104, 13952}, {80, 112, 14976}, {80, 120, 16000}, {96, 0, 768}, {96, 8, 1792}, {96, 16, 2816}, {96, 24, 3840}, {96, 32, 4864}, {96, 40, 5888}, {96, 48, 6912}, {96, 56, 7936}, {96, 64, 8960}, {96, 72, 9984}, {96, 80, 11008}, {96, 88, 12032}, {96, 96, 13056}, {96, 104, 14080}, {96, 112, 15104}, {96, 120, 16128}, {112, 0, 896}, {112, 8, 1920}, {112, 16, 2944}, {112, 24, 3968}, {112, 32, 4992}, {112, 40, 6016}, {112, 48, 7040}, {112, 56, 8064}, {112, 64, 9088}, {112, 72, 10112}, {112, 80, 11136}, {112, 88, 12160}, {112, 96, 13184}, {112, 104, 14208}, {112, 112, 15232}, {112, 120, 16256}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x32 --dtype tf32 --arch sm_100a --a-major K --b-major K --swizzle none --order mn
#ifndef SMEMDESC_71C9057A_TF32_K_K_NONE
#define SMEMDESC_71C9057A_TF32_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::tf32
struct tf32_K_K_none {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200910;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x32 tf32 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {4, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 4 * 2048 + k % 4 * 4;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 4, 2048}, {0, 8, 4096}, {0, 12, 6144}, {0, 16, 8192}, {0, 20, 10240}, {0, 24, 12288}, {0, 28, 14336}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x32 tf32 in shared memory, K-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000400800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {4, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x0000400800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 4 * 2048 + k % 4 * 4;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 4, 2048}, {0, 8, 4096}, {0, 12, 6144}, {0, 16, 8192}, {0, 20, 10240}, {0, 24, 12288}, {0, 28, 14336}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_B59BD3E8_F16_K_K_32B
#define SMEMDESC_B59BD3E8_F16_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_56ACBC9D_BF16_K_K_32B
#define SMEMDESC_56ACBC9D_BF16_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major MN --swizzle 32B --order mn
#ifndef SMEMDESC_985503FE_F16_K_MN_32B
#define SMEMDESC_985503FE_F16_K_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_MN_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major MN --swizzle 32B --order mn
#ifndef SMEMDESC_F5443FA4_BF16_K_MN_32B
#define SMEMDESC_F5443FA4_BF16_K_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_MN_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major K --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_CABA41A2_E4M3_K_K_32B
#define SMEMDESC_CABA41A2_E4M3_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_K_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 32 * 4096 + ((k % 32) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 32, 4096}, {0, 64, 8192}, {0, 96, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 32 * 4096 + ((k % 32) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 32, 4096}, {0, 64, 8192}, {0, 96, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_80E00C86_F16_MN_K_32B
#define SMEMDESC_80E00C86_F16_MN_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_307D646F_BF16_MN_K_32B
#define SMEMDESC_307D646F_BF16_MN_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 4096 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major MN --swizzle 32B --order mn
#ifndef SMEMDESC_67F43C17_F16_MN_MN_32B
#define SMEMDESC_67F43C17_F16_MN_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_MN_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major MN --swizzle 32B --order mn
#ifndef SMEMDESC_2D048327_BF16_MN_MN_32B
#define SMEMDESC_2D048327_BF16_MN_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_MN_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000408000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000408000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 32 + mn / 16 * 256 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {16, 0, 256}, {16, 8, 2304}, {16, 16, 4352}, {16, 24, 6400}, {16, 32, 8448}, {16, 40, 10496}, {16, 48, 12544}, {16, 56, 14592}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {48, 0, 768}, {48, 8, 2816}, {48, 16, 4864}, {48, 24, 6912}, {48, 32, 8960}, {48, 40, 11008}, {48, 48, 13056}, {48, 56, 15104}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {80, 0, 1280}, {80, 8, 3328}, {80, 16, 5376}, {80, 24, 7424}, {80, 32, 9472}, {80, 40, 11520}, {80, 48, 13568}, {80, 56, 15616}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}, {112, 0, 1792}, {112, 8, 3840}, {112, 16, 5888}, {112, 24, 7936}, {112, 32, 9984}, {112, 40, 12032}, {112, 48, 14080}, {112, 56, 16128}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major MN --b-major MN --swizzle 32B --order mn
#ifndef SMEMDESC_EDFCB43C_E4M3_MN_MN_32B
#define SMEMDESC_EDFCB43C_E4M3_MN_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_MN_MN_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000404000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000404000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 32 + mn / 32 * 256 + ((mn % 32) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {32, 0, 256}, {32, 8, 1280}, {32, 16, 2304}, {32, 24, 3328}, {32, 32, 4352}, {32, 40, 5376}, {32, 48, 6400}, {32, 56, 7424}, {32, 64, 8448}, {32, 72, 9472}, {32, 80, 10496}, {32, 88, 11520}, {32, 96, 12544}, {32, 104, 13568}, {32, 112, 14592}, {32, 120, 15616}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}, {96, 0, 768}, {96, 8, 1792}, {96, 16, 2816}, {96, 24, 3840}, {96, 32, 4864}, {96, 40, 5888}, {96, 48, 6912}, {96, 56, 7936}, {96, 64, 8960}, {96, 72, 9984}, {96, 80, 11008}, {96, 88, 12032}, {96, 96, 13056}, {96, 104, 14080}, {96, 112, 15104}, {96, 120, 16128}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 256;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000404000100000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 256;  // of one copy
        static constexpr int tma_copies = 64;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000404000000000ull | (0x00100000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 32 + mn / 32 * 256 + ((mn % 32) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[64] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {32, 0, 256}, {32, 8, 1280}, {32, 16, 2304}, {32, 24, 3328}, {32, 32, 4352}, {32, 40, 5376}, {32, 48, 6400}, {32, 56, 7424}, {32, 64, 8448}, {32, 72, 9472}, {32, 80, 10496}, {32, 88, 11520}, {32, 96, 12544}, {32, 104, 13568}, {32, 112, 14592}, {32, 120, 15616}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}, {96, 0, 768}, {96, 8, 1792}, {96, 16, 2816}, {96, 24, 3840}, {96, 32, 4864}, {96, 40, 5888}, {96, 48, 6912}, {96, 56, 7936}, {96, 64, 8960}, {96, 72, 9984}, {96, 80, 11008}, {96, 88, 12032}, {96, 96, 13056}, {96, 104, 14080}, {96, 112, 15104}, {96, 120, 16128}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x32 --dtype tf32 --arch sm_100a --a-major K --b-major K --swizzle 32B --order mn
#ifndef SMEMDESC_BF6A128A_TF32_K_K_32B
#define SMEMDESC_BF6A128A_TF32_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::tf32
struct tf32_K_K_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200910;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x32 tf32 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 8 * 4096 + ((k % 8 * 4) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 8, 4096}, {0, 16, 8192}, {0, 24, 12288}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x32 tf32 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000401000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0xc000401000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 8 * 4096 + ((k % 8 * 4) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 8, 4096}, {0, 16, 8192}, {0, 24, 12288}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_050AA3A0_F16_K_K_64B
#define SMEMDESC_050AA3A0_F16_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_5AA14DA1_BF16_K_K_64B
#define SMEMDESC_5AA14DA1_BF16_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major MN --swizzle 64B --order mn
#ifndef SMEMDESC_2E83D525_F16_K_MN_64B
#define SMEMDESC_2E83D525_F16_K_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_MN_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major MN --swizzle 64B --order mn
#ifndef SMEMDESC_8C8C0CCD_BF16_K_MN_64B
#define SMEMDESC_8C8C0CCD_BF16_K_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_MN_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major K --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_D33CCB91_E4M3_K_K_64B
#define SMEMDESC_D33CCB91_E4M3_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_K_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 64 * 8192 + ((k % 64) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 64, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 64 * 8192 + ((k % 64) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 64, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_FC6B577B_F16_MN_K_64B
#define SMEMDESC_FC6B577B_F16_MN_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_7A2408CC_BF16_MN_K_64B
#define SMEMDESC_7A2408CC_BF16_MN_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 8192 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major MN --swizzle 64B --order mn
#ifndef SMEMDESC_EAC7B524_F16_MN_MN_64B
#define SMEMDESC_EAC7B524_F16_MN_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_MN_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major MN --swizzle 64B --order mn
#ifndef SMEMDESC_3FAF0690_BF16_MN_MN_64B
#define SMEMDESC_3FAF0690_BF16_MN_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_MN_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 64 + mn / 32 * 512 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {32, 0, 512}, {32, 8, 2560}, {32, 16, 4608}, {32, 24, 6656}, {32, 32, 8704}, {32, 40, 10752}, {32, 48, 12800}, {32, 56, 14848}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}, {96, 0, 1536}, {96, 8, 3584}, {96, 16, 5632}, {96, 24, 7680}, {96, 32, 9728}, {96, 40, 11776}, {96, 48, 13824}, {96, 56, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major MN --b-major MN --swizzle 64B --order mn
#ifndef SMEMDESC_BEDE6A71_E4M3_MN_MN_64B
#define SMEMDESC_BEDE6A71_E4M3_MN_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_MN_MN_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000404000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000404000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 64 + mn / 64 * 512 + ((mn % 64) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000404000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x8000404000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 1024 + k % 8 * 64 + mn / 64 * 512 + ((mn % 64) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}, {0, 64, 8192}, {0, 72, 9216}, {0, 80, 10240}, {0, 88, 11264}, {0, 96, 12288}, {0, 104, 13312}, {0, 112, 14336}, {0, 120, 15360}, {64, 0, 512}, {64, 8, 1536}, {64, 16, 2560}, {64, 24, 3584}, {64, 32, 4608}, {64, 40, 5632}, {64, 48, 6656}, {64, 56, 7680}, {64, 64, 8704}, {64, 72, 9728}, {64, 80, 10752}, {64, 88, 11776}, {64, 96, 12800}, {64, 104, 13824}, {64, 112, 14848}, {64, 120, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x32 --dtype tf32 --arch sm_100a --a-major K --b-major K --swizzle 64B --order mn
#ifndef SMEMDESC_15DCB9C2_TF32_K_K_64B
#define SMEMDESC_15DCB9C2_TF32_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::tf32
struct tf32_K_K_64B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200910;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x32 tf32 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 16 * 8192 + ((k % 16 * 4) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 16, 8192}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x32 tf32 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000402000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 512u, 514u}};
            return 0x8000402000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 16 * 8192 + ((k % 16 * 4) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 16, 8192}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_63310D17_F16_K_K_128B
#define SMEMDESC_63310D17_F16_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_B8D15B75_BF16_K_K_128B
#define SMEMDESC_B8D15B75_BF16_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major K --b-major MN --swizzle 128B --order mn
#ifndef SMEMDESC_F94C82B2_F16_K_MN_128B
#define SMEMDESC_F94C82B2_F16_K_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_K_MN_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major K --b-major MN --swizzle 128B --order mn
#ifndef SMEMDESC_D102FBF7_BF16_K_MN_128B
#define SMEMDESC_D102FBF7_BF16_K_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_K_MN_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08210490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major K --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_B2F4BAA0_E4M3_K_K_128B
#define SMEMDESC_B2F4BAA0_E4M3_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_K_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {128, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + (k ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {128, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + (k ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_B380ABF2_F16_MN_K_128B
#define SMEMDESC_B380ABF2_F16_MN_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_6EFE1492_BF16_MN_K_128B
#define SMEMDESC_6EFE1492_BF16_MN_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08208490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 2) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype f16 --arch sm_100a --a-major MN --b-major MN --swizzle 128B --order mn
#ifndef SMEMDESC_4984B529_F16_MN_MN_128B
#define SMEMDESC_4984B529_F16_MN_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct f16_MN_MN_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x64 --dtype bf16 --arch sm_100a --a-major MN --b-major MN --swizzle 128B --order mn
#ifndef SMEMDESC_370F1F33_BF16_MN_MN_128B
#define SMEMDESC_370F1F33_BF16_MN_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f16
struct bf16_MN_MN_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218490;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000408000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {64, 8};  // elements: MN, then K
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000408000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 8 * 2048 + k % 8 * 128 + mn / 64 * 1024 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}, {64, 0, 1024}, {64, 8, 3072}, {64, 16, 5120}, {64, 24, 7168}, {64, 32, 9216}, {64, 40, 11264}, {64, 48, 13312}, {64, 56, 15360}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x128 --dtype e4m3 --arch sm_100a --a-major MN --b-major MN --swizzle 128B --order mn
#ifndef SMEMDESC_85A6C4D6_E4M3_MN_MN_128B
#define SMEMDESC_85A6C4D6_E4M3_MN_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::f8f6f4
struct e4m3_MN_MN_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218010;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x128 e4m3 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {128, 128};  // elements: MN, then K
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000404000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + (mn ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x128 e4m3 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {128, 128};  // elements: MN, then K
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x4000404000000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + (mn ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x32 --dtype tf32 --arch sm_100a --a-major K --b-major K --swizzle 128B --order mn
#ifndef SMEMDESC_32D8AF23_TF32_K_K_128B
#define SMEMDESC_32D8AF23_TF32_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::tf32
struct tf32_K_K_128B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08200910;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x32 tf32 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 4) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x32 tf32 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000404000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000404000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 128 + ((k * 4) ^ (mn % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[1] = {{0, 0, 0}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif

// smemdesc plan 128x128x32 --dtype tf32 --arch sm_100a --a-major MN --b-major MN --swizzle 128B_32B --order mn
#ifndef SMEMDESC_0D3AF931_TF32_MN_MN_128B_32B
#define SMEMDESC_0D3AF931_TF32_MN_MN_128B_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
// tma_type, tma_swizzle, tma_interleave: --tensor-map, which includes <cuda.h>
// tcgen05.mma.cta_group::1.kind::tf32
struct tf32_MN_MN_128B_32B {
    static constexpr int tile_m = 128;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 128;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 1;
    static constexpr uint32_t idesc = 0x08218910;  // instruction descriptor
    static constexpr int stage_bytes = 32768;
    static constexpr int shared_bytes = 32784;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 32768;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 32768;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 128x32 tf32 in shared memory, MN-major, swizzle 128B_32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x2000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 4};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x2000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 4 * 2048 + k % 4 * 128 + mn / 32 * 512 + ((mn % 32 * 4) ^ (k % 4 * 32));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 4, 2048}, {0, 8, 4096}, {0, 12, 6144}, {0, 16, 8192}, {0, 20, 10240}, {0, 24, 12288}, {0, 28, 14336}, {32, 0, 512}, {32, 4, 2560}, {32, 8, 4608}, {32, 12, 6656}, {32, 16, 8704}, {32, 20, 10752}, {32, 24, 12800}, {32, 28, 14848}, {64, 0, 1024}, {64, 4, 3072}, {64, 8, 5120}, {64, 12, 7168}, {64, 16, 9216}, {64, 20, 11264}, {64, 24, 13312}, {64, 28, 15360}, {96, 0, 1536}, {96, 4, 3584}, {96, 8, 5632}, {96, 12, 7680}, {96, 16, 9728}, {96, 20, 11776}, {96, 24, 13824}, {96, 28, 15872}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x32 tf32 in shared memory, MN-major, swizzle 128B_32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 512;
        static constexpr int stride_byte_offset = 2048;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x2000408000200000ull;  // base descriptor; add (stage address >> 4)
        static constexpr int tma_box[2] = {32, 4};  // elements: MN, then K
        static constexpr int tma_bytes = 512;  // of one copy
        static constexpr int tma_copies = 32;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + 16384u + i * 16384u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 256u, 512u, 768u}};
            return 0x2000408000000000ull | (0x00200000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k / 4 * 2048 + k % 4 * 128 + mn / 32 * 512 + ((mn % 32 * 4) ^ (k % 4 * 32));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[32] = {{0, 0, 0}, {0, 4, 2048}, {0, 8, 4096}, {0, 12, 6144}, {0, 16, 8192}, {0, 20, 10240}, {0, 24, 12288}, {0, 28, 14336}, {32, 0, 512}, {32, 4, 2560}, {32, 8, 4608}, {32, 12, 6656}, {32, 16, 8704}, {32, 20, 10752}, {32, 24, 12800}, {32, 28, 14848}, {64, 0, 1024}, {64, 4, 3072}, {64, 8, 5120}, {64, 12, 7168}, {64, 16, 9216}, {64, 20, 11264}, {64, 24, 13312}, {64, 28, 15360}, {96, 0, 1536}, {96, 4, 3584}, {96, 8, 5632}, {96, 12, 7680}, {96, 16, 9728}, {96, 20, 11776}, {96, 24, 13824}, {96, 28, 15872}};
            return tma_copy[i];
        }
    };
    struct tmem {  // columns of tensor memory of each CTA
        static constexpr int d_columns = 128;  // layout D, 128 of one instruction
        static constexpr int d_mma_columns = 128;  // of D of one instruction
        static constexpr int d_loads = 4;  // of each warp, of one instruction's D: tcgen05.ld.sync.aligned.32x32b.x32.b32
        static constexpr int d_load_columns = 32;  // of one load
        static constexpr int d_load_registers = 32;
        static constexpr int a_columns = 0;  // of one stage
        static constexpr int scale_columns = 0;  // of one stage
        static constexpr int metadata_columns = 0;  // of one stage
        static constexpr int columns = 128;  // of 512, with all stages of A
        // tensor-memory address of a load of D by a warp; d: the address of D of the MMA
        SMEMDESC_HOST_DEVICE static constexpr uint32_t d_address(uint32_t d, int warp, int load)
        {
            return d + warp % 4 * 0x200000u + load * 32u;
        }
        // m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load
        struct d_place { int m; int n; };
        SMEMDESC_HOST_DEVICE static constexpr d_place d_element(int thread, int load, int r)
        {
            const d_place place = { thread % 128, load * 32 + r };
            return place;
        }
    };
};
#endif
