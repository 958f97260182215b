// Vector loops of the optimizers' steps over contiguous memory.
#pragma once
#include <cstdint>
#include <tuple>
#include <utility>

#include "kernels/optim_steps.h"

namespace strata::cpu::optim {

/// Takes elements [begin, end) of a slot one step on: x are its tensors, out gets the new x[0].
template <class Formula>
using StepLoop = void (*)(const Formula& f, typename Formula::Value* const (&x)[Formula::kWidth],
                          typename Formula::Value* out, int64_t begin, int64_t end);

template <class... Formulas>
using StepLoopsOf = std::tuple<StepLoop<Formulas>...>;
template <class C>
using StepLoops = StepLoopsOf<steps::Adam<C, false>, steps::Adam<C, true>, steps::Sgd<C, false>, steps::Sgd<C, true>,
                              steps::Rmsprop<C, false, false>, steps::Rmsprop<C, false, true>,
                              steps::Rmsprop<C, true, false>, steps::Rmsprop<C, true, true>, steps::Adagrad<C>,
                              steps::Adamax<C>, steps::Nadam<C>, steps::Radam<C>, steps::Adadelta<C>, steps::Rprop<C>,
                              steps::Asgd<C>, steps::Lion<C>, steps::Scale<C>, steps::Clamp<C>, steps::Zero<C>>;

/// The loops for this processor; C is float or double.
template <class C>
const StepLoops<C>& step_loops();

}  // namespace strata::cpu::optim
