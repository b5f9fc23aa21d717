// What silhouettes and the Dunn index read of all distances between rows and columns, of which none is written: a block
// has 64 rows and goes over the columns, which are sorted by cluster, 64 at a time.
//
// Distances are those of differences, so that nothing cancels, and those of equal points are 0. Each thread has 4 x 4
// of a tile in its registers: it reads 8 numbers of shared memory for 32 operations, which leaves the arithmetic as
// what takes longest. The rows come again with each tile of columns, from a cache: 128 numbers for 8192 operations.
// What waits for memory is hidden by the other blocks of a processor, whose registers are kept few for that. Of these
// sizes none has been measured.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 BLOCK = 256, TILE = 64;
constexpr u32 EACH = 4;             // rows of a thread, and columns
constexpr u32 LANES = TILE / EACH;  // threads that share their rows
constexpr u32 SLICE = 16;           // features that are in shared memory at once

__device__ __forceinline__ double infinite() { return __longlong_as_double(0x7ff0000000000000ll); }

struct Euclidean {  // "add" sees the difference in one feature, "root" makes the sum a distance
  template <class T>
  static __device__ __forceinline__ T add(T sum, T difference) { return fma(difference, difference, sum); }
  template <class T>
  static __device__ __forceinline__ T root(T sum) { return sqrt(sum); }
};

struct Cityblock {
  template <class T>
  static __device__ __forceinline__ T add(T sum, T difference) { return sum + fabs(difference); }
  template <class T>
  static __device__ __forceinline__ T root(T sum) { return sum; }
};

// How many blocks a processor has at once, as far as registers go: 80 of them for each thread, or 128. For one more,
// and for loops that are unrolled further, registers go to memory.
template <class T>
constexpr u32 BLOCKS = sizeof(T) == 4 ? 3 : 2;

template <class T>
struct alignas(16) Four {  // read in 16 bytes at once
  T at[EACH];
};

// Some features of 64 samples, by feature. Four more places a feature: the 16 that a half of a warp has of one sample
// would otherwise go into one bank.
template <class T>
struct Slice {
  Four<T> of_feature[SLICE][LANES + 1];

  // The features from "feature" on of the n samples, up to 64, that follow; other samples are 0.
  __device__ __forceinline__ void load(const T* samples, u32 n, u32 d, u32 feature) {
    const u32 f = feature + threadIdx.x % SLICE;
    if (f >= d) return;
#pragma unroll
    for (u32 i = threadIdx.x / SLICE; i < TILE; i += BLOCK / SLICE)
      of_feature[threadIdx.x % SLICE][i / EACH].at[i % EACH] = i < n ? samples[static_cast<u64>(i) * d + f] : T();
  }
};

// Shared memory of kernels that are templates, in functions that are none: only there g++, under which tests run this
// text, puts it where they see each access.
__device__ __forceinline__ Slice<float>* slices(float) {
  __shared__ Slice<float> two[2];
  return two;
}
__device__ __forceinline__ Slice<double>* slices(double) {
  __shared__ Slice<double> two[2];
  return two;
}

template <class T>
struct Points {
  const T* at;
  u64 size;
};

// The sums over features for rows from "top" on and columns from "left" on, a thread's part of 64 x 64. All threads of
// the block call it together; what they wrote to shared memory before, all see after.
template <class M, class T>
__device__ __forceinline__ void sum_features(Points<T> rows, u64 top, Points<T> columns, u64 left, u32 d,
                                             T (&sums)[EACH][EACH]) {
  Slice<T> &of_rows = slices(T())[0], &of_columns = slices(T())[1];
#pragma unroll
  for (u32 i = 0; i < EACH; ++i)
#pragma unroll
    for (u32 j = 0; j < EACH; ++j) sums[i][j] = 0;
  const u32 n_rows = static_cast<u32>(min(rows.size - top, static_cast<u64>(TILE)));
  const u32 n_columns = static_cast<u32>(min(columns.size - left, static_cast<u64>(TILE)));
  for (u32 feature = 0; feature < d; feature += SLICE) {
    const u32 width = min(SLICE, d - feature);
    __syncthreads();  // who reads the slices before is done
    of_rows.load(rows.at + top * d, n_rows, d, feature);
    of_columns.load(columns.at + left * d, n_columns, d, feature);
    __syncthreads();
#pragma unroll 2
    for (u32 f = 0; f < width; ++f) {
      const Four<T> x = of_rows.of_feature[f][threadIdx.x / LANES], y = of_columns.of_feature[f][threadIdx.x % LANES];
#pragma unroll
      for (u32 i = 0; i < EACH; ++i)
#pragma unroll
        for (u32 j = 0; j < EACH; ++j) sums[i][j] = M::add(sums[i][j], x.at[i] - y.at[j]);
    }
  }
}

