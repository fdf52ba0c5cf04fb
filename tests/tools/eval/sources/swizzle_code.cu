// Hopper, bf16. A: 64x64, K-major, written at byte 0x400 by TMA: box {64, 64}, CU_TENSOR_MAP_SWIZZLE_128B.
#include <cstdint>

__device__ std::uint64_t descriptor_of_a() {
  constexpr std::uint64_t swizzle_128b = 2;
  std::uint64_t descriptor = 0x40;
  descriptor |= std::uint64_t{1} << 16;
  descriptor |= std::uint64_t{64} << 32;
  descriptor |= swizzle_128b << 62;
  return descriptor;  // 0x8000004000010040
}
