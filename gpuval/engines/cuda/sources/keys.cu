// One key for each sample, of both labels, to be sorted: for tables of many cells. All labels are below their limits.

#include "labels.cuh"

namespace gpuval {

template <class A, class B, class Key>
struct Keys {
  static constexpr int N = Reading<A, B, Key>::N, PACKS = Reading<A, B, Key>::PACKS, AT_ONCE = 16 / sizeof(Key);
  struct alignas(16) Store {
    Key at[AT_ONCE];
  };
  const A* a;
  const B* b;
  u64 low_a, low_b;
  u32 bits;
  Key* keys;

  __device__ __forceinline__ Key of(A x, B y) const { return static_cast<Key>(wide_key(x, y, low_a, low_b, bits)); }
  static __device__ __forceinline__ bool is_done() { return false; }
  __device__ __forceinline__ void packs(const Pack<A, N> (&x)[PACKS], const Pack<B, N> (&y)[PACKS], u64 i) {
    const bool are_aligned = behind(keys + i, sizeof(Store)) == 0;  // unless the labels start at an odd place
#pragma unroll
    for (int m = 0; m < PACKS; ++m, i += 32 * N) {
#pragma unroll
      for (int k = 0; k < N; k += AT_ONCE) {
        Store store;
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j) store.at[j] = of(x[m].at(k + j), y[m].at(k + j));
        if (are_aligned) {
          *reinterpret_cast<Store*>(keys + i + k) = store;
        } else {
#pragma unroll
          for (int j = 0; j < AT_ONCE; ++j) keys[i + k + j] = store.at[j];
        }
      }
    }
  }
  __device__ __forceinline__ void single(u64 i, bool is_there) {
    if (is_there) keys[i] = of(a[i], b[i]);
  }
};

template <class A, class B, class Key>
__global__ void __launch_bounds__(256)
    keys_of(const A* __restrict__ a, const B* __restrict__ b, u64 n, u64 low_a, u64 low_b, u32 bits,
            Key* __restrict__ keys) {
  Keys<A, B, Key> made{a, b, low_a, low_b, bits, keys};
  for_each_pack(a, b, n, made);
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

// The keys of a round of a block, all of whose labels are on their way before the first is waited for.
template <class A, class B>
__device__ __forceinline__ void read_keys(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 bits, u64 first,
                                          u64 (&keys)[DEALT]) {
#pragma unroll
  for (u32 j = 0; j < DEALT; ++j) {
    const u64 i = first + j * blockDim.x + threadIdx.x;
    keys[j] = i < n ? wide_key(a[i], b[i], low_a, low_b, bits) : static_cast<u64>(BUCKETS) << 32;
  }
}

template <class A, class B>
__global__ void __launch_bounds__(256)
    bucket_sizes(const A* __restrict__ a, const B* __restrict__ b, u64 n, u64 low_a, u64 low_b, u32 bits,
                 u64* __restrict__ sizes) {
  auto& taken = taken_places();
  if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;
  __syncthreads();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x * DEALT; first < n; first += threads * DEALT) {
    u64 keys[DEALT];
    read_keys(a, b, n, low_a, low_b, bits, first, keys);
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j) place_in_bucket(static_cast<u32>(keys[j] >> 32), taken);
  }
  __syncthreads();
  if (threadIdx.x < BUCKETS && taken[threadIdx.x] != 0)
    atomicAdd(sizes + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
}

// "next" is where each bucket starts, and in the end where it ends.
template <class A, class B>
__global__ void __launch_bounds__(256)
    deal_keys(const A* __restrict__ a, const B* __restrict__ b, u64 n, u64 low_a, u64 low_b, u32 bits,
              u64* __restrict__ next, u32* __restrict__ keys) {
  auto& taken = taken_places();
  auto& start = bucket_starts();
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x * DEALT; first < n; first += threads * DEALT) {
    u64 whole[DEALT];
    read_keys(a, b, n, low_a, low_b, bits, first, whole);
    if (threadIdx.x < BUCKETS) taken[threadIdx.x] = 0;  // an earlier round reads it before its last barrier
    __syncthreads();
    u32 place[DEALT];
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j) place[j] = place_in_bucket(static_cast<u32>(whole[j] >> 32), taken);
    __syncthreads();
    if (threadIdx.x < BUCKETS) start[threadIdx.x] = atomicAdd(next + threadIdx.x, static_cast<u64>(taken[threadIdx.x]));
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < DEALT; ++j) {
      const u32 bucket = static_cast<u32>(whole[j] >> 32);
      if (bucket < BUCKETS) keys[start[bucket] + place[j]] = static_cast<u32>(whole[j]);
    }
  }
}

}  // namespace gpuval
