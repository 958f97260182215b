// Tests of the functions of two operands: integer semantics, special values, layouts, in-place and out forms, gradients
// at ties.
#include "ops/binary.h"

#include <cmath>

#include "ops/cast.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

int64_t floor_of(int64_t a, int64_t b) {
  return static_cast<int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
}

}  // namespace

TEST_CASE("integer division rounds down, its remainder has the divisor's sign") {
  for (DType t : {kChar, kShort, kInt, kLong}) {
    for (int64_t a = -7; a <= 7; ++a) {
      for (int64_t b : {-3, -2, -1, 1, 2, 3}) {
        const Tensor x = full({1}, a, t), y = full({1}, b, t);
        CHECK(floor_divide(x, y).item<int64_t>() == floor_of(a, b));
        CHECK(remainder(x, y).item<int64_t>() == a - b * floor_of(a, b));
        CHECK(fmod(x, y).item<int64_t>() == a % b);
        CHECK(div(x, y, "trunc").item<int64_t>() == a / b);
        CHECK(div(x, y).item<float>() == static_cast<float>(a) / static_cast<float>(b));
      }
    }
  }
}

TEST_CASE("integer division by zero is an error, the lowest integer over -1 wraps") {
  const Tensor one = longs({1, 2}), zero = longs({1, 0});
  CHECK_THROWS_WITH(floor_divide(one, zero), ContainsSubstring("division by zero"));
  CHECK_THROWS_WITH(remainder(one, zero), ContainsSubstring("division by zero"));
  CHECK_THROWS_WITH(fmod(one, zero), ContainsSubstring("division by zero"));
  CHECK_THROWS_WITH(div(one, zero, "trunc"), ContainsSubstring("division by zero"));
  for (DType t : {kChar, kShort, kInt, kLong}) {
    const int64_t lowest = t == kLong ? INT64_MIN : -(int64_t{1} << (8 * item_size(t) - 1));
    const Tensor x = full({1}, lowest, t), minus_one = full({1}, -1, t);
    CHECK(floor_divide(x, minus_one).item<int64_t>() == lowest);
    CHECK(remainder(x, minus_one).item<int64_t>() == 0);
    CHECK(fmod(x, minus_one).item<int64_t>() == 0);
    CHECK(neg(x).item<int64_t>() == lowest);
    CHECK(abs(x).item<int64_t>() == lowest);
  }
}

TEST_CASE("integers wrap around") {
  const Tensor top = longs({INT64_MAX});
  CHECK((top + 1).item<int64_t>() == INT64_MIN);
  CHECK((top * 2).item<int64_t>() == -2);
  CHECK((longs({INT64_MIN}) - 1).item<int64_t>() == INT64_MAX);
  CHECK((full({1}, 200, kByte) + full({1}, 100, kByte)).item<int64_t>() == 44);
  CHECK((full({1}, 100, kChar) * full({1}, 2, kChar)).item<int64_t>() == -56);
  CHECK(pow(longs({3}), 41).item<int64_t>() == -420491770248316829);
}

/// The quotient rounded down and towards zero, what each leaves over.
struct Quotients {
  int64_t floor, trunc, remainder, fmod;
};
Quotients quotients(int64_t x, int64_t y) {
  if (y == -1) return {-x, -x, 0, 0};
  const int64_t q = x / y, r = x % y, down = r != 0 && (r < 0) != (y < 0);
  return {q - down, q, down ? r + y : r, r};
}

