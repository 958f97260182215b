// Tests of joining, padding, repeating, flipping and of the adjoints of views.
#include "ops/shaping.h"

#include <algorithm>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/random.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The elements of counted(sizes).permute(order), by index arithmetic.
Values permuted(IntArrayRef sizes, const std::vector<int64_t>& order) {
  const DimVector strides = contiguous_strides(sizes);
  Values out;
  const int64_t n = numel_of(sizes);
  for (int64_t i = 0; i < n; ++i) {
    int64_t left = i, at = 0;
    for (size_t d = order.size(); d-- > 0; left /= sizes[order[d]]) at += left % sizes[order[d]] * strides[order[d]];
    out.push_back(static_cast<double>(at));
  }
  return out;
}

double dot_of(const Tensor& a, const Tensor& b) { return a.mul(b).sum().item<double>(); }

}  // namespace

TEST_CASE("cat and stack") {
  const Tensor a = counted({2, 2}), b = counted({1, 2}).add(10);
  CHECK(values(cat({a, b})) == Values{0, 1, 2, 3, 10, 11});
  CHECK(values(cat({a, a.t()}, -1)) == Values{0, 1, 0, 2, 2, 3, 1, 3});
  CHECK(values(cat({a, empty({0}), b}, 0)) == Values{0, 1, 2, 3, 10, 11});
  CHECK(cat({a, a.to(kDouble)}).dtype() == kDouble);
  CHECK(cat({tensor({1}), tensor({true})}).dtype() == kLong);
  CHECK(cat({empty({0}), empty({0})}).sizes() == IntArrayRef({0}));
  CHECK(values(cat({a.expand({3, 2, 2}), zeros({0, 2, 2})})).size() == 12);
  CHECK(values(stack({a[0], a[1], a[0]}, 1)) == Values{0, 2, 0, 1, 3, 1});
  CHECK(stack({tensor(1.), tensor(2.)}).sizes() == IntArrayRef({2}));
  CHECK(hstack({a[0], a[1]}).sizes() == IntArrayRef({4}));
  CHECK(hstack({a, a}).sizes() == IntArrayRef({2, 4}));
  CHECK(vstack({a[0], a}).sizes() == IntArrayRef({3, 2}));
  CHECK_THROWS_WITH(
      cat({a, counted({2, 3})}),
      "cat: Sizes of tensors must match except in dimension 0, but tensor 1 has shape (2, 3), tensor 0 has (2, 2)");
  CHECK_THROWS_AS(cat({}), Error);
  CHECK_THROWS_AS(cat({tensor(1.), tensor(2.)}), Error);
  CHECK_THROWS_AS(cat({a, b}, 2), IndexError);
  CHECK_THROWS_AS(stack({a, b}), Error);
}

TEST_CASE("pad in every mode, in the order of torch.nn.functional.pad") {
  const Tensor x = counted({2, 3});
  CHECK(values(pad(x, {1, 2}, "constant", -1)) == Values{-1, 0, 1, 2, -1, -1, -1, 3, 4, 5, -1, -1});
  CHECK(values(pad(x, {0, 0, 1, 0})) == Values{0, 0, 0, 0, 1, 2, 3, 4, 5});
  CHECK(values(constant_pad_nd(x, {-1, 1, -1, 0}, 9)) == Values{4, 5, 9});
  CHECK(values(pad(x, {2, 1}, "reflect")) == Values{2, 1, 0, 1, 2, 1, 5, 4, 3, 4, 5, 4});
  CHECK(values(pad(x, {2, 1}, "replicate")) == Values{0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5});
  CHECK(values(pad(x, {2, 1}, "circular")) == Values{1, 2, 0, 1, 2, 0, 4, 5, 3, 4, 5, 3});
  CHECK(values(pad(x, {1, 1, 1, 1}, "reflect")) == Values{4, 3, 4, 5, 4, 1, 0, 1, 2, 1, 4, 3, 4, 5, 4, 1, 0, 1, 2, 1});
  CHECK(pad(counted({2, 0}), {1, 1}).sizes() == IntArrayRef({2, 2}));
  CHECK_THROWS_AS(pad(x, {3, 0}, "reflect"), Error);
  CHECK_THROWS_AS(pad(x, {4, 0}, "circular"), Error);
  CHECK_THROWS_AS(pad(x, {1}), Error);
  CHECK_THROWS_AS(pad(x, {1, 1, 1, 1, 1, 1}), Error);
  CHECK_THROWS_AS(pad(x, {-2, -2}), Error);
  CHECK_THROWS_AS(pad(x, {1, 1}, "mirror"), Error);
}

