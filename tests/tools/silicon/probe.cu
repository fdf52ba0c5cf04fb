// Which byte of shared memory does each element of a wgmma operand come from?
//
// Shared memory is filled with values that name their own address, the other operand is an identity, and D then
// holds the names of the elements that were read. The types are too narrow to hold a whole address, so that the same
// descriptor is issued once for every digit of it ("plane"), and once more with ones everywhere: a sum of two elements,
// or an element from outside of the filled memory, does not read 1 there. Descriptors come ready made from the input.
//
// Input:   "plain A B" (addresses of the operands that are no question), then lines "FORM DESCRIPTOR_A DESCRIPTOR_B".
// Output:  32-bit little-endian numbers, for each case in turn: the byte address of every element, MN outside and
//          K inside; or the name of what every element of a register fragment is (forms "regs" and "acc").
// Status:  0; 2 the input is wrong; 3 a CUDA call failed, the memory fault of a descriptor among them; 4 something
//          was read where the other operand is zero: the answers are written, but are none.
//
// nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o probe probe.cu

#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

constexpr int THREADS = 128, M = 64;
constexpr int SHARED = 227 * 1024;  // the most a block gets on sm_90
constexpr int WINDOW_BITS = 18;     // of a shared-memory address
constexpr int PAIR = 2;             // non-zero elements of four in a 2:4 sparse row
constexpr uint32_t NOTHING = 0xffffffff;     // no named element was read
constexpr uint32_t UNREADABLE = 0xfffffffe;  // what was read is no digit

struct Case {
  uint64_t a, b;
};

struct Plain {
  uint32_t a, b;
};

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char* what, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s (line %d: %s)\n", cudaGetErrorName(status), line, what);
  std::exit(3);
}

static void refuse(const char* why, const char* what) {
  std::fprintf(stderr, "%s: %s\n", why, what);
  std::exit(2);
}

// ---- the types: how a small integer is written in them ----

template <int Bytes, int Bias, int Mantissa, int Digit>
struct Float {
  static constexpr int bytes = Bytes, digit = Digit;
  static __device__ uint32_t encode(uint32_t number) {
    if (number == 0) return 0;
    const int exponent = 31 - __clz(number);
    return (exponent + Bias) << Mantissa | (number << Mantissa >> exponent & ((1u << Mantissa) - 1));
  }
};

struct Integer {
  static constexpr int bytes = 1, digit = 6;
  static __device__ uint32_t encode(uint32_t number) { return number; }
};

using F16 = Float<2, 15, 10, 6>;
using BF16 = Float<2, 127, 7, 6>;
using TF32 = Float<4, 127, 23, 6>;
using E4M3 = Float<1, 7, 3, 4>;
using S8 = Integer;

struct DF32 {
  static constexpr int packed = 1;
  static __device__ float value(uint32_t bits, int) { return __uint_as_float(bits); }
};

struct DF16 {
  static constexpr int packed = 2;
  static __device__ float value(uint32_t bits, int element) {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(bits >> 16 * element)));
  }
};

struct DS32 {
  static constexpr int packed = 1;
  static __device__ float value(uint32_t bits, int) { return static_cast<float>(static_cast<int>(bits)); }
};

// ---- the instructions: registers of D are numbered in binary, db000, db001, ... ----

#define LIST1(i) "d" #i
#define LIST2(i) LIST1(i##0) ", " LIST1(i##1)
#define LIST4(i) LIST2(i##0) ", " LIST2(i##1)
#define LIST8(i) LIST4(i##0) ", " LIST4(i##1)
#define LIST16(i) LIST8(i##0) ", " LIST8(i##1)
#define LIST32(i) LIST16(i##0) ", " LIST16(i##1)
#define LIST64(i) LIST32(i##0) ", " LIST32(i##1)
#define LIST128(i) LIST64(i##0) ", " LIST64(i##1)

