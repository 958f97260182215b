// One thread per index of a range: the small kernels around the libraries' factorizations.
#pragma once
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::linalg {

template <class F>
__global__ void __launch_bounds__(kThreads) each_kernel(int64_t n, F f) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step) f(i);
}

/// Calls f(i) on the device of `on` for each i below n.
template <class F>
void for_each_index(std::string_view op, const Tensor& on, int64_t n, const F& f) {
  if (n > 0) start(op, each_kernel<F>, {grid(n)}, stream_of(on), n, f);
}

}  // namespace strata::cuda::linalg
