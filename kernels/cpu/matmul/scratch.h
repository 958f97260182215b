// A block of memory for calls of matrix libraries.
#pragma once
#include "core/allocator.h"
#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

/// A row-major matrix in memory of its own, given back on scope exit.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() {
    if (data_) buffer_free(data_, bytes_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Matrix<T> make(int64_t rows, int64_t cols) {
    bytes_ = static_cast<size_t>(rows * cols) * sizeof(T);
    data_ = static_cast<T*>(buffer_alloc(bytes_));
    return {data_, cols, 1};
  }

 private:
  T* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace strata::cpu::matmul
