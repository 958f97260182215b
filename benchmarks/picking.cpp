// More of what programs reach for less often: elements picked by indices and masks, and layers that pool, pad, resize
// and compare. 4096 x 1024 floats where a row does not say otherwise.
#include "families.h"

using torch::Tensor;
namespace F = torch::nn::functional;

namespace {

Inputs matrix() { return {torch::randn({4096, 1024})}; }
Inputs positive() { return {torch::rand({4096, 1024}) + 0.5}; }
Inputs two_matrices() { return {torch::randn({4096, 1024}), torch::randn({4096, 1024})}; }
Inputs images() { return {torch::randn({8, 64, 56, 56})}; }
Inputs volumes() { return {torch::randn({4, 16, 16, 56, 56})}; }
Inputs grid() { return {torch::randn({8, 16, 64, 64}), torch::rand({8, 64, 64, 2}) * 2 - 1}; }
/// Rows, and places of 262,144 of all elements.
Inputs matrix_and_places() { return {matrix()[0], torch::randint(4096 * 1024, {1 << 18}, torch::kLong)}; }
Inputs matrix_and_mask() { return {matrix()[0], torch::rand({4096, 1024}) < 0.3}; }

constexpr Operation kPicking[] = {
    {"index_select along dim 1", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], torch::randint(1024, {512}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::index_select(in[0], 1, in[1]); }},
    {"take 262144", kForward | kBackward, matrix_and_places,
     [](const Inputs& in) { return torch::take(in[0], in[1]); }},
    {"masked_select of 30 %", kForward | kBackward, matrix_and_mask,
     [](const Inputs& in) { return torch::masked_select(in[0], in[1]); }},
    {"masked_scatter of 30 %", kForward,
     [] {
       return Inputs{matrix()[0], torch::rand({4096, 1024}) < 0.3, matrix()[0]};
     },
     [](const Inputs& in) { return torch::masked_scatter(in[0], in[1], in[2]); }},
    {"index_put, accumulated, 65536 of 2 dims", kForward,
     [] {
       return Inputs{matrix()[0], torch::randint(4096, {65536}, torch::kLong),
                     torch::randint(1024, {65536}, torch::kLong), torch::randn({65536})};
     },
     [](const Inputs& in) {
       return torch::index_put(in[0], {in[1], in[2]}, in[3], true);
     }},
    {"index of 2 dims, 65536", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], torch::randint(4096, {65536}, torch::kLong),
                     torch::randint(1024, {65536}, torch::kLong)};
     },
     [](const Inputs& in) {
       return in[0].index({in[1], in[2]});
     }},
    {"index_copy, 2048 rows", kForward,
     [] {
       return Inputs{matrix()[0], torch::randperm(4096).narrow(0, 0, 2048), torch::randn({2048, 1024})};
     },
     [](const Inputs& in) { return torch::index_copy(in[0], 0, in[1], in[2]); }},
    {"index_fill, 2048 rows", kForward,
     [] {
       return Inputs{matrix()[0], torch::randperm(4096).narrow(0, 0, 2048)};
     },
     [](const Inputs& in) { return torch::index_fill(in[0], 0, in[1], 1.5); }},
    {"put, 262144", kForward,
     [] {
       return Inputs{matrix()[0], torch::randperm(4096 * 1024).narrow(0, 0, 1 << 18), torch::randn({1 << 18})};
     },
     [](const Inputs& in) { return torch::put(in[0], in[1], in[2]); }},
    {"index_add, 32768 rows of 64 to 4096", kForward,
     [] {
       return Inputs{torch::randn({4096, 64}), torch::randint(4096, {32768}, torch::kLong), torch::randn({32768, 64})};
     },
     [](const Inputs& in) { return torch::index_add(in[0], 0, in[1], in[2]); }},
    {"gather of 128 tokens of 512, 8x512x768", kForward | kBackward,
     [] {
       return Inputs{torch::randn({8, 512, 768}), torch::randint(512, {8, 128, 1}, torch::kLong)};
     },
     [](const Inputs& in) {
       return in[0].gather(1, in[1].expand({8, 128, 768}));
     }},
    {"gather along dim 0, doubles", kForward | kBackward,
     [] {
       return Inputs{torch::randn({1024, 1024}, torch::kDouble), torch::randint(1024, {1024, 1024}, torch::kLong)};
     },
     [](const Inputs& in) { return in[0].gather(0, in[1]); }},
    {"one value under a mask of 30 %", kForward, matrix_and_mask,
     [](const Inputs& in) { return in[0].index_put({in[1]}, torch::ones({})); }},
    {"one_hot 65536 of 100", kForward, [] { return Inputs{torch::randint(100, {65536}, torch::kLong)}; },
     [](const Inputs& in) { return torch::one_hot(in[0], 100); }},
    {"pixel_unshuffle 2", kForward | kBackward, images,
     [](const Inputs& in) { return torch::pixel_unshuffle(in[0], 2); }},
};

