// Tests of indexing: gather and scatter against naive loops, mixed indices against PyTorch's results, errors, threads.
#include "ops/indexing.h"

#include <functional>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/random.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using namespace strata::indexing;
using Catch::Matchers::ContainsSubstring;

namespace {

struct IndexingCase {
  std::function<Tensor()> run;
  DimVector sizes;
  Values expected;
};

}  // namespace

TEST_CASE("mixed indices give what PyTorch gives") {
  const Tensor x = counted({2, 3, 4}, kLong);
  const Tensor mask = tensor({{true, false, true}, {false, true, false}}), rows = tensor({false, true, true});
  const Tensor place = longs({1, -2, 0}), column = longs({0, 2}).reshape({2, 1}), row = longs({1, 0});
  const Tensor even = longs({0, 0}).reshape({2, 1});
  const std::vector<IndexingCase> cases = {
      {[&] { return x.index({1}); }, {3, 4}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
      {[&] {
         return x.index({-1, Slice(1, None)});
       },
       {2, 4},
       {16, 17, 18, 19, 20, 21, 22, 23}},
      {[&] {
         return x.index({Slice(), 2, Slice(None, None, 3)});
       },
       {2, 2},
       {8, 11, 20, 23}},
      {[&] {
         return x.index({"...", 1});
       },
       {2, 3},
       {1, 5, 9, 13, 17, 21}},
      {[&] {
         return x.index({None, 1, Ellipsis, None});
       },
       {1, 3, 4, 1},
       {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
      {[&] {
         return x.index({Slice(-5, 100), Slice(2, 1)});
       },
       {2, 0, 4},
       {}},
      {[&] { return x.index({row}); }, {2, 3, 4}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                                   0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11}},
      {[&] {
         return x.index({Slice(), place});
       },
       {2, 3, 4},
       {4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 2, 3, 16, 17, 18, 19, 16, 17, 18, 19, 12, 13, 14, 15}},
      {[&] {
         return x.index({row, Slice(), row});
       },
       {2, 3},
       {13, 17, 21, 0, 4, 8}},
      {[&] {
         return x.index({Slice(), place, place});
       },
       {2, 3},
       {5, 6, 0, 17, 18, 12}},
      {[&] {
         return x.index({0, Slice(), place});
       },
       {3, 3},
       {1, 2, 0, 5, 6, 4, 9, 10, 8}},
      {[&] {
         return x.index({row, 1});
       },
       {2, 4},
       {16, 17, 18, 19, 4, 5, 6, 7}},
      {[&] {
         return x.index({Slice(), column, place});
       },
       {2, 2, 3},
       {1, 2, 0, 9, 10, 8, 13, 14, 12, 21, 22, 20}},
      {[&] { return x.index({mask}); }, {3, 4}, {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19}},
      {[&] {
         return x.index({Slice(), rows});
       },
       {2, 2, 4},
       {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23}},
      {[&] {
         return x.index({mask, Slice(1, 3)});
       },
       {3, 2},
       {1, 2, 9, 10, 17, 18}},
      {[&] {
         return x.index({row, None, Slice(), row});
       },
       {2, 1, 3},
       {13, 17, 21, 0, 4, 8}},
      {[&] {
         return x.index({Ellipsis, place});
       },
       {2, 3, 3},
       {1, 2, 0, 5, 6, 4, 9, 10, 8, 13, 14, 12, 17, 18, 16, 21, 22, 20}},
      {[&] { return x.index({true}); }, {1, 2, 3, 4}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                       12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
      {[&] { return x.index({false}); }, {0, 2, 3, 4}, {}},
      {[&] {
         return x.index({even, "...", row});
       },
       {2, 2, 3},
       {1, 5, 9, 0, 4, 8, 1, 5, 9, 0, 4, 8}},
      {[&] {
         return x.index({1, rows, 3});
       },
       {2},
       {19, 23}},
      {[&] {
         return x.index({Slice(), rows, row});
       },
       {2, 2},
       {5, 8, 17, 20}},
      {[&] {
         return x.index({None, row, None, longs({2, 1})});
       },
       {2, 1, 1, 4},
       {20, 21, 22, 23, 4, 5, 6, 7}},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    const Tensor got = cases[i].run();
    CHECK(got.sizes() == IntArrayRef(cases[i].sizes));
    CHECK(values(got) == cases[i].expected);
  }
}

TEST_CASE("indices without tensors give views, others copies") {
  Tensor x = counted({3, 4});
  x.index({1, Slice(1, 3)}).fill_(-1);
  CHECK(values(x[1]) == Values{4, -1, -1, 7});
  x.index({longs({0})}).fill_(9);
  CHECK(x[0][0].item<float>() == 0);
  CHECK(x[longs({2, 0})].sizes() == IntArrayRef({2, 4}));
  Tensor whole = x.index({Slice(), Slice()});
  whole.zero_();
  CHECK(x.sum().item<float>() == 0);
  CHECK(counted({3, 4}).index({tensor(2), tensor(1)}).item<float>() == 9);
}

TEST_CASE("index_put_ writes through slices, masks and index tensors") {
  Tensor x = counted({3, 4});
  x.index_put_({Slice(0, 2), 1}, 100);
  CHECK(values(x) == Values{0, 100, 2, 3, 4, 100, 6, 7, 8, 9, 10, 11});
  x.index_put_({x.gt(50)}, -1);
  CHECK(values(x) == Values{0, -1, 2, 3, 4, -1, 6, 7, 8, 9, 10, 11});
  x.index_put_({longs({2, 0}), Slice(2, None)}, tensor({{1., 2.}, {3., 4.}}));
  CHECK(values(x) == Values{0, -1, 3, 4, 4, -1, 6, 7, 8, 9, 1, 2});
  x.index_put_({"...", longs({0, 3}), None}, tensor({5., 6.}).reshape({2, 1}));
  CHECK(values(x) == Values{5, -1, 3, 6, 5, -1, 6, 6, 5, 9, 1, 6});
  Tensor y = zeros({2, 3, 4});
  y.index_put_({longs({0, 1}), Slice(), longs({3, 0})}, tensor({{1., 2., 3.}, {4., 5., 6.}}));
  CHECK(values(y.index({0, Slice(), 3})) == Values{1, 2, 3});
  CHECK(values(y.index({1, Slice(), 0})) == Values{4, 5, 6});
  CHECK(y.sum().item<float>() == 21);
  Tensor z = zeros({4});
  index_put_(z, {longs({1, 1, 3})}, tensor({1., 2., 4.}), true);
  CHECK(values(z) == Values{0, 3, 0, 4});
  index_put_(z, {Slice(1, 3)}, tensor({1.}), true);
  CHECK(values(z) == Values{0, 4, 1, 4});
}

TEST_CASE("wrong indices throw IndexError and write nothing") {
  Tensor x = counted({3, 4});
  const Tensor before = x.clone();
  CHECK_THROWS_AS(x.index({3}), IndexError);
  CHECK_THROWS_AS(x.index({0, -5}), IndexError);
  CHECK_THROWS_AS(x.index({0, 0, 0}), IndexError);
  CHECK_THROWS_AS(x.index({Ellipsis, 0, "..."}), IndexError);
  CHECK_THROWS_AS(x.index({longs({0, 3})}), IndexError);
  CHECK_THROWS_AS(x.index({tensor({true, false})}), IndexError);
  CHECK_THROWS_AS(x.index({tensor({0.5})}), IndexError);
  CHECK_THROWS_AS(x.index({longs({0, 1}), longs({0, 1, 2})}), Error);
  CHECK_THROWS_AS(x.index({Slice(None, None, 0)}), Error);
  CHECK_THROWS_AS(x.index_put_({longs({0, 1, 3})}, 7), IndexError);
  CHECK_THROWS_AS(x.scatter_(0, longs({0, 1, 2, 3}).reshape({1, 4}), zeros({1, 4})), Error);
  CHECK_THROWS_AS(x.index_add_(1, longs({0, 4}), ones({3, 2})), IndexError);
  CHECK_THROWS_AS(x.index_put_({Slice(), longs({0, 1})}, zeros({3, 3})), Error);
  CHECK_THROWS_AS(x.index_select(0, longs({-1})), IndexError);
  CHECK_THROWS_AS(embedding(x, longs({0, 3})), IndexError);
  CHECK_THROWS_AS(embedding(x, longs({-1})), IndexError);
  CHECK_THROWS_AS(x.gather(0, longs({1})), Error);
  CHECK_THROWS_AS(x.gather(0, ones({1, 5}, kLong)), Error);
  CHECK_THROWS_AS(x.masked_fill(ones({3, 4}), 0), Error);
  CHECK_THROWS_AS(one_hot(longs({0, 5}), 3), Error);
  CHECK_THROWS_WITH(x.index({7}), "index: index 7 is out of bounds for dimension 0 with size 3");
  CHECK_THROWS_WITH(tensor(1.0).index({0}), ContainsSubstring("invalid index of a 0-dim tensor"));
  CHECK_THROWS_WITH(x.index({0, 0, 0}), ContainsSubstring("too many indices for tensor of dimension 2"));
  CHECK_THROWS_WITH(x.index_put_({longs({0, 1})}, ones({5})), ContainsSubstring("shape mismatch"));
  CHECK(x.equal(before));
}

TEST_CASE("gather and scatter equal their loops in every dim") {
  manual_seed(1);
  const Tensor x = randn({3, 4, 5}, kDouble);
  for (int64_t dim = 0; dim < 3; ++dim)
    for (const bool transposed : {false, true}) {
      INFO("dim " << dim << ", transposed " << transposed);
      DimVector sizes{2, 3, 4};
      const Tensor index = randint(0, x.size(dim), sizes);
      const Tensor source = transposed ? randn({4, 3, 2}, kDouble).transpose(0, 2) : randn(sizes, kDouble);
      const Tensor got = x.gather(dim, index), put = x.scatter(dim, index, source),
                   added = x.scatter_add(dim, index, source);
      Tensor expected_put = x.clone(), expected_added = x.clone();
      const auto at = index.accessor<int64_t, 3>();
      const auto to = expected_put.accessor<double, 3>(), sum = expected_added.accessor<double, 3>();
      const auto from = source.accessor<double, 3>(), in = x.accessor<double, 3>(), out = got.accessor<double, 3>();
      for (int64_t i = 0; i < 2; ++i)
        for (int64_t j = 0; j < 3; ++j)
          for (int64_t k = 0; k < 4; ++k) {
            const int64_t n = at[i][j][k], a = dim == 0 ? n : i, b = dim == 1 ? n : j, c = dim == 2 ? n : k;
            CHECK(out[i][j][k] == in[a][b][c]);
            to[a][b][c] = from[i][j][k];
            sum[a][b][c] += from[i][j][k];
          }
      CHECK(put.equal(expected_put));
      CHECK(added.allclose(expected_added, 1e-14, 1e-14));
    }
}

TEST_CASE("slices by index: select, add, copy, fill") {
  const Tensor x = counted({3, 4}), i = longs({2, 0, 2});
  CHECK(values(x.index_select(0, i)) == Values{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
  CHECK(values(x.t().index_select(0, longs({3}))) == Values{3, 7, 11});
  CHECK(values(x.index_select(1, longs({1, 1}))) == Values{1, 1, 5, 5, 9, 9});
  CHECK(values(x.index_add(0, i, ones({3, 4}), 2)) == Values{2, 3, 4, 5, 4, 5, 6, 7, 12, 13, 14, 15});
  CHECK(values(index_copy(x, 1, longs({3}), zeros({3, 1}))) == Values{0, 1, 2, 0, 4, 5, 6, 0, 8, 9, 10, 0});
  CHECK(values(index_fill(x, 0, longs({1}), -1)) == Values{0, 1, 2, 3, -1, -1, -1, -1, 8, 9, 10, 11});
  CHECK(values(take(x, longs({-1, 0}))) == Values{11, 0});
  CHECK(values(take_along_dim(x, longs({1, 0, 3}).reshape({3, 1}), 1)) == Values{1, 4, 11});
  CHECK(tensor(3.0).index_select(0, longs({0})).dim() == 0);
  CHECK(tensor(3.0).gather(0, tensor(0)).item<float>() == 3);
  CHECK(x.index_select(0, longs({})).sizes() == IntArrayRef({0, 4}));
}

TEST_CASE("sums of integers wrap around, those of bools are or") {
  const Tensor most = full({1}, INT64_MAX);
  CHECK(most.index_add(0, longs({0}), ones({1}, kLong)).item<int64_t>() == INT64_MIN);
  CHECK(full({1}, 255, kUInt8).scatter_add(0, longs({0}), ones({1}, kUInt8)).item<int64_t>() == 0);
  CHECK(values(zeros({2}, kBool).index_add(0, longs({1, 1}), ones({2}, kBool))) == Values{0, 1});
  CHECK_THROWS_AS(most.index_select(0, most), IndexError);
  CHECK_THROWS_AS(most[full({1}, INT64_MIN)], IndexError);
}

TEST_CASE("16-bit sums are rounded once") {
  for (DType type : {kHalf, kBFloat16}) {
    const Tensor at = zeros({1000}, kLong), ones_ = ones({1000}, type);
    CHECK(zeros({1}, type).index_add(0, at, ones_).item<double>() == 1000);
    CHECK(zeros({1}, type).scatter_add(0, at, ones_).item<double>() == 1000);
    Tensor x = zeros({2, 1}, type).t();
    x.index_add_(1, at, ones({1, 1000}, type));
    CHECK(values(x) == Values{1000, 0});
  }
}

TEST_CASE("masks") {
  const Tensor x = counted({2, 3}), mask = tensor({true, false, true});
  CHECK(values(x.masked_fill(mask, -1)) == Values{-1, 1, -1, -1, 4, -1});
  CHECK(values(x.masked_fill(mask, tensor(7.0))) == Values{7, 1, 7, 7, 4, 7});
  CHECK(values(x.masked_select(mask)) == Values{0, 2, 3, 5});
  CHECK(values(masked_scatter(x, mask, tensor({10., 20., 30., 40., 50.}))) == Values{10, 1, 20, 30, 4, 40});
  CHECK_THROWS_AS(masked_scatter(x, mask, tensor({10.})), Error);
  CHECK(values(x.nonzero()) == Values{0, 1, 0, 2, 1, 0, 1, 1, 1, 2});
  CHECK(tensor(1.0).nonzero().sizes() == IntArrayRef({1, 0}));
  CHECK(zeros({3, 0}).nonzero().sizes() == IntArrayRef({0, 2}));
  Tensor y = counted({2, 3});
  y.t().masked_fill_(mask.unsqueeze(1), 0);
  CHECK(values(y) == Values{0, 1, 0, 0, 4, 0});
  CHECK_THROWS_AS(y[0].masked_fill_(ones({2, 3}, kBool), 0), Error);
}

TEST_CASE("in-place forms equal the others") {
  const Tensor x = counted({3, 4}), i = longs({2, 0}), source = ones({2, 4}), mask = x.gt(6);
  CHECK(x.clone().index_add_(0, i, source).equal(x.index_add(0, i, source)));
  CHECK(x.clone().index_copy_(0, i, source).equal(x.index_copy(0, i, source)));
  CHECK(x.clone().index_fill_(0, i, 5).equal(x.index_fill(0, i, 5)));
  CHECK(x.clone().masked_fill_(mask, tensor(2.0)).equal(x.masked_fill(mask, 2)));
  CHECK(x.clone().masked_scatter_(mask, x).equal(x.masked_scatter(mask, x)));
  CHECK(x.clone()
            .scatter_(1, longs({3, 0, 1}).reshape({3, 1}), -1)
            .equal(x.scatter(1, longs({3, 0, 1}).reshape({3, 1}), -1)));
  Tensor y = x.clone();
  y.t().scatter_add_(0, longs({3, 0, 1}).reshape({1, 3}), ones({1, 3}));
  CHECK(values(y) == Values{0, 1, 2, 4, 5, 5, 6, 7, 8, 10, 10, 11});
  CHECK_THROWS_AS(y.masked_scatter_(ones({2, 3, 4}, kBool), x), Error);
}

TEST_CASE("gradients pass through in-place writes as in PyTorch") {
  const Tensor x = counted({3, 4}, kDouble).requires_grad_();
  Tensor y = x * 2;
  y.index_put_({Slice(), 1}, 0.0);
  y.index({0}).mul_(3);
  y.index_put_({longs({1, 2}), longs({0, 3})}, tensor({5., 6.}, kDouble));
  y.masked_fill_(y.gt(20), 1.0);
  y.square().sum().backward();
  CHECK(values(x.grad()) == Values{0, 0, 144, 216, 0, 0, 48, 56, 64, 0, 80, 0});
  const Tensor a = counted({2, 3}, kDouble).requires_grad_(), v = ones({2}, kDouble).requires_grad_();
  Tensor z = a.clone();
  z.select(1, 1).copy_(v * 3);
  z.slice(1, 0, 3, 2).mul_(2);
  (z * z).sum().backward();
  CHECK(values(a.grad()) == Values{0, 0, 16, 24, 0, 40});
  CHECK(values(v.grad()) == Values{18, 18});
}

TEST_CASE("embedding and one_hot") {
  Tensor weight = counted({4, 2}, kDouble).requires_grad_();
  const Tensor at = longs({1, 3, 1, 0}).reshape({2, 2});
  CHECK(values(embedding(weight, at)) == Values{2, 3, 6, 7, 2, 3, 0, 1});
  embedding(weight, at).sum().backward();
  CHECK(values(weight.grad()) == Values{1, 1, 2, 2, 0, 0, 1, 1});
  weight.mutable_grad() = Tensor();
  embedding(weight, at, 1).sum().backward();
  CHECK(values(weight.grad()) == Values{1, 1, 0, 0, 0, 0, 1, 1});
  weight.mutable_grad() = Tensor();
  embedding(weight, at, -1, true).sum().backward();
  CHECK(values(weight.grad()) == Values{1, 1, 1, 1, 0, 0, 1, 1});
  CHECK(embedding(weight, at.to(kInt)).sizes() == IntArrayRef({2, 2, 2}));
  CHECK(values(one_hot(longs({2, 0}), 3)) == Values{0, 0, 1, 1, 0, 0});
  CHECK(one_hot(longs({2, 0})).sizes() == IntArrayRef({2, 3}));
}

TEST_CASE("sums at repeated indices do not depend on the number of threads") {
  manual_seed(3);
  const Tensor rows = randn({20000, 16}), at = randint(0, 97, {20000}), wide = randint(0, 16, {20000, 16});
  CHECK(thread_independent([&] { return zeros({97, 16}).index_add(0, at, rows); }));
  CHECK(thread_independent([&] { return zeros({16, 97}).index_add(1, at, rows.t()); }));
  CHECK(thread_independent([&] { return zeros({97, 16}).scatter_add(0, at.unsqueeze(1).expand({20000, 16}), rows); }));
  CHECK(thread_independent([&] { return zeros({20000, 16}).scatter_add(1, wide, rows); }));
  CHECK(thread_independent([&] { return rows.index_select(0, at); }));
}
