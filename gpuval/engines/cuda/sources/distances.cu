// What silhouettes and the Dunn index read of all distances between rows and columns, of which none is written: a block
// has 128 rows (64 in double) and goes over the columns, which are sorted by cluster, as many at a time.
//
// Distances are those of differences, so that nothing cancels, and those of equal points are 0. Each thread has 8 x 8
// of a tile in its registers (4 x 4 in double): it reads 16 numbers of shared memory for 128 operations, which leaves
// the arithmetic as what takes longest. The rows come again with each tile of columns, from a cache. What waits for
// memory is hidden by the other block of a processor. On an H100 tiles of 64 x 64 in float took 1.24 times as long, of
// 50 features, and loads that waited for one another 1.2 times as long in tiles of that size.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 BLOCK = 256;
constexpr u32 LANES = 16;  // threads that share their rows
constexpr u32 SLICE = 16;  // most features that are in shared memory at once
template <class T>
constexpr u32 EACH = sizeof(T) == 4 ? 8 : 4;  // rows of a thread, and columns
template <class T>
constexpr u32 TILE = LANES * EACH<T>;

// Where in a tile the rows of the threads of a group are, and the columns of a lane: four of each 64, so that 16 lanes
// read 16 neighbours of shared memory.
__device__ __forceinline__ u32 place_of(u32 group, u32 i) { return i / 4 * 64 + group * 4 + i % 4; }

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

// How many blocks a processor has at once, as far as registers go: 128 of them for each thread.
constexpr u32 BLOCKS = 2;

template <class T>
struct alignas(16) Four {  // read in 16 bytes at once
  T at[4];
};

// Some features of the samples of a tile, by feature. Four more places a feature: the 16 that a half of a warp writes
// of one sample would otherwise go into one bank.
template <class T>
struct Slice {
  Four<T> of_feature[SLICE][TILE<T> / 4 + 1];

  // A thread reads one feature of every sixteenth sample, all before it writes one: so they come together. In place of
  // samples and features beyond the last, which nobody uses, it reads the last.
  static __device__ __forceinline__ void read(T (&values)[EACH<T>], const T* samples, u32 n, u32 d, u32 feature,
                                              u32 width) {
    const T* at = samples + feature + min(threadIdx.x % SLICE, width - 1);
    u32 sample = threadIdx.x / SLICE;
    asm volatile("" : "+r"(sample));  // else all places are found ahead of the loop over slices, and fill the registers
#pragma unroll
    for (u32 k = 0; k < EACH<T>; ++k) values[k] = at[static_cast<u64>(min(sample + k * LANES, n - 1)) * d];
  }
  __device__ __forceinline__ void write(const T (&values)[EACH<T>]) {
    const u32 f = threadIdx.x % SLICE, first = threadIdx.x / SLICE;
#pragma unroll
    for (u32 k = 0; k < EACH<T>; ++k) of_feature[f][first / 4 + k * LANES / 4].at[first % 4] = values[k];
  }
};
static_assert(BLOCK / SLICE == LANES, "");

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

// The sums over features for rows from "top" on and columns from "left" on, a thread's part of a tile. All threads of
// the block call it together; what they wrote to shared memory before, all see after. Slices are equally wide.
template <class M, class T>
__device__ __forceinline__ void sum_features(Points<T> rows, u64 top, Points<T> columns, u64 left, u32 d,
                                             T (&sums)[EACH<T>][EACH<T>]) {
  Slice<T> &of_rows = slices(T())[0], &of_columns = slices(T())[1];
#pragma unroll
  for (u32 i = 0; i < EACH<T>; ++i)
#pragma unroll
    for (u32 j = 0; j < EACH<T>; ++j) sums[i][j] = 0;
  const u32 n_rows = static_cast<u32>(min(rows.size - top, static_cast<u64>(TILE<T>)));
  const u32 n_columns = static_cast<u32>(min(columns.size - left, static_cast<u64>(TILE<T>)));
  const u32 n_slices = (d + SLICE - 1) / SLICE, widest = n_slices ? (d + n_slices - 1) / n_slices : 0;
  T next_rows[EACH<T>], next_columns[EACH<T>];
  for (u32 feature = 0; feature < d; feature += widest) {
    const u32 width = min(widest, d - feature);
    of_rows.read(next_rows, rows.at + top * d, n_rows, d, feature, width);
    of_columns.read(next_columns, columns.at + left * d, n_columns, d, feature, width);
    __syncthreads();  // who reads the slices before is done
    of_rows.write(next_rows);
    of_columns.write(next_columns);
    __syncthreads();
#pragma unroll 1  // more turns at once take registers, and no less time
    for (u32 f = 0; f < width; ++f) {
      T x[EACH<T>], y[EACH<T>];
#pragma unroll
      for (u32 i = 0; i < EACH<T>; i += 4) {
        const Four<T> a = of_rows.of_feature[f][threadIdx.x / LANES + i * LANES / 4];
        const Four<T> b = of_columns.of_feature[f][threadIdx.x % LANES + i * LANES / 4];
#pragma unroll
        for (u32 k = 0; k < 4; ++k) x[i + k] = a.at[k], y[i + k] = b.at[k];
      }
#pragma unroll
      for (u32 i = 0; i < EACH<T>; ++i)
#pragma unroll
        for (u32 j = 0; j < EACH<T>; ++j) sums[i][j] = M::add(sums[i][j], x[i] - y[j]);
    }
  }
}

