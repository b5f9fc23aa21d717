// How kernels read two label vectors.
//
// Labels are read as unsigned numbers of their width, in one 16-byte load or more. A label's place is its distance from
// the first label of its side, in the arithmetic of its width; "limit" is how many places there are, which the caller
// keeps within the type, so that one comparison finds what lies outside, negative labels too.

#include "numerics.cuh"

typedef unsigned short u16;

namespace gpuval {

template <class T>
__device__ __forceinline__ T place_of(T label, u64 low) { return static_cast<T>(label - static_cast<T>(low)); }

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Pack {
  T at[N];
};

template <class T, int N>
__device__ __forceinline__ Pack<T, N> read(const T* from) {
  if (reinterpret_cast<u64>(from) % alignof(Pack<T, N>) == 0) return *reinterpret_cast<const Pack<T, N>*>(from);
  Pack<T, N> pack;
#pragma unroll
  for (int j = 0; j < N; ++j) pack.at[j] = from[j];
  return pack;
}

// How many neighbours a thread reads at once, and how many such packs before it counts the first.
template <class A, class B>
struct Reading {
  static constexpr int WIDEST = sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B);
  static constexpr int N = WIDEST > 4 ? 4 : 16 / WIDEST;
  static constexpr int PACKS = WIDEST < 4 ? 1 : WIDEST == 4 ? 4 : 2;
};

}  // namespace gpuval
