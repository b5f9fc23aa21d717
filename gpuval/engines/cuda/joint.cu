// Joint counts of two label vectors: all kernels that read the samples.
//
// Labels are read as unsigned numbers of their width, in one 16-byte load or more. A label's place is its distance from
// the first label of its side, in the arithmetic of its width; "limit" is how many places there are, which the caller
// keeps within the type, so that one comparison finds what lies outside, negative labels too.

#include "numerics.cuh"

typedef unsigned short u16;

#ifndef GPUVAL_SHARED  // tests that run this text on the host have their own
#define GPUVAL_SHARED(type, name)                                   \
  extern __shared__ __align__(16) unsigned char gpuval_shared[]; \
  type* const name = reinterpret_cast<type*>(gpuval_shared)
#endif

namespace gpuval {

constexpr u64 LARGEST = 0x7fffffffffffffffull;  // of signed numbers
constexpr u32 NOWHERE = 0xffffffffu;  // the cell of a sample that has none

template <class T>
__device__ __forceinline__ T place_of(T label, u64 low) { return static_cast<T>(label - static_cast<T>(low)); }

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

// The smallest and the largest label of both sides. Signs are flipped, so that unsigned numbers have the order of the
// labels; low_high starts as {~0, 0, ~0, 0}.
template <class T>
__device__ __forceinline__ u64 ordered(T label, u64 flip) {
  return label ^ flip;
}

template <int N, class T>
__device__ __forceinline__ void widen(const Pack<T, N>& labels, u64 flip, u64& low, u64& high) {
#pragma unroll
  for (int j = 0; j < N; ++j) {
    const u64 x = ordered(labels.at[j], flip);
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
}

__device__ __forceinline__ void merge(u64 low, u64 high, u64* low_high) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const u64 other_low = __shfl_down_sync(ALL_LANES, low, offset), other_high = __shfl_down_sync(ALL_LANES, high, offset);
    low = other_low < low ? other_low : low;
    high = other_high > high ? other_high : high;
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(low_high, low);
    atomicMax(low_high + 1, high);
  }
}

template <class A, class B>
__global__ void __launch_bounds__(256)
    limits(const A* a, const B* b, u64 n, u64 flip_a, u64 flip_b, u64* low_high) {
  constexpr int N = Reading<A, B>::N;
  u64 low_a = ~0ull, high_a = 0, low_b = ~0ull, high_b = 0;
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 at = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) * N; at < n; at += threads * N) {
    if (at + N <= n) {
      widen<N>(read<A, N>(a + at), flip_a, low_a, high_a);
      widen<N>(read<B, N>(b + at), flip_b, low_b, high_b);
    } else {
      for (u64 i = at; i < n; ++i) {
        widen<1>(read<A, 1>(a + i), flip_a, low_a, high_a);
        widen<1>(read<B, 1>(b + i), flip_b, low_b, high_b);
      }
    }
  }
  merge(low_a, high_a, low_high);
  merge(low_b, high_b, low_high + 2);
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

// Large tables: one key for each sample, to be sorted. Both places are below their limits.
template <class A, class B>
__device__ __forceinline__ u64 wide_key(A a, B b, u64 low_a, u64 low_b, u32 bits) {
  return static_cast<u64>(place_of(a, low_a)) << bits | static_cast<u64>(place_of(b, low_b));
}

template <class A, class B, class Key>
__global__ void __launch_bounds__(256)
    keys_of(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, Key* keys) {
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads)
    keys[i] = static_cast<Key>(wide_key(a[i], b[i], low_a, low_b, bits));
}

// Keys of a few bits more than 32 are dealt into buckets by those bits, and the other 32 sorted in each. All lanes of a
// warp take a place in their buckets together; a lane without a sample has the bucket BUCKETS.
constexpr u32 BUCKETS = 16, DEALT = 8;  // samples of a thread that are dealt at once

__device__ __forceinline__ u32 place_in_bucket(u32 bucket, u32* taken) {
  const u32 peers = __match_any_sync(ALL_LANES, bucket), lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(peers)) - 1;
  u32 place = 0;
  if (static_cast<int>(lane) == first && bucket < BUCKETS) place = atomicAdd(taken + bucket, __popc(peers));
  return __shfl_sync(ALL_LANES, place, first) + __popc(peers & ((1u << lane) - 1));
}