// ---- means

// What a distance is multiplied by, and in what type up to eight of a row are added up before they go to a sum in
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

// The sums of a thread's rows over the columns of a cluster. In shared memory they take no registers from the tiles.
struct Sums {
  double of_thread[BLOCK];
};

__device__ __forceinline__ Sums* sums_of_rows() {
  __shared__ Sums of_rows[EACH<float>];
  return of_rows;
}

// What hides from the compiler that a distance could be converted ahead: all of a tile would take too many registers.
__device__ __forceinline__ float not_yet(float x) {
  u32 bits = __float_as_uint(x);
  asm volatile("" : "+r"(bits));
  return __uint_as_float(bits);
}
__device__ __forceinline__ double not_yet(double x) { return x; }

// Adds the distances to columns from "first" to before "end" of the tile to the sums of the rows.
template <class T, class W>
__device__ __forceinline__ void add_columns(const T (&distances)[EACH<T>][EACH<T>], const W* weights, u32 first,
                                            u32 end) {
  typedef typename Factor<T, W>::type F;
#pragma unroll
  for (u32 i = 0; i < EACH<T>; ++i) {
    F sum = 0;
#pragma unroll
    for (u32 j = 0; j < EACH<T>; ++j) {  // chosen, not times 0: what has overflown would be no number then
      const u32 column = place_of(threadIdx.x % LANES, j);
      const bool is_in = column >= first && column < end;
      const F factor = is_in ? Factor<T, W>::of(weights, column) : F();
      sum = fma(factor, static_cast<F>(is_in ? not_yet(distances[i][j]) : T()), sum);
    }
    sums_of_rows()[i].of_thread[threadIdx.x] += static_cast<double>(sum);
  }
}

// Of the rows of a thread, the one whose sum it gets from of_row, as a place in the tile.
template <u32 E>
__device__ __forceinline__ u32 row_of_lane() {
  u32 row = 0;
#pragma unroll
  for (u32 rows = E / 2, lane = threadIdx.x; rows > 0; rows /= 2, lane /= 2) row += (lane & 1) * rows;
  return place_of(threadIdx.x / LANES, row);
}

// The sum over the 16 lanes that share a row, in the same order each time. A lane gives away the sums of the rows that
// are not its own: of half of them, then of a quarter, down to one. "with" is the next lane that it meets.
template <u32 E, u32 WITH = 1>
__device__ __forceinline__ double of_row(const double (&sums)[E]) {
  if constexpr (E == 1) {
    double sum = sums[0];
#pragma unroll
    for (u32 lane = WITH; lane < LANES; lane *= 2) sum += __shfl_xor_sync(ALL_LANES, sum, lane);
    return sum;
  } else {
    const bool is_second = threadIdx.x & WITH;
    double own[E / 2];
#pragma unroll
    for (u32 i = 0; i < E / 2; ++i) {
      const double given = is_second ? sums[i] : sums[i + E / 2];
      own[i] = (is_second ? sums[i + E / 2] : sums[i]) + __shfl_xor_sync(ALL_LANES, given, WITH);
    }
    return of_row<E / 2, 2 * WITH>(own);
  }
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
  __shared__ Means of_rows[TILE<float>];
  return of_rows;
}

