// Training steps: the MLP of MNIST, eager and as a CUDA graph, a GPT of characters and GPT-2.
#include "gpt.h"
#include "harness.h"

namespace strata::bench {
namespace {

constexpr const char* kGraphRow = "MNIST MLP step, batch 128, CUDA graph";

struct Mlp : nn::Module {
  nn::Linear fc1 = register_module("fc1", nn::Linear(784, 512));
  nn::Linear fc2 = register_module("fc2", nn::Linear(512, 512));
  nn::Linear fc3 = register_module("fc3", nn::Linear(512, 10));
  Tensor forward(const Tensor& x) { return log_softmax(fc3(relu(fc2(relu(fc1(x))))), 1); }
};

/// A step of gradient descent on one batch.
Body mlp_step(Suite& suite) {
  const int64_t batch = suite.size(128, 4);
  const auto net = std::make_shared<Mlp>();
  net->to(suite.settings().device);
  const auto sgd = std::make_shared<optim::SGD>(net->parameters(), optim::SGDOptions(0.01));
  const Tensor x = rand({batch, 784}, suite.on(kFloat)), y = randint(10, {batch}, suite.on(kLong));
  return [=] {
    sgd->zero_grad();
    nll_loss(net->forward(x), y).backward();
    sgd->step();
  };
}

Body captured(const Body& step) {
  for (int i = 0; i < 3; ++i) step();  // plans and the optimizer's state are made outside of the graph
  const auto graph = std::make_shared<cuda::Graph>();
  graph->capture(step);
  return [graph, step] { graph->replay(); };  // `step` owns the tensors that the graph reads and writes
}

/// Forward in bf16 by autocast, backward, AdamW.
Body gpt_step(Suite& suite, const GptOptions& options, int64_t batch) {
  const auto net = std::make_shared<Gpt>(options);
  net->to(suite.settings().device);
  const auto adam = std::make_shared<optim::AdamW>(net->parameters(), optim::AdamWOptions(6e-4).weight_decay(0.1));
  const Tensor tokens = randint(options.vocabulary, {batch, options.context}, suite.on(kLong));
  const Tensor targets = randint(options.vocabulary, {batch, options.context}, suite.on(kLong));
  return [=] {
    adam->zero_grad();
    net->loss_in_bf16(tokens, targets).backward();
    adam->step();
  };
}

}  // namespace

void mlp_rows(Suite& suite) {
  suite.device_time("MNIST MLP step, batch 128, eager", {}, [&] { return mlp_step(suite); });
  if (suite.on_cuda())
    suite.device_time(kGraphRow, {}, [&] { return captured(mlp_step(suite)); });
  else
    suite.skip(kGraphRow, "graphs are captured on CUDA devices");
}

void gpt_rows(Suite& suite) {
  const GptOptions tiny = {.vocabulary = 17, .context = 8, .layers = 2, .heads = 2, .width = 8};
  const bool is_tiny = suite.settings().tiny;
  const GptOptions characters = {.vocabulary = 65, .context = 256, .layers = 6, .heads = 6, .width = 384};
  const GptOptions gpt2 = {.vocabulary = 50304, .context = 1024, .layers = 12, .heads = 12, .width = 768};
  suite.device_time("char GPT step, bf16, batch 64 x 256", {},
                    [&] { return gpt_step(suite, is_tiny ? tiny : characters, suite.size(64, 2)); });
  suite.device_time("GPT-2 124M step, bf16, batch 8 x 1024", {},
                    [&] { return gpt_step(suite, is_tiny ? tiny : gpt2, suite.size(8, 2)); });
}

}  // namespace strata::bench
