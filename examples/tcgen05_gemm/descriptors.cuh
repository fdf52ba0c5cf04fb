// Written by descriptors.sh; do not edit.
#pragma once
#include <cstdint>

constexpr uint32_t I_f16_K_K = 0x08200010u; // idesc kind::f16: D f32, A f16, B f16, N 128, M 128
constexpr uint32_t I_bf16_K_K = 0x08200490u; // idesc kind::f16: D f32, A bf16, B bf16, N 128, M 128
constexpr uint32_t I_f16_K_MN = 0x08210010u; // idesc kind::f16: D f32, A f16, B f16, transpose_b, N 128, M 128
constexpr uint32_t I_bf16_K_MN = 0x08210490u; // idesc kind::f16: D f32, A bf16, B bf16, transpose_b, N 128, M 128
constexpr uint32_t I_tf32_K_K = 0x08200910u; // idesc kind::tf32: D f32, A tf32, B tf32, N 128, M 128
constexpr uint32_t I_e4m3_K_K = 0x08200010u; // idesc kind::f8f6f4: D f32, A e4m3, B e4m3, N 128, M 128
constexpr uint32_t I_f16_MN_K = 0x08208010u; // idesc kind::f16: D f32, A f16, B f16, transpose_a, N 128, M 128
constexpr uint32_t I_bf16_MN_K = 0x08208490u; // idesc kind::f16: D f32, A bf16, B bf16, transpose_a, N 128, M 128
constexpr uint32_t I_f16_MN_MN = 0x08218010u; // idesc kind::f16: D f32, A f16, B f16, transpose_a, transpose_b, N 128, M 128
constexpr uint32_t I_bf16_MN_MN = 0x08218490u; // idesc kind::f16: D f32, A bf16, B bf16, transpose_a, transpose_b, N 128, M 128
constexpr uint32_t I_tf32_MN_MN = 0x08218910u; // idesc kind::tf32: D f32, A tf32, B tf32, transpose_a, transpose_b, N 128, M 128
constexpr uint32_t I_e4m3_MN_MN = 0x08218010u; // idesc kind::f8f6f4: D f32, A e4m3, B e4m3, transpose_a, transpose_b, N 128, M 128

constexpr uint64_t A_f16_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_bf16_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_e4m3_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_f16_MN_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_f16_MN_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_f16_MN_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_bf16_MN_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_bf16_MN_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_bf16_MN_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_e4m3_MN_none_mn0_k0 = 0x0000400800400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_MN_none_mn0_k1 = 0x0000400800400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_MN_none_mn0_k2 = 0x0000400800400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t A_e4m3_MN_none_mn0_k3 = 0x0000400800400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_MN_none_mn0_k0 = 0x0000400800400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_MN_none_mn0_k1 = 0x0000400800400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_MN_none_mn0_k2 = 0x0000400800400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 128 B, swizzle none
constexpr uint64_t B_e4m3_MN_none_mn0_k3 = 0x0000400800400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 128 B, swizzle none

constexpr uint64_t A_tf32_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t A_tf32_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k0 = 0x0000400800800000ull; // tcgen05: start 0 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k1 = 0x0000400800800100ull; // tcgen05: start 4096 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k2 = 0x0000400800800200ull; // tcgen05: start 8192 B, LBO 2048 B, SBO 128 B, swizzle none
constexpr uint64_t B_tf32_K_none_mn0_k3 = 0x0000400800800300ull; // tcgen05: start 12288 B, LBO 2048 B, SBO 128 B, swizzle none

constexpr uint64_t A_f16_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_f16_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_f16_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_bf16_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_bf16_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_bf16_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_e4m3_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_e4m3_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_e4m3_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_f16_MN_32B_mn0_k0 = 0xc000408000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k1 = 0xc000408000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k2 = 0xc000408000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_f16_MN_32B_mn0_k3 = 0xc000408000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k0 = 0xc000408000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k1 = 0xc000408000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k2 = 0xc000408000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_f16_MN_32B_mn0_k3 = 0xc000408000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B

constexpr uint64_t A_bf16_MN_32B_mn0_k0 = 0xc000408000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k1 = 0xc000408000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k2 = 0xc000408000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t A_bf16_MN_32B_mn0_k3 = 0xc000408000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k0 = 0xc000408000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k1 = 0xc000408000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k2 = 0xc000408000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 2048 B, swizzle 32B
constexpr uint64_t B_bf16_MN_32B_mn0_k3 = 0xc000408000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 2048 B, swizzle 32B

constexpr uint64_t A_e4m3_MN_32B_mn0_k0 = 0xc000404000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_e4m3_MN_32B_mn0_k1 = 0xc000404000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_e4m3_MN_32B_mn0_k2 = 0xc000404000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t A_e4m3_MN_32B_mn0_k3 = 0xc000404000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_e4m3_MN_32B_mn0_k0 = 0xc000404000100000ull; // tcgen05: start 0 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_e4m3_MN_32B_mn0_k1 = 0xc000404000100100ull; // tcgen05: start 4096 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_e4m3_MN_32B_mn0_k2 = 0xc000404000100200ull; // tcgen05: start 8192 B, LBO 256 B, SBO 1024 B, swizzle 32B
constexpr uint64_t B_e4m3_MN_32B_mn0_k3 = 0xc000404000100300ull; // tcgen05: start 12288 B, LBO 256 B, SBO 1024 B, swizzle 32B