template <class T, class M, class W>
__global__ void __launch_bounds__(BLOCK, BLOCKS)
    cluster_means(const T* rows, u64 m, const u64* row_codes, const T* columns, u64 n, u32 d, const u64* edges,
                  const W* weights, const double* masses, double* means) {
  const u64 top = static_cast<u64>(blockIdx.x) * TILE<T>, row = top + row_of_lane<EACH<T>>();
  const bool has_row = threadIdx.x % LANES < EACH<T>;  // of the lanes that get its sums, the first
  Means& found = means_of_rows()[row_of_lane<EACH<T>>()];
  if (has_row) found = Means{row < m ? row_codes[row] : 0, 0, infinite(), -infinite(), 0};
#pragma unroll
  for (u32 i = 0; i < EACH<T>; ++i) sums_of_rows()[i].of_thread[threadIdx.x] = 0;
  u64 begun = 0, end = 0;  // how many clusters have begun, and where the last of them ends
  for (u64 left = 0; left < n; left += TILE<T>) {
    T distances[EACH<T>][EACH<T>];
    sum_features<M>(Points<T>{rows, m}, top, Points<T>{columns, n}, left, d, distances);
#pragma unroll
    for (u32 i = 0; i < EACH<T>; ++i)
#pragma unroll
      for (u32 j = 0; j < EACH<T>; ++j) distances[i][j] = M::root(distances[i][j]);
    const u32 width = static_cast<u32>(min(n - left, static_cast<u64>(TILE<T>)));
    for (u32 first = 0; first < width;) {
      while (end <= left + first) end = edges[++begun];
      const u32 next = static_cast<u32>(min(end - left, static_cast<u64>(width)));
      add_columns(distances, weights + left, first, next);
      first = next;
      if (end > left + next) break;  // it goes on in the next tile
      double sums[EACH<T>];
#pragma unroll
      for (u32 i = 0; i < EACH<T>; ++i) {
        sums[i] = sums_of_rows()[i].of_thread[threadIdx.x];
        sums_of_rows()[i].of_thread[threadIdx.x] = 0;
      }
      const double sum = of_row(sums);
      if (has_row) found.add(begun - 1, sum, masses[begun - 1]);
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
  __shared__ Columns of_rows[TILE<float>];
  return of_rows;
}

// Of each row: the distance to the nearest column of another cluster, and to the furthest one of its own. A column
// is of the row's own cluster if it lies between the edges of that cluster; only the two results are made distances by
// the root.
template <class T, class M>
__global__ void __launch_bounds__(BLOCK, BLOCKS)
    cluster_extremes(const T* rows, u64 m, const u64* row_codes, const T* columns, u64 n, u32 d, const u64* edges,
                     double* extremes) {
  const u64 top = static_cast<u64>(blockIdx.x) * TILE<T>;
  if (threadIdx.x < TILE<T>) {
    const u64 row = top + threadIdx.x, code = row < m ? row_codes[row] : 0;
    own_columns()[threadIdx.x] = Columns{edges[code], edges[code + 1]};
  }
  T nearest[EACH<T>], furthest[EACH<T>];
#pragma unroll
  for (u32 i = 0; i < EACH<T>; ++i) {
    nearest[i] = static_cast<T>(infinite());
    furthest[i] = 0;
  }
  for (u64 left = 0; left < n; left += TILE<T>) {
    T sums[EACH<T>][EACH<T>];
    sum_features<M>(Points<T>{rows, m}, top, Points<T>{columns, n}, left, d, sums);
#pragma unroll
    for (u32 i = 0; i < EACH<T>; ++i) {
      const Columns own = own_columns()[place_of(threadIdx.x / LANES, i)];
#pragma unroll
      for (u32 j = 0; j < EACH<T>; ++j) {
        const u64 column = left + place_of(threadIdx.x % LANES, j);
        if (column >= own.begin && column < own.end)
          furthest[i] = fmax(furthest[i], sums[i][j]);
        else if (column < n)
          nearest[i] = fmin(nearest[i], sums[i][j]);
      }
    }
  }
#pragma unroll
  for (u32 i = 0; i < EACH<T>; ++i) {
#pragma unroll
    for (u32 with = LANES / 2; with > 0; with /= 2) {
      nearest[i] = fmin(nearest[i], __shfl_xor_sync(ALL_LANES, nearest[i], with));
      furthest[i] = fmax(furthest[i], __shfl_xor_sync(ALL_LANES, furthest[i], with));
    }
    const u64 row = top + place_of(threadIdx.x / LANES, i);
    if (row < m && threadIdx.x % LANES == 0) {
      extremes[row] = static_cast<double>(M::root(nearest[i]));
      extremes[m + row] = static_cast<double>(M::root(furthest[i]));
    }
  }
}

}  // namespace gpuval
