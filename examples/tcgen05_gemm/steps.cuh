// The four MMA steps of a tile of K, as compile-time constants, and the run-time address put into them.
#pragma once
#include <cstdint>
#include <utility>

template <uint64_t... descriptors>
using Steps = std::integer_sequence<uint64_t, descriptors...>;
#define STEPS(name) Steps<name##_mn0_k0, name##_mn0_k1, name##_mn0_k2, name##_mn0_k3>

// Put the address of the tile into a descriptor that begins at byte 0. Only the low word changes.
template <uint64_t descriptor>
__device__ uint64_t at(uint32_t tile)
{
    const uint32_t low = uint32_t(descriptor) + ((tile & 0x3ffff) >> 4);
    return descriptor >> 32 << 32 | low;
}
