
#include <cstdint>
union WDesc {                       // the layout CUTLASS's headers give it
  uint64_t u; uint32_t r[2];
  struct { uint16_t start_address_ : 14, : 2; uint16_t leading_byte_offset_ : 14, : 2;
           uint16_t stride_byte_offset_ : 14, : 2;
           uint8_t : 1, base_offset_ : 3, : 4; uint8_t : 6, layout_type_ : 2; } bitfield;
};
union TDesc {
  uint64_t u; uint32_t lohi[2];
  struct { uint16_t start_address_ : 14, : 2; uint16_t leading_byte_offset_ : 14, : 2;
           uint16_t stride_byte_offset_ : 14, version_ : 2;
           uint8_t : 1, base_offset_ : 3, lbo_mode_ : 1, : 3; uint8_t : 5, layout_type_ : 3; } bitfield;
};
struct Pair { uint64_t a, b; };
__device__ __forceinline__ uint64_t enc(uint64_t x) { return (x & 0x3FFFF) >> 4; }
__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ uint64_t w_union(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  WDesc d; d.u = 0;
  d.bitfield.start_address_ = addr >> 4; d.bitfield.leading_byte_offset_ = lbo >> 4;
  d.bitfield.stride_byte_offset_ = sbo >> 4; d.bitfield.base_offset_ = 0; d.bitfield.layout_type_ = code;
  return d.u;
}
__device__ __forceinline__ uint64_t w_or(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  uint64_t d = 0;
  d |= enc(addr); d |= enc(lbo) << 16; d |= enc(sbo) << 32; d |= (uint64_t)code << 62;
  return d;
}
__device__ __forceinline__ uint64_t w_plus(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  const uint64_t fixed = ((uint64_t)code << 62) | ((uint64_t)(sbo >> 4) << 32) | ((uint64_t)(lbo >> 4) << 16);
  return fixed + ((addr & 0x3FFFF) >> 4);
}
template <uint32_t lbo, uint32_t sbo, uint32_t code> __device__ __forceinline__ uint64_t w_asm(uint32_t addr) {
  uint64_t d;
  asm("{\n .reg .b32 lo, hi;\n bfe.u32 lo, %1, 4, 14;\n or.b32 lo, lo, %2;\n"
      " mov.b32 hi, %3;\n mov.b64 %0, {lo, hi};\n}\n"
      : "=l"(d) : "r"(addr), "r"((lbo >> 4) << 16), "n"((int)((code << 30) | (sbo >> 4))));
  return d;
}
__device__ __forceinline__ uint64_t t_union(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  TDesc d; d.u = 0;
  d.bitfield.version_ = 1; d.bitfield.lbo_mode_ = 0; d.bitfield.layout_type_ = code;
  d.bitfield.start_address_ = addr >> 4; d.bitfield.leading_byte_offset_ = lbo >> 4;
  d.bitfield.stride_byte_offset_ = sbo >> 4;
  return d.u;
}
__device__ __forceinline__ uint64_t t_or(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  return enc(addr) | enc(lbo) << 16 | enc(sbo) << 32 | 1ull << 46 | (uint64_t)code << 61;
}
__device__ __forceinline__ uint64_t t_plus(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  const uint64_t fixed = ((uint64_t)code << 61) | (1ull << 46) | ((uint64_t)(sbo >> 4) << 32) |
                         ((uint64_t)(lbo >> 4) << 16);
  return fixed + ((addr & 0x3FFFF) >> 4);
}
template <uint32_t lbo, uint32_t sbo, uint32_t code> __device__ __forceinline__ uint64_t t_asm(uint32_t addr) {
  uint64_t d;
  asm("{\n .reg .b32 lo, hi;\n bfe.u32 lo, %1, 4, 14;\n or.b32 lo, lo, %2;\n"
      " mov.b32 hi, %3;\n mov.b64 %0, {lo, hi};\n}\n"
      : "=l"(d) : "r"(addr), "r"((lbo >> 4) << 16), "n"((int)((code << 29) | (1 << 14) | (sbo >> 4))));
  return d;
}
// The LBO field holds an address: that of the second half of a K that leaves its 128 bytes (sm_103a).
__device__ __forceinline__ uint64_t t_absolute(uint32_t addr, uint32_t next, uint32_t sbo, uint32_t code) {
  TDesc d; d.u = t_union(addr, next, sbo, code); d.bitfield.lbo_mode_ = 1;
  return d.u;
}
__device__ __noinline__ uint64_t w_call(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  return w_or(addr, lbo, sbo, code);
}
__device__ __noinline__ uint64_t t_call(uint32_t addr, uint32_t lbo, uint32_t sbo, uint32_t code) {
  return t_or(addr, lbo, sbo, code);
}
__device__ __forceinline__ uint64_t add_low(uint64_t d, uint32_t by) { WDesc x; x.u = d; x.r[0] += by; return x.u; }
__device__ __forceinline__ uint64_t add_wide(uint64_t d, uint32_t by) { return d + by; }
