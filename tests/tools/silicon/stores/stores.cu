// Threads store tiles by the element function of a plan, wgmma reads them by its descriptors: D is exact. And how many
// cycles a warp's 16-byte accesses take, in the assignments that `smemdesc layout store` counts wavefronts for.
//
// On a Hopper GPU, in this folder, with smemdesc for the header of plans:
//   make -C ../../../../examples/wgmma_gemm plans.cuh
//   nvcc -std=c++20 -O3 -gencode=arch=compute_90a,code=sm_90a -I../../../../examples/wgmma_gemm -o stores stores.cu
//   ./stores
//
// Status: 0 all as expected; 1 a D is wrong, or an access takes other cycles than its wavefronts; 2 a CUDA call failed.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "plans.cuh"

#define CHECK(call)                                                                                       \
    do {                                                                                                  \
        const cudaError_t status = (call);                                                                \
        if (status != cudaSuccess) {                                                                      \
            std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status));       \
            std::exit(2);                                                                                 \
        }                                                                                                 \
    } while (0)

using f16 = __half;
using bf16 = __nv_bfloat16;
using tf32 = float;
using e4m3 = __nv_fp8_e4m3;

constexpr int threads = 128, alignment = 1024;

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
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

// Small integers, which every type holds: their products and sums are exact.
__host__ __device__ constexpr int number(int mn, int k, int which) { return (mn * 7 + k * 3 + which * 5) % 9 - 4; }

template <class Operand, class T>
__device__ void store(unsigned char* tile, int rows, int columns, int which)
{
    for (int i = threadIdx.x; i < rows * columns; i += threads) {
        const int mn = i / columns, k = i % columns;
        *reinterpret_cast<T*>(tile + Operand::element(mn, k)) = T(float(number(mn, k, which)));
    }
}

template <class Plan, class T>
__global__ void multiply(float* D)
{
    extern __shared__ unsigned char shared[];
    const uint32_t address = uint32_t(__cvta_generic_to_shared(shared));
    const uint32_t base = (address + alignment - 1) / alignment * alignment;
    // The second stage, so that nothing begins at the base.
    const uint32_t a = Plan::a::stage(base, 1), b = Plan::b::stage(base, 1);
    store<typename Plan::a, T>(shared + (a - address), Plan::tile_m, Plan::tile_k, 0);
    store<typename Plan::b, T>(shared + (b - address), Plan::tile_n, Plan::tile_k, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma sees the stores
    __syncthreads();

    float d[64] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < Plan::a::k_steps; ++k)
        wgmma<T, Plan::a::mn_major, Plan::b::mn_major>(d, Plan::a::at(a, 0, k), Plan::b::at(b, 0, k));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    for (int i = 0; i < 64; ++i)
        D[(16 * warp + group + 8 * (i / 2 % 2)) * Plan::tile_n + 8 * (i / 4) + 2 * pair + i % 2] = d[i];
}

template <class Plan, class T>
bool exact(const char* name)
{
    const int m = Plan::tile_m, n = Plan::tile_n, k = Plan::tile_k;
    const int shared = 2 * Plan::stage_bytes + alignment;
    float* D = nullptr;
    CHECK(cudaMalloc(&D, m * n * sizeof(float)));
    CHECK(cudaMemset(D, 0xff, m * n * sizeof(float)));
    CHECK(cudaFuncSetAttribute(multiply<Plan, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    multiply<Plan, T><<<1, threads, shared>>>(D);
    CHECK(cudaGetLastError());
    std::vector<float> d(m * n);
    CHECK(cudaMemcpy(d.data(), D, d.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(D));
    int wrong = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            int sum = 0;
            for (int l = 0; l < k; ++l)
                sum += number(i, l, 0) * number(j, l, 1);
            wrong += d[i * n + j] != float(sum);
        }
    std::printf("%-18s %d of %d elements of D are exact%s\n", name, m * n - wrong, m * n, wrong ? "  WRONG" : "");
    return wrong == 0;
}

// ---- bank conflicts ----

enum Access { STORE, LOAD, STMATRIX, LDMATRIX, ACCESSES };
const char* const NAMES[] = {"st.shared.v4", "ld.shared.v4", "stmatrix.x4", "ldmatrix.x4"};
constexpr int REPEATS = 256, WARPS = 16;  // enough warps to hide the latency of an access

// The cycles of REPEATS accesses of each warp, at 16 bytes a thread; all warps access the same addresses. Accesses are
// `stride` bytes apart, a multiple of the 128 bytes of all banks. ptxas does not know it, so it can drop none of the 16.
template <int access>
__global__ void cycles(const uint32_t* offsets, uint32_t stride, long long* taken, uint32_t* sink)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const uint32_t first = uint32_t(__cvta_generic_to_shared(shared)) + offsets[threadIdx.x % 32];
    uint32_t r[4] = {threadIdx.x, 1, 2, 3}, used = 0;
    for (int round = 0; round < 2; ++round) {  // the first one warms the instruction cache up
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 16
        for (int i = 0; i < REPEATS; ++i) {
            const uint32_t address = first + i % 16 * stride;
            if constexpr (access == STORE)
                asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]),
                             "r"(r[3]) : "memory");
            else if constexpr (access == LOAD)
                asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                             : "r"(address) : "memory");
            else if constexpr (access == STMATRIX)
                asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]),
                             "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
            else
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
            if constexpr (access == LOAD || access == LDMATRIX)
                used ^= r[0] ^ r[1] ^ r[2] ^ r[3];
        }
        // A load of what the accesses touched ends after them.
        uint32_t last;
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(last) : "r"(first) : "memory");
        r[0] += last;
        __syncthreads();
        if (threadIdx.x == 0) *taken = clock64() - begin;
    }
    sink[threadIdx.x] = used + r[0] + r[1] + r[2] + r[3];
}

