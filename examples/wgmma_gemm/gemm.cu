// D = A * B with wgmma, its operands in shared memory in every layout that the instruction reads.
//
// Each case (type, major-ness of A and of B, swizzle mode) is a kernel of its own, gemm_f16_K_MN_128B for one. What
// differs is where fill() writes, two immediates of the instruction, and the descriptors: constants of descriptors.cuh.
#include <cstdint>
#include <utility>

#include "descriptors.cuh"
#include "host.cuh"
#include "steps.cuh"
#include "tile.cuh"

// One CTA: one warpgroup, a tile of D of 64 x 128, 128 bytes of K at a time, in four steps of 32 bytes.
constexpr int tile_m = 64, tile_n = 128, tile_k_bytes = 128, threads = 128;
constexpr int alignment = 1024;  // of the tiles: the largest period of a swizzle pattern
constexpr int shared_bytes = (tile_m + tile_n) * tile_k_bytes + alignment;

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

template <class T, Major a_major, Major b_major>
__device__ void wgmma(float (&d)[64], uint64_t a, uint64_t b)
{
    if constexpr (std::is_same_v<T, f16>)
        WGMMA("m64n128k16.f32.f16.f16", ", %66, %67", "n"(int(a_major)), "n"(int(b_major)));
    else if constexpr (std::is_same_v<T, bf16>)
        WGMMA("m64n128k16.f32.bf16.bf16", ", %66, %67", "n"(int(a_major)), "n"(int(b_major)));
    else if constexpr (std::is_same_v<T, tf32>)
        WGMMA("m64n128k8.f32.tf32.tf32", "");
    else
        WGMMA("m64n128k32.f32.e4m3.e4m3", "");
}

template <class T, Major a_major, Major b_major, uint64_t... a, uint64_t... b>
__device__ void multiply(float (&d)[64], uint32_t a_tile, uint32_t b_tile, Steps<a...>, Steps<b...>)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    (wgmma<T, a_major, b_major>(d, at<a>(a_tile), at<b>(b_tile)), ...);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <class T, Major a_major, Major b_major, Mode mode, class ASteps, class BSteps>
__device__ void gemm(const T* A, const T* B, float* D, int N, int K)
{
    constexpr int tile_k = tile_k_bytes / sizeof(T);
    extern __shared__ uint8_t shared[];
    const uint32_t a_tile = (uint32_t(__cvta_generic_to_shared(shared)) + alignment - 1) / alignment * alignment;
    const uint32_t b_tile = a_tile + tile_m * tile_k_bytes;
    const int m0 = blockIdx.y * tile_m, n0 = blockIdx.x * tile_n;

    float d[64] = {};
    for (int k0 = 0; k0 < K; k0 += tile_k) {
        fill<T, a_major, mode, tile_m, tile_k, threads>(a_tile, A + m0 * K + k0, K, 1);
        fill<T, b_major, mode, tile_n, tile_k, threads>(b_tile, B + k0 * N + n0, 1, N);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads through another proxy
        __syncthreads();
        multiply<T, a_major, b_major>(d, a_tile, b_tile, ASteps{}, BSteps{});
        __syncthreads();
    }

    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    for (int i = 0; i < 64; ++i) {
        const int row = 16 * warp + group + 8 * (i / 2 % 2), column = 8 * (i / 4) + 2 * pair + i % 2;
        D[(m0 + row) * N + n0 + column] = d[i];
    }
}

#define MODES(X, T, a, b) X(T, a, b, none) X(T, a, b, 32B) X(T, a, b, 64B) X(T, a, b, 128B)
#define MAJORS(X, T) MODES(X, T, K, K) MODES(X, T, K, MN) MODES(X, T, MN, K) MODES(X, T, MN, MN)

#define KERNEL(T, a, b, mode)                                                                              \
    extern "C" __global__ void __launch_bounds__(threads)                                                  \
        gemm_##T##_##a##_##b##_##mode(const T* A, const T* B, float* D, int N, int K)                      \
    {                                                                                                      \
        gemm<T, Major::a, Major::b, mode_##mode, STEPS(A_##T##_##a##_##mode), STEPS(B_##T##_##b##_##mode)>( \
            A, B, D, N, K);                                                                                \
    }
MAJORS(KERNEL, f16)
MAJORS(KERNEL, bf16)
MODES(KERNEL, tf32, K, K)
MODES(KERNEL, e4m3, K, K)

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
        MAJORS(RUN, f16)
    }
    {
        Problem<bf16> problem(M, N, steps * tile_k_bytes / 2);
        MAJORS(RUN, bf16)
    }
    {
        Problem<tf32> problem(M, N, steps * tile_k_bytes / 4);
        MODES(RUN, tf32, K, K)
    }
    {
        Problem<e4m3> problem(M, N, steps * tile_k_bytes);
        MODES(RUN, e4m3, K, K)
    }
    std::printf("%d cases, %d wrong\n", cases, wrong);
    return wrong != 0;
}
