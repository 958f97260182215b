// Functions that are no views give results of their own: a later write to an argument never shows in them, nor the
// other way, and without recording they are no views of tensors that nobody sees (test/op_sweep_views.cpp asks that of
// every row of the op table). Run on arguments that leave nothing to do, where handing the argument back is tempting.
// Which functions may share, and which may not, is what PyTorch 2.15 does.
#include <strata/strata.h>

#include <algorithm>
#include <functional>

#include "test/catch.h"

namespace strata::test::aliasing {
namespace {

namespace F = nn::functional;
using Function = std::function<Tensor(const Tensor&)>;
using Table = std::vector<std::pair<const char*, Function>>;

Tensor all_true(const Tensor& x) { return ones(x.sizes(), kBool); }
Tensor all_false(const Tensor& x) { return zeros(x.sizes(), kBool); }
Tensor rows(const Tensor& x) { return arange(x.dim() ? x.size(0) : 1); }
Tensor none() { return arange(0); }
Tensor zero_index(const Tensor& x) { return zeros(x.sizes(), kLong); }
DimVector last_sizes(const Tensor& x, size_t n) {
  return x.sizes().slice(x.sizes().size() - std::min(n, x.sizes().size()));
}
F::InterpolateFuncOptions same_size(const Tensor& x) {
  return F::InterpolateFuncOptions().size(IntArrayRef(last_sizes(x, 2)).vec());
}

const Table kShaping = {
    {"repeat by ones", [](const Tensor& x) { return x.repeat(DimVector(std::max<size_t>(x.sizes().size(), 1), 1)); }},
    {"repeat in a new dim", [](const Tensor& x) { return x.repeat(DimVector(x.sizes().size() + 1, 1)); }},
    {"repeat a size of one", [](const Tensor& x) { return x.repeat(DimVector(x.sizes().size() + 1, 3)); }},
    {"tile", [](const Tensor& x) { return x.tile({1}); }},
    {"tile twice", [](const Tensor& x) { return x.tile({2}); }},
    {"repeat_interleave", [](const Tensor& x) { return x.repeat_interleave(1); }},
    {"repeat_interleave dim", [](const Tensor& x) { return x.repeat_interleave(4, 0); }},
    {"repeat_interleave tensor", [](const Tensor& x) { return x.repeat_interleave(tensor({int64_t{1}})); }},
    {"flip", [](const Tensor& x) { return x.flip({0}); }},
    {"flip no dim", [](const Tensor& x) { return x.flip(IntArrayRef()); }},
    {"roll by nothing", [](const Tensor& x) { return x.roll({0}); }},
    {"roll around", [](const Tensor& x) { return x.roll({x.numel()}); }},
    {"roll dim", [](const Tensor& x) { return x.roll({0}, {0}); }},
    {"cat", [](const Tensor& x) { return cat({x}); }},
    {"cat with empty",
     [](const Tensor& x) {
       return cat({x, x.slice(0, 0, 0)});
     }},
    {"stack", [](const Tensor& x) { return stack({x}); }},
    {"hstack", [](const Tensor& x) { return hstack({x}); }},
    {"vstack", [](const Tensor& x) { return vstack({x}); }},
    {"constant_pad_nd",
     [](const Tensor& x) {
       return constant_pad_nd(x, {0, 0});
     }},
    {"pad nothing", [](const Tensor& x) { return pad(x, IntArrayRef()); }},
    {"pad constant",
     [](const Tensor& x) {
       return pad(x, {0, 0});
     }},
    {"pad reflect",
     [](const Tensor& x) {
       return pad(x, {0, 0}, "reflect");
     }},
    {"pad replicate",
     [](const Tensor& x) {
       return pad(x, {0, 0}, "replicate");
     }},
    {"pad circular",
     [](const Tensor& x) {
       return pad(x, {0, 0}, "circular");
     }},
    {"tril", [](const Tensor& x) { return x.tril(10); }},
    {"triu", [](const Tensor& x) { return x.triu(-10); }},
    {"diag", [](const Tensor& x) { return x.diag(); }},
    {"diag_embed", [](const Tensor& x) { return x.diag_embed(); }},
    {"slice_scatter", [](const Tensor& x) { return slice_scatter(x, x.slice(0, 0, 0), 0, 0, 0); }},
    {"select_scatter", [](const Tensor& x) { return select_scatter(x, x[0], 0, 0); }},
    {"diagonal_scatter", [](const Tensor& x) { return diagonal_scatter(x, x.diagonal()); }},
    {"as_strided_copy", [](const Tensor& x) { return as_strided_copy(x, x.sizes(), x.strides()); }},
    {"fftshift", [](const Tensor& x) { return fft::fftshift(x); }},
    {"ifftshift", [](const Tensor& x) { return fft::ifftshift(x, IntArrayRef()); }},
    {"clone", [](const Tensor& x) { return x.clone(); }},
    {"to a copy", [](const Tensor& x) { return x.to(x.dtype(), false, true); }},
};

const Table kReductions = {
    {"sum", [](const Tensor& x) { return x.sum(); }},
    {"sum dim", [](const Tensor& x) { return x.sum(0, true); }},
    {"nansum", [](const Tensor& x) { return nansum(x); }},
    {"mean", [](const Tensor& x) { return x.mean(0, true); }},
    {"prod", [](const Tensor& x) { return x.prod(0); }},
    {"amax", [](const Tensor& x) { return x.amax(0); }},
    {"amin", [](const Tensor& x) { return x.amin(); }},
    {"aminmax", [](const Tensor& x) { return std::get<0>(aminmax(x)); }},
    {"max", [](const Tensor& x) { return x.max(); }},
    {"max dim", [](const Tensor& x) { return std::get<0>(x.max(0)); }},
    {"min dim", [](const Tensor& x) { return std::get<0>(x.min(0, true)); }},
    {"median", [](const Tensor& x) { return median(x); }},
    {"median dim", [](const Tensor& x) { return std::get<0>(median(x, 0)); }},
    {"kthvalue", [](const Tensor& x) { return std::get<0>(kthvalue(x, 1, 0)); }},
    {"all", [](const Tensor& x) { return x.all(); }},
    {"any dim", [](const Tensor& x) { return x.any(0); }},
    {"logsumexp", [](const Tensor& x) { return x.logsumexp(0); }},
    {"norm", [](const Tensor& x) { return x.norm(1); }},
    {"vector_norm", [](const Tensor& x) { return linalg::vector_norm(x, 1); }},
    {"cumsum", [](const Tensor& x) { return x.cumsum(0); }},
    {"cumprod", [](const Tensor& x) { return x.cumprod(0); }},
    {"cummax", [](const Tensor& x) { return std::get<0>(cummax(x, 0)); }},
    {"cummin", [](const Tensor& x) { return std::get<0>(cummin(x, 0)); }},
    {"softmax", [](const Tensor& x) { return x.softmax(0); }},
    {"log_softmax", [](const Tensor& x) { return x.log_softmax(0); }},
    {"sort", [](const Tensor& x) { return std::get<0>(x.sort(0)); }},
    {"topk", [](const Tensor& x) { return std::get<0>(x.topk(1, 0)); }},
    {"unique", [](const Tensor& x) { return std::get<0>(unique(x)); }},
    {"normalize", [](const Tensor& x) { return F::normalize(x, F::NormalizeFuncOptions().dim(0)); }},
};

const Table kIndexing = {
    {"gather", [](const Tensor& x) { return x.gather(0, zero_index(x)); }},
    {"index_select", [](const Tensor& x) { return x.index_select(0, rows(x)); }},
    {"take", [](const Tensor& x) { return take(x, arange(x.numel())); }},
    {"take_along_dim", [](const Tensor& x) { return take_along_dim(x, zero_index(x), 0); }},
    {"take_along_dim flat", [](const Tensor& x) { return take_along_dim(x, arange(x.numel())); }},
    {"masked_select", [](const Tensor& x) { return x.masked_select(all_true(x)); }},
    {"masked_fill", [](const Tensor& x) { return x.masked_fill(all_false(x), 1); }},
    {"masked_scatter", [](const Tensor& x) { return masked_scatter(x, all_false(x), x); }},
    {"where", [](const Tensor& x) { return where(all_true(x), x, x); }},
    {"index by a mask", [](const Tensor& x) { return x.index({all_true(x)}); }},
    {"index by a tensor", [](const Tensor& x) { return x.index({rows(x)}); }},
    {"index_put", [](const Tensor& x) { return index_put(x, {none()}, x.slice(0, 0, 0)); }},
    {"index_add", [](const Tensor& x) { return x.index_add(0, none(), x.slice(0, 0, 0)); }},
    {"index_copy", [](const Tensor& x) { return index_copy(x, 0, none(), x.slice(0, 0, 0)); }},
    {"index_fill", [](const Tensor& x) { return index_fill(x, 0, none(), 1); }},
    {"scatter", [](const Tensor& x) { return x.scatter(0, zero_index(x.slice(0, 0, 0)), x.slice(0, 0, 0)); }},
    {"scatter_add", [](const Tensor& x) { return x.scatter_add(0, zero_index(x.slice(0, 0, 0)), x.slice(0, 0, 0)); }},
    {"embedding", [](const Tensor& x) { return F::embedding(rows(x), x); }},
    {"embedding of one", [](const Tensor& x) { return F::embedding(tensor(int64_t{0}), x); }},
};

const Table kElementwise = {
    {"add 0", [](const Tensor& x) { return x + 0; }},
    {"sub 0", [](const Tensor& x) { return x - 0; }},
    {"mul 1", [](const Tensor& x) { return x * 1; }},
    {"div 1", [](const Tensor& x) { return x / 1; }},
    {"pow 1", [](const Tensor& x) { return x.pow(1); }},
    {"abs", [](const Tensor& x) { return x.abs(); }},
    {"floor", [](const Tensor& x) { return x.floor(); }},
    {"ceil", [](const Tensor& x) { return x.ceil(); }},
    {"round", [](const Tensor& x) { return x.round(); }},
    {"trunc", [](const Tensor& x) { return x.trunc(); }},
    {"sgn", [](const Tensor& x) { return sgn(x); }},
    {"angle", [](const Tensor& x) { return angle(x); }},
    {"nan_to_num", [](const Tensor& x) { return nan_to_num(x); }},
    {"clamp", [](const Tensor& x) { return x.clamp(-100, 100); }},
    {"maximum", [](const Tensor& x) { return maximum(x, x); }},
    {"fmod", [](const Tensor& x) { return fmod(x, 100); }},
    {"bitwise_and", [](const Tensor& x) { return bitwise_and(x, x); }},
    {"shift by 0", [](const Tensor& x) { return bitwise_left_shift(x, 0); }},
    {"lerp", [](const Tensor& x) { return lerp(x, x, 0.0); }},
    {"addcmul", [](const Tensor& x) { return addcmul(x, x, x, 0); }},
    {"addcdiv", [](const Tensor& x) { return addcdiv(x, x, x, 0); }},
    {"relu", [](const Tensor& x) { return relu(x); }},
    {"threshold", [](const Tensor& x) { return threshold(x, -9, 0); }},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x, -9, 9); }},
    {"softshrink", [](const Tensor& x) { return softshrink(x, 0); }},
    {"hardshrink", [](const Tensor& x) { return hardshrink(x, 0); }},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x, 1); }},
    {"bernoulli", [](const Tensor& x) { return bernoulli(x.clamp(0, 1)); }},
};

