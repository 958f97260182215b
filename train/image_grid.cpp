// Numbers from 0 to 1 become bytes.
#include "train/image_grid.h"

#include <algorithm>
#include <cmath>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::train {

ImageGrid::ImageGrid(const Images& panel) : columns_(panel.columns) {
  Tensor t = panel.pictures.detach().cpu();
  if (is_floating_point(t.dtype())) t = t.to(kFloat).nan_to_num(0).clamp(0, 1).mul(255).round().to(kUInt8);
  STRATA_CHECK(t.dtype() == kUInt8, "plot: images of {}, expected uint8 or floating point", name(t.dtype()));
  pixels_ = t.permute({0, 2, 3, 1}).contiguous();
  if (columns_ <= 0) columns_ = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(t.size(0)))));
  columns_ = std::min(columns_, t.size(0));
}

}  // namespace strata::train
