// What programs reach for less often: statistics, sets, joins, pointwise functions made of several others, and the
// layers for volumes, resampling, sequences of symbols and bags of embeddings. 4096 x 1024 floats where a row does not
// say otherwise.
#include "families.h"
#include "pointwise.h"

using torch::Tensor;
namespace F = torch::nn::functional;
namespace nn = torch::nn;

namespace {

Inputs matrix() { return {torch::randn({4096, 1024})}; }
Inputs positive() { return {torch::rand({4096, 1024}) + 0.5}; }
Inputs two_matrices() { return {torch::randn({4096, 1024}), torch::randn({4096, 1024})}; }
Inputs vector() { return {torch::randn({1 << 20})}; }
Inputs counts() { return {torch::randint(1000, {1 << 20}, torch::kLong)}; }
Inputs images() { return {torch::randn({8, 64, 56, 56})}; }
Inputs volumes() { return {torch::randn({4, 16, 16, 56, 56})}; }
Inputs samples() { return {torch::randn({64, 4096})}; }
Inputs points() { return {torch::randn({1024, 64}), torch::randn({2048, 64})}; }
/// Values, places in 4096 rows, and a source of the same shape.
Inputs places() {
  return {torch::randn({4096, 1024}), torch::randint(4096, {4096, 1024}, torch::kLong), torch::randn({4096, 1024})};
}

constexpr Operation kComposed[] = {
    {"copysign", kForward | kBackward, two_matrices, [](const Inputs& in) { return torch::copysign(in[0], in[1]); }},
    {"heaviside", kForward, two_matrices, [](const Inputs& in) { return torch::heaviside(in[0], in[1]); }},
    {"logaddexp", kForward | kBackward, two_matrices, [](const Inputs& in) { return torch::logaddexp(in[0], in[1]); }},
    {"logaddexp2", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::logaddexp2(in[0], in[1]); }},
    {"hypot", kForward | kBackward, two_matrices, [](const Inputs& in) { return torch::hypot(in[0], in[1]); }},
    {"xlogy", kForward | kBackward,
     [] {
       return Inputs{positive()[0], positive()[0]};
     },
     [](const Inputs& in) { return torch::xlogy(in[0], in[1]); }},
    {"sinc", kForward | kBackward, matrix, [](const Inputs& in) { return torch::sinc(in[0]); }},
    {"logit", kForward | kBackward,
     [] {
       return Inputs{torch::rand({4096, 1024})};
     },
     [](const Inputs& in) { return torch::logit(in[0], 1e-6); }},
    {"nan_to_num", kForward | kBackward, matrix, [](const Inputs& in) { return torch::nan_to_num(in[0]); }},
    {"float_power 3", kForward, matrix, [](const Inputs& in) { return torch::float_power(in[0], 3); }},
    {"ldexp", kForward, two_matrices, [](const Inputs& in) { return torch::ldexp(in[0], in[1]); }},
    {"lerp", kForward | kBackward, two_matrices, [](const Inputs& in) { return torch::lerp(in[0], in[1], 0.3); }},
    {"addcmul", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::addcmul(in[0], in[1], in[1], 0.5); }},
    {"remainder", kForward, two_matrices, [](const Inputs& in) { return torch::remainder(in[0], in[1]); }},
    {"isclose", kForward, two_matrices, [](const Inputs& in) { return torch::isclose(in[0], in[1]); }},
    {"special::entr", kForward, positive, [](const Inputs& in) { return torch::special::entr(in[0]); }},
    {"erfinv", kForward | kBackward,
     [] {
       return Inputs{torch::rand({4096, 1024}) * 1.9 - 0.95};
     },
     [](const Inputs& in) { return torch::erfinv(in[0]); }},
    {"lgamma", kForward, positive, [](const Inputs& in) { return torch::lgamma(in[0]); }},
    {"digamma", kForward, positive, [](const Inputs& in) { return torch::digamma(in[0]); }},
};

