#include <cstdint>
#include <cstdio>
// A descriptor that leads out of shared memory.
extern "C" __global__ void outside(float *D) {
    extern __shared__ uint8_t shared[];
    const uint32_t from = uint32_t(__cvta_generic_to_shared(shared)), base = (from + 1023) / 1024 * 1024;
    float d[4] = {};
    uint64_t a = (base & 0x3ffff) >> 4 | 1ull << 16 | uint64_t(64) << 32 | 1ull << 62;
    uint64_t b = (base & 0x3ffff) >> 4 | 1ull << 16 | uint64_t(0x3fff) << 32 | 1ull << 62;
    a |= uint64_t(0x3fff & ~63) << 32;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) D[threadIdx.x * 4 + i] = d[i];
}
int main() {
    float *d; cudaMalloc(&d, 8192);
    outside<<<1, 128, 8192>>>(d);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
