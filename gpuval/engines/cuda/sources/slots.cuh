// Counts of keys in slots, in shared memory or in the L2 cache. A key claims a slot for good.
//
// A key looks into two neighbours, always in the same order, and takes the first that is its own or free. As no slot is
// given up, what it finds taken by others stays so: either all samples of a key are in one slot, or none is in any, and
// whoever asked counts them elsewhere.
//
// Who includes this file has included labels.cuh.

namespace gpuval {

constexpr u32 NO_SLOT = 0xffffffffu;

// The upper bits of a product with 2^32 or 2^64 over the golden ratio: numbers at equal steps become far apart.
__device__ __forceinline__ u32 scattered(u32 key, u32 bits) { return key * 0x9e3779b9u >> (32 - bits); }
__device__ __forceinline__ u32 scattered(u64 key, u32 bits) {
  return static_cast<u32>(key * 0x9e3779b97f4a7c15ull >> (64 - bits));
}

template <class Key>
struct Slots {
  static constexpr Key FREE = static_cast<Key>(~Key());  // no key
  Key* keys;
  u32* counts;
  u32 bits;  // of a slot's number

  __device__ __forceinline__ u32 find(Key key) const {
    const u32 home = scattered(key, bits);
#pragma unroll
    for (u32 probe = 0; probe < 2; ++probe) {
      const u32 slot = home ^ probe;
      // Another thread may claim it meanwhile: then the exchange gives that thread's key.
      Key there = *const_cast<volatile Key*>(keys + slot);
      if (there == FREE) there = atomicCAS(keys + slot, FREE, key);
      if (there == FREE || there == key) return slot;
    }
    return NO_SLOT;
  }
  __device__ __forceinline__ bool add(Key key, u32 times) const {
    const u32 slot = find(key);
    if (slot != NO_SLOT) atomicAdd(counts + slot, times);
    return slot != NO_SLOT;
  }
};

// A key that several lanes of a warp have, and how many samples had it since it is the lead: they are added at once, so
// that labels that are sorted, or mostly one, do not meet in one slot or cell. If few lanes have it, the key of the
// first lane is the next lead.
template <class Key>
struct Lead {
  static constexpr int FEW = 4;
  Key key;
  u32 times = 0;

  // All lanes call it together; whether the lead stays.
  __device__ __forceinline__ bool stays(Key sample) const {
    return __popc(__ballot_sync(ALL_LANES, sample == key)) >= FEW;
  }
  // All lanes call it together; whether the lane's sample is counted.
  __device__ __forceinline__ bool takes(Key sample) {
    times += __popc(__ballot_sync(ALL_LANES, sample == key));
    return sample == key;
  }
};

}  // namespace gpuval
