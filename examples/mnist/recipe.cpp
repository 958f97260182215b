// The two recipes: today's practice, and the plain one of a published run.
#include "mnist/recipe.h"

#include <cmath>
#include <numbers>

namespace mnist {
namespace {

using strata::Tensor;
namespace nn = strata::nn;
namespace optim = strata::optim;

/// Normalised pixels, batches moved by up to a pixel, Kaiming, cross-entropy, AdamW, a warm-up and a cosine.
class DefaultRecipe final : public Recipe {
 public:
  Defaults defaults(const std::string& model) const override { return {model == "cnn" ? 6e-3 : 1e-3, 0.9}; }

  Scale scale(const Tensor& images) const override {
    return {images.mean().item<double>(), 1 / images.std().item<double>()};
  }

  /// The digits have a blank margin, so what leaves on one side and comes back on the other is blank.
  Tensor augment(const Tensor& images) const override {
    const Tensor shift = strata::randint(-1, 2, {2}, strata::kInt64);
    return images.roll({shift[0].item<int64_t>(), shift[1].item<int64_t>()}, {2, 3});
  }

  void initialize(nn::Module& model) const override {
    for (Tensor& parameter : model.parameters()) {
      parameter.dim() > 1 ? nn::init::kaiming_normal_(parameter) : nn::init::zeros_(parameter);
    }
  }

  Tensor loss(const Tensor& log_probs, const Tensor& digits) const override {
    return strata::nll_loss(log_probs, digits);
  }

  std::unique_ptr<optim::Optimizer> optimizer(std::vector<Tensor> parameters, double lr,
                                              double momentum) const override {
    return std::make_unique<optim::AdamW>(std::move(parameters),
                                          optim::AdamWOptions(lr).betas({momentum, 0.999}).weight_decay(0.01));
  }

  double schedule(double progress) const override {
    constexpr double kWarmUp = 0.2;
    if (progress < kWarmUp) return progress / kWarmUp;
    return 0.5 * (1 + std::cos(std::numbers::pi * (progress - kWarmUp) / (1 - kWarmUp)));
  }
};

/// Pixels from 0 to 255, small normal weights and biases, minus the mean of one-hot times log-probability, SGD.
class ReferenceRecipe final : public Recipe {
 public:
  Defaults defaults(const std::string&) const override { return {0.01, 0}; }

  Scale scale(const Tensor&) const override { return {0, 255}; }

  Tensor augment(const Tensor& images) const override { return images; }

  void initialize(nn::Module& model) const override {
    for (Tensor& parameter : model.parameters()) nn::init::normal_(parameter, 0, 0.01);
  }

  Tensor loss(const Tensor& log_probs, const Tensor& digits) const override {
    const Tensor one_hot = strata::eye(log_probs.size(1), log_probs.options()).index_select(0, digits);
    return -(one_hot * log_probs).mean();
  }

  std::unique_ptr<optim::Optimizer> optimizer(std::vector<Tensor> parameters, double lr,
                                              double momentum) const override {
    return std::make_unique<optim::SGD>(std::move(parameters), optim::SGDOptions(lr).momentum(momentum));
  }

  double schedule(double) const override { return 1; }
};

}  // namespace

std::unique_ptr<Recipe> make_recipe(const std::string& name) {
  if (name == "reference") return std::make_unique<ReferenceRecipe>();
  return std::make_unique<DefaultRecipe>();
}

}  // namespace mnist
