// Hopper, bf16. The host's tensor map of A and the kernel's descriptor of it, K-major, 64 rows, at byte 0x400.
#include <cstdint>

// cuTensorMapEncodeTiled: box {32, 64}, CU_TENSOR_MAP_SWIZZLE_64B
__device__ std::uint64_t descriptor_of_a() { return 0x4000004000010040ull; }
