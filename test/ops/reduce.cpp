// Tests of the reductions: accuracy at every vector edge, layouts, special values, thread independence, gradients,
// errors.
#include "ops/reduce.h"

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/random.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

const int64_t kVectorEdges[] = {0,  1,  2,   7,   8,    9,    15,   16,   17,   31,   33,   63,
                                64, 65, 127, 129, 1023, 1024, 1025, 4095, 4096, 4097, 20000};

/// The bound of Note [Reduction tree].
double sum_bound(const std::vector<double>& x, double eps) {
  double size = 0;
  for (double v : x) size += std::abs(v);
  return eps * (1 + std::log2(static_cast<double>(x.size()) + 1)) * size + 1e-30;
}

double eps_of(DType t) { return t == kDouble ? 2.3e-16 : t == kFloat ? 1.2e-7 : t == kHalf ? 1e-3 : 8e-3; }

}  // namespace

TEST_CASE("sums, means and moments agree with naive loops at every vector edge") {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const int64_t n : kVectorEdges) {
      const Tensor x = random_tensor({n}, dtype, static_cast<unsigned>(n));
      const std::vector<double> v = values(x);
      double sum = 0, squares = 0, most = -kInf, exps = 0;
      for (double e : v) sum += e, squares += e * e, most = std::max(most, e), exps += std::exp(e);
      const double eps = eps_of(dtype), bound = sum_bound(v, std::max(eps, 1.2e-16)) + eps * std::abs(sum);
      INFO(name(dtype) << " n=" << n);
      CHECK(std::abs(x.sum().item<double>() - sum) <= bound);
      if (n == 0) continue;
      const double count = static_cast<double>(n), mean = sum / count,
                   var = n > 1 ? (squares - sum * mean) / (count - 1) : kNaN;
      CHECK(std::abs(x.mean().item<double>() - mean) <= bound / count + eps * std::abs(mean));
      CHECK(x.max().item<double>() == most);
      CHECK(x.norm().item<double>() == Approx(std::sqrt(squares)).epsilon(8 * eps));
      CHECK(x.logsumexp(0).item<double>() == Approx(std::log(exps)).epsilon(8 * eps));
      if (n > 1) CHECK(x.var().item<double>() == Approx(var).epsilon(20 * eps).margin(1e-10));
      CHECK(x.std(false).item<double>() ==
            Approx(std::sqrt(std::max(0.0, squares / count - mean * mean))).epsilon(20 * eps).margin(1e-6));
    }
  }
}

TEST_CASE("equal numbers have no variance, and a standard deviation without a slope") {
  for (int64_t n = 1; n < 100; ++n) {
    const Tensor rows = full({2, n}, 0.1, kDouble), columns = rows.t().contiguous();
    for (const Tensor& x : {rows, rows.t().contiguous().t(), full({2, 1}, 0.1, kDouble).expand({2, n})})
      CHECK(x.var(IntArrayRef{1}, Scalar(0)).equal(zeros({2}, kDouble)));
    const Tensor x = columns.detach().requires_grad_();
    const Tensor deviations = x.std(IntArrayRef{0}, Scalar(0));
    CHECK(deviations.equal(zeros({2}, kDouble)));
    CHECK(autograd::grad({deviations.sum()}, {x})[0].abs().max().item<double>() < 1e-15);
  }
}

TEST_CASE("reductions of rows and of columns agree with naive loops at every vector edge") {
  for (const int64_t n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 65, 255, 256, 257, 700}) {
    for (const int64_t m : {1, 3, 8, 17, 64, 100, 600}) {
      const Tensor x = random_tensor({n, m}, kDouble, static_cast<unsigned>(n * m));
      const std::vector<double> v = values(x), columns = values(x.sum(0)), rows = values(x.sum(1));
      const std::vector<double> largest = values(x.amax(0)), from_view = values(x.t().sum(1)),
                                single = values(x.to(kFloat).sum(0));
      INFO(n << " x " << m);
      bool good = true;
      for (int64_t j = 0; j < m; ++j) {
        double sum = 0, most = -kInf;
        for (int64_t i = 0; i < n; ++i) sum += v[i * m + j], most = std::max(most, v[i * m + j]);
        good &= std::abs(columns[j] - sum) < 1e-12 && largest[j] == most && std::abs(from_view[j] - sum) < 1e-12 &&
                std::abs(single[j] - sum) < 1e-4;
      }
      for (int64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < m; ++j) sum += v[i * m + j];
        good &= std::abs(rows[i] - sum) < 1e-12;
      }
      CHECK(good);
    }
  }
}

