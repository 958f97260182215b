// What the stand-ins for NVIDIA's libraries are strict about alike: streams, layouts, memory to work in.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/cuda_backend.h"
#include "core/error.h"

namespace strata::test {

/// May work be given to this stream: is it the current one?
inline bool is_current(cudaStream_t stream) {
  const auto& device = cuda::backend();
  return stream == device.current_stream(device.current_device());
}

/// Calls of functions that compute something, of cuBLAS and cuSOLVER.
extern int64_t calls;
extern bool refused;

/// What a library's handle points to. It has to know the current stream when it is given work.
class LibraryHandle {
 public:
  void set_stream(cudaStream_t stream) { stream_ = stream, has_stream_ = true; }
  /// The stream for one more call.
  cudaStream_t use() const {
    ++calls;
    return stream_;
  }
  bool is_ready() const { return has_stream_ && is_current(stream_) && !refused; }

 private:
  cudaStream_t stream_ = nullptr;
  bool has_stream_ = false;
};

/// Can a matrix be stored so, by columns? The libraries take some empty ones; the kernels are to ask for none.
inline bool is_layout(int64_t rows, int64_t cols, int64_t ld) { return rows >= 1 && cols >= 1 && ld >= rows; }
inline bool is_matrix(const void* data, int64_t rows, int64_t cols, int64_t ld) {
  return data && is_layout(rows, cols, ld);
}

/// Memory that a library works in or leaves undefined has to be there and holds nothing of use afterwards.
inline void scribble(void* memory, size_t bytes) {
  if (bytes) std::memset(memory, 0xff, bytes);
}
template <class T>
void scribble(T* matrix, int64_t rows, int64_t cols, int64_t ld) {
  for (int64_t j = 0; j < cols; ++j)
    scribble(static_cast<void*>(matrix + j * ld), static_cast<size_t>(rows) * sizeof(T));
}

/// The matrices of a batch must be there and be different ones where they are written.
template <class T>
void check_addresses(T* const matrices[], int count) {
  std::vector<T*> sorted(matrices, matrices + count);
  std::sort(sorted.begin(), sorted.end());
  const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  STRATA_CHECK(distinct && sorted.front(), "stand-in: a batch whose matrices are not different ones");
}

/// With NaN or inf the libraries may do anything.
template <class T>
void check_finite(const T* matrix, int64_t rows, int64_t cols, int64_t ld, const char* what) {
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i)
      STRATA_CHECK(std::isfinite(matrix[i + j * ld]), "stand-in: {} is given NaN or inf", what);
}

}  // namespace strata::test
