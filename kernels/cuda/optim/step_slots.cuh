// Taking slots of tensors one step on, many in one launch: optimizers' parameters with their state, or gradients alone.
#pragma once
#include <vector>

#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/optim/multi_tensor.cuh"
#include "kernels/optim_steps.h"

namespace strata::cuda::optim {

#include "kernels/optim_formulas-inl.h"

/// What the formulas compute with.
template <class C>
struct Elements {
  STRATA_HD C set(C x) const { return x; }
  STRATA_HD C add(C a, C b) const { return a + b; }
  STRATA_HD C sub(C a, C b) const { return a - b; }
  STRATA_HD C mul(C a, C b) const { return a * b; }
  STRATA_HD C div(C a, C b) const { return a / b; }
  STRATA_HD C fma(C a, C b, C c) const { return std::fma(a, b, c); }
  STRATA_HD C neg_fma(C a, C b, C c) const { return std::fma(-a, b, c); }
  STRATA_HD C min(C a, C b) const { return a < b ? a : b; }
  STRATA_HD C max(C a, C b) const { return a > b ? a : b; }
  STRATA_HD C sqrt(C a) const { return std::sqrt(a); }
  STRATA_HD C if_positive(C x, C a, C b) const { return x > C(0) ? a : b; }
};

/// A formula over a slot's elements.
template <class Formula, class Rates = steps::NoRates>
struct SlotStep {
  static constexpr int kKept = 1;  ///< the gradient
  Formula formula;
  const Rates* rates = nullptr;  ///< in device memory, where they are not in the formula already

  /// False where nothing is to be done.
  STRATA_HD bool find_numbers() {
    if constexpr (!std::is_same_v<Rates, steps::NoRates>) {
      if (rates) formula.take(*rates);
    }
    if constexpr (requires { formula.is_idle(); }) return !formula.is_idle();
    return true;
  }
  STRATA_HD void operator()(typename Formula::Value (&x)[Formula::kWidth]) const {
    apply(Elements<typename Formula::Value>(), formula, x);
  }
};

/// The inputs with the output, which holds its values, in place of the first.
class InPlace {
 public:
  InPlace(const Tensor& out, Args in) : tensors_(in.begin(), in.end()) {
    if (out.bytes() != in[0].bytes()) copy_strided(out, in[0]);
    tensors_[0] = &out;
  }
  Args args() const { return {tensors_.data(), tensors_.size()}; }

 private:
  std::vector<const Tensor*> tensors_;
};

}  // namespace strata::cuda::optim