TEST_CASE("integers divide exactly at every edge of their range and of vectors") {
  for (const DType dtype : {kByte, kChar, kShort, kInt, kUInt32, kLong}) {
    const bool is_unsigned = dtype == kByte || dtype == kUInt32;
    const int bits = static_cast<int>(8 * item_size(dtype)) - (is_unsigned ? 0 : 1);
    const int64_t most = static_cast<int64_t>((uint64_t{1} << bits) - 1), least = is_unsigned ? 0 : -most - 1;
    std::vector<int64_t> edges{least, least + 1, least / 2, most / 2, most / 2 + 1, most - 1, most, 1, 2, 3, 5, 7, 10};
    if (!is_unsigned) edges.insert(edges.end(), {-1, -2, -3, -7, -10, most / -2});
    std::vector<int64_t> x, y;
    for (const int64_t a : edges)
      for (const int64_t b : edges)
        if (b != 0 && (dtype != kLong || a != least || b != -1)) x.push_back(a), y.push_back(b);
    const Tensor a = tensor(x, TensorOptions(kLong)).to(dtype), b = tensor(y, TensorOptions(kLong)).to(dtype);
    const Tensor floor = floor_divide(a, b), trunc = div(a, b, "trunc"), rest = remainder(a, b), cut = fmod(a, b);
    for (int64_t i = 0; i < a.numel(); ++i) {
      const Quotients q = quotients(x[static_cast<size_t>(i)], y[static_cast<size_t>(i)]);
      const auto wrapped = [&](int64_t v) { return tensor({v}).to(dtype).item<int64_t>(); };
      INFO(name(dtype) << ": " << x[static_cast<size_t>(i)] << " by " << y[static_cast<size_t>(i)]);
      CHECK(floor[i].item<int64_t>() == wrapped(q.floor));
      CHECK(trunc[i].item<int64_t>() == wrapped(q.trunc));
      CHECK(rest[i].item<int64_t>() == wrapped(q.remainder));
      CHECK(cut[i].item<int64_t>() == wrapped(q.fmod));
      // Alone, without a vector.
      CHECK(floor_divide(a[i], b[i]).item<int64_t>() == floor[i].item<int64_t>());
    }
    Tensor with_zero = b.clone();
    with_zero[20] = 0;
    for (const char* mode : {"floor", "trunc"})
      CHECK_THROWS_WITH(div(a, with_zero, mode), ContainsSubstring("integer division by zero"));
    CHECK_THROWS_WITH(remainder(a, with_zero), ContainsSubstring("remainder: integer division by zero"));
    CHECK_THROWS_WITH(fmod(a, with_zero), ContainsSubstring("fmod: integer division by zero"));
    CHECK(equal(floor_divide(a, 3), floor_divide(a, full_like(a, 3))));
    CHECK(
        equal(remainder(a.flip({0}).slice(0, 0, a.numel(), 2), b.slice(0, 0, b.numel(), 2)),
              remainder(a.flip({0}).slice(0, 0, a.numel(), 2).contiguous(), b.slice(0, 0, b.numel(), 2).contiguous())));
  }
}

TEST_CASE("long integers divide exactly next to multiples and where doubles end") {
  constexpr int64_t kEnd = int64_t{1} << 51;
  std::vector<int64_t> x, y;
  for (const int64_t divisor : {1, 2, 3, 7, 1000, 47453133, 2147483647})
    for (const int64_t sign : {1, -1})
      for (const int64_t dividend : {kEnd, -kEnd, kEnd / 2, int64_t{10}, int64_t{0}})
        for (int64_t beside = -2; beside <= 2; ++beside)
          x.push_back(dividend / divisor * divisor + beside), y.push_back(sign * divisor);
  for (const int64_t divisor : {kEnd - 1, kEnd, kEnd + 1, -kEnd - 1, -kEnd, 1 - kEnd})
    for (int64_t beside = -3; beside <= 3; ++beside) x.push_back(kEnd + beside), y.push_back(divisor);
  const Tensor a = tensor(x), b = tensor(y);
  const Tensor floor = floor_divide(a, b), trunc = div(a, b, "trunc"), rest = remainder(a, b), cut = fmod(a, b);
  for (size_t i = 0; i < x.size(); ++i) {
    const Quotients q = quotients(x[i], y[i]);
    INFO(x[i] << " by " << y[i]);
    CHECK(floor.data_ptr<int64_t>()[i] == q.floor);
    CHECK(trunc.data_ptr<int64_t>()[i] == q.trunc);
    CHECK(rest.data_ptr<int64_t>()[i] == q.remainder);
    CHECK(cut.data_ptr<int64_t>()[i] == q.fmod);
  }
  const Tensor odd = tensor(std::vector<int64_t>{5, -5, 7, -7, 9}),
               fourth_zero = tensor(std::vector<int64_t>{1, 1, 1, 0, 1});
  CHECK_THROWS_WITH(remainder(odd, fourth_zero), ContainsSubstring("integer division by zero"));
}

