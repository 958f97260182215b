// Training: graphs of many small operations, small and middling networks, optimizer steps over many parameters.
#include "rows.h"

using torch::Tensor;
namespace nn = torch::nn;

namespace {

void chain_row() {
  const Tensor a = torch::full({8}, 1.0001, torch::requires_grad()), b = torch::full({8}, 1e-4);
  row(
      "chain of 1,000 adds and muls of 8 floats, forward + backward, per op", 1,
      [=] {
        Tensor x = a;
        for (int i = 0; i < 500; ++i) x = x * a + b;
        x.sum().backward();
      },
      1000);
}

template <class Optimizer, class Options>
void small_mlp_row(const char* name, Options options) {
  nn::Sequential net(nn::Linear(8, 16), nn::ReLU(), nn::Linear(16, 1));
  const auto optimizer = std::make_shared<Optimizer>(net->parameters(), options);
  const Tensor x = torch::randn({1, 8}), y = torch::randn({1, 1});
  row(name, 1, [=]() mutable {
    optimizer->zero_grad();
    torch::mse_loss(net->forward(x), y).backward();
    optimizer->step();
  });
}

template <class Optimizer>
void classifier_row(const std::string& name, nn::Sequential net, Optimizer optimizer, const Tensor& images) {
  const Tensor labels = torch::randint(10, {images.size(0)}, torch::kLong);
  const auto shared = std::make_shared<Optimizer>(std::move(optimizer));
  for (int threads : {1, 2})
    row(name + ", batch " + std::to_string(images.size(0)), threads, [=]() mutable {
      shared->zero_grad();
      torch::nn::functional::cross_entropy(net->forward(images), labels).backward();
      shared->step();
    });
}

/// Whose steps take less than a millisecond.
void classifier_rows() {
  for (int64_t hidden : {128, 512})
    for (int64_t batch : {1, 8, 32, 128}) {
      nn::Sequential net(nn::Linear(784, hidden), nn::ReLU(), nn::Linear(hidden, 10));
      classifier_row("MLP 784-" + std::to_string(hidden) + "-10, SGD step", net,
                     torch::optim::SGD(net->parameters(), torch::optim::SGDOptions(0.01)), torch::randn({batch, 784}));
    }
  for (int64_t batch : {1, 8, 32}) {
    nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 8, 3)), nn::ReLU(), nn::MaxPool2d(2),
                       nn::Conv2d(nn::Conv2dOptions(8, 16, 3)), nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(),
                       nn::Linear(400, 10));
    classifier_row("CNN 8-16-10 of 28x28, Adam step", net,
                   torch::optim::Adam(net->parameters(), torch::optim::AdamOptions(1e-3)),
                   torch::randn({batch, 1, 28, 28}));
  }
}

struct Mlp : nn::Module {
  Mlp() {
    fc1 = register_module("fc1", nn::Linear(784, 512));
    fc2 = register_module("fc2", nn::Linear(512, 512));
    fc3 = register_module("fc3", nn::Linear(512, 10));
  }
  Tensor forward(Tensor x) {
    x = torch::relu(fc1->forward(x));
    x = torch::relu(fc2->forward(x));
    return torch::log_softmax(fc3->forward(x), 1);
  }
  nn::Linear fc1{nullptr}, fc2{nullptr}, fc3{nullptr};
};

/// 60,000 images of 28x28 in batches of 128, in a new order each time.
void epoch_row() {
  row("one epoch of the MLP on 60,000 digits", 2,
      [net = std::shared_ptr<Mlp>(), images = Tensor(), labels = Tensor()]() mutable {
        if (!net) {
          net = std::make_shared<Mlp>();
          images = torch::rand({60000, 784});
          labels = torch::randint(10, {60000}, torch::kLong);
          return;  // the first call only prepares
        }
        torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01));
        const Tensor order = torch::randperm(60000, torch::kLong);
        for (int64_t at = 0; at < 60000; at += 128) {
          const Tensor batch = order.narrow(0, at, std::min<int64_t>(128, 60000 - at));
          optimizer.zero_grad();
          torch::nll_loss(net->forward(images.index_select(0, batch)), labels.index_select(0, batch)).backward();
          optimizer.step();
        }
      });
}

void adam_row() {
  row("Adam step over 10M parameters", 1, [p = Tensor(), adam = std::shared_ptr<torch::optim::Adam>()]() mutable {
    if (!adam) {
      p = torch::randn({10000000}, torch::requires_grad());
      p.mutable_grad() = torch::randn({10000000});
      adam = std::make_shared<torch::optim::Adam>(std::vector<Tensor>{p}, torch::optim::AdamOptions(1e-3));
    }
    adam->step();
  });
#ifndef STRATA_VERSION_MAJOR  // libtorch's C++ optimizer does not use its fused step; this is what it could do
  row("Adam step over 10M parameters [best]", 1,
      [p = std::vector<Tensor>(), state = std::vector<std::vector<Tensor>>()]() mutable {
        if (p.empty()) {
          p.push_back(torch::randn({10000000}));
          for (int i = 0; i < 3; ++i) state.push_back({torch::rand({10000000})});
          state.push_back({torch::ones({})});
        }
        at::_fused_adam_(p, state[0], state[1], state[2], {}, state[3], 1e-3, 0.9, 0.999, 0, 1e-8, false, false);
      });
#endif
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  chain_row();
  small_mlp_row<torch::optim::SGD>("MLP 8-16-1, batch 1, SGD step", torch::optim::SGDOptions(0.01));
  small_mlp_row<torch::optim::Adam>("MLP 8-16-1, batch 1, Adam step", torch::optim::AdamOptions(1e-3));
  classifier_rows();
  adam_row();
  epoch_row();
  return run_rows(argc, argv);
}
