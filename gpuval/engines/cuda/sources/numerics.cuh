// Numbers that kernels of tables share: what numerics/stable.py and numerics/exact.py are on the host.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

namespace gpuval {

constexpr u32 ALL_LANES = 0xffffffffu;

struct One {};  // the weight of samples without weights

// x log(x / mean) - x + mean >= 0, for difference = x - mean: the series of Loader where the terms would cancel.
// Called, not copied: a few instructions of a hundred more, and half the time to compile.
__device__ __noinline__ double deviance(double x, double mean, double difference) {
  const double both = x + mean, v = both > 0 ? difference / both : 0;
  if (fabs(v) >= 0.2) return (x > 0 && mean > 0 ? x * log(x / mean) : 0) - difference;
  const double square = v * v;
  double series = 2.0 / 21;
#pragma unroll
  for (int odd = 19; odd >= 3; odd -= 2) series = series * square + 2.0 / odd;
  return v * (difference + x * square * series);
}

// A whole number below 2^128, or a difference of two in two's complement.
struct Wide {
  u64 low, high;

  __device__ __forceinline__ Wide& operator+=(Wide x) {
    low += x.low;
    high += x.high + (low < x.low);
    return *this;
  }
  __device__ __forceinline__ Wide operator+(Wide x) const { return x += *this; }
  __device__ __forceinline__ Wide operator-(Wide x) const { return {low - x.low, high - x.high - (low < x.low)}; }
};

__device__ __forceinline__ Wide product(u64 a, u64 b) { return {a * b, __umul64hi(a, b)}; }

__device__ __forceinline__ double to_double(Wide x) {
  const bool is_negative = x.high >> 63;
  if (is_negative) x = Wide{0, 0} - x;
  // Below 2^85 both parts are exact, so that only their sum is rounded.
  const u64 upper = x.high << 32 | x.low >> 32;
  const double size = static_cast<double>(upper) * 4294967296.0 + static_cast<double>(static_cast<u32>(x.low));
  return is_negative ? -size : size;
}

__device__ __forceinline__ double of_lane_below(double x, int offset) { return __shfl_down_sync(ALL_LANES, x, offset); }
__device__ __forceinline__ Wide of_lane_below(Wide x, int offset) {
  return {__shfl_down_sync(ALL_LANES, x.low, offset), __shfl_down_sync(ALL_LANES, x.high, offset)};
}

// The sum over a block, in the same order each time; in thread 0. "places" holds one number for each warp.
template <class T>
__device__ __forceinline__ T of_block(T x, T* places) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = of_lane_below(x, offset);
    x += other;
  }
  __syncthreads();  // who reads the places of an earlier sum is done
  if (threadIdx.x % 32 == 0) places[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (u32 warp = 1; warp < blockDim.x / 32; ++warp) x += places[warp];
  return x;
}

constexpr u32 WARPS = 8;  // of blocks of 256 threads

// The sum of the numbers that blocks have left, each "stride" places behind the one before.
__device__ __forceinline__ Wide of_blocks(const u64* sums, u32 blocks, u32 stride, Wide* places) {
  Wide sum = {0, 0};
  for (u32 block = threadIdx.x; block < blocks; block += blockDim.x)
    sum += Wide{sums[stride * block], sums[stride * block + 1]};
  return of_block(sum, places);
}
__device__ __forceinline__ double of_blocks(const double* sums, u32 blocks, u32 stride, double* places) {
  double sum = 0;
  for (u32 block = threadIdx.x; block < blocks; block += blockDim.x) sum += sums[stride * block];
  return of_block(sum, places);
}

}  // namespace gpuval
