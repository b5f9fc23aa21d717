// The sums of the rows and of the columns of a table of counts, and of all.

#include "numerics.cuh"

namespace gpuval {

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

}  // namespace gpuval
