// The examples of docs/files.md and of docstrings about exported programs, as they stand there; test_architecture
// compares.
#include <strata/strata.h>

#include <filesystem>
#include <iostream>

#include "test/catch.h"
#include "test/source_dir.h"

namespace strata {
namespace {

/// A temporary folder with a model of four inputs and three classes as the current folder.
struct InFolder {
  std::filesystem::path before = std::filesystem::current_path(),
                        folder = std::filesystem::temp_directory_path() / "strata_docs_pt2";
  InFolder() {
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(std::filesystem::path(source_dir()) / "test/exchange/data/mlp.pt2", folder / "model.pt2",
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::current_path(folder);
  }
  ~InFolder() {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }
};

}  // namespace

TEST_CASE("docs/files.md: a whole model of PyTorch's") {
  const InFolder folder;
  manual_seed(0);
  const Tensor images = randn({32, 4}), labels = (images.sum(1) > 0).to(kLong);

  ExportedProgram model = load_pt2("model.pt2");
  optim::Adam optimizer(model->parameters(), 1e-2);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    cross_entropy_loss(model(images), labels).backward();
    optimizer.step();
  }
  save(model, "model.safetensors");

  CHECK(model(images).argmax(1).equal(labels));
  ExportedProgram again = load_pt2("model.pt2");
  CHECK(!again(images).equal(model(images)));
  load(again, "model.safetensors");
  CHECK(again(images).equal(model(images)));

  auto classify = compile([&](Tensor x) { return model(x).softmax(-1); });
  const NoGradGuard no_grad;
  const Tensor scores = classify(images);
  std::cout << model->program() << "\n";  // its equations, for the sizes of the export

  CHECK(scores.equal(model(images).softmax(-1)));
}

TEST_CASE("docstring of load_pt2") {
  const InFolder folder;
  const Tensor x = randn({6, 4});
  ExportedProgram model = load_pt2("model.pt2");
  Tensor y = model(x);
  optim::SGD optimizer(model->parameters(), 0.1);
  CHECK(y.size(1) == 3);
}

}  // namespace strata
