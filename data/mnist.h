// MNIST and the small set of scanned digits that the library carries.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "tensor_dataset.h"

namespace strata::data::datasets {

/// LeCun's MNIST: grey images of 28x28 pixels with the digit each shows, 60,000 to train and 10,000 to test.
/// Any other set in the same four files (Fashion-MNIST, EMNIST) will do.
class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };

  /// Reads the images and labels of one mode in folder `root`, in IDX under their official names with or without `.gz`.
  /// Throws Error when a file is missing or damaged, or when there are more images than labels.
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain);

  Example<> get(size_t index) override { return rows_.get(index); }
  std::optional<size_t> size() const override { return rows_.size(); }
  /// The batch as one example: Note [Stacked batches].
  Example<> stacked(ArrayRef<size_t> indices) { return rows_.stacked(indices); }
  bool is_train() const noexcept { return mode_ == Mode::kTrain; }
  /// `(N, 1, H, W)` float32 from 0 to 1.
  const Tensor& images() const { return rows_.data; }
  /// The labels, shape `(N,)`, int64.
  const Tensor& targets() const { return rows_.targets; }

 private:
  TensorPairDataset rows_;
  Mode mode_;
};

/// 1,797 digits of 8x8 pixels that 13 people wrote (E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998,
/// CC BY 4.0), part of the library: `(1797, 1, 8, 8)` float32 from 0 to 1 and `(1797,)` int64.
TensorPairDataset embedded_digits();

}  // namespace strata::data::datasets
