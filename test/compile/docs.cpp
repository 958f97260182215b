// The examples of docs/compile.md and of docstrings, as they stand there; test_architecture compares.
#include <strata/strata.h>

#include <iostream>
#include <sstream>

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

TEST_CASE("the programs of docs/compile.md that are made ahead of time") {
  const Tensor w = (0.1 * randn({4, 3})).requires_grad_();
  const auto f = [&](Tensor x) { return linear(x, w).tanh().square().mean(); };
  const auto ahead = aot(f);
  ahead(randn({2, 3})).backward();
  std::cout << w.grad();
  std::cout << aot_programs(f)(zeros({2, 3}));
  std::ostringstream text;
  text << aot_programs(f)(zeros({2, 3}));
  CHECK(text.str() ==
        "{ lambda ; a:f32[2,3] b:f32[4,3]. let\n"
        "    c:f32[2,4] = linear a b\n"
        "    d:f32[2,4] = tanh c\n"
        "    e:f32[2,4] = square d\n"
        "    f:f32[] = mean[dims=(0, 1) keepdim=False] e\n"
        "  in (f, a, d) }\n"
        "{ lambda ; a:f32[2,3] b:f32[2,4] c:f32[]. let\n"
        "    d:f32[] = div c 8.0:f32[]\n"
        "    e:f32[2,4] = expand[sizes=(2, 4)] d\n"
        "    f:f32[2,4] = mul b 2.0:f32[2,4]\n"
        "    g:f32[2,4] = mul e f\n"
        "    h:f32[2,4] = tanh_backward g b\n"
        "    i:f32[4,2] = permute[dims=(1, 0)] h\n"
        "    j:f32[4,3] = matmul i a\n"
        "  in (None, j) }\n");
  const auto small = aot([&](Tensor x) { return gelu(linear(x, w)).softmax(-1).sum(); }, {.memory_budget = 0.5});
  small(randn({2, 3})).backward();
}

TEST_CASE("docstring of aot") {
  const auto net = std::make_shared<nn::LinearImpl>(3, 2);
  const Tensor x = randn({4, 3});
  auto block = aot([&](Tensor x) { return net->forward(x); }, {.memory_budget = 0.5});
  block(x).sum().backward();
  Tensor g = net->weight.grad();
  CHECK(g.equal(x.sum(0).expand({2, 3})));
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

  const auto decay = compile([](Tensor state) { return state * 0.9; }, {.donate = {0}});
  Tensor state = ones({1024, 1024});
  state = decay(state);  // where the old one was
  CHECK(state.equal(ones({1024, 1024}) * 0.9));
}

}  // namespace strata
