// Programs of losses, distances, embeddings and layers that shuffle or pad.
#include <torch/torch.h>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::losses {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

const Program regression("losses of regression", [](std::ostream& out) {
  const auto x = waves({2, 3}).requires_grad_(), y = waves({2, 3}, 1.3);
  show(out, "L1", nn::L1Loss()(x, y));
  show(out, "MSE", nn::MSELoss(nn::MSELossOptions(torch::kSum))(x, y));
  show(out, "MSE each", nn::MSELoss(nn::MSELossOptions().reduction(torch::kNone))(x, y));
  show(out, "SmoothL1", nn::SmoothL1Loss(nn::SmoothL1LossOptions().beta(0.5))(x, y));
  show(out, "Huber", nn::HuberLoss(nn::HuberLossOptions().delta(0.7))(x, y));
  const auto loss = nn::HuberLoss()(x * 4, y) + nn::SmoothL1Loss()(x * 4, y);
  loss.backward();
  show(out, "grad", x.grad());
  show(out, "functional", F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions().reduction(torch::kSum)));
  show(out, "l1", F::l1_loss(x, y, F::L1LossFuncOptions(torch::kNone)));
});

const Program classification("losses of classification", [](std::ostream& out) {
  const auto x = waves({3, 4}).requires_grad_();
  const auto target = torch::tensor({1, 0, 3});
  show(out, "CrossEntropy", nn::CrossEntropyLoss()(x, target));
  show(out, "weights",
       nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(torch::tensor({1.f, 2.f, 3.f, 4.f})))(x, target));
  show(out, "ignored",
       nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().ignore_index(0).reduction(torch::kSum))(x, target));
  show(out, "smoothed", nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().label_smoothing(0.1))(x, target));
  show(out, "probabilities", nn::CrossEntropyLoss()(x, x.detach().softmax(1)));
  show(out, "NLL", nn::NLLLoss()(x.log_softmax(1), target));
  show(out, "each", F::nll_loss(x.log_softmax(1), target, F::NLLLossFuncOptions().reduction(torch::kNone)));
  show(out, "F", F::cross_entropy(x, target, F::CrossEntropyFuncOptions().ignore_index(3)));
  show(out, "images", F::cross_entropy(waves({1, 2, 2, 2}), torch::tensor({{{0, 1}, {1, 1}}})));
  nn::CrossEntropyLoss()(x, target).backward();
  show(out, "grad", x.grad());
});

const Program binary("losses of two classes", [](std::ostream& out) {
  const auto x = waves({4}), p = torch::sigmoid(x), y = torch::tensor({1.f, 0.f, 1.f, 0.f});
  show(out, "BCE", nn::BCELoss()(p, y));
  show(out, "BCE weights",
       nn::BCELoss(nn::BCELossOptions().weight(torch::tensor({1.f, 2.f, 3.f, 4.f})).reduction(torch::kSum))(p, y));
  show(out, "with logits", nn::BCEWithLogitsLoss()(x, y));
  show(out, "pos_weight", nn::BCEWithLogitsLoss(nn::BCEWithLogitsLossOptions().pos_weight(torch::tensor(3.f)))(x, y));
  show(out, "F",
       F::binary_cross_entropy_with_logits(x, y, F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone)));
  show(out, "SoftMargin", nn::SoftMarginLoss()(x, y * 2 - 1));
  show(out, "HingeEmbedding", nn::HingeEmbeddingLoss(nn::HingeEmbeddingLossOptions().margin(0.8))(x, y * 2 - 1));
});

const Program divergences("divergences and Poisson", [](std::ostream& out) {
  const auto p = waves({2, 3}).log_softmax(1), q = waves({2, 3}, 1.1).softmax(1);
  show(out, "KLDiv", nn::KLDivLoss()(p, q));
  show(out, "batchmean", nn::KLDivLoss(nn::KLDivLossOptions(torch::kBatchMean))(p, q));
  show(out, "log target", nn::KLDivLoss(nn::KLDivLossOptions().reduction(torch::kSum).log_target(true))(p, q.log()));
  show(out, "Poisson", nn::PoissonNLLLoss()(p, q));
  show(out, "Poisson full",
       nn::PoissonNLLLoss(nn::PoissonNLLLossOptions().log_input(false).full(true))(p.exp(), q * 5));
});

