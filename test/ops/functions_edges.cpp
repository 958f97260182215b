// Tests of composite functions at edges where they once differed from PyTorch: the numbers and dtypes are PyTorch's.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "autograd/autocast.h"
#include "core/warning.h"
#include "ops/activation.h"
#include "ops/arranging.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/conv.h"
#include "ops/creation.h"
#include "ops/differences.h"
#include "ops/distance.h"
#include "ops/eigen.h"
#include "ops/fft.h"
#include "ops/fold.h"
#include "ops/histogram.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/loss.h"
#include "ops/pool.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/rnn.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/softmax.h"
#include "ops/sort.h"
#include "ops/statistics.h"
#include "ops/stft.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/check_values.h"
#include "transforms/func.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("gradient gives the derivatives in the order of the dims", "[lapack]") {
  const Tensor x = arange(6, TensorOptions(kDouble)).square().view({2, 3});
  const std::vector<double> down = {9, 15, 21, 9, 15, 21}, along = {1, 2, 3, 7, 8, 9};
  std::vector<Tensor> g = gradient(x, IntArrayRef{1, 0});
  REQUIRE(g.size() == 2);
  check_values(g[0], along);
  check_values(g[1], down);
  g = gradient(x, ArrayRef<Scalar>{2, 4}, IntArrayRef{-1, -2});
  check_values(g[0], {0.5, 1, 1.5, 3.5, 4, 4.5});
  check_values(g[1], {2.25, 3.75, 5.25, 2.25, 3.75, 5.25});
  CHECK_THROWS_WITH(gradient(x, IntArrayRef{1, -1}), ContainsSubstring("gradient: dim 1 appears twice"));
}

TEST_CASE("trapezoid refuses a tensor without dims and keeps the precision of dx") {
  const Tensor none = scalar_tensor(3.0), y = doubles({1, 2, 3});
  CHECK_THROWS_AS(trapezoid(none, 1), IndexError);
  CHECK_THROWS_AS(trapezoid(none, y), IndexError);
  CHECK_THROWS_WITH(cumulative_trapezoid(none, 1),
                    ContainsSubstring("cumulative_trapezoid: dimension specified as -1"));
  CHECK_THROWS_AS(cumulative_trapezoid(none, y), IndexError);
  check_values(trapezoid(y, 0.1), {0.4}, 1e-15);
  check_values(cumulative_trapezoid(y, 0.1), {0.15000000000000002, 0.4}, 1e-15);
  const Tensor whole = cumulative_trapezoid(longs({1, 2, 3}), 3);
  CHECK(whole.dtype() == kFloat);
  check_values(whole, {4.5, 12});
}

TEST_CASE("scatter_reduce of bools counts more than a byte holds") {
  const Tensor no = zeros({1}, TensorOptions(kBool)), yes = ones({256}, TensorOptions(kBool));
  const Tensor places = zeros({256}, TensorOptions(kLong));
  CHECK(scatter_reduce(no, 0, places, yes, "sum").item<bool>());
  CHECK_THROWS_WITH(scatter_reduce(no, 0, places, yes, "mean"),
                    ContainsSubstring("the mean is not implemented for bool"));
  const Tensor x = longs({1, 0, 0, 1}).to(kBool), source = longs({1, 0, 1, 1, 0, 0}).to(kBool);
  const Tensor index = longs({0, 0, 1, 1, 2, 2});
  check_values(scatter_reduce(x, 0, index, source, "prod", false), {0, 1, 0, 1});
  check_values(scatter_reduce(x, 0, index, source, "amax"), {1, 1, 0, 1});
  check_values(scatter_reduce(x, 0, index, source, "amin"), {0, 0, 0, 1});
}

