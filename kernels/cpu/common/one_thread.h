// Holds the matrix libraries, which divide their work by OpenMP, to the calling thread.
#pragma once
#include <omp.h>

namespace strata::cpu {

/// oneDNN and OpenBLAS run on the calling thread alone while this lives: our own pieces are what is divided, so that
/// results do not depend on the number of threads. oneDNN fixes a primitive's partition when it is made as well.
class OneThread {
 public:
  OneThread() : threads_(omp_get_max_threads()) {
    if (threads_ > 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (threads_ > 1) omp_set_num_threads(threads_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int threads_;
};

}  // namespace strata::cpu
