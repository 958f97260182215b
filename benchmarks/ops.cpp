// Single operations: what a call costs on eight floats, and how fast big ones go.
#include "rows.h"

using torch::Tensor;

namespace {

/// Runs `f()` and keeps its result from being optimised away.
template <class F>
auto keep(F f) {
  return [f] { benchmark::DoNotOptimize(f()); };
}
template <class F>
auto keep_no_grad(F f) {
  return [f] {
    torch::NoGradGuard no_grad;
    benchmark::DoNotOptimize(f());
  };
}

void small_rows() {
  const Tensor a = torch::randn({8}), b = torch::randn({8}), m = torch::randn({8, 8}), n = torch::randn({8, 8});
  const Tensor x = torch::randn({8}, torch::requires_grad()), y = torch::randn({8}, torch::requires_grad());
  const auto ten = [](auto f) {  // ten calls per measurement: the guard and the clock are not what is measured
    return keep_no_grad([f] {
      for (int i = 0; i < 9; ++i) benchmark::DoNotOptimize(f());
      return f();
    });
  };
  row("a + b, 8 floats, no grad", 1, ten([=] { return a + b; }), 10);
  row("a + 2.0, 8 floats, no grad", 1, ten([=] { return a + 2.0; }), 10);
  row("a * b, 8 floats, recording", 1, keep([=] { return x * y; }));
  row("view, no grad", 1, ten([=] { return m.view({64}); }), 10);
  row("matmul 8x8, no grad", 1, ten([=] { return torch::matmul(m, n); }), 10);
}

void big_rows() {
  for (int threads : {1, 2}) {
    row("a + b, 16M floats", threads, [a = Tensor(), b = Tensor()]() mutable {
      if (!a.defined()) a = torch::randn({16 << 20}), b = torch::randn({16 << 20});
      benchmark::DoNotOptimize(a + b);
    });
  }
  const Tensor t = torch::randn({64 << 10});
  row("tanh, 64K floats", 1, keep_no_grad([=] { return torch::tanh(t); }));
  row("exp, 64K floats", 1, keep_no_grad([=] { return torch::exp(t); }));
  row("softmax 4096x1024", 2, [s = Tensor()]() mutable {
    if (!s.defined()) s = torch::randn({4096, 1024});
    benchmark::DoNotOptimize(torch::softmax(s, 1));
  });
  const Tensor unsorted = torch::rand({1000000});
  row("sort of 1M floats", 1, keep_no_grad([=] { return unsorted.sort(); }));
}

void product_rows() {
  const Tensor a = torch::randn({1024, 1024}), b = torch::randn({1024, 1024});
  const Tensor x = torch::randn({128, 784}), w = torch::randn({784, 512});
  row("matmul 1024", 2, keep_no_grad([=] { return torch::mm(a, b); }));
  row("matmul 128x784x512", 2, keep_no_grad([=] { return torch::mm(x, w); }));
  row("conv2d 32x64x56x56, 3x3, forward + backward", 2, [in = Tensor(), weight = Tensor()]() mutable {
    if (!in.defined()) {
      in = torch::randn({32, 64, 56, 56}, torch::requires_grad());
      weight = torch::randn({64, 64, 3, 3}, torch::requires_grad());
    }
    in.mutable_grad() = Tensor();
    weight.mutable_grad() = Tensor();
    torch::conv2d(in, weight, {}, 1, 1).sum().backward();
  });
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  small_rows();
  big_rows();
  product_rows();
  return run_rows(argc, argv);
}
