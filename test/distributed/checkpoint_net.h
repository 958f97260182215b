// A net whose parameters have 0 to 3 dims, and what is saved of its training.
#pragma once
#include <strata/strata.h>

#include <vector>

namespace strata {

struct OddShapesImpl : nn::Module {
  OddShapesImpl() {
    first = register_module("first", nn::Linear(5, 7));
    second = register_module("second", nn::Linear(7, 7));
    last = register_module("last", nn::Linear(7, 3));
    cube = register_parameter("cube", randn({2, 3, 5}));
    scale = register_parameter("scale", ones({}));
    unused = register_parameter("unused", ones({2, 2}));
    nothing = register_parameter("nothing", zeros({0, 3}));
    seen = register_buffer("seen", zeros({}));
    to(kDouble);
  }
  Tensor forward(const Tensor& x) {
    const Tensor h = tanh(second(tanh(first(x))));
    return last(h) * scale + matmul(x, cube[0].t()) + matmul(x, cube[1].t()).square();
  }
  nn::Linear first{nullptr}, second{nullptr}, last{nullptr};
  Tensor cube, scale, unused, nothing, seen;
};
STRATA_MODULE(OddShapes);

/// The generator belongs to the process, so nets are made before ranks begin.
inline std::vector<OddShapes> odd_shapes(int64_t ranks, uint64_t seed) {
  std::vector<OddShapes> list;
  for (int64_t r = 0; r < ranks; ++r) {
    manual_seed(seed);
    list.emplace_back();
  }
  return list;
}

/// The batch of a step: x (24, 5) and y (24, 3).
inline std::pair<Tensor, Tensor> batch_of_step(int64_t step) {
  const Tensor keys = random::split(random::fold_in(random::key(3), step), 2);
  return {random::normal(keys[0], {24, 5}, kDouble), random::normal(keys[1], {24, 3}, kDouble)};
}

}  // namespace strata
