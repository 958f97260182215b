// Tests of the scans: values, integer results, layouts, gradients with zeros.
#include "ops/scan.h"

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/scan_def.h"
#include "ops/shaping.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

TEST_CASE("running sums and products") {
  CHECK(values(tensor({1.0, 2.0, 3.0}).cumsum(0)) == Values{1, 3, 6});
  CHECK(values(tensor({{1.0, 2.0}, {3.0, 4.0}}).cumsum(0)) == Values{1, 2, 4, 6});
  CHECK(values(tensor({1.0, 2.0, 3.0}).cumprod(0)) == Values{1, 2, 6});
  CHECK(tensor({true, true}).cumsum(0).dtype() == kLong);
  CHECK(values(full({4}, 100, kByte).cumsum(0)) == Values{100, 200, 300, 400});
  CHECK(cumsum(tensor({1, 2}), 0, kFloat).dtype() == kFloat);
  CHECK(zeros({0, 3}).cumsum(0).sizes() == IntArrayRef({0, 3}));
  CHECK(tensor(4.0).cumprod(0).item<double>() == 4);
  CHECK_THROWS_AS(zeros({2}).cumsum(1), IndexError);
}

TEST_CASE("scans along any dim of any layout") {
  const Tensor x = random_tensor({4, 33, 17}, kDouble);
  for (int64_t dim = 0; dim < 3; ++dim) {
    CHECK(allclose(x.cumsum(dim).select(dim, x.size(dim) - 1), x.sum(dim), 1e-12, 1e-13));
    CHECK(equal(x.transpose(0, 2).cumprod(dim), x.transpose(0, 2).contiguous().cumprod(dim)));
  }
  const Tensor y = random_tensor({100, 400});
  CHECK(thread_independent([&] { return y.cumsum(0); }));
}

TEST_CASE("scans of many columns and of rows that do not fill a bundle have the bits of single lines") {
  const Tensor x = random_tensor({7, 517}, kFloat, 1, 0.5, 1.5), y = random_tensor({300, 6}), z = x.mul(100).to(kLong);
  for (const Tensor& t : {x, y, z}) {
    for (const int64_t dim : {0, 1}) {
      const Tensor sums = t.cumsum(dim), products = t.cumprod(dim), back = t.flip({dim}).cumsum(dim).flip({dim});
      for (int64_t i = 0; i < t.size(1 - dim); ++i) {
        const Tensor line = t.select(1 - dim, i).contiguous();
        CHECK(equal(sums.select(1 - dim, i), line.cumsum(0)));
        CHECK(equal(products.select(1 - dim, i), line.cumprod(0)));
        CHECK(equal(back.select(1 - dim, i), line.flip({0}).cumsum(0).flip({0})));
      }
    }
  }
}

TEST_CASE("running sums of rows of floats of any length, from either end") {
  for (int64_t n = 1; n <= 40; ++n) {
    const Tensor x = random_tensor({6, n}).requires_grad_(), g = random_tensor({6, n}, kFloat, 2);
    const Tensor sums = x.cumsum(1), back = autograd::grad({sums}, {x}, {g})[0];
    for (int64_t i = 0; i < 6; ++i) {
      double sum = 0, back_sum = 0;
      for (int64_t j = 0; j < n; ++j) {
        sum += x.detach()[i][j].item<double>(), back_sum += g[i][n - 1 - j].item<double>();
        CHECK(sums.detach()[i][j].item<float>() == static_cast<float>(sum));
        CHECK(back[i][n - 1 - j].item<float>() == static_cast<float>(back_sum));
      }
    }
  }
  const Tensor far = tensor({1.0, kInf, 2.0, -kInf, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0}, kFloat).cumsum(0);
  for (int64_t i = 0; i < 10; ++i) {
    const float sum = far[i].item<float>();
    CHECK((i == 0 ? sum == 1 : i < 3 ? std::isinf(sum) : std::isnan(sum)));
  }
  const Tensor many = random_tensor({301, 400});
  CHECK(thread_independent([&] { return many.cumsum(1); }));
}

