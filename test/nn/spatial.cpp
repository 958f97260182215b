// Blocks as columns, grids, pads of three dims and response norms: PyTorch's values, gradients, texts and errors.
#include "test/nn/spatial.h"

#include <cmath>

#include "ops/grid_sample_def.h"

using namespace strata;
namespace F = strata::nn::functional;
using Catch::Matchers::ContainsSubstring;
using test::printed;
using List = test::Tensors;

namespace {

void check_spatial(const std::string& name, const test::Case& f) {
  static const test::Reference reference("spatial.safetensors");
  test::check_case(reference, name, f);
}

template <class Holder>
void check_module(const std::string& name, Holder module) {
  check_spatial(name, [&](const List& x) { return List{module(x[0])}; });
}

}  // namespace

TEST_CASE("fold and unfold match PyTorch") {
  check_module("unfold", nn::Unfold(nn::UnfoldOptions({2, 3}).dilation({2, 1}).padding({1, 2}).stride({1, 2})));
  check_module("unfold_one", nn::Unfold(2));
  check_module("fold", nn::Fold(nn::FoldOptions({4, 5}, {2, 3}).dilation({2, 1}).padding({1, 2}).stride({1, 2})));
  check_spatial("fold_one", [](const List& x) { return List{F::fold(x[0], F::FoldFuncOptions(4, 2).stride(2))}; });
  const Tensor x = randn({3, 1, 2, 4, 4}, kDouble);
  const auto blocks = [](const Tensor& v) { return im2col(v, 2, 1, 1, 1); };
  CHECK(func::vmap(blocks)(x).equal(stack({blocks(x[0]), blocks(x[1]), blocks(x[2])})));
  CHECK_THROWS_WITH(im2col(x[0], 7, 1, 1, 1), ContainsSubstring("im2col: blocks of 7"));
  CHECK_THROWS_WITH(im2col(x, 2, 1, 1, 1), ContainsSubstring("expected (N, C, H, W) or (C, H, W)"));
  CHECK_THROWS_WITH(col2im(ones({1, 8, 5}), {3, 3}, 2, 1, 0, 1),
                    ContainsSubstring("number of sliding blocks 2 * 2 = 4, but got input.size(2)=5"));
  CHECK_THROWS_WITH(
      col2im(ones({1, 7, 4}), {3, 3}, 2, 1, 0, 1),
      ContainsSubstring("divisible by the product of kernel_size, but got input.size(1)=7 and kernel_size=(2, 2)"));
  CHECK(im2col(ones({0, 2, 3, 3}), 2, 1, 0, 1).sizes() == IntArrayRef{0, 8, 4});
}

TEST_CASE("grid_sample of sides beyond what floats count stays inside of the image") {
  const int64_t side = (1 << 24) + 4;
  const Tensor memory = zeros({1, 1, 1, side}), whole = ones({1, 1, 1, side});
  memory.slice(3, side - 1).fill_(1);  // what is read behind the image shows
  const Tensor image = memory.slice(3, 0, side - 1), grid = tensor({1.0, 0.0}).view({1, 1, 1, 2});
  for (const auto padding : {0, 1})
    for (const auto mode : {0, 1}) {
      nn::functional::GridSampleFuncOptions o;
      if (padding) o.padding_mode(kBorder);
      if (mode) o.mode(kNearest);
      CHECK(nn::functional::grid_sample(image, grid, o.align_corners(true)).item<float>() == 0);
      if (padding) CHECK(nn::functional::grid_sample(whole, grid, o.align_corners(true)).item<float>() > 0.49);
    }
}

TEST_CASE("grid_sample matches PyTorch in all modes") {
  for (bool align : {true, false})
    for (Choice padding : {Choice::Zeros, Choice::Border, Choice::Reflection})
      for (Choice mode : {Choice::Bilinear, Choice::Nearest, Choice::Bicubic}) {
        const auto sample = [&](const List& x) {
          const auto o = F::GridSampleFuncOptions().mode(mode).padding_mode(padding).align_corners(align);
          return List{F::grid_sample(x[0], x[1], o)};
        };
        const std::string text = std::string(name(mode)) + "_" + name(padding) + "_" + (align ? "corners" : "edges");
        check_spatial("grid_" + text, sample);
        if (mode != kBicubic) check_spatial("grid3d_" + text, sample);
      }
  check_spatial("grid_ends", [](const List& x) { return List{grid_sampler(x[0], x[1], 0, 1, true)}; });
  check_spatial("grid_far", [](const List& x) { return List{grid_sampler(x[0], x[1], 0, 2, false)}; });
}

