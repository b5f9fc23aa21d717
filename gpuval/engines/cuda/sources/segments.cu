// Sums of floats by code.

#include "numerics.cuh"

namespace gpuval {

// The sum of the values of each code, a block for each, in the same order each time: "order" has the places of the
// values by their codes, those of code c from edges[c] to before edges[c + 1].
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