TEST_CASE("running products of rows of floats have the bits of one after another, from either end") {
  const auto check = [](const Tensor& x) {
    const Tensor there = dispatch::call1(cumprod_op, {&x}, ScanParams{1, false});
    const Tensor back = dispatch::call1(cumprod_op, {&x}, ScanParams{1, true});
    for (int64_t i = 0; i < x.size(0); ++i) {
      double product = 1, back_product = 1;
      for (int64_t j = 0, n = x.size(1); j < n; ++j) {
        product *= x[i][j].item<double>(), back_product *= x[i][n - 1 - j].item<double>();
        CHECK(there[i][j].item<float>() == static_cast<float>(product));
        CHECK(back[i][n - 1 - j].item<float>() == static_cast<float>(back_product));
      }
    }
  };
  for (int64_t n = 1; n <= 21; ++n) check(random_tensor({7, n}, kFloat, n, -2, 2));
  // Taken together, the small ones would be 0, and infinity times that NaN.
  const Tensor far = cat({full({4, 9}, 1e38, kFloat), full({4, 9}, 1e-44, kFloat), full({4, 9}, 1e38, kFloat)}, 1);
  check(far);
  check(far.narrow(1, 4, 12).contiguous());
  const Tensor many = random_tensor({301, 400}, kFloat, 1, 0.5, 1.5);
  CHECK(thread_independent([&] { return many.cumprod(1); }));
}

TEST_CASE("running sums and products of rows of integers wrap, from either end") {
  for (int64_t n = 1; n <= 40; ++n) {
    const Tensor x = random_tensor({6, n}, kDouble, static_cast<unsigned>(n), -4e9, 4e9).to(kLong).mul(2).add(1);
    for (const Tensor& t : {x, x.to(kInt), x.t().contiguous().t(), x != 7}) {
      const auto scan = [&](const dispatch::Op& op, bool reverse) {
        return dispatch::call1(op, {&t}, ScanParams{1, reverse});
      };
      const Tensor sums = scan(cumsum_op, false), back_sums = scan(cumsum_op, true);
      const Tensor products = scan(cumprod_op, false), back_products = scan(cumprod_op, true);
      for (int64_t i = 0; i < 6; ++i) {
        uint64_t sum = 0, back_sum = 0, product = 1, back_product = 1;
        for (int64_t j = 0; j < n; ++j) {
          const int64_t k = n - 1 - j;
          const auto here = static_cast<uint64_t>(t[i][j].item<int64_t>()),
                     there = static_cast<uint64_t>(t[i][k].item<int64_t>());
          sum += here, back_sum += there, product *= here, back_product *= there;
          CHECK(sums[i][j].item<int64_t>() == static_cast<int64_t>(sum));
          CHECK(back_sums[i][k].item<int64_t>() == static_cast<int64_t>(back_sum));
          CHECK(products[i][j].item<int64_t>() == static_cast<int64_t>(product));
          CHECK(back_products[i][k].item<int64_t>() == static_cast<int64_t>(back_product));
        }
      }
    }
  }
  const Tensor many = random_tensor({301, 400}, kDouble, 1, -100, 100).to(kLong);
  CHECK(thread_independent([&] { return many.cumsum(1); }));
  CHECK(thread_independent([&] { return many.cumprod(1); }));
}

TEST_CASE("running extremes keep NaN and take the last of equal elements") {
  const auto [values_max, at] = cummax(tensor({1.0, 3.0, 3.0, 2.0, kNaN, 9.0}), 0);
  CHECK(values(at) == Values{0, 1, 2, 2, 4, 4});
  CHECK(values(values_max)[3] == 3);
  CHECK(std::isnan(values(values_max)[5]));
  CHECK(values(std::get<0>(cummin(tensor({{3, 1}, {2, 4}}), 1))) == Values{3, 1, 2, 2});
}

