// Tests of sorting, order statistics, distinct values and searching.
#include "ops/sort.h"

#include <algorithm>
#include <limits>

#include "ops/binary.h"
#include "ops/reduce.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

TEST_CASE("sort orders values of every dtype, stably") {
  for (const DType dtype : {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kBFloat16, kFloat, kDouble}) {
    for (const int64_t n : {0, 1, 2, 3, 4, 5, 7, 16, 17, 63, 511, 2047, 2048, 3000}) {
      const bool is_signed = dtype != kByte && dtype != kUInt32 && dtype != kBool;
      const Tensor x = random_tensor({n}, kDouble, static_cast<unsigned>(n), is_signed ? -100 : 0, 100).to(dtype);
      const Values v = values(x);
      for (const bool descending : {false, true}) {
        std::vector<int64_t> order(n);
        for (int64_t i = 0; i < n; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](int64_t a, int64_t b) { return descending ? v[a] > v[b] : v[a] < v[b]; });
        const auto [sorted, indices] = x.sort(0, descending);
        const Values at = values(indices), got = values(sorted);
        bool good = sorted.dtype() == dtype && indices.dtype() == kLong;
        for (int64_t i = 0; i < n; ++i) good &= at[i] == static_cast<double>(order[i]) && got[i] == v[order[i]];
        INFO(name(dtype) << " n=" << n << " descending=" << descending);
        CHECK(good);
      }
    }
  }
}

TEST_CASE("NaN sorts as the largest and -0 equals 0") {
  const Tensor x = tensor({kNaN, kInf, -0.0, 0.0, -kInf, -1.0, kNaN});
  CHECK(values(x.argsort()) == Values{4, 5, 2, 3, 1, 0, 6});
  CHECK(values(x.argsort(-1, true)) == Values{0, 6, 1, 2, 3, 5, 4});
  CHECK(std::signbit(values(std::get<0>(x.sort()))[2]));
}

TEST_CASE("sort along any dim of any layout, on any number of threads") {
  const Tensor x = random_tensor({7, 40, 9}, kFloat);
  for (int64_t dim = 0; dim < 3; ++dim) {
    const Tensor t = x.transpose(0, 2);
    CHECK(equal(std::get<0>(t.sort(dim)), std::get<0>(t.contiguous().sort(dim))));
    CHECK(equal(t.argsort(dim), t.contiguous().argsort(dim)));
  }
  CHECK(tensor(2.0).argsort().item<int64_t>() == 0);
  CHECK(thread_independent([&] { return std::get<0>(random_tensor({300, 700}).sort(0)); }));
}

TEST_CASE("topk and kthvalue pick from the order of sort") {
  const Tensor x = random_tensor({5, 2000}, kDouble);
  for (const int64_t k : {0, 1, 3, 100, 1999, 2000}) {
    const auto [values_k, at] = x.topk(k, 1);
    const auto [sorted, order] = x.sort(1, true);
    CHECK(equal(values_k, sorted.narrow(1, 0, k)));
    CHECK(equal(at, order.narrow(1, 0, k)));
    CHECK(equal(std::get<0>(x.topk(k, 1, false)), std::get<0>(x.sort(1)).narrow(1, 0, k)));
  }
  CHECK(std::get<0>(kthvalue(tensor({5.0, 1.0, 3.0}), 2)).item<double>() == 3);
  CHECK_THROWS_AS(x.topk(2001), Error);
  CHECK_THROWS_AS(kthvalue(x, 0), Error);
}

TEST_CASE("median is the lower middle, NaN if there is one") {
  CHECK(median(tensor({4.0, 1.0, 3.0, 2.0})).item<double>() == 2);
  CHECK(std::isnan(median(tensor({4.0, kNaN, 3.0})).item<double>()));
  CHECK(values(std::get<1>(median(tensor({{4, 1, 3}, {9, 7, 8}}), 1))) == Values{2, 2});
  CHECK(std::isnan(median(zeros({0})).item<double>()));
}

TEST_CASE("sorting sends each gradient to the element it came from") {
  Tensor x = tensor({3.0, 1.0, 2.0}).requires_grad_();
  (std::get<0>(x.sort()) * tensor({1.0, 10.0, 100.0})).sum().backward();
  CHECK(values(x.grad()) == Values{100, 1, 10});
  x.mutable_grad() = Tensor();
  std::get<0>(x.topk(1)).sum().backward();
  CHECK(values(x.grad()) == Values{1, 0, 0});
}

