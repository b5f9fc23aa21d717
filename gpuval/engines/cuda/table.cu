// What scores read of a table of counts: its margins, its pairs of samples, its information. Each block leaves its sums
// in places of its own, and one more block adds them up: the same digits each time, and nothing to clear before.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 WARPS = 8;  // of each block
constexpr u64 TILE_ROWS = 64, TILE_COLUMNS = 256;

// The sums of the rows, of the columns, and of all, which start as 0: a block for each tile.
__global__ void __launch_bounds__(256)
    margins(const u64* counts, u64 n_rows, u64 n_columns, u64* class_sizes, u64* cluster_sizes, u64* total) {
  const u64 tiles = (n_columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
  const u64 top = blockIdx.x / tiles * TILE_ROWS, left = blockIdx.x % tiles * TILE_COLUMNS;
  const u64 bottom = min(top + TILE_ROWS, n_rows), right = min(left + TILE_COLUMNS, n_columns);
  const u64 column = left + threadIdx.x;
  if (column < right) {
    u64 sum = 0;
    for (u64 row = top; row < bottom; ++row) sum += counts[row * n_columns + column];
    if (sum != 0) atomicAdd(cluster_sizes + column, sum);
  }
  u64 all = 0;
  for (u64 row = top + threadIdx.x / 32; row < bottom; row += WARPS) {
    u64 sum = 0;
    for (u64 i = left + threadIdx.x % 32; i < right; i += 32) sum += counts[row * n_columns + i];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(ALL_LANES, sum, offset);
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(class_sizes + row, sum);
    all += sum;
  }
  if (threadIdx.x % 32 == 0 && all != 0) atomicAdd(total, all);
}

// ---- pairs of samples

__device__ __forceinline__ Wide squares(const u64* x, u64 n) {
  Wide sum = {0, 0};
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) sum += product(x[i], x[i]);
  return sum;
}

__global__ void __launch_bounds__(256)
    pair_sums(const u64* counts, u64 n_cells, const u64* class_sizes, u64 n_rows, const u64* cluster_sizes,
              u64 n_columns, u64* sums) {
  __shared__ Wide places[WARPS];
  const Wide found[3] = {
      of_block(squares(counts, n_cells), places),
      of_block(squares(class_sizes, n_rows), places),
      of_block(squares(cluster_sizes, n_columns), places),
  };
  if (threadIdx.x == 0)
    for (int i = 0; i < 3; ++i) {
      sums[6 * blockIdx.x + 2 * i] = found[i].low;
      sums[6 * blockIdx.x + 2 * i + 1] = found[i].high;
    }
}

__device__ __forceinline__ Wide of_blocks(const u64* sums, u32 blocks, u32 stride, Wide* places) {
  Wide sum = {0, 0};
  for (u32 block = threadIdx.x; block < blocks; block += blockDim.x)
    sum += Wide{sums[stride * block], sums[stride * block + 1]};
  return of_block(sum, places);
}

// Numbers below 2^78 in three digits of 2^24, the first one larger, so that products of digits add up in 64 bits.
struct Digits {
  i64 high, middle, low;
};

__device__ __forceinline__ Digits digits(Wide x) {
  constexpr u64 MASK = (1 << 24) - 1;
  return {static_cast<i64>(x.high << 16 | x.low >> 48), static_cast<i64>(x.low >> 24 & MASK),
          static_cast<i64>(x.low & MASK)};
}

// p q - r s, rounded when the last digit is known.
__device__ __forceinline__ double cross_difference(Digits p, Digits q, Digits r, Digits s) {
  constexpr i64 BASE = 1 << 24;
  const i64 of_power[5] = {
      p.low * q.low - r.low * s.low,
      p.low * q.middle + p.middle * q.low - r.low * s.middle - r.middle * s.low,
      p.low * q.high + p.middle * q.middle + p.high * q.low - r.low * s.high - r.middle * s.middle - r.high * s.low,
      p.middle * q.high + p.high * q.middle - r.middle * s.high - r.high * s.middle,
      p.high * q.high - r.high * s.high,
  };
  i64 carry = 0, digit[4];
  for (int i = 0; i < 4; ++i) {
    const i64 whole = of_power[i] + carry;
    digit[i] = whole & (BASE - 1);
    carry = whole >> 24;  // rounds down: no digit is negative
  }
  double value = static_cast<double>(of_power[4] + carry);
  for (int i = 3; i >= 0; --i) value = value * BASE + static_cast<double>(digit[i]);
  return value;
}