TEST_CASE("integer powers") {
  CHECK(values(pow(longs({-3, -1, 0, 1, 2}), 3)) == Values{-27, -1, 0, 1, 8});
  CHECK(values(pow(longs({5, 0}), 0)) == Values{1, 1});
  CHECK(values(pow(longs({1, -1, -1}), longs({-5, -2, -3}))) == Values{1, 1, -1});
  CHECK_THROWS_WITH(pow(longs({2}), -1), ContainsSubstring("negative integer powers"));
  CHECK(values(pow(longs({2, 0}), longs({-1, -1}))) == Values{0, 0});
  CHECK(pow(longs({2}), -1.0).item<float>() == 0.5f);
  CHECK(values(pow(2, longs({0, 1, 10}))) == Values{1, 2, 1024});
}

TEST_CASE("floating point division follows Python") {
  const Tensor a = doubles({7, -7, 7, -7, 0.0, 1, -1, kInf}), b = doubles({2, 2, -2, -2, 3, 0, 0, 2});
  CHECK(values(floor_divide(a, b)).at(1) == -4);
  CHECK(values(remainder(a, b)).at(1) == 1);
  CHECK(values(remainder(a, b)).at(2) == -1);
  CHECK(values(fmod(a, b)).at(1) == -1);
  CHECK(floor_divide(a, b).slice(0, 5, 6).item<double>() == kInf);
  CHECK(std::isnan(remainder(a, b).slice(0, 5, 6).item<double>()));
  CHECK(values(div(a, b, "trunc")).at(1) == -3);
}

TEST_CASE("comparisons with NaN are false, but not equal is true") {
  const Tensor a = doubles({kNaN, 1, -0.0, kInf}), b = doubles({kNaN, 1, 0.0, kInf});
  CHECK(values(a == b) == Values{0, 1, 1, 1});
  CHECK(values(a != b) == Values{1, 0, 0, 0});
  CHECK(values(a < b) == Values{0, 0, 0, 0});
  CHECK(values(a <= b) == Values{0, 1, 1, 1});
  CHECK(values(1 > doubles({0, 1, 2, kNaN})) == Values{1, 0, 0, 0});
  CHECK((a == b).dtype() == kBool);
}

TEST_CASE("maximum and minimum keep NaN, fmax and fmin do not") {
  const Tensor a = doubles({kNaN, 1, 2, kNaN}), b = doubles({1, kNaN, 3, kNaN});
  for (const Tensor& t : {maximum(a, b), minimum(a, b)}) {
    CHECK(values(isnan(t)) == Values{1, 1, 0, 1});
  }
  CHECK(values(isnan(fmax(a, b))) == Values{0, 0, 0, 1});
  CHECK(values(fmax(a, b)).at(2) == 3);
  CHECK(values(fmin(a, b)).at(2) == 2);
}

TEST_CASE("gradients of maximum are shared at ties") {
  const Tensor a = doubles({1, 2, 3}).requires_grad_(), b = doubles({1, 3, 2}).requires_grad_();
  maximum(a, b).backward(doubles({1, 1, 1}));
  CHECK(values(a.grad()) == Values{0.5, 0, 1});
  CHECK(values(b.grad()) == Values{0.5, 1, 0});
}

TEST_CASE("gradients of powers at zero are finite where they should be") {
  const Tensor x = doubles({0, 2}).requires_grad_();
  pow(x, 0).backward(doubles({1, 1}));
  CHECK(values(x.grad()) == Values{0, 0});
  const Tensor base = doubles({0, 2}), e = doubles({2, 3}).requires_grad_();
  pow(base, e).backward(doubles({1, 1}));
  CHECK(values(e.grad()).at(0) == 0);
  CHECK(values(e.grad()).at(1) == Approx(8 * std::log(2.0)));
}