TEST_CASE("distinct values, counts and searching") {
  const auto [distinct, inverse, counts] = unique(tensor({{3, 1}, {1, 7}}));
  CHECK(values(distinct) == Values{1, 3, 7});
  CHECK(values(inverse) == Values{1, 0, 0, 2});
  CHECK(inverse.sizes() == IntArrayRef({2, 2}));
  CHECK(values(counts) == Values{2, 1, 1});
  const auto [odd, where_odd, odd_counts] = unique(tensor({kNaN, 1.0, kNaN, -0.0, 0.0}));
  CHECK(odd.numel() == 4);
  CHECK(values(odd_counts) == Values{2, 1, 1, 1});
  CHECK(values(where_odd)[1] == 1);
  const Tensor edges = tensor({1.0, 3.0, 3.0, 5.0});
  CHECK(values(searchsorted(edges, tensor({0.0, 3.0, 6.0}))) == Values{0, 1, 4});
  CHECK(values(searchsorted(edges, tensor({0.0, 3.0, 6.0}), false, true)) == Values{0, 3, 4});
  CHECK(bucketize(tensor({{2.0}}), edges, true).dtype() == kInt);
  CHECK(values(searchsorted(tensor({{1, 2}, {5, 6}}), tensor({{2}, {2}}))) == Values{1, 0});
  for (const int64_t n : {0, 1, 2, 3, 7, 16, 100, 2000})
    for (const DType dtype : {kFloat, kDouble, kLong}) {
      const Tensor sorted = std::get<0>(random_tensor({n}, kFloat, 1, -9, 9).to(dtype).sort(0)),
                   sought = random_tensor({37}, kFloat, 2, -10, 10).to(dtype);
      const auto s = values(sorted.to(kDouble)), v = values(sought.to(kDouble));
      const auto left = values(searchsorted(sorted, sought)), right = values(searchsorted(sorted, sought, false, true));
      for (size_t i = 0; i < v.size(); ++i) {
        CHECK(left[i] == static_cast<double>(std::lower_bound(s.begin(), s.end(), v[i]) - s.begin()));
        CHECK(right[i] == static_cast<double>(std::upper_bound(s.begin(), s.end(), v[i]) - s.begin()));
      }
    }
  CHECK(values(bincount(tensor({0, 2, 2}), {}, 5)) == Values{1, 0, 2, 0, 0});
  CHECK(values(bincount(tensor({1, 1}), tensor({0.5, 0.25}))) == Values{0, 0.75});
  CHECK(bincount(tensor({1}), ones({1})).dtype() == kFloat);
  CHECK(bincount(tensor({1}), ones({1}, kHalf)).dtype() == kDouble);
  CHECK_THROWS_WITH(bincount(tensor({-1})), Catch::Matchers::ContainsSubstring("must not be negative"));
}

TEST_CASE("integers of 64 bits sort right whether or not their range fits 32 bits") {
  constexpr int64_t kLow = std::numeric_limits<int64_t>::min(), kHigh = std::numeric_limits<int64_t>::max();
  constexpr int64_t kWide = int64_t{1} << 32;
  for (const std::vector<int64_t>& some : {std::vector<int64_t>{kLow, kHigh, 0, -1, 1, kWide, kWide - 1},
                                           {kHigh, kHigh - kWide + 1, kHigh - 5},
                                           {kLow, kLow + kWide - 1, kLow + 7},
                                           {kLow, kLow + kWide},
                                           {-3, 5, 5, -3}}) {
    for (const int64_t times : {1, 300}) {
      std::vector<int64_t> all;
      for (int64_t i = 0; i < times; ++i) all.insert(all.end(), some.begin(), some.end());
      const Tensor x = tensor(all, kLong);
      std::vector<int64_t> expected = all;
      std::stable_sort(expected.begin(), expected.end());
      const auto [up, up_at] = x.sort(0);
      const auto [down, down_at] = x.sort(0, true);
      const int64_t n = x.numel();
      for (int64_t i = 0; i < n; ++i) {
        REQUIRE(up[i].item<int64_t>() == expected[static_cast<size_t>(i)]);
        REQUIRE(down[i].item<int64_t>() == expected[static_cast<size_t>(n - 1 - i)]);
        REQUIRE(all[static_cast<size_t>(up_at[i].item<int64_t>())] == expected[static_cast<size_t>(i)]);
        if (i > 0 && up[i].item<int64_t>() == up[i - 1].item<int64_t>())
          REQUIRE(up_at[i - 1].item<int64_t>() < up_at[i].item<int64_t>());
        if (i > 0 && down[i].item<int64_t>() == down[i - 1].item<int64_t>())
          REQUIRE(down_at[i - 1].item<int64_t>() < down_at[i].item<int64_t>());
      }
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      const auto [distinct, inverse, counts] = unique(x);
      REQUIRE(distinct.numel() == static_cast<int64_t>(expected.size()));
      for (int64_t i = 0; i < distinct.numel(); ++i)
        CHECK(distinct[i].item<int64_t>() == expected[static_cast<size_t>(i)]);
      CHECK(equal(distinct.index_select(0, inverse), x));
      CHECK(counts.sum().item<int64_t>() == n);
    }
  }
}