int wavefronts(const std::vector<uint32_t>& offsets)
{
    int total = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
        int chunks[8] = {}, most = 0;
        for (int thread = 8 * quarter; thread < 8 * quarter + 8; ++thread) {
            const int count = ++chunks[offsets[thread] / 16 % 8];
            most = count > most ? count : most;
        }
        total += most;
    }
    return total;
}

bool timed(const char* name, const std::vector<uint32_t>& offsets)
{
    static void (*const kernels[])(const uint32_t*, uint32_t, long long*, uint32_t*) = {cycles<STORE>, cycles<LOAD>,
                                                                             cycles<STMATRIX>, cycles<LDMATRIX>};
    uint32_t *there = nullptr, *sink = nullptr;
    long long* taken = nullptr;
    CHECK(cudaMalloc(&there, 32 * sizeof(uint32_t)));
    CHECK(cudaMalloc(&sink, 32 * WARPS * sizeof(uint32_t)));
    CHECK(cudaMalloc(&taken, sizeof(long long)));
    CHECK(cudaMemcpy(there, offsets.data(), 32 * sizeof(uint32_t), cudaMemcpyHostToDevice));
    const int expected = wavefronts(offsets);
    bool good = true;
    std::printf("%-28s %3d wavefronts; cycles of an access:", name, expected);
    for (int access = 0; access < ACCESSES; ++access) {
        kernels[access]<<<1, 32 * WARPS, 32 * 1024>>>(there, 1024, taken, sink);
        CHECK(cudaGetLastError());
        long long cycles = 0;
        CHECK(cudaMemcpy(&cycles, taken, sizeof cycles, cudaMemcpyDeviceToHost));
        const double each = double(cycles) / (REPEATS * WARPS);
        // The warps share the banks: an access takes a cycle for each wavefront.
        const bool as_expected = each > 0.9 * expected && each < 1.5 * expected + 1;
        good &= as_expected;
        std::printf("  %s %.1f%s", NAMES[access], each, as_expected ? "" : " UNEXPECTED");
    }
    std::printf("\n");
    CHECK(cudaFree(there));
    CHECK(cudaFree(sink));
    CHECK(cudaFree(taken));
    return good;
}

// The row and the 16-byte unit of a thread, as `smemdesc layout store` names the assignments.
struct Assignment {
    const char* name;
    int (*row)(int);
    int (*unit)(int);
};
const Assignment ASSIGNMENTS[] = {
    {"row", [](int t) { return t; }, [](int) { return 0; }},
    {"quarter", [](int t) { return t % 8; }, [](int t) { return t / 8; }},
    {"matrix", [](int t) { return t % 16; }, [](int t) { return t / 16; }},
    {"coalesced", [](int t) { return t / 8; }, [](int t) { return t % 8; }},
};

template <class Operand>
bool conflicts(const char* mode)
{
    bool good = true;
    for (const Assignment& own : ASSIGNMENTS) {
        std::vector<uint32_t> offsets;
        for (int t = 0; t < 32; ++t)
            offsets.push_back(Operand::element(own.row(t), 8 * own.unit(t)));
        char name[64];
        std::snprintf(name, sizeof name, "%s, %s", mode, own.name);
        good &= timed(name, offsets);
    }
    return good;
}

int main()
{
    int cases = 0, wrong = 0, other = 0;
#define EXACT(T, a, b, mode) ++cases, wrong += !exact<T##_##a##_##b##_##mode, T>(#T " " #a " " #b " " #mode);
#define MODES(X, T, a, b) X(T, a, b, none) X(T, a, b, 32B) X(T, a, b, 64B) X(T, a, b, 128B)
#define MAJORS(X, T) MODES(X, T, K, K) MODES(X, T, K, MN) MODES(X, T, MN, K) MODES(X, T, MN, MN)
    MAJORS(EXACT, f16)
    MAJORS(EXACT, bf16)
    MODES(EXACT, tf32, K, K)
    MODES(EXACT, e4m3, K, K)
    std::printf("%d of %d tiles are exact\n\n", cases - wrong, cases);

    other += !conflicts<bf16_K_K_128B::a>("128B");
    other += !conflicts<bf16_K_K_64B::a>("64B");
    other += !conflicts<bf16_K_K_32B::a>("32B");
    other += !conflicts<bf16_K_K_none::a>("none");
    for (const Assignment& own : ASSIGNMENTS) {
        std::vector<uint32_t> offsets;
        for (int t = 0; t < 32; ++t)
            offsets.push_back(128 * own.row(t) + 16 * own.unit(t));
        char name[64];
        std::snprintf(name, sizeof name, "128B forgotten, %s", own.name);
        other += !timed(name, offsets);
    }
    std::printf("%s\n", other ? "some accesses take other cycles than their wavefronts" : "cycles follow the wavefronts");
    return wrong || other;
}