TEST_CASE("pools and folds refuse sizes whose products overflow") {
  constexpr int64_t kHuge = int64_t{1} << 62;
  const Tensor image = ones({1, 1, 4, 4}), blocks = ones({1, 4, 4}), samples = full({1, 1, 2}, 0.5);
  CHECK_THROWS_WITH(fractional_max_pool2d(image, {kHuge}, {kHuge}, samples), ContainsSubstring("must be below 2^31"));
  CHECK_THROWS_WITH(fractional_max_pool2d(image, {4}, {2}, samples), ContainsSubstring("do not fit in the input"));
  CHECK_THROWS_WITH(fractional_max_pool2d(zeros({2, 0, 3, 2}), {1}, {2}, zeros({2, 0, 2})),
                    ContainsSubstring("non-zero size for non-batch dimensions"));
  CHECK(std::get<0>(fractional_max_pool2d(zeros({0, 3, 2}), {1}, {2}, zeros({1, 0, 2}))).sizes().equals({0, 2, 2}));
  CHECK_THROWS_WITH(im2col(image, {2, 2}, {kHuge}, {0}, {1}), ContainsSubstring("im2col: dilation must be"));
  CHECK_THROWS_WITH(im2col(image, {2, 2}, {1}, {kHuge}, {1}), ContainsSubstring("im2col: padding must be"));
  CHECK_THROWS_WITH(col2im(blocks, {kHuge, kHuge}, {2, 2}, {1}, {0}, {1}),
                    ContainsSubstring("col2im: output_size must be"));
  CHECK_THROWS_WITH(col2im(blocks, {1 << 30, 1 << 30}, {2, 2}, {1}, {0}, {1}), ContainsSubstring("col2im: "));
}

TEST_CASE("renorm hands the gradient of lines that it leaves alone on as it is") {
  const Tensor x = doubles({1, 0.5, 0.25, kNaN, 30, 40}).view({2, 3}).requires_grad_();
  renorm(x, 2, 1, 10).backward(ones({2, 3}, kDouble));  // PyTorch's numbers
  check_values(x.grad(), {1, 0.327641250037, 0.248422943209, 1, -0.005460686371, -0.001552642766}, 1e-9);
}

TEST_CASE("renorm tells a line that is longer by less than 16 bits show") {
  const Tensor x = doubles({-2.5, -0.0625, -4, -3}).view({2, 2}).to(kBFloat16).requires_grad_();
  renorm(x, 2, 0, 2.5).backward(doubles({-1, -2, -2, 0}).view({2, 2}).to(kBFloat16));  // PyTorch's numbers
  check_values(x.grad(), {0.04931640625, -1.9765625, -0.359375, 0.48046875}, 0.01);
}

TEST_CASE("the slope of a complex root is infinite at 0") {
  const Tensor x = zeros({1}, kComplexDouble).requires_grad_();
  sqrt(x).backward(full({1}, Complex<double>(1.5, -2), kComplexDouble));
  check_values(view_as_real(x.grad()), {kInf, -kInf});  // PyTorch's, as of log
}

TEST_CASE("pdist of order 1 has slopes of 1 to what is infinitely far") {
  const Tensor x = doubles({3, -1, kInf, 2, 0, 0}).view({2, 3}).requires_grad_();
  pdist(x, 1).backward(ones({1}, kDouble));
  check_values(x.grad(), {1, -1, 1, -1, 1, -1});  // PyTorch's
}

TEST_CASE("weighted counts of a histogram lie in memory of their own") {
  const auto [counts, edges] = histogram(doubles({-1, 0, 0.5}), doubles({-1, 0, 1}), doubles({1, 2, 3}));
  CHECK(counts.storage_offset() == 0);
  CHECK(view_as_complex(counts).item<Complex<double>>() == Complex<double>(1, 5));
}

TEST_CASE("lerp of integers by a floating point weight is of the weight's dtype") {
  const Tensor mixed = lerp(longs({1, 2}), longs({3, 4}), scalar_tensor(0.5, kDouble));
  CHECK(mixed.dtype() == kDouble);
  check_values(mixed, {2, 3});  // PyTorch's
}

TEST_CASE("of no classes, with weights, ignored targets have a smoothed loss of NaN") {
  CHECK(std::isnan(cross_entropy_loss(zeros({0}), zeros({}, kLong), zeros({0}), 1, 0, 0.1).item<double>()));
}

TEST_CASE("nll_loss has the same gradient by pictures as by their pixels in a row") {
  const Tensor weight = random_tensor({5}, kDouble, 3).abs();
  const Tensor target = (arange(2 * 30 * 41) * 7 % 5).view({2, 30, 41});
  target[1][2].fill_(-100);  // which is ignored
  for (const DType dtype : {kFloat, kDouble, kBFloat16})
    for (const int64_t reduction : {Reduction::None, Reduction::Mean}) {
      const Tensor x = random_tensor({2, 5, 30, 41}, dtype, 1).set_requires_grad(true);
      const Tensor rows = x.detach().permute({0, 2, 3, 1}).reshape({-1, 5}).set_requires_grad(true);
      const Tensor w = weight.to(dtype), upstream = random_tensor({2, 30, 41}, dtype, 2);
      const bool mean = reduction == Reduction::Mean;
      nll_loss(x, target, w, reduction).backward(mean ? Tensor() : upstream);
      nll_loss(rows, target.flatten(), w, reduction).backward(mean ? Tensor() : upstream.flatten());
      CHECK(same_bits(x.grad(), rows.grad().view({2, 30, 41, 5}).permute({0, 3, 1, 2})));
    }
}

