// Written by plans.sh; do not edit.
#pragma once

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_C3A07F66_F16_K_K_NONE
#define SMEMDESC_C3A07F66_F16_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 0
struct f16_K_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 1024 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_8173CF09_BF16_K_K_NONE
#define SMEMDESC_8173CF09_BF16_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 0
struct bf16_K_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 1024 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_910498C4_F16_K_MN_NONE
#define SMEMDESC_910498C4_F16_K_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 1
struct f16_K_MN_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 1024 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_E80B377E_BF16_K_MN_NONE
#define SMEMDESC_E80B377E_BF16_K_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 1
struct bf16_K_MN_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 8 * 1024 + k % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_92A39FB4_F16_MN_K_NONE
#define SMEMDESC_92A39FB4_F16_MN_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 0
struct f16_MN_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_C5FBAD49_BF16_MN_K_NONE
#define SMEMDESC_C5FBAD49_BF16_MN_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 0
struct bf16_MN_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_301B8B41_F16_MN_MN_NONE
#define SMEMDESC_301B8B41_F16_MN_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 1
struct f16_MN_MN_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_2DA58A2B_BF16_MN_MN_NONE
#define SMEMDESC_2DA58A2B_BF16_MN_MN_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 1
struct bf16_MN_MN_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle none
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 128;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 16u, 32u, 48u}};
            return 0x0000004000000000ull | (0x00080000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 16 + mn / 8 * 1024 + mn % 8 * 2;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[16] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_75F7F469_TF32_K_K_NONE
#define SMEMDESC_75F7F469_TF32_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
struct tf32_K_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x32 tf32 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {4, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 4 * 1024 + k % 4 * 4;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 4, 1024}, {0, 8, 2048}, {0, 12, 3072}, {0, 16, 4096}, {0, 20, 5120}, {0, 24, 6144}, {0, 28, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {4, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_A746CD78_E4M3_K_K_NONE
#define SMEMDESC_A746CD78_E4M3_K_K_NONE
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
struct e4m3_K_K_none {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x128 e4m3 in shared memory, K-major, swizzle none
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 128;
        static constexpr int leading_byte_offset = 1024;
        static constexpr int stride_byte_offset = 128;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x0000000800000000ull | (0x00400000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 16 + k / 16 * 1024 + k % 16;
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {0, 16, 1024}, {0, 32, 2048}, {0, 48, 3072}, {0, 64, 4096}, {0, 80, 5120}, {0, 96, 6144}, {0, 112, 7168}};
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x0000000800000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_F656A9C1_F16_K_K_32B
#define SMEMDESC_F656A9C1_F16_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 0
struct f16_K_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 2048 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_550DAF87_BF16_K_K_32B
#define SMEMDESC_550DAF87_BF16_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 0
struct bf16_K_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 2048 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_8A2E5C5A_F16_K_MN_32B
#define SMEMDESC_8A2E5C5A_F16_K_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 1
struct f16_K_MN_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 2048 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_483AE115_BF16_K_MN_32B
#define SMEMDESC_483AE115_BF16_K_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 1
struct bf16_K_MN_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 16 * 2048 + ((k % 16 * 2) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_3136EA31_F16_MN_K_32B
#define SMEMDESC_3136EA31_F16_MN_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 0
struct f16_MN_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_886928CD_BF16_MN_K_32B
#define SMEMDESC_886928CD_BF16_MN_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 0
struct bf16_MN_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_C9D0B573_F16_MN_MN_32B
#define SMEMDESC_C9D0B573_F16_MN_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 1
struct f16_MN_MN_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_7B3C1580_BF16_MN_MN_32B
#define SMEMDESC_7B3C1580_BF16_MN_MN_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 1
struct bf16_MN_MN_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 32B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 2048;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 32u, 64u, 96u}};
            return 0xc000001000000000ull | (0x00800000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 32 + mn / 16 * 2048 + ((mn % 16 * 2) ^ (k % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[8] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_6EC854D8_TF32_K_K_32B
#define SMEMDESC_6EC854D8_TF32_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
struct tf32_K_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x32 tf32 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 8 * 2048 + ((k % 8 * 4) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_ECCDE2F1_E4M3_K_K_32B
#define SMEMDESC_ECCDE2F1_E4M3_K_K_32B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
struct e4m3_K_K_32B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x128 e4m3 in shared memory, K-major, swizzle 32B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 256;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 256;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 32 + k / 32 * 2048 + ((k % 32) ^ (mn % 8 / 4 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {0, 32, 2048}, {0, 64, 4096}, {0, 96, 6144}};
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0xc000001000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_64BB4C94_F16_K_K_64B
#define SMEMDESC_64BB4C94_F16_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 0
struct f16_K_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 4096 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_020287D2_BF16_K_K_64B
#define SMEMDESC_020287D2_BF16_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 0
struct bf16_K_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 4096 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_524A4C18_F16_K_MN_64B
#define SMEMDESC_524A4C18_F16_K_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 1
struct f16_K_MN_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 4096 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 4096}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_21DF859B_BF16_K_MN_64B
#define SMEMDESC_21DF859B_BF16_K_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 1
struct bf16_K_MN_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 32 * 4096 + ((k % 32 * 2) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 32, 4096}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_007162EB_F16_MN_K_64B
#define SMEMDESC_007162EB_F16_MN_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 0
struct f16_MN_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {32, 0, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_397138F7_BF16_MN_K_64B
#define SMEMDESC_397138F7_BF16_MN_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 0
struct bf16_MN_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {32, 0, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_D564040C_F16_MN_MN_64B
#define SMEMDESC_D564040C_F16_MN_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 1
struct f16_MN_MN_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {32, 0, 4096}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 f16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_09847BF6_BF16_MN_MN_64B
#define SMEMDESC_09847BF6_BF16_MN_MN_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 1
struct bf16_MN_MN_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {32, 0, 4096}};
            return tma_copy[i];
        }
    };
    struct b {  // B: 128x64 bf16 in shared memory, MN-major, swizzle 64B
        static constexpr int offset = 16384;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 16384;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 4096;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 64u, 128u, 192u}};
            return 0x8000002000000000ull | (0x01000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 64 + mn / 32 * 4096 + ((mn % 32 * 2) ^ (k % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[4] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_BD0FC1A8_TF32_K_K_64B
#define SMEMDESC_BD0FC1A8_TF32_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
struct tf32_K_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x32 tf32 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 16 * 4096 + ((k % 16 * 4) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 16, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_9751E39E_E4M3_K_K_64B
#define SMEMDESC_9751E39E_E4M3_K_K_64B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
struct e4m3_K_K_64B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x128 e4m3 in shared memory, K-major, swizzle 64B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 512;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 512;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 256u, 258u}};
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return mn * 64 + k / 64 * 4096 + ((k % 64) ^ (mn % 8 / 2 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {0, 64, 4096}};
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x8000002000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_4E434598_F16_K_K_128B
#define SMEMDESC_4E434598_F16_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 0
struct f16_K_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_54F960C3_BF16_K_K_128B
#define SMEMDESC_54F960C3_BF16_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 0
struct bf16_K_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_C4B5473F_F16_K_MN_128B
#define SMEMDESC_C4B5473F_F16_K_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 0, imm-trans-b 1
struct f16_K_MN_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + mn / 64 * 8192 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {64, 0, 8192}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_7F00D41E_BF16_K_MN_128B
#define SMEMDESC_7F00D41E_BF16_K_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 0, imm-trans-b 1
struct bf16_K_MN_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + mn / 64 * 8192 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {64, 0, 8192}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_7389CA8A_F16_MN_K_128B
#define SMEMDESC_7389CA8A_F16_MN_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 0
struct f16_MN_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + ((mn * 2) ^ (k % 8 * 16));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_9DBA31B9_BF16_MN_K_128B
#define SMEMDESC_9DBA31B9_BF16_MN_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 0
struct bf16_MN_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + ((mn * 2) ^ (k % 8 * 16));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_202CDC67_F16_MN_MN_128B
#define SMEMDESC_202CDC67_F16_MN_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16; imm-trans-a 1, imm-trans-b 1
struct f16_MN_MN_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 f16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + ((mn * 2) ^ (k % 8 * 16));
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
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + mn / 64 * 8192 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {64, 0, 8192}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_EE2A5858_BF16_MN_MN_128B
#define SMEMDESC_EE2A5858_BF16_MN_MN_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16; imm-trans-a 1, imm-trans-b 1
struct bf16_MN_MN_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 64;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 16;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x64 bf16 in shared memory, MN-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + ((mn * 2) ^ (k % 8 * 16));
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
        static constexpr int leading_byte_offset = 8192;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 1;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            constexpr uint32_t offsets[1][4] = {{0u, 128u, 256u, 384u}};
            return 0x4000004000000000ull | (0x02000000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
        }
        // byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it
        SMEMDESC_HOST_DEVICE static constexpr uint32_t element(int mn, int k)
        {
            return k * 128 + mn / 64 * 8192 + ((mn % 64 * 2) ^ (k % 8 * 16));
        }
        // where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)
        struct tma_place { int mn; int k; int offset; };
        SMEMDESC_HOST_DEVICE static constexpr tma_place copy(int i)
        {
            constexpr tma_place tma_copy[2] = {{0, 0, 0}, {64, 0, 8192}};
            return tma_copy[i];
        }
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_55B59710_TF32_K_K_128B
#define SMEMDESC_55B59710_TF32_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
struct tf32_K_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 32;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 8;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x32 tf32 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_5CE572D4_E4M3_K_K_128B
#define SMEMDESC_5CE572D4_E4M3_K_K_128B
#include <stdint.h>
#ifndef SMEMDESC_HOST_DEVICE
#ifdef __CUDACC__
#define SMEMDESC_HOST_DEVICE __host__ __device__
#else
#define SMEMDESC_HOST_DEVICE
#endif
#endif
#include <cuda.h>
// wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
struct e4m3_K_K_128B {
    static constexpr int tile_m = 64;  // the tile
    static constexpr int tile_n = 128;
    static constexpr int tile_k = 128;  // of one stage
    static constexpr int mma_m = 64;  // one instruction
    static constexpr int mma_n = 128;
    static constexpr int mma_k = 32;
    static constexpr int cta_group = 1;
    static constexpr int stages = 2;
    static constexpr int stage_bytes = 24576;
    static constexpr int shared_bytes = 49184;  // all stages, with their mbarriers
    static constexpr int tma_stage_bytes = 24576;  // what the mbarrier of a stage expects from TMA
    static constexpr int mbarrier_offset = 49152;  // of the mbarriers, 16 bytes per stage
    struct a {  // A: 64x128 e4m3 in shared memory, K-major, swizzle 128B
        static constexpr int offset = 0;  // of the first stage, in bytes; stages follow each other
        static constexpr int bytes = 8192;  // of one stage
        static constexpr int alignment = 1024;
        static constexpr int leading_byte_offset = 16;
        static constexpr int stride_byte_offset = 1024;
        static constexpr int mn_major = 0;
        static constexpr int mn_steps = 1;
        static constexpr int k_steps = 4;
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {128, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        // shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are
        SMEMDESC_HOST_DEVICE static constexpr uint32_t stage(uint32_t base, uint32_t i)
        {
            return base + i * 8192u;
        }
        // descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)
        SMEMDESC_HOST_DEVICE static constexpr uint64_t at(uint32_t smem, int mn, int k)
        {
            constexpr uint32_t offsets[1][4] = {{0u, 2u, 4u, 6u}};
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // base descriptor; add (stage address >> 4)
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {128, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
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
            return 0x4000004000000000ull | (0x00010000u + offsets[mn][k] + ((smem >> 4) & 0x3fffu));
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
};
#endif
