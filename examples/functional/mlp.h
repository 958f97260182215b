// Multilayer perceptrons as plain data: layers of weights and biases, and a function that applies them.
#pragma once
#include <strata/strata.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace strata::examples {

struct Layer {
  Tensor weight, bias;  // (out, in), (out,)
  auto fields() { return std::tie(weight, bias); }
};
using Mlp = std::vector<Layer>;

/// Layers between these sizes, with normal weights and biases of the given deviation; 0 stands for 1 / sqrt(inputs).
inline Mlp init_mlp(const Tensor& key, const std::vector<int64_t>& sizes, double deviation = 0) {
  Mlp mlp;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    const int64_t in = sizes[i], out = sizes[i + 1];
    const Tensor keys = random::split(random::fold_in(key, static_cast<int64_t>(i)));
    const double scale = deviation > 0 ? deviation : 1 / std::sqrt(static_cast<double>(in));
    mlp.push_back({scale * random::normal(keys[0], {out, in}), scale * random::normal(keys[1], {out})});
  }
  return mlp;
}

/// `(in,)` to `(out,)`, or batches of both, with `activation` between the layers.
inline Tensor apply_mlp(const Mlp& mlp, Tensor x, Tensor (*activation)(const Tensor&)) {
  for (size_t i = 0; i + 1 < mlp.size(); ++i) x = activation(linear(x, mlp[i].weight, mlp[i].bias));
  return linear(x, mlp.back().weight, mlp.back().bias);
}

}  // namespace strata::examples
