// The runs of equal keys among sorted ones: the cells of a table that are not empty.

#include "numerics.cuh"

namespace gpuval {

template <class Key>
__device__ __forceinline__ bool starts_a_run(const Key* keys, u64 i, u64 n) {
  return i < n && (i == 0 || keys[i] != keys[i - 1]);
}

constexpr u32 ROUNDS = 16;  // a block looks at so many times as many sorted keys as it has threads

// How many runs of equal keys start among the keys of each block.
template <class Key>
__global__ void __launch_bounds__(256) count_runs(const Key* keys, u64 n, u64* runs) {
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS;
  u32 count = 0;
  for (u32 round = 0; round < ROUNDS; ++round)
    count += __syncthreads_count(starts_a_run(keys, begin + round * blockDim.x + threadIdx.x, n));
  if (threadIdx.x == 0) runs[blockIdx.x] = count;
}

__device__ __forceinline__ auto& starts_in_warps() {  // shared memory, in a function that is no template
  __shared__ u32 of_warps[32];
  return of_warps;
}

// Where each run starts, and its key; "offsets" is the number of runs in the blocks before.
template <class Key>
__global__ void __launch_bounds__(256)
    write_runs(const Key* keys, u64 n, const u64* offsets, u64* starts, Key* cells) {
  auto& of_warp = starts_in_warps();
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS;
  u64 next = offsets[blockIdx.x];
  for (u32 round = 0; round < ROUNDS; ++round) {
    const u64 i = begin + round * blockDim.x + threadIdx.x;
    const bool is_start = starts_a_run(keys, i, n);
    const u32 ballot = __ballot_sync(ALL_LANES, is_start);
    if (lane == 0) of_warp[warp] = __popc(ballot);
    __syncthreads();
    u64 place = next + __popc(ballot & ((1u << lane) - 1));
    for (u32 w = 0; w < blockDim.x / 32; ++w) {
      if (w < warp) place += of_warp[w];
      next += of_warp[w];
    }
    if (is_start) {
      starts[place] = i;
      cells[place] = keys[i];
    }
    __syncthreads();
  }
}

}  // namespace gpuval
