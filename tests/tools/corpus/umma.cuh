
union IDesc {                       // the layout CUTLASS's headers give it
  uint32_t u;
  struct { uint16_t sparse_id2_ : 2, sparse_flag_ : 1, saturate_ : 1, c_format_ : 2, : 1, a_format_ : 3, b_format_ : 3,
           a_negate_ : 1, b_negate_ : 1, a_major_ : 1;
           uint16_t b_major_ : 1, n_dim_ : 6, : 1, m_dim_ : 5, : 1, max_shift_ : 2; } f;
};
union SDesc {
  uint32_t u;
  struct { uint16_t sparse_id2_ : 2, sparse_flag_ : 1, : 1, b_sf_id_ : 2, : 1, a_format_ : 3, b_format_ : 3,
           a_negate_ : 1, b_negate_ : 1, a_major_ : 1;
           uint16_t b_major_ : 1, n_dim_ : 6, scale_format_ : 1, m_dim_ : 5, a_sf_id_ : 2, k_size_ : 1; } f;
};
struct Dense { uint32_t sel, sparse, sat, d, a, b, na, nb, ta, tb, n, m, shift; };
struct Scaled { uint32_t sparse, sfb, a, b, na, nb, ta, tb, n, scale, m, sfa, k; };
__device__ __forceinline__ uint32_t i_union(Dense x) {
  IDesc d; d.u = 0;
  d.f.sparse_id2_ = x.sel; d.f.sparse_flag_ = x.sparse; d.f.saturate_ = x.sat; d.f.c_format_ = x.d;
  d.f.a_format_ = x.a; d.f.b_format_ = x.b; d.f.a_negate_ = x.na; d.f.b_negate_ = x.nb; d.f.a_major_ = x.ta;
  d.f.b_major_ = x.tb; d.f.n_dim_ = x.n >> 3; d.f.m_dim_ = x.m >> 4; d.f.max_shift_ = x.shift;
  return d.u;
}
__device__ __forceinline__ uint32_t i_or(Dense x) {
  return x.sel | x.sparse << 2 | x.sat << 3 | x.d << 4 | x.a << 7 | x.b << 10 | x.na << 13 | x.nb << 14 | x.ta << 15 |
         x.tb << 16 | (x.n >> 3) << 17 | (x.m >> 4) << 24 | x.shift << 30;
}
// CUTLASS hands the instruction descriptor on in the high half of 64 bits.
__device__ __forceinline__ uint32_t i_high(Dense x) {
  uint64_t e = (uint64_t)i_or(x) << 32;
  return (uint32_t)(e >> 32);
}
__device__ __forceinline__ uint32_t i_union(Scaled x) {
  SDesc d; d.u = 0;
  d.f.sparse_flag_ = x.sparse; d.f.b_sf_id_ = x.sfb; d.f.a_format_ = x.a; d.f.b_format_ = x.b; d.f.a_negate_ = x.na;
  d.f.b_negate_ = x.nb; d.f.a_major_ = x.ta; d.f.b_major_ = x.tb; d.f.n_dim_ = x.n >> 3; d.f.scale_format_ = x.scale;
  d.f.m_dim_ = x.m >> 4; d.f.a_sf_id_ = x.sfa; d.f.k_size_ = x.k;
  return d.u;
}
__device__ __forceinline__ uint32_t i_or(Scaled x) {
  return x.sparse << 2 | x.sfb << 4 | x.a << 7 | x.b << 10 | x.na << 13 | x.nb << 14 | x.ta << 15 | x.tb << 16 |
         (x.n >> 3) << 17 | x.scale << 23 | (x.m >> 7) << 27 | x.sfa << 29 | x.k << 31;
}
__device__ __forceinline__ uint32_t i_high(Scaled x) {
  uint64_t e = (uint64_t)i_or(x) << 32;
  return (uint32_t)(e >> 32);
}
__device__ __forceinline__ uint32_t elect_one() {
  uint32_t yes;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}\n" : "=r"(yes));
  return yes;
}
