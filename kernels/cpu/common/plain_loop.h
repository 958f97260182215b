// Element-wise inner loops as plain templates: integers, bool, complex numbers, and functions that have no vector form.
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic.h"
#include "kernels/cpu/common/loop.h"

namespace strata::cpu {

/// How an input goes on from element to element, as far as is known where a loop is compiled.
enum class Step { kZero, kOne, kAny };

template <class T, Step kStep>
struct Operand {
  const T* data;
  int64_t step;
  // A loop's own, so that what is written cannot change it. Only where it is used: an empty loop has nothing to read.
  T first = kStep == Step::kZero ? *data : T();
  T operator[](int64_t i) const {
    if constexpr (kStep == Step::kZero)
      return first;
    else
      return data[kStep == Step::kOne ? i : i * step];
  }
};

/// out[i] = F::run(x[i], ..., numbers...)
template <class F, class R, class T, Step... steps, size_t... k, size_t... number>
void plain_loop_by(const LoopArgs& a, std::index_sequence<k...>, std::index_sequence<number...>) {
  R* const out = static_cast<R*>(a.out);
  [=, n = a.n](auto... x) {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(F::run(x[i]..., static_cast<T>(a.params[number])...));
  }(Operand<T, steps>{static_cast<const T*>(a.in[k]), a.step[k]}...);
}

/// The loop of F over `kInputs` inputs of type T and as many numbers; results are of type R.
template <class F, class R, class T, int kInputs, int kNumbers = 0>
void plain_loop(const LoopArgs& a) {
  using enum Step;
  constexpr std::make_index_sequence<kInputs> kIn;
  constexpr std::make_index_sequence<kNumbers> kNumber;
  const bool varies = std::any_of(a.step, a.step + kInputs, [](int64_t step) { return step != 0; });
  if (!varies && a.n > 1) {
    LoopArgs one = a;
    one.n = 1;
    plain_loop<F, R, T, kInputs, kNumbers>(one);
    std::fill_n(static_cast<R*>(a.out) + 1, a.n - 1, *static_cast<const R*>(a.out));
  } else if constexpr (kInputs == 1) {
    plain_loop_by<F, R, T, kOne>(a, kIn, kNumber);
  } else if constexpr (kInputs == 2) {
    if (a.step[0] && a.step[1]) return plain_loop_by<F, R, T, kOne, kOne>(a, kIn, kNumber);
    if (a.step[0]) return plain_loop_by<F, R, T, kOne, kZero>(a, kIn, kNumber);
    plain_loop_by<F, R, T, kZero, kOne>(a, kIn, kNumber);
  } else if (a.step[0] && !a.step[1] && !a.step[2]) {  // as where a tensor is clamped by numbers
    plain_loop_by<F, R, T, kOne, kZero, kZero>(a, kIn, kNumber);
  } else {
    plain_loop_by<F, R, T, kAny, kAny, kAny>(a, kIn, kNumber);
  }
}

}  // namespace strata::cpu
