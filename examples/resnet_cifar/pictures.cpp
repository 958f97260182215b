// CIFAR-10, or digits in its shape.
#include "resnet_cifar/pictures.h"

#include <cstdlib>
#include <filesystem>

namespace cifar {
namespace {

using strata::data::datasets::CIFAR10;
namespace fs = std::filesystem;

constexpr const char* kCifar = "CIFAR-10";

std::string find_folder(const std::string& folder) {
  std::vector<fs::path> places = {folder};
  if (folder.empty()) {
    const char* data = std::getenv("STRATA_DATA");
    places = {data == nullptr ? "" : data, "data"};
  }
  for (const fs::path& place : places)
    for (const char* below : {"test_batch.bin", "cifar-10-batches-bin/test_batch.bin"})
      if (!place.empty() && fs::exists(place / below)) return place.string();
  STRATA_CHECK(folder.empty(), "--data: there is no test_batch.bin of CIFAR-10 in {}", folder);
  return "";
}

/// `(N, 1, 8, 8)` from 0 to 1 to `(N, 3, 32, 32)`: each pixel becomes 4x4, in a colour of its own for each picture.
Tensor coloured(const Tensor& digits) {
  const Tensor big = digits.repeat_interleave(4, 2).repeat_interleave(4, 3);
  const Tensor ink = strata::random::uniform(strata::random::key(0), {digits.size(0), 3, 1, 1}, {.minval = 0.4});
  return (big * ink * 255).to(strata::kByte);
}

}  // namespace

Tensor Pictures::batch(const Tensor& places) const {
  return pictures_.index_select(0, places).to(strata::kFloat) / 64 - 2;
}

std::tuple<Pictures, Pictures, std::string> load_pictures(const std::string& folder, int64_t images) {
  const std::string found = find_folder(folder);
  if (!found.empty()) {
    const CIFAR10 train(found, CIFAR10::Mode::kTrain), test(found, CIFAR10::Mode::kTest);
    return {Pictures(train.images().slice(0, 0, images), train.targets().slice(0, 0, images)),
            Pictures(test.images(), test.targets()), kCifar};
  }
  constexpr int64_t kTrain = 1500;
  const auto digits = strata::data::datasets::embedded_digits();
  const Tensor all = coloured(digits.data);
  const int64_t count = std::min(images, kTrain);
  return {Pictures(all.slice(0, 0, count), digits.targets.slice(0, 0, count)),
          Pictures(all.slice(0, kTrain), digits.targets.slice(0, kTrain)), "coloured digits"};
}

Tensor augmented(const Tensor& pictures) {
  constexpr int64_t kMargin = 4;
  const int64_t count = pictures.size(0), side = pictures.size(2);
  const Tensor padded = strata::nn::functional::pad(
      pictures, strata::nn::functional::PadFuncOptions({kMargin, kMargin, kMargin, kMargin}).mode(strata::kReflect));
  const auto moved = [&] {
    return strata::randint(2 * kMargin + 1, {count, 1}, strata::kLong) + strata::arange(side, strata::kLong);
  };
  const Tensor rows = moved(), straight = moved();
  const Tensor mirrored = strata::rand({count, 1}) < 0.5;
  const Tensor columns = strata::where(mirrored, straight.flip(1), straight);
  const Tensor picture = strata::arange(count, strata::kLong).reshape({-1, 1, 1, 1});
  const Tensor channel = strata::arange(pictures.size(1), strata::kLong).reshape({1, -1, 1, 1});
  return padded.index({picture, channel, rows.reshape({count, 1, side, 1}), columns.reshape({count, 1, 1, side})});
}

std::vector<std::string> class_names(const std::string& source) {
  if (source == kCifar) return {"plane", "car", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  return {};
}

}  // namespace cifar
