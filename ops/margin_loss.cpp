// multilabel_margin_loss, of other ops.
#include "ops/margin_loss.h"

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/scan.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// As many columns of `listed` (N, C) as some row has true ones in front, where that can be known.
int64_t longest_row(const Tensor& listed) {
  if (listed.keys().has(Key::Transform) || listed.numel() == 0) return listed.sizes()[1];
  return sum(listed, {1}).max().item<int64_t>();
}

Tensor loss_of_rows(const Tensor& x, const Tensor& target) {
  const Tensor all_listed = cumsum(lt(target, 0), 1).eq(0);
  const int64_t most = longest_row(all_listed);
  const Tensor listed = narrow(all_listed, 1, 0, most);
  const Tensor index = masked_fill(narrow(target, 1, 0, most), logical_not(listed), 0);
  const Tensor marks = scatter_add(constant(0, x.dtype(), x.device(), x.sizes()), 1, index, listed.to(x.dtype()));
  const Tensor counts = logical_and(unsqueeze(listed, 2), unsqueeze(eq(marks, 0), 1));
  const Tensor gaps = clamp_min(1 - unsqueeze(gather(x, 1, index), 2) + unsqueeze(x, 1), 0);
  return sum(where(counts, gaps, 0), {1, 2}) / static_cast<double>(x.sizes()[1]);
}

}  // namespace

Tensor multilabel_margin_loss(const Tensor& x, const Tensor& target, int64_t reduction) {
  STRATA_CHECK(x.is_floating_point(), "multilabel_margin_loss: expected floating point predictions, got {}",
               name(x.dtype()));
  STRATA_CHECK(x.dim() <= 2 && (x.dim() < 2 || x.sizes()[1] > 0) && target.sizes() == x.sizes(),
               "multilabel_margin_loss: expected input and target (N, C) or (C), got {} and {}", x.sizes(),
               target.sizes());
  const int64_t classes = x.dim() == 0 ? 1 : x.sizes().back();
  STRATA_CHECK(classes > 0, "multilabel_margin_loss: there are no classes in an input of shape {}", x.sizes());
  const Tensor index = reshape(as_index(target, "multilabel_margin_loss", kLongIndex, "targets"), {-1, classes});
  const Tensor loss = loss_of_rows(reshape(x, {-1, classes}), index);
  if (reduction == Reduction::Mean) return mean(loss);
  if (reduction == Reduction::Sum) return sum(loss);
  return x.dim() < 2 ? as_result(squeeze(loss, 0)) : loss;
}

}  // namespace strata
