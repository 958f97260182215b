// CPU kernels made of a formula for one number: the loop over elements is compiled where the formula stands, the walk
// over memory is the one of the library's own element-wise kernels.
#pragma once
#include <type_traits>
#include <utility>

#include "loops.h"

namespace strata::dispatch {

/// A formula's loop over elements of dtype `in`; it gives elements of dtype `out`.
struct FormulaLoop {
  DType in, out;
  Loop loop;
};

/// What a formula's kernel does: of `loops`, runs the one of the inputs' dtype over all elements, on all threads.
/// float16 and bfloat16 go through the loop of float32. Throws, naming the op whose kernel `kernel` is, unless there
/// are `inputs` tensors of one dtype that has a loop, one output, which has the dtype that the loop gives, and all of
/// one shape.
void run_formula(KernelFn kernel, ArrayRef<FormulaLoop> loops, size_t inputs, Tensors& out, Args in,
                 const void* params);

/// Names the walk over memory that `run_formula` uses. Installed once at start-up by the CPU's kernels.
using ElementwiseFn = void (*)(const Tensor& out, Args in, Loop loop, const double* params);
void set_elementwise(ElementwiseFn walk);

namespace formula_detail {

/// How many elements T the formula takes in front of `Behind`, of one to three; 0 if it takes none so.
template <class F, class T, class... Behind>
constexpr size_t numbers_taken() {
  if constexpr (std::is_invocable_v<F, T, Behind...>)
    return 1;
  else if constexpr (std::is_invocable_v<F, T, T, Behind...>)
    return 2;
  else
    return std::is_invocable_v<F, T, T, T, Behind...> ? 3 : 0;
}

/// How many numbers the formula takes, of elements T and before the op's params, if it takes these. What takes numbers
/// alone is asked first, so that no formula is tried with the params in the place of a number.
template <class F, class P, class T>
constexpr size_t inputs_of() {
  if constexpr (numbers_taken<F, T>() > 0)
    return numbers_taken<F, T>();
  else
    return numbers_taken<F, T, const P&>();
}

template <class F, class P, class... T>
auto value_of(const P& p, T... x) {
  if constexpr (std::is_invocable_v<F, T...>)
    return F{}(x...);
  else
    return F{}(x..., p);
}

template <class T, size_t>
using Repeated = T;
template <class F, class P, class T, size_t... k>
auto value_type(std::index_sequence<k...>) -> decltype(value_of<F>(std::declval<const P&>(), Repeated<T, k>()...));
/// The elements that it gives: bools, or T whatever its arithmetic comes to.
template <class F, class P, class T>
using OutOf = std::conditional_t<
    std::is_same_v<decltype(value_type<F, P, T>(std::make_index_sequence<inputs_of<F, P, T>()>())), bool>, bool, T>;

template <class F, class P, class T, size_t... k>
void run_loop(const LoopArgs& a, std::index_sequence<k...>) {
  using Out = OutOf<F, P, T>;
  const P& p = *static_cast<const P*>(*reinterpret_cast<const void* const*>(a.params));
  Out* const out = static_cast<Out*>(a.out);
  for (int64_t i = 0; i < a.n; ++i)
    out[i] = static_cast<Out>(value_of<F>(p, static_cast<const T*>(a.in[k])[i * a.step[k]]...));
}

template <class F, class P, class T>
constexpr FormulaLoop loop_of() {
  static_assert(dtype_of<T> != DType::Undefined && !std::is_same_v<T, Half> && !std::is_same_v<T, BFloat16>,
                "the types of a formula are those of elements; float stands for Half and BFloat16 as well");
  static_assert(inputs_of<F, P, T>() > 0,
                "a formula takes one to three numbers, and behind them the op's params if it reads any");
  return {dtype_of<T>, dtype_of<OutOf<F, P, T>>,
          [](const LoopArgs& a) { run_loop<F, P, T>(a, std::make_index_sequence<inputs_of<F, P, T>()>()); }};
}

/// The kernel of an op with params P whose outputs a captureless lambda F computes from elements of any First or
/// Others.
template <class F, class P, class First, class... Others>
void kernel(Tensors& out, Args in, const void* params) {
  static_assert(std::is_empty_v<F>, "a formula is a captureless lambda");
  static constexpr FormulaLoop loops[] = {loop_of<F, P, First>(), loop_of<F, P, Others>()...};
  run_formula(&kernel<F, P, First, Others...>, loops, inputs_of<F, P, First>(), out, in, params);
}

}  // namespace formula_detail
}  // namespace strata::dispatch
