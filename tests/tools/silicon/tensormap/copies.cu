// What a copy of a tensor map leaves in shared memory: nvcc -gencode=arch=compute_90a,code=sm_90a copies.cu -lcuda
// Each line of standard input is a case: data type, rank (2 or 3), interleave, swizzle, bytes of the copy, where in shared
// memory it goes, dimensions, strides, box, element strides. Word i of the tensor is i; memory is 0xFFFF before.
// Arguments are bits to flip in each map before it is used: ./a.out 65 188 < cases.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>

typedef unsigned short Word;
constexpr int WORDS = 16384;

__global__ void copy(const __grid_constant__ CUtensorMap map, int rank, int bytes, int to, Word *out) {
    extern __shared__ __align__(1024) Word memory[];
    __shared__ long barrier;
    for (int i = 0; i < WORDS; i++) memory[i] = 0xFFFF;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned at = (unsigned)__cvta_generic_to_shared(memory) + to;
    int zero = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async;");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes));
#define COPY(D, C)                                                                                             \
    if (rank == D)                                                                                             \
        asm volatile("cp.async.bulk.tensor." #D "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], " \
                     "[%1, {" C "}], [%3];" ::"r"(at), "l"(&map), "r"(zero), "r"(bar) : "memory");
    COPY(2, "%2,%2")
    COPY(3, "%2,%2,%2")
    long begin = clock64();
    while (clock64() - begin < 200000) {
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < WORDS; i++) out[i] = ((volatile Word *)memory)[i];
}

int main(int count, char **bits) {
    Word *tensor, *out;
    cudaFree(0);
    cudaMallocManaged(&tensor, 131072);
    cudaMallocManaged(&out, 2 * WORDS);
    for (int i = 0; i < 65536; i++) tensor[i] = i;
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        char *at = line;
        int given[30];
        for (int &each : given) each = strtol(at, &at, 0);
        int rank = given[1], *next = given + 6;
        cuuint64_t dims[3], strides[3];
        cuuint32_t box[3], steps[3];
        for (int i = 0; i < rank; i++) dims[i] = *next++;
        for (int i = 1; i < rank; i++) strides[i - 1] = *next++;
        for (int i = 0; i < rank; i++) box[i] = *next++;
        for (int i = 0; i < rank; i++) steps[i] = *next++;
        CUtensorMap map;
        int refused = cuTensorMapEncodeTiled(
            &map, (CUtensorMapDataType)given[0], rank, tensor, dims, strides, box, steps,
            (CUtensorMapInterleave)given[2], (CUtensorMapSwizzle)given[3], CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        printf("%s", line);
        for (int i = 1; i < count; i++) ((char *)&map)[atoi(bits[i]) / 8] ^= 1 << atoi(bits[i]) % 8;
        if (!refused) {
            copy<<<1, 1, 2 * WORDS + 1024>>>(map, rank, given[4], given[5], out);
            if (cudaDeviceSynchronize()) return 1;
            for (int i = 0; i < WORDS; i += 8)
                if (out[i] != 0xFFFF || out[i + 1] != 0xFFFF) printf("%d:%d ", i / 8, out[i]);
        }
        puts(refused ? "refused" : "");
    }
}
