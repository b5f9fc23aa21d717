// What NVRTC defines before each kernel and emulator.hpp does not: what CuPy's own kernels use, with its headers and the
// vectors of CUDA's. It is compiled once, before all of them.
#pragma once
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <limits>

#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#include <cuda_fp16.h>

#undef __host__
#undef __device__
#undef __global__
#undef __shared__
#undef __constant__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#undef __align__
#define GPUVAL_HAS_VECTORS
#include "emulator.hpp"

inline int __float_as_int(float v) { return static_cast<int>(gpuval_emulator::bits_of(v)); }
inline float __int_as_float(int v) { return gpuval_emulator::of_bits<float>(static_cast<unsigned>(v)); }
inline float __fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
GPUVAL_ORDER(double, float, double)
GPUVAL_ORDER(double, double, float)
GPUVAL_ORDER(long long, long long, int)
GPUVAL_ORDER(long long, int, long long)
GPUVAL_ORDER(long long, long, long long)
GPUVAL_ORDER(long long, long long, long)
GPUVAL_ORDER(unsigned long long, unsigned long, unsigned long long)
GPUVAL_ORDER(unsigned long long, unsigned long long, unsigned long)
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

#include <cupy/complex.cuh>

#include <cupy/carray.cuh>

#include <cupy/atomics.cuh>
#include <cupy/math_constants.h>