const Table kProducts = {
    {"matmul", [](const Tensor& x) { return matmul(x, eye(x.size(-1))); }},
    {"matrix_power 1", [](const Tensor& x) { return matrix_power(x, 1); }},
    {"linalg::matrix_power 1", [](const Tensor& x) { return linalg::matrix_power(x, 1); }},
    {"chain_matmul", [](const Tensor& x) { return chain_matmul({x}); }},
    {"trace", [](const Tensor& x) { return trace(x); }},
    {"kron", [](const Tensor& x) { return kron(x, ones({1})); }},
    {"tensordot", [](const Tensor& x) { return tensordot(x, ones({}), 0); }},
    {"dot", [](const Tensor& x) { return dot(x, x); }},
    {"outer", [](const Tensor& x) { return outer(x, ones({1})); }},
    {"vander", [](const Tensor& x) { return vander(x, 2); }},
    {"vander of one column", [](const Tensor& x) { return vander(x, 1); }},
    {"det", [](const Tensor& x) { return det(x); }},
    {"inverse", [](const Tensor& x) { return inverse(x); }},
    {"bilinear sum",
     [](const Tensor& x) {
       return einsum("ij,jk->ik", {x, eye(x.size(-1))});
     }},
};

const Table kImages = {
    {"max_pool2d", [](const Tensor& x) { return max_pool2d(x, 1); }},
    {"avg_pool2d", [](const Tensor& x) { return avg_pool2d(x, 1); }},
    {"adaptive_avg_pool1d", [](const Tensor& x) { return adaptive_avg_pool1d(x, last_sizes(x, 1)); }},
    {"adaptive_avg_pool2d", [](const Tensor& x) { return adaptive_avg_pool2d(x, last_sizes(x, 2)); }},
    {"adaptive_max_pool2d", [](const Tensor& x) { return std::get<0>(adaptive_max_pool2d(x, last_sizes(x, 2))); }},
    {"interpolate nearest", [](const Tensor& x) { return F::interpolate(x, same_size(x)); }},
    {"interpolate bilinear",
     [](const Tensor& x) { return F::interpolate(x, same_size(x).mode(kBilinear).align_corners(false)); }},
    {"pixel_shuffle", [](const Tensor& x) { return F::pixel_shuffle(x, F::PixelShuffleFuncOptions(1)); }},
    {"pixel_unshuffle", [](const Tensor& x) { return F::pixel_unshuffle(x, F::PixelUnshuffleFuncOptions(1)); }},
    {"batch_norm", [](const Tensor& x) { return F::batch_norm(x, zeros({x.size(1)}), ones({x.size(1)})); }},
};