TEST_CASE("many rows at once give the bits of each row alone, and extremes their first places") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const DType dtype : {kFloat, kDouble, kLong, kInt, kShort, kBFloat16}) {
    for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100}) {
      CAPTURE(dtype, n);
      Tensor wide = random_tensor({23, n + 3}, kDouble, static_cast<unsigned>(n), -9, 9).round();
      if (is_floating_point(dtype)) {
        wide = wide * 0.37;
        wide.select(0, 3).fill_(-inf), wide.select(0, 4).fill_(nan);
        wide.select(0, 5).narrow(0, n / 2, 1).fill_(nan), wide.select(0, 6).narrow(0, n / 2, 1).fill_(inf);
        wide.select(0, 7).fill_(-0.0);
      }
      const Tensor all = wide.to(dtype);
      for (const Tensor& x : {all.narrow(1, 0, n).contiguous(), all.narrow(1, 2, n)}) {
        const auto [most, at_most] = x.max(1);
        const auto [least, at_least] = x.min(1);
        for (int64_t i = 0; i < x.sizes()[0]; ++i) {
          const Tensor row = x[i].contiguous();
          CHECK(same_bits(x.sum(1)[i], row.sum()));
          CHECK(same_bits(x.amax({1})[i], row.max()));
          CHECK(same_bits(x.amin({1})[i], row.min()));
          CHECK(same_bits(most[i], row.max()));
          CHECK(same_bits(least[i], row.min()));
          CHECK(equal(at_most[i], row.argmax()));
          CHECK(equal(at_least[i], row.argmin()));
          const auto is_first = [&](const Tensor& value, int64_t at) {
            const Tensor same = logical_or(row == value, logical_and(row != row, value != value));
            return same[at].item<bool>() && !same.narrow(0, 0, at).any().item<bool>();
          };
          CHECK(is_first(row.max(), at_most[i].item<int64_t>()));
          CHECK(is_first(row.min(), at_least[i].item<int64_t>()));
          if (!is_floating_point(dtype)) continue;
          CHECK(same_bits(norm(x, 1, {1})[i], norm(row, 1)));
          CHECK(same_bits(norm(x, 2, {1})[i], norm(row, 2)));
        }
      }
    }
  }
}

TEST_CASE("reductions take any dims of any layout") {
  const Tensor x = random_tensor({3, 4, 5, 6}, kDouble), p = x.permute({2, 0, 3, 1});
  for (const DimVector& dims :
       {DimVector{0}, DimVector{1, 3}, DimVector{0, 2}, DimVector{0, 1, 2, 3}, DimVector{2, 3}}) {
    CHECK(allclose(p.sum(dims), p.contiguous().sum(dims), 1e-13, 1e-13));
    CHECK(equal(p.amax(dims, true), p.contiguous().amax(dims, true)));
    CHECK(allclose(p.var(dims), p.contiguous().var(dims), 1e-12, 1e-13));
  }
  CHECK(tensor(2.5).expand({3, 7}).sum().item<double>() == 52.5);
  CHECK(equal(x.slice(3, 1, 6, 2).sum(3), x.slice(3, 1, 6, 2).contiguous().sum(3)));
  CHECK(values(tensor({1, 2, 3}).expand({4, 3}).sum(0)) == std::vector<double>{4, 8, 12});
  CHECK(tensor(3.0).sum(0).item<double>() == 3);
  CHECK(tensor(3.0).argmax(0).item<int64_t>() == 0);
  CHECK(zeros({2, 0, 3}).sum(1).sizes() == IntArrayRef({2, 3}));
  CHECK(zeros({0, 3}).amax(1).sizes() == IntArrayRef({0}));
}

