// compile: the bits of eager code, on every kind of arguments, under and around transforms, with writes to captured
// tensors, random numbers, and results that share memory.
#include <strata/strata.h>

#include <atomic>
#include <thread>

#include "compile/passes.h"
#include "compile/tape.h"
#include "test/catch.h"
#include "test/compile/same.h"
#include "test/error_of.h"

namespace strata {
namespace {

/// As many as tapes fetch ahead from, and part of a tile.
constexpr int64_t kFetchedElements = func::compiling::kFetchedFrom + 77;

Tensor mixed(Tensor x, Tensor bias) {
  const Tensor h = (x * 2 + bias).tanh();
  const Tensor centred = h - h.mean(1, true);
  return where(centred > 0, centred.exp(), centred * 0.1).sum(0);
}

}  // namespace

TEST_CASE("a compiled function gives eager's bits for all sizes around tiles and vectors") {
  const auto compiled = compile(mixed);
  int64_t kinds = 0;
  for (int64_t rows : {1, 2, 3, 40}) {
    for (int64_t width : {1, 2, 7, 8, 31, 255, 256, 257, 511, 512, 513, 1030}) {
      const Tensor x = ramp({rows, width}), bias = ramp({width});
      const Tensor expected = mixed(x, bias);
      for (int run = 0; run < 3; ++run) CHECK(same(compiled(x, bias), expected));
      ++kinds;
    }
  }
  CHECK(compile_stats(compiled).programs == kinds);
  CHECK(compile_stats(compiled).calls == 3 * kinds);
}

TEST_CASE("reductions of what a tape computes give eager's bits for all sizes around tiles, chunks and rows") {
  const auto reduced = [](Tensor x, Tensor row, Tensor column) {
    const Tensor h = (x * 2 + row).tanh(), scaled = (h * column).exp();
    return std::tuple(h.sum(1), h.mean(), scaled.amax({1}, true), (scaled + x).sum(), scaled.amin({0, 1}),
                      (h - row).sum(0), (x / (column + 10)).mean(1, true));
  };
  const auto compiled = compile(reduced);
  for (const DType dtype : {kFloat, kDouble}) {
    for (int64_t rows : {1, 3, 17, 70}) {
      for (int64_t width : {1, 2, 7, 16, 64, 255, 256, 300, 512, 513, 4095, 4096, 4097, 9000}) {
        if (rows * width > kEnough) continue;
        const Tensor x = ramp({rows, width}).to(dtype), row = ramp({width}).to(dtype),
                     column = ramp({rows, 1}).to(dtype);
        const std::vector<Tensor> expected = tree::leaves(reduced(x, row, column));
        for (int threads : {1, 2}) {
          set_num_threads(threads);
          const std::vector<Tensor> got = tree::leaves(compiled(x, row, column));
          for (size_t i = 0; i < got.size(); ++i) {
            CAPTURE(rows, width, i);
            CHECK(same(got[i], expected[i]));
          }
        }
      }
    }
  }
  set_num_threads(2);
}

TEST_CASE("tapes that fetch their next tile give eager's bits, whatever their elements") {
  const auto f = [](const Tensor& a, const Tensor& b) {
    const Tensor c = (a + b) * 2;
    return std::vector<Tensor>{c * c - 1, where(c > 0, c, b), (c * 3).sum()};
  };
  const auto compiled = compile(f);
  for (const DType type : {kFloat, kDouble, kLong, kBFloat16}) {
    const Tensor a = ramp({kFetchedElements}).to(type), b = wave({kFetchedElements}).mul(9).to(type);
    const std::vector<Tensor> expected = f(a, b);
    for (int call = 0; call < 2; ++call) {
      const std::vector<Tensor> got = compiled(a, b);
      for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
    }
  }
}

TEST_CASE("inputs may come in any layout") {
  const auto compiled = compile(mixed);
  const Tensor base = ramp({40, 60}), bias = ramp({80});
  for (const Tensor& x :
       {base.t().slice(0, 0, 40).slice(1, 0, 40), base.slice(1, 3, 43), base.slice(0, 0, 40).slice(1, 0, 40)}) {
    const Tensor b = bias.slice(0, 0, 80, 2);
    const Tensor expected = mixed(x, b);
    for (int run = 0; run < 2; ++run) CHECK(same(compiled(x, b), expected));
  }
  CHECK(compile_stats(compiled).programs == 2);  // one for each layout
}

TEST_CASE("a layout that eager code refuses is refused, and not for others") {
  const auto compiled = compile([](Tensor x) { return x.view({6}) * 2; });
  const Tensor x = ramp({2, 3}), turned = ramp({3, 2}).t();
  const std::string refused = error_of([&] { turned.view({6}); });
  for (int run = 0; run < 2; ++run) {
    CHECK(error_of([&] { compiled(turned); }) == refused);
    CHECK(same(compiled(x), x.view({6}) * 2));
  }
}

TEST_CASE("a captured tensor that has another shape now is an error") {
  Tensor w = ramp({3});
  const auto compiled = compile([&](Tensor x) { return x * w; });
  compiled(ones({3}));
  w.set_data(ramp({1}));
  CHECK(error_of([&] { compiled(ones({3})); }) ==
        "compile: a tensor that the function captured was f32[3] when it was traced and is f32[1] now; pass it as an "
        "argument");
}

TEST_CASE("numbers, structure, dtype and gradient mode make programs of their own") {
  const auto compiled = compile([](std::vector<Tensor> list, double factor) {
    Tensor sum = list[0];
    for (size_t i = 1; i < list.size(); ++i) sum = sum + list[i];
    return sum * factor;
  });
  const Tensor x = ramp({5});
  CHECK(same(compiled(std::vector{x, x}, 2.0), x * 4));
  CHECK(same(compiled(std::vector{x, x}, 3.0), (x + x) * 3));
  CHECK(same(compiled(std::vector{x, x, x}, 3.0), (x + x + x) * 3));
  CHECK(same(compiled(std::vector{x.to(kDouble)}, 3.0), x.to(kDouble) * 3));
  const NoGradGuard no_grad;
  CHECK(same(compiled(std::vector{x, x}, 2.0), x * 4));
  CHECK(compile_stats(compiled).programs == 5);
}

TEST_CASE("transforms go around and inside") {
  const auto f = [](Tensor x) { return (x.sin() * x).sum(); };
  const Tensor x = ramp({6}), batch = ramp({4, 6});
  CHECK(same(grad(compile(f))(x), grad(f)(x)));
  CHECK(same(compile(grad(f))(x), grad(f)(x)));
  CHECK(same(compile(vmap(grad(f)))(batch), vmap(grad(f))(batch)));
  CHECK(same(vmap(compile(grad(f)))(batch), vmap(grad(f))(batch)));
  CHECK(same(compile(jacrev(grad(compile(f))))(x), jacrev(grad(f))(x)));
  const auto twice = compile([&](Tensor y) { return compile(f)(y) + compile(f)(y * 2); });
  CHECK(same(twice(x), f(x) + f(x * 2)));
}

TEST_CASE("a program over a tensor of a transform around it is not kept") {
  const auto scaled = [](Tensor w) {
    const auto inner = compile([w](Tensor y) { return y * w; });
    return inner(ones({3})).sum() + inner(ones({3})).sum();
  };
  CHECK(same(grad(scaled)(ramp({3})), full({3}, 2.0)));
  CHECK(same(vmap(scaled)(ramp({2, 3})), ramp({2, 3}).sum(1) * 2));
}

TEST_CASE("autograd records through a compiled function") {
  const auto compiled = compile(mixed);
  const Tensor x = ramp({3, 5}).requires_grad_(), bias = ramp({5}).requires_grad_();
  for (int run = 0; run < 2; ++run) {
    compiled(x, bias).sum().backward();
    const Tensor gx = x.grad().clone(), gb = bias.grad().clone();
    x.mutable_grad().reset(), bias.mutable_grad().reset();
    mixed(x, bias).sum().backward();
    CHECK(same(x.grad(), gx));
    CHECK(same(bias.grad(), gb));
    x.mutable_grad().reset(), bias.mutable_grad().reset();
  }
}

TEST_CASE("inference mode runs the plan, whose results are inference tensors") {
  const auto f = [](Tensor x) { return std::tuple{x * 2, (x * 2).slice(0, 1, 2)}; };
  const auto compiled = compile(f);
  const Tensor x = ramp({3});
  const InferenceMode inference;
  for (int run = 0; run < 2; ++run) {
    const auto [whole, part] = compiled(x);
    CHECK(same(whole, x * 2));
    CHECK(same(part, (x * 2).slice(0, 1, 2)));
    CHECK(whole.is_inference());
    CHECK(part.is_inference());
  }
}

TEST_CASE("what is computed of captured tensors is computed in each call") {
  const Tensor w = ramp({4});
  const auto compiled = compile([&](Tensor x) { return x * w.square(); });
  CHECK(same(compiled(ones({4})), w.square()));
  w.add_(1);
  CHECK(same(compiled(ones({4})), w.square()));
}

TEST_CASE("writes to captured tensors are part of the program") {
  const Tensor mean = zeros({3}), count = zeros({}, kLong);
  const auto compiled = compile([&](Tensor x) {
    count.add_(1);
    mean.mul_(0.5);
    mean.add_(x.mean(0) * 0.5);
    mean.slice(0, 0, 1).fill_(7);
    return mean * 2;
  });
  const Tensor x = ramp({2, 3});
  Tensor expected = zeros({3});
  for (int64_t run = 1; run <= 3; ++run) {
    expected = expected * 0.5 + x.mean(0) * 0.5;
    expected.slice(0, 0, 1).fill_(7);
    CHECK(same(compiled(x), expected * 2));
    CHECK(same(mean, expected));
    CHECK(count.item<int64_t>() == run);
  }
  CHECK(compile_stats(compiled).programs == 1);
}

TEST_CASE("writes to arguments reach the caller's tensors") {
  const auto compiled = compile([](Tensor x, Tensor y) {
    x.mul_(2);
    x.slice(0, 0, 1).zero_();
    return x + y;
  });
  for (int run = 0; run < 2; ++run) {
    const Tensor x = ramp({3}), y = ones({3});
    const Tensor sum = compiled(x, y);
    const Tensor expected = ramp({3}) * 2;
    expected.slice(0, 0, 1).zero_();
    CHECK(same(x, expected));
    CHECK(same(y, ones({3})));
    CHECK(same(sum, expected + 1));
  }
}

TEST_CASE("results that are equal have memory of their own") {
  const auto compiled =
      compile([](Tensor x) { return std::tuple{x * 2, x * 2, (x * 1).slice(0, 0, 2), zeros({1}), zeros({1}), x * 2}; });
  for (bool recorded : {false, true}) {
    const Tensor x = ramp({4}).requires_grad_(recorded);
    const NoGradGuard no_grad;
    const auto [a, b, part, zero, other, c] = compiled(x);
    a.fill_(7), part.fill_(8), zero.fill_(9);
    CHECK(same(x, ramp({4})));
    CHECK(same(b, ramp({4}) * 2));
    CHECK(same(c, ramp({4}) * 2));
    CHECK(same(other, zeros({1})));
  }
}

TEST_CASE("chains with operands that repeat, wherever they stand in the chain") {
  const auto f = [](Tensor x, Tensor row, Tensor column) {
    const Tensor a = (x + 1) * (x * 2) + row, b = (a - column).tanh() * row + (a * column + 2);
    return (b * row - a) * (column + x) + row * column;
  };
  const auto compiled = compile(f);
  for (int64_t width : {1, 2, 5, 16, 100, 255, 256, 300})
    for (int64_t rows : {1, 3, 40}) {
      const Tensor x = ramp({rows, width}) / 50, row = ramp({width}) / 9, column = ramp({rows, 1}) / 7;
      CHECK(same(compiled(x, row, column), f(x, row, column)));
      CHECK(same(compiled(x, row, column), f(x, row, column)));
    }
}

TEST_CASE("what a program depends on beside its arguments") {
  const Tensor x = ramp({3, 3});
  const auto product = compile([](Tensor y) { return y.mm(y); });
  {
    const AutocastGuard guard(kCPU, kBFloat16);
    CHECK(product(x).dtype() == kBFloat16);
  }
  CHECK(same(product(x), x.mm(x)));
  const auto sum = compile([](Tensor y) { return y + zeros({3}); });
  sum(ones({3}, kLong));
  set_default_dtype(kDouble);
  const DType wide = sum(ones({3}, kLong)).dtype();
  set_default_dtype(kFloat);
  CHECK(wide == kDouble);
  const auto cast = compile([](Tensor y, TensorOptions options) { return y.to(options); });
  CHECK(cast(x, TensorOptions(kDouble)).dtype() == kDouble);
  CHECK(cast(x, TensorOptions(kInt)).dtype() == kInt);
  const auto named = compile([](Tensor y, std::vector<std::string> names) { return y * (names[0] == "a" ? 2 : 3); });
  CHECK(same(named(x, std::vector<std::string>{"a", "][b"}), x * 2));
  CHECK(same(named(x, std::vector<std::string>{"a][", "b"}), x * 3));
}

TEST_CASE("autocast's kept weights outlive a trace under it") {
  const Tensor w = ramp({3, 3}).requires_grad_(), x = ramp({2, 3});
  const AutocastGuard guard(kCPU, kBFloat16);
  const Tensor first = compile([&](Tensor y) { return y.mm(w); })(x);
  CHECK(same(x.mm(w).detach(), first.detach()));
}

TEST_CASE("a compiled function under autocast gives eager's bits and gradients") {
  const Tensor w = ramp({4, 4}).sin().requires_grad_(), mask = ramp({3, 4}) > 0;
  const auto f = [&](Tensor x) {
    const Tensor h = (x.mm(w) / 3).masked_fill(mask, -2).softmax(-1) * 2;
    return linear(h.mm(w) + 1, w).mm(w.t());
  };
  const auto compiled = compile(f);
  for (const DType dtype : {kBFloat16, kHalf, kBFloat16}) {
    const auto run = [&](const auto& function) {
      const Tensor x = ramp({3, 4}).cos().requires_grad_();
      Tensor y;
      {
        const AutocastGuard guard(kCPU, dtype);
        y = function(x * 2);
      }
      y.square().sum().backward();
      const std::vector<Tensor> all{y.detach(), x.grad(), w.grad()};
      w.mutable_grad().reset();
      return all;
    };
    const std::vector<Tensor> expected = run(f), got = run(compiled);
    for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
  }
  CHECK(compile_stats(compiled).programs == 2);
  CHECK(same(compiled(ramp({3, 4})).detach(), f(ramp({3, 4})).detach()));
}

TEST_CASE("weights are cast once inside of a compiled function, under a guard around it and inside of it") {
  const Tensor w = ramp({4, 4}).sin().requires_grad_(), x = ramp({3, 4}).cos();
  const auto step = [&](const Tensor& leaf) {
    const AutocastGuard guard(kCPU, kBFloat16);
    const Tensor y = x.mm(leaf).relu().mm(leaf).mm(w).mm(w);
    y.sum().backward();
  };
  const auto gradients_by = [&](const auto& function) {
    const Tensor leaf = w.detach().clone().requires_grad_();
    for (int time = 0; time < 2; ++time) {
      const AutocastGuard guard(kCPU, kBFloat16);
      function(leaf);
    }
    function(leaf);
    const std::pair gradients(leaf.grad(), w.grad());
    w.mutable_grad().reset();
    return gradients;
  };
  const auto expected = gradients_by(step), got = gradients_by(compile(step));
  CHECK(same(got.first, expected.first));
  CHECK(same(got.second, expected.second));
}

TEST_CASE("an embedding with a largest norm works inside of a compiled function") {
  const Tensor table = ramp({7, 3}).clone(), other = table.clone(), i = tensor({{4, 0}, {6, 4}}, kLong);
  const auto looked_up = [&i](const Tensor& rows) {
    return [&i, rows] {
      return nn::functional::embedding(i, rows, nn::functional::EmbeddingFuncOptions().max_norm(1.0)) * 2;
    };
  };
  CHECK(same(compile(looked_up(table))(), looked_up(other)()));
  CHECK(same(table, other));
}

TEST_CASE("gradients through a compiled function have eager's bits") {
  const auto f = [](Tensor x) { return (x.exp() * 0.3 + x.exp() * 0.7).sum(); };
  CHECK(same(grad(compile(f))(ramp({50})), grad(f)(ramp({50}))));
}

TEST_CASE("random numbers that a program could not draw again are refused") {
  Generator own(3);
  const auto f = compile([&](Tensor x) { return x + rand({3}, own); });
  CHECK(error_of([&] { f(ones({3})); }).find("random numbers are those of the default generator") != std::string::npos);
}

TEST_CASE("what was detached shows later writes") {
  const auto f = [](Tensor x) {
    const Tensor y = x * 1, seen = y.detach();
    y.add_(1);
    return seen * 2;
  };
  CHECK(same(compile(f)(ramp({3})), f(ramp({3}))));
}

TEST_CASE("nothing else may show what a function writes to") {
  const auto compiled = compile([](Tensor x, Tensor y) {
    x.mul_(2);
    return x + y;
  });
  const Tensor a = ramp({4});
  CHECK(same(compiled(a.slice(0, 0, 2), a.slice(0, 2, 4)), ramp({4}).slice(0, 0, 2) * 2 + ramp({4}).slice(0, 2, 4)));
  CHECK(error_of([&] { compiled(a, a); }).find("whose memory another argument or captured tensor shows as well") !=
        std::string::npos);
}

TEST_CASE("a function may return nothing") {
  const Tensor count = zeros({});
  const auto compiled = compile([&](Tensor x) { count.add_(x.sum()); });
  compiled(ones({3}));
  compiled(ones({3}));
  CHECK(count.item<float>() == 6);
}

TEST_CASE("writes without recording stay so") {
  const auto f = [](Tensor x) {
    const NoGradGuard no_grad;
    x.slice(0, 0, 1).zero_();
    return x * 2;
  };
  const Tensor leaf = ramp({3}).requires_grad_();
  compile(f)(leaf);
  CHECK(leaf.detach().slice(0, 0, 1).equal(zeros({1})));
}

TEST_CASE("captured tensors may be exchanged, and an error while tracing leaves them as they were") {
  const Tensor a = full({2}, 1.0), b = full({2}, 2.0);
  const auto swap = compile([&](Tensor x) {
    const Tensor old = a.clone();
    a.copy_(b);
    b.copy_(old);
    return x;
  });
  swap(a.clone());
  CHECK(same(a, full({2}, 2.0)));
  CHECK(same(b, full({2}, 1.0)));
  const auto fails = compile([&](Tensor x) {
    a.add_(x);
    return x * x.item<float>();
  });
  CHECK(error_of([&] { fails(ones({2}).slice(0, 0, 1)); }).find("inside trace a tensor has no value") !=
        std::string::npos);
  CHECK(same(a, full({2}, 2.0)));
}

TEST_CASE("random ops draw as the function draws") {
  const auto f = [](Tensor x) { return x + rand({3, 2}) + randn({3, 2}); };
  const auto compiled = compile(f);
  const Tensor x = ramp({3, 2});
  manual_seed(3);
  std::vector<Tensor> expected;
  for (int run = 0; run < 3; ++run) expected.push_back(f(x));
  manual_seed(3);
  for (const Tensor& e : expected) CHECK(same(compiled(x), e));
}

TEST_CASE("results are new in each call and views of each other as eager's are") {
  const auto compiled = compile([](Tensor x) {
    const Tensor y = x * 2;
    return std::tuple{y, y.slice(0, 1, 3), y.view({2, 2}), x, zeros({2})};
  });
  const Tensor x = ramp({4});
  const auto first = compiled(x);
  const auto second = compiled(x);
  CHECK(std::get<3>(first).is_same(x));
  std::get<0>(second).fill_(5);
  CHECK(same(std::get<1>(second), full({2}, 5.0)));
  CHECK(same(std::get<2>(second), full({2, 2}, 5.0)));
  CHECK(same(std::get<0>(first), x * 2));
  std::get<4>(second).fill_(1);
  CHECK(same(std::get<4>(compiled(x)), zeros({2})));
}

TEST_CASE("threads may call one compiled function at once") {
  const auto compiled = compile(mixed);
  const Tensor x = ramp({40, 300}), bias = ramp({300}), expected = mixed(x, bias);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int run = 0; run < 50; ++run) wrong += !compiled(x, bias).equal(expected);
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("a chain shares what is common and folds what is constant") {
  const auto f = [](Tensor x) { return x.exp() + x.exp() * (ones({3}) * 2 + 1); };
  const func::Program p = func::passes::simplify(trace(f)(ramp({3})).program());
  CHECK(p.equations().size() == 3);
  CHECK(same(compile(f)(ramp({3})), f(ramp({3}))));
}

TEST_CASE("factors of one and views of everything are read past, zeros are added") {
  const auto f = [](Tensor x) { return (x * 1).view({2}).expand({2}) / 1 + 0; };
  const func::Program p = func::passes::simplify(trace(f)(ramp({2})).program());
  INFO(p.str());
  CHECK(p.equations().size() == 1);
  const Tensor minus_zero = full({2}, -0.0);
  CHECK(!compile(f)(minus_zero).signbit().any().item<bool>());
  const auto same_tensor = compile([](Tensor x) { return x.view({2}); });
  CHECK(!same_tensor(minus_zero).is_same(minus_zero));
  CHECK(same_tensor(minus_zero).data_ptr() == minus_zero.data_ptr());
}

}  // namespace strata