/// Arguments of every shape that tempts; a function that takes none of them throws.
std::vector<Tensor> arguments() {
  const auto with = [](Tensor t) { return t.clone(); };
  return {with(full({1}, 0.5)),
          with(full({}, 0.5)),
          with(rand({1, 3}) + 0.1),
          with(eye(3) + 0.1),
          with(rand({1, 1, 3})),
          with(rand({1, 1, 4, 4})),
          with(arange(3).reshape({1, 3})),
          with(ones({1, 3}, kBool)),
          with(complex(rand({2, 2}), rand({2, 2})))};
}

void check_no_sharing(const Table& table, bool records) {
  manual_seed(1);
  const AutoGradMode mode(records);
  const std::vector<Tensor> inputs = arguments();
  for (const auto& [name, f] : table) {
    int ran = 0;
    for (const Tensor& x : inputs) {
      Tensor y;
      try {
        y = f(x);
      } catch (const Error&) {
        continue;  // not for this shape or dtype
      }
      ++ran;
      INFO(name << " of shape " << x.sizes());
      CHECK(!y.storage().is_alias_of(x.storage()));
      CHECK(!y.is_view());
    }
    INFO(name);
    CHECK(ran > 0);
  }
}

void check_no_sharing(const Table& table) {
  for (bool records : {false, true}) check_no_sharing(table, records);
}

