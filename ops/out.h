// How results are written into tensors that the caller gives (`out=` in PyTorch).
#pragma once
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include "../core/tensor.h"

namespace strata::detail {

/// Throws where a gradient would have to flow from an operand into `out`, or `out` has a history: functions that write
/// into tensors given do not support either.
void check_no_gradient(std::string_view name, const Tensor& out, std::initializer_list<const Tensor*> operands);

/// Writes `result` into `out`, converted to its dtype, and returns `out`, which gets the result's sizes where it has
/// others (it warns then if it has elements, as in libtorch). `name` is the function's in messages. Throws where the
/// result's dtype does not fit, and where a gradient would have to flow, which functions that write into tensors given
/// do not support.
Tensor& write_out(const char* name, Tensor& out, const Tensor& result);

/// The same for each of several results.
template <class... Out, class... Result>
std::tuple<Out&...> write_out(const char* name, std::tuple<Out&...> outs, const std::tuple<Result...>& results) {
  [&]<size_t... I>(std::index_sequence<I...>) { (write_out(name, std::get<I>(outs), std::get<I>(results)), ...); }
  (std::index_sequence_for<Out...>());
  return outs;
}

}  // namespace strata::detail
