// Hopper, bf16. Each stage: TMA copies A (64x64) and B (128x64), K-major, 128B swizzle, and the MMA reads both.
#include <cstdint>

constexpr std::uint32_t stage_bytes = (64 + 128) * 64;  // 12288

__device__ void expect(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(stage_bytes) : "memory");
}
