// Joint counts of two label vectors: small tables in shared memory, larger ones in the L2 cache or in memory.

#include "labels.cuh"

#ifndef GPUVAL_SHARED  // tests that run this text on the host have their own
#define GPUVAL_SHARED(type, name)                                   \
  extern __shared__ __align__(16) unsigned char gpuval_shared[]; \
  type* const name = reinterpret_cast<type*>(gpuval_shared)
#endif

namespace gpuval {

constexpr u32 NOWHERE = 0xffffffffu;  // the cell of a sample that has none

__device__ __forceinline__ bool is_weight(u64 weight) { return !(weight >> 63); }  // else of a negative integer
__device__ __forceinline__ bool is_weight(double weight) { return weight >= 0 && weight <= 1.7976931348623157e308; }

// What a weight adds to: in shared memory (at most 2^31 samples without weights come in one launch), and in the table.
template <class W>
struct Sum {
  typedef W shared;
  typedef W table;
  static __device__ __forceinline__ W of(const W* weights, u64 i) { return weights[i]; }
  static __device__ __forceinline__ bool is_fine(W weight) { return is_weight(weight); }
};
template <>
struct Sum<One> {
  typedef u32 shared;
  typedef u64 table;
  static __device__ __forceinline__ u32 of(const One*, u64) { return 1; }
  static __device__ __forceinline__ bool is_fine(u32) { return true; }
};

struct Table {
  u64 low_a, limit_a;  // the label of the first row, and how many rows the labels' type can reach
  u64 low_b, limit_b;  // the same of the columns
  u32 columns;

  template <class A, class B>
  __device__ __forceinline__ u32 cell(A a, B b) const {
    const A row = place_of(a, low_a);
    const B column = place_of(b, low_b);
    return row < limit_a && column < limit_b ? static_cast<u32>(row) * columns + static_cast<u32>(column) : NOWHERE;
  }
};

// Calls sink.pack(cells, at) for packs of neighbours: cells beyond the end, and of labels outside, are NOWHERE. All
// lanes of a warp call it together. Returns how many of the thread's samples do not count: they have a label outside, or
// a weight that is none, which pack returns the number of.
template <class A, class B, class Sink>
__device__ __forceinline__ u64 for_each_pack(const A* a, const B* b, u64 n, const Table& table, Sink& sink) {
  constexpr int N = Reading<A, B>::N;
  constexpr int PACKS = Reading<A, B>::PACKS < Sink::MOST_PACKS ? Reading<A, B>::PACKS : Sink::MOST_PACKS;
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  const u64 first = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x - threadIdx.x % 32;  // of the warp
  const u64 lane = threadIdx.x % 32;
  u64 outside = 0;
  for (u64 of_warp = first * N; of_warp < n; of_warp += threads * N * PACKS) {
    Pack<A, N> x[PACKS];
    Pack<B, N> y[PACKS];
#pragma unroll
    for (int m = 0; m < PACKS; ++m) {
      const u64 at = of_warp + m * threads * N + lane * N;
      if (at + N <= n) {
        x[m] = read<A, N>(a + at);
        y[m] = read<B, N>(b + at);
      } else {
#pragma unroll
        for (int j = 0; j < N; ++j) {
          x[m].at[j] = at + j < n ? a[at + j] : A();
          y[m].at[j] = at + j < n ? b[at + j] : B();
        }
      }
    }
#pragma unroll
    for (int m = 0; m < PACKS; ++m) {
      const u64 at = of_warp + m * threads * N + lane * N;
      u32 cells[N];
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const u32 cell = table.cell(x[m].at[j], y[m].at[j]);
        cells[j] = at + j < n ? cell : NOWHERE;
        outside += at + j < n && cell == NOWHERE;
      }
      outside += sink.pack(cells, at);
    }
  }
  return outside;
}

