// What both renderings of tensors share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// x's values as row-major `dtype` on the CPU, read below all layers.
Tensor printable(const Tensor& x, DType dtype);
/// The parts of complex x as row-major float64 of shape `(..., 2)`, in the same way.
Tensor printable_parts(const Tensor& x);

/// The options with a value for each number, without the look-ups of std::optional.
struct PrintStyle {
  int64_t precision = 4, threshold = 1000, edgeitems = 3, linewidth = 80;
  std::optional<bool> sci_mode = {};
};
PrintStyle print_style();

/// What is shown of a tensor: all of it or, of one with more elements than the threshold, the edges of its long dims.
struct Shown {
  Tensor values;
  std::vector<bool> gaps;  ///< for each dim, whether its middle is left out
};
Shown shown_of(const Tensor& x, const PrintStyle& style);

/// Calls visit(i) for the indices of a dim of n that are shown, and visit(-1) in the middle where there is a gap.
template <class F>
void for_shown(int64_t n, bool gap, F visit) {
  for (int64_t i = 0; i < n; ++i) {
    if (gap && i == n / 2) visit(-1);
    visit(i);
  }
}

/// `MulBackward0`; empty for a leaf. Autograd defines it, which knows what nodes are.
std::string grad_fn_name(const Tensor& x);

}  // namespace strata
