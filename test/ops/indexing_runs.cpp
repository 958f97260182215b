// Tests that runs of neighbouring places are read and written as one, with the sums of single places, and that results
// are brought from any base row by row.
#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/indexing.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/scatter_reduce.h"
#include "ops/ternary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("runs of neighbours move together, forward and backward") {
  const Tensor x = random_tensor({70, 9, 20}, kDouble).requires_grad_();
  const Tensor w = random_tensor({70, 9, 22}, kDouble, 2);
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
  const Tensor dense = random_tensor({90, 40}), column = random_tensor({90, 1}), places = randint(0, 90, {200});
  const Tensor source = random_tensor({200, 40}, kFloat, 2), across = randint(0, 40, {90, 70}),
               wide = random_tensor({90, 70}, kFloat, 3);
  for (const Tensor& base : {dense, column.expand({90, 40}), zeros({}).expand({90, 40}), ones({}).expand({90, 40}),
                             random_tensor({40, 90}).t()}) {
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
  Tensor x = random_tensor({50, 30});
  const Tensor before = x.clone(), across = randint(0, 30, {50, 30});
  across[49][29].fill_(30);
  CHECK_THROWS_AS(x.scatter_(1, across, zeros({50, 30})), Error);
  CHECK_THROWS_AS(x.scatter(1, across, zeros({50, 30})), Error);
  CHECK_THROWS_AS(x.gather(1, across), Error);
  CHECK(equal(x, before));
}

TEST_CASE("reductions of whole rows at an index are those of their elements") {
  const Tensor index = tensor({3, 0, 3, 3, 1, 0}, kLong);
  for (const char* how : {"prod", "amax", "amin", "mean"})
    for (const DType dtype : {kFloat, kLong, kBFloat16}) {
      const Tensor x = random_tensor({5, 300}, kFloat, 1, -9, 9).round().to(dtype),
                   source = random_tensor({6, 300}, kFloat, 2, -3, 3).round().to(dtype);
      const Tensor each = index.unsqueeze(1).expand({6, 300}).contiguous();
      CHECK(equal(index_reduce(x, 0, index, source, how), scatter_reduce(x, 0, each, source, how)));
      CHECK(equal(index_reduce(x.t().contiguous(), 1, index, source.t().contiguous(), how),
                  scatter_reduce(x, 0, each, source, how).t()));
    }
  CHECK_THROWS_AS(index_reduce(random_tensor({3, 4}), 0, index, random_tensor({6, 4}), "amax"), Error);
}

TEST_CASE("an expanded index names whole rows and slices, as the same index written out does") {
  const Tensor x = random_tensor({5, 70, 48}), source = random_tensor({5, 90, 48}, kFloat, 2);
  const Tensor slices = randint(0, 70, {1, 90, 1}), rows = randint(0, 70, {5, 90, 1});
  for (const Tensor& few : {slices, rows}) {
    const Tensor index = few.expand({5, 90, 48}), each = index.contiguous();
    Tensor added = x.clone(), largest = x.clone();
    for (int64_t b = 0; b < 5; ++b)
      for (int64_t k = 0; k < 90; ++k) {
        const int64_t at = each[b][k][0].item<int64_t>();
        CHECK(equal(gather(x, 1, index)[b][k], x[b][at]));
        added[b].select(0, at).add_(source[b][k]);
        largest[b].select(0, at).copy_(maximum(largest[b][at], source[b][k]));
      }
    CHECK(equal(scatter_add(x, 1, index, source), added));
    CHECK(equal(x.clone().scatter_add_(1, index, source), added));
    CHECK(equal(scatter_reduce(x, 1, index, source, "amax"), largest));
    CHECK(equal(scatter(x, 1, index, source), scatter(x, 1, each, source)));
    for (const char* how : {"prod", "mean", "amin"})
      CHECK(equal(scatter_reduce(x, 1, index, source, how), scatter_reduce(x, 1, each, source, how)));
    const Tensor part = index.narrow(0, 1, 3).narrow(2, 0, 30);
    CHECK(equal(gather(x, 1, part), gather(x, 1, part.contiguous())));
    CHECK(equal(scatter_add(x, 1, part, source), scatter_add(x, 1, part.contiguous(), source)));
    CHECK(thread_independent([&] { return scatter_add(x, 1, index, source); }));
    CHECK(thread_independent([&] { return scatter_reduce(x, 1, index, source, "amin"); }));
  }
}

TEST_CASE("the NaNs and zeros of long rows are joined as single elements are") {
  const Tensor special = tensor({0.0F, -0.0F, NAN, -INFINITY, 1.0F});
  const Tensor x = special.repeat({8}).expand({3, 40}).contiguous(),
               source = special.repeat_interleave(8).expand({4, 40});
  const Tensor index = tensor({0, 2, 0, 2}).unsqueeze(1).expand({4, 40});
  for (const char* how : {"amax", "amin"}) {
    const Tensor y = scatter_reduce(x, 0, index, source.contiguous(), how),
                 expected = scatter_reduce(x, 0, index.contiguous(), source.contiguous(), how);
    CHECK(equal(y.view(kInt), expected.view(kInt)));
  }
}

