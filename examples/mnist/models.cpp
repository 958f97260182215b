// How the networks compute.
#include "mnist/models.h"

namespace mnist {

using strata::log_softmax;
using strata::max_pool2d;
using strata::relu;
using strata::Tensor;

Tensor Mlp::forward(Tensor x) {
  x = relu(hidden1(x.flatten(1)));
  x = relu(hidden2(x));
  return log_softmax(output(x), 1);
}

Tensor Cnn::forward(Tensor x) {
  x = relu(max_pool2d(conv1(x), 2));
  x = relu(max_pool2d(drop_channels(conv2(x)), 2));
  x = relu(hidden(x.flatten(1)));
  return log_softmax(output(drop(x)), 1);
}

std::shared_ptr<Classifier> make_model(const std::string& name) {
  if (name == "cnn") return std::make_shared<Cnn>();
  return std::make_shared<Mlp>();
}

}  // namespace mnist
