// Tests of scaled dot product attention: values against naive loops under every kind of mask, grouped heads, errors.
#include "ops/attention.h"

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/linalg.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"

using namespace strata;
using namespace strata::test;

namespace {

using T = const Tensor&;

constexpr int64_t kHeads = 3, kQueries = 4, kKeys = 6, kWidth = 5, kOut = 2;

/// One head by loops; `bias[i * kKeys + j]` is added to a score, -inf bars it.
std::vector<double> naive_head(const Tensor& q, const Tensor& k, const Tensor& v, const std::vector<double>& bias,
                               double scale) {
  const std::vector<double> qs = values_of(q), ks = values_of(k), vs = values_of(v);
  std::vector<double> out(kQueries * kOut, 0);
  for (int64_t i = 0; i < kQueries; ++i) {
    double total = 0;
    std::vector<double> weight(kKeys);
    for (int64_t j = 0; j < kKeys; ++j) {
      double score = 0;
      for (int64_t e = 0; e < kWidth; ++e) score += qs[i * kWidth + e] * ks[j * kWidth + e];
      weight[j] = std::exp(score * scale + bias[i * kKeys + j]);
      total += weight[j];
    }
    for (int64_t j = 0; j < kKeys && total > 0; ++j)
      for (int64_t o = 0; o < kOut; ++o) out[i * kOut + o] += weight[j] / total * vs[j * kOut + o];
  }
  return out;
}

struct Inputs {
  Tensor q = random_matrix({2, kHeads, kQueries, kWidth}, kDouble, 1),
         k = random_matrix({2, kHeads, kKeys, kWidth}, kDouble, 2),
         v = random_matrix({2, kHeads, kKeys, kOut}, kDouble, 3);
};

void check(const Inputs& in, const Tensor& y, const std::vector<double>& bias, double scale) {
  REQUIRE(y.sizes() == IntArrayRef({2, kHeads, kQueries, kOut}));
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t h = 0; h < kHeads; ++h) {
      const auto head = [&](const Tensor& x) { return select(select(x, 0, b), 0, h); };
      const std::vector<double> expected = naive_head(head(in.q), head(in.k), head(in.v), bias, scale),
                                got = values_of(head(y));
      for (size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) < 1e-12);
    }
  }
}

const double kDefaultScale = 1 / std::sqrt(static_cast<double>(kWidth));

}  // namespace

TEST_CASE("attention equals loops without a mask, with any scale") {
  const Inputs in;
  check(in, scaled_dot_product_attention(in.q, in.k, in.v), std::vector<double>(kQueries * kKeys, 0), kDefaultScale);
  check(in, scaled_dot_product_attention(in.q, in.k, in.v, std::nullopt, 0, false, 2.0),
        std::vector<double>(kQueries * kKeys, 0), 2.0);
}

TEST_CASE("causal attention sees keys up to its own position") {
  const Inputs in;
  std::vector<double> bias(kQueries * kKeys, 0);
  for (int64_t i = 0; i < kQueries; ++i)
    for (int64_t j = i + 1; j < kKeys; ++j) bias[i * kKeys + j] = -INFINITY;
  check(in, scaled_dot_product_attention(in.q, in.k, in.v, std::nullopt, 0, true), bias, kDefaultScale);
}

TEST_CASE("a bool mask says where to look and a float mask is added; a query that may look nowhere gives zeros") {
  const Inputs in;
  std::vector<double> bias(kQueries * kKeys, 0), look(kQueries * kKeys, 1);
  for (int64_t i = 0; i < kQueries * kKeys; ++i) {
    const bool barred = i % 3 == 1 || i / kKeys == 2;
    bias[i] = barred ? -INFINITY : 0;
    look[i] = barred ? 0 : 1;
  }
  const Tensor mask = reshape(tensor(look, kDouble), {kQueries, kKeys}).to(kBool);
  check(in, scaled_dot_product_attention(in.q, in.k, in.v, mask), bias, kDefaultScale);
  for (size_t i = 0; i < bias.size(); ++i) bias[i] += 0.1 * static_cast<double>(i);
  check(in, scaled_dot_product_attention(in.q, in.k, in.v, reshape(tensor(bias, kDouble), {kQueries, kKeys})), bias,
        kDefaultScale);
}

