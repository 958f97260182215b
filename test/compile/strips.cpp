// Compiled functions that go through lines several times: eager's bits, and no memory for what lies between.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/compile/peak.h"
#include "test/compile/same.h"

namespace strata {
namespace {

/// One call to trace and one to run, on one thread and two, each with the same random numbers.
template <class F, class... T>
void check_lines(const F& f, const T&... args) {
  manual_seed(1);
  const std::vector<Tensor> expected = tree::leaves(f(args...));
  const auto compiled = compile(f);
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    manual_seed(1);
    const std::vector<Tensor> got = tree::leaves(compiled(args...));
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO("result " << i << " of shape " << got[i].sizes() << ", " << threads << " threads");
      CHECK(same(got[i], expected[i]));
    }
  }
  set_num_threads(2);
}

Tensor softmax_by_hand(const Tensor& x) {
  const Tensor e = (x - x.amax(-1, true)).exp();
  return e / e.sum(-1, true);
}

Tensor norm_by_hand(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor centred = x - x.mean(-1, true);
  const Tensor variance = (centred * centred).mean(-1, true);
  return centred * (variance + 1e-5).rsqrt() * weight + bias;
}

}  // namespace

TEST_CASE("lines that are gone through several times give eager's bits for all sizes") {
  const auto f = [](Tensor x, Tensor row, Tensor column) {
    const Tensor p = softmax_by_hand(x * 2 + row), n = norm_by_hand(x, row, row.exp());
    const Tensor scaled = p * column, largest = scaled.amax({1}, true);
    return std::tuple(p, n, scaled / (largest + 1), largest.squeeze(1), (n - largest).sum(), p.sum(0), (p * n).sum(1));
  };
  // Small ones, which are no strips; rows shorter than half a tile, longer, and in chunks, a few of them and many.
  const std::pair<int64_t, int64_t> sizes[] = {{1, 1},     {3, 64},   {1, 5000},  {70, 513}, {20, 4096},
                                               {20, 5000}, {1000, 1}, {300, 300}, {600, 64}, {6000, 7}};
  for (const DType dtype : {kFloat, kDouble, kBFloat16})
    for (const auto& [rows, width] : sizes)
      check_lines(f, wave({rows, width}).to(dtype), wave({width}).to(dtype), wave({rows, 1}).to(dtype));
}

TEST_CASE("gradients of what goes through lines give eager's bits") {
  const auto loss = [](Tensor x, Tensor weight, Tensor bias) {
    return (softmax_by_hand(norm_by_hand(x, weight, bias)) * x).sum();
  };
  for (const int64_t rows : {5, 300})
    for (const int64_t width : {30, 700})
      check_lines(grad(loss, {.argnums = {0, 1, 2}}), wave({rows, width}), wave({width}), wave({width}));
}

TEST_CASE("kernels that work line by line give eager's bits between tapes") {
  namespace F = nn::functional;
  const auto attend = [](Tensor x, Tensor row, Tensor column) {
    const Tensor p = F::dropout((x * 0.3 + row).softmax(-1), 0.2), q = (x + column).log_softmax(-1);
    return std::tuple(p * column, q, (p * q).sum(-1), q.exp().amax(-1, true) - q);
  };
  const auto norm = [](Tensor x, Tensor row, Tensor column) {
    const Tensor sum = x + column, n = layer_norm(sum, {x.size(1)}, row, row.exp());
    return std::tuple(sum, n.relu(), layer_norm(n * 2, {x.size(1)}).softmax(-1));
  };
  const std::pair<int64_t, int64_t> sizes[] = {{1, 1}, {20, 5000}, {1000, 1}, {300, 300}, {600, 64}, {6000, 7}};
  for (const DType dtype : {kFloat, kDouble, kBFloat16})
    for (const auto& [rows, width] : sizes) {
      INFO(rows << " rows of " << width << " " << dtype);
      const Tensor x = wave({rows, width}).to(dtype), row = wave({width}).to(dtype), column = wave({rows, 1}).to(dtype);
      check_lines(attend, x, row, column);
      check_lines(norm, x, row, column);
    }
}

TEST_CASE("gradients through kernels that work line by line give eager's bits") {
  namespace F = nn::functional;
  const auto loss = [](Tensor x, Tensor weight, Tensor bias) {
    const Tensor n = layer_norm(x + bias, {x.size(-1)}, weight, bias), p = F::dropout((n * 0.5).softmax(-1), 0.1);
    return (p * x).sum() + (p * 3).log_softmax(-1).square().mean();
  };
  for (const int64_t rows : {5, 300})
    for (const int64_t width : {30, 700}) {
      check_lines(grad(loss, {.argnums = {0, 1, 2}}), wave({rows, width}), wave({width}), wave({width}));
      check_lines(grad(loss), wave({3, rows, width}), wave({width}), wave({width}));
    }
}

