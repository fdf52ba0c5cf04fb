// Written by plans.sh; do not edit.
#pragma once

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_9EAFB752_F16_K_K_NONE
#define SMEMDESC_9EAFB752_F16_K_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_2F9F0D6F_BF16_K_K_NONE
#define SMEMDESC_2F9F0D6F_BF16_K_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_04B0BF1B_F16_K_MN_NONE
#define SMEMDESC_04B0BF1B_F16_K_MN_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        static constexpr int tma_copy[16][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_8C1CEAED_BF16_K_MN_NONE
#define SMEMDESC_8C1CEAED_BF16_K_MN_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 1024}, {0, 16, 2048}, {0, 24, 3072}, {0, 32, 4096}, {0, 40, 5120}, {0, 48, 6144}, {0, 56, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        static constexpr int tma_copy[16][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_6756D1B8_F16_MN_K_NONE
#define SMEMDESC_6756D1B8_F16_MN_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_B67D3867_BF16_MN_K_NONE
#define SMEMDESC_B67D3867_BF16_MN_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}, {0, 32, 8192}, {0, 40, 10240}, {0, 48, 12288}, {0, 56, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_2DAA22B9_F16_MN_MN_NONE
#define SMEMDESC_2DAA22B9_F16_MN_MN_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        static constexpr int tma_copy[16][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_73C6A6BB_BF16_MN_MN_NONE
#define SMEMDESC_73C6A6BB_BF16_MN_MN_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000004000080000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 16ull, 32ull, 48ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {8, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 16;
        static constexpr int tma_copy[16][3] = {{0, 0, 0}, {8, 0, 1024}, {16, 0, 2048}, {24, 0, 3072}, {32, 0, 4096}, {40, 0, 5120}, {48, 0, 6144}, {56, 0, 7168}, {64, 0, 8192}, {72, 0, 9216}, {80, 0, 10240}, {88, 0, 11264}, {96, 0, 12288}, {104, 0, 13312}, {112, 0, 14336}, {120, 0, 15360}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_649E2B16_TF32_K_K_NONE
#define SMEMDESC_649E2B16_TF32_K_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {4, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 4, 1024}, {0, 8, 2048}, {0, 12, 3072}, {0, 16, 4096}, {0, 20, 5120}, {0, 24, 6144}, {0, 28, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {4, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 4, 2048}, {0, 8, 4096}, {0, 12, 6144}, {0, 16, 8192}, {0, 20, 10240}, {0, 24, 12288}, {0, 28, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle none --stages 2 --tensor-map
#ifndef SMEMDESC_855B5427_E4M3_K_K_NONE
#define SMEMDESC_855B5427_E4M3_K_K_NONE
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x0000000800400000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 1024;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 16, 1024}, {0, 32, 2048}, {0, 48, 3072}, {0, 64, 4096}, {0, 80, 5120}, {0, 96, 6144}, {0, 112, 7168}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x0000000800800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}, {0, 64, 8192}, {0, 80, 10240}, {0, 96, 12288}, {0, 112, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_C42E7483_F16_K_K_32B
#define SMEMDESC_C42E7483_F16_K_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_4CF2D99F_BF16_K_K_32B
#define SMEMDESC_4CF2D99F_BF16_K_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_A99A2ED4_F16_K_MN_32B
#define SMEMDESC_A99A2ED4_F16_K_MN_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_CB8D2CA5_BF16_K_MN_32B
#define SMEMDESC_CB8D2CA5_BF16_K_MN_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 2048}, {0, 32, 4096}, {0, 48, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_A095FE65_F16_MN_K_32B
#define SMEMDESC_A095FE65_F16_MN_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_A3C38D98_BF16_MN_K_32B
#define SMEMDESC_A3C38D98_BF16_MN_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 16, 4096}, {0, 32, 8192}, {0, 48, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_2C8CDF1C_F16_MN_MN_32B
#define SMEMDESC_2C8CDF1C_F16_MN_MN_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_13C98CFA_BF16_MN_MN_32B
#define SMEMDESC_13C98CFA_BF16_MN_MN_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000800000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 32ull, 64ull, 96ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {16, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 8;
        static constexpr int tma_copy[8][3] = {{0, 0, 0}, {16, 0, 2048}, {32, 0, 4096}, {48, 0, 6144}, {64, 0, 8192}, {80, 0, 10240}, {96, 0, 12288}, {112, 0, 14336}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_C5332C86_TF32_K_K_32B
#define SMEMDESC_C5332C86_TF32_K_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {8, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 8, 2048}, {0, 16, 4096}, {0, 24, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {8, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 8, 4096}, {0, 16, 8192}, {0, 24, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 32B --stages 2 --tensor-map
#ifndef SMEMDESC_465BAC5A_E4M3_K_K_32B
#define SMEMDESC_465BAC5A_E4M3_K_K_32B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 2048;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 32, 2048}, {0, 64, 4096}, {0, 96, 6144}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0xc000001000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 256ull, 512ull, 768ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {0, 32, 4096}, {0, 64, 8192}, {0, 96, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_3B743F51_F16_K_K_64B
#define SMEMDESC_3B743F51_F16_K_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_9CBE49A9_BF16_K_K_64B
#define SMEMDESC_9CBE49A9_BF16_K_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_2E42D5E4_F16_K_MN_64B
#define SMEMDESC_2E42D5E4_F16_K_MN_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_C48166B9_BF16_K_MN_64B
#define SMEMDESC_C48166B9_BF16_K_MN_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_F80AE9CF_F16_MN_K_64B
#define SMEMDESC_F80AE9CF_F16_MN_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {32, 0, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_4CEC47AF_BF16_MN_K_64B
#define SMEMDESC_4CEC47AF_BF16_MN_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {32, 0, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 32, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_3534795A_F16_MN_MN_64B
#define SMEMDESC_3534795A_F16_MN_MN_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {32, 0, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_AFC9AE47_BF16_MN_MN_64B
#define SMEMDESC_AFC9AE47_BF16_MN_MN_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {32, 0, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002001000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 64ull, 128ull, 192ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {32, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 4;
        static constexpr int tma_copy[4][3] = {{0, 0, 0}, {32, 0, 4096}, {64, 0, 8192}, {96, 0, 12288}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_626A8541_TF32_K_K_64B
#define SMEMDESC_626A8541_TF32_K_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {16, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 16, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {16, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 16, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 64B --stages 2 --tensor-map
#ifndef SMEMDESC_A4AFA43A_E4M3_K_K_64B
#define SMEMDESC_A4AFA43A_E4M3_K_K_64B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 256ull, 258ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 4096;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 64, 4096}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x8000002000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 512ull, 514ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {0, 64, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_A023DA3F_F16_K_K_128B
#define SMEMDESC_A023DA3F_F16_K_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_C08AB23B_BF16_K_K_128B
#define SMEMDESC_C08AB23B_BF16_K_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major K --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_38E5D47F_F16_K_MN_128B
#define SMEMDESC_38E5D47F_F16_K_MN_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {64, 0, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major K --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_A5A15F42_BF16_K_MN_128B
#define SMEMDESC_A5A15F42_BF16_K_MN_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {64, 0, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_5EDE373D_F16_MN_K_128B
#define SMEMDESC_5EDE373D_F16_MN_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_05449137_BF16_MN_K_128B
#define SMEMDESC_05449137_BF16_MN_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype f16 --arch sm_90a --a-major MN --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_6C0BE98C_F16_MN_MN_128B
#define SMEMDESC_6C0BE98C_F16_MN_MN_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {64, 0, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x64 --dtype bf16 --arch sm_90a --a-major MN --b-major MN --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_DB846C4D_BF16_MN_MN_128B
#define SMEMDESC_DB846C4D_BF16_MN_MN_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004002000000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 128ull, 256ull, 384ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        static constexpr int tma_box[2] = {64, 64};  // elements: MN, then K
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 2;
        static constexpr int tma_copy[2][3] = {{0, 0, 0}, {64, 0, 8192}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x32 --dtype tf32 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_8C87ECBC_TF32_K_K_128B
#define SMEMDESC_8C87ECBC_TF32_K_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {32, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
        static constexpr int tma_box[2] = {32, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif

// smemdesc plan 64x128x128 --dtype e4m3 --arch sm_90a --a-major K --b-major K --swizzle 128B --stages 2 --tensor-map
#ifndef SMEMDESC_A3C79864_E4M3_K_K_128B
#define SMEMDESC_A3C79864_E4M3_K_K_128B
#include <stdint.h>
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {128, 64};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 8192;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
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
        static constexpr uint64_t descriptor = 0x4000004000010000ull;  // at byte 0: add the stage's address >> 4
        static constexpr uint64_t offsets[1][4] = {{0ull, 2ull, 4ull, 6ull}};  // [MN step][K step], added to the descriptor
        static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        static constexpr int tma_box[2] = {128, 128};  // elements: K, then MN
        static constexpr CUtensorMapSwizzle tma_swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        static constexpr CUtensorMapInterleave tma_interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        static constexpr int tma_bytes = 16384;  // of one copy
        static constexpr int tma_copies = 1;
        static constexpr int tma_copy[1][3] = {{0, 0, 0}};  // each: MN, K (elements), where it goes (bytes)
    };
};
#endif
