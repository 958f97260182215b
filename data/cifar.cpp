// Reading CIFAR-10's records of a label and an image.
#include "data/cifar.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::data::datasets {
namespace {

constexpr int64_t kPixels = 3 * 32 * 32, kRecord = 1 + kPixels, kClasses = 10;

/// The bytes of all files; throws unless each holds whole records.
std::vector<uint8_t> read_records(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::vector<uint8_t> bytes;
  for (const std::string& name : names) {
    const std::filesystem::path path = folder / name;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    STRATA_CHECK(file.good(), "CIFAR10: there is no {}", path.string());
    const auto size = static_cast<int64_t>(file.tellg());
    STRATA_CHECK(size > 0 && size % kRecord == 0, "CIFAR10: {} has {} bytes, no multiple of {}", path.string(), size,
                 kRecord);
    const size_t before = bytes.size();
    bytes.resize(before + static_cast<size_t>(size));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes.data() + before), size);
    STRATA_CHECK(file.gcount() == size, "CIFAR10: {} could not be read", path.string());
  }
  return bytes;
}

TensorPairDataset read_cifar(const std::string& root, CIFAR10::Mode mode) {
  std::filesystem::path folder = root;
  if (std::filesystem::exists(folder / "cifar-10-batches-bin")) folder /= "cifar-10-batches-bin";
  std::vector<std::string> names = {"test_batch.bin"};
  if (mode == CIFAR10::Mode::kTrain) {
    names.clear();
    for (const char* i : {"1", "2", "3", "4", "5"}) names.push_back(std::string("data_batch_") + i + ".bin");
  }
  const std::vector<uint8_t> bytes = read_records(folder, names);
  const int64_t count = static_cast<int64_t>(bytes.size()) / kRecord;
  Tensor images = empty({count, 3, 32, 32}, kUInt8), labels = empty({count}, kInt64);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t* const record = bytes.data() + i * kRecord;
    STRATA_CHECK(record[0] < kClasses, "CIFAR10: record {} has label {}", i, int{record[0]});
    labels.data_ptr<int64_t>()[i] = record[0];
    std::copy(record + 1, record + kRecord, images.data_ptr<uint8_t>() + i * kPixels);
  }
  return {images, labels};
}

Tensor to_floats(const Tensor& bytes) { return bytes.to(kFloat).div(255); }

}  // namespace

CIFAR10::CIFAR10(const std::string& root, Mode mode) : rows_(read_cifar(root, mode)), mode_(mode) {}

Example<> CIFAR10::get(size_t index) {
  Example<> example = rows_.get(index);
  return {to_floats(example.data), example.target};
}

Example<> CIFAR10::stacked(ArrayRef<size_t> indices) {
  Example<> batch = rows_.stacked(indices);
  return {to_floats(batch.data), batch.target};
}

}  // namespace strata::data::datasets