constexpr Operation kStatistics[] = {
    {"quantile 0.3 over dim 1", kForward, samples, [](const Inputs& in) { return torch::quantile(in[0], 0.3, 1); }},
    {"quantile 0.3 of 1M", kForward, vector, [](const Inputs& in) { return torch::quantile(in[0], 0.3); }},
    {"median of 1M", kForward, vector, [](const Inputs& in) { return torch::median(in[0]); }},
    {"median over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::median(in[0], 1)); }},
    {"kthvalue 100 over dim 1", kForward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::kthvalue(in[0], 100, 1)); }},
    {"mode of counts over dim 1", kForward,
     [] {
       return Inputs{torch::randint(50, {1024, 1024}, torch::kLong)};
     },
     [](const Inputs& in) { return std::get<0>(torch::mode(in[0], 1)); }},
    {"nansum over dim 1", kForward, matrix, [](const Inputs& in) { return torch::nansum(in[0], {1}); }},
    {"nanmean over dim 1", kForward, matrix, [](const Inputs& in) { return torch::nanmean(in[0], {1}); }},
    {"cummax over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::cummax(in[0], 1)); }},
    {"cummin over dim 0", kForward, matrix, [](const Inputs& in) { return std::get<0>(torch::cummin(in[0], 0)); }},
    {"logcumsumexp over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return torch::logcumsumexp(in[0], 1); }},
    {"diff over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return torch::diff(in[0]); }},
    {"trapezoid over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return torch::trapezoid(in[0]); }},
    {"cov of 256 x 4096", kForward | kBackward,
     [] {
       return Inputs{torch::randn({256, 4096})};
     },
     [](const Inputs& in) { return torch::cov(in[0]); }},
    {"corrcoef of 256 x 4096", kForward,
     [] {
       return Inputs{torch::randn({256, 4096})};
     },
     [](const Inputs& in) { return torch::corrcoef(in[0]); }},
    {"histc of 1M, 100 bins", kForward, vector, [](const Inputs& in) { return torch::histc(in[0], 100, -3, 3); }},
    {"histogram of 1M, 100 bins", kForward, vector,
     [](const Inputs& in) { return std::get<0>(torch::histogram(in[0], 100)); }},
    {"bincount of 1M", kForward, counts, [](const Inputs& in) { return torch::bincount(in[0]); }},
    {"isin, 1M in 100", kForward,
     [] {
       return Inputs{counts()[0], torch::randint(1000, {100}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::isin(in[0], in[1]); }},
    {"unique of 1M counts", kForward, counts, [](const Inputs& in) { return std::get<0>(torch::_unique2(in[0])); }},
    {"unique_consecutive of 1M", kForward, [] { return Inputs{std::get<0>(counts()[0].sort())}; },
     [](const Inputs& in) { return std::get<0>(torch::unique_consecutive(in[0])); }},
    {"unique_dim of 10,000 rows of 4", kForward,
     [] {
       return Inputs{torch::randint(8, {10000, 4}, torch::kLong)};
     },
     [](const Inputs& in) { return std::get<0>(torch::unique_dim(in[0], 0)); }},
    {"searchsorted, 1M in 1000", kForward,
     [] {
       return Inputs{std::get<0>(torch::randn({1000}).sort()), vector()[0]};
     },
     [](const Inputs& in) { return torch::searchsorted(in[0], in[1]); }},
    {"bucketize, 1M in 1000", kForward,
     [] {
       return Inputs{vector()[0], std::get<0>(torch::randn({1000}).sort())};
     },
     [](const Inputs& in) { return torch::bucketize(in[0], in[1]); }},
    {"cdist 1024x2048 in 64 dims", kForward | kBackward, points,
     [](const Inputs& in) { return torch::cdist(in[0], in[1]); }},
    {"cdist 1024x2048 in 64 dims, p = 1", kForward | kBackward, points,
     [](const Inputs& in) { return torch::cdist(in[0], in[1], 1.0); }},
    {"renorm of rows", kForward, matrix, [](const Inputs& in) { return torch::renorm(in[0], 2, 0, 1.0); }},
    {"multinomial, 64 of 4096", kForward,
     [] {
       return Inputs{torch::rand({64, 4096})};
     },
     [](const Inputs& in) { return torch::multinomial(in[0], 64); }},
};

constexpr Operation kArranging[] = {
    {"scatter_reduce amax along dim 0", kForward | kBackward, places,
     [](const Inputs& in) { return torch::scatter_reduce(in[0], 0, in[1], in[2], "amax"); }},
    {"scatter_reduce mean along dim 0", kForward, places,
     [](const Inputs& in) { return torch::scatter_reduce(in[0], 0, in[1], in[2], "mean"); }},
    {"take_along_dim 1", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096, 1024}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::take_along_dim(in[0], in[1], 1); }},
    {"index_put, 4096 rows", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randperm(4096), torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return torch::index_put(in[0], {in[1]}, in[2]); }},
    {"repeat_interleave 2", kForward, matrix, [](const Inputs& in) { return in[0].repeat_interleave(2, 0); }},
    {"rot90", kForward, matrix,
     [](const Inputs& in) {
       return torch::rot90(in[0], 1, {0, 1});
     }},
    {"block_diag of 8", kForward,
     [] {
       return Inputs(8, torch::randn({256, 256}));
     },
     [](const Inputs& in) { return torch::block_diag(in); }},
    {"dstack of 2", kForward, two_matrices,
     [](const Inputs& in) {
       return torch::dstack({in[0], in[1]});
     }},
    {"stack of 8 along dim 1", kForward | kBackward,
     [] {
       return Inputs(8, torch::randn({512, 1024}));
     },
     [](const Inputs& in) { return torch::stack(in, 1); }},
    {"cartesian_prod 2048 x 512", kForward,
     [] {
       return Inputs{torch::randn({2048}), torch::randn({512})};
     },
     [](const Inputs& in) {
       return torch::cartesian_prod({in[0], in[1]});
     }},
    {"combinations of 1000", kForward, [] { return Inputs{torch::randn({1000})}; },
     [](const Inputs& in) { return torch::combinations(in[0]); }},
    {"diag_embed of 256x256", kForward | kBackward,
     [] {
       return Inputs{torch::randn({256, 256})};
     },
     [](const Inputs& in) { return torch::diag_embed(in[0]); }},
    {"pixel_shuffle 2", kForward | kBackward, images, [](const Inputs& in) { return torch::pixel_shuffle(in[0], 2); }},
    {"channel_shuffle 4", kForward, images, [](const Inputs& in) { return torch::channel_shuffle(in[0], 4); }},
};

/// 4,096 bags of 16 of 10,000 rows.
Inputs bags() { return {torch::randn({10000, 128}), torch::randint(10000, {4096, 16}, torch::kLong)}; }
template <class Mode>
Tensor bag(const Inputs& in, Mode mode) {
  return F::embedding_bag(in[1], in[0], F::EmbeddingBagFuncOptions().mode(mode));
}

Inputs logits_of_symbols() {
  return {torch::log_softmax(torch::randn({100, 32, 40}), 2), torch::randint(1, 40, {32, 20}, torch::kLong),
          torch::full({32}, 100, torch::kLong), torch::full({32}, 20, torch::kLong)};
}

Inputs grid() { return {torch::randn({8, 16, 64, 64}), torch::rand({8, 64, 64, 2}) * 2 - 1}; }

constexpr Operation kLayers[] = {
    {"avg_pool3d 2, 4x16x16x56x56", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return torch::avg_pool3d(in[0], {2, 2, 2});
     }},
    {"max_pool3d 3, 4x16x16x56x56", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return torch::max_pool3d(in[0], {3, 3, 3}, {2, 2, 2}, {1, 1, 1});
     }},
    {"adaptive_avg_pool3d to 1", kForward | kBackward, volumes,
     [](const Inputs& in) {
       return torch::adaptive_avg_pool3d(in[0], {1, 1, 1});
     }},
    {"adaptive_max_pool2d to 7", kForward | kBackward, images,
     [](const Inputs& in) {
       return std::get<0>(torch::adaptive_max_pool2d(in[0], {7, 7}));
     }},
    {"max_pool1d 3, 32x64x1024", kForward | kBackward,
     [] {
       return Inputs{torch::randn({32, 64, 1024})};
     },
     [](const Inputs& in) { return torch::max_pool1d(in[0], {3}, {2}, {1}); }},
    {"lp_pool2d 2", kForward | kBackward, images,
     [](const Inputs& in) { return F::lp_pool2d(in[0], F::LPPool2dFuncOptions(2, 2)); }},
    {"conv1d 64-64 of 5, 32x64x1024", kForward | kBoth,
     [] {
       return Inputs{torch::randn({32, 64, 1024}), torch::randn({64, 64, 5})};
     },
     [](const Inputs& in) { return torch::conv1d(in[0], in[1], {}, 1, 2); }},
    {"conv3d 16-32 3x3x3, 4x16x16x28x28", kForward | kBoth,
     [] {
       return Inputs{torch::randn({4, 16, 16, 28, 28}), torch::randn({32, 16, 3, 3, 3})};
     },
     [](const Inputs& in) { return torch::conv3d(in[0], in[1], {}, 1, 1); }},
    {"conv_transpose2d 64-32 4x4, 8x64x28x28", kForward | kBoth,
     [] {
       return Inputs{torch::randn({8, 64, 28, 28}), torch::randn({64, 32, 4, 4})};
     },
     [](const Inputs& in) { return torch::conv_transpose2d(in[0], in[1], {}, 2, 1); }},
    {"depthwise conv2d 64 3x3", kForward | kBoth,
     [] {
       return Inputs{images()[0], torch::randn({64, 1, 3, 3})};
     },
     [](const Inputs& in) { return torch::conv2d(in[0], in[1], {}, 1, 1, 1, 64); }},
    {"unfold 3x3", kForward | kBackward, images,
     [](const Inputs& in) { return F::unfold(in[0], F::UnfoldFuncOptions(3).padding(1)); }},
    {"fold 3x3", kForward | kBackward,
     [] {
       return Inputs{torch::randn({8, 16 * 9, 56 * 56})};
     },
     [](const Inputs& in) {
       return F::fold(in[0], F::FoldFuncOptions({56, 56}, 3).padding(1));
     }},
    {"grid_sample, bilinear, 8x16x64x64", kForward | kBackward, grid,
     [](const Inputs& in) {
       return F::grid_sample(in[0], in[1], F::GridSampleFuncOptions().mode(torch::kBilinear).align_corners(false));
     }},
    {"grid_sample, bicubic, 8x16x64x64", kForward, grid,
     [](const Inputs& in) {
       return F::grid_sample(in[0], in[1], F::GridSampleFuncOptions().mode(torch::kBicubic).align_corners(false));
     }},
    {"local_response_norm 5", kForward | kBackward, images,
     [](const Inputs& in) { return F::local_response_norm(in[0], F::LocalResponseNormFuncOptions(5)); }},
    {"instance_norm", kForward | kBackward, images, [](const Inputs& in) { return F::instance_norm(in[0]); }},
    {"rms_norm, 4096x1024", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::ones({1024})};
     },
     [](const Inputs& in) { return torch::rms_norm(in[0], {1024}, in[1]); }},
    {"embedding_bag, sum of 16", kForward | kBackward, bags, [](const Inputs& in) { return bag(in, torch::kSum); }},
    {"embedding_bag, mean of 16", kForward | kBackward, bags, [](const Inputs& in) { return bag(in, torch::kMean); }},
    {"embedding_bag, max of 16", kForward | kBackward, bags, [](const Inputs& in) { return bag(in, torch::kMax); }},
    {"ctc_loss, 100 steps, batch 32", kForward | kBackward, logits_of_symbols,
     [](const Inputs& in) { return torch::ctc_loss(in[0], in[1], in[2], in[3]); }},
    {"bilinear 64, 64 to 32, batch 256", kForward | kBoth,
     [] {
       return Inputs{torch::randn({256, 64}), torch::randn({256, 64}), torch::randn({32, 64, 64})};
     },
     [](const Inputs& in) { return torch::bilinear(in[0], in[1], in[2], {}); }},
    {"cosine_similarity", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::cosine_similarity(in[0], in[1]); }},
    {"triplet_margin_loss", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], matrix()[0], matrix()[0]};
     },
     [](const Inputs& in) { return torch::triplet_margin_loss(in[0], in[1], in[2]); }},
    {"huber_loss", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::huber_loss(in[0], in[1]); }},
    {"kl_div", kForward | kBackward,
     [] {
       return Inputs{matrix()[0], positive()[0]};
     },
     [](const Inputs& in) { return torch::kl_div(in[0], in[1]); }},
    {"multi_margin_loss", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 100}), torch::randint(100, {4096}, torch::kLong)};
     },
     [](const Inputs& in) { return torch::multi_margin_loss(in[0], in[1]); }},
    {"nll_loss with weights", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096}, torch::kLong), torch::rand({1024})};
     },
     [](const Inputs& in) { return torch::nll_loss(in[0], in[1], in[2]); }},
    {"glu", kForward | kBackward, matrix, [](const Inputs& in) { return torch::glu(in[0]); }},
    {"mish", kForward | kBackward, matrix, [](const Inputs& in) { return torch::mish(in[0]); }},
    {"silu", kForward | kBackward, matrix, [](const Inputs& in) { return torch::silu(in[0]); }},
    {"celu", kForward | kBackward, matrix, [](const Inputs& in) { return torch::celu(in[0]); }},
};