TEST_CASE("16-bit numbers meet a number that is not rounded to theirs") {
  for (const DType t : {kHalf, kBFloat16}) {
    const Tensor x = random_tensor({300}, kFloat, 3, -9, 9).to(t), wide = x.to(kFloat);
    const auto is_rounded_once = [&](const Tensor& got, const Tensor& of_floats) {
      return got.dtype() == t && got.equal(of_floats.to(t));
    };
    for (const double number : {3.7, 0.001, 6.93}) {
      CHECK(is_rounded_once(x * number, wide * number));
      CHECK(is_rounded_once(number * x, wide * number));
      CHECK(is_rounded_once(x / number, wide / number));
      CHECK(is_rounded_once(x.clone().div_(number), wide / number));
      // The number is the first operand here, as in libtorch, and becomes one of the dtype.
      CHECK(x.clone().mul_(number).equal(x * full({1}, number, t)));
      const Tensor leaf = x.clone().requires_grad_();
      (leaf * number / 1.7).sum().backward();
      CHECK(leaf.grad().equal(full({300}, 1, t) / 1.7 * number));
    }
    CHECK((x * Scalar(Complex<double>(0, 1))).dtype() == kComplexFloat);
  }
}

TEST_CASE("16-bit numbers meet a number in a tensor without dims that is not rounded to theirs") {
  for (const DType t : {kHalf, kBFloat16}) {
    const Tensor x = random_tensor({300}, kFloat, 3, -9, 9).to(t), wide = x.to(kFloat);
    for (const DType of_number : {kFloat, kDouble}) {
      const Tensor number = full({}, 6.93, of_number);
      const Tensor product = (wide * 6.93f).to(t), quotient = (wide / 6.93f).to(t);
      CHECK((x * number).equal(product));
      CHECK((x / number).equal(quotient));
      CHECK(x.clone().mul_(number).equal(product));
      CHECK(x.clone().div_(number).equal(quotient));
      Tensor out = empty({300}, t);
      CHECK(mul_out(out, x, number).equal(product));
      CHECK((number * x).equal(x * full({300}, 6.93, t)));  // it is rounded where it stands first, as in libtorch
    }
    CHECK((x * full({}, 1001, kLong)).equal((wide * 1001).to(t)));
    CHECK((x * full({}, 3, t)).dtype() == t);
    CHECK((full({}, 3, t) * full({}, 6.93, kFloat)).dtype() == kFloat);
    const Tensor leaf = x.clone().requires_grad_(), scale = full({}, 6.93, kFloat).requires_grad_();
    (leaf * scale).sum().backward();
    CHECK(leaf.grad().equal(full({300}, 6.93, t)));
    CHECK(scale.grad().dtype() == kFloat);
    CHECK(scale.grad().allclose(wide.sum(), 1e-2, 1e-2));
  }
}

TEST_CASE("logic and bits") {
  const Tensor a = longs({0, 1, 6, -1}), b = longs({0, 3, 0, 5});
  CHECK(values(a & b) == Values{0, 1, 0, 5});
  CHECK(values(a | b) == Values{0, 3, 6, -1});
  CHECK(values(a ^ b) == Values{0, 2, 6, -6});
  CHECK(values(~a) == Values{-1, -2, -7, 0});
  CHECK(values(logical_and(a, b)) == Values{0, 1, 0, 1});
  CHECK(values(logical_or(a, b)) == Values{0, 1, 1, 1});
  CHECK(values(logical_xor(a, b)) == Values{0, 0, 1, 0});
  CHECK(values(!a) == Values{1, 0, 0, 0});
  CHECK(values((a > 0) & (b > 0)) == Values{0, 1, 0, 0});
  CHECK(values(bitwise_left_shift(longs({1, 1, 1, 1}), longs({0, 3, 64, -1}))) == Values{1, 8, 0, 0});
  CHECK(values(bitwise_right_shift(longs({-8, 8, -8, 8}), longs({1, 1, 64, 64}))) == Values{-4, 4, -1, 0});
  CHECK_THROWS_WITH(doubles({1}) & doubles({1}), ContainsSubstring("bitwise_and: not implemented for float64"));
}

