// Tests of conversions between all dtypes, copies, fills and the fused optimizer steps' way through them.
#include "ops/cast.h"

#include <cmath>

#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {}  // namespace

TEST_CASE("small integers survive every conversion") {
  const Tensor x = doubles({0, 1, 2, 96});
  for (int a = 1; a < kNumDTypes; ++a) {
    for (int b = 1; b < kNumDTypes; ++b) {
      CHECK(values(x.to(static_cast<DType>(a)).to(static_cast<DType>(b))) == Values{0, 1, 2, 96});
    }
    CHECK(values(x.to(static_cast<DType>(a)).to(kBool)) == Values{0, 1, 1, 1});
    CHECK(values(x.to(kBool).to(static_cast<DType>(a))) == Values{0, 1, 1, 1});
  }
}

TEST_CASE("conversions to integers truncate; what int32 or int64 cannot hold is their least, and wraps below") {
  CHECK(values(doubles({1.9, -1.9, 0.5}).to(kInt)) == Values{1, -1, 0});
  // PyTorch 2.15 on x86-64; float16 has infinities for what lies beyond 65504.
  const Tensor x = doubles({kInf, -kInf, kNaN, 300, -1, 3e9, -3e9, 1e19, -1e19, 65535.7});
  constexpr double kMin32 = INT32_MIN, kMin64 = static_cast<double>(INT64_MIN);
  for (const DType from : {kFloat, kDouble}) {
    const Tensor y = x.to(from);
    CHECK(values(y.to(kByte)) == Values{0, 0, 0, 44, 255, 0, 0, 0, 0, 255});
    CHECK(values(y.to(kChar)) == Values{0, 0, 0, 44, -1, 0, 0, 0, 0, -1});
    CHECK(values(y.to(kShort)) == Values{0, 0, 0, 300, -1, 0, 0, 0, 0, -1});
    CHECK(values(y.to(kInt)) == Values{kMin32, kMin32, kMin32, 300, -1, kMin32, kMin32, kMin32, kMin32, 65535});
    CHECK(values(y.to(kLong)) == Values{kMin64, kMin64, kMin64, 300, -1, 3e9, -3e9, kMin64, kMin64, 65535});
  }
  CHECK(values(x.to(kHalf).to(kByte)) == Values{0, 0, 0, 44, 255, 0, 0, 0, 0, 0});
  CHECK(values(x.to(kBFloat16).to(kInt)) ==
        Values{kMin32, kMin32, kMin32, 300, -1, kMin32, kMin32, kMin32, kMin32, 65536});
  CHECK(doubles({300}).to(kByte).item<int64_t>() == 44);
  CHECK(doubles({-1}).to(kByte).item<int64_t>() == 255);
  CHECK(doubles({kNaN}).to(kBool).item<bool>());
}

TEST_CASE("many numbers are truncated as each alone") {
  for (const DType dtype : {kFloat, kDouble}) {
    for (const double size : {3.0, 1e6, 2251799813685247.5, 2251799813685249.0, 9.3e18, 1e30}) {
      const Tensor x = random_tensor({37}, kDouble, 1, -size, size).to(dtype);
      x.narrow(0, 30, 1).fill_(std::numeric_limits<double>::quiet_NaN());
      x.narrow(0, 33, 1).fill_(-std::numeric_limits<double>::infinity());
      x.narrow(0, 35, 1).fill_(-0.75);
      const Tensor all = x.to(kLong);
      for (int64_t i = 0; i < 37; ++i) {
        const double v = x[i].item<double>();
        const bool fits = v >= -9223372036854775808.0 && v < 9223372036854775808.0;
        CHECK(all[i].item<int64_t>() == (fits ? static_cast<int64_t>(v) : std::numeric_limits<int64_t>::min()));
      }
    }
  }
  CHECK(equal(full({1}, 2.5, kDouble).expand({9}).to(kLong), full({9}, 2, kLong)));
}

