// Tests of the `_out` forms: the function's values, in the caller's memory.
#include <torch/torch.h>

#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// `write` returns the tensor that it is given, which keeps its memory and holds `wanted`.
template <class F>
void check_out(const Tensor& wanted, F write) {
  Tensor out = empty(wanted.sizes(), TensorOptions(wanted.dtype()));
  const void* const memory = out.data_ptr();
  CHECK(write(out).is_same(out));
  CHECK(out.data_ptr() == memory);
  CHECK(same_bits(out, wanted));
}

}  // namespace

TEST_CASE("out forms write what the functions give") {
  const Tensor x = test::random_tensor({3, 2}, kDouble, 1, 0.1, 0.9),
               y = test::random_tensor({2}, kDouble, 2, 0.1, 0.9);
  check_out(negative(x), [&](Tensor& o) -> Tensor& { return negative_out(o, x); });
  check_out(logit(x), [&](Tensor& o) -> Tensor& { return logit_out(o, x); });
  check_out(nan_to_num(x / 0), [&](Tensor& o) -> Tensor& { return nan_to_num_out(o, x / 0); });
  check_out(atan2(x, y), [&](Tensor& o) -> Tensor& { return atan2_out(o, x, y); });
  check_out(hypot(x, y), [&](Tensor& o) -> Tensor& { return hypot_out(o, x, y); });
  check_out(fmod(x, 0.3), [&](Tensor& o) -> Tensor& { return fmod_out(o, x, 0.3); });
  check_out(remainder(x, y), [&](Tensor& o) -> Tensor& { return remainder_out(o, x, y); });
  check_out(x < y, [&](Tensor& o) -> Tensor& { return lt_out(o, x, y); });
  check_out(x == 0.5, [&](Tensor& o) -> Tensor& { return eq_out(o, x, 0.5); });
  check_out(logical_xor(x, y), [&](Tensor& o) -> Tensor& { return logical_xor_out(o, x, y); });
  check_out(where(x < y, x, y), [&](Tensor& o) -> Tensor& { return where_out(o, x < y, x, y.expand({3, 2})); });
  check_out(lerp(x, x * 2, 0.25), [&](Tensor& o) -> Tensor& { return lerp_out(o, x, x * 2, 0.25); });
  check_out(addcmul(x, x, x, 2), [&](Tensor& o) -> Tensor& { return addcmul_out(o, x, x, x, 2); });
  check_out(clamp(x, 0.2, 0.6), [&](Tensor& o) -> Tensor& { return clamp_out(o, x, 0.2, 0.6); });
  check_out(clamp_min(x, 0.4), [&](Tensor& o) -> Tensor& { return clamp_min_out(o, x, 0.4); });
}

TEST_CASE("out forms may write over their input and refuse what does not fit") {
  Tensor x = test::random_tensor({3, 2}, kDouble, 1, 0.1, 0.9);
  const Tensor wanted = xlogy(x, x);
  CHECK(same_bits(xlogy_out(x, x, x), wanted));
  Tensor narrow = empty({3, 2}, TensorOptions(kBool));
  CHECK_THROWS_WITH(fmod_out(narrow, x, 2), ContainsSubstring("fmod_out: the result is float64, out is bool"));
}