// Both, true only, pred only, neither; both * neither - true only * pred only; true only - pred only. In one block.
__global__ void __launch_bounds__(256) pair_parts(const u64* sums, u32 blocks, const u64* total, double* parts) {
  __shared__ Wide places[WARPS];
  const Wide cells = of_blocks(sums, blocks, 6, places);
  const Wide classes = of_blocks(sums + 2, blocks, 6, places);
  const Wide clusters = of_blocks(sums + 4, blocks, 6, places);
  if (threadIdx.x != 0) return;
  const u64 n = *total;
  const Wide both = cells - Wide{n, 0}, true_only = classes - cells, pred_only = clusters - cells;
  const Wide neither = product(n, n) + cells - classes - clusters;
  parts[0] = to_double(both);
  parts[1] = to_double(true_only);
  parts[2] = to_double(pred_only);
  parts[3] = to_double(neither);
  parts[4] = cross_difference(digits(both), digits(neither), digits(true_only), digits(pred_only));
  parts[5] = to_double(classes - clusters);
}

// ---- information

struct AllCells {  // of a dense table, of fewer than 2^32 cells
  u32 columns;
  __device__ __forceinline__ u64 row(u64 cell) const { return static_cast<u32>(cell) / columns; }
  __device__ __forceinline__ u64 column(u64 cell) const { return static_cast<u32>(cell) % columns; }
};
struct ListedCells {
  const u64 *class_of, *cluster_of;
  __device__ __forceinline__ u64 row(u64 cell) const { return class_of[cell]; }
  __device__ __forceinline__ u64 column(u64 cell) const { return cluster_of[cell]; }
};

// Shared memory of a template, in functions that are none: only there g++, under which tests run this text, puts it
// where they see each access.
__device__ __forceinline__ auto& wide_places() {
  __shared__ Wide of_warps[WARPS];
  return of_warps;
}
__device__ __forceinline__ auto& real_places() {
  __shared__ double of_warps[WARPS];
  return of_warps;
}

// Of the cells that are not empty: a_i b_j, the deviance of n_ij from a_i b_j / n, and n_ij log of b_j / n_ij and of
// a_i / n_ij.
template <class Cells>
__device__ __forceinline__ void sum_information(const Cells& cells, const u64* counts, u64 n_cells,
                                                const u64* class_sizes, const u64* cluster_sizes, const u64* total,
                                                u64* met, double* sums) {
  auto& places = wide_places();
  auto& of_warps = real_places();
  const u64 n = *total, threads = static_cast<u64>(gridDim.x) * blockDim.x;
  Wide products = {0, 0};
  double deviances = 0, of_columns = 0, of_rows = 0;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n_cells; i += threads) {
    const u64 k = counts[i];
    if (k == 0) continue;
    const u64 a = class_sizes[cells.row(i)], b = cluster_sizes[cells.column(i)];
    const Wide of_sizes = product(a, b);
    const double count = static_cast<double>(k), whole = static_cast<double>(n);
    products += of_sizes;
    deviances += deviance(count, to_double(of_sizes) / whole, to_double(product(k, n) - of_sizes) / whole);
    of_columns += count * log1p(static_cast<double>(b - k) / count);
    of_rows += count * log1p(static_cast<double>(a - k) / count);
  }
  products = of_block(products, places);
  const double found[3] = {of_block(deviances, of_warps), of_block(of_columns, of_warps), of_block(of_rows, of_warps)};
  if (threadIdx.x == 0) {
    met[2 * blockIdx.x] = products.low;
    met[2 * blockIdx.x + 1] = products.high;
    for (int i = 0; i < 3; ++i) sums[3 * blockIdx.x + i] = found[i];
  }
}

__global__ void __launch_bounds__(256)
    information_sums(const u64* counts, u64 n_cells, u32 columns, const u64* class_sizes, const u64* cluster_sizes,
                     const u64* total, u64* met, double* sums) {
  sum_information(AllCells{columns}, counts, n_cells, class_sizes, cluster_sizes, total, met, sums);
}

__global__ void __launch_bounds__(256)
    information_sums_of_listed(const u64* counts, u64 n_cells, const u64* class_of, const u64* cluster_of,
                               const u64* class_sizes, const u64* cluster_sizes, const u64* total, u64* met,
                               double* sums) {
  sum_information(ListedCells{class_of, cluster_of}, counts, n_cells, class_sizes, cluster_sizes, total, met, sums);
}

// MI, H(true | pred) and H(pred | true) in nats. An empty cell adds a_i b_j / n to n MI: together what the products of
// the others lack of n^2. In one block.
__global__ void __launch_bounds__(256)
    information_parts(const u64* met, const double* sums, u32 blocks, const u64* total, double* parts) {
  __shared__ Wide places[WARPS];
  __shared__ double of_warps[WARPS];
  const Wide products = of_blocks(met, blocks, 2, places);
  double found[3];
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (u32 block = threadIdx.x; block < blocks; block += blockDim.x) sum += sums[3 * block + i];
    found[i] = of_block(sum, of_warps);
  }
  if (threadIdx.x != 0) return;
  const u64 n = *total;
  const double whole = n == 0 ? 1 : static_cast<double>(n);
  parts[0] = (found[0] + to_double(product(n, n) - products) / whole) / whole;
  parts[1] = found[1] / whole;
  parts[2] = found[2] / whole;
}

}  // namespace gpuval