constexpr Operation kFactors[] = {
    {"eig 64", kForward,
     [] {
       return Inputs{torch::randn({64, 64})};
     },
     [](const Inputs& in) { return std::get<0>(torch::linalg_eig(in[0])); }},
    {"lstsq 512x64", kForward,
     [] {
       return Inputs{torch::randn({512, 64}), torch::randn({512, 4})};
     },
     [](const Inputs& in) { return std::get<0>(torch::linalg_lstsq(in[0], in[1])); }},
    {"pinv 128", kForward,
     [] {
       return Inputs{torch::randn({128, 128})};
     },
     [](const Inputs& in) { return torch::pinverse(in[0]); }},
    {"matrix_exp 64x32x32", kForward,
     [] {
       return Inputs{torch::randn({64, 32, 32}) * 0.1};
     },
     [](const Inputs& in) { return torch::matrix_exp(in[0]); }},
    {"matrix_power 5 of 256", kForward,
     [] {
       return Inputs{torch::randn({256, 256}) * 0.05};
     },
     [](const Inputs& in) { return torch::matrix_power(in[0], 5); }},
    {"lu_factor 256", kForward,
     [] {
       return Inputs{torch::randn({256, 256})};
     },
     [](const Inputs& in) { return std::get<0>(torch::linalg_lu_factor(in[0])); }},
    {"det 64x16x16", kForward | kBackward,
     [] {
       return Inputs{torch::randn({64, 16, 16})};
     },
     [](const Inputs& in) { return torch::linalg_det(in[0]); }},
    {"inverse 64x16x16", kForward | kBackward,
     [] {
       return Inputs{torch::randn({64, 16, 16})};
     },
     [](const Inputs& in) { return torch::linalg_inv(in[0]); }},
    {"kron 64x64, 32x32", kForward,
     [] {
       return Inputs{torch::randn({64, 64}), torch::randn({32, 32})};
     },
     [](const Inputs& in) { return torch::kron(in[0], in[1]); }},
    {"einsum bij,bjk->bik 16x128", kForward | kBoth,
     [] {
       return Inputs{torch::randn({16, 128, 128}), torch::randn({16, 128, 128})};
     },
     [](const Inputs& in) {
       return torch::einsum("bij,bjk->bik", {in[0], in[1]});
     }},
    {"tensordot of 2 dims", kForward,
     [] {
       return Inputs{torch::randn({64, 32, 32}), torch::randn({32, 32, 64})};
     },
     [](const Inputs& in) {
       return torch::tensordot(in[0], in[1], {1, 2}, {0, 1});
     }},
    {"cross of 1M", kForward | kBackward,
     [] {
       return Inputs{torch::randn({1 << 20, 3}), torch::randn({1 << 20, 3})};
     },
     [](const Inputs& in) { return torch::cross(in[0], in[1], 1); }},
    {"vander 1024", kForward, [] { return Inputs{torch::rand({1024})}; },
     [](const Inputs& in) { return torch::vander(in[0], 16); }},
};

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  for (const Operation& o : kComposed) rows_of(o);
  for (const Operation& o : pointwise::kOperations) rows_of(o);
  for (const Operation& o : kStatistics) rows_of(o);
  for (const Operation& o : kArranging) rows_of(o);
  for (const Operation& o : kLayers) rows_of(o);
  for (const Operation& o : kFactors) rows_of(o);
  return run_rows(argc, argv);
}
