// The CUDA device language for g++, so that the text of a kernel that NVRTC compiles also runs on the CPU.
//
// What CUDA lacks is lacking here: an overload more would let a kernel pass here that NVRTC refuses.
#pragma once
#include <math.h>

#include "emulator_driver.hpp"
#include "emulator_runtime.hpp"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// One section for all of them, so that the runtime finds and poisons them. It makes `extern __shared__` an error.
// g++ drops it, and says nothing, where a template has the variable: emulator.py refuses what it finds elsewhere.
#define __shared__ static __attribute__((section("gpuval_shared")))
#define GPUVAL_SHARED(type, name) type* const name = reinterpret_cast<type*>(gpuval_emulator::shared_memory())

#define GPUVAL_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define GPUVAL_UNSEEN inline __attribute__((no_sanitize("thread")))  // its accesses are reported by before_atomic
#define GPUVAL_CALLED GPUVAL_UNSEEN __attribute__((noinline))         // so that it returns to the kernel's line

// ---- vectors: aggregates as in CUDA; -fsanitize=alignment checks every access to them

#ifndef GPUVAL_HAS_VECTORS
#define GPUVAL_VECTOR(T, name, alignment)                                   \
  struct alignas(alignment * sizeof(T)) name##2 { T x, y; };                \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }
#define GPUVAL_VECTORS(T, name)                                             \
  GPUVAL_VECTOR(T, name, 2)                                                 \
  struct name##3 { T x, y, z; };                                            \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }        \
  struct alignas(4 * sizeof(T)) name##4 { T x, y, z, w; };                  \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
GPUVAL_VECTORS(signed char, char)
GPUVAL_VECTORS(unsigned char, uchar)
GPUVAL_VECTORS(short, short)
GPUVAL_VECTORS(unsigned short, ushort)
GPUVAL_VECTORS(int, int)
GPUVAL_VECTORS(unsigned, uint)
GPUVAL_VECTORS(float, float)
GPUVAL_VECTOR(long, long, 2)
GPUVAL_VECTOR(unsigned long, ulong, 2)
GPUVAL_VECTOR(long long, longlong, 2)
GPUVAL_VECTOR(unsigned long long, ulonglong, 2)
GPUVAL_VECTOR(double, double, 2)
#endif

// ---- where a thread is: constant to the thread, set by the scheduler at each switch

#pragma GCC visibility push(default)
extern const gpuval_emulator::Index3 threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;
#pragma GCC visibility pop

// ---- barriers

inline void __syncthreads(GPUVAL_SITE) { gpuval_emulator::barrier(gpuval_emulator::Barrier::PLAIN, false, file, line); }
inline int __syncthreads_or(int p, GPUVAL_SITE) {
  return gpuval_emulator::barrier(gpuval_emulator::Barrier::OR, p, file, line) > 0;
}
inline int __syncthreads_and(int p, GPUVAL_SITE) {
  return gpuval_emulator::barrier(gpuval_emulator::Barrier::AND, p, file, line) ==
         blockDim.x * blockDim.y * blockDim.z;
}
inline int __syncthreads_count(int p, GPUVAL_SITE) {
  return int(gpuval_emulator::barrier(gpuval_emulator::Barrier::COUNT, p, file, line));
}
inline void __syncwarp(unsigned mask = 0xffffffffu, GPUVAL_SITE) {
  gpuval_emulator::meet("__syncwarp", mask, 0, file, line);
}
inline void __threadfence() {}  // the fibres see one memory, in order
inline void __threadfence_block() {}

// ---- votes

namespace gpuval_emulator {

template <class T>
GPUVAL_UNSEEN uint64_t bits_of(T value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
GPUVAL_UNSEEN T of_bits(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

GPUVAL_UNSEEN unsigned lanes_with(const uint64_t* values, unsigned mask, uint64_t value) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < LANES; ++i)
    if ((mask >> i & 1) && values[i] == value) lanes |= 1u << i;
  return lanes;
}

// The source lane of a shuffle; past its segment a lane reads itself.
GPUVAL_UNSEEN uint64_t shuffled(const char* name, const uint64_t* values, unsigned mask, long long source, int width) {
  if (width < 1 || width > int(LANES) || (width & (width - 1)))
    fail("%s: the width must be a power of two up to 32, got %d", name, width);
  const unsigned from = unsigned(source);
  if (!(mask >> from & 1)) fail("%s: reads lane %u, which the mask %#010x does not name", name, from, mask);
  return values[from];
}

template <class T, class Op>
GPUVAL_UNSEEN T reduced(const uint64_t* values, unsigned mask, Op op) {
  bool first = true;
  T result{};
  for (unsigned i = 0; i < LANES; ++i)
    if (mask >> i & 1) {
      const T value = of_bits<T>(values[i]);
      result = first ? value : op(result, value);
      first = false;
    }
  return result;
}

}  // namespace gpuval_emulator

