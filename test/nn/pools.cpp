// Pools of three dims, unpooling, power averages and fractional pools: PyTorch's values, gradients, texts and errors.
#include <cmath>

#include "test/nn/spatial.h"

using namespace strata;
namespace F = strata::nn::functional;
using Catch::Matchers::ContainsSubstring;
using test::printed;
using test::with;
using List = test::Tensors;

namespace {

void check_pool(const std::string& name, const test::Case& f) {
  static const test::Reference reference("pools.safetensors");
  test::check_case(reference, name, f);
}

}  // namespace

TEST_CASE("pools of three dims match PyTorch") {
  check_pool("max_pool3d", [](const List& x) {
    return with(max_pool3d_with_indices(x[0], {2, 3, 2}, {2, 1, 3}, {1, 1, 0}));
  });
  check_pool("max_pool3d_ties", [](const List& x) {
    return with(nn::MaxPool3d(nn::MaxPool3dOptions(3).stride(2).padding(1))->forward_with_indices(x[0]));
  });
  check_pool("max_pool3d_ceil", [](const List& x) {
    return with(F::max_pool3d_with_indices(x[0], F::MaxPool3dFuncOptions(2).ceil_mode(true)));
  });
  check_pool("max_pool3d_dilated", [](const List& x) {
    return with(max_pool3d_with_indices(x[0], 2, 1, 1, {3, 2, 1}));
  });
  check_pool("avg_pool3d", [](const List& x) { return List{avg_pool3d(x[0], {2, 3, 2}, {2, 1, 3}, {1, 1, 0})}; });
  check_pool("avg_pool3d_inside", [](const List& x) {
    const auto o = nn::AvgPool3dOptions(3).stride(2).padding(1).ceil_mode(true).count_include_pad(false);
    return List{nn::AvgPool3d(o)(x[0])};
  });
  check_pool("avg_pool3d_divisor", [](const List& x) {
    const auto o = F::AvgPool3dFuncOptions(3).stride(2).padding(1).ceil_mode(true).divisor_override(5);
    return List{F::avg_pool3d(x[0], o)};
  });
  check_pool("adaptive_avg_pool3d", [](const List& x) {
    return List{nn::AdaptiveAvgPool3d(nn::AdaptiveAvgPool3dOptions({3, std::nullopt, 2}))(x[0])};
  });
  check_pool("adaptive_avg_pool3d_one", [](const List& x) { return List{adaptive_avg_pool3d(x[0], 1)}; });
  check_pool("adaptive_max_pool3d", [](const List& x) {
    nn::AdaptiveMaxPool3d pool(nn::AdaptiveMaxPool3dOptions({3, std::nullopt, 2}));
    CHECK(pool(x[0]).equal(std::get<0>(pool->forward_with_indices(x[0]))));
    return with(pool->forward_with_indices(x[0]));
  });
  check_pool("adaptive_max_pool2d", [](const List& x) {
    return with(F::adaptive_max_pool2d_with_indices(x[0], F::AdaptiveMaxPool2dFuncOptions({3, std::nullopt})));
  });
  check_pool("adaptive_max_pool1d", [](const List& x) { return with(adaptive_max_pool1d(x[0], 3)); });
}

TEST_CASE("pools of three dims: NaN, integers, windows on padding alone") {
  Tensor x = arange(0, 64, 1, kDouble).view({1, 4, 4, 4});
  x.select(1, 1).select(1, 2).select(1, 1).fill_(NAN);
  const auto [y, at] = max_pool3d_with_indices(x, 2);
  CHECK(std::isnan(y[0][0][1][0].item<double>()));
  CHECK(at[0][0][1][0].item<int64_t>() == 1 * 16 + 2 * 4 + 1);
  CHECK(max_pool3d(arange(0, 27).view({1, 3, 3, 3}), 3).item<int64_t>() == 26);
  CHECK(avg_pool3d(arange(0, 8).view({1, 2, 2, 2}), 2).item<int64_t>() == 3);
  const Tensor alone = max_pool3d(zeros({1, 1, 1, 1}), 2, 1, 1, 2);
  CHECK(alone.eq(-INFINITY).all().item<bool>());
  CHECK(std::get<1>(max_pool3d_with_indices(zeros({1, 1, 1, 1}), 2, 1, 1, 2)).eq(-1).all().item<bool>());
  CHECK_THROWS_WITH(max_pool3d(ones({2, 2, 2}), 2), ContainsSubstring("max_pool3d: expected 4 or 5 dims"));
  CHECK_THROWS_WITH(avg_pool3d(ones({1, 2, 2, 2}), 3),
                    ContainsSubstring("avg_pool3d: input image smaller than kernel size: 2 values"));
  CHECK_THROWS_WITH(avg_pool3d(ones({1, 2, 2, 2}), 2, 2, 0, false, true, 0), ContainsSubstring("divisor_override"));
  CHECK_THROWS_WITH(adaptive_avg_pool3d(ones({1, 2, 2, 2}), {1, 2}), ContainsSubstring("takes 1 or 3 numbers"));
}