// Shared memory of kernels that are templates, in functions that are none: only there g++, under which tests run this
// text, puts it where they see each access; as references to arrays, of which they know the size.
__device__ __forceinline__ auto& taken_places() {
  __shared__ u32 of_buckets[BUCKETS];
  return of_buckets;
}
__device__ __forceinline__ auto& bucket_starts() {
  __shared__ u64 of_buckets[BUCKETS];
  return of_buckets;
}

template <class A, class B>
__global__ void __launch_bounds__(256)
    bucket_sizes(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, u64* sizes) {
  auto& taken = taken_places();
  if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;
  __syncthreads();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x; first < n; first += threads) {
    const u64 i = first + threadIdx.x;
    place_in_bucket(i < n ? static_cast<u32>(wide_key(a[i], b[i], low_a, low_b, bits) >> 32) : BUCKETS, taken);
  }
  __syncthreads();
  if (threadIdx.x < BUCKETS && taken[threadIdx.x] != 0)
    atomicAdd(sizes + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
}

// "next" is where each bucket starts, and in the end where it ends.
template <class A, class B>
__global__ void __launch_bounds__(256)
    deal_keys(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, u64* next, u32* keys) {
  auto& taken = taken_places();
  auto& start = bucket_starts();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x * DEALT; first < n; first += threads * DEALT) {
    if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;  // an earlier round reads it before its last barrier
    __syncthreads();
    u32 bucket[DEALT], place[DEALT], key[DEALT];
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j) {
      const u64 i = first + j * blockDim.x + threadIdx.x;
      const u64 whole = i < n ? wide_key(a[i], b[i], low_a, low_b, bits) : static_cast<u64>(BUCKETS) << 32;
      bucket[j] = static_cast<u32>(whole >> 32);
      key[j] = static_cast<u32>(whole);
      place[j] = place_in_bucket(bucket[j], taken);
    }
    __syncthreads();
    if (threadIdx.x < BUCKETS) start[threadIdx.x] = atomicAdd(next + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j)
      if (bucket[j] < BUCKETS) keys[start[bucket[j]] + place[j]] = key[j];
  }
}

template <class Key>
__device__ __forceinline__ bool starts_a_run(const Key* keys, u64 i, u64 n) {
  return i < n && (i == 0 || keys[i] != keys[i - 1]);
}

constexpr u32 ROUNDS = 16;  // a block looks at so many times as many sorted keys as it has threads

// How many runs of equal keys start among the keys of each block.
template <class Key>
__global__ void __launch_bounds__(256) count_runs(const Key* keys, u64 n, u64* runs) {
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS;
  u32 count = 0;
  for (u32 round = 0; round < ROUNDS; ++round)
    count += __syncthreads_count(starts_a_run(keys, begin + round * blockDim.x + threadIdx.x, n));
  if (threadIdx.x == 0) runs[blockIdx.x] = count;
}

__device__ __forceinline__ auto& starts_in_warps() {  // shared memory, in a function that is no template
  __shared__ u32 of_warps[32];
  return of_warps;
}

// Where each run starts, and its key; "offsets" is the number of runs in the blocks before.
template <class Key>
__global__ void __launch_bounds__(256)
    write_runs(const Key* keys, u64 n, const u64* offsets, u64* starts, Key* cells) {
  auto& of_warp = starts_in_warps();
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS;
  u64 next = offsets[blockIdx.x];
  for (u32 round = 0; round < ROUNDS; ++round) {
    const u64 i = begin + round * blockDim.x + threadIdx.x;
    const bool is_start = starts_a_run(keys, i, n);
    const u32 ballot = __ballot_sync(ALL_LANES, is_start);
    if (lane == 0) of_warp[warp] = __popc(ballot);
    __syncthreads();
    u64 place = next + __popc(ballot & ((1u << lane) - 1));
    for (u32 w = 0; w < blockDim.x / 32; ++w) {
      if (w < warp) place += of_warp[w];
      next += of_warp[w];
    }
    if (is_start) {
      starts[place] = i;
      cells[place] = keys[i];
    }
    __syncthreads();
  }
}

}  // namespace gpuval