Inputs resized() { return {torch::randn({8, 16, 64, 64})}; }
template <class Mode>
Tensor resize(const Inputs& in, std::vector<int64_t> size, Mode mode) {
  return F::interpolate(in[0], F::InterpolateFuncOptions().size(size).mode(mode).align_corners(false));
}
/// Maxima of 2 x 2 windows and where they stand.
Inputs maxima() {
  const auto [values, places] = torch::max_pool2d_with_indices(images()[0], {2, 2});
  return {values, places};
}

constexpr Operation kMoreLayers[] = {
    {"max_pool2d 3, stride 2", kForward | kBackward, images,
     [](const Inputs& in) { return torch::max_pool2d(in[0], 3, 2, 1); }},
    {"avg_pool2d 3, stride 2", kForward | kBackward, images,
     [](const Inputs& in) { return torch::avg_pool2d(in[0], 3, 2, 1); }},
    {"avg_pool1d 3, 32x64x1024", kForward | kBackward,
     [] {
       return Inputs{torch::randn({32, 64, 1024})};
     },
     [](const Inputs& in) { return torch::avg_pool1d(in[0], 3, 2, 1); }},
    {"max_unpool2d 2", kForward | kBackward, maxima,
     [](const Inputs& in) {
       return torch::max_unpool2d(in[0], in[1], {56, 56});
     }},
    {"fractional_max_pool2d 2 to 28", kForward | kBackward,
     [] {
       return Inputs{images()[0], torch::rand({8, 64, 2})};
     },
     [](const Inputs& in) {
       return std::get<0>(torch::fractional_max_pool2d(in[0], {2, 2}, {28, 28}, in[1]));
     }},
    {"adaptive_max_pool1d to 64, 32x64x1024", kForward | kBackward,
     [] {
       return Inputs{torch::randn({32, 64, 1024})};
     },
     [](const Inputs& in) { return std::get<0>(torch::adaptive_max_pool1d(in[0], 64)); }},
    {"adaptive_max_pool3d to 7", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return std::get<0>(torch::adaptive_max_pool3d(in[0], {7, 7, 7}));
     }},
    {"adaptive_avg_pool2d to 7", kForward | kBackward, images,
     [](const Inputs& in) {
       return torch::adaptive_avg_pool2d(in[0], {7, 7});
     }},
    {"adaptive_avg_pool3d to 7", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return torch::adaptive_avg_pool3d(in[0], {7, 7, 7});
     }},
    {"lp_pool1d 3 of norm 3, 32x64x1024", kForward,
     [] {
       return Inputs{torch::rand({32, 64, 1024})};
     },
     [](const Inputs& in) { return F::lp_pool1d(in[0], F::LPPool1dFuncOptions(3, 3)); }},
    {"embedding_bag by offsets, sum of 16", kForward | kBackward,
     [] {
       return Inputs{torch::randn({10000, 128}), torch::randint(10000, {65536}, torch::kLong),
                     torch::arange(0, 65536, 16, torch::kLong)};
     },
     [](const Inputs& in) {
       return F::embedding_bag(in[1], in[0], F::EmbeddingBagFuncOptions().offsets(in[2]).mode(torch::kSum));
     }},
    {"embedding_bag, weighted sum of 16", kForward | kBackward,
     [] {
       return Inputs{torch::randn({10000, 128}), torch::randint(10000, {4096, 16}, torch::kLong),
                     torch::rand({4096, 16})};
     },
     [](const Inputs& in) {
       return F::embedding_bag(in[1], in[0], F::EmbeddingBagFuncOptions().per_sample_weights(in[2]).mode(torch::kSum));
     }},
    {"replication_pad3d 2", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return torch::replication_pad3d(in[0], {2, 2, 2, 2, 2, 2});
     }},
    {"reflection_pad1d 8, 32x64x1024", kForward | kBackward,
     [] {
       return Inputs{torch::randn({32, 64, 1024})};
     },
     [](const Inputs& in) {
       return torch::reflection_pad1d(in[0], {8, 8});
     }},
    {"interpolate linear, 32x64x1024 to 2048", kForward | kBackward,
     [] {
       return Inputs{torch::randn({32, 64, 1024})};
     },
     [](const Inputs& in) { return resize(in, {2048}, torch::kLinear); }},
    {"interpolate trilinear, 2x8x16x28x28 by 2", kForward | kBackward,
     [] {
       return Inputs{torch::randn({2, 8, 16, 28, 28})};
     },
     [](const Inputs& in) {
       return resize(in, {32, 56, 56}, torch::kTrilinear);
     }},
    {"interpolate bilinear, 64 to 128", kForward | kBackward, resized,
     [](const Inputs& in) {
       return resize(in, {128, 128}, torch::kBilinear);
     }},
    {"interpolate bicubic, 64 to 128", kForward | kBackward, resized,
     [](const Inputs& in) {
       return resize(in, {128, 128}, torch::kBicubic);
     }},
    {"affine_grid 8x64x64", kForward | kBackward,
     [] {
       return Inputs{torch::randn({8, 2, 3})};
     },
     [](const Inputs& in) {
       return F::affine_grid(in[0], {8, 3, 64, 64}, false);
     }},
    {"grid_sample, nearest, 8x16x64x64", kForward | kBackward, grid,
     [](const Inputs& in) {
       return F::grid_sample(in[0], in[1], F::GridSampleFuncOptions().mode(torch::kNearest).align_corners(false));
     }},
    {"nll_loss 4x21x128x128", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4, 21, 128, 128}), torch::randint(21, {4, 128, 128}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::nll_loss2d(in[0], in[1]); }},
    {"cosine_embedding_loss", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], matrix()[0], torch::randint(2, {4096}) * 2 - 1};
     },
     [](const Inputs& in) { return torch::cosine_embedding_loss(in[0], in[1], in[2]); }},
    {"triplet_margin_with_distance_loss", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], matrix()[0], matrix()[0]};
     },
     [](const Inputs& in) { return F::triplet_margin_with_distance_loss(in[0], in[1], in[2]); }},
    {"multilabel_margin_loss 1024x100", kForward | kBackward,
     [] {
       return Inputs{torch::randn({1024, 100}), torch::randint(100, {1024, 100}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::multilabel_margin_loss(in[0], in[1]); }},
    {"gaussian_nll_loss", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], matrix()[0], positive()[0]};
     },
     [](const Inputs& in) {
       const Tensor var = in[2].clamp_min(1e-6);
       return (0.5 * (var.log() + (in[0] - in[1]).square() / var)).mean();
     }},
    {"poisson_nll_loss", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::poisson_nll_loss(in[0], in[1], true, false, 1e-8, 1); }},
};

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  for (const Operation& o : kPicking) rows_of(o);
  for (const Operation& o : kMoreLayers) rows_of(o);
  return run_rows(argc, argv);
}
