// Single ops over much data: element-wise and reductions, softmax and norms, matrix products, attention, Adam.
#include "harness.h"

namespace strata::bench {
namespace {

/// Forward and backward of `f` over `inputs`, which get a gradient each.
Body forward_backward(std::function<Tensor()> f, std::vector<Tensor> inputs) {
  for (Tensor& t : inputs) t.requires_grad_(true);
  const Tensor gradient = randn_like(f().detach());
  return [=] { autograd::grad({f()}, inputs, {gradient}); };
}

void matmul_row(Suite& suite, const std::string& name, IntArrayRef a, IntArrayRef b, DType dtype) {
  const double batch = a.size() == 3 ? static_cast<double>(a[0]) : 1;
  const size_t d = a.size();
  const double flops = 2 * batch * static_cast<double>(a[d - 2] * a[d - 1] * b[d - 1]);
  suite.device_time(name, {0, flops}, [&, a = a.vec(), b = b.vec()]() -> Body {
    const Tensor x = randn(a, suite.on(dtype)), y = randn(b, suite.on(dtype));
    return [=] { (void)matmul(x, y); };
  });
}

}  // namespace

void element_wise_rows(Suite& suite) {
  const int64_t n = suite.size(int64_t{64} << 20, 1000);
  const double array = 4.0 * static_cast<double>(n);
  const auto row = [&](const std::string& name, double arrays, std::function<void(const Tensor&, const Tensor&)> f) {
    suite.device_time(name + ", 64M floats", {arrays * array}, [&]() -> Body {
      const Tensor a = rand({n}, suite.on(kFloat)), b = rand({n}, suite.on(kFloat));
      return [=] { f(a, b); };
    });
  };
  suite.device_time("copy, 64M floats", {2 * array}, [&]() -> Body {
    const Tensor from = rand({n}, suite.on(kFloat));
    return [from, to = empty_like(from)]() mutable { to.copy_(from); };
  });
  row("a + b", 3, [](const Tensor& a, const Tensor& b) { (void)(a + b); });
  row("a * 2", 2, [](const Tensor& a, const Tensor&) { (void)(a * 2); });
  row("exp", 2, [](const Tensor& a, const Tensor&) { (void)a.exp(); });
  row("chain relu(a * b + a)", 8, [](const Tensor& a, const Tensor& b) { (void)(a * b + a).relu(); });
  row("sum", 1, [](const Tensor& a, const Tensor&) { (void)a.sum(); });
  row("max", 1, [](const Tensor& a, const Tensor&) { (void)a.max(); });
  const int64_t rows = suite.size(8192, 10);
  row("mean of rows", 1, [=](const Tensor& a, const Tensor&) { (void)a.view({rows, -1}).mean(1); });
  row("mean of columns", 1, [=](const Tensor& a, const Tensor&) { (void)a.view({rows, -1}).mean(0); });
}

void normalization_rows(Suite& suite) {
  const int64_t rows = suite.size(16384, 8), columns = suite.size(4096, 16);
  const double array = 2.0 * static_cast<double>(rows * columns);
  const auto input = [&] { return randn({rows, columns}, suite.on(kBFloat16)); };
  suite.device_time("softmax 16384x4096 bf16, forward", {2 * array},
                    [&]() -> Body { return [x = input()] { (void)softmax(x, 1); }; });
  suite.device_time("softmax 16384x4096 bf16, forward + backward", {5 * array}, [&] {
    const Tensor x = input();
    return forward_backward([=] { return softmax(x, 1); }, {x});
  });
  suite.device_time("layer norm 16384x4096 bf16, forward + backward", {5 * array}, [&] {
    const Tensor x = input(), w = ones({columns}, suite.on(kBFloat16)), b = zeros({columns}, suite.on(kBFloat16));
    return forward_backward([=] { return layer_norm(x, {columns}, w, b); }, {x, w, b});
  });
}

void matrix_rows(Suite& suite) {
  const int64_t big = suite.size(8192, 16), middle = suite.size(2048, 16), small = suite.size(1024, 8);
  const int64_t batch = suite.size(64, 2);
  matmul_row(suite, "matmul 8192 bf16", {big, big}, {big, big}, kBFloat16);
  matmul_row(suite, "matmul 2048 f32", {middle, middle}, {middle, middle}, kFloat);
  cuda::set_allow_tf32_matmul(true);
  matmul_row(suite, "matmul 2048 f32 by TF32", {middle, middle}, {middle, middle}, kFloat);
  cuda::set_allow_tf32_matmul(false);
  matmul_row(suite, "matmul 64 x 1024 bf16", {batch, small, small}, {batch, small, small}, kBFloat16);
}

void attention_rows(Suite& suite) {
  const int64_t b = suite.size(4, 1), h = suite.size(16, 2), t = suite.size(4096, 8), d = suite.size(64, 4);
  // Two products forward and five backward, half of each masked away.
  const double product = static_cast<double>(b * h * t * t * d);
  const auto input = [&] { return randn({b, h, t, d}, suite.on(kBFloat16)); };
  suite.device_time("attention 4x16x4096x64 causal bf16, forward", {0, 2 * product}, [&]() -> Body {
    const Tensor q = input(), k = input(), v = input();
    return [=] { (void)scaled_dot_product_attention(q, k, v, std::nullopt, 0, true); };
  });
  suite.device_time("attention 4x16x4096x64 causal bf16, forward + backward", {0, 7 * product}, [&] {
    const Tensor q = input(), k = input(), v = input();
    return forward_backward([=] { return scaled_dot_product_attention(q, k, v, std::nullopt, 0, true); }, {q, k, v});
  });
}

void overhead_rows(Suite& suite) {
  constexpr int kSteps = 50;  // few enough for the device's queue
  const auto chain = [](const Tensor& a, const Tensor& b) {
    Tensor x = a;
    for (int i = 0; i < kSteps; ++i) x = x * a + b;
    return x;
  };
  suite.host_time("op of a chain, host side, no grad", 2 * kSteps, [&]() -> Body {
    const Tensor a = ones({8}, suite.on(kFloat)), b = ones({8}, suite.on(kFloat));
    return [=] { (void)chain(a, b); };
  });
  suite.host_time("op of a chain, host side, recording", 2 * kSteps, [&]() -> Body {
    const Tensor a = ones({8}, suite.on(kFloat)), b = ones({8}, suite.on(kFloat));
    a.requires_grad_(true);
    return [=] { (void)chain(a, b); };
  });
}

void optimizer_rows(Suite& suite) {
  const int64_t each = suite.size(100000000, 100), tensors = 10;
  // Reads parameter, gradient and two moments; writes all but the gradient.
  suite.device_time("Adam step over 1e9 parameters", {7.0 * 4 * static_cast<double>(each * tensors)}, [&]() -> Body {
    std::vector<Tensor> parameters;
    for (int64_t i = 0; i < tensors; ++i) {
      Tensor p = zeros({each}, suite.on(kFloat));
      p.requires_grad_(true);
      p.mutable_grad() = full({each}, 0.01, suite.on(kFloat));
      parameters.push_back(p);
    }
    const auto adam = std::make_shared<optim::Adam>(parameters, optim::AdamOptions(1e-3));
    return [adam] { adam->step(); };
  });
}

}  // namespace strata::bench
