// What calls of matrix libraries need: a block of memory, and to stay on one thread.
#pragma once
#include <omp.h>

#include "core/allocator.h"
#include "kernels/cpu/gemm.h"

namespace strata::cpu {

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

/// The libraries run on the calling thread alone: always so inside a parallel region, and outside while this lives.
class OneThread {
 public:
  OneThread() : saved_(omp_in_parallel() ? 0 : omp_get_max_threads()) {
    if (saved_ > 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (saved_ > 1) omp_set_num_threads(saved_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int saved_;
};

}  // namespace strata::cpu
