// Whether a program asks for the same bits in every run.
#pragma once
#include "cuda.h"

namespace strata {

/// Asks that every op gives the same bits in every run. On the CPU all do anyway. On CUDA devices it changes these:
/// sums of float32 and float64 at indices (scatter_add, index_add and the gradient of gather) are taken in the order of
/// the elements instead of any; of several elements that are written to one place the last one stays; and convolutions
/// and attention use no algorithm of cuDNN's that adds in changing order.
void use_deterministic_algorithms(bool wanted);
/// What was asked last; at first no.
bool are_deterministic_algorithms_enabled();

/// libtorch's way to ask: `at::globalContext().setDeterministicAlgorithms(true, false)`.
class Context {
 public:
  /// Every op has a deterministic algorithm, so `warn_only` changes nothing.
  void setDeterministicAlgorithms(bool wanted, [[maybe_unused]] bool warn_only) {
    use_deterministic_algorithms(wanted);
  }
  bool deterministicAlgorithms() const { return are_deterministic_algorithms_enabled(); }
  /// cuda::set_allow_tf32_matmul by libtorch's name.
  void setAllowTF32CuBLAS(bool allow) { cuda::set_allow_tf32_matmul(allow); }
  bool allowTF32CuBLAS() const { return cuda::allow_tf32_matmul(); }
  /// cuda::set_allow_tf32_cudnn and set_benchmark_cudnn.
  void setAllowTF32CuDNN(bool allow) { cuda::set_allow_tf32_cudnn(allow); }
  bool allowTF32CuDNN() const { return cuda::allow_tf32_cudnn(); }
  void setBenchmarkCuDNN(bool on) { cuda::set_benchmark_cudnn(on); }
  bool benchmarkCuDNN() const { return cuda::benchmark_cudnn(); }
};
Context& globalContext();

}  // namespace strata