TEST_CASE("a few labels a row are read and written in any layout") {
  for (int64_t n : {1, 3}) {
    const Tensor x = random_tensor({600, 50}), labels = randint(0, 50, {600, n}),
                 source = random_tensor({600, n}, kFloat, 2);
    const Tensor turned = x.t().contiguous().t(), turned_labels = labels.t().contiguous().t();
    Tensor written = x.clone(), added = x.clone();
    for (int64_t r = 0; r < 600; ++r)
      for (int64_t k = 0; k < n; ++k) {
        const int64_t at = labels[r][k].item<int64_t>();
        CHECK(gather(x, 1, labels)[r][k].item<float>() == x[r][at].item<float>());
        written[r].select(0, at).copy_(source[r][k]);
        added[r].select(0, at).add_(source[r][k]);
      }
    CHECK(equal(gather(turned, 1, turned_labels), gather(x, 1, labels)));
    for (const Tensor& base : {x, turned})
      for (const Tensor& index : {labels, turned_labels}) {
        CHECK(equal(scatter(base, 1, index, source), written));
        CHECK(equal(scatter_add(base, 1, index, source), added));
        CHECK(equal(base.clone().scatter_add_(1, index, source), added));
      }
    CHECK(thread_independent([&] {
      return gather(random_tensor({40000, 5}), 1, labels.narrow(1, 0, 1).repeat({60, 1}).remainder(5));
    }));
    for (int64_t wrong : {-1, 50}) {
      const Tensor bad = labels.clone();
      bad.select(0, 599).fill_(wrong);
      CHECK_THROWS_AS(gather(x, 1, bad), Error);
      Tensor kept = x.clone();
      CHECK_THROWS_AS(kept.scatter_(1, bad, source), Error);
      CHECK(equal(kept, x));
    }
  }
}

TEST_CASE("the mean at an index counts slices") {
  const Tensor x = random_tensor({7, 5, 40}), source = random_tensor({7, 9, 40}, kFloat, 2),
               at = tensor({0, 3, 3, 0, 1, 3, 0, 0, 1});
  for (const Tensor& index : {at, at.to(kInt)})
    for (bool include_self : {true, false}) {
      const Tensor each = at.reshape({1, 9, 1}).expand({7, 9, 40});
      CHECK(equal(index_reduce(x, 1, index, source, "mean", include_self),
                  scatter_reduce(x, 1, each, source, "mean", include_self)));
      const Tensor whole = (x * 100).to(kInt), more = (source * 100).to(kInt);
      CHECK(equal(index_reduce(whole, 1, index, more, "mean", include_self),
                  scatter_reduce(whole, 1, each, more, "mean", include_self)));
    }
  CHECK_THROWS_WITH(index_reduce(x, 1, at + 2, source, "mean"), Catch::Matchers::StartsWith("index_reduce"));
  CHECK_THROWS_AS(index_reduce(x, 1, at + 2, source, "mean"), Error);
}

TEST_CASE("rows that are added in a cache, alone or with others, and few among many have the same sums") {
  const Tensor source = random_tensor({400, 64}, kFloat, 2), x = random_tensor({50, 64}),
               many = random_tensor({2000, 64}, kFloat, 3);
  const Tensor places = randint(0, 50, {400});
  for (const Tensor& base : {x, many, zeros({}).expand({2000, 64})}) {
    Tensor expected = base.clone();
    for (int64_t k = 0; k < 400; ++k) expected.select(0, places[k].item<int64_t>()).add_(source.select(0, k));
    CHECK(equal(index_add(base, 0, places, source), expected));
    CHECK(thread_independent([&] { return index_add(base, 0, places, source); }));
  }
  for (DType t : {kByte, kBFloat16, kDouble, kComplexDouble})
    for (int64_t n : {2, 5, 64, 300}) {
      const Tensor rows = (random_tensor({60, n}) * 100).to(t), picked = index_select(rows, 0, places);
      for (int64_t k : {0, 1, 200, 398, 399}) CHECK(equal(picked[k], rows[places[k].item<int64_t>()]));
    }
}

TEST_CASE("one value written under a mask goes to the places that the mask has") {
  const Tensor x = random_tensor({6, 5, 4}, kDouble).requires_grad_(), value = tensor(2.5).requires_grad_();
  for (const Tensor& mask : {random_tensor({6}) > 0, random_tensor({6, 5}) > 0, random_tensor({6, 5, 4}) > 0}) {
    DimVector sizes = mask.sizes();
    while (sizes.size() < 3) sizes.push_back(1);
    const Tensor wide = mask.reshape(sizes).expand({6, 5, 4}), w = random_tensor({6, 5, 4}, kDouble, 2);
    const Tensor y = index_put(x, {mask}, value);
    CHECK(equal(y, where(wide, value, x)));
    const auto grads = autograd::grad({(y * w).sum()}, {x, value});
    CHECK(equal(grads[0], w.masked_fill(wide, 0)));
    CHECK(grads[1].item<double>() == Approx(w.masked_select(wide).sum().item<double>()));
    Tensor whole = arange(120).reshape({6, 5, 4});
    whole.index_put_({mask}, tensor(7.9));
    CHECK(equal(whole, arange(120).reshape({6, 5, 4}).masked_fill(wide, 7)));
  }
  CHECK_THROWS_WITH(index_put(x, {random_tensor({5}) > 0}, value),
                    ContainsSubstring("a mask of shape (5,) does not fit"));
}