TEST_CASE("running extremes are the same along rows and down columns, element by element") {
  for (const DType dtype : {kFloat, kDouble, kLong, kInt, kBFloat16})
    for (const DimVector& sizes : {DimVector{5, 33}, DimVector{70, 3}, DimVector{3, 1030}, DimVector{2, 9, 17}}) {
      Tensor x = random_tensor(sizes, kFloat, 3, -9, 9).round();
      if (is_floating_point(dtype)) x = x.masked_fill(x.eq(8).logical_and(x.cumsum(0).gt(3)), kNaN);
      x = x.to(dtype);
      for (int64_t dim = 0; dim < x.dim(); ++dim) {
        const auto [most, at] = cummax(x, dim);
        const auto [least, least_at] = cummin(x, dim);
        const Tensor down = x.to(kDouble).transpose(dim, -1), chosen = most.to(kDouble).transpose(dim, -1),
                     fewest = least.to(kDouble).transpose(dim, -1), places = at.transpose(dim, -1),
                     least_places = least_at.transpose(dim, -1);
        const int64_t n = down.size(-1);
        const Values v = values(down), high = values(chosen), low = values(fewest), p = values(places),
                     q = values(least_places);
        for (size_t i = 0; i < v.size(); ++i) {
          const size_t start = i - i % static_cast<size_t>(n);
          size_t a = start, b = start;
          for (size_t j = start; j <= i; ++j) {
            if (std::isnan(v[j]) || v[j] >= v[a]) a = j;
            if (std::isnan(v[j]) || v[j] <= v[b]) b = j;
          }
          REQUIRE(p[i] == static_cast<double>(a - start));
          REQUIRE(q[i] == static_cast<double>(b - start));
          REQUIRE((high[i] == v[a] || (std::isnan(high[i]) && std::isnan(v[a]))));
          REQUIRE((low[i] == v[b] || (std::isnan(low[i]) && std::isnan(v[b]))));
        }
      }
    }
}

TEST_CASE("the gradient of cumprod is exact with zeros") {
  for (const Values& v : {Values{2, 3, 4, 5}, Values{2, 0, 4, 5}, Values{0, 3, 0, 5}, Values{0, 0, 0, 0}}) {
    Tensor x = tensor(v, kDouble).requires_grad_();
    const Tensor w = tensor({1.0, 10.0, 100.0, 1000.0}, kDouble);
    (x.cumprod(0) * w).sum().backward();
    Values expected(4, 0.0);
    for (size_t i = 0; i < 4; ++i)
      for (size_t k = 0; k <= i; ++k) {
        double others = 1;
        for (size_t j = 0; j <= i; ++j) others *= j == k ? 1 : v[j];
        expected[k] += values(w)[i] * others;
      }
    CHECK(values(x.grad()) == expected);
  }
}

TEST_CASE("what stands beside an infinity has no part in the gradient of logcumsumexp") {
  const Tensor x = tensor({kInf, 0.5, kInf, 1.0}).requires_grad_();
  logcumsumexp(x, 0).sum().backward();
  const Tensor grad = x.grad();
  CHECK(grad[1].item<double>() == 0);
  CHECK(grad[3].item<double>() == 0);
  CHECK(std::isnan(grad[0].item<double>()));  // infinity less infinity
}

TEST_CASE("running extremes of halves along columns are those of floats") {
  for (DType t : {kHalf, kBFloat16}) {
    const Tensor x = random_tensor({70, 50}).to(t);
    x[40][3].fill_(kNaN);
    for (int64_t dim : {0, 1}) {
      const auto [most, at] = cummax(x, dim);
      const auto [wide, places] = cummax(x.to(kFloat), dim);
      CHECK(equal(most.isnan(), wide.isnan()));
      CHECK(equal(most.nan_to_num().to(kFloat), wide.nan_to_num()));
      CHECK(equal(at, places));
    }
  }
}
