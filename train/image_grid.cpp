// Pictures side by side.
#include "train/image_grid.h"

#include <algorithm>
#include <cmath>

#include "ops/view.h"
#include "train/png.h"

namespace strata::train {

ImageGrid::ImageGrid(const Images& panel) : columns_(panel.columns) {
  const Tensor t = picture_bytes(panel.pictures, "plot");
  pixels_ = t.permute({0, 2, 3, 1}).contiguous();
  if (columns_ <= 0) columns_ = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(t.size(0)))));
  columns_ = std::min(columns_, t.size(0));
}

}  // namespace strata::train
