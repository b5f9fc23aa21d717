// Counts, sums and largest values by code, where codes are from 0 to below a size.

#include "numerics.cuh"

namespace gpuval {

__device__ __forceinline__ u64 first_of_thread() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ __forceinline__ u64 step_of_threads() { return static_cast<u64>(gridDim.x) * blockDim.x; }

// Results start as 0.
__global__ void __launch_bounds__(256) count_codes(const i64* codes, u64 n, u64* counts) {
  for (u64 i = first_of_thread(); i < n; i += step_of_threads()) atomicAdd(counts + codes[i], 1ull);
}

// Of whole numbers, also below 0: sums of two's complements are exact in any order.
__global__ void __launch_bounds__(256) add_by_code(const u64* values, const i64* codes, u64 n, u64* sums) {
  for (u64 i = first_of_thread(); i < n; i += step_of_threads()) atomicAdd(sums + codes[i], values[i]);
}

// Of numbers of 0 or more, whose order is that of their bits, NaN behind all others.
__global__ void __launch_bounds__(256) largest_by_code(const double* values, const i64* codes, u64 n, u64* largest) {
  for (u64 i = first_of_thread(); i < n; i += step_of_threads())
    atomicMax(largest + codes[i], static_cast<u64>(__double_as_longlong(values[i] + 0.0)));  // and -0 becomes 0
}

// The sum of the values of a code, a block for each, in the same order each time: "order" has the places of the values
// by their codes, those of code c from edges[c] to before edges[c + 1].
__global__ void __launch_bounds__(256)
    sum_segments(const double* values, const i64* order, const i64* edges, u64 size, double* sums) {
  __shared__ double places[WARPS];
  for (u64 code = blockIdx.x; code < size; code += gridDim.x) {
    double sum = 0;
    for (i64 i = edges[code] + threadIdx.x; i < edges[code + 1]; i += blockDim.x) sum += values[order[i]];
    sum = of_block(sum, places);
    if (threadIdx.x == 0) sums[code] = sum;
  }
}

}  // namespace gpuval