const Program margins("losses of margins", [](std::ostream& out) {
  const auto a = waves({2, 3}), b = waves({2, 3}, 1.1), c = waves({2, 3}, 1.9), y = torch::tensor({1, -1});
  show(out, "MarginRanking",
       nn::MarginRankingLoss(nn::MarginRankingLossOptions().margin(0.5))(a, b, torch::ones({2, 3})));
  show(out, "CosineEmbedding", nn::CosineEmbeddingLoss(nn::CosineEmbeddingLossOptions().margin(0.2))(a, b, y));
  show(out, "TripletMargin",
       nn::TripletMarginLoss(nn::TripletMarginLossOptions().margin(0.8).p(2).swap(true))(a, b, c));
  show(out, "MultiMargin", nn::MultiMarginLoss()(a, torch::tensor({2, 0})));
  show(out, "MultiLabelSoftMargin", nn::MultiLabelSoftMarginLoss()(a, (b > 0).to(torch::kFloat32)));
});

#ifndef AWAITS_LOSSES
const Program labels("MultiLabelMarginLoss and triplets with a distance", [](std::ostream& out) {
  const auto a = waves({2, 4}), b = waves({2, 4}, 1.1), c = waves({2, 4}, 1.9);
  show(out, "MultiLabelMargin", nn::MultiLabelMarginLoss()(a, torch::tensor({{3, 0, -1, 1}, {1, -1, 2, 0}})));
  const auto distance = [](const torch::Tensor& x, const torch::Tensor& y) {
    return torch::pairwise_distance(x, y, 1.0);
  };
  nn::TripletMarginWithDistanceLoss loss(
      nn::TripletMarginWithDistanceLossOptions().distance_function(distance).margin(2.0));
  show(out, "distance", loss(a, b, c));
  show(out, "default", nn::TripletMarginWithDistanceLoss()(a, b, c));
  show(out, "F", F::multilabel_margin_loss(a, torch::tensor({{3, 0, -1, 1}, {1, -1, 2, 0}}), torch::kSum));
});
const Program ctc("CTCLoss", [](std::ostream& out) {
  const auto x = waves({6, 2, 4}).requires_grad_();
  const auto targets = torch::tensor({{1, 2, 0}, {3, 3, 1}});
  nn::CTCLoss loss(nn::CTCLossOptions().blank(0).reduction(torch::kNone));
  const auto each = loss(x.log_softmax(2), targets, torch::tensor({6, 6}), torch::tensor({2, 3}));
  show(out, "each", each);
  each.sum().backward();
  show(out, "grad", x.grad());
  show(out, "mean", nn::CTCLoss()(x.log_softmax(2), targets, torch::tensor({6, 5}), torch::tensor({2, 1})));
});
#endif

const Program printed("losses as text", [](std::ostream& out) {
  out << nn::L1Loss() << nn::MSELoss() << nn::CrossEntropyLoss() << nn::NLLLoss() << nn::BCELoss()
      << nn::BCEWithLogitsLoss() << '\n';
  out << nn::KLDivLoss() << nn::PoissonNLLLoss() << nn::MarginRankingLoss() << nn::SmoothL1Loss() << nn::HuberLoss()
      << nn::SoftMarginLoss() << '\n';
  out << nn::HingeEmbeddingLoss(nn::HingeEmbeddingLossOptions().margin(4))
      << nn::CosineEmbeddingLoss(nn::CosineEmbeddingLossOptions().margin(0.25)) << '\n';
  out << nn::TripletMarginLoss(nn::TripletMarginLossOptions().margin(3).p(2).eps(1e-06).swap(false))
      << nn::MultiMarginLoss() << nn::MultiLabelSoftMarginLoss() << '\n';
});

#ifndef AWAITS_PDIST
const Program distances("distances", [](std::ostream& out) {
  const auto a = waves({2, 3}), b = waves({2, 3}, 1.1);
  show(out, "CosineSimilarity", nn::CosineSimilarity(nn::CosineSimilarityOptions().dim(1))(a, b));
  show(out, "PairwiseDistance", nn::PairwiseDistance(nn::PairwiseDistanceOptions().p(1).keepdim(true))(a, b));
  show(out, "pdist", torch::pdist(torch::cat({a, b})));
  show(out, "F", F::cosine_similarity(a, b, F::CosineSimilarityFuncOptions().dim(0)));
  show(out, "normalize", F::normalize(a, F::NormalizeFuncOptions().p(1).dim(-1)));
  out << nn::CosineSimilarity() << nn::PairwiseDistance(nn::PairwiseDistanceOptions().p(3)) << '\n';
});
#endif

const Program embeddings("embeddings", [](std::ostream& out) {
  nn::Embedding embedding(nn::EmbeddingOptions(5, 2).padding_idx(0));
  {
    torch::NoGradGuard guard;
    embedding->weight.copy_(waves({5, 2}));
  }
  const auto index = torch::tensor({{1, 0}, {4, 1}});
  embedding(index).sum().backward();
  show(out, "out", embedding(index));
  show(out, "grad", embedding->weight.grad());
  out << embedding << nn::Embedding(10, 3) << '\n';
  const auto given = nn::Embedding::from_pretrained(waves({3, 2}));
  show(out, "pretrained", given->weight);
  out << given->weight.requires_grad() << '\n';
  show(out, "F", F::embedding(torch::tensor({2}), waves({3, 2})));
  show(out, "one_hot", F::one_hot(torch::tensor({0, 2, 1}), 4));
});