inline unsigned __ballot_sync(unsigned mask, int p, GPUVAL_SITE) {
  return gpuval_emulator::lanes_with(gpuval_emulator::meet("__ballot_sync", mask, p != 0, file, line), mask, 1);
}
inline int __any_sync(unsigned mask, int p, GPUVAL_SITE) {
  return gpuval_emulator::lanes_with(gpuval_emulator::meet("__any_sync", mask, p != 0, file, line), mask, 1) != 0;
}
inline int __all_sync(unsigned mask, int p, GPUVAL_SITE) {
  return gpuval_emulator::lanes_with(gpuval_emulator::meet("__all_sync", mask, p != 0, file, line), mask, 0) == 0;
}

#define GPUVAL_SHUFFLE(T, name, argument, source)                                                              \
  inline T name(unsigned mask, T value, argument, int width = 32, GPUVAL_SITE) {                               \
    const uint64_t* values = gpuval_emulator::meet(#name, mask, gpuval_emulator::bits_of(value), file, line);  \
    const long long me = gpuval_emulator::lane();                                                              \
    const long long first = me & ~(long long)(width - 1), last = first + width - 1;                            \
    return gpuval_emulator::of_bits<T>(gpuval_emulator::shuffled(#name, values, mask, source, width));         \
  }

#define GPUVAL_WARP(T)                                                                                             \
  GPUVAL_SHUFFLE(T, __shfl_sync, int from, (static_cast<void>(last), first | (from & (width - 1))))                \
  GPUVAL_SHUFFLE(T, __shfl_up_sync, unsigned by, (static_cast<void>(last), me - by >= first ? me - by : me))       \
  GPUVAL_SHUFFLE(T, __shfl_down_sync, unsigned by, me + by <= last ? me + by : me)                                 \
  GPUVAL_SHUFFLE(T, __shfl_xor_sync, int with, (me ^ with) <= last ? (me ^ with) : me)                             \
  inline unsigned __match_any_sync(unsigned mask, T value, GPUVAL_SITE) {                                          \
    const uint64_t bits = gpuval_emulator::bits_of(value);                                                         \
    return gpuval_emulator::lanes_with(gpuval_emulator::meet("__match_any_sync", mask, bits, file, line), mask, bits); \
  }
GPUVAL_WARP(int)
GPUVAL_WARP(unsigned)
GPUVAL_WARP(long)
GPUVAL_WARP(unsigned long)
GPUVAL_WARP(long long)
GPUVAL_WARP(unsigned long long)
GPUVAL_WARP(float)
GPUVAL_WARP(double)

// sm_80 and later only: for sm_75 NVRTC refuses them.
#define GPUVAL_REDUCE(T, name, expression)                                                                    \
  inline T name(unsigned mask, T value, GPUVAL_SITE) {                                                        \
    const uint64_t* values = gpuval_emulator::meet(#name, mask, gpuval_emulator::bits_of(value), file, line); \
    return gpuval_emulator::reduced<T>(values, mask, [](T a, T b) { return static_cast<T>(expression); });                 \
  }
GPUVAL_REDUCE(unsigned, __reduce_add_sync, a + b)
GPUVAL_REDUCE(unsigned, __reduce_min_sync, a < b ? a : b)
GPUVAL_REDUCE(unsigned, __reduce_max_sync, a < b ? b : a)
GPUVAL_REDUCE(unsigned, __reduce_and_sync, a & b)
GPUVAL_REDUCE(unsigned, __reduce_or_sync, a | b)
GPUVAL_REDUCE(unsigned, __reduce_xor_sync, a ^ b)
GPUVAL_REDUCE(int, __reduce_add_sync, unsigned(a) + unsigned(b))
GPUVAL_REDUCE(int, __reduce_min_sync, a < b ? a : b)
GPUVAL_REDUCE(int, __reduce_max_sync, a < b ? b : a)

// ---- atomics: fibres never run at once, so a plain operation is atomic; what others could do in between, they do before

#define GPUVAL_ATOMIC(T, name, expression)                     \
  GPUVAL_CALLED T name(T* address, T value) {                  \
    gpuval_emulator::before_atomic(address, sizeof(T), __builtin_return_address(0));        \
    const T old = *const_cast<volatile T*>(address);           \
    *const_cast<volatile T*>(address) = static_cast<T>(expression); \
    return old;                                                \
  }
GPUVAL_ATOMIC(int, atomicAdd, unsigned(old) + unsigned(value))  // wraps on the device
GPUVAL_ATOMIC(unsigned, atomicAdd, old + value)
GPUVAL_ATOMIC(unsigned long long, atomicAdd, old + value)  // and none of long long
GPUVAL_ATOMIC(float, atomicAdd, old + value)
GPUVAL_ATOMIC(double, atomicAdd, old + value)
GPUVAL_ATOMIC(int, atomicSub, unsigned(old) - unsigned(value))
GPUVAL_ATOMIC(unsigned, atomicSub, old - value)
GPUVAL_ATOMIC(float, atomicExch, (static_cast<void>(old), value))
#define GPUVAL_ATOMIC_INTEGER(T)                               \
  GPUVAL_ATOMIC(T, atomicExch, (static_cast<void>(old), value)) \
  GPUVAL_ATOMIC(T, atomicAnd, old & value)                     \
  GPUVAL_ATOMIC(T, atomicOr, old | value)                      \
  GPUVAL_ATOMIC(T, atomicXor, old ^ value)                     \
  GPUVAL_CALLED T atomicCAS(T* address, T expected, T value) { \
    gpuval_emulator::before_atomic(address, sizeof(T), __builtin_return_address(0));        \
    const T old = *const_cast<volatile T*>(address);           \
    if (old == expected) *const_cast<volatile T*>(address) = value; \
    return old;                                                \
  }
GPUVAL_ATOMIC_INTEGER(int)
GPUVAL_ATOMIC_INTEGER(unsigned)
GPUVAL_ATOMIC_INTEGER(unsigned long long)
#define GPUVAL_ATOMIC_ORDER(T)                         \
  GPUVAL_ATOMIC(T, atomicMin, old < value ? old : value) \
  GPUVAL_ATOMIC(T, atomicMax, old < value ? value : old)
GPUVAL_ATOMIC_ORDER(int)
GPUVAL_ATOMIC_ORDER(unsigned)
GPUVAL_ATOMIC_ORDER(long long)
GPUVAL_ATOMIC_ORDER(unsigned long long)

// ---- bits, loads, min and max

inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
inline double __longlong_as_double(long long v) { return gpuval_emulator::of_bits<double>(uint64_t(v)); }
inline long long __double_as_longlong(double v) { return static_cast<long long>(gpuval_emulator::bits_of(v)); }
inline float __uint_as_float(unsigned int v) { return gpuval_emulator::of_bits<float>(uint64_t(v)); }
inline unsigned int __float_as_uint(float v) { return static_cast<unsigned int>(gpuval_emulator::bits_of(v)); }
// The bytes of y:x that the lowest three bits of each of four nibbles name.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
// Two words of 16 bits times two bytes, the lower or the upper ones, added to a number; all without a sign.
inline unsigned __dp2a_lo(unsigned words, unsigned bytes, unsigned sum) {
  return sum + (words & 0xffff) * (bytes & 0xff) + (words >> 16) * (bytes >> 8 & 0xff);
}
inline unsigned __dp2a_hi(unsigned words, unsigned bytes, unsigned sum) { return __dp2a_lo(words, bytes >> 16, sum); }

// Addresses in shared memory: those of the device are numbers from where it begins.
inline size_t __cvta_generic_to_shared(const void* address) {
  return static_cast<size_t>(static_cast<const unsigned char*>(address) - gpuval_emulator::shared_memory());
}
inline void* __cvta_shared_to_generic(size_t address) { return gpuval_emulator::shared_memory() + address; }

template <class T>
inline T __ldg(const T* address) {
  return *address;
}

#define GPUVAL_ORDER(R, A, B)                                        \
  inline R min(A a, B b) { return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); } \
  inline R max(A a, B b) { return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); }
GPUVAL_ORDER(int, int, int)
GPUVAL_ORDER(unsigned, unsigned, unsigned)
GPUVAL_ORDER(unsigned, int, unsigned)
GPUVAL_ORDER(unsigned, unsigned, int)
GPUVAL_ORDER(long, long, long)
GPUVAL_ORDER(unsigned long, unsigned long, unsigned long)
GPUVAL_ORDER(long long, long long, long long)
GPUVAL_ORDER(unsigned long long, unsigned long long, unsigned long long)
GPUVAL_ORDER(unsigned long long, long long, unsigned long long)
GPUVAL_ORDER(unsigned long long, unsigned long long, long long)
inline float min(float a, float b) { return fminf(a, b); }  // of a NaN and a number: the number
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
