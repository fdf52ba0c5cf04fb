// Whether bit 85 of a tensor map, its allocation class, changes a copy near unmapped memory:
// nvcc -gencode=arch=compute_90a,code=sm_90a allocation.cu -lcuda && ./a.out
// A tensor of 16 lines of 64 words (2 KiB) begins DISTANCE bytes before unmapped memory; a copy takes a box of
// 64 x 16 words at X, Y. For each line: DISTANCE X Y ROWS BIT, then the sum of what arrived, or the error of the
// driver. ROWS 32 is the control: the map says that the tensor goes on in unmapped memory. Each case is a process of
// its own, since a fault ends all that a process does on the GPU.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

typedef unsigned short Word;
constexpr int COLUMNS = 64, LINES = 16, BYTES = 2 * COLUMNS * LINES;

__global__ void copy(const __grid_constant__ CUtensorMap map, int x, int y, unsigned *sum) {
    __shared__ __align__(1024) Word memory[COLUMNS * LINES];
    __shared__ long barrier;
    for (int i = 0; i < COLUMNS * LINES; i++) memory[i] = 0xFFFF;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned at = (unsigned)__cvta_generic_to_shared(memory);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async;");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(BYTES));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(at), "l"(&map), "r"(x), "r"(y), "r"(bar) : "memory");
    long begin = clock64();
    while (clock64() - begin < 200000) {
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < COLUMNS * LINES; i++) *sum = *sum * 31 + ((volatile Word *)memory)[i];
}

static void check(CUresult result) {
    if (!result) return;
    const char *name;
    cuGetErrorName(result, &name);
    puts(name);
    exit(0);
}

static void run(size_t distance, int x, int y, int rows, int bit) {
    CUdevice device;
    CUcontext context;
    check(cuInit(0));
    check(cuDeviceGet(&device, 0));
    check(cuDevicePrimaryCtxRetain(&context, device));
    check(cuCtxSetCurrent(context));
    CUmemAllocationProp where = {};
    where.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    where.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    size_t size;
    check(cuMemGetAllocationGranularity(&size, &where, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemGenericAllocationHandle handle;
    CUdeviceptr begin;
    check(cuMemCreate(&handle, size, &where, 0));
    check(cuMemAddressReserve(&begin, 4 * size, 0, 0, 0));
    check(cuMemMap(begin, size, 0, handle, 0));
    CUmemAccessDesc access = {where.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    check(cuMemSetAccess(begin, size, &access, 1));
    Word words[COLUMNS * LINES];
    for (int i = 0; i < COLUMNS * LINES; i++) words[i] = i + 1;
    CUdeviceptr tensor = begin + size - distance;
    check(cuMemcpyHtoD(tensor, words, BYTES));
    cuuint64_t dims[] = {COLUMNS, (cuuint64_t)rows}, strides[] = {2 * COLUMNS};
    cuuint32_t box[] = {COLUMNS, LINES}, steps[] = {1, 1};
    CUtensorMap map;
    check(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, (void *)tensor, dims, strides, box, steps,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    unsigned *word = (unsigned *)&map + 2, own = *word >> 21 & 1;
    if (own) printf("the driver set it; ");
    *word |= bit << 21;
    CUdeviceptr sum;
    check(cuMemAlloc(&sum, 4));
    check(cuMemsetD32(sum, 0, 1));
    copy<<<1, 1>>>(map, x, y, (unsigned *)sum);
    check(cuCtxSynchronize());
    unsigned arrived;
    check(cuMemcpyDtoH(&arrived, sum, 4));
    printf("%u\n", arrived);
    exit(0);
}

int main() {
    const int starts[][2] = {{0, 0}, {32, 8}, {-32, -8}, {64, 16}, {0, 12}};
    const size_t distances[] = {2048, 4096, 65536, 131072, 262144};
    for (size_t distance : distances)
        for (auto &start : starts)
            for (int control = 0; control < (distance == 2048 && start[1] == 12 ? 2 : 1); control++)
                for (int bit = 0; bit < 2; bit++) {
                    int rows = control ? 2 * LINES : LINES;
                    printf("%zu %d %d %d %d ", distance, start[0], start[1], rows, bit);
                    fflush(stdout);
                    if (!fork()) run(distance, start[0], start[1], rows, bit);
                    wait(nullptr);
                }
}
