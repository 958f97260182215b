// Tensors whose sizes or memory change in place, what they say about their geometry, and in-place methods on const
// handles, all as in libtorch.
#include <iostream>
#include <sstream>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/tensor_index.h"
#include "ops/view.h"
#include "test/catch.h"
#include "transforms/vmap.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string printed(const Tensor& x) {
  std::ostringstream err;
  std::streambuf* const before = std::cerr.rdbuf(err.rdbuf());
  x.print();
  std::cerr.rdbuf(before);
  return err.str();
}

}  // namespace

TEST_CASE("in-place methods take const handles", "[ops][inplace]") {
  const Tensor x = ones({3}), y = full({3}, 2.0);
  Tensor& same = x.add_(y).mul_(2).clamp_(0, 5).neg_();
  CHECK(&same == &x);
  CHECK(x.equal(full({3}, -5.0)));
  for (const auto& t : std::vector<Tensor>{x, y}) t.zero_().fill_(4);
  CHECK(x.equal(y));
  const Tensor w = ones({2}).requires_grad_();
  (w * 3).sum().backward();
  w.grad().zero_();
  CHECK(w.grad().equal(zeros({2})));
  x.index_put_({0}, y[1] + 1);
  CHECK(x[0].item<float>() == 5);
}

TEST_CASE("data() is a tensor cut off from the graph that shares memory", "[ops]") {
  const Tensor w = ones({2}).requires_grad_();
  const Tensor d = w.data();
  CHECK_FALSE(d.requires_grad());
  CHECK(d.data_ptr() == w.data_ptr());
  w.data().mul_(3);
  CHECK(w.detach().equal(full({2}, 3.0)));
}

TEST_CASE("resize_ keeps what there is and grows the memory", "[ops][resize]") {
  const Tensor x = arange(6).reshape({2, 3}).clone();
  const void* const at = x.data_ptr();
  x.resize_({3});
  CHECK(x.equal(arange(3)));
  CHECK(x.data_ptr() == at);
  x.resize_({3, 2});  // the storage has not become smaller
  CHECK(x.equal(arange(6).reshape({3, 2})));
  x.resize_({100, 100});
  CHECK(x.sizes() == IntArrayRef({100, 100}));
  CHECK(x.flatten().slice(0, 0, 6).equal(arange(6)));
  x.fill_(1);
  CHECK(x.sum().item<int64_t>() == 10000);
  const Tensor like = empty({0}, kLong).resize_as_(x);
  CHECK(like.sizes() == x.sizes());
  CHECK(empty({4}).resize_({}).dim() == 0);
  CHECK(x.resize_({0}).numel() == 0);
}

TEST_CASE("resize_ of a view grows the memory that it shares", "[ops][resize]") {
  const Tensor base = arange(4).clone();
  const Tensor view = base.slice(0, 2);
  view.resize_({6});
  CHECK(base.sizes() == IntArrayRef({4}));
  CHECK(view.slice(0, 0, 2).equal(arange(2, 4)));
  view.zero_();
  CHECK(base.equal(tensor({0, 1, 0, 0})));
}

TEST_CASE("set_ shows other memory", "[ops][resize]") {
  const Tensor source = arange(6).reshape({2, 3}).clone();
  const Tensor x = empty({0}, kLong);
  x.set_(source);
  CHECK(x.is_set_to(source));
  CHECK_FALSE(x.is_set_to(source.t()));
  x.set_(source.storage());
  CHECK(x.equal(arange(6)));
  x.set_(source.storage(), 1, {2, 2}, {3, 1});
  CHECK(x.equal(tensor({1, 2, 4, 5}).reshape({2, 2})));
  x.set_(source.storage(), 2, {4});
  CHECK(x.equal(arange(2, 6)));
  x.set_();
  CHECK(x.sizes() == IntArrayRef({0}));
  CHECK(source.equal(arange(6).reshape({2, 3})));
}

TEST_CASE("resize_ and set_ refuse what they cannot do", "[ops][resize][errors]") {
  const Tensor w = ones({2}).requires_grad_();
  CHECK_THROWS_WITH(w.resize_({3}), ContainsSubstring("cannot resize variables that require grad"));
  CHECK_THROWS_WITH(ones({2}).resize_({-1}), ContainsSubstring("negative"));
  CHECK_THROWS_WITH(ones({2}).set_(arange(3)), ContainsSubstring("the source is int64"));
  CHECK_THROWS_WITH(Tensor().resize_({1}), ContainsSubstring("undefined"));
  CHECK_THROWS_WITH(ones({2}).set_(ones({2}).storage(), 0, {2}, {1, 1}), ContainsSubstring("1 sizes and 2 strides"));
  CHECK_THROWS_WITH(func::vmap([](const Tensor& x) { return x.clone().resize_({3}); })(ones({2, 2})),
                    ContainsSubstring("inside a transform"));
  const Tensor kept = func::vmap([](const Tensor& x) { return x.clone().resize_({2}); })(ones({2, 2}));
  CHECK(kept.sizes() == IntArrayRef({2, 2}));  // nothing changes
  float own[2] = {1, 2};
  CHECK_THROWS_WITH(from_blob(own, {2}).resize_({3}), ContainsSubstring("came from outside"));
}

TEST_CASE("a tensor tells its geometry and its type", "[ops]") {
  const Tensor x = ones({2, 3});
  CHECK(x.is_non_overlapping_and_dense());
  CHECK(x.t().is_non_overlapping_and_dense());
  CHECK_FALSE(x.slice(1, 0, 2).is_non_overlapping_and_dense());
  CHECK_FALSE(ones({1}).expand({3}).is_non_overlapping_and_dense());
  CHECK(x.toString() == "CPUFloatType");
  CHECK(Tensor().toString() == "UndefinedType");
  CHECK(printed(x) == "[CPUFloatType [2, 3]]\n");
  CHECK(printed(Tensor()) == "[UndefinedTensor]\n");
  CHECK(x.options().layout() == kStrided);
  CHECK_FALSE(x.is_meta());
}

TEST_CASE("accessors reach elements by indices", "[ops]") {
  const Tensor x = arange(6).reshape({2, 3}).t();
  const auto a = x.accessor<int64_t, 2>();
  const auto b = x.packed_accessor64<int64_t, 2>();
  const auto c = x.packed_accessor32<int64_t, 2>();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      CHECK(a[i][j] == j * 3 + i);
      CHECK(b[i][j] == a[i][j]);
      CHECK(c[i][j] == a[i][j]);
    }
  a[2][1] = 9;
  CHECK(x[2][1].item<int64_t>() == 9);
  CHECK(a.sizes() == IntArrayRef({3, 2}));
  CHECK_THROWS_WITH((x.accessor<int64_t, 3>()), ContainsSubstring("has 2 dims, asked for 3"));
}