TEST_CASE("grid_sample by channels and points of every remainder is what gathers give") {
  using enum GridInterpolation;
  for (int64_t channels : {1, 2, 3, 5, 16, 19, 70})
    for (DType type : {kFloat, kDouble})
      for (auto mode : {Bilinear, Nearest, Bicubic}) {
        const Tensor x = randn({2, channels, 7, 6}, type), grid = rand({2, 9, 15, 2}, type).mul(2.6).sub(1.3);
        const Tensor g = randn({2, channels, 9, 15}, type);
        const GridParams p{mode, GridPadding::Zeros, false, {7, 6}};
        const double bound = type == kFloat ? 1e-4 : 1e-12;
        CHECK(call1(grid_sample_op, {&x, &grid}, p).allclose(composed_grid_sample(x, grid, p), bound, bound));
        CHECK(call1(grid_sample_backward_op, {&g, &grid}, p)
                  .allclose(composed_grid_sample_backward(g, grid, p), bound, bound));
      }
}

TEST_CASE("grids: one element, types, batches of transforms, errors") {
  const Tensor x = randn({2, 3, 4, 4}, kDouble), grid = rand({2, 5, 5, 2}, kDouble).mul(2).sub(1);
  const Tensor y = grid_sampler(x, grid, 0, 0, false);
  CHECK(grid_sampler(x.to(kHalf), grid.to(kHalf), 0, 0, false).dtype() == kHalf);
  CHECK(grid_sampler(ones({1, 1, 1, 1}), zeros({1, 2, 2, 2}), 0, 2, true).equal(ones({1, 1, 2, 2})));
  CHECK(grid_sampler(x, zeros({2, 0, 5, 2}, kDouble), 0, 0, false).sizes() == IntArrayRef{2, 3, 0, 5});
  const auto one = [](const Tensor& image, const Tensor& at) {
    return grid_sampler(image.unsqueeze(0), at.unsqueeze(0), 0, 0, false).squeeze(0);
  };
  CHECK(func::vmap(one)(x, grid).allclose(y));
  CHECK_THROWS_WITH(grid_sampler(x, grid[0], 0, 0, false), ContainsSubstring("grid_sampler: expected an input"));
  CHECK_THROWS_WITH(grid_sampler(x, grid.to(kFloat), 0, 0, false), ContainsSubstring("one floating point type"));
  CHECK_THROWS_WITH(grid_sampler(x[0].unsqueeze(0), grid, 0, 0, false), ContainsSubstring("same batch size"));
  CHECK_THROWS_WITH(grid_sampler_3d(ones({1, 1, 2, 2, 2}), zeros({1, 1, 1, 1, 3}), 2, 0, false),
                    ContainsSubstring("bicubic interpolation only supports 4-dim input"));
  CHECK_THROWS_WITH(F::grid_sample(x, grid, F::GridSampleFuncOptions().mode(Choice::Area)),
                    ContainsSubstring("expected one of kBilinear, kNearest, kBicubic, got kArea"));
}

TEST_CASE("affine_grid matches PyTorch") {
  for (bool align : {true, false}) {
    const std::string end = align ? "corners" : "edges";
    check_spatial("affine2d_" + end, [&](const List& t) { return List{F::affine_grid(t[0], {2, 3, 4, 5}, align)}; });
    check_spatial("affine3d_" + end, [&](const List& t) { return List{F::affine_grid(t[0], {2, 1, 3, 1, 2}, align)}; });
  }
  CHECK_THROWS_WITH(F::affine_grid(ones({2, 2, 3}), {-1, 1, 2, 2}),
                    ContainsSubstring("Expected non-zero, positive output size. Got [-1, 1, 2, 2]"));
  CHECK_THROWS_WITH(F::affine_grid(ones({1, 2, 3}), {2, 1, 4, 4}),
                    ContainsSubstring("matrices of shape Nx2x3 for size [2, 1, 4, 4]. Got [1, 2, 3]"));
  CHECK_THROWS_WITH(F::affine_grid(ones({1, 2, 3}, kLong), {1, 1, 4, 4}), ContainsSubstring("floating point type"));
}

TEST_CASE("pads of three dims match PyTorch") {
  check_module("reflection_pad3d", nn::ReflectionPad3d(nn::ReflectionPad3dOptions({1, 2, 2, 1, 1, 0})));
  check_module("replication_pad3d", nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 2, 3, 1, 0, 2})));
  check_module("constant_pad3d", nn::ConstantPad3d(nn::ConstantPad3dOptions({1, 2, -1, 1, 0, 2}, 3.5)));
  check_module("zero_pad3d", nn::ZeroPad3d(1));
  check_spatial("circular_pad3d", [](const List& x) {
    return List{F::pad(x[0], F::PadFuncOptions({1, 2, 2, 1, 1, 0}).mode(kCircular))};
  });
}

