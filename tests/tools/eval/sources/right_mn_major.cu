// Hopper, bf16. B: 128 (N) x 64 (K), MN-major (imm-trans-b 1), 128B swizzle, two boxes of {64, 64}, at byte 0x4400.
#include <cstdint>

__device__ std::uint64_t descriptor_of_b() { return 0x4000004002000440ull; }
