// Dynamic shared memory, the one thing that CUDA and g++ spell differently: the emulator has defined it already.
#pragma once
#ifndef GPUVAL_SHARED
#define GPUVAL_SHARED(type, name)                              \
  extern __shared__ __align__(16) unsigned char gpuval_raw[];  \
  type* const name = reinterpret_cast<type*>(gpuval_raw)
#endif