TEST_CASE("grouped heads share keys and values") {
  const Tensor q = random_matrix({2, 6, 4, 5}, kDouble, 1), k = random_matrix({2, 2, 7, 5}, kDouble, 2),
               v = random_matrix({2, 2, 7, 3}, kDouble, 3);
  const auto repeated = [](const Tensor& x) {
    return flatten(expand(unsqueeze(x, 2), {2, 2, 3, x.size(2), x.size(3)}), 1, 2);
  };
  const Tensor expected = scaled_dot_product_attention(q, repeated(k), repeated(v), std::nullopt, 0, true);
  CHECK(difference(scaled_dot_product_attention(q, k, v, std::nullopt, 0, true, std::nullopt, true), expected) < 1e-14);
  const Tensor mask = random_matrix({2, 6, 4, 7}, kDouble, 4);
  CHECK(difference(scaled_dot_product_attention(q, k, v, mask, 0, false, std::nullopt, true),
                   scaled_dot_product_attention(q, repeated(k), repeated(v), mask)) < 1e-14);
}

TEST_CASE("attention works in every floating point type") {
  const Inputs in;
  const Tensor exact = scaled_dot_product_attention(in.q, in.k, in.v);
  for (const DType dtype : {kFloat, kHalf, kBFloat16}) {
    const Tensor y = scaled_dot_product_attention(in.q.to(dtype), in.k.to(dtype), in.v.to(dtype));
    CHECK(y.dtype() == dtype);
    CHECK(difference(y, exact) < 20 * epsilon(dtype));
  }
}

TEST_CASE("dropout in attention keeps the mean") {
  const Tensor q = zeros({1, 1, 2000, 4}), k = zeros({1, 1, 50, 4}), v = ones({1, 1, 50, 1});
  const Tensor y = scaled_dot_product_attention(q, k, v, std::nullopt, 0.3);
  CHECK(std::abs(y.mean().item<double>() - 1) < 0.02);
  CHECK(difference(scaled_dot_product_attention(q, k, v, std::nullopt, 1.0), zeros({1, 1, 2000, 1})) == 0);
}

TEST_CASE("attention explains operands that do not fit") {
  const Tensor q = zeros({2, 3, 4}), k = zeros({2, 5, 4}), v = zeros({2, 5, 6});
  CHECK_THROWS_AS(scaled_dot_product_attention(q, zeros({2, 5, 3}), v), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, k, zeros({2, 4, 6})), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(zeros({4}), k, v), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, k, v, zeros({3, 5}), 0, true), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, k, v, zeros({3, 5}, kDouble)), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, k, v, std::nullopt, 1.5), Error);
  CHECK_THROWS_AS(scaled_dot_product_attention(zeros({2, 3, 4, 5}), zeros({2, 2, 4, 5}), zeros({2, 2, 4, 5}),
                                               std::nullopt, 0, false, std::nullopt, true),
                  Error);
}

namespace {

/// What the fused op computes, of whole matrices.
Tensor composite(const Tensor& q, const Tensor& k, const Tensor& v, bool is_causal) {
  Tensor scores = matmul(q, k.mT()).mul(1 / std::sqrt(static_cast<double>(q.size(-1))));
  if (is_causal) scores = scores.masked_fill(ones({q.size(-2), k.size(-2)}).tril().eq(0), -INFINITY);
  return matmul(scores.softmax(-1), v);
}

struct Result {
  Tensor out, dq, dk, dv;
};
template <class F>
Result with_gradients(F f, const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor x = q.detach().requires_grad_(), y = k.detach().requires_grad_(), z = v.detach().requires_grad_();
  const Tensor out = f(x, y, z);
  out.backward(random_matrix(out.sizes(), out.dtype(), 9));
  return {out.detach(), x.grad(), y.grad(), z.grad()};
}

}  // namespace

TEST_CASE("attention over many tiles, and its gradients, equal whole matrices") {
  for (const bool causal : {false, true}) {
    for (const int64_t keys : {300, 1100}) {
      const auto heads = [&](int64_t rows, unsigned seed) {
        return random_matrix({1, rows, 2, 6}, kDouble, seed).transpose(1, 2);
      };
      const Tensor q = heads(300, 1), k = heads(keys, 2), v = heads(keys, 3);
      const Result fused = with_gradients(
          [&](T x, T y, T z) { return scaled_dot_product_attention(x, y, z, std::nullopt, 0, causal); }, q, k, v);
      const Result whole = with_gradients([&](T x, T y, T z) { return composite(x, y, z, causal); }, q, k, v);
      CHECK(difference(fused.out, whole.out) < 1e-13);
      CHECK(difference(fused.dq, whole.dq) < 1e-12);
      CHECK(difference(fused.dk, whole.dk) < 1e-12);
      CHECK(difference(fused.dv, whole.dv) < 1e-12);
    }
  }
}

