// Tensors on meta: shapes and dtypes without memory.
#include <strata/strata.h>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("ops on meta tensors infer shapes") {
  const Tensor x = empty({4, 3, 8, 8}, kMeta), w = zeros({6, 3, 3, 3}, kMeta);
  CHECK((x.is_meta() && x.device() == Device("meta") && !x.has_storage()));
  const Tensor y = conv2d(x, w).relu() + 1;
  CHECK((y.is_meta() && y.sizes() == IntArrayRef({4, 6, 6, 6})));
  CHECK(y.flatten(1).sizes() == IntArrayRef({4, 216}));
  CHECK(y.mean({2, 3}).matmul(empty({6, 2}, kMeta)).sizes() == IntArrayRef({4, 2}));
  CHECK(ones({2}, TensorOptions(kInt).device(kMeta)).sum().dtype() == kLong);
  Tensor z = zeros_like(y);
  z.add_(y).mul_(2);
  z[0].fill_(1);
  CHECK(z.is_meta());
}

TEST_CASE("meta tensors have no values to give") {
  const Tensor x = ones({2, 2}, kMeta);
  CHECK_THROWS_WITH(x.to(kCPU), ContainsSubstring("Cannot copy out of meta tensor; no data!"));
  CHECK_THROWS_WITH(x.nonzero(), ContainsSubstring("depends on values"));
  CHECK_THROWS_AS(x.sum().item(), Error);
}

TEST_CASE("a gradient on meta has its tensor's shape") {
  const Tensor x = ones({2, 3}, TensorOptions(kMeta).requires_grad(true));
  (x * 2).sum().backward();
  CHECK((x.grad().is_meta() && x.grad().sizes() == IntArrayRef({2, 3})));
}