constexpr uint64_t A_tf32_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t A_tf32_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k0 = 0xc000401000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k1 = 0xc000401000010100ull; // tcgen05: start 4096 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k2 = 0xc000401000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 256 B, swizzle 32B
constexpr uint64_t B_tf32_K_32B_mn0_k3 = 0xc000401000010300ull; // tcgen05: start 12288 B, LBO 16 B, SBO 256 B, swizzle 32B

constexpr uint64_t A_f16_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_f16_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_f16_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_bf16_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_bf16_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_bf16_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_e4m3_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_e4m3_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_e4m3_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_f16_MN_64B_mn0_k0 = 0x8000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k1 = 0x8000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k2 = 0x8000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_f16_MN_64B_mn0_k3 = 0x8000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k0 = 0x8000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k1 = 0x8000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k2 = 0x8000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_f16_MN_64B_mn0_k3 = 0x8000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B

constexpr uint64_t A_bf16_MN_64B_mn0_k0 = 0x8000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k1 = 0x8000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k2 = 0x8000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t A_bf16_MN_64B_mn0_k3 = 0x8000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k0 = 0x8000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k1 = 0x8000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k2 = 0x8000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 64B
constexpr uint64_t B_bf16_MN_64B_mn0_k3 = 0x8000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 64B

constexpr uint64_t A_e4m3_MN_64B_mn0_k0 = 0x8000404000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_e4m3_MN_64B_mn0_k1 = 0x8000404000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_e4m3_MN_64B_mn0_k2 = 0x8000404000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t A_e4m3_MN_64B_mn0_k3 = 0x8000404000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_e4m3_MN_64B_mn0_k0 = 0x8000404000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_e4m3_MN_64B_mn0_k1 = 0x8000404000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_e4m3_MN_64B_mn0_k2 = 0x8000404000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 1024 B, swizzle 64B
constexpr uint64_t B_e4m3_MN_64B_mn0_k3 = 0x8000404000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 1024 B, swizzle 64B

constexpr uint64_t A_tf32_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t A_tf32_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k0 = 0x8000402000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k1 = 0x8000402000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k2 = 0x8000402000010200ull; // tcgen05: start 8192 B, LBO 16 B, SBO 512 B, swizzle 64B
constexpr uint64_t B_tf32_K_64B_mn0_k3 = 0x8000402000010202ull; // tcgen05: start 8224 B, LBO 16 B, SBO 512 B, swizzle 64B

constexpr uint64_t A_f16_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_f16_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_f16_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_bf16_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_bf16_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_bf16_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_e4m3_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_f16_MN_128B_mn0_k0 = 0x4000408000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k1 = 0x4000408000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k2 = 0x4000408000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_f16_MN_128B_mn0_k3 = 0x4000408000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k0 = 0x4000408000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k1 = 0x4000408000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k2 = 0x4000408000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_f16_MN_128B_mn0_k3 = 0x4000408000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B

constexpr uint64_t A_bf16_MN_128B_mn0_k0 = 0x4000408000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k1 = 0x4000408000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k2 = 0x4000408000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t A_bf16_MN_128B_mn0_k3 = 0x4000408000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k0 = 0x4000408000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k1 = 0x4000408000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k2 = 0x4000408000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 2048 B, swizzle 128B
constexpr uint64_t B_bf16_MN_128B_mn0_k3 = 0x4000408000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 2048 B, swizzle 128B

constexpr uint64_t A_e4m3_MN_128B_mn0_k0 = 0x4000404000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_MN_128B_mn0_k1 = 0x4000404000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_MN_128B_mn0_k2 = 0x4000404000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_e4m3_MN_128B_mn0_k3 = 0x4000404000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_MN_128B_mn0_k0 = 0x4000404000400000ull; // tcgen05: start 0 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_MN_128B_mn0_k1 = 0x4000404000400100ull; // tcgen05: start 4096 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_MN_128B_mn0_k2 = 0x4000404000400200ull; // tcgen05: start 8192 B, LBO 1024 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_e4m3_MN_128B_mn0_k3 = 0x4000404000400300ull; // tcgen05: start 12288 B, LBO 1024 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_tf32_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t A_tf32_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k0 = 0x4000404000010000ull; // tcgen05: start 0 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k1 = 0x4000404000010002ull; // tcgen05: start 32 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k2 = 0x4000404000010004ull; // tcgen05: start 64 B, LBO 16 B, SBO 1024 B, swizzle 128B
constexpr uint64_t B_tf32_K_128B_mn0_k3 = 0x4000404000010006ull; // tcgen05: start 96 B, LBO 16 B, SBO 1024 B, swizzle 128B

constexpr uint64_t A_tf32_MN_128B_32B_mn0_k0 = 0x2000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t A_tf32_MN_128B_32B_mn0_k1 = 0x2000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t A_tf32_MN_128B_32B_mn0_k2 = 0x2000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t A_tf32_MN_128B_32B_mn0_k3 = 0x2000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t B_tf32_MN_128B_32B_mn0_k0 = 0x2000408000200000ull; // tcgen05: start 0 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t B_tf32_MN_128B_32B_mn0_k1 = 0x2000408000200100ull; // tcgen05: start 4096 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t B_tf32_MN_128B_32B_mn0_k2 = 0x2000408000200200ull; // tcgen05: start 8192 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
constexpr uint64_t B_tf32_MN_128B_32B_mn0_k3 = 0x2000408000200300ull; // tcgen05: start 12288 B, LBO 512 B, SBO 2048 B, swizzle 128B_32B
