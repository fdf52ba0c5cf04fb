// Kernels that multiply with wgmma and are wrong on purpose, each in one place, and one that is right.
//
//     wrong                      runs them all and says which results are right
//     wrong NAME                 runs one
//     wrong --matrices FOLDER    writes A.npy and B.npy: what every tile should hold, bits of bf16
//
// D (64 x 128) = A (64 x 64) * B (64 x 128), one tile, bf16, no tensor map: the threads write shared memory themselves.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

constexpr int M = 64, N = 128, K = 64;

struct Written {          // how an operand lies in shared memory
    bool mn_major;
    int width;            // bytes of the swizzled row: 128, 64, 32, or 16 without swizzle
    int start;            // from the aligned beginning, in bytes
    int leading, stride;  // LBO and SBO, in bytes
    int phase;            // the start of the pattern that the writer took, in bytes: 0 is absolute addresses
};

struct Described {
    int start, leading, stride, base, mode;  // bytes, bytes, bytes, base offset, code of the swizzle mode
    bool mn_major;
    int step;  // bytes that the start moves for 16 of K
};

__device__ int swizzled(int address, int width) {
    const int bits = width == 128 ? 3 : width == 64 ? 2 : width == 32 ? 1 : 0;
    return address ^ (address >> 3 & ((1 << bits) - 1) << 4);
}

__device__ int place(const Written &w, int mn, int k) {
    const int along = w.mn_major ? mn : k, across = w.mn_major ? k : mn, each = w.width / 2;
        const int linear = along / each * w.leading + across / 8 * w.stride + across % 8 * w.width + along % each * 2;
    return swizzled(w.start + linear - w.phase, w.width) + w.phase;
}

__device__ uint64_t descriptor(const Described &d, uint32_t base, int k) {
    const uint64_t start = (base + d.start + k * d.step & 0x3ffff) >> 4;
    return start | uint64_t(d.leading >> 4) << 16 | uint64_t(d.stride >> 4) << 32 | uint64_t(d.base) << 49 |
           uint64_t(d.mode) << 62;
}

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)

template <int a_major, int b_major>
__device__ void wgmma(float (&d)[64], uint64_t a, uint64_t b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16\n"
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n"
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,\n"
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,\n"
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},\n"
                 "%64, %65, p, 1, 1, %66, %67; }"
                 : D16(0), D16(16), D16(32), D16(48)
                 : "l"(a), "l"(b), "n"(a_major), "n"(b_major));
}

template <bool a_mn, bool b_mn>
__device__ void multiply(const uint16_t *A, const uint16_t *B, float *D, Written wa, Written wb, Described da,
                         Described db, int before) {
    extern __shared__ uint8_t shared[];
    const uint32_t from = uint32_t(__cvta_generic_to_shared(shared)), base = (from + 1023) / 1024 * 1024;
    uint8_t *const bytes = shared + (base - from);
    for (int i = threadIdx.x; i < 65536; i += blockDim.x)
        bytes[i] = 0;
    __syncthreads();
    // The stage before, where a kernel has one (at the byte `before`): A moved by one k.
    for (int i = threadIdx.x; before >= 0 && i < M * K; i += blockDim.x)
        *(uint16_t *)(bytes + place({wa.mn_major, wa.width, before, wa.leading, wa.stride, wa.phase}, i / K, i % K)) =
            A[i / K * K + (i + K - 1) % K];
    for (int i = threadIdx.x; i < M * K; i += blockDim.x)
        *(uint16_t *)(bytes + place(wa, i / K, i % K)) = A[i];
    for (int i = threadIdx.x; i < N * K; i += blockDim.x)
        *(uint16_t *)(bytes + place(wb, i / K, i % K)) = B[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[64] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < K / 16; ++k)
        wgmma<a_mn, b_mn>(d, descriptor(da, base, k), descriptor(db, base, k));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    for (int i = 0; i < 64; ++i)
        D[(16 * warp + group + 8 * (i / 2 % 2)) * N + 8 * (i / 4) + 2 * pair + i % 2] = d[i];
}

constexpr int B0 = 32768;  // where B lies
constexpr Written a128 = {false, 128, 0, 16, 1024, 0}, b128 = {false, 128, B0, 16, 1024, 0};
constexpr Described da128 = {0, 16, 1024, 0, 1, false, 32}, db128 = {B0, 16, 1024, 0, 1, false, 32};
constexpr Written a64 = {false, 64, 0, 4096, 512, 0};                // two atoms along K
constexpr Written a_mn = {true, 128, 0, 8192, 1024, 0};
constexpr Written b_mn = {true, 128, B0, 8192, 1024, 0};             // two atoms along N, 8192 bytes apart
constexpr Described db_mn = {B0, 4096, 1024, 0, 1, true, 2048};      // and 4096 are given
constexpr Written a_off = {false, 128, 256, 16, 1024, 256};          // the pattern begins where the tile does
constexpr Described da_off = {256, 16, 1024, 0, 1, false, 32};
constexpr Written a_next = {false, 128, 8192, 16, 1024, 0};          // the second stage is meant

