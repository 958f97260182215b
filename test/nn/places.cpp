// Where modules stand: the paths that errors carry, and hints about modules that nobody registered.
#include "core/hints.h"
#include "core/warning.h"
#include "nn/attention.h"
#include "nn/container.h"
#include "nn/conv.h"
#include "nn/embedding.h"
#include "nn/embedding_bag.h"
#include "nn/linear.h"
#include "nn/norm.h"
#include "nn/rnn.h"
#include "ops/creation.h"
#include "test/catch.h"
#include "test/error_of.h"

using namespace strata;

namespace {

struct BlockImpl : nn::Module {
  explicit BlockImpl(int64_t n) {
    linear1 = register_module("linear1", nn::Linear(n, n));
    linear2 = register_module("linear2", nn::Linear(n + 1, n));
  }
  Tensor forward(const Tensor& x) { return linear2(linear1(x)); }
  nn::Linear linear1 = nullptr, linear2 = nullptr;
};
STRATA_MODULE(Block);

struct EncoderImpl : nn::Module {
  EncoderImpl() {
    for (int i = 0; i < 3; ++i) layers->push_back(Block(4));
    register_module("layers", layers);
  }
  Tensor forward(Tensor x) {
    for (const auto& layer : *layers) x = layer->as<Block>()->forward(x);
    return x;
  }
  nn::ModuleList layers;
};
STRATA_MODULE(Encoder);

struct ModelImpl : nn::Module {
  ModelImpl() { encoder = register_module("encoder", encoder); }
  Tensor forward(const Tensor& x) { return encoder(x); }
  Encoder encoder;
};
STRATA_MODULE(Model);

/// Keeps what it hears.
struct Hearing : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

struct ForgetfulImpl : nn::Module {
  ForgetfulImpl() { register_module("known", known); }
  nn::Linear known{2, 3}, forgotten{2, 3};
};
STRATA_MODULE(Forgetful);
struct ForgetfulListImpl : nn::Module {
  std::vector<nn::Sequential> parts{nn::Sequential(nn::Linear(2, 3), nn::Linear(3, 2))};
};
STRATA_MODULE(ForgetfulList);
struct SilencedImpl : nn::Module {
  nn::Linear forgotten{2, 3};
};
STRATA_MODULE(Silenced);
/// Its pattern is held without being registered, as a TransformerEncoder's is; what it clones is registered.
struct PatternImpl : nn::Module {
  PatternImpl() { register_module("copy", std::dynamic_pointer_cast<nn::LinearImpl>(pattern->clone())); }
  nn::Linear pattern{2, 3};
};
STRATA_MODULE(Pattern);

}  // namespace

TEST_CASE("a module knows where it stands") {
  Model model;
  CHECK(model->path() == "");
  CHECK(model->encoder->layers[2]->as<Block>()->linear1->path() == "encoder.layers.2.linear1");
  for (const auto& named : model->named_modules()) CHECK(named.value()->path() == named.key());

  const auto alone = model->encoder->layers.ptr();
  model->encoder->unregister_module("layers");
  CHECK(alone->path() == "");
  CHECK((*alone)[1]->path() == "1");
  { const Encoder gone = std::move(model->encoder); }
  model->unregister_module("encoder");
  CHECK((*alone)[1]->as<Block>()->linear2->path() == "1.linear2");
}

TEST_CASE("clones and replaced modules stand in their own trees") {
  nn::Sequential net(nn::Linear(2, 3), nn::Sequential(nn::Linear(3, 4)));
  const auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone());
  for (const auto& named : copy->named_modules()) CHECK(named.value()->path() == named.key());
  for (const auto& named : net->named_modules()) CHECK(named.value()->path() == named.key());
  Model model;
  const Block old = Block(model->encoder->layers[0]->as<Block>() ? Block(4) : nullptr);
  const auto before = model->encoder->layers->children()[0];
  model->encoder->layers->replace_module("0", old);
  CHECK(old->path() == "encoder.layers.0");
  CHECK(before->path() == "");
}

TEST_CASE("errors carry the module's path") {
  Model model;
  const std::string message = error_of([&] { model(ones({2, 4})); });
  CHECK(message.rfind("encoder.layers.0.linear2: linear: ", 0) == 0);
  // Called by `forward`, where there is no place to add the outer names, it is the same.
  CHECK(error_of([&] { model->forward(ones({2, 4})); }) == message);
  nn::Sequential net(nn::Linear(2, 3), nn::Linear(4, 2));
  CHECK(error_of([&] { net->forward(ones({2, 2})); }).rfind("1: linear: ", 0) == 0);
  nn::Linear root(2, 3);
  CHECK(error_of([&] { root(ones({2, 5})); }).rfind("linear: ", 0) == 0);
}

