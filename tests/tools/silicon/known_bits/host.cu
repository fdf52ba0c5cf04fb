// Runs kernels of a cubin on many inputs and writes what all results have in common.
//
//     host --about                      one line of JSON about the GPU
//     host CUBIN COUNT                  the kernels k000, k001, ... of silicon.known_bits.kernels
//
// For each kernel one line: its name, then for both values the AND and the OR over all threads and launches, and
// last a digest (FNV-1a of 64-bit words) of the values of one warp of each of the first launches, hexadecimal. The inputs depend on nothing, so that cubins of one source are given the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int threads = 128, blocks = 64, inputs = 16, launches = 64, digested = 4;
constexpr int words = blocks * threads * 4;  // 32 bytes of input for each thread

#define OK(call)                                                                              \
    do {                                                                                      \
        cudaError_t status = (call);                                                          \
        if (status != cudaSuccess) {                                                          \
            fprintf(stderr, "%s: %s\n", cudaGetErrorName(status), #call);                     \
            exit(3);                                                                          \
        }                                                                                     \
    } while (0)

static uint64_t any(uint64_t index) {  // splitmix64
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// kernels.py makes the same words.
static uint64_t word(uint64_t index) {  // a third are numbers at which things change, or small
    static const uint64_t special[] = {0, ~0ull, 1, 1ull << 63, 0xffffffffull, 1ull << 31, 0x7fffffffull, 32, 64};
    uint64_t which = any(3 * index) % 6, more = any(3 * index + 1), value = any(3 * index + 2);
    if (which == 0) return special[more % (sizeof special / sizeof *special)];
    return which == 1 ? value >> more % 64 : value;
}

__global__ void gather(const ulonglong2 *values, unsigned long long *found) {
    ulonglong2 value = values[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAnd(found + 0, value.x);
    atomicOr(found + 1, value.x);
    atomicAnd(found + 2, value.y);
    atomicOr(found + 3, value.y);
}

static int about() {
    cudaDeviceProp chip;
    OK(cudaGetDeviceProperties(&chip, 0));
    printf("{\"chip\": \"%s\", \"compute_capability\": \"%d.%d\", \"threads\": %d}\n", chip.name, chip.major,
           chip.minor, threads * blocks * launches);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--about")) return about();
    if (argc != 3) {
        fprintf(stderr, "usage: host --about | host CUBIN COUNT\n");
        return 2;
    }
    std::vector<uint64_t> given(inputs * words);
    uint64_t index = 0;
    for (auto &each : given) each = word(index++);
    struct {
        uint64_t wide;
        uint32_t number;
    } parameters[launches];
    for (auto &each : parameters) {
        each.wide = word(index++);
        each.number = uint32_t(word(index++));
    }
    uint64_t *in, *out;
    unsigned long long *found;
    OK(cudaMalloc(&in, given.size() * sizeof given[0]));
    OK(cudaMemcpy(in, given.data(), given.size() * sizeof given[0], cudaMemcpyHostToDevice));
    OK(cudaMalloc(&out, blocks * threads * sizeof(ulonglong2)));
    OK(cudaMalloc(&found, 4 * sizeof *found));
    cudaLibrary_t library;
    OK(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
    for (int number = 0; number < atoi(argv[2]); number++) {
        char name[16];
        snprintf(name, sizeof name, "k%03d", number);
        cudaKernel_t kernel;
        OK(cudaLibraryGetKernel(&kernel, library, name));
        unsigned long long digest = 0xcbf29ce484222325ull;
        unsigned long long result[4] = {~0ull, 0, ~0ull, 0};
        OK(cudaMemcpy(found, result, sizeof result, cudaMemcpyHostToDevice));
        for (int launch = 0; launch < launches; launch++) {
            uint64_t *from = in + launch % inputs * words;
            uint32_t never = 0;
            void *arguments[] = {&from, &out, &parameters[launch].wide, &parameters[launch].number, &never};
            OK(cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(threads), arguments, 0, nullptr));
            if (launch < digested) {
                uint64_t some[2 * 32];
                OK(cudaDeviceSynchronize());
                OK(cudaMemcpy(some, out + 2 * ((7 * launch + 3) * threads + launch % 4 * 32), sizeof some,
                              cudaMemcpyDeviceToHost));
                for (uint64_t value : some) digest = (digest ^ value) * 0x100000001b3ull;
            }
            gather<<<blocks, threads>>>((const ulonglong2 *)out, found);
        }
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(result, found, sizeof result, cudaMemcpyDeviceToHost));
        printf("%s %llx %llx %llx %llx %llx\n", name, result[0], result[1], result[2], result[3], digest);
    }
    return 0;
}