TEST_CASE("nll_loss of pictures without classes has a gradient where all is ignored") {
  const Tensor x = zeros({2, 0, 5, 5}).requires_grad_();
  nll_loss(x, full({2, 5, 5}, -100, kLong), {}, Reduction::Sum).backward();
  CHECK(x.grad().sizes() == IntArrayRef({2, 0, 5, 5}));
}

TEST_CASE("a mean of ignored samples alone has a gradient of 0 under vmap too") {
  const Tensor x = zeros({3, 2, 5}, kDouble), target = full({2}, -100, kLong);
  const auto loss = [&](const Tensor& example) { return nll_loss(example, target); };
  check_values(func::vmap(func::grad(loss))(x), std::vector<double>(30, 0));
}

TEST_CASE("cdist gives a pair the same bits alone and among many") {
  constexpr int64_t kByDifferences = 2;  // the mode that makes no products of p = 2
  for (const DType dtype : {kFloat, kDouble})
    for (const int64_t k : {1, 5, 16, 37, 64}) {
      const Tensor a = random_tensor({2, 3, k}, dtype, 1), b = random_tensor({2, 45, k}, dtype, 2);
      for (const double p : {0.0, 1.0, 2.0, kInf}) {
        const Tensor many = cdist(a, b, p, kByDifferences);
        for (int64_t j = 0; j < 45; ++j)
          CHECK(same_bits(many.narrow(2, j, 1), cdist(a, b.narrow(1, j, 1), p, kByDifferences)));
        CHECK(many[1][2][44].item<double>() == Approx(linalg_vector_norm(a[1][2] - b[1][44], p).item<double>()));
      }
    }
}

TEST_CASE("gradients of cdist between close points far from 0 keep their digits") {
  const Tensor a = full({1, 1}, 1000.1).requires_grad_(), b = tensor({1000.3f, 1000.7f}).view({2, 1});
  cdist(a, b).sum().backward();
  CHECK(a.grad().item<float>() == Approx(-2).epsilon(1e-6));
  const Tensor points = tensor({1000.1f, 1000.3f, 1000.7f}).view({3, 1}).detach().requires_grad_();
  pdist(points).sum().backward();
  const Tensor wanted = tensor({-2.0f, 0.0f, 2.0f}).view({3, 1});
  CHECK((points.grad() - wanted).abs().max().item<float>() < 1e-6);
  // Each point is drawn down by those above it and up by those below.
  constexpr int64_t kMany = 1100;
  const Tensor many = (1000 + arange(kMany) * 0.001).to(kFloat).view({kMany, 1}).requires_grad_();
  pdist(many).sum().backward();
  CHECK((many.grad().flatten() - (2 * arange(kMany) - (kMany - 1))).abs().max().item<float>() < 1e-2);
}

TEST_CASE("cdist takes floating point numbers and computes in float32 under autocast") {
  const Tensor n = longs({1, 2}).view({1, 2});
  CHECK_THROWS_WITH(cdist(n, n), ContainsSubstring("cdist: only supports floating-point dtypes, X1 got: int64"));
  const Tensor a = random_tensor({30, 3}, kFloat, 1), b = random_tensor({2, 3}, kFloat, 2), want = cdist(a, b);
  const AutocastGuard guard(kCPU, kBFloat16);
  CHECK(same_bits(cdist(a, b), want));
  const Tensor mixed = cdist(a.to(kBFloat16), b);
  CHECK(mixed.dtype() == kFloat);
  CHECK(same_bits(mixed, cdist(a.to(kBFloat16).to(kFloat), b)));
}

TEST_CASE("view_copy copies what no view shows") {
  const Tensor x = arange(6, kDouble).view({2, 3}), copy = view_copy(x, {6}), turned = view_copy(x.t(), {2, 3});
  CHECK((!copy.is_view() && copy.data_ptr() != x.data_ptr()));
  CHECK(values(turned) == Values{0, 3, 1, 4, 2, 5});
  CHECK_THROWS_WITH(view_copy(x, {4}), ContainsSubstring("4"));
}

