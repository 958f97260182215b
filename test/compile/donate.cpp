// Donated arguments: what they save, what becomes of them, and when they are refused.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/compile/peak.h"
#include "test/error_of.h"

namespace strata {
namespace {

constexpr int64_t kSide = 512;
constexpr int64_t kBytes = kSide * kSide * 4;

Tensor numbers(double shift) { return (arange(kSide * kSide, kFloat) / 1e5 + shift).view({kSide, kSide}); }

Tensor decay(Tensor state, Tensor push) { return (state * 0.9 + push).tanh() - push; }

}  // namespace

TEST_CASE("a result lies where the donated argument was") {
  const auto plain = compile(decay), donating = compile(decay, {.donate = {0}});
  const Tensor push = numbers(-3);
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    Tensor state = numbers(0), expected = numbers(0);
    for (int step = 0; step < 3; ++step) {
      const void* const place = state.data_ptr();
      state = donating(state, push);
      expected = decay(expected, push);
      CHECK(state.equal(expected));
      CHECK(state.data_ptr() == place);
    }
  }
  if (!is_counted()) return;
  Tensor a = numbers(0), b = numbers(0);
  CHECK(bytes_at_peak([&] { a = plain(a, push); }) == kBytes);
  CHECK(bytes_at_peak([&] { b = donating(b, push); }) == 0);
  CHECK(a.equal(b));
}

TEST_CASE("what lies between is written over donated memory, through several steps") {
  const auto f = [](Tensor x, Tensor w) { return matmul((x + 1).exp().neg().abs().sqrt(), w).sum(0); };
  const auto chain = [](Tensor x) {
    const Tensor h = (x / 100).cumsum(0).sin();
    return std::tuple(h.sum(), (h * 2).cumsum(1), h.t());
  };
  const auto compiled = compile(f, {.donate = {0}});
  const auto plain = compile(chain), donating = compile(chain, {.donate = {0}});
  const Tensor w = numbers(0) / 1e4;
  CHECK(compiled(numbers(0).neg(), w).equal(f(numbers(0).neg(), w)));
  for (int run = 0; run < 2; ++run) {
    const auto expected = tree::leaves(chain(numbers(1))), got = tree::leaves(donating(numbers(1)));
    for (size_t i = 0; i < got.size(); ++i) CHECK(got[i].equal(expected[i]));
  }
  if (!is_counted()) return;
  const Tensor x = numbers(1), y = numbers(1);
  const int64_t kept = bytes_at_peak([&] { plain(x); }), given = bytes_at_peak([&] { donating(y); });
  CHECK(given + kBytes <= kept);
}

TEST_CASE("an optimizer's step on donated parameters and state takes no more memory") {
  using State = std::tuple<Tensor, Tensor>;
  const auto step = [](State state, Tensor grad) {
    const auto [weight, momentum] = state;
    const Tensor next = momentum * 0.9 + grad;
    return State(weight - next * 0.1, next);
  };
  const auto plain = compile(step), donating = compile(step, {.donate = {0}});
  const Tensor grad = numbers(2);
  State a(numbers(0), numbers(1)), b(numbers(0), numbers(1));
  const auto run = [&](const auto& f, State& state) {
    return [&] {
      for (int i = 0; i < 3; ++i) state = f(state, grad);
    };
  };
  const int64_t kept = bytes_at_peak(run(plain, a)), given = bytes_at_peak(run(donating, b));
  CHECK(std::get<0>(a).equal(std::get<0>(b)));
  CHECK(std::get<1>(a).equal(std::get<1>(b)));
  if (!is_counted()) return;
  CHECK(kept == 2 * kBytes);
  CHECK(given == 0);
}

TEST_CASE("a donated tensor cannot be used afterwards, however small") {
  const auto twice = compile([](Tensor x) { return x * 2; }, {.donate = {0}});
  for (const int64_t n : {int64_t{3}, kSide * kSide}) {
    const Tensor x = ones({n}), other = x;
    CHECK(twice(x).equal(full({n}, 2.0)));
    for (const Tensor& gone : {x, other}) {
      CHECK(gone.sizes() == IntArrayRef({n}));
      CHECK(error_of([&] { gone + 1; }).find("or by a compiled function that it was donated to") != std::string::npos);
      CHECK(error_of([&] { twice(gone); }).find("was freed") != std::string::npos);
    }
  }
}

TEST_CASE("what comes back as it came keeps its memory, and a saved donated tensor is an error in backward") {
  const auto same = compile([](Tensor x) { return std::tuple(x, x.sum()); }, {.donate = {0}});
  const Tensor x = numbers(0), expected = numbers(0);
  const void* const place = x.data_ptr();
  const auto [back, sum] = same(x);
  CHECK(back.data_ptr() == place);
  CHECK(back.equal(expected));
  CHECK(sum.equal(expected.sum()));
  const Tensor w = ones({4}).requires_grad_(), factor = ones({4}), loss = (w * factor).sum();
  compile([](Tensor t) { return t + 1; }, {.donate = {0}})(factor);
  CHECK(error_of([&] { loss.backward(); }).find("was modified in place since") != std::string::npos);
}

TEST_CASE("donation is refused where others would lose their memory, and leaves all as it was") {
  const auto sum = compile([](Tensor x, Tensor y) { return x + y; }, {.donate = {0, 1}});
  const auto refused = [&](Tensor x, const char* why) {
    const Tensor y = ones({4}), copy = x.detach().clone();
    CHECK(error_of([&] { sum(y, x); }).find(why) != std::string::npos);
    CHECK(y.sum().item<double>() == 4);
    CHECK(x.equal(copy));
  };
  const Tensor base = ones({4}), shown = ones({4});
  const Tensor view = shown.view({2, 2}), detached = ones({4});
  const Tensor shared = detached.detach();
  float outside[4] = {1, 1, 1, 1};
  refused(base.slice(0, 0, 4), "is a view");
  refused(shown, "other tensors show its memory");
  refused(from_blob(outside, {4}), "came from outside");
  CHECK(view.sum().item<double>() == 4);
  CHECK(error_of([&] { sum(base, base); }).find("another argument") != std::string::npos);
  {
    const NoGradGuard no_grad;
    refused(ones({4}).requires_grad_(), "requires a gradient");
  }
  const auto captures = compile([base](Tensor x) { return x + base; }, {.donate = {0}});
  CHECK(error_of([&] { captures(base); }).find("captured") != std::string::npos);
  const auto writes = compile([](Tensor x) { return x.add_(1).sum(); }, {.donate = {0}});
  CHECK(error_of([&] { writes(ones({4})); }).find("writes to tensor 0") != std::string::npos);
  const auto wrong = compile([](Tensor x) { return x; }, {.donate = {1}});
  CHECK(error_of([&] { wrong(ones({4})); }) == "compile: donate names argument 1; the function has 1");
  CHECK(base.sum().item<double>() == 4);
}

TEST_CASE("nothing is taken where the program runs through the dispatcher") {
  const auto square = compile([](Tensor x) { return (x * x).sum(); }, {.donate = {0}});
  const Tensor x = arange(4, kFloat);
  CHECK(grad(square)(x).equal(x * 2));
  CHECK(vmap(square)(x).equal(x * x));
  CHECK(x.sum().item<double>() == 6);
  const Tensor w = ones({4}).requires_grad_();
  const auto scaled = compile([&](Tensor t) { return (t * w).sum(); }, {.donate = {0}});
  scaled(x).backward();
  CHECK(w.grad().equal(x));
}

}  // namespace strata