__device__ __forceinline__ void add_up(u64 count, u64* total) {
  if (!__any_sync(ALL_LANES, count != 0)) return;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(ALL_LANES, count, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(total, count);
}

// Neighbours of one cell are added up in registers: labels that are sorted, or mostly one, cost next to no atomics.
template <class W, int N, class Counter>
struct Runs {
  static constexpr int MOST_PACKS = sizeof(W) == 8 ? 2 : 4;  // weights take registers too
  Counter* counters;
  const W* weights;
  u32 cell = NOWHERE;
  Counter sum = 0;

  __device__ __forceinline__ u32 pack(const u32 (&cells)[N], u64 at) {
    u32 broken = 0;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      u32 next = cells[j];
      Counter weight = 0;
      if (next != NOWHERE) {
        weight = Sum<W>::of(weights, at + j);
        if (!Sum<W>::is_fine(weight)) {
          next = NOWHERE;
          weight = 0;
          ++broken;
        }
      }
      if (next != cell) {
        end();
        cell = next;
      }
      sum += weight;
    }
    return broken;
  }
  __device__ __forceinline__ void end() {
    if (cell != NOWHERE) atomicAdd(counters + cell, sum);
    sum = 0;
  }
};

// Neighbours of one cell in a warp are added by one of its lanes: for counters where atomics are dear.
template <int N>
struct Warps {
  static constexpr int MOST_PACKS = 4;
  u32* counters;

  __device__ __forceinline__ u32 pack(const u32 (&cells)[N], u64) {
    bool is_one = true;
#pragma unroll
    for (int j = 1; j < N; ++j) is_one = is_one && cells[j] == cells[0];
    if (__all_sync(ALL_LANES, is_one)) {
      add(cells[0], N);
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j) add(cells[j], 1);
    }
    return 0;
  }
  __device__ __forceinline__ void add(u32 cell, u32 times) {
    const u32 peers = __match_any_sync(ALL_LANES, cell);
    if (cell != NOWHERE && threadIdx.x % 32 == __ffs(static_cast<int>(peers)) - 1)
      atomicAdd(counters + cell, times * __popc(peers));
  }
};

// Small tables: in shared memory, in several copies if they are tiny, so that lanes meet less often.
template <class A, class B, class W>
__global__ void __launch_bounds__(896)
    joint_shared(const A* a, const B* b, const W* weights, u64 n, u64 low_a, u64 limit_a, u64 low_b,
                 u64 limit_b, u32 columns, u32 n_cells, u32 copies,
                 typename Sum<W>::table* counts, u64* outside) {
  typedef typename Sum<W>::shared Counter;
  GPUVAL_SHARED(Counter, counters);
  const u32 stride = n_cells | 1;  // odd: the copies of a cell lie in different banks
  for (u32 i = threadIdx.x; i < stride * copies; i += blockDim.x) counters[i] = 0;
  __syncthreads();
  const Table table{low_a, limit_a, low_b, limit_b, columns};
  Runs<W, Reading<A, B>::N, Counter> runs{counters + threadIdx.x % copies * stride, weights};
  const u64 strays = for_each_pack(a, b, n, table, runs);
  runs.end();
  add_up(strays, outside);
  __syncthreads();
  for (u32 cell = threadIdx.x; cell < n_cells; cell += blockDim.x) {
    Counter sum = 0;
    for (u32 copy = 0; copy < copies; ++copy) sum += counters[copy * stride + cell];
    if (sum != 0) atomicAdd(counts + cell, static_cast<typename Sum<W>::table>(sum));
  }
}

// Tables that the L2 cache holds: counted there, in 32 bits (at most 2^31 samples come in one launch), or added up.
template <class A, class B>
__global__ void __launch_bounds__(256)
    joint_global(const A* a, const B* b, u64 n, u64 low_a, u64 limit_a, u64 low_b,
                 u64 limit_b, u32 columns, u32* counts, u64* outside) {
  const Table table{low_a, limit_a, low_b, limit_b, columns};
  Warps<Reading<A, B>::N> warps{counts};
  add_up(for_each_pack(a, b, n, table, warps), outside);
}

template <class A, class B, class W>
__global__ void __launch_bounds__(256, 3)  // 3 blocks at once: with registers for more, two of 64 bits would spill
    joint_global_sums(const A* a, const B* b, const W* weights, u64 n, u64 low_a, u64 limit_a, u64 low_b,
                 u64 limit_b, u32 columns, typename Sum<W>::table* sums, u64* outside) {
  const Table table{low_a, limit_a, low_b, limit_b, columns};
  Runs<W, Reading<A, B>::N, typename Sum<W>::table> runs{sums, weights};
  const u64 strays = for_each_pack(a, b, n, table, runs);
  runs.end();
  add_up(strays, outside);
}

}  // namespace gpuval
