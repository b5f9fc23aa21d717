// The expected mutual information: the quadrature of numerics/hypergeometric.py, which says why it is right, a warp for
// each pair of a class and a cluster size.

#include "numerics.cuh"

namespace gpuval {

constexpr double NODES = 113, TAIL = 40, TINY = 1e-30;

// (k! e^k / k^k)^2 / (2 pi), by the coefficients of numerics/hypergeometric.py
__device__ __noinline__ double stirling_square(double k) {
  const double inverse = 1 / (k + 0.5);
  double series = 0.00055172408212520418;
  series = series * inverse - 0.0025327167451068148;
  series = series * inverse + 0.0041180304403526746;
  series = series * inverse - 0.0027424496004166818;
  series = series * inverse - 0.00020627300693450631;
  series = series * inverse + 0.0010982439143247262;
  series = series * inverse + 0.00043552404988816958;
  series = series * inverse - 0.0016813975279746591;
  series = series * inverse - 0.0022055015339887009;
  series = series * inverse + 0.0021604937960856595;
  series = series * inverse + 0.013888888888932227;
  series = series * inverse + 0.16666666666666667;
  return k + series;
}

__device__ __forceinline__ double half_width(double variance) {
  const double u = (TAIL / 3 + sqrt(TAIL * TAIL / 9 + 2 * TAIL * variance)) / variance;
  return variance * ((u + TAIL / variance) / log1p(u) - 1);
}

__device__ __forceinline__ double of_warp(double x) {
#pragma unroll
  for (int other = 16; other > 0; other /= 2) x += __shfl_xor_sync(ALL_LANES, x, other);
  return x;
}

struct Expected {
  double deviance, loss;
};

// E[phi(K)], and E[K log(a / K)] or that of b; the same in all lanes, which share the nodes.
__device__ __forceinline__ Expected expected_of(double a, double b, double n, bool of_a) {
  const bool is_small_a = 2 * a <= n, is_small_b = 2 * b <= n;
  const double small_a = fmin(a, n - a), small_b = fmin(b, n - b), large_a = n - small_a, large_b = n - small_b;
  const double total = fmax(n, 1.0), mean = small_a * small_b / total;
  const double variance = mean * (large_a / total) * (large_b / fmax(n - 1, 1.0));
  const double width = half_width(fmax(variance, TINY));
  const double means[4] = {mean, small_a * large_b / total, large_a * small_b / total, large_a * large_b / total};
  const double scale = (means[0] + 1) * (means[1] + 1) * (means[2] + 1) * (means[3] + 1);
  const double highest = fmin(small_a, small_b), first = floor(fmax(mean - width, 0.0));
  const double last = fmin(ceil(mean + width), highest), stride = fmax(ceil((last - first) / (NODES - 1)), 1.0);

  double weights = 0, deviances = 0, losses = 0;
  for (double node = threadIdx.x % 32; node < NODES && first + stride * node <= highest; node += 32) {
    const double k = first + stride * node, difference = (first - mean) + stride * node;
    const double counts[4] = {k, small_a - k, small_b - k, (large_a - small_b) + k};
    double exponent = 0, squares = 1, of_cell[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      of_cell[i] = deviance(counts[i], means[i], i == 1 || i == 2 ? -difference : difference);
      exponent += of_cell[i];
      squares *= stirling_square(counts[i]);
    }
    const double weight = exp(-exponent) * sqrt(scale / squares);
    const double own = is_small_a ? (is_small_b ? of_cell[0] : of_cell[1]) : (is_small_b ? of_cell[2] : of_cell[3]);
    const double count = is_small_a ? (is_small_b ? counts[0] : counts[1]) : (is_small_b ? counts[2] : counts[3]);
    const bool rest_in_a = is_small_a == of_a, rest_in_b = is_small_b != of_a;
    const double rest = rest_in_a ? (rest_in_b ? counts[0] : counts[1]) : (rest_in_b ? counts[2] : counts[3]);
    weights += weight;
    deviances += weight * own;
    if (count > 0) losses += weight * count * log1p(rest / count);
  }
  weights = of_warp(weights);
  return {of_warp(deviances) / weights, of_warp(losses) / weights};
}

// What each warp finds for its pairs of sizes, each times how often it occurs, goes into its place of "sums", to be
// added up in their order. The mean loss is that of the smaller one of the conditional entropies.
__global__ void __launch_bounds__(128)
    expected_sums(const u64* a, const u64* times_a, u64 n_a, const u64* b, const u64* times_b, u64 n_b, u32 is_distinct,
                  const u64* total, const double* true_given_pred, const double* pred_given_true, double* sums) {
  const u64 warps = static_cast<u64>(gridDim.x) * (blockDim.x / 32);
  const u64 warp = static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  const double n = static_cast<double>(*total);
  const bool of_a = *pred_given_true < *true_given_pred;
  double mutual = 0, left = 0;
  for (u64 pair = warp; pair < n_a * n_b; pair += warps) {
    const u64 i = pair / n_b, j = pair - i * n_b;
    if (a[i] == 0 || b[j] == 0) continue;
    const double times = is_distinct ? static_cast<double>(times_a[i]) * static_cast<double>(times_b[j]) : 1.0;
    const Expected found = expected_of(static_cast<double>(a[i]), static_cast<double>(b[j]), n, of_a);
    mutual += times * found.deviance;
    left += times * found.loss;
  }
  if (threadIdx.x % 32 == 0) {
    sums[2 * warp] = mutual;
    sums[2 * warp + 1] = left;
  }
}

__device__ __forceinline__ u64 largest_of(const u64* sizes, u64 n, u64* of_threads) {
  u64 most = 0;
  for (u64 i = threadIdx.x; i < n; i += blockDim.x) most = max(most, sizes[i]);
  __syncthreads();  // who reads an earlier one is done
  of_threads[threadIdx.x] = most;
  __syncthreads();
  for (u32 i = 0; i < blockDim.x; ++i) most = max(most, of_threads[i]);
  return most;
}

// The means over the samples, and whether the sizes alone settle the mutual information: one group, or single samples,
// on either side. In one block.
__global__ void __launch_bounds__(256)
    expected_parts(const double* sums, u32 warps, const u64* a, u64 n_a, const u64* b, u64 n_b, const u64* total,
                   double* parts, u8* is_settled) {
  __shared__ double of_warps[WARPS];
  __shared__ u64 of_threads[32 * WARPS];
  const u64 n = *total;
  bool settled = false;
#pragma unroll 1
  for (int i = 0; i < 2; ++i) {
    const double sum = of_blocks(sums + i, warps, 2, of_warps);
    const u64 largest = largest_of(i == 0 ? a : b, i == 0 ? n_a : n_b, of_threads);
    settled = settled || largest == n || largest <= 1;
    if (threadIdx.x == 0) parts[i] = n == 0 ? 0 : sum / static_cast<double>(n);
  }
  if (threadIdx.x == 0) *is_settled = settled;
}

}  // namespace gpuval
