// libtorch's global context: one object with the switches of deterministic algorithms and of the libraries behind ops.
#pragma once
#include <strata/strata.h>

#include <atomic>
#include <cstdint>
#include <string_view>

#include "runtime.h"

namespace strata {

/// How products of 16-bit matrices may sum on a GPU, at::CuBLASReductionOption.
enum class CuBLASReductionOption : uint8_t {
  AllowReducedPrecisionWithSplitK,
  DisallowReducedPrecisionAllowSplitK,
  DisallowReducedPrecisionDisallowSplitK
};

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
  void setDeterministicCuDNN(bool on) { set_deterministic_cudnn(on); }
  bool deterministicCuDNN() const { return deterministic_cudnn(); }
  /// The libraries are used wherever they serve, and products of 16-bit numbers are summed in float32: the switches
  /// from here on are kept for programs that ask, and change nothing.
  void setUserEnabledCuDNN(bool on) { enabled_cudnn_ = on; }
  bool userEnabledCuDNN() const { return enabled_cudnn_; }
  void setUserEnabledMkldnn(bool on) { enabled_mkldnn_ = on; }
  bool userEnabledMkldnn() const { return enabled_mkldnn_; }
  void setAllowFP16ReductionCuBLAS(bool on, bool allow_split_k = true) { half_sums_ = option_of(on, allow_split_k); }
  CuBLASReductionOption allowFP16ReductionCuBLAS() const { return half_sums_; }
  void setAllowBF16ReductionCuBLAS(bool on, bool allow_split_k = true) {
    bfloat16_sums_ = option_of(on, allow_split_k);
  }
  CuBLASReductionOption allowBF16ReductionCuBLAS() const { return bfloat16_sums_; }
  /// Attention takes the fastest of its kernels that serves.
  void setSDPUseFlash(bool on) { attention_flash_ = on; }
  bool userEnabledFlashSDP() const { return attention_flash_; }
  void setSDPUseMemEfficient(bool on) { attention_lean_ = on; }
  bool userEnabledMemEfficientSDP() const { return attention_lean_; }
  void setSDPUseMath(bool on) { attention_math_ = on; }
  bool userEnabledMathSDP() const { return attention_math_; }
  void setSDPUseCuDNN(bool on) { attention_cudnn_ = on; }
  bool userEnabledCuDNNSDP() const { return attention_cudnn_; }
  /// Kept, and without an effect: what `empty` gives is never filled.
  void setDeterministicFillUninitializedMemory(bool on) { fills_memory_ = on; }
  bool deterministicFillUninitializedMemory() const { return fills_memory_; }
  /// The generator that `torch::manual_seed` seeds, as at::Generator.
  compat::GeneratorHandle defaultGenerator(Device /*device*/ = kCPU) const {
    return compat::GeneratorHandle::of_default();
  }
  static bool hasCUDA() { return cuda::is_available(); }
  static bool hasCuDNN() { return cuda::is_available(); }
  static bool hasCUDART() { return cuda::is_available(); }
  static bool hasCuSOLVER() { return cuda::is_available(); }
  static bool hasCuBLASLt() { return cuda::is_available(); }
  static bool hasLAPACK() { return true; }
  static bool hasOpenMP() { return false; }
  static bool hasMKL() { return false; }
  static bool hasMKLDNN() { return false; }
  static bool hasMAGMA() { return false; }
  static bool hasROCM() { return false; }
  static bool hasHIP() { return false; }
  static bool hasMPS() { return false; }
  static bool hasXPU() { return false; }
  static bool hasXLA() { return false; }
  static bool hasHPU() { return false; }
  static bool hasIPU() { return false; }
  static bool hasMTIA() { return false; }
  static bool hasMAIA() { return false; }
  static bool hasLazy() { return false; }

 private:
  static CuBLASReductionOption option_of(bool reduced, bool split_k) {
    if (reduced) return CuBLASReductionOption::AllowReducedPrecisionWithSplitK;
    return split_k ? CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK
                   : CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK;
  }

  std::atomic<bool> enabled_cudnn_{true}, enabled_mkldnn_{true}, fills_memory_{true}, attention_flash_{true},
      attention_lean_{true}, attention_math_{true}, attention_cudnn_{true};
  std::atomic<CuBLASReductionOption> half_sums_{CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK},
      bfloat16_sums_{CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK};
};
/// The one of the process.
Context& globalContext();

}  // namespace strata