TEST_CASE("unpooling matches PyTorch") {
  check_pool("max_unpool1d", [](const List& x) { return List{nn::MaxUnpool1d(2)->forward(x[0], x[1])}; });
  check_pool("max_unpool2d", [](const List& x) { return List{nn::MaxUnpool2d(2)->forward(x[0], x[1])}; });
  check_pool("max_unpool3d", [](const List& x) { return List{nn::MaxUnpool3d(2)->forward(x[0], x[1])}; });
  const auto sized = [](std::vector<int64_t> size) { return std::optional<std::vector<int64_t>>(std::move(size)); };
  check_pool("max_unpool1d_size",
             [&](const List& x) { return List{nn::MaxUnpool1d(2)->forward(x[0], x[1], sized({7}))}; });
  check_pool("max_unpool2d_size", [&](const List& x) {
    return List{F::max_unpool2d(x[0], x[1], F::MaxUnpool2dFuncOptions(2).output_size(sized({7, 6})))};
  });
  check_pool("max_unpool3d_size", [&](const List& x) {
    return List{F::max_unpool3d(x[0], x[1], F::MaxUnpool3dFuncOptions(2).output_size(sized({5, 4, 6})))};
  });
  // A maximum of several windows stands there once, not as often as it was found.
  check_pool("max_unpool2d_overlapping", [](const List& x) {
    return List{nn::MaxUnpool2d(nn::MaxUnpool2dOptions(3).stride(1).padding(1))->forward(x[0], x[1])};
  });
  const Tensor x = ones({1, 1, 2}), at = zeros({1, 1, 2}, kLong);
  CHECK_THROWS_WITH(max_unpool1d(x, at.to(kInt), {4}), ContainsSubstring("max_unpool1d: expected indices of int64"));
  CHECK_THROWS_WITH(max_unpool1d(x, at[0], {4}), ContainsSubstring("indices of shape (1, 1, 2)"));
  CHECK_THROWS_AS(max_unpool1d(x, at.add(9), {4}), Error);
  CHECK_THROWS_WITH(F::max_unpool1d(x, at, F::MaxUnpool1dFuncOptions(2).output_size(sized({9}))),
                    ContainsSubstring("max_unpool1d: invalid output_size (9,), dim 0 must be between 2 and 6"));
}

TEST_CASE("power averages match PyTorch") {
  check_pool("lp_pool1d", [](const List& x) { return List{nn::LPPool1d(nn::LPPool1dOptions(3, 2).stride(1))(x[0])}; });
  check_pool("lp_pool2d", [](const List& x) {
    return List{F::lp_pool2d(x[0], F::LPPool2dFuncOptions(2, {2, 3}).ceil_mode(true))};
  });
  check_pool("lp_pool3d", [](const List& x) {
    return List{nn::LPPool3d(nn::LPPool3dOptions(1.5, 2).stride({1, 2, 1}))(x[0])};
  });
}

