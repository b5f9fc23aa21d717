// The cells of samples in a table, and how kernels count them.

#include "labels.cuh"

#ifndef GPUVAL_SHARED  // tests that run this text on the host have their own
#define GPUVAL_SHARED(type, name)                                   \
  extern __shared__ __align__(16) unsigned char gpuval_shared[]; \
  type* const name = reinterpret_cast<type*>(gpuval_shared)
#endif

namespace gpuval {

constexpr u32 NOWHERE = 0xffffffffu;  // the cell of a sample that has none

struct Table {
  u64 low_a, limit_a;  // the label of the first row, and how many rows the labels' type can reach
  u64 low_b, limit_b;  // the same of the columns
  u32 columns;
  u32 first;  // the number of the first cell

  template <class A, class B>
  __device__ __forceinline__ bool is_inside(A a, B b) const {
    return is_below(place_of(a, low_a), limit_a) && is_below(place_of(b, low_b), limit_b);
  }
  template <class A, class B>
  __device__ __forceinline__ u32 cell(A a, B b) const {
    return static_cast<u32>(place_of(a, low_a)) * columns + static_cast<u32>(place_of(b, low_b)) + first;
  }

  // Whether all labels of a pack are inside; the cells are right only then.
  template <class A, class B, int N>
  __device__ __forceinline__ bool cells_of(const Pack<A, N>& x, const Pack<B, N>& y, u32 (&cells)[N]) const {
    bool are_inside = true;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      are_inside = are_inside & is_inside(x.at(j), y.at(j));
      cells[j] = cell(x.at(j), y.at(j));
    }
    return are_inside;
  }

 private:
  // Cells are numbers of 32 bits, and so are limits: only places of 64 bits take a comparison of two words.
  template <class T>
  static __device__ __forceinline__ bool is_below(T place, u64 limit) {
    if constexpr (sizeof(T) == 8) return place < limit;
    return place < static_cast<u32>(limit);
  }
};

// Counts the samples of two label vectors by a sink. Packs of a warp whose samples all count go to sink.pack, others
// to sink.single sample by sample, which says whether the sample counts; "outside" is how many of the thread's do not:
// they have a label outside, or a weight that is none.
template <class A, class B, class Cells, class Sink>
struct Counting {
  static constexpr int N = Sink::N, PACKS = Sink::PACKS;
  const A* a;
  const B* b;
  Cells table;
  Sink& sink;
  u64 outside = 0;

  static __device__ __forceinline__ bool is_done() { return false; }
  __device__ __forceinline__ void packs(const Pack<A, N> (&x)[PACKS], const Pack<B, N> (&y)[PACKS], u64 i) {
#pragma unroll
    for (int m = 0; m < PACKS; ++m, i += 32 * N) {
      u32 cells[N];
      typename Sink::Weights weights;
      const bool are_weights = sink.read(i, weights), are_inside = table.cells_of(x[m], y[m], cells);
      if (__all_sync(ALL_LANES, are_inside && are_weights))
        sink.pack(cells, weights);
      else
#pragma unroll 1
        for (int j = 0; j < N; ++j) single(i + j, true);
    }
  }
  __device__ __forceinline__ void single(u64 i, bool is_there) {
    const bool is_inside = is_there && table.is_inside(a[i], b[i]);
    const bool counts = sink.single(is_inside ? table.cell(a[i], b[i]) : NOWHERE, i);
    outside += is_there && !counts;
  }
};

template <class A, class B, class Cells, class Sink>
__device__ __forceinline__ void count(const A* a, const B* b, u64 n, const Cells& table, Sink& sink, u64* outside) {
  Counting<A, B, Cells, Sink> counting{a, b, table, sink};
  for_each_pack(a, b, n, counting);
  u64 strays = counting.outside;
  if (!__any_sync(ALL_LANES, strays != 0)) return;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) strays += __shfl_down_sync(ALL_LANES, strays, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(outside, strays);
}

}  // namespace gpuval
