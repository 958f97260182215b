// CIFAR-10 from its binary files.
#pragma once
#include <optional>
#include <string>

#include "tensor_dataset.h"

namespace strata::data::datasets {

/// Krizhevsky's CIFAR-10: 60,000 colour images of 32x32 pixels in ten classes, of which 10,000 are to test.
class CIFAR10 : public Dataset<CIFAR10> {
 public:
  enum class Mode { kTrain, kTest };

  /// Reads `data_batch_1.bin` to `data_batch_5.bin` or `test_batch.bin` in folder `root` or its `cifar-10-batches-bin`.
  /// Throws Error when a file is missing or damaged.
  explicit CIFAR10(const std::string& root, Mode mode = Mode::kTrain);

  /// `(3, 32, 32)` float32 from 0 to 1, and the class, 0-dim int64.
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override { return rows_.size(); }
  /// The batch as one example: Note [Stacked batches].
  Example<> stacked(ArrayRef<size_t> indices);
  bool is_train() const noexcept { return mode_ == Mode::kTrain; }
  /// `(N, 3, 32, 32)` uint8.
  const Tensor& images() const { return rows_.data; }
  /// `(N,)` int64.
  const Tensor& targets() const { return rows_.targets; }

 private:
  TensorPairDataset rows_;
  Mode mode_;
};

}  // namespace strata::data::datasets