TEST_CASE("flip, roll, repeat") {
  const Tensor x = counted({2, 3});
  CHECK(values(flip(x, {1})) == Values{2, 1, 0, 5, 4, 3});
  CHECK(values(flip(x.t(), {0, 1})) == Values{5, 2, 4, 1, 3, 0});
  CHECK(values(fliplr(x)) == values(flip(x, {-1})));
  CHECK(values(roll(x, {1}, {1})) == Values{2, 0, 1, 5, 3, 4});
  CHECK(values(roll(x, {-1, 1}, {0, 1})) == Values{5, 3, 4, 2, 0, 1});
  CHECK(values(roll(x, {7})) == Values{5, 0, 1, 2, 3, 4});
  CHECK(values(x.repeat({1, 2})) == Values{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(x.repeat({2, 1, 3}).sizes() == IntArrayRef({2, 2, 9}));
  CHECK(x.repeat({0, 1}).sizes() == IntArrayRef({0, 3}));
  CHECK(values(x[0].tile({2})) == Values{0, 1, 2, 0, 1, 2});
  CHECK(x.tile({2}).sizes() == IntArrayRef({2, 6}));
  CHECK(values(x.repeat_interleave(2, 0)) == Values{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(values(x[0].repeat_interleave(2)) == Values{0, 0, 1, 1, 2, 2});
  CHECK(values(repeat_interleave(x, tensor({0, 2, 1}), 1)) == Values{1, 1, 2, 4, 4, 5});
  CHECK_THROWS_AS(flip(x, {0, 0}), Error);
  CHECK_THROWS_AS(x.repeat({2}), Error);
  CHECK_THROWS_AS(roll(x, {1, 2}, {0}), Error);
  CHECK_THROWS_AS(repeat_interleave(x, tensor({1, -1, 1}), 1), Error);
  CHECK_THROWS_AS(repeat_interleave(x, tensor({INT64_MAX, INT64_MAX, int64_t{1}}), 1), Error);
  CHECK(repeat_interleave(x, tensor({0, 0, 0}), 1).sizes() == IntArrayRef({2, 0}));
}

TEST_CASE("copies do not alias their input") {
  Tensor x = counted({2, 2});
  const std::vector<Tensor> copies = {x.repeat({1, 1}),          flip(x, {}), roll(x, {0}, {0}),
                                      x.repeat_interleave(1, 0), cat({x}),    pad(x, {0, 0})};
  x.zero_();
  for (const Tensor& c : copies) CHECK(values(c) == Values{0, 1, 2, 3});
}

TEST_CASE("blocks on a diagonal, of more rows than are written in one go") {
  const std::vector<Tensor> blocks = {rand({40, 2000}), rand({3, 1}), rand({30, 1500})};
  const Tensor all = block_diag(blocks);
  REQUIRE(all.sizes() == IntArrayRef({73, 3501}));
  Tensor expected = zeros({73, 3501});
  for (int64_t k = 0, top = 0, left = 0; k < 3; top += blocks[k].size(0), left += blocks[k].size(1), ++k)
    expected.narrow(0, top, blocks[k].size(0)).narrow(1, left, blocks[k].size(1)).copy_(blocks[k]);
  CHECK(all.equal(expected));
  CHECK(thread_independent([&] { return block_diag(blocks); }));
}

TEST_CASE("combinations come in the order of their places") {
  Values chosen, repeated;
  for (int a = 0; a < 5; ++a)
    for (int b = a; b < 5; ++b)
      for (int c = b; c < 5; ++c) {
        repeated.insert(repeated.end(), {a + 0.0, b + 0.0, c + 0.0});
        if (a < b && b < c) chosen.insert(chosen.end(), {a + 0.0, b + 0.0, c + 0.0});
      }
  CHECK(values(combinations(counted({5}), 3)) == chosen);
  CHECK(values(combinations(counted({5}), 3, true)) == repeated);
  CHECK(values(combinations(counted({3}), 1)) == Values{0, 1, 2});
  CHECK(combinations(counted({5}), 6).sizes() == IntArrayRef({0, 6}));
  CHECK(combinations(counted({0}), 2, true).sizes() == IntArrayRef({0, 2}));
  CHECK_THROWS_WITH(combinations(counted({200}), 100), Catch::Matchers::ContainsSubstring("too many for a tensor"));
}

TEST_CASE("triangles and diagonals") {
  const Tensor x = counted({3, 4}).add(1);
  CHECK(values(tril(x)) == Values{1, 0, 0, 0, 5, 6, 0, 0, 9, 10, 11, 0});
  CHECK(values(triu(x, 1)) == Values{0, 2, 3, 4, 0, 0, 7, 8, 0, 0, 0, 12});
  CHECK(values(triu(x.t(), -1)) == Values{1, 5, 9, 2, 6, 10, 0, 7, 11, 0, 0, 12});
  CHECK(values(tril(x, INT64_MIN / 2)) == Values(12, 0));
  CHECK(values(tril(x, INT64_MAX / 2)) == values(x));
  CHECK(values(tril_indices(3, 3)) == Values{0, 1, 1, 2, 2, 2, 0, 0, 1, 0, 1, 2});
  CHECK(values(triu_indices(2, 3, 1)) == Values{0, 0, 1, 1, 2, 2});
  for (const int64_t offset : {-9, -2, 0, 1, 4, 9})
    for (const DimVector& sizes : {DimVector{4, 3}, DimVector{2, 5}, DimVector{0, 3}, DimVector{3, 0}}) {
      const Tensor ones = full(sizes, true, kBool);
      CHECK(tril_indices(sizes[0], sizes[1], offset).equal(tril(ones, offset).nonzero().t()));
      CHECK(triu_indices(sizes[0], sizes[1], offset).equal(triu(ones, offset).nonzero().t()));
    }
  CHECK(values(diag(tensor({1., 2.}))) == Values{1, 0, 0, 2});
  CHECK(values(diag(tensor({1., 2.}), -1)) == Values{0, 0, 0, 1, 0, 0, 0, 2, 0});
  CHECK(values(diag(x, 2)) == Values{3, 8});
  CHECK(diag_embed(counted({2, 3}), 1, 0, 2).sizes() == IntArrayRef({4, 2, 4}));
  CHECK(diag_embed(counted({2, 3}), -1).diagonal(-1, -2, -1).equal(counted({2, 3})));
  CHECK_THROWS_AS(tril(counted({3})), Error);
  CHECK(x.clone().tril_().equal(tril(x)));
  Tensor y = x.clone();
  y.t().triu_(1);
  CHECK(y.equal(tril(x, -1)));
}

TEST_CASE("meshgrid") {
  const auto ij = meshgrid({tensor({1, 2}), tensor({3, 4, 5})});
  CHECK(values(ij[0]) == Values{1, 1, 1, 2, 2, 2});
  CHECK(values(ij[1]) == Values{3, 4, 5, 3, 4, 5});
  CHECK(meshgrid({tensor({1, 2}), tensor({3, 4, 5})}, "xy")[0].sizes() == IntArrayRef({3, 2}));
}

TEST_CASE("scatters are the inverse of their views") {
  const Tensor x = counted({3, 4});
  CHECK(values(select_scatter(x, zeros({3}), 1, -1)) == Values{0, 1, 2, 0, 4, 5, 6, 0, 8, 9, 10, 0});
  CHECK(values(slice_scatter(x, zeros({3, 2}), 1, 0, std::nullopt, 2)) == Values{0, 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11});
  CHECK(values(diagonal_scatter(x, zeros({3}), 1)) == Values{0, 0, 2, 3, 4, 5, 0, 7, 8, 9, 10, 0});
  CHECK(values(as_strided_scatter(x.t(), zeros({2}), {2}, {3}, 1)) == Values{0, 0, 8, 1, 0, 9, 2, 6, 10, 3, 7, 11});
  CHECK_THROWS_AS(select_scatter(x, zeros({4}), 1, 0), Error);
  CHECK_THROWS_AS(select_scatter(x, zeros({3}), 1, 4), IndexError);
  CHECK_THROWS_AS(as_strided_scatter(x, zeros({2}), {2}, {11}, 1), Error);
  CHECK_THROWS_AS(as_strided_copy(x, {2}, {-1}, 1), Error);
}

TEST_CASE("where a scatter shows a place twice, its last element in row-major order stays") {
  for (const DimVector& strides : {DimVector{2, 1, 4}, DimVector{1, 1, 1}, DimVector{0, 3, 1}, DimVector{1, 40, 2}}) {
    const DimVector sizes{9, 17, 20};
    const Tensor source = counted(sizes), base = zeros({1024});
    std::vector<double> expected(1024, 0.0);
    for (int64_t i = 0, n = 0; i < sizes[0]; ++i)
      for (int64_t j = 0; j < sizes[1]; ++j)
        for (int64_t k = 0; k < sizes[2]; ++k, ++n)
          expected[static_cast<size_t>(i * strides[0] + j * strides[1] + k * strides[2])] = static_cast<double>(n);
    CHECK(values(as_strided_scatter(base, source, sizes, strides, 0)) == Values(expected));
  }
}

TEST_CASE("backward functions are the adjoints of their views") {
  manual_seed(5);
  const Tensor x = randn({4, 5, 6}, kDouble);
  const auto check = [&](const Tensor& view, auto backward) {
    const Tensor g = randn(view.sizes(), kDouble);
    CHECK(dot_of(view, g) == Approx(dot_of(x, backward(g))).epsilon(1e-12));
  };
  const IntArrayRef sizes = x.sizes();
  check(x.select(1, 3), [&](const Tensor& g) { return select_backward(g, sizes, 1, 3); });
  check(x.slice(2, 1, 6, 2), [&](const Tensor& g) { return slice_backward(g, sizes, 2, 1, 6, 2); });
  check(x.slice(0, 2, 2), [&](const Tensor& g) { return slice_backward(g, sizes, 0, 2, 2, 1); });
  check(x.select(1, 3), [&](const Tensor& g) { return select_backward(g, sizes, -2, -2); });
  check(x.slice(2, 1, 6, 2), [&](const Tensor& g) { return slice_backward(g, sizes, -1, -5, 9, 2); });
  CHECK_THROWS_WITH(select_backward(ones({4, 6}), sizes, 1, 5), Catch::Matchers::ContainsSubstring("out of bounds"));
  CHECK_THROWS_WITH(select_backward(ones({4}), sizes, 1, 3), Catch::Matchers::ContainsSubstring("shape (4,)"));
  CHECK_THROWS_WITH(slice_backward(ones({4, 5, 1}), sizes, 2, 1, 6, 2),
                    Catch::Matchers::ContainsSubstring("has shape"));
  CHECK_THROWS_WITH(slice_backward(ones({4, 5, 3}), sizes, 2, 1, 6, 0), Catch::Matchers::ContainsSubstring("step"));
  check(x.unfold(2, 3, 1), [&](const Tensor& g) { return unfold_backward(g, sizes, 2, 3, 1); });
  check(x.unfold(0, 2, 2), [&](const Tensor& g) { return unfold_backward(g, sizes, 0, 2, 2); });
  check(x.diagonal(1, 2, 0), [&](const Tensor& g) { return diagonal_backward(g, sizes, 1, 2, 0); });
  check(x.diagonal(-9, 0, 1), [&](const Tensor& g) { return diagonal_backward(g, sizes, -9, 0, 1); });
  check(x.as_strided({3, 4}, {7, 2}, 5), [&](const Tensor& g) { return as_strided_backward(g, sizes, {7, 2}, 5); });
  check(as_strided_copy(x, {3, 3}, {1, 1}, 0), [&](const Tensor& g) {
    return as_strided_backward(g, sizes, {1, 1}, 0);
  });
}

TEST_CASE("absurd numbers are errors, not overflow") {
  const Tensor x = counted({3, 4});
  CHECK_THROWS_AS(pad(x, {INT64_MAX, INT64_MAX}), Error);
  CHECK_THROWS_AS(x.repeat({INT64_MAX, INT64_MAX}), Error);
  CHECK_THROWS_AS(x.repeat_interleave(INT64_MAX, 0), Error);
  CHECK_THROWS_AS(diag_embed(x, INT64_MIN), Error);
  CHECK_THROWS_AS(as_strided_copy(x, {INT64_MAX, 2}, {2, 1}), Error);
  CHECK_THROWS_AS(as_strided_copy(x, {3}, {INT64_MAX}), Error);
  CHECK_THROWS_AS(as_strided_copy(x, {1}, {1}, INT64_MIN), Error);
  CHECK(values(roll(x[0], {INT64_MIN}, {0})) == Values{0, 1, 2, 3});
  CHECK(values(slice_scatter(x[0], zeros({1}), 0, 1, std::nullopt, INT64_MAX)) == Values{0, 0, 2, 3});
  CHECK(diag(x, INT64_MAX).numel() == 0);
}

TEST_CASE("every dtype moves") {
  for (DType type : {kBool, kUInt8, kInt8, kInt16, kInt32, kUInt32, kInt64, kHalf, kBFloat16, kFloat, kDouble}) {
    INFO(name(type));
    const Tensor x = tensor({{1, 0}, {1, 1}}).to(type);
    CHECK(values(cat({x, x.t()}, 1)) == Values{1, 0, 1, 1, 1, 1, 0, 1});
    CHECK(values(pad(x, {1, 0}, "constant", 1)) == Values{1, 1, 0, 1, 1, 1});
    CHECK(values(flip(x, {1})) == Values{0, 1, 1, 1});
    CHECK(values(tril(x)) == Values{1, 0, 1, 1});
    CHECK(values(unfold_backward(x.unfold(1, 1, 1), {2, 2}, 1, 1, 1)) == values(x));
  }
}

TEST_CASE("big copies are the same on any number of threads") {
  manual_seed(2);
  const Tensor x = randn({300, 400});
  CHECK(thread_independent([&] { return cat({x, x.t().reshape({300, 400})}, 1); }));
  CHECK(thread_independent([&] { return pad(x.t(), {3, 2, 1, 0}); }));
  CHECK(thread_independent([&] { return flip(x, {0, 1}); }));
  CHECK(thread_independent([&] { return triu(x.t()); }));
  CHECK(thread_independent([&] { return unfold_backward(x.unfold(1, 7, 3), {300, 400}, 1, 7, 3); }));
  CHECK(same_bits(flip(flip(x, {0, 1}), {0, 1}), x));
}

TEST_CASE("padded rows of every width, in planes and volumes, are what their indices pick") {
  constexpr int64_t kBefore = 3, kAfter = 2;
  const auto source = [](std::string_view mode, int64_t i, int64_t n) {
    const int64_t at = i - kBefore;
    if (mode == "replicate") return std::clamp<int64_t>(at, 0, n - 1);
    if (mode == "circular") return (at + n) % n;
    return at < 0 ? -at : at < n ? at : 2 * (n - 1) - at;
  };
  for (const DType type : {kInt16, kFloat, kDouble, kComplexDouble})
    for (const std::string_view mode : {"reflect", "replicate", "circular"})
      for (int64_t n = 4; n < 70; n += n < 36 ? 1 : 11) {
        const Tensor x = counted({1, 2, 4, 4, n}).to(type);
        Tensor picked = x;
        for (int64_t dim = 4; dim > 1; --dim) {
          std::vector<int64_t> sources;
          for (int64_t i = 0; i < x.size(dim) + kBefore + kAfter; ++i) sources.push_back(source(mode, i, x.size(dim)));
          picked = index_select(picked, dim, tensor(sources));
          if (dim == 4) continue;
          const bool plane = dim == 3;
          const Tensor padded = plane ? pad(x[0], {3, 2, 3, 2}, mode) : pad(x, {3, 2, 3, 2, 3, 2}, mode);
          INFO(name(type) << " " << mode << " rows of " << n);
          CHECK(same_bits(padded, plane ? picked[0] : picked));
        }
      }
}

TEST_CASE("permuted copies of every element size at every tile edge") {
  const std::vector<std::vector<int64_t>> shapes = {{67, 131},  {3, 70},    {70, 3},      {2, 65, 33},
                                                    {5, 4, 77}, {2, 22000}, {17, 1, 129}, {2, 9, 3, 18}};
  for (const DType type : {kInt8, kInt16, kFloat, kDouble, kComplexDouble}) {
    for (const std::vector<int64_t>& sizes : shapes) {
      const Tensor x = counted(sizes).to(type);
      std::vector<int64_t> order(sizes.size());
      for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
      do {
        INFO(name(type) << " of " << sizes.size() << " dims");
        const Values wrapped = values(tensor(permuted(sizes, order), kDouble).to(type));
        CHECK(values(x.permute(order).contiguous()) == wrapped);
        Tensor back = empty(sizes, type);
        back.permute(order).copy_(x.permute(order).contiguous());
        CHECK(same_bits(back, x));
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST_CASE("short rows of every length") {
  for (const DType type : {kInt8, kInt16, kFloat, kDouble, kComplexDouble}) {
    const Tensor x = counted({5, 200}).to(type);
    const size_t item = x.element_size();
    for (int64_t n = 1; n < 140; n += n < 36 ? 1 : 13) {
      const Tensor y = x.narrow(1, 3, n).contiguous(), padded = constant_pad_nd(y, {3, 197 - n});
      INFO(name(type) << " rows of " << n);
      for (int64_t row = 0; row < 5; ++row)
        CHECK(std::memcmp(y.bytes() + row * n * item, x.bytes() + (row * 200 + 3) * item, n * item) == 0);
      CHECK(same_bits(padded.narrow(1, 3, n).contiguous(), y));
      const Tensor back = flip(y, {1});
      bool reversed = true;
      for (int64_t i = 0; i < 5 * n; ++i)
        reversed &= std::memcmp(back.bytes() + i * item, y.bytes() + (i / n * n + n - 1 - i % n) * item, item) == 0;
      CHECK(reversed);
      CHECK(same_bits(padded.narrow(1, 3 + n, 197 - n).contiguous(), zeros({5, 197 - n}, type)));
    }
  }
}

TEST_CASE("copies of steps, of reversed rows and of repeated elements") {
  const Tensor x = counted({40, 90});
  const Tensor steps = x.slice(0, 0, 40, 2).slice(1, 0, 90, 3).t();
  for (int64_t i = 0; i < 30; ++i)
    CHECK(steps.contiguous()[i][7].item<double>() == static_cast<double>(14 * 90 + 3 * i));
  for (const DType type : {kInt8, kInt16, kFloat, kDouble, kComplexDouble}) {
    const Tensor flipped = flip(x.to(type), {1});
    CHECK(same_bits(flipped.select(1, 0).contiguous(), x.to(type).select(1, 89).contiguous()));
    CHECK(same_bits(flip(flipped, {1}), x.to(type)));
  }
  const Tensor repeated = x.unsqueeze(2).expand({40, 90, 5}).permute({2, 1, 0});
  CHECK(same_bits(repeated.contiguous()[3], x.t().contiguous()));
  CHECK(thread_independent([&] { return counted({300, 500}).t().contiguous(); }));
}
