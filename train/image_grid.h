// The pictures of a panel as bytes, and how many stand in a row. Internal to train/.
#pragma once

#include "plot.h"

namespace strata::train {

class ImageGrid {
 public:
  explicit ImageGrid(const Images& panel);
  int64_t count() const { return pixels_.size(0); }
  int64_t columns() const { return columns_; }
  int64_t rows() const { return (count() + columns_ - 1) / columns_; }
  /// `(H, W, C)` uint8 on the CPU.
  Tensor pixels(int64_t index) const { return pixels_.select(0, index); }

 private:
  Tensor pixels_;
  int64_t columns_;
};

}  // namespace strata::train
