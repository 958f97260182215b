// How results are written into tensors that the caller gives (`out=` in PyTorch).
#pragma once
#include <tuple>
#include <utility>

#include "../dispatcher/call.h"

namespace strata::detail {

/// Writes `result` into `out`, converted to its dtype, and returns `out`, which gets the result's sizes where it has
/// others (it warns then if it has elements, as in libtorch). `name` is the function's in messages. Throws where the
/// result's dtype does not fit, and where a gradient would have to flow, which functions that write into tensors given
/// do not support.
Tensor& write_out(const char* name, Tensor& out, const Tensor& result);

/// Throws as `write_out` where a gradient would have to flow into `out` from what the op is called with.
void check_no_gradient(const dispatch::Op& op, const Tensor& out, dispatch::Args args);

/// An op's result straight into `out`, which has its sizes and dtype already: `write_out` without the result between.
template <class P = dispatch::NoParams>
Tensor& call_out(const dispatch::Op& op, Tensor& out, dispatch::Args args, const P& params = {}) {
  check_no_gradient(op, out, args);
  dispatch::call_inplace(op, out, args, params);
  return out;
}

/// The same as `write_out` for each of several results.
template <class... Out, class... Result>
std::tuple<Out&...> write_out(const char* name, std::tuple<Out&...> outs, const std::tuple<Result...>& results) {
  [&]<size_t... I>(std::index_sequence<I...>) { (write_out(name, std::get<I>(outs), std::get<I>(results)), ...); }
  (std::index_sequence_for<Out...>());
  return outs;
}

}  // namespace strata::detail