TEST_CASE("quantile finds places that float32 has no number for") {
  constexpr int64_t n = (1 << 24) + 4;  // the last place, 2^24 + 3, would be rounded to one behind the last
  const Tensor x = cat({zeros({n - 1}), ones({1})});
  check_values(quantile(x, tensor({0.5f, 1.f})), {0, 1});
  CHECK(nanquantile(x, 1).item<float>() == 1);
}

TEST_CASE("range refuses bounds and steps that are not finite") {
  CHECK_THROWS_WITH(range(0, kInf), ContainsSubstring("range: unsupported range"));
  CHECK_THROWS_WITH(range(kNaN, 2), ContainsSubstring("range: unsupported range"));
  CHECK_THROWS_WITH(range(0, 1, kInf), ContainsSubstring("range: step must be finite"));
  CHECK_THROWS_WITH(range(0, 1, kNaN), ContainsSubstring("range: step must be finite"));
  CHECK_THROWS_WITH(range(0, 1e30), ContainsSubstring("give too many values"));
  check_values(range(1, 2, 0.5), {1, 1.5, 2});
}

TEST_CASE("new_empty_strided takes the dtype of the tensor") {
  const Tensor t = doubles({1}).new_empty_strided({2, 3}, {1, 2});
  CHECK(t.dtype() == kDouble);
  CHECK(t.strides() == IntArrayRef{1, 2});
  CHECK(t.new_empty_strided({2}, {1}, kFloat).dtype() == kFloat);
}

TEST_CASE("histc counts 16-bit numbers beyond their integers") {
  // PyTorch counts in 16 bits, where 256 + 1 is 256 again; the counts of float32 are the reference here.
  const Tensor x = full({1000}, 1, TensorOptions(kBFloat16));
  const Tensor h = histc(x, 3, 0, 2);
  CHECK(h.dtype() == kBFloat16);
  check_values(h, {0, 1000, 0});
  check_values(histc(doubles({1, 2, 1.5, 2.5, 100}).to(kHalf), 4, 0, 3), {0, 1, 2, 1});
}

TEST_CASE("ormqr without reflections is a copy") {
  const Tensor x = random_tensor({3, 2}), y = ormqr(zeros({3, 0}), zeros({0}), x);
  CHECK(same_bits(x, y));
  CHECK(y.data_ptr<float>() != x.data_ptr<float>());
}

TEST_CASE("unique_dim orders rows with NaN after all numbers") {
  // PyTorch leaves rows with NaN where its comparison happens to; the order here is that of sort().
  const Tensor x = doubles({kNaN, 1, 0, 1, 5, kNaN, 5, 2, 0, 1}).view({5, 2});
  const auto [rows, inverse, counts] = unique_dim(x, 0, true, true, true);
  check_values(rows, {0, 1, 5, 2, 5, kNaN, kNaN, 1});
  check_values(inverse, {3, 0, 2, 1, 0});
  check_values(counts, {2, 1, 1, 1});
}

TEST_CASE("eigenvalues and eigenvectors of matrices of all sizes and kinds solve the equation", "[lapack]") {
  const auto check = [](const Tensor& a) {
    const auto [w, v] = linalg::eig(a);
    const Tensor values = w.to(kComplexDouble), vectors = v.to(kComplexDouble), wide = a.to(kDouble);
    const double size = std::max(1e-300, wide.norm().item<double>());
    const double unit = size * (a.dtype() == kFloat ? 0x1p-23 : 0x1p-52);
    const Tensor rest = matmul(a.to(kComplexDouble), vectors) - vectors * values;
    CHECK(rest.abs().max().item<double>() < 200 * unit);
    CHECK((vectors.abs().square().sum({0}) - 1).abs().max().item<double>() < 30 * unit / size);
    CHECK(std::abs(real(values).sum().item<double>() - wide.diagonal().sum().item<double>()) < 200 * unit);
    CHECK((linalg::eigvals(a).to(kComplexDouble).sum() - values.sum()).abs().item<double>() < 200 * unit);
  };
  manual_seed(3);
  for (DType type : {kFloat, kDouble})
    for (int64_t n : {1, 2, 3, 4, 8, 9, 17, 33, 64, 65, 130}) {
      INFO("n = " << n << (type == kFloat ? ", float" : ", double"));
      const Tensor a = randn({n, n}, kDouble);
      check(a.to(type));
      check((a + a.mT()).to(type));
      check((a - a.mT()).to(type));
      check(triu(a).to(type));
      check(matmul(a.slice(1, 0, 1), a.slice(0, 0, 1)).to(type));
      check(roll(eye(n, type), 1, 0));  // no shift helps but the exceptional ones
      check(zeros({n, n}, type));
      check((a * 1e-30).to(type));
      check((a * 1e30).to(type));
    }
  check(randn({400, 400}, kDouble));
}

