// What the tests of spatial functions share: the cases that make_spatial.py makes.
#pragma once
#include <functional>

#include "test/nn/reference.h"

namespace strata::test {

using Tensors = std::vector<Tensor>;

inline Tensors with(const std::tuple<Tensor, Tensor>& t) { return {std::get<0>(t), std::get<1>(t)}; }

using Case = std::function<Tensors(const Tensors&)>;

/// Calls f with a case's inputs and compares outputs and gradients with PyTorch's.
inline void check_case(const Reference& reference, const std::string& name, const Case& f) {
  INFO(name);
  const serialize::InputArchive r = reference(name);
  Tensors x;
  for (size_t i = 0; r.find("x" + std::to_string(i)).defined(); ++i) {
    x.push_back(r.find("x" + std::to_string(i)).clone());
    if (r.find("g" + std::to_string(i)).defined()) x.back().requires_grad_();
  }
  REQUIRE_FALSE(x.empty());
  const Tensors y = f(x);
  for (size_t i = 0; i < y.size(); ++i) check_close("y" + std::to_string(i), y[i], r.find("y" + std::to_string(i)));
  if (!r.find("gy").defined()) return;
  y[0].backward(r.find("gy"));
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i].requires_grad()) check_close("g" + std::to_string(i), x[i].grad(), r.find("g" + std::to_string(i)));
}

/// What a module prints.
template <class M>
std::string printed(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

}  // namespace strata::test
