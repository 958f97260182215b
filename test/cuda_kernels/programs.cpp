// Whole programs on a CUDA device: the same training as on the CPU, from the same seed.
#include "strata.h"
#include "test/catch.h"
#include "test/cuda_kernels/device.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

struct ConvNet : nn::Module {
  nn::Conv2d conv{nullptr};
  nn::BatchNorm2d norm{nullptr};
  nn::Linear out{nullptr};
  ConvNet() {
    conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(1, 4, 3).padding(1)));
    norm = register_module("norm", nn::BatchNorm2d(4));
    out = register_module("out", nn::Linear(4 * 4 * 4, 5));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = max_pool2d(relu(norm->forward(conv->forward(x))), 2);
    return out->forward(dropout(y.flatten(1), 0.25, is_training()));
  }
};

struct Sequences : nn::Module {
  nn::Embedding embedding{nullptr};
  nn::TransformerEncoderLayer layer{nullptr};
  nn::GRU gru{nullptr};
  nn::Linear out{nullptr};
  Sequences() {
    embedding = register_module("embedding", nn::Embedding(11, 8));
    layer = register_module("layer", nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(8, 2).dropout(0)));
    gru = register_module("gru", nn::GRU(8, 6));
    out = register_module("out", nn::Linear(6, 5));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = std::get<0>(gru->forward(layer->forward(embedding->forward(x))));
    return out->forward(y.mean(0));
  }
};

/// The losses of four steps and the parameters after them.
template <class Net>
std::vector<Tensor> trained(Device device, const Tensor& x, const Tensor& labels) {
  manual_seed(3);
  Net net;
  net.to(device);
  // Not Adam, which makes steps of full size from gradients that are rounding errors: those of a bias before a norm.
  optim::SGD optimizer(net.parameters(), optim::SGDOptions(0.1).momentum(0.9));
  std::vector<Tensor> found;
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    const Tensor loss = cross_entropy(net.forward(x.to(device)), labels.to(device));
    loss.backward();
    nn::utils::clip_grad_norm_(net.parameters(), 1.0);
    optimizer.step();
    found.push_back(loss.detach().cpu());
  }
  for (const Tensor& p : net.parameters()) found.push_back(p.detach().cpu());
  return found;
}

template <class Net>
void check_training(const Tensor& x, const Tensor& labels) {
  const auto here = trained<Net>(kCPU, x, labels), there = trained<Net>(kCUDA, x, labels);
  REQUIRE(here.size() == there.size());
  for (size_t i = 0; i < here.size(); ++i) {
    INFO("result " << i << ": " << here[i] << " and " << there[i]);
    CHECK(allclose(here[i], there[i], 1e-3, 1e-4));
  }
}

}  // namespace

TEST_CASE("a convolutional net trains on the device as on the CPU") {
  manual_seed(1);
  const Tensor x = randn({6, 1, 8, 8}), labels = randint(0, 5, {6});
  check_training<ConvNet>(x, labels);
}

TEST_CASE("embedding, attention and recurrence train on the device as on the CPU") {
  manual_seed(2);
  const Tensor x = randint(0, 11, {7, 4}), labels = randint(0, 5, {4});
  check_training<Sequences>(x, labels);
}

TEST_CASE("transforms nest on the device") {
  manual_seed(4);
  const Tensor w = randn({5, 3}), x = randn({4, 5});
  const auto f = [](const Tensor& w, const Tensor& x) { return tanh(matmul(x, w)).logsumexp(0).sum(); };
  const auto all = [&](const Tensor& w, const Tensor& x) {
    const auto per_example = vmap(grad(f), {.in_dims = {nullopt, 0}});
    return std::vector<Tensor>{per_example(w, x), hessian([&](const Tensor& v) { return f(v, x.select(0, 0)); })(w)};
  };
  const auto here = all(w, x), there = all(w.to(kCUDA), x.to(kCUDA));
  for (size_t i = 0; i < here.size(); ++i) CHECK(allclose(here[i], there[i].cpu(), 1e-4, 1e-5));
}

}  // namespace strata::test
