// Looks for MNIST, and enlarges the embedded digits to its size.
#include "mnist/digits.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

namespace mnist {
namespace {

namespace fs = std::filesystem;
using strata::Tensor;
using strata::data::datasets::MNIST;
using strata::data::datasets::TensorPairDataset;

std::optional<fs::path> find_mnist(const fs::path& folder) {
  for (const fs::path& candidate : {folder, folder / "mnist"}) {
    for (const char* name : {"train-images-idx3-ubyte.gz", "train-images-idx3-ubyte"}) {
      if (fs::exists(candidate / name)) return candidate;
    }
  }
  return std::nullopt;
}

std::vector<fs::path> usual_places() {
  std::vector<fs::path> places;
  if (const char* folder = std::getenv("STRATA_DATA"); folder != nullptr && *folder != '\0')
    places.emplace_back(folder);
  places.insert(places.end(), {"data", "../shared/data"});
  return places;
}

Digits read_mnist(const fs::path& folder) {
  const MNIST train(folder.string(), MNIST::Mode::kTrain);
  const MNIST test(folder.string(), MNIST::Mode::kTest);
  return {"MNIST in " + folder.string(), {train.images(), train.targets()}, {test.images(), test.targets()}};
}

/// `(N, 1, 8, 8)` to `(N, 1, 28, 28)`: every pixel becomes 3x3, with a margin of 2.
Tensor enlarged(const Tensor& images) {
  const Tensor big = images.repeat_interleave(3, 2).repeat_interleave(3, 3);
  return strata::constant_pad_nd(big, {2, 2, 2, 2});
}

}  // namespace

Digits embedded_digits() {
  constexpr int64_t kTrain = 1500;
  const TensorPairDataset all = strata::data::datasets::embedded_digits();
  const Tensor images = enlarged(all.data);
  const int64_t test = images.size(0) - kTrain;
  return {"the small digits that are part of the program",
          {images.narrow(0, 0, kTrain), all.targets.narrow(0, 0, kTrain)},
          {images.narrow(0, kTrain, test), all.targets.narrow(0, kTrain, test)},
          true};
}

Digits load_digits(const std::string& folder) {
  if (!folder.empty()) {
    const auto found = find_mnist(folder);
    STRATA_CHECK(found.has_value(), "--data: no train-images-idx3-ubyte(.gz) in {} or {}/mnist", folder, folder);
    return read_mnist(*found);
  }
  for (const fs::path& place : usual_places()) {
    if (const auto found = find_mnist(place)) return read_mnist(*found);
  }
  return embedded_digits();
}

}  // namespace mnist
