// Kernels made of a formula for one number: any strides and dtypes, one to three inputs, and what they refuse.
#include <strata/custom_op.h>
#include <strata/strata.h>

#include <cmath>

#include "test/catch.h"

namespace strata {
namespace {

using namespace dispatch;
using Catch::Matchers::ContainsSubstring;

struct ShiftParams {
  bool up;  // of an alignment below that of numbers
};
STRATA_OP(shift_op) = pointwise<ShiftParams>("test_shift(Tensor x, bool up) -> Tensor", one)
                          .cpu_kernel<int32_t, int64_t, float, double>([](auto v, const ShiftParams& p) {
                            return p.up ? v + 1 : v - 1;
                          })
                          .dtypes(kFloatingTypes | DTypes(kInt, kLong));

STRATA_OP(length_op) = pointwise(
                           "test_length(Tensor a, Tensor b) -> Tensor",
                           [](const Primals& c) { return c.in(0) / c.out(); },
                           [](const Primals& c) { return c.in(1) / c.out(); })
                           .saves_for(0, saves_in(0) | saves_out(0))
                           .saves_for(1, saves_in(1) | saves_out(0))
                           .cpu_kernel([](auto a, auto b) { return std::sqrt(a * a + b * b); });

STRATA_OP(between_op) = pointwise_constant<NoParams, kBool>("test_between(Tensor x, Tensor low, Tensor high) -> Tensor")
                            .cpu_kernel([](auto v, auto low, auto high) { return low < v && v < high; })
                            .dtypes(kFloatingTypes);

/// `infer` says that it gives the inputs' dtype.
STRATA_OP(wrong_infer_op) = pointwise_constant("test_wrong_infer(Tensor x) -> Tensor").cpu_kernel([](auto v) {
  return v > 0;
});

Tensor shift(const Tensor& t, bool up) { return call1(shift_op, {&t}, ShiftParams{up}); }
Tensor length(const Tensor& a, const Tensor& b) { return call1(length_op, {&a, &b}); }

const Tensor x = linspace(-2, 3, 12, kDouble).view({3, 4});

TEST_CASE("a formula is a kernel for any strides and every type it was compiled for") {
  func::opcheck(shift_op, {x}, ShiftParams{true});
  CHECK(shift(x, true).equal(x + 1));
  CHECK(shift(x.t(), false).equal(x.t() - 1));
  for (DType t : {kFloat, kHalf, kBFloat16, kInt, kLong}) CHECK(shift(x.to(t), true).equal(x.to(t) + 1));
  const Tensor large = randn({300, 1000});
  CHECK(shift(large.t().slice(0, 0, 1000, 3), true).equal(large.t().slice(0, 0, 1000, 3) + 1));
}

TEST_CASE("a formula takes up to three numbers, and a bool makes a predicate") {
  CHECK(allclose(length(x, x + 1), sqrt(x * x + (x + 1) * (x + 1))));
  CHECK(allclose(length(x, x.select(1, 0).unsqueeze(1).expand({3, 4})),
                 sqrt(x * x + x.narrow(1, 0, 1) * x.narrow(1, 0, 1))));
  const Tensor low = x - 1, high = x.flip({0});
  const Tensor between = call1(between_op, {&x, &low, &high});
  CHECK(between.dtype() == kBool);
  CHECK(between.equal(low.lt(x).logical_and(x.lt(high))));
  func::opcheck(between_op, {x, low, high});
}

TEST_CASE("a formula refuses what it was not compiled for") {
  CHECK_THROWS_WITH(length(x.to(kLong), x.to(kLong)),
                    ContainsSubstring("test_length: not implemented for int64; give cpu_kernel its type, or say"));
  CHECK_THROWS_WITH(length(x, x.to(kFloat)),
                    ContainsSubstring("test_length: input 1 is float32 and input 0 is float64"));
  CHECK_THROWS_WITH(
      length(x, x.select(0, 0)),
      ContainsSubstring("test_length: input 1 has shape (4,) and the output (3, 4); expand() the inputs"));
  CHECK_THROWS_WITH(call1(length_op, {&x}), ContainsSubstring("test_length: its formula makes 1 output of 2 inputs"));
  CHECK_THROWS_WITH(call1(wrong_infer_op, {&x}),
                    ContainsSubstring("test_wrong_infer: its formula gives bool where infer says float64"));
}

}  // namespace
}  // namespace strata