TEST_CASE("eigenvectors of matrices whose rows differ by many orders have length 1", "[lapack]") {
  for (const DType dtype : {kFloat, kDouble}) {
    const double large = dtype == kFloat ? 1e12 : 1e138, small = dtype == kFloat ? 1e-30 : 1e-180;
    const Tensor a = tensor({{0.0, large}, {small, 0.0}}, kDouble).to(dtype);
    const Tensor lengths = std::get<1>(linalg::eig(a)).abs().square().sum(0);
    CHECK(lengths.sub(1).abs().max().item<double>() < 1e-5);
  }
}

TEST_CASE("eigenvectors of complex pairs belong to their values", "[lapack]") {
  const Tensor a = doubles({0, -1, 0, 1, 0, 0, 0, 0, 2}).view({3, 3});
  const auto [w, v] = linalg::eig(a);
  CHECK(sub(matmul(a.to(kComplexDouble), v), mul(v, w)).abs().max().item<double>() < 1e-14);
}

TEST_CASE("where with one condition for each row takes whole rows") {
  const Tensor x = arange(74, kFloat).view({2, 37}), y = neg(x);
  for (const bool first : {true, false}) {
    const Tensor condition = tensor({first, !first}).view({2, 1});
    const Tensor z = where(condition, x, y), ones = where(condition, x, 1);
    CHECK(equal(z[first ? 0 : 1], x[first ? 0 : 1]));
    CHECK(equal(z[first ? 1 : 0], y[first ? 1 : 0]));
    CHECK(equal(ones[first ? 1 : 0], full({37}, 1, kFloat)));
  }
}

TEST_CASE("adaptive pools may leave nothing") {
  Tensor x = ones({1, 2, 3, 3});
  x.requires_grad_();
  const Tensor averages = adaptive_avg_pool2d(x, {0, 2});
  CHECK(averages.sizes() == IntArrayRef({1, 2, 0, 2}));
  averages.sum().backward();
  CHECK(equal(x.grad(), zeros({1, 2, 3, 3})));
  CHECK(adaptive_avg_pool1d(ones({2, 3}), {0}).sizes() == IntArrayRef({2, 0}));
  CHECK(adaptive_avg_pool3d(ones({2, 3, 3, 3}), {0, 0, 0}).sizes() == IntArrayRef({2, 0, 0, 0}));
  CHECK(std::get<0>(adaptive_max_pool2d(ones({1, 3, 3}), {1, 0})).sizes() == IntArrayRef({1, 1, 0}));
  CHECK_THROWS_WITH(adaptive_avg_pool2d(ones({1, 3, 3}), {-1, 2}),
                    Catch::Matchers::ContainsSubstring("output_size must be at least 0"));
}

TEST_CASE("the gradient of a loss that ignores all samples does not change with the weights") {
  const Tensor x = randn({3, 4}, kDouble), weight = ones({4}, kDouble), target = full({3}, -100, kLong);
  const auto gradient = [&](const Tensor& w) {
    return func::grad([&](const Tensor& values) { return nll_loss(values, target, w, Reduction::Mean, -100); })(x);
  };
  CHECK(equal(func::jvp(gradient, weight, weight).second, zeros({3, 4}, kDouble)));
}

TEST_CASE("what a fractional pool gives without recording may be written to while recording") {
  const Tensor x = randn({1, 2, 3, 3, 3}, kDouble), samples = rand({1, 2, 3}, kDouble);
  Tensor y;
  {
    const NoGradGuard no_grad;
    y = std::get<0>(fractional_max_pool3d(x, {1, 2, 1}, {2, 2, 2}, samples));
  }
  CHECK_FALSE(y.is_view());
  y.mul_(scalar_tensor(2, kDouble).requires_grad_());
  CHECK(y.requires_grad());
}

