// Whether a program asks for the same bits in every run, and the other switches of libtorch's global context.
#pragma once
#include <atomic>
#include <string_view>

#include "cuda.h"

namespace strata {

/// Asks that every op gives the same bits in every run. On the CPU all do anyway. On CUDA devices it changes these:
/// sums of float32 and float64 at indices (scatter_add, index_add and the gradient of gather) are taken in the order of
/// the elements instead of any; of several elements that are written to one place the last one stays; and convolutions
/// and attention use no algorithm of cuDNN's that adds in changing order.
void use_deterministic_algorithms(bool wanted);
/// What was asked last; at first no.
bool are_deterministic_algorithms_enabled();

/// at::Float32MatmulPrecision.
enum class Float32MatmulPrecision { HIGHEST, HIGH, MEDIUM };

/// libtorch's way to ask: `at::globalContext().setDeterministicAlgorithms(true, false)`.
class Context {
 public:
  /// Every op has a deterministic algorithm, so `warn_only` changes nothing.
  void setDeterministicAlgorithms(bool wanted, [[maybe_unused]] bool warn_only) {
    use_deterministic_algorithms(wanted);
  }
  bool deterministicAlgorithms() const { return are_deterministic_algorithms_enabled(); }
  bool deterministicAlgorithmsWarnOnly() const { return false; }
  /// cuda::set_allow_tf32_matmul by libtorch's name.
  void setAllowTF32CuBLAS(bool allow) { cuda::set_allow_tf32_matmul(allow); }
  bool allowTF32CuBLAS() const { return cuda::allow_tf32_matmul(); }
  /// cuda::set_allow_tf32_cudnn and set_benchmark_cudnn.
  void setAllowTF32CuDNN(bool allow) { cuda::set_allow_tf32_cudnn(allow); }
  bool allowTF32CuDNN() const { return cuda::allow_tf32_cudnn(); }
  void setBenchmarkCuDNN(bool on) { cuda::set_benchmark_cudnn(on); }
  bool benchmarkCuDNN() const { return cuda::benchmark_cudnn(); }
  /// How exactly CUDA multiplies float32 matrices: HIGH and MEDIUM allow TF32.
  void setFloat32MatmulPrecision(Float32MatmulPrecision precision) {
    cuda::set_allow_tf32_matmul(precision != Float32MatmulPrecision::HIGHEST);
  }
  /// The same by "highest", "high" or "medium".
  void setFloat32MatmulPrecision(std::string_view precision);
  Float32MatmulPrecision float32MatmulPrecision() const {
    return cuda::allow_tf32_matmul() ? Float32MatmulPrecision::HIGH : Float32MatmulPrecision::HIGHEST;
  }
  /// Asks the same of cuDNN's convolutions alone.
  void setDeterministicCuDNN(bool on) { deterministic_cudnn_ = on; }
  bool deterministicCuDNN() const { return deterministic_cudnn_ || are_deterministic_algorithms_enabled(); }
  /// The libraries are used wherever they serve, and products of 16-bit numbers are summed in float32: the switches
  /// from here on are kept for programs that ask, and change nothing.
  void setUserEnabledCuDNN(bool on) { enabled_cudnn_ = on; }
  bool userEnabledCuDNN() const { return enabled_cudnn_; }
  void setUserEnabledMkldnn(bool on) { enabled_mkldnn_ = on; }
  bool userEnabledMkldnn() const { return enabled_mkldnn_; }
  void setAllowFP16ReductionCuBLAS(bool on) { half_sums_ = on; }
  bool allowFP16ReductionCuBLAS() const { return half_sums_; }
  void setAllowBF16ReductionCuBLAS(bool on) { bfloat16_sums_ = on; }
  bool allowBF16ReductionCuBLAS() const { return bfloat16_sums_; }
  /// Kept, and without an effect: what `empty` gives is never filled.
  void setDeterministicFillUninitializedMemory(bool on) { fills_memory_ = on; }
  bool deterministicFillUninitializedMemory() const { return fills_memory_; }
  bool hasCUDA() const { return cuda::is_available(); }
  bool hasCuDNN() const { return cuda::is_available(); }
  bool hasHIP() const { return false; }
  bool hasOpenMP() const { return false; }
  bool hasLAPACK() const { return true; }
  bool hasMPS() const { return false; }
  bool hasXPU() const { return false; }
  bool hasMKL() const { return false; }
  bool hasXLA() const { return false; }

 private:
  std::atomic<bool> deterministic_cudnn_{false}, enabled_cudnn_{true}, enabled_mkldnn_{true}, half_sums_{false},
      bfloat16_sums_{false}, fills_memory_{true};
};
Context& globalContext();

}  // namespace strata
