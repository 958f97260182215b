// A training step and a served network for `script/bench --busy`, which runs them alone and beside busy processes:
// `busy step THREADS SECONDS` prints milliseconds per step, `busy serve THREADS SECONDS CALLERS EXAMPLES` batches of so
// many examples per second.
#include <torch/torch.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using torch::Tensor;
namespace nn = torch::nn;

namespace {

constexpr int64_t kBatch = 8, kLength = 64, kWidth = 128, kHeads = 4, kLayers = 2, kVocabulary = 96;

/// Causal self-attention and a perceptron, each after a norm and added to its input.
struct Block : nn::Module {
  Block() {
    norm1 = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    norm2 = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    qkv = register_module("qkv", nn::Linear(kWidth, 3 * kWidth));
    out = register_module("out", nn::Linear(kWidth, kWidth));
    up = register_module("up", nn::Linear(kWidth, 4 * kWidth));
    down = register_module("down", nn::Linear(4 * kWidth, kWidth));
  }
  Tensor attention(const Tensor& x, const Tensor& mask) {
    const auto parts = qkv->forward(x).view({kBatch, kLength, 3, kHeads, kWidth / kHeads}).permute({2, 0, 3, 1, 4});
    const Tensor scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(kWidth / kHeads));
    const Tensor mixed = torch::matmul(torch::softmax(scores + mask, -1), parts[2]);
    return out->forward(mixed.transpose(1, 2).reshape({kBatch, kLength, kWidth}));
  }
  Tensor forward(Tensor x, const Tensor& mask) {
    x = x + attention(norm1->forward(x), mask);
    return x + down->forward(torch::relu(up->forward(norm2->forward(x))));
  }
  nn::LayerNorm norm1{nullptr}, norm2{nullptr};
  nn::Linear qkv{nullptr}, out{nullptr}, up{nullptr}, down{nullptr};
};

struct Gpt : nn::Module {
  Gpt() {
    embedding = register_module("embedding", nn::Embedding(kVocabulary, kWidth));
    for (int64_t i = 0; i < kLayers; ++i)
      blocks.push_back(register_module("block" + std::to_string(i), std::make_shared<Block>()));
    head = register_module("head", nn::Linear(kWidth, kVocabulary));
  }
  Tensor forward(const Tensor& tokens) {
    const Tensor mask = torch::full({kLength, kLength}, -1e9).triu(1);
    Tensor x = embedding->forward(tokens);
    for (const auto& block : blocks) x = block->forward(x, mask);
    return head->forward(x);
  }
  nn::Embedding embedding{nullptr};
  std::vector<std::shared_ptr<Block>> blocks;
  nn::Linear head{nullptr};
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Milliseconds per training step, on average over `seconds`.
double time_of_step(double seconds) {
  Gpt net;
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.01));
  const Tensor tokens = torch::randint(kVocabulary, {kBatch, kLength}, torch::kLong);
  const auto step = [&] {
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(net.forward(tokens).view({-1, kVocabulary}), tokens.view({-1})).backward();
    optimizer.step();
  };
  for (int i = 0; i < 3; ++i) step();
  const auto begin = Clock::now();
  int steps = 0;
  for (; seconds_since(begin) < seconds; ++steps) step();
  return seconds_since(begin) * 1e3 / steps;
}

/// Batches through a perceptron, per second, by so many threads at once.
double rate_of_serving(int callers, int64_t examples, double seconds) {
  nn::Sequential net(nn::Linear(256, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(), nn::Linear(512, 10));
  const Tensor input = torch::randn({examples, 256});
  std::atomic<int64_t> done{0};
  std::vector<std::thread> threads;
  const auto begin = Clock::now();
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&] {
      const torch::NoGradGuard no_grad;
      for (; seconds_since(begin) < seconds; ++done) net->forward(input);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / seconds_since(begin);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (!(what == "step" && argc == 4) && !(what == "serve" && argc == 6)) {
    std::fprintf(stderr, "usage: busy step THREADS SECONDS | busy serve THREADS SECONDS CALLERS EXAMPLES\n");
    return 1;
  }
  torch::manual_seed(0);
  torch::set_num_threads(std::atoi(argv[2]));
  const double seconds = std::atof(argv[3]);
  std::printf("%g\n", what == "step" ? time_of_step(seconds)
                                     : rate_of_serving(std::atoi(argv[4]), std::atoll(argv[5]), seconds));
}
