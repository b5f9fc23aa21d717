// The runs of equal keys among sorted ones: the cells of a table that are not empty.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 ROUNDS = 16;  // a block looks at so many times as many sorted keys as it has threads
constexpr u32 AT_ONCE = 4;  // rounds whose keys are on their way together: with 8 warps in each, a number for each lane

__device__ __forceinline__ auto& starts_in_warps() {  // shared memory, in a function that is no template
  __shared__ u32 of_warps[AT_ONCE * WARPS];
  return of_warps;
}

// The keys of a thread in the next rounds, from number i on; and whether a run starts with each, of those below n.
template <class Key>
__device__ __forceinline__ void read_keys(const Key* keys, u64 i, u64 n, Key (&read)[AT_ONCE],
                                          bool (&is_start)[AT_ONCE]) {
  Key before[AT_ONCE];
#pragma unroll
  for (u32 k = 0; k < AT_ONCE; ++k, i += blockDim.x) {
    read[k] = i < n ? keys[i] : Key();
    before[k] = 0 < i && i < n ? keys[i - 1] : static_cast<Key>(~read[k]);
    is_start[k] = i < n;
  }
#pragma unroll
  for (u32 k = 0; k < AT_ONCE; ++k) is_start[k] = is_start[k] && read[k] != before[k];
}

// How many runs of equal keys start among the keys of each block.
template <class Key>
__global__ void __launch_bounds__(256) count_runs(const Key* __restrict__ keys, u64 n, u64* __restrict__ runs) {
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS;
  u32 count = 0;
  for (u32 round = 0; round < ROUNDS; round += AT_ONCE) {
    Key read[AT_ONCE];
    bool is_start[AT_ONCE];
    read_keys(keys, begin + round * blockDim.x + threadIdx.x, n, read, is_start);
#pragma unroll
    for (u32 k = 0; k < AT_ONCE; ++k) count += __syncthreads_count(is_start[k]);
  }
  if (threadIdx.x == 0) runs[blockIdx.x] = count;
}

// Where each run starts, and its key; "offsets" is the number of runs in the blocks before.
template <class Key>
__global__ void __launch_bounds__(256)
    write_runs(const Key* __restrict__ keys, u64 n, const u64* __restrict__ offsets, u64* __restrict__ starts,
               Key* __restrict__ cells) {
  auto& of_warp = starts_in_warps();
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 begin = static_cast<u64>(blockIdx.x) * blockDim.x * ROUNDS + threadIdx.x;
  u64 next = offsets[blockIdx.x];
  for (u32 round = 0; round < ROUNDS; round += AT_ONCE) {
    const u64 first = begin + round * blockDim.x;
    Key read[AT_ONCE];
    bool is_start[AT_ONCE];
    u32 ballot[AT_ONCE];
    read_keys(keys, first, n, read, is_start);
#pragma unroll
    for (u32 k = 0; k < AT_ONCE; ++k) {
      ballot[k] = __ballot_sync(ALL_LANES, is_start[k]);
      if (lane == 0) of_warp[k * WARPS + warp] = __popc(ballot[k]);
    }
    __syncthreads();
    const u32 own = of_warp[lane];
    u32 sum = own;  // of the warps of all rounds up to that of the lane's number
#pragma unroll
    for (u32 offset = 1; offset < 32; offset *= 2) {
      const u32 below = __shfl_up_sync(ALL_LANES, sum, offset);
      sum += lane >= offset ? below : 0;
    }
#pragma unroll
    for (u32 k = 0; k < AT_ONCE; ++k) {
      const u32 before = __shfl_sync(ALL_LANES, sum - own, k * WARPS + warp);
      const u64 place = next + before + __popc(ballot[k] & ((1u << lane) - 1));
      if (is_start[k]) {
        starts[place] = first + k * blockDim.x;
        cells[place] = read[k];
      }
    }
    next += __shfl_sync(ALL_LANES, sum, 31);
    __syncthreads();
  }
}

}  // namespace gpuval
