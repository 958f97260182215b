// The two networks: a multilayer perceptron and the convolutional net of the usual tutorial.
#pragma once
#include <strata/strata.h>

#include <memory>
#include <string>

namespace mnist {

/// Turns images `(N, 1, 28, 28)` into log-probabilities of the ten digits `(N, 10)`.
struct Classifier : strata::nn::Module {
  virtual strata::Tensor forward(strata::Tensor images) = 0;
};

/// 784-512-512-10 with ReLU.
struct Mlp : Classifier {
  strata::Tensor forward(strata::Tensor x) override;

  strata::nn::Linear hidden1 = register_module("hidden1", strata::nn::Linear(784, 512));
  strata::nn::Linear hidden2 = register_module("hidden2", strata::nn::Linear(512, 512));
  strata::nn::Linear output = register_module("output", strata::nn::Linear(512, 10));
};

/// Two 5x5 convolutions with pooling, then 320-50-10.
struct Cnn : Classifier {
  strata::Tensor forward(strata::Tensor x) override;

  // The tutorial drops half of the units, which is too much for so small a net in ten epochs: 0.989 instead of 0.992.
  static constexpr double kDropout = 0.1;
  strata::nn::Conv2d conv1 = register_module("conv1", strata::nn::Conv2d(strata::nn::Conv2dOptions(1, 10, 5)));
  strata::nn::Conv2d conv2 = register_module("conv2", strata::nn::Conv2d(strata::nn::Conv2dOptions(10, 20, 5)));
  strata::nn::Dropout2d drop_channels = register_module("drop_channels", strata::nn::Dropout2d(kDropout));
  strata::nn::Linear hidden = register_module("hidden", strata::nn::Linear(320, 50));
  strata::nn::Dropout drop = register_module("drop", strata::nn::Dropout(kDropout));
  strata::nn::Linear output = register_module("output", strata::nn::Linear(50, 10));
};

/// "mlp" or "cnn".
std::shared_ptr<Classifier> make_model(const std::string& name);

}  // namespace mnist
