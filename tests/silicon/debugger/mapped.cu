// Products whose tiles TMA copies, by tensor maps in each memory that they may lie in; wrong_map is wrong on purpose.
//
// A (64 x 64) * B (128 x 64), one tile, bf16, K-major, 128B swizzle. A's map is a parameter, B's in constant memory;
// wrong_map takes one in global memory for A, which has the 64B swizzle.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>

constexpr int M = 64, N = 128, K = 64, BYTES = (M + N) * K * 2;

__constant__ CUtensorMap constant_b;
__device__ CUtensorMap global_a;

__device__ void copy(uint32_t to, const CUtensorMap *map, int rows, int width, uint32_t barrier) {
    for (int k = 0; k < K; k += width)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to + k * 2 * rows), "l"(map), "r"(k), "r"(0), "r"(barrier));
}

__device__ uint64_t descriptor(uint32_t start) {
    return (start & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)

__device__ void multiply(const CUtensorMap *a, int width, const CUtensorMap *b, float *D) {
    extern __shared__ __align__(1024) uint8_t tiles[];
    const uint32_t to_a = uint32_t(__cvta_generic_to_shared(tiles)), to_b = to_a + M * K * 2, barrier = to_a + BYTES;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(BYTES));
        copy(to_a, a, M, width, barrier);
        copy(to_b, b, N, K, barrier);
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; w: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra w; }" ::"r"(barrier));
    float d[64] = {};
    asm volatile("wgmma.fence.sync.aligned;");
    for (int k = 0; k < K; k += 16)
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16\n"
                     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n"
                     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,\n"
                     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,\n"
                     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},\n"
                     "%64, %65, 1, 1, 1, 0, 0;"
                     : D16(0), D16(16), D16(32), D16(48)
                     : "l"(descriptor(to_a + k * 2)), "l"(descriptor(to_b + k * 2)));
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
    for (int i = 0; i < 64; ++i)
        D[threadIdx.x * 64 + i] = d[i];
}

extern "C" __global__ void right_map(const __grid_constant__ CUtensorMap a, float *D) {
    multiply(&a, K, &constant_b, D);
}
extern "C" __global__ void wrong_map(const CUtensorMap *a, float *D) { multiply(a, K / 2, &constant_b, D); }

static PFN_cuTensorMapEncodeTiled_v12000 encode;

static CUtensorMap map(void *data, int rows, int width, CUtensorMapSwizzle swizzle) {
    const cuuint64_t dims[] = {K, cuuint64_t(rows)}, strides[] = {K * 2};
    const cuuint32_t box[] = {cuuint32_t(width), cuuint32_t(rows)}, steps[] = {1, 1};
    CUtensorMap made;
    encode(&made, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
           swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return made;
}

int main() {
    void *data, *other;
    float *D;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    cudaMalloc(&data, BYTES);
    cudaMalloc(&D, M * N * 4);
    const CUtensorMap map_a = map(data, M, K, CU_TENSOR_MAP_SWIZZLE_128B);
    const CUtensorMap map_b = map(data, N, K, CU_TENSOR_MAP_SWIZZLE_128B);
    const CUtensorMap map_64 = map(data, M, K / 2, CU_TENSOR_MAP_SWIZZLE_64B);
    cudaMemcpyToSymbol(constant_b, &map_b, sizeof map_b);
    cudaMemcpyToSymbol(global_a, &map_64, sizeof map_64);
    cudaGetSymbolAddress(&other, global_a);
    right_map<<<1, 128, BYTES + 8>>>(map_a, D);
    wrong_map<<<1, 128, BYTES + 8>>>((const CUtensorMap *)other, D);
    const cudaError_t status = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(status));
    return status;
}