TEST_CASE("what shapes, pads and repeats gives copies") { check_no_sharing(kShaping); }
TEST_CASE("what reduces and scans gives copies") { check_no_sharing(kReductions); }
TEST_CASE("what indexes gives copies") { check_no_sharing(kIndexing); }
TEST_CASE("element-wise functions that change nothing give copies") { check_no_sharing(kElementwise); }
TEST_CASE("products with ones give copies") { check_no_sharing(kProducts); }
TEST_CASE("image functions that change nothing give copies") { check_no_sharing(kImages); }

TEST_CASE("the retained gradient of a result that is written to has what its views get") {
  const Tensor x = ones({2, 3});
  Tensor y = masked_scatter(x, x > 0, x);  // made as a view of a flat tensor
  const Tensor view = y.t(), weight = tensor(2.0f).requires_grad_();
  y.masked_fill_(x > 0, weight);
  const Tensor all = view * 1;
  y.retain_grad();
  autograd::backward({all, y}, {ones({3, 2}), ones({2, 3})});
  CHECK(y.grad().equal(ones({2, 3}) * 2));
}

TEST_CASE("a result with a history is no view of what its function made first") {
  const Tensor x = tensor({-4.0f, 1.0f}).requires_grad_();
  const Tensor smallest = std::get<0>(kthvalue(x, 1, 0));  // squeezed of one element of one dim
  CHECK_FALSE(smallest.is_view());
  Tensor view = smallest.permute({});
  smallest.retain_grad();
  view.unsqueeze_(0);
  view.backward(tensor({0.5f}));
  REQUIRE(smallest.grad().defined());
  CHECK(smallest.grad().item<float>() == 0.5f);
  CHECK(x.grad().equal(tensor({0.5f, 0.0f})));
}

TEST_CASE("a repeated tensor keeps its values when the first one is written to") {
  Tensor x = ones({1});
  const Tensor repeated = x.repeat({3}), interleaved = x.repeat_interleave(2, 0);
  x.add_(1);
  CHECK(repeated.sum().item<double>() == 3);
  CHECK(interleaved.sum().item<double>() == 2);
}

}  // namespace
}  // namespace strata::test::aliasing
