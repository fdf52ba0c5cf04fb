#include <cstdint>
#include <cuda.h>
#ifndef STAGES
#define STAGES 4
#endif
#ifndef BN
#define BN 256
#endif
#ifndef RING
#define RING 0
#endif
__device__ uint32_t su(const void* p){ return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void mb_init(uint32_t b, int c){ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"::"r"(b),"r"(c)); }
__device__ void mb_expect(uint32_t b, int n){ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"::"r"(b),"r"(n):"memory"); }
__device__ void mb_wait(uint32_t b, int ph){ asm volatile("{\n.reg .pred p;\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra L;\nD:\n}"::"r"(b),"r"(ph):"memory"); }
__device__ void tma(uint32_t d, const CUtensorMap* m, uint32_t b, int x, int y){ asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"::"r"(d),"l"(m),"r"(b),"r"(x),"r"(y):"memory"); }
__device__ uint64_t desc(uint32_t a){ return (uint64_t)((a & 0x3FFFF)>>4) | (uint64_t)1<<16 | (uint64_t)64<<32 | (uint64_t)1<<46 | (uint64_t)2<<61; }
#define IDESC ((1u<<4)|(1u<<7)|(1u<<10)|((BN/8)<<17)|((128/16)<<24))
__device__ void mma(uint32_t d, uint64_t a, uint64_t b, uint32_t acc){ asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\ntcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}"::"r"(d),"l"(a),"l"(b),"r"(IDESC),"r"(acc)); }
__global__ void __launch_bounds__(192) gemm100(const __grid_constant__ CUtensorMap ma, const __grid_constant__ CUtensorMap mb, float* c, int K){
  extern __shared__ __align__(1024) uint8_t raw[];
  uint32_t base=(su(raw)+1023)&~1023u;
  uint32_t A=base, B=base+STAGES*16384, full=B+STAGES*BN*128, empty=full+STAGES*8, done=empty+STAGES*8, slot=done+8;
  int w=threadIdx.x/32;
  if(threadIdx.x==0){ for(int i=0;i<STAGES;i++){mb_init(full+8*i,1);mb_init(empty+8*i,1);} mb_init(done,1); asm volatile("fence.proxy.async.shared::cta;"); }
  if(w==1) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 256;"::"r"(slot));
  __syncthreads();
  uint32_t tm; asm volatile("ld.shared.b32 %0, [%1];":"=r"(tm):"r"(slot));
  int kb=K/64;
  if(w==0 && threadIdx.x==0){
    for(int k=0;k<kb;k++){ int st=k%STAGES, ph=(k/STAGES)&1;
      mb_wait(empty+8*st,ph^1);
      mb_expect(full+8*st,16384+BN*128);
      tma(A+st*16384,&ma,full+8*st,k*64,blockIdx.y*128);
      tma(B+st*BN*128,&mb,full+8*st,k*64,blockIdx.x*BN);
    }
  } else if(threadIdx.x==32){
    for(int k=0;k<kb;k++){ int st=k%STAGES, ph=(k/STAGES)&1;
      mb_wait(full+8*st,ph);
#pragma unroll
      for(int kk=0;kk<4;kk++) mma(tm,desc(A+st*16384+kk*32),desc(B+st*BN*128+kk*32),(k|kk)!=0);
      asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"::"r"(empty+8*st));
    }
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"::"r"(done));
  }
  mb_wait(done,0);
  float v; asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];":"=f"(v):"r"(tm)); asm volatile("tcgen05.wait::ld.sync.aligned;");
  c[blockIdx.x*192+threadIdx.x]=v;
  __syncthreads();
  if(w==1) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 256;"::"r"(tm));
}
