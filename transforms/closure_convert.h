// closure_convert: what a function captures, made an argument of it.
#pragma once
#include "eval_shape.h"

namespace strata::func {

namespace detail {

/// The program whose captured floating point tensors are inputs behind its own, and these tensors.
std::pair<Program, std::vector<Tensor>> hoist_captured(const Program& program);

template <class F, class... A>
auto closure_convert_run(const F& f, const std::tuple<A...>& args) {
  auto out = eval_shape_run(f, args);
  auto [program, captured] = hoist_captured(trace_run(f, args).program());
  std::string plain;
  std::apply([&](const A&... arg) { (describe_plain(plain, arg), ...); }, args);
  describe_plain(plain, captured);
  using Converted = Traced<decltype(out), A..., std::vector<Tensor>>;
  return std::pair(Converted(std::move(program), std::move(plain), std::move(out)), std::move(captured));
}

}  // namespace detail

/// `auto [converted, captured] = closure_convert(f, x...)`: the floating point tensors that `f` uses and did not get as
/// arguments, and the function that takes them as its last one: `converted(x..., captured)` is `f(x...)`. So a function
/// with a derivative of its own, which may not capture what is differentiated, is given it. `f` runs twice as in
/// `trace`, whose errors it has. After JAX's closure_convert.
///
///     const Tensor w = rand({3});
///     auto [converted, captured] = closure_convert([&](Tensor x) { return (x * w).sum(); }, ones({3}));
///     Tensor same = converted(ones({3}), captured);  // w.sum(); captured is {w}
template <class F, class... X>
auto closure_convert(const F& f, X... xs) {
  const auto& ref = detail::refer_to(f);
  return detail::closure_convert_run(ref, detail::arguments_for(ref, std::move(xs)...));
}

}  // namespace strata::func
