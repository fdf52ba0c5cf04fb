// D = A x B on Hopper, in 60 lines: A is 64 x K, B is 64 x K (both bf16, K-major), D is 64 x 64; 5 warps.
// The numbers are those of: smemdesc plan 64x64x64 bf16 --arch sm_90a --stages 3
#include "../wgmma_gemm/tma.cuh"  // barrier_init, _expect, _wait and copy_box: an instruction of PTX each

constexpr uint64_t DESCRIPTOR = 0x4000004000010000;  // of a tile at byte 0
constexpr int STAGES = 3, TILE = 8192;

struct Step {  // of the loop over K; the parity tells the rounds of a stage apart
    int step = 0, stage = 0, parity = 0;
    __device__ void next() { ++step; if (++stage == STAGES) stage = 0, parity ^= 1; }
};
__device__ uint64_t descriptor(uint32_t start) { return DESCRIPTOR + ((start & 0x3ffff) >> 4); }

#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), \
              "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ void wgmma(float (&d)[32], uint64_t a, uint64_t b) {  // 64 x 64 x 16; the zeros: A and B are K-major
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10,"
                 " %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29,"
                 " %30, %31}, %32, %33, 1, 1, 1, 0, 0;" : D8(0), D8(8), D8(16), D8(24) : "l"(a), "l"(b));
}
extern "C" __global__ void __launch_bounds__(160)
gemm(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float* D, int K) {
    extern __shared__ __align__(1024) uint8_t shared[];  // A0 A1 A2 B0 B1 B2, then the barriers
    const uint32_t a = uint32_t(__cvta_generic_to_shared(shared)), b = a + STAGES * TILE;
    const uint32_t full = b + STAGES * TILE, empty = full + 8 * STAGES;
    for (int stage = 0; threadIdx.x == 0 && stage < STAGES; ++stage) {
        barrier_init(full + 8 * stage);  // one arrival, and the bytes that it expects
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(empty + 8 * stage) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // TMA sees them
    __syncthreads();
#pragma unroll 1
    for (Step at; threadIdx.x == 128 && at.step < K / 64; at.next()) {  // a thread of the fifth warp: copies
        barrier_wait(empty + 8 * at.stage, at.parity ^ 1);
        barrier_expect(full + 8 * at.stage, 2 * TILE);
        copy_box(a + at.stage * TILE, &A, 64 * at.step, 0, full + 8 * at.stage);  // boxes of 64 k x 64 mn
        copy_box(b + at.stage * TILE, &B, 64 * at.step, 0, full + 8 * at.stage);
    }
    if (threadIdx.x >= 128) return;
    float d[32] = {};
#pragma unroll 1
    for (Step at; at.step < K / 64; at.next()) {  // four warps: MMAs
        const uint64_t a_desc = descriptor(a + at.stage * TILE), b_desc = descriptor(b + at.stage * TILE);
        barrier_wait(full + 8 * at.stage, at.parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // what wrote the registers of d is done
        for (int k = 0; k < 4; ++k) wgmma(d, a_desc + 2 * k, b_desc + 2 * k);  // + 32 B: the next 16 k
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(empty + 8 * at.stage) : "memory");
    }
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 32; ++i) D[(row + i / 2 % 2 * 8) * 64 + column + i / 4 * 8 + i % 2] = d[i];
}
