// Tests that runs of neighbouring places are read and written as one, with the sums of single places, and that results
// are brought from any base row by row.
#include "ops/binary.h"
#include "ops/indexing.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/scatter_reduce.h"
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

TEST_CASE("what is added to rows comes on top of any base") {
  const Tensor dense = random({90, 40}), column = random({90, 1}), places = randint(0, 90, {200});
  const Tensor source = random({200, 40}, kFloat, 2), across = randint(0, 40, {90, 70}),
               wide = random({90, 70}, kFloat, 3);
  for (const Tensor& base :
       {dense, column.expand({90, 40}), zeros({}).expand({90, 40}), ones({}).expand({90, 40}), random({40, 90}).t()}) {
    Tensor by_index = base.clone(), by_scatter = base.clone(), last = base.clone();
    for (int64_t k = 0; k < 200; ++k) by_index.select(0, places[k].item<int64_t>()).add_(source.select(0, k));
    for (int64_t r = 0; r < 90; ++r)
      for (int64_t c = 0; c < 70; ++c) {
        const int64_t at = across[r][c].item<int64_t>();
        by_scatter[r].select(0, at).add_(wide[r][c]);
        last[r].select(0, at).copy_(wide[r][c]);
      }
    CHECK(equal(base.index_add(0, places, source), by_index));
    CHECK(equal(base.t().index_add(1, places, source.t()), by_index.t()));
    CHECK(equal(base.scatter_add(1, across, wide), by_scatter));
    CHECK(equal(base.scatter(1, across, wide), last));
    CHECK(equal(base.clone().scatter_add_(1, across, wide), by_scatter));
  }
}

TEST_CASE("a wrong index leaves what is written in place as it was") {
  Tensor x = random({50, 30});
  const Tensor before = x.clone(), across = randint(0, 30, {50, 30});
  across[49][29].fill_(30);
  CHECK_THROWS_AS(x.scatter_(1, across, zeros({50, 30})), IndexError);
  CHECK_THROWS_AS(x.scatter(1, across, zeros({50, 30})), IndexError);
  CHECK_THROWS_AS(x.gather(1, across), IndexError);
  CHECK(equal(x, before));
}

TEST_CASE("reductions of whole rows at an index are those of their elements") {
  const Tensor index = tensor({3, 0, 3, 3, 1, 0}, kLong);
  for (const char* how : {"prod", "amax", "amin", "mean"})
    for (const DType dtype : {kFloat, kLong, kBFloat16}) {
      const Tensor x = random({5, 300}, kFloat, 1, -9, 9).round().to(dtype),
                   source = random({6, 300}, kFloat, 2, -3, 3).round().to(dtype);
      const Tensor each = index.unsqueeze(1).expand({6, 300}).contiguous();
      CHECK(equal(index_reduce(x, 0, index, source, how), scatter_reduce(x, 0, each, source, how)));
      CHECK(equal(index_reduce(x.t().contiguous(), 1, index, source.t().contiguous(), how),
                  scatter_reduce(x, 0, each, source, how).t()));
    }
  CHECK_THROWS_AS(index_reduce(random({3, 4}), 0, index, random({6, 4}), "amax"), IndexError);
}