TEST_CASE("integers and bools reduce in int64") {
  CHECK(tensor({true, false, true}).sum().dtype() == kLong);
  CHECK(tensor({true, false, true}).sum().item<int64_t>() == 2);
  CHECK(full({1000}, 100, kChar).sum().item<int64_t>() == 100000);
  CHECK(full({3}, 100, kByte).prod().item<int64_t>() == 1000000);
  CHECK(full({1000}, 100, kChar).sum(kInt).dtype() == kInt);
  CHECK(tensor({1, 2}).mean(kDouble).item<double>() == 1.5);
  CHECK(tensor({3, -7, 5}).max().dtype() == kLong);
  CHECK(tensor({3, -7, 5}).min().item<int64_t>() == -7);
  CHECK(count_nonzero(tensor({0.0, 1.0, kNaN})).item<int64_t>() == 2);
  CHECK(tensor({0, 5}).any().item<bool>());
  CHECK_FALSE(tensor({0.0, 5.0}).all().item<bool>());
  CHECK(all(zeros({0})).item<bool>());
  CHECK_FALSE(any(zeros({0})).item<bool>());
}

TEST_CASE("int64 sums and extremes agree with naive loops at every vector edge") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  for (const int64_t n : {1, 3, 4, 7, 8, 9, 31, 33, 65, 300, 5000}) {
    const Tensor x = random_tensor({n, 5}, kDouble, static_cast<unsigned>(n), -1e6, 1e6).to(kLong);
    for (const int64_t dim : {0, 1}) {
      CHECK(equal(x.sum(dim).to(kDouble), x.to(kDouble).sum(dim)));
      CHECK(equal(x.amax({dim}).to(kDouble), x.to(kDouble).amax({dim})));
      CHECK(equal(x.amin({dim}).to(kDouble), x.to(kDouble).amin({dim})));
    }
    CHECK(full({n}, kLeast, kLong).max().item<int64_t>() == kLeast);
    CHECK(full({n}, kMost, kLong).min().item<int64_t>() == kMost);
  }
  CHECK(full({2}, kMost, kLong).sum().item<int64_t>() == -2);
}

TEST_CASE("extremes of narrow integers agree with naive loops at every vector edge and in every layout") {
  for (const DType dtype : {kByte, kChar, kShort, kInt, kUInt32}) {
    for (const int64_t n : {1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 4095, 5000}) {
      const double low = dtype == kByte || dtype == kUInt32 ? 0 : -120;
      const Tensor x = random_tensor({n, 5}, kDouble, static_cast<unsigned>(n), low, 120).floor().to(dtype);
      for (const Tensor& t : {x, x.t().contiguous().t(), x.narrow(1, 1, 3)}) {
        for (const int64_t dim : {0, 1}) {
          const auto [most, at_most] = t.max(dim);
          const auto [least, at_least] = t.to(kDouble).min(dim);
          CHECK(most.dtype() == dtype);
          CHECK(equal(most, t.amax({dim})));
          CHECK(equal(most.to(kDouble), t.to(kDouble).amax({dim})));
          CHECK(equal(at_most, std::get<1>(t.to(kDouble).max(dim))));
          CHECK(equal(t.amin({dim}).to(kDouble), least));
          CHECK(equal(t.argmin(dim), at_least));
        }
        CHECK(t.max().item<double>() == t.to(kDouble).max().item<double>());
      }
    }
  }
  CHECK(full({70}, -128, kChar).max().item<int64_t>() == -128);
  CHECK(full({70}, 4294967295.0, kUInt32).min().item<int64_t>() == 4294967295);
  const Tensor wide = random_tensor({300, 700}, kDouble, 1, -1e9, 1e9).to(kInt);
  CHECK(thread_independent([&] { return wide.amax({0}); }));
  CHECK(thread_independent([&] { return wide.amax({0, 1}); }));
}

TEST_CASE("products of integers wrap at every vector edge") {
  for (const int64_t n : {1, 3, 7, 8, 9, 31, 33, 65, 300, 5000}) {
    const Tensor x = random_tensor({n, 5}, kDouble, static_cast<unsigned>(n), -9, 9).to(kLong).mul(2).add(1);
    for (const Tensor& t : {x, x.to(kInt), x.t().contiguous().t()}) {
      const Tensor products = t.prod(0);
      for (int64_t j = 0; j < 5; ++j) {
        uint64_t product = 1;
        for (int64_t i = 0; i < n; ++i) product *= static_cast<uint64_t>(x[i][j].item<int64_t>());
        CHECK(products[j].item<int64_t>() == static_cast<int64_t>(product));
      }
      CHECK(equal(t.t().prod(1), products));
    }
  }
}

