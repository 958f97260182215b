// Out forms: the result stands in the tensor that is there, which gets its shape, or the dtype is refused.
#include <torch/torch.h>

#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "test/catch.h"
#include "test/ops/tools.h"

namespace strata::test {

TEST_CASE("out forms write into memory that is there") {
  const Tensor x = random_tensor({3, 4}), y = random_tensor({2, 4}, kFloat, 2);
  Tensor out = zeros({5, 4}), sums = empty({0}), values = empty({3}), places = empty({0}, kLong);
  const void* const memory = out.data_ptr();
  CHECK(&cat_out(out, {x, y}) == &out);
  CHECK(out.data_ptr() == memory);
  CHECK(equal(out.slice(0, 3), y));
  sum_out(sums, x, {1});
  CHECK(equal(sums, x.sum({1})));
  const auto [v, i] = max_out(values, places, x, 1);
  CHECK(&v == &values);
  CHECK(&i == &places);
  CHECK(equal(values, x.amax({1})));
  CHECK(equal(places, x.argmax(1)));
}

TEST_CASE("out forms refuse a dtype that cannot hold the result") {
  Tensor whole = empty({2}, kLong);
  CHECK_THROWS_WITH(sum_out(whole, ones({2, 2}), {0}),
                    Catch::Matchers::ContainsSubstring("sum_out: the result is float32"));
}

}  // namespace strata::test
