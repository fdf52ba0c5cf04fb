// D = A x B on Blackwell, in 60 lines: A is 128 x K, B is 128 x K (both bf16, K-major), D is 128 x 128; 4 warps.
// The numbers are those of: smemdesc plan 128x128x64 bf16 --stages 3
#include "../wgmma_gemm/tma.cuh"  // barrier_init, _expect, _wait and copy_box: an instruction of PTX each
constexpr uint64_t DESCRIPTOR = 0x4000404000010000;  // of a tile at byte 0
constexpr uint32_t IDESC = 0x08200490;               // D f32, A and B bf16 and K-major, N 128, M 128
constexpr int STAGES = 3, TILE = 16384, COLUMNS = 128;

__device__ uint32_t address(const void* of) { return uint32_t(__cvta_generic_to_shared(of)); }
struct Step {  // of the loop over K; the parity tells the rounds of a stage apart
    int step = 0, stage = 0, parity = 0;
    __device__ void next() { ++step; if (++stage == STAGES) stage = 0, parity ^= 1; }
};
__device__ uint64_t descriptor(uint32_t start) { return DESCRIPTOR + ((start & 0x3ffff) >> 4); }
__device__ void mma(uint32_t d, uint64_t a, uint64_t b, int add) {  // D = A x B, or A x B + D
    asm volatile("{.reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
                 ::"r"(d), "l"(a), "l"(b), "n"(IDESC), "r"(add) : "memory");
}
__device__ void commit(uint32_t barrier) {  // arrives when all MMAs so far are done
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier) : "memory");
}
extern "C" __global__ void __launch_bounds__(128)
gemm(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float* D, int K) {
    extern __shared__ __align__(1024) uint8_t shared[];  // A0 A1 A2 B0 B1 B2, then the barriers
    __shared__ uint32_t columns;
    const uint32_t a = address(shared), b = a + STAGES * TILE;
    const uint32_t full = b + STAGES * TILE, empty = full + 8 * STAGES, done = empty + 8 * STAGES;
    if (threadIdx.x < 32)  // a warp takes tensor memory, and finds the address in shared memory
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
                     ::"r"(address(&columns)), "n"(COLUMNS) : "memory");
    for (int i = 0; threadIdx.x == 0 && i < 2 * STAGES + 1; ++i) barrier_init(full + 8 * i);
    asm volatile("fence.mbarrier_init.release.cluster; tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    const uint32_t d = columns;
#pragma unroll 1
    for (Step at; threadIdx.x == 32 && at.step < K / 64; at.next()) {  // a thread of the second warp: copies
        barrier_wait(empty + 8 * at.stage, at.parity ^ 1);
        barrier_expect(full + 8 * at.stage, 2 * TILE);
        copy_box(a + at.stage * TILE, &A, 64 * at.step, 0, full + 8 * at.stage);  // boxes of 64 k x 128 mn
        copy_box(b + at.stage * TILE, &B, 64 * at.step, 0, full + 8 * at.stage);
    }
#pragma unroll 1
    for (Step at; threadIdx.x == 0 && at.step < K / 64; at.next()) {  // a thread of the first: MMAs
        const uint64_t a_desc = descriptor(a + at.stage * TILE), b_desc = descriptor(b + at.stage * TILE);
        barrier_wait(full + 8 * at.stage, at.parity);
        for (int k = 0; k < 4; ++k) mma(d, a_desc + 2 * k, b_desc + 2 * k, at.step + k);  // + 32 B: the next 16 k
        commit(empty + 8 * at.stage);
    }
    if (threadIdx.x == 0) commit(done);
    __syncwarp();
    barrier_wait(done, 0);
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    for (int n = 0; n < 128; ++n)  // a thread has a row of D, a lane of tensor memory: one column after the other
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1]; tcgen05.wait::ld.sync.aligned;"
                     : "=f"(D[threadIdx.x * 128 + n]) : "r"(d + (threadIdx.x / 32 * 32 << 16) + n) : "memory");
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(d), "n"(COLUMNS) : "memory");
}