// ---- means

// What a distance is multiplied by, and in what type up to four of a row are added up before they go to a sum in
// double: with weights in double too. Without, in the type of the distances, which are no more exact than that, as many
// devices have a 64th of their arithmetic for double.
template <class T, class W>
struct Factor {
  typedef W type;
  static __device__ __forceinline__ W of(const W* weights, u32 column) { return weights[column]; }
};
template <class T>
struct Factor<T, One> {
  typedef T type;
  static __device__ __forceinline__ T of(const One*, u32) { return 1; }
};

// Adds the distances to columns from "first" to before "end" of the tile to the sums of the rows.
template <class T, class W>
__device__ __forceinline__ void add_columns(const T (&distances)[EACH][EACH], const W* weights, u32 first, u32 end,
                                            double (&sums)[EACH]) {
  typedef typename Factor<T, W>::type F;
  const u32 column = threadIdx.x % LANES * EACH;
  bool is_in[EACH];
  F factor[EACH];
#pragma unroll
  for (u32 j = 0; j < EACH; ++j) {
    is_in[j] = column + j >= first && column + j < end;
    factor[j] = is_in[j] ? Factor<T, W>::of(weights, column + j) : F();
  }
#pragma unroll
  for (u32 i = 0; i < EACH; ++i) {
    F sum = 0;
#pragma unroll
    for (u32 j = 0; j < EACH; ++j)  // chosen, not times 0: what has overflown would be no number then
      sum = fma(factor[j], static_cast<F>(is_in[j] ? distances[i][j] : T()), sum);
    sums[i] += static_cast<double>(sum);
  }
}

__device__ __forceinline__ double of_other_lane(double x, u32 with) { return __shfl_xor_sync(ALL_LANES, x, with); }

// Of the four rows of a thread, the one whose sum it gets from of_row.
__device__ __forceinline__ u32 row_of_lane() {
  return threadIdx.x / LANES * EACH + (threadIdx.x & 1) * 2 + (threadIdx.x >> 1 & 1);
}

// The sum over the 16 lanes that share a row, in the same order each time. A lane gives away the sums of the rows that
// are not its own: of two, then of one. So five numbers are exchanged rather than 16, and four lanes have each row.
__device__ __forceinline__ double of_row(const double (&sums)[EACH]) {
  const bool is_second = threadIdx.x & 1, is_odd = threadIdx.x & 2;
  const double even = (is_second ? sums[2] : sums[0]) + of_other_lane(is_second ? sums[0] : sums[2], 1);
  const double odd = (is_second ? sums[3] : sums[1]) + of_other_lane(is_second ? sums[1] : sums[3], 1);
  double sum = (is_odd ? odd : even) + of_other_lane(is_odd ? even : odd, 2);
  sum += of_other_lane(sum, 4);
  return sum + of_other_lane(sum, 8);
}

// Of a row: the sum of the distances to its own cluster, the least and the largest mean distance to another one, and
// the sum of the distances to all others. Only one lane reads and writes it, but when a cluster ends: in shared memory
// it takes no registers from the tiles.
struct Means {
  u64 code;
  double own, nearest, furthest, others;

  __device__ __forceinline__ void add(u64 cluster, double sum, double mass) {
    if (cluster == code) {
      own = sum;
    } else if (mass > 0) {  // else it is as one of no columns
      others += sum;
      nearest = fmin(nearest, sum / mass);
      furthest = fmax(furthest, sum / mass);
    }
  }
};

__device__ __forceinline__ Means* means_of_rows() {
  __shared__ Means of_rows[TILE];
  return of_rows;
}