TEST_CASE("fractional pools match PyTorch, given the samples") {
  check_pool("fractional2d", [](const List& x) {
    const auto o = nn::FractionalMaxPool2dOptions({2, 3}).output_size(ExpandingArray<2>({4, 3}))._random_samples(x[1]);
    return with(nn::FractionalMaxPool2d(o)->forward_with_indices(x[0]));
  });
  check_pool("fractional2d_ratio", [](const List& x) {
    const ExpandingArray<2, double> ratio({0.6, 0.5});
    const auto o = F::FractionalMaxPool2dFuncOptions(2).output_ratio(ratio)._random_samples(x[1]);
    return with(F::fractional_max_pool2d_with_indices(x[0], o));
  });
  check_pool("fractional3d", [](const List& x) { return with(fractional_max_pool3d(x[0], 2, {4, 3, 1}, x[1])); });
  manual_seed(1);
  const Tensor x = arange(0, 81, 1, kDouble).view({1, 9, 9});
  const Tensor y = nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(2).output_size(4))(x);
  CHECK(y.sizes() == IntArrayRef{1, 4, 4});
  CHECK(y[0][3][3].item<double>() == 80);  // the last window ends where the input does
  CHECK_THROWS_WITH(nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(2)),
                    ContainsSubstring("give either output_size or output_ratio"));
  CHECK_THROWS_WITH(
      nn::FractionalMaxPool3d(nn::FractionalMaxPool3dOptions(2).output_ratio(ExpandingArray<3, double>(1.5))),
      ContainsSubstring("between 0 and 1"));
  CHECK_THROWS_WITH(fractional_max_pool2d(x, 3, 8, zeros({1, 1, 2}, kDouble)), ContainsSubstring("do not fit"));
}

TEST_CASE("gradients of composed pools differentiate and batch") {
  const Tensor x = randn({3, 2, 4, 4, 4}, kDouble), rows = max_pool3d(x, 2);
  const auto f = [](const Tensor& v) { return max_pool3d(v, 2).square().sum(); };
  CHECK(func::vmap(func::grad(f))(x.unsqueeze(1)).squeeze(1).allclose(func::grad(f)(x)));
  CHECK(func::vmap([](const Tensor& v) { return avg_pool3d(v, 2, 1, 1); })(x).allclose(avg_pool3d(x, 2, 1, 1)));
  const auto [y, at] = max_pool2d_with_indices(x.select(2, 0), 2);
  const auto back = [](const Tensor& v, const Tensor& i) { return max_unpool2d(v, i, {4, 4}); };
  CHECK(func::vmap(back)(y, at).equal(back(y, at)));
}

TEST_CASE("pools print as libtorch's") {
  CHECK(printed(nn::MaxPool1d(3)) ==
        "strata::nn::MaxPool1d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=false)");
  CHECK(printed(nn::MaxPool3d(2)) ==
        "strata::nn::MaxPool3d(kernel_size=[2, 2, 2], stride=[2, 2, 2], padding=[0, 0, "
        "0], dilation=[1, 1, 1], ceil_mode=false)");
  CHECK(printed(nn::AvgPool3d(2)) ==
        "strata::nn::AvgPool3d(kernel_size=[2, 2, 2], stride=[2, 2, 2], padding=[0, 0, 0])");
  CHECK(printed(nn::AdaptiveAvgPool1d(3)) == "strata::nn::AdaptiveAvgPool1d(output_size=3)");
  CHECK(printed(nn::AdaptiveAvgPool3d(nn::AdaptiveAvgPool3dOptions({3, std::nullopt, 2}))) ==
        "strata::nn::AdaptiveAvgPool3d(output_size=[3, None, 2])");
  CHECK(printed(nn::AdaptiveMaxPool3d(3)) == "strata::nn::AdaptiveMaxPool3d(output_size=[3, 3, 3])");
  CHECK(printed(nn::MaxUnpool1d(3)) == "strata::nn::MaxUnpool1d(kernel_size=3, stride=3, padding=0)");
  CHECK(printed(nn::MaxUnpool2d(nn::MaxUnpool2dOptions(3).stride(2).padding(1))) ==
        "strata::nn::MaxUnpool2d(kernel_size=[3, 3], stride=[2, 2], padding=[1, 1])");
  CHECK(printed(nn::LPPool2d(nn::LPPool2dOptions(1.5, {3, 2}).stride(2))) ==
        "strata::nn::LPPool2d(norm_type=1.5, kernel_size=[3, 2], stride=[2, 2], ceil_mode=false)");
  CHECK(printed(nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(3).output_size(2))) ==
        "strata::nn::FractionalMaxPool2d()");
}