TEST_CASE("sums of nothing are 0, means NaN, extremes errors") {
  CHECK(zeros({0}).sum().item<double>() == 0);
  CHECK(std::isnan(zeros({0}).mean().item<double>()));
  CHECK(zeros({0}).prod().item<double>() == 1);
  CHECK(std::isnan(ones({1}).var().item<double>()));
  CHECK_THROWS_AS(zeros({0}).max(), Error);
  CHECK_THROWS_AS(zeros({2, 0}).argmin(1), IndexError);
  CHECK_THROWS_AS(zeros({2, 0}).min(1), IndexError);
  CHECK_THROWS_WITH(tensor({1, 2}).mean(),
                    Catch::Matchers::ContainsSubstring("mean(): could not infer output dtype of int64 values"));
  CHECK_THROWS_AS(zeros({2, 3}).sum(2), IndexError);
  CHECK_THROWS_WITH(zeros({2, 3}).sum({0, 0}), Catch::Matchers::ContainsSubstring("sum"));
}

TEST_CASE("NaN reaches extremes and their indices") {
  for (const DType dtype : {kFloat, kDouble, kHalf}) {
    for (const int64_t at : {0, 5, 40, 99}) {
      Tensor x = random_tensor({100}, dtype);
      x.select(0, at).fill_(kNaN);
      INFO(name(dtype) << " at " << at);
      CHECK(std::isnan(x.max().item<double>()));
      CHECK(std::isnan(x.min().item<double>()));
      CHECK(x.argmax().item<int64_t>() == at);
      CHECK(x.argmin().item<int64_t>() == at);
      const auto [value, index] = x.unsqueeze(1).expand({100, 3}).max(0);
      CHECK(std::isnan(values(value)[2]));
      CHECK(values(index) == std::vector<double>(3, static_cast<double>(at)));
    }
  }
  CHECK(tensor({1.0, 3.0, 3.0}).argmax().item<int64_t>() == 1);
  CHECK(values(std::get<1>(tensor({{1, 4}, {5, 4}, {5, 2}}).max(0))) == std::vector<double>{1, 0});
  CHECK(nansum(tensor({1.0, kNaN, 2.0})).item<double>() == 3);
}