#define STORE1(i) "st.global.b32 [%0 + 4 * 0" #i "], d" #i ";\n"
#define STORE2(i) STORE1(i##0) STORE1(i##1)
#define STORE4(i) STORE2(i##0) STORE2(i##1)
#define STORE8(i) STORE4(i##0) STORE4(i##1)
#define STORE16(i) STORE8(i##0) STORE8(i##1)
#define STORE32(i) STORE16(i##0) STORE16(i##1)
#define STORE64(i) STORE32(i##0) STORE32(i##1)
#define STORE128(i) STORE64(i##0) STORE64(i##1)

#define DENSE "wgmma.mma_async.sync.aligned."
#define SPARSE "wgmma.mma_async.sp.sync.aligned."
#define FROM_SHARED "%1"
#define FROM_REGISTERS "{%4, %5, %6, %7}"
#define NO_METADATA ""
#define METADATA "%3, 0, "

// D = A * B of one instruction, each thread's registers of D to `out`. HEAD with shape and types, A as FROM_...,
// TAIL: what follows scale-d, that is the signs and which operand is transposed (MN-major).
#define INSTRUCTION(NAME, COUNT, HEAD, A, META, TAIL)                                                          \
  struct NAME {                                                                                                \
    static constexpr int registers = COUNT;                                                                    \
    static __device__ void issue(uint32_t* out, uint64_t a, uint64_t b, uint32_t meta, const uint32_t (&r)[4]) { \
      asm volatile(                                                                                            \
          "{\n.reg .pred add;\n.reg .b32 " LIST##COUNT(b) ";\n"                                                \
          "setp.ne.b32 add, %8, 0;\n"                                                                          \
          "wgmma.fence.sync.aligned;\n" HEAD " {" LIST##COUNT(b) "}, " A ", %2, " META "add" TAIL ";\n"        \
          "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" STORE##COUNT(b) "}\n"         \
          :                                                                                                    \
          : "l"(out), "l"(a), "l"(b), "r"(meta), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(0)            \
          : "memory");                                                                                         \
    }                                                                                                          \
  };

#define SIGNS ", 1, 1"
#define TRANSPOSED(A, B) ", 1, 1, " #A ", " #B

