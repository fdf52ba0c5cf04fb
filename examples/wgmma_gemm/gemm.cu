// D = A * B with wgmma, its operands in shared memory in every layout that the instruction reads.
//
// Each case (type, major-ness of A and of B, swizzle mode) is a kernel of its own, gemm_f16_K_MN_128B for one. All that
// differs is its plan: the structs of plans.cuh say what the tensor maps are, where each copy goes, how many bytes a
// barrier expects, what the descriptors are. Nothing here knows a layout.
#include <cstdint>

#include "host.cuh"
#include "plans.cuh"
#include "tma.cuh"

constexpr int threads = 128;       // one warpgroup: a tile of D of 64 x 128
constexpr int alignment = 1024;    // of shared memory: the largest period of a swizzle pattern

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
// p: D = A * B + D. The two ones: neither A nor B is negated.
#define WGMMA(shape_and_types, majors, ...)                                                          \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"                                            \
                 "wgmma.mma_async.sync.aligned." shape_and_types "\n"                                \
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n"          \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,\n" \
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,\n" \
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},\n" \
                 "%64, %65, p, 1, 1" majors "; }"                                                    \
                 : D16(0), D16(16), D16(32), D16(48)                                                 \
                 : "l"(a), "l"(b) __VA_OPT__(, ) __VA_ARGS__)

template <class T, int a_major, int b_major>
__device__ void wgmma(float (&d)[64], uint64_t a, uint64_t b)
{
    if constexpr (std::is_same_v<T, f16>)
        WGMMA("m64n128k16.f32.f16.f16", ", %66, %67", "n"(a_major), "n"(b_major));
    else if constexpr (std::is_same_v<T, bf16>)
        WGMMA("m64n128k16.f32.bf16.bf16", ", %66, %67", "n"(a_major), "n"(b_major));
    else if constexpr (std::is_same_v<T, tf32>)
        WGMMA("m64n128k8.f32.tf32.tf32", "");
    else
        WGMMA("m64n128k32.f32.e4m3.e4m3", "");
}

template <class Plan, class T>
__device__ void multiply(float (&d)[64], uint32_t a, uint32_t b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < Plan::a::k_steps; ++k)
        wgmma<T, Plan::a::mn_major, Plan::b::mn_major>(d, Plan::a::at(a, 0, k), Plan::b::at(b, 0, k));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <class Plan, class T>
__device__ void gemm(const CUtensorMap* A, const CUtensorMap* B, float* D, int N, int K)
{
    static_assert(Plan::a::k_steps == Plan::b::k_steps && Plan::a::mn_steps == 1 && Plan::b::mn_steps == 1);
    extern __shared__ uint8_t shared[];
    __shared__ uint64_t barriers[Plan::stages];
    const uint32_t base = (uint32_t(__cvta_generic_to_shared(shared)) + alignment - 1) / alignment * alignment;
    const uint32_t full = uint32_t(__cvta_generic_to_shared(barriers));
    const int m0 = blockIdx.y * Plan::tile_m, n0 = blockIdx.x * Plan::tile_n, steps = K / Plan::tile_k;
    const auto load = [&](int step) {
        const int stage = step % Plan::stages;
        barrier_expect(full + 8 * stage, Plan::tma_stage_bytes);
        fill<typename Plan::a>(Plan::a::stage(base, stage), A, m0, step * Plan::tile_k, full + 8 * stage);
        fill<typename Plan::b>(Plan::b::stage(base, stage), B, n0, step * Plan::tile_k, full + 8 * stage);
    };

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < Plan::stages; ++stage)
            barrier_init(full + 8 * stage);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copies see the barriers
        for (int step = 0; step < Plan::stages && step < steps; ++step)
            load(step);
    }
    __syncthreads();

    float d[64] = {};
#pragma unroll 1  // keeps the SASS readable
    for (int step = 0; step < steps; ++step) {
        const int stage = step % Plan::stages;
        barrier_wait(full + 8 * stage, step / Plan::stages % 2);
        multiply<Plan, T>(d, Plan::a::stage(base, stage), Plan::b::stage(base, stage));
        __syncthreads();  // all four warps have read the stage
        if (threadIdx.x == 0 && step + Plan::stages < steps)
            load(step + Plan::stages);
    }

    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    for (int i = 0; i < 64; ++i) {
        const int row = 16 * warp + group + 8 * (i / 2 % 2), column = 8 * (i / 4) + 2 * pair + i % 2;
        D[(m0 + row) * N + n0 + column] = d[i];
    }
}

#define MODES(X, T, a, b) X(T, a, b, none) X(T, a, b, 32B) X(T, a, b, 64B) X(T, a, b, 128B)
#define MAJORS(X, T) MODES(X, T, K, K) MODES(X, T, K, MN) MODES(X, T, MN, K) MODES(X, T, MN, MN)

#define KERNEL(T, a, b, mode)                                                                                   \
    extern "C" __global__ void __launch_bounds__(threads)                                                       \
        gemm_##T##_##a##_##b##_##mode(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, \
                                      float* D, int N, int K)                                                   \
    {                                                                                                           \
        gemm<T##_##a##_##b##_##mode, T>(&A, &B, D, N, K);                                                       \
    }
MAJORS(KERNEL, f16)
MAJORS(KERNEL, bf16)
MODES(KERNEL, tf32, K, K)
MODES(KERNEL, e4m3, K, K)

using Kernel = void (*)(CUtensorMap, CUtensorMap, float*, int, int);

// Run the kernel of a plan on matrices that lie in global memory as the plan's operands do: along K, or along MN.
template <class Plan, class T>
bool run(Problem<T>& problem, const char* name, Kernel kernel)
{
    using A = typename Plan::a;
    using B = typename Plan::b;
    const int M = problem.M, N = problem.N, K = problem.K;
    const CUtensorMap a = A::mn_major ? tensor_map<A>(problem.A_t, M, K) : tensor_map<A>(problem.A, K, M);
    const CUtensorMap b = B::mn_major ? tensor_map<B>(problem.B, N, K) : tensor_map<B>(problem.B_t, K, N);
    const int shared = Plan::stages * Plan::stage_bytes + alignment;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    return problem.judge(name, [&](float* D) {
        kernel<<<dim3(N / Plan::tile_n, M / Plan::tile_m), threads, shared>>>(a, b, D, N, K);
    });
}

int main()
{
    constexpr int M = 3 * 64, N = 2 * 128, steps = 5;
    int cases = 0, wrong = 0;
#define RUN(T, a, b, mode) \
    ++cases;               \
    wrong += !run<T##_##a##_##b##_##mode>(problem, #T " " #a " " #b " " #mode, gemm_##T##_##a##_##b##_##mode);
    {
        Problem<f16> problem(M, N, steps * f16_K_K_128B::tile_k);
        MAJORS(RUN, f16)
    }
    {
        Problem<bf16> problem(M, N, steps * bf16_K_K_128B::tile_k);
        MAJORS(RUN, bf16)
    }
    {
        Problem<tf32> problem(M, N, steps * tf32_K_K_128B::tile_k);
        MODES(RUN, tf32, K, K)
    }
    {
        Problem<e4m3> problem(M, N, steps * e4m3_K_K_128B::tile_k);
        MODES(RUN, e4m3, K, K)
    }
    std::printf("%d cases, %d wrong\n", cases, wrong);
    return wrong != 0;
}