TEST_CASE("attention has the same bits on any number of threads") {
  const int before = get_num_threads();
  const auto run = [](int threads, int64_t heads) {
    set_num_threads(threads);
    const Tensor q = random_matrix({1, heads, 200, 16}, kFloat, 1);
    const Result r = with_gradients(
        [](T x, T y, T z) { return scaled_dot_product_attention(x, y, z, std::nullopt, 0, true); }, q, q, q);
    std::vector<double> all;
    for (const Tensor& t : {r.out, r.dq, r.dk, r.dv})
      for (const double x : values_of(t)) all.push_back(x);
    return all;
  };
  for (const int64_t heads : {1, 3, 20}) CHECK(run(1, heads) == run(4, heads));
  set_num_threads(before);
}

TEST_CASE("scores that grow along the keys, and infinite ones, go through attention as through softmax") {
  const Tensor q = ones({1, 1, 20, 1}, kDouble), v = random_matrix({1, 1, 1200, 2}, kDouble, 1);
  const Tensor k = reshape(arange(1200, kDouble), {1, 1, 1200, 1});
  CHECK(difference(scaled_dot_product_attention(q, k, v), composite(q, k, v, false)) < 1e-13);
  CHECK(difference(scaled_dot_product_attention(q, k.neg(), v), composite(q, k.neg(), v, false)) < 1e-13);
  Tensor hidden = k.clone();
  narrow(hidden, 2, 0, 700).fill_(-INFINITY);
  CHECK(difference(scaled_dot_product_attention(q, hidden, v), composite(q, hidden, v, false)) < 1e-13);
  CHECK(isnan(scaled_dot_product_attention(q, full_like(k, -INFINITY), v)).all().item<bool>());
  CHECK(isnan(scaled_dot_product_attention(q, full_like(k, INFINITY), v)).all().item<bool>());
}

TEST_CASE("attention over many tiles takes 16-bit types and adds up in float") {
  for (const DType dtype : {kHalf, kBFloat16}) {
    const Tensor q = random_matrix({2, 150, 8}, dtype, 1), k = random_matrix({2, 170, 8}, dtype, 2),
                 v = random_matrix({2, 170, 4}, dtype, 3);
    const auto fused = [](T x, T y, T z) { return scaled_dot_product_attention(x, y, z); };
    const Result r = with_gradients(fused, q, k, v);
    CHECK(r.dk.dtype() == dtype);
    CHECK(difference(r.out, composite(q.to(kDouble), k.to(kDouble), v.to(kDouble), false)) < epsilon(dtype));
    const Result exact = with_gradients(
        [](T x, T y, T z) { return composite(x.to(kDouble), y.to(kDouble), z.to(kDouble), false); }, q, k, v);
    CHECK(difference(r.dq, exact.dq) < epsilon(dtype));
    CHECK(difference(r.dv, exact.dv) < 2 * epsilon(dtype));
  }
}

TEST_CASE("leading dims of attention broadcast") {
  const Tensor q = random_matrix({2, 1, 3, 130, 5}, kDouble, 1), k = random_matrix({3, 140, 5}, kDouble, 2),
               v = random_matrix({4, 1, 140, 2}, kDouble, 3);
  const Tensor y = scaled_dot_product_attention(q, k, v);
  CHECK(y.sizes() == IntArrayRef({2, 4, 3, 130, 2}));
  CHECK(difference(y, composite(q, k, v, false)) < 1e-14);
}

TEST_CASE("attention differentiates twice") {
  const auto square = [](T q, T k, T v) { return scaled_dot_product_attention(q, k, v, std::nullopt, 0, true); };
  const Tensor q = random_matrix({1, 1, 130, 2}, kDouble, 1).requires_grad_(),
               k = random_matrix({1, 1, 140, 2}, kDouble, 2), v = random_matrix({1, 1, 140, 2}, kDouble, 3);
  const auto second = [&](auto f) {
    const Tensor first = autograd::grad({f(q, k, v).pow(2).sum()}, {q}, {}, std::nullopt, true)[0];
    return autograd::grad({first.pow(2).sum()}, {q})[0];
  };
  CHECK(difference(second(square), second([](T x, T y, T z) { return composite(x, y, z, true); })) < 1e-12);
}
