// Scans on a CUDA device: every way in which lines are shared out to threads, at its edges.
#include "ops/scan.h"

#include "dispatcher/call.h"
#include "ops/binary.h"
#include "ops/scan_def.h"
#include "ops/unary.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

Tensor affine(const Tensor& a, const Tensor& b, const ScanParams& p) { return call1(affine_scan_op, {&a, &b}, p); }

/// All scans of `x` along `dim`; its values are near 1.
List scans(const Tensor& x, int64_t dim) {
  const auto [highest, highest_at] = cummax(x, dim);
  const auto [lowest, lowest_at] = cummin(x, dim);
  List out{cumsum(x, dim), cumprod(x, dim), highest, highest_at, lowest, lowest_at};
  for (bool reverse : {false, true}) {
    const ScanParams p{dim, reverse};
    out.push_back(affine(x * 0.5, x, p));
    out.push_back(call1(cumsum_op, {&x}, p));
    out.push_back(call1(cumprod_op, {&x}, p));
  }
  return out;
}

}  // namespace

TEST_CASE("scans along rows of any length and number") {
  for (int64_t n : {1, 3, 4, 31, 33, 128, 1023, 2048, 2049, 5000})
    for (int64_t rows : {1, 3, 40}) {
      if (n * rows > 8000) continue;
      CAPTURE(n, rows);
      check_near({random_tensor({rows, n}, kFloat, 1, 0.99, 1.01)}, [](const List& t) { return scans(t[0], 1); });
    }
}

TEST_CASE("scans along columns of any height and width") {
  for (int64_t n : {1, 3, 4, 33, 500})
    for (int64_t columns : {2, 3, 33, 300}) {
      CAPTURE(n, columns);
      check_near({random_tensor({n, columns}, kFloat, 2, 0.99, 1.01)}, [](const List& t) { return scans(t[0], 0); });
    }
}

TEST_CASE("long lines are scanned in parts") {
  for (DType dtype : {kFloat, kHalf}) {
    CAPTURE(name(dtype));
    const auto near_one = [&](IntArrayRef sizes) { return random_tensor(sizes, dtype, 3, 0.999, 1.001); };
    check_near(
        {near_one({17001}), near_one({2, 16500}), near_one({300, 5}), near_one({2, 200, 40}), near_one({4200, 2})},
        [](const List& t) {
          List out;
          for (size_t i = 0; i < t.size(); ++i)
            for (const Tensor& r : scans(t[i], i == 1 || i == 3)) out.push_back(r);
          return out;
        });
  }
}

TEST_CASE("integers are scanned in int64") {
  for (DType dtype : {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong})
    for (const DimVector& sizes : {DimVector{3, 1025}, DimVector{70, 9}, DimVector{1, 4100}}) {
      CAPTURE(name(dtype), sizes);
      check_both({random_tensor(sizes, kDouble, 6, 0, 9).floor().to(dtype)}, [&](const List& t) {
        List out;
        for (int64_t dim : {0, 1}) {
          const auto [highest, highest_at] = cummax(t[0], dim);
          const auto [lowest, lowest_at] = cummin(t[0], dim);
          out.insert(out.end(), {cumsum(t[0], dim), cumprod(t[0], dim), highest, highest_at, lowest, lowest_at});
          out.push_back(affine(t[0], t[0], {dim, true}));
        }
        return out;
      });
    }
}

TEST_CASE("running extremes of ties and NaN are the CPU's") {
  for (int64_t n : {37, 9001}) {
    Tensor x = random_tensor({4, n}, kDouble, 7, -4, 4).round().to(kFloat);
    x[1].fill_(kNaN);
    x[2][n / 2] = kNaN;
    x[2][n - 1] = kNaN;
    x[3].fill_(-kInf);
    check_both({x, x.t().contiguous()}, [](const List& t) {
      const auto [a, a_at] = cummax(t[0], 1);
      const auto [b, b_at] = cummin(t[0], 1);
      const auto [c, c_at] = cummax(t[1], 0);
      return List{a_at, b_at, c_at, isnan(a), isnan(b), isnan(c)};
    });
  }
}

TEST_CASE("recurrences with zeros and with a first factor that is infinite") {
  Tensor a = random_tensor({3, 300}, kFloat, 8, 0.5, 1), b = random_tensor({3, 300}, kFloat, 9);
  for (int64_t i : {0, 7, 100, 200}) a[0][i] = 0;
  a[1][0] = kInf;  // not used
  a[2].fill_(0);
  check_near({a, b}, [](const List& t) { return List{affine(t[0], t[1], {1, false}), affine(t[0], t[1], {1, true})}; });
}

TEST_CASE("scans of strided and expanded tensors, in place and of nothing") {
  check_near(
      {random_tensor({300, 12}, kFloat, 10), random_tensor({1, 12}), random_tensor({0, 3}), random_tensor({})},
      [](const List& t) {
        List out;
        for (const Tensor& x : {t[0].t(), t[0].slice(0, 1, 300, 2), t[0].slice(1, 1, 12, 3), t[1].expand({50, 12})})
          for (int64_t dim : {0, 1}) out.push_back(cumsum(x, dim));
        for (int64_t dim : {0, 1}) {
          Tensor y = t[0].clone(), z = t[0].clone().t();
          const ScanParams p{dim, true};
          call_inplace(cumsum_op, y, {&y}, p);
          call_inplace(affine_scan_op, z, {&z, &z}, p);
          out.push_back(y);
          out.push_back(z);
          out.push_back(cumsum(t[2], dim));
        }
        out.push_back(cumsum(t[3], 0));
        return out;
      });
}

}  // namespace strata::test
