// A product whose tiles TMA copies, by tensor maps in every memory that they may lie in; one is wrong on purpose.
//
// D (64 x 128) = A (64 x 64) * B (64 x 128), one tile, bf16, 128B swizzle, K-major. A's map is a parameter, B's in
// constant memory; wrong_map copies A by a map in global memory, which has the 64B swizzle.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

constexpr int M = 64, N = 128, K = 64;

__constant__ CUtensorMap constant_b;
__device__ CUtensorMap global_a;

__device__ void copy(uint32_t to, const CUtensorMap *map, int rows, int width, uint32_t barrier) {
    for (int k = 0; k < K; k += width)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to + k * 2 * rows), "l"(map), "r"(k), "r"(0), "r"(barrier)
                     : "memory");
}

__device__ uint64_t descriptor(uint32_t start) {  // K-major, 128B swizzle
    return (start & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)

__device__ void multiply(const CUtensorMap *a, int width, const CUtensorMap *b, float *D) {
    extern __shared__ uint8_t shared[];
    const uint32_t from = uint32_t(__cvta_generic_to_shared(shared)), base = (from + 1023) / 1024 * 1024;
    const uint32_t to_b = base + M * K * 2, barrier = to_b + N * K * 2;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"((M + N) * K * 2)
                     : "memory");
        copy(base, a, M, width, barrier);
        copy(to_b, b, N, K, barrier);
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; wait: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra wait; }" ::"r"(barrier)
                 : "memory");
    float d[64] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < K; k += 16)
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16\n"
                     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n"
                     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,\n"
                     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,\n"
                     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},\n"
                     "%64, %65, 1, 1, 1, 0, 0;"
                     : D16(0), D16(16), D16(32), D16(48)
                     : "l"(descriptor(base + k * 2)), "l"(descriptor(to_b + k * 2)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    for (int i = 0; i < 64; ++i)
        D[(16 * warp + group + 8 * (i / 2 % 2)) * N + 8 * (i / 4) + 2 * pair + i % 2] = d[i];
}

extern "C" __global__ void right_map(const __grid_constant__ CUtensorMap a, float *D) {
    multiply(&a, K, &constant_b, D);
}
extern "C" __global__ void wrong_map(const CUtensorMap *a, float *D) { multiply(a, K / 2, &constant_b, D); }

#define OK(call)                                               \
    do {                                                       \
        if (int status = int(call)) {                          \
            fprintf(stderr, "error %d: %s\n", status, #call);  \
            return 3;                                          \
        }                                                      \
    } while (0)

int main(int argc, char **argv) {
    void *encode, *a, *b, *at;
    float *d;
    cudaDriverEntryPointQueryResult found;
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
    OK(cudaMalloc(&a, M * K * 2));
    OK(cudaMalloc(&b, N * K * 2));
    OK(cudaMalloc(&d, M * N * 4));
    auto map = [&](CUtensorMap *to, void *data, int rows, int width, CUtensorMapSwizzle swizzle) {
        const cuuint64_t dims[] = {K, cuuint64_t(rows)}, strides[] = {K * 2};
        const cuuint32_t box[] = {cuuint32_t(width), cuuint32_t(rows)}, steps[] = {1, 1};
        return PFN_cuTensorMapEncodeTiled_v12000(encode)(to, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, dims, strides, box,
                                                  steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    CUtensorMap map_a, map_b, map_64;
    OK(map(&map_a, a, M, K, CU_TENSOR_MAP_SWIZZLE_128B));
    OK(map(&map_b, b, N, K, CU_TENSOR_MAP_SWIZZLE_128B));
    OK(map(&map_64, a, M, K / 2, CU_TENSOR_MAP_SWIZZLE_64B));
    OK(cudaMemcpyToSymbol(constant_b, &map_b, sizeof map_b));
    OK(cudaMemcpyToSymbol(global_a, &map_64, sizeof map_64));
    OK(cudaGetSymbolAddress(&at, global_a));
    const int shared = 1024 + (M + N) * K * 2 + 8;
    OK(cudaFuncSetAttribute(right_map, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    OK(cudaFuncSetAttribute(wrong_map, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    right_map<<<1, 128, shared>>>(map_a, d);
    OK(cudaDeviceSynchronize());
    wrong_map<<<1, 128, shared>>>((const CUtensorMap *)at, d);
    OK(cudaDeviceSynchronize());
    return 0;
}