#ifndef AWAITS_EMBEDDING_BAG
const Program bags("EmbeddingBag", [](std::ostream& out) {
  for (const auto& mode : std::vector<nn::EmbeddingBagMode>{torch::kSum, torch::kMean, torch::kMax}) {
    nn::EmbeddingBag bag(nn::EmbeddingBagOptions(4, 2).mode(mode));
    {
      torch::NoGradGuard guard;
      bag->weight.copy_(waves({4, 2}));
    }
    show(out, "offsets", bag(torch::tensor({0, 3, 2, 2, 1}), torch::tensor({0, 2})));
    show(out, "rows", bag(torch::tensor({{0, 1}, {2, 3}})));
    bag(torch::tensor({{0, 1}, {2, 3}})).sum().backward();
    show(out, "grad", bag->weight.grad());
    out << bag << '\n';
  }
});
#endif

const Program padding("padding", [](std::ostream& out) {
  const auto x = waves({1, 1, 2, 3});
  show(out, "ConstantPad2d", nn::ConstantPad2d(nn::ConstantPad2dOptions({1, 0, 0, 1}, 3.5))(x));
  show(out, "ZeroPad2d", nn::ZeroPad2d(1)(x));
  show(out, "ReflectionPad2d", nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 2, 1, 0}))(x));
  show(out, "ReplicationPad1d", nn::ReplicationPad1d(2)(x[0]));
  show(out, "F constant", F::pad(x, F::PadFuncOptions({1, 1}).value(9)));
  show(out, "F circular", F::pad(x, F::PadFuncOptions({1, 1, 0, 1}).mode(torch::kCircular)));
  out << nn::ConstantPad2d(nn::ConstantPad2dOptions({1, 0, 0, 1}, 3.5)) << nn::ZeroPad2d(1) << nn::ReflectionPad2d(1)
      << nn::ReplicationPad1d(2) << '\n';
});

const Program upsampling("upsampling", [](std::ostream& out) {
  const auto x = waves({1, 1, 2, 3});
  show(
      out, "nearest",
      nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2}).mode(torch::kNearest))(waves({1, 1, 3})));
  show(out, "bilinear",
       nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{4, 5}).mode(torch::kBilinear).align_corners(false))(
           x));
  show(out, "corners",
       F::interpolate(
           x, F::InterpolateFuncOptions().size(std::vector<int64_t>{3, 5}).mode(torch::kBilinear).align_corners(true)));
  show(out, "area", F::interpolate(x, F::InterpolateFuncOptions().size(std::vector<int64_t>{1, 3}).mode(torch::kArea)));
  show(out, "bicubic",
       F::interpolate(
           x, F::InterpolateFuncOptions().size(std::vector<int64_t>{4, 4}).mode(torch::kBicubic).align_corners(false)));
  out << nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2})) << '\n';
});

const Program shuffles("pixel shuffles", [](std::ostream& out) {
  show(out, "PixelShuffle", nn::PixelShuffle(2)(waves({1, 4, 1, 2})));
  show(out, "PixelUnshuffle", nn::PixelUnshuffle(2)(waves({1, 1, 2, 4})));
  out << nn::PixelShuffle(nn::PixelShuffleOptions(5)) << nn::PixelUnshuffle(2) << '\n';
});

const Program dropouts("dropout", [](std::ostream& out) {
  const auto x = torch::ones({100, 10});
  nn::Dropout dropout(0.25);
  const auto y = dropout(x);
  const auto kept = (y != 0).sum().item<int64_t>();
  out << (kept > 650 && kept < 850) << ((y == 0) | ((y - 4. / 3).abs() < 1e-6)).all().item<bool>() << '\n';
  dropout->eval();
  out << torch::equal(dropout(x), x) << '\n';
  nn::Dropout2d channels(nn::Dropout2dOptions().p(0.5));
  const auto z = channels(torch::ones({4, 8, 3, 3}));
  out << torch::equal(z.amax({2, 3}), z.amin({2, 3})) << '\n';
  out << dropout << channels << nn::AlphaDropout(0.2) << nn::FeatureAlphaDropout() << nn::Dropout() << '\n';
  show(out, "F", F::dropout(x[0], F::DropoutFuncOptions().p(0.5).training(false)));
  fails<c10::Error>(out, "p", "probability has to be between 0 and 1", [] { nn::Dropout(1.5); });
});

}  // namespace
}  // namespace programs::losses
