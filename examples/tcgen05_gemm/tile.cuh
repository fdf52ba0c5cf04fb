// Where the elements of a tile lie in shared memory, said without descriptors: what a kernel has to write.
#pragma once
#include <cstdint>

enum class Major { K, MN };  // which dimension is contiguous; as numbers, what the MMA's transpose bits are

// A swizzle atom is `lines` lines of `width` bytes. The swizzle XORs address bits `mask`, moved down by `shift`, into
// the address.
struct Mode {
    int width, lines;
    uint32_t mask;
    int shift;
};
constexpr Mode mode_none{16, 8, 0x000, 3};
constexpr Mode mode_32B{32, 8, 0x080, 3};
constexpr Mode mode_64B{64, 8, 0x180, 3};
constexpr Mode mode_128B{128, 8, 0x380, 3};
constexpr Mode mode_128B_32B{128, 4, 0x180, 2};  // tcgen05 only: moves units of 32 bytes, not of 16

// The shared-memory address of element (mn, k) in a tile that has MN elements along mn.
template <class T, Major major, Mode mode, int MN>
__host__ __device__ constexpr uint32_t place(uint32_t tile, int mn, int k)
{
    const int line = major == Major::K ? mn : k;
    const int byte = (major == Major::K ? k : mn) * int(sizeof(T));
    // Whole atoms lie one after another, first along MN, then along K.
    const int down = line / mode.lines, across = byte / mode.width;
    const int atom = major == Major::K ? down + across * (MN / mode.lines)
                                       : across + down * (MN * int(sizeof(T)) / mode.width);
    const uint32_t address = tile + atom * mode.lines * mode.width  //
                             + line % mode.lines * mode.width + byte % mode.width;
    // On the address itself, not on the offset in the tile: the hardware knows no tile.
    return address ^ (address & mode.mask) >> mode.shift;
}

// Copy MN x K elements of a matrix, by all threads of the CTA.
template <class T, Major major, Mode mode, int MN, int K, int threads>
__device__ void fill(uint32_t tile, const T* matrix, int stride_mn, int stride_k)
{
#pragma unroll 1  // keeps the SASS readable
    for (int i = threadIdx.x; i < MN * K; i += threads) {
        const int mn = i / K, k = i % K;
        void* to = __cvta_shared_to_generic(place<T, major, mode, MN>(tile, mn, k));
        *static_cast<T*>(to) = matrix[mn * stride_mn + k * stride_k];
    }
}
