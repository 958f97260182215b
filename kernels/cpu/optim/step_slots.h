// Taking slots of tensors one step on: optimizers' parameters with their state, or gradients alone.
#pragma once
#include "core/parallel.h"
#include "dispatcher/tensors.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/optim/vec_optim.h"

namespace strata::cpu::optim {

/// Takes each slot of the formula's width one step on; the first one's first tensor is written to output 0.
template <class Formula>
void step_slots(Tensors& out, Args in, const Formula& f) {
  using C = typename Formula::Value;
  constexpr size_t width = Formula::kWidth;
  const StepLoop<Formula> loop = std::get<StepLoop<Formula>>(step_loops<C>());
  for (size_t first = 0; first + width <= in.size(); first += width) {
    C* x[width];
    for (size_t k = 0; k < width; ++k) x[k] = reinterpret_cast<C*>(in[first + k].data());
    C* const to = first == 0 ? reinterpret_cast<C*>(out[0].data()) : x[0];
    parallel_for(0, in[first].numel(), kElementwiseGrain,
                 [&](int64_t begin, int64_t end) { loop(f, x, to, begin, end); });
  }
}

}  // namespace strata::cpu::optim