TEST_CASE("operands that lie across the output give what dense ones do") {
  for (const int64_t rows : {15, 16, 33, 70})
    for (const int64_t columns : {47, 48, 129, 300})
      for (const DType type : {kFloat, kDouble, kLong, kShort, kBool, kBFloat16, kComplexDouble}) {
        INFO(rows << " x " << columns << " of " << name(type));
        const Tensor a = arange(2 * rows * columns, kFloat).view({2, rows, columns}).remainder(7).to(type);
        const Tensor b = arange(2 * columns * rows, kFloat).view({2, columns, rows}).remainder(5).sub(2).to(type);
        const Tensor across = b.transpose(1, 2), dense = across.contiguous();
        CHECK(equal(add(a, across), add(a, dense)));
        CHECK(equal(add(a.slice(2, 1), across.slice(2, 1)), add(a.slice(2, 1).contiguous(), dense.slice(2, 1))));
        CHECK(equal(mul(across, flip(a, 2)), mul(dense, flip(a, 2))));
        CHECK(equal(where(across.to(kBool), a, across), where(dense.to(kBool), a, dense)));
        CHECK(equal(where(b.to(kBool).transpose(1, 2), a, 1), where(dense.to(kBool), a, 1)));
      }
}

TEST_CASE("dropout drops or keeps complex numbers as a whole") {
  const Tensor x = complex(full({8, 50, 4}, 1.0, kDouble), full({8, 50, 4}, 2.0, kDouble));
  const auto share_kept = [&](const Tensor& y) {
    const Tensor kept = y.eq(x.mul(2));
    CHECK(kept.logical_or(y.eq(0)).all().item<bool>());
    return kept.to(kDouble).mean().item<double>();
  };
  CHECK(std::abs(share_kept(dropout(x, 0.5)) - 0.5) < 0.1);
  CHECK(std::abs(share_kept(feature_dropout(x, 0.5)) - 0.5) < 0.15);
  Tensor z = x.clone();
  dropout_(z, 0.5);
  CHECK(std::abs(share_kept(z) - 0.5) < 0.1);
}

TEST_CASE("cat of nothing but empty vectors takes any dim") {
  const Tensor none = zeros({0});
  for (const int64_t dim : {-2, 0, 3}) CHECK(cat({none, none}, dim).sizes() == IntArrayRef({0}));
  CHECK_THROWS(cat({none, ones({2})}, -2));
}

TEST_CASE("addcdiv's gradient by its divisor takes the value in before it divides") {
  const Tensor x = zeros({1}, kHalf), a = full({1}, -2, kHalf), b = full({1}, -0.0052, kHalf).requires_grad_();
  addcdiv(x, a, b, 0.5).backward(zeros({1}, kHalf));
  CHECK(b.grad().equal(zeros({1}, kHalf)));  // -2 over the square is infinite in 16 bits, -1 is not
}

TEST_CASE("a complex product with nothing of a source has the source in its history") {
  const Tensor x = ones({2}, kComplexDouble), source = ones({2}, kComplexDouble).requires_grad_();
  const Tensor y = scatter(x, 0, zeros({0}, kLong), source, "multiply");
  CHECK(y.requires_grad());
  y.backward(ones({2}, kComplexDouble));
  CHECK(source.grad().equal(zeros({2}, kComplexDouble)));
}

