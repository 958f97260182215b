// What the tests of spatial functions share: cases of spatial.safetensors (made by make_spatial.py).
#pragma once
#include <functional>

#include "test/nn/reference.h"

namespace strata::test {

using Tensors = std::vector<Tensor>;

inline Tensors with(const std::tuple<Tensor, Tensor>& t) { return {std::get<0>(t), std::get<1>(t)}; }

/// Calls f with a case's inputs and compares outputs and gradients with PyTorch's.
inline void check_spatial(const std::string& name, const std::function<Tensors(const Tensors&)>& f,
                          double rtol = 1e-9) {
  static const Reference reference("spatial.safetensors");
  INFO(name);
  const serialize::InputArchive r = reference(name);
  Tensors x;
  for (size_t i = 0; r.find("x" + std::to_string(i)).defined(); ++i) {
    x.push_back(r.find("x" + std::to_string(i)).clone());
    if (r.find("g" + std::to_string(i)).defined()) x.back().requires_grad_();
  }
  REQUIRE_FALSE(x.empty());
  const Tensors y = f(x);
  for (size_t i = 0; i < y.size(); ++i)
    check_close("y" + std::to_string(i), y[i], r.find("y" + std::to_string(i)), rtol);
  if (!r.find("gy").defined()) return;
  y[0].backward(r.find("gy"));
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i].requires_grad()) check_close("g" + std::to_string(i), x[i].grad(), r.find("g" + std::to_string(i)), rtol);
}

/// What a module prints.
template <class M>
std::string printed(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

}  // namespace strata::test