TEST_CASE("sums over all lines have eager's bits, whether or not chunks end with lines") {
  const auto f = [](Tensor x, Tensor row) {
    const Tensor p = (x * 0.3 + row).softmax(-1), all = (p * x).sum();
    return std::tuple(all, (p * 3).mean(), p.amax(), p.amax(-1), (p.sum() * p).amax(), (x + row).square().sum());
  };
  const std::pair<int64_t, int64_t> sizes[] = {{2, 20000}, {50, 1024}, {51, 1024}, {64, 1536},
                                               {300, 700}, {2000, 64}, {5000, 33}, {30000, 4}};
  for (const DType dtype : {kFloat, kDouble, kBFloat16})
    for (const auto& [rows, width] : sizes) {
      INFO(rows << " rows of " << width << " " << dtype);
      check_lines(f, wave({rows, width}).to(dtype), wave({width}).to(dtype));
    }
}

TEST_CASE("lines of softmax along other dims, of numbers that a run makes for all lines, and of none") {
  check_lines([](Tensor s) { return (s * 2).softmax(0) + 1; }, wave({300, 200}));
  check_lines([](Tensor s) { return (s * 2).softmax(1).square(); }, wave({40, 30, 50}));
  check_lines([](Tensor s) { return (s.exp() * 2).softmax(-1) * 3; }, wave({0, 20}));
  check_lines([](Tensor s) { return (s.t().exp() * 2).softmax(-1) * 3; }, wave({300, 200}));
  check_lines(
      [](Tensor s) {
        const Tensor n = layer_norm(s * 2, {64});
        return layer_norm(n + 1, {64}, n[0].exp(), n[1]);  // weights of all lines, made of the first ones
      },
      wave({2000, 64}));
}

TEST_CASE("lines of lines, masks over several of them, and values that all lines share") {
  const Tensor scores = wave({4, 6, 33, 33}), mask = wave({33, 33}) > 0.3;
  check_lines([](Tensor s, Tensor m) { return softmax_by_hand(where(m, s * 0.3, -1e9)); }, scores, mask);
  check_lines(
      [](Tensor s) {
        const Tensor of_lines = s.exp().sum(-1), of_heads = of_lines.sum(-1);  // fewer lines, of what all lines gave
        return std::tuple((of_lines / of_heads.unsqueeze(-1)).exp(), of_lines * 2);
      },
      scores);
  check_lines(
      [](Tensor s) {
        const Tensor centred = s - s.mean();  // nothing of it is there before all of s was read
        return centred / centred.amax(-1, true);
      },
      scores);
  check_lines([](Tensor s) { return (s - s.amax(-1, true)) * s.amax(-1); }, wave({40, 40}));  // lines of all lines
  check_lines([](Tensor s) { return softmax_by_hand(s).transpose(0, 1) * softmax_by_hand(s.transpose(0, 1)); },
              wave({40, 40}));
  check_lines([](Tensor s) { return (s - s.amax(-1, true)).slice(0, 1) * softmax_by_hand(s).slice(0, 0, 39); },
              wave({40, 40}));
}

TEST_CASE("what lies between tapes that go through the same lines has no memory") {
  const Tensor x = wave({2048, 512}), row = wave({512});
  const auto softmax = compile(softmax_by_hand);
  const auto norm = compile(norm_by_hand);
  const auto attention =
      compile([](Tensor s, Tensor r) { return nn::functional::dropout((s * 0.3 + r).softmax(-1), 0.1) * 2; });
  const auto normalized = compile([](Tensor s, Tensor r) { return layer_norm(s + r, {512}, r, r).relu(); });
  const auto back = compile([](Tensor s, Tensor t, Tensor g) {  // the gradient of a softmax of s t
    return vjp([&](Tensor v) { return (v * t).softmax(-1); }, s).second(g * 2);
  });
  const auto sum = compile([](Tensor s, Tensor r) { return ((s * 0.3 + r).softmax(-1) * s).sum(); });
  for (int call = 0; call < 2; ++call)
    softmax(x), norm(x, row, row), attention(x, row), normalized(x, row), back(x, x, x), sum(x, row);
  if (!is_counted()) return;
  constexpr int64_t kResult = 2048 * 512 * 4, kMask = kResult / 4, kLess = kResult + kResult / 4;
  CHECK(bytes_at_peak([&] { softmax(x); }) < kLess);
  CHECK(bytes_at_peak([&] { norm(x, row, row); }) < kLess);
  CHECK(bytes_at_peak([&] { attention(x, row); }) < kLess + kMask);
  CHECK(bytes_at_peak([&] { normalized(x, row); }) < kLess);
  CHECK(bytes_at_peak([&] { back(x, x, x); }) < kLess);
  CHECK(bytes_at_peak([&] { sum(x, row); }) < kResult / 4);
}

}  // namespace strata