TEST_CASE("an LSTM's step whose cell alone has a gradient computes what it computes without") {
  const auto check = [](DType type, double rounding) {
    const Tensor gates = linspace(-3, 3, 24, type).view({2, 12}), cell = linspace(-1, 2, 6, type).view({2, 3});
    const auto [hidden, next] = lstm_gates(gates, cell);
    const auto [hidden_of_cell, next_of_cell] = lstm_gates(gates, cell.clone().requires_grad_());
    CHECK(hidden_of_cell.requires_grad());
    CHECK(allclose(hidden_of_cell, hidden, rounding, 0));
    CHECK(allclose(next_of_cell, next, rounding, 0));
  };
  check(kHalf, 1e-3), check(kBFloat16, 8e-3), check(kFloat, 1e-6), check(kDouble, 1e-14);
}

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity(),
                 kNotANumber = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("a number becomes a type that holds it and no other") {
  CHECK(Scalar(-1).to<uint8_t>() == 255);
  CHECK(Scalar(-255).to<uint8_t>() == 1);
  CHECK(Scalar(127.9).to<int8_t>() == 127);
  CHECK(Scalar(-0x1p63).to<int64_t>() == std::numeric_limits<int64_t>::min());
  CHECK(std::isinf(Scalar(kInfinite).to<float>()));
  CHECK(std::isnan(static_cast<float>(Scalar(kNotANumber).to<Half>())));
  CHECK(Scalar(300).to<bool>());
  CHECK(Scalar(UINT64_MAX).to<uint64_t>() == UINT64_MAX);
  CHECK_THROWS_WITH(Scalar(300).to<int8_t>(), "value cannot be converted to type int8_t without overflow");
  CHECK_THROWS_WITH(Scalar(-256).to<uint8_t>(), "value cannot be converted to type uint8_t without overflow");
  CHECK_THROWS_WITH(Scalar(-0.5).to<uint8_t>(), ContainsSubstring("uint8_t"));
  CHECK_THROWS_WITH(Scalar(0x1p63).to<int64_t>(), ContainsSubstring("int64_t"));
  CHECK_THROWS_WITH(Scalar(kNotANumber).toLong(), ContainsSubstring("int64_t"));
  CHECK_THROWS_WITH(Scalar(kInfinite).toInt(), ContainsSubstring("type int without"));
  CHECK_THROWS_WITH(Scalar(1e300).toFloat(), ContainsSubstring("float"));
  CHECK_THROWS_WITH(Scalar(65505).to<Half>(), ContainsSubstring("c10::Half"));
  CHECK_THROWS_WITH(Scalar(kInfinite).to<Float8_e4m3fn>(), ContainsSubstring("c10::Float8_e4m3fn"));
  CHECK_THROWS_WITH(Scalar(Complex<double>(1, 1e300)).toComplexFloat(), ContainsSubstring("c10::complex<float>"));
  CHECK_THROWS_WITH(Scalar(UINT64_MAX).toLong(), ContainsSubstring("int64_t"));
  CHECK(Scalar(300).wrapped_to<int8_t>() == 44);
}

