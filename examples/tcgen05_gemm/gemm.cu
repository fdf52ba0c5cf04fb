// D = A * B with tcgen05.mma, its operands in shared memory in every layout that the instruction reads.
//
// Each case (type, major-ness of A and of B, swizzle mode) is a kernel of its own, gemm_f16_K_MN_128B for one. What
// differs is where fill() writes, and its plan: the structs of plans.cuh have all descriptors.
#include <cstdint>

#include "../wgmma_gemm/host.cuh"
#include "plans.cuh"
#include "tile.cuh"

// One CTA: a tile of D of 128 x 128 in tensor memory, 128 bytes of K at a time, in four steps of 32 bytes.
constexpr int tile_m = 128, tile_n = 128, tile_k_bytes = 128, threads = 128;
constexpr int alignment = 1024;  // of the tiles: the largest period of a swizzle pattern
constexpr int shared_bytes = (tile_m + tile_n) * tile_k_bytes + alignment;

__device__ uint32_t shared_address(const void* pointer)
{
    return uint32_t(__cvta_generic_to_shared(pointer));
}

// Whether this is the one thread of a converged warp that does what one thread has to do.
__device__ bool elected()
{
    uint32_t yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
}

// A warp takes the columns of tensor memory that D needs, and leaves the address of the first in shared memory.
template <int count>
__device__ void allocate(uint32_t* columns)
{
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(columns)),
                 "n"(count)
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}

template <int count>
__device__ void deallocate(uint32_t columns)
{
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(columns), "n"(count) : "memory");
}

__device__ void wait(uint64_t* barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_address(barrier)), "r"(parity)
                 : "memory");
}

#define MMA(kind)                                                                                     \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n"                                            \
                 "tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, p; }" ::"r"(d), "l"(a),   \
                 "l"(b), "n"(instruction), "r"(uint32_t(accumulate))                                  \
                 : "memory")

// D = A * B, or A * B + D; by one thread, for the whole CTA.
template <class T, uint32_t instruction>
__device__ void mma(uint32_t d, uint64_t a, uint64_t b, bool accumulate)
{
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
        MMA("f16");
    else if constexpr (std::is_same_v<T, tf32>)
        MMA("tf32");
    else
        MMA("f8f6f4");
}

// Issue the steps; the barrier completes a phase when all are done with shared and tensor memory.
template <class Plan, class T>
__device__ void multiply(uint32_t d, uint32_t a_tile, uint32_t b_tile, bool accumulate, uint64_t* barrier)
{
#pragma unroll
    for (int k = 0; k < Plan::a::k_steps; ++k)
        mma<T, Plan::idesc>(d, Plan::a::at(a_tile, 0, k), Plan::b::at(b_tile, 0, k), accumulate || k > 0);
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                     shared_address(barrier))
                 : "memory");
}

// Eight columns of the rows of one warp: row 32 * warp + lane in each thread.
__device__ void load(float (&values)[8], uint32_t address)
{
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];\n"
                 "tcgen05.wait::ld.sync.aligned;"
                 : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3]), "=f"(values[4]),
                   "=f"(values[5]), "=f"(values[6]), "=f"(values[7])
                 : "r"(address)
                 : "memory");
}

template <class Plan, class T, Major a_major, Major b_major, Mode mode>
__device__ void gemm(const T* A, const T* B, float* D, int N, int K)
{
    static_assert(Plan::a::mn_steps == 1 && Plan::b::mn_steps == 1);
    constexpr int tile_m = Plan::tile_m, tile_n = Plan::tile_n, tile_k = Plan::tile_k;
    __shared__ uint32_t columns;
    __shared__ uint64_t barrier;
    extern __shared__ uint8_t shared[];
    const uint32_t base = (shared_address(shared) + alignment - 1) / alignment * alignment;
    const uint32_t a_tile = Plan::a::stage(base, 0), b_tile = Plan::b::stage(base, 0);
    const int m0 = blockIdx.y * tile_m, n0 = blockIdx.x * tile_n, warp = threadIdx.x / 32;

    if (warp == 0)
        allocate<Plan::tmem::alloc_columns>(&columns);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    const uint32_t d = columns;

    uint32_t parity = 0;
    for (int k0 = 0; k0 < K; k0 += tile_k) {
        fill<T, a_major, mode, tile_m, tile_k, threads>(a_tile, A + m0 * K + k0, K, 1);
        fill<T, b_major, mode, tile_n, tile_k, threads>(b_tile, B + k0 * N + n0, 1, N);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the MMA reads through another proxy
        __syncthreads();
        if (warp == 0 && elected())
            multiply<Plan, T>(d, a_tile, b_tile, k0 > 0, &barrier);
        wait(&barrier, parity);
        parity ^= 1;
    }
    __syncwarp();  // thread 0 may lag behind its warp, and the loads below are for whole warps
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");

    // A warp reads the 32 lanes of tensor memory that are its own; lane and column are the halves of an address.
    float* row = D + (m0 + threadIdx.x) * N + n0;
    for (int column = 0; column < tile_n; column += 8) {
        float values[8];
        load(values, d + (warp * 32 << 16) + column);
        for (int i = 0; i < 8; ++i)
            row[column + i] = values[i];
    }
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    if (warp == 0)
        deallocate<Plan::tmem::alloc_columns>(d);
}

#define MODES(X, T, a, b) X(T, a, b, none) X(T, a, b, 32B) X(T, a, b, 64B) X(T, a, b, 128B)
#define F16(X) MODES(X, f16, K, K) MODES(X, f16, K, MN) MODES(X, f16, MN, K) MODES(X, f16, MN, MN)
#define BF16(X) MODES(X, bf16, K, K) MODES(X, bf16, K, MN) MODES(X, bf16, MN, K) MODES(X, bf16, MN, MN)
#define TF32(X) MODES(X, tf32, K, K) X(tf32, MN, MN, 128B_32B)
#define E4M3(X) MODES(X, e4m3, K, K) MODES(X, e4m3, MN, MN)

#define KERNEL(T, a, b, mode)                                                                                    \
    extern "C" __global__ void __launch_bounds__(threads)                                                        \
        gemm_##T##_##a##_##b##_##mode(const T* A, const T* B, float* D, int N, int K)                            \
    {                                                                                                            \
        gemm<T##_##a##_##b##_##mode, T, Major::a, Major::b, mode_##mode>(A, B, D, N, K);                         \
    }
F16(KERNEL)
BF16(KERNEL)
TF32(KERNEL)
E4M3(KERNEL)

int main()
{
    constexpr int M = 3 * tile_m, N = 2 * tile_n, steps = 5;
    const dim3 grid(N / tile_n, M / tile_m);
    int cases = 0, wrong = 0;
#define RUN(T, a, b, mode)                                                                                   \
    ++cases;                                                                                                 \
    wrong += !problem.run(#T " " #a " " #b " " #mode, gemm_##T##_##a##_##b##_##mode, grid, threads, shared_bytes);
    {
        Problem<f16> problem(M, N, steps * tile_k_bytes / 2);
        F16(RUN)
    }
    {
        Problem<bf16> problem(M, N, steps * tile_k_bytes / 2);
        BF16(RUN)
    }
    {
        Problem<tf32> problem(M, N, steps * tile_k_bytes / 4);
        TF32(RUN)
    }
    {
        Problem<e4m3> problem(M, N, steps * tile_k_bytes);
        E4M3(RUN)
    }
    std::printf("%d cases, %d wrong\n", cases, wrong);
    return wrong != 0;
}