template <class T, class M, class W>
__global__ void __launch_bounds__(BLOCK, BLOCKS<T>)
    cluster_means(const T* rows, u64 m, const u64* row_codes, const T* columns, u64 n, u32 d, const u64* edges,
                  const W* weights, const double* masses, double* means) {
  const u64 top = static_cast<u64>(blockIdx.x) * TILE, row = top + row_of_lane();
  const bool has_row = threadIdx.x % LANES < EACH;  // of the four lanes that get its sums, the first
  Means& found = means_of_rows()[row_of_lane()];
  if (has_row) found = Means{row < m ? row_codes[row] : 0, 0, infinite(), -infinite(), 0};
  double sums[EACH] = {};
  u64 begun = 0, end = 0;  // how many clusters have begun, and where the last of them ends
  for (u64 left = 0; left < n; left += TILE) {
    T distances[EACH][EACH];
    sum_features<M>(Points<T>{rows, m}, top, Points<T>{columns, n}, left, d, distances);
#pragma unroll
    for (u32 i = 0; i < EACH; ++i)
#pragma unroll
      for (u32 j = 0; j < EACH; ++j) distances[i][j] = M::root(distances[i][j]);
    const u32 width = static_cast<u32>(min(n - left, static_cast<u64>(TILE)));
    for (u32 first = 0; first < width;) {
      while (end <= left + first) end = edges[++begun];
      const u32 next = static_cast<u32>(min(end - left, static_cast<u64>(width)));
      add_columns(distances, weights + left, first, next, sums);
      first = next;
      if (end > left + next) break;  // it goes on in the next tile
      const double sum = of_row(sums);
      if (has_row) found.add(begun - 1, sum, masses[begun - 1]);
#pragma unroll
      for (u32 i = 0; i < EACH; ++i) sums[i] = 0;
    }
  }
  if (!has_row || row >= m) return;
  means[row] = found.own;
  means[m + row] = found.nearest;
  means[2 * m + row] = found.furthest;
  means[3 * m + row] = found.others;
}

// ---- extremes

struct Columns {
  u64 begin, end;
};

__device__ __forceinline__ Columns* own_columns() {
  __shared__ Columns of_rows[TILE];
  return of_rows;
}

// Of each row: the distance to the nearest column of another cluster, and to the furthest one of its own. A column
// is of the row's own cluster if it lies between the edges of that cluster; only the two results are made distances by
// the root.
template <class T, class M>
__global__ void __launch_bounds__(BLOCK, BLOCKS<T>)
    cluster_extremes(const T* rows, u64 m, const u64* row_codes, const T* columns, u64 n, u32 d, const u64* edges,
                     double* extremes) {
  const u64 top = static_cast<u64>(blockIdx.x) * TILE;
  const u32 first_row = threadIdx.x / LANES * EACH;
  if (threadIdx.x < TILE) {
    const u64 row = top + threadIdx.x, code = row < m ? row_codes[row] : 0;
    own_columns()[threadIdx.x] = Columns{edges[code], edges[code + 1]};
  }
  T nearest[EACH], furthest[EACH];
#pragma unroll
  for (u32 i = 0; i < EACH; ++i) {
    nearest[i] = static_cast<T>(infinite());
    furthest[i] = 0;
  }
  for (u64 left = 0; left < n; left += TILE) {
    T sums[EACH][EACH];
    sum_features<M>(Points<T>{rows, m}, top, Points<T>{columns, n}, left, d, sums);
#pragma unroll
    for (u32 i = 0; i < EACH; ++i) {
      const Columns own = own_columns()[first_row + i];
#pragma unroll
      for (u32 j = 0; j < EACH; ++j) {
        const u64 column = left + threadIdx.x % LANES * EACH + j;
        if (column >= own.begin && column < own.end)
          furthest[i] = fmax(furthest[i], sums[i][j]);
        else if (column < n)
          nearest[i] = fmin(nearest[i], sums[i][j]);
      }
    }
  }
#pragma unroll
  for (u32 i = 0; i < EACH; ++i) {
#pragma unroll
    for (u32 with = LANES / 2; with > 0; with /= 2) {
      nearest[i] = fmin(nearest[i], __shfl_xor_sync(ALL_LANES, nearest[i], with));
      furthest[i] = fmax(furthest[i], __shfl_xor_sync(ALL_LANES, furthest[i], with));
    }
    const u64 row = top + first_row + i;
    if (row < m && threadIdx.x % LANES == 0) {
      extremes[row] = static_cast<double>(M::root(nearest[i]));
      extremes[m + row] = static_cast<double>(M::root(furthest[i]));
    }
  }
}

}  // namespace gpuval
