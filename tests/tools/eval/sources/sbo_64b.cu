// Hopper, bf16. A: 64x32, K-major, 64B swizzle, one box {32, 64} at byte 0x400.
#include <cstdint>

__device__ std::uint64_t descriptor_of_a() { return 0x8000004000010040ull; }
