// Which labels there are: the smallest and the largest one of two label vectors.

#include "labels.cuh"

namespace gpuval {

constexpr u64 LARGEST = 0x7fffffffffffffffull;  // of signed numbers

// The smallest and the largest label of a side. Signs are flipped, so that unsigned numbers have the order of the
// labels.
template <class T>
struct Limits {
  T flip;
  T low = static_cast<T>(~0ull), high = 0;

  __device__ __forceinline__ explicit Limits(u64 flip) : flip(static_cast<T>(flip)) {}
  __device__ __forceinline__ void widen(T label) {
    const T x = label ^ flip;
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
};

__device__ __forceinline__ void merge(u64 low, u64 high, u64* low_high) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const u64 other_low = __shfl_down_sync(ALL_LANES, low, offset);
    const u64 other_high = __shfl_down_sync(ALL_LANES, high, offset);
    low = other_low < low ? other_low : low;
    high = other_high > high ? other_high : high;
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(low_high, low);
    atomicMax(low_high + 1, high);
  }
}

template <class A, class B>
struct LimitsOfBoth {
  static constexpr int N = Reading<A, B>::N, PACKS = Reading<A, B>::PACKS;
  const A* a;
  const B* b;
  Limits<A> of_a;
  Limits<B> of_b;

  static __device__ __forceinline__ bool is_done() { return false; }
  __device__ __forceinline__ void packs(const Pack<A, N> (&x)[PACKS], const Pack<B, N> (&y)[PACKS], u64) {
#pragma unroll
    for (int m = 0; m < PACKS; ++m) {
#pragma unroll
      for (int j = 0; j < N; ++j) {
        of_a.widen(x[m].at(j));
        of_b.widen(y[m].at(j));
      }
    }
  }
  __device__ __forceinline__ void single(u64 i, bool is_there) {
    if (!is_there) return;
    of_a.widen(a[i]);
    of_b.widen(b[i]);
  }
};

// "low_high" starts as {~0, 0, ~0, 0}. A thread may have seen no label.
template <class A, class B>
__global__ void __launch_bounds__(256)
    limits(const A* __restrict__ a, const B* __restrict__ b, u64 n, u64 flip_a, u64 flip_b,
           u64* __restrict__ low_high) {
  LimitsOfBoth<A, B> found{a, b, Limits<A>(flip_a), Limits<B>(flip_b)};
  for_each_pack(a, b, n, found);
  merge(found.of_a.low, found.of_a.high, low_high);
  merge(found.of_b.low, found.of_b.high, low_high + 2);
}

// The smallest label of each side, and the complement of the largest one, once a sample was outside of the table: rows
// that only go down, for a word on what was seen. Nothing is read before.
template <class T>
__device__ __forceinline__ i64 as_number(T label, u32 is_signed) {
  const u64 bits = label;
  constexpr int rest = 64 - 8 * sizeof(T);
  if (is_signed) return static_cast<i64>(bits << rest) >> rest;
  return static_cast<i64>(bits < LARGEST ? bits : LARGEST);
}

__device__ __forceinline__ void lower(i64 x, i64* lowest) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const i64 other = __shfl_down_sync(ALL_LANES, x, offset);
    x = other < x ? other : x;
  }
  if (threadIdx.x % 32 == 0) atomicMin(lowest, x);
}

template <class A, class B>
__global__ void __launch_bounds__(256)
    furthest(const A* a, const B* b, u64 n, u32 is_signed_a, u32 is_signed_b, const u64* outside, i64* lowest) {
  if (*outside == 0) return;
  i64 low_a = LARGEST, low_b = LARGEST, not_high_a = LARGEST, not_high_b = LARGEST;
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
    const i64 x = as_number(a[i], is_signed_a), y = as_number(b[i], is_signed_b);
    low_a = x < low_a ? x : low_a;
    low_b = y < low_b ? y : low_b;
    not_high_a = ~x < not_high_a ? ~x : not_high_a;
    not_high_b = ~y < not_high_b ? ~y : not_high_b;
  }
  lower(low_a, lowest);
  lower(not_high_a, lowest + 1);
  lower(low_b, lowest + 2);
  lower(not_high_b, lowest + 3);
}

}  // namespace gpuval
