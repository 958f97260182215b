// Taking slots of tensors one step on: optimizers' parameters with their state, or gradients alone.
#pragma once
#include <array>

#include "core/parallel.h"
#include "dispatcher/tensors.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/optim/vec_optim.h"

namespace strata::cpu::optim {

/// Smaller parameters are left to one thread: the next product reads them from the caches of its core.
inline constexpr int64_t kStepGrain = 4 * kElementwiseGrain;

/// The loops read all tensors of a call as one type.
inline void check_dtype(const Tensor& first, const Tensor& t) {
  STRATA_CHECK(t.dtype() == first.dtype(), "a list of tensors needs one dtype, got {} and {}", name(first.dtype()),
               name(t.dtype()));
}

/// Takes each slot of the formula's width one step on; the first one's first tensor is written to output 0. Of a slot
/// the second tensor, the gradient, is only read. 16-bit tensors are computed in float and rounded once.
template <class Formula>
void step_slots(Tensors& out, Args in, const Formula& f) {
  using C = typename Formula::Value;
  constexpr size_t width = Formula::kWidth;
  const StepLoop<Formula> loop = std::get<StepLoop<Formula>>(step_loops<C>());
  for (size_t first = 0; first + width <= in.size(); first += width) {
    const bool widens = is_half16(in[0].dtype());
    const Tensor& result = first == 0 ? out[0] : in[first];
    std::array<Tensor, width> wide;
    C* x[width];
    for (size_t k = 0; k < width; ++k) {
      const Tensor& t = in[first + k];
      check_dtype(in[0], t);
      STRATA_CHECK(t.is_contiguous(), "a list of tensors to be updated must be row-major, got strides {}", t.strides());
      if (widens) wide[k] = widened(t);
      x[k] = reinterpret_cast<C*>((widens ? wide[k] : t).bytes());
    }
    C* const to = widens ? x[0] : reinterpret_cast<C*>(result.bytes());
    parallel_for(0, in[first].numel(), kStepGrain, [&](int64_t begin, int64_t end) { loop(f, x, to, begin, end); });
    for (size_t k = 0; widens && k < width; ++k)
      if (k != 1) narrow_into(k == 0 ? result : in[first + k], wide[k]);
  }
}

}  // namespace strata::cpu::optim