TEST_CASE("copies of every step and of reversed rows") {
  for (const DType dtype : {kByte, kShort, kFloat, kDouble, kComplexDouble}) {
    for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 70}) {
      const Tensor x = arange(6 * 5 * n, TensorOptions().dtype(kLong)).view({6, 5 * n});
      const Tensor typed = x.to(dtype);
      const auto agrees = [&](const Tensor& got, const Tensor& expected) { return equal(got, expected.to(dtype)); };
      for (const int64_t step : {2, 3, 4, 5}) {
        const Tensor places = arange(0, 5 * n, step, TensorOptions().dtype(kLong));
        CHECK(agrees(typed.slice(1, 0, 5 * n, step).contiguous(), x.index_select(1, places)));
      }
      const Tensor back = arange(n - 1, -1, -1, TensorOptions().dtype(kLong));
      CHECK(agrees(flip(typed.narrow(1, n, n), {1}), x.narrow(1, n, n).index_select(1, back)));
      CHECK(agrees(flip(typed, {0}), x.index_select(0, arange(5, -1, -1, TensorOptions().dtype(kLong)))));
    }
  }
}

TEST_CASE("16-bit types round to nearest even, with subnormals, infinities and NaN") {
  const Tensor x = doubles({1 + 0x1p-11, 1 + 3 * 0x1p-11, 65504, 65520, 0x1p-24, 0x1p-25, 1e-10, kInf, kNaN, -0.0});
  const Values h = values(x.to(kFloat).to(kHalf));
  const Values expected = {1, 1 + 0x1p-9, 65504, kInf, 0x1p-24, 0, 0, kInf, kNaN, -0.0};
  for (size_t i = 0; i < h.size(); ++i) CHECK((h[i] == expected[i] || (std::isnan(h[i]) && std::isnan(expected[i]))));
  const Values b = values(doubles({1 + 0x1p-8, 1 + 3 * 0x1p-8, 3.4e38, kNaN}).to(kBFloat16));
  CHECK(b[0] == 1);
  CHECK(b[1] == 1 + 0x1p-6);
  CHECK(b[2] == kInf);
  CHECK(std::isnan(b[3]));
}

