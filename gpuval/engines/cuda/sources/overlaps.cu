// How much of each class lies in each cluster, many to one: what measures of overlap read of a dense table of counts.
// Each block leaves its sums in places of its own, and one more block adds them up: the same digits each time.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 STRIP = 32;  // columns of a block, one for each lane

// A class and a cluster: what they share, and the size of the class. Of classes that share as much, the larger one.
struct Best {
  u64 shared, size;

  __device__ __forceinline__ void meet(Best other) {
    if (other.shared > shared || (other.shared == shared && other.size > size)) *this = other;
  }
};

// Each warp takes every so many rows: adds up the largest counts, n_ij^2 / b_j and n_ij^2 / a_i, and the best
// F = 2 n_ij / (a_i + b_j) times a_i.
__device__ __forceinline__ void sum_rows(const u64* counts, u64 n_rows, u64 n_columns, const u64* class_sizes,
                                         const u64* cluster_sizes, u64& largest, double* sums) {
  const u64 warps = static_cast<u64>(gridDim.x) * WARPS, lane = threadIdx.x % 32;
  for (u64 row = static_cast<u64>(blockIdx.x) * WARPS + threadIdx.x / 32; row < n_rows; row += warps) {
    const u64 a = class_sizes[row];
    u64 most = 0;
    double best = 0;
    for (u64 column = lane; column < n_columns; column += 32) {
      const u64 n = counts[row * n_columns + column];
      if (n == 0) continue;
      const u64 b = cluster_sizes[column];
      const double count = static_cast<double>(n);
      most = max(most, n);
      best = fmax(best, 2 * count / static_cast<double>(a + b));
      sums[0] += count * (count / static_cast<double>(b));
      sums[1] += count * (count / static_cast<double>(a));
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      most = max(most, __shfl_down_sync(ALL_LANES, most, offset));
      best = fmax(best, __shfl_down_sync(ALL_LANES, best, offset));
    }
    if (lane == 0) {
      largest += most;
      sums[2] += static_cast<double>(a) * best;
    }
  }
}

// Each block takes every so many strips of columns, of which its warps share the rows: adds up the largest counts and
// the F of each cluster against its best class, in the first warp.
__device__ __forceinline__ void sum_columns(const u64* counts, u64 n_rows, u64 n_columns, const u64* class_sizes,
                                            const u64* cluster_sizes, Best* of_warps, u64& largest, double& sum) {
  const u64 lane = threadIdx.x % 32;
  for (u64 left = static_cast<u64>(blockIdx.x) * STRIP; left < n_columns; left += static_cast<u64>(gridDim.x) * STRIP) {
    const u64 column = left + lane;
    Best best = {0, 0};
    for (u64 row = threadIdx.x / 32; row < n_rows && column < n_columns; row += WARPS) {
      const u64 n = counts[row * n_columns + column];
      if (n != 0) best.meet({n, class_sizes[row]});
    }
    __syncthreads();  // who reads the strip before is done
    of_warps[threadIdx.x] = best;
    __syncthreads();
    if (threadIdx.x < STRIP && column < n_columns) {
      for (u32 warp = 1; warp < WARPS; ++warp) best.meet(of_warps[warp * 32 + lane]);
      largest += best.shared;
      if (best.shared != 0)
        sum += 2 * static_cast<double>(best.shared) / static_cast<double>(best.size + cluster_sizes[column]);
    }
  }
}

// Of each block: two sums of counts, of the largest of each row and of each column; and four of quotients.
__global__ void __launch_bounds__(256)
    overlap_sums(const u64* counts, u64 n_rows, u64 n_columns, const u64* class_sizes, const u64* cluster_sizes,
                 u64* largest, double* sums) {
  __shared__ Best best[32 * WARPS];
  __shared__ Wide places[WARPS];
  __shared__ double of_warps[WARPS];
  u64 of_rows = 0, of_columns = 0;
  double found[4] = {0, 0, 0, 0};
  sum_rows(counts, n_rows, n_columns, class_sizes, cluster_sizes, of_rows, found);
  sum_columns(counts, n_rows, n_columns, class_sizes, cluster_sizes, best, of_columns, found[3]);
#pragma unroll 1  // unrolled, each loop would take so many times as long to compile
  for (int i = 0; i < 2; ++i) {
    const Wide sum = of_block(Wide{i == 0 ? of_rows : of_columns, 0}, places);
    if (threadIdx.x == 0) largest[2 * blockIdx.x + i] = sum.low;
  }
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const double sum = of_block(found[0], of_warps);
    if (threadIdx.x == 0) sums[4 * blockIdx.x + i] = sum;
    // By places that are known when it is compiled, so that none of the sums is in memory.
    found[0] = found[1], found[1] = found[2], found[2] = found[3];
  }
}

// The sums over the samples as shares of them, and the mean over the clusters that occur; 1 if there are none.
__global__ void __launch_bounds__(256)
    overlap_parts(const u64* largest, const double* sums, u32 blocks, const u64* cluster_sizes, u64 n_columns,
                  const u64* total, double* parts) {
  __shared__ Wide places[WARPS], whole[3];
  __shared__ double of_warps[WARPS], found[4];
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    u64 count = 0;
    if (i < 2)
      for (u32 block = threadIdx.x; block < blocks; block += blockDim.x) count += largest[2 * block + i];
    else
      for (u64 column = threadIdx.x; column < n_columns; column += blockDim.x) count += cluster_sizes[column] != 0;
    const Wide sum = of_block(Wide{count, 0}, places);
    if (threadIdx.x == 0) whole[i] = sum;
  }
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const double sum = of_blocks(sums + i, blocks, 4, of_warps);
    if (threadIdx.x == 0) found[i] = sum;
  }
  if (threadIdx.x != 0) return;
  const double n = static_cast<double>(*total), clusters = static_cast<double>(whole[2].low);
  parts[0] = n == 0 ? 1 : static_cast<double>(whole[1].low) / n;
  parts[1] = n == 0 ? 1 : static_cast<double>(whole[0].low) / n;
  for (int i = 0; i < 3; ++i) parts[2 + i] = n == 0 ? 1 : found[i] / n;
  parts[5] = clusters == 0 ? 1 : found[3] / clusters;
}

}  // namespace gpuval
