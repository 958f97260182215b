// How to train: what the pixels look like, where the weights start, what is minimised and how.
#pragma once
#include <strata/strata.h>

#include <memory>
#include <string>
#include <vector>

namespace mnist {

class Recipe {
 public:
  virtual ~Recipe() = default;

  struct Defaults {
    double lr;
    double momentum;
  };
  /// Learning rate and momentum where the command line gives none.
  virtual Defaults defaults(const std::string& model) const = 0;

  /// Pixels from 0 to 1 become `(pixel - mean) * factor`.
  struct Scale {
    double mean;
    double factor;
  };
  virtual Scale scale(const strata::Tensor& train_images) const = 0;

  /// What the model is shown of a batch of scaled images `(N, 1, H, W)` in training.
  virtual strata::Tensor augment(const strata::Tensor& images) const = 0;

  /// Draws the parameters a run starts with.
  virtual void initialize(strata::nn::Module& model) const = 0;
  /// What is minimised, from log-probabilities `(N, 10)` and digits `(N,)`.
  virtual strata::Tensor loss(const strata::Tensor& log_probs, const strata::Tensor& digits) const = 0;
  virtual std::unique_ptr<strata::optim::Optimizer> optimizer(std::vector<strata::Tensor> parameters, double lr,
                                                              double momentum) const = 0;
  /// The share of the highest learning rate to use when `progress`, from 0 to 1, of the run is done.
  virtual double schedule(double progress) const = 0;
};

/// "default" or "reference".
std::unique_ptr<Recipe> make_recipe(const std::string& name);

}  // namespace mnist
