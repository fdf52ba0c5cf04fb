// The tensor maps that a plan names, made on the host, and the copies and barriers of the device.
#pragma once
#include <cstdint>

#include <cuda.h>

#include "host.cuh"

// cuTensorMapEncodeTiled is the driver's; the runtime hands it out, so that nothing links with libcuda.
inline auto tensor_map_encode()
{
    using Encode = decltype(&cuTensorMapEncodeTiled);
    static Encode encode = [] {
        void* found = nullptr;
        cudaDriverEntryPointQueryResult query{};
        CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &query));
        if (query != cudaDriverEntryPointSuccess) {
            std::fprintf(stderr, "this driver has no cuTensorMapEncodeTiled\n");
            std::exit(2);
        }
        return reinterpret_cast<Encode>(found);
    }();
    return encode;
}

// The tensor map of an operand of a plan, over a matrix whose contiguous dimension has `inner` elements.
template <class Side, class T>
CUtensorMap tensor_map(const T* matrix, int inner, int outer)
{
    CUtensorMap map{};
    const cuuint64_t dimensions[2] = {cuuint64_t(inner), cuuint64_t(outer)};
    const cuuint64_t strides[1] = {inner * sizeof(T)};
    const cuuint32_t box[2] = {cuuint32_t(Side::tma_box[0]), cuuint32_t(Side::tma_box[1])};
    const cuuint32_t steps[2] = {1, 1};
    const CUresult status = tensor_map_encode()(&map, Side::tma_type, 2, const_cast<T*>(matrix), dimensions, strides,
                                                box, steps, Side::tma_interleave, Side::tma_swizzle,
                                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", int(status));
        std::exit(2);
    }
    return map;
}

__device__ inline void barrier_init(uint32_t barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

__device__ inline void barrier_expect(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ inline void barrier_wait(uint32_t barrier, int phase)
{
    asm volatile(
        "{ .reg .pred p;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again; }" ::"r"(barrier),
        "r"(phase)
        : "memory");
}

__device__ inline void copy_box(uint32_t to, const CUtensorMap* map, int x, int y, uint32_t barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier)
        : "memory");
}

// Fill one stage of an operand, from element (mn, k) of the matrix on.
template <class Side>
__device__ void fill(uint32_t stage, const CUtensorMap* map, int mn, int k, uint32_t barrier)
{
#pragma unroll
    for (int i = 0; i < Side::tma_copies; ++i) {
        const auto place = Side::copy(i);
        const int x = Side::mn_major ? mn + place.mn : k + place.k, y = Side::mn_major ? k + place.k : mn + place.mn;
        copy_box(stage + place.offset, map, x, y, barrier);
    }
}
