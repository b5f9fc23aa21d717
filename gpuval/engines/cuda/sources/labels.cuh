// How kernels read two label vectors: in loads of 16 bytes where there are so many, wherever the vectors start.
//
// Labels are read as unsigned numbers of their width. A label's place is its distance from the first label of its side,
// in the arithmetic of its width; "limit" is how many places there are, which the caller keeps within the type, so that
// one comparison finds what lies outside, negative labels too.

#include "numerics.cuh"

typedef unsigned short u16;

namespace gpuval {

template <class T>
__device__ __forceinline__ T place_of(T label, u64 low) { return static_cast<T>(label - static_cast<T>(low)); }

// Both places of a sample in one number, those of the columns in its lowest bits.
template <class A, class B>
__device__ __forceinline__ u64 wide_key(A a, B b, u64 low_a, u64 low_b, u32 bits) {
  return static_cast<u64>(place_of(a, low_a)) << bits | static_cast<u64>(place_of(b, low_b));
}

// What one load reads: words of neighbouring labels, at a multiple of its size.
template <int BYTES>
struct alignas(BYTES) Load {
  u32 words[BYTES / 4];
};

// N neighbouring labels.
template <class T, int N>
struct Pack {
  static constexpr int WORDS = sizeof(T) * N / 4;
  static constexpr int LOAD = sizeof(T) * N < 16 ? sizeof(T) * N : 16;  // bytes of each of its loads
  u32 words[WORDS];

  __device__ __forceinline__ T at(int j) const {
    if constexpr (sizeof(T) == 8)
      return static_cast<u64>(words[2 * j + 1]) << 32 | words[2 * j];
    else
      return static_cast<T>(words[j * sizeof(T) / 4] >> 8 * (j * sizeof(T) % 4));
  }
};

// How many neighbours a thread reads at once, and how many such packs before it looks at the first: what the registers
// hold, with what else there is of each sample: a weight or a key.
template <class A, class B, class W = One>
struct Reading {
  static constexpr int OF_LABELS = sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B);
  static constexpr int WIDEST = sizeof(W) > OF_LABELS ? sizeof(W) : OF_LABELS;
  static constexpr int N = WIDEST > 4 ? 4 : 16 / WIDEST;
  static constexpr int PACKS = sizeof(A) + sizeof(B) + sizeof(W) > 20 ? 1 : WIDEST == 4 ? 4 : 2;
};

// How far an address lies behind a multiple of so many bytes.
__device__ __forceinline__ u32 behind(const void* address, u32 bytes) {
  return static_cast<u32>(reinterpret_cast<u64>(address) % bytes);
}

// Which samples whole warps read in packs: "stretches" of 32 x N x PACKS samples, from "begin" on, where the side of
// the wider labels (of labels of one width that of a) is aligned. The other side may lie "shift" bytes behind a
// multiple of its loads: there each pack is put together of loads that are aligned, one more than it has. None of them
// touches what lies before or behind its vector; the samples that are left are read one by one.
template <class A, class B, int N, int PACKS>
struct Body {
  static constexpr u32 STRETCH = 32 * N * PACKS;
  static constexpr bool IS_A_ALIGNED = sizeof(A) >= sizeof(B);
  u64 begin, stretches;
  u32 shift;

  __device__ __forceinline__ Body(const A* a, const B* b, u64 n) {
    if constexpr (IS_A_ALIGNED)
      place(a, b, n);
    else
      place(b, a, n);
  }
  __device__ __forceinline__ u64 left(u64 n) const { return n - stretches * STRETCH; }
  __device__ __forceinline__ u64 sample_left(u64 i) const { return i < begin ? i : i + stretches * STRETCH; }

 private:
  template <class Wider, class Other>
  __device__ __forceinline__ void place(const Wider* wider, const Other* other, u64 n) {
    constexpr u32 WIDER_LOAD = Pack<Wider, N>::LOAD, OTHER_LOAD = Pack<Other, N>::LOAD;
    begin = (WIDER_LOAD - behind(wider, WIDER_LOAD)) % WIDER_LOAD / sizeof(Wider);
    shift = behind(other + begin, OTHER_LOAD);
    if (shift > begin * sizeof(Other)) begin += N;  // its first load begins before the first pack
    const u64 end = shift == 0 ? n : n < N ? 0 : n - N;  // its last load ends behind the last pack
    stretches = begin < end ? (end - begin) / STRETCH : 0;
  }
};

