// One key for each sample, of both labels, to be sorted: for tables of many cells. All labels are below their limits.

#include "labels.cuh"

namespace gpuval {

template <class A, class B>
__device__ __forceinline__ u64 wide_key(A a, B b, u64 low_a, u64 low_b, u32 bits) {
  return static_cast<u64>(place_of(a, low_a)) << bits | static_cast<u64>(place_of(b, low_b));
}

template <class A, class B, class Key>
__global__ void __launch_bounds__(256)
    keys_of(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, Key* keys) {
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads)
    keys[i] = static_cast<Key>(wide_key(a[i], b[i], low_a, low_b, bits));
}

// Keys of a few bits more than 32 are dealt into buckets by those bits, and the other 32 sorted in each. All lanes of a
// warp take a place in their buckets together; a lane without a sample has the bucket BUCKETS.
constexpr u32 BUCKETS = 16, DEALT = 8;  // samples of a thread that are dealt at once

__device__ __forceinline__ u32 place_in_bucket(u32 bucket, u32* taken) {
  const u32 peers = __match_any_sync(ALL_LANES, bucket), lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(peers)) - 1;
  u32 place = 0;
  if (static_cast<int>(lane) == first && bucket < BUCKETS) place = atomicAdd(taken + bucket, __popc(peers));
  return __shfl_sync(ALL_LANES, place, first) + __popc(peers & ((1u << lane) - 1));
}

// Shared memory of kernels that are templates, in functions that are none: only there g++, under which tests run this
// text, puts it where they see each access; as references to arrays, of which they know the size.
__device__ __forceinline__ auto& taken_places() {
  __shared__ u32 of_buckets[BUCKETS];
  return of_buckets;
}
__device__ __forceinline__ auto& bucket_starts() {
  __shared__ u64 of_buckets[BUCKETS];
  return of_buckets;
}

template <class A, class B>
__global__ void __launch_bounds__(256)
    bucket_sizes(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, u64* sizes) {
  auto& taken = taken_places();
  if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;
  __syncthreads();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x; first < n; first += threads) {
    const u64 i = first + threadIdx.x;
    place_in_bucket(i < n ? static_cast<u32>(wide_key(a[i], b[i], low_a, low_b, bits) >> 32) : BUCKETS, taken);
  }
  __syncthreads();
  if (threadIdx.x < BUCKETS && taken[threadIdx.x] != 0)
    atomicAdd(sizes + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
}

// "next" is where each bucket starts, and in the end where it ends.
template <class A, class B>
__global__ void __launch_bounds__(256)
    deal_keys(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, u64* next, u32* keys) {
  auto& taken = taken_places();
  auto& start = bucket_starts();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x * DEALT; first < n; first += threads * DEALT) {
    if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;  // an earlier round reads it before its last barrier
    __syncthreads();
    u32 bucket[DEALT], place[DEALT], key[DEALT];
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j) {
      const u64 i = first + j * blockDim.x + threadIdx.x;
      const u64 whole = i < n ? wide_key(a[i], b[i], low_a, low_b, bits) : static_cast<u64>(BUCKETS) << 32;
      bucket[j] = static_cast<u32>(whole >> 32);
      key[j] = static_cast<u32>(whole);
      place[j] = place_in_bucket(bucket[j], taken);
    }
    __syncthreads();
    if (threadIdx.x < BUCKETS) start[threadIdx.x] = atomicAdd(next + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j)
      if (bucket[j] < BUCKETS) keys[start[bucket[j]] + place[j]] = key[j];
  }
}

}  // namespace gpuval