TEST_CASE("modules with weights add their path where their forward is called itself") {
  struct Net : nn::Module {
    nn::Linear linear = register_module("linear", nn::Linear(4, 4));
    nn::Bilinear bilinear = register_module("bilinear", nn::Bilinear(4, 4, 4));
    nn::Conv2d conv = register_module("conv", nn::Conv2d(3, 4, 2));
    nn::ConvTranspose1d deconv = register_module("deconv", nn::ConvTranspose1d(3, 4, 2));
    nn::BatchNorm1d batch_norm = register_module("batch_norm", nn::BatchNorm1d(4));
    nn::InstanceNorm2d instance_norm = register_module("instance_norm", nn::InstanceNorm2d(4));
    nn::LayerNorm layer_norm = register_module("layer_norm", nn::LayerNorm(std::vector<int64_t>{4}));
    nn::GroupNorm group_norm = register_module("group_norm", nn::GroupNorm(2, 4));
    nn::LSTM lstm = register_module("lstm", nn::LSTM(4, 4));
    nn::GRUCell cell = register_module("cell", nn::GRUCell(4, 4));
    nn::MultiheadAttention attention = register_module("attention", nn::MultiheadAttention(4, 2));
    nn::Embedding embedding = register_module("embedding", nn::Embedding(4, 4));
    nn::EmbeddingBag bag = register_module("bag", nn::EmbeddingBag(4, 4));
  } net;
  const Tensor x = ones({5, 5}), numbers = full({2, 2}, 9, kLong);
  const auto begins = [](const std::string& message, const std::string& with) {
    INFO(message);
    CHECK(message.rfind(with + ": ", 0) == 0);
  };
  begins(error_of([&] { net.linear->forward(x); }), "linear: linear");
  begins(error_of([&] { net.bilinear->forward(x, x); }), "bilinear");
  begins(error_of([&] { net.conv->forward(x); }), "conv");
  begins(error_of([&] { net.deconv->forward(x); }), "deconv");
  begins(error_of([&] { net.batch_norm->forward(x); }), "batch_norm");
  begins(error_of([&] { net.instance_norm->forward(x); }), "instance_norm");
  begins(error_of([&] { net.layer_norm->forward(x); }), "layer_norm: layer_norm");
  begins(error_of([&] { net.group_norm->forward(x); }), "group_norm: group_norm");
  begins(error_of([&] { net.lstm->forward(x); }), "lstm");
  begins(error_of([&] { net.cell->forward(x); }), "cell");
  begins(error_of([&] { net.attention->forward(x, x, x); }), "attention");
  begins(error_of([&] { net.embedding->forward(numbers); }), "embedding: embedding");
  begins(error_of([&] { net.bag->forward(numbers); }), "bag");
}

TEST_CASE("an error keeps its type and its context on the way through modules") {
  struct ThrowingImpl : nn::Module {
    Tensor forward(const Tensor&) {
      IndexError error("index: 7 is out of range");
      error.add_context("in a test");
      throw error;
    }
  };
  nn::Sequential net(std::make_shared<ThrowingImpl>());
  try {
    net->forward(ones({1}));
    FAIL("nothing was thrown");
  } catch (const IndexError& e) {
    CHECK(std::string(e.what()) == "0: index: 7 is out of range (in a test)");
    CHECK(e.context() == std::vector<std::string>{"in a test"});
  }
}

TEST_CASE("modules that nobody registered are told of, once") {
  Hearing hearing;
  const WarningUtils::WarningHandlerGuard guard(&hearing);
  { const Model fine; }
  { const Pattern fine; }
  CHECK(hearing.heard.empty());
  for (int i = 0; i < 2; ++i) const Forgetful net;
  REQUIRE(hearing.heard.size() == 1);
  CHECK(hearing.heard[0].find("Forgetful holds strata::nn::Linear that was not registered") != std::string::npos);
  { const ForgetfulList net; }
  REQUIRE(hearing.heard.size() == 2);
  CHECK(hearing.heard[1].find("ForgetfulList holds strata::nn::Sequential that was not") != std::string::npos);
  set_hints_enabled(false);
  { const Silenced net; }
  set_hints_enabled(true);
  CHECK(hearing.heard.size() == 2);
}
