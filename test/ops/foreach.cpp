// Tests of the functions of lists of tensors against the same one by one.
#include "ops/foreach.h"

#include <cmath>

#include "dispatcher/call.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/foreach_def.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Sizes around those of vectors and pieces, none, and one element; some tensors are not row-major.
std::vector<Tensor> mixed(DType dtype) {
  std::vector<Tensor> out;
  for (const int64_t n : {0, 1, 7, 16, 33, 4095, 4096, 4097, 70000})
    out.push_back(random_tensor({n}, kDouble, static_cast<unsigned>(n)).to(dtype));
  out.push_back(random_tensor({}, kDouble, 5).to(dtype));
  out.push_back(random_tensor({30, 20}, kDouble, 6).to(dtype).t());
  return out;
}

}  // namespace

TEST_CASE("the norm of a list is that of all elements") {
  for (const DType dtype : {kFloat, kDouble, kBFloat16}) {
    const std::vector<Tensor> list = mixed(dtype);
    std::vector<Tensor> flat;
    for (const Tensor& t : list) flat.push_back(t.to(kDouble).reshape({-1}));
    for (const double p : {1.0, 2.0, 3.0, kInf, -kInf}) {
      const Tensor norm_of = total_norm(list, p);
      CHECK(norm_of.dim() == 0);
      CHECK(norm_of.dtype() == (dtype == kDouble ? kDouble : kFloat));
      CHECK(norm_of.item<double>() == Approx(norm(cat(flat), p).item<double>()).epsilon(1e-5));
    }
  }
  CHECK(total_norm({}).item<double>() == 0);
  CHECK(total_norm({random_tensor({0})}).item<double>() == 0);
  const std::vector<Tensor> two = {full({3}, 3.0), full({4}, 2.0, kDouble)};
  CHECK(total_norm(two).dtype() == kDouble);
  CHECK(total_norm(two).item<double>() == Approx(std::sqrt(43.0)));
  CHECK_THROWS_WITH(total_norm({ones({2}, kLong)}), ContainsSubstring("must be floating point or complex, got int64"));
}

TEST_CASE("NaN and infinity show in the norm of a list") {
  for (const double p : {1.0, 2.0, kInf}) {
    Tensor nan = ones({100}), inf = ones({5000});
    nan.narrow(0, 42, 1).fill_(kNaN);
    inf.narrow(0, 4999, 1).fill_(-kInf);
    CHECK(std::isnan(total_norm({ones({3}), nan, inf}, p).item<double>()));
    CHECK(total_norm({ones({3}), inf}, p).item<double>() == kInf);
  }
}

TEST_CASE("the norm of a list has the same bits on any number of threads") {
  const std::vector<Tensor> list = mixed(kFloat);
  for (const double p : {1.0, 2.0, kInf}) CHECK(thread_independent([&] { return total_norm(list, p); }));
}

TEST_CASE("lists are scaled, clamped and cleared in place") {
  for (const DType dtype : {kFloat, kDouble, kHalf}) {
    std::vector<Tensor> list = mixed(dtype), before;
    list.push_back(full({3}, kNaN, dtype).clone());
    list.push_back(random_tensor({6}, kFloat, 9));  // another dtype than most
    for (const Tensor& t : list) before.push_back(t.clone());
    foreach_mul_(list, full({1}, 0.5));
    for (size_t i = 0; i < list.size(); ++i) CHECK(list[i].allclose(before[i] * 0.5, 0, 0, /*equal_nan=*/true));
    foreach_clip_norm_(list, full({}, 0.5), 1.0);
    for (size_t i = 0; i < list.size(); ++i) CHECK(list[i].allclose(before[i] * 0.5, 0, 0, /*equal_nan=*/true));
    foreach_clip_norm_(list, full({}, 2.0 - 1e-6, kDouble), 0.5);
    for (size_t i = 0; i < list.size(); ++i) CHECK(list[i].allclose(before[i] * 0.125, 1e-3, 1e-6, /*equal_nan=*/true));
    foreach_mul_(list, full({}, 4));
    foreach_clamp_(list, -0.1, 0.2);
    for (size_t i = 0; i < list.size(); ++i)
      CHECK(list[i].allclose((before[i] * 0.5).clamp(-0.1, 0.2), 1e-3, 1e-6, /*equal_nan=*/true));
    const auto version = list[3]._version();
    foreach_zero_(list);
    for (const Tensor& t : list) CHECK(t.equal(zeros(t.sizes(), t.dtype())));
    CHECK(list[3]._version() == version + 1);
  }
  foreach_zero_({});
  CHECK_THROWS_WITH(foreach_mul_({random_tensor({2})}, ones({2})), ContainsSubstring("one element"));
}

TEST_CASE("the ops of lists take 16-bit tensors as they are") {
  for (const DType dtype : {kHalf, kBFloat16}) {
    const Tensor factor = full({}, 0.25, kDouble), before = random_tensor({4099}, kFloat, 3).to(dtype);
    Tensor x = before.clone();
    const Tensor y = before.clone();
    call_inplace(foreach_mul_op, x, {&x, &y, &factor});
    CHECK(x.equal((before.to(kFloat) * 0.25).to(dtype)));
    CHECK(y.equal(x));
    const Tensor norm_of = call1(total_norm_op, {&x, &y}, TotalNormParams{2});
    CHECK(norm_of.dtype() == kFloat);
    CHECK(norm_of.item<double>() == Approx(norm(cat({x, y}).to(kDouble)).item<double>()).epsilon(1e-5));
    call_inplace(foreach_clamp_op, x, {&x, &y}, ForeachClampParams{-0.125, 0.0625});
    CHECK(x.equal((before.to(kFloat) * 0.25).clamp(-0.125, 0.0625).to(dtype)));
    call_inplace(foreach_zero_op, x, {&x, &y});
    CHECK(y.equal(zeros({4099}, dtype)));
  }
  const Tensor a = ones({3}), b = ones({3}, kDouble);
  CHECK_THROWS_WITH(call1(total_norm_op, {&a, &b}, TotalNormParams{2}), ContainsSubstring("float32 and float64"));
}