TEST_CASE("bools add as or, multiply as and, do not subtract") {
  const Tensor a = longs({0, 0, 1, 1}).to(kBool), b = longs({0, 1, 0, 1}).to(kBool);
  CHECK(values(a + b) == Values{0, 1, 1, 1});
  CHECK(values(a * b) == Values{0, 0, 0, 1});
  CHECK((a + b).dtype() == kBool);
  CHECK_THROWS_WITH(a - b, ContainsSubstring("logical_xor"));
  CHECK((a / b).dtype() == kFloat);
}

TEST_CASE("alpha scales the second operand") {
  const Tensor a = longs({1, 2}), b = longs({10, 20});
  CHECK(values(add(a, b, 3)) == Values{31, 62});
  CHECK(values(sub(a, b, 2)) == Values{-19, -38});
  CHECK(values(rsub(a, 1)) == Values{0, -1});
  CHECK_THROWS_WITH(add(a, b, 0.5), ContainsSubstring("alpha is float64"));
  Tensor x = doubles({1, 2});
  x.add_(doubles({1, 1}), 0.5).sub_(doubles({1, 1}), 2);
  CHECK(values(x) == Values{-0.5, 0.5});
}

TEST_CASE("in-place keeps dtype, shape and memory") {
  Tensor x = ones({2, 3}, kFloat);
  const void* data = x.bytes();
  const int64_t version = x._version();
  x += 1;
  x *= tensor({1.0, 2.0, 3.0});
  CHECK(values(x) == Values{2, 4, 6, 2, 4, 6});
  CHECK(x.bytes() == data);
  CHECK(x._version() == version + 2);
  Tensor narrow = ones({2}, kFloat);
  narrow.add_(ones({2}, kDouble));  // computed in double, stored in float
  CHECK(narrow.dtype() == kFloat);
  Tensor integer = ones({2}, kLong);
  CHECK_THROWS_WITH(integer += 0.5, ContainsSubstring("float32") && ContainsSubstring("int64"));
  CHECK_THROWS_WITH(integer /= 2, ContainsSubstring("int64"));
  Tensor row = ones({3});
  CHECK_THROWS_WITH(row += ones({2, 3}), ContainsSubstring("(2, 3)"));
  CHECK_THROWS_WITH(ones({1}).expand({3}).add_(1), ContainsSubstring("clone"));
}

TEST_CASE("in-place remainders and bits") {
  Tensor x = longs({7, -7});
  CHECK(values(x.remainder_(3)) == Values{1, 2});
  CHECK(values(x.bitwise_or_(longs({4, 4}))) == Values{5, 6});
  x &= longs({1, 3});
  CHECK(values(x) == Values{1, 2});
  CHECK(values(longs({9, -9}).floor_divide_(2)) == Values{4, -5});
  CHECK(values(longs({9, -9}).fmod_(longs({4}))) == Values{1, -1});
  CHECK(values(doubles({1}).atan2_(doubles({0}))).at(0) == Approx(M_PI / 2));
}

TEST_CASE("in-place on overlapping views reads before it writes") {
  Tensor x = arange(0, 6, kFloat);
  x.slice(0, 1, 6) += x.slice(0, 0, 5);
  CHECK(values(x) == Values{0, 1, 3, 5, 7, 9});
  Tensor m = arange(0, 9, kFloat).view({3, 3});
  m += m.t();
  CHECK(values(m) == Values{0, 4, 8, 4, 8, 12, 8, 12, 16});
}

TEST_CASE("out receives the result") {
  Tensor out = full({2, 2}, kNaN);
  const Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}}), b = tensor({10.0, 20.0});
  Tensor transposed = out.t();
  add_out(transposed, a, b);
  CHECK(values(transposed) == Values{11, 22, 13, 24});
  Tensor nothing = empty({0});
  CHECK(values(add_out(nothing, a, b)) == Values{11, 22, 13, 24});
  CHECK(nothing.sizes() == IntArrayRef({2, 2}));
  Tensor integers = ones({2, 2}, kLong);
  CHECK_THROWS_WITH(div_out(integers, a, b), ContainsSubstring("int64"));
}