TEST_CASE("norms without means match PyTorch") {
  check_spatial("rms_norm", [](const List& x) {
    nn::RMSNorm norm(nn::RMSNormOptions({3, 4}).eps(1e-3));
    CHECK(norm->weight.equal(ones({3, 4})));
    norm->to(kDouble);
    CHECK(norm(x[0]).equal(F::rms_norm(x[0], F::RMSNormFuncOptions({3, 4}).weight(norm->weight).eps(1e-3))));
    return List{F::rms_norm(x[0], F::RMSNormFuncOptions({3, 4}).weight(x[1]).eps(1e-3))};
  });
  check_module("rms_norm_plain", nn::RMSNorm(nn::RMSNormOptions({4}).elementwise_affine(false)));
  for (int64_t size : {1, 2, 3, 4, 5}) {
    const std::string n = std::to_string(size);
    check_module("local_response_norm" + n,
                 nn::LocalResponseNorm(nn::LocalResponseNormOptions(size).alpha(0.3).beta(0.6).k(2)));
    check_module("cross_map_lrn" + n, nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(size).alpha(0.3).beta(0.6).k(2)));
  }
  check_module("local_response_norm_line", nn::LocalResponseNorm(3));
  CHECK_THROWS_WITH(nn::CrossMapLRN2d(3)(ones({2, 3, 4})), ContainsSubstring("CrossMapLRN2d: expected (N, C, H, W)"));
}

TEST_CASE("channels shuffle, volumes shrink by area") {
  check_module("channel_shuffle", nn::ChannelShuffle(3));
  check_spatial("area3d", [](const List& x) {
    const std::vector<int64_t> size{2, 3, 4};
    return List{F::interpolate(x[0], F::InterpolateFuncOptions().size(size).mode(kArea))};
  });
  CHECK_THROWS_WITH(nn::ChannelShuffle(4)(ones({1, 6, 2})), ContainsSubstring("4 groups do not divide"));
}

TEST_CASE("interpolation without aliases matches PyTorch") {
  for (Choice mode : {Choice::Bilinear, Choice::Bicubic}) {
    const auto o = F::InterpolateFuncOptions().mode(mode).antialias(true);
    const std::string start = std::string("antialias_") + name(mode) + "_";
    for (bool align : {true, false})
      for (const std::vector<int64_t>& size : {std::vector<int64_t>{3, 4}, {12, 5}, {9, 16}})
        check_spatial(start + std::to_string(align) + "_" + std::to_string(size[0]), [&](const List& x) {
          return List{F::interpolate(x[0], F::InterpolateFuncOptions(o).size(size).align_corners(align))};
        });
    check_spatial(start + "factor", [&](const List& x) {
      const std::vector<double> factor{0.4, 0.7};
      return List{F::interpolate(x[0], F::InterpolateFuncOptions(o).scale_factor(factor).align_corners(false))};
    });
  }
  const auto nearest = F::InterpolateFuncOptions().size(std::vector<int64_t>{2, 2}).antialias(true);
  CHECK_THROWS_WITH(F::interpolate(ones({1, 1, 4, 4}), nearest), ContainsSubstring("antialias does not go with"));
}

TEST_CASE("spatial modules print as libtorch's") {
  CHECK(printed(nn::Fold(nn::FoldOptions({4, 5}, {2, 2}))) ==
        "strata::nn::Fold(output_size=[4, 5], kernel_size=[2, 2], dilation=[1, 1], padding=[0, 0], stride=[1, 1])");
  CHECK(printed(nn::Unfold(nn::UnfoldOptions({2, 4}).dilation(2))) ==
        "strata::nn::Unfold(kernel_size=[2, 4], dilation=[2, 2], padding=[0, 0], stride=[1, 1])");
  CHECK(printed(nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 2, 3, 4, 5, 6}))) ==
        "strata::nn::ReplicationPad3d(padding=[1, 2, 3, 4, 5, 6])");
  CHECK(printed(nn::ConstantPad3d(nn::ConstantPad3dOptions(1, 3.5))) ==
        "strata::nn::ConstantPad3d(padding=[1, 1, 1, 1, 1, 1], value=3.5)");
  CHECK(printed(nn::ZeroPad3d(2)) == "strata::nn::ZeroPad3d(padding=[2, 2, 2, 2, 2, 2])");
  CHECK(printed(nn::LocalResponseNorm(nn::LocalResponseNormOptions(2).alpha(0.0002))) ==
        "strata::nn::LocalResponseNorm(2, alpha=0.0002, beta=0.75, k=1)");
  CHECK(printed(nn::CrossMapLRN2d(4)) == "strata::nn::CrossMapLRN2d(4, alpha=0.0001, beta=0.75, k=1)");
}