TEST_CASE("both extremes at once are those that are taken apart, of any layout and length") {
  Tensor long_lines = randn({7, 30'000}), many = randn({300, 41, 5}, kDouble);
  long_lines[3][29'999] = kNaN, many[5][0][2] = -HUGE_VAL;
  for (const Tensor& x : {long_lines, long_lines.t(), many, many.transpose(0, 1), many.to(kLong),
                          randn({90'000}, kHalf), many.slice(0, 1, 250, 3), tensor(2.0)}) {
    for (int64_t d = -1; d < x.dim(); ++d) {
      const std::optional<int64_t> dim = d < 0 ? std::nullopt : std::optional(d);
      const IntArrayRef dims = dim ? IntArrayRef(*dim) : IntArrayRef();
      const auto [low, high] = aminmax(x, dim, true);
      CHECK(same_bits(low, amin(x, dims, true)));
      CHECK(same_bits(high, amax(x, dims, true)));
    }
  }
  CHECK_THROWS_WITH(aminmax(zeros({0, 2}), 0), Catch::Matchers::StartsWith("aminmax: "));
}

TEST_CASE("extremes of long lines stand where they first are") {
  for (const DType dtype : {kFloat, kDouble, kLong, kInt}) {
    for (const int64_t n : {1, 7, 64, 100, 5000}) {
      Tensor x = zeros({6, n}, dtype);
      for (int64_t row = 0; row < 6; ++row)
        for (int64_t at = row * (n - 1) / 5; at < n; at += 3) x.select(0, row).select(0, at).fill_(row % 2 ? 9 : -9);
      const auto first = [&](bool highest, int64_t row) {
        return highest == (row % 2 == 1) ? row * (n - 1) / 5 : row * (n - 1) / 5 == 0 && n > 1 ? 1 : 0;
      };
      const auto [most, where] = x.max(1);
      const Tensor least = x.argmin(1);
      INFO(name(dtype) << " of " << n);
      for (int64_t row = 0; row < 6 && n > 1; ++row) {
        CHECK(where[row].item<int64_t>() == first(true, row));
        CHECK(least[row].item<int64_t>() == first(false, row));
        CHECK(most[row].item<double>() == (row % 2 ? 9 : 0));
      }
    }
  }
}

TEST_CASE("logsumexp of columns agrees with that of rows") {
  for (const DType dtype : {kFloat, kDouble}) {
    for (const int64_t columns : {1, 3, 16, 17, 64, 67, 600}) {
      const Tensor x = random_tensor({700, columns}, dtype, 3, -90, 90);
      CHECK(allclose(x.logsumexp(0), x.t().contiguous().logsumexp(1), 1e-6, 0));
      CHECK(thread_independent([&] { return x.logsumexp(0); }));
    }
  }
  const Tensor x = tensor({kInf, -kInf, kNaN, 1.0}).unsqueeze(0).expand({5, 4}).contiguous();
  const std::vector<double> y = values(x.logsumexp(0));
  CHECK(y[0] == kInf);
  CHECK(y[1] == -kInf);
  CHECK(std::isnan(y[2]));
  CHECK(std::abs(y[3] - (1 + std::log(5))) < 1e-6);
}

TEST_CASE("logsumexp neither overflows nor loses infinities") {
  CHECK(tensor({1000.0, 1000.0}).logsumexp(0).item<double>() == Approx(1000 + std::log(2.0)));
  CHECK(tensor({-kInf, -kInf}).logsumexp(0).item<double>() == -kInf);
  CHECK(tensor({kInf, 1.0}).logsumexp(0).item<double>() == kInf);
  CHECK(std::isnan(tensor({kNaN, 1.0}).logsumexp(0).item<double>()));
}

TEST_CASE("norms of all orders") {
  const Tensor x = tensor({3.0, -4.0, 0.0});
  CHECK(x.norm().item<double>() == 5);
  CHECK(x.norm(1).item<double>() == 7);
  CHECK(x.norm(0).item<double>() == 2);
  CHECK(x.norm(kInf).item<double>() == 4);
  CHECK(x.norm(-kInf).item<double>() == 0);
  CHECK(x.norm(3).item<double>() == Approx(std::cbrt(91.0)));
  CHECK(norm(x.unsqueeze(0), 2, 1, true).sizes() == IntArrayRef({1, 1}));
}

TEST_CASE("results do not depend on the number of threads") {
  const Tensor x = random_tensor({300, 1000});
  CHECK(thread_independent([&] { return x.sum(); }));
  CHECK(thread_independent([&] { return x.sum(0); }));
  CHECK(thread_independent([&] { return x.sum(1); }));
  CHECK(thread_independent([&] { return x.t().var(1); }));
  CHECK(thread_independent([&] { return x.norm(); }));
  CHECK(thread_independent([&] { return x.argmax(0); }));
  CHECK(thread_independent([&] { return x.view({30, 100, 100}).mean({0, 2}); }));
}

TEST_CASE("gradients where a formula could fail") {
  const auto gradient = [](Tensor x, auto f) {
    x.requires_grad_();
    f(x).sum().backward();
    return values(x.grad());
  };
  const std::vector<double> half = {0, 0.5, 0.5}, first = {0, 1, 0}, none = {0, 0, 0};
  CHECK(gradient(tensor({1.0, 3.0, 3.0}), [](const Tensor& x) { return x.amax(); }) == half);
  CHECK(gradient(tensor({1.0, 3.0, 3.0}), [](const Tensor& x) { return x.max(); }) == half);
  CHECK(gradient(tensor({1.0, 3.0, 3.0}), [](const Tensor& x) { return std::get<0>(x.max(0)); }) == first);
  for (const double p : {0.5, 1.0, 2.0, 3.0, kInf})
    CHECK(gradient(zeros({3}), [p](const Tensor& x) { return x.norm(p); }) == none);
  CHECK(gradient(ones({3}), [](const Tensor& x) { return x.std(); }) == none);
  CHECK(gradient(tensor({2.0, 3.0, 4.0}), [](const Tensor& x) { return x.prod(); }) == std::vector<double>{12, 8, 6});
  CHECK(gradient(tensor({2.0, 0.0, 4.0}), [](const Tensor& x) { return x.prod(); }) == std::vector<double>{0, 8, 0});
  CHECK(gradient(tensor({2.0, 0.0, 0.0}), [](const Tensor& x) { return x.prod(); }) == none);
  CHECK(gradient(full({3}, -kInf), [](const Tensor& x) { return x.logsumexp(0); }) == none);
  CHECK(gradient(ones({2, 3}), [](const Tensor& x) { return x.mean(); }) == std::vector<double>(6, 1.0f / 6));
}

TEST_CASE("a count of what is not zero sends nothing back, whatever the slopes before it") {
  const Tensor x = zeros({3}).requires_grad_();
  (1 / x).norm(0).backward();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("comparing tensors") {
  const Tensor a = tensor({1.0, kNaN, kInf}), b = tensor({1.0 + 1e-7, kNaN, kInf});
  CHECK_FALSE(allclose(a, b));
  CHECK(allclose(a, b, 1e-5, 1e-8, true));
  CHECK_FALSE(isclose(tensor({kInf}), tensor({-kInf})).item<bool>());
  CHECK(equal(tensor({1, 2}), tensor({1, 2})));
  CHECK_FALSE(equal(tensor({1, 2}), tensor({1, 2, 3})));
  CHECK(tensor(2).is_nonzero());
  CHECK(sum_to_size(ones({4, 3, 2}), {3, 1}).sizes() == IntArrayRef({3, 1}));
  CHECK(sum_to_size(ones({4, 3}, kInt), {3}).dtype() == kLong);
  const Tensor one = ones({}), copy = sum_to_size(one, {});
  CHECK_FALSE(copy.is_same(one));
  CHECK(sum_to_size(ones({}, kBool), {}).dtype() == kLong);
  CHECK(sum_to_size(one.expand({1}), {1}).dtype() == kFloat);
  CHECK_THROWS_WITH(sum_to_size(ones({4, 3}), {2, 3}),
                    Catch::Matchers::ContainsSubstring("does not come from broadcasting"));
}

TEST_CASE("bools are counted and tested in every layout, and by any number of threads") {
  for (const DimVector& sizes : {DimVector{3, 70}, DimVector{70, 3}, DimVector{2, 0}, DimVector{0, 2}, DimVector{5, 1},
                                 DimVector{400000}, DimVector{2, 300, 65}}) {
    Tensor x = random_tensor(sizes, kFloat, 5, 0, 1).gt(0.5);
    for (const double share : {0.0, 0.5, 1.0}) {
      if (share != 0.5) x = full(sizes, share == 1.0, kBool);
      if (share == 1.0 && x.numel() > 9) x.view({-1})[7].fill_(false);
      if (share == 0.0 && x.numel() > 9) x.view({-1})[7].fill_(true);
      for (int64_t dim = 0; dim < x.dim(); ++dim) {
        const Tensor number = x.to(kLong);
        const std::vector<double> v = values(number.transpose(dim, -1)), sums = values(x.transpose(dim, -1).sum(-1)),
                                  any_of = values(x.any(dim, true).transpose(dim, -1)),
                                  all_of = values(x.all(dim, true).transpose(dim, -1)),
                                  down = values(x.sum(dim, true).transpose(dim, -1));
        const size_t n = static_cast<size_t>(x.size(dim));
        REQUIRE(down == sums);
        for (size_t line = 0; line < sums.size(); ++line) {
          double count = 0;
          for (size_t i = 0; i < n; ++i) count += v[line * n + i];
          REQUIRE(sums[line] == count);
          REQUIRE((any_of[line] != 0) == (count > 0));
          REQUIRE((all_of[line] != 0) == (count == static_cast<double>(n)));
        }
      }
      CHECK(thread_independent([&] { return x.sum(); }));
      CHECK(thread_independent([&] { return x.any(); }));
      CHECK(thread_independent([&] { return x.all(); }));
    }
  }
}
