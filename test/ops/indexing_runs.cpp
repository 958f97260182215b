// Tests that runs of neighbouring places are read and written as one, with the sums of single places.
#include "ops/binary.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

TEST_CASE("runs of neighbours move together, forward and backward") {
  const Tensor x = random({70, 9, 20}, kDouble).requires_grad_();
  const Tensor w = random({70, 9, 22}, kDouble, 2);
  const Tensor at = tensor({3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 19});
  const Tensor y = index_select(x, 2, at);
  (y * w).sum().backward();
  Tensor expected = zeros({70, 9, 20}, kDouble);
  for (int64_t k = 0; k < 22; ++k) {
    CHECK(equal(y.select(2, k), x.select(2, at[k].item<int64_t>())));
    expected.select(2, at[k].item<int64_t>()).add_(w.select(2, k));
  }
  CHECK(equal(x.grad(), expected));
  CHECK(thread_independent([&] { return zeros({70, 9, 20}, kDouble).index_add(2, at, w); }));
}
