// Density-based validation: core distances, minimum spanning trees of clusters, and separations, of samples that are
// sorted by cluster: those of cluster c are edges[c] up to before edges[c + 1], and those of no cluster come last.
// Of "points" each feature is a row, so that neighbouring threads read neighbours. No distance is written.
//
// A tree is Prim's, by one block: ties decide which samples it connects, and they are broken by the order in which
// samples come into it, which no algorithm by edges or by rounds keeps. Clusters have a processor each, at once. A
// sample is compared with the newest one of the tree only where their core distances leave the result open. Several
// processors for one cluster would have to wait for one another in each step, by a cooperative launch. None of this has
// been measured on a GPU.

#include "numerics.cuh"

namespace gpuval {

constexpr u32 MOST_THREADS = 512;  // of a tree; it has no more than there are samples, in whole warps

__device__ __forceinline__ double infinite() { return __longlong_as_double(0x7ff0000000000000ll); }

struct Euclidean {  // "add" sees the difference in one feature, "root" makes the sum a distance
  static __device__ __forceinline__ double add(double sum, double x) { return sum + x * x; }
  static __device__ __forceinline__ double root(double sum) { return sqrt(sum); }
};

struct Cityblock {
  static __device__ __forceinline__ double add(double sum, double x) { return sum + fabs(x); }
  static __device__ __forceinline__ double root(double sum) { return sum; }
};

struct Points {  // n samples of d features
  const double* at;
  u64 n;
  u32 d;