TEST_CASE("tensors do not store numbers that their dtype does not hold") {
  const Tensor x = ones({2, 2}, kChar), mask = ones({2, 2}, kBool), places = zeros({1, 2}, kLong);
  const std::string refused = "value cannot be converted to type int8_t without overflow";
  CHECK_THROWS_WITH(full({2}, 300, kChar), ContainsSubstring(refused));
  CHECK_THROWS_WITH(full({0}, 300, kChar), ContainsSubstring(refused));
  CHECK_THROWS_WITH(scalar_tensor(300, kChar), ContainsSubstring(refused));
  CHECK_THROWS_WITH(x.fill_(kNotANumber), ContainsSubstring(refused));
  CHECK_THROWS_WITH(masked_fill(x, mask, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(masked_fill(x, mask, scalar_tensor(300)), ContainsSubstring(refused));
  CHECK_THROWS_WITH(x.masked_fill_(mask, -129), ContainsSubstring(refused));
  CHECK_THROWS_WITH(index_fill(x, 0, zeros({1}, kLong), 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(index_fill(x, 0, zeros({1}, kLong), scalar_tensor(300)), ContainsSubstring(refused));
  CHECK_THROWS_WITH(scatter(x, 0, places, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(scatter(x, 0, places, 300, "add"), ContainsSubstring(refused));
  CHECK_THROWS_WITH(x.index_put_({0}, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(pow(x, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(add(x, x, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(addcmul(x, x, x, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(addmm(x, x, x, 1, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(addmm(x, x, x, 300, 1), ContainsSubstring(refused));
  CHECK_THROWS_WITH(index_add(x, 0, zeros({1}, kLong), ones({1, 2}, kChar), 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(where(mask, x, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(constant_pad_nd(x, {1, 1}, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(threshold(x, 2, 300), ContainsSubstring(refused));
  CHECK_THROWS_WITH(linspace(0, 300, 3, kChar), ContainsSubstring(refused));
  CHECK_THROWS_WITH(randint(0, 300, {2}, kChar), ContainsSubstring("299 does not fit in int8"));
  CHECK_THROWS_WITH(clamp(ones({2}, kHalf), 1e10), ContainsSubstring("c10::Half"));
  CHECK_THROWS_WITH(ones({2}, kHalf).add_(ones({2}, kHalf), 1e10), ContainsSubstring("c10::Half"));
  CHECK_THROWS_WITH(tensor({1e10}, kDouble).item<int>(), ContainsSubstring("type int without"));
}

TEST_CASE("numbers that are operands wrap, and one small float alone may be infinite") {
  const Tensor x = ones({2}, kChar);
  CHECK(equal(add(x, 300), full({2}, 45, kChar)));
  CHECK(equal(mul(x, 300), full({2}, 44, kChar)));
  CHECK(equal(tensor({300, 1}, kChar), tensor({44, 1}, kChar)));
  CHECK(equal(full({2}, -1, kByte), full({2}, 255, kByte)));
  CHECK(std::isinf(scalar_tensor(1e10, kHalf).item<float>()));
  CHECK(mul(ones({2}), 1e300).isinf().all().item<bool>());
  CHECK(searchsorted(x, 300).item<int64_t>() == 2);
}

TEST_CASE("numbers that a function puts in itself, or that nobody gets to see, are no errors") {
  CHECK(equal(constant_pad_nd(tensor({2, 4}, kByte), {-1, 0}, kInfinite), tensor({4}, kByte)));
  for (const DType type : {kHalf, kBFloat16, kFloat, kDouble}) {
    const Tensor q = ones({1, 2, 3, 4}, type), blocked = full({3, 3}, -kInfinite, type);
    CHECK(equal(scaled_dot_product_attention(q, q, q, blocked), zeros_like(q)));
    CHECK(equal(scaled_dot_product_attention(q, q, q, zeros({3, 3}, type)), q));
  }
}

TEST_CASE("errors are of libtorch's kinds") {
  const Tensor x = ones({2, 3}), whole = ones({2, 3}, kLong);
  CHECK_THROWS_AS(narrow(x, 0, 3, 1), IndexError);
  CHECK_THROWS_AS(cat({}), ValueError);
  CHECK_THROWS_AS(cross_entropy_loss(x, zeros({3}, kLong)), ValueError);
  CHECK_THROWS_AS(view_as_real(x), TypeError);
  CHECK_THROWS_AS(imag(x), TypeError);
  CHECK_THROWS_AS(fft::rfft(complex(x, x)), TypeError);
  CHECK_THROWS_AS(bitwise_and(x, x), NotImplementedError);
  CHECK_THROWS_AS(sub(x.to(kBool), x.to(kBool)), NotImplementedError);
  CHECK_THROWS_AS(neg(x.to(kBool)), NotImplementedError);
  CHECK_THROWS_AS(mean(whole), NotImplementedError);
  CHECK_THROWS_AS(softmax(whole, 0), NotImplementedError);
  CHECK_THROWS_AS(lt(complex(x, x), 0), NotImplementedError);
  CHECK_THROWS_WITH(whole.clone().bernoulli_().lerp_(whole, 0.5), ContainsSubstring("lerp_: expected a floating"));
  CHECK_THROWS_AS(whole.clone().lerp_(whole, 0.5), NotImplementedError);  // the kind stays where the name changes
}

TEST_CASE("what takes something for granted warns of it, as in libtorch") {
  struct Listener : WarningHandler {
    void process(const Warning& warning) override { heard += warning.msg() + "\n"; }
    std::string heard;
  } listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const WarningUtils::WarnAlways always;
  const Tensor x = ones({8}), across = ones({3, 2}).t();
  meshgrid({x, x}, "ij");
  stft(x, 4, std::nullopt, std::nullopt, ones({4}), false, true, true);
  searchsorted(across.contiguous(), across.contiguous());
  conv1d(ones({1, 1, 8}), ones({1, 1, 3}), {}, 1, "same");
  CHECK(listener.heard.empty());
  meshgrid({x, x});
  CHECK_THAT(listener.heard, ContainsSubstring("meshgrid: in an upcoming release"));
  stft(x, 4, std::nullopt, std::nullopt, {}, false, true, true);
  CHECK_THAT(listener.heard, ContainsSubstring("stft: a window was not provided"));
  stft(x, 4, std::nullopt, std::nullopt, ones({4}), false, true, false);
  CHECK_THAT(listener.heard, ContainsSubstring("stft: return_complex = false"));
  searchsorted(across, across.contiguous());
  CHECK_THAT(listener.heard, ContainsSubstring("the boundary tensor is non-contiguous"));
  searchsorted(across.contiguous(), across);
  CHECK_THAT(listener.heard, ContainsSubstring("the input value tensor is non-contiguous"));
  conv1d(ones({1, 1, 8}), ones({1, 1, 2}), {}, 1, "same");
  CHECK_THAT(listener.heard, ContainsSubstring("padding 'same' with even kernel"));
}