TEST_CASE("every layout gives the values of the contiguous one") {
  const Tensor base = random_tensor({70, 70}, kDouble, 7), other = random_tensor({70, 70}, kDouble, 8);
  const auto reference = values(base.contiguous() * 2 + other);
  CHECK(values(base.t().contiguous().t() * 2 + other) == reference);
  const Tensor wide = zeros({70, 140}, kDouble);
  Tensor strided = wide.slice(1, 1, 140, 2);
  strided.copy_(base);
  CHECK(values(strided * 2 + other) == reference);
  const Tensor row = base.select(0, 3);
  CHECK(values(row.expand({70, 70}) + other) == values(row + other));
  CHECK(values(random_tensor({5, 3}, kDouble, 1) + random_tensor({3}, kDouble, 2)).size() == 15);
  for (DType t : {kHalf, kBFloat16}) {
    const Tensor x = base.to(t), y = other.to(t);
    CHECK(same_bits((x.t() + y).contiguous(), (x.t().contiguous() + y)));
    CHECK(same_bits(x + y, (x.to(kFloat) + y.to(kFloat)).to(t)));
  }
}

TEST_CASE("operands that repeat their rows give what written out rows give") {
  for (DType t : {kFloat, kDouble, kLong, kHalf}) {
    for (int64_t rows : {1, 2, 15, 16, 17, 40}) {
      for (int64_t columns : {1, 3, 8, 17, 64, 100}) {
        const Tensor x = (8 * random_tensor({rows, columns}, kDouble, 1)).to(t),
                     row = (8 * random_tensor({columns}, kDouble, 2)).to(t),
                     column = (8 * random_tensor({rows, 1}, kDouble, 3)).to(t), wide = row.expand({rows, columns});
        const Tensor written = wide.contiguous(), column_written = column.expand({rows, columns}).contiguous();
        CHECK(same_bits(x - row, x - written));
        CHECK(same_bits(row - x, written - x));
        CHECK(same_bits(wide > x, written > x));
        CHECK(same_bits(where(x > 0, row, x), where(x > 0, written, x)));
        CHECK(same_bits(column - row, column_written - written));
        CHECK(same_bits(x - column, x - column_written));
        CHECK(same_bits(column > x, column_written > x));
        Tensor over = x.clone();
        over -= column;
        CHECK(same_bits(over, x - column_written));
        const Tensor deep = row.view({columns, 1}).expand({rows, columns, 2}),
                     flat = (8 * random_tensor({2}, kDouble, 4)).to(t);
        CHECK(same_bits(deep - flat, deep.contiguous() - flat.expand({rows, columns, 2}).contiguous()));
      }
    }
  }
}

TEST_CASE("element-wise results do not depend on the number of threads") {
  const Tensor a = random_tensor({300, 701}, kFloat, 3), b = random_tensor({701}, kFloat, 4);
  CHECK(thread_independent([&] { return a * b + a.t().contiguous().t(); }));
  CHECK(thread_independent([&] { return a.to(kHalf) * b.to(kHalf); }));
  CHECK(thread_independent([&] { return a.t() * 3.0; }));
}

TEST_CASE("an error in a parallel part reaches the caller") {
  const Tensor a = ones({200000}, kLong);
  Tensor b = ones({200000}, kLong);
  b[199999] = 0;
  CHECK_THROWS_WITH(a % b, ContainsSubstring("division by zero"));
}

TEST_CASE("huge outputs are written past the caches") {
  const Tensor a = ones({13 << 20}).contiguous(), b = full({13 << 20}, 2.0);
  const Tensor c = a + b;
  CHECK(c[0].item<float>() == 3);
  CHECK(c[(13 << 20) - 1].item<float>() == 3);
  CHECK(values((c == 3).slice(0, 0, 4)) == Values{1, 1, 1, 1});
}

TEST_CASE("composites of two operands") {
  CHECK(hypot(doubles({3e200}), doubles({4e200})).item<double>() == Approx(5e200));
  CHECK(values(xlogy(doubles({0, 2}), doubles({0, 1}))) == Values{0, 0});
  CHECK(logaddexp(doubles({1000}), doubles({1000})).item<double>() == Approx(1000 + std::log(2.0)));
  CHECK(logaddexp(doubles({-kInf}), doubles({1})).item<double>() == 1);
}