TEST_CASE("the vectorized 16-bit conversions agree with the scalar ones for every pattern") {
  std::vector<int32_t> patterns(65536);
  for (int i = 0; i < 65536; ++i) patterns[static_cast<size_t>(i)] = i;
  for (DType t : {kHalf, kBFloat16}) {
    Tensor x = empty({65536}, t);
    auto* bits = reinterpret_cast<uint16_t*>(x.bytes());
    for (int i = 0; i < 65536; ++i) bits[i] = static_cast<uint16_t>(i);
    const Tensor wide = x.to(kFloat), back = wide.to(t);
    const float* w = wide.data_ptr<float>();
    const auto* r = reinterpret_cast<const uint16_t*>(back.bytes());
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) {
      const auto u = static_cast<uint16_t>(i);
      const float expected =
          t == kHalf ? static_cast<float>(Half::from_bits(u)) : static_cast<float>(BFloat16::from_bits(u));
      const uint16_t narrow = t == kHalf ? Half(expected).bits : BFloat16(expected).bits;
      const bool nan = std::isnan(expected);
      wrong += nan ? !std::isnan(w[i]) : !(w[i] == expected && std::signbit(w[i]) == std::signbit(expected));
      wrong += r[i] != narrow;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("to returns the tensor itself when there is nothing to do") {
  const Tensor x = doubles({1, 2});
  CHECK(x.to(kDouble).is_same(x));
  CHECK_FALSE(x.to(kDouble, false, true).is_same(x));
  CHECK(x.to(x.options()).is_same(x));
  CHECK(x.to(kCPU).is_same(x));
  CHECK(x.contiguous().is_same(x));
  CHECK(x.type_as(ones({1}, kFloat)).dtype() == kFloat);
  CHECK(x.to(ones({1}, kHalf)).dtype() == kHalf);
}

TEST_CASE("gradients pass between floating point types and stop at integers") {
  const Tensor x = doubles({1, 2}).requires_grad_();
  const Tensor y = x.to(kFloat);
  y.backward(ones({2}));
  CHECK(x.grad().dtype() == kDouble);
  CHECK(values(x.grad()) == Values{1, 1});
  CHECK_FALSE(x.to(kLong).requires_grad());
}

TEST_CASE("clone and contiguous copy any layout") {
  const Tensor x = random_tensor({40, 30, 7}, kFloat, 1);
  for (const Tensor& v : {x.permute({2, 0, 1}), x.transpose(0, 1), x.slice(1, 3, 29, 2), x.select(2, 3), x[3].t()}) {
    const Tensor c = v.clone();
    CHECK(values(c) == values(v));
    CHECK(v.contiguous().is_contiguous());
    CHECK(values(v.contiguous()) == values(v));
  }
}

/// Elements whose numbers tell them apart, and how many of them a transposed copy puts elsewhere.
template <class T>
int64_t misplaced(int64_t rows, int64_t cols) {
  const Tensor x = empty({rows, cols}, dtype_of<T>);
  T* const from = x.data<T>();
  for (int64_t i = 0; i < rows * cols; ++i) from[i] = static_cast<T>(i * 7 + i / cols);
  const Tensor y = x.t().contiguous();
  const T* const to = y.data<T>();
  int64_t wrong = 0;
  for (int64_t i = 0; i < cols; ++i)
    for (int64_t j = 0; j < rows; ++j) wrong += to[i * rows + j] != from[j * cols + i];
  return wrong;
}

TEST_CASE("transposed copies of all sizes around vectors and tiles, small and past the caches") {
  for (const int64_t rows : {1, 7, 8, 16, 31, 32, 33, 64, 100})
    for (const int64_t cols : {1, 4, 8, 15, 16, 32, 40, 65, 129}) {
      INFO(rows << " x " << cols);
      CHECK(misplaced<uint8_t>(rows, cols) == 0);
      CHECK(misplaced<int16_t>(rows, cols) == 0);
      CHECK(misplaced<int32_t>(rows, cols) == 0);
      CHECK(misplaced<int64_t>(rows, cols) == 0);
    }
  CHECK(misplaced<uint8_t>(4160, 4100) == 0);
  CHECK(misplaced<int32_t>(2064, 2050) == 0);  // 16 MB, with a shorter tile at each end
  CHECK(misplaced<int64_t>(1040, 2050) == 0);
}

TEST_CASE("copy_ converts, broadcasts and keeps strides") {
  Tensor x = zeros({2, 3}, kFloat);
  x.t().copy_(tensor({{1, 2}, {3, 4}, {5, 6}}));
  CHECK(values(x) == Values{1, 3, 5, 2, 4, 6});
  x.copy_(tensor({7, 8, 9}));
  CHECK(values(x) == Values{7, 8, 9, 7, 8, 9});
  CHECK_THROWS_WITH(x.copy_(ones({4})), ContainsSubstring("(4,)") || ContainsSubstring("4"));
  x.select(1, 0) = tensor({0, 1});
  CHECK(values(x) == Values{0, 8, 9, 1, 8, 9});
  x[1].fill_(5);
  CHECK(values(x) == Values{0, 8, 9, 5, 5, 5});
  x.fill_(tensor(2));
  x.slice(1, 0, 2).zero_();
  CHECK(values(x) == Values{0, 0, 2, 0, 0, 2});
  const Tensor source = doubles({1, 2, 3}).requires_grad_();
  Tensor target = zeros({2, 3}, kDouble);
  target.copy_(source);
  target.backward(ones({2, 3}, kDouble));
  CHECK(values(source.grad()) == Values{2, 2, 2});
}
