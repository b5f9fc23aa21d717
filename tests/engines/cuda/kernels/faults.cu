// Each kernel has one fault, which the emulator has to find.
#include "shared.cuh"

typedef unsigned int u32;

__global__ void barrier_in_branch(int* out) {
  if (threadIdx.x < 5) __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void barriers_of_two_branches(int* out) {
  if (threadIdx.x < 5) {
    __syncthreads();
  } else {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
}

__global__ void lane_that_returned(u32* out) {
  if (threadIdx.x == 3) return;
  out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}

__global__ void lane_that_does_not_come(u32* out) {
  if (threadIdx.x == 3) __syncthreads();
  else out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}

__global__ void not_in_own_mask(u32* out) { out[threadIdx.x] = __ballot_sync(0xfffffff7u, 1); }

__global__ void two_operations(int* out) {
  if (threadIdx.x == 3) out[3] = __any_sync(0xffffffffu, 1);
  else out[threadIdx.x] = __all_sync(0xffffffffu, 1);
}

__global__ void shuffle_from_outside(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffffu, 1, 20);
}

__global__ void writes_shared(int at, int* out) {
  GPUVAL_SHARED(unsigned char, room);
  if (threadIdx.x == 0) room[at] = 1;
  out[0] = 1;
}

// Threads read what others write before a barrier that is not there.
__global__ void no_barrier(const int* x, int* out) {
  GPUVAL_SHARED(int, room);
  room[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

// The count is read and written back in two steps, so turns between them lose some.
__global__ void lost_updates(int* count, u32* ticket) {
  const int seen = count[0];
  atomicAdd(ticket, 1u);
  count[0] = seen + 1;
}

__global__ void shared_unwritten(int* out) {
  __shared__ int room[32];
  out[threadIdx.x] = room[threadIdx.x];
}

__global__ void adds_unwritten() {
  __shared__ int count;
  atomicAdd(&count, 1);
}

__global__ void endless(u32* x) {
  while (atomicAdd(x, 0u) == 0u) {}
}

__global__ void write_to_const(const int* x) { *const_cast<int*>(x) = 1; }

__global__ void divides(int by, int* out) { out[0] = 7 / by; }

__global__ void at_index(int at, int* out) { out[at] = 1; }

__global__ void loads_16(const int* x, int4* out) { out[0] = *reinterpret_cast<const int4*>(x); }
