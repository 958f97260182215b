// The examples of docs/compile.md and of docstrings, as they stand there; test_architecture compares.
#include <strata/strata.h>

#include <iostream>

#include "compile/passes.h"
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

TEST_CASE("the training step of docs/compile.md") {
  nn::Sequential net(nn::Linear(8, 16), nn::ReLU(), nn::Linear(16, 1));
  optim::Adam optimizer(net->parameters(), 1e-3);
  const auto step = compile([&](Tensor x, Tensor y) {
    optimizer.zero_grad();
    const Tensor loss = nn::functional::mse_loss(net->forward(x), y);
    loss.backward();
    optimizer.step();
    return loss;
  });
  for (int i = 0; i < 10; ++i) step(randn({32, 8}), randn({32, 1}));
  CHECK(compile_stats(step).programs == 1);
}

TEST_CASE("the program of docs/compile.md") {
  const auto loss = [](Tensor x) {
    const Tensor twice = x.exp() * 2;
    return (twice + x.exp()).sum();
  };
  std::cout << trace(grad(loss))(zeros({3}));
  const func::Program program = trace(grad(loss))(zeros({3})).program();
  CHECK(program.str() ==
        "{ lambda a:f32[3]; b:f32[3]. let\n"
        "    c:f32[3] = exp b\n"
        "    d:f32[3] = exp b\n"
        "    e:f32[3] = mul 1.0:f32[3] d\n"
        "    f:f32[3] = mul a c\n"
        "    g:f32[3] = add e f\n"
        "  in (g,) }");
  CHECK(func::passes::simplify(program).str() ==
        "{ lambda a:f32[3]; b:f32[3]. let\n"
        "    c:f32[3] = exp b\n"
        "    d:f32[3] = mul a c\n"
        "    e:f32[3] = add c d\n"
        "  in (e,) }");
}

TEST_CASE("docstring of compile") {
  const auto net = std::make_shared<nn::LinearImpl>(3, 2);
  const Tensor x = randn({4, 3});
  auto classify = compile([&](Tensor x) { return net->forward(x).softmax(-1); });
  const NoGradGuard no_grad;
  Tensor y = classify(x);
  const int64_t programs = compile_stats(classify).programs;  // 1
  CHECK(programs == 1);
  CHECK(y.equal(net->forward(x).softmax(-1)));
}

}  // namespace strata
