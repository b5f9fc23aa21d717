// Two kernels of which one cannot keep its values in the registers that its launch bounds leave it.
template <int n>
__global__ void __launch_bounds__(1024) many_values(const float* x, float* y, int rounds) {
  float a[n];
#pragma unroll
  for (int i = 0; i < n; ++i) a[i] = x[i * rounds + threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
#pragma unroll
    for (int i = 0; i < n; ++i) a[i] = a[i] * a[(i + 7) % n] + a[(i * 5) % n];
  }
#pragma unroll
  for (int i = 0; i < n; ++i) y[i * rounds + threadIdx.x] = a[i];
}

__global__ void fixed_shared(int* p) {
  __shared__ int s[64];
  s[threadIdx.x & 63] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[(threadIdx.x + 1) & 63];
}
