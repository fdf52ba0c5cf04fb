// Written by descriptors.sh; do not edit.
#pragma once
#include <cstdint>

constexpr uint64_t A_f16_K_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_bf16_K_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_f16_MN_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_bf16_MN_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_tf32_K_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_e4m3_K_none_mn0_k0 = 0x0000000800400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k1 = 0x0000000800400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k2 = 0x0000000800400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k3 = 0x0000000800400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k0 = 0x0000000800800000ull; // wgmma: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k1 = 0x0000000800800100ull; // wgmma: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k2 = 0x0000000800800200ull; // wgmma: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k3 = 0x0000000800800300ull; // wgmma: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_f16_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k1 = 0xc000001000010080ull; // wgmma: start 2048 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k2 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k3 = 0xc000001000010180ull; // wgmma: start 6144 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k1 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k2 = 0xc000001000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k3 = 0xc000001000010300ull; // wgmma: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_bf16_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k1 = 0xc000001000010080ull; // wgmma: start 2048 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k2 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k3 = 0xc000001000010180ull; // wgmma: start 6144 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k1 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k2 = 0xc000001000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k3 = 0xc000001000010300ull; // wgmma: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_f16_MN_32B_mn0_k0 = 0xc000004000100000ull; // wgmma: start 0 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k1 = 0xc000004000100080ull; // wgmma: start 2048 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k2 = 0xc000004000100100ull; // wgmma: start 4096 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k3 = 0xc000004000100180ull; // wgmma: start 6144 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k0 = 0xc000008000100000ull; // wgmma: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k1 = 0xc000008000100100ull; // wgmma: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k2 = 0xc000008000100200ull; // wgmma: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k3 = 0xc000008000100300ull; // wgmma: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B

constexpr uint64_t A_bf16_MN_32B_mn0_k0 = 0xc000004000100000ull; // wgmma: start 0 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k1 = 0xc000004000100080ull; // wgmma: start 2048 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k2 = 0xc000004000100100ull; // wgmma: start 4096 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k3 = 0xc000004000100180ull; // wgmma: start 6144 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k0 = 0xc000008000100000ull; // wgmma: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k1 = 0xc000008000100100ull; // wgmma: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k2 = 0xc000008000100200ull; // wgmma: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k3 = 0xc000008000100300ull; // wgmma: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B

constexpr uint64_t A_tf32_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k1 = 0xc000001000010080ull; // wgmma: start 2048 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k2 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k3 = 0xc000001000010180ull; // wgmma: start 6144 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k1 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k2 = 0xc000001000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k3 = 0xc000001000010300ull; // wgmma: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_e4m3_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k1 = 0xc000001000010080ull; // wgmma: start 2048 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k2 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k3 = 0xc000001000010180ull; // wgmma: start 6144 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k0 = 0xc000001000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k1 = 0xc000001000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k2 = 0xc000001000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k3 = 0xc000001000010300ull; // wgmma: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_f16_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k2 = 0x8000002000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k3 = 0x8000002000010102ull; // wgmma: start 4128 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k2 = 0x8000002000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k3 = 0x8000002000010202ull; // wgmma: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_bf16_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k2 = 0x8000002000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k3 = 0x8000002000010102ull; // wgmma: start 4128 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k2 = 0x8000002000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k3 = 0x8000002000010202ull; // wgmma: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_f16_MN_64B_mn0_k0 = 0x8000004000200000ull; // wgmma: start 0 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k1 = 0x8000004000200080ull; // wgmma: start 2048 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k2 = 0x8000004000200100ull; // wgmma: start 4096 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k3 = 0x8000004000200180ull; // wgmma: start 6144 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k0 = 0x8000008000200000ull; // wgmma: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k1 = 0x8000008000200100ull; // wgmma: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k2 = 0x8000008000200200ull; // wgmma: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k3 = 0x8000008000200300ull; // wgmma: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B

constexpr uint64_t A_bf16_MN_64B_mn0_k0 = 0x8000004000200000ull; // wgmma: start 0 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k1 = 0x8000004000200080ull; // wgmma: start 2048 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k2 = 0x8000004000200100ull; // wgmma: start 4096 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k3 = 0x8000004000200180ull; // wgmma: start 6144 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k0 = 0x8000008000200000ull; // wgmma: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k1 = 0x8000008000200100ull; // wgmma: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k2 = 0x8000008000200200ull; // wgmma: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k3 = 0x8000008000200300ull; // wgmma: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B

constexpr uint64_t A_tf32_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k2 = 0x8000002000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k3 = 0x8000002000010102ull; // wgmma: start 4128 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k2 = 0x8000002000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k3 = 0x8000002000010202ull; // wgmma: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_e4m3_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k2 = 0x8000002000010100ull; // wgmma: start 4096 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k3 = 0x8000002000010102ull; // wgmma: start 4128 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k0 = 0x8000002000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k1 = 0x8000002000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k2 = 0x8000002000010200ull; // wgmma: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k3 = 0x8000002000010202ull; // wgmma: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_f16_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_bf16_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_f16_MN_128B_mn0_k0 = 0x4000004000400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k1 = 0x4000004000400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k2 = 0x4000004000400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k3 = 0x4000004000400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k0 = 0x4000008000400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k1 = 0x4000008000400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k2 = 0x4000008000400200ull; // wgmma: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k3 = 0x4000008000400300ull; // wgmma: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B

constexpr uint64_t A_bf16_MN_128B_mn0_k0 = 0x4000004000400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k1 = 0x4000004000400080ull; // wgmma: start 2048 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k2 = 0x4000004000400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k3 = 0x4000004000400180ull; // wgmma: start 6144 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k0 = 0x4000008000400000ull; // wgmma: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k1 = 0x4000008000400100ull; // wgmma: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k2 = 0x4000008000400200ull; // wgmma: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k3 = 0x4000008000400300ull; // wgmma: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B

constexpr uint64_t A_tf32_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_e4m3_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k0 = 0x4000004000010000ull; // wgmma: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k1 = 0x4000004000010002ull; // wgmma: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k2 = 0x4000004000010004ull; // wgmma: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k3 = 0x4000004000010006ull; // wgmma: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
