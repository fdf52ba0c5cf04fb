// Hopper, bf16. A: 64x64, K-major, no swizzle, at byte 0x400: 8x8 core matrices of 128 bytes, those along M adjoin.
#include <cstdint>

__device__ constexpr std::uint64_t leading_bytes = 128, stride_bytes = 1024;

__device__ std::uint64_t descriptor_of_a() {
  std::uint64_t descriptor = 0x400 >> 4;
  descriptor |= (leading_bytes >> 4) << 16;
  descriptor |= (stride_bytes >> 4) << 32;
  return descriptor;  // 0x0000004000080040
}
