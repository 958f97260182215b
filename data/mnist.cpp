// Files and embedded text to tensors of images and labels.
#include "data/mnist.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "data/digits_data.h"
#include "data/idx.h"
#include "ops/creation.h"

namespace strata::data::datasets {
namespace {

/// `(N, 1, H, W)` float32, the pixels divided by `white`.
Tensor to_images(const idx::Array& array, float white) {
  std::array<float, 256> values;
  for (size_t byte = 0; byte < values.size(); ++byte) values[byte] = static_cast<float>(byte) / white;
  Tensor images = empty({array.dims[0], 1, array.dims[1], array.dims[2]}, kFloat32);
  std::transform(array.bytes.begin(), array.bytes.end(), images.data_ptr<float>(),
                 [&](uint8_t byte) { return values[byte]; });
  return images;
}

Tensor to_labels(const idx::Array& array) {
  Tensor labels = empty({array.dims[0]}, kInt64);
  std::copy(array.bytes.begin(), array.bytes.end(), labels.data_ptr<int64_t>());
  return labels;
}

std::string find_file(const std::string& root, const std::string& name) {
  const std::string path = (std::filesystem::path(root) / name).string();
  for (const std::string& candidate : {path + ".gz", path}) {
    if (std::filesystem::exists(candidate)) return candidate;
  }
  throw Error("MNIST: there is neither " + path + " nor " + path + ".gz");
}

TensorPairDataset read_mnist(const std::string& root, const std::string& prefix) {
  const std::string images = find_file(root, prefix + "-images-idx3-ubyte");
  const std::string labels = find_file(root, prefix + "-labels-idx1-ubyte");
  return {to_images(idx::read(images, 3), 255), to_labels(idx::read(labels, 1))};
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(kAlphabet.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count);
  }
  return bytes;
}

}  // namespace

MNIST::MNIST(const std::string& root, Mode mode)
    : rows_(read_mnist(root, mode == Mode::kTrain ? "train" : "t10k")), mode_(mode) {}

TensorPairDataset embedded_digits() {
  const std::string images = decode_base64(embedded::digit_images);
  const std::string labels = decode_base64(embedded::digit_labels);
  return {to_images(idx::parse(images, "embedded digit images", 3), 16),
          to_labels(idx::parse(labels, "embedded digit labels", 1))};
}

}  // namespace strata::data::datasets