// The packs of one lane, which lie 32 packs apart.
template <class T, int N, int PACKS>
__device__ __forceinline__ void read(const T* from, Pack<T, N> (&packs)[PACKS]) {
  constexpr int LOAD = Pack<T, N>::LOAD, WORDS = Pack<T, N>::WORDS;
  const Load<LOAD>* loads = reinterpret_cast<const Load<LOAD>*>(from);
#pragma unroll
  for (int m = 0; m < PACKS; ++m) {
#pragma unroll
    for (int k = 0; k < WORDS; k += LOAD / 4) {
      const Load<LOAD> load = loads[(32 * m * WORDS + k) / (LOAD / 4)];
#pragma unroll
      for (int j = 0; j < LOAD / 4; ++j) packs[m].words[k + j] = load.words[j];
    }
  }
}

// A step of a move, by a constant: a loop over the steps leaves the words of some instances in local memory.
template <int BY, int NUMBER>
__device__ __forceinline__ void move_down(u32 (&words)[NUMBER], bool does) {
#pragma unroll
  for (int k = 0; k + BY < NUMBER; ++k) {
    words[k] = does ? words[k + BY] : words[k];
  }
}

// The words that begin "shift" bytes, fewer than those of a load, behind the first of the pack and the load after it.
template <class T, int N>
__device__ __forceinline__ void move(Pack<T, N>& pack, const Load<Pack<T, N>::LOAD>& after, u32 shift) {
  constexpr int MORE = Pack<T, N>::LOAD / 4, WORDS = Pack<T, N>::WORDS;
  u32 words[WORDS + MORE];
#pragma unroll
  for (int k = 0; k < WORDS + MORE; ++k) words[k] = k < WORDS ? pack.words[k] : after.words[k - WORDS];
  if constexpr (MORE == 4) move_down<2>(words, (shift & 8) != 0);
  if constexpr (MORE >= 2) move_down<1>(words, (shift & 4) != 0);
#pragma unroll
  for (int k = 0; k < WORDS; ++k)
    pack.words[k] = static_cast<u32>((static_cast<u64>(words[k + 1]) << 32 | words[k]) >> 8 * (shift % 4));
}

// The same of labels that begin "shift" bytes behind a multiple of a load.
template <class T, int N, int PACKS>
__device__ __forceinline__ void read_shifted(const T* from, [[maybe_unused]] u32 shift, Pack<T, N> (&packs)[PACKS]) {
#ifdef GPUVAL_ALIGNED  // both sides begin at a multiple of 16 bytes: so there is no shift, and half as much to compile
  read(from, packs);
#else
  constexpr int LOAD = Pack<T, N>::LOAD, WORDS = Pack<T, N>::WORDS;
  const T* aligned = from - shift / sizeof(T);
  read(aligned, packs);
  if (shift == 0) return;
  const Load<LOAD>* after = reinterpret_cast<const Load<LOAD>*>(aligned + N);
  Load<LOAD> loads[PACKS];
#pragma unroll
  for (int m = 0; m < PACKS; ++m) loads[m] = after[32 * m * WORDS / (LOAD / 4)];
#pragma unroll
  for (int m = 0; m < PACKS; ++m) move(packs[m], loads[m], shift);
#endif
}

// Calls visitor.packs(x, y, i) for PACKS packs of both sides, the first of them of the samples i to i + N - 1, the
// next 32 x N samples further; and visitor.single(i, is_there) for the samples that are in none; until
// visitor.is_done(). All lanes of a warp call this function together, and it calls the visitor for all of them
// together; a lane whose "is_there" is false has no sample. The first lane always has one.
template <class A, class B, class Visitor>
__device__ __forceinline__ void for_each_pack(const A* a, const B* b, u64 n, Visitor& visitor) {
  constexpr int N = Visitor::N, PACKS = Visitor::PACKS;
  const Body<A, B, N, PACKS> body(a, b, n);
  const u64 lane = threadIdx.x % 32;
  const u64 warp = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const u64 warps = static_cast<u64>(gridDim.x) * blockDim.x / 32;
  for (u64 stretch = warp; stretch < body.stretches && !visitor.is_done(); stretch += warps) {
    const u64 i = body.begin + stretch * body.STRETCH + lane * N;
    Pack<A, N> x[PACKS];
    Pack<B, N> y[PACKS];
    if constexpr (body.IS_A_ALIGNED) {  // first, so that all loads are on their way before the first is waited for
      read(a + i, x);
      read_shifted(b + i, body.shift, y);
    } else {
      read(b + i, y);
      read_shifted(a + i, body.shift, x);
    }
    visitor.packs(x, y, i);
  }
  for (u64 first = warp * 32; first < body.left(n) && !visitor.is_done(); first += warps * 32)
    visitor.single(body.sample_left(first + lane), first + lane < body.left(n));
}

}  // namespace gpuval