#define INSTRUCTIONS_16(T)                                                                                      \
  INSTRUCTION(T##_n8, 4, DENSE "m64n8k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))           \
  INSTRUCTION(T##_n16, 8, DENSE "m64n16k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))         \
  INSTRUCTION(T##_n32, 16, DENSE "m64n32k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))        \
  INSTRUCTION(T##_n256, 128, DENSE "m64n256k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))     \
  INSTRUCTION(T##_n16_a, 8, DENSE "m64n16k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(1, 0))       \
  INSTRUCTION(T##_n128_b, 64, DENSE "m64n128k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 1))    \
  INSTRUCTION(T##_n256_b, 128, DENSE "m64n256k16.f32." #T "." #T, FROM_SHARED, NO_METADATA, TRANSPOSED(0, 1))   \
  INSTRUCTION(T##_regs, 8, DENSE "m64n16k16.f32." #T "." #T, FROM_REGISTERS, NO_METADATA, ", 1, 1, 0")          \
  INSTRUCTION(T##_sp_n32, 16, SPARSE "m64n32k32.f32." #T "." #T, FROM_SHARED, METADATA, TRANSPOSED(0, 0))       \
  INSTRUCTION(T##_sp_n32_a, 16, SPARSE "m64n32k32.f32." #T "." #T, FROM_SHARED, METADATA, TRANSPOSED(1, 0))     \
  INSTRUCTION(T##_sp_n128_b, 64, SPARSE "m64n128k32.f32." #T "." #T, FROM_SHARED, METADATA, TRANSPOSED(0, 1))

#define INSTRUCTIONS_8(T, D, TAIL)                                                                   \
  INSTRUCTION(T##_n8, 4, DENSE "m64n8k32." #D "." #T "." #T, FROM_SHARED, NO_METADATA, TAIL)         \
  INSTRUCTION(T##_n32, 16, DENSE "m64n32k32." #D "." #T "." #T, FROM_SHARED, NO_METADATA, TAIL)      \
  INSTRUCTION(T##_n256, 128, DENSE "m64n256k32." #D "." #T "." #T, FROM_SHARED, NO_METADATA, TAIL)   \
  INSTRUCTION(T##_regs, 16, DENSE "m64n32k32." #D "." #T "." #T, FROM_REGISTERS, NO_METADATA, TAIL)  \
  INSTRUCTION(T##_sp_n32, 16, SPARSE "m64n32k64." #D "." #T "." #T, FROM_SHARED, METADATA, TAIL)     \
  INSTRUCTION(T##_sp_n64, 32, SPARSE "m64n64k64." #D "." #T "." #T, FROM_SHARED, METADATA, TAIL)

INSTRUCTIONS_16(f16)
INSTRUCTIONS_16(bf16)
INSTRUCTIONS_8(e4m3, f32, SIGNS)
INSTRUCTIONS_8(s8, s32, "")
INSTRUCTION(tf32_n8, 4, DENSE "m64n8k8.f32.tf32.tf32", FROM_SHARED, NO_METADATA, SIGNS)
INSTRUCTION(tf32_n32, 16, DENSE "m64n32k8.f32.tf32.tf32", FROM_SHARED, NO_METADATA, SIGNS)
INSTRUCTION(tf32_n256, 128, DENSE "m64n256k8.f32.tf32.tf32", FROM_SHARED, NO_METADATA, SIGNS)
INSTRUCTION(tf32_regs, 4, DENSE "m64n8k8.f32.tf32.tf32", FROM_REGISTERS, NO_METADATA, SIGNS)
INSTRUCTION(tf32_sp_n16, 8, SPARSE "m64n16k16.f32.tf32.tf32", FROM_SHARED, METADATA, SIGNS)
INSTRUCTION(tf32_sp_n32, 16, SPARSE "m64n32k16.f32.tf32.tf32", FROM_SHARED, METADATA, SIGNS)
INSTRUCTION(f16_f16_n8, 2, DENSE "m64n8k16.f16.f16.f16", FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))
INSTRUCTION(f16_f16_n32, 8, DENSE "m64n32k16.f16.f16.f16", FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))
INSTRUCTION(f16_f16_n256, 64, DENSE "m64n256k16.f16.f16.f16", FROM_SHARED, NO_METADATA, TRANSPOSED(0, 0))
INSTRUCTION(e4m3_f16_n8, 2, DENSE "m64n8k32.f16.e4m3.e4m3", FROM_SHARED, NO_METADATA, SIGNS)
INSTRUCTION(e4m3_f16_n32, 8, DENSE "m64n32k32.f16.e4m3.e4m3", FROM_SHARED, NO_METADATA, SIGNS)
INSTRUCTION(e4m3_f16_n256, 64, DENSE "m64n256k32.f16.e4m3.e4m3", FROM_SHARED, NO_METADATA, SIGNS)

// ---- a form: an instruction and what is asked of it ----

enum class Asked { A, B, Registers, Accumulator };

template <class Instruction_, class Type_, class D_, Asked asked_, bool sparse_ = false>
struct Form : Instruction_ {
  using Type = Type_;
  using D = D_;
  static constexpr Asked asked = asked_;
  static constexpr bool sparse = sparse_;
  static constexpr int elements = Instruction_::registers * D::packed;  // of D, in one thread
  static constexpr int n = elements * THREADS / M;
  static constexpr int k = 32 / Type::bytes;                // of A, which is compressed if sparse: 32 bytes
  static constexpr int k_b = sparse ? 2 * k : k;            // of B
  static constexpr int planes = 1 + (WINDOW_BITS + Type::digit - 1) / Type::digit;
  static constexpr int passes = sparse && asked == Asked::B ? 2 : 1;  // each selects half of B's k

  // The k of B that column c of the compressed A is multiplied with. The same metadata for every row and group, so
  // that it does not matter which thread holds whose: 0b0100 keeps elements 0 and 1 of four, 0b1110 keeps 2 and 3;
  // of tf32, whose elements count for two, 0 and 1 of two.
  static constexpr int column_of(int c, int pass) {
    if (!sparse) return c;
    return Type::bytes == 4 ? PAIR * c + pass : 2 * PAIR * (c / PAIR) + PAIR * pass + c % PAIR;
  }
};

constexpr uint32_t KEEP_LOW = 0x44444444, KEEP_HIGH = 0xeeeeeeee;

template <class Type>
__device__ uint32_t digit_of(uint32_t name, int plane) {
  return plane == 0 ? 1 : name >> (Type::digit * (plane - 1)) & ((1u << Type::digit) - 1);
}

template <class Type>
__device__ void store(char* where, uint32_t number) {
  const uint32_t bits = Type::encode(number);
  if constexpr (Type::bytes == 1) *reinterpret_cast<uint8_t*>(where) = static_cast<uint8_t>(bits);
  if constexpr (Type::bytes == 2) *reinterpret_cast<uint16_t*>(where) = static_cast<uint16_t>(bits);
  if constexpr (Type::bytes == 4) *reinterpret_cast<uint32_t*>(where) = bits;
}

// A plain operand: K-major, no swizzle, all rows of the first 16 bytes of K one after another, then of the next.
template <class Type>
__device__ uint32_t plain_offset(int rows, int row, int k) {
  const int byte = k * Type::bytes;
  return (byte / 16 * rows + row) * 16 + byte % 16;
}

template <class F>
__device__ void fill(char* shared, uint32_t base, Plain plain, int plane) {
  using Type = typename F::Type;
  const int thread = threadIdx.x;
  for (uint32_t at = base + thread * Type::bytes; at < plain.a; at += THREADS * Type::bytes)
    store<Type>(shared + (at - base), digit_of<Type>(at / Type::bytes, plane));
  for (uint32_t at = plain.a + thread * 4; at < base + SHARED; at += THREADS * 4)
    *reinterpret_cast<uint32_t*>(shared + (at - base)) = 0;
  __syncthreads();
  char* const a = shared + (plain.a - base);
  char* const b = shared + (plain.b - base);
  if constexpr (F::asked == Asked::B) {
    for (int k = thread; k < F::k; k += THREADS) store<Type>(a + plain_offset<Type>(M, k, k), 1);
  } else if constexpr (F::asked == Asked::A || F::asked == Asked::Registers) {
    for (int k = thread; k < F::k_b && k < F::n; k += THREADS) store<Type>(b + plain_offset<Type>(F::n, k, k), 1);
  } else {
    // The digit of the name m + 64 * n is the sum of two: column 0 brings that of m, column 1 that of 64 * n.
    for (int m = thread; m < M; m += THREADS) {
      store<Type>(a + plain_offset<Type>(M, m, 0), digit_of<Type>(m, plane));
      store<Type>(a + plain_offset<Type>(M, m, 1), 1);
    }
    for (int n = thread; n < F::n; n += THREADS) {
      store<Type>(b + plain_offset<Type>(F::n, n, 0), 1);
      store<Type>(b + plain_offset<Type>(F::n, n, 1), plane == 0 ? 0 : digit_of<Type>(M * n, plane));
    }
  }
}

// Registers of A that name themselves: (thread * 4 + register) * elements of a register + element.
template <class Type>
__device__ void name_registers(uint32_t (&registers)[4], int plane) {
  constexpr int packed = 4 / Type::bytes;
  for (int r = 0; r < 4; ++r) {
    registers[r] = 0;
    for (int e = 0; e < packed; ++e)
      registers[r] |= Type::encode(digit_of<Type>((threadIdx.x * 4 + r) * packed + e, plane)) << (8 * Type::bytes * e);
  }
}

__device__ uint32_t combine(uint32_t answer, float value, int plane, int digit) {
  if (plane == 0) return value == 1.0f ? 0 : value == 0.0f ? NOTHING : UNREADABLE;
  if (answer == UNREADABLE) return answer;
  if (answer == NOTHING) return value == 0.0f ? NOTHING : UNREADABLE;
  const bool readable = value >= 0.0f && value < static_cast<float>(1 << digit) && value == floorf(value);
  return readable ? answer | static_cast<uint32_t>(value) << (digit * (plane - 1)) : UNREADABLE;
}

extern __shared__ __align__(1024) char shared[];

// answers[case][pass][thread][element of D]; scratch[block][thread][register of D]
template <class F>
__global__ void __launch_bounds__(THREADS)
    ask(const Case* cases, int count, Plain plain, uint32_t* scratch, uint32_t* answers) {
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  uint32_t* const raw = scratch + (static_cast<size_t>(blockIdx.x) * THREADS + threadIdx.x) * F::registers;
  uint32_t registers[4] = {};
  for (int plane = 0; plane < F::planes; ++plane) {
    __syncthreads();
    fill<F>(shared, base, plain, plane);
    if constexpr (F::asked == Asked::Registers) name_registers<typename F::Type>(registers, plane);
    // What was written by ordinary stores is read by the tensor cores, through another proxy.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    for (int c = blockIdx.x; c < count; c += gridDim.x) {
      for (int pass = 0; pass < F::passes; ++pass) {
        F::issue(raw, cases[c].a, cases[c].b, pass == 0 ? KEEP_LOW : KEEP_HIGH, registers);
        const size_t first = ((static_cast<size_t>(c) * F::passes + pass) * THREADS + threadIdx.x) * F::elements;
        for (int i = 0; i < F::elements; ++i) {
          const float value = F::D::value(raw[i / F::D::packed], i % F::D::packed);
          answers[first + i] = combine(answers[first + i], value, plane, F::Type::digit);
        }
      }
    }
  }
}

__global__ void find_base(uint32_t* base) { *base = static_cast<uint32_t>(__cvta_generic_to_shared(shared)); }

// ---- the host ----

static uint32_t shared_base() {
  uint32_t *device, host;
  CHECK(cudaMalloc(&device, sizeof(host)));
  find_base<<<1, 1, 1024>>>(device);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&host, device, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return host;
}

// Where D (m, n) is among the answers of one pass (PTX ISA, the fragment of D; the "acc" forms ask whether it is so).
static size_t place_in_d(int elements, int m, int n) {
  const int thread = 32 * (m / 16) + 4 * (m % 8) + n % 8 / 2;
  return static_cast<size_t>(thread) * elements + 4 * (n / 8) + 2 * (m / 8 % 2) + n % 2;
}

// The operand's elements out of D, onto `out`. Every other element of D is a sum of zeros: return how many are not.
template <class F>
int collect(const uint32_t* d, std::vector<uint32_t>& out, const char* name) {
  constexpr size_t all = static_cast<size_t>(THREADS) * F::elements;
  if (F::asked == Asked::Accumulator) {
    out.insert(out.end(), d, d + all);
    return 0;
  }
  std::vector<bool> used(all * F::passes);
  const bool of_b = F::asked == Asked::B;
  const int rows = of_b ? F::n : M, columns = of_b ? F::k_b : F::k;
  std::vector<uint32_t> grid(static_cast<size_t>(rows) * columns, NOTHING);
  for (int pass = 0; pass < F::passes; ++pass)
    for (int mn = 0; mn < rows; ++mn)
      for (int c = 0; c < F::k; ++c) {
        const int k = F::column_of(c, pass);
        const size_t place = pass * all + (of_b ? place_in_d(F::elements, c, mn) : place_in_d(F::elements, mn, k));
        const uint32_t answer = d[place];
        const bool address = F::asked != Asked::Registers && answer < UNREADABLE;
        used[place] = true;
        grid[static_cast<size_t>(mn) * columns + (of_b ? k : c)] = address ? answer * F::Type::bytes : answer;
      }
  out.insert(out.end(), grid.begin(), grid.end());
  int strays = 0;
  for (size_t place = 0; place < used.size(); ++place) {
    if (used[place] || d[place] == NOTHING) continue;
    if (++strays == 1)
      std::fprintf(stderr, "%s: pass %zu, thread %zu, element %zu of D is %#x, not a sum of zeros\n", name, place / all,
                   place % all / F::elements, place % F::elements, static_cast<unsigned>(d[place]));
  }
  return strays;
}

template <class F>
int run(const std::vector<Case>& cases, Plain plain, std::vector<uint32_t>& out, const char* name) {
  const int count = static_cast<int>(cases.size()), blocks = count < 132 ? count : 132;
  const size_t per_case = static_cast<size_t>(F::passes) * THREADS * F::elements;
  Case* device_cases;
  uint32_t *scratch, *answers;
  CHECK(cudaMalloc(&device_cases, count * sizeof(Case)));
  CHECK(cudaMalloc(&scratch, static_cast<size_t>(blocks) * THREADS * F::registers * sizeof(uint32_t)));
  CHECK(cudaMalloc(&answers, count * per_case * sizeof(uint32_t)));
  CHECK(cudaMemcpy(device_cases, cases.data(), count * sizeof(Case), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(answers, 0, count * per_case * sizeof(uint32_t)));
  CHECK(cudaFuncSetAttribute(ask<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  ask<F><<<blocks, THREADS, SHARED>>>(device_cases, count, plain, scratch, answers);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<uint32_t> host(count * per_case);
  CHECK(cudaMemcpy(host.data(), answers, host.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_cases));
  CHECK(cudaFree(scratch));
  CHECK(cudaFree(answers));
  int strays = 0;
  for (int c = 0; c < count; ++c) strays += collect<F>(host.data() + c * per_case, out, name);
  return strays;
}

struct Entry {
  const char* name;
  int (*run)(const std::vector<Case>&, Plain, std::vector<uint32_t>&, const char*);
};

#define FORM(NAME, ...) {NAME, run<Form<__VA_ARGS__>>}
#define FORMS_16(T, TYPE)                                         \
  FORM("A." #T ".K", T##_n16, TYPE, DF32, Asked::A),              \
  FORM("A." #T ".MN", T##_n16_a, TYPE, DF32, Asked::A),           \
  FORM("B." #T ".K.n8", T##_n8, TYPE, DF32, Asked::B),            \
  FORM("B." #T ".K.n32", T##_n32, TYPE, DF32, Asked::B),          \
  FORM("B." #T ".K.n256", T##_n256, TYPE, DF32, Asked::B),        \
  FORM("B." #T ".MN.n128", T##_n128_b, TYPE, DF32, Asked::B),     \
  FORM("B." #T ".MN.n256", T##_n256_b, TYPE, DF32, Asked::B),     \
  FORM("spA." #T ".K", T##_sp_n32, TYPE, DF32, Asked::A, true),   \
  FORM("spA." #T ".MN", T##_sp_n32_a, TYPE, DF32, Asked::A, true), \
  FORM("spB." #T ".K.n32", T##_sp_n32, TYPE, DF32, Asked::B, true), \
  FORM("spB." #T ".MN.n128", T##_sp_n128_b, TYPE, DF32, Asked::B, true), \
  FORM("regs." #T, T##_regs, TYPE, DF32, Asked::Registers)
#define FORMS_8(T, TYPE, D)                                       \
  FORM("A." #T ".K", T##_n32, TYPE, D, Asked::A),                 \
  FORM("B." #T ".K.n8", T##_n8, TYPE, D, Asked::B),               \
  FORM("B." #T ".K.n32", T##_n32, TYPE, D, Asked::B),             \
  FORM("B." #T ".K.n256", T##_n256, TYPE, D, Asked::B),           \
  FORM("spA." #T ".K", T##_sp_n64, TYPE, D, Asked::A, true),      \
  FORM("spB." #T ".K.n32", T##_sp_n32, TYPE, D, Asked::B, true),  \
  FORM("regs." #T, T##_regs, TYPE, D, Asked::Registers)
#define ACCUMULATORS(T, TYPE, d, D, PREFIX)                                  \
  FORM("acc." #T "." #d ".n8", PREFIX##_n8, TYPE, D, Asked::Accumulator),    \
  FORM("acc." #T "." #d ".n32", PREFIX##_n32, TYPE, D, Asked::Accumulator),  \
  FORM("acc." #T "." #d ".n256", PREFIX##_n256, TYPE, D, Asked::Accumulator)

static const Entry ENTRIES[] = {
    FORMS_16(f16, F16),
    FORMS_16(bf16, BF16),
    FORMS_8(e4m3, E4M3, DF32),
    FORMS_8(s8, S8, DS32),
    FORM("A.tf32.K", tf32_n8, TF32, DF32, Asked::A),
    FORM("B.tf32.K.n8", tf32_n8, TF32, DF32, Asked::B),
    FORM("B.tf32.K.n32", tf32_n32, TF32, DF32, Asked::B),
    FORM("B.tf32.K.n256", tf32_n256, TF32, DF32, Asked::B),
    FORM("spA.tf32.K", tf32_sp_n16, TF32, DF32, Asked::A, true),
    FORM("spB.tf32.K.n32", tf32_sp_n32, TF32, DF32, Asked::B, true),
    FORM("regs.tf32", tf32_regs, TF32, DF32, Asked::Registers),
    ACCUMULATORS(f16, F16, f32, DF32, f16),
    ACCUMULATORS(f16, F16, f16, DF16, f16_f16),
    ACCUMULATORS(bf16, BF16, f32, DF32, bf16),
    ACCUMULATORS(tf32, TF32, f32, DF32, tf32),
    ACCUMULATORS(e4m3, E4M3, f32, DF32, e4m3),
    ACCUMULATORS(e4m3, E4M3, f16, DF16, e4m3_f16),
    ACCUMULATORS(s8, S8, s32, DS32, s8),
};

static const Entry& entry_of(const std::string& name) {
  for (const Entry& entry : ENTRIES)
    if (name == entry.name) return entry;
  refuse("there is no form", name.c_str());
  std::abort();
}

// What the answers depend on, as JSON.
static void about() {
  cudaDeviceProp device;
  int driver, runtime;
  CHECK(cudaGetDeviceProperties(&device, 0));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("{\"chip\": \"%s\", \"compute_capability\": \"%d.%d\", \"cuda_driver\": \"%d.%d\", "
              "\"cuda_runtime\": \"%d.%d\", \"shared_from\": %u, \"shared_to\": %u}\n",
              device.name, device.major, device.minor, driver / 1000, driver % 1000 / 10, runtime / 1000,
              runtime % 1000 / 10, shared_base(), shared_base() + SHARED);
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--about") == 0) {
    about();
    return 0;
  }
  Plain plain;
  if (std::scanf("plain %x %x\n", &plain.a, &plain.b) != 2) refuse("the input begins with", "plain A B");
  const uint32_t base = shared_base();
  if (plain.a < base || plain.b < plain.a || plain.b + 256 * 32 > base + SHARED)
    refuse("the plain operands do not lie in", "the shared memory of a block");
  std::vector<uint32_t> out;
  std::vector<Case> cases;
  std::string form;
  int strays = 0;
  for (;;) {
    char name[32];
    unsigned long long a, b;
    const int read = std::scanf("%31s %llx %llx\n", name, &a, &b);
    if (read != 3 && read != EOF) refuse("a line is not", "FORM DESCRIPTOR_A DESCRIPTOR_B");
    if (!cases.empty() && (read == EOF || form != name)) {
      const Entry& entry = entry_of(form);
      strays += entry.run(cases, plain, out, entry.name);
      cases.clear();
    }
    if (read == EOF) break;
    form = name;
    cases.push_back({a, b});
  }
  const size_t written = std::fwrite(out.data(), sizeof(uint32_t), out.size(), stdout);
  if (written != out.size() || std::fflush(stdout) != 0) refuse("cannot write", "the answers");
  return strays ? 4 : 0;
}
