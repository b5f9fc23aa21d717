// Joint counts in tables larger than shared memory, of which each block keeps there the cells that it meets first.

#include "cells.cuh"
#include "slots.cuh"

namespace gpuval {

// A warp most of whose samples find no slot ceases to look for one: its clusters do not agree.
template <class Reading>
struct Cached {
  static constexpr int N = Reading::N, PACKS = N < 16 ? 2 : 1;  // with more, some would spill
  static constexpr u32 TRIAL = 16;  // packs between two looks at how many found none

  struct Weights {};
  Slots<u32> slots;
  u32* counters;
  Lead<u32> lead{NOWHERE};
  u32 packs = 0, misses = 0;
  bool is_used = true;

  __device__ __forceinline__ bool read(u64, Weights&) const { return true; }
  __device__ __forceinline__ void pack(const u32 (&cells)[N], const Weights&) {
    if (!lead.stays(cells[0])) {
      end();
      lead = Lead<u32>{__shfl_sync(ALL_LANES, cells[0], 0)};
    }
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (!lead.takes(cells[j])) add(cells[j], 1);
    if (is_used && ++packs == TRIAL) {
      is_used = __popc(__ballot_sync(ALL_LANES, misses > TRIAL * N / 2)) <= 16;
      packs = misses = 0;
    }
  }
  __device__ __forceinline__ bool single(u32 cell, u64) {
    if (cell != NOWHERE) add(cell, 1);
    return cell != NOWHERE;
  }
  __device__ __forceinline__ void add(u32 cell, u32 times) {
    if (is_used) {
      if (slots.add(cell, times)) return;
      ++misses;
    }
    atomicAdd(counters + cell, times);
  }
  __device__ __forceinline__ void end() {
    if (threadIdx.x % 32 == 0 && lead.times != 0) add(lead.key, lead.times);
  }
};

// At most 2^31 samples come in one launch: counts of 32 bits hold them.
template <class A, class B>
__global__ void __launch_bounds__(448, 2)
    joint_cached(const A* a, const B* b, u64 n, u64 low_a, u64 limit_a, u64 low_b, u64 limit_b, u32 columns, u32 bits,
                 u32* counts, u64* outside) {
  GPUVAL_SHARED(u32, memory);
  const u32 size = 1u << bits;
  const Slots<u32> slots{memory, memory + size, bits};
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    slots.keys[i] = slots.FREE;
    slots.counts[i] = 0;
  }
  __syncthreads();
  const Table table{low_a, limit_a, low_b, limit_b, columns, 0};
  Cached<Reading<A, B>> cached{slots, counts};
  count(a, b, n, table, cached, outside);
  cached.end();
  __syncthreads();
  for (u32 i = threadIdx.x; i < size; i += blockDim.x)
    if (slots.counts[i] != 0) atomicAdd(counts + slots.keys[i], slots.counts[i]);
}

}  // namespace gpuval
