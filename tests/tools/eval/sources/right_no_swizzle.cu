// Hopper, bf16. A: 64x64, K-major, no swizzle, at byte 0x400: 8x8 core matrices of 128 bytes, those along M adjoin.
#include <cstdint>

__device__ std::uint64_t descriptor_of_a() {
  constexpr std::uint64_t leading_bytes = 1024, stride_bytes = 128;
  return (0x400 >> 4) | (leading_bytes >> 4) << 16 | (stride_bytes >> 4) << 32;  // 0x0000000800400040
}
