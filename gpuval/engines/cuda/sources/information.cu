// The information of a table of counts. Each block leaves its sums in places of its own, and one more block adds them
// up: the same digits each time, and nothing to clear before.

#include "numerics.cuh"

namespace gpuval {

// Of the cells that are not empty: a_i b_j, the deviance of n_ij from a_i b_j / n, and n_ij log of b_j / n_ij and of
// a_i / n_ij. The cells are all of a dense table, of fewer than 2^32 cells; or listed, each with its row and column.
__global__ void __launch_bounds__(256)
    information_sums(const u64* counts, u64 n_cells, u32 columns, u32 is_listed, const u64* class_of,
                     const u64* cluster_of, const u64* class_sizes, const u64* cluster_sizes, const u64* total,
                     u64* met, double* sums) {
  __shared__ Wide places[WARPS];
  __shared__ double of_warps[WARPS];
  const u64 n = *total, threads = static_cast<u64>(gridDim.x) * blockDim.x;
  Wide products = {0, 0};
  double deviances = 0, of_columns = 0, of_rows = 0;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n_cells; i += threads) {
    const u64 k = counts[i];
    if (k == 0) continue;
    const u64 a = class_sizes[is_listed ? class_of[i] : static_cast<u32>(i) / columns];
    const u64 b = cluster_sizes[is_listed ? cluster_of[i] : static_cast<u32>(i) % columns];
    const Wide of_sizes = product(a, b);
    const double count = static_cast<double>(k), whole = static_cast<double>(n);
    products += of_sizes;
    deviances += deviance(count, to_double(of_sizes) / whole, to_double(product(k, n) - of_sizes) / whole);
    of_columns += count * log1p(static_cast<double>(b - k) / count);
    of_rows += count * log1p(static_cast<double>(a - k) / count);
  }
  products = of_block(products, places);
  if (threadIdx.x == 0) {
    met[2 * blockIdx.x] = products.low;
    met[2 * blockIdx.x + 1] = products.high;
  }
#pragma unroll 1  // three times the text would take three times as long to compile
  for (int i = 0; i < 3; ++i) {
    const double sum = of_block(i == 0 ? deviances : i == 1 ? of_columns : of_rows, of_warps);
    if (threadIdx.x == 0) sums[3 * blockIdx.x + i] = sum;
  }
}

// MI, H(true | pred) and H(pred | true) in nats. An empty cell adds a_i b_j / n to n MI: together what the products of
// the others lack of n^2. In one block.
__global__ void __launch_bounds__(256)
    information_parts(const u64* met, const double* sums, u32 blocks, const u64* total, double* parts) {
  __shared__ Wide places[WARPS];
  __shared__ double of_warps[WARPS], found[3];
  const Wide products = of_blocks(met, blocks, 2, places);
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    const double sum = of_blocks(sums + i, blocks, 3, of_warps);
    if (threadIdx.x == 0) found[i] = sum;
  }
  if (threadIdx.x != 0) return;
  const u64 n = *total;
  const double whole = n == 0 ? 1 : static_cast<double>(n);
  parts[0] = (found[0] + to_double(product(n, n) - products) / whole) / whole;
  parts[1] = found[1] / whole;
  parts[2] = found[2] / whole;
}

}  // namespace gpuval
