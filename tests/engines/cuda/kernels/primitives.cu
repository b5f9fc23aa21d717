// Each primitive once, its result per thread; test_emulator.py computes the same plainly.
#include "shared.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void where_am_i(u32* __restrict__ out) {
  const u32 block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const u32 thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 10000 + thread;
  if (warpSize != 32) out[0] = 1;
}

__global__ void votes(const int* p, u32 mask, u32* ballot, int* any, int* all) {
  const int i = global_thread();
  if (!(mask >> (threadIdx.x & 31) & 1)) return;
  ballot[i] = __ballot_sync(mask, p[i]);
  any[i] = __any_sync(mask, p[i]);
  all[i] = __all_sync(mask, p[i]);
}

template <class T>
__global__ void match(const T* x, u32* out) {
  out[global_thread()] = __match_any_sync(0xffffffffu, x[global_thread()]);
}

template <class T>
__global__ void shuffles(const T* x, int by, int width, T* direct, T* up, T* down, T* with) {
  const int i = global_thread();
  const T mine = x[i];
  direct[i] = __shfl_sync(0xffffffffu, mine, by, width);
  up[i] = __shfl_up_sync(0xffffffffu, mine, by, width);
  down[i] = __shfl_down_sync(0xffffffffu, mine, by, width);
  with[i] = __shfl_xor_sync(0xffffffffu, mine, by, width);
}

__global__ void reduces(const u32* x, u32* sum, u32* low, u32* high) {
  const int i = global_thread();
  sum[i] = __reduce_add_sync(0xffffffffu, x[i]);
  low[i] = __reduce_min_sync(0xffffffffu, x[i]);
  high[i] = __reduce_max_sync(0xffffffffu, x[i]);
}

__global__ void block_votes(const int* p, int* any, int* all, int* count) {
  const int i = global_thread();
  any[i] = __syncthreads_or(p[i]);
  all[i] = __syncthreads_and(p[i]);
  count[i] = __syncthreads_count(p[i]);
}

template <class T>
__global__ void sums(const T* x, T* total) {
  atomicAdd(total, x[global_thread()]);
}

template <class T>
__global__ void extremes(const T* x, T* low, T* high) {
  atomicMin(low, x[global_thread()]);
  atomicMax(high, x[global_thread()]);
}

// A lock-free sum by compare-and-swap, and a chain of exchanges: each thread takes what the one before it left.
__global__ void swaps(const u64* x, u64* total, u64* last, u64* taken) {
  const int i = global_thread();
  u64 seen = atomicCAS(total, 0ull, 0ull);
  for (;;) {
    const u64 before = atomicCAS(total, seen, seen + x[i]);
    if (before == seen) break;
    seen = before;
  }
  taken[i] = atomicExch(last, x[i]);
}

__global__ void bits(const u64* x, int* out) {
  const int i = global_thread();
  const u64 v = __ldg(x + i);
  int* mine = out + 6 * i;
  mine[0] = __popc(u32(v));
  mine[1] = __popcll(v);
  mine[2] = __ffs(int(v));
  mine[3] = __ffsll((long long)v);
  mine[4] = __clz(int(v));
  mine[5] = __clzll((long long)v);
}

__global__ void of_bytes(const u32* x, const u32* y, u32* out) {
  const int i = global_thread();
  out[4 * i] = __byte_perm(x[i], y[i], 0x7362);
  out[4 * i + 1] = __byte_perm(x[i], y[i], y[i] & 0x7777);
  out[4 * i + 2] = __dp2a_lo(x[i], y[i], 9u);
  out[4 * i + 3] = __dp2a_hi(x[i], y[i], 9u);
}

// What another thread has written, at an address that is counted from where shared memory begins.
__global__ void shared_addresses(u32* out) {
  GPUVAL_SHARED(u32, room);
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const size_t first = __cvta_generic_to_shared(room);
  out[threadIdx.x] = *static_cast<u32*>(__cvta_shared_to_generic(first + 4 * (threadIdx.x ^ 2)));
}

__global__ void as_double(const long long* x, double* out) {
  const int i = global_thread();
  out[i] = __longlong_as_double(x[i]);
}

__global__ void order(const int* a, const int* b, int* low, int* high) {
  const int i = global_thread();
  low[i] = min(a[i], b[i]);
  high[i] = max(a[i], b[i]);
}

struct alignas(16) Pack {
  short x[8];
};

__global__ void vectors(const int* x, const short* y, long long* out) {
  const int i = global_thread();
  const int4 four = *reinterpret_cast<const int4*>(x + 4 * i);
  const longlong2 two = *reinterpret_cast<const longlong2*>(x + 4 * i);
  const Pack eight = *reinterpret_cast<const Pack*>(y + 8 * i);
  long long total = four.x + four.y + four.z + four.w;
  for (int k = 0; k < 8; ++k) total += eight.x[k];
  const int4 again = make_int4(four.w, four.z, four.y, four.x);
  reinterpret_cast<longlong2*>(out)[i] = make_longlong2(total + again.x - four.w, two.x);
}

__device__ u32& count_of_block() {  // in a function that is no template: see CONTRIBUTING.md
  __shared__ u32 count;
  return count;
}

// Sums of blocks, by a tree in dynamic shared memory and a count in static shared memory.
template <class T, class Sum>
__global__ void __launch_bounds__(256) block_sums(const T* __restrict__ x, int n, Sum* __restrict__ out, u32* used) {
  GPUVAL_SHARED(Sum, partial);
  u32& count = count_of_block();
  const int i = global_thread();
  if (threadIdx.x == 0) count = 0;
  partial[threadIdx.x] = i < n ? Sum(x[i]) : Sum(0);
  __syncthreads();
  if (i < n) atomicAdd(&count, 1u);
#pragma unroll
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = partial[0];
    used[blockIdx.x] = count;
  }
}

// Neighbours exchange through shared memory, ordered by __syncwarp alone; a block is one warp.
__global__ void through_warp(const int* x, int* out) {
  GPUVAL_SHARED(int, room);
  room[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = room[threadIdx.x ^ 1];
}

// The threads of a block in the order of their atomics.
__global__ void turns(int rounds, u32* ticket, u32* out) {
  for (int k = 0; k < rounds; ++k) out[atomicAdd(ticket, 1u)] = threadIdx.x;
}

// Waits for another thread with a volatile flag: threads that only wait must let others run.
__global__ void handshake(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (flag[0] == 0) {}
    out[0] = flag[0];
  } else {
    flag[0] = 7;
  }
}
