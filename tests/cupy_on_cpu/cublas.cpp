// cuBLAS as far as gpuval needs it: products of matrices by loops, whose sums are of 64 bits.
#include <cstddef>
#include <cstdint>

extern "C" int gpuval_before_a_library(uintptr_t stream);

namespace {

constexpr int FAILED = 13, NOT_SUPPORTED = 15;
enum Type { REAL_32 = 0, REAL_64 = 1 };

struct Handle {
  uintptr_t stream;
  int mode;
} handle;

// c = alpha op(a) op(b) + beta c, all by columns.
template <class T>
int product(int transpose_a, int transpose_b, int m, int n, int k, double alpha, const void* a_, long long lda, const void* b_,
            long long ldb, double beta, void* c_, long long ldc) {
  const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
  T* c = static_cast<T*>(c_);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += double(transpose_a ? a[p + i * lda] : a[i + p * lda]) * double(transpose_b ? b[j + p * ldb] : b[p + j * ldb]);
      T& to = c[i + j * ldc];
      to = T(alpha * sum + (beta == 0 ? 0 : beta * double(to)));
    }
  return 0;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cublasCreate_v2(void** made) { return *made = &handle, 0; }
EXPORT int cublasDestroy_v2(void*) { return 0; }
EXPORT int cublasGetVersion_v2(void*, int* version) { return *version = 130000, 0; }
EXPORT int cublasSetStream_v2(void*, void* stream) { return handle.stream = reinterpret_cast<uintptr_t>(stream), 0; }
EXPORT int cublasSetPointerMode_v2(void*, int mode) { return handle.mode = mode, 0; }
EXPORT int cublasGetPointerMode_v2(void*, int* mode) { return *mode = handle.mode, 0; }
EXPORT int cublasSetMathMode(void*, int) { return 0; }
EXPORT int cublasGetMathMode(void*, int* mode) { return *mode = 0, 0; }

#define REAL(letter, T)                                                                                                   \
  EXPORT int cublas##letter##gemm_v2(void*, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, int lda,       \
                                     const T* b, int ldb, const T* beta, T* c, int ldc) {                                   \
    if (gpuval_before_a_library(handle.stream)) return FAILED;                                                                               \
    return product<T>(ta, tb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);                                             \
  }                                                                                                                       \
  EXPORT int cublas##letter##gemv_v2(void*, int t, int m, int n, const T* alpha, const T* a, int lda, const T* x, int dx,   \
                                     const T* beta, T* y, int dy) {                                                       \
    if (gpuval_before_a_library(handle.stream)) return FAILED;                                                                               \
    return product<T>(0, !t, 1, t ? n : m, t ? m : n, *alpha, x, dx, a, lda, *beta, y, dy); /* of rows: those have steps */ \
  }                                                                                                                       \
  EXPORT int cublas##letter##dot_v2(void*, int n, const T* x, int dx, const T* y, int dy, T* result) {                      \
    if (gpuval_before_a_library(handle.stream)) return FAILED;                                                                               \
    double sum = 0;                                                                                                       \
    for (int i = 0; i < n; ++i) sum += double(x[size_t(i) * dx]) * double(y[size_t(i) * dy]);                              \
    return *result = T(sum), 0;                                                                                           \
  }
REAL(S, float)
REAL(D, double)

EXPORT int cublasGemmEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int type_a, int lda,
                        const void* b, int type_b, int ldb, const void* beta, void* c, int type_c, int ldc, int, int) {
  if (type_a != type_b || type_b != type_c || type_a > REAL_64) return NOT_SUPPORTED;
  if (gpuval_before_a_library(handle.stream)) return FAILED;
  if (type_a == REAL_64)
    return product<double>(ta, tb, m, n, k, *static_cast<const double*>(alpha), a, lda, b, ldb, *static_cast<const double*>(beta), c, ldc);
  return product<float>(ta, tb, m, n, k, *static_cast<const float*>(alpha), a, lda, b, ldb, *static_cast<const float*>(beta), c, ldc);
}
EXPORT int cublasSgemmEx(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const void* a, int type_a, int lda,
                         const void* b, int type_b, int ldb, const float* beta, void* c, int type_c, int ldc) {
  return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc, 0, 0);
}
EXPORT int cublasGemmStridedBatchedEx(void* h, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int type_a,
                                      int lda, long long step_a, const void* b, int type_b, int ldb, long long step_b,
                                      const void* beta, void* c, int type_c, int ldc, long long step_c, int number, int, int) {
  if (type_a > REAL_64) return NOT_SUPPORTED;
  const long long size = type_a == REAL_64 ? 8 : 4;
  const auto moved = [](const void* x, long long by) { return static_cast<const void*>(static_cast<const char*>(x) + by); };
  for (int i = 0; i < number; ++i)
    if (const int status = cublasGemmEx(h, ta, tb, m, n, k, alpha, moved(a, i * step_a * size), type_a, lda,
                                        moved(b, i * step_b * size), type_b, ldb, beta,
                                        const_cast<void*>(moved(c, i * step_c * size)), type_c, ldc, 0, 0))
      return status;
  return 0;
}
