// Tests of where, clamp, lerp and the fused multiply and divide additions.
#include "ops/ternary.h"

#include "ops/binary.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {}  // namespace

TEST_CASE("where picks, broadcasts and promotes") {
  const Tensor c = longs({1, 0, 1}).to(kBool);
  CHECK(values(where(c, doubles({1, 2, 3}), doubles({10, 20, 30}))) == Values{1, 20, 3});
  CHECK(values(where(c, 5, longs({1, 2, 3}))) == Values{5, 2, 5});
  CHECK(where(c, 5, longs({1, 2, 3})).dtype() == kLong);
  CHECK(where(c, 0.5, longs({1, 2, 3})).dtype() == kFloat);
  CHECK(where(c, longs({1}), doubles({2})).dtype() == kDouble);
  CHECK(where(c.view({3, 1}), doubles({1, 2}), doubles({3, 4})).sizes() == IntArrayRef({3, 2}));
  for (DType t : {kBool, kByte, kShort, kInt, kHalf, kBFloat16, kFloat}) {
    CHECK(values(where(c, ones({3}, t), zeros({3}, t))) == Values{1, 0, 1});
  }
  CHECK_THROWS_WITH(where(longs({1}), c, c), ContainsSubstring("bool"));
}

TEST_CASE("the gradient of where ignores the untaken branch") {
  const Tensor x = doubles({0, 4}).requires_grad_();
  where(x > 0, sqrt(x), x * 0).backward(doubles({1, 1}));
  CHECK(x.grad()[1].item<double>() == 0.25);
  const Tensor y = doubles({0, 4}).requires_grad_();
  where(y > 0, y, full({2}, kNaN, kDouble)).backward(doubles({1, 1}));
  CHECK(values(y.grad()) == Values{0, 1});
}

TEST_CASE("clamp") {
  const Tensor x = doubles({-2, -1, 0, 1, 2, kNaN});
  CHECK(values(clamp(x, -1, 1).slice(0, 0, 5)) == Values{-1, -1, 0, 1, 1});
  CHECK(std::isnan(values(clamp(x, -1, 1)).back()));
  CHECK(values(clamp_min(x, 0).slice(0, 0, 5)) == Values{0, 0, 0, 1, 2});
  CHECK(values(clamp_max(x, 0).slice(0, 0, 5)) == Values{-2, -1, 0, 0, 0});
  CHECK(values(clamp(longs({-5, 5}), -1, 1)) == Values{-1, 1});
  CHECK(clamp(longs({-5, 5}), -1, 0.5).dtype() == kFloat);
  CHECK(values(clamp(full({2}, 7, kByte), -10, 1000)) == Values{7, 7});
  CHECK(values(clamp(longs({INT64_MIN, INT64_MAX}), std::nullopt, 3)) == Values{static_cast<double>(INT64_MIN), 3});
  CHECK(values(clamp(doubles({0, 5, 9}), doubles({1, 1, 1}), doubles({8}))) == Values{1, 5, 8});
  CHECK(std::isnan(clamp(doubles({0}), doubles({kNaN}), doubles({8})).item<double>()));
  CHECK_THROWS_WITH(clamp(x, std::optional<Scalar>()), ContainsSubstring("at least one"));
  Tensor t = doubles({-2, 2});
  t.clamp_(0, 1);
  CHECK(values(t) == Values{0, 1});
}

TEST_CASE("the gradient of clamp by numbers is one inside of the bounds alone, as in PyTorch 2.15") {
  const Tensor x = doubles({-2, -1, 0, 1, 2}).requires_grad_();
  clamp(x, -1, 1).backward(doubles({1, 1, 1, 1, 1}));
  CHECK(values(x.grad()) == Values{0, 0, 1, 0, 0});
  const Tensor y = doubles({0, 5, 9}).requires_grad_(), lo = doubles({1, 1, 1}).requires_grad_(),
               hi = doubles({8, 8, 8}).requires_grad_();
  clamp(y, lo, hi).backward(doubles({1, 1, 1}));
  CHECK(values(y.grad()) == Values{0, 1, 0});
  CHECK(values(lo.grad()) == Values{1, 0, 0});
  CHECK(values(hi.grad()) == Values{0, 0, 1});
}

TEST_CASE("lerp meets both ends exactly") {
  const Tensor a = doubles({0.1, -3}), b = doubles({0.7, 1e10});
  CHECK(values(lerp(a, b, 0)) == values(a));
  CHECK(values(lerp(a, b, 1)) == values(b));
  CHECK(lerp(doubles({2}), doubles({4}), doubles({0.25, 0.75})).sizes() == IntArrayRef({2}));
  CHECK_THROWS_WITH(lerp(longs({1}), longs({2}), 0.5), ContainsSubstring("floating point"));
  Tensor t = doubles({2});
  t.lerp_(doubles({4}), 0.5);
  CHECK(values(t) == Values{3});
}

TEST_CASE("addcmul and addcdiv") {
  CHECK(values(addcmul(doubles({1, 1}), doubles({2, 3}), doubles({4, 5}), 0.5)) == Values{5, 8.5});
  CHECK(values(addcdiv(doubles({1, 1}), doubles({2, 3}), doubles({4, 6}), 2)) == Values{2, 2});
  CHECK(values(addcmul(longs({1}), longs({2}), longs({3}), 2)) == Values{13});
  CHECK(values(addcmul(zeros({2, 1}, kDouble), doubles({1, 2}), doubles({3, 4}))) == Values{3, 8, 3, 8});
  CHECK_THROWS_WITH(addcdiv(longs({1}), longs({2}), longs({3})), ContainsSubstring("floating point"));
  Tensor t = doubles({1});
  t.addcmul_(doubles({2}), doubles({3})).addcdiv_(doubles({4}), doubles({2}), -1);
  CHECK(values(t) == Values{5});
}
