// Kernels of element-wise ops from lists of formulas.
#pragma once
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/plain_loop.h"
#include "kernels/op_formulas.h"

namespace strata::cpu {

/// The loops of an op's formulas; there from the time that the library is loaded.
template <class O>
inline DTypeLoops op_loops[O::kCount];

inline void takes_any_values(Args) {}
/// What an op's kernel asks of its inputs before it runs.
template <Op& op>
inline constexpr void (*kCheck)(Args in) = &takes_any_values;

template <class O>
void run_op(Tensors& out, Args in, const typename O::Params& p) {
  kCheck<O::op>(in);
  const auto numbers = arithmetic::numbers_of(p);
  elementwise<O::kInputs>(O::op, out[0], in, op_loops<O>[arithmetic::which_of(p)], numbers.data());
}

/// What an op's kernel refuses, its loop alone would not.
template <class O>
OpLoop find_loop(DType dtype, const void* params) {
  if constexpr (kCheck<O::op> != &takes_any_values) return {};
  static constexpr typename O::Params kNone{};
  const auto& p = params ? *static_cast<const typename O::Params*>(params) : kNone;
  OpLoop found{op_loops<O>[arithmetic::which_of(p)][dtype], {}};
  std::ranges::copy(arithmetic::numbers_of(p), found.numbers.begin());
  return found;
}

template <class F, class O, class... T>
void add_plain_loops(DTypeLoops& t) {
  ((t[dtype_of<T>] = &plain_loop<F, arithmetic::Result<F, T>, T, O::kInputs, O::kNumberCount>), ...);
}

/// The loops of a formula of O; those over floats are given, or plain ones where they are null.
template <class F, class O, bool kHasVectors>
DTypeLoops loops_of_formula(const FloatLoops* vectors) {
  using enum arithmetic::Types;
  DTypeLoops t;
  if constexpr (kHasVectors)
    t = DTypeLoops(*vectors);
  else if constexpr (O::kTypes & kFloats)
    add_plain_loops<F, O, float, double>(t), t[kHalf] = t[kBFloat16] = t[kFloat];
  if constexpr (O::kTypes & kIntegers) add_plain_loops<F, O, uint8_t, int8_t, int16_t, int32_t, uint32_t, int64_t>(t);
  if constexpr (O::kTypes & kBools) add_plain_loops<F, O, bool>(t);
  t.add_stored();
  if constexpr (O::kTypes & kUnsigned) add_plain_loops<F, O, uint16_t, uint64_t>(t);
  if constexpr (O::kTypes & kComplex) add_plain_loops<F, O, Complex<float>, Complex<double>>(t);
  return t;
}

template <bool kHasVectors, Op& op, int inputs, unsigned types, class P, class... F>
void register_op(const FloatLoops*& vectors, const IntegerLoops*& integers,
                 arithmetic::OpFormulas<op, inputs, types, P, F...>) {
  using O = arithmetic::OpFormulas<op, inputs, types, P, F...>;
  DTypeLoops* to = op_loops<O>;
  const auto add = [&](DTypeLoops loops) {
    if (integers) loops.replace(*integers++);
    *to++ = loops;
  };
  (add(loops_of_formula<F, O, kHasVectors>(kHasVectors ? vectors++ : nullptr)), ...);
  op.kernels[static_cast<int>(Key::CPU)] = &dispatch::KernelThunk<&run_op<O>>::run;
  LoopRegistrar(op, &find_loop<O>);
}

/// Registers the kernels and loops of a list's ops: floats by the loops over vectors that `floats` points to, in the
/// list's order, integers by what `integers` has, if that is given, and all else by plain loops.
template <class... O>
struct VectorOps {
  VectorOps(arithmetic::List<O...>, const FloatLoops* floats, const IntegerLoops* integers = nullptr) {
    (register_op<true>(floats, integers, O()), ...);
  }
};
/// The same with plain loops for floats too.
template <class... O>
struct PlainOps {
  explicit PlainOps(arithmetic::List<O...>) {
    const FloatLoops* floats = nullptr;
    const IntegerLoops* integers = nullptr;
    (register_op<false>(floats, integers, O()), ...);
  }
};

}  // namespace strata::cpu