#define KERNEL(name, amn, bmn, wa, wb, da, db, before)                                           \
    extern "C" __global__ void name(const uint16_t *A, const uint16_t *B, float *D) {            \
        multiply<amn, bmn>(A, B, D, wa, wb, da, db, before);                                     \
    }
KERNEL(right, false, false, a128, b128, da128, db128, -1)
KERNEL(wrong_mode, false, false, a64, b128, da128, db128, -1)
KERNEL(wrong_major, false, false, a_mn, b128, da128, db128, -1)
KERNEL(wrong_lbo, false, true, a128, b_mn, da128, db_mn, -1)
KERNEL(wrong_base_offset, false, false, a_off, b128, da_off, db128, -1)
KERNEL(wrong_stage, false, false, a_next, b128, da128, db128, 0)

#define OK(call)                                                              \
    do {                                                                      \
        cudaError_t status = (call);                                          \
        if (status != cudaSuccess) {                                          \
            fprintf(stderr, "%s: %s\n", cudaGetErrorName(status), #call);     \
            return 3;                                                         \
        }                                                                     \
    } while (0)

static uint16_t bits(int x) {  // of a small whole number, in bf16
    float value = float(x);
    uint32_t word;
    memcpy(&word, &value, 4);
    return uint16_t(word >> 16);
}

// Every element of a matrix may be told from those around it.
static int number_a(int m, int k) { return (m * 37 + k * 11 + m * k) % 251 - 125; }
static int number_b(int n, int k) { return (n * 29 + k * 17 + n * k) % 241 - 120; }

static void save(const std::string &path, const std::vector<uint16_t> &data, int rows) {
    FILE *file = fopen(path.c_str(), "wb");
    char head[119];
    int length = snprintf(head, sizeof head, "{'descr': '<u2', 'fortran_order': False, 'shape': (%d, %d), }", rows, K);
    memset(head + length, ' ', sizeof head - length);
    head[117] = '\n';
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(head, 1, 118, file);
    fwrite(data.data(), 2, data.size(), file);
    fclose(file);
}

uint16_t expected_a[M * K], expected_b[N * K];  // a debugger can ask for them

int main(int argc, char **argv) {
    std::vector<uint16_t> A(M * K), B(N * K);
    for (int i = 0; i < M * K; ++i)
        expected_a[i] = A[i] = bits(number_a(i / K, i % K));
    for (int i = 0; i < N * K; ++i)
        expected_b[i] = B[i] = bits(number_b(i / K, i % K));
    if (argc == 3) {
        save(std::string(argv[2]) + "/A.npy", A, M);
        save(std::string(argv[2]) + "/B.npy", B, N);
        return 0;
    }
    uint16_t *a, *b;
    float *d;
    OK(cudaMalloc(&a, A.size() * 2));
    OK(cudaMalloc(&b, B.size() * 2));
    OK(cudaMalloc(&d, M * N * 4));
    OK(cudaMemcpy(a, A.data(), A.size() * 2, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, B.data(), B.size() * 2, cudaMemcpyHostToDevice));
    const struct {
        const char *name;
        const void *kernel;
    } all[] = {{"right", (void *)right},
               {"wrong_mode", (void *)wrong_mode},
               {"wrong_major", (void *)wrong_major},
               {"wrong_lbo", (void *)wrong_lbo},
               {"wrong_base_offset", (void *)wrong_base_offset},
               {"wrong_stage", (void *)wrong_stage}};
    for (auto &each : all) {
        if (argc == 2 && strcmp(argv[1], each.name))
            continue;
        OK(cudaFuncSetAttribute(each.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 66560));
        void *arguments[] = {&a, &b, &d};
        OK(cudaLaunchKernel(each.kernel, dim3(1), dim3(128), arguments, 66560, nullptr));
        OK(cudaDeviceSynchronize());
        std::vector<float> D(M * N);
        OK(cudaMemcpy(D.data(), d, D.size() * 4, cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int m = 0; m < M; ++m)
            for (int n = 0; n < N; ++n) {
                long sum = 0;
                for (int k = 0; k < K; ++k)
                    sum += long(number_a(m, k)) * number_b(n, k);
                wrong += D[m * N + n] != float(sum);
            }
        printf("%-18s %5d of %d wrong\n", each.name, wrong, M * N);
    }
    return 0;
}
