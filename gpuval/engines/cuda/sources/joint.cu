// Joint counts of two label vectors: small tables in shared memory, larger ones in the L2 cache or in memory.

#include "cells.cuh"

namespace gpuval {

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

// A table of at most 2^16 columns and labels of one byte, of which a word has two samples: row, column, row, column.
//
// Labels that are negative to their type come in order once their highest bit is turned. A word of labels that are all
// inside, less those of the first row and column, has no byte that borrows from the next; one that is outside leaves
// more than the last place there, so that what places lack to 255 makes it carry.
struct BytesTable : Table {
  u32 turned, lows, lacking;
  bool has_cells;

  __device__ __forceinline__ explicit BytesTable(const Table& table) : Table(table) {
    const u32 turned_a = (low_a & 0xff) + limit_a > 256 ? 0x80 : 0;
    const u32 turned_b = (low_b & 0xff) + limit_b > 256 ? 0x80 : 0;
    turned = twice(turned_a, turned_b);
    lows = twice(low_a ^ turned_a, low_b ^ turned_b);
    lacking = twice(256 - limit_a, 256 - limit_b);
    has_cells = limit_a != 0 && limit_b != 0;
  }

  template <int N>
  __device__ __forceinline__ bool cells_of(const Pack<u8, N>& x, const Pack<u8, N>& y, u32 (&cells)[N]) const {
    const u32 factors = columns | 1u << 16;  // of a row, and of a column
    u32 carries = 0;
#pragma unroll
    for (int k = 0; k < N / 2; ++k) {
      const u32 labels = __byte_perm(x.words[k / 2], y.words[k / 2], k % 2 ? 0x7362 : 0x5140);
      const u32 places = (labels ^ turned) - lows, sums = places + lacking;
      carries |= (places & lacking) | ((places | lacking) & ~sums);  // in the highest bit of each byte
      cells[2 * k] = __dp2a_lo(factors, places, first);
      cells[2 * k + 1] = __dp2a_hi(factors, places, first);
    }
    return has_cells && (carries & 0x80808080u) == 0;
  }

 private:
  static __device__ __forceinline__ u32 twice(u64 row, u64 column) {
    return static_cast<u32>((row & 0xff) | (column & 0xff) << 8) * 0x10001u;
  }
};

template <class A, class B>
struct SmallTable {
  typedef Table type;
};
template <>
struct SmallTable<u8, u8> {
  typedef BytesTable type;
};

// The counters of cells. Those in shared memory are numbered from where it begins, not from the first of a table, so
// that an address there is the number of its cell times a constant: a table's start would take three instructions a
// sample.
template <class T>
struct Counters {
  typedef T Counter;
  T* counters;
  __device__ __forceinline__ T* of(u32 cell) const { return counters + cell; }
};
template <class T>
struct SharedCounters {
  typedef T Counter;
  static __device__ __forceinline__ u32 number_of(const T* counter) {
    return static_cast<u32>(__cvta_generic_to_shared(counter) / sizeof(T));
  }
  static __device__ __forceinline__ T* of(u32 cell) {
    return static_cast<T*>(__cvta_shared_to_generic(cell * sizeof(T)));
  }
};

// Neighbours of one cell are added up in registers: labels that are sorted, or mostly one, cost next to no atomics.
template <class Reading, class W, class Cells>
struct Runs {
  static constexpr int N = Reading::N, PACKS = Reading::PACKS;
  typedef typename Cells::Counter Counter;
  struct Weights {
    Counter at[N];
  };
  Cells counters;
  const W* weights;
  u32 cell = 0;
  Counter sum = 0;

  __device__ __forceinline__ bool read(u64 i, Weights& of_pack) const {
    bool are_fine = true;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      of_pack.at[j] = Sum<W>::of(weights, i + j);
      are_fine = are_fine & Sum<W>::is_fine(of_pack.at[j]);
    }
    return are_fine;
  }
  __device__ __forceinline__ void pack(const u32 (&cells)[N], const Weights& of_pack) {
    add(cells[0], of_pack.at[0]);
#pragma unroll
    for (int j = 1; j < N; ++j) {
      if (cells[j] != cells[j - 1]) {
        atomicAdd(counters.of(cells[j - 1]), sum);
        sum = 0;
      }
      sum += of_pack.at[j];
    }
    cell = cells[N - 1];
  }
  __device__ __forceinline__ bool single(u32 next, u64 i) {
    if (next == NOWHERE) return false;
    const Counter weight = Sum<W>::of(weights, i);
    if (!Sum<W>::is_fine(weight)) return false;
    add(next, weight);
    return true;
  }
  __device__ __forceinline__ void add(u32 next, Counter weight) {
    if (next != cell) {
      end();
      cell = next;
      sum = 0;
    }
    sum += weight;
  }
  __device__ __forceinline__ void end() {
    if (sum != 0) atomicAdd(counters.of(cell), sum);
  }
};

// Neighbours of one cell in a warp are added by one of its lanes: for counters where atomics are dear.
template <class Reading>
struct Warps {
  static constexpr int N = Reading::N, PACKS = Reading::PACKS;
  struct Weights {};
  u32* counters;

  __device__ __forceinline__ bool read(u64, Weights&) const { return true; }
  __device__ __forceinline__ void pack(const u32 (&cells)[N], const Weights&) {
    bool is_one = true;
#pragma unroll
    for (int j = 1; j < N; ++j) is_one = is_one && cells[j] == cells[0];
    if (__all_sync(ALL_LANES, is_one)) {
      add(cells[0], N);
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j) add(cells[j], 1);
    }
  }
  __device__ __forceinline__ bool single(u32 cell, u64) {
    add(cell, 1);
    return cell != NOWHERE;
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
  const u32 first = SharedCounters<Counter>::number_of(counters) + threadIdx.x % copies * stride;
  const typename SmallTable<A, B>::type table{Table{low_a, limit_a, low_b, limit_b, columns, first}};
  Runs<Reading<A, B, W>, W, SharedCounters<Counter>> runs{{}, weights};
  count(a, b, n, table, runs, outside);
  runs.end();
  __syncthreads();
  for (u32 cell = threadIdx.x; cell < n_cells; cell += blockDim.x) {
    Counter sum = 0;
    for (u32 copy = 0; copy < copies; ++copy) sum += counters[copy * stride + cell];
    if (sum != 0) atomicAdd(counts + cell, static_cast<typename Sum<W>::table>(sum));
  }
}

// Tables that the L2 cache holds: counted there, in 32 bits (at most 2^31 samples come in one launch), or added up.
// Blocks at once: left to itself, the compiler gives some instances too few registers and spills.
template <class A, class B>
__global__ void __launch_bounds__(256, 4)
    joint_global(const A* a, const B* b, u64 n, u64 low_a, u64 limit_a, u64 low_b,
                 u64 limit_b, u32 columns, u32* counts, u64* outside) {
  const Table table{low_a, limit_a, low_b, limit_b, columns, 0};
  Warps<Reading<A, B>> warps{counts};
  count(a, b, n, table, warps, outside);
}

template <class A, class B, class W>
__global__ void __launch_bounds__(256, 3)
    joint_global_sums(const A* a, const B* b, const W* weights, u64 n, u64 low_a, u64 limit_a, u64 low_b,
                 u64 limit_b, u32 columns, typename Sum<W>::table* sums, u64* outside) {
  const Table table{low_a, limit_a, low_b, limit_b, columns, 0};
  Runs<Reading<A, B, W>, W, Counters<typename Sum<W>::table>> runs{{sums}, weights};
  count(a, b, n, table, runs, outside);
  runs.end();
}

}  // namespace gpuval
