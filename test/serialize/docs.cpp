// The recipes that docs/files.md shows, as they stand there; test_architecture compares.
#include <strata/strata.h>

#include <filesystem>
#include <iostream>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;

namespace {

/// The model of data/make_files.py with names of its own: `first` is `down` here.
struct NetImpl : nn::Module {
  NetImpl() {
    down = register_module("down", nn::Linear(3, 2));
    parts = register_module("parts", nn::Sequential(nn::BatchNorm1d(2), nn::Linear(2, 1)));
  }
  Tensor forward(const Tensor& x) { return parts->forward(down(x)); }
  nn::Linear down = nullptr;
  nn::Sequential parts = nullptr;
};
STRATA_MODULE(Net);

/// A folder of its own that a test works in.
struct InFolder {
  std::filesystem::path before = std::filesystem::current_path(), folder;
  explicit InFolder(const char* name) : folder(std::filesystem::temp_directory_path() / name) {
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
  }
  ~InFolder() {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }
};

}  // namespace

TEST_CASE("docs/files.md: a program") {
  const InFolder folder("strata_docs_program");
  nn::Sequential net(nn::Linear(3, 8), nn::Tanh(), nn::Linear(8, 1));
  const Tensor x = randn({4, 3}), y = randn({4, 1});

  const auto loss = [&](Tensor x, Tensor y) { return (net(x) - y).square().mean(); };
  save(trace(loss)(ones({4, 3}), ones({4, 1})), "loss.safetensors");

  const auto program = func::Program::load("loss.safetensors");
  std::vector<Tensor> parameters;  // of the file; those of the net stay as they are
  for (const auto& constant : program.constants())
    if (constant.value.requires_grad()) parameters.push_back(constant.value);
  optim::SGD optimizer(parameters, optim::SGDOptions(0.1));
  program({x, y})[0].backward();
  optimizer.step();

  CHECK(parameters.size() == 4);
  CHECK(program({x, y})[0].item<float>() < loss(x, y).item<float>());
  CHECK(load_metadata("loss.safetensors").contains("program"));
}

TEST_CASE("docs/files.md: weights of a PyTorch model under other names") {
  const InFolder folder("strata_docs_names");
  std::filesystem::copy_file(data_file("adam_later.pt"), "theirs.pt");
  Net net;

  TensorMap tensors;
  for (const auto& item : load_file("theirs.pt")) {
    std::string name = item.key();
    if (name.starts_with("first.")) name.replace(0, 5, "down");
    tensors.insert(name, item.value());
  }
  nn::load_state_dict(*net, tensors);  // or one error with all names and shapes that do not fit
  net->eval();

  CHECK(net->down->weight.equal(load_file("theirs.pt")["first.weight"]));
  CHECK(net->parts[0]->as<nn::BatchNorm1d>()->running_mean.defined());
  tensors.insert("more", ones({1}));
  CHECK_THROWS_WITH(nn::load_state_dict(*net, tensors), Catch::Matchers::ContainsSubstring("'more'"));
}

TEST_CASE("docs/files.md: a part of a file") {
  const InFolder folder("strata_docs_part");
  nn::Sequential bigger(nn::Linear(3, 2), nn::Linear(2, 1));
  save(bigger, "bigger.safetensors");
  nn::Sequential smaller(nn::Linear(3, 2), nn::Tanh());

  const nn::IncompatibleKeys keys = load(smaller, "bigger.safetensors", strict(false));
  for (const std::string& name : keys.unexpected_keys) std::cout << name << " is not used\n";

  CHECK(keys.unexpected_keys == std::vector<std::string>{"1.weight", "1.bias"});
  CHECK(keys.missing_keys.empty());
  CHECK(smaller->parameters()[0].equal(bigger->parameters()[0]));
}

TEST_CASE("docs/files.md: tensors by name") {
  const InFolder folder("strata_docs_map");
  const Tensor images = randn({4, 3}), labels = arange(4);

  TensorMap tensors;
  tensors.insert("images", images);
  tensors.insert("labels", labels);
  save_file(tensors, "set.safetensors", {{"made by", "a recipe"}});
  const TensorMap back = load_file("set.safetensors");

  CHECK(back["images"].equal(images));
  CHECK(back["labels"].equal(labels));
  CHECK(load_metadata("set.safetensors").at("made by") == "a recipe");
}

TEST_CASE("docs/files.md: a run that goes on") {
  const InFolder folder("strata_docs_run");
  const auto make = [] {
    manual_seed(0);
    return Net();
  };
  const auto train = [](Net& net, optim::Optimizer& optimizer, optim::LRScheduler& schedule) {
    optimizer.zero_grad();
    net(randn({4, 3})).square().mean().backward();
    optimizer.step();
    schedule.step();
  };
  Net net = make();
  optim::AdamW optimizer(net->parameters(), optim::AdamWOptions(0.1));
  optim::StepLR schedule(optimizer, 2, 0.5);
  for (int i = 0; i < 3; ++i) train(net, optimizer, schedule);
  int64_t epoch = 3;

  serialize::OutputArchive archive;
  const auto add = [&archive](const char* name, const auto& what) {
    serialize::OutputArchive part;  // one each: an archive keeps all that was written to it
    part << what;
    archive.write(name, part);
  };
  archive.write("epoch", epoch);
  add("net", *net);
  add("optimizer", optimizer);
  add("schedule", schedule);
  add("random", default_generator());
  archive.save_to("checkpoint.safetensors");

  for (int i = 0; i < 3; ++i) train(net, optimizer, schedule);
  const Net whole = net;
  {
    Net net = make();
    optim::AdamW optimizer(net->parameters(), optim::AdamWOptions(0.1));
    optim::StepLR schedule(optimizer, 2, 0.5);
    int64_t epoch = 0;

    serialize::InputArchive archive;
    archive.load_from("checkpoint.safetensors");
    const auto take = [&archive](const char* name, auto& what) {
      serialize::InputArchive part = archive.nested(name);
      part >> what;
    };
    archive.read("epoch", epoch);
    take("net", *net);
    take("optimizer", optimizer);
    take("schedule", schedule);
    take("random", default_generator());

    CHECK(epoch == 3);
    for (int i = 0; i < 3; ++i) train(net, optimizer, schedule);
    for (size_t i = 0; i < whole->parameters().size(); ++i) CHECK(net->parameters()[i].equal(whole->parameters()[i]));
  }
}
