// What one call of a public function gives, as the values of a node of a foreign graph. Internal to exchange.
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "../core/tensor.h"
#include "../core/value.h"

namespace strata::detail {

using Values = std::vector<Value>;

/// An undefined tensor is a value that is left out.
inline void append(Values& to, const Tensor& t) { to.push_back(t.defined() ? Value(t) : Value()); }
inline void append(Values& to, const std::vector<Tensor>& list) {
  for (const Tensor& t : list) append(to, t);
}
inline void append(Values& to, const Value& v) { to.push_back(v); }
inline void append(Values& to, const Values& v) { to.insert(to.end(), v.begin(), v.end()); }
template <class... T>
void append(Values& to, const std::tuple<T...>& parts) {
  std::apply([&to](const auto&... part) { (append(to, part), ...); }, parts);
}

}  // namespace strata::detail
