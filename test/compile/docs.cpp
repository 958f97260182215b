// The examples of docs/compile.md and of docstrings, as they stand there; test_architecture compares.
#include <strata/strata.h>

#include <iostream>

#include "test/catch.h"

namespace strata {

TEST_CASE("the example of docs/compile.md") {
  const auto f = compile([](Tensor x, Tensor bias) { return gelu(x * 2 + bias).sum(1); });
  const Tensor x = randn({64, 256}), bias = randn({256});
  f(x, bias);                              // traces
  f(x, bias);                              // runs
  std::cout << compile_stats(f).programs;  // 1
  CHECK(compile_stats(f).programs == 1);
  CHECK(f(x, bias).equal(gelu(x * 2 + bias).sum(1)));
}

TEST_CASE("docstring of compile") {
  const auto net = std::make_shared<nn::LinearImpl>(3, 2);
  const Tensor x = randn({4, 3});
  auto classify = compile([&](Tensor x) { return net->forward(x).softmax(-1); });
  const NoGradGuard no_grad;
  Tensor y = classify(x);
  compile_stats(classify).programs;  // 1
  CHECK(compile_stats(classify).programs == 1);
  CHECK(y.equal(net->forward(x).softmax(-1)));
}

}  // namespace strata
