// The pairs of samples of a table of counts. Each block leaves its sums in places of its own, and one more block adds
// them up: the same digits each time, and nothing to clear before.

#include "numerics.cuh"

namespace gpuval {

__device__ __forceinline__ Wide squares(const u64* x, u64 n) {
  Wide sum = {0, 0};
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) sum += product(x[i], x[i]);
  return sum;
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

// Both, true only, pred only, neither; both * neither - true only * pred only; true only - pred only: of the squares of
// the cells, of the classes and of the clusters, added up.
__device__ __noinline__ void write_parts(const Wide* squares, u64 n, double* parts) {
  const Wide cells = squares[0], classes = squares[1], clusters = squares[2];
  const Wide both = cells - Wide{n, 0}, true_only = classes - cells, pred_only = clusters - cells;
  const Wide neither = product(n, n) + cells - classes - clusters;
  parts[0] = to_double(both);
  parts[1] = to_double(true_only);
  parts[2] = to_double(pred_only);
  parts[3] = to_double(neither);
  parts[4] = cross_difference(digits(both), digits(neither), digits(true_only), digits(pred_only));
  parts[5] = to_double(classes - clusters);
}

// With one block, which has all sums itself, the parts too.
__global__ void __launch_bounds__(256)
    pair_sums(const u64* counts, u64 n_cells, const u64* class_sizes, u64 n_rows, const u64* cluster_sizes,
              u64 n_columns, const u64* total, u64* sums, double* parts) {
  __shared__ Wide places[WARPS], whole[3];
#pragma unroll 1  // three times the text would take three times as long to compile
  for (int i = 0; i < 3; ++i) {
    const u64* x = i == 0 ? counts : i == 1 ? class_sizes : cluster_sizes;
    const Wide sum = of_block(squares(x, i == 0 ? n_cells : i == 1 ? n_rows : n_columns), places);
    if (threadIdx.x == 0) {
      whole[i] = sum;
      sums[6 * blockIdx.x + 2 * i] = sum.low;
      sums[6 * blockIdx.x + 2 * i + 1] = sum.high;
    }
  }
  if (gridDim.x == 1 && threadIdx.x == 0) write_parts(whole, *total, parts);
}

// Of the sums of several blocks, in one block.
__global__ void __launch_bounds__(256) pair_parts(const u64* sums, u32 blocks, const u64* total, double* parts) {
  __shared__ Wide places[WARPS], whole[3];
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    const Wide sum = of_blocks(sums + 2 * i, blocks, 6, places);
    if (threadIdx.x == 0) whole[i] = sum;
  }
  if (threadIdx.x == 0) write_parts(whole, *total, parts);
}

}  // namespace gpuval