  // The same to the last digit in all kernels, and in both directions: ties are seen.
  template <class M>
  __device__ __forceinline__ double distance(u64 a, u64 b) const {
    double sum = 0;
    for (u32 f = 0; f < d; ++f) sum = M::add(sum, at[f * n + a] - at[f * n + b]);
    return M::root(sum);
  }
};

__device__ __forceinline__ double least_of_warp(double x) {
#pragma unroll
  for (int with = 16; with > 0; with /= 2) x = fmin(x, __shfl_xor_sync(ALL_LANES, x, with));
  return x;
}

__device__ __forceinline__ double sum_of_warp(double x) {
#pragma unroll
  for (int with = 16; with > 0; with /= 2) x += __shfl_xor_sync(ALL_LANES, x, with);
  return x;
}

// A row of a warp; its lanes share the columns.
__device__ __forceinline__ u64 row_of_warp() { return (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32; }

// ---- core distances

// x to the power of a positive integer, by multiplication.
__device__ __forceinline__ double power(double x, u32 exponent) {
  double found = 1;
  for (; exponent; exponent /= 2, x *= x)
    if (exponent % 2) found *= x;
  return found;
}

// What metrics/internal/_spanning_trees.py gives; NaN for a sample with a distance that is infinite or NaN, and 0 for
// samples of no cluster.
template <class M>
__global__ void core_distances(const double* at, u64 n, u32 d, const u64* codes, const u64* edges, u64 k,
                               double* cores) {
  const Points points{at, n, d};
  const u64 row = row_of_warp();
  if (row >= n) return;
  const bool is_counted = codes[row] < k;
  const u64 begin = is_counted ? edges[codes[row]] : 0, end = is_counted ? edges[codes[row] + 1] : 0;
  double nearest = infinite(), broken = 0;
  for (u64 column = begin + threadIdx.x % 32; column < end; column += 32) {
    const double distance = points.distance<M>(row, column);
    broken += distance * 0;
    if (distance > 0) nearest = fmin(nearest, distance);
  }
  nearest = least_of_warp(nearest);
  const bool has_any = nearest < infinite();
  double sum = 0;
  for (u64 column = begin + threadIdx.x % 32; has_any && column < end; column += 32) {
    const double distance = points.distance<M>(row, column);
    if (distance > 0) sum += power(nearest / distance, d);
  }
  sum = sum_of_warp(sum), broken = sum_of_warp(broken);
  if (threadIdx.x % 32 == 0)
    cores[row] = broken + (has_any ? nearest * pow(static_cast<double>(end - begin - 1) / sum, 1.0 / d) : 0);
}

// ---- trees

struct Reached {  // a sample, and how far it is from the tree
  double reach;
  u64 sample;

  __device__ __forceinline__ bool comes_before(const Reached& other) const {
    return reach < other.reach || (reach == other.reach && sample < other.sample);
  }
};

__device__ __forceinline__ Reached first_of_warp(Reached x) {
#pragma unroll
  for (int with = 16; with > 0; with /= 2) {
    const Reached other{__shfl_xor_sync(ALL_LANES, x.reach, with), __shfl_xor_sync(ALL_LANES, x.sample, with)};
    if (other.comes_before(x)) x = other;
  }
  return x;
}

struct Found {  // what the threads of a block tell one another
  Reached of_warp[MOST_THREADS / 32];
  u64 newest, longest;
};

__device__ __forceinline__ Found& found() {
  __shared__ Found of_block;
  return of_block;
}

// The nearest of all samples that threads have found, which is connected to its parent: all threads call it together.
__device__ __forceinline__ u64 connected(Reached nearest, const u64* parents, u32* degrees) {
  const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  nearest = first_of_warp(nearest);
  if (lane == 0) found().of_warp[warp] = nearest;
  __syncthreads();
  if (warp == 0) {
    nearest = first_of_warp(found().of_warp[lane < blockDim.x / 32 ? lane : 0]);
    if (lane == 0) {
      found().newest = nearest.sample;
      ++degrees[nearest.sample];
      ++degrees[parents[nearest.sample]];
    }
  }
  __syncthreads();
  return found().newest;
}

// The tree of cluster blockIdx.x. Of each sample but the first of a cluster, "parents" has the one to which it was
// connected, "lengths" the length of that edge. "degrees" are 0 before, then the number of edges; a cluster of two has
// twice its edge, so that inner samples are those of two or more. The length of an edge is the largest of the distance
// and of the core distances of both samples. "sparseness" is the longest edge between inner samples, or else of all.
template <class M>
__global__ void __launch_bounds__(MOST_THREADS)
    trees(const double* at, u64 n, u32 d, const u64* edges, const double* cores, u64* parents, double* lengths,
          u32* degrees, double* sparseness) {
  const Points points{at, n, d};
  const u64 begin = edges[blockIdx.x], end = edges[blockIdx.x + 1], first = begin + 1 + threadIdx.x;
  if (threadIdx.x == 0) found().longest = 0;
  for (u64 i = first; i < end; i += blockDim.x) {
    parents[i] = begin;
    lengths[i] = infinite();
  }
  u64 newest = begin;
  for (u64 left = end - begin; left > 1; --left) {
    const double core = cores[newest];
    Reached nearest{infinite(), n};
    for (u64 i = first; i < end; i += blockDim.x) {
      if (degrees[i]) continue;  // it is in the tree
      double reach = lengths[i];
      const double least = fmax(core, cores[i]);
      if (least < reach || (least == reach && newest < parents[i])) {
        const double other = fmax(least, points.distance<M>(newest, i));
        if (other < reach || (other == reach && newest < parents[i])) {
          lengths[i] = reach = other;
          parents[i] = newest;
        }
      }
      const Reached sample{reach, i};
      if (sample.comes_before(nearest)) nearest = sample;
    }
    newest = connected(nearest, parents, degrees);
  }
  if (end - begin == 2 && threadIdx.x == 0) degrees[begin] = degrees[begin + 1] = 2;
  u64 longest = 0;  // bits of lengths, which rise with them; the sign, set between inner samples, puts these on top
  for (u64 i = first; i < end; i += blockDim.x) {
    const u64 is_between = degrees[i] > 1 && degrees[parents[i]] > 1;
    longest = max(longest, static_cast<u64>(__double_as_longlong(lengths[i])) | is_between << 63);
  }
  __syncthreads();
  atomicMax(&found().longest, longest);
  __syncthreads();
  if (threadIdx.x == 0) sparseness[blockIdx.x] = fabs(__longlong_as_double(static_cast<i64>(found().longest)));
}

// ---- separations

// The smallest reachability between an inner sample of each cluster and one of another cluster, as bits, which rise
// with it; they are those of infinity before.
template <class M>
__global__ void separations(const double* at, u64 n, u32 d, const u64* codes, const u64* edges, u64 k,
                            const double* cores, const u32* degrees, u64* separation) {
  const Points points{at, n, d};
  const u64 row = row_of_warp();
  if (row >= n || degrees[row] < 2) return;
  const u64 begin = edges[codes[row]], end = edges[codes[row] + 1], n_counted = edges[k];
  double nearest = infinite();
  for (u64 column = threadIdx.x % 32; column < n_counted; column += 32) {
    const double least = fmax(cores[row], cores[column]);
    if ((column >= begin && column < end) || degrees[column] < 2 || least >= nearest) continue;
    nearest = fmin(nearest, fmax(least, points.distance<M>(row, column)));
  }
  nearest = least_of_warp(nearest);
  if (threadIdx.x % 32 == 0) atomicMin(&separation[codes[row]], static_cast<u64>(__double_as_longlong(nearest)));
}

}  // namespace gpuval
