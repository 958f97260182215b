// Tests of softmax and log-softmax: values at every vector edge, any dim and layout, extreme inputs, gradients.
#include "ops/softmax.h"

#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

TEST_CASE("softmax and its logarithm agree with naive loops at every vector edge") {
  for (const DType dtype : {kFloat, kDouble, kHalf}) {
    const double eps = dtype == kDouble ? 4e-15 : dtype == kFloat ? 2e-6 : 2e-3;
    for (const int64_t n : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1000, 1025, 5000}) {
      const Tensor x = random_tensor({n}, dtype, static_cast<unsigned>(n), -4, 4);
      const std::vector<double> v = values(x), p = values(x.softmax(0)), q = values(x.log_softmax(0));
      double total = 0;
      for (double e : v) total += std::exp(e);
      bool good = true;
      for (int64_t i = 0; i < n; ++i) {
        good &= std::abs(p[i] - std::exp(v[i]) / total) <= eps * p[i] + 1e-7 * (dtype == kHalf);
        good &= std::abs(q[i] - (v[i] - std::log(total))) <= eps * (1 + std::abs(q[i]));
      }
      INFO(name(dtype) << " n=" << n);
      CHECK(good);
    }
  }
}

TEST_CASE("softmax works along any dim of any layout") {
  const Tensor x = random_tensor({3, 37, 5, 20}, kDouble);
  for (int64_t dim = 0; dim < 4; ++dim) {
    const Tensor y = x.softmax(dim);
    CHECK(allclose(y.sum(dim), ones({}, kDouble).expand(y.sum(dim).sizes()), 1e-12));
    CHECK(allclose(y, x.transpose(dim, 3).contiguous().softmax(3).transpose(dim, 3), 1e-13));
    CHECK(allclose(x.transpose(1, 3).softmax(dim), x.transpose(1, 3).contiguous().softmax(dim), 1e-13));
    CHECK(allclose(x.log_softmax(dim).exp(), y, 1e-12));
  }
  CHECK(tensor(3.0).softmax(0).item<double>() == 1);
  CHECK(zeros({0, 3}).softmax(1).sizes() == IntArrayRef({0, 3}));
  CHECK(zeros({3, 0}).log_softmax(1).sizes() == IntArrayRef({3, 0}));
}

TEST_CASE("softmax of long columns agrees with that of rows") {
  for (const DType dtype : {kFloat, kDouble}) {
    const double eps = dtype == kDouble ? 1e-13 : 2e-5;
    for (const int64_t columns : {3, 64, 257, 600}) {
      Tensor x = random_tensor({1037, columns}, dtype, 3, -4, 4).requires_grad_();
      const Tensor w = random_tensor({1037, columns}, dtype, 4);
      for (const bool log : {false, true}) {
        const auto run = [&](const Tensor& t, int64_t dim) { return log ? t.log_softmax(dim) : t.softmax(dim); };
        const Tensor y = run(x, 0);
        CHECK(allclose(y, run(x.t().contiguous(), 1).t(), eps));
        x.mutable_grad() = Tensor();
        (y * w).sum().backward();
        const Tensor by_columns = x.grad();
        x.mutable_grad() = Tensor();
        (run(x.t().contiguous(), 1).t() * w).sum().backward();
        CHECK(allclose(by_columns, x.grad(), eps, eps));
      }
    }
  }
  Tensor bad = zeros({1037, 300});
  bad[500][299].fill_(kNaN);
  bad[1036][7].fill_(kInf);
  bad.narrow(0, 0, 40).select(1, 5).fill_(-kInf);
  const Tensor y = bad.softmax(0);
  CHECK(y.isnan().any(0).sum().item<int64_t>() == 2);
  CHECK(std::isnan(values(y)[299]));
  CHECK(values(y)[5] == 0);
}

TEST_CASE("softmax of extreme values") {
  CHECK(values(tensor({1000.0, 1000.0}).softmax(0)) == std::vector<double>{0.5, 0.5});
  CHECK(values(tensor({0.0, -kInf}).softmax(0)) == std::vector<double>{1, 0});
  CHECK(values(tensor({0.0, -2000.0}, kDouble).log_softmax(0))[1] == -2000);
  for (const Tensor& bad : {tensor({1.0, kNaN}), tensor({kInf, 0.0}), tensor({-kInf, -kInf})}) {
    CHECK(std::isnan(values(bad.softmax(0))[0]));
    CHECK(std::isnan(values(bad.log_softmax(0))[1]));
  }
}

TEST_CASE("softmax gradients agree with the formula in other ops") {
  for (const int64_t dim : {0, 1}) {
    Tensor x = random_tensor({5, 6}, kDouble).requires_grad_();
    const Tensor w = random_tensor({5, 6}, kDouble, 2);
    (x.softmax(dim) * w).sum().backward();
    const Tensor fused = x.grad().clone();
    x.mutable_grad() = Tensor();
    const Tensor e = exp(x);
    (e / e.sum(dim, true) * w).sum().backward();
    CHECK(allclose(fused, x.grad(), 1e-10, 1e-12));
    x.mutable_grad() = Tensor();
    (x.log_softmax(dim) * w).sum().backward();
    CHECK(allclose(x.grad(), w - x.detach().softmax(dim) * w.sum(dim, true), 1e-10, 1e-12));
  }
}

TEST_CASE("softmax does not depend on the number of threads, and refuses integers") {
  const Tensor x = random_tensor({500, 300});
  CHECK(thread_independent([&] { return x.softmax(1); }));
  CHECK(thread_independent([&] { return x.log_softmax(0); }));
  CHECK(thread_independent([] { return random_tensor({1500, 700}).softmax(0); }));
  CHECK_THROWS_WITH(tensor({1, 2}).softmax(0),
                    Catch::Matchers::ContainsSubstring("softmax: expected a floating point tensor, got int64"));
  CHECK(tensor({1, 2}).softmax(0, kFloat).dtype() == kFloat);
  CHECK_THROWS_AS(x.softmax(2), IndexError);
}
