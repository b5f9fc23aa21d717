// The cells of clusterings that agree, in a table of slots in the L2 cache, and the keys of what has no slot in a list.
//
// Cells of many samples come early, and have slots; of the others some are listed, to be sorted.

#include "labels.cuh"
#include "slots.cuh"

namespace gpuval {

// A list to which warps add keys: each takes room for CHUNK of them at once. All lanes of a warp call together.
struct List {
  static constexpr u64 NOTHING = ~0ull, CHUNK = 128;
  static constexpr u64 LOST = 1ull << 62;  // a length at least so large tells that keys are missing
  u64* keys;
  u64* length;
  u64 spare, share;
  u64 next = 0, end = 0;  // the room that the warp has left
  u64 taken = 0;          // and all that it took
  bool is_lost = false;   // the warp would have taken more room than it may, or another had

  // Adds the keys of some lanes, after so many samples of the warp.
  __device__ __forceinline__ void append(bool adds, u64 key, u64 seen) {
    const u32 adding = __ballot_sync(ALL_LANES, adds), lane = threadIdx.x % 32;
    if (adding == 0 || is_lost) return;
    const u64 number = __popc(adding), left = end - next, before = __popc(adding & ((1u << lane) - 1));
    u64 place = next + before;
    next += number;
    if (number > left) {
      taken += CHUNK;
      const bool is_full = taken * share > spare * share + seen;
      u64 chunk = 0;
      if (lane == 0) chunk = is_full ? atomicMax(length, LOST) | LOST : atomicAdd(length, CHUNK);
      chunk = __shfl_sync(ALL_LANES, chunk, 0);
      is_lost = chunk >= LOST;
      if (is_lost) return;
      if (before >= left) place = chunk + before - left;
      next = chunk + number - left;
      end = chunk + CHUNK;
    }
    if (adds) keys[place] = key;
  }
  __device__ __forceinline__ void finish() const {
    for (u64 i = next + threadIdx.x % 32; i < end; i += 32) keys[i] = NOTHING;
  }
};

// Counts the keys of samples in slots, or lists them. Where the list is too short, nothing of it is worth anything.
template <class A, class B>
struct Listing {
  static constexpr int N = 4, PACKS = 1;
  static constexpr u64 NO_KEY = Slots<u64>::FREE;
  const A* a;
  const B* b;
  u64 low_a, low_b;
  u32 column_bits;
  Slots<u64> slots;
  List list;
  Lead<u64> lead{NO_KEY};
  u32 slot_of_lead = NO_SLOT;
  u64 seen = 0;  // samples of the warp

  __device__ __forceinline__ bool is_done() const { return list.is_lost; }
  __device__ __forceinline__ void packs(const Pack<A, N> (&x)[PACKS], const Pack<B, N> (&y)[PACKS], u64) {
    u64 keys[N];
#pragma unroll
    for (int j = 0; j < N; ++j) keys[j] = wide_key(x[0].at(j), y[0].at(j), low_a, low_b, column_bits);
    add(keys);
  }
  __device__ __forceinline__ void single(u64 i, bool is_there) {
    const u64 key[] = {is_there ? wide_key(a[i], b[i], low_a, low_b, column_bits) : NO_KEY};
    add(key);
  }
  template <int NUMBER>
  __device__ __forceinline__ void add(const u64 (&keys)[NUMBER]) {
    if (!lead.stays(keys[0])) follow(__shfl_sync(ALL_LANES, keys[0], 0));
#pragma unroll
    for (int j = 0; j < NUMBER; ++j) {
      const bool is_counted = slot_of_lead != NO_SLOT && lead.takes(keys[j]);
      const bool is_listed = !is_counted && keys[j] != NO_KEY && !slots.add(keys[j], 1);
      list.append(is_listed, keys[j], seen);
    }
    seen += 32 * NUMBER;
  }
  __device__ __forceinline__ void follow(u64 key) {
    end_lead();
    lead = Lead<u64>{key};
    u32 slot = NO_SLOT;
    if (threadIdx.x % 32 == 0) slot = slots.find(key);
    slot_of_lead = __shfl_sync(ALL_LANES, slot, 0);
  }
  __device__ __forceinline__ void end_lead() const {
    if (threadIdx.x % 32 == 0 && lead.times != 0) atomicAdd(slots.counts + slot_of_lead, lead.times);
  }
};

// "keys" and "counts" are those of 2^bits slots. Each warp may list "spare" keys, and of its samples so far one of
// "share": where that is too few, all warps stop. Blocks at once: left to itself, the compiler spills on sm_100.
template <class A, class B>
__global__ void __launch_bounds__(256, 4)
    list_cells(const A* a, const B* b, u64 n, u64 low_a, u64 low_b, u32 column_bits, u32 bits, u32 spare, u32 share,
               u64* keys, u32* counts, u64* listed, u64* length) {
  Listing<A, B> listing{a, b, low_a, low_b, column_bits, {keys, counts, bits}, {listed, length, spare, share}};
  for_each_pack(a, b, n, listing);
  if (listing.is_done()) return;
  listing.end_lead();
  listing.list.finish();
}

}  // namespace gpuval
