// Three kernels without a tensor-core instruction, then one whose tensor maps are bytes, as in cuBLASLt: the first half
// of each, one after the other. The same product with whole maps must give the same numbers.
#define main main_of_maps
#include "mapped.cu"
#undef main
#include <vector>

struct Halves {
    alignas(64) unsigned char a[64], b[64];
};

extern "C" __global__ void write_numbers(uint16_t *data) {
    for (int i = threadIdx.x; i < BYTES / 2; i += blockDim.x)
        data[i] = 0x3f80 + i % 50;  // bf16 numbers from 1 on
}
extern "C" __global__ void double_them(float *D) { D[threadIdx.x] *= 2; }
extern "C" __global__ void packed(const __grid_constant__ Halves maps, float *D) {
    multiply((const CUtensorMap *)maps.a, K, (const CUtensorMap *)maps.b, D);
}

int main() {
    uint16_t *data;
    float *D;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    cudaMalloc(&data, BYTES);
    cudaMalloc(&D, M * N * 4);
    const CUtensorMap a = map(data, M, K, CU_TENSOR_MAP_SWIZZLE_128B), b = map(data, N, K, CU_TENSOR_MAP_SWIZZLE_128B);
    cudaMemcpyToSymbol(constant_b, &b, sizeof b);
    Halves halves;
    memcpy(halves.a, &a, 64);
    memcpy(halves.b, &b, 64);
    std::vector<float> results[2] = {std::vector<float>(M * N), std::vector<float>(M * N)};
    write_numbers<<<1, 256>>>(data);
    double_them<<<1, 32>>>(D);
    write_numbers<<<1, 256>>>(data);
    packed<<<1, 128, BYTES + 1024>>>(halves, D);
    cudaMemcpy(results[0].data(), D, M * N * 4, cudaMemcpyDeviceToHost);
    right_map<<<1, 128, BYTES + 1024>>>(a, D);
    cudaMemcpy(results[1].data(), D, M * N * 4, cudaMemcpyDeviceToHost);
    const bool same = results[0] == results[1] && results[0][0] > 1;
    printf("%s, %s\n", cudaGetErrorName(cudaDeviceSynchronize()), same ? "halves are maps" : "the numbers differ");
}
